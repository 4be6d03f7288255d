// CompactionJobStats: what one compaction (or a part of one) did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct CompactionJobStats {
  CompactionJobStats() { Reset(); }

  void Reset();
  // Adds the numbers of another part.
  void Add(const CompactionJobStats& stats);

  uint64_t elapsed_micros;
  uint64_t cpu_micros;

  // False when num_input_records may be too small (records skipped by a
  // filter).
  bool has_accurate_num_input_records = true;
  uint64_t num_input_records;
  uint64_t num_blobs_read;
  size_t num_input_files;
  size_t num_input_files_at_output_level;
  size_t num_filtered_input_files;
  size_t num_filtered_input_files_at_output_level;

  uint64_t num_output_records;
  size_t num_output_files;
  size_t num_output_files_blob;

  bool is_full_compaction;
  bool is_manual_compaction;
  bool is_remote_compaction = false;

  uint64_t total_input_bytes;
  uint64_t total_blob_bytes_read;
  uint64_t total_skipped_input_bytes;
  uint64_t total_output_bytes;
  uint64_t total_output_bytes_blob;

  // Records hidden by newer ones of the same key.
  uint64_t num_records_replaced;

  uint64_t total_input_raw_key_bytes;
  uint64_t total_input_raw_value_bytes;

  uint64_t num_input_deletion_records;
  // Deletions that had nothing to delete in lower levels and were dropped.
  uint64_t num_expired_deletion_records;

  uint64_t num_corrupt_keys;

  // Filled with report_bg_io_stats.
  uint64_t file_write_nanos;
  uint64_t file_range_sync_nanos;
  uint64_t file_fsync_nanos;
  uint64_t file_prepare_write_nanos;

  static const size_t kMaxPrefixLength = 8;
  std::string smallest_output_key_prefix;
  std::string largest_output_key_prefix;

  // SingleDeletes that found no entry, and that found an entry other than a
  // Put.
  uint64_t num_single_del_fallthru;
  uint64_t num_single_del_mismatch;

  // Inputs that were only opened, or not even opened.
  uint64_t num_input_files_trivially_moved = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
