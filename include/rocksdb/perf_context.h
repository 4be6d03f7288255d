// PerfContext: what the calling thread's operations cost, in detail.
//
// Model. One struct per thread. SetPerfLevel says what is filled; names that
// end in _count or _byte are counters, _time, _nanos are nanoseconds. Reset()
// before an operation, read after it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/perf_level.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct PerfContextByLevel {
  uint64_t bloom_filter_useful = 0;
  uint64_t bloom_filter_full_positive = 0;
  uint64_t bloom_filter_full_true_positive = 0;
  uint64_t user_key_return_count = 0;
  uint64_t get_from_table_nanos = 0;
  uint64_t block_cache_hit_count = 0;
  uint64_t block_cache_miss_count = 0;

  void Reset();
};

// The counters, in a separate struct so that they can be cleared and copied
// together.
struct PerfContextBase {
  uint64_t user_key_comparison_count;

  // Blocks.
  uint64_t block_cache_hit_count;
  uint64_t block_read_count;
  uint64_t block_read_byte;
  uint64_t block_read_time;
  uint64_t block_cache_index_hit_count;
  uint64_t block_cache_standalone_handle_count;
  uint64_t block_cache_real_handle_count;
  uint64_t index_block_read_count;
  uint64_t block_cache_filter_hit_count;
  uint64_t filter_block_read_count;
  uint64_t compression_dict_block_read_count;
  uint64_t block_cache_index_read_byte;
  uint64_t block_cache_filter_read_byte;
  uint64_t block_cache_compression_dict_read_byte;
  uint64_t block_cache_read_byte;
  uint64_t secondary_cache_hit_count;
  uint64_t compressed_sec_cache_insert_real_count;
  uint64_t compressed_sec_cache_insert_dummy_count;
  uint64_t compressed_sec_cache_uncompressed_bytes;
  uint64_t compressed_sec_cache_compressed_bytes;
  uint64_t block_checksum_time;
  uint64_t block_decompress_time;

  // Bytes returned.
  uint64_t get_read_bytes;
  uint64_t multiget_read_bytes;
  uint64_t iter_read_bytes;

  // Blobs.
  uint64_t blob_cache_hit_count;
  uint64_t blob_read_count;
  uint64_t blob_read_byte;
  uint64_t blob_read_time;
  uint64_t blob_checksum_time;
  uint64_t blob_decompress_time;

  // Entries passed over.
  uint64_t internal_key_skipped_count;
  uint64_t internal_delete_skipped_count;
  uint64_t internal_recent_skipped_count;
  uint64_t internal_merge_count;
  uint64_t internal_range_del_reseek_count;
  uint64_t internal_merge_point_lookup_count;

  // Get.
  uint64_t get_snapshot_time;
  uint64_t get_from_memtable_time;
  uint64_t get_from_memtable_count;
  uint64_t get_post_process_time;
  uint64_t get_from_output_files_time;

  // Iterators.
  uint64_t seek_on_memtable_time;
  uint64_t seek_on_memtable_count;
  uint64_t next_on_memtable_count;
  uint64_t prev_on_memtable_count;
  uint64_t seek_child_seek_time;
  uint64_t seek_child_seek_count;
  uint64_t seek_min_heap_time;
  uint64_t seek_max_heap_time;
  uint64_t seek_internal_seek_time;
  uint64_t find_next_user_entry_time;

  // Writes.
  uint64_t write_wal_time;
  uint64_t write_memtable_time;
  uint64_t write_delay_time;
  uint64_t write_scheduling_flushes_compactions_time;
  uint64_t write_pre_and_post_process_time;
  uint64_t write_thread_wait_nanos;

  // Locks.
  uint64_t db_mutex_lock_nanos;
  uint64_t db_condition_wait_nanos;

  // Merge operands.
  uint64_t merge_operator_time_nanos;

  // Inside table files.
  uint64_t read_index_block_nanos;
  uint64_t read_filter_block_nanos;
  uint64_t new_table_block_iter_nanos;
  uint64_t new_table_iterator_nanos;
  uint64_t block_seek_nanos;
  uint64_t find_table_nanos;

  // Bloom filters.
  uint64_t bloom_memtable_hit_count;
  uint64_t bloom_memtable_miss_count;
  uint64_t bloom_sst_hit_count;
  uint64_t bloom_sst_miss_count;

  // Transactions.
  uint64_t key_lock_wait_time;
  uint64_t key_lock_wait_count;

  // Calls of Env.
  uint64_t env_new_sequential_file_nanos;
  uint64_t env_new_random_access_file_nanos;
  uint64_t env_new_writable_file_nanos;
  uint64_t env_reuse_writable_file_nanos;
  uint64_t env_new_random_rw_file_nanos;
  uint64_t env_new_directory_nanos;
  uint64_t env_file_exists_nanos;
  uint64_t env_get_children_nanos;
  uint64_t env_get_children_file_attributes_nanos;
  uint64_t env_delete_file_nanos;
  uint64_t env_create_dir_nanos;
  uint64_t env_create_dir_if_missing_nanos;
  uint64_t env_delete_dir_nanos;
  uint64_t env_get_file_size_nanos;
  uint64_t env_get_file_modification_time_nanos;
  uint64_t env_rename_file_nanos;
  uint64_t env_link_file_nanos;
  uint64_t env_lock_file_nanos;
  uint64_t env_unlock_file_nanos;
  uint64_t env_new_logger_nanos;

  // Processor time.
  uint64_t get_cpu_nanos;
  uint64_t iter_next_cpu_nanos;
  uint64_t iter_prev_cpu_nanos;
  uint64_t iter_seek_cpu_nanos;

  // The rest.
  uint64_t encrypt_data_nanos;
  uint64_t decrypt_data_nanos;
  uint64_t number_async_seek;
  uint64_t file_ingestion_nanos;
  uint64_t file_ingestion_blocking_live_writes_nanos;
  uint64_t write_stop_time;
};

struct PerfContext : public PerfContextBase {
  ~PerfContext();
  constexpr PerfContext() : PerfContextBase{} {}
  PerfContext(const PerfContext&);
  PerfContext& operator=(const PerfContext&);
  PerfContext(PerfContext&&) noexcept;

  void Reset();

  // "name = value, " for every field, and per level where enabled.
  std::string ToString(bool exclude_zero_counters = false) const;

  void EnablePerLevelPerfContext();
  // Keeps what was counted.
  void DisablePerLevelPerfContext();
  void ClearPerLevelPerfContext();

  std::map<uint32_t, PerfContextByLevel>* level_to_perf_context = nullptr;
  bool per_level_perf_context_enabled = false;
};

// Of the calling thread; never null.
PerfContext* get_perf_context();

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
