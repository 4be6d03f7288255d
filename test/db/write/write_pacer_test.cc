// db/write/write_pacer in virtual time, then under real threads.

#include "db/write/write_pacer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "rocksdb/system_clock.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr uint64_t kMB = 1000 * 1000;
constexpr uint64_t kSecond = 1000 * 1000;
constexpr uint64_t kTolerance = WritePacer::kToleranceMicros;

// Threads that write as fast as they may, with a clock of their own. A writer
// wakes up late by up to `late_micros`, as sleepers do.
class Writers {
 public:
  struct Writer {
    uint64_t bytes_per_write = 1000;
    uint64_t due_micros = 0;
    uint64_t reserved_bytes = 0;  // Of the write that waits.
    uint64_t rest_micros = 0;
    uint64_t rate = 0;
    uint64_t written = 0;
    uint64_t longest_wait_micros = 0;
    uint64_t asked_micros = 0;
  };

  explicit Writers(uint64_t start_micros = 1000 * kSecond)
      : now_(start_micros) {}

  void Add(uint64_t bytes_per_write) {
    writers.emplace_back();
    writers.back().bytes_per_write = bytes_per_write;
    writers.back().due_micros = now_;
  }

  void RunUntil(uint64_t end_micros) {
    for (;;) {
      Writer& next = *std::min_element(writers.begin(), writers.end(),
                                       [](const Writer& a, const Writer& b) {
                                         return a.due_micros < b.due_micros;
                                       });
      if (next.due_micros >= end_micros) break;
      now_ = std::max(now_, next.due_micros);
      Step(&next);
    }
    now_ = end_micros;
  }

  uint64_t written() const {
    uint64_t sum = 0;
    for (const Writer& writer : writers) sum += writer.written;
    return sum;
  }
  uint64_t now() const { return now_; }

  WritePacer pacer;
  std::vector<Writer> writers;
  uint64_t late_micros = 0;
  uint64_t write_micros = 2;
  Random64 random{17};

 private:
  // As db/write/write_admission does it.
  void Step(Writer* w) {
    if (w->reserved_bytes == 0) {
      w->reserved_bytes = w->bytes_per_write;
      w->asked_micros = now_;
      w->rest_micros = pacer.Reserve(
          w->bytes_per_write, now_, WritePacer::Reservation::kAlways, &w->rate);
    } else {
      const uint64_t slept = now_ - slept_since_(w);
      w->rest_micros -= std::min(w->rest_micros, slept);
      if (pacer.rate() != w->rate) {
        w->rest_micros =
            WritePacer::Rescale(w->rest_micros, w->rate, pacer.rate());
        w->rate = pacer.rate();
      }
    }
    if (w->rest_micros > 0) {
      last_micros_[static_cast<size_t>(w - writers.data()) % 64] = now_;
      const uint64_t step = std::min(w->rest_micros, WritePacer::kStepMicros);
      const uint64_t late =
          late_micros == 0 ? 0 : random.Uniform(late_micros + 1);
      w->due_micros = now_ + step + late;
      return;
    }
    w->written += w->reserved_bytes;
    w->reserved_bytes = 0;
    w->longest_wait_micros =
        std::max(w->longest_wait_micros, now_ - w->asked_micros);
    w->due_micros = now_ + write_micros;
  }
  uint64_t slept_since_(const Writer* w) const {
    return last_micros_[static_cast<size_t>(w - writers.data()) % 64];
  }

  uint64_t now_;
  uint64_t last_micros_[64] = {};
};

TEST(WritePacer, LetsEverythingGoAtRateZero) {
  WritePacer pacer;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(pacer.Reserve(UINT64_MAX, 5), 0u);
  EXPECT_EQ(pacer.rate(), 0u);
}

