#include "util/hash.h"

#include <array>

#include "util/coding.h"

// Static copies: no xxHash symbol is imported or exported. With AVX-512, as
// -march=native may choose it, GCC 12 takes the operands that its own
// intrinsics leave undefined for variables that are not set.
#define XXH_INLINE_ALL
#pragma GCC diagnostic push
#if !defined(__clang__)  // It does not know this warning.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <xxhash.h>
#pragma GCC diagnostic pop

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr uint32_t kPrime32x1 = 0x9E3779B1u;
constexpr uint32_t kPrime32x2 = 0x85EBCA77u;
constexpr uint32_t kPrime32x3 = 0xC2B2AE3Du;
constexpr uint64_t kPrime64x1 = 0x9E3779B185EBCA87ull;
constexpr uint64_t kPrime64x2 = 0xC2B2AE3D27D4EB4Full;
constexpr uint64_t kPrime64x3 = 0x165667B19E3779F9ull;
constexpr uint64_t kPrime64x4 = 0x85EBCA77C2B2AE63ull;
constexpr uint64_t kPrime64x5 = 0x27D4EB2F165667C5ull;

constexpr size_t kSecretSize = 192;

constexpr uint8_t kSecretBytes[kSecretSize] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c,
    0xf7, 0x21, 0xad, 0x1c, 0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb,
    0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f, 0xcb, 0x79, 0xe6, 0x4e,
    0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6,
    0x81, 0x3a, 0x26, 0x4c, 0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb,
    0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3, 0x71, 0x64, 0x48, 0x97,
    0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7,
    0xc7, 0x0b, 0x4f, 0x1d, 0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31,
    0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64, 0xea, 0xc5, 0xac, 0x83,
    0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26,
    0x29, 0xd4, 0x68, 0x9e, 0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc,
    0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce, 0x45, 0xcb, 0x3a, 0x8f,
    0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

inline uint64_t Secret(size_t offset) {
  return DecodeFixed64(reinterpret_cast<const char*>(kSecretBytes) + offset);
}

inline uint64_t MulFold(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline uint64_t Avalanche(uint64_t h) {
  h ^= h >> 37;
  h *= kPrime64x3;
  return h ^ (h >> 32);
}

// Mixes 16 bytes of input with 16 of the secret.
inline uint64_t Mix16(const char* p, size_t secret) {
  return MulFold(DecodeFixed64(p) ^ Secret(secret),
                 DecodeFixed64(p + 8) ^ Secret(secret + 8));
}

inline uint64_t HashUpTo8(const char* data, size_t n) {
  if (n >= 4) {
    const uint64_t x =
        DecodeFixed32(data) | (uint64_t{DecodeFixed32(data + n - 4)} << 32);
    const uint64_t keyed = x ^ Secret(0);
    const uint64_t mix = n + (keyed ^ (keyed >> 51)) * kPrime32x1;
    return Avalanche((mix ^ (mix >> 47)) * kPrime64x2);
  }
  if (n > 0) {
    const uint32_t first = static_cast<uint8_t>(data[0]);
    const uint32_t middle = static_cast<uint8_t>(data[n / 2]);
    const uint32_t last = static_cast<uint8_t>(data[n - 1]);
    const uint32_t combined =
        first | (middle << 8) | (last << 16) | (static_cast<uint32_t>(n) << 24);
    const uint64_t keyed = combined ^ static_cast<uint32_t>(Secret(0));
    return Avalanche(keyed * kPrime64x1);
  }
  // Deliberately not the preview's zero.
  return MulFold(Secret(0), kPrime64x2);
}

uint64_t Hash17To128(const char* data, size_t n) {
  uint64_t acc = n * kPrime64x1;
  const char* end = data + n;
  if (n > 96) acc += Mix16(data + 48, 96) + Mix16(end - 64, 112);
  if (n > 64) acc += Mix16(data + 32, 64) + Mix16(end - 48, 80);
  if (n > 32) acc += Mix16(data + 16, 32) + Mix16(end - 32, 48);
  return Avalanche(acc + Mix16(data, 0) + Mix16(end - 16, 16));
}

uint64_t Hash129To240(const char* data, size_t n) {
  uint64_t acc = n * kPrime64x1;
  for (size_t i = 0; i < 8; i++) acc += Mix16(data + 16 * i, 16 * i);
  acc = Avalanche(acc);
  for (size_t i = 8; i < n / 16; i++) {
    acc += Mix16(data + 16 * i, 16 * (i - 8) + 3);
  }
  return Avalanche(acc + Mix16(data + n - 16, 136 - 17));
}

using Lanes = std::array<uint64_t, 8>;
constexpr size_t kStripeSize = 64;
constexpr size_t kStripesPerBlock = 16;

inline void Accumulate(Lanes* lanes, const char* p, size_t secret) {
  for (size_t i = 0; i < 8; i++) {
    const uint64_t d = DecodeFixed64(p + 8 * i);
    const uint64_t k = d ^ Secret(secret + 8 * i);
    (*lanes)[i] += d + (k & 0xffffffffu) * (k >> 32);
  }
}

inline void Scramble(Lanes* lanes) {
  for (size_t i = 0; i < 8; i++) {
    const uint64_t lane = (*lanes)[i];
    (*lanes)[i] =
        (lane ^ (lane >> 47) ^ Secret(128 + 8 * i)) * uint64_t{kPrime32x1};
  }
}

uint64_t HashLong(const char* data, size_t n) {
  Lanes lanes = {kPrime32x3, kPrime64x1, kPrime64x2, kPrime64x3,
                 kPrime64x4, kPrime32x2, kPrime64x5, kPrime32x1};
  size_t stripe = 0;
  for (; (stripe + 1) * kStripeSize <= n; stripe++) {
    const size_t in_block = stripe % kStripesPerBlock;
    Accumulate(&lanes, data + stripe * kStripeSize, 8 * in_block);
    if (in_block == kStripesPerBlock - 1) Scramble(&lanes);
  }
  if (n % kStripeSize != 0) {
    Accumulate(&lanes, data + n - kStripeSize, kSecretSize - kStripeSize - 7);
  }
  uint64_t acc = n * kPrime64x1;
  for (size_t j = 0; j < 4; j++) {
    acc += MulFold(lanes[2 * j] ^ Secret(11 + 16 * j),
                   lanes[2 * j + 1] ^ Secret(11 + 16 * j + 8));
  }
  return Avalanche(acc);
}

}  // namespace

