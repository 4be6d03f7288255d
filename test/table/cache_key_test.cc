// Blocks of different files must never meet under one key of the cache.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/statistics.h"
#include "test/table/table_fixture.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// Of one session: the files' ids differ only in the number, and offsets of
// blocks look like file numbers.
TEST(CacheKey, BlocksOfAFileAreNotTakenForThoseOfAnother) {
  constexpr uint64_t kFirst = 3;
  TableReadOptions open = OpenOptions();
  open.table.block_cache = NewLRUCache(8 << 20);
  open.table.no_block_cache = false;

  TableBuildOptions build = BuildOptions();
  build.file_number = kFirst;
  build.table.block_size = 512;  // Many blocks in few bytes.
  const Entries entries = SomeEntries(80);
  const std::string first = BuildTable(build, entries);
  const auto first_table = OpenTable(open, first);
  ASSERT_TRUE(first_table.ok());
  Entries read;
  ASSERT_TRUE(Scan(**first_table, &read).ok());
  ASSERT_EQ(entries, read);

  // Whatever the offset of a block of the first file, some number here
  // differs from the first one's by exactly that.
  Entries others = {{IKey("only", 1), "one"}};
  for (uint64_t number = kFirst + 1; number < first.size(); ++number) {
    build.file_number = number;
    const auto table = OpenTable(open, BuildTable(build, others));
    ASSERT_TRUE(table.ok());
    read.clear();
    ASSERT_TRUE(Scan(**table, &read).ok());
    ASSERT_EQ(others, read) << "file " << number;
  }
}

// A hostile index with a sound checksum says that the data block lies where
// the index does, and that is in the cache already, as an index.
TEST(CacheKey, AHandleToABlockOfAnotherKindGetsNoObjectOfThatKind) {
  TableBuildOptions build = BuildOptions();
  build.table.format_version = 2;  // Handles in full, internal keys.
  std::string bytes = BuildTable(build, {{IKey("key", 1), "a value"}});
  const BlockHandle at = FooterOf(bytes).index;
  // One entry: three sizes, 11 bytes of key, offset and size of the block.
  constexpr size_t kHandleAt = 3 + 11;
  ASSERT_LT(at.offset, 128u);
  ASSERT_EQ(0, bytes[at.offset + kHandleAt]);
  ASSERT_EQ(at.offset - kBlockTrailerSize,
            static_cast<uint64_t>(bytes[at.offset + kHandleAt + 1]));
  bytes[at.offset + kHandleAt] = static_cast<char>(at.offset);
  bytes[at.offset + kHandleAt + 1] = static_cast<char>(at.size);
  Reseal(&bytes, at);

  const auto statistics = CreateDBStatistics();
  TableReadOptions open = OpenOptions();
  open.statistics = statistics.get();
  open.table.block_cache = NewLRUCache(8 << 20);
  open.table.cache_index_and_filter_blocks = true;
  const auto table = OpenTable(open, bytes);
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  Entries found;
  (void)Scan(**table, &found);  // Whatever it says, it read a block.
  EXPECT_EQ(0u, statistics->getTickerCount(BLOCK_CACHE_DATA_HIT));
  EXPECT_EQ(1u, statistics->getTickerCount(BLOCK_CACHE_DATA_ADD));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
