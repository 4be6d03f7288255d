// CheckState: every invariant that spans several parts of a database.
//
// Place. Called under the DB mutex by the part that changed the state: after
// each MANIFEST edit of an open database, after memtables are sealed or emptied,
// after options have changed, and after a secondary has taken over what its
// primary wrote.
// What one part can check by itself it asserts itself (version.cc,
// memtable_list.cc, wal_set.cc).
//
// Invariants that are checked, of each family:
//   (1) Every input of a registered plan is marked, and is in no other plan.
//   (2) Every marked file of the current Version is in a plan.
//   (3) Plans with the same output level write disjoint key ranges.
//   (4) The published view, if there is one yet, is the current memtables and
//       options, and no newer Version than the current one.
//   (5) A table points at no blob file older than those that are live.
//   (6) Logs that the family needs have not been released.
// Of the database:
//   (7) File numbers in use are below the next one.
//
// Threads. The DB mutex. Dev and sanitizer builds only: O(files).

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
