// Lists of files: logs, what a copy of the database needs, and metadata that a
// program puts together for an import.
#include "api/c/convert.h"
#include "api/c/fields.h"

using capi_internal::SaveError;

struct rocksdb_wal_file_t {
  std::unique_ptr<capi::WalFile> rep;
  std::string path;
};
struct rocksdb_wal_files_t {
  std::vector<rocksdb_wal_file_t> rep;
};
struct rocksdb_livefiles_storage_info_t {
  std::vector<capi::LiveFileStorageInfo> rep;
};
struct rocksdb_livefiles_storage_info_options_t {
  capi::LiveFilesStorageInfoOptions rep;
};
struct rocksdb_livefile_t {
  capi::LiveFileMetaData rep;
};

namespace {

rocksdb_wal_file_t MakeWalFile(std::unique_ptr<capi::WalFile> file) {
  std::string path = file->PathName();
  return {std::move(file), std::move(path)};
}

}  // namespace

extern "C" {

// ---- Logs.

rocksdb_wal_file_t* rocksdb_get_current_wal_file(rocksdb_t* db,
                                                 char** errptr) try {
  std::unique_ptr<capi::WalFile> file;
  if (SaveError(errptr, db->rep->GetCurrentWalFile(&file))) return nullptr;
  return new rocksdb_wal_file_t(MakeWalFile(std::move(file)));
}
CAPI_CATCH(rocksdb_wal_file_t*, errptr)

rocksdb_wal_files_t* rocksdb_get_sorted_wal_files(rocksdb_t* db,
                                                  char** errptr) try {
  capi::VectorWalPtr files;
  if (SaveError(errptr, db->rep->GetSortedWalFiles(files))) return nullptr;
  auto result = std::make_unique<rocksdb_wal_files_t>();
  for (auto& file : files) result->rep.push_back(MakeWalFile(std::move(file)));
  return result.release();
}
CAPI_CATCH(rocksdb_wal_files_t*, errptr)

size_t rocksdb_wal_files_count(const rocksdb_wal_files_t* files) {
  return files->rep.size();
}
const rocksdb_wal_file_t* rocksdb_wal_files_get_wal_file(
    const rocksdb_wal_files_t* files, size_t index) {
  return index < files->rep.size() ? &files->rep[index] : nullptr;
}
void rocksdb_wal_files_destroy(rocksdb_wal_files_t* files) { delete files; }

void rocksdb_wal_file_destroy(rocksdb_wal_file_t* file) { delete file; }
const char* rocksdb_wal_file_path_name(const rocksdb_wal_file_t* file) {
  return file->path.c_str();
}
uint64_t rocksdb_wal_file_log_number(const rocksdb_wal_file_t* file) {
  return file->rep->LogNumber();
}
int rocksdb_wal_file_type(const rocksdb_wal_file_t* file) {
  return file->rep->Type();
}
uint64_t rocksdb_wal_file_start_sequence(const rocksdb_wal_file_t* file) {
  return file->rep->StartSequence();
}
uint64_t rocksdb_wal_file_size_file_bytes(const rocksdb_wal_file_t* file) {
  return file->rep->SizeFileBytes();
}

// ---- What a copy needs.

// clang-format off
#define FIELD_OPTIONS rocksdb_livefiles_storage_info_options_t
#define FIELD_PREFIX livefiles_storage_info_options

FIELD(include_checksum_info, unsigned char, include_checksum_info)
FIELD(wal_size_for_flush, uint64_t, wal_size_for_flush)
FIELD(atomic_flush, unsigned char, atomic_flush)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

LIFETIME(livefiles_storage_info_options, rocksdb_livefiles_storage_info_options_t)
// clang-format on

rocksdb_livefiles_storage_info_t* rocksdb_get_livefiles_storage_info(
    rocksdb_t* db, const rocksdb_livefiles_storage_info_options_t* options,
    char** errptr) try {
  auto info = std::make_unique<rocksdb_livefiles_storage_info_t>();
  if (SaveError(errptr,
                db->rep->GetLiveFilesStorageInfo(options->rep, &info->rep))) {
    return nullptr;
  }
  return info.release();
}
CAPI_CATCH(rocksdb_livefiles_storage_info_t*, errptr)

void rocksdb_livefiles_storage_info_destroy(
    rocksdb_livefiles_storage_info_t* info) {
  delete info;
}
size_t rocksdb_livefiles_storage_info_count(
    const rocksdb_livefiles_storage_info_t* info) {
  return info->rep.size();
}
const char* rocksdb_livefiles_storage_info_replacement_contents(
    const rocksdb_livefiles_storage_info_t* info, size_t index, size_t* size) {
  const std::string& contents = info->rep[index].replacement_contents;
  *size = contents.size();
  return contents.data();
}

#define FILE_TEXT(name)                                             \
  const char* rocksdb_livefiles_storage_info_##name(                \
      const rocksdb_livefiles_storage_info_t* info, size_t index) { \
    return info->rep[index].name.c_str();                           \
  }