uint64_t Hash64(const char* data, size_t n) {
  if (n <= 8) return HashUpTo8(data, n);
  if (n <= 16) {
    const uint64_t low = DecodeFixed64(data) ^ Secret(0);
    const uint64_t high = DecodeFixed64(data + n - 8) ^ Secret(8);
    return Avalanche(n + low + high + MulFold(low, high));
  }
  if (n <= 128) return Hash17To128(data, n);
  if (n <= 240) return Hash129To240(data, n);
  return HashLong(data, n);
}

uint64_t Hash64(const char* data, size_t n, uint64_t seed) {
  return XXH3_64bits_withSeed(data, n, seed);
}

uint32_t Hash32Legacy(const char* data, size_t n, uint32_t seed) {
  constexpr uint32_t kMultiplier = 0xc6a4a793u;
  uint32_t h = seed ^ (static_cast<uint32_t>(n) * kMultiplier);
  for (; n >= 4; n -= 4, data += 4) {
    h += DecodeFixed32(data);
    h *= kMultiplier;
    h ^= h >> 16;
  }
  // Frozen on disk: the last bytes count as signed.
  const auto byte = [data](size_t i) {
    return static_cast<uint32_t>(
        static_cast<int32_t>(static_cast<signed char>(data[i])));
  };
  if (n >= 3) h += byte(2) << 16;
  if (n >= 2) h += byte(1) << 8;
  if (n >= 1) {
    h += byte(0);
    h *= kMultiplier;
    h ^= h >> 24;
  }
  return h;
}

uint32_t Xxh32(const char* data, size_t n, uint32_t seed) {
  return XXH32(data, n, seed);
}

uint64_t Xxh64(const char* data, size_t n, uint64_t seed) {
  return XXH64(data, n, seed);
}

uint64_t Xxh3(const char* data, size_t n, uint64_t seed) {
  return XXH3_64bits_withSeed(data, n, seed);
}

Uint128 Xxh3x128(const char* data, size_t n, uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(data, n, seed);
  return {hash.low64, hash.high64};
}

XxhStream::XxhStream(Kind kind) : kind_(kind) {
  static_assert(sizeof(XXH32_state_t) <= sizeof(state_));
  static_assert(sizeof(XXH64_state_t) <= sizeof(state_));
  if (kind == Kind::kXxh32) {
    XXH32_reset(reinterpret_cast<XXH32_state_t*>(state_), 0);
  } else {
    XXH64_reset(reinterpret_cast<XXH64_state_t*>(state_), 0);
  }
}

void XxhStream::Update(const char* data, size_t n) {
  if (kind_ == Kind::kXxh32) {
    XXH32_update(reinterpret_cast<XXH32_state_t*>(state_), data, n);
  } else {
    XXH64_update(reinterpret_cast<XXH64_state_t*>(state_), data, n);
  }
}

uint64_t XxhStream::Digest() const {
  if (kind_ == Kind::kXxh32) {
    return XXH32_digest(reinterpret_cast<const XXH32_state_t*>(state_));
  }
  return XXH64_digest(reinterpret_cast<const XXH64_state_t*>(state_));
}

}  // namespace ROCKSDB_NAMESPACE::engine
