// The write generator on a database that answers at once: which write starts
// when.

#include "tools/db_bench/generator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "test/support/datadriven.h"
#include "test/support/manual_clock.h"
#include "util/rate_limiter.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using bench::LoadShape;
using bench::SineLaw;
using bench::WriteGenerator;

std::unique_ptr<RateLimiter> LimiterOn(
    const std::shared_ptr<ManualClock>& clock) {
  engine::RateLimiterCore::Options options;
  options.bytes_per_second = 1;
  return std::make_unique<engine::GenericRateLimiter>(
      options, RateLimiter::Mode::kWritesOnly, clock);
}

// Waiting moves the clock: nothing else happens on an instant database.
class InstantClock final : public SystemClockWrapper,
                           public engine::WaitableClock {
 public:
  explicit InstantClock(const std::shared_ptr<ManualClock>& clock)
      : SystemClockWrapper(clock), clock_(clock) {}
  const char* Name() const override { return "InstantClock"; }
  void WaitUntil(engine::CondVar* /*cv*/, engine::Mutex* /*mu*/,
                 uint64_t deadline_micros) override {
    const uint64_t now = clock_->NowMicros();
    if (now < deadline_micros) {
      clock_->Advance(static_cast<int64_t>(deadline_micros - now));
    }
  }

 private:
  const std::shared_ptr<ManualClock> clock_;
};

// writes a=.. d=.. step_ms=.. bytes=.. seconds=..: prints per step the rate,
// the writes started in it and when the first ones did, in milliseconds. An
// input line "stall at_ms=.. for_ms=.." makes the first write after that time
// take so long.
std::string Writes(const Case& c) {
  auto manual = std::make_shared<ManualClock>(0);
  auto clock = std::make_shared<InstantClock>(manual);
  engine::RateLimiterCore::Options options;
  options.bytes_per_second = 1;
  SineLaw law;
  law.a = static_cast<double>(c.Uint("a", 0));
  law.b = 2 * M_PI / static_cast<double>(c.Uint("period_s", 10));
  law.c = 4.71;
  law.d = static_cast<double>(c.Uint("d", 0));
  const uint64_t step_us = c.Uint("step_ms", 1000) * 1000;
  WriteGenerator generator(LoadShape::Sine(law), step_us, clock.get(),
                           std::make_unique<engine::GenericRateLimiter>(
                               options, RateLimiter::Mode::kWritesOnly, clock));
  unsigned long stall_at_ms = 0, stall_ms = 0;
  if (!c.input.empty() &&
      std::sscanf(c.input[0].c_str(), "stall at_ms=%lu for_ms=%lu",
                  &stall_at_ms, &stall_ms) != 2) {
    return "bad line: " + c.input[0];
  }
  std::ostringstream out;
  const uint64_t end_us = c.Uint("seconds", 10) * 1000000;
  uint64_t step = ~uint64_t{0};
  uint64_t count = 0;
  while (manual->NowMicros() < end_us) {
    generator.Request(static_cast<int64_t>(c.Uint("bytes", 1000)));
    const uint64_t now = manual->NowMicros();
    if (now / step_us != step) {
      if (count > 0) out << " (" << count << " writes)\n";
      step = now / step_us;
      count = 0;
      out << "step " << step << " rate " << generator.BytesPerSecond() << ":";
    }
    if (++count <= 8) out << " " << now / 1000;
    if (stall_ms > 0 && now >= stall_at_ms * 1000) {
      manual->Advance(static_cast<int64_t>(stall_ms) * 1000);
      stall_ms = 0;
    }
  }
  out << " (" << count << " writes)\n";
  return out.str();
}

TEST(WriteGenerator, RequestSequences) {
  for (const std::string& failure :
       RunDataDriven("test/tools/testdata/generator", Writes)) {
    ADD_FAILURE() << failure;
  }
}

