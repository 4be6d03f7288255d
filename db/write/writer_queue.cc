#include "db/write/writer_queue.h"

#include <cassert>
#include <thread>

#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

void QueueNode::Answer(State answer) {
  const uint32_t before = state.exchange(answer, std::memory_order_acq_rel);
  // The thread may wake by itself and leave before this call: the address then
  // names nothing or another waiter, and waiters look again when woken.
  if (before == kBlocked) state.notify_one();
}

template <typename Ready>
bool WaitPolicy::Yield(const Ready& ready) {
  const uint64_t start_nanos = clock_->NowNanos();
  uint64_t before_nanos = start_nanos;
  int slow_yields = 0;
  while (before_nanos - start_nanos <= max_yield_micros_ * 1000) {
    std::this_thread::yield();
    if (ready()) return true;
    const uint64_t now_nanos = clock_->NowNanos();
    // A clock that stands still measures nothing: the yield counts as slow.
    if (now_nanos == before_nanos ||
        now_nanos - before_nanos >= slow_yield_micros_ * 1000) {
      if (++slow_yields >= kSlowYieldsMax) return false;
    }
    before_nanos = now_nanos;
  }
  return false;
}

template <typename Ready>
bool WaitPolicy::SpinAndYield(const Ready& ready) {
  for (int i = 0; i < kSpins; ++i) {
    if (ready()) return true;
    CpuRelax();
  }
  if (max_yield_micros_ == 0) return false;
  const int32_t credit = credit_.load(std::memory_order_relaxed);
  const bool sample =
      waits_.fetch_add(1, std::memory_order_relaxed) % kSampleEvery == 0;
  if (credit < 0 && !sample) return false;
  const bool success = Yield(ready);
  // An average over about a thousand waits; samples keep it up to date.
  constexpr int32_t kGain = 1 << 10;
  credit_.store(credit - credit / 1024 + (success ? kGain : -kGain),
                std::memory_order_relaxed);
  return success;
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
      state.wait(QueueNode::kBlocked, std::memory_order_acquire);
    }
  }
  return static_cast<QueueNode::State>(state.load(std::memory_order_acquire));
}

void WaitPolicy::AwaitZero(const std::atomic<uint32_t>& counter) {
  const auto zero = [&counter] {
    return counter.load(std::memory_order_acquire) == 0;
  };
  if (SpinAndYield(zero)) return;
  for (uint32_t seen = counter.load(std::memory_order_acquire); seen != 0;
       seen = counter.load(std::memory_order_acquire))
    counter.wait(seen, std::memory_order_acquire);
}

QueueNode* WriterQueue::LinkAll() {
  QueueNode* const newest = newest_.load(std::memory_order_acquire);
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
  next->older = nullptr;
  next->Answer(QueueNode::kLeader);
}

bool WriterQueue::Remove(QueueNode* node) {
  QueueNode* const older = node->older;
  assert(older != nullptr);
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
