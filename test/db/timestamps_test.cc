// User timestamps through the whole database: what a read at a time sees, and
// that flushes, compactions and reopening do not change it until the history
// is given up.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/recovery/wal_timestamps.h"
#include "db/write_batch/batch_format.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "rocksdb/transaction_log.h"
#include "table/internal_key.h"
#include "test/support/model_db.h"
#include "test/support/u64_ts.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::Ts;

uint64_t TimeOf(const Slice& timestamp) {
  uint64_t time = 0;
  EXPECT_TRUE(DecodeU64Ts(timestamp, &time).ok());
  return time;
}

TEST(U64TsComparator, OrdersKeysThenNewestFirst) {
  for (const Comparator* c :
       {BytewiseComparatorWithU64Ts(), ReverseBytewiseComparatorWithU64Ts()}) {
    EXPECT_EQ(8u, c->timestamp_size());
    const int a_b = c == BytewiseComparatorWithU64Ts() ? -1 : 1;
    EXPECT_EQ(a_b, c->Compare("a" + Ts(1), "b" + Ts(2)) < 0 ? -1 : 1);
    EXPECT_LT(c->Compare("a" + Ts(2), "a" + Ts(1)), 0);
    EXPECT_LT(c->Compare("a" + Ts(256), "a" + Ts(255)), 0);
    EXPECT_EQ(0, c->CompareWithoutTimestamp("a" + Ts(2), "a" + Ts(1)));
    EXPECT_EQ(0, c->CompareWithoutTimestamp("a" + Ts(2), true, "a", false));
    EXPECT_GT(c->CompareTimestamp(Ts(256), Ts(255)), 0);
    EXPECT_EQ(MaxU64Ts(), c->GetMaxTimestamp());
    EXPECT_EQ(MinU64Ts(), c->GetMinTimestamp());
    EXPECT_EQ("77", c->TimestampToString(Ts(77)));
    const Comparator* found = nullptr;
    ASSERT_TRUE(
        Comparator::CreateFromString(ConfigOptions(), c->Name(), &found).ok());
    EXPECT_EQ(c, found);
    // Too short for a timestamp: an order, and no byte outside.
    EXPECT_NE(0, c->Compare("abc", "a" + Ts(1)));
  }
  uint64_t time = 0;
  EXPECT_TRUE(DecodeU64Ts("short", &time).IsInvalidArgument());
}

struct Shape {
  const char* name;
  const Comparator* comparator;
  bool partitioned;
};

