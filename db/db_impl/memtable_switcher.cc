#include "db/db_impl/memtable_switcher.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/column_family/check_state.h"
#include "db/db_impl/wal_tracking.h"
#include "util/mutex_unlock.h"
#include "util/no_memory.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

MemTableInfo InfoOf(const ColumnFamily& family) {
  const MemTable& memtable = *family.mem();
  MemTableInfo info;
  info.cf_name = family.name();
  info.first_seqno = memtable.first_sequence();
  info.earliest_seqno = memtable.earliest_sequence();
  info.num_entries = memtable.num_entries();
  info.num_deletes = memtable.num_deletes();
  return info;
}

}  // namespace

Status MemTableSwitcher::EnsureRoom(const WriteOptions& /*options*/,
                                    uint64_t /*group_bytes*/) {
  std::vector<ViewRef> dropped;
  DbState& db = *deps_.db;
  // Looks at other databases: not under the mutex.
  const bool must_hold = deps_.buffer->MustHold();
  MutexLock lock(&db.mu);
  const bool closing = db.closing.load(std::memory_order_acquire);
  if (closing || db.errors.stopped()) {
    pipeline_->RequestAttention();
    deps_.buffer->Set(/*hold=*/false);
    return closing ? Status::ShutdownInProgress() : db.errors.error();
  }
  RETURN_IF_ERROR(SealFull(&dropped));
  RETURN_IF_ERROR(SealForWalSize(&dropped));
  RETURN_IF_ERROR(SealForBufferLimit(&dropped));
  deps_.buffer->Set(must_hold);
  wal_bytes_max_.store(MaxTotalWalBytes(), std::memory_order_relaxed);
  deps_.schedule();
  deps_.notify_stall_listeners();
  return Status::OK();
}

Status MemTableSwitcher::SealFull(std::vector<ViewRef>* dropped) {
  deps_.db->mu.AssertHeld();
  const std::vector<FamilyPtr> families = deps_.db->families->all();
  for (const FamilyPtr& family : families) {
    if (!family->mem()->ShouldFlush()) continue;
    RETURN_IF_ERROR(Seal(family.get(), FlushReason::kWriteBufferFull, dropped));
  }
  return Status::OK();
}

uint64_t MemTableSwitcher::MaxTotalWalBytes() const {
  deps_.db->mu.AssertHeld();
  const bool alone = deps_.db->families->all().size() == 1;
  // Its memtables bound the logs, and the flusher what survives of them.
  return alone ? UINT64_MAX : WalBytesMax(*deps_.db);
}

uint64_t MemTableSwitcher::OldestUnflushedLog() const {
  deps_.db->mu.AssertHeld();
  uint64_t oldest = UINT64_MAX;
  for (const FamilyPtr& family : deps_.db->families->all()) {
    if (family->mem()->empty() && family->imm().empty()) continue;
    oldest = std::min(oldest, family->versions()->unflushed_from());
  }
  return oldest;
}

Status MemTableSwitcher::SealForWalSize(std::vector<ViewRef>* dropped) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  if (db.wals->total_bytes() <= MaxTotalWalBytes()) return Status::OK();
  // A replayed log may hold nothing that is unflushed; the next flush frees it.
  const uint64_t unflushed = OldestUnflushedLog();
  if (unflushed == UINT64_MAX) return Status::OK();
  const uint64_t oldest = std::max(db.wals->oldest_number(), unflushed);
  if (oldest <= freed_log_.load(std::memory_order_relaxed)) return Status::OK();
  for (const FamilyPtr& family : db.families->all()) {
    if (family->versions()->unflushed_from() > oldest) continue;
    // Sealed memtables hold the log already. To seal another one, too, would
    // stop writers at max_write_buffer_number.
    if (family->imm().empty()) {
      RETURN_IF_ERROR(Seal(family.get(), FlushReason::kWalFull, dropped));
    }
    if (!family->imm().empty()) family->imm().RequestFlush();
  }
  freed_log_.store(oldest, std::memory_order_relaxed);
  return Status::OK();
}

Status MemTableSwitcher::SealForBufferLimit(std::vector<ViewRef>* dropped) {
  deps_.db->mu.AssertHeld();
  if (!deps_.buffer->TakeSealRequest()) return Status::OK();
  FamilyPtr largest;
  for (const FamilyPtr& family : deps_.db->families->all()) {
    if (family->mem()->empty()) continue;
    if (largest == nullptr ||
        family->mem()->AllocatedBytes() > largest->mem()->AllocatedBytes()) {
      largest = family;
    }
  }
  if (largest == nullptr) return Status::OK();
  RETURN_IF_ERROR(
      Seal(largest.get(), FlushReason::kWriteBufferManager, dropped));
  largest->imm().RequestFlush();
  return Status::OK();
}

// This thread must not wait for a leader, who may be waiting for a flush.
void MemTableSwitcher::SealForOthers() {
  DbState& db = *deps_.db;
  db.mu.AssertHeld();
  if (!deps_.buffer->wants_job()) return;
  deps_.buffer->LeaveToLeader();
  const MutexUnlock unlock(&db.mu);
  SealUnlessLed();
}

void MemTableSwitcher::SealUnlessLed() {
  DbState& db = *deps_.db;
  std::vector<ViewRef> dropped;  // Let go without the mutex.
  const CommitPipeline::ExclusiveGuard guard(pipeline_, std::try_to_lock);
  if (!guard.held()) return;
  MutexLock lock(&db.mu);
  if (db.closing || db.errors.stopped()) return;
  // What fails is in the error state, and asked for again if need be.
  (void)SealForBufferLimit(&dropped);
}

