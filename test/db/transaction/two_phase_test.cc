// Two-phase commits: what is prepared survives whatever comes before its
// decision, and what is decided stays decided.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "test/support/error_fs.h"
#include "test/support/golden.h"
#include "test/support/ok.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using engine::CrashOptions;
using engine::MemFileSystem;

class TwoPhase : public ::testing::Test {
 protected:
  TwoPhase() {
    options_.create_if_missing = true;
    options_.max_bgerror_resume_count = 0;  // Tests resume themselves.
    db_options_.transaction_lock_timeout = 0;
    db_options_.default_lock_timeout = 0;
    UseFileSystem(std::make_shared<MemFileSystem>());
  }
  ~TwoPhase() override { db_.reset(); }

  void UseFileSystem(std::shared_ptr<MemFileSystem> fs) {
    db_.reset();
    fs_ = std::move(fs);
    errors_ = std::make_shared<test::ErrorFileSystem>(fs_);
    env_ = NewCompositeEnv(errors_);
    options_.env = env_.get();
  }
  void Open() {
    db_.reset();
    TransactionDB* db = nullptr;
    test::Ok(TransactionDB::Open(options_, db_options_, "/db", &db));
    db_.reset(db);
  }
  // The power fails, and comes back.
  void CutPower() {
    CrashOptions crash;
    UseFileSystem(fs_->CrashClone(crash));
    Open();
  }
  std::unique_ptr<Transaction> Begin(const std::string& name,
                                     bool sync = false) {
    WriteOptions write;
    write.sync = sync;
    std::unique_ptr<Transaction> txn(db_->BeginTransaction(write));
    test::Ok(txn->SetName(name));
    return txn;
  }
  std::unique_ptr<Transaction> Prepared(const std::string& name,
                                        const std::string& key,
                                        const std::string& value,
                                        bool sync = false) {
    auto txn = Begin(name, sync);
    test::Ok(txn->Put(key, value));
    test::Ok(txn->Prepare());
    return txn;
  }
  std::unique_ptr<Transaction> Found(const std::string& name) {
    Transaction* const txn = db_->GetTransactionByName(name);
    if (txn == nullptr) return nullptr;
    EXPECT_EQ(Transaction::PREPARED, txn->GetState());
    return std::unique_ptr<Transaction>(txn);
  }
  Status Put(const std::string& key, const std::string& value) {
    return db_->Put(WriteOptions(), key, value);
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  // A flush deletes logs after it has been reported.
  size_t NumLogs() const {
    test::Ok(db_->WaitForCompact(WaitForCompactOptions()));
    std::vector<std::string> names;
    test::Ok(env_->GetChildren("/db", &names));
    return static_cast<size_t>(
        std::count_if(names.begin(), names.end(), [](const auto& name) {
          return name.size() > 4 && name.substr(name.size() - 4) == ".log";
        }));
  }

  Options options_;
  TransactionDBOptions db_options_;
  std::shared_ptr<MemFileSystem> fs_;
  std::shared_ptr<test::ErrorFileSystem> errors_;
  std::unique_ptr<Env> env_;
  std::unique_ptr<TransactionDB> db_;
};

TEST_F(TwoPhase, APreparedTransactionIsDecided) {
  Open();
  const auto commits = Prepared("c", "a", "1");
  const auto rolls_back = Prepared("r", "b", "1");
  EXPECT_EQ(Transaction::PREPARED, commits->GetState());
  EXPECT_TRUE(commits->Prepare().IsInvalidArgument());
  EXPECT_TRUE(commits->Put("x", "1").IsInvalidArgument());
  EXPECT_TRUE(commits->SetName("y").IsInvalidArgument());
  EXPECT_EQ("NotFound: ", Get("a"));
  EXPECT_TRUE(Put("a", "2").IsTimedOut());
  std::vector<Transaction*> prepared;
  db_->GetAllPreparedTransactions(&prepared);
  EXPECT_EQ(2u, prepared.size());
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  test::Ok(commits->Commit());
  EXPECT_EQ(before + 1, db_->GetLatestSequenceNumber());
  test::Ok(rolls_back->Rollback());
  EXPECT_EQ(before + 1, db_->GetLatestSequenceNumber());
  EXPECT_EQ(Transaction::COMMITTED, commits->GetState());
  EXPECT_EQ(Transaction::ROLLEDBACK, rolls_back->GetState());
  EXPECT_TRUE(rolls_back->Rollback().IsInvalidArgument());
  EXPECT_TRUE(rolls_back->Commit().IsInvalidArgument());
  EXPECT_TRUE(rolls_back->Prepare().IsInvalidArgument());
  EXPECT_EQ("1", Get("a"));
  EXPECT_EQ("NotFound: ", Get("b"));
  EXPECT_TRUE(db_->GetLockStatusData().empty());
  db_->GetAllPreparedTransactions(&prepared);
  EXPECT_TRUE(prepared.empty());
  EXPECT_EQ(nullptr, db_->GetTransactionByName("c"));
  const auto unnamed =
      std::unique_ptr<Transaction>(db_->BeginTransaction(WriteOptions()));
  EXPECT_TRUE(unnamed->Prepare().IsInvalidArgument());
}

TEST_F(TwoPhase, APolicyMayFollowAnother) {
  constexpr TxnDBWritePolicy kPolicies[] = {WRITE_PREPARED, WRITE_UNPREPARED,
                                            WRITE_COMMITTED, WRITE_PREPARED};
  int last = -1;
  for (const TxnDBWritePolicy policy : kPolicies) {
    db_options_.write_policy = policy;
    Open();
    if (last >= 0) {
      const std::string before = std::to_string(last);
      EXPECT_EQ("NotFound: ", Get("k" + before));
      EXPECT_TRUE(Put("k" + before, "2").IsTimedOut());
      const auto found = Found("t" + before);
      ASSERT_NE(nullptr, found);
      test::Ok(last % 2 == 0 ? found->Commit() : found->Rollback());
      EXPECT_EQ(last % 2 == 0 ? "1" : "NotFound: ", Get("k" + before));
    }
    ++last;
    // As a process that ends without a decision, before and after a flush.
    Prepared("t" + std::to_string(last), "k" + std::to_string(last), "1")
        .reset();
    if (last < 2) test::Ok(db_->Flush(FlushOptions()));
    EXPECT_EQ("NotFound: ", Get("k" + std::to_string(last)));
  }
}

TEST_F(TwoPhase, WritesOfTheCommitComeFirst) {
  Open();
  auto txn = Prepared("t", "k", "prepared");
  test::Ok(txn->GetCommitTimeWriteBatch()->Put("k", "commit"));
  test::Ok(txn->GetCommitTimeWriteBatch()->Put("l", "commit"));
  test::Ok(txn->Commit());
  EXPECT_EQ("prepared", Get("k"));
  EXPECT_EQ("commit", Get("l"));
  const SequenceNumber last = db_->GetLatestSequenceNumber();
  txn.reset();
  Open();
  EXPECT_EQ("prepared", Get("k"));
  EXPECT_EQ("commit", Get("l"));
  EXPECT_LE(last, db_->GetLatestSequenceNumber());
}

TEST_F(TwoPhase, SurvivesAReopening) {
  for (const bool flushes : {false, true}) {
    for (const bool keeps : {false, true}) {
      options_.avoid_flush_during_recovery = keeps;
      Open();
      const std::string tag = std::to_string(flushes) + std::to_string(keeps);
      test::Ok(Put("before" + tag, "0"));
      auto a = Prepared("a", "a" + tag, "1");
      auto b = Prepared("b", "b" + tag, "1");
      // As a process that ends without a decision.
      a.reset();
      b.reset();
      if (flushes) test::Ok(db_->Flush(FlushOptions()));
      test::Ok(Put("after" + tag, "0"));
      for (int round = 0; round < 3; ++round) {
        Open();
        EXPECT_EQ("NotFound: ", Get("a" + tag));
        EXPECT_TRUE(Put("a" + tag, "2").IsTimedOut());
        std::vector<Transaction*> prepared;
        db_->GetAllPreparedTransactions(&prepared);
        EXPECT_EQ(2u, prepared.size());
        if (flushes && round == 1) test::Ok(db_->Flush(FlushOptions()));
      }
      std::string value;
      test::Ok(Found("a")->Get(ReadOptions(), "a" + tag, &value));
      EXPECT_EQ("1", value);
      Open();
      test::Ok(Found("a")->Commit());
      test::Ok(Found("b")->Rollback());
      EXPECT_EQ("1", Get("a" + tag));
      test::Ok(Put("b" + tag, "2"));
      for (int round = 0; round < 2; ++round) {
        Open();
        EXPECT_EQ("1", Get("a" + tag));
        EXPECT_EQ("2", Get("b" + tag));
        EXPECT_EQ("0", Get("before" + tag));
        EXPECT_EQ("0", Get("after" + tag));
        EXPECT_EQ(nullptr, db_->GetTransactionByName("a"));
      }
    }
  }
}

TEST_F(TwoPhase, APlainDatabaseKeepsWhatIsPrepared) {
  Open();
  Prepared("t", "k", "1").reset();
  db_.reset();
  for (int round = 0; round < 2; ++round) {
    std::unique_ptr<DB> plain;
    test::Ok(DB::Open(options_, "/db", &plain));
    std::string value;
    EXPECT_TRUE(plain->Get(ReadOptions(), "k", &value).IsNotFound());
    test::Ok(plain->Put(WriteOptions(), "x" + std::to_string(round), "0"));
    test::Ok(plain->Flush(FlushOptions()));
  }
  Open();
  test::Ok(Found("t")->Commit());
  EXPECT_EQ("1", Get("k"));
}

TEST_F(TwoPhase, TheLogStaysUntilTheDataIsInATable) {
  Open();
  auto txn = Prepared("t", "k", "1", /*sync=*/true);
  for (int i = 0; i < 5; ++i) {
    test::Ok(Put("x" + std::to_string(i), "0"));
    test::Ok(db_->Flush(FlushOptions()));
  }
  EXPECT_EQ(6u, NumLogs());
  txn->SetWriteOptions(WriteOptions());
  test::Ok(txn->Commit());
  txn.reset();
  // In a memtable only: its prepared section is still needed.
  CutPower();
  EXPECT_EQ("NotFound: ", Get("k"));  // The commit was not synced.
  txn = Found("t");
  ASSERT_NE(nullptr, txn);
  test::Ok(txn->Commit());
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(Put("y", "0"));
  test::Ok(db_->Flush(FlushOptions()));
  EXPECT_EQ(1u, NumLogs());
  txn.reset();
  CutPower();
  EXPECT_EQ("1", Get("k"));
}

// The log of the prepared section is closed, flushed and not synced when the
// commit is.
TEST_F(TwoPhase, ASyncedCommitMakesThePreparedSectionDurable) {
  Open();
  auto txn = Prepared("t", "k", "1");
  test::Ok(Put("x", "0"));
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(Put("y", "0"));
  test::Ok(db_->Flush(FlushOptions()));
  WriteOptions sync;
  sync.sync = true;
  txn->SetWriteOptions(sync);
  test::Ok(txn->Commit());
  txn.reset();
  CutPower();
  EXPECT_EQ("1", Get("k"));
}

// Else recovery finds the transaction undecided, and its decision would change
// what was written after it.
TEST_F(TwoPhase, ATableDoesNotOutliveTheMarkOfItsCommit) {
  for (const bool commits : {true, false}) {
    Open();
    const std::string key = commits ? "c" : "r";
    auto txn = Prepared("t", key, "1", /*sync=*/true);
    test::Ok(Put("x", "0"));
    test::Ok(db_->Flush(FlushOptions()));
    txn->SetWriteOptions(WriteOptions());
    test::Ok(commits ? txn->Commit() : txn->Rollback());
    txn.reset();
    test::Ok(Put(key, "newer"));
    test::Ok(db_->Flush(FlushOptions()));
    CutPower();
    EXPECT_EQ(nullptr, db_->GetTransactionByName("t"));
    EXPECT_EQ("newer", Get(key));
  }
}

TEST_F(TwoPhase, WhatIsPreparedDoesNotChange) {
  Open();
  auto txn = Begin("t");
  test::Ok(txn->Put("a", "1"));
  txn->SetSavePoint();
  test::Ok(txn->Put("b", "1"));
  test::Ok(txn->Prepare());
  EXPECT_TRUE(txn->RollbackToSavePoint().IsInvalidArgument());
  test::Ok(txn->GetWriteBatch()->Put("c", "1"));
  std::string value;
  test::Ok(txn->GetForUpdate(ReadOptions(), "a", &value));
  EXPECT_TRUE(Put("b", "2").IsTimedOut());
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  test::Ok(txn->Commit());
  EXPECT_EQ(before + 2, db_->GetLatestSequenceNumber());
  test::Ok(Put("d", "1"));
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ("1", Get("a"));
    EXPECT_EQ("1", Get("b"));
    EXPECT_EQ("NotFound: ", Get("c"));
    EXPECT_EQ("1", Get("d"));
    txn.reset();
    Open();
  }
}

