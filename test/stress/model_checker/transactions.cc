#include "test/stress/model_checker/transactions.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/utilities/transaction_db.h"
#include "test/stress/model_checker/accounts.h"
#include "test/stress/model_checker/read_ops.h"
#include "test/stress/model_checker/records.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

using Found = std::optional<std::string>;
using TransactionPtr = std::unique_ptr<Transaction>;

bool HasTransactions(ThreadContext* t) {
  const Database& database = t->shared.database;
  return database.locking_db() != nullptr ||
         database.optimistic_db() != nullptr;
}

// Optimistic transactions do not write to the family with timestamps.
int ExcludedSlot(ThreadContext* t) {
  return t->shared.database.locking_db() == nullptr ? t->shared.plan.stamped
                                                    : -1;
}

// REQUIRES: the locks of its keys. So no other thread gives these a later time
// before the transaction has ended.
TransactionPtr Begin(ThreadContext* t, const WriteOptions& write_options) {
  TransactionOptions options;
  options.set_snapshot = t->Chance(300);
  options.deadlock_detect = t->Chance(300);
  // The locks of this program are enough.
  options.skip_concurrency_control = t->Chance(100);
  ++t->expected().totals().transactions;
  TransactionPtr transaction =
      t->shared.database.BeginTransaction(write_options, options);
  if (t->shared.plan.stamped >= 0 && ExcludedSlot(t) < 0) {
    t->Ok(transaction->SetReadTimestampForValidation(t->expected().time()),
          "SetReadTimestampForValidation");
  }
  return transaction;
}

// The keys of the family with timestamps get a new time.
Status Commit(ThreadContext* t, Transaction* transaction) {
  if (t->shared.plan.stamped >= 0 && ExcludedSlot(t) < 0) {
    const Status set = transaction->SetCommitTimestamp(++t->expected().time());
    if (!set.ok()) return set;
  }
  return transaction->Commit();
}

// The history of a read time is gone: a read says so by InvalidArgument, and
// the validation of a key by TryAgain.
bool IsForgotten(const Status& status) {
  return (status.IsTryAgain() || status.IsInvalidArgument()) &&
         status.ToString().find("full_history_ts_low") != std::string::npos;
}

// True: a call of a transaction that has not begun to commit succeeded.
bool Succeeded(ThreadContext* t, const Status& status, const char* what) {
  const bool forgotten = t->shared.plan.stamped >= 0 && IsForgotten(status);
  return !t->IsLockLimit(status) && !forgotten && t->Ok(status, what);
}

// Taken back by RollbackToSavePoint: its keys may get their first lock here.
bool WriteAndTakeBack(ThreadContext* t, const Change& change,
                      Transaction* transaction) {
  transaction->SetSavePoint();
  bool good = true;
  for (uint64_t i = t->random.Uniform(4); good && i > 0; --i) {
    const Change::Key& key =
        change.keys()[t->random.Uniform(change.keys().size())];
    const std::string name = t->expected().KeyOf(key.key);
    Recorder recorder(t, key.slot, transaction);
    good = Succeeded(t,
                     t->Chance(500) ? recorder.Put(name, "rolled back")
                                    : recorder.Delete(name),
                     "a record to be taken back");
  }
  return t->Ok(transaction->RollbackToSavePoint(), "RollbackToSavePoint") &&
         good;
}

Status ReadByIterator(const ReadOptions& given, ColumnFamilyHandle* family,
                      const std::string& name, bool back, std::string* value,
                      Transaction* transaction) {
  ReadOptions options = given;
  options.total_order_seek = true;
  const std::unique_ptr<Iterator> it(transaction->GetIterator(options, family));
  if (back) {
    it->SeekForPrev(name);
  } else {
    it->Seek(name);
  }
  if (!it->Valid() || it->key() != name) {
    return it->status().ok() ? Status::NotFound() : it->status();
  }
  *value = it->value().ToString();
  return Status::OK();
}

