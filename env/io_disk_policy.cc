#include "env/io_disk_policy.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr double kNanosPerSecond = 1e9;
constexpr uint64_t kNanosPerMicro = 1000;
constexpr int64_t kSecondNanos = int64_t{1000} * 1000 * 1000;

// The highest cost, and the deepest debt of the bucket: requests that are let
// through do not stop the others for longer.
constexpr uint64_t kCostMax = kSecondNanos;
constexpr int64_t kDebtMax = kSecondNanos / 10;

// What threads wake late is averaged over so many of them, and counts up to so
// long. The bucket has room for twice that: some are later than others.
constexpr double kLateThreads = 16;
constexpr double kLateMicrosMax = 4000;
constexpr double kLateRoom = 2;

// Of disk time at its share: what a class was let through delays what it asks
// for by no more.
constexpr uint64_t kLeadMax = kSecondNanos / 100;

// Costs are scaled before they are divided by shares.
constexpr uint64_t kVirtualScale = 1024;
constexpr uint64_t kVirtualMax = uint64_t{1} << 60;

// Without at least this much, averages of the flow mean nothing.
constexpr double kFlowBase = 20e6;

// More cost than this inside the disk, or than this many of the largest
// requests, is a queue that the disk does not work off.
constexpr double kInsideMax = 10e6;
constexpr double kInsideRequestsMax = 4;

// A longer silence says nothing about the disk.
constexpr uint64_t kSilenceMicros = uint64_t{1000} * 1000;

// Trials: the share of the rate that goes when the bucket is short; how much
// more of one term than is trusted the disk must serve; the share of the cost
// that must be of this term, and served by the disk when the call returns.
constexpr double kShortShare = 0.8;
constexpr double kServedMore = 1.15;
constexpr double kEvidenceShare = 0.75;
// In a trial, of the largest requests at once.
constexpr double kTrialInsideMax = 3;
constexpr uint64_t kTrialPauseMax = uint64_t{3600} * 1000 * 1000;

}  // namespace

void IoDiskPolicy::SetDisk(const IoDisk& disk, const IoShares& shares,
                           uint64_t now_micros) {
  disk_ = disk;
  active_ = disk.usable();
  for (size_t i = 0; i < kIoClasses; ++i) {
    classes_[i].shares = std::max(1u, shares[i]);
  }
  const IoRequest largest{IoKind::kWrite, SplitBytes(IoKind::kWrite), 1, true};
  capacity_ = active_ ? static_cast<int64_t>(std::max(
                            Cost(largest), kSplitMicros * kNanosPerMicro))
                      : 0;
  assert(active_ == (capacity_ > 0));  // (4)
  tokens_ = capacity_;
  refilled_micros_ = flow_micros_ = now_micros;
  dispatched_ = completed_ = inside_ = 0;
  flow_ = 1;
  late_micros_ = 0;
  trust_ = 1;
  trial_ = Trial::kNone;
  RestartWindow(now_micros);
}

double IoDiskPolicy::BytesTerm(const IoRequest& request) const {
  return kNanosPerSecond * static_cast<double>(request.bytes) /
         static_cast<double>(request.kind == IoKind::kRead
                                 ? disk_.read_bytes_per_second
                                 : disk_.write_bytes_per_second);
}

double IoDiskPolicy::OperationsTerm(const IoRequest& request) const {
  return kNanosPerSecond * static_cast<double>(request.operations) /
         static_cast<double>(request.kind == IoKind::kRead
                                 ? disk_.read_ops_per_second
                                 : disk_.write_ops_per_second);
}

uint64_t IoDiskPolicy::Cost(const IoRequest& request) const {
  if (!active_) return 0;
  return static_cast<uint64_t>(
      std::min(BytesTerm(request) + OperationsTerm(request),
               static_cast<double>(kCostMax)));
}

