#include "tools/db_bench/mix_laws.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tools/db_bench/flags.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Every run and every thread has the same popular keys.
constexpr uint64_t kPositionsSeed = 2020;
// Above all ranks that differ.
constexpr double kRankMax = 1e18;

double ShareOf(const HotKeys::Settings& s, uint64_t range) {
  const auto x = static_cast<double>(range + 1);
  if (s.range_a == 0 && s.range_b == 0 && s.range_c == 0 && s.range_d == 0) {
    return 1;
  }
  return s.range_a * std::exp(s.range_b * x) +
         s.range_c * std::exp(s.range_d * x);
}

}  // namespace

double ParetoLaw::At(double u) const {
  const double rest = 1 - u;
  if (k == 0) return theta - sigma * std::log(rest);
  return theta + sigma * (std::pow(rest, -k) - 1) / k;
}

bool HotKeys::CanDraw(const Settings& settings) {
  if (settings.key_a < 0 || (settings.key_a > 0 && settings.key_b <= 0)) {
    return false;
  }
  double sum = 0;
  for (uint64_t range = 0; range < settings.ranges; ++range) {
    const double share = ShareOf(settings, range);
    if (share < 0) return false;
    sum += share;
  }
  return sum > 0 && std::isfinite(sum);
}

HotKeys::HotKeys(const Settings& settings)
    : settings_(settings),
      range_size_(std::max<uint64_t>(settings.num / settings.ranges, 1)),
      positions_(settings.ranges) {
  sums_.reserve(settings.ranges);
  double sum = 0;
  for (uint64_t range = 0; range < settings.ranges; ++range) {
    sum += ShareOf(settings, range);
    sums_.push_back(sum);
  }
  std::iota(positions_.begin(), positions_.end(), uint64_t{0});
  engine::Random64 random(kPositionsSeed);
  std::shuffle(positions_.begin(), positions_.end(), random);
}

uint64_t HotKeys::OffsetIn(uint64_t range, double draw) const {
  if (settings_.key_a == 0) {
    return static_cast<uint64_t>(draw * static_cast<double>(range_size_));
  }
  const double rank = std::pow(draw / settings_.key_a, 1 / settings_.key_b);
  uint64_t state = static_cast<uint64_t>(std::min(rank, kRankMax));
  state ^= range << 48;
  return engine::SplitMix64(&state) % range_size_;
}

uint64_t HotKeys::Number(double range_draw, double key_draw) const {
  const auto found =
      std::upper_bound(sums_.begin(), sums_.end(), range_draw * sums_.back());
  const uint64_t range = std::min<uint64_t>(
      static_cast<uint64_t>(found - sums_.begin()), sums_.size() - 1);
  const uint64_t number =
      positions_[range] * range_size_ + OffsetIn(range, key_draw);
  return std::min(number, settings_.num - 1);
}

HotKeys::Settings HotKeysFromFlags() {
  HotKeys::Settings s;
  s.num = static_cast<uint64_t>(FLAGS_num);
  s.ranges = static_cast<uint64_t>(FLAGS_keyrange_num);
  s.range_a = FLAGS_keyrange_dist_a;
  s.range_b = FLAGS_keyrange_dist_b;
  s.range_c = FLAGS_keyrange_dist_c;
  s.range_d = FLAGS_keyrange_dist_d;
  s.key_a = FLAGS_key_dist_a;
  s.key_b = FLAGS_key_dist_b;
  return s;
}

}  // namespace ROCKSDB_NAMESPACE::bench
