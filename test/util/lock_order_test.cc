// Dev builds end a process whose thread takes ranked locks in the wrong order.

#include <gtest/gtest.h>

#include "util/mutex.h"
#include "util/mutex_unlock.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

#ifndef NDEBUG

TEST(LockOrderDeathTest, ALockOfASmallerRankUnderALargerOneEndsTheProcess) {
  StateMutex state;
  Mutex log(LockRank::kInfoLog);
  EXPECT_DEATH(
      {
        const MutexLock outer(&log);
        const MutexLock inner(&state);
      },
      "lock order: takes State while this thread holds InfoLog");
}

TEST(LockOrderDeathTest, TwoLocksOfOneRankEndTheProcess) {
  StateMutex first;
  StateMutex second;
  EXPECT_DEATH(
      {
        const MutexLock outer(&first);
        const MutexLock inner(&second);
      },
      "takes State while this thread holds State");
}

TEST(LockOrderDeathTest, UnderALockWithoutARankNoOtherIsTaken) {
  Mutex unranked;
  SharedMutex also_unranked;
  Mutex log(LockRank::kInfoLog);
  EXPECT_DEATH(
      {
        const MutexLock outer(&unranked);
        const MutexLock inner(&log);
      },
      "takes InfoLog while this thread holds Leaf");
  EXPECT_DEATH(
      {
        const MutexLock outer(&unranked);
        const ReadLock inner(&also_unranked);
      },
      "takes Leaf while this thread holds Leaf");
}

TEST(LockOrderDeathTest, ASharedLockHasItsPlaceInTheOrder) {
  SharedMutex backup(LockRank::kBackup);
  StateMutex state;
  const ReadLock reading(&backup);
  const MutexLock held(&state);
  EXPECT_DEATH(const WriteLock again(&backup),
               "takes Backup while this thread holds Backup");
}

TEST(LockOrderDeathTest, ASleeperThatHoldsALargerRankEndsTheProcess) {
  Mutex tick(LockRank::kTuningTick);
  StateMutex state;
  CondVar changed;
  const MutexLock outer(&tick);
  const MutexLock inner(&state);
  EXPECT_DEATH(changed.WaitFor(&tick, std::chrono::microseconds(1)),
               "takes TuningTick while this thread holds State");
}

TEST(LockOrderTest, ALockOfRankNoneIsNotChecked) {
  Mutex unchecked(LockRank::kNone);
  StateMutex state;
  Mutex unranked;
  const MutexLock a(&state);
  const MutexLock b(&unranked);
  const MutexLock c(&unchecked);
}

TEST(LockOrderTest, TheOrderOfTheRanksIsAllowedAgainAndAgain) {
  Mutex tick(LockRank::kTuningTick);
  StateMutex state;
  Mutex log(LockRank::kInfoLog);
  for (int i = 0; i < 100; ++i) {
    const MutexLock a(&tick);
    const MutexLock b(&state);
    const MutexLock c(&log);
  }
}

TEST(LockOrderTest, ALockThatWasReleasedForAWhileDoesNotCount) {
  Mutex tick(LockRank::kTuningTick);
  StateMutex state;
  const MutexLock held(&state);
  const MutexUnlock unlock(&state);
  const MutexLock other(&tick);
}

TEST(LockOrderTest, ASleeperDoesNotHoldWhatItWaitsWith) {
  StateMutex state;
  CondVar changed;
  const MutexLock held(&state);
  changed.WaitFor(&state, std::chrono::microseconds(1));
  state.AssertHeld();
}

#endif

TEST(LockRankTest, EveryRankHasAName) {
  EXPECT_STREQ("None", LockRankName(LockRank::kNone));
  EXPECT_STREQ("State", LockRankName(LockRank::kState));
  EXPECT_STREQ("InfoLog", LockRankName(LockRank::kInfoLog));
  EXPECT_STREQ("Leaf", LockRankName(LockRank::kLeaf));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
