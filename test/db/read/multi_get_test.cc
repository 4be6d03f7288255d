// MultiGet: what single lookups say, for every shape of table and option.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/posix/io_ring.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "test/support/effort.h"
#include "test/support/error_fs.h"
#include "test/support/numbered_key.h"
#include "test/support/temp_dir.h"
#include "util/merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr int kKeys = 1500;

// One way to lay a database out.
struct Shape {
  const char* name;
  std::function<void(Options*, BlockBasedTableOptions*)> apply;
};

void PartitionAll(BlockBasedTableOptions* table) {
  table->index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table->partition_filters = true;
  table->metadata_block_size = 200;
  table->cache_index_and_filter_blocks = true;
}

const std::vector<Shape>& Shapes() {
  using Table = BlockBasedTableOptions;
  static const std::vector<Shape> shapes = {
      {"Plain", [](Options*, Table*) {}},
      {"NoCache", [](Options*, Table* t) { t->no_block_cache = true; }},
      {"NoFilter", [](Options*, Table* t) { t->filter_policy = nullptr; }},
      {"Partitioned", [](Options*, Table* t) { PartitionAll(t); }},
      {"PartitionedAndPinned",
       [](Options*, Table* t) {
         PartitionAll(t);
         t->metadata_cache_options.partition_pinning = PinningTier::kAll;
       }},
      {"HeapIsTheCache",
       [](Options*, Table* t) { t->cache_index_and_filter_blocks = true; }},
      {"TinyCache",
       [](Options*, Table* t) {
         t->cache_index_and_filter_blocks = true;
         t->block_cache = NewLRUCache(4096, 0);
       }},
      {"StrictCache",
       [](Options*, Table* t) {
         t->block_cache = NewLRUCache(256 * 1024, 0, true);
       }},
      {"FirstKeys",
       [](Options*, Table* t) {
         t->index_type = Table::kBinarySearchWithFirstKey;
       }},
      {"HashIndexInBlocks",
       [](Options*, Table* t) {
         t->data_block_index_type = Table::kDataBlockBinaryAndHash;
       }},
      {"Ribbon",
       [](Options*, Table* t) {
         t->filter_policy.reset(NewRibbonFilterPolicy(10));
       }},
      {"Prefixes",
       [](Options* o, Table* t) {
         o->prefix_extractor.reset(NewFixedPrefixTransform(7));
         t->whole_key_filtering = false;
       }},
      {"Compressed", [](Options* o, Table*) { o->compression = kZSTD; }},
      {"FewOpenFiles", [](Options* o, Table*) { o->max_open_files = 12; }},
      {"DirectReads", [](Options* o, Table*) { o->use_direct_reads = true; }},
      {"Mapped", [](Options* o, Table*) { o->allow_mmap_reads = true; }},
      {"Backwards",
       [](Options* o, Table*) { o->comparator = ReverseBytewiseComparator(); }},
      {"Rows", [](Options* o, Table*) { o->row_cache = NewLRUCache(4 << 20); }},
      {"FewRowsAndOpenFiles",
       [](Options* o, Table*) {
         o->row_cache = NewLRUCache(8 << 10, 0);
         o->max_open_files = 12;
       }},
      {"SeparatedValues", [](Options*, Table* t) { t->format_version = 7; }},
  };
  return shapes;
}

