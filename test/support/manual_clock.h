// ManualClock: time that moves only when a test says so.
//
// Place. Passed wherever a SystemClock is asked for. Threads that wait on it
// through util/clock_wait are woken by Advance.
//
// Model. One number. Sleeping moves it (kAdvance, for tests of one thread) or
// blocks until another thread has moved it far enough (kBlock).
//
// Threads. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/system_clock.h"
#include "util/clock_wait.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::test {

class ManualClock final : public SystemClock, public engine::WaitableClock {
 public:
  enum class Sleep { kAdvance, kBlock };

  explicit ManualClock(uint64_t now_micros = 1000 * 1000,
                       Sleep sleep = Sleep::kAdvance)
      : now_nanos_(now_micros * 1000), sleep_(sleep) {}

  const char* Name() const override { return "ManualClock"; }
  uint64_t NowMicros() override { return NowNanos() / 1000; }
  uint64_t NowNanos() override { return now_nanos_.load(); }
  Status GetCurrentTime(int64_t* unix_time) override {
    *unix_time = static_cast<int64_t>(NowMicros() / 1000000);
    return Status::OK();
  }
  std::string TimeToString(uint64_t time) override {
    return std::to_string(time);
  }

  void SleepForMicroseconds(int micros) override {
    if (micros <= 0) return;
    slept_micros_ += static_cast<uint64_t>(micros);
    if (sleep_ == Sleep::kAdvance) return Advance(micros);
    engine::Mutex mu(engine::LockRank::kNone);
    engine::CondVar cv;
    const uint64_t deadline = NowMicros() + static_cast<uint64_t>(micros);
    engine::MutexLock lock(&mu);
    while (NowMicros() < deadline) WaitUntil(&cv, &mu, deadline);
  }

  // Moves time and wakes the threads that wait for it.
  void Advance(int64_t micros) {
    now_nanos_ += static_cast<uint64_t>(micros) * 1000;
    engine::MutexLock lock(&waiters_mu_);
    for (engine::CondVar* cv : waiters_) cv->SignalAll();
  }

  // The signal of Advance can fall between a waiter's look at the time and its
  // sleep, hence the short real timeout; the contract allows early returns.
  void WaitUntil(engine::CondVar* cv, engine::Mutex* mu,
                 uint64_t deadline_micros) override REQUIRES_LOCK(mu) {
    if (NowMicros() >= deadline_micros) return;
    {
      engine::MutexLock lock(&waiters_mu_);
      waiters_.push_back(cv);
      ++waits_;
    }
    cv->WaitFor(mu, std::chrono::milliseconds(5));
    engine::MutexLock lock(&waiters_mu_);
    std::erase(waiters_, cv);
  }

  // Returns once `count` threads wait for this clock.
  void AwaitWaiters(size_t count) {
    while (Waiters() < count) std::this_thread::yield();
  }
  size_t Waiters() {
    engine::MutexLock lock(&waiters_mu_);
    return waiters_.size();
  }

  // How often a thread has begun to wait. If there is only one, the second wait
  // that begins after Advance() is of a thread that has seen the new time.
  uint64_t waits() {
    engine::MutexLock lock(&waiters_mu_);
    return waits_;
  }

  // The sum of all sleeps.
  uint64_t slept_micros() const { return slept_micros_; }

 private:
  std::atomic<uint64_t> now_nanos_;
  std::atomic<uint64_t> slept_micros_{0};
  const Sleep sleep_;
  engine::Mutex waiters_mu_;
  std::vector<engine::CondVar*> waiters_;
  uint64_t waits_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::test
