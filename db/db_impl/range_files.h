// Range files: takes whole tables out of a family: those whose keys all lie in
// given ranges, as DeleteFilesInRanges() does, or one that DeleteFile() names.
//
// Place. Called by DBImpl. Like a compaction without outputs: a registered plan
// keeps other jobs away from the files while the edit is written.
//
// Model. Of levels 1 and deeper go the files
//
//   - whose keys all lie in one of the ranges,
//   - that no running job uses,
//   - that share no user key with a neighbour that stays: the neighbour may
//     hold an older version of it.
//
// DeleteFile() takes only what nothing lies below: a table of the deepest
// level, or the oldest of level 0 where no other level has any.
//
// Nothing else is looked at, so reads may see again what a deletion in such a
// file had hidden, and old snapshots lose its keys.
//
// Threads. Under the DB mutex, which is released while the MANIFEST is written.

#pragma once

#include <span>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/manifest/version.h"
#include "rocksdb/db.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

struct KeyRanges {
  std::span<const RangeOpt> ranges;  // Keys without timestamps.
  bool include_end = true;
  // Only files of the deepest level that has any. Nothing older lies below
  // them, so no read shows again what a deletion in such a file had hidden.
  bool only_deepest = false;
  // Not those that are linked to blob files: only compactions count as garbage
  // what their entries point at.
  bool keep_linked = false;
};

// The files of `level` that go, in order. REQUIRES: level > 0.
std::vector<FilePtr> FilesWithin(const Version& version, int level,
                                 const KeyRanges& wanted);

// OK also where no file goes.
Status DeleteFilesWithin(DbState* db, const FamilyPtr& family,
                         const KeyRanges& wanted) REQUIRES_LOCK(kStateLock);

// InvalidArgument: no family has such a table, or it must not go. OK, and the
// table stays, where a job uses it.
Status DeleteTable(DbState* db, uint64_t number) REQUIRES_LOCK(kStateLock);

}  // namespace ROCKSDB_NAMESPACE::engine