class MultiGet : public ::testing::TestWithParam<size_t> {
 protected:
  void Open() {
    options_.create_if_missing = true;
    options_.create_missing_column_families = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    options_.target_file_size_base = 20'000;
    options_.write_buffer_size = 1 << 20;  // Logs are preallocated by it.
    options_.merge_operator = NewStringAppendOperator(",");
    options_.statistics = CreateDBStatistics();
    options_.stats_dump_period_sec = 0;
    BlockBasedTableOptions table;
    table.block_size = 400;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    Shapes()[GetParam()].apply(&options_, &table);
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    const std::vector<ColumnFamilyDescriptor> families = {
        {kDefaultColumnFamilyName, options_}, {"other", options_}};
    std::vector<ColumnFamilyHandle*> handles;
    const Status s =
        DB::Open(options_, dir_.File("db"), families, &handles, &db_);
    if (options_.use_direct_reads && s.IsInvalidArgument()) {
      GTEST_SKIP() << s.ToString();  // The file system has no direct I/O.
    }
    ASSERT_TRUE(s.ok()) << s.ToString();
    for (ColumnFamilyHandle* handle : handles) handles_.emplace_back(handle);
  }
  ~MultiGet() override {
    for (const Snapshot* snapshot : snapshots_) db_->ReleaseSnapshot(snapshot);
    handles_.clear();
  }

  // Changes of all kinds, in generations that lie in different levels, with
  // snapshots that keep versions.
  void Fill(Random64* random) {
    for (int generation = 0; generation < 6; ++generation) {
      for (int i = 0; i < 1200; ++i) Change(random, random->Uniform(kKeys));
      // Versions of one key over several blocks, and files.
      for (int i = 0; i < 60; ++i) {
        Change(random, 700);
        if (i % 20 == 0) snapshots_.push_back(db_->GetSnapshot());
      }
      if (generation == 5) return;  // Stays in the memtable.
      for (const auto& family : handles_) {
        ASSERT_TRUE(db_->Flush(FlushOptions(), family.get()).ok());
        if (generation != 1 && generation != 2) continue;
        CompactRangeOptions compact;
        compact.change_level = generation == 1;
        compact.target_level = 4;
        ASSERT_TRUE(
            db_->CompactRange(compact, family.get(), nullptr, nullptr).ok());
      }
    }
  }

  void Change(Random64* random, uint64_t i) {
    ColumnFamilyHandle* const family = handles_[random->Uniform(2)].get();
    const std::string key = test::NumberedKey(i);
    const std::string value(random->Uniform(80),
                            static_cast<char>('a' + i % 9));
    const WriteOptions write;
    Status s;
    switch (random->Uniform(40)) {
      case 0:
        if (options_.comparator == ReverseBytewiseComparator()) return;
        s = db_->DeleteRange(write, family, key,
                             test::NumberedKey(i + random->Uniform(30)));
        break;
      case 1:
      case 2:
      case 3:
        s = db_->Delete(write, family, key);
        break;
      case 4:
      case 5:
      case 6:
        s = db_->Merge(write, family, key, value);
        break;
      case 7:
      case 8:
        s = db_->PutEntity(write, family, key,
                           {{kDefaultWideColumnName, value}, {"key", key}});
        break;
      default:
        s = db_->Put(write, family, key, value);
    }
    ASSERT_TRUE(s.ok()) << s.ToString();
  }

  static std::string Text(const Status& status, const Slice& value) {
    return status.ok() ? "=" + value.ToString() : status.ToString();
  }

  std::string Single(const ReadOptions& read, ColumnFamilyHandle* family,
                     const Slice& key) {
    PinnableSlice value;
    const Status status = db_->Get(read, family, key, &value);
    return Text(status, value);
  }

  struct Asked {
    std::vector<std::string> keys;
    std::vector<ColumnFamilyHandle*> families;
    bool sorted = false;
  };
  Asked MakeBatch(Random64* random) {
    Asked asked;
    const size_t n = 1 + random->Skewed(8);
    const uint64_t near = random->Uniform(kKeys);
    const bool clustered = random->OneIn(2);
    for (size_t i = 0; i < n; ++i) {
      const uint64_t k =
          clustered ? near + random->Uniform(40) : random->Uniform(kKeys + 50);
      asked.keys.push_back(random->OneIn(10)  ? test::NumberedKey(k) + "x"
                           : random->OneIn(9) ? test::NumberedKey(700)
                                              : test::NumberedKey(k));
      asked.families.push_back(handles_[random->Uniform(2)].get());
    }
    if (random->OneIn(3)) {
      const Comparator* const order = options_.comparator;
      std::sort(asked.keys.begin(), asked.keys.end(),
                [&](const auto& a, const auto& b) {
                  return order->Compare(a, b) < 0;
                });
      // A caller may be wrong about it.
      asked.sorted = true;
    }
    return asked;
  }

