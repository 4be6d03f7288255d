// SstFileReader: reads one table file outside any database.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/iterator.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// After Open() all functions may be called by several threads at once. The
// reader outlives its iterators.
class SstFileReader {
 public:
  // Uses comparator, env, table_factory, merge operator and prefix extractor of
  // `options`, which must be those that the file was written with.
  explicit SstFileReader(const Options& options);
  SstFileReader(const SstFileReader&) = delete;
  SstFileReader& operator=(const SstFileReader&) = delete;
  ~SstFileReader();

  // Errors: those of opening a table; Corruption for one that is damaged.
  Status Open(const std::string& file_path);

  // Each key once, as a database with only this table would return it.
  // ReadOptions::snapshot is honoured. A file with user timestamps needs
  // ReadOptions::timestamp, and may be given iter_start_ts. The caller deletes
  // the iterator.
  Iterator* NewIterator(const ReadOptions& options);

  // The point entries as they are stored, hidden ones and deletions too; the
  // keys are internal keys (user key, then eight bytes of sequence and type).
  std::unique_ptr<Iterator> NewTableIterator();

  // The value that NewIterator would show. Errors: NotFound.
  Status Get(const ReadOptions& options, const Slice& key, std::string* value);
  std::vector<Status> MultiGet(const ReadOptions& options,
                               const std::vector<Slice>& keys,
                               std::vector<std::string>* values);

  // Null before Open().
  std::shared_ptr<const TableProperties> GetTableProperties() const;

  // Reads every block. Errors: Corruption naming file and offset.
  Status VerifyChecksum(const ReadOptions& options);
  Status VerifyChecksum() { return VerifyChecksum(ReadOptions()); }

  // Counts the entries. Errors: Corruption if the number differs from the
  // properties.
  Status VerifyNumEntries(const ReadOptions& options);

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