uint64_t IoDiskPolicy::SplitBytes(IoKind kind) const {
  if (!active_) return kSplitBytesMax;
  const uint64_t bandwidth = kind == IoKind::kRead
                                 ? disk_.read_bytes_per_second
                                 : disk_.write_bytes_per_second;
  constexpr uint64_t kPage = 4096;
  constexpr uint64_t kMegabyte = uint64_t{1000} * 1000;
  const uint64_t bytes = bandwidth / kMegabyte * kSplitMicros;
  return std::clamp(bytes / kPage * kPage, kSplitBytesMin, kSplitBytesMax);
}

uint32_t IoDiskPolicy::SplitReads() const {
  if (!active_) return UINT32_MAX;
  constexpr uint64_t kSecondMicros = uint64_t{1000} * 1000;
  const uint64_t reads =
      disk_.read_ops_per_second / (kSecondMicros / kSplitMicros);
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(reads, kSplitReadsMin, UINT32_MAX));
}

double IoDiskPolicy::Rate() const {
  if (trial_ == Trial::kNone) return disk_.k * trust_;
  return disk_.part * kTrialStep * Alone() * trust_;
}

void IoDiskPolicy::Refill(uint64_t now_micros) {
  if (now_micros > refilled_micros_) {  // (3)
    const double earned = static_cast<double>(now_micros - refilled_micros_) *
                          kNanosPerMicro * Rate();
    const double room = static_cast<double>(Room() - tokens_);
    tokens_ += static_cast<int64_t>(std::min(earned, room));
    assert(tokens_ <= Room());  // (1)
  }
  refilled_micros_ = now_micros;
}

int64_t IoDiskPolicy::CostNow(uint64_t cost) const {
  return static_cast<int64_t>(static_cast<double>(cost) * flow_);
}

void IoDiskPolicy::NoteWakeUp(const Waiter& waiter, uint64_t now_micros) {
  if (waiter.due_micros_ == 0 || now_micros < waiter.due_micros_) return;
  const double late = std::min(
      kLateMicrosMax, static_cast<double>(now_micros - waiter.due_micros_));
  late_micros_ += (late - late_micros_) / kLateThreads;
  assert(late_micros_ >= 0 && late_micros_ <= kLateMicrosMax);
}

// Of the bucket. What it grants at once must neither look like a queue in the
// disk nor end a trial.
int64_t IoDiskPolicy::Room() const {
  if (waiting() == 0) return capacity_;
  const auto bucket = static_cast<double>(capacity_);
  const double most = trial_ == Trial::kRunning ? bucket : InsideMax() - bucket;
  assert(most >= 0);
  return capacity_ +
         static_cast<int64_t>(std::min(
             most, kLateRoom * late_micros_ * kNanosPerMicro * Rate()));
}

double IoDiskPolicy::InsideMax() const {
  return std::max(kInsideMax,
                  kInsideRequestsMax * static_cast<double>(capacity_));
}

uint64_t IoDiskPolicy::ReadyAt(const Waiter& waiter,
                               uint64_t now_micros) const {
  const int64_t needed = std::min(capacity_, CostNow(waiter.cost_));
  if (tokens_ >= needed) return now_micros;
  const double missing = static_cast<double>(needed - tokens_);
  return now_micros + 1 +
         static_cast<uint64_t>(missing / (Rate() * kNanosPerMicro));
}

// ---------------------------------------------------------------------- queue

void IoDiskPolicy::Join(Waiter* waiter, uint64_t now_micros) {
  if (waiter->queued_ && waiter->queued_as_ == waiter->io_class) return;
  Forget(waiter);
  Class& its = Of(waiter->io_class);
  its.queue.push_back(waiter);  // May throw: nothing is changed then.
  if (its.queue.size() == 1) its.start = std::max(its.start, virtual_time_);
  waiter->queued_ = true;
  waiter->queued_as_ = waiter->io_class;
  waiter->cost_ = Cost(waiter->request);
  waiter->since_micros_ = now_micros;
}

void IoDiskPolicy::Forget(Waiter* waiter) {
  if (waiter->queued_) std::erase(Of(waiter->queued_as_).queue, waiter);
  waiter->queued_ = false;
  waiter->due_micros_ = 0;
}

