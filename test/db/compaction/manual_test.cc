// CompactRange and the deepest level of its range: which of the files there it
// rewrites, and which it leaves alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "rocksdb/listener.h"
#include "test/db/files/files_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using Bottom = BottommostLevelCompaction;

// Removes everything, once it is told to.
class SwitchedFilter final : public CompactionFilter {
 public:
  const char* Name() const override { return "SwitchedFilter"; }
  bool Filter(int, const Slice&, const Slice&, std::string*,
              bool*) const override {
    return removes;
  }
  std::atomic<bool> removes{false};
};

// What all compactions have read and written, by file number.
class FileWatch final : public EventListener {
 public:
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    ++jobs;
    if (canceled != nullptr) *canceled = true;
    for (const CompactionFileInfo& file : info.input_file_infos) {
      read.insert(file.file_number);
    }
    for (const CompactionFileInfo& file : info.output_file_infos) {
      written.insert(file.file_number);
    }
  }
  void Clear() {
    jobs = 0;
    read.clear();
    written.clear();
  }

  int jobs = 0;
  std::multiset<uint64_t> read;
  std::set<uint64_t> written;
  std::atomic<bool>* canceled = nullptr;  // Set when a job has ended.
};

class ManualCompactionTest : public FilesTest {
 protected:
  ManualCompactionTest() { options_.listeners.push_back(watch_); }
  ~ManualCompactionTest() override { db_.reset(); }

