// Arena and ConcurrentArena: many small allocations, freed all at once.
//
// Place. Memtables, write batches' indexes, iterators. ConcurrentArena serves
// writers that insert into one memtable at the same time.
//
// Model. An Arena takes blocks from the system and hands them out from both
// ends: aligned requests from the front, byte strings from the back. A request
// above a quarter of the block size gets a block of its own, so that at most a
// quarter of a block is ever left behind. Large blocks are mapped pages and go
// back to the system with the arena; small ones come from the heap. From 2 MiB
// on an arena may ask for memory that the system backs with huge pages: a walk
// in a large skiplist then misses the TLB less often.
//
//   block   | aligned -> |      free      | <- unaligned |
//
// A ConcurrentArena has a few shards, each with a current chunk; a thread adds
// to the chunk's fill mark and owns what it passed over. Chunks come from one
// Arena under a lock and stay until the end, so a late thread that adds to a
// full one only learns that it is full.
//
// Invariants:
//   (1) Memory stays valid and in place until the arena is destroyed.
//   (2) MemoryAllocatedBytes never falls and counts whole blocks.
//
// Threads. Arena: one thread; its MemoryAllocatedBytes may be read from any.
// ConcurrentArena: thread-safe.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "util/core_local.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// What the memtable representations need of either arena.
class Allocator {
 public:
  virtual ~Allocator() = default;
  // `bytes` > 0. Never returns nullptr (memory exhaustion ends in bad_alloc).
  virtual char* Allocate(size_t bytes) = 0;
  // As Allocate, aligned to kArenaAlignment.
  virtual char* AllocateAligned(size_t bytes) = 0;
  virtual size_t block_size() const = 0;
};

// Enough for pointers and 64-bit atomics, which is all that lives in arenas.
inline constexpr size_t kArenaAlignment = 8;

class Arena final : public Allocator {
 public:
  static constexpr size_t kInlineSize = 2048;
  static constexpr size_t kBlockSizeMin = 4096;
  static constexpr size_t kBlockSizeMax = size_t{2} << 30;

  // `block_size` is moved into [kBlockSizeMin, kBlockSizeMax] and aligned. With
  // `huge_page_size` > 0 blocks are mapped from huge pages where the system has
  // them, and from the heap otherwise.
  explicit Arena(size_t block_size = kBlockSizeMin, size_t huge_page_size = 0);
  ~Arena() override;

  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  char* Allocate(size_t bytes) override {
    assert(bytes > 0);
    if (bytes <= free_bytes_) {
      unaligned_ -= bytes;
      free_bytes_ -= bytes;
      return unaligned_;
    }
    return AllocateFallback(bytes, /*aligned=*/false);
  }

  char* AllocateAligned(size_t bytes) override {
    assert(bytes > 0);
    // The front is always aligned, so whole units keep it so.
    bytes = (bytes + kArenaAlignment - 1) & ~(kArenaAlignment - 1);
    if (bytes <= free_bytes_) {
      char* result = aligned_;
      aligned_ += bytes;
      free_bytes_ -= bytes;
      return result;
    }
    return AllocateFallback(bytes, /*aligned=*/true);
  }

  // Blocks from now on may lie in huge pages. The thread that touches one first
  // waits while the system clears 2 MiB: a millisecond or so. Any thread.
  void WantHugePages(bool wanted) {
    if (wanted == wants_huge_pages_.load(std::memory_order_relaxed)) return;
    wants_huge_pages_.store(wanted, std::memory_order_relaxed);
  }

  // Blocks taken from the system, without the inline one.
  size_t MemoryAllocatedBytes() const {
    return blocks_memory_.load(std::memory_order_relaxed);
  }
  size_t AllocatedAndUnused() const { return free_bytes_; }
  // What has been handed out, with what was lost at block ends.
  size_t ApproximateMemoryUsage() const {
    return MemoryAllocatedBytes() + kInlineSize - free_bytes_;
  }
  size_t block_size() const override { return block_size_; }
  bool IsInInlineBlock() const { return blocks_.empty(); }

 private:
  struct Memory {
    char* data;
    size_t mapped_size;  // 0: from the heap.
  };

  char* AllocateFallback(size_t bytes, bool aligned);
  char* NewBlock(size_t bytes);
  // Sets `bytes` to what was mapped; nullptr: the heap has to serve.
  char* NewMappedBlock(size_t* bytes);
  char* NewBlockOfHugePage();

  alignas(kArenaAlignment) char inline_block_[kInlineSize];
  const size_t block_size_;
  const size_t huge_page_size_;
  char* aligned_ = inline_block_;
  char* unaligned_ = inline_block_ + kInlineSize;
  size_t free_bytes_ = kInlineSize;
  std::vector<Memory> blocks_;
  std::atomic<bool> wants_huge_pages_{false};
  // What no block has yet of the last 2 MiB for a huge page.
  char* huge_page_rest_ = nullptr;
  size_t huge_page_rest_bytes_ = 0;
  std::atomic<size_t> blocks_memory_{0};
};

class ConcurrentArena final : public Allocator {
 public:
  explicit ConcurrentArena(size_t block_size = Arena::kBlockSizeMin,
                           size_t huge_page_size = 0);

  ConcurrentArena(const ConcurrentArena&) = delete;
  ConcurrentArena& operator=(const ConcurrentArena&) = delete;

  char* Allocate(size_t bytes) override { return AllocateAligned(bytes); }

  char* AllocateAligned(size_t bytes) override {
    assert(bytes > 0);
    bytes = (bytes + kArenaAlignment - 1) & ~(kArenaAlignment - 1);
    Chunk* chunk = shards_[ThreadIndex() & shard_mask_].chunk.load(
        std::memory_order_acquire);
    if (bytes <= shared_size_max_) [[likely]] {
      const size_t at = chunk->used.fetch_add(bytes, std::memory_order_relaxed);
      if (at + bytes <= chunk->size) [[likely]]
        return chunk->data() + at;
    }
    return AllocateSlow(bytes, chunk);
  }

  void WantHugePages(bool wanted) { arena_.WantHugePages(wanted); }

  size_t MemoryAllocatedBytes() const { return arena_.MemoryAllocatedBytes(); }
  // Both are exact only while no thread allocates.
  size_t AllocatedAndUnused() const EXCLUDES_LOCK(mu_);
  size_t ApproximateMemoryUsage() const EXCLUDES_LOCK(mu_);
  size_t block_size() const override { return arena_.block_size(); }

 private:
  // Lives at the front of its own memory.
  struct Chunk {
    const size_t size;         // Bytes of data().
    std::atomic<size_t> used;  // May pass `size` when threads find it full.
    char* data() { return reinterpret_cast<char*>(this + 1); }
  };
  struct alignas(kCacheLineSize) Shard {
    std::atomic<Chunk*> chunk;
  };

  char* AllocateSlow(size_t bytes, Chunk* seen) EXCLUDES_LOCK(mu_);

  // Every shard starts here, so that an arena costs nothing until it is used.
  Chunk empty_chunk_{0, {0}};
  const size_t chunk_size_;
  // Above it a request goes to the arena: it would close a chunk too early.
  const size_t shared_size_max_;
  const size_t shard_mask_;
  const std::unique_ptr<Shard[]> shards_;
  mutable SpinMutex mu_;
  // Without the lock: WantHugePages, MemoryAllocatedBytes and block_size.
  Arena arena_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
