// Blob records inside a table: values that a table made for ingestion keeps
// between its data blocks.
//
// Place. Inside the table reader, which returns every entry as if its value
// were in the data block; no other part sees a reference into a table.
//
// Bytes. A record is framed like a block: payload | compression type 0 |
// checksum 4. The entry has a blob index with file number 0
// (table/blob/blob_format.h), whose offset and size are those of the payload;
// so have columns of entities. The property rocksdb.embedded.blob.stats marks
// such a table.
//
// Invariant. All reads lie within the file.
//
// Threads. As for the reader; an iterator by one thread at a time.

#pragma once

#include <memory>
#include <string>

#include "table/internal_iterator.h"
#include "table/internal_key.h"
#include "table/table_rep.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr char kEmbeddedBlobsProperty[] = "rocksdb.embedded.blob.stats";

// True when an entry of this type with this value has something elsewhere in
// the table. `stored` of tables with embedded blobs only.
bool IsEmbedded(ValueType type, const Slice& stored);

// The value of such an entry; *type becomes the type it has without blobs.
// Errors: Corruption; NotSupported: a reference into a blob file.
Status ReadEmbedded(const TableReader::Rep& table, const FetchOptions& fetch,
                    const Slice& stored, ValueType* type, std::string* value);

// Shows the entries of such a table. A key shown may have another type than the
// stored one, and with it another place among entries of one user key and
// sequence, of which there is but one.
class EmbeddedBlobIterator final : public InternalIterator {
 public:
  // `table` must outlive the iterator.
  EmbeddedBlobIterator(std::unique_ptr<InternalIterator> stored,
                       const TableReader::Rep* table,
                       const ReadOptions& options)
      : stored_(std::move(stored)),
        table_(table),
        fetch_(FetchOptionsFor(options)) {}

  void SeekToFirst() override {
    stored_->SeekToFirst();
    Show();
  }
  void SeekToLast() override {
    stored_->SeekToLast();
    Show();
  }
  void Seek(const Slice& target) override;
  void SeekForPrev(const Slice& target) override;
  void Next() override {
    stored_->Next();
    Show();
  }
  void Prev() override {
    stored_->Prev();
    Show();
  }
  Status status() const override {
    return status_.ok() ? stored_->status() : status_;
  }

 private:
  void Show();

  const std::unique_ptr<InternalIterator> stored_;
  const TableReader::Rep* const table_;
  const FetchOptions fetch_;
  Status status_;
  std::string target_;
  std::string shown_key_;
  std::string shown_value_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
