#include "test/sim/tree.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "db/column_family/column_family.h"
#include "db/compaction/output_cutter.h"
#include "db/manifest/version_builder.h"

namespace ROCKSDB_NAMESPACE::sim {

namespace {

using engine::CompactionPlan;
using engine::FileMetaData;
using engine::FilePtr;
using engine::InternalKey;
using engine::ValueType;

std::string KeyOf(uint64_t number) {
  std::string key(8, '\0');
  for (int i = 7; i >= 0; --i, number >>= 8) {
    key[static_cast<size_t>(i)] = static_cast<char>(number & 0xff);
  }
  return key;
}

uint64_t NumberOf(const Slice& key) { return engine::KeyPrefix(key); }

// The simulator's own bugs end the run: everything after would be nonsense.
void Require(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "simulator: %s\n", status.ToString().c_str());
  std::abort();
}

struct Run {
  uint64_t first;
  uint64_t last;
  size_t age;  // 0: the newest.
  double puts;
  double deletions;
};

}  // namespace

Tree::Tree(const TreeOptions& options)
    : options_(options),
      icmp_(BytewiseComparator()),
      level0_trigger_(options.family.level0_file_num_compaction_trigger),
      random_(options.seed) {
  version_ = std::make_shared<engine::Version>(
      &icmp_,
      std::vector<engine::LevelFilesPtr>(
          static_cast<size_t>(options.family.num_levels)),
      next_version_++);
  Recompute();
}

void Tree::Recompute() {
  engine::LevelStateInputs inputs;
  inputs.options = engine::LevelOptionsOf(options_.family);
  inputs.options.level0_file_num_compaction_trigger = level0_trigger_;
  inputs.oldest_snapshot = engine::kSequenceMax;
  state_ = engine::ComputeLevelState(*version_, inputs);
}

void Tree::SetLevel0Trigger(int files) {
  if (level0_trigger_ == files) return;
  level0_trigger_ = files;
  Recompute();
}

engine::PickInput Tree::InputFor() const {
  engine::PickInput input;
  input.icmp = &icmp_;
  input.version = version_;
  input.options = &options_.family;
  input.levels = &state_;
  input.max_subcompactions = options_.max_subcompactions;
  input.running = running_;
  return input;
}

void Tree::Register(const CompactionPlan* plan) {
  running_.push_back(plan);
  for (const auto& in : plan->inputs) {
    for (const FilePtr& file : in.files) file->being_compacted = true;
  }
  Recompute();
}

void Tree::Unregister(const CompactionPlan* plan) {
  std::erase(running_, plan);
  for (const auto& in : plan->inputs) {
    for (const FilePtr& file : in.files) file->being_compacted = false;
  }
  Recompute();
}

// --------------------------------------------------------------------- files

FilePtr Tree::MakeFile(const Stretch& range, double puts, double deletions) {
  auto file = std::make_shared<FileMetaData>();
  file->number = next_file_++;
  const double bytes = puts * static_cast<double>(options_.put_bytes) +
                       deletions * static_cast<double>(options_.deletion_bytes);
  file->size = std::max<uint64_t>(static_cast<uint64_t>(bytes), 1);
  file->num_entries = static_cast<uint64_t>(puts + deletions + 0.5);
  file->num_deletions = static_cast<uint64_t>(deletions + 0.5);
  file->stats_loaded = true;
  file->smallest = InternalKey(KeyOf(range.first), 1, ValueType::kValue);
  file->largest = InternalKey(KeyOf(range.last), 1, ValueType::kValue);
  file->SetCompensatedSize(options_.put_bytes);
  return file;
}

