// The logger that a database's options ask for.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/mem/mem_file_system.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

TEST(InfoLogOptions, GiveTheCallersLoggerOrARollingOne) {
  const auto fs = std::make_shared<MemFileSystem>();
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  DBOptions options;
  options.env = env.get();
  std::shared_ptr<Logger> made;
  ASSERT_TRUE(CreateLoggerFromOptions("/db", options, &made).ok());
  Info(made, "made");
  std::string content;
  ASSERT_TRUE(ReadFileToString(fs.get(), "/db/LOG", &content).ok());
  EXPECT_NE(content.find(" made\n"), std::string::npos);
  options.info_log = made;
  std::shared_ptr<Logger> given;
  ASSERT_TRUE(CreateLoggerFromOptions("/other", options, &given).ok());
  EXPECT_EQ(given, made);
}

TEST(EnvOptions, TakeTheFileOptionsOfADatabase) {
  DBOptions options;
  options.use_direct_reads = true;
  options.use_direct_io_for_flush_and_compaction = true;
  options.bytes_per_sync = 1;
  options.wal_bytes_per_sync = 2;
  options.writable_file_max_buffer_size = 3;
  const FileOptions file_options(options);
  EXPECT_TRUE(file_options.use_direct_reads);
  EXPECT_FALSE(file_options.use_direct_writes);
  EXPECT_EQ(file_options.bytes_per_sync, 1u);
  EXPECT_EQ(file_options.writable_file_max_buffer_size, 3u);
  const FileOptions log =
      FileSystem::Default()->OptimizeForLogWrite(file_options, options);
  EXPECT_EQ(log.bytes_per_sync, 2u);
  EXPECT_FALSE(log.use_direct_reads);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
