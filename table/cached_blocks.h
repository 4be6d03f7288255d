// Blocks of tables as a cache holds them: how each kind is deleted, saved for a
// second tier, and made again.
//
// Place. The table reader fetches through these helpers; the table builder
// inserts what it has just written with them.
//
// Bytes. A data block or filter is saved as its uncompressed payload, as in the
// file. An index is saved as an index block without shared keys and without
// deltas.
//
// Errors. Data from a tier is checked like data from a file; after Corruption
// the block is read from its file.
//
// Threads. Any.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/advanced_cache.h"
#include "table/index/flat_index.h"

namespace ROCKSDB_NAMESPACE::engine {

// What blocks of one file need to be made again.
struct BlockCreateContext : public Cache::CreateContext {
  const InternalKeyComparator* icmp = nullptr;
  IndexEncoding index_encoding;
  uint64_t file_size = 0;
  size_t protection_bytes = 0;  // Of each entry of data blocks.
};

extern const Cache::CacheItemHelper kDataBlockHelper;    // const Block
extern const Cache::CacheItemHelper kIndexBlockHelper;   // const FlatIndex
extern const Cache::CacheItemHelper kFilterTopHelper;    // const FlatIndex
extern const Cache::CacheItemHelper kFilterBlockHelper;  // const FilterBlock

// Makes the object of a block from its payload as it is in the file, whose
// index blocks are encoded as `context` says.
Status MakeCachedBlock(CacheEntryRole role, const Slice& payload,
                       const BlockCreateContext& context,
                       Cache::ObjectPtr* object, size_t* charge);

// The id that keys of the file's blocks are made of; false if it has none.
bool FileCacheId(const std::string& db_id, const std::string& db_session_id,
                 uint64_t file_number, uint64_t id[2]);

// The key of a block: 16 bytes of the file's id, mixed with the block's offset
// and with what the block is kept as. Handles come from the file: a damaged one
// may name a block of another kind, whose object must not be taken for one of
// this kind.
struct BlockCacheKey {
  // Far apart, so that no id of another file lies at such a distance.
  enum class Form : uint64_t {
    kBlock = 0,
    kIndex = 0x9ae16a3b2f90404fu,
    kFilter = 0xc949d7c7509e6557u,
  };
  // `id`: of FileCacheId, or one of this process.
  BlockCacheKey(const uint64_t* id, uint64_t offset, Form form) {
    EncodeFixed64(bytes, id[0] ^ static_cast<uint64_t>(form));
    EncodeFixed64(bytes + 8, id[1] ^ offset);
  }
  operator Slice() const { return {bytes, sizeof(bytes)}; }  // NOLINT
  char bytes[16];
};

}  // namespace ROCKSDB_NAMESPACE::engine
