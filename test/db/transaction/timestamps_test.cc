// TransactionDB: families with user timestamps. Keys are written without one
// and get that of the commit; what others wrote later is noticed.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/comparator.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "test/support/ok.h"
#include "test/support/u64_ts.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr const char* kNeedsTime =
    "Invalid argument: Must assign a commit timestamp: call "
    "SetCommitTimestamp() before";

class TimedTransactions : public ::testing::Test {
 protected:
  TimedTransactions() : fs_(std::make_shared<engine::MemFileSystem>()) {
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
    db_options_.transaction_lock_timeout = 0;
    db_options_.default_lock_timeout = 0;
    timed_options_.comparator = BytewiseComparatorWithU64Ts();
  }
  ~TimedTransactions() override { Close(); }

  void Open() {
    env_ = NewCompositeEnv(fs_);
    options_.env = env_.get();
    std::vector<ColumnFamilyHandle*> handles;
    TransactionDB* db = nullptr;
    test::Ok(TransactionDB::Open(
        options_, db_options_, "/db",
        {{kDefaultColumnFamilyName, options_}, {"timed", timed_options_}},
        &handles, &db));
    db_.reset(db);
    plain_ = handles[0];
    timed_ = handles[1];
  }
  void Close() {
    if (db_ == nullptr) return;
    test::Ok(db_->DestroyColumnFamilyHandle(plain_));
    test::Ok(db_->DestroyColumnFamilyHandle(timed_));
    db_.reset();
  }
  // The power fails, and comes back.
  void CutPower() {
    const auto left = fs_->CrashClone(engine::CrashOptions());
    Close();
    fs_ = left;
    Open();
  }

  std::unique_ptr<Transaction> Begin(const TransactionOptions& options = {}) {
    WriteOptions write;
    write.sync = true;
    return std::unique_ptr<Transaction>(db_->BeginTransaction(write, options));
  }
  std::unique_ptr<Transaction> Reading(TxnTimestamp time) {
    auto txn = Begin();
    test::Ok(txn->SetReadTimestampForValidation(time));
    return txn;
  }
  static Status CommitAt(TxnTimestamp time, Transaction* txn) {
    test::Ok(txn->SetCommitTimestamp(time));
    return txn->Commit();
  }
  // By a transaction of its own.
  void Put(const std::string& key, TxnTimestamp time) {
    const auto txn = Begin();
    test::Ok(txn->Put(timed_, key, "at " + std::to_string(time)));
    test::Ok(CommitAt(time, txn.get()));
  }
  std::string Get(const std::string& key, TxnTimestamp time) {
    const std::string bytes = test::Ts(time);
    const Slice timestamp(bytes);
    ReadOptions read;
    read.timestamp = &timestamp;
    std::string value;
    const Status status = db_->Get(read, timed_, key, &value);
    return status.ok() ? value : status.ToString();
  }

  std::shared_ptr<engine::MemFileSystem> fs_;
  std::unique_ptr<Env> env_;
  Options options_;
  ColumnFamilyOptions timed_options_;
  TransactionDBOptions db_options_;
  std::unique_ptr<TransactionDB> db_;
  ColumnFamilyHandle* plain_ = nullptr;
  ColumnFamilyHandle* timed_ = nullptr;
};

TEST_F(TimedTransactions, AllKeysGetTheTimeOfTheCommit) {
  Open();
  Put("gone", 5);
  Put("singly gone", 5);
  const auto txn = Begin();
  const Slice part("parts");
  const SliceParts parts(&part, 1);
  test::Ok(txn->Put(timed_, "a", "1"));
  test::Ok(txn->Put(timed_, parts, parts));
  test::Ok(txn->PutUntracked(timed_, "untracked", "1"));
  test::Ok(txn->Delete(timed_, "gone"));
  test::Ok(txn->SingleDelete(timed_, "singly gone"));
  txn->DisableIndexing();
  test::Ok(txn->Put(timed_, parts, parts));
  test::Ok(txn->Put(plain_, "p", "1"));
  EXPECT_EQ(kMaxTxnTimestamp, txn->GetCommitTimestamp());
  EXPECT_EQ(kNeedsTime, txn->Commit().ToString());
  EXPECT_EQ(Transaction::STARTED, txn->GetState());  // It may go on.
  test::Ok(CommitAt(10, txn.get()));
  for (const char* key : {"a", "untracked"}) {
    EXPECT_EQ("NotFound: ", Get(key, 9));
    EXPECT_EQ("1", Get(key, 10));
  }
  EXPECT_EQ("parts", Get("parts", 10));
  EXPECT_EQ("at 5", Get("gone", 9));
  EXPECT_EQ("NotFound: ", Get("gone", 10));
  EXPECT_EQ("NotFound: ", Get("singly gone", 10));
  std::string value;
  test::Ok(db_->Get(ReadOptions(), plain_, "p", &value));
}

