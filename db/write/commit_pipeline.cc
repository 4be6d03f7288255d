#include "db/write/commit_pipeline.h"

#include <algorithm>
#include <cassert>

#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/statistics.h"
#include "rocksdb/write_batch.h"
#include "util/check.h"
#include "util/coding.h"
#include "util/held_locks.h"
#include "util/no_memory.h"
#include "util/perf_context.h"
#include "util/result.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// A sleeping member is woken to insert its own batch only when that is more
// work than the waking, some microseconds against about half a one per record.
constexpr uint64_t kWorthWakingRecords = 64;

// A small write must not wait for a large group to be gathered behind it.
constexpr uint64_t kSmallLeaderShare = 8;

// Counters with one writer at a time need no locked instruction.
void Bump(std::atomic<uint64_t>* counter, uint64_t delta) {
  counter->store(counter->load(std::memory_order_relaxed) + delta,
                 std::memory_order_relaxed);
}

Slice Rep(const QueuedWriter& writer) { return writer.request->batch->Data(); }

// What the log gets.
Slice LoggedBytes(const QueuedWriter& writer) {
  const TwoPhase* const two_phase = writer.request->two_phase;
  return two_phase == nullptr ? Rep(writer) : two_phase->logged->Data();
}

// What a group has to carry for it. Statistics and rates count what was
// prepared when it is prepared, and not again.
uint64_t LoadOf(const QueuedWriter& writer) {
  const CommitRequest& request = *writer.request;
  uint64_t bytes = request.batch->GetDataSize();
  const TwoPhase* const two_phase = request.two_phase;
  if (two_phase != nullptr && two_phase->prepared != nullptr) {
    bytes += two_phase->prepared->GetDataSize();
  }
  return bytes;
}

// A two-phase commit is traced when it takes effect, without its marks, and as
// one write: a part alone must not be sampled or replayed.
void TraceWrite(QueryTracer* tracer, QueryTracer::Kind kind,
                const CommitRequest& request) {
  const TwoPhase* const two_phase = request.two_phase;
  if (two_phase != nullptr && two_phase->only_logged) return;
  const WriteBatch& batch = *request.batch;
  const WriteBatch* const prepared =
      two_phase == nullptr ? nullptr : two_phase->prepared;
  if (prepared == nullptr) {
    if (two_phase == nullptr || batch.Count() > 0)
      tracer->Write(kind, batch.Data());
  } else if (batch.Count() == 0) {
    tracer->Write(kind, prepared->Data());
  } else {
    tracer->Write(kind, batch.Data(), prepared->Data());
  }
}

}  // namespace

// A group, and as a node its place in the memtable queue.
struct CommitPipeline::Group : QueueNode {
  QueuedWriter* first = nullptr;  // The leader; null: an empty group.
  QueuedWriter* last = nullptr;
  size_t num_members = 0;
  // Members that passed their checks, and what they bring.
  size_t num_live = 0;
  uint64_t bytes = 0;
  uint64_t keys = 0;
  SequenceNumber first_sequence = 0;
  SequenceNumber last_sequence = 0;
  bool sync = false;
  bool unlogged = false;
  bool alone = false;  // Some member is to be applied with no other meanwhile.
  Status refused;      // It could not be given sequences.
  // Its leader reads no member any more, so that another leader may end them.
  std::atomic<bool> left_log{false};

  template <typename Visit>
  void ForEachMember(const Visit& visit) {
    for (QueuedWriter* writer = first; writer != nullptr;
         writer = static_cast<QueuedWriter*>(writer->newer)) {
      visit(writer);
      if (writer == last) return;
    }
  }
  template <typename Visit>
  void ForEachLive(const Visit& visit) {
    ForEachMember([&visit](QueuedWriter* writer) {
      if (writer->status.ok()) visit(writer);
    });
  }
};

// Neighbours in the memtable queue that are applied together, by the leader of
// the first.
struct CommitPipeline::Run {
  Group* first = nullptr;
  Group* last = nullptr;
  Countdown pending;  // Writers still inserting their own batches.

