#include "db/transaction/pessimistic_transaction.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <functional>
#include <new>
#include <utility>

#include "db/column_family/change_check.h"
#include "db/transaction/batch_target.h"
#include "db/transaction/pessimistic_db.h"
#include "db/write_batch/write_batch_internal.h"
#include "table/timestamps.h"
#include "util/no_memory.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr size_t kNameSizeMax = 512;

// Takes the snapshot of a commit. The commit succeeds without it, too.
class SnapshotHooks final : public CommitHooks {
 public:
  SnapshotHooks(PessimisticDB* db, TxnTimestamp time) : db_(db), time_(time) {}
  // The newest sequence of its group is the commit's.
  bool AllowGrouping() const override { return false; }
  Status PrePublish(SequenceNumber last) override {
    (void)OrNoMemory([&] {
      snapshot_ = db_->SnapshotOfCommit(time_, last);
      return Status::OK();
    });
    return Status::OK();
  }
  const std::shared_ptr<const Snapshot>& snapshot() const { return snapshot_; }

 private:
  PessimisticDB* const db_;
  const TxnTimestamp time_;
  std::shared_ptr<const Snapshot> snapshot_;
};

// Holds the log that gets the prepared section, before any other log begins.
class PrepareHooks final : public CommitHooks {
 public:
  PrepareHooks(DbState* db, LogHold* hold) : db_(db), hold_(hold) {}
  // The section is in the log: nothing fails here.
  void Logged() override {
    *hold_ = LogHold(db_->versions->log_holds(), db_->wals->current_number(),
                     std::move(spare_));
  }

 private:
  DbState* const db_;
  LogHold* const hold_;
  LogHolds::Spare spare_;
};

// Learns which log has the mark.
class RollbackHooks final : public CommitHooks {
 public:
  explicit RollbackHooks(DbState* db) : db_(db) {}
  void Logged() override { log_ = db_->wals->current_number(); }
  uint64_t log() const { return log_; }

 private:
  DbState* const db_;
  uint64_t log_ = 0;
};

Status AddRecord(const HeldRecord& record, WriteBatch* batch) {
  constexpr RecordKind kTimedPut{ValueType::kValuePreferredSeqno,
                                 ValueType::kColumnFamilyValuePreferredSeqno,
                                 kHasTimedPut};
  for (const RecordKind& kind :
       {kPutRecord, kMergeRecord, kDeleteRecord, kSingleDeleteRecord,
        kPutEntityRecord, kDeleteRangeRecord, kTimedPut}) {
    if (kind.plain != record.type) continue;
    const bool has_value = record.type != ValueType::kDeletion &&
                           record.type != ValueType::kSingleDeletion;
    return has_value ? WriteBatchInternal::Add(batch, kind, record.family,
                                               record.key, record.value)
                     : WriteBatchInternal::Add(batch, kind, record.family,
                                               record.key);
  }
  return Status::NotSupported("a prepared transaction has a record of type " +
                              std::to_string(static_cast<int>(record.type)));
}

// In a family with timestamps of this size; the smallest one is a place.
bool LacksTimestamp(const HeldRecord& record, size_t timestamp_size) {
  return timestamp_size > 0 &&
         TimestampOf(record.key, timestamp_size)
                 .ToString()
                 .find_first_not_of('\0') == std::string::npos;
}

}  // namespace

PessimisticTransaction::PessimisticTransaction(
    PessimisticDB* db, const WriteOptions& write_options,
    const TransactionOptions& options)
    : TransactionBase(db->impl(), write_options,
                      db->impl()->DefaultColumnFamily()->GetComparator()),
      owner_db_(db),
      times_(db->options().enable_udt_validation) {
  Begin(options);
}

PessimisticTransaction::~PessimisticTransaction() { Leave(); }

void PessimisticTransaction::Reuse(const WriteOptions& write_options,
                                   const TransactionOptions& options) {
  Leave();
  Restart(write_options);
  Begin(options);
}

