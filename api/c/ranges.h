// Ranges of keys as C functions take them: parallel arrays.
//
// Place. Of the files of api/c that measure ranges.
#pragma once

#include <cstddef>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/slice.h"

namespace capi_internal {

struct KeyArrays {
  const char* const* starts;
  const size_t* start_sizes;
  const char* const* limits;
  const size_t* limit_sizes;

  std::vector<ROCKSDB_NAMESPACE::Range> Ranges(int count) const {
    using ROCKSDB_NAMESPACE::Slice;
    std::vector<ROCKSDB_NAMESPACE::Range> ranges;
    ranges.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
      ranges.emplace_back(Slice(starts[i], start_sizes[i]),
                          Slice(limits[i], limit_sizes[i]));
    }
    return ranges;
  }
};

}  // namespace capi_internal
