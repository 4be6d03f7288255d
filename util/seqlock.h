// Seqlock: a value that one thread publishes and many read without a lock.
//
// Model. A version counter is odd while the value is being replaced; a reader
// copies between two equal even versions, and copies again otherwise. The value
// is kept as atomic words, so that a torn copy is discarded, never undefined.
// The words themselves carry the order, not fences, which a thread sanitizer
// does not see: who reads a new word also sees the odd version before it.
//
// Threads. Store: one at a time. Load: any.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

template <typename T>
class Seqlock {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Seqlock() { Store(T{}); }

  void Store(const T& value) {
    std::array<uint64_t, kWords> words{};
    std::memcpy(words.data(), &value, sizeof(T));
    const uint64_t version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    for (size_t i = 0; i < kWords; ++i) {
      words_[i].store(words[i], std::memory_order_release);
    }
    version_.store(version + 2, std::memory_order_release);
  }

  T Load() const {
    std::array<uint64_t, kWords> words;
    for (;;) {
      const uint64_t before = version_.load(std::memory_order_acquire);
      for (size_t i = 0; i < kWords; ++i) {
        words[i] = words_[i].load(std::memory_order_acquire);
      }
      const uint64_t after = version_.load(std::memory_order_relaxed);
      if (before == after && before % 2 == 0) break;
    }
    T value;
    std::memcpy(static_cast<void*>(&value), words.data(), sizeof(T));
    return value;
  }

 private:
  static constexpr size_t kWords = (sizeof(T) + 7) / 8;
  std::atomic<uint64_t> version_{0};
  std::array<std::atomic<uint64_t>, kWords> words_{};
};

}  // namespace ROCKSDB_NAMESPACE::engine
