#include "db/db_impl/buffer_stall.h"

#include <cassert>

#include "rocksdb/system_clock.h"
#include "util/held_locks.h"

namespace ROCKSDB_NAMESPACE::engine {

void BufferStall::Start() {
  assert(users_ == nullptr);
  manager_ = deps_.db->store.options.write_buffer_manager;
  if (manager_ == nullptr) return;
  users_ = WriteBufferUsers::Of(manager_.get());
  users_->Add(this);
}

// The leader that waits sees that the database is closing.
void BufferStall::Stop() {
  if (users_ == nullptr) return;
  users_->Remove(this);
  manager_->RemoveDBFromQueue(this);
}

bool BufferStall::MustHold() {
  if (manager_ == nullptr) return false;
  assert(!HoldsLock(LockRank::kState));  // (2)
  const bool stalled = stalled_.load(std::memory_order_relaxed);
  // What freed the memory lets one group of writers go, even if others were
  // faster to fill it again.
  if (stalled && signalled_.load(std::memory_order_acquire)) return false;
  const bool stall = manager_->ShouldStall();
  if (!stall && !manager_->ShouldFlush()) return false;
  const uint64_t now_micros = deps_.db->store.clock->NowMicros();
  const bool waits = stalled && now_micros < next_look_micros_ &&
                     now_micros + kLookMicros >= next_look_micros_;
  if (!waits) {
    last_look_ = users_->Relieve();
    next_look_micros_ = now_micros + kLookMicros;
  }
  return stall && last_look_;
}

void BufferStall::Set(bool hold) {
  deps_.db->mu.AssertHeld();
  if (hold == deps_.db->buffer_stalled) return;
  assert(manager_ != nullptr && stalled_.load() != hold);
  if (hold) {
    Block();
    manager_->BeginWriteStall(this);
    ++deps_.db->buffer_stops;
  } else {
    manager_->RemoveDBFromQueue(this);
  }
  deps_.db->buffer_stalled = hold;
  stalled_.store(hold, std::memory_order_relaxed);
  deps_.stalls->Recalculate(deps_.db->families->Get(0u).get());
}

void BufferStall::EndIfOver() {
  if (!stalled_.load(std::memory_order_relaxed)) return;
  MutexLock lock(&deps_.db->mu);
  if (!signalled_.load(std::memory_order_acquire)) return;
  Set(/*hold=*/false);
  deps_.notify_stall_listeners();
}

bool BufferStall::TakeSealRequest() {
  deps_.db->mu.AssertHeld();
  wants_job_ = false;
  return std::exchange(seal_, false);
}

BufferStall::Relief BufferStall::GetRelief() {
  DbState& db = *deps_.db;
  MutexLock lock(&db.mu);
  Relief relief;
  const bool works = !db.closing.load(std::memory_order_acquire) &&
                     db.errors.error().ok() && !deps_.paused();
  if (!works) return relief;
  relief.flush_due = wants_job_;
  for (const FamilyPtr& family : db.families->all()) {
    const MemTableList& imm = family->imm();
    const bool in_flush = imm.num_unflushed() > imm.num_not_started();
    relief.flush_due |= in_flush || imm.IsFlushPending();
    if (!family->mem()->empty()) {
      relief.flushable_bytes += family->mem()->AllocatedBytes();
    }
    // Sealed, and kept for a better merge.
    if (imm.num_not_started() > 0 && !in_flush && !imm.IsFlushPending()) {
      relief.flushable_bytes += imm.memory_bytes();
    }
  }
  return relief;
}

void BufferStall::RequestRelief() {
  DbState& db = *deps_.db;
  {
    MutexLock lock(&db.mu);
    bool sealed_wait = false;
    for (const FamilyPtr& family : db.families->all()) {
      MemTableList& imm = family->imm();
      if (imm.num_not_started() == 0 || imm.IsFlushPending()) continue;
      imm.RequestFlush();
      sealed_wait = true;
    }
    if (!sealed_wait) {
      seal_ = true;
      wants_job_ = true;
    }
    deps_.schedule();
  }
  deps_.request_attention();
}

}  // namespace ROCKSDB_NAMESPACE::engine