TEST(SineLaw, IsTheSourcesFormulaAndNeverStops) {
  const SineLaw full{75000000, 0.017942857, 4.71, 125000000};
  EXPECT_NEAR(static_cast<double>(full.At(0)), 50.0e6, 1e3);
  EXPECT_NEAR(static_cast<double>(full.At(175.2)), 200.0e6, 1e4);
  EXPECT_NEAR(static_cast<double>(full.At(350.18)), 50.0e6, 1e4);
  const SineLaw negative{100, 1, 0, -1000};
  EXPECT_EQ(negative.At(1), 1u);
}

TEST(WriteGenerator, TheRateFollowsTheClockWhileAWriteIsStalled) {
  auto clock = std::make_shared<ManualClock>(0);
  WriteGenerator generator(LoadShape::Sine({100, M_PI / 2, 0, 1000}), 1000000,
                           clock.get(), LimiterOn(clock));
  EXPECT_EQ(generator.BytesPerSecond(), 1000u);
  clock->Advance(999999);
  EXPECT_EQ(generator.BytesPerSecond(), 1000u) << "held for the whole step";
  clock->Advance(1);
  EXPECT_EQ(generator.BytesPerSecond(), 1100u);
  clock->Advance(2000000);
  EXPECT_EQ(generator.BytesPerSecond(), 900u)
      << "no call was needed in between";
}

// A manual clock on which a sleep passes at once.
class SleepClock final : public SystemClockWrapper {
 public:
  explicit SleepClock(const std::shared_ptr<ManualClock>& clock)
      : SystemClockWrapper(clock), clock_(clock) {}
  const char* Name() const override { return "SleepClock"; }
  void SleepForMicroseconds(int micros) override { clock_->Advance(micros); }

 private:
  const std::shared_ptr<ManualClock> clock_;
};

TEST(WriteGenerator, AHeldRateMakesUpForALateWriter) {
  auto manual = std::make_shared<ManualClock>(5000000);
  SleepClock clock(manual);
  WriteGenerator generator(1, &clock, bench::NewGeneratorLimiter(1));
  generator.Hold(100000);
  EXPECT_EQ(generator.BytesPerSecond(), 100000u);
  const auto write = [&](int times) {
    for (int i = 0; i < times; ++i) generator.Request(1000);
    return manual->NowMicros();
  };
  EXPECT_NEAR(static_cast<double>(write(100)), 6e6, 4e4);
  manual->Advance(500000);
  EXPECT_NEAR(static_cast<double>(write(100)), 7e6, 4e4) << "caught up";
  manual->Advance(3000000);
  EXPECT_NEAR(static_cast<double>(write(100)), 10e6, 4e4)
      << "what is older than a second is lost";
  generator.Hold(0);
  EXPECT_EQ(generator.BytesPerSecond(), 0u);
}

TEST(WriteGenerator, AHeldRateReachesAWriterThatWaits) {
  auto clock = SystemClock::Default();
  WriteGenerator generator(1, clock.get(), bench::NewGeneratorLimiter(1));
  std::thread writer([&generator] {
    generator.Request(8192);
    generator.Request(8192);
  });
  const uint64_t start = clock->NowMicros();
  generator.Hold(1 << 30);
  writer.join();
  EXPECT_LT(clock->NowMicros() - start, 60000000u) << "of hours at one byte";
}

TEST(WriteGenerator, AWriteThatBeganInAnOffPhaseGoesOnWhenItEnds) {
  auto manual = std::make_shared<ManualClock>(0);
  auto clock = std::make_shared<InstantClock>(manual);
  engine::RateLimiterCore::Options options;
  options.bytes_per_second = 1;
  LoadShape::Settings shape;
  shape.kind = LoadShape::Kind::kOnOff;
  shape.high = 100000;
  shape.period_seconds = 10;
  shape.high_seconds = 4;
  WriteGenerator generator(*LoadShape::Make(shape), 1000000, clock.get(),
                           std::make_unique<engine::GenericRateLimiter>(
                               options, RateLimiter::Mode::kWritesOnly, clock));
  manual->Advance(5000000);
  EXPECT_EQ(generator.BytesPerSecond(), 0u);
  generator.Request(8192);
  EXPECT_GE(manual->NowMicros(), 10000000u) << "nothing is asked for before";
  EXPECT_LE(manual->NowMicros(), 10300000u) << "then at the high rate";
}

