// The keys and values of the benchmark: functions of a number and a seed, so
// that both libraries store and look for exactly the same.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace peer_bench {

inline uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// A stream of numbers below a bound.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(Mix(seed)) {}
  uint64_t Below(uint64_t bound) {
    state_ += 0x9e3779b97f4a7c15u;
    // The high half of a product instead of a division.
    return static_cast<uint64_t>(
        (static_cast<unsigned __int128>(Mix(state_)) * bound) >> 64);
  }

 private:
  uint64_t state_;
};

// 16 bytes that sort like their number, as db_bench makes them; a 17th makes a
// key that sorts right behind it and is in no database.
class Key {
 public:
  static constexpr size_t kSize = 16;

  explicit Key(uint64_t number = 0) {
    std::memset(bytes_, '0', sizeof(bytes_));
    bytes_[kSize] = '.';
    Set(number);
  }
  void Set(uint64_t number) {
    for (int i = 7; i >= 0; --i) {
      bytes_[i] = static_cast<char>(number & 0xff);
      number >>= 8;
    }
  }
  const char* data() const { return bytes_; }

 private:
  char bytes_[kSize + 1];
};

// Values are windows of one random buffer: cheap to make, and random enough.
class Values {
 public:
  explicit Values(size_t size) : size_(size), buffer_(kWindow + size, '\0') {
    Random random(301);
    for (char& c : buffer_) c = static_cast<char>(' ' + random.Below(95));
  }
  const char* Of(uint64_t number) const {
    return buffer_.data() + Mix(number) % kWindow;
  }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kWindow = 1 << 20;
  const size_t size_;
  std::string buffer_;
};

// What was read, in any order: a sum. Inside a measured loop only the length
// and both ends of a value are looked at, so that the checking costs little;
// whole values are compared once, outside.
inline uint64_t Glance(const char* value, size_t size) {
  uint64_t first = 0, last = 0;
  if (size >= 8) {
    std::memcpy(&first, value, 8);
    std::memcpy(&last, value + size - 8, 8);
  }
  return (first ^ (last << 1) ^ size) * 0x9e3779b97f4a7c15u;
}

inline uint64_t HashAll(const char* value, size_t size) {
  uint64_t hash = size;
  for (size_t i = 0; i < size; ++i) {
    hash = (hash ^ static_cast<unsigned char>(value[i])) * 0x100000001b3u;
  }
  return hash;
}

// A permutation of [0, count): a Feistel network over the next power of four,
// walked until it falls inside.
class Permutation {
 public:
  explicit Permutation(uint64_t count) : count_(count) {
    while ((uint64_t{1} << (2 * half_bits_)) < count_) ++half_bits_;
  }
  uint64_t operator()(uint64_t i) const {
    do {
      i = Once(i);
    } while (i >= count_);
    return i;
  }

 private:
  uint64_t Once(uint64_t i) const {
    const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
    uint64_t left = i >> half_bits_, right = i & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      const uint64_t next = left ^ (Mix(right + (round << 56)) & mask);
      left = right;
      right = next;
    }
    return (left << half_bits_) | right;
  }

  const uint64_t count_;
  uint64_t half_bits_ = 1;
};

}  // namespace peer_bench
