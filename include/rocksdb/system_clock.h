// SystemClock: the only source of time in the engine.
//
// Place. Implemented by env/; a test passes a manual clock and moves time by
// hand. Nothing else in the engine asks the operating system for the time.
//
// Threads. Every method may be called from any thread at once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct ConfigOptions;

class SystemClock : public Customizable {
 public:
  ~SystemClock() override = default;

  static const char* Type() { return "SystemClock"; }
  static const char* kDefaultName() { return "DefaultClock"; }

  // Finds a clock by name. Knows the default one.
  static Status CreateFromString(const ConfigOptions& options,
                                 const std::string& value,
                                 std::shared_ptr<SystemClock>* result);

  // The clock of the operating system; lives until the process ends.
  static const std::shared_ptr<SystemClock>& Default();

  const char* Name() const override = 0;

  // Microseconds since some fixed moment; only differences have a meaning.
  virtual uint64_t NowMicros() = 0;
  virtual uint64_t NowNanos() { return NowMicros() * 1000; }

  // Processor time used by the calling thread; 0 when unknown.
  virtual uint64_t CPUMicros() { return 0; }
  virtual uint64_t CPUNanos() { return CPUMicros() * 1000; }

  virtual void SleepForMicroseconds(int micros) = 0;

  // Seconds since 1970-01-01 UTC.
  virtual Status GetCurrentTime(int64_t* unix_time) = 0;

  // A readable form of a time in seconds since 1970-01-01 UTC.
  virtual std::string TimeToString(uint64_t time) = 0;
};

// Forwards everything; subclass it to change a part.
class SystemClockWrapper : public SystemClock {
 public:
  explicit SystemClockWrapper(const std::shared_ptr<SystemClock>& t)
      : target_(t) {}

  uint64_t NowMicros() override { return target_->NowMicros(); }
  uint64_t NowNanos() override { return target_->NowNanos(); }
  uint64_t CPUMicros() override { return target_->CPUMicros(); }
  uint64_t CPUNanos() override { return target_->CPUNanos(); }
  void SleepForMicroseconds(int micros) override {
    target_->SleepForMicroseconds(micros);
  }
  Status GetCurrentTime(int64_t* unix_time) override {
    return target_->GetCurrentTime(unix_time);
  }
  std::string TimeToString(uint64_t time) override {
    return target_->TimeToString(time);
  }
  Status PrepareOptions(const ConfigOptions& options) override {
    return target_->PrepareOptions(options);
  }

 protected:
  const Customizable* Inner() const override { return target_.get(); }

  std::shared_ptr<SystemClock> target_;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
