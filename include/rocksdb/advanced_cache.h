// The Cache class.
//
// Place. Programs use the statistics and SetCapacity(); the engine uses the
// data path. Implementations are in util/cache.
//
// Model. An entry is a key, an object behind a void pointer, a charge in
// bytes, and a helper that can delete the object, save it as bytes and create
// it again. Lookup() and Insert() return handles that hold a reference: the
// object lives while one is held, even after Erase() or eviction. Release()
// returns a handle.
//
// Evicted objects are offered to a second tier (secondary_cache.h) if the
// helper can save them. Objects that are not found are looked up there if
// Lookup() is given the helper.
//
// Threads. Every method may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rocksdb/cache.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/customizable.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

enum class CacheTier : uint8_t;  // advanced_options.h

class Cache : public Customizable {
 public:
  // Where an entry starts; a hit moves it up.
  enum class Priority { HIGH, LOW, BOTTOM };

  using ObjectPtr = void*;
  using DeleterFn = void (*)(ObjectPtr object, MemoryAllocator* allocator);

  // What is needed, in addition to the bytes, to create an object again. Each
  // kind of entry derives its own class.
  struct CreateContext {};

  // The bytes SaveToCallback will write for the object.
  using SizeCallback = size_t (*)(ObjectPtr obj);
  // Writes bytes [from_offset, from_offset + length) of the object's saved form
  // to `out_buf`.
  using SaveToCallback = Status (*)(ObjectPtr from_obj, size_t from_offset,
                                    size_t length, char* out_buf);
  // Creates an object from its saved form and returns its charge. `data` may be
  // damaged, because a tier may have kept it anywhere. `type`: how `source`
  // compressed it.
  using CreateCallback = Status (*)(const Slice& data, CompressionType type,
                                    CacheTier source, CreateContext* context,
                                    MemoryAllocator* allocator,
                                    ObjectPtr* out_obj, size_t* out_charge);

  // One static object per kind of entry; must outlive the cache.
  struct CacheItemHelper {
    constexpr CacheItemHelper() : CacheItemHelper(CacheEntryRole::kMisc) {}

    // For entries that exist only in memory.
    constexpr explicit CacheItemHelper(CacheEntryRole _role,
                                       DeleterFn _del_cb = nullptr)
        : CacheItemHelper(_role, _del_cb, nullptr, nullptr, nullptr, this) {}

    // For entries that second tiers may keep. `no_secondary`: the helper of the
    // same objects without the callbacks for that.
    constexpr explicit CacheItemHelper(CacheEntryRole _role, DeleterFn _del_cb,
                                       SizeCallback _size_cb,
                                       SaveToCallback _saveto_cb,
                                       CreateCallback _create_cb,
                                       const CacheItemHelper* no_secondary)
        : del_cb(_del_cb),
          size_cb(_size_cb),
          saveto_cb(_saveto_cb),
          create_cb(_create_cb),
          role(_role),
          without_secondary_compat(no_secondary) {}

    bool IsSecondaryCacheCompatible() const { return size_cb != nullptr; }

    DeleterFn del_cb;  // null: nothing to delete
    SizeCallback size_cb;
    SaveToCallback saveto_cb;
    CreateCallback create_cb;
    CacheEntryRole role;
    const CacheItemHelper* without_secondary_compat;
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
  // "8MB"-style capacity of an LRU cache, or "id=...;name=value;..." with the
  // fields of LRUCacheOptions or, for the id HyperClockCache, of
  // HyperClockCacheOptions, without allocator and secondary cache.
  // InvalidArgument for other ids, fields and values.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value,
                                 std::shared_ptr<Cache>* result);

  // "LRUCache" or "HyperClockCache".
  const char* Name() const override = 0;

  // -- Data path (the engine).

  // Stores the object under `key` and replaces an existing one. With `handle`
  // the caller holds a reference afterwards. If there is no room under a strict
  // limit: with `handle` the result is MemoryLimit and the caller keeps the
  // object; without it the object is deleted and the result is OK.
  virtual Status Insert(const Slice& key, ObjectPtr object,
                        const CacheItemHelper* helper, size_t charge,
                        Handle** handle = nullptr,
                        Priority priority = Priority::LOW) = 0;

  // Null when absent. With `helper` a second tier is searched, too: an object
  // found there is created with `create_context` and inserted with `priority`.
  virtual Handle* Lookup(const Slice& key,
                         const CacheItemHelper* helper = nullptr,
                         CreateContext* create_context = nullptr,
                         Priority priority = Priority::LOW,
                         Statistics* stats = nullptr) = 0;

  // In this tier alone.
  Handle* BasicLookup(const Slice& key, Statistics* stats) {
    return Lookup(key, nullptr, nullptr, Priority::LOW, stats);
  }

  // One more reference on a held handle.
  virtual bool Ref(Handle* handle) = 0;

  // Drops a reference; with `erase_if_last_ref` the entry is erased if that was
  // the last one. True if the object was deleted.
  virtual bool Release(Handle* handle, bool erase_if_last_ref = false) = 0;
  // `useful`: whether the object was what its user hoped for; a hint.
  virtual bool Release(Handle* handle, bool /*useful*/,
                       bool erase_if_last_ref) {
    return Release(handle, erase_if_last_ref);
  }

  virtual ObjectPtr Value(Handle* handle) = 0;

  // Removes the entry; its object lives until the last Release().
  virtual void Erase(const Slice& key) = 0;

  // A number that no other user of this cache gets; key prefixes are made of
  // it.
  virtual uint64_t NewId() = 0;

