#include "env/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "rocksdb/iostats_context.h"
#include "util/result.h"
#include "util/start_thread.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// From the kernel's ioprio interface, which has no libc header.
constexpr int kIoprioWhoProcess = 1;
constexpr int kIoprioClassIdle = 3 << 13;

void LowerOwnIoPriority() {
  // Best effort: a kernel without I/O priorities is no reason to stop.
  (void)syscall(SYS_ioprio_set, kIoprioWhoProcess, 0, kIoprioClassIdle);
}

void LowerOwnCpuPriority(CpuPriority priority) {
  if (priority == CpuPriority::kIdle) {
    sched_param param{};
    (void)sched_setscheduler(0, SCHED_IDLE, &param);
    return;
  }
  const int nice_value = priority == CpuPriority::kLow ? 19 : 0;
  const auto self = static_cast<id_t>(syscall(SYS_gettid));
  (void)setpriority(PRIO_PROCESS, self, nice_value);
}

const char* ThreadName(Env::Priority priority) {
  switch (priority) {
    case Env::BOTTOM:
      return "rocksdb:bottom";
    case Env::LOW:
      return "rocksdb:low";
    case Env::HIGH:
      return "rocksdb:high";
    default:
      return "rocksdb:user";
  }
}

}  // namespace

void ThreadPool::Schedule(const Task& task) {
  MutexLock lock(&mu_);
  if (stop_) return;
  queue_.push_back(task);
  (void)StartUpTo(limit_);  // The threads there are do it.
  // With reservations or surplus threads, which wait for the ones above them
  // to end, the one thread woken might not be allowed to work.
  if (reserved_ > 0 || threads_.size() > limit_) {
    work_.SignalAll();
  } else {
    work_.Signal();
  }
}

Status ThreadPool::StartFirst() {
  MutexLock lock(&mu_);
  if (stop_ || limit_ == 0)
    return Status::NotSupported("no threads are wanted");
  return StartUpTo(1);
}

int ThreadPool::Unschedule(void* tag, Env::Priority priority) {
  std::vector<Task> removed;
  {
    MutexLock lock(&mu_);
    const auto matches = [&](const Task& task) {
      return task.tag == tag && task.priority == priority;
    };
    std::copy_if(queue_.begin(), queue_.end(), std::back_inserter(removed),
                 matches);
    queue_.erase(std::remove_if(queue_.begin(), queue_.end(), matches),
                 queue_.end());
  }
  // Without the lock: these functions belong to the caller and may schedule.
  for (const Task& task : removed) {
    if (task.unscheduled != nullptr) task.unscheduled(task.arg);
  }
  return static_cast<int>(removed.size());
}

int ThreadPool::threads() const {
  MutexLock lock(&mu_);
  return static_cast<int>(limit_);
}

int ThreadPool::Reserve(int count) {
  MutexLock lock(&mu_);
  const size_t free = waiting_ > reserved_ ? waiting_ - reserved_ : 0;
  const size_t got = std::min(free, static_cast<size_t>(std::max(count, 0)));
  reserved_ += got;
  return static_cast<int>(got);
}

int ThreadPool::Release(int count) {
  MutexLock lock(&mu_);
  const size_t released =
      std::min(reserved_, static_cast<size_t>(std::max(count, 0)));
  reserved_ -= released;
  work_.SignalAll();
  return static_cast<int>(released);
}

unsigned int ThreadPool::queue_length() const {
  MutexLock lock(&mu_);
  return static_cast<unsigned int>(queue_.size());
}

void ThreadPool::LowerIoPriority() {
  MutexLock lock(&mu_);
  low_io_ = true;
}

void ThreadPool::LowerCpuPriority(CpuPriority priority) {
  MutexLock lock(&mu_);
  cpu_ = std::min(cpu_, priority);
}

void ThreadPool::JoinAll() {
  std::vector<std::thread> threads;
  {
    MutexLock lock(&mu_);
    stop_ = true;
    queue_.clear();
    threads.swap(threads_);
    work_.SignalAll();
  }
  for (std::thread& thread : threads) thread.join();
}

void ThreadPool::Resize(int count, bool may_shrink) {
  MutexLock lock(&mu_);
  const auto wanted = static_cast<size_t>(std::max(count, 0));
  if (stop_ || wanted == limit_) return;
  if (wanted < limit_ && !may_shrink) return;
  limit_ = wanted;
  work_.SignalAll();
  if (!queue_.empty()) (void)StartUpTo(limit_);
}

Status ThreadPool::StartUpTo(size_t count) {
  assert(!stop_ && count <= limit_);
  threads_.reserve(count);
  while (threads_.size() < count) {
    const size_t index = threads_.size();
    std::thread thread;
    RETURN_IF_ERROR(StartThread(&thread, [this, index] { ThreadMain(index); }));
    pthread_setname_np(thread.native_handle(), ThreadName(priority_));
    threads_.push_back(std::move(thread));
  }
  return Status::OK();
}

bool ThreadPool::Next(size_t index, Task* task) {
  assert(stop_ || index < threads_.size());
  ++waiting_;
  while (!stop_) {
    // Surplus threads end from the highest index down, so that the indices
    // that remain have no gap.
    if (index >= limit_ && index + 1 == threads_.size()) break;
    if (index < limit_ && !queue_.empty() && waiting_ > reserved_) break;
    work_.Wait(&mu_);
  }
  assert(waiting_ > 0);
  --waiting_;
  if (stop_) return false;
  if (index >= limit_) {
    assert(index + 1 == threads_.size());
    // This thread: all that it still does to the pool is to release the mutex.
    threads_.back().detach();
    threads_.pop_back();
    work_.SignalAll();  // Now the next lower index may be surplus.
    return false;
  }
  assert(!queue_.empty());
  *task = queue_.front();
  queue_.pop_front();
  return true;
}

void ThreadPool::ThreadMain(size_t index) {
  get_iostats_context()->thread_pool_id = priority_;
  bool low_io = false;
  CpuPriority cpu = CpuPriority::kNormal;
  MutexLock lock(&mu_);
  for (Task task; Next(index, &task);) {
    const bool lower_io = low_io != low_io_;
    const bool lower_cpu = cpu != cpu_;
    low_io = low_io_;
    cpu = cpu_;

    mu_.Unlock();
    if (lower_io) LowerOwnIoPriority();
    if (lower_cpu) LowerOwnCpuPriority(cpu);
    task.run(task.arg);
    mu_.Lock();
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
