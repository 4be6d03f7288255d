// CompactionIterator: decides which entries survive a flush or a compaction.
//
// Place. Between the merged inputs and the table builder. All its inputs are
// values: it knows no DB, no version and no files.
//
// Model. Entries of one user key arrive newest first. Snapshots cut the
// sequence numbers into stripes; within a stripe only the newest entry is
// visible to any reader:
//
//   sequence   9   8 | 6   5 | 3         snapshots at 7 and 4
//   entry      P   P | D   P | P
//   survives   P     | D     | P         (at the bottom: P, D, P -> P@0)
//
// Invariants:
//   (1) Keys come out strictly ascending.
//   (2) Every snapshot, and every reader without one, gets the same answers
//       after the rewrite as before.
//   (3) A deletion disappears only when nothing older can exist below.
//   (4) With user timestamps, versions of a key that are not below
//       full_history_ts_low stay, whatever is newer, unless the filter removes
//       them. A range deletion then drops only what would be merged into a
//       newer operand that it does not cover.
//   (5) An entry that a range deletion of its own stripe covers is dropped. No
//       entry becomes older than a range deletion that may stay.
//   (6) The filter is asked about a value only if it is the newest entry of its
//       key among the inputs and no range deletion is newer: older values are
//       what snapshots see, and what operands stand on. It is asked about every
//       operand that is not hidden.
//   (7) Of what has a timestamp later than trim_after nothing survives.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/blob/blob_stage.h"
#include "db/compaction/pause_token.h"
#include "db/read/merge_resolver.h"
#include "rocksdb/compaction_filter.h"
#include "table/internal_iterator.h"
#include "table/internal_key.h"
#include "table/range_del/tombstone_set.h"

namespace ROCKSDB_NAMESPACE::engine {

struct CompactionIteratorOptions {
  const InternalKeyComparator* icmp = nullptr;
  std::vector<SequenceNumber> snapshots;  // Ascending.
  MergeContext merge;
  const CompactionFilter* filter = nullptr;  // May be null.
  int level = 0;      // Of the inputs; told to the filter.
  InternalKey begin;  // Where to start; not valid: at the first entry.
  std::optional<std::string> end;  // The user key to stop in front of.
  // Nothing older of any key exists below the output.
  bool bottommost = false;
  // Otherwise asked per key, with ascending keys; null means "may exist".
  std::function<bool(const Slice& user_key)> may_exist_below;
  // Where others may write below meanwhile: asked, with ascending keys, for
  // deletions alone whether they still have something to delete. Null: yes.
  std::function<bool(const Slice& user_key)> deletion_needed;
  // Reads what blob indexes point at, where a merge or the filter needs it.
  // Null: the inputs have none.
  BlobFetcher* blobs = nullptr;
  // The range deletions of all inputs; null: none. Must outlive the iterator.
  const TombstoneSet* tombstones = nullptr;
  // Families with user timestamps: versions older than this count as versions
  // of one key, of which only the newest is wanted. Empty: all are kept.
  std::string full_history_ts_low;
  // What has a later timestamp is dropped, whatever may still read it. Empty:
  // nothing is.
  std::string trim_after;
};

// Counted for statistics and EVENT_LOG.
struct CompactionIteratorStats {
  uint64_t input_records = 0;
  uint64_t input_key_bytes = 0;
  uint64_t input_value_bytes = 0;
  uint64_t input_deletions = 0;
  uint64_t dropped_hidden = 0;    // Overwritten within a stripe.
  uint64_t dropped_obsolete = 0;  // Deletions with nothing left to delete.
  uint64_t dropped_by_filter = 0;
  uint64_t dropped_by_range_deletion = 0;
  uint64_t single_delete_mismatches = 0;
  // A compaction filter skipped entries: the input was not read whole.
  bool skipped_input = false;

  void Add(const CompactionIteratorStats& other);
};

class CompactionIterator {
 public:
  // `input` must outlive the iterator.
  CompactionIterator(CompactionIteratorOptions options,
                     InternalIterator* input);

  // Polled for each entry of the input, shown or dropped, from the next step
  // on. Must outlive the iterator or be replaced.
  void set_token(const PauseToken* token) { token_ = token; }

  void SeekToFirst();
  void Next();
  // The token stopped it on its way to the next entry: not valid, and no
  // end. Continue() goes on.
  bool interrupted() const { return interrupted_; }
  void Continue() { FindNext(); }
  bool Valid() const { return valid_; }
  Slice key() const { return key_; }
  Slice value() const { return value_; }
  Slice user_key() const { return ExtractUserKey(key_); }
  const Status& status() const { return status_; }
  const CompactionIteratorStats& stats() const { return stats_; }

