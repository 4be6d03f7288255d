// FamilyIndex: the records of a write batch that belong to one column family,
// sorted by key.
//
// Place. One for each family of a WriteBatchWithIndex, below its lookups and
// iterators.
//
// Model. Entries are offsets into the batch, sorted by key and, for one key, by
// offset. They lie in chunks of bounded size, so that an insertion moves a few
// kilobytes at most and a search looks into memory that lies together:
//
//   chunks   [ a@12 a@80 b@30 | c@55 f@41 | ... ]
//
// Range deletions stand in a list of their own, oldest first.
//
// A cursor knows its entry as well as its place: when entries were added
// meanwhile it finds its place again.
//
// Invariants:
//   (1) No chunk is empty, and none has more than kChunkMax entries.
//   (2) Entries ascend by key, then by offset, over all chunks.
//
// Threads. As WriteBatch.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

class FamilyIndex {
 public:
  // A record and its key, as offsets into the batch. The key is without its
  // timestamp.
  struct Entry {
    size_t record = 0;
    size_t key = 0;
    uint32_t key_size = 0;
  };
  struct RangeDeletion {
    size_t record = 0;
    size_t begin = 0;
    size_t end = 0;
    uint32_t begin_size = 0;
    uint32_t end_size = 0;
  };
  class Cursor;

  // `batch`: the bytes of the batch, which may move but not change, apart from
  // timestamps.
  FamilyIndex(const std::string* batch, const Comparator* comparator)
      : batch_(batch), comparator_(comparator) {}
  FamilyIndex(const FamilyIndex&) = delete;
  FamilyIndex& operator=(const FamilyIndex&) = delete;

  const Comparator* comparator() const { return comparator_; }
  const std::string& batch() const { return *batch_; }

  void Add(const Entry& entry);
  // In the place of the newest entry of the same key, if there is one.
  void AddOrReplace(const Entry& entry);
  void AddRangeDeletion(const RangeDeletion& deletion);
  void Clear();

  Slice KeyOf(const Entry& entry) const {
    return {batch_->data() + entry.key, entry.key_size};
  }
  // Keys without timestamps.
  int Compare(const Slice& a, const Slice& b) const {
    return comparator_->CompareWithoutTimestamp(a, /*a_has_ts=*/false, b,
                                                /*b_has_ts=*/false);
  }

  bool has_range_deletions() const { return !range_deletions_.empty(); }
  // The record of the newest range deletion over the key; 0: none.
  size_t NewestDeletionOver(const Slice& key) const;
  // The farthest end of the range deletions over the key, or begin for
  // `backward`. False: none is over it.
  bool EndOfDeletion(const Slice& key, bool backward, Slice* end) const;

 private:
  struct Place {
    size_t chunk = 0;
    size_t slot = 0;
  };
  static constexpr size_t kChunkMax = 256;

  // The first entry whose key is not before `key` or, with `after`, is behind
  // it.
  Place Find(const Slice& key, bool after) const;
  // The first entry that is not before this one.
  Place FindEntry(const Entry& entry) const;
  template <typename IsBefore>
  Place Partition(const IsBefore& is_before) const;
  bool IsEnd(const Place& place) const { return place.chunk == chunks_.size(); }
  const Entry& At(const Place& place) const {
    return chunks_[place.chunk][place.slot];
  }
  bool StepBack(Place* place) const;
  void InsertAt(Place place, const Entry& entry);

  const std::string* const batch_;
  const Comparator* const comparator_;
  std::vector<std::vector<Entry>> chunks_;
  std::vector<RangeDeletion> range_deletions_;
  uint64_t changes_ = 0;
};

// A position in the index. Ends with Clear().
class FamilyIndex::Cursor {
 public:
  explicit Cursor(const FamilyIndex* index) : index_(index) {}

  bool Valid() const { return valid_; }
  // REQUIRES: Valid().
  const Entry& entry() const { return entry_; }
  Slice key() const { return index_->KeyOf(entry_); }

  void SeekToFirst() { StandAt({}); }
  void SeekToLast();
  void Seek(const Slice& key) { StandAt(index_->Find(key, /*after=*/false)); }
  void SeekForPrev(const Slice& key);
  void Next();
  void Prev();
  // To the first entry of the next key, and to the last of the previous one.
  void NextKey();
  void PrevKey();

 private:
  void StandAt(const Place& place);
  void StandBefore(Place place);
  void FindAgain();

  const FamilyIndex* const index_;
  bool valid_ = false;
  Place place_;
  Entry entry_;
  uint64_t changes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
