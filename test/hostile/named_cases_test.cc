// Hostile input that is known from issues of RocksDB and its kin: sizes,
// offsets, counts and restart arrays that no writer would write. Checksums
// are right or off, so the decoders alone stand between them and memory.

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>

#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "table/block/block_builder.h"
#include "table/block/block_iter.h"
#include "table/block/block_writer.h"
#include "table/format/meta_block.h"
#include "table/format/meta_names.h"
#include "table/format/properties.h"
#include "test/hostile/allocations.h"
#include "test/table/table_fixture.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using Bb = BlockBasedTableOptions;
using test::AllocationWatch;

// What reading may take beside the file itself.
constexpr size_t kFixedBytes = 1 << 20;

// Walks a block in every way there is; true when nothing was found wrong.
// The sanitizers see what is read outside it.
bool Walk(const std::string& bytes) {
  const Block::Ptr block = Block::Copy(bytes);
  if (!block->Parse()) return false;
  BlockIter it;
  it.Init(block.get(), BytewiseInternal());
  size_t steps = 0;
  for (it.SeekToFirst(); it.Valid(); it.Next()) ++steps;
  EXPECT_LE(steps, bytes.size());
  for (it.SeekToLast(); it.Valid(); it.Prev()) ++steps;
  EXPECT_LE(steps, 2 * bytes.size());
  for (const char* key : {"", "a", "key000007", "zzz"}) {
    it.Seek(IKey(key, 5));
    it.SeekForGet(IKey(key, 5));
    if (it.Valid()) it.Prev();
  }
  return !it.corrupt();
}

std::string SomeBlock(const BlockBuilder::Options& options) {
  BlockBuilder builder(options);
  for (const auto& [key, value] : SomeEntries(20)) builder.Add(key, value);
  return builder.Finish().ToString();
}

// RocksDB issue 14993: the buckets of a data block's hash index name restart
// intervals; their bounds must hold in every build, not only by assertion.
TEST(HostileBlock, Issue14993HashBucketsThatNameNoRestartInterval) {
  const std::string good =
      SomeBlock({.restart_interval = 2, .hash_ratio = 0.75});
  const Block::Ptr block = Block::Copy(good);
  ASSERT_TRUE(block->Parse());
  const uint32_t buckets = block->bucket_count();
  ASSERT_GT(buckets, 0u);
  const size_t at = good.size() - 6 - buckets;
  // Every bucket to every value: only 254 and 255 mean something else.
  for (unsigned value = 0; value < 256; ++value) {
    std::string bad = good;
    for (size_t i = 0; i < buckets; ++i) {
      bad[at + i] = static_cast<char>(value);
    }
    (void)Walk(bad);
    const Block::Ptr hostile = Block::Copy(bad);
    ASSERT_TRUE(hostile->Parse());
    BlockIter it;
    it.Init(hostile.get(), BytewiseInternal());
    it.SeekForGet(IKey("key000070", kSequenceMax));
    if (value >= hostile->restart_count() && value < 254) {
      EXPECT_TRUE(it.corrupt()) << value;
    }
  }
  // A count of buckets that reaches before the block.
  for (const unsigned count : {0u, 0x7fffu, 0xffffu}) {
    std::string bad = good;
    bad[good.size() - 6] = static_cast<char>(count & 0xff);
    bad[good.size() - 5] = static_cast<char>(count >> 8);
    EXPECT_FALSE(Walk(bad)) << count;
  }
}

// RocksDB issue 15209: 2^30 restarts of four bytes are 2^32 bytes, which a
// 32-bit product takes for none.
TEST(HostileBlock, Issue15209RestartCountsWhoseBytesOverflow) {
  const std::string good = SomeBlock({.restart_interval = 2});
  for (const uint32_t flags : {0u, 0x10000000u, 0x80000000u, 0x90000000u}) {
    for (const uint32_t count :
         {0u, 0x0fffffffu, 0x08000000u, 0x04000000u, 0x40000000u, 0x3fffffffu,
          0x40000001u, 0x20000000u}) {
      std::string bad = good.substr(0, good.size() - 4);
      PutFixed32(&bad, count | flags);
      EXPECT_FALSE(Walk(bad)) << std::hex << (count | flags);
    }
  }
}

