// What single options of iterators promise, and GetMergeOperands.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "test/support/numbered_key.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class IteratorOptions : public ::testing::Test {
 protected:
  IteratorOptions() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.disable_auto_compactions = true;
    options_.compression = kNoCompression;
    options_.statistics = CreateDBStatistics();
    EXPECT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                                &options_.merge_operator)
                    .ok());
    table_.block_size = 512;
    table_.block_cache = NewLRUCache(8 << 20);
  }

  void Open() {
    db_.reset();
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    const Status status = DB::Open(options_, "/db", &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, value).ok());
  }
  void Merge(const std::string& key, const std::string& operand) {
    ASSERT_TRUE(db_->Merge(WriteOptions(), key, operand).ok());
  }
  void Flush() { ASSERT_TRUE(db_->Flush(FlushOptions()).ok()); }
  void Compact() {
    ASSERT_TRUE(
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  }
  std::unique_ptr<Iterator> Iter(const ReadOptions& read = ReadOptions()) {
    return std::unique_ptr<Iterator>(db_->NewIterator(read));
  }
  static std::string At(const Iterator& it) {
    if (!it.Valid()) return it.status().ok() ? "-" : it.status().ToString();
    return it.key().ToString() + "=" + it.value().ToString();
  }
  static std::string Property(Iterator* it, const std::string& name) {
    std::string value;
    EXPECT_TRUE(it->GetProperty("rocksdb.iterator." + name, &value).ok());
    return value;
  }
  uint64_t Tick(Tickers ticker) {
    return options_.statistics->getAndResetTickerCount(ticker);
  }
  uint64_t DataBlocks() {
    return Tick(BLOCK_CACHE_DATA_HIT) + Tick(BLOCK_CACHE_DATA_MISS);
  }

  const std::unique_ptr<Env> env_;
  Options options_;
  BlockBasedTableOptions table_;
  std::unique_ptr<DB> db_;
};

// -------------------------------------------------------------------- tailing

TEST_F(IteratorOptions, ATailingOneGoesOnWhereItEnded) {
  Open();
  ReadOptions read;
  read.tailing = true;
  const std::unique_ptr<Iterator> it = Iter(read);
  it->SeekToFirst();
  EXPECT_EQ("-", At(*it));
  Put("a", "1");
  it->SeekToFirst();
  EXPECT_EQ("a=1", At(*it));
  Put("b", "2");
  it->Next();
  EXPECT_EQ("b=2", At(*it));
  Flush();
  Put("c", "3");
  it->Next();  // The new memtable is looked into at once.
  EXPECT_EQ("c=3", At(*it));
  it->Next();
  EXPECT_EQ("-", At(*it));
  Put("d", "4");
  Compact();
  it->Seek("c1");
  EXPECT_EQ("d=4", At(*it));
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), "a", "c").ok());
  it->SeekToFirst();
  EXPECT_EQ("c=3", At(*it));
}

TEST_F(IteratorOptions, ATailingOneStepsOffMergesWhenFilesChange) {
  Open();
  Put("a", "1");
  Merge("a", "2");
  Put("b", "3");
  ReadOptions read;
  read.tailing = true;
  const std::unique_ptr<Iterator> it = Iter(read);
  it->SeekToFirst();
  EXPECT_EQ("a=1,2", At(*it));
  Merge("a", "4");
  Merge("b", "5");
  Flush();
  it->Next();
  EXPECT_EQ("b=3,5", At(*it));
}

TEST_F(IteratorOptions, ATailingOneDoesNotGoBack) {
  Open();
  Put("a", "1");
  Put("b", "2");
  ReadOptions read;
  read.tailing = true;
  const std::unique_ptr<Iterator> it = Iter(read);
  it->SeekToLast();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsNotSupported());
  it->Seek("b");
  EXPECT_EQ("b=2", At(*it));
  it->Prev();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsNotSupported());
  it->SeekForPrev("b");
  EXPECT_TRUE(it->status().IsNotSupported());
  it->Seek("a");
  EXPECT_EQ("a=1", At(*it));
}

TEST_F(IteratorOptions, ATailingOneReleasesOldState) {
  Open();
  ReadOptions read;
  read.tailing = true;
  const std::unique_ptr<Iterator> it = Iter(read);
  for (int i = 0; i < 3; ++i) {
    Put(test::NumberedKey(i), "v");
    Flush();
    it->Seek(test::NumberedKey(i));
    EXPECT_TRUE(it->Valid());
    uint64_t number = 0;
    ASSERT_TRUE(
        db_->GetIntProperty("rocksdb.current-super-version-number", &number));
    EXPECT_EQ(std::to_string(number),
              Property(it.get(), "super-version-number"));
  }
}

