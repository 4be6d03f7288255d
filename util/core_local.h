// CoreLocalArray: one padded element per core, so that hot counters are not
// shared between cores.
//
// Place. Statistics, reader registrations. ThreadIndex() serves the same need
// where a repeatable assignment matters more than an exact one (arena shards).
//
// Invariants:
//   (1) The size is a power of two, at least the number of cores.
//   (2) The element is a hint, not ownership: a thread may move to another core
//       between any two instructions, so elements need atomics or locks.
//
// Threads. Thread-safe; elements never move.
#pragma once

#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr size_t kCacheLineSize = 64;

// Numbers threads 0, 1, 2... in the order of their first call.
inline size_t ThreadIndex() {
  static std::atomic<size_t> next{0};
  thread_local const size_t index =
      next.fetch_add(1, std::memory_order_relaxed);
  return index;
}

// The core this thread runs on right now; a thread number where the system
// cannot say.
inline size_t CurrentCore() {
#ifdef __linux__
  const int cpu = ::sched_getcpu();
  if (cpu >= 0) [[likely]]
    return static_cast<size_t>(cpu);
#endif
  return ThreadIndex();
}

// The power of two that CoreLocalArray uses as its size.
inline size_t CoreSlots() {
  static const size_t slots = [] {
    const size_t cores = std::thread::hardware_concurrency();
    return std::bit_ceil(cores == 0 ? size_t{1} : cores);
  }();
  return slots;
}

template <typename T>
class CoreLocalArray {
 public:
  CoreLocalArray() : mask_(CoreSlots() - 1), slots_(new Slot[CoreSlots()]) {
    assert(std::has_single_bit(size()));  // (1)
  }

  CoreLocalArray(const CoreLocalArray&) = delete;
  CoreLocalArray& operator=(const CoreLocalArray&) = delete;

  size_t size() const { return mask_ + 1; }
  T& Here() { return slots_[CurrentCore() & mask_].value; }
  T& At(size_t index) { return slots_[index & mask_].value; }
  const T& At(size_t index) const { return slots_[index & mask_].value; }

 private:
  struct alignas(kCacheLineSize) Slot {
    T value{};
  };

  const size_t mask_;
  const std::unique_ptr<Slot[]> slots_;
};

// A total that many threads add to.
class CoreLocalCounter {
 public:
  void Add(uint64_t n) {
    parts_.Here().fetch_add(n, std::memory_order_relaxed);
  }
  // Not less than what had been added before the call.
  uint64_t Total() const {
    uint64_t total = 0;
    for (size_t i = 0; i < parts_.size(); ++i) {
      total += parts_.At(i).load(std::memory_order_relaxed);
    }
    return total;
  }

 private:
  CoreLocalArray<std::atomic<uint64_t>> parts_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
