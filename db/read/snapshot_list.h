// SnapshotList: the sequence numbers that readers still need.
//
// Place. Owned by the DB façade; flush and compaction take the sorted list of
// sequences, readers take one snapshot.
//
// Model. A doubly linked ring in the order of sequences. A new snapshot has
// the largest one, unless a commit that is not visible yet has taken its own.
//
// Threads. Guarded by the DB mutex, except number() of a snapshot, which
// never changes.

#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "rocksdb/snapshot.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE::engine {

class SnapshotImpl final : public Snapshot {
 public:
  SnapshotImpl() = default;
  ~SnapshotImpl() override = default;

  SequenceNumber GetSequenceNumber() const override { return number_; }
  int64_t GetUnixTime() const override { return unix_time_secs_; }
  uint64_t GetTimestamp() const override { return UINT64_MAX; }  // None.

 private:
  friend class SnapshotList;
  SequenceNumber number_ = 0;
  int64_t unix_time_secs_ = 0;
  SnapshotImpl* prev_ = nullptr;
  SnapshotImpl* next_ = nullptr;
};

class SnapshotList {
 public:
  SnapshotList() {
    ring_.prev_ = &ring_;
    ring_.next_ = &ring_;
  }
  ~SnapshotList() {
    while (!empty()) Delete(ring_.next_);
  }
  SnapshotList(const SnapshotList&) = delete;
  SnapshotList& operator=(const SnapshotList&) = delete;

  bool empty() const { return count_ == 0; }
  uint64_t count() const { return count_; }
  const SnapshotImpl* oldest() const { return empty() ? nullptr : ring_.next_; }

  const SnapshotImpl* New(SequenceNumber number, int64_t unix_time_secs) {
    auto* s = new SnapshotImpl;
    s->number_ = number;
    s->unix_time_secs_ = unix_time_secs;
    SnapshotImpl* before = ring_.prev_;
    while (before != &ring_ && before->number_ > number) before = before->prev_;
    s->prev_ = before;
    s->next_ = before->next_;
    s->prev_->next_ = s;
    s->next_->prev_ = s;
    ++count_;
    return s;
  }

  void Delete(const SnapshotImpl* s) {
    assert(count_ > 0 && s != &ring_);
    assert(s->prev_->next_ == s && s->next_->prev_ == s);
    s->prev_->next_ = s->next_;
    s->next_->prev_ = s->prev_;
    --count_;
    delete s;
  }

  // Ascending, without repetition.
  std::vector<SequenceNumber> Sequences() const {
    std::vector<SequenceNumber> out;
    for (const SnapshotImpl* s = ring_.next_; s != &ring_; s = s->next_) {
      if (out.empty() || out.back() != s->number_) out.push_back(s->number_);
    }
    return out;
  }

 private:
  SnapshotImpl ring_;
  uint64_t count_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
