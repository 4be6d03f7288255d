// Small key-value blocks that are read once: metaindex, properties, range
// deletions.
//
// Place. The table reader walks them entry by entry at open.
//
// Threads. Pure function.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "table/block/block.h"

namespace ROCKSDB_NAMESPACE::engine {

// What the keys of one block may take beside the bytes that it has, by sharing
// those of the key before: visitors copy them, and a damaged block could claim
// terabytes by sharing a long key many times. Range deletions share nothing.
inline constexpr uint64_t kMetaSharedBytesMax = uint64_t{1} << 30;

// Calls visit(key, value) for each entry in order, the value as a view into
// `payload`. False when the block is damaged or visit() returned false.
template <typename Visit>
bool ForEachMetaEntry(const Slice& payload, Visit visit) {
  const Block::Ptr block = Block::Copy(payload);
  if (!block->Parse() || block->separated()) return false;
  const char* const begin = block->data();
  const char* const limit = begin + block->entries_end();
  std::string key;
  uint64_t shared_bytes = 0;
  for (const char* p = begin; p < limit;) {
    uint32_t shared;
    uint32_t unshared;
    uint32_t value_size;
    p = DecodeEntryHead(p, limit, &shared, &unshared, &value_size);
    if (p == nullptr || shared > key.size() ||
        uint64_t{unshared} + value_size > static_cast<uint64_t>(limit - p)) {
      return false;
    }
    shared_bytes += shared;
    if (shared_bytes > kMetaSharedBytesMax) return false;
    key.resize(shared);
    key.append(p, unshared);
    p += unshared;
    const Slice value(payload.data() + (p - begin), value_size);
    if (!visit(Slice(key), value)) return false;
    p += value_size;
  }
  return true;
}

}  // namespace ROCKSDB_NAMESPACE::engine
