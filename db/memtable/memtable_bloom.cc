#include "db/memtable/memtable_bloom.h"

#include <algorithm>
#include <cassert>
#include <new>

#include "util/hash.h"

namespace ROCKSDB_NAMESPACE::engine {

MemTableBloom::MemTableBloom(size_t bytes, Allocator* arena)
    : lines_(std::clamp<uint64_t>(bytes / kLineBytes, 1, UINT32_MAX)) {
  const size_t size = static_cast<size_t>(lines_) * kLineBytes;
  char* memory = arena->AllocateAligned(size + kLineBytes - 1);
  const auto address = reinterpret_cast<uintptr_t>(memory);
  memory += (kLineBytes - address % kLineBytes) % kLineBytes;
  assert(reinterpret_cast<uintptr_t>(memory) % kLineBytes == 0);
  words_ = reinterpret_cast<std::atomic<uint64_t>*>(memory);
  for (size_t i = 0; i < lines_ * kWordsPerLine; ++i) {
    new (&words_[i]) std::atomic<uint64_t>(0);
  }
}

uint64_t MemTableBloom::HashOf(const Slice& key) {
  return Hash64(key.data(), key.size());
}

void MemTableBloom::Add(uint64_t hash) {
  auto* const line = const_cast<std::atomic<uint64_t>*>(LineOf(hash));
  uint64_t state = hash;
  for (int i = 0; i < kProbes; ++i) {
    const unsigned bit = NextBit(&state);
    assert(bit / 64 < kWordsPerLine);
    std::atomic<uint64_t>& word = line[bit / 64];
    const uint64_t mask = uint64_t{1} << (bit % 64);
    // Mostly set already once the filter is full: no write to a shared line.
    if ((word.load(std::memory_order_relaxed) & mask) == 0) {
      word.fetch_or(mask, std::memory_order_relaxed);
    }
  }
}

bool MemTableBloom::MayContain(const Slice& key) const {
  const uint64_t hash = HashOf(key);
  const std::atomic<uint64_t>* const line = LineOf(hash);
  uint64_t state = hash;
  for (int i = 0; i < kProbes; ++i) {
    const unsigned bit = NextBit(&state);
    assert(bit / 64 < kWordsPerLine);
    const uint64_t word = line[bit / 64].load(std::memory_order_relaxed);
    if ((word >> (bit % 64) & 1) == 0) return false;
  }
  return true;
}

}  // namespace ROCKSDB_NAMESPACE::engine
