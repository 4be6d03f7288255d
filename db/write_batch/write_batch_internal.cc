#include "db/write_batch/write_batch_internal.h"

#include <cassert>
#include <limits>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr uint64_t kSliceSizeMax = std::numeric_limits<uint32_t>::max();

Status CheckSize(const char* what, size_t size) {
  if (size <= kSliceSizeMax) return {};
  return Status::InvalidArgument(std::string(what) + " is too large",
                                 std::to_string(size) + " bytes, at most " +
                                     std::to_string(kSliceSizeMax));
}

// Before a byte is copied: what is refused needs no memory. The few bytes of a
// record besides key and value do not count.
Status CheckSizes(size_t batch_size, size_t key_size, size_t value_size) {
  RETURN_IF_ERROR(CheckSize("key", key_size));
  RETURN_IF_ERROR(CheckSize("value", value_size));
  return CheckSize("batch", batch_size + key_size + value_size);
}

size_t TotalSize(const SliceParts& parts) {
  size_t total = 0;
  for (int i = 0; i < parts.num_parts; ++i) total += parts.parts[i].size();
  return total;
}

// Tag, family and key length go through a small buffer: one append, not three.
void AppendHead(std::string* rep, const RecordKind& kind, uint32_t family,
                size_t key_size) {
  assert(key_size <= kSliceSizeMax);  // CheckSize() has let it pass.
  char head[1 + 2 * kVarint32SizeMax];
  char* p = head;
  if (family == 0) {  // batch_format.h (1)
    *p++ = static_cast<char>(kind.plain);
  } else {
    *p++ = static_cast<char>(kind.with_family);
    p = EncodeVarint32(p, family);
  }
  p = EncodeVarint32(p, static_cast<uint32_t>(key_size));
  assert(p <= head + sizeof(head));
  rep->append(head, static_cast<size_t>(p - head));
}

void AppendParts(std::string* rep, const SliceParts& parts) {
  for (int i = 0; i < parts.num_parts; ++i) {
    rep->append(parts.parts[i].data(), parts.parts[i].size());
  }
}

}  // namespace

Status WriteBatchInternal::SetContents(WriteBatch* batch,
                                       const Slice& contents) {
  if (contents.size() < kBatchHeaderSize) {
    return batch_internal::BadHeader(contents);
  }
  batch->rep_.assign(contents.data(), contents.size());
  batch->content_flags_.store(kDeferred, std::memory_order_relaxed);
  batch->wal_term_point_.clear();
  return {};
}

Status WriteBatchInternal::Add(WriteBatch* batch, const RecordKind& kind,
                               uint32_t family, const Slice& key) {
  RETURN_IF_ERROR(CheckSizes(batch->rep_.size(), key.size(), 0));
  const size_t offset = batch->rep_.size();
  AppendHead(&batch->rep_, kind, family, key.size());
  batch->rep_.append(key.data(), key.size());
  return Finish(batch, kind, offset);
}

Status WriteBatchInternal::Add(WriteBatch* batch, const RecordKind& kind,
                               uint32_t family, const Slice& key,
                               const Slice& value) {
  RETURN_IF_ERROR(CheckSizes(batch->rep_.size(), key.size(), value.size()));
  const size_t offset = batch->rep_.size();
  AppendHead(&batch->rep_, kind, family, key.size());
  batch->rep_.append(key.data(), key.size());
  PutLengthPrefixedSlice(&batch->rep_, value);
  return Finish(batch, kind, offset);
}

Status WriteBatchInternal::Add(WriteBatch* batch, const RecordKind& kind,
                               uint32_t family, const SliceParts& key) {
  const size_t key_size = TotalSize(key);
  RETURN_IF_ERROR(CheckSizes(batch->rep_.size(), key_size, 0));
  const size_t offset = batch->rep_.size();
  AppendHead(&batch->rep_, kind, family, key_size);
  AppendParts(&batch->rep_, key);
  return Finish(batch, kind, offset);
}

Status WriteBatchInternal::Add(WriteBatch* batch, const RecordKind& kind,
                               uint32_t family, const SliceParts& key,
                               const SliceParts& value) {
  const size_t key_size = TotalSize(key);
  const size_t value_size = TotalSize(value);
  RETURN_IF_ERROR(CheckSizes(batch->rep_.size(), key_size, value_size));
  const size_t offset = batch->rep_.size();
  AppendHead(&batch->rep_, kind, family, key_size);
  AppendParts(&batch->rep_, key);
  PutVarint32(&batch->rep_, static_cast<uint32_t>(value_size));
  AppendParts(&batch->rep_, value);
  return Finish(batch, kind, offset);
}

Status WriteBatchInternal::AddLogData(WriteBatch* batch, const Slice& blob) {
  RETURN_IF_ERROR(CheckSize("log data", blob.size()));
  RETURN_IF_ERROR(CheckSizes(batch->rep_.size(), 0, blob.size()));
  const size_t offset = batch->rep_.size();
  batch->rep_.push_back(static_cast<char>(ValueType::kLogData));
  PutLengthPrefixedSlice(&batch->rep_, blob);
  if (batch->max_bytes_ == 0 || batch->rep_.size() <= batch->max_bytes_) {
    return {};
  }
  batch->rep_.resize(offset);
  return Status::MemoryLimit();
}

