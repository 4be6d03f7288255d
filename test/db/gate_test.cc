// The byte gate and the write pacer inside an open database: what is charged,
// who gives way, and that neither keeps a database from pausing or closing.

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/tuning_driver/tuning_domain.h"
#include "gtest/gtest.h"
#include "rocksdb/convenience.h"
#include "rocksdb/statistics.h"
#include "test/db/pause_fixture.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using engine::IoBudget;
using engine::IoClass;
using engine::IoCounters;
using engine::IoGate;
using engine::IoKind;
using engine::IoLane;
using engine::IoPass;
using engine::WritePacer;

class DbGateTest : public ::testing::Test {
 protected:
  DbGateTest() : env_(NewMemEnv(Env::Default())) {
    Options& options = db_.options();
    options.compression = kNoCompression;
    options.level0_file_num_compaction_trigger = 2;
    options.statistics = CreateDBStatistics();
  }
  void Open() { ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db")); }

  engine::DbState& state() { return *db_.impl()->state(); }
  IoGate& gate() { return *state().store.io_gate; }
  IoLane Lane(IoClass io_class, IoKind kind) {
    return gate().Snapshot().At(io_class, kind);
  }
  void SetRate(uint64_t bytes_per_second) {
    state().pacer.SetRate(bytes_per_second, state().store.clock->NowMicros());
  }
  // One byte per second for everything, and empty buckets.
  void Choke() {
    IoBudget budget;
    budget.bytes_per_second.fill(1);
    budget.chunk_bytes = 4096;
    gate().SetBudget(budget);
  }
  bool AwaitAtGate() {
    return PausableDb::Await([this] {
      const IoCounters now = gate().Snapshot();
      return now.Total(IoKind::kRead).waiting +
                 now.Total(IoKind::kWrite).waiting >
             0;
    });
  }
  uint64_t TableBytes() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    uint64_t bytes = 0;
    for (const LiveFileMetaData& file : files) bytes += file.size;
    return bytes;
  }

  static constexpr int kKeys = 5000;
  std::unique_ptr<Env> env_;
  PausableDb db_;
};

TEST_F(DbGateTest, EveryByteOfATableIsChargedUnderItsClass) {
  db_.options().disable_auto_compactions = true;
  Open();
  db_.AddFile(0, kKeys, 2, 100);
  db_.AddFile(1, kKeys, 2, 100);
  const uint64_t flushed = TableBytes();
  EXPECT_EQ(Lane(IoClass::kFlush, IoKind::kWrite).bytes, flushed);
  EXPECT_EQ(gate().Snapshot().Total(IoKind::kRead).bytes, 0u);
  EXPECT_EQ(gate().flushes_writing(), 0);
  // Reads of users have no class.
  EXPECT_EQ(db_.Rows().size(), 2u * kKeys);
  EXPECT_EQ(gate().Snapshot().Total(IoKind::kRead).bytes, 0u);

  ASSERT_TRUE(db_->SetOptions({{"disable_auto_compactions", "false"}}).ok());
  ASSERT_TRUE(PausableDb::Await([this] {
    return db_.Jobs().empty() &&
           db_.Property("rocksdb.num-files-at-level0") == "0";
  }));
  const IoLane read = Lane(IoClass::kRuns, IoKind::kRead);
  EXPECT_GE(read.bytes, flushed * 95 / 100);
  EXPECT_LE(read.bytes, flushed * 105 / 100);
  const uint64_t merged = TableBytes();
  EXPECT_EQ(Lane(IoClass::kRuns, IoKind::kWrite).bytes, merged);

  CompactRangeOptions manual;
  manual.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  ASSERT_TRUE(db_->CompactRange(manual, nullptr, nullptr).ok());
  EXPECT_EQ(Lane(IoClass::kMaintenance, IoKind::kWrite).bytes, TableBytes());
  EXPECT_GE(Lane(IoClass::kMaintenance, IoKind::kRead).bytes,
            merged * 95 / 100);
  for (const IoKind kind : {IoKind::kRead, IoKind::kWrite}) {
    EXPECT_EQ(gate().Snapshot().Total(kind).in_flight_bytes(), 0u);
    EXPECT_EQ(gate().Snapshot().Total(kind).inside, 0u);
  }
}

TEST_F(DbGateTest, CompactionsWithoutReadaheadAreChargedToo) {
  db_.options().compaction_readahead_size = 0;
  Open();
  db_.AddFile(0, kKeys, 2, 100);
  db_.AddFile(1, kKeys, 2, 100);
  ASSERT_TRUE(PausableDb::Await([this] {
    return db_.Jobs().empty() &&
           db_.Property("rocksdb.num-files-at-level0") == "0";
  }));
  EXPECT_GE(Lane(IoClass::kRuns, IoKind::kRead).bytes, TableBytes() * 95 / 100);
}

