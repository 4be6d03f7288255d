// The bytes of query traces: each record is pinned, comes back, and is refused
// when it is damaged.

#include "db/trace/trace_format.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "test/db/trace/trace_fixture.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr uint64_t kNow = 0x0102030405060708;
// The batch of one Put("k", "v"), sequence 5.
const std::string kBatch("\5\0\0\0\0\0\0\0\1\0\0\0\1\1k\1v", 17);

std::string Hex(const std::string& bytes) {
  return Slice(bytes).ToString(/*hex=*/true);
}

std::string WriteRecord() {
  std::string record;
  EXPECT_TRUE(EncodeTracedWrite(kNow, kBatch, &record).ok());
  return record;
}

std::string GetRecord() {
  std::string record;
  EXPECT_TRUE(EncodeTracedGet(kNow, 3, "key", &record).ok());
  return record;
}

std::string SeekRecord(bool for_prev, const Slice& lower, const Slice& upper) {
  TracedSeek seek;
  seek.for_prev = for_prev;
  seek.family = 3;
  seek.key = "key";
  seek.lower = lower;
  seek.upper = upper;
  std::string record;
  EXPECT_TRUE(EncodeTracedSeek(kNow, seek, &record).ok());
  return record;
}

std::string MultiGetRecord() {
  const uint32_t families[] = {0, 3};
  const Slice keys[] = {"a", "key"};
  std::string record;
  EXPECT_TRUE(EncodeTracedMultiGet(kNow, {families, keys, 2}, &record).ok());
  return record;
}

std::vector<std::string> AllRecords() {
  return {WriteRecord(),
          GetRecord(),
          SeekRecord(false, "", ""),
          SeekRecord(true, "a", ""),
          SeekRecord(false, "a", "z"),
          MultiGetRecord()};
}

TEST(TraceFormat, TheHeaderIsText) {
  std::string record;
  ASSERT_TRUE(EncodeTraceHeader(kNow, &record).ok());
  EXPECT_EQ(Hex(record.substr(0, 9)),
            "0807060504030201"
            "01");
  EXPECT_EQ(DecodeFixed32(record.data() + 9), record.size() - 13);
  EXPECT_EQ(record.substr(13),
            "feedcafedeadbeef\tTrace Version: 0.2\tRocksDB Version: 11.8\t"
            "Format: Timestamp OpType Payload\n");
  TraceEntry entry;
  ASSERT_TRUE(ParseTraceRecord(record, 0, &entry).ok());
  EXPECT_EQ(entry.timestamp, kNow);
  EXPECT_TRUE(ParseTraceHeader(entry).ok());
}

TEST(TraceFormat, ACommitOfTwoBatchesIsOneBatch) {
  const std::string second("\7\0\0\0\0\0\0\0\2\0\0\0\1\1a\1b\0\1c", 20);
  std::string record;
  ASSERT_TRUE(EncodeTracedCommit(kNow, kBatch, second, &record).ok());
  std::string both = kBatch + second.substr(12);
  both[8] = 3;  // The count.
  std::string expected;
  ASSERT_TRUE(EncodeTracedWrite(kNow, both, &expected).ok());
  EXPECT_EQ(Hex(record), Hex(expected));
}

TEST(TraceFormat, EachRecordIsPinned) {
  std::string end;
  ASSERT_TRUE(EncodeTraceEnd(kNow, &end).ok());
  // Timestamp, type, length.
  EXPECT_EQ(Hex(end),
            "0807060504030201"
            "02"
            "00000000");
  EXPECT_EQ(Hex(WriteRecord()),
            "0807060504030201"
            "03"
            "1A000000"
            "0200000000000000"  // fields: 1
            "11" +
                Hex(kBatch));  // the batch behind its length
  EXPECT_EQ(Hex(GetRecord()),
            "0807060504030201"
            "04"
            "10000000"
            "0C00000000000000"  // fields: 2, 3
            "03000000"          // family
            "036B6579");        // key
  EXPECT_EQ(Hex(SeekRecord(false, "", "")),
            "0807060504030201"
            "05"
            "10000000"
            "3000000000000000"  // fields: 4, 5
            "03000000"          // family
            "036B6579");        // key
  EXPECT_EQ(Hex(SeekRecord(true, "a", "z")),
            "0807060504030201"
            "06"
            "14000000"
            "F000000000000000"  // fields: 4 to 7
            "03000000"          // family
            "036B6579"          // key
            "0161"              // lower bound
            "017A");            // upper bound
  EXPECT_EQ(Hex(MultiGetRecord()),
            "0807060504030201"
            "0D"
            "1C000000"
            "0007000000000000"  // fields: 8, 9, 10
            "02000000"          // count
            "08"
            "00000000"
            "03000000"  // families behind their length
            "06"
            "0161"
            "036B6579");  // keys behind their length
}

