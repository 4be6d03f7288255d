// Counts the cost of a Put that does not wait.

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "test/db/call_counts.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

struct Cost {
  uint64_t allocations = 0;
  uint64_t locks = 0;
};

// Of 1,000 writes into a memtable that has room for them.
Cost CostOfPuts(const Options& options, const WriteOptions& write) {
  const TempDir dir;
  std::unique_ptr<DB> db;
  EXPECT_TRUE(DB::Open(options, dir.path(), &db).ok());
  const std::string value(100, 'v');
  const auto put = [&](int i) {
    const std::string key = "key" + std::to_string(i);
    EXPECT_LT(key.size(), 15u);  // A longer one would be allocated here.
    return db->Put(write, key, value).ok();
  };
  bool ok = true;
  for (int i = 0; i < 100; ++i) ok = put(i) && ok;
  const Cost before{Allocations(), Locks()};
  for (int i = 100; i < 1100; ++i) ok = put(i) && ok;
  const Cost cost{Allocations() - before.allocations, Locks() - before.locks};
  EXPECT_TRUE(ok);
  EXPECT_TRUE(db->Close().ok());
  return cost;
}

// commit_pipeline.h (4).
TEST(PutCost, IsNeitherAMutexNorAnAllocation) {
  if (!kCountsCalls) GTEST_SKIP() << "not counted here";
  Options options;
  options.create_if_missing = true;
  for (const bool logged : {true, false}) {
    WriteOptions write;
    write.disableWAL = !logged;
    const Cost cost = CostOfPuts(options, write);
    EXPECT_EQ(0u, cost.allocations) << logged;
    EXPECT_EQ(0u, cost.locks) << logged;
  }
}

TEST(PutCost, IsCounted) {
  if (!kCountsCalls) GTEST_SKIP() << "not counted here";
  const uint64_t allocations = Allocations();
  EXPECT_EQ(200u, std::string(200, 'x').size());
  EXPECT_LT(allocations, Allocations());
  const uint64_t locks = Locks();
  std::mutex mutex;
  mutex.lock();
  mutex.unlock();
  EXPECT_EQ(locks + 1, Locks());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
