// Activity: what each thread does, since when; and the watchdog that reads it.
//
// Place. Every thread of a run names each call before it makes it.
//
// Model. Every Begin is progress, even if the name is unchanged. The watchdog
// reports a thread that has made none for the limit, which is longer on a
// machine with more load than cores: it prints what every thread does, the
// state of the database and, if gdb is installed, all stacks, and ends the
// process.
//
// Threads. A thread writes its own Activity; the watchdog reads all.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

class Activity {
 public:
  void Begin(const char* what);
  const char* what() const { return what_.load(); }
  int64_t millis() const;  // Since the last Begin.

 private:
  std::atomic<const char*> what_{nullptr};  // nullptr: nothing.
  std::atomic<int64_t> since_{0};
};

// Names what a thread does for a scope.
class Doing {
 public:
  Doing(Activity* activity, const char* what)
      : activity_(activity), before_(activity->what()) {
    activity_->Begin(what);
  }
  ~Doing() { activity_->Begin(before_); }
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;

 private:
  Activity* const activity_;
  const char* const before_;
};

class Watchdog {
 public:
  struct Watched {
    std::string name;
    const Activity* activity;
  };
  // describe: the state of the database; it may block, and is then left out.
  Watchdog(int limit_seconds, std::vector<Watched> watched,
           std::function<std::string()> describe);
  ~Watchdog();

 private:
  void Watch();
  void ReportAndExit(const Watched& stuck);

  const int64_t limit_millis_;
  const std::vector<Watched> watched_;
  const std::function<std::string()> describe_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