void PessimisticTransaction::Begin(const TransactionOptions& options) {
  assert(tracked().size() == 0 && prepared_in_.log() == 0);
  const TransactionDBOptions& defaults = owner_db_->options();
  owner_.id = PessimisticDB::NewId();
  owner_.timeout_micros =
      MicrosOf(options.lock_timeout >= 0 ? options.lock_timeout
                                         : defaults.transaction_lock_timeout);
  owner_.detects_deadlocks = options.deadlock_detect;
  owner_.detection_depth = static_cast<uint64_t>(
      std::max<int64_t>(options.deadlock_detect_depth, 0));
  owner_.expires_at_micros = 0;
  times_.Reset();
  skips_locks_ = options.skip_concurrency_control;
  skips_prepare_ = options.skip_prepare;
  GetWriteBatch()->SetMaxBytes(options.max_write_batch_size);
  const int64_t lives_micros = MicrosOf(options.expiration);
  if (lives_micros >= 0) {
    owner_.expires_at_micros =
        owner_db_->NowMicros() + std::max<uint64_t>(lives_micros, 1);
    owner_db_->AddExpiring(this);
  }
  if (options.set_snapshot) SetSnapshot();
}

void PessimisticTransaction::SetLockTimeout(int64_t timeout) {
  owner_.timeout_micros = MicrosOf(timeout);
}

// No thread finds it any more when its locks go.
void PessimisticTransaction::Leave() {
  if (owner_.expires_at_micros != 0) owner_db_->RemoveExpiring(this);
  if (!name_.empty()) owner_db_->RemoveName(this);
  if (prepared_in_.log() != 0) owner_db_->KeepLog(std::move(prepared_in_));
  EndWork();
}

void PessimisticTransaction::EndWork() {
  for (const auto& [family, keys] : tracked().families()) {
    for (const auto& [key, tracked] : keys) OnUntracked(family, key);
  }
  Clear();
  prepared_.reset();
}

bool PessimisticTransaction::IsExpired() const {
  return owner_.expires_at_micros != 0 &&
         owner_db_->NowMicros() >= owner_.expires_at_micros;
}

bool PessimisticTransaction::GiveUpLocks() {
  TransactionState expected = STARTED;
  return txn_state_.compare_exchange_strong(expected, LOCKS_STOLEN) ||
         expected == LOCKS_STOLEN;
}

// ---- Keys.

Status PessimisticTransaction::Validate(uint32_t family, const std::string& key,
                                        const Snapshot& snapshot) const {
  DbState* const db = owner_db_->impl()->state();
  const FamilyPtr found = FindFamily(db, family);
  if (found == nullptr) return Status::OK();  // The write says so.
  return ChangeCheck(db, found.get(), ChangeCheck::Asks::kTablesToo)
      .Unchanged(key, snapshot.GetSequenceNumber());
}

Status PessimisticTransaction::ValidateTime(uint32_t family,
                                            const std::string& key) const {
  DbState* const db = owner_db_->impl()->state();
  const FamilyPtr found = FindFamily(db, family);
  if (found == nullptr) return Status::OK();  // The write says so.
  return ChangeCheck(db, found.get(), ChangeCheck::Asks::kTablesToo)
      .NoneNewerThan(key, times_.read_bytes());
}

Status PessimisticTransaction::CheckTimestamps(
    const ColumnFamilyHandle& family) const {
  return TransactionTimes::CheckSize(family);
}

Status PessimisticTransaction::CheckTimedRead(const ColumnFamilyHandle& family,
                                              const ReadOptions& options,
                                              bool do_validate) const {
  RETURN_IF_ERROR(TransactionTimes::CheckSize(family));
  return times_.CheckRead(options, do_validate);
}

const Slice* PessimisticTransaction::ReadTime() const {
  return times_.has_read() ? &times_.read_bytes() : nullptr;
}

Status PessimisticTransaction::CheckUse(const KeyUse& use,
                                        const TrackedKey* known) const {
  if (prepared_in_.log() != 0 && !use.read_only) {  // (4)
    return Status::InvalidArgument(
        "Transaction has already been prepared.",
        "commit or roll it back before it uses other keys");
  }
  if (use.assume_tracked && known == nullptr && !skips_locks_) {
    return Status::InvalidArgument(
        "assume_tracked is set but it is not tracked yet",
        "track the key before, with GetForUpdate() or a write");
  }
  return Status::OK();
}

