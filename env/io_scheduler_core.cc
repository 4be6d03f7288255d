#include "env/io_scheduler_core.h"

#include <cassert>

namespace ROCKSDB_NAMESPACE::engine {

void IoSchedulerCore::SetBudget(Client* client, const IoBudget& budget,
                                uint64_t now_micros) {
  if (client->stopped_) return;
  client->budget_.SetBudget(budget, now_micros);
}

void IoSchedulerCore::Stop(Client* client, uint64_t now_micros) {
  client->budget_.SetBudget(IoBudget{}, now_micros);
  client->stopped_ = true;
}

// Its class may have changed since it asked last.
void IoSchedulerCore::Describe(Waiter* waiter) {
  waiter->budget_.io_class = waiter->io_class;
  waiter->budget_.bytes = waiter->request.bytes;
  waiter->disk_.io_class = waiter->io_class;
  waiter->disk_.request = waiter->request;
}

IoAnswer IoSchedulerCore::Ask(Client* client, Waiter* waiter, bool flush_writes,
                              uint64_t now_micros) {
  Describe(waiter);
  if (client->stopped_) {  // io_gate.h (3)
    LetThrough(client, waiter, now_micros);
    return {true, now_micros};
  }
  if (waiter->budgeted && !waiter->past_budget_) {
    const IoAnswer answer =
        client->budget_.Ask(&waiter->budget_, flush_writes, now_micros);
    if (!answer.go) return answer;
    waiter->past_budget_ = true;
  }
  assert(WaitsForDisk(*waiter));
  const IoAnswer answer = disk_.Ask(&waiter->disk_, now_micros);
  if (answer.go) waiter->past_budget_ = false;
  return answer;
}

void IoSchedulerCore::LetThrough(Client* client, Waiter* waiter,
                                 uint64_t now_micros) {
  Describe(waiter);
  if (waiter->budgeted && !waiter->past_budget_) {
    client->budget_.LetThrough(&waiter->budget_, now_micros);
  }
  waiter->past_budget_ = false;
  disk_.LetThrough(&waiter->disk_, now_micros);
}

}  // namespace ROCKSDB_NAMESPACE::engine
