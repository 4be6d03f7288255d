// CommitPipeline: takes write batches from many threads and makes them durable
// and visible, in one order.
//
// Place. Owned by the DB; DBImpl::Write calls Commit. Knows logs and column
// families only through CommitHost and FamilyResolver.
//
// Model. Writers first wait for their rate limit, if one is set (pacing, low
// priority). Then they queue; the nodes of the queue are on their own stacks.
// The first in the queue leads: it forms a group of those behind it and carries
// it through
//
//   Admit -> EnsureRoom -> FormGroup -> Check -> AssignSequences
//         -> AppendToWal (one append, synced if any member wants it)
//         -> ApplyToMemtables -> Publish -> wake the group, pass the lead on
//
//   log stage        | group 3 |                 one leader at a time
//   memtable stage   | groups 1, 2 |             in log order
//
// The log stage is passed on as soon as the group is in the memtable queue,
// whose leader applies all groups that wait.
// A member that is still awake when its group applies may insert its own
// batch; the leader inserts those of members that went to sleep, since waking
// one costs more than a small insertion.
//
// Invariants:
//   (1) Groups are logged, applied and published in queue order, and sequences
//       ascend in that order without gaps between groups.
//   (2) Nothing is published before it is logged and applied.
//   (3) A batch that fails its check or its CommitCheck takes no sequence and
//       reaches neither log nor memtable. One that is only logged takes none
//       either: the next batch begins with the same.
//   (4) An uncontended writer takes and leaves the lead of each stage with one
//       CAS each: no mutex, no condition variable, no allocation.
//   (5) While an ExclusiveGuard is in force no writer is in either stage.
//   (6) A guard never waits for a stall to end: a leader that is stalled has
//       done nothing yet, and lends the log stage to the guards behind it.
//
// Threads. Commit and ExclusiveGuard from any thread.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "db/memtable/memtable_apply.h"
#include "db/trace/query_tracer.h"
#include "db/write/write_admission.h"
#include "db/write/writer_queue.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {
class Statistics;
class SystemClock;
class WriteBatch;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

// What transactions, and programs, hang into a commit. All but Queued() are
// called by the leader, in commit order.
class CommitHooks {
 public:
  virtual ~CommitHooks() = default;
  // By the writer itself: its place in commit order is taken. Must not throw.
  virtual void Queued() {}
  // Before sequences are assigned: not OK fails this writer alone.
  virtual Status CommitCheck(SequenceNumber /*last_published*/) { return {}; }
  // True: CommitCheck() is to see all that was committed before its group.
  virtual bool ChecksCommits() const { return false; }
  // The log has the batch; the next group may go to another log.
  virtual void Logged() {}
  // After log and memtable, before the group becomes visible. `last` is the
  // newest sequence of the group: without grouping, of the batch.
  virtual Status PrePublish(SequenceNumber /*last*/) { return {}; }
  // False: the writer commits in a group of its own.
  virtual bool AllowGrouping() const { return true; }
};

// One half of a two-phase commit.
//
//              check    log             sequences, memtables
//   prepare    batch    logged          -
//   commit     batch    logged          batch, then prepared
//   rollback   -        logged          -
//
// In a log record that a group shares, the records of `logged` stand in the
// place of the batch's: readers find out where a section begins and ends.
struct TwoPhase {
  WriteBatch* logged = nullptr;  // Its header receives the sequence, too.
  bool only_logged = false;
  // What an earlier half has put into the log `prepared_in`. Families that are
  // gone are passed over.
  const WriteBatch* prepared = nullptr;
  const LogHold* prepared_in = nullptr;
};

struct CommitRequest {
  WriteBatch* batch = nullptr;  // Its header receives the sequence.
  const WriteOptions* options = nullptr;
  CommitHooks* hooks = nullptr;
  const TwoPhase* two_phase = nullptr;
  // Out: the sequence of the first record, when committed; 0: it was refused,
  // and the log has nothing of it.
  SequenceNumber sequence = 0;
};