Status PessimisticTransaction::TrackKey(uint32_t family, const std::string& key,
                                        const KeyUse& use) {
  const TrackedKey* const known = tracked().Find(family, key);
  RETURN_IF_ERROR(CheckUse(use, known));
  if (skips_locks_) return Status::OK();
  if (known == nullptr || (use.exclusive && !known->exclusive)) {
    const Status status =
        owner_db_->locks()->Lock(&owner_, family, key, use.exclusive);
    // Two that were prepared without locks may have the same key, and limits
    // may have been others.
    if (!status.ok()) return restoring_ ? Status::OK() : status;
  }
  Status status;
  try {
    status = NoteLocked(family, key, use, known);
  } catch (const std::bad_alloc&) {
    if (known == nullptr) OnUntracked(family, key);
    throw;
  }
  if (!status.ok() && known == nullptr) OnUntracked(family, key);
  return status;
}

Status PessimisticTransaction::NoteLocked(uint32_t family,
                                          const std::string& key,
                                          const KeyUse& use,
                                          const TrackedKey* known) {
  MakeSnapshotIfDue();
  SequenceNumber since = known != nullptr ? known->since : kSequenceMax;
  const Snapshot* const snapshot = GetSnapshot();
  if (use.validate && snapshot != nullptr &&
      since > snapshot->GetSequenceNumber()) {
    RETURN_IF_ERROR(Validate(family, key, *snapshot));
    since = snapshot->GetSequenceNumber();
  } else if (use.validate && known == nullptr) {
    since = db()->GetLatestSequenceNumber();
  }
  assert(!use.validate || snapshot == nullptr ||
         since <= snapshot->GetSequenceNumber());  // (2)
  const bool asks_time = use.validate && use.timed && times_.asks() &&
                         (known == nullptr || !known->time_is_checked);
  if (asks_time) RETURN_IF_ERROR(ValidateTime(family, key));
  Note(family, key, since, use);
  if (asks_time) NoteTimeChecked(family, key);  // (5): it is locked.
  return Status::OK();
}

void PessimisticTransaction::OnUntracked(uint32_t family,
                                         const std::string& key) {
  owner_db_->locks()->Unlock(owner_.id, family, key);
}

std::unique_ptr<ColumnFamilyHandle> PessimisticTransaction::HandleOf(
    uint32_t family) {
  return BatchTargetOf(owner_db_->impl()->state(), family);
}

// ---- Its end.

Status PessimisticTransaction::WhyNotStarted() const {
  switch (GetState()) {
    case LOCKS_STOLEN:
      return Status::Expired();
    case COMMITTED:
      return Status::InvalidArgument("Transaction has already been committed.");
    case ROLLEDBACK:
      return Status::InvalidArgument(
          "Transaction has already been rolledback.");
    default:
      return Status::InvalidArgument("Transaction is not in state for commit.");
  }
}

// From here on nothing takes its locks away.
bool PessimisticTransaction::LeaveStarted(TransactionState next) {
  TransactionState expected = STARTED;
  return txn_state_.compare_exchange_strong(expected, next);
}

// (3)
void PessimisticTransaction::End(TransactionState state) {
  SetState(state);
  prepared_in_.Release();
  if (!name_.empty()) owner_db_->RemoveName(this);
  EndWork();
}

Status PessimisticTransaction::Stamp(WriteBatch* batch, bool* stamped) const {
  TimestampSizeOf size_of(owner_db_->impl()->state());
  return times_.Stamp(std::ref(size_of), batch, stamped);
}

Status PessimisticTransaction::Commit(CommitHooks* hooks) {
  if (GetState() == PREPARED) return CommitPrepared(hooks);
  if (GetState() == STARTED && IsExpired()) return Status::Expired();
  if (GetState() == STARTED && !skips_prepare_) return Status::TxnNotPrepared();
  if (GetState() != STARTED) return WhyNotStarted();
  WriteBatch* const batch = GetWriteBatch()->GetWriteBatch();
  bool stamped = false;
  RETURN_IF_ERROR(Stamp(batch, &stamped));
  if (!LeaveStarted(AWAITING_COMMIT)) return WhyNotStarted();
  CommitRequest request;
  request.batch = batch;
  request.options = GetWriteOptions();
  request.hooks = hooks;
  Status status = owner_db_->impl()->Commit(&request);
  if (!status.ok()) {
    if (request.sequence != 0) return status;
    // It was refused, and may have another time later.
    if (stamped) WriteBatchInternal::MarkLacksTimestamp(batch);
    SetState(STARTED);
    return status;
  }
  End(COMMITTED);
  return Status::OK();
}