  ReadOptions MakeRead(Random64* random) {
    ReadOptions read;
    read.async_io = random->OneIn(2);
    read.optimize_multiget_for_io = random->OneIn(2);
    read.fill_cache = random->OneIn(2);
    read.verify_checksums = random->OneIn(2);
    read.ignore_range_deletions = random->OneIn(4);
    if (random->OneIn(3)) {
      read.snapshot = snapshots_[random->Uniform(snapshots_.size())];
    }
    if (random->OneIn(8)) read.read_tier = kMemtableTier;
    if (random->OneIn(8)) read.read_tier = kPersistedTier;
    if (random->OneIn(4)) {
      read.deadline =
          std::chrono::microseconds(Env::Default()->NowMicros() + 100'000'000);
    }
    return read;
  }

  // By each of the interface's forms.
  std::vector<std::string> Many(const ReadOptions& read, const Asked& asked,
                                bool one_family) {
    const size_t n = asked.keys.size();
    const std::vector<Slice> keys(asked.keys.begin(), asked.keys.end());
    std::vector<PinnableSlice> values(n);
    std::vector<Status> statuses(n);
    if (one_family) {
      db_->MultiGet(read, asked.families[0], n, keys.data(), values.data(),
                    statuses.data(), asked.sorted);
    } else {
      std::vector<ColumnFamilyHandle*> families = asked.families;
      db_->MultiGet(read, n, families.data(), keys.data(), values.data(),
                    statuses.data(), asked.sorted);
    }
    std::vector<std::string> texts;
    for (size_t i = 0; i < n; ++i) {
      texts.push_back(Text(statuses[i], values[i]));
    }
    return texts;
  }

  void Compare(Random64* random) {
    const Asked asked = MakeBatch(random);
    const ReadOptions read = MakeRead(random);
    const bool one_family = random->OneIn(2);
    const std::vector<std::string> many = Many(read, asked, one_family);
    for (size_t i = 0; i < many.size(); ++i) {
      ColumnFamilyHandle* const family =
          one_family ? asked.families[0] : asked.families[i];
      ASSERT_EQ(many[i], Single(read, family, asked.keys[i]))
          << asked.keys[i] << " of " << many.size() << " async "
          << read.async_io << " for io " << read.optimize_multiget_for_io
          << " fill " << read.fill_cache << " tier " << read.read_tier;
    }
  }

  static std::string Text(const Status& status,
                          const PinnableWideColumns& columns) {
    if (!status.ok()) return status.ToString();
    std::string text;
    for (const WideColumn& column : columns.columns()) {
      text += column.name().ToString() + "=" + column.value().ToString() + ";";
    }
    return text;
  }

  void CompareEntities(Random64* random) {
    Asked asked = MakeBatch(random);
    const ReadOptions read = MakeRead(random);
    const size_t n = asked.keys.size();
    const std::vector<Slice> keys(asked.keys.begin(), asked.keys.end());
    std::vector<PinnableWideColumns> many(n);
    std::vector<Status> statuses(n);
    db_->MultiGetEntity(read, n, asked.families.data(), keys.data(),
                        many.data(), statuses.data(), asked.sorted);
    for (size_t i = 0; i < n; ++i) {
      PinnableWideColumns single;
      const Status s =
          db_->GetEntity(read, asked.families[i], keys[i], &single);
      ASSERT_EQ(Text(statuses[i], many[i]), Text(s, single))
          << asked.keys[i] << " of " << n << " async " << read.async_io
          << " for io " << read.optimize_multiget_for_io << " tier "
          << read.read_tier;
      entities_ += s.ok() && single.columns().size() > 1 ? 1 : 0;
    }
  }