TEST_F(TimedTransactions, OthersNeedNoTime) {
  Open();
  const auto txn = Begin();
  test::Ok(txn->Put(plain_, "p", "1"));
  test::Ok(txn->Commit());
  // The program gave its own.
  const auto own = Begin();
  test::Ok(own->GetWriteBatch()->Put(timed_, "own", test::Ts(7), "1"));
  test::Ok(own->Commit());
  EXPECT_EQ("1", Get("own", 7));
  // It is lost where there is one for all.
  const auto both = Begin();
  test::Ok(both->GetWriteBatch()->Put(timed_, "own", test::Ts(8), "2"));
  test::Ok(CommitAt(12, both.get()));
  EXPECT_EQ("1", Get("own", 11));
  EXPECT_EQ("2", Get("own", 12));
}

TEST_F(TimedTransactions, SeeTheirOwnWrites) {
  Open();
  Put("a", 5);
  Put("b", 5);
  const auto txn = Reading(5);
  test::Ok(txn->Put(timed_, "a", "own"));
  test::Ok(txn->Delete(timed_, "b"));
  test::Ok(txn->Put(timed_, "c", "own"));
  const std::string bytes = test::Ts(5);
  const Slice timestamp(bytes);
  ReadOptions read;
  std::string value;
  EXPECT_TRUE(txn->Get(read, timed_, "a", &value).IsInvalidArgument());
  read.timestamp = &timestamp;
  test::Ok(txn->Get(read, timed_, "a", &value));
  EXPECT_EQ("own", value);
  EXPECT_TRUE(txn->Get(read, timed_, "b", &value).IsNotFound());
  const std::unique_ptr<Iterator> it(txn->GetIterator(read, timed_));
  std::string rows;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    rows += it->key().ToString() + "=" + it->value().ToString() + " ";
  }
  EXPECT_EQ("a=own c=own ", rows);
}

TEST_F(TimedTransactions, TimesHaveAnOrder) {
  Open();
  const auto txn = Reading(20);
  EXPECT_EQ("Invalid argument: Cannot decrease read timestamp for validation",
            txn->SetReadTimestampForValidation(10).ToString());
  EXPECT_EQ(
      "Invalid argument: Cannot commit at timestamp smaller than or equal to "
      "read timestamp",
      txn->SetCommitTimestamp(20).ToString());
  test::Ok(txn->SetCommitTimestamp(30));
  test::Ok(txn->SetCommitTimestamp(21));
  EXPECT_EQ(21u, txn->GetCommitTimestamp());
  test::Ok(txn->Rollback());
  EXPECT_EQ(21u, txn->GetCommitTimestamp());
  std::unique_ptr<Transaction> again = Begin();
  test::Ok(again->SetReadTimestampForValidation(20));
  test::Ok(again->SetCommitTimestamp(21));
  again.reset(db_->BeginTransaction(WriteOptions(), TransactionOptions(),
                                    again.release()));
  EXPECT_EQ(kMaxTxnTimestamp, again->GetCommitTimestamp());
  test::Ok(again->SetReadTimestampForValidation(1));
}

