// RateLimiter: bytes per second for background (and optionally user) I/O.
//
// Place. DBOptions::rate_limiter; may be shared by several databases, which
// then share the rate.
//
// Model. Tokens are refilled once per period. A request larger than what is
// left waits in the queue of its priority; IO_USER is served first, then
// IO_HIGH (flush), IO_MID, IO_LOW (compaction), with a chance of
// 1/fairness that a lower one goes first, so that none starves.
//
// Threads. Every method may be called from any thread.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "rocksdb/env.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class RateLimiter {
 public:
  enum class OpType { kRead, kWrite };

  // Which operations are limited.
  enum class Mode { kReadsOnly, kWritesOnly, kAllIo };

  explicit RateLimiter(Mode mode = Mode::kWritesOnly) : mode_(mode) {}
  virtual ~RateLimiter() = default;

  // Takes effect at the next refill. REQUIRES: > 0.
  virtual void SetBytesPerSecond(int64_t bytes_per_second) = 0;

  // 0 means "one period's worth"; larger requests are cut to it.
  virtual Status SetSingleBurstBytes(int64_t /*single_burst_bytes*/) {
    return Status::NotSupported();
  }

  // Returns when `bytes` may be transferred. REQUIRES: bytes is not larger
  // than GetSingleBurstBytes(). Override one of the first two.
  virtual void Request(const int64_t /*bytes*/, const Env::IOPriority /*pri*/) {
    assert(false);
  }
  virtual void Request(const int64_t bytes, const Env::IOPriority pri,
                       Statistics* /*stats*/) {
    Request(bytes, pri);
  }
  virtual void Request(const int64_t bytes, const Env::IOPriority pri,
                       Statistics* stats, OpType op_type) {
    if (IsRateLimited(op_type)) Request(bytes, pri, stats);
  }

  // Waits for a part of `bytes` and returns how many: at most a burst, a
  // multiple of `alignment` if that is not 0 (at least one such unit).
  virtual size_t RequestToken(size_t bytes, size_t alignment,
                              Env::IOPriority io_priority, Statistics* stats,
                              RateLimiter::OpType op_type) {
    if (io_priority >= Env::IO_TOTAL || !IsRateLimited(op_type)) return bytes;
    bytes = std::min(bytes, static_cast<size_t>(GetSingleBurstBytes()));
    if (alignment > 0) {
      bytes = std::max(alignment, bytes - bytes % alignment);
    }
    Request(static_cast<int64_t>(bytes), io_priority, stats, op_type);
    return bytes;
  }

  virtual int64_t GetSingleBurstBytes() const = 0;

  // Since creation; IO_TOTAL sums all priorities.
  virtual int64_t GetTotalBytesThrough(
      const Env::IOPriority pri = Env::IO_TOTAL) const = 0;
  virtual int64_t GetTotalRequests(
      const Env::IOPriority pri = Env::IO_TOTAL) const = 0;
  // Requests that wait now.
  virtual Status GetTotalPendingRequests(
      int64_t* /*total_pending_requests*/,
      const Env::IOPriority /*pri*/ = Env::IO_TOTAL) const {
    return Status::NotSupported();
  }

  virtual int64_t GetBytesPerSecond() const = 0;

  virtual bool IsRateLimited(OpType op_type) {
    if (mode_ == Mode::kAllIo) return true;
    return (mode_ == Mode::kReadsOnly) == (op_type == OpType::kRead);
  }

 protected:
  Mode GetMode() { return mode_; }

 private:
  const Mode mode_;
};

// rate_bytes_per_sec: the limit; with auto_tuned its upper bound.
// refill_period_us: how often tokens are handed out; default 100 ms.
// fairness: one in so many refills serves a lower priority first; default 10.
// auto_tuned: moves the rate between 1/20 of the bound and the bound by the
//   share of periods that ran dry; starts at half.
// single_burst_bytes: most bytes one request gets; 0: one period's worth.
RateLimiter* NewGenericRateLimiter(
    int64_t rate_bytes_per_sec, int64_t refill_period_us = 100 * 1000,
    int32_t fairness = 10,
    RateLimiter::Mode mode = RateLimiter::Mode::kWritesOnly,
    bool auto_tuned = false, int64_t single_burst_bytes = 0);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
