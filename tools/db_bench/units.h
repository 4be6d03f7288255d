// Units that several parts of db_bench convert.
#pragma once

#include <cstdint>

namespace ROCKSDB_NAMESPACE::bench {

inline constexpr uint64_t kMicrosPerSecond = uint64_t{1000} * 1000;
inline constexpr double kMegabyte = 1048576.0;

}  // namespace ROCKSDB_NAMESPACE::bench
