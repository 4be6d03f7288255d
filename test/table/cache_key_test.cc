// Blocks of different files must never meet under one key of the cache.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/cache.h"
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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
