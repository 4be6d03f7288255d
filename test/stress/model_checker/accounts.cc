#include "test/stress/model_checker/accounts.h"

#include <chrono>
#include <cstdlib>
#include <map>
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

using Amounts = std::map<std::string, int64_t>;  // By account.

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
           Transaction* transaction, Amounts* written) {
  (*written)[AccountOf(account)] = amount;
  return OkOrConflict(
      t,
      transaction->Put(t->shared.database.accounts(), AccountOf(account),
                       std::to_string(amount)),
      "Put of an account");
}

bool Move(ThreadContext* t, Transaction* transaction, Amounts* written) {
  const uint64_t from = t->random.Uniform(kAccounts);
  const uint64_t to = (from + 1 + t->random.Uniform(kAccounts - 1)) % kAccounts;
  const auto moved = static_cast<int64_t>(t->random.Uniform(100));
  int64_t has = 0;
  int64_t gets = 0;
  if (!Read(t, from, t->Chance(700), transaction, &has)) return false;
  if (t->Chance(200)) std::this_thread::yield();
  if (!Read(t, to, t->Chance(700), transaction, &gets)) return false;
  return Write(t, from, has - moved, transaction, written) &&
         Write(t, to, gets + moved, transaction, written);
}

void CheckSum(ThreadContext* t, const Amounts& amounts,
              const std::string& how) {
  int64_t sum = 0;
  for (const auto& [account, amount] : amounts) sum += amount;
  if (sum == kSum && amounts.size() == kAccounts) return;
  t->Fail(how + ": " + std::to_string(amounts.size()) + " accounts have " +
          std::to_string(sum) + " in all, not " + std::to_string(kSum));
}

// False: reading failed.
bool ReadAll(ThreadContext* t, const Database& database,
             const ReadOptions& options, Amounts* amounts) {
  const std::unique_ptr<Iterator> it(
      database.db()->NewIterator(options, database.accounts()));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    (*amounts)[it->key().ToString()] =
        std::strtoll(it->value().ToString().c_str(), nullptr, 10);
  }
  return t->Ok(it->status(), "iterator of accounts");
}

// The snapshot of a commit has what that has written, and nothing later.
void CommitWithSnapshot(ThreadContext* t, const Amounts& written,
                        Transaction* transaction) {
  std::shared_ptr<const Snapshot> snapshot;
  const Status status = transaction->CommitAndTryCreateSnapshot(
      nullptr, t->expected().prepared().NewSerial(), &snapshot);
  if (!OkOrConflict(t, status, "Commit with a snapshot")) return;
  t->shared.database.locking_db()->ReleaseTimestampedSnapshotsOlderThan(
      kMaxTxnTimestamp);
  // None: another transfer had a later time, or memtables take none.
  if (snapshot == nullptr || t->shared.unordered) return;
  if (t->Chance(200)) std::this_thread::yield();
  ReadOptions options;
  options.snapshot = snapshot.get();
  Amounts shown;
  if (!ReadAll(t, t->shared.database, options, &shown)) return;
  CheckSum(t, shown, "the snapshot of a commit");
  for (const auto& [account, amount] : written) {
    if (shown[account] == amount) continue;
    t->Fail("the snapshot of a commit has " + std::to_string(shown[account]) +
            " in " + account + ", where it has written " +
            std::to_string(amount));
  }
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
  Amounts written;
  for (uint64_t i = 1 + t->random.Uniform(2); i > 0; --i) {
    if (!Move(t, transaction.get(), &written)) return;
  }
  const bool locking = t->shared.database.locking_db() != nullptr;
  if (t->Chance(100)) {
    const Status status = transaction->Rollback();
    if (HasExpired(*transaction)) return;
    t->Ok(status, "Rollback of a transfer");
  } else if (locking && t->Chance(300)) {
    PrepareAndDecide(t, std::move(transaction));
  } else if (locking && t->Chance(500)) {
    CommitWithSnapshot(t, written, transaction.get());
  } else {
    OkOrConflict(t, transaction->Commit(), "Commit of a transfer");
  }
}

namespace {

// What is read under locks, or not changed at the commit, is of one moment.
void AuditByTransaction(ThreadContext* t) {
  const std::unique_ptr<Transaction> transaction = Begin(t);
  const uint64_t first = t->random.Uniform(kAccounts);
  Amounts amounts;
  for (uint64_t i = 0; i < kAccounts; ++i) {
    const uint64_t account = (first + i) % kAccounts;
    if (!Read(t, account, /*exclusive=*/t->Chance(100), transaction.get(),
              &amounts[AccountOf(account)])) {
      return;
    }
  }
  if (OkOrConflict(t, transaction->Commit(), "Commit of an audit")) {
    CheckSum(t, amounts, "a transaction");
  }
}

}  // namespace

void CompareAccounts(ThreadContext* t, const Database& database,
                     const char* what) {
  if (!t->expected().has_accounts() || database.accounts() == nullptr) return;
  Amounts amounts;
  if (ReadAll(t, database, ReadOptions(), &amounts)) {
    CheckSum(t, amounts, what);
  }
}

void Audit(ThreadContext* t) {
  if (HasTransfers(t) && t->Chance(500)) return AuditByTransaction(t);
  if (t->shared.unordered) return;
  CompareAccounts(t, t->shared.database, "an iterator");
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
