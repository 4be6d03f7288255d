// The tables of ColumnFamilyOptions and of the structs inside it.

#include "db/options/objects.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr char kMethodMissing[] =
    "not linked in, or `kZSTDNotFinalCompression`";

using Cf = ColumnFamilyOptions;

constexpr OptionField kCfFields[] = {
    Field<Cf, &Cf::comparator>("comparator", kShared),
    Field<Cf, &Cf::merge_operator>("merge_operator", kShared),
    RefusingWhen(
        "`IgnoreSnapshots()` is false",
        Field<Cf, &Cf::compaction_filter>("compaction_filter", kShared)),
    Field<Cf, &Cf::compaction_filter_factory>("compaction_filter_factory",
                                              kShared),
    Field<Cf, &Cf::write_buffer_size>("write_buffer_size", kShared | kMutable),
    RefusingWhen(kMethodMissing, Field<Cf, &Cf::compression>(
                                     "compression", kShared | kMutable)),
    RefusingWhen(kMethodMissing,
                 Field<Cf, &Cf::bottommost_compression>(
                     "bottommost_compression", kShared | kMutable)),
    Field<Cf, &Cf::compression_opts>("compression_opts", kShared | kMutable),
    Field<Cf, &Cf::bottommost_compression_opts>("bottommost_compression_opts",
                                                kShared | kMutable),
    Field<Cf, &Cf::compression_manager>("compression_manager", kAccepted),
    Field<Cf, &Cf::level0_file_num_compaction_trigger>(
        "level0_file_num_compaction_trigger", kShared | kMutable),
    Field<Cf, &Cf::prefix_extractor>("prefix_extractor", kShared | kMutable),
    Field<Cf, &Cf::max_bytes_for_level_base>("max_bytes_for_level_base",
                                             kShared | kMutable),
    Field<Cf, &Cf::disable_auto_compactions>("disable_auto_compactions",
                                             kShared | kMutable),
    RefusingWhen("other than block-based",
                 Field<Cf, &Cf::table_factory>("table_factory", kShared)),
    RefusingWhen("more than four",
                 Field<Cf, &Cf::cf_paths>("cf_paths", kNotStored)),
    Field<Cf, &Cf::compaction_thread_limiter>("compaction_thread_limiter",
                                              kNotStored | kAccepted),
    Field<Cf, &Cf::sst_partitioner_factory>("sst_partitioner_factory", kShared),
    Field<Cf, &Cf::memtable_max_range_deletions>("memtable_max_range_deletions",
                                                 kMutable),
    Field<Cf, &Cf::uncache_aggressiveness>("uncache_aggressiveness",
                                           kMutable | kAccepted),
    Field<Cf, &Cf::snap_refresh_nanos>("snap_refresh_nanos",
                                       kObsolete | kMutable),
    Field<Cf, &Cf::max_write_buffer_number>("max_write_buffer_number",
                                            kShared | kMutable),
    Field<Cf, &Cf::min_write_buffer_number_to_merge>(
        "min_write_buffer_number_to_merge", kShared),
    Field<Cf, &Cf::max_write_buffer_size_to_maintain>(
        "max_write_buffer_size_to_maintain", kShared),
    Field<Cf, &Cf::inplace_update_support>("inplace_update_support", kShared),
    Field<Cf, &Cf::inplace_update_num_locks>("inplace_update_num_locks",
                                             kShared | kMutable),
    Field<Cf, &Cf::inplace_callback>("inplace_callback", kNotStored),
    Field<Cf, &Cf::experimental_mempurge_threshold>(
        "experimental_mempurge_threshold", kShared | kMutable),
    Field<Cf, &Cf::memtable_prefix_bloom_size_ratio>(
        "memtable_prefix_bloom_size_ratio", kShared | kMutable),
    Field<Cf, &Cf::memtable_whole_key_filtering>("memtable_whole_key_filtering",
                                                 kShared | kMutable),
    Field<Cf, &Cf::memtable_huge_page_size>("memtable_huge_page_size",
                                            kShared | kMutable),
    Field<Cf, &Cf::memtable_insert_with_hint_prefix_extractor>(
        "memtable_insert_with_hint_prefix_extractor", kShared),
    Field<Cf, &Cf::bloom_locality>("bloom_locality", kShared | kAccepted),
    Field<Cf, &Cf::arena_block_size>("arena_block_size", kShared | kMutable),
    Field<Cf, &Cf::max_successive_merges>("max_successive_merges",
                                          kShared | kMutable),
    Field<Cf, &Cf::strict_max_successive_merges>("strict_max_successive_merges",
                                                 kMutable),
    Field<Cf, &Cf::memtable_protection_bytes_per_key>(
        "memtable_protection_bytes_per_key", kShared | kMutable),
    Field<Cf, &Cf::paranoid_memory_checks>("paranoid_memory_checks", kMutable),
    Field<Cf, &Cf::memtable_verify_per_key_checksum_on_seek>(
        "memtable_verify_per_key_checksum_on_seek", kMutable),
    Field<Cf, &Cf::memtable_op_scan_flush_trigger>(
        "memtable_op_scan_flush_trigger", kMutable),
    Field<Cf, &Cf::memtable_avg_op_scan_flush_trigger>(
        "memtable_avg_op_scan_flush_trigger", kMutable),
    Field<Cf, &Cf::min_tombstones_for_range_conversion>(
        "min_tombstones_for_range_conversion", kMutable | kAccepted),
    Field<Cf, &Cf::memtable_batch_lookup_optimization>(
        "memtable_batch_lookup_optimization", kMutable),
    Field<Cf, &Cf::disallow_memtable_writes>("disallow_memtable_writes"),
    Field<Cf, &Cf::memtable_factory>("memtable_factory", kShared),
    RefusingWhen(kMethodMissing,
                 Field<Cf, &Cf::compression_per_level>("compression_per_level",
                                                       kShared | kMutable)),
    Field<Cf, &Cf::num_levels>("num_levels", kShared),
    Field<Cf, &Cf::level0_slowdown_writes_trigger>(
        "level0_slowdown_writes_trigger", kShared | kMutable),
    Field<Cf, &Cf::level0_stop_writes_trigger>("level0_stop_writes_trigger",
                                               kShared | kMutable),
    Field<Cf, &Cf::target_file_size_base>("target_file_size_base",
                                          kShared | kMutable),
    Field<Cf, &Cf::target_file_size_multiplier>("target_file_size_multiplier",
                                                kShared | kMutable),
    Field<Cf, &Cf::target_file_size_is_upper_bound>(
        "target_file_size_is_upper_bound", kMutable | kAccepted),
    Field<Cf, &Cf::level_compaction_dynamic_level_bytes>(
        "level_compaction_dynamic_level_bytes", kShared),
    Field<Cf, &Cf::max_bytes_for_level_multiplier>(
        "max_bytes_for_level_multiplier", kShared | kMutable),
    Field<Cf, &Cf::max_bytes_for_level_multiplier_additional>(
        "max_bytes_for_level_multiplier_additional", kShared | kMutable),
    Field<Cf, &Cf::max_compaction_bytes>("max_compaction_bytes",
                                         kShared | kMutable),
    Field<Cf, &Cf::soft_pending_compaction_bytes_limit>(
        "soft_pending_compaction_bytes_limit", kShared | kMutable),
    Field<Cf, &Cf::hard_pending_compaction_bytes_limit>(
        "hard_pending_compaction_bytes_limit", kShared | kMutable),
    Refusing("kCompactionStyleUniversal|kCompactionStyleFIFO",
             Field<Cf, &Cf::compaction_style>("compaction_style", kShared)),
    Field<Cf, &Cf::compaction_pri>("compaction_pri", kShared),
    Field<Cf, &Cf::compaction_options_universal>(
        "compaction_options_universal", kShared | kMutable | kAccepted),
    Field<Cf, &Cf::compaction_options_fifo>("compaction_options_fifo",
                                            kShared | kMutable | kAccepted),
    Field<Cf, &Cf::auto_tuned_compaction>("auto_tuned_compaction",
                                          kMutable | kOurs),
    Field<Cf, &Cf::compaction_tuning>("compaction_tuning", kMutable | kOurs),
    Field<Cf, &Cf::ttl>("ttl", kShared | kMutable | kAccepted),
    Field<Cf, &Cf::periodic_compaction_seconds>("periodic_compaction_seconds",
                                                kShared | kMutable | kAccepted),
    Field<Cf, &Cf::bottommost_file_compaction_delay>(
        "bottommost_file_compaction_delay", kMutable),
    Field<Cf, &Cf::read_triggered_compaction_threshold>(
        "read_triggered_compaction_threshold", kMutable | kAccepted),
    Field<Cf, &Cf::max_sequential_skip_in_iterations>(
        "max_sequential_skip_in_iterations", kShared | kMutable),
    Field<Cf, &Cf::optimize_filters_for_hits>("optimize_filters_for_hits",
                                              kShared),
    Field<Cf, &Cf::table_properties_collector_factories>(
        "table_properties_collector_factories", kNotStored),
    Field<Cf, &Cf::paranoid_file_checks>("paranoid_file_checks",
                                         kShared | kMutable),
    Field<Cf, &Cf::verify_output_flags>("verify_output_flags",
                                        kMutable | kAccepted),
    Field<Cf, &Cf::force_consistency_checks>("force_consistency_checks",
                                             kShared),
    Field<Cf, &Cf::report_bg_io_stats>("report_bg_io_stats",
                                       kShared | kMutable | kAccepted),
    Field<Cf, &Cf::sample_for_compression>("sample_for_compression",
                                           kShared | kMutable | kAccepted),
    Field<Cf, &Cf::block_protection_bytes_per_key>(
        "block_protection_bytes_per_key", kMutable),
    Field<Cf, &Cf::last_level_temperature>("last_level_temperature",
                                           kShared | kMutable | kAccepted),
    Field<Cf, &Cf::default_write_temperature>("default_write_temperature",
                                              kMutable | kAccepted),
    Field<Cf, &Cf::default_temperature>("default_temperature", kAccepted),
    Field<Cf, &Cf::preclude_last_level_data_seconds>(
        "preclude_last_level_data_seconds", kShared | kMutable | kAccepted),
    Field<Cf, &Cf::preserve_internal_time_seconds>(
        "preserve_internal_time_seconds", kShared | kMutable | kAccepted),
    Field<Cf, &Cf::enable_blob_files>("enable_blob_files", kShared | kMutable),
    Field<Cf, &Cf::min_blob_size>("min_blob_size", kShared | kMutable),
    Field<Cf, &Cf::blob_file_size>("blob_file_size", kShared | kMutable),
    Field<Cf, &Cf::blob_compression_type>("blob_compression_type",
                                          kShared | kMutable),
    Field<Cf, &Cf::blob_compression_opts>("blob_compression_opts", kMutable),
    Field<Cf, &Cf::enable_blob_garbage_collection>(
        "enable_blob_garbage_collection", kShared | kMutable),
    Field<Cf, &Cf::blob_garbage_collection_age_cutoff>(
        "blob_garbage_collection_age_cutoff", kShared | kMutable),
    Field<Cf, &Cf::blob_garbage_collection_force_threshold>(
        "blob_garbage_collection_force_threshold", kShared | kMutable),
    Field<Cf, &Cf::blob_compaction_readahead_size>(
        "blob_compaction_readahead_size", kShared | kMutable | kAccepted),
    Field<Cf, &Cf::blob_file_starting_level>("blob_file_starting_level",
                                             kShared | kMutable),
    Field<Cf, &Cf::blob_cache>("blob_cache", kNotStored),
    Field<Cf, &Cf::prepopulate_blob_cache>("prepopulate_blob_cache",
                                           kShared | kMutable),
    Field<Cf, &Cf::enable_blob_direct_write>("enable_blob_direct_write",
                                             kMutable | kAccepted),
    Field<Cf, &Cf::blob_direct_write_partitions>("blob_direct_write_partitions",
                                                 kAccepted),
    Field<Cf, &Cf::blob_direct_write_partition_strategy>(
        "blob_direct_write_partition_strategy", kNotStored | kAccepted),
    Field<Cf, &Cf::persist_user_defined_timestamps>(
        "persist_user_defined_timestamps", kAccepted | kNeeded),
    Field<Cf, &Cf::cf_allow_ingest_behind>("cf_allow_ingest_behind", kAccepted),
    Field<Cf, &Cf::max_write_buffer_number_to_maintain>(
        "max_write_buffer_number_to_maintain", kObsolete),
    Field<Cf, &Cf::level_compaction_dynamic_file_size>(
        "level_compaction_dynamic_file_size", kObsolete),
    Field<Cf, &Cf::ignore_max_compaction_bytes_for_input>(
        "ignore_max_compaction_bytes_for_input", kObsolete | kMutable),
    Field<Cf, &Cf::check_flush_compaction_key_order>(
        "check_flush_compaction_key_order", kObsolete | kMutable),
    Field<Cf, &Cf::bottommost_temperature>("bottommost_temperature",
                                           kObsolete | kMutable),
    Field<Cf, &Cf::soft_rate_limit>("soft_rate_limit", kObsolete | kMutable),
    Field<Cf, &Cf::hard_rate_limit>("hard_rate_limit", kObsolete | kMutable),
    Field<Cf, &Cf::rate_limit_delay_max_milliseconds>(
        "rate_limit_delay_max_milliseconds", kObsolete),
    Field<Cf, &Cf::purge_redundant_kvs_while_flush>(
        "purge_redundant_kvs_while_flush", kObsolete),
    Field<Cf, &Cf::max_mem_compaction_level>("max_mem_compaction_level",
                                             kObsolete),
    Field<Cf, &Cf::min_partial_merge_operands>("min_partial_merge_operands",
                                               kObsolete | kMutable),
    Field<Cf, &Cf::verify_checksums_in_compaction>(
        "verify_checksums_in_compaction", kObsolete | kMutable),
    Field<Cf, &Cf::filter_deletes>("filter_deletes", kObsolete | kMutable),
    Field<Cf, &Cf::memtable_prefix_bloom_bits>("memtable_prefix_bloom_bits",
                                               kObsolete | kMutable),
    Field<Cf, &Cf::memtable_prefix_bloom_probes>("memtable_prefix_bloom_probes",
                                                 kObsolete | kMutable),
    Field<Cf, &Cf::source_compaction_factor>("source_compaction_factor",
                                             kObsolete | kMutable),
    Field<Cf, &Cf::expanded_compaction_factor>("expanded_compaction_factor",
                                               kObsolete | kMutable),
    Field<Cf, &Cf::max_grandparent_overlap_factor>(
        "max_grandparent_overlap_factor", kObsolete | kMutable),
    Field<Cf, &Cf::memtable_veirfy_per_key_checksum_on_seek>(
        "memtable_veirfy_per_key_checksum_on_seek", kObsolete),
    Dropped("compaction_measure_io_stats"),
    Dropped("memtable_prefix_bloom_huge_page_tlb_size", kMutable),
    Dropped("table_properties_collectors"),
};

}  // namespace

