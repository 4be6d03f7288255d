// LimiterScript: threads that ask a rate limiter's core for bytes, in virtual
// time.
//
// Place. Tests of util/rate_limiter_core. Plays the part of the shell: who is
// granted asks again after its pause, who must sleep sleeps.
//
// Model. A heap of (time, actor) events; at equal times the one scheduled first
// goes first, so a script always plays the same way.
#pragma once

#include <cstdint>
#include <queue>
#include <sstream>
#include <string>
#include <vector>

#include "util/rate_limiter_core.h"

namespace ROCKSDB_NAMESPACE::test {

class LimiterScript {
 public:
  using Core = engine::RateLimiterCore;

  enum class Tuning { kNone, kRate, kSwitch };

  LimiterScript(const Core::Options& options, Tuning tuning)
      : core_(options, 0), tuning_(tuning) {}

  // A thread that asks for `bytes`, and `pause_us` after each grant again.
  void AddActor(Core::Priority priority, int64_t bytes, int64_t pause_us,
                int64_t from_us, int64_t to_us) {
    actors_.push_back({{0, priority, nullptr}, bytes, pause_us, to_us, 0});
    Schedule(from_us, actors_.size() - 1, true);
  }

  void Run() {
    for (Actor& a : actors_) a.waiter.owner = &a;
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      Actor& actor = actors_[event.actor];
      if (event.generation != actor.generation) continue;  // Woken before.
      now_us_ = event.at_us;
      if (event.arrives) {
        TuneIfDue();
        actor.waiter.bytes_left = actor.bytes;
        Handle(&actor, core_.Arrive(&actor.waiter, now_us_));
      } else {
        Handle(&actor, core_.Continue(&actor.waiter, now_us_));
      }
    }
  }

  const Core& core() const { return core_; }
  std::string log() const { return log_.str(); }

 private:
  struct Actor {
    Core::Waiter waiter;
    int64_t bytes;
    int64_t pause_us;
    int64_t to_us;
    int generation;
  };
  struct Event {
    int64_t at_us;
    int64_t order;
    size_t actor;
    int generation;
    bool arrives;
    bool operator<(const Event& other) const {
      return at_us != other.at_us ? at_us > other.at_us : order > other.order;
    }
  };

  void Schedule(int64_t at_us, size_t actor, bool arrives) {
    events_.push(
        {at_us, next_order_++, actor, ++actors_[actor].generation, arrives});
  }
  void Wake(Core::Waiter* waiter) {
    auto* actor = static_cast<Actor*>(waiter->owner);
    Schedule(now_us_, static_cast<size_t>(actor - actors_.data()), false);
  }

  void Handle(Actor* actor, const Core::Step& step) {
    const auto index = static_cast<size_t>(actor - actors_.data());
    for (Core::Waiter* waiter : core_.granted()) Wake(waiter);
    core_.granted().clear();
    if (step.kind == Core::Step::kSleepUntil) {
      Schedule(step.deadline_us, index, false);
    }
    if (step.kind != Core::Step::kGranted) return;
    if (Core::Waiter* next = core_.Leave(&actor->waiter)) Wake(next);
    if (now_us_ + actor->pause_us < actor->to_us) {
      Schedule(now_us_ + actor->pause_us, index, true);
    }
  }

  void TuneIfDue() {
    if (!core_.TuneDue(now_us_)) return;
    log_ << "t=" << now_us_ / 1000 << "ms";
    if (tuning_ == Tuning::kSwitch) {
      const engine::DrainVerdict v = core_.TuneCompaction(now_us_);
      log_ << " D=" << v.drained_pct << " H=" << v.drained_high_pct << " "
           << engine::DrainDecisionName(v.decision);
    } else {
      core_.TuneRate(now_us_);
    }
    log_ << " rate=" << core_.bytes_per_second() << "\n";
  }

  Core core_;
  const Tuning tuning_;
  std::vector<Actor> actors_;
  std::priority_queue<Event> events_;
  int64_t next_order_ = 0;
  int64_t now_us_ = 0;
  std::ostringstream log_;
};

}  // namespace ROCKSDB_NAMESPACE::test
