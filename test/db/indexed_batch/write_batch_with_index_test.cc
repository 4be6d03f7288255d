// What a batch with index shows: by itself, and over a database.

#include "rocksdb/utilities/write_batch_with_index.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"
#include "test/support/ok.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Joins with commas.
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

class IndexedBatch : public ::testing::TestWithParam<bool> {
 protected:
  IndexedBatch()
      : env_(NewCompositeEnv(std::make_shared<engine::MemFileSystem>())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.merge_operator = std::make_shared<Joining>();
    test::Ok(DB::Open(options_, "/db", &db_));
    family_ = db_->DefaultColumnFamily();
  }
  void OpenWithPrefixFilters() {
    BlockBasedTableOptions table;
    table.filter_policy.reset(NewBloomFilterPolicy(20));
    table.whole_key_filtering = false;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    options_.prefix_extractor.reset(NewFixedPrefixTransform(1));
    db_.reset();
    test::Ok(DB::Open(options_, "/db", &db_));
    family_ = db_->DefaultColumnFamily();
  }
  void Fill(const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
      test::Ok(db_->Put(WriteOptions(), key, "db"));
    }
  }
  // "a:1 b:deleted", in the order of the index.
  std::string Records(const std::string& from = "") {
    const char* const kNames[] = {"put", "merge", "delete", "single"};
    std::unique_ptr<WBWIIterator> it(batch_.NewIterator(family_));
    std::string text;
    for (it->Seek(from); it->Valid(); it->Next()) {
      const WriteEntry entry = it->Entry();
      text += (text.empty() ? "" : " ") + entry.key.ToString() + ":" +
              (entry.type <= kSingleDeleteRecord ? kNames[entry.type] : "?") +
              entry.value.ToString();
    }
    test::Ok(it->status());
    return text;
  }
  std::unique_ptr<Iterator> Overlay(const ReadOptions& read = ReadOptions()) {
    return std::unique_ptr<Iterator>(batch_.NewIteratorWithBase(
        family_, db_->NewIterator(read, family_), &read));
  }
  static std::string Row(Iterator* it) {
    return it->Valid() ? it->key().ToString() + "=" + it->value().ToString()
                       : "end";
  }
  std::string Rows(const ReadOptions& read = ReadOptions()) {
    const std::unique_ptr<Iterator> it = Overlay(read);
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += (text.empty() ? "" : " ") + Row(it.get());
    }
    test::Ok(it->status());
    return text;
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status =
        batch_.GetFromBatchAndDB(db_.get(), ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  std::string GetHere(const std::string& key) {
    std::string value;
    const Status status =
        batch_.GetFromBatch(family_, DBOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }

  Options options_;
  std::unique_ptr<Env> env_;
  std::unique_ptr<DB> db_;
  ColumnFamilyHandle* family_ = nullptr;
  WriteBatchWithIndex batch_{BytewiseComparator(), 0, GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Overwriting, IndexedBatch, ::testing::Bool());

TEST_P(IndexedBatch, ListsItsRecords) {
  test::Ok(batch_.Put("b", "1"));
  test::Ok(batch_.Delete("a"));
  test::Ok(batch_.Put("b", "2"));
  test::Ok(batch_.SingleDelete("c"));
  test::Ok(batch_.Merge("d", "x"));
  test::Ok(batch_.Merge("d", "y"));
  test::Ok(batch_.PutLogData("not seen"));
  EXPECT_EQ(GetParam() ? "a:delete b:put2 c:single d:mergex d:mergey"
                       : "a:delete b:put1 b:put2 c:single d:mergex d:mergey",
            Records());
  EXPECT_EQ("c:single d:mergex d:mergey", Records("bb"));
  EXPECT_EQ(6u, batch_.GetWriteBatch()->Count());
  std::unique_ptr<WBWIIterator> it(batch_.NewIterator());
  it->SeekForPrev("bz");
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("2", it->Entry().value);
  it->SeekToLast();
  EXPECT_EQ("y", it->Entry().value);
  it->Prev();
  EXPECT_EQ("x", it->Entry().value);
  it->Next();
  it->Next();
  EXPECT_FALSE(it->Valid());
}

TEST_P(IndexedBatch, AnIteratorOverRecordsLivesThroughWrites) {
  for (int i = 0; i < 1000; i += 2) {
    test::Ok(batch_.Put(std::to_string(1000 + i), std::to_string(i)));
  }
  std::unique_ptr<WBWIIterator> it(batch_.NewIterator());
  it->SeekToFirst();
  for (int i = 0; i < 998; i += 2) {
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(std::to_string(i), it->Entry().value);
    test::Ok(batch_.Put(std::to_string(1000 + i + 1), std::to_string(i + 1)));
    it->Next();
    ASSERT_EQ(std::to_string(i + 1), it->Entry().value);
    it->Next();
  }
}

TEST_P(IndexedBatch, AnswersAloneWhatItKnows) {
  EXPECT_EQ("NotFound: ", GetHere("a"));
  test::Ok(batch_.Put("a", "1"));
  EXPECT_EQ("1", GetHere("a"));
  test::Ok(batch_.Merge("a", "2"));
  EXPECT_EQ("1,2", GetHere("a"));
  test::Ok(batch_.Delete("a"));
  EXPECT_EQ("NotFound: ", GetHere("a"));
  test::Ok(batch_.Merge("a", "3"));
  EXPECT_EQ("3", GetHere("a"));
  test::Ok(batch_.Merge("b", "1"));
  std::string value;
  EXPECT_TRUE(batch_.GetFromBatch(family_, DBOptions(), "b", &value)
                  .IsMergeInProgress());
  // Without a base no operator is needed to say so.
  EXPECT_TRUE(
      batch_.GetFromBatch(DBOptions(), "b", &value).IsMergeInProgress());
  EXPECT_TRUE(
      batch_.GetFromBatch(DBOptions(), "a", &value).IsInvalidArgument());
  test::Ok(batch_.PutEntity(family_, "e", {{"", "plain"}, {"col", "v"}}));
  EXPECT_EQ("plain", GetHere("e"));
  PinnableWideColumns columns;
  test::Ok(batch_.GetEntityFromBatch(family_, "e", &columns));
  EXPECT_EQ(2u, columns.columns().size());
  test::Ok(batch_.Merge("e", "m"));
  EXPECT_EQ("plain,m", GetHere("e"));
  test::Ok(batch_.GetEntityFromBatch(family_, "e", &columns));
  EXPECT_EQ((WideColumns{{"", "plain,m"}, {"col", "v"}}), columns.columns());
}

TEST_P(IndexedBatch, AnswersWithTheDatabase) {
  Fill({"a", "b", "c"});
  test::Ok(batch_.Put("a", "1"));
  test::Ok(batch_.Delete("b"));
  test::Ok(batch_.Merge("c", "2"));
  test::Ok(batch_.Merge("d", "3"));
  EXPECT_EQ("1", Get("a"));
  EXPECT_EQ("NotFound: ", Get("b"));
  EXPECT_EQ("db,2", Get("c"));
  EXPECT_EQ("3", Get("d"));
  EXPECT_EQ("NotFound: ", Get("e"));
  EXPECT_EQ("a=1 c=db,2 d=3", Rows());
  const Slice keys[] = {"a", "b", "c", "d", "e"};
  PinnableSlice values[5];
  Status statuses[5];
  batch_.MultiGetFromBatchAndDB(db_.get(), ReadOptions(), family_, 5, keys,
                                values, statuses, /*sorted_input=*/true);
  EXPECT_EQ("1", values[0]);
  EXPECT_TRUE(statuses[1].IsNotFound());
  EXPECT_EQ("db,2", values[2]);
  EXPECT_EQ("3", values[3]);
  EXPECT_TRUE(statuses[4].IsNotFound());
  PinnableWideColumns columns[5];
  batch_.MultiGetEntityFromBatchAndDB(db_.get(), ReadOptions(), family_, 5,
                                      keys, columns, statuses, true);
  test::Ok(statuses[2]);
  EXPECT_EQ("db,2", columns[2].columns().front().value());
  EXPECT_TRUE(statuses[4].IsNotFound());
}

TEST_P(IndexedBatch, ASnapshotLimitsOnlyTheDatabase) {
  Fill({"a"});
  ManagedSnapshot snapshot(db_.get());
  ReadOptions read;
  read.snapshot = snapshot.snapshot();
  Fill({"b"});
  test::Ok(batch_.Put("c", "1"));
  EXPECT_EQ("a=db c=1", Rows(read));
  std::string value;
  EXPECT_TRUE(
      batch_.GetFromBatchAndDB(db_.get(), read, "b", &value).IsNotFound());
}

TEST_P(IndexedBatch, RangeDeletionsHideWhatIsOlder) {
  Fill({"a", "b", "c", "d", "e"});
  test::Ok(batch_.Put("bb", "1"));
  test::Ok(batch_.DeleteRange("b", "d"));
  test::Ok(batch_.Put("c", "2"));
  test::Ok(batch_.Merge("bc", "3"));
  EXPECT_EQ("NotFound: ", GetHere("bb"));
  EXPECT_EQ("2", GetHere("c"));
  EXPECT_EQ("3", GetHere("bc"));
  EXPECT_EQ("NotFound: ", Get("b"));
  EXPECT_EQ("db", Get("d"));
  EXPECT_EQ("a=db bc=3 c=2 d=db e=db", Rows());
  const std::unique_ptr<Iterator> it = Overlay();
  it->SeekForPrev("bb");
  EXPECT_EQ("a=db", Row(it.get()));
  it->Next();
  EXPECT_EQ("bc=3", Row(it.get()));
  it->Prev();
  EXPECT_EQ("a=db", Row(it.get()));
}

TEST_P(IndexedBatch, BoundsHoldForTheBatch) {
  Fill({"a", "c", "e"});
  for (const char* key : {"b", "d", "f"}) test::Ok(batch_.Put(key, "1"));
  const Slice lower("b");
  const Slice upper("e");
  ReadOptions read;
  read.iterate_lower_bound = &lower;
  read.iterate_upper_bound = &upper;
  EXPECT_EQ("b=1 c=db d=1", Rows(read));
  const std::unique_ptr<Iterator> it = Overlay(read);
  it->SeekToLast();
  EXPECT_EQ("d=1", Row(it.get()));
  it->Seek("a");
  EXPECT_EQ("b=1", Row(it.get()));
  it->Prev();
  EXPECT_EQ("end", Row(it.get()));
  it->SeekForPrev("z");
  EXPECT_EQ("d=1", Row(it.get()));
  it->Next();
  EXPECT_EQ("end", Row(it.get()));
}

// A seek of the database finds only prefixes that are in its tables' filters.
// A turn and a skip are no seeks for the caller.
TEST_P(IndexedBatch, TurnsAndSkipsBetweenPrefixes) {
  OpenWithPrefixFilters();
  Fill({"a1", "c1", "e1", "i1"});
  test::Ok(db_->Flush(FlushOptions()));
  for (const char* key : {"b1", "d1", "k1"}) test::Ok(batch_.Put(key, "1"));
  const std::unique_ptr<Iterator> it = Overlay();
  const auto row_after = [&it](std::initializer_list<char> steps) {
    for (const char step : steps) step == 'n' ? it->Next() : it->Prev();
    return Row(it.get());
  };
  it->SeekToFirst();
  EXPECT_EQ("d1=1", row_after({'n', 'n', 'n'}));
  EXPECT_EQ("c1=db", row_after({'p'}));
  EXPECT_EQ("b1=1", row_after({'p'}));
  EXPECT_EQ("c1=db", row_after({'n'}));
  EXPECT_EQ("d1=1", row_after({'n'}));
  EXPECT_EQ("e1=db", row_after({'n'}));
  EXPECT_EQ("k1=1", row_after({'n', 'n'}));  // The database has ended.
  EXPECT_EQ("i1=db", row_after({'p'}));
  it->SeekToLast();
  EXPECT_EQ("d1=1", row_after({'p', 'p', 'p'}));
  EXPECT_EQ("e1=db", row_after({'n'}));
  test::Ok(batch_.Put("_1", "1"));
  it->SeekToLast();
  it->SeekToFirst();
  EXPECT_EQ("_1=1", Row(it.get()));
  EXPECT_EQ("_1=1", row_after({'n', 'p'}));
  EXPECT_EQ("a1=db", row_after({'n'}));

  test::Ok(batch_.DeleteRange(family_, "e1", "h"));
  EXPECT_EQ("_1=1 a1=db b1=1 c1=db d1=1 i1=db k1=1", Rows());
  it->SeekToLast();
  EXPECT_EQ("d1=1", row_after({'p', 'p'}));
  EXPECT_EQ("i1=db", row_after({'n'}));
  test::Ok(it->status());
}

TEST_P(IndexedBatch, ARollbackBringsBackWhatWasReplaced) {
  test::Ok(batch_.Put("a", "1"));
  batch_.SetSavePoint();
  test::Ok(batch_.Put("a", "2"));
  test::Ok(batch_.Put("b", "2"));
  test::Ok(batch_.DeleteRange("0", "z"));
  EXPECT_EQ("NotFound: ", GetHere("a"));
  test::Ok(batch_.RollbackToSavePoint());
  EXPECT_EQ("1", GetHere("a"));
  EXPECT_EQ("a:put1", Records());
  EXPECT_TRUE(batch_.RollbackToSavePoint().IsNotFound());
  batch_.SetSavePoint();
  test::Ok(batch_.PopSavePoint());
  EXPECT_TRUE(batch_.PopSavePoint().IsNotFound());
  batch_.Clear();
  EXPECT_EQ("", Records());
  EXPECT_EQ(0u, batch_.GetWriteBatch()->Count());
}

TEST_P(IndexedBatch, WhatDoesNotFitIsNotIndexed) {
  test::Ok(batch_.Put("a", "1"));
  batch_.SetMaxBytes(batch_.GetDataSize() + 10);
  EXPECT_TRUE(batch_.Put("a", std::string(100, 'v')).IsMemoryLimit());
  EXPECT_EQ("a:put1", Records());
}

TEST_P(IndexedBatch, FamiliesAreApartAndHaveTheirOrder) {
  ColumnFamilyOptions reversed;
  reversed.comparator = ReverseBytewiseComparator();
  ColumnFamilyHandle* other = nullptr;
  test::Ok(db_->CreateColumnFamily(reversed, "other", &other));
  for (const char* key : {"a", "c", "b"}) {
    test::Ok(batch_.Put(other, key, "1"));
  }
  std::unique_ptr<WBWIIterator> it(batch_.NewIterator(other));
  std::string keys;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    keys += it->Entry().key.ToString();
  }
  EXPECT_EQ("cba", keys);
  EXPECT_EQ("", Records());
  test::Ok(batch_.Merge(other, "a", "2"));
  std::string value;
  const Status status = batch_.GetFromBatch(other, DBOptions(), "a", &value);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();  // No operator.
  test::Ok(db_->DestroyColumnFamilyHandle(other));
}

TEST_P(IndexedBatch, MovesWithItsIndex) {
  test::Ok(batch_.Put("a", "1"));
  WriteBatchWithIndex moved(std::move(batch_));
  std::string value;
  test::Ok(moved.GetFromBatch(DBOptions(), "a", &value));
  test::Ok(moved.Put("b", "2"));
  batch_ = std::move(moved);
  EXPECT_EQ("a:put1 b:put2", Records());
}

TEST_P(IndexedBatch, ValuesStayReadableWhenTheBatchGrows) {
  Fill({"k1"});
  test::Ok(batch_.Put("k0", "here"));
  const std::unique_ptr<Iterator> it = Overlay();
  it->SeekToFirst();
  ASSERT_EQ("k0=here", Row(it.get()));
  for (int i = 0; i < 1000; ++i)
    test::Ok(batch_.Put("x", std::string(50, 'x')));
  EXPECT_EQ("k0=here", Row(it.get()));
  it->Next();
  EXPECT_EQ("k1=db", Row(it.get()));
}

TEST_P(IndexedBatch, TheCurrentKeyMayBeWritten) {
  Fill({"a", "b", "c"});
  const std::unique_ptr<Iterator> it = Overlay();
  it->Seek("b");
  test::Ok(batch_.Delete("b"));
  it->Next();
  EXPECT_EQ("c=db", Row(it.get()));
  it->Prev();
  EXPECT_EQ("a=db", Row(it.get()));
  test::Ok(batch_.Put("a", "1"));
  it->Next();
  EXPECT_EQ("c=db", Row(it.get()));
  it->Seek("a");
  EXPECT_EQ("a=1", Row(it.get()));
}

TEST_P(IndexedBatch, ShowsEntities) {
  Fill({"a"});
  test::Ok(
      db_->PutEntity(WriteOptions(), family_, "b", {{"", "1"}, {"x", "2"}}));
  test::Ok(batch_.Merge(family_, "b", "3"));
  test::Ok(batch_.PutEntity(family_, "c", {{"y", "4"}}));
  const std::unique_ptr<Iterator> it = Overlay();
  it->Seek("b");
  EXPECT_EQ("b=1,3", Row(it.get()));
  EXPECT_EQ((WideColumns{{"", "1,3"}, {"x", "2"}}), it->columns());
  it->Next();
  EXPECT_EQ("c=", Row(it.get()));
  EXPECT_EQ((WideColumns{{"y", "4"}}), it->columns());
  it->Prev();
  it->Prev();
  EXPECT_EQ((WideColumns{{"", "db"}}), it->columns());
}

TEST_P(IndexedBatch, IsReusedForAnotherDatabase) {
  test::Ok(batch_.Merge(family_, "a", "1"));
  EXPECT_EQ("1", Get("a"));
  batch_.Clear();
  Options reversed = options_;
  reversed.comparator = ReverseBytewiseComparator();
  std::unique_ptr<DB> other;
  test::Ok(DB::Open(reversed, "/other", &other));
  test::Ok(batch_.Put(other->DefaultColumnFamily(), "a", "1"));
  test::Ok(batch_.Put(other->DefaultColumnFamily(), "b", "1"));
  EXPECT_EQ("b:put1 a:put1", Records("z"));
}

TEST_P(IndexedBatch, ABatchChangedByItselfIsCorruption) {
  test::Ok(batch_.Put("a", "1"));
  batch_.GetWriteBatch()->Clear();
  EXPECT_EQ(0u, Get("a").find("Corruption: write batch with index"));
  const std::unique_ptr<WBWIIterator> it(batch_.NewIterator());
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsCorruption());
}

