// PlanMaker: what all pickers ask about the files of a version, and how a plan
// is completed once its inputs are chosen.
//
// Place. Below the pickers, which derive from it. Pure, as they are: a version,
// options and the running plans in, a plan out. No lock, no file, no clock.
//
// Model.
//
//   a picker chooses the files of the start level
//     -> Closed: with all that must not be left behind
//     -> Finish: with what overlaps them in the output level; nothing, if files
//        are busy or a running plan writes there
//     -> Complete: sizes, grandparents, bounds
//     -> TryTrivialMove: nothing to merge with

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
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

// Bytes after which an output at `level` is full; at least 1, and no more than
// the multiplier makes of the base within 64 bits.
uint64_t OutputFileSizeMax(const ColumnFamilyOptions& options, int level,
                           int base_level);

class PlanMaker {
 protected:
  using Files = std::vector<FilePtr>;

  // A range of user keys, both ends inclusive.
  struct KeyRange {
    std::string smallest;
    std::string largest;
  };

  explicit PlanMaker(const PickInput& input, bool manual = false)
      : in_(input),
        version_(*input.version),
        icmp_(*input.icmp),
        manual_(manual) {}
  ~PlanMaker() = default;

  KeyRange RangeOf(const Files& files) const;
  void Extend(KeyRange* range, const Files& files) const;
  Files Overlapping(int level, const KeyRange& range) const;
  Files Closed(int level, Files files) const;
  bool AnyBusy(const Files& files) const;
  bool OutputRangeBusy(int output_level, const KeyRange& range) const;
  bool Level0Busy() const;
  uint64_t BytesOf(const Files& files) const;
  uint64_t OverlapBytes(int level, const FilePtr& file) const;
  bool NothingBelow(int output_level, const KeyRange& range) const;

  std::optional<CompactionPlan> Finish(int level, Files start,
                                       int output_level) const;
  // REQUIRES: inputs and output level are set; `range` is over all inputs.
  void Complete(CompactionPlan* plan, const KeyRange& range) const;
  void TryTrivialMove(CompactionPlan* plan) const;

  const PickInput& in_;
  const Version& version_;
  const InternalKeyComparator& icmp_;

 private:
  const bool manual_;

  void WidenStart(int level, int output_level, Files* start,
                  Files* below) const;
  bool CompressedAlike(const CompactionPlan& plan) const;
  bool BlobsStay(const CompactionPlan& plan) const;
  bool CutAlike(const CompactionPlan& plan) const;
  bool OthersOfLevel0Overlap(const Files& files) const;
};

}  // namespace ROCKSDB_NAMESPACE::engine