  // What is not in the cache is the same for both.
  void CompareCached(Random64* random) {
    ReadOptions read;
    read.read_tier = kBlockCacheTier;
    const Asked asked = MakeBatch(random);
    std::vector<std::string> single;
    for (size_t i = 0; i < asked.keys.size(); ++i) {
      single.push_back(Single(read, asked.families[i], asked.keys[i]));
    }
    ASSERT_EQ(Many(read, asked, false), single);
  }

  test::TempDir dir_;
  Options options_;
  std::unique_ptr<DB> db_;
  std::vector<std::unique_ptr<ColumnFamilyHandle>> handles_;
  std::vector<const Snapshot*> snapshots_;
  int entities_ = 0;  // Found by CompareEntities.
};

// multi_get.h (1).
TEST_P(MultiGet, AnswersEveryBatchAsSingleLookupsDo) {
  Random64 random(301 + GetParam());
  ASSERT_NO_FATAL_FAILURE(Open());
  if (db_ == nullptr) return;
  ASSERT_NO_FATAL_FAILURE(Fill(&random));
  for (int i = 0; i < test::Effort(160); ++i) {
    ASSERT_NO_FATAL_FAILURE(Compare(&random)) << i;
    if (i % 4 != 0) continue;
    ASSERT_NO_FATAL_FAILURE(CompareCached(&random)) << i;
    ASSERT_NO_FATAL_FAILURE(CompareEntities(&random)) << i;
  }
  EXPECT_GT(entities_, 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, MultiGet,
                         ::testing::Range<size_t>(0, Shapes().size()),
                         [](const auto& param) {
                           return std::string(Shapes()[param.param].name);
                         });

// ---- What it costs, and what fails.

class MultiGetIo : public ::testing::Test {
 protected:
  MultiGetIo()
      : mem_(NewMemEnv(Env::Default())),
        fs_(std::make_shared<test::ErrorFileSystem>(mem_->GetFileSystem())),
        env_(NewCompositeEnv(fs_)) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    options_.target_file_size_base = 30'000;
    options_.statistics = CreateDBStatistics();
    options_.stats_dump_period_sec = 0;
    BlockBasedTableOptions table;
    table.block_size = 1000;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    table.block_cache = NewLRUCache(8 << 20);
    cache_ = table.block_cache;
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
  }
  ~MultiGetIo() override { db_.reset(); }

  // Two levels of several files each, even keys below.
  void Fill() {
    ASSERT_TRUE(DB::Open(options_, "/db", &db_).ok());
    for (const uint64_t step : {2, 3}) {
      for (uint64_t i = 0; i < 1000; i += step) {
        ASSERT_TRUE(
            db_->Put(WriteOptions(), test::NumberedKey(i), ValueOf(i)).ok());
      }
      ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
      if (step == 2) {
        CompactRangeOptions compact;
        ASSERT_TRUE(db_->CompactRange(compact, nullptr, nullptr).ok());
      }
    }
  }
  static std::string ValueOf(uint64_t i) {
    return test::NumberedKey(i) + std::string(90, 'v');
  }
  static bool Exists(uint64_t i) {
    return i < 1000 && (i % 2 == 0 || i % 3 == 0);
  }
  // Empty when all is as it should be, else the first error.
  Status Check(const ReadOptions& read, const std::vector<uint64_t>& numbers) {
    std::vector<std::string> keys;
    for (const uint64_t i : numbers) keys.push_back(test::NumberedKey(i));
    const std::vector<Slice> slices(keys.begin(), keys.end());
    std::vector<PinnableSlice> values(keys.size());
    std::vector<Status> statuses(keys.size());
    db_->MultiGet(read, db_->DefaultColumnFamily(), keys.size(), slices.data(),
                  values.data(), statuses.data());
    Status error;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (statuses[i].ok()) {
        EXPECT_TRUE(Exists(numbers[i]));
        EXPECT_EQ(values[i].ToString(), ValueOf(numbers[i]));
      } else if (statuses[i].IsNotFound()) {
        EXPECT_FALSE(Exists(numbers[i])) << keys[i];
      } else if (error.ok()) {
        error = statuses[i];
      }
    }
    return error;
  }
  void ExpectErrorsToStayWithTheirKeys();
  void ForgetAll() {
    cache_->EraseUnRefEntries();
    if (options_.row_cache != nullptr) {
      options_.row_cache->EraseUnRefEntries();
    }
  }
  uint64_t Tick(Tickers ticker) {
    return options_.statistics->getAndResetTickerCount(ticker);
  }
  HistogramData Histogram(Histograms histogram) {
    HistogramData data;
    options_.statistics->histogramData(histogram, &data);
    return data;
  }

  const std::unique_ptr<Env> mem_;
  const std::shared_ptr<test::ErrorFileSystem> fs_;
  const std::unique_ptr<Env> env_;
  Options options_;
  std::shared_ptr<Cache> cache_;
  std::unique_ptr<DB> db_;
};

