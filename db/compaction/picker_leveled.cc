#include "db/compaction/picker_leveled.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/compaction/table_output.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Neighbours in level 0 that could become one file.
struct TierWindow {
  size_t first = 0;
  size_t count = 0;
  int rank = 3;     // 0: ends in time; 1: soon enough; 2: neither.
  double cost = 0;  // Lower is better, within a rank.

  void Offer(const TierWindow& other) {
    if (other.rank < rank || (other.rank == rank && other.cost < cost)) {
      *this = other;
    }
  }
};

class Picker : PlanMaker {
 public:
  explicit Picker(const PickInput& input) : PlanMaker(input) {}

  std::optional<CompactionPlan> PickByScore();
  std::optional<CompactionPlan> PickMarked();
  std::optional<CompactionPlan> PickBottommost();
  std::optional<CompactionPlan> PickForBlobs();

 private:
  std::optional<CompactionPlan> PickLevel0();
  std::optional<CompactionPlan> PickIntraL0();
  std::optional<CompactionPlan> PickLevel0Tuned();
  std::optional<CompactionPlan> PickUrgent();
  std::optional<CompactionPlan> PickInBackground();
  std::optional<CompactionPlan> PickBaseMerge();
  std::optional<CompactionPlan> PickLateBaseMerge();
  std::optional<CompactionPlan> PickTier(double bytes_per_file_max);
  std::optional<CompactionPlan> PickLargeTier();
  bool IsFresh(const FileMetaData& file) const;
  size_t TierWidth() const;
  template <typename Judge>
  TierWindow BestWindow(bool fresh, size_t files_min, Judge&& judge) const;
  CompactionPlan IntraL0(size_t first, size_t count) const;
  Files OldestIdleL0() const;
  bool BaseMergeRunning() const;
  double BytesUntil(double files_max) const;
  double BytesUntilStop() const;
  bool WaitsForMore(int level) const;
  std::optional<CompactionPlan> PickLower(int level);
  std::optional<CompactionPlan> FromSeed(int level, const FilePtr& seed);
  std::vector<FilePtr> ByPriority(int level) const;
  Files OldestDisjointL0() const;
  Files TakeMarkedRun(size_t* next) const;
};

// --------------------------------------------------------------------- levels

std::optional<CompactionPlan> Picker::PickByScore() {
  const LevelState& state = *in_.levels;
  bool skipped_l0_to_base = false;
  for (const LevelScore& entry : state.scores) {
    if (entry.score < 1) break;
    // After a failed L0 -> base, base -> base + 1 would only keep the base
    // level busy and starve L0 further.
    if (skipped_l0_to_base && entry.level == state.base_level) continue;
    std::optional<CompactionPlan> plan;
    if (entry.level > 0) {
      plan = PickLower(entry.level);
    } else if (in_.shape.runs_target > 0) {
      plan = PickLevel0Tuned();
    } else if (in_.pick_runs) {
      plan = PickLevel0();
      skipped_l0_to_base = !plan;
      if (!plan) plan = PickIntraL0();
    }
    if (!plan) continue;
    plan->score = entry.score;
    if (plan->reason == CompactionReason::kUnknown) {
      plan->reason = entry.level == 0 ? CompactionReason::kLevelL0FilesNum
                                      : CompactionReason::kLevelMaxLevelSize;
    }
    return plan;
  }
  return std::nullopt;
}

// One file at a time, with what overlaps it. Rewritten, not moved: the mark
// asks for what only a merge does.
std::optional<CompactionPlan> Picker::PickMarked() {
  if (!in_.pick_marked) return std::nullopt;
  for (const MarkedFile& marked : in_.levels->marked) {
    if (marked.file->being_compacted) continue;
    std::optional<CompactionPlan> plan;
    if (marked.level > 0) {
      plan = FromSeed(marked.level, marked.file);
    } else if (!Level0Busy()) {
      Files start = Closed(0, {marked.file});
      if (AnyBusy(start)) continue;
      plan = Finish(0, std::move(start), in_.levels->base_level);
    }
    if (!plan) continue;
    plan->is_trivial_move = false;
    plan->reason = CompactionReason::kFilesMarkedForCompaction;
    return plan;
  }
  return std::nullopt;
}

