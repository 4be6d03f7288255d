// The handler of TraceRecord::NewExecutionHandler(): executes records in a
// database.
//
// Model. What the database answered is the result of a record. NotFound is an
// answer; every other failure is an error of the record, which then has no
// result. A record does not say whether its write had to pass over families
// that were missing, so each write here does. Nor does it say at which time a
// family with timestamps was read: here it is read at its newest.
//
// Threads. It does not change, so any number of threads may use it.

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/trace_record.h"
#include "rocksdb/trace_record_result.h"
#include "table/timestamps.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

namespace {

bool IsAnswer(const Status& status) {
  return status.ok() || status.IsNotFound();
}

// Options of reads from one family, or from several that are alike.
class NewestReads {
 public:
  explicit NewestReads(ColumnFamilyHandle* family) {
    const Comparator* const order = family->GetComparator();
    if (order == nullptr || order->timestamp_size() == 0) return;
    time_bytes_ = engine::MaxTimestampOf(*order);
    time_ = time_bytes_;
    options_.timestamp = &time_;
  }
  NewestReads(const NewestReads&) = delete;
  NewestReads& operator=(const NewestReads&) = delete;

  ReadOptions* options() { return &options_; }

 private:
  std::string time_bytes_;
  Slice time_;
  ReadOptions options_;
};

class ExecutionHandler final : public TraceRecord::Handler {
 public:
  ExecutionHandler(DB* db, const std::vector<ColumnFamilyHandle*>& handles)
      : db_(db), clock_(db->GetEnv()->GetSystemClock()) {
    handles_[db->DefaultColumnFamily()->GetID()] = db->DefaultColumnFamily();
    for (ColumnFamilyHandle* handle : handles) {
      handles_[handle->GetID()] = handle;
    }
  }

  Status Handle(const WriteQueryTraceRecord& record,
                std::unique_ptr<TraceRecordResult>* result) override;
  Status Handle(const GetQueryTraceRecord& record,
                std::unique_ptr<TraceRecordResult>* result) override;
  Status Handle(const IteratorSeekQueryTraceRecord& record,
                std::unique_ptr<TraceRecordResult>* result) override;
  Status Handle(const MultiGetQueryTraceRecord& record,
                std::unique_ptr<TraceRecordResult>* result) override;

 private:
  Status HandleOf(uint32_t family, ColumnFamilyHandle** handle) const;

  // Makes the result, if it is wanted; the last arguments are always the times
  // and the type.
  template <typename Kind, typename... Args>
  void Answer(const TraceRecord& record, uint64_t start,
              std::unique_ptr<TraceRecordResult>* result, Args&&... args) {
    if (result == nullptr) return;
    *result =
        std::make_unique<Kind>(std::forward<Args>(args)..., start,
                               clock_->NowMicros(), record.GetTraceType());
  }

  DB* const db_;
  const std::shared_ptr<SystemClock> clock_;
  std::unordered_map<uint32_t, ColumnFamilyHandle*> handles_;
};

Status ExecutionHandler::HandleOf(uint32_t family,
                                  ColumnFamilyHandle** handle) const {
  const auto found = handles_.find(family);
  if (found == handles_.end()) {
    return Status::Corruption(
        "a trace record is of column family " + std::to_string(family),
        "the replayer has no handle of it");
  }
  *handle = found->second;
  return Status::OK();
}

Status ExecutionHandler::Handle(const WriteQueryTraceRecord& record,
                                std::unique_ptr<TraceRecordResult>* result) {
  if (result != nullptr) result->reset();
  WriteBatch batch;
  RETURN_IF_ERROR(engine::WriteBatchInternal::SetContents(
      &batch, record.GetWriteBatchRep()));
  WriteOptions options;
  options.ignore_missing_column_families = true;
  const uint64_t start = clock_->NowMicros();
  Status status = db_->Write(options, &batch);
  if (!status.ok()) return status;
  Answer<StatusOnlyTraceExecutionResult>(record, start, result, status);
  return Status::OK();
}

Status ExecutionHandler::Handle(const GetQueryTraceRecord& record,
                                std::unique_ptr<TraceRecordResult>* result) {
  if (result != nullptr) result->reset();
  ColumnFamilyHandle* handle = nullptr;
  RETURN_IF_ERROR(HandleOf(record.GetColumnFamilyID(), &handle));
  const uint64_t start = clock_->NowMicros();
  std::string value;
  NewestReads reads(handle);
  Status status = db_->Get(*reads.options(), handle, record.GetKey(), &value);
  if (!IsAnswer(status)) return status;
  Answer<SingleValueTraceExecutionResult>(record, start, result, status,
                                          std::move(value));
  return Status::OK();
}

Status ExecutionHandler::Handle(const IteratorSeekQueryTraceRecord& record,
                                std::unique_ptr<TraceRecordResult>* result) {
  if (result != nullptr) result->reset();
  ColumnFamilyHandle* handle = nullptr;
  RETURN_IF_ERROR(HandleOf(record.GetColumnFamilyID(), &handle));
  const Slice lower = record.GetLowerBound();
  const Slice upper = record.GetUpperBound();
  NewestReads reads(handle);
  ReadOptions& options = *reads.options();
  if (!lower.empty()) options.iterate_lower_bound = &lower;
  if (!upper.empty()) options.iterate_upper_bound = &upper;
  const uint64_t start = clock_->NowMicros();
  const std::unique_ptr<Iterator> it(db_->NewIterator(options, handle));
  if (record.GetSeekType() == IteratorSeekQueryTraceRecord::kSeek) {
    it->Seek(record.GetKey());
  } else {
    it->SeekForPrev(record.GetKey());
  }
  Status status = it->status();
  if (!status.ok()) return status;
  const bool valid = it->Valid();
  Answer<IteratorTraceExecutionResult>(
      record, start, result, valid, status,
      valid ? it->key().ToString() : std::string(),
      valid ? it->value().ToString() : std::string());
  return Status::OK();
}

Status ExecutionHandler::Handle(const MultiGetQueryTraceRecord& record,
                                std::unique_ptr<TraceRecordResult>* result) {
  if (result != nullptr) result->reset();
  const std::vector<uint32_t> families = record.GetColumnFamilyIDs();
  const std::vector<Slice> keys = record.GetKeys();
  if (families.size() != keys.size()) {
    return Status::InvalidArgument(
        "a MultiGet of " + std::to_string(keys.size()) + " keys",
        "it names " + std::to_string(families.size()) + " column families");
  }
  std::vector<ColumnFamilyHandle*> handles(families.size());
  for (size_t i = 0; i < families.size(); ++i) {
    RETURN_IF_ERROR(HandleOf(families[i], &handles[i]));
  }
  NewestReads reads(handles.empty() ? db_->DefaultColumnFamily() : handles[0]);
  const uint64_t start = clock_->NowMicros();
  std::vector<std::string> values;
  std::vector<Status> statuses =
      db_->MultiGet(*reads.options(), handles, keys, &values);
  for (const Status& status : statuses) {
    if (!IsAnswer(status)) return status;
  }
  Answer<MultiValuesTraceExecutionResult>(
      record, start, result, std::move(statuses), std::move(values));
  return Status::OK();
}

}  // namespace

TraceRecord::Handler* TraceRecord::NewExecutionHandler(
    DB* db, const std::vector<ColumnFamilyHandle*>& handles) {
  return new ExecutionHandler(db, handles);
}

}  // namespace ROCKSDB_NAMESPACE
