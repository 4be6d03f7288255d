// TimestampIterator: what DB::NewIterator returns for families whose keys end
// with a user timestamp.
//
// Place. Over the same merging iterator as DbIterator. It is a class of its own
// so that families without timestamps pay nothing.
//
// Model. The versions of a key lie next to each other, newest timestamp first.
// A group is what is shown as one entry: with ReadOptions::timestamp alone all
// versions of a key, of which the newest one at or before that time counts;
// with iter_start_ts each timestamp of a key for itself, deletions included:
//
//   k@9 k@5 k@2x j@..      timestamp 6:                  [k@5]
//   groups  k   |  j       timestamp 6, iter_start_ts 2: [k@5] [k@2x]
//
// Going forward the internal iterator stands on the entry shown (or behind its
// merge operands); going backward every step seeks to the begin of a group and
// resolves it forward, and value() points there.
//
// Invariants:
//   (1) saved_ holds the internal key shown: key() and timestamp() are its
//       parts.
//   (2) A key outside the bounds, which are without timestamps, is not shown.
//
// Threads. One at a time.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/read/merge_resolver.h"
#include "db/trace/query_tracer.h"
#include "rocksdb/iterator.h"
#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "table/internal_iterator.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

struct TimestampIteratorDeps {
  const InternalKeyComparator* icmp = nullptr;
  SequenceNumber sequence = 0;
  MergeContext merge;
  std::shared_ptr<const SliceTransform> prefix_extractor;
  SeekTrace trace;
  // Makes a fresh internal iterator and its sequence, for Refresh().
  std::function<std::unique_ptr<InternalIterator>(const Snapshot*,
                                                  SequenceNumber*)>
      reopen;
};

// InvalidArgument: `timestamp` and `iter_start_ts` are not of `size` bytes,
// that of `owner`'s timestamps (a family, a file).
Status CheckReadTimestampSize(const ReadOptions& options, size_t size,
                              const std::string& owner);
// For the iterators below: bounds and prefixes, which are keys without
// timestamps, are left out.
ReadOptions OptionsBelowTimestamps(const ReadOptions& options);

class TimestampIterator final : public Iterator {
 public:
  // REQUIRES: options.timestamp and iter_start_ts have the comparator's size
  // (CheckReadTimestamp); the bytes are copied.
  TimestampIterator(TimestampIteratorDeps deps, const ReadOptions& options,
                    std::unique_ptr<InternalIterator> iter);
  ~TimestampIterator() override;

  bool Valid() const override { return valid_; }
  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const Slice& target) override;
  void SeekForPrev(const Slice& target) override;
  void Next() override;
  void Prev() override;
  // The user key without timestamp; with iter_start_ts the internal key, whose
  // type tells deletions apart.
  Slice key() const override;
  Slice value() const override { return value_; }
  const WideColumns& columns() const override;
  Slice timestamp() const override;
  Status status() const override;
  Status Refresh() override { return Refresh(nullptr); }
  Status Refresh(const Snapshot* snapshot) override;

 private:
  bool every_version() const { return !lower_timestamp_.empty(); }
  int CompareToBound(const Slice& user_key, const Slice& bound) const;
  bool BeyondUpper(const Slice& user_key) const;
  bool BelowLower(const Slice& user_key) const;
  bool LeftPrefix(const Slice& user_key) const;
  void RememberPrefix(const Slice& target);
  bool SameGroup(const Slice& user_key, const Slice& other) const;
  bool Visible(const ParsedInternalKey& entry) const;
  void SeekFrom(const Slice& target);  // Seek(), without its trace.
  // Internal keys to seek to. `key` is without timestamp.
  void SeekTo(const Slice& key, const std::string& timestamp, uint64_t trailer,
              bool for_prev);
  // Before all entries of the group of `user_key`.
  void SeekBefore(const Slice& user_key);
  // To the first entry of the group that can be visible.
  void SeekToGroup(const Slice& user_key);

  void Clear();
  void Fail(const Status& status);
  bool Parse(ParsedInternalKey* entry);
  // Shows the first visible entry from here on; entries of the group of saved_
  // do not count when `hides_saved`.
  void FindForward(bool hides_saved);
  void FindBackward();
  // What the visible entry at hand means; true when it is shown.
  bool Show(const ParsedInternalKey& entry);
  bool ShowMerged(const ParsedInternalKey& first);
  Status MergeOnto(const Slice& plain_key,
                   const std::vector<std::string>& operands, const Slice* base,
                   ValueType* type);
  bool ShowValue(ValueType type, const Slice& stored);

  TimestampIteratorDeps deps_;
  const Comparator& comparator_;
  const size_t size_;  // Of a timestamp.
  const Slice* const lower_;
  const Slice* const upper_;
  const bool same_prefix_;
  const std::string timestamp_;
  const std::string lower_timestamp_;  // iter_start_ts; empty: newest only.
  const std::string min_timestamp_;
  const std::string max_timestamp_;

  std::unique_ptr<InternalIterator> iter_;
  Status status_;
  bool valid_ = false;
  std::string saved_;
  Slice value_;
  std::string merged_;
  mutable WideColumns columns_;
  bool shows_entity_ = false;
  std::string prefix_;
  bool has_prefix_ = false;
  std::string target_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
