// Forgiver: a listener that does not let some failed jobs stop the database.
//
// Place. Programs whose file system fails.
//
// Model. Of the errors of flushes and compactions it sets those to OK whose
// bits the pattern has: the n-th one has bit n % 64. The jobs are tried again,
// and no write may be lost meanwhile. Other errors it leaves alone. A pattern
// without gaps would let a flush that fails for ever, and its caller, wait for
// ever.
//
// Threads. Thread-safe.

#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/listener.h"

namespace ROCKSDB_NAMESPACE::stress {

class Forgiver final : public EventListener {
 public:
  explicit Forgiver(uint64_t pattern) : pattern_(pattern) {}

  const char* Name() const override { return "Forgiver"; }
  void OnBackgroundError(BackgroundErrorReason reason, Status* error) override {
    if (reason != BackgroundErrorReason::kFlush &&
        reason != BackgroundErrorReason::kFlushNoWAL &&
        reason != BackgroundErrorReason::kCompaction) {
      return;
    }
    const uint64_t n = errors_.fetch_add(1);
    if ((pattern_ >> n % 64 & 1) == 0) return;
    *error = Status::OK();
    forgiven_.fetch_add(1);
  }
  uint64_t forgiven() const { return forgiven_.load(); }

 private:
  const uint64_t pattern_;
  std::atomic<uint64_t> errors_{0};
  std::atomic<uint64_t> forgiven_{0};
};

}  // namespace ROCKSDB_NAMESPACE::stress
