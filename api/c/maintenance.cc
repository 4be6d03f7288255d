// What keeps a database in shape by hand: chosen compactions, verification,
// repair, pauses, options of the whole database, sizes of ranges.
#include <unordered_map>

#include "api/c/convert.h"
#include "api/c/fields.h"
#include "api/c/infos.h"
#include "api/c/ranges.h"
#include "rocksdb/convenience.h"

using capi::ColumnFamilyHandle;
using capi::Slice;
using capi_internal::CopyString;
using capi_internal::Family;
using capi_internal::KeyArrays;
using capi_internal::OptionalKey;
using capi_internal::SaveError;

struct rocksdb_size_approximation_options_t {
  capi::SizeApproximationOptions rep;
};

namespace {

struct CompactFilesCall {
  const char* const* inputs;
  size_t num_inputs;
  int output_level;
  int output_path_id;
  rocksdb_compactionjobinfo_t* info;
};

// malloc'ed copies; NULL and 0 if there are none.
// None if memory is refused.
void CopyNames(const std::vector<std::string>& names, char*** copies,
               size_t* count) {
  *count = 0;
  *copies = nullptr;
  if (names.empty()) return;
  *copies = capi_internal::NewPointers<char>(names.size());
  if (*copies == nullptr) return;
  for (const std::string& name : names) {
    (*copies)[(*count)++] = CopyString(name);
  }
}

void CompactFiles(rocksdb_t* db, ColumnFamilyHandle* family,
                  const rocksdb_compaction_options_t* options,
                  const CompactFilesCall& call, char*** output_file_names,
                  size_t* num_output_file_names, char** errptr) {
  const std::vector<std::string> inputs(call.inputs,
                                        call.inputs + call.num_inputs);
  std::vector<std::string> outputs;
  const capi::Status status = db->rep->CompactFiles(
      options->rep, family, inputs, call.output_level, call.output_path_id,
      &outputs, call.info == nullptr ? nullptr : &call.info->rep);
  if (SaveError(errptr, status)) outputs.clear();
  if (output_file_names == nullptr) return;
  CopyNames(outputs, output_file_names, num_output_file_names);
}

void Suggest(rocksdb_t* db, ColumnFamilyHandle* family, const Slice* begin,
             const Slice* end, char** errptr) {
  SaveError(errptr, db->rep->SuggestCompactRange(family, begin, end));
}

void DeleteFiles(rocksdb_t* db, ColumnFamilyHandle* family, const Slice* begin,
                 const Slice* end, char** errptr) {
  SaveError(errptr, capi::DeleteFilesInRange(db->rep, family, begin, end));
}

}  // namespace

