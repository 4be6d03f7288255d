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
//   PerfTimer timer(clock, &PerfContext::block_read_time);
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

// Adds the nanoseconds of its life to a field, from perf level `at` on.
class PerfTimer {
 public:
  PerfTimer(SystemClock* clock, uint64_t PerfContextBase::*field,
            PerfLevel at = kEnableTimeExceptForMutex)
      : PerfTimer(clock, at, [field] { return &(Contexts().perf.*field); }) {}
  PerfTimer(SystemClock* clock, uint64_t IOStatsContext::*field,
            PerfLevel at = kEnableTimeExceptForMutex)
      : PerfTimer(clock, at, [field] { return &(Contexts().io.*field); }) {}
  ~PerfTimer() { Stop(); }

  PerfTimer(const PerfTimer&) = delete;
  PerfTimer& operator=(const PerfTimer&) = delete;

  void Stop() {
    if (total_ == nullptr) return;
    *total_ += clock_->NowNanos() - start_nanos_;
    total_ = nullptr;
  }

 private:
  template <typename Locate>
  PerfTimer(SystemClock* clock, PerfLevel at, const Locate& locate)
      : clock_(clock) {
    if (!PerfEnabled(at)) return;
    total_ = locate();
    start_nanos_ = clock_->NowNanos();
  }

  SystemClock* const clock_;
  uint64_t* total_ = nullptr;
  uint64_t start_nanos_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
