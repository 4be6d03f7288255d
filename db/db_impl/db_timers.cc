#include "db/db_impl/db_timers.h"

#include <utility>

#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

void DbTimers::Start(std::shared_ptr<Timer> timer, std::vector<Task> tasks) {
  timer_ = std::move(timer);
  {
    MutexLock lock(&db_->mu);
    for (Task& task : tasks) entries_.push_back({std::move(task), 0, 0});
  }
  Update();
}

void DbTimers::Update() {
  for (size_t i = 0;; ++i) {
    Timer::Handle replaced = 0;
    {
      MutexLock lock(&db_->mu);
      if (ended_ || i >= entries_.size()) return;
      Entry& entry = entries_[i];
      const uint64_t period = entry.task.period_micros(*db_->options);
      if (period == entry.period_micros) continue;
      entry.period_micros = period;
      replaced = entry.handle;
    }
    Cancel(replaced);
    MutexLock lock(&db_->mu);
    Entry& entry = entries_[i];
    // Another thread that came meanwhile has taken this period, too.
    if (!ended_ && entry.handle == replaced) entry.handle = Add(entry);
  }
}

// Takes no memory, and the entries stay: another thread that ends them waits
// for the same tasks.
void DbTimers::End() {
  for (size_t i = 0;; ++i) {
    Timer::Handle handle = 0;
    {
      MutexLock lock(&db_->mu);
      ended_ = true;
      if (i >= entries_.size()) return;
      handle = entries_[i].handle;
    }
    Cancel(handle);
  }
}

Timer::Handle DbTimers::Add(const Entry& entry) const {
  const uint64_t period = entry.period_micros;
  const uint64_t now = db_->store.clock->NowMicros();
  if (period == 0 || period > UINT64_MAX - now) return 0;
  return timer_->Add(now + period, period, entry.task.run);
}

// Without the mutex: a task that is waited for may want it.
void DbTimers::Cancel(Timer::Handle handle) const {
  if (handle != 0) timer_->Cancel(handle);
}

}  // namespace ROCKSDB_NAMESPACE::engine
