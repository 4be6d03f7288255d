#include "test/sim/source.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace ROCKSDB_NAMESPACE::sim {

using engine::WriteController;
using engine::WritePacer;

namespace {

constexpr uint64_t kDeletionBytes = 24;

bench::LoadShape ShapeOf(const SourceOptions& options) {
  engine::Result<bench::LoadShape> shape =
      bench::LoadShape::Make(options.shape);
  if (!shape.ok()) {
    std::fprintf(stderr, "simulator: %s\n", shape.status().ToString().c_str());
    std::abort();
  }
  return std::move(*shape);
}

Limiter::Core::Options GeneratorOptions(uint64_t seed) {
  Limiter::Core::Options options;
  options.bytes_per_second = 1;
  options.seed = seed;
  return options;
}

}  // namespace

Source::Source(const SourceOptions& options, EventQueue* events,
               Database* database, size_t family)
    : options_(options),
      events_(events),
      database_(database),
      family_(family),
      shape_(ShapeOf(options)),
      catch_up_(options.pause, shape_, options.step_seconds),
      limiter_(GeneratorOptions(options.seed), events) {
  for (int i = 0; i < options.writers; ++i) {
    writers_.push_back(std::make_unique<Writer>(
        this, options.seed + static_cast<uint64_t>(i)));
  }
  events->At(Nanos(options.start_seconds), this);
}

void Source::Wake(uint64_t /*what*/) {
  for (const auto& writer : writers_) writer->Next();
}

bool Source::Running() const {
  return Seconds(events_->now_ns()) < options_.stop_seconds;
}

double Source::Asked(double seconds) const {
  if (options_.closed_loop || seconds < options_.start_seconds ||
      seconds >= options_.stop_seconds) {
    return 0;
  }
  const double since = seconds - options_.start_seconds;
  if (catch_up_.Pauses(since)) return 0;
  const auto step = static_cast<uint64_t>(since / options_.step_seconds);
  return static_cast<double>(
      shape_.At(static_cast<double>(step) * options_.step_seconds +
                options_.phase_seconds));
}

double Source::SinceStart() const {
  return Seconds(events_->now_ns()) - options_.start_seconds;
}

void Source::FollowShape() {
  const auto step = static_cast<uint64_t>(SinceStart() / options_.step_seconds);
  if (step == applied_step_) return;
  applied_step_ = step;
  const double asked = Asked(Seconds(events_->now_ns()));
  limiter_.core().SetBytesPerSecond(static_cast<int64_t>(asked));
}

// -------------------------------------------------------------------- writer

void Source::Writer::Next() {
  if (!source_->Running()) return;
  bench::CatchUp& catch_up = source_->catch_up_;
  if (catch_up.Pauses(source_->SinceStart())) {
    const double end = source_->options_.start_seconds + catch_up.end_seconds();
    source_->events_->At(Nanos(end) + 1, this, kDone);
    return;
  }
  Choose();
  if (source_->options_.closed_loop ||
      catch_up.Takes(source_->SinceStart(), bytes_)) {
    return Pace();
  }
  bytes_left_ = bytes_;
  Ask();
}

void Source::Writer::Choose() {
  const SourceOptions& options = source_->options_;
  deletes_ = options.deletion_share > 0 &&
             random_.NextDouble() < options.deletion_share;
  bytes_ =
      deletes_ ? kDeletionBytes * options.puts_per_write : options.write_bytes;
}

// More than a refill is asked for in parts, as db_bench does.
void Source::Writer::Ask() {
  Limiter& limiter = source_->limiter_;
  while (bytes_left_ > 0) {
    if (!source_->Running()) return;
    source_->FollowShape();
    const uint64_t part =
        std::min(bytes_left_,
                 static_cast<uint64_t>(limiter.core().single_burst_bytes()));
    bytes_left_ -= part;
    client_.actor = this;
    client_.what = kTokens;
    if (!limiter.Request(&client_, part, Limiter::Core::kHigh)) return;
  }
  Pace();
}

