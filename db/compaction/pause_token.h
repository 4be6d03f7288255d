// PauseToken: how a running job is told to pause or to give up.
//
// Place. Owned by the scheduler, one per job. The job polls it at least once
// per entry. A poll costs one relaxed load, or two for a manual job whose
// caller passed a `canceled` flag.
//
// Threads. Any thread may ask or set.

#pragma once

#include <atomic>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

// What a job's Run() came to.
enum class JobProgress : uint8_t {
  kDone,
  kPaused,  // Holds its iterators and outputs; Run() again to go on.
  kFailed,  // status() says why.
};

class PauseToken {
 public:
  enum class Wish : uint8_t { kRun, kPause, kCancel };

  // Becoming true, `flag` cancels the job, too. Before the job starts; may be
  // null, else it outlives the job.
  void CancelWith(const std::atomic<bool>* flag) { flag_ = flag; }

  Wish wish() const {
    if (flag_ != nullptr && flag_->load(std::memory_order_relaxed)) {
      return Wish::kCancel;
    }
    return wish_.load(std::memory_order_relaxed);
  }
  void Pause() { Become(Wish::kPause); }
  void Resume() { Become(Wish::kRun); }
  // Final: a cancelled job fails and deletes its outputs.
  void Cancel() { wish_.store(Wish::kCancel, std::memory_order_relaxed); }

 private:
  void Become(Wish wish) {
    Wish now = wish_.load(std::memory_order_relaxed);
    while (now != Wish::kCancel &&
           !wish_.compare_exchange_weak(now, wish, std::memory_order_relaxed)) {
    }
  }

  std::atomic<Wish> wish_{Wish::kRun};
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE::engine
