// Readers of one block: data, indexes, filters, meta blocks, the footer, and
// compressed payloads.

#include "rocksdb/filter_policy.h"
#include "table/block/block_builder.h"
#include "table/block/block_iter.h"
#include "table/filter/filter_bits.h"
#include "table/format/meta_block.h"
#include "table/format/properties.h"
#include "table/index/flat_index.h"
#include "table/index/index_entries.h"
#include "test/hostile/allocations.h"
#include "test/stress/hostile/target.h"
#include "test/table/table_fixture.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::hostile {

namespace {

using namespace engine;  // NOLINT

// Walks an iterator that never leaves its block in every way.
void Walk(BlockIter* it, size_t bytes) {
  const size_t steps_max = 2 * bytes + 16;
  size_t steps = 0;
  const auto step = [&] {
    Require(++steps <= steps_max, "more entries than bytes");
    (void)it->key();
    if (!it->value().empty()) {
      volatile char last = it->value()[it->value().size() - 1];
      (void)last;
    }
  };
  for (it->SeekToFirst(); it->Valid(); it->Next()) step();
  steps = 0;
  for (it->SeekToLast(); it->Valid(); it->Prev()) step();
  for (const char* key : {"", "a", "key000007", "key000070", "zzz"}) {
    it->Seek(IKey(key, 5));
    if (it->Valid()) it->Prev();
    it->SeekForGet(IKey(key, 5));
    if (it->Valid()) it->Next();
  }
}

void RunBlock(const std::string& input) {
  Slice rest = input;
  const bool samples = TakeByte(&rest) % 2 == 1;
  const Block::Ptr block = Block::Copy(rest);
  if (!block->Parse()) return;
  if (samples) block->TakeSamples();
  BlockIter it;
  it.Init(block.get(), BytewiseInternal());
  Walk(&it, rest.size());
}

std::vector<std::string> BlockSeeds() {
  std::vector<std::string> seeds;
  for (const BlockBuilder::Options& options :
       {BlockBuilder::Options{.restart_interval = 1},
        BlockBuilder::Options{.restart_interval = 4},
        BlockBuilder::Options{.use_delta_encoding = false},
        BlockBuilder::Options{.restart_interval = 2, .hash_ratio = 0.75},
        BlockBuilder::Options{.restart_interval = 3, .separate_values = true},
        BlockBuilder::Options{.restart_interval = 2,
                              .hash_ratio = 0.5,
                              .separate_values = true}}) {
    BlockBuilder builder(options);
    for (const auto& [key, value] : SomeEntries(12, 8)) {
      builder.Add(key, value);
    }
    seeds.push_back(std::string(1, '\0') + builder.Finish().ToString());
    seeds.push_back("\1" + seeds.back().substr(1));
  }
  return seeds;
}

void RunIndex(const std::string& input) {
  Slice rest = input;
  const uint8_t how = TakeByte(&rest);
  IndexEncoding encoding;
  encoding.key_is_user_key = (how & 1) != 0;
  encoding.value_is_delta = (how & 2) != 0;
  encoding.has_first_key = (how & 4) != 0;
  const uint64_t file_bytes = uint64_t{1} << 20;
  const Block::Ptr block = Block::Copy(rest);
  const auto index =
      FlatIndex::Parse(block.get(), encoding, *BytewiseInternal(), file_bytes);
  if (index == nullptr) return;
  for (size_t i = 0; i < index->size(); ++i) {
    Require(index->handle(i).Fits(file_bytes), "a handle behind the file");
    (void)index->separator_user_key(i);
    if (index->has_first_keys()) (void)index->first_user_key(i);
  }
  std::vector<std::string> targets;
  for (const char* key : {"", "key000007", "key000070", "zzz"}) {
    targets.push_back(IKey(key, 5));
  }
  std::vector<Slice> slices(targets.begin(), targets.end());
  std::vector<size_t> found(slices.size());
  index->FindMany(*BytewiseInternal(), slices.data(), slices.size(),
                  found.data());
  for (size_t i = 0; i < slices.size(); ++i) {
    Require(found[i] == index->Find(*BytewiseInternal(), slices[i]),
            "two searches of an index differ");
  }
  std::string again;
  index->AppendBlockTo(&again);
  IndexEncoding plain = encoding;
  plain.value_is_delta = false;
  const Block::Ptr copy = Block::Copy(again);
  const auto same =
      FlatIndex::Parse(copy.get(), plain, *BytewiseInternal(), file_bytes);
  Require(same != nullptr && same->size() == index->size(),
          "an index is not what it was");
  for (size_t i = 0; i < index->size(); ++i) {
    Require(same->handle(i) == index->handle(i) &&
                same->separator(i) == index->separator(i) &&
                (!index->has_first_keys() ||
                 same->first_key(i) == index->first_key(i)),
            "an entry of an index is not what it was");
  }
}

std::vector<std::string> IndexSeeds() {
  std::vector<std::string> seeds;
  for (int how = 0; how < 8; ++how) {
    IndexEntries entries;
    uint64_t offset = 0;
    for (const auto& [key, value] : SomeEntries(12, 8)) {
      if (!entries.empty() && how % 2 == 1 &&
          ExtractUserKey(entries.separator(entries.size() - 1)) ==
              ExtractUserKey(key)) {
        continue;
      }
      entries.Add(key, key, {offset, 300 + value.size()});
      offset += 305 + value.size();
    }
    IndexForm form;
    form.restart_interval = how % 3 + 1;
    form.user_keys = (how & 1) != 0;
    form.delta_values = (how & 2) != 0;
    form.first_keys = (how & 4) != 0;
    seeds.push_back(std::string(1, static_cast<char>(how)) +
                    entries.Encode(0, entries.size(), form));
  }
  return seeds;
}

void RunMeta(const std::string& input) {
  Slice rest = input;
  const uint8_t how = TakeByte(&rest);
  if (how % 3 == 0) {
    TableProperties properties;
    size_t at = 0;
    if (DecodeProperties(rest, &properties, &at).ok()) {
      (void)properties.ToString();
      (void)EncodeProperties(properties);
    }
  } else if (how % 3 == 1) {
    (void)ForEachMetaEntry(rest, [](const Slice& name, const Slice& value) {
      Slice handle_bytes = value;
      BlockHandle handle;
      (void)GetBlockHandle(&handle_bytes, &handle);
      return name.size() < SIZE_MAX;
    });
  } else {
    // The caller reads as much as a footer can have, or the whole file.
    const uint64_t more = rest.size() < kFooterSize ? 0 : (how / 3) * 100;
    const uint64_t file_size = rest.size() + more;
    const Slice tail(
        rest.data() + rest.size() - std::min(rest.size(), kFooterSize),
        std::min(rest.size(), kFooterSize));
    const auto footer = DecodeFooter(tail, file_size, "memory.sst");
    if (footer.ok()) {
      Require(footer->metaindex.Fits(file_size), "a handle behind the file");
    }
  }
}

std::vector<std::string> MetaSeeds() {
  std::vector<std::string> seeds;
  TableProperties properties;
  properties.num_entries = 17;
  properties.data_size = 1000;
  properties.comparator_name = "leveldb.BytewiseComparator";
  properties.user_collected_properties["rocksdb.merge.operands"] = "\1";
  seeds.push_back(std::string(1, '\0') + EncodeProperties(properties));
  for (const uint32_t version : {2u, 5u, 6u, 7u}) {
    TableBuildOptions options = BuildOptions();
    options.table.format_version = version;
    const std::string table = BuildTable(options, SomeEntries(4, 8));
    const Footer footer = FooterOf(table);
    seeds.push_back(
        "\1" + table.substr(footer.metaindex.offset, footer.metaindex.size));
    seeds.push_back("\5" + table.substr(table.size() - kFooterSize));
  }
  return seeds;
}

void RunFilter(const std::string& input) {
  const FilterBits filter{Slice(input)};
  for (int i = 0; i < 16; ++i) {
    const std::string key = "key" + std::to_string(i * 7919);
    const uint64_t hash = filter.HashOf(key);
    filter.Prefetch(hash);
    Require(filter.HashMayMatch(hash) == filter.MayMatch(key),
            "two answers of a filter differ");
  }
}

std::vector<std::string> FilterSeeds() {
  std::vector<std::string> seeds;
  for (const FilterKind kind :
       {FilterKind::kLegacyBloom, FilterKind::kFastLocalBloom,
        FilterKind::kRibbon}) {
    for (const int keys : {1, 40, 700}) {
      FilterBitsBuilder builder(kind, 10000);
      for (int i = 0; i < keys; ++i) {
        builder.AddKey("key" + std::to_string(i * 7919));
      }
      seeds.push_back(builder.Finish());
    }
  }
  return seeds;
}

// ---- Compressed payloads.

constexpr size_t kInflatedMax = size_t{4} << 20;
constexpr size_t kCodecBytes = size_t{1} << 20;  // Of its own.

// docs/limits.md: how much of a byte a method can make.
size_t ExpansionOf(CompressionType type) {
  switch (type) {
    case kSnappyCompression:
      return 22;
    case kLZ4Compression:
    case kLZ4HCCompression:
      return 256;
    case kZlibCompression:
      return 1032;
    case kBZip2Compression:
      return 2000000;
    default:
      return 32768;
  }
}

const std::string& DictionaryText() {
  static const auto* const text =
      new std::string("key000000 key000007 value of a dictionary, repeated ");
  return *text;
}

void RunCompression(const std::string& input) {
  Slice rest = input;
  const uint8_t how = TakeByte(&rest);
  const uint8_t with = TakeByte(&rest);
  UncompressRequest request;
  request.type = static_cast<CompressionType>(how);
  request.format = 1 + (with & 1);
  request.size_max = kInflatedMax;
  UncompressionDict dict;
  if ((with & 2) != 0) {
    dict = UncompressionDict(request.type, DictionaryText());
    request.dict = &dict;
  }
  (void)ReadUncompressedSize(request, rest);
  const test::AllocationWatch watch;
  const auto block = Uncompress(request, rest);
  Require(watch.LargestBytes() <=
              ExpansionOf(request.type) * rest.size() + kCodecBytes,
          "takes more memory than the method can fill");
  if (block.ok()) Require(block->size <= kInflatedMax, "inflates too much");
}

std::vector<std::string> CompressionSeeds() {
  std::vector<std::string> seeds;
  std::string text;
  for (int i = 0; i < 30; ++i) text += "key" + std::to_string(i % 9) + " value";
  for (const CompressionType type : SupportedCompressionTypes()) {
    if (type == kNoCompression) continue;
    for (int with = 0; with < 4; ++with) {
      CompressionOptions options;
      const CompressionDict dict(type, options, DictionaryText());
      CompressRequest request;
      request.type = type;
      request.options = &options;
      request.format = static_cast<uint32_t>(1 + (with & 1));
      if ((with & 2) != 0) request.dict = &dict;
      std::string out;
      if (!Compress(request, text, &out).ok()) continue;
      seeds.push_back({static_cast<char>(type), static_cast<char>(with)});
      seeds.back() += out;
    }
  }
  return seeds;
}

}  // namespace

void AddBlockTargets(std::vector<Target>* targets) {
  targets->push_back(
      {.name = "block", .weight = 160, .run = RunBlock, .seeds = BlockSeeds});
  targets->push_back(
      {.name = "index", .weight = 120, .run = RunIndex, .seeds = IndexSeeds});
  targets->push_back(
      {.name = "meta", .weight = 120, .run = RunMeta, .seeds = MetaSeeds});
  targets->push_back(
      {.name = "filter", .weight = 80, .run = RunFilter, .seeds = FilterSeeds});
  targets->push_back({.name = "compression",
                      .weight = 80,
                      .memory_base = size_t{8} << 20,
                      .run = RunCompression,
                      .seeds = CompressionSeeds});
}

}  // namespace ROCKSDB_NAMESPACE::hostile
