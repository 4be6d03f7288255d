// Tables written by genuine RocksDB: every one is read in full.
//
// The databases are found by RIVERSTONE_GOLDEN or beside the source tree.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "table/filter/filter_block_builder.h"
#include "table/filter/filter_policy.h"
#include "table/format/footer.h"
#include "table/format/meta_block.h"
#include "table/format/meta_names.h"
#include "table/format/properties.h"
#include "table_fixture.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

namespace fs = std::filesystem;

fs::path GoldenFolder() {
  const char* const given = std::getenv("RIVERSTONE_GOLDEN");
  return given != nullptr ? fs::path(given) : fs::path("../shared/golden");
}

std::vector<fs::path> GoldenTables() {
  std::vector<fs::path> tables;
  std::error_code error;
  for (fs::recursive_directory_iterator it(GoldenFolder(), error), end;
       !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".sst") tables.push_back(it->path());
  }
  std::sort(tables.begin(), tables.end());
  return tables;
}

std::string Bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const InternalKeyComparator* OrderByName(const std::string& name) {
  static const InternalKeyComparator kOrders[] = {
      InternalKeyComparator(BytewiseComparator()),
      InternalKeyComparator(ReverseBytewiseComparator()),
      InternalKeyComparator(BytewiseComparatorWithU64Ts()),
      InternalKeyComparator(ReverseBytewiseComparatorWithU64Ts()),
  };
  for (const InternalKeyComparator& order : kOrders) {
    if (name == order.user_comparator()->Name()) return &order;
  }
  return nullptr;
}

struct OpenedGolden {
  Status status;
  std::unique_ptr<TableReader> table;
  const InternalKeyComparator* icmp = nullptr;
};

OpenedGolden OpenGolden(const std::string& bytes) {
  TableReadOptions options = OpenOptions();
  options.table.filter_policy.reset(NewBloomFilterPolicy(10));
  OpenedGolden opened;
  const auto found = TableReader::ReadProperties(
      std::make_unique<RandomAccessFileReader>(
          std::make_unique<StringReadFile>(bytes), "memory.sst"),
      bytes.size());
  opened.status = found.status();
  if (!found.ok()) return opened;
  const TableProperties& properties = **found;
  opened.icmp = options.icmp = OrderByName(properties.comparator_name);
  if (options.icmp == nullptr) {
    opened.status = Status::NotSupported(properties.comparator_name);
    return opened;
  }
  if (properties.prefix_extractor_name == "rocksdb.FixedPrefix.4") {
    options.prefix_extractor.reset(NewFixedPrefixTransform(4));
  }
  auto table = OpenTable(options, bytes);
  opened.status = table.status();
  if (table.ok()) opened.table = std::move(*table);
  return opened;
}

void ExpectCountsMatch(const TableProperties& p, const Entries& entries) {
  uint64_t key_bytes = 0;
  uint64_t value_bytes = 0;
  for (const auto& [key, value] : entries) {
    key_bytes += key.size();
    value_bytes += value.size();
  }
  EXPECT_EQ(p.num_entries - p.num_range_deletions, entries.size());
  if (p.num_range_deletions != 0) return;
  EXPECT_EQ(p.raw_key_size, key_bytes);
  // Values elsewhere in the table count as the references to them.
  if (!p.user_collected_properties.contains("rocksdb.embedded.blob.stats")) {
    EXPECT_EQ(p.raw_value_size, value_bytes);
  }
}

void ExpectBackwardMatches(const TableReader& table, const Entries& entries) {
  const std::unique_ptr<InternalIterator> it(
      table.NewIterator(ReadOptions(), TableReadPurpose::kUser));
  size_t i = entries.size();
  for (it->SeekToLast(); it->Valid(); it->Prev()) {
    ASSERT_GT(i, 0u);
    ASSERT_EQ(entries[--i].first, it->key().ToString());
    ASSERT_EQ(entries[i].second, it->value().ToString());
  }
  EXPECT_EQ(0u, i) << it->status().ToString();
}

void ExpectSeeksAndGetsMatch(const OpenedGolden& opened,
                             const Entries& entries) {
  const std::unique_ptr<InternalIterator> it(
      opened.table->NewIterator(ReadOptions(), TableReadPurpose::kUser));
  const size_t stride = entries.size() / 400 + 1;
  for (size_t i = 0; i < entries.size(); i += stride) {
    const Slice key = entries[i].first;
    it->Seek(key);
    ASSERT_TRUE(it->Valid()) << it->status().ToString();
    ASSERT_EQ(key, it->key());
    const Slice user_key = ExtractUserKey(key);
    const LookupKey lookup(user_key, ExtractSequence(key));
    PinnableSlice value;
    GetContext context(user_key, ExtractSequence(key), &value);
    const Status status =
        opened.table->Get(ReadOptions(), lookup.internal_key(), &context);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_NE(GetContext::State::kNotFound, context.state()) << i;
    ASSERT_NE(GetContext::State::kCorrupt, context.state()) << i;
    if (ExtractType(key) == ValueType::kValue) {
      ASSERT_EQ(entries[i].second, value.ToString());
    }
  }
}

bool MayBeRefused(const std::string& path, const Status& status) {
  if (!status.IsNotSupported()) return false;
  for (const char* name : {"format_legacy", "plain"}) {
    if (path.find(name) != std::string::npos) return true;
  }
  return false;
}

