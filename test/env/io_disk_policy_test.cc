// env/io_disk_policy in virtual time, before a disk of its own. The scenarios
// are in testdata/io_disk; the laws that hold for every one of them are tested
// here.

#include "env/io_disk_policy.h"

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
constexpr uint64_t kMilliMicros = 1000;
constexpr uint64_t kNanos = 1000;

// The real disk: serves one request after the other.
struct RealDisk {
  IoDisk speed;
  uint64_t free_nanos = 0;
  uint64_t stopped_until_micros = 0;

  // When a request that comes now is done.
  uint64_t Serve(const IoRequest& request, uint64_t now_micros) {
    const bool reads = request.kind == IoKind::kRead;
    const double nanos =
        1e9 * (static_cast<double>(request.bytes) /
                   static_cast<double>(reads ? speed.read_bytes_per_second
                                             : speed.write_bytes_per_second) +
               static_cast<double>(request.operations) /
                   static_cast<double>(reads ? speed.read_ops_per_second
                                             : speed.write_ops_per_second));
    free_nanos = std::max({free_nanos, now_micros * kNanos,
                           stopped_until_micros * kNanos}) +
                 static_cast<uint64_t>(nanos);
    return free_nanos / kNanos + 1;
  }
};

// A thread that makes a request, waits for its turn and for the disk, rests,
// and comes back.
struct Requester {
  IoClass io_class = IoClass::kDebt;
  IoRequest request;
  uint64_t rest_micros = 0;
  uint64_t from_micros = 0;
  uint64_t until_micros = UINT64_MAX;
  bool let_through = false;
  bool cached = false;

  IoDiskPolicy::Waiter waiter;
  enum class State : uint8_t {
    kResting,
    kAsking,
    kInside
  } state = State::kResting;
  uint64_t due_micros = 0;
  uint64_t asked_micros = 0;
  uint64_t entered_micros = 0;
  uint64_t requests = 0;
  uint64_t bytes = 0;
  uint64_t micros = 0;  // From asking to being done, all requests.
  uint64_t longest_wait_micros = 0;
  uint64_t longest_inside_micros = 0;
};

class DiskWorld {
 public:
  Requester& Add(IoClass io_class, const IoRequest& request) {
    requesters.push_back(std::make_unique<Requester>());
    Requester& r = *requesters.back();
    r.io_class = io_class;
    r.request = request;
    r.due_micros = now_;
    return r;
  }

  void RunUntil(uint64_t end_micros) {
    for (;;) {
      Requester* next = nullptr;
      for (const auto& r : requesters) {
        if (next == nullptr || r->due_micros < next->due_micros) next = r.get();
      }
      if (next == nullptr || next->due_micros >= end_micros) break;
      now_ = std::max(now_, next->due_micros);
      Step(next);
    }
    now_ = end_micros;
  }

  uint64_t now() const { return now_; }

  IoDiskPolicy policy;
  RealDisk disk;
  int64_t clock_offset_micros = 0;  // Of the policy's clock.
  uint64_t late_micros = 0;         // Each thread that is woken.
  std::vector<std::unique_ptr<Requester>> requesters;

