// When the passes of PurgeTask run.

#include "db/file_deletion/purge_task.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "rocksdb/env.h"
#include "util/mutex_unlock.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

class PurgeTaskTest : public ::testing::Test {
 protected:
  // Before the mutex goes, which a task holds to its end.
  ~PurgeTaskTest() override {
    MutexLock lock(&mu_);
    released_ = true;
    task_.Stop();
  }
  // Until `reached`, for a minute at most.
  template <typename Fn>
  static bool Reached(const Fn& reached) {
    for (int i = 0; i < 60'000 && !reached(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return reached();
  }
  // A pass that takes until `released_`.
  void Pass() {
    const MutexUnlock unlock(&mu_);
    most_ = std::max(most_.load(), ++active_);
    ++begun_;
    EXPECT_TRUE(Reached([this] { return released_.load(); }));
    --active_;
  }
  void AwaitQuiet() {
    EXPECT_TRUE(Reached([this] { return !task_.busy(); }));
  }

  StateMutex mu_;
  CondVar changed_;
  std::atomic<int> begun_{0};
  std::atomic<int> active_{0};
  std::atomic<int> most_{0};
  std::atomic<bool> released_{false};
  PurgeTask task_{{Env::Default(), &mu_, &changed_,
                   std::function<void()>([this] { Pass(); })}};
};

TEST_F(PurgeTaskTest, ServesRequestsDuringAPassWithOneMore) {
  Env::Default()->IncBackgroundThreadsIfNeeded(3, Env::HIGH);
  task_.Request();
  ASSERT_TRUE(Reached([this] { return begun_ == 1; }));
  EXPECT_TRUE(task_.running());
  for (int i = 0; i < 5; ++i) task_.Request();
  EXPECT_EQ(1, begun_);
  released_ = true;
  AwaitQuiet();
  EXPECT_EQ(2, begun_);
  EXPECT_EQ(1, most_);
  task_.Request();
  AwaitQuiet();
  EXPECT_EQ(3, begun_);
}

TEST_F(PurgeTaskTest, StopsAfterThePassThatRuns) {
  Env::Default()->IncBackgroundThreadsIfNeeded(3, Env::HIGH);
  task_.Request();
  ASSERT_TRUE(Reached([this] { return begun_ == 1; }));
  task_.Request();
  std::thread releaser([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    released_ = true;
  });
  {
    MutexLock lock(&mu_);
    task_.Stop();
    EXPECT_EQ(0, active_);
    EXPECT_FALSE(task_.busy());
  }
  task_.Request();
  EXPECT_FALSE(task_.busy());
  releaser.join();
  // A pass that was due when Stop() came may have begun before it.
  EXPECT_LE(begun_, 2);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
