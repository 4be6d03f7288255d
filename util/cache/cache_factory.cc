// The public ways to make a cache.

#include <algorithm>
#include <charconv>
#include <limits>

#include "rocksdb/cache.h"
#include "util/cache/lru_cache.h"

namespace ROCKSDB_NAMESPACE {

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

// "512", "8MB", "1g": a number with an optional binary unit.
bool ParseSize(const std::string& text, size_t* size) {
  const char* const end = text.data() + text.size();
  size_t value = 0;
  const auto [unit, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc()) return false;
  const std::string suffix(unit, end);
  int shift = 0;
  if (!suffix.empty()) {
    switch (suffix[0] | 0x20) {
      case 'k':
        shift = 10;
        break;
      case 'm':
        shift = 20;
        break;
      case 'g':
        shift = 30;
        break;
      case 't':
        shift = 40;
        break;
      default:
        return false;
    }
    if (suffix.size() > 2 || (suffix.size() == 2 && (suffix[1] | 0x20) != 'b'))
      return false;
  }
  if (value > (std::numeric_limits<size_t>::max() >> shift)) return false;
  *size = value << shift;
  return true;
}

bool ParseRatio(const std::string& text, double* ratio) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *ratio);
  return error == std::errc() && stop == end;
}

bool ParseBool(const std::string& text, bool* value) {
  if (text != "true" && text != "1" && text != "false" && text != "0") {
    return false;
  }
  *value = text == "true" || text == "1";
  return true;
}

bool ParseInt(const std::string& text, int* value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *value);
  return error == std::errc() && stop == end;
}

bool SetField(const std::string& name, const std::string& value,
              LRUCacheOptions* options) {
  if (name == "id") return true;
  if (name == "capacity") return ParseSize(value, &options->capacity);
  if (name == "num_shard_bits") {
    return ParseInt(value, &options->num_shard_bits);
  }
  if (name == "strict_capacity_limit") {
    return ParseBool(value, &options->strict_capacity_limit);
  }
  if (name == "high_pri_pool_ratio") {
    return ParseRatio(value, &options->high_pri_pool_ratio);
  }
  if (name == "low_pri_pool_ratio") {
    return ParseRatio(value, &options->low_pri_pool_ratio);
  }
  return false;
}

// Fills `options` from "name=value;..."; InvalidArgument names the bad part.
Status ParseFields(const std::string& text, LRUCacheOptions* options) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(';', at), text.size());
    const std::string field = text.substr(at, end - at);
    at = end + 1;
    if (field.empty()) continue;
    const size_t equals = std::min(field.find('='), field.size());
    const std::string value =
        equals < field.size() ? field.substr(equals + 1) : "";
    if (!SetField(field.substr(0, equals), value, options)) {
      return Status::InvalidArgument("cache option", field);
    }
  }
  return Status::OK();
}

bool IsRatio(double value) { return value >= 0.0 && value <= 1.0; }

// Null if the options contradict each other.
std::shared_ptr<Cache> Make(const LRUCacheOptions& options, const char* name) {
  if (options.num_shard_bits > kShardBitsMax ||
      !IsRatio(options.high_pri_pool_ratio) ||
      !IsRatio(options.low_pri_pool_ratio) ||
      options.high_pri_pool_ratio + options.low_pri_pool_ratio > 1.0) {
    return nullptr;
  }
  const int bits = options.num_shard_bits >= 0
                       ? options.num_shard_bits
                       : DefaultShardBits(options.capacity);
  return std::make_shared<engine::LruCache>(options, bits, name);
}

}  // namespace

std::shared_ptr<Cache> LRUCacheOptions::MakeSharedCache() const {
  return Make(*this, "LRUCache");
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
  LRUCacheOptions options;
  static_cast<ShardedCacheOptions&>(options) =
      static_cast<const ShardedCacheOptions&>(*this);
  // One pool: what is left of the queue is a clock.
  options.high_pri_pool_ratio = 0.0;
  return Make(options, "HyperClockCache");
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

Status Cache::CreateFromString(const ConfigOptions& /*config_options*/,
                               const std::string& value,
                               std::shared_ptr<Cache>* result) {
  if (value.empty() || value == "nullptr") {
    result->reset();
    return Status::OK();
  }
  std::string text = value;
  if (text.size() >= 2 && text.front() == '{' && text.back() == '}') {
    text = text.substr(1, text.size() - 2);
  }
  LRUCacheOptions options;
  if (text.find('=') == std::string::npos) {
    if (!ParseSize(text, &options.capacity)) {
      return Status::InvalidArgument("cache capacity", value);
    }
  } else {
    const Status status = ParseFields(text, &options);
    if (!status.ok()) return status;
  }
  std::shared_ptr<Cache> cache = options.MakeSharedCache();
  if (cache == nullptr) return Status::InvalidArgument("cache options", value);
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
