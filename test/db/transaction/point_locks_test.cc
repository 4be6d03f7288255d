// Locks of keys: who gets one, who waits, and how a wait ends.

#include "db/transaction/locks/point_locks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/system_clock.h"
#include "test/support/ok.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr int64_t kForever = -1;
constexpr int64_t kNoWait = 0;

class PointLocksTest : public ::testing::Test {
 protected:
  PointLocksTest() { Make({}); }

  void Make(const TransactionDBOptions& options) {
    locks_ = std::make_unique<PointLocks>(
        options, PointLocks::Deps{SystemClock::Default().get(),
                                  [this](TransactionID id) {
                                    ++asked_;
                                    return gives_up_ == id;
                                  }});
    locks_->AddFamily(0);
  }
  static std::unique_ptr<LockOwner> Owner(TransactionID id,
                                          int64_t timeout_micros) {
    auto owner = std::make_unique<LockOwner>();
    owner->id = id;
    owner->timeout_micros = timeout_micros;
    owner->detects_deadlocks = true;
    owner->detection_depth = 50;
    return owner;
  }
  static void AwaitWaiting(const LockOwner& owner) {
    while (owner.waiting.Get(nullptr, nullptr).empty()) {
      std::this_thread::yield();
    }
  }
  Status Lock(LockOwner* owner, const std::string& key, bool exclusive = true) {
    return locks_->Lock(owner, 0, key, exclusive);
  }

  std::unique_ptr<PointLocks> locks_;
  std::atomic<TransactionID> gives_up_{0};
  std::atomic<int> asked_{0};
};

TEST_F(PointLocksTest, AnExclusiveLockHasOneHolder) {
  const auto a = Owner(1, kNoWait);
  const auto b = Owner(2, kNoWait);
  test::Ok(Lock(a.get(), "k"));
  test::Ok(Lock(a.get(), "k"));  // Its own.
  test::Ok(Lock(b.get(), "l"));
  const Status refused = Lock(b.get(), "k");
  EXPECT_TRUE(refused.IsTimedOut());
  EXPECT_EQ(Status::SubCode::kLockTimeout, refused.subcode());
  EXPECT_TRUE(Lock(b.get(), "k", /*exclusive=*/false).IsTimedOut());
  EXPECT_EQ(2u, locks_->All().size());
  locks_->Unlock(1, 0, "k");
  test::Ok(Lock(b.get(), "k"));
  locks_->Unlock(1, 0, "k");  // Not its own any more: nothing happens.
  EXPECT_TRUE(Lock(a.get(), "k").IsTimedOut());
  EXPECT_TRUE(locks_->Lock(a.get(), 7, "k", true).IsInvalidArgument());
}

TEST_F(PointLocksTest, SharedLocksAreShared) {
  const auto a = Owner(1, kNoWait);
  const auto b = Owner(2, kNoWait);
  test::Ok(Lock(a.get(), "k", false));
  test::Ok(Lock(b.get(), "k", false));
  EXPECT_TRUE(Lock(a.get(), "k").IsTimedOut());  // Not while both have it.
  locks_->Unlock(2, 0, "k");
  test::Ok(Lock(a.get(), "k"));
  EXPECT_TRUE(Lock(b.get(), "k", false).IsTimedOut());
  const auto all = locks_->All();
  ASSERT_EQ(1u, all.size());
  EXPECT_TRUE(all.begin()->second.exclusive);
  EXPECT_EQ(std::vector<TransactionID>{1}, all.begin()->second.ids);
}

TEST_F(PointLocksTest, AWaiterGetsTheLock) {
  const auto a = Owner(1, kNoWait);
  const auto b = Owner(2, kForever);
  test::Ok(Lock(a.get(), "k"));
  std::thread waiter([&] { test::Ok(Lock(b.get(), "k")); });
  AwaitWaiting(*b);
  uint32_t family = 7;
  std::string key;
  EXPECT_EQ(std::vector<TransactionID>{1}, b->waiting.Get(&family, &key));
  EXPECT_EQ(0u, family);
  EXPECT_EQ("k", key);
  locks_->Unlock(1, 0, "k");
  waiter.join();
  EXPECT_TRUE(b->waiting.Get(nullptr, nullptr).empty());
  EXPECT_TRUE(Lock(a.get(), "k").IsTimedOut());
}

