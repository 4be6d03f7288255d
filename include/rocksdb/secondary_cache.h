// SecondaryCache: a second tier behind a cache, of bytes instead of objects.
//
// Place. ShardedCacheOptions::secondary_cache. NewCompressedSecondaryCache()
// (cache.h) makes the one that comes with the library; programs may bring
// their own, on a device for instance.
//
// Model. What the first tier evicts is offered with Insert(), which writes the
// object down by its helper's callbacks. What the first tier does not have is
// asked for with Lookup(), which makes an object from the bytes. The engine's
// keys are the same whenever a file is opened, so a tier may outlive the
// process.
//
// Threads. Every method may be called from any thread, and is called on the
// threads of reads: it should not take long.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/advanced_options.h"
#include "rocksdb/customizable.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// A lookup that may still be under way.
class SecondaryCacheResultHandle {
 public:
  virtual ~SecondaryCacheResultHandle() = default;

  // Whether Value() and Size() may be called.
  virtual bool IsReady() = 0;
  // Returns when it is.
  virtual void Wait() = 0;
  // The object, the caller's from now on; null if it could not be made.
  virtual Cache::ObjectPtr Value() = 0;
  // The charge of the object.
  virtual size_t Size() = 0;
};

class SecondaryCache : public Customizable {
 public:
  ~SecondaryCache() override = default;

  static const char* Type() { return "SecondaryCache"; }
  // "compressed_secondary_cache://capacity=64M;compression_type=kZSTD;...";
  // "" and "nullptr" give none. InvalidArgument names what is not understood.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::shared_ptr<SecondaryCache>* result);

  // May keep the object's bytes; the object stays the caller's. Without
  // `force_insert` the tier decides whether it is worth it.
  virtual Status Insert(const Slice& key, Cache::ObjectPtr obj,
                        const Cache::CacheItemHelper* helper,
                        bool force_insert) = 0;

  // The same of bytes as the helper's callbacks would have written them,
  // compressed by `type`; `source` says by which tier.
  virtual Status InsertSaved(
      const Slice& key, const Slice& saved,
      CompressionType type = CompressionType::kNoCompression,
      CacheTier source = CacheTier::kVolatileTier) = 0;

  // Null when absent. `wait`: the result is to be ready. `advise_erase`: the
  // caller will keep the object, so the tier need not; `kept_in_sec_cache` says
  // whether it does.
  virtual std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice& key, const Cache::CacheItemHelper* helper,
      Cache::CreateContext* create_context, bool wait, bool advise_erase,
      Statistics* stats, bool& kept_in_sec_cache) = 0;

  // Whether Lookup() follows `advise_erase`.
  [[nodiscard]] virtual bool SupportForceErase() const = 0;

  virtual void Erase(const Slice& key) = 0;

  // Waits for all of these.
  virtual void WaitAll(std::vector<SecondaryCacheResultHandle*> handles) = 0;

  // Bytes.
  virtual Status SetCapacity(size_t /*capacity*/) {
    return Status::NotSupported();
  }
  virtual Status GetCapacity(size_t& /*capacity*/) {
    return Status::NotSupported();
  }
  virtual Status GetUsage(size_t& /*usage*/) const {
    return Status::NotSupported();
  }
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
