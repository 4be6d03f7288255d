#include "db/db_impl/update_iterator.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/format/file_names.h"
#include "db/recovery/batch_replay.h"
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

// A log without its families.
class UpdateIterator::Counter final : public ReplayTarget {
 public:
  Found Find(uint32_t /*family_id*/) override { return {}; }
  void OnMemTableFull(uint32_t /*family_id*/, MemTable* /*full*/) override {}
  void AtLog(uint64_t /*log_number*/) override {}

  BatchReplay batches{this, std::make_shared<LogHolds>()};
};

UpdateIterator::UpdateIterator(Deps deps) : deps_(std::move(deps)) {
  CountAnew(/*by_batch=*/false);
}

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
  record_.assign(record.data(), record.size());
  return CountRecord();
}

void UpdateIterator::CountAnew(bool by_batch) {
  counter_ = std::make_unique<Counter>();
  if (by_batch) counter_->batches.NumberByBatch();
}

Status UpdateIterator::CountRecord() {
  BatchReplay* batches = &counter_->batches;
  continues_ = batches->next_is_exact() ? sequence_ == next_sequence_
                                        : sequence_ >= next_sequence_;
  Status counted =
      batches->Take(record_, log_number_, sequence_, &next_sequence_);
  if (counted.IsAborted()) {  // Those before were counted the other way.
    CountAnew(/*by_batch=*/true);
    counted = counter_->batches.Take(record_, log_number_, sequence_,
                                     &next_sequence_);
  }
  return counted.ok() ? counted : Malformed(counted.ToString());
}

// What is looked for has been published, and with it the failure of what was
// written in its place before.
wal::ReadResult UpdateIterator::ReadWritten(Slice* record) {
  for (;;) {
    const wal::ReadResult result = reader_->ReadRecord(record);
    if (result != wal::ReadResult::kRecord || !deps_.failed ||
        !deps_.failed(log_number_, reader_->last_record_offset())) {
      return result;
    }
  }
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
    if (ReadWritten(&record) == wal::ReadResult::kRecord) {
      RETURN_IF_ERROR(TakeRecord(record));
      return true;
    }
  } else if (!IsMissing(rest)) {
    return rest;
  }
  // Logs may be deleted, or reused under another name, since they were listed.
  for (auto log = next; log != logs->end(); ++log) {
    const Status opened = OpenLog(*log);
    if (IsMissing(opened)) continue;
    RETURN_IF_ERROR(opened);
    return ReadRecord();
  }
  return false;
}

Result<bool> UpdateIterator::ReadFromLog() {
  Slice record;
  const wal::ReadResult result = ReadWritten(&record);
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
  return false;
}

Result<bool> UpdateIterator::ReadRecord() {
  Result<bool> found = ReadFromLog();
  if (!found.ok() || *found) return found;
  return GoToNextLog();
}

void UpdateIterator::Next() {
  valid_ = false;
  if (first_wanted_ != 0) {
    if (status_.ok()) status_ = ShowFirst();
    return;
  }
  // A record is written before it is published, and published as a whole.  (2)
  if (!status_.ok() || next_sequence_ > deps_.last_published()) return;
  assert(reader_ != nullptr && sequence_ <= next_sequence_);
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
  if (!continues_) {  // (1)
    status_ = Gap(expected, sequence_);
    return;
  }
  if (sequence_ > deps_.last_published()) {  // (2)
    first_wanted_ = sequence_;
    return;
  }
  assert(!record_.empty());
  valid_ = true;
}

Status UpdateIterator::SeekTo(SequenceNumber sequence) {
  if (sequence > deps_.last_published()) {
    return Status::NotFound("Requested sequence not yet written in the db");
  }
  first_wanted_ = std::max<SequenceNumber>(sequence, 1);  // The first there is.
  return ShowFirst();
}

// The last log that begins before `first_wanted_`, or the first one: a log may
// end with batches that take no sequence.
Result<bool> UpdateIterator::OpenFirstLog() {
  Result<std::vector<uint64_t>> logs = deps_.logs();
  if (!logs.ok()) return logs.status();
  uint64_t found = 0;
  for (auto log = logs->rbegin(); log != logs->rend(); ++log) {
    reader_.reset();
    CountAnew(/*by_batch=*/false);
    const Status opened = OpenLog(*log);
    if (IsMissing(opened)) continue;  // Deleted since it was listed.
    RETURN_IF_ERROR(opened);
    const Result<bool> read = ReadFromLog();
    if (!read.ok()) return read;
    if (!*read) continue;
    found = *log;
    if (sequence_ < first_wanted_) break;
  }
  if (found == 0) return false;
  reader_.reset();
  CountAnew(/*by_batch=*/false);
  const Status opened = OpenLog(found);
  if (IsMissing(opened)) return false;  // Deleted just now: look again later.
  RETURN_IF_ERROR(opened);
  return true;
}

Status UpdateIterator::ShowFirst() {
  // A batch that is published by now is in a log by now.
  const SequenceNumber last_published = deps_.last_published();
  const Result<bool> any = OpenFirstLog();
  if (!any.ok()) return any.status();
  if (!*any) return Status::OK();
  do {
    const Result<bool> found = ReadRecord();
    if (!found.ok()) return found.status();
    if (!*found) return Status::OK();
  } while (EndsBefore(first_wanted_));
  if (sequence_ > last_published) return Status::OK();  // (2)
  first_wanted_ = 0;
  shown_any_ = true;
  valid_ = true;
  return Status::OK();
}

bool UpdateIterator::EndsBefore(SequenceNumber wanted) const {
  if (sequence_ >= wanted || next_sequence_ > wanted) return false;
  // Where the end is not known it may be behind, unless it has been shown.
  return shown_any_ || counter_->batches.next_is_exact();
}

BatchResult UpdateIterator::GetBatch() {
  assert(valid_);
  BatchResult result;
  result.sequence = sequence_;
  result.writeBatchPtr = std::make_unique<WriteBatch>(record_);
  return result;
}

}  // namespace ROCKSDB_NAMESPACE::engine
