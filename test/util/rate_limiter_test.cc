// The rate limiter: its law as text, its threads under a manual clock.

#include "util/rate_limiter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/statistics.h"
#include "test/support/datadriven.h"
#include "test/support/manual_clock.h"
#include "test/util/limiter_script.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using engine::CompactionSwitch;
using engine::GenericRateLimiter;
using engine::LimiterDecision;
using engine::RateLimiterCore;

using Words = std::map<std::string, std::string>;

Words ParseWords(const std::string& line) {
  Words words;
  std::istringstream in(line);
  for (std::string word; in >> word;) {
    const size_t eq = word.find('=');
    words[word.substr(0, eq)] = word.substr(eq + 1);
  }
  return words;
}

int64_t Int(const Words& words, const std::string& name, int64_t fallback) {
  const auto it = words.find(name);
  return it == words.end() ? fallback : std::stoll(it->second);
}

RateLimiterCore::Priority PriorityOf(const std::string& name) {
  if (name == "user") return RateLimiterCore::kUser;
  if (name == "high") return RateLimiterCore::kHigh;
  return name == "mid" ? RateLimiterCore::kMid : RateLimiterCore::kLow;
}

// law refill_us=N: "high=.. low=.. elapsed_us=.." per line.
std::string Law(const Case& c) {
  std::ostringstream out;
  for (const std::string& line : c.input) {
    const Words words = ParseWords(line);
    const engine::DrainVerdict v = engine::DecideDrainSwitch(
        {Int(words, "high", 0), Int(words, "low", 0)},
        Int(words, "elapsed_us", 10000000),
        static_cast<int64_t>(c.Uint("refill_us", 100000)));
    out << "intervals=" << v.elapsed_intervals << " D=" << v.drained_pct
        << " H=" << v.drained_high_pct << " "
        << engine::DrainDecisionName(v.decision) << "\n";
  }
  return out.str();
}

// rate max=N from=N: one drained percentage per line.
std::string Rate(const Case& c) {
  std::ostringstream out;
  const auto max = static_cast<int64_t>(c.Uint("max", 0));
  auto rate = static_cast<int64_t>(c.Uint("from", 0));
  for (const std::string& line : c.input) {
    rate = engine::TunedBytesPerSecond(rate, max, std::stoll(line));
    out << rate << "\n";
  }
  return out.str();
}

RateLimiterCore::Options CoreOptions(const Case& c) {
  RateLimiterCore::Options options;
  options.bytes_per_second = static_cast<int64_t>(c.Uint("rate", 1000000));
  options.refill_period_us = static_cast<int64_t>(c.Uint("refill_us", 100000));
  options.fairness = static_cast<int32_t>(c.Uint("fairness", 10));
  options.auto_tuned = c.Uint("auto", 0) != 0;
  options.seed = c.Uint("seed", 301);
  return options;
}

// play: actors, one kind per line; prints the decisions and the shares.
std::string Play(const Case& c) {
  const bool moves_rate =
      c.args.count("tune") != 0 && c.args.at("tune") == "rate";
  LimiterScript script(CoreOptions(c), moves_rate
                                           ? LimiterScript::Tuning::kRate
                                           : LimiterScript::Tuning::kSwitch);
  for (const std::string& line : c.input) {
    const Words words = ParseWords(line);
    for (int64_t i = 0; i < Int(words, "threads", 1); ++i) {
      script.AddActor(PriorityOf(words.at("pri")), Int(words, "bytes", 1),
                      Int(words, "pause_us", 1),
                      Int(words, "from_ms", 0) * 1000 + i,
                      Int(words, "to_ms", 1000) * 1000);
    }
  }
  script.Run();
  std::ostringstream out;
  out << script.log();
  const char* names[] = {"low", "mid", "high", "user"};
  for (int p = RateLimiterCore::kPriorities - 1; p >= 0; --p) {
    const auto priority = static_cast<RateLimiterCore::Priority>(p);
    if (script.core().requests(priority) == 0) continue;
    out << names[p] << ": requests=" << script.core().requests(priority)
        << " bytes=" << script.core().bytes_through(priority) << "\n";
  }
  return out.str();
}

std::string Interpret(const Case& c) {
  if (c.command == "law") return Law(c);
  if (c.command == "rate") return Rate(c);
  return Play(c);
}

