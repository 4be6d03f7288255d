// NewThreadPool: the pools that programs make for themselves.
//
// Place. Implements rocksdb/threadpool.h; a client of engine::ThreadPool.
//
// Model. The jobs wait here. The engine's pool gets a token per job; a thread
// that takes one runs the oldest job. So a job may be any function, and one
// that is dropped is destroyed. To join is to end the engine's pool; another
// one, which has no threads, takes its place.
//
// Threads. Any. Neither the engine's pool nor a job is called under the mutex.

#include <cassert>
#include <chrono>
#include <deque>
#include <limits>
#include <memory>
#include <utility>

#include "env/thread_pool.h"
#include "rocksdb/threadpool.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Job = std::function<void()>;
using PoolPtr = std::shared_ptr<engine::ThreadPool>;

PoolPtr NewPoolWithoutThreads() {
  auto pool = std::make_shared<engine::ThreadPool>(Env::USER);
  pool->SetThreads(0);
  return pool;
}

class FunctionPool final : public ThreadPool {
 public:
  explicit FunctionPool(int threads) : pool_(NewPoolWithoutThreads()) {
    SetThreads(threads);
  }
  ~FunctionPool() override { Current()->JoinAll(); }
  FunctionPool(const FunctionPool&) = delete;
  FunctionPool& operator=(const FunctionPool&) = delete;

  void JoinAllThreads() override { Join(/*drop=*/true); }
  void WaitForJobsAndJoinAllThreads() override;
  void SetBackgroundThreads(int num) override { SetThreads(num); }
  int GetBackgroundThreads() override { return Current()->threads(); }
  unsigned int GetQueueLen() const override {
    engine::MutexLock lock(&mu_);
    return static_cast<unsigned int>(jobs_.size());
  }
  void SubmitJob(const Job& job) override { Submit(Job(job)); }
  void SubmitJob(Job&& job) override { Submit(std::move(job)); }
  int ReserveThreads(int count) override { return Current()->Reserve(count); }
  int ReleaseThreads(int count) override { return Current()->Release(count); }

 private:
  static void RunToken(void* self) {
    (void)static_cast<FunctionPool*>(self)->RunOne();
  }

  PoolPtr Current() const {
    engine::MutexLock lock(&mu_);
    return pool_;
  }
  void AddToken(engine::ThreadPool* pool) {
    pool->Schedule({&RunToken, this, nullptr, nullptr, Env::USER});
  }
  void SetThreads(int count);
  void Submit(Job job);
  bool RunOne();  // False: no job waits.
  void Join(bool drop);

  mutable engine::Mutex mu_;
  engine::CondVar idle_;
  std::deque<Job> jobs_ GUARDED_BY(mu_);
  size_t running_ GUARDED_BY(mu_) = 0;
  PoolPtr pool_ GUARDED_BY(mu_);
};

void FunctionPool::SetThreads(int count) {
  const PoolPtr pool = Current();
  pool->SetThreads(count);
  AddToken(pool.get());  // Starts them now, so that some can be reserved.
}

void FunctionPool::Submit(Job job) {
  if (job == nullptr) return;
  PoolPtr pool;
  {
    engine::MutexLock lock(&mu_);
    jobs_.push_back(std::move(job));
    pool = pool_;
  }
  AddToken(pool.get());
}

bool FunctionPool::RunOne() {
  Job job;
  {
    engine::MutexLock lock(&mu_);
    // Joining drops jobs, and leaves their tokens to threads that run already.
    if (jobs_.empty()) return false;
    job = std::move(jobs_.front());
    jobs_.pop_front();
    ++running_;
  }
  job();
  job = nullptr;  // A waiter may free what the job refers to.
  engine::MutexLock lock(&mu_);
  assert(running_ > 0);
  if (--running_ == 0 && jobs_.empty()) idle_.SignalAll();
  return true;
}

void FunctionPool::Join(bool drop) {
  PoolPtr pool = NewPoolWithoutThreads();
  std::deque<Job> dropped;
  {
    engine::MutexLock lock(&mu_);
    pool.swap(pool_);
    if (drop) dropped.swap(jobs_);
  }
  pool->JoinAll();
}

void FunctionPool::WaitForJobsAndJoinAllThreads() {
  // No signal tells that the number of threads has changed.
  constexpr std::chrono::milliseconds kLookAgain(20);
  const PoolPtr pool = Current();
  (void)pool->Release(std::numeric_limits<int>::max());
  while (pool->StartFirst().ok()) {
    engine::MutexLock lock(&mu_);
    if (jobs_.empty() && running_ == 0) break;
    (void)idle_.WaitFor(&mu_, kLookAgain);
  }
  Join(/*drop=*/false);
  while (RunOne()) {
  }
}

}  // namespace

ThreadPool* NewThreadPool(int num_threads) {
  return new FunctionPool(num_threads);
}

}  // namespace ROCKSDB_NAMESPACE
