// What the adaptive tuner never lets happen: more than the user's limits, a
// slow database that slows its neighbour, or a database that a strange limit
// or a device that stands still brings to its knees.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "db/tuning_driver/tuning_domain.h"
#include "env/mem/mem_file_system.h"
#include "env/throttled_file_system.h"
#include "rocksdb/env.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/statistics.h"
#include "test/db/tuned_fixture.h"
#include "test/support/hooked_fs.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using Clock = std::chrono::steady_clock;

double Secs(Clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

// Writes as fast as it is let for a while, and until it has been enough, which
// on a loaded machine takes longer. Row i of thread t is one key, so that
// afterwards nothing may be missing.
struct Load {
  int threads = 2;
  double secs = 1;
  int rows_min = 0;  // Of each thread.
  // Asked after each row.
  std::function<bool()> is_enough = [] { return true; };
  size_t value_bytes = 1000;
  std::string prefix = "w";

  static constexpr double kSecsMax = 60;

  static std::string Key(const std::string& prefix, int t, int i) {
    return prefix + std::to_string(t) + "." + std::to_string(i);
  }

  // Returns how many rows each thread has written.
  std::vector<int> Run(DB* db) const {
    std::vector<int> rows(static_cast<size_t>(threads));
    std::vector<std::thread> all;
    const auto start = Clock::now();
    const auto goes_on = [&](int n) {
      const double now = Secs(Clock::now() - start);
      if (now < secs) return true;
      return now < kSecsMax && (n < rows_min || !is_enough());
    };
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&, t] {
        int& n = rows[static_cast<size_t>(t)];
        for (; goes_on(n); ++n) {
          std::string value(value_bytes, 'v');
          const Status s =
              db->Put(WriteOptions(), Key(prefix, t, n * 7919 % 100003), value);
          ASSERT_TRUE(s.ok()) << s.ToString();
        }
      });
    }
    for (std::thread& thread : all) thread.join();
    return rows;
  }
};

void ExpectRows(DB* db, const Load& load, const std::vector<int>& rows) {
  std::string value;
  for (int t = 0; t < load.threads; ++t) {
    for (int n = 0; n < rows[static_cast<size_t>(t)]; ++n) {
      const Status s = db->Get(
          ReadOptions(), Load::Key(load.prefix, t, n * 7919 % 100003), &value);
      ASSERT_TRUE(s.ok()) << s.ToString();
    }
  }
}

// A device of so many MB/s in front of files in memory.
std::unique_ptr<Env> SlowEnv(uint64_t mbps) {
  engine::DeviceModel::Options device;
  device.write_mbps = mbps;
  device.dirty_bytes_max = 256 << 10;
  return NewCompositeEnv(std::make_shared<engine::ThrottledFileSystem>(
      std::make_shared<engine::MemFileSystem>(), SystemClock::Default(), device,
      [](const std::string& path) { return path.ends_with(".log"); }));
}

// Looks at a database all the time and keeps the most it saw.
class Watch {
 public:
  explicit Watch(DB* db) : db_(db), thread_([this] { Run(); }) {}
  ~Watch() { Stop(); }
  void Stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  std::atomic<uint64_t> memory{0};
  std::atomic<uint64_t> level0{0};
  std::atomic<uint64_t> debt{0};