TEST_F(PointLocksTest, AHolderWaitsUntilItIsAlone) {
  const auto a = Owner(1, kForever);
  const auto b = Owner(2, kNoWait);
  test::Ok(Lock(a.get(), "k", false));
  test::Ok(Lock(b.get(), "k", false));
  std::thread waiter([&] { test::Ok(Lock(a.get(), "k")); });
  AwaitWaiting(*a);
  locks_->Unlock(2, 0, "k");
  waiter.join();
  EXPECT_TRUE(Lock(b.get(), "k", false).IsTimedOut());
}

TEST_F(PointLocksTest, AWaitEndsWithItsFamily) {
  const auto a = Owner(1, kNoWait);
  const auto b = Owner(2, kForever);
  test::Ok(Lock(a.get(), "k"));
  std::thread waiter(
      [&] { EXPECT_TRUE(Lock(b.get(), "k").IsInvalidArgument()); });
  AwaitWaiting(*b);
  locks_->RemoveFamily(0);
  waiter.join();
  locks_->Unlock(1, 0, "k");
}

TEST_F(PointLocksTest, AWaitEndsWithItsTime) {
  const auto a = Owner(1, kNoWait);
  const auto b = Owner(2, 2000);
  test::Ok(Lock(a.get(), "k"));
  EXPECT_TRUE(Lock(b.get(), "k").IsTimedOut());
  locks_->Unlock(1, 0, "k");
  EXPECT_TRUE(locks_->All().empty());
}

TEST_F(PointLocksTest, ACircleOfThreeIsADeadlock) {
  const auto a = Owner(1, kForever);
  const auto b = Owner(2, kForever);
  const auto c = Owner(3, kForever);
  test::Ok(Lock(a.get(), "a"));
  test::Ok(Lock(b.get(), "b"));
  test::Ok(Lock(c.get(), "c"));
  std::thread first([&] { test::Ok(Lock(a.get(), "b")); });
  std::thread second([&] { test::Ok(Lock(b.get(), "c")); });
  AwaitWaiting(*a);
  AwaitWaiting(*b);
  const Status status = Lock(c.get(), "a");
  EXPECT_TRUE(status.IsDeadlock());
  const std::vector<DeadlockPath> deadlocks = locks_->Deadlocks();
  ASSERT_EQ(1u, deadlocks.size());
  EXPECT_FALSE(deadlocks[0].limit_exceeded);
  std::string path;
  for (const DeadlockInfo& info : deadlocks[0].path) {
    path += std::to_string(info.m_txn_id) + info.m_waiting_key + " ";
  }
  EXPECT_EQ("1b 2c 3a ", path);
  locks_->Unlock(3, 0, "c");
  second.join();
  locks_->Unlock(2, 0, "b");
  first.join();
  locks_->SetMaxDeadlocks(0);
  EXPECT_TRUE(locks_->Deadlocks().empty());
}

TEST_F(PointLocksTest, ALookThatIsTooShortIsADeadlockToo) {
  const auto a = Owner(1, kForever);
  const auto b = Owner(2, kForever);
  const auto c = Owner(3, kForever);
  c->detection_depth = 1;
  test::Ok(Lock(a.get(), "a"));
  test::Ok(Lock(b.get(), "b"));
  std::thread waiter([&] { test::Ok(Lock(a.get(), "b")); });
  AwaitWaiting(*a);
  EXPECT_TRUE(Lock(c.get(), "a").IsDeadlock());
  ASSERT_EQ(1u, locks_->Deadlocks().size());
  EXPECT_TRUE(locks_->Deadlocks()[0].limit_exceeded);
  locks_->Unlock(2, 0, "b");
  waiter.join();
}

TEST_F(PointLocksTest, AnExpiredHolderIsAskedForItsLocks) {
  const auto a = Owner(1, kNoWait);
  a->expires_at_micros = 1;
  const auto b = Owner(2, kNoWait);
  test::Ok(Lock(a.get(), "k"));
  EXPECT_TRUE(Lock(b.get(), "k").IsTimedOut());  // It commits just now.
  EXPECT_EQ(1, asked_);
  gives_up_ = 1;
  test::Ok(Lock(b.get(), "k"));
  locks_->Unlock(1, 0, "k");
  ASSERT_EQ(1u, locks_->All().size());
  EXPECT_EQ(std::vector<TransactionID>{2}, locks_->All().begin()->second.ids);
}

