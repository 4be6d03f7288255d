// BatchReserve: how much memory a batch of one record asks for before it is
// filled. A record that is refused because of its size must not allocate that
// memory.
#pragma once

#include <cstddef>

#include "table/format/block_handle.h"

namespace ROCKSDB_NAMESPACE::engine {

// `bytes`: of key and value. What a record has besides takes at most 24.
inline size_t BatchReserve(size_t bytes) {
  return bytes <= kEntrySizeMax ? bytes + 24 : 0;
}

}  // namespace ROCKSDB_NAMESPACE::engine