FilePtr Tree::FlushedFile(const Writes& writes) {
  const auto keys = static_cast<double>(options_.keys);
  const auto count = static_cast<double>(writes.count());
  const double distinct =
      std::max(1.0, keys * (1 - std::exp(count * std::log1p(-1 / keys))));
  const double deletions =
      distinct * static_cast<double>(writes.deletions) / count;
  // The ends of n numbers drawn evenly lie about keys / n inside.
  const auto gap = static_cast<uint64_t>(keys / (distinct + 1));
  Stretch range;
  range.first = gap == 0 ? 0 : random_.Uniform(gap + 1);
  range.last = options_.keys - 1 - (gap == 0 ? 0 : random_.Uniform(gap + 1));
  FilePtr file = MakeFile(range, distinct - deletions, deletions);
  file->smallest_sequence = writes.smallest_sequence;
  file->largest_sequence = writes.largest_sequence;
  return file;
}

void Tree::Prefill(int level, uint64_t bytes) {
  const uint64_t file_bytes =
      engine::OutputFileSizeMax(options_.family, level, state_.base_level);
  const uint64_t files = std::max<uint64_t>(bytes / file_bytes, 1);
  engine::VersionEdit edit;
  for (uint64_t i = 0; i < files; ++i) {
    const Stretch range{options_.keys * i / files,
                        options_.keys * (i + 1) / files - 1, 0, 0};
    const double puts =
        std::min(static_cast<double>(file_bytes / options_.put_bytes),
                 static_cast<double>(range.last - range.first + 1));
    edit.AddFile(level, MakeFile(range, puts, 0));
    edit.new_files.back().file->epoch = next_epoch_;
  }
  ++next_epoch_;
  Apply(edit);
}

// --------------------------------------------------------------------- merge