 private:
  static void Raise(std::atomic<uint64_t>* most, uint64_t now) {
    if (now > *most) *most = now;  // By one thread only.
  }
  void Max(const char* property, std::atomic<uint64_t>* most) {
    uint64_t now = 0;
    if (db_->GetIntProperty(property, &now)) Raise(most, now);
  }
  void Run() {
    while (!stop_) {
      Max("rocksdb.cur-size-all-mem-tables", &memory);
      Max("rocksdb.estimate-pending-compaction-bytes", &debt);
      std::string files;
      if (db_->GetProperty("rocksdb.num-files-at-level0", &files)) {
        Raise(&level0, std::stoull(files));
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  DB* const db_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

class TuningBoundsTest : public ::testing::Test {
 protected:
  // Small enough that everything fills within a second.
  static void MakeSmall(Options* o) {
    o->write_buffer_size = 256 << 10;
    o->max_write_buffer_number = 4;
    o->level0_file_num_compaction_trigger = 4;
    o->level0_slowdown_writes_trigger = 8;
    o->level0_stop_writes_trigger = 12;
    o->max_bytes_for_level_base = 1 << 20;
    o->target_file_size_base = 256 << 10;
    o->soft_pending_compaction_bytes_limit = 8 << 20;
    o->hard_pending_compaction_bytes_limit = 16 << 20;
  }
  // When all are sealed there is one more, empty, with its first arena block.
  static uint64_t MemoryMax(const Options& o) {
    constexpr uint64_t kEmptyMemtable = 8 << 10;
    return o.write_buffer_size *
               static_cast<uint64_t>(o.max_write_buffer_number) +
           kEmptyMemtable;
  }
};

TEST_F(TuningBoundsTest, WritersFasterThanTheDeviceStayInsideAllLimits) {
  const std::unique_ptr<Env> env = SlowEnv(4);
  TunedDb db;
  MakeSmall(&db.options());
  ASSERT_NO_FATAL_FAILURE(db.Open(env.get(), "/db"));
  Load load;
  load.secs = 3;
  std::vector<int> rows;
  {
    Watch watch(db.get());
    load.is_enough = [&] { return watch.level0 > 4; };
    rows = load.Run(db.get());
    watch.Stop();
    const Options& o = db.options();
    const uint64_t memory_max = MemoryMax(o);
    std::printf("memory %.2f of limit, level 0 %d, debt %.1f MB, %d rows\n",
                static_cast<double>(watch.memory.load()) /
                    static_cast<double>(memory_max),
                static_cast<int>(watch.level0),
                static_cast<double>(watch.debt) / 1e6, rows[0] + rows[1]);
    EXPECT_LE(watch.memory, memory_max);
    EXPECT_LE(watch.level0,
              static_cast<uint64_t>(o.level0_stop_writes_trigger));
    // What is in memory when writers stop becomes debt later.
    EXPECT_LE(watch.debt,
              o.hard_pending_compaction_bytes_limit + 2 * memory_max);
    EXPECT_GT(watch.level0, 4u);  // It was pressed.
  }
  ExpectRows(db.get(), load, rows);
}

TEST_F(TuningBoundsTest, AUsersRateLimiterStaysAnUpperBound) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  TunedDb db;
  MakeSmall(&db.options());
  constexpr int64_t kBytesPerSecond = 2 << 20;
  db.options().rate_limiter.reset(NewGenericRateLimiter(kBytesPerSecond));
  db.options().statistics = CreateDBStatistics();
  ASSERT_NO_FATAL_FAILURE(db.Open(env.get(), "/db"));
  const auto start = Clock::now();
  Load load;
  load.secs = 2;
  const auto bytes = [&] {
    return static_cast<double>(
        db.options().statistics->getTickerCount(FLUSH_WRITE_BYTES) +
        db.options().statistics->getTickerCount(COMPACT_WRITE_BYTES));
  };
  load.is_enough = [&] { return bytes() > 0; };
  (void)load.Run(db.get());
  const double written = bytes();
  const double secs = Secs(Clock::now() - start);
  EXPECT_GT(written, 0);
  EXPECT_LE(written, kBytesPerSecond * (secs + 0.5));
}

// ---------------------------------------------------------------- bad limits

struct BadLimits {
  const char* name;
  std::function<void(Options*)> set;
};

void PrintTo(const BadLimits& limits, std::ostream* os) { *os << limits.name; }

class TuningBadLimitsTest : public ::testing::TestWithParam<BadLimits> {};

TEST_P(TuningBadLimitsTest, LoseNoWriteAndHangNowhere) {
  const std::unique_ptr<Env> env = SlowEnv(20);
  TunedDb db;
  Options& o = db.options();
  o.write_buffer_size = 256 << 10;
  o.level0_slowdown_writes_trigger = 8;
  o.level0_stop_writes_trigger = 12;
  GetParam().set(&o);
  ASSERT_NO_FATAL_FAILURE(db.Open(env.get(), "/db"));
  Load load;
  load.secs = 0.25;
  load.rows_min = 21;
  const std::vector<int> rows = load.Run(db.get());
  EXPECT_GT(*std::min_element(rows.begin(), rows.end()), 20);
  db.TickTimes(3);
  // A stop at one file leaves no room for another without a stall.
  FlushOptions flush;
  flush.allow_write_stall = true;
  EXPECT_TRUE(db->Flush(flush).ok());
  EXPECT_TRUE(db->WaitForCompact(WaitForCompactOptions()).ok());
  CompactRangeOptions compact;
  compact.allow_write_stall = true;
  EXPECT_TRUE(db->CompactRange(compact, nullptr, nullptr).ok());
  ExpectRows(db.get(), load, rows);
  db.Close();
  ASSERT_NO_FATAL_FAILURE(db.Open(env.get(), "/db"));
  ExpectRows(db.get(), load, rows);
}

INSTANTIATE_TEST_SUITE_P(
    All, TuningBadLimitsTest,
    ::testing::Values(
        BadLimits{"SlowdownZero",
                  [](Options* o) { o->level0_slowdown_writes_trigger = 0; }},
        BadLimits{"SlowdownNegative",
                  [](Options* o) { o->level0_slowdown_writes_trigger = -1; }},
        BadLimits{"AllOfLevel0One",
                  [](Options* o) {
                    o->level0_file_num_compaction_trigger = 1;
                    o->level0_slowdown_writes_trigger = 1;
                    o->level0_stop_writes_trigger = 1;
                  }},
        BadLimits{"Level0Unlimited",
                  [](Options* o) {
                    o->level0_slowdown_writes_trigger = INT_MAX;
                    o->level0_stop_writes_trigger = INT_MAX;
                  }},
        BadLimits{"StopBelowSlowdown",
                  [](Options* o) {
                    o->level0_slowdown_writes_trigger = 20;
                    o->level0_stop_writes_trigger = 3;
                  }},
        BadLimits{"NoDebtLimits",
                  [](Options* o) {
                    o->soft_pending_compaction_bytes_limit = 0;
                    o->hard_pending_compaction_bytes_limit = 0;
                  }},
        BadLimits{"TinyDebtLimits",
                  [](Options* o) {
                    o->soft_pending_compaction_bytes_limit = 1;
                    o->hard_pending_compaction_bytes_limit = 1 << 20;
                  }},
        BadLimits{"TinyMemtables",
                  [](Options* o) {
                    o->write_buffer_size = 1;
                    o->max_write_buffer_number = 1;
                  }},
        BadLimits{"TwoMemtables",
                  [](Options* o) { o->max_write_buffer_number = 2; }},
        BadLimits{"FlushesMergeMoreThanThereAre",
                  [](Options* o) {
                    o->min_write_buffer_number_to_merge = 8;
                    o->max_write_buffer_number = 3;
                  }},
        BadLimits{"NoCompactions",
                  [](Options* o) { o->disable_auto_compactions = true; }}),
    [](const auto& test) { return test.param.name; });

// Where static behaviour never slows writers down, neither does the tuner.
TEST_F(TuningBoundsTest, WithoutCompactionsLevel0SlowsNoWriter) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  TunedDb db;
  MakeSmall(&db.options());
  db.options().disable_auto_compactions = true;
  ASSERT_NO_FATAL_FAILURE(db.Open(env.get(), "/db"));
  for (int i = 0; i < 20; ++i) {
    db.AddFile(i, 100, 1, 100);
    db.Tick();
    EXPECT_EQ(0u, db.pacing()) << i;
  }
}

// ------------------------------------------------------- devices, neighbours

// Lets all writes of table files below a path wait.
class Blockade {
 public:
  IOStatus Before(const FileOp& op) {
    if (op.kind != OpKind::kAppend || !op.path.ends_with(".sst")) {
      return IOStatus::OK();
    }
    std::unique_lock lock(mu_);
    changed_.wait(lock,
                  [&] { return path_.empty() || !op.path.starts_with(path_); });
    return IOStatus::OK();
  }
  void Set(const std::string& path) {
    std::lock_guard lock(mu_);
    path_ = path;
    changed_.notify_all();
  }

 private:
  std::mutex mu_;
  std::condition_variable changed_;
  std::string path_;
};

class TuningDeviceTest : public TuningBoundsTest {
 protected:
  TuningDeviceTest()
      : env_(NewCompositeEnv(std::make_shared<HookedFileSystem>(
            std::make_shared<engine::MemFileSystem>(),
            [this](const FileOp& op) { return blockade_.Before(op); }))) {
    // Threads are the Env's: a flush that stands still takes one away.
    env_->SetBackgroundThreads(4, Env::HIGH);
    env_->SetBackgroundThreads(4, Env::LOW);
  }
  ~TuningDeviceTest() override { blockade_.Set(""); }

  Blockade blockade_;
  std::unique_ptr<Env> env_;
};

TEST_F(TuningDeviceTest, ADeviceThatStandsStillStopsWritersAndLosesNothing) {
  TunedDb db;
  MakeSmall(&db.options());
  ASSERT_NO_FATAL_FAILURE(db.Open(env_.get(), "/db"));
  blockade_.Set("/db");
  std::thread later([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    blockade_.Set("");
  });
  Load load;
  load.secs = 2;
  std::vector<int> rows;
  {
    Watch watch(db.get());
    rows = load.Run(db.get());
    watch.Stop();
    EXPECT_LE(watch.memory, MemoryMax(db.options()));
  }
  later.join();
  EXPECT_TRUE(db->WaitForCompact(WaitForCompactOptions()).ok());
  ExpectRows(db.get(), load, rows);
  // It is as fast again as one that never stood still.
  EXPECT_TRUE(TunedDb::Await([&] { return db.pacing() == 0; }));
}

TEST_F(TuningDeviceTest, AHealthyDatabaseIsNotSlowedByItsNeighbour) {
  TunedDb sick;
  MakeSmall(&sick.options());
  TunedDb healthy;
  MakeSmall(&healthy.options());
  healthy.options().write_buffer_size = 1 << 20;
  healthy.options().statistics = CreateDBStatistics();
  ASSERT_NO_FATAL_FAILURE(sick.Open(env_.get(), "/sick"));
  ASSERT_NO_FATAL_FAILURE(healthy.Open(env_.get(), "/healthy"));
  blockade_.Set("/sick");
  const auto is_limited = [&] { return sick.pacing() > 0 || sick.stopped(); };
  std::atomic<bool> seen{false};
  std::thread victim([&] {
    Load load;
    load.secs = 2;
    load.is_enough = [&] { return seen.load(); };
    (void)load.Run(sick.get());
  });
  EXPECT_TRUE(TunedDb::Await(is_limited));
  seen = true;
  int slowed = 0;
  for (int i = 0; i < 400; ++i) {
    EXPECT_TRUE(healthy
                    ->Put(WriteOptions(), "k" + std::to_string(i),
                          std::string(5000, 'h'))
                    .ok());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    slowed += healthy.pacing() > 0 || healthy.stopped() ||
              healthy.state().controller.NeedsDelay();
  }
  EXPECT_EQ(0, slowed);
  EXPECT_EQ(0u, healthy.options().statistics->getTickerCount(STALL_MICROS));
  EXPECT_TRUE(is_limited());
  // Its flushes and compactions go on beside the flush that stands still.
  EXPECT_TRUE(healthy->Flush(FlushOptions()).ok());
  EXPECT_TRUE(
      healthy->CompactRange(CompactRangeOptions(), nullptr, nullptr).ok());
  blockade_.Set("");
  victim.join();
}

// Values that go to blob files are stored, but not in level 0.
TEST(TunedSizes, WhatFlushesMakeOfAByteIsLearnt) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  options.auto_tuned_compaction = true;
  options.enable_blob_files = true;
  options.min_blob_size = 100;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, "/db", &db).ok());
  const std::string value(1000, 'v');
  for (int i = 0; i < 4000; ++i) {
    ASSERT_TRUE(db->Put(WriteOptions(), std::to_string(i), value).ok());
  }
  ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  std::map<std::string, std::string> state = {{"table_pct", "100"}};
  for (int i = 0; i < 100 && state["table_pct"] == "100"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ASSERT_TRUE(db->GetMapProperty("rocksdb.auto-tune.state", &state));
  }
  EXPECT_LT(std::stoi(state["table_pct"]), 20);
  EXPECT_GT(std::stoi(state["stored_pct"]), 90);
  ASSERT_TRUE(db->Close().ok());
}

