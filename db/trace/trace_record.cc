// The classes of rocksdb/trace_record.h.

#include "rocksdb/trace_record.h"

#include <utility>

namespace ROCKSDB_NAMESPACE {

namespace {

PinnableSlice CopyOf(const Slice& bytes) {
  PinnableSlice copy;
  copy.PinSelf(bytes);
  return copy;
}

std::vector<PinnableSlice> CopiesOf(const std::vector<std::string>& keys) {
  std::vector<PinnableSlice> copies;
  copies.reserve(keys.size());
  for (const std::string& key : keys) copies.push_back(CopyOf(key));
  return copies;
}

// Without the pin.
Slice BytesOf(const PinnableSlice& pinned) {
  return Slice(pinned.data(), pinned.size());
}

template <typename Record>
Status HandOver(TraceRecord::Handler* handler, const Record& record,
                std::unique_ptr<TraceRecordResult>* result) {
  if (handler == nullptr) {
    return Status::InvalidArgument("TraceRecord::Accept() needs a handler");
  }
  return handler->Handle(record, result);
}

}  // namespace

TraceRecord::TraceRecord(uint64_t timestamp) : timestamp_(timestamp) {}

uint64_t TraceRecord::GetTimestamp() const { return timestamp_; }

QueryTraceRecord::QueryTraceRecord(uint64_t timestamp)
    : TraceRecord(timestamp) {}

// --------------------------------------------------------------------- writes

WriteQueryTraceRecord::WriteQueryTraceRecord(PinnableSlice&& write_batch_rep,
                                             uint64_t timestamp)
    : QueryTraceRecord(timestamp), rep_(std::move(write_batch_rep)) {}

WriteQueryTraceRecord::WriteQueryTraceRecord(const std::string& write_batch_rep,
                                             uint64_t timestamp)
    : WriteQueryTraceRecord(CopyOf(write_batch_rep), timestamp) {}

WriteQueryTraceRecord::~WriteQueryTraceRecord() = default;

Slice WriteQueryTraceRecord::GetWriteBatchRep() const { return BytesOf(rep_); }

Status WriteQueryTraceRecord::Accept(
    Handler* handler, std::unique_ptr<TraceRecordResult>* result) {
  return HandOver(handler, *this, result);
}

// ------------------------------------------------------------------------ Get

GetQueryTraceRecord::GetQueryTraceRecord(uint32_t column_family_id,
                                         PinnableSlice&& key,
                                         uint64_t timestamp)
    : QueryTraceRecord(timestamp),
      cf_id_(column_family_id),
      key_(std::move(key)) {}

GetQueryTraceRecord::GetQueryTraceRecord(uint32_t column_family_id,
                                         const std::string& key,
                                         uint64_t timestamp)
    : GetQueryTraceRecord(column_family_id, CopyOf(key), timestamp) {}

GetQueryTraceRecord::~GetQueryTraceRecord() = default;

uint32_t GetQueryTraceRecord::GetColumnFamilyID() const { return cf_id_; }

Slice GetQueryTraceRecord::GetKey() const { return BytesOf(key_); }

Status GetQueryTraceRecord::Accept(Handler* handler,
                                   std::unique_ptr<TraceRecordResult>* result) {
  return HandOver(handler, *this, result);
}

// ------------------------------------------------------------------ iterators

IteratorQueryTraceRecord::IteratorQueryTraceRecord(uint64_t timestamp)
    : QueryTraceRecord(timestamp) {}

IteratorQueryTraceRecord::IteratorQueryTraceRecord(PinnableSlice&& lower_bound,
                                                   PinnableSlice&& upper_bound,
                                                   uint64_t timestamp)
    : QueryTraceRecord(timestamp),
      lower_(std::move(lower_bound)),
      upper_(std::move(upper_bound)) {}

IteratorQueryTraceRecord::IteratorQueryTraceRecord(
    const std::string& lower_bound, const std::string& upper_bound,
    uint64_t timestamp)
    : IteratorQueryTraceRecord(CopyOf(lower_bound), CopyOf(upper_bound),
                               timestamp) {}

IteratorQueryTraceRecord::~IteratorQueryTraceRecord() = default;

Slice IteratorQueryTraceRecord::GetLowerBound() const {
  return BytesOf(lower_);
}

Slice IteratorQueryTraceRecord::GetUpperBound() const {
  return BytesOf(upper_);
}

IteratorSeekQueryTraceRecord::IteratorSeekQueryTraceRecord(
    SeekType seek_type, uint32_t column_family_id, PinnableSlice&& key,
    uint64_t timestamp)
    : IteratorQueryTraceRecord(timestamp),
      type_(seek_type),
      cf_id_(column_family_id),
      key_(std::move(key)) {}

IteratorSeekQueryTraceRecord::IteratorSeekQueryTraceRecord(
    SeekType seek_type, uint32_t column_family_id, const std::string& key,
    uint64_t timestamp)
    : IteratorSeekQueryTraceRecord(seek_type, column_family_id, CopyOf(key),
                                   timestamp) {}

// NOLINTBEGIN(readability-function-size): the interface's parameters.
IteratorSeekQueryTraceRecord::IteratorSeekQueryTraceRecord(
    SeekType seek_type, uint32_t column_family_id, PinnableSlice&& key,
    PinnableSlice&& lower_bound, PinnableSlice&& upper_bound,
    uint64_t timestamp)
    : IteratorQueryTraceRecord(std::move(lower_bound), std::move(upper_bound),
                               timestamp),
      type_(seek_type),
      cf_id_(column_family_id),
      key_(std::move(key)) {}

IteratorSeekQueryTraceRecord::IteratorSeekQueryTraceRecord(
    SeekType seek_type, uint32_t column_family_id, const std::string& key,
    const std::string& lower_bound, const std::string& upper_bound,
    uint64_t timestamp)
    : IteratorSeekQueryTraceRecord(seek_type, column_family_id, CopyOf(key),
                                   CopyOf(lower_bound), CopyOf(upper_bound),
                                   timestamp) {}
// NOLINTEND(readability-function-size)

IteratorSeekQueryTraceRecord::~IteratorSeekQueryTraceRecord() = default;

TraceType IteratorSeekQueryTraceRecord::GetTraceType() const {
  return static_cast<TraceType>(type_);
}

IteratorSeekQueryTraceRecord::SeekType
IteratorSeekQueryTraceRecord::GetSeekType() const {
  return type_;
}

uint32_t IteratorSeekQueryTraceRecord::GetColumnFamilyID() const {
  return cf_id_;
}

Slice IteratorSeekQueryTraceRecord::GetKey() const { return BytesOf(key_); }

Status IteratorSeekQueryTraceRecord::Accept(
    Handler* handler, std::unique_ptr<TraceRecordResult>* result) {
  return HandOver(handler, *this, result);
}

// ------------------------------------------------------------------- MultiGet

MultiGetQueryTraceRecord::MultiGetQueryTraceRecord(
    std::vector<uint32_t> column_family_ids, std::vector<PinnableSlice>&& keys,
    uint64_t timestamp)
    : QueryTraceRecord(timestamp),
      cf_ids_(std::move(column_family_ids)),
      keys_(std::move(keys)) {}

MultiGetQueryTraceRecord::MultiGetQueryTraceRecord(
    std::vector<uint32_t> column_family_ids,
    const std::vector<std::string>& keys, uint64_t timestamp)
    : MultiGetQueryTraceRecord(std::move(column_family_ids), CopiesOf(keys),
                               timestamp) {}

MultiGetQueryTraceRecord::~MultiGetQueryTraceRecord() = default;

std::vector<uint32_t> MultiGetQueryTraceRecord::GetColumnFamilyIDs() const {
  return cf_ids_;
}

std::vector<Slice> MultiGetQueryTraceRecord::GetKeys() const {
  std::vector<Slice> keys;
  keys.reserve(keys_.size());
  for (const PinnableSlice& key : keys_) keys.push_back(BytesOf(key));
  return keys;
}

Status MultiGetQueryTraceRecord::Accept(
    Handler* handler, std::unique_ptr<TraceRecordResult>* result) {
  return HandOver(handler, *this, result);
}

}  // namespace ROCKSDB_NAMESPACE