TEST_F(TimedTransactions, WhatIsNewerThanTheReadTimeIsNoticed) {
  Open();
  Put("a", 50);
  for (const bool in_table : {false, true}) {
    if (in_table) test::Ok(db_->Flush(FlushOptions(), timed_));
    EXPECT_TRUE(Reading(49)->Put(timed_, "a", "x").IsBusy());
    EXPECT_TRUE(Reading(49)->Delete(timed_, "a").IsBusy());
    std::string value;
    EXPECT_TRUE(
        Reading(49)->GetForUpdate(ReadOptions(), timed_, "a", &value).IsBusy());
    test::Ok(Reading(49)->PutUntracked(timed_, "a", "x"));
    test::Ok(Reading(49)->Put(plain_, "a", "x"));
    test::Ok(Reading(50)->Put(timed_, "a", "x"));
    test::Ok(Reading(49)->Put(timed_, "none", "x"));
  }
  EXPECT_TRUE(db_->GetLockStatusData().empty());  // What is refused has none.
  // A deletion is a version, too.
  test::Ok(db_->Delete(WriteOptions(), timed_, "a", test::Ts(60)));
  EXPECT_TRUE(Reading(59)->Put(timed_, "a", "x").IsBusy());
  test::Ok(Reading(60)->Put(timed_, "a", "x"));
}

TEST_F(TimedTransactions, RangeDeletionsAreNoticed) {
  Open();
  Put("b", 50);
  for (const bool in_table : {false, true}) {
    const TxnTimestamp time = in_table ? 80 : 70;
    test::Ok(db_->GetBaseDB()->DeleteRange(WriteOptions(), timed_, "a", "c",
                                           test::Ts(time)));
    if (in_table) test::Ok(db_->Flush(FlushOptions(), timed_));
    for (const char* key : {"b", "bb"}) {
      EXPECT_TRUE(Reading(time - 1)->Put(timed_, key, "x").IsBusy());
      test::Ok(Reading(time)->Put(timed_, key, "x"));
    }
    test::Ok(Reading(49)->Put(timed_, "c", "x"));
  }
}

// What was locked before it was asked for its time is asked later.
TEST_F(TimedTransactions, KeysAreAskedOnceThereIsAReadTime) {
  Open();
  Put("a", 50);
  const auto txn = Begin();
  test::Ok(txn->Put(timed_, "a", "x"));
  test::Ok(txn->SetReadTimestampForValidation(20));
  EXPECT_TRUE(txn->Put(timed_, "a", "y").IsBusy());
  // What was asked once is locked, so it is not asked again.
  test::Ok(txn->SetReadTimestampForValidation(50));
  test::Ok(txn->Put(timed_, "a", "y"));
  test::Ok(txn->Put(timed_, "a", "z"));
  test::Ok(CommitAt(51, txn.get()));
  EXPECT_EQ("z", Get("a", 51));
}

TEST_F(TimedTransactions, ReadsForUpdateAreAtTheReadTime) {
  Open();
  Put("a", 50);
  test::Ok(db_->Put(WriteOptions(), plain_, "a", "plain"));
  const std::string bytes = test::Ts(60);
  const Slice timestamp(bytes);
  ReadOptions read;
  std::string value;
  EXPECT_EQ(
      "Invalid argument: read_timestamp must be set for validation: call "
      "SetReadTimestampForValidation() before",
      Begin()->GetForUpdate(read, timed_, "a", &value).ToString());
  const auto txn = Reading(60);
  test::Ok(txn->GetForUpdate(read, timed_, "a", &value));
  EXPECT_EQ("at 50", value);
  PinnableSlice pinned;
  test::Ok(txn->GetForUpdate(read, timed_, "a", &pinned));
  EXPECT_EQ("at 50", pinned.ToString());
  PinnableWideColumns columns;
  test::Ok(txn->GetEntityForUpdate(read, timed_, "a", &columns));
  std::vector<std::string> values;
  const std::vector<Status> statuses =
      txn->MultiGetForUpdate(read, {timed_, plain_}, {"a", "a"}, &values);
  test::Ok(statuses[0]);
  test::Ok(statuses[1]);
  EXPECT_EQ("at 50 plain", values[0] + " " + values[1]);
  EXPECT_EQ(
      "Invalid argument: If do_validate is false then GetForUpdate with "
      "read_timestamp is not defined.",
      txn->GetForUpdate(read, timed_, "a", &value, /*exclusive=*/true,
                        /*do_validate=*/false)
          .ToString());
  read.timestamp = &timestamp;
  test::Ok(txn->GetForUpdate(read, timed_, "a", &value));
  test::Ok(txn->SetReadTimestampForValidation(61));
  EXPECT_EQ("Invalid argument: Must read from the same read_timestamp",
            txn->GetForUpdate(read, timed_, "a", &value).ToString());
}

