// Tables in memory: what the tests of this folder build and open.
//
// Model. A file is a std::string. BuildTable() turns entries into the bytes of
// a table file, OpenTable() opens such bytes, Scan() reads them back.

#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/file_reader.h"
#include "env/file_writer.h"
#include "gtest/gtest.h"
#include "rocksdb/comparator.h"
#include "rocksdb/file_system.h"
#include "rocksdb/filter_policy.h"
#include "table/format/block_trailer.h"
#include "table/format/footer.h"
#include "table/internal_key.h"
#include "table/table_builder.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE::engine {

using Entries = std::vector<std::pair<std::string, std::string>>;

class StringReadFile final : public FSRandomAccessFile {
 public:
  explicit StringReadFile(std::string bytes) : bytes_(std::move(bytes)) {}
  IOStatus Read(uint64_t offset, size_t n, const IOOptions&, Slice* result,
                char* scratch, IODebugContext*) const override {
    if (offset >= bytes_.size()) {
      *result = Slice();
      return IOStatus::OK();
    }
    n = std::min<size_t>(n, bytes_.size() - offset);
    std::memcpy(scratch, bytes_.data() + offset, n);
    *result = Slice(scratch, n);
    return IOStatus::OK();
  }

 private:
  const std::string bytes_;
};

class StringWriteFile final : public FSWritableFile {
 public:
  explicit StringWriteFile(std::string* bytes) : bytes_(bytes) {}
  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions&,
                  IODebugContext*) override {
    bytes_->append(data.data(), data.size());
    return IOStatus::OK();
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();
  }

 private:
  std::string* const bytes_;
};

inline std::string Hex(const Slice& bytes) { return bytes.ToString(true); }

inline const InternalKeyComparator* BytewiseInternal() {
  static const InternalKeyComparator kComparator(BytewiseComparator());
  return &kComparator;
}

inline std::string IKey(const std::string& user_key, SequenceNumber sequence,
                        ValueType type = ValueType::kValue) {
  std::string key;
  AppendInternalKey(&key, user_key, sequence, type);
  return key;
}

// `count` keys "key000000".., three versions of every tenth.
inline Entries SomeEntries(size_t count, size_t value_size = 40) {
  Entries entries;
  for (size_t i = 0; i < count; ++i) {
    char name[32];
    std::snprintf(name, sizeof(name), "key%06zu", i * 7);
    const int versions = i % 10 == 0 ? 3 : 1;
    for (int v = versions; v > 0; --v) {
      std::string value(i * 31 % (2 * value_size), static_cast<char>('a' + v));
      value += std::to_string(i * 2654435761u);
      entries.emplace_back(IKey(name, 100 + static_cast<uint64_t>(v)),
                           std::move(value));
    }
  }
  return entries;
}

// The same keys, one version of each.
inline Entries OneVersionEach(size_t count) {
  Entries entries;
  for (size_t i = 0; i < count; ++i) {
    char name[32];
    std::snprintf(name, sizeof(name), "key%06zu", i * 7);
    entries.emplace_back(IKey(name, 100), "value" + std::to_string(i));
  }
  return entries;
}

inline TableBuildOptions BuildOptions() {
  TableBuildOptions options;
  options.icmp = BytewiseInternal();
  options.db_id = "an-identity";
  options.db_session_id = "0123456789ABCDEFGHIJ";
  options.file_number = 17;
  options.creation_time_secs = 1000;
  options.file_creation_time_secs = 1001;
  return options;
}

// Small partitions of the index and the filters.
inline TableBuildOptions Partitioned(uint64_t metadata_block_size = 512) {
  TableBuildOptions o = BuildOptions();
  o.table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  o.table.partition_filters = true;
  o.table.metadata_block_size = metadata_block_size;
  o.table.block_size = 256;
  o.table.filter_policy.reset(NewBloomFilterPolicy(10));
  return o;
}

// The bytes of a table file; `status` may be null.
inline std::string BuildTable(const TableBuildOptions& options,
                              const Entries& entries,
                              TableProperties* properties = nullptr) {
  std::string bytes;
  WritableFileWriter writer(std::make_unique<StringWriteFile>(&bytes),
                            "memory.sst", FileOptions());
  TableBuilder builder(options, &writer);
  for (const auto& [key, value] : entries) builder.Add(key, value);
  const Status status = builder.Finish();
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_TRUE(writer.Close().ok());
  EXPECT_EQ(builder.FileSize(), bytes.size());
  if (properties != nullptr) *properties = builder.properties();
  return bytes;
}

