// The log framing: bytes, every kind of damage, and what it is called.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/wal/log_reader.h"
#include "db/wal/log_writer.h"
#include "env/mem/mem_file_system.h"
#include "test/db/store_fixture.h"
#include "test/support/golden.h"
#include "util/coding.h"
#include "util/compression/compression.h"
#include "util/crc32c.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine::wal {
namespace {

using Kind = Problem::Kind;

constexpr uint64_t kLogNumber = 7;
const char* const kPath = "/log";

// Bytes that differ from record to record.
std::string Payload(size_t size, uint64_t seed) {
  Random64 random(seed + 1);
  std::string s(size, '\0');
  for (char& c : s) c = static_cast<char>(random.Next32());
  return s;
}

class LogTest : public testing::Test {
 protected:
  std::string Write(const std::vector<std::string>& records,
                    bool recycle = false, bool compress = false) {
    auto file = WritableFileWriter::Create(&fs_, kPath, FileOptions());
    EXPECT_TRUE(file.ok()) << file.status().ToString();
    Writer writer(std::move(*file), kLogNumber, recycle);
    if (compress) {
      EXPECT_TRUE(writer.StartCompression().ok());
    }
    EXPECT_TRUE(writer.empty());
    for (const std::string& record : records) {
      EXPECT_TRUE(writer.AddRecord(record).ok());
    }
    EXPECT_TRUE(writer.Close().ok());
    return test::ReadFile(&fs_, kPath);
  }

  // What a reader makes of `bytes`; `*reader` stays for questions.
  std::vector<std::string> Read(const std::string& bytes,
                                uint64_t number = kLogNumber) {
    test::WriteFile(&fs_, kPath, bytes);
    auto file = SequentialFileReader::Open(&fs_, kPath, FileOptions());
    EXPECT_TRUE(file.ok());
    reader_ = std::make_unique<Reader>(std::move(*file), number);
    std::vector<std::string> records;
    damages_.clear();
    Slice record;
    for (;;) {
      const ReadResult result = reader_->ReadRecord(&record);
      if (result == ReadResult::kEnd) break;
      if (result == ReadResult::kRecord) {
        records.push_back(record.ToString());
      } else {
        damages_.push_back(reader_->problem());
        EXPECT_LT(damages_.size(), 1000u) << "the reader does not end";
        if (damages_.size() >= 1000) break;
      }
    }
    return records;
  }
  Kind EndKind() const { return reader_->problem().kind; }