TEST(HostileBlock, RestartOffsetsOutsideTheEntriesAreCorruption) {
  const std::string good = SomeBlock({.restart_interval = 2});
  const uint32_t count = DecodeFixed32(good.data() + good.size() - 4);
  const size_t first = good.size() - 4 - 4 * size_t{count};
  for (uint32_t i = 0; i < count; ++i) {
    for (const uint32_t offset :
         {static_cast<uint32_t>(first), static_cast<uint32_t>(first) - 1,
          0x7fffffffu, 0xffffffffu, 0xfffffff0u}) {
      std::string bad = good;
      EncodeFixed32(bad.data() + first + 4 * size_t{i}, offset);
      (void)Walk(bad);
      const Block::Ptr block = Block::Copy(bad);
      ASSERT_TRUE(block->Parse());
      BlockIter it;
      it.Init(block.get(), BytewiseInternal());
      if (i + 1 == count) {
        it.SeekToLast();
        EXPECT_FALSE(it.Valid()) << offset;
        EXPECT_TRUE(it.corrupt()) << offset;
      }
    }
  }
}

// leveldb issues 1310 and 1314: lengths whose sum wraps around.
TEST(HostileBlock, EntryLengthsThatWrapAroundAreCorruption) {
  for (const uint32_t length : {0x7fffffffu, 0xffffffffu, 0xfffffff5u}) {
    for (int field = 0; field < 3; ++field) {
      std::string bytes;
      for (int i = 0; i < 3; ++i) PutVarint32(&bytes, i == field ? length : 9);
      bytes += IKey("k", 1) + "123456789";
      PutFixed32(&bytes, 0);
      PutFixed32(&bytes, 1);
      EXPECT_FALSE(Walk(bytes)) << field << " " << length;
    }
  }
}

// One restart interval of `count` entries, all with the same prefix, which is
// stored once. Each key ends with its number, big-endian.
std::string SharingBlock(size_t prefix_size, uint64_t count) {
  const std::string prefix(prefix_size, 'p');
  std::string bytes;
  for (uint64_t i = 0; i < count; ++i) {
    PutVarint32(&bytes, i == 0 ? 0 : static_cast<uint32_t>(prefix_size));
    PutVarint32(&bytes, static_cast<uint32_t>((i == 0 ? prefix_size : 0) + 8));
    PutVarint32(&bytes, 0);
    if (i == 0) bytes += prefix;
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes.push_back(static_cast<char>(i >> shift));
    }
  }
  PutFixed32(&bytes, 0);
  PutFixed32(&bytes, 1);
  return bytes;
}

// What Prev() may keep of an interval, and as much again for growing to it.
constexpr size_t kPrevBytes = size_t{2} << 26;

// A few megabytes that hold 200 GB of keys: Prev() must not copy them all.
TEST(HostileBlock, PrevKeepsLittleOfKeysThatShareALongPrefix) {
  constexpr size_t kPrefix = 1 << 20;
  constexpr uint64_t kCount = 200000;
  const Block::Ptr block = Block::Copy(SharingBlock(kPrefix, kCount));
  ASSERT_TRUE(block->Parse());
  BlockIter it;
  it.Init(block.get(), BytewiseInternal());
  const AllocationWatch watch;
  it.SeekToLast();
  for (uint64_t i = kCount; i-- > kCount - 3; it.Prev()) {
    ASSERT_TRUE(it.Valid());
    ASSERT_EQ(kPrefix + 8, it.key().size());
  }
  EXPECT_FALSE(it.corrupt());
  EXPECT_LE(watch.LargestBytes(), kPrevBytes + 4 * kPrefix);
}

// Such a block need not be damaged: all its entries are found, also when one
// turns round on the way.
TEST(HostileBlock, PrevFindsAllOfAnIntervalThatItCannotKeep) {
  constexpr size_t kPrefix = 1 << 20;
  constexpr uint64_t kCount = 200;
  const Block::Ptr block = Block::Copy(SharingBlock(kPrefix, kCount));
  ASSERT_TRUE(block->Parse());
  BlockIter it;
  it.Init(block.get(), BytewiseInternal());
  const AllocationWatch watch;
  const std::string prefix(kPrefix, 'p');
  it.SeekToLast();
  for (uint64_t i = kCount; i-- > 0; it.Prev()) {
    ASSERT_TRUE(it.Valid()) << i;
    ASSERT_TRUE(it.key().starts_with(prefix)) << i;
    ASSERT_EQ(i, static_cast<uint8_t>(it.key()[it.key().size() - 1]));
    if (i % 50 != 20) continue;
    it.Next();
    ASSERT_TRUE(it.Valid()) << i;
    ASSERT_TRUE(it.key().starts_with(prefix)) << i;
    ASSERT_EQ(i + 1, static_cast<uint8_t>(it.key()[it.key().size() - 1]));
    it.Prev();
    ASSERT_TRUE(it.Valid()) << i;
  }
  EXPECT_FALSE(it.Valid());
  EXPECT_FALSE(it.corrupt());
  EXPECT_LE(watch.LargestBytes(), kPrevBytes + 4 * kPrefix);
}

