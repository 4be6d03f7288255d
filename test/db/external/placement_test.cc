#include "db/external/placement.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// A version of four levels from "level:first-last" words.
class PlacementTest : public ::testing::Test {
 protected:
  std::string Place(const std::string& files, const std::string& range,
                    int base_level = 1) {
    std::vector<std::vector<FilePtr>> levels(4);
    std::istringstream words(files);
    for (std::string word; words >> word;) {
      auto file = std::make_shared<FileMetaData>();
      file->number = ++last_number_;
      file->smallest = InternalKey(word.substr(2, 1), 9, ValueType::kValue);
      file->largest = InternalKey(word.substr(4, 1), 9, ValueType::kValue);
      levels[static_cast<size_t>(word[0] - '0')].push_back(file);
    }
    std::vector<LevelFilesPtr> made;
    for (const auto& level : levels) {
      made.push_back(std::make_shared<LevelFiles>(level));
    }
    const Version version(&icmp_, made, 1);
    const Placement place = PlaceTable(version, base_level, running_,
                                       range.substr(0, 1), range.substr(2, 1));
    return std::to_string(place.level) + (place.overlaps ? " newer" : "");
  }

  const InternalKeyComparator icmp_{BytewiseComparator()};
  std::vector<const CompactionPlan*> running_;
  uint64_t last_number_ = 0;
};

TEST_F(PlacementTest, TheDeepestLevelAboveWhatOverlapsIsTaken) {
  EXPECT_EQ(Place("", "a-c"), "3");
  EXPECT_EQ(Place("0:d-f 3:g-i", "a-c"), "3");
  EXPECT_EQ(Place("3:a-a", "a-c"), "2 newer");
  EXPECT_EQ(Place("1:a-b 1:f-g 3:a-z", "c-e"), "2 newer");
  EXPECT_EQ(Place("1:c-c", "a-c"), "0 newer");
  EXPECT_EQ(Place("0:b-b", "a-c"), "0 newer");
  EXPECT_EQ(Place("0:a-z 3:d-e", "f-g"), "0 newer");
}

TEST_F(PlacementTest, LevelsAboveTheBaseStayEmpty) {
  EXPECT_EQ(Place("", "a-c", 3), "3");
  EXPECT_EQ(Place("3:a-z", "a-c", 3), "0 newer");
  EXPECT_EQ(Place("3:a-z", "a-c", 2), "2 newer");
}

TEST_F(PlacementTest, WhereACompactionWritesTheFileDoesNotGo) {
  CompactionPlan plan;
  plan.inputs.push_back({1, {}});
  plan.output_level = 3;
  plan.smallest_user_key = "b";
  plan.largest_user_key = "x";
  running_ = {&plan};
  EXPECT_EQ(Place("", "c-d"), "2");
  EXPECT_EQ(Place("", "a-b"), "2");
  EXPECT_EQ(Place("", "y-z"), "3");
  plan.output_level = 2;  // None of its inputs has such keys.
  EXPECT_EQ(Place("", "c-d"), "3");
  EXPECT_EQ(Place("3:c-c", "c-d"), "1 newer");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
