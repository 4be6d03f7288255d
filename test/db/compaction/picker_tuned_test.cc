// The leveled picker in a tuned level 0: which files it merges, and in which
// class.

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/column_family/column_family.h"
#include "db/compaction/picker_leveled.h"
#include "db/manifest/file_metadata.h"
#include "db/manifest/level_state.h"
#include "db/manifest/version.h"
#include "db/manifest/version_edit.h"
#include "rocksdb/comparator.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr uint64_t kMB = 1000000;
// Of a flush.
constexpr uint64_t kFresh = 24 * kMB;

class PickerTuned : public ::testing::Test {
 protected:
  PickerTuned() {
    options_.level_compaction_dynamic_level_bytes = false;
    options_.max_bytes_for_level_base = uint64_t{1} << 50;
    shape_.runs_target = 28;
    shape_.tier_files_min = 4;
    shape_.tier_room_share = 0.5;
    shape_.flushed_file_bytes = static_cast<double>(kFresh);
    // Everything but tier merges of fresh files ends too late.
    shape_.level0_files_per_second = 1;
    shape_.merge_bytes_per_second = 26e6;
  }

  // In front of the others: newer. All files overlap.
  void AddFresh(int count) { Add(count, kFresh); }
  void Add(int count, uint64_t size) {
    for (int i = 0; i < count; ++i) {
      auto file = std::make_shared<FileMetaData>();
      file->number = ++last_number_;
      file->size = size;
      file->smallest = InternalKey("a", last_number_, ValueType::kValue);
      file->largest = InternalKey("z", last_number_, ValueType::kValue);
      file->smallest_sequence = file->largest_sequence = last_number_;
      files_.push_front(std::move(file));
    }
  }
  // So much that merging into it is never done in time.
  void AddBaseLevel() {
    base_ = std::make_shared<FileMetaData>();
    base_->number = 1000000;
    base_->size = 10000 * kMB;
    base_->smallest = InternalKey("a", 1, ValueType::kValue);
    base_->largest = InternalKey("z", 1, ValueType::kValue);
  }

  std::optional<CompactionPlan> Pick(bool runs, bool lower) {
    std::vector<LevelFilesPtr> levels(static_cast<size_t>(options_.num_levels));
    levels[0] = std::make_shared<const LevelFiles>(
        std::vector<FilePtr>(files_.begin(), files_.end()));
    if (base_ != nullptr) {
      levels[1] =
          std::make_shared<const LevelFiles>(std::vector<FilePtr>{base_});
    }
    version_ = std::make_shared<Version>(&icmp_, std::move(levels), 1);
    LevelStateInputs inputs;
    inputs.options = LevelOptionsOf(options_);
    inputs.oldest_snapshot = kSequenceMax;
    const LevelState state = ComputeLevelState(*version_, inputs);
    PickInput input;
    input.icmp = &icmp_;
    input.version = version_;
    input.options = &options_;
    input.levels = &state;
    input.shape = shape_;
    input.pick_runs = runs;
    input.pick_lower = lower;
    for (const CompactionPlan& plan : running_) input.running.push_back(&plan);
    return PickLeveled(input);
  }
  // The numbers of files, newest first, and where they go: "9 8 7 6 -> 0".
  std::string Runs() { return Text(Pick(true, false)); }
  std::string Background() { return Text(Pick(false, true)); }
  // As Background(), and it runs from now on.
  std::string StartBackground() {
    std::optional<CompactionPlan> plan = Pick(false, true);
    const std::string text = Text(plan);
    if (!plan) return text;
    for (const FilePtr& file : plan->inputs[0].files) {
      file->being_compacted = true;
    }
    running_.push_back(std::move(*plan));
    return text;
  }

  static std::string Text(const std::optional<CompactionPlan>& plan) {
    if (!plan) return "nothing";
    std::string text;
    for (const FilePtr& file : plan->inputs[0].files) {
      text += std::to_string(file->number) + " ";
    }
    return text + "-> " + std::to_string(plan->output_level);
  }

  ColumnFamilyOptions options_;
  FamilyDecision shape_;

 private:
  const InternalKeyComparator icmp_{BytewiseComparator()};
  uint64_t last_number_ = 0;
  std::deque<FilePtr> files_;
  std::shared_ptr<FileMetaData> base_;
  std::deque<CompactionPlan> running_;
  std::shared_ptr<const Version> version_;
};

