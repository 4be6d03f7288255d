// Record kinds: what a program can put into a batch, and the bits by which a
// batch remembers what it contains.

#pragma once

#include <cstdint>

#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

// Not on disk. kDeferred: not computed yet (a batch made from bytes).
enum ContentFlag : uint32_t {
  kDeferred = 1 << 0,
  kHasPut = 1 << 1,
  kHasDelete = 1 << 2,
  kHasSingleDelete = 1 << 3,
  kHasMerge = 1 << 4,
  kHasBeginPrepare = 1 << 5,
  kHasEndPrepare = 1 << 6,
  kHasCommit = 1 << 7,
  kHasRollback = 1 << 8,
  kHasDeleteRange = 1 << 9,
  kHasBlobIndex = 1 << 10,
  kHasPutEntity = 1 << 11,
  kHasTimedPut = 1 << 12,
  // A key has room for a timestamp, which UpdateTimestamps() has to give.
  kLacksTimestamp = 1 << 13,
};

struct RecordKind {
  ValueType plain;        // tag in column family 0
  ValueType with_family;  // tag elsewhere
  ContentFlag flag;
};

inline constexpr RecordKind kPutRecord{ValueType::kValue,
                                       ValueType::kColumnFamilyValue, kHasPut};
inline constexpr RecordKind kMergeRecord{
    ValueType::kMerge, ValueType::kColumnFamilyMerge, kHasMerge};
inline constexpr RecordKind kDeleteRecord{
    ValueType::kDeletion, ValueType::kColumnFamilyDeletion, kHasDelete};
inline constexpr RecordKind kSingleDeleteRecord{
    ValueType::kSingleDeletion, ValueType::kColumnFamilySingleDeletion,
    kHasSingleDelete};
inline constexpr RecordKind kPutEntityRecord{
    ValueType::kWideColumnEntity, ValueType::kColumnFamilyWideColumnEntity,
    kHasPutEntity};
inline constexpr RecordKind kDeleteRangeRecord{
    ValueType::kRangeDeletion, ValueType::kColumnFamilyRangeDeletion,
    kHasDeleteRange};

// The flag of a record that was read; 0 for those without one.
constexpr uint32_t ContentFlagOf(ValueType type) {
  switch (type) {
    case ValueType::kValue:
      return kHasPut;
    case ValueType::kDeletion:
      return kHasDelete;
    case ValueType::kSingleDeletion:
      return kHasSingleDelete;
    case ValueType::kMerge:
      return kHasMerge;
    case ValueType::kRangeDeletion:
      return kHasDeleteRange;
    case ValueType::kBlobIndex:
      return kHasBlobIndex;
    case ValueType::kWideColumnEntity:
      return kHasPutEntity;
    case ValueType::kValuePreferredSeqno:
      return kHasTimedPut;
    case ValueType::kBeginPrepare:
    case ValueType::kBeginPersistedPrepare:
    case ValueType::kBeginUnprepare:
      return kHasBeginPrepare;
    case ValueType::kEndPrepare:
      return kHasEndPrepare;
    case ValueType::kCommit:
    case ValueType::kCommitWithTimestamp:
      return kHasCommit;
    case ValueType::kRollback:
      return kHasRollback;
    default:
      return 0;
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