  MemFileSystem fs_;
  std::unique_ptr<Reader> reader_;
  std::vector<Problem> damages_;
};

TEST_F(LogTest, OneRecordHasTheDocumentedBytes) {
  const std::string bytes = Write({"foo"});
  ASSERT_EQ(bytes.size(), 7u + 3u);
  EXPECT_EQ(DecodeFixed16(bytes.data() + 4), 3);
  EXPECT_EQ(bytes[6], 1);
  EXPECT_EQ(bytes.substr(7), "foo");
  EXPECT_EQ(DecodeFixed32(bytes.data()), crc32c::Mask(crc32c::Value("\x01"
                                                                    "foo",
                                                                    4)));
  EXPECT_EQ(Slice(bytes).ToString(true), "DD5FB37A030001666F6F");
}

TEST_F(LogTest, ARecyclableRecordCarriesTheLogNumber) {
  const std::string bytes = Write({"foo"}, /*recycle=*/true);
  ASSERT_EQ(bytes.size(), 11u + 3u);
  EXPECT_EQ(bytes[6], 5);
  EXPECT_EQ(DecodeFixed32(bytes.data() + 7), kLogNumber);
  EXPECT_EQ(Read(bytes), std::vector<std::string>{"foo"});
  EXPECT_TRUE(reader_->problem().clean());
}

TEST_F(LogTest, EverySizeAroundABlockBoundaryComesBack) {
  for (const bool recycle : {false, true}) {
    for (size_t first = kBlockSize - 40; first < kBlockSize + 40; ++first) {
      const std::vector<std::string> records = {
          Payload(first, 1), "", Payload(3 * kBlockSize, 2), "tail"};
      EXPECT_EQ(Read(Write(records, recycle)), records) << first;
      EXPECT_EQ(EndKind(), Kind::kNone);
      EXPECT_TRUE(damages_.empty());
    }
  }
}

TEST_F(LogTest, PartsAreOneRecord) {
  auto file = WritableFileWriter::Create(&fs_, kPath, FileOptions());
  ASSERT_TRUE(file.ok());
  Writer writer(std::move(*file), kLogNumber, false);
  const std::string big = Payload(2 * kBlockSize, 3);
  const Slice parts[] = {"header", "", big, "end"};
  ASSERT_TRUE(writer.AddRecord(parts).ok());
  ASSERT_TRUE(writer.Close().ok());
  const std::string bytes = test::ReadFile(&fs_, kPath);
  EXPECT_EQ(bytes, Write({"header" + big + "end"}));
  EXPECT_EQ(writer.FileSize(), bytes.size());
}

TEST_F(LogTest, OffsetsTellWhereARecordBeginsAndEnds) {
  const std::string bytes = Write({"one", Payload(kBlockSize, 1)});
  test::WriteFile(&fs_, kPath, bytes);
  auto file = SequentialFileReader::Open(&fs_, kPath, FileOptions());
  Reader reader(std::move(*file), kLogNumber);
  Slice record;
  ASSERT_EQ(reader.ReadRecord(&record), ReadResult::kRecord);
  EXPECT_EQ(reader.last_record_offset(), 0u);
  EXPECT_EQ(reader.last_record_end(), 10u);
  ASSERT_EQ(reader.ReadRecord(&record), ReadResult::kRecord);
  EXPECT_EQ(reader.last_record_offset(), 10u);
  EXPECT_EQ(reader.last_record_end(), bytes.size());
}

TEST_F(LogTest, EveryTruncationIsATornTailOrACleanEnd) {
  for (const bool recycle : {false, true}) {
    const std::vector<std::string> records = {"alpha", "", "beta",
                                              Payload(kBlockSize, 5), "z"};
    const std::string bytes = Write(records, recycle);
    for (size_t size = 0; size < bytes.size();
         size += size < 200 || size + 60 > bytes.size() ? 1 : 97) {
      const std::vector<std::string> got = Read(bytes.substr(0, size));
      ASSERT_LT(got.size(), records.size()) << size;
      for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], records[i]);
      EXPECT_TRUE(damages_.empty()) << size;
      const bool boundary = size == 0 || reader_->last_record_end() == size;
      EXPECT_EQ(EndKind(), boundary ? Kind::kNone : Kind::kTornTail) << size;
    }
  }
}

TEST_F(LogTest, EveryBitFlipIsFoundAndLosesNothingBeforeIt) {
  for (const bool recycle : {false, true}) {
    const std::vector<std::string> records = {"alpha", "", "beta", "gamma"};
    const std::string bytes = Write(records, recycle);
    size_t end = 0;
    for (size_t i = 0; i < bytes.size(); ++i) {
      const size_t header = recycle ? 11 : 7;
      size_t before = 0;  // Records that end at or before byte i.
      end = 0;
      for (const std::string& r : records) {
        end += header + r.size();
        if (end <= i) ++before;
      }
      for (int bit = 0; bit < 8; ++bit) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
        const std::vector<std::string> got = Read(damaged);
        ASSERT_LE(before, got.size()) << i;
        ASSERT_LT(got.size(), records.size()) << i << " bit " << bit;
        for (size_t k = 0; k < before; ++k) EXPECT_EQ(got[k], records[k]);
        EXPECT_TRUE(!damages_.empty() || !reader_->problem().clean())
            << "byte " << i << " bit " << bit << " went unnoticed";
      }
    }
  }
}

TEST_F(LogTest, DamageNamesOffsetExpectedAndFound) {
  std::string bytes = Write({"alpha", "beta"});
  bytes[12 + 8] ^= 1;
  Read(bytes);
  ASSERT_EQ(damages_.size(), 1u);
  EXPECT_EQ(damages_[0].kind, Kind::kBadChecksum);
  EXPECT_EQ(damages_[0].offset, 12u);
  const std::string text = damages_[0].ToStatus("000007.log").ToString();
  EXPECT_TRUE(text.starts_with(
      "Corruption: 000007.log: at offset 12: expected checksum 0x"))
      << text;
}

