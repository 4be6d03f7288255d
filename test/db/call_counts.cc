#include "test/db/call_counts.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace ROCKSDB_NAMESPACE::test {
namespace {
thread_local uint64_t allocations = 0;
thread_local uint64_t locks = 0;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void CountAllocation() { ++allocations; }

// The real function is looked for once; no lock may be needed for that.
template <typename Lock>
int CountAndTake(std::atomic<int (*)(Lock*)>* real, const char* name,
                 Lock* lock) {
  auto* take = real->load(std::memory_order_relaxed);
  if (take == nullptr) {
    take = reinterpret_cast<int (*)(Lock*)>(::dlsym(RTLD_NEXT, name));
    real->store(take, std::memory_order_relaxed);
  }
  ++locks;
  return take(lock);
}

std::atomic<int (*)(pthread_mutex_t*)> real_lock{nullptr};
std::atomic<int (*)(pthread_rwlock_t*)> real_rdlock{nullptr};
std::atomic<int (*)(pthread_rwlock_t*)> real_wrlock{nullptr};
#endif
}  // namespace

uint64_t Allocations() { return allocations; }
uint64_t Locks() { return locks; }

}  // namespace ROCKSDB_NAMESPACE::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
__attribute__((noinline)) void* operator new(size_t bytes) {
  ROCKSDB_NAMESPACE::test::CountAllocation();
  void* const p = std::malloc(bytes > 0 ? bytes : 1);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
__attribute__((noinline)) void operator delete(void* p) noexcept {
  std::free(p);
}
__attribute__((noinline)) void operator delete(void* p, size_t) noexcept {
  std::free(p);
}

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) {
  using namespace ROCKSDB_NAMESPACE::test;
  return CountAndTake(&real_lock, "pthread_mutex_lock", mutex);
}
extern "C" int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  using namespace ROCKSDB_NAMESPACE::test;
  return CountAndTake(&real_rdlock, "pthread_rwlock_rdlock", lock);
}
extern "C" int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  using namespace ROCKSDB_NAMESPACE::test;
  return CountAndTake(&real_wrlock, "pthread_rwlock_wrlock", lock);
}
#endif