#define FILE_VALUE(type, name, member)                              \
  type rocksdb_livefiles_storage_info_##name(                       \
      const rocksdb_livefiles_storage_info_t* info, size_t index) { \
    return static_cast<type>(info->rep[index].member);              \
  }

FILE_TEXT(relative_filename)
FILE_TEXT(directory)
FILE_TEXT(file_checksum)
FILE_TEXT(file_checksum_func_name)
FILE_VALUE(uint64_t, file_number, file_number)
FILE_VALUE(int, file_type, file_type)
FILE_VALUE(uint64_t, size, size)
FILE_VALUE(int, temperature, temperature)
FILE_VALUE(unsigned char, trim_to_size, trim_to_size)
#undef FILE_TEXT
#undef FILE_VALUE

// ---- Metadata for an import.

rocksdb_livefiles_t* rocksdb_livefiles_create(void) {
  return new rocksdb_livefiles_t;
}
void rocksdb_livefiles_add(rocksdb_livefiles_t* files,
                           rocksdb_livefile_t* file) {
  files->rep.push_back(file->rep);
}
rocksdb_livefile_t* rocksdb_livefile_create(void) {
  return new rocksdb_livefile_t{};
}
void rocksdb_livefile_destroy(rocksdb_livefile_t* file) { delete file; }
void rocksdb_livefile_set_column_family_name(rocksdb_livefile_t* file,
                                             const char* name) {
  file->rep.column_family_name = name;
}
void rocksdb_livefile_set_level(rocksdb_livefile_t* file, int level) {
  file->rep.level = level;
}
void rocksdb_livefile_set_name(rocksdb_livefile_t* file, const char* name) {
  file->rep.name = name;
  file->rep.relative_filename = *name == '/' ? name + 1 : name;
}
void rocksdb_livefile_set_directory(rocksdb_livefile_t* file,
                                    const char* directory) {
  file->rep.directory = directory;
  file->rep.db_path = directory;
}
void rocksdb_livefile_set_size(rocksdb_livefile_t* file, size_t size) {
  file->rep.size = size;
}
void rocksdb_livefile_set_smallest_key(rocksdb_livefile_t* file,
                                       const char* key, size_t key_len) {
  file->rep.smallestkey.assign(key, key_len);
}
void rocksdb_livefile_set_largest_key(rocksdb_livefile_t* file, const char* key,
                                      size_t key_len) {
  file->rep.largestkey.assign(key, key_len);
}
void rocksdb_livefile_set_smallest_seqno(rocksdb_livefile_t* file,
                                         uint64_t seqno) {
  file->rep.smallest_seqno = seqno;
}
void rocksdb_livefile_set_largest_seqno(rocksdb_livefile_t* file,
                                        uint64_t seqno) {
  file->rep.largest_seqno = seqno;
}
void rocksdb_livefile_set_num_entries(rocksdb_livefile_t* file,
                                      uint64_t count) {
  file->rep.num_entries = count;
}
void rocksdb_livefile_set_num_deletions(rocksdb_livefile_t* file,
                                        uint64_t count) {
  file->rep.num_deletions = count;
}

}  // extern "C"
