#include "db/write/write_admission.h"

#include <algorithm>

#include "db/write/write_controller.h"
#include "rocksdb/env.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/system_clock.h"
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
  Status status;
  for (;;) {
    const bool delayed = controller_->NeedsDelay() && now_micros < end_micros;
    if (!delayed && !controller_->IsStopped()) break;
    waiter->RejectImpatient();
    status = waiter->Interrupted();
    if (!status.ok()) break;
    uint64_t step_micros = kStepMicros;
    if (!controller_->IsStopped())
      step_micros = std::min(step_micros, end_micros - now_micros);
    clock_->SleepForMicroseconds(static_cast<int>(step_micros));
    now_micros = clock_->NowMicros();
  }
  *stalled_micros = now_micros - start_micros;
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
