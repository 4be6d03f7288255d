// Slice: a pointer and a length into bytes that it does not own.
//
// Place. Keys and values are passed as slices everywhere. A PinnableSlice can
// also own its bytes, or pin the memory that holds them; an OptSlice may be
// absent (an unbounded end of a range).
//
// Invariants: data_ is never null unless the maker passed null with size 0;
// the bytes may contain zeros and are not terminated.
//
// Threads. A value: const use from many threads is fine.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "rocksdb/cleanable.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Slice {
 public:
  Slice() : data_(""), size_(0) {}
  Slice(const char* d, size_t n) : data_(d), size_(n) {}
  // The conversions are implicit: a string, a literal or a view can be passed
  // as a Slice.
  Slice(const std::string& s) : data_(s.data()), size_(s.size()) {}
  Slice(const std::string_view& sv) : data_(sv.data()), size_(sv.size()) {}
  Slice(const char* s) : data_(s), size_(s == nullptr ? 0 : strlen(s)) {}
  // The concatenation of `parts`, stored in `*buf`, which must outlive this.
  Slice(const struct SliceParts& parts, std::string* buf);

  const char* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  char operator[](size_t n) const {
    assert(n < size_);
    return data_[n];
  }

  // Makes this the empty slice; the bytes stay where they are.
  void clear() {
    data_ = "";
    size_ = 0;
  }
  // Both drop bytes from one end. REQUIRES: n <= size().
  void remove_prefix(size_t n) {
    assert(n <= size_);
    data_ += n;
    size_ -= n;
  }
  void remove_suffix(size_t n) {
    assert(n <= size_);
    size_ -= n;
  }

  // A copy of the bytes; with `hex`, two upper-case digits a byte.
  std::string ToString(bool hex = false) const;
  std::string_view ToStringView() const { return {data_, size_}; }
  // The inverse of ToString(true). False (and no promise about *result) if
  // this is not an even number of hexadecimal digits.
  bool DecodeHex(std::string* result) const;

  // Less than, equal to or greater than 0, by unsigned bytes; a proper
  // prefix comes first.
  int compare(const Slice& b) const {
    assert(data_ != nullptr && b.data_ != nullptr);
    const size_t common = size_ < b.size_ ? size_ : b.size_;
    const int order = memcmp(data_, b.data_, common);
    if (order != 0) return order;
    if (size_ == b.size_) return 0;
    return size_ < b.size_ ? -1 : +1;
  }
  bool starts_with(const Slice& x) const {
    return size_ >= x.size_ && memcmp(data_, x.data_, x.size_) == 0;
  }
  bool ends_with(const Slice& x) const {
    return size_ >= x.size_ &&
           memcmp(data_ + size_ - x.size_, x.data_, x.size_) == 0;
  }
  // The index of the first byte that differs, or the shorter length.
  size_t difference_offset(const Slice& b) const {
    const size_t common = size_ < b.size_ ? size_ : b.size_;
    size_t offset = 0;
    while (offset < common && data_[offset] == b.data_[offset]) ++offset;
    return offset;
  }

  // Public as in RocksDB, where programs assign them.
  const char* data_;
  size_t size_;
};

// A Slice together with what keeps its bytes alive: either its own string, or
// pinned memory that the registered cleanups release.
class PinnableSlice : public Slice, public Cleanable {
 public:
  PinnableSlice() : buf_(&self_space_) {}
  // Copied values go to `*buf`, which must outlive this.
  explicit PinnableSlice(std::string* buf) : buf_(buf) {}
  PinnableSlice(PinnableSlice&& other) noexcept : buf_(&self_space_) {
    *this = static_cast<PinnableSlice&&>(other);
  }
  PinnableSlice& operator=(PinnableSlice&& other) noexcept;
  PinnableSlice(PinnableSlice&) = delete;
  PinnableSlice& operator=(PinnableSlice&) = delete;

