#include "test/stress/options/option_values.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr Since k11 = Since::k11;
constexpr Since kOurs = Since::kOurs;

const std::vector<OptionValues>& DbValues() {
  static const std::vector<OptionValues> kValues = {
      {"paranoid_checks", {"true", "false"}},
      {"flush_verify_memtable_count", {"true", "false"}},
      {"compaction_verify_record_count", {"true", "false"}, k11},
      {"track_and_verify_wals_in_manifest", {"true", "false"}},
      {"track_and_verify_wals", {"true", "false"}, k11},
      {"verify_sst_unique_id_in_manifest", {"true", "false"}},
      // Of a database, because two modes take what is left in a recycled log
      // for damage, and the others recycle.
      {"wal_recovery_mode",
       {"kTolerateCorruptedTailRecords", "kAbsoluteConsistency",
        "kPointInTimeRecovery", "kSkipAnyCorruptedRecords"},
       Since::k7,
       true},
      {"allow_2pc", {"true", "false"}},
      {"avoid_flush_during_recovery", {"true", "false"}},
      {"avoid_flush_during_shutdown", {"true", "false"}},
      {"write_dbid_to_manifest", {"true", "false"}},
      {"db_host_id", {"here", "another"}},
      {"rate_limiter", {"60000000", "200000000"}, kOurs},
      {"io_scheduler", {"100", "400"}, kOurs},
      {"sst_file_manager", {"0", "100000", "10000000"}, kOurs},
      {"db_write_buffer_size", {"0", "131072", "524288"}},
      {"enforce_write_buffer_manager_during_recovery",
       {"true", "false"},
       kOurs},
      {"write_buffer_manager",
       {"200000", "400000", "stall:200000", "stall:400000"},
       kOurs},
      {"row_cache", {"lru:20000", "lru:1000000", "clock:100000"}, kOurs},
      {"lowest_used_cache_tier",
       {"kVolatileTier", "kVolatileCompressedTier", "kNonVolatileBlockTier"}},
      {"statistics", {"all", "except_timers"}, kOurs},
      {"listeners", {"silent"}, kOurs},
      {"compaction_service", {"declines", "works", "works"}, kOurs},
      {"file_checksum_gen_factory", {"FileChecksumGenCrc32cFactory"}, kOurs},
      {"info_log_level", {"DEBUG_LEVEL", "INFO_LEVEL", "FATAL_LEVEL"}},
      {"max_log_file_size", {"0", "20000"}},
      {"log_file_time_to_roll", {"0", "1"}},
      {"keep_log_file_num", {"1", "3"}},
      {"stats_dump_period_sec", {"0", "1"}},
      {"stats_persist_period_sec", {"0", "1"}},
      {"stats_history_buffer_size", {"0", "100000", "1048576"}},
      {"max_open_files", {"-1", "20", "30"}},
      {"table_cache_numshardbits", {"0", "2", "6"}},
      {"db_paths", {"1", "2", "3"}, kOurs, true},
      {"wal_dir", {"logs"}, kOurs, true},
      {"delete_obsolete_files_period_micros", {"0", "1000", "21600000000"}},
      {"max_manifest_file_size", {"1", "2000", "1073741824"}},
      {"allow_mmap_reads", {"true", "false"}},
      {"use_direct_reads", {"true", "false"}},
      {"use_direct_io_for_flush_and_compaction", {"true", "false"}},
      {"allow_fallocate", {"true", "false"}},
      {"is_fd_close_on_exec", {"true", "false"}},
      {"use_fsync", {"true", "false"}},
      {"advise_random_on_open", {"true", "false"}},
      {"compaction_readahead_size", {"0", "4096", "2097152"}},
      {"writable_file_max_buffer_size", {"8192", "65536", "1048576"}},
      {"bytes_per_sync", {"0", "4096", "1048576"}},
      {"wal_bytes_per_sync", {"0", "4096", "1048576"}},
      {"strict_bytes_per_sync", {"true", "false"}},
      {"max_total_wal_size", {"0", "100000", "1000000"}},
      {"recycle_log_file_num", {"0", "1", "3"}},
      {"manual_wal_flush", {"true", "false"}},
      {"wal_compression", {"kNoCompression", "kZSTD"}},
      {"max_background_jobs", {"1", "2", "4"}},
      {"max_background_compactions", {"-1", "1", "3"}},
      {"max_background_flushes", {"-1", "1", "2"}},
      {"max_subcompactions", {"1", "2", "4"}},
      {"delayed_write_rate", {"0", "50000000"}},
      {"max_bgerror_resume_count", {"0", "5"}},
      {"bgerror_resume_retry_interval", {"1000", "1000000"}},
      {"enable_pipelined_write", {"true", "false"}},
      {"unordered_write", {"true", "false"}},
      {"allow_concurrent_memtable_write", {"true", "false"}},
      {"enable_write_thread_adaptive_yield", {"true", "false"}},
      {"write_thread_max_yield_usec", {"0", "100"}},
      {"write_thread_slow_yield_usec", {"0", "3"}},
      {"max_write_batch_group_size_bytes", {"1", "1048576"}},
      {"two_write_queues", {"true", "false"}},
      {"atomic_flush", {"true", "false"}},
      {"prefix_seek_opt_in_only", {"true", "false"}, k11},
  };
  return kValues;
}