// The marked file and the marked neighbours behind it, as many as one job
// takes.
PlanMaker::Files Picker::TakeMarkedRun(size_t* next) const {
  assert(*next < in_.levels->bottommost_marked.size());
  const std::vector<MarkedFile>& marked = in_.levels->bottommost_marked;
  const Files& files = version_.files(marked[*next].level);
  auto at = std::find(files.begin(), files.end(), marked[*next].file);
  assert(at != files.end());  // It was marked in this version.
  Files run;
  uint64_t bytes = 0;
  do {
    bytes += (*at)->size;
    run.push_back(*at);
    ++at;
    ++*next;
  } while (at != files.end() && *next < marked.size() &&
           *at == marked[*next].file &&
           bytes + (*at)->size <= in_.options->max_compaction_bytes);
  return run;
}

// Neighbours make one job, so that what is left of them fills whole files.
std::optional<CompactionPlan> Picker::PickBottommost() {
  if (!in_.pick_marked) return std::nullopt;
  const std::vector<MarkedFile>& marked = in_.levels->bottommost_marked;
  for (size_t next = 0; next < marked.size();) {
    const int level = marked[next].level;
    Files start = Closed(level, TakeMarkedRun(&next));
    if (AnyBusy(start)) continue;
    auto plan = Finish(level, std::move(start), level);
    if (!plan) continue;
    plan->reason = CompactionReason::kBottommostFiles;
    return plan;
  }
  return std::nullopt;
}

// Rewriting a table moves its blobs to a new file; that it stays in its level
// costs least. Level 0 has to keep its order, so from there it goes down.
std::optional<CompactionPlan> Picker::PickForBlobs() {
  if (!in_.pick_marked) return std::nullopt;
  for (const MarkedFile& marked : in_.levels->blob_gc) {
    if (marked.file->being_compacted) continue;
    if (marked.level == 0 && Level0Busy()) continue;
    Files start = Closed(marked.level, {marked.file});
    if (AnyBusy(start)) continue;
    const int output =
        marked.level == 0 ? in_.levels->base_level : marked.level;
    auto plan = Finish(marked.level, std::move(start), output);
    if (!plan) continue;
    plan->reason = CompactionReason::kForcedBlobGC;
    return plan;
  }
  return std::nullopt;
}

// The oldest files that overlap neither each other nor the base level can
// all move at once.
PlanMaker::Files Picker::OldestDisjointL0() const {
  const int base = in_.levels->base_level;
  const Files& files = version_.files(0);
  Files run;
  for (auto it = files.rbegin(); it != files.rend(); ++it) {
    const KeyRange range = RangeOf({*it});
    if ((*it)->being_compacted || Overlapping(0, range).size() > 1 ||
        !Overlapping(base, range).empty()) {
      break;
    }
    run.push_back(*it);
  }
  return run;
}

std::optional<CompactionPlan> Picker::PickLevel0() {
  if (Level0Busy() || version_.files(0).empty()) return std::nullopt;
  const int base = in_.levels->base_level;
  Files start = OldestDisjointL0();
  if (start.empty()) start = Closed(0, {version_.files(0).back()});
  if (AnyBusy(start)) return std::nullopt;
  return Finish(0, std::move(start), base);
}

// While L0 -> base is impossible the newest files are merged into one, as
// long as each file more costs fewer bytes per file that disappears.
std::optional<CompactionPlan> Picker::PickIntraL0() {
  const Files& files = version_.files(0);
  const size_t trigger = static_cast<size_t>(
      std::max(1, in_.options->level0_file_num_compaction_trigger));
  if (files.size() < trigger + 2 || files[0]->being_compacted) {
    return std::nullopt;
  }
  const uint64_t bytes_max = in_.options->max_compaction_bytes;
  uint64_t bytes = files[0]->size;
  uint64_t bytes_per_file = UINT64_MAX;
  size_t count = 1;
  for (; count < files.size(); ++count) {
    if (files[count]->being_compacted) break;
    const uint64_t more = bytes + files[count]->size;
    const uint64_t more_per_file = more / count;
    if (more_per_file > bytes_per_file || more > bytes_max) break;
    bytes = more;
    bytes_per_file = more_per_file;
  }
  constexpr size_t kIntraL0FilesMin = 4;
  if (count < kIntraL0FilesMin) return std::nullopt;
  return IntraL0(0, count);
}

