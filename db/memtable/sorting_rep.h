// SortingRep: a MemTableRep that keeps its entries in no order, and sorts
// pointers to them when it is asked for all.
//
// Place. Base of VectorRep and HashRep.
//
// Model. A sorted copy is made for the first read, and again for one that comes
// when entries were added. Readers share it.
//
// Threads. As MemTableRep.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rocksdb/memtablerep.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class SortingRep : public MemTableRep {
 public:
  using Entries = std::vector<const char*>;

  SortingRep(const KeyComparator& order, ROCKSDB_NAMESPACE::Allocator* arena)
      : MemTableRep(arena), order_(order) {}

  bool Contains(const char* entry) const override;
  uint64_t ApproximateNumEntries(const Slice& start, const Slice& end) override;
  Iterator* GetIterator(ROCKSDB_NAMESPACE::Arena* arena) override;
  // Everything that was inserted before the call, sorted.
  std::shared_ptr<const Entries> Sorted() const;

 protected:
  // How many entries there are, and those from the `known`th on, in any order.
  // A rep that cannot tell which are new gives all and returns false.
  virtual size_t Count() const = 0;
  virtual bool CollectFrom(size_t known, Entries* entries) const = 0;
  const KeyComparator& order() const { return order_; }

 private:
  const KeyComparator& order_;
  mutable Mutex mu_{LockRank::kMemTable};
  mutable std::shared_ptr<const Entries> sorted_;  // Null: none yet.
  mutable size_t sorted_at_ = 0;  // Count() before it was made.
};

}  // namespace ROCKSDB_NAMESPACE::engine