TEST_F(IteratorOptions, ManagedOnesAreRefused) {
  Open();
  ReadOptions read;
  read.managed = true;
  EXPECT_TRUE(Iter(read)->status().IsNotSupported());
}

// -------------------------------------------------------------------- refresh

TEST_F(IteratorOptions, RefreshShowsTheNewestStateOrASnapshot) {
  Open();
  Put("a", "1");
  const Snapshot* const first = db_->GetSnapshot();
  Put("a", "2");
  const std::unique_ptr<Iterator> it = Iter();
  Put("a", "3");
  Flush();
  it->SeekToFirst();
  EXPECT_EQ("a=2", At(*it));
  ASSERT_TRUE(it->Refresh(first).ok());
  EXPECT_FALSE(it->Valid());
  it->SeekToFirst();
  EXPECT_EQ("a=1", At(*it));
  ASSERT_TRUE(it->Refresh().ok());
  it->SeekToFirst();
  EXPECT_EQ("a=3", At(*it));

  ReadOptions of_snapshot;
  of_snapshot.snapshot = first;
  const std::unique_ptr<Iterator> old = Iter(of_snapshot);
  old->SeekToFirst();
  EXPECT_EQ("a=1", At(*old));
  ASSERT_TRUE(old->Refresh().ok());
  old->SeekToFirst();
  EXPECT_EQ("a=3", At(*old));
  db_->ReleaseSnapshot(first);
}

TEST_F(IteratorOptions, OneOnASnapshotMayRenewItself) {
  Open();
  for (int i = 0; i < 10; ++i) Put(test::NumberedKey(i), "old");
  const Snapshot* const snapshot = db_->GetSnapshot();
  ReadOptions read;
  read.snapshot = snapshot;
  read.auto_refresh_iterator_with_snapshot = true;
  const std::unique_ptr<Iterator> it = Iter(read);
  it->SeekToFirst();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(test::NumberedKey(i) + "=old", At(*it));
    Put(test::NumberedKey(i + 1), "new");
    Flush();
    if (i == 5) Compact();
    it->Next();
    uint64_t number = 0;
    ASSERT_TRUE(
        db_->GetIntProperty("rocksdb.current-super-version-number", &number));
    EXPECT_EQ(std::to_string(number),
              Property(it.get(), "super-version-number"));
  }
  EXPECT_EQ("-", At(*it));
  it->SeekToLast();
  EXPECT_EQ(test::NumberedKey(9) + "=old", At(*it));
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(IteratorOptions, OneThatRenewsItselfTakesTheSnapshotOfARefresh) {
  Open();
  Put("a", "1");
  const Snapshot* const first = db_->GetSnapshot();
  Put("a", "2");
  const Snapshot* const second = db_->GetSnapshot();
  Put("a", "3");
  ReadOptions read;
  read.snapshot = first;
  read.auto_refresh_iterator_with_snapshot = true;
  const std::unique_ptr<Iterator> it = Iter(read);
  it->SeekToFirst();
  EXPECT_EQ("a=1", At(*it));
  ASSERT_TRUE(it->Refresh(second).ok());
  db_->ReleaseSnapshot(first);
  Flush();
  it->SeekToFirst();
  EXPECT_EQ("a=2", At(*it));
  ASSERT_TRUE(it->Refresh().ok());
  db_->ReleaseSnapshot(second);
  Put("a", "4");
  Flush();
  it->SeekToFirst();
  EXPECT_EQ("a=3", At(*it));
}

// -------------------------------------------------------------- prefix seeks

TEST_F(IteratorOptions, PrefixesOfTheMemtableAndTheFilesAreFound) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(3));
  table_.filter_policy.reset(NewBloomFilterPolicy(20));
  Open();
  Put("aaa1", "1");
  Put("ccc1", "2");
  Flush();
  Put("bbb1", "3");
  const std::unique_ptr<Iterator> it = Iter();
  it->Seek("bbb");
  EXPECT_EQ("bbb1=3", At(*it));
  EXPECT_EQ(1u, Tick(BLOOM_FILTER_PREFIX_USEFUL));
  // The file was left out, so nothing can be said of what follows.
  it->Next();
  EXPECT_EQ("-", At(*it));
  it->Seek("bbb");
  it->Prev();  // To go back everything is read.
  EXPECT_EQ("aaa1=1", At(*it));
  it->Next();
  it->Next();
  EXPECT_EQ("ccc1=2", At(*it));
  it->SeekToFirst();
  it->Next();
  it->Next();
  EXPECT_EQ("ccc1=2", At(*it));
  Tick(BLOOM_FILTER_PREFIX_CHECKED);
  ReadOptions total;
  total.total_order_seek = true;
  const std::unique_ptr<Iterator> all = Iter(total);
  all->Seek("bbb2");
  EXPECT_EQ("ccc1=2", At(*all));
  EXPECT_EQ(0u, Tick(BLOOM_FILTER_PREFIX_CHECKED));
}