class Timestamps : public ::testing::TestWithParam<Shape> {
 protected:
  Timestamps() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    options_.comparator = GetParam().comparator;
    options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
    EXPECT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                                &options_.merge_operator)
                    .ok());
    BlockBasedTableOptions table;
    table.block_size = 64;
    table.filter_policy.reset(NewBloomFilterPolicy(10, false));
    if (GetParam().partitioned) {
      table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
      table.partition_filters = true;
      table.metadata_block_size = 64;
      table.data_block_index_type =
          BlockBasedTableOptions::kDataBlockBinaryAndHash;
    }
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    Open();
  }

  void Open() {
    db_.reset();
    const Status status = DB::Open(options_, "/db", &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  uint64_t NewestLogBytes() {
    std::vector<std::unique_ptr<LogFile>> logs;
    EXPECT_TRUE(db_->GetSortedWalFiles(logs).ok());
    return logs.empty() ? 0 : logs.back()->SizeFileBytes();
  }
  void Put(const std::string& key, uint64_t time, const std::string& value) {
    const Status status = db_->Put(WriteOptions(), key, Ts(time), value);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Delete(const std::string& key, uint64_t time) {
    ASSERT_TRUE(db_->Delete(WriteOptions(), key, Ts(time)).ok());
  }
  void Flush() { ASSERT_TRUE(db_->Flush(FlushOptions()).ok()); }
  void Compact() {
    CompactRangeOptions options;
    options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    const Status status = db_->CompactRange(options, nullptr, nullptr);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  // "value@time".
  std::string Get(const std::string& key, uint64_t time) {
    const std::string at = Ts(time);
    const Slice timestamp(at);
    ReadOptions read;
    read.timestamp = &timestamp;
    std::string value;
    std::string found;
    const Status status = db_->Get(read, key, &value, &found);
    if (status.IsNotFound()) return "-";
    if (!status.ok()) return status.ToString();
    std::string alone;
    EXPECT_TRUE(db_->Get(read, key, &alone).ok());
    EXPECT_EQ(value, alone);
    return value + "@" + std::to_string(TimeOf(found));
  }
  static std::string Row(const Iterator& it) {
    EXPECT_EQ(it.value(), it.columns()[0].value());
    return it.key().ToString() + "=" + it.value().ToString() + "@" +
           std::to_string(TimeOf(it.timestamp()));
  }
  // "k=value@time ...", both ways; a difference becomes part of the answer.
  std::string Rows(uint64_t time, ReadOptions read = ReadOptions()) {
    const std::string at = Ts(time);
    const Slice timestamp(at);
    read.timestamp = &timestamp;
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    return test::RowsBothWays(it.get(), Row);
  }
  bool forward_order() const {
    return GetParam().comparator == BytewiseComparatorWithU64Ts();
  }
  std::string InOrder(std::vector<std::string> rows) const {
    if (!forward_order()) rows = {rows.rbegin(), rows.rend()};
    std::string text;
    for (const std::string& row : rows) text += (text.empty() ? "" : " ") + row;
    return text;
  }

  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
};

INSTANTIATE_TEST_SUITE_P(
    Shapes, Timestamps,
    ::testing::Values(
        Shape{"Forward", BytewiseComparatorWithU64Ts(), false},
        Shape{"ForwardPartitioned", BytewiseComparatorWithU64Ts(), true},
        Shape{"Reverse", ReverseBytewiseComparatorWithU64Ts(), false}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(Timestamps, ShowTheNewestVersionUpToTheTimeOfTheRead) {
  Put("a", 10, "a10");
  Put("b", 10, "b10");
  Flush();
  Put("a", 20, "a20");
  Delete("b", 20);
  Flush();
  Put("a", 30, "a30");
  Put("b", 30, "b30");
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ("", Rows(9));
    EXPECT_EQ(InOrder({"a=a10@10", "b=b10@10"}), Rows(10));
    EXPECT_EQ(InOrder({"a=a10@10", "b=b10@10"}), Rows(19));
    EXPECT_EQ("a=a20@20", Rows(25));
    EXPECT_EQ(InOrder({"a=a30@30", "b=b30@30"}), Rows(1000));
    EXPECT_EQ("-", Get("a", 9));
    EXPECT_EQ("a10@10", Get("a", 15));
    EXPECT_EQ("-", Get("b", 20));
    EXPECT_EQ("b30@30", Get("b", 30));
    EXPECT_EQ("-", Get("c", 30));
    if (round == 0) Open();
    if (round == 1) Compact();
    if (round == 2) Open();
  }
}

TEST_P(Timestamps, AreReadManyAtATime) {
  Put("a", 10, "a10");
  Put("b", 20, "b20");
  const std::string at = Ts(15);
  const Slice timestamp(at);
  ReadOptions read;
  read.timestamp = &timestamp;
  std::vector<std::string> values;
  std::vector<std::string> times;
  const std::vector<Status> statuses =
      db_->MultiGet(read, {"a", "b"}, &values, &times);
  EXPECT_TRUE(statuses[0].ok());
  EXPECT_EQ("a10", values[0]);
  EXPECT_EQ(10u, TimeOf(times[0]));
  EXPECT_TRUE(statuses[1].IsNotFound());
  PinnableWideColumns columns;
  ASSERT_TRUE(
      db_->GetEntity(read, db_->DefaultColumnFamily(), "a", &columns).ok());
  EXPECT_EQ("a10", columns.columns()[0].value());
  bool found = false;
  std::string value;
  EXPECT_TRUE(db_->KeyMayExist(read, "a", &value, &found));
  EXPECT_TRUE(found);
  EXPECT_EQ("a10", value);
}

TEST_P(Timestamps, ManyAreReadByWhoDoesNotAskForTheirTimes) {
  for (int round = 0; round < 2; ++round) {  // From memory, then from a table.
    Put("a", 10, "a10");
    Put("b", 20, "b20");
    if (round == 1) Flush();
    const std::string at = Ts(15);
    const Slice timestamp(at);
    ReadOptions read;
    read.timestamp = &timestamp;
    const Slice keys[] = {"a", "b", ""};
    PinnableSlice values[3];
    Status statuses[3];
    db_->MultiGet(read, db_->DefaultColumnFamily(), 3, keys, values, statuses);
    EXPECT_TRUE(statuses[0].ok()) << statuses[0].ToString();
    EXPECT_EQ("a10", values[0]);
    EXPECT_TRUE(statuses[1].IsNotFound()) << statuses[1].ToString();
    EXPECT_TRUE(statuses[2].IsNotFound()) << statuses[2].ToString();
    db_->MultiGet(ReadOptions(), db_->DefaultColumnFamily(), 3, keys, values,
                  statuses);
    for (const Status& status : statuses) {
      EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
    }
  }
}

TEST_P(Timestamps, AllVersionsAreShownFromTheStartTimeOn) {
  Put("a", 10, "a10");
  Put("a", 20, "a20");
  Delete("a", 30);
  Put("a", 40, "a40");
  Flush();
  const std::string from = Ts(20);
  const std::string to = Ts(35);
  const Slice start(from);
  const Slice end(to);
  ReadOptions read;
  read.iter_start_ts = &start;
  read.timestamp = &end;
  const std::unique_ptr<Iterator> it(db_->NewIterator(read));
  std::string seen;
  const auto see = [&] {
    engine::ParsedInternalKey key;
    ASSERT_TRUE(engine::ParseInternalKey(it->key(), &key));
    seen += std::to_string(TimeOf(it->timestamp())) + ":" +
            std::to_string(static_cast<int>(key.type)) + ":" +
            it->value().ToString() + " ";
  };
  for (it->SeekToFirst(); it->Valid(); it->Next()) see();
  EXPECT_EQ("30:20: 20:1:a20 ", seen);
  seen.clear();
  for (it->SeekToLast(); it->Valid(); it->Prev()) see();
  EXPECT_EQ("20:1:a20 30:20: ", seen);
  EXPECT_TRUE(it->status().ok());
}

TEST_P(Timestamps, StayOutOfBoundsPrefixesAndSeeks) {
  for (const char* key : {"a1", "a2", "b1", "b2", "c1"}) {
    for (uint64_t time : {10, 20, 30}) Put(key, time, "v");
  }
  Flush();
  ReadOptions bounded;
  const Slice lower(forward_order() ? "a2" : "b2");
  const Slice upper(forward_order() ? "b2" : "a2");
  bounded.iterate_lower_bound = &lower;
  bounded.iterate_upper_bound = &upper;
  EXPECT_EQ(forward_order() ? "a2=v@20 b1=v@20" : "b2=v@20 b1=v@20",
            Rows(25, bounded));
  const std::string at = Ts(25);
  const Slice timestamp(at);
  ReadOptions read;
  read.timestamp = &timestamp;
  read.prefix_same_as_start = true;
  const std::unique_ptr<Iterator> it(db_->NewIterator(read));
  it->Seek("b1");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("b1=v@20", Row(*it));
  it->Next();
  EXPECT_EQ(forward_order(), it->Valid());
  it->SeekForPrev(forward_order() ? "b1x" : "b0x");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("b1=v@20", Row(*it));
  // To and fro.
  ReadOptions total;
  total.timestamp = &timestamp;
  const std::unique_ptr<Iterator> all(db_->NewIterator(total));
  all->Seek("b1");
  all->Prev();
  ASSERT_TRUE(all->Valid());
  EXPECT_EQ(forward_order() ? "a2=v@20" : "b2=v@20", Row(*all));
  all->Next();
  ASSERT_TRUE(all->Valid());
  EXPECT_EQ("b1=v@20", Row(*all));
}

TEST_P(Timestamps, RangeDeletionsCountForLaterReadsOnly) {
  for (const char* key : {"a", "b", "c", "d"}) Put(key, 10, "v");
  Flush();
  const std::string begin = forward_order() ? "b" : "c";
  const std::string end = forward_order() ? "d" : "a";
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), begin, end, Ts(20)).ok());
  Put("b", 30, "again");
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(InOrder({"a=v@10", "b=v@10", "c=v@10", "d=v@10"}), Rows(19));
    EXPECT_EQ(InOrder({"a=v@10", "d=v@10"}), Rows(20));
    EXPECT_EQ(InOrder({"a=v@10", "b=again@30", "d=v@10"}), Rows(30));
    EXPECT_EQ("v@10", Get("c", 19));
    EXPECT_EQ("-", Get("c", 20));
    EXPECT_EQ("-", Get("b", 29));
    EXPECT_EQ("again@30", Get("b", 30));
    EXPECT_EQ("v@10", Get("d", 30));
    if (round == 0) Open();
    if (round == 1) Compact();
    if (round == 2) Open();
  }
}

