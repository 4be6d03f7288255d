#include "table/get_context.h"

#include <cassert>

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

void GetContext::AddDressedValue(ValueType type, const Slice& stored,
                                 Cleanable* pinner) {
  const bool is_entity = type == ValueType::kWideColumnEntity;
  found_entity_ = wants_entities_ && is_entity;
  Slice value = stored;
  bool in_blob = false;
  if (!found_entity_) {
    Status status = is_entity ? DefaultColumnOf(stored, &value, &in_blob)
                              : StripPreferredSequence(stored, &value);
    if (!status.ok()) return MarkBad(std::move(status));
  }
  SaveValue(value, pinner);
  EndByValue(in_blob);
  assert(Decided());
}

bool GetContext::Add(ValueType type, SequenceNumber sequence,
                     const Slice& value, Cleanable* pinner) {
  assert(!Decided());  // (1)
  if (state_ == State::kNotFound) found_sequence_ = sequence;
  if (sequence < cover_) [[unlikely]] {
    EndByDeletion();
    return false;
  }
  switch (type) {
    case ValueType::kValue:
      SaveValue(value, pinner);
      EndByValue(/*in_blob=*/false);
      return false;
    case ValueType::kDeletion:
    case ValueType::kSingleDeletion:
    case ValueType::kDeletionWithTimestamp:
      EndByDeletion();
      return false;
    case ValueType::kMerge:
      assert((state_ == State::kMerge) == !operands_.empty());  // (2)
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
      EndByValue(/*in_blob=*/true);
      return false;
    default:
      state_ = State::kCorrupt;
      return false;
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
