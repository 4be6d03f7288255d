// Walker: an iterator, and what each of its steps must find.
//
// Model. It copies the words of all keys of the family before and after it
// makes the iterator. Where a step lands, every key that it passed may have
// been absent, and the value is one that the key may have had. A tailing
// iterator shows newer states: each of its seeks copies the words again, and
// the pending words are read after each step.
//
// Threads. One.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "test/stress/model_checker/context.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

class Walker {
 public:
  // Draws the options. A held iterator may outlive its family.
  Walker(ThreadContext* t, const SlotUse& use);
  // What a snapshot shows, which lies between the given words.
  Walker(ThreadContext* t, const SlotUse& use, const Snapshot* snapshot,
         const std::vector<uint64_t>& low, const std::vector<uint64_t>& high);

  // A few random steps. False: it is of no more use.
  bool Move(ThreadContext* t, int steps);
  // Through all keys, both ways.
  bool WalkAll(ThreadContext* t);

  int slot() const { return slot_; }
  bool is_tailing() const { return options_.tailing; }

 private:
  void DrawOptions(ThreadContext* t, bool plain);
  void Make(ThreadContext* t, ColumnFamilyHandle* family);
  bool Step(ThreadContext* t);
  bool SeekTo(ThreadContext* t, uint32_t key, bool back);
  // Lands: nothing between `from` and where it is, going forward or back.
  bool LandedForward(ThreadContext* t, uint32_t from);
  bool LandedBack(ThreadContext* t, int64_t from);
  bool CheckHere(ThreadContext* t);
  bool CheckColumns(ThreadContext* t);
  bool CheckAbsent(ThreadContext* t, uint32_t key);
  void NewTail(ThreadContext* t);
  uint64_t high(ThreadContext* t, uint32_t key) const;
  std::string Describe() const;

  const int slot_;
  ReadOptions options_;
  // Keys [lower_, upper_) are shown.
  uint32_t lower_ = 0;
  uint32_t upper_ = 0;
  std::string lower_name_;
  std::string upper_name_;
  Slice lower_bound_;
  Slice upper_bound_;
  // A seek to a key shows only those with its prefix, in one direction.
  bool within_prefix_ = false;
  std::vector<uint64_t> low_;
  std::vector<uint64_t> high_;
  std::unique_ptr<Iterator> it_;
  std::optional<uint32_t> at_;
  uint32_t shown_begin_ = 0;  // What the last seek may show.
  uint32_t shown_end_ = 0;
  std::string last_;
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