TEST(TuningDomainTest, IsTheDevicesAndEndsWithItsMembers) {
  const std::unique_ptr<Env> one(NewMemEnv(Env::Default()));
  const std::unique_ptr<Env> two(NewMemEnv(Env::Default()));
  FileSystem* const fs = one->GetFileSystem().get();
  auto a = engine::TuningDomain::Of(fs, "/a");
  auto b = engine::TuningDomain::Of(fs, "/b");
  EXPECT_EQ(a, b);
  EXPECT_NE(a, engine::TuningDomain::Of(two->GetFileSystem().get(), "/a"));
  EXPECT_EQ(a->gate(), b->gate());

  const auto first = a->Join();
  const auto second = b->Join();
  const auto need = [](double share) {
    return engine::DeviceUse{.need = share};
  };
  EXPECT_EQ(0, a->Exchange(first, need(0.9)).need);
  EXPECT_EQ(0.9, a->Exchange(second, need(0.2)).need);
  EXPECT_EQ(0.2, a->Exchange(first, need(0.5)).need);
  a->Leave(first);
  EXPECT_EQ(0, a->Exchange(second, need(0.2)).need);

  // The gate alone keeps the domain.
  const auto gate = a->gate();
  a.reset();
  b.reset();
  EXPECT_EQ(gate, engine::TuningDomain::Of(fs, "/c")->gate());
}

