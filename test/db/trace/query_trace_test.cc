// What StartTrace() records of the queries of a database, and what it does not
// do to them.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/utilities/transaction.h"
#include "rocksdb/utilities/transaction_db.h"
#include "test/db/call_counts.h"
#include "test/db/trace/trace_fixture.h"
#include "test/support/ok.h"
#include "test/support/u64_ts.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Texts = std::vector<std::string>;

class QueryTrace : public ::testing::Test {
 protected:
  QueryTrace() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    test::Ok(DB::Open(options_, "/db", &db_));
  }

  std::unique_ptr<TraceWriter> NewWriter() {
    trace_ = std::make_shared<test::MemoryTrace>();
    return std::make_unique<test::MemoryTraceWriter>(trace_);
  }
  void Start(const TraceOptions& options = TraceOptions()) {
    test::Ok(db_->StartTrace(options, NewWriter()));
  }
  // The texts of all records between the begin and the end.
  Texts End() {
    test::Ok(db_->EndTrace());
    EXPECT_EQ(trace_->closed, 1);
    Texts texts = test::RecordTexts(trace_->records);
    if (texts.size() < 2 || texts.front() != "begin" || texts.back() != "end") {
      ADD_FAILURE() << "no begin, or no end";
      return {};
    }
    return Texts(texts.begin() + 1, texts.end() - 1);
  }
  void Put(const std::string& key) {
    test::Ok(db_->Put(WriteOptions(), key, "value"));
  }
  void Get(const std::string& key) {
    std::string value;
    (void)db_->Get(ReadOptions(), key, &value);
  }
  void SeekBoth(const std::string& key) {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->Seek(key);
    it->SeekForPrev(key);
  }
  void MultiGet(const std::vector<Slice>& keys) {
    std::vector<std::string> values;
    (void)db_->MultiGet(ReadOptions(), keys, &values);
  }
  // One query of each kind.
  void OneOfEach() {
    Put("a");
    Get("a");
    MultiGet({"a", "b"});
    SeekBoth("a");
  }

  std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::shared_ptr<test::MemoryTrace> trace_;
};

TEST_F(QueryTrace, EachKindIsRecordedInOrder) {
  Put("before");
  Start();
  OneOfEach();
  EXPECT_EQ(End(), (Texts{"write 1", "get 0:a", "multi 0:a 0:b", "seek 0:a",
                          "prev 0:a"}));
  Put("after");
  EXPECT_EQ(trace_->records.size(), 7u);
}

TEST_F(QueryTrace, AllWritesAreBatches) {
  Start();
  WriteBatch batch;
  test::Ok(batch.Put("a", "1"));
  test::Ok(batch.Delete("b"));
  test::Ok(db_->Write(WriteOptions(), &batch));
  test::Ok(db_->Delete(WriteOptions(), "a"));
  test::Ok(db_->SingleDelete(WriteOptions(), "a"));
  test::Ok(
      db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(), "a", "b"));
  test::Ok(db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "e",
                          {{"c", "1"}}));
  EXPECT_EQ(End(),
            (Texts{"write 2", "write 1", "write 1", "write 1", "write 1"}));
}

TEST_F(QueryTrace, FamiliesAreRecordedByTheirIds) {
  ColumnFamilyHandle* handle = nullptr;
  test::Ok(db_->CreateColumnFamily(ColumnFamilyOptions(), "one", &handle));
  ColumnFamilyHandle* const zero = db_->DefaultColumnFamily();
  Start();
  std::string value;
  (void)db_->Get(ReadOptions(), handle, "a", &value);
  ColumnFamilyHandle* families[] = {handle, zero};
  const Slice keys[] = {"a", "b"};
  PinnableSlice values[2];
  Status statuses[2];
  db_->MultiGet(ReadOptions(), 2, families, keys, values, statuses);
  db_->MultiGet(ReadOptions(), handle, 2, keys, values, statuses);
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions(), handle));
  it->Seek("a");
  it.reset();
  EXPECT_EQ(End(),
            (Texts{"get 1:a", "multi 1:a 0:b", "multi 1:a 1:b", "seek 1:a"}));
  test::Ok(db_->DestroyColumnFamilyHandle(handle));
}

TEST_F(QueryTrace, SeeksHaveTheBoundsOfTheIterator) {
  const Slice lower = "b";
  const Slice upper = "d";
  ReadOptions bounded;
  bounded.iterate_lower_bound = &lower;
  bounded.iterate_upper_bound = &upper;
  // Made before the trace.
  const std::unique_ptr<Iterator> it(db_->NewIterator(bounded));
  Start();
  it->SeekToFirst();
  it->SeekToLast();
  it->Seek("c");
  it->SeekForPrev("x");
  EXPECT_EQ(End(), (Texts{"seek 0:c [b,d)", "prev 0:x [b,d)"}));
}