std::vector<uint64_t> NumbersOf(uint64_t begin, uint64_t end,
                                uint64_t step = 1) {
  std::vector<uint64_t> numbers;
  for (; begin < end; begin += step) numbers.push_back(begin);
  return numbers;
}

void MultiGetIo::ExpectErrorsToStayWithTheirKeys() {
  Fill();
  for (const int mode : {0, 1, 2}) {
    ReadOptions read;
    read.async_io = mode > 0;
    read.optimize_multiget_for_io = mode > 1;
    for (int call = 0;; ++call) {
      ForgetAll();
      ASSERT_TRUE(fs_->SetRule("(ErrInjected (And read (OnIndex " +
                               std::to_string(call) + ")))")
                      .ok());
      const Status status = Check(read, NumbersOf(0, 1100, 37));
      const bool met = fs_->injected() > 0;
      fs_->ClearRule();
      EXPECT_EQ(met, status.IsIOError()) << mode << " " << status.ToString();
      if (!met) {
        EXPECT_TRUE(status.ok()) << status.ToString();
        EXPECT_GT(call, 4);
        break;
      }
    }
    // No trace of the errors stays.
    EXPECT_TRUE(Check(read, NumbersOf(0, 1100)).ok());
  }
}

// multi_get.h (2).
TEST_F(MultiGetIo, EveryFailingReadIsTheErrorOfItsKeysAndOfNoOthers) {
  ExpectErrorsToStayWithTheirKeys();
}

TEST_F(MultiGetIo, WithARowCacheToo) {
  options_.row_cache = NewLRUCache(8 << 20);
  ExpectErrorsToStayWithTheirKeys();
  EXPECT_GT(Tick(ROW_CACHE_HIT), 0u);
}

TEST_F(MultiGetIo, NeighbouringBlocksAreOneRead) {
  Fill();
  ASSERT_TRUE(Check(ReadOptions(), {0, 999}).ok());  // Opens tables.
  cache_->EraseUnRefEntries();
  ASSERT_TRUE(options_.statistics->Reset().ok());
  // Some 40 blocks of the first files.
  ASSERT_TRUE(Check(ReadOptions(), NumbersOf(0, 60)).ok());
  EXPECT_GT(Tick(BLOCK_CACHE_DATA_ADD), 6u);
  const HistogramData batches = Histogram(MULTIGET_IO_BATCH_SIZE);
  EXPECT_EQ(batches.count, 2u);  // One per level,
  EXPECT_EQ(batches.sum, 2u);    // of one read.
}

