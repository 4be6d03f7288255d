// Compactions paused, resumed, preempted and given other numbers of slots at
// random while a database is written, and a model of it beside.

#include <atomic>
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "rocksdb/convenience.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/statistics.h"
#include "test/db/pause_fixture.h"
#include "test/support/model_db.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using engine::Random64;

class PauseStress {
 public:
  explicit PauseStress(uint64_t seed)
      : random_(seed), env_(NewMemEnv(Env::Default())) {
    Options& options = db_.options();
    options.write_buffer_size = 16 << 10;
    options.arena_block_size = 4096;
    options.target_file_size_base = 8 << 10;
    options.max_bytes_for_level_base = 32 << 10;
    options.max_bytes_for_level_multiplier = 4;
    options.level0_file_num_compaction_trigger = 2;
    options.max_background_jobs = 4;
    options.max_subcompactions = 3;
    options.compression = kNoCompression;
    options.num_levels = 5;
    EXPECT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                                &options.merge_operator)
                    .ok());
    options.statistics = CreateDBStatistics();
    // Beside what the toggler does, jobs pause themselves.
    db_.watch().Every(997, [this] { db_.PauseAll(); });
    model_.CreateFamily(kFamily, ModelDb::Merging::kAppend);
  }

  void Run(int operations) {
    ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db"));
    std::atomic<bool> stop{false};
    std::thread toggler([&] { Toggle(&stop); });
    for (int i = 0; i < operations; ++i) {
      Write();
      if (i % 3000 == 2999) Check();
      if (i % 5000 == 4999) Compact();
    }
    stop = true;
    toggler.join();
    Check();
    db_.ResumeAll();
    EXPECT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
    Check();
    const uint64_t pauses =
        db_.options().statistics->getTickerCount(AUTOTUNE_JOBS_PAUSED);
    std::printf("%llu pauses\n", static_cast<unsigned long long>(pauses));
    EXPECT_GT(pauses, 10u);
    // Some jobs are paused again while it closes.
    db_.Allow({1, 0, 0}, /*preempt=*/true);
    for (int i = 0; i < 500; ++i) Write();
    db_.Close();
    ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db"));
    Check();
  }

 private:
  static constexpr const char* kFamily = "default";

  int AnyAllowance(Random64* random) {
    const uint64_t what = random->Uniform(4);
    return what == 3 ? INT_MAX : static_cast<int>(what);
  }
  void Toggle(const std::atomic<bool>* stop) {
    Random64 random(17);
    while (!*stop) {
      db_.SetSlots(static_cast<int>(random.Uniform(4)));
      db_.Allow(
          {AnyAllowance(&random), AnyAllowance(&random), AnyAllowance(&random)},
          random.Uniform(2) == 0);
      for (const JobProgressInfo& job : db_.Jobs()) {
        EXPECT_LE(job.progress_bytes, job.input_bytes);
      }
      std::this_thread::sleep_for(
          std::chrono::microseconds(random.Uniform(1000)));
    }
  }

  void Write() {
    const std::string key =
        PausableDb::Key(static_cast<int>(random_.Uniform(2000)));
    const uint64_t what = random_.Uniform(10);
    if (what < 6) {
      const std::string value(random_.Uniform(200), 'v');
      ASSERT_TRUE(db_->Put(WriteOptions(), key, value).ok());
      model_.Put(kFamily, key, value);
    } else if (what < 8) {
      ASSERT_TRUE(db_->Delete(WriteOptions(), key).ok());
      model_.Delete(kFamily, key);
    } else {
      const std::string operand = std::to_string(random_.Uniform(99));
      ASSERT_TRUE(db_->Merge(WriteOptions(), key, operand).ok());
      model_.Merge(kFamily, key, operand);
    }
  }
  void Check() { EXPECT_EQ(model_.rows(kFamily), db_.Rows()); }
  void Compact() {
    CompactRangeOptions options;
    options.exclusive_manual_compaction = random_.Uniform(2) == 0;
    const Status status = db_->CompactRange(options, nullptr, nullptr);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }

  Random64 random_;
  const std::unique_ptr<Env> env_;
  ModelDb model_;
  PausableDb db_;
};

TEST(DbPauseStressTest, ADatabaseHoldsWhatItsModelHoldsHoweverJobsArePaused) {
  PauseStress(/*seed=*/301).Run(40000);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
