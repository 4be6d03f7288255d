// TableOutput: one new table file on its way to disk.
//
// Place. Flush and compaction write every table through it: create the file,
// feed the builder, track bounds, finish, sync, close. Installing the result
// in the MANIFEST, and syncing the directory before that, is the job's part.
//
// Invariants:
//   (1) A file is either finished, synced and closed, or deleted again.
//   (2) The bounds are those of the entries added.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "db/format/store_context.h"
#include "env/file_writer.h"
#include "rocksdb/env.h"
#include "table/internal_key.h"
#include "table/table_builder.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct TableOutputOptions {
  const StoreContext* store = nullptr;
  TableBuildOptions build;  // file_number names the file.
  std::string path;         // Full file name.
  Env::IOPriority io_priority = Env::IO_LOW;
  Env::WriteLifeTimeHint lifetime_hint = Env::WLTH_NOT_SET;
  uint64_t preallocation_bytes = 0;
};

// The facts the MANIFEST needs of a finished table.
struct TableFacts {
  uint64_t number = 0;
  uint64_t file_size = 0;
  uint64_t tail_size = 0;
  InternalKey smallest;
  InternalKey largest;
  SequenceNumber smallest_seq = kSequenceMax;
  SequenceNumber largest_seq = 0;
  bool need_compaction = false;
  std::string unique_id;
  TableProperties properties;
  std::string path;
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
    if (facts_.largest_seq == 0 && builder_->NumEntries() == 0) {
      facts_.smallest.DecodeFrom(internal_key);
    }
    last_key_.assign(internal_key.data(), internal_key.size());
    const SequenceNumber sequence = ExtractSequence(internal_key);
    if (sequence < facts_.smallest_seq) facts_.smallest_seq = sequence;
    if (sequence > facts_.largest_seq) facts_.largest_seq = sequence;
    builder_->Add(internal_key, value);
  }

  const Status& status() const { return builder_->status(); }
  uint64_t NumEntries() const { return builder_->NumEntries(); }
  uint64_t EstimatedFileSize() const { return builder_->EstimatedFileSize(); }
  uint64_t FileSize() const { return builder_->FileSize(); }

  // Completes, syncs and closes the file. On error the file is deleted.
  Result<TableFacts> Finish();

 private:
  explicit TableOutput(TableOutputOptions options)
      : options_(std::move(options)) {}
  Status FinishFile();

  const TableOutputOptions options_;
  std::unique_ptr<WritableFileWriter> file_;
  std::unique_ptr<TableBuilder> builder_;
  TableFacts facts_;
  std::string last_key_;
  bool finished_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