std::vector<Tree::Stretch> Tree::Merge(const CompactionPlan& plan) const {
  std::vector<Run> runs;
  std::vector<uint64_t> edges;
  for (const auto& in : plan.inputs) {
    for (const FilePtr& file : in.files) {
      Run run{NumberOf(file->smallest.user_key()),
              NumberOf(file->largest.user_key()), runs.size(), 0, 0};
      const auto width = static_cast<double>(run.last - run.first + 1);
      const auto deletions = static_cast<double>(file->num_deletions);
      run.puts = (static_cast<double>(file->num_entries) - deletions) / width;
      run.deletions = deletions / width;
      edges.push_back(run.first);
      edges.push_back(run.last + 1);
      runs.push_back(run);
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<Run> by_first = runs;
  std::sort(by_first.begin(), by_first.end(),
            [](const Run& a, const Run& b) { return a.first < b.first; });

  std::vector<Stretch> stretches;
  std::vector<Run> active;
  size_t next = 0;
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    const uint64_t first = edges[i];
    std::erase_if(active, [&](const Run& run) { return run.last < first; });
    for (; next < by_first.size() && by_first[next].first == first; ++next) {
      const auto place = std::lower_bound(
          active.begin(), active.end(), by_first[next],
          [](const Run& a, const Run& b) { return a.age < b.age; });
      active.insert(place, by_first[next]);
    }
    if (active.empty()) continue;
    Stretch s{first, edges[i + 1] - 1, 0, 0};
    double free = 1;
    for (const Run& run : active) {
      s.puts += free * run.puts;
      s.deletions += free * run.deletions;
      free *= std::max(0.0, 1 - run.puts - run.deletions);
    }
    if (plan.bottommost) s.deletions = 0;
    stretches.push_back(s);
  }
  return stretches;
}

// Cuts what is merged into files, where the real cutter says so.
class Tree::OutputMaker {
 public:
  OutputMaker(Tree* tree, const CompactionPlan& plan)
      : tree_(tree), plan_(plan), cutter_(CutterOptions(), Grandparents()) {
    smallest_sequence_ = UINT64_MAX;
    epoch_ = UINT64_MAX;
    for (const auto& in : plan.inputs) {
      for (const FilePtr& file : in.files) {
        smallest_sequence_ =
            std::min(smallest_sequence_, file->smallest_sequence);
        largest_sequence_ = std::max(largest_sequence_, file->largest_sequence);
        epoch_ = std::min(epoch_, file->epoch);
      }
    }
  }

  void Add(const Stretch& s) {
    const double bytes_per_key =
        s.puts * static_cast<double>(tree_->options_.put_bytes) +
        s.deletions * static_cast<double>(tree_->options_.deletion_bytes);
    uint64_t step = s.last - s.first + 1;
    const uint64_t max = plan_.output_file_size_max;
    if (max != UINT64_MAX && bytes_per_key > 0) {
      step = static_cast<uint64_t>(static_cast<double>(max) / kSteps /
                                   bytes_per_key);
      step = std::max<uint64_t>(step, 1);
    }
    for (uint64_t first = s.first; first <= s.last; first += step) {
      const uint64_t last = std::min(s.last, first + step - 1);
      const std::string key = KeyOf(first);
      if (cutter_.ShouldCutBefore(key, static_cast<uint64_t>(bytes_))) Cut();
      const auto width = static_cast<double>(last - first + 1);
      if (bytes_ == 0) open_.first = first;
      open_.last = last;
      open_.puts += s.puts * width;
      open_.deletions += s.deletions * width;
      bytes_ += bytes_per_key * width;
    }
  }

  std::vector<FilePtr> Finish() {
    Cut();
    return std::move(files_);
  }

 private:
  static constexpr double kSteps = 32;  // Per output file.

  engine::OutputCutterOptions CutterOptions() const {
    return {&tree_->icmp_, plan_.output_file_size_max, plan_.overlap_bytes_max};
  }
  std::vector<engine::OutputCutter::Grandparent> Grandparents() const {
    std::vector<engine::OutputCutter::Grandparent> list;
    for (const FilePtr& file : plan_.grandparents) {
      list.push_back(
          {file->smallest.user_key(), file->largest.user_key(), file->size});
    }
    return list;
  }

  void Cut() {
    // Less than one entry: nothing that a table could hold.
    if (open_.puts + open_.deletions >= 0.5) {
      FilePtr file = tree_->MakeFile(open_, open_.puts, open_.deletions);
      file->smallest_sequence = smallest_sequence_;
      file->largest_sequence = largest_sequence_;
      file->epoch = epoch_;
      files_.push_back(std::move(file));
    }
    open_ = {};
    bytes_ = 0;
  }

  Tree* const tree_;
  const CompactionPlan& plan_;
  engine::OutputCutter cutter_;
  uint64_t smallest_sequence_ = 0;
  uint64_t largest_sequence_ = 0;
  uint64_t epoch_ = 0;
  Stretch open_;  // puts and deletions are sums here.
  double bytes_ = 0;
  std::vector<FilePtr> files_;
};

std::vector<FilePtr> Tree::MergedFiles(const CompactionPlan& plan) {
  OutputMaker maker(this, plan);
  for (const Stretch& s : Merge(plan)) maker.Add(s);
  return maker.Finish();
}

// ------------------------------------------------------------------- install

void Tree::Apply(const engine::VersionEdit& edit) {
  engine::VersionBuilder builder(version_.get(), options_.family.num_levels,
                                 /*check_order=*/true);
  Require(builder.Apply(edit));
  auto built = builder.Build(next_version_++);
  Require(built.ok() ? Status::OK() : built.status());
  version_ = built->version;
  Recompute();
}

void Tree::InstallFlush(FilePtr file) {
  file->epoch = next_epoch_++;
  engine::VersionEdit edit;
  edit.AddFile(0, std::move(file));
  Apply(edit);
}

void Tree::InstallMerge(const CompactionPlan& plan,
                        const std::vector<FilePtr>& outputs) {
  engine::VersionEdit edit;
  for (const auto& in : plan.inputs) {
    for (const FilePtr& file : in.files)
      edit.DeleteFile(in.level, file->number);
  }
  for (const FilePtr& file : outputs) edit.AddFile(plan.output_level, file);
  Apply(edit);
}

void Tree::InstallMove(const CompactionPlan& plan) {
  engine::VersionEdit edit;
  for (const FilePtr& file : plan.inputs.front().files) {
    edit.DeleteFile(plan.start_level(), file->number);
    edit.AddFile(plan.output_level, file);
  }
  Apply(edit);
}

}  // namespace ROCKSDB_NAMESPACE::sim