struct WalAppend {
  const Slice* parts = nullptr;  // Together one log record: a write batch.
  size_t num_parts = 0;
  size_t total_bytes = 0;
  SequenceNumber first_sequence = 0;
  bool sync = false;
  WriteOptions const* options = nullptr;  // The leader's: rate_limiter_priority
};

// The owner's side of a commit. Only leaders call it, so calls never overlap,
// except that Publish runs concurrently with the log stage's calls.
class CommitHost {
 public:
  virtual ~CommitHost() = default;

  // Called when RequestAttention() was, with the log stage held and no group
  // in the memtable stage: switches full memtables and logs, waits for the
  // write buffer manager, reports a sticky error. Not OK fails the leading
  // writer; a condition that persists calls RequestAttention() again.
  virtual Status EnsureRoom(const WriteOptions& options,
                            uint64_t group_bytes) = 0;

  // Appends one record to the current log; with `sync` makes it and all older
  // live logs durable.
  virtual Status AppendToWal(const WalAppend& append) = 0;

  // Asked between the steps of a wait, by a stalled leader and by paced
  // writers (so by many threads); not OK ends it (shutdown, background error).
  virtual Status StallInterrupted() { return {}; }

  // Must EnsureRoom be called although RequestAttention was not? Asked by each
  // leader, and by a stalled one between its steps. A few relaxed loads.
  virtual bool NeedsRoom() const { return false; }

  // Everything up to `last` is readable. `unlogged`: some of it only lives in
  // memtables.
  virtual void Publish(SequenceNumber last, bool unlogged) = 0;

  // The append or sync failed, or an apply did after the append: the log and
  // memory may disagree. The host makes it sticky. Called before the group
  // learns of it.
  virtual void OnCommitError(const Status& status) = 0;
};

struct CommitPipelineOptions {
  uint64_t max_write_batch_group_size_bytes = 1 << 20;
  uint64_t write_thread_max_yield_usec = 100;
  uint64_t write_thread_slow_yield_usec = 3;
  bool enable_write_thread_adaptive_yield = true;
  bool allow_concurrent_memtable_write = true;

  static CommitPipelineOptions From(const DBOptions& options);
};

// A thread's place in the queue, with what its leader found out about it.
struct QueuedWriter : QueueNode {
  CommitRequest* request = nullptr;  // Null: wants to be exclusive.
  Status status;
  SequenceNumber sequence = 0;
  BatchShape shape;
  bool delegated = false;  // Inserts its own batch.
  // To be told then; a guard that was lent the log stage tells its lender.
  Countdown* pending = nullptr;
};

// Running totals; each is written by leaders only, but for stall_micros.
struct CommitCounters {
  std::atomic<uint64_t> groups{0};
  std::atomic<uint64_t> writes{0};  // Commit calls that succeeded.
  std::atomic<uint64_t> keys{0};
  std::atomic<uint64_t> bytes{0};  // Batch bytes.
  std::atomic<uint64_t> wal_writes{0};
  std::atomic<uint64_t> wal_bytes{0};
  std::atomic<uint64_t> wal_syncs{0};
  // Of all that waited: paced writers count each for itself, a stalled leader
  // for those behind it.
  std::atomic<uint64_t> stall_micros{0};
};

class CommitPipeline : private AdmissionWaiter {
 public:
  struct Deps {
    CommitHost* host = nullptr;
    FamilyResolver* families = nullptr;
    WriteAdmission* admission = nullptr;  // May be null: never waits.
    Statistics* statistics = nullptr;     // May be null.
    SystemClock* clock = nullptr;
    QueryTracer* tracer = nullptr;  // May be null: traces nothing.
  };

  CommitPipeline(const CommitPipelineOptions& options, const Deps& deps);
  ~CommitPipeline() override = default;
  CommitPipeline(const CommitPipeline&) = delete;
  CommitPipeline& operator=(const CommitPipeline&) = delete;

  // Returns once the batch is committed or has failed.
  Status Commit(CommitRequest* request);

  // The next leader calls host->EnsureRoom. Any thread, any time.
  void RequestAttention() { attention_.store(true, std::memory_order_release); }

