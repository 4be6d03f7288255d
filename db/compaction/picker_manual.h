// The pickers of manual compactions: one level of CompactRange, a level that
// moves, and the files of CompactFiles.
//
// Place. Pure, like picker_leveled; PlanMaker completes the plans.
//
// Model. CompactFiles takes any files and an output level. A plan needs more: a
// newer version of a key must not end up below an older one.
//
//   level 0   with the older ones that overlap them, or overlap those; if the
//             output stays in level 0, with those between them in age
//   below     with all in the range of what was taken so far, down to the
//             output level, whose files come last

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "db/compaction/plan.h"
#include "db/compaction/plan_maker.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

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

// All files of a level, which has some, move to another one as they are.
// REQUIRES: no file lies on the way, and no running job uses these levels.
CompactionPlan PickRefit(const PickInput& input, int from, int to);

// What CompactFiles asks for.
struct ChosenFiles {
  std::vector<uint64_t> numbers;
  int output_level = 0;
  uint32_t output_path_id = 0;
  uint64_t output_file_size_max = UINT64_MAX;  // Not of level 0: one file.
  // Default: the column family's.
  std::optional<CompressionType> compression;
  bool allow_trivial_move = false;
};
// InvalidArgument: there is no such file or level, or a file would move up;
// Aborted: a running job uses a file that is needed, or writes there.
Result<CompactionPlan> PickChosen(const PickInput& input,
                                  const ChosenFiles& chosen);

}  // namespace ROCKSDB_NAMESPACE::engine