TEST_F(TwoPhase, LimitsDoNotKeepADatabaseClosed) {
  Open();
  auto txn = Begin("t");
  for (const char* key : {"a", "b", "c"}) test::Ok(txn->Put(key, "1"));
  test::Ok(txn->GetWriteBatch()->GetWriteBatch()->DeleteRange("x", "y"));
  test::Ok(txn->Prepare());
  txn.reset();
  test::Ok(Put("x1", "1"));
  db_options_.max_num_locks = 1;
  Open();
  test::Ok(Found("t")->Commit());
  EXPECT_EQ("1", Get("c"));
  EXPECT_EQ("NotFound: ", Get("x1"));
}

TEST_F(TwoPhase, WhatIsRefusedMayBeTriedAgain) {
  Open();
  ColumnFamilyHandle* family = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &family));
  auto txn = Begin("t");
  test::Ok(txn->Put(family, "k", "1"));
  test::Ok(db_->DropColumnFamily(family));
  EXPECT_TRUE(txn->Prepare().IsInvalidArgument());
  EXPECT_EQ(Transaction::STARTED, txn->GetState());
  test::Ok(txn->Rollback());
  test::Ok(txn->Put("k", "1"));
  test::Ok(txn->Prepare());
  // Of a family that is gone.
  test::Ok(txn->GetCommitTimeWriteBatch()->Put(family, "k", "1"));
  EXPECT_TRUE(txn->Commit().IsInvalidArgument());
  EXPECT_EQ(Transaction::PREPARED, txn->GetState());
  txn->GetCommitTimeWriteBatch()->Clear();
  test::Ok(txn->Commit());
  EXPECT_EQ("1", Get("k"));
  test::Ok(db_->DestroyColumnFamilyHandle(family));
}

