// env/io_budget_policy in virtual time. The scenarios are in
// testdata/io_budget; the laws that hold for every one of them are tested here
// with random ones.

#include "env/io_budget_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "test/env/units.h"
#include "test/support/datadriven.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using test::kMB;
constexpr uint64_t kMilli = 1000;

// A thread that has a chunk, waits for its turn, writes and comes back.
struct Job {
  IoClass io_class = IoClass::kDebt;
  uint64_t chunk_bytes = kMB;
  uint64_t device_micros = 0;  // Per chunk.
  bool hurry = false;

  IoBudgetPolicy::Waiter waiter;
  bool asking = false;
  uint64_t due_micros = 0;
  uint64_t asked_micros = 0;
  uint64_t granted_bytes = 0;
  uint64_t longest_wait_micros = 0;
};

// Jobs before a gate, with a clock of their own.
class World {
 public:
  explicit World(uint64_t start_micros = kMB) : now_(start_micros) {}

  Job& Add(IoClass io_class, uint64_t chunk_bytes, uint64_t device_micros) {
    jobs.push_back(std::make_unique<Job>());
    Job& job = *jobs.back();
    job.io_class = io_class;
    job.chunk_bytes = chunk_bytes;
    job.device_micros = device_micros;
    job.due_micros = now_;
    return job;
  }

  void RunUntil(uint64_t end_micros) {
    for (;;) {
      Job* next = nullptr;
      for (const auto& job : jobs) {
        if (next == nullptr || job->due_micros < next->due_micros)
          next = job.get();
      }
      if (next == nullptr || next->due_micros >= end_micros) break;
      now_ = std::max(now_, next->due_micros);
      Step(next);
    }
    now_ = end_micros;
  }

  // As a signal does: those who wait look again.
  void WakeAll() {
    for (const auto& job : jobs) {
      if (job->asking) job->due_micros = now_;
    }
  }

  void SetBudget(const IoBudget& budget) {
    core.SetBudget(budget, now_);
    WakeAll();
  }

  uint64_t now() const { return now_; }

  IoBudgetPolicy core;
  bool flush_writes = false;
  std::vector<std::unique_ptr<Job>> jobs;

 private:
  void Step(Job* job) {
    if (!job->asking) {
      job->asking = true;
      job->asked_micros = now_;
      job->waiter.bytes = job->chunk_bytes;
    }
    job->waiter.io_class = job->io_class;
    if (job->hurry) {
      core.LetThrough(&job->waiter, now_);
    } else {
      const IoAnswer answer = core.Ask(&job->waiter, flush_writes, now_);
      if (!answer.go) {
        ASSERT_GT(answer.ask_again_micros, now_);
        ASSERT_LE(answer.ask_again_micros, now_ + IoBudgetPolicy::kStepMicros);
        job->due_micros = answer.ask_again_micros;
        return;
      }
    }
    job->asking = false;
    job->granted_bytes += job->chunk_bytes;
    job->longest_wait_micros =
        std::max(job->longest_wait_micros, now_ - job->asked_micros);
    job->due_micros = now_ + std::max<uint64_t>(1, job->device_micros);
    WakeAll();
  }

  uint64_t now_;
};

IoClass ClassNamed(const std::string& name) {
  for (size_t i = 0; i < kIoClasses; ++i) {
    if (name == IoClassName(static_cast<IoClass>(i)))
      return static_cast<IoClass>(i);
  }
  ADD_FAILURE() << "no class " << name;
  return IoClass::kDebt;
}

// "debt=50 flush_first floor=10 chunk=1000000": rates in MB/s.
IoBudget ParseBudget(std::istringstream* words) {
  IoBudget budget;
  std::string word;
  while (*words >> word) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const uint64_t value =
        equals == std::string::npos ? 0 : std::stoull(word.substr(equals + 1));
    if (name == "flush_first") {
      budget.flush_first = true;
    } else if (name == "floor") {
      budget.runs_floor_bytes_per_second = value * kMB;
    } else if (name == "chunk") {
      budget.chunk_bytes = static_cast<uint32_t>(value);
    } else {
      budget.bytes_per_second[static_cast<size_t>(ClassNamed(name))] =
          value * kMB;
    }
  }
  return budget;
}

std::string OneDecimal(double value) {
  std::ostringstream text;
  text.setf(std::ios::fixed);
  text.precision(1);
  text << value;
  return text.str();
}

