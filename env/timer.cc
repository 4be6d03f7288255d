#include "env/timer.h"

#include <algorithm>
#include <cassert>

#include "rocksdb/env.h"
#include "util/clock_wait.h"
#include "util/start_thread.h"

namespace ROCKSDB_NAMESPACE::engine {

Timer::~Timer() {
  {
    MutexLock lock(&mu_);
    stop_ = true;
    changed_.SignalAll();
  }
  if (thread_.joinable()) thread_.join();
}

Status Timer::Start() {
  MutexLock lock(&mu_);
  return StartThreadOnce();
}

Status Timer::StartThreadOnce() {
  if (thread_.joinable()) return Status::OK();
  return StartThread(&thread_, [this] { ThreadMain(); });
}

Timer::Handle Timer::Add(uint64_t first_micros, uint64_t period_micros,
                         std::function<void()> fn) {
  assert(fn != nullptr);
  MutexLock lock(&mu_);
  const Handle handle = ++last_handle_;
  Entry& entry = entries_[handle];
  entry.due_micros = first_micros;
  entry.period_micros = period_micros;
  entry.fn = std::make_shared<std::function<void()>>(std::move(fn));
  by_due_[{first_micros, handle}] = handle;
  (void)StartThreadOnce();
  changed_.SignalAll();
  return handle;
}

bool Timer::Cancel(Handle handle) {
  MutexLock lock(&mu_);
  const auto it = entries_.find(handle);
  if (it == entries_.end()) return false;
  Entry& entry = it->second;
  if (entry.runs_in == std::thread::id()) {
    by_due_.erase({entry.due_micros, handle});
    entries_.erase(it);
    return true;
  }
  // The runner removes the entry. The callback itself must not wait for that.
  const bool is_first = !entry.cancelled;
  entry.cancelled = true;
  if (entry.runs_in == std::this_thread::get_id()) return is_first;
  while (entries_.count(handle) != 0) changed_.Wait(&mu_);  // (2)
  return is_first;
}

void Timer::RunDue() {
  MutexLock lock(&mu_);
  const uint64_t now_micros = clock_->NowMicros();
  while (RunFirst(now_micros)) {
  }
}

size_t Timer::size() const {
  MutexLock lock(&mu_);
  return entries_.size();
}

bool Timer::RunFirst(uint64_t now_micros) {
  if (stop_ || by_due_.empty()) return false;
  const auto [due_micros, handle] = by_due_.begin()->first;
  if (due_micros > now_micros) return false;
  by_due_.erase(by_due_.begin());
  assert(entries_.contains(handle));
  Entry& entry = entries_[handle];
  assert(entry.runs_in == std::thread::id());  // (1)
  assert(!entry.cancelled);                    // (2)
  entry.runs_in = std::this_thread::get_id();
  const std::shared_ptr<std::function<void()>> fn = entry.fn;

  // The entry stays in the map while it runs, but not in the order, so no other
  // thread can start it. Map references survive other insertions.
  mu_.Unlock();
  (*fn)();
  mu_.Lock();

  assert(entry.runs_in == std::this_thread::get_id());  // (1)
  entry.runs_in = std::thread::id();
  if (entry.cancelled || entry.period_micros == 0) {
    entries_.erase(handle);
    changed_.SignalAll();
    return true;
  }
  // (3): the next multiple of the period that is not in the past.
  const uint64_t after = std::max(clock_->NowMicros(), now_micros);
  const uint64_t missed = (after - entry.due_micros) / entry.period_micros;
  const uint64_t due = entry.due_micros + (missed + 1) * entry.period_micros;
  entry.due_micros = due > after ? due : UINT64_MAX;  // It overflowed: never.
  by_due_[{entry.due_micros, handle}] = handle;
  // A sleeping timer thread must learn of a date set by RunDue's caller.
  changed_.SignalAll();
  return true;
}

void Timer::ThreadMain() {
  MutexLock lock(&mu_);
  while (!stop_) {
    if (by_due_.empty()) {
      changed_.Wait(&mu_);
      continue;
    }
    const uint64_t now_micros = clock_->NowMicros();
    if (RunFirst(now_micros)) continue;
    WaitOnClock(clock_, &changed_, &mu_, by_due_.begin()->first.first);
  }
}

std::shared_ptr<Timer> TimerOf(Env* env) {
  // One timer per clock, which lives as long as it is used. It holds its clock,
  // so a live entry's key is never the address of another clock.
  struct Registry {
    Mutex mu;
    std::map<SystemClock*, std::weak_ptr<Timer>> timers;
  };
  static auto* const registry = new Registry;
  const std::shared_ptr<SystemClock>& clock = env->GetSystemClock();
  MutexLock lock(&registry->mu);
  std::weak_ptr<Timer>& slot = registry->timers[clock.get()];
  std::shared_ptr<Timer> timer = slot.lock();
  if (timer == nullptr) {
    timer.reset(new Timer(clock.get()), [clock](Timer* t) { delete t; });
    slot = timer;
  }
  return timer;
}

}  // namespace ROCKSDB_NAMESPACE::engine