TEST_F(TimedTransactions, TimesNeedNotBeValidated) {
  db_options_.enable_udt_validation = false;
  Open();
  Put("a", 50);
  const std::string bytes = test::Ts(60);
  const Slice timestamp(bytes);
  ReadOptions read;
  read.timestamp = &timestamp;
  std::string value;
  const auto txn = Begin();
  test::Ok(txn->GetForUpdate(read, timed_, "a", &value));
  EXPECT_EQ("at 50", value);
  test::Ok(txn->SetReadTimestampForValidation(10));
  EXPECT_TRUE(txn->GetForUpdate(read, timed_, "a", &value).IsInvalidArgument());
  test::Ok(Reading(10)->Put(timed_, "b", "x"));
  Put("c", 50);
  test::Ok(Reading(10)->Put(timed_, "c", "x"));
}

TEST_F(TimedTransactions, HistoryThatIsForgottenIsNotKnown) {
  Open();
  Put("a", 50);
  test::Ok(db_->IncreaseFullHistoryTsLow(timed_, test::Ts(60)));
  EXPECT_EQ(
      "Operation failed. Try again.: column family 'timed' may have forgotten "
      "changes after 59: full_history_ts_low is 60",
      Reading(59)->Put(timed_, "a", "x").ToString());
  test::Ok(Reading(60)->Put(timed_, "a", "x"));
}

// As of those that never had an index.
TEST_F(TimedTransactions, WhatIsNotIndexedStaysSoAfterARollback) {
  Open();
  const auto txn = Reading(5);
  txn->DisableIndexing();
  test::Ok(txn->Put(timed_, "a", "1"));
  txn->EnableIndexing();
  txn->SetSavePoint();
  test::Ok(txn->RollbackToSavePoint());
  test::Ok(txn->Put(timed_, "b", "1"));
  const std::string bytes = test::Ts(5);
  const Slice timestamp(bytes);
  ReadOptions read;
  read.timestamp = &timestamp;
  const std::unique_ptr<Iterator> it(txn->GetIterator(read, timed_));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("b", it->key());
  it->Next();
  EXPECT_FALSE(it->Valid());
  std::string value;
  test::Ok(txn->Get(read, timed_, "b", &value));
}

// The second commit has no time any more.
TEST_F(TimedTransactions, ARefusedCommitLeavesNoTimes) {
  Open();
  for (const bool prepares : {false, true}) {
    const auto txn = Begin();
    test::Ok(txn->Put(timed_, "a", "1"));
    if (prepares) {
      test::Ok(txn->SetName("one"));
      test::Ok(txn->Prepare());
    }
    txn->GetWriteOptions()->disableWAL = true;  // And synced: is refused.
    test::Ok(txn->GetCommitTimeWriteBatch()->Put(timed_, "more", "1"));
    EXPECT_TRUE(CommitAt(10, txn.get()).IsInvalidArgument());
    test::Ok(txn->SetCommitTimestamp(kMaxTxnTimestamp));
    EXPECT_EQ(kNeedsTime, txn->Commit().ToString());
    test::Ok(txn->Rollback());
  }
}

