// Threads that the system refuses become a Status.
//
// Place. The library starts every thread here: pools, the timer, helpers of
// copies and compression, disk loads.
//
// Threads. May be called by any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <thread>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

// Errors: TryAgain when the system has no more threads (the limit of a
// container or a user); `thread` is then unchanged.
Status StartThread(std::thread* thread, std::function<void()> run);

// For tests: while it lives, only `starts` more threads can be started.
class ThreadStartLimit {
 public:
  explicit ThreadStartLimit(int64_t starts);
  ~ThreadStartLimit();
  ThreadStartLimit(const ThreadStartLimit&) = delete;
  ThreadStartLimit& operator=(const ThreadStartLimit&) = delete;
};

}  // namespace ROCKSDB_NAMESPACE::engine