TEST(Golden, EveryTableIsReadInFull) {
  const std::vector<fs::path> tables = GoldenTables();
  if (tables.empty()) {
    std::cerr << "SKIPPED: no golden databases under " << GoldenFolder()
              << "; set RIVERSTONE_GOLDEN\n";
    GTEST_SKIP();
  }
  size_t read = 0;
  size_t refused = 0;
  for (const fs::path& path : tables) {
    SCOPED_TRACE(path.string());
    const OpenedGolden opened = OpenGolden(Bytes(path));
    if (MayBeRefused(path.string(), opened.status)) {
      ++refused;
      continue;
    }
    ASSERT_TRUE(opened.status.ok()) << opened.status.ToString();
    Entries entries;
    const Status status = Scan(*opened.table, &entries);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ExpectCountsMatch(*opened.table->properties(), entries);
    ExpectBackwardMatches(*opened.table, entries);
    ExpectSeeksAndGetsMatch(opened, entries);
    const Status checked = opened.table->VerifyChecksums(ReadOptions());
    EXPECT_TRUE(checked.ok()) << checked.ToString();
    ++read;
  }
  std::cerr << read << " golden tables read, " << refused << " refused\n";
  EXPECT_GT(read, 300u);
}

// The bytes of the block that the metaindex names, without its trailer.
std::string MetaBlock(const std::string& file, const std::string& name) {
  const auto footer = DecodeFooter(file, file.size(), "f");
  std::string found;
  const BlockHandle& at = footer->metaindex;
  EXPECT_TRUE(ForEachMetaEntry(
      Slice(file.data() + at.offset, at.size),
      [&](const Slice& entry, Slice value) {
        BlockHandle handle;
        if (entry == Slice(name) && GetBlockHandle(&value, &handle)) {
          found = file.substr(handle.offset, handle.size);
        }
        return true;
      }));
  return found;
}

// Builds the filter of `entries` with every number of bits that the peers'
// test databases use; true when one gives exactly `payload`.
bool FilterIsReproduced(const std::string& payload, const OpenedGolden& opened,
                        const Entries& entries) {
  const TableProperties& p = *opened.table->properties();
  const int8_t m0 = static_cast<int8_t>(payload[payload.size() - 5]);
  const FilterKind kind = m0 > 0     ? FilterKind::kLegacyBloom
                          : m0 == -2 ? FilterKind::kRibbon
                                     : FilterKind::kFastLocalBloom;
  const bool whole =
      p.user_collected_properties.at(kWholeKeyFilteringProperty) == "1";
  std::unique_ptr<const SliceTransform> prefix;
  Slice name(p.prefix_extractor_name);
  if (name.starts_with("rocksdb.FixedPrefix.")) {
    name.remove_prefix(20);
    prefix.reset(NewFixedPrefixTransform(std::stoul(name.ToString())));
  } else if (name.starts_with("rocksdb.CappedPrefix.")) {
    name.remove_prefix(21);
    prefix.reset(NewCappedPrefixTransform(std::stoul(name.ToString())));
  }
  for (const int tenths : {10,  15,  20,  30,  35,  40,  45,  50,  60,  70,
                           80,  90,  95,  99,  100, 101, 120, 125, 140, 145,
                           150, 155, 160, 200, 220, 240, 300, 500, 600, 1000}) {
    FilterBlockBuilder builder(
        std::make_unique<FilterBitsBuilder>(kind, tenths * 100), prefix.get(),
        whole);
    for (const auto& [key, value] : entries) {
      Slice user_key = ExtractUserKey(key);
      user_key.remove_suffix(opened.icmp->user_comparator()->timestamp_size());
      builder.Add(user_key);
    }
    if (builder.entry_count() != p.num_filter_entries) return false;
    if (builder.Finish() == payload) return true;
  }
  return false;
}

TEST(Golden, FiltersAreReproducedBitByBit) {
  size_t reproduced = 0;
  size_t others = 0;
  size_t ribbons = 0;
  for (const fs::path& path : GoldenTables()) {
    const std::string name = path.string();
    if (name.find("v7.8.3") == std::string::npos) continue;
    const std::string bytes = Bytes(path);
    const OpenedGolden opened = OpenGolden(bytes);
    if (!opened.status.ok()) continue;
    const std::string payload =
        MetaBlock(bytes, std::string(kFullFilterPrefix) + kBuiltinFilterName);
    if (payload.size() <= kFilterMetadataSize) continue;
    ribbons += static_cast<int8_t>(payload[payload.size() - 5]) == -2;
    Entries entries;
    ASSERT_TRUE(Scan(*opened.table, &entries).ok());
    if (FilterIsReproduced(payload, opened, entries)) {
      ++reproduced;
    } else {
      ++others;
      std::cerr << "not reproduced: " << name << "\n";
    }
  }
  std::cerr << reproduced << " filters reproduced, " << others << " not\n";
  if (reproduced + others == 0) {
    GTEST_SKIP() << "NO FILTERS FOUND in the golden tables of 7.8.3";
  }
  EXPECT_GE(reproduced, 20u);
  EXPECT_GE(ribbons, 1u);
  EXPECT_EQ(0u, others);
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine
