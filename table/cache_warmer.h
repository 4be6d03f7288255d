// CacheWarmer: puts blocks that are just being written into the block cache.
//
// Place. The table builder has one if prepopulate_block_cache is set: data that
// was in the memtable a moment ago is likely to be read.
//
// Model. It inserts blocks under the keys and in the form that the file's
// reader will use: data blocks, partitions of index and filter, and an
// unpartitioned filter if filters are cached. Top levels and an unpartitioned
// index are read when the file is opened. A full cache drops blocks for which
// it has no room.
//
// Threads. One at a time.

#pragma once

#include <memory>

#include "rocksdb/cache.h"
#include "table/cached_blocks.h"
#include "table/format/block_handle.h"
#include "table/table_builder.h"

namespace ROCKSDB_NAMESPACE::engine {

class CacheWarmer {
 public:
  // Null when nothing is to be put into the cache, or the file has no identity.
  static std::unique_ptr<CacheWarmer> New(const TableBuildOptions& options);

  // `payload` is uncompressed.
  void AddData(const Slice& payload, const BlockHandle& handle);
  void AddIndexPartition(const Slice& payload, const IndexEncoding& encoding,
                         const BlockHandle& handle);
  void AddFilterPartition(const Slice& payload, const BlockHandle& handle);
  // Of one block. Nothing, if it is to stay with the table.
  void AddWholeFilter(const Slice& payload, const BlockHandle& handle);

 private:
  explicit CacheWarmer(const TableBuildOptions& options);
  void Add(const Slice& payload, const Cache::CacheItemHelper& helper,
           const BlockCacheKey& key, Cache::Priority priority);

  const std::shared_ptr<Cache> cache_;
  Statistics* const statistics_;
  const bool caches_whole_filters_;
  const bool uses_secondary_cache_;
  const Cache::Priority data_priority_;
  const Cache::Priority meta_priority_;
  BlockCreateContext context_;
  uint64_t id_[2] = {0, 0};
};

}  // namespace ROCKSDB_NAMESPACE::engine
