// What the public MemTableRep names but does not define: the allocator, the
// lookup key, and the order of entries.
//
// Place. Between MemTableRep and the engine's own arena, lookup key and
// comparator. A program's rep only passes them on.

#pragma once

#include "rocksdb/memtablerep.h"
#include "table/internal_key.h"
#include "util/arena.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

// Where a rep's entries go.
class Allocator {
 public:
  explicit Allocator(engine::Allocator* arena) : arena_(arena) {}
  engine::Allocator* arena() const { return arena_; }

 private:
  engine::Allocator* const arena_;
};

class LookupKey {
 public:
  explicit LookupKey(const engine::LookupKey& key) : key_(key) {}
  Slice internal_key() const { return key_.internal_key(); }

 private:
  const engine::LookupKey& key_;
};

namespace engine {

// Entries in the order of their internal keys.
class EntryOrder final : public MemTableRep::KeyComparator {
 public:
  explicit EntryOrder(const InternalKeyComparator* icmp) : icmp_(icmp) {}

  int operator()(const char* a, const char* b) const override {
    return icmp_->Compare(KeyOf(a), KeyOf(b));
  }
  int operator()(const char* entry, const Slice& key) const override {
    return icmp_->Compare(KeyOf(entry), key);
  }
  static Slice KeyOf(const char* entry) {
    return engine::GetLengthPrefixedSlice(entry);
  }
  size_t timestamp_size() const { return icmp_->timestamp_size(); }

 private:
  const InternalKeyComparator* const icmp_;
};

}  // namespace engine
}  // namespace ROCKSDB_NAMESPACE
