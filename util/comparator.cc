// The built-in comparators.

#include "rocksdb/comparator.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace ROCKSDB_NAMESPACE {

namespace {

uint8_t ByteAt(const Slice& s, size_t i) { return static_cast<uint8_t>(s[i]); }

// Unsigned bytes; a proper prefix comes first.
class BytewiseComparatorImpl final : public Comparator {
 public:
  const char* Name() const override { return "leveldb.BytewiseComparator"; }

  int Compare(const Slice& a, const Slice& b) const override {
    return a.compare(b);
  }
  bool Equal(const Slice& a, const Slice& b) const override { return a == b; }
  int CompareWithoutTimestamp(const Slice& a, bool /*a_has_ts*/, const Slice& b,
                              bool /*b_has_ts*/) const override {
    return a.compare(b);
  }
  bool EqualWithoutTimestamp(const Slice& a, const Slice& b) const override {
    return a == b;
  }
  bool CanKeysWithDifferentByteContentsBeEqual() const override {
    return false;
  }

  // Increments one byte of *start and cuts after it: the first differing one
  // if that stays below `limit`, otherwise the next that is not 0xff.
  void FindShortestSeparator(std::string* start,
                             const Slice& limit) const override {
    const size_t common = std::min(start->size(), limit.size());
    const size_t diff = Slice(*start).difference_offset(limit);
    if (diff >= common) return;  // One is a prefix of the other.

    const uint8_t start_byte = ByteAt(*start, diff);
    const uint8_t limit_byte = ByteAt(limit, diff);
    if (start_byte >= limit_byte) return;  // Not in order; nothing to gain.

    size_t cut = diff;
    if (diff + 1 == limit.size() && start_byte + 1 == limit_byte) {
      // start[diff] + 1 would be `limit` itself.
      cut++;
      while (cut < start->size() && ByteAt(*start, cut) == 0xff) cut++;
      if (cut == start->size()) return;
    }
    (*start)[cut]++;
    start->resize(cut + 1);
    assert(Compare(*start, limit) < 0);
  }

  void FindShortSuccessor(std::string* key) const override {
    for (size_t i = 0; i < key->size(); i++) {
      if (ByteAt(*key, i) == 0xff) continue;
      (*key)[i]++;
      key->resize(i + 1);
      return;
    }
    // All bytes are 0xff (or there are none): no short successor.
  }

  // t is s plus one, read as a big-endian number.
  bool IsSameLengthImmediateSuccessor(const Slice& s,
                                      const Slice& t) const override {
    if (s.size() != t.size()) return false;
    const size_t diff = s.difference_offset(t);
    if (diff == s.size() || ByteAt(s, diff) == 0xff) return false;
    if (ByteAt(s, diff) + 1 != ByteAt(t, diff)) return false;
    for (size_t i = diff + 1; i < s.size(); i++) {
      if (ByteAt(s, i) != 0xff || ByteAt(t, i) != 0x00) return false;
    }
    return true;
  }
};

class ReverseBytewiseComparatorImpl final : public Comparator {
 public:
  const char* Name() const override {
    return "rocksdb.ReverseBytewiseComparator";
  }

  int Compare(const Slice& a, const Slice& b) const override {
    return b.compare(a);
  }
  bool Equal(const Slice& a, const Slice& b) const override { return a == b; }
  int CompareWithoutTimestamp(const Slice& a, bool /*a_has_ts*/, const Slice& b,
                              bool /*b_has_ts*/) const override {
    return b.compare(a);
  }
  bool EqualWithoutTimestamp(const Slice& a, const Slice& b) const override {
    return a == b;
  }
  bool CanKeysWithDifferentByteContentsBeEqual() const override {
    return false;
  }

  // A prefix sorts after its extensions here, so cutting *start after the first
  // differing byte moves it towards `limit` without reaching it.
  void FindShortestSeparator(std::string* start,
                             const Slice& limit) const override {
    const size_t common = std::min(start->size(), limit.size());
    const size_t diff = Slice(*start).difference_offset(limit);
    if (diff >= common || diff + 1 == start->size()) return;
    if (ByteAt(*start, diff) <= ByteAt(limit, diff)) return;
    start->resize(diff + 1);
    assert(Compare(*start, limit) < 0);
  }

  // Shorter successors exist, but files written by others have none.
  void FindShortSuccessor(std::string* /*key*/) const override {}
};

}  // namespace

// Both are never destroyed: databases may outlive the statics of a program.

const Comparator* BytewiseComparator() {
  static const Comparator* const comparator = new BytewiseComparatorImpl;
  return comparator;
}

const Comparator* ReverseBytewiseComparator() {
  static const Comparator* const comparator = new ReverseBytewiseComparatorImpl;
  return comparator;
}

Status Comparator::CreateFromString(const ConfigOptions& /*opts*/,
                                    const std::string& id,
                                    const Comparator** comp) {
  for (const Comparator* known :
       {BytewiseComparator(), ReverseBytewiseComparator()}) {
    if (known->IsInstanceOf(id)) {
      *comp = known;
      return Status::OK();
    }
  }
  return Status::NotSupported("Could not load Comparator", id);
}

}  // namespace ROCKSDB_NAMESPACE
