#include "db/blob/blob_stage.h"

#include <utility>

#include "db/blob/blob_references.h"
#include "table/entity.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

Result<BlobValue> BlobFetcher::Fetch(const Slice& user_key,
                                     const Slice& blob_index) {
  BlobIndex index;
  RETURN_IF_ERROR(index.DecodeFrom(blob_index));
  uint64_t bytes = 0;
  Result<BlobValue> value =
      source_->ReadUncached(*version_, user_key, index, io_pass_, &bytes);
  if (value.ok()) {
    ++blobs_read_;
    bytes_read_ += bytes;
  }
  return value;
}

Status BlobFetcher::Inline(const Slice& user_key, const Slice& entity,
                           std::string* inlined) {
  BlobValue blob;
  const auto read = [&](const Slice& blob_index, Slice* column) -> Status {
    Result<BlobValue> fetched = Fetch(user_key, blob_index);
    if (!fetched.ok()) return fetched.status();
    blob = std::move(*fetched);
    *column = blob.slice();
    return Status::OK();
  };
  return InlineBlobColumns(entity, read, inlined);
}

void BlobStage::SetKey(const Slice& internal_key, ValueType type) {
  key_buffer_.clear();
  AppendInternalKey(&key_buffer_, ExtractUserKey(internal_key),
                    ExtractSequence(internal_key), type);
  key_ = key_buffer_;
}

Status BlobStage::Store(const Slice& internal_key, const Slice& value) {
  value_buffer_.clear();
  RETURN_IF_ERROR(options_.output->Add(ExtractUserKey(internal_key), value,
                                       &value_buffer_));
  SetKey(internal_key, ValueType::kBlobIndex);
  value_ = value_buffer_;
  return Status::OK();
}

Status BlobStage::Keep(const Slice& internal_key, const Slice& value) {
  return options_.meter != nullptr
             ? options_.meter->CountOut(internal_key, value)
             : Status::OK();
}

Status BlobStage::PassIndex(const Slice& internal_key, const Slice& value) {
  BlobIndex index;
  RETURN_IF_ERROR(index.DecodeFrom(value));
  if (index.file_number >= options_.collect_below) {
    return Keep(internal_key, value);
  }
  Result<BlobValue> blob =
      options_.fetcher->Fetch(ExtractUserKey(internal_key), value);
  if (!blob.ok()) return blob.status();
  relocated_ = std::move(*blob);
  RecordTick(options_.statistics, BLOB_DB_GC_NUM_KEYS_RELOCATED);
  RecordTick(options_.statistics, BLOB_DB_GC_BYTES_RELOCATED, relocated_.size);
  if (Wants(relocated_.slice())) {
    return Store(internal_key, relocated_.slice());
  }
  SetKey(internal_key, ValueType::kValue);
  value_ = relocated_.slice();
  return Status::OK();
}

Status BlobStage::PassEntity(const Slice& internal_key, const Slice& entity) {
  bool collected = false;
  RETURN_IF_ERROR(ForEachBlob(
      ValueType::kWideColumnEntity, entity, [&](const BlobIndex& index) {
        collected |= index.file_number < options_.collect_below;
      }));
  if (!collected) return Keep(internal_key, entity);
  const uint64_t bytes_before = options_.fetcher->bytes_read();
  RETURN_IF_ERROR(options_.fetcher->Inline(ExtractUserKey(internal_key), entity,
                                           &value_buffer_));
  RecordTick(options_.statistics, BLOB_DB_GC_NUM_KEYS_RELOCATED);
  RecordTick(options_.statistics, BLOB_DB_GC_BYTES_RELOCATED,
             options_.fetcher->bytes_read() - bytes_before);
  value_ = value_buffer_;
  return Status::OK();
}

Status BlobStage::Pass(const Slice& internal_key, const Slice& value) {
  key_ = internal_key;
  value_ = value;
  switch (ExtractType(internal_key)) {
    case ValueType::kValue:
      return Wants(value) ? Store(internal_key, value) : Status::OK();
    case ValueType::kBlobIndex:
      return PassIndex(internal_key, value);
    case ValueType::kWideColumnEntity:
      return PassEntity(internal_key, value);
    default:
      return Keep(internal_key, value);
  }
}

Status BlobStage::Finish() {
  return options_.output != nullptr ? options_.output->Finish() : Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
