// TraceRecord and its subclasses: the records of a query trace as objects.
//
// Place. Replayer::Next() returns them; Replayer::Execute() takes them. A
// program may make some itself, and may handle them with a Handler of its own.
//
// Threads. A record does not change: any number of threads may read it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class ColumnFamilyHandle;
class DB;

// The numbers are those of the trace.
enum TraceType : char {
  kTraceNone = 0,
  kTraceBegin = 1,  // The header.
  kTraceEnd = 2,
  // Of query traces.
  kTraceWrite = 3,
  kTraceGet = 4,
  kTraceIteratorSeek = 5,
  kTraceIteratorSeekForPrev = 6,
  // Of block cache traces.
  kBlockTraceIndexBlock = 7,
  kBlockTraceFilterBlock = 8,
  kBlockTraceDataBlock = 9,
  kBlockTraceUncompressionDictBlock = 10,
  kBlockTraceRangeDeletionBlock = 11,
  // Of I/O traces.
  kIOTracer = 12,
  // Of query traces.
  kTraceMultiGet = 13,
  kTraceMax,
};

class GetQueryTraceRecord;
class IteratorSeekQueryTraceRecord;
class MultiGetQueryTraceRecord;
class TraceRecordResult;
class WriteQueryTraceRecord;

class TraceRecord {
 public:
  explicit TraceRecord(uint64_t timestamp);
  virtual ~TraceRecord() = default;

  virtual TraceType GetTraceType() const = 0;
  // When the operation was traced: microseconds of the traced database's
  // clock. Only differences have a meaning.
  virtual uint64_t GetTimestamp() const;

  // What is done with a record of each type. What the operation answered goes
  // into `result`, unless that is null. A status that is not OK says that the
  // record could not be handled; then there is no result.
  class Handler {
   public:
    virtual ~Handler() = default;

    virtual Status Handle(const WriteQueryTraceRecord& record,
                          std::unique_ptr<TraceRecordResult>* result) = 0;
    virtual Status Handle(const GetQueryTraceRecord& record,
                          std::unique_ptr<TraceRecordResult>* result) = 0;
    virtual Status Handle(const IteratorSeekQueryTraceRecord& record,
                          std::unique_ptr<TraceRecordResult>* result) = 0;
    virtual Status Handle(const MultiGetQueryTraceRecord& record,
                          std::unique_ptr<TraceRecordResult>* result) = 0;
  };

  // Calls the function of `handler` for this type.
  // Errors: InvalidArgument without a handler, and those of the handler.
  virtual Status Accept(Handler* handler,
                        std::unique_ptr<TraceRecordResult>* result) = 0;

  // A handler that executes records in `db`. Records name column families by
  // their ids: those of `handles`, which must live as long as the handler; the
  // default family need not be among them. The caller owns the handler, which
  // any number of threads may use.
  // A write passes over families that `db` does not have, as the traced one may
  // have done.
  // Its errors: Corruption for a read of a family that no handle has, and what
  // the operation answers besides OK and NotFound.
  static Handler* NewExecutionHandler(
      DB* db, const std::vector<ColumnFamilyHandle*>& handles);

 private:
  uint64_t timestamp_;
};

class QueryTraceRecord : public TraceRecord {
 public:
  explicit QueryTraceRecord(uint64_t timestamp);
};

// DB::Write(), and all calls that write.
class WriteQueryTraceRecord : public QueryTraceRecord {
 public:
  WriteQueryTraceRecord(PinnableSlice&& write_batch_rep, uint64_t timestamp);
  WriteQueryTraceRecord(const std::string& write_batch_rep, uint64_t timestamp);
  ~WriteQueryTraceRecord() override;

  TraceType GetTraceType() const override { return kTraceWrite; }
  // The batch, as WriteBatch::Data() returns it.
  virtual Slice GetWriteBatchRep() const;
  Status Accept(Handler* handler,
                std::unique_ptr<TraceRecordResult>* result) override;

