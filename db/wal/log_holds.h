// LogHolds: logs that stay although every family has flushed what it wrote into
// them, because prepared transactions are in them.
//
// Place. One per database. A transaction holds the log of its prepared section
// until it is decided; a memtable holds it from the commit until the memtable
// is in a table (MemTable::Hold). The VersionSet asks which log is the oldest.
//
// A rollback needs nothing of the section, but recovery must find either the
// section or the mark of the rollback: the hold ends when the mark is durable.
//
// Invariant: a hold is taken over before the other holder gives it up.
//
// Threads. Thread-safe.

#pragma once

#include <cassert>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class LogHolds {
  using Counts = std::map<uint64_t, uint64_t>;

 public:
  // Memory for one more log. Adding a hold with it does not fail.
  class Spare {
   public:
    Spare() {
      Counts one{{0, 0}};
      node_ = one.extract(one.begin());
    }

   private:
    friend class LogHolds;
    Counts::node_type node_;
  };

  void Add(uint64_t log, bool undecided, Spare spare) {
    spare.node_.key() = log;
    MutexLock lock(&mu_);
    const auto at = counts_.insert(std::move(spare.node_)).position;
    ++at->second;
    undecided_ += undecided ? 1 : 0;
  }
  void Remove(uint64_t log, bool undecided) {
    MutexLock lock(&mu_);
    assert(!undecided || undecided_ > 0);
    undecided_ -= undecided ? 1 : 0;
    RemoveOne(log);
  }
  // When log `mark` is durable; until then nothing is undecided.
  void RemoveWhenDurable(uint64_t log, bool undecided, uint64_t mark,
                         Spare spare) {
    spare.node_.key() = mark;
    spare.node_.mapped() = log;
    MutexLock lock(&mu_);
    undecided_ -= undecided ? 1 : 0;
    ended_by_.insert(std::move(spare.node_));
  }
  // Logs below are durable.
  void NoteDurable(uint64_t below) {
    MutexLock lock(&mu_);
    while (!ended_by_.empty() && ended_by_.begin()->first < below) {
      RemoveOne(ended_by_.begin()->second);
      ended_by_.erase(ended_by_.begin());
    }
  }
  // A flush does not end all of them.
  bool any_undecided() const {
    MutexLock lock(&mu_);
    return undecided_ > 0;
  }
  // 0: none is held.
  uint64_t oldest() const {
    MutexLock lock(&mu_);
    return counts_.empty() ? 0 : counts_.begin()->first;
  }

 private:
  void RemoveOne(uint64_t log) REQUIRES_LOCK(mu_) {
    const auto found = counts_.find(log);
    assert(found != counts_.end());
    if (--found->second == 0) counts_.erase(found);
  }

  mutable Mutex mu_;
  Counts counts_ GUARDED_BY(mu_);
  // Held logs by the log that has the mark of the rollback.
  std::multimap<uint64_t, uint64_t> ended_by_ GUARDED_BY(mu_);
  uint64_t undecided_ GUARDED_BY(mu_) = 0;
};

// One hold, as long as the object lives.
class LogHold {
 public:
  LogHold() = default;
  // For a transaction that is undecided.
  LogHold(std::shared_ptr<LogHolds> holds, uint64_t log,
          LogHolds::Spare spare = LogHolds::Spare())
      : LogHold(std::move(holds), log, /*undecided=*/true, std::move(spare)) {}
  ~LogHold() { Release(); }
  LogHold(const LogHold& other) = delete;
  LogHold(LogHold&& other) noexcept
      : holds_(std::move(other.holds_)),
        log_(std::exchange(other.log_, 0)),
        undecided_(other.undecided_) {}
  LogHold& operator=(const LogHold& other) = delete;
  // What was held before goes with `other`.
  LogHold& operator=(LogHold&& other) noexcept {
    std::swap(holds_, other.holds_);
    std::swap(log_, other.log_);
    std::swap(undecided_, other.undecided_);
    return *this;
  }
  // Another one, for what was committed. REQUIRES: something is held.
  LogHold Committed() const {
    return LogHold(holds_, log_, /*undecided=*/false, LogHolds::Spare());
  }

  // 0: nothing is held.
  uint64_t log() const { return log_; }
  void Release() {
    if (log_ != 0) holds_->Remove(std::exchange(log_, 0), undecided_);
  }
  // REQUIRES: something is held.
  void ReleaseWhenDurable(uint64_t mark, LogHolds::Spare spare) {
    assert(log_ != 0);
    holds_->RemoveWhenDurable(std::exchange(log_, 0), undecided_, mark,
                              std::move(spare));
  }

 private:
  LogHold(std::shared_ptr<LogHolds> holds, uint64_t log, bool undecided,
          LogHolds::Spare spare)
      : holds_(std::move(holds)), log_(log), undecided_(undecided) {
    assert(log_ != 0);
    holds_->Add(log_, undecided_, std::move(spare));
  }

  std::shared_ptr<LogHolds> holds_;
  uint64_t log_ = 0;
  bool undecided_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
