// Trash and SstFileManagerImpl over files in memory, with a clock that stands
// still until a test moves it.

#include "env/space/trash.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "env/mem/mem_file_system.h"
#include "env/space/sst_file_manager.h"
#include "test/support/error_fs.h"
#include "test/support/manual_clock.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using test::ErrorFileSystem;
using test::ManualClock;

constexpr int64_t kSecondMicros = 1000 * 1000;

class TrashTest : public ::testing::Test {
 protected:
  TrashTest() { limits_.trash_share_max = 1; }

  void Make() {
    Trash::Deps deps;
    deps.fs = fs_;
    deps.clock = clock_;
    deps.live_bytes = [this] { return live_bytes_; };
    trash_ = std::make_unique<Trash>(std::move(deps), limits_);
    trash_->set_statistics(statistics_);
  }
  void Write(const std::string& name, size_t bytes) {
    ASSERT_TRUE(WriteStringToFile(fs_.get(), std::string(bytes, 'x'), name,
                                  /*should_sync=*/false)
                    .ok());
  }
  bool Exists(const std::string& name) {
    return fs_->FileExists(name, IOOptions(), nullptr).ok();
  }
  uint64_t Size(const std::string& name) {
    uint64_t bytes = 0;
    EXPECT_TRUE(fs_->GetFileSize(name, IOOptions(), &bytes, nullptr).ok());
    return bytes;
  }
  // The trash's thread sleeps until the clock moves.
  void AwaitSleep() { clock_->AwaitWaiters(1); }
  // It does, because a file has just gone.
  void MakeBusy() {
    Make();
    Write("/a", 200);
    ASSERT_TRUE(trash_->Delete("/a").ok());
    AwaitSleep();
  }
  // However late the thread goes to sleep.
  void AdvanceUntilEmpty() {
    while (trash_->trash_bytes() > 0) {
      clock_->Advance(kSecondMicros);
      std::this_thread::yield();
    }
    trash_->AwaitEmpty();
  }
  uint64_t Ticks(uint32_t ticker) const {
    return statistics_->getTickerCount(ticker);
  }

  std::shared_ptr<ErrorFileSystem> fs_ =
      std::make_shared<ErrorFileSystem>(std::make_shared<MemFileSystem>());
  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  std::shared_ptr<Statistics> statistics_ = CreateDBStatistics();
  Trash::Limits limits_;
  uint64_t live_bytes_ = 1000;
  std::unique_ptr<Trash> trash_;
};

TEST_F(TrashTest, WithoutARateFilesGoAtOnce) {
  Make();
  Write("/a", 100);
  EXPECT_TRUE(trash_->Delete("/a").ok());
  EXPECT_FALSE(Exists("/a"));
  EXPECT_FALSE(Exists("/a.trash"));
  EXPECT_EQ(1u, Ticks(FILES_DELETED_IMMEDIATELY));
  EXPECT_EQ(0u, Ticks(FILES_MARKED_TRASH));
}

TEST_F(TrashTest, WhatIsNotThereIsNotFound) {
  limits_.bytes_per_second = 100;
  Make();
  EXPECT_FALSE(trash_->Delete("/a").ok());
  EXPECT_EQ(0u, trash_->trash_bytes());
}

TEST_F(TrashTest, TheRateIsKept) {
  limits_.bytes_per_second = 100;
  Make();
  // The first file goes at once; the next one when its time is over.
  Write("/a", 200);
  ASSERT_TRUE(trash_->Delete("/a").ok());
  AwaitSleep();
  EXPECT_FALSE(Exists("/a.trash"));
  Write("/b", 300);
  ASSERT_TRUE(trash_->Delete("/b").ok());
  EXPECT_FALSE(Exists("/b"));
  EXPECT_TRUE(Exists("/b.trash"));
  EXPECT_EQ(300u, trash_->trash_bytes());
  clock_->Advance(kSecondMicros);
  EXPECT_TRUE(Exists("/b.trash"));
  clock_->Advance(kSecondMicros);
  trash_->AwaitEmpty();
  EXPECT_FALSE(Exists("/b.trash"));
  EXPECT_EQ(0u, trash_->trash_bytes());
  EXPECT_EQ(2u, Ticks(FILES_MARKED_TRASH));
  EXPECT_EQ(2u, Ticks(FILES_DELETED_FROM_TRASH_QUEUE));
  EXPECT_EQ(0u, Ticks(FILES_DELETED_IMMEDIATELY));
}

