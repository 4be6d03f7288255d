// OutputCutter: where one compaction output ends and the next begins.
//
// Place. Asked by the compaction job before each new user key; pure.
//
// Model. A file ends when it is full, or earlier if that saves work for later
// compactions: an output that overlaps much of the level below its own (the
// grandparents) would have to be rewritten together with all of it. So a file
// also ends when its overlap reaches the limit, and, once it is half full,
// where a grandparent file ends: outputs that line up with grandparents overlap
// fewer of them.
//
// Invariants:
//   (1) Never cuts between two versions of one user key.
//   (2) Grandparent boundaries are passed once: keys must ascend.

#pragma once

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

struct OutputCutterOptions {
  const InternalKeyComparator* icmp = nullptr;
  uint64_t file_size_max = UINT64_MAX;      // Bytes of one output.
  uint64_t overlap_bytes_max = UINT64_MAX;  // With grandparents.
};

class OutputCutter {
 public:
  struct Grandparent {
    Slice smallest_user_key;  // Both must outlive the cutter.
    Slice largest_user_key;
    uint64_t file_size;
  };

  OutputCutter(const OutputCutterOptions& options,
               std::vector<Grandparent> grandparents)
      : options_(options), grandparents_(std::move(grandparents)) {}

  // The first key of the next grandparent that begins behind this key (null:
  // anywhere); null when there is none. Where entries are far apart but range
  // deletions lie between them, cuts may be asked for there, too.
  const Slice* NextGrandparent(const Slice* behind) {
    while (behind != nullptr && start_ < grandparents_.size() &&
           options_.icmp->CompareUserKey(
               grandparents_[start_].smallest_user_key, *behind) <= 0) {
      ++start_;
    }
    return start_ < grandparents_.size()
               ? &grandparents_[start_].smallest_user_key
               : nullptr;
  }

  // Called once per new user key, ascending; `file_size` is the estimated
  // size of the open output, 0 when none is open.
  bool ShouldCutBefore(const Slice& user_key, uint64_t file_size) {
    assert(IsAfterLast(user_key));  // (1), (2)
    const bool crossed = PassGrandparents(user_key);
    if (file_size == 0) {
      overlap_bytes_ = 0;
      return false;
    }
    const bool cut = file_size >= options_.file_size_max ||
                     overlap_bytes_ > options_.overlap_bytes_max ||
                     (crossed && file_size >= options_.file_size_max / 2);
    if (cut) overlap_bytes_ = 0;
    return cut;
  }

 private:
  // Returns true when `user_key` lies behind the end of a grandparent that
  // the last key did not lie behind.
  bool PassGrandparents(const Slice& user_key) {
    assert(next_ <= grandparents_.size());
    bool crossed = false;
    while (next_ < grandparents_.size() &&
           options_.icmp->CompareUserKey(
               user_key, grandparents_[next_].largest_user_key) > 0) {
      overlap_bytes_ += grandparents_[next_].file_size;
      ++next_;
      crossed = true;
    }
    return crossed;
  }

#ifndef NDEBUG
  // Remembers the key, too.
  bool IsAfterLast(const Slice& user_key) {
    const bool after =
        !has_last_ || options_.icmp->CompareUserKey(last_key_, user_key) < 0;
    last_key_.assign(user_key.data(), user_key.size());
    has_last_ = true;
    return after;
  }
  std::string last_key_;
  bool has_last_ = false;
#endif

  const OutputCutterOptions options_;
  const std::vector<Grandparent> grandparents_;
  size_t next_ = 0;
  size_t start_ = 0;
  uint64_t overlap_bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