// At the transaction's own time, where there are timestamps.
Status ReadForUpdate(ThreadContext* t, int slot, const ReadOptions& options,
                     const std::string& name, std::string* value,
                     Transaction* transaction) {
  constexpr int kAttempts = 10;
  const bool exclusive = t->Chance(700);
  for (int i = 0; i < kAttempts; ++i) {
    const Status status = transaction->GetForUpdate(options, t->handle(slot),
                                                    name, value, exclusive);
    if (!t->IsStamped(slot) || !IsForgotten(status)) return status;
    const Status raised =
        transaction->SetReadTimestampForValidation(t->expected().time());
    if (!raised.ok()) return raised;
  }
  return transaction->Get(t->ReadsOf(slot, options), t->handle(slot), name,
                          value);
}

Status ReadSomehow(ThreadContext* t, int slot, const ReadOptions& given,
                   const std::string& name, std::string* value,
                   Transaction* transaction) {
  ColumnFamilyHandle* const family = t->handle(slot);
  const ReadOptions options = t->ReadsOf(slot, given);
  switch (t->random.Uniform(5)) {
    case 0:
      return ReadForUpdate(t, slot, given, name, value, transaction);
    case 1:
      return ReadByIterator(options, family, name, t->Chance(300), value,
                            transaction);
    case 2: {
      const Slice key(name);
      PinnableSlice found;
      Status status;
      transaction->MultiGet(options, family, 1, &key, &found, &status);
      *value = found.ToString();
      return status;
    }
    default:
      return transaction->Get(options, family, name, value);
  }
}

// The transaction sees what it has written.
bool ReadOwn(ThreadContext* t, const Change::Key& key,
             Transaction* transaction) {
  ReadOptions options;
  // No other thread writes the key.
  if (t->Chance(300)) options.snapshot = transaction->GetSnapshot();
  if (t->shared.unordered) options.snapshot = nullptr;
  std::string value;
  const Status status = ReadSomehow(
      t, key.slot, options, t->expected().KeyOf(key.key), &value, transaction);
  if (!status.IsNotFound() && !Succeeded(t, status, "a transaction's read")) {
    return false;
  }
  const uint64_t word = key.state.Pack();
  t->CheckRead(key.slot, key.key, word, word,
               status.ok() ? Found(value) : Found(), "a transaction's read");
  return true;
}

bool AddOne(ThreadContext* t, Change* change, Change::Key* key, Record record,
            Transaction* transaction) {
  if (t->Chance(100) && !WriteAndTakeBack(t, *change, transaction)) {
    return false;
  }
  if (t->Chance(150) && !ReadOwn(t, *key, transaction)) return false;
  const bool point = t->Chance(100);
  if (point) transaction->SetSavePoint();
  Recorder recorder(t, key->slot, transaction);
  if (!Succeeded(t, AddRecord(t, change, key, record, &recorder),
                 "a transaction's record")) {
    return false;
  }
  if (point && !t->Ok(transaction->PopSavePoint(), "PopSavePoint")) {
    return false;
  }
  return !t->Chance(200) || ReadOwn(t, *key, transaction);
}

bool FillPlain(ThreadContext* t, Change* change, Transaction* transaction) {
  auto& keys = change->keys();
  const uint64_t records = keys.size() + t->random.Uniform(4);
  for (uint64_t i = 0; i < records; ++i) {
    Change::Key* const key =
        &keys[i < keys.size() ? i : t->random.Uniform(keys.size())];
    if (i >= keys.size() && ExpectedState::IsSingle(key->key)) continue;
    if (!AddOne(t, change, key, AnyRecord(t, *key), transaction)) return false;
  }
  return true;
}

bool FillMirrored(ThreadContext* t, Change* change, Transaction* transaction) {
  const Record record = AnyRecord(t, change->keys()[0]);
  for (Change::Key& key : change->keys()) {
    if (AddOne(t, change, &key, record, transaction)) continue;
    change->AlignGenerations();
    return false;
  }
  return true;
}

// Nothing of it was ever to be seen.
void TakeBack(ThreadContext* t, Transaction* transaction) {
  if (t->Chance(300)) return;  // Deleted as it is.
  t->Ok(transaction->Rollback(), "Rollback");
}