  template <typename Visit>
  void ForEachGroup(const Visit& visit) {
    for (Group* group = first;;) {
      // Before the visit: the group may be gone after it.
      auto* const next = static_cast<Group*>(group->newer);
      const bool is_last = group == last;
      visit(group);
      if (is_last) return;
      group = next;
    }
  }
};

CommitPipelineOptions CommitPipelineOptions::From(const DBOptions& options) {
  CommitPipelineOptions result;
  result.max_write_batch_group_size_bytes =
      options.max_write_batch_group_size_bytes;
  result.write_thread_max_yield_usec = options.write_thread_max_yield_usec;
  result.write_thread_slow_yield_usec = options.write_thread_slow_yield_usec;
  result.enable_write_thread_adaptive_yield =
      options.enable_write_thread_adaptive_yield;
  result.allow_concurrent_memtable_write =
      options.allow_concurrent_memtable_write;
  return result;
}

CommitPipeline::CommitPipeline(const CommitPipelineOptions& options,
                               const Deps& deps)
    : options_(options),
      deps_(deps),
      wait_policy_(options.enable_write_thread_adaptive_yield
                       ? options.write_thread_max_yield_usec
                       : 0,
                   options.write_thread_slow_yield_usec, deps.clock) {}

Status CommitPipeline::Commit(CommitRequest* request) {
  assert(request->batch != nullptr && request->options != nullptr);
  assert(!HoldsLock(LockRank::kState));  // A leader may need it.
  const WriteOptions& options = *request->options;
  if (options.sync && options.disableWAL)
    return Status::InvalidArgument("sync write without a log (disableWAL)");
  if (Traces(QueryTracer::kWrite)) [[unlikely]]
    TraceWrite(deps_.tracer, QueryTracer::kWrite, *request);
  if (deps_.admission != nullptr) RETURN_IF_ERROR(AwaitAdmission(*request));
  if (options.no_slowdown && leader_waits_.load(std::memory_order_relaxed))
    return Status::Incomplete("Write stall");

  QueuedWriter writer;
  writer.request = request;
  const bool leads = log_queue_.Join(&writer);
  if (request->hooks != nullptr) [[unlikely]]
    request->hooks->Queued();
  if (!leads && AwaitTurn(&writer, &writer) == QueueNode::kDone)
    return writer.status;
  Lead(&writer);
  return writer.status;
}

Status CommitPipeline::AwaitAdmission(const CommitRequest& request) {
  WriteAdmission& admission = *deps_.admission;
  const WriteOptions& options = *request.options;
  if (options.low_pri) {
    RETURN_IF_ERROR(admission.WaitLowPriority(request.batch->GetDataSize(),
                                              options.no_slowdown));
  }
  if (!admission.MustPace()) return {};
  const PerfWaitTimer timer(deps_.clock, &PerfContext::write_delay_time);
  uint64_t paced_micros = 0;
  const Status status = admission.Pace(
      request.batch->GetDataSize(), options.no_slowdown, this, &paced_micros);
  RecordStall(paced_micros);
  if (paced_micros > 0) {
    RecordTick(deps_.statistics, AUTOTUNE_PACED_MICROS, paced_micros);
  }
  return status;
}

void CommitPipeline::RecordStall(uint64_t micros) {
  if (micros == 0) return;
  counters_.stall_micros.fetch_add(micros, std::memory_order_relaxed);
  if (deps_.statistics == nullptr) return;
  deps_.statistics->recordTick(STALL_MICROS, micros);
  deps_.statistics->recordInHistogram(WRITE_STALL, micros);
}

// Waits until `node` leads or `writer`'s commit is done, inserting its batch
// when told to.
QueueNode::State CommitPipeline::AwaitTurn(QueueNode* node,
                                           QueuedWriter* writer) {
  PerfWaitTimer wait(deps_.clock, &PerfContext::write_thread_wait_nanos);
  QueueNode::State answer = wait_policy_.Await(node);
  wait.Stop();
  if (answer != QueueNode::kApply) return answer;
  assert(writer->delegated && writer->pending != nullptr);
  // Waiting again before the leader can know that the work is done.
  node->state.store(QueueNode::kWaiting, std::memory_order_relaxed);
  ApplyOne(writer, /*concurrent=*/true);
  writer->pending->Done();
  return wait_policy_.Await(node);
}

