// Bounded: a call that must return. One that hangs cannot be ended, nor its
// thread joined, so it ends the test program with a message instead.
//
// Threads. The call is made by the caller's thread.

#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>
#include <utility>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::test {

template <typename Fn>
auto Bounded(const char* what, const Fn& call) {
  std::promise<void> returned;
  std::thread guard([what, waiting = returned.get_future()] {
    if (waiting.wait_for(std::chrono::minutes(1)) == std::future_status::ready)
      return;
    std::fprintf(stderr, "%s does not return\n", what);
    std::abort();
  });
  auto result = call();
  returned.set_value();
  guard.join();
  return result;
}

}  // namespace ROCKSDB_NAMESPACE::test
