// StatsHistoryIterator: how much the tickers grew in each period of the past.
//
// Place. DB::GetStatsHistory() makes one; stats_persist_period_sec and
// stats_history_buffer_size (options.h) say how often a slice is made, and how
// many are kept.
//
// Model. A slice has the name of every ticker and how much was counted since
// the slice before, and the second in which it was made. Slices are shown
// oldest first. The iterator shows those that there were when it was made, and
// may outlive the database.
//
// Threads. Const methods may be called by several threads at once, others by
// one.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class StatsHistoryIterator {
 public:
  StatsHistoryIterator() = default;
  StatsHistoryIterator(const StatsHistoryIterator&) = delete;
  StatsHistoryIterator& operator=(const StatsHistoryIterator&) = delete;
  virtual ~StatsHistoryIterator() = default;

  virtual bool Valid() const = 0;

  // REQUIRES: Valid().
  virtual void Next() = 0;

  // When the slice was made: seconds of the Env's clock. REQUIRES: Valid().
  virtual uint64_t GetStatsTime() const = 0;

  // Kept for programs that call it.
  virtual int GetFormatVersion() const { return -1; }

  // The slice; the map stays until the iterator moves. REQUIRES: Valid().
  virtual const std::map<std::string, uint64_t>& GetStatsMap() const = 0;

  virtual Status status() const = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