void CommitPipeline::Lead(QueuedWriter* leader) {
  assert(leader->request != nullptr);
  assert(leader->older == nullptr);  // writer_queue.h (1)
  leader->status = AdmitOrStop(leader);
  if (!leader->status.ok()) {
    log_queue_.Leave(leader);
    return;
  }

  Group group;
  {
    const PerfTimer timer(deps_.clock,
                          &PerfContext::write_pre_and_post_process_time);
    FormGroup(leader, &group);
    CheckMembers(&group);
    AssignSequences(&group);
  }
  const Status logged = group.refused.ok()
                            ? OrNoMemory([&] { return AppendToWal(&group); })
                            : group.refused;
  if (!logged.ok()) {
    // No reader saw these sequences. Reuse them so that recovery finds no gap
    // between this log and the next.
    last_assigned_.store(group.first_sequence - 1, std::memory_order_relaxed);
    Fail(&group, logged);
    deps_.host->OnCommitError(logged);
    log_queue_.Leave(group.last);
    FinishMembers(&group);
    return;
  }
  if (Traces(QueryTracer::kOrderedWrite)) [[unlikely]] {
    group.ForEachLive([this](QueuedWriter* writer) {
      TraceWrite(deps_.tracer, QueryTracer::kOrderedWrite, *writer->request);
    });
  }

  Run run;
  run.first = run.last = &group;
  // Join the memtable queue first, so that the next leader of the log stage
  // comes behind this group there.
  const bool leads = memtable_queue_.Join(&group);
  log_queue_.Leave(group.last);
  group.left_log.store(true, std::memory_order_release);
  if (!leads && AwaitTurn(&group, leader) == QueueNode::kDone) return;
  ExtendRun(&run);
  ApplyToMemtables(&run);
  memtable_queue_.Leave(run.last);
  Finish(&run);
}

// Also applies the groups queued behind this one, in one hand-over. Stops at a
// group whose leader has yet to leave the log queue by way of its members.
void CommitPipeline::ExtendRun(Run* run) {
  const QueueNode* const newest = memtable_queue_.LinkAll();
  while (run->last != newest) {
    auto* const next = static_cast<Group*>(run->last->newer);
    if (!next->left_log.load(std::memory_order_acquire)) return;
    run->last = next;
  }
}

// If memory runs out while memtables are being switched, stop all writes: a new
// memtable may be in no view yet.
Status CommitPipeline::AdmitOrStop(QueuedWriter* leader) {
  try {
    const Status status = Admit(*leader->request->options, leader);
    if (status.IsMemoryLimit()) RequestAttention();  // To be tried again.
    return status;
  } catch (const std::bad_alloc&) {
    leader_waits_.store(false, std::memory_order_relaxed);
    const Status stopped(Status::MemoryLimit(), Status::Severity::kFatalError);
    deps_.host->OnCommitError(stopped);
    return stopped;
  }
}

Status CommitPipeline::Admit(const WriteOptions& options,
                             QueuedWriter* leader) {
  if (NeedsRoom()) RETURN_IF_ERROR(EnsureRoom(options));
  if (deps_.admission == nullptr || !deps_.admission->MustWait()) return {};

  const PerfWaitTimer timer(deps_.clock, &PerfContext::write_delay_time);
  waiting_leader_ = leader;
  leader_waits_.store(true, std::memory_order_relaxed);
  uint64_t stalled_micros = 0;
  const Status status = deps_.admission->Wait(
      last_group_bytes_, options.no_slowdown, this, &stalled_micros);
  leader_waits_.store(false, std::memory_order_relaxed);
  RecordStall(stalled_micros);
  RETURN_IF_ERROR(status);
  // Much may have happened meanwhile.
  if (attention_.load(std::memory_order_acquire)) return EnsureRoom(options);
  return {};
}

