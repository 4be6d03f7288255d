// What is prepared and undecided goes along: into copies of the database, past
// a secondary instance, and through all that moves data between files.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/convenience.h"
#include "rocksdb/utilities/backup_engine.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// When the prepared section's log was closed, and how it is decided.
struct CopyCase {
  bool flushed = false;
  bool commits = false;
};

class PreparedCopies : public ::testing::TestWithParam<CopyCase> {
 protected:
  PreparedCopies()
      : fs_(std::make_shared<engine::MemFileSystem>()),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.avoid_flush_during_shutdown = true;
    db_options_.transaction_lock_timeout = 0;
    db_options_.default_lock_timeout = 0;
  }
  ~PreparedCopies() override { db_.reset(); }

  // Another database is closed first.
  void Open(const std::string& path = "/db") {
    db_.reset();
    TransactionDB* db = nullptr;
    test::Ok(TransactionDB::Open(options_, db_options_, path, &db));
    db_.reset(db);
  }
  void Put(const std::string& key, const std::string& value) {
    test::Ok(db_->Put(WriteOptions(), key, value));
  }
  static std::string Get(DB* db, const std::string& key) {
    std::string value;
    const Status status = db->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  std::unique_ptr<Transaction> Prepare(const std::string& name) {
    std::unique_ptr<Transaction> txn(db_->BeginTransaction(WriteOptions()));
    test::Ok(txn->SetName(name));
    test::Ok(txn->Put("new" + name, "prepared"));
    test::Ok(txn->Put("old" + name, "prepared"));
    test::Ok(txn->Delete("gone" + name));
    test::Ok(txn->Prepare());
    return txn;
  }
  // Rows, and a transaction that would change some.
  std::unique_ptr<Transaction> Fill() {
    Put("oldt", "0");
    Put("gonet", "0");
    auto txn = Prepare("t");
    if (GetParam().flushed) {
      Put("between", "1");
      test::Ok(db_->Flush(FlushOptions()));
    }
    Put("after", "1");
    return txn;
  }
  static void ExpectUndecided(DB* db) { ExpectDecided(db, false); }
  static void ExpectDecided(DB* db, bool committed) {
    EXPECT_EQ(committed ? "prepared" : "NotFound: ", Get(db, "newt"));
    EXPECT_EQ(committed ? "prepared" : "0", Get(db, "oldt"));
    EXPECT_EQ(committed ? "NotFound: " : "0", Get(db, "gonet"));
    EXPECT_EQ("1", Get(db, "after"));
    EXPECT_EQ(GetParam().flushed ? "1" : "NotFound: ", Get(db, "between"));
  }
  // The transaction is found in the open database, decided, and stays so.
  void DecideFound(const std::string& path, bool commits) {
    ExpectUndecided(db_.get());
    EXPECT_TRUE(db_->Put(WriteOptions(), "oldt", "x").IsTimedOut());
    std::unique_ptr<Transaction> txn(db_->GetTransactionByName("t"));
    ASSERT_NE(nullptr, txn);
    EXPECT_EQ(Transaction::PREPARED, txn->GetState());
    test::Ok(commits ? txn->Commit() : txn->Rollback());
    txn.reset();
    for (int round = 0; round < 2; ++round) {
      ExpectDecided(db_.get(), commits);
      EXPECT_EQ(nullptr, db_->GetTransactionByName("t"));
      Open(path);
    }
    Put("oldt", "0");
    Put("gonet", "0");
  }
  // The copy decides one way, and the source the other way.
  void DecideBoth(std::unique_ptr<Transaction> txn, const std::string& copy) {
    ExpectUndecided(db_.get());
    txn.reset();
    Open(copy);
    DecideFound(copy, GetParam().commits);
    Open();
    DecideFound("/db", !GetParam().commits);
  }

  std::shared_ptr<engine::MemFileSystem> fs_;
  std::unique_ptr<Env> env_;
  Options options_;
  TransactionDBOptions db_options_;
  std::unique_ptr<TransactionDB> db_;
};

INSTANTIATE_TEST_SUITE_P(
    Cases, PreparedCopies,
    ::testing::Values(CopyCase{false, false}, CopyCase{false, true},
                      CopyCase{true, false}, CopyCase{true, true}),
    [](const auto& row) -> std::string {
      return std::string(row.param.flushed ? "FlushedAnd" : "LoggedAnd") +
             (row.param.commits ? "Committed" : "RolledBack");
    });

TEST_P(PreparedCopies, ACheckpointHasIt) {
  for (const uint64_t log_size_for_flush : {uint64_t{0}, uint64_t{1} << 30}) {
    const std::string copy = "/copy" + std::to_string(log_size_for_flush);
    Open();
    auto txn = Fill();
    Checkpoint* checkpoint = nullptr;
    test::Ok(Checkpoint::Create(db_.get(), &checkpoint));
    const std::unique_ptr<Checkpoint> owned(checkpoint);
    test::Ok(checkpoint->CreateCheckpoint(copy, log_size_for_flush));
    DecideBoth(std::move(txn), copy);
    test::Ok(db_->Delete(WriteOptions(), "newt"));
  }
}

