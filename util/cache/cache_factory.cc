// The public ways to make a cache.

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/secondary_cache.h"
#include "util/cache/clock_cache.h"
#include "util/cache/compressed_secondary_cache.h"
#include "util/cache/lru_cache.h"
#include "util/cache/secondary_adapter.h"
#include "util/options_text/codec.h"
#include "util/options_text/enum_names.h"
#include "util/options_text/scan.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

using engine::Result;
using engine::TextCodec;
using engine::TextMode;

namespace {

// Every shard gets at least this much, so that a few large blocks fit in it;
// more than 64 shards gain nothing.
constexpr size_t kShardSizeMin = size_t{512} << 10;
constexpr int kShardBitsDefaultMax = 6;
constexpr int kShardBitsMax = 19;

int DefaultShardBits(size_t capacity) {
  int bits = 0;
  for (size_t shards = capacity / kShardSizeMin; shards > 1; shards >>= 1) {
    if (++bits == kShardBitsDefaultMax) break;
  }
  return bits;
}

// As options are written: "512", "8MB", "true", "kZSTD".
template <typename T>
bool Read(const std::string& text, T* value) {
  return TextCodec<T>::Parse(TextMode(), text, value).ok();
}

bool IsSeed(int32_t seed) { return seed >= ShardedCacheOptions::kHostHashSeed; }

bool Read(const std::string& text, CacheMetadataChargePolicy* policy) {
  if (text != "kFullChargeCacheMetadata" && text != "kDontChargeCacheMetadata")
    return false;
  *policy = text == "kFullChargeCacheMetadata" ? kFullChargeCacheMetadata
                                               : kDontChargeCacheMetadata;
  return true;
}

bool SetField(const std::string& name, const std::string& value,
              ShardedCacheOptions* options) {
  if (name == "capacity") return Read(value, &options->capacity);
  if (name == "num_shard_bits") {
    return Read(value, &options->num_shard_bits);
  }
  if (name == "strict_capacity_limit") {
    return Read(value, &options->strict_capacity_limit);
  }
  if (name == "metadata_charge_policy") {
    return Read(value, &options->metadata_charge_policy);
  }
  return name == "hash_seed" && Read(value, &options->hash_seed) &&
         IsSeed(options->hash_seed);
}

bool SetField(const std::string& name, const std::string& value,
              LRUCacheOptions* options) {
  if (name == "high_pri_pool_ratio") {
    return Read(value, &options->high_pri_pool_ratio);
  }
  if (name == "low_pri_pool_ratio") {
    return Read(value, &options->low_pri_pool_ratio);
  }
  if (name == "use_adaptive_mutex") {
    return Read(value, &options->use_adaptive_mutex);
  }
  return SetField(name, value, static_cast<ShardedCacheOptions*>(options));
}

bool SetField(const std::string& name, const std::string& value,
              HyperClockCacheOptions* options) {
  if (name == "estimated_entry_charge") {
    return Read(value, &options->estimated_entry_charge);
  }
  if (name == "min_avg_entry_charge") {
    return Read(value, &options->min_avg_entry_charge);
  }
  if (name == "eviction_effort_cap") {
    return Read(value, &options->eviction_effort_cap);
  }
  return SetField(name, value, static_cast<ShardedCacheOptions*>(options));
}

bool SetField(const std::string& name, const std::string& value,
              CompressedSecondaryCacheOptions* options) {
  if (name == "compression_type") {
    return Read(value, &options->compression_type);
  }
  if (name == "enable_custom_split_merge") {
    return Read(value, &options->enable_custom_split_merge);
  }
  if (name == "compress_format_version") return value == "1" || value == "2";
  return SetField(name, value, static_cast<LRUCacheOptions*>(options));
}

using Settings = std::vector<engine::Setting>;

// InvalidArgument names the bad one. The "id" is not an option.
template <typename T>
Status SetFields(const Settings& settings, T* options) {
  for (const auto& [name, value] : settings) {
    if (name != "id" && !SetField(name, value, options)) {
      std::string text = name;
      text.append("=").append(value);
      return Status::InvalidArgument("cache option", text);
    }
  }
  return Status::OK();
}

// Empty without one.
std::string IdOf(const Settings& settings) {
  for (const auto& [name, value] : settings) {
    if (name == "id") return value;
  }
  return "";
}

bool IsRatio(double value) { return value >= 0.0 && value <= 1.0; }

bool ShardsWell(const ShardedCacheOptions& options) {
  return options.num_shard_bits <= kShardBitsMax && IsSeed(options.hash_seed);
}

int ShardBits(const ShardedCacheOptions& options) {
  return options.num_shard_bits >= 0 ? options.num_shard_bits
                                     : DefaultShardBits(options.capacity);
}

// Null if the options contradict each other. One tier.
std::shared_ptr<Cache> MakeFirst(const LRUCacheOptions& options) {
  if (!ShardsWell(options) || !IsRatio(options.high_pri_pool_ratio) ||
      !IsRatio(options.low_pri_pool_ratio) ||
      options.high_pri_pool_ratio + options.low_pri_pool_ratio > 1.0) {
    return nullptr;
  }
  return std::make_shared<engine::LruCache>(options, ShardBits(options));
}

std::shared_ptr<Cache> MakeFirst(const HyperClockCacheOptions& options) {
  if (!ShardsWell(options)) return nullptr;
  return std::make_shared<engine::ClockCache>(options, ShardBits(options));
}

// The first tier of the options a program filled for NewTieredCache().
template <typename T>
std::shared_ptr<Cache> MakeFirst(const ShardedCacheOptions& options,
                                 size_t capacity) {
  T first = static_cast<const T&>(options);
  first.capacity = capacity;
  return MakeFirst(first);
}

bool SharesWell(double ratio) { return ratio >= 0.0 && ratio < 1.0; }

}  // namespace

