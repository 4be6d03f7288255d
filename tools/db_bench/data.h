// Keys and values of the workloads.
//
// Model. A key is the number in 8 bytes, most significant first, filled with
// '0' up to the key size; with prefixes, a prefix of number modulo the number
// of prefixes stands before it. A value is a window that wanders over a
// megabyte of text which shrinks to the wanted part.
//
// Threads. Each thread has its own objects.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::bench {

struct KeyShape {
  size_t key_size = 16;
  size_t prefix_size = 0;
  uint64_t keys_per_prefix = 0;
  uint64_t num = 1000000;
};

class KeyMaker {
 public:
  explicit KeyMaker(const KeyShape& shape)
      : shape_(shape), key_(shape.key_size, '0') {}

  // Valid until the next call.
  Slice Make(uint64_t number) {
    char* out = key_.data();
    size_t left = key_.size();
    if (shape_.keys_per_prefix > 0) {
      const uint64_t prefixes =
          std::max<uint64_t>(shape_.num / shape_.keys_per_prefix, 1);
      const size_t size = std::min(shape_.prefix_size, left);
      Store(number % prefixes, out, std::min<size_t>(size, 8));
      out += size;
      left -= size;
    }
    Store(number, out, std::min<size_t>(left, 8));
    return Slice(key_);
  }

 private:
  static void Store(uint64_t number, char* out, size_t size) {
    for (size_t i = 0; i < size; ++i) {
      out[i] = static_cast<char>(number >> ((size - 1 - i) * 8));
    }
  }

  const KeyShape shape_;
  std::string key_;
};

class ValueMaker {
 public:
  ValueMaker(size_t value_size, double compression_ratio, uint64_t seed)
      : value_size_(value_size) {
    engine::Random64 random(seed);
    const size_t size = std::max<size_t>(1 << 20, value_size);
    text_.reserve(size + kPiece);
    while (text_.size() < size) AppendPiece(compression_ratio, &random);
  }

  // Valid as long as this object.
  Slice Make() { return Make(value_size_); }
  Slice Make(size_t size) {
    if (position_ + size > text_.size()) position_ = 0;
    position_ += size;
    return {text_.data() + position_ - size, size};
  }

 private:
  static constexpr size_t kPiece = 100;

  // 100 characters: a random part, repeated.
  void AppendPiece(double compression_ratio, engine::Random64* random) {
    const size_t fresh = std::clamp<size_t>(
        static_cast<size_t>(kPiece * compression_ratio), 1, kPiece);
    const size_t begin = text_.size();
    for (size_t i = 0; i < kPiece; ++i) {
      text_ += i < fresh ? static_cast<char>(' ' + random->Uniform(95))
                         : text_[begin + i % fresh];
    }
  }

  const size_t value_size_;
  std::string text_;
  size_t position_ = 0;
};

// The order in which a fill visits the keys.
class KeyOrder {
 public:
  enum Kind { kSequential, kRandom, kUniqueRandom };

  KeyOrder(Kind kind, uint64_t num, engine::Random64* random)
      : kind_(kind), num_(std::max<uint64_t>(num, 1)), random_(random) {
    if (kind != kUniqueRandom) return;
    permutation_.resize(num_);
    for (uint64_t i = 0; i < num_; ++i) permutation_[i] = i;
    std::shuffle(permutation_.begin(), permutation_.end(), *random_);
  }

  uint64_t Next() {
    switch (kind_) {
      case kSequential:
        return next_++;
      case kUniqueRandom:
        return permutation_[next_++ % num_];
      case kRandom:
        break;
    }
    return random_->Uniform(num_);
  }

 private:
  const Kind kind_;
  const uint64_t num_;
  engine::Random64* const random_;
  uint64_t next_ = 0;
  std::vector<uint64_t> permutation_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