// Of a file of format version 1 or later.
inline Footer FooterOf(const std::string& bytes) {
  const Slice tail(bytes.data() + bytes.size() - kFooterSize, kFooterSize);
  const Result<Footer> footer = DecodeFooter(tail, bytes.size(), "memory.sst");
  EXPECT_TRUE(footer.ok());
  return footer.ok() ? *footer : Footer();
}

// Makes the checksum of the block at `at` fit what it holds now.
inline void Reseal(std::string* bytes, const BlockHandle& at) {
  const Footer footer = FooterOf(*bytes);
  char* const payload = bytes->data() + at.offset;
  EncodeBlockTrailer(footer.checksum_type, footer.base_context_checksum,
                     at.offset, Slice(payload, at.size), payload[at.size],
                     payload + at.size);
}

inline TableReadOptions OpenOptions() {
  TableReadOptions options;
  options.icmp = BytewiseInternal();
  return options;
}

inline Result<std::unique_ptr<TableReader>> OpenTable(
    const TableReadOptions& options, const std::string& bytes) {
  return TableReader::Open(
      options,
      std::make_unique<RandomAccessFileReader>(
          std::make_unique<StringReadFile>(bytes), "memory.sst"),
      bytes.size());
}

// All entries, forwards. Stops at the first error.
inline Status Scan(const TableReader& table, Entries* entries,
                   TableReadPurpose purpose = TableReadPurpose::kUser) {
  const std::unique_ptr<InternalIterator> it(
      table.NewIterator(ReadOptions(), purpose));
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    entries->emplace_back(it->key().ToString(), it->value().ToString());
  }
  return it->status();
}

// What a lookup at `sequence` finds: the value, or "-" for nothing.
inline std::string GetValue(const TableReader& table,
                            const std::string& user_key,
                            SequenceNumber sequence,
                            const ReadOptions& read = ReadOptions()) {
  const LookupKey key(user_key, sequence);
  PinnableSlice value;
  GetContext context(user_key, sequence, &value);
  const Status status = table.Get(read, key.internal_key(), &context);
  if (!status.ok()) return status.ToString();
  switch (context.state()) {
    case GetContext::State::kFound:
      return value.ToString();
    case GetContext::State::kDeleted:
      return "deleted";
    case GetContext::State::kNotFound:
      return "-";
    default:
      return "state " + std::to_string(static_cast<int>(context.state()));
  }
}

inline void ExpectSameEntries(const Entries& expected, const Entries& found) {
  ASSERT_EQ(expected.size(), found.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(Slice(expected[i].first).ToString(true),
              Slice(found[i].first).ToString(true));
    ASSERT_EQ(expected[i].second, found[i].second);
  }
}

// Every way of reading `table` gives `entries`.
inline void ExpectReadsBack(const TableReader& table, const Entries& entries) {
  Entries found;
  const Status status = Scan(table, &found);
  ASSERT_TRUE(status.ok()) << status.ToString();
  ExpectSameEntries(entries, found);

  const std::unique_ptr<InternalIterator> it(
      table.NewIterator(ReadOptions(), TableReadPurpose::kUser));
  size_t i = entries.size();
  for (it->SeekToLast(); it->Valid(); it->Prev()) {
    ASSERT_GT(i, 0u);
    ASSERT_EQ(entries[--i].first, it->key().ToString());
    ASSERT_EQ(entries[i].second, it->value().ToString());
  }
  ASSERT_EQ(0u, i);

  for (i = 0; i < entries.size(); i += 3) {
    it->Seek(entries[i].first);
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(entries[i].first, it->key().ToString());
    it->SeekForPrev(entries[i].first);
    ASSERT_TRUE(it->Valid());
    ASSERT_EQ(entries[i].first, it->key().ToString());
    const std::string user_key = ExtractUserKey(entries[i].first).ToString();
    ASSERT_EQ(entries[i].second,
              GetValue(table, user_key, ExtractSequence(entries[i].first)));
    ASSERT_EQ("-", GetValue(table, user_key + "x", kSequenceMax));
    ASSERT_EQ("-", GetValue(table, user_key, 50));
  }
  ASSERT_EQ("-", GetValue(table, "zzz", kSequenceMax));
  ASSERT_EQ("-", GetValue(table, "", kSequenceMax));
  ASSERT_TRUE(table.VerifyChecksums(ReadOptions()).ok());
}

}  // namespace ROCKSDB_NAMESPACE::engine
