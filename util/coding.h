// Fixed-width and variable-width integers and length-prefixed strings, the
// atoms of every format on disk.
//
// Place. Called by whatever reads or writes bytes; knows nothing of files.
//
// Bytes. fixedN: little-endian, N/8 bytes. varint: base 128, least significant
// group first, bit 7 set when another byte follows; at most 5 bytes for 32 bits
// and 10 for 64; always written in the shortest form. lpstring: varint32
// length, then the bytes. varsigned64: zigzag, then varint64.
//
// Invariants:
//   (1) A Get function reads nothing at or beyond `limit` (or the slice's end)
//       and leaves its input untouched when it fails.
//   (2) A varint that does not fit its type is refused, not truncated.
//
// Threads. Pure functions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr size_t kVarint32SizeMax = 5;
inline constexpr size_t kVarint64SizeMax = 10;

namespace coding_internal {

template <typename T>
inline T LittleEndian(T v) {
  if constexpr (std::endian::native == std::endian::little) {
    return v;
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bswap16(v);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bswap32(v);
  } else {
    return __builtin_bswap64(v);
  }
}

template <typename T>
inline T Load(const char* p) {
  T v;
  std::memcpy(&v, p, sizeof(v));
  return LittleEndian(v);
}

template <typename T>
inline void Store(char* p, T v) {
  v = LittleEndian(v);
  std::memcpy(p, &v, sizeof(v));
}

// The multi-byte cases of the inline functions below.
const char* GetVarint32PtrSlow(const char* p, const char* limit, uint32_t* v);
const char* GetVarint64PtrSlow(const char* p, const char* limit, uint64_t* v);

}  // namespace coding_internal

inline void EncodeFixed16(char* p, uint16_t v) { coding_internal::Store(p, v); }
inline void EncodeFixed32(char* p, uint32_t v) { coding_internal::Store(p, v); }
inline void EncodeFixed64(char* p, uint64_t v) { coding_internal::Store(p, v); }

inline uint16_t DecodeFixed16(const char* p) {
  return coding_internal::Load<uint16_t>(p);
}
inline uint32_t DecodeFixed32(const char* p) {
  return coding_internal::Load<uint32_t>(p);
}
inline uint64_t DecodeFixed64(const char* p) {
  return coding_internal::Load<uint64_t>(p);
}

inline void PutFixed16(std::string* dst, uint16_t v) {
  char buf[sizeof(v)];
  EncodeFixed16(buf, v);
  dst->append(buf, sizeof(buf));
}
inline void PutFixed32(std::string* dst, uint32_t v) {
  char buf[sizeof(v)];
  EncodeFixed32(buf, v);
  dst->append(buf, sizeof(buf));
}
inline void PutFixed64(std::string* dst, uint64_t v) {
  char buf[sizeof(v)];
  EncodeFixed64(buf, v);
  dst->append(buf, sizeof(buf));
}

// Writes at most kVarint64SizeMax bytes at `p`; returns the end of them.
inline char* EncodeVarint64(char* p, uint64_t v) {
  while (v >= 0x80) {
    *p++ = static_cast<char>(v | 0x80);
    v >>= 7;
  }
  *p++ = static_cast<char>(v);
  return p;
}

// Writes at most kVarint32SizeMax bytes at `p`; returns the end of them.
inline char* EncodeVarint32(char* p, uint32_t v) {
  if (v < 0x80) {
    *p = static_cast<char>(v);
    return p + 1;
  }
  if (v < (1u << 14)) {
    p[0] = static_cast<char>(v | 0x80);
    p[1] = static_cast<char>(v >> 7);
    return p + 2;
  }
  return EncodeVarint64(p, v);
}

inline void PutVarint32(std::string* dst, uint32_t v) {
  char buf[kVarint32SizeMax];
  dst->append(buf, static_cast<size_t>(EncodeVarint32(buf, v) - buf));
}
inline void PutVarint64(std::string* dst, uint64_t v) {
  char buf[kVarint64SizeMax];
  dst->append(buf, static_cast<size_t>(EncodeVarint64(buf, v) - buf));
}

// Number of bytes EncodeVarint64 writes.
inline int VarintLength(uint64_t v) {
  return (static_cast<int>(std::bit_width(v | 1)) + 6) / 7;
}

inline uint64_t ZigzagEncode(int64_t v) {
  return (static_cast<uint64_t>(v) << 1) ^ static_cast<uint64_t>(v >> 63);
}
inline int64_t ZigzagDecode(uint64_t v) {
  return static_cast<int64_t>((v >> 1) ^ (0 - (v & 1)));
}
inline void PutVarsignedint64(std::string* dst, int64_t v) {
  PutVarint64(dst, ZigzagEncode(v));
}

// Reads a varint from [p, limit). Returns the byte after it, or nullptr when it
// is cut short or too wide.
inline const char* GetVarint32Ptr(const char* p, const char* limit,
                                  uint32_t* v) {
  if (p < limit) {  // (1)
    const uint8_t byte = static_cast<uint8_t>(*p);
    if (byte < 0x80) {
      *v = byte;
      return p + 1;
    }
  }
  return coding_internal::GetVarint32PtrSlow(p, limit, v);
}
inline const char* GetVarint64Ptr(const char* p, const char* limit,
                                  uint64_t* v) {
  if (p < limit) {  // (1)
    const uint8_t byte = static_cast<uint8_t>(*p);
    if (byte < 0x80) {
      *v = byte;
      return p + 1;
    }
  }
  return coding_internal::GetVarint64PtrSlow(p, limit, v);
}

// The Get functions below take their value off the front of `input`, or return
// false and leave it as it was.
inline bool GetVarint32(Slice* input, uint32_t* v) {
  const char* limit = input->data() + input->size();
  const char* p = GetVarint32Ptr(input->data(), limit, v);
  if (p == nullptr) return false;  // (1)
  *input = Slice(p, static_cast<size_t>(limit - p));
  return true;
}
inline bool GetVarint64(Slice* input, uint64_t* v) {
  const char* limit = input->data() + input->size();
  const char* p = GetVarint64Ptr(input->data(), limit, v);
  if (p == nullptr) return false;  // (1)
  *input = Slice(p, static_cast<size_t>(limit - p));
  return true;
}
inline bool GetVarsignedint64(Slice* input, int64_t* v) {
  uint64_t u = 0;
  if (!GetVarint64(input, &u)) return false;
  *v = ZigzagDecode(u);
  return true;
}
inline bool GetFixed16(Slice* input, uint16_t* v) {
  if (input->size() < sizeof(*v)) return false;  // (1)
  *v = DecodeFixed16(input->data());
  input->remove_prefix(sizeof(*v));
  return true;
}
inline bool GetFixed32(Slice* input, uint32_t* v) {
  if (input->size() < sizeof(*v)) return false;  // (1)
  *v = DecodeFixed32(input->data());
  input->remove_prefix(sizeof(*v));
  return true;
}
inline bool GetFixed64(Slice* input, uint64_t* v) {
  if (input->size() < sizeof(*v)) return false;  // (1)
  *v = DecodeFixed64(input->data());
  input->remove_prefix(sizeof(*v));
  return true;
}

inline void PutLengthPrefixedSlice(std::string* dst, const Slice& value) {
  PutVarint32(dst, static_cast<uint32_t>(value.size()));
  dst->append(value.data(), value.size());
}
inline bool GetLengthPrefixedSlice(Slice* input, Slice* result) {
  Slice rest = *input;
  uint32_t size = 0;
  if (!GetVarint32(&rest, &size) || rest.size() < size) return false;
  *result = Slice(rest.data(), size);
  rest.remove_prefix(size);
  *input = rest;
  return true;
}
// For memory of our own making (memtable entries), where the length is trusted.
inline Slice GetLengthPrefixedSlice(const char* data) {
  uint32_t size = 0;
  const char* p = GetVarint32Ptr(data, data + kVarint32SizeMax, &size);
  return Slice(p, size);
}

}  // namespace ROCKSDB_NAMESPACE::engine
