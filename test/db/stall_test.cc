// Write stalls and the drain switch, from the outside: what a program sees of
// them in LOG, callbacks, properties and its own writes.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "db/db_impl/db_impl.h"
#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/statistics.h"
#include "test/support/text_log.h"
#include "util/clock_wait.h"
#include "util/compaction_switch.h"
#include "util/rate_limiter.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::TextLog;

// Holds flushes or compactions at their beginning, and hears of stalls.
class Gate final : public EventListener {
 public:
  void Hold(bool flushes, bool compactions) {
    std::lock_guard lock(mu_);
    flushes_ = flushes;
    compactions_ = compactions;
    changed_.notify_all();
  }
  void OnFlushBegin(DB*, const FlushJobInfo&) override {
    std::unique_lock lock(mu_);
    changed_.wait(lock, [this] { return !flushes_; });
  }
  void OnCompactionBegin(DB*, const CompactionJobInfo&) override {
    std::unique_lock lock(mu_);
    changed_.wait(lock, [this] { return !compactions_; });
  }
  void OnStallConditionsChanged(const WriteStallInfo& info) override {
    std::lock_guard lock(mu_);
    conditions_.push_back(info.condition.cur);
    changed_.notify_all();
  }
  // Callbacks come soon after the change, from the thread that made it.
  bool Hears(WriteStallCondition condition) {
    std::unique_lock lock(mu_);
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] {
      return std::find(conditions_.begin(), conditions_.end(), condition) !=
             conditions_.end();
    });
  }

 private:
  mutable std::mutex mu_;
  std::condition_variable changed_;
  bool flushes_ = false;
  bool compactions_ = false;
  std::vector<WriteStallCondition> conditions_;
};

