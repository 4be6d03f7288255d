// The leveled picker: which compaction should run next?
//
// Place. Pure: a version, options and the running plans in, a plan out. No
// lock, no file, no clock.
//
// Model. Levels are tried by falling score while the score is at least one.
//
//   L0   into the base level: the oldest files, as far as they overlap no file
//        of level 0 or of the base level; if there is none, the oldest file and
//        what overlaps it in level 0, or overlaps that. While this cannot be,
//        as when another L0 compaction runs, the newest files are merged among
//        themselves
//   Ln   one file by compaction_pri, widened to a clean cut and to what fits
//        without enlarging the output level's part
//
// If no level needs a compaction, it picks tables to rewrite in place: those
// that keep old versions for released snapshots, or that prevent blob files
// with garbage from being deleted.
//
// With a tuned shape level 0 is treated differently. A merge starts only if it
// will end before level 0 grows beyond its target. Of these, a merge into the
// base level is preferred. Otherwise neighbouring files of level 0 are merged
// into one (a tier merge), in tiers:
//
//   fresh    as flushed: as many as there is room to wait for, so that few
//            bytes are written for each run that disappears
//   larger   what merges have made: one merge at a time, in the background, in
//            what merges of fresh files leave of the device
//
// Files at a level's edge that share a user key stay together (clean cut):
// otherwise a newer version could end up below an older one.

#pragma once

#include <optional>

#include "db/compaction/plan.h"
#include "db/compaction/plan_maker.h"

namespace ROCKSDB_NAMESPACE::engine {

// Nothing: no level needs work, or what needs it is being worked on.
std::optional<CompactionPlan> PickLeveled(const PickInput& input);

}  // namespace ROCKSDB_NAMESPACE::engine
