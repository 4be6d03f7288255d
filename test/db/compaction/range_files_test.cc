// Which files lie in given ranges as a whole, and share no key with another.

#include "db/db_impl/range_files.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/manifest/file_metadata.h"
#include "db/manifest/version.h"
#include "rocksdb/comparator.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

class RangeFiles : public ::testing::Test {
 protected:
  // A file of level 1, behind the last one; with an `exclusive` end, it ends
  // with a range deletion.
  void Add(const std::string& smallest, const std::string& largest,
           bool exclusive = false) {
    const auto file = std::make_shared<FileMetaData>();
    file->number = 11 + files_.size();
    file->size = 1000;
    file->smallest = InternalKey(smallest, 9, ValueType::kValue);
    file->largest = exclusive ? InternalKey(largest, kSequenceMax,
                                            ValueType::kRangeDeletion)
                              : InternalKey(largest, 8, ValueType::kValue);
    files_.push_back(file);
  }
  // Their numbers, "1" being the first one.
  std::string Within(std::vector<RangeOpt> ranges, bool include_end = true,
                     const Comparator* order = BytewiseComparator()) {
    const InternalKeyComparator icmp(order);
    std::vector<LevelFilesPtr> levels(7);
    levels[1] = std::make_shared<const LevelFiles>(files_);
    const Version version(&icmp, std::move(levels), 1);
    std::string numbers;
    KeyRanges wanted{ranges, include_end};
    wanted.keep_linked = keep_linked_;
    for (const FilePtr& file : FilesWithin(version, 1, wanted)) {
      numbers += std::to_string(file->number - 10);
    }
    return numbers;
  }

  std::vector<FilePtr> files_;
  bool keep_linked_ = false;
};

TEST_F(RangeFiles, LieInOneOfTheRanges) {
  Add("a", "b");
  Add("c", "d");
  Add("e", "f");
  EXPECT_EQ("123", Within({{OptSlice(), OptSlice()}}));
  EXPECT_EQ("2", Within({{"b", "e"}}));
  EXPECT_EQ("", Within({{"b", "c"}, {"cc", "e"}}));  // In none as a whole.
  EXPECT_EQ("13", Within({{OptSlice(), "b"}, {"e", OptSlice()}}));
  EXPECT_EQ("3", Within({{OptSlice(), "b"}, {"e", OptSlice()}}, false));
  EXPECT_EQ("", Within({{"e", "a"}}));
  EXPECT_EQ("", Within({}));
  files_[1]->being_compacted = true;
  EXPECT_EQ("13", Within({{OptSlice(), OptSlice()}}));
}

// The neighbour may hold older versions of the key.
TEST_F(RangeFiles, ShareNoKeyWithOneThatStays) {
  Add("a", "c");
  Add("c", "e");
  Add("e", "g");
  Add("h", "i");
  EXPECT_EQ("1234", Within({{OptSlice(), OptSlice()}}));
  EXPECT_EQ("4", Within({{"b", OptSlice()}}));  // The first one stays.
  EXPECT_EQ("", Within({{OptSlice(), "f"}}));   // The third one stays.
  EXPECT_EQ("123", Within({{OptSlice(), "g"}}));
  files_[1]->being_compacted = true;
  EXPECT_EQ("4", Within({{OptSlice(), OptSlice()}}));
}

TEST_F(RangeFiles, MayEndWithARangeDeletion) {
  Add("a", "c", /*exclusive=*/true);
  Add("c", "e");
  EXPECT_EQ("12", Within({{OptSlice(), "e"}}));
  EXPECT_EQ("", Within({{OptSlice(), "c"}}));  // To be on the safe side.
}

TEST_F(RangeFiles, MayKeepWhatIsLinkedToBlobFiles) {
  Add("a", "b");
  Add("c", "d");
  const auto linked = std::make_shared<FileMetaData>();
  linked->number = 13;
  linked->size = 1000;
  linked->smallest = InternalKey("e", 9, ValueType::kValue);
  linked->largest = InternalKey("f", 8, ValueType::kValue);
  linked->oldest_blob_file = 5;
  files_.push_back(linked);
  EXPECT_EQ("123", Within({{OptSlice(), OptSlice()}}));
  keep_linked_ = true;
  EXPECT_EQ("12", Within({{OptSlice(), OptSlice()}}));
}

// Ranges are of keys without timestamps, and mean all versions.
TEST_F(RangeFiles, HaveAllVersionsOfAKey) {
  const auto at = [](const std::string& key, uint64_t time) {
    std::string encoded;
    EncodeU64Ts(time, &encoded);
    return key + encoded;
  };
  Add(at("a", 9), at("c", 5));
  Add(at("c", 4), at("e", 7));
  Add(at("f", 7), at("g", 1));
  const Comparator* const order = BytewiseComparatorWithU64Ts();
  EXPECT_EQ("3", Within({{"f", "g"}}, true, order));
  EXPECT_EQ("", Within({{"f", "g"}}, false, order));
  EXPECT_EQ("3", Within({{"c", "g"}}, true, order));  // They share "c".
  EXPECT_EQ("12", Within({{"a", "e"}}, true, order));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
