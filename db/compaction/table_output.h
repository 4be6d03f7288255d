// TableOutput: one new table file on its way to disk.
//
// Place. Flush and compaction write every table through it: create the file,
// feed the builder, track bounds, finish, sync, close. The job then syncs the
// directory and installs the result in the MANIFEST.
//
// Invariants:
//   (1) A file is either finished, synced and closed, or deleted again.
//   (2) The bounds are those of the entries and range deletions added; the link
//       is to the oldest blob file that an entry points at.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "db/blob/blob_output.h"
#include "db/format/store_context.h"
#include "db/manifest/file_metadata.h"
#include "env/file_writer.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "table/internal_key.h"
#include "table/table_builder.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// Of the tables and blob files that a job writes.
FileOptions OutputFileOptions(const DBOptions& options);

struct TableOutputOptions {
  const StoreContext* store = nullptr;
  FileOptions file_options;
  TableBuildOptions build;  // file_number names the file.
  std::shared_ptr<const FileHome> home;
  uint32_t path_id = 0;
  Env::IOPriority io_priority = Env::IO_LOW;
  const IoPass* io_pass = nullptr;  // Outlives the output; null: not gated.
  // Of Tickers: counts bytes as they are written.
  uint32_t written_ticker = UINT32_MAX;
  Env::WriteLifeTimeHint lifetime_hint = Env::WLTH_NOT_SET;
  uint64_t preallocation_bytes = 0;
};

// A finished table: what the MANIFEST needs, and its properties.
struct FinishedTable {
  FilePtr file;
  TableProperties properties;
};

// Whom a table belongs to, and the options it is built with.
struct TableOwner {
  uint32_t family_id = 0;
  std::string family_name;
  const InternalKeyComparator* icmp = nullptr;
  std::shared_ptr<const ColumnFamilyOptions> options;
  std::shared_ptr<const FileHome> home;
};

// The type for a table at `level`; `bottommost`: nothing older lies below.
CompressionType CompressionFor(const ColumnFamilyOptions& options, int level,
                               int base_level, bool bottommost);

// Options of a table at `level`; the compression follows RocksDB's rules for
// levels and the bottom. REQUIRES: the owner's table factory is block-based.
TableBuildOptions BuildOptionsFor(const StoreContext& store,
                                  const TableOwner& owner, int level,
                                  int base_level, bool bottommost);

// Is notified of the tables and blob files that a job writes. Called by the
// thread that writes them, without locks.
class TableObserver : public BlobObserver {
 public:
  // Before the file is made.
  virtual void TableBegun(uint64_t number, uint32_t path_id) = 0;
  // Its end: `table` is complete if the status is OK; else there is no file.
  virtual void TableEnded(uint64_t number, uint32_t path_id,
                          const FinishedTable& table, const Status& status) = 0;
};

class TableOutput {
 public:
  // Errors: those of creating the file.
  static Result<std::unique_ptr<TableOutput>> Create(
      TableOutputOptions options);
  // An unfinished output deletes its file.
  ~TableOutput();
  TableOutput(const TableOutput&) = delete;
  TableOutput& operator=(const TableOutput&) = delete;

  void Add(const Slice& internal_key, const Slice& value) {
    holds_old_versions_ |=
        facts_.largest.Valid() &&
        options_.build.icmp->SameKey(facts_.largest.user_key(),
                                     ExtractUserKey(internal_key));
    facts_.AddBoundary(internal_key, ExtractSequence(internal_key));
    const ValueType type = ExtractType(internal_key);
    if (type == ValueType::kBlobIndex || type == ValueType::kWideColumnEntity)
        [[unlikely]] {
      LinkTo(type, value);
    }
    builder_->Add(internal_key, value);
  }

  // Behind the last entry; by begin, newest first.
  void AddRangeDeletion(const RangeTombstone& tombstone);

  const Status& status() const {
    return link_status_.ok() ? builder_->status() : link_status_;
  }
  uint64_t EstimatedFileSize() const { return builder_->EstimatedFileSize(); }
  // As exact as it must be for a comparison with `max` and half of it.
  uint64_t SizeForCut(uint64_t max);
  uint64_t FileSize() const { return builder_->FileSize(); }

  // Completes, syncs and closes the file. On error the file is deleted.
  Result<FinishedTable> Finish();

 private:
  explicit TableOutput(TableOutputOptions options)
      : options_(std::move(options)) {}
  Status FinishFile();
  void LinkTo(ValueType type, const Slice& value);

  const TableOutputOptions options_;
  std::unique_ptr<WritableFileWriter> file_;
  std::unique_ptr<TableBuilder> builder_;
  FileFacts facts_;
  bool holds_old_versions_ = false;
  std::string path_;
  Status link_status_;
  bool finished_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