IoDiskPolicy::Waiter* IoDiskPolicy::Next() const {
  const Class* first = nullptr;
  for (const Class& its : classes_) {
    if (its.queue.empty()) continue;
    if (first == nullptr || its.start < first->start) first = &its;
  }
  return first == nullptr ? nullptr : first->queue.front();
}

void IoDiskPolicy::Take(Waiter* waiter) {
  assert(active_);
  const int64_t cost = CostNow(waiter->cost_);
  tokens_ = std::max(tokens_ - cost, -kDebtMax);
  Class& its = Of(waiter->io_class);
  assert(its.shares > 0);  // (2)
  virtual_time_ = std::max(virtual_time_, its.start);
  its.start +=
      std::max<uint64_t>(1, waiter->cost_) * kVirtualScale / its.shares;
  dispatched_ += static_cast<double>(waiter->cost_);
  inside_ += static_cast<double>(waiter->cost_);
  Forget(waiter);
  if (virtual_time_ < kVirtualMax) return;
  for (Class& any : classes_) {
    any.start -= std::min(any.start, virtual_time_);
  }
  virtual_time_ = 0;
}

IoAnswer IoDiskPolicy::Ask(Waiter* waiter, uint64_t now_micros) {
  if (!active_) {
    Forget(waiter);
    return {true, now_micros};
  }
  UpdateFlow(now_micros);
  NoteWakeUp(*waiter, now_micros);
  Refill(now_micros);
  Join(waiter, now_micros);
  waiter->due_micros_ = 0;
  UpdateTrial(now_micros);
  assert(waiter->queued_ && Next() != nullptr);
  if (Next() != waiter) return {false, now_micros + kPatienceMicros};
  // After a jump back of the clock, the wait begins anew.
  granted_micros_ = std::min(granted_micros_, now_micros);
  waiter->since_micros_ = std::min(waiter->since_micros_, now_micros);
  const uint64_t ready_micros = std::min(
      ReadyAt(*waiter, now_micros),
      std::max(granted_micros_, waiter->since_micros_) + kHoldMicrosMax);
  if (ready_micros > now_micros) {
    waiter->due_micros_ = std::min(ready_micros, now_micros + kPatienceMicros);
    return {false, waiter->due_micros_};
  }
  Take(waiter);
  granted_micros_ = now_micros;
  return {true, now_micros};
}

void IoDiskPolicy::LetThrough(Waiter* waiter, uint64_t now_micros) {
  if (!active_) return Forget(waiter);
  UpdateFlow(now_micros);
  Refill(now_micros);
  Forget(waiter);
  waiter->cost_ = Cost(waiter->request);
  Class& its = Of(waiter->io_class);
  const bool waits = !its.queue.empty();
  if (!waits) its.start = std::max(its.start, virtual_time_);
  const bool overtakes = Next() != nullptr;
  const uint64_t time_before = virtual_time_;
  const uint64_t start_before = its.start;
  Take(waiter);
  // The waiters that it overtook start no later for that, of its own class or
  // of another; the next one of its class starts a little later.
  if (overtakes) virtual_time_ = std::min(virtual_time_, time_before);
  const uint64_t lead = kLeadMax * kVirtualScale / its.shares;
  its.start = std::min(its.start, waits ? start_before : virtual_time_ + lead);
}

size_t IoDiskPolicy::waiting() const {
  size_t count = 0;
  for (const Class& its : classes_) count += its.queue.size();
  return count;
}

// ------------------------------------------------------------------- feedback

void IoDiskPolicy::UpdateFlow(uint64_t now_micros) {
  if (now_micros > flow_micros_) {
    const double decay =
        std::exp(-static_cast<double>(now_micros - flow_micros_) /
                 static_cast<double>(kFlowMicros));
    dispatched_ *= decay;
    completed_ *= decay;
  }
  flow_micros_ = now_micros;
  const double ratio = (dispatched_ + kFlowBase) / (completed_ + kFlowBase);
  assert(inside_ >= 0 && completed_ >= 0 && dispatched_ >= 0);
  flow_ = std::clamp(std::max(ratio, inside_ / InsideMax()), 1.0, kFlowMax);
}