class DbStallTest : public ::testing::Test {
 protected:
  DbStallTest() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.info_log = log_;
    options_.listeners = {gate_};
    options_.statistics = CreateDBStatistics();
    options_.delayed_write_rate = 16 << 20;
  }
  ~DbStallTest() override {
    gate_->Hold(false, false);
    db_.reset();
  }

  void Open() {
    const Status status = DB::Open(options_, "/db", &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  Status Put(const std::string& key, bool no_slowdown = false) {
    WriteOptions options;
    options.no_slowdown = no_slowdown;
    return db_->Put(options, key, std::string(100, 'v'));
  }
  // A file of its own in level 0; overlapping the others.
  void AddFile(bool wait = true) {
    ASSERT_TRUE(Put("a").ok());
    ASSERT_TRUE(Put("z").ok());
    FlushOptions flush;
    flush.allow_write_stall = true;
    flush.wait = wait;
    const Status status = db_->Flush(flush);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  uint64_t Number(const std::string& property) {
    uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty(property, &value)) << property;
    return value;
  }
  std::string Text(const std::string& property) {
    std::string value;
    EXPECT_TRUE(db_->GetProperty(property, &value)) << property;
    return value;
  }
  // "rocksdb.write-limit", with the delayed rate taken out.
  std::string Limit() {
    std::string text = Text("rocksdb.write-limit");
    const size_t rate = text.find(" to ");
    const size_t end = text.find(" by ");
    if (rate < end && end != std::string::npos) text.erase(rate, end - rate);
    return text;
  }
  uint64_t Level0Files() {
    std::string text;
    EXPECT_TRUE(db_->GetProperty("rocksdb.num-files-at-level0", &text));
    return std::stoull(text);
  }
  // A stopped write goes on once `release` has been called.
  template <typename Release>
  void ExpectBlockedUntil(Release release) {
    EXPECT_TRUE(Put("m", /*no_slowdown=*/true).IsIncomplete());
    std::atomic<bool> written{false};
    std::thread writer([&] {
      SetPerfLevel(kEnableWait);
      EXPECT_TRUE(Put("m").ok());
      EXPECT_GT(get_perf_context()->write_delay_time, 0u);
      EXPECT_GT(get_perf_context()->write_stop_time, 0u);
      written = true;
    });
    // Known to be stalled, it then waits for a while.
    const engine::DbState* const state =
        dynamic_cast<engine::DBImpl*>(db_.get())->state();
    while (state->pacer.waiting_bytes() == 0 && !written) {
      std::this_thread::yield();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(written);
    release();
    writer.join();
    EXPECT_TRUE(written);
    EXPECT_GT(options_.statistics->getTickerCount(STALL_MICROS), 0u);
  }
  void ExpectNormalAgain() {
    EXPECT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
    EXPECT_EQ(0u, Number("rocksdb.is-write-stopped"));
    EXPECT_EQ(0u, Number("rocksdb.actual-delayed-write-rate"));
    EXPECT_TRUE(gate_->Hears(WriteStallCondition::kNormal));
  }

  const std::unique_ptr<Env> env_;
  const std::shared_ptr<TextLog> log_ = std::make_shared<TextLog>();
  const std::shared_ptr<Gate> gate_ = std::make_shared<Gate>();
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(DbStallTest, Level0FilesDelayThenStopWrites) {
  options_.level0_file_num_compaction_trigger = 2;
  options_.level0_slowdown_writes_trigger = 4;
  options_.level0_stop_writes_trigger = 6;
  Open();
  gate_->Hold(false, true);
  while (Level0Files() < 3) AddFile();
  EXPECT_EQ(0u, Number("rocksdb.actual-delayed-write-rate"));
  EXPECT_EQ("Writes are not limited.", Limit());
  AddFile();
  EXPECT_GT(Number("rocksdb.actual-delayed-write-rate"), 0u);
  EXPECT_EQ(0u, Number("rocksdb.is-write-stopped"));
  EXPECT_EQ(
      "Writes are delayed by sorted runs: 4 files in L0 of [default], "
      "the mark is 4 (level0_slowdown_writes_trigger).",
      Limit());
  EXPECT_TRUE(gate_->Hears(WriteStallCondition::kDelayed));
  EXPECT_TRUE(log_->Has(
      "[default] Stalling writes because we have 4 level-0 files rate "))
      << log_->text();
  AddFile();
  AddFile();
  EXPECT_EQ(1u, Number("rocksdb.is-write-stopped"));
  EXPECT_EQ(
      "Writes are stopped by sorted runs: 6 files in L0 of [default], "
      "the limit is 6 (level0_stop_writes_trigger).",
      Limit());
  EXPECT_TRUE(gate_->Hears(WriteStallCondition::kStopped));
  EXPECT_TRUE(
      log_->Has("[default] Stopping writes because we have 6 level-0 files"))
      << log_->text();
  ExpectBlockedUntil([this] { gate_->Hold(false, false); });
  ExpectNormalAgain();
  EXPECT_EQ("Writes are not limited.", Limit());
  EXPECT_TRUE(log_->Has("[default] Writes are no longer ")) << log_->text();

  std::map<std::string, std::string> counts;
  ASSERT_TRUE(db_->GetMapProperty(DB::Properties::kCFWriteStallStats, &counts));
  EXPECT_NE("0", counts.at("l0-file-count-limit-delays"));
  EXPECT_NE("0", counts.at("l0-file-count-limit-stops"));
  EXPECT_EQ("0", counts.at("memtable-limit-stops"));
}

TEST_F(DbStallTest, UnflushedMemtablesDelayThenStopWrites) {
  options_.max_write_buffer_number = 4;
  Open();
  gate_->Hold(true, false);
  for (int i = 0; i < 2; ++i) AddFile(/*wait=*/false);
  EXPECT_EQ(0u, Number("rocksdb.actual-delayed-write-rate"));
  AddFile(/*wait=*/false);
  EXPECT_GT(Number("rocksdb.actual-delayed-write-rate"), 0u);
  EXPECT_TRUE(
      log_->Has("[default] Stalling writes because we have 3 "
                "immutable memtables (waiting for flush), "
                "max_write_buffer_number is set to 4 rate "))
      << log_->text();
  EXPECT_EQ(
      "Writes are delayed by memory: 3 memtables of [default] to be "
      "flushed, the limit is 4 (max_write_buffer_number).",
      Limit());
  AddFile(/*wait=*/false);
  EXPECT_EQ(1u, Number("rocksdb.is-write-stopped"));
  EXPECT_EQ(
      "Writes are stopped by memory: 4 memtables of [default] to be "
      "flushed, the limit is 4 (max_write_buffer_number).",
      Limit());
  EXPECT_TRUE(
      log_->Has("[default] Stopping writes because we have 4 "
                "immutable memtables (waiting for flush), "
                "max_write_buffer_number is set to 4"))
      << log_->text();
  ExpectBlockedUntil([this] { gate_->Hold(false, false); });
  ExpectNormalAgain();
}

TEST_F(DbStallTest, PendingBytesDelayThenStopWrites) {
  options_.level0_file_num_compaction_trigger = 2;
  options_.max_bytes_for_level_base = 1000;
  options_.level_compaction_dynamic_level_bytes = false;
  options_.soft_pending_compaction_bytes_limit = 4000;
  options_.hard_pending_compaction_bytes_limit = 12000;
  Open();
  gate_->Hold(false, true);
  for (int i = 0; i < 15 && Number("rocksdb.is-write-stopped") == 0; ++i) {
    AddFile();
  }
  EXPECT_EQ(1u, Number("rocksdb.is-write-stopped"));
  const std::string limit = Limit();
  EXPECT_EQ(0u, limit.find("Writes are stopped by debt: ")) << limit;
  EXPECT_NE(std::string::npos,
            limit.find("(hard_pending_compaction_bytes_limit)"))
      << limit;
  EXPECT_TRUE(
      log_->Has("[default] Stalling writes because of estimated "
                "pending compaction bytes "))
      << log_->text();
  EXPECT_TRUE(
      log_->Has("[default] Stopping writes because of estimated "
                "pending compaction bytes "))
      << log_->text();
  ExpectBlockedUntil([this] { gate_->Hold(false, false); });
}

// ------------------------------------------------------------ the drain switch

// Time passes only when a thread waits: a wait moves the clock to its end.
class JumpingClock final : public SystemClock, public engine::WaitableClock {
 public:
  const char* Name() const override { return "JumpingClock"; }
  uint64_t NowMicros() override { return now_micros_; }
  uint64_t NowNanos() override { return now_micros_ * 1000; }
  void SleepForMicroseconds(int micros) override {
    now_micros_ += static_cast<uint64_t>(micros);
  }
  Status GetCurrentTime(int64_t* unix_time) override {
    *unix_time = static_cast<int64_t>(now_micros_ / 1000000);
    return Status::OK();
  }
  std::string TimeToString(uint64_t time) override {
    return std::to_string(time);
  }
  void WaitUntil(engine::CondVar*, engine::Mutex*, uint64_t deadline) override {
    if (now_micros_ < deadline) now_micros_ = deadline;
  }

 private:
  std::atomic<uint64_t> now_micros_{1000000};
};

class DrainSwitchTest : public DbStallTest {
 protected:
  static constexpr int64_t kRefillMicros = 1000;
  static constexpr int64_t kBytesPerRefill = 100000;

  DrainSwitchTest() {
    engine::RateLimiterCore::Options limiter;
    // Tuning starts at half of what is given.
    limiter.bytes_per_second = 2 * kBytesPerRefill * 1000000 / kRefillMicros;
    limiter.refill_period_us = kRefillMicros;
    limiter.auto_tuned = true;
    limiter_ = std::make_shared<engine::GenericRateLimiter>(
        limiter, RateLimiter::Mode::kWritesOnly, clock_);
    options_.rate_limiter = limiter_;
    options_.auto_tuned_compaction = true;
    options_.compaction_tuning = CompactionTuning::kDrainSwitch;
    options_.level0_file_num_compaction_trigger = 2;
    options_.level0_slowdown_writes_trigger = 4;
    options_.level0_stop_writes_trigger = 6;
  }

  // One tuning period: in `drained` of every 100 refills a request of this
  // priority waits; then comes the request that decides.
  void Period(Env::IOPriority priority, int drained) {
    for (int refill = 0; refill < 101; ++refill) {
      if (refill % 100 < drained) {
        const int64_t most = limiter_->GetSingleBurstBytes();
        for (int64_t left = kBytesPerRefill; left > 0; left -= most) {
          limiter_->Request(std::min(left, most), priority, nullptr);
        }
      } else {
        clock_->SleepForMicroseconds(kRefillMicros);
      }
    }
    limiter_->Request(1, priority, nullptr);
  }
  engine::LimiterDecision Last() const {
    engine::LimiterDecision decision;
    EXPECT_TRUE(limiter_->LastDecision(&decision));
    return decision;
  }
  bool Disabled() const { return env_->compaction_switch()->disabled(); }

  const std::shared_ptr<JumpingClock> clock_ = std::make_shared<JumpingClock>();
  std::shared_ptr<engine::GenericRateLimiter> limiter_;
};

TEST_F(DrainSwitchTest, DecisionsAreLoggedWithDAndH) {
  Open();
  Period(Env::IO_HIGH, 100);
  EXPECT_EQ(engine::DrainDecision::kDisable, Last().verdict.decision);
  EXPECT_TRUE(Disabled());
  EXPECT_TRUE(log_->Has("auto-tuned compaction: disable, drained "))
      << log_->text();
  EXPECT_TRUE(log_->Has("% (D), high ")) << log_->text();
  EXPECT_GT(options_.statistics->getTickerCount(COMPACTION_DISABLED_COUNT), 0u);
  Period(Env::IO_LOW, 60);
  EXPECT_EQ(engine::DrainDecision::kEnable, Last().verdict.decision);
  EXPECT_FALSE(Disabled());
  EXPECT_TRUE(log_->Has("auto-tuned compaction: enable, drained "))
      << log_->text();
  EXPECT_TRUE(
      log_->Has("\"tuner\": \"drain_switch\", \"decision\": "
                "\"enable\", \"before\": \"compaction off\", "
                "\"after\": \"compaction on\""))
      << log_->text();
}

// Hazard 2 of the law: without a single drain compaction is never enabled.
TEST_F(DrainSwitchTest, CompactionStaysOffWhenNoRequestWaits) {
  Open();
  Period(Env::IO_HIGH, 100);
  ASSERT_TRUE(Disabled());
  for (int i = 0; i < 3; ++i) {
    Period(Env::IO_HIGH, 0);
    EXPECT_EQ(0, Last().verdict.drained_pct);
    EXPECT_EQ(engine::DrainDecision::kHold, Last().verdict.decision);
    EXPECT_TRUE(Disabled());
  }
}

// Hazard 5: while compaction is off, level-0 files stop no writer; enabling it
// stops writes at once until they are merged.
TEST_F(DrainSwitchTest, EnablingStopsWritesUntilLevel0IsMerged) {
  Open();
  Period(Env::IO_HIGH, 100);
  for (int i = 0; i < 9; ++i) AddFile();
  EXPECT_EQ(9u, Level0Files());
  EXPECT_EQ(0u, Number("rocksdb.is-write-stopped"));
  EXPECT_EQ(0u, Number("rocksdb.actual-delayed-write-rate"));
  EXPECT_EQ(
      "Writes are not limited: automatic compaction of [default] is off, "
      "its 9 files in L0 and its debt do not count.",
      Limit());
  std::map<std::string, std::string> state;
  ASSERT_TRUE(db_->GetMapProperty("rocksdb.auto-tune.state", &state));
  EXPECT_EQ("drain_switch", state["mode"]);
  EXPECT_EQ("off", state["compaction"]);
  EXPECT_EQ("disable", state["decision"]);
  EXPECT_EQ("100", state["drained_pct"]);
  gate_->Hold(false, true);
  Period(Env::IO_LOW, 60);
  ASSERT_FALSE(Disabled());
  AddFile();
  EXPECT_EQ(1u, Number("rocksdb.is-write-stopped"));
  EXPECT_TRUE(log_->Has("Stopping writes because we have 10 level-0 files"))
      << log_->text();
  ExpectBlockedUntil([this] { gate_->Hold(false, false); });
  ExpectNormalAgain();
  EXPECT_LT(Level0Files(), 6u);
}

// Hazard 7: a flip is seen at the family's next change, not before.
TEST_F(DrainSwitchTest, FlipsWaitForTheNextChangeOfTheFamily) {
  const std::string off = "automatic compaction is off";
  const std::string on = "automatic compaction is on";
  Open();
  Period(Env::IO_HIGH, 100);
  ASSERT_TRUE(Disabled());
  EXPECT_FALSE(log_->Has(off)) << log_->text();
  AddFile();
  EXPECT_TRUE(log_->Has(off)) << log_->text();
  for (int i = 0; i < 4; ++i) AddFile();
  Period(Env::IO_LOW, 60);
  ASSERT_FALSE(Disabled());
  // An idle database does not merge what has gathered.
  EXPECT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ(5u, Level0Files());
  EXPECT_FALSE(log_->Has(on)) << log_->text();
  AddFile();
  EXPECT_TRUE(log_->Has(on)) << log_->text();
  EXPECT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_LT(Level0Files(), 2u);
}

TEST_F(DrainSwitchTest, WithoutAnAutoTunedLimiterNothingIsTunedAndLogSaysSo) {
  options_.rate_limiter = nullptr;
  Open();
  EXPECT_TRUE(
      log_->Has("auto_tuned_compaction is set, but there is no "
                "auto-tuned rate limiter: nothing is tuned"))
      << log_->text();
  EXPECT_FALSE(env_->compaction_switch()->has_users());
}

TEST_F(DrainSwitchTest, ClosingTheLastUserEnablesTheSwitch) {
  Open();
  Period(Env::IO_HIGH, 100);
  ASSERT_TRUE(Disabled());
  db_.reset();
  EXPECT_FALSE(Disabled());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
