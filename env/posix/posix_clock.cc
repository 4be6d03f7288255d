// SystemClock::Default(): the clock of the operating system.

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <thread>

#include "env/posix/posix_error.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

namespace {

uint64_t Nanos(clockid_t id) {
  timespec ts{};
  clock_gettime(id, &ts);
  return static_cast<uint64_t>(ts.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(ts.tv_nsec);
}

class PosixClock final : public SystemClock {
 public:
  const char* Name() const override { return kDefaultName(); }

  // Wall time, because LOG stamps and LOG.old names are made of it; durations
  // use NowNanos.
  uint64_t NowMicros() override { return Nanos(CLOCK_REALTIME) / 1000; }
  uint64_t NowNanos() override { return Nanos(CLOCK_MONOTONIC); }
  uint64_t CPUMicros() override { return CPUNanos() / 1000; }
  uint64_t CPUNanos() override { return Nanos(CLOCK_THREAD_CPUTIME_ID); }

  void SleepForMicroseconds(int micros) override {
    std::this_thread::sleep_for(std::chrono::microseconds(micros));
  }

  Status GetCurrentTime(int64_t* unix_time) override {
    const time_t now = time(nullptr);
    if (now == static_cast<time_t>(-1)) {
      return engine::PosixError("GetCurrentTime", "", errno);
    }
    *unix_time = now;
    return Status::OK();
  }

  std::string TimeToString(uint64_t seconds) override {
    const auto time = static_cast<time_t>(seconds);
    tm local{};
    char text[64] = "";
    if (localtime_r(&time, &local) != nullptr) {
      strftime(text, sizeof(text), "%Y/%m/%d-%H:%M:%S ", &local);
    }
    return text;
  }
};

}  // namespace

const std::shared_ptr<SystemClock>& SystemClock::Default() {
  // Never destroyed: threads may ask for the time while the process exits.
  static const auto* const clock =
      new std::shared_ptr<SystemClock>(std::make_shared<PosixClock>());
  return *clock;
}

}  // namespace ROCKSDB_NAMESPACE
