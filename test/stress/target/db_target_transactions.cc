// DbTarget: kinds of databases with transactions, and what these do.

#include <algorithm>
#include <vector>

#include "rocksdb/comparator.h"
#include "test/stress/history/answers.h"
#include "test/stress/target/db_target.h"
#include "test/stress/target/transaction_steps.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

bool IsSet(const Settings& settings, const char* name, const char* value) {
  const auto it = settings.find(name);
  return it != settings.end() && it->second == value;
}

TransactionDBOptions LockingOptions(const Settings& drawn) {
  TransactionDBOptions options;
  const auto stripes = drawn.find("num_stripes");
  if (stripes != drawn.end()) {
    options.num_stripes = static_cast<size_t>(NumberOf(stripes->second));
  }
  options.skip_concurrency_control =
      IsSet(drawn, "skip_concurrency_control", "true");
  return options;
}

OptimisticTransactionDBOptions OptimisticOptions(const Settings& drawn) {
  OptimisticTransactionDBOptions options;
  if (IsSet(drawn, "validate_policy", "kValidateSerial")) {
    options.validate_policy = OccValidationPolicy::kValidateSerial;
  }
  return options;
}

// 0: there is none.
uint64_t TimeOf(const Operation& transaction) {
  return static_cast<uint64_t>(NumberOf(transaction.Setting("time")));
}

bool AnyTimestamps(const std::vector<Operation>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Operation& step) {
    return HasTimestamps(step.family);
  });
}

std::string TransactionName(uint64_t id) { return "t" + std::to_string(id); }

// No lock covers these.
bool HasRanges(const Operation& write) {
  return write.kind == Kind::kDeleteRange ||
         std::any_of(write.inner.begin(), write.inner.end(), HasRanges);
}

}  // namespace

Status DbTarget::OpenDb(const std::vector<ColumnFamilyDescriptor>& descriptors,
                        std::vector<ColumnFamilyHandle*>* handles) {
  const Settings& drawn = opening_.options.transactions;
  if (IsSet(drawn, "kind", "locking")) {
    RETURN_IF_ERROR(TransactionDB::Open(db_options_, LockingOptions(drawn),
                                        deps_.path, descriptors, handles,
                                        &locking_));
    db_.reset(locking_);
    return Status::OK();
  }
  if (IsSet(drawn, "kind", "optimistic")) {
    RETURN_IF_ERROR(OptimisticTransactionDB::Open(
        db_options_, OptimisticOptions(drawn), deps_.path, descriptors, handles,
        &optimistic_));
    db_.reset(optimistic_);
    return Status::OK();
  }
  if (IsSet(drawn, "trim", "true")) return OpenTrimmed(descriptors, handles);
  return DB::Open(db_options_, deps_.path, descriptors, handles, &db_);
}

namespace {

// Later than whatever a history writes.
constexpr uint64_t kFuture = uint64_t{1} << 62;

// A table and a log of what no read may see afterwards.
Status WriteFuture(DB* db, ColumnFamilyHandle* family) {
  std::string time;
  EncodeU64Ts(kFuture, &time);
  const WriteOptions options;
  RETURN_IF_ERROR(db->DeleteRange(options, family, "", "\xff\xff\xff", time));
  RETURN_IF_ERROR(db->Put(options, family, "future", time, "1"));
  RETURN_IF_ERROR(db->Flush(FlushOptions(), family));
  return db->Put(options, family, "future 2", time, "2");
}

}  // namespace

