// Env::Default(): the file system, the clock and the threads of this process.

#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/composite_env.h"
#include "env/posix/posix_error.h"
#include "env/thread_pool.h"
#include "rocksdb/env.h"
#include "util/mutex.h"
#include "util/start_thread.h"

namespace ROCKSDB_NAMESPACE {

namespace engine {

namespace {

class PosixEnv final : public CompositeEnv {
 public:
  PosixEnv() : CompositeEnv(FileSystem::Default(), SystemClock::Default()) {
    for (int i = 0; i < TOTAL; ++i) {
      pools_[i] = std::make_unique<ThreadPool>(static_cast<Priority>(i));
    }
    // The bottom-priority pool starts with no threads.
    Pool(BOTTOM)->SetThreads(0);
  }

  const char* Name() const override { return kDefaultName(); }
  const char* NickName() const override { return "posix"; }

  void Schedule(void (*function)(void* arg), void* arg, Priority pri, void* tag,
                void (*unscheduled)(void* arg)) override {
    PoolToRun(pri)->Schedule({function, arg, tag, unscheduled, pri});
  }
  int UnSchedule(void* tag, Priority pri) override {
    int count = 0;
    for (const auto& pool : pools_) count += pool->Unschedule(tag, pri);
    return count;
  }

  // Without a thread of its own, `function` runs in a pool's.
  void StartThread(void (*function)(void* arg), void* arg) override {
    std::thread thread;
    const Status status = engine::StartThread(&thread, [=] { function(arg); });
    {
      MutexLock lock(&mu_);
      if (status.ok()) return started_.push_back(std::move(thread));
      ++lent_;
    }
    Schedule(&PosixEnv::RunLent, new Lent{this, function, arg}, LOW, nullptr,
             nullptr);
  }
  void WaitForJoin() override {
    std::vector<std::thread> threads;
    {
      MutexLock lock(&mu_);
      threads.swap(started_);
      while (lent_ > 0) returned_.Wait(&mu_);
    }
    for (std::thread& thread : threads) thread.join();
  }

  int ReserveThreads(int count, Priority pri) override {
    return Pool(pri)->Reserve(count);
  }
  int ReleaseThreads(int count, Priority pri) override {
    return Pool(pri)->Release(count);
  }
  unsigned int GetThreadPoolQueueLen(Priority pri) const override {
    return Pool(pri)->queue_length();
  }
  void SetBackgroundThreads(int count, Priority pri) override {
    Pool(pri)->SetThreads(count);
  }
  int GetBackgroundThreads(Priority pri) override {
    return Pool(pri)->threads();
  }
  void IncBackgroundThreadsIfNeeded(int count, Priority pri) override {
    Pool(pri)->RaiseThreads(count);
  }
  void LowerThreadPoolIOPriority(Priority pri) override {
    Pool(pri)->LowerIoPriority();
  }
  void LowerThreadPoolCPUPriority(Priority pri) override {
    Pool(pri)->LowerCpuPriority(CpuPriority::kLow);
  }
  Status LowerThreadPoolCPUPriority(Priority pri, CpuPriority cpu) override {
    Pool(pri)->LowerCpuPriority(cpu);
    return Status::OK();
  }

  Status StartBackgroundThreads() {
    const Status high = Pool(HIGH)->StartFirst();
    const Status low = Pool(LOW)->StartFirst();
    return high.ok() ? high : low;
  }

  Status GetHostName(char* name, uint64_t length) override {
    if (gethostname(name, static_cast<size_t>(length)) == 0) {
      return Status::OK();
    }
    if (errno == EFAULT || errno == EINVAL) {
      return Status::InvalidArgument(PosixReason(errno));
    }
    return PosixError("GetHostName", name, errno);
  }

 private:
  ThreadPool* Pool(Priority pri) const {
    assert(pri >= BOTTOM && pri < TOTAL);
    return pools_[pri].get();
  }
  // If the system refuses the pool even its first thread, that of another pool
  // does its work.
  ThreadPool* PoolToRun(Priority pri) const {
    ThreadPool* const own = Pool(pri);
    if (own->threads() == 0 || own->StartFirst().ok()) return own;
    for (const auto& other : pools_) {
      if (other->StartFirst().ok()) return other.get();
    }
    return own;
  }

  // A call of StartThread() that a pool runs.
  struct Lent {
    PosixEnv* env;
    void (*function)(void* arg);
    void* arg;
  };
  static void RunLent(void* arg) {
    const std::unique_ptr<Lent> lent(static_cast<Lent*>(arg));
    lent->function(lent->arg);
    MutexLock lock(&lent->env->mu_);
    --lent->env->lent_;
    lent->env->returned_.SignalAll();
  }

  std::array<std::unique_ptr<ThreadPool>, TOTAL> pools_;
  Mutex mu_;
  CondVar returned_;
  std::vector<std::thread> started_ GUARDED_BY(mu_);
  size_t lent_ GUARDED_BY(mu_) = 0;
};

}  // namespace

Status StartBackgroundThreads() {
  return static_cast<PosixEnv*>(Env::Default())->StartBackgroundThreads();
}

}  // namespace engine

Env* Env::Default() {
  // Never destroyed. Its threads end with the process: at exit they may still
  // be inside a database that was not closed.
  static auto* const env = new engine::PosixEnv;
  return env;
}

}  // namespace ROCKSDB_NAMESPACE
