#include "util/rate_limiter.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <string>
#include <utility>

#include "util/clock_wait.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

static_assert(static_cast<int>(RateLimiterCore::kLow) == Env::IO_LOW);
static_assert(static_cast<int>(RateLimiterCore::kMid) == Env::IO_MID);
static_assert(static_cast<int>(RateLimiterCore::kHigh) == Env::IO_HIGH);
static_assert(static_cast<int>(RateLimiterCore::kUser) == Env::IO_USER);
static_assert(static_cast<int>(RateLimiterCore::kPriorities) == Env::IO_TOTAL);

struct GenericRateLimiter::Pending {
  RateLimiterCore::Waiter waiter;
  CondVar wake;
};

std::string DescribeDecision(const LimiterDecision& decision) {
  const DrainVerdict& v = decision.verdict;
  return std::string("auto-tuned compaction: ") +
         DrainDecisionName(v.decision) + ", drained " +
         std::to_string(v.drained_pct) + " % (D), high " +
         std::to_string(v.drained_high_pct) + " % (H) of " +
         std::to_string(v.elapsed_intervals) + " intervals, rate " +
         std::to_string(decision.bytes_per_second);
}

GenericRateLimiter::GenericRateLimiter(const RateLimiterCore::Options& options,
                                       Mode mode,
                                       std::shared_ptr<SystemClock> clock)
    : RateLimiter(mode),
      clock_(std::move(clock)),
      auto_tuned_(options.auto_tuned),
      core_(options, Now()) {}

GenericRateLimiter::~GenericRateLimiter() {
  MutexLock lock(&mu_);
  stopping_ = true;
  for (Pending* pending : inside_) pending->wake.Signal();
  while (!inside_.empty()) none_inside_.Wait(&mu_);  // (3)
}

void GenericRateLimiter::Request(int64_t bytes, Env::IOPriority pri,
                                 Statistics* stats) {
  if (bytes <= 0) return;
  if (auto_tuned_) TuneIfDue(stats);

  Pending pending;
  pending.waiter.bytes_left = bytes;
  pending.waiter.priority = static_cast<RateLimiterCore::Priority>(
      std::clamp(static_cast<int>(pri), int{Env::IO_LOW}, int{Env::IO_USER}));
  pending.waiter.owner = &pending;

  uint64_t drains = 0;
  {
    MutexLock lock(&mu_);
    if (stopping_) return;
    drains = Wait(&pending);
  }
  if (drains > 0) RecordTick(stats, NUMBER_RATE_LIMITER_DRAINS, drains);  // (2)
}

uint64_t GenericRateLimiter::Wait(Pending* pending) {
  using Step = RateLimiterCore::Step;
  // What needs memory comes first: without it the request is not inside. (3)
  inside_.reserve(inside_.size() + 1);
  Step step = core_.Arrive(&pending->waiter, Now());
  assert(inside_.size() < inside_.capacity());
  inside_.push_back(pending);
  uint64_t drains = 0;
  while (true) {
    WakeGranted();
    drains += step.drained ? 1 : 0;
    if (step.kind == Step::kGranted || stopping_) break;
    if (step.kind == Step::kSleepUntil) {
      WaitOnClock(clock_.get(), &pending->wake, &mu_,
                  static_cast<uint64_t>(step.deadline_us));
    } else {
      pending->wake.Wait(&mu_);
    }
    if (stopping_) break;
    step = core_.Continue(&pending->waiter, Now());
  }
  std::erase(inside_, pending);
  if (inside_.empty() && stopping_) none_inside_.Signal();
  if (RateLimiterCore::Waiter* next = core_.Leave(&pending->waiter)) {
    static_cast<Pending*>(next->owner)->wake.Signal();
  }
  return drains;
}

void GenericRateLimiter::WakeGranted() {
  for (RateLimiterCore::Waiter* waiter : core_.granted()) {
    static_cast<Pending*>(waiter->owner)->wake.Signal();
  }
  core_.granted().clear();
}

void GenericRateLimiter::TuneIfDue(Statistics* stats) {
  {
    MutexLock lock(&mu_);
    if (!core_.TuneDue(Now())) return;
  }
  // The lock of attachments comes first, so ask again under both.
  MutexLock attach_lock(&attach_mu_);
  const bool drive_switch = AnySwitchUsed();
  LimiterDecision decision;
  {
    MutexLock lock(&mu_);
    const int64_t now = Now();
    if (!core_.TuneDue(now)) return;
    if (!drive_switch) {  // (1)
      core_.TuneRate(now);
      return;
    }
    decision.time_micros = static_cast<uint64_t>(now);
    decision.verdict = core_.TuneCompaction(now);
    decision.bytes_per_second = core_.bytes_per_second();
  }
  Apply(decision, stats);
}

