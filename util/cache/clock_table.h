// ClockTable: finds the entries that may have a given key's hash. It has no
// locks, and grows while it is in use.
//
// Place. A shard of the clock cache has one. It stores the addresses of entries
// and parts of their hashes; the caller checks whether an entry is the one it
// looks for.
//
// Model. Open addressing: an array of words, one per entry.
//
//   63     left: its content, if any, has been moved; it is never used again
//   56-62  passed by: how many entries are stored further on because of it
//   42-55  the hash's upper bits
//   0-41   the entry's address, in lines of the cache; 0: none
//
// A search starts at the word that the hash's lower bits select and ends at a
// word that no entry passed by. An insertion increments the count of each word
// that it passes before it takes a word; a removal decrements these counts
// after it has cleared its word.
//
// A table that is nearly full gets a successor of twice its size. From then on
// new entries go there, lookups search both, and every insertion moves some
// words: it marks a word as left, takes a reference to the entry so that it
// stays live, and writes it to the successor as well. The old word stays until
// the entry is freed, so that the entry is always in at least one of them. When
// all words are left, the old array is no longer searched.
//
//   successor   [ . a . . b . c . ]  <- insertions
//   old one     [ a b|c d ]             left of |: moved
//
// Invariants:
//   (1) A live entry of the table has a word in the newest array, or in the
//       previous one while that is being moved.
//   (2) A word of a left array is never reused: as long as its entry is
//       referenced, the word belongs to that entry.
//   (3) Arrays are kept until the table is destroyed: a thread that still
//       searches a left array may find entries that are live or reused, but
//       never freed memory.
//   (4) There is one move at a time; no array is filled beyond seven eighths.
//
// Threads. Thread-safe. No thread waits for another: the first one grows the
// table, and entries are moved in parts. While a mover sleeps, lookups that
// miss search two arrays instead of one, and once the newest is full to the
// limit, new entries get no word.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "util/cache/clock_pool.h"

namespace ROCKSDB_NAMESPACE::engine {

class ClockTable {
 public:
  ClockTable() = default;
  ~ClockTable();
  ClockTable(const ClockTable&) = delete;
  ClockTable& operator=(const ClockTable&) = delete;

  // Makes room for that many. False without memory. Once, before its use.
  bool Init(size_t entries);

  // Shows entries that have much of this hash, until `visit` says true. They
  // may be dead. An entry may be shown twice.
  template <typename Visit>
  void Search(uint64_t hash, Visit visit) const {
    const Array& array = *newest_.load(std::memory_order_acquire);
    // Before: what is moved while the newest is searched is in it or here.
    const Array* const left = array.left.load(std::memory_order_acquire);
    if (SearchIn(array, hash, visit)) return;
    if (left != nullptr) [[unlikely]]
      SearchIn(*left, hash, visit);
  }
  void PrefetchWord(uint64_t hash) const {
    const Array& array = *newest_.load(std::memory_order_acquire);
    __builtin_prefetch(&array.words[hash & array.mask]);
  }
  void PrefetchEntry(uint64_t hash) const {
    const Array& array = *newest_.load(std::memory_order_acquire);
    const uint64_t word =
        array.words[hash & array.mask].load(std::memory_order_acquire);
    if (HasEntry(word)) __builtin_prefetch(EntryOf(word));
  }

  // A word for an entry the caller has a reference to. False: there is no room
  // now, and no memory for more.
  bool Put(ClockEntry& entry);
  // Takes the word of an entry the caller has claimed away, if it has one.
  void Remove(const ClockEntry& entry);

  // Moves a part of what is to be moved. `unref` gives a reference back.
  template <typename Unref>
  void MoveSome(Unref unref) {
    if (newest_.load(std::memory_order_acquire)
            ->left.load(std::memory_order_relaxed) == nullptr) [[likely]] {
      return;
    }
    size_t at = 0;
    const size_t end = BeginMove(&at);
    const size_t count = end - at;
    for (; at < end; at++) {
      ClockEntry* const moved = Move(at);
      if (moved != nullptr) unref(moved);
    }
    EndMove(count);
  }

  size_t entries() const { return count_.load(std::memory_order_relaxed); }
  size_t words() const {
    return newest_.load(std::memory_order_acquire)->mask + 1;
  }

 private:
  using Word = std::atomic<uint64_t>;
  static constexpr int kLineShift = 6;
  static constexpr int kEntryBits = kEntryAddressBits - kLineShift;
  static constexpr uint64_t kEntry = (uint64_t{1} << kEntryBits) - 1;
  static constexpr uint64_t kTag = uint64_t{0x3fff} << kEntryBits;
  static constexpr int kPassedShift = 56;
  static constexpr uint64_t kPassedOnce = uint64_t{1} << kPassedShift;
  // At this count the field is full, and passing is not counted any more.
  static constexpr uint64_t kPassed = uint64_t{0x7f} << kPassedShift;
  static constexpr uint64_t kLeft = uint64_t{1} << 63;
  static constexpr size_t kWordsMax = size_t{1} << 31;
  static constexpr size_t kMovedAtOnce = 64;

  struct Array {
    size_t mask = 0;
    Word* words = nullptr;
    // The array before, while it is being moved to this one.
    std::atomic<Array*> left{nullptr};
    Array* before = nullptr;  // To be freed.
    // Of the one that is left: what movers have taken, and what is done.
    alignas(kCacheLineSize) std::atomic<size_t> taken{0};
    std::atomic<size_t> done{0};
  };
  enum class Outcome : uint8_t { kDone, kLeft, kFull };

  static_assert(sizeof(ClockEntry) == 1 << kLineShift);
  static uint64_t TagOf(uint64_t hash) { return (hash >> 8) & kTag; }
  static uint64_t WordOf(const ClockEntry& entry) {
    return TagOf(entry.hash) |
           reinterpret_cast<uintptr_t>(&entry) >> kLineShift;
  }
  static bool HasEntry(uint64_t word) { return (word & kEntry) != 0; }
  static ClockEntry* EntryOf(uint64_t word) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a word has room for no more.
    return reinterpret_cast<ClockEntry*>((word & kEntry) << kLineShift);
  }

  // True if `visit` said so.
  template <typename Visit>
  bool SearchIn(const Array& array, uint64_t hash, Visit& visit) const {
    size_t at = hash & array.mask;
    for (size_t steps = 0; steps <= array.mask; steps++) {
      const uint64_t word = array.words[at].load(std::memory_order_acquire);
      if ((word & kTag) == TagOf(hash) && HasEntry(word) &&
          visit(EntryOf(word))) {
        return true;
      }
      if ((word & kPassed) == 0) return false;
      at = (at + 1) & array.mask;
    }
    return false;
  }

  static Array* NewArray(size_t words);
  static size_t MostIn(size_t words) { return words - words / 8; }
  void Grow(Array* full);
  Outcome PutIn(Array& array, const ClockEntry& entry);
  void RemoveFrom(Array& array, const ClockEntry& entry);
  // The words [*begin, returned) are the caller's to move.
  size_t BeginMove(size_t* begin);
  // The entry it referred to, if there is one.
  ClockEntry* Move(size_t at);
  void EndMove(size_t count);

  std::atomic<Array*> newest_{nullptr};
  std::atomic<bool> growing_{false};  // A thread makes an array.
  // Entries with a word. On a cache line that lookups do not read.
  alignas(kCacheLineSize) std::atomic<size_t> count_{0};
};

}  // namespace ROCKSDB_NAMESPACE::engine
