// Files at the bottom keep old versions and deletions for snapshots. When the
// snapshots are released those files are rewritten, without any other cause.
//
// That RocksDB does so was seen with 7.8.3 (the level shrinks, reason
// kBottommostFiles), the delay, counted from the file's creation, with 11.8.1.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "db/compaction/plan.h"
#include "rocksdb/listener.h"
#include "test/db/files/files_fixture.h"
#include "test/support/clocked_env.h"
#include "test/support/manual_clock.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

std::string Key(int i) {
  char text[16];
  std::snprintf(text, sizeof(text), "key%04d", i);
  return text;
}

class Jobs final : public EventListener {
 public:
  void OnCompactionBegin(DB*, const CompactionJobInfo& info) override {
    const bool ours =
        info.compaction_reason == CompactionReason::kBottommostFiles;
    ++(ours ? rewrites : others);
    if (!ours) return;
    EXPECT_EQ(info.base_input_level, info.output_level);
    input_files += static_cast<int>(info.input_files.size());
  }
  void OnTableFileCreationStarted(
      const TableFileCreationBriefInfo& info) override {
    if (info.reason == TableFileCreationReason::kCompaction && at_output) {
      std::exchange(at_output, nullptr)();
    }
  }

  std::atomic<int> rewrites{0};
  std::atomic<int> others{0};
  std::atomic<int> input_files{0};
  std::function<void()> at_output;  // Called once.
};

