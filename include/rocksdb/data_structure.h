// SmallEnumSet: a set of enumerators below 64, in one word.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

template <typename ENUM_TYPE, ENUM_TYPE MAX_VALUE>
class SmallEnumSet {
 public:
  static_assert(static_cast<uint64_t>(MAX_VALUE) <= 63, "one word holds 64");

  SmallEnumSet() = default;
  template <typename... Rest>
  SmallEnumSet(ENUM_TYPE first, Rest... rest) {  // NOLINT: { a, b } is a set
    Add(first);
    (Add(rest), ...);
  }

  static SmallEnumSet All() {
    SmallEnumSet set;
    for (uint64_t i = 0; i <= static_cast<uint64_t>(MAX_VALUE); ++i) {
      set.Add(static_cast<ENUM_TYPE>(i));
    }
    return set;
  }

  bool operator==(const SmallEnumSet& other) const {
    return state_ == other.state_;
  }
  bool operator!=(const SmallEnumSet& other) const {
    return state_ != other.state_;
  }
  bool Contains(ENUM_TYPE value) const { return (state_ & Bit(value)) != 0; }
  bool empty() const { return state_ == 0; }
  void Clear() { state_ = 0; }

  // True if it was not there before.
  bool Add(ENUM_TYPE value) {
    const uint64_t before = state_;
    state_ |= Bit(value);
    return state_ != before;
  }
  // True if it was there before.
  bool Remove(ENUM_TYPE value) {
    const uint64_t before = state_;
    state_ &= ~Bit(value);
    return state_ != before;
  }
  SmallEnumSet With(ENUM_TYPE value) const {
    SmallEnumSet set = *this;
    set.Add(value);
    return set;
  }
  SmallEnumSet Without(ENUM_TYPE value) const {
    SmallEnumSet set = *this;
    set.Remove(value);
    return set;
  }

 private:
  static uint64_t Bit(ENUM_TYPE value) {
    assert(static_cast<uint64_t>(value) <= static_cast<uint64_t>(MAX_VALUE));
    return uint64_t{1} << static_cast<uint64_t>(value);
  }

  uint64_t state_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
