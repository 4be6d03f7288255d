// Where an ingested table goes.
//
// Place. Asked by ingestion under the DB mutex. Pure.
//
// Model. The table is newer than everything it overlaps, so it must lie above
// it; below what it does not overlap it may lie anywhere. The deepest such
// level is best: the data is never merged on the way there.
//
//   L0   [a..c]                  a table [m..p]: L0, L1, L2 are free;
//   L1            [r..t]         L3 overlaps, so it goes to L2
//   L2
//   L3      [b.......q]
//
// A level is also out of the question where a running compaction writes a
// range that overlaps: its outputs may span the table. Deeper levels are not,
// since none of its inputs overlaps the table.
#pragma once

#include <span>

#include "db/compaction/plan.h"
#include "db/manifest/version.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

struct Placement {
  int level = 0;
  bool overlaps = false;  // Something in the version has keys in the range.
};

// `smallest`, `largest`: user keys, both inclusive. Levels between 0 and
// `base_level` stay empty.
Placement PlaceTable(const Version& version, int base_level,
                     std::span<const CompactionPlan* const> running,
                     const Slice& smallest, const Slice& largest);

}  // namespace ROCKSDB_NAMESPACE::engine