void WriteBatchInternal::AddMark(WriteBatch* batch, ValueType mark,
                                 const Slice& name, const Slice& timestamp) {
  batch->rep_.push_back(static_cast<char>(mark));
  if (mark == ValueType::kCommitWithTimestamp) {
    PutLengthPrefixedSlice(&batch->rep_, timestamp);
  }
  if (mark != ValueType::kBeginPrepare) {
    PutLengthPrefixedSlice(&batch->rep_, name);
  }
  SetFlags(batch, Flags(batch) | ContentFlagOf(mark));
}

Status WriteBatchInternal::Finish(WriteBatch* batch, const RecordKind& kind,
                                  size_t offset) {
  assert(batch->rep_.size() > offset);
  if (offset < kBatchHeaderSize) [[unlikely]] {  // Made from too few bytes.
    batch->rep_.resize(offset);
    return batch_internal::BadHeader(batch->rep_);
  }
  if (batch->max_bytes_ != 0 && batch->rep_.size() > batch->max_bytes_)
      [[unlikely]] {
    batch->rep_.resize(offset);
    return Status::MemoryLimit();
  }
  SetCount(batch, Count(batch) + 1);
  SetFlags(batch, Flags(batch) | kind.flag);
  return {};
}

Status WriteBatchInternal::Append(WriteBatch* dst, const WriteBatch* src,
                                  bool wal_only) {
  size_t src_end = src->rep_.size();
  uint32_t src_count = Count(src);
  uint32_t src_flags = Flags(src);
  const SavePoint& termination = src->GetWalTerminationPoint();
  if (wal_only && !termination.is_cleared()) {
    src_end = termination.size;
    src_count = termination.count;
    src_flags = termination.content_flags;
  }
  const uint64_t count = uint64_t{Count(dst)} + src_count;
  if (count > std::numeric_limits<uint32_t>::max()) {
    return Status::InvalidArgument("too many records for one batch",
                                   std::to_string(count));
  }
  assert(kBatchHeaderSize <= src_end && src_end <= src->rep_.size());
  RETURN_IF_ERROR(CheckSize("batch", dst->rep_.size() + src_end));
  SetCount(dst, static_cast<uint32_t>(count));
  dst->rep_.append(src->rep_.data() + kBatchHeaderSize,
                   src_end - kBatchHeaderSize);
  SetFlags(dst, Flags(dst) | src_flags);
  return {};
}

Status WriteBatchInternal::Dispatch(const BatchRecord& record,
                                    bool empty_so_far,
                                    WriteBatch::Handler* handler) {
  const uint32_t family = record.family;
  switch (record.type) {
    case ValueType::kValue:
      return handler->PutCF(family, record.key, record.value);
    case ValueType::kDeletion:
      return handler->DeleteCF(family, record.key);
    case ValueType::kSingleDeletion:
      return handler->SingleDeleteCF(family, record.key);
    case ValueType::kMerge:
      return handler->MergeCF(family, record.key, record.value);
    case ValueType::kRangeDeletion:
      return handler->DeleteRangeCF(family, record.key, record.value);
    case ValueType::kBlobIndex:
      return handler->PutBlobIndexCF(family, record.key, record.value);
    case ValueType::kWideColumnEntity:
      return handler->PutEntityCF(family, record.key, record.value);
    case ValueType::kValuePreferredSeqno: {
      Slice value = record.value;
      if (value.size() < sizeof(uint64_t)) {
        return Status::Corruption(
            "WriteBatch timed put: expected a value of at least 8 bytes",
            "found " + std::to_string(value.size()));
      }
      value.remove_suffix(sizeof(uint64_t));
      const uint64_t time = DecodeFixed64(value.data() + value.size());
      return handler->TimedPutCF(family, record.key, value, time);
    }
    case ValueType::kLogData:
      handler->LogData(record.key);
      return {};
    case ValueType::kNoop:
      return handler->MarkNoop(empty_so_far);
    case ValueType::kBeginPrepare:
    case ValueType::kBeginPersistedPrepare:
      return handler->MarkBeginPrepare();
    case ValueType::kBeginUnprepare:
      return handler->MarkBeginPrepare(/*unprepare=*/true);
    case ValueType::kEndPrepare:
      return handler->MarkEndPrepare(record.key);
    case ValueType::kCommit:
      return handler->MarkCommit(record.key);
    case ValueType::kCommitWithTimestamp:
      return handler->MarkCommitWithTimestamp(record.value, record.key);
    case ValueType::kRollback:
      return handler->MarkRollback(record.key);
    default:
      return Status::Corruption(
          "WriteBatch record of unexpected type",
          std::to_string(static_cast<unsigned>(record.type)));
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
