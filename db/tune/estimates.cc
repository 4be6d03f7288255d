#include "db/tune/estimates.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// What a total has grown by; a total that fell has been reset: signals.h (1).
double Grown(uint64_t now, uint64_t before) {
  return now > before ? static_cast<double>(now - before) : 0.0;
}

}  // namespace

Estimates::Estimates(const TuneParams& params)
    : params_(params),
      offered_(params[TuneParam::kOfferedHalfLifeSecs]),
      waiting_(params[TuneParam::kShareHalfLifeSecs]),
      usual_(params[TuneParam::kPeakHalfLifeSecs]),
      read_long_(params[TuneParam::kReadHalfLifeSecs]),
      accepted_long_(params[TuneParam::kReadHalfLifeSecs]),
      speed_{Ewma(params[TuneParam::kSpeedHalfLifeSecs]),
             Ewma(params[TuneParam::kSpeedHalfLifeSecs]),
             Ewma(params[TuneParam::kSpeedHalfLifeSecs]),
             Ewma(params[TuneParam::kSpeedHalfLifeSecs])},
      flush_wait_(params[TuneParam::kShareHalfLifeSecs]),
      capacity_(params[TuneParam::kSpeedHalfLifeSecs]),
      lasting_capacity_(params[TuneParam::kWorkNowHalfLifeSecs]),
      saturated_(params[TuneParam::kShareHalfLifeSecs]),
      compacted_(params[TuneParam::kWorkNowHalfLifeSecs]),
      flushed_long_(params[TuneParam::kWorkHalfLifeSecs]),
      logged_long_(params[TuneParam::kWorkHalfLifeSecs]),
      flush_logged_long_(params[TuneParam::kWorkHalfLifeSecs]),
      brought_long_(params[TuneParam::kWorkHalfLifeSecs]) {}

Estimates::Totals Estimates::TotalsOf(const LsmSignals& signals) {
  Totals totals;
  for (const FamilySignals& family : signals.families) {
    // Tells sets of ids apart, whatever their order.
    uint64_t hash = (uint64_t{family.id} + 1) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
    totals.families += hash * hash;
    totals.debt += static_cast<double>(family.foreseen_debt_bytes);
  }
  return totals;
}

bool Estimates::Update(const LsmSignals& signals) {
  const bool forward = started_ && signals.now_micros > now_micros_;
  const double secs =
      forward ? static_cast<double>(signals.now_micros - now_micros_) / 1e6 : 0;
  const bool usable = forward && secs <= kGapMaxSecs;  // (2)
  const Totals totals = TotalsOf(signals);
  if (started_ && signals.now_micros <= now_micros_) {
    // A clock that went back starts anew from here.
    now_micros_ = signals.now_micros;
    tick_secs_ = 0;
    return false;
  }
  assert(secs >= 0);  // (2)
  tick_secs_ = usable ? secs : 0;
  LearnSizes(signals.flushed);  // Needs no time, so also after a gap.
  if (usable) {
    // Other families than last time bring other totals: no growth.
    const bool same = totals.families == totals_.families;
    LearnDemand(signals);
    LearnWork(signals, same ? totals.debt - totals_.debt : 0);
  }
  started_ = true;
  now_micros_ = signals.now_micros;
  accepted_bytes_ = signals.accepted_bytes;
  waiting_bytes_ = signals.waiting_bytes;
  user_read_bytes_ = signals.user_read_bytes;
  log_synced_bytes_ = signals.log_synced_bytes;
  flush_log_synced_bytes_ = signals.flush_log_synced_bytes;
  work_ = signals.work;
  neighbours_ = signals.neighbours;
  totals_ = totals;
  return usable;
}

// What waits was asked for when it began to wait; accepting it later is no new
// demand.
void Estimates::LearnDemand(const LsmSignals& signals) {
  assert(tick_secs_ > 0);
  const double accepted = Grown(signals.accepted_bytes, accepted_bytes_);
  const double waiting = static_cast<double>(signals.waiting_bytes) -
                         static_cast<double>(waiting_bytes_);
  offered_.Add(std::max(0.0, accepted + waiting) / tick_secs_, tick_secs_);
  accepted_long_.Add(accepted / tick_secs_, tick_secs_);
  read_long_.Add(Grown(signals.user_read_bytes, user_read_bytes_) / tick_secs_,
                 tick_secs_);
  waiting_.Add(signals.waiting_bytes > 0 ? 1.0 : 0.0, tick_secs_);
  if (waiting_.value() > params_[TuneParam::kMostlyOn]) {
    writers_wait_ = true;
  }
  if (waiting_.value() < params_[TuneParam::kMostlyOff]) {
    writers_wait_ = false;
  }
  free_secs_ = writers_wait_ ? 0 : free_secs_ + tick_secs_;
  waited_secs_ = writers_wait_ ? waited_secs_ + tick_secs_
                               : std::max(0.0, waited_secs_ - 2 * tick_secs_);
  if (free_secs_ > params_[TuneParam::kUsualFromSecs]) {
    usual_.Add(accepted / tick_secs_, tick_secs_);
  }
  peak_ *= std::exp2(-tick_secs_ / params_[TuneParam::kPeakHalfLifeSecs]);
  peak_ = std::max(peak_, offered_.value());
  assert(std::isfinite(peak_) && offered_.value() >= 0);  // (1)
}

