#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine::coding_internal {

const char* GetVarint32PtrSlow(const char* p, const char* limit, uint32_t* v) {
  uint32_t result = 0;
  for (uint32_t shift = 0; shift <= 28 && p < limit; shift += 7) {
    const uint32_t byte = static_cast<uint8_t>(*p++);
    // The fifth byte has room for four bits only.
    if (shift == 28 && byte > 0x0f) return nullptr;  // (2)
    result |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      *v = result;
      return p;
    }
  }
  return nullptr;
}

const char* GetVarint64PtrSlow(const char* p, const char* limit, uint64_t* v) {
  uint64_t result = 0;
  for (uint32_t shift = 0; shift <= 63 && p < limit; shift += 7) {
    const uint64_t byte = static_cast<uint8_t>(*p++);
    // The tenth byte has room for one bit only.
    if (shift == 63 && byte > 0x01) return nullptr;  // (2)
    result |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      *v = result;
      return p;
    }
  }
  return nullptr;
}

}  // namespace ROCKSDB_NAMESPACE::engine::coding_internal