void CommitAtOnce(ThreadContext* t, Change* change, Transaction* transaction) {
  WriteOptions* const options = transaction->GetWriteOptions();
  change->Begin();
  Status status = Commit(t, transaction);
  bool refused = options->no_slowdown && status.IsIncomplete();
  if (refused && t->Chance(500)) {  // It is as it was.
    options->no_slowdown = false;
    status = Commit(t, transaction);
    refused = false;
  }
  // Memtables do not reach back to its beginning.
  refused |=
      t->shared.database.optimistic_db() != nullptr && status.IsTryAgain();
  if (status.ok()) return change->Commit(IsDurable(t, *options));
  if (refused) {
    TakeBack(t, transaction);
    return change->Cancel();
  }
  t->Ok(status, "Commit");  // Injected: the keys are in doubt.
  transaction->Rollback().PermitUncheckedError();
}

// ---- Prepared ones.

// What is prepared must be in a file, and wait for its turn.
WriteOptions PreparedOptions(ThreadContext* t, uint32_t key) {
  WriteOptions options = AnyWriteOptions(t, key);
  options.no_slowdown = false;
  options.disableWAL = false;
  if (t->shared.plan.buffered_log) options.sync = true;
  return options;
}

bool CanPrepare(ThreadContext* t, const Change& change) {
  return t->shared.database.locking_db() != nullptr &&
         change.keys().size() <= PreparedEntry::kKeysMax &&
         !(t->shared.plan.unlogged_keys &&
           t->expected().IsUnlogged(change.keys()[0].key));
}

void Note(ThreadContext* t, const Change& change, PreparedEntry* entry) {
  for (const Change::Key& key : change.keys()) {
    const uint64_t before =
        t->expected().cell(key.slot, key.key).committed.load();
    entry->keys[entry->count++] = {key.slot, key.key, before, key.state.Pack()};
  }
}

// Keys of a family that was dropped meanwhile have other words.
template <typename Visit>
void ForEachKey(ThreadContext* t, const PreparedEntry& entry,
                const Visit& visit) {
  for (uint32_t i = 0; i < entry.count; ++i) {
    const PreparedEntry::Key& key = entry.keys[i];
    Cell& cell = t->expected().cell(key.slot, key.key);
    if (cell.pending.load() == key.after) visit(key, &cell);
  }
}

void SetNew(ThreadContext* t, PreparedEntry* entry) {
  ForEachKey(t, *entry, [](const PreparedEntry::Key& key, Cell* cell) {
    cell->committed.store(key.after);
    ExpectedState::RaiseDurable(cell, key.after);
  });
  entry->stage = PreparedStage::kFree;
}

void SetOld(ThreadContext* t, PreparedEntry* entry) {
  ForEachKey(t, *entry, [](const PreparedEntry::Key& key, Cell* cell) {
    cell->pending.store(key.before);
  });
  entry->stage = PreparedStage::kFree;
}

// What was written before a prepared transaction is in the log before it.
void RaiseOld(ThreadContext* t, const PreparedEntry& entry) {
  ForEachKey(t, entry, [](const PreparedEntry::Key& key, Cell* cell) {
    cell->committed.store(key.before);
    ExpectedState::RaiseDurable(cell, key.before);
  });
}

// A call has failed: the object keeps its locks until the database closes.
void LeaveToDatabase(Prepared prepared) {
  prepared.transaction->ClearSnapshot();
  // NOLINTNEXTLINE(bugprone-unused-return-value): the database has it.
  (void)prepared.transaction.release();
}

void RollBackPrepared(ThreadContext* t, Prepared prepared) {
  prepared.entry->stage = PreparedStage::kRollingBack;
  if (t->Ok(prepared.transaction->Rollback(), "Rollback after Prepare")) {
    return SetOld(t, prepared.entry);
  }
  LeaveToDatabase(std::move(prepared));
}

void CommitPrepared(ThreadContext* t, Prepared prepared) {
  prepared.entry->stage = PreparedStage::kCommitting;
  if (t->Ok(Commit(t, prepared.transaction.get()), "Commit after Prepare")) {
    return SetNew(t, prepared.entry);
  }
  LeaveToDatabase(std::move(prepared));
}