TEST_F(TimedTransactions, TimesOfOtherSizesAreRefused) {
  class Wide final : public Comparator {
   public:
    Wide() : Comparator(/*ts_sz=*/16) {}
    const char* Name() const override { return "wide"; }
    int Compare(const Slice& a, const Slice& b) const override {
      const int order = CompareWithoutTimestamp(a, true, b, true);
      return order != 0 ? order : -CompareTimestamp(TimeOf(a), TimeOf(b));
    }
    int CompareTimestamp(const Slice& a, const Slice& b) const override {
      return a.compare(b);
    }
    int CompareWithoutTimestamp(const Slice& a, bool a_has_ts, const Slice& b,
                                bool b_has_ts) const override {
      return KeyOf(a, a_has_ts).compare(KeyOf(b, b_has_ts));
    }
    void FindShortestSeparator(std::string* /*start*/,
                               const Slice& /*limit*/) const override {}
    void FindShortSuccessor(std::string* /*key*/) const override {}

   private:
    static Slice TimeOf(const Slice& key) {
      return {key.data() + key.size() - 16, 16};
    }
    static Slice KeyOf(const Slice& key, bool has_ts) {
      return {key.data(), key.size() - (has_ts ? 16 : 0)};
    }
  };
  const Wide wide;
  timed_options_.comparator = &wide;
  Open();
  auto txn = Begin();
  EXPECT_EQ(
      "Invalid argument: transactions: column family timed has timestamps of "
      "16 bytes: they can be written by transactions if they have 8",
      txn->Put(timed_, "a", "x").ToString());
  std::string value;
  EXPECT_TRUE(txn->GetForUpdate(ReadOptions(), timed_, "a", &value)
                  .IsInvalidArgument());
  EXPECT_EQ(0u, txn->GetNumKeys());
  test::Ok(txn->SetName("one"));
  test::Ok(txn->GetWriteBatch()->Put(timed_, "a", "1"));
  EXPECT_EQ(
      "Invalid argument: a key of column family 1 lacks its timestamp of 16 "
      "bytes: a commit gives timestamps of 8 bytes",
      txn->Prepare().ToString());
  EXPECT_EQ(Transaction::STARTED, txn->GetState());
  txn.reset();
  Close();  // Before its comparator ends.
}

TEST_F(TimedTransactions, TheDefaultFamilyMayHaveThem) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  Open();
  const auto txn = Begin();
  test::Ok(txn->Put("k", "1"));
  test::Ok(txn->Put(timed_, "k", "1"));
  EXPECT_EQ(kNeedsTime, txn->Commit().ToString());
  test::Ok(CommitAt(10, txn.get()));
  EXPECT_EQ("1", Get("k", 10));
  const std::string bytes = test::Ts(10);
  const Slice timestamp(bytes);
  ReadOptions read;
  read.timestamp = &timestamp;
  std::string value;
  test::Ok(db_->Get(read, "k", &value));
}

TEST_F(TimedTransactions, ABatchIsTakenWithoutItsTimes) {
  Open();
  WriteBatch batch;
  test::Ok(batch.Put(timed_, "a", "1"));
  test::Ok(batch.Put(timed_, "b", test::Ts(5), "1"));
  const auto txn = Begin();
  test::Ok(txn->RebuildFromWriteBatch(&batch));
  test::Ok(CommitAt(10, txn.get()));
  EXPECT_EQ("1", Get("a", 10));
  EXPECT_EQ("NotFound: ", Get("b", 9));
  EXPECT_EQ("1", Get("b", 10));
}

TEST_F(TimedTransactions, OtherWritersLockKeysWithoutTheirTimes) {
  Open();
  const auto txn = Begin();
  test::Ok(txn->Put(timed_, "k", "1"));
  WriteBatch batch;
  test::Ok(batch.Put(timed_, "k", test::Ts(2), "v"));
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsTimedOut());
  EXPECT_TRUE(
      db_->Put(WriteOptions(), timed_, "k", test::Ts(2), "v").IsTimedOut());
  test::Ok(txn->Rollback());
  test::Ok(db_->Write(WriteOptions(), &batch));
  EXPECT_EQ("v", Get("k", 2));
}

// ---- Snapshots.

class CountingNotifier final : public TransactionNotifier {
 public:
  void SnapshotCreated(const Snapshot* snapshot) override {
    times.push_back(snapshot->GetTimestamp());
  }
  std::vector<uint64_t> times;
};

