// RowCache: what point lookups found in a file, by file and key.
//
// Place. DBOptions::row_cache. In front of the tables of one column family: a
// hit needs neither the file's reader nor a block.
//
// Model. A row is what a file says of a user key to a reader who sees all of
// the file: merge operands, newest first, and then a value, a deletion or
// nothing. It is replayed into the lookup as if the file had been read:
//
//   lookup --hit--> replay
//         \-miss--> look up in the file alone --> row --> replay
//
// Single lookups do so in TableCache, those of many keys in db/read/multi_get.
//
// Invariants:
//   (1) Rows are used and made only by reads whose sequence is at or behind the
//       newest of the file, so all of them see the same.
//   (2) Files with range deletions have no rows, and keys that are covered by
//       one are not looked up here: what is deleted depends on the reader.
//   (3) What a file lacks is not cached; its filter says so as fast.
//
// Threads. Any.

#pragma once

#include <cstdint>
#include <memory>

#include "db/manifest/file_metadata.h"
#include "rocksdb/cache.h"
#include "rocksdb/options.h"
#include "rocksdb/statistics.h"
#include "table/get_context.h"

namespace ROCKSDB_NAMESPACE::engine {

class RowCache {
 public:
  RowCache(std::shared_ptr<Cache> cache, Statistics* statistics)
      : cache_(std::move(cache)),
        id_(cache_->NewId()),
        statistics_(statistics) {}

  // Whether a lookup may use rows of a file that has no range deletions.
  static bool Serves(const FileMetaData& file, const GetContext& context) {
    // (1), (2)
    return context.sequence() >= file.largest_sequence && !context.covered();
  }

  // True: there was a row, and it is in `context` now.
  bool Find(uint64_t file_number, GetContext* context) const;

  // Takes over what a lookup of entities in the file alone has found: puts it
  // into `context` and, if `fill`, makes a row of it. False: it is nothing that
  // a row can say; `context` is as it was.
  bool Take(uint64_t file_number, GetContext* found, const Slice& value,
            bool fill, GetContext* context) const;

 private:
  const std::shared_ptr<Cache> cache_;
  const uint64_t id_;
  Statistics* const statistics_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
