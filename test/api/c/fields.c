/* Each plain option is read back as it was set. */
#include "test/api/c/check.h"

/* Zero and one fit every type; a value of 2^40 shows a field that is too
   narrow. */
#define BOTH(object, field)                        \
  do {                                             \
    rocksdb_##object##_set_##field(o, 1);          \
    CHECK(rocksdb_##object##_get_##field(o) == 1); \
    rocksdb_##object##_set_##field(o, 0);          \
    CHECK(rocksdb_##object##_get_##field(o) == 0); \
  } while (0)
#define WIDE(object, field)                                        \
  do {                                                             \
    BOTH(object, field);                                           \
    rocksdb_##object##_set_##field(o, (uint64_t)1 << 40);          \
    CHECK(rocksdb_##object##_get_##field(o) == (uint64_t)1 << 40); \
  } while (0)

static void FieldsOfOptions(void) {
  rocksdb_options_t* o = rocksdb_options_create();
  BOTH(options, allow_2pc);
  BOTH(options, allow_data_in_errors);
  BOTH(options, allow_fallocate);
  BOTH(options, async_wal_precreate);
  BOTH(options, avoid_flush_during_recovery);
  BOTH(options, avoid_flush_during_shutdown);
  BOTH(options, background_close_inactive_wals);
  BOTH(options, best_efforts_recovery);
  WIDE(options, bgerror_resume_retry_interval);
  BOTH(options, blob_direct_write_partitions);
  BOTH(options, block_protection_bytes_per_key);
  BOTH(options, bottommost_file_compaction_delay);
  BOTH(options, cf_allow_ingest_behind);
  BOTH(options, compaction_verify_record_count);
  BOTH(options, default_temperature);
  BOTH(options, default_write_temperature);
  WIDE(options, delayed_write_rate);
  BOTH(options, disallow_memtable_writes);
  BOTH(options, enable_blob_direct_write);
  BOTH(options, enable_thread_tracking);
  BOTH(options, enforce_single_del_contracts);
  BOTH(options, enforce_write_buffer_manager_during_recovery);
  BOTH(options, fast_sst_open);
  BOTH(options, flush_verify_memtable_count);
  WIDE(options, follower_catchup_retry_count);
  WIDE(options, follower_catchup_retry_wait_ms);
  WIDE(options, follower_refresh_catchup_period_ms);
  BOTH(options, force_consistency_checks);
  BOTH(options, last_level_temperature);
  WIDE(options, log_readahead_size);
  BOTH(options, lowest_used_cache_tier);
  BOTH(options, max_bgerror_resume_count);
  WIDE(options, max_compaction_trigger_wakeup_seconds);
  BOTH(options, max_manifest_space_amp_pct);
  WIDE(options, max_write_batch_group_size_bytes);
  BOTH(options, memtable_batch_lookup_optimization);
  BOTH(options, memtable_max_range_deletions);
  BOTH(options, memtable_protection_bytes_per_key);
  BOTH(options, memtable_verify_per_key_checksum_on_seek);
  BOTH(options, metadata_write_temperature);
  BOTH(options, min_tombstones_for_range_conversion);
  BOTH(options, open_files_async);
  BOTH(options, optimize_manifest_for_recovery);
  BOTH(options, paranoid_file_checks);
  BOTH(options, paranoid_memory_checks);
  BOTH(options, persist_stats_to_disk);
  WIDE(options, preclude_last_level_data_seconds);
  BOTH(options, prefix_seek_opt_in_only);
  WIDE(options, preserve_internal_time_seconds);
  BOTH(options, read_io_executor_threads);
  BOTH(options, read_triggered_compaction_threshold);
  BOTH(options, reuse_manifest_on_open);
  WIDE(options, sample_for_compression);
  WIDE(options, stats_history_buffer_size);
  BOTH(options, strict_bytes_per_sync);
  BOTH(options, strict_max_successive_merges);
  BOTH(options, target_file_size_is_upper_bound);
  BOTH(options, track_and_verify_wals);
  BOTH(options, two_write_queues);
  BOTH(options, uncache_aggressiveness);
  BOTH(options, use_direct_io_for_compaction_reads);
  BOTH(options, verify_manifest_content_on_close);
  BOTH(options, verify_output_flags);
  BOTH(options, verify_sst_unique_id_in_manifest);
  BOTH(options, wal_write_temperature);
  WIDE(options, write_thread_max_yield_usec);
  WIDE(options, write_thread_slow_yield_usec);
  rocksdb_options_destroy(o);
}

static void FieldsOfBlockBasedOptions(void) {
  rocksdb_block_based_table_options_t* o = rocksdb_block_based_options_create();
  BOTH(block_based_options, block_align);
  BOTH(block_based_options, block_restart_interval);
  WIDE(block_based_options, block_size);
  BOTH(block_based_options, block_size_deviation);
  BOTH(block_based_options, cache_index_and_filter_blocks);
  BOTH(block_based_options, cache_index_and_filter_blocks_with_high_priority);
  BOTH(block_based_options, checksum);
  BOTH(block_based_options, data_block_hash_table_util_ratio);
  BOTH(block_based_options, data_block_index_type);
  BOTH(block_based_options, decouple_partitioned_filters);
  BOTH(block_based_options, detect_filter_construct_corruption);
  BOTH(block_based_options, enable_index_compression);
  BOTH(block_based_options, fail_if_no_udi_on_open);
  BOTH(block_based_options, format_version);
  BOTH(block_based_options, index_block_restart_interval);
  BOTH(block_based_options, index_block_search_type);
  BOTH(block_based_options, index_shortening);
  BOTH(block_based_options, index_type);
  WIDE(block_based_options, initial_auto_readahead_size);
  WIDE(block_based_options, max_auto_readahead_size);
  WIDE(block_based_options, metadata_block_size);
  BOTH(block_based_options, no_block_cache);
  WIDE(block_based_options, num_file_reads_for_auto_readahead);
  BOTH(block_based_options, optimize_filters_for_memory);
  BOTH(block_based_options, partition_filters);
  BOTH(block_based_options, pin_l0_filter_and_index_blocks_in_cache);
  BOTH(block_based_options, pin_top_level_index_and_filter);
  BOTH(block_based_options, prepopulate_block_cache);
  BOTH(block_based_options, read_amp_bytes_per_bit);
  BOTH(block_based_options, separate_key_value_in_data_block);
  WIDE(block_based_options, super_block_alignment_size);
  WIDE(block_based_options, super_block_alignment_space_overhead_ratio);
  BOTH(block_based_options, uniform_cv_threshold);
  BOTH(block_based_options, use_delta_encoding);
  BOTH(block_based_options, use_udi_as_primary_index);
  BOTH(block_based_options, verify_compression);
  BOTH(block_based_options, whole_key_filtering);
  rocksdb_block_based_options_destroy(o);
}

static void FieldsOfReadoptions(void) {
  rocksdb_readoptions_t* o = rocksdb_readoptions_create();
  BOTH(readoptions, allow_unprepared_value);
  BOTH(readoptions, auto_refresh_iterator_with_snapshot);
  BOTH(readoptions, io_activity);
  WIDE(readoptions, merge_operand_count_threshold);
  BOTH(readoptions, rate_limiter_priority);
  rocksdb_readoptions_destroy(o);
}

static void FieldsOfWriteoptions(void) {
  rocksdb_writeoptions_t* o = rocksdb_writeoptions_create();
  BOTH(writeoptions, io_activity);
  WIDE(writeoptions, protection_bytes_per_key);
  BOTH(writeoptions, rate_limiter_priority);
  rocksdb_writeoptions_destroy(o);
}

static void FieldsOfFlushoptions(void) {
  rocksdb_flushoptions_t* o = rocksdb_flushoptions_create();
  BOTH(flushoptions, force_atomic_flush);
  BOTH(flushoptions, listener_wait);
  rocksdb_flushoptions_destroy(o);
}

static void FieldsOfFlushwaloptions(void) {
  rocksdb_flushwaloptions_t* o = rocksdb_flushwaloptions_create();
  BOTH(flushwaloptions, rate_limiter_priority);
  BOTH(flushwaloptions, sync);
  rocksdb_flushwaloptions_destroy(o);
}

static void FieldsOfEnvoptions(void) {
  rocksdb_envoptions_t* o = rocksdb_envoptions_create();
  BOTH(envoptions, allow_fallocate);
  WIDE(envoptions, bytes_per_sync);
  WIDE(envoptions, compaction_readahead_size);
  BOTH(envoptions, fallocate_with_keep_size);
  BOTH(envoptions, fd_cloexec);
  BOTH(envoptions, strict_bytes_per_sync);
  BOTH(envoptions, use_direct_reads);
  BOTH(envoptions, use_direct_writes);
  BOTH(envoptions, use_mmap_reads);
  BOTH(envoptions, use_mmap_writes);
  WIDE(envoptions, writable_file_max_buffer_size);
  rocksdb_envoptions_destroy(o);
}

static void FieldsOfIngestexternalfileoptions(void) {
  rocksdb_ingestexternalfileoptions_t* o =
      rocksdb_ingestexternalfileoptions_create();
  BOTH(ingestexternalfileoptions, allow_blocking_flush);
  BOTH(ingestexternalfileoptions, allow_db_generated_files);
  BOTH(ingestexternalfileoptions, allow_global_seqno);
  BOTH(ingestexternalfileoptions, fail_if_not_bottommost_level);
  BOTH(ingestexternalfileoptions, failed_move_fall_back_to_copy);
  BOTH(ingestexternalfileoptions, file_opening_threads);
  BOTH(ingestexternalfileoptions, fill_cache);
  BOTH(ingestexternalfileoptions, ingest_behind);
  BOTH(ingestexternalfileoptions, link_files);
  BOTH(ingestexternalfileoptions, move_files);
  BOTH(ingestexternalfileoptions, prefetch_lmax_index_and_filter_blocks);
  BOTH(ingestexternalfileoptions, snapshot_consistency);
  BOTH(ingestexternalfileoptions, verify_checksums_before_ingest);
  WIDE(ingestexternalfileoptions, verify_checksums_readahead_size);
  BOTH(ingestexternalfileoptions, verify_file_checksum);
  BOTH(ingestexternalfileoptions, write_global_seqno);
  rocksdb_ingestexternalfileoptions_destroy(o);
}

static void FieldsOfUniversalCompactionOptions(void) {
  rocksdb_universal_compaction_options_t* o =
      rocksdb_universal_compaction_options_create();
  BOTH(universal_compaction_options, allow_trivial_move);
  BOTH(universal_compaction_options, incremental);
  BOTH(universal_compaction_options, max_read_amp);
  BOTH(universal_compaction_options, reduce_file_locking);
  rocksdb_universal_compaction_options_destroy(o);
}

static void FieldsOfFifoCompactionOptions(void) {
  rocksdb_fifo_compaction_options_t* o =
      rocksdb_fifo_compaction_options_create();
  WIDE(fifo_compaction_options, age_for_warm);
  BOTH(fifo_compaction_options, allow_trivial_copy_when_change_temperature);
  WIDE(fifo_compaction_options, max_data_files_size);
  WIDE(fifo_compaction_options, trivial_copy_buffer_size);
  BOTH(fifo_compaction_options, use_kv_ratio_compaction);
  rocksdb_fifo_compaction_options_destroy(o);
}

static void FieldsOfCompactoptions(void) {
  rocksdb_compactoptions_t* o = rocksdb_compactoptions_create();
  BOTH(compactoptions, blob_garbage_collection_age_cutoff);
  BOTH(compactoptions, blob_garbage_collection_policy);
  rocksdb_compactoptions_destroy(o);
}

static void FieldsOfWaitForCompactOptions(void) {
  rocksdb_wait_for_compact_options_t* o =
      rocksdb_wait_for_compact_options_create();
  BOTH(wait_for_compact_options, wait_for_purge);
  rocksdb_wait_for_compact_options_destroy(o);
}

static void FieldsOfCompactionOptions(void) {
  rocksdb_compaction_options_t* o = rocksdb_compaction_options_create();
  BOTH(compaction_options, allow_trivial_move);
  BOTH(compaction_options, compression);
  BOTH(compaction_options, max_subcompactions);
  WIDE(compaction_options, output_file_size_limit);
  BOTH(compaction_options, output_temperature_override);
  rocksdb_compaction_options_destroy(o);
}

void CheckFields(void) {
  FieldsOfOptions();
  FieldsOfBlockBasedOptions();
  FieldsOfReadoptions();
  FieldsOfWriteoptions();
  FieldsOfFlushoptions();
  FieldsOfFlushwaloptions();
  FieldsOfEnvoptions();
  FieldsOfIngestexternalfileoptions();
  FieldsOfUniversalCompactionOptions();
  FieldsOfFifoCompactionOptions();
  FieldsOfCompactoptions();
  FieldsOfWaitForCompactOptions();
  FieldsOfCompactionOptions();
}