void IoDiskPolicy::Complete(const IoRequest& request, uint64_t now_micros) {
  if (!active_) return;
  const auto cost = static_cast<double>(Cost(request));
  UpdateFlow(now_micros);
  completed_ += cost;
  inside_ = std::max(0.0, inside_ - cost);
  window_all_cost_ += cost;
  if (request.reaches_disk) {
    const auto kind = static_cast<size_t>(request.kind);
    window_terms_[kind] += BytesTerm(request);
    window_terms_[kIoKinds + kind] += OperationsTerm(request);
  }
}

void IoDiskPolicy::Refund(IoClass io_class, const IoRequest& request,
                          uint64_t now_micros) {
  if (!active_) return;
  const uint64_t cost = Cost(request);
  UpdateFlow(now_micros);
  Refill(now_micros);
  completed_ += static_cast<double>(cost);
  inside_ = std::max(0.0, inside_ - static_cast<double>(cost));
  tokens_ = std::min(std::max(tokens_, Room()), tokens_ + CostNow(cost));
  Class& its = Of(io_class);
  its.start -= std::min(its.start, cost * kVirtualScale / its.shares);
}

// --------------------------------------------------------------------- trials

double IoDiskPolicy::Alone() const { return std::max(1.0, disk_.k); }

bool IoDiskPolicy::TrialCanShowMore() const {
  return disk_.part * kTrialStep > kServedMore && trust_ < kTrustMax;
}

void IoDiskPolicy::RestartWindow(uint64_t now_micros) {
  window_micros_ = now_micros;
  window_terms_.fill(0);
  window_all_cost_ = 0;
}

// Requires: a request waits.
void IoDiskPolicy::UpdateTrial(uint64_t now_micros) {
  assert(waiting() > 0);
  const uint64_t length =
      trial_ == Trial::kRunning ? kTrialMicros : kTrialAfterMicros;
  const bool jumped = now_micros < window_micros_ ||
                      now_micros - window_micros_ > length + kSilenceMicros;
  // A disk that cannot keep up collects requests: the trial is over.
  const bool behind =
      trial_ == Trial::kRunning &&
      inside_ > kTrialInsideMax * static_cast<double>(capacity_);
  if (!jumped && !behind && now_micros - window_micros_ < length) return;
  const double nanos =
      static_cast<double>(now_micros - window_micros_) * kNanosPerMicro;
  const double term =
      *std::max_element(window_terms_.begin(), window_terms_.end());
  const bool evident =
      !jumped && term > 0 && term >= kEvidenceShare * window_all_cost_;
  if (trial_ == Trial::kRunning) {
    // Requests that queued up in the disk would keep it full: the next ones go
    // when these are done.
    tokens_ = std::max(tokens_ - static_cast<int64_t>(inside_), -kDebtMax);
    const bool served =
        evident && !behind && term >= kServedMore * Alone() * trust_ * nanos;
    EndTrial(served ? window_all_cost_ / nanos / Alone() : 0, now_micros);
  } else if (evident && window_all_cost_ >= kShortShare * Rate() * nanos &&
             now_micros >= next_trial_micros_ && TrialCanShowMore()) {
    trial_ = Trial::kRunning;
  }
  RestartWindow(now_micros);
}

// `served`: of what the profile says of one kind alone; 0: the disk did not
// serve more.
void IoDiskPolicy::EndTrial(double served, uint64_t now_micros) {
  assert(trial_ == Trial::kRunning && trust_ >= 1);
  if (served > 0) {
    trust_ = std::clamp(served, trust_, kTrialStep * trust_);
    pause_micros_ = kTrialPauseMicros;
    if (trust_ < kTrustMax) return;  // Another one at once.
  }
  trial_ = Trial::kNone;
  next_trial_micros_ = now_micros + pause_micros_;
  pause_micros_ = std::min(2 * pause_micros_, kTrialPauseMax);
}

}  // namespace ROCKSDB_NAMESPACE::engine
