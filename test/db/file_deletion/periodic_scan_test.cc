// delete_obsolete_files_period_micros: when the directory is looked through for
// files that belong to no version.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "env/timer.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "test/support/clocked_env.h"
#include "test/support/manual_clock.h"
#include "test/support/timer_turn.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int64_t kSecond = 1000 * 1000;

class PeriodicScan : public ::testing::Test {
 protected:
  PeriodicScan()
      : mem_(NewMemEnv(Env::Default())),
        clock_(std::make_shared<test::ManualClock>(
            kSecond, test::ManualClock::Sleep::kBlock)),
        env_(mem_.get(), mem_->GetFileSystem(), clock_) {}

  // True if a table of no version, put there after the opening, is gone
  // `seconds` later. The period is `changed_micros` then, if that is given.
  bool Deletes(uint64_t period_micros, int seconds,
               std::optional<uint64_t> changed_micros = {}) {
    Options options;
    options.env = &env_;
    options.create_if_missing = true;
    options.stats_dump_period_sec = 0;
    options.delete_obsolete_files_period_micros = period_micros;
    std::unique_ptr<DB> db;
    const Status opened = DB::Open(options, "/db", &db);
    EXPECT_TRUE(opened.ok()) << opened.ToString();
    if (!opened.ok()) return false;
    if (changed_micros) {
      const Status changed =
          db->SetDBOptions({{"delete_obsolete_files_period_micros",
                             std::to_string(*changed_micros)}});
      EXPECT_TRUE(changed.ok()) << changed.ToString();
    }
    EXPECT_TRUE(WriteStringToFile(&env_, "left", "/db/000001.sst").ok());
    WaitForCompactOptions wait;
    wait.wait_for_purge = true;
    for (int i = 0; i < seconds; ++i) {
      test::AdvanceTimer(clock_.get(), engine::TimerOf(&env_).get(), kSecond);
      EXPECT_TRUE(db->WaitForCompact(wait).ok());
    }
    return env_.FileExists("/db/000001.sst").IsNotFound();
  }

  const std::unique_ptr<Env> mem_;
  const std::shared_ptr<test::ManualClock> clock_;
  test::ClockedEnv env_;
};

TEST_F(PeriodicScan, ComesAtEachPeriod) {
  EXPECT_FALSE(Deletes(/*period_micros=*/50 * kSecond, /*seconds=*/20));
  EXPECT_TRUE(Deletes(/*period_micros=*/5 * kSecond, /*seconds=*/20));
}

TEST_F(PeriodicScan, NeverComesWithAPeriodBeyondAllTime) {
  EXPECT_FALSE(Deletes(std::numeric_limits<uint64_t>::max(), /*seconds=*/20));
}

TEST_F(PeriodicScan, NeverComesWithoutAPeriod) {
  EXPECT_FALSE(Deletes(/*period_micros=*/0, /*seconds=*/20));
}

TEST_F(PeriodicScan, ComesAtTheChangedPeriod) {
  EXPECT_TRUE(Deletes(/*period_micros=*/0, /*seconds=*/20, 5 * kSecond));
  EXPECT_TRUE(
      Deletes(/*period_micros=*/50 * kSecond, /*seconds=*/20, 5 * kSecond));
  EXPECT_FALSE(
      Deletes(/*period_micros=*/5 * kSecond, /*seconds=*/20, 50 * kSecond));
  EXPECT_FALSE(Deletes(/*period_micros=*/5 * kSecond, /*seconds=*/20, 0));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
