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
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::bench {

// Most significant byte first.
inline void StoreNumber(uint64_t number, char* out, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    out[i] = static_cast<char>(number >> ((size - 1 - i) * 8));
  }
}
inline uint64_t LoadNumber(const char* in) {
  uint64_t number = 0;
  for (size_t i = 0; i < 8; ++i) {
    number = number << 8 | static_cast<unsigned char>(in[i]);
  }
  return number;
}

struct KeyShape {
  size_t key_size = 16;
  size_t prefix_size = 0;
  uint64_t keys_per_prefix = 0;
  uint64_t num = 1000000;
  // Not null: the keys, which have neither size nor prefix of these.
  const std::vector<std::string>* existing = nullptr;
};

class KeyMaker {
 public:
  explicit KeyMaker(const KeyShape& shape)
      : shape_(shape), key_(shape.key_size, '0') {}

  // Valid until the next call.
  Slice Make(uint64_t number) {
    if (shape_.existing != nullptr) {
      return Slice((*shape_.existing)[number % shape_.existing->size()]);
    }
    char* out = key_.data();
    size_t left = key_.size();
    if (shape_.keys_per_prefix > 0) {
      const uint64_t prefixes =
          std::max<uint64_t>(shape_.num / shape_.keys_per_prefix, 1);
      const size_t size = std::min(shape_.prefix_size, left);
      StoreNumber(number % prefixes, out, std::min<size_t>(size, 8));
      out += size;
      left -= size;
    }
    StoreNumber(number, out, std::min<size_t>(left, 8));
    return Slice(key_);
  }

 private:
  const KeyShape shape_;
  std::string key_;
};

// The shortest key that holds two numbers.
inline constexpr size_t kPairKeyBytes = 16;

// Keys of two numbers, filled with '0' up to the key size, which is at least
// kPairKeyBytes.
class PairKeyMaker {
 public:
  explicit PairKeyMaker(size_t key_size) : key_(key_size, '0') {}

  // Valid until the next call.
  Slice Make(uint64_t first, uint64_t second) {
    StoreNumber(first, key_.data(), 8);
    StoreNumber(second, key_.data() + 8, 8);
    return Slice(key_);
  }

 private:
  std::string key_;
};

// How long values are.
struct ValueSizes {
  enum Kind { kFixed, kUniform, kNormal };

  Kind kind = kFixed;
  size_t fixed = 100;
  size_t min = 0;  // And max: of the other kinds.
  size_t max = 0;

  size_t Largest() const { return kind == kFixed ? fixed : max; }
  size_t Draw(engine::Random64* random) const {
    if (kind == kFixed) return fixed;
    if (kind == kUniform) {
      return min + static_cast<size_t>(random->Uniform(max - min + 1));
    }
    // Of a normal distribution 997 in 1000 are within three deviations.
    const auto low = static_cast<double>(min);
    const auto high = static_cast<double>(max);
    std::normal_distribution<double> normal((low + high) / 2,
                                            std::max(high - low, 1.0) / 6);
    return static_cast<size_t>(std::clamp(normal(*random), low, high));
  }
};

struct ValueShape {
  ValueSizes sizes;
  double compression_ratio = 0.5;
  uint64_t same_percent = 0;  // Of the values; these are equal.
};

// What ValueMaker can give whatever the sizes are.
inline constexpr size_t kValueBytesMax = size_t{1} << 20;

class ValueMaker {
 public:
  ValueMaker(const ValueShape& shape, uint64_t seed)
      : shape_(shape), random_(seed) {
    const size_t size = std::max(kValueBytesMax, shape.sizes.Largest());
    text_.reserve(size + kPiece);
    while (text_.size() < size) AppendPiece(shape.compression_ratio, &random_);
  }

  // Valid as long as this object.
  Slice Make() {
    const size_t size = shape_.sizes.Draw(&random_);
    if (shape_.same_percent > 0 && random_.Uniform(100) < shape_.same_percent) {
      return {text_.data(), size};
    }
    return Make(size);
  }
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

  const ValueShape shape_;
  engine::Random64 random_;
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

  // Of a unique random order: with this probability a key is one of the last
  // `window` ones again.
  void SetOverwrites(double probability, uint64_t window) {
    overwrite_probability_ = probability;
    overwrite_window_ = std::max<uint64_t>(window, 1);
  }

  uint64_t Next() {
    switch (kind_) {
      case kSequential:
        return next_++;
      case kUniqueRandom:
        if (overwrite_probability_ > 0 && next_ > 0 &&
            random_->NextDouble() < overwrite_probability_) {
          const uint64_t back =
              1 + random_->Uniform(std::min(overwrite_window_, next_));
          return permutation_[(next_ - back) % num_];
        }
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
  double overwrite_probability_ = 0;
  uint64_t overwrite_window_ = 1;
};

// The order in which random reads visit the keys: all alike, or, if `range` is
// above 0, num * exp(-r) with r uniform below it, so that some are read more
// often. Those are scattered over all keys.
class ReadOrder {
 public:
  ReadOrder(uint64_t num, double range, engine::Random64* random)
      : num_(std::max<uint64_t>(num, 1)), range_(range), random_(random) {}

  uint64_t Next() {
    if (range_ <= 0) return random_->Uniform(num_);
    const double share = std::exp(-random_->NextDouble() * range_);
    auto rank = static_cast<uint64_t>(static_cast<double>(num_) * share);
    return engine::SplitMix64(&rank) % num_;
  }

 private:
  const uint64_t num_;
  const double range_;
  engine::Random64* const random_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
