// WriteBatchWithIndex: a write batch whose writes can be read before they are
// applied.
//
// Place. A transaction's own writes are one of these; programs also use it by
// itself: fill it, read through it, and give GetWriteBatch() to DB::Write().
//
// Model. Each write is a record of the wrapped WriteBatch, and an index sorts
// these records by column family and key. A read looks into the index first
// and, unless the batch decides, into the database.
//
// Range deletions hide the batch's earlier writes and what the database has.
// RocksDB refuses them here with NotSupported. Each read looks at every range
// deletion of its family, so that a batch should have few of them.
//
// Threads. As WriteBatch: one writer and no reader, or any number of readers.

#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/iterator.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"
#include "rocksdb/write_batch.h"
#include "rocksdb/write_batch_base.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class ColumnFamilyHandle;
class DB;
struct DBOptions;
struct ReadOptions;

enum WriteType {
  kPutRecord,
  kMergeRecord,
  kDeleteRecord,
  kSingleDeleteRecord,
  kDeleteRangeRecord,  // Not returned by iterators.
  kLogDataRecord,      // Not returned by iterators.
  kXIDRecord,          // Not returned by iterators.
  kPutEntityRecord,
  kUnknownRecord,
};

// One write. The slices are valid until the batch changes; keys are without
// their timestamp.
struct WriteEntry {
  WriteType type = kUnknownRecord;
  Slice key;
  Slice value;
};

// The writes to the keys of one column family, in the order of its comparator;
// those to one key in the order in which they were made. Stays usable when the
// batch grows, but not after a rollback to a save point or Clear().
class WBWIIterator {
 public:
  virtual ~WBWIIterator() = default;

  virtual bool Valid() const = 0;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  // To the first write to a key at or after `key`.
  virtual void Seek(const Slice& key) = 0;
  // To the last write to a key at or before `key`.
  virtual void SeekForPrev(const Slice& key) = 0;
  virtual void Next() = 0;
  virtual void Prev() = 0;
  // REQUIRES: Valid().
  virtual WriteEntry Entry() const = 0;
  virtual Status status() const = 0;
};

class WriteBatchWithIndex : public WriteBatchBase {
 public:
  // backup_index_comparator: orders the keys of writes that name no column
  //   family. Must be that of the default family; null: bytewise.
  // reserved_bytes: memory that the batch takes at once.
  // overwrite_key: a write takes the place of the newest earlier one to its
  //   key in the index (the batch keeps both); a Merge never does.
  // max_bytes: a write beyond this size fails with MemoryLimit; 0: no limit.
  // protection_bytes_per_key: has no effect.
  explicit WriteBatchWithIndex(
      const Comparator* backup_index_comparator = BytewiseComparator(),
      size_t reserved_bytes = 0, bool overwrite_key = false,
      size_t max_bytes = 0, size_t protection_bytes_per_key = 0);
  ~WriteBatchWithIndex() override;
  WriteBatchWithIndex(WriteBatchWithIndex&& other) noexcept;
  WriteBatchWithIndex& operator=(WriteBatchWithIndex&& other) noexcept;

  using WriteBatchBase::Put;
  Status Put(ColumnFamilyHandle* column_family, const Slice& key,
             const Slice& value) override;
  Status Put(const Slice& key, const Slice& value) override;
  Status Put(ColumnFamilyHandle* column_family, const Slice& key,
             const Slice& ts, const Slice& value) override;

  Status PutEntity(ColumnFamilyHandle* column_family, const Slice& key,
                   const WideColumns& columns) override;
  Status PutEntity(const Slice& key,
                   const AttributeGroups& attribute_groups) override;

