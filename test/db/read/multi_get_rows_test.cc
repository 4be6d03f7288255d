// MultiGet with a row cache: what it counts, and that it never changes an
// answer.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "test/support/effort.h"
#include "test/support/numbered_key.h"
#include "test/support/temp_dir.h"
#include "util/merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using Numbers = std::vector<uint64_t>;

Numbers Range(uint64_t begin, uint64_t end) {
  Numbers numbers;
  for (; begin < end; ++begin) numbers.push_back(begin);
  return numbers;
}

// A database with two families.
class Store {
 public:
  explicit Store(std::shared_ptr<Cache> rows) {
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
    options_.disable_auto_compactions = true;
    options_.target_file_size_base = 20'000;
    options_.merge_operator = NewStringAppendOperator(",");
    options_.statistics = CreateDBStatistics();
    options_.row_cache = std::move(rows);
    options_.enable_blob_files = true;
    options_.min_blob_size = 200;
    BlockBasedTableOptions table;
    table.block_size = 500;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    std::vector<ColumnFamilyHandle*> handles;
    const Status status =
        DB::Open(options_, dir_.File("db"),
                 {{kDefaultColumnFamilyName, options_}, {"other", options_}},
                 &handles, &db_);
    EXPECT_TRUE(status.ok()) << status.ToString();
    for (ColumnFamilyHandle* handle : handles) families_.emplace_back(handle);
  }
  ~Store() {
    for (const Snapshot* s : snapshots_) db_->ReleaseSnapshot(s);
    families_.clear();
  }

  DB* operator->() const { return db_.get(); }
  ColumnFamilyHandle* family(size_t i) const { return families_[i].get(); }
  const Snapshot* snapshot(size_t i) const { return snapshots_[i]; }
  size_t snapshots() const { return snapshots_.size(); }
  void TakeSnapshot() { snapshots_.push_back(db_->GetSnapshot()); }

  void Put(uint64_t i, const std::string& value) const {
    ASSERT_TRUE(db_->Put(WriteOptions(), test::NumberedKey(i), value).ok());
  }
  void Flush() const {
    for (const auto& family : families_) {
      ASSERT_TRUE(db_->Flush(FlushOptions(), family.get()).ok());
    }
  }
  void Compact() const {
    for (const auto& family : families_) {
      ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), family.get(),
                                    nullptr, nullptr)
                      .ok());
    }
  }
  uint64_t Tick(uint32_t ticker) const {
    return options_.statistics->getAndResetTickerCount(ticker);
  }

  static std::string Text(const Status& status, const Slice& value) {
    return status.ok() ? "=" + value.ToString() : status.ToString();
  }
  std::string Get(const ReadOptions& read, size_t family, uint64_t i) const {
    PinnableSlice value;
    const Status status =
        db_->Get(read, families_[family].get(), test::NumberedKey(i), &value);
    return Text(status, value);
  }
  // The keys come from the families in turn.
  std::vector<std::string> GetMany(const ReadOptions& read,
                                   const Numbers& numbers,
                                   size_t families) const {
    const size_t n = numbers.size();
    std::vector<std::string> keys;
    std::vector<ColumnFamilyHandle*> of;
    for (size_t i = 0; i < n; ++i) {
      keys.push_back(test::NumberedKey(numbers[i]));
      of.push_back(families_[i % families].get());
    }
    const std::vector<Slice> slices(keys.begin(), keys.end());
    std::vector<PinnableSlice> values(n);
    std::vector<Status> statuses(n);
    db_->MultiGet(read, n, of.data(), slices.data(), values.data(),
                  statuses.data());
    std::vector<std::string> texts;
    for (size_t i = 0; i < n; ++i) {
      texts.push_back(Text(statuses[i], values[i]));
    }
    return texts;
  }

 private:
  test::TempDir dir_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::vector<std::unique_ptr<ColumnFamilyHandle>> families_;
  std::vector<const Snapshot*> snapshots_;
};