TEST(RateLimiterScripts, DrainSwitchLaw) {
  for (const std::string& failure :
       RunDataDriven("test/util/testdata/drain_switch", Interpret)) {
    ADD_FAILURE() << failure;
  }
}

TEST(RateLimiterScripts, QueuesAndNativeTuning) {
  for (const std::string& failure :
       RunDataDriven("test/util/testdata/rate_limiter", Interpret)) {
    ADD_FAILURE() << failure;
  }
}

TEST(DrainSwitchLaw, ExtremeCountsGiveAnAnswer) {
  const int64_t max = std::numeric_limits<int64_t>::max();
  const int64_t min = std::numeric_limits<int64_t>::min();
  for (const int64_t drains : {min, int64_t{-1}, int64_t{0}, max}) {
    for (const int64_t elapsed : {min, int64_t{0}, int64_t{1}, max}) {
      for (const int64_t refill : {min, int64_t{0}, int64_t{1}, max}) {
        const auto v =
            engine::DecideDrainSwitch({drains, drains}, elapsed, refill);
        EXPECT_GE(v.elapsed_intervals, 1);
        EXPECT_GE(v.drained_pct, 0);
      }
    }
  }
}

// A limiter on a manual clock. 1,000 bytes per refill of 100 ms.
struct Bench {
  explicit Bench(bool auto_tuned = false, int64_t rate = 10000) {
    RateLimiterCore::Options options;
    options.bytes_per_second = rate;
    options.auto_tuned = auto_tuned;
    limiter = std::make_unique<GenericRateLimiter>(
        options, RateLimiter::Mode::kWritesOnly, clock);
  }

  // Lets one tuning period pass without requests.
  void SkipTuningPeriod() { clock->Advance(10 * 1000 * 1000); }

  // One refill interval in which a request of `pri` finds the bucket empty.
  // REQUIRES and leaves behind: an empty bucket, refilled just now.
  void DrainOnce(Env::IOPriority pri) {
    std::thread thread([&] { limiter->Request(1, pri, nullptr); });
    clock->AwaitWaiters(1);
    clock->Advance(100 * 1000);
    thread.join();
    limiter->Request(limiter->GetSingleBurstBytes() - 1, Env::IO_USER, nullptr);
  }

  std::shared_ptr<ManualClock> clock =
      std::make_shared<ManualClock>(1000000, ManualClock::Sleep::kBlock);
  std::unique_ptr<GenericRateLimiter> limiter;
};

TEST(RateLimiter, TheFirstRequestIsServedAtOnceFromAFreshRefill) {
  Bench bench;
  bench.limiter->Request(1000, Env::IO_LOW, nullptr);
  EXPECT_EQ(bench.limiter->GetTotalBytesThrough(Env::IO_LOW), 1000);
  EXPECT_EQ(bench.limiter->GetTotalRequests(Env::IO_TOTAL), 1);
}

TEST(RateLimiter, TheBurstIsOneRefillUnlessSet) {
  Bench bench;
  EXPECT_EQ(bench.limiter->GetSingleBurstBytes(), 1000);
  EXPECT_TRUE(bench.limiter->SetSingleBurstBytes(77).ok());
  EXPECT_EQ(bench.limiter->GetSingleBurstBytes(), 77);
  EXPECT_TRUE(bench.limiter->SetSingleBurstBytes(0).ok());
  EXPECT_EQ(bench.limiter->GetSingleBurstBytes(), 1000);
  EXPECT_TRUE(bench.limiter->SetSingleBurstBytes(-1).IsInvalidArgument());
}

TEST(RateLimiter, ANewRateHoldsFromTheNextRefillAndLeavesTheTuningCeiling) {
  Bench bench(/*auto_tuned=*/true);
  EXPECT_EQ(bench.limiter->GetBytesPerSecond(), 5000);
  bench.limiter->SetBytesPerSecond(20000);
  EXPECT_EQ(bench.limiter->GetBytesPerSecond(), 20000);
  bench.SkipTuningPeriod();
  bench.limiter->Request(1, Env::IO_LOW, nullptr);
  EXPECT_EQ(bench.limiter->GetBytesPerSecond(), 500) << "a 20th of the maximum";
}

