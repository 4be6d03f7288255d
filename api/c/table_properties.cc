// Properties of tables.
#include <iterator>

#include "api/c/infos.h"

namespace {

using Properties = capi::UserCollectedProperties;

// Null: there are not so many.
const Properties::value_type* At(const Properties& properties, size_t pos) {
  if (pos >= properties.size()) return nullptr;
  return &*std::next(properties.begin(), static_cast<ptrdiff_t>(pos));
}

const char* KeyAt(const Properties& properties, size_t pos, size_t* length) {
  const auto* const found = At(properties, pos);
  *length = 0;
  return found == nullptr ? nullptr
                          : capi_internal::TextOf(found->first, length);
}

const char* ValueAt(const Properties& properties, size_t pos, size_t* length) {
  const auto* const found = At(properties, pos);
  *length = 0;
  return found == nullptr ? nullptr
                          : capi_internal::TextOf(found->second, length);
}

constexpr uint64_t kUnknown = UINT64_MAX;

}  // namespace

extern "C" {

// clang-format off
VALUE(table_properties, column_family_id, uint64_t, column_family_id)
TEXT(table_properties, column_family_name, column_family_name)
TEXT(table_properties, comparator_name, comparator_name)
TEXT(table_properties, compression_name, compression_name)
TEXT(table_properties, compression_options, compression_options)
VALUE(table_properties, creation_time, uint64_t, creation_time)
VALUE(table_properties, data_block_restart_interval, uint64_t, data_block_restart_interval)
VALUE(table_properties, data_size, uint64_t, data_size)
TEXT(table_properties, db_host_id, db_host_id)
TEXT(table_properties, db_id, db_id)
TEXT(table_properties, db_session_id, db_session_id)
VALUE(table_properties, external_sst_file_global_seqno_offset, uint64_t, external_sst_file_global_seqno_offset)
VALUE(table_properties, fast_compression_estimated_data_size, uint64_t, fast_compression_estimated_data_size)
VALUE(table_properties, file_creation_time, uint64_t, file_creation_time)
TEXT(table_properties, filter_policy_name, filter_policy_name)
VALUE(table_properties, filter_size, uint64_t, filter_size)
VALUE(table_properties, fixed_key_len, uint64_t, fixed_key_len)
VALUE(table_properties, format_version, uint64_t, format_version)
VALUE(table_properties, index_block_restart_interval, uint64_t, index_block_restart_interval)
VALUE(table_properties, index_key_is_user_key, uint64_t, index_key_is_user_key)
VALUE(table_properties, index_partitions, uint64_t, index_partitions)
VALUE(table_properties, index_size, uint64_t, index_size)
VALUE(table_properties, index_value_is_delta_encoded, uint64_t, index_value_is_delta_encoded)
VALUE(table_properties, key_largest_seqno, uint64_t, key_largest_seqno)
VALUE(table_properties, key_smallest_seqno, uint64_t, key_smallest_seqno)
TEXT(table_properties, merge_operator_name, merge_operator_name)
VALUE(table_properties, newest_key_time, uint64_t, newest_key_time)
VALUE(table_properties, num_data_blocks, uint64_t, num_data_blocks)
VALUE(table_properties, num_data_blocks_compression_bypassed, uint64_t, num_data_blocks_compression_bypassed)
VALUE(table_properties, num_data_blocks_compression_rejected, uint64_t, num_data_blocks_compression_rejected)
VALUE(table_properties, num_deletions, uint64_t, num_deletions)
VALUE(table_properties, num_entries, uint64_t, num_entries)
VALUE(table_properties, num_filter_entries, uint64_t, num_filter_entries)
VALUE(table_properties, num_merge_operands, uint64_t, num_merge_operands)
VALUE(table_properties, num_range_deletions, uint64_t, num_range_deletions)
VALUE(table_properties, num_uniform_blocks, uint64_t, num_uniform_blocks)
VALUE(table_properties, oldest_key_time, uint64_t, oldest_key_time)
VALUE(table_properties, orig_file_number, uint64_t, orig_file_number)
TEXT(table_properties, prefix_extractor_name, prefix_extractor_name)
TEXT(table_properties, property_collectors_names, property_collectors_names)
VALUE(table_properties, raw_key_size, uint64_t, raw_key_size)
VALUE(table_properties, raw_value_size, uint64_t, raw_value_size)
VALUE(table_properties, separate_key_value_in_data_block, uint64_t, separate_key_value_in_data_block)
TEXT(table_properties, seqno_to_time_mapping, seqno_to_time_mapping)
VALUE(table_properties, slow_compression_estimated_data_size, uint64_t, slow_compression_estimated_data_size)
VALUE(table_properties, tail_start_offset, uint64_t, tail_start_offset)
VALUE(table_properties, top_level_index_size, uint64_t, top_level_index_size)
VALUE(table_properties, udi_is_primary_index, uint64_t, udi_is_primary_index)
VALUE(table_properties, uncompressed_data_size, uint64_t, uncompressed_data_size)
VALUE(table_properties, user_defined_timestamps_persisted, uint64_t, user_defined_timestamps_persisted)
// clang-format on

unsigned char rocksdb_table_properties_has_key_largest_seqno(
    const rocksdb_table_properties_t* props) {
  return props->rep.key_largest_seqno != kUnknown;
}
unsigned char rocksdb_table_properties_has_key_smallest_seqno(
    const rocksdb_table_properties_t* props) {
  return props->rep.key_smallest_seqno != kUnknown;
}

size_t rocksdb_table_properties_user_collected_properties_count(
    const rocksdb_table_properties_t* props) {
  return props->rep.user_collected_properties.size();
}
const char* rocksdb_table_properties_user_collected_properties_key_at(
    const rocksdb_table_properties_t* props, size_t pos, size_t* key_len) {
  return KeyAt(props->rep.user_collected_properties, pos, key_len);
}
const char* rocksdb_table_properties_user_collected_properties_value_at(
    const rocksdb_table_properties_t* props, size_t pos, size_t* value_len) {
  return ValueAt(props->rep.user_collected_properties, pos, value_len);
}

size_t rocksdb_table_properties_readable_properties_count(
    const rocksdb_table_properties_t* props) {
  return props->rep.readable_properties.size();
}
const char* rocksdb_table_properties_readable_properties_key_at(
    const rocksdb_table_properties_t* props, size_t pos, size_t* key_len) {
  return KeyAt(props->rep.readable_properties, pos, key_len);
}
const char* rocksdb_table_properties_readable_properties_value_at(
    const rocksdb_table_properties_t* props, size_t pos, size_t* value_len) {
  return ValueAt(props->rep.readable_properties, pos, value_len);
}

}  // extern "C"
