// Estimates: the rates and shares that the tuner derives from the totals it
// receives.
//
// Place. The tuner's memory. Update() once per tick turns totals into rates;
// the rest of the law reads numbers.
//
// Model.
//
//   offered      what clients ask for: accepted plus what waits in admission;
//                averaged, and its recent peak
//   speed        bytes per second *while such work runs*, so that it says what
//                a merge would get, not how often there was one
//   wait share   of a flush's time, spent in the device
//   capacity     background bytes per second while some job is always inside a
//                write call. Unknown (0) on a device that never is the limit
//   read weight  bytes that reads took from files, of these and those written
//   usual        what is accepted while writers do not wait
//   per byte     of keys and values, as clients write them: tables, blob
//                files, logs and work. "Per flushed": of what flushes write
//
// What is offered, usual or flushed per second is in bytes that clients write.
// Other speeds, and capacities, are in bytes that the device writes.
//
// Invariants:
//   (1) Every value is finite and not negative, whatever the totals do.
//   (2) A clock that stands still or goes back changes nothing; a jump forward
//       of more than kGapMaxSecs counts as a gap: baselines move, rates stay.

#pragma once

#include <array>
#include <cstdint>

#include "db/tune/limits.h"
#include "db/tune/signals.h"
#include "util/ewma.h"

namespace ROCKSDB_NAMESPACE::engine {

class Estimates {
 public:
  explicit Estimates(const TuneParams& params);

  // False: no time has passed, or too much; nothing was learnt.
  bool Update(const LsmSignals& signals);

  double offered() const { return offered_.value(); }
  // For plans: the average or the decaying peak, whichever is more.
  double offered_peak() const;
  // Of what clients wrote.
  double flush_speed() const {
    return Speed(WorkClass::kFlush) / stored_per_byte();
  }
  double merge_speed() const { return Speed(WorkClass::kRuns); }
  double flush_wait_share() const { return flush_wait_.value(); }
  // 0 while the device is not the limit.
  double capacity() const { return saturated() ? capacity_.value() : 0; }
  bool saturated() const { return device_bound_; }
  // For plans, tiers and bursts: averaged for longer, and kept for
  // kWorkHalfLifeSecs after the device was the limit last.
  double lasting_capacity() const;
  double compacted_per_second() const { return compacted_.value(); }
  // At nearly every tick some writer waits.
  bool writers_wait() const { return writers_wait_; }
  // For how long, in a row; as long without forgets it at twice that speed.
  double waited_secs() const { return waited_secs_; }
  // Accepted per second before they waited; 0 if that was never for long.
  double usual() const { return usual_.value(); }
  // For each byte of keys and values that clients write: what a flush writes
  // for it, compressed, in level 0, and with blob files.
  double table_per_byte() const { return PerByte(flush_sums_.table); }
  double stored_per_byte() const { return PerByte(flush_sums_.stored); }
  // Bytes of compaction that one of these makes necessary, done or owed.
  // Learnt over minutes, so that a pause of writers does not raise it.
  double work_per_byte() const;
  // Bytes that the device has to write at once for each of these: its flush,
  // and the synced part of the logs.
  double front_per_byte() const;
  // Of logs, what flushes sync for each byte that they write.
  double flush_logs_per_flushed() const;
  // Users' reads from files, of what they read and write: 0 to 1.
  double read_weight() const;
  double tick_secs() const { return tick_secs_; }

 private:
  static constexpr double kGapMaxSecs = 5;

  // Of the last flushes, a mebibyte or more at a time; each weighs as much as
  // it has bytes.
  struct FlushSums {
    double data = 0;
    double table = 0;
    double stored = 0;
  };

  // Over all families.
  struct Totals {
    uint64_t families = 0;  // Which they were.
    double debt = 0;
  };

  static Totals TotalsOf(const LsmSignals& signals);
  double Speed(WorkClass work) const;
  void LearnDemand(const LsmSignals& signals);
  void LearnShare(double own, const Neighbours& neighbours);
  void LearnSizes(const FlushTotals& flushed);
  double LogsPerFlushed() const;
  double PerByte(double sum) const;
  void LearnWork(const LsmSignals& signals, double debt_growth);

  const TuneParams params_;
  bool started_ = false;
  double tick_secs_ = 0;

  uint64_t now_micros_ = 0;
  uint64_t accepted_bytes_ = 0;
  uint64_t waiting_bytes_ = 0;
  uint64_t user_read_bytes_ = 0;
  uint64_t log_synced_bytes_ = 0;
  uint64_t flush_log_synced_bytes_ = 0;
  FlushTotals flushed_;  // Learnt from up to here.
  Totals totals_;
  std::array<WorkTotals, kWorkClasses> work_{};

  Ewma offered_;
  Ewma waiting_;
  bool writers_wait_ = false;
  double free_secs_ = 0;  // Since writers waited last.
  double waited_secs_ = 0;
  Neighbours neighbours_;
  Ewma usual_;
  Ewma read_long_;
  Ewma accepted_long_;
  double peak_ = 0;
  std::array<Ewma, kWorkClasses> speed_;
  Ewma flush_wait_;
  Ewma capacity_;
  Ewma lasting_capacity_;
  Ewma saturated_;
  bool device_bound_ = false;
  double unbound_secs_ = 1e9;  // Since the device was the limit.
  Ewma compacted_;
  Ewma flushed_long_;
  Ewma logged_long_;
  Ewma flush_logged_long_;
  Ewma brought_long_;
  FlushSums flush_sums_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
