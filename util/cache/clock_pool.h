// ClockEntry, ClockPool: the entries of a clock cache's shard. They never move
// from their first use until the shard is destroyed.
//
// Place. Below clock_table.h, which finds them by key, and clock_cache.h, which
// inserts and evicts them.
//
// Model. The whole mutable state of an entry is one atomic word, `meta`:
//
//   63     live      it has content: key, object, charge
//   62     visible   lookups may have it
//   61     watched   its last release asks whether the cache is too full
//   60     was hit   since it came
//   56-57  lives     turns of the hand it may still see without a hit
//   32-55  hits      since the hand came by
//   0-31   references
//
//            Publish            Hide              last release
//   free ------------> visible ------> hidden ---------------------> free
//                         |                                           ^
//                         +---- claimed: no reference, by the hand ---+
//
// A reader adds a reference and a hit in one step, without looking first, and
// then checks the word's old value: if the entry was not visible, it drops the
// reference and reads nothing. So any word may hold such short-lived
// references; they do not change which thread owns the content.
//
// Invariants:
//   (1) Content is written only by the thread that has the entry from Take(),
//       and read only by threads that hold a reference to a visible entry or
//       have claimed it.
//   (2) Claiming is one compare-and-swap from a live word without references
//       to zero. Only the thread that did it frees the content.
//   (3) Free entries are chained by number, with a count of changes, so that an
//       old chain cannot be mistaken for the current one.
//   (4) Memory grows by parts, each with twice the entries of the one before.
//       A part comes zeroed from calloc(), and is freed with the pool.
//
// Threads. Thread-safe, without locks.
#pragma once

#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "rocksdb/cache.h"
#include "util/coding.h"
#include "util/core_local.h"

namespace ROCKSDB_NAMESPACE::engine {

// Addresses of entries are below two to this. Systems give no others unless
// they are asked for them; memory that is elsewhere is not used.
inline constexpr int kEntryAddressBits = 48;

// Block keys have 16 bytes and are kept in the entry, all others outside.
struct alignas(kCacheLineSize) ClockEntry : public Cache::Handle {
  static constexpr uint64_t kReference = 1;
  static constexpr uint64_t kReferences = 0xffffffff;
  static constexpr int kHitShift = 32;
  static constexpr uint64_t kHit = uint64_t{1} << kHitShift;
  static constexpr uint64_t kHits = uint64_t{0xffffff} << kHitShift;
  static constexpr int kLivesShift = 56;
  static constexpr uint64_t kLivesMax = 3;
  static constexpr uint64_t kLives = kLivesMax << kLivesShift;
  static constexpr uint64_t kWasHit = uint64_t{1} << 60;
  static constexpr uint64_t kWatched = uint64_t{1} << 61;
  static constexpr uint64_t kVisible = uint64_t{1} << 62;
  static constexpr uint64_t kLive = uint64_t{1} << 63;

  static constexpr size_t kKeyInside = 16;
  static constexpr uint32_t kCounted = 1;

  std::atomic<uint64_t> meta;
  uint64_t hash;
  void* value;
  const Cache::CacheItemHelper* helper;
  size_t charge;
  // Of a free one: the next one's number + 1, 0: the last. Of others: kCounted
  // if the table counts it.
  std::atomic<uint32_t> next_free;
  uint32_t number : 31;
  uint32_t key_is_outside : 1;
  union {
    char inside[kKeyInside];
    char* outside;  // The size in 4 bytes, then the key.
  };

  static bool InUse(uint64_t meta) { return (meta & kReferences) != 0; }
  static uint64_t HitsIn(uint64_t meta) { return (meta & kHits) >> kHitShift; }

  Slice key() const {
    return key_is_outside == 0 ? Slice(inside, kKeyInside)
                               : Slice(outside + 4, DecodeFixed32(outside));
  }
  // False without memory. Requires: the caller has the entry from Take().
  bool SetKey(const Slice& key);
  void FreeKey();

  // Adds a reference. Requires: the caller has one.
  void Ref() {
    [[maybe_unused]] const uint64_t before =
        meta.fetch_add(kReference, std::memory_order_relaxed);
    assert(InUse(before));
  }
  bool IsLive() const {
    return (meta.load(std::memory_order_relaxed) & kLive) != 0;
  }
  // A reference in any case; true if what it refers to is visible.
  bool RefAsHit() {
    const uint64_t before =
        meta.fetch_add(kReference + kHit, std::memory_order_acquire);
    if (HitsIn(before) >= kManyHits) [[unlikely]]
      ForgetHits();
    return (before & kVisible) != 0;
  }
  // A reference, if it is live.
  bool RefIfLive();
  // Makes what was filled live and visible, with a reference of the caller's.
  void Publish(uint64_t lives);
  void Hide() { meta.fetch_and(~kVisible, std::memory_order_relaxed); }
  // Takes the content of a live entry without references over, as long as its
  // flags are `flags`: kVisible or 0. *was is the word before.
  bool Claim(uint64_t flags, uint64_t* was);

 private:
  // The hits must not run into the lives: far from it, they are taken back.
  static constexpr uint64_t kManyHits = 1 << 20;
  void ForgetHits();
};
static_assert(sizeof(ClockEntry) == kCacheLineSize, "a hit reads one line");

class ClockPool {
 public:
  ClockPool() = default;
  ~ClockPool();
  ClockPool(const ClockPool&) = delete;
  ClockPool& operator=(const ClockPool&) = delete;

  // An entry that is the caller's to fill. Null without memory.
  ClockEntry* Take();
  // Gives one back that is not live.
  void Give(ClockEntry* entry);

  // Entries that were ever taken; their numbers are below it.
  uint32_t size() const { return size_.load(std::memory_order_acquire); }
  ClockEntry& At(uint32_t number) const {
    assert(number < size());
    const int part = PartOf(number);
    return parts_[part].load(
        std::memory_order_relaxed)[number + kFirstPart - (kFirstPart << part)];
  }

 private:
  // Part n has the numbers from (kFirstPart << n) - kFirstPart on.
  static constexpr uint32_t kFirstPart = 64;
  static constexpr int kParts = 25;
  static int PartOf(uint32_t number) {
    return static_cast<int>(std::bit_width(number + kFirstPart) -
                            std::bit_width(kFirstPart));
  }
  bool AddPart(int part);

  // Lines of memory; an entry's are aligned within it.
  std::atomic<ClockEntry*> parts_[kParts] = {};
  void* memory_[kParts] = {};  // Written by whose part it became.
  alignas(kCacheLineSize) std::atomic<uint64_t> free_{
      0};  // Changes, number + 1.
  std::atomic<uint32_t> size_{0};
};

}  // namespace ROCKSDB_NAMESPACE::engine
