// The JSON of EVENT_LOG_v1 and the fan-out to listeners.

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "db/events/db_events.h"
#include "rocksdb/env.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

class LineLogger : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list ap) override {
    char line[8192];
    std::vsnprintf(line, sizeof(line), format, ap);
    all.emplace_back(line);
  }
  std::vector<std::string> all;
};

class FixedClock : public SystemClock {
 public:
  const char* Name() const override { return "FixedClock"; }
  uint64_t NowMicros() override { return 1795258379394032; }
  void SleepForMicroseconds(int) override {}
  Status GetCurrentTime(int64_t* t) override { return *t = 0, Status(); }
  std::string TimeToString(uint64_t) override { return ""; }
};

// Remembers the names of its calls.
class Recorder : public EventListener {
 public:
  void OnFlushBegin(DB* db, const FlushJobInfo&) override {
    calls.push_back(db == nullptr ? "flush begin" : "flush begin db");
  }
  void OnFlushCompleted(DB*, const FlushJobInfo& info) override {
    calls.push_back("flush end " + info.cf_name);
    if (throws) throw std::runtime_error("from a listener");
  }
  void OnBackgroundError(BackgroundErrorReason, Status* status) override {
    calls.push_back(status->ToString());
    *status = Status::OK();
  }
  void OnErrorRecoveryBegin(BackgroundErrorReason, Status,
                            bool* automatic) override {
    *automatic = !vetoes;
  }
  void OnErrorRecoveryCompleted(Status old_error) override {
    calls.push_back("recovered from " + old_error.ToString());
  }
  void OnErrorRecoveryEnd(const BackgroundErrorRecoveryInfo& info) override {
    calls.push_back("recovery end " + info.new_bg_error.ToString());
  }

  std::vector<std::string> calls;
  bool throws = false;
  bool vetoes = false;
};

class EventsTest : public ::testing::Test {
 protected:
  EventsTest() {
    store_.info_log = &lines_;
    store_.clock = &clock_;
    store_.options.listeners = {first_, nullptr, second_};
  }

  FlushJobInfo Flush() const {
    FlushJobInfo info;
    info.cf_name = "default";
    info.job_id = 2;
    info.flush_reason = FlushReason::kWriteBufferFull;
    return info;
  }
  // The JSON of the last line.
  std::string Json() const {
    const std::string prefix = "EVENT_LOG_v1 ";
    EXPECT_TRUE(!lines_.all.empty() && lines_.all.back().starts_with(prefix));
    return lines_.all.back().substr(prefix.size());
  }

  LineLogger lines_;
  FixedClock clock_;
  std::shared_ptr<Recorder> first_ = std::make_shared<Recorder>();
  std::shared_ptr<Recorder> second_ = std::make_shared<Recorder>();
  StoreContext store_;
};

TEST_F(EventsTest, AFlushIsLoggedWithRocksdbsKeys) {
  DbEvents events(store_);
  FlushInput input;
  input.num_memtables = 1;
  input.num_entries = 13576;
  input.data_bytes = 1710576;
  input.memory_bytes = 1970376;
  events.FlushBegin(Flush(), input);
  EXPECT_EQ(
      "{\"time_micros\": 1795258379394032, \"job\": 2, "
      "\"event\": \"flush_started\", \"num_memtables\": 1, "
      "\"num_entries\": 13576, \"num_deletes\": 0, "
      "\"total_data_size\": 1710576, \"memory_usage\": 1970376, "
      "\"num_range_deletes\": 0, \"flush_reason\": \"Write Buffer Full\", "
      "\"cf_name\": \"default\"}",
      Json());
  events.FlushCompleted(Flush(), {"NoCompression", {1, 0, 0}, 3, 0});
  EXPECT_EQ(
      "{\"time_micros\": 1795258379394032, \"job\": 2, "
      "\"event\": \"flush_finished\", "
      "\"output_compression\": \"NoCompression\", \"lsm_state\": [1, 0, 0], "
      "\"num_dropped_deletes\": 3, \"immutable_memtables\": 0, "
      "\"cf_name\": \"default\"}",
      Json());
}

TEST_F(EventsTest, ACompactionIsLoggedWithItsFilesByLevel) {
  DbEvents events(store_);
  CompactionJobInfo info;
  info.cf_name = "default";
  info.job_id = 4;
  info.compaction_reason = CompactionReason::kLevelL0FilesNum;
  info.input_file_infos = {{0, 11, 0}, {0, 9, 0}, {1, 5, 0}};
  info.output_level = 1;
  CompactionInput input;
  input.score = 1;
  input.input_bytes = 3201095;
  events.CompactionBegin(info, input);
  EXPECT_EQ(
      "{\"time_micros\": 1795258379394032, \"job\": 4, "
      "\"event\": \"compaction_started\", \"cf_name\": \"default\", "
      "\"compaction_reason\": \"LevelL0FilesNum\", \"files_L0\": [11, 9], "
      "\"files_L1\": [5], \"score\": 1, \"input_data_size\": 3201095, "
      "\"oldest_snapshot_seqno\": -1}",
      Json());
  info.output_files = {"a", "b"};
  info.stats.elapsed_micros = 55121;
  info.stats.num_input_records = 26244;
  info.status = Status::Corruption("bad block");
  events.CompactionCompleted(info, {3095793, 1, "NoCompression", {0, 2}});
  EXPECT_EQ(
      "{\"time_micros\": 1795258379394032, \"job\": 4, "
      "\"event\": \"compaction_finished\", \"compaction_time_micros\": 55121, "
      "\"compaction_time_cpu_micros\": 0, \"output_level\": 1, "
      "\"num_output_files\": 2, \"total_output_size\": 3095793, "
      "\"num_input_records\": 26244, \"num_output_records\": 0, "
      "\"num_subcompactions\": 1, \"output_compression\": \"NoCompression\", "
      "\"num_single_delete_mismatches\": 0, "
      "\"num_single_delete_fallthrough\": 0, \"lsm_state\": [0, 2], "
      "\"cf_name\": \"default\", \"status\": \"Corruption: bad block\"}",
      Json());
}

