// Mutex, MutexLock, CondVar, SharedMutex, SpinMutex: the locks of the library,
// visible to clang's thread-safety analysis (clang-tidy reports an unguarded
// access as an error).
//
// Place. Everywhere. SpinMutex only around a few dozen instructions that never
// block and call no foreign code.
//
// Threads. In dev builds Mutex knows its owner, so AssertHeld() checks, and a
// thread knows which mutexes it holds, so Lock() checks their order
// (lock_rank.h).
#pragma once

#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "rocksdb/rocksdb_namespace.h"
#include "util/lock_rank.h"
#include "util/thread_annotations.h"

namespace ROCKSDB_NAMESPACE::engine {

#ifndef NDEBUG
// The mutexes that this thread holds. A broken order ends the process with a
// message that names both.
void CheckLockOrder(LockRank rank);
void NoteLocked(LockRank rank);
void NoteUnlocked(LockRank rank);
#endif

// The rank of one mutex: in release builds nothing.
class RankChecker {
 public:
#ifdef NDEBUG
  explicit RankChecker(LockRank) {}
  void CheckOrder() const {}
  void NoteLocked() const {}
  void NoteUnlocked() const {}
#else
  explicit RankChecker(LockRank rank) : rank_(rank) {}
  void CheckOrder() const {
    if (rank_ != LockRank::kNone) CheckLockOrder(rank_);
  }
  void NoteLocked() const {
    if (rank_ != LockRank::kNone) engine::NoteLocked(rank_);
  }
  void NoteUnlocked() const {
    if (rank_ != LockRank::kNone) engine::NoteUnlocked(rank_);
  }

 private:
  const LockRank rank_;
#endif
};

class CAPABILITY("mutex") Mutex {
 public:
  Mutex() : Mutex(LockRank::kLeaf) {}  // lock_rank.h (2)
  explicit Mutex(LockRank rank) : rank_(rank) {}
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ACQUIRES() {
    rank_.CheckOrder();
    mu_.lock();
    SetOwner();
  }
  bool TryLock() TRY_ACQUIRES(true) {
    if (!mu_.try_lock()) return false;
    SetOwner();
    return true;
  }
  void Unlock() RELEASES() {
    ClearOwner();
    mu_.unlock();
  }
#ifdef NDEBUG
  void AssertHeld() const ASSERTS_LOCK() {}

 private:
  void SetOwner() {}
  void ClearOwner() {}
#else
  void AssertHeld() const ASSERTS_LOCK() {
    assert(owner_.load(std::memory_order_relaxed) ==
           std::this_thread::get_id());
  }

 private:
  void SetOwner() {
    owner_.store(std::this_thread::get_id(), std::memory_order_relaxed);
    rank_.NoteLocked();
  }
  void ClearOwner() {
    AssertHeld();
    owner_.store(std::thread::id(), std::memory_order_relaxed);
    rank_.NoteUnlocked();
  }

  std::atomic<std::thread::id> owner_{};
#endif

  friend class CondVar;
  [[no_unique_address]] const RankChecker rank_;
  std::mutex mu_;
};

// The mutex of a state that many objects share. The analysis cannot see that
// `deps_.db->mu` of one object is `state_->mu` of another, so holding any
// StateMutex also gives the role kStateLock, and a function that needs the
// mutex says REQUIRES_LOCK(kStateLock).
class CAPABILITY("role") StateLockRole {
 public:
  // For lambdas and callbacks, which the analysis reads without their caller.
  void AssertHeld() const ASSERTS_LOCK() {}
};
inline constexpr StateLockRole kStateLock;

class StateMutex : public Mutex {
 public:
  StateMutex() : Mutex(LockRank::kState) {}

  // Also gives the role, for code that the analysis reads without its caller.
  void AssertHeld() const ASSERTS_LOCK(this, kStateLock) {
    Mutex::AssertHeld();
  }
};

class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex* mu) ACQUIRES(mu) : mu_(mu) { mu_->Lock(); }
  explicit MutexLock(StateMutex* mu) ACQUIRES(mu, kStateLock) : mu_(mu) {
    mu_->Lock();
  }
  ~MutexLock() RELEASES() { mu_->Unlock(); }

  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mu_;
};

class CondVar {
 public:
  // Releases `mu` while asleep and holds it again on return. May wake early:
  // always call it in a loop that tests the condition.
  void Wait(Mutex* mu) REQUIRES_LOCK(mu) { DoWait(mu); }
  void Wait(StateMutex* mu) REQUIRES_LOCK(kStateLock) { DoWait(mu); }

  // As Wait, but for `timeout` of real time at most. Returns true when the time
  // ran out. Code that lives by an injected clock asks that clock to wait, not
  // this function.
  bool WaitFor(Mutex* mu, std::chrono::microseconds timeout) REQUIRES_LOCK(mu) {
    return DoWaitUntil(mu, std::chrono::steady_clock::now() + timeout);
  }
  bool WaitFor(StateMutex* mu, std::chrono::microseconds timeout)
      REQUIRES_LOCK(kStateLock) {
    return DoWaitUntil(mu, std::chrono::steady_clock::now() + timeout);
  }