// The names of properties and meta blocks, and keys of range deletions, are
// copied: a megabyte of them could claim as many gigabytes.
TEST(HostileBlock, MetaEntriesThatShareTooManyBytesAreCorruption) {
  constexpr size_t kPrefix = 1 << 20;
  const auto names = [](uint64_t count, uint64_t* bytes) {
    *bytes = 0;
    return ForEachMetaEntry(SharingBlock(kPrefix, count),
                            [bytes](const Slice& name, const Slice&) {
                              *bytes += name.size();
                              return true;
                            });
  };
  uint64_t bytes = 0;
  EXPECT_TRUE(names(kMetaSharedBytesMax / kPrefix + 1, &bytes));
  EXPECT_GT(bytes, kMetaSharedBytesMax);
  EXPECT_FALSE(names(kMetaSharedBytesMax / kPrefix + 2, &bytes));
  EXPECT_LE(bytes, kMetaSharedBytesMax + 2 * kPrefix);
}

TEST(HostileTable, PropertiesWhoseNamesShareTooManyBytesAreCorruption) {
  // Nothing but the shared bytes: one name over and over.
  constexpr uint32_t kPrefix = 1 << 20;
  std::string bytes;
  PutVarint32(&bytes, 0);
  PutVarint32(&bytes, kPrefix);
  PutVarint32(&bytes, 0);
  bytes += std::string(kPrefix, 'p');
  for (uint64_t i = 0; i <= kMetaSharedBytesMax / kPrefix; ++i) {
    PutVarint32(&bytes, kPrefix);
    PutVarint32(&bytes, 0);
    PutVarint32(&bytes, 0);
  }
  PutFixed32(&bytes, 0);
  PutFixed32(&bytes, 1);
  TableProperties properties;
  size_t at = 0;
  const Status status = DecodeProperties(bytes, &properties, &at);
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
}

std::string HashIndexed(TableBuildOptions* options, const Entries& entries) {
  *options = BuildOptions();
  options->table.index_type = Bb::kHashSearch;
  options->table.block_size = 128;
  options->table.checksum = kNoChecksum;
  options->table.enable_index_compression = false;
  options->prefix_extractor.reset(NewFixedPrefixTransform(7));
  return BuildTable(*options, entries);
}

BlockHandle MetaBlock(const std::string& bytes, const std::string& name) {
  const Footer footer = FooterOf(bytes);
  const std::string meta =
      bytes.substr(footer.metaindex.offset, footer.metaindex.size);
  BlockHandle handle;
  const size_t at = meta.find(name);
  if (at == std::string::npos) return handle;
  Slice rest(meta.data() + at + name.size(), meta.size() - at - name.size());
  EXPECT_TRUE(GetBlockHandle(&rest, &handle));
  return handle;
}

// RocksDB issue 15208: prefixes that claim so many blocks that their 32-bit
// sum wraps, for which too small an array is made.
TEST(HostileTable, Issue15208PrefixesThatClaimTooManyBlocks) {
  TableBuildOptions options;
  const Entries entries = SomeEntries(60);
  const std::string good = HashIndexed(&options, entries);
  const BlockHandle at = MetaBlock(good, "rocksdb.hashindex.metadata");
  ASSERT_GT(at.size, 10u);
  TableReadOptions open = OpenOptions();
  open.prefix_extractor = options.prefix_extractor;
  for (const char byte : {'\x00', '\x7f', '\xff'}) {
    std::string bad = good;
    for (uint64_t i = 0; i < at.size; ++i) bad[at.offset + i] = byte;
    const AllocationWatch watch;
    const auto table = OpenTable(open, bad);
    ASSERT_TRUE(table.ok()) << table.status().ToString();
    ExpectReadsBack(**table, entries);  // The binary search is what counts.
    EXPECT_LE(watch.LargestBytes(), bad.size() + kFixedBytes);
  }
}

// RocksDB issue 15213: a cuckoo table's reader trusts its properties. Such
// tables are recognised by their magic number, and nothing more is believed.
TEST(HostileTable, Issue15213CuckooTablesAreRefusedUnread) {
  for (const size_t size : {size_t{53}, size_t{4096}}) {
    std::string bytes(size - 8, '\xff');
    PutFixed64(&bytes, kCuckooTableMagic);
    const AllocationWatch watch;
    const auto table = OpenTable(OpenOptions(), bytes);
    ASSERT_FALSE(table.ok());
    EXPECT_TRUE(table.status().IsNotSupported()) << table.status().ToString();
    EXPECT_LE(watch.LargestBytes(), kFixedBytes);
  }
}

