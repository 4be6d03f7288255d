// SecondaryCache: a second tier behind a cache, which stores bytes instead of
// objects.
//
// Place. ShardedCacheOptions::secondary_cache. NewCompressedSecondaryCache()
// (cache.h) makes the one that comes with the library; programs may supply
// their own, for instance on a device.
//
// Model. Objects that the first tier evicts are offered with Insert(), which
// saves them with their helper's callbacks. Objects that the first tier does
// not have are requested with Lookup(), which creates them from the bytes. The
// engine's keys are the same whenever a file is opened, so a tier may outlive
// the process.
//
// Threads. Every method may be called from any thread. Reads call them on their
// own threads, so they should be fast.
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
  // Returns when it is ready.
  virtual void Wait() = 0;
  // The object, which the caller owns from now on; null if it could not be
  // created.
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

  // The same with bytes that the helper's callbacks have written; `source` says
  // which tier compressed them, with `type`.
  virtual Status InsertSaved(
      const Slice& key, const Slice& saved,
      CompressionType type = CompressionType::kNoCompression,
      CacheTier source = CacheTier::kVolatileTier) = 0;

  // Null when absent. `wait`: return only when the result is ready.
  // `advise_erase`: the caller will keep the object, so the tier need not;
  // `kept_in_sec_cache` says whether it still does.
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
