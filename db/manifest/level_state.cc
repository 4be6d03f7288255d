#include "db/manifest/level_state.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr uint64_t kNoLimit = UINT64_MAX;
// With dynamic targets every score above 1 is put this much higher, so that
// urgent work of any level goes before levels that are merely full.
constexpr double kUrgentFactor = 10;

uint64_t Whole(double bytes) {
  // 2^64 as a double; what reaches it does not fit.
  return bytes >= 18446744073709551616.0 ? kNoLimit
                                         : static_cast<uint64_t>(bytes);
}

uint64_t Times(uint64_t bytes, double factor) {
  if (bytes == 0 || factor <= 0) return 0;
  return Whole(static_cast<double>(bytes) * factor);
}

// Of a multiplier below 1 this is more.
uint64_t DividedBy(double multiplier, uint64_t bytes) {
  assert(multiplier > 0);
  return Whole(static_cast<double>(bytes) / multiplier);
}

uint64_t Plus(uint64_t a, uint64_t b) {
  return a > kNoLimit - b ? kNoLimit : a + b;
}

double Ratio(uint64_t bytes, uint64_t target) {
  return static_cast<double>(bytes) /
         static_cast<double>(std::max<uint64_t>(target, 1));
}

LevelTargets StaticTargets(size_t levels, const LevelOptions& options) {
  LevelTargets targets;
  targets.multiplier = options.max_bytes_for_level_multiplier;
  targets.bytes.assign(levels, options.max_bytes_for_level_base);
  const std::vector<int>& additional =
      options.max_bytes_for_level_multiplier_additional;
  for (size_t i = 2; i < levels; ++i) {
    const int extra = i - 1 < additional.size() ? additional[i - 1] : 1;
    targets.bytes[i] = Times(Times(targets.bytes[i - 1], targets.multiplier),
                             static_cast<double>(extra));
  }
  return targets;
}

LevelTargets DynamicTargets(const std::vector<uint64_t>& level_bytes,
                            const LevelOptions& options) {
  const int levels = static_cast<int>(level_bytes.size());
  assert(levels > 1);
  const auto bytes_at = [&](int level) {
    return level_bytes[static_cast<size_t>(level)];
  };
  LevelTargets targets;
  targets.multiplier = options.max_bytes_for_level_multiplier;
  targets.bytes.assign(level_bytes.size(), kNoLimit);

  int first = -1;  // Highest level with data below level 0.
  uint64_t largest = 0;
  for (int level = 1; level < levels; ++level) {
    if (bytes_at(level) > 0 && first < 0) first = level;
    largest = std::max(largest, bytes_at(level));
  }
  if (first < 0) {
    // No data below level 0: everything goes to the last level.
    targets.base_level = levels - (options.ingest_behind ? 2 : 1);
    targets.base_level = std::max(targets.base_level, levels > 1 ? 1 : 0);
    return targets;
  }

  const uint64_t base_max = options.max_bytes_for_level_base;
  assert(base_max > 0);
  const uint64_t base_min = DividedBy(targets.multiplier, base_max);
  uint64_t size = largest;
  for (int level = levels - 2; level >= first; --level) {
    size = DividedBy(targets.multiplier, size);
    if (targets.lowest_unnecessary_level < 0 && size <= base_min) {
      targets.lowest_unnecessary_level = level;
    }
  }
  targets.base_level = first;
  if (size <= base_min) {
    size = Plus(base_min, 1);
  } else {
    while (targets.base_level > 1 && size > base_max) {
      --targets.base_level;
      size = DividedBy(targets.multiplier, size);
    }
    size = std::clamp<uint64_t>(size, 1, base_max);
  }
  assert(0 < targets.base_level && targets.base_level < levels);
  for (int level = targets.base_level; level < levels; ++level) {
    if (level > targets.base_level) size = Times(size, targets.multiplier);
    // A level below the base size would make the tree narrow in the middle.
    targets.bytes[static_cast<size_t>(level)] = std::max(size, base_max);
  }
  return targets;
}

