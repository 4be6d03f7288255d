#include "test/stress/hostile/edges.h"

#include <bit>
#include <cstdint>

#define RIVERSTONE_NOT_TRACED __attribute__((no_sanitize_coverage))

namespace {

constexpr size_t kSlots = 1 << 16;
uint8_t g_counts[kSlots];
uint16_t g_touched[kSlots];
uint32_t g_num_touched = 0;
uint8_t g_seen[ROCKSDB_NAMESPACE::hostile::kEdgeGroups][kSlots];
bool g_counts_edges = false;
thread_local uintptr_t t_last = 0;

}  // namespace

extern "C" RIVERSTONE_NOT_TRACED void __sanitizer_cov_trace_pc() {
  const auto pc = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  const uintptr_t here = (pc >> 1) * 0x9E3779B97F4A7C15u >> 48;
  const uintptr_t slot = (here ^ t_last) % kSlots;
  t_last = here >> 1;
  if (g_counts[slot] == 0) {
    const uint32_t n = g_num_touched;
    if (n < kSlots) {
      g_touched[n] = static_cast<uint16_t>(slot);
      g_num_touched = n + 1;
    }
  }
  if (g_counts[slot] != 255) ++g_counts[slot];
  g_counts_edges = true;
}

namespace ROCKSDB_NAMESPACE::hostile {

bool CountsEdges() { return g_counts_edges; }

RIVERSTONE_NOT_TRACED void BeginEdges() {
  for (uint32_t i = 0; i < g_num_touched; ++i) g_counts[g_touched[i]] = 0;
  g_num_touched = 0;
  t_last = 0;
}

RIVERSTONE_NOT_TRACED size_t TakeNewEdges(size_t group) {
  size_t fresh = 0;
  uint8_t* const seen = g_seen[group % kEdgeGroups];
  for (uint32_t i = 0; i < g_num_touched; ++i) {
    const uint16_t slot = g_touched[i];
    const int power = std::bit_width(unsigned{g_counts[slot]}) - 1;
    const auto bit = static_cast<uint8_t>(1u << (power < 0 ? 0 : power));
    if ((seen[slot] & bit) == 0) {
      seen[slot] = static_cast<uint8_t>(seen[slot] | bit);
      ++fresh;
    }
  }
  return fresh;
}

}  // namespace ROCKSDB_NAMESPACE::hostile