  virtual const CacheItemHelper* GetCacheItemHelper(Handle* handle) const = 0;

  // -- Statistics and limits (all users).

  // A smaller capacity immediately evicts entries that are not in use.
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
  // Capacity of the second tier in bytes. NotSupported without one.
  virtual Status GetSecondaryCacheCapacity(size_t& /*capacity*/) const {
    return Status::NotSupported("no secondary cache");
  }
  // Number of entries, and of slots they could take.
  virtual size_t GetOccupancyCount() const { return SIZE_MAX; }
  virtual size_t GetTableAddressCount() const { return 0; }

  // Deletes every entry not in use.
  virtual void EraseUnRefEntries() = 0;

  // For the end of a process: the destructor frees no memory, to save time.
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

  // Shows the entry of a held handle. The caches of this library ignore
  // `cache`.
  virtual void ApplyToHandle(
      Cache* /*cache*/, Handle* handle,
      const std::function<void(const Slice& key, ObjectPtr object,
                               size_t charge, const CacheItemHelper* helper)>&
          callback) = 0;

  // Called for every entry that is evicted for lack of room, not for entries
  // erased or replaced. `handle` serves Value(), GetCharge() and the helper;
  // `was_hit`: the entry has been looked up since it was inserted or, in an LRU
  // cache, since it last escaped eviction. Return true to take ownership of the
  // object. Runs without locks, on the thread that needed the room. Set it
  // once, before the cache is used.
  using EvictionCallback =
      std::function<bool(const Slice& key, Handle* handle, bool was_hit)>;
  virtual void SetEvictionCallback(EvictionCallback&& callback) = 0;

  // Writes problems and statistics to `info_log`.
  virtual void ReportProblems(
      const std::shared_ptr<Logger>& /*info_log*/) const {}

  MemoryAllocator* memory_allocator() const { return memory_allocator_.get(); }

 private:
  std::shared_ptr<MemoryAllocator> memory_allocator_;
};

// Forwards every call to another cache; override what should differ.
class CacheWrapper : public Cache {
 public:
  explicit CacheWrapper(std::shared_ptr<Cache> target)
      : target_(std::move(target)) {}

  const std::shared_ptr<Cache>& GetTarget() { return target_; }

  Status Insert(const Slice& key, ObjectPtr object,
                const CacheItemHelper* helper, size_t charge,
                Handle** handle = nullptr,
                Priority priority = Priority::LOW) override {
    return target_->Insert(key, object, helper, charge, handle, priority);
  }
  Handle* Lookup(const Slice& key, const CacheItemHelper* helper = nullptr,
                 CreateContext* create_context = nullptr,
                 Priority priority = Priority::LOW,
                 Statistics* stats = nullptr) override {
    return target_->Lookup(key, helper, create_context, priority, stats);
  }
  bool Ref(Handle* handle) override { return target_->Ref(handle); }
  using Cache::Release;
  bool Release(Handle* handle, bool erase_if_last_ref = false) override {
    return target_->Release(handle, erase_if_last_ref);
  }
  ObjectPtr Value(Handle* handle) override { return target_->Value(handle); }
  void Erase(const Slice& key) override { target_->Erase(key); }
  uint64_t NewId() override { return target_->NewId(); }
  const CacheItemHelper* GetCacheItemHelper(Handle* handle) const override {
    return target_->GetCacheItemHelper(handle);
  }

  void SetCapacity(size_t capacity) override { target_->SetCapacity(capacity); }
  void SetStrictCapacityLimit(bool strict_capacity_limit) override {
    target_->SetStrictCapacityLimit(strict_capacity_limit);
  }
  bool HasStrictCapacityLimit() const override {
    return target_->HasStrictCapacityLimit();
  }
  size_t GetCapacity() const override { return target_->GetCapacity(); }
  size_t GetUsage() const override { return target_->GetUsage(); }
  size_t GetUsage(Handle* handle) const override {
    return target_->GetUsage(handle);
  }
  size_t GetPinnedUsage() const override { return target_->GetPinnedUsage(); }
  size_t GetCharge(Handle* handle) const override {
    return target_->GetCharge(handle);
  }
  Status GetSecondaryCacheCapacity(size_t& capacity) const override {
    return target_->GetSecondaryCacheCapacity(capacity);
  }
  size_t GetOccupancyCount() const override {
    return target_->GetOccupancyCount();
  }
  size_t GetTableAddressCount() const override {
    return target_->GetTableAddressCount();
  }

  void EraseUnRefEntries() override { target_->EraseUnRefEntries(); }
  void DisownData() override { target_->DisownData(); }
  void ApplyToAllEntries(const EntryCallback& callback,
                         const ApplyToAllEntriesOptions& options) override {
    target_->ApplyToAllEntries(callback, options);
  }
  void ApplyToHandle(
      Cache* /*cache*/, Handle* handle,
      const std::function<void(const Slice& key, ObjectPtr object,
                               size_t charge, const CacheItemHelper* helper)>&
          callback) override {
    target_->ApplyToHandle(target_.get(), handle, callback);
  }
  void SetEvictionCallback(EvictionCallback&& callback) override {
    target_->SetEvictionCallback(std::move(callback));
  }
  std::string GetPrintableOptions() const override {
    return target_->GetPrintableOptions();
  }
  void ReportProblems(const std::shared_ptr<Logger>& info_log) const override {
    target_->ReportProblems(info_log);
  }

 protected:
  const std::shared_ptr<Cache> target_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
