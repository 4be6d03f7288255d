#include "test/sim/limiter.h"

#include <list>
#include <utility>

namespace ROCKSDB_NAMESPACE::sim {

Limiter::Limiter(const Core::Options& options, EventQueue* events)
    : events_(events),
      core_(options, static_cast<int64_t>(events->now_micros())) {}

bool Limiter::Request(Client* client, uint64_t bytes, Core::Priority priority) {
  client->waiter.bytes_left = static_cast<int64_t>(bytes);
  client->waiter.priority = priority;
  client->waiter.owner = client;
  const Core::Step step = core_.Arrive(&client->waiter, now_us());
  Settle(&client->waiter, step, /*waits=*/false);
  return step.kind == Core::Step::kGranted;
}

void Limiter::Wake(uint64_t round) {
  if (round != round_ || leader_ == nullptr) return;
  Core::Waiter* const leader = std::exchange(leader_, nullptr);
  Settle(leader, core_.Continue(leader, now_us()), /*waits=*/true);
}

// `waits`: the client's actor does not know yet.
void Limiter::Settle(Core::Waiter* waiter, Core::Step step, bool waits) {
  std::list<Core::Waiter*> granted;
  granted.swap(core_.granted());
  if (step.kind == Core::Step::kSleepUntil) {
    leader_ = waiter;
    events_->At(static_cast<uint64_t>(step.deadline_us) * kNanosPerMicro, this,
                ++round_);
  } else if (step.kind == Core::Step::kGranted) {
    Release(waiter, waits);
  }
  for (Core::Waiter* other : granted) Release(other, /*waits=*/true);
}

void Limiter::Release(Core::Waiter* waiter, bool waits) {
  const auto* client = static_cast<Client*>(waiter->owner);
  if (waits) events_->After(0, client->actor, client->what);
  if (leader_ == waiter) leader_ = nullptr;
  Core::Waiter* const next = core_.Leave(waiter);
  if (next != nullptr && leader_ == nullptr) {
    Settle(next, core_.Continue(next, now_us()), /*waits=*/true);
  }
}

}  // namespace ROCKSDB_NAMESPACE::sim
