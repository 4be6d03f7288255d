// Cache: memory shared by readers, bounded in bytes.
//
// Place. BlockBasedTableOptions::block_cache holds blocks, filters and index;
// DBOptions::row_cache and blob_cache are caches too. One cache may serve
// many databases; that is how one memory limit covers them all.
//
// This header makes caches. Their statistics, and the calls with which the
// engine inserts and looks up, are in advanced_cache.h (included below).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/compression_type.h"
#include "rocksdb/data_structure.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Cache;
class Logger;
class SecondaryCache;
struct ConfigOptions;

// The roles of a cache; all are the same type.
using BlockCache = Cache;
using RowCache = Cache;
using BlobCache = Cache;

constexpr bool kDefaultToAdaptiveMutex = false;

enum CacheMetadataChargePolicy {
  // Only the entries' own charges count against the capacity.
  kDontChargeCacheMetadata,
  // The cache's own memory counts as well. Default.
  kFullChargeCacheMetadata
};
constexpr CacheMetadataChargePolicy kDefaultCacheMetadataChargePolicy =
    kFullChargeCacheMetadata;

// What an entry is for. Reported per role in the LOG and by properties.
enum class CacheEntryRole {
  kDataBlock,
  kFilterBlock,
  kFilterMetaBlock,
  kDeprecatedFilterBlock,
  kIndexBlock,
  kOtherBlock,
  kWriteBuffer,
  kCompressionDictionaryBuildingBuffer,
  kFilterConstruction,
  kBlockBasedTableReader,
  kFileMetadata,
  kBlobValue,
  kBlobCache,
  kMisc,
};
constexpr uint32_t kNumCacheEntryRoles =
    static_cast<uint32_t>(CacheEntryRole::kMisc) + 1;

// "DataBlock", ...
std::string GetCacheEntryRoleName(CacheEntryRole role);

// Keys of GetMapProperty(DB::Properties::kBlockCacheEntryStats).
struct BlockCacheEntryStatsMapKeys {
  static const std::string& CacheId();
  static const std::string& CacheCapacityBytes();
  static const std::string& LastCollectionDurationSeconds();
  static const std::string& LastCollectionAgeSeconds();

  static std::string EntryCount(CacheEntryRole role);
  static std::string UsedBytes(CacheEntryRole role);
  static std::string UsedPercent(CacheEntryRole role);
};

struct ShardedCacheOptions {
  // Bytes. Default: 0.
  size_t capacity = 0;

  // The cache is split into 2^n shards by key; -1 (default) chooses by
  // capacity, at least 512 KiB a shard, at most 64 shards.
  int num_shard_bits = -1;

  // Refuse insertions that would exceed the capacity instead of exceeding it
  // while everything is in use. Default false.
  bool strict_capacity_limit = false;

  // Memory for the cached blocks; null: the process allocator.
  std::shared_ptr<MemoryAllocator> memory_allocator;

  CacheMetadataChargePolicy metadata_charge_policy =
      kDefaultCacheMetadataChargePolicy;

  // Second tier: evicted blocks are offered to it, and blocks that are not
  // found here are looked up there. Null (default): none.
  std::shared_ptr<SecondaryCache> secondary_cache;

  // Seed of the hash of keys. kQuasiRandomHashSeed: each cache of a process has
  // its own; kHostHashSeed (default): all caches have the same one, because the
  // keys of blocks differ between hosts anyway. With a smaller number no cache
  // is made.
  static constexpr int32_t kQuasiRandomHashSeed = -1;
  static constexpr int32_t kHostHashSeed = -2;
  int32_t hash_seed = kHostHashSeed;

  ShardedCacheOptions() = default;
  ShardedCacheOptions(
      size_t _capacity, int _num_shard_bits, bool _strict_capacity_limit,
      std::shared_ptr<MemoryAllocator> _memory_allocator = nullptr,
      CacheMetadataChargePolicy _metadata_charge_policy =
          kDefaultCacheMetadataChargePolicy)
      : capacity(_capacity),
        num_shard_bits(_num_shard_bits),
        strict_capacity_limit(_strict_capacity_limit),
        memory_allocator(std::move(_memory_allocator)),
        metadata_charge_policy(_metadata_charge_policy) {}
};

// Evicts the least recently used entry first. A part of the capacity is
// reserved for entries inserted with high priority or hit once.
struct LRUCacheOptions : public ShardedCacheOptions {
  // Share of the capacity kept for Priority::HIGH. Default 0.5.
  double high_pri_pool_ratio = 0.5;

  // Share reserved for Priority::LOW, as opposed to BOTTOM. Default 0.
  double low_pri_pool_ratio = 0.0;

