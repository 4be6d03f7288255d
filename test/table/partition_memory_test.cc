// Memory of partitioned indexes and filters: what a file may make a reader
// hold, and what a builder is charged for.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "table/block/block.h"
#include "test/table/table_fixture.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// Sound checksums, but every entry of the top level names the same large part
// of the file.
TEST(PartitionMemory, PinnedPartitionsCannotFillMoreThanTheFile) {
  TableBuildOptions o = Partitioned(512);
  o.table.format_version = 2;  // Handles in full.
  o.table.partition_filters = false;
  std::string bytes = BuildTable(o, OneVersionEach(3000));
  const BlockHandle top = FooterOf(bytes).index;
  ASSERT_GT(top.offset, 16383u);  // The size that is put in.
  const Block::Ptr block =
      Block::Copy(Slice(bytes.data() + top.offset, top.size));
  ASSERT_TRUE(block->Parse());
  uint64_t named = 0;
  for (size_t at = 0; at < block->entries_end();) {
    char* const entry = bytes.data() + top.offset + at;
    const size_t key_size = static_cast<uint8_t>(entry[1]);
    ASSERT_EQ(5, entry[2]);  // An offset of three bytes, a size of two.
    std::memcpy(entry + 3 + key_size, "\x80\x80\x00\xff\x7f", 5);
    at += 3 + key_size + 5;
    named += 16383;
  }
  ASSERT_GT(named, bytes.size());
  Reseal(&bytes, top);
  TableReadOptions open = OpenOptions();
  open.table = o.table;
  open.table.metadata_cache_options.partition_pinning = PinningTier::kAll;
  const auto table = OpenTable(open, bytes);
  ASSERT_TRUE(table.status().IsCorruption()) << table.status().ToString();
  EXPECT_NE(std::string::npos,
            table.status().ToString().find("partitions that fit the file"))
      << table.status().ToString();
}

// Partitions that wait for the end of the file are memory, too.
TEST(PartitionMemory, FinishedFilterPartitionsAreCharged) {
  using Decision = CacheEntryRoleOptions::Decision;
  for (const Decision decision : {Decision::kDisabled, Decision::kEnabled}) {
    TableBuildOptions o = Partitioned(4096);
    o.table.block_cache = NewLRUCache(64 << 20, 0);
    o.table.filter_policy.reset(NewBloomFilterPolicy(100));
    o.table.cache_usage_options
        .options_overrides[CacheEntryRole::kFilterConstruction] = {decision};
    std::string bytes;
    WritableFileWriter writer(std::make_unique<StringWriteFile>(&bytes),
                              "memory.sst", FileOptions());
    TableBuilder builder(o, &writer);
    for (const auto& [key, value] : OneVersionEach(60000)) {
      builder.Add(key, value);
    }
    // 750,000 bytes of filters; the open one needs 256 KiB at most.
    EXPECT_EQ(decision == Decision::kEnabled,
              o.table.block_cache->GetPinnedUsage() > 700000u);
    ASSERT_TRUE(builder.Finish().ok());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
