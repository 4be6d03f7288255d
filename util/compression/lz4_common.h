// What LZ4 and LZ4HC share: both write the same stream.
#pragma once

#include <cstddef>

#include "rocksdb/slice.h"
#include "util/compression/codec.h"

namespace ROCKSDB_NAMESPACE::engine {

// Inflates one LZ4 block of exactly `size` bytes.
bool UncompressLz4(const UncompressRequest& request, const Slice& in, char* out,
                   size_t size);

}  // namespace ROCKSDB_NAMESPACE::engine
