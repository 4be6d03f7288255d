// Entities as bytes: what is written, and that whatever else is read is
// refused or read without leaving the bytes.

#include "table/entity.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/wide_columns.h"
#include "table/blob/blob_format.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

std::string Encoded(const WideColumns& columns) {
  std::string bytes;
  EXPECT_TRUE(EncodeUnsortedEntity(columns, &bytes).ok());
  return bytes;
}

TEST(Entity, IsWrittenAsRocksDbWritesIt) {
  EXPECT_EQ(std::string("\1\0", 2), Encoded({}));
  EXPECT_EQ(std::string("\1\3\0\2\1a\1\2bc\0"
                        "dva",
                        14),
            Encoded({{"bc", ""}, {"a", "a"}, {"", "dv"}}));
}

TEST(Entity, ReadsBackSorted) {
  const WideColumns columns = {{"", "default"}, {"a", "1"}, {"b", ""}};
  const std::string bytes = Encoded({columns[2], columns[0], columns[1]});
  WideColumns read;
  ASSERT_TRUE(DecodeEntity(bytes, &read).ok());
  EXPECT_EQ(columns, read);
  Slice value;
  ASSERT_TRUE(DefaultColumnOf(bytes, &value).ok());
  EXPECT_EQ("default", value);
}

TEST(Entity, WithoutDefaultColumnReadsAsEmptyValue) {
  Slice value("unchanged");
  ASSERT_TRUE(DefaultColumnOf(Encoded({{"a", "1"}}), &value).ok());
  EXPECT_EQ("", value);
  value = "unchanged";
  ASSERT_TRUE(DefaultColumnOf(Encoded({}), &value).ok());
  EXPECT_EQ("", value);
}

TEST(Entity, RefusesTwoColumnsOfOneName) {
  std::string bytes;
  EXPECT_TRUE(EncodeUnsortedEntity({{"a", "1"}, {"b", ""}, {"a", "2"}}, &bytes)
                  .IsCorruption());
}

TEST(Entity, GetsANewDefaultColumnAndKeepsTheOthers) {
  std::string result;
  ASSERT_TRUE(ReplaceDefaultColumn(Encoded({{"a", "1"}}), "x", &result).ok());
  EXPECT_EQ(Encoded({{"", "x"}, {"a", "1"}}), result);
  std::string again;
  ASSERT_TRUE(ReplaceDefaultColumn(result, "yy", &again).ok());
  EXPECT_EQ(Encoded({{"", "yy"}, {"a", "1"}}), again);
}

// Version 2: two columns, the second of which is elsewhere.
const std::string kIndex("\1\x9\x20\3\0", 5);  // File, offset, size.
const std::string kWithBlob = std::string(
                                  "\2\2"    // Version, number of columns,
                                  "\2\2\1"  // bytes of name sizes, value
                                            // sizes and names,
                                  "\1\x11"  // types: a value, a blob index,
                                  "\0\1"    // sizes of the names,
                                  "\2\5"    // sizes of the values,
                                  "b"       // names,
                                  "dv",     // and values.
                                  14) +
                              kIndex;

Status ReadColumn(const Slice& blob_index, Slice* value) {
  static std::string read;
  BlobIndex index;
  const Status status = index.DecodeFrom(blob_index);
  read = "what is in " + index.DebugString();
  *value = read;
  return status;
}

// Columns "a", "b"... that are all elsewhere.
std::string EntityOf(const std::vector<BlobIndex>& blobs) {
  std::string types, name_sizes, value_sizes, names, values;
  for (const BlobIndex& blob : blobs) {
    std::string index;
    blob.EncodeTo(&index);
    types.push_back(static_cast<char>(ValueType::kBlobIndex));
    name_sizes.push_back(1);
    value_sizes.push_back(static_cast<char>(index.size()));
    names.push_back(static_cast<char>('a' + names.size()));
    values += index;
  }
  std::string entity;
  for (const size_t n : {size_t{2}, blobs.size(), name_sizes.size(),
                         value_sizes.size(), names.size()}) {
    PutVarint32(&entity, static_cast<uint32_t>(n));
  }
  return entity + types + name_sizes + value_sizes + names + values;
}

