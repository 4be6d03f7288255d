// LoadShape: how many bytes a second a benchmark asks to write, over time.
//
// Place. The write generator asks it once per step; flags choose it.
//
// Model. A function of the time alone, so that a run can be repeated and a
// stalled writer changes nothing:
//
//   fixed     high
//   sine      a sin(bx + c) + d
//   burst     high for `high_seconds` of each period, then low
//   onoff     the same with nothing instead of low
//   square    high for the first half of each period, then low
//   steps     from low to high in `steps` equal stairs, each period anew
//   poisson   batches arrive at random, `high` bytes a second in the mean;
//             each interval asks for the batches that fell into it
//   recorded  pairs of time and rate; a rate holds until the next
//
// Invariants. No shape is negative; only sine is at least one byte a second.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "tools/db_bench/sine_law.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::bench {

struct RatePoint {
  double seconds = 0;
  double bytes_per_second = 0;
};

class LoadShape {
 public:
  enum class Kind {
    kFixed,
    kSine,
    kBurst,
    kOnOff,
    kSquare,
    kSteps,
    kPoisson,
    kRecorded
  };

  struct Settings {
    Kind kind = Kind::kFixed;
    SineLaw sine;
    double low = 0;   // Bytes per second.
    double high = 0;  // Bytes per second.
    double period_seconds = 60;
    double high_seconds = 15;
    uint64_t steps = 4;
    double batch_bytes = 1 << 20;
    double interval_seconds = 1;
    uint64_t seed = 0;
    std::vector<RatePoint> recorded;
  };

  // InvalidArgument names what cannot be drawn.
  static engine::Result<LoadShape> Make(Settings settings);
  static LoadShape Fixed(uint64_t bytes_per_second);
  static LoadShape Sine(const SineLaw& law);

  static engine::Result<Kind> KindOf(const std::string& name);

  // Bytes per second at `seconds` since the start.
  uint64_t At(double seconds) const;
  // Bytes asked for in [from, to), if the rate at k * step holds for a step;
  // 0: the rate at 0 holds for ever.
  double Total(double from_seconds, double to_seconds,
               double step_seconds) const;

 private:
  explicit LoadShape(Settings settings) : settings_(std::move(settings)) {}

  double Rate(double seconds) const;
  double Stairs(double phase) const;
  double Poisson(double seconds) const;
  double Recorded(double seconds) const;

  Settings settings_;
};

// Lines "seconds,bytes_per_second" after an optional heading, or the lines of
// a timeline file, of which the accepted bytes are taken.
engine::Result<std::vector<RatePoint>> ReadRecorded(std::istream* in);

}  // namespace ROCKSDB_NAMESPACE::bench
