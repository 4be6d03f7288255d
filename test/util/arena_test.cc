#include "util/arena.h"

#include <gtest/gtest.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

struct Piece {
  char* data;
  size_t size;
  char fill;
};

// Fills each piece with its own byte; overlap or reuse shows as a wrong byte.
void ExpectIntact(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    for (size_t i = 0; i < piece.size; i++) {
      ASSERT_EQ(piece.fill, piece.data[i]);
    }
  }
}

// arena.h (1).
TEST(Arena, PiecesNeverOverlapAndKeepTheirBytes) {
  Arena arena(8192);
  Random64 random(1);
  std::vector<Piece> pieces;
  size_t bytes = 0;
  for (int i = 0; i < 20000; i++) {
    const size_t size =
        i % 1000 == 0 ? 6000 : 1 + random.Skewed(random.OneIn(10) ? 10 : 5);
    const bool aligned = random.OneIn(2);
    char* const data =
        aligned ? arena.AllocateAligned(size) : arena.Allocate(size);
    if (aligned) {
      ASSERT_EQ(0u, reinterpret_cast<uintptr_t>(data) % kArenaAlignment);
    }
    const char fill = static_cast<char>(i);
    memset(data, fill, size);
    pieces.push_back({data, size, fill});
    bytes += size;
    ASSERT_GE(arena.ApproximateMemoryUsage(), bytes);
  }
  EXPECT_LE(arena.ApproximateMemoryUsage(), bytes * 13 / 10);
  ExpectIntact(pieces);
}

TEST(Arena, SmallUseStaysInTheInlineBlock) {
  Arena arena;
  arena.Allocate(100);
  EXPECT_TRUE(arena.IsInInlineBlock());
  EXPECT_EQ(0u, arena.MemoryAllocatedBytes());
  EXPECT_EQ(100u, arena.ApproximateMemoryUsage());
}

TEST(Arena, LargeRequestsDoNotWasteTheCurrentBlock) {
  Arena arena(4096);
  arena.Allocate(Arena::kInlineSize);  // Uses up the inline block.
  char* const first = arena.AllocateAligned(8);
  arena.Allocate(100000);
  EXPECT_EQ(first + 8, arena.AllocateAligned(8));
}

TEST(Arena, BlockSizesAreKeptInBounds) {
  EXPECT_EQ(Arena::kBlockSizeMin, Arena(1).block_size());
  EXPECT_EQ(10008u, Arena(10001).block_size());
  EXPECT_EQ(Arena::kBlockSizeMax, Arena(~size_t{0}).block_size());
}

TEST(Arena, WithoutHugePagesSmallOnesServe) {
  Arena arena(1 << 20, /*huge_page_size=*/2 << 20);
  char* const data = arena.AllocateAligned(3000);
  memset(data, 1, 3000);
  EXPECT_GE(arena.MemoryAllocatedBytes(), size_t{1} << 20);
}

#ifdef __linux__
bool IsMapped(const char* at) {
  const uintptr_t page = reinterpret_cast<uintptr_t>(at) & ~uintptr_t{4095};
  return ::msync(reinterpret_cast<void*>(page), 4096, MS_ASYNC) == 0;
}

TEST(Arena, LargeBlocksGoBackToTheSystem) {
  const char* piece = nullptr;
  {
    Arena arena(1 << 20);
    piece = arena.Allocate(100000);
    EXPECT_TRUE(IsMapped(piece));
    EXPECT_EQ(arena.MemoryAllocatedBytes(), size_t{1} << 20);
  }
  EXPECT_FALSE(IsMapped(piece));
}

// The first two blocks are ordinary pages; of those after them two and two lie
// where a huge page may.
TEST(Arena, LaterBlocksLieInHugePages) {
  constexpr size_t kBlock = size_t{1} << 20;
  std::vector<char*> blocks;
  {
    Arena arena(kBlock);
    arena.WantHugePages(true);
    arena.Allocate(Arena::kInlineSize);  // Uses up the inline block.
    for (size_t i = 1; i <= 7; ++i) {
      blocks.push_back(arena.AllocateAligned(kBlock / 8));
      memset(blocks.back(), 1, kBlock / 8);
      for (int rest = 0; rest < 7; ++rest) arena.AllocateAligned(kBlock / 8);
      EXPECT_EQ(arena.MemoryAllocatedBytes(), i * kBlock);
    }
    for (size_t i = 2; i < 6; i += 2) {
      EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(blocks[i]) % (2 * kBlock));
      EXPECT_EQ(blocks[i] + kBlock, blocks[i + 1]);
    }
    // What is too large for a block has pages of its own.
    char* const large = arena.Allocate(3 * kBlock);
    EXPECT_TRUE(large < blocks[6] || large >= blocks[6] + 2 * kBlock);
    EXPECT_GE(arena.MemoryAllocatedBytes(), 10 * kBlock);
  }
  for (const char* block : blocks) EXPECT_FALSE(IsMapped(block));
}
#endif

TEST(ConcurrentArena, PiecesOfManyThreadsNeverOverlap) {
  constexpr int kThreads = 4;
  ConcurrentArena arena(64 << 10);
  std::vector<std::vector<Piece>> pieces(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++) {
    threads.emplace_back([&arena, &mine = pieces[t], t] {
      Random64 random(static_cast<uint64_t>(t) + 1);
      for (int i = 0; i < 20000; i++) {
        const size_t size = 1 + random.Skewed(i % 500 == 0 ? 15 : 8);
        char* const data = arena.AllocateAligned(size);
        const char fill = static_cast<char>(random.Next32());
        memset(data, fill, size);
        mine.push_back({data, size, fill});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  std::vector<Piece> all;
  size_t bytes = 0;
  for (const std::vector<Piece>& mine : pieces) {
    ExpectIntact(mine);
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::sort(all.begin(), all.end(),
            [](const Piece& a, const Piece& b) { return a.data < b.data; });
  for (size_t i = 0; i < all.size(); i++) {
    ASSERT_EQ(0u, reinterpret_cast<uintptr_t>(all[i].data) % kArenaAlignment);
    if (i > 0) {
      ASSERT_LE(all[i - 1].data + all[i - 1].size, all[i].data);
    }
    bytes += all[i].size;
  }
  EXPECT_GE(arena.ApproximateMemoryUsage(), bytes);
  EXPECT_LE(arena.MemoryAllocatedBytes(), bytes * 2);
}

TEST(ConcurrentArena, CostsNothingUntilUsed) {
  ConcurrentArena arena(1 << 20);
  EXPECT_EQ(0u, arena.MemoryAllocatedBytes());
  EXPECT_EQ(0u, arena.ApproximateMemoryUsage());
  arena.Allocate(10);
  EXPECT_LE(arena.ApproximateMemoryUsage(), Arena::kInlineSize + 100);
}

TEST(ConcurrentArena, AMediumRequestDoesNotCloseAChunk) {
  ConcurrentArena arena(64 << 10);  // Chunks of 8 KiB.
  char* const first = arena.AllocateAligned(64);
  arena.AllocateAligned(4000);
  EXPECT_EQ(first + 64, arena.AllocateAligned(64));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
