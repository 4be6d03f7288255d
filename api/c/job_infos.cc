// Reports to listeners: flushes, compactions, memtables, ingestions and stalls.
#include <iterator>

#include "api/c/convert.h"
#include "api/c/infos.h"

using capi_internal::SaveError;
using capi_internal::ViewOf;

namespace {

// The element as C sees it; null: there are not so many.
template <typename View, typename Element>
const View* ElementAt(const std::vector<Element>& elements, size_t pos) {
  return pos < elements.size() ? ViewOf<View>(elements[pos]) : nullptr;
}

const char* FileAt(const std::vector<std::string>& files, size_t pos,
                   size_t* size) {
  *size = 0;
  return pos < files.size() ? capi_internal::TextOf(files[pos], size) : nullptr;
}

using PropertiesOfFiles = capi::TablePropertiesCollection;

const PropertiesOfFiles::value_type* PropertiesAt(
    const PropertiesOfFiles& properties, size_t pos) {
  if (pos >= properties.size()) return nullptr;
  return &*std::next(properties.begin(), static_cast<ptrdiff_t>(pos));
}

}  // namespace

extern "C" {

// clang-format off
VALUE(flushjobinfo, blob_compression_type, uint32_t, blob_compression_type)
VALUE(flushjobinfo, cf_id, uint32_t, cf_id)
TEXT(flushjobinfo, cf_name, cf_name)
VALUE(flushjobinfo, file_number, uint64_t, file_number)
TEXT(flushjobinfo, file_path, file_path)
VALUE(flushjobinfo, flush_reason, uint32_t, flush_reason)
VALUE(flushjobinfo, job_id, int, job_id)
VALUE(flushjobinfo, largest_seqno, uint64_t, largest_seqno)
VALUE(flushjobinfo, oldest_blob_file_number, uint64_t, oldest_blob_file_number)
VALUE(flushjobinfo, smallest_seqno, uint64_t, smallest_seqno)
VALUE(flushjobinfo, thread_id, uint64_t, thread_id)
VALUE(flushjobinfo, triggered_writes_slowdown, unsigned char, triggered_writes_slowdown)
VALUE(flushjobinfo, triggered_writes_stop, unsigned char, triggered_writes_stop)

VALUE(compactionjobinfo, aborted, unsigned char, aborted)
VALUE(compactionjobinfo, base_input_level, int, base_input_level)
VALUE(compactionjobinfo, blob_compression_type, uint32_t, blob_compression_type)
VALUE(compactionjobinfo, cf_id, uint32_t, cf_id)
TEXT(compactionjobinfo, cf_name, cf_name)
VALUE(compactionjobinfo, compaction_reason, uint32_t, compaction_reason)
VALUE(compactionjobinfo, compression, uint32_t, compression)
VALUE(compactionjobinfo, elapsed_micros, uint64_t, stats.elapsed_micros)
VALUE(compactionjobinfo, input_records, uint64_t, stats.num_input_records)
VALUE(compactionjobinfo, job_id, int, job_id)
VALUE(compactionjobinfo, num_corrupt_keys, uint64_t, stats.num_corrupt_keys)
VALUE(compactionjobinfo, num_input_files, size_t, stats.num_input_files)
VALUE(compactionjobinfo, num_input_files_at_output_level, size_t, stats.num_input_files_at_output_level)
VALUE(compactionjobinfo, num_l0_files, int, num_l0_files)
VALUE(compactionjobinfo, output_level, int, output_level)
VALUE(compactionjobinfo, output_records, uint64_t, stats.num_output_records)
VALUE(compactionjobinfo, thread_id, uint64_t, thread_id)
VALUE(compactionjobinfo, total_input_bytes, uint64_t, stats.total_input_bytes)
VALUE(compactionjobinfo, total_output_bytes, uint64_t, stats.total_output_bytes)

VALUE(subcompactionjobinfo, base_input_level, int, base_input_level)
VALUE(subcompactionjobinfo, blob_compression_type, uint32_t, blob_compression_type)
VALUE(subcompactionjobinfo, cf_id, uint32_t, cf_id)
TEXT(subcompactionjobinfo, cf_name, cf_name)
VALUE(subcompactionjobinfo, compaction_reason, uint32_t, compaction_reason)
VALUE(subcompactionjobinfo, compression, uint32_t, compression)
VALUE(subcompactionjobinfo, job_id, int, job_id)
VALUE(subcompactionjobinfo, output_level, int, output_level)
VALUE(subcompactionjobinfo, subcompaction_job_id, int, subcompaction_job_id)
VALUE(subcompactionjobinfo, thread_id, uint64_t, thread_id)

VALUE(compaction_job_stats, cpu_micros, uint64_t, cpu_micros)
VALUE(compaction_job_stats, elapsed_micros, uint64_t, elapsed_micros)
VALUE(compaction_job_stats, file_fsync_nanos, uint64_t, file_fsync_nanos)
VALUE(compaction_job_stats, file_prepare_write_nanos, uint64_t, file_prepare_write_nanos)
VALUE(compaction_job_stats, file_range_sync_nanos, uint64_t, file_range_sync_nanos)
VALUE(compaction_job_stats, file_write_nanos, uint64_t, file_write_nanos)
VALUE(compaction_job_stats, has_accurate_num_input_records, unsigned char, has_accurate_num_input_records)
VALUE(compaction_job_stats, is_full_compaction, unsigned char, is_full_compaction)
VALUE(compaction_job_stats, is_manual_compaction, unsigned char, is_manual_compaction)
VALUE(compaction_job_stats, is_remote_compaction, unsigned char, is_remote_compaction)
TEXT(compaction_job_stats, largest_output_key_prefix, largest_output_key_prefix)
VALUE(compaction_job_stats, num_blobs_read, uint64_t, num_blobs_read)
VALUE(compaction_job_stats, num_corrupt_keys, uint64_t, num_corrupt_keys)
VALUE(compaction_job_stats, num_expired_deletion_records, uint64_t, num_expired_deletion_records)
VALUE(compaction_job_stats, num_filtered_input_files, size_t, num_filtered_input_files)
VALUE(compaction_job_stats, num_filtered_input_files_at_output_level, size_t, num_filtered_input_files_at_output_level)
VALUE(compaction_job_stats, num_input_deletion_records, uint64_t, num_input_deletion_records)
VALUE(compaction_job_stats, num_input_files, size_t, num_input_files)
VALUE(compaction_job_stats, num_input_files_at_output_level, size_t, num_input_files_at_output_level)
VALUE(compaction_job_stats, num_input_files_trivially_moved, size_t, num_input_files_trivially_moved)
VALUE(compaction_job_stats, num_input_records, uint64_t, num_input_records)
VALUE(compaction_job_stats, num_output_files, size_t, num_output_files)
VALUE(compaction_job_stats, num_output_files_blob, size_t, num_output_files_blob)
VALUE(compaction_job_stats, num_output_records, uint64_t, num_output_records)
VALUE(compaction_job_stats, num_records_replaced, uint64_t, num_records_replaced)
VALUE(compaction_job_stats, num_single_del_fallthru, uint64_t, num_single_del_fallthru)
VALUE(compaction_job_stats, num_single_del_mismatch, uint64_t, num_single_del_mismatch)
TEXT(compaction_job_stats, smallest_output_key_prefix, smallest_output_key_prefix)
VALUE(compaction_job_stats, total_blob_bytes_read, uint64_t, total_blob_bytes_read)
VALUE(compaction_job_stats, total_input_bytes, uint64_t, total_input_bytes)
VALUE(compaction_job_stats, total_input_raw_key_bytes, uint64_t, total_input_raw_key_bytes)
VALUE(compaction_job_stats, total_input_raw_value_bytes, uint64_t, total_input_raw_value_bytes)
VALUE(compaction_job_stats, total_output_bytes, uint64_t, total_output_bytes)
VALUE(compaction_job_stats, total_output_bytes_blob, uint64_t, total_output_bytes_blob)
VALUE(compaction_job_stats, total_skipped_input_bytes, uint64_t, total_skipped_input_bytes)

VALUE(compaction_file_info, file_number, uint64_t, file_number)
VALUE(compaction_file_info, level, int, level)
VALUE(compaction_file_info, oldest_blob_file_number, uint64_t, oldest_blob_file_number)

VALUE(blob_file_addition_info, total_blob_count, uint64_t, total_blob_count)
VALUE(blob_file_addition_info, blob_file_number, uint64_t, blob_file_number)
TEXT(blob_file_addition_info, blob_file_path, blob_file_path)
VALUE(blob_file_addition_info, total_blob_bytes, uint64_t, total_blob_bytes)

VALUE(blob_file_garbage_info, garbage_blob_count, uint64_t, garbage_blob_count)
VALUE(blob_file_garbage_info, blob_file_number, uint64_t, blob_file_number)
TEXT(blob_file_garbage_info, blob_file_path, blob_file_path)
VALUE(blob_file_garbage_info, garbage_blob_bytes, uint64_t, garbage_blob_bytes)

TEXT(memtableinfo, cf_name, cf_name)
VALUE(memtableinfo, earliest_seqno, uint64_t, earliest_seqno)
VALUE(memtableinfo, first_seqno, uint64_t, first_seqno)
TEXT(memtableinfo, newest_udt, newest_udt)
VALUE(memtableinfo, num_deletes, uint64_t, num_deletes)
VALUE(memtableinfo, num_entries, uint64_t, num_entries)

TEXT(externalfileingestioninfo, cf_name, cf_name)
TEXT(externalfileingestioninfo, external_file_path, external_file_path)
VALUE(externalfileingestioninfo, global_seqno, uint64_t, global_seqno)
TEXT(externalfileingestioninfo, internal_file_path, internal_file_path)

TEXT(writestallinfo, cf_name, cf_name)
// clang-format on

// ---- Flushes.

const rocksdb_table_properties_t* rocksdb_flushjobinfo_table_properties(
    const rocksdb_flushjobinfo_t* info) {
  return ViewOf<rocksdb_table_properties_t>(info->rep.table_properties);
}
size_t rocksdb_flushjobinfo_blob_file_addition_infos_count(
    const rocksdb_flushjobinfo_t* info) {
  return info->rep.blob_file_addition_infos.size();
}
const rocksdb_blob_file_addition_info_t*
rocksdb_flushjobinfo_blob_file_addition_info_at(
    const rocksdb_flushjobinfo_t* info, size_t pos) {
  return ElementAt<rocksdb_blob_file_addition_info_t>(
      info->rep.blob_file_addition_infos, pos);
}

// ---- Compactions.

rocksdb_compactionjobinfo_t* rocksdb_compactionjobinfo_create(void) {
  return new rocksdb_compactionjobinfo_t;
}
void rocksdb_compactionjobinfo_destroy(rocksdb_compactionjobinfo_t* info) {
  delete info;
}
void rocksdb_compactionjobinfo_status(const rocksdb_compactionjobinfo_t* info,
                                      char** errptr) {
  SaveError(errptr, info->rep.status);
}
const rocksdb_compaction_job_stats_t* rocksdb_compactionjobinfo_stats(
    const rocksdb_compactionjobinfo_t* info) {
  return ViewOf<rocksdb_compaction_job_stats_t>(info->rep.stats);
}

size_t rocksdb_compactionjobinfo_input_files_count(
    const rocksdb_compactionjobinfo_t* info) {
  return info->rep.input_files.size();
}
const char* rocksdb_compactionjobinfo_input_file_at(
    const rocksdb_compactionjobinfo_t* info, size_t pos, size_t* size) {
  return FileAt(info->rep.input_files, pos, size);
}
size_t rocksdb_compactionjobinfo_output_files_count(
    const rocksdb_compactionjobinfo_t* info) {
  return info->rep.output_files.size();
}
const char* rocksdb_compactionjobinfo_output_file_at(
    const rocksdb_compactionjobinfo_t* info, size_t pos, size_t* size) {
  return FileAt(info->rep.output_files, pos, size);
}
size_t rocksdb_compactionjobinfo_input_file_infos_count(
    const rocksdb_compactionjobinfo_t* info) {
  return info->rep.input_file_infos.size();
}
const rocksdb_compaction_file_info_t*
rocksdb_compactionjobinfo_input_file_info_at(
    const rocksdb_compactionjobinfo_t* info, size_t pos) {
  return ElementAt<rocksdb_compaction_file_info_t>(info->rep.input_file_infos,
                                                   pos);
}
size_t rocksdb_compactionjobinfo_output_file_infos_count(
    const rocksdb_compactionjobinfo_t* info) {
  return info->rep.output_file_infos.size();
}
const rocksdb_compaction_file_info_t*
rocksdb_compactionjobinfo_output_file_info_at(
    const rocksdb_compactionjobinfo_t* info, size_t pos) {
  return ElementAt<rocksdb_compaction_file_info_t>(info->rep.output_file_infos,
                                                   pos);
}
size_t rocksdb_compactionjobinfo_blob_file_addition_infos_count(
    const rocksdb_compactionjobinfo_t* info) {
  return info->rep.blob_file_addition_infos.size();
}
const rocksdb_blob_file_addition_info_t*
rocksdb_compactionjobinfo_blob_file_addition_info_at(
    const rocksdb_compactionjobinfo_t* info, size_t pos) {
  return ElementAt<rocksdb_blob_file_addition_info_t>(
      info->rep.blob_file_addition_infos, pos);
}
size_t rocksdb_compactionjobinfo_blob_file_garbage_infos_count(
    const rocksdb_compactionjobinfo_t* info) {
  return info->rep.blob_file_garbage_infos.size();
}
const rocksdb_blob_file_garbage_info_t*
rocksdb_compactionjobinfo_blob_file_garbage_info_at(
    const rocksdb_compactionjobinfo_t* info, size_t pos) {
  return ElementAt<rocksdb_blob_file_garbage_info_t>(
      info->rep.blob_file_garbage_infos, pos);
}

size_t rocksdb_compactionjobinfo_table_properties_count(
    const rocksdb_compactionjobinfo_t* info) {
  return info->rep.table_properties.size();
}
const char* rocksdb_compactionjobinfo_table_properties_key_at(
    const rocksdb_compactionjobinfo_t* info, size_t pos, size_t* key_len) {
  const auto* const found = PropertiesAt(info->rep.table_properties, pos);
  *key_len = 0;
  return found == nullptr ? nullptr
                          : capi_internal::TextOf(found->first, key_len);
}
const rocksdb_table_properties_t*
rocksdb_compactionjobinfo_table_properties_value_at(
    const rocksdb_compactionjobinfo_t* info, size_t pos) {
  const auto* const found = PropertiesAt(info->rep.table_properties, pos);
  return found == nullptr ? nullptr
                          : ViewOf<rocksdb_table_properties_t>(*found->second);
}
const rocksdb_table_properties_t*
rocksdb_compactionjobinfo_table_properties_for_file(
    const rocksdb_compactionjobinfo_t* info, const char* file_name,
    size_t file_name_len) {
  const PropertiesOfFiles& properties = info->rep.table_properties;
  const auto found = properties.find(std::string(file_name, file_name_len));
  return found == properties.end()
             ? nullptr
             : ViewOf<rocksdb_table_properties_t>(*found->second);
}

void rocksdb_subcompactionjobinfo_status(
    const rocksdb_subcompactionjobinfo_t* info, char** errptr) {
  SaveError(errptr, info->rep.status);
}
const rocksdb_compaction_job_stats_t* rocksdb_subcompactionjobinfo_stats(
    const rocksdb_subcompactionjobinfo_t* info) {
  return ViewOf<rocksdb_compaction_job_stats_t>(info->rep.stats);
}

// ---- The rest.

const rocksdb_table_properties_t*
rocksdb_externalfileingestioninfo_table_properties(
    const rocksdb_externalfileingestioninfo_t* info) {
  return ViewOf<rocksdb_table_properties_t>(info->rep.table_properties);
}
const rocksdb_writestallcondition_t* rocksdb_writestallinfo_cur(
    const rocksdb_writestallinfo_t* info) {
  return ViewOf<rocksdb_writestallcondition_t>(info->rep.condition.cur);
}
const rocksdb_writestallcondition_t* rocksdb_writestallinfo_prev(
    const rocksdb_writestallinfo_t* info) {
  return ViewOf<rocksdb_writestallcondition_t>(info->rep.condition.prev);
}

}  // extern "C"
