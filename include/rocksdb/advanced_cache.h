// The Cache class.
//
// Place. Programs use the figures and SetCapacity(); the engine uses the data
// path. Implementations are in util/cache.
//
// Model. An entry is a key, an object behind a void pointer, a charge in
// bytes, and a helper saying how to delete the object. Lookup() and Insert()
// return handles that hold a reference: while one is held the object lives,
// also after Erase() or eviction. A handle is given back with Release().
//
// Threads. Every method may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/customizable.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Cache : public Customizable {
 public:
  // Where an entry starts; a hit moves it up.
  enum class Priority { HIGH, LOW, BOTTOM };

  using ObjectPtr = void*;
  using DeleterFn = void (*)(ObjectPtr object, MemoryAllocator* allocator);

  // One static object per kind of entry; must outlive the cache.
  struct CacheItemHelper {
    constexpr explicit CacheItemHelper(CacheEntryRole r,
                                       DeleterFn deleter = nullptr)
        : del_cb(deleter), role(r) {}
    DeleterFn del_cb;  // null: nothing to delete
    CacheEntryRole role;
  };

  // Opaque; implementations derive from it.
  struct Handle {};

  explicit Cache(std::shared_ptr<MemoryAllocator> allocator = nullptr)
      : memory_allocator_(std::move(allocator)) {}
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;
  // REQUIRES: no handle is held.
  ~Cache() override = default;

  static const char* Type() { return "Cache"; }
  // "8MB"-style capacity, or "capacity=...;num_shard_bits=...".
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value,
                                 std::shared_ptr<Cache>* result);

  // "LRUCache" or "HyperClockCache".
  const char* Name() const override = 0;

  // -- Data path (the engine).

  // Stores the object under `key`, replacing another one. With `handle` the
  // caller holds a reference afterwards. Without room under a strict limit:
  // MemoryLimit and the object stays the caller's if a handle was asked for;
  // without `handle` the object is deleted and OK returned.
  virtual Status Insert(const Slice& key, ObjectPtr object,
                        const CacheItemHelper* helper, size_t charge,
                        Handle** handle = nullptr,
                        Priority priority = Priority::LOW) = 0;

  // Null when absent.
  virtual Handle* Lookup(const Slice& key, Statistics* stats = nullptr) = 0;

  // One more reference on a held handle.
  virtual bool Ref(Handle* handle) = 0;

  // Gives a reference back; with `erase_if_last_ref` an entry nobody else
  // uses leaves the cache. True if the object was deleted.
  virtual bool Release(Handle* handle, bool erase_if_last_ref = false) = 0;

  virtual ObjectPtr Value(Handle* handle) = 0;

  // Takes the entry out; its object lives until the last Release().
  virtual void Erase(const Slice& key) = 0;

  // A number no other user of this cache gets: key prefixes are made of it.
  virtual uint64_t NewId() = 0;

  virtual const CacheItemHelper* GetCacheItemHelper(Handle* handle) const = 0;

  // -- Figures and limits (everybody).

  // A smaller capacity evicts at once what is not in use.
  virtual void SetCapacity(size_t capacity) = 0;
  virtual void SetStrictCapacityLimit(bool strict_capacity_limit) = 0;
  virtual bool HasStrictCapacityLimit() const = 0;
  virtual size_t GetCapacity() const = 0;
  // Bytes charged by all entries in the cache or in use.
  virtual size_t GetUsage() const = 0;
  // Bytes charged by one entry, with its metadata.
  virtual size_t GetUsage(Handle* handle) const = 0;
  // Bytes charged by entries in use.
  virtual size_t GetPinnedUsage() const = 0;
  // The charge given to Insert().
  virtual size_t GetCharge(Handle* handle) const = 0;
  // Number of entries, and of slots they could take.
  virtual size_t GetOccupancyCount() const { return SIZE_MAX; }
  virtual size_t GetTableAddressCount() const { return 0; }

  // Deletes every entry not in use.
  virtual void EraseUnRefEntries() = 0;

  // At the end of a process: leave the memory alone, save the time.
  virtual void DisownData() {}

  struct ApplyToAllEntriesOptions {
    size_t average_entries_per_lock = 256;
  };
  using EntryCallback =
      std::function<void(const Slice& key, ObjectPtr object, size_t charge,
                         const CacheItemHelper* helper)>;
  // Shows every entry; those added or removed meanwhile may be missed.
  virtual void ApplyToAllEntries(const EntryCallback& callback,
                                 const ApplyToAllEntriesOptions& options) = 0;

  // Writes problems and figures to `info_log`.
  virtual void ReportProblems(
      const std::shared_ptr<Logger>& /*info_log*/) const {}

  MemoryAllocator* memory_allocator() const { return memory_allocator_.get(); }

 private:
  std::shared_ptr<MemoryAllocator> memory_allocator_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