Status DbTarget::OpenTrimmed(
    const std::vector<ColumnFamilyDescriptor>& descriptors,
    std::vector<ColumnFamilyHandle*>* handles) {
  RETURN_IF_ERROR(
      DB::Open(db_options_, deps_.path, descriptors, handles, &db_));
  Status status;
  for (ColumnFamilyHandle* handle : *handles) {
    if (status.ok() && HasTimestamps(handle->GetName())) {
      status = WriteFuture(db_.get(), handle);
    }
    db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  handles->clear();
  const Status closed = db_->Close();
  db_.reset();
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(closed);
  std::string time;
  EncodeU64Ts(kFuture - 1, &time);
  return DB::OpenAndTrimHistory(db_options_, deps_.path, descriptors, handles,
                                &db_, time);
}

// Prepared transactions stay in the log.
void DbTarget::ForgetTransactions() {
  spare_.reset();
  prepared_.clear();
  locking_ = nullptr;
  optimistic_ = nullptr;
}

DB* DbTarget::WriterOf(const Operation& write) {
  return locking_ != nullptr && HasRanges(write) ? locking_->GetBaseDB()
                                                 : db_.get();
}

// Null on a plain database, and where an optimistic one would write to families
// with timestamps. Some are older ones that are used again.
std::unique_ptr<Transaction> DbTarget::Begin(const Operation& operation) {
  if (locking_ == nullptr && AnyTimestamps(operation.inner)) return nullptr;
  const uint64_t way = Fingerprint(ToText(operation));
  Transaction* const old = way % 2 == 0 ? spare_.release() : nullptr;
  // One that stays open would hold its snapshot, which others count.
  const bool snapshot =
      way / 2 % 2 == 0 && operation.Setting("end") != "prepared";
  WriteOptions writes(writes_);
  if (locking_ != nullptr) {
    writes.disableWAL = false;  // What is prepared is in the log only.
    TransactionOptions options;
    options.set_snapshot = snapshot;
    options.deadlock_detect = way / 4 % 2 == 0;
    return std::unique_ptr<Transaction>(
        locking_->BeginTransaction(writes, options, old));
  }
  if (optimistic_ == nullptr) return nullptr;
  OptimisticTransactionOptions options;
  options.set_snapshot = snapshot;
  return std::unique_ptr<Transaction>(
      optimistic_->BeginTransaction(writes, options, old));
}

std::string DbTarget::Transact(const Operation& operation) {
  std::unique_ptr<Transaction> transaction = Begin(operation);
  const uint64_t time = TimeOf(operation);
  if (locking_ != nullptr && time > 0) {
    const Status set = transaction->SetReadTimestampForValidation(time - 1);
    if (!set.ok()) return TextOf(set);
  }
  const std::unique_ptr<TransactionSteps> steps =
      transaction != nullptr ? StepsOf(transaction.get())
                             : StepsOf(db_.get(), writes_);
  std::string answer;
  for (const Operation& step : operation.inner) {
    if (step.kind == Kind::kGet || step.kind == Kind::kIterate) {
      answer += ReadStep(steps.get(), step) + " ; ";
      continue;
    }
    const Status status = steps->Write(family(step.family), step);
    // Without a save point there is nothing to go back to.
    const bool open = step.family.empty() && status.IsNotFound();
    if (!status.ok() && !open) return answer + TextOf(status);
  }
  const Status status = End(operation, steps.get(), std::move(transaction));
  return answer + (status.ok() ? CheckPrepared(operation) : TextOf(status));
}

Status DbTarget::End(const Operation& operation, TransactionSteps* steps,
                     std::unique_ptr<Transaction> transaction) {
  const std::string end = operation.Setting("end");
  const bool stays = end == "prepared";
  if (locking_ != nullptr &&
      (stays || operation.Setting("prepare") == "true")) {
    RETURN_IF_ERROR(transaction->SetName(TransactionName(operation.id)));
    RETURN_IF_ERROR(transaction->Prepare());
  }
  Status status;
  if (end == "commit") {  // An optimistic one has no times.
    const bool timed = locking_ != nullptr || transaction == nullptr;
    status = steps->Commit(timed ? TimeOf(operation) : 0);
  } else if (!stays) {
    status = steps->Rollback();
  }
  if (stays && locking_ != nullptr) {
    prepared_[operation.id] = std::move(transaction);
  } else if (transaction != nullptr) {
    transaction->ClearSnapshot();  // Its end has not done so.
    spare_ = std::move(transaction);
  }
  return status;
}

std::string DbTarget::ReadStep(TransactionSteps* steps, const Operation& read) {
  ReadOptions options = ReadOptionsFor(0, read.family);
  options.total_order_seek = true;
  options.allow_unprepared_value = false;
  options.auto_refresh_iterator_with_snapshot = false;
  ColumnFamilyHandle* const handle = family(read.family);
  if (handle == nullptr) return kAny;
  if (read.kind == Kind::kGet) {
    std::string value;
    const Status status = steps->Get(options, handle, read, &value);
    return status.ok() ? Show(value) : TextOf(status);
  }
  return Walk(CursorOver(steps->NewIterator(options, handle), handle), "total")
      .Iterate(read);
}

// `n` says how many are left open.
std::string DbTarget::CheckPrepared(const Operation& operation) {
  if (locking_ == nullptr) return kOk;
  std::vector<Transaction*> all;
  locking_->GetAllPreparedTransactions(&all);
  return all.size() == operation.number
             ? kOk
             : "ERROR " + std::to_string(all.size()) + " are prepared";
}

// Only a TransactionDB has kept what was left open; elsewhere it is written
// now.
std::string DbTarget::Decide(const Operation& operation) {
  const bool commits = operation.Setting("end") == "commit";
  if (locking_ == nullptr) {
    Operation whole(operation);
    whole.kind = Kind::kTransaction;
    const bool writes = commits && !whole.inner.empty();
    return writes ? Transact(whole) : kOk;
  }
  const std::string name = TransactionName(operation.id);
  Transaction* const found = locking_->GetTransactionByName(name);
  if (found == nullptr) return "ERROR no transaction " + name;
  const Status status =
      commits ? CommitAt(TimeOf(operation), found) : found->Rollback();
  // It may be of an earlier opening.
  if (prepared_.erase(operation.id) == 0) delete found;
  return status.ok() ? CheckPrepared(operation) : TextOf(status);
}

}  // namespace ROCKSDB_NAMESPACE::stress