Status PessimisticTransaction::CommitAndTryCreateSnapshot(
    std::shared_ptr<TransactionNotifier> notifier, TxnTimestamp ts,
    std::shared_ptr<const Snapshot>* snapshot) {
  if (snapshot != nullptr) snapshot->reset();
  if (ts == kMaxTxnTimestamp) ts = times_.commit();
  if (ts == kMaxTxnTimestamp) {
    return Status::InvalidArgument("Commit timestamp is not set",
                                   "call SetCommitTimestamp() before");
  }
  if (times_.has_commit() && times_.commit() != ts) {
    return Status::InvalidArgument("Different commit ts specified");
  }
  const bool sets_time = !times_.has_commit();
  if (sets_time) RETURN_IF_ERROR(times_.SetCommit(ts));
  SnapshotHooks hooks(owner_db_, ts);
  Status status = Commit(&hooks);
  if (!status.ok()) {
    // It may be tried again, with another time.
    const bool refused = GetState() == STARTED || GetState() == PREPARED;
    if (sets_time && refused) times_.ForgetCommit();
    return status;
  }
  if (hooks.snapshot() == nullptr) return Status::OK();
  TakeSnapshot(hooks.snapshot());
  if (notifier != nullptr) notifier->SnapshotCreated(GetSnapshot());
  if (snapshot != nullptr) *snapshot = hooks.snapshot();
  return Status::OK();
}

Status PessimisticTransaction::Rollback() {
  switch (GetState()) {
    case STARTED:
      EndWork();
      return Status::OK();
    case PREPARED:
    case AWAITING_PREPARE:   // The log may have it.
    case AWAITING_ROLLBACK:  // Two marks are as good as one.
      return RollbackPrepared();
    case COMMITTED:
      return Status::InvalidArgument(
          "This transaction has already been committed.");
    default:
      return Status::InvalidArgument(
          "Two phase transaction is not in state for rollback.");
  }
}

// ---- Two phases.

// In the log, whatever the options say: the other half is there, too. If it is
// refused, the state is `before` again.
Status PessimisticTransaction::WriteHalf(WriteBatch* batch,
                                         const TwoPhase& two_phase,
                                         CommitHooks* hooks,
                                         TransactionState before) {
  WriteOptions options = *GetWriteOptions();
  options.disableWAL = false;
  CommitRequest request;
  request.batch = batch;
  request.options = &options;
  request.hooks = hooks;
  request.two_phase = &two_phase;
  Status status = owner_db_->impl()->Commit(&request);
  if (!status.ok() && request.sequence == 0) SetState(before);
  return status;
}

// The batch would be another than the log has.
Status PessimisticTransaction::RollbackToSavePoint() {
  if (prepared_in_.log() != 0) {  // (4)
    return Status::InvalidArgument("Transaction has already been prepared.");
  }
  return TransactionBase::RollbackToSavePoint();
}

Status PessimisticTransaction::Prepare() {
  if (name_.empty()) {
    return Status::InvalidArgument(
        "Cannot prepare a transaction that has not been named.",
        "call SetName() before");
  }
  if (GetState() == PREPARED) {
    return Status::InvalidArgument("Transaction has already been prepared.");
  }
  if (GetState() == STARTED && IsExpired()) return Status::Expired();
  WriteBatch* const batch = GetWriteBatch()->GetWriteBatch();
  TimestampSizeOf size_of(owner_db_->impl()->state());
  RETURN_IF_ERROR(TransactionTimes::CheckPlaces(std::ref(size_of), *batch));
  WriteBatch logged;
  WriteBatchInternal::AddMark(&logged, ValueType::kBeginPrepare);
  RETURN_IF_ERROR(WriteBatchInternal::Append(&logged, batch));
  WriteBatchInternal::AddMark(&logged, ValueType::kEndPrepare, name_);
  TwoPhase two_phase;
  two_phase.logged = &logged;
  two_phase.only_logged = true;
  PrepareHooks hooks(owner_db_->impl()->state(), &prepared_in_);
  // The program has a pointer to the other one.
  auto copy = std::make_unique<WriteBatch>(*batch);
  if (!LeaveStarted(AWAITING_PREPARE)) return WhyNotStarted();
  RETURN_IF_ERROR(WriteHalf(copy.get(), two_phase, &hooks, STARTED));
  prepared_ = std::move(copy);
  assert(prepared_in_.log() != 0);
  SetLogNumber(prepared_in_.log());
  SetState(PREPARED);
  return Status::OK();
}

