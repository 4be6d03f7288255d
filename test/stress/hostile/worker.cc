#include "test/stress/hostile/worker.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "test/hostile/allocations.h"
#include "test/stress/hostile/edges.h"

namespace ROCKSDB_NAMESPACE::hostile {

namespace {

constexpr size_t kFoundMax = 4000;
constexpr size_t kFoundBytesMax = 16 << 10;
// Of a target in one turn.
constexpr uint64_t kTurn = 64;

char* g_what = nullptr;
const std::atomic<uint64_t>* g_progress = nullptr;
uint64_t g_progress_seen = 0;
int g_seconds_without = 0;

void Note(const char* what) {
  if (g_what != nullptr) std::strncpy(g_what, what, 255);
}

void OnRequire(const char* what) {
  Note(what);
  _exit(3);
}

// Once per second of processor time.
void OnTick(int) {
  const uint64_t progress = g_progress == nullptr ? 0 : g_progress->load();
  if (progress != g_progress_seen) {
    g_progress_seen = progress;
    g_seconds_without = 0;
  } else if (++g_seconds_without >= kCpuSecondsMax) {
    Note("hangs");
    _exit(3);
  }
}

double NowSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// What one worker knows of a target.
struct Progress {
  std::vector<std::string> seeds;
  std::vector<std::string> found;
  uint64_t changes = 0;  // Systematic ones.
  uint64_t stride = 1;   // Only every so many of them.
  bool ready = false;
};

class Worker {
 public:
  Worker(const std::vector<Target>& targets, const WorkerPlan& plan,
         WorkerState* state)
      : targets_(targets),
        plan_(plan),
        state_(state),
        progress_(targets.size()),
        end_(NowSeconds() + plan.seconds) {}

  void Run() {
    for (bool any = true; any;) {
      any = false;
      for (size_t t = 0; t < targets_.size(); ++t) {
        if (state_->off[t] || Ended(t)) continue;
        any = true;
        Turn(t);
      }
    }
  }

 private:
  bool Ended(size_t t) const {
    if (plan_.seconds > 0) return NowSeconds() >= end_;
    return state_->next[t] >= plan_.inputs[t];
  }

  void Prepare(size_t t) {
    Progress& p = progress_[t];
    if (p.ready) return;
    p.ready = true;
    p.seeds = targets_[t].seeds();
    if (p.seeds.empty()) p.seeds.emplace_back();
    for (const std::string& seed : p.seeds) {
      p.changes += kChangesPerByte * seed.size();
    }
    const uint64_t half = plan_.inputs[t] / 2 + 1;
    // Coprime to the kinds of change, so that all of them have their turn.
    if (p.changes > half) p.stride = (p.changes / half + 1) | 1;
    if (p.stride % kChangesPerByte == 0) p.stride += 2;
  }

  void Turn(size_t t) {
    Prepare(t);
    const Target& target = targets_[t];
    state_->target = static_cast<uint32_t>(t);
    const uint64_t turns = std::max<uint64_t>(1, kTurn * target.weight / 100);
    for (uint64_t n = 0; n < turns; ++n) {
      uint64_t i = state_->next[t];
      if (i == 0) i = plan_.job;
      if (plan_.seconds <= 0 && i >= plan_.inputs[t]) {
        state_->next[t] = i;
        return;
      }
      state_->next[t] = i + plan_.jobs;
      std::string input = Make(t, i);
      RunOne(t, input);
    }
  }

  std::string Make(size_t t, uint64_t i) {
    Progress& p = progress_[t];
    if (i < p.seeds.size()) return p.seeds[i];
    uint64_t change = (i - p.seeds.size()) * p.stride;
    if (change < p.changes) {
      size_t s = 0;
      while (change >= kChangesPerByte * p.seeds[s].size()) {
        change -= kChangesPerByte * p.seeds[s++].size();
      }
      std::string input = p.seeds[s];
      MakeChange(targets_[t], change, &input);
      return input;
    }
    uint64_t mixed = plan_.seed * 0x9E3779B97F4A7C15u + t * 0x100000001b3u + i;
    Random64 random(engine::SplitMix64(&mixed));
    const bool further = !p.found.empty() && random.OneIn(2);
    const std::vector<std::string>& from = further ? p.found : p.seeds;
    std::string input = from[random.Uniform(from.size())];
    Mutate(targets_[t], p.seeds, &random, &input);
    return input;
  }

  void RunOne(size_t t, const std::string& input) {
    state_->size = input.size();
    std::memcpy(state_->input, input.data(),
                std::min(input.size(), sizeof(state_->input)));
    BeginEdges();
    RunInput(targets_[t], input);
    if (CountsEdges()) {
      const size_t fresh = TakeNewEdges(t);
      state_->edges[t] += fresh;
      Progress& p = progress_[t];
      if (fresh > 0 && p.found.size() < kFoundMax &&
          input.size() <= kFoundBytesMax) {
        p.found.push_back(input);
      }
    }
    ++state_->inputs;
    ++state_->done[t];
  }

  const std::vector<Target>& targets_;
  const WorkerPlan& plan_;
  WorkerState* const state_;
  std::vector<Progress> progress_;
  const double end_;
};

}  // namespace

void RunInput(const Target& target, const std::string& input) {
  const test::AllocationWatch watch;
  target.run(input);
  const size_t limit =
      target.memory_base + target.memory_per_byte * input.size();
  if (watch.LargestBytes() <= limit) return;
  char what[160];
  std::snprintf(what, sizeof(what),
                "asks for %zu bytes of memory; at most %zu are right for %zu "
                "bytes of input",
                watch.LargestBytes(), limit, input.size());
  Require(false, what);
}

void CatchFailures(char* what, const std::atomic<uint64_t>* progress) {
  g_what = what;
  g_progress = progress;
  SetRequireHandler(&OnRequire);
  struct sigaction action = {};
  action.sa_handler = &OnTick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  const itimerval second = {{1, 0}, {1, 0}};
  setitimer(ITIMER_PROF, &second, nullptr);
}

void RunWorker(const std::vector<Target>& targets, const WorkerPlan& plan,
               WorkerState* state) {
  CatchFailures(state->what, &state->inputs);
  Worker(targets, plan, state).Run();
}

}  // namespace ROCKSDB_NAMESPACE::hostile
