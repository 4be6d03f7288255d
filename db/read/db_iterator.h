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
// A value that is a blob index is replaced by what it points at, which the
// iterator then holds itself.
//
//   forward:   [a@9] a@3  b@7x b@2  [c@4]      x = deletion, [] = shown
//   backward:  versions of a key arrive oldest first; the last visible wins
//
// A tailing iterator goes forward only. Before each seek, and before a step
// when the view has changed, it takes the newest state; in between it sees
// what the memtable gets.
//
// A seek that prefix filters made leave out files knows the keys with its
// prefix only: it ends with them, and turning back reads everything again.
//
// Invariants:
//   (1) A key outside [lower, upper) is never shown.
//   (2) After an error valid is false and status() says why.
//   (3) With pin_data, what was shown pinned stays until the iterator dies,
//       whatever state it reads meanwhile.
//
// Threads. One at a time.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/blob/blob_source.h"
#include "db/read/iterator_source.h"
#include "db/read/merge_resolver.h"
#include "db/trace/query_tracer.h"
#include "rocksdb/iterator.h"
#include "rocksdb/options.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

struct DbIteratorDeps {
  const InternalKeyComparator* icmp = nullptr;
  MergeContext merge;
  const BlobSource* blobs = nullptr;
  SystemClock* clock = nullptr;  // Null only without statistics.
  uint64_t max_sequential_skips = 8;
  SeekTrace trace;
  // Null when the iterator cannot be refreshed.
  std::unique_ptr<IteratorSource> source;
};

class DbIterator final : public Iterator {
 public:
  DbIterator(DbIteratorDeps deps, const ReadOptions& options,
             IteratorState state);
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
  bool PrepareValue() override;

 private:
  enum class Direction : uint8_t { kForward, kReverse };
  // What the newest visible version of a key, met in reverse, amounts to.
  enum class Found : uint8_t { kNothing, kPlain, kMerged, kError };

  void ClearState();
  void Fail(const Status& status);
  // Replaces what the iterator reads; it stands nowhere afterwards.
  void TakeState(IteratorState state);
  // Tailing: what is newest.
  void CatchUp();
  void CatchUpOnTheWay();
  bool RefusesToGoBack();
  // What `blob_index`, of an entry of `user_key`, points at, into blob_value_.
  Status ReadBlob(const Slice& user_key, const Slice& blob_index);
  // `entity`, or, if columns of it are in blob files, `inlined_`.
  Status ReadBlobColumns(const Slice& user_key, Slice* entity);
  bool BeyondUpper(const Slice& user_key) const;
  bool BelowLower(const Slice& user_key) const;
  bool LeftPrefix(const Slice& user_key) const;
  void RememberPrefix(const Slice& target);
  void ForgetPrefix() {
    has_prefix_ = false;
    if (state_.prefix != nullptr) state_.prefix->ReadWhole();
  }
  bool SamePrefix() const { return same_prefix_ && extractor() != nullptr; }
  const SliceTransform* extractor() const { return state_.extractor.get(); }
  // The end of a seek or step: adds up what it met. `own`: entries it left
  // behind because they had been shown.
  void EndStep(uint64_t own);
  void EndSeek();
  void SaveKey(const Slice& user_key) {
    saved_key_.assign(user_key.data(), user_key.size());
    if (pins_) [[unlikely]]
      NotePinnedKey(user_key);
  }
  void NotePinnedKey(const Slice& user_key);
  void SeekFor(const Slice& user_key);
  void SeekForPrevFor(const Slice& user_key);
  void GoBackFromUpper();
  // False after an error.
  bool NeedValue() { return iter_->ValueIsRead() || ReadValue(); }
  bool ReadValue();

  // Forward.
  void FindNextUserEntry(bool skipping_saved_key);
  // Shows `value`, of a type that does not store it as the user gave it; it
  // stays where it is.
  void ShowDressed(ValueType type, const Slice& user_key, const Slice& value);
  // Handles one visible entry; returns true when the search is over.
  bool ShowOrHide(const ParsedInternalKey& entry, bool* skipping);
  void MergeForward();
  // What operands are merged onto. The bytes of its key may differ from those
  // that are shown, and its blobs know it by its own.
  struct MergeBase {
    bool exists = false;
    ValueType type = ValueType::kValue;
    Slice key;
    Slice value;
  };
  bool ResolveSaved(const MergeBase& base);
  void SkipSavedKeyBySeek();
  bool SkipNewerBySeek(const Slice& user_key);

  // Reverse.
  void FindPrevUserEntry();
  Found CollectVersions();
  Found CollectFromNewest();
  void SeekBeforeSavedKey();
  Found AbsorbVersion(const ParsedInternalKey& entry, Found so_far);
  bool ResolveReverse(Found found);
  void TurnToReverse();
  void TurnToForward();

  DbIteratorDeps deps_;
  const Slice* const lower_;
  const Slice* const upper_;
  const Snapshot* renewed_snapshot_;  // Null: not renewed by itself.
  const bool same_prefix_;
  const bool tailing_;
  const bool pins_;
  const bool unprepared_;
  const uint64_t max_skippable_;
  const ReadOptions read_options_;  // For blobs.

  IteratorState state_;
  InternalIterator* iter_;  // state_'s.
  SequenceNumber sequence_;
  // States whose keys and values have to stay.
  std::vector<IteratorState> pinned_states_;
  Status status_;
  Direction direction_ = Direction::kForward;
  bool valid_ = false;
  bool shows_saved_ = false;   // key and value are the saved ones.
  bool at_merge_end_ = false;  // Forward, past the operands of the key shown.
  uint64_t skipped_ = 0;
  // Entries that the present step has met and not shown. In reverse the one
  // shown is among the keys, and so are the deletions.
  struct Met {
    uint64_t keys = 0;
    uint64_t deletions = 0;
    uint64_t too_new = 0;
  };
  Met met_;
  uint64_t hidden_ = 0;  // Of all steps, if statistics are kept.
  std::string saved_key_;
  std::string newer_key_;      // Of the versions skipped as too new ...
  uint64_t newer_in_row_ = 0;  // ... and how many in a row.
  std::string saved_value_;
  std::string prefix_;
  bool has_prefix_ = false;
  // With pins_: the saved key and value where they came from, if they stay
  // there.
  Slice pinned_key_;
  Slice pinned_value_;
  bool key_is_pinned_ = false;
  bool value_is_pinned_ = false;
  bool merge_base_ = false;  // Reverse: saved_value_ is the operands' base.
  std::string base_key_;     // Its key; unused where keys compare as bytes.
  // Of what kind saved_value_ is, while versions are collected.
  ValueType saved_type_ = ValueType::kValue;
  // The value shown is not an entry's as it is: the default column of an
  // entity, a timed put without its suffix, what a blob index points at.
  bool shows_part_ = false;
  PinnableSlice blob_value_;  // Then part_ may be this, ...
  std::string inlined_;       // ... or in this.
  bool part_is_read_ = false;
  Slice part_;
  // Of the value shown; those of plain values are made when asked for.
  mutable WideColumns columns_;
  bool shows_entity_ = false;
  std::vector<std::string> operands_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
