// TransactionDB: what transactions with locks refuse, how they end, and what
// writes beside them do.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/utilities/transaction_db_mutex.h"
#include "test/db/transaction/moves.h"
#include "test/support/ok.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Pessimistic : public ::testing::Test {
 protected:
  Pessimistic()
      : env_(NewCompositeEnv(std::make_shared<engine::MemFileSystem>())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    db_options_.transaction_lock_timeout = 0;
    db_options_.default_lock_timeout = 0;
  }
  void Open() {
    db_.reset();
    TransactionDB* db = nullptr;
    test::Ok(TransactionDB::Open(options_, db_options_, "/db", &db));
    db_.reset(db);
  }
  std::unique_ptr<Transaction> Begin(const TransactionOptions& options = {}) {
    return std::unique_ptr<Transaction>(
        db_->BeginTransaction(WriteOptions(), options));
  }
  Status Put(const std::string& key, const std::string& value) {
    return db_->Put(WriteOptions(), key, value);
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  static Status GetForUpdate(Transaction* txn, const std::string& key,
                             bool exclusive = true) {
    std::string value;
    return txn->GetForUpdate(ReadOptions(), key, &value, exclusive);
  }

  Options options_;
  TransactionDBOptions db_options_;
  std::unique_ptr<Env> env_;
  std::unique_ptr<TransactionDB> db_;
};

TEST_F(Pessimistic, KeysAreLockedUntilTheEnd) {
  Open();
  test::Ok(Put("k", "0"));
  const auto a = Begin();
  const auto b = Begin();
  test::Ok(a->Put("k", "1"));
  EXPECT_TRUE(b->Put("k", "2").IsTimedOut());
  EXPECT_TRUE(GetForUpdate(b.get(), "k", false).IsTimedOut());
  EXPECT_TRUE(Put("k", "3").IsTimedOut());
  EXPECT_TRUE(db_->Delete(WriteOptions(), "k").IsTimedOut());
  WriteBatch batch;
  test::Ok(batch.Put("j", "4"));
  test::Ok(batch.Put("k", "4"));
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsTimedOut());
  EXPECT_EQ("0", Get("k"));
  EXPECT_EQ(1u, db_->GetLockStatusData().size());
  test::Ok(a->Commit());
  EXPECT_EQ(Transaction::COMMITTED, a->GetState());
  EXPECT_EQ("1", Get("k"));
  EXPECT_TRUE(db_->GetLockStatusData().empty());
  test::Ok(b->Put("k", "2"));
  test::Ok(b->Rollback());
  EXPECT_EQ(Transaction::STARTED, b->GetState());
  test::Ok(db_->Write(WriteOptions(), &batch));
  EXPECT_EQ("4", Get("k"));
}

TEST_F(Pessimistic, WritesMayGoPastTheLocks) {
  Open();
  const auto a = Begin();
  test::Ok(a->Put("k", "1"));
  WriteBatch batch;
  test::Ok(batch.DeleteRange("a", "z"));
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsInvalidArgument());
  EXPECT_TRUE(
      db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "a", "z")
          .IsNotSupported());
  TransactionDBWriteOptimizations past;
  past.skip_concurrency_control = true;
  test::Ok(db_->Write(WriteOptions(), past, &batch));
  TransactionOptions options;
  options.skip_concurrency_control = true;
  const auto b = Begin(options);
  test::Ok(b->Put("k", "2"));
  test::Ok(b->Commit());
  EXPECT_EQ("2", Get("k"));
}