TEST_F(TwoPhase, ADroppedFamilyHoldsNoLog) {
  Open();
  ColumnFamilyHandle* family = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &family));
  auto txn = Begin("t");
  test::Ok(txn->Put(family, "k", "1"));
  test::Ok(txn->Prepare());
  test::Ok(txn->Commit());
  test::Ok(db_->DropColumnFamily(family));
  for (int i = 0; i < 3; ++i) {
    test::Ok(Put("x", "0"));
    test::Ok(db_->Flush(FlushOptions()));
  }
  EXPECT_EQ(1u, NumLogs());
  txn.reset();
  test::Ok(db_->DestroyColumnFamilyHandle(family));
}

// A flush replaces what the log had.
TEST_F(TwoPhase, AResumeAfterTheDecisionsIsAsAlways) {
  Open();
  auto txn = Prepared("t", "k", "1", /*sync=*/true);
  test::Ok(txn->Commit());
  test::Ok(
      errors_->SetRule(R"((ErrRetryable (And append (PathMatch "*.log"))))"));
  EXPECT_FALSE(Put("x", "1").ok());
  errors_->ClearRule();
  test::Ok(db_->Resume());
  test::Ok(Put("x", "1"));
  txn.reset();
  CutPower();
  EXPECT_EQ("1", Get("k"));
}