TEST_P(Timestamps, AMergeHasThatOfItsNewestOperand) {
  Put("a", 10, "base");
  ASSERT_TRUE(
      db_->Merge(WriteOptions(), db_->DefaultColumnFamily(), "a", Ts(20), "x")
          .ok());
  Flush();
  ASSERT_TRUE(
      db_->Merge(WriteOptions(), db_->DefaultColumnFamily(), "a", Ts(30), "y")
          .ok());
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ("base@10", Get("a", 10));
    EXPECT_EQ("base,x@20", Get("a", 29));
    EXPECT_EQ("base,x,y@30", Get("a", 30));
    EXPECT_EQ("a=base,x,y@30", Rows(30));
    Compact();
  }
}

// Compactions may join operands once no reader can read between them, but not
// across a range deletion.
TEST_P(Timestamps, ARangeDeletionSeparatesMergesWhoseHistoryIsForgotten) {
  ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
  Put("b", 5, "base");
  ASSERT_TRUE(db_->Merge(WriteOptions(), family, "b", Ts(10), "x").ok());
  ASSERT_TRUE(db_->Merge(WriteOptions(), family, "c", Ts(10), "x").ok());
  const std::string begin = forward_order() ? "b" : "c";
  const std::string end = forward_order() ? "d" : "a";
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), begin, end, Ts(20)).ok());
  ASSERT_TRUE(db_->Merge(WriteOptions(), family, "b", Ts(30), "y").ok());
  ASSERT_TRUE(db_->Merge(WriteOptions(), family, "c", Ts(30), "y").ok());
  ASSERT_TRUE(db_->IncreaseFullHistoryTsLow(family, Ts(50)).ok());
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(InOrder({"b=y@30", "c=y@30"}), Rows(60));
    EXPECT_EQ("y@30", Get("b", 60));
    EXPECT_EQ("y@30", Get("c", 60));
    if (round == 0) Flush();
    if (round == 1) Compact();
    if (round == 2) Open();
  }
}

