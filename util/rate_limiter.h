// GenericRateLimiter: the threads around util/rate_limiter_core, and the link
// from its drains to the compaction switch.
//
// Place. Created by NewGenericRateLimiter; called by file writers and readers
// before their bytes go to the file system. A database whose limiter is also a
// DrainSwitchLimiter (dynamic_cast) attaches the switch of its Env at open and
// detaches at close.
//
// Model. Every 100 refill periods the next request ends a tuning period:
//
//   an attached switch has users --> TuneCompaction: rate stays, switch moves
//   otherwise                    --> the rate moves (native auto-tuning)
//
// Invariants:
//   (1) The two ways of tuning exclude each other; both reset the drains.
//   (2) Under mu_ no code of others runs but the clock's. Under attach_mu_ the
//       sinks and statistics of a decision run as well.
//   (3) Destruction releases all waiters, granted or not, and waits for them. A
//       request that finds no memory to wait is none of them.
//
// Threads. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"
#include "util/compaction_switch.h"
#include "util/drain_switch.h"
#include "util/mutex.h"
#include "util/rate_limiter_core.h"

namespace ROCKSDB_NAMESPACE::engine {

// What a limiter tells about its tuning.
struct LimiterDecision {
  uint64_t time_micros = 0;
  int64_t bytes_per_second = 0;
  DrainVerdict verdict;
  bool changed = false;  // The attached switch was flipped by it.
};

// "auto-tuned compaction: disable, drained 100 % (D), high 73 % (H) of 100
// intervals, rate 190000000", for LOG.
std::string DescribeDecision(const LimiterDecision& decision);

// A limiter that can drive compaction switches.
class DrainSwitchLimiter {
 public:
  using DecisionSink = std::function<void(const LimiterDecision&)>;

  virtual ~DrainSwitchLimiter() = default;

  // False if the limiter does not tune itself, hence never decides.
  virtual bool auto_tuned() const = 0;

  // From now on decisions move `compaction_switch` whenever it has users, and
  // are told to `sink` (may be empty) in the deciding thread, without locks of
  // the limiter other than the one that Detach waits for. `statistics` (may be
  // null) counts COMPACTION_DISABLED_COUNT when the request brings none.
  // `owner` names the attachment.
  virtual void AttachCompactionSwitch(const void* owner,
                                      CompactionSwitch* compaction_switch,
                                      Statistics* statistics,
                                      DecisionSink sink) = 0;

  // After this neither the switch nor the sink of `owner` is touched. Must not
  // be called from a sink, nor under a lock that a sink takes.
  virtual void Detach(const void* owner) = 0;

  // False before the first decision.
  virtual bool LastDecision(LimiterDecision* decision) const = 0;
};

class GenericRateLimiter final : public RateLimiter, public DrainSwitchLimiter {
 public:
  GenericRateLimiter(const RateLimiterCore::Options& options, Mode mode,
                     std::shared_ptr<SystemClock> clock);
  ~GenericRateLimiter() override;

  GenericRateLimiter(const GenericRateLimiter&) = delete;
  GenericRateLimiter& operator=(const GenericRateLimiter&) = delete;

  using RateLimiter::Request;
  void Request(int64_t bytes, Env::IOPriority pri, Statistics* stats) override;
  void SetBytesPerSecond(int64_t bytes_per_second) override;
  Status SetSingleBurstBytes(int64_t single_burst_bytes) override;
  int64_t GetSingleBurstBytes() const override;
  int64_t GetTotalBytesThrough(Env::IOPriority pri) const override;
  int64_t GetTotalRequests(Env::IOPriority pri) const override;
  Status GetTotalPendingRequests(int64_t* total_pending_requests,
                                 Env::IOPriority pri) const override;
  int64_t GetBytesPerSecond() const override;

  bool auto_tuned() const override { return auto_tuned_; }
  void AttachCompactionSwitch(const void* owner,
                              CompactionSwitch* compaction_switch,
                              Statistics* statistics,
                              DecisionSink sink) override;
  void Detach(const void* owner) override;
  bool LastDecision(LimiterDecision* decision) const override;

 private:
  struct Pending;  // One request and the condition it sleeps on.

  struct Attachment {
    const void* owner = nullptr;
    CompactionSwitch* compaction_switch = nullptr;
    Statistics* statistics = nullptr;
    DecisionSink sink;
  };

  int64_t Now() const { return static_cast<int64_t>(clock_->NowMicros()); }

  // Until granted or stopping. Returns the drains that it counted.
  uint64_t Wait(Pending* pending) REQUIRES_LOCK(mu_);
  void WakeGranted() REQUIRES_LOCK(mu_);
  // Ends the tuning period if it is over. Takes the locks itself.
  void TuneIfDue(Statistics* stats) EXCLUDES_LOCK(mu_);
  void Apply(LimiterDecision decision, Statistics* stats)
      REQUIRES_LOCK(attach_mu_);
  bool AnySwitchUsed() const REQUIRES_LOCK(attach_mu_);

  // Sums `value` over one priority or all.
  template <typename Value>
  int64_t Sum(Env::IOPriority pri, Value value) const {
    if (pri != Env::IO_TOTAL) {
      return value(static_cast<RateLimiterCore::Priority>(pri));
    }
    int64_t sum = 0;
    for (int p = 0; p < RateLimiterCore::kPriorities; ++p) {
      sum += value(static_cast<RateLimiterCore::Priority>(p));
    }
    return sum;
  }

  const std::shared_ptr<SystemClock> clock_;
  const bool auto_tuned_;

  // Taken before mu_; held while sinks run.
  mutable Mutex attach_mu_{LockRank::kLimiterDecision};
  std::vector<Attachment> attachments_ GUARDED_BY(attach_mu_);
  LimiterDecision last_decision_ GUARDED_BY(attach_mu_);
  bool has_decision_ GUARDED_BY(attach_mu_) = false;

  mutable Mutex mu_{LockRank::kRateLimiter};
  CondVar none_inside_;
  RateLimiterCore core_ GUARDED_BY(mu_);
  std::vector<Pending*> inside_ GUARDED_BY(mu_);
  bool stopping_ GUARDED_BY(mu_) = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