// The `count` files from the `first` newest on become one.
CompactionPlan Picker::IntraL0(size_t first, size_t count) const {
  assert(count > 1 && first + count <= version_.files(0).size());
  const auto begin = version_.files(0).begin() + static_cast<ptrdiff_t>(first);
  CompactionPlan plan;
  plan.reason = CompactionReason::kLevelL0FilesNum;
  plan.inputs.push_back(
      {0, Files(begin, begin + static_cast<ptrdiff_t>(count))});
  plan.output_level = 0;
  Complete(&plan, RangeOf(plan.inputs[0].files));
  return plan;
}

// -------------------------------------------------------------- tuned level 0

// No running job uses any file older than these, so they may move down together
// while newer files are merged with each other.
PlanMaker::Files Picker::OldestIdleL0() const {
  Files idle;
  const Files& files = version_.files(0);
  for (auto it = files.rbegin(); it != files.rend(); ++it) {
    if ((*it)->being_compacted) break;
    idle.push_back(*it);
  }
  std::reverse(idle.begin(), idle.end());
  return idle;
}

bool Picker::BaseMergeRunning() const {
  for (const CompactionPlan* plan : in_.running) {
    if (plan->start_level() == 0 && plan->output_level > 0) return true;
  }
  return false;
}

// How much a merge may read if level 0 is to stay at `files_max` files until
// it has ended.
double Picker::BytesUntil(double files_max) const {
  const FamilyDecision& shape = in_.shape;
  const double room = files_max - static_cast<double>(version_.files(0).size());
  if (room <= 0) return 0;
  constexpr double kUnlimitedBytes = 1e18;
  if (shape.level0_files_per_second <= 0) return kUnlimitedBytes;
  return std::min(kUnlimitedBytes, room / shape.level0_files_per_second *
                                       shape.merge_bytes_per_second);
}

// The same, up to two files before writers stop: one may be on its way, and one
// comes while the merge is installed.
double Picker::BytesUntilStop() const {
  return BytesUntil(in_.options->level0_stop_writes_trigger - 2);
}

// Everything that may go down, if it ends in time.
std::optional<CompactionPlan> Picker::PickBaseMerge() {
  const FamilyDecision& shape = in_.shape;
  const int base = in_.levels->base_level;
  Files start = OldestDisjointL0();
  if (start.empty()) start = OldestIdleL0();
  if (start.empty()) return std::nullopt;
  std::optional<CompactionPlan> plan = Finish(0, start, base);
  if (!plan || plan->is_trivial_move) return plan;
  const double in_time = BytesUntil(shape.runs_target);
  if (static_cast<double>(plan->InputBytes()) <= in_time) return plan;
  return std::nullopt;
}

// As much of level 0 as is to go down even if that takes longer.
std::optional<CompactionPlan> Picker::PickLateBaseMerge() {
  const FamilyDecision& shape = in_.shape;
  if (shape.base_merge_bytes == 0 || BaseMergeRunning()) return std::nullopt;
  const int base = in_.levels->base_level;
  Files start = OldestIdleL0();
  if (start.empty()) return std::nullopt;
  std::optional<CompactionPlan> plan = Finish(0, start, base);
  if (!plan || plan->is_trivial_move) return plan;
  const uint64_t below = plan->InputBytes() - BytesOf(start);
  while (start.size() > 2 && BytesOf(start) > shape.base_merge_bytes) {
    start.erase(start.begin());  // The newest stays in level 0.
  }
  // Not worth its base level: that goes down first.
  if (below > 2 * BytesOf(start)) return std::nullopt;
  return Finish(0, std::move(start), base);
}