TEST(Entity, Version2HasColumnsElsewhere) {
  EXPECT_TRUE(MayHaveBlobColumns(kWithBlob));
  std::string visited;
  ASSERT_TRUE(ForEachBlobColumn(kWithBlob, [&](const Slice& blob_index) {
                visited += blob_index.ToString();
                return Status::OK();
              }).ok());
  EXPECT_EQ(kIndex, visited);
  std::string inlined;
  ASSERT_TRUE(InlineBlobColumns(kWithBlob, ReadColumn, &inlined).ok());
  EXPECT_EQ(
      Encoded({{"", "dv"}, {"b", "what is in blob file 9 offset 32 size 3"}}),
      inlined);
  WideColumns columns;
  EXPECT_TRUE(DecodeEntity(kWithBlob, &columns).IsNotSupported());
  Slice value;
  bool elsewhere = true;
  ASSERT_TRUE(DefaultColumnOf(kWithBlob, &value, &elsewhere).ok());
  EXPECT_EQ("dv", value);
  EXPECT_FALSE(elsewhere);
}

TEST(Entity, Version2MayHaveItsDefaultColumnElsewhere) {
  const std::string entity("\2\1\1\1\0\x11\0\3IDX", 11);
  Slice value;
  bool elsewhere = false;
  ASSERT_TRUE(DefaultColumnOf(entity, &value, &elsewhere).ok());
  EXPECT_EQ("IDX", value);
  EXPECT_TRUE(elsewhere);
  EXPECT_TRUE(DefaultColumnOf(entity, &value).IsNotSupported());
}

TEST(Entity, Version2WithAllColumnsInItIsLikeAnyOther) {
  const std::string entity("\2\2\2\2\1\1\1\0\1\2\3bdvIDX", 17);
  WideColumns columns;
  ASSERT_TRUE(DecodeEntity(entity, &columns).ok());
  EXPECT_EQ((WideColumns{{"", "dv"}, {"b", "IDX"}}), columns);
}

TEST(Entity, PassesOnWhyAColumnCannotBeRead) {
  std::string inlined;
  const Status status = InlineBlobColumns(
      kWithBlob, [](const Slice&, Slice*) { return Status::IOError("gone"); },
      &inlined);
  EXPECT_TRUE(status.IsIOError()) << status.ToString();
}

TEST(Entity, ColumnsThatShareABlobAreCorruptionAndReadNothing) {
  const BlobIndex first{9, 100, 50, kNoCompression};
  const std::vector<BlobIndex> shared = {{9, 100, 50, kNoCompression},
                                         {9, 149, 1, kNoCompression},
                                         {9, 51, 50, kNoCompression},
                                         {9, 0, UINT64_MAX, kNoCompression}};
  for (const BlobIndex& second : shared) {
    int reads = 0;
    std::string inlined;
    const Status status = InlineBlobColumns(
        EntityOf({first, second}),
        [&](const Slice&, Slice*) {
          ++reads;
          return Status::OK();
        },
        &inlined);
    EXPECT_TRUE(status.IsCorruption()) << second.DebugString();
    EXPECT_NE(std::string::npos, status.ToString().find(second.DebugString()))
        << status.ToString();
    EXPECT_EQ(0, reads);
  }
  const std::vector<BlobIndex> apart = {{9, 150, 1, kNoCompression},
                                        {9, 50, 50, kNoCompression},
                                        {8, 100, 50, kNoCompression}};
  for (const BlobIndex& second : apart) {
    std::string inlined;
    EXPECT_TRUE(
        InlineBlobColumns(EntityOf({first, second}), ReadColumn, &inlined).ok())
        << second.DebugString();
  }
}

TEST(Entity, ColumnsThatAreTooLargeTogetherAreRefused) {
  const std::string entity = EntityOf({{9, 100, 50, kNoCompression},
                                       {9, 200, 50, kNoCompression},
                                       {9, 300, 50, kNoCompression}});
  int reads = 0;
  const std::string column(50, 'v');
  const auto read = [&](const Slice&, Slice* value) {
    ++reads;
    *value = column;
    return Status::OK();
  };
  std::string inlined;
  EXPECT_TRUE(InlineBlobColumns(entity, read, &inlined, 150).ok());
  EXPECT_EQ(3, reads);
  reads = 0;
  const Status status = InlineBlobColumns(entity, read, &inlined, 99);
  EXPECT_TRUE(status.IsNotSupported()) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("found 100"))
      << status.ToString();
  EXPECT_EQ(2, reads);
}

