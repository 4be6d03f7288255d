#include "table/get_context.h"

namespace ROCKSDB_NAMESPACE::engine {

void GetContext::SaveValue(const Slice& value, Cleanable* pinner) {
  if (value_ == nullptr) return;
  if (pinner != nullptr) {
    value_->PinSlice(value, pinner);
  } else {
    value_->PinSelf(value);
  }
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
      return true;
    case ValueType::kBlobIndex:
    case ValueType::kWideColumnEntity:
    case ValueType::kValuePreferredSeqno:
      unsupported_type_ = type;
      state_ = State::kUnsupported;
      return false;
    default:
      state_ = State::kCorrupt;
      return false;
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
