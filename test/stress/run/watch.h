// Watch: a program that hangs or crashes still says how to repeat it.
//
// Model. A thread looks whether Progress() is called; after too long without,
// the program prints what it was doing and ends with code 1. Signals of a
// crash print the same.
//
// Threads. Progress() and Doing() by the thread that works.

#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

class Watch {
 public:
  explicit Watch(uint64_t stall_seconds);
  ~Watch();
  Watch(const Watch&) = delete;
  void operator=(const Watch&) = delete;

  // What a failure from now on prints: the command that repeats it.
  void Reproduce(const std::string& command);
  // Something was done; `what` comes next.
  void Progress(const std::string& what);

 private:
  void Look();

  const uint64_t stall_seconds_;
  std::atomic<uint64_t> steps_{0};
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