TEST_F(IteratorOptions, TheFilterOfTheMemtableIsAskedToo) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(3));
  options_.memtable_prefix_bloom_size_ratio = 0.1;
  Open();
  Put("aaa1", "1");
  Put("ccc1", "2");
  SetPerfLevel(PerfLevel::kEnableCount);
  get_perf_context()->Reset();
  const std::unique_ptr<Iterator> it = Iter();
  it->Seek("bbb");
  EXPECT_EQ("-", At(*it));
  EXPECT_EQ(1u, get_perf_context()->bloom_memtable_miss_count);
  it->Seek("ccc");
  EXPECT_EQ("ccc1=2", At(*it));
  it->SeekForPrev("aaa9");
  EXPECT_EQ("aaa1=1", At(*it));
  EXPECT_EQ(2u, get_perf_context()->bloom_memtable_hit_count);
  SetPerfLevel(PerfLevel::kDisable);
}

TEST_F(IteratorOptions, TheDatabaseMayWantPrefixSeeksToBeAskedFor) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(3));
  options_.prefix_seek_opt_in_only = true;
  table_.filter_policy.reset(NewBloomFilterPolicy(20));
  Open();
  Put("aaa1", "1");
  Put("ccc1", "2");
  Flush();
  Iter()->Seek("bbb");
  EXPECT_EQ(0u, Tick(BLOOM_FILTER_PREFIX_CHECKED));
  ReadOptions read;
  read.prefix_same_as_start = true;
  Iter(read)->Seek("bbb");
  EXPECT_EQ(1u, Tick(BLOOM_FILTER_PREFIX_CHECKED));
}

TEST_F(IteratorOptions, TheAutomaticModeAsksWhenTheBoundAllows) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(3));
  table_.filter_policy.reset(NewBloomFilterPolicy(20));
  Open();
  Put("aaa1", "1");
  Put("ccc1", "2");
  Flush();
  const auto asked = [&](const std::string& target, const std::string& upper) {
    Tick(BLOOM_FILTER_PREFIX_CHECKED);
    ReadOptions read;
    read.auto_prefix_mode = true;
    const Slice bound(upper);
    read.iterate_upper_bound = &bound;
    Iter(read)->Seek(target);
    return Tick(BLOOM_FILTER_PREFIX_CHECKED) > 0;
  };
  EXPECT_TRUE(asked("bbb", "bbb9"));
  EXPECT_TRUE(asked("bbb1", "bbc"));
  EXPECT_TRUE(asked("bb\xff", "bc"));
  EXPECT_FALSE(asked("bbb", "bbc0"));
  EXPECT_FALSE(asked("bbb", "bbd"));
  EXPECT_FALSE(asked("bb", "bb9"));
  EXPECT_TRUE(asked("\xff\xff\xff", "\xff\xff\xff\xff"));
}

// ------------------------------------------------------------ deferred values

TEST_F(IteratorOptions, FirstKeysSpareBlocksThatAreNotShown) {
  table_.index_type = BlockBasedTableOptions::kBinarySearchWithFirstKey;
  Open();
  for (int i = 0; i < 200; i += 2)
    Put(test::NumberedKey(i), std::string(100, 'v'));
  Flush();
  Put(test::NumberedKey(1), "x");
  Flush();
  DataBlocks();
  const std::unique_ptr<Iterator> it = Iter();
  it->Seek(test::NumberedKey(1));
  EXPECT_EQ(test::NumberedKey(1) + "=x", At(*it));
  // Of the old file the block in which the key would be; or none, if a block
  // begins behind the key.
  EXPECT_LE(DataBlocks(), 2u);

  ReadOptions unprepared;
  unprepared.allow_unprepared_value = true;
  const std::unique_ptr<Iterator> lazy = Iter(unprepared);
  lazy->SeekToFirst();
  ASSERT_TRUE(lazy->Valid());
  EXPECT_EQ(test::NumberedKey(0), lazy->key().ToString());
  EXPECT_EQ(0u, DataBlocks());
  ASSERT_TRUE(lazy->PrepareValue());
  EXPECT_EQ(test::NumberedKey(0) + "=" + std::string(100, 'v'), At(*lazy));
  EXPECT_EQ(1u, DataBlocks());
  EXPECT_TRUE(lazy->PrepareValue());
  EXPECT_EQ(0u, DataBlocks());
  lazy->Next();
  EXPECT_EQ(test::NumberedKey(1), lazy->key().ToString());
  EXPECT_TRUE(lazy->PrepareValue());
  EXPECT_EQ(test::NumberedKey(1) + "=x", At(*lazy));
  lazy->Next();
  EXPECT_EQ(test::NumberedKey(2), lazy->key().ToString());
  lazy->Prev();
  EXPECT_EQ(test::NumberedKey(1) + "=x", At(*lazy));
}

