#include "db/db_impl/update_iterator.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/format/file_names.h"
#include "db/write_batch/batch_format.h"
#include "env/file_reader.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr size_t kReadaheadBytes = size_t{256} << 10;

Status Gap(SequenceNumber expected, SequenceNumber found) {
  return Status::NotFound(
      "Gap in sequence numbers: expected " + std::to_string(expected),
      "found " + std::to_string(found) + " in the next batch of the log");
}

}  // namespace

UpdateIterator::UpdateIterator(Deps deps) : deps_(std::move(deps)) {}

UpdateIterator::~UpdateIterator() = default;

Status UpdateIterator::Malformed(const std::string& found) const {
  return Status::Corruption(reader_->file_name(),
                            "at offset " +
                                std::to_string(reader_->last_record_offset()) +
                                ": expected a batch, found " + found);
}

Status UpdateIterator::OpenLog(uint64_t number) {
  Result<std::unique_ptr<SequentialFileReader>> file =
      SequentialFileReader::Open(
          deps_.fs, LogFileName(deps_.wal_dir, number),
          deps_.fs->OptimizeForLogRead(deps_.file_options), kReadaheadBytes);
  if (!file.ok()) return file.status();
  if (reader_ != nullptr && number == log_number_) {
    return reader_->ReadOn(std::move(*file));
  }
  reader_ = std::make_unique<wal::Reader>(std::move(*file), number,
                                          deps_.verify_checksums);
  log_number_ = number;
  return Status::OK();
}

Status UpdateIterator::TakeRecord(const Slice& record) {
  if (record.size() < kBatchHeaderSize) {
    return Malformed(std::to_string(record.size()) + " bytes");
  }
  sequence_ = DecodeFixed64(record.data());
  next_sequence_ = sequence_ + DecodeFixed32(record.data() + kBatchCountOffset);
  record_.assign(record.data(), record.size());
  return Status::OK();
}

// REQUIRES: the current log is at its end.
Result<bool> UpdateIterator::GoToNextLog() {
  Result<std::vector<uint64_t>> logs = deps_.logs();
  if (!logs.ok()) return logs.status();
  const auto next = std::upper_bound(logs->begin(), logs->end(), log_number_);
  if (next == logs->end()) return false;
  // What came between our last look and the switch of logs. A log that has
  // been deleted meanwhile shows as a gap.
  const Status rest = OpenLog(log_number_);
  if (rest.ok()) {
    Slice record;
    if (reader_->ReadRecord(&record) == wal::ReadResult::kRecord) {
      RETURN_IF_ERROR(TakeRecord(record));
      return true;
    }
  } else if (!IsMissing(rest)) {
    return rest;
  }
  RETURN_IF_ERROR(OpenLog(*next));
  return ReadRecord();
}

Result<bool> UpdateIterator::ReadRecord() {
  Slice record;
  const wal::ReadResult result = reader_->ReadRecord(&record);
  if (result == wal::ReadResult::kRecord) {
    RETURN_IF_ERROR(TakeRecord(record));
    return true;
  }
  // Behind the end of a recycled log stand bytes of its former life.
  if (result == wal::ReadResult::kDamaged && !reader_->recyclable()) {
    return reader_->problem().ToStatus(reader_->file_name());
  }
  if (reader_->problem().kind == wal::Problem::Kind::kUnreadable) {
    return reader_->problem().io_status;
  }
  return GoToNextLog();
}

void UpdateIterator::Next() {
  valid_ = false;
  // A record is written before it is published, and published as a whole.
  if (!status_.ok() || next_sequence_ > deps_.last_published()) return;
  const SequenceNumber expected = next_sequence_;
  Result<bool> found = at_end_ ? false : ReadRecord();
  if (found.ok() && !*found) {
    // The log may have grown. If it is gone there is a later one.
    const Status grown = OpenLog(log_number_);
    found = grown.ok() || IsMissing(grown) ? ReadRecord() : grown;
  }
  status_ = found.status();
  if (!status_.ok()) return;
  at_end_ = !*found;
  if (at_end_) return;
  if (sequence_ != expected) {
    status_ = Gap(expected, sequence_);
    return;
  }
  valid_ = true;
}

Status UpdateIterator::SeekTo(SequenceNumber sequence) {
  sequence = std::max<SequenceNumber>(sequence, 1);  // The first there is.
  if (sequence > deps_.last_published()) {
    return Status::NotFound("Requested sequence not yet written in the db");
  }
  Result<std::vector<uint64_t>> logs = deps_.logs();
  if (!logs.ok()) return logs.status();
  // The last log that does not begin behind it.
  for (auto log = logs->rbegin(); log != logs->rend(); ++log) {
    reader_.reset();
    RETURN_IF_ERROR(OpenLog(*log));
    Slice record;
    if (reader_->ReadRecord(&record) != wal::ReadResult::kRecord) continue;
    RETURN_IF_ERROR(TakeRecord(record));
    if (sequence_ <= sequence) break;
    record_.clear();
  }
  if (record_.empty()) {
    return Status::NotFound("No log holds sequence " +
                            std::to_string(sequence) + " any more");
  }
  while (next_sequence_ <= sequence) {
    const SequenceNumber expected = next_sequence_;
    const Result<bool> found = ReadRecord();
    if (!found.ok()) return found.status();
    if (!*found || sequence_ > sequence) {
      return Gap(expected, *found ? sequence_ : sequence + 1);
    }
  }
  valid_ = true;
  return Status::OK();
}

BatchResult UpdateIterator::GetBatch() {
  assert(valid_);
  BatchResult result;
  result.sequence = sequence_;
  result.writeBatchPtr = std::make_unique<WriteBatch>(record_);
  return result;
}

}  // namespace ROCKSDB_NAMESPACE::engine