// Of the others, those count whose writers wait.
TEST(TuningDomainTest, TellsWhatIsWrittenForThoseWhoseWritersWait) {
  engine::TuningDomain domain;
  const auto me = domain.Join();
  const auto waits = domain.Join();
  const auto also = domain.Join();
  const auto rests = domain.Join();
  domain.Exchange(waits, {.writers_wait = true, .written_bytes = 100});
  domain.Exchange(also, {.writers_wait = true, .written_bytes = 20});
  domain.Exchange(rests, {.need = 0.5, .written_bytes = 3});
  const engine::Neighbours others =
      domain.Exchange(me, {.writers_wait = true, .written_bytes = 7000});
  EXPECT_EQ(2, others.waiting);
  EXPECT_EQ(120u, others.waiting_written_bytes);
  EXPECT_EQ(0.5, others.need);
  domain.Leave(also);
  EXPECT_EQ(100u, domain.Exchange(me, {}).waiting_written_bytes);
}

// However many members never tell anything, as databases that are not tuned.
TEST(TuningDomainTest, WhatAMemberToldLongAgoIsNotBelieved) {
  constexpr int kTicks = engine::TuningDomain::kTicksMissedMax;
  engine::TuningDomain domain;
  for (int i = 0; i < 50; ++i) domain.Join();
  const auto me = domain.Join();
  const auto still = domain.Join();
  const auto other = domain.Join();
  const engine::DeviceUse waits{.writers_wait = true, .written_bytes = 100};
  domain.Exchange(still, waits);
  // Only the own ticks of the member that asks count.
  for (int i = 0; i < 10 * kTicks; ++i) domain.Exchange(other, waits);
  for (int tick = 0; tick < kTicks; ++tick) {
    domain.Exchange(other, waits);
    EXPECT_EQ(2, domain.Exchange(me, {}).waiting) << tick;
  }
  for (int tick = 0; tick < kTicks; ++tick) {
    domain.Exchange(other, waits);
    domain.Exchange(me, {});
  }
  EXPECT_EQ(1, domain.Exchange(me, {}).waiting);
  domain.Exchange(still, waits);
  EXPECT_EQ(2, domain.Exchange(me, {}).waiting);
}

TEST(TuningDomainTest, DatabasesLeaveItWhenTheyClose) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  auto domain =
      engine::TuningDomain::Of(env->GetFileSystem().get(), "/anything");
  const auto me = domain->Join();
  {
    TunedDb db;
    ASSERT_NO_FATAL_FAILURE(db.Open(env.get(), "/db"));
    ASSERT_NO_FATAL_FAILURE(db.Press());
    EXPECT_GT(domain->Exchange(me, {}).need, 0);
    db.hold().ReleaseAll();
  }
  EXPECT_EQ(0, domain->Exchange(me, {}).need);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
