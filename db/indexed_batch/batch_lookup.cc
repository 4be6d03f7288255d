#include "db/indexed_batch/batch_lookup.h"

#include <cassert>

#include "table/entity.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

Status ReadIndexedRecord(const FamilyIndex& index,
                         const FamilyIndex::Entry& entry, BatchRecord* record) {
  const std::string& batch = index.batch();
  const char* const limit = batch.data() + batch.size();
  const RecordShape* shape = nullptr;
  if (entry.record >= batch.size() ||
      batch_internal::ReadRecord(batch.data() + entry.record, limit, record,
                                 &shape) == nullptr) {
    return Status::Corruption("write batch with index: no record at offset " +
                                  std::to_string(entry.record),
                              "was the wrapped batch changed by itself?");
  }
  return Status::OK();
}

Status ReadBatchState(const FamilyIndex& index, const Slice& key,
                      BatchState* state) {
  using Base = BatchState::Base;
  const size_t deletion =
      index.has_range_deletions() ? index.NewestDeletionOver(key) : 0;
  FamilyIndex::Cursor cursor(&index);
  for (cursor.SeekForPrev(key);
       cursor.Valid() && index.Compare(cursor.key(), key) == 0; cursor.Prev()) {
    if (cursor.entry().record < deletion) break;
    BatchRecord record;
    RETURN_IF_ERROR(ReadIndexedRecord(index, cursor.entry(), &record));
    switch (record.type) {
      case ValueType::kValue:
        state->base = Base::kValue;
        state->bytes = record.value;
        return Status::OK();
      case ValueType::kWideColumnEntity:
        state->base = Base::kEntity;
        state->bytes = record.value;
        return Status::OK();
      case ValueType::kDeletion:
      case ValueType::kSingleDeletion:
        state->base = Base::kNone;
        return Status::OK();
      case ValueType::kMerge:
        state->operands.push_back(record.value.ToString());
        break;
      default:
        return Status::NotSupported(
            "write batch with index: reading a record of type " +
            std::to_string(static_cast<int>(record.type)));
    }
  }
  if (deletion > 0) state->base = Base::kNone;
  return Status::OK();
}

Status AnswerOf(const MergeContext& merge, const Slice& key,
                const BatchState& state, BatchAnswer* answer) {
  using Base = BatchState::Base;
  assert(state.decides());
  answer->is_entity = state.base == Base::kEntity;
  if (state.operands.empty()) {
    answer->exists = state.base != Base::kNone;
    answer->bytes = state.bytes;
    return Status::OK();
  }
  answer->exists = true;
  if (answer->is_entity) {
    RETURN_IF_ERROR(ResolveMergeOnEntity(merge, key, state.bytes,
                                         state.operands, &answer->merged));
  } else {
    const Slice* const base =
        state.base == Base::kValue ? &state.bytes : nullptr;
    RETURN_IF_ERROR(
        ResolveMerge(merge, key, base, state.operands, &answer->merged));
  }
  answer->bytes = answer->merged;
  return Status::OK();
}

Status AnswerOn(const MergeContext& merge, const Slice& key,
                const BatchState& state, const WideColumns* base,
                BatchAnswer* answer) {
  assert(!state.decides() && !state.operands.empty());
  BatchState whole;
  whole.operands = state.operands;
  std::string entity;
  if (base == nullptr) {
    whole.base = BatchState::Base::kNone;
  } else if (base->size() == 1 &&
             base->front().name() == kDefaultWideColumnName) {
    whole.base = BatchState::Base::kValue;
    whole.bytes = base->front().value();
  } else {
    RETURN_IF_ERROR(EncodeEntity(*base, &entity));
    whole.base = BatchState::Base::kEntity;
    whole.bytes = entity;
  }
  return AnswerOf(merge, key, whole, answer);
}

Status PlainValueOf(const BatchAnswer& answer, Slice* value) {
  if (!answer.exists) return Status::NotFound();
  if (answer.is_entity) return DefaultColumnOf(answer.bytes, value);
  *value = answer.bytes;
  return Status::OK();
}

Status ColumnsOf(const BatchAnswer& answer, PinnableWideColumns* columns) {
  if (!answer.exists) return Status::NotFound();
  if (answer.is_entity) return columns->SetWideColumnValue(answer.bytes);
  columns->SetPlainValue(answer.bytes);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