class MultiGetRows : public ::testing::Test {
 protected:
  // Hits and misses of one MultiGet of these keys of the default family.
  using Counts = std::pair<uint64_t, uint64_t>;
  Counts Ask(const Numbers& numbers, const std::string& expected,
             const ReadOptions& read = ReadOptions()) {
    store_.Tick(ROW_CACHE_HIT);
    store_.Tick(ROW_CACHE_MISS);
    for (const std::string& text : store_.GetMany(read, numbers, 1)) {
      EXPECT_EQ(text, expected);
    }
    return {store_.Tick(ROW_CACHE_HIT), store_.Tick(ROW_CACHE_MISS)};
  }
  void Fill(const std::string& value) {
    for (const uint64_t i : Range(0, 300)) store_.Put(i, value);
    store_.Flush();
  }

  const std::shared_ptr<Cache> rows_ = NewLRUCache(8 << 20);
  Store store_{rows_};
};

TEST_F(MultiGetRows, AreMadeAndFoundAsBySingleLookups) {
  Fill("one");
  EXPECT_EQ(Ask(Range(0, 200), "=one"), Counts(0, 200));
  store_.Tick(BLOCK_CACHE_DATA_HIT);
  EXPECT_EQ(Ask(Range(0, 200), "=one"), Counts(200, 0));
  EXPECT_EQ(store_.Tick(BLOCK_CACHE_DATA_HIT), 0u);
  EXPECT_EQ(Ask(Range(150, 250), "=one"), Counts(50, 50));
  // Each kind of lookup finds what the other has made.
  for (const uint64_t i : Range(0, 300)) {
    EXPECT_EQ(store_.Get(ReadOptions(), 0, i), "=one");
  }
  EXPECT_EQ(store_.Tick(ROW_CACHE_HIT), 250u);
  EXPECT_EQ(store_.Tick(ROW_CACHE_MISS), 50u);
  EXPECT_EQ(Ask(Range(0, 300), "=one"), Counts(300, 0));
}

TEST_F(MultiGetRows, AreThoseOfTheFilesOfTheMoment) {
  Fill("one");
  Ask(Range(0, 100), "=one");
  for (const uint64_t i : Range(0, 100)) store_.Put(i, "two");
  // Decided in the memtable.
  EXPECT_EQ(Ask(Range(0, 100), "=two"), Counts(0, 0));
  store_.Flush();
  EXPECT_EQ(Ask(Range(0, 100), "=two"), Counts(0, 100));
  EXPECT_EQ(Ask(Range(0, 100), "=two"), Counts(100, 0));
  store_.Compact();
  EXPECT_EQ(Ask(Range(0, 100), "=two"), Counts(0, 100));
  EXPECT_EQ(Ask(Range(0, 100), "=two"), Counts(100, 0));
  // What a file lacks has no row.
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(Ask(Range(300, 310), "NotFound: ").first, 0u);
  }
}

TEST_F(MultiGetRows, AreNotMadeWithoutFillCache) {
  Fill("one");
  ReadOptions read;
  read.fill_cache = false;
  EXPECT_EQ(Ask(Range(0, 50), "=one", read), Counts(0, 50));
  EXPECT_EQ(Ask(Range(0, 50), "=one", read), Counts(0, 50));
  EXPECT_EQ(rows_->GetUsage(), 0u);
}

TEST_F(MultiGetRows, AreNotForSnapshotsOlderThanTheFile) {
  for (const uint64_t i : Range(0, 50)) store_.Put(i, "old");
  store_.TakeSnapshot();
  for (const uint64_t i : Range(0, 50)) store_.Put(i, "new");
  store_.Flush();
  ReadOptions before;
  before.snapshot = store_.snapshot(0);
  EXPECT_EQ(Ask(Range(0, 50), "=old", before), Counts(0, 0));
  EXPECT_EQ(Ask(Range(0, 50), "=new"), Counts(0, 50));
  EXPECT_EQ(Ask(Range(0, 50), "=old", before), Counts(0, 0));
  EXPECT_EQ(Ask(Range(0, 50), "=new"), Counts(50, 0));
}

