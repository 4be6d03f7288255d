// Which files there are: copies of the metadata of families and live files.
#include <optional>
#include <string>

#include "api/c/convert.h"

using capi::LiveFileMetaData;
using capi_internal::CopyBytes;
using capi_internal::CopyString;

// Owns its keys, which the C++ struct only points at.
struct rocksdb_column_family_metadata_options_t {
  std::optional<std::string> start;
  std::optional<std::string> end;
  int level = -1;
};

namespace {

const LiveFileMetaData& At(const rocksdb_livefiles_t* files, int index) {
  return files->rep[static_cast<size_t>(index)];
}

void SetKey(const char* key, size_t size, std::optional<std::string>* copy) {
  copy->reset();
  if (key != nullptr) copy->emplace(key, size);
}

// Null: none is set.
const char* GetKey(const std::optional<std::string>& key, size_t* size) {
  *size = key ? key->size() : 0;
  return key ? key->data() : nullptr;
}

rocksdb_column_family_metadata_t* MetadataOf(
    rocksdb_t* db, capi::ColumnFamilyHandle* family,
    const rocksdb_column_family_metadata_options_t& wanted) {
  capi::GetColumnFamilyMetaDataOptions options;
  if (wanted.start) options.range.start = *wanted.start;
  if (wanted.end) options.range.limit = *wanted.end;
  options.level = wanted.level;
  auto* meta = new rocksdb_column_family_metadata_t;
  db->rep->GetColumnFamilyMetaData(family, options, &meta->rep);
  return meta;
}

}  // namespace

