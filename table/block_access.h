// BlockAccess: one access to the block cache, for a trace.
//
// Place. The files of the table reader make accesses; db/trace implements the
// tracer that gets them.
//
// Model. Without a trace an access costs one relaxed load: active(). The access
// of a Get to a data block waits in its TracedLookup until the block has been
// searched, because the trace says what was found. Without memory for that the
// trace loses it; the Get does not notice.
//
// Threads. Any.

#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/slice.h"
#include "rocksdb/trace_record.h"
#include "util/no_memory.h"

namespace ROCKSDB_NAMESPACE::engine {

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
  // Of a Get.
  uint64_t lookup_id = 0;  // The same in every table; 0: not of a Get.
  bool has_snapshot = false;
  Slice lookup_key;  // Internal; in a data block that of the entry, if found.
  // Of its data blocks: the newest entry of the key, and how many entries there
  // are at most.
  bool key_found = false;
  uint64_t entry_bytes = 0;
  uint64_t entries_max = 0;  // 0: not known.
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
  // For BlockAccess::lookup_id.
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

// A Get in one table, while there is a trace.
class TracedLookup {
 public:
  // `key`: internal; it must outlive the object.
  TracedLookup(BlockAccessTracer* tracer, uint64_t id, bool has_snapshot,
               const Slice& key)
      : tracer_(tracer), id_(id), has_snapshot_(has_snapshot), key_(key) {}
  // A block that could not be read has not been searched.
  ~TracedLookup() { EndData(); }
  TracedLookup(const TracedLookup&) = delete;
  TracedLookup& operator=(const TracedLookup&) = delete;

  void Describe(BlockAccess* access) const {
    access->lookup_id = id_;
    access->has_snapshot = has_snapshot_;
    access->lookup_key = key_;
  }
  // The access to a data block, until EndData().
  void BeginData(const BlockAccess& access) {
    EndData();
    if (!Copy(access.key, &block_key_)) return tracer_->Add(access);
    data_ = access;
    data_->key = block_key_;
  }
  void NoteEntriesMax(uint64_t entries) {
    if (data_.has_value()) data_->entries_max = entries;
  }
  // An entry of the key in that block; the first one counts.
  void NoteEntry(const Slice& key, const Slice& value) {
    if (!data_.has_value() || data_->key_found) return;
    if (Copy(key, &entry_key_)) data_->lookup_key = entry_key_;
    data_->key_found = true;
    data_->entry_bytes = key.size() + value.size();
  }
  void EndData() {
    if (!data_.has_value()) return;
    tracer_->Add(*data_);
    data_.reset();
  }

 private:
  // False: there is no memory for it.
  static bool Copy(const Slice& bytes, std::string* copy) {
    const auto assign = [&] {
      copy->assign(bytes.data(), bytes.size());
      return Status::OK();
    };
    return OrNoMemory(assign).ok();
  }

  BlockAccessTracer* const tracer_;
  const uint64_t id_;
  const bool has_snapshot_;
  const Slice key_;
  std::string block_key_;
  std::string entry_key_;
  std::optional<BlockAccess> data_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
