// Optimistic transactions: what they see, what fails their commit, and that
// what many of them do at once is the same as one after the other.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/mem/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/utilities/optimistic_transaction_db.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "test/db/transaction/moves.h"
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

TEST_F(Optimistic, FamiliesWithTimestampsAreRefused) {
  Open();
  ColumnFamilyOptions timed;
  timed.comparator = BytewiseComparatorWithU64Ts();
  ColumnFamilyHandle* family = nullptr;
  test::Ok(db_->CreateColumnFamily(timed, "timed", &family));
  const auto txn = Begin();
  const Status refused = txn->Put(family, "k", "v");
  EXPECT_EQ(
      "Invalid argument: transactions: column family timed has user "
      "timestamps: they cannot be written by transactions",
      refused.ToString());
  EXPECT_TRUE(txn->PutUntracked(family, "k", "v").IsInvalidArgument());
  EXPECT_TRUE(txn->Delete(family, "k").IsInvalidArgument());
  EXPECT_TRUE(txn->SingleDelete(family, "k").IsInvalidArgument());
  EXPECT_TRUE(txn->Merge(family, "k", "v").IsInvalidArgument());
  EXPECT_EQ(0u, txn->GetNumKeys());
  EXPECT_EQ(0u, txn->GetWriteBatch()->GetWriteBatch()->Count());
  test::Ok(db_->DestroyColumnFamilyHandle(family));
}

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

TEST_P(OptimisticAtOnce, MovesKeepTheSum) {
  options_.write_buffer_size = 64 << 10;
  Open();
  test::MoveRules rules;
  rules.flushes = GetParam().flushes;
  rules.begin = [this](engine::Random64* random) {
    WriteOptions write;
    write.sync = GetParam().sync && random->OneIn(10);
    return std::unique_ptr<Transaction>(db_->BeginTransaction(write));
  };
  test::MovesKeepTheSum(db_.get(), rules);
}

INSTANTIATE_TEST_SUITE_P(Loads, OptimisticAtOnce,
                         ::testing::Values(Load{"Plain", false, false},
                                           Load{"Flushes", true, false},
                                           Load{"Syncs", false, true}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
