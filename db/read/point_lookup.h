// Point lookup: one user key at one sequence, through one pinned view.
//
// Model. memtable -> immutable memtables, newest first -> L0, newest first ->
// one file per level below, until the GetContext is decided; merge operands
// gathered on the way are then resolved.
//
// Threads. Any number at once. No lock, and no allocation except for merges.

#pragma once

#include <functional>

#include "db/blob/blob_source.h"
#include "db/format/store_context.h"
#include "db/manifest/version.h"
#include "db/read/merge_resolver.h"
#include "db/read/read_view.h"
#include "db/read/table_cache.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE::engine {

struct LookupDeps {
  const InternalKeyComparator* icmp = nullptr;
  const TableCache* tables = nullptr;
  const StoreContext* store = nullptr;
  const BlobSource* blobs = nullptr;
  bool skip_memtables = false;
  // Where the answer's timestamp goes. Set exactly in families with user
  // timestamps, whose `user_key` ends with that of the read.
  std::string* timestamp = nullptr;
};

// `value` may be null: only existence is asked for.
// Errors: NotFound; Corruption; Incomplete with kBlockCacheTier; the merge
// operator's.
Status LookUp(const LookupDeps& deps, const ReadView& view,
              const ReadOptions& options, const Slice& user_key,
              SequenceNumber sequence, PinnableSlice* value);

// The same with all columns; a plain value is one default column.
Status LookUpEntity(const LookupDeps& deps, const ReadView& view,
                    const ReadOptions& options, const Slice& user_key,
                    SequenceNumber sequence, PinnableWideColumns* columns);

// The newest entry of a key, or a newer range deletion over it.
struct NewestChange {
  SequenceNumber sequence = 0;  // 0: there is none.
  bool is_range_deletion = false;
};
// `newest` has the highest sequence; with timestamps, what is newer than its
// own is not seen.
Status LookUpNewestChange(const LookupDeps& deps, const ReadView& view,
                          const LookupKey& newest, NewestChange* change);

struct OperandList {
  PinnableSlice* operands = nullptr;  // At least `room` of them.
  int room = 0;
  int* count = nullptr;
  const std::function<bool(Slice)>* wants_more = nullptr;  // May be null.
};

// What a merge would be given, oldest first; a plain value counts as one.
// Errors: Incomplete, with the count, when there is no room; else as LookUp.
Status LookUpOperands(const LookupDeps& deps, const ReadView& view,
                      const ReadOptions& options, const LookupKey& key,
                      const OperandList& out);

// The pieces, for lookups of many keys at once.

// The memtables, newest first, until the key is decided. Returns how many were
// asked.
size_t AskMemTables(const ReadView& view, const LookupKey& key,
                    GetContext* context);
// A level of disjoint files from its file `first` on. Versions of one user key
// may spread over neighbouring ones. Ends the source.
Status SearchSortedLevel(const LookupDeps& deps, const Version& version,
                         int level, size_t first, const ReadOptions& options,
                         const LookupKey& key, GetContext* context);
// True when the bounds of a file, as the MANIFEST has them, allow the key.
bool FileMayHold(const InternalKeyComparator& icmp, const LevelFile& file,
                 const Slice& user_key);
uint32_t HitTicker(int level);
// Turns what was collected into the answer.
Status ResolveLookup(const LookupDeps& deps, const ReadView& view,
                     const ReadOptions& options, GetContext* context,
                     PinnableSlice* value);

}  // namespace ROCKSDB_NAMESPACE::engine
