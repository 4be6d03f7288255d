// Which memory outside the cache counts against its capacity, by role.
//
// Place. BlockBasedTableOptions::cache_usage_options decides; the users of the
// memory ask here.
//
// Threads. Pure functions.

#pragma once

#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE::engine {

// Whether the options may say something about the role.
inline bool ChargeIsAnOption(CacheEntryRole role) {
  switch (role) {
    case CacheEntryRole::kCompressionDictionaryBuildingBuffer:
    case CacheEntryRole::kFilterConstruction:
    case CacheEntryRole::kBlockBasedTableReader:
    case CacheEntryRole::kFileMetadata:
    case CacheEntryRole::kBlobCache:
      return true;
    default:
      return false;
  }
}

// The cache to charge memory of this role to; null: none.
inline std::shared_ptr<Cache> CacheToCharge(const BlockBasedTableOptions& table,
                                            CacheEntryRole role) {
  using Decision = CacheEntryRoleOptions::Decision;
  if (table.no_block_cache) return nullptr;
  const CacheUsageOptions& usage = table.cache_usage_options;
  const auto found = usage.options_overrides.find(role);
  Decision decision = found != usage.options_overrides.end()
                          ? found->second.charged
                          : Decision::kFallback;
  if (decision == Decision::kFallback) decision = usage.options.charged;
  if (decision == Decision::kFallback) {
    // What was so before there was the option.
    decision = role == CacheEntryRole::kCompressionDictionaryBuildingBuffer
                   ? Decision::kEnabled
                   : Decision::kDisabled;
  }
  return decision == Decision::kEnabled ? table.block_cache : nullptr;
}

}  // namespace ROCKSDB_NAMESPACE::engine