TEST_F(EventsTest, TablesAreLoggedWhenTheyComeAndGo) {
  DbEvents events(store_);
  TableFileCreationInfo created;
  created.cf_name = "default";
  created.job_id = 2;
  created.file_size = 1599706;
  created.file_checksum_func_name = "Unknown";
  created.table_properties.num_entries = 4;
  created.table_properties.raw_key_size = 97;
  events.TableFileCreated(created, 9, 1, 13576);
  const std::string json = Json();
  EXPECT_TRUE(json.starts_with(
      "{\"time_micros\": 1795258379394032, \"cf_name\": \"default\", "
      "\"job\": 2, \"event\": \"table_file_creation\", \"file_number\": 9, "
      "\"file_size\": 1599706, \"file_checksum\": \"\", "
      "\"file_checksum_func_name\": \"Unknown\", \"smallest_seqno\": 1, "
      "\"largest_seqno\": 13576, \"table_properties\": {\"data_size\": 0, "))
      << json;
  EXPECT_NE(std::string::npos, json.find("\"raw_average_key_size\": 24"));
  events.TableFileDeleted({}, 11);
  EXPECT_EQ(
      "{\"time_micros\": 1795258379394032, \"job\": 0, "
      "\"event\": \"table_file_deletion\", \"file_number\": 11}",
      Json());
}

TEST_F(EventsTest, StallsAndTunerDecisionsCarryTheirNumbers) {
  DbEvents events(store_);
  WriteStallInfo info;
  info.cf_name = "default";
  info.condition.cur = WriteStallCondition::kDelayed;
  info.condition.prev = WriteStallCondition::kNormal;
  StallNumbers numbers;
  numbers.cause = "l0-file-count-limit";
  numbers.level0_files = 20;
  numbers.delayed_write_rate = 8388608;
  events.log().LogStallChange(info, numbers);
  EXPECT_EQ(
      "{\"time_micros\": 1795258379394032, \"cf_name\": \"default\", "
      "\"event\": \"stall_begin\", \"condition\": \"delayed\", "
      "\"previous\": \"normal\", \"cause\": \"l0-file-count-limit\", "
      "\"unflushed_memtables\": 0, \"level0_files\": 20, "
      "\"pending_compaction_bytes\": 0, \"delayed_write_rate\": 8388608}",
      Json());
  std::swap(info.condition.cur, info.condition.prev);
  events.log().LogStallChange(info, numbers);
  EXPECT_NE(std::string::npos, Json().find("\"event\": \"stall_end\""));
  events.TunerDecided({"drain_switch",
                       "disable",
                       "on",
                       "off",
                       "",
                       "",
                       {{"drained_pct", 95}, {"high_pct", 60}}});
  EXPECT_EQ(
      "{\"time_micros\": 1795258379394032, \"event\": \"tuner_decision\", "
      "\"tuner\": \"drain_switch\", \"decision\": \"disable\", "
      "\"before\": \"on\", \"after\": \"off\", "
      "\"drained_pct\": 95, \"high_pct\": 60}",
      Json());
}

TEST_F(EventsTest, EveryListenerIsToldEvenWhenOneThrows) {
  DbEvents events(store_);
  first_->throws = true;
  events.set_db(reinterpret_cast<DB*>(this));
  events.FlushBegin(Flush(), {});
  events.FlushCompleted(Flush(), {});
  const std::vector<std::string> expected = {"flush begin db",
                                             "flush end default"};
  EXPECT_EQ(expected, first_->calls);
  EXPECT_EQ(expected, second_->calls);
  ASSERT_FALSE(lines_.all.empty());
  EXPECT_NE(std::string::npos, lines_.all.back().find("from a listener"));
}

TEST_F(EventsTest, AListenerMayForgiveAnErrorOrVetoRecovery) {
  DbEvents events(store_);
  Status error = Status::IOError("disk");
  events.BackgroundError(BackgroundErrorReason::kFlush, &error);
  EXPECT_TRUE(error.ok());
  EXPECT_EQ("OK", second_->calls.back());
  EXPECT_TRUE(events.ErrorRecoveryBegin(BackgroundErrorReason::kFlush, error));
  second_->vetoes = true;
  EXPECT_FALSE(events.ErrorRecoveryBegin(BackgroundErrorReason::kFlush, error));
}

TEST_F(EventsTest, TheOlderRecoveryCallbackIsForSuccessOnly) {
  DbEvents events(store_);
  events.ErrorRecoveryEnd(Status::IOError("disk"), Status::Corruption("no"));
  EXPECT_EQ(std::vector<std::string>{"recovery end Corruption: no"},
            first_->calls);
  events.ErrorRecoveryEnd(Status::IOError("disk"), Status::OK());
  EXPECT_EQ("recovered from IO error: disk", first_->calls[1]);
}

TEST(ListenerNamesTest, ReasonsAreNamedAndUnknownOnesDoNotCrash) {
  EXPECT_STREQ("ForcedBlobGC",
               GetCompactionReasonString(CompactionReason::kForcedBlobGC));
  EXPECT_STREQ("Invalid",
               GetCompactionReasonString(CompactionReason::kNumOfReasons));
  EXPECT_STREQ("WAL Full", GetFlushReasonString(FlushReason::kWalFull));
  EXPECT_STREQ("Invalid", GetFlushReasonString(static_cast<FlushReason>(-1)));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