Status CommitPipeline::EnsureRoom(const WriteOptions& options) {
  const PerfTimer timer(
      deps_.clock, &PerfContext::write_scheduling_flushes_compactions_time);
  DrainMemtableStage();
  attention_.store(false, std::memory_order_release);
  return deps_.host->EnsureRoom(options, last_group_bytes_);
}

uint64_t CommitPipeline::ServeQueue() {
  assert(waiting_leader_ != nullptr);
  // Memory may have been freed, or this database asked to free some. What
  // fails here for good is seen by Interrupted().
  if (NeedsRoom() && !EnsureRoom(*waiting_leader_->request->options).ok()) {
    RequestAttention();
  }
  uint64_t bytes = waiting_leader_->request->batch->GetDataSize();
  (void)log_queue_.LinkAll();
  for (QueueNode* node = waiting_leader_->newer; node != nullptr;) {
    QueueNode* const newer = node->newer;  // A node that left is gone.
    auto* const writer = static_cast<QueuedWriter*>(node);
    if (writer->request == nullptr) {
      if (log_queue_.Remove(node)) Lend(writer);
    } else if (writer->request->options->no_slowdown &&
               log_queue_.Remove(node)) {
      writer->status = Status::Incomplete("Write stall");
      writer->Answer(QueueNode::kDone);
    } else {
      bytes += writer->request->batch->GetDataSize();
    }
    node = newer;
  }
  return bytes;
}

// The stalled leader waits until the guard, which is out of the queue, goes.
void CommitPipeline::Lend(QueuedWriter* guard) {
  assert(guard->request == nullptr && guard->pending == nullptr);  // (6)
  Countdown loan;
  loan.Add();
  guard->pending = &loan;
  guard->Answer(QueueNode::kLeader);
  wait_policy_.AwaitZero(&loan);
}

bool CommitPipeline::CanJoin(const Group& group, const QueuedWriter& writer) {
  const CommitRequest* const request = writer.request;
  if (request == nullptr) return false;
  if (request->hooks != nullptr && !request->hooks->AllowGrouping())
    return false;
  const WriteOptions& leads = *group.first->request->options;
  const WriteOptions& joins = *request->options;
  // A sync member would make the others wait for its sync.
  return joins.disableWAL == leads.disableWAL && (!joins.sync || leads.sync) &&
         joins.rate_limiter_priority == leads.rate_limiter_priority;
}

void CommitPipeline::FormGroup(QueuedWriter* leader, Group* group) {
  const WriteOptions& options = *leader->request->options;
  group->first = group->last = leader;
  group->num_members = 1;
  group->sync = options.sync;
  group->unlogged = options.disableWAL;

  QueueNode* const newest = log_queue_.LinkAll();
  if (newest == leader) return;
  const CommitHooks* const hooks = leader->request->hooks;
  if (hooks != nullptr && !hooks->AllowGrouping()) return;

  uint64_t bytes = LoadOf(*leader);
  uint64_t bytes_max = options_.max_write_batch_group_size_bytes;
  const uint64_t small = bytes_max / kSmallLeaderShare;
  if (bytes <= small) bytes_max = bytes + small;
  while (group->last != newest) {
    auto* const writer = static_cast<QueuedWriter*>(group->last->newer);
    if (!CanJoin(*group, *writer)) return;
    bytes += LoadOf(*writer);
    if (bytes > bytes_max) return;
    group->last = writer;
    ++group->num_members;
  }
}

Status CommitPipeline::CheckOne(QueuedWriter* writer) {
  const CommitRequest& request = *writer->request;
  RETURN_IF_ERROR(CheckBatch(Rep(*writer), deps_.families,
                             request.options->ignore_missing_column_families,
                             &writer->shape));
  if (request.two_phase != nullptr) RETURN_IF_ERROR(CheckTwoPhase(writer));
  if (request.hooks == nullptr) return {};
  return request.hooks->CommitCheck(
      last_published_.load(std::memory_order_relaxed));
}