std::shared_ptr<Cache> LRUCacheOptions::MakeSharedCache() const {
  return engine::WithSecondary(MakeFirst(*this), *this);
}

std::shared_ptr<Cache> NewLRUCache(const LRUCacheOptions& cache_opts) {
  return cache_opts.MakeSharedCache();
}

// NOLINTNEXTLINE(readability-function-size): the signature is public.
std::shared_ptr<Cache> NewLRUCache(
    size_t capacity, int num_shard_bits, bool strict_capacity_limit,
    double high_pri_pool_ratio,
    std::shared_ptr<MemoryAllocator> memory_allocator, bool use_adaptive_mutex,
    CacheMetadataChargePolicy metadata_charge_policy,
    double low_pri_pool_ratio) {
  return LRUCacheOptions(capacity, num_shard_bits, strict_capacity_limit,
                         high_pri_pool_ratio, std::move(memory_allocator),
                         use_adaptive_mutex, metadata_charge_policy,
                         low_pri_pool_ratio)
      .MakeSharedCache();
}

std::shared_ptr<Cache> HyperClockCacheOptions::MakeSharedCache() const {
  return engine::WithSecondary(MakeFirst(*this), *this);
}

std::shared_ptr<Cache> NewClockCache(
    size_t capacity, int num_shard_bits, bool strict_capacity_limit,
    CacheMetadataChargePolicy metadata_charge_policy) {
  LRUCacheOptions options;
  options.capacity = capacity;
  options.num_shard_bits = num_shard_bits;
  options.strict_capacity_limit = strict_capacity_limit;
  options.metadata_charge_policy = metadata_charge_policy;
  return options.MakeSharedCache();
}

std::shared_ptr<SecondaryCache>
CompressedSecondaryCacheOptions::MakeSharedSecondaryCache() const {
  LRUCacheOptions lru = static_cast<const LRUCacheOptions&>(*this);
  lru.secondary_cache = nullptr;
  std::shared_ptr<Cache> cache = lru.MakeSharedCache();
  if (cache == nullptr) return nullptr;
  return std::make_shared<engine::CompressedSecondaryCache>(*this,
                                                            std::move(cache));
}