TEST_F(MultiGetIo, EntitiesAreReadTogetherLikeValues) {
  Fill();
  ASSERT_TRUE(Check(ReadOptions(), {0, 999}).ok());  // Opens tables.
  cache_->EraseUnRefEntries();
  ASSERT_TRUE(options_.statistics->Reset().ok());
  constexpr size_t kMany = 60;
  std::vector<std::string> names;
  for (const uint64_t i : NumbersOf(0, kMany))
    names.push_back(test::NumberedKey(i));
  const std::vector<Slice> keys(names.begin(), names.end());
  PinnableWideColumns results[kMany];
  Status statuses[kMany];
  db_->MultiGetEntity(ReadOptions(), db_->DefaultColumnFamily(), kMany,
                      keys.data(), results, statuses);
  uint64_t found = 0;
  for (uint64_t i = 0; i < kMany; ++i) {
    ASSERT_EQ(statuses[i].ok(), Exists(i)) << statuses[i].ToString();
    if (!Exists(i)) continue;
    ++found;
    ASSERT_EQ(results[i].columns().size(), 1u);
    EXPECT_EQ(results[i].columns()[0].value().ToString(), ValueOf(i));
  }
  EXPECT_EQ(Histogram(MULTIGET_IO_BATCH_SIZE).count, 2u);
  EXPECT_EQ(Histogram(MULTIGET_IO_BATCH_SIZE).sum, 2u);
  EXPECT_EQ(Histogram(DB_MULTIGET).count, 1u);
  EXPECT_EQ(Tick(NUMBER_MULTIGET_CALLS), 1u);
  EXPECT_EQ(Tick(NUMBER_MULTIGET_KEYS_FOUND), found);
  EXPECT_EQ(Tick(NUMBER_MULTIGET_BYTES_READ), found * ValueOf(0).size());
}

TEST_F(MultiGetIo, WithAsyncIoTheReadsOfAllLevelsAreUnderWayTogether) {
  Fill();
  ASSERT_TRUE(Check(ReadOptions(), NumbersOf(0, 1000, 20)).ok());
  ReadOptions read;
  const auto batches = [&] {
    cache_->EraseUnRefEntries();
    EXPECT_TRUE(options_.statistics->Reset().ok());
    EXPECT_TRUE(Check(read, NumbersOf(0, 1000, 20)).ok());
    return Histogram(NUM_LEVEL_READ_PER_MULTIGET).count;
  };
  EXPECT_EQ(batches(), 1u);
  read.async_io = true;
  EXPECT_EQ(batches(), 1u);
}

TEST_F(MultiGetIo, CountsWhatItDoes) {
  Fill();
  ASSERT_TRUE(options_.statistics->Reset().ok());
  ASSERT_TRUE(Check(ReadOptions(), {0, 1, 2, 3, 4, 5, 2000}).ok());
  EXPECT_EQ(Tick(NUMBER_MULTIGET_CALLS), 1u);
  EXPECT_EQ(Tick(NUMBER_MULTIGET_KEYS_READ), 7u);
  EXPECT_EQ(Tick(NUMBER_MULTIGET_KEYS_FOUND), 4u);
  EXPECT_EQ(Tick(NUMBER_MULTIGET_BYTES_READ), 4 * ValueOf(0).size());
  EXPECT_EQ(Histogram(BYTES_PER_MULTIGET).sum, 4 * ValueOf(0).size());
  EXPECT_EQ(Histogram(DB_MULTIGET).count, 1u);
  EXPECT_EQ(Tick(GET_HIT_L0), 2u);         // 0 and 3.
  EXPECT_EQ(Tick(GET_HIT_L2_AND_UP), 2u);  // 2 and 4.
  EXPECT_EQ(Tick(MEMTABLE_MISS), 7u);
  // The filter of level 0 excludes 1, 2, 4 and 5; that below 1 and 5.
  EXPECT_GE(Tick(BLOOM_FILTER_USEFUL), 5u);
  EXPECT_EQ(Tick(BLOOM_FILTER_FULL_TRUE_POSITIVE), 4u);
  const uint64_t misses = Tick(BLOCK_CACHE_DATA_MISS);
  EXPECT_GT(misses, 0u);
  EXPECT_EQ(Tick(BLOCK_CACHE_DATA_ADD), misses);
  EXPECT_EQ(Tick(BLOCK_CACHE_DATA_HIT), 0u);
  ASSERT_TRUE(Check(ReadOptions(), {0, 1, 2, 3, 4, 5, 2000}).ok());
  EXPECT_EQ(Tick(BLOCK_CACHE_DATA_HIT), misses);
  EXPECT_EQ(Tick(BLOCK_CACHE_DATA_MISS), 0u);
}

