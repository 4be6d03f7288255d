#include "db/recovery/wal_replay.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <utility>

#include "db/format/file_names.h"
#include "db/write_batch/batch_format.h"
#include "env/file_reader.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr size_t kReadaheadBytes = size_t{2} << 20;

Status Damage(const wal::Reader& reader, const std::string& expected,
              const std::string& found) {
  return Status::Corruption(reader.file_name(),
                            "at offset " +
                                std::to_string(reader.last_record_offset()) +
                                ": expected " + expected + ", found " + found);
}

}  // namespace

LogReplay::LogReplay(FileSystem* fs, std::string wal_dir,
                     const ReplayOptions& options, ReplaySink* sink)
    : fs_(fs), wal_dir_(std::move(wal_dir)), options_(options), sink_(sink) {}

LogReplay::~LogReplay() = default;

Status LogReplay::Run(const std::vector<uint64_t>& logs) {
  assert(std::is_sorted(logs.begin(), logs.end()));  // (1)
  result_.stop_reason = Status::OK();
  result_.stopped_log = 0;
  for (const uint64_t number : logs) {
    if (number >= current_log_) RETURN_IF_ERROR(Log(number));
  }
  return Status::OK();
}

Result<wal::Reader*> LogReplay::OpenLog(uint64_t number) {
  Result<std::unique_ptr<SequentialFileReader>> file =
      SequentialFileReader::Open(fs_, LogFileName(wal_dir_, number),
                                 fs_->OptimizeForLogRead(options_.file_options),
                                 kReadaheadBytes);
  if (!file.ok()) return file.status();
  std::unique_ptr<wal::Reader>& reader = readers_[number];
  if (reader == nullptr) {
    reader = std::make_unique<wal::Reader>(std::move(*file), number);
  } else {
    RETURN_IF_ERROR(reader->ReadOn(std::move(*file)));
  }
  return reader.get();
}

Status LogReplay::Log(uint64_t number) {
  assert(number >= current_log_);  // (1)
  const Result<wal::Reader*> reader = OpenLog(number);
  if (!reader.ok()) return reader.status();
  Status status = Records(*reader);
  if (!status.ok() && !PassOver(number, (*reader)->problem().kind, status)) {
    return status;
  }
  before_.log_number = number;
  before_.size_bytes = (*reader)->end_of_good();
  // Its first record was looked at and not taken.
  if (result_.stopped() && result_.stopped_log != number) {
    readers_.erase(number);
  }
  return sink_->OnLogEnd(number);
}

bool LogReplay::PassOver(uint64_t number, wal::Problem::Kind kind,
                         const Status& why) {
  assert(!why.ok());
  using Kind = wal::Problem::Kind;
  if (!why.IsCorruption() || !sink_failed_.ok()) return false;
  if (number < options_.needed_from &&
      options_.mode != WALRecoveryMode::kAbsoluteConsistency) {
    const bool an_end = kind == Kind::kTornTail || kind == Kind::kOldRecord;
    if (!an_end && result_.kept_damage.ok()) {
      result_.kept_damage = why;
      result_.kept_damage_log = number;
    }
    return true;
  }
  if (!point_in_time()) return false;
  // A log that continued after an earlier stop has cleared it.
  if (!result_.stopped()) {
    result_.stop_reason = why;
    result_.stopped_log = number;
    stopped_at_old_record_ = kind == Kind::kOldRecord;
  }
  return true;
}

Result<bool> LogReplay::Begin(const wal::Reader& reader, const Slice& record) {
  if (reader.log_number() != current_log_) {
    RETURN_IF_ERROR(CheckChain(reader));
  }
  if (result_.stopped()) {
    if (!ContinuesAfterStop(record)) return false;
    result_.stop_reason = Status::OK();
    result_.stopped_log = 0;
  }
  current_log_ = reader.log_number();
  assert(readers_.contains(current_log_));
  readers_.erase(readers_.begin(), readers_.find(current_log_));
  return true;
}