TEST_F(TimedTransactions, ACommitMakesASnapshotWithItsTime) {
  Open();
  const auto notifier = std::make_shared<CountingNotifier>();
  std::shared_ptr<const Snapshot> snapshot;
  const auto txn = Begin();
  test::Ok(txn->Put(timed_, "a", "1"));
  EXPECT_TRUE(txn->CommitAndTryCreateSnapshot(notifier, kMaxTxnTimestamp)
                  .IsInvalidArgument());
  EXPECT_EQ(Transaction::STARTED, txn->GetState());
  test::Ok(txn->SetCommitTimestamp(9));
  EXPECT_EQ("Invalid argument: Different commit ts specified",
            txn->CommitAndTryCreateSnapshot(notifier, 10).ToString());
  test::Ok(txn->CommitAndTryCreateSnapshot(notifier, 9, &snapshot));
  ASSERT_NE(nullptr, snapshot);
  EXPECT_EQ(9u, snapshot->GetTimestamp());
  EXPECT_EQ(snapshot, db_->GetTimestampedSnapshot(9));
  EXPECT_EQ(snapshot.get(), txn->GetSnapshot());
  EXPECT_EQ(db_->GetLatestSequenceNumber(), snapshot->GetSequenceNumber());
  // It shows the commit, and nothing later.
  test::Ok(db_->Put(WriteOptions(), plain_, "a", "1"));
  ReadOptions read;
  read.snapshot = snapshot.get();
  std::string value;
  EXPECT_TRUE(db_->Get(read, plain_, "a", &value).IsNotFound());
  const Slice newest = MaxU64Ts();
  read.timestamp = &newest;
  test::Ok(db_->Get(read, timed_, "a", &value));
  // The time of the snapshot is that of the commit.
  const auto plain = Begin();
  test::Ok(plain->Put(plain_, "b", "1"));
  test::Ok(plain->CommitAndTryCreateSnapshot(nullptr, 12, nullptr));
  EXPECT_EQ(12u, plain->GetCommitTimestamp());
  EXPECT_EQ(12u, db_->GetLatestTimestampedSnapshot()->GetTimestamp());
  // In two phases, and with nothing to write.
  const auto prepared = Begin();
  test::Ok(prepared->SetName("prepared"));
  test::Ok(prepared->Put(plain_, "p", "1"));
  test::Ok(prepared->Prepare());
  test::Ok(prepared->CommitAndTryCreateSnapshot(nullptr, 13, &snapshot));
  ASSERT_NE(nullptr, snapshot);
  read = ReadOptions();
  read.snapshot = snapshot.get();
  test::Ok(db_->Get(read, plain_, "p", &value));
  test::Ok(Begin()->CommitAndTryCreateSnapshot(nullptr, 14, &snapshot));
  ASSERT_NE(nullptr, snapshot);
  EXPECT_EQ(14u, snapshot->GetTimestamp());
  // There is a later one: it is committed, and that is all.
  const auto late = Begin();
  test::Ok(late->Put(plain_, "c", "1"));
  test::Ok(late->CommitAndTryCreateSnapshot(notifier, 11, &snapshot));
  EXPECT_EQ(nullptr, snapshot);
  EXPECT_EQ(Transaction::COMMITTED, late->GetState());
  EXPECT_EQ(std::vector<uint64_t>{9}, notifier->times);
}

TEST_F(TimedTransactions, ARefusedCommitLeavesNoTime) {
  Open();
  TransactionOptions options;
  options.skip_prepare = false;
  const std::unique_ptr<Transaction> txn(
      db_->BeginTransaction(WriteOptions(), options));
  test::Ok(txn->Put(timed_, "a", "1"));
  EXPECT_TRUE(
      txn->CommitAndTryCreateSnapshot(nullptr, 9, nullptr).IsTxnNotPrepared());
  EXPECT_EQ(kMaxTxnTimestamp, txn->GetCommitTimestamp());
  test::Ok(txn->SetName("one"));
  test::Ok(txn->Prepare());
  test::Ok(txn->GetCommitTimeWriteBatch()->Put(timed_, "more", "1"));
  EXPECT_TRUE(txn->CommitAndTryCreateSnapshot(nullptr, 10, nullptr)
                  .IsInvalidArgument());
  EXPECT_EQ(Transaction::PREPARED, txn->GetState());
  EXPECT_EQ(kMaxTxnTimestamp, txn->GetCommitTimestamp());
  txn->GetCommitTimeWriteBatch()->Clear();
  // One that the program has set stays.
  test::Ok(txn->SetCommitTimestamp(11));
  test::Ok(txn->GetCommitTimeWriteBatch()->Put(timed_, "more", "1"));
  EXPECT_TRUE(txn->CommitAndTryCreateSnapshot(nullptr, 11, nullptr)
                  .IsInvalidArgument());
  EXPECT_EQ(11u, txn->GetCommitTimestamp());
  txn->GetCommitTimeWriteBatch()->Clear();
  std::shared_ptr<const Snapshot> snapshot;
  test::Ok(txn->SetCommitTimestamp(12));
  test::Ok(txn->CommitAndTryCreateSnapshot(nullptr, 12, &snapshot));
  ASSERT_NE(nullptr, snapshot);
  EXPECT_EQ(12u, snapshot->GetTimestamp());
  EXPECT_EQ("NotFound: ", Get("a", 11));
  EXPECT_EQ("1", Get("a", 12));
}