TEST_P(Timestamps, BelowTheLimitOfHistoryAreRefusedAndDropped) {
  Put("a", 10, "a10");
  Put("a", 20, "a20");
  Put("a", 30, "a30");
  Put("b", 10, "b10");
  Delete("b", 20);
  Put("c", 10, "c10");
  ASSERT_TRUE(db_->SingleDelete(WriteOptions(), "c", Ts(15)).ok());
  Flush();
  Compact();
  const auto entries = [&] {
    TablePropertiesCollection properties;
    EXPECT_TRUE(db_->GetPropertiesOfAllTables(&properties).ok());
    uint64_t sum = 0;
    for (const auto& [file, p] : properties) sum += p->num_entries;
    return sum;
  };
  EXPECT_EQ(7u, entries());
  ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
  ASSERT_TRUE(db_->IncreaseFullHistoryTsLow(family, Ts(25)).ok());
  EXPECT_TRUE(
      db_->IncreaseFullHistoryTsLow(family, Ts(24)).IsInvalidArgument());
  EXPECT_TRUE(
      db_->IncreaseFullHistoryTsLow(family, "short").IsInvalidArgument());
  EXPECT_NE(std::string::npos,
            Get("a", 24).find("is smaller than full_history_ts_low"));
  EXPECT_NE(std::string::npos,
            Rows(24).find("is smaller than full_history_ts_low"));
  Compact();
  EXPECT_EQ("a=a20@20", Rows(25));
  EXPECT_EQ("a=a30@30", Rows(30));
  EXPECT_EQ(2u, entries());
  Open();
  std::string low;
  ASSERT_TRUE(db_->GetFullHistoryTsLow(db_->DefaultColumnFamily(), &low).ok());
  EXPECT_EQ(25u, TimeOf(low));
  EXPECT_EQ("a=a20@20", Rows(25));
}

// A file below may begin at an older version of the key: the deletion is needed
// until it meets that file.
TEST_P(Timestamps, ADeletionStaysWhileAnOlderVersionIsBelow) {
  options_.level_compaction_dynamic_level_bytes = false;
  Open();
  for (const char* key : {"a", "b", "c"}) Put(key, 10, "v");
  Flush();
  CompactRangeOptions down;
  down.change_level = true;
  down.target_level = 2;
  ASSERT_TRUE(db_->CompactRange(down, nullptr, nullptr).ok());
  for (const uint64_t time : {20, 21}) {  // Two files: no move into level 1.
    for (const char* key : {"a", "b", "c"}) Delete(key, time);
    Flush();
  }
  const std::string low = Ts(30);
  const Slice limit(low);
  CompactRangeOptions forget;
  forget.full_history_ts_low = &limit;
  ASSERT_TRUE(db_->CompactRange(forget, nullptr, nullptr).ok());
  EXPECT_EQ("", Rows(40));
  for (const char* key : {"a", "b", "c"}) EXPECT_EQ("-", Get(key, 40)) << key;
}