  // Empties both stages and keeps writers out until the guard goes: for
  // memtable switches, column family changes, recovery's end. Do not hold the
  // DB mutex while entering; do not Commit inside. May come before writers
  // that were queued earlier and are stalled.
  class ExclusiveGuard {
   public:
    explicit ExclusiveGuard(CommitPipeline* pipeline);
    // Never waits for a leader: if there is one, the guard is not held.
    ExclusiveGuard(CommitPipeline* pipeline, std::try_to_lock_t try_to_lock);
    ~ExclusiveGuard();
    bool held() const { return held_; }
    ExclusiveGuard(const ExclusiveGuard&) = delete;
    ExclusiveGuard& operator=(const ExclusiveGuard&) = delete;

   private:
    CommitPipeline* const pipeline_;
    QueuedWriter writer_;
    bool held_ = true;
  };

  // The last sequence given out; moves ahead of what is published while groups
  // are under way. Set only at open, or inside an ExclusiveGuard (ingestion).
  SequenceNumber last_assigned() const {
    return last_assigned_.load(std::memory_order_relaxed);
  }
  void SetLastAssigned(SequenceNumber sequence) {
    last_assigned_.store(sequence, std::memory_order_relaxed);
    last_published_.store(sequence, std::memory_order_release);
  }

  const CommitCounters& counters() const { return counters_; }

  // Writers in the log queue, its leader included. REQUIRES: the leader stays.
  size_t NumQueuedForTest() const { return log_queue_.CountForTest(); }

 private:
  struct Group;
  struct Run;

  // AdmissionWaiter.
  uint64_t ServeQueue() override;
  Status Interrupted() override { return deps_.host->StallInterrupted(); }

  bool Traces(QueryTracer::Kind kind) const {
    return deps_.tracer != nullptr && deps_.tracer->Traces(kind);
  }
  // What each writer waits for by itself, before it queues.
  Status AwaitAdmission(const CommitRequest& request);
  void RecordStall(uint64_t micros);
  void Lend(QueuedWriter* guard);

  // The steps of the model; the leader's, but for the first and last.
  QueueNode::State AwaitTurn(QueueNode* node, QueuedWriter* writer);
  void Lead(QueuedWriter* leader);
  Status AdmitOrStop(QueuedWriter* leader);
  Status Admit(const WriteOptions& options, QueuedWriter* leader);
  Status EnsureRoom(const WriteOptions& options);
  bool NeedsRoom() const {
    return attention_.load(std::memory_order_acquire) ||
           deps_.host->NeedsRoom();
  }
  void FormGroup(QueuedWriter* leader, Group* group);
  static bool CanJoin(const Group& group, const QueuedWriter& writer);
  Status CheckOne(QueuedWriter* writer);
  Status CheckTwoPhase(QueuedWriter* writer);
  void CheckMembers(Group* group);
  void AssignSequences(Group* group);
  Status AppendToWal(Group* group);
  void ExtendRun(Run* run);
  void ApplyToMemtables(Run* run);
  static bool Delegate(Run* run);
  void ReportFailures(Group* group);
  void Publish(Group* group);
  static void Fail(Group* group, const Status& status);
  static void Finish(Run* run);
  static void FinishMembers(Group* group);
  void DrainMemtableStage();
  void Record(const Group& group);
  void ApplyOne(QueuedWriter* writer, bool concurrent);
  Status ApplyPrepared(const QueuedWriter& writer, ApplyOptions options);

  const CommitPipelineOptions options_;
  const Deps deps_;
  WaitPolicy wait_policy_;

  // Changed by every writer: on lines of their own.
  alignas(kCacheLineSize) WriterQueue log_queue_;
  alignas(kCacheLineSize) WriterQueue memtable_queue_;

  alignas(kCacheLineSize) std::atomic<bool> attention_{false};
  std::atomic<bool> leader_waits_{false};
  std::atomic<SequenceNumber> last_assigned_{0};
  std::atomic<SequenceNumber> last_published_{0};

  // Of the leader in the log stage.
  uint64_t last_group_bytes_ = 0;
  QueuedWriter* waiting_leader_ = nullptr;
  std::string header_;
  std::vector<Slice> parts_;

  CommitCounters counters_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
