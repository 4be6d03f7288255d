// PerfContext and IOStatsContext: a program that does a little of everything
// finds every field counted that docs/compat.md does not name as staying 0.

#include <gtest/gtest.h>

#include <barrier>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/iostats_context.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/table.h"
#include "test/support/error_fs.h"
#include "test/support/temp_dir.h"
#include "util/merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using Counts = std::map<std::string, uint64_t>;

// Of "name = number, name = number@level1, ".
Counts Parse(const std::string& text) {
  Counts counts;
  std::istringstream in(text);
  std::string name;
  for (std::string word; in >> word;) {
    if (word == "=") continue;
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      counts[name] += std::strtoull(word.c_str(), nullptr, 10);
    } else {
      name = word;
    }
  }
  return counts;
}

// What docs/compat.md says is not counted.
const char* const kNotCounted[] = {"user_key_comparison_count",
                                   "block_cache_standalone_handle_count",
                                   "block_cache_real_handle_count",
                                   "block_cache_compression_dict_read_byte",
                                   "db_mutex_lock_nanos",
                                   "db_condition_wait_nanos",
                                   "env_*",
                                   "number_async_seek",
                                   "thread_pool_id",
                                   "unknown_*",
                                   "hot_*",
                                   "warm_*",
                                   "cool_*",
                                   "cold_*",
                                   "ice_*"};
// Counted, but not of what this program meets: tested below, with stalls, with
// locks, and with encrypted files.
const char* const kElsewhere[] = {
    "write_thread_wait_nanos",   "write_delay_time",       "write_stop_time",
    "key_lock_wait_*",           "bloom_memtable_*",       "blob_*",
    "secondary_cache_hit_count", "compressed_sec_cache_*", "encrypt_data_nanos",
    "decrypt_data_nanos"};

template <size_t kSize>
bool Named(const char* const (&patterns)[kSize], const std::string& name) {
  for (const char* pattern : patterns) {
    if (test::GlobMatches(pattern, name)) return true;
  }
  return false;
}

class PerfTest : public testing::Test {
 protected:
  PerfTest() {
    SetPerfLevel(kEnableTime);
    get_perf_context()->Reset();
    get_iostats_context()->Reset();
    options_.create_if_missing = true;
    options_.merge_operator = engine::NewStringAppendOperator(",");
    options_.compression = kZSTD;
    options_.compression_opts.max_dict_bytes = 4096;
    options_.wal_bytes_per_sync = 4096;
  }
  ~PerfTest() override {
    SetPerfLevel(kEnableCount);
    get_perf_context()->ClearPerLevelPerfContext();
  }

