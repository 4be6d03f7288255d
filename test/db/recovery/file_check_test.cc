// What opening says of files that cannot be looked at.

#include <gtest/gtest.h>

#include <memory>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "test/support/error_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(FileCheck, NamesTheErrorThatHidATable) {
  const auto fs = std::make_shared<test::ErrorFileSystem>(
      std::make_shared<engine::MemFileSystem>());
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, "/db", &db).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "key", "value").ok());
  ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  db.reset();
  ASSERT_TRUE(
      fs->SetRule("(ErrInjected (And stat (PathMatch \"*.sst\")))").ok());
  const Status status = DB::Open(options, "/db", &db);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(std::string::npos, status.ToString().find("injected"))
      << status.ToString();
  fs->ClearRule();
  EXPECT_TRUE(DB::Open(options, "/db", &db).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
