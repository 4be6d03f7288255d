// Random operations on a database and on a model of it: whatever flushes,
// compactions, reopenings and option changes come between, both hold the
// same.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/write_batch.h"
#include "test/support/effort.h"
#include "test/support/model_db.h"
#include "test/support/temp_dir.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using engine::Random64;
using test::ModelDb;

struct Case {
  const char* name;
  int operations;
  bool on_disk;
  std::function<void(Options*, BlockBasedTableOptions*)> change;
  bool ranges = true;  // Also deletes ranges.
};

std::shared_ptr<MergeOperator> Operator(const std::string& name) {
  std::shared_ptr<MergeOperator> result;
  EXPECT_TRUE(
      MergeOperator::CreateFromString(ConfigOptions(), name, &result).ok());
  return result;
}

// Small enough for many files and several levels within a second.
Options SmallOptions(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.write_buffer_size = 16 << 10;
  options.arena_block_size = 4096;
  options.target_file_size_base = 8 << 10;
  options.max_bytes_for_level_base = 32 << 10;
  options.max_bytes_for_level_multiplier = 4;
  options.level0_file_num_compaction_trigger = 2;
  options.max_background_jobs = 3;
  options.compression = kNoCompression;
  options.num_levels = 5;
  return options;
}

class ModelRun {
 public:
  ModelRun(const Case& given, uint64_t seed)
      : given_(given),
        random_(seed),
        mem_env_(given.on_disk ? nullptr : NewMemEnv(Env::Default())),
        options_(
            SmallOptions(given.on_disk ? Env::Default() : mem_env_.get())) {
    BlockBasedTableOptions table;
    table.block_size = 512;
    table.block_cache = NewLRUCache(64 << 10);
    given.change(&options_, &table);
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    path_ = given.on_disk ? dir_.File("db") : "/db";
    model_.CreateFamily(kDefaultColumnFamilyName, ModelDb::Merging::kAppend);
    model_.CreateFamily("sums", ModelDb::Merging::kAdd);
    families_ = {kDefaultColumnFamilyName, "sums"};
  }
  ~ModelRun() { Close(); }