TEST_F(MultiGetIo, WithoutFillCacheTheCacheStaysAsItIs) {
  Fill();
  ASSERT_TRUE(Check(ReadOptions(), NumbersOf(0, 1000, 100)).ok());
  cache_->EraseUnRefEntries();
  const size_t before = cache_->GetUsage();
  ReadOptions read;
  read.fill_cache = false;
  ASSERT_TRUE(Check(read, NumbersOf(0, 1000, 5)).ok());
  EXPECT_EQ(cache_->GetUsage(), before);
  ASSERT_TRUE(Check(ReadOptions(), NumbersOf(0, 1000, 5)).ok());
  EXPECT_GT(cache_->GetUsage(), before);
}

TEST_F(MultiGetIo, TheSizeLimitEndsTheBatchInKeyOrder) {
  Fill();
  ReadOptions read;
  read.value_size_soft_limit = 3 * ValueOf(0).size() - 1;
  std::vector<std::string> keys;
  for (const uint64_t i : NumbersOf(0, 200, 2))
    keys.push_back(test::NumberedKey(i));
  std::reverse(keys.begin(), keys.end());
  const std::vector<Slice> slices(keys.begin(), keys.end());
  std::vector<PinnableSlice> values(keys.size());
  std::vector<Status> statuses(keys.size());
  db_->MultiGet(read, db_->DefaultColumnFamily(), keys.size(), slices.data(),
                values.data(), statuses.data());
  for (size_t i = 0; i < keys.size(); ++i) {
    const bool given = i + 3 >= keys.size();
    EXPECT_EQ(statuses[i].ok(), given) << i;
    EXPECT_EQ(statuses[i].IsAborted(), !given) << i;
    EXPECT_EQ(values[i].empty(), !given) << i;
  }
}

TEST(MultiGetAsync, TheReadsOfAllFilesAreHandedOverTogether) {
  const IoRing* const ring = IoRing::ForThread().get();
  if (ring == nullptr) GTEST_SKIP() << "NO IO_URING: this kernel refuses it";
  test::TempDir dir;
  Options options;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.compression = kNoCompression;
  options.stats_dump_period_sec = 0;
  options.statistics = CreateDBStatistics();
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, dir.File("db"), &db).ok());
  // Five files of level 0, and keys far apart.
  std::vector<std::string> keys;
  for (uint64_t i = 0; i < 5000; ++i) {
    const std::string value = test::NumberedKey(i) + std::string(90, 'v');
    ASSERT_TRUE(db->Put(WriteOptions(), test::NumberedKey(i), value).ok());
    if (i % 200 == 100) keys.push_back(test::NumberedKey(i));
    if (i % 1000 != 999) continue;
    ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  }
  const std::vector<Slice> slices(keys.begin(), keys.end());
  ReadOptions read;
  read.async_io = true;
  for (int round = 0; round < 2; ++round) {  // The first opens the tables.
    std::vector<PinnableSlice> values(keys.size());
    std::vector<Status> statuses(keys.size());
    ASSERT_TRUE(options.statistics->Reset().ok());
    const uint64_t before = ring->kernel_calls();
    db->MultiGet(read, db->DefaultColumnFamily(), keys.size(), slices.data(),
                 values.data(), statuses.data());
    EXPECT_GE(ring->kernel_calls(), before + 1);
    // A wait may be broken off.
    EXPECT_LE(ring->kernel_calls(), before + 3);
    for (size_t i = 0; i < keys.size(); ++i) {
      EXPECT_EQ(values[i].ToString(), keys[i] + std::string(90, 'v'));
    }
    HistogramData batches;
    options.statistics->histogramData(MULTIGET_IO_BATCH_SIZE, &batches);
    EXPECT_EQ(batches.count, 1u);
    EXPECT_EQ(batches.sum, keys.size());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