// Plays the lines of a case; every 100 ms one column with the MB granted.
class Player {
 public:
  std::string Play(const test::Case& c) {
    const uint64_t start = world_.now();
    const uint64_t end = start + c.Uint("ms", 1000) * kMilli;
    size_t line = 0;
    std::vector<std::string> columns;
    for (uint64_t t = start; t < end; t += 100 * kMilli) {
      while (line < c.input.size() && At(c.input[line]) * kMilli + start <= t)
        Apply(c.input[line++]);
      Snapshot();
      world_.RunUntil(t + 100 * kMilli);
      Column();
    }
    return Report();
  }

 private:
  static uint64_t At(const std::string& line) {
    return std::stoull(line.substr(0, line.find(' ')));
  }

  // "<ms> budget ..." | "<ms> job <class> chunk=<bytes> device_us=<n>"
  // | "<ms> flush on|off" | "<ms> class <job> <class>" | "<ms> hurry <job>"
  void Apply(const std::string& line) {
    std::istringstream words(line);
    std::string at;
    std::string what;
    words >> at >> what;
    if (what == "budget") {
      world_.SetBudget(ParseBudget(&words));
      return;
    }
    std::string first;
    words >> first;
    if (what == "flush") {
      world_.flush_writes = first == "on";
      world_.WakeAll();
    } else if (what == "job") {
      uint64_t chunk_bytes = kMB;
      uint64_t device_micros = 1000;
      words >> chunk_bytes >> device_micros;
      world_.Add(ClassNamed(first), chunk_bytes, device_micros);
      columns_.emplace_back();
    } else if (what == "class") {
      std::string name;
      words >> name;
      world_.jobs[std::stoul(first)]->io_class = ClassNamed(name);
    } else if (what == "hurry") {
      world_.jobs[std::stoul(first)]->hurry = true;
    } else {
      ADD_FAILURE() << line;
    }
  }

  void Snapshot() {
    before_.clear();
    for (const auto& job : world_.jobs) before_.push_back(job->granted_bytes);
  }
  void Column() {
    for (size_t i = 0; i < world_.jobs.size(); ++i) {
      const uint64_t bytes = world_.jobs[i]->granted_bytes - before_[i];
      columns_[i] += " " + OneDecimal(static_cast<double>(bytes) /
                                      static_cast<double>(kMB));
    }
  }
  std::string Report() const {
    std::string text;
    for (size_t i = 0; i < world_.jobs.size(); ++i) {
      const Job& job = *world_.jobs[i];
      text += std::to_string(i) + " " + IoClassName(job.io_class) +
              ", MB per 100 ms" + columns_[i] + ", longest wait " +
              OneDecimal(static_cast<double>(job.longest_wait_micros) / 1000) +
              " ms\n";
    }
    return text;
  }

  World world_;
  std::vector<uint64_t> before_;
  std::vector<std::string> columns_;
};

TEST(IoBudgetPolicy, GrantsWhatTheScenariosSay) {
  for (const std::string& failure : test::RunDataDriven(
           "test/env/testdata/io_budget",
           [](const test::Case& c) { return Player().Play(c); })) {
    ADD_FAILURE() << failure;
  }
}

TEST(IoBudgetPolicy, KeepsEveryRateToOneHundredthAndNeverExceedsOneBucket) {
  for (const uint64_t rate : {kMB, 7 * kMB, 60 * kMB, 2000 * kMB}) {
    for (const uint64_t chunk : {4096, 65536, 1 << 20}) {
      World world;
      IoBudget budget;
      budget.chunk_bytes = static_cast<uint32_t>(chunk);
      budget.bytes_per_second.fill(rate);
      world.SetBudget(budget);
      const uint64_t bucket =
          std::max(chunk, rate / 1000 * IoBudgetPolicy::kBurstMicros / kMilli);
      for (int i = 0; i < 3; ++i) world.Add(IoClass::kDebt, chunk, 0);
      const uint64_t start = world.now();
      uint64_t granted = 0;
      for (uint64_t t = kMilli; t <= 10000 * kMilli; t += 7 * kMilli) {
        world.RunUntil(start + t);
        granted = 0;
        for (const auto& job : world.jobs) granted += job->granted_bytes;
        ASSERT_LE(granted, rate * t / kMB + bucket + 1)
            << rate << " " << chunk << " at " << t;
      }
      const double wanted = static_cast<double>(rate) * 9.997;
      EXPECT_GE(static_cast<double>(granted),
                wanted - static_cast<double>(chunk) - 0.01 * wanted)
          << rate << " " << chunk;
    }
  }
}

