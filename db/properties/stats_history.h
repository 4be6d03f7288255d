// StatsHistory: how much the tickers grew in each period.
//
// Place. One per open database. A timer records what the tickers say, every
// stats_persist_period_sec; DB::GetStatsHistory() reads.
//
// Model. A recording makes a slice: the differences to the recording before.
// The first one has none before it, and makes no slice.
//
//   recorded   r0 ------- r1 ------- r2
//   slices        r1 - r0    r2 - r1
//
// A slice has the second in which it was made; what is recorded twice in one
// second is added up. The oldest slices go when all take too much memory.
//
// Invariants:
//   (1) After a recording the slices take no more memory than it allows.
//   (2) A slice is never modified: iterators share it.
//
// Threads. Any.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "rocksdb/stats_history.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class StatsHistory {
 public:
  using Counts = std::map<std::string, uint64_t>;

  // `now`: what the tickers say. Slices that do not fit into `bytes_max` go.
  void Record(Counts now, uint64_t seconds, size_t bytes_max)
      EXCLUDES_LOCK(mu_);

  // The slices made at `start_seconds` or later, and before `end_seconds`.
  std::unique_ptr<StatsHistoryIterator> NewIterator(uint64_t start_seconds,
                                                    uint64_t end_seconds) const
      EXCLUDES_LOCK(mu_);

 private:
  struct Kept {
    std::shared_ptr<const Counts> counts;
    size_t bytes = 0;
  };
  void Add(uint64_t seconds, Counts growth) REQUIRES_LOCK(mu_);

  mutable Mutex mu_;
  bool begun_ GUARDED_BY(mu_) = false;
  Counts last_ GUARDED_BY(mu_);                      // What was recorded last.
  std::map<uint64_t, Kept> slices_ GUARDED_BY(mu_);  // By their second.
  size_t bytes_ GUARDED_BY(mu_) = 0;                 // Of all slices.
};

}  // namespace ROCKSDB_NAMESPACE::engine