  void Open() {
    BlockBasedTableOptions table;
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    table.cache_index_and_filter_blocks = true;
    table.block_cache = NewLRUCache(8 << 20);
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    db_.reset();
    const Status status = DB::Open(options_, dir_.File("db"), &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  static std::string Key(int i) { return "key" + std::to_string(100000 + i); }
  void Fill() {
    for (int i = 0; i < 20000; ++i) {
      ASSERT_TRUE(db_->Put(WriteOptions(), Key(i), std::string(120, 'v')).ok());
    }
    WriteOptions sync;
    sync.sync = true;
    ASSERT_TRUE(db_->Put(sync, Key(0), "synced").ok());
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : "";
  }
  void Points() {
    EXPECT_EQ(120u, Get(Key(7)).size());
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    ASSERT_TRUE(
        db_->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
    Open();
    for (int i = 0; i < 200; ++i) {
      EXPECT_NE("", Get(Key(100 * i)));
      EXPECT_EQ("", Get(Key(100 * i) + "x"));
    }
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(db_->Merge(WriteOptions(), "m", "operand").ok());
    }
    EXPECT_EQ("operand,operand", Get("m"));
    std::vector<std::string> values;
    for (const Status& status :
         db_->MultiGet(ReadOptions(), {Key(1), Key(2)}, &values)) {
      EXPECT_TRUE(status.ok());
    }
  }
  void Walks() {
    const Snapshot* const snapshot = db_->GetSnapshot();
    ASSERT_TRUE(db_->Put(WriteOptions(), Key(10), "newer").ok());
    ASSERT_TRUE(db_->Put(WriteOptions(), Key(10), "newest").ok());
    ASSERT_TRUE(db_->Delete(WriteOptions(), Key(11)).ok());
    ASSERT_TRUE(db_->DeleteRange(WriteOptions(), db_->DefaultColumnFamily(),
                                 Key(5000), Key(9000))
                    .ok());
    ReadOptions old;
    old.snapshot = snapshot;
    for (const ReadOptions& read : {ReadOptions(), old}) {
      const std::unique_ptr<Iterator> it(db_->NewIterator(read));
      it->Seek(Key(5));
      for (int i = 0; i < 20 && it->Valid(); ++i) it->Next();
      for (int i = 0; i < 18 && it->Valid(); ++i) it->Prev();
      it->SeekForPrev(Key(4999));
      if (it->Valid()) it->Next();
      it->Seek("m");
      EXPECT_TRUE(it->Valid());
    }
    db_->ReleaseSnapshot(snapshot);
  }
  void Ingest() {
    SstFileWriter writer(EnvOptions(), options_);
    ASSERT_TRUE(writer.Open(dir_.File("x.sst")).ok());
    ASSERT_TRUE(writer.Put("zzz", "ingested").ok());
    ASSERT_TRUE(writer.Finish().ok());
    ASSERT_TRUE(db_->IngestExternalFile({dir_.File("x.sst")},
                                        IngestExternalFileOptions())
                    .ok());
  }
  void DoALittleOfEverything() {
    Open();
    Fill();
    Points();
    Walks();
    Ingest();
  }

  test::TempDir dir_;
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(PerfTest, CountsEveryFieldThatIsNotNamedAsStayingZero) {
  DoALittleOfEverything();
  Counts counts = Parse(get_perf_context()->ToString());
  counts.merge(Parse(get_iostats_context()->ToString()));
  EXPECT_GT(counts.size(), 100u);
  for (const auto& [name, count] : counts) {
    if (Named(kNotCounted, name) || Named(kElsewhere, name)) continue;
    EXPECT_GT(count, 0u) << name;
  }
}

TEST_F(PerfTest, WhatIsNotCountedStandsInTheDocuments) {
  std::ifstream in("docs/compat.md");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  ASSERT_FALSE(text.empty());
  for (const char* name : kNotCounted) {
    EXPECT_NE(std::string::npos, text.find(std::string("`") + name + "`"))
        << name;
  }
}

TEST_F(PerfTest, CountsByLevelWhenAskedTo) {
  get_perf_context()->EnablePerLevelPerfContext();
  DoALittleOfEverything();
  ASSERT_NE(nullptr, get_perf_context()->level_to_perf_context);
  Counts counts;
  for (const auto& [level, of_level] :
       *get_perf_context()->level_to_perf_context) {
    counts["useful"] += of_level.bloom_filter_useful;
    counts["positive"] += of_level.bloom_filter_full_positive;
    counts["true positive"] += of_level.bloom_filter_full_true_positive;
    counts["returned"] += of_level.user_key_return_count;
    counts["nanos"] += of_level.get_from_table_nanos;
    counts["hits"] += of_level.block_cache_hit_count;
    counts["misses"] += of_level.block_cache_miss_count;
  }
  for (const auto& [name, count] : counts) EXPECT_GT(count, 0u) << name;
  EXPECT_EQ(202u, counts["returned"]);
  EXPECT_EQ(get_perf_context()->block_cache_hit_count, counts["hits"]);
}

TEST_F(PerfTest, CountsWithoutTimesAndNothingWhenDisabled) {
  SetPerfLevel(kEnableCount);
  DoALittleOfEverything();
  for (const auto& [name, count] : Parse(get_perf_context()->ToString())) {
    const bool is_time = name.ends_with("_time") || name.ends_with("_nanos");
    if (is_time) {
      EXPECT_EQ(0u, count) << name;
    }
  }
  EXPECT_GT(get_perf_context()->get_from_memtable_count, 0u);
  SetPerfLevel(kDisable);
  get_perf_context()->Reset();
  EXPECT_NE("", Get(Key(1)));
  Walks();
  EXPECT_EQ("", get_perf_context()->ToString(/*exclude_zero_counters=*/true));
}

TEST_F(PerfTest, CountsExactlyWhatALookupDid) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "value").ok());
  get_perf_context()->Reset();
  EXPECT_EQ("value", Get("a"));
  EXPECT_EQ("", Get("b"));
  const PerfContext& perf = *get_perf_context();
  EXPECT_EQ(2u, perf.get_from_memtable_count);
  EXPECT_EQ(5u, perf.get_read_bytes);
  EXPECT_EQ(0u, perf.block_read_count);
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  Open();
  get_perf_context()->Reset();
  EXPECT_EQ("value", Get("a"));
  EXPECT_EQ("value", Get("a"));
  // The index was read when the table was opened.
  EXPECT_EQ(0u, perf.index_block_read_count);
  EXPECT_EQ(1u, perf.filter_block_read_count);
  EXPECT_EQ(2u, perf.block_read_count);
  EXPECT_EQ(2u, perf.block_cache_index_hit_count);
  EXPECT_EQ(4u, perf.block_cache_hit_count);
  EXPECT_EQ(2u, perf.bloom_sst_hit_count);
  EXPECT_EQ(10u, perf.get_read_bytes);
}

