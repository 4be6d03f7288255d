#include "db/write/futex.h"

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace ROCKSDB_NAMESPACE::engine {

void FutexWait(std::atomic<uint32_t>* word, uint32_t expected) {
#ifdef __linux__
  static_assert(sizeof(*word) == sizeof(uint32_t));
  ::syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
#else
  word->wait(expected, std::memory_order_acquire);
#endif
}

void FutexWake(std::atomic<uint32_t>* word) {
#ifdef __linux__
  ::syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
#else
  word->notify_one();
#endif
}

}  // namespace ROCKSDB_NAMESPACE::engine
