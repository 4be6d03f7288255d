// rocksdb/utilities/types_util.h: where a table's iterator goes, and what its
// keys are made of.

#include "rocksdb/utilities/types_util.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/env.h"
#include "rocksdb/sst_file_reader.h"
#include "rocksdb/sst_file_writer.h"
#include "table/internal_key.h"
#include "test/support/u64_ts.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class TypesUtilTest : public ::testing::Test {
 protected:
  TypesUtilTest() { options_.env = env_.get(); }

  // The entry at which the iterator stands, "b@20:put", or "end".
  std::string Entry(const Iterator& iter) {
    EXPECT_TRUE(iter.status().ok()) << iter.status().ToString();
    if (!iter.Valid()) return "end";
    ParsedEntryInfo parsed;
    const Status status = ParseEntry(iter.key(), options_.comparator, &parsed);
    if (!status.ok()) return status.ToString();
    uint64_t time = 0;
    if (!parsed.timestamp.empty()) {
      EXPECT_TRUE(DecodeU64Ts(parsed.timestamp, &time).ok());
    }
    EXPECT_EQ(parsed.sequence, 0u);
    return parsed.user_key.ToString() + "@" + std::to_string(time) +
           (parsed.type == kEntryPut ? ":put" : ":delete");
  }
  std::string SeekTo(const std::string& key) {
    std::string target = "is replaced";
    EXPECT_TRUE(GetInternalKeyForSeek(key, options_.comparator, &target).ok());
    iter_->Seek(target);
    return Entry(*iter_);
  }
  std::string SeekBack(const std::string& key) {
    std::string target = "is replaced";
    EXPECT_TRUE(
        GetInternalKeyForSeekForPrev(key, options_.comparator, &target).ok());
    iter_->SeekForPrev(target);
    return Entry(*iter_);
  }
  void Read() {
    reader_ = std::make_unique<SstFileReader>(options_);
    ASSERT_TRUE(reader_->Open("/x.sst").ok());
    iter_ = reader_->NewTableIterator();
    ASSERT_NE(iter_, nullptr);
  }

  std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
  Options options_;
  std::unique_ptr<SstFileReader> reader_;
  std::unique_ptr<Iterator> iter_;
};

TEST_F(TypesUtilTest, AnIteratorOfATableFindsUserKeys) {
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/x.sst").ok());
  ASSERT_TRUE(writer.Put("a", "1").ok());
  ASSERT_TRUE(writer.Delete("c").ok());
  ASSERT_TRUE(writer.Finish().ok());
  ASSERT_NO_FATAL_FAILURE(Read());
  EXPECT_EQ(SeekTo("a"), "a@0:put");
  EXPECT_EQ(SeekTo("b"), "c@0:delete");
  EXPECT_EQ(SeekTo("d"), "end");
  EXPECT_EQ(SeekBack("c"), "c@0:delete");
  EXPECT_EQ(SeekBack("b"), "a@0:put");
  EXPECT_EQ(SeekBack("0"), "end");
}

TEST_F(TypesUtilTest, TimestampsStandBetweenNewestAndOldest) {
  options_.comparator = BytewiseComparatorWithU64Ts();
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_TRUE(writer.Open("/x.sst").ok());
  ASSERT_TRUE(writer.Put("a", test::Ts(7), "1").ok());
  ASSERT_TRUE(writer.Put("b", test::Ts(UINT64_MAX), "2").ok());
  ASSERT_TRUE(writer.Put("c", test::Ts(0), "3").ok());
  ASSERT_TRUE(writer.Finish().ok());
  ASSERT_NO_FATAL_FAILURE(Read());
  EXPECT_EQ(SeekTo("a"), "a@7:put");
  EXPECT_EQ(SeekTo("b"), "b@18446744073709551615:put");
  EXPECT_EQ(SeekBack("c"), "c@0:put");
  EXPECT_EQ(SeekBack("b"), "b@18446744073709551615:put");
  EXPECT_EQ(SeekBack("a"), "a@7:put");
}

TEST_F(TypesUtilTest, ASeekStandsBeforeAllVersionsAndOneBackBehindThem) {
  const engine::InternalKeyComparator order(BytewiseComparator());
  std::string first;
  std::string last;
  ASSERT_TRUE(GetInternalKeyForSeek("k", BytewiseComparator(), &first).ok());
  ASSERT_TRUE(
      GetInternalKeyForSeekForPrev("k", BytewiseComparator(), &last).ok());
  for (const uint64_t sequence : {uint64_t{0}, uint64_t{9}}) {
    for (const auto type :
         {engine::ValueType::kDeletion, engine::ValueType::kValue,
          engine::ValueType::kValuePreferredSeqno}) {
      const engine::InternalKey key("k", sequence, type);
      EXPECT_LE(order.Compare(first, key.Encode()), 0);
      EXPECT_GE(order.Compare(last, key.Encode()), 0);
    }
  }
}

TEST_F(TypesUtilTest, DamagedKeysAndMissingArgumentsAreErrors) {
  const Comparator* const plain = BytewiseComparator();
  const engine::InternalKey good("k", 5, engine::ValueType::kMerge);
  ParsedEntryInfo parsed;
  ASSERT_TRUE(ParseEntry(good.Encode(), plain, &parsed).ok());
  EXPECT_EQ(parsed.user_key.ToString(), "k");
  EXPECT_EQ(parsed.sequence, 5u);
  EXPECT_EQ(parsed.type, kEntryMerge);
  EXPECT_TRUE(parsed.timestamp.empty());
  EXPECT_TRUE(ParseEntry("1234567", plain, &parsed).IsCorruption());
  // One byte of key where there are to be eight of timestamp.
  EXPECT_TRUE(ParseEntry(good.Encode(), BytewiseComparatorWithU64Ts(), &parsed)
                  .IsCorruption());
  std::string unknown = good.Encode().ToString();
  unknown[1] = 0x66;
  EXPECT_TRUE(ParseEntry(unknown, plain, &parsed).IsCorruption());
  EXPECT_TRUE(ParseEntry(good.Encode(), nullptr, &parsed).IsInvalidArgument());
  EXPECT_TRUE(ParseEntry(good.Encode(), plain, nullptr).IsInvalidArgument());
  std::string buf;
  EXPECT_TRUE(GetInternalKeyForSeek("k", nullptr, &buf).IsInvalidArgument());
  EXPECT_TRUE(
      GetInternalKeyForSeekForPrev("k", plain, nullptr).IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
