// Damaged tables: every byte flipped, every length cut. The answer is a
// Status or the right entries, never a crash and never wrong entries.

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "test/hostile/allocations.h"
#include "test/support/effort.h"
#include "test/table/table_fixture.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using test::kSingleThreadStride;

// What reading may take: the cache and what is fixed, and what Snappy can make
// of the file (without checksums it may be asked to).
constexpr size_t kFixedTableBytes = 2 << 20;
constexpr size_t kExpansion = 22;

struct Outcome {
  Status status;
  Entries entries;
};

// Reads all it can in every way; the first error counts.
Outcome ReadAll(const std::string& bytes, bool verify_checksums) {
  TableReadOptions options = OpenOptions();
  options.table.filter_policy.reset(NewBloomFilterPolicy(10));
  options.table.block_cache = NewLRUCache(1 << 20, 0);
  Outcome outcome;
  const test::AllocationWatch watch;
  const auto table = OpenTable(options, bytes);
  if (!table.ok()) {
    outcome.status = table.status();
    return outcome;
  }
  ReadOptions read;
  read.verify_checksums = verify_checksums;
  const std::unique_ptr<InternalIterator> it(
      (*table)->NewIterator(read, TableReadPurpose::kUser));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    outcome.entries.emplace_back(it->key().ToString(), it->value().ToString());
  }
  outcome.status = it->status();
  for (it->SeekToLast(); it->Valid(); it->Prev()) {
  }
  it->Seek(IKey("key000100", 5));
  const LookupKey key("key000070", kSequenceMax);
  PinnableSlice value;
  GetContext context("key000070", kSequenceMax, &value);
  const Status got = (*table)->Get(read, key.internal_key(), &context);
  if (outcome.status.ok()) outcome.status = got;
  if (outcome.status.ok() && verify_checksums) {
    outcome.status = (*table)->VerifyChecksums(read);
  }
  std::vector<TableReader::Anchor> anchors;
  (void)(*table)->ApproximateKeyAnchors(4, &anchors);
  EXPECT_LE(watch.LargestBytes(), kExpansion * bytes.size() + kFixedTableBytes);
  return outcome;
}

struct Sample {
  std::string name;
  std::string bytes;
  Entries entries;
};

std::vector<Sample> Samples() {
  std::vector<Sample> samples;
  const Entries entries = SomeEntries(25);
  for (const uint32_t version : {2u, 5u, 7u}) {
    TableBuildOptions options = BuildOptions();
    options.table.format_version = version;
    options.table.block_size = 256;
    options.table.block_restart_interval = 4;
    options.table.filter_policy.reset(NewBloomFilterPolicy(10));
    options.compression = version == 2 ? kNoCompression : kSnappyCompression;
    if (version == 5) {
      options.table.data_block_index_type =
          BlockBasedTableOptions::kDataBlockBinaryAndHash;
    }
    samples.push_back({"version " + std::to_string(version),
                       BuildTable(options, entries), entries});
  }
  TableBuildOptions separated = BuildOptions();
  separated.table.format_version = 6;
  separated.table.block_size = 256;
  separated.table.separate_key_value_in_data_block = true;
  separated.table.index_type =
      BlockBasedTableOptions::kBinarySearchWithFirstKey;
  samples.push_back({"separated", BuildTable(separated, entries), entries});
  TableBuildOptions options = BuildOptions();
  options.table.block_size = 256;
  options.compression = kZSTD;
  options.compression_opts.max_dict_bytes = 256;
  options.table.filter_policy.reset(NewRibbonFilterPolicy(10));
  samples.push_back({"dictionary", BuildTable(options, entries), entries});
  for (const auto type : {BlockBasedTableOptions::kTwoLevelIndexSearch,
                          BlockBasedTableOptions::kHashSearch,
                          BlockBasedTableOptions::kBinarySearchWithFirstKey}) {
    TableBuildOptions o = BuildOptions();
    o.table.index_type = type;
    o.table.partition_filters = true;
    o.table.metadata_block_size = 64;
    o.table.block_size = 256;
    o.table.filter_policy.reset(NewBloomFilterPolicy(10));
    o.prefix_extractor.reset(NewFixedPrefixTransform(7));
    samples.push_back({"index type " + std::to_string(type),
                       BuildTable(o, entries), entries});
  }
  return samples;
}

TEST(Corruption, EveryFlippedByteIsFoundOrHarmless) {
  for (const Sample& sample : Samples()) {
    ASSERT_TRUE(ReadAll(sample.bytes, true).status.ok());
    for (size_t i = 0; i < sample.bytes.size(); i += kSingleThreadStride) {
      SCOPED_TRACE(sample.name + ", byte " + std::to_string(i));
      std::string bytes = sample.bytes;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
      const Outcome outcome = ReadAll(bytes, true);
      if (outcome.status.ok()) {
        // Only padding of the footer is under no checksum.
        EXPECT_GE(i, bytes.size() - 53);
        EXPECT_EQ(sample.entries, outcome.entries);
      } else {
        EXPECT_NE(std::string::npos,
                  outcome.status.ToString().find("memory.sst"))
            << outcome.status.ToString();
      }
    }
  }
}

TEST(Corruption, EveryTruncationIsReported) {
  for (const Sample& sample : Samples()) {
    for (size_t size = 0; size < sample.bytes.size(); ++size) {
      const Outcome outcome = ReadAll(sample.bytes.substr(0, size), true);
      ASSERT_FALSE(outcome.status.ok()) << size;
    }
  }
}

TEST(Corruption, AShorterFileThanRecordedIsReported) {
  const Sample sample = Samples()[0];
  const auto table = TableReader::Open(
      OpenOptions(),
      std::make_unique<RandomAccessFileReader>(
          std::make_unique<StringReadFile>(sample.bytes), "memory.sst"),
      sample.bytes.size() + 100);
  ASSERT_FALSE(table.ok());
  EXPECT_TRUE(table.status().IsCorruption());
}

// Without checksums damaged bytes reach every decoder. Entries may then be
// wrong; nothing may crash, loop or read outside its block.
TEST(Corruption, WithoutChecksumsNothingCrashes) {
  const Entries entries = SomeEntries(25);
  Random64 random(17);
  for (const int shape : {0, 1, 2}) {
    TableBuildOptions options = BuildOptions();
    options.table.checksum = kNoChecksum;
    options.table.block_size = 256;
    options.table.block_restart_interval = 3;
    options.table.filter_policy.reset(NewBloomFilterPolicy(10));
    if (shape == 2) {
      options.table.separate_key_value_in_data_block = true;
      options.table.index_type =
          BlockBasedTableOptions::kBinarySearchWithFirstKey;
      options.table.filter_policy.reset(NewRibbonFilterPolicy(10));
    }
    if (shape > 0) {
      options.table.data_block_index_type =
          BlockBasedTableOptions::kDataBlockBinaryAndHash;
    }
    const std::string original = BuildTable(options, entries);
    for (size_t i = 0; i < original.size(); i += kSingleThreadStride) {
      for (const unsigned value : {0x00u, 0x7fu, 0x80u, 0xffu}) {
        std::string bytes = original;
        bytes[i] = static_cast<char>(value);
        (void)ReadAll(bytes, false);
      }
    }
    for (int round = 0; round < 2000; round += kSingleThreadStride) {
      std::string bytes = original;
      for (int n = 0; n < 8; ++n) {
        bytes[random.Uniform(bytes.size())] =
            static_cast<char>(random.Uniform(256));
      }
      (void)ReadAll(bytes, false);
    }
  }
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine
