// CompactionPlan: what one compaction reads and where its result goes.
//
// Place. Made by a picker (pure), carried out by the compaction job. A plan
// is data; registering it in the running set reserves its files.
//
// Invariants:
//   (1) No file is in two registered plans.
//   (2) No two registered plans of one family with the same output level
//       have overlapping key ranges, unless that level is 0: a merge within
//       level 0 takes neighbouring files, and its output takes their place.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "db/compaction/job_class.h"
#include "db/manifest/file_metadata.h"
#include "db/manifest/version.h"
#include "rocksdb/advanced_options.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "rocksdb/sst_partitioner.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

struct CompactionPlan {
  struct Inputs {
    int level = 0;
    // By key; in level 0 files that overlap are newest first.
    std::vector<FilePtr> files;
  };

  CompactionReason reason = CompactionReason::kUnknown;
  // Inputs of the start level first; the output level's, if it is another
  // one, last. Never empty, but the output level's list may be.
  std::vector<Inputs> inputs;
  int output_level = 0;
  uint32_t output_path_id = 0;
  uint64_t output_file_size_max = UINT64_MAX;  // At least 1.
  uint64_t overlap_bytes_max = UINT64_MAX;     // With grandparents, per output.
  uint32_t max_subcompactions = 1;
  std::optional<CompressionType> compression;  // Default: the family's.
  double score = 0;
  bool is_trivial_move = false;
  // Out of level 0, but less urgent than merges of what was just flushed: it
  // goes on whenever none of those runs.
  bool in_background = false;
  bool is_manual = false;
  bool bottommost = false;  // Nothing in the range lies below the output.
  // Blobs of files below this number are moved to newer ones; 0: none are.
  uint64_t collect_blobs_below = 0;
  std::vector<FilePtr> grandparents;
  // The version the files were picked from: keeps them, and answers what
  // lies below.
  std::shared_ptr<const Version> version;
  // Bounds over all inputs, user keys.
  std::string smallest_user_key;
  std::string largest_user_key;

  int start_level() const { return inputs.front().level; }
  JobClass job_class() const;
  uint64_t InputBytes() const;
  size_t InputFileCount() const;
  // Of the family.
  bool TakesAllFiles() const {
    return InputFileCount() == version->TotalFiles();
  }
  // Of all blob files the inputs point at; kNoBlobFile: they point at none.
  uint64_t OldestBlobFile() const;
  // Files fewer in level 0 once this is done; a tier merge leaves one.
  int Level0FilesGone() const;
  // Of a merge out of level 0 that has used up `done_bytes` of its inputs:
  // bytes still to be merged for each file of level 0 that disappears.
  double BytesPerFileGone(uint64_t done_bytes) const;
  // "[4 files@0 + 3 files@1 -> L1]"-like, for LOG.
  std::string Summary() const;
};

// Asks for output files to end at boundaries of the program's; null: it has
// none, or the outputs go to level 0.
std::unique_ptr<SstPartitioner> PartitionerOf(
    const ColumnFamilyOptions& options, const CompactionPlan& plan);

struct JobLeft {
  const CompactionPlan* plan = nullptr;
  uint64_t left_bytes = 0;
};
// Of two jobs of a class: does `a` go on before `b` when both are paused, and
// is it paused after `b` when both run? Merges out of level 0, which writers
// wait for, come first; then the job with fewer bytes left.
bool GoesFirst(const JobLeft& a, const JobLeft& b);

}  // namespace ROCKSDB_NAMESPACE::engine
