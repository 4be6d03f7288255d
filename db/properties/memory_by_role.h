// MemoryByRole: where the memory of a database is.
//
// Place. The property "rocksdb.memory-by-role"; collected in
// db/db_impl/memory_reader.cc.
//
// Model. Every byte is named once. Caches that several databases or families
// share are those of all their users. What is charged to the block cache and
// lies elsewhere (memtables, readers, filters being built) is not the cache's:
//
//   total = block-cache - block-cache.charged + memtables + table-readers
//           + the other caches + wal-buffers + building buffers
//
// Threads. A value.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

struct MemoryByRole {
  // Bytes; the keys are those of the property but for "total".
  std::map<std::string, uint64_t> parts;

  uint64_t Total() const;
  // One "name: bytes" a line, the total last.
  std::string ToText() const;
  std::map<std::string, std::string> ToMap() const;
};

}  // namespace ROCKSDB_NAMESPACE::engine