extern "C" {

// ---- Compactions.

// NOLINTBEGIN(readability-function-size): the signatures are public.
void rocksdb_compact_files(rocksdb_t* db,
                           const rocksdb_compaction_options_t* options,
                           const char* const* input_file_names,
                           size_t num_input_file_names, int output_level,
                           int output_path_id, char*** output_file_names,
                           size_t* num_output_file_names,
                           rocksdb_compactionjobinfo_t* compaction_job_info,
                           char** errptr) try {
  CompactFiles(db, Family(db, nullptr), options,
               {input_file_names, num_input_file_names, output_level,
                output_path_id, compaction_job_info},
               output_file_names, num_output_file_names, errptr);
}
CAPI_CATCH(void, errptr)

void rocksdb_compact_files_cf(rocksdb_t* db,
                              rocksdb_column_family_handle_t* column_family,
                              const rocksdb_compaction_options_t* options,
                              const char* const* input_file_names,
                              size_t num_input_file_names, int output_level,
                              int output_path_id, char*** output_file_names,
                              size_t* num_output_file_names,
                              rocksdb_compactionjobinfo_t* compaction_job_info,
                              char** errptr) try {
  CompactFiles(db, column_family->rep, options,
               {input_file_names, num_input_file_names, output_level,
                output_path_id, compaction_job_info},
               output_file_names, num_output_file_names, errptr);
}
CAPI_CATCH(void, errptr)
// NOLINTEND(readability-function-size)

void rocksdb_compact_files_output_file_names_destroy(
    char** output_file_names, size_t num_output_file_names) {
  for (size_t i = 0; i < num_output_file_names; ++i) {
    std::free(output_file_names[i]);
  }
  capi_internal::FreePointers(output_file_names);
}

void rocksdb_suggest_compact_range(rocksdb_t* db, const char* start_key,
                                   size_t start_key_len, const char* limit_key,
                                   size_t limit_key_len, char** errptr) try {
  Slice start;
  Slice limit;
  Suggest(db, Family(db, nullptr),
          OptionalKey(start_key, start_key_len, &start),
          OptionalKey(limit_key, limit_key_len, &limit), errptr);
}
CAPI_CATCH(void, errptr)

void rocksdb_suggest_compact_range_cf(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    const char* start_key, size_t start_key_len, const char* limit_key,
    size_t limit_key_len, char** errptr) try {
  Slice start;
  Slice limit;
  Suggest(db, column_family->rep, OptionalKey(start_key, start_key_len, &start),
          OptionalKey(limit_key, limit_key_len, &limit), errptr);
}
CAPI_CATCH(void, errptr)

// There is no errptr.
void rocksdb_delete_file(rocksdb_t* db, const char* name) try {
  if (name != nullptr) db->rep->DeleteFile(name).PermitUncheckedError();
} catch (...) {  // NOLINT(bugprone-empty-catch)
}

void rocksdb_delete_file_in_range(rocksdb_t* db, const char* start_key,
                                  size_t start_key_len, const char* limit_key,
                                  size_t limit_key_len, char** errptr) try {
  Slice start;
  Slice limit;
  DeleteFiles(db, Family(db, nullptr),
              OptionalKey(start_key, start_key_len, &start),
              OptionalKey(limit_key, limit_key_len, &limit), errptr);
}
CAPI_CATCH(void, errptr)

void rocksdb_delete_file_in_range_cf(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    const char* start_key, size_t start_key_len, const char* limit_key,
    size_t limit_key_len, char** errptr) try {
  Slice start;
  Slice limit;
  DeleteFiles(db, column_family->rep,
              OptionalKey(start_key, start_key_len, &start),
              OptionalKey(limit_key, limit_key_len, &limit), errptr);
}
CAPI_CATCH(void, errptr)

void rocksdb_pause_background_work(rocksdb_t* db, char** errptr) try {
  SaveError(errptr, db->rep->PauseBackgroundWork());
}
CAPI_CATCH(void, errptr)

void rocksdb_continue_background_work(rocksdb_t* db, char** errptr) try {
  SaveError(errptr, db->rep->ContinueBackgroundWork());
}
CAPI_CATCH(void, errptr)

void rocksdb_set_db_options(rocksdb_t* db, int count, const char* const keys[],
                            const char* const values[], char** errptr) try {
  std::unordered_map<std::string, std::string> options;
  for (int i = 0; i < count; ++i) options[keys[i]] = values[i];
  SaveError(errptr, db->rep->SetDBOptions(options));
}
CAPI_CATCH(void, errptr)

// ---- Verification and repair.

void rocksdb_verify_checksum(rocksdb_t* db, char** errptr) try {
  SaveError(errptr, db->rep->VerifyChecksum());
}
CAPI_CATCH(void, errptr)

void rocksdb_verify_checksum_with_options(rocksdb_t* db,
                                          const rocksdb_readoptions_t* options,
                                          char** errptr) try {
  SaveError(errptr, db->rep->VerifyChecksum(options->rep));
}
CAPI_CATCH(void, errptr)

void rocksdb_verify_file_checksums(rocksdb_t* db, char** errptr) try {
  SaveError(errptr, db->rep->VerifyFileChecksums(capi::ReadOptions()));
}
CAPI_CATCH(void, errptr)

void rocksdb_verify_file_checksums_with_options(
    rocksdb_t* db, const rocksdb_readoptions_t* options, char** errptr) try {
  SaveError(errptr, db->rep->VerifyFileChecksums(options->rep));
}
CAPI_CATCH(void, errptr)

void rocksdb_repair_db(const rocksdb_options_t* options, const char* name,
                       char** errptr) try {
  SaveError(errptr, capi::RepairDB(name, options->rep));
}
CAPI_CATCH(void, errptr)

// ---- Sizes of ranges.

// clang-format off
#define FIELD_OPTIONS rocksdb_size_approximation_options_t
#define FIELD_PREFIX size_approximation_options

FIELD(include_memtables, unsigned char, include_memtables)
FIELD(include_files, unsigned char, include_files)
FIELD(include_blob_files, unsigned char, include_blob_files)
FIELD(files_size_error_margin, double, files_size_error_margin)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

LIFETIME(size_approximation_options, rocksdb_size_approximation_options_t)
// clang-format on

// NOLINTBEGIN(readability-function-size): the signatures are public.
void rocksdb_approximate_sizes_with_options(
    rocksdb_t* db, const rocksdb_size_approximation_options_t* options,
    int num_ranges, const char* const* range_start_key,
    const size_t* range_start_key_len, const char* const* range_limit_key,
    const size_t* range_limit_key_len, uint64_t* sizes, char** errptr) try {
  const KeyArrays keys{range_start_key, range_start_key_len, range_limit_key,
                       range_limit_key_len};
  SaveError(errptr, db->rep->GetApproximateSizes(
                        options->rep, Family(db, nullptr),
                        keys.Ranges(num_ranges).data(), num_ranges, sizes));
}
CAPI_CATCH(void, errptr)

void rocksdb_approximate_sizes_cf_with_options(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    const rocksdb_size_approximation_options_t* options, int num_ranges,
    const char* const* range_start_key, const size_t* range_start_key_len,
    const char* const* range_limit_key, const size_t* range_limit_key_len,
    uint64_t* sizes, char** errptr) try {
  const KeyArrays keys{range_start_key, range_start_key_len, range_limit_key,
                       range_limit_key_len};
  SaveError(errptr, db->rep->GetApproximateSizes(
                        options->rep, column_family->rep,
                        keys.Ranges(num_ranges).data(), num_ranges, sizes));
}
CAPI_CATCH(void, errptr)

void rocksdb_approximate_sizes_cf_with_flags(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    int num_ranges, const char* const* range_start_key,
    const size_t* range_start_key_len, const char* const* range_limit_key,
    const size_t* range_limit_key_len, uint8_t include_flags, uint64_t* sizes,
    char** errptr) try {
  const KeyArrays keys{range_start_key, range_start_key_len, range_limit_key,
                       range_limit_key_len};
  SaveError(
      errptr,
      db->rep->GetApproximateSizes(
          column_family->rep, keys.Ranges(num_ranges).data(), num_ranges, sizes,
          static_cast<capi::DB::SizeApproximationFlags>(include_flags)));
}
CAPI_CATCH(void, errptr)
// NOLINTEND(readability-function-size)

}  // extern "C"
