// LevelState: how full the levels of a Version are, and what that asks for.
//
// Place. Pure arithmetic, made after every version install, option change and
// change of the set of running compactions. Read by the compaction pickers,
// the stall conditions, the tuner and the properties.
//
// Model. Each level has a target size; a level's score is its idle bytes over
// the target (level 0: also files over the trigger), and a score of 1 asks for
// a compaction:
//
//   static    target(L1) = base, target(Ln+1) = target(Ln) * multiplier
//   dynamic   the last level is what it is; targets shrink upwards by the
//             multiplier until one falls to `base`: that is the base level
//             that level 0 is compacted into, levels between are skipped
//
// Invariants:
//   (1) Equal inputs give equal results; no clock, no lock.
//   (2) O(levels) plus one look at each file.
//
// Threads. A value; ComputeLevelState needs the DB mutex, because it looks at
// being_compacted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/manifest/version.h"
#include "rocksdb/advanced_options.h"

namespace ROCKSDB_NAMESPACE::engine {

// What the shape of the tree depends on, cut out of the column family options.
struct LevelOptions {
  CompactionStyle style = kCompactionStyleLevel;
  int num_levels = 7;
  int level0_file_num_compaction_trigger = 4;
  bool dynamic_level_bytes = true;
  bool ingest_behind = false;  // The last level is kept for ingested files.
  uint64_t max_bytes_for_level_base = 256ull << 20;  // At least 1.
  double max_bytes_for_level_multiplier = 10;        // Above 0.
  std::vector<int> max_bytes_for_level_multiplier_additional;
  uint64_t fifo_max_table_files_size = 1ull << 30;
  // Age in seconds that a bottommost file must have before it is rewritten
  // because snapshots were released.
  uint64_t bottommost_delay_secs = 0;
  // When the oldest blob files hold this share of garbage or more, the tables
  // that are linked to them are compacted for that alone. Negative: never.
  double blob_gc_force_threshold = -1;
  double blob_gc_age_cutoff = 0;
};

struct LevelStateInputs {
  LevelOptions options;
  // No snapshot is older: bottommost files without newer entries hold nothing
  // for snapshots any more. 0: none has been released yet.
  SequenceNumber oldest_snapshot = 0;
  uint64_t now_secs = 0;  // Only for bottommost_delay_secs.
  // Jobs other than forced collections that have made blob garbage.
  uint64_t garbage_jobs = 0;
};

struct LevelScore {
  int level = 0;
  double score = 0;
};

struct MarkedFile {
  int level = 0;
  FilePtr file;
};

struct LevelState {
  CompactionStyle style = kCompactionStyleLevel;
  int num_levels = 0;
  int num_non_empty_levels = 0;
  // The level that level 0 is compacted into (1 for static targets).
  int base_level = 1;
  // Dynamic targets: levels from the base to this one hold data although the
  // tree would do without them; they drain. -1: none.
  int lowest_unnecessary_level = -1;
  double level_multiplier = 10;

  std::vector<uint64_t> level_bytes;  // All files.
  std::vector<uint64_t> idle_bytes;   // Compensated, not in compactions.
  std::vector<int> num_files;
  std::vector<uint64_t> target_bytes;  // UINT64_MAX: no limit.
  int l0_idle_files = 0;
  // What the L0 stall conditions count: level-0 files; for universal all
  // sorted runs.
  int l0_stall_count = 0;
  int sorted_runs = 0;

  std::vector<LevelScore> scores;  // Highest first; ties: lower level first.
  uint64_t pending_compaction_bytes = 0;
  // The same, with the first empty level that has to take bytes counted as if
  // it held a little: what the estimate will be once it does. Never less.
  uint64_t foreseen_compaction_bytes = 0;

  // Idle files that ask for a compaction of their own.
  // By a properties collector or SuggestCompactRange().
  std::vector<MarkedFile> marked;
  std::vector<MarkedFile> bottommost_marked;  // In key order, by level.
  std::vector<MarkedFile> blob_gc;  // Linked to blob files full of garbage.
  // More bottommost files will be marked when the oldest snapshot has reached
  // this sequence number, or when it is this time.
  SequenceNumber bottommost_mark_threshold = kSequenceMax;
  uint64_t bottommost_due_secs = UINT64_MAX;

  uint64_t TargetBytes(int level) const {
    return target_bytes[static_cast<size_t>(level)];
  }
  double ScoreOf(int level) const;
  bool HasMarkedFiles() const;  // Of any kind.
};

LevelState ComputeLevelState(const Version& version,
                             const LevelStateInputs& inputs);

// The targets alone, from bytes per level.
struct LevelTargets {
  int base_level = 1;
  int lowest_unnecessary_level = -1;
  double multiplier = 10;
  std::vector<uint64_t> bytes;
};
LevelTargets ComputeLevelTargets(const std::vector<uint64_t>& level_bytes,
                                 const LevelOptions& options);

}  // namespace ROCKSDB_NAMESPACE::engine
