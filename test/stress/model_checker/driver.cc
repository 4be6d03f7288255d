#include "test/stress/model_checker/driver.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "test/support/temp_dir.h"
#include "util/random.h"

extern char** environ;

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

using Clock = std::chrono::steady_clock;

void Sleep(uint64_t millis) {
  std::this_thread::sleep_for(std::chrono::milliseconds(millis));
}

struct Sums {
  uint64_t runs = 0;
  uint64_t operations = 0;
  uint64_t reopenings = 0;
  uint64_t kills = 0;
  uint64_t faults = 0;
  uint64_t transactions = 0;
  uint64_t found_prepared = 0;
  uint64_t failures = 0;
};

const char* ChoiceText(Choice choice) {
  return choice == Choice::kOn ? "1" : choice == Choice::kOff ? "0" : "draw";
}

std::vector<std::string> ChoiceArguments(const Flags& flags) {
  std::vector<std::string> arguments;
  const auto add = [&](const char* name, Choice choice) {
    if (choice == Choice::kDraw) return;
    arguments.push_back(std::string("--") + name + "=" + ChoiceText(choice));
  };
  add("kill", flags.kill);
  add("faults", flags.faults);
  add("memory", flags.memory);
  add("lossy", flags.lossy);
  add("timestamps", flags.timestamps);
  add("neighbour", flags.neighbour);
  add("filters", flags.filters);
  add("transactions", flags.transactions);
  if (!flags.without_options.empty()) {
    arguments.push_back("--without_options=" + flags.without_options);
  }
  if (!flags.without.empty()) {
    arguments.push_back("--without=" + flags.without);
  }
  if (flags.threads != Flags().threads) {
    arguments.push_back("--threads=" + std::to_string(flags.threads));
  }
  if (flags.stall_seconds != Flags().stall_seconds) {
    arguments.push_back("--stall_seconds=" +
                        std::to_string(flags.stall_seconds));
  }
  return arguments;
}

// Threads meet as they like, so it repeats itself until it fails.
std::string RepeatCommand(const Flags& flags) {
  std::string command = "tools/dev stress --preset " + flags.preset +
                        " --seed " + std::to_string(flags.seed) +
                        " --repeat 50";
  for (const std::string& argument : ChoiceArguments(flags)) {
    command += " '" + argument + "'";
  }
  return command;
}

// All processes of one seed.
class Run {
 public:
  Run(const Flags& flags, const std::string& dir, Sums* sums)
      : flags_(flags), dir_(dir), sums_(*sums), random_(flags.seed + 77) {}

  bool Go() {
    const Plan plan = DrawPlan(flags_);
    std::printf("%s\n", plan.ToString().c_str());
    std::fflush(stdout);
    const Status status =
        ExpectedState::Open(dir_ + "/expected", plan.shape, &expected_);
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", status.ToString().c_str());
      return false;
    }
    bool good = true;
    for (flags_.round = 0; good && flags_.round < plan.rounds; ++flags_.round) {
      flags_.endless = true;
      good = StartAndKill();
    }
    flags_.endless = false;
    if (good) good = Wait(Start());
    ++sums_.runs;
    Totals& totals = expected_->totals();
    sums_.operations += totals.operations;
    sums_.reopenings += totals.reopenings;
    sums_.faults += totals.faults;
    sums_.transactions += totals.transactions;
    sums_.found_prepared += totals.found_prepared;
    return good;
  }

 private:
  pid_t Start() {
    std::vector<std::string> words{
        "/proc/self/exe",
        "--child=1",
        "--seed=" + std::to_string(flags_.seed),
        "--dir=" + dir_,
        "--round=" + std::to_string(flags_.round),
        std::string("--endless=") + (flags_.endless ? "1" : "0")};
    for (const std::string& word : ChoiceArguments(flags_)) {
      words.push_back(word);
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t pid = -1;
    const int error = ::posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr,
                                    arguments.data(), environ);
    return error == 0 ? pid : -1;
  }
  bool Wait(pid_t pid) {
    int how = 0;
    if (pid < 0 || ::waitpid(pid, &how, 0) != pid) return false;
    if (WIFSIGNALED(how)) {
      std::fprintf(stderr, "FAILURE: the process ended by signal %d\n",
                   WTERMSIG(how));
    }
    return WIFEXITED(how) && WEXITSTATUS(how) == 0;
  }

  // Mostly while it works; now and then while it opens the database.
  bool StartAndKill() {
    const uint64_t opened = expected_->totals().reopenings;
    const pid_t pid = Start();
    if (pid < 0) return false;
    const bool early = random_.OneIn(5);
    int how = 0;
    while (!early && expected_->totals().reopenings == opened) {
      if (::waitpid(pid, &how, WNOHANG) == pid) return Ended(how);
      Sleep(5);
    }
    for (uint64_t left = random_.Skewed(10); left > 0; --left) {
      if (::waitpid(pid, &how, WNOHANG) == pid) return Ended(how);
      Sleep(1);
    }
    ::kill(pid, SIGKILL);
    if (::waitpid(pid, &how, 0) != pid) return false;
    if (!WIFSIGNALED(how) || WTERMSIG(how) != SIGKILL) return Ended(how);
    ++sums_.kills;
    return true;
  }
  static bool Ended(int how) {
    std::fprintf(stderr, "FAILURE: the process ended by itself, with %d\n",
                 how);
    return false;
  }

  Flags flags_;
  const std::string dir_;
  Sums& sums_;
  engine::Random64 random_;
  std::unique_ptr<ExpectedState> expected_;
};

bool RunSeed(const Flags& flags, Sums* sums) {
  std::unique_ptr<test::TempDir> temporary;
  std::string base = flags.dir;
  if (base.empty()) {
    temporary = std::make_unique<test::TempDir>();
    base = temporary->path();
  }
  const std::string dir = base + "/run-" + std::to_string(flags.seed) + "-" +
                          std::to_string(sums->runs);
  std::filesystem::create_directories(dir);
  const bool good = Run(flags, dir, sums).Go();
  std::error_code ignored;
  if (good) {
    std::filesystem::remove_all(dir, ignored);
    return true;
  }
  ++sums->failures;
  std::fprintf(
      stderr, "%s%s\nto repeat: %s\n",
      flags.dir.empty() ? "" : "files: ", flags.dir.empty() ? "" : dir.c_str(),
      RepeatCommand(flags).c_str());
  return false;
}

}  // namespace

int Drive(const Flags& flags) {
  const Clock::time_point start = Clock::now();
  Sums sums;
  bool out_of_time = false;
  for (uint64_t i = 0; i < flags.seeds && !out_of_time; ++i) {
    Flags one = flags;
    one.seed = flags.seed + i;
    for (uint64_t n = 0; n < flags.repeat && !out_of_time; ++n) {
      if (!RunSeed(one, &sums)) break;
      const std::chrono::duration<double> gone = Clock::now() - start;
      out_of_time = flags.seconds > 0 && gone.count() >= flags.seconds;
    }
  }
  std::printf(
      "stress: %llu runs, %llu operations, %llu transactions, %llu reopenings, "
      "%llu found prepared, %llu kills, %llu faults, %llu failures\n",
      static_cast<unsigned long long>(sums.runs),
      static_cast<unsigned long long>(sums.operations),
      static_cast<unsigned long long>(sums.transactions),
      static_cast<unsigned long long>(sums.reopenings),
      static_cast<unsigned long long>(sums.found_prepared),
      static_cast<unsigned long long>(sums.kills),
      static_cast<unsigned long long>(sums.faults),
      static_cast<unsigned long long>(sums.failures));
  return sums.failures == 0 ? 0 : 1;
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