  // Spin a little before sleeping on a shard's lock. Default false.
  bool use_adaptive_mutex = kDefaultToAdaptiveMutex;

  LRUCacheOptions() = default;
  LRUCacheOptions(size_t _capacity, int _num_shard_bits,
                  bool _strict_capacity_limit, double _high_pri_pool_ratio,
                  std::shared_ptr<MemoryAllocator> _memory_allocator = nullptr,
                  bool _use_adaptive_mutex = kDefaultToAdaptiveMutex,
                  CacheMetadataChargePolicy _metadata_charge_policy =
                      kDefaultCacheMetadataChargePolicy,
                  double _low_pri_pool_ratio = 0.0)
      : ShardedCacheOptions(_capacity, _num_shard_bits, _strict_capacity_limit,
                            std::move(_memory_allocator),
                            _metadata_charge_policy),
        high_pri_pool_ratio(_high_pri_pool_ratio),
        low_pri_pool_ratio(_low_pri_pool_ratio),
        use_adaptive_mutex(_use_adaptive_mutex) {}

  // Null if the options contradict each other.
  std::shared_ptr<Cache> MakeSharedCache() const;
  std::shared_ptr<RowCache> MakeSharedRowCache() const {
    return MakeSharedCache();
  }
};

std::shared_ptr<Cache> NewLRUCache(
    size_t capacity, int num_shard_bits = -1,
    bool strict_capacity_limit = false, double high_pri_pool_ratio = 0.5,
    std::shared_ptr<MemoryAllocator> memory_allocator = nullptr,
    bool use_adaptive_mutex = kDefaultToAdaptiveMutex,
    CacheMetadataChargePolicy metadata_charge_policy =
        kDefaultCacheMetadataChargePolicy,
    double low_pri_pool_ratio = 0.0);

std::shared_ptr<Cache> NewLRUCache(const LRUCacheOptions& cache_opts);

using CacheEntryRoleSet = SmallEnumSet<CacheEntryRole, CacheEntryRole::kMisc>;

// A second tier in memory that keeps blocks compressed (secondary_cache.h).
// capacity and the pools are those of an LRU cache over the compressed bytes.
struct CompressedSecondaryCacheOptions : LRUCacheOptions {
  // kNoCompression keeps the blocks as they are. Default LZ4.
  CompressionType compression_type = CompressionType::kLZ4Compression;

  // Level and window of the method.
  CompressionOptions compression_opts;

  // Accepted; there is one form in memory.
  uint32_t compress_format_version = 2;

  // Accepted: an entry is one allocation.
  bool enable_custom_split_merge = false;

  // Blocks of these roles are kept as they are. Default: filters, which do not
  // shrink.
  CacheEntryRoleSet do_not_compress_roles = {CacheEntryRole::kFilterBlock};

  CompressedSecondaryCacheOptions() = default;
  CompressedSecondaryCacheOptions(
      size_t _capacity, int _num_shard_bits, bool _strict_capacity_limit,
      double _high_pri_pool_ratio, double _low_pri_pool_ratio = 0.0,
      std::shared_ptr<MemoryAllocator> _memory_allocator = nullptr,
      bool _use_adaptive_mutex = kDefaultToAdaptiveMutex,
      CacheMetadataChargePolicy _metadata_charge_policy =
          kDefaultCacheMetadataChargePolicy,
      CompressionType _compression_type = CompressionType::kLZ4Compression,
      uint32_t _compress_format_version = 2,
      bool _enable_custom_split_merge = false,
      const CacheEntryRoleSet& _do_not_compress_roles =
          {CacheEntryRole::kFilterBlock})
      : LRUCacheOptions(_capacity, _num_shard_bits, _strict_capacity_limit,
                        _high_pri_pool_ratio, std::move(_memory_allocator),
                        _use_adaptive_mutex, _metadata_charge_policy,
                        _low_pri_pool_ratio),
        compression_type(_compression_type),
        compress_format_version(_compress_format_version),
        enable_custom_split_merge(_enable_custom_split_merge),
        do_not_compress_roles(_do_not_compress_roles) {}

  // Null if the options contradict each other.
  std::shared_ptr<SecondaryCache> MakeSharedSecondaryCache() const;
};

std::shared_ptr<SecondaryCache> NewCompressedSecondaryCache(
    size_t capacity, int num_shard_bits = -1,
    bool strict_capacity_limit = false, double high_pri_pool_ratio = 0.5,
    double low_pri_pool_ratio = 0.0,
    std::shared_ptr<MemoryAllocator> memory_allocator = nullptr,
    bool use_adaptive_mutex = kDefaultToAdaptiveMutex,
    CacheMetadataChargePolicy metadata_charge_policy =
        kDefaultCacheMetadataChargePolicy,
    CompressionType compression_type = CompressionType::kLZ4Compression,
    uint32_t compress_format_version = 2,
    bool enable_custom_split_merge = false,
    const CacheEntryRoleSet& _do_not_compress_roles = {
        CacheEntryRole::kFilterBlock});

