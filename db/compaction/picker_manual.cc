#include "db/compaction/picker_manual.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <string>
#include <utility>

#include "db/format/file_names.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

class ManualPicker : PlanMaker {
 public:
  explicit ManualPicker(const PickInput& input)
      : PlanMaker(input, /*manual=*/true) {}

  std::optional<CompactionPlan> PickRange(const ManualRange& range,
                                          bool* conflict);
  CompactionPlan PickLevel(int from, int to);
  Result<CompactionPlan> PickFiles(const ChosenFiles& chosen);

 private:
  Files StartOf(const ManualRange& range) const;
  // The chosen files, by level.
  Result<std::vector<Files>> Find(const ChosenFiles& chosen) const;
  Files WithOlder(const Files& chosen) const;
  Files WithNeighbours(const Files& chosen) const;
  Status AddInputs(const std::vector<Files>& chosen, CompactionPlan* plan,
                   KeyRange* range) const;
};

// ---------------------------------------------------------------- CompactRange

PlanMaker::Files ManualPicker::StartOf(const ManualRange& range) const {
  assert(range.number_below == UINT64_MAX || range.level > 0);
  Files start;
  for (const FilePtr& file : version_.files(range.level)) {
    const bool before =
        range.begin != nullptr &&
        icmp_.CompareUserKey(file->largest.user_key(), *range.begin) < 0;
    const bool behind =
        range.end != nullptr &&
        icmp_.CompareUserKey(file->smallest.user_key(), *range.end) > 0;
    const bool stays = before || behind || file->number >= range.number_below;
    if (!stays) start.push_back(file);
    if (stays && range.level > 0 && !start.empty()) break;
  }
  return start;
}

std::optional<CompactionPlan> ManualPicker::PickRange(const ManualRange& range,
                                                      bool* conflict) {
  *conflict = false;
  Files start = StartOf(range);
  if (start.empty()) return std::nullopt;
  start = Closed(range.level, std::move(start));
  if (AnyBusy(start) || (range.level == 0 && Level0Busy())) {
    *conflict = true;
    return std::nullopt;
  }
  auto plan = Finish(range.level, std::move(start), range.output_level);
  if (!plan) {
    *conflict = true;
    return std::nullopt;
  }
  plan->reason = CompactionReason::kManualCompaction;
  plan->max_subcompactions = in_.max_subcompactions;
  if (!range.allow_trivial_move) plan->is_trivial_move = false;
  return plan;
}

CompactionPlan ManualPicker::PickLevel(int from, int to) {
  const Files& files = version_.files(from);
  assert(!files.empty());
  assert(from != to && version_.files(to).empty());
  CompactionPlan plan;
  plan.reason = CompactionReason::kRefitLevel;
  plan.inputs.push_back({from, files});
  plan.output_level = to;
  Complete(&plan, RangeOf(files));
  plan.is_trivial_move = true;
  return plan;
}

// ---------------------------------------------------------------- CompactFiles

Result<std::vector<PlanMaker::Files>> ManualPicker::Find(
    const ChosenFiles& chosen) const {
  const int levels = version_.num_levels();
  if (chosen.output_level < 0 || chosen.output_level >= levels) {
    return Status::InvalidArgument("CompactFiles: there is no level " +
                                   std::to_string(chosen.output_level) +
                                   " to write to, only 0 to " +
                                   std::to_string(levels - 1));
  }
  if (chosen.numbers.empty()) {
    return Status::InvalidArgument("CompactFiles: no file is given");
  }
  std::vector<Files> found(static_cast<size_t>(chosen.output_level) + 1);
  std::set<uint64_t> left(chosen.numbers.begin(), chosen.numbers.end());
  for (int level = 0; level < levels; ++level) {
    for (const FilePtr& file : version_.files(level)) {
      if (left.erase(file->number) == 0) continue;
      if (level > chosen.output_level) {
        return Status::InvalidArgument(
            "CompactFiles: " + TableBaseName(file->number) + " lies in level " +
            std::to_string(level) + ", below the output level " +
            std::to_string(chosen.output_level));
      }
      found[static_cast<size_t>(level)].push_back(file);
    }
  }
  if (left.empty()) return found;
  return Status::InvalidArgument("CompactFiles: the column family has no " +
                                 TableBaseName(*left.begin()));
}