// No entry: it is prepared no more, or the next opening will tell.
Prepared Prepare(ThreadContext* t, Change* change, TransactionPtr transaction) {
  PreparedEntry* const entry = t->expected().prepared().Claim();
  if (entry == nullptr) return {};
  Note(t, *change, entry);
  Prepared prepared{std::move(transaction), entry};
  if (!t->Ok(prepared.transaction->SetName(entry->Name()), "SetName")) {
    return {};
  }
  entry->stage = PreparedStage::kPreparing;
  change->Begin();
  const Status status = prepared.transaction->Prepare();
  if (t->Ok(status, "Prepare")) {
    RaiseOld(t, *entry);
    entry->stage = PreparedStage::kPrepared;
    return prepared;
  }
  RollBackPrepared(t, std::move(prepared));
  return {};
}

// The database shows the keys of a prepared transaction as they were.
void CheckBefore(ThreadContext* t, const PreparedEntry& entry) {
  ForEachKey(t, entry, [&](const PreparedEntry::Key& key, Cell*) {
    Found found;
    if (!ReadKey(t, ReadOptions(), key.slot, t->expected().KeyOf(key.key),
                 &found)) {
      return;
    }
    t->CheckRead(key.slot, key.key, key.before, key.before, found,
                 "a read beside a prepared transaction");
  });
}

void RunTransaction(ThreadContext* t, Change* change,
                    bool (*fill)(ThreadContext*, Change*, Transaction*)) {
  const bool prepares = CanPrepare(t, *change) && t->Chance(400);
  const uint32_t key = change->keys()[0].key;
  TransactionPtr transaction =
      Begin(t, prepares ? PreparedOptions(t, key) : AnyWriteOptions(t, key));
  if (!fill(t, change, transaction.get()))
    return TakeBack(t, transaction.get());
  if (t->Chance(200)) return TakeBack(t, transaction.get());
  if (!prepares) return CommitAtOnce(t, change, transaction.get());
  Prepared prepared = Prepare(t, change, std::move(transaction));
  if (prepared.entry == nullptr) return;
  if (t->Chance(100)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  DecidePrepared(t, std::move(prepared));
}

}  // namespace

void WriteTransaction(ThreadContext* t) {
  if (!HasTransactions(t)) return;
  const AllSlotsUse use(t);
  Change change(&t->expected(), &t->shared.locks);
  AddPlainKeys(t, use, ExcludedSlot(t), &change);
  if (change.Lock()) RunTransaction(t, &change, FillPlain);
}

void WriteMirroredTransaction(ThreadContext* t) {
  const int excluded = ExcludedSlot(t);
  if (!HasTransactions(t) || (excluded >= 0 && excluded < kMirrorSlots)) return;
  Change change(&t->expected(), &t->shared.locks);
  AddMirroredKeys(t, &change);
  if (change.Lock()) RunTransaction(t, &change, FillMirrored);
}

Prepared PrepareTransaction(ThreadContext* t) {
  if (t->shared.database.locking_db() == nullptr) return {};
  const AllSlotsUse use(t);
  Change change(&t->expected(), &t->shared.locks);
  AddPlainKeys(t, use, ExcludedSlot(t), &change);
  if (!change.Lock() || !CanPrepare(t, change)) return {};
  TransactionPtr transaction =
      Begin(t, PreparedOptions(t, change.keys()[0].key));
  if (!FillPlain(t, &change, transaction.get())) return {};
  return Prepare(t, &change, std::move(transaction));
}

void DecidePrepared(ThreadContext* t, Prepared prepared) {
  CheckBefore(t, *prepared.entry);
  if (t->Chance(500)) {
    CommitPrepared(t, std::move(prepared));
  } else {
    RollBackPrepared(t, std::move(prepared));
  }
}

// ---- After an opening.