// Fills in sizes and counts.
void Measure(const Version& version, LevelState* s) {
  assert(s->num_levels > 0);
  const size_t levels = static_cast<size_t>(s->num_levels);
  s->num_non_empty_levels = version.num_non_empty_levels();
  s->level_bytes.assign(levels, 0);
  s->idle_bytes.assign(levels, 0);
  s->num_files.assign(levels, 0);
  s->sorted_runs = version.NumFiles(0);
  for (size_t i = 0; i < levels; ++i) {
    const LevelFiles& files = version.level(static_cast<int>(i));
    s->level_bytes[i] = files.total_bytes;
    s->num_files[i] = static_cast<int>(files.size());
    if (i > 0 && !files.empty()) ++s->sorted_runs;
    for (const LevelFile& f : files.flat) {
      if (f.file->being_compacted) continue;
      s->idle_bytes[i] += f.file->CompensatedSize();
      if (i == 0) ++s->l0_idle_files;
    }
  }
}

double Level0Score(const LevelState& s, const LevelOptions& options) {
  const uint64_t bytes = s.idle_bytes[0];
  const int trigger = std::max(options.level0_file_num_compaction_trigger, 1);
  double score = static_cast<double>(s.l0_idle_files) / trigger;
  if (s.num_levels <= 1) return score;
  if (!options.dynamic_level_bytes) {
    return std::max(score, Ratio(bytes, options.max_bytes_for_level_base));
  }
  // Level 0 must not grow past the base level for lack of files.
  if (bytes >= options.max_bytes_for_level_base) score = std::max(score, 1.01);
  const size_t base = static_cast<size_t>(s.base_level);
  if (bytes > s.target_bytes[base]) {
    const uint64_t size = std::max(s.level_bytes[base], s.target_bytes[base]);
    score = std::max(score, Ratio(bytes, size));
  }
  return score > 1 ? score * kUrgentFactor : score;
}

void ScoreLevels(const LevelOptions& options, LevelState* s) {
  assert(s->scores.empty());
  s->scores.push_back({0, Level0Score(*s, options)});
  // What the levels above are about to push down: it will make this level
  // overfull anyway, so compacting it first would be wasted.
  uint64_t coming_down = s->idle_bytes[0];
  const int last_input = s->num_levels - (options.ingest_behind ? 2 : 1) - 1;
  for (int level = 1; level <= last_input; ++level) {
    const size_t i = static_cast<size_t>(level);
    const uint64_t target = s->target_bytes[i];
    double score = Ratio(s->idle_bytes[i], target);
    if (options.dynamic_level_bytes) {
      if (s->idle_bytes[i] >= target) {
        score =
            Ratio(s->idle_bytes[i], Plus(target, coming_down)) * kUrgentFactor;
      }
      if (s->level_bytes[i] > target) {
        coming_down = Plus(coming_down, s->level_bytes[i] - target);
      }
      if (s->idle_bytes[i] > 0 && level <= s->lowest_unnecessary_level) {
        // A level too many costs every read; the highest drains first.
        score = std::max(
            score, kUrgentFactor *
                       (1.001 + 0.001 * (s->lowest_unnecessary_level - level)));
      }
    }
    s->scores.push_back({level, score});
  }
  std::sort(s->scores.begin(), s->scores.end(),
            [](const LevelScore& a, const LevelScore& b) {
              if (a.score != b.score) return a.score > b.score;
              return a.level < b.level;
            });
}

