// Histograms of 64-bit values in buckets that grow by half.
//
// Place. Statistics (AtomicHistogram, one per core) and db_bench (Histogram,
// one per thread, merged for the report).
//
// Model. Bucket i holds the values in (limit[i-1], limit[i]]. Limits grow by a
// factor of 1.5 and are cut to two significant digits: 1 2 3 4 6 10 15 22 34 51
// 76 110 170 ... , so a percentile is off by a third at most. Inside a bucket
// values count as evenly spread, and no answer leaves [min, max]. These numbers
// are part of what users compare between releases.
//
// Threads. Histogram: one thread. AtomicHistogram: Add from any thread, reading
// meanwhile gives some state in between.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace histogram_internal {

constexpr double kGrowth = 1.5;
constexpr double kLargest = 18446744073709551615.0;

constexpr size_t CountLimits() {
  size_t count = 2;
  for (double limit = 2.0 * kGrowth; limit <= kLargest; limit *= kGrowth) {
    count++;
  }
  return count;
}

inline constexpr size_t kBucketCount = CountLimits();

constexpr std::array<uint64_t, kBucketCount> MakeLimits() {
  std::array<uint64_t, kBucketCount> limits{1, 2};
  double exact = 2.0;
  for (size_t i = 2; i < kBucketCount; i++) {
    exact *= kGrowth;
    uint64_t digits = static_cast<uint64_t>(exact);
    uint64_t unit = 1;
    while (digits / 10 > 10) {
      digits /= 10;
      unit *= 10;
    }
    limits[i] = digits * unit;
  }
  return limits;
}

inline constexpr std::array<uint64_t, kBucketCount> kLimits = MakeLimits();

// kFirst[w]: the bucket of the smallest value that is w bits wide.
constexpr std::array<uint8_t, 65> MakeFirst() {
  std::array<uint8_t, 65> first{};
  size_t bucket = 0;
  for (size_t width = 1; width <= 64; width++) {
    const uint64_t smallest = uint64_t{1} << (width - 1);
    while (bucket + 1 < kBucketCount && kLimits[bucket] < smallest) bucket++;
    first[width] = static_cast<uint8_t>(bucket);
  }
  return first;
}

inline constexpr std::array<uint8_t, 65> kFirst = MakeFirst();

}  // namespace histogram_internal

inline constexpr size_t kHistogramBuckets = histogram_internal::kBucketCount;

// The inclusive upper end of a bucket.
inline uint64_t HistogramLimit(size_t bucket) {
  return histogram_internal::kLimits[bucket];
}

// The bucket of a value; the last one takes what exceeds its limit.
inline size_t HistogramBucket(uint64_t value) {
  size_t bucket =
      histogram_internal::kFirst[static_cast<size_t>(std::bit_width(value))];
  // A factor of two spans at most two limits.
  while (bucket + 1 < kHistogramBuckets && HistogramLimit(bucket) < value) {
    bucket++;
  }
  return bucket;
}

class Histogram {
 public:
  void Add(uint64_t value);
  void Merge(const Histogram& other);
  void Clear() { *this = Histogram(); }

  bool empty() const { return count_ == 0; }
  uint64_t count() const { return count_; }
  uint64_t sum() const { return sum_; }
  uint64_t min() const { return count_ == 0 ? 0 : min_; }
  uint64_t max() const { return max_; }
  uint64_t bucket_count(size_t bucket) const { return buckets_[bucket]; }

  // `p` in [0, 100].
  double Percentile(double p) const;
  double Median() const { return Percentile(50.0); }
  double Average() const;
  double StandardDeviation() const;

  void Fill(HistogramData* data) const;

  // Count, average, deviation, percentiles and a bar per used bucket.
  std::string ToString() const;

 private:
  friend class AtomicHistogram;

  uint64_t count_ = 0;
  uint64_t sum_ = 0;
  double sum_squares_ = 0.0;
  uint64_t min_ = UINT64_MAX;
  uint64_t max_ = 0;
  std::array<uint64_t, kHistogramBuckets> buckets_{};
};

class AtomicHistogram {
 public:
  void Add(uint64_t value) {
    constexpr auto kRelaxed = std::memory_order_relaxed;
    buckets_[HistogramBucket(value)].fetch_add(1, kRelaxed);
    sum_.fetch_add(value, kRelaxed);
    sum_squares_.fetch_add(value * value, kRelaxed);
    uint64_t seen = min_.load(kRelaxed);
    while (value < seen && !min_.compare_exchange_weak(seen, value, kRelaxed)) {
    }
    seen = max_.load(kRelaxed);
    while (value > seen && !max_.compare_exchange_weak(seen, value, kRelaxed)) {
    }
  }

  // Adds what was recorded here to `*histogram`.
  void AddTo(Histogram* histogram) const;
  void Clear();

 private:
  std::array<std::atomic<uint64_t>, kHistogramBuckets> buckets_{};
  std::atomic<uint64_t> sum_{0};
  // Modulo 2^64: only the deviation of huge values suffers.
  std::atomic<uint64_t> sum_squares_{0};
  std::atomic<uint64_t> min_{UINT64_MAX};
  std::atomic<uint64_t> max_{0};
};

}  // namespace ROCKSDB_NAMESPACE::engine