TEST(Entity, ALaterVersionIsCorruption) {
  WideColumns columns;
  EXPECT_TRUE(DecodeEntity(Slice("\3\0", 2), &columns).IsCorruption());
}

TEST(Entity, DamagedVersion2IsRefusedOrStaysWithinItsBytes) {
  const auto total_of = [](const std::string& bytes) {
    size_t total = 0;
    std::string inlined;
    const Status status = InlineBlobColumns(
        bytes,
        [&](const Slice& blob_index, Slice* value) {
          total += blob_index.size();
          *value = blob_index;
          return Status::OK();
        },
        &inlined);
    // Its blob index may have become one with an expiration time.
    EXPECT_TRUE(status.ok() || status.IsCorruption() || status.IsNotSupported())
        << status.ToString();
    return status.ok() ? inlined.size() + total : 0;
  };
  for (size_t size = 0; size < kWithBlob.size(); ++size) {
    const std::string cut = kWithBlob.substr(0, size);
    EXPECT_EQ(0u, total_of(cut)) << size;
    Slice value;
    bool elsewhere = false;
    (void)DefaultColumnOf(cut, &value, &elsewhere);
  }
  for (size_t i = 1; i < kWithBlob.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = kWithBlob;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      EXPECT_LE(total_of(bad), 2 * bad.size());
    }
  }
}

// Cut anywhere it is no entity; with any byte changed it is another one or
// none, but never more than its bytes.
TEST(Entity, DamagedBytesAreRefusedOrStayWithinThem) {
  const std::string good =
      Encoded({{"", "default"}, {"name", std::string(200, 'v')}, {"z", ""}});
  WideColumns columns;
  for (size_t size = 0; size < good.size(); ++size) {
    const std::string cut = good.substr(0, size);
    EXPECT_FALSE(DecodeEntity(cut, &columns).ok()) << size;
    EXPECT_TRUE(columns.empty());
  }
  EXPECT_FALSE(DecodeEntity(good + "x", &columns).ok());
  for (size_t i = 0; i < good.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      Slice value;
      (void)DefaultColumnOf(bad, &value);
      if (!DecodeEntity(bad, &columns).ok()) continue;
      size_t total = 0;
      for (const WideColumn& column : columns) total += column.value().size();
      EXPECT_LE(total, bad.size());
    }
  }
}

TEST(Entity, WithAHostileNumberOfColumnsTakesNoMemory) {
  WideColumns columns;
  EXPECT_TRUE(DecodeEntity(Slice("\1\xff\xff\xff\xff\x0f", 6), &columns)
                  .IsCorruption());
  EXPECT_EQ(0u, columns.capacity());
}

TEST(Entity, TimedPutsLoseTheirSuffix) {
  Slice value;
  ASSERT_TRUE(StripPreferredSequence("value12345678", &value).ok());
  EXPECT_EQ("value", value);
  EXPECT_TRUE(StripPreferredSequence("1234567", &value).IsCorruption());
}

TEST(PinnableWideColumns, KeepTheirColumnsWhenMoved) {
  for (const size_t size : {size_t{1}, size_t{1000}}) {
    const std::string a(size, 'a');
    PinnableWideColumns from;
    ASSERT_TRUE(from.SetWideColumnValue(Encoded({{"", a}, {"b", "2"}})).ok());
    PinnableWideColumns to(std::move(from));
    from.SetPlainValue(
        Slice("something else that is quite long, to take the place"));
    EXPECT_EQ((WideColumns{{"", a}, {"b", "2"}}), to.columns());
    to = std::move(from);
    EXPECT_EQ(1u, to.columns().size());
    EXPECT_EQ("something else that is quite long, to take the place",
              to.columns()[0].value());
    to.Reset();
    EXPECT_TRUE(to.columns().empty());
    EXPECT_EQ(0u, to.serialized_size());
  }
}

TEST(PinnableWideColumns, WithoutAnEntityThereAreNone) {
  PinnableWideColumns columns;
  columns.SetPlainValue(Slice("x"));
  EXPECT_TRUE(columns.SetWideColumnValue(Slice("garbage")).IsCorruption());
  EXPECT_TRUE(columns.columns().empty());
}

TEST(WideColumn, PrintsNameAndValue) {
  std::ostringstream out;
  out << WideColumn("n", "v") << ' ' << std::hex << WideColumn("n", "v");
  EXPECT_EQ("n:v 6E:76", out.str());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
