// Recording into a Statistics object, and the one the library makes.
//
// Place. The free functions are what the engine calls: a null object or a low
// level costs one branch. Loops count locally and record once per operation.
//
// Model. StatisticsImpl keeps one block of counters per core; reading adds them
// up. Resetting and setting store a total in one block and zero the others.
//
// Threads. Thread-safe. Counts are never lost; a total read meanwhile may miss
// the newest.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "util/core_local.h"
#include "util/histogram.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

inline void RecordTick(Statistics* statistics, uint32_t ticker,
                       uint64_t count = 1) {
  if (statistics != nullptr) statistics->recordTick(ticker, count);
}

// For sizes and counts.
inline void RecordInHistogram(Statistics* statistics, uint32_t histogram,
                              uint64_t value) {
  if (statistics != nullptr) statistics->recordInHistogram(histogram, value);
}

// For times.
inline void RecordTimeToHistogram(Statistics* statistics, uint32_t histogram,
                                  uint64_t time) {
  if (statistics != nullptr) statistics->reportTimeToHistogram(histogram, time);
}

// Whether times are wanted at all, before a clock is asked.
inline bool TimersEnabled(const Statistics* statistics) {
  return statistics != nullptr &&
         statistics->get_stats_level() > StatsLevel::kExceptTimers;
}
inline bool DetailedTimersEnabled(const Statistics* statistics) {
  return statistics != nullptr &&
         statistics->get_stats_level() > StatsLevel::kExceptDetailedTimers;
}

// Records the microseconds of its life; asks the clock only if they are wanted.
class StopWatch {
 public:
  StopWatch(SystemClock* clock, Statistics* statistics, uint32_t histogram)
      : clock_(clock),
        statistics_(TimersEnabled(statistics) ? statistics : nullptr),
        histogram_(histogram),
        start_micros_(statistics_ != nullptr ? clock->NowMicros() : 0) {}
  ~StopWatch() {
    if (statistics_ == nullptr) return;
    statistics_->reportTimeToHistogram(histogram_,
                                       clock_->NowMicros() - start_micros_);
  }

  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;

 private:
  SystemClock* const clock_;
  Statistics* const statistics_;
  const uint32_t histogram_;
  const uint64_t start_micros_;
};

class StatisticsImpl final : public Statistics {
 public:
  static const char* kClassName() { return "BasicStatistics"; }
  const char* Name() const override { return kClassName(); }

  uint64_t getTickerCount(uint32_t ticker) const override;
  void histogramData(uint32_t type, HistogramData* data) const override;
  std::string getHistogramString(uint32_t type) const override;
  void recordTick(uint32_t ticker, uint64_t count) override;
  void setTickerCount(uint32_t ticker, uint64_t count) override;
  uint64_t getAndResetTickerCount(uint32_t ticker) override;
  void recordInHistogram(uint32_t type, uint64_t value) override;
  Status Reset() override;
  std::string ToString() const override;
  bool getTickerMap(std::map<std::string, uint64_t>* map) const override;
  bool HistEnabledForType(uint32_t type) const override;

 private:
  struct PerCore {
    std::array<std::atomic<uint64_t>, TICKER_ENUM_MAX> tickers{};
    std::array<AtomicHistogram, HISTOGRAM_ENUM_MAX> histograms;
  };

  Histogram Collect(uint32_t type) const;

  CoreLocalArray<PerCore> cores_;
  // Lets one thread at a time change totals.
  mutable Mutex totals_mu_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