 private:
  uint64_t Clock() const {
    return static_cast<uint64_t>(static_cast<int64_t>(now_) +
                                 clock_offset_micros);
  }
  // Makes the next requester ask again, as a signal would.
  void WakeNext() {
    for (const auto& r : requesters) {
      if (r->state == Requester::State::kAsking &&
          policy.Next() == &r->waiter) {
        r->due_micros = std::min(r->due_micros, now_ + 1 + late_micros);
      }
    }
  }
  void Step(Requester* r) {
    switch (r->state) {
      case Requester::State::kResting:
        if (now_ < r->from_micros) {
          r->due_micros = r->from_micros;
          return;
        }
        if (now_ >= r->until_micros) {
          r->due_micros = UINT64_MAX;
          return;
        }
        r->state = Requester::State::kAsking;
        r->asked_micros = now_;
        r->waiter.io_class = r->io_class;
        r->waiter.request = r->request;
        [[fallthrough]];
      case Requester::State::kAsking:
        Ask(r);
        return;
      case Requester::State::kInside:
        if (r->cached) {
          policy.Refund(r->io_class, r->request, Clock());
        } else {
          policy.Complete(r->request, Clock());
        }
        r->longest_inside_micros =
            std::max(r->longest_inside_micros, now_ - r->entered_micros);
        r->micros += now_ - r->asked_micros;
        ++r->requests;
        r->bytes += r->request.bytes;
        r->state = Requester::State::kResting;
        r->due_micros = now_ + r->rest_micros;
        WakeNext();
    }
  }
  void Ask(Requester* r) {
    if (r->let_through) {
      policy.LetThrough(&r->waiter, Clock());
    } else {
      const IoAnswer answer = policy.Ask(&r->waiter, Clock());
      if (!answer.go) {
        const uint64_t wait = answer.ask_again_micros > Clock()
                                  ? answer.ask_again_micros - Clock()
                                  : 1;
        ASSERT_LE(wait, IoDiskPolicy::kPatienceMicros);
        r->due_micros = now_ + wait + late_micros;
        return;
      }
    }
    r->longest_wait_micros =
        std::max(r->longest_wait_micros, now_ - r->asked_micros);
    r->entered_micros = now_;
    r->state = Requester::State::kInside;
    r->due_micros = r->cached ? now_ + 1 : disk.Serve(r->request, now_);
    WakeNext();
  }

  uint64_t now_ = kMB;
};

std::string InTenths(double value) {
  std::ostringstream text;
  text.setf(std::ios::fixed);
  text.precision(1);
  text << value;
  return text.str();
}

// "read_mb=45 write_mb=45 read_ops=3000 write_ops=3000 k=1"
IoDisk ParseDisk(std::istringstream* words) {
  IoDisk disk;
  std::string word;
  while (*words >> word) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const double value = std::stod(word.substr(equals + 1));
    const auto whole = static_cast<uint64_t>(value);
    if (name == "read_mb") disk.read_bytes_per_second = whole * kMB;
    if (name == "write_mb") disk.write_bytes_per_second = whole * kMB;
    if (name == "read_ops") disk.read_ops_per_second = whole;
    if (name == "write_ops") disk.write_ops_per_second = whole;
    if (name == "k") disk.k = value;
    if (name == "part") disk.part = value;
  }
  return disk;
}

IoClass DiskClassNamed(const std::string& name) {
  for (size_t i = 0; i < kIoClasses; ++i) {
    if (name == IoClassName(static_cast<IoClass>(i))) {
      return static_cast<IoClass>(i);
    }
  }
  ADD_FAILURE() << "no class " << name;
  return IoClass::kDebt;
}

// Plays the lines of a case. For every requester: MB (or requests, for reads)
// of each fifth of the time, its longest wait and the longest time inside.
class DiskPlayer {
 public:
  std::string Play(const test::Case& c) {
    const uint64_t start = world_.now();
    const uint64_t length = c.Uint("ms", 2000) * kMilliMicros;
    constexpr int kColumns = 5;
    size_t line = 0;
    for (uint64_t t = 0; t <= length; t += kMilliMicros) {
      while (line < c.input.size() && At(c.input[line]) * kMilliMicros <= t) {
        Apply(c.input[line++], start);
      }
      if (t % (length / kColumns) == 0 && t > 0) Column();
      if (t < length) world_.RunUntil(start + t + kMilliMicros);
    }
    return Report();
  }

 private:
  static uint64_t At(const std::string& line) {
    return std::stoull(line.substr(0, line.find(' ')));
  }

