#include "db/transaction/transaction_times.h"

#include <cassert>

#include "db/write_batch/batch_format.h"
#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/comparator.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

std::string BytesOf(TxnTimestamp time) {
  std::string bytes;
  EncodeU64Ts(time, &bytes);
  return bytes;
}

}  // namespace

void TransactionTimes::Reset() {
  read_ = kMaxTxnTimestamp;
  lowest_read_ = 0;
  commit_ = kMaxTxnTimestamp;
}

Status TransactionTimes::SetRead(TxnTimestamp time) {
  if (time < lowest_read_) {
    return Status::InvalidArgument(
        "Cannot decrease read timestamp for validation");
  }
  read_ = time;
  if (has_read()) lowest_read_ = time;
  read_bytes_ = BytesOf(time);
  read_slice_ = read_bytes_;
  return Status::OK();
}

Status TransactionTimes::SetCommit(TxnTimestamp time) {
  if (has_read() && time <= read_) {
    return Status::InvalidArgument(
        "Cannot commit at timestamp smaller than or equal to read timestamp");
  }
  commit_ = time;
  return Status::OK();
}

Status TransactionTimes::CheckSize(const ColumnFamilyHandle& family) {
  const size_t size = family.GetComparator()->timestamp_size();
  if (size == sizeof(TxnTimestamp)) return Status::OK();
  return Status::InvalidArgument(
      "transactions: column family " + family.GetName() +
          " has timestamps of " + std::to_string(size) + " bytes",
      "they can be written by transactions if they have 8");
}

Status TransactionTimes::CheckRead(const ReadOptions& options,
                                   bool do_validate) const {
  if (!validates_ && has_read()) {
    return Status::InvalidArgument(
        "read_timestamp is set, but enable_udt_validation is false");
  }
  if (!validates_) return Status::OK();
  if (!do_validate && has_read()) {
    return Status::InvalidArgument(
        "If do_validate is false then GetForUpdate with read_timestamp is not "
        "defined.");
  }
  if (do_validate && !has_read()) {
    return Status::InvalidArgument(
        "read_timestamp must be set for validation",
        "call SetReadTimestampForValidation() before");
  }
  if (has_read() && options.timestamp != nullptr &&
      *options.timestamp != read_slice_) {
    return Status::InvalidArgument("Must read from the same read_timestamp");
  }
  return Status::OK();
}

std::string TransactionTimes::commit_bytes() const {
  assert(has_commit());
  return BytesOf(commit_);
}

Status TransactionTimes::CheckPlaces(
    const std::function<size_t(uint32_t)>& size_of, const WriteBatch& batch) {
  if (!WriteBatchInternal::LacksTimestamp(&batch)) return Status::OK();
  Status status;
  RETURN_IF_ERROR(ForEachRecord(batch.Data(), [&](const BatchRecord& record) {
    const size_t size = IsCounted(record.type) ? size_of(record.family) : 0;
    if (size == 0 || size == sizeof(TxnTimestamp)) return true;
    status = Status::InvalidArgument(
        "a key of column family " + std::to_string(record.family) +
            " lacks its timestamp of " + std::to_string(size) + " bytes",
        "a commit gives timestamps of 8 bytes");
    return false;
  }));
  return status;
}

Status TransactionTimes::Stamp(const std::function<size_t(uint32_t)>& size_of,
                               WriteBatch* batch, bool* stamped) const {
  *stamped = false;
  if (!has_commit()) {
    return WriteBatchInternal::LacksTimestamp(batch)
               ? Status::InvalidArgument("Must assign a commit timestamp",
                                         "call SetCommitTimestamp() before")
               : Status::OK();
  }
  return batch->UpdateTimestamps(commit_bytes(), [&](uint32_t family) {
    const size_t size = size_of(family);
    *stamped |= size > 0;
    return size;
  });
}

}  // namespace ROCKSDB_NAMESPACE::engine
