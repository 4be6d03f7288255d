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
#include "table/filter/filter_bits.h"
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

// The order of keys with an 8-byte timestamp at the end, newer first.
class U64TimestampOrder final : public Comparator {
 public:
  explicit U64TimestampOrder(bool reverse) : Comparator(8), reverse_(reverse) {}
  const char* Name() const override {
    return reverse_ ? "rocksdb.ReverseBytewiseComparator.u64ts"
                    : "leveldb.BytewiseComparator.u64ts";
  }
  int Compare(const Slice& a, const Slice& b) const override {
    const Slice ka(a.data(), a.size() - 8);
    const Slice kb(b.data(), b.size() - 8);
    const int order = ka.compare(kb);
    if (order != 0) return reverse_ ? -order : order;
    const uint64_t ta = DecodeFixed64(ka.data() + ka.size());
    const uint64_t tb = DecodeFixed64(kb.data() + kb.size());
    return ta > tb ? -1 : (ta < tb ? 1 : 0);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

 private:
  const bool reverse_;
};

const InternalKeyComparator* OrderByName(const std::string& name) {
  static const U64TimestampOrder kForward(false);
  static const U64TimestampOrder kReverse(true);
  static const InternalKeyComparator kOrders[] = {
      InternalKeyComparator(BytewiseComparator()),
      InternalKeyComparator(ReverseBytewiseComparator()),
      InternalKeyComparator(&kForward),
      InternalKeyComparator(&kReverse),
  };
  for (const InternalKeyComparator& order : kOrders) {
    if (name == order.user_comparator()->Name()) return &order;
  }
  return nullptr;
}

struct Opened {
  Status status;
  std::unique_ptr<TableReader> table;
  const InternalKeyComparator* icmp = nullptr;
};

Opened OpenGolden(const std::string& bytes) {
  TableReadOptions options = OpenOptions();
  options.table.filter_policy.reset(NewBloomFilterPolicy(10));
  Opened opened;
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
  EXPECT_EQ(p.raw_value_size, value_bytes);
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

void ExpectSeeksAndGetsMatch(const Opened& opened, const Entries& entries) {
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
    GetContext context(opened.icmp, user_key, ExtractSequence(key), &value);
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
  for (const char* name : {"format_legacy", "plain", "timestamps_stripped"}) {
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
    const Opened opened = OpenGolden(Bytes(path));
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

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine
