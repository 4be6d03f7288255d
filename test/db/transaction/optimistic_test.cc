// Optimistic transactions: what they see, what fails their commit, and that
// what many of them do at once is the same as one after the other.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "test/support/ok.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Optimistic : public ::testing::Test {
 protected:
  Optimistic()
      : env_(NewCompositeEnv(std::make_shared<engine::MemFileSystem>())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
  }
  void Open() {
    db_.reset();
    OptimisticTransactionDB* db = nullptr;
    test::Ok(OptimisticTransactionDB::Open(options_, "/db", &db));
    db_.reset(db);
  }
  std::unique_ptr<Transaction> Begin(bool set_snapshot = false) {
    OptimisticTransactionOptions options;
    options.set_snapshot = set_snapshot;
    return std::unique_ptr<Transaction>(
        db_->BeginTransaction(WriteOptions(), options));
  }
  void Put(const std::string& key, const std::string& value) {
    test::Ok(db_->Put(WriteOptions(), key, value));
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  static std::string Get(Transaction* txn, const std::string& key) {
    std::string value;
    const Status status = txn->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }

  Options options_;
  std::unique_ptr<Env> env_;
  std::unique_ptr<OptimisticTransactionDB> db_;
};

TEST_F(Optimistic, CommitsWhatItShows) {
  Open();
  Put("a", "0");
  Put("b", "0");
  const auto txn = Begin();
  test::Ok(txn->Put("a", "1"));
  test::Ok(txn->Delete("b"));
  test::Ok(txn->Put("c", "1"));
  EXPECT_EQ("1", Get(txn.get(), "a"));
  EXPECT_EQ("NotFound: ", Get(txn.get(), "b"));
  EXPECT_EQ("0", Get("a"));
  std::unique_ptr<Iterator> it(txn->GetIterator(ReadOptions()));
  std::string keys;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    keys += it->key().ToString() + it->value().ToString();
  }
  EXPECT_EQ("a1c1", keys);
  it.reset();
  EXPECT_EQ(3u, txn->GetNumKeys());
  EXPECT_EQ(2u, txn->GetNumPuts());
  EXPECT_EQ(1u, txn->GetNumDeletes());
  test::Ok(txn->Commit());
  EXPECT_EQ(Transaction::STARTED, txn->GetState());  // For another round.
  EXPECT_EQ("1", Get("a"));
  EXPECT_EQ("NotFound: ", Get("b"));
  EXPECT_EQ(0u, txn->GetNumKeys());
}

TEST_F(Optimistic, AChangedKeyFailsTheCommit) {
  Open();
  Put("a", "0");
  const auto txn = Begin();
  test::Ok(txn->Put("a", "1"));
  Put("a", "2");
  EXPECT_TRUE(txn->Commit().IsBusy());
  EXPECT_EQ("2", Get("a"));
  EXPECT_EQ("1", Get(txn.get(), "a"));  // As it was.
  test::Ok(txn->Rollback());
  test::Ok(txn->Put("a", "3"));
  test::Ok(txn->Commit());
  EXPECT_EQ("3", Get("a"));
}

TEST_F(Optimistic, ReadsForUpdateAreChecked) {
  Open();
  Put("a", "0");
  for (const bool for_update : {false, true}) {
    const auto txn = Begin();
    std::string value;
    if (for_update) {
      test::Ok(txn->GetForUpdate(ReadOptions(), "a", &value));
    } else {
      test::Ok(txn->Get(ReadOptions(), "a", &value));
    }
    test::Ok(txn->Put("b", value));
    Put("a", "1");
    EXPECT_EQ(for_update, txn->Commit().IsBusy());
  }
  const auto txn = Begin();
  EXPECT_TRUE(
      txn->GetForUpdate(ReadOptions(), "no", (std::string*)nullptr).ok());
  txn->UndoGetForUpdate("no");
  Put("no", "1");
  test::Ok(txn->Put("c", "1"));
  test::Ok(txn->Commit());
}

TEST_F(Optimistic, ASnapshotMovesTheBeginningBack) {
  Open();
  Put("a", "0");
  const auto with = Begin(/*set_snapshot=*/true);
  const auto without = Begin();
  Put("a", "1");
  test::Ok(without->Put("a", "2"));
  test::Ok(with->Put("a", "3"));
  EXPECT_TRUE(with->Commit().IsBusy());
  test::Ok(without->Commit());
  ReadOptions read;
  read.snapshot = with->GetSnapshot();
  ASSERT_NE(nullptr, read.snapshot);
  std::string value;
  test::Ok(db_->Get(read, "a", &value));
  EXPECT_EQ("0", value);
}

TEST_F(Optimistic, TheSnapshotOutlivesCommitAndRollback) {
  Open();
  Put("a", "0");
  const auto txn = Begin(/*set_snapshot=*/true);
  const Snapshot* const snapshot = txn->GetSnapshot();
  test::Ok(txn->Put("b", "1"));
  test::Ok(txn->Commit());
  EXPECT_EQ(snapshot, txn->GetSnapshot());
  test::Ok(txn->Rollback());
  EXPECT_EQ(snapshot, txn->GetSnapshot());
  EXPECT_EQ(Transaction::STARTED, txn->GetState());
  // What was committed since then is a change.
  test::Ok(txn->Put("b", "2"));
  EXPECT_TRUE(txn->Commit().IsBusy());
  Transaction* const same =
      db_->BeginTransaction(WriteOptions(), {}, txn.get());
  EXPECT_EQ(nullptr, same->GetSnapshot());
}

TEST_F(Optimistic, AReadMayBeLeftUnchecked) {
  Open();
  Put("a", "0");
  const auto txn = Begin();
  txn->SetSnapshotOnNextOperation();
  std::string value;
  test::Ok(txn->GetForUpdate(ReadOptions(), "a", &value, /*exclusive=*/true,
                             /*do_validate=*/false));
  EXPECT_EQ("0", value);
  EXPECT_EQ(0u, txn->GetNumKeys());
  EXPECT_EQ(nullptr, txn->GetSnapshot());
  Put("a", "1");
  test::Ok(txn->Put("b", "1"));
  test::Ok(txn->Commit());
  ReadOptions read;
  read.snapshot = db_->GetSnapshot();
  EXPECT_TRUE(txn->GetForUpdate(read, "a", &value, /*exclusive=*/true,
                                /*do_validate=*/false)
                  .IsInvalidArgument());
  test::Ok(txn->GetForUpdate(read, "a", &value));
  db_->ReleaseSnapshot(read.snapshot);
}

TEST_F(Optimistic, ASnapshotMayComeWithTheNextKey) {
  class Notifier final : public TransactionNotifier {
   public:
    void SnapshotCreated(const Snapshot* made) override { snapshot = made; }
    const Snapshot* snapshot = nullptr;
  };
  Open();
  const auto notifier = std::make_shared<Notifier>();
  const auto txn = Begin();
  txn->SetSnapshotOnNextOperation(notifier);
  Put("a", "0");
  EXPECT_EQ(nullptr, txn->GetSnapshot());
  test::Ok(txn->Put("a", "1"));
  ASSERT_NE(nullptr, txn->GetSnapshot());
  EXPECT_EQ(notifier->snapshot, txn->GetSnapshot());
  test::Ok(txn->Commit());
}

TEST_F(Optimistic, SavePointsTakeTrackedKeysBack) {
  Open();
  const auto txn = Begin();
  test::Ok(txn->Put("a", "1"));
  txn->SetSavePoint();
  test::Ok(txn->Put("b", "1"));
  txn->SetSavePoint();
  test::Ok(txn->Put("c", "1"));
  test::Ok(txn->PopSavePoint());
  EXPECT_EQ(3u, txn->GetNumKeys());
  test::Ok(txn->RollbackToSavePoint());
  EXPECT_EQ(1u, txn->GetNumKeys());
  EXPECT_EQ(1u, txn->GetNumPuts());
  EXPECT_TRUE(txn->RollbackToSavePoint().IsNotFound());
  Put("b", "2");
  Put("c", "2");
  test::Ok(txn->Commit());
  EXPECT_EQ("1", Get("a"));
  EXPECT_EQ("2", Get("b"));
}

TEST_F(Optimistic, UntrackedWritesAreNotChecked) {
  Open();
  const auto txn = Begin();
  test::Ok(txn->PutUntracked("a", "1"));
  Put("a", "2");
  test::Ok(txn->Commit());
  EXPECT_EQ("1", Get("a"));
  const auto next = Begin();
  EXPECT_TRUE(next->Put(db_->DefaultColumnFamily(), "a", "3",
                        /*assume_tracked=*/true)
                  .IsInvalidArgument());
  test::Ok(next->GetForUpdate(ReadOptions(), "a", (std::string*)nullptr));
  test::Ok(next->Put(db_->DefaultColumnFamily(), "a", "3",
                     /*assume_tracked=*/true));
  next->UndoGetForUpdate("a");  // The write is checked all the same.
  Put("a", "4");
  EXPECT_TRUE(next->Commit().IsBusy());
}

TEST_F(Optimistic, FlushesDoNotHideChanges) {
  Open();
  Put("a", "0");
  const auto loser = Begin();
  const auto winner = Begin();
  test::Ok(loser->Put("a", "1"));
  test::Ok(winner->Put("b", "1"));
  test::Ok(db_->Delete(WriteOptions(), "a"));
  test::Ok(db_->Flush(FlushOptions()));
  CompactRangeOptions compact;
  compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  test::Ok(db_->CompactRange(compact, nullptr, nullptr));
  EXPECT_TRUE(loser->Commit().IsBusy());
  test::Ok(winner->Commit());
}

TEST_F(Optimistic, RangeDeletionsAreChanges) {
  Open();
  Put("b", "0");
  const auto txn = Begin();
  test::Ok(txn->Put("b", "1"));
  test::Ok(db_->DeleteRange(WriteOptions(), "a", "c"));
  EXPECT_TRUE(txn->Commit().IsBusy());
}

TEST_F(Optimistic, WhatItCannotDoItSays) {
  Open();
  const auto txn = Begin();
  EXPECT_TRUE(txn->Prepare().IsInvalidArgument());
  EXPECT_TRUE(txn->SetName("x").IsInvalidArgument());
  ColumnFamilyHandle* family = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &family));
  EXPECT_NE(0, db_->GetOptions(family).max_write_buffer_size_to_maintain);
  test::Ok(txn->Put(family, "a", "1"));
  test::Ok(db_->DropColumnFamily(family));
  EXPECT_TRUE(txn->Commit().IsInvalidArgument());
  test::Ok(db_->DestroyColumnFamilyHandle(family));
}

TEST_F(Optimistic, IsReusedAndRebuilt) {
  Open();
  WriteBatch batch;
  test::Ok(batch.Put("a", "1"));
  test::Ok(batch.Delete("b"));
  auto txn = Begin();
  test::Ok(txn->Put("x", "1"));
  Transaction* const same =
      db_->BeginTransaction(WriteOptions(), {}, txn.get());
  EXPECT_EQ(txn.get(), same);
  EXPECT_EQ(0u, txn->GetNumKeys());
  test::Ok(txn->RebuildFromWriteBatch(&batch));
  EXPECT_EQ(2u, txn->GetNumKeys());
  EXPECT_EQ("1", Get(txn.get(), "a"));
  test::Ok(txn->Commit());
  EXPECT_EQ("1", Get("a"));
  EXPECT_EQ("NotFound: ", Get("x"));
}

struct Load {
  const char* name = "";
  bool flushes = false;
  bool sync = false;
};

class OptimisticAtOnce : public Optimistic,
                         public ::testing::WithParamInterface<Load> {};

// Threads move amounts between accounts, and one reads all of them: the sum
// never changes. Each also counts up a number of its own: no commit is lost.
TEST_P(OptimisticAtOnce, MovesKeepTheSum) {
  constexpr int kAccounts = 8;
  constexpr int kThreads = 4;
  constexpr int kMoves = 300;
  options_.write_buffer_size = 64 << 10;
  Open();
  const auto account = [](uint64_t i) { return "account" + std::to_string(i); };
  for (int i = 0; i < kAccounts; ++i) Put(account(i), "100");
  Put("moves", "0");
  std::atomic<int> committed{0};
  std::atomic<bool> over{false};
  const auto number = [](const std::string& text) { return std::stoi(text); };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      engine::Random64 random(static_cast<uint64_t>(t) + 1);
      for (int done = 0; done < kMoves;) {
        WriteOptions write;
        write.sync = GetParam().sync && random.OneIn(10);
        const std::unique_ptr<Transaction> txn(db_->BeginTransaction(write));
        const std::string from = account(random.Uniform(kAccounts));
        const std::string to = account(random.Uniform(kAccounts));
        if (from == to) continue;
        std::string a;
        std::string b;
        std::string moves;
        test::Ok(txn->GetForUpdate(ReadOptions(), from, &a));
        test::Ok(txn->GetForUpdate(ReadOptions(), to, &b));
        const bool counts = random.OneIn(4);
        if (counts) test::Ok(txn->GetForUpdate(ReadOptions(), "moves", &moves));
        std::this_thread::yield();  // Others change what was read.
        const int amount = static_cast<int>(random.Uniform(10));
        test::Ok(txn->Put(from, std::to_string(number(a) - amount)));
        test::Ok(txn->Put(to, std::to_string(number(b) + amount)));
        if (counts)
          test::Ok(txn->Put("moves", std::to_string(number(moves) + 1)));
        const Status status = txn->Commit();
        ++done;
        if (status.ok()) {
          committed += counts ? 1 : 0;
        } else {
          ASSERT_TRUE(status.IsBusy() || status.IsTryAgain())
              << status.ToString();
        }
      }
    });
  }
  std::thread flusher([&] {
    while (GetParam().flushes && !over) {
      test::Ok(db_->Flush(FlushOptions()));
    }
  });
  std::thread reader([&] {
    while (!over) {
      ManagedSnapshot held(db_.get());
      ReadOptions read;
      read.snapshot = held.snapshot();
      int sum = 0;
      for (int i = 0; i < kAccounts; ++i) {
        std::string value;
        test::Ok(db_->Get(read, account(i), &value));
        sum += number(value);
      }
      EXPECT_EQ(100 * kAccounts, sum);
    }
  });
  for (std::thread& thread : threads) thread.join();
  over = true;
  flusher.join();
  reader.join();
  EXPECT_EQ(std::to_string(committed), Get("moves"));
  EXPECT_GT(committed, 0);
}

INSTANTIATE_TEST_SUITE_P(Loads, OptimisticAtOnce,
                         ::testing::Values(Load{"Plain", false, false},
                                           Load{"Flushes", true, false},
                                           Load{"Syncs", false, true}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
