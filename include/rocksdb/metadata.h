// Metadata: the files a database consists of, as values.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct FileStorageInfo {
  std::string relative_filename;  // without directory
  std::string directory;
  uint64_t file_number = 0;
  FileType file_type = kTempFile;
  uint64_t size = 0;
  Temperature temperature = Temperature::kUnknown;
  std::string file_checksum;
  std::string file_checksum_func_name;
};

struct LiveFileStorageInfo : public FileStorageInfo {
  // Not empty: a copy must have this content (CURRENT).
  std::string replacement_contents;
  // True: a copy must be cut to `size`.
  bool trim_to_size = false;
};

struct SstFileMetaData : public FileStorageInfo {
  SstFileMetaData() { file_type = kTableFile; }

  SstFileMetaData(const std::string& _file_name, uint64_t _file_number,
                  const std::string& _directory, uint64_t _size,
                  SequenceNumber _smallest_seqno, SequenceNumber _largest_seqno,
                  const std::string& _smallestkey,
                  const std::string& _largestkey, uint64_t _num_reads_sampled,
                  bool _being_compacted, Temperature _temperature,
                  uint64_t _oldest_blob_file_number,
                  uint64_t _oldest_ancester_time, uint64_t _file_creation_time,
                  uint64_t _epoch_number, std::string& _file_checksum,
                  std::string& _file_checksum_func_name)
      : smallest_seqno(_smallest_seqno),
        largest_seqno(_largest_seqno),
        smallestkey(_smallestkey),
        largestkey(_largestkey),
        num_reads_sampled(_num_reads_sampled),
        being_compacted(_being_compacted),
        oldest_blob_file_number(_oldest_blob_file_number),
        oldest_ancester_time(_oldest_ancester_time),
        file_creation_time(_file_creation_time),
        epoch_number(_epoch_number) {
    SetName(_file_name);
    directory = _directory;
    db_path = _directory;
    file_number = _file_number;
    file_type = kTableFile;
    size = _size;
    temperature = _temperature;
    file_checksum = _file_checksum;
    file_checksum_func_name = _file_checksum_func_name;
  }

  SequenceNumber smallest_seqno = 0;
  SequenceNumber largest_seqno = 0;
  std::string smallestkey;  // user keys
  std::string largestkey;
  uint64_t num_reads_sampled = 0;
  bool being_compacted = false;
  uint64_t num_entries = 0;
  uint64_t num_deletions = 0;
  uint64_t oldest_blob_file_number = 0;
  uint64_t oldest_ancester_time = 0;
  uint64_t file_creation_time = 0;
  uint64_t epoch_number = 0;
  std::string smallest;  // internal keys
  std::string largest;

  // Older forms of relative_filename (with a leading slash) and directory.
  std::string name;
  std::string db_path;

  // Sets both forms of the name; `file_name` may begin with a slash.
  void SetName(const std::string& file_name) {
    if (file_name.empty()) return;
    const bool has_slash = file_name[0] == '/';
    relative_filename = has_slash ? file_name.substr(1) : file_name;
    name = has_slash ? file_name : "/" + file_name;
  }
};

struct LiveFileMetaData : SstFileMetaData {
  std::string column_family_name;
  int level;

  LiveFileMetaData() : column_family_name(), level(0) {}
};

struct BlobMetaData {
  BlobMetaData() = default;
  BlobMetaData(uint64_t _file_number, const std::string& _file_name,
               const std::string& _file_path, uint64_t _file_size,
               uint64_t _total_blob_count, uint64_t _total_blob_bytes,
               uint64_t _garbage_blob_count, uint64_t _garbage_blob_bytes,
               const std::string& _file_checksum,
               const std::string& _file_checksum_func_name)
      : blob_file_number(_file_number),
        blob_file_name(_file_name),
        blob_file_path(_file_path),
        blob_file_size(_file_size),
        total_blob_count(_total_blob_count),
        total_blob_bytes(_total_blob_bytes),
        garbage_blob_count(_garbage_blob_count),
        garbage_blob_bytes(_garbage_blob_bytes),
        checksum_method(_file_checksum_func_name),
        checksum_value(_file_checksum) {}

  uint64_t blob_file_number = 0;
  std::string blob_file_name;
  std::string blob_file_path;
  uint64_t blob_file_size = 0;
  uint64_t total_blob_count = 0;
  uint64_t total_blob_bytes = 0;
  uint64_t garbage_blob_count = 0;
  uint64_t garbage_blob_bytes = 0;
  std::string checksum_method;
  std::string checksum_value;
};

struct LevelMetaData {
  LevelMetaData(int _level, uint64_t _size,
                const std::vector<SstFileMetaData>&& _files)
      : level(_level), size(_size), files(_files) {}

  const int level;
  const uint64_t size;
  const std::vector<SstFileMetaData> files;
};

// Which files GetColumnFamilyMetaData() describes. Levels without any are left
// out.
struct GetColumnFamilyMetaDataOptions {
  // Those that hold keys of the range, whose limit belongs to it. Default: all.
  RangeOpt range;
  // Those of this level. Default -1: of all levels.
  int level = -1;

  GetColumnFamilyMetaDataOptions() = default;
  GetColumnFamilyMetaDataOptions(const OptSlice& _start_key,
                                 const OptSlice& _end_key, int _level = -1)
      : range(_start_key, _end_key), level(_level) {}
};

struct ColumnFamilyMetaData {
  ColumnFamilyMetaData() = default;
  ColumnFamilyMetaData(const std::string& _name, uint64_t _size,
                       const std::vector<LevelMetaData>&& _levels)
      : size(_size), name(_name), levels(_levels) {}

  uint64_t size = 0;
  size_t file_count = 0;
  std::string name;
  std::vector<LevelMetaData> levels;
  uint64_t blob_file_size = 0;
  size_t blob_file_count = 0;
  std::vector<BlobMetaData> blob_files;
};

struct ExportImportFilesMetaData {
  std::string db_comparator_name;
  std::vector<LiveFileMetaData> files;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