TEST_F(TrashTest, ALargeFileGoesInChunks) {
  limits_.bytes_per_second = 100;
  limits_.chunk_bytes = 100;
  Make();
  Write("/a", 250);
  ASSERT_TRUE(trash_->Delete("/a").ok());
  AwaitSleep();
  EXPECT_EQ(150u, Size("/a.trash"));
  EXPECT_EQ(150u, trash_->trash_bytes());
  clock_->Advance(kSecondMicros);
  while (trash_->trash_bytes() == 150) std::this_thread::yield();
  EXPECT_EQ(50u, Size("/a.trash"));
  AdvanceUntilEmpty();
  EXPECT_FALSE(Exists("/a.trash"));
}

// A checkpoint may have linked it.
TEST_F(TrashTest, AFileWithAnotherNameIsNotCut) {
  limits_.bytes_per_second = 100;
  limits_.chunk_bytes = 100;
  Make();
  Write("/a", 250);
  ASSERT_TRUE(fs_->LinkFile("/a", "/other", IOOptions(), nullptr).ok());
  ASSERT_TRUE(trash_->Delete("/a").ok());
  trash_->AwaitEmpty();
  EXPECT_FALSE(Exists("/a.trash"));
  EXPECT_EQ(250u, Size("/other"));
}

TEST_F(TrashTest, WithTooMuchTrashFilesGoAtOnce) {
  limits_.bytes_per_second = 100;
  limits_.trash_share_max = 0.25;
  Make();
  for (const char* name : {"/a", "/b", "/c"}) Write(name, 260);
  ASSERT_TRUE(trash_->Delete("/a").ok());
  AwaitSleep();
  ASSERT_TRUE(trash_->Delete("/b").ok());  // 260 of 1,000 bytes wait.
  ASSERT_TRUE(trash_->Delete("/c").ok());
  EXPECT_TRUE(Exists("/b.trash"));
  EXPECT_FALSE(Exists("/c"));
  EXPECT_FALSE(Exists("/c.trash"));
  EXPECT_EQ(1u, Ticks(FILES_DELETED_IMMEDIATELY));
}

TEST_F(TrashTest, NamesOfTrashDoNotMeet) {
  limits_.bytes_per_second = 100;
  MakeBusy();
  for (int i = 0; i < 3; ++i) {
    Write("/b", 100);
    ASSERT_TRUE(trash_->Delete("/b").ok());
  }
  EXPECT_TRUE(Exists("/b.trash"));
  EXPECT_TRUE(Exists("/b1.trash"));
  EXPECT_TRUE(Exists("/b2.trash"));
  trash_->set_bytes_per_second(0);
  trash_->AwaitEmpty();
  EXPECT_FALSE(Exists("/b2.trash"));
}

// A scan finds trash that waits already, and what an earlier process left.
TEST_F(TrashTest, TrashIsQueuedOnce) {
  limits_.bytes_per_second = 100;
  MakeBusy();
  Write("/old.trash", 100);
  ASSERT_TRUE(trash_->Delete("/old.trash").ok());
  ASSERT_TRUE(trash_->Delete("/old.trash").ok());
  EXPECT_TRUE(Exists("/old.trash"));
  EXPECT_EQ(100u, trash_->trash_bytes());
  EXPECT_EQ(1u, Ticks(FILES_MARKED_TRASH));
  trash_->set_bytes_per_second(0);
  trash_->AwaitEmpty();
  EXPECT_FALSE(Exists("/old.trash"));
}

TEST_F(TrashTest, WhatWaitsAtTheEndStays) {
  limits_.bytes_per_second = 1;
  MakeBusy();
  Write("/b", 100);
  ASSERT_TRUE(trash_->Delete("/b").ok());
  trash_.reset();
  EXPECT_TRUE(Exists("/b.trash"));
}