TEST_F(IteratorOptions, FirstKeysAreWalkedInEveryDirection) {
  table_.index_type = BlockBasedTableOptions::kBinarySearchWithFirstKey;
  table_.block_size = 1;  // A block for each key.
  Open();
  for (int i = 0; i < 20; ++i) Put(test::NumberedKey(i), std::to_string(i));
  Flush();
  Compact();
  const std::unique_ptr<Iterator> it = Iter();
  it->Seek(test::NumberedKey(10));
  it->Prev();
  EXPECT_EQ(test::NumberedKey(9) + "=9", At(*it));
  it->Next();
  EXPECT_EQ(test::NumberedKey(10) + "=10", At(*it));
  it->SeekForPrev(test::NumberedKey(7));
  EXPECT_EQ(test::NumberedKey(7) + "=7", At(*it));
  it->Prev();
  EXPECT_EQ(test::NumberedKey(6) + "=6", At(*it));
  it->SeekToFirst();
  for (int i = 0; i < 20; ++i, it->Next()) {
    EXPECT_EQ(test::NumberedKey(i) + "=" + std::to_string(i), At(*it));
  }
  EXPECT_EQ("-", At(*it));
  ReadOptions cached;
  cached.read_tier = kBlockCacheTier;
  table_.block_cache->EraseUnRefEntries();
  const std::unique_ptr<Iterator> tier = Iter(cached);
  tier->SeekToFirst();
  EXPECT_FALSE(tier->Valid());
  EXPECT_TRUE(tier->status().IsIncomplete());
}

// ------------------------------------------------------------- merge operands

class MergeOperands : public IteratorOptions {
 protected:
  // "1 2 3", or the status.
  std::string Get(const std::string& key, int room = 10,
                  const ReadOptions& read = ReadOptions()) {
    std::vector<PinnableSlice> values(static_cast<size_t>(room));
    GetMergeOperandsOptions options;
    options.expected_max_number_of_operands = room;
    options.continue_cb = continue_;
    const Status status =
        db_->GetMergeOperands(read, db_->DefaultColumnFamily(), key,
                              values.data(), &options, &number_);
    if (!status.ok()) return status.ToString();
    std::string text;
    for (int i = 0; i < number_; ++i) {
      text += (i == 0 ? "" : " ") + values[static_cast<size_t>(i)].ToString();
    }
    return text;
  }

  GetMergeOperandsOptions::ContinueCallback continue_;
  int number_ = -1;
};

TEST_F(MergeOperands, ComeOldestFirstFromEverywhere) {
  Open();
  Put("k", "base");
  Flush();
  Compact();
  Merge("k", "1");
  Flush();
  Merge("k", "2");
  const Snapshot* const before = db_->GetSnapshot();
  Merge("k", "3");
  EXPECT_EQ("base 1 2 3", Get("k"));
  ReadOptions old;
  old.snapshot = before;
  EXPECT_EQ("base 1 2", Get("k", 10, old));
  db_->ReleaseSnapshot(before);
}

TEST_F(MergeOperands, EndAtDeletions) {
  Open();
  Merge("k", "1");
  ASSERT_TRUE(db_->Delete(WriteOptions(), "k").ok());
  EXPECT_EQ("NotFound: ", Get("k"));
  EXPECT_EQ(0, number_);
  Merge("k", "2");
  EXPECT_EQ("2", Get("k"));
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), "a", "z").ok());
  EXPECT_EQ("NotFound: ", Get("k"));
  Merge("k", "3");
  EXPECT_EQ("3", Get("k"));
  Flush();
  EXPECT_EQ("3", Get("k"));
  Put("plain", "v");
  EXPECT_EQ("v", Get("plain"));
  EXPECT_EQ("NotFound: ", Get("none"));
}

TEST_F(MergeOperands, AreCountedWhenThereIsNoRoom) {
  Open();
  Put("k", "0");
  for (int i = 1; i < 5; ++i) Merge("k", std::to_string(i));
  EXPECT_EQ(0u, Get("k", 4).find("Result incomplete"));
  EXPECT_EQ(5, number_);
  EXPECT_EQ("0 1 2 3 4", Get("k", 5));
}

TEST_F(MergeOperands, StopWhenTheCallerHasEnough) {
  Open();
  Put("k", "0");
  for (int i = 1; i < 5; ++i) Merge("k", std::to_string(i));
  std::vector<std::string> asked;
  continue_ = [&](Slice operand) {
    asked.push_back(operand.ToString());
    return operand != Slice("3");
  };
  EXPECT_EQ("3 4", Get("k"));
  EXPECT_EQ((std::vector<std::string>{"4", "3"}), asked);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
