// RepTable: the entries of a memtable whose kind is not the default one.
//
// Place. Owned by a MemTable that its factory gave a MemTableRep; the default
// skiplist has none of this.
//
// Model. Writes entries in the layout of MemTable into the rep's memory, and
// shows what the rep returns as an InternalIterator, or to a GetContext. A
// program's rep is not trusted: what is out of order is Corruption.
//
// Threads. As MemTableRep.

#pragma once

#include <cstdint>
#include <memory>

#include "db/memtable/rep_bridge.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice_transform.h"
#include "table/get_context.h"
#include "table/internal_iterator.h"
#include "table/internal_key.h"
#include "table/prefix_seek.h"
#include "util/arena.h"

namespace ROCKSDB_NAMESPACE::engine {

class RepTable {
 public:
  struct Setup {
    const InternalKeyComparator* icmp = nullptr;
    std::shared_ptr<MemTableRepFactory> factory;
    Allocator* arena = nullptr;
    const SliceTransform* prefix_extractor = nullptr;
    Logger* info_log = nullptr;
    uint32_t family_id = 0;
    uint32_t protection_bytes = 0;
  };

  // Null: a skiplist serves. That is so for SkipListFactory, for the hash
  // tables without prefixes, and for a factory that gives nothing.
  static std::unique_ptr<RepTable> Create(const Setup& setup);
  RepTable(const RepTable&) = delete;
  RepTable& operator=(const RepTable&) = delete;

  // False: the rep has this key and sequence already.
  bool Add(const ParsedInternalKey& key, const Slice& value, bool concurrent);
  void Get(const LookupKey& lookup, GetContext* context) const;
  // `prefix` may be null.
  InternalIterator* NewIterator(PrefixSeek* prefix) const;
  // Operands on top of each other at the lookup's sequence, up to `most`.
  size_t CountMerges(const LookupKey& lookup, size_t most) const;
  // Of the key's newest entry, whatever its timestamp; 0: none.
  SequenceNumber NewestSequence(const LookupKey& lookup) const;
  uint64_t CountBetween(const Slice& start, const Slice& end) const;
  // Beyond the arena.
  size_t MemoryUsage() const { return rep_->ApproximateMemoryUsage(); }
  MemTableRep* rep() const { return rep_.get(); }

 private:
  class EntryIterator;
  struct Search;

  explicit RepTable(const Setup& setup);
  static bool OnEntry(void* search, const char* entry);

  const InternalKeyComparator* const icmp_;
  const EntryOrder order_;
  ROCKSDB_NAMESPACE::Allocator allocator_;
  const SliceTransform* const prefix_extractor_;
  const std::shared_ptr<MemTableRepFactory> factory_;  // The rep may use it.
  const uint32_t protection_bytes_;
  // Its reads within one prefix cost less than others?
  const bool by_prefix_;
  std::unique_ptr<MemTableRep> rep_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
