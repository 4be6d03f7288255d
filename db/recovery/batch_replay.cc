#include "db/recovery/batch_replay.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "db/write_batch/batch_format.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

ApplyOptions ReplayApplyOptions() {
  ApplyOptions options;
  options.replay = true;
  options.ignore_missing = true;
  return options;
}

Status Misplaced(const char* mark) {
  return Status::Corruption(std::string("misplaced mark: ") + mark);
}

BatchRecord RecordOf(const HeldRecord& held) {
  BatchRecord record;
  record.type = held.type;
  record.family = held.family;
  record.key = held.key;
  record.value = held.value;
  return record;
}

// Keys of a transaction end with room for the timestamp of its commit.
Status Stamp(const Slice& timestamp, std::string* key) {
  if (key->size() < timestamp.size()) {
    return Status::Corruption("prepared key without room for a timestamp");
  }
  key->replace(key->size() - timestamp.size(), timestamp.size(),
               timestamp.data(), timestamp.size());
  return Status::OK();
}

// The end of a range deletion has a timestamp, too.
Status StampRecord(const Slice& timestamp, HeldRecord* record) {
  RETURN_IF_ERROR(Stamp(timestamp, &record->key));
  if (record->type != ValueType::kRangeDeletion) return Status::OK();
  return Stamp(timestamp, &record->value);
}

}  // namespace

// One batch, record by record.
class BatchReplay::Walk {
 public:
  Walk(BatchReplay* replay, uint64_t log_number, SequenceNumber sequence)
      : replay_(replay),
        log_number_(log_number),
        sequence_(sequence),
        inserter_(replay->target_, ReplayApplyOptions()) {}

  Status Take(const BatchRecord& record) {
    switch (record.type) {
      case ValueType::kLogData:
        return Status::OK();
      case ValueType::kNoop:
        if (replay_->by_batch_ && used_) Advance();
        return Status::OK();
      case ValueType::kBeginPrepare:
        return Begin(/*by_batch=*/false);
      case ValueType::kBeginPersistedPrepare:
      case ValueType::kBeginUnprepare:
        return Begin(/*by_batch=*/true);
      case ValueType::kEndPrepare:
        return End(record.key.ToString());
      case ValueType::kCommit:
        return Commit(record.key.ToString(), Slice());
      case ValueType::kCommitWithTimestamp:
        return Commit(record.value.ToString(), record.key);
      case ValueType::kRollback:
        replay_->undecided_.erase(record.key.ToString());
        if (replay_->by_batch_) Advance();
        return Status::OK();
      default:
        return Data(record);
    }
  }

  Result<SequenceNumber> Finish() {
    if (section_.has_value()) return Misplaced("a section without an end");
    if (replay_->by_batch_ && used_) Advance();
    return sequence_;
  }

 private:
  void Advance() {
    assert(replay_->by_batch_);
    ++sequence_;
    used_ = false;
    keys_.clear();
  }

  Status Begin(bool by_batch) {
    if (section_.has_value()) return Misplaced("a section within another");
    if (by_batch ? replay_->by_record_ : replay_->by_batch_) {
      return Status::NotSupported(
          "the logs hold prepared transactions of two write policies",
          "the second one in log " + std::to_string(log_number_));
    }
    if (by_batch && !replay_->by_batch_) {
      if (replay_->inserted_any_) {
        return Status::Aborted("the log is numbered by batch");
      }
      replay_->by_batch_ = true;
    }
    if (!by_batch) replay_->by_record_ = true;
    section_.emplace();
    return Status::OK();
  }

  Status End(const std::string& name) {
    if (!section_.has_value()) return Misplaced("the end of no section");
    UndecidedTransaction& held = replay_->undecided_[name];
    // Only where counting is by batch does one transaction have several.
    if (!replay_->by_batch_) held = UndecidedTransaction();
    if (held.oldest_log == 0) held.oldest_log = log_number_;
    std::move(section_->begin(), section_->end(),
              std::back_inserter(held.records));
    section_.reset();
    if (replay_->by_batch_) Advance();
    return Status::OK();
  }