TEST_P(PreparedCopies, ABackupHasIt) {
  for (const bool flushes : {false, true}) {
    const std::string copy = "/restored" + std::to_string(flushes);
    Open();
    auto txn = Fill();
    BackupEngineOptions backup("/backup");
    BackupEngine* engine = nullptr;
    test::Ok(BackupEngine::Open(backup, env_.get(), &engine));
    const std::unique_ptr<BackupEngine> owned(engine);
    test::Ok(engine->CreateNewBackup(db_.get(), flushes));
    test::Ok(engine->RestoreDBFromLatestBackup(copy, copy));
    DecideBoth(std::move(txn), copy);
    test::Ok(db_->Delete(WriteOptions(), "newt"));
  }
}

TEST_P(PreparedCopies, ASecondaryShowsItOnceItIsCommitted) {
  Open();
  auto txn = Fill();
  std::unique_ptr<DB> secondary;
  Options options = options_;
  options.max_open_files = -1;
  test::Ok(DB::OpenAsSecondary(options, "/db", "/secondary", &secondary));
  ExpectUndecided(secondary.get());
  auto later = Prepare("later");
  test::Ok(secondary->TryCatchUpWithPrimary());
  ExpectUndecided(secondary.get());
  EXPECT_EQ("NotFound: ", Get(secondary.get(), "newlater"));
  test::Ok(GetParam().commits ? txn->Commit() : txn->Rollback());
  test::Ok(secondary->TryCatchUpWithPrimary());
  ExpectDecided(secondary.get(), GetParam().commits);
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(secondary->TryCatchUpWithPrimary());
  ExpectDecided(secondary.get(), GetParam().commits);
  test::Ok(later->Commit());
  test::Ok(secondary->TryCatchUpWithPrimary());
  EXPECT_EQ("prepared", Get(secondary.get(), "newlater"));
  test::Ok(db_->Flush(FlushOptions()));
  test::Ok(secondary->TryCatchUpWithPrimary());
  EXPECT_EQ("prepared", Get(secondary.get(), "newlater"));
  ExpectDecided(secondary.get(), GetParam().commits);
}

// ---- What moves data, while it is undecided and after it.

// Fills, moves, opens again, decides, moves, opens again.
class PreparedMoves : public PreparedCopies {
 protected:
  void Run(const std::function<void()>& move) {
    Open();
    auto txn = Fill();
    move();
    ExpectUndecided(db_.get());
    txn.reset();
    Open();
    move();
    ExpectUndecided(db_.get());
    txn.reset(db_->GetTransactionByName("t"));
    ASSERT_NE(nullptr, txn);
    test::Ok(GetParam().commits ? txn->Commit() : txn->Rollback());
    txn.reset();
    for (int round = 0; round < 3; ++round) {
      ExpectDecided(db_.get(), GetParam().commits);
      move();
      ExpectDecided(db_.get(), GetParam().commits);
      if (round == 1) CutPower();
      Open();
      EXPECT_EQ(nullptr, db_->GetTransactionByName("t"));
    }
    ExpectDecided(db_.get(), GetParam().commits);
  }
  // What a move has written, and what was there before it, is synced.
  void CutPower() {
    test::Ok(db_->SyncWAL());
    fs_ = fs_->CrashClone(engine::CrashOptions());
    db_.reset();
    env_ = NewCompositeEnv(fs_);
    options_.env = env_.get();
  }
  // One key again and again, until memtables are full.
  void Overwrite() {
    for (int i = 0; i < 1000; ++i) Put("often", std::string(200, 'o'));
  }
};

INSTANTIATE_TEST_SUITE_P(Cases, PreparedMoves,
                         ::testing::Values(CopyCase{false, false},
                                           CopyCase{false, true},
                                           CopyCase{true, false},
                                           CopyCase{true, true}));

TEST_P(PreparedMoves, MemtablesThatArePurged) {
  options_.experimental_mempurge_threshold = 1.0;
  options_.max_total_wal_size = 64 << 20;
  options_.max_write_buffer_number = 6;
  options_.write_buffer_size = 64 << 10;
  Run([this] { Overwrite(); });  // Some are flushed all the same.
}

TEST_P(PreparedMoves, WaitingForCompactions) {
  options_.write_buffer_size = 64 << 10;
  options_.level0_file_num_compaction_trigger = 2;
  Run([this] {
    Overwrite();
    WaitForCompactOptions wait;
    wait.flush = true;
    test::Ok(db_->WaitForCompact(wait));
  });
}

TEST_P(PreparedMoves, AtomicFlushes) {
  options_.atomic_flush = true;
  Run([this] {
    Put("more", "1");
    test::Ok(db_->Flush(FlushOptions(), {db_->DefaultColumnFamily()}));
  });
}

TEST_P(PreparedMoves, TunedCompactions) {
  options_.auto_tuned_compaction = true;
  options_.write_buffer_size = 64 << 10;
  Run([this] {
    Overwrite();
    test::Ok(db_->Flush(FlushOptions()));
    test::Ok(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  });
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
