// AlignedBuffer: memory whose address and size suit direct I/O.
//
// Place. Used by the file writer and reader, and by other code that hands
// memory to a file opened with O_DIRECT.
// Model. A run of bytes [0, size) in an allocation of `capacity` bytes; both
// the address and the capacity are multiples of `alignment` (a power of two).
// Threads. One owner.

#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

constexpr uint64_t AlignDown(uint64_t value, uint64_t alignment) {
  assert(alignment > 0 && (alignment & (alignment - 1)) == 0);
  return value & ~(alignment - 1);
}

constexpr uint64_t AlignUp(uint64_t value, uint64_t alignment) {
  return AlignDown(value + alignment - 1, alignment);
}

class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  AlignedBuffer(size_t alignment, size_t capacity) {
    Reset(alignment, capacity);
  }
  ~AlignedBuffer() { Release(); }

  AlignedBuffer(const AlignedBuffer&) = delete;
  AlignedBuffer& operator=(const AlignedBuffer&) = delete;
  AlignedBuffer(AlignedBuffer&& other) noexcept { *this = std::move(other); }
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    std::swap(alignment_, other.alignment_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }

  // Drops the content and makes room for at least `capacity` bytes. An
  // allocation that is already good enough is kept.
  void Reset(size_t alignment, size_t capacity) {
    assert(alignment > 0 && (alignment & (alignment - 1)) == 0);
    size_ = 0;
    if (alignment == alignment_ && capacity <= capacity_) return;
    Release();
    alignment_ = alignment;
    capacity_ = AlignUp(capacity, alignment);
    data_ = Allocate();
    assert(reinterpret_cast<uintptr_t>(data_) % alignment_ == 0);
  }

  // Makes room for `capacity` bytes and keeps the content.
  void Grow(size_t capacity) {
    if (capacity <= capacity_) return;
    AlignedBuffer bigger(alignment_, capacity);
    bigger.Append(data_, size_);
    *this = std::move(bigger);
  }

  char* data() { return data_; }
  const char* data() const { return data_; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  size_t room() const { return capacity_ - size_; }
  size_t alignment() const { return alignment_; }

  // For bytes that were read straight into data().
  void set_size(size_t size) {
    assert(size <= capacity_);
    size_ = size;
  }

  void Append(const char* bytes, size_t n) {
    assert(n <= room());
    if (n > 0) memcpy(data_ + size_, bytes, n);
    size_ += n;
  }

  void AppendFill(char value, size_t n) {
    assert(n <= room());
    if (n > 0) memset(data_ + size_, value, n);
    size_ += n;
  }

  // Removes the first `n` bytes; what follows moves to the front.
  void DropFront(size_t n) {
    assert(n <= size_);
    if (n > 0 && n < size_) memmove(data_, data_ + n, size_ - n);
    size_ -= n;
  }

  void Clear() { size_ = 0; }

 private:
  // Never less than a cache line, however little the file asks for.
  std::align_val_t address_alignment() const {
    return std::align_val_t(alignment_ < 64 ? 64 : alignment_);
  }
  char* Allocate() const {
    if (capacity_ == 0) return nullptr;
    return static_cast<char*>(::operator new(capacity_, address_alignment()));
  }
  void Release() {
    if (data_ != nullptr) ::operator delete(data_, address_alignment());
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

  size_t alignment_ = 1;
  char* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