 private:
  using Entry = std::pair<std::string, std::string>;
  struct Operands {  // Newest first.
    std::vector<SequenceNumber> sequences;
    std::vector<std::string> values;
  };
  struct Version {
    SequenceNumber sequence;
    Slice timestamp;
  };
  struct MergeBase {
    SequenceNumber sequence;
    ValueType type;
    std::string user_key;  // Its blobs know it by these bytes.
    std::string value;
  };

  void CountInput();
  void NoteKey(const ParsedInternalKey& entry);
  bool IsGone(const ParsedInternalKey& entry);
  void FindNext();
  void StartKey(const Slice& user_key);
  bool ReadEntry(ParsedInternalKey* entry);
  bool IsPastEnd(const ParsedInternalKey& entry) const;
  void StepInput();
  // These handle the newest entry of a stripe, each its types; true when
  // something is to be shown.
  bool HandleVisible(const ParsedInternalKey& entry);
  bool HandleValue(const ParsedInternalKey& entry);
  bool HandleDeletion(const ParsedInternalKey& entry);
  bool HandleSingleDeletion(const ParsedInternalKey& entry);
  bool HandleHiddenSingleDeletion(const ParsedInternalKey& entry);
  bool HandleMerge(const ParsedInternalKey& first);
  bool KeepValue(const ParsedInternalKey& entry);
  bool FilterDecides(const ParsedInternalKey& entry) const;
  // What the filter makes of a value.
  struct Change {
    std::string value;
    std::vector<std::pair<std::string, std::string>> columns;
  };
  CompactionFilter::Decision AskFilter(const ParsedInternalKey& entry,
                                       Change* change);
  bool FilterValue(const ParsedInternalKey& entry);
  // What a value in the table or in a blob file is, without its dress.
  Status PlainOrBlob(ValueType type, const Slice& user_key, const Slice& stored,
                     BlobValue* blob, Slice* value);
  // `entity`, or, if columns of it are in blob files, *inlined.
  Status WithoutBlobs(const Slice& user_key, Slice* entity,
                      std::string* inlined);
  bool ShowNewColumns(SequenceNumber sequence, const Change& change);
  void ShowInput(const ParsedInternalKey& entry, SequenceNumber sequence);
  void ShowOwned(SequenceNumber sequence, ValueType type, std::string value);
  bool ShowPending();
  void TakeOperand(const ParsedInternalKey& entry, Operands* operands);
  bool ShowMerged(const Operands& operands,
                  const std::optional<MergeBase>& base);
  bool ShowBase(std::optional<MergeBase>& base);
  bool EmitOperands(const std::vector<SequenceNumber>& sequences,
                    std::vector<std::string>* operands);

  SequenceNumber Stripe(SequenceNumber sequence) const;
  // Of the user key at hand: an entry with this sequence is covered.
  bool Covered(SequenceNumber sequence) const;
  bool Parted(const Version& newer, const ParsedInternalKey& older) const;
  bool InRangeDeletion() const;
  // What an entry's sequence becomes: 0 where that changes no answer.
  SequenceNumber Rewritten(SequenceNumber sequence,
                           const Slice& user_key) const;
  bool NothingBelow(const Slice& user_key) const;
  // Nothing is left that a deletion with this sequence deletes.
  bool DeletionIsDone(SequenceNumber sequence, const Slice& user_key) const;
  bool SameKey(const Slice& user_key) const;
  // (7)
  bool IsTrimmed(const Slice& user_key) const;
  // No read may use this version's timestamp any more.
  bool IsHistory(const Slice& user_key) const;
  // Seen by every snapshot, and nothing older below.
  bool AtBottom(SequenceNumber sequence, const Slice& user_key) const;

  // Of a family with timestamps; its range deletions drop nothing here.
  const TombstoneSet* const timed_tombstones_;
  const CompactionIteratorOptions options_;
  InternalIterator* const input_;
  const SequenceNumber oldest_snapshot_;

  Status status_;
  CompactionIteratorStats stats_;
  const PauseToken* token_ = nullptr;
  bool interrupted_ = false;
  bool valid_ = false;
  Slice key_;
  Slice value_;

  // Of the user key at hand.
  bool has_key_ = false;
  bool newest_ = false;  // No entry of the key came before the one at hand.
  std::string user_key_;
  SequenceNumber hidden_stripe_ = 0;  // Entries of this stripe are hidden.
  size_t points_behind_ = 0;          // Ends of range deletions up to the key.
  bool stripe_taken_ = false;
  bool hidden_by_value_ = false;  // What took the stripe is a value.

  bool shows_input_ = false;  // value_ points into the input's entry.
  std::string key_buffer_;
  std::string value_buffer_;
  std::deque<Entry> pending_;
  std::string skip_until_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
