#include "test/stress/model_checker/key_locks.h"

#include <algorithm>
#include <tuple>

namespace ROCKSDB_NAMESPACE::stress::checker {

Change::~Change() {
  if (!locked_) return;
  for (const Key& k : keys_) locks_->of(k.slot, k.key).unlock();
}

bool Change::Lock() {
  const auto place = [](const Key& k) { return std::tuple(k.slot, k.key); };
  std::sort(keys_.begin(), keys_.end(),
            [&](const Key& a, const Key& b) { return place(a) < place(b); });
  keys_.erase(std::unique(keys_.begin(), keys_.end(),
                          [&](const Key& a, const Key& b) {
                            return place(a) == place(b);
                          }),
              keys_.end());
  for (const Key& k : keys_) locks_->of(k.slot, k.key).lock();
  locked_ = true;
  bool doubt = false;
  for (Key& k : keys_) {
    const Cell& cell = expected_->cell(k.slot, k.key);
    const uint64_t word = cell.committed.load();
    doubt |= word != cell.pending.load();
    k.state = KeyState::Unpack(word);
  }
  if (!doubt) return !keys_.empty();
  for (const Key& k : keys_) locks_->of(k.slot, k.key).unlock();
  locked_ = false;
  return false;
}

void Change::SetBase(Key* key, KeyState::Base base) {
  Cell& cell = expected_->cell(key->slot, key->key);
  const uint32_t generation = cell.last_generation.load() + 1;
  cell.last_generation.store(generation);
  key->state = {.generation = generation, .merges = 0, .base = base};
}

void Change::AlignGenerations() {
  uint32_t newest = 0;
  for (const Key& k : keys_) {
    const Cell& cell = expected_->cell(k.slot, k.key);
    newest = std::max(newest, cell.last_generation.load());
  }
  for (const Key& k : keys_) {
    expected_->cell(k.slot, k.key).last_generation.store(newest);
  }
}

void Change::Begin() {
  for (const Key& k : keys_) {
    expected_->cell(k.slot, k.key).pending.store(k.state.Pack());
  }
}

void Change::Commit(bool durable) {
  for (const Key& k : keys_) {
    Cell& cell = expected_->cell(k.slot, k.key);
    cell.committed.store(k.state.Pack());
    if (durable) ExpectedState::RaiseDurable(&cell, k.state.Pack());
  }
}

void Change::Cancel() {
  for (const Key& k : keys_) {
    Cell& cell = expected_->cell(k.slot, k.key);
    cell.pending.store(cell.committed.load());
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
