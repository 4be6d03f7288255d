#include "test/stress/model_checker/accounts.h"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>

#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

constexpr uint64_t kAccounts = 12;
constexpr int64_t kEach = 1000;
constexpr int64_t kSum = kEach * static_cast<int64_t>(kAccounts);

std::string AccountOf(uint64_t number) {
  return "account" + std::to_string(10 + number);
}

bool HasTransfers(ThreadContext* t) {
  const Database& database = t->shared.database;
  return t->expected().has_accounts() && (database.locking_db() != nullptr ||
                                          database.optimistic_db() != nullptr);
}

// True: OK. Transfers meet, so a conflict is no failure.
bool OkOrConflict(ThreadContext* t, const Status& status, const char* what) {
  return t->OkOr(
      status, what,
      {Status::kBusy, Status::kTimedOut, Status::kTryAgain, Status::kExpired});
}

std::unique_ptr<Transaction> Begin(ThreadContext* t) {
  WriteOptions write_options;
  write_options.sync = t->shared.plan.buffered_log || t->Chance(30);
  TransactionOptions options;
  options.set_snapshot = t->Chance(400);
  options.deadlock_detect = t->Chance(800);
  options.deadlock_detect_depth = t->Chance(800) ? 50 : 1;
  options.lock_timeout = static_cast<int64_t>(t->random.Skewed(6));
  if (t->Chance(50)) {
    options.expiration = static_cast<int64_t>(t->random.Skewed(4));
  }
  ++t->expected().totals().transactions;
  return t->shared.database.BeginTransaction(write_options, options);
}

// Another one has wanted its locks.
bool HasExpired(const Transaction& transaction) {
  return transaction.GetState() == Transaction::LOCKS_STOLEN;
}

bool Read(ThreadContext* t, uint64_t account, bool exclusive,
          Transaction* transaction, int64_t* amount) {
  std::string value;
  ReadOptions options;
  if (t->Chance(300)) options.snapshot = transaction->GetSnapshot();
  if (t->shared.unordered) options.snapshot = nullptr;
  const Status status =
      transaction->GetForUpdate(options, t->shared.database.accounts(),
                                AccountOf(account), &value, exclusive);
  if (!OkOrConflict(t, status, "GetForUpdate of an account")) return false;
  *amount = std::strtoll(value.c_str(), nullptr, 10);
  return true;
}

bool Write(ThreadContext* t, uint64_t account, int64_t amount,
           Transaction* transaction) {
  return OkOrConflict(
      t,
      transaction->Put(t->shared.database.accounts(), AccountOf(account),
                       std::to_string(amount)),
      "Put of an account");
}

bool Move(ThreadContext* t, Transaction* transaction) {
  const uint64_t from = t->random.Uniform(kAccounts);
  const uint64_t to = (from + 1 + t->random.Uniform(kAccounts - 1)) % kAccounts;
  const auto moved = static_cast<int64_t>(t->random.Uniform(100));
  int64_t has = 0;
  int64_t gets = 0;
  if (!Read(t, from, t->Chance(700), transaction, &has)) return false;
  if (t->Chance(200)) std::this_thread::yield();
  if (!Read(t, to, t->Chance(700), transaction, &gets)) return false;
  return Write(t, from, has - moved, transaction) &&
         Write(t, to, gets + moved, transaction);
}

// Of one that failed after it was prepared, or while it was: it keeps its
// locks until the database closes, and the next opening decides it.
void LeaveToDatabase(std::unique_ptr<Transaction> transaction) {
  transaction->ClearSnapshot();
  // NOLINTNEXTLINE(bugprone-unused-return-value): the database has it.
  (void)transaction.release();
}

