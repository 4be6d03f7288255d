// CheckState: every invariant that spans several parts of a database.
//
// Place. Called by the part that changed the state: after each MANIFEST edit
// that was installed, after memtables are sealed or emptied, after options have
// changed, after a secondary has taken over what its primary wrote, and at the
// end of an opening. Bytes on the disk alone never break what is checked here:
// reading the MANIFEST refuses such bytes, or makes a state that is allowed.
// What one part can check by itself it asserts itself (version.cc,
// memtable_list.cc, wal_set.cc).
//
// Invariants that are checked, of each family:
//   (1) Every input of a registered plan is marked, and is in no other plan.
//   (2) Every marked file of the current Version is in a plan.
//   (3) Plans with the same output level, unless it is level 0, write disjoint
//       key ranges.
//   (4) The published view, if there is one yet, is the current memtables and
//       options, and no newer Version than the current one.
//   (5) The blob file that a table is linked to is live, unless the MANIFEST
//       did not name it when it was read.
//   (6) With sealed memtables, the log number is at most the current log's.
// Of the database:
//   (7) Numbers of tables, blob files, the MANIFEST and the current log are
//       below the next file number.
//
// Threads. Under the DB mutex; at an opening without it, as no other thread
// knows the state yet. Dev and sanitizer builds only: O(files).

#pragma once

#include "db/column_family/db_state.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

#ifdef NDEBUG
inline void CheckState(const DbState& /*db*/) {}
#else
void CheckState(const DbState& db) REQUIRES_LOCK(kStateLock);
#endif

}  // namespace ROCKSDB_NAMESPACE::engine