  Status Commit(const std::string& name, const Slice& timestamp) {
    if (section_.has_value()) return Misplaced("a commit within a section");
    const auto found = replay_->undecided_.find(name);
    if (found == replay_->undecided_.end()) {
      replay_->last_missed_log_ = log_number_;
      replay_->next_is_exact_ = replay_->by_batch_;
    } else {
      inserter_.Finish();
      RETURN_IF_ERROR(
          replay_->Insert(found->second, timestamp, log_number_, &sequence_));
      replay_->target_->AtLog(log_number_);
      replay_->undecided_.erase(found);
    }
    if (replay_->by_batch_) Advance();
    return Status::OK();
  }

  Status Data(const BatchRecord& record) {
    if (replay_->by_batch_ &&
        !keys_.emplace(record.family, record.key.ToString()).second) {
      Advance();
      keys_.emplace(record.family, record.key.ToString());
    }
    used_ = true;
    if (section_.has_value()) {  // (1)
      section_->push_back({record.type, record.family, sequence_, log_number_,
                           record.key.ToString(), record.value.ToString()});
      return Status::OK();
    }
    RETURN_IF_ERROR(inserter_.Add(record, sequence_));
    replay_->inserted_any_ = true;
    if (!replay_->by_batch_) ++sequence_;
    return Status::OK();
  }

  BatchReplay* const replay_;
  const uint64_t log_number_;
  SequenceNumber sequence_;
  RecordInserter inserter_;
  std::optional<std::vector<HeldRecord>> section_;
  // Numbered by batch: has the sequence been used, and by which keys.
  bool used_ = false;
  std::set<std::pair<uint32_t, std::string>> keys_;
};

Status BatchReplay::Take(const Slice& batch, uint64_t log_number,
                         SequenceNumber sequence, SequenceNumber* next) {
  if (!by_batch_ && !by_record_ && sequence < behind_last_) {
    return Status::Aborted("the log is numbered by batch");
  }
  next_is_exact_ = true;
  target_->AtLog(log_number);
  Walk walk(this, log_number, sequence);
  Status bad;
  RETURN_IF_ERROR(ForEachRecord(batch, [&](const BatchRecord& record) {
    bad = walk.Take(record);
    return bad.ok();
  }));
  RETURN_IF_ERROR(bad);
  const Result<SequenceNumber> end = walk.Finish();
  if (!end.ok()) return end.status();
  *next = *end;
  behind_last_ = *end;
  return Status::OK();
}

Status BatchReplay::Insert(const UndecidedTransaction& transaction,
                           const Slice& timestamp, uint64_t commit_log,
                           SequenceNumber* sequence) {
  assert(!(by_batch_ && by_record_));
  const LogHold hold(holds_, transaction.oldest_log);
  ApplyOptions options = ReplayApplyOptions();
  options.prepared_in = &hold;
  RecordInserter inserter(target_, options);
  for (HeldRecord record : transaction.records) {
    // Numbered by batch, it went to the memtable of its own log.
    inserter.Finish();
    target_->AtLog(by_batch_ ? record.log_number : commit_log);
    const FamilyResolver::Found family = target_->Find(record.family);
    const bool timed =
        !timestamp.empty() && family.memtable != nullptr &&
        family.memtable->icmp()->timestamp_size() == timestamp.size();
    RETURN_IF_ERROR(timed ? StampRecord(timestamp, &record) : Status::OK());
    RETURN_IF_ERROR(inserter.Add(RecordOf(record),
                                 by_batch_ ? record.sequence : *sequence));
    inserted_any_ = true;
    if (!by_batch_) ++*sequence;
  }
  return Status::OK();
}

uint64_t BatchReplay::oldest_undecided_log() const {
  uint64_t oldest = 0;
  for (const auto& [name, transaction] : undecided_) {
    assert(transaction.oldest_log != 0);  // (2)
    if (oldest == 0 || transaction.oldest_log < oldest) {
      oldest = transaction.oldest_log;
    }
  }
  return oldest;
}

}  // namespace ROCKSDB_NAMESPACE::engine