Status PessimisticTransaction::CommitPrepared(CommitHooks* hooks) {
  assert(prepared_in_.log() != 0);  // (4)
  WriteBatch timed;
  if (times_.has_commit()) timed = *prepared_;
  WriteBatch* const inserted = times_.has_commit() ? &timed : prepared_.get();
  bool stamped = false;
  RETURN_IF_ERROR(Stamp(inserted, &stamped));
  WriteBatch* const more = GetCommitTimeWriteBatch();
  WriteBatch logged = *more;
  if (stamped) {
    WriteBatchInternal::AddMark(&logged, ValueType::kCommitWithTimestamp, name_,
                                times_.commit_bytes());
  } else {
    WriteBatchInternal::AddMark(&logged, ValueType::kCommit, name_);
  }
  TwoPhase two_phase;
  two_phase.logged = &logged;
  two_phase.prepared = inserted;
  two_phase.prepared_in = &prepared_in_;
  SetState(AWAITING_COMMIT);
  RETURN_IF_ERROR(WriteHalf(more, two_phase, hooks, PREPARED));
  End(COMMITTED);
  return Status::OK();
}

Status PessimisticTransaction::RollbackPrepared() {
  const TransactionState before = GetState();
  WriteBatch nothing;
  WriteBatch logged;
  WriteBatchInternal::AddMark(&logged, ValueType::kRollback, name_);
  TwoPhase two_phase;
  two_phase.logged = &logged;
  two_phase.only_logged = true;
  RollbackHooks hooks(owner_db_->impl()->state());
  LogHolds::Spare spare;
  SetState(AWAITING_ROLLBACK);
  RETURN_IF_ERROR(WriteHalf(&nothing, two_phase, &hooks, before));
  if (prepared_in_.log() != 0 && !GetWriteOptions()->sync) {
    prepared_in_.ReleaseWhenDurable(hooks.log(), std::move(spare));
  }
  End(ROLLEDBACK);
  return Status::OK();
}

Status PessimisticTransaction::Restore(const TransactionName& name,
                                       const UndecidedTransaction& found) {
  RETURN_IF_ERROR(SetName(name));
  assert(GetState() == STARTED && found.oldest_log != 0);
  prepared_ = std::make_unique<WriteBatch>();
  WriteBatch shown;
  DbState* const db = owner_db_->impl()->state();
  TimestampSizeOf size_of(db);
  for (const HeldRecord& record : found.records) {
    RETURN_IF_ERROR(AddRecord(record, prepared_.get()));
    const size_t size = size_of(record.family);
    if (LacksTimestamp(record, size)) {
      WriteBatchInternal::MarkLacksTimestamp(prepared_.get());
    }
    // What its own reads show, which know no range deletions.
    const bool is_shown = record.type != ValueType::kRangeDeletion &&
                          record.type != ValueType::kValuePreferredSeqno &&
                          (size == 0 || size == sizeof(TxnTimestamp)) &&
                          FindFamily(db, record.family) != nullptr;
    if (is_shown) RETURN_IF_ERROR(AddRecord(record, &shown));
  }
  restoring_ = true;
  owner_.timeout_micros = 0;
  RETURN_IF_ERROR(RebuildFromWriteBatch(&shown));
  restoring_ = false;
  prepared_in_ = LogHold(db->versions->log_holds(), found.oldest_log);
  SetLogNumber(found.oldest_log);
  SetState(PREPARED);
  return Status::OK();
}

Status PessimisticTransaction::SetName(const TransactionName& name) {
  if (GetState() != STARTED) {
    return Status::InvalidArgument("Transaction is beyond state for naming.");
  }
  if (!name_.empty()) {
    return Status::InvalidArgument("Transaction has already been named.");
  }
  if (name.empty() || name.size() > kNameSizeMax) {
    return Status::InvalidArgument(
        "Transaction name length must be between 1 and 512 chars.");
  }
  RETURN_IF_ERROR(owner_db_->AddName(name, this));
  name_ = name;
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
