// Options of tables, reads, writes, flushes and compactions.
#include <chrono>

#include "api/c/fields.h"
#include "api/c/handles.h"

using capi::Slice;

namespace {

// The bytes of an option that points at a slice, or NULL.
void SetSlice(const char* bytes, size_t length, Slice* held,
              const Slice** option) {
  *held = bytes != nullptr ? Slice(bytes, length) : Slice();
  *option = bytes != nullptr ? held : nullptr;
}

uint64_t Micros(std::chrono::microseconds time) {
  return static_cast<uint64_t>(time.count());
}

std::chrono::microseconds FromMicros(uint64_t micros) {
  return std::chrono::microseconds(static_cast<int64_t>(micros));
}

}  // namespace

extern "C" {

// clang-format off
#define FIELD_OPTIONS rocksdb_block_based_table_options_t
#define FIELD_PREFIX block_based_options

SETTER(block_size, size_t, block_size)
FIELD(block_size_deviation, int, block_size_deviation)
FIELD(block_restart_interval, int, block_restart_interval)
FIELD(index_block_restart_interval, int, index_block_restart_interval)
FIELD(metadata_block_size, uint64_t, metadata_block_size)
FIELD(partition_filters, unsigned char, partition_filters)
FIELD(use_delta_encoding, unsigned char, use_delta_encoding)
FIELD(no_block_cache, unsigned char, no_block_cache)
FIELD(whole_key_filtering, unsigned char, whole_key_filtering)
SETTER(format_version, int, format_version)
FIELD(index_type, int, index_type)
FIELD(data_block_index_type, int, data_block_index_type)
SETTER(data_block_hash_ratio, double, data_block_hash_table_util_ratio)
FIELD(cache_index_and_filter_blocks, unsigned char, cache_index_and_filter_blocks)
FIELD(cache_index_and_filter_blocks_with_high_priority, unsigned char, cache_index_and_filter_blocks_with_high_priority)
FIELD(pin_l0_filter_and_index_blocks_in_cache, unsigned char, pin_l0_filter_and_index_blocks_in_cache)
FIELD(pin_top_level_index_and_filter, unsigned char, pin_top_level_index_and_filter)
SETTER(checksum, char, checksum)
FIELD(optimize_filters_for_memory, unsigned char, optimize_filters_for_memory)
SETTER(top_level_index_pinning_tier, int, metadata_cache_options.top_level_index_pinning)
SETTER(partition_pinning_tier, int, metadata_cache_options.partition_pinning)
SETTER(unpartitioned_pinning_tier, int, metadata_cache_options.unpartitioned_pinning)
FIELD(block_align, unsigned char, block_align)
GETTER(block_size, uint64_t, block_size)
GETTER(checksum, int, checksum)
FIELD(data_block_hash_table_util_ratio, double, data_block_hash_table_util_ratio)
FIELD(decouple_partitioned_filters, unsigned char, decouple_partitioned_filters)
FIELD(detect_filter_construct_corruption, unsigned char, detect_filter_construct_corruption)
FIELD(enable_index_compression, unsigned char, enable_index_compression)
FIELD(fail_if_no_udi_on_open, unsigned char, fail_if_no_udi_on_open)
GETTER(format_version, uint32_t, format_version)
FIELD(index_block_search_type, int, index_block_search_type)
FIELD(index_shortening, int, index_shortening)
FIELD(initial_auto_readahead_size, size_t, initial_auto_readahead_size)
FIELD(max_auto_readahead_size, size_t, max_auto_readahead_size)
FIELD(num_file_reads_for_auto_readahead, uint64_t, num_file_reads_for_auto_readahead)
FIELD(prepopulate_block_cache, int, prepopulate_block_cache)
FIELD(read_amp_bytes_per_bit, uint32_t, read_amp_bytes_per_bit)
FIELD(separate_key_value_in_data_block, unsigned char, separate_key_value_in_data_block)
FIELD(super_block_alignment_size, size_t, super_block_alignment_size)
FIELD(super_block_alignment_space_overhead_ratio, size_t, super_block_alignment_space_overhead_ratio)
FIELD(uniform_cv_threshold, double, uniform_cv_threshold)
FIELD(use_udi_as_primary_index, unsigned char, use_udi_as_primary_index)
FIELD(verify_compression, unsigned char, verify_compression)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_readoptions_t
#define FIELD_PREFIX readoptions

FIELD(verify_checksums, unsigned char, verify_checksums)
FIELD(fill_cache, unsigned char, fill_cache)
FIELD(read_tier, int, read_tier)
FIELD(tailing, unsigned char, tailing)
FIELD(readahead_size, size_t, readahead_size)
FIELD(prefix_same_as_start, unsigned char, prefix_same_as_start)
FIELD(pin_data, unsigned char, pin_data)
FIELD(total_order_seek, unsigned char, total_order_seek)
FIELD(max_skippable_internal_keys, uint64_t, max_skippable_internal_keys)
FIELD(background_purge_on_iterator_cleanup, unsigned char, background_purge_on_iterator_cleanup)
FIELD(ignore_range_deletions, unsigned char, ignore_range_deletions)
FIELD(async_io, unsigned char, async_io)
FIELD(auto_readahead_size, unsigned char, auto_readahead_size)
FIELD(adaptive_readahead, unsigned char, adaptive_readahead)
FIELD(auto_prefix_mode, unsigned char, auto_prefix_mode)
FIELD(optimize_multiget_for_io, unsigned char, optimize_multiget_for_io)
FIELD(value_size_soft_limit, uint64_t, value_size_soft_limit)
FIELD(allow_unprepared_value, unsigned char, allow_unprepared_value)
FIELD(auto_refresh_iterator_with_snapshot, unsigned char, auto_refresh_iterator_with_snapshot)
FIELD(io_activity, int, io_activity)
SETTER(merge_operand_count_threshold, size_t, merge_operand_count_threshold)
FIELD(rate_limiter_priority, int, rate_limiter_priority)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_writeoptions_t
#define FIELD_PREFIX writeoptions

FIELD(sync, unsigned char, sync)
FIELD(ignore_missing_column_families, unsigned char, ignore_missing_column_families)
FIELD(no_slowdown, unsigned char, no_slowdown)
FIELD(low_pri, unsigned char, low_pri)
FIELD(memtable_insert_hint_per_batch, unsigned char, memtable_insert_hint_per_batch)
FIELD(io_activity, int, io_activity)
FIELD(protection_bytes_per_key, size_t, protection_bytes_per_key)
FIELD(rate_limiter_priority, int, rate_limiter_priority)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_flushoptions_t
#define FIELD_PREFIX flushoptions

FIELD(wait, unsigned char, wait)
FIELD(allow_write_stall, unsigned char, allow_write_stall)
FIELD(force_atomic_flush, unsigned char, force_atomic_flush)
FIELD(listener_wait, unsigned char, listener_wait)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_compactoptions_t
#define FIELD_PREFIX compactoptions

FIELD(exclusive_manual_compaction, unsigned char, exclusive_manual_compaction)
FIELD(bottommost_level_compaction, unsigned char, bottommost_level_compaction)
FIELD(change_level, unsigned char, change_level)
FIELD(target_level, int, target_level)
FIELD(target_path_id, int, target_path_id)
FIELD(allow_write_stall, unsigned char, allow_write_stall)
FIELD(max_subcompactions, int, max_subcompactions)
FIELD(blob_garbage_collection_age_cutoff, double, blob_garbage_collection_age_cutoff)
FIELD(blob_garbage_collection_policy, int, blob_garbage_collection_policy)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_wait_for_compact_options_t
#define FIELD_PREFIX wait_for_compact_options

FIELD(abort_on_pause, unsigned char, abort_on_pause)
FIELD(flush, unsigned char, flush)
FIELD(close_db, unsigned char, close_db)
FIELD(wait_for_purge, unsigned char, wait_for_purge)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_universal_compaction_options_t
#define FIELD_PREFIX universal_compaction_options

FIELD(size_ratio, int, size_ratio)
FIELD(min_merge_width, int, min_merge_width)
FIELD(max_merge_width, int, max_merge_width)
FIELD(max_size_amplification_percent, int, max_size_amplification_percent)
FIELD(compression_size_percent, int, compression_size_percent)
FIELD(stop_style, int, stop_style)
FIELD(allow_trivial_move, unsigned char, allow_trivial_move)
FIELD(incremental, unsigned char, incremental)
FIELD(max_read_amp, int, max_read_amp)
FIELD(reduce_file_locking, unsigned char, reduce_file_locking)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_fifo_compaction_options_t
#define FIELD_PREFIX fifo_compaction_options

FIELD(max_table_files_size, uint64_t, max_table_files_size)
FIELD(allow_compaction, unsigned char, allow_compaction)
FIELD(age_for_warm, uint64_t, age_for_warm)
FIELD(allow_trivial_copy_when_change_temperature, unsigned char, allow_trivial_copy_when_change_temperature)
FIELD(max_data_files_size, uint64_t, max_data_files_size)
FIELD(trivial_copy_buffer_size, uint64_t, trivial_copy_buffer_size)
FIELD(use_kv_ratio_compaction, unsigned char, use_kv_ratio_compaction)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_cuckoo_table_options_t
#define FIELD_PREFIX cuckoo_options

SETTER(hash_ratio, double, hash_table_ratio)
FIELD(hash_table_ratio, double, hash_table_ratio)
FIELD(max_search_depth, uint32_t, max_search_depth)
FIELD(cuckoo_block_size, uint32_t, cuckoo_block_size)
FIELD(identity_as_first_hash, unsigned char, identity_as_first_hash)
FIELD(use_module_hash, unsigned char, use_module_hash)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

LIFETIME(block_based_options, rocksdb_block_based_table_options_t)
LIFETIME(readoptions, rocksdb_readoptions_t)
LIFETIME(writeoptions, rocksdb_writeoptions_t)
LIFETIME(flushoptions, rocksdb_flushoptions_t)
LIFETIME(compactoptions, rocksdb_compactoptions_t)
LIFETIME(wait_for_compact_options, rocksdb_wait_for_compact_options_t)
LIFETIME(universal_compaction_options, rocksdb_universal_compaction_options_t)
LIFETIME(fifo_compaction_options, rocksdb_fifo_compaction_options_t)
LIFETIME(cuckoo_options, rocksdb_cuckoo_table_options_t)
LIFETIME(envoptions, rocksdb_envoptions_t)
// clang-format on

void rocksdb_block_based_options_set_block_cache(
    rocksdb_block_based_table_options_t* options,
    rocksdb_cache_t* block_cache) {
  options->rep.block_cache =
      block_cache != nullptr ? block_cache->rep : nullptr;
}

void rocksdb_block_based_options_set_block_cache_compressed(
    rocksdb_block_based_table_options_t* options,
    rocksdb_cache_t* block_cache_compressed) {
  options->rep.block_cache_compressed =
      block_cache_compressed != nullptr ? block_cache_compressed->rep : nullptr;
}

void rocksdb_block_based_options_set_filter_policy(
    rocksdb_block_based_table_options_t* options,
    rocksdb_filterpolicy_t* filter_policy) {
  options->rep.filter_policy =
      filter_policy != nullptr ? filter_policy->rep : nullptr;
  delete filter_policy;
}

void rocksdb_readoptions_set_managed(rocksdb_readoptions_t* options,
                                     unsigned char value) {
  options->rep.managed = value != 0;
}

void rocksdb_readoptions_set_snapshot(rocksdb_readoptions_t* options,
                                      const rocksdb_snapshot_t* snapshot) {
  options->rep.snapshot = snapshot != nullptr ? snapshot->rep : nullptr;
}

void rocksdb_readoptions_set_iterate_upper_bound(rocksdb_readoptions_t* options,
                                                 const char* key,
                                                 size_t keylen) {
  SetSlice(key, keylen, &options->upper_bound,
           &options->rep.iterate_upper_bound);
}

void rocksdb_readoptions_set_iterate_lower_bound(rocksdb_readoptions_t* options,
                                                 const char* key,
                                                 size_t keylen) {
  SetSlice(key, keylen, &options->lower_bound,
           &options->rep.iterate_lower_bound);
}

void rocksdb_readoptions_set_timestamp(rocksdb_readoptions_t* options,
                                       const char* ts, size_t tslen) {
  SetSlice(ts, tslen, &options->timestamp, &options->rep.timestamp);
}

void rocksdb_readoptions_set_iter_start_ts(rocksdb_readoptions_t* options,
                                           const char* ts, size_t tslen) {
  SetSlice(ts, tslen, &options->iter_start_ts, &options->rep.iter_start_ts);
}

void rocksdb_readoptions_set_deadline(rocksdb_readoptions_t* options,
                                      uint64_t microseconds) {
  options->rep.deadline = FromMicros(microseconds);
}

uint64_t rocksdb_readoptions_get_deadline(rocksdb_readoptions_t* options) {
  return Micros(options->rep.deadline);
}

void rocksdb_readoptions_set_io_timeout(rocksdb_readoptions_t* options,
                                        uint64_t microseconds) {
  options->rep.io_timeout = FromMicros(microseconds);
}

uint64_t rocksdb_readoptions_get_io_timeout(rocksdb_readoptions_t* options) {
  return Micros(options->rep.io_timeout);
}

void rocksdb_writeoptions_disable_WAL(rocksdb_writeoptions_t* options,
                                      int disable) {
  options->rep.disableWAL = disable != 0;
}

unsigned char rocksdb_writeoptions_get_disable_WAL(
    rocksdb_writeoptions_t* options) {
  return options->rep.disableWAL ? 1 : 0;
}

// `ts` is not const in RocksDB's header either.
void rocksdb_compactoptions_set_full_history_ts_low(
    rocksdb_compactoptions_t* options, char* ts, size_t tslen) {
  SetSlice(ts, tslen, &options->full_history_ts_low,
           &options->rep.full_history_ts_low);
}

void rocksdb_wait_for_compact_options_set_timeout(
    rocksdb_wait_for_compact_options_t* options, uint64_t microseconds) {
  options->rep.timeout = FromMicros(microseconds);
}

uint64_t rocksdb_wait_for_compact_options_get_timeout(
    rocksdb_wait_for_compact_options_t* options) {
  return Micros(options->rep.timeout);
}

}  // extern "C"