// Two readers of a family that the batch has not seen yet.
TEST_P(IndexedBatch, ReadersMayBeMany) {
  Fill({"a"});
  test::Ok(batch_.Merge(family_, "a", "1"));
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([this] {
      const std::unique_ptr<WBWIIterator> it(batch_.NewIterator());
      EXPECT_EQ("db,1", Get("a"));
      EXPECT_EQ("a=db,1", Rows());
    });
  }
  for (std::thread& reader : readers) reader.join();
}

// A random batch over a random database, against maps; walked at random. Some
// have many keys, so that the index has many chunks.
TEST_P(IndexedBatch, AgreesWithAMap) {
  engine::Random64 random(GetParam() ? 11 : 12);
  uint64_t keys = 60;
  const auto key = [&random, &keys] {
    return "k" + std::to_string(10'000 + random.Uniform(keys));
  };
  for (int round = 0; round < 40; ++round) {
    keys = round % 10 == 9 ? 3000 : 60;
    std::map<std::string, std::string> rows;
    test::Ok(db_->DeleteRange(WriteOptions(), family_, "", "z"));
    for (uint64_t i = random.Uniform(keys); i > 0; --i) {
      const std::string k = key();
      test::Ok(db_->Put(WriteOptions(), k, "db"));
      rows[k] = "db";
    }
    batch_.Clear();
    int range_deletions = 0;
    for (uint64_t i = random.Uniform(2 * keys); i > 0; --i) {
      const std::string k = key();
      const std::string v = std::to_string(i);
      switch (random.Uniform(8)) {
        case 0:
          test::Ok(batch_.Delete(k));
          rows.erase(k);
          break;
        case 1: {
          const std::string end = key();
          if (end < k || ++range_deletions > 5) break;
          test::Ok(batch_.DeleteRange(k, end));
          rows.erase(rows.lower_bound(k), rows.lower_bound(end));
          break;
        }
        case 2:
        case 3:
          test::Ok(batch_.Merge(k, v));
          rows[k] = rows.contains(k) ? rows[k] + "," + v : v;
          break;
        default:
          test::Ok(batch_.Put(k, v));
          rows[k] = v;
      }
    }
    const auto row = [&rows](const auto& at) {
      return at == rows.end() ? "end" : at->first + "=" + at->second;
    };
    const std::unique_ptr<Iterator> it = Overlay();
    auto at = rows.end();
    for (uint64_t step = 0; step < 4 * keys; ++step) {
      const uint64_t kind =
          at == rows.end() ? random.Uniform(4) : random.Uniform(20);
      const std::string k = key();
      if (kind == 0) {
        it->SeekToFirst();
        at = rows.begin();
      } else if (kind == 1) {
        it->SeekToLast();
        at = rows.empty() ? rows.end() : std::prev(rows.end());
      } else if (kind == 2) {
        it->Seek(k);
        at = rows.lower_bound(k);
      } else if (kind == 3) {
        it->SeekForPrev(k);
        at = rows.upper_bound(k);
        at = at == rows.begin() ? rows.end() : std::prev(at);
      } else if (kind < 12) {
        it->Next();
        ++at;
      } else {
        it->Prev();
        at = at == rows.begin() ? rows.end() : std::prev(at);
      }
      ASSERT_EQ(row(at), Row(it.get())) << "round " << round;
      test::Ok(it->status());
    }
    for (uint64_t i = 0; i < keys; ++i) {
      const std::string k = "k" + std::to_string(10'000 + i);
      ASSERT_EQ(rows.contains(k) ? rows[k] : "NotFound: ", Get(k));
    }
    test::Ok(db_->Write(WriteOptions(), batch_.GetWriteBatch()));
    for (const auto& [k, v] : rows) {
      std::string value;
      test::Ok(db_->Get(ReadOptions(), k, &value));
      ASSERT_EQ(v, value);
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
