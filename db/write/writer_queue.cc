#include "db/write/writer_queue.h"

#include <algorithm>
#include <cassert>
#include <thread>

#include "db/write/futex.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

void QueueNode::Answer(State answer) {
  assert(answer > kBlocked);
  const uint32_t before = state.exchange(answer, std::memory_order_acq_rel);
  assert(before <= kBlocked);                 // (2) It was waiting for one.
  if (before == kBlocked) FutexWake(&state);  // (2)
}

template <typename Ready>
bool WaitPolicy::Yield(const Ready& ready) {
  const uint64_t start_nanos = clock_->NowNanos();
  const uint64_t end_nanos = start_nanos + max_yield_micros_ * 1000;
  uint64_t before_nanos = start_nanos;
  int slow_yields = 0;
  bool answered = false;
  do {
    std::this_thread::yield();
    answered = ready();
    const uint64_t now_nanos = clock_->NowNanos();
    // A clock that stands still measures nothing: the yield counts as slow.
    if (now_nanos == before_nanos ||
        now_nanos - before_nanos >= slow_yield_micros_ * 1000) {
      ++slow_yields;
    }
    before_nanos = now_nanos;
  } while (!answered && slow_yields < kSlowYieldsMax &&
           before_nanos < end_nanos);

  // An answer that came while another thread had the core for a time slice is
  // no success: a sleeping thread would have been woken earlier.
  constexpr int32_t kGain = 1;
  constexpr int32_t kLoss = 16;
  const int32_t credit = credit_.load(std::memory_order_relaxed);
  const bool paid_off = answered && before_nanos < end_nanos;
  credit_.store(
      std::clamp(credit + (paid_off ? kGain : -kLoss), -kCreditMax, kCreditMax),
      std::memory_order_relaxed);
  return answered;
}

template <typename Ready>
bool WaitPolicy::SpinAndYield(const Ready& ready) {
  for (int i = 0; i < kSpins; ++i) {
    if (ready()) return true;
    CpuRelax();
  }
  if (max_yield_micros_ == 0) return false;
  const bool sample =
      waits_.fetch_add(1, std::memory_order_relaxed) % kSampleEvery == 0;
  if (credit_.load(std::memory_order_relaxed) < 0 && !sample) return false;
  return Yield(ready);
}

QueueNode::State WaitPolicy::Await(QueueNode* node) {
  std::atomic<uint32_t>& state = node->state;
  const auto answered = [&state] {
    return state.load(std::memory_order_acquire) > QueueNode::kBlocked;
  };
  if (!SpinAndYield(answered)) {
    uint32_t expected = QueueNode::kWaiting;
    if (state.compare_exchange_strong(expected, QueueNode::kBlocked,
                                      std::memory_order_acq_rel)) {
      while (!answered()) FutexWait(&state, QueueNode::kBlocked);
    }
  }
  return static_cast<QueueNode::State>(state.load(std::memory_order_acquire));
}

void WaitPolicy::AwaitZero(Countdown* countdown) {
  if (SpinAndYield([countdown] { return countdown->IsZero(); })) return;
  countdown->Sleep();
}

QueueNode* WriterQueue::LinkAll() {
  QueueNode* const newest = newest_.load(std::memory_order_acquire);
  assert(newest != nullptr);  // The leader, at least.
  // Links that are there already were filled in by an earlier look.
  for (QueueNode* node = newest;
       node->older != nullptr && node->older->newer == nullptr;
       node = node->older)
    node->older->newer = node;
  return newest;
}

void WriterQueue::PassLead(QueueNode* last) {
  LinkAll();
  QueueNode* const next = last->newer;
  assert(next != nullptr);
  assert(next->older == last);  // (1)
  next->older = nullptr;
  next->Answer(QueueNode::kLeader);
}

bool WriterQueue::Remove(QueueNode* node) {
  QueueNode* const older = node->older;
  assert(older != nullptr);
  assert(older->newer == node);  // Linked by the look that found it.
  if (node->newer == nullptr) {
    // A joining thread must not find a link to this node's older neighbour's
    // `newer` afterwards, so it is cleared first; LinkAll would restore it.
    older->newer = nullptr;
    QueueNode* seen = node;
    if (newest_.compare_exchange_strong(seen, older, std::memory_order_acq_rel))
      return true;
    older->newer = node;
    return false;
  }
  older->newer = node->newer;
  node->newer->older = older;
  return true;
}

}  // namespace ROCKSDB_NAMESPACE::engine
