#include "table/cache_warmer.h"

#include <cassert>

#include "rocksdb/statistics.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Prepopulate = BlockBasedTableOptions::PrepopulateBlockCache;

bool Wanted(const TableBuildOptions& o) {
  if (o.table.no_block_cache || o.table.block_cache == nullptr) return false;
  switch (o.table.prepopulate_block_cache) {
    case Prepopulate::kDisable:
      return false;
    case Prepopulate::kFlushOnly:
      return o.reason == TableFileCreationReason::kFlush;
    case Prepopulate::kFlushAndCompaction:
      return o.reason == TableFileCreationReason::kFlush ||
             o.reason == TableFileCreationReason::kCompaction;
  }
  return false;
}

struct Tickers {
  uint32_t add;
  uint32_t bytes_insert;
};
Tickers TickersOf(CacheEntryRole role) {
  switch (role) {
    case CacheEntryRole::kIndexBlock:
      return {BLOCK_CACHE_INDEX_ADD, BLOCK_CACHE_INDEX_BYTES_INSERT};
    case CacheEntryRole::kFilterBlock:
      return {BLOCK_CACHE_FILTER_ADD, BLOCK_CACHE_FILTER_BYTES_INSERT};
    default:
      return {BLOCK_CACHE_DATA_ADD, BLOCK_CACHE_DATA_BYTES_INSERT};
  }
}

}  // namespace

std::unique_ptr<CacheWarmer> CacheWarmer::New(
    const TableBuildOptions& options) {
  if (!Wanted(options)) return nullptr;
  std::unique_ptr<CacheWarmer> warmer(new CacheWarmer(options));
  if (!FileCacheId(options.db_id, options.db_session_id, options.file_number,
                   warmer->id_)) {
    return nullptr;
  }
  return warmer;
}

// What compactions write was not necessarily read before: it goes first.
CacheWarmer::CacheWarmer(const TableBuildOptions& options)
    : cache_(options.table.block_cache),
      statistics_(options.statistics),
      caches_whole_filters_(options.table.cache_index_and_filter_blocks),
      uses_secondary_cache_(options.uses_secondary_cache),
      data_priority_(options.reason == TableFileCreationReason::kFlush
                         ? Cache::Priority::LOW
                         : Cache::Priority::BOTTOM),
      meta_priority_(
          options.table.cache_index_and_filter_blocks_with_high_priority
              ? Cache::Priority::HIGH
              : Cache::Priority::LOW) {
  assert(cache_ != nullptr);
  context_.icmp = options.icmp;
  context_.file_size = UINT64_MAX;  // Not known yet, and the file is ours.
  context_.protection_bytes = options.protection_bytes;
}

void CacheWarmer::Add(const Slice& payload,
                      const Cache::CacheItemHelper& helper,
                      const BlockCacheKey& key, Cache::Priority priority) {
  Cache::ObjectPtr object = nullptr;
  size_t charge = 0;
  Status status =
      MakeCachedBlock(helper.role, payload, context_, &object, &charge);
  // A block that is damaged in memory is for the reader to find.
  if (!status.ok()) return;
  status = cache_->Insert(
      key, object,
      uses_secondary_cache_ ? &helper : helper.without_secondary_compat, charge,
      nullptr, priority);
  if (!status.ok() || statistics_ == nullptr) return;
  RecordTick(statistics_, BLOCK_CACHE_ADD);
  RecordTick(statistics_, BLOCK_CACHE_BYTES_WRITE, charge);
  const Tickers tickers = TickersOf(helper.role);
  RecordTick(statistics_, tickers.add);
  RecordTick(statistics_, tickers.bytes_insert, charge);
}

void CacheWarmer::AddData(const Slice& payload, const BlockHandle& handle) {
  Add(payload, kDataBlockHelper,
      BlockCacheKey(id_, handle.offset, BlockCacheKey::Form::kBlock),
      data_priority_);
}

void CacheWarmer::AddIndexPartition(const Slice& payload,
                                    const IndexEncoding& encoding,
                                    const BlockHandle& handle) {
  context_.index_encoding = encoding;
  Add(payload, kIndexBlockHelper,
      BlockCacheKey(id_, handle.offset, BlockCacheKey::Form::kIndex),
      meta_priority_);
}

void CacheWarmer::AddWholeFilter(const Slice& payload,
                                 const BlockHandle& handle) {
  if (caches_whole_filters_) AddFilterPartition(payload, handle);
}

void CacheWarmer::AddFilterPartition(const Slice& payload,
                                     const BlockHandle& handle) {
  Add(payload, kFilterBlockHelper,
      BlockCacheKey(id_, handle.offset, BlockCacheKey::Form::kFilter),
      meta_priority_);
}

}  // namespace ROCKSDB_NAMESPACE::engine