  using WriteBatchBase::Merge;
  Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
               const Slice& value) override;
  Status Merge(const Slice& key, const Slice& value) override;
  Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
               const Slice& ts, const Slice& value) override;

  using WriteBatchBase::Delete;
  Status Delete(ColumnFamilyHandle* column_family, const Slice& key) override;
  Status Delete(const Slice& key) override;
  Status Delete(ColumnFamilyHandle* column_family, const Slice& key,
                const Slice& ts) override;

  using WriteBatchBase::SingleDelete;
  Status SingleDelete(ColumnFamilyHandle* column_family,
                      const Slice& key) override;
  Status SingleDelete(const Slice& key) override;
  Status SingleDelete(ColumnFamilyHandle* column_family, const Slice& key,
                      const Slice& ts) override;

  using WriteBatchBase::DeleteRange;
  Status DeleteRange(ColumnFamilyHandle* column_family, const Slice& begin_key,
                     const Slice& end_key) override;
  Status DeleteRange(const Slice& begin_key, const Slice& end_key) override;
  Status DeleteRange(ColumnFamilyHandle* column_family, const Slice& begin_key,
                     const Slice& end_key, const Slice& ts) override;

  Status PutLogData(const Slice& blob) override;
  void Clear() override;

  // The wrapped batch, to be written or iterated. Do not add to it: the index
  // would not know.
  WriteBatch* GetWriteBatch() override;

  // The writes to one family; null or no family: the default one. The caller
  // deletes the result before the batch.
  WBWIIterator* NewIterator(ColumnFamilyHandle* column_family);
  WBWIIterator* NewIterator();

  // What `base_iterator`, over the same family of a database, would show after
  // the batch was written. Owns `base_iterator`. Bounds of `opts` apply to the
  // batch; the base iterator has to have the same. Needs `column_family` to
  // find the merge operator if there are merges. Writing to the current key
  // invalidates key() and value() until the iterator is moved.
  Iterator* NewIteratorWithBase(ColumnFamilyHandle* column_family,
                                Iterator* base_iterator,
                                const ReadOptions* opts = nullptr);
  Iterator* NewIteratorWithBase(Iterator* base_iterator);

  // What the batch alone knows of the key. Errors: NotFound: nothing, or that
  // it is deleted; MergeInProgress: there are operands, and the base is not in
  // the batch; InvalidArgument: operands need a family with a merge operator.
  Status GetFromBatch(ColumnFamilyHandle* column_family,
                      const DBOptions& options, const Slice& key,
                      std::string* value);
  Status GetFromBatch(const DBOptions& options, const Slice& key,
                      std::string* value) {
    return GetFromBatch(nullptr, options, key, value);
  }
  // The same with all columns; a plain value is one default column.
  Status GetEntityFromBatch(ColumnFamilyHandle* column_family, const Slice& key,
                            PinnableWideColumns* columns);

  // As DB::Get and DB::GetEntity would answer if the batch were written. A
  // snapshot limits what is read from the database, not from the batch.
  Status GetFromBatchAndDB(DB* db, const ReadOptions& read_options,
                           const Slice& key, std::string* value);
  Status GetFromBatchAndDB(DB* db, const ReadOptions& read_options,
                           const Slice& key, PinnableSlice* value);
  Status GetFromBatchAndDB(DB* db, const ReadOptions& read_options,
                           ColumnFamilyHandle* column_family, const Slice& key,
                           std::string* value);
  Status GetFromBatchAndDB(DB* db, const ReadOptions& read_options,
                           ColumnFamilyHandle* column_family, const Slice& key,
                           PinnableSlice* value);
  Status GetEntityFromBatchAndDB(DB* db, const ReadOptions& read_options,
                                 ColumnFamilyHandle* column_family,
                                 const Slice& key,
                                 PinnableWideColumns* columns);

  // The same for many keys. `sorted_input`: the keys ascend.
  void MultiGetFromBatchAndDB(DB* db, const ReadOptions& read_options,
                              ColumnFamilyHandle* column_family,
                              size_t num_keys, const Slice* keys,
                              PinnableSlice* values, Status* statuses,
                              bool sorted_input);
  void MultiGetEntityFromBatchAndDB(DB* db, const ReadOptions& read_options,
                                    ColumnFamilyHandle* column_family,
                                    size_t num_keys, const Slice* keys,
                                    PinnableWideColumns* results,
                                    Status* statuses, bool sorted_input);

  // As in WriteBatch. A rollback ends all iterators over the batch.
  void SetSavePoint() override;
  Status RollbackToSavePoint() override;
  Status PopSavePoint() override;

  void SetMaxBytes(size_t max_bytes) override;
  size_t GetDataSize() const;

 private:
  struct Rep;
  std::unique_ptr<Rep> rep_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
