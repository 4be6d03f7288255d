// Table files made outside a database and taken in, and checkpoints.
#include "api/c/callbacks.h"
#include "api/c/convert.h"
#include "api/c/fields.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/utilities/checkpoint.h"

using capi::Slice;
using capi::SstFileWriter;
using capi_internal::Family;
using capi_internal::SaveError;

struct rocksdb_sstfilewriter_t {
  SstFileWriter* rep;
};
struct rocksdb_checkpoint_t {
  capi::Checkpoint* rep;
};
struct rocksdb_ingestexternalfileoptions_t {
  capi::IngestExternalFileOptions rep;
};

struct rocksdb_export_import_files_metadata_t {
  capi::ExportImportFilesMetaData* rep;
};
struct rocksdb_import_column_family_options_t {
  capi::ImportColumnFamilyOptions rep;
};

namespace {

void Ingest(rocksdb_t* db, capi::ColumnFamilyHandle* family,
            const char* const* file_list, size_t list_len,
            const rocksdb_ingestexternalfileoptions_t* opt, char** errptr) {
  const std::vector<std::string> files(file_list, file_list + list_len);
  SaveError(errptr, db->rep->IngestExternalFile(family, files, opt->rep));
}

}  // namespace

extern "C" {

rocksdb_sstfilewriter_t* rocksdb_sstfilewriter_create(
    const rocksdb_envoptions_t* env, const rocksdb_options_t* io_options) {
  return new rocksdb_sstfilewriter_t{
      new SstFileWriter(env->rep, io_options->rep)};
}

rocksdb_sstfilewriter_t* rocksdb_sstfilewriter_create_with_comparator(
    const rocksdb_envoptions_t* env, const rocksdb_options_t* io_options,
    const rocksdb_comparator_t* comparator) {
  return new rocksdb_sstfilewriter_t{
      new SstFileWriter(env->rep, io_options->rep, comparator)};
}

void rocksdb_sstfilewriter_open(rocksdb_sstfilewriter_t* writer,
                                const char* name, char** errptr) try {
  SaveError(errptr, writer->rep->Open(name));
}
CAPI_CATCH(void, errptr)

void rocksdb_sstfilewriter_add(rocksdb_sstfilewriter_t* writer, const char* key,
                               size_t keylen, const char* val, size_t vallen,
                               char** errptr) try {
  rocksdb_sstfilewriter_put(writer, key, keylen, val, vallen, errptr);
}
CAPI_CATCH(void, errptr)

void rocksdb_sstfilewriter_put(rocksdb_sstfilewriter_t* writer, const char* key,
                               size_t keylen, const char* val, size_t vallen,
                               char** errptr) try {
  SaveError(errptr, writer->rep->Put(Slice(key, keylen), Slice(val, vallen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_sstfilewriter_merge(rocksdb_sstfilewriter_t* writer,
                                 const char* key, size_t keylen,
                                 const char* val, size_t vallen,
                                 char** errptr) try {
  SaveError(errptr, writer->rep->Merge(Slice(key, keylen), Slice(val, vallen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_sstfilewriter_delete(rocksdb_sstfilewriter_t* writer,
                                  const char* key, size_t keylen,
                                  char** errptr) try {
  SaveError(errptr, writer->rep->Delete(Slice(key, keylen)));
}
CAPI_CATCH(void, errptr)

// NOLINTNEXTLINE(readability-function-size): the signature is public.
void rocksdb_sstfilewriter_put_with_ts(rocksdb_sstfilewriter_t* writer,
                                       const char* key, size_t keylen,
                                       const char* ts, size_t tslen,
                                       const char* val, size_t vallen,
                                       char** errptr) try {
  SaveError(errptr, writer->rep->Put(Slice(key, keylen), Slice(ts, tslen),
                                     Slice(val, vallen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_sstfilewriter_delete_with_ts(rocksdb_sstfilewriter_t* writer,
                                          const char* key, size_t keylen,
                                          const char* ts, size_t tslen,
                                          char** errptr) try {
  SaveError(errptr, writer->rep->Delete(Slice(key, keylen), Slice(ts, tslen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_sstfilewriter_delete_range(rocksdb_sstfilewriter_t* writer,
                                        const char* begin_key,
                                        size_t begin_keylen,
                                        const char* end_key, size_t end_keylen,
                                        char** errptr) try {
  SaveError(errptr, writer->rep->DeleteRange(Slice(begin_key, begin_keylen),
                                             Slice(end_key, end_keylen)));
}
CAPI_CATCH(void, errptr)

void rocksdb_sstfilewriter_finish(rocksdb_sstfilewriter_t* writer,
                                  char** errptr) try {
  SaveError(errptr, writer->rep->Finish());
}
CAPI_CATCH(void, errptr)

void rocksdb_sstfilewriter_file_size(rocksdb_sstfilewriter_t* writer,
                                     uint64_t* file_size) {
  *file_size = writer->rep->FileSize();
}

void rocksdb_sstfilewriter_destroy(rocksdb_sstfilewriter_t* writer) {
  if (writer == nullptr) return;
  delete writer->rep;
  delete writer;
}

rocksdb_ingestexternalfileoptions_t* rocksdb_ingestexternalfileoptions_create(
    void) {
  return new rocksdb_ingestexternalfileoptions_t;
}

void rocksdb_ingestexternalfileoptions_destroy(
    rocksdb_ingestexternalfileoptions_t* opt) {
  delete opt;
}

// clang-format off
#define FIELD_OPTIONS rocksdb_ingestexternalfileoptions_t
#define FIELD_PREFIX ingestexternalfileoptions

FIELD(move_files, unsigned char, move_files)
FIELD(snapshot_consistency, unsigned char, snapshot_consistency)
FIELD(allow_global_seqno, unsigned char, allow_global_seqno)
FIELD(allow_blocking_flush, unsigned char, allow_blocking_flush)
FIELD(ingest_behind, unsigned char, ingest_behind)
FIELD(fail_if_not_bottommost_level, unsigned char, fail_if_not_bottommost_level)
FIELD(allow_db_generated_files, unsigned char, allow_db_generated_files)
FIELD(failed_move_fall_back_to_copy, unsigned char, failed_move_fall_back_to_copy)
FIELD(file_opening_threads, int, file_opening_threads)
FIELD(fill_cache, unsigned char, fill_cache)
FIELD(link_files, unsigned char, link_files)
FIELD(prefetch_lmax_index_and_filter_blocks, unsigned char, prefetch_lmax_index_and_filter_blocks)
FIELD(verify_checksums_before_ingest, unsigned char, verify_checksums_before_ingest)
FIELD(verify_checksums_readahead_size, size_t, verify_checksums_readahead_size)
FIELD(verify_file_checksum, unsigned char, verify_file_checksum)
FIELD(write_global_seqno, unsigned char, write_global_seqno)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX
// clang-format on

void rocksdb_ingest_external_file(
    rocksdb_t* db, const char* const* file_list, const size_t list_len,
    const rocksdb_ingestexternalfileoptions_t* opt, char** errptr) try {
  Ingest(db, Family(db, nullptr), file_list, list_len, opt, errptr);
}
CAPI_CATCH(void, errptr)

void rocksdb_ingest_external_file_cf(
    rocksdb_t* db, rocksdb_column_family_handle_t* handle,
    const char* const* file_list, const size_t list_len,
    const rocksdb_ingestexternalfileoptions_t* opt, char** errptr) try {
  Ingest(db, handle->rep, file_list, list_len, opt, errptr);
}
CAPI_CATCH(void, errptr)

rocksdb_checkpoint_t* rocksdb_checkpoint_object_create(rocksdb_t* db,
                                                       char** errptr) try {
  capi::Checkpoint* checkpoint = nullptr;
  if (SaveError(errptr, capi::Checkpoint::Create(db->rep, &checkpoint))) {
    return nullptr;
  }
  return new rocksdb_checkpoint_t{checkpoint};
}
CAPI_CATCH(rocksdb_checkpoint_t*, errptr)

void rocksdb_checkpoint_create(rocksdb_checkpoint_t* checkpoint,
                               const char* checkpoint_dir,
                               uint64_t log_size_for_flush, char** errptr) try {
  SaveError(errptr, checkpoint->rep->CreateCheckpoint(checkpoint_dir,
                                                      log_size_for_flush));
}
CAPI_CATCH(void, errptr)

void rocksdb_checkpoint_object_destroy(rocksdb_checkpoint_t* checkpoint) {
  if (checkpoint == nullptr) return;
  delete checkpoint->rep;
  delete checkpoint;
}

// ---- Exports and imports.

rocksdb_export_import_files_metadata_t* rocksdb_checkpoint_export_column_family(
    rocksdb_checkpoint_t* checkpoint,
    rocksdb_column_family_handle_t* column_family, const char* export_dir,
    char** errptr) try {
  capi::ExportImportFilesMetaData* metadata = nullptr;
  if (SaveError(errptr, checkpoint->rep->ExportColumnFamily(
                            column_family->rep, export_dir, &metadata))) {
    return nullptr;
  }
  return new rocksdb_export_import_files_metadata_t{metadata};
}
CAPI_CATCH(rocksdb_export_import_files_metadata_t*, errptr)

rocksdb_column_family_handle_t* rocksdb_create_column_family_with_import(
    rocksdb_t* db, rocksdb_options_t* column_family_options,
    const char* column_family_name,
    rocksdb_import_column_family_options_t* import_options,
    rocksdb_export_import_files_metadata_t* metadata, char** errptr) try {
  capi::ColumnFamilyHandle* handle = nullptr;
  const capi::Status status = db->rep->CreateColumnFamilyWithImport(
      capi::ColumnFamilyOptions(column_family_options->rep), column_family_name,
      import_options->rep, *metadata->rep, &handle);
  if (SaveError(errptr, status)) return nullptr;
  return new rocksdb_column_family_handle_t{handle};
}
CAPI_CATCH(rocksdb_column_family_handle_t*, errptr)

// clang-format off
#define FIELD_OPTIONS rocksdb_import_column_family_options_t
#define FIELD_PREFIX import_column_family_options

FIELD(move_files, unsigned char, move_files)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

LIFETIME(import_column_family_options, rocksdb_import_column_family_options_t)
// clang-format on

rocksdb_export_import_files_metadata_t*
rocksdb_export_import_files_metadata_create(void) {
  return new rocksdb_export_import_files_metadata_t{
      new capi::ExportImportFilesMetaData};
}
void rocksdb_export_import_files_metadata_destroy(
    rocksdb_export_import_files_metadata_t* metadata) {
  if (metadata == nullptr) return;
  delete metadata->rep;
  delete metadata;
}
char* rocksdb_export_import_files_metadata_get_db_comparator_name(
    rocksdb_export_import_files_metadata_t* metadata) {
  return capi_internal::CopyString(metadata->rep->db_comparator_name);
}
void rocksdb_export_import_files_metadata_set_db_comparator_name(
    rocksdb_export_import_files_metadata_t* metadata, const char* name) {
  metadata->rep->db_comparator_name = name;
}
rocksdb_livefiles_t* rocksdb_export_import_files_metadata_get_files(
    rocksdb_export_import_files_metadata_t* metadata) {
  return new rocksdb_livefiles_t{metadata->rep->files};
}
void rocksdb_export_import_files_metadata_set_files(
    rocksdb_export_import_files_metadata_t* metadata,
    rocksdb_livefiles_t* files) {
  metadata->rep->files = files->rep;
}

}  // extern "C"
