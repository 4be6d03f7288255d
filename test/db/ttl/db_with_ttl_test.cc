// What a database with a TTL keeps, for how long, and what its bytes are.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/compaction_filter.h"
#include "rocksdb/comparator.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/utilities/db_ttl.h"
#include "rocksdb/utilities/write_batch_with_index.h"
#include "test/support/clocked_env.h"
#include "test/support/ok.h"
#include "test/support/u64_ts.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int64_t kStart = 1'700'000'000;

// The time of day is the test's.
class DayClock final : public SystemClockWrapper {
 public:
  DayClock() : SystemClockWrapper(SystemClock::Default()) {}
  const char* Name() const override { return "DayClock"; }
  Status GetCurrentTime(int64_t* unix_time) override {
    if (broken) return Status::IOError("no clock");
    *unix_time = seconds;
    return Status::OK();
  }
  std::atomic<int64_t> seconds{kStart};
  std::atomic<bool> broken{false};
};

class Joining final : public AssociativeMergeOperator {
 public:
  const char* Name() const override { return "joining"; }
  bool Merge(const Slice& /*key*/, const Slice* existing, const Slice& value,
             std::string* merged, Logger* /*logger*/) const override {
    *merged = existing == nullptr ? "" : existing->ToString() + ",";
    merged->append(value.data(), value.size());
    return true;
  }
};

// Removes "bad", and makes "old" to "new".
class WordFilter final : public CompactionFilter {
 public:
  const char* Name() const override { return "words"; }
  bool Filter(int /*level*/, const Slice& /*key*/, const Slice& value,
              std::string* new_value, bool* changed) const override {
    *changed = value == Slice("old");
    if (*changed) *new_value = "new";
    return value == Slice("bad");
  }
};

class WordFilterFactory final : public CompactionFilterFactory {
 public:
  const char* Name() const override { return "word factory"; }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& /*context*/) override {
    return std::make_unique<WordFilter>();
  }
};