TEST_F(LogTest, ADamagedBlockLosesOnlyItself) {
  const std::vector<std::string> records = {"first", Payload(100, 1),
                                            Payload(kBlockSize, 2), "last"};
  std::string bytes = Write(records);
  bytes[20] ^= 1;  // In the second record: the first block is lost behind it.
  EXPECT_EQ(Read(bytes), (std::vector<std::string>{"first", "last"}));
  ASSERT_EQ(damages_.size(), 2u);
  EXPECT_EQ(damages_[0].kind, Kind::kBadChecksum);
  EXPECT_EQ(damages_[1].kind, Kind::kOutOfOrder);
}

TEST_F(LogTest, ARecordOfTimestampSizesThatDoesNotFitIsNoDamage) {
  for (const bool recycle : {false, true}) {
    for (size_t left = 7; left < 24; ++left) {
      auto file = WritableFileWriter::Create(&fs_, kPath, FileOptions());
      ASSERT_TRUE(file.ok());
      Writer writer(std::move(*file), kLogNumber, recycle);
      const size_t header = recycle ? 11 : 7;
      const std::string first = Payload(kBlockSize - header - left, 1);
      ASSERT_TRUE(writer.AddRecord(first).ok());
      ASSERT_TRUE(writer.AddTimestampSizes({{1, 8}}).ok());
      ASSERT_TRUE(writer.AddRecord("last").ok());
      ASSERT_TRUE(writer.Close().ok());
      EXPECT_EQ((std::vector<std::string>{first, "last"}),
                Read(test::ReadFile(&fs_, kPath)))
          << left;
      EXPECT_TRUE(damages_.empty()) << left;
      EXPECT_EQ(1u, reader_->timestamp_sizes().size());
    }
  }
}

TEST_F(LogTest, PreallocatedZerosAreACleanEnd) {
  for (const size_t zeros : {7u, 8u, 100u, 32768u, 100000u}) {
    const std::string bytes = Write({"alpha"}) + std::string(zeros, '\0');
    EXPECT_EQ(Read(bytes), std::vector<std::string>{"alpha"});
    EXPECT_TRUE(damages_.empty());
    const bool short_rest = (bytes.size() % kBlockSize) < 7;
    EXPECT_EQ(EndKind(), short_rest ? Kind::kTornTail : Kind::kNone) << zeros;
  }
}

TEST_F(LogTest, ZerosWithRecordsBehindThemAreDamage) {
  std::string bytes = Write({"alpha", Payload(3 * kBlockSize, 1), "omega"});
  // The second block was lost by a crash and reads as zeros.
  for (size_t i = kBlockSize; i < 2 * kBlockSize; ++i) bytes[i] = '\0';
  const std::vector<std::string> got = Read(bytes);
  ASSERT_FALSE(damages_.empty());
  EXPECT_EQ(got.front(), "alpha");
  EXPECT_EQ(damages_[0].offset, kBlockSize);
}

TEST_F(LogTest, ABlockThatBeginsWithZerosAndHoldsMoreIsDamage) {
  std::string bytes = Write({Payload(kBlockSize, 1), "omega"});
  bytes.replace(0, kBlockSize, kBlockSize, '\0');
  bytes[100] = 'x';
  EXPECT_EQ(Read(bytes), std::vector<std::string>{"omega"});
  EXPECT_EQ(damages_.at(0).kind, Kind::kBadType);
  EXPECT_EQ(damages_.at(0).found, "zeros with other bytes behind them");
}

TEST_F(LogTest, ARecordThatWouldPassItsBlockIsDamage) {
  std::string bytes = Write({"first", Payload(kBlockSize, 1), "omega"});
  EncodeFixed16(&bytes[4], 0xffff);
  EXPECT_EQ(Read(bytes), std::vector<std::string>{"omega"});
  EXPECT_EQ(damages_.at(0).kind, Kind::kBadLength);
  EXPECT_EQ(damages_.at(0).found, "32768 bytes left in the block");
}