TEST_F(DbGateTest, AJobThatWaitsForItsTurnPausesAtOnce) {
  Open();
  db_.AddFile(0, kKeys, 2, 100);
  IoBudget budget;
  budget.bytes_per_second[static_cast<size_t>(IoClass::kRuns)] = 1;
  budget.chunk_bytes = 4096;
  gate().SetBudget(budget);
  db_.AddFile(1, kKeys, 2, 100);
  ASSERT_TRUE(AwaitAtGate());
  db_.PauseAll();
  // Its turn would come after more than an hour.
  ASSERT_TRUE(db_.AwaitPaused());
  gate().SetBudget(IoBudget{});
  db_.ResumeAll();
  ASSERT_TRUE(PausableDb::Await([this] { return db_.Jobs().empty(); }));
  EXPECT_EQ(db_.Rows().size(), 2u * kKeys);
}

TEST_F(DbGateTest, ClosingDoesNotWaitForTheGate) {
  Open();
  db_.AddFile(0, kKeys, 2, 100);
  db_.AddFile(1, kKeys, 2, 100);
  ASSERT_TRUE(PausableDb::Await([this] { return db_.Jobs().empty(); }));
  Choke();
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_TRUE(db_->Put(WriteOptions(), PausableDb::Key(i), "new").ok());
  }
  FlushOptions later;
  later.wait = false;
  ASSERT_TRUE(db_->Flush(later).ok());
  ASSERT_TRUE(AwaitAtGate());
  const auto begin = std::chrono::steady_clock::now();
  db_.Close();
  // The bytes would take hours.
  EXPECT_LE(std::chrono::steady_clock::now() - begin, std::chrono::minutes(1));
  Open();
  const auto rows = db_.Rows();
  EXPECT_EQ(rows.size(), 2u * kKeys);
  EXPECT_EQ(rows.at(PausableDb::Key(7)), "new");
}

TEST_F(DbGateTest, PacedWritesAreStallsOfTheStatistics) {
  Open();
  SetRate(1000 * 1000);
  Statistics& statistics = *db_.options().statistics;
  // The second waits for some 19.5 ms, less what the machine lets pass between
  // the two.
  EXPECT_TRUE(PausableDb::Await([&] {
    EXPECT_TRUE(
        db_->Put(WriteOptions(), "a", std::string(20 * 1000, 'v')).ok());
    EXPECT_TRUE(db_->Put(WriteOptions(), "b", "v").ok());
    return statistics.getTickerCount(STALL_MICROS) >= 15 * 1000u;
  }));
  HistogramData stalls;
  statistics.histogramData(WRITE_STALL, &stalls);
  EXPECT_GE(stalls.count, 1u);
  EXPECT_EQ(state().pacer.waiting_bytes(), 0u);
  WriteOptions hasty;
  hasty.no_slowdown = true;
  SetRate(0);  // Forgives what is owed: 20 bytes would be 20 s at the next.
  SetRate(1);
  ASSERT_TRUE(db_->Put(WriteOptions(), "c", "v").ok());
  EXPECT_TRUE(db_->Put(hasty, "d", "v").IsIncomplete());
  SetRate(0);
  EXPECT_TRUE(db_->Put(hasty, "e", "v").ok());
}

TEST_F(DbGateTest, ClosingEndsTheWaitOfPacedWriters) {
  Open();
  ASSERT_TRUE(db_->Put(WriteOptions(), "before", "v").ok());
  SetRate(1);
  (void)state().pacer.Reserve(1000, state().store.clock->NowMicros());
  std::vector<std::thread> writers;
  std::atomic<int> interrupted{0};
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&] {
      const Status status = db_->Put(WriteOptions(), "k", "v");
      if (status.IsShutdownInProgress()) interrupted.fetch_add(1);
    });
  }
  EXPECT_TRUE(PausableDb::Await(
      [this] { return state().pacer.waiting_bytes() >= 8 * 10; }));
  CancelAllBackgroundWork(db_.get(), /*wait=*/false);
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(interrupted.load(), 8);
  EXPECT_EQ(state().pacer.waiting_bytes(), 0u);
  db_.Close();
  Open();
  EXPECT_EQ(db_.Rows().size(), 1u);
}

TEST_F(DbGateTest, DatabasesOfOneDeviceShareTheirFlushes) {
  Open();
  PausableDb other;
  ASSERT_NO_FATAL_FAILURE(other.Open(env_.get(), "/other"));
  IoGate& theirs = *other.impl()->state()->store.io_gate;
  const IoPass pass(&gate(), IoClass::kFlush);
  const IoGate::Turn writing(&pass, IoKind::kWrite, 1, false);
  EXPECT_EQ(theirs.flushes_writing(), 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
