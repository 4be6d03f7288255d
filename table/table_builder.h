// TableBuilder: writes one block-based table file, keys in ascending order.
//
// Place. Flush and compaction feed it; it owns blocks, filter, index and
// footer, not the file: the caller syncs and closes the writer.
//
// Bytes. table/format and table/block describe the formats of data blocks, meta
// blocks, index and footer.
//
// Invariants:
//   (1) Keys passed to Add() strictly ascend in internal-key order.
//   (2) After an error nothing more is written; status() keeps the error.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/file_checksum.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/types.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

class WritableFileWriter;

// Everything that decides the bytes of a table. A value: filled by flush and
// compaction from the column family's options.
struct TableBuildOptions {
  const InternalKeyComparator* icmp = nullptr;
  BlockBasedTableOptions table;
  CompressionType compression = kNoCompression;
  CompressionOptions compression_opts;
  uint64_t sample_for_compression = 0;
  // Sampling for a dictionary ends at this size at the latest; 0: the whole
  // file may wait for it.
  uint64_t target_file_size = 0;
  std::string column_family_name = "default";
  uint32_t column_family_id = 0;
  int level = 0;  // -1 when unknown.
  TableFileCreationReason reason = TableFileCreationReason::kMisc;
  bool is_bottommost = false;  // optimize_filters_for_hits leaves filters out
  bool optimize_filters_for_hits = false;
  std::string merge_operator_name = "nullptr";
  std::shared_ptr<const SliceTransform> prefix_extractor;
  std::vector<std::shared_ptr<TablePropertiesCollectorFactory>>
      collector_factories;
  std::string db_id;
  std::string db_session_id;
  std::string db_host_id;
  uint64_t file_number = 0;
  // Not 0: of a table made for ingestion, with room for a global sequence.
  uint32_t external_version = 0;
  // Makes the checksum of the whole file; null: none.
  std::shared_ptr<FileChecksumGenFactory> file_checksum_factory;
  uint64_t creation_time_secs = 0;
  uint64_t oldest_key_time_secs = 0;
  uint64_t file_creation_time_secs = 0;
  Statistics* statistics = nullptr;
  Logger* info_log = nullptr;
  // Blocks that are put into the cache may go to its second tier, and have a
  // checksum of so many bytes for each entry.
  bool uses_secondary_cache = true;
  uint32_t protection_bytes = 0;
};

class TableBuilder {
 public:
  // `file` must outlive the builder.
  TableBuilder(const TableBuildOptions& options, WritableFileWriter* file);
  ~TableBuilder();
  TableBuilder(const TableBuilder&) = delete;
  TableBuilder& operator=(const TableBuilder&) = delete;

  void Add(const Slice& internal_key, const Slice& value);
  // Writes filter, properties, index and footer. REQUIRES: not finished.
  Status Finish();
  // Stops without a footer; the file is the caller's to delete.
  void Abandon();

  const Status& status() const;
  // Bytes written so far; the final size after Finish().
  uint64_t FileSize() const;
  // FileSize() plus what the open block and the tail are expected to add.
  uint64_t EstimatedFileSize() const;
  // With parallel_threads: what blocks still being compressed may add to that
  // at most; and waiting for them, so that nothing is left to be added.
  uint64_t PendingBytesMax() const;
  void WriteBegunBlocks();
  // Bytes behind the data blocks (index, filter, properties, footer).
  uint64_t TailSize() const;
  bool NeedCompact() const;
  // Complete after Finish().
  const TableProperties& properties() const;
  // Of the whole file, after a Finish() that succeeded; null without one.
  const FileChecksumGenerator* file_checksum() const;

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

// The 16-byte unique id of a table (two fixed64), from its properties.
std::string TableUniqueId(const std::string& db_id,
                          const std::string& db_session_id,
                          uint64_t file_number);

}  // namespace ROCKSDB_NAMESPACE::engine