// The key is locked while a time is drawn, so commits have their order.
TEST_F(TimedTransactions, ASnapshotOfACommitShowsNothingLater) {
  constexpr int kCommits = 500;
  db_options_.transaction_lock_timeout = 10000;
  Open();
  std::atomic<TxnTimestamp> last{0};
  const auto commit = [&] {
    for (int i = 0; i < kCommits; ++i) {
      const std::unique_ptr<Transaction> txn(
          db_->BeginTransaction(WriteOptions()));
      std::string value;
      ASSERT_FALSE(
          txn->GetForUpdate(ReadOptions(), plain_, "k", &value).IsTimedOut());
      const TxnTimestamp time = ++last;
      test::Ok(txn->Put(plain_, "k", std::to_string(time)));
      std::shared_ptr<const Snapshot> snapshot;
      test::Ok(txn->CommitAndTryCreateSnapshot(nullptr, time, &snapshot));
      ASSERT_NE(nullptr, snapshot);
      ReadOptions read;
      read.snapshot = snapshot.get();
      test::Ok(db_->Get(read, plain_, "k", &value));
      EXPECT_EQ(std::to_string(time), value);
      db_->ReleaseTimestampedSnapshotsOlderThan(time);
    }
  };
  std::thread other(commit);
  commit();
  other.join();
}

// Also where one is made while the commit of another is not yet visible.
TEST_F(TimedTransactions, LaterSnapshotsOfOtherThreadsShowNoLess) {
  constexpr int kCommits = 500;
  Open();
  std::atomic<TxnTimestamp> last{0};
  std::atomic<bool> over{false};
  std::thread other([&] {
    while (!over) (void)db_->CreateTimestampedSnapshot(++last);
  });
  for (int i = 0; i < kCommits; ++i) {
    const auto txn = Begin();
    test::Ok(txn->Put(plain_, "k", "1"));
    test::Ok(txn->CommitAndTryCreateSnapshot(nullptr, ++last, nullptr));
  }
  over = true;
  other.join();
  std::vector<std::shared_ptr<const Snapshot>> all;
  test::Ok(db_->GetAllTimestampedSnapshots(all));
  SequenceNumber sequence = 0;
  for (const auto& snapshot : all) {
    EXPECT_LE(sequence, snapshot->GetSequenceNumber());
    sequence = snapshot->GetSequenceNumber();
  }
}

// ---- In two phases.

TEST_F(TimedTransactions, WhatIsPreparedGetsItsTimeAtTheCommit) {
  Open();
  auto txn = Begin();
  test::Ok(txn->SetName("one"));
  test::Ok(txn->Put(timed_, "a", "1"));
  test::Ok(txn->Put(plain_, "a", "1"));
  test::Ok(txn->Prepare());
  EXPECT_EQ(kNeedsTime, txn->Commit().ToString());
  EXPECT_EQ(Transaction::PREPARED, txn->GetState());
  // A batch of the commit has its own times.
  test::Ok(txn->GetCommitTimeWriteBatch()->Put(timed_, "more", "1"));
  test::Ok(txn->SetCommitTimestamp(10));
  EXPECT_EQ("Invalid argument: write batch must have timestamp(s) set",
            txn->Commit().ToString());
  EXPECT_EQ(Transaction::PREPARED, txn->GetState());
  txn->GetCommitTimeWriteBatch()->Clear();
  test::Ok(
      txn->GetCommitTimeWriteBatch()->Put(timed_, "more", test::Ts(8), "1"));
  test::Ok(CommitAt(11, txn.get()));  // Another one than before.
  EXPECT_EQ("NotFound: ", Get("a", 10));
  EXPECT_EQ("1", Get("a", 11));
  EXPECT_EQ("1", Get("more", 8));
  txn.reset();
  CutPower();
  EXPECT_EQ("NotFound: ", Get("a", 10));
  EXPECT_EQ("1", Get("a", 11));
  EXPECT_EQ("1", Get("more", 8));
  std::string value;
  test::Ok(db_->Get(ReadOptions(), plain_, "a", &value));
}