// Small flushes are taken together, so that one of them does not displace what
// larger ones told.
void Estimates::LearnSizes(const FlushTotals& flushed) {
  constexpr double kKeep = 0.7;
  constexpr double kLearnBytes = 1 << 20;
  // Totals that fell have begun anew.
  if (flushed.data_bytes < flushed_.data_bytes) flushed_ = flushed;
  const double data = Grown(flushed.data_bytes, flushed_.data_bytes);
  if (data < kLearnBytes) return;
  const auto learn = [&](double grown, double* sum) {
    *sum = kKeep * *sum + grown;
    assert(std::isfinite(*sum));  // (1)
  };
  learn(data, &flush_sums_.data);
  learn(Grown(flushed.table_bytes, flushed_.table_bytes), &flush_sums_.table);
  learn(Grown(flushed.stored_bytes(), flushed_.stored_bytes()),
        &flush_sums_.stored);
  flushed_ = flushed;
}

// Not more than a byte: what indexes of small values add is in the constants of
// the law, which were found with it.
double Estimates::PerByte(double sum) const {
  constexpr double kLeast = 0.01;
  if (!(flush_sums_.data > 0)) return 1;
  return std::clamp(sum / flush_sums_.data, kLeast, 1.0);
}

void Estimates::LearnWork(const LsmSignals& signals, double debt_growth) {
  assert(tick_secs_ > 0);
  double written = 0;
  double flushed = 0;
  double device_secs = 0;
  for (size_t i = 0; i < kWorkClasses; ++i) {
    const WorkTotals& now = signals.work[i];
    const double bytes = Grown(now.bytes_written, work_[i].bytes_written);
    const double busy = std::min(
        Grown(now.busy_micros, work_[i].busy_micros) / 1e6, tick_secs_);
    const double device =
        Grown(now.device_micros, work_[i].device_micros) / 1e6;
    written += bytes;
    if (i == Index(WorkClass::kFlush)) flushed = bytes;
    device_secs += device;
    // Less than a hundredth of a tick says nothing about a speed.
    if (busy > 0.01 * tick_secs_) speed_[i].Add(bytes / busy, busy);
    if (i == Index(WorkClass::kFlush) && busy > 0.01 * tick_secs_) {
      flush_wait_.Add(std::min(1.0, device / busy), busy);
    }
  }
  compacted_.Add((written - flushed) / tick_secs_, tick_secs_);
  flushed_long_.Add(flushed / tick_secs_, tick_secs_);
  logged_long_.Add(
      Grown(signals.log_synced_bytes, log_synced_bytes_) / tick_secs_,
      tick_secs_);
  flush_logged_long_.Add(
      Grown(signals.flush_log_synced_bytes, flush_log_synced_bytes_) /
          tick_secs_,
      tick_secs_);
  brought_long_.Add((written - flushed + debt_growth) / tick_secs_, tick_secs_);
  const bool full =
      device_secs >= params_[TuneParam::kSaturatedShare] * tick_secs_;
  assert(written >= flushed && std::isfinite(device_secs));  // (1)
  saturated_.Add(full ? 1.0 : 0.0, tick_secs_);
  if (saturated_.value() > params_[TuneParam::kMostlyOn]) {
    device_bound_ = true;
  }
  if (saturated_.value() < params_[TuneParam::kMostlyOff]) {
    device_bound_ = false;
  }
  unbound_secs_ = device_bound_ ? 0 : unbound_secs_ + tick_secs_;
  if (full && device_bound_) {
    // Logs are synced rarely and many bytes at a time: averaged.
    const double all = written + LogsPerFlushed() * flushed;
    assert(std::isfinite(all) && all >= written);  // (1)
    capacity_.Add(all / tick_secs_, tick_secs_);
    LearnShare(all, signals.neighbours);
  }
}

// Of what the device writes for all whose writers wait, each may have as much
// as the others.
void Estimates::LearnShare(double own, const Neighbours& neighbours) {
  // A set that has changed brings another total: no growth.
  if (neighbours.waiting != neighbours_.waiting) return;
  const double others = Grown(neighbours.waiting_written_bytes,
                              neighbours_.waiting_written_bytes);
  lasting_capacity_.Add(
      (own + others) / (1 + std::max(0, neighbours.waiting)) / tick_secs_,
      tick_secs_);
}

double Estimates::offered_peak() const {
  return std::max(peak_, offered_.value());
}

double Estimates::work_per_byte() const {
  const double most = params_[TuneParam::kWorkPerByteMax];
  if (flushed_long_.value() <= 0) return most;
  const double work =
      std::clamp(brought_long_.value() / flushed_long_.value(), 1.0, most);
  return stored_per_byte() * work;
}

double Estimates::LogsPerFlushed() const {
  if (flushed_long_.value() <= 0) return 0;
  return std::min(logged_long_.value() / flushed_long_.value(),
                  params_[TuneParam::kWorkPerByteMax]);
}

double Estimates::front_per_byte() const {
  return stored_per_byte() * (1 + LogsPerFlushed());
}

double Estimates::flush_logs_per_flushed() const {
  if (flushed_long_.value() <= 0) return 0;
  return std::min(flush_logged_long_.value() / flushed_long_.value(),
                  params_[TuneParam::kWorkPerByteMax]);
}

double Estimates::lasting_capacity() const {
  return unbound_secs_ < params_[TuneParam::kWorkHalfLifeSecs]
             ? lasting_capacity_.value()
             : 0;
}

double Estimates::read_weight() const {
  const double all = read_long_.value() + accepted_long_.value();
  return all > 0 ? read_long_.value() / all : 0;
}

double Estimates::Speed(WorkClass work) const {
  const Ewma& speed = speed_[Index(work)];
  const double initial = params_[TuneParam::kInitialSpeed];
  // A speed near zero means that the work stood still, not that it would.
  return speed.has_value() ? std::max(speed.value(), 1e5) : initial;
}

}  // namespace ROCKSDB_NAMESPACE::engine
