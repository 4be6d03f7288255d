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

#include <cstdint>
#include <optional>
#include <vector>

#include "db/compaction/plan.h"
#include "db/manifest/level_state.h"
#include "db/tune/decision.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::engine {

struct PickInput {
  const InternalKeyComparator* icmp = nullptr;
  std::shared_ptr<const Version> version;
  const ColumnFamilyOptions* options = nullptr;
  // Computed for `version` with the L0 trigger in force (the switch in Env
  // may have raised it) and the running compactions taken out.
  const LevelState* levels = nullptr;
  uint32_t max_subcompactions = 1;
  // CompactionPlan::collect_blobs_below of every plan.
  uint64_t collect_blobs_below = 0;
  std::vector<const CompactionPlan*> running;
  // What the tuner wants of this family; default: RocksDB's picks.
  FamilyDecision shape;
  // Level 0, and everything below it: may be picked now.
  bool pick_runs = true;
  bool pick_lower = true;
  // Files a properties collector wants compacted, that keep what no snapshot
  // needs any more, or that hold up garbage in blob files, when nothing else
  // is due.
  bool pick_marked = true;
};

// Nothing: no level needs work, or what needs it is being worked on.
std::optional<CompactionPlan> PickLeveled(const PickInput& input);

// The step of CompactRange from `level` to `output_level` for the user keys
// [begin, end] (null: open). `conflict` tells that files are busy: try again
// later. Nothing without conflict: no file of `level` is in the range.
//
// With a bound on file numbers, which a range within one level may have: files
// from that number on stay, unless they share a user key with one that does
// not. As they may lie between the others, only the first neighbours that are
// below the bound are picked; the caller repeats until nothing is picked.
struct ManualRange {
  int level = 0;
  int output_level = 0;
  const Slice* begin = nullptr;
  const Slice* end = nullptr;
  bool allow_trivial_move = true;
  uint64_t number_below = UINT64_MAX;
};
std::optional<CompactionPlan> PickManual(const PickInput& input,
                                         const ManualRange& range,
                                         bool* conflict);

// Bytes after which an output at `level` is full; at least 1, and no more than
// the multiplier makes of the base within 64 bits.
uint64_t OutputFileSizeMax(const ColumnFamilyOptions& options, int level,
                           int base_level);

}  // namespace ROCKSDB_NAMESPACE::engine