// write_pacer.h (1).
TEST(WritePacer, KeepsTheRateToOnePercentWithAnyNumberOfWriters) {
  for (const uint64_t rate : {1 * kMB, 8 * kMB, 64 * kMB, 500 * kMB}) {
    for (const size_t count : {1, 2, 5, 16}) {
      for (const uint64_t bytes : {115, 4096, 65536}) {
        Writers sim;
        sim.late_micros = 120;
        sim.write_micros = 1;
        sim.pacer.SetRate(rate, sim.now());
        for (size_t i = 0; i < count; ++i) sim.Add(bytes);
        // One writer of small batches cannot reach any rate.
        if (bytes * count * kSecond / (sim.write_micros + 1) < 2 * rate)
          continue;
        sim.RunUntil(sim.now() + kSecond);
        const double allowed =
            static_cast<double>(rate) * (1 + static_cast<double>(kTolerance) /
                                                 static_cast<double>(kSecond)) +
            static_cast<double>(bytes);
        EXPECT_LE(static_cast<double>(sim.written()), allowed + 1)
            << rate << " " << count << " " << bytes;
        EXPECT_GE(static_cast<double>(sim.written()),
                  0.99 * static_cast<double>(rate) -
                      static_cast<double>(bytes * count))
            << rate << " " << count << " " << bytes;
      }
    }
  }
}

TEST(WritePacer, IsSmoothDownToTheMillisecond) {
  Writers sim;
  sim.pacer.SetRate(64 * kMB, sim.now());
  for (int i = 0; i < 4; ++i) sim.Add(4096);
  sim.RunUntil(sim.now() + 10 * 1000);
  for (int ms = 0; ms < 100; ++ms) {
    const uint64_t before = sim.written();
    sim.RunUntil(sim.now() + 1000);
    EXPECT_NEAR(static_cast<double>(sim.written() - before), 64000, 2 * 4096);
  }
}

// write_pacer.h (2).
TEST(WritePacer, EveryByteCostsEveryWriterTheSame) {
  // Each asks for the same number of bytes per turn in the long run: turns
  // come in the order of asking, so the large one gets more bytes per turn and
  // waits no longer for a turn than the small ones.
  Writers sim;
  sim.pacer.SetRate(20 * kMB, sim.now());
  for (int i = 0; i < 8; ++i) sim.Add(1000);
  sim.Add(50000);
  sim.RunUntil(sim.now() + 5 * kSecond);
  for (int i = 1; i < 8; ++i) {
    EXPECT_NEAR(static_cast<double>(sim.writers[i].written),
                static_cast<double>(sim.writers[0].written), 20000);
  }
  // One turn each per 58 kB, which is 2.9 ms.
  for (const auto& writer : sim.writers) {
    EXPECT_LE(writer.longest_wait_micros, 3500u);
    EXPECT_NEAR(static_cast<double>(writer.written) /
                    static_cast<double>(writer.bytes_per_write),
                5e6 / 2900, 30);
  }
}

TEST(WritePacer, AnIdleHourIsNoCredit) {
  WritePacer pacer;
  uint64_t now = 5 * kSecond;
  pacer.SetRate(10 * kMB, now);
  now += 3600 * kSecond;
  uint64_t burst = 0;
  while (pacer.Reserve(100, now,
                       WritePacer::Reservation::kOnlyWithoutWaiting) == 0)
    burst += 100;
  // 500 us at 10 MB/s, and the write that crosses it.
  EXPECT_GE(burst, 5000u);
  EXPECT_LE(burst, 5200u);
}

TEST(WritePacer, ARefusedWriteCountsForNothing) {
  WritePacer pacer;
  const uint64_t now = kSecond;
  pacer.SetRate(kMB, now);
  EXPECT_EQ(pacer.Reserve(10000, now), 0u);
  const uint64_t wait =
      pacer.Reserve(1000, now, WritePacer::Reservation::kOnlyWithoutWaiting);
  EXPECT_EQ(wait, 10000 - kTolerance);
  EXPECT_EQ(
      pacer.Reserve(1000, now, WritePacer::Reservation::kOnlyWithoutWaiting),
      wait);
  EXPECT_EQ(pacer.Reserve(1000, now), wait);
  EXPECT_EQ(pacer.Reserve(1000, now), wait + 1000);
}