std::shared_ptr<SecondaryCache> NewCompressedSecondaryCache(
    const CompressedSecondaryCacheOptions& opts) {
  return opts.MakeSharedSecondaryCache();
}

// NOLINTNEXTLINE(readability-function-size): the signature is public.
std::shared_ptr<SecondaryCache> NewCompressedSecondaryCache(
    size_t capacity, int num_shard_bits, bool strict_capacity_limit,
    double high_pri_pool_ratio, double low_pri_pool_ratio,
    std::shared_ptr<MemoryAllocator> memory_allocator, bool use_adaptive_mutex,
    CacheMetadataChargePolicy metadata_charge_policy,
    CompressionType compression_type, uint32_t compress_format_version,
    bool enable_custom_split_merge,
    const CacheEntryRoleSet& do_not_compress_roles) {
  return CompressedSecondaryCacheOptions(
             capacity, num_shard_bits, strict_capacity_limit,
             high_pri_pool_ratio, low_pri_pool_ratio,
             std::move(memory_allocator), use_adaptive_mutex,
             metadata_charge_policy, compression_type, compress_format_version,
             enable_custom_split_merge, do_not_compress_roles)
      .MakeSharedSecondaryCache();
}

std::shared_ptr<Cache> NewTieredCache(const TieredCacheOptions& opts) {
  if (opts.cache_opts == nullptr || opts.nvm_sec_cache != nullptr ||
      opts.adm_policy == kAdmPolicyThreeQueue ||
      !SharesWell(opts.compressed_secondary_ratio)) {
    return nullptr;
  }
  CompressedSecondaryCacheOptions second = opts.comp_cache_opts;
  second.capacity =
      static_cast<size_t>(static_cast<double>(opts.total_capacity) *
                          opts.compressed_secondary_ratio);
  std::shared_ptr<Cache> cache =
      opts.cache_type == PrimaryCacheType::kCacheTypeHCC
          ? MakeFirst<HyperClockCacheOptions>(*opts.cache_opts,
                                              opts.total_capacity)
          : MakeFirst<LRUCacheOptions>(*opts.cache_opts, opts.total_capacity);
  std::shared_ptr<SecondaryCache> behind = second.MakeSharedSecondaryCache();
  if (cache == nullptr || behind == nullptr) return nullptr;
  auto tiered = std::make_shared<engine::SecondaryAdapter>(
      std::move(cache), std::move(behind), opts.adm_policy);
  tiered->Share({opts.total_capacity, opts.compressed_secondary_ratio});
  return tiered;
}

Status UpdateTieredCache(const std::shared_ptr<Cache>& cache,
                         int64_t total_capacity,
                         double compressed_secondary_ratio,
                         TieredAdmissionPolicy adm_policy) {
  auto* const tiered = dynamic_cast<engine::SecondaryAdapter*>(cache.get());
  if (tiered == nullptr) {
    return Status::InvalidArgument("not a cache of NewTieredCache");
  }
  if (adm_policy == kAdmPolicyThreeQueue) {
    return Status::NotSupported("a policy for three tiers");
  }
  engine::SecondaryAdapter::Split split = tiered->split();
  if (total_capacity >= 0) split.capacity = static_cast<size_t>(total_capacity);
  if (compressed_secondary_ratio != std::numeric_limits<double>::max()) {
    if (!SharesWell(compressed_secondary_ratio)) {
      return Status::InvalidArgument("compressed_secondary_ratio");
    }
    split.ratio = compressed_secondary_ratio;
  }
  if (adm_policy != kAdmPolicyMax) tiered->SetPolicy(adm_policy);
  tiered->Share(split);
  return Status::OK();
}