std::optional<CompactionPlan> Picker::PickLevel0Tuned() {
  std::optional<CompactionPlan> plan;
  if (in_.pick_runs) plan = PickUrgent();
  if (!plan && in_.pick_lower) plan = PickInBackground();
  return plan;
}

std::optional<CompactionPlan> Picker::PickUrgent() {
  const FamilyDecision& shape = in_.shape;
  const Files& files = version_.files(0);
  if (files.empty()) return std::nullopt;
  if (!BaseMergeRunning()) {
    if (auto plan = PickBaseMerge()) return plan;
  }
  const bool busy = std::any_of(
      in_.running.begin(), in_.running.end(), [](const CompactionPlan* plan) {
        return plan->start_level() == 0 && !plan->in_background;
      });
  return PickTier(busy ? shape.tier_beside_bytes_per_file : 1e18);
}

// One at a time: it would only take the device from those that end sooner.
std::optional<CompactionPlan> Picker::PickInBackground() {
  for (const CompactionPlan* running : in_.running) {
    if (running->in_background) return std::nullopt;
  }
  std::optional<CompactionPlan> plan = PickLateBaseMerge();
  if (!plan) plan = PickLargeTier();
  // A target so near that level 0 has reached it before a tier is worth its
  // bytes: waiting would stop writers for ever.
  const size_t files = version_.files(0).size();
  if (!plan && static_cast<int>(files) >= in_.shape.runs_target) {
    plan = PickLevel0();
  }
  if (plan) plan->in_background = !plan->is_trivial_move;
  return plan;
}

// As it was flushed, or nearly. Larger files are what merges have made.
bool Picker::IsFresh(const FileMetaData& file) const {
  constexpr double kFreshSizeMax = 1.5;
  return static_cast<double>(file.size) <=
         kFreshSizeMax * in_.shape.flushed_file_bytes;
}

// The more files a merge takes, the fewer bytes it writes for each that
// disappears; but all of them, and those that come while it runs, have to fit
// beside the larger ones. Without room there is nothing to wait for.
size_t Picker::TierWidth() const {
  constexpr double kNearlyFull = 0.95;
  const auto least = static_cast<size_t>(in_.shape.tier_files_min);
  const double target = in_.shape.runs_target;
  const Files& files = version_.files(0);
  if (static_cast<double>(files.size()) >= kNearlyFull * target) return least;
  const auto merged =
      std::count_if(files.begin(), files.end(),
                    [&](const FilePtr& file) { return !IsFresh(*file); });
  const double room = std::max(0.0, target - static_cast<double>(merged));
  return std::max(least, static_cast<size_t>(in_.shape.tier_room_share * room));
}

// Among windows of idle neighbours, of which none makes up more than half of
// the bytes: a file that is merged with little else is written for nothing.
// `judge` gives a window its rank and cost, or leaves it out.
template <typename Judge>
TierWindow Picker::BestWindow(bool fresh, size_t files_min,
                              Judge&& judge) const {
  const Files& files = version_.files(0);
  TierWindow best;
  for (size_t first = 0; first < files.size(); ++first) {
    double bytes = 0;
    double largest = 0;
    for (size_t end = first; end < files.size(); ++end) {
      const FileMetaData& file = *files[end];
      if (file.being_compacted || IsFresh(file) != fresh) break;
      const auto size = static_cast<double>(file.size);
      bytes += size;
      largest = std::max(largest, size);
      const size_t count = end - first + 1;
      if (count < files_min || (!fresh && largest > bytes / 2)) continue;
      TierWindow window{.first = first, .count = count};
      if (judge(bytes, bytes / static_cast<double>(count - 1), &window)) {
        best.Offer(window);
      }
    }
  }
  return best;
}

