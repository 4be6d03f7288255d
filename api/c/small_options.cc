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
SETTER(block_size_deviation, int, block_size_deviation)
SETTER(block_restart_interval, int, block_restart_interval)
SETTER(index_block_restart_interval, int, index_block_restart_interval)
SETTER(metadata_block_size, uint64_t, metadata_block_size)
SETTER(partition_filters, unsigned char, partition_filters)
SETTER(use_delta_encoding, unsigned char, use_delta_encoding)
SETTER(no_block_cache, unsigned char, no_block_cache)
SETTER(whole_key_filtering, unsigned char, whole_key_filtering)
SETTER(format_version, int, format_version)
SETTER(index_type, int, index_type)
SETTER(data_block_index_type, int, data_block_index_type)
SETTER(data_block_hash_ratio, double, data_block_hash_table_util_ratio)
SETTER(cache_index_and_filter_blocks, unsigned char, cache_index_and_filter_blocks)
SETTER(cache_index_and_filter_blocks_with_high_priority, unsigned char, cache_index_and_filter_blocks_with_high_priority)
SETTER(pin_l0_filter_and_index_blocks_in_cache, unsigned char, pin_l0_filter_and_index_blocks_in_cache)
SETTER(pin_top_level_index_and_filter, unsigned char, pin_top_level_index_and_filter)
SETTER(checksum, char, checksum)
SETTER(optimize_filters_for_memory, unsigned char, optimize_filters_for_memory)
SETTER(top_level_index_pinning_tier, int, metadata_cache_options.top_level_index_pinning)
SETTER(partition_pinning_tier, int, metadata_cache_options.partition_pinning)
SETTER(unpartitioned_pinning_tier, int, metadata_cache_options.unpartitioned_pinning)

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

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_writeoptions_t
#define FIELD_PREFIX writeoptions

FIELD(sync, unsigned char, sync)
FIELD(ignore_missing_column_families, unsigned char, ignore_missing_column_families)
FIELD(no_slowdown, unsigned char, no_slowdown)
FIELD(low_pri, unsigned char, low_pri)
FIELD(memtable_insert_hint_per_batch, unsigned char, memtable_insert_hint_per_batch)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_flushoptions_t
#define FIELD_PREFIX flushoptions

FIELD(wait, unsigned char, wait)
FIELD(allow_write_stall, unsigned char, allow_write_stall)

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

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_wait_for_compact_options_t
#define FIELD_PREFIX wait_for_compact_options

FIELD(abort_on_pause, unsigned char, abort_on_pause)
FIELD(flush, unsigned char, flush)
FIELD(close_db, unsigned char, close_db)

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

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

#define FIELD_OPTIONS rocksdb_fifo_compaction_options_t
#define FIELD_PREFIX fifo_compaction_options

FIELD(max_table_files_size, uint64_t, max_table_files_size)
FIELD(allow_compaction, unsigned char, allow_compaction)

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
LIFETIME(envoptions, rocksdb_envoptions_t)
// clang-format on

void rocksdb_block_based_options_set_block_cache(
    rocksdb_block_based_table_options_t* options,
    rocksdb_cache_t* block_cache) {
  options->rep.block_cache =
      block_cache != nullptr ? block_cache->rep : nullptr;
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
