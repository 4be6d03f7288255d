// NewThreadPool: jobs of a program, and what joining does to them.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "rocksdb/threadpool.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using PoolOwner = std::unique_ptr<ThreadPool>;

// Keeps a thread busy until it is opened.
class Door {
 public:
  // A job that says that it runs, and waits.
  std::function<void()> Job() {
    return [this, opened = opened_] {
      entered_.fetch_add(1);
      opened.wait();
    };
  }
  void AwaitEntered(int count) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (entered_.load() < count) {
      if (std::chrono::steady_clock::now() > end) {
        Open();  // The jobs that wait would hang.
        FAIL() << entered_.load() << " of " << count << " jobs have started";
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  void Open() { open_.set_value(); }

 private:
  std::promise<void> open_;
  std::shared_future<void> opened_ = open_.get_future().share();
  std::atomic<int> entered_{0};
};

TEST(FunctionPool, OneThreadRunsJobsInTheirOrder) {
  const PoolOwner pool(NewThreadPool(1));
  EXPECT_EQ(pool->GetBackgroundThreads(), 1);
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) {
    pool->SubmitJob([&order, i] { order.push_back(i); });
  }
  pool->WaitForJobsAndJoinAllThreads();
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST(FunctionPool, AsManyJobsRunAtOnceAsThereAreThreads) {
  Door door;
  const PoolOwner pool(NewThreadPool(3));
  const std::function<void()> job = door.Job();
  for (int i = 0; i < 4; ++i) pool->SubmitJob(job);
  ASSERT_NO_FATAL_FAILURE(door.AwaitEntered(3));
  EXPECT_EQ(pool->GetQueueLen(), 1u);
  pool->SetBackgroundThreads(4);
  EXPECT_EQ(pool->GetBackgroundThreads(), 4);
  ASSERT_NO_FATAL_FAILURE(door.AwaitEntered(4));
  EXPECT_EQ(pool->GetQueueLen(), 0u);
  door.Open();
  pool->WaitForJobsAndJoinAllThreads();
}

TEST(FunctionPool, JoiningDestroysTheJobsThatHaveNotStarted) {
  Door door;
  const PoolOwner pool(NewThreadPool(1));
  pool->SubmitJob(door.Job());
  ASSERT_NO_FATAL_FAILURE(door.AwaitEntered(1));
  std::atomic<int> runs{0};
  auto held = std::make_shared<int>(0);
  const std::weak_ptr<int> watched = held;
  pool->SubmitJob([held, &runs] { ++runs; });
  held.reset();
  ASSERT_FALSE(watched.expired());
  std::thread joiner([&pool] { pool->JoinAllThreads(); });
  while (pool->GetQueueLen() > 0) std::this_thread::yield();
  door.Open();
  joiner.join();
  EXPECT_TRUE(watched.expired());
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(pool->GetBackgroundThreads(), 0);
}

TEST(FunctionPool, WorksAgainAfterItWasJoined) {
  std::atomic<int> runs{0};
  const PoolOwner pool(NewThreadPool(2));
  pool->JoinAllThreads();
  pool->SubmitJob([&runs] { ++runs; });
  EXPECT_EQ(pool->GetQueueLen(), 1u);
  pool->SetBackgroundThreads(1);
  pool->SubmitJob([&runs] { ++runs; });
  pool->WaitForJobsAndJoinAllThreads();
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(pool->GetBackgroundThreads(), 0);
}

TEST(FunctionPool, WaitsForTheJobsThatJobsSubmit) {
  std::atomic<int> runs{0};
  const PoolOwner pool(NewThreadPool(2));
  pool->SubmitJob([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    pool->SubmitJob([&runs] { ++runs; });
    ++runs;
  });
  pool->WaitForJobsAndJoinAllThreads();
  EXPECT_EQ(runs, 2);
}

TEST(FunctionPool, WithoutThreadsTheCallerThatWaitsRunsTheJobs) {
  const PoolOwner pool(NewThreadPool(0));
  std::thread::id ran_in;
  pool->SubmitJob([&ran_in] { ran_in = std::this_thread::get_id(); });
  pool->SubmitJob(std::function<void()>());
  EXPECT_EQ(pool->GetQueueLen(), 1u);
  pool->WaitForJobsAndJoinAllThreads();
  EXPECT_EQ(ran_in, std::this_thread::get_id());
}

TEST(FunctionPool, ReservedThreadsRunNothing) {
  Door door;
  const PoolOwner pool(NewThreadPool(2));
  int reserved = 0;
  for (int i = 0; i < 12000 && reserved < 2; ++i) {
    reserved += pool->ReserveThreads(2 - reserved);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_EQ(reserved, 2);
  EXPECT_EQ(pool->ReserveThreads(1), 0);
  pool->SubmitJob(door.Job());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(pool->GetQueueLen(), 1u);
  EXPECT_EQ(pool->ReleaseThreads(1), 1);
  ASSERT_NO_FATAL_FAILURE(door.AwaitEntered(1));
  EXPECT_EQ(pool->ReleaseThreads(5), 1);
  door.Open();
  pool->WaitForJobsAndJoinAllThreads();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
