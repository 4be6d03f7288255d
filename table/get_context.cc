#include "table/get_context.h"

#include "table/entity.h"

namespace ROCKSDB_NAMESPACE::engine {

void GetContext::SaveValue(const Slice& value, Cleanable* pinner) {
  if (value_ == nullptr) return;
  if (pinner != nullptr) {
    value_->PinSlice(value, pinner);
  } else {
    value_->PinSelf(value);
  }
}

// Of which only the default column is wanted.
void GetContext::AddEntityWithBlobs(const Slice& entity, Cleanable* pinner) {
  Slice value;
  bool in_blob = false;
  Status status = DefaultColumnOf(entity, &value, &in_blob);
  if (!status.ok()) return MarkBad(std::move(status));
  SaveValue(value, pinner);
  const bool merges = state_ == State::kMerge;
  if (in_blob) {
    state_ = merges ? State::kMergeBlobFound : State::kBlobFound;
  } else {
    state_ = merges ? State::kMergeFound : State::kFound;
  }
}

void GetContext::AddDressedValue(ValueType type, const Slice& stored,
                                 Cleanable* pinner) {
  Slice value = stored;
  const bool entity = type == ValueType::kWideColumnEntity;
  found_entity_ = wants_entities_ && entity;
  if (entity && !found_entity_ && MayHaveBlobColumns(stored)) [[unlikely]] {
    return AddEntityWithBlobs(stored, pinner);
  }
  if (!found_entity_) value_status_ = PlainValueOf(type, stored, &value);
  if (!value_status_.ok()) {
    state_ = State::kBadValue;
    return;
  }
  SaveValue(value, pinner);
  state_ = state_ == State::kMerge ? State::kMergeFound : State::kFound;
}

bool GetContext::Add(ValueType type, SequenceNumber sequence,
                     const Slice& value, Cleanable* pinner) {
  assert(!Decided());
  if (state_ == State::kNotFound) found_sequence_ = sequence;
  if (sequence < cover_) [[unlikely]] {
    EndByDeletion();
    return false;
  }
  switch (type) {
    case ValueType::kValue:
      SaveValue(value, pinner);
      state_ = state_ == State::kMerge ? State::kMergeFound : State::kFound;
      return false;
    case ValueType::kDeletion:
    case ValueType::kSingleDeletion:
    case ValueType::kDeletionWithTimestamp:
      EndByDeletion();
      return false;
    case ValueType::kMerge:
      operands_.emplace_back(value.data(), value.size());
      state_ = State::kMerge;
      if (wants_more_ != nullptr && !(*wants_more_)(value)) {
        EndByDeletion();
        return false;
      }
      return true;
    case ValueType::kWideColumnEntity:
    case ValueType::kValuePreferredSeqno:
      AddDressedValue(type, value, pinner);
      return false;
    case ValueType::kBlobIndex:
      SaveValue(value, pinner);
      state_ =
          state_ == State::kMerge ? State::kMergeBlobFound : State::kBlobFound;
      return false;
    default:
      state_ = State::kCorrupt;
      return false;
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