TEST_F(TimedTransactions, WhatIsFoundPreparedNeedsATime) {
  Open();
  for (const char* name : {"commits", "rolls back", "own"}) {
    const auto txn = Begin();
    test::Ok(txn->SetName(name));
    if (std::string(name) == "own") {
      test::Ok(txn->GetWriteBatch()->Put(timed_, name, test::Ts(7), "1"));
    } else {
      test::Ok(txn->Put(timed_, name, "1"));
    }
    test::Ok(txn->Prepare());
  }
  CutPower();
  std::vector<Transaction*> found;
  db_->GetAllPreparedTransactions(&found);
  EXPECT_EQ(3u, found.size());
  // Its keys are shown, and locked.
  std::unique_ptr<Transaction> txn(db_->GetTransactionByName("commits"));
  ASSERT_NE(nullptr, txn);
  const Slice newest = MaxU64Ts();
  ReadOptions read;
  read.timestamp = &newest;
  std::string value;
  test::Ok(txn->Get(read, timed_, "commits", &value));
  EXPECT_TRUE(db_->Put(WriteOptions(), timed_, "commits", test::Ts(1), "x")
                  .IsTimedOut());
  EXPECT_EQ(kNeedsTime, txn->Commit().ToString());
  test::Ok(CommitAt(10, txn.get()));
  txn.reset(db_->GetTransactionByName("rolls back"));
  test::Ok(txn->Rollback());
  txn.reset(db_->GetTransactionByName("own"));
  test::Ok(txn->Commit());
  txn.reset();
  for (const bool again : {false, true}) {
    if (again) {
      test::Ok(db_->SyncWAL());
      CutPower();
    }
    EXPECT_EQ("NotFound: ", Get("commits", 9));
    EXPECT_EQ("1", Get("commits", 10));
    EXPECT_EQ("NotFound: ", Get("rolls back", 10));
    EXPECT_EQ("1", Get("own", 7));
  }
}

// The marks, as 7.8.3 reads and writes them.
TEST_F(TimedTransactions, TheLogHasPlacesAndAMarkWithTheTime) {
  struct Marks final : WriteBatch::Handler {
    std::string text;
    Status PutCF(uint32_t /*id*/, const Slice& key,
                 const Slice& /*value*/) override {
      text += "put " + key.ToString(true) + " ";
      return Status::OK();
    }
    Status MarkBeginPrepare(bool /*unprepare*/) override { return {}; }
    Status MarkEndPrepare(const Slice& name) override {
      text += "prepared " + name.ToString() + " ";
      return {};
    }
    Status MarkCommit(const Slice& name) override {
      text += "commit " + name.ToString() + " ";
      return {};
    }
    Status MarkCommitWithTimestamp(const Slice& name,
                                   const Slice& time) override {
      text += "commit " + name.ToString() + " at " + time.ToString(true) + " ";
      return {};
    }
  };
  Open();
  const SequenceNumber from = db_->GetLatestSequenceNumber() + 1;
  for (ColumnFamilyHandle* family : {timed_, plain_}) {
    const auto txn = Begin();
    test::Ok(txn->SetName(family->GetName()));
    test::Ok(txn->Put(family, "a", "1"));
    test::Ok(txn->Prepare());
    test::Ok(CommitAt(10, txn.get()));
  }
  std::unique_ptr<TransactionLogIterator> it;
  test::Ok(db_->GetUpdatesSince(from, &it));
  Marks marks;
  for (; it->Valid(); it->Next()) {
    test::Ok(it->GetBatch().writeBatchPtr->Iterate(&marks));
  }
  EXPECT_EQ(
      "put 610000000000000000 prepared timed commit timed at "
      "0A00000000000000 put 61 prepared default commit default ",
      marks.text);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
