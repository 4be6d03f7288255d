// What the tuner believes, from the totals of each tick.

#include "db/tune/estimates.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// A device that is full, and writers that wait.
class EstimatesTest : public ::testing::Test {
 protected:
  // Ticks of 0.1 s in which so many MB/s are flushed here, and written for a
  // neighbour.
  void Run(int ticks, double own, double neighbour = 0) {
    for (int i = 0; i < ticks; ++i) {
      signals_.now_micros += 100'000;
      WorkTotals& flush = signals_.work[Index(WorkClass::kFlush)];
      flush.bytes_written += static_cast<uint64_t>(own * 1e5);
      flush.busy_micros += 100'000;
      flush.device_micros += 100'000;
      signals_.neighbours.waiting_written_bytes +=
          static_cast<uint64_t>(neighbour * 1e5);
      (void)estimates_.Update(signals_);
    }
  }

  // One flush that has ended.
  void Flush(uint64_t data, uint64_t table, uint64_t blob) {
    signals_.flushed.data_bytes += data;
    signals_.flushed.table_bytes += table;
    signals_.flushed.blob_bytes += blob;
    Run(1, 20);
  }

  LsmSignals signals_;
  Estimates estimates_{TuneParams()};
};

TEST_F(EstimatesTest, AloneOnTheDeviceOnesShareIsAllOfIt) {
  Run(600, 45);
  EXPECT_NEAR(45e6, estimates_.lasting_capacity(), 1e5);
}

TEST_F(EstimatesTest, NeighboursWhoseWritersWaitHaveEqualShares) {
  signals_.neighbours.waiting = 1;
  Run(600, 35, 10);
  EXPECT_NEAR(22.5e6, estimates_.lasting_capacity(), 1e5);
  signals_.neighbours.waiting = 2;
  Run(1200, 35, 10);
  EXPECT_NEAR(15e6, estimates_.lasting_capacity(), 1e5);
}

// Half of what clients write is left in tables; as much again in blob files.
TEST_F(EstimatesTest, SpeedsAreOfWhatClientsWrite) {
  Run(600, 20);
  EXPECT_NEAR(20e6, estimates_.flush_speed(), 1e5);
  Flush(20'000'000, 10'000'000, 10'000'000);
  EXPECT_DOUBLE_EQ(0.5, estimates_.table_per_byte());
  EXPECT_DOUBLE_EQ(1, estimates_.stored_per_byte());
  for (int i = 0; i < 20; ++i) Flush(20'000'000, 5'000'000, 5'000'000);
  EXPECT_NEAR(0.25, estimates_.table_per_byte(), 0.01);
  EXPECT_NEAR(0.5, estimates_.stored_per_byte(), 0.01);
  EXPECT_NEAR(40e6, estimates_.flush_speed(), 1e6);
  EXPECT_NEAR(0.5, estimates_.front_per_byte(), 0.01);
}

// A table of one key is mostly footer, and says little.
TEST_F(EstimatesTest, SmallFlushesAreTakenTogether) {
  Run(1, 20);
  Flush(20'000'000, 10'000'000, 0);
  for (int i = 0; i < 20; ++i) Flush(20, 1000, 0);
  EXPECT_DOUBLE_EQ(0.5, estimates_.table_per_byte());
  for (int i = 0; i < 80; ++i) Flush(200'000, 50'000, 0);
  EXPECT_NEAR(0.25, estimates_.table_per_byte(), 0.02);
}

TEST_F(EstimatesTest, SizesStayInBoundsWhateverIsTold) {
  Run(2, 20);
  signals_.flushed = {.data_bytes = 2 << 20, .table_bytes = UINT64_MAX};
  Run(1, 20);
  EXPECT_EQ(1, estimates_.table_per_byte());
  signals_.flushed = {.table_bytes = 1};
  Run(1, 20);
  signals_.flushed = {.data_bytes = UINT64_MAX, .table_bytes = 2};
  Run(1, 20);
  for (int i = 0; i < 20; ++i) {
    signals_.flushed.data_bytes = 0;
    Run(1, 20);
    signals_.flushed.data_bytes = UINT64_MAX;
    Run(1, 20);
  }
  EXPECT_EQ(0.01, estimates_.table_per_byte());
  EXPECT_EQ(0.01, estimates_.stored_per_byte());
}

// A database that joins brings all that has ever been written for it.
TEST_F(EstimatesTest, ANeighbourThatComesOrGoesIsNoGrowth) {
  Run(600, 35);
  signals_.neighbours = {.waiting = 1,
                         .waiting_written_bytes = uint64_t{1} << 50};
  Run(1, 35);
  EXPECT_NEAR(35e6, estimates_.lasting_capacity(), 1e5);
  Run(1200, 35, 10);
  EXPECT_NEAR(22.5e6, estimates_.lasting_capacity(), 1e5);
  signals_.neighbours = {};
  Run(1200, 35);
  EXPECT_NEAR(35e6, estimates_.lasting_capacity(), 1e5);
}

TEST_F(EstimatesTest, HowLongWritersHaveWaitedIsForgottenAtTwiceThatSpeed) {
  signals_.waiting_bytes = 1000;
  Run(1000, 45);
  const double waited = estimates_.waited_secs();
  EXPECT_NEAR(99, waited, 2);
  signals_.waiting_bytes = 0;
  Run(300, 45);
  EXPECT_NEAR(waited - 56, estimates_.waited_secs(), 5);
  Run(300, 45);
  EXPECT_EQ(0, estimates_.waited_secs());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
