// SineLaw: the rate of writes that follow a sine.
//
// Place. A load shape of db_bench, and all that fillrandom has of one.
#pragma once

#include <cmath>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::bench {

// a sin(bx + c) + d
struct SineLaw {
  double a = 0;
  double b = 1;
  double c = 0;
  double d = 0;

  // Bytes per second at `seconds`, at least one.
  uint64_t At(double seconds) const {
    const double rate = a * std::sin(b * seconds + c) + d;
    return rate > 1 ? static_cast<uint64_t>(rate) : 1;
  }
};

}  // namespace ROCKSDB_NAMESPACE::bench
