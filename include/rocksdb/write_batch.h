// WriteBatch: a list of writes that are applied together or not at all.
//
// Place. Argument of DB::Write(); also the payload of a log record, so a
// batch is built in the very bytes that reach the disk.
//
// Bytes. 8 bytes sequence, 4 bytes count, then one record per write. Iterate
// hands the records to a Handler in order.
//
// Threads. Const methods may be called by several threads at once, others by
// one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/write_batch_base.h"

namespace ROCKSDB_NAMESPACE {
namespace engine {
class WriteBatchInternal;
}  // namespace engine
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class ColumnFamilyHandle;
struct SavePoints;
struct SliceParts;

// A position inside a batch.
struct SavePoint {
  size_t size;  // bytes of the representation
  uint32_t count;
  uint32_t content_flags;

  SavePoint() : size(0), count(0), content_flags(0) {}
  SavePoint(size_t _size, uint32_t _count, uint32_t _flags)
      : size(_size), count(_count), content_flags(_flags) {}

  void clear() { *this = SavePoint(); }
  bool is_cleared() const { return (size | count | content_flags) == 0; }
};

class WriteBatch : public WriteBatchBase {
 public:
  explicit WriteBatch(size_t reserved_bytes = 0, size_t max_bytes = 0)
      : WriteBatch(reserved_bytes, max_bytes, 0, 0) {}
  // `default_cf_ts_sz`: size of the timestamps of the default column family.
  explicit WriteBatch(size_t reserved_bytes, size_t max_bytes,
                      size_t protection_bytes_per_key, size_t default_cf_ts_sz);
  // Takes a representation, as returned by Data().
  explicit WriteBatch(const std::string& rep);
  explicit WriteBatch(std::string&& rep);
  WriteBatch(const WriteBatch& src);
  WriteBatch(WriteBatch&& src) noexcept;
  WriteBatch& operator=(const WriteBatch& src);
  WriteBatch& operator=(WriteBatch&& src);
  ~WriteBatch() override;

  using WriteBatchBase::Put;
  Status Put(ColumnFamilyHandle* column_family, const Slice& key,
             const Slice& value) override;
  Status Put(const Slice& key, const Slice& value) override {
    return Put(nullptr, key, value);
  }
  Status Put(ColumnFamilyHandle* column_family, const Slice& key,
             const Slice& ts, const Slice& value) override;
  Status Put(ColumnFamilyHandle* column_family, const SliceParts& key,
             const SliceParts& value) override;
  Status Put(const SliceParts& key, const SliceParts& value) override {
    return Put(nullptr, key, value);
  }

  Status PutEntity(ColumnFamilyHandle* column_family, const Slice& key,
                   const WideColumns& columns) override;
  Status PutEntity(const Slice& key,
                   const AttributeGroups& attribute_groups) override;

  using WriteBatchBase::Delete;
  Status Delete(ColumnFamilyHandle* column_family, const Slice& key) override;
  Status Delete(const Slice& key) override { return Delete(nullptr, key); }
  Status Delete(ColumnFamilyHandle* column_family, const Slice& key,
                const Slice& ts) override;
  Status Delete(ColumnFamilyHandle* column_family,
                const SliceParts& key) override;
  Status Delete(const SliceParts& key) override { return Delete(nullptr, key); }

  using WriteBatchBase::SingleDelete;
  Status SingleDelete(ColumnFamilyHandle* column_family,
                      const Slice& key) override;
  Status SingleDelete(const Slice& key) override {
    return SingleDelete(nullptr, key);
  }
  Status SingleDelete(ColumnFamilyHandle* column_family, const Slice& key,
                      const Slice& ts) override;
  Status SingleDelete(ColumnFamilyHandle* column_family,
                      const SliceParts& key) override;
  Status SingleDelete(const SliceParts& key) override {
    return SingleDelete(nullptr, key);
  }

  using WriteBatchBase::DeleteRange;
  Status DeleteRange(ColumnFamilyHandle* column_family, const Slice& begin_key,
                     const Slice& end_key) override;
  Status DeleteRange(const Slice& begin_key, const Slice& end_key) override {
    return DeleteRange(nullptr, begin_key, end_key);
  }
  Status DeleteRange(ColumnFamilyHandle* column_family, const Slice& begin_key,
                     const Slice& end_key, const Slice& ts) override;
  Status DeleteRange(ColumnFamilyHandle* column_family,
                     const SliceParts& begin_key,
                     const SliceParts& end_key) override;
  Status DeleteRange(const SliceParts& begin_key,
                     const SliceParts& end_key) override {
    return DeleteRange(nullptr, begin_key, end_key);
  }

  using WriteBatchBase::Merge;
  Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
               const Slice& value) override;
  Status Merge(const Slice& key, const Slice& value) override {
    return Merge(nullptr, key, value);
  }
  Status Merge(ColumnFamilyHandle* column_family, const Slice& key,
               const Slice& ts, const Slice& value) override;
  Status Merge(ColumnFamilyHandle* column_family, const SliceParts& key,
               const SliceParts& value) override;
  Status Merge(const SliceParts& key, const SliceParts& value) override {
    return Merge(nullptr, key, value);
  }

