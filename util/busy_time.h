// BusyTime: for how long at least one of several was at work.
//
// Threads. The owner locks.
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

class BusyTime {
 public:
  void Enter(uint64_t now_micros) {
    if (count_++ == 0) since_micros_ = now_micros;
  }
  void Leave(uint64_t now_micros) {
    if (count_ == 0) return;
    --count_;
    if (count_ > 0 || now_micros <= since_micros_) return;
    total_micros_ += now_micros - since_micros_;
  }
  uint64_t TotalMicros(uint64_t now_micros) const {
    const bool counts = count_ > 0 && now_micros > since_micros_;
    return total_micros_ + (counts ? now_micros - since_micros_ : 0);
  }

 private:
  int count_ = 0;
  uint64_t since_micros_ = 0;
  uint64_t total_micros_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
