// Lookups of many keys of one column family at once.
//
// Place. DBImpl::MultiGet, or MultiGetEntity, sorts the keys and takes the
// view; this searches.
//
// Model. kBatchKeysMax keys at a time go down the tree together: memtables,
// then the sorted runs (each L0 file, then each level), file by file. In a file
// filters are asked for all keys, then the index, then the cache; what the
// cache does not have is read in one go. How long it waits to be read:
//
//   default                      until the file is done
//   async_io                     until the level is done: files together
//   ... optimize_multiget_for_io until all levels are: a key that waits stays
//                                where it is while the others go on below
//
// With a row cache the keys of a file are looked for there first; the others
// are searched for in the file alone, together, and become rows.
//
// Invariants:
//   (1) A key sees its sources newest first, as in db/read/point_lookup.h; the
//       answers are those of single lookups.
//   (2) The error of a key is its own: others go on.
//
// Threads. Any number at once; an object belongs to one call.

#pragma once

#include <cstddef>

#include "db/read/point_lookup.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE::engine {

struct MultiGetKey {
  Slice user_key;
  PinnableSlice* value = nullptr;
  Status* status = nullptr;
  // When all columns are asked for they go here, and `value` is theirs.
  PinnableWideColumns* columns = nullptr;
};

struct MultiGetRequest {
  const LookupDeps& deps;
  const ReadView& view;
  const ReadOptions& options;
  SequenceNumber sequence;
};

// Counted over the families of one call.
struct MultiGetTotals {
  uint64_t found = 0;
  uint64_t value_bytes = 0;
};

// `keys` ascend; duplicates are fine. Statuses as of a single lookup, and
// Aborted for keys behind that with which the values exceed
// value_size_soft_limit, TimedOut for those that are undecided behind the
// deadline.
void LookUpMany(const MultiGetRequest& request, const MultiGetKey* keys,
                size_t count, MultiGetTotals* totals);

}  // namespace ROCKSDB_NAMESPACE::engine