// RocksDB's estimate counts what a level has too much only once the next level
// holds data, and jumps by all of it then; `foresee` counts it before, at every
// level: several may get their first files within a second.
uint64_t EstimatePending(const LevelOptions& options, const LevelState& s,
                         bool foresee) {
  uint64_t pending = 0;
  uint64_t incoming = 0;  // Bytes that the level above will push into this.
  const bool level0_due =
      s.num_files[0] >= options.level0_file_num_compaction_trigger ||
      s.level_bytes[0] >= options.max_bytes_for_level_base;
  if (level0_due) {
    pending = s.level_bytes[0];
    incoming = s.level_bytes[0];
  }
  for (int level = std::max(s.base_level, 1); level < s.num_levels; ++level) {
    const size_t i = static_cast<size_t>(level);
    if (level0_due && level == s.base_level) {
      pending = Plus(pending, s.level_bytes[i]);
    }
    const uint64_t size = Plus(s.level_bytes[i], incoming);
    incoming = 0;
    if (size <= s.target_bytes[i]) continue;
    incoming = size - s.target_bytes[i];
    const bool last = level == s.num_levels - (options.ingest_behind ? 2 : 1);
    const uint64_t next =
        i + 1 < s.level_bytes.size() ? s.level_bytes[i + 1] : 0;
    if (next > 0 || (foresee && !last)) {
      pending = Plus(pending, Times(incoming, Ratio(next, size) + 1));
    }
  }
  return pending;
}

void ScoreByStyle(const LevelOptions& options, LevelState* s) {
  const double trigger =
      std::max(options.level0_file_num_compaction_trigger, 1);
  s->l0_stall_count = s->num_files[0];
  switch (options.style) {
    case kCompactionStyleLevel:
      ScoreLevels(options, s);
      s->pending_compaction_bytes = EstimatePending(options, *s, false);
      s->foreseen_compaction_bytes = EstimatePending(options, *s, true);
      break;
    case kCompactionStyleUniversal: {
      s->l0_stall_count = s->sorted_runs;
      int idle = s->l0_idle_files;
      for (size_t i = 1; i < s->idle_bytes.size(); ++i) {
        if (s->idle_bytes[i] > 0) ++idle;
      }
      s->scores.push_back({0, idle / trigger});
      break;
    }
    case kCompactionStyleFIFO:
      s->scores.push_back(
          {0, Ratio(s->level_bytes[0], options.fifo_max_table_files_size)});
      break;
    default:
      break;  // Nothing by itself.
  }
}

// Bottommost files hold old versions and deletions only for snapshots. Marks
// those for which the snapshots are gone. Level 0 has to keep its order; its
// garbage goes when it is compacted down.
void MarkBottommost(const Version& version, const LevelStateInputs& inputs,
                    LevelState* s) {
  // Histories of timestamps are cut by full_history_ts_low, not by snapshots.
  if (version.icmp().timestamp_size() > 0) return;
  const LevelOptions& options = inputs.options;
  if (options.style != kCompactionStyleLevel) return;
  for (int level = 1; level < version.num_non_empty_levels(); ++level) {
    for (const FilePtr& f : version.files(level)) {
      if (f->being_compacted || !f->HoldsUnsettledGarbage() ||
          version.RangeOverlapsBelow(level, f->smallest.user_key(),
                                     f->largest.user_key())) {
        continue;
      }
      const uint64_t due_secs =
          options.bottommost_delay_secs > 0
              ? f->creation_time_secs + options.bottommost_delay_secs
              : 0;
      if (f->largest_sequence > inputs.oldest_snapshot) {
        s->bottommost_mark_threshold =
            std::min(s->bottommost_mark_threshold, f->largest_sequence);
      } else if (due_secs > inputs.now_secs) {
        s->bottommost_due_secs = std::min(s->bottommost_due_secs, due_secs);
      } else {
        s->bottommost_marked.push_back({level, f});
      }
    }
  }
}

void MarkFiles(const Version& version, LevelState* s) {
  // The last level has nowhere to go.
  const int last = version.num_non_empty_levels() - 1;
  for (int level = 0; level < last; ++level) {
    for (const FilePtr& f : version.files(level)) {
      const bool marked = f->marked_for_compaction || f->suggested;
      if (marked && !f->being_compacted) {
        s->marked.push_back({level, f});
      }
    }
  }
}