TEST_F(LogTest, LegacyRecordsBehindRecyclableOnesEndTheLog) {
  const std::string bytes = Write({"new"}, /*recycle=*/true) + Write({"old"});
  EXPECT_EQ(Read(bytes), std::vector<std::string>{"new"});
  EXPECT_EQ(EndKind(), Kind::kOldRecord);
}

TEST_F(LogTest, RecyclableRecordsBehindLegacyOnesAreDamage) {
  const std::string bytes =
      Write({"legacy"}) + Write({"recyclable"}, /*recycle=*/true);
  EXPECT_EQ(Read(bytes), std::vector<std::string>{"legacy"});
  ASSERT_EQ(damages_.size(), 1u);
  EXPECT_EQ(damages_[0].kind, Kind::kBadType);
  EXPECT_EQ(damages_[0].expected, "a legacy record");
}

TEST_F(LogTest, ALogThatShrankWhileItWasReadIsCorrupt) {
  const std::string bytes = Write({"alpha", "beta"});
  EXPECT_EQ(Read(bytes).size(), 2u);
  test::WriteFile(&fs_, kPath, bytes.substr(0, bytes.size() - 1));
  auto file = SequentialFileReader::Open(&fs_, kPath, FileOptions());
  ASSERT_TRUE(file.ok());
  const Status status = reader_->ReadOn(std::move(*file));
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_NE(status.ToString().find("expected a log of at least"),
            std::string::npos)
      << status.ToString();
}

TEST_F(LogTest, TheFormerLifeOfARecycledFileIsACleanEnd) {
  const std::string old_life = Write({"old-1", "old-2", "old-3"}, true);
  std::string bytes = Write({"new-1"}, true);
  // The same length as an old record, so an old one follows in full.
  bytes += old_life.substr(bytes.size());
  for (size_t i = 16; i + 11 < bytes.size(); i += 16) {
    EncodeFixed32(&bytes[i + 7], 3);
    EncodeFixed32(&bytes[i],
                  crc32c::Mask(crc32c::Value(bytes.data() + i + 6, 10)));
  }
  EXPECT_EQ(Read(bytes), std::vector<std::string>{"new-1"});
  EXPECT_TRUE(damages_.empty());
  EXPECT_EQ(EndKind(), Kind::kOldRecord);
  EXPECT_TRUE(reader_->problem().clean());
  EXPECT_TRUE(reader_->recyclable());
}

// A physical record with a given type and the legacy header.
std::string Physical(uint8_t type, const std::string& payload) {
  std::string out(7, '\0');
  EncodeFixed16(&out[4], static_cast<uint16_t>(payload.size()));
  out[6] = static_cast<char>(type);
  out += payload;
  EncodeFixed32(&out[0],
                crc32c::Mask(crc32c::Value(out.data() + 6, out.size() - 6)));
  return out;
}