  void Run() {
    Open();
    const int operations = test::Effort(given_.operations);
    for (int i = 0; i < operations && !Failed(); ++i) {
      Step();
      if (i % 400 == 399) CheckAll();
    }
    if (Failed()) return;
    CheckAll();
    ReleaseSnapshots();
    EXPECT_TRUE(
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
    CheckAll();
    Reopen();
    CheckAll();
  }

 private:
  struct Snap {
    const Snapshot* snapshot;
    ModelDb::State state;
  };

  static bool Failed() { return ::testing::Test::HasFailure(); }
  static void Ok(const Status& status, const char* what) {
    EXPECT_TRUE(status.ok()) << what << ": " << status.ToString();
  }
  bool Chance(uint64_t of_thousand) {
    return random_.Uniform(1000) < of_thousand;
  }

  ColumnFamilyOptions FamilyOptions(const std::string& family) const {
    ColumnFamilyOptions options(options_);
    options.merge_operator =
        Operator(family == "sums" ? "uint64add" : "stringappend");
    return options;
  }

  void Open() {
    std::vector<ColumnFamilyDescriptor> descriptors;
    for (const std::string& family : families_) {
      descriptors.emplace_back(family, FamilyOptions(family));
    }
    std::vector<ColumnFamilyHandle*> handles;
    const Status status =
        DB::Open(options_, path_, descriptors, &handles, &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
    for (size_t i = 0; i < families_.size(); ++i) {
      handles_[families_[i]] = handles[i];
    }
  }
  void ReleaseSnapshots() {
    for (const Snap& snap : snaps_) db_->ReleaseSnapshot(snap.snapshot);
    snaps_.clear();
  }
  void Close() {
    if (db_ == nullptr) return;
    ReleaseSnapshots();
    for (auto& [name, handle] : handles_) {
      Ok(db_->DestroyColumnFamilyHandle(handle), "DestroyColumnFamilyHandle");
    }
    handles_.clear();
    if (Chance(500)) Ok(db_->Close(), "Close");
    db_.reset();
  }
  void Reopen() {
    Close();
    Open();
  }

  const std::string& AnyFamily() {
    return families_[random_.Uniform(families_.size())];
  }
  std::string AnyKey() {
    const uint64_t n = random_.Uniform(400);
    if (n % 7 == 0) return std::string(n % 5, 'k') + std::to_string(n);
    return "key" + std::to_string(100000 + n);
  }
  // Mostly a few keys, now and then many.
  std::pair<std::string, std::string> AnyRange(const std::string& key) {
    if (Chance(100)) return std::minmax(key, AnyKey());
    const uint64_t n = 100000 + random_.Uniform(400);
    return {"key" + std::to_string(n),
            "key" + std::to_string(n + random_.Skewed(5))};
  }
  std::string AnyValue(const std::string& family) {
    if (family == "sums") return ModelDb::Number(random_.Uniform(1000));
    return std::string(random_.Skewed(8),
                       static_cast<char>('a' + random_.Uniform(26)));
  }

  // One change, to the batch and to the model.
  void Change(WriteBatch* batch) {
    const std::string& family = AnyFamily();
    ColumnFamilyHandle* const handle = handles_.at(family);
    const std::string key = AnyKey();
    const uint64_t what = random_.Uniform(100);
    if (what < 55) {
      const std::string value = AnyValue(family);
      Ok(batch->Put(handle, key, value), "Put");
      model_.Put(family, key, value);
    } else if (what < 70) {
      Ok(batch->Delete(handle, key), "Delete");
      model_.Delete(family, key);
    } else if (what < 74 && given_.ranges) {
      const auto [begin, end] = AnyRange(key);
      Ok(batch->DeleteRange(handle, begin, end), "DeleteRange");
      model_.DeleteRange(family, begin, end);
    } else if (what < 85) {
      const std::string operand = family == "sums"
                                      ? ModelDb::Number(random_.Uniform(9))
                                      : std::to_string(random_.Uniform(99));
      Ok(batch->Merge(handle, key, operand), "Merge");
      model_.Merge(family, key, operand);
    } else {
      // Single deletions are legal only on keys put once since: these keys
      // are used here only.
      const std::string once = "once" + std::to_string(random_.Uniform(60));
      if (model_.Has(family, once)) {
        Ok(batch->SingleDelete(handle, once), "SingleDelete");
        model_.Delete(family, once);
      } else {
        const std::string value = AnyValue(family);
        Ok(batch->Put(handle, once, value), "Put");
        model_.Put(family, once, value);
      }
    }
  }

  void Write() {
    WriteBatch batch;
    const uint64_t count = Chance(100) ? 1 + random_.Uniform(20) : 1;
    for (uint64_t i = 0; i < count; ++i) Change(&batch);
    WriteOptions options;
    options.sync = Chance(10);
    Ok(db_->Write(options, &batch), "Write");
  }

  void Step() {
    const uint64_t what = random_.Uniform(1000);
    if (what < 800) return Write();
    if (what < 900) return CheckKey();
    if (what < 950) return WalkRandomly();
    if (what < 965) return TakeSnapshot();
    if (what < 980) return CheckSnapshot();
    if (what < 985) {
      ColumnFamilyHandle* handle = handles_.at(AnyFamily());
      return Ok(db_->Flush(FlushOptions(), handle), "Flush");
    }
    if (what < 989) return Compact();
    if (what < 993) return ChangeOptions();
    if (what < 997) return CreateOrDrop();
    Reopen();
  }

  void Compact() {
    CompactRangeOptions options;
    if (Chance(300)) options.max_subcompactions = 3;
    if (Chance(300)) {
      options.bottommost_level_compaction =
          BottommostLevelCompaction::kForceOptimized;
    }
    const std::string from = AnyKey();
    const std::string to = AnyKey();
    const Slice begin(from);
    const Slice end(to);
    const bool all = Chance(300) || from > to;
    Ok(db_->CompactRange(options, handles_.at(AnyFamily()),
                         all ? nullptr : &begin, all ? nullptr : &end),
       "CompactRange");
  }

  void ChangeOptions() {
    const std::string triggers = std::to_string(2 + random_.Uniform(4));
    const std::string buffer = std::to_string((8 + random_.Uniform(16)) << 10);
    Ok(db_->SetOptions(handles_.at(AnyFamily()),
                       {{"level0_file_num_compaction_trigger", triggers},
                        {"write_buffer_size", buffer}}),
       "SetOptions");
  }

  void CreateOrDrop() {
    const std::string name = "extra";
    if (handles_.contains(name)) {
      ReleaseSnapshots();
      Ok(db_->DropColumnFamily(handles_[name]), "DropColumnFamily");
      Ok(db_->DestroyColumnFamilyHandle(handles_[name]), "Destroy");
      handles_.erase(name);
      model_.DropFamily(name);
      std::erase(families_, name);
      return;
    }
    ReleaseSnapshots();  // They do not know the family.
    ColumnFamilyHandle* handle = nullptr;
    Ok(db_->CreateColumnFamily(FamilyOptions(name), name, &handle), "Create");
    if (handle == nullptr) return;
    handles_[name] = handle;
    model_.CreateFamily(name, ModelDb::Merging::kAppend);
    families_.push_back(name);
  }

  void TakeSnapshot() {
    if (snaps_.size() > 4) ReleaseSnapshots();
    snaps_.push_back({db_->GetSnapshot(), model_.state()});
  }
  void CheckSnapshot() {
    if (snaps_.empty()) return;
    const Snap& snap = snaps_[random_.Uniform(snaps_.size())];
    CheckState(snap.state, snap.snapshot);
  }

  Status GetSomehow(ColumnFamilyHandle* handle, const std::string& key,
                    std::string* value) {
    if (Chance(500)) return db_->Get(ReadOptions(), handle, key, value);
    const Slice slice(key);
    PinnableSlice pinned;
    Status status;
    db_->MultiGet(ReadOptions(), handle, 1, &slice, &pinned, &status);
    value->assign(pinned.data(), pinned.size());
    return status;
  }
  void CheckKey() {
    const std::string& family = AnyFamily();
    const std::string key = AnyKey();
    std::string value;
    const Status status = GetSomehow(handles_.at(family), key, &value);
    const ModelDb::Rows& rows = model_.rows(family);
    const auto expected = rows.find(key);
    if (expected == rows.end()) {
      EXPECT_TRUE(status.IsNotFound()) << key << " " << status.ToString();
    } else {
      EXPECT_TRUE(status.ok()) << key << " " << status.ToString();
      EXPECT_EQ(expected->second, value) << key;
    }
  }

  void CheckAll() { CheckState(model_.state(), nullptr); }
  void CheckState(const ModelDb::State& state, const Snapshot* snapshot) {
    ReadOptions options;
    options.snapshot = snapshot;
    for (const auto& [family, rows] : state) {
      std::unique_ptr<Iterator> it(
          db_->NewIterator(options, handles_.at(family)));
      CheckForward(it.get(), rows, family);
      CheckBackward(it.get(), rows, family);
      for (const auto& [key, value] : rows) {
        std::string got;
        const Status status = db_->Get(options, handles_.at(family), key, &got);
        ASSERT_TRUE(status.ok())
            << family << " " << key << " " << status.ToString();
        ASSERT_EQ(value, got) << family << " " << key;
      }
    }
  }
  static void CheckForward(Iterator* it, const ModelDb::Rows& rows,
                           const std::string& family) {
    it->SeekToFirst();
    for (const auto& [key, value] : rows) {
      ASSERT_TRUE(it->Valid())
          << family << " ends before " << key << " " << it->status().ToString();
      ASSERT_EQ(key, it->key().ToString()) << family;
      ASSERT_EQ(value, it->value().ToString()) << family << " " << key;
      it->Next();
    }
    EXPECT_FALSE(it->Valid()) << family << " goes on";
    Ok(it->status(), "iterator");
  }
  static void CheckBackward(Iterator* it, const ModelDb::Rows& rows,
                            const std::string& family) {
    it->SeekToLast();
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      ASSERT_TRUE(it->Valid()) << family << " begins behind " << row->first
                               << " " << it->status().ToString();
      ASSERT_EQ(row->first, it->key().ToString()) << family;
      ASSERT_EQ(row->second, it->value().ToString()) << family;
      it->Prev();
    }
    EXPECT_FALSE(it->Valid()) << family << " begins earlier";
    Ok(it->status(), "iterator");
  }

  // Seeks and steps in both directions, between bounds or not.
  void WalkRandomly() {
    const std::string& family = AnyFamily();
    ModelDb::Rows rows = model_.rows(family);
    const std::string lower = AnyKey();
    const std::string upper = AnyKey();
    const Slice lower_slice(lower);
    const Slice upper_slice(upper);
    ReadOptions options;
    if (Chance(500)) {
      options.iterate_lower_bound = &lower_slice;
      rows.erase(rows.begin(), rows.lower_bound(lower));
    }
    if (Chance(500)) {
      options.iterate_upper_bound = &upper_slice;
      rows.erase(rows.lower_bound(upper), rows.end());
    }
    std::unique_ptr<Iterator> it(
        db_->NewIterator(options, handles_.at(family)));
    auto at = rows.end();
    for (int i = 0; i < 30 && !Failed(); ++i) {
      const std::string how = Move(it.get(), rows, &at);
      const bool valid = at != rows.end();
      ASSERT_EQ(valid, it->Valid())
          << how << " in " << family << " " << it->status().ToString()
          << " expected " << (valid ? at->first : "nothing") << " lower "
          << lower << " upper " << upper;
      if (!valid) continue;
      ASSERT_EQ(at->first, it->key().ToString()) << how << " in " << family;
      ASSERT_EQ(at->second, it->value().ToString()) << how;
    }
    Ok(it->status(), "iterator");
  }
  using Position = ModelDb::Rows::iterator;
  std::string Move(Iterator* it, ModelDb::Rows& rows, Position* at) {
    using test::Moving;
    const uint64_t what = random_.Uniform(10);
    const std::string key = AnyKey();
    const bool on_row = *at != rows.end();
    constexpr Moving kSeeks[] = {Moving::kSeekToFirst, Moving::kSeekToLast,
                                 Moving::kSeek, Moving::kSeekForPrev};
    const Moving moving = on_row && what < 4   ? Moving::kNext
                          : on_row && what < 8 ? Moving::kPrev
                                               : kSeeks[random_.Uniform(4)];
    return test::MoveBoth(moving, key, it, rows, at);
  }

  const Case given_;
  Random64 random_;
  const test::TempDir dir_;
  const std::unique_ptr<Env> mem_env_;
  Options options_;
  std::string path_;
  std::unique_ptr<DB> db_;
  std::map<std::string, ColumnFamilyHandle*> handles_;
  std::vector<std::string> families_;
  std::vector<Snap> snaps_;
  ModelDb model_;
};

class ModelTest : public ::testing::TestWithParam<Case> {};

TEST_P(ModelTest, TheDatabaseHoldsWhatTheModelHolds) {
  const char* const given = std::getenv("RIVERSTONE_SEED");
  const uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : 301;
  SCOPED_TRACE("RIVERSTONE_SEED=" + std::to_string(seed));
  std::printf("RIVERSTONE_SEED=%llu\n", static_cast<unsigned long long>(seed));
  ModelRun run(GetParam(), seed);
  run.Run();
}

using Table = BlockBasedTableOptions;

const Case kCases[] = {
    {"DynamicLevels", 20000, false, [](Options*, Table*) {}},
    {"WithoutRanges", 10000, false, [](Options*, Table*) {}, false},
    {"FewRangesPerMemtable", 10000, false,
     [](Options* o, Table*) { o->memtable_max_range_deletions = 3; }},
    {"ManyFilesInLevelZero", 10000, false,
     [](Options* o, Table*) {
       o->level0_file_num_compaction_trigger = 12;
       o->target_file_size_base = 2 << 10;
     }},
    {"StaticLevels", 20000, false,
     [](Options* o, Table*) {
       o->level_compaction_dynamic_level_bytes = false;
     }},
    {"BloomAndUncachedIndex", 10000, false,
     [](Options*, Table* t) {
       t->filter_policy.reset(NewBloomFilterPolicy(10));
       t->cache_index_and_filter_blocks = true;
     }},
    {"BlobFiles", 10000, false,
     [](Options* o, Table*) {
       o->enable_blob_files = true;
       o->min_blob_size = 20;
       o->blob_file_size = 4 << 10;
       o->max_subcompactions = 3;
       o->blob_cache = NewLRUCache(16 << 10);
     }},
    {"BlobFilesCollected", 10000, false,
     [](Options* o, Table*) {
       o->enable_blob_files = true;
       o->blob_file_size = 4 << 10;
       o->blob_compression_type = kLZ4Compression;
       o->blob_file_starting_level = 1;
       o->enable_blob_garbage_collection = true;
       o->blob_garbage_collection_age_cutoff = 0.5;
       o->blob_garbage_collection_force_threshold = 0.3;
       o->max_open_files = 10;
       o->auto_tuned_compaction = true;
     }},
    {"FewOpenFiles", 10000, false,
     [](Options* o, Table*) { o->max_open_files = 10; }},
    {"Subcompactions", 10000, false,
     [](Options* o, Table*) {
       o->max_subcompactions = 3;
       o->level0_file_num_compaction_trigger = 4;
     }},
    {"TwoMemtablesPerFlush", 10000, false,
     [](Options* o, Table*) {
       o->min_write_buffer_number_to_merge = 2;
       o->max_write_buffer_number = 4;
     }},
    {"ReverseOrderSkips", 10000, false,
     [](Options* o, Table*) { o->max_sequential_skip_in_iterations = 0; }},
    {"Snappy", 5000, false,
     [](Options* o, Table* t) {
       o->compression = kSnappyCompression;
       t->format_version = 2;
     }},
    {"Lz4", 5000, false,
     [](Options* o, Table* t) {
       o->compression = kLZ4Compression;
       t->format_version = 3;
     }},
    {"Version6Ribbon", 5000, false,
     [](Options*, Table* t) {
       t->format_version = 6;
       t->filter_policy.reset(NewRibbonFilterPolicy(10, 1));
     }},
    {"Version7", 5000, false,
     [](Options* o, Table* t) {
       o->compression = kLZ4Compression;
       t->format_version = 7;
     }},
    {"Lz4Hc", 4000, false,
     [](Options* o, Table* t) {
       o->compression = kLZ4HCCompression;
       t->format_version = 4;
     }},
    {"Zstd", 4000, false,
     [](Options* o, Table* t) {
       o->compression = kZSTD;
       t->format_version = 5;
       t->checksum = kCRC32c;
     }},
    {"ZstdDictionary", 4000, false,
     [](Options* o, Table*) {
       o->compression = kZSTD;
       o->compression_opts.max_dict_bytes = 2000;
       o->compression_opts.zstd_max_train_bytes = 20000;
     }},
    {"Zlib", 4000, false,
     [](Options* o, Table* t) {
       o->compression = kZlibCompression;
       t->checksum = kxxHash64;
     }},
    {"Bzip2", 2000, false,
     [](Options* o, Table* t) {
       o->compression = kBZip2Compression;
       t->checksum = kxxHash;
     }},
    {"RowCache", 10000, false,
     [](Options* o, Table*) { o->row_cache = NewLRUCache(8 << 20); }},
    {"RowCacheWithoutRanges", 10000, false,
     [](Options* o, Table*) {
       o->max_open_files = 10;
       o->row_cache = NewLRUCache(32 << 10);
     },
     false},
    {"TieredCacheFilledByFlushes", 10000, false,
     [](Options*, Table* t) {
       LRUCacheOptions lru;
       TieredCacheOptions tiered;
       tiered.cache_opts = &lru;
       tiered.adm_policy = kAdmPolicyAllowAll;
       tiered.total_capacity = 128 << 10;
       tiered.compressed_secondary_ratio = 0.5;
       t->block_cache = NewTieredCache(tiered);
       t->prepopulate_block_cache =
           Table::PrepopulateBlockCache::kFlushAndCompaction;
       t->index_type = Table::kTwoLevelIndexSearch;
       t->partition_filters = true;
       t->metadata_block_size = 512;
       t->cache_index_and_filter_blocks = true;
       t->filter_policy.reset(NewBloomFilterPolicy(10));
     }},
    {"OnDisk", 2000, true, [](Options*, Table*) {}},
    {"OnDiskDirect", 2000, true,
     [](Options* o, Table*) {
       o->use_direct_reads = true;
       o->use_direct_io_for_flush_and_compaction = true;
     }},
};

INSTANTIATE_TEST_SUITE_P(Options, ModelTest, ::testing::ValuesIn(kCases),
                         [](const ::testing::TestParamInfo<Case>& tested) {
                           return std::string(tested.param.name);
                         });

std::string WriterKey(int writer, uint64_t n) {
  return std::to_string(writer) + "/" + std::to_string(10000 + n);
}

// Writers with keys of their own: the reader must see each in order and never
// anything that goes back.
TEST(ConcurrentWriters, AreSeenInOrder) {
  constexpr int kWriters = 4;
  constexpr uint64_t kKeys = 40;
  constexpr uint64_t kRounds = 60;
  std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  Options options = SmallOptions(env.get());
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, "/db", &db).ok());

  std::atomic<bool> failed{false};
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&, w] {
      for (uint64_t round = 1; round <= kRounds; ++round) {
        for (uint64_t n = 0; n < kKeys; ++n) {
          WriteBatch batch;
          const std::string value = std::to_string(1000 + round);
          if (!batch.Put(WriterKey(w, n), value).ok() ||
              !db->Write(WriteOptions(), &batch).ok()) {
            failed = true;
          }
          std::string got;
          if (!db->Get(ReadOptions(), WriterKey(w, n), &got).ok() ||
              got != value) {
            failed = true;
          }
        }
      }
    });
  }
  std::atomic<bool> done{false};
  std::thread reader([&] {
    std::map<std::string, std::string> before;
    while (!done) {
      std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
      std::map<std::string, std::string> now = test::ReadForward(it.get());
      if (!it->status().ok() || now.size() < before.size()) failed = true;
      for (const auto& [key, value] : before) {
        if (now[key] < value) failed = true;
      }
      before = std::move(now);
    }
  });
  for (std::thread& writer : writers) writer.join();
  done = true;
  reader.join();
  EXPECT_FALSE(failed);
  std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  const ModelDb::Rows rows = test::ReadForward(it.get());
  EXPECT_EQ(kWriters * kKeys, rows.size());
  for (const auto& [key, value] : rows) {
    EXPECT_EQ(std::to_string(1000 + kRounds), value) << key;
  }
}

TEST(OpenIterator, PassesOverManyNewerKeysAndVersions) {
  std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  Options options = SmallOptions(env.get());
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, "/db", &db).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "z", "1").ok());
  std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  it->Seek("a");
  ASSERT_TRUE(it->Valid());
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(db->Put(WriteOptions(), "m" + std::to_string(i), "new").ok());
    ASSERT_TRUE(db->Put(WriteOptions(), "z", "new").ok());
  }
  it->Next();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("z", it->key().ToString());
  EXPECT_EQ("1", it->value().ToString());
  it->Prev();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("a", it->key().ToString());
}

TEST(Styles, OtherThanLeveledAreRefused) {
  for (const CompactionStyle style :
       {kCompactionStyleUniversal, kCompactionStyleFIFO}) {
    std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
    Options options = SmallOptions(env.get());
    options.compaction_style = style;
    std::unique_ptr<DB> db;
    const Status status = DB::Open(options, "/db", &db);
    EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
    EXPECT_EQ(nullptr, db);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
