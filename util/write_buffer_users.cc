#include "util/write_buffer_users.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "rocksdb/write_buffer_manager.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

struct Registry {
  Mutex mu;
  std::map<const WriteBufferManager*, std::weak_ptr<WriteBufferUsers>> lists
      GUARDED_BY(mu);
};

Registry& TheRegistry() {
  static auto* const registry = new Registry;  // Outlives static databases.
  return *registry;
}

}  // namespace

std::shared_ptr<WriteBufferUsers> WriteBufferUsers::Of(
    const WriteBufferManager* manager) {
  assert(manager != nullptr);
  Registry& registry = TheRegistry();
  MutexLock lock(&registry.mu);
  std::weak_ptr<WriteBufferUsers>& known = registry.lists[manager];
  std::shared_ptr<WriteBufferUsers> users = known.lock();
  if (users == nullptr) {
    users = std::make_shared<WriteBufferUsers>(manager);
    known = users;
  }
  return users;
}

WriteBufferUsers::~WriteBufferUsers() {
  Registry& registry = TheRegistry();
  MutexLock lock(&registry.mu);
  const auto known = registry.lists.find(manager_);
  // Another list may have taken its place already.
  if (known != registry.lists.end() && known->second.expired()) {
    registry.lists.erase(known);
  }
}

void WriteBufferUsers::Add(WriteBufferUser* user) {
  MutexLock lock(&mu_);
  users_.push_back(user);
}

void WriteBufferUsers::Remove(WriteBufferUser* user) {
  MutexLock lock(&mu_);
  std::erase(users_, user);
}

bool WriteBufferUsers::Relieve() {
  MutexLock lock(&mu_);
  bool due = false;
  uint64_t flushable = 0;
  uint64_t most = 0;
  WriteBufferUser* chosen = nullptr;
  for (WriteBufferUser* user : users_) {
    const WriteBufferUser::Relief relief = user->GetRelief();
    due |= relief.flush_due;
    flushable += relief.flushable_bytes;
    if (relief.flushable_bytes <= most) continue;
    most = relief.flushable_bytes;
    chosen = user;
  }
  // Asked only now: a memtable that was sealed meanwhile counts as flushed, and
  // no other one is sealed in its place.
  if (!manager_->ShouldFlush() && (due || !manager_->ShouldStall())) return due;
  const uint64_t worth = manager_->buffer_size() / kWorthFlushingShare;
  if (chosen == nullptr || flushable < worth) return due;
  chosen->RequestRelief();
  return true;
}

}  // namespace ROCKSDB_NAMESPACE::engine