Status CommitPipeline::CheckTwoPhase(QueuedWriter* writer) {
  const TwoPhase& two_phase = *writer->request->two_phase;
  assert(two_phase.logged != nullptr);
  BatchShape* const shape = &writer->shape;
  if (two_phase.only_logged) shape->num_counted = 0;
  if (two_phase.prepared == nullptr) return {};
  BatchShape prepared;
  RETURN_IF_ERROR(CheckBatch(two_phase.prepared->Data(), deps_.families,
                             /*ignore_missing=*/true, &prepared));
  shape->num_counted += prepared.num_counted;
  shape->alone |= prepared.alone;
  return {};
}

// Checked here, and not by each writer before it queues, because families
// change only while no writer leads.
void CommitPipeline::CheckMembers(Group* group) {
  bool drained = false;
  group->ForEachLive([&](QueuedWriter* writer) {
    const CommitRequest& request = *writer->request;
    if (request.hooks != nullptr && request.hooks->ChecksCommits() &&
        !drained) {
      DrainMemtableStage();
      drained = true;
    }
    // Without a Status the members behind would wait for ever.
    writer->status = OrNoMemory([&] { return CheckOne(writer); });
    if (!writer->status.ok()) return;
    ++group->num_live;
    group->bytes += request.batch->GetDataSize();
    group->keys += writer->shape.num_counted;
    group->alone |= writer->shape.alone;
  });
  assert(group->num_live <= group->num_members);
  last_group_bytes_ = group->bytes;
}

// Refuses when the numbers are used up or have been set back. Always checked,
// once per group: a number that is given out twice hides data for ever.
void CommitPipeline::AssignSequences(Group* group) {
  SequenceNumber next = last_assigned_.load(std::memory_order_relaxed) + 1;
  group->first_sequence = next;
  const SequenceNumber published =
      last_published_.load(std::memory_order_relaxed);
  if (NEVER(next <= published || next + group->keys > kSequenceMax)) {
    group->refused = Status::Corruption(
        "the next sequence number is " + std::to_string(next),
        std::to_string(published) + " is published already");
    return;
  }
  group->ForEachLive([&next](QueuedWriter* writer) {
    writer->sequence = next;
    writer->request->sequence = next;
    WriteBatchInternal::SetSequence(writer->request->batch, next);
    if (const TwoPhase* const two_phase = writer->request->two_phase) {
      WriteBatchInternal::SetSequence(two_phase->logged, next);
    }
    next += writer->shape.num_counted;
  });
  assert(next - group->first_sequence == group->keys);  // (1)
  group->last_sequence = next - 1;
  last_assigned_.store(group->last_sequence, std::memory_order_relaxed);
}

Status CommitPipeline::AppendToWal(Group* group) {
  if (group->unlogged || group->num_live == 0) return {};
  parts_.clear();
  WalAppend append;
  if (group->num_live == 1) {
    group->ForEachLive([this](QueuedWriter* writer) {
      parts_.push_back(LoggedBytes(*writer));
    });
    append.total_bytes = parts_.front().size();
  } else {
    // One batch for all: their records behind a header of the group's own,
    // which counts prepared records, too.
    header_.clear();
    uint64_t count = 0;
    parts_.emplace_back();
    append.total_bytes = kBatchHeaderSize;
    group->ForEachLive([&](QueuedWriter* writer) {
      Slice records = LoggedBytes(*writer);
      count += DecodeFixed32(records.data() + kBatchCountOffset);
      records.remove_prefix(kBatchHeaderSize);
      append.total_bytes += records.size();
      parts_.push_back(records);
    });
    PutFixed64(&header_, group->first_sequence);
    PutFixed32(&header_, static_cast<uint32_t>(count));
    parts_.front() = header_;
  }
  append.parts = parts_.data();
  append.num_parts = parts_.size();
  append.first_sequence = group->first_sequence;
  append.sync = group->sync;
  append.options = group->first->request->options;
  const PerfTimer timer(deps_.clock, &PerfContext::write_wal_time);
  RETURN_IF_ERROR(deps_.host->AppendToWal(append));
  Bump(&counters_.wal_writes, 1);
  Bump(&counters_.wal_bytes, append.total_bytes);
  if (append.sync) Bump(&counters_.wal_syncs, 1);
  group->ForEachLive([](QueuedWriter* writer) {
    if (writer->request->hooks != nullptr) writer->request->hooks->Logged();
  });
  return {};
}

