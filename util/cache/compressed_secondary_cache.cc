#include "util/cache/compressed_secondary_cache.h"

#include <malloc.h>

#include <cstdlib>
#include <cstring>

#include "rocksdb/statistics.h"
#include "util/compression/compression.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// An entry's bytes lie behind it.
struct Saved {
  size_t size;
  CompressionType type;

  char* data() { return reinterpret_cast<char*>(this + 1); }
  Slice bytes() { return {data(), size}; }
};

void FreeSaved(Cache::ObjectPtr object, MemoryAllocator*) { std::free(object); }
constexpr Cache::CacheItemHelper kSavedHelper(CacheEntryRole::kMisc,
                                              &FreeSaved);
// What a key alone is charged: without metadata charged their number would not
// be limited.
constexpr size_t kKeyCharge = 64;

class Ready final : public SecondaryCacheResultHandle {
 public:
  Ready(Cache::ObjectPtr value, size_t charge)
      : value_(value), charge_(charge) {}
  bool IsReady() override { return true; }
  void Wait() override {}
  Cache::ObjectPtr Value() override { return value_; }
  size_t Size() override { return charge_; }

 private:
  const Cache::ObjectPtr value_;
  const size_t charge_;
};

}  // namespace

CompressedSecondaryCache::CompressedSecondaryCache(
    const CompressedSecondaryCacheOptions& options,
    std::shared_ptr<Cache> cache)
    : options_(options), cache_(std::move(cache)) {}

std::string CompressedSecondaryCache::GetPrintableOptions() const {
  return cache_->GetPrintableOptions() + "    compression_type : " +
         CompressionTypeName(options_.compression_type) + "\n";
}

void CompressedSecondaryCache::LeaveKey(const Slice& key) {
  PerfAdd<&PerfContext::compressed_sec_cache_insert_dummy_count>();
  (void)cache_->Insert(key, nullptr, &kSavedHelper, kKeyCharge);
}

bool CompressedSecondaryCache::LeftOnlyKey(const Slice& key, bool force) {
  if (force) return false;
  Cache::Handle* const handle = cache_->Lookup(key);
  if (handle == nullptr) {
    LeaveKey(key);
    return true;
  }
  const bool kept = cache_->Value(handle) != nullptr;
  cache_->Release(handle);
  return kept;
}

Status CompressedSecondaryCache::Keep(const Slice& key, const Slice& bytes,
                                      CompressionType type) {
  auto* const saved =
      static_cast<Saved*>(std::malloc(sizeof(Saved) + bytes.size()));
  if (saved == nullptr) return Status::MemoryLimit("secondary cache entry");
  saved->size = bytes.size();
  saved->type = type;
  if (!bytes.empty()) std::memcpy(saved->data(), bytes.data(), bytes.size());
  PerfAdd<&PerfContext::compressed_sec_cache_insert_real_count>();
  return cache_->Insert(key, saved, &kSavedHelper, malloc_usable_size(saved));
}

Status CompressedSecondaryCache::Insert(const Slice& key, Cache::ObjectPtr obj,
                                        const Cache::CacheItemHelper* helper,
                                        bool force_insert) {
  if (!helper->IsSecondaryCacheCompatible()) {
    return Status::InvalidArgument("an entry that only memory can hold");
  }
  if (LeftOnlyKey(key, force_insert)) return Status::OK();
  std::string raw(helper->size_cb(obj), '\0');
  RETURN_IF_ERROR(helper->saveto_cb(obj, 0, raw.size(), raw.data()));
  CompressionType type = options_.compression_type;
  if (options_.do_not_compress_roles.Contains(helper->role)) {
    type = kNoCompression;
  }
  if (type == kNoCompression) return Keep(key, raw, type);
  CompressRequest request;
  request.type = type;
  request.options = &options_.compression_opts;
  std::string compressed;
  RETURN_IF_ERROR(Compress(request, raw, &compressed));
  if (compressed.size() >= raw.size()) return Keep(key, raw, kNoCompression);
  PerfAdd<&PerfContext::compressed_sec_cache_uncompressed_bytes>(raw.size());
  PerfAdd<&PerfContext::compressed_sec_cache_compressed_bytes>(
      compressed.size());
  return Keep(key, compressed, type);
}

Status CompressedSecondaryCache::InsertSaved(const Slice& key,
                                             const Slice& saved,
                                             CompressionType type,
                                             CacheTier /*source*/) {
  if (LeftOnlyKey(key, /*force=*/false)) return Status::OK();
  return Keep(key, saved, type);
}

// NOLINTNEXTLINE(readability-function-size): the interface's parameters.
std::unique_ptr<SecondaryCacheResultHandle> CompressedSecondaryCache::Lookup(
    const Slice& key, const Cache::CacheItemHelper* helper,
    Cache::CreateContext* create_context, bool /*wait*/, bool advise_erase,
    Statistics* stats, bool& kept_in_sec_cache) {
  kept_in_sec_cache = false;
  Cache::Handle* const handle = cache_->Lookup(key);
  if (handle == nullptr) return nullptr;
  auto* const saved = static_cast<Saved*>(cache_->Value(handle));
  if (saved == nullptr) {
    RecordTick(stats, COMPRESSED_SECONDARY_CACHE_DUMMY_HITS);
    cache_->Release(handle);
    return nullptr;
  }
  Slice bytes = saved->bytes();
  UncompressedBlock inflated;
  Status status;
  if (saved->type != kNoCompression) {
    UncompressRequest request;
    request.type = saved->type;
    Result<UncompressedBlock> found = Uncompress(request, bytes);
    status = found.status();
    if (found.ok()) inflated = std::move(*found);
    bytes = Slice(inflated.data.get(), inflated.size);
  }
  Cache::ObjectPtr object = nullptr;
  size_t charge = 0;
  if (status.ok()) {
    status = helper->create_cb(bytes, kNoCompression, CacheTier::kVolatileTier,
                               create_context, cache_->memory_allocator(),
                               &object, &charge);
  }
  cache_->Release(handle);
  if (!status.ok() || advise_erase) LeaveKey(key);
  if (!status.ok()) return nullptr;
  kept_in_sec_cache = !advise_erase;
  RecordTick(stats, COMPRESSED_SECONDARY_CACHE_HITS);
  RecordTick(stats, COMPRESSED_SECONDARY_CACHE_PROMOTIONS);
  return std::make_unique<Ready>(object, charge);
}

Status CompressedSecondaryCache::SetCapacity(size_t capacity) {
  cache_->SetCapacity(capacity);
  return Status::OK();
}

Status CompressedSecondaryCache::GetCapacity(size_t& capacity) {
  capacity = cache_->GetCapacity();
  return Status::OK();
}

Status CompressedSecondaryCache::GetUsage(size_t& usage) const {
  usage = cache_->GetUsage();
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