TEST_F(Pessimistic, ASnapshotIsComparedWithWhatIsThere) {
  for (const bool history : {true, false}) {
    options_.max_write_buffer_size_to_maintain = history ? 1 << 20 : 1;
    Open();
    for (const std::string flushed : {"no", "flushed", "compacted"}) {
      test::Ok(Put("k" + flushed, "0"));
      TransactionOptions options;
      options.set_snapshot = true;
      const auto txn = Begin(options);
      const auto other = Begin(options);
      test::Ok(Put("k" + flushed, "1"));
      test::Ok(Put("d" + flushed, "1"));
      test::Ok(db_->Delete(WriteOptions(), "d" + flushed));
      if (flushed != "no") test::Ok(db_->Flush(FlushOptions()));
      if (flushed == "compacted") {
        CompactRangeOptions compact;
        compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
        test::Ok(db_->CompactRange(compact, nullptr, nullptr));
      }
      EXPECT_TRUE(txn->Put("k" + flushed, "2").IsBusy()) << flushed << history;
      EXPECT_TRUE(GetForUpdate(txn.get(), "k" + flushed).IsBusy());
      EXPECT_TRUE(txn->Put("d" + flushed, "2").IsBusy()) << flushed << history;
      EXPECT_TRUE(db_->GetLockStatusData().empty());
      test::Ok(txn->Put("n" + flushed, "2"));
      std::string value;
      test::Ok(txn->GetForUpdate(ReadOptions(), "k" + flushed, &value,
                                 /*exclusive=*/true, /*do_validate=*/false));
      EXPECT_EQ("1", value);
      test::Ok(txn->Commit());
      test::Ok(other->PutUntracked("k" + flushed, "3"));
      test::Ok(other->Commit());
      EXPECT_EQ("3", Get("k" + flushed));
    }
  }
}

TEST_F(Pessimistic, AKeyThatIsLockedNeedsNoSecondLook) {
  Open();
  const auto txn = Begin();
  test::Ok(txn->Put("k", "1"));
  txn->SetSnapshot();
  test::Ok(txn->Put("k", "2"));
  test::Ok(txn->Commit());
  EXPECT_EQ("2", Get("k"));
}

TEST_F(Pessimistic, SavePointsGiveLocksBack) {
  Open();
  const auto txn = Begin();
  test::Ok(txn->Put("a", "1"));
  txn->SetSavePoint();
  test::Ok(txn->Put("a", "2"));
  test::Ok(txn->Put("b", "1"));
  test::Ok(GetForUpdate(txn.get(), "c").IsNotFound() ? Status::OK()
                                                     : Status::Aborted());
  EXPECT_TRUE(Put("b", "x").IsTimedOut());
  test::Ok(txn->RollbackToSavePoint());
  test::Ok(Put("b", "x"));
  test::Ok(Put("c", "x"));
  EXPECT_TRUE(Put("a", "x").IsTimedOut());
  EXPECT_TRUE(GetForUpdate(txn.get(), "d").IsNotFound());
  txn->UndoGetForUpdate("d");
  test::Ok(Put("d", "x"));
  txn->UndoGetForUpdate("a");  // It was written.
  EXPECT_TRUE(Put("a", "x").IsTimedOut());
  test::Ok(txn->Commit());
  EXPECT_EQ("1", Get("a"));
}

TEST_F(Pessimistic, ATransactionMayExpire) {
  Open();
  TransactionOptions options;
  options.expiration = 0;
  auto a = Begin(options);
  test::Ok(a->Put("k", "1"));
  EXPECT_EQ(Transaction::STARTED, a->GetState());
  while (Put("k", "2").IsTimedOut()) {
  }
  EXPECT_EQ(Transaction::LOCKS_STOLEN, a->GetState());
  EXPECT_TRUE(a->Commit().IsExpired());
  EXPECT_TRUE(a->Rollback().IsInvalidArgument());
  EXPECT_EQ("2", Get("k"));
  a.reset(db_->BeginTransaction(WriteOptions(), options, a.release()));
  EXPECT_EQ(Transaction::STARTED, a->GetState());
  test::Ok(a->Put("k", "3"));
  EXPECT_TRUE(a->Commit().IsExpired());
  EXPECT_EQ(Transaction::STARTED, a->GetState());
  test::Ok(a->Rollback());
  EXPECT_TRUE(db_->GetLockStatusData().empty());
}