// A scan that finds what waits leaves it alone, however much waits.
TEST_F(TrashTest, WhatWaitsGoesOnWaiting) {
  limits_.bytes_per_second = 100;
  MakeBusy();
  Write("/b", 300);
  ASSERT_TRUE(trash_->Delete("/b").ok());
  live_bytes_ = 0;
  ASSERT_TRUE(trash_->Delete("/b.trash").ok());
  EXPECT_TRUE(Exists("/b.trash"));
  EXPECT_EQ(300u, trash_->trash_bytes());
}

// One call fails, or it and all after it. The file is gone, or has kept its
// name and the caller knows, or is trash that the next scan finds.
TEST_F(TrashTest, EveryCallMayFail) {
  limits_.bytes_per_second = 1000 * 1000;
  limits_.chunk_bytes = 100;
  int kept = 0;
  int left = 0;
  for (const char* which : {"OnIndex", "FromIndex"}) {
    for (int n = 0;; ++n) {
      SCOPED_TRACE(which + std::to_string(n));
      Make();
      Write("/a", 250);
      ASSERT_TRUE(fs_->SetRule("(ErrInjected (" + std::string(which) + " " +
                               std::to_string(n) + "))")
                      .ok());
      const IOStatus status = trash_->Delete("/a");
      AdvanceUntilEmpty();
      const bool failed = fs_->injected() > 0;
      fs_->ClearRule();
      EXPECT_EQ(!status.ok(), Exists("/a"));
      kept += Exists("/a");
      left += Exists("/a.trash");
      trash_.reset();
      (void)fs_->DeleteFile("/a", IOOptions(), nullptr);
      (void)fs_->DeleteFile("/a.trash", IOOptions(), nullptr);
      if (!failed) break;
    }
  }
  EXPECT_GT(kept, 0);
  EXPECT_GT(left, 0);
}

TEST(SstFileManager, CountsWhatBelongsToWhom) {
  SstFileManagerImpl manager({}, {});
  const int one = 1;
  const int two = 2;
  manager.AddFile(&one, "/a/1.sst", 100);
  manager.AddFile(&one, "/a/1.sst", 100);
  manager.AddFile(&one, "/a/2.sst", 50);
  manager.AddFile(&two, "/b/1.sst", 30);
  EXPECT_EQ(180u, manager.GetTotalSize());
  EXPECT_EQ(3u, manager.GetTrackedFiles().size());
  manager.ForgetFilesOf(&one);
  EXPECT_EQ(30u, manager.GetTotalSize());
  EXPECT_EQ(30u, manager.GetTrackedFiles().at("/b/1.sst"));
}

TEST(SstFileManager, ReservesForCompactions) {
  SstFileManagerImpl manager({}, {});
  const int owner = 1;
  manager.AddFile(&owner, "/1.sst", 100);
  EXPECT_TRUE(manager.MayReserve(1000000));
  manager.SetMaxAllowedSpaceUsage(200);
  EXPECT_FALSE(manager.IsMaxAllowedSpaceReached());
  EXPECT_TRUE(manager.MayReserve(100));
  EXPECT_FALSE(manager.MayReserve(101));
  {
    const SstFileManagerImpl::Reservation held(&manager, 60);
    EXPECT_FALSE(manager.MayReserve(41));
    EXPECT_FALSE(manager.IsMaxAllowedSpaceReachedIncludingCompactions());
    const SstFileManagerImpl::Reservation more(&manager, 40);
    EXPECT_TRUE(manager.IsMaxAllowedSpaceReachedIncludingCompactions());
    EXPECT_FALSE(manager.IsMaxAllowedSpaceReached());
  }
  manager.SetCompactionBufferSize(30);
  EXPECT_TRUE(manager.MayReserve(70));
  EXPECT_FALSE(manager.MayReserve(71));
  manager.SetCompactionBufferSize(UINT64_MAX);
  EXPECT_FALSE(manager.MayReserve(1));
  manager.AddFile(&owner, "/2.sst", 100);
  EXPECT_TRUE(manager.IsMaxAllowedSpaceReached());
  EXPECT_TRUE(CheckSpaceLimit(nullptr).ok());
  EXPECT_EQ(Status::kSpaceLimit, CheckSpaceLimit(&manager).subcode());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
