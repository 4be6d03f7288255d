// NoProgress: when a stop of writes without any job is worth a warning.

#include "db/write/no_progress.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr uint64_t kSecondMicros = uint64_t{1000} * 1000;

class NoProgressTest : public ::testing::Test {
 protected:
  bool At(uint64_t second, bool stopped, bool job_runs,
          uint64_t jobs_started = 7) {
    return progress_.Observe(
        {second * kSecondMicros, stopped, job_runs, jobs_started});
  }
  NoProgress progress_;
};

TEST_F(NoProgressTest, WarnsAfterTenSecondsAndThenOnceAMinute) {
  for (uint64_t second = 100; second < 110; ++second) {
    EXPECT_FALSE(At(second, true, false)) << second;
  }
  EXPECT_TRUE(At(110, true, false));
  EXPECT_EQ(100 * kSecondMicros, progress_.since_micros());
  for (uint64_t second = 111; second < 170; ++second) {
    EXPECT_FALSE(At(second, true, false)) << second;
  }
  EXPECT_TRUE(At(170, true, false));
  EXPECT_EQ(100 * kSecondMicros, progress_.since_micros());
}

TEST_F(NoProgressTest, NeverWarnsWhileAJobRunsOrWritesGoOn) {
  for (uint64_t second = 0; second < 100; ++second) {
    EXPECT_FALSE(At(second, true, true));
    EXPECT_FALSE(At(second + 100, false, false));
  }
}

TEST_F(NoProgressTest, AJobBetweenTwoLooksStartsTheTimeAnew) {
  EXPECT_FALSE(At(0, true, false, 7));
  EXPECT_FALSE(At(9, true, false, 8));
  EXPECT_FALSE(At(18, true, false, 8));
  EXPECT_TRUE(At(19, true, false, 8));
}

TEST_F(NoProgressTest, AnEndOfTheStopStartsTheTimeAnew) {
  EXPECT_FALSE(At(0, true, false));
  EXPECT_FALSE(At(9, false, false));
  EXPECT_FALSE(At(10, true, false));
  EXPECT_FALSE(At(19, true, false));
  EXPECT_TRUE(At(20, true, false));
  progress_.Reset();
  EXPECT_FALSE(At(21, true, false));
  EXPECT_FALSE(At(30, true, false));
  EXPECT_TRUE(At(31, true, false));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
