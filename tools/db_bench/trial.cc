#include "tools/db_bench/trial.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

namespace ROCKSDB_NAMESPACE::bench {

namespace {

using SampleField = std::optional<uint64_t> TrialSample::*;

struct Fit {
  double mean = 0;
  Slope slope;
  bool known = false;

  bool GrowsBy(double per_second) const {
    return known && slope.per_second > per_second &&
           slope.per_second > 2 * slope.standard_error;
  }
};

Fit FitSamples(const std::vector<TrialSample>& samples, SampleField number) {
  std::vector<double> x, y;
  Fit fit;
  for (const TrialSample& s : samples) {
    const auto& value = s.*number;
    if (!value) continue;
    x.push_back(s.seconds);
    y.push_back(static_cast<double>(*value));
    fit.mean += y.back();
  }
  if (x.empty()) return fit;
  fit.known = true;
  fit.mean /= static_cast<double>(x.size());
  fit.slope = FitLine(x, y);
  return fit;
}

template <typename... Args>
std::string Format(const char* format, Args... args) {
  char text[160];
  std::snprintf(text, sizeof(text), format, args...);
  return text;
}

// What a cause of stalls means for the search.
std::string BoundOf(const std::string& cause) {
  if (cause == "l0-file-count-limit") return "runs";
  if (cause == "pending-compaction-bytes") return "debt";
  return "memtables";
}

// The cause that was seen most often while writes were stalled.
std::string StallBound(const std::vector<TrialSample>& samples) {
  std::string bound;
  int64_t most = 0;
  for (const TrialSample& s : samples) {
    if (s.stall_cause == "none") continue;
    const auto count = std::count_if(
        samples.begin(), samples.end(),
        [&](const auto& other) { return other.stall_cause == s.stall_cause; });
    if (count > most) {
      most = count;
      bound = BoundOf(s.stall_cause);
    }
  }
  return bound;
}

double ShareAtLimit(const std::vector<TrialSample>& samples, uint64_t limit) {
  const auto count =
      std::count_if(samples.begin(), samples.end(), [limit](const auto& s) {
        return s.unflushed_memtables && *s.unflushed_memtables >= limit;
      });
  return static_cast<double>(count) / static_cast<double>(samples.size());
}

struct Fits {
  Fit runs;
  Fit debt;
};

void FindBound(const std::vector<TrialSample>& samples,
               const TrialLimits& limits, const Fits& fits, TrialVerdict* v) {
  const double window = samples.back().seconds;
  const auto accepted = static_cast<double>(samples.back().accepted_bytes);
  const double at_limit = ShareAtLimit(samples, limits.memtables_max);
  const bool stalled = v->stall_share > limits.stall_share;
  const bool states = std::any_of(samples.begin(), samples.end(),
                                  [](const auto& s) { return s.stalled; });
  if (at_limit >= 0.5) {
    v->bound = "memtables";
    v->why = Format("all %d memtables were full %.0f %% of the time",
                    static_cast<int>(limits.memtables_max), 100 * at_limit);
  } else if (fits.runs.GrowsBy(limits.runs_growth / window)) {
    v->bound = "runs";
    v->why =
        Format("sorted runs grew by %.1f in %.0f s", v->runs_growth, window);
  } else if (v->debt_mean > static_cast<double>(limits.debt_floor_bytes) &&
             fits.debt.GrowsBy(limits.debt_growth * accepted / window)) {
    v->bound = "debt";
    v->why = Format("compaction debt grew by %.2f bytes per byte written",
                    v->debt_growth);
  } else if (stalled || states) {
    v->bound = StallBound(samples);
    if (v->bound.empty()) v->bound = "device";
    v->why = Format("writers were delayed or stopped, %.2f %% of the time",
                    100 * v->stall_share);
  } else if (v->accepted_share < limits.accepted_share) {
    v->bound = "device";
    v->why = Format("only %.1f %% of what was asked was accepted",
                    100 * v->accepted_share);
  }
}

}  // namespace

Slope FitLine(const std::vector<double>& x, const std::vector<double>& y) {
  const size_t n = std::min(x.size(), y.size());
  if (n < 3) return {};
  const auto count = static_cast<double>(n);
  double mean_x = 0, mean_y = 0;
  for (size_t i = 0; i < n; ++i) {
    mean_x += x[i] / count;
    mean_y += y[i] / count;
  }
  double xx = 0, xy = 0;
  for (size_t i = 0; i < n; ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (!(xx > 0)) return {};
  Slope slope;
  slope.per_second = xy / xx;
  double rest = 0;
  for (size_t i = 0; i < n; ++i) {
    const double off = y[i] - mean_y - slope.per_second * (x[i] - mean_x);
    rest += off * off;
  }
  slope.standard_error = std::sqrt(rest / (count - 2) / xx);
  return slope;
}

TrialVerdict JudgeTrial(uint64_t asked_bytes_per_second,
                        const std::vector<TrialSample>& samples,
                        const TrialLimits& limits) {
  TrialVerdict v;
  if (samples.empty() || !(samples.back().seconds > 0) ||
      asked_bytes_per_second == 0) {
    v.bound = "device";
    v.why = "the trial has no samples";
    return v;
  }
  const TrialSample& last = samples.back();
  const double window = last.seconds;
  const auto accepted = static_cast<double>(last.accepted_bytes);
  v.accepted_share =
      accepted / (static_cast<double>(asked_bytes_per_second) * window);
  v.stall_share = static_cast<double>(last.stall_micros) / 1e6 / window;
  const Fits fits{FitSamples(samples, &TrialSample::sorted_runs),
                  FitSamples(samples, &TrialSample::pending_bytes)};
  v.runs_mean = fits.runs.mean;
  v.runs_growth = fits.runs.slope.per_second * window;
  v.debt_mean = fits.debt.mean;
  if (accepted > 0) {
    v.debt_growth = fits.debt.slope.per_second * window / accepted;
  }
  v.memtables_mean =
      FitSamples(samples, &TrialSample::unflushed_memtables).mean;
  FindBound(samples, limits, fits, &v);
  v.sustained = v.bound.empty();
  return v;
}

void RateSearch::Report(bool sustained) {
  if (sustained) {
    best_ = std::max(best_, next_);
  } else {
    failed_ = failed_ > 0 ? std::min(failed_, next_) : next_;
  }
  if (failed_ == 0) {
    done_ = best_ >= settings_.most;
    next_ = std::min(next_ * settings_.factor, settings_.most);
  } else if (best_ == 0) {
    next_ = failed_ / 2;
    done_ = next_ < settings_.least;
  } else {
    next_ = std::sqrt(best_ * failed_);
    done_ = failed_ <= best_ * settings_.precision;
  }
}

}  // namespace ROCKSDB_NAMESPACE::bench