extern "C" {

const rocksdb_livefiles_t* rocksdb_livefiles(rocksdb_t* db) {
  auto* files = new rocksdb_livefiles_t;
  db->rep->GetLiveFilesMetaData(&files->rep);
  return files;
}

void rocksdb_livefiles_destroy(const rocksdb_livefiles_t* files) {
  delete files;
}

int rocksdb_livefiles_count(const rocksdb_livefiles_t* files) {
  return static_cast<int>(files->rep.size());
}

const char* rocksdb_livefiles_column_family_name(
    const rocksdb_livefiles_t* files, int index) {
  return At(files, index).column_family_name.c_str();
}

const char* rocksdb_livefiles_name(const rocksdb_livefiles_t* files,
                                   int index) {
  return At(files, index).name.c_str();
}

const char* rocksdb_livefiles_directory(const rocksdb_livefiles_t* files,
                                        int index) {
  return At(files, index).directory.c_str();
}

int rocksdb_livefiles_level(const rocksdb_livefiles_t* files, int index) {
  return At(files, index).level;
}

size_t rocksdb_livefiles_size(const rocksdb_livefiles_t* files, int index) {
  return At(files, index).size;
}

const char* rocksdb_livefiles_smallestkey(const rocksdb_livefiles_t* files,
                                          int index, size_t* size) {
  *size = At(files, index).smallestkey.size();
  return At(files, index).smallestkey.data();
}

const char* rocksdb_livefiles_largestkey(const rocksdb_livefiles_t* files,
                                         int index, size_t* size) {
  *size = At(files, index).largestkey.size();
  return At(files, index).largestkey.data();
}

uint64_t rocksdb_livefiles_smallest_seqno(const rocksdb_livefiles_t* files,
                                          int index) {
  return At(files, index).smallest_seqno;
}

uint64_t rocksdb_livefiles_largest_seqno(const rocksdb_livefiles_t* files,
                                         int index) {
  return At(files, index).largest_seqno;
}

uint64_t rocksdb_livefiles_entries(const rocksdb_livefiles_t* files,
                                   int index) {
  return At(files, index).num_entries;
}

uint64_t rocksdb_livefiles_deletions(const rocksdb_livefiles_t* files,
                                     int index) {
  return At(files, index).num_deletions;
}

rocksdb_column_family_metadata_t* rocksdb_get_column_family_metadata(
    rocksdb_t* db) {
  auto* meta = new rocksdb_column_family_metadata_t;
  db->rep->GetColumnFamilyMetaData(&meta->rep);
  return meta;
}

rocksdb_column_family_metadata_t* rocksdb_get_column_family_metadata_cf(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family) {
  auto* meta = new rocksdb_column_family_metadata_t;
  db->rep->GetColumnFamilyMetaData(column_family->rep, &meta->rep);
  return meta;
}

rocksdb_column_family_metadata_t*
rocksdb_get_column_family_metadata_with_options(
    rocksdb_t* db, const rocksdb_column_family_metadata_options_t* options) {
  return MetadataOf(db, db->rep->DefaultColumnFamily(), *options);
}

rocksdb_column_family_metadata_t*
rocksdb_get_column_family_metadata_cf_with_options(
    rocksdb_t* db, rocksdb_column_family_handle_t* column_family,
    const rocksdb_column_family_metadata_options_t* options) {
  return MetadataOf(db, column_family->rep, *options);
}

rocksdb_column_family_metadata_options_t*
rocksdb_column_family_metadata_options_create(void) {
  return new rocksdb_column_family_metadata_options_t;
}
void rocksdb_column_family_metadata_options_destroy(
    rocksdb_column_family_metadata_options_t* options) {
  delete options;
}
void rocksdb_column_family_metadata_options_set_level(
    rocksdb_column_family_metadata_options_t* opt, int v) {
  opt->level = v;
}
int rocksdb_column_family_metadata_options_get_level(
    rocksdb_column_family_metadata_options_t* opt) {
  return opt->level;
}
void rocksdb_column_family_metadata_options_set_start_key(
    rocksdb_column_family_metadata_options_t* options, const char* key,
    size_t key_len) {
  SetKey(key, key_len, &options->start);
}
const char* rocksdb_column_family_metadata_options_get_start_key(
    const rocksdb_column_family_metadata_options_t* options, size_t* key_len) {
  return GetKey(options->start, key_len);
}
void rocksdb_column_family_metadata_options_set_end_key(
    rocksdb_column_family_metadata_options_t* options, const char* key,
    size_t key_len) {
  SetKey(key, key_len, &options->end);
}
const char* rocksdb_column_family_metadata_options_get_end_key(
    const rocksdb_column_family_metadata_options_t* options, size_t* key_len) {
  return GetKey(options->end, key_len);
}

void rocksdb_column_family_metadata_destroy(
    rocksdb_column_family_metadata_t* cf_meta) {
  delete cf_meta;
}

uint64_t rocksdb_column_family_metadata_get_size(
    rocksdb_column_family_metadata_t* cf_meta) {
  return cf_meta->rep.size;
}

size_t rocksdb_column_family_metadata_get_file_count(
    rocksdb_column_family_metadata_t* cf_meta) {
  return cf_meta->rep.file_count;
}

char* rocksdb_column_family_metadata_get_name(
    rocksdb_column_family_metadata_t* cf_meta) {
  return CopyString(cf_meta->rep.name);
}

size_t rocksdb_column_family_metadata_get_level_count(
    rocksdb_column_family_metadata_t* cf_meta) {
  return cf_meta->rep.levels.size();
}

rocksdb_level_metadata_t* rocksdb_column_family_metadata_get_level_metadata(
    rocksdb_column_family_metadata_t* cf_meta, size_t i) {
  if (i >= cf_meta->rep.levels.size()) return nullptr;
  return new rocksdb_level_metadata_t{&cf_meta->rep.levels[i]};
}

void rocksdb_level_metadata_destroy(rocksdb_level_metadata_t* level_meta) {
  delete level_meta;
}

int rocksdb_level_metadata_get_level(rocksdb_level_metadata_t* level_meta) {
  return level_meta->rep->level;
}

uint64_t rocksdb_level_metadata_get_size(rocksdb_level_metadata_t* level_meta) {
  return level_meta->rep->size;
}

size_t rocksdb_level_metadata_get_file_count(
    rocksdb_level_metadata_t* level_meta) {
  return level_meta->rep->files.size();
}

rocksdb_sst_file_metadata_t* rocksdb_level_metadata_get_sst_file_metadata(
    rocksdb_level_metadata_t* level_meta, size_t i) {
  if (i >= level_meta->rep->files.size()) return nullptr;
  return new rocksdb_sst_file_metadata_t{&level_meta->rep->files[i]};
}

void rocksdb_sst_file_metadata_destroy(rocksdb_sst_file_metadata_t* file_meta) {
  delete file_meta;
}

char* rocksdb_sst_file_metadata_get_relative_filename(
    rocksdb_sst_file_metadata_t* file_meta) {
  return CopyString(file_meta->rep->relative_filename);
}

char* rocksdb_sst_file_metadata_get_directory(
    rocksdb_sst_file_metadata_t* file_meta) {
  return CopyString(file_meta->rep->directory);
}

uint64_t rocksdb_sst_file_metadata_get_size(
    rocksdb_sst_file_metadata_t* file_meta) {
  return file_meta->rep->size;
}

char* rocksdb_sst_file_metadata_get_smallestkey(
    rocksdb_sst_file_metadata_t* file_meta, size_t* len) {
  *len = file_meta->rep->smallestkey.size();
  return CopyBytes(file_meta->rep->smallestkey);
}

char* rocksdb_sst_file_metadata_get_largestkey(
    rocksdb_sst_file_metadata_t* file_meta, size_t* len) {
  *len = file_meta->rep->largestkey.size();
  return CopyBytes(file_meta->rep->largestkey);
}

}  // extern "C"
