// Limiter: the rate limiter's core in virtual time.
//
// Place. Stands where util/rate_limiter's threads stand: around
// RateLimiterCore, which holds every rule. Load generators and jobs of a
// database with a native limiter ask it.

#pragma once

#include <vector>

#include "test/sim/event_queue.h"
#include "util/rate_limiter_core.h"

namespace ROCKSDB_NAMESPACE::sim {

class Limiter : public Actor {
 public:
  using Core = engine::RateLimiterCore;

  struct Client {
    Actor* actor = nullptr;
    uint64_t what = 0;  // What the actor is woken with.
    Core::Waiter waiter;
  };

  Limiter(const Core::Options& options, EventQueue* events);

  // True: granted. Otherwise the client's actor is woken when it is.
  bool Request(Client* client, uint64_t bytes, Core::Priority priority);

  Core& core() { return core_; }
  int64_t now_us() const { return static_cast<int64_t>(events_->now_micros()); }

  void Wake(uint64_t round) override;

 private:
  void Settle(Core::Waiter* waiter, Core::Step step, bool waits);
  void Release(Core::Waiter* waiter, bool waits);

  EventQueue* const events_;
  Core core_;
  Core::Waiter* leader_ = nullptr;
  uint64_t round_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::sim