TEST_F(LogTest, UnknownTypesAreDamageBelow128AndPassedOverAbove) {
  EXPECT_EQ(Read(Physical(1, "a") + Physical(40, "x") + Physical(1, "b")),
            (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(damages_.size(), 1u);
  EXPECT_EQ(damages_[0].kind, Kind::kBadType);
  EXPECT_EQ(Read(Physical(1, "a") + Physical(200, "x") + Physical(1, "b")),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(damages_.empty());
}

TEST_F(LogTest, FragmentsOutOfOrderAreDamage) {
  EXPECT_EQ(Read(Physical(3, "m") + Physical(1, "a")),
            std::vector<std::string>{"a"});
  EXPECT_EQ(damages_.at(0).kind, Kind::kOutOfOrder);
  EXPECT_EQ(Read(Physical(2, "first") + Physical(1, "a")),
            std::vector<std::string>{"a"});
  EXPECT_EQ(damages_.at(0).kind, Kind::kOutOfOrder);
  EXPECT_EQ(Read(Physical(2, "first")), std::vector<std::string>{});
  EXPECT_EQ(EndKind(), Kind::kTornTail);
}

TEST_F(LogTest, TimestampSizesAndPredecessorAreRemembered) {
  std::string sizes;
  PutFixed32(&sizes, 3);
  PutFixed16(&sizes, 8);
  std::string before;
  PutFixed64(&before, 6);
  PutFixed64(&before, 1000);
  PutFixed64(&before, 55);
  EXPECT_EQ(
      Read(Physical(130, before) + Physical(10, sizes) + Physical(1, "a")),
      std::vector<std::string>{"a"});
  EXPECT_EQ(reader_->timestamp_sizes().at(3), 8);
  EXPECT_EQ(reader_->predecessor()->size_bytes, 1000u);
  EXPECT_EQ(reader_->predecessor()->last_sequence, 55u);
  // A second record for the same family cannot be right.
  Read(Physical(10, sizes) + Physical(10, sizes));
  EXPECT_EQ(damages_.at(0).kind, Kind::kBadContent);
  Read(Physical(130, "short"));
  EXPECT_EQ(damages_.at(0).kind, Kind::kBadContent);
}

TEST_F(LogTest, ACompressionRecordStandsFirstAndSaysZstd) {
  std::string zstd;
  PutFixed32(&zstd, 7);
  Read(Physical(1, "a") + Physical(9, zstd));
  EXPECT_EQ(damages_.at(0).kind, Kind::kBadContent);
  std::string snappy;
  PutFixed32(&snappy, 1);
  Read(Physical(9, snappy));
  EXPECT_EQ(damages_.at(0).kind, Kind::kBadContent);
  Read(Physical(9, zstd) + Physical(1, "not a frame"));
  EXPECT_EQ(damages_.at(0).kind, Kind::kBadContent);
}

// The record's checksum holds, its frame does not.
TEST_F(LogTest, AFrameCutShortOrWithBytesBehindItIsDamage) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "no ZSTD";
  const std::string bytes = Write({"payload"}, /*recycle=*/false, true);
  const size_t begin = kLegacyHeaderSize + sizeof(uint32_t);
  const std::string head = bytes.substr(0, begin);
  const std::string frame = bytes.substr(begin + kLegacyHeaderSize);
  ASSERT_EQ(Read(head + Physical(1, frame)),
            std::vector<std::string>{"payload"});
  for (const std::string& wrong :
       {frame.substr(0, frame.size() - 1), frame + "x"}) {
    EXPECT_TRUE(Read(head + Physical(1, wrong)).empty());
    ASSERT_EQ(damages_.size(), 1u);
    EXPECT_EQ(damages_[0].kind, Kind::kBadContent);
  }
}

TEST_F(LogTest, TimestampSizesOfManyFamiliesTakeSeveralRecords) {
  std::map<uint32_t, uint16_t> sizes;
  for (uint32_t family = 1; family <= 20000; ++family) {
    sizes[family] = family % 2 == 0 ? 8 : 16;
  }
  auto file = WritableFileWriter::Create(&fs_, kPath, FileOptions());
  ASSERT_TRUE(file.ok());
  Writer writer(std::move(*file), kLogNumber, /*recycle=*/false);
  ASSERT_TRUE(writer.AddTimestampSizes(sizes).ok());
  ASSERT_TRUE(writer.AddRecord("last").ok());
  ASSERT_TRUE(writer.Close().ok());
  EXPECT_EQ(Read(test::ReadFile(&fs_, kPath)),
            std::vector<std::string>{"last"});
  EXPECT_EQ(reader_->timestamp_sizes().size(), sizes.size());
  EXPECT_EQ(reader_->timestamp_sizes().at(20000), 8);
}

TEST_F(LogTest, CompressedRecordsComeBackFromEveryPlaceInABlock) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "no ZSTD";
  for (const bool recycle : {false, true}) {
    // The first record ends all around the end of the first block.
    for (size_t first = kBlockSize - 90; first < kBlockSize - 40; ++first) {
      const std::vector<std::string> records = {Payload(first, 1), "",
                                                std::string(70000, 'x'),
                                                Payload(20000, 2), "end"};
      const std::string bytes = Write(records, recycle, /*compress=*/true);
      EXPECT_LT(bytes.size(), 5 * kBlockSize);
      ASSERT_EQ(Read(bytes), records) << first;
      EXPECT_TRUE(reader_->compressed());
      EXPECT_EQ(EndKind(), Kind::kNone);
    }
  }
}

TEST_F(LogTest, FragmentsOfACompressedRecordBeginAtDifferentPlaces) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "no ZSTD";
  const std::string bytes =
      Write({Payload(10 * kBlockSize, 3)}, /*recycle=*/false, true);
  size_t before = kBlockSize;
  for (size_t at = 0; at + kLegacyHeaderSize < bytes.size();) {
    EXPECT_NE(before, at % kBlockSize);
    before = at % kBlockSize;
    at += kLegacyHeaderSize + DecodeFixed16(bytes.data() + at + 4);
    if (kBlockSize - at % kBlockSize < kLegacyHeaderSize) {
      at += kBlockSize - at % kBlockSize;
    }
  }
}