const std::vector<OptionValues>& FamilyValues() {
  static const std::vector<OptionValues> kValues = {
      {"bottommost_file_compaction_delay", {"0", "1"}, k11},
      // 64 KiB is the least that is not raised.
      {"write_buffer_size", {"65536", "100000", "300000"}},
      {"compression",
       {"kNoCompression", "kSnappyCompression", "kZlibCompression",
        "kBZip2Compression", "kLZ4Compression", "kLZ4HCCompression", "kZSTD"}},
      {"bottommost_compression",
       {"kDisableCompressionOption", "kNoCompression", "kZSTD",
        "kLZ4Compression", "kZlibCompression"}},
      {"compression_opts",
       {"{max_dict_bytes=2000}",
        "{max_dict_bytes=4000;zstd_max_train_bytes=40000}",
        "{max_dict_bytes=1000;max_dict_buffer_bytes=20000;"
        "zstd_max_train_bytes=10000;use_zstd_dict_trainer=false}",
        "{parallel_threads=3}", "{parallel_threads=4;max_dict_bytes=2000}",
        "{level=1}", "{level=9;window_bits=-14;strategy=0}"}},
      {"bottommost_compression_opts",
       {"{enabled=true;max_dict_bytes=2000}",
        "{enabled=true;parallel_threads=2;level=3}", "{enabled=false}"}},
      {"level0_file_num_compaction_trigger", {"1", "2", "4", "20"}},
      // At most Walk::kPrefix bytes, so that iterators in prefix mode show the
      // same with each.
      {"prefix_extractor",
       {"rocksdb.FixedPrefix.3", "rocksdb.FixedPrefix.1",
        "rocksdb.CappedPrefix.3", "rocksdb.CappedPrefix.2"}},
      {"max_bytes_for_level_base", {"10000", "65536", "1000000"}},
      {"disable_auto_compactions", {"true", "false"}},
      {"cf_paths", {"2"}, kOurs, true},
      {"sst_partitioner_factory",
       {"{id=SstPartitionerFixedPrefixFactory;length=2;}",
        "{id=SstPartitionerFixedPrefixFactory;length=4;}"},
       kOurs},
      {"memtable_max_range_deletions", {"0", "1", "10"}, k11},
      {"max_write_buffer_number", {"2", "3", "6"}},
      {"min_write_buffer_number_to_merge", {"1", "2", "3"}},
      {"memtable_prefix_bloom_size_ratio", {"0", "0.1", "0.25"}},
      {"memtable_whole_key_filtering", {"true", "false"}},
      {"memtable_huge_page_size", {"0", "2097152"}},
      {"memtable_insert_with_hint_prefix_extractor",
       {"rocksdb.FixedPrefix.3", "rocksdb.CappedPrefix.2"},
       kOurs},
      {"arena_block_size", {"4096", "65536"}},
      {"memtable_protection_bytes_per_key", {"0", "1", "2", "4", "8"}, kOurs},
      {"block_protection_bytes_per_key", {"0", "1", "2", "4", "8"}, kOurs},
      {"paranoid_memory_checks", {"true", "false"}, kOurs},
      {"memtable_verify_per_key_checksum_on_seek", {"true", "false"}, kOurs},
      {"memtable_batch_lookup_optimization", {"true", "false"}, kOurs},
      {"max_successive_merges", {"1", "3", "20"}},
      {"strict_max_successive_merges", {"true", "false"}, k11},
      {"experimental_mempurge_threshold", {"0", "0.5", "1"}},
      {"memtable_op_scan_flush_trigger", {"0", "1", "20"}, kOurs},
      {"memtable_avg_op_scan_flush_trigger", {"0", "1", "5"}, kOurs},
      {"max_write_buffer_size_to_maintain", {"-1", "0", "100000"}},
      {"memtable_factory",
       {"skip_list", "skip_list:4", "vector", "prefix_hash:100",
        "hash_linkedlist:50"},
       kOurs},
      {"compression_per_level",
       {"kNoCompression:kSnappyCompression",
        "kNoCompression:kNoCompression:kZSTD", "kLZ4Compression"}},
      {"num_levels", {"2", "3", "5", "7"}, Since::k7, true},
      {"level0_slowdown_writes_trigger", {"20", "40"}},
      {"level0_stop_writes_trigger", {"36", "50"}},
      {"target_file_size_base", {"2000", "8192", "65536", "1000000"}},
      {"target_file_size_multiplier", {"1", "2"}},
      {"level_compaction_dynamic_level_bytes", {"true", "false"}},
      {"max_bytes_for_level_multiplier", {"1.5", "4", "10"}},
      {"max_bytes_for_level_multiplier_additional", {"1:2:1", "1:1:1:1:1:1:1"}},
      {"max_compaction_bytes", {"0", "20000", "1000000"}},
      {"soft_pending_compaction_bytes_limit", {"0", "68719476736"}},
      {"hard_pending_compaction_bytes_limit", {"0", "274877906944"}},
      {"compaction_pri",
       {"kByCompensatedSize", "kOldestLargestSeqFirst",
        "kOldestSmallestSeqFirst", "kMinOverlappingRatio", "kRoundRobin"}},
      {"auto_tuned_compaction", {"true", "true", "false"}, kOurs},
      {"compaction_tuning", {"kDrainSwitch", "kAdaptive", "kAdvise"}, kOurs},
      {"max_sequential_skip_in_iterations", {"0", "1", "8"}},
      {"optimize_filters_for_hits", {"true", "false"}},
      {"table_properties_collector_factories", {"compact_on_deletion"}, kOurs},
      {"compaction_filter", {"rewriting"}, kOurs},
      {"compaction_filter_factory", {"compactions", "flushes", "all"}, kOurs},
      {"paranoid_file_checks", {"true", "false"}},
      {"force_consistency_checks", {"true", "false"}},
      {"enable_blob_files", {"true", "true", "false"}},
      {"min_blob_size", {"0", "10", "100"}},
      {"blob_file_size", {"1", "8192", "1000000"}},
      {"blob_compression_type",
       {"kNoCompression", "kLZ4Compression", "kZSTD", "kSnappyCompression"}},
      {"blob_compression_opts", {"{level=1}", "{level=5}"}, k11},
      {"enable_blob_garbage_collection", {"true", "true", "false"}},
      {"blob_garbage_collection_age_cutoff", {"0.25", "0.5", "1"}},
      {"blob_garbage_collection_force_threshold", {"0.1", "0.5", "1"}},
      {"blob_file_starting_level", {"0", "1", "3"}},
      {"blob_cache", {"lru:20000", "clock:300000", "lru:10000:300000"}, kOurs},
      {"prepopulate_blob_cache", {"kDisable", "kFlushOnly"}},
  };
  return kValues;
}