  Status PutLogData(const Slice& blob) override;

  void Clear() override;

  void SetSavePoint() override;
  Status RollbackToSavePoint() override;
  Status PopSavePoint() override;

  // Receives the records of a batch. Return an error to end the iteration.
  class Handler {
   public:
    virtual ~Handler();

    // The defaults pass records of the default column family to the simpler
    // methods and refuse the rest.
    virtual Status PutCF(uint32_t column_family_id, const Slice& key,
                         const Slice& value);
    virtual void Put(const Slice& /*key*/, const Slice& /*value*/) {}
    virtual Status TimedPutCF(uint32_t column_family_id, const Slice& key,
                              const Slice& value, uint64_t write_time);
    virtual void TimedPut(const Slice& /*key*/, const Slice& /*value*/,
                          uint64_t /*write_time*/) {}
    virtual Status PutEntityCF(uint32_t column_family_id, const Slice& key,
                               const Slice& entity);
    virtual Status DeleteCF(uint32_t column_family_id, const Slice& key);
    virtual void Delete(const Slice& /*key*/) {}
    virtual Status SingleDeleteCF(uint32_t column_family_id, const Slice& key);
    virtual void SingleDelete(const Slice& /*key*/) {}
    virtual Status DeleteRangeCF(uint32_t column_family_id,
                                 const Slice& begin_key, const Slice& end_key);
    virtual Status MergeCF(uint32_t column_family_id, const Slice& key,
                           const Slice& value);
    virtual void Merge(const Slice& /*key*/, const Slice& /*value*/) {}
    virtual Status PutBlobIndexCF(uint32_t column_family_id, const Slice& key,
                                  const Slice& value);
    virtual void LogData(const Slice& blob);

    // Markers of transactions.
    virtual Status MarkBeginPrepare(bool unprepare = false);
    virtual Status MarkEndPrepare(const Slice& xid);
    virtual Status MarkNoop(bool empty_batch);
    virtual Status MarkRollback(const Slice& xid);
    virtual Status MarkCommit(const Slice& xid);
    virtual Status MarkCommitWithTimestamp(const Slice& xid,
                                           const Slice& commit_ts);

    // False ends the iteration without an error.
    virtual bool Continue();

   protected:
    friend class engine::WriteBatchInternal;
    enum class OptionState {
      kUnknown,
      kDisabled,
      kEnabled,
    };
    virtual OptionState WriteAfterCommit() const {
      return OptionState::kUnknown;
    }
    virtual OptionState WriteBeforePrepare() const {
      return OptionState::kUnknown;
    }
  };
  Status Iterate(Handler* handler) const;

  const std::string& Data() const { return rep_; }
  size_t GetDataSize() const { return rep_.size(); }
  uint32_t Count() const;

  bool HasPut() const;
  bool HasTimedPut() const;
  bool HasPutEntity() const;
  bool HasDelete() const;
  bool HasSingleDelete() const;
  bool HasDeleteRange() const;
  bool HasMerge() const;
  bool HasBeginPrepare() const;
  bool HasEndPrepare() const;
  bool HasCommit() const;
  bool HasRollback() const;

  // Gives the timestamp `ts` to all keys of families that have timestamps. In
  // these, Put(), Delete(), SingleDelete(), DeleteRange() and Merge() without
  // one leave a place for it (with SliceParts, and PutEntity(), they are
  // refused), and DB::Write() refuses the batch until a call has succeeded,
  // which should name all these families: other places stay zero. A batch made
  // from Data() knows no places; one that was not made with the size for the
  // default family takes keys without a handle as they are. `ts_sz_func`: the
  // size of a family's timestamps; 0: its keys stay as they are; the largest
  // size_t: the family is unknown. It must not throw.
  // Errors, which change nothing: NotFound for an unknown family,
  // InvalidArgument where a family's timestamps have another size than `ts`,
  // Corruption for records that cannot be read.
  Status UpdateTimestamps(const Slice& ts,
                          std::function<size_t(uint32_t /*cf*/)> ts_sz_func);

  // Checks that the records can be read and agree with the count.
  Status VerifyChecksum() const;

  WriteBatch* GetWriteBatch() override { return this; }

  // Writes after the mark are applied but not logged.
  void MarkWalTerminationPoint();
  const SavePoint& GetWalTerminationPoint() const { return wal_term_point_; }

  void SetMaxBytes(size_t max_bytes) override { max_bytes_ = max_bytes; }

  size_t GetProtectionBytesPerKey() const { return 0; }

 private:
  friend class engine::WriteBatchInternal;
  friend class LocalSavePoint;
  friend class WriteBatchWithIndex;

  uint32_t ComputeContentFlags() const;

  std::unique_ptr<SavePoints> save_points_;
  SavePoint wal_term_point_;
  // kDeferred in a batch made from bytes: computed when first asked.
  mutable std::atomic<uint32_t> content_flags_;
  size_t max_bytes_;
  size_t default_cf_ts_sz_ = 0;

 protected:
  std::string rep_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
