#include "test/sim/job.h"

#include <algorithm>

namespace ROCKSDB_NAMESPACE::sim {

using engine::IoKind;

// -------------------------------------------------------------------- worker

Worker::Worker(Workplace* place, Job* job, uint64_t read_bytes,
               uint64_t write_bytes)
    : place_(place),
      job_(job),
      read_total_(read_bytes),
      read_left_(read_bytes),
      write_total_(write_bytes),
      write_left_(write_bytes) {}

engine::WorkTotals& Worker::Totals() {
  return place_->meter->totals[static_cast<size_t>(job_->io_class)];
}

void Worker::Then(Step step, uint64_t at_ns) {
  step_ = step;
  place_->events->At(at_ns, this, ++round_);
}

void Worker::Wake(uint64_t what) {
  if (what == round_) Enter(step_);
}

void Worker::Go() {
  paused_ = false;
  NextChunk();
}

// Only what may have to wait is cut smaller.
uint64_t Worker::ChunkBytes() const {
  const engine::IoBudget& budget = place_->gate->client.budget();
  const bool held =
      budget.flush_first && job_->io_class != engine::IoClass::kFlush;
  const uint64_t split =
      place_->gate->scheduler->disk().SplitBytes(IoKind::kWrite);
  if (!held && budget.of(job_->io_class) == 0) return split;
  return std::min<uint64_t>(split, budget.chunk_bytes);
}

void Worker::NextChunk() {
  if (read_left_ == 0 && write_left_ == 0) {
    done_ = true;
    return job_->Reached(place_);
  }
  if (job_->wants_pause()) {
    paused_ = true;
    return job_->Reached(place_);
  }
  write_chunk_ = std::min(write_left_, ChunkBytes());
  if (write_chunk_ == 0) {
    read_chunk_ = std::min(read_left_, kChunkBytes);
  } else if (write_chunk_ == write_left_) {
    read_chunk_ = read_left_;
  } else {
    read_chunk_ = static_cast<uint64_t>(static_cast<double>(read_left_) *
                                        static_cast<double>(write_chunk_) /
                                        static_cast<double>(write_left_));
  }
  Enter(Step::kReadGate);
}

void Worker::Enter(Step step) {
  step_ = step;
  switch (step) {
    case Step::kReadGate:
      if (read_chunk_ == 0 || job_->is_flush()) return Merge();
      if (!PassGate(IoKind::kRead, read_chunk_)) return;
      place_->meter->read_bytes += read_chunk_;
      return Then(Step::kRead,
                  place_->device->Read(read_chunk_, place_->events->now_ns()));
    case Step::kRead:
      Complete(IoKind::kRead, read_chunk_);
      return Merge();
    case Step::kMerge:
      return Merge();
    case Step::kWriteGate:
      if (write_chunk_ == 0) return Written();
      if (!PassGate(IoKind::kWrite, write_chunk_)) return;
      return Limit();
    case Step::kLimit:
      return Write();
    case Step::kWrite:
      return Written();
  }
}

bool Worker::PassGate(IoKind kind, uint64_t bytes) {
  const bool flush_writes = *place_->gate->flushes_writing > 0;
  waiter_.io_class = job_->io_class;
  waiter_.request = {kind, bytes, 1, true};
  const uint64_t now = place_->events->now_micros();
  if (hurry_) {
    place_->gate->scheduler->LetThrough(&place_->gate->client, &waiter_, now);
    in_gate_ = false;
    return true;
  }
  const engine::IoAnswer answer = place_->gate->scheduler->Ask(
      &place_->gate->client, &waiter_, flush_writes, now);
  in_gate_ = !answer.go;
  if (in_gate_) {
    const uint64_t again = std::min(answer.ask_again_micros,
                                    now + engine::IoBudgetPolicy::kStepMicros);
    Then(step_, std::max(again, now + 1) * kNanosPerMicro);
  }
  return answer.go;
}

void Worker::Complete(IoKind kind, uint64_t bytes) {
  place_->gate->scheduler->disk().Complete({kind, bytes, 1, true},
                                           place_->events->now_micros());
}

void Worker::Hurry() {
  hurry_ = true;
  if (in_gate_) Then(step_, place_->events->now_ns());
}

void Worker::Stop() {
  ++round_;
  if (in_gate_) {
    place_->gate->scheduler->LetThrough(&place_->gate->client, &waiter_,
                                        place_->events->now_micros());
  }
  in_gate_ = false;
}

void Worker::Merge() {
  const double mbps =
      job_->is_flush() ? place_->flush_mbps : place_->compact_mbps;
  const uint64_t bytes = job_->is_flush() ? write_chunk_ : read_chunk_;
  const auto cost =
      static_cast<uint64_t>(static_cast<double>(bytes) * 1000 / mbps);
  const TimeWarp& cpu = *place_->cpu;
  Then(Step::kWriteGate,
       cpu.ToOuter(cpu.ToInner(place_->events->now_ns()) + cost));
}

void Worker::Limit() {
  Limiter* const limiter = place_->limiter;
  if (limiter == nullptr) return Write();
  place_->before_limiter();
  const auto burst =
      static_cast<uint64_t>(limiter->core().single_burst_bytes());
  write_chunk_ = std::min(write_chunk_, burst);
  if (file_left_ == 0) {
    priority_ = place_->priority(*job_);
    file_left_ =
        job_->is_flush() ? write_left_ : job_->plan->output_file_size_max;
  }
  file_left_ -= std::min(file_left_, write_chunk_);
  step_ = Step::kLimit;
  limited_.actor = this;
  limited_.what = ++round_;
  if (limiter->Request(&limited_, write_chunk_, priority_)) Write();
}

void Worker::Write() {
  call_start_ns_ = place_->events->now_ns();
  Then(Step::kWrite, place_->device->Write(write_chunk_, call_start_ns_));
}

void Worker::Written() {
  if (write_chunk_ > 0) {
    Complete(IoKind::kWrite, write_chunk_);
    engine::WorkTotals& totals = Totals();
    const uint64_t own = job_->is_flush()
                             ? std::min(write_chunk_, job_->own_left)
                             : write_chunk_;
    if (job_->is_flush()) job_->own_left -= own;
    totals.bytes_written += own;
    place_->meter->log_synced_bytes += write_chunk_ - own;
    totals.device_micros +=
        (place_->events->now_ns() - call_start_ns_) / kNanosPerMicro;
  }
  write_left_ -= write_chunk_;
  read_left_ -= read_chunk_;
  hurry_ = false;
  NextChunk();
}

// ----------------------------------------------------------------------- job

void Job::Start(Workplace* place, int slices, uint64_t read_bytes,
                uint64_t write_bytes) {
  const auto n = static_cast<uint64_t>(std::max(slices, 1));
  for (uint64_t i = 0; i < n; ++i) {
    workers_.push_back(std::make_unique<Worker>(
        place, this, read_bytes * (i + 1) / n - read_bytes * i / n,
        write_bytes * (i + 1) / n - write_bytes * i / n));
  }
  for (const auto& worker : workers_) worker->Go();
}

void Job::Pause() {
  state = State::kPausing;
  for (const auto& worker : workers_) worker->Hurry();
}

void Job::Resume() {
  state = State::kRunning;
  // Workers that have not come to rest yet will not do so now.
  for (const auto& worker : workers_) {
    if (worker->paused()) worker->Go();
  }
}

void Job::End() {
  for (const auto& worker : workers_) worker->Stop();
  plan.reset();
  outputs.clear();
  flushed.reset();
}

void Job::Reached(Workplace* place) {
  bool all_done = true;
  for (const auto& worker : workers_) {
    if (!worker->done() && !worker->paused()) return;
    all_done &= worker->done();
  }
  if (all_done) {
    state = State::kFinishing;
    place->job_worked(this);
  } else if (state == State::kPausing) {
    state = State::kPaused;
    place->job_paused(this);
  }
}

uint64_t Job::read_done() const {
  uint64_t bytes = 0;
  for (const auto& worker : workers_) bytes += worker->read_done();
  return bytes;
}

uint64_t Job::write_done() const {
  uint64_t bytes = 0;
  for (const auto& worker : workers_) bytes += worker->write_done();
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE::sim
