// EventQueue: virtual time. Actors register the times at which they will act.
//
// Place. The bottom of the simulator; owns the only clock there is.
//
// Invariants:
//   (1) Time never goes back; events of one moment come in the order in which
//       they were asked for. So a run is repeated exactly.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::sim {

inline constexpr uint64_t kNanosPerMicro = 1000;
inline constexpr uint64_t kNanosPerSecond = 1000 * 1000 * 1000;
inline constexpr uint64_t kNever = UINT64_MAX;

inline double Seconds(uint64_t ns) { return static_cast<double>(ns) / 1e9; }
inline uint64_t Nanos(double seconds) {
  return static_cast<uint64_t>(seconds * 1e9);
}

// An object that can be woken. `what` is the value that it passed when it
// asked.
class Actor {
 public:
  virtual ~Actor() = default;
  virtual void Wake(uint64_t what) = 0;
};

class EventQueue {
 public:
  uint64_t now_ns() const { return now_ns_; }
  uint64_t now_micros() const { return now_ns_ / kNanosPerMicro; }

  // `actor` must live until then.
  void At(uint64_t ns, Actor* actor, uint64_t what = 0) {
    heap_.push_back({std::max(ns, now_ns_), next_order_++, actor, what});
    std::push_heap(heap_.begin(), heap_.end(), Later);
  }
  void After(uint64_t ns, Actor* actor, uint64_t what = 0) {
    At(now_ns_ + ns, actor, what);
  }

  void RunUntil(uint64_t end_ns) {
    while (!heap_.empty() && heap_.front().ns <= end_ns) {
      std::pop_heap(heap_.begin(), heap_.end(), Later);
      const Event event = heap_.back();
      heap_.pop_back();
      now_ns_ = event.ns;
      event.actor->Wake(event.what);
    }
    now_ns_ = std::max(now_ns_, end_ns);
  }

 private:
  struct Event {
    uint64_t ns;
    uint64_t order;
    Actor* actor;
    uint64_t what;
  };
  static bool Later(const Event& a, const Event& b) {
    return a.ns != b.ns ? a.ns > b.ns : a.order > b.order;
  }

  uint64_t now_ns_ = 0;
  uint64_t next_order_ = 0;
  std::vector<Event> heap_;
};

}  // namespace ROCKSDB_NAMESPACE::sim
