// The kernels, and the choice among them.
//
// Model. A CRC is the message as a polynomial times x^32, modulo P. It is
// linear, so three parts of a message can be computed at once, which hides the
// three-cycle latency of the crc32 instruction, and then moved to their places:
//
//   crc(A ++ B ++ C) = crc(A) * x^(8(|B|+|C|)) + crc(B) * x^(8|C|) + crc(C)
//
// Bit i of a 32-bit remainder stands for x^(31-i). Carry-less multiplication of
// two such words yields 64 bits that, read as a message, stand for the product
// times x; the crc32 instruction multiplies by x^32 and reduces. So to shift by
// n bytes one multiplies by x^(8n-33) and lets crc32 reduce.

#include "util/crc32c.h"

#include <array>
#include <atomic>

#include "util/coding.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#include <wmmintrin.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <arm_acle.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace ROCKSDB_NAMESPACE::engine::crc32c {

namespace {

constexpr uint32_t kPolynomial = 0x82F63B78u;
constexpr uint32_t kOne = 0x80000000u;  // x^0.

// a * b mod P.
constexpr uint32_t Multiply(uint32_t a, uint32_t b) {
  uint32_t result = 0;
  for (uint32_t bit = kOne; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) result ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);  // b * x.
  }
  return result;
}

// x^n mod P.
constexpr uint32_t PowerOfX(uint64_t n) {
  uint32_t result = kOne;
  uint32_t square = kOne >> 1;  // x^1.
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) result = Multiply(result, square);
    square = Multiply(square, square);
  }
  return result;
}

// kTable[k][b]: the CRC of byte b followed by k zero bytes.
using Table = std::array<std::array<uint32_t, 256>, 8>;

constexpr Table MakeTable() {
  Table table{};
  for (uint32_t b = 0; b < 256; b++) {
    uint32_t crc = b;
    for (int i = 0; i < 8; i++) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    }
    table[0][b] = crc;
  }
  for (size_t k = 1; k < 8; k++) {
    for (size_t b = 0; b < 256; b++) {
      const uint32_t crc = table[k - 1][b];
      table[k][b] = (crc >> 8) ^ table[0][crc & 0xff];
    }
  }
  return table;
}

constexpr Table kTable = MakeTable();

}  // namespace

uint32_t ExtendPortable(uint32_t crc, const char* data, size_t n) {
  uint32_t state = ~crc;
  for (; n >= 8; n -= 8, data += 8) {
    const uint64_t word = DecodeFixed64(data) ^ state;
    state = 0;
    for (size_t k = 0; k < 8; k++) {
      state ^= kTable[7 - k][(word >> (8 * k)) & 0xff];
    }
  }
  for (; n > 0; n--, data++) {
    state =
        (state >> 8) ^ kTable[0][(state ^ static_cast<uint8_t>(*data)) & 0xff];
  }
  return ~state;
}

#if defined(__x86_64__)

