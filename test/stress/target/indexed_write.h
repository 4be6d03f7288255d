// IndexedWrite: a batch with an index is read before it is written, and the
// database afterwards has to show the same.
//
// Place. Of DbTarget, for some of a history's batches.
//
// Threads. One; no other thread writes meanwhile.

#pragma once

#include <set>
#include <string>
#include <utility>

#include "rocksdb/db.h"
#include "rocksdb/utilities/write_batch_with_index.h"

namespace ROCKSDB_NAMESPACE::stress {

class IndexedWrite {
 public:
  IndexedWrite(DB* db, bool overwrite_key)
      : db_(db),
        batch_(BytewiseComparator(), /*reserved_bytes=*/0, overwrite_key) {}

  WriteBatchWithIndex* batch() { return &batch_; }
  // The key is read before and after the write, and its family walked.
  void Watch(ColumnFamilyHandle* family, const std::string& key) {
    keys_.emplace(family, key);
  }
  // The answer of the write; or what differs.
  std::string Write(const WriteOptions& options);

 private:
  using Key = std::pair<ColumnFamilyHandle*, std::string>;
  // All rows, forwards and backwards.
  std::string Walk(ColumnFamilyHandle* family, bool through_batch);
  std::string Get(const Key& key, bool through_batch);
  std::string Show(bool through_batch);

  DB* const db_;
  WriteBatchWithIndex batch_;
  std::set<Key> keys_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
