#include "test/stress/hostile/driver.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>

#include "test/stress/hostile/worker.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::hostile {

namespace {

// Without progress for so long a worker waits for something: on any machine.
constexpr int kWallSecondsMax = 120;
constexpr int kReduceTriesMax = 600;
constexpr double kReduceSecondsMax = 30;
constexpr auto kPoll = std::chrono::milliseconds(50);

double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

WorkerState* NewState() {
  void* const memory =
      ::mmap(nullptr, sizeof(WorkerState), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return new (memory) WorkerState();
}

// How a process ended, for people; "" when well.
std::string EndOf(int status, const char* what) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  if (what[0] != '\0') return what;
  if (WIFSIGNALED(status)) {
    return std::string("dies: ") + ::strsignal(WTERMSIG(status));
  }
  return "ends with code " + std::to_string(WEXITSTATUS(status)) +
         " (a sanitizer's report is above)";
}

// Runs `input` in a process of its own.
std::string Try(const Target& target, const std::string& input,
                WorkerState* scratch) {
  std::memset(scratch->what, 0, sizeof(scratch->what));
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, 1);
    ::dup2(null, 2);
    CatchFailures(scratch->what, nullptr);
    RunInput(target, input);
    ::_exit(0);
  }
  int status = 0;
  const double begin = Now();
  while (::waitpid(pid, &status, WNOHANG) == 0) {
    if (Now() - begin > kWallSecondsMax) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, &status, 0);
      return "waits without end";
    }
    ::usleep(500);
  }
  return EndOf(status, scratch->what);
}

// Takes out pieces, large ones first, as long as it fails.
std::string Reduce(const Target& target, std::string input,
                   WorkerState* scratch) {
  const double end = Now() + kReduceSecondsMax;
  int tries = 0;
  for (size_t piece = input.size() / 2; piece > 0; piece /= 2) {
    for (size_t at = 0; at < input.size();) {
      if (++tries > kReduceTriesMax || Now() > end) return input;
      std::string less = input;
      less.erase(at, piece);
      if (!Try(target, less, scratch).empty()) {
        input = std::move(less);
      } else {
        at += piece;
      }
    }
  }
  return input;
}

class Driver {
 public:
  Driver(const std::vector<Target>& targets, const DriverOptions& options)
      : targets_(targets), options_(options), scratch_(NewState()) {
    uint64_t weights = 0;
    for (const Target& target : targets) weights += target.weight;
    for (const Target& target : targets) {
      inputs_.push_back(options.inputs * target.weight / weights + 1);
    }
  }

  Totals Run() {
    begin_ = Now();
    jobs_.resize(options_.jobs);
    for (uint32_t j = 0; j < options_.jobs; ++j) {
      jobs_[j].state = NewState();
      Start(j);
    }
    for (bool any = true; any;) {
      any = false;
      for (uint32_t j = 0; j < options_.jobs; ++j) any |= Look(j);
      std::this_thread::sleep_for(kPoll);
    }
    return Sum();
  }

 private:
  struct Job {
    WorkerState* state = nullptr;
    pid_t pid = 0;  // 0: has ended.
    uint64_t seen = 0;
    double seen_at = 0;
  };

  void Start(uint32_t j) {
    Job& job = jobs_[j];
    std::memset(job.state->what, 0, sizeof(job.state->what));
    job.seen_at = Now();
    std::fflush(nullptr);
    job.pid = ::fork();
    if (job.pid != 0) return;
    WorkerPlan plan;
    plan.seed = options_.seed;
    plan.job = j;
    plan.jobs = options_.jobs;
    plan.inputs = inputs_;
    if (options_.seconds > 0) {
      plan.seconds = std::max(0.1, begin_ + options_.seconds - Now());
    }
    RunWorker(targets_, plan, job.state);
    ::_exit(0);
  }

  // False when the job is done.
  bool Look(uint32_t j) {
    Job& job = jobs_[j];
    if (job.pid == 0) return false;
    int status = 0;
    if (::waitpid(job.pid, &status, WNOHANG) == 0) {
      const uint64_t inputs = job.state->inputs;
      if (inputs != job.seen) {
        job.seen = inputs;
        job.seen_at = Now();
      } else if (Now() - job.seen_at > kWallSecondsMax) {
        std::strncpy(job.state->what, "waits without end", 255);
        ::kill(job.pid, SIGKILL);
        job.seen_at = Now();
      }
      return true;
    }
    job.pid = 0;
    const std::string why = EndOf(status, job.state->what);
    if (why.empty()) return false;
    // Another job may have failed in the same way meanwhile.
    if (!job.state->off[job.state->target]) Report(job.state, why);
    for (Job& each : jobs_) each.state->off[job.state->target] = true;
    Start(j);
    return true;
  }

  void Report(WorkerState* state, const std::string& why) {
    ++failures_;
    const Target& target = targets_[state->target];
    std::string input(state->input, state->size);
    const std::string again = Try(target, input, scratch_);
    std::printf("\nhostile: FAILURE in %s: %s\n", target.name.c_str(),
                why.c_str());
    if (again.empty()) {
      std::printf("  (this input alone does not fail)\n");
    } else {
      const size_t size = input.size();
      input = Reduce(target, input, scratch_);
      std::printf("  %zu bytes of input, %zu of them needed\n", size,
                  input.size());
    }
    std::filesystem::create_directories(options_.folder);
    char name[64];
    std::snprintf(name, sizeof(name), "-%016llx",
                  static_cast<unsigned long long>(
                      engine::Hash64(input.data(), input.size(), 0)));
    const std::string path = options_.folder + "/" + target.name + name;
    std::ofstream(path, std::ios::binary) << input;
    std::printf("  repeat: tools/dev hostile%s --target %s --input %s\n",
                options_.preset.c_str(), target.name.c_str(), path.c_str());
    std::fflush(stdout);
  }

  Totals Sum() {
    Totals totals;
    totals.failures = failures_;
    const double seconds = Now() - begin_;
    for (size_t t = 0; t < targets_.size(); ++t) {
      uint64_t done = 0;
      uint64_t edges = 0;
      for (const Job& job : jobs_) {
        done += job.state->done[t];
        edges = std::max<uint64_t>(edges, job.state->edges[t]);
      }
      totals.inputs += done;
      std::printf("  %-16s %10llu inputs", targets_[t].name.c_str(),
                  static_cast<unsigned long long>(done));
      if (edges > 0) {
        std::printf(" %8llu edges", static_cast<unsigned long long>(edges));
      }
      std::printf("%s\n", jobs_[0].state->off[t] ? "  FAILED" : "");
    }
    std::printf("  %.1f s, seed %llu, %u jobs\n", seconds,
                static_cast<unsigned long long>(options_.seed), options_.jobs);
    return totals;
  }

  const std::vector<Target>& targets_;
  const DriverOptions& options_;
  WorkerState* const scratch_;
  std::vector<uint64_t> inputs_;
  std::vector<Job> jobs_;
  uint64_t failures_ = 0;
  double begin_ = 0;
};

}  // namespace

Totals Drive(const std::vector<Target>& targets, const DriverOptions& options) {
  return Driver(targets, options).Run();
}

}  // namespace ROCKSDB_NAMESPACE::hostile