Status LogReplay::Records(wal::Reader* reader) {
  bool first = true;
  Slice record;
  for (;;) {
    const wal::ReadResult read = reader->ReadRecord(&record);
    if (read == wal::ReadResult::kDamaged && skips_damage()) {
      ++result_.skipped;
      continue;
    }
    if (read != wal::ReadResult::kRecord) break;
    if (first) {
      const Result<bool> begun = Begin(*reader, record);
      if (!begun.ok()) return begun.status();
      if (!*begun) return Status::OK();
    }
    first = false;
    const Status status = Batch(*reader, record);
    if (status.IsCorruption() && skips_damage()) {
      ++result_.skipped;
      continue;
    }
    RETURN_IF_ERROR(status);
    sink_failed_ = sink_->OnBatchEnd();
    RETURN_IF_ERROR(sink_failed_);
  }
  // A log without records says nothing about a stop before it.
  return first && result_.stopped() ? Status::OK() : End(*reader);
}

Status LogReplay::End(const wal::Reader& reader) {
  RETURN_IF_ERROR(Judge(reader));
  if (!reader.problem().clean()) ++result_.skipped;
  result_.passed_stop |=
      result_.skipped > 0 ||
      reader.problem().kind == wal::Problem::Kind::kOldRecord;
  return Status::OK();
}

Status LogReplay::CheckChain(const wal::Reader& reader) const {
  const std::optional<wal::Predecessor>& named = reader.predecessor();
  if (!options_.verify_chain || !named.has_value() || skips_damage() ||
      named->log_number < options_.needed_from) {
    return Status::OK();
  }
  const auto text = [](const wal::Predecessor& log) {
    return "log " + std::to_string(log.log_number) + " of " +
           std::to_string(log.size_bytes) + " bytes up to sequence " +
           std::to_string(log.last_sequence);
  };
  const bool same = named->log_number == before_.log_number &&
                    named->size_bytes == before_.size_bytes &&
                    named->last_sequence >= before_.last_sequence &&
                    named->last_sequence <= before_last_;
  if (same) return Status::OK();
  return Status::Corruption(reader.file_name(),
                            "at offset 0: expected to follow " + text(*named) +
                                ", found " + text(before_));
}

bool LogReplay::ContinuesAfterStop(const Slice& record) const {
  if (record.size() < kBatchHeaderSize || result_.next_sequence == 0) {
    return false;
  }
  const SequenceNumber first = DecodeFixed64(record.data());
  if (stopped_at_old_record_ && !sink_->NextIsExact()) {
    return first >= result_.next_sequence;
  }
  return first == result_.next_sequence;
}

Status LogReplay::Batch(const wal::Reader& reader, const Slice& record) {
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
  assert(next >= batch.sequence);
  result_.next_sequence = next;
  before_.last_sequence = batch.sequence;
  before_last_ = batch.sequence + std::max(batch.count, 1u) - 1;
  result_.bytes += record.size();
  ++result_.batches;
  return status;
}

Status LogReplay::Judge(const wal::Reader& reader) const {
  using Kind = wal::Problem::Kind;
  const wal::Problem& problem = reader.problem();
  if (problem.kind == Kind::kOldRecord && point_in_time()) {
    return Status::Corruption(reader.file_name(),
                              "at offset " + std::to_string(problem.offset) +
                                  ": expected " + problem.expected +
                                  " or the end, found " + problem.found);
  }
  if (problem.clean()) return Status::OK();
  if (skips_damage() && problem.kind != Kind::kUnreadable) return Status::OK();
  if (options_.mode == WALRecoveryMode::kTolerateCorruptedTailRecords &&
      problem.kind != Kind::kUnreadable) {
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

Result<ReplayResult> ReplayLogs(FileSystem* fs, const std::string& wal_dir,
                                const std::vector<uint64_t>& logs,
                                const ReplayOptions& options,
                                ReplaySink* sink) {
  LogReplay replay(fs, wal_dir, options, sink);
  RETURN_IF_ERROR(replay.Run(logs));
  return replay.result();
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
