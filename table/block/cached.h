// Cached<T>: a hold on an object that lives in the block cache or is owned.
//
// Place. The table reader holds blocks, index and filter partitions through it
// while it uses them.
//
// Model. Either a cache handle, released by the destructor, or plain ownership
// if there is no cache.
//
// Threads. One owner.

#pragma once

#include <type_traits>
#include <utility>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/cleanable.h"

namespace ROCKSDB_NAMESPACE::engine {

// How T objects are destroyed; specialised where `delete` is wrong.
template <typename T>
struct CachedDelete {
  static void Delete(T* object) { delete object; }
};

template <typename T>
class Cached {
 public:
  Cached() = default;
  Cached(Cached&& other) noexcept { *this = std::move(other); }
  Cached& operator=(Cached&& other) noexcept {
    std::swap(object_, other.object_);
    std::swap(cache_, other.cache_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Cached() { Reset(); }

  static Cached Own(T* object) {
    Cached held;
    held.object_ = object;
    return held;
  }
  static Cached FromCache(Cache* cache, Cache::Handle* handle) {
    Cached held;
    held.object_ = static_cast<T*>(cache->Value(handle));
    held.cache_ = cache;
    held.handle_ = handle;
    return held;
  }

  struct Admission {
    const Cache::CacheItemHelper* helper = nullptr;
    size_t charge = 0;
    Cache::Priority priority = Cache::Priority::LOW;
  };

  // Puts `object` into the cache and holds it in *held. A cache that is full
  // and strict refuses (MemoryLimit); then the object is gone.
  static Status Insert(Cache* cache, const Slice& key, T* object,
                       const Admission& admission, Cached* held) {
    Cache::Handle* handle = nullptr;
    Status status =
        cache->Insert(key, Erased(object), admission.helper, admission.charge,
                      &handle, admission.priority);
    if (!status.ok()) {
      CachedDelete<T>::Delete(object);
      return status;
    }
    *held = FromCache(cache, handle);
    return Status::OK();
  }

  // A second hold on a cached object; empty where there is only one owner.
  Cached Share() const {
    if (handle_ == nullptr || !cache_->Ref(handle_)) return Cached();
    return FromCache(cache_, handle_);
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  // Whose memory it is: the cache's, or the holder's.
  bool in_cache() const { return handle_ != nullptr; }

  void Reset() {
    if (handle_ != nullptr) {
      cache_->Release(handle_);
    } else if (object_ != nullptr) {
      CachedDelete<T>::Delete(object_);
    }
    object_ = nullptr;
    handle_ = nullptr;
  }

  // Hands the hold over to `cleanable`: it ends with that one's cleanups.
  void MoveTo(Cleanable* cleanable) {
    if (handle_ != nullptr) {
      cleanable->RegisterCleanup(&ReleaseHandle, cache_, handle_);
    } else if (object_ != nullptr) {
      cleanable->RegisterCleanup(&DeleteObject, Erased(object_), nullptr);
    }
    object_ = nullptr;
    handle_ = nullptr;
  }

 private:
  // The cache knows objects as void*, whatever T promises not to change.
  static void* Erased(T* object) {
    return const_cast<std::remove_const_t<T>*>(object);
  }
  static void ReleaseHandle(void* cache, void* handle) {
    static_cast<Cache*>(cache)->Release(static_cast<Cache::Handle*>(handle));
  }
  static void DeleteObject(void* object, void*) {
    CachedDelete<T>::Delete(static_cast<T*>(object));
  }

  T* object_ = nullptr;
  Cache* cache_ = nullptr;
  Cache::Handle* handle_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE::engine