void CommitPipeline::ApplyOne(QueuedWriter* writer, bool concurrent) {
  assert(writer->sequence != 0);  // (3) It has passed its checks.
  const PerfTimer timer(deps_.clock, &PerfContext::write_memtable_time);
  ApplyOptions options;
  options.concurrent = concurrent;
  options.ignore_missing =
      writer->request->options->ignore_missing_column_families;
  const TwoPhase* const two_phase = writer->request->two_phase;
  if (two_phase != nullptr && two_phase->only_logged) return;
  writer->status = OrNoMemory([&] {
    RETURN_IF_ERROR(
        ApplyBatch(Rep(*writer), writer->sequence, deps_.families, options));
    return two_phase == nullptr || two_phase->prepared == nullptr
               ? Status()
               : ApplyPrepared(*writer, options);
  });
  // Part of the batch may be in a memtable, and must not reach a table.
  if (writer->status.IsMemoryLimit()) {
    writer->status = Status(writer->status, Status::Severity::kFatalError);
  }
}

Status CommitPipeline::ApplyPrepared(const QueuedWriter& writer,
                                     ApplyOptions options) {
  const TwoPhase& two_phase = *writer.request->two_phase;
  options.ignore_missing = true;
  options.prepared_in = two_phase.prepared_in;
  return ApplyBatch(two_phase.prepared->Data(),
                    writer.sequence + writer.request->batch->Count(),
                    deps_.families, options);
}

// Applies and publishes, group by group in order.
void CommitPipeline::ApplyToMemtables(Run* run) {
  size_t num_live = 0;
  bool alone = !options_.allow_concurrent_memtable_write;
  run->ForEachGroup([&](Group* group) {
    num_live += group->num_live;
    alone |= group->alone;
  });
  if (num_live == 0) return;
  const bool concurrent = num_live > 1 && !alone && Delegate(run);
  run->ForEachGroup([&](Group* group) {
    // A delegated member's status is its own until it is done.
    group->ForEachMember([&](QueuedWriter* writer) {
      if (!writer->delegated && writer->status.ok())
        ApplyOne(writer, concurrent);
    });
  });
  if (concurrent) wait_policy_.AwaitZero(&run->pending);
  assert(run->pending.IsZero());  // (2)
  run->ForEachGroup([this](Group* group) {
    ReportFailures(group);
    Publish(group);
  });
}

// Asks the writers that are awake to insert their own batches; false when none
// is.
bool CommitPipeline::Delegate(Run* run) {
  bool any = false;
  run->ForEachGroup([&](Group* group) {
    group->ForEachLive([&](QueuedWriter* writer) {
      if (writer == run->first->first) return;
      // A leader waits for the memtable stage, its members for their leader.
      QueueNode* const node =
          writer == group->first ? static_cast<QueueNode*>(group) : writer;
      writer->pending = &run->pending;
      writer->delegated = true;
      run->pending.Add();
      if (writer->shape.num_counted >= kWorthWakingRecords) {
        node->Answer(QueueNode::kApply);
      } else if (!node->AnswerIfAwake(QueueNode::kApply)) {
        writer->delegated = false;
        run->pending.TakeBack();
      }
      any |= writer->delegated;
    });
  });
  return any;
}

void CommitPipeline::ReportFailures(Group* group) {
  group->ForEachMember([this](QueuedWriter* writer) {
    // A sequence says that the member had passed its checks.
    if (!writer->status.ok() && writer->sequence != 0)
      deps_.host->OnCommitError(writer->status);
  });
}

