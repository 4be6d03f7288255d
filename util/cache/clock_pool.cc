#include "util/cache/clock_pool.h"

#include <cassert>
#include <cstdlib>
#include <cstring>

namespace ROCKSDB_NAMESPACE::engine {

bool ClockEntry::SetKey(const Slice& key) {
  assert(!IsLive());  // (1)
  key_is_outside = key.size() != kKeyInside;
  if (key_is_outside == 0) {
    std::memcpy(inside, key.data(), kKeyInside);
    return true;
  }
  outside = static_cast<char*>(std::malloc(key.size() + 4));
  if (outside == nullptr) return false;
  EncodeFixed32(outside, static_cast<uint32_t>(key.size()));
  std::memcpy(outside + 4, key.data(), key.size());
  return true;
}

void ClockEntry::FreeKey() {
  if (key_is_outside != 0) std::free(outside);
}

bool ClockEntry::RefIfLive() {
  uint64_t before = meta.load(std::memory_order_relaxed);
  while ((before & kLive) != 0) {
    if (meta.compare_exchange_weak(before, before + kReference,
                                   std::memory_order_acquire,
                                   std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

void ClockEntry::Publish(uint64_t lives) {
  assert(lives <= kLivesMax);
  const uint64_t state = kLive | kVisible | (lives << kLivesShift);
  uint64_t before = meta.load(std::memory_order_relaxed);
  assert((before & (kLive | kVisible)) == 0);  // (1)
  // Short-lived references of readers that looked too early stay; their hits
  // do not count for this entry.
  while (!meta.compare_exchange_weak(
      before, state | ((before & kReferences) + kReference),
      std::memory_order_release, std::memory_order_relaxed)) {
  }
}

bool ClockEntry::Claim(uint64_t flags, uint64_t* was) {
  assert((flags & ~kVisible) == 0);
  *was = meta.load(std::memory_order_relaxed);
  // (2)
  while ((*was & (kLive | kVisible)) == (kLive | flags) && !InUse(*was)) {
    if (meta.compare_exchange_weak(*was, 0, std::memory_order_acquire,
                                   std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

void ClockEntry::ForgetHits() {
  uint64_t before = meta.load(std::memory_order_relaxed);
  while (HitsIn(before) >= kManyHits) {
    const uint64_t after = (before & ~kHits) | (kLivesMax << kHitShift);
    if (meta.compare_exchange_weak(before, after, std::memory_order_relaxed)) {
      return;
    }
  }
}

ClockPool::~ClockPool() {
  for (void* memory : memory_) std::free(memory);
}

bool ClockPool::AddPart(int part) {
  assert(0 <= part && part < kParts);
  assert(part == 0 || parts_[part - 1].load() != nullptr);  // (4)
  const size_t bytes =
      (size_t{kFirstPart} << part) * sizeof(ClockEntry) + alignof(ClockEntry);
  void* const memory = std::calloc(1, bytes);
  if (memory == nullptr) return false;
  const uintptr_t address = reinterpret_cast<uintptr_t>(memory);
  if ((address + bytes) >> kEntryAddressBits != 0) {
    std::free(memory);
    return false;
  }
  const uintptr_t aligned =
      (address + alignof(ClockEntry) - 1) & ~(alignof(ClockEntry) - 1);
  auto* const first = reinterpret_cast<ClockEntry*>(static_cast<char*>(memory) +
                                                    (aligned - address));
  ClockEntry* none = nullptr;
  if (parts_[part].compare_exchange_strong(
          none, first, std::memory_order_release, std::memory_order_acquire)) {
    memory_[part] = memory;
  } else {
    std::free(memory);  // Another thread was faster.
  }
  return true;
}

ClockEntry* ClockPool::Take() {
  uint64_t head = free_.load(std::memory_order_acquire);
  while (static_cast<uint32_t>(head) != 0) {
    ClockEntry& entry = At(static_cast<uint32_t>(head) - 1);
    const uint64_t next = ((head >> 32) + 1) << 32 |
                          entry.next_free.load(std::memory_order_relaxed);
    if (free_.compare_exchange_weak(head, next, std::memory_order_acquire)) {
      assert(!entry.IsLive());  // (1), (3)
      return &entry;
    }
  }
  uint32_t number = size();
  do {
    const int part = PartOf(number);
    if (part >= kParts) return nullptr;
    if (parts_[part].load(std::memory_order_acquire) == nullptr &&
        !AddPart(part)) {
      return nullptr;
    }
  } while (!size_.compare_exchange_weak(number, number + 1,
                                        std::memory_order_acq_rel));
  ClockEntry& entry = At(number);
  entry.number = number & 0x7fffffff;
  return &entry;
}

void ClockPool::Give(ClockEntry* entry) {
  assert(!entry->IsLive());
  assert(&At(entry->number) == entry);
  uint64_t head = free_.load(std::memory_order_relaxed);
  uint64_t next = 0;
  do {
    entry->next_free.store(static_cast<uint32_t>(head),
                           std::memory_order_relaxed);
    next = ((head >> 32) + 1) << 32 | (entry->number + 1);
  } while (!free_.compare_exchange_weak(head, next, std::memory_order_release,
                                        std::memory_order_relaxed));
}

}  // namespace ROCKSDB_NAMESPACE::engine
