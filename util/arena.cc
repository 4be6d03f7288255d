#include "util/arena.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace ROCKSDB_NAMESPACE::engine {

namespace {

size_t CleanBlockSize(size_t block_size) {
  block_size =
      std::clamp(block_size, Arena::kBlockSizeMin, Arena::kBlockSizeMax);
  return (block_size + kArenaAlignment - 1) & ~(kArenaAlignment - 1);
}

// A chunk is an eighth of a block, so that eight shards share one block, and at
// most 128 KiB, so that idle shards of a large arena hold little back.
size_t ChunkSize(size_t block_size) {
  constexpr size_t kChunkSizeMax = size_t{128} << 10;
  return std::min(kChunkSizeMax, CleanBlockSize(block_size) / 8);
}

#ifdef __linux__
// From this size on a block is mapped by itself, so that a memtable's bytes go
// back to the system with it; an allocator keeps them for the thread that wrote
// them. Peak memory of overwriting 2,000,000 pairs: 133 instead of 158 MB.
constexpr size_t kMapFrom = size_t{256} << 10;
constexpr size_t kPageBytes = 4096;

// What one huge page holds, on x86-64 and mostly on aarch64.
constexpr size_t kHugePageBytes = size_t{2} << 20;

// Maps whole pages of `page` bytes and sets `bytes` to what was mapped, or
// returns nullptr.
char* MapPages(size_t* bytes, size_t page, int flags) {
  const size_t rounded = (*bytes + page - 1) / page * page;
  void* mapped = ::mmap(nullptr, rounded, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  *bytes = rounded;
  return static_cast<char*>(mapped);
}

// kHugePageBytes where one huge page may lie, or nullptr. The system decides
// whether it does (/sys/kernel/mm/transparent_hugepage/enabled).
char* MapHugePage() {
  size_t bytes = 2 * kHugePageBytes;
  char* const mapped = MapPages(&bytes, kPageBytes, 0);
  if (mapped == nullptr) return nullptr;
  const size_t before =
      (kHugePageBytes - reinterpret_cast<uintptr_t>(mapped) % kHugePageBytes) %
      kHugePageBytes;
  char* const page = mapped + before;
  const size_t behind = bytes - before - kHugePageBytes;
  if (before > 0) ::munmap(mapped, before);
  if (behind > 0) ::munmap(page + kHugePageBytes, behind);
  (void)::madvise(page, kHugePageBytes, MADV_HUGEPAGE);
  return page;
}
#endif

}  // namespace

Arena::Arena(size_t block_size, size_t huge_page_size)
    : block_size_(CleanBlockSize(block_size)),
      huge_page_size_(huge_page_size) {}

Arena::~Arena() {
  for (const Memory& block : blocks_) {
#ifdef __linux__
    if (block.mapped_size > 0) {
      ::munmap(block.data, block.mapped_size);
      continue;
    }
#endif
    ::operator delete(block.data);
  }
}

char* Arena::NewBlock(size_t bytes) {
  blocks_.reserve(blocks_.size() + 1);  // push_back below must not throw.
  char* data = NewMappedBlock(&bytes);
  if (data == nullptr) {
    data = static_cast<char*>(::operator new(bytes));
    blocks_.push_back({data, 0});
  }
  blocks_memory_.fetch_add(bytes, std::memory_order_relaxed);
  return data;
}

#ifdef __linux__
char* Arena::NewMappedBlock(size_t* bytes) {
  char* data = nullptr;
  if (huge_page_size_ > 0) data = MapPages(bytes, huge_page_size_, MAP_HUGETLB);
  if (data == nullptr && *bytes >= kMapFrom) {
    if (*bytes == block_size_) data = NewBlockOfHugePage();
    if (data != nullptr) return data;
    data = MapPages(bytes, kPageBytes, 0);
  }
  if (data != nullptr) blocks_.push_back({data, *bytes});
  return data;
}

// Not for an arena of less, and only blocks that leave nothing over.
char* Arena::NewBlockOfHugePage() {
  if (kHugePageBytes % block_size_ != 0) return nullptr;
  if (huge_page_rest_bytes_ == 0) {
    if (!wants_huge_pages_.load(std::memory_order_relaxed) ||
        MemoryAllocatedBytes() < kHugePageBytes) {
      return nullptr;
    }
    huge_page_rest_ = MapHugePage();
    if (huge_page_rest_ == nullptr) return nullptr;
    blocks_.push_back({huge_page_rest_, kHugePageBytes});
    huge_page_rest_bytes_ = kHugePageBytes;
  }
  assert(block_size_ <= huge_page_rest_bytes_);
  huge_page_rest_bytes_ -= block_size_;
  return std::exchange(huge_page_rest_, huge_page_rest_ + block_size_);
}
#else
char* Arena::NewMappedBlock(size_t* /*bytes*/) { return nullptr; }
#endif

char* Arena::AllocateFallback(size_t bytes, bool aligned) {
  if (bytes > block_size_ / 4) return NewBlock(bytes);

  // The rest of the current block, less than a quarter, is given up.
  char* block = NewBlock(block_size_);
  free_bytes_ = block_size_ - bytes;
  aligned_ = block;
  unaligned_ = block + block_size_;
  if (aligned) {
    aligned_ += bytes;
    return block;
  }
  unaligned_ -= bytes;
  return unaligned_;
}

ConcurrentArena::ConcurrentArena(size_t block_size, size_t huge_page_size)
    : chunk_size_(ChunkSize(block_size)),
      shared_size_max_((chunk_size_ - sizeof(Chunk)) / 4),
      shard_mask_(CoreSlots() - 1),
      shards_(new Shard[CoreSlots()]),
      arena_(block_size, huge_page_size) {
  for (size_t i = 0; i <= shard_mask_; i++) {
    shards_[i].chunk.store(&empty_chunk_, std::memory_order_relaxed);
  }
}

char* ConcurrentArena::AllocateSlow(size_t bytes, Chunk* seen) {
  std::atomic<Chunk*>& slot = shards_[ThreadIndex() & shard_mask_].chunk;
  SpinLock lock(&mu_);
  if (bytes > shared_size_max_) return arena_.AllocateAligned(bytes);

  // Another thread of this shard may have brought a new chunk meanwhile.
  Chunk* chunk = slot.load(std::memory_order_relaxed);
  if (chunk != seen) {
    const size_t at = chunk->used.fetch_add(bytes, std::memory_order_relaxed);
    if (at + bytes <= chunk->size) return chunk->data() + at;
  }

  char* memory = arena_.AllocateAligned(chunk_size_);
  Chunk* fresh = new (memory) Chunk{chunk_size_ - sizeof(Chunk), {bytes}};
  slot.store(fresh, std::memory_order_release);
  return fresh->data();
}

size_t ConcurrentArena::AllocatedAndUnused() const {
  SpinLock lock(&mu_);
  size_t unused = arena_.AllocatedAndUnused();
  for (size_t i = 0; i <= shard_mask_; i++) {
    const Chunk* chunk = shards_[i].chunk.load(std::memory_order_acquire);
    const size_t used = chunk->used.load(std::memory_order_relaxed);
    unused += chunk->size - std::min(chunk->size, used);
  }
  return unused;
}

size_t ConcurrentArena::ApproximateMemoryUsage() const {
  const size_t unused = AllocatedAndUnused();
  const size_t total = MemoryAllocatedBytes() + Arena::kInlineSize;
  return total - std::min(total, unused);
}

}  // namespace ROCKSDB_NAMESPACE::engine
