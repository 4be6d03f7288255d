#include "test/stress/model_checker/activity.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

int64_t NowMillis() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The limit holds for a machine that has a core per thread that wants one.
int64_t LimitUnderLoad(int64_t limit_millis) {
  double load = 0;
  if (::getloadavg(&load, 1) != 1) return limit_millis;
  const double cores = std::max(1u, std::thread::hardware_concurrency());
  const double share = std::max(1.0, load / cores);
  return static_cast<int64_t>(static_cast<double>(limit_millis) * share);
}

// The answer of a function that may never return.
std::string AnswerWithin(int millis,
                         const std::function<std::string()>& function) {
  struct Shared {
    std::atomic<bool> done{false};
    std::string answer;
  };
  const auto shared = std::make_shared<Shared>();
  std::thread([shared, function] {
    shared->answer = function();
    shared->done = true;
  }).detach();
  for (int waited = 0; waited < millis; waited += 10) {
    if (shared->done) return shared->answer;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return "the database does not answer: its mutex is held\n";
}

}  // namespace

void Activity::Begin(const char* what) {
  since_.store(NowMillis());
  what_.store(what);
}

int64_t Activity::millis() const { return NowMillis() - since_.load(); }

Watchdog::Watchdog(int limit_seconds, std::vector<Watched> watched,
                   std::function<std::string()> describe)
    : limit_millis_(int64_t{1000} * limit_seconds),
      watched_(std::move(watched)),
      describe_(std::move(describe)),
      thread_([this] { Watch(); }) {}

Watchdog::~Watchdog() {
  stop_ = true;
  thread_.join();
}

void Watchdog::Watch() {
  int64_t last = NowMillis();
  while (!stop_) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    // A process that was itself stopped has made no progress either.
    const bool late = NowMillis() - last > 1000;
    last = NowMillis();
    if (late) continue;
    for (const Watched& one : watched_) {
      if (one.activity->what() != nullptr &&
          one.activity->millis() > limit_millis_ &&
          one.activity->millis() > LimitUnderLoad(limit_millis_)) {
        ReportAndExit(one);
      }
    }
  }
}

void Watchdog::ReportAndExit(const Watched& stuck) {
  std::fprintf(stderr, "STALL: %s: %s for %lld ms\n", stuck.name.c_str(),
               stuck.activity->what(),
               static_cast<long long>(stuck.activity->millis()));
  for (const Watched& one : watched_) {
    const char* const what = one.activity->what();
    std::fprintf(stderr, "  %s: %s for %lld ms\n", one.name.c_str(),
                 what == nullptr ? "idle" : what,
                 static_cast<long long>(one.activity->millis()));
  }
  std::fprintf(stderr, "%s", AnswerWithin(2000, describe_).c_str());
  if (std::system("command -v gdb >/dev/null") == 0) {
    const std::string command =
        "timeout 60 gdb -p " + std::to_string(::getpid()) +
        " -batch -ex 'thread apply all backtrace 25' 2>/dev/null"
        " | grep -E '^(Thread|#)' >&2";
    if (std::system(command.c_str()) != 0) std::fprintf(stderr, "no stacks\n");
  }
  ::_exit(1);
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
