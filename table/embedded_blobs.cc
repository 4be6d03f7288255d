#include "table/embedded_blobs.h"

#include <cassert>

#include "table/blob/blob_format.h"
#include "table/entity.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// The payload of `*record` is the value.
Status ReadRecord(const TableReader::Rep& table, const FetchOptions& fetch,
                  const Slice& blob_index, Block::Ptr* record) {
  BlobIndex index;
  RETURN_IF_ERROR(index.DecodeFrom(blob_index));
  if (index.file_number != kBlobInSameTable) {
    return Status::NotSupported("tables with values in blob files",
                                index.DebugString());
  }
  const BlockHandle handle(index.offset, index.size);
  const uint64_t end_max = table.file_size - kBlockTrailerSize;
  if (index.size > end_max || index.offset > end_max - index.size) {
    return table.Corruption("blob record beyond the end of the file", handle);
  }
  if (index.compression != kNoCompression) {
    return table.Corruption("blob record that is compressed", handle);
  }
  if (!fetch.may_read) return NotInCache();
  BlockReadRequest request = DataRequest(table, fetch);
  request.dict = nullptr;
  return ReadBlock(table.source, handle, request, record);
}

}  // namespace

bool IsEmbedded(ValueType type, const Slice& stored) {
  return type == ValueType::kBlobIndex ||
         (type == ValueType::kWideColumnEntity && MayHaveBlobColumns(stored));
}

Status ReadEmbedded(const TableReader::Rep& table, const FetchOptions& fetch,
                    const Slice& stored, ValueType* type, std::string* value) {
  assert(IsEmbedded(*type, stored));
  Block::Ptr record;
  if (*type == ValueType::kBlobIndex) {
    *type = ValueType::kValue;
    RETURN_IF_ERROR(ReadRecord(table, fetch, stored, &record));
    const Slice payload = record->payload();
    value->assign(payload.data(), payload.size());
    return Status::OK();
  }
  return InlineBlobColumns(
      stored,
      [&](const Slice& blob_index, Slice* column) {
        const Status status = ReadRecord(table, fetch, blob_index, &record);
        if (status.ok()) *column = record->payload();
        return status;
      },
      value);
}

void EmbeddedBlobIterator::Seek(const Slice& target) {
  target_.clear();
  AppendInternalKey(&target_, ExtractUserKey(target), ExtractSequence(target),
                    kTypeForSeek);
  stored_->Seek(target_);
  Show();
  if (valid_ && table_->options.icmp->Compare(key_, target) < 0) Next();
}

void EmbeddedBlobIterator::SeekForPrev(const Slice& target) {
  stored_->SeekForPrev(target);
  Show();
  if (valid_ && table_->options.icmp->Compare(key_, target) > 0) Prev();
}

void EmbeddedBlobIterator::Show() {
  status_ = Status::OK();
  const bool read = !stored_->Valid() || stored_->ReadValue();
  Mirror(*stored_);
  if (!read) valid_ = false;
  if (!valid_ || key_.size() < kTrailerSize) return;  // Its reader reports it.
  ValueType type = ExtractType(key_);
  if (!IsEmbedded(type, value_)) return;
  status_ = ReadEmbedded(*table_, fetch_, value_, &type, &shown_value_);
  if (!status_.ok()) {
    valid_ = false;
    return;
  }
  shown_key_.clear();
  AppendInternalKey(&shown_key_, ExtractUserKey(key_), ExtractSequence(key_),
                    type);
  key_ = shown_key_;
  value_ = shown_value_;
}

}  // namespace ROCKSDB_NAMESPACE::engine
