#include "db/format/reader_cache.h"

#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// From there on each of the usual 64 shards has room for a reader.
constexpr size_t kShardedFrom = 64;

// Ten descriptors are left for logs, MANIFEST and the like.
size_t CapacityFor(int max_open_files) {
  return static_cast<size_t>(max_open_files > 20 ? max_open_files - 10 : 10);
}

std::shared_ptr<Cache> NewCache(size_t capacity, int shard_bits) {
  LRUCacheOptions options(capacity, shard_bits,
                          /*strict_capacity_limit=*/false,
                          /*high_pri_pool_ratio=*/0);
  options.metadata_charge_policy = kDontChargeCacheMetadata;
  return NewLRUCache(options);
}

}  // namespace

ReaderCache::ReaderCache(int max_open_files, int table_cache_numshardbits)
    : shard_bits_(table_cache_numshardbits) {
  SetMaxOpenFiles(max_open_files);
}

void ReaderCache::SetMaxOpenFiles(int max_open_files) {
  MutexLock lock(&mu_);
  std::shared_ptr<Cache>* used = nullptr;
  if (max_open_files >= 0) {
    const size_t capacity = CapacityFor(max_open_files);
    const bool sharded = capacity >= kShardedFrom;
    used = sharded ? &sharded_ : &alone_;
    if (*used == nullptr) {
      *used = NewCache(capacity, sharded ? shard_bits_ : 0);
    } else {
      (*used)->SetCapacity(capacity);
    }
  }
  // Made known before it is used: Erase() finds what is in it.
  made_[0].store(alone_.get(), std::memory_order_release);
  made_[1].store(sharded_.get(), std::memory_order_release);
  current_.store(used == nullptr ? nullptr : used->get(),
                 std::memory_order_release);
  for (std::shared_ptr<Cache>* cache : {&alone_, &sharded_}) {
    if (cache != used && *cache != nullptr) (*cache)->SetCapacity(0);  // (2)
  }
}

void ReaderCache::Erase(const Slice& key) const {
  for (const std::atomic<Cache*>& made : made_) {
    Cache* const cache = made.load(std::memory_order_acquire);
    if (cache != nullptr) cache->Erase(key);
  }
}

void ReaderCache::ForEach(const Cache::EntryCallback& fn) const {
  for (const std::atomic<Cache*>& made : made_) {
    Cache* const cache = made.load(std::memory_order_acquire);
    if (cache != nullptr) cache->ApplyToAllEntries(fn, {});
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
