// A vector of a known most, without memory of its own.
//
// Place. Objects that live on the stack of one call: what is not used is
// neither made nor touched, unlike an array of as many.

#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

template <typename T, size_t kMax>
class FixedVector {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): not used yet.
  FixedVector() {}
  ~FixedVector() { std::destroy_n(data(), size_); }
  FixedVector(const FixedVector&) = delete;
  FixedVector& operator=(const FixedVector&) = delete;

  template <typename... Args>
  T& emplace_back(Args&&... args) {
    assert(size_ < kMax);
    T* const made =
        ::new (space_ + size_ * sizeof(T)) T(std::forward<Args>(args)...);
    ++size_;
    return *made;
  }
  // More of them, made by default.
  void grow_to(size_t size) {
    assert(size_ <= size && size <= kMax);
    std::uninitialized_value_construct_n(data() + size_, size - size_);
    size_ = size;
  }

  size_t size() const { return size_; }
  T* data() { return std::launder(reinterpret_cast<T*>(space_)); }
  const T* data() const {
    return std::launder(reinterpret_cast<const T*>(space_));
  }
  T& operator[](size_t i) {
    assert(i < size_);
    return data()[i];
  }
  const T& operator[](size_t i) const {
    assert(i < size_);
    return data()[i];
  }
  T* begin() { return data(); }
  T* end() { return data() + size_; }

 private:
  size_t size_ = 0;
  alignas(T) std::byte space_[kMax * sizeof(T)];
};

}  // namespace ROCKSDB_NAMESPACE::engine