// REQUIRES: the mutex; it is released while the file is made.
Status MemTableSwitcher::StartLogIfUsed() {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  if (db.wals->current_is_empty()) return Status::OK();
  const uint64_t number = db.versions->NewFileNumber();
  Status status;
  {
    const MutexUnlock unlock(&db.mu);
    status = OrNoMemory([&] { return db.wals->Start(number); });
  }
  if (!status.ok()) {
    deps_.on_error(status, BackgroundErrorReason::kMemTable);
  }
  return status;
}

Status MemTableSwitcher::Seal(ColumnFamily* family, FlushReason reason,
                              std::vector<ViewRef>* dropped) {
  deps_.db->mu.AssertHeld();
  if (family->mem()->empty()) return Status::OK();
  DbState& db = *deps_.db;
  RETURN_IF_ERROR(StartLogIfUsed());
  // From here on the mutex stays held until the whole cut is made.
  std::vector<Sealing> cut;
  std::vector<MemTableInfo> sealed;
  RETURN_IF_ERROR(OrNoMemory([&] {
    kStateLock.AssertHeld();
    return PlanCut(family, dropped, &cut, &sealed);
  }));
  ++cuts_;
  for (Sealing& each : cut) SealOne(&each, reason, dropped, &sealed);
  CheckState(db);
  if (db.FlushesTogether()) {
    for (const FamilyPtr& each : db.families->all()) {
      if (!each->imm().empty()) each->imm().RequestFlush();
    }
  }
  if (db.events->has_listeners()) {
    const MutexUnlock unlock(&db.mu);
    for (const MemTableInfo& info : sealed) db.events->MemTableSealed(info);
  }
  return Status::OK();
}

// Asks for the memory before anything changes: a cut is made whole or not.
Status MemTableSwitcher::PlanCut(ColumnFamily* family,
                                 std::vector<ViewRef>* dropped,
                                 std::vector<Sealing>* cut,
                                 std::vector<MemTableInfo>* sealed) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  const bool all = db.FlushesTogether();
  for (const FamilyPtr& each : db.families->all()) {
    if ((!all && each.get() != family) || each->mem()->empty()) continue;
    cut->push_back(
        {each.get(), each->NewMemTable(db.versions->last_sequence())});
  }
  sealed->reserve(cut->size());
  dropped->reserve(dropped->size() + cut->size());
  return Status::OK();
}

void MemTableSwitcher::SealOne(Sealing* sealing, FlushReason reason,
                               std::vector<ViewRef>* dropped,
                               std::vector<MemTableInfo>* sealed) {
  deps_.db->mu.AssertHeld();  // column_family.h (1)
  ColumnFamily* const family = sealing->family;
  DbState& db = *deps_.db;
  const uint64_t log_number = db.wals->current_number();
  assert(cuts_ > 0);  // The cut that this memtable ends at.
  // The log that its successor writes to begins behind all that it needed.
  assert(family->versions()->log_number() <= log_number);  // flush_job.h (3)
  sealed->push_back(InfoOf(*family));
  family->SwitchMemTable(std::move(sealing->successor), log_number, cuts_);
  family->flush_reason = reason;
  // Families without unflushed data need none of the older logs. Their tables
  // must not seem to be ahead of a log that a power failure can still take.
  for (const FamilyPtr& other : db.families->all()) {
    if (other->mem()->empty() && other->imm().empty()) {
      other->versions()->SetUnflushedFrom(log_number);
    }
  }
  dropped->push_back(family->PublishView());
  deps_.stalls->Recalculate(family);
}

Status MemTableSwitcher::AppendToWal(const WalAppend& append) {
  WalSet& wals = *deps_.db->wals;
  assert(append.num_parts > 0);
  RETURN_IF_ERROR(wals.Append({append.parts, append.num_parts}, append.sync,
                              append.options->rate_limiter_priority));
  if (append.sync) TrackSyncedLogs(deps_.db);
  if (wals.total_bytes() > wal_bytes_max_.load(std::memory_order_relaxed) &&
      wals.oldest_number() > freed_log_.load(std::memory_order_relaxed)) {
    pipeline_->RequestAttention();
  }
  return Status::OK();
}

// A stalled leader must not wait for a job that an error keeps from running:
// all other writers queue behind it.
Status MemTableSwitcher::StallInterrupted() {
  DbState& db = *deps_.db;
  if (db.closing.load(std::memory_order_acquire)) {
    return Status::ShutdownInProgress();
  }
  // Paced writers ask often, and many at once: not under the mutex.
  if (!db.errors.stopped() && !db.controller.IsStopped()) return Status::OK();
  MutexLock lock(&db.mu);
  const bool hopeless = db.errors.stopped() || db.controller.IsStopped();
  return hopeless ? db.errors.error() : Status::OK();
}

void MemTableSwitcher::Publish(SequenceNumber last, bool unlogged) {
  // Before it can be read.
  if (unlogged &&
      !deps_.db->has_unlogged_data.load(std::memory_order_relaxed)) {
    deps_.db->has_unlogged_data.store(true, std::memory_order_release);
  }
  assert(last >= deps_.db->versions->last_sequence());
  deps_.db->versions->SetLastSequence(last);
}

void MemTableSwitcher::OnCommitError(const Status& status) {
  pipeline_->RequestAttention();
  MutexLock lock(&deps_.db->mu);
  deps_.on_error(status, BackgroundErrorReason::kWriteCallback);
}

}  // namespace ROCKSDB_NAMESPACE::engine
