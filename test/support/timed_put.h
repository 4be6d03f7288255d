// AddTimedPut: the record of a timed put, which no call of ours makes. A log of
// RocksDB, and a batch that a program made of bytes, can hold one.
//
// Place. Stress programs, next to their other writes.
// Model. A put; the time says nothing about what is read.
// Threads. Those of the batch.

#pragma once

#include <cstdint>
#include <string>

#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::test {

inline Status AddTimedPut(WriteBatch* batch, const ColumnFamilyHandle* family,
                          const Slice& key, const Slice& value,
                          uint64_t unix_time) {
  static constexpr engine::RecordKind kRecord{
      engine::ValueType::kValuePreferredSeqno,
      engine::ValueType::kColumnFamilyValuePreferredSeqno,
      engine::kHasTimedPut};
  std::string stored = value.ToString();
  engine::PutFixed64(&stored, unix_time);
  return engine::WriteBatchInternal::Add(
      batch, kRecord, family == nullptr ? 0 : family->GetID(), key, stored);
}

}  // namespace ROCKSDB_NAMESPACE::test
