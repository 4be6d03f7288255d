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
  std::vector<Timer::Handle> replaced;
  {
    MutexLock lock(&db_->mu);
    for (Entry& entry : entries_) {
      const uint64_t period = entry.task.period_micros(*db_->options);
      if (period == entry.period_micros) continue;
      entry.period_micros = period;
      replaced.push_back(std::exchange(entry.handle, Add(entry)));
    }
  }
  Cancel(replaced);
}

void DbTimers::End() {
  std::vector<Timer::Handle> ended;
  {
    MutexLock lock(&db_->mu);
    for (const Entry& entry : entries_) ended.push_back(entry.handle);
    entries_.clear();
  }
  Cancel(ended);
}

Timer::Handle DbTimers::Add(const Entry& entry) const {
  const uint64_t period = entry.period_micros;
  const uint64_t now = db_->store.clock->NowMicros();
  if (period == 0 || period > UINT64_MAX - now) return 0;
  return timer_->Add(now + period, period, entry.task.run);
}

// Without the mutex: a task that is waited for may want it.
void DbTimers::Cancel(const std::vector<Timer::Handle>& handles) const {
  for (const Timer::Handle handle : handles) {
    if (handle != 0) timer_->Cancel(handle);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