  // "<ms> disk ..." (what it is) | "<ms> profile ..." (what is believed)
  // | "<ms> job <class> read|write <bytes> [rest_us] [until_ms]
  //    [through|cached]"
  // | "<ms> stop <ms>" (the disk serves nothing) | "<ms> clock <ms>" (jumps)
  // | "<ms> late <us>" (threads wake so much later from now on)
  void Apply(const std::string& line, uint64_t start) {
    std::istringstream words(line);
    std::string at;
    std::string what;
    words >> at >> what;
    if (what == "disk") {
      world_.disk.speed = ParseDisk(&words);
    } else if (what == "profile") {
      world_.policy.SetDisk(ParseDisk(&words), kDefaultIoShares, world_.now());
    } else if (what == "stop") {
      uint64_t ms = 0;
      words >> ms;
      world_.disk.stopped_until_micros = world_.now() + ms * kMilliMicros;
    } else if (what == "clock") {
      int64_t ms = 0;
      words >> ms;
      world_.clock_offset_micros += ms * 1000;
    } else if (what == "late") {
      words >> world_.late_micros;
    } else if (what == "job") {
      AddJob(&words, start);
    } else {
      ADD_FAILURE() << line;
    }
  }
  void AddJob(std::istringstream* words, uint64_t start) {
    std::string name;
    std::string kind;
    IoRequest request;
    uint64_t until_ms = 0;
    std::string how;
    *words >> name >> kind >> request.bytes;
    request.kind = kind == "read" ? IoKind::kRead : IoKind::kWrite;
    Requester& r = world_.Add(DiskClassNamed(name), request);
    *words >> r.rest_micros >> until_ms >> how;
    if (until_ms > 0) r.until_micros = start + until_ms * kMilliMicros;
    r.let_through = how == "through";
    r.cached = how == "cached";
    columns_.emplace_back();
    before_.push_back(0);
  }
  void Column() {
    for (size_t i = 0; i < world_.requesters.size(); ++i) {
      const uint64_t bytes = world_.requesters[i]->bytes;
      columns_[i] += " " + InTenths(static_cast<double>(bytes - before_[i]) /
                                    static_cast<double>(kMB));
      before_[i] = bytes;
    }
  }
  std::string Report() const {
    std::string text;
    for (size_t i = 0; i < world_.requesters.size(); ++i) {
      const Requester& r = *world_.requesters[i];
      text += std::string(IoClassName(r.io_class)) + " MB" + columns_[i] +
              ", requests " + std::to_string(r.requests) + ", wait " +
              InTenths(static_cast<double>(r.longest_wait_micros) / 1000) +
              " ms, inside " +
              InTenths(static_cast<double>(r.longest_inside_micros) / 1000) +
              " ms\n";
    }
    text += "flow " + InTenths(world_.policy.flow()) + ", trust " +
            InTenths(world_.policy.trust()) + "\n";
    return text;
  }

  DiskWorld world_;
  std::vector<std::string> columns_;
  std::vector<uint64_t> before_;
};

TEST(IoDiskPolicy, GrantsWhatTheScenariosSay) {
  for (const std::string& failure : test::RunDataDriven(
           "test/env/testdata/io_disk",
           [](const test::Case& c) { return DiskPlayer().Play(c); })) {
    ADD_FAILURE() << failure;
  }
}

IoDisk SomeDisk() {
  IoDisk disk;
  disk.read_bytes_per_second = 90 * kMB;
  disk.write_bytes_per_second = 45 * kMB;
  disk.read_ops_per_second = 6000;
  disk.write_ops_per_second = 3000;
  disk.k = 0.9;
  return disk;
}

TEST(IoDiskPolicy, CostsAreTheSumOfBytesAndOperations) {
  IoDiskPolicy policy;
  policy.SetDisk(SomeDisk(), kDefaultIoShares, 0);
  EXPECT_EQ(policy.Cost({IoKind::kWrite, 45 * kMB / 10, 0, true}), 100000000u);
  EXPECT_EQ(policy.Cost({IoKind::kWrite, 0, 3, true}), 1000000u);
  EXPECT_EQ(policy.Cost({IoKind::kRead, 90 * kMB / 10, 6, true}), 101000000u);
  EXPECT_EQ(policy.SplitBytes(IoKind::kWrite), 86016u);
  EXPECT_EQ(policy.SplitBytes(IoKind::kRead) % 4096, 0u);
  EXPECT_EQ(policy.SplitReads(), 12u) << "2 ms of 6,000 per second";
}

