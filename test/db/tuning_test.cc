// Adaptive tuning from the outside: what a program sees of it in LOG,
// callbacks, properties, statistics and its own writes.

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "rocksdb/statistics.h"
#include "test/support/text_log.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::TextLog;
using State = std::map<std::string, std::string>;

// Holds compactions at their beginning; hears of stalls and decisions.
class Ear final : public EventListener {
 public:
  void Hold(bool compactions) {
    std::lock_guard lock(mu_);
    held_ = compactions;
    changed_.notify_all();
  }
  void OnCompactionBegin(DB*, const CompactionJobInfo&) override {
    std::unique_lock lock(mu_);
    changed_.wait(lock, [this] { return !held_; });
  }
  void OnStallConditionsChanged(const WriteStallInfo& info) override {
    std::lock_guard lock(mu_);
    stalls.push_back(info);
    changed_.notify_all();
  }
  void OnTuningDecision(DB* db, const TuningDecisionInfo& info) override {
    // Takes the DB mutex, which therefore must not be held here.
    State state;
    EXPECT_TRUE(db->GetMapProperty("rocksdb.auto-tune.state", &state));
    // Closing, or a change of the mode, may have ended tuning before its last
    // decision was told.
    const std::string& latest = state["decisions"];
    if (!latest.empty() && latest != "0") {
      EXPECT_EQ(std::to_string(info.decision), latest);
    }
    std::lock_guard lock(mu_);
    decisions.push_back(info);
    changed_.notify_all();
  }
  bool Await(const std::function<bool()>& what) {
    std::unique_lock lock(mu_);
    return changed_.wait_for(lock, std::chrono::seconds(60), what);
  }

  bool Is(const std::function<bool()>& what) {
    std::lock_guard lock(mu_);
    return what();
  }

  // Read them within Await() or Is().
  std::vector<WriteStallInfo> stalls;
  std::vector<TuningDecisionInfo> decisions;

 private:
  std::mutex mu_;
  std::condition_variable changed_;
  bool held_ = false;
};