const std::vector<OptionValues>& TableValues() {
  static const std::vector<OptionValues> kValues = {
      {"cache_index_and_filter_blocks", {"true", "true", "false"}},
      {"cache_index_and_filter_blocks_with_high_priority", {"true", "false"}},
      {"pin_l0_filter_and_index_blocks_in_cache", {"true", "false"}},
      {"pin_top_level_index_and_filter", {"true", "false"}},
      {"metadata_cache_options",
       {"{top_level_index_pinning=kNone;partition_pinning=kNone;"
        "unpartitioned_pinning=kNone}",
        "{top_level_index_pinning=kAll;partition_pinning=kAll;"
        "unpartitioned_pinning=kAll}",
        "{top_level_index_pinning=kFlushedAndSimilar;"
        "partition_pinning=kFlushedAndSimilar;"
        "unpartitioned_pinning=kFlushedAndSimilar}"}},
      {"index_type",
       {"kBinarySearch", "kHashSearch", "kTwoLevelIndexSearch",
        "kBinarySearchWithFirstKey"}},
      {"index_block_restart_interval", {"1", "3", "16"}},
      {"index_shortening",
       {"kNoShortening", "kShortenSeparators",
        "kShortenSeparatorsAndSuccessor"}},
      {"enable_index_compression", {"true", "false"}},
      {"metadata_block_size", {"64", "256", "4096"}},
      {"partition_from_level", {"0", "1", "3"}, kOurs},
      {"data_block_index_type",
       {"kDataBlockBinarySearch", "kDataBlockBinaryAndHash"}},
      {"data_block_hash_table_util_ratio", {"0.5", "0.75", "1"}},
      {"checksum", {"kNoChecksum", "kCRC32c", "kxxHash", "kxxHash64", "kXXH3"}},
      {"no_block_cache", {"true", "false", "false"}},
      // Kinds and capacities; the third part is a compressed second tier.
      {"block_cache",
       {"lru:1", "lru:5000", "lru:30000", "lru:1000000", "clock:5000",
        "clock:100000", "lru:5000:1000000", "lru:20000:100000",
        "clock:20000:1000000"},
       kOurs},
      {"flush_block_policy_factory",
       {"FlushBlockBySizePolicyFactory", "FlushBlockEveryKeyPolicyFactory"}},
      {"block_size", {"1", "64", "256", "1024", "4096"}},
      {"block_size_deviation", {"0", "10", "50"}},
      {"block_restart_interval", {"1", "3", "16"}},
      {"use_delta_encoding", {"true", "false"}, k11},
      {"block_align", {"true", "false"}},
      {"super_block_alignment_size", {"0", "2048", "16384"}, k11},
      {"super_block_alignment_space_overhead_ratio", {"32", "128"}, k11},
      {"separate_key_value_in_data_block", {"true", "false"}, k11},
      {"filter_policy",
       {"bloomfilter:10:false", "bloomfilter:3:false", "ribbonfilter:10:0",
        "ribbonfilter:10:-1", "ribbonfilter:6:2"}},
      {"whole_key_filtering", {"true", "false"}},
      {"partition_filters", {"true", "false"}},
      {"decouple_partitioned_filters", {"true", "false"}, k11},
      {"detect_filter_construct_corruption", {"true", "false"}},
      {"verify_compression", {"true", "false"}},
      {"format_version", {"2", "3", "4", "5", "6", "7"}},
      {"initial_auto_readahead_size", {"0", "1000", "8192"}},
      {"max_auto_readahead_size", {"0", "4096", "262144"}},
      {"num_file_reads_for_auto_readahead", {"0", "1", "2"}},
      {"prepopulate_block_cache",
       {"kDisable", "kFlushOnly", "kFlushAndCompaction"},
       kOurs},
  };
  return kValues;
}

