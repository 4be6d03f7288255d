// What a lookup in the cache costs beside time: no allocation, and no count
// that threads share.

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/read/read_view.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/options.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "test/support/numbered_key.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define COUNTS_ALLOCATIONS 1
#endif

namespace {

thread_local uint64_t allocations = 0;

}  // namespace

#ifdef COUNTS_ALLOCATIONS
// Everything that allocates in this program comes by here.
extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr int kLookupKeys = 3000;

class LookupCost : public ::testing::Test {
 protected:
  LookupCost() : mem_(NewMemEnv(Env::Default())) {
    options_.env = mem_.get();
    options_.create_if_missing = true;
    options_.stats_dump_period_sec = 0;
    table_.filter_policy.reset(NewBloomFilterPolicy(10));
  }
  ~LookupCost() override { db_.reset(); }

  void Fill() {
    options_.table_factory.reset(NewBlockBasedTableFactory(table_));
    ASSERT_TRUE(DB::Open(options_, "/db", &db_).ok());
    for (int i = 0; i < kLookupKeys; ++i) {
      ASSERT_TRUE(db_->Put(WriteOptions(), test::NumberedKey(2 * i),
                           std::string(200, 'v'))
                      .ok());
    }
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    ASSERT_TRUE(db_->CompactRange({}, nullptr, nullptr).ok());
  }

  // Of a lookup of every key and of the gaps between them, once all of it has
  // been read.
  uint64_t Allocations() {
    std::vector<std::string> keys;
    for (int i = 0; i < 2 * kLookupKeys; ++i)
      keys.push_back(test::NumberedKey(i));
    const ReadOptions read;
    ColumnFamilyHandle* const family = db_->DefaultColumnFamily();
    uint64_t before = 0;
    int wrong = 0;
    for (int round = 0; round < 2; ++round) {
      before = allocations;
      for (int i = 0; i < 2 * kLookupKeys; ++i) {
        PinnableSlice value;
        const Status status =
            db_->Get(read, family, keys[static_cast<size_t>(i)], &value);
        if (i % 2 == 0 ? !status.ok() || !value.IsPinned()
                       : !status.IsNotFound()) {
          ++wrong;
        }
      }
    }
    const uint64_t count = allocations - before;
    EXPECT_EQ(wrong, 0);
    return count;
  }

  const std::unique_ptr<Env> mem_;
  Options options_;
  BlockBasedTableOptions table_;
  std::unique_ptr<DB> db_;
};

#ifdef COUNTS_ALLOCATIONS

TEST_F(LookupCost, TheCountCounts) {
  const uint64_t before = allocations;
  const std::unique_ptr<std::string> text(new std::string(100, 'x'));
  EXPECT_EQ(allocations - before, 2u);
}

TEST_F(LookupCost, NoAllocationInTheCache) {
  Fill();
  EXPECT_EQ(Allocations(), 0u);
}

TEST_F(LookupCost, NoAllocationWithStatistics) {
  options_.statistics = CreateDBStatistics();
  Fill();
  EXPECT_EQ(Allocations(), 0u);
}

TEST_F(LookupCost, NoAllocationWithPartitionsInTheCache) {
  table_.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  table_.partition_filters = true;
  table_.metadata_block_size = 512;
  table_.cache_index_and_filter_blocks = true;
  Fill();
  EXPECT_EQ(Allocations(), 0u);
}

TEST_F(LookupCost, NoAllocationInTheClockCacheAndWithFewOpenFiles) {
  table_.block_cache = HyperClockCacheOptions(8 << 20, 4096).MakeSharedCache();
  options_.max_open_files = 20;
  Fill();
  EXPECT_EQ(Allocations(), 0u);
}

#endif

TEST(ReadViewCost, ALookupDoesNotCountItsView) {
  ViewPublisher publisher;
  auto* const view = new ReadView;
  { const ViewRef none = publisher.Publish(view); }
  { const ScopedView first(publisher); }  // The thread's own reference.
  const uint64_t references = view->references();
  EXPECT_EQ(references, 2u);
  for (int i = 0; i < 10; ++i) {
    const ScopedView held(publisher);
    EXPECT_EQ(&*held, view);
    EXPECT_EQ(view->references(), references);
  }
  auto* const next = new ReadView;
  next->number = 1;
  { const ViewRef old = publisher.Publish(next); }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