TEST_F(TwoPhase, AFlushOfAnotherFamilyDoesNotEndIt) {
  Open();
  ColumnFamilyHandle* family = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &family));
  auto txn = Begin("t", /*sync=*/true);
  test::Ok(txn->Put("k", "1"));
  test::Ok(txn->Put(family, "k", "2"));
  test::Ok(txn->Prepare());
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(db_->Flush(FlushOptions(), family));
  test::Ok(txn->Commit());
  test::Ok(db_->Flush(FlushOptions(), family));
  test::Ok(Put("y", "0"));
  txn.reset();
  test::Ok(db_->DestroyColumnFamilyHandle(family));
  db_.reset();
  UseFileSystem(fs_->CrashClone({}));
  TransactionDB* db = nullptr;
  std::vector<ColumnFamilyHandle*> handles;
  test::Ok(TransactionDB::Open(
      options_, db_options_, "/db",
      {{kDefaultColumnFamilyName, options_}, {"other", options_}}, &handles,
      &db));
  db_.reset(db);
  EXPECT_EQ("1", Get("k"));
  std::string value;
  test::Ok(db_->Get(ReadOptions(), handles[1], "k", &value));
  EXPECT_EQ("2", value);
  for (ColumnFamilyHandle* handle : handles) {
    test::Ok(db_->DestroyColumnFamilyHandle(handle));
  }
}

