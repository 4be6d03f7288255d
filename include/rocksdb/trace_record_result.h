// TraceRecordResult and its subclasses: what the execution of a trace record
// has answered.
//
// Place. Made by the handler of TraceRecord::NewExecutionHandler(), and so by
// Replayer::Execute() and Replayer::Replay().
//
// Threads. A result does not change: any number of threads may read it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/trace_record.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class IteratorTraceExecutionResult;
class MultiValuesTraceExecutionResult;
class SingleValueTraceExecutionResult;
class StatusOnlyTraceExecutionResult;

class TraceRecordResult {
 public:
  explicit TraceRecordResult(TraceType trace_type);
  virtual ~TraceRecordResult() = default;

  // That of the record.
  virtual TraceType GetTraceType() const;

  class Handler {
   public:
    virtual ~Handler() = default;

    virtual Status Handle(const StatusOnlyTraceExecutionResult& result) = 0;
    virtual Status Handle(const SingleValueTraceExecutionResult& result) = 0;
    virtual Status Handle(const MultiValuesTraceExecutionResult& result) = 0;
    virtual Status Handle(const IteratorTraceExecutionResult& result) = 0;
  };

  // Calls the function of `handler` for this type.
  // Errors: InvalidArgument without a handler, and those of the handler.
  virtual Status Accept(Handler* handler) = 0;

 private:
  TraceType trace_type_;
};

// A result of an execution, with the times at which it began and ended.
class TraceExecutionResult : public TraceRecordResult {
 public:
  TraceExecutionResult(uint64_t start_timestamp, uint64_t end_timestamp,
                       TraceType trace_type);

  // Microseconds of the database's clock.
  virtual uint64_t GetStartTimestamp() const;
  virtual uint64_t GetEndTimestamp() const;
  inline uint64_t GetLatency() const {
    return GetEndTimestamp() - GetStartTimestamp();
  }

 private:
  uint64_t ts_start_;
  uint64_t ts_end_;
};

// Of a write.
class StatusOnlyTraceExecutionResult : public TraceExecutionResult {
 public:
  StatusOnlyTraceExecutionResult(Status status, uint64_t start_timestamp,
                                 uint64_t end_timestamp, TraceType trace_type);
  ~StatusOnlyTraceExecutionResult() override = default;

  virtual const Status& GetStatus() const;
  Status Accept(Handler* handler) override;

 private:
  Status status_;
};

// Of a Get.
class SingleValueTraceExecutionResult : public TraceExecutionResult {
 public:
  SingleValueTraceExecutionResult(Status status, const std::string& value,
                                  uint64_t start_timestamp,
                                  uint64_t end_timestamp, TraceType trace_type);
  SingleValueTraceExecutionResult(Status status, std::string&& value,
                                  uint64_t start_timestamp,
                                  uint64_t end_timestamp, TraceType trace_type);
  ~SingleValueTraceExecutionResult() override;

  // Also NotFound.
  virtual const Status& GetStatus() const;
  // Empty unless the status is OK.
  virtual const std::string& GetValue() const;
  Status Accept(Handler* handler) override;

 private:
  Status status_;
  std::string value_;
};

// Of a MultiGet: one status and one value per key, in the record's order.
class MultiValuesTraceExecutionResult : public TraceExecutionResult {
 public:
  MultiValuesTraceExecutionResult(std::vector<Status> multi_status,
                                  std::vector<std::string> values,
                                  uint64_t start_timestamp,
                                  uint64_t end_timestamp, TraceType trace_type);
  ~MultiValuesTraceExecutionResult() override;

  virtual const std::vector<Status>& GetMultiStatus() const;
  virtual const std::vector<std::string>& GetValues() const;
  Status Accept(Handler* handler) override;

 private:
  std::vector<Status> multi_status_;
  std::vector<std::string> values_;
};

// Of a Seek or a SeekForPrev: where the iterator stands.
class IteratorTraceExecutionResult : public TraceExecutionResult {
 public:
  IteratorTraceExecutionResult(bool valid, Status status, PinnableSlice&& key,
                               PinnableSlice&& value, uint64_t start_timestamp,
                               uint64_t end_timestamp, TraceType trace_type);
  IteratorTraceExecutionResult(bool valid, Status status,
                               const std::string& key, const std::string& value,
                               uint64_t start_timestamp, uint64_t end_timestamp,
                               TraceType trace_type);
  ~IteratorTraceExecutionResult() override;

  virtual bool GetValid() const;
  virtual const Status& GetStatus() const;
  // Both are empty unless the iterator is valid.
  virtual Slice GetKey() const;
  virtual Slice GetValue() const;
  Status Accept(Handler* handler) override;

 private:
  bool valid_;
  Status status_;
  PinnableSlice key_;
  PinnableSlice value_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
