// The tables of the table formats' options.

#include "db/options/objects.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Bb = BlockBasedTableOptions;

constexpr OptionField kBlockBasedFields[] = {
    Field<Bb, &Bb::flush_block_policy_factory>("flush_block_policy_factory",
                                               kShared),
    Field<Bb, &Bb::cache_index_and_filter_blocks>(
        "cache_index_and_filter_blocks", kShared),
    Field<Bb, &Bb::cache_index_and_filter_blocks_with_high_priority>(
        "cache_index_and_filter_blocks_with_high_priority", kShared),
    Field<Bb, &Bb::pin_l0_filter_and_index_blocks_in_cache>(
        "pin_l0_filter_and_index_blocks_in_cache", kShared),
    Field<Bb, &Bb::pin_top_level_index_and_filter>(
        "pin_top_level_index_and_filter", kShared),
    Field<Bb, &Bb::metadata_cache_options>("metadata_cache_options", kShared),
    Field<Bb, &Bb::index_type>("index_type", kShared),
    Field<Bb, &Bb::index_block_restart_interval>("index_block_restart_interval",
                                                 kShared | kMutable),
    Field<Bb, &Bb::index_block_search_type>("index_block_search_type",
                                            kMutable | kAccepted),
    Field<Bb, &Bb::uniform_cv_threshold>("uniform_cv_threshold",
                                         kMutable | kAccepted),
    Field<Bb, &Bb::index_shortening>("index_shortening", kShared | kMutable),
    Field<Bb, &Bb::enable_index_compression>("enable_index_compression",
                                             kShared | kMutable),
    Field<Bb, &Bb::metadata_block_size>("metadata_block_size",
                                        kShared | kMutable),
    Field<Bb, &Bb::partition_from_level>("partition_from_level",
                                         kMutable | kOurs),
    Field<Bb, &Bb::user_defined_index_factory>("user_defined_index_factory",
                                               kAccepted),
    Field<Bb, &Bb::fail_if_no_udi_on_open>("fail_if_no_udi_on_open", kAccepted),
    Field<Bb, &Bb::use_udi_as_primary_index>("use_udi_as_primary_index",
                                             kAccepted),
    Field<Bb, &Bb::data_block_index_type>("data_block_index_type",
                                          kShared | kMutable),
    Field<Bb, &Bb::data_block_hash_table_util_ratio>(
        "data_block_hash_table_util_ratio", kShared | kMutable),
    Field<Bb, &Bb::checksum>("checksum", kShared | kMutable),
    Field<Bb, &Bb::no_block_cache>("no_block_cache", kShared),
    Field<Bb, &Bb::block_cache>("block_cache", kNotStored),
    Field<Bb, &Bb::block_cache_compressed>("block_cache_compressed", kObsolete),
    Field<Bb, &Bb::persistent_cache>("persistent_cache",
                                     kNotStored | kAccepted),
    Field<Bb, &Bb::block_size>("block_size", kShared | kMutable),
    Field<Bb, &Bb::block_size_deviation>("block_size_deviation",
                                         kShared | kMutable),
    Field<Bb, &Bb::block_restart_interval>("block_restart_interval",
                                           kShared | kMutable),
    Field<Bb, &Bb::use_delta_encoding>("use_delta_encoding", kMutable),
    Field<Bb, &Bb::block_align>("block_align", kShared | kMutable),
    Field<Bb, &Bb::super_block_alignment_size>("super_block_alignment_size",
                                               kMutable),
    Field<Bb, &Bb::super_block_alignment_space_overhead_ratio>(
        "super_block_alignment_space_overhead_ratio", kMutable),
    Field<Bb, &Bb::separate_key_value_in_data_block>(
        "separate_key_value_in_data_block", kMutable),
    Field<Bb, &Bb::filter_policy>("filter_policy", kShared),
    Field<Bb, &Bb::whole_key_filtering>("whole_key_filtering", kShared),
    Field<Bb, &Bb::partition_filters>("partition_filters", kShared),
    Field<Bb, &Bb::decouple_partitioned_filters>("decouple_partitioned_filters",
                                                 kMutable),
    Field<Bb, &Bb::optimize_filters_for_memory>("optimize_filters_for_memory",
                                                kShared | kMutable | kAccepted),
    Field<Bb, &Bb::detect_filter_construct_corruption>(
        "detect_filter_construct_corruption", kShared | kMutable),
    Field<Bb, &Bb::verify_compression>("verify_compression",
                                       kShared | kMutable),
    Field<Bb, &Bb::read_amp_bytes_per_bit>("read_amp_bytes_per_bit",
                                           kShared | kAccepted),
    RefusingWhen(
        "other than 2 to 7",
        Field<Bb, &Bb::format_version>("format_version", kShared | kMutable)),
    Field<Bb, &Bb::initial_auto_readahead_size>("initial_auto_readahead_size",
                                                kShared | kMutable),
    Field<Bb, &Bb::max_auto_readahead_size>("max_auto_readahead_size",
                                            kShared | kMutable),
    Field<Bb, &Bb::num_file_reads_for_auto_readahead>(
        "num_file_reads_for_auto_readahead", kShared | kMutable),
    Field<Bb, &Bb::prepopulate_block_cache>("prepopulate_block_cache",
                                            kShared | kMutable),
    Field<Bb, &Bb::hash_index_allow_collision>("hash_index_allow_collision",
                                               kObsolete),
    Field<Bb, &Bb::skip_table_builder_flush>("skip_table_builder_flush",
                                             kObsolete),
    Field<Bb, &Bb::reserve_table_builder_memory>("reserve_table_builder_memory",
                                                 kObsolete),
};

}  // namespace

FieldTable BlockBasedTableOptionFields() { return kBlockBasedFields; }

FieldTable StructTable<MetadataCacheOptions>::Fields() {
  using S = MetadataCacheOptions;
  static constexpr OptionField kFields[] = {
      Field<S, &S::top_level_index_pinning>("top_level_index_pinning", kShared),
      Field<S, &S::partition_pinning>("partition_pinning", kShared),
      Field<S, &S::unpartitioned_pinning>("unpartitioned_pinning", kShared),
  };
  return kFields;
}

FieldTable PlainTableOptionFields() {
  using S = PlainTableOptions;
  static constexpr OptionField kFields[] = {
      Field<S, &S::user_key_len>("user_key_len", kShared),
      Field<S, &S::bloom_bits_per_key>("bloom_bits_per_key", kShared),
      Field<S, &S::hash_table_ratio>("hash_table_ratio", kShared),
      Field<S, &S::index_sparseness>("index_sparseness", kShared),
      Field<S, &S::huge_page_tlb_size>("huge_page_tlb_size", kShared),
      Field<S, &S::encoding_type>("encoding_type", kShared),
      Field<S, &S::full_scan_mode>("full_scan_mode", kShared),
      Field<S, &S::store_index_in_file>("store_index_in_file", kShared),
  };
  return kFields;
}

FieldTable CuckooTableOptionFields() {
  using S = CuckooTableOptions;
  static constexpr OptionField kFields[] = {
      Field<S, &S::hash_table_ratio>("hash_table_ratio", kShared),
      Field<S, &S::max_search_depth>("max_search_depth", kShared),
      Field<S, &S::cuckoo_block_size>("cuckoo_block_size", kShared),
      Field<S, &S::identity_as_first_hash>("identity_as_first_hash", kShared),
      Field<S, &S::use_module_hash>("use_module_hash", kShared),
  };
  return kFields;
}

}  // namespace ROCKSDB_NAMESPACE::engine