TEST(WriteGenerator, AfterAPauseWhatWasMissedIsWrittenWithoutWaiting) {
  auto manual = std::make_shared<ManualClock>(7000000);
  SleepClock clock(manual);
  LoadShape::Settings shape;
  shape.kind = LoadShape::Kind::kSquare;
  shape.high = shape.low = 100000;
  WriteGenerator generator(*LoadShape::Make(shape), 1000000, &clock,
                           bench::NewGeneratorLimiter(1), {2, 3});
  const auto elapsed_ms = [&] { return manual->NowMicros() / 1000 - 7000; };
  manual->Advance(2500000);
  EXPECT_EQ(0u, generator.BytesPerSecond())
      << "nothing is asked for in a pause";
  generator.Request(1000);
  EXPECT_EQ(5000u, elapsed_ms()) << "a write waits for the end of the pause";
  EXPECT_EQ(100000u, generator.BytesPerSecond());
  for (int i = 1; i < 300; ++i) generator.Request(1000);
  EXPECT_EQ(5000u, elapsed_ms()) << "300 KB were missed from second 2 to 5";
  manual->Advance(1000000);
  for (int i = 0; i < 100; ++i) generator.Request(1000);
  EXPECT_EQ(6000u, elapsed_ms()) << "what is asked for meanwhile comes on top";
}

TEST(CatchUp, EndsForGoodWhenWhatWasAskedForIsWritten) {
  const LoadShape shape = LoadShape::Fixed(100);
  bench::CatchUp catch_up({10, 30}, shape, 1);
  EXPECT_FALSE(catch_up.Takes(5, 1)) << "before the pause";
  EXPECT_FALSE(catch_up.Pauses(9.9));
  EXPECT_TRUE(catch_up.Pauses(10));
  EXPECT_FALSE(catch_up.Pauses(40));
  EXPECT_TRUE(catch_up.Takes(40, 3000));
  EXPECT_FALSE(catch_up.Takes(40, 1)) << "all 3000 bytes are written";
  EXPECT_FALSE(catch_up.Takes(60, 1)) << "from then on the shape holds";
  bench::CatchUp none({}, shape, 1);
  EXPECT_FALSE(none.Pauses(0));
  EXPECT_FALSE(none.Takes(0, 0));
}

TEST(LoadShape, ATotalIsTheSumOfItsSteps) {
  const LoadShape sine = LoadShape::Sine({50, M_PI / 2, 0, 100});
  EXPECT_EQ(100 + 150 + 100 + 50, sine.Total(0, 4, 1));
  EXPECT_EQ(50 + 75, sine.Total(0.5, 1.5, 1)) << "parts of two steps";
  EXPECT_EQ(0, sine.Total(3, 3, 1));
  EXPECT_EQ(300, sine.Total(1, 4, 0)) << "one step for ever";
}

TEST(WriteGenerator, ManyWritersShareOneStaircase) {
  auto clock = SystemClock::Default();
  constexpr uint64_t kRate = 4 * 1000 * 1000;
  WriteGenerator generator(LoadShape::Sine({kRate / 2.0, 20, 0, kRate}), 10000,
                           clock.get(), bench::NewGeneratorLimiter(kRate));
  std::vector<std::thread> threads;
  const uint64_t start = clock->NowMicros();
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&generator] {
      for (int n = 0; n < 50; ++n) generator.Request(10000);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const uint64_t took = clock->NowMicros() - start;
  EXPECT_GT(took, 150000u) << "2 MB at 4 to 6 MB/s, less a burst or two";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
