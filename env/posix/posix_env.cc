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

namespace ROCKSDB_NAMESPACE {

namespace engine {

namespace {

class PosixEnv final : public CompositeEnv {
 public:
  PosixEnv() : CompositeEnv(FileSystem::Default(), SystemClock::Default()) {
    for (int i = 0; i < TOTAL; ++i) {
      pools_[i] = std::make_unique<ThreadPool>(static_cast<Priority>(i));
    }
    // Nobody asked for work at the bottom yet.
    Pool(BOTTOM)->SetThreads(0);
  }

  const char* Name() const override { return kDefaultName(); }
  const char* NickName() const override { return "posix"; }

  void Schedule(void (*function)(void* arg), void* arg, Priority pri, void* tag,
                void (*unscheduled)(void* arg)) override {
    Pool(pri)->Schedule({function, arg, tag, unscheduled});
  }
  int UnSchedule(void* tag, Priority pri) override {
    return Pool(pri)->Unschedule(tag);
  }

  void StartThread(void (*function)(void* arg), void* arg) override {
    MutexLock lock(&mu_);
    started_.emplace_back(function, arg);
  }
  void WaitForJoin() override {
    std::vector<std::thread> threads;
    {
      MutexLock lock(&mu_);
      threads.swap(started_);
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

  std::array<std::unique_ptr<ThreadPool>, TOTAL> pools_;
  Mutex mu_;
  std::vector<std::thread> started_ GUARDED_BY(mu_);
};

}  // namespace

}  // namespace engine

Env* Env::Default() {
  // Never destroyed. Its threads end with the process: at exit they may still
  // be inside a database that nobody closed.
  static auto* const env = new engine::PosixEnv;
  return env;
}

}  // namespace ROCKSDB_NAMESPACE