TEST(TraceFormat, EachRecordComesBack) {
  std::vector<std::string> texts = test::RecordTexts(AllRecords());
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "write 1", "get 3:key", "seek 3:key", "prev 3:key [a,)",
                       "seek 3:key [a,z)", "multi 0:a 3:key"}));
  std::unique_ptr<TraceRecord> query;
  ASSERT_TRUE(test::ParseQuery(WriteRecord(), &query).ok());
  EXPECT_EQ(query->GetTimestamp(), kNow);
  EXPECT_EQ(query->GetTraceType(), kTraceWrite);
  EXPECT_EQ(static_cast<WriteQueryTraceRecord&>(*query).GetWriteBatchRep(),
            Slice(kBatch));
}

TEST(TraceFormat, ALookupOfNoKeysComesBack) {
  std::string record;
  ASSERT_TRUE(EncodeTracedMultiGet(kNow, {}, &record).ok());
  EXPECT_EQ(test::RecordText(record), "multi");
}

TEST(TraceFormat, EachTruncatedRecordIsCorruption) {
  for (const std::string& record : AllRecords()) {
    for (size_t size = 0; size < record.size(); ++size) {
      std::unique_ptr<TraceRecord> query;
      std::string part = record.substr(0, size);
      EXPECT_TRUE(test::ParseQuery(part, &query).IsCorruption()) << size;
      if (size < kTraceRecordHeaderSize) continue;
      // The same with a length that fits.
      EncodeFixed32(part.data() + 9,
                    static_cast<uint32_t>(size - kTraceRecordHeaderSize));
      EXPECT_TRUE(test::ParseQuery(part, &query).IsCorruption()) << size;
      EXPECT_EQ(query, nullptr);
    }
  }
}

TEST(TraceFormat, WhatFollowsTheFieldsIsCorruption) {
  for (std::string record : AllRecords()) {
    record.push_back('x');
    EncodeFixed32(
        record.data() + 9,
        static_cast<uint32_t>(record.size() - kTraceRecordHeaderSize));
    std::unique_ptr<TraceRecord> query;
    EXPECT_TRUE(test::ParseQuery(record, &query).IsCorruption());
  }
}

TEST(TraceFormat, EachChangedByteHasAStatus) {
  for (const std::string& record : AllRecords()) {
    for (size_t i = 0; i < record.size(); ++i) {
      for (const int change : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
        std::string changed = record;
        changed[i] = static_cast<char>(changed[i] ^ change);
        std::unique_ptr<TraceRecord> query;
        const Status status = test::ParseQuery(changed, &query);
        EXPECT_TRUE(status.ok() || status.IsCorruption() ||
                    status.IsNotSupported())
            << status.ToString();
        EXPECT_EQ(status.ok(), query != nullptr);
      }
    }
  }
}

TEST(TraceFormat, ACountWithoutItsBytesIsCorruption) {
  std::string record = MultiGetRecord();
  EncodeFixed32(record.data() + kTraceRecordHeaderSize + 8, UINT32_MAX);
  std::unique_ptr<TraceRecord> query;
  const Status status = test::ParseQuery(record, &query);
  EXPECT_EQ(status.ToString(),
            "Corruption: trace record of type 13 at byte 0: expected "
            "4294967295 families of 4 bytes: found 8 bytes");
}

TEST(TraceFormat, ForeignHeadersAreRefused) {
  const auto parse = [](TraceType type, const std::string& text) {
    TraceEntry entry;
    entry.type = type;
    entry.payload = text;
    return ParseTraceHeader(entry);
  };
  const std::string good = "feedcafedeadbeef\tTrace Version: ";
  EXPECT_TRUE(parse(kTraceBegin, good + "0.2").ok());
  EXPECT_TRUE(parse(kTraceBegin, good + "0.1\tx").IsNotSupported());
  EXPECT_TRUE(parse(kTraceBegin, good + "0.22\tx").IsNotSupported());
  EXPECT_TRUE(parse(kTraceEnd, good + "0.2").IsCorruption());
  EXPECT_TRUE(parse(kTraceBegin, "").IsCorruption());
  EXPECT_TRUE(parse(kTraceBegin, "feedcafedeadbee").IsCorruption());
  EXPECT_TRUE(parse(kTraceBegin, "feedcafedeadbeef").IsCorruption());
  EXPECT_EQ(parse(kTraceBegin, "SSTable").ToString(),
            "Corruption: trace record of type 1 at byte 0: expected the text "
            "feedcafedeadbeef: found '53535461626C65' (hexadecimal)");
}

TEST(TraceFormat, OtherKindsAreNotSupported) {
  for (const TraceType type : {kTraceNone, kTraceBegin, kTraceEnd,
                               kBlockTraceDataBlock, kIOTracer, kTraceMax}) {
    TraceEntry entry;
    entry.type = type;
    std::unique_ptr<TraceRecord> query;
    EXPECT_TRUE(ParseTracedQuery(entry, &query).IsNotSupported());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