void Source::Writer::Pace() {
  WritePacer* const pacer = source_->database_->pacer();
  const uint64_t now = source_->events_->now_micros();
  begun_ns_ = source_->events_->now_ns();
  rate_ = pacer->rate();
  wait_micros_ = pacer->Reserve(bytes_, now);
  since_micros_ = looked_micros_ = now;
  if (wait_micros_ == 0) return Admit();
  pacer->AddPaced(bytes_);
  PacedFor();
}

void Source::Writer::PacedFor() {
  source_->events_->After(
      std::min(wait_micros_, WritePacer::kStepMicros) * kNanosPerMicro, this,
      kPaced);
}

void Source::Writer::Admit() {
  WriteController* const controller = source_->database_->controller();
  if (controller->IsStopped() || controller->NeedsDelay()) {
    const uint64_t now = source_->events_->now_micros();
    wait_micros_ = controller->GetDelay(now, bytes_);
    if (wait_micros_ > 0 || controller->IsStopped()) {
      since_micros_ = now;
      source_->database_->AddStalled(static_cast<int64_t>(bytes_));
      return AwaitEnd();
    }
  }
  Write();
}

// As WriteAdmission::Wait.
void Source::Writer::AwaitEnd() {
  WriteController* const controller = source_->database_->controller();
  constexpr uint64_t kStepMicros = 1000;
  const uint64_t now = source_->events_->now_micros();
  const uint64_t end = since_micros_ + wait_micros_;
  const bool delayed = controller->NeedsDelay() && now < end;
  if (delayed || controller->IsStopped()) {
    uint64_t step = kStepMicros;
    if (!controller->IsStopped()) step = std::min(step, end - now);
    looked_micros_ = now;
    waits_ = controller->IsStopped();
    source_->events_->After(step * kNanosPerMicro, this, kStall);
    return;
  }
  source_->database_->AddStalled(-static_cast<int64_t>(bytes_));
  Write();
}

void Source::Writer::Write() {
  const SourceOptions& options = source_->options_;
  const uint64_t entries = options.puts_per_write;
  source_->database_->Write(source_->family_, bytes_, deletes_ ? 0 : entries,
                            deletes_ ? entries : 0);
  const double seconds = options.call_seconds + static_cast<double>(bytes_) /
                                                    (options.write_mbps * 1e6);
  const uint64_t end_ns = source_->events_->now_ns() + Nanos(seconds);
  Counts* const counts = source_->database_->counts();
  const uint64_t micros = (end_ns - begun_ns_) / kNanosPerMicro;
  counts->put_micros.Add(micros);
  if (begun_ns_ >= Nanos(Counts::kSettleSeconds)) {
    counts->settled_put_micros.Add(micros);
  }
  source_->events_->At(end_ns, this, kDone);
}

void Source::Writer::Wake(uint64_t what) {
  const uint64_t now = source_->events_->now_micros();
  const auto writers = static_cast<uint64_t>(source_->options_.writers);
  Counts* const counts = source_->database_->counts();
  switch (what) {
    case kTokens:
      return Ask();
    case kPaced: {
      WritePacer* const pacer = source_->database_->pacer();
      const uint64_t passed = now - looked_micros_;
      wait_micros_ -= std::min(wait_micros_, passed);
      counts->pace_micros += passed / writers;
      looked_micros_ = now;
      if (pacer->rate() != rate_) {
        wait_micros_ = WritePacer::Rescale(wait_micros_, rate_, pacer->rate());
        rate_ = pacer->rate();
      }
      if (wait_micros_ > 0) return PacedFor();
      pacer->RemovePaced(bytes_);
      return Admit();
    }
    case kStall:
      (waits_ ? counts->stop_micros : counts->delay_micros) +=
          (now - looked_micros_) / writers;
      return AwaitEnd();
    default:
      return Next();
  }
}

}  // namespace ROCKSDB_NAMESPACE::sim