TEST_F(Pessimistic, TheEndIsTheEnd) {
  Open();
  auto txn = Begin();
  test::Ok(txn->Put("k", "1"));
  test::Ok(txn->Commit());
  EXPECT_TRUE(txn->Commit().IsInvalidArgument());
  EXPECT_TRUE(txn->Rollback().IsInvalidArgument());
  test::Ok(txn->Put("k", "2"));
  EXPECT_TRUE(Put("k", "3").IsTimedOut());
  txn.reset();
  test::Ok(Put("k", "3"));
  TransactionOptions options;
  options.skip_prepare = false;
  txn = Begin(options);
  test::Ok(txn->Put("k", "4"));
  EXPECT_TRUE(txn->Commit().IsTxnNotPrepared());
  options.skip_prepare = true;
  options.max_write_batch_size = 60;
  txn = Begin(options);
  test::Ok(txn->Put("a", "v"));
  EXPECT_TRUE(txn->Put("b", std::string(100, 'v')).IsMemoryLimit());
  test::Ok(txn->Commit());
  EXPECT_EQ("v", Get("a"));
}

TEST_F(Pessimistic, NamesAreUnique) {
  Open();
  auto a = Begin();
  auto b = Begin();
  EXPECT_TRUE(a->SetName("").IsInvalidArgument());
  EXPECT_TRUE(a->SetName(std::string(513, 'x')).IsInvalidArgument());
  test::Ok(a->SetName("n"));
  EXPECT_TRUE(a->SetName("m").IsInvalidArgument());
  EXPECT_TRUE(b->SetName("n").IsInvalidArgument());
  EXPECT_EQ(a.get(), db_->GetTransactionByName("n"));
  a.reset();
  EXPECT_EQ(nullptr, db_->GetTransactionByName("n"));
  test::Ok(b->SetName("n"));
}

TEST_F(Pessimistic, FamiliesHaveTheirOwnLocks) {
  Open();
  ColumnFamilyHandle* family = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &family));
  const auto txn = Begin();
  test::Ok(txn->Put(family, "k", "1"));
  test::Ok(Put("k", "0"));
  EXPECT_TRUE(db_->Put(WriteOptions(), family, "k", "0").IsTimedOut());
  test::Ok(db_->DropColumnFamily(family));
  EXPECT_TRUE(txn->Put(family, "l", "1").IsInvalidArgument());
  EXPECT_TRUE(txn->Commit().IsInvalidArgument());
  EXPECT_EQ(Transaction::STARTED, txn->GetState());  // It was refused.
  test::Ok(txn->Rollback());
  EXPECT_TRUE(db_->Put(WriteOptions(), family, "k", "0").IsInvalidArgument());
  test::Ok(db_->DestroyColumnFamilyHandle(family));
}

TEST_F(Pessimistic, TimestampsAreNotMistakenForKeys) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  Open();
  const auto txn = Begin();
  test::Ok(txn->Put("k", "1"));
  const std::string ts(8, '\x01');
  ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
  EXPECT_TRUE(db_->Put(WriteOptions(), family, "k", ts, "1").IsTimedOut());
  EXPECT_TRUE(db_->Delete(WriteOptions(), family, "k", ts).IsTimedOut());
  EXPECT_TRUE(db_->SingleDelete(WriteOptions(), family, "k", ts).IsTimedOut());
  EXPECT_TRUE(
      db_->DeleteRange(WriteOptions(), family, "a", "z", ts).IsNotSupported());
  test::Ok(db_->Put(WriteOptions(), family, "l", ts, "1"));
}

TEST_F(Pessimistic, SnapshotsHaveTimes) {
  Open();
  EXPECT_EQ(nullptr, db_->GetLatestTimestampedSnapshot());
  test::Ok(Put("k", "1"));
  const auto [status, first] = db_->CreateTimestampedSnapshot(5);
  test::Ok(status);
  test::Ok(Put("k", "2"));
  EXPECT_EQ(first, db_->CreateTimestampedSnapshot(5).second);
  EXPECT_TRUE(db_->CreateTimestampedSnapshot(4).first.IsInvalidArgument());
  test::Ok(db_->CreateTimestampedSnapshot(9).first);
  ReadOptions read;
  read.snapshot = db_->GetTimestampedSnapshot(5).get();
  std::string value;
  test::Ok(db_->Get(read, "k", &value));
  EXPECT_EQ("1", value);
  std::vector<std::shared_ptr<const Snapshot>> all;
  test::Ok(db_->GetAllTimestampedSnapshots(all));
  EXPECT_EQ(2u, all.size());
  db_->ReleaseTimestampedSnapshotsOlderThan(9);
  EXPECT_EQ(nullptr, db_->GetTimestampedSnapshot(5));
  EXPECT_NE(nullptr, db_->GetLatestTimestampedSnapshot());
}

