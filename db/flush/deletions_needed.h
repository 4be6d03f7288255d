// DeletionsNeeded: is there anything below the memtables of a flush that a
// deletion among them deletes?
//
// Place. Asked by the flush's compaction iterator, for deletions alone.
//
// Model. A key that is written and deleted within the memtables of one flush
// leaves nothing behind, unless a file may hold an older version of it: one
// whose range holds the key and whose filter does not rule it out. Filters know
// keys by their bytes: where keys of different bytes may be equal, they are not
// asked. Nothing but a flush adds older versions above the bottom, and this one
// begins with the oldest memtable, so the Version of its beginning answers for
// good.
//
// Threads. One at a time; keeps the Version alive.

#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "db/manifest/version.h"
#include "db/read/table_cache.h"
#include "rocksdb/comparator.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

class DeletionsNeeded {
 public:
  // `tables` may be null: then ranges alone are looked at.
  DeletionsNeeded(VersionPtr version, const TableCache* tables)
      : version_(std::move(version)),
        tables_(FiltersKnowKeys(*version_) ? tables : nullptr) {
    cursors_.resize(static_cast<size_t>(version_->num_levels()));
    for (size_t level = 0; level < cursors_.size(); ++level) {
      readers_.emplace_back(version_->level(static_cast<int>(level)).size());
    }
  }

  // REQUIRES: keys ascend.
  bool operator()(const Slice& user_key);

 private:
  static bool FiltersKnowKeys(const Version& version) {
    const Comparator& comparator = *version.icmp().user_comparator();
    return !comparator.CanKeysWithDifferentByteContentsBeEqual();
  }
  bool FileMayHold(int level, size_t index, const Slice& user_key);

  const VersionPtr version_;
  const TableCache* const tables_;  // Null: filters are not asked.
  // Of levels >= 1: the first file that does not end before the last key.
  std::vector<size_t> cursors_;
  // Of all files; empty: not asked for yet.
  std::vector<std::vector<std::optional<TableCache::Handle>>> readers_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