FieldTable CfOptionFields() { return kCfFields; }

FieldTable StructTable<CompressionOptions>::Fields() {
  using S = CompressionOptions;
  static constexpr OptionField kFields[] = {
      Field<S, &S::window_bits>("window_bits", kShared),
      Field<S, &S::level>("level", kShared),
      Field<S, &S::strategy>("strategy", kShared),
      Field<S, &S::max_dict_bytes>("max_dict_bytes", kShared),
      Field<S, &S::zstd_max_train_bytes>("zstd_max_train_bytes", kShared),
      Field<S, &S::parallel_threads>("parallel_threads", kShared),
      Field<S, &S::enabled>("enabled", kShared),
      Field<S, &S::max_dict_buffer_bytes>("max_dict_buffer_bytes", kShared),
      Field<S, &S::use_zstd_dict_trainer>("use_zstd_dict_trainer", kShared),
      Field<S, &S::max_compressed_bytes_per_kb>("max_compressed_bytes_per_kb"),
      Field<S, &S::checksum>("checksum"),
  };
  return kFields;
}

Status StructTable<CompressionOptions>::ParseOldForm(
    std::string_view text, CompressionOptions* value) {
  // In the order in which the parts were added over the releases.
  static constexpr const char* kOrder[] = {"window_bits",
                                           "level",
                                           "strategy",
                                           "max_dict_bytes",
                                           "zstd_max_train_bytes",
                                           "parallel_threads",
                                           "enabled",
                                           "max_dict_buffer_bytes",
                                           "use_zstd_dict_trainer"};
  const Result<std::vector<std::string>> parts = SplitList(text, ':');
  if (!parts.ok()) return parts.status();
  if (parts->size() < 3 || parts->size() > std::size(kOrder)) {
    return Status::InvalidArgument("compression options need 3 to 9 parts",
                                   Slice(text.data(), text.size()));
  }
  for (size_t i = 0; i < parts->size(); ++i) {
    RETURN_IF_ERROR(
        SetField(Fields(), TextMode(), kOrder[i], (*parts)[i], value));
  }
  return Status::OK();
}

