// AllocationWatch: how much memory damaged input made a reader ask for.
//
// Place. Tests of this folder and of test/stress/hostile. The functions are in
// allocations.cc, which replaces operator new for the whole program.
// Model. Between its construction and LargestBytes() every request of every
// thread counts. Only the largest single one is kept: an absurd size in a file
// shows as one absurd request.
// Threads. One watch at a time; requests may come from any thread.

#pragma once

#include <cstddef>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::test {

class AllocationWatch {
 public:
  AllocationWatch();
  AllocationWatch(const AllocationWatch&) = delete;
  AllocationWatch& operator=(const AllocationWatch&) = delete;

  // Of the requests since the construction.
  size_t LargestBytes() const;
};

}  // namespace ROCKSDB_NAMESPACE::test
