#include "util/cache/clock_table.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <new>

namespace ROCKSDB_NAMESPACE::engine {

ClockTable::~ClockTable() {
  for (Array* array = newest_.load(); array != nullptr;) {
    Array* const before = array->before;
    std::free(reinterpret_cast<void*>(array->words));
    delete array;
    array = before;
  }
}

// Empty, and of zeros that the system gives when they are first touched.
ClockTable::Array* ClockTable::NewArray(size_t words) {
  static_assert(Word::is_always_lock_free && sizeof(Word) == sizeof(uint64_t));
  assert(std::has_single_bit(words));  // A mask selects one.
  auto* const array = new (std::nothrow) Array;
  if (array == nullptr) return nullptr;
  array->mask = words - 1;
  array->words = static_cast<Word*>(std::calloc(words, sizeof(Word)));
  if (array->words != nullptr) return array;
  delete array;
  return nullptr;
}

bool ClockTable::Init(size_t entries) {
  // As full as it gets before it grows.
  assert(newest_.load() == nullptr);
  const size_t words =
      std::bit_ceil(std::clamp<size_t>(entries / 5 * 8, 64, kWordsMax));
  newest_.store(NewArray(words), std::memory_order_release);
  return newest_.load() != nullptr;
}

void ClockTable::Grow(Array* full) {
  if (full->mask + 1 >= kWordsMax || full->left.load() != nullptr) return;
  if (growing_.exchange(true, std::memory_order_acquire)) return;
  if (newest_.load() == full) {
    assert(full->left.load() == nullptr);  // (4)
    if (Array* const next = NewArray(2 * (full->mask + 1))) {
      next->left.store(full, std::memory_order_relaxed);
      next->before = full;
      newest_.store(next, std::memory_order_release);
    }
  }
  growing_.store(false, std::memory_order_release);
}

ClockTable::Outcome ClockTable::PutIn(Array& array, const ClockEntry& entry) {
  size_t at = entry.hash & array.mask;
  for (size_t steps = 0; steps <= array.mask; steps++) {
    Word& place = array.words[at];
    uint64_t word = place.load(std::memory_order_acquire);
    bool stands = false;
    for (bool settled = false; !settled;) {
      if ((word & kLeft) != 0) return Outcome::kLeft;  // (2)
      stands = !HasEntry(word);
      uint64_t changed = word;
      if (stands) {
        changed = (word & kPassed) | WordOf(entry);
      } else if ((word & kPassed) != kPassed) {
        changed = word + kPassedOnce;
      }
      settled = place.compare_exchange_weak(
          word, changed, std::memory_order_acq_rel, std::memory_order_acquire);
    }
    if (stands) return Outcome::kDone;
    at = (at + 1) & array.mask;
  }
  return Outcome::kFull;
}

bool ClockTable::Put(ClockEntry& entry) {
  assert(ClockEntry::InUse(entry.meta.load(std::memory_order_relaxed)));
  entry.next_free.store(0, std::memory_order_relaxed);
  const size_t count = count_.fetch_add(1, std::memory_order_relaxed) + 1;
  for (;;) {
    Array* array = newest_.load(std::memory_order_acquire);
    if (count > (array->mask + 1) / 8 * 5) {
      Grow(array);
      array = newest_.load(std::memory_order_acquire);
    }
    if (count > MostIn(array->mask + 1)) break;  // (4)
    if (PutIn(*array, entry) == Outcome::kDone) {
      entry.next_free.store(ClockEntry::kCounted, std::memory_order_relaxed);
      return true;
    }
    // Left by others meanwhile.
    if (newest_.load(std::memory_order_acquire) == array) break;
  }
  count_.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

void ClockTable::RemoveFrom(Array& array, const ClockEntry& entry) {
  const size_t home = entry.hash & array.mask;
  size_t at = home;
  for (size_t steps = 0; steps <= array.mask; steps++) {
    uint64_t word = array.words[at].load(std::memory_order_acquire);
    if ((word & (kTag | kEntry)) == WordOf(entry)) {
      // No other thread changes this word: the entry is the caller's.
      array.words[at].fetch_and(~(kTag | kEntry), std::memory_order_release);
      break;
    }
    if ((word & kPassed) == 0 || steps == array.mask) return;
    at = (at + 1) & array.mask;
  }
  for (size_t passed = home; passed != at; passed = (passed + 1) & array.mask) {
    Word& place = array.words[passed];
    uint64_t word = place.load(std::memory_order_relaxed);
    // In an array that was left, counts that are too high do no harm.
    while ((word & kLeft) == 0 && (word & kPassed) != kPassed &&
           !place.compare_exchange_weak(word, word - kPassedOnce,
                                        std::memory_order_acq_rel,
                                        std::memory_order_relaxed)) {
    }
  }
}

void ClockTable::Remove(const ClockEntry& entry) {
  assert(!entry.IsLive());
  Array& array = *newest_.load(std::memory_order_acquire);
  Array* const left = array.left.load(std::memory_order_acquire);
  RemoveFrom(array, entry);
  if (left != nullptr) RemoveFrom(*left, entry);
  // Not by what was found: a move that ended just now may have left it out.
  if (entry.next_free.load(std::memory_order_relaxed) == ClockEntry::kCounted) {
    [[maybe_unused]] const size_t before =
        count_.fetch_sub(1, std::memory_order_relaxed);
    assert(before > 0);
  }
}

size_t ClockTable::BeginMove(size_t* begin) {
  Array* const left = newest_.load(std::memory_order_acquire)
                          ->left.load(std::memory_order_acquire);
  *begin = 0;
  if (left == nullptr) return 0;
  const size_t words = left->mask + 1;
  // Without writing where there is nothing left to take.
  if (left->taken.load(std::memory_order_relaxed) >= words) return 0;
  *begin = left->taken.fetch_add(kMovedAtOnce, std::memory_order_relaxed);
  if (*begin >= words) *begin = words;
  return std::min(*begin + kMovedAtOnce, words);
}

ClockEntry* ClockTable::Move(size_t at) {
  // Ours until EndMove(): the move cannot end before.
  Array& to = *newest_.load(std::memory_order_acquire);
  Word& place = to.left.load(std::memory_order_acquire)->words[at];
  const uint64_t word = place.fetch_or(kLeft, std::memory_order_acq_rel);
  if (!HasEntry(word)) return nullptr;
  ClockEntry* const entry = EntryOf(word);
  if (!entry->RefIfLive()) return nullptr;
  // Still there: then it is this entry. Else it died, and may be another.
  const uint64_t now = place.load(std::memory_order_acquire);
  if ((now & kEntry) == (word & kEntry)) (void)PutIn(to, *entry);
  return entry;
}

void ClockTable::EndMove(size_t count) {
  if (count == 0) return;
  Array& to = *newest_.load(std::memory_order_acquire);
  Array& left = *to.left.load(std::memory_order_acquire);
  const size_t done = left.done.fetch_add(count, std::memory_order_acq_rel);
  assert(done + count <= left.mask + 1);  // Each word is moved once.
  if (done + count == left.mask + 1) {
    to.left.store(nullptr, std::memory_order_release);
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