void PrepareAndDecide(ThreadContext* t,
                      std::unique_ptr<Transaction> transaction) {
  const std::string name =
      "a" + std::to_string(t->expected().prepared().NewSerial());
  const Status named = transaction->SetName(name);
  if (HasExpired(*transaction)) return;
  if (!t->Ok(named, "SetName")) return;
  const Status prepared = transaction->Prepare();
  if (prepared.IsExpired()) return;
  const bool commits =
      t->Ok(prepared, "Prepare of a transfer") && t->Chance(700);
  const Status decided =
      commits ? transaction->Commit() : transaction->Rollback();
  if (!t->Ok(decided, "a decision of a transfer")) {
    LeaveToDatabase(std::move(transaction));
  }
}

}  // namespace

bool IsOfAccounts(const std::string& name) { return name.starts_with('a'); }

void FillAccounts(ThreadContext* t) {
  ColumnFamilyHandle* const family = t->shared.database.accounts();
  if (family == nullptr || t->expected().has_accounts()) return;
  WriteBatch batch;
  for (uint64_t i = 0; i < kAccounts; ++i) {
    t->Ok(batch.Put(family, AccountOf(i), std::to_string(kEach)), "Put");
  }
  WriteOptions options;
  options.sync = true;
  TransactionDB* const locking = t->shared.database.locking_db();
  TransactionDBWriteOptimizations unlocked;  // There may be too few locks.
  unlocked.skip_concurrency_control = true;
  const Status status = locking != nullptr
                            ? locking->Write(options, unlocked, &batch)
                            : t->db()->Write(options, &batch);
  if (t->Ok(status, "Write of accounts")) t->expected().has_accounts() = true;
}

void Transfer(ThreadContext* t) {
  if (!HasTransfers(t)) return;
  std::unique_ptr<Transaction> transaction = Begin(t);
  for (uint64_t i = 1 + t->random.Uniform(2); i > 0; --i) {
    if (!Move(t, transaction.get())) return;
  }
  if (t->Chance(100)) {
    const Status status = transaction->Rollback();
    if (HasExpired(*transaction)) return;
    t->Ok(status, "Rollback of a transfer");
  } else if (t->shared.database.locking_db() != nullptr && t->Chance(300)) {
    PrepareAndDecide(t, std::move(transaction));
  } else {
    OkOrConflict(t, transaction->Commit(), "Commit of a transfer");
  }
}

namespace {

void CheckSum(ThreadContext* t, int64_t sum, uint64_t count,
              const std::string& how) {
  if (sum == kSum && count == kAccounts) return;
  t->Fail(how + ": " + std::to_string(count) + " accounts have " +
          std::to_string(sum) + " in all, not " + std::to_string(kSum));
}

// What is read under locks, or not changed at the commit, is of one moment.
void AuditByTransaction(ThreadContext* t) {
  const std::unique_ptr<Transaction> transaction = Begin(t);
  const uint64_t first = t->random.Uniform(kAccounts);
  int64_t sum = 0;
  for (uint64_t i = 0; i < kAccounts; ++i) {
    int64_t amount = 0;
    if (!Read(t, (first + i) % kAccounts, /*exclusive=*/t->Chance(100),
              transaction.get(), &amount)) {
      return;
    }
    sum += amount;
  }
  if (OkOrConflict(t, transaction->Commit(), "Commit of an audit")) {
    CheckSum(t, sum, kAccounts, "a transaction");
  }
}

}  // namespace

void CompareAccounts(ThreadContext* t, const Database& database,
                     const char* what) {
  if (!t->expected().has_accounts() || database.accounts() == nullptr) return;
  const std::unique_ptr<Iterator> it(
      database.db()->NewIterator(ReadOptions(), database.accounts()));
  int64_t sum = 0;
  uint64_t count = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    sum += std::strtoll(it->value().ToString().c_str(), nullptr, 10);
    ++count;
  }
  if (t->Ok(it->status(), "iterator of accounts")) {
    CheckSum(t, sum, count, what);
  }
}

void Audit(ThreadContext* t) {
  if (HasTransfers(t) && t->Chance(500)) return AuditByTransaction(t);
  if (t->shared.unordered) return;
  CompareAccounts(t, t->shared.database, "an iterator");
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