std::shared_ptr<SecondaryCache> NewCompressedSecondaryCache(
    const CompressedSecondaryCacheOptions& opts);

// A cache without locks: hits, misses, insertions and evictions of any number
// of threads run concurrently. A hand goes round over the entries and evicts
// those that have not been hit for several rounds. An entry of high priority
// starts with two more rounds; low and bottom priority are the same.
// Keys may have any length, as in the LRU cache; those of 16 bytes, as blocks
// have, need no extra memory.
struct HyperClockCacheOptions : public ShardedCacheOptions {
  // Average charge of an entry in bytes, if known: the table then has its size
  // from the start. 0: it starts with room for entries of 4 KiB. In both cases
  // it doubles whenever it is nearly full.
  size_t estimated_entry_charge = 0;
  // Accepted; it sizes the table of RocksDB's cache.
  size_t min_avg_entry_charge = 450;
  // An insertion gives up looking for room when it has seen this many entries
  // in use for each entry that it evicted (plus one). At least 1. Under a
  // strict limit it tries all entries. Default 30.
  int eviction_effort_cap = 30;

  HyperClockCacheOptions(
      size_t _capacity, size_t _estimated_entry_charge,
      int _num_shard_bits = -1, bool _strict_capacity_limit = false,
      std::shared_ptr<MemoryAllocator> _memory_allocator = nullptr,
      CacheMetadataChargePolicy _metadata_charge_policy =
          kDefaultCacheMetadataChargePolicy)
      : ShardedCacheOptions(_capacity, _num_shard_bits, _strict_capacity_limit,
                            std::move(_memory_allocator),
                            _metadata_charge_policy),
        estimated_entry_charge(_estimated_entry_charge) {}

  // Null if the options contradict each other.
  std::shared_ptr<Cache> MakeSharedCache() const;
};

enum PrimaryCacheType { kCacheTypeLRU, kCacheTypeHCC, kCacheTypeMax };

// Which evicted blocks the second tier accepts.
enum TieredAdmissionPolicy {
  kAdmPolicyAuto,  // The next one.
  // Blocks that were evicted before, not long ago. Keeps scans out.
  kAdmPolicyPlaceholder,
  // Also blocks that were hit while they were in the cache.
  kAdmPolicyAllowCacheHits,
  kAdmPolicyThreeQueue,  // Needs a third tier: refused.
  kAdmPolicyAllowAll,
  kAdmPolicyMax
};

// A cache and a compressed second tier that share one capacity.
struct TieredCacheOptions {
  // LRUCacheOptions or HyperClockCacheOptions, according to cache_type; its
  // capacity is ignored. Only used by NewTieredCache().
  ShardedCacheOptions* cache_opts = nullptr;
  PrimaryCacheType cache_type = PrimaryCacheType::kCacheTypeLRU;
  TieredAdmissionPolicy adm_policy = TieredAdmissionPolicy::kAdmPolicyAuto;
  CompressedSecondaryCacheOptions comp_cache_opts;
  // Bytes of both tiers.
  size_t total_capacity = 0;
  // The second tier's share, at least 0 and below 1.
  double compressed_secondary_ratio = 0.0;
  // A third tier: refused.
  std::shared_ptr<SecondaryCache> nvm_sec_cache;
};

// Null if the options contradict each other. SetCapacity() of the cache keeps
// the ratio.
std::shared_ptr<Cache> NewTieredCache(const TieredCacheOptions& cache_opts);

// Changes total capacity, ratio and policy of a cache of NewTieredCache;
// -1 and kAdmPolicyMax leave one as it is. InvalidArgument for another cache or
// a bad ratio; NotSupported for the policy of three tiers.
Status UpdateTieredCache(
    const std::shared_ptr<Cache>& cache, int64_t total_capacity = -1,
    double compressed_secondary_ratio = std::numeric_limits<double>::max(),
    TieredAdmissionPolicy adm_policy = TieredAdmissionPolicy::kAdmPolicyMax);

// RocksDB's first clock cache. It makes an LRU cache, as in RocksDB.
std::shared_ptr<Cache> NewClockCache(
    size_t capacity, int num_shard_bits = -1,
    bool strict_capacity_limit = false,
    CacheMetadataChargePolicy metadata_charge_policy =
        kDefaultCacheMetadataChargePolicy);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API

#include "rocksdb/advanced_cache.h"
