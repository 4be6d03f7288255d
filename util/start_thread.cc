#include "util/start_thread.h"

#include <atomic>
#include <cassert>
#include <system_error>
#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

std::atomic<int64_t> starts_left{INT64_MAX};

Status NoThread(const char* reason) {
  return Status::TryAgain("no thread can be started", reason);
}

}  // namespace

Status StartThread(std::thread* thread, std::function<void()> run) {
  assert(!thread->joinable());
  if (starts_left.fetch_sub(1, std::memory_order_relaxed) <= 0) {
    starts_left.fetch_add(1, std::memory_order_relaxed);
    return NoThread("limit of a test");
  }
  try {
    *thread = std::thread(std::move(run));
  } catch (const std::system_error& error) {
    return NoThread(error.what());
  }
  return Status::OK();
}

ThreadStartLimit::ThreadStartLimit(int64_t starts) {
  assert(starts >= 0);
  starts_left.store(starts, std::memory_order_relaxed);
}

ThreadStartLimit::~ThreadStartLimit() {
  starts_left.store(INT64_MAX, std::memory_order_relaxed);
}

}  // namespace ROCKSDB_NAMESPACE::engine
