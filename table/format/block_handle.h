// BlockHandle: where a block lies in a table file.
//
// Place. Footer, metaindex and index blocks are made of handles.
//
// Bytes. varint64 offset, varint64 size. The size is that of the stored
// payload; the five trailer bytes behind it are not counted. Offset 0 with
// size 0 means "none".

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

// Compression type (1 byte) and checksum (fixed32) behind each payload.
inline constexpr size_t kBlockTrailerSize = 5;
// No writer makes a block of 4 GiB; a larger size in a file is damage.
inline constexpr uint64_t kBlockSizeMax = (uint64_t{1} << 32) - 1024;
// Key and value of one entry: fits a block, also behind smaller ones.
inline constexpr uint64_t kEntrySizeMax = uint64_t{3} << 30;

struct BlockHandle {
  uint64_t offset = 0;
  uint64_t size = 0;

  bool IsNull() const { return offset == 0 && size == 0; }
  // The first byte behind the trailer. REQUIRES: Fits() some file.
  uint64_t end() const { return offset + size + kBlockTrailerSize; }
  // True when the block with its trailer lies inside [0, limit).
  bool Fits(uint64_t limit) const {
    return size <= kBlockSizeMax && offset <= limit &&
           limit - offset >= size + kBlockTrailerSize;
  }
  bool operator==(const BlockHandle&) const = default;
};

inline void PutBlockHandle(std::string* dst, const BlockHandle& handle) {
  PutVarint64(dst, handle.offset);
  PutVarint64(dst, handle.size);
}

inline bool GetBlockHandle(Slice* input, BlockHandle* handle) {
  Slice rest = *input;
  if (!GetVarint64(&rest, &handle->offset) ||
      !GetVarint64(&rest, &handle->size)) {
    return false;
  }
  *input = rest;
  return true;
}

}  // namespace ROCKSDB_NAMESPACE::engine