TEST_F(TwoPhase, WithoutLocksTwoMayHaveOneKey) {
  Open();
  TransactionOptions options;
  options.skip_concurrency_control = true;
  for (const std::string name : {"a", "b"}) {
    const std::unique_ptr<Transaction> txn(
        db_->BeginTransaction(WriteOptions(), options));
    test::Ok(txn->SetName(name));
    test::Ok(txn->Put("k", name));
    test::Ok(txn->Put(name, name));
    test::Ok(txn->Prepare());
  }
  Open();
  EXPECT_TRUE(Put("k", "x").IsTimedOut());
  test::Ok(Found("b")->Commit());
  test::Ok(Found("a")->Commit());
  EXPECT_EQ("a", Get("k"));
  EXPECT_EQ("b", Get("b"));
  test::Ok(Put("k", "x"));
}

TEST_F(TwoPhase, AFamilyMayGoBeforeTheDecision) {
  Open();
  ColumnFamilyHandle* family = nullptr;
  test::Ok(db_->CreateColumnFamily(options_, "other", &family));
  auto txn = Begin("t");
  test::Ok(txn->Put(family, "k", "2"));
  test::Ok(txn->Put("k", "1"));
  test::Ok(txn->Prepare());
  test::Ok(db_->DropColumnFamily(family));
  test::Ok(db_->DestroyColumnFamilyHandle(family));
  txn.reset();
  Open();
  test::Ok(Put("z", "0"));
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  test::Ok(Found("t")->Commit());
  // As many as the log has.
  EXPECT_EQ(before + 2, db_->GetLatestSequenceNumber());
  EXPECT_EQ("1", Get("k"));
  test::Ok(Put("z", "1"));
  Open();
  EXPECT_EQ("1", Get("k"));
  EXPECT_EQ("1", Get("z"));
}