 private:
  PinnableSlice rep_;
};

// DB::Get()
class GetQueryTraceRecord : public QueryTraceRecord {
 public:
  GetQueryTraceRecord(uint32_t column_family_id, PinnableSlice&& key,
                      uint64_t timestamp);
  GetQueryTraceRecord(uint32_t column_family_id, const std::string& key,
                      uint64_t timestamp);
  ~GetQueryTraceRecord() override;

  TraceType GetTraceType() const override { return kTraceGet; }
  virtual uint32_t GetColumnFamilyID() const;
  virtual Slice GetKey() const;
  Status Accept(Handler* handler,
                std::unique_ptr<TraceRecordResult>* result) override;

 private:
  uint32_t cf_id_;
  PinnableSlice key_;
};

class IteratorQueryTraceRecord : public QueryTraceRecord {
 public:
  explicit IteratorQueryTraceRecord(uint64_t timestamp);
  IteratorQueryTraceRecord(PinnableSlice&& lower_bound,
                           PinnableSlice&& upper_bound, uint64_t timestamp);
  IteratorQueryTraceRecord(const std::string& lower_bound,
                           const std::string& upper_bound, uint64_t timestamp);
  ~IteratorQueryTraceRecord() override;

  // The iterator's bounds; empty: it has none.
  virtual Slice GetLowerBound() const;
  virtual Slice GetUpperBound() const;

 private:
  PinnableSlice lower_;
  PinnableSlice upper_;
};

// Iterator::Seek() and Iterator::SeekForPrev()
class IteratorSeekQueryTraceRecord : public IteratorQueryTraceRecord {
 public:
  enum SeekType {
    kSeek = kTraceIteratorSeek,
    kSeekForPrev = kTraceIteratorSeekForPrev
  };

  IteratorSeekQueryTraceRecord(SeekType seek_type, uint32_t column_family_id,
                               PinnableSlice&& key, uint64_t timestamp);
  IteratorSeekQueryTraceRecord(SeekType seek_type, uint32_t column_family_id,
                               const std::string& key, uint64_t timestamp);
  IteratorSeekQueryTraceRecord(SeekType seek_type, uint32_t column_family_id,
                               PinnableSlice&& key, PinnableSlice&& lower_bound,
                               PinnableSlice&& upper_bound, uint64_t timestamp);
  IteratorSeekQueryTraceRecord(SeekType seek_type, uint32_t column_family_id,
                               const std::string& key,
                               const std::string& lower_bound,
                               const std::string& upper_bound,
                               uint64_t timestamp);
  ~IteratorSeekQueryTraceRecord() override;

  // The number of the seek type.
  TraceType GetTraceType() const override;
  virtual SeekType GetSeekType() const;
  virtual uint32_t GetColumnFamilyID() const;
  virtual Slice GetKey() const;
  Status Accept(Handler* handler,
                std::unique_ptr<TraceRecordResult>* result) override;

 private:
  SeekType type_;
  uint32_t cf_id_;
  PinnableSlice key_;
};

// DB::MultiGet(): as many families as keys.
class MultiGetQueryTraceRecord : public QueryTraceRecord {
 public:
  MultiGetQueryTraceRecord(std::vector<uint32_t> column_family_ids,
                           std::vector<PinnableSlice>&& keys,
                           uint64_t timestamp);
  MultiGetQueryTraceRecord(std::vector<uint32_t> column_family_ids,
                           const std::vector<std::string>& keys,
                           uint64_t timestamp);
  ~MultiGetQueryTraceRecord() override;

  TraceType GetTraceType() const override { return kTraceMultiGet; }
  virtual std::vector<uint32_t> GetColumnFamilyIDs() const;
  virtual std::vector<Slice> GetKeys() const;
  Status Accept(Handler* handler,
                std::unique_ptr<TraceRecordResult>* result) override;

 private:
  std::vector<uint32_t> cf_ids_;
  std::vector<PinnableSlice> keys_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
