// Whole tables: opened, scanned both ways, sought, asked for keys, verified.

#include "rocksdb/cache.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "table/block/read_block.h"
#include "table/format/meta_block.h"
#include "table/format/meta_names.h"
#include "table/index/flat_index.h"
#include "table/range_del/tombstone_set.h"
#include "test/stress/hostile/mutator.h"
#include "test/stress/hostile/target.h"
#include "test/table/table_fixture.h"

namespace ROCKSDB_NAMESPACE::hostile {

namespace {

using namespace engine;  // NOLINT

using Bb = BlockBasedTableOptions;

// bzip2's (docs/limits.md), whose number a damaged byte may become.
constexpr size_t kTableExpansionMax = 2000000;

// Everything a program can ask of a table whose bytes are damaged. A scan ends
// after so many entries: a block may be named by its index many times.
void ReadAll(const TableReader& table, size_t bytes) {
  const size_t steps_max = 4 * bytes + 1000;
  ReadOptions read;
  read.fill_cache = false;
  for (const TableReadPurpose purpose :
       {TableReadPurpose::kUser, TableReadPurpose::kCompaction}) {
    const std::unique_ptr<InternalIterator> it(
        table.NewIterator(read, purpose));
    size_t steps = 0;
    for (it->SeekToFirst(); it->Valid() && ++steps < steps_max; it->Next()) {
      Require(it->key().size() >= kTrailerSize, "a key without a trailer");
    }
    (void)it->status();
    if (purpose != TableReadPurpose::kUser) break;
    steps = 0;
    for (it->SeekToLast(); it->Valid() && ++steps < steps_max; it->Prev()) {
    }
    for (const char* key : {"", "key000070", "zzz"}) {
      it->Seek(IKey(key, 5));
      if (it->Valid()) it->Prev();
      it->SeekForPrev(IKey(key, 5));
      if (it->Valid()) it->Next();
    }
  }
  for (const char* key : {"key000000", "key000070", "key000169", "nothing"}) {
    (void)GetValue(table, key, kSequenceMax);
    (void)table.ApproximateOffsetOf(IKey(key, 7));
    (void)table.KeyCannotMatch(key);
  }
  (void)table.VerifyChecksums(read);
  std::vector<TableReader::Anchor> anchors;
  (void)table.ApproximateKeyAnchors(4, &anchors);
  std::vector<std::pair<std::string, std::string>> ranges;
  (void)table.ReadRangeDeletions(&ranges);
  if (table.tombstones() != nullptr) {
    (void)table.tombstones()->NewestOver("key000070", kSequenceMax);
  }
}

void RunTable(const std::string& input) {
  TableReadOptions options = OpenOptions();
  options.table.filter_policy.reset(NewBloomFilterPolicy(10));
  options.table.no_block_cache = true;
  options.prefix_extractor.reset(NewFixedPrefixTransform(7));
  (void)TableReader::ReadProperties(
      std::make_unique<RandomAccessFileReader>(
          std::make_unique<StringReadFile>(input), "memory.sst"),
      input.size());
  const auto table = OpenTable(options, input);
  if (table.ok()) ReadAll(**table, input.size());
}

// ---- Good tables.

TableBuildOptions Small(uint32_t format_version) {
  TableBuildOptions options = BuildOptions();
  options.compression = kNoCompression;
  options.table.format_version = format_version;
  options.table.block_size = 200;
  options.table.block_restart_interval = 3;
  options.table.metadata_block_size = 64;
  options.table.enable_index_compression = false;
  options.table.filter_policy.reset(NewBloomFilterPolicy(10));
  return options;
}

std::vector<TableBuildOptions> OwnKinds() {
  std::vector<TableBuildOptions> kinds;
  for (const uint32_t version : {2u, 4u, 5u, 6u, 7u}) {
    kinds.push_back(Small(version));
  }
  for (const Bb::IndexType type : {Bb::kTwoLevelIndexSearch, Bb::kHashSearch,
                                   Bb::kBinarySearchWithFirstKey}) {
    for (const uint32_t version : {5u, 7u}) {
      kinds.push_back(Small(version));
      TableBuildOptions& options = kinds.back();
      options.table.index_type = type;
      options.table.partition_filters = type == Bb::kTwoLevelIndexSearch;
      options.prefix_extractor.reset(NewFixedPrefixTransform(7));
    }
  }
  kinds.push_back(Small(6));
  kinds.back().table.separate_key_value_in_data_block = true;
  kinds.push_back(Small(5));
  kinds.back().table.data_block_index_type = Bb::kDataBlockBinaryAndHash;
  kinds.back().table.filter_policy.reset(NewRibbonFilterPolicy(10));
  for (const CompressionType type :
       {kSnappyCompression, kZlibCompression, kLZ4Compression, kZSTD}) {
    if (!CompressionTypeSupported(type)) continue;
    kinds.push_back(Small(7));
    kinds.back().compression = type;
    kinds.back().compression_opts.max_dict_bytes = type == kZSTD ? 256 : 0;
  }
  return kinds;
}

std::string WithRangeDeletions(const TableBuildOptions& options,
                               const Entries& entries) {
  std::string bytes;
  WritableFileWriter writer(std::make_unique<StringWriteFile>(&bytes),
                            "memory.sst", FileOptions());
  TableBuilder builder(options, &writer);
  for (const auto& [key, value] : entries) builder.Add(key, value);
  builder.Add(IKey("key000007", 90, ValueType::kRangeDeletion), "key000050");
  builder.Add(IKey("key000030", 80, ValueType::kRangeDeletion), "key000090");
  (void)builder.Finish();
  (void)writer.Close();
  return bytes;
}

std::vector<std::string> OwnTables(bool with_checksums) {
  std::vector<std::string> seeds;
  const Entries entries = SomeEntries(14, 8);
  for (TableBuildOptions options : OwnKinds()) {
    options.table.checksum = with_checksums ? kXXH3 : kNoChecksum;
    seeds.push_back(BuildTable(options, entries));
  }
  for (const uint32_t version : {5u, 7u}) {
    TableBuildOptions options = Small(version);
    options.table.checksum = with_checksums ? kCRC32c : kNoChecksum;
    seeds.push_back(WithRangeDeletions(options, entries));
  }
  return seeds;
}

std::vector<std::string> CheckedSeeds() {
  std::vector<std::string> seeds = OwnTables(true);
  for (std::string& table : GoldenSeeds(".sst", 40, 6000)) {
    seeds.push_back(std::move(table));
  }
  return seeds;
}
std::vector<std::string> UncheckedSeeds() { return OwnTables(false); }

// ---- What is where in a table.

std::unique_ptr<FlatIndex> IndexAt(const std::string& table,
                                   const BlockHandle& at) {
  for (const int how : {0, 3, 1, 2, 4, 5, 6, 7}) {
    IndexEncoding encoding;
    encoding.key_is_user_key = (how & 1) != 0;
    encoding.value_is_delta = (how & 2) != 0;
    encoding.has_first_key = (how & 4) != 0;
    const Block::Ptr block =
        Block::Copy(Slice(table.data() + at.offset, at.size));
    auto index = FlatIndex::Parse(block.get(), encoding, *BytewiseInternal(),
                                  table.size());
    if (index != nullptr && index->size() > 0) return index;
  }
  return nullptr;
}

std::vector<BlockHandle> BlocksOf(const std::string& table,
                                  const Footer& footer) {
  std::vector<BlockHandle> blocks;
  BlockHandle index_at = footer.index;
  if (!footer.metaindex.Fits(table.size())) return blocks;
  blocks.push_back(footer.metaindex);
  const Slice meta(table.data() + footer.metaindex.offset,
                   footer.metaindex.size);
  (void)ForEachMetaEntry(meta, [&](const Slice& name, Slice value) {
    BlockHandle handle;
    if (!GetBlockHandle(&value, &handle) || !handle.Fits(table.size())) {
      return true;
    }
    if (name == kIndexBlock) index_at = handle;
    blocks.push_back(handle);
    return true;
  });
  if (index_at.IsNull() || !index_at.Fits(table.size())) return blocks;
  blocks.push_back(index_at);
  const auto index = IndexAt(table, index_at);
  for (size_t i = 0; index != nullptr && i < index->size(); ++i) {
    blocks.push_back(index->handle(i));
  }
  return blocks;
}

// Changes the payload of one block where it is, its compression type, or the
// footer; then its checksum is right.
void MutateTable(Random64* random, std::string* table) {
  if (table->size() < kFooterSize) return MutateBytes(random, table);
  const size_t footer_at = table->size() - kFooterSize;
  const auto footer = DecodeFooter(Slice(*table).ToString().substr(footer_at),
                                   table->size(), "memory.sst");
  if (!footer.ok()) return MutateBytes(random, table);
  if (random->OneIn(16)) {
    Footer other = *footer;
    BlockHandle& handle = random->OneIn(2) ? other.metaindex : other.index;
    const std::vector<BlockHandle> blocks = BlocksOf(*table, *footer);
    if (blocks.empty()) return;
    handle = blocks[random->Uniform(blocks.size())];
    table->replace(footer_at, kFooterSize, EncodeFooter(other, footer_at));
    return;
  }
  const std::vector<BlockHandle> blocks = BlocksOf(*table, *footer);
  if (blocks.empty()) return MutateBytes(random, table);
  // Half of them meta blocks and indexes, which come first.
  const size_t count =
      random->OneIn(2) ? std::min<size_t>(8, blocks.size()) : blocks.size();
  const BlockHandle at = blocks[random->Uniform(count)];
  if (!at.Fits(table->size())) return;
  std::string payload = table->substr(at.offset, at.size);
  do {
    MutateBytes(random, &payload);
  } while (random->OneIn(3));
  payload.resize(at.size);
  table->replace(at.offset, at.size, payload);
  char* const p = table->data() + at.offset;
  if (random->OneIn(16)) p[at.size] = static_cast<char>(random->Uniform(9));
  EncodeBlockTrailer(footer->checksum_type, footer->base_context_checksum,
                     at.offset, Slice(p, at.size), p[at.size], p + at.size);
}

}  // namespace

void AddTableTargets(std::vector<Target>* targets) {
  targets->push_back({.name = "table",
                      .weight = 120,
                      .memory_base = size_t{4} << 20,
                      .memory_per_byte = kTableExpansionMax,
                      .run = RunTable,
                      .seeds = CheckedSeeds,
                      .mutate = MutateTable});
  targets->push_back({.name = "table_unchecked",
                      .weight = 120,
                      .memory_base = size_t{4} << 20,
                      .memory_per_byte = kTableExpansionMax,
                      .run = RunTable,
                      .seeds = UncheckedSeeds,
                      .mutate = MutateTable});
}

}  // namespace ROCKSDB_NAMESPACE::hostile
