// The leveled picker by itself: which ranges are in use.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "db/column_family/column_family.h"
#include "db/compaction/picker_leveled.h"
#include "db/compaction/picker_manual.h"
#include "db/manifest/file_metadata.h"
#include "db/manifest/level_state.h"
#include "db/manifest/version.h"
#include "db/manifest/version_edit.h"
#include "rocksdb/comparator.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// "k@3": the key "k" with timestamp 3. A newer timestamp sorts first.
std::string At(const std::string& key, uint64_t time) {
  std::string encoded;
  EncodeU64Ts(time, &encoded);
  return key + encoded;
}

class PickerWithTimestamps : public ::testing::Test {
 protected:
  // One file in level 1.
  void AddFile(const std::string& smallest, const std::string& largest) {
    const auto file = std::make_shared<FileMetaData>();
    file->number = 7;
    file->size = 1000;
    file->smallest = InternalKey(smallest, 9, ValueType::kValue);
    file->largest = InternalKey(largest, 8, ValueType::kValue);
    file->smallest_sequence = 8;
    file->largest_sequence = 9;
    std::vector<LevelFilesPtr> levels(static_cast<size_t>(options_.num_levels));
    levels[1] = std::make_shared<const LevelFiles>(std::vector<FilePtr>{file});
    version_ = std::make_shared<Version>(&icmp_, std::move(levels), 1);
  }

  // Level 1 into level 2, while another compaction writes there.
  bool IsInUse(const std::string& smallest, const std::string& largest) const {
    LevelStateInputs inputs;
    inputs.options = LevelOptionsOf(options_);
    inputs.oldest_snapshot = kSequenceMax;
    const LevelState levels = ComputeLevelState(*version_, inputs);
    CompactionPlan running;
    running.inputs.push_back({1, {}});
    running.output_level = 2;
    running.smallest_user_key = smallest;
    running.largest_user_key = largest;
    PickInput input;
    input.icmp = &icmp_;
    input.version = version_;
    input.options = &options_;
    input.levels = &levels;
    input.running = {&running};
    ManualRange range;
    range.level = 1;
    range.output_level = 2;
    bool conflict = false;
    const bool picked = PickManual(input, range, &conflict).has_value();
    EXPECT_NE(picked, conflict);
    return conflict;
  }

 private:
  const ColumnFamilyOptions options_;
  const InternalKeyComparator icmp_{BytewiseComparatorWithU64Ts()};
  std::shared_ptr<const Version> version_;
};

// Two versions of "m", one in each range: the keys overlap, though the ranges
// of keys with timestamps do not.
TEST_F(PickerWithTimestamps, RangesThatShareAKeyOverlap) {
  AddFile(At("c", 5), At("m", 7));
  EXPECT_TRUE(IsInUse(At("m", 3), At("z", 1)));
  EXPECT_TRUE(IsInUse(At("a", 3), At("c", 9)));
  EXPECT_TRUE(IsInUse(At("d", 3), At("e", 9)));
  EXPECT_FALSE(IsInUse(At("n", 9), At("z", 1)));
  EXPECT_FALSE(IsInUse(At("a", 1), At("b", 9)));
}

TEST(OutputFileSizeMax, IsNeverZero) {
  ColumnFamilyOptions options;
  options.target_file_size_base = 1 << 26;
  options.target_file_size_multiplier = 256;
  EXPECT_EQ(uint64_t{1} << 26, OutputFileSizeMax(options, 1, 1));
  EXPECT_EQ(uint64_t{1} << 34, OutputFileSizeMax(options, 2, 1));
  // 2^66 does not fit.
  EXPECT_EQ(uint64_t{1} << 58, OutputFileSizeMax(options, 6, 1));
  options.target_file_size_multiplier = 0;
  EXPECT_EQ(uint64_t{1} << 26, OutputFileSizeMax(options, 6, 1));
  options.target_file_size_base = 0;
  options.target_file_size_multiplier = 10;
  EXPECT_EQ(1u, OutputFileSizeMax(options, 1, 1));
  EXPECT_EQ(100u, OutputFileSizeMax(options, 3, 1));
  options.target_file_size_base = UINT64_MAX;
  EXPECT_EQ(UINT64_MAX, OutputFileSizeMax(options, 3, 1));
}