TEST_F(MultiGetRows, AreNotForFilesAndKeysUnderRangeDeletions) {
  Fill("one");
  EXPECT_EQ(Ask(Range(100, 200), "=one"), Counts(0, 100));
  ASSERT_TRUE(store_
                  ->DeleteRange(WriteOptions(), store_.family(0),
                                test::NumberedKey(100), test::NumberedKey(200))
                  .ok());
  EXPECT_EQ(Ask(Range(100, 200), "NotFound: "), Counts(0, 0));
  store_.Flush();
  EXPECT_EQ(Ask(Range(100, 200), "NotFound: "), Counts(0, 0));
  ReadOptions all;
  all.ignore_range_deletions = true;
  EXPECT_EQ(Ask(Range(100, 200), "=one", all), Counts(100, 0));
  EXPECT_EQ(Ask(Range(100, 200), "NotFound: "), Counts(0, 0));
  EXPECT_EQ(Ask(Range(200, 250), "=one"), Counts(0, 50));
}

// ---- The same history with a row cache and without.

class MultiGetRowsAlike : public ::testing::Test {
 protected:
  static void Change(Random64* random, const std::vector<Store*>& stores) {
    const uint64_t kind = random->Uniform(600);
    const uint64_t number = random->Uniform(kKeys);
    const std::string key = test::NumberedKey(number);
    // Some of them go into blob files.
    const std::string value(random->Uniform(250),
                            static_cast<char>('a' + random->Uniform(26)));
    const size_t at = random->Uniform(2);
    const uint64_t length = 1 + random->Uniform(20);
    for (Store* store : stores) {
      DB& db = *store->operator->();
      ColumnFamilyHandle* const family = store->family(at);
      const WriteOptions write;
      Status s;
      if (kind == 0) {
        s = db.DeleteRange(write, family, key,
                           test::NumberedKey(number + length));
      } else if (kind < 60) {
        s = db.Delete(write, family, key);
      } else if (kind < 200) {
        s = db.Merge(write, family, key, value);
      } else if (kind < 300) {
        s = db.PutEntity(write, family, key,
                         {{kDefaultWideColumnName, value}, {"column", key}});
      } else {
        s = db.Put(write, family, key, value);
      }
      ASSERT_TRUE(s.ok()) << s.ToString();
    }
  }

  static void Compare(Random64* random, const Store& with,
                      const Store& without) {
    Numbers numbers;
    const uint64_t near = random->Uniform(kKeys);
    const size_t n = 1 + random->Uniform(90);
    for (size_t i = 0; i < n; ++i) {
      numbers.push_back(near + random->Uniform(60));
    }
    ReadOptions read;
    read.async_io = random->OneIn(2);
    read.optimize_multiget_for_io = random->OneIn(2);
    read.fill_cache = !random->OneIn(4);
    read.ignore_range_deletions = random->OneIn(8);
    ReadOptions plain;
    plain.ignore_range_deletions = read.ignore_range_deletions;
    if (random->OneIn(3)) {
      const size_t at = random->Uniform(with.snapshots());
      read.snapshot = with.snapshot(at);
      plain.snapshot = without.snapshot(at);
    }
    const size_t families = 1 + random->Uniform(2);
    const std::vector<std::string> many = with.GetMany(read, numbers, families);
    for (size_t i = 0; i < many.size(); ++i) {
      ASSERT_EQ(many[i], without.Get(plain, i % families, numbers[i]))
          << numbers[i] << " of " << n << " async " << read.async_io
          << " for io " << read.optimize_multiget_for_io;
    }
  }

  static constexpr uint64_t kKeys = 400;
};

TEST_F(MultiGetRowsAlike, AnswersAreThoseWithoutARowCache) {
  Random64 random(401);
  Store with(NewLRUCache(256 << 10));
  Store without(nullptr);
  const std::vector<Store*> both = {&with, &without};
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 250; ++i) {
      ASSERT_NO_FATAL_FAILURE(Change(&random, both));
    }
    for (Store* store : both) {
      store->TakeSnapshot();
      if (round % 3 != 2) store->Flush();
      if (round % 5 == 4) store->Compact();
    }
    for (int i = 0; i < test::Effort(60); ++i) {
      ASSERT_NO_FATAL_FAILURE(Compare(&random, with, without)) << round;
    }
  }
  EXPECT_GT(with.Tick(ROW_CACHE_HIT), 100u);
  EXPECT_GT(with.Tick(ROW_CACHE_MISS), 100u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
