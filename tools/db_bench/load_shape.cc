#include "tools/db_bench/load_shape.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// More than this in the mean, and counting arrivals one by one takes long.
constexpr double kBatchesMax = 500;

struct NamedKind {
  const char* name;
  LoadShape::Kind kind;
};
constexpr NamedKind kKinds[] = {
    {"fixed", LoadShape::Kind::kFixed},
    {"sine", LoadShape::Kind::kSine},
    {"burst", LoadShape::Kind::kBurst},
    {"onoff", LoadShape::Kind::kOnOff},
    {"square", LoadShape::Kind::kSquare},
    {"steps", LoadShape::Kind::kSteps},
    {"poisson", LoadShape::Kind::kPoisson},
    {"recorded", LoadShape::Kind::kRecorded},
};

// In (0, 1].
double UnitRandom(engine::Random64* random) {
  return static_cast<double>((random->Next() >> 11) + 1) * 0x1.0p-53;
}

// Arrivals in a unit of time at `mean` a unit: the gaps are exponential.
uint64_t Arrivals(double mean, engine::Random64* random) {
  uint64_t count = 0;
  for (double at = -std::log(UnitRandom(random)); at < mean;
       at -= std::log(UnitRandom(random))) {
    ++count;
  }
  return count;
}

// The number behind `"name":`, or false.
bool NumberOf(const std::string& line, const std::string& name, double* value) {
  const std::string key = "\"" + name + "\":";
  const size_t at = line.find(key);
  if (at == std::string::npos) return false;
  char* end = nullptr;
  const char* begin = line.c_str() + at + key.size();
  *value = std::strtod(begin, &end);
  return end != begin;
}

bool Sane(const LoadShape::Settings& s) {
  const double all[] = {s.low,          s.high,        s.period_seconds,
                        s.high_seconds, s.batch_bytes, s.interval_seconds};
  return std::all_of(std::begin(all), std::end(all), [](double value) {
    return std::isfinite(value) && value >= 0;
  });
}

}  // namespace

engine::Result<LoadShape::Kind> LoadShape::KindOf(const std::string& name) {
  for (const NamedKind& named : kKinds) {
    if (name == named.name) return named.kind;
  }
  return Status::InvalidArgument(
      "no write shape " + name,
      "expected sine, burst, square, steps, onoff, poisson or recorded");
}

engine::Result<LoadShape> LoadShape::Make(Settings settings) {
  const Settings& s = settings;
  if (!Sane(s)) {
    return Status::InvalidArgument("a write shape needs numbers from 0 on");
  }
  if (s.period_seconds <= 0 || s.interval_seconds <= 0 || s.batch_bytes <= 0 ||
      s.steps == 0) {
    return Status::InvalidArgument(
        "a write shape needs a period, an interval, a batch and steps above 0");
  }
  if (s.kind == Kind::kPoisson &&
      s.high * s.interval_seconds > kBatchesMax * s.batch_bytes) {
    return Status::InvalidArgument(
        "too many batches in an interval of the Poisson shape",
        "expected at most 500");
  }
  if (s.kind == Kind::kRecorded && s.recorded.empty()) {
    return Status::InvalidArgument("the recorded write shape is empty");
  }
  return LoadShape(std::move(settings));
}

LoadShape LoadShape::Fixed(uint64_t bytes_per_second) {
  Settings settings;
  settings.high = static_cast<double>(bytes_per_second);
  return LoadShape(std::move(settings));
}

LoadShape LoadShape::Sine(const SineLaw& law) {
  Settings settings;
  settings.kind = Kind::kSine;
  settings.sine = law;
  return LoadShape(std::move(settings));
}

uint64_t LoadShape::At(double seconds) const {
  if (settings_.kind == Kind::kSine) return settings_.sine.At(seconds);
  return static_cast<uint64_t>(std::max(Rate(seconds), 0.0));
}

double LoadShape::Total(double from_seconds, double to_seconds,
                        double step_seconds) const {
  if (step_seconds <= 0) {
    return static_cast<double>(At(0)) * (to_seconds - from_seconds);
  }
  double total = 0;
  for (double begin = from_seconds; begin < to_seconds;) {
    const double step = std::floor(begin / step_seconds + 1e-9);
    const double end = std::min((step + 1) * step_seconds, to_seconds);
    total += static_cast<double>(At(step * step_seconds)) * (end - begin);
    begin = end;
  }
  return total;
}

double LoadShape::Rate(double seconds) const {
  const Settings& s = settings_;
  const double phase = std::fmod(seconds, s.period_seconds);
  switch (s.kind) {
    case Kind::kFixed:
    case Kind::kSine:
      break;
    case Kind::kBurst:
      return phase < s.high_seconds ? s.high : s.low;
    case Kind::kOnOff:
      return phase < s.high_seconds ? s.high : 0;
    case Kind::kSquare:
      return phase < s.period_seconds / 2 ? s.high : s.low;
    case Kind::kSteps:
      return Stairs(phase);
    case Kind::kPoisson:
      return Poisson(seconds);
    case Kind::kRecorded:
      return Recorded(seconds);
  }
  return s.high;
}

double LoadShape::Stairs(double phase) const {
  const Settings& s = settings_;
  if (s.steps == 1) return s.high;
  const auto steps = static_cast<double>(s.steps);
  const double stair =
      std::min(std::floor(phase / s.period_seconds * steps), steps - 1);
  return s.low + (s.high - s.low) * stair / (steps - 1);
}

double LoadShape::Poisson(double seconds) const {
  const Settings& s = settings_;
  const double interval = std::floor(seconds / s.interval_seconds + 1e-9);
  engine::Random64 random(s.seed + static_cast<uint64_t>(interval));
  const double mean = s.high * s.interval_seconds / s.batch_bytes;
  return static_cast<double>(Arrivals(mean, &random)) * s.batch_bytes /
         s.interval_seconds;
}

double LoadShape::Recorded(double seconds) const {
  const auto& points = settings_.recorded;
  const auto after = std::upper_bound(
      points.begin(), points.end(), seconds + 1e-9,
      [](double t, const RatePoint& point) { return t < point.seconds; });
  return (after == points.begin() ? *after : *std::prev(after))
      .bytes_per_second;
}

engine::Result<std::vector<RatePoint>> ReadRecorded(std::istream* in) {
  std::vector<RatePoint> points;
  double begin = 0;
  size_t number = 0;
  for (std::string line; std::getline(*in, line);) {
    ++number;
    double t = 0, value = 0;
    bool read = false;
    if (NumberOf(line, "t", &t) && NumberOf(line, "accepted_bytes", &value)) {
      read = t > begin;
      value /= t - begin;
      std::swap(t, begin);  // Its rate held from the line before.
    } else {
      read = std::sscanf(line.c_str(), "%lf,%lf", &t, &value) == 2;
      if (!read && number == 1) continue;  // The heading.
    }
    const bool ordered = points.empty() || t > points.back().seconds;
    if (!read || !ordered || !std::isfinite(t) || !(value >= 0) ||
        !std::isfinite(value)) {
      return Status::InvalidArgument(
          "line " + std::to_string(number) + " of the recorded write shape",
          "expected a later time and a rate from 0 on, found " + line);
    }
    points.push_back({t, value});
  }
  return points;
}

}  // namespace ROCKSDB_NAMESPACE::bench
