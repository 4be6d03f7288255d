// The built-in comparators.

#include "rocksdb/comparator.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <string>

#include "util/coding.h"

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

constexpr size_t kU64TsBytes = sizeof(uint64_t);

// Keys of damaged files may be too short for a timestamp: it counts as 0.
uint64_t U64Of(const Slice& timestamp) {
  return timestamp.size() == kU64TsBytes
             ? engine::DecodeFixed64(timestamp.data())
             : 0;
}

// Shorter separators would need a timestamp of their own: there are none.
class U64TsComparator final : public Comparator {
 public:
  U64TsComparator(const Comparator* keys, const char* name)
      : Comparator(kU64TsBytes), keys_(*keys), name_(name) {}

  const char* Name() const override { return name_; }

  int Compare(const Slice& a, const Slice& b) const override {
    const int order = CompareWithoutTimestamp(a, true, b, true);
    if (order != 0) return order;
    return -CompareTimestamp(Timestamp(a), Timestamp(b));
  }
  using Comparator::CompareWithoutTimestamp;
  int CompareWithoutTimestamp(const Slice& a, bool a_has_ts, const Slice& b,
                              bool b_has_ts) const override {
    return keys_.Compare(a_has_ts ? Key(a) : a, b_has_ts ? Key(b) : b);
  }
  int CompareTimestamp(const Slice& ts1, const Slice& ts2) const override {
    const uint64_t a = U64Of(ts1);
    const uint64_t b = U64Of(ts2);
    return a < b ? -1 : (a > b ? 1 : 0);
  }
  Slice GetMaxTimestamp() const override { return MaxU64Ts(); }
  Slice GetMinTimestamp() const override { return MinU64Ts(); }
  std::string TimestampToString(const Slice& timestamp) const override {
    return std::to_string(U64Of(timestamp));
  }
  void FindShortestSeparator(std::string* /*start*/,
                             const Slice& /*limit*/) const override {}
  void FindShortSuccessor(std::string* /*key*/) const override {}
  bool CanKeysWithDifferentByteContentsBeEqual() const override {
    return false;
  }

 private:
  static Slice Key(const Slice& s) {
    return {s.data(), s.size() - std::min(s.size(), kU64TsBytes)};
  }
  static Slice Timestamp(const Slice& s) {
    if (s.size() < kU64TsBytes) return {};
    return {s.data() + s.size() - kU64TsBytes, kU64TsBytes};
  }

  const Comparator& keys_;
  const char* const name_;
};

}  // namespace

// They are never destroyed: databases may outlive the statics of a program.

const Comparator* BytewiseComparator() {
  static const Comparator* const comparator = new BytewiseComparatorImpl;
  return comparator;
}

const Comparator* ReverseBytewiseComparator() {
  static const Comparator* const comparator = new ReverseBytewiseComparatorImpl;
  return comparator;
}

const Comparator* BytewiseComparatorWithU64Ts() {
  static const Comparator* const comparator = new U64TsComparator(
      BytewiseComparator(), "leveldb.BytewiseComparator.u64ts");
  return comparator;
}

const Comparator* ReverseBytewiseComparatorWithU64Ts() {
  static const Comparator* const comparator = new U64TsComparator(
      ReverseBytewiseComparator(), "rocksdb.ReverseBytewiseComparator.u64ts");
  return comparator;
}

Status DecodeU64Ts(const Slice& ts, uint64_t* int_ts) {
  if (ts.size() != kU64TsBytes) {
    return Status::InvalidArgument("U64Ts timestamp: expected 8 bytes",
                                   "found " + std::to_string(ts.size()));
  }
  *int_ts = U64Of(ts);
  return Status::OK();
}

Slice EncodeU64Ts(uint64_t ts, std::string* ts_buf) {
  ts_buf->clear();
  engine::PutFixed64(ts_buf, ts);
  return *ts_buf;
}

Slice MaxU64Ts() {
  static constexpr char kMax[] = "\xff\xff\xff\xff\xff\xff\xff\xff";
  return {kMax, kU64TsBytes};
}

Slice MinU64Ts() {
  static constexpr char kMin[kU64TsBytes] = {};
  return {kMin, kU64TsBytes};
}

Status Comparator::CreateFromString(const ConfigOptions& /*opts*/,
                                    const std::string& id,
                                    const Comparator** comp) {
  for (const Comparator* known :
       {BytewiseComparator(), ReverseBytewiseComparator(),
        BytewiseComparatorWithU64Ts(), ReverseBytewiseComparatorWithU64Ts()}) {
    if (known->IsInstanceOf(id)) {
      *comp = known;
      return Status::OK();
    }
  }
  return Status::NotSupported("Could not load Comparator", id);
}

}  // namespace ROCKSDB_NAMESPACE