TEST(WritePacer, ARisingRateOrItsEndLeavesNoOldDebt) {
  for (const uint64_t new_rate : {100 * kMB, uint64_t{0}}) {
    Writers sim;
    sim.pacer.SetRate(kMB / 10, sim.now());
    for (int i = 0; i < 8; ++i) sim.Add(50000);
    sim.RunUntil(sim.now() + 100 * 1000);
    EXPECT_LE(sim.written(), 50000u * 2) << "half a second each";
    sim.pacer.SetRate(new_rate, sim.now());
    const uint64_t changed = sim.now();
    const uint64_t before = sim.written();
    // 400 kB wait: 4 ms at 100 MB/s, seen at the next step.
    sim.RunUntil(changed + 10 * 1000);
    for (const auto& writer : sim.writers) EXPECT_GE(writer.written, 50000u);
    if (new_rate == 0) continue;
    sim.RunUntil(changed + kSecond);
    EXPECT_NEAR(static_cast<double>(sim.written() - before), 100e6, 1.5e6);
  }
}

TEST(WritePacer, WhatABurstLetThroughIsCancelledOnlyWhenAsked) {
  for (const bool cancels_debt : {false, true}) {
    WritePacer pacer;
    uint64_t now = kSecond;
    pacer.SetRate(10 * kMB, now, 5 * kMB);
    EXPECT_EQ(0u, pacer.Reserve(2 * kMB, now)) << "a part of the burst";
    now += 100 * 1000;  // Pays for half of it.
    pacer.SetRate(10 * kMB, now, 0, cancels_debt);
    const uint64_t wait = pacer.Reserve(1000, now);
    EXPECT_EQ(cancels_debt ? 0u : 100 * 1000 - kTolerance, wait);
    // Neither has more of the burst left: 101 kB more are owed in full.
    (void)pacer.Reserve(100'000, now);
    const uint64_t owed = cancels_debt ? 0 : 100 * 1000;
    EXPECT_EQ(owed + 10'100 - kTolerance, pacer.Reserve(1000, now));
  }
}

// write_pacer.h (2).
TEST(WritePacer, WritersThatAskAfterDebtWasCancelledMayOvertake) {
  WritePacer pacer;
  const uint64_t now = kSecond;
  pacer.SetRate(kMB, now);
  EXPECT_EQ(0u, pacer.Reserve(50'000, now));
  EXPECT_EQ(50'000 - kTolerance, pacer.Reserve(1000, now));
  EXPECT_EQ(51'000 - kTolerance, pacer.Reserve(1000, now)) << "in order";
  pacer.SetRate(kMB, now, 0, /*cancels_debt=*/true);
  EXPECT_EQ(0u, pacer.Reserve(50'000, now));
  EXPECT_EQ(50'000 - kTolerance, pacer.Reserve(1000, now));
}

TEST(WritePacer, AFallingRateHoldsForThoseWhoWait) {
  Writers sim;
  sim.pacer.SetRate(100 * kMB, sim.now());
  for (int i = 0; i < 16; ++i) sim.Add(10000);
  sim.RunUntil(sim.now() + kSecond);
  const uint64_t before = sim.written();
  sim.pacer.SetRate(kMB, sim.now());
  sim.RunUntil(sim.now() + kSecond);
  EXPECT_NEAR(static_cast<double>(sim.written() - before), 1e6, 0.1e6);
}

TEST(WritePacer, ARateThatIsSetAgainAndAgainChangesNothing) {
  Writers sim;
  sim.Add(1000);
  for (int i = 0; i < 1000; ++i) {
    sim.pacer.SetRate(10 * kMB, sim.now());
    sim.RunUntil(sim.now() + 1000);
  }
  EXPECT_NEAR(static_cast<double>(sim.written()), 10e6, 0.1e6);
  // Nor does one that trembles.
  const uint64_t before = sim.written();
  for (int i = 0; i < 1000; ++i) {
    sim.pacer.SetRate(10 * kMB + (i % 2) * 1000, sim.now());
    sim.RunUntil(sim.now() + 1000);
  }
  EXPECT_NEAR(static_cast<double>(sim.written() - before), 10e6, 0.1e6);
}

TEST(WritePacer, ExtremeRatesAndSizesAreBounded) {
  WritePacer pacer;
  const uint64_t now = 1u << 30;
  pacer.SetRate(1, now);
  EXPECT_EQ(pacer.Reserve(UINT64_MAX, now), 0u) << "nothing was owed";
  EXPECT_LE(pacer.Reserve(UINT64_MAX, now), WritePacer::kWaitMicrosMax);
  EXPECT_LE(pacer.Reserve(1, now), WritePacer::kWaitMicrosMax);
  pacer.SetRate(UINT64_MAX, now);
  EXPECT_EQ(pacer.Reserve(1 << 30, now), 0u);
  EXPECT_EQ(pacer.Reserve(1 << 30, now), 0u);
  pacer.SetRate(1, now);
  EXPECT_LE(pacer.Reserve(1, now), WritePacer::kWaitMicrosMax);
  pacer.SetRate(0, now);
  EXPECT_EQ(pacer.Reserve(1, now), 0u);
  pacer.SetRate(kMB, now);
  EXPECT_EQ(pacer.Reserve(100, now), 0u) << "all was forgiven";
}

// write_pacer.h (4).
TEST(WritePacer, NoWaitIsLongerThanTheMaximum) {
  constexpr uint64_t kMax = WritePacer::kWaitMicrosMax;
  EXPECT_EQ(kMax, WritePacer::Rescale(kSecond, 100 * kMB, 1));
  EXPECT_EQ(kMax, WritePacer::Rescale(kMax, kMB, kMB));
  EXPECT_EQ(kMax / 2, WritePacer::Rescale(kMax, kMB, 2 * kMB));
  WritePacer pacer;
  const uint64_t now = 5000 * kSecond;
  pacer.SetRate(1, now);
  (void)pacer.Reserve(kMB, now);
  // Another thread asked for the time earlier.
  EXPECT_LE(pacer.Reserve(1, now - WritePacer::kClockJumpMicros / 2), kMax);
}

TEST(WritePacer, AClockThatIsSetBackOrForwardStopsNoWriter) {
  WritePacer pacer;
  uint64_t now = 1000 * kSecond;
  pacer.SetRate(kMB, now);
  EXPECT_EQ(pacer.Reserve(100000, now), 0u);
  EXPECT_EQ(pacer.Reserve(1000, now), 100000 - kTolerance);
  now -= 500 * kSecond;
  // What was owed still is, and no more.
  EXPECT_EQ(pacer.Reserve(1000, now), 101000 - kTolerance);
  EXPECT_EQ(pacer.Reserve(1000, now - 50), 102050 - kTolerance);
  now += 2000 * kSecond;
  EXPECT_EQ(pacer.Reserve(1000, now), 0u);
}

TEST(WritePacer, KnowsWhatWaits) {
  WritePacer pacer;
  pacer.AddPaced(100);
  pacer.AddPaced(50);
  pacer.SetStalled(1000);
  EXPECT_EQ(pacer.waiting_bytes(), 1150u);
  pacer.RemovePaced(100);
  pacer.SetStalled(0);
  EXPECT_EQ(pacer.waiting_bytes(), 50u);
}

TEST(WritePacer, ThreadsLoseAndInventNothing) {
  // No thread waits here; all pass the same time. The sum of all reservations
  // must equal the ledger in the end.
  WritePacer pacer;
  const uint64_t now = 1000 * kSecond;
  pacer.SetRate(10 * kMB, now);
  constexpr int kThreads = 4;
  constexpr int kWrites = 20000;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&pacer] {
      for (int i = 0; i < kWrites; ++i) (void)pacer.Reserve(100, now);
    });
  }
  for (std::thread& thread : threads) thread.join();
  // 100 bytes are 10 us.
  EXPECT_EQ(pacer.Reserve(1, now), kThreads * kWrites * 10 - kTolerance);
}

// write_pacer.h (3).
TEST(WritePacer, RatesThatChangeUnderThreadsKeepTheDebtInBytes) {
  WritePacer pacer;
  const uint64_t now = 1000 * kSecond;
  pacer.SetRate(kMB, now);
  constexpr int kThreads = 3;
  constexpr int kWrites = 20000;
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kWrites; ++i) (void)pacer.Reserve(1000, now);
      running.fetch_sub(1);
    });
  }
  uint64_t changes = 0;
  while (running.load() > 0) {
    pacer.SetRate(++changes % 2 == 0 ? kMB : 100 * kMB, now);
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  pacer.SetRate(kMB, now);
  // Time stands still, so all of it is owed: a byte is a microsecond now. A
  // nanosecond may be lost per change, a tenth of a byte at the higher rate.
  const double owed = static_cast<double>(pacer.Reserve(1, now) + kTolerance);
  EXPECT_NEAR(owed, kThreads * kWrites * 1000.0,
              10 + static_cast<double>(changes));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
