// Cleanable: an object that runs registered functions when it is destroyed.
//
// Place. Base of Iterator and PinnableSlice: what they point into (a cache
// block, a pinned memtable) is released by such a function.
//
// Model. A singly linked list whose first node is embedded, so the usual
// case of one function allocates nothing.
//
// Threads. One at a time.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Cleanable {
 public:
  using CleanupFunction = void (*)(void* arg1, void* arg2);

  Cleanable() = default;
  // A copy would run the same functions twice.
  Cleanable(Cleanable&) = delete;
  Cleanable& operator=(Cleanable&) = delete;
  Cleanable(Cleanable&& other) noexcept : cleanup_(other.cleanup_) {
    other.cleanup_ = Cleanup();
  }
  Cleanable& operator=(Cleanable&& other) noexcept {
    if (this != &other) {
      Reset();
      cleanup_ = other.cleanup_;
      other.cleanup_ = Cleanup();
    }
    return *this;
  }
  ~Cleanable() { DoCleanup(); }

  // Calls function(arg1, arg2) at destruction or Reset(). No order is
  // promised among several.
  void RegisterCleanup(CleanupFunction function, void* arg1, void* arg2) {
    if (cleanup_.function == nullptr) {
      cleanup_.function = function;
      cleanup_.arg1 = arg1;
      cleanup_.arg2 = arg2;
      return;
    }
    auto* node = new Cleanup;
    node->function = function;
    node->arg1 = arg1;
    node->arg2 = arg2;
    RegisterCleanup(node);
  }

  // Moves every function of this object to `other`; this one keeps none.
  void DelegateCleanupsTo(Cleanable* other) {
    if (cleanup_.function == nullptr) return;
    other->RegisterCleanup(cleanup_.function, cleanup_.arg1, cleanup_.arg2);
    for (Cleanup* node = cleanup_.next; node != nullptr;) {
      Cleanup* const next = node->next;
      other->RegisterCleanup(node);
      node = next;
    }
    cleanup_ = Cleanup();
  }

  // Runs the functions now and forgets them.
  void Reset() {
    DoCleanup();
    cleanup_ = Cleanup();
  }

  bool HasCleanups() { return cleanup_.function != nullptr; }

 protected:
  struct Cleanup {
    CleanupFunction function = nullptr;
    void* arg1 = nullptr;
    void* arg2 = nullptr;
    Cleanup* next = nullptr;
  };
  Cleanup cleanup_;

  // Takes ownership of a node made with new.
  void RegisterCleanup(Cleanup* node) {
    if (cleanup_.function == nullptr) {
      cleanup_ = *node;
      cleanup_.next = nullptr;
      delete node;
      return;
    }
    node->next = cleanup_.next;
    cleanup_.next = node;
  }

 private:
  void DoCleanup() {
    if (cleanup_.function == nullptr) return;
    (*cleanup_.function)(cleanup_.arg1, cleanup_.arg2);
    for (Cleanup* node = cleanup_.next; node != nullptr;) {
      (*node->function)(node->arg1, node->arg2);
      Cleanup* const next = node->next;
      delete node;
      node = next;
    }
  }
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
