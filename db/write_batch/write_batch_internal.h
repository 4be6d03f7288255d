// WriteBatchInternal: what the engine may do with a WriteBatch that a program
// may not.
//
// Place. The only friend of WriteBatch, and where records are written. The
// engine adds records by column family id, so that no handle is needed.

#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "db/write_batch/batch_format.h"
#include "db/write_batch/record_kinds.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/write_batch.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

class WriteBatchInternal {
 public:
  // The header.
  static uint32_t Count(const WriteBatch* batch) {
    return DecodeFixed32(batch->rep_.data() + kBatchCountOffset);
  }
  static void SetCount(WriteBatch* batch, uint32_t count) {
    EncodeFixed32(batch->rep_.data() + kBatchCountOffset, count);
  }
  static SequenceNumber Sequence(const WriteBatch* batch) {
    return DecodeFixed64(batch->rep_.data());
  }
  static void SetSequence(WriteBatch* batch, SequenceNumber sequence) {
    EncodeFixed64(batch->rep_.data(), sequence);
  }

  // The whole, header included.
  static Slice Contents(const WriteBatch* batch) { return batch->rep_; }
  // Takes the bytes of a log record. Corruption when there is no header; the
  // records are checked when they are read.
  static Status SetContents(WriteBatch* batch, const Slice& contents);

  // Adds one record. InvalidArgument: key or value of 4 GiB or more;
  // MemoryLimit: the batch would exceed its size limit. Both change nothing.
  static Status Add(WriteBatch* batch, const RecordKind& kind, uint32_t family,
                    const Slice& key);
  static Status Add(WriteBatch* batch, const RecordKind& kind, uint32_t family,
                    const Slice& key, const Slice& value);
  static Status Add(WriteBatch* batch, const RecordKind& kind, uint32_t family,
                    const SliceParts& key);
  static Status Add(WriteBatch* batch, const RecordKind& kind, uint32_t family,
                    const SliceParts& key, const SliceParts& value);
  static Status AddLogData(WriteBatch* batch, const Slice& blob);
  // A record has a place for its timestamp, and no timestamp yet.
  static void MarkLacksTimestamp(WriteBatch* batch) {
    SetFlags(batch, Flags(batch) | kLacksTimestamp);
  }
  static bool LacksTimestamp(const WriteBatch* batch) {
    return (Flags(batch) & kLacksTimestamp) != 0;
  }
  // A mark of a two-phase commit, behind the records so far. `name`: of the
  // transaction; kBeginPrepare has none. `timestamp`: of kCommitWithTimestamp.
  static void AddMark(WriteBatch* batch, ValueType mark,
                      const Slice& name = Slice(),
                      const Slice& timestamp = Slice());

  static Status Put(WriteBatch* batch, uint32_t family, const Slice& key,
                    const Slice& value) {
    return Add(batch, kPutRecord, family, key, value);
  }
  static Status Merge(WriteBatch* batch, uint32_t family, const Slice& key,
                      const Slice& operand) {
    return Add(batch, kMergeRecord, family, key, operand);
  }
  static Status Delete(WriteBatch* batch, uint32_t family, const Slice& key) {
    return Add(batch, kDeleteRecord, family, key);
  }
  static Status SingleDelete(WriteBatch* batch, uint32_t family,
                             const Slice& key) {
    return Add(batch, kSingleDeleteRecord, family, key);
  }
  static Status DeleteRange(WriteBatch* batch, uint32_t family,
                            const Slice& begin, const Slice& end) {
    return Add(batch, kDeleteRangeRecord, family, begin, end);
  }

  // Adds the records of `src` behind those of `dst`. `wal_only` leaves out
  // what follows the log termination point of `src`.
  // Errors: InvalidArgument when the counts do not fit 32 bits.
  static Status Append(WriteBatch* dst, const WriteBatch* src,
                       bool wal_only = false);

  // A batch's records as a handler sees them.
  static Status Dispatch(const BatchRecord& record, bool empty_so_far,
                         WriteBatch::Handler* handler);

 private:
  static uint32_t Flags(const WriteBatch* batch) {
    return batch->content_flags_.load(std::memory_order_relaxed);
  }
  // Only the batch's one writer stores: no locked instruction is needed.
  static void SetFlags(WriteBatch* batch, uint32_t flags) {
    batch->content_flags_.store(flags, std::memory_order_relaxed);
  }
  // Ends the record of `kind` that begins at `offset`: counts it, or takes it
  // away when the batch became too large.
  static Status Finish(WriteBatch* batch, const RecordKind& kind,
                       size_t offset);
};

}  // namespace ROCKSDB_NAMESPACE::engine
