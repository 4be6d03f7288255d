// SurvivingTombstones: which range deletions a flush or compaction writes, and
// into which of its files.
//
// Place. Used together with CompactionIterator, which drops the entries that
// range deletions cover. Pure.
//
// Model. Fragments of the inputs' range deletions are also cut where output
// files begin and end, so that the fragments in a file lie within its bounds:
//
//   inputs      |------------- 9 -------------|
//                      |---- 5 ----|
//   files       1            | 2              | 3
//   written     |- 9 --|9 5--||9 5-|--- 9 ----|      (file 3: none)
//
// Of the range deletions between two neighbouring snapshots, readers see only
// the newest. One that every snapshot sees, over keys that do not exist in
// lower levels, is dropped: the entries that it covers are not written either.
//
// Threads. Any.

#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "db/manifest/file_metadata.h"
#include "table/internal_key.h"
#include "table/range_del/tombstone_set.h"

namespace ROCKSDB_NAMESPACE::engine {

// The oldest snapshot (of an ascending list) that sees `sequence`; kSequenceMax
// when only readers without a snapshot do. Entries with the same one are
// seen together or not at all, but for the newer hiding the older.
SequenceNumber StripeOf(const std::vector<SequenceNumber>& snapshots,
                        SequenceNumber sequence);

class SurvivingTombstones {
 public:
  struct Options {
    std::vector<SequenceNumber> snapshots;  // Ascending.
    // Older entries of [begin, end) may exist below the output. Asked by
    // several threads; null: they may.
    std::function<bool(const Slice& begin, const Slice& end)> may_exist_below;
  };

  // `set` must outlive the object.
  SurvivingTombstones(const TombstoneSet* set, Options options)
      : set_(*set), options_(std::move(options)) {}

  // What a file of the user keys from `low` up to, not including, `high` (null:
  // open) has to hold: by begin, newest first. The slices point into the set
  // and the bounds.
  std::vector<RangeTombstone> Between(const Slice* low,
                                      const Slice* high) const;

  // Fragments whose oldest range deletion has done its work.
  size_t CountObsolete() const;

 private:
  // What a range deletion is besides its ends.
  struct Mark {
    SequenceNumber sequence = 0;
    Slice timestamp;
    bool operator==(const Mark&) const = default;
  };

  // Those over [begin, end), a part of `fragment`, that are needed. True: one
  // that has done its work is left out.
  bool Needed(size_t fragment, const Slice& begin, const Slice& end,
              std::vector<Mark>* newest_first) const;

  const TombstoneSet& set_;
  const Options options_;
};

// Appends the file's range deletions as far as they lie within its bounds.
// `ends` keeps keys that are made here.
void AppendWithin(const TombstoneSet& set, const FileMetaData& file,
                  std::deque<std::string>* ends,
                  std::vector<RangeTombstone>* out);

}  // namespace ROCKSDB_NAMESPACE::engine
