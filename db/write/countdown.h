// Countdown: counts pieces of work that other threads have not finished yet.
//
// Place. Used by the commit pipeline for writers that insert their own batches.
//
// Model. One word holds the number of pieces left, and a bit that says that the
// waiting thread is asleep, so that the last worker makes a system call only in
// that case.
//
//   waiter:       set kSleeper;  while anything is left: sleep on what was seen
//   last to end:  subtract one;  if that leaves kSleeper alone: wake
//
// Invariants:
//   (1) The waiter sleeps only on a value that it has seen to be above zero,
//       because the one wake may come just before the sleep.
//   (2) A countdown may be destroyed as soon as nothing is left: after that,
//       only the address of its word is used.
//
// Threads. Add and TakeBack before the work is given away; Done by each thread
// once; IsZero and Sleep by the one that waits.

#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>

#include "db/write/futex.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

// A word that threads sleep on.
class FutexWord {
 public:
  uint32_t Load() const { return word_.load(std::memory_order_acquire); }
  void Add(uint32_t n) { word_.fetch_add(n, std::memory_order_relaxed); }
  // Returns the value before.
  uint32_t Subtract(uint32_t n) {
    return word_.fetch_sub(n, std::memory_order_acq_rel);
  }
  void SetBits(uint32_t bits) {
    word_.fetch_or(bits, std::memory_order_acq_rel);
  }
  // Sleeps while the word holds `expected`; may return early.
  void Sleep(uint32_t expected) { FutexWait(&word_, expected); }
  // Wakes one thread. The word may be gone by now.
  void Wake() { FutexWake(&word_); }

 private:
  std::atomic<uint32_t> word_{0};
};

// Word: FutexWord, or what a test puts in its place to order the steps.
template <typename Word>
class CountdownOn {
 public:
  void Add() { word_.Add(1); }
  void TakeBack() { word_.Subtract(1); }
  void Done() {
    const uint32_t before = word_.Subtract(1);
    assert((before & ~kSleeper) > 0);
    if (before == (kSleeper | 1)) word_.Wake();
  }

  bool IsZero() const { return (word_.Load() & ~kSleeper) == 0; }
  // Returns once nothing is left.
  void Sleep() {
    word_.SetBits(kSleeper);
    for (uint32_t seen = word_.Load(); (seen & ~kSleeper) != 0;
         seen = word_.Load()) {
      word_.Sleep(seen);  // (1)
    }
  }

 private:
  static constexpr uint32_t kSleeper = uint32_t{1} << 31;

  Word word_;
};

using Countdown = CountdownOn<FutexWord>;

}  // namespace ROCKSDB_NAMESPACE::engine
