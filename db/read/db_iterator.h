// DbIterator: what DB::NewIterator returns; user keys at one sequence.
//
// Place. Wraps a merging iterator over memtables and tables (internal keys)
// and shows each user key once, at its newest visible version.
//
// Model. Going forward the internal iterator stands on the entry shown, so
// key and value point into it without a copy (except after a merge, when it
// has moved past all operands). Going backward it stands just before the
// entries of the key shown, which are saved.
//
//   forward:   [a@9] a@3  b@7x b@2  [c@4]      x = deletion, [] = shown
//   backward:  versions of a key arrive oldest first; the last visible wins
//
// Invariants:
//   (1) A key outside [lower, upper) is never shown.
//   (2) After an error valid is false and status() says why.
//
// Threads. One at a time.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/read/merge_resolver.h"
#include "rocksdb/iterator.h"
#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "table/internal_iterator.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

struct DbIteratorDeps {
  const InternalKeyComparator* icmp = nullptr;
  SequenceNumber sequence = 0;
  MergeContext merge;
  std::shared_ptr<const SliceTransform> prefix_extractor;
  uint64_t max_sequential_skips = 8;
  uint64_t view_number = 0;
  // Makes a fresh internal iterator and sequence for Refresh(); null when
  // the iterator cannot be refreshed.
  std::function<Status(const Snapshot*, class DbIterator*)> reopen;
};

class DbIterator final : public Iterator {
 public:
  DbIterator(DbIteratorDeps deps, const ReadOptions& options,
             std::unique_ptr<InternalIterator> iter);
  ~DbIterator() override;

  bool Valid() const override { return valid_; }
  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const Slice& target) override;
  void SeekForPrev(const Slice& target) override;
  void Next() override;
  void Prev() override;
  Slice key() const override;
  Slice value() const override;
  const WideColumns& columns() const override;
  Status status() const override;
  Status Refresh() override;
  Status Refresh(const Snapshot* snapshot) override;
  Status GetProperty(std::string name, std::string* value) override;

  // Replaces what the iterator reads; it stands nowhere afterwards.
  void Reset(std::unique_ptr<InternalIterator> iter, SequenceNumber sequence,
             uint64_t view_number);

 private:
  enum class Direction : uint8_t { kForward, kReverse };
  // What the newest visible version of a key, met in reverse, amounts to.
  enum class Found : uint8_t { kNothing, kPlain, kMerged, kError };

  void ClearState();
  void Fail(const Status& status);
  bool BeyondUpper(const Slice& user_key) const;
  bool BelowLower(const Slice& user_key) const;
  bool LeftPrefix(const Slice& user_key) const;
  void RememberPrefix(const Slice& target);
  void SaveKey(const Slice& user_key) {
    saved_key_.assign(user_key.data(), user_key.size());
  }

  // Forward.
  void FindNextUserEntry(bool skipping_saved_key);
  // Shows `value`, of a type that does not store it as the user gave it; it
  // stays where it is.
  void ShowDressed(ValueType type, const Slice& value);
  // Handles one visible entry; returns true when the search is over.
  bool ShowOrHide(const ParsedInternalKey& entry, bool* skipping);
  void MergeForward();
  bool ResolveSaved(bool has_base, ValueType type, const Slice& base);
  void SkipSavedKeyBySeek();
  bool SkipNewerBySeek(const Slice& user_key);

  // Reverse.
  void FindPrevUserEntry();
  Found CollectVersions();
  Found AbsorbVersion(const ParsedInternalKey& entry, Found so_far);
  bool ResolveReverse(Found found);
  void TurnToReverse();
  void TurnToForward();

  DbIteratorDeps deps_;
  const Slice* const lower_;
  const Slice* const upper_;
  const bool same_prefix_;
  const ReadTier read_tier_;
  const uint64_t max_skippable_;

  std::unique_ptr<InternalIterator> iter_;
  Status status_;
  Direction direction_ = Direction::kForward;
  bool valid_ = false;
  bool shows_saved_ = false;   // key and value are the saved ones.
  bool at_merge_end_ = false;  // Forward, past the operands of the key shown.
  uint64_t skipped_ = 0;
  std::string saved_key_;
  std::string newer_key_;      // Of the versions skipped as too new ...
  uint64_t newer_in_row_ = 0;  // ... and how many in a row.
  std::string saved_value_;
  std::string prefix_;
  bool has_prefix_ = false;
  bool merge_base_ = false;  // Reverse: saved_value_ is the operands' base.
  // Of what kind saved_value_ is, while versions are collected.
  ValueType saved_type_ = ValueType::kValue;
  // The value shown is part of an entry: the default column of an entity, a
  // timed put without its suffix.
  bool shows_part_ = false;
  Slice part_;
  // Of the value shown; those of plain values are made when asked for.
  mutable WideColumns columns_;
  bool shows_entity_ = false;
  std::vector<std::string> operands_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