TEST_P(Timestamps, SurviveASnapshotWhileHistoryIsDropped) {
  Put("a", 10, "a10");
  Put("a", 20, "a20");
  ManagedSnapshot before(db_.get());
  Put("a", 20, "a20 again");
  Delete("a", 22);
  Flush();
  const std::string low = Ts(25);
  const Slice limit(low);
  CompactRangeOptions options;
  options.full_history_ts_low = &limit;
  options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_TRUE(db_->CompactRange(options, nullptr, nullptr).ok());
  ReadOptions at;
  at.snapshot = before.snapshot();
  EXPECT_EQ("a=a20@20", Rows(30, at));
  EXPECT_EQ("", Rows(30));
}

TEST_P(Timestamps, ThatAreMissingOrWrongAreRefused) {
  EXPECT_TRUE(db_->Put(WriteOptions(), "a", "v").IsInvalidArgument());
  EXPECT_TRUE(db_->Put(WriteOptions(), "a", "short", "v").IsInvalidArgument());
  EXPECT_TRUE(db_->Delete(WriteOptions(), "a").IsInvalidArgument());
  EXPECT_TRUE(db_->SingleDelete(WriteOptions(), "a").IsInvalidArgument());
  EXPECT_TRUE(db_->Merge(WriteOptions(), "a", "v").IsInvalidArgument());
  EXPECT_TRUE(db_->DeleteRange(WriteOptions(), "a", "b").IsInvalidArgument());
  EXPECT_TRUE(db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "a",
                             {{"x", "y"}})
                  .IsInvalidArgument());
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("short", "v").ok());
  EXPECT_TRUE(db_->Write(WriteOptions(), &batch).IsInvalidArgument());
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "a", &value).IsInvalidArgument());
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->SeekToFirst();
  EXPECT_TRUE(it->status().IsInvalidArgument());

  // And where there are none.
  ColumnFamilyHandle* plain = nullptr;
  ColumnFamilyOptions options(options_);
  options.comparator = BytewiseComparator();
  ASSERT_TRUE(db_->CreateColumnFamily(options, "plain", &plain).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), plain, "a", "v").ok());
  EXPECT_TRUE(
      db_->Put(WriteOptions(), plain, "a", Ts(1), "v").IsInvalidArgument());
  const std::string at = Ts(1);
  const Slice timestamp(at);
  ReadOptions read;
  read.timestamp = &timestamp;
  EXPECT_TRUE(db_->Get(read, plain, "a", &value).IsInvalidArgument());
  std::string found = "something";
  EXPECT_TRUE(db_->Get(ReadOptions(), plain, "a", &value, &found).ok());
  EXPECT_EQ("", found);
  EXPECT_TRUE(db_->IncreaseFullHistoryTsLow(plain, Ts(1)).IsInvalidArgument());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(plain).ok());
}

// A family that is made while a log is in use says so in that log.
TEST_P(Timestamps, ANewFamilyIsReplayed) {
  ColumnFamilyHandle* family = nullptr;
  ASSERT_TRUE(
      db_->CreateColumnFamily(ColumnFamilyOptions(options_), "new", &family)
          .ok());
  Put("a", 5, "first");
  ASSERT_TRUE(db_->Put(WriteOptions(), family, "k", Ts(7), "v").ok());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(family).ok());
  db_.reset();
  std::vector<ColumnFamilyHandle*> handles;
  const Status status =
      DB::Open(options_, "/db",
               {{kDefaultColumnFamilyName, ColumnFamilyOptions(options_)},
                {"new", ColumnFamilyOptions(options_)}},
               &handles, &db_);
  ASSERT_TRUE(status.ok()) << status.ToString();
  const std::string at = Ts(7);
  const Slice timestamp(at);
  ReadOptions read;
  read.timestamp = &timestamp;
  std::string value;
  EXPECT_TRUE(db_->Get(read, handles[1], "k", &value).ok());
  EXPECT_EQ("v", value);
  EXPECT_EQ("first@5", Get("a", 7));
  for (ColumnFamilyHandle* handle : handles) {
    ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  }
}

