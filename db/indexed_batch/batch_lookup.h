// BatchLookup: what a write batch alone says of a key, and the value that
// follows when the rest comes from a database.
//
// Place. Between FamilyIndex and the reads of WriteBatchWithIndex. Reads
// records and calls the merge operator; knows no database.
//
// Model. The records of the key from the newest to the oldest, until one of
// them is no merge operand or a range deletion hides the rest:
//
//   operands on a value, an entity, or a deletion   the batch decides
//   operands on nothing, or nothing at all          the database has the base

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/indexed_batch/family_index.h"
#include "db/read/merge_resolver.h"
#include "db/write_batch/batch_format.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE::engine {

struct BatchState {
  enum class Base : uint8_t {
    kUnknown,  // The batch does not say.
    kNone,     // Deleted.
    kValue,
    kEntity,
  };
  Base base = Base::kUnknown;
  Slice bytes;                        // Of a value or entity; in the batch.
  std::vector<std::string> operands;  // Newest first.

  bool decides() const { return base != Base::kUnknown; }
};

// One record of the batch. Corruption: there is none at this place.
Status ReadIndexedRecord(const FamilyIndex& index,
                         const FamilyIndex::Entry& entry, BatchRecord* record);

// Corruption: a record is damaged; NotSupported: it is of a kind that no
// program can put into a batch.
Status ReadBatchState(const FamilyIndex& index, const Slice& key,
                      BatchState* state);

// What a read answers: a plain value or an entity.
struct BatchAnswer {
  bool exists = false;
  bool is_entity = false;
  Slice bytes;         // In the batch, or
  std::string merged;  // here: bytes points to it.

  BatchAnswer() = default;
  BatchAnswer(const BatchAnswer&) = delete;
  BatchAnswer& operator=(const BatchAnswer&) = delete;
};

// REQUIRES: state.decides(). Errors: those of merging.
Status AnswerOf(const MergeContext& merge, const Slice& key,
                const BatchState& state, BatchAnswer* answer);
// The operands on what a database has; null: it has nothing.
Status AnswerOn(const MergeContext& merge, const Slice& key,
                const BatchState& state, const WideColumns* base,
                BatchAnswer* answer);

// NotFound, or the plain value that the answer stands for.
Status PlainValueOf(const BatchAnswer& answer, Slice* value);
Status ColumnsOf(const BatchAnswer& answer, PinnableWideColumns* columns);

}  // namespace ROCKSDB_NAMESPACE::engine
