// RemoteInput: one compaction, described for a process that opens the same
// database without writing to it.
//
// Place. Filled by the compactor from a plan and the state that belongs to it;
// carried by the program's CompactionService; turned into a plan again by
// compaction_worker.
//
// Model. What the worker could find out itself, but might find changed, is in
// here (is something below the output, which snapshots are there). What cannot
// change before the result is installed is not: the files' bounds and sizes are
// in the MANIFEST. The worker's MANIFEST may be newer, but not older, than the
// one that the plan was made from: then data that this compaction has to regard
// as below it may still be above it.
//
// Bytes. See sealed_fields.h; magic word "RVSTCINP". Fields, in this order:
//
//   text    path, id and session id of the database
//   number  job
//   number  family's id;  text  its name
//   list    text          directories of its tables, by path id
//   number  MANIFEST, and its bytes when the plan was made
//   number  reason, of CompactionReason
//   list    number level, list of numbers of files
//   number  output level, and the first level below 0 that is in use
//   number  limits of an output: its bytes, its overlap with the next level
//   number  subcompactions at most
//   flag    a compression is set;  number  which one
//   flag    bottommost;  flag  manual
//   number  collect blobs of files below this number
//   text    smallest and largest user key
//   list    number        snapshots, ascending
//   text    full_history_ts_low, trim_after
//   number  first number for new blob files, and how many there are
//
// Threads. A value.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/compression_type.h"
#include "rocksdb/file_system.h"
#include "rocksdb/listener.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE::engine {

struct RemoteInput {
  struct Level {
    int level = 0;
    std::vector<uint64_t> files;  // Numbers, in any order.
    bool operator==(const Level&) const = default;
  };

  std::string db_name;
  std::string db_id;
  std::string db_session_id;
  uint64_t job_id = 0;
  uint32_t family_id = 0;
  std::string family_name;
  std::vector<std::string> dirs;
  uint64_t manifest_number = 0;
  uint64_t manifest_bytes = 0;

  CompactionReason reason = CompactionReason::kUnknown;
  std::vector<Level> levels;  // As CompactionPlan::inputs.
  int output_level = 0;
  int base_level = 1;
  uint64_t output_file_size_max = UINT64_MAX;
  uint64_t overlap_bytes_max = UINT64_MAX;
  uint32_t max_subcompactions = 1;
  std::optional<CompressionType> compression;
  bool bottommost = false;
  bool is_manual = false;
  uint64_t collect_blobs_below = 0;
  std::string smallest_user_key;
  std::string largest_user_key;

  std::vector<SequenceNumber> snapshots;
  std::string full_history_ts_low;
  std::string trim_after;
  // Tables point at blob files by number, so these keep the numbers that the
  // worker gives them. Tables get others when they are installed.
  uint64_t first_blob_number = 0;
  uint64_t blob_numbers = 0;

  std::string Encode() const;
  // Replaces *this. Errors: NotSupported for another version; Corruption.
  Status DecodeFrom(const Slice& bytes);

  bool operator==(const RemoteInput&) const = default;
};

// Compares what the file system makes of the paths; a link is a path of its
// own.
bool IsSameDirectory(FileSystem* fs, const std::string& a,
                     const std::string& b);
// The database's own, or one of the family's.
bool IsDirectoryOf(FileSystem* fs, const RemoteInput& input,
                   const std::string& directory);

}  // namespace ROCKSDB_NAMESPACE::engine
