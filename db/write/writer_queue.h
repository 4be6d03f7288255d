// WriterQueue: a queue of waiting threads whose first one leads.
//
// Place. Twice in the commit pipeline: writers before the log stage, groups
// before the memtable stage.
//
// Model. A stack of nodes that live on their threads' own stacks. A push links
// towards older nodes; the leader, who alone looks at the queue, fills in the
// links towards newer ones when it needs them:
//
//   leader  <-older-  n  <-older-  n  <-older-  newest_
//          -newer->      -newer->     (filled in lazily)
//
// A waiting thread spins, then yields, then sleeps; its node says which, so
// that waking it costs a system call only if it sleeps:
//
//   kWaiting --Await--> kBlocked        set to kLeader, kApply or kDone by
//       '---------------------'----->   the leader before it
//
// Invariants:
//   (1) At most one node leads; it is the oldest one.
//   (2) Once a node is set to kDone, only its own thread accesses it. Waking
//       that thread uses no more than the node's address.
//
// Threads. Join from any thread; the rest by the leader.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "db/write/countdown.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {
class SystemClock;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

struct QueueNode {
  enum State : uint32_t {
    kWaiting,  // Awake.
    kBlocked,  // Asleep on `state`.
    kLeader,   // From here on: an answer.
    kApply,
    kDone,
  };

  std::atomic<uint32_t> state{kWaiting};
  QueueNode* older = nullptr;
  QueueNode* newer = nullptr;

  // Gives a waiting thread its answer. With kDone the node may be gone on
  // return.
  void Answer(State answer);
  // As Answer, but only if the thread is awake.
  bool AnswerIfAwake(State answer) {
    uint32_t expected = kWaiting;
    return state.compare_exchange_strong(expected, answer,
                                         std::memory_order_acq_rel);
  }
};

// How a thread waits. Yielding pays only while other threads answer within a
// time slice; a slow yield means the machine is busy with something else. The
// policy learns from its successes whether to try.
class WaitPolicy {
 public:
  static constexpr int kSpins = 200;  // About a microsecond.
  static constexpr int kSlowYieldsMax = 3;
  static constexpr uint64_t kSampleEvery = 1024;
  static constexpr int32_t kCreditMax = 256;

  // Yields for at most `max_yield_micros`; 0: not at all.
  WaitPolicy(uint64_t max_yield_micros, uint64_t slow_yield_micros,
             SystemClock* clock)
      : max_yield_micros_(max_yield_micros),
        slow_yield_micros_(slow_yield_micros),
        clock_(clock) {}

  // Returns the answer.
  QueueNode::State Await(QueueNode* node);
  // Returns once nothing is left.
  void AwaitZero(Countdown* countdown);

 private:
  template <typename Ready>
  bool SpinAndYield(const Ready& ready);
  template <typename Ready>
  bool Yield(const Ready& ready);

  const uint64_t max_yield_micros_;
  const uint64_t slow_yield_micros_;
  SystemClock* const clock_;
  // Above 0: yielding has been worth it of late. Races only blur it.
  std::atomic<int32_t> credit_{0};
  std::atomic<uint64_t> waits_{0};
};

class WriterQueue {
 public:
  // True: the caller leads. False: it awaits its answer.
  bool Join(QueueNode* node) {
    QueueNode* seen = newest_.load(std::memory_order_relaxed);
    do {
      node->older = seen;
    } while (!newest_.compare_exchange_weak(
        seen, node, std::memory_order_acq_rel, std::memory_order_relaxed));
    return seen == nullptr;
  }

  // Joins an empty queue, as its leader. False: another thread leads.
  bool TryJoin(QueueNode* node) {
    QueueNode* seen = nullptr;
    node->older = nullptr;
    return newest_.compare_exchange_strong(
        seen, node, std::memory_order_acq_rel, std::memory_order_relaxed);
  }

  // The newest node now in the queue, all links up to it filled in.
  QueueNode* LinkAll();

  // The leader leaves with everything up to `last`; the next one leads. Call
  // before any of those nodes is answered kDone.
  void Leave(QueueNode* last) {
    QueueNode* seen = last;
    if (newest_.compare_exchange_strong(seen, nullptr,
                                        std::memory_order_acq_rel,
                                        std::memory_order_acquire))
      return;
    PassLead(last);
  }

  // Takes `node`, not the leader, out of the linked queue. False when it is
  // the newest and another one joined behind it meanwhile.
  bool Remove(QueueNode* node);

  // REQUIRES: no thread leaves meanwhile.
  size_t CountForTest() const {
    size_t count = 0;
    for (const QueueNode* node = newest_.load(std::memory_order_acquire);
         node != nullptr; node = node->older)
      ++count;
    return count;
  }

 private:
  void PassLead(QueueNode* last);

  std::atomic<QueueNode*> newest_{nullptr};
};

}  // namespace ROCKSDB_NAMESPACE::engine
