// The memtable's filter: what it says no to is not there, also beside writers;
// and a database with it answers like one without.

#include "db/memtable/memtable_bloom.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/memtable/memtable.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/slice_transform.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

std::string KeyOf(int i) { return "key" + std::to_string(i); }

TEST(MemTableBloom, HoldsWhatWasAddedAndLittleElse) {
  Arena arena;
  MemTableBloom bloom(2000, &arena);
  for (int i = 0; i < 1000; ++i) bloom.Add(KeyOf(i));
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(bloom.MayContain(KeyOf(i))) << i;
    wrong += bloom.MayContain(KeyOf(100000 + i)) ? 1 : 0;
  }
  // 16 bits per key: far below one in a hundred, but for the lines.
  EXPECT_LT(wrong, 20);
}

TEST(MemTableBloom, HoldsWhatWasAddedAtAnySize) {
  for (const size_t bytes : {size_t{1}, size_t{64}, size_t{65}, size_t{1000}}) {
    Arena arena;
    MemTableBloom bloom(bytes, &arena);
    EXPECT_FALSE(bloom.MayContain("a"));
    bloom.Add("");
    bloom.Add("a");
    EXPECT_TRUE(bloom.MayContain(""));
    EXPECT_TRUE(bloom.MayContain("a"));
  }
}

TEST(MemTableBloom, WritersAtOnceLoseNothing) {
  ConcurrentArena arena;
  MemTableBloom bloom(1 << 14, &arena);
  std::vector<std::thread> writers;
  std::atomic<int> missing{0};
  for (int t = 0; t < 4; ++t) {
    writers.emplace_back([&, t] {
      for (int i = t; i < 8000; i += 4) {
        bloom.Add(KeyOf(i));
        if (!bloom.MayContain(KeyOf(i))) ++missing;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(0, missing.load());
  for (int i = 0; i < 8000; ++i) ASSERT_TRUE(bloom.MayContain(KeyOf(i))) << i;
}

class BloomDbTest : public ::testing::Test {
 protected:
  BloomDbTest() {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.memtable_prefix_bloom_size_ratio = 0.1;
    options_.write_buffer_size = 1 << 20;
  }
  ~BloomDbTest() override {
    SetPerfLevel(kDisable);
    db_.reset();
  }
  void Open() {
    const Status status = DB::Open(options_, "/db", &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
    SetPerfLevel(kEnableCount);
    get_perf_context()->Reset();
  }
  std::string Get(const std::string& key) {
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    return status.ok() ? value : status.ToString();
  }
  static uint64_t Hits() {
    return get_perf_context()->bloom_memtable_hit_count;
  }
  static uint64_t Misses() {
    return get_perf_context()->bloom_memtable_miss_count;
  }

  std::unique_ptr<Env> env_ =
      NewCompositeEnv(std::make_shared<MemFileSystem>());
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(BloomDbTest, WholeKeysThatAreMissingAreNotLookedFor) {
  options_.memtable_whole_key_filtering = true;
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "1").ok());
  ASSERT_TRUE(db_->Delete(WriteOptions(), "b").ok());
  EXPECT_EQ("1", Get("a"));
  EXPECT_EQ("NotFound: ", Get("b"));
  EXPECT_EQ(2u, Hits());
  EXPECT_EQ(0u, Misses());
  EXPECT_EQ("NotFound: ", Get("c"));
  EXPECT_EQ(2u, Hits());
  EXPECT_EQ(1u, Misses());
  // Ranges cover keys the filter has never seen.
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), "a", "b").ok());
  EXPECT_EQ("NotFound: ", Get("a"));
}

TEST_F(BloomDbTest, PrefixesDecideWhereKeysAreNotFiltered) {
  options_.prefix_extractor.reset(NewFixedPrefixTransform(2));
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "ab1", "1").ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), "x", "short").ok());
  EXPECT_EQ("1", Get("ab1"));
  EXPECT_EQ("NotFound: ", Get("ab2"));
  EXPECT_EQ(2u, Hits());
  EXPECT_EQ("NotFound: ", Get("cd1"));
  EXPECT_EQ(1u, Misses());
  // Keys without prefix are always looked for.
  EXPECT_EQ("short", Get("x"));
  EXPECT_EQ("NotFound: ", Get("y"));
  EXPECT_EQ(1u, Misses());
}

TEST_F(BloomDbTest, WithoutKeysAndPrefixesThereIsNone) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "a", "1").ok());
  EXPECT_EQ("1", Get("a"));
  EXPECT_EQ("NotFound: ", Get("b"));
  EXPECT_EQ(0u, Hits() + Misses());
}

TEST_F(BloomDbTest, ManyWritersAndMemtablesAnswerLikeOne) {
  options_.memtable_whole_key_filtering = true;
  options_.prefix_extractor.reset(NewFixedPrefixTransform(4));
  options_.write_buffer_size = 64 << 10;
  Open();
  std::vector<std::thread> writers;
  for (int t = 0; t < 3; ++t) {
    writers.emplace_back([&, t] {
      for (int i = t; i < 3000; i += 3) {
        const Status status =
            db_->Put(WriteOptions(), KeyOf(i), std::to_string(i));
        EXPECT_TRUE(status.ok());
        EXPECT_EQ(std::to_string(i), Get(KeyOf(i)));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  for (int i = 0; i < 3000; ++i) ASSERT_EQ(std::to_string(i), Get(KeyOf(i)));
  EXPECT_EQ("NotFound: ", Get("absent"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