TEST_F(LogTest, AFlippedBitOfACompressedLogCostsNoMoreThanRecords) {
  if (!CompressionTypeSupported(kZSTD)) GTEST_SKIP() << "no ZSTD";
  const std::vector<std::string> records = {"alpha", std::string(500, 'b'),
                                            Payload(40, 1)};
  const std::string good = Write(records, /*recycle=*/true, true);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bytes = good;
    bytes[i] = static_cast<char>(bytes[i] ^ 4);
    for (const std::string& record : Read(bytes)) {
      EXPECT_NE(std::find(records.begin(), records.end(), record),
                records.end());
    }
    EXPECT_FALSE(damages_.empty() && EndKind() == Kind::kNone) << i;
  }
}

// log_writer.h (3).
TEST_F(LogTest, WhatALogFollowsStandsBeforeItsRecords) {
  for (const bool recycle : {false, true}) {
    auto file = WritableFileWriter::Create(&fs_, kPath, FileOptions());
    ASSERT_TRUE(file.ok());
    Writer writer(std::move(*file), kLogNumber, recycle);
    ASSERT_TRUE(writer.AddPredecessor({4, 2338, 36}).ok());
    EXPECT_TRUE(writer.empty());
    ASSERT_TRUE(writer.AddRecord("a").ok());
    EXPECT_FALSE(writer.empty());
    ASSERT_TRUE(writer.Close().ok());
    EXPECT_EQ(Read(test::ReadFile(&fs_, kPath)), std::vector<std::string>{"a"});
    EXPECT_EQ(reader_->predecessor()->log_number, 4u);
    EXPECT_EQ(reader_->predecessor()->size_bytes, 2338u);
    EXPECT_EQ(reader_->predecessor()->last_sequence, 36u);
  }
}

// log_reader.h (1).
TEST_F(LogTest, RandomBytesNeverBreakTheReader) {
  Random64 random(301);
  const std::string good = Write({"alpha", Payload(kBlockSize, 1), "omega"});
  for (int round = 0; round < 300; ++round) {
    std::string bytes = good;
    const size_t from = random.Uniform(bytes.size());
    const size_t count = 1 + random.Uniform(64);
    for (size_t i = from; i < from + count && i < bytes.size(); ++i) {
      bytes[i] = static_cast<char>(random.Next32());
    }
    for (const std::string& record : Read(bytes)) {
      EXPECT_TRUE(record == "alpha" || record == "omega" ||
                  record.size() == kBlockSize);
    }
  }
}

TEST_F(LogTest, EveryLogOfRocksDBIsReadToItsEnd) {
  const auto logs = test::GoldenFiles(
      [](const std::filesystem::path& p) { return p.extension() == ".log"; });
  RIVERSTONE_SKIP_WITHOUT(logs);
  uint64_t batches = 0;
  for (const auto& path : logs) {
    const uint64_t number = std::stoull(path.stem().string());
    const std::vector<std::string> records =
        Read(test::ReadWholeFile(path), number);
    batches += records.size();
    for (const std::string& record : records) {
      EXPECT_GE(record.size(), 12u) << path;
    }
    EXPECT_TRUE(damages_.empty() || reader_->recyclable()) << path;
    EXPECT_TRUE(reader_->problem().clean() || reader_->recyclable()) << path;
  }
  EXPECT_GT(batches, 1000u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine::wal
