#include "db/memtable/memtable_apply.h"

#include <array>
#include <cassert>
#include <optional>
#include <span>
#include <string>

#include "db/write_batch/batch_format.h"
#include "table/entity.h"
#include "table/format/block_handle.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Verdict = FamilyResolver::Found::Verdict;

// What points into blob files is not: nothing would keep those files.
bool IsStorable(const BatchRecord& record) {
  const ValueType type = record.type;
  return type == ValueType::kValue || type == ValueType::kDeletion ||
         type == ValueType::kSingleDeletion || type == ValueType::kMerge ||
         type == ValueType::kRangeDeletion ||
         (type == ValueType::kWideColumnEntity &&
          !MayHaveBlobColumns(record.value)) ||
         type == ValueType::kValuePreferredSeqno;
}

// Records that change nothing in a memtable.
bool IsSilent(ValueType type) {
  return type == ValueType::kLogData || type == ValueType::kNoop;
}

Status Unsupported(ValueType type) {
  switch (type) {
    case ValueType::kBlobIndex:
    case ValueType::kWideColumnEntity:
      return Status::NotSupported("records that point into blob files");
    default:
      return Status::NotSupported(
          "records of prepared transactions cannot be written",
          "tag " + std::to_string(static_cast<int>(type)));
  }
}

Status MissingFamily(uint32_t id) {
  return Status::InvalidArgument(
      "Invalid column family specified in write batch",
      "id " + std::to_string(id));
}

// What a table could not hold is refused before it is in the log.
Status CheckSize(const BatchRecord& record) {
  const uint64_t size = uint64_t{record.key.size()} + record.value.size();
  if (size <= kEntrySizeMax) return {};
  return Status::InvalidArgument("entry is too large",
                                 std::to_string(size) +
                                     " bytes of key and value, at most " +
                                     std::to_string(kEntrySizeMax));
}

// Keys are given with their timestamps; of one that is too short we know that
// it has none.
Status CheckTimestamps(const BatchRecord& record, const MemTable& memtable) {
  const size_t size = memtable.icmp()->timestamp_size();
  const bool whole =
      record.key.size() >= size &&
      (record.type != ValueType::kRangeDeletion || record.value.size() >= size);
  if (whole) return {};
  return Status::InvalidArgument(
      "key without timestamp", "column family " +
                                   std::to_string(record.family) + " expects " +
                                   std::to_string(size) + " bytes of it");
}

Status CheckRange(const BatchRecord& record, const MemTable& memtable) {
  if (memtable.icmp()->CompareKeys(record.key, record.value) <= 0) return {};
  return Status::InvalidArgument(
      "end key comes before start key",
      "column family " + std::to_string(record.family));
}

Status CheckRecord(const BatchRecord& record, FamilyCache* families,
                   bool ignore_missing, bool* alone) {
  if (IsSilent(record.type)) return {};
  if (!IsStorable(record)) return Unsupported(record.type);
  RETURN_IF_ERROR(CheckSize(record));
  if (record.type == ValueType::kValuePreferredSeqno) [[unlikely]] {
    Slice value;
    RETURN_IF_ERROR(StripPreferredSequence(record.value, &value));
  }
  const FamilyResolver::Found& found = families->Find(record.family);
  if (found.verdict == Verdict::kMissing && !ignore_missing)
    return MissingFamily(record.family);
  if (found.verdict == Verdict::kWrite) {
    if (found.memtable->disallows_writes()) [[unlikely]] {
      return Status::InvalidArgument(
          "This column family has disallow_memtable_writes=true");
    }
    RETURN_IF_ERROR(CheckTimestamps(record, *found.memtable));
    if (record.type == ValueType::kMerge && !found.memtable->takes_merges()) {
      return Status::NotSupported(
          "The memtable of this column family takes no merge operands");
    }
    *alone |=
        record.type == ValueType::kMerge && found.memtable->limits_merges();
  }
  if (record.type == ValueType::kRangeDeletion &&
      found.verdict == Verdict::kWrite)
    return CheckRange(record, *found.memtable);
  return {};
}

}  // namespace

Status RecordInserter::Add(const BatchRecord& record, SequenceNumber sequence) {
  if (!IsStorable(record)) return Unsupported(record.type);
  const FamilyResolver::Found found = cache_.Find(record.family);
  if (found.verdict != Verdict::kWrite) {
    if (found.verdict == Verdict::kMissing && !options_.ignore_missing)
      return MissingFamily(record.family);
    return {};
  }
  if (found.memtable != memtable_) {
    FinishRun();
    memtable_ = found.memtable;
    family_ = record.family;
    // First: once the entry is there, the log is needed.
    if (options_.prepared_in != nullptr) memtable_->Hold(*options_.prepared_in);
  }
  const bool stamped = memtable_->icmp()->timestamp_size() > 0;
  if (stamped) RETURN_IF_ERROR(CheckTimestamps(record, *memtable_));
  // An empty range; in a log also one that its writer then refused.
  if (record.type == ValueType::kRangeDeletion &&
      memtable_->icmp()->CompareKeys(record.key, record.value) >= 0)
    return {};
  if (stamped && record.type == ValueType::kDeletion) {
    return AddEntry(record.key, sequence, ValueType::kDeletionWithTimestamp,
                    record.value);
  }
  if (record.type == ValueType::kValuePreferredSeqno) [[unlikely]] {
    return AddTimedPut(record, sequence);
  }
  if (memtable_->updates_in_place() || memtable_->limits_merges()) [[unlikely]]
    return AddRewriting(record, sequence);
  return AddEntry(record.key, sequence, record.type, record.value);
}