TEST(RateLimiter, ATokenRequestIsCutToTheBurstAndToWholePages) {
  Bench bench(false, 100 * 4096 * 10);  // 100 pages per refill.
  auto token = [&](size_t bytes, size_t alignment) {
    return bench.limiter->RequestToken(bytes, alignment, Env::IO_LOW, nullptr,
                                       RateLimiter::OpType::kWrite);
  };
  EXPECT_EQ(token(10 * 4096 + 5, 4096), 10u * 4096);
  EXPECT_EQ(token(5, 4096), 4096u) << "never less than one page";
  bench.clock->Advance(100000);
  EXPECT_EQ(token(1000 * 4096, 0), 100u * 4096) << "one burst at most";
  EXPECT_EQ(bench.limiter->RequestToken(1 << 30, 0, Env::IO_LOW, nullptr,
                                        RateLimiter::OpType::kRead),
            size_t{1} << 30)
      << "reads are not limited in this mode";
}

TEST(RateLimiter, AWaiterSleepsUntilTheRefill) {
  Bench bench;
  bench.limiter->Request(1000, Env::IO_LOW, nullptr);
  std::atomic<bool> granted{false};
  std::thread thread([&] {
    bench.limiter->Request(1500, Env::IO_LOW, nullptr);
    granted = true;
  });
  bench.clock->AwaitWaiters(1);
  int64_t pending = 0;
  EXPECT_TRUE(
      bench.limiter->GetTotalPendingRequests(&pending, Env::IO_TOTAL).ok());
  EXPECT_EQ(pending, 1);
  bench.clock->Advance(100000);  // 1,000 of the 1,500.
  while (bench.limiter->GetTotalBytesThrough(Env::IO_LOW) < 2000) {
    std::this_thread::yield();
  }
  EXPECT_FALSE(granted);
  bench.clock->Advance(100000);
  thread.join();
  EXPECT_EQ(bench.limiter->GetTotalBytesThrough(Env::IO_LOW), 2500);
}

TEST(RateLimiter, AnAttachedSwitchWithUsersTakesThePlaceOfRateTuning) {
  Bench bench(/*auto_tuned=*/true);
  CompactionSwitch compactions;
  std::vector<LimiterDecision> told;
  bench.limiter->AttachCompactionSwitch(
      &bench, &compactions, nullptr,
      [&](const LimiterDecision& d) { told.push_back(d); });

  // Without users the rate is tuned: an idle period drops it to the floor.
  bench.SkipTuningPeriod();
  bench.limiter->Request(1, Env::IO_HIGH, nullptr);
  EXPECT_EQ(bench.limiter->GetBytesPerSecond(), 500);
  EXPECT_TRUE(told.empty());

  // With users the rate stays; every interval of the period drains by flush.
  compactions.AddUser();
  bench.limiter->Request(49, Env::IO_HIGH, nullptr);
  for (int i = 0; i < 100; ++i) bench.DrainOnce(Env::IO_HIGH);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].verdict.decision, engine::DrainDecision::kDisable);
  EXPECT_EQ(told[0].verdict.drained_pct, 100);
  EXPECT_EQ(told[0].verdict.drained_high_pct, 100);
  EXPECT_TRUE(told[0].changed);
  EXPECT_TRUE(compactions.disabled());
  EXPECT_EQ(bench.limiter->GetBytesPerSecond(), 500);
  EXPECT_EQ(engine::DescribeDecision(told[0]),
            "auto-tuned compaction: disable, drained 100 % (D), high 100 % (H) "
            "of 100 intervals, rate 500");

  // Nothing drains: the switch holds, so compaction stays off.
  bench.SkipTuningPeriod();
  bench.limiter->Request(1, Env::IO_HIGH, nullptr);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[1].verdict.decision, engine::DrainDecision::kHold);
  EXPECT_TRUE(compactions.disabled());

  bench.limiter->Detach(&bench);
  bench.SkipTuningPeriod();
  bench.limiter->Request(1, Env::IO_HIGH, nullptr);
  EXPECT_EQ(told.size(), 2u);
  LimiterDecision last;
  EXPECT_TRUE(bench.limiter->LastDecision(&last));
  EXPECT_EQ(last.verdict.decision, engine::DrainDecision::kHold);
}

