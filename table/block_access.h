// BlockAccess: one access to the block cache, for a trace; and who takes it.
//
// Place. The files of the table reader make accesses; db/trace implements the
// tracer.
//
// Model. Without a trace an access costs one relaxed load: active().
//
// Threads. Any.

#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/env.h"
#include "rocksdb/slice.h"
#include "rocksdb/trace_record.h"

namespace ROCKSDB_NAMESPACE::engine {

// The Get that looks for a block.
struct TracedLookup {
  uint64_t id = 0;  // Of all its accesses, in every table; 0: not of a Get.
  bool has_snapshot = false;
  Slice user_key;
};

struct BlockAccess {
  Slice key;  // Of the cache.
  TraceType type = kTraceNone;
  uint64_t bytes = 0;  // In memory; 0: neither found nor read.
  bool hit = false;
  bool stays_out = false;  // What is read does not go into the cache.
  uint64_t family_id = 0;
  Slice family_name;
  int level = 0;
  uint64_t file_number = 0;
  Env::IOActivity activity = Env::IOActivity::kUnknown;
  TracedLookup lookup;
};

class BlockAccessTracer {
 public:
  BlockAccessTracer() = default;
  virtual ~BlockAccessTracer() = default;
  BlockAccessTracer(const BlockAccessTracer&) = delete;
  BlockAccessTracer& operator=(const BlockAccessTracer&) = delete;

  bool active() const { return active_.load(std::memory_order_relaxed); }
  // Never fails the reader.
  virtual void Add(const BlockAccess& access) = 0;
  // For TracedLookup::id.
  uint64_t NewLookup() {
    return lookups_.fetch_add(1, std::memory_order_relaxed) + 1;
  }

 protected:
  void set_active(bool active) {
    active_.store(active, std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> active_{false};
  std::atomic<uint64_t> lookups_{0};
};

}  // namespace ROCKSDB_NAMESPACE::engine