void RecordInserter::Finish() {
  FinishRun();
  memtable_ = nullptr;
  cache_.Forget();
}

// The time in the log is not kept: it could only ask for an older sequence
// number than the put has anyway.
Status RecordInserter::AddTimedPut(const BatchRecord& record,
                                   SequenceNumber sequence) {
  Slice value;
  RETURN_IF_ERROR(StripPreferredSequence(record.value, &value));
  return AddEntry(record.key, sequence, ValueType::kValue, value);
}

Status RecordInserter::AddEntry(const Slice& user_key, SequenceNumber sequence,
                                ValueType type, const Slice& value) {
  assert(memtable_ != nullptr && sequence <= kSequenceMax);
  const ParsedInternalKey key(user_key, sequence, type);
  if (memtable_->Add(key, value, &cursor_)) return {};
  return Status::Corruption("sequence " + std::to_string(sequence) +
                            " was already used for this key");
}

void RecordInserter::FinishRun() {
  if (memtable_ != nullptr && memtable_->FinishAdds(&cursor_))
    families_->OnMemTableFull(family_, memtable_);
}

Status CheckBatch(const Slice& rep, FamilyResolver* families,
                  bool ignore_missing, BatchShape* shape) {
  *shape = BatchShape();
  FamilyCache cache(families);
  Status bad;
  RETURN_IF_ERROR(ForEachRecord(rep, [&](const BatchRecord& record) {
    bad = CheckRecord(record, &cache, ignore_missing, &shape->alone);
    if (!bad.ok()) return false;
    shape->num_counted += IsCounted(record.type) ? 1 : 0;
    return true;
  }));
  return bad;
}

namespace {

// Records whose paths go together, before they are inserted.
struct HeldBack {
  SkipListWalks walks;
  std::array<BatchRecord, SkipListWalks::kMax> records;
  size_t size = 0;
};

// The records of one batch, some at a time.
class BatchApplier {
 public:
  BatchApplier(SequenceNumber sequence, bool has_several,
               FamilyResolver* families, const ApplyOptions& options)
      : inserter_(families, options), sequence_(sequence) {
    if (has_several) held_back_.emplace();
  }

  Status Add(const BatchRecord& record) {
    if (!held_back_.has_value()) return Insert(record);
    assert(held_back_->size < held_back_->records.size());
    held_back_->records[held_back_->size++] = record;
    return held_back_->size == held_back_->records.size() ? Finish() : Status();
  }

  // Inserts those that were held back.
  Status Finish() {
    if (!held_back_.has_value()) return {};
    const std::span<const BatchRecord> records(held_back_->records.data(),
                                               held_back_->size);
    held_back_->size = 0;
    for (const BatchRecord& record : records) {
      const auto& found = inserter_.families()->Find(record.family);
      if (found.verdict != Verdict::kWrite) continue;
      found.memtable->AddWalk(record.key, &held_back_->walks);
    }
    held_back_->walks.Run();
    for (const BatchRecord& record : records) RETURN_IF_ERROR(Insert(record));
    return {};
  }

 private:
  Status Insert(const BatchRecord& record) {
    RETURN_IF_ERROR(inserter_.Add(record, sequence_));
    sequence_ += IsCounted(record.type) ? 1 : 0;
    return {};
  }

  RecordInserter inserter_;
  SequenceNumber sequence_;
  std::optional<HeldBack> held_back_;
};

}  // namespace

Status ApplyBatch(const Slice& rep, SequenceNumber sequence,
                  FamilyResolver* families, const ApplyOptions& options) {
  const bool has_several = rep.size() > kBatchHeaderSize &&
                           DecodeFixed32(rep.data() + kBatchCountOffset) > 1;
  BatchApplier applier(sequence, has_several, families, options);
  Status bad;
  RETURN_IF_ERROR(ForEachRecord(rep, [&](const BatchRecord& record) {
    if (!IsSilent(record.type)) bad = applier.Add(record);
    return bad.ok();
  }));
  RETURN_IF_ERROR(bad);
  return applier.Finish();
}

}  // namespace ROCKSDB_NAMESPACE::engine