// RocksDB 7.8.3 answers Corruption where a log has nothing but their size.
TEST_P(Timestamps, AreNotNamedInALogWithoutBatches) {
  for (const size_t recycled : {0, 3}) {
    options_.recycle_log_file_num = recycled;
    Open();
    EXPECT_EQ(0u, NewestLogBytes());
    for (const char* key : {"a", "b"}) {
      Put(key, 5, "v");
      EXPECT_GT(NewestLogBytes(), 0u);
      ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
      EXPECT_EQ(0u, NewestLogBytes());
    }
  }
}

// Random writes against a map of all versions, over several levels.
TEST_P(Timestamps, AgreeWithAModelOfAllVersions) {
  engine::Random64 random(17);
  std::map<std::string, std::map<uint64_t, std::string>> model;
  const auto expected = [&](uint64_t time) {
    std::vector<std::string> rows;
    for (const auto& [key, versions] : model) {
      auto it = versions.upper_bound(time);
      if (it == versions.begin()) continue;
      --it;
      if (it->second.empty()) continue;
      rows.push_back(key + "=" + it->second + "@" + std::to_string(it->first));
    }
    return InOrder(rows);
  };
  for (uint64_t time = 1; time <= 120; ++time) {
    const std::string key = "k" + std::to_string(10 + random.Uniform(15));
    std::string value;
    if (random.Uniform(4) != 0) value = "v" + std::to_string(time);
    model[key][time] = value;
    if (value.empty()) {
      Delete(key, time);
    } else {
      Put(key, time, value);
    }
    if (random.Uniform(12) == 0) Flush();
    if (random.Uniform(30) == 0) Compact();
    if (random.Uniform(30) == 0) Open();
    if (time % 10 != 0) continue;
    for (const uint64_t at : {time, time / 2, time / 4}) {
      ASSERT_EQ(expected(at), Rows(at)) << "at " << at << " of " << time;
    }
    for (const auto& [k, versions] : model) {
      auto it = versions.upper_bound(time / 2);
      const bool there = it != versions.begin() && !(--it)->second.empty();
      ASSERT_EQ(there ? it->second + "@" + std::to_string(it->first) : "-",
                Get(k, time / 2));
    }
  }
}

// ---- Logs.

std::string BatchOf(const std::string& key, const std::string& value) {
  std::string rep(engine::kBatchHeaderSize, '\0');
  engine::EncodeFixed32(rep.data() + engine::kBatchCountOffset, 2);
  rep.push_back('\x05');
  engine::PutVarint32(&rep, 7);
  engine::PutLengthPrefixedSlice(&rep, key);
  engine::PutLengthPrefixedSlice(&rep, value);
  rep.push_back('\x0f');
  engine::PutLengthPrefixedSlice(&rep, "begin");
  engine::PutLengthPrefixedSlice(&rep, "end");
  rep.push_back('\x03');
  engine::PutLengthPrefixedSlice(&rep, "log data");
  return rep;
}

TEST(LoggedTimestamps, AreAddedCutOffOrLeftAsTheFamilyNeeds) {
  std::map<uint32_t, uint16_t> recorded;
  size_t current = 8;
  engine::TimestampSizes sizes;
  sizes.recorded = &recorded;
  sizes.current = [&](uint32_t id) { return id == 7 ? current : 0; };
  std::string rewritten;
  Slice contents;
  const std::string bare = BatchOf("key", "value");
  const std::string stamped = BatchOf("key" + std::string(8, '\0'), "value");
  // No record: without timestamps.
  ASSERT_TRUE(
      engine::ReconcileTimestamps(bare, sizes, &rewritten, &contents).ok());
  EXPECT_EQ(stamped, contents);
  sizes.logs_have_none = true;
  ASSERT_TRUE(
      engine::ReconcileTimestamps(bare, sizes, &rewritten, &contents).ok());
  EXPECT_EQ(bare.data(), contents.data());
  recorded[7] = 8;
  ASSERT_TRUE(
      engine::ReconcileTimestamps(stamped, sizes, &rewritten, &contents).ok());
  EXPECT_EQ(stamped.data(), contents.data());
  current = 0;
  ASSERT_TRUE(
      engine::ReconcileTimestamps(stamped, sizes, &rewritten, &contents).ok());
  EXPECT_EQ(bare, contents);
  EXPECT_TRUE(engine::ReconcileTimestamps(bare, sizes, &rewritten, &contents)
                  .IsCorruption());
  current = 4;
  EXPECT_TRUE(engine::ReconcileTimestamps(stamped, sizes, &rewritten, &contents)
                  .IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
