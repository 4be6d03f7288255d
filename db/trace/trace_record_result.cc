// The classes of rocksdb/trace_record_result.h.

#include "rocksdb/trace_record_result.h"

#include <cassert>
#include <utility>

namespace ROCKSDB_NAMESPACE {

namespace {

PinnableSlice Copied(const Slice& bytes) {
  PinnableSlice copy;
  copy.PinSelf(bytes);
  return copy;
}

template <typename Answer>
Status HandOn(TraceRecordResult::Handler* handler, const Answer& answer) {
  if (handler == nullptr) {
    return Status::InvalidArgument(
        "TraceRecordResult::Accept() needs a handler");
  }
  return handler->Handle(answer);
}

}  // namespace

TraceRecordResult::TraceRecordResult(TraceType trace_type)
    : trace_type_(trace_type) {}

TraceType TraceRecordResult::GetTraceType() const { return trace_type_; }

TraceExecutionResult::TraceExecutionResult(uint64_t start_timestamp,
                                           uint64_t end_timestamp,
                                           TraceType trace_type)
    : TraceRecordResult(trace_type),
      ts_start_(start_timestamp),
      ts_end_(end_timestamp) {}

uint64_t TraceExecutionResult::GetStartTimestamp() const { return ts_start_; }

uint64_t TraceExecutionResult::GetEndTimestamp() const { return ts_end_; }

StatusOnlyTraceExecutionResult::StatusOnlyTraceExecutionResult(
    Status status, uint64_t start_timestamp, uint64_t end_timestamp,
    TraceType trace_type)
    : TraceExecutionResult(start_timestamp, end_timestamp, trace_type),
      status_(std::move(status)) {}

const Status& StatusOnlyTraceExecutionResult::GetStatus() const {
  return status_;
}

Status StatusOnlyTraceExecutionResult::Accept(Handler* handler) {
  return HandOn(handler, *this);
}

SingleValueTraceExecutionResult::SingleValueTraceExecutionResult(
    Status status, const std::string& value, uint64_t start_timestamp,
    uint64_t end_timestamp, TraceType trace_type)
    : SingleValueTraceExecutionResult(std::move(status), std::string(value),
                                      start_timestamp, end_timestamp,
                                      trace_type) {}

SingleValueTraceExecutionResult::SingleValueTraceExecutionResult(
    Status status, std::string&& value, uint64_t start_timestamp,
    uint64_t end_timestamp, TraceType trace_type)
    : TraceExecutionResult(start_timestamp, end_timestamp, trace_type),
      status_(std::move(status)),
      value_(std::move(value)) {}

SingleValueTraceExecutionResult::~SingleValueTraceExecutionResult() = default;

const Status& SingleValueTraceExecutionResult::GetStatus() const {
  return status_;
}

const std::string& SingleValueTraceExecutionResult::GetValue() const {
  return value_;
}

Status SingleValueTraceExecutionResult::Accept(Handler* handler) {
  return HandOn(handler, *this);
}

MultiValuesTraceExecutionResult::MultiValuesTraceExecutionResult(
    std::vector<Status> multi_status, std::vector<std::string> values,
    uint64_t start_timestamp, uint64_t end_timestamp, TraceType trace_type)
    : TraceExecutionResult(start_timestamp, end_timestamp, trace_type),
      multi_status_(std::move(multi_status)),
      values_(std::move(values)) {
  assert(multi_status_.size() == values_.size());
}

MultiValuesTraceExecutionResult::~MultiValuesTraceExecutionResult() = default;

const std::vector<Status>& MultiValuesTraceExecutionResult::GetMultiStatus()
    const {
  return multi_status_;
}

const std::vector<std::string>& MultiValuesTraceExecutionResult::GetValues()
    const {
  return values_;
}

Status MultiValuesTraceExecutionResult::Accept(Handler* handler) {
  return HandOn(handler, *this);
}

// NOLINTBEGIN(readability-function-size): the interface's parameters.
IteratorTraceExecutionResult::IteratorTraceExecutionResult(
    bool valid, Status status, PinnableSlice&& key, PinnableSlice&& value,
    uint64_t start_timestamp, uint64_t end_timestamp, TraceType trace_type)
    : TraceExecutionResult(start_timestamp, end_timestamp, trace_type),
      valid_(valid),
      status_(std::move(status)),
      key_(std::move(key)),
      value_(std::move(value)) {}

IteratorTraceExecutionResult::IteratorTraceExecutionResult(
    bool valid, Status status, const std::string& key, const std::string& value,
    uint64_t start_timestamp, uint64_t end_timestamp, TraceType trace_type)
    : IteratorTraceExecutionResult(valid, std::move(status), Copied(key),
                                   Copied(value), start_timestamp,
                                   end_timestamp, trace_type) {}
// NOLINTEND(readability-function-size)

IteratorTraceExecutionResult::~IteratorTraceExecutionResult() = default;

bool IteratorTraceExecutionResult::GetValid() const { return valid_; }

const Status& IteratorTraceExecutionResult::GetStatus() const {
  return status_;
}

Slice IteratorTraceExecutionResult::GetKey() const {
  return Slice(key_.data(), key_.size());
}

Slice IteratorTraceExecutionResult::GetValue() const {
  return Slice(value_.data(), value_.size());
}

Status IteratorTraceExecutionResult::Accept(Handler* handler) {
  return HandOn(handler, *this);
}

}  // namespace ROCKSDB_NAMESPACE