TEST_F(QueryTrace, QueriesWithTimestampsAreRecordedWithoutThem) {
  ColumnFamilyOptions timed;
  timed.comparator = BytewiseComparatorWithU64Ts();
  ColumnFamilyHandle* handle = nullptr;
  test::Ok(db_->CreateColumnFamily(timed, "timed", &handle));
  const std::string bytes = test::Ts(7);
  const Slice at_time = bytes;
  const Slice lower = "a";
  ReadOptions at;
  at.timestamp = &at_time;
  at.iterate_lower_bound = &lower;
  Start();
  test::Ok(db_->Put(WriteOptions(), handle, "a", at_time, "v"));
  std::string value;
  test::Ok(db_->Get(at, handle, "a", &value));
  std::unique_ptr<Iterator> it(db_->NewIterator(at, handle));
  it->SeekToFirst();
  it->Seek("a");
  it->SeekForPrev("b");
  it.reset();
  const Slice keys[] = {"a"};
  PinnableSlice values[1];
  Status statuses[1];
  db_->MultiGet(at, handle, 1, keys, values, statuses);
  test::Ok(statuses[0]);
  EXPECT_EQ(End(), (Texts{"write 1", "get 1:a", "seek 1:a [a,)",
                          "prev 1:b [a,)", "multi 1:a"}));
  test::Ok(db_->DestroyColumnFamilyHandle(handle));
}

// ---- What the options leave out.

TEST_F(QueryTrace, FiltersLeaveOutTheirKind) {
  const Texts all = {"write 1", "get 0:a", "multi 0:a 0:b", "seek 0:a",
                     "prev 0:a"};
  const uint64_t filters[] = {kTraceFilterWrite, kTraceFilterGet,
                              kTraceFilterMultiGet, kTraceFilterIteratorSeek,
                              kTraceFilterIteratorSeekForPrev};
  for (size_t i = 0; i < all.size(); ++i) {
    for (const bool ordered : {false, true}) {
      TraceOptions options;
      options.filter = filters[i];
      options.preserve_write_order = ordered;
      Start(options);
      OneOfEach();
      Texts rest = all;
      rest.erase(rest.begin() + static_cast<int>(i));
      EXPECT_EQ(End(), rest);
    }
  }
}

TEST_F(QueryTrace, SamplingTakesEveryNthOfWhatPassesTheFilter) {
  TraceOptions options;
  options.sampling_frequency = 3;
  options.filter = kTraceFilterWrite;
  Start(options);
  for (int i = 1; i <= 7; ++i) {
    Put("a");
    Get(std::to_string(i));
  }
  EXPECT_EQ(End(), (Texts{"get 0:3", "get 0:6"}));
  options.sampling_frequency = 0;
  Start(options);
  Get("a");
  EXPECT_EQ(End(), (Texts{"get 0:a"}));
}

TEST_F(QueryTrace, NothingIsWrittenBehindTheMaximalSize) {
  Start();
  const uint64_t header = trace_->bytes;
  Get("a");
  const uint64_t record = trace_->bytes - header;
  EXPECT_EQ(End(), (Texts{"get 0:a"}));
  TraceOptions options;
  options.max_trace_file_size = header + 2 * record;
  Start(options);
  for (int i = 0; i < 10; ++i) Get("a");
  // The limit is reached by the second, and passed by the third.
  EXPECT_EQ(trace_->bytes, header + 3 * record);
  EXPECT_TRUE(db_->StartTrace(TraceOptions(), NewWriter()).IsBusy());
  test::Ok(db_->EndTrace());
}

// ---- Writers that fail.

TEST_F(QueryTrace, AFailedRecordEndsTheTraceAndNotTheQuery) {
  for (const bool throws : {false, true}) {
    Start();
    (throws ? trace_->throws_at : trace_->fails_at) = 2;
    Put("a");
    Put("b");
    Put("c");
    std::string value;
    test::Ok(db_->Get(ReadOptions(), "c", &value));
    EXPECT_EQ(trace_->records.size(), 2u);
    const Status ended = db_->EndTrace();
    EXPECT_TRUE(throws ? ended.IsAborted() : ended.IsIOError());
    EXPECT_EQ(trace_->closed, 1);
    // No end: a reader finds the trace cut short.
    EXPECT_EQ(test::RecordTexts(trace_->records), (Texts{"begin", "write 1"}));
  }
  Start();
  EXPECT_EQ(End(), Texts());
}

TEST_F(QueryTrace, AWriterThatCannotBeginStartsNoTrace) {
  std::unique_ptr<TraceWriter> writer = NewWriter();
  trace_->fails_at = 0;
  EXPECT_TRUE(db_->StartTrace(TraceOptions(), std::move(writer)).IsIOError());
  EXPECT_EQ(trace_->closed, 1);
  EXPECT_TRUE(db_->EndTrace().IsIOError());
  EXPECT_TRUE(db_->StartTrace(TraceOptions(), nullptr).IsInvalidArgument());
  Start();
  EXPECT_EQ(End(), Texts());
}