TEST_F(Pessimistic, RefusesWhatItDoesNotHave) {
  TransactionDB* db = nullptr;
  db_options_.write_policy = static_cast<TxnDBWritePolicy>(3);
  EXPECT_TRUE(TransactionDB::Open(options_, db_options_, "/db", &db)
                  .IsInvalidArgument());
  EXPECT_EQ(nullptr, db);
}

// A program's own mutexes, which count, and end each wait.
class CountingMutex final : public TransactionDBMutex {
 public:
  explicit CountingMutex(std::atomic<int>* locked) : locked_(locked) {}
  Status Lock() override {
    mu_.lock();
    ++*locked_;
    return Status::OK();
  }
  Status TryLockFor(int64_t /*timeout_time*/) override { return Lock(); }
  void UnLock() override { mu_.unlock(); }

 private:
  std::atomic<int>* const locked_;
  std::mutex mu_;
};

class NoWaiting final : public TransactionDBCondVar {
 public:
  Status Wait(std::shared_ptr<TransactionDBMutex> /*mutex*/) override {
    return Status::Aborted("killed");
  }
  Status WaitFor(std::shared_ptr<TransactionDBMutex> /*mutex*/,
                 int64_t /*timeout_time*/) override {
    return Status::Aborted("killed");
  }
  void Notify() override {}
  void NotifyAll() override {}
};

class CountingFactory final : public TransactionDBMutexFactory {
 public:
  std::shared_ptr<TransactionDBMutex> AllocateMutex() override {
    return std::make_shared<CountingMutex>(&locked);
  }
  std::shared_ptr<TransactionDBCondVar> AllocateCondVar() override {
    return std::make_shared<NoWaiting>();
  }
  std::atomic<int> locked{0};
};

TEST_F(Pessimistic, AProgramMayBringItsMutexes) {
  const auto factory = std::make_shared<CountingFactory>();
  db_options_.custom_mutex_factory = factory;
  db_options_.transaction_lock_timeout = -1;
  Open();
  const auto a = Begin();
  const auto b = Begin();
  test::Ok(a->Put("k", "1"));
  EXPECT_GT(factory->locked, 0);
  EXPECT_TRUE(b->Put("k", "2").IsAborted());  // Its wait was ended.
  test::Ok(a->Commit());
  test::Ok(b->Put("k", "2"));
}

struct LockLoad {
  const char* name = "";
  bool flushes = false;
  bool snapshots = false;
};

class PessimisticAtOnce : public Pessimistic,
                          public ::testing::WithParamInterface<LockLoad> {};

TEST_P(PessimisticAtOnce, MovesKeepTheSum) {
  options_.write_buffer_size = 64 << 10;
  db_options_.transaction_lock_timeout = 60000;
  db_options_.default_lock_timeout = 60000;
  Open();
  test::MoveRules rules;
  rules.locks = true;
  rules.flushes = GetParam().flushes;
  rules.begin = [this](engine::Random64* /*random*/) {
    TransactionOptions options;
    options.deadlock_detect = true;
    options.set_snapshot = GetParam().snapshots;
    return Begin(options);
  };
  test::MovesKeepTheSum(db_.get(), rules);
  EXPECT_TRUE(db_->GetLockStatusData().empty());
}

INSTANTIATE_TEST_SUITE_P(Loads, PessimisticAtOnce,
                         ::testing::Values(LockLoad{"Plain", false, false},
                                           LockLoad{"Flushes", true, false},
                                           LockLoad{"Snapshots", true, true}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
