#include "db/transaction/pessimistic_db.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <set>

#include "db/transaction/batch_target.h"
#include "db/transaction/keep_history.h"
#include "db/transaction/pessimistic_transaction.h"
#include "db/write_batch/batch_format.h"
#include "rocksdb/comparator.h"
#include "rocksdb/env.h"
#include "rocksdb/snapshot.h"
#include "table/timestamps.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// The locks of one write.
class PessimisticDB::WriteLocks {
 public:
  explicit WriteLocks(PessimisticDB* db) : locks_(db->locks()) {
    owner_.id = NewId();
    owner_.timeout_micros = MicrosOf(db->options().default_lock_timeout);
  }
  ~WriteLocks() {
    for (const auto& [family, key] : held_) {
      locks_->Unlock(owner_.id, family, key);
    }
  }
  WriteLocks(const WriteLocks&) = delete;
  WriteLocks& operator=(const WriteLocks&) = delete;

  Status Take(uint32_t family, const std::string& key) {
    held_.emplace_back(family, key);  // First: it may lack memory.
    Status status = locks_->Lock(&owner_, family, key, /*exclusive=*/true);
    if (!status.ok()) held_.pop_back();
    return status;
  }

 private:
  PointLocks* const locks_;
  LockOwner owner_;
  std::vector<std::pair<uint32_t, std::string>> held_;
};

// A snapshot with a time of the program's.
class TimedSnapshot final : public Snapshot {
 public:
  TimedSnapshot(std::shared_ptr<const Snapshot> held, TxnTimestamp time)
      : held_(std::move(held)), time_(time) {}
  ~TimedSnapshot() override = default;
  TimedSnapshot(const TimedSnapshot&) = delete;
  TimedSnapshot& operator=(const TimedSnapshot&) = delete;

  SequenceNumber GetSequenceNumber() const override {
    return held_->GetSequenceNumber();
  }
  int64_t GetUnixTime() const override { return held_->GetUnixTime(); }
  uint64_t GetTimestamp() const override { return time_; }

 private:
  const std::shared_ptr<const Snapshot> held_;
  const TxnTimestamp time_;
};