// The counts of every step of these walks are those of RocksDB 11.8.1.
TEST_F(PerfTest, StepsCountTheKeysTheyPassAsTheOriginalDoes) {
  Open();
  for (const char* key : {"a", "b", "c", "c", "c", "d"}) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, "1").ok());
  }
  ASSERT_TRUE(db_->Delete(WriteOptions(), "d").ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), "e", "1").ok());
  const Snapshot* const snapshot = db_->GetSnapshot();
  for (const char* key : {"b", "b", "z"}) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, "2").ok());
  }
  // Keys, deletions and entries too new of each step.
  using Steps = std::vector<std::vector<uint64_t>>;
  PerfContext& perf = *get_perf_context();
  const auto take = [&perf](Steps* steps) {
    steps->push_back({perf.internal_key_skipped_count,
                      perf.internal_delete_skipped_count,
                      perf.internal_recent_skipped_count});
    perf.Reset();
  };
  const auto walk = [&](const Snapshot* at, Steps* there, Steps* back) {
    ReadOptions read;
    read.snapshot = at;
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    perf.Reset();
    for (it->SeekToFirst(); it->Valid(); it->Next()) take(there);
    take(there);
    for (it->SeekToLast(); it->Valid(); it->Prev()) take(back);
  };
  Steps there;
  Steps back;
  walk(nullptr, &there, &back);
  EXPECT_EQ(
      (Steps{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {4, 1, 0}, {1, 0, 0}, {1, 0, 0}}),
      there);
  EXPECT_EQ((Steps{{1, 0, 0}, {1, 0, 0}, {5, 1, 0}, {3, 0, 0}, {1, 0, 0}}),
            back);
  there.clear();
  back.clear();
  walk(snapshot, &there, &back);
  EXPECT_EQ((Steps{{0, 0, 0}, {1, 0, 2}, {1, 0, 0}, {4, 1, 0}, {1, 0, 1}}),
            there);
  EXPECT_EQ((Steps{{1, 0, 1}, {5, 1, 0}, {1, 0, 2}, {1, 0, 0}}), back);
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(PerfTest, ABatchOfKeysCountsItsStepsOnce) {
  Open();
  for (const char* key : {"a", "b", "c"}) {
    ASSERT_TRUE(db_->Put(WriteOptions(), key, "value").ok());
  }
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  PerfContext& perf = *get_perf_context();
  for (const bool cached : {false, true}) {
    perf.Reset();
    std::vector<std::string> values;
    db_->MultiGet(ReadOptions(), {"a", "c", "none"}, &values);
    EXPECT_EQ(1u, perf.get_from_memtable_count) << cached;
    EXPECT_EQ(10u, perf.multiget_read_bytes) << cached;
    EXPECT_GT(perf.get_snapshot_time, 0u) << cached;
    EXPECT_GT(perf.get_from_memtable_time, 0u) << cached;
    EXPECT_GT(perf.get_from_output_files_time, 0u) << cached;
    EXPECT_GT(perf.get_post_process_time, 0u) << cached;
    EXPECT_GT(perf.new_table_block_iter_nanos, 0u) << cached;
    EXPECT_GT(perf.get_cpu_nanos, 0u) << cached;
  }
}

TEST_F(PerfTest, ASeekOfAnIteratorCountsTheTimeInItsBlock) {
  Open();
  Fill();
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  get_perf_context()->Reset();
  it->Seek(Key(500));
  EXPECT_TRUE(it->Valid());
  EXPECT_GT(get_perf_context()->block_seek_nanos, 0u);
}

TEST_F(PerfTest, WritersCountHowLongTheyWaitForEachOther) {
  Open();
  uint64_t waited[4] = {};
  std::barrier together(4);  // They write at the same time, each time.
  std::vector<std::thread> writers;
  for (uint64_t& nanos : waited) {
    writers.emplace_back([this, &nanos, &together] {
      SetPerfLevel(kEnableWait);
      WriteOptions sync;
      sync.sync = true;
      for (int i = 0; i < 100; ++i) {
        together.arrive_and_wait();
        EXPECT_TRUE(db_->Put(sync, Key(i), "v").ok());
      }
      nanos = get_perf_context()->write_thread_wait_nanos;
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_GT(waited[0] + waited[1] + waited[2] + waited[3], 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
