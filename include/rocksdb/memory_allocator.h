// MemoryAllocator: supplies the memory for a cache's blocks.
//
// Threads. Every method may be called from any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct ConfigOptions;

class MemoryAllocator : public Customizable {
 public:
  static const char* Type() { return "MemoryAllocator"; }

  const char* Name() const override = 0;

  // The result is aligned as by malloc. Null: out of memory.
  virtual void* Allocate(size_t size) = 0;
  virtual void Deallocate(void* p) = 0;
  // Bytes actually usable at `p`, at least the requested size.
  virtual size_t UsableSize(void* /*p*/, size_t allocation_size) const {
    return allocation_size;
  }
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
