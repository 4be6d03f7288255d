// KeyLocks and Change: who may write which keys.
//
// Model. A Change names its keys, locks them in one order for all threads,
// says what they will hold, and tells the expected state before and after the
// call to the database.
//
// Threads. A Change belongs to one thread.

#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "test/stress/model_checker/expected_state.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

class KeyLocks {
 public:
  explicit KeyLocks(const Shape& shape)
      : keys_(shape.keys()),
        locks_(static_cast<size_t>(shape.slots) * shape.keys()) {}

  std::mutex& of(int slot, uint32_t key) {
    return locks_[static_cast<size_t>(slot) * keys_ + key];
  }

 private:
  const uint32_t keys_;
  std::vector<std::mutex> locks_;
};

class Change {
 public:
  struct Key {
    int slot = 0;
    uint32_t key = 0;
    KeyState state;  // As the call will leave it.
  };

  Change(ExpectedState* expected, KeyLocks* locks)
      : expected_(expected), locks_(locks) {}
  ~Change();
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

  void Add(int slot, uint32_t key) { keys_.push_back({slot, key, {}}); }
  // Sorts the keys, and locks them. False: one of them is in doubt, or there
  // is none; nothing is locked.
  [[nodiscard]] bool Lock();
  std::vector<Key>& keys() { return keys_; }
  const std::vector<Key>& keys() const { return keys_; }

  // What a record does to a key.
  void SetBase(Key* key, KeyState::Base base);
  // The next generations of all keys are equal, as those of mirrored ones have
  // to be, whatever records only some of them got.
  void AlignGenerations();
  void AddMerge(Key* key) { ++key->state.merges; }

  void Begin();  // Before the call.
  // It succeeded. `durable`: a kill cannot take it back.
  void Commit(bool durable);
  void Cancel();  // It certainly did nothing.

 private:
  ExpectedState* const expected_;
  KeyLocks* const locks_;
  std::vector<Key> keys_;
  bool locked_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::stress::checker