  // As WaitFor, up to a point in time of any std clock.
  template <typename Clock, typename Duration>
  bool WaitUntil(Mutex* mu, std::chrono::time_point<Clock, Duration> deadline)
      REQUIRES_LOCK(mu) {
    return DoWaitUntil(mu, deadline);
  }
  template <typename Clock, typename Duration>
  bool WaitUntil(StateMutex* mu,
                 std::chrono::time_point<Clock, Duration> deadline)
      REQUIRES_LOCK(kStateLock) {
    return DoWaitUntil(mu, deadline);
  }

  // As WaitFor, up to a wall-clock time in microseconds since 1970.
  bool TimedWait(Mutex* mu, uint64_t deadline_micros) REQUIRES_LOCK(mu) {
    return DoWaitUntil(mu, std::chrono::system_clock::time_point(
                               std::chrono::microseconds(deadline_micros)));
  }

  void Signal() { cv_.notify_one(); }
  void SignalAll() { cv_.notify_all(); }

 private:
  void DoWait(Mutex* mu) {
    mu->ClearOwner();
    mu->rank_.CheckOrder();
    std::unique_lock<std::mutex> lock(mu->mu_, std::adopt_lock);
    cv_.wait(lock);
    lock.release();
    mu->SetOwner();
  }
  template <typename Clock, typename Duration>
  bool DoWaitUntil(Mutex* mu,
                   std::chrono::time_point<Clock, Duration> deadline) {
    mu->ClearOwner();
    mu->rank_.CheckOrder();
    std::unique_lock<std::mutex> lock(mu->mu_, std::adopt_lock);
    const std::cv_status status = cv_.wait_until(lock, deadline);
    lock.release();
    mu->SetOwner();
    return status == std::cv_status::timeout;
  }

  std::condition_variable cv_;
};

class CAPABILITY("mutex") SharedMutex {
 public:
  SharedMutex() : SharedMutex(LockRank::kLeaf) {}  // lock_rank.h (2)
  explicit SharedMutex(LockRank rank) : rank_(rank) {}
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;

  void Lock() ACQUIRES() {
    rank_.CheckOrder();
    mu_.lock();
    rank_.NoteLocked();
  }
  void Unlock() RELEASES() {
    rank_.NoteUnlocked();
    mu_.unlock();
  }
  void LockShared() ACQUIRES_SHARED() {
    rank_.CheckOrder();
    mu_.lock_shared();
    rank_.NoteLocked();
  }
  void UnlockShared() RELEASES_SHARED() {
    rank_.NoteUnlocked();
    mu_.unlock_shared();
  }

 private:
  [[no_unique_address]] const RankChecker rank_;
  std::shared_mutex mu_;
};

class SCOPED_CAPABILITY ReadLock {
 public:
  explicit ReadLock(SharedMutex* mu) ACQUIRES_SHARED(mu) : mu_(mu) {
    mu_->LockShared();
  }
  ~ReadLock() RELEASES() { mu_->UnlockShared(); }

  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;

 private:
  SharedMutex* const mu_;
};

class SCOPED_CAPABILITY WriteLock {
 public:
  explicit WriteLock(SharedMutex* mu) ACQUIRES(mu) : mu_(mu) { mu_->Lock(); }
  ~WriteLock() RELEASES() { mu_->Unlock(); }

  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;

 private:
  SharedMutex* const mu_;
};

// Tells the processor that this thread is spinning.
inline void CpuRelax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

// One byte and one atomic exchange per lock, a plain store per unlock. A waiter
// spins for about a microsecond and then yields its core, because the holder
// may have lost its own.
class CAPABILITY("mutex") SpinMutex {
 public:
  SpinMutex() = default;
  SpinMutex(const SpinMutex&) = delete;
  SpinMutex& operator=(const SpinMutex&) = delete;

  bool TryLock() TRY_ACQUIRES(true) {
    return !locked_.exchange(true, std::memory_order_acquire);
  }
  void Lock() ACQUIRES() {
    if (!locked_.exchange(true, std::memory_order_acquire)) [[likely]]
      return;
    LockSlow();
  }
  void Unlock() RELEASES() { locked_.store(false, std::memory_order_release); }

 private:
  static constexpr int kSpinsBeforeYield = 64;

  void LockSlow() {
    int spins = 0;
    do {
      // Waiting on a plain load keeps the line shared until it is released.
      while (locked_.load(std::memory_order_relaxed)) {
        if (++spins < kSpinsBeforeYield) {
          CpuRelax();
        } else {
          std::this_thread::yield();
        }
      }
    } while (locked_.exchange(true, std::memory_order_acquire));
  }

  std::atomic<bool> locked_{false};
};

class SCOPED_CAPABILITY SpinLock {
 public:
  explicit SpinLock(SpinMutex* mu) ACQUIRES(mu) : mu_(mu) { mu_->Lock(); }
  ~SpinLock() RELEASES() { mu_->Unlock(); }

  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

 private:
  SpinMutex* const mu_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