namespace {

// A plain write waits for a lock in vain.
void CheckLocked(ThreadContext* t, const PreparedEntry& entry) {
  const TransactionDBOptions& locking = t->shared.database.options().locking;
  if (locking.skip_concurrency_control || locking.max_num_locks > 0) return;
  bool done = false;
  ForEachKey(t, entry, [&](const PreparedEntry::Key& key, Cell*) {
    if (std::exchange(done, true)) return;
    const Status status =
        t->db()->Put(WriteOptions(), t->handle(key.slot),
                     t->expected().KeyOf(key.key), "in spite of a lock");
    if (!status.IsTimedOut()) {
      t->Fail("a write of key " + std::to_string(key.key) + " in family " +
              SlotName(key.slot) + ", which " + entry.Name() +
              " has locked: " + status.ToString());
    }
  });
}

// It has all of its writes.
void CheckAfter(ThreadContext* t, const PreparedEntry& entry,
                Transaction* transaction) {
  ForEachKey(t, entry, [&](const PreparedEntry::Key& key, Cell*) {
    std::string value;
    const Status status = transaction->Get(
        t->ReadsOf(key.slot, ReadOptions()), t->handle(key.slot),
        t->expected().KeyOf(key.key), &value);
    if (!status.IsNotFound() && !t->Ok(status, "Get of what is prepared")) {
      return;
    }
    t->CheckRead(key.slot, key.key, key.after, key.after,
                 status.ok() ? Found(value) : Found(),
                 "a read of what is prepared");
  });
}

void SettleFound(ThreadContext* t, PreparedEntry* entry,
                 TransactionPtr transaction) {
  if (entry->stage == PreparedStage::kFilling) {
    return t->Fail(entry->Name() + " was never prepared, but is");
  }
  ++t->expected().totals().found_prepared;
  // A transaction that was found has the default write options, not those that
  // it was begun with: its decision would wait in a log's buffer.
  if (t->shared.plan.buffered_log) transaction->GetWriteOptions()->sync = true;
  RaiseOld(t, *entry);
  CheckAfter(t, *entry, transaction.get());
  CheckLocked(t, *entry);
  DecidePrepared(t, {std::move(transaction), entry});
}

void SettleMissing(ThreadContext* t, PreparedEntry* entry) {
  switch (entry->stage) {
    case PreparedStage::kPrepared:
      return t->Fail(entry->Name() + " was prepared, but is not found");
    case PreparedStage::kCommitting:
      return SetNew(t, entry);
    default:
      return SetOld(t, entry);
  }
}

}  // namespace

void DecideFound(ThreadContext* t) {
  TransactionDB* const db = t->shared.database.locking_db();
  if (db == nullptr) return;
  const Doing doing(&t->activity, "decide what was found prepared");
  std::vector<Transaction*> all;
  db->GetAllPreparedTransactions(&all);
  std::map<std::string, TransactionPtr> found;
  for (Transaction* const one : all) found[one->GetName()].reset(one);
  for (PreparedEntry& entry : t->expected().prepared().entries) {
    if (entry.stage == PreparedStage::kFree) continue;
    const auto it = found.find(entry.Name());
    if (it == found.end()) {
      SettleMissing(t, &entry);
      continue;
    }
    SettleFound(t, &entry, std::move(it->second));
    found.erase(it);
  }
  for (const auto& [name, transaction] : found) {
    if (!IsOfAccounts(name)) {
      t->Fail(name + " was decided, but is found prepared");
    }
    t->Ok(t->Chance(500) ? transaction->Commit() : transaction->Rollback(),
          "a transfer that was found prepared");
  }
}

bool HasUnsettled(ExpectedState* expected) {
  const auto& entries = expected->prepared().entries;
  return std::any_of(std::begin(entries), std::end(entries),
                     [](const PreparedEntry& entry) {
                       return entry.stage != PreparedStage::kFree &&
                              entry.stage != PreparedStage::kPrepared;
                     });
}

bool IsOfPrepared(ExpectedState* expected, int slot, uint32_t key) {
  for (const PreparedEntry& entry : expected->prepared().entries) {
    if (entry.stage == PreparedStage::kFree) continue;
    for (uint32_t i = 0; i < entry.count; ++i) {
      if (entry.keys[i].slot == slot && entry.keys[i].key == key) return true;
    }
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
