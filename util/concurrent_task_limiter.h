// TaskLimiter: the one implementation of ConcurrentTaskLimiter, with the half
// that the scheduler needs: taking and giving back a place.
//
// Place. db/jobs asks for a token before it starts a compaction of a column
// family that has a limiter.
//
// Invariants: outstanding = tokens alive; without `force` it never exceeds a
// limit that is not negative.
//
// Threads. Thread-safe, no locks.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "rocksdb/concurrent_task_limiter.h"

namespace ROCKSDB_NAMESPACE::engine {

class TaskLimiter final : public ConcurrentTaskLimiter {
 public:
  // Holds one place of a limiter, which must outlive it.
  class Token {
   public:
    Token() = default;
    explicit Token(TaskLimiter* limiter) : limiter_(limiter) {}
    Token(Token&& other) noexcept
        : limiter_(std::exchange(other.limiter_, nullptr)) {}
    Token& operator=(Token&& other) noexcept {
      std::swap(limiter_, other.limiter_);
      return *this;
    }
    ~Token() {
      if (limiter_ != nullptr) limiter_->outstanding_.fetch_sub(1);
    }
    // False: the limit is reached, nothing is held.
    bool held() const { return limiter_ != nullptr; }

   private:
    TaskLimiter* limiter_ = nullptr;
  };

  TaskLimiter(std::string name, int32_t limit)
      : name_(std::move(name)), limit_(limit) {}

  const std::string& GetName() const override { return name_; }
  void SetMaxOutstandingTask(int32_t limit) override { limit_.store(limit); }
  void ResetMaxOutstandingTask() override { limit_.store(-1); }
  int32_t GetOutstandingTask() const override { return outstanding_.load(); }

  // `force` takes a place in any case: for work that others wait for.
  Token Take(bool force);

 private:
  const std::string name_;
  std::atomic<int32_t> limit_;
  std::atomic<int32_t> outstanding_{0};
};

}  // namespace ROCKSDB_NAMESPACE::engine
