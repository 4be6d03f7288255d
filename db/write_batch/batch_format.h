// Batch format: the bytes of a write batch, and the one loop that reads them.
//
// Place. Below WriteBatch, memtable application and log replay. Pure bytes: no
// memtable, no column family, no virtual call.
//
// Bytes.
//   header   fixed64 sequence, fixed32 count
//   record   tag [varint32 family] [lpstring key] [lpstring value]
//            which parts follow is decided by the tag (RecordShape below)
//
// Invariants:
//   (1) Records of column family 0 are written without a family id. One that
//       carries the id 0 is read as one of family 0.
//   (2) `count` is the number of records whose shape is counted; the i-th of
//       them gets sequence + i.
//   (3) Reading stays within the given slice whatever its bytes say.

#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "table/internal_key.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr size_t kBatchHeaderSize = 12;
inline constexpr size_t kBatchCountOffset = 8;

// One record. `type` is the tag of family 0: a kColumnFamilyValue of family 7
// reads as kValue with family 7. The slices point into the batch.
struct BatchRecord {
  ValueType type = ValueType::kNoop;
  uint32_t family = 0;
  Slice key;    // or log data, transaction name, commit timestamp
  Slice value;  // or operand, range end, blob index, entity
};

// What follows a tag. The value of an absent tag is `known == false`.
struct RecordShape {
  bool known = false;
  bool counted = false;
  bool has_family = false;
  uint8_t num_slices = 0;
  ValueType type = ValueType::kNoop;
};

namespace batch_internal {

inline constexpr size_t kNumTags = 0x1A;

constexpr std::array<RecordShape, kNumTags> MakeShapes() {
  std::array<RecordShape, kNumTags> shapes{};
  const auto add = [&shapes](ValueType tag, ValueType type, bool counted,
                             uint8_t num_slices) {
    shapes[static_cast<uint8_t>(tag)] =
        RecordShape{true, counted, tag != type, num_slices, type};
  };
  using enum ValueType;
  const auto add_write = [&add](ValueType plain, ValueType with_family,
                                uint8_t num_slices) {
    add(plain, plain, true, num_slices);
    add(with_family, plain, true, num_slices);
  };
  add_write(kValue, kColumnFamilyValue, 2);
  add_write(kDeletion, kColumnFamilyDeletion, 1);
  add_write(kSingleDeletion, kColumnFamilySingleDeletion, 1);
  add_write(kMerge, kColumnFamilyMerge, 2);
  add_write(kRangeDeletion, kColumnFamilyRangeDeletion, 2);
  add_write(kBlobIndex, kColumnFamilyBlobIndex, 2);
  add_write(kWideColumnEntity, kColumnFamilyWideColumnEntity, 2);
  add_write(kValuePreferredSeqno, kColumnFamilyValuePreferredSeqno, 2);
  add(kLogData, kLogData, false, 1);
  add(kNoop, kNoop, false, 0);
  add(kBeginPrepare, kBeginPrepare, false, 0);
  add(kBeginPersistedPrepare, kBeginPersistedPrepare, false, 0);
  add(kBeginUnprepare, kBeginUnprepare, false, 0);
  add(kEndPrepare, kEndPrepare, false, 1);
  add(kCommit, kCommit, false, 1);
  add(kRollback, kRollback, false, 1);
  add(kCommitWithTimestamp, kCommitWithTimestamp, false, 2);
  return shapes;
}

inline constexpr std::array<RecordShape, kNumTags> kShapes = MakeShapes();

// The failures of ReadRecord, worded; `p` is where the record begins.
Status BadRecord(const Slice& rep, const char* p);
Status BadHeader(const Slice& rep);
Status WrongCount(uint32_t expected, uint64_t found);

// Reads one record at `p` and returns what follows it, or null when the bytes
// are no record.
inline const char* ReadRecord(const char* p, const char* limit,
                              BatchRecord* record, const RecordShape** shape) {
  assert(p < limit);  // (3)
  const auto tag = static_cast<uint8_t>(*p++);
  if (tag >= kNumTags || !kShapes[tag].known) return nullptr;
  *shape = &kShapes[tag];
  record->type = (*shape)->type;
  record->family = 0;
  record->value.clear();  // Not every record has one.
  if ((*shape)->has_family) {
    p = GetVarint32Ptr(p, limit, &record->family);
    if (p == nullptr) return nullptr;
  }
  Slice* const slices[] = {&record->key, &record->value};
  for (uint8_t i = 0; i < (*shape)->num_slices; ++i) {
    uint32_t size = 0;
    p = GetVarint32Ptr(p, limit, &size);
    // (3)
    if (p == nullptr || static_cast<size_t>(limit - p) < size) return nullptr;
    *slices[i] = Slice(p, size);
    p += size;
  }
  return p;
}

}  // namespace batch_internal

// True when records of this type take a sequence number.
inline bool IsCounted(ValueType type) {
  return batch_internal::kShapes[static_cast<uint8_t>(type)].counted;
}

// Calls visit(const BatchRecord&) for every record in order; it returns true
// to go on and false to end the walk (which is then OK).
// Errors: Corruption for a short header, an unknown tag, a part that runs past
// the end, or a count that disagrees with the records.
template <typename Visit>
Status ForEachRecord(const Slice& rep, Visit&& visit) {
  if (rep.size() < kBatchHeaderSize) return batch_internal::BadHeader(rep);
  const char* p = rep.data() + kBatchHeaderSize;
  const char* const limit = rep.data() + rep.size();
  uint64_t counted = 0;
  BatchRecord record;
  while (p < limit) {
    const RecordShape* shape = nullptr;
    const char* const next =
        batch_internal::ReadRecord(p, limit, &record, &shape);
    if (next == nullptr) return batch_internal::BadRecord(rep, p);
    counted += shape->counted;
    if (!visit(static_cast<const BatchRecord&>(record))) return {};
    p = next;
  }
  const uint32_t count = DecodeFixed32(rep.data() + kBatchCountOffset);
  // (2)
  if (counted != count) return batch_internal::WrongCount(count, counted);
  return {};
}

}  // namespace ROCKSDB_NAMESPACE::engine
