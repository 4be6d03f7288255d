// CompressedSecondaryCache: evicted blocks, compressed, in memory.
//
// Place. Made by NewCompressedSecondaryCache; the second tier of a cache.
//
// Model. An LRU cache of its own whose entries are the saved bytes of blocks.
// When a block is offered for the first time only its key is stored; the block
// is stored if its key is still there. So a scan, which offers each block once,
// stores keys only and compresses nothing. When a block goes back to the first
// tier its key stays, too, so the block is stored when it is offered again.
//
//   offered --> key --offered again--> bytes --looked up--> key
//
// Threads. Thread-safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/secondary_cache.h"

namespace ROCKSDB_NAMESPACE::engine {

class CompressedSecondaryCache final : public SecondaryCache {
 public:
  static const char* kClassName() { return "CompressedSecondaryCache"; }

  // `cache`: made of `options`.
  CompressedSecondaryCache(const CompressedSecondaryCacheOptions& options,
                           std::shared_ptr<Cache> cache);

  const char* Name() const override { return kClassName(); }
  std::string GetPrintableOptions() const override;

  Status Insert(const Slice& key, Cache::ObjectPtr obj,
                const Cache::CacheItemHelper* helper,
                bool force_insert) override;
  Status InsertSaved(const Slice& key, const Slice& saved, CompressionType type,
                     CacheTier source) override;
  std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice& key, const Cache::CacheItemHelper* helper,
      Cache::CreateContext* create_context, bool wait, bool advise_erase,
      Statistics* stats, bool& kept_in_sec_cache) override;
  bool SupportForceErase() const override { return true; }
  void Erase(const Slice& key) override { cache_->Erase(key); }
  // Results are ready when they are returned.
  void WaitAll(std::vector<SecondaryCacheResultHandle*> /*handles*/) override {}

  Status SetCapacity(size_t capacity) override;
  Status GetCapacity(size_t& capacity) override;
  Status GetUsage(size_t& usage) const override;

 private:
  // True when there is nothing to be kept this time.
  bool LeftOnlyKey(const Slice& key, bool force);
  void LeaveKey(const Slice& key);
  Status Keep(const Slice& key, const Slice& bytes, CompressionType type);

  const CompressedSecondaryCacheOptions options_;
  const std::shared_ptr<Cache> cache_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
