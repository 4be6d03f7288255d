// Counting into the calling thread's PerfContext and IOStatsContext.
//
// Place. Every read and write path. A counter is one thread-local load and one
// addition; a timer asks the clock only at a perf level that wants times.
//
// Model. A thread's contexts live on the heap from its first use until it ends.
// Only a pointer and the level are thread-local, 16 bytes, so that they fit the
// static TLS of a library loaded at run time and need no call to be found.
//
//   PerfAdd<&PerfContext::block_read_count>();
//   const PerfTimer timer(clock, &PerfContext::block_read_time);
//
// Threads. Everything belongs to the calling thread.
#pragma once

#include <cstdint>

#include "rocksdb/iostats_context.h"
#include "rocksdb/perf_context.h"
#include "rocksdb/perf_level.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

struct ThreadContexts {
  PerfContext perf;
  IOStatsContext io{};
};

struct PerfTls {
  ThreadContexts* contexts;
  PerfLevel level;
  bool ended;  // The thread's thread-local objects are being destroyed.
};

#if defined(__GNUC__) && defined(__ELF__)
#define RIVERSTONE_STATIC_TLS __attribute__((tls_model("initial-exec")))
#else
#define RIVERSTONE_STATIC_TLS
#endif

extern thread_local constinit PerfTls perf_tls RIVERSTONE_STATIC_TLS;

// Makes the contexts of this thread.
ThreadContexts* NewThreadContexts();

inline ThreadContexts& Contexts() {
  ThreadContexts* const contexts = perf_tls.contexts;
  return contexts != nullptr ? *contexts : *NewThreadContexts();
}

inline bool PerfEnabled(PerfLevel level) { return perf_tls.level >= level; }

template <auto kCounter>
inline void PerfAdd(uint64_t count = 1) {
  if (PerfEnabled(kEnableCount)) Contexts().perf.*kCounter += count;
}

void PerfAddAtLevelSlow(uint64_t PerfContextByLevel::*counter, uint32_t level,
                        uint64_t count);

// Counters per level of the tree are off unless a program asks for them.
template <auto kCounter>
inline void PerfAddAtLevel(uint32_t level, uint64_t count = 1) {
  if (!PerfEnabled(kEnableCount)) return;
  const ThreadContexts* const contexts = perf_tls.contexts;
  if (contexts == nullptr || !contexts->perf.per_level_perf_context_enabled) {
    return;
  }
  PerfAddAtLevelSlow(kCounter, level, count);
}

template <auto kCounter>
inline void IoStatsAdd(uint64_t count = 1) {
  IOStatsContext& io = Contexts().io;
  if (!io.disable_iostats) io.*kCounter += count;
}

// Adds the nanoseconds of its life to a field, from perf level `kAt` on. A
// null clock means the default one.
template <uint64_t (SystemClock::*kNow)(), PerfLevel kAt>
class BasicPerfTimer {
 public:
  BasicPerfTimer(SystemClock* clock, uint64_t PerfContextBase::*field) {
    if (PerfEnabled(kAt)) [[unlikely]]
      Start(clock, &(Contexts().perf.*field));
  }
  BasicPerfTimer(SystemClock* clock, uint64_t IOStatsContext::*field) {
    if (PerfEnabled(kAt)) [[unlikely]] {
      IOStatsContext& io = Contexts().io;
      if (!io.disable_iostats) Start(clock, &(io.*field));
    }
  }
  ~BasicPerfTimer() { Stop(); }

  BasicPerfTimer(const BasicPerfTimer&) = delete;
  BasicPerfTimer& operator=(const BasicPerfTimer&) = delete;

  void Stop() {
    if (total_ == nullptr) [[likely]]
      return;
    *total_ += (clock_->*kNow)() - start_nanos_;
    total_ = nullptr;
  }

 private:
  void Start(SystemClock* clock, uint64_t* total) {
    clock_ = clock != nullptr ? clock : SystemClock::Default().get();
    total_ = total;
    start_nanos_ = (clock_->*kNow)();
  }

  SystemClock* clock_ = nullptr;
  uint64_t* total_ = nullptr;
  uint64_t start_nanos_ = 0;
};

using PerfTimer =
    BasicPerfTimer<&SystemClock::NowNanos, kEnableTimeExceptForMutex>;
// Of waiting, which is dear enough to be measured on a lower level.
using PerfWaitTimer = BasicPerfTimer<&SystemClock::NowNanos, kEnableWait>;
// Of this thread on the processor.
using PerfCpuTimer =
    BasicPerfTimer<&SystemClock::CPUNanos, kEnableTimeAndCPUTimeExceptForMutex>;

// Adds the nanoseconds of its life to a field of a level of the tree.
class PerfLevelTimer {
 public:
  PerfLevelTimer(uint64_t PerfContextByLevel::*field, int level)
      : field_(field), level_(level) {
    if (PerfEnabled(kEnableTimeExceptForMutex)) [[unlikely]]
      Start();
  }
  ~PerfLevelTimer() {
    if (start_nanos_ != 0) [[unlikely]]
      Stop();
  }
  PerfLevelTimer(const PerfLevelTimer&) = delete;
  PerfLevelTimer& operator=(const PerfLevelTimer&) = delete;

 private:
  void Start();
  void Stop();

  uint64_t PerfContextByLevel::*const field_;
  const int level_;
  uint64_t start_nanos_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
