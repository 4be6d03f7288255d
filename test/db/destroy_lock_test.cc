// DestroyDB and LOCK: a database may be opened as soon as it is free.

#include <gtest/gtest.h>

#include <memory>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "test/support/hooked_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(DestroyLock, LockIsDeletedWhileItIsHeld) {
  const auto memory = std::make_shared<engine::MemFileSystem>();
  int unlocks = 0;
  int locks_left = 0;
  const auto fs = std::make_shared<test::HookedFileSystem>(
      memory, [&](const test::FileOp& op) {
        if (op.kind == test::OpKind::kUnlock) {
          ++unlocks;
          if (memory->FileExists("/db/LOCK", IOOptions(), nullptr).ok()) {
            ++locks_left;
          }
        }
        return IOStatus::OK();
      });
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, "/db", &db).ok());
  db.reset();
  EXPECT_EQ(1, unlocks);
  EXPECT_EQ(1, locks_left);
  const Status status = DestroyDB("/db", options);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(2, unlocks);
  EXPECT_EQ(1, locks_left);
  EXPECT_FALSE(memory->FileExists("/db", IOOptions(), nullptr).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