// Level 0 was as large as its limit, and so due, without a file.
TEST(LevelOptionsOf, ABaseOfZeroMakesNothingOfNothingDue) {
  ColumnFamilyOptions options;
  options.max_bytes_for_level_base = 0;
  LevelStateInputs inputs;
  inputs.options = LevelOptionsOf(options);
  EXPECT_EQ(1u, inputs.options.max_bytes_for_level_base);
  const InternalKeyComparator icmp(BytewiseComparator());
  const Version version(&icmp, std::vector<LevelFilesPtr>(7), 1);
  EXPECT_EQ(0, ComputeLevelState(version, inputs).ScoreOf(0));
}

// A range within level 1 whose newer files are to stay.
class PickerByNumber : public ::testing::Test {
 protected:
  void AddFile(uint64_t number, const std::string& smallest,
               const std::string& largest) {
    const auto file = std::make_shared<FileMetaData>();
    file->number = number;
    file->size = 1000;
    file->smallest = InternalKey(smallest, 2, ValueType::kValue);
    file->largest = InternalKey(largest, 5, ValueType::kValue);
    file->smallest_sequence = 2;
    file->largest_sequence = 5;
    files_.push_back(file);
  }

  // The numbers of the files that are picked, and then get numbers from 100.
  std::vector<uint64_t> Pick(uint64_t number_below) {
    std::vector<LevelFilesPtr> levels(static_cast<size_t>(options_.num_levels));
    levels[1] = std::make_shared<const LevelFiles>(files_);
    const auto version =
        std::make_shared<const Version>(&icmp_, std::move(levels), 1);
    LevelStateInputs inputs;
    inputs.options = LevelOptionsOf(options_);
    inputs.oldest_snapshot = kSequenceMax;
    const LevelState state = ComputeLevelState(*version, inputs);
    PickInput input;
    input.icmp = &icmp_;
    input.version = version;
    input.options = &options_;
    input.levels = &state;
    ManualRange range;
    range.level = 1;
    range.output_level = 1;
    range.number_below = number_below;
    bool conflict = false;
    const auto plan = PickManual(input, range, &conflict);
    EXPECT_FALSE(conflict);
    std::vector<uint64_t> numbers;
    if (!plan) return numbers;
    EXPECT_EQ(plan->inputs.size(), 1u);
    for (const FilePtr& file : plan->inputs.front().files) {
      numbers.push_back(file->number);
    }
    for (const FilePtr& file : plan->inputs.front().files) {
      file->number += 100;
    }
    return numbers;
  }

 private:
  const ColumnFamilyOptions options_;
  const InternalKeyComparator icmp_{BytewiseComparator()};
  std::vector<FilePtr> files_;
};

using Numbers = std::vector<uint64_t>;

TEST_F(PickerByNumber, TakesNeighboursThatAreOldEnough) {
  AddFile(12, "a", "b");
  AddFile(5, "c", "d");
  AddFile(4, "e", "f");
  AddFile(10, "g", "h");
  AddFile(11, "i", "j");
  AddFile(9, "k", "l");
  EXPECT_EQ(Pick(10), (Numbers{5, 4}));
  EXPECT_EQ(Pick(10), (Numbers{9}));
  EXPECT_EQ(Pick(10), Numbers());
  EXPECT_EQ(Pick(UINT64_MAX), (Numbers{12, 105, 104, 10, 11, 109}));
}

TEST_F(PickerByNumber, KeepsFilesTogetherThatShareAKey) {
  AddFile(12, "a", "c");
  AddFile(5, "c", "e");
  AddFile(13, "e", "g");
  AddFile(6, "h", "i");
  EXPECT_EQ(Pick(10), (Numbers{12, 5, 13}));
  EXPECT_EQ(Pick(10), (Numbers{6}));
  EXPECT_EQ(Pick(10), Numbers());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
