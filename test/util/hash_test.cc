#include "util/hash.h"

#include <gtest/gtest.h>

#include <string>

#include "util/block_checksum.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

std::string Pattern(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; i++) bytes[i] = static_cast<char>(i * 131 + 17);
  return bytes;
}

struct Vector64 {
  size_t size;
  uint64_t hash;
};

// Computed by an independent implementation of the format's description; one
// or more per length class and at each border.
constexpr Vector64 kFilterHashes[] = {
    {0, 0x5342c3010fe1dd04ull},    {1, 0xfd66d68f61003b75ull},
    {2, 0x084e8302b8cf9b30ull},    {3, 0x8a3c14ab00d01512ull},
    {4, 0xcfe0d09d3ba5269bull},    {7, 0x1c6e06f9e95ee58dull},
    {8, 0xaed89557b5c14aceull},    {9, 0xdce803e8ea995a12ull},
    {12, 0x9df9b07aa05a29baull},   {16, 0x8162cc0f280a9aa2ull},
    {17, 0x673b2a1b90f82bbcull},   {32, 0x18223327ed0fe6dcull},
    {33, 0xc2f2e24cbe8c0eb9ull},   {64, 0x418cdc9c9d90ddcdull},
    {65, 0x2946d0e1a0b8f19bull},   {96, 0x138d83f67da3083full},
    {97, 0xf6961ae8621bcf78ull},   {128, 0x28ceb2df08be101cull},
    {129, 0xed79c787cc48b921ull},  {160, 0xe61fcb10b4e269e8ull},
    {200, 0x2d4b70a29a0626dcull},  {240, 0x3784d3d181a3635dull},
    {241, 0xd59800bcf892abc8ull},  {256, 0xd66ad07c4a1df303ull},
    {300, 0x90cc676247e10a75ull},  {512, 0xbf0a8fa36ca973daull},
    {1023, 0xd2477e2fcf5c2386ull}, {1024, 0xbf9555354f2e8e45ull},
    {1025, 0xa978e05237587f61ull}, {1088, 0x10c8499364750e4cull},
    {2048, 0xca71024bdb566d23ull}, {4000, 0x38f16f73fb3215aeull},
};

TEST(Hash, TheFilterHashHasItsFrozenValues) {
  const std::string bytes = Pattern(4096);
  for (const Vector64& v : kFilterHashes) {
    EXPECT_EQ(v.hash, Hash64(bytes.data(), v.size)) << v.size;
  }
}

struct Vector32 {
  size_t size;
  uint32_t bloom;
  uint32_t data_block;
};

constexpr Vector32 kLegacyHashes[] = {
    {0, 0xbc9f1d34u, 0x0000018du},  {1, 0x14fa3fbcu, 0x491015b4u},
    {2, 0xa75ffbbeu, 0x5532d5a1u},  {3, 0x336c5989u, 0xcba9fb54u},
    {4, 0x116af3c1u, 0x6411db87u},  {5, 0x9bed01c9u, 0xf82b5398u},
    {7, 0xb63aaac3u, 0x88602e7bu},  {8, 0xf5eef10bu, 0x0c730829u},
    {31, 0xa7b5090au, 0x2d015d3au},
};

TEST(Hash, TheLegacyHashHasItsFrozenValues) {
  const std::string bytes = Pattern(64);
  for (const Vector32& v : kLegacyHashes) {
    EXPECT_EQ(v.bloom, Hash32Legacy(bytes.data(), v.size, kLegacyBloomSeed));
    EXPECT_EQ(v.data_block, DataBlockHash(Slice(bytes.data(), v.size)));
  }
}

// The check values that the xxHash project publishes for empty input.
TEST(Hash, ThePublishedXxHashesAreTheRealOnes) {
  EXPECT_EQ(0x02CC5D05u, Xxh32("", 0));
  EXPECT_EQ(0xEF46DB3751D8E999ull, Xxh64("", 0));
  EXPECT_EQ(0x2D06800538D394C2ull, Xxh3("", 0));
  EXPECT_EQ((Uint128{0x6001C324468D497Full, 0x99AA06D3014798D8ull}),
            Xxh3x128("", 0));
}

TEST(Hash, StreamsGiveTheHashOfTheWhole) {
  const std::string bytes = Pattern(1000);
  XxhStream stream32(XxhStream::Kind::kXxh32);
  XxhStream stream64(XxhStream::Kind::kXxh64);
  for (size_t at = 0; at < bytes.size(); at += 50) {
    stream32.Update(bytes.data() + at, 50);
    stream64.Update(bytes.data() + at, 50);
  }
  EXPECT_EQ(Xxh32(bytes.data(), bytes.size()), stream32.Digest());
  EXPECT_EQ(Xxh64(bytes.data(), bytes.size()), stream64.Digest());
}

TEST(Hash, SeedsGiveUnrelatedValuesAndRangesAreKept) {
  EXPECT_NE(Hash64("key", 3, 1), Hash64("key", 3, 2));
  EXPECT_EQ(0u, FastRange32(0, 10));
  EXPECT_EQ(9u, FastRange32(0xffffffffu, 10));
  EXPECT_EQ(9u, FastRange64(~uint64_t{0}, 10));
}

TEST(BlockChecksum, EachTypeCoversThePayloadAndTheLastByte) {
  const std::string payload = Pattern(4000);
  const std::string whole = payload + '\x07';
  const auto compute = [&](BlockChecksum type) {
    return ComputeBlockChecksum(static_cast<uint8_t>(type), payload.data(),
                                payload.size(), '\x07');
  };
  EXPECT_EQ(0u, compute(BlockChecksum::kNone));
  EXPECT_EQ(crc32c::Mask(crc32c::Value(whole.data(), whole.size())),
            compute(BlockChecksum::kCrc32c));
  EXPECT_EQ(Xxh32(whole.data(), whole.size()), compute(BlockChecksum::kXxh32));
  EXPECT_EQ(static_cast<uint32_t>(Xxh64(whole.data(), whole.size())),
            compute(BlockChecksum::kXxh64));
  const uint32_t low =
      static_cast<uint32_t>(Xxh3(payload.data(), payload.size()));
  EXPECT_EQ(low ^ (7u * 0x6b9083d9u), compute(BlockChecksum::kXxh3));
}

TEST(BlockChecksum, AWholeBufferCountsItsLastByteAsTheLastByte) {
  const std::string payload = Pattern(53);
  for (uint8_t type = 0; type <= kBlockChecksumMax; type++) {
    EXPECT_EQ(ComputeBlockChecksum(type, payload.data(), 52, payload[52]),
              ComputeBufferChecksum(type, payload.data(), 53));
  }
  EXPECT_EQ(0u, ComputeBufferChecksum(4, "", 0));
}

TEST(BlockChecksum, TheContextModifierFollowsFileAndOffset) {
  EXPECT_EQ(0u, ChecksumModifierForContext(0, 12345));
  EXPECT_EQ(0x11111111u, ChecksumModifierForContext(0x11111111u, 0));
  EXPECT_EQ(0x11111111u ^ 7u,
            ChecksumModifierForContext(0x11111111u, (uint64_t{3} << 32) + 4));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
