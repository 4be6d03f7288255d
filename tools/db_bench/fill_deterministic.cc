// fillseqdeterministic, filluniquerandomdeterministic: fill a database whose
// levels depend on the flags alone, not on how fast compactions were.
//
// Model. The writes are divided among the levels so that each level from 1 on
// has max_bytes_for_level_multiplier times the entries of the one above; level
// 0 has those of level 1. The largest part is written first, flushed and moved
// into the last level, and so on up to level 0. No compactions run meanwhile:
// the flags have to forbid them.

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "rocksdb/metadata.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"
#include "tools/db_bench/writer.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

std::vector<uint64_t> EntriesOfLevels(uint64_t entries, int levels,
                                      double multiplier) {
  std::vector<double> weights;
  double sum = 0;
  for (int level = 0; level < levels; ++level) {
    weights.push_back(level < 2 ? 1 : weights.back() * multiplier);
    sum += weights.back();
  }
  std::vector<uint64_t> parts;
  uint64_t left = entries;
  for (const double weight : weights) {
    const auto part =
        static_cast<uint64_t>(static_cast<double>(entries) * weight / sum);
    parts.push_back(std::min(part, left));
    left -= parts.back();
  }
  parts.back() += left;
  return parts;
}

// Level 0 has only what was written since the last call.
void MoveToLevel(DB* db, int level, uint64_t file_size) {
  const Status flushed = db->Flush(FlushOptions());
  if (!flushed.ok()) Die("flush", flushed);
  if (level == 0) return;
  ColumnFamilyMetaData meta;
  db->GetColumnFamilyMetaData(&meta);
  std::vector<std::string> files;
  for (const SstFileMetaData& file : meta.levels[0].files) {
    files.push_back(file.name);
  }
  if (files.empty()) return;
  CompactionOptions options;
  options.output_file_size_limit = file_size;
  const Status moved = db->CompactFiles(options, files, level);
  if (!moved.ok()) Die("compact files", moved);
}

void PrintLevels(DB* db) {
  ColumnFamilyMetaData meta;
  db->GetColumnFamilyMetaData(&meta);
  for (const LevelMetaData& level : meta.levels) {
    std::printf("Level[%d]: %zu files, %" PRIu64 " bytes\n", level.level,
                level.files.size(), level.size);
  }
  std::fflush(stdout);
}

void FillLevels(KeyOrder::Kind kind, const Bench& bench, ThreadState* thread) {
  const WorkloadSettings& s = bench.settings();
  const Options& options = bench.options();
  const std::vector<uint64_t> parts = EntriesOfLevels(
      s.writes, options.num_levels, options.max_bytes_for_level_multiplier);
  KeyOrder order(kind, s.num, &thread->random);
  Writer writer(bench, thread);
  thread->stats.StartOp();
  for (int level = options.num_levels - 1; level >= 0; --level) {
    uint64_t left = parts[static_cast<size_t>(level)];
    if (left == 0) continue;
    while (left > 0) {
      const uint64_t entries = std::min(left, s.entries_per_batch);
      writer.WriteBatchOf(entries, &order);
      left -= entries;
    }
    MoveToLevel(bench.db(), level, options.target_file_size_base);
    thread->stats.StartOp();
  }
  PrintLevels(bench.db());
}

}  // namespace

void FillSequentialDeterministic(const Bench& bench, ThreadState* thread) {
  FillLevels(KeyOrder::kSequential, bench, thread);
}

void FillUniqueRandomDeterministic(const Bench& bench, ThreadState* thread) {
  FillLevels(KeyOrder::kUniqueRandom, bench, thread);
}

}  // namespace ROCKSDB_NAMESPACE::bench