void CommitPipeline::Publish(Group* group) {
  if (group->num_live == 0) return;
  group->ForEachLive([group](QueuedWriter* writer) {
    CommitHooks* const hooks = writer->request->hooks;
    if (hooks == nullptr) return;
    writer->status =
        OrNoMemory([&] { return hooks->PrePublish(group->last_sequence); });
  });
  const SequenceNumber before = last_published_.load(std::memory_order_relaxed);
  if (NEVER(group->last_sequence < before)) {
    const Status back = Status::Corruption(
        "sequence number " + std::to_string(group->last_sequence) +
            " is to be published",
        std::to_string(before) + " was before");
    Fail(group, back);
    deps_.host->OnCommitError(back);
    return;
  }
  assert(group->first_sequence == before + 1);  // (1)
  last_published_.store(group->last_sequence, std::memory_order_release);
  deps_.host->Publish(group->last_sequence, group->unlogged);
  Record(*group);
}

void CommitPipeline::Record(const Group& group) {
  Bump(&counters_.groups, 1);
  Bump(&counters_.writes, group.num_live);
  Bump(&counters_.keys, group.keys);
  Bump(&counters_.bytes, group.bytes);
  Statistics* const statistics = deps_.statistics;
  if (statistics == nullptr) return;
  statistics->recordTick(NUMBER_KEYS_WRITTEN, group.keys);
  statistics->recordTick(BYTES_WRITTEN, group.bytes);
  statistics->recordInHistogram(BYTES_PER_WRITE, group.bytes);
  statistics->recordTick(WRITE_DONE_BY_SELF, 1);
  if (group.num_live > 1)
    statistics->recordTick(WRITE_DONE_BY_OTHER, group.num_live - 1);
  if (group.unlogged) return;
  statistics->recordTick(WRITE_WITH_WAL, group.num_live);
  statistics->recordTick(WAL_FILE_BYTES, group.bytes);
}

void CommitPipeline::Fail(Group* group, const Status& status) {
  group->ForEachLive(
      [&status](QueuedWriter* writer) { writer->status = status; });
}

// Wakes all writers but this thread, the leader of the first group.
void CommitPipeline::Finish(Run* run) {
  run->ForEachGroup([run](Group* group) {
    assert(group == run->first || group->left_log);
    FinishMembers(group);
    if (group != run->first) group->Answer(QueueNode::kDone);
  });
}

void CommitPipeline::FinishMembers(Group* group) {
  if (group->first == group->last) return;
  QueueNode* node = group->first->newer;
  for (;;) {
    // An answered node is gone: its link is read before.
    QueueNode* const next = node->newer;
    const bool is_last = node == group->last;
    node->Answer(QueueNode::kDone);
    if (is_last) return;
    node = next;
  }
}

// While this thread holds the log stage no group can join behind: once it is an
// empty group's turn, the memtable stage is empty.
void CommitPipeline::DrainMemtableStage() {
  Group empty;
  empty.left_log.store(true, std::memory_order_relaxed);
  if (memtable_queue_.Join(&empty) ||
      wait_policy_.Await(&empty) == QueueNode::kLeader)
    memtable_queue_.Leave(&empty);
}

CommitPipeline::ExclusiveGuard::ExclusiveGuard(CommitPipeline* pipeline)
    : pipeline_(pipeline) {
  assert(!HoldsLock(LockRank::kState));
  if (!pipeline_->log_queue_.Join(&writer_))
    pipeline_->wait_policy_.Await(&writer_);
  pipeline_->DrainMemtableStage();
}

CommitPipeline::ExclusiveGuard::ExclusiveGuard(
    CommitPipeline* pipeline, std::try_to_lock_t /*try_to_lock*/)
    : pipeline_(pipeline), held_(pipeline->log_queue_.TryJoin(&writer_)) {
  if (held_) pipeline_->DrainMemtableStage();
}

CommitPipeline::ExclusiveGuard::~ExclusiveGuard() {
  if (!held_) return;
  if (writer_.pending != nullptr) {
    writer_.pending->Done();
  } else {
    pipeline_->log_queue_.Leave(&writer_);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