namespace {

// A stripe is three equal parts of at most this many 8-byte words; 3 KiB are
// long enough that joining them does not show.
constexpr size_t kPartWordsMax = 128;

// kShift[w]: x^(64w-33), the factor that moves a remainder past w words.
using ShiftTable = std::array<uint32_t, 2 * kPartWordsMax + 1>;

constexpr ShiftTable MakeShiftTable() {
  ShiftTable table{};
  const uint32_t word = PowerOfX(64);
  uint32_t power = PowerOfX(64 - 33);
  for (size_t w = 1; w < table.size(); w++) {
    table[w] = power;
    power = Multiply(power, word);
  }
  return table;
}

constexpr ShiftTable kShift = MakeShiftTable();

__attribute__((target("sse4.2"))) uint64_t ExtendTail(uint64_t state,
                                                      const char* data,
                                                      size_t n) {
  for (; n >= 8; n -= 8, data += 8) {
    state = _mm_crc32_u64(state, DecodeFixed64(data));
  }
  uint32_t state32 = static_cast<uint32_t>(state);
  if ((n & 4) != 0) {
    state32 = _mm_crc32_u32(state32, DecodeFixed32(data));
    data += 4;
  }
  if ((n & 2) != 0) {
    state32 = _mm_crc32_u16(state32, DecodeFixed16(data));
    data += 2;
  }
  if ((n & 1) != 0) {
    state32 = _mm_crc32_u8(state32, static_cast<uint8_t>(*data));
  }
  return state32;
}

__attribute__((target("sse4.2"))) uint32_t ExtendSse42(uint32_t crc,
                                                       const char* data,
                                                       size_t n) {
  return ~static_cast<uint32_t>(ExtendTail(~crc, data, n));
}

__attribute__((target("sse4.2,pclmul"))) inline uint64_t ShiftWords(
    uint64_t state, size_t words) {
  const __m128i product = _mm_clmulepi64_si128(
      _mm_cvtsi64_si128(static_cast<int64_t>(state)),
      _mm_cvtsi64_si128(static_cast<int64_t>(kShift[words])), 0);
  return _mm_crc32_u64(0, static_cast<uint64_t>(_mm_cvtsi128_si64(product)));
}

__attribute__((target("sse4.2,pclmul"))) uint32_t
ExtendThreeWay(uint32_t crc, const char* data, size_t n) {
  // Below this, joining costs more than the parts gain.
  constexpr size_t kStripeSizeMin = 144;

  uint64_t state = ~crc;
  while (n >= kStripeSizeMin) {
    size_t words = n / 24;
    if (words > kPartWordsMax) words = kPartWordsMax;
    const size_t part_size = words * 8;
    const char* a = data;
    const char* b = data + part_size;
    const char* c = b + part_size;
    uint64_t state_b = 0;
    uint64_t state_c = 0;
    for (size_t i = 0; i < part_size; i += 8) {
      state = _mm_crc32_u64(state, DecodeFixed64(a + i));
      state_b = _mm_crc32_u64(state_b, DecodeFixed64(b + i));
      state_c = _mm_crc32_u64(state_c, DecodeFixed64(c + i));
    }
    state = ShiftWords(state, 2 * words) ^ ShiftWords(state_b, words) ^ state_c;
    data += 3 * part_size;
    n -= 3 * part_size;
  }
  return ~static_cast<uint32_t>(ExtendTail(state, data, n));
}

}  // namespace

#elif defined(__aarch64__) && defined(__linux__)

namespace {

__attribute__((target("+crc"))) uint32_t ExtendArmv8(uint32_t crc,
                                                     const char* data,
                                                     size_t n) {
  uint32_t state = ~crc;
  for (; n >= 8; n -= 8, data += 8) {
    state = __crc32cd(state, DecodeFixed64(data));
  }
  for (; n > 0; n--, data++) {
    state = __crc32cb(state, static_cast<uint8_t>(*data));
  }
  return ~state;
}

}  // namespace

#endif

namespace {

using Kernel = uint32_t (*)(uint32_t, const char*, size_t);

struct Choice {
  Kernel kernel;
  const char* name;
};

Choice Choose() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.2")) {
    if (__builtin_cpu_supports("pclmul")) {
      return {ExtendThreeWay, "sse4.2+pclmul"};
    }
    return {ExtendSse42, "sse4.2"};
  }
#elif defined(__aarch64__) && defined(__linux__)
  if ((::getauxval(AT_HWCAP) & HWCAP_CRC32) != 0) {
    return {ExtendArmv8, "armv8"};
  }
#endif
  return {ExtendPortable, "table"};
}

// Chooses, then steps aside. Unlike a static initialiser this also serves calls
// made while the program's own statics are being initialised.
uint32_t ChooseAndExtend(uint32_t crc, const char* data, size_t n);

constinit std::atomic<Kernel> kernel{ChooseAndExtend};

uint32_t ChooseAndExtend(uint32_t crc, const char* data, size_t n) {
  const Kernel chosen = Choose().kernel;
  kernel.store(chosen, std::memory_order_relaxed);
  return chosen(crc, data, n);
}

}  // namespace

uint32_t Extend(uint32_t crc, const char* data, size_t n) {
  return kernel.load(std::memory_order_relaxed)(crc, data, n);
}

uint32_t Combine(uint32_t crc_a, uint32_t crc_b, size_t size_b) {
  return Multiply(PowerOfX(uint64_t{8} * size_b), crc_a) ^ crc_b;
}

const char* KernelName() { return Choose().name; }

}  // namespace ROCKSDB_NAMESPACE::engine::crc32c