// The oldest blob file and those behind it up to the next one that tables are
// linked to: when nothing points at the oldest any more, all of them go. So
// their garbage is looked at together, and only when they are all old enough.
//
// A filter that changes values makes garbage of those that it sees. So tables
// that a collection has just written wait for garbage of other jobs: two of
// them could otherwise have one another collected for ever.
void MarkForBlobs(const Version& version, const LevelStateInputs& inputs,
                  LevelState* s) {
  const LevelOptions& options = inputs.options;
  const std::vector<LiveBlobFile>& blobs = version.blobs().files;
  if (blobs.empty() || options.blob_gc_force_threshold < 0) return;
  uint64_t next_linked = UINT64_MAX;
  std::vector<MarkedFile> linked;  // To the oldest.
  for (int level = 0; level < version.num_non_empty_levels(); ++level) {
    for (const FilePtr& f : version.files(level)) {
      if (f->oldest_blob_file == kNoBlobFile) continue;
      if (f->oldest_blob_file != blobs[0].number()) {
        next_linked = std::min(next_linked, f->oldest_blob_file);
      } else if (!f->being_compacted &&
                 f->collected_after != inputs.garbage_jobs) {
        linked.push_back({level, f});
      }
    }
  }
  uint64_t total = 0;
  uint64_t garbage = 0;
  const uint64_t collect_below =
      version.blobs().CollectBelow(options.blob_gc_age_cutoff);
  for (const LiveBlobFile& blob : blobs) {
    if (blob.number() >= next_linked) break;
    if (blob.number() >= collect_below) return;
    total += blob.total_bytes();
    garbage += blob.garbage_bytes;
  }
  const double enough =
      options.blob_gc_force_threshold * static_cast<double>(total);
  // Without any, tables would be rewritten for ever.
  if (garbage > 0 && static_cast<double>(garbage) >= enough) {
    s->blob_gc = std::move(linked);
  }
}

}  // namespace

LevelTargets ComputeLevelTargets(const std::vector<uint64_t>& level_bytes,
                                 const LevelOptions& options) {
  assert(!level_bytes.empty());
  const bool dynamic = options.dynamic_level_bytes &&
                       options.style == kCompactionStyleLevel &&
                       level_bytes.size() > 1;
  return dynamic ? DynamicTargets(level_bytes, options)
                 : StaticTargets(level_bytes.size(), options);
}

LevelState ComputeLevelState(const Version& version,
                             const LevelStateInputs& inputs) {
  LevelState s;
  s.style = inputs.options.style;
  s.num_levels = version.num_levels();
  Measure(version, &s);
  LevelTargets targets = ComputeLevelTargets(s.level_bytes, inputs.options);
  assert(targets.bytes.size() == s.level_bytes.size());
  s.base_level = targets.base_level;
  s.lowest_unnecessary_level = targets.lowest_unnecessary_level;
  s.level_multiplier = targets.multiplier;
  s.target_bytes = std::move(targets.bytes);
  assert(0 <= s.base_level && s.base_level < s.num_levels);
  assert(s.num_non_empty_levels <= s.num_levels);
  assert(s.l0_idle_files <= s.num_files[0]);
  ScoreByStyle(inputs.options, &s);
  MarkFiles(version, &s);
  MarkBottommost(version, inputs, &s);
  MarkForBlobs(version, inputs, &s);
  return s;
}

double LevelState::ScoreOf(int level) const {
  for (const LevelScore& s : scores) {
    if (s.level == level) return s.score;
  }
  return 0;
}

bool LevelState::HasMarkedFiles() const {
  return !marked.empty() || !bottommost_marked.empty() || !blob_gc.empty();
}

}  // namespace ROCKSDB_NAMESPACE::engine
