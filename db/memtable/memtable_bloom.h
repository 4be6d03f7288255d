// MemTableBloom: says of a user key or prefix that a memtable does not have
// it, so that a lookup need not descend the skiplist.
//
// Place. Owned by a MemTable whose family asks for it
// (memtable_prefix_bloom_size_ratio); the memory is the memtable's arena.
//
// Model. A key chooses one cache line by its hash, and six bits of the line.
// Prefixes and whole keys share the bits: what one sets can only make the
// other answer "maybe".
//
// Invariant: a bit that was set stays set, so that "no" is never wrong for a
// key whose Add happened before.
//
// Threads. Add and MayContain from any; a reader that has seen the sequence of
// an entry published sees its bits.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "rocksdb/slice.h"
#include "util/arena.h"

namespace ROCKSDB_NAMESPACE::engine {

class MemTableBloom {
 public:
  // Of about `bytes`, at least one line. The arena outlives it.
  MemTableBloom(size_t bytes, Allocator* arena);
  MemTableBloom(const MemTableBloom&) = delete;
  MemTableBloom& operator=(const MemTableBloom&) = delete;

  void Add(const Slice& key) { Add(HashOf(key)); }
  bool MayContain(const Slice& key) const;

 private:
  static constexpr size_t kLineBytes = 64;
  static constexpr size_t kWordsPerLine = kLineBytes / sizeof(uint64_t);
  static constexpr int kProbes = 6;

  // Which bit of the line the next probe looks at: nine bits of `state`.
  static unsigned NextBit(uint64_t* state) {
    const unsigned bit = static_cast<unsigned>(*state >> 55);
    *state *= 0x9E3779B97F4A7C15u;
    return bit;
  }
  static uint64_t HashOf(const Slice& key);
  const std::atomic<uint64_t>* LineOf(uint64_t hash) const {
    return words_ + (((hash & 0xffffffffu) * lines_) >> 32) * kWordsPerLine;
  }
  void Add(uint64_t hash);

  const uint64_t lines_;
  std::atomic<uint64_t>* words_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
