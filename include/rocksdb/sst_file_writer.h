// SstFileWriter: makes a table file outside any database, for
// DB::IngestExternalFile.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/types.h"
#include "rocksdb/wide_columns.h"

#if defined(__GNUC__) || defined(__clang__)
#define ROCKSDB_DEPRECATED_FUNC __attribute__((__deprecated__))
#else
#define ROCKSDB_DEPRECATED_FUNC
#endif

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class ColumnFamilyHandle;
class Comparator;

// What SstFileWriter has written. Keys are user keys.
struct ExternalSstFileInfo {
  ExternalSstFileInfo() = default;
  ExternalSstFileInfo(const std::string& _file_path,
                      const std::string& _smallest_key,
                      const std::string& _largest_key,
                      SequenceNumber _sequence_number, uint64_t _file_size,
                      uint64_t _num_entries, int32_t _version)
      : file_path(_file_path),
        smallest_key(_smallest_key),
        largest_key(_largest_key),
        sequence_number(_sequence_number),
        file_size(_file_size),
        num_entries(_num_entries),
        version(_version) {}

  std::string file_path;
  std::string smallest_key;  // of the point entries
  std::string largest_key;
  std::string smallest_range_del_key;
  std::string largest_range_del_key;
  std::string file_checksum;            // empty without a factory
  std::string file_checksum_func_name;  // "Unknown" without a factory
  SequenceNumber sequence_number = 0;   // of all entries
  uint64_t file_size = 0;               // bytes
  uint64_t num_entries = 0;             // point entries
  uint64_t num_range_del_entries = 0;
  int32_t version = 0;
};

// Used by one thread at a time. A writer may make several files, one after
// the other: Open, entries, Finish, Open...
class SstFileWriter {
 public:
  // Uses these fields of `options`: comparator, env, table_factory
  // (block-based), compression (bottommost_compression if set, else the last of
  // compression_per_level, else compression), merge operator's name, prefix
  // extractor, collectors and file_checksum_gen_factory.
  // `column_family`: the only family that will accept the file. Null: any.
  // `invalidate_page_cache`: drop the file from the page cache when written.
  // `io_priority`: in the rate limiter of `env_options`; IO_TOTAL: none.
  SstFileWriter(const EnvOptions& env_options, const Options& options,
                ColumnFamilyHandle* column_family = nullptr,
                bool invalidate_page_cache = true,
                Env::IOPriority io_priority = Env::IOPriority::IO_TOTAL,
                bool skip_filters = false)
      : SstFileWriter(env_options, options, options.comparator, column_family,
                      invalidate_page_cache, io_priority, skip_filters) {}

  // Older form, with the comparator next to the options.
  SstFileWriter(const EnvOptions& env_options, const Options& options,
                const Comparator* user_comparator,
                ColumnFamilyHandle* column_family = nullptr,
                bool invalidate_page_cache = true,
                Env::IOPriority io_priority = Env::IOPriority::IO_TOTAL,
                bool skip_filters = false);
  SstFileWriter(const SstFileWriter&) = delete;
  SstFileWriter& operator=(const SstFileWriter&) = delete;

  // A file that was not finished is deleted.
  ~SstFileWriter();

  // Creates or empties `file_path`.
  Status Open(const std::string& file_path);

  // Entries, in strictly ascending order of keys.
  // Errors: InvalidArgument for a key out of order, or before Open(); those
  // of writing.
  Status Put(const Slice& user_key, const Slice& value);
  Status Merge(const Slice& user_key, const Slice& value);
  // `columns` in any order. Corruption: a name occurs twice.
  Status PutEntity(const Slice& user_key, const WideColumns& columns);
  Status Delete(const Slice& user_key);
  // Older name of Put.
  ROCKSDB_DEPRECATED_FUNC Status Add(const Slice& user_key,
                                     const Slice& value) {
    return Put(user_key, value);
  }

  // On ingestion, deletes the keys in [begin_key, end_key) that the database
  // holds then; the file's own keys stay. Calls may come in any order, also
  // before and between keys. Nothing happens when both are equal.
  // InvalidArgument: end_key comes before begin_key.
  Status DeleteRange(const Slice& begin_key, const Slice& end_key);

  // With a comparator that has user timestamps, which these need and the others
  // refuse. Versions of one key come newest first, that is in the comparator's
  // order. A range deletion has no effect on what a database with timestamps
  // holds, because such files are taken only where it holds no key of theirs.
  // Errors: InvalidArgument, also for a timestamp of another size.
  Status Put(const Slice& user_key, const Slice& timestamp, const Slice& value);
  Status Delete(const Slice& user_key, const Slice& timestamp);
  Status DeleteRange(const Slice& begin_key, const Slice& end_key,
                     const Slice& timestamp);

  // Completes, syncs and closes the file. `file_info` may be null.
  // Errors: InvalidArgument when there are no entries; those of writing. The
  // file is then deleted.
  Status Finish(ExternalSstFileInfo* file_info = nullptr);

  // Bytes written so far.
  uint64_t FileSize();

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