class DBWithTTLTest : public ::testing::Test {
 protected:
  DBWithTTLTest() {
    options_.env = &env_;
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
    options_.merge_operator = std::make_shared<Joining>();
  }
  void Open(int32_t ttl, bool read_only = false) {
    db_.reset();
    DBWithTTL* db = nullptr;
    test::Ok(DBWithTTL::Open(options_, "/db", &db, ttl, read_only));
    db_.reset(db);
  }
  void Put(const std::string& key, const std::string& value) {
    test::Ok(db_->Put(WriteOptions(), key, value));
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  std::string Rows() {
    std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    std::string rows;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      EXPECT_EQ(it->value(), it->columns().front().value());
      rows += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    return rows + (it->status().ok() ? "" : it->status().ToString());
  }
  void Compact() {
    CompactRangeOptions compact;
    compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    test::Ok(db_->CompactRange(compact, nullptr, nullptr));
  }
  void Pass(int64_t seconds) { clock_->seconds += seconds; }

  const std::shared_ptr<DayClock> clock_ = std::make_shared<DayClock>();
  test::ClockedEnv env_{Env::Default(),
                        std::make_shared<engine::MemFileSystem>(), clock_};
  Options options_;
  std::unique_ptr<DBWithTTL> db_;
};

TEST_F(DBWithTTLTest, ReadsShowNoTimes) {
  Open(100);
  Put("a", "1");
  Put("empty", "");
  test::Ok(db_->Merge(WriteOptions(), "m", "x"));
  test::Ok(db_->Merge(WriteOptions(), "m", "y"));
  WriteBatch batch;
  test::Ok(batch.Put("b", "2"));
  test::Ok(batch.Put("c", "3"));
  test::Ok(batch.Merge("a", "4"));
  test::Ok(batch.PutLogData("log"));
  test::Ok(batch.SingleDelete("c"));
  test::Ok(db_->Write(WriteOptions(), &batch));
  EXPECT_EQ("1,4", Get("a"));
  EXPECT_EQ("", Get("empty"));
  EXPECT_EQ("x,y", Get("m"));
  EXPECT_EQ("a=1,4 b=2 empty= m=x,y ", Rows());
  std::vector<std::string> values;
  const std::vector<Status> statuses = db_->MultiGet(
      ReadOptions(), {Slice("a"), Slice("no"), Slice("b")}, &values);
  EXPECT_EQ("1,4", values[0]);
  EXPECT_TRUE(statuses[1].IsNotFound());
  EXPECT_EQ("2", values[2]);
  PinnableWideColumns columns;
  test::Ok(
      db_->GetEntity(ReadOptions(), db_->DefaultColumnFamily(), "b", &columns));
  EXPECT_EQ((WideColumns{{"", "2"}}), columns.columns());
  std::string value;
  bool found = false;
  EXPECT_TRUE(db_->KeyMayExist(ReadOptions(), "b", &value, &found));
  ASSERT_TRUE(found);
  EXPECT_EQ("2", value);
  GetMergeOperandsOptions operands_options;
  operands_options.expected_max_number_of_operands = 3;
  PinnableSlice operands[3];
  int count = 0;
  test::Ok(db_->GetMergeOperands(ReadOptions(), db_->DefaultColumnFamily(), "m",
                                 operands, &operands_options, &count));
  ASSERT_EQ(2, count);
  EXPECT_EQ("x", operands[0]);
  EXPECT_EQ("y", operands[1]);
  Compact();
  EXPECT_EQ("a=1,4 b=2 empty= m=x,y ", Rows());
}

TEST_F(DBWithTTLTest, BytesAreValueAndSeconds) {
  Open(100);
  Put("a", "1");
  db_.reset();
  std::unique_ptr<DB> plain;
  test::Ok(DB::OpenForReadOnly(options_, "/db", &plain));
  std::string value;
  test::Ok(plain->Get(ReadOptions(), "a", &value));
  EXPECT_EQ(std::string("1\x00\xf1\x53\x65", 5), value);
}

TEST_F(DBWithTTLTest, ABatchWhoseKeysLackTimestampsIsRefused) {
  Open(0);
  ColumnFamilyOptions timed;
  timed.comparator = BytewiseComparatorWithU64Ts();
  ColumnFamilyHandle* family = nullptr;
  test::Ok(db_->CreateColumnFamily(timed, "timed", &family));
  WriteBatch batch;
  test::Ok(batch.Put(family, "k", "v"));
  const Status refused = db_->Write(WriteOptions(), &batch);
  EXPECT_TRUE(refused.IsInvalidArgument()) << refused.ToString();
  test::Ok(batch.UpdateTimestamps(test::Ts(5), [&](uint32_t id) {
    return id == family->GetID() ? sizeof(uint64_t) : 0;
  }));
  test::Ok(db_->Write(WriteOptions(), &batch));
  const std::string time = test::Ts(5);
  const Slice timestamp(time);
  ReadOptions read;
  read.timestamp = &timestamp;
  std::string value;
  test::Ok(db_->Get(read, family, "k", &value));
  EXPECT_EQ("v", value);
  test::Ok(db_->DestroyColumnFamilyHandle(family));
}

TEST_F(DBWithTTLTest, EntriesGoWithTheCompactionAfterTheirTime) {
  Open(100);
  Put("a", "1");
  Pass(50);
  Put("b", "1");
  test::Ok(db_->Merge(WriteOptions(), "a2", "1"));
  Pass(50);
  Compact();
  EXPECT_EQ("a=1 a2=1 b=1 ", Rows());  // 100 seconds old, not older.
  Pass(1);
  EXPECT_EQ("1", Get("a"));
  Compact();
  EXPECT_EQ("a2=1 b=1 ", Rows());
  Pass(10'000);
  db_->SetTtl(0);
  Compact();
  EXPECT_EQ("a2=1 b=1 ", Rows());
  db_->SetTtl(20'000);
  Compact();
  EXPECT_EQ("a2=1 b=1 ", Rows());
  int32_t ttl = 0;
  test::Ok(db_->GetTtl(db_->DefaultColumnFamily(), &ttl));
  EXPECT_EQ(20'000, ttl);
  Open(10);  // Another one holds for what is there.
  Compact();
  EXPECT_EQ("NotFound: ", Get("b"));
}

TEST_F(DBWithTTLTest, TheProgramsFilterSeesNoTimes) {
  const WordFilter filter;
  for (const bool factory : {false, true}) {
    options_.compaction_filter = factory ? nullptr : &filter;
    options_.compaction_filter_factory =
        factory ? std::make_shared<WordFilterFactory>() : nullptr;
    Open(100);
    Put("a", "bad");
    Put("b", "old");
    Put("c", "good");
    Pass(60);
    Compact();
    EXPECT_EQ("b=new c=good ", Rows());
    Pass(60);  // What the filter changed keeps its time.
    Compact();
    EXPECT_EQ("", Rows());
    Put("d", "1");
    db_->SetTtl(1);
    Pass(10);
    Compact();
    EXPECT_EQ("", Rows());
  }
}

// For flushes only; compactions have to look at the times all the same.
class FlushFilterFactory final : public CompactionFilterFactory {
 public:
  const char* Name() const override { return "flush factory"; }
  bool ShouldFilterTableFileCreation(
      TableFileCreationReason reason) const override {
    return reason == TableFileCreationReason::kFlush;
  }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& context) override {
    EXPECT_EQ(TableFileCreationReason::kFlush, context.reason);
    return std::make_unique<WordFilter>();
  }
};

TEST_F(DBWithTTLTest, AFilterOfFlushesDoesNotEndTheTtl) {
  options_.compaction_filter_factory = std::make_shared<FlushFilterFactory>();
  Open(100);
  Put("a", "bad");
  Put("b", "good");
  test::Ok(db_->Flush(FlushOptions()));
  EXPECT_EQ("b=good ", Rows());
  Pass(101);
  Compact();
  EXPECT_EQ("", Rows());
}

TEST_F(DBWithTTLTest, CallsThroughStackableDBHaveTheirDefaults) {
  Open(0);
  Put("a", "1");
  StackableDB* const stacked = db_.get();
  EXPECT_NE(stacked->GetBaseDB(), stacked);
  EXPECT_EQ(stacked->GetBaseDB()->GetRootDB(), stacked->GetRootDB());
  std::vector<std::string> files;
  uint64_t manifest_size = 0;
  test::Ok(stacked->GetLiveFiles(files, &manifest_size));
  std::unique_ptr<TransactionLogIterator> updates;
  test::Ok(stacked->GetUpdatesSince(0, &updates));
  std::string value;
  EXPECT_TRUE(stacked->KeyMayExist(ReadOptions(), "a", &value));
  std::vector<ColumnFamilyHandle*> handles;
  test::Ok(stacked->CreateColumnFamilies(ColumnFamilyOptions(options_),
                                         {"x", "y"}, &handles));
  for (ColumnFamilyHandle* handle : handles) {
    int32_t ttl = -1;
    test::Ok(db_->GetTtl(handle, &ttl));
    EXPECT_EQ(0, ttl);
    test::Ok(stacked->DestroyColumnFamilyHandle(handle));
  }
}

TEST_F(DBWithTTLTest, FamiliesHaveTheirOwn) {
  Open(100);
  ColumnFamilyHandle* brief = nullptr;
  ColumnFamilyHandle* lasting = nullptr;
  test::Ok(db_->CreateColumnFamilyWithTtl(options_, "brief", &brief, 10));
  test::Ok(db_->CreateColumnFamily(options_, "lasting", &lasting));
  int32_t ttl = -1;
  test::Ok(db_->GetTtl(brief, &ttl));
  EXPECT_EQ(10, ttl);
  test::Ok(db_->GetTtl(lasting, &ttl));
  EXPECT_EQ(0, ttl);
  for (ColumnFamilyHandle* family : {brief, lasting}) {
    test::Ok(db_->Put(WriteOptions(), family, "k", "v"));
  }
  test::Ok(db_->DestroyColumnFamilyHandle(brief));
  test::Ok(db_->DestroyColumnFamilyHandle(lasting));
  db_.reset();
  const std::vector<ColumnFamilyDescriptor> families = {
      {"default", options_}, {"brief", options_}, {"lasting", options_}};
  std::vector<ColumnFamilyHandle*> handles;
  DBWithTTL* db = nullptr;
  const Status bad =
      DBWithTTL::Open(options_, "/db", families, &handles, &db, {1, 2});
  EXPECT_TRUE(bad.IsInvalidArgument()) << bad.ToString();
  EXPECT_EQ(nullptr, db);
  test::Ok(
      DBWithTTL::Open(options_, "/db", families, &handles, &db, {0, 10, 0}));
  db_.reset(db);
  Pass(11);
  std::string value;
  for (size_t i : {1, 2}) {
    CompactRangeOptions compact;
    compact.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    test::Ok(db_->CompactRange(compact, handles[i], nullptr, nullptr));
    EXPECT_EQ(i == 1,
              db_->Get(ReadOptions(), handles[i], "k", &value).IsNotFound());
  }
  std::vector<Iterator*> iterators;
  test::Ok(db_->NewIterators(ReadOptions(), handles, &iterators));
  iterators[2]->SeekToFirst();
  EXPECT_EQ("v", iterators[2]->value());
  for (Iterator* it : iterators) delete it;
  for (ColumnFamilyHandle* handle : handles) {
    test::Ok(db_->DestroyColumnFamilyHandle(handle));
  }
}

TEST_F(DBWithTTLTest, ValuesWithoutATimeAreCorruption) {
  std::unique_ptr<DB> plain;
  test::Ok(DB::Open(options_, "/db", &plain));
  test::Ok(plain->Put(WriteOptions(), "a", "abc"));
  test::Ok(plain->Put(WriteOptions(), "b", Slice("long ago\x01\0\0\0", 12)));
  plain.reset();
  Open(100);
  EXPECT_EQ(0u, Get("a").find("Corruption: TTL database")) << Get("a");
  EXPECT_EQ(0u, Get("b").find("Corruption: TTL database")) << Get("b");
  EXPECT_EQ(0u, Rows().find("Corruption: TTL database")) << Rows();
  Compact();  // What has no time stays.
  EXPECT_EQ(0u, Get("a").find("Corruption"));
}

TEST_F(DBWithTTLTest, EntitiesAndABrokenClockAreRefused) {
  Open(100);
  EXPECT_TRUE(db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "e",
                             {{"", "1"}})
                  .IsNotSupported());
  WriteBatch batch;
  test::Ok(batch.Put("a", "1"));
  test::Ok(batch.PutEntity(db_->DefaultColumnFamily(), "e", {{"", "1"}}));
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsNotSupported());
  EXPECT_EQ("NotFound: ", Get("a"));
  EXPECT_TRUE(db_->Write(WriteOptions(), nullptr).IsInvalidArgument());
  Put("a", "1");
  clock_->broken = true;
  EXPECT_TRUE(db_->Put(WriteOptions(), "b", "1").IsIOError());
  Pass(1000);
  Compact();
  EXPECT_EQ("a=1 ", Rows());
}

TEST_F(DBWithTTLTest, ReadOnlyAndIndexedBatches) {
  Open(100);
  Put("a", "1");
  WriteBatchWithIndex batch;
  test::Ok(batch.Put("b", "2"));
  test::Ok(batch.Merge(db_->DefaultColumnFamily(), "a", "3"));
  std::unique_ptr<Iterator> it(batch.NewIteratorWithBase(
      db_->DefaultColumnFamily(), db_->NewIterator(ReadOptions())));
  it->SeekToLast();
  EXPECT_EQ("2", it->value());
  it.reset();
  std::string value;
  test::Ok(batch.GetFromBatchAndDB(db_.get(), ReadOptions(), "b", &value));
  EXPECT_EQ("2", value);
  test::Ok(db_->Write(WriteOptions(), batch.GetWriteBatch()));
  Open(100, /*read_only=*/true);
  EXPECT_EQ("a=1,3 b=2 ", Rows());
  EXPECT_TRUE(db_->Put(WriteOptions(), "c", "1").IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