class DbTuningTest : public ::testing::Test {
 protected:
  DbTuningTest() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.info_log = log_;
    options_.listeners = {ear_};
    options_.statistics = CreateDBStatistics();
    options_.auto_tuned_compaction = true;
    options_.level0_file_num_compaction_trigger = 2;
    options_.level0_slowdown_writes_trigger = 4;
    options_.level0_stop_writes_trigger = 20;
  }
  ~DbTuningTest() override {
    ear_->Hold(false);
    db_.reset();
  }

  void Open() {
    const Status status = DB::Open(options_, "/db", &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  Status Put(const std::string& key, size_t bytes = 100,
             bool no_slowdown = false) {
    WriteOptions options;
    options.no_slowdown = no_slowdown;
    return db_->Put(options, key, std::string(bytes, 'v'));
  }
  void AddFile() {
    ASSERT_TRUE(Put("a").ok());
    ASSERT_TRUE(Put("z").ok());
    FlushOptions flush;
    flush.allow_write_stall = true;
    ASSERT_TRUE(db_->Flush(flush).ok());
  }
  void FillLevel0(int files) {
    // RocksDB's rules hold until the first tick.
    ASSERT_TRUE(ear_->Await([&] { return !ear_->decisions.empty(); }));
    ear_->Hold(true);
    for (int i = 0; i < files; ++i) AddFile();
  }
  // Asks for more than merges take away, all of it within one memtable, until
  // the tuner says (or would say) that writers are paced.
  bool Press() {
    const auto is_paced = [&] {
      return ear_->decisions.back().limit == "runs";
    };
    for (int i = 0; i < 500; ++i) {
      EXPECT_TRUE(Put("m", 100'000).ok());
      std::this_thread::sleep_for(std::chrono::milliseconds(4));
      if (ear_->Is(is_paced)) return true;
    }
    ADD_FAILURE() << log_->text();
    return false;
  }
  // Waits for the next ticks to make it true.
  static bool Soon(const std::function<bool()>& what) {
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!what()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
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
  State TuneState() {
    State state;
    EXPECT_TRUE(db_->GetMapProperty("rocksdb.auto-tune.state", &state));
    return state;
  }
  uint64_t Ticker(uint32_t ticker) {
    return options_.statistics->getTickerCount(ticker);
  }
  bool AwaitCondition(WriteStallCondition condition) {
    return ear_->Await([&] {
      return !ear_->stalls.empty() &&
             ear_->stalls.back().condition.cur == condition;
    });
  }

  const std::unique_ptr<Env> env_;
  const std::shared_ptr<TextLog> log_ = std::make_shared<TextLog>();
  const std::shared_ptr<Ear> ear_ = std::make_shared<Ear>();
  Options options_;
  std::unique_ptr<DB> db_;
};

TEST_F(DbTuningTest, PacingIsADelayInEveryStatistic) {
  Open();
  FillLevel0(17);
  ASSERT_TRUE(Press());
  ASSERT_TRUE(AwaitCondition(WriteStallCondition::kDelayed)) << log_->text();
  EXPECT_GT(Number("rocksdb.actual-delayed-write-rate"), 0u);
  EXPECT_EQ(0u, Number("rocksdb.is-write-stopped"));
  EXPECT_EQ("l0-file-count-limit", Text("rocksdb.write-stall-cause"));

  const uint64_t stalled = Ticker(STALL_MICROS);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(Put("m", 100'000).ok());
  EXPECT_GT(Ticker(STALL_MICROS), stalled);
  EXPECT_GT(Ticker(AUTOTUNE_PACED_MICROS), 0u);
  Status refused;
  for (int i = 0; i < 100 && refused.ok(); ++i) {
    refused = Put("m", 100'000, /*no_slowdown=*/true);
  }
  EXPECT_TRUE(refused.IsIncomplete()) << refused.ToString();

  ear_->Hold(false);
  ASSERT_TRUE(AwaitCondition(WriteStallCondition::kNormal)) << log_->text();
  EXPECT_EQ(0u, Number("rocksdb.actual-delayed-write-rate"));
  State counts;
  ASSERT_TRUE(db_->GetMapProperty(DB::Properties::kCFWriteStallStats, &counts));
  EXPECT_NE("0", counts.at("l0-file-count-limit-delays"));
  EXPECT_EQ("0", counts.at("l0-file-count-limit-stops"));
  // Conditions come in pairs: each begins where the one before ended.
  ear_->Await([&] {
    WriteStallCondition last = WriteStallCondition::kNormal;
    for (const WriteStallInfo& info : ear_->stalls) {
      EXPECT_EQ(last, info.condition.prev);
      EXPECT_NE(info.condition.prev, info.condition.cur);
      last = info.condition.cur;
    }
    return true;
  });
  EXPECT_EQ(log_->Count("\"event\": \"stall_begin\""),
            log_->Count("\"event\": \"stall_end\""));
  EXPECT_FALSE(log_->Has("Stalling writes because")) << log_->text();
  HistogramData rate;
  options_.statistics->histogramData(AUTOTUNE_PACING_BYTES_PER_SECOND, &rate);
  EXPECT_GT(rate.count, 0u);
  EXPECT_GE(rate.min, 1e6);
  HistogramData tick;
  options_.statistics->histogramData(AUTOTUNE_TICK_MICROS, &tick);
  EXPECT_GT(tick.count, rate.count);
}

TEST_F(DbTuningTest, ADecisionIsToldByLogEventListenerAndProperty) {
  Open();
  FillLevel0(17);
  ASSERT_TRUE(Press());
  TuningDecisionInfo info;
  ear_->Await([&] {
    info = ear_->decisions.back();
    return true;
  });
  EXPECT_EQ("adaptive", info.mode);
  EXPECT_GT(info.pacing_bytes_per_second, 0u);
  EXPECT_EQ(0u, info.why.find("Writes are paced at ")) << info.why;
  EXPECT_GE(info.level0_files, 12);
  EXPECT_GE(info.sorted_runs, info.level0_files);

  const std::string line = log_->LineWith("[tuning] pacing none -> ");
  EXPECT_NE(std::string::npos, line.find("limit nothing -> runs (runs_high)"))
      << log_->text();
  EXPECT_NE(std::string::npos, line.find("Writes are paced at ")) << line;
  const std::string event = log_->LineWith("\"after\": \"pacing ");
  for (const char* part :
       {"\"event\": \"tuner_decision\"", "\"tuner\": \"adaptive\"",
        "\"before\": \"pacing none", "\"reason\": \"runs_high\"",
        "\"why\": \"Writes are paced at ",
        "\"pacing_bytes_per_second\": ", "\"level0_files\": 1"}) {
    EXPECT_NE(std::string::npos, event.find(part)) << part << "\n" << event;
  }

  const State state = TuneState();
  EXPECT_EQ("adaptive", state.at("mode"));
  EXPECT_EQ("runs", state.at("limit"));
  EXPECT_EQ("runs_high", state.at("pacing_reason"));
  EXPECT_LE(12, std::stoi(state.at("level0_files")));
  // The rate may move between the two questions.
  EXPECT_TRUE(Soon([&] {
    const uint64_t rate = Number("rocksdb.actual-delayed-write-rate");
    return TuneState().at("pacing_bytes_per_second") == std::to_string(rate);
  }));
  EXPECT_EQ(0u, Text("rocksdb.write-limit").find("Writes are paced at "));
  const std::string text = Text("rocksdb.auto-tune.state");
  EXPECT_EQ(0u, text.find("Writes are paced at ")) << text;
  EXPECT_NE(std::string::npos, text.find("\nmode          adaptive")) << text;
  EXPECT_GE(Ticker(AUTOTUNE_DECISIONS), 1u);
}

TEST_F(DbTuningTest, AdviceChangesNothing) {
  options_.compaction_tuning = CompactionTuning::kAdvise;
  options_.level0_slowdown_writes_trigger = 16;
  options_.delayed_write_rate = 256 << 20;
  Open();
  FillLevel0(19);
  ASSERT_TRUE(Press());
  // The delay is RocksDB's, by its own law.
  EXPECT_TRUE(log_->Has("Stalling writes because we have 16 level-0 files"))
      << log_->text();
  const State state = TuneState();
  EXPECT_EQ("advise", state.at("mode"));
  EXPECT_EQ("0", state.at("pacing_bytes_per_second"));
  EXPECT_NE("0", state.at("advised_pacing_bytes_per_second"));
  EXPECT_EQ(0u, state.at("advice").find("Writes are paced at "));
  EXPECT_EQ(0u, state.at("why").find("Writes are delayed to "))
      << state.at("why");
  EXPECT_TRUE(log_->Has("[tuning] advice: ")) << log_->text();
  EXPECT_TRUE(log_->Has("\"tuner\": \"advise\""));
  EXPECT_EQ(0u, Ticker(AUTOTUNE_PACED_MICROS));
}

TEST_F(DbTuningTest, WhatIsSetAtRunTimeIsPinned) {
  Open();
  FillLevel0(17);
  const auto base = [&] { return TuneState().at("base_target_bytes"); };
  ASSERT_TRUE(Soon([&] { return base() != "0"; })) << log_->text();
  EXPECT_EQ(0u, TuneState().count("pinned"));
  ASSERT_TRUE(db_->SetOptions({{"level0_file_num_compaction_trigger", "3"},
                               {"max_bytes_for_level_base", "1000000"}})
                  .ok());
  EXPECT_EQ("max_bytes_for_level_base", TuneState().at("pinned"));
  EXPECT_TRUE(Soon([&] { return base() == "0"; }));
  EXPECT_NE(std::string::npos,
            Text("rocksdb.auto-tune.state")
                .find("\npinned        max_bytes_for_level_base"));
}

TEST_F(DbTuningTest, WhatReadsTakeFromFilesHasAWeight) {
  Open();
  ASSERT_TRUE(Put("a", 10'000).ok());
  ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  const auto weight = [&] { return std::stoi(TuneState()["read_weight_pct"]); };
  const auto read = [&](bool fill_cache) {
    ReadOptions options;
    options.fill_cache = fill_cache;
    std::string value;
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(db_->Get(options, "a", &value).ok());
    }
  };
  EXPECT_EQ(0, weight());
  EXPECT_TRUE(Soon([&] {
    read(/*fill_cache=*/false);
    return weight() > 50;
  })) << Text("rocksdb.auto-tune.state");
  // What the cache answers has none: writes alone are left.
  const int most = weight();
  EXPECT_TRUE(Soon([&] {
    read(/*fill_cache=*/true);
    EXPECT_TRUE(Put("b", 10'000).ok());
    return weight() < most;
  })) << Text("rocksdb.auto-tune.state");
}

TEST_F(DbTuningTest, WhatHasToBeAssumedIsAWarning) {
  options_.level0_slowdown_writes_trigger = 1 << 30;
  options_.level0_stop_writes_trigger = 1 << 30;
  options_.soft_pending_compaction_bytes_limit = 0;
  options_.hard_pending_compaction_bytes_limit = 0;
  Open();
  ASSERT_TRUE(ear_->Await([&] { return !ear_->decisions.empty(); }));
  EXPECT_EQ(1, log_->Count("[tuning] assumption: "
                           "level0_slowdown_writes_trigger=1073741824"))
      << log_->text();
  EXPECT_EQ(1, log_->Count("has no limit of pending compaction bytes"));
  EXPECT_EQ(2u, Ticker(AUTOTUNE_ASSUMPTIONS));
}

TEST_F(DbTuningTest, ModesChangeAtRunTime) {
  Open();
  FillLevel0(17);
  ASSERT_TRUE(Press());
  const auto set = [&](const char* name, const char* value) {
    const Status status = db_->SetOptions({{name, value}});
    ASSERT_TRUE(status.ok()) << status.ToString();
  };
  set("auto_tuned_compaction", "false");
  EXPECT_EQ("static", TuneState().at("mode"));
  EXPECT_EQ(0u, TuneState().count("decisions"));
  // Static behaviour: 17 files delay, by RocksDB's law.
  EXPECT_EQ(0u, Text("rocksdb.write-limit").find("Writes are delayed to "))
      << Text("rocksdb.write-limit");
  EXPECT_TRUE(log_->Has("Stalling writes because we have 17 level-0 files"))
      << log_->text();
  set("auto_tuned_compaction", "true");
  EXPECT_EQ("adaptive", TuneState().at("mode"));
  ear_->Hold(false);
  ASSERT_TRUE(AwaitCondition(WriteStallCondition::kNormal)) << log_->text();
  set("compaction_tuning", "kDrainSwitch");
  EXPECT_EQ("drain_switch", TuneState().at("mode"));
  EXPECT_EQ("Writes are not limited.", Text("rocksdb.write-limit"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