  // Points at `s`; `f(arg1, arg2)` releases it. REQUIRES: not pinned.
  void PinSlice(const Slice& s, CleanupFunction f, void* arg1, void* arg2) {
    Point(s);
    RegisterCleanup(f, arg1, arg2);
  }
  // Points at `s` and takes over the cleanups of `cleanable` (may be null).
  void PinSlice(const Slice& s, Cleanable* cleanable) {
    Point(s);
    if (cleanable != nullptr) cleanable->DelegateCleanupsTo(this);
  }
  // Copies `slice` into the own string. REQUIRES: not pinned.
  void PinSelf(const Slice& slice) {
    buf_->assign(slice.data(), slice.size());
    PinSelf();
  }
  // Points at the string of GetSelf(). REQUIRES: not pinned.
  void PinSelf() {
    assert(!pinned_);
    data_ = buf_->data();
    size_ = buf_->size();
  }

  void remove_suffix(size_t n) {
    assert(n <= size_);
    if (pinned_) {
      size_ -= n;
    } else {
      buf_->erase(size_ - n, n);
      PinSelf();
    }
  }
  void remove_prefix(size_t n) {
    assert(n <= size_);
    if (pinned_) {
      data_ += n;
      size_ -= n;
    } else {
      buf_->erase(0, n);
      PinSelf();
    }
  }

  // Unpins and becomes empty; the own string keeps its memory for reuse.
  void Reset() {
    Cleanable::Reset();
    pinned_ = false;
    size_ = 0;
  }

  std::string* GetSelf() { return buf_; }
  bool IsPinned() const { return pinned_; }

 private:
  void Point(const Slice& s) {
    assert(!pinned_);
    pinned_ = true;
    data_ = s.data();
    size_ = s.size();
  }

  std::string self_space_;
  std::string* buf_;
  bool pinned_ = false;
};

inline PinnableSlice& PinnableSlice::operator=(PinnableSlice&& other) noexcept {
  if (this == &other) return *this;
  Cleanable::Reset();
  Cleanable::operator=(static_cast<Cleanable&&>(other));
  size_ = other.size_;
  pinned_ = other.pinned_;
  if (pinned_) {
    data_ = other.data_;
  } else {
    if (other.buf_ == &other.self_space_) {
      self_space_ = static_cast<std::string&&>(other.self_space_);
      buf_ = &self_space_;
    } else {
      buf_ = other.buf_;
    }
    data_ = buf_->data();
    size_ = size_ <= buf_->size() ? size_ : buf_->size();
  }
  other.self_space_.clear();
  other.buf_ = &other.self_space_;
  other.pinned_ = false;
  other.PinSelf();
  return *this;
}

// A Slice or nothing: an unbounded end of a range.
class OptSlice {
 public:
  OptSlice() : slice_(nullptr, SIZE_MAX) {}
  OptSlice(const Slice& s) : slice_(s) {}
  OptSlice(const std::string& s) : slice_(s) {}
  OptSlice(const std::string_view& s) : slice_(s) {}
  OptSlice(const char* s) : slice_(s) {}
  OptSlice(const char* d, size_t n) : slice_(d, n) {}
  // The older way to say "nothing": a null pointer.
  static OptSlice CopyFromPtr(const Slice* s) {
    return s != nullptr ? OptSlice(*s) : OptSlice();
  }

  bool has_value() const { return slice_.size() != SIZE_MAX; }
  explicit operator bool() const { return has_value(); }
  const Slice& value() const {
    assert(has_value());
    return slice_;
  }
  const Slice& operator*() const { return value(); }
  const Slice* operator->() const { return &value(); }
  // Null when there is no value.
  const Slice* AsPtr() const { return has_value() ? &slice_ : nullptr; }

 private:
  Slice slice_;
};

// Several slices to be read as one; the array is the caller's.
struct SliceParts {
  SliceParts(const Slice* _parts, int _num_parts)
      : parts(_parts), num_parts(_num_parts) {}
  SliceParts() : parts(nullptr), num_parts(0) {}

  const Slice* parts;
  int num_parts;
};

inline bool operator==(const Slice& x, const Slice& y) {
  return x.size() == y.size() && memcmp(x.data(), y.data(), x.size()) == 0;
}

inline bool operator!=(const Slice& x, const Slice& y) { return !(x == y); }

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
