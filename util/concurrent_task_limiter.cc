#include "util/concurrent_task_limiter.h"

namespace ROCKSDB_NAMESPACE {

namespace engine {

TaskLimiter::Token TaskLimiter::Take(bool force) {
  int32_t outstanding = outstanding_.load();
  for (;;) {
    const int32_t limit = limit_.load();
    if (!force && limit >= 0 && outstanding >= limit) return Token();
    if (outstanding_.compare_exchange_weak(outstanding, outstanding + 1)) {
      return Token(this);
    }
  }
}

}  // namespace engine

ConcurrentTaskLimiter* NewConcurrentTaskLimiter(const std::string& name,
                                                int32_t limit) {
  return new engine::TaskLimiter(name, limit);
}

}  // namespace ROCKSDB_NAMESPACE
