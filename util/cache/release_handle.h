// The cleanup function of memory that a cache entry owns.
#pragma once

#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE::engine {

// Cleanable::CleanupFunction: releases `handle`, a Cache::Handle of `cache`.
inline void ReleaseCacheHandle(void* cache, void* handle) {
  static_cast<Cache*>(cache)->Release(static_cast<Cache::Handle*>(handle));
}

}  // namespace ROCKSDB_NAMESPACE::engine