TEST_F(QueryTrace, ThereIsOneTraceAtATime) {
  EXPECT_TRUE(db_->EndTrace().IsIOError());
  Start();
  const std::shared_ptr<test::MemoryTrace> first = trace_;
  EXPECT_TRUE(db_->StartTrace(TraceOptions(), NewWriter()).IsBusy());
  EXPECT_TRUE(trace_->records.empty());
  trace_ = first;
  Get("a");
  EXPECT_EQ(End(), (Texts{"get 0:a"}));
}

TEST_F(QueryTrace, CloseEndsTheTrace) {
  Start();
  Get("a");
  test::Ok(db_->Close());
  EXPECT_EQ(trace_->closed, 1);
  EXPECT_EQ(test::RecordTexts(trace_->records),
            (Texts{"begin", "get 0:a", "end"}));
  db_.reset();
}

TEST_F(QueryTrace, TheDestructorEndsATraceOfAClosedDatabase) {
  test::Ok(db_->Close());
  Start();
  const std::shared_ptr<test::MemoryTrace> queries = trace_;
  test::Ok(db_->StartBlockCacheTrace(TraceOptions(), NewWriter()));
  db_.reset();
  EXPECT_EQ(queries->closed, 1);
  EXPECT_EQ(test::RecordTexts(queries->records), (Texts{"begin", "end"}));
  EXPECT_EQ(trace_->closed, 1);
}

// ---- What it costs when there is none.

TEST_F(QueryTrace, AfterATraceQueriesCostWhatTheyDidBefore) {
  if (!test::kCountsCalls) GTEST_SKIP() << "nothing is counted here";
  Put("a");
  PinnableSlice value;
  ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
  const auto cost = [&] {
    const uint64_t before = test::Allocations() + test::Locks();
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(db_->Get(ReadOptions(), family, "a", &value).ok());
      value.Reset();
    }
    return test::Allocations() + test::Locks() - before;
  };
  (void)cost();  // Makes what each thread keeps.
  const uint64_t before = cost();
  Start();
  EXPECT_GT(cost(), before);
  (void)End();
  EXPECT_EQ(cost(), before);
}

// ---- Transactions.

TEST_F(QueryTrace, ATwoPhaseCommitIsRecordedWhenItCommits) {
  db_.reset();
  TransactionDB* opened = nullptr;
  test::Ok(
      TransactionDB::Open(options_, TransactionDBOptions(), "/db", &opened));
  db_.reset(opened);
  for (const bool ordered : {false, true}) {
    TraceOptions options;
    options.preserve_write_order = ordered;
    Start(options);
    std::unique_ptr<Transaction> txn(opened->BeginTransaction(WriteOptions()));
    test::Ok(txn->SetName("kept"));
    test::Ok(txn->Put("a", "1"));
    test::Ok(txn->Put("b", "1"));
    test::Ok(txn->Prepare());
    EXPECT_EQ(trace_->records.size(), 1u);
    test::Ok(txn->Commit());
    txn.reset(opened->BeginTransaction(WriteOptions()));
    test::Ok(txn->SetName("lost"));
    test::Ok(txn->Put("c", "1"));
    test::Ok(txn->Prepare());
    test::Ok(txn->Rollback());
    txn.reset(opened->BeginTransaction(WriteOptions()));
    test::Ok(txn->Put("d", "1"));
    test::Ok(txn->Commit());
    txn.reset();
    EXPECT_EQ(End(), (Texts{"write 2", "write 1"}));
  }
}

// With a batch of its own at the commit, too.
TEST_F(QueryTrace, ATwoPhaseCommitIsOneRecord) {
  db_.reset();
  TransactionDB* opened = nullptr;
  test::Ok(
      TransactionDB::Open(options_, TransactionDBOptions(), "/db", &opened));
  db_.reset(opened);
  for (const bool ordered : {false, true}) {
    TraceOptions options;
    options.preserve_write_order = ordered;
    Start(options);
    std::unique_ptr<Transaction> txn(opened->BeginTransaction(WriteOptions()));
    test::Ok(txn->SetName("both"));
    test::Ok(txn->Put("a", "1"));
    test::Ok(txn->Put("b", "1"));
    test::Ok(txn->Prepare());
    test::Ok(txn->GetCommitTimeWriteBatch()->Put("c", "1"));
    test::Ok(txn->Commit());
    txn.reset();
    EXPECT_EQ(End(), (Texts{"write 3"}));
  }
}

// ---- The order of writes.

TEST_F(QueryTrace, AnOrderedTraceLeavesOutWritesThatAreRefused) {
  for (const bool ordered : {false, true}) {
    TraceOptions options;
    options.preserve_write_order = ordered;
    Start(options);
    WriteBatch unknown(std::string("\0\0\0\0\0\0\0\0\1\0\0\0\5\7\1k\1v", 18));
    EXPECT_FALSE(db_->Write(WriteOptions(), &unknown).ok());
    EXPECT_EQ(End(), ordered ? Texts() : Texts{"write 1"});
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