// The experiments of docs/io-scheduler.md: syncs of a log and ten clients that
// read, next to compactions that would take all of the disk.
constexpr double kContendedK = 0.8;

struct Outcome {
  double log_micros = 0;  // Mean time of a sync.
  double read_micros = 0;
  double reads_per_second = 0;
  double cost = 0;  // Seconds of disk time per second, at most.
};

Outcome Contend(bool scheduled) {
  DiskWorld world;
  world.disk.speed = {45 * kMB, 45 * kMB, 3000, 3000, /*k=*/1};
  IoDiskPolicy costs;
  costs.SetDisk(world.disk.speed, kDefaultIoShares, 0);
  if (scheduled) {
    IoDisk profile = world.disk.speed;
    profile.k = kContendedK;
    world.policy.SetDisk(profile, kDefaultIoShares, world.now());
  }
  Requester& log = world.Add(IoClass::kLog, {IoKind::kWrite, 4096, 2, true});
  log.rest_micros = 10 * kMilliMicros;
  constexpr int kReaders = 10;
  for (int i = 0; i < kReaders; ++i) {
    world.Add(IoClass::kUserReads, {IoKind::kRead, 4096, 1, true}).rest_micros =
        8 * kMilliMicros;
  }
  for (int i = 0; i < 8; ++i) {
    world.Add(IoClass::kDebt,
              {i % 2 == 0 ? IoKind::kRead : IoKind::kWrite, 64 << 10, 1, true});
  }
  Outcome outcome;
  constexpr int kSeconds = 5;
  double before = 0;
  for (int second = 1; second <= kSeconds; ++second) {
    world.RunUntil(kMB + static_cast<uint64_t>(second) * kMB);
    double cost = 0;
    for (const auto& r : world.requesters) {
      cost += static_cast<double>(r->requests * costs.Cost(r->request)) / 1e9;
    }
    outcome.cost = std::max(outcome.cost, cost - before);
    before = cost;
  }
  const auto mean = [](const Requester& r) {
    return static_cast<double>(r.micros) / static_cast<double>(r.requests);
  };
  outcome.log_micros = mean(log);
  for (int i = 1; i <= kReaders; ++i) {
    const Requester& reader = *world.requesters[static_cast<size_t>(i)];
    outcome.read_micros += mean(reader) / kReaders;
    outcome.reads_per_second += static_cast<double>(reader.requests) / kSeconds;
  }
  return outcome;
}

TEST(IoDiskPolicy, BringsWhatItsExperimentsShow) {
  const Outcome with = Contend(true);
  const Outcome without = Contend(false);
  EXPECT_LE(with.cost, 1.05 * kContendedK) << "the total is held at K";
  EXPECT_GE(with.cost, 0.95 * kContendedK) << "and all of K is used";
  EXPECT_LE(2 * with.log_micros, without.log_micros);
  EXPECT_LE(2 * with.read_micros, without.read_micros);
  EXPECT_GE(with.reads_per_second, 1.5 * without.reads_per_second)
      << "the same clients are served";
}

