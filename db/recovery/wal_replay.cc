#include "db/recovery/wal_replay.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "db/format/file_names.h"
#include "env/file_reader.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr size_t kReadaheadBytes = size_t{2} << 20;

class Replay {
 public:
  Replay(FileSystem* fs, const std::string& wal_dir,
         const ReplayOptions& options, ReplaySink* sink)
      : fs_(fs), wal_dir_(wal_dir), options_(options), sink_(sink) {}

  Status Log(uint64_t number);
  ReplayResult TakeResult() { return std::move(result_); }

 private:
  bool point_in_time() const {
    return options_.mode == WALRecoveryMode::kPointInTimeRecovery;
  }
  Status Records(wal::Reader* reader);
  // OK: the batch was used. Corruption: it is damaged.
  Status Batch(const wal::Reader& reader, const Slice& record);
  // The recovery mode's verdict on how a log ended.
  Status Judge(const wal::Reader& reader) const;
  bool ContinuesAfterStop(const Slice& record) const;

  FileSystem* const fs_;
  const std::string& wal_dir_;
  const ReplayOptions& options_;
  ReplaySink* const sink_;
  ReplayResult result_;
};

Status Damage(const wal::Reader& reader, const std::string& expected,
              const std::string& found) {
  return Status::Corruption(reader.file_name(),
                            "at offset " +
                                std::to_string(reader.last_record_offset()) +
                                ": expected " + expected + ", found " + found);
}

Status Replay::Log(uint64_t number) {
  Result<std::unique_ptr<SequentialFileReader>> file =
      SequentialFileReader::Open(fs_, LogFileName(wal_dir_, number),
                                 fs_->OptimizeForLogRead(options_.file_options),
                                 kReadaheadBytes);
  if (!file.ok()) return file.status();
  wal::Reader reader(std::move(*file), number);

  Status status = Records(&reader);
  if (status.IsCorruption() && point_in_time()) {
    // Also when a log that continued after an earlier stop is damaged again.
    result_.stop_reason = status;
    result_.stopped_log = number;
    status = Status::OK();
  }
  if (!status.ok()) return status;
  return sink_->OnLogEnd(number);
}

Status Replay::Records(wal::Reader* reader) {
  bool first = true;
  Slice record;
  while (reader->ReadRecord(&record) == wal::ReadResult::kRecord) {
    if (first && result_.stopped()) {
      if (!ContinuesAfterStop(record)) return Status::OK();
      result_.stop_reason = Status::OK();
      result_.stopped_log = 0;
    }
    first = false;
    RETURN_IF_ERROR(Batch(*reader, record));
  }
  // A log without records says nothing about a stop before it.
  return first && result_.stopped() ? Status::OK() : Judge(*reader);
}

bool Replay::ContinuesAfterStop(const Slice& record) const {
  return record.size() >= kBatchHeaderSize && result_.next_sequence != 0 &&
         DecodeFixed64(record.data()) == result_.next_sequence;
}

Status Replay::Batch(const wal::Reader& reader, const Slice& record) {
  if (record.size() < kBatchHeaderSize) {
    return Damage(reader, "a batch of at least 12 bytes",
                  std::to_string(record.size()));
  }
  ReplayedBatch batch;
  batch.log_number = reader.log_number();
  batch.offset = reader.last_record_offset();
  batch.sequence = DecodeFixed64(record.data());
  batch.count = DecodeFixed32(record.data() + 8);
  batch.contents = record;
  batch.timestamp_sizes = &reader.timestamp_sizes();
  if (batch.sequence > kSequenceMax - batch.count) {
    return Damage(reader, "a sequence number of 56 bits",
                  std::to_string(batch.sequence));
  }
  SequenceNumber next = batch.sequence + batch.count;
  Status status = sink_->OnBatch(batch, &next);
  if (!status.ok()) {
    if (!status.IsCorruption()) return status;
    return Damage(reader, "a well-formed batch", status.ToString());
  }
  result_.next_sequence = next;
  result_.bytes += record.size();
  ++result_.batches;
  return status;
}

Status Replay::Judge(const wal::Reader& reader) const {
  using Kind = wal::Problem::Kind;
  const wal::Problem& problem = reader.problem();
  if (problem.clean()) return Status::OK();
  if (!point_in_time() && problem.kind != Kind::kUnreadable) {
    // In a recycled file the end of the log runs into old bytes, which can
    // look like any damage.
    const bool at_end =
        problem.kind == Kind::kTornTail ||
        (reader.recyclable() && (problem.kind == Kind::kBadChecksum ||
                                 problem.kind == Kind::kBadLength));
    if (at_end) return Status::OK();
  }
  return problem.ToStatus(reader.file_name());
}

}  // namespace

Status CheckRecoveryMode(WALRecoveryMode mode) {
  switch (mode) {
    case WALRecoveryMode::kPointInTimeRecovery:
    case WALRecoveryMode::kTolerateCorruptedTailRecords:
      return Status::OK();
    case WALRecoveryMode::kAbsoluteConsistency:
      return Status::NotSupported(
          "wal_recovery_mode=kAbsoluteConsistency: not supported until the "
          "write-ahead log is complete");
    case WALRecoveryMode::kSkipAnyCorruptedRecords:
      return Status::NotSupported(
          "wal_recovery_mode=kSkipAnyCorruptedRecords: not supported until the "
          "write-ahead log is complete");
  }
  return Status::InvalidArgument("wal_recovery_mode: unknown value");
}

Result<ReplayResult> ReplayLogs(FileSystem* fs, const std::string& wal_dir,
                                const std::vector<uint64_t>& logs,
                                const ReplayOptions& options,
                                ReplaySink* sink) {
  Replay replay(fs, wal_dir, options, sink);
  for (const uint64_t number : logs) RETURN_IF_ERROR(replay.Log(number));
  return replay.TakeResult();
}

Status CheckFamiliesNotAhead(const VersionSet& versions,
                             const ReplayResult& result) {
  if (!result.stopped()) return Status::OK();
  for (const FamilyVersions* family : versions.families()) {
    if (family->log_number() <= result.stopped_log ||
        family->current()->TotalFiles() == 0) {
      continue;
    }
    return Status::Corruption(
        "SST file is ahead of WALs in CF " + family->name() +
            ": its tables reach up to log " +
            std::to_string(family->log_number()) + ", but log " +
            std::to_string(result.stopped_log) + " ends early",
        result.stop_reason.ToString());
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