TEST_F(TwoPhase, AFailedLogNeedsAReopening) {
  Open();
  auto txn = Prepared("t", "k", "1", /*sync=*/true);
  test::Ok(
      errors_->SetRule(R"((ErrRetryable (And append (PathMatch "*.log"))))"));
  EXPECT_FALSE(txn->Commit().ok());
  EXPECT_EQ(Transaction::AWAITING_COMMIT, txn->GetState());
  errors_->ClearRule();
  EXPECT_FALSE(db_->Resume().ok());
  EXPECT_FALSE(Put("x", "1").ok());
  EXPECT_TRUE(txn->Rollback().IsInvalidArgument());
  txn.reset();
  Open();
  txn = Found("t");
  ASSERT_NE(nullptr, txn);
  test::Ok(txn->Commit());
  EXPECT_EQ("1", Get("k"));
}

TEST_F(TwoPhase, AFailedPrepareMayBeRolledBack) {
  Open();
  test::Ok(
      errors_->SetRule(R"((ErrRetryable (And append (PathMatch "*.log"))))"));
  auto txn = Begin("t");
  test::Ok(txn->Put("k", "1"));
  EXPECT_FALSE(txn->Prepare().ok());
  EXPECT_EQ(Transaction::AWAITING_PREPARE, txn->GetState());
  EXPECT_TRUE(txn->Commit().IsInvalidArgument());
  errors_->ClearRule();
  test::Ok(db_->Resume());
  test::Ok(txn->Rollback());
  EXPECT_TRUE(db_->GetLockStatusData().empty());
  txn.reset();
  Open();
  EXPECT_EQ(nullptr, db_->GetTransactionByName("t"));
}

// ---- What RocksDB has prepared.

class PreparedByRocksDB : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Releases, PreparedByRocksDB,
                         ::testing::Values("v7.8.3", "v11.9"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST_P(PreparedByRocksDB, IsDecidedHere) {
  const std::filesystem::path source =
      test::GoldenFolder() / GetParam() / "txn_write_committed/db";
  if (!std::filesystem::exists(source)) {
    RIVERSTONE_SKIP_WITHOUT(std::vector<int>());
  }
  const test::TempDir dir;
  const std::string path = dir.File("db");
  std::filesystem::copy(source, path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  const auto visit = [&](const auto& look) {
    TransactionDB* db = nullptr;
    std::vector<ColumnFamilyHandle*> handles;
    test::Ok(
        TransactionDB::Open(DBOptions(), TransactionDBOptions(), path,
                            {{kDefaultColumnFamilyName, ColumnFamilyOptions()},
                             {"cf1", ColumnFamilyOptions()}},
                            &handles, &db));
    const std::unique_ptr<TransactionDB> owned(db);
    std::vector<Transaction*> prepared;
    db->GetAllPreparedTransactions(&prepared);
    look(db, prepared);
    for (ColumnFamilyHandle* handle : handles) {
      test::Ok(db->DestroyColumnFamilyHandle(handle));
    }
  };
  visit([](TransactionDB* db, const std::vector<Transaction*>& prepared) {
    EXPECT_EQ(2u, prepared.size());
    const std::unique_ptr<Transaction> one(
        db->GetTransactionByName("prepared-before-flush"));
    ASSERT_NE(nullptr, one);
    std::string value;
    EXPECT_TRUE(db->Get(ReadOptions(), "pbf", &value).IsNotFound());
    test::Ok(one->Get(ReadOptions(), "pbf", &value));
    test::Ok(one->Commit());
  });
  visit([](TransactionDB* db, const std::vector<Transaction*>& prepared) {
    EXPECT_EQ(1u, prepared.size());
    std::string value;
    test::Ok(db->Get(ReadOptions(), "pbf", &value));
    const std::unique_ptr<Transaction> other(
        db->GetTransactionByName("prepared-not-committed"));
    ASSERT_NE(nullptr, other);
    test::Ok(other->Rollback());
  });
  visit([](TransactionDB* /*db*/, const std::vector<Transaction*>& prepared) {
    EXPECT_TRUE(prepared.empty());
  });
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