bool GenericRateLimiter::AnySwitchUsed() const {
  return std::any_of(
      attachments_.begin(), attachments_.end(),
      [](const Attachment& a) { return a.compaction_switch->has_users(); });
}

void GenericRateLimiter::Apply(LimiterDecision decision, Statistics* stats) {
  const DrainDecision what = decision.verdict.decision;
  for (const Attachment& a : attachments_) {
    if (!a.compaction_switch->has_users()) continue;
    bool flipped = false;
    if (what == DrainDecision::kDisable) {
      flipped = a.compaction_switch->Disable();
    } else if (what == DrainDecision::kEnable) {
      flipped = a.compaction_switch->Enable();
    }
    decision.changed |= flipped;
  }
  last_decision_ = decision;
  has_decision_ = true;
  bool counted = what != DrainDecision::kDisable;
  for (const Attachment& a : attachments_) {
    if (!a.compaction_switch->has_users()) continue;
    // Once per decision, where the request or else the first database counts.
    if (!counted) {
      Statistics* const where = stats != nullptr ? stats : a.statistics;
      RecordTick(where, COMPACTION_DISABLED_COUNT);
      counted = where != nullptr;
    }
    if (a.sink) a.sink(decision);
  }
}

void GenericRateLimiter::AttachCompactionSwitch(
    const void* owner, CompactionSwitch* compaction_switch,
    Statistics* statistics, DecisionSink sink) {
  MutexLock lock(&attach_mu_);
  attachments_.push_back(
      {owner, compaction_switch, statistics, std::move(sink)});
}

void GenericRateLimiter::Detach(const void* owner) {
  MutexLock lock(&attach_mu_);
  std::erase_if(attachments_,
                [owner](const Attachment& a) { return a.owner == owner; });
}

bool GenericRateLimiter::LastDecision(LimiterDecision* decision) const {
  MutexLock lock(&attach_mu_);
  if (has_decision_) *decision = last_decision_;
  return has_decision_;
}

void GenericRateLimiter::SetBytesPerSecond(int64_t bytes_per_second) {
  MutexLock lock(&mu_);
  core_.SetBytesPerSecond(bytes_per_second);
}

Status GenericRateLimiter::SetSingleBurstBytes(int64_t single_burst_bytes) {
  if (single_burst_bytes < 0) {
    return Status::InvalidArgument("single_burst_bytes must not be negative",
                                   std::to_string(single_burst_bytes));
  }
  MutexLock lock(&mu_);
  core_.SetSingleBurstBytes(single_burst_bytes);
  return Status::OK();
}

int64_t GenericRateLimiter::GetSingleBurstBytes() const {
  MutexLock lock(&mu_);
  return core_.single_burst_bytes();
}

int64_t GenericRateLimiter::GetTotalBytesThrough(Env::IOPriority pri) const {
  MutexLock lock(&mu_);
  const RateLimiterCore* const core = &core_;
  return Sum(pri, [core](auto p) { return core->bytes_through(p); });
}

int64_t GenericRateLimiter::GetTotalRequests(Env::IOPriority pri) const {
  MutexLock lock(&mu_);
  const RateLimiterCore* const core = &core_;
  return Sum(pri, [core](auto p) { return core->requests(p); });
}

Status GenericRateLimiter::GetTotalPendingRequests(
    int64_t* total_pending_requests, Env::IOPriority pri) const {
  MutexLock lock(&mu_);
  const RateLimiterCore* const core = &core_;
  *total_pending_requests =
      Sum(pri, [core](auto p) { return core->pending_requests(p); });
  return Status::OK();
}

int64_t GenericRateLimiter::GetBytesPerSecond() const {
  MutexLock lock(&mu_);
  return core_.bytes_per_second();
}

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

RateLimiter* NewGenericRateLimiter(int64_t rate_bytes_per_sec,
                                   int64_t refill_period_us, int32_t fairness,
                                   RateLimiter::Mode mode, bool auto_tuned,
                                   int64_t single_burst_bytes) {
  engine::RateLimiterCore::Options options;
  options.bytes_per_second = std::max<int64_t>(rate_bytes_per_sec, 1);
  options.refill_period_us = refill_period_us;
  options.fairness = fairness;
  options.auto_tuned = auto_tuned;
  options.single_burst_bytes = std::max<int64_t>(single_burst_bytes, 0);
  return new engine::GenericRateLimiter(options, mode, SystemClock::Default());
}

}  // namespace ROCKSDB_NAMESPACE