FieldTable StructTable<CompactionOptionsUniversal>::Fields() {
  using S = CompactionOptionsUniversal;
  static constexpr OptionField kFields[] = {
      Field<S, &S::size_ratio>("size_ratio", kShared),
      Field<S, &S::min_merge_width>("min_merge_width", kShared),
      Field<S, &S::max_merge_width>("max_merge_width", kShared),
      Field<S, &S::max_size_amplification_percent>(
          "max_size_amplification_percent", kShared),
      Field<S, &S::max_read_amp>("max_read_amp"),
      Field<S, &S::compression_size_percent>("compression_size_percent",
                                             kShared),
      Field<S, &S::stop_style>("stop_style", kShared),
      Field<S, &S::allow_trivial_move>("allow_trivial_move", kShared),
      Field<S, &S::incremental>("incremental", kShared),
      Field<S, &S::reduce_file_locking>("reduce_file_locking"),
  };
  return kFields;
}

FieldTable StructTable<CompactionOptionsFIFO>::Fields() {
  using S = CompactionOptionsFIFO;
  static constexpr OptionField kFields[] = {
      Field<S, &S::max_table_files_size>("max_table_files_size", kShared),
      Field<S, &S::allow_compaction>("allow_compaction", kShared),
      Field<S, &S::age_for_warm>("age_for_warm", kShared),
      Field<S, &S::file_temperature_age_thresholds>(
          "file_temperature_age_thresholds"),
      Field<S, &S::allow_trivial_copy_when_change_temperature>(
          "allow_trivial_copy_when_change_temperature"),
      Field<S, &S::trivial_copy_buffer_size>("trivial_copy_buffer_size"),
      Field<S, &S::max_data_files_size>("max_data_files_size"),
      Field<S, &S::use_kv_ratio_compaction>("use_kv_ratio_compaction"),
      Dropped("ttl"),
  };
  return kFields;
}

// Of releases in which the size was all there is.
Status StructTable<CompactionOptionsFIFO>::ParseOldForm(
    std::string_view text, CompactionOptionsFIFO* value) {
  return TextCodec<uint64_t>::Parse(TextMode(), text,
                                    &value->max_table_files_size);
}

FieldTable StructTable<FileTemperatureAge>::Fields() {
  using S = FileTemperatureAge;
  static constexpr OptionField kFields[] = {
      Field<S, &S::temperature>("temperature"),
      Field<S, &S::age>("age"),
  };
  return kFields;
}

}  // namespace ROCKSDB_NAMESPACE::engine