TEST_F(PointLocksTest, EachHolderOfASharedLockExpires) {
  const auto a = Owner(1, kNoWait);
  a->expires_at_micros = 1;
  const auto b = Owner(2, kNoWait);
  const auto c = Owner(3, kNoWait);
  gives_up_ = 1;
  test::Ok(Lock(a.get(), "k", false));
  test::Ok(Lock(b.get(), "k", false));
  EXPECT_TRUE(Lock(c.get(), "k").IsTimedOut());  // The other one is in time.
  EXPECT_EQ(1, asked_);
  locks_->Unlock(1, 0, "k");  // It is not a holder any more.
  locks_->Unlock(2, 0, "k");
  test::Ok(Lock(a.get(), "k", false));
  test::Ok(Lock(b.get(), "k", false));
  locks_->Unlock(2, 0, "k");  // The first one stays, and still expires.
  test::Ok(Lock(c.get(), "k"));
  test::Ok(Lock(c.get(), "k", false));
  EXPECT_EQ(std::vector<TransactionID>{3}, locks_->All().begin()->second.ids);
}

TEST_F(PointLocksTest, AHolderMakesItExclusiveWhenTheOtherExpires) {
  TransactionDBOptions options;
  options.max_num_locks = 1;
  Make(options);
  const auto a = Owner(1, kNoWait);
  a->expires_at_micros = 1;
  const auto b = Owner(2, kNoWait);
  test::Ok(Lock(a.get(), "k", false));
  test::Ok(Lock(b.get(), "k", false));
  EXPECT_TRUE(Lock(b.get(), "k").IsTimedOut());
  gives_up_ = 1;
  test::Ok(Lock(b.get(), "k"));
  EXPECT_TRUE(locks_->All().begin()->second.exclusive);
  locks_->Unlock(2, 0, "k");
  EXPECT_TRUE(locks_->All().empty());
  test::Ok(Lock(b.get(), "other"));  // One lock, counted once.
}

TEST_F(PointLocksTest, WaitsAreCounted) {
  SetPerfLevel(kEnableTime);
  get_perf_context()->Reset();
  const auto a = Owner(1, kNoWait);
  const auto b = Owner(2, 2000);
  test::Ok(Lock(a.get(), "k"));
  EXPECT_TRUE(Lock(b.get(), "k").IsTimedOut());
  EXPECT_GE(get_perf_context()->key_lock_wait_count, 1u);
  EXPECT_GT(get_perf_context()->key_lock_wait_time, 0u);
  SetPerfLevel(kDisable);
}

TEST_F(PointLocksTest, HaveALimit) {
  TransactionDBOptions options;
  options.max_num_locks = 2;
  Make(options);
  const auto a = Owner(1, kNoWait);
  const auto b = Owner(2, kNoWait);
  test::Ok(Lock(a.get(), "1"));
  test::Ok(Lock(a.get(), "2", false));
  test::Ok(Lock(b.get(), "2", false));  // Locked already.
  const Status refused = Lock(b.get(), "3");
  EXPECT_TRUE(refused.IsBusy());
  EXPECT_EQ(Status::SubCode::kLockLimit, refused.subcode());
  locks_->Unlock(1, 0, "2");
  EXPECT_TRUE(Lock(b.get(), "3").IsBusy());
  locks_->Unlock(2, 0, "2");
  test::Ok(Lock(b.get(), "3"));
}

// Each thread adds to numbers that only locks protect.
TEST_F(PointLocksTest, ManyThreadsExcludeEachOther) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 2000;
  constexpr int kKeys = 3;
  int counters[kKeys] = {};
  int expected[kThreads][kKeys] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Random64 random(static_cast<uint64_t>(t) + 1);
      const auto owner = Owner(static_cast<TransactionID>(t) + 1, kForever);
      for (int round = 0; round < kRounds; ++round) {
        const auto first = static_cast<int>(random.Uniform(kKeys));
        const auto second = static_cast<int>(random.Uniform(kKeys));
        std::vector<int> held;
        for (const int k : {first, second}) {
          if (!held.empty() && held[0] == k) continue;
          const Status status = Lock(owner.get(), std::to_string(k));
          if (!status.ok()) {
            ASSERT_TRUE(status.IsDeadlock()) << status.ToString();
            break;
          }
          held.push_back(k);
          ++counters[k];
          ++expected[t][k];
        }
        for (const int k : held) {
          locks_->Unlock(owner->id, 0, std::to_string(k));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < kKeys; ++k) {
    int sum = 0;
    for (const auto& row : expected) sum += row[k];
    EXPECT_EQ(sum, counters[k]);
  }
  EXPECT_TRUE(locks_->All().empty());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