// Invariant 1, whatever asks.
TEST(IoDiskPolicy, NeverGrantsMoreThanKAndOneBucket) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Random64 random(seed);
    DiskWorld world;
    world.disk.speed = SomeDisk();
    // Slower than believed, so that no attempt at more succeeds.
    world.disk.speed.k = 1;
    world.policy.SetDisk(SomeDisk(), kDefaultIoShares, world.now());
    for (int i = 0; i < 8; ++i) {
      IoRequest request;
      request.kind = random.Uniform(2) == 0 ? IoKind::kRead : IoKind::kWrite;
      request.bytes = 4096 << random.Uniform(6);
      Requester& r =
          world.Add(static_cast<IoClass>(random.Uniform(kIoClasses)), request);
      r.rest_micros = random.Uniform(2000);
    }
    world.late_micros = seed % 2 == 0 ? random.Uniform(6000) : 0;
    const double bucket = 6e6 + 2e3 * static_cast<double>(std::min<uint64_t>(
                                          4000, world.late_micros));
    const uint64_t start = world.now();
    for (uint64_t t = 100; t <= 900; t += 100) {
      world.RunUntil(start + t * kMilliMicros);
      double cost = 0;
      for (const auto& r : world.requesters) {
        cost += static_cast<double>(r->requests) *
                static_cast<double>(world.policy.Cost(r->request));
      }
      ASSERT_LE(cost, 0.9 * static_cast<double>(t) * 1e6 + bucket)
          << "seed " << seed << " at " << t;
    }
  }
}

TEST(IoDiskPolicy, SurvivesAnyDiskAndAnyClock) {
  Random64 random(301);
  const uint64_t speeds[] = {0, 1, 1000, 50 * kMB, UINT64_MAX};
  const double ks[] = {0, 0.001, 1, 1000};
  for (int round = 0; round < 200; ++round) {
    IoDiskPolicy policy;
    std::vector<IoDiskPolicy::Waiter> waiters(8);
    std::vector<bool> asking(waiters.size(), false);
    uint64_t now = random.Uniform(2) == 0 ? 0 : UINT64_MAX / 2;
    for (int step = 0; step < 200; ++step) {
      switch (random.Uniform(8)) {
        case 0: {
          const IoDisk disk{speeds[random.Uniform(5)],
                            speeds[random.Uniform(5)],
                            speeds[random.Uniform(5)],
                            speeds[random.Uniform(5)], ks[random.Uniform(4)]};
          policy.SetDisk(disk, kDefaultIoShares, now);
          break;
        }
        case 1:
          now = random.Uniform(2) == 0 ? now / 2 : now + (uint64_t{1} << 40);
          break;
        case 2:
          policy.Complete({IoKind::kRead, random.Uniform(1 << 20), 1, true},
                          now);
          policy.Refund(IoClass::kUserReads,
                        {IoKind::kRead, random.Uniform(1 << 20), 1, false},
                        now);
          break;
        default: {
          const size_t i = random.Uniform(waiters.size());
          waiters[i].request.bytes =
              random.Uniform(4) == 0 ? UINT64_MAX : random.Uniform(1 << 21);
          waiters[i].io_class =
              static_cast<IoClass>(random.Uniform(kIoClasses));
          const IoAnswer answer = policy.Ask(&waiters[i], now);
          asking[i] = !answer.go;
          now += random.Uniform(3000);
        }
      }
      ASSERT_GE(policy.flow(), 1.0);
      ASSERT_LE(policy.flow(), IoDiskPolicy::kFlowMax);
    }
    // What still waits goes once the disk is unknown.
    policy.SetDisk(IoDisk{}, kDefaultIoShares, now);
    for (size_t i = 0; i < waiters.size(); ++i) {
      if (asking[i]) {
        EXPECT_TRUE(policy.Ask(&waiters[i], now).go);
      }
    }
    EXPECT_EQ(policy.waiting(), 0u);
  }
}

TEST(IoDiskPolicy, GivesBackWhatACacheHasServed) {
  IoDiskPolicy policy;
  policy.SetDisk(SomeDisk(), kDefaultIoShares, 0);
  const IoRequest read{IoKind::kRead, 1 << 16, 1, false};
  IoDiskPolicy::Waiter waiter;
  waiter.io_class = IoClass::kUserReads;
  waiter.request = read;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(policy.Ask(&waiter, 0).go) << i;
    policy.Refund(IoClass::kUserReads, read, 0);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
