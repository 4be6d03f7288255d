// GetContext: collects what one point lookup finds, newest entry first.
//
// Place. Filled by the memtable and by table readers, in the order memtable,
// immutable memtables, L0 newest to oldest, levels downwards; read by
// db/read/point_lookup.
//
// Model. Each source hands over the entries of the user key that are visible
// at the read's sequence, newest first, until Add() answers "decided".
//
//   kNotFound --value--> kFound          --delete--> kDeleted
//   kNotFound --merge--> kMerge --value/delete/end--> merged by the caller
//
// A source with range deletions first says which sequences they cover. Covered
// entries count as deletions. After the last entry of such a source the key is
// decided, because everything older is covered.
//
// Invariants:
//   (1) Once decided, Add() is not called again.
//   (2) In kMerge the operands are kept newest first in `operands`.
//
// Threads. One lookup, one thread. No allocation unless operands are merged.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

class GetContext {
 public:
  enum class State : uint8_t {
    kNotFound,  // Nothing yet: keep looking in older sources.
    kFound,     // A plain value, in *value.
    kDeleted,
    kMerge,         // Operands collected, base still unknown.
    kMergeFound,    // Operands collected and a base value, in *value.
    kMergeDeleted,  // Operands collected, base known to be absent.
    // As kFound and kMergeFound, but *value is a blob index: what it points
    // at is the caller's to read.
    kBlobFound,
    kMergeBlobFound,
    kBadValue,  // A value that cannot be shown; see value_status().
    kCorrupt,
  };

  // `value` may be null when only existence matters. It receives the value
  // (or merge base, or the blob index of either), pinned to its block when the
  // source offers a pinner, else copied.
  GetContext(const Slice& user_key, SequenceNumber sequence,
             PinnableSlice* value)
      : user_key_(user_key), sequence_(sequence), value_(value) {}

  const Slice& user_key() const { return user_key_; }
  SequenceNumber sequence() const { return sequence_; }
  State state() const { return state_; }
  const Status& value_status() const { return value_status_; }

  // Entities come whole, as they are stored, instead of as their default
  // column; found_entity() then says that *value is one.
  void WantEntities() { wants_entities_ = true; }
  bool found_entity() const { return found_entity_; }
  // Newest first; owned copies.
  std::vector<std::string>& operands() { return operands_; }
  SequenceNumber found_sequence() const { return found_sequence_; }

  // True when no older source can change the answer.
  bool Decided() const {
    return state_ != State::kNotFound && state_ != State::kMerge;
  }

  // The entry that Add() takes next points at blobs, and they know it by this
  // key, of which the bytes may differ from those of user_key().
  void NoteStoredKey(const Slice& stored) {
    if (stored != user_key_) stored_key_ = stored.ToString();
  }
  // As it was stored where it was noted, else as it was asked for.
  Slice stored_key() const {
    return stored_key_.has_value() ? Slice(*stored_key_) : user_key_;
  }

  // Takes one entry of the user key. Returns true when older entries are
  // still wanted. `pinner`, if given, keeps `value`'s bytes alive: on
  // kFound its cleanups are handed to the PinnableSlice.
  bool Add(ValueType type, SequenceNumber sequence, const Slice& value,
           Cleanable* pinner);

  // Families with user timestamps: *timestamp becomes that of the newest entry,
  // which is the answer's. REQUIRES: called before entries are offered.
  void WantTimestamp(std::string* timestamp) { timestamp_ = timestamp; }
  bool wants_timestamp() const { return timestamp_ != nullptr; }
  // Asked before Add() then. False: an entry of an older timestamp that is too
  // new for the lookup's sequence.
  bool Accept(const Slice& timestamp, SequenceNumber sequence) {
    if (sequence > sequence_) return false;
    if (state_ == State::kNotFound) {
      timestamp_->assign(timestamp.data(), timestamp.size());
    }
    return true;
  }

  // Range deletions are not to be seen: Cover() does nothing from now on.
  void IgnoreRangeDeletions() { ignores_ranges_ = true; }
  // A range deletion with this sequence, visible to the lookup, is over the
  // key; 0: none.
  void Cover(SequenceNumber sequence) {
    if (sequence > cover_ && !ignores_ranges_) cover_ = sequence;
  }
  bool covered() const { return cover_ > 0; }
  SequenceNumber cover() const { return cover_; }
  // The source that called Cover() has no more entries.
  void EndCoveringSource() {
    if (cover_ > 0 && !Decided()) EndByDeletion();
  }

  // Asked after each merge operand, newest first: false ends the lookup as if
  // nothing lay below. Outlives the context.
  void AskAfterOperands(const std::function<bool(Slice)>* wants_more) {
    wants_more_ = wants_more;
  }

  // Of a block cache trace: the number of the lookup; 0: it has none yet.
  uint64_t trace_id() const { return trace_id_; }
  void set_trace_id(uint64_t id) { trace_id_ = id; }

  // The entry at hand cannot be shown, for this reason.
  void MarkBad(Status reason) {
    value_status_ = std::move(reason);
    state_ = State::kBadValue;
  }

 private:
  void SaveValue(const Slice& value, Cleanable* pinner);
  // A value that is not stored as the user gave it.
  void AddDressedValue(ValueType type, const Slice& stored, Cleanable* pinner);
  // The value or the base is known, or, with `in_blob`, where it is.
  void EndByValue(bool in_blob) {
    if (state_ == State::kMerge) {
      state_ = in_blob ? State::kMergeBlobFound : State::kMergeFound;
    } else {
      state_ = in_blob ? State::kBlobFound : State::kFound;
    }
  }
  void EndByDeletion() {
    state_ = state_ == State::kMerge ? State::kMergeDeleted : State::kDeleted;
  }

  const Slice user_key_;
  const SequenceNumber sequence_;
  PinnableSlice* const value_;
  State state_ = State::kNotFound;
  SequenceNumber found_sequence_ = 0;
  SequenceNumber cover_ = 0;  // Entries older than it are deleted.
  uint64_t trace_id_ = 0;
  bool ignores_ranges_ = false;
  std::string* timestamp_ = nullptr;
  std::optional<std::string> stored_key_;
  bool wants_entities_ = false;
  bool found_entity_ = false;
  Status value_status_;
  const std::function<bool(Slice)>* wants_more_ = nullptr;
  std::vector<std::string> operands_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