// Parameter: is the database tuned?
class BottommostTest : public FilesTest,
                       public ::testing::WithParamInterface<bool> {
 protected:
  static constexpr int kKeys = 200;

  BottommostTest() {
    options_.disable_auto_compactions = false;
    options_.auto_tuned_compaction = GetParam();
    options_.level0_file_num_compaction_trigger = 100;
    options_.listeners.push_back(jobs_);
  }

  ~BottommostTest() override { db_.reset(); }

  void Write(int begin, int end, char fill) {
    for (int i = begin; i < end; ++i) Put(Key(i), std::string(1000, fill));
  }
  void Delete(int begin, int end) {
    for (int i = begin; i < end; ++i) {
      ASSERT_TRUE(db_->Delete(WriteOptions(), Key(i)).ok());
    }
  }
  // Everything into level 1, which is the bottom.
  void Compact() {
    CompactRangeOptions options;
    options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    ASSERT_TRUE(db_->CompactRange(options, nullptr, nullptr).ok());
    ASSERT_EQ(Shape().substr(0, 2), "0,");
    jobs_->others = 0;
    jobs_->rewrites = 0;
  }
  void Wait() {
    ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  }
  // Returns when a rewrite begins, and after `limit` in any case.
  void AwaitRewrite(std::chrono::seconds limit) const {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (jobs_->rewrites == 0 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  uint64_t Bytes() {
    uint64_t bytes = 0;
    EXPECT_TRUE(db_->GetIntProperty("rocksdb.live-sst-files-size", &bytes));
    return bytes;
  }
  // The database holds all keys in level 1, and a snapshot of that.
  void Prepare() {
    Open();
    Write(0, kKeys, 'a');
    Flush();
    Compact();
    snapshot_ = db_->GetSnapshot();
  }
  void Release() {
    db_->ReleaseSnapshot(snapshot_);
    Wait();
  }
  // Half of the keys were deleted, and only the snapshot keeps them.
  void ExpectThatTheReleaseFreesHalf() {
    Flush();
    Compact();
    const uint64_t before = Bytes();
    Release();
    EXPECT_EQ(jobs_->rewrites, 1);
    EXPECT_LT(Bytes(), before * 6 / 10);
    EXPECT_EQ(Rows().size(), size_t{kKeys / 2});
  }
  std::string ValueAt(const Snapshot* snapshot, int key) {
    ReadOptions read;
    read.snapshot = snapshot;
    std::string value;
    const Status status = db_->Get(read, Key(key), &value);
    return status.ok() ? value.substr(0, 1) : status.ToString();
  }

  const std::shared_ptr<Jobs> jobs_ = std::make_shared<Jobs>();
  const Snapshot* snapshot_ = nullptr;
  const std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>(
      uint64_t{1000} * 1000 * 1000, ManualClock::Sleep::kBlock);
  ClockedEnv clocked_env_{env_.get(), fs_, clock_};
};

INSTANTIATE_TEST_SUITE_P(Tuning, BottommostTest, ::testing::Bool(),
                         [](const auto& tuned) {
                           return tuned.param ? "Adaptive" : "Off";
                         });

TEST_P(BottommostTest, OldVersionsGoWhenTheirSnapshotIsReleased) {
  Prepare();
  Write(0, kKeys, 'b');
  Flush();
  Compact();
  const uint64_t before = Bytes();
  EXPECT_EQ(ValueAt(snapshot_, 7), "a");
  EXPECT_EQ(jobs_->rewrites, 0);
  Release();
  EXPECT_EQ(jobs_->rewrites, 1);
  EXPECT_EQ(jobs_->others, 0);
  EXPECT_LT(Bytes(), before * 6 / 10);
  EXPECT_EQ(Rows().size(), size_t{kKeys});
  EXPECT_EQ(ValueAt(nullptr, 7), "b");
}

TEST_P(BottommostTest, DeletionsAndWhatTheyHideGo) {
  Prepare();
  Delete(0, kKeys / 2);
  ExpectThatTheReleaseFreesHalf();
}

TEST_P(BottommostTest, RangeDeletionsAndWhatTheyHideGo) {
  Prepare();
  ASSERT_TRUE(db_->DeleteRange(WriteOptions(), Key(0), Key(kKeys / 2)).ok());
  ExpectThatTheReleaseFreesHalf();
}

TEST_P(BottommostTest, FilesWithoutGarbageAreLeftAlone) {
  Prepare();
  Write(kKeys, 2 * kKeys, 'b');  // New keys: nothing can be dropped.
  Flush();
  Compact();
  Release();
  EXPECT_EQ(jobs_->rewrites, 0);
}

TEST_P(BottommostTest, AFileIsRewrittenOnce) {
  Prepare();
  Delete(0, kKeys / 2);
  Flush();
  Compact();
  Release();
  EXPECT_EQ(jobs_->rewrites, 1);
  for (int i = 0; i < 3; ++i) {
    Put("z", "z");
    snapshot_ = db_->GetSnapshot();
    Release();
  }
  EXPECT_EQ(jobs_->rewrites, 1);
}

TEST_P(BottommostTest, WhatANewerSnapshotNeedsStays) {
  Prepare();
  Write(0, kKeys, 'b');
  const Snapshot* const newer = db_->GetSnapshot();
  Write(0, kKeys, 'c');
  Flush();
  Compact();
  const uint64_t three_versions = Bytes();
  Release();
  // Its entries are newer than the snapshot that is left.
  EXPECT_EQ(jobs_->rewrites, 0);
  EXPECT_EQ(Bytes(), three_versions);
  EXPECT_EQ(ValueAt(newer, 7), "b");
  db_->ReleaseSnapshot(newer);
  Wait();
  EXPECT_EQ(jobs_->rewrites, 1);
  EXPECT_LT(Bytes(), three_versions * 4 / 10);
  EXPECT_EQ(ValueAt(nullptr, 7), "c");
}

TEST_P(BottommostTest, NeighboursAreRewrittenTogether) {
  options_.target_file_size_base = 20 << 10;
  Prepare();
  Delete(0, kKeys / 2);
  Delete(kKeys / 2 + 10, kKeys);
  Flush();
  Compact();
  const std::string before = Shape();
  EXPECT_GT(std::stoi(before.substr(2)), 5) << before;
  Release();
  EXPECT_EQ(jobs_->rewrites, 1);
  EXPECT_GT(jobs_->input_files, 5);
  EXPECT_EQ(Shape(), "0,1");
  EXPECT_EQ(Rows().size(), 10u);
}

// The job still writes what the snapshot needed when it began.
TEST_P(BottommostTest, AReleaseDuringTheCompactionIsNotForgotten) {
  Prepare();
  Delete(0, kKeys / 2);
  Flush();
  jobs_->at_output = [&] { db_->ReleaseSnapshot(snapshot_); };
  Compact();
  Wait();
  EXPECT_EQ(Rows().size(), size_t{kKeys / 2});
  EXPECT_LT(Bytes(), uint64_t{kKeys} * 1000 * 6 / 10);
}

TEST_P(BottommostTest, FilesOfAnEarlierProcessAreKnownToHoldGarbage) {
  Prepare();
  Write(0, kKeys / 2, 'b');
  Flush();
  Compact();
  const uint64_t before = Bytes();
  ASSERT_TRUE(db_->SetOptions({{"disable_auto_compactions", "true"}}).ok());
  db_->ReleaseSnapshot(snapshot_);
  Open();
  Wait();
  EXPECT_EQ(Bytes(), before);  // As in RocksDB, a release is what begins it.
  snapshot_ = db_->GetSnapshot();
  Release();
  EXPECT_EQ(jobs_->rewrites, 1);
  EXPECT_LT(Bytes(), before * 8 / 10);
}

TEST_P(BottommostTest, ADatabaseThatDoesNotCompactMarksThemForLater) {
  Prepare();
  Delete(0, kKeys / 2);
  Flush();
  Compact();
  const uint64_t before = Bytes();
  ASSERT_TRUE(db_->SetOptions({{"disable_auto_compactions", "true"}}).ok());
  Release();
  EXPECT_EQ(Bytes(), before);
  ASSERT_TRUE(db_->SetOptions({{"disable_auto_compactions", "false"}}).ok());
  Wait();
  EXPECT_EQ(jobs_->rewrites, 1);
  EXPECT_LT(Bytes(), before * 6 / 10);
}

TEST_P(BottommostTest, ADelayCountsFromTheFilesCreation) {
  options_.env = &clocked_env_;
  options_.bottommost_file_compaction_delay = 60;
  Prepare();
  Delete(0, kKeys / 2);
  Flush();
  Compact();
  clock_->Advance(59 * 1000 * 1000);
  Release();
  EXPECT_EQ(jobs_->rewrites, 0);
  // The timer's thread may be late from the first advance, and then it skips to
  // a second that has not begun: time goes on, for a minute at most.
  for (int step = 0; step < 30 && jobs_->rewrites == 0; ++step) {
    clock_->Advance(2 * 1000 * 1000);
    AwaitRewrite(std::chrono::seconds(2));
  }
  Wait();
  EXPECT_EQ(jobs_->rewrites, 1);
  EXPECT_EQ(Rows().size(), size_t{kKeys / 2});
}

TEST(BottommostJob, IsMaintenanceForTheTuner) {
  engine::CompactionPlan plan;
  plan.reason = CompactionReason::kBottommostFiles;
  plan.inputs.push_back({1, {}});
  plan.output_level = 1;
  EXPECT_EQ(plan.job_class(), engine::JobClass::kMaintenance);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