TEST(IoBudgetPolicy, SharesAClassByArrivalWhateverTheSizeOfTheChunks) {
  World world;
  IoBudget budget;
  budget.bytes_per_second[static_cast<size_t>(IoClass::kDebt)] = 50 * kMB;
  world.SetBudget(budget);
  for (int i = 0; i < 4; ++i) world.Add(IoClass::kDebt, 250000, 100);
  world.RunUntil(world.now() + 5000 * kMilli);
  for (const auto& job : world.jobs) {
    EXPECT_NEAR(static_cast<double>(job->granted_bytes), 62.5e6, 1e6);
  }
}

TEST(IoBudgetPolicy, HoldsNoJobForFlushesLongerThanAQuarterOfASecond) {
  World world;
  IoBudget budget;
  budget.flush_first = true;
  budget.runs_floor_bytes_per_second = 1;  // As good as none.
  world.SetBudget(budget);
  world.flush_writes = true;
  world.Add(IoClass::kRuns, kMB, 100);
  world.Add(IoClass::kDebt, kMB, 100);
  world.Add(IoClass::kDebt, kMB, 100);
  world.Add(IoClass::kMaintenance, kMB, 100);
  world.RunUntil(world.now() + 10000 * kMilli);
  for (const auto& job : world.jobs) {
    EXPECT_GE(job->granted_bytes, 35 * kMB);
    EXPECT_LE(job->granted_bytes, 41 * kMB);
    EXPECT_LE(job->longest_wait_micros,
              IoBudgetPolicy::kHoldMicrosMax + IoBudgetPolicy::kStepMicros);
  }
}

TEST(IoBudgetPolicy, SurvivesAnyBudgetAndAnyClock) {
  Random64 random(301);
  const uint64_t rates[] = {0, 1, 1000, 50 * kMB, UINT64_MAX};
  for (int round = 0; round < 200; ++round) {
    IoBudgetPolicy core;
    std::vector<IoBudgetPolicy::Waiter> waiters(8);
    std::vector<bool> asking(waiters.size(), false);
    uint64_t now = random.Uniform(2) == 0 ? 0 : UINT64_MAX / 2;
    for (int step = 0; step < 200; ++step) {
      switch (random.Uniform(8)) {
        case 0: {
          IoBudget budget;
          for (uint64_t& rate : budget.bytes_per_second)
            rate = rates[random.Uniform(5)];
          budget.flush_first = random.Uniform(2) == 0;
          budget.runs_floor_bytes_per_second = rates[random.Uniform(5)];
          budget.chunk_bytes = static_cast<uint32_t>(
              random.Uniform(2) == 0 ? random.Uniform(3) : UINT32_MAX);
          core.SetBudget(budget, now);
          break;
        }
        case 1:
          now = random.Uniform(2) == 0 ? now / 2 : now + (uint64_t{1} << 40);
          break;
        default: {
          const size_t i = random.Uniform(waiters.size());
          if (!asking[i]) {
            waiters[i].bytes =
                random.Uniform(4) == 0 ? UINT64_MAX : random.Uniform(1 << 21);
          }
          waiters[i].io_class = static_cast<IoClass>(random.Uniform(4));
          const auto answer =
              core.Ask(&waiters[i], random.Uniform(2) == 0, now);
          asking[i] = !answer.go;
          if (!answer.go) {
            ASSERT_LE(answer.ask_again_micros,
                      now + IoBudgetPolicy::kStepMicros);
          }
          now += random.Uniform(3000);
        }
      }
    }
    // What still waits goes once nothing limits it.
    core.SetBudget(IoBudget{}, now);
    for (size_t i = 0; i < waiters.size(); ++i) {
      if (asking[i]) {
        EXPECT_TRUE(core.Ask(&waiters[i], true, now).go);
      }
    }
    EXPECT_EQ(core.waiting(), 0u);
  }
}

TEST(IoBudgetPolicy, AChunkThatChangesItsClassKeepsTheOneItHasNow) {
  IoBudgetPolicy core;
  IoBudget budget;
  budget.bytes_per_second[static_cast<size_t>(IoClass::kDebt)] = 1;
  core.SetBudget(budget, 0);
  IoBudgetPolicy::Waiter first;
  first.bytes = kMB;
  EXPECT_TRUE(core.Ask(&first, false, 0).go) << "the bucket is full at first";
  IoBudgetPolicy::Waiter waiter;
  waiter.bytes = kMB;
  EXPECT_FALSE(core.Ask(&waiter, false, 0).go);
  EXPECT_EQ(core.waiting(), 1u);
  waiter.io_class = IoClass::kRuns;
  EXPECT_TRUE(core.Ask(&waiter, false, 0).go);
  EXPECT_EQ(core.waiting(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