TEST_F(PickerTuned, WaitsForAsManyFreshFilesAsThereIsRoomFor) {
  AddBaseLevel();
  Add(16, 200 * kMB);  // Room for 12 more: six are merged while six come.
  AddFresh(5);
  EXPECT_EQ("nothing", Runs());
  AddFresh(1);
  EXPECT_EQ("22 21 20 19 18 17 -> 0", Runs());
}

TEST_F(PickerTuned, WaitsForNoMoreWithoutRoom) {
  AddBaseLevel();
  shape_.tier_room_share = 1;
  Add(22, 200 * kMB);
  AddFresh(4);
  EXPECT_EQ("nothing", Runs());
  AddFresh(1);  // 27 of 28.
  EXPECT_EQ("27 26 25 24 23 -> 0", Runs());
}

TEST_F(PickerTuned, LargerFilesAreMergedInTheBackgroundOneMergeAtATime) {
  AddBaseLevel();
  Add(9, 200 * kMB);
  AddFresh(9);
  EXPECT_EQ("18 17 16 15 14 13 12 11 10 -> 0", Runs());
  std::optional<CompactionPlan> plan = Pick(false, true);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(JobClass::kDebt, plan->job_class());
  EXPECT_EQ("9 8 7 6 -> 0", StartBackground());
  EXPECT_EQ("nothing", Background());
  // It does not keep up what is more urgent.
  plan = Pick(true, false);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(JobClass::kRuns, plan->job_class());
  EXPECT_EQ("18 17 16 15 14 13 12 11 10 -> 0", Text(plan));
}

TEST_F(PickerTuned, AFileThatIsMostOfAMergeIsLeftOut) {
  AddBaseLevel();
  Add(1, 3000 * kMB);
  Add(3, 200 * kMB);
  EXPECT_EQ("nothing", Background());
  Add(1, 200 * kMB);
  EXPECT_EQ("5 4 3 2 -> 0", Background());
}

// All twelve would cost less per file that disappears, but would not be merged
// when writers stop at 36 files.
TEST_F(PickerTuned, LargerFilesAreMergedBeforeWritersStop) {
  AddBaseLevel();
  Add(12, 100 * kMB);
  EXPECT_EQ("12 11 10 9 8 -> 0", Background());
  shape_.level0_files_per_second = 0.4;
  EXPECT_EQ("12 11 10 9 8 7 6 5 4 3 2 1 -> 0", Background());
}

TEST_F(PickerTuned, WhereNoMergeEndsBeforeThatTheSmallestIsBest) {
  AddBaseLevel();
  shape_.level0_files_per_second = 10;
  Add(5, 300 * kMB);
  Add(4, 100 * kMB);
  EXPECT_EQ("9 8 7 6 -> 0", Background());
}

// Level 0 is full, and nothing is worth a tier.
TEST_F(PickerTuned, AFullLevelThatHasNoTierGoesDown) {
  AddBaseLevel();
  shape_.runs_target = 3;
  options_.level0_file_num_compaction_trigger = 2;
  Add(3, 200 * kMB);
  EXPECT_EQ("nothing", Runs());
  EXPECT_EQ("3 2 1 -> 1", StartBackground());
}

TEST_F(PickerTuned, WhatIsToGoDownGoesDownInTheBackground) {
  AddBaseLevel();
  shape_.base_merge_bytes = 5000 * kMB;
  Add(6, 1000 * kMB);
  EXPECT_EQ("nothing", Runs());
  EXPECT_EQ("5 4 3 2 1 -> 1", StartBackground());
  EXPECT_EQ("nothing", Background());
}

TEST_F(PickerTuned, WithoutATargetNothingRunsInTheBackground) {
  shape_.runs_target = 0;
  Add(9, 200 * kMB);
  EXPECT_EQ("nothing", Background());
}

CompactionPlan From(int level) {
  CompactionPlan plan;
  plan.inputs.push_back({level, {}});
  return plan;
}

TEST(GoesFirst, WhatEmptiesLevel0) {
  const CompactionPlan merge = From(0);
  const CompactionPlan deeper = From(1);
  EXPECT_TRUE(GoesFirst({&merge, 1000}, {&deeper, 1}));
  EXPECT_FALSE(GoesFirst({&deeper, 1}, {&merge, 1000}));
}

TEST(GoesFirst, ThenWhatHasLessLeft) {
  for (const int level : {0, 1}) {
    const CompactionPlan plan = From(level);
    EXPECT_TRUE(GoesFirst({&plan, 1}, {&plan, 2}));
    EXPECT_FALSE(GoesFirst({&plan, 2}, {&plan, 1}));
    EXPECT_FALSE(GoesFirst({&plan, 1}, {&plan, 1}));
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
