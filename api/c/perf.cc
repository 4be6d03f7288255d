// Counts and times of the calling thread.
#include <iterator>

#include "api/c/convert.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"

using capi_internal::CopyString;

namespace {

// By the number of the metric.
constexpr uint64_t capi::PerfContextBase::*kMetrics[] = {
    &capi::PerfContext::user_key_comparison_count,
    &capi::PerfContext::block_cache_hit_count,
    &capi::PerfContext::block_read_count,
    &capi::PerfContext::block_read_byte,
    &capi::PerfContext::block_read_time,
    &capi::PerfContext::block_checksum_time,
    &capi::PerfContext::block_decompress_time,
    &capi::PerfContext::get_read_bytes,
    &capi::PerfContext::multiget_read_bytes,
    &capi::PerfContext::iter_read_bytes,
    &capi::PerfContext::internal_key_skipped_count,
    &capi::PerfContext::internal_delete_skipped_count,
    &capi::PerfContext::internal_recent_skipped_count,
    &capi::PerfContext::internal_merge_count,
    &capi::PerfContext::get_snapshot_time,
    &capi::PerfContext::get_from_memtable_time,
    &capi::PerfContext::get_from_memtable_count,
    &capi::PerfContext::get_post_process_time,
    &capi::PerfContext::get_from_output_files_time,
    &capi::PerfContext::seek_on_memtable_time,
    &capi::PerfContext::seek_on_memtable_count,
    &capi::PerfContext::next_on_memtable_count,
    &capi::PerfContext::prev_on_memtable_count,
    &capi::PerfContext::seek_child_seek_time,
    &capi::PerfContext::seek_child_seek_count,
    &capi::PerfContext::seek_min_heap_time,
    &capi::PerfContext::seek_max_heap_time,
    &capi::PerfContext::seek_internal_seek_time,
    &capi::PerfContext::find_next_user_entry_time,
    &capi::PerfContext::write_wal_time,
    &capi::PerfContext::write_memtable_time,
    &capi::PerfContext::write_delay_time,
    &capi::PerfContext::write_pre_and_post_process_time,
    &capi::PerfContext::db_mutex_lock_nanos,
    &capi::PerfContext::db_condition_wait_nanos,
    &capi::PerfContext::merge_operator_time_nanos,
    &capi::PerfContext::read_index_block_nanos,
    &capi::PerfContext::read_filter_block_nanos,
    &capi::PerfContext::new_table_block_iter_nanos,
    &capi::PerfContext::new_table_iterator_nanos,
    &capi::PerfContext::block_seek_nanos,
    &capi::PerfContext::find_table_nanos,
    &capi::PerfContext::bloom_memtable_hit_count,
    &capi::PerfContext::bloom_memtable_miss_count,
    &capi::PerfContext::bloom_sst_hit_count,
    &capi::PerfContext::bloom_sst_miss_count,
    &capi::PerfContext::key_lock_wait_time,
    &capi::PerfContext::key_lock_wait_count,
    &capi::PerfContext::env_new_sequential_file_nanos,
    &capi::PerfContext::env_new_random_access_file_nanos,
    &capi::PerfContext::env_new_writable_file_nanos,
    &capi::PerfContext::env_reuse_writable_file_nanos,
    &capi::PerfContext::env_new_random_rw_file_nanos,
    &capi::PerfContext::env_new_directory_nanos,
    &capi::PerfContext::env_file_exists_nanos,
    &capi::PerfContext::env_get_children_nanos,
    &capi::PerfContext::env_get_children_file_attributes_nanos,
    &capi::PerfContext::env_delete_file_nanos,
    &capi::PerfContext::env_create_dir_nanos,
    &capi::PerfContext::env_create_dir_if_missing_nanos,
    &capi::PerfContext::env_delete_dir_nanos,
    &capi::PerfContext::env_get_file_size_nanos,
    &capi::PerfContext::env_get_file_modification_time_nanos,
    &capi::PerfContext::env_rename_file_nanos,
    &capi::PerfContext::env_link_file_nanos,
    &capi::PerfContext::env_lock_file_nanos,
    &capi::PerfContext::env_unlock_file_nanos,
    &capi::PerfContext::env_new_logger_nanos,
    &capi::PerfContext::number_async_seek,
    &capi::PerfContext::blob_cache_hit_count,
    &capi::PerfContext::blob_read_count,
    &capi::PerfContext::blob_read_byte,
    &capi::PerfContext::blob_read_time,
    &capi::PerfContext::blob_checksum_time,
    &capi::PerfContext::blob_decompress_time,
    &capi::PerfContext::internal_range_del_reseek_count,
};

// By the names of the C interface; its numbers are those of a release with
// fewer levels.
capi::PerfLevel LevelOf(int level) {
  if (level < rocksdb_enable_time_except_for_mutex) {
    return static_cast<capi::PerfLevel>(level);
  }
  return level == rocksdb_enable_time_except_for_mutex
             ? capi::kEnableTimeExceptForMutex
             : capi::kEnableTime;
}

}  // namespace

extern "C" {

void rocksdb_set_perf_level(int level) {
  if (level > rocksdb_uninitialized) capi::SetPerfLevel(LevelOf(level));
}

rocksdb_perfcontext_t* rocksdb_perfcontext_create(void) {
  return new rocksdb_perfcontext_t;
}

void rocksdb_perfcontext_reset(rocksdb_perfcontext_t*) {
  capi::get_perf_context()->Reset();
}

char* rocksdb_perfcontext_report(rocksdb_perfcontext_t*,
                                 unsigned char exclude_zero_counters) {
  return CopyString(
      capi::get_perf_context()->ToString(exclude_zero_counters != 0));
}

uint64_t rocksdb_perfcontext_metric(rocksdb_perfcontext_t*, int metric) {
  if (metric < 0 || metric >= static_cast<int>(std::size(kMetrics))) return 0;
  return capi::get_perf_context()->*kMetrics[metric];
}

void rocksdb_perfcontext_destroy(rocksdb_perfcontext_t* context) {
  delete context;
}

}  // extern "C"
