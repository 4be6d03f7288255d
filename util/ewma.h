// Ewma: an exponentially weighted moving average, for rates and ratios that
// must follow change but not noise.
//
// Place. Statistics consumers and tuning; pure arithmetic.
//
// Model. After a step of the input the average has covered half of it after
// `half_life` units of weight, whatever the spacing of the samples:
//
//   keep = 2^(-weight / half_life);  average = keep * average + (1-keep) * x
//
// Invariants:
//   (1) The average lies between the smallest and the largest sample.
//   (2) The first sample is taken as it is: there is no warm-up from zero.
//
// Threads. One thread at a time.
#pragma once

#include <cassert>
#include <cmath>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

class Ewma {
 public:
  explicit Ewma(double half_life) : half_life_(half_life) {}

  // `weight` is the time or count the sample stands for; not negative.
  void Add(double sample, double weight = 1.0) {
    if (!has_value_) {  // (2)
      value_ = sample;
      has_value_ = true;
      return;
    }
    const double keep = std::exp2(-weight / half_life_);
    assert(keep >= 0 && keep <= 1);  // (1)
    value_ = keep * value_ + (1.0 - keep) * sample;
  }

  bool has_value() const { return has_value_; }
  // 0 before the first sample.
  double value() const { return value_; }
  void Reset() {
    has_value_ = false;
    value_ = 0.0;
  }

 private:
  double half_life_;
  double value_ = 0.0;
  bool has_value_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