  Status TryCompact(Bottom bottom, std::atomic<bool>* canceled = nullptr) {
    CompactRangeOptions options;
    options.bottommost_level_compaction = bottom;
    options.canceled = canceled;
    return db_->CompactRange(options, nullptr, nullptr);
  }
  void Compact(Bottom bottom) {
    const Status status = TryCompact(bottom);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  static std::string KeyOf(int i) { return "k" + std::to_string(100 + i); }
  std::vector<uint64_t> FilesAt(int level) {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::vector<uint64_t> numbers;
    for (const LiveFileMetaData& file : files) {
      if (file.level == level) numbers.push_back(file.file_number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }
  // Level 1: several files, which are returned. Level 0: one file, with a key
  // in the middle of them.
  std::vector<uint64_t> FillAround() {
    options_.target_file_size_base = 3000;
    Open();
    for (int i = 0; i < kKeys; ++i) Put(KeyOf(i), std::string(1000, 'v'));
    Flush();
    Compact(Bottom::kForce);
    const std::vector<uint64_t> files = FilesAt(1);
    EXPECT_GE(files.size(), 5u);
    Put(KeyOf(kKeys / 2), std::string(1000, 'w'));
    Flush();
    watch_->Clear();
    return files;
  }
  void ExpectRowsOfFillAround() {
    FileRows rows;
    for (int i = 0; i < kKeys; ++i) {
      rows.emplace_back(KeyOf(i),
                        std::string(1000, i == kKeys / 2 ? 'w' : 'v'));
    }
    EXPECT_EQ(rows, Rows());
  }
  // Every old file was rewritten in one of three jobs, and no file of theirs
  // was read again.
  void ExpectThatEveryFileWasReadOnce(const std::vector<uint64_t>& old) {
    EXPECT_EQ(3, watch_->jobs);  // The middle, and what lies on either side.
    for (const uint64_t number : old) {
      EXPECT_EQ(1u, watch_->read.count(number)) << number;
    }
    for (const uint64_t number : watch_->written) {
      EXPECT_EQ(0u, watch_->read.count(number)) << number;
    }
    const std::vector<uint64_t> now = FilesAt(1);
    EXPECT_EQ(watch_->written, std::set<uint64_t>(now.begin(), now.end()));
    ExpectRowsOfFillAround();
    Open();
    ExpectRowsOfFillAround();
  }
  // Level 1 keeps a value and its deletion, of which nothing is needed any
  // more. Level 0: a key elsewhere.
  void FillWithGarbage() {
    Open();
    Put("k", "v");
    const Snapshot* const snapshot = db_->GetSnapshot();
    ASSERT_TRUE(db_->Delete(WriteOptions(), "k").ok());
    Flush();
    Compact(Bottom::kSkip);
    db_->ReleaseSnapshot(snapshot);
    Put("a", "v");
    Flush();
    ASSERT_EQ("1,1", Shape());
  }

  static constexpr int kKeys = 30;
  const std::shared_ptr<FileWatch> watch_ = std::make_shared<FileWatch>();
  SwitchedFilter filter_;
};

TEST_F(ManualCompactionTest, TheFilterSeesBottomFilesThatNothingOverlaps) {
  options_.compaction_filter = &filter_;
  for (const bool dynamic : {false, true}) {
    options_.level_compaction_dynamic_level_bytes = dynamic;
    filter_.removes = false;
    Open();
    Put("n1", "v");
    Flush();
    Compact(Bottom::kIfHaveCompactionFilter);
    filter_.removes = true;
    Put("a1", "v");
    Flush();
    Compact(Bottom::kSkip);
    EXPECT_EQ((FileRows{{"n1", "v"}}), Rows());
    Put("a1", "v");
    Flush();
    Compact(Bottom::kIfHaveCompactionFilter);
    EXPECT_EQ(FileRows(), Rows());
    EXPECT_EQ("", Shape());
  }
}

TEST_F(ManualCompactionTest, ForFiltersTheFilesOfTheCallStay) {
  options_.compaction_filter = &filter_;
  const std::vector<uint64_t> old = FillAround();
  Compact(Bottom::kIfHaveCompactionFilter);
  ExpectThatEveryFileWasReadOnce(old);
}

TEST_F(ManualCompactionTest, OptimizedTheFilesOfTheCallStay) {
  const std::vector<uint64_t> old = FillAround();
  Compact(Bottom::kForceOptimized);
  ExpectThatEveryFileWasReadOnce(old);
}

TEST_F(ManualCompactionTest, ForcedTheyAreRewrittenAsWell) {
  const std::vector<uint64_t> old = FillAround();
  Compact(Bottom::kForce);
  EXPECT_EQ(2, watch_->jobs);
  const std::vector<uint64_t> now = FilesAt(1);
  for (const uint64_t number : watch_->written) {
    const bool stays = std::count(now.begin(), now.end(), number) > 0;
    EXPECT_EQ(stays ? 0u : 1u, watch_->read.count(number)) << number;
  }
  ExpectRowsOfFillAround();
}

TEST_F(ManualCompactionTest, SkippedTheOthersStay) {
  const std::vector<uint64_t> old = FillAround();
  Compact(Bottom::kSkip);
  EXPECT_EQ(1, watch_->jobs);
  EXPECT_LT(watch_->read.size(), old.size());
  ExpectRowsOfFillAround();
}

TEST_F(ManualCompactionTest, OptimizedItMovesNoFileUnread) {
  Open();
  Put("k", "v");
  const Snapshot* const snapshot = db_->GetSnapshot();
  ASSERT_TRUE(db_->Delete(WriteOptions(), "k").ok());
  Flush();
  db_->ReleaseSnapshot(snapshot);
  Compact(Bottom::kForceOptimized);
  EXPECT_EQ("", Shape());
}

TEST_F(ManualCompactionTest, OptimizedItFreesWhatSnapshotsKept) {
  ASSERT_NO_FATAL_FAILURE(FillWithGarbage());
  Compact(Bottom::kForceOptimized);
  EXPECT_EQ("0,1", Shape());
  EXPECT_EQ((FileRows{{"a", "v"}}), Rows());
}

TEST_F(ManualCompactionTest, WithoutAFilterTheDefaultLeavesTheBottom) {
  ASSERT_NO_FATAL_FAILURE(FillWithGarbage());
  Compact(Bottom::kIfHaveCompactionFilter);
  EXPECT_EQ("0,2", Shape());
}

TEST_F(ManualCompactionTest, OnlyFilesOfTheRangeAreRewritten) {
  ASSERT_NO_FATAL_FAILURE(FillAround());
  const std::vector<uint64_t> old = FilesAt(1);
  CompactRangeOptions options;
  options.bottommost_level_compaction = Bottom::kForceOptimized;
  const std::string middle = KeyOf(kKeys / 2);
  const Slice begin(middle);
  ASSERT_TRUE(db_->CompactRange(options, &begin, nullptr).ok());
  EXPECT_EQ(2, watch_->jobs);
  EXPECT_EQ(0u, watch_->read.count(old.front()));
  EXPECT_EQ(1u, watch_->read.count(old.back()));
  ExpectRowsOfFillAround();
}

TEST_F(ManualCompactionTest, ACanceledCallStopsBetweenItsJobs) {
  ASSERT_NO_FATAL_FAILURE(FillAround());
  std::atomic<bool> canceled{false};
  watch_->canceled = &canceled;
  const Status status = TryCompact(Bottom::kForceOptimized, &canceled);
  watch_->canceled = nullptr;
  EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
  EXPECT_EQ(1, watch_->jobs);
  EXPECT_EQ("0,", Shape().substr(0, 2));
  ExpectRowsOfFillAround();
  Compact(Bottom::kForceOptimized);
  ExpectRowsOfFillAround();
}

TEST_F(ManualCompactionTest, TheResultGoesToTheTargetLevel) {
  const std::vector<uint64_t> old = FillAround();
  CompactRangeOptions options;
  options.bottommost_level_compaction = Bottom::kForceOptimized;
  options.change_level = true;
  options.target_level = 4;
  options.exclusive_manual_compaction = true;
  options.max_subcompactions = 3;
  ASSERT_TRUE(db_->CompactRange(options, nullptr, nullptr).ok());
  EXPECT_TRUE(FilesAt(1).empty());
  const std::vector<uint64_t> now = FilesAt(4);
  for (const uint64_t number : old) {
    EXPECT_EQ(0, std::count(now.begin(), now.end(), number)) << number;
  }
  ExpectRowsOfFillAround();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