const std::vector<OptionValues>& ReadValues() {
  static const std::vector<OptionValues> kValues = {
      {"verify_checksums", {"true", "false"}},
      {"fill_cache", {"true", "false"}},
      {"async_io", {"true", "false"}},
      {"optimize_multiget_for_io", {"true", "false"}},
      {"readahead_size", {"0", "3000", "100000"}},
      {"pin_data", {"true", "false"}},
      {"adaptive_readahead", {"true", "false"}},
      {"background_purge_on_iterator_cleanup", {"true", "false"}},
      {"auto_readahead_size", {"true", "false"}},
      {"allow_unprepared_value", {"true", "false"}},
      {"auto_refresh_iterator_with_snapshot", {"true", "false"}},
  };
  return kValues;
}

const std::vector<OptionValues>& WriteValues() {
  static const std::vector<OptionValues> kValues = {
      {"sync", {"true", "false", "false", "false"}},
      {"disableWAL", {"true", "false", "false"}},
      {"low_pri", {"true", "false", "false"}},
      {"memtable_insert_hint_per_batch", {"true", "false"}},
      {"protection_bytes_per_key", {"0", "8"}},
  };
  return kValues;
}

constexpr NotDrawn kDbNotDrawn[] = {
    {"create_if_missing", "the target sets it"},
    {"create_missing_column_families", "the target sets it"},
    {"error_if_exists", "true refuses every reopening"},
    {"env", "the target's"},
    {"wal_filter", "a class of the program's own: test/db/recovery"},
    {"info_log", "the target's LOG is the default one"},
    {"db_log_dir", "says only where the LOG is: test/env"},
};

constexpr NotDrawn kFamilyNotDrawn[] = {
    {"comparator", "belongs to the history: the family's order"},
    {"merge_operator", "belongs to the history: what merging means"},
    {"table_factory", "drawn as the table's own options"},
    {"compaction_style", "only one value is accepted"},
    {"inplace_update_support",
     "takes no snapshots: test/stress/crash, test/db/memtable"},
    {"inplace_update_num_locks", "without in-place updates: nothing"},
    {"inplace_callback", "changes answers: test/db/memtable"},
    {"disallow_memtable_writes", "refuses all writes: test/db/memtable"},
};

}  // namespace

std::span<const OptionValues> ValuesOf(Section section) {
  switch (section) {
    case Section::kDb:
      return DbValues();
    case Section::kFamily:
      return FamilyValues();
    case Section::kTable:
      return TableValues();
    case Section::kRead:
      return ReadValues();
    case Section::kWrite:
      return WriteValues();
  }
  return {};
}

std::span<const NotDrawn> NotDrawnOf(Section section) {
  if (section == Section::kDb) return kDbNotDrawn;
  if (section == Section::kFamily) return kFamilyNotDrawn;
  return {};
}

}  // namespace ROCKSDB_NAMESPACE::stress
