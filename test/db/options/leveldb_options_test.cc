// LevelDBOptions: what becomes of them.

#include "rocksdb/utilities/leveldb_options.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Notes when it is deleted.
class NotedLogger final : public Logger {
 public:
  explicit NotedLogger(bool* deleted) : deleted_(deleted) {}
  ~NotedLogger() override { *deleted_ = true; }
  using Logger::Logv;
  void Logv(const char* /*format*/, va_list /*ap*/) override {}

 private:
  bool* const deleted_;
};

const BlockBasedTableOptions& BlockOptionsOf(const Options& options) {
  const auto* const table =
      options.table_factory->GetOptions<BlockBasedTableOptions>();
  EXPECT_NE(table, nullptr);
  return *table;
}

TEST(LevelDBOptionsTest, DefaultsAreThoseOfLevelDB) {
  const Options options = ConvertOptions(LevelDBOptions());
  EXPECT_EQ(options.comparator, BytewiseComparator());
  EXPECT_EQ(options.env, Env::Default());
  EXPECT_FALSE(options.create_if_missing);
  EXPECT_FALSE(options.error_if_exists);
  EXPECT_FALSE(options.paranoid_checks);
  EXPECT_EQ(options.info_log, nullptr);
  EXPECT_EQ(options.write_buffer_size, size_t{4} << 20);
  EXPECT_EQ(options.max_open_files, 1000);
  EXPECT_EQ(options.compression, kSnappyCompression);
  EXPECT_EQ(BlockOptionsOf(options).block_size, 4096u);
  EXPECT_EQ(BlockOptionsOf(options).block_restart_interval, 16);
  EXPECT_EQ(BlockOptionsOf(options).filter_policy, nullptr);
}

TEST(LevelDBOptionsTest, EachHasItsPlace) {
  bool deleted = false;
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  {
    LevelDBOptions from;
    from.comparator = ReverseBytewiseComparator();
    from.create_if_missing = true;
    from.error_if_exists = true;
    from.paranoid_checks = true;
    from.env = env.get();
    from.info_log = new NotedLogger(&deleted);
    from.write_buffer_size = 1 << 20;
    from.max_open_files = 77;
    from.block_size = 1024;
    from.block_restart_interval = 5;
    from.compression = kNoCompression;
    from.filter_policy = NewBloomFilterPolicy(10);
    const Options options = ConvertOptions(from);
    EXPECT_EQ(options.comparator, from.comparator);
    EXPECT_TRUE(options.create_if_missing);
    EXPECT_TRUE(options.error_if_exists);
    EXPECT_TRUE(options.paranoid_checks);
    EXPECT_EQ(options.env, env.get());
    EXPECT_EQ(options.info_log.get(), from.info_log);
    EXPECT_EQ(options.write_buffer_size, size_t{1} << 20);
    EXPECT_EQ(options.max_open_files, 77);
    EXPECT_EQ(options.compression, kNoCompression);
    EXPECT_EQ(BlockOptionsOf(options).block_size, 1024u);
    EXPECT_EQ(BlockOptionsOf(options).block_restart_interval, 5);
    EXPECT_EQ(BlockOptionsOf(options).filter_policy.get(), from.filter_policy);
    // A database works with them.
    std::unique_ptr<DB> db;
    const Status status = DB::Open(options, "/db", &db);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_TRUE(db->Put(WriteOptions(), "k", "v").ok());
    ASSERT_TRUE(db->Flush(FlushOptions()).ok());
    std::string value;
    EXPECT_TRUE(db->Get(ReadOptions(), "k", &value).ok());
    EXPECT_EQ(value, "v");
    EXPECT_FALSE(deleted);
  }
  EXPECT_TRUE(deleted);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