// Of level 0, with the older files that overlap them, or overlap those. Newer
// ones may stay above them.
PlanMaker::Files ManualPicker::WithOlder(const Files& chosen) const {
  Files taken;
  KeyRange range;
  for (const FilePtr& file : version_.files(0)) {  // Newest first.
    const bool is_chosen =
        std::find(chosen.begin(), chosen.end(), file) != chosen.end();
    const bool overlaps =
        !taken.empty() &&
        icmp_.CompareKeys(file->smallest.user_key(), range.largest) <= 0 &&
        icmp_.CompareKeys(file->largest.user_key(), range.smallest) >= 0;
    if (!is_chosen && !overlaps) continue;
    if (taken.empty()) range = RangeOf({file});
    Extend(&range, {file});
    taken.push_back(file);
  }
  return taken;
}

// Those between the newest and the oldest of them in level 0.
PlanMaker::Files ManualPicker::WithNeighbours(const Files& chosen) const {
  assert(!chosen.empty());
  const Files& files = version_.files(0);
  const auto first = std::find(files.begin(), files.end(), chosen.front());
  const auto last = std::find(first, files.end(), chosen.back());
  assert(last != files.end());
  return Files(first, last + 1);
}

// From the start level to the output level, whose files may be none.
Status ManualPicker::AddInputs(const std::vector<Files>& chosen,
                               CompactionPlan* plan, KeyRange* range) const {
  for (int level = 0; level <= plan->output_level; ++level) {
    const Files& own = chosen[static_cast<size_t>(level)];
    Files files = own;
    if (level == 0 && !own.empty()) {
      files = plan->output_level == 0 ? WithNeighbours(own) : WithOlder(own);
    } else if (level > 0 && !(own.empty() && plan->inputs.empty())) {
      if (plan->inputs.empty()) *range = RangeOf(own);
      Extend(range, own);
      files = Overlapping(level, *range);
      if (!files.empty()) files = Closed(level, std::move(files));
    }
    if (AnyBusy(files)) {
      return Status::Aborted(
          "CompactFiles: a running job uses files of level " +
          std::to_string(level) + " that are needed");
    }
    if (!files.empty()) {
      if (plan->inputs.empty()) *range = RangeOf(files);
      Extend(range, files);
    } else if (plan->inputs.empty() || level < plan->output_level) {
      continue;
    }
    plan->inputs.push_back({level, std::move(files)});
  }
  return Status::OK();
}

Result<CompactionPlan> ManualPicker::PickFiles(const ChosenFiles& chosen) {
  const Result<std::vector<Files>> found = Find(chosen);
  if (!found.ok()) return found.status();
  CompactionPlan plan;
  plan.output_level = chosen.output_level;
  KeyRange range;
  RETURN_IF_ERROR(AddInputs(*found, &plan, &range));
  assert(!plan.inputs.empty() && !plan.inputs.front().files.empty());
  // Not only of the output level: what a running job writes to one that is
  // passed over may be older.
  for (int level = std::max(1, plan.start_level()); level <= plan.output_level;
       ++level) {
    if (!OutputRangeBusy(level, range)) continue;
    return Status::Aborted("CompactFiles: a running job writes to level " +
                           std::to_string(level) + " in the same range");
  }
  Complete(&plan, range);
  plan.reason = CompactionReason::kManualCompaction;
  plan.output_path_id = chosen.output_path_id;
  plan.compression = chosen.compression;
  if (plan.output_level > 0) {
    plan.max_subcompactions = in_.max_subcompactions;
    plan.output_file_size_max =
        std::max<uint64_t>(1, chosen.output_file_size_max);
    const bool alone = plan.inputs.size() == 2 && !chosen.compression;
    if (chosen.allow_trivial_move && alone) TryTrivialMove(&plan);
  }
  return plan;
}

}  // namespace

std::optional<CompactionPlan> PickManual(const PickInput& input,
                                         const ManualRange& range,
                                         bool* conflict) {
  return ManualPicker(input).PickRange(range, conflict);
}

CompactionPlan PickRefit(const PickInput& input, int from, int to) {
  return ManualPicker(input).PickLevel(from, to);
}

Result<CompactionPlan> PickChosen(const PickInput& input,
                                  const ChosenFiles& chosen) {
  return ManualPicker(input).PickFiles(chosen);
}

}  // namespace ROCKSDB_NAMESPACE::engine