TransactionID PessimisticDB::NewId() {
  static std::atomic<TransactionID> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

PessimisticDB::PessimisticDB(DB* db, const TransactionDBOptions& options)
    : TransactionDB(db),
      options_(options),
      impl_(dynamic_cast<DBImpl*>(db->GetRootDB())),
      clock_(db->GetEnv()->GetSystemClock().get()),
      locks_(options, {clock_, [this](TransactionID id) {
                         MutexLock lock(&mu_);
                         const auto found = expiring_.find(id);
                         return found == expiring_.end() ||
                                found->second->GiveUpLocks();
                       }}) {
  assert(impl_ != nullptr);
}

PessimisticDB::~PessimisticDB() {
  std::vector<PessimisticTransaction*> left;
  {
    MutexLock lock(&mu_);
    for (const auto& [name, txn] : names_) left.push_back(txn);
    snapshots_.clear();
  }
  for (PessimisticTransaction* const txn : left) delete txn;
  // Closing may flush. What is undecided is held until then.
  if (shared_db_ptr_ == nullptr) delete std::exchange(db_, nullptr);
}

Status PessimisticDB::Close() {
  ReleaseTimestampedSnapshotsOlderThan(kMaxTxnTimestamp);
  return db_->Close();
}

// ---- Which transactions there are.

Status PessimisticDB::AddName(const TransactionName& name,
                              PessimisticTransaction* txn) {
  MutexLock lock(&mu_);
  // KeepLog() is called where nothing may fail.
  kept_logs_.reserve(kept_logs_.size() + names_.size() + 1);
  if (names_.emplace(name, txn).second) return Status::OK();
  return Status::InvalidArgument("Transaction name must be unique.", name);
}

void PessimisticDB::RemoveName(PessimisticTransaction* txn) {
  MutexLock lock(&mu_);
  const auto found = names_.find(txn->GetName());
  // Another one may have got the name since this one ended.
  if (found != names_.end() && found->second == txn) names_.erase(found);
}

void PessimisticDB::KeepLog(LogHold log) {
  MutexLock lock(&mu_);
  kept_logs_.push_back(std::move(log));
}

Status PessimisticDB::RestorePrepared() {
  DbState* const db = impl_->state();
  UndecidedTransactions found;
  {
    MutexLock lock(&db->mu);
    found = db->undecided;
  }
  for (const auto& [name, undecided] : found) {
    auto txn = std::make_unique<PessimisticTransaction>(this, WriteOptions(),
                                                        TransactionOptions());
    const Status status = txn->Restore(name, undecided);
    if (!status.ok()) {
      return Status::NotSupported("prepared transaction '" + name + "'",
                                  status.ToString());
    }
    // NOLINTNEXTLINE(bugprone-unused-return-value): names_ has it.
    (void)txn.release();
  }
  LogHold log;
  MutexLock lock(&db->mu);
  db->undecided.clear();
  // Where damage may hide others, their logs stay.
  if (!db->undecided_logs_are_damaged) log = std::move(db->undecided_log);
  return Status::OK();
}

void PessimisticDB::AddExpiring(PessimisticTransaction* txn) {
  MutexLock lock(&mu_);
  expiring_.emplace(txn->GetID(), txn);
}

void PessimisticDB::RemoveExpiring(PessimisticTransaction* txn) {
  MutexLock lock(&mu_);
  assert(expiring_.contains(txn->GetID()));
  expiring_.erase(txn->GetID());
}

Transaction* PessimisticDB::BeginTransaction(
    const WriteOptions& write_options, const TransactionOptions& txn_options,
    Transaction* old_txn) {
  if (old_txn == nullptr) {
    return new PessimisticTransaction(this, write_options, txn_options);
  }
  static_cast<PessimisticTransaction*>(old_txn)->Reuse(write_options,
                                                       txn_options);
  return old_txn;
}

Transaction* PessimisticDB::GetTransactionByName(const TransactionName& name) {
  MutexLock lock(&mu_);
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : found->second;
}

void PessimisticDB::GetAllPreparedTransactions(
    std::vector<Transaction*>* trans) {
  trans->clear();
  MutexLock lock(&mu_);
  for (const auto& [name, txn] : names_) {
    if (txn->GetState() == Transaction::PREPARED) trans->push_back(txn);
  }
}

// ---- Snapshots with a time.

std::pair<Status, std::shared_ptr<const Snapshot>>
PessimisticDB::CreateTimestampedSnapshot(TxnTimestamp ts) {
  if (ts == kMaxTxnTimestamp) {
    return {Status::InvalidArgument("a timestamp is needed"), nullptr};
  }
  MutexLock lock(&mu_);
  if (!snapshots_.empty() && snapshots_.rbegin()->first >= ts) {
    const auto& [newest, snapshot] = *snapshots_.rbegin();
    if (newest == ts) return {Status::OK(), snapshot};
    return {Status::InvalidArgument(
                "timestamp " + std::to_string(ts),
                "there is a snapshot of " + std::to_string(newest)),
            nullptr};
  }
  ManagedSnapshot visible(db_);
  const Snapshot* held = visible.snapshot();
  // A commit that is not visible yet may have taken one of an earlier time.
  if (held != nullptr) {
    held = NewSnapshotAt(
        std::max(held->GetSequenceNumber(), newest_snapshot_sequence_));
  }
  std::shared_ptr<const Snapshot> made = KeepSnapshot(held, ts);
  if (made == nullptr) {
    return {Status::NotSupported("CreateTimestampedSnapshot",
                                 "a column family takes no snapshots"),
            nullptr};
  }
  return {Status::OK(), std::move(made)};
}

std::shared_ptr<const Snapshot> PessimisticDB::SnapshotOfCommit(
    TxnTimestamp time, SequenceNumber last) {
  MutexLock lock(&mu_);
  if (!snapshots_.empty() && snapshots_.rbegin()->first >= time) return nullptr;
  return KeepSnapshot(NewSnapshotAt(last), time);
}

// Neither beside a writer nor beside another snapshot are tables installed at
// sequence zero.
const Snapshot* PessimisticDB::NewSnapshotAt(SequenceNumber sequence) {
  DbState* const db = impl_->state();
  int64_t now_secs = 0;
  (void)clock_->GetCurrentTime(&now_secs);
  MutexLock lock(&db->mu);
  assert(db->installs_at_sequence_zero == 0);
  if (!db->families->TakesSnapshots()) return nullptr;
  return db->snapshots.New(sequence, now_secs);
}

std::shared_ptr<const Snapshot> PessimisticDB::KeepSnapshot(
    const Snapshot* held, TxnTimestamp time) {
  if (held == nullptr) return nullptr;
  std::shared_ptr<const Snapshot> owned(
      held,
      [db = db_](const Snapshot* snapshot) { db->ReleaseSnapshot(snapshot); });
  auto made = std::make_shared<const TimedSnapshot>(std::move(owned), time);
  snapshots_.emplace(time, made);
  newest_snapshot_sequence_ =
      std::max(newest_snapshot_sequence_, made->GetSequenceNumber());
  return made;
}

std::shared_ptr<const Snapshot> PessimisticDB::GetTimestampedSnapshot(
    TxnTimestamp ts) const {
  MutexLock lock(&mu_);
  if (ts == kMaxTxnTimestamp) {
    return snapshots_.empty() ? nullptr : snapshots_.rbegin()->second;
  }
  const auto found = snapshots_.find(ts);
  return found == snapshots_.end() ? nullptr : found->second;
}

void PessimisticDB::ReleaseTimestampedSnapshotsOlderThan(TxnTimestamp ts) {
  // Released without the lock.
  std::map<TxnTimestamp, std::shared_ptr<const Snapshot>> older;
  MutexLock lock(&mu_);
  while (!snapshots_.empty() && snapshots_.begin()->first < ts) {
    older.insert(snapshots_.extract(snapshots_.begin()));
  }
}

Status PessimisticDB::GetTimestampedSnapshots(
    TxnTimestamp ts_lb, TxnTimestamp ts_ub,
    std::vector<std::shared_ptr<const Snapshot>>& timestamped_snapshots) const {
  if (ts_lb >= ts_ub) {
    return Status::InvalidArgument("the lower bound is not below the upper");
  }
  MutexLock lock(&mu_);
  const auto end = snapshots_.lower_bound(ts_ub);
  for (auto it = snapshots_.lower_bound(ts_lb); it != end; ++it) {
    timestamped_snapshots.push_back(it->second);
  }
  return Status::OK();
}

// ---- Families.

void PessimisticDB::AddFamily(const ColumnFamilyHandle& family) {
  locks_.AddFamily(family.GetID());
  if (family.GetComparator()->timestamp_size() > 0) any_timestamps_ = true;
}

Status PessimisticDB::CreateColumnFamily(const ColumnFamilyOptions& options,
                                         const std::string& column_family_name,
                                         ColumnFamilyHandle** handle) {
  *handle = nullptr;
  ColumnFamilyOptions own = options;
  KeepHistory(&own);
  Status status = db_->CreateColumnFamily(own, column_family_name, handle);
  // Made, even where its options could not be written.
  if (*handle != nullptr) AddFamily(**handle);
  return status;
}

Status PessimisticDB::CreateColumnFamilyWithImport(
    const ColumnFamilyOptions& options, const std::string& column_family_name,
    const ImportColumnFamilyOptions& import_options,
    const std::vector<const ExportImportFilesMetaData*>& metadatas,
    ColumnFamilyHandle** handle) {
  *handle = nullptr;
  ColumnFamilyOptions own = options;
  KeepHistory(&own);
  Status status = db_->CreateColumnFamilyWithImport(
      own, column_family_name, import_options, metadatas, handle);
  if (*handle != nullptr) AddFamily(**handle);
  return status;
}

Status PessimisticDB::DropColumnFamily(ColumnFamilyHandle* column_family) {
  RETURN_IF_ERROR(db_->DropColumnFamily(column_family));
  locks_.RemoveFamily(column_family->GetID());
  return Status::OK();
}

// ---- Writes of no transaction.

template <typename Work>
Status PessimisticDB::WithLock(ColumnFamilyHandle* family, const Slice& key,
                               const Work& work) {
  if (options_.skip_concurrency_control) return work();
  WriteLocks locks(this);
  RETURN_IF_ERROR(locks.Take(family->GetID(), key.ToString()));
  return work();
}

Status PessimisticDB::Put(const WriteOptions& options,
                          ColumnFamilyHandle* column_family, const Slice& key,
                          const Slice& value) {
  return WithLock(column_family, key,
                  [&] { return db_->Put(options, column_family, key, value); });
}

Status PessimisticDB::PutEntity(const WriteOptions& options,
                                ColumnFamilyHandle* column_family,
                                const Slice& key, const WideColumns& columns) {
  return WithLock(column_family, key, [&] {
    return db_->PutEntity(options, column_family, key, columns);
  });
}

Status PessimisticDB::Delete(const WriteOptions& options,
                             ColumnFamilyHandle* column_family,
                             const Slice& key) {
  return WithLock(column_family, key,
                  [&] { return db_->Delete(options, column_family, key); });
}

Status PessimisticDB::SingleDelete(const WriteOptions& options,
                                   ColumnFamilyHandle* column_family,
                                   const Slice& key) {
  return WithLock(column_family, key, [&] {
    return db_->SingleDelete(options, column_family, key);
  });
}

Status PessimisticDB::Merge(const WriteOptions& options,
                            ColumnFamilyHandle* column_family, const Slice& key,
                            const Slice& value) {
  return WithLock(column_family, key, [&] {
    return db_->Merge(options, column_family, key, value);
  });
}

Status PessimisticDB::Put(const WriteOptions& options,
                          ColumnFamilyHandle* column_family, const Slice& key,
                          const Slice& ts, const Slice& value) {
  return WithLock(column_family, key, [&] {
    return db_->Put(options, column_family, key, ts, value);
  });
}

Status PessimisticDB::Delete(const WriteOptions& options,
                             ColumnFamilyHandle* column_family,
                             const Slice& key, const Slice& ts) {
  return WithLock(column_family, key,
                  [&] { return db_->Delete(options, column_family, key, ts); });
}

Status PessimisticDB::SingleDelete(const WriteOptions& options,
                                   ColumnFamilyHandle* column_family,
                                   const Slice& key, const Slice& ts) {
  return WithLock(column_family, key, [&] {
    return db_->SingleDelete(options, column_family, key, ts);
  });
}

Status PessimisticDB::Merge(const WriteOptions& options,
                            ColumnFamilyHandle* column_family, const Slice& key,
                            const Slice& ts, const Slice& value) {
  return WithLock(column_family, key, [&] {
    return db_->Merge(options, column_family, key, ts, value);
  });
}

Status PessimisticDB::DeleteRange(const WriteOptions& options,
                                  ColumnFamilyHandle* column_family,
                                  const Slice& begin_key, const Slice& end_key,
                                  const Slice& /*ts*/) {
  return DeleteRange(options, column_family, begin_key, end_key);
}

Status PessimisticDB::Write(const WriteOptions& options, WriteBatch* updates) {
  return Write(options, TransactionDBWriteOptimizations(), updates);
}

// Locks are taken in one order, so that writes do not wait for each other in a
// circle.
Status PessimisticDB::Write(
    const WriteOptions& options,
    const TransactionDBWriteOptimizations& optimizations, WriteBatch* updates) {
  if (updates == nullptr || options_.skip_concurrency_control ||
      optimizations.skip_concurrency_control) {
    return db_->Write(options, updates);
  }
  TimestampSizeOf size_of(impl_->state());
  std::set<std::pair<uint32_t, std::string>> keys;  // Without timestamps.
  bool has_ranges = false;
  RETURN_IF_ERROR(
      ForEachRecord(updates->Data(), [&](const BatchRecord& record) {
        has_ranges |= record.type == ValueType::kRangeDeletion;
        if (!IsCounted(record.type)) return true;
        const size_t size = any_timestamps_ ? size_of(record.family) : 0;
        keys.emplace(record.family,
                     StripTimestamp(record.key, size).ToString());
        return true;
      }));
  if (has_ranges) {
    return Status::InvalidArgument(
        "DeleteRange in a batch for a TransactionDB",
        "no lock covers it; write it with skip_concurrency_control");
  }
  WriteLocks locks(this);
  for (const auto& [family, key] : keys) {
    RETURN_IF_ERROR(locks.Take(family, key));
  }
  return db_->Write(options, updates);
}

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

using engine::PessimisticDB;

namespace {

Status CheckOptions(const TransactionDBOptions& options) {
  const auto policy =
      static_cast<int>(options.write_policy);  // C may give any.
  if (policy < WRITE_COMMITTED || policy > WRITE_UNPREPARED) {
    return Status::InvalidArgument(
        "TransactionDBOptions::write_policy: expected 0 to 2",
        "found " + std::to_string(policy));
  }
  if (options.lock_mgr_handle != nullptr) {
    return Status::NotSupported("TransactionDBOptions::lock_mgr_handle");
  }
  if (!options.secondary_indices.empty()) {
    return Status::NotSupported("TransactionDBOptions::secondary_indices");
  }
  return Status::OK();
}

Status Wrap(DB* db, const TransactionDBOptions& options,
            const std::vector<ColumnFamilyHandle*>& handles,
            TransactionDB** dbptr) {
  RETURN_IF_ERROR(CheckOptions(options));
  auto made = std::make_unique<PessimisticDB>(db, options);
  for (const ColumnFamilyHandle* handle : handles) {
    made->AddFamily(*handle);
  }
  made->AddFamily(*db->DefaultColumnFamily());
  Status status = made->RestorePrepared();
  if (status.ok()) {
    *dbptr = made.release();
  } else {
    made->ReleaseBase();
  }
  return status;
}

}  // namespace

void TransactionDB::PrepareWrap(
    DBOptions* db_options, std::vector<ColumnFamilyDescriptor>* column_families,
    std::vector<size_t>* compaction_enabled_cf_indices) {
  compaction_enabled_cf_indices->clear();
  for (ColumnFamilyDescriptor& family : *column_families) {
    engine::KeepHistory(&family.options);
  }
  db_options->allow_2pc = true;
}

Status TransactionDB::WrapDB(
    DB* db, const TransactionDBOptions& txn_db_options,
    const std::vector<size_t>& /*compaction_enabled_cf_indices*/,
    const std::vector<ColumnFamilyHandle*>& handles, TransactionDB** dbptr) {
  *dbptr = nullptr;
  return Wrap(db, txn_db_options, handles, dbptr);
}

Status TransactionDB::WrapStackableDB(
    StackableDB* db, const TransactionDBOptions& txn_db_options,
    const std::vector<size_t>& compaction_enabled_cf_indices,
    const std::vector<ColumnFamilyHandle*>& handles, TransactionDB** dbptr) {
  return WrapDB(db, txn_db_options, compaction_enabled_cf_indices, handles,
                dbptr);
}

Status TransactionDB::Open(const Options& options,
                           const TransactionDBOptions& txn_db_options,
                           const std::string& dbname, TransactionDB** dbptr) {
  std::vector<ColumnFamilyHandle*> handles;
  RETURN_IF_ERROR(
      Open(DBOptions(options), txn_db_options, dbname,
           {{kDefaultColumnFamilyName, ColumnFamilyOptions(options)}}, &handles,
           dbptr));
  // The database keeps one of its own.
  return (*dbptr)->DestroyColumnFamilyHandle(handles.front());
}

Status TransactionDB::Open(
    const DBOptions& db_options, const TransactionDBOptions& txn_db_options,
    const std::string& dbname,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, TransactionDB** dbptr) {
  *dbptr = nullptr;
  RETURN_IF_ERROR(CheckOptions(txn_db_options));
  DBOptions own = db_options;
  std::vector<ColumnFamilyDescriptor> families = column_families;
  std::vector<size_t> ignored;
  PrepareWrap(&own, &families, &ignored);
  std::unique_ptr<DB> db;
  RETURN_IF_ERROR(DB::Open(own, dbname, families, handles, &db));
  Status status = Wrap(db.get(), txn_db_options, *handles, dbptr);
  if (status.ok()) {
    // NOLINTNEXTLINE(bugprone-unused-return-value): `*dbptr` has it.
    (void)db.release();
    return status;
  }
  for (ColumnFamilyHandle* handle : *handles) {
    (void)db->DestroyColumnFamilyHandle(handle);
  }
  handles->clear();
  return status;
}

}  // namespace ROCKSDB_NAMESPACE