namespace {

std::string WithoutBraces(const std::string& text) {
  return text.size() >= 2 && text.front() == '{' && text.back() == '}'
             ? text.substr(1, text.size() - 2)
             : text;
}

template <typename T>
Status MakeOf(const Settings& settings, T* options,
              std::shared_ptr<Cache>* result) {
  RETURN_IF_ERROR(SetFields(settings, options));
  std::shared_ptr<Cache> cache = options->MakeSharedCache();
  if (cache == nullptr) {
    return Status::InvalidArgument("cache options that contradict each other");
  }
  *result = std::move(cache);
  return Status::OK();
}

}  // namespace

Status Cache::CreateFromString(const ConfigOptions& /*config_options*/,
                               const std::string& value,
                               std::shared_ptr<Cache>* result) {
  if (value.empty() || value == "nullptr") {
    result->reset();
    return Status::OK();
  }
  const std::string text = WithoutBraces(value);
  LRUCacheOptions lru;
  if (text.find('=') == std::string::npos) {
    if (!Read(text, &lru.capacity)) {
      return Status::InvalidArgument("cache capacity", value);
    }
    *result = lru.MakeSharedCache();
    return Status::OK();
  }
  const Result<Settings> settings = engine::SplitSettings(text);
  if (!settings.ok()) return settings.status();
  const std::string id = IdOf(*settings);
  if (id.empty() || id == "LRUCache") return MakeOf(*settings, &lru, result);
  // RocksDB has two tables for it, and names for both.
  if (id == "HyperClockCache" || id == "AutoHyperClockCache" ||
      id == "FixedHyperClockCache") {
    HyperClockCacheOptions clock(0, 0);
    return MakeOf(*settings, &clock, result);
  }
  return Status::InvalidArgument("no such cache", id);
}

Status SecondaryCache::CreateFromString(
    const ConfigOptions& /*config_options*/, const std::string& id,
    std::shared_ptr<SecondaryCache>* result) {
  if (id.empty() || id == "nullptr") {
    result->reset();
    return Status::OK();
  }
  static const std::string scheme = "compressed_secondary_cache://";
  if (id.compare(0, scheme.size(), scheme) != 0) {
    return Status::NotSupported("no such secondary cache", id);
  }
  CompressedSecondaryCacheOptions options;
  const Result<Settings> settings =
      engine::SplitSettings(std::string_view(id).substr(scheme.size()));
  if (!settings.ok()) return settings.status();
  RETURN_IF_ERROR(SetFields(*settings, &options));
  std::shared_ptr<SecondaryCache> cache = options.MakeSharedSecondaryCache();
  if (cache == nullptr) return Status::InvalidArgument("cache options", id);
  *result = std::move(cache);
  return Status::OK();
}

std::string GetCacheEntryRoleName(CacheEntryRole role) {
  switch (role) {
    case CacheEntryRole::kDataBlock:
      return "DataBlock";
    case CacheEntryRole::kFilterBlock:
      return "FilterBlock";
    case CacheEntryRole::kFilterMetaBlock:
      return "FilterMetaBlock";
    case CacheEntryRole::kDeprecatedFilterBlock:
      return "DeprecatedFilterBlock";
    case CacheEntryRole::kIndexBlock:
      return "IndexBlock";
    case CacheEntryRole::kOtherBlock:
      return "OtherBlock";
    case CacheEntryRole::kWriteBuffer:
      return "WriteBuffer";
    case CacheEntryRole::kCompressionDictionaryBuildingBuffer:
      return "CompressionDictionaryBuildingBuffer";
    case CacheEntryRole::kFilterConstruction:
      return "FilterConstruction";
    case CacheEntryRole::kBlockBasedTableReader:
      return "BlockBasedTableReader";
    case CacheEntryRole::kFileMetadata:
      return "FileMetadata";
    case CacheEntryRole::kBlobValue:
      return "BlobValue";
    case CacheEntryRole::kBlobCache:
      return "BlobCache";
    case CacheEntryRole::kMisc:
      return "Misc";
  }
  return "Unknown";
}

}  // namespace ROCKSDB_NAMESPACE
