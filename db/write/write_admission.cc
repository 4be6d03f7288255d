#include "db/write/write_admission.h"

#include <algorithm>
#include <utility>

#include "db/write/write_controller.h"
#include "db/write/write_pacer.h"
#include "rocksdb/env.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"
#include "util/perf_context.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

bool WriteAdmission::MustWait() const {
  return controller_->IsStopped() || controller_->NeedsDelay();
}

Status WriteAdmission::Wait(uint64_t bytes, bool no_slowdown,
                            AdmissionWaiter* waiter, uint64_t* stalled_micros) {
  const uint64_t start_micros = clock_->NowMicros();
  const uint64_t delay_micros = controller_->GetDelay(start_micros, bytes);
  if (delay_micros == 0 && !controller_->IsStopped()) return {};
  if (no_slowdown) return Status::Incomplete("Write stall");

  const uint64_t end_micros = start_micros + delay_micros;
  uint64_t now_micros = start_micros;
  uint64_t stopped_micros = 0;
  Status status;
  for (;;) {
    const bool delayed = controller_->NeedsDelay() && now_micros < end_micros;
    if (!delayed && !controller_->IsStopped()) break;
    const uint64_t waiting_bytes = waiter->ServeQueue();
    if (pacer_ != nullptr) pacer_->SetStalled(waiting_bytes);
    status = waiter->Interrupted();
    if (!status.ok()) break;
    uint64_t step_micros = kStepMicros;
    if (!controller_->IsStopped())
      step_micros = std::min(step_micros, end_micros - now_micros);
    const bool stopped = controller_->IsStopped();
    clock_->SleepForMicroseconds(static_cast<int>(step_micros));
    const uint64_t last_micros = std::exchange(now_micros, clock_->NowMicros());
    if (stopped) stopped_micros += now_micros - last_micros;
  }
  if (PerfEnabled(kEnableWait)) {
    Contexts().perf.write_stop_time += stopped_micros * 1000;
  }
  if (pacer_ != nullptr) pacer_->SetStalled(0);
  *stalled_micros = now_micros - start_micros;
  return status;
}

bool WriteAdmission::MustPace() const {
  return pacer_ != nullptr && pacer_->rate() != 0;
}

Status WriteAdmission::Pace(uint64_t bytes, bool no_slowdown,
                            AdmissionWaiter* waiter, uint64_t* paced_micros) {
  using Reservation = WritePacer::Reservation;
  uint64_t now_micros = clock_->NowMicros();
  uint64_t rate = 0;
  uint64_t rest_micros = pacer_->Reserve(
      bytes, now_micros,
      no_slowdown ? Reservation::kOnlyWithoutWaiting : Reservation::kAlways,
      &rate);
  if (rest_micros == 0) return {};
  if (no_slowdown) return Status::Incomplete("Write stall");

  pacer_->AddPaced(bytes);
  Status status;
  while (rest_micros > 0) {
    status = waiter->Interrupted();
    if (!status.ok()) break;
    clock_->SleepForMicroseconds(
        static_cast<int>(std::min(rest_micros, WritePacer::kStepMicros)));
    const uint64_t last_micros = std::exchange(now_micros, clock_->NowMicros());
    // A clock that went back has told nothing about this step.
    const uint64_t slept_micros =
        now_micros > last_micros ? now_micros - last_micros : 0;
    *paced_micros += slept_micros;
    rest_micros -= std::min(rest_micros, slept_micros);
    const uint64_t new_rate = pacer_->rate();
    if (new_rate == rate) continue;
    rest_micros = WritePacer::Rescale(rest_micros, rate, new_rate);
    rate = new_rate;
  }
  pacer_->RemovePaced(bytes);
  return status;
}

Status WriteAdmission::WaitLowPriority(uint64_t bytes, bool no_slowdown) {
  if (!controller_->NeedSpeedupCompaction()) return {};
  if (no_slowdown) return Status::Incomplete("Low priority write stall");
  low_pri_limiter_->Request(static_cast<int64_t>(bytes), Env::IO_HIGH,
                            /*stats=*/nullptr, RateLimiter::OpType::kWrite);
  return {};
}

}  // namespace ROCKSDB_NAMESPACE::engine
