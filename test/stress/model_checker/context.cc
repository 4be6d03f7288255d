#include "test/stress/model_checker/context.h"

#include <algorithm>
#include <cstdio>

#include "rocksdb/comparator.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

void Failures::Add(const std::string& text) {
  const std::lock_guard<std::mutex> lock(mu_);
  if (any_.exchange(true)) return;
  std::fprintf(stderr, "FAILURE: %s\n", text.c_str());
}

bool IsInjected(const Status& status) {
  // The last two are what a limit of space answers.
  return status.ToString().find("injected") != std::string::npos ||
         status.subcode() == Status::kSpaceLimit ||
         status.IsCompactionTooLarge();
}

ReadOptions ThreadContext::ReadsOf(int slot, ReadOptions options) const {
  static const Slice kNewest = MaxU64Ts();
  if (IsStamped(slot)) options.timestamp = &kNewest;
  return options;
}

uint32_t ThreadContext::AnyPlain() {
  const uint32_t all = shape().plain;
  if (Chance(300)) return static_cast<uint32_t>(random.Uniform(16)) % all;
  return static_cast<uint32_t>(random.Uniform(all));
}

uint32_t ThreadContext::AnyKey() {
  if (Chance(100)) {
    return static_cast<uint32_t>(random.Uniform(shape().keys()));
  }
  return AnyPlain();
}

void ThreadContext::Fail(const std::string& text) {
  const char* const what = activity.what();
  shared.failures.Add(name_ + ", " + (what == nullptr ? "" : what) + ": " +
                      text);
}

bool ThreadContext::Ok(const Status& status, const std::string& what) {
  return OkOr(status, what, {});
}

bool ThreadContext::OkOr(const Status& status, const std::string& what,
                         std::initializer_list<Status::Code> allowed) {
  if (status.ok()) return true;
  if (shared.plan.faults && IsInjected(status)) return false;
  if (std::find(allowed.begin(), allowed.end(), status.code()) ==
      allowed.end()) {
    Fail(what + ": " + status.ToString());
  }
  return false;
}

bool ThreadContext::IsLockLimit(const Status& status) const {
  const Database& database = shared.database;
  return database.locking_db() != nullptr && status.IsBusy() &&
         status.subcode() == Status::kLockLimit &&
         database.options().locking.max_num_locks > 0;
}

void ThreadContext::CheckRead(int slot, uint32_t key, uint64_t low,
                              uint64_t high,
                              const std::optional<std::string>& found,
                              const char* how) {
  const std::string wrong = Judge(expected().IdOf(slot, key), low, high, found);
  if (wrong.empty()) return;
  Fail(std::string(how) + " of key " + std::to_string(key) + " in family " +
       SlotName(slot) + ": " + wrong + ReadAgain(slot, key));
}

// Tells a wrong read from a wrong database.
std::string ThreadContext::ReadAgain(int slot, uint32_t key) {
  const std::string name = expected().KeyOf(key);
  std::string value;
  const Status status = db()->Get(ReadsOf(slot), handle(slot), name, &value);
  ReadOptions options = ReadsOf(slot);
  options.total_order_seek = true;
  const std::unique_ptr<Iterator> it(db()->NewIterator(options, handle(slot)));
  it->Seek(name);
  const bool shown = it->Valid() && it->key() == name;
  return "; now Get: " +
         (status.ok() ? value.substr(0, 80) : status.ToString()) +
         "; an iterator: " +
         (shown ? it->value().ToString().substr(0, 80) : "nothing");
}

namespace {

bool IsThere(ThreadContext* context, int slot) {
  return context->expected().slot_state(slot) == SlotState::kPresent &&
         context->handle(slot) != nullptr;
}

int AnySlot(ThreadContext* context) {
  const auto slots = static_cast<uint64_t>(context->shape().slots);
  return static_cast<int>(context->random.Uniform(slots));
}

}  // namespace

SlotUse::SlotUse(ThreadContext* context) : SlotUse(context, AnySlot(context)) {
  if (ok_) return;
  lock_ = {};
  slot_ = static_cast<int>(context->random.Uniform(kMirrorSlots));
  lock_ = std::shared_lock(context->shared.database.slot_lock(slot_));
  handle_ = context->handle(slot_);
  ok_ = true;
}

SlotUse::SlotUse(ThreadContext* context, int slot)
    : slot_(slot), lock_(context->shared.database.slot_lock(slot)) {
  ok_ = IsThere(context, slot);
  handle_ = context->handle(slot);
}

AllSlotsUse::AllSlotsUse(ThreadContext* context) {
  for (int slot = 0; slot < context->shape().slots; ++slot) {
    locks_.emplace_back(context->shared.database.slot_lock(slot));
    if (IsThere(context, slot)) slots_.push_back(slot);
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
