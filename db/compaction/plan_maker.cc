#include "db/compaction/plan_maker.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/compaction/table_output.h"

namespace ROCKSDB_NAMESPACE::engine {

// ------------------------------------------------------------------ file sets

PlanMaker::KeyRange PlanMaker::RangeOf(const Files& files) const {
  assert(!files.empty());
  KeyRange range{files[0]->smallest.user_key().ToString(),
                 files[0]->largest.user_key().ToString()};
  Extend(&range, files);
  return range;
}

void PlanMaker::Extend(KeyRange* range, const Files& files) const {
  for (const FilePtr& file : files) {
    const Slice small = file->smallest.user_key();
    const Slice large = file->largest.user_key();
    if (icmp_.CompareUserKey(small, range->smallest) < 0) {
      range->smallest = small.ToString();
    }
    if (icmp_.CompareUserKey(large, range->largest) > 0) {
      range->largest = large.ToString();
    }
  }
}

PlanMaker::Files PlanMaker::Overlapping(int level,
                                        const KeyRange& range) const {
  const Slice begin(range.smallest);
  const Slice end(range.largest);
  return version_.FilesTouching(level, &begin, &end);
}

// Level 0 grows to everything that overlaps; lower levels to a clean cut.
PlanMaker::Files PlanMaker::Closed(int level, Files files) const {
  if (level > 0) {
    version_.ExpandToCleanCut(level, &files);
    return files;
  }
  const KeyRange range = RangeOf(files);
  const Slice begin(range.smallest);
  const Slice end(range.largest);
  return version_.OverlappingFiles(0, &begin, &end);
}

bool PlanMaker::AnyBusy(const Files& files) const {
  return std::any_of(files.begin(), files.end(),
                     [](const FilePtr& file) { return file->being_compacted; });
}

bool PlanMaker::OutputRangeBusy(int output_level, const KeyRange& range) const {
  for (const CompactionPlan* plan : in_.running) {
    if (plan->output_level != output_level) continue;
    if (icmp_.CompareKeys(plan->smallest_user_key, range.largest) <= 0 &&
        icmp_.CompareKeys(plan->largest_user_key, range.smallest) >= 0) {
      return true;
    }
  }
  return false;
}

bool PlanMaker::Level0Busy() const {
  for (const CompactionPlan* plan : in_.running) {
    if (plan->start_level() == 0) return true;
  }
  return false;
}

uint64_t PlanMaker::BytesOf(const Files& files) const {
  uint64_t bytes = 0;
  for (const FilePtr& file : files) bytes += file->size;
  return bytes;
}

uint64_t PlanMaker::OverlapBytes(int level, const FilePtr& file) const {
  return level < version_.num_levels()
             ? BytesOf(Overlapping(level, RangeOf({file})))
             : 0;
}

bool PlanMaker::NothingBelow(int output_level, const KeyRange& range) const {
  for (int level = output_level + 1; level < version_.num_levels(); ++level) {
    if (!Overlapping(level, range).empty()) return false;
  }
  return true;
}

// ---------------------------------------------------------------------- plans

// Adds start-level files that the output level's part covers anyway.
void PlanMaker::WidenStart(int level, int output_level, Files* start,
                           Files* below) const {
  if (level == 0 || below->empty()) return;
  KeyRange range = RangeOf(*start);
  Extend(&range, *below);
  Files wider = Closed(level, Overlapping(level, range));
  if (wider.size() <= start->size() || AnyBusy(wider)) return;
  if (BytesOf(wider) + BytesOf(*below) >= in_.options->max_compaction_bytes) {
    return;
  }
  KeyRange wide_range = RangeOf(wider);
  Files wider_below = Overlapping(output_level, wide_range);
  if (!wider_below.empty()) wider_below = Closed(output_level, wider_below);
  if (wider_below.size() != below->size()) return;
  *start = std::move(wider);
}

std::optional<CompactionPlan> PlanMaker::Finish(int level, Files start,
                                                int output_level) const {
  KeyRange range = RangeOf(start);
  Files below;
  if (output_level != level) {
    below = Overlapping(output_level, range);
    if (!below.empty()) below = Closed(output_level, std::move(below));
    if (AnyBusy(below)) return std::nullopt;
    WidenStart(level, output_level, &start, &below);
    range = RangeOf(start);
    if (!below.empty()) Extend(&range, below);
  }
  if (OutputRangeBusy(output_level, range)) return std::nullopt;

  CompactionPlan plan;
  plan.inputs.push_back({level, std::move(start)});
  if (output_level != level) {
    plan.inputs.push_back({output_level, std::move(below)});
  }
  plan.output_level = output_level;
  Complete(&plan, range);
  TryTrivialMove(&plan);
  return plan;
}

void PlanMaker::Complete(CompactionPlan* made, const KeyRange& range) const {
  CompactionPlan& plan = *made;
  assert(!plan.inputs.empty() && plan.output_level >= 0);
  assert(plan.output_level < version_.num_levels());
  assert(icmp_.CompareKeys(range.smallest, range.largest) <= 0);
  plan.version = in_.version;
  plan.is_manual = manual_;
  plan.collect_blobs_below = in_.collect_blobs_below;
  const int level = plan.start_level();
  const int output_level = plan.output_level;
  plan.smallest_user_key = range.smallest;
  plan.largest_user_key = range.largest;
  if (output_level == 0) return;  // One file, above others of level 0.
  plan.output_file_size_max =
      OutputFileSizeMax(*in_.options, output_level, in_.levels->base_level);
  plan.overlap_bytes_max = in_.options->max_compaction_bytes;
  if (output_level + 1 < version_.num_levels()) {
    plan.grandparents = Overlapping(output_level + 1, range);
  }
  plan.bottommost = NothingBelow(output_level, range);
  plan.max_subcompactions = level == 0 ? in_.max_subcompactions : 1;
  if (in_.shape.subcompactions > 0) {
    plan.max_subcompactions = static_cast<uint32_t>(in_.shape.subcompactions);
  }
}

// The files there are may stay as they are: a table of the output level would
// be compressed alike. Flushes do not know that nothing lies below.
bool PlanMaker::CompressedAlike(const CompactionPlan& plan) const {
  const int start = plan.start_level();
  const bool was_bottommost =
      start > 0 &&
      NothingBelow(start, {plan.smallest_user_key, plan.largest_user_key});
  const int base = in_.levels->base_level;
  return CompressionFor(*in_.options, start, base, was_bottommost) ==
         CompressionFor(*in_.options, plan.output_level, base, plan.bottommost);
}

// Moved as they are, the files would keep blobs that are to be collected, or
// values that belong into blob files from the output level on.
bool PlanMaker::BlobsStay(const CompactionPlan& plan) const {
  const uint64_t oldest = plan.OldestBlobFile();
  if (oldest != kNoBlobFile && oldest < plan.collect_blobs_below) return false;
  const int starts = in_.options->blob_file_starting_level;
  return !in_.options->enable_blob_files || plan.start_level() >= starts ||
         plan.output_level < starts;
}

bool PlanMaker::OthersOfLevel0Overlap(const Files& files) const {
  return std::any_of(files.begin(), files.end(), [this](const FilePtr& file) {
    return Overlapping(0, RangeOf({file})).size() > 1;
  });
}

// A table of the output level could have the same bounds.
bool PlanMaker::CutAlike(const CompactionPlan& plan) const {
  const std::unique_ptr<SstPartitioner> partitioner =
      PartitionerOf(*in_.options, plan);
  const Files& start = plan.inputs.front().files;
  return partitioner == nullptr ||
         std::all_of(start.begin(), start.end(), [&](const FilePtr& file) {
           return partitioner->CanDoTrivialMove(file->smallest.user_key(),
                                                file->largest.user_key());
         });
}

// Nothing to merge with: the files change their level in the MANIFEST only.
void PlanMaker::TryTrivialMove(CompactionPlan* plan) const {
  assert(!plan->inputs.front().files.empty());
  if (plan->output_level == plan->start_level()) return;
  if (!plan->inputs.back().files.empty()) return;
  const Files& start = plan->inputs.front().files;
  if (plan->start_level() == 0 && start.size() > 1 &&
      OthersOfLevel0Overlap(start)) {
    return;
  }
  if (!CompressedAlike(*plan) || !BlobsStay(*plan) || !CutAlike(*plan)) return;
  // A move must not create a file whose next compaction is huge, nor keep range
  // deletions that have nothing left to delete.
  for (const FilePtr& file : start) {
    const bool ranges =
        file->num_range_deletions.load(std::memory_order_relaxed) > 0;
    if (ranges && plan->bottommost) return;
    if (OverlapBytes(plan->output_level + 1, file) + file->size >
        in_.options->max_compaction_bytes) {
      return;
    }
  }
  plan->is_trivial_move = true;
}

uint64_t OutputFileSizeMax(const ColumnFamilyOptions& options, int level,
                           int base_level) {
  uint64_t bytes = std::max<uint64_t>(1, options.target_file_size_base);
  const auto factor =
      static_cast<uint64_t>(std::max(1, options.target_file_size_multiplier));
  for (int i = base_level; i < level && bytes <= UINT64_MAX / factor; ++i) {
    bytes *= factor;
  }
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE::engine
