// AsyncGroup: reads that are started together.
//
// Place. Between code that starts many reads at once (table/batch_reads) and
// the POSIX files, which can then submit all of them to the kernel in one call.
// Other file systems may ignore it.
//
// Model. While an object lives, a ReadAsync of the same thread may hold its
// read back until a handle is polled, aborted or deleted:
//
//   AsyncGroup --ReadAsync, ReadAsync, ...--> prepared --Poll--> under way,
//   done
//
// Without a group every read is under way when ReadAsync returns.
//
// Threads. An object belongs to one thread; objects may nest.

#pragma once

#include <cassert>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

class AsyncGroup {
 public:
  AsyncGroup() { ++open; }
  ~AsyncGroup() {
    assert(open > 0);
    --open;
  }
  AsyncGroup(const AsyncGroup&) = delete;
  AsyncGroup& operator=(const AsyncGroup&) = delete;

  // Whether the calling thread is in a group.
  static bool InOne() { return open > 0; }

 private:
  static inline thread_local int open = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