TEST(CompactionSwitch, KeepsEveryFamilysOwnTriggerAndComesBackOn) {
  CompactionSwitch compactions;
  compactions.AddUser();
  EXPECT_FALSE(compactions.Enable()) << "it is on from the start";
  EXPECT_TRUE(compactions.Disable());
  EXPECT_FALSE(compactions.Disable());
  const CompactionSwitch::Limits off = compactions.Effective({false, 4});
  EXPECT_TRUE(off.disable_auto_compactions);
  EXPECT_EQ(off.level0_file_num_compaction_trigger, 1 << 30);
  compactions.RemoveUser();
  const CompactionSwitch::Limits on = compactions.Effective({false, 7});
  EXPECT_FALSE(on.disable_auto_compactions);
  EXPECT_EQ(on.level0_file_num_compaction_trigger, 7);
  EXPECT_TRUE(compactions.Effective({true, 7}).disable_auto_compactions)
      << "a user's own switch is not turned on";
}

// Asks the limiter that tells it of a drain.
class AskingStatistics : public Statistics {
 public:
  explicit AskingStatistics(RateLimiter* limiter) : limiter_(limiter) {}
  const char* Name() const override { return "AskingStatistics"; }
  uint64_t getTickerCount(uint32_t) const override { return drains; }
  void histogramData(uint32_t, HistogramData*) const override {}
  void recordTick(uint32_t ticker, uint64_t count) override {
    if (ticker != NUMBER_RATE_LIMITER_DRAINS) return;
    drains += count;
    bytes_per_second = limiter_->GetBytesPerSecond();
  }
  void setTickerCount(uint32_t, uint64_t) override {}
  uint64_t getAndResetTickerCount(uint32_t) override { return 0; }

  uint64_t drains = 0;
  int64_t bytes_per_second = 0;

 private:
  RateLimiter* const limiter_;
};

// rate_limiter.h (2).
TEST(RateLimiter, StatisticsThatCountADrainMayAskTheLimiter) {
  Bench bench;
  AskingStatistics statistics(bench.limiter.get());
  bench.limiter->Request(1000, Env::IO_LOW, nullptr);
  std::thread thread(
      [&] { bench.limiter->Request(1500, Env::IO_LOW, &statistics); });
  for (int i = 0; i < 2; ++i) {
    bench.clock->AwaitWaiters(1);
    bench.clock->Advance(100 * 1000);
    const int64_t granted = i == 0 ? 2000 : 2500;
    while (bench.limiter->GetTotalBytesThrough(Env::IO_LOW) < granted) {
      std::this_thread::yield();
    }
  }
  thread.join();
  EXPECT_EQ(statistics.drains, 2u);
  EXPECT_EQ(statistics.bytes_per_second, 10000);
}

TEST(RateLimiter, DestructionReleasesEveryWaiter) {
  for (int round = 0; round < 20; ++round) {
    Bench bench;
    bench.limiter->Request(1000, Env::IO_LOW, nullptr);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&bench, i] {
        bench.limiter->Request(1000, static_cast<Env::IOPriority>(i), nullptr);
      });
    }
    int64_t pending = 0;
    while (pending < 4) {
      (void)bench.limiter->GetTotalPendingRequests(&pending, Env::IO_TOTAL);
    }
    bench.limiter.reset();
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(RateLimiter, ManyThreadsGetExactlyTheirBytesInRealTime) {
  const std::unique_ptr<RateLimiter> limiter(NewGenericRateLimiter(
      40 * 1000 * 1000, 1000, 10, RateLimiter::Mode::kWritesOnly));
  constexpr int kThreads = 8;
  constexpr int64_t kBytes = 1000 * 1000;
  std::vector<std::thread> threads;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&limiter, i] {
      for (int64_t sent = 0; sent < kBytes; sent += 10000) {
        limiter->Request(10000, static_cast<Env::IOPriority>(i % 4), nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - start;
  EXPECT_EQ(limiter->GetTotalBytesThrough(Env::IO_TOTAL), kThreads * kBytes);
  EXPECT_EQ(limiter->GetTotalRequests(Env::IO_TOTAL), kThreads * 100);
  EXPECT_GT(took.count(), 0.19) << "8 MB at 40 MB/s, less one burst";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
