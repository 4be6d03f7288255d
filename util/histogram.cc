#include "util/histogram.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>

namespace ROCKSDB_NAMESPACE::engine {

void Histogram::Add(uint64_t value) {
  buckets_[HistogramBucket(value)]++;
  count_++;
  sum_ += value;
  sum_squares_ += static_cast<double>(value) * static_cast<double>(value);
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

void Histogram::Merge(const Histogram& other) {
  for (size_t i = 0; i < kHistogramBuckets; i++) {
    buckets_[i] += other.buckets_[i];
  }
  count_ += other.count_;
  sum_ += other.sum_;
  sum_squares_ += other.sum_squares_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double Histogram::Percentile(double p) const {
  const double threshold = static_cast<double>(count_) * (p / 100.0);
  uint64_t below = 0;
  for (size_t i = 0; i < kHistogramBuckets; i++) {
    const uint64_t in_bucket = buckets_[i];
    const uint64_t up_to = below + in_bucket;
    if (in_bucket > 0 && static_cast<double>(up_to) >= threshold) {
      const double left =
          i == 0 ? 0.0 : static_cast<double>(HistogramLimit(i - 1));
      const double right = static_cast<double>(HistogramLimit(i));
      const double position = (threshold - static_cast<double>(below)) /
                              static_cast<double>(in_bucket);
      return std::clamp(left + (right - left) * position,
                        static_cast<double>(min()), static_cast<double>(max_));
    }
    below = up_to;
  }
  return static_cast<double>(max_);
}

double Histogram::Average() const {
  if (count_ == 0) return 0.0;
  return static_cast<double>(sum_) / static_cast<double>(count_);
}

double Histogram::StandardDeviation() const {
  if (count_ == 0) return 0.0;
  const double n = static_cast<double>(count_);
  const double average = Average();
  const double variance = sum_squares_ / n - average * average;
  return std::sqrt(std::max(variance, 0.0));
}

void Histogram::Fill(HistogramData* data) const {
  data->median = Median();
  data->percentile95 = Percentile(95.0);
  data->percentile99 = Percentile(99.0);
  data->average = Average();
  data->standard_deviation = StandardDeviation();
  data->max = static_cast<double>(max_);
  data->count = count_;
  data->sum = sum_;
  data->min = static_cast<double>(min());
}

std::string Histogram::ToString() const {
  char line[200];
  std::string text;
  snprintf(line, sizeof(line),
           "Count: %" PRIu64 " Average: %.4f  StdDev: %.2f\n", count_,
           Average(), StandardDeviation());
  text += line;
  snprintf(line, sizeof(line),
           "Min: %" PRIu64 "  Median: %.4f  Max: %" PRIu64 "\n", min(),
           Median(), max_);
  text += line;
  snprintf(line, sizeof(line),
           "Percentiles: P50: %.2f P75: %.2f P99: %.2f P99.9: %.2f "
           "P99.99: %.2f\n",
           Percentile(50), Percentile(75), Percentile(99), Percentile(99.9),
           Percentile(99.99));
  text += line;
  text += "------------------------------------------------------\n";
  if (count_ == 0) return text;

  const double percent_each = 100.0 / static_cast<double>(count_);
  uint64_t up_to = 0;
  for (size_t i = 0; i < kHistogramBuckets; i++) {
    if (buckets_[i] == 0) continue;
    up_to += buckets_[i];
    const double share = percent_each * static_cast<double>(buckets_[i]);
    snprintf(line, sizeof(line),
             "%c %7" PRIu64 ", %7" PRIu64 " ] %8" PRIu64 " %7.3f%% %7.3f%% ",
             i == 0 ? '[' : '(', i == 0 ? 0 : HistogramLimit(i - 1),
             HistogramLimit(i), buckets_[i], share,
             percent_each * static_cast<double>(up_to));
    text += line;
    // One mark for every 5 %.
    text.append(static_cast<size_t>(std::lround(share / 5.0)), '#');
    text += '\n';
  }
  return text;
}

void AtomicHistogram::AddTo(Histogram* histogram) const {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  for (size_t i = 0; i < kHistogramBuckets; i++) {
    const uint64_t in_bucket = buckets_[i].load(kRelaxed);
    histogram->buckets_[i] += in_bucket;
    histogram->count_ += in_bucket;
  }
  histogram->sum_ += sum_.load(kRelaxed);
  histogram->sum_squares_ += static_cast<double>(sum_squares_.load(kRelaxed));
  histogram->min_ = std::min(histogram->min_, min_.load(kRelaxed));
  histogram->max_ = std::max(histogram->max_, max_.load(kRelaxed));
}

void AtomicHistogram::Clear() {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  for (std::atomic<uint64_t>& bucket : buckets_) bucket.store(0, kRelaxed);
  sum_.store(0, kRelaxed);
  sum_squares_.store(0, kRelaxed);
  min_.store(UINT64_MAX, kRelaxed);
  max_.store(0, kRelaxed);
}

}  // namespace ROCKSDB_NAMESPACE::engine