// leveldb issue 1318: a handle that asks for gigabytes.
TEST(HostileTable, FooterHandlesBeyondTheFileAllocateNothing) {
  const std::string good = BuildTable(BuildOptions(), SomeEntries(20));
  const size_t footer = good.size() - kFooterSize;
  for (const uint64_t offset :
       {uint64_t{0}, uint64_t{good.size()}, UINT64_MAX, UINT64_MAX - 5}) {
    for (const uint64_t size : {uint64_t{1} << 31, (uint64_t{1} << 32) - 5,
                                UINT64_MAX, UINT64_MAX - 4}) {
      std::string handles;
      PutBlockHandle(&handles, {offset, size});
      PutBlockHandle(&handles, {offset, size});
      ASSERT_LE(handles.size(), 40u);
      std::string bad = good;
      bad.replace(footer + 1, handles.size(), handles);
      const AllocationWatch watch;
      const auto table = OpenTable(OpenOptions(), bad);
      ASSERT_FALSE(table.ok());
      EXPECT_TRUE(table.status().IsCorruption()) << table.status().ToString();
      EXPECT_LE(watch.LargestBytes(), bad.size() + kFixedBytes);
    }
  }
}

// Properties are shown, not believed: counts and sizes allocate nothing.
TEST(HostileTable, PropertiesWithAbsurdCountsDoNoHarm) {
  TableBuildOptions options = BuildOptions();
  options.table.checksum = kNoChecksum;
  options.table.index_type = Bb::kTwoLevelIndexSearch;
  options.table.partition_filters = true;
  options.table.metadata_block_size = 64;
  options.table.block_size = 128;
  options.table.filter_policy.reset(NewBloomFilterPolicy(10));
  options.compression = kNoCompression;
  const Entries entries = SomeEntries(60);
  const std::string good = BuildTable(options, entries);
  const BlockHandle at = MetaBlock(good, "rocksdb.properties");
  ASSERT_GT(at.size, 100u);
  TableReadOptions open = OpenOptions();
  open.table.filter_policy = options.table.filter_policy;
  for (uint64_t i = 0; i < at.size; ++i) {
    for (const char byte : {'\x7f', '\xff'}) {
      std::string bad = good;
      bad[at.offset + i] = byte;
      const AllocationWatch watch;
      const auto table = OpenTable(open, bad);
      if (table.ok()) {
        Entries found;
        (void)Scan(**table, &found);
        (void)GetValue(**table, "key000070", kSequenceMax);
        std::vector<TableReader::Anchor> anchors;
        (void)(*table)->ApproximateKeyAnchors(4, &anchors);
      }
      ASSERT_LE(watch.LargestBytes(), bad.size() + kFixedBytes) << i;
    }
  }
}

// The other way round: what no reader would take is not written. The memory
// is promised, not there, so that it shows if a byte is touched.
TEST(HostileTable, ABlockTooLargeToReadIsNotWritten) {
  const size_t size = kBlockSizeMax + 1;
  void* const memory =
      ::mmap(nullptr, size, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(MAP_FAILED, memory);
  std::string bytes;
  WritableFileWriter file(std::make_unique<StringWriteFile>(&bytes),
                          "memory.sst", FileOptions());
  BlockWriter writer(BlockWriter::Options(), &file);
  writer.WriteRaw(Slice(static_cast<const char*>(memory), size));
  EXPECT_TRUE(writer.status().IsInvalidArgument());
  EXPECT_NE(std::string::npos,
            writer.status().ToString().find(std::to_string(kBlockSizeMax)));
  EXPECT_EQ(0u, bytes.size());
  ::munmap(memory, size);
}

// A payload says how much it holds. No stream can hold more than its codec
// allows per byte, so a larger claim is refused before memory is taken.
TEST(HostileCompression, ClaimsNoStreamCanMeetAllocateNothing) {
  for (const CompressionType type :
       {kSnappyCompression, kZlibCompression, kLZ4Compression,
        kLZ4HCCompression, kZSTD}) {
    if (!CompressionTypeSupported(type)) continue;
    UncompressRequest request;
    request.type = type;
    std::string payload;
    PutVarint32(&payload, 0x7ffffff0u);
    payload += std::string(100, '\x01');
    const AllocationWatch watch;
    const auto block = Uncompress(request, payload);
    ASSERT_FALSE(block.ok());
    EXPECT_TRUE(block.status().IsCorruption()) << block.status().ToString();
    EXPECT_LE(watch.LargestBytes(), kFixedBytes);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