// The window of fresh files that removes most runs per byte written: among
// those that end in time for the target, else soon and before the stop, else
// the smallest.
std::optional<CompactionPlan> Picker::PickTier(double bytes_per_file_max) {
  const auto files_min = static_cast<size_t>(in_.shape.tier_files_min);
  // Merging a few more files would not improve the merge.
  if (version_.files(0).size() < files_min + 2) return std::nullopt;
  const double in_time = BytesUntil(in_.shape.runs_target);
  // Beyond the target every second counts: what takes longer than this keeps
  // newer files waiting for too long.
  constexpr double kLateMergeSecsMax = 5;
  const double soon = std::min(
      BytesUntilStop(), kLateMergeSecsMax * in_.shape.merge_bytes_per_second);
  const TierWindow best = BestWindow(
      /*fresh=*/true, TierWidth(),
      [&](double bytes, double per_file, TierWindow* window) {
        window->rank = bytes <= in_time ? 0 : bytes <= soon ? 1 : 2;
        window->cost = window->rank == 2 ? bytes : per_file;
        return per_file <= bytes_per_file_max;
      });
  if (best.count == 0) return std::nullopt;
  return IntraL0(best.first, best.count);
}

// The same for what merges of level 0 have made: what would end before writers
// stop at the speed of urgent merges, else the smallest. Until a merge has
// ended all of its inputs count.
std::optional<CompactionPlan> Picker::PickLargeTier() {
  const auto files_min = static_cast<size_t>(in_.shape.tier_files_min);
  const double in_time = BytesUntilStop();
  const TierWindow best =
      BestWindow(/*fresh=*/false, files_min,
                 [&](double bytes, double per_file, TierWindow* window) {
                   window->rank = bytes <= in_time ? 0 : 1;
                   window->cost = window->rank == 0 ? per_file : bytes;
                   return true;
                 });
  if (best.count == 0) return std::nullopt;
  return IntraL0(best.first, best.count);
}

// The tuner lets the base level grow while level 0 is under pressure.
bool Picker::WaitsForMore(int level) const {
  return level == in_.levels->base_level &&
         in_.levels->level_bytes[static_cast<size_t>(level)] <
             in_.shape.base_target_bytes;
}

std::vector<FilePtr> Picker::ByPriority(int level) const {
  Files files = version_.files(level);
  const auto by = [&](auto&& key) {
    std::vector<std::pair<uint64_t, FilePtr>> order;
    order.reserve(files.size());
    for (FilePtr& file : files) order.emplace_back(key(file), file);
    std::stable_sort(
        order.begin(), order.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < files.size(); ++i) files[i] = order[i].second;
  };
  switch (in_.options->compaction_pri) {
    case kByCompensatedSize:
      by([](const FilePtr& f) { return ~f->CompensatedSize(); });
      break;
    case kOldestLargestSeqFirst:
      by([](const FilePtr& f) { return f->largest_sequence; });
      break;
    case kOldestSmallestSeqFirst:
      by([](const FilePtr& f) { return f->smallest_sequence; });
      break;
    default:  // kMinOverlappingRatio; kRoundRobin is mapped to it.
      by([&](const FilePtr& f) {
        return OverlapBytes(level + 1, f) * 1024 /
               std::max<uint64_t>(1, f->CompensatedSize());
      });
  }
  return files;
}

std::optional<CompactionPlan> Picker::PickLower(int level) {
  if (!in_.pick_lower || WaitsForMore(level)) return std::nullopt;
  if (level + 1 >= version_.num_levels()) return std::nullopt;
  for (const FilePtr& seed : ByPriority(level)) {
    if (seed->being_compacted) continue;
    if (auto plan = FromSeed(level, seed)) return plan;
  }
  return std::nullopt;
}

std::optional<CompactionPlan> Picker::FromSeed(int level, const FilePtr& seed) {
  Files start = Closed(level, {seed});
  if (AnyBusy(start)) return std::nullopt;
  return Finish(level, std::move(start), level + 1);
}

}  // namespace

std::optional<CompactionPlan> PickLeveled(const PickInput& input) {
  Picker picker(input);
  std::optional<CompactionPlan> plan = picker.PickByScore();
  if (!plan) plan = picker.PickMarked();
  if (!plan) plan = picker.PickBottommost();
  if (!plan) plan = picker.PickForBlobs();
  return plan;
}

}  // namespace ROCKSDB_NAMESPACE::engine
