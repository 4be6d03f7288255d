#include "db/repair/log_tally.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "db/write_batch/batch_format.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

bool IsBegin(ValueType type) {
  return type == ValueType::kBeginPrepare ||
         type == ValueType::kBeginPersistedPrepare ||
         type == ValueType::kBeginUnprepare;
}

bool IsCommit(ValueType type) {
  return type == ValueType::kCommit || type == ValueType::kCommitWithTimestamp;
}

// Are the marks where they can be?
bool IsSound(const Slice& batch) {
  if (batch.size() < kBatchHeaderSize) return false;
  const SequenceNumber sequence = DecodeFixed64(batch.data());
  const uint32_t count = DecodeFixed32(batch.data() + kBatchCountOffset);
  if (sequence > kSequenceMax - count) return false;
  bool sound = true;
  bool in_section = false;
  const Status read = ForEachRecord(batch, [&](const BatchRecord& record) {
    if (IsBegin(record.type)) {
      sound = !in_section;
      in_section = true;
    } else if (record.type == ValueType::kEndPrepare) {
      sound = in_section;
      in_section = false;
    } else if (IsCommit(record.type)) {
      sound = !in_section;
    }
    return sound;
  });
  return read.ok() && sound && !in_section;
}

}  // namespace

// One sound batch, record by record.
class LogTally::Walk {
 public:
  Walk(LogTally* tally, LogSummary* log, SequenceNumber first)
      : tally_(tally), log_(log), next_(first) {}

  void Take(const BatchRecord& record) {
    if (IsBegin(record.type)) {
      log_->has_sections = true;
      // Only what is numbered by record waits for its sequences.
      if (record.type == ValueType::kBeginPrepare) section_.emplace();
    } else if (record.type == ValueType::kEndPrepare) {
      if (section_) {
        tally_->undecided_[record.key.ToString()] = std::move(*section_);
      }
      section_.reset();
    } else if (record.type == ValueType::kCommit) {
      Commit(record.key.ToString());
    } else if (record.type == ValueType::kCommitWithTimestamp) {
      Commit(record.value.ToString());
    } else if (record.type == ValueType::kRollback) {
      tally_->undecided_.erase(record.key.ToString());
    } else if (IsCounted(record.type)) {
      Data(record.family);
    }
  }

 private:
  void Data(uint32_t family) {
    log_->families.insert(family);
    if (section_) {
      section_->last[family] = ++section_->records;
    } else {
      Raise(family, next_++);
    }
  }
  void Commit(const std::string& name) {
    assert(!section_);  // IsSound() has looked.
    const auto found = tally_->undecided_.find(name);
    if (found == tally_->undecided_.end()) return;
    const Section& section = found->second;
    for (const auto& [family, last] : section.last) {
      log_->families.insert(family);
      Raise(family, next_ + last - 1);
    }
    next_ += section.records;
    tally_->undecided_.erase(found);
  }
  void Raise(uint32_t family, SequenceNumber sequence) {
    SequenceNumber& known = log_->last_sequences[family];
    known = std::max(known, sequence);
  }

  LogTally* const tally_;
  LogSummary* const log_;
  SequenceNumber next_;
  std::optional<Section> section_;
};

bool LogTally::Take(const Slice& batch, LogSummary* log) {
  if (!IsSound(batch)) return false;
  Walk walk(this, log, DecodeFixed64(batch.data()));
  return ForEachRecord(batch,
                       [&walk](const BatchRecord& record) {
                         walk.Take(record);
                         return true;
                       })
      .ok();
}

}  // namespace ROCKSDB_NAMESPACE::engine
