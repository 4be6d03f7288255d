// User timestamps: bytes at the end of every user key of a family whose
// comparator has a timestamp size.
//
// Place. Next to internal keys. Bytes: key | timestamp | trailer
//
// Invariant: a newer timestamp sorts first among those of one key, so that
// key ++ MaxTimestampOf() comes before all versions of the key and key ++
// MinTimestampOf() is the last.

#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::engine {

// Both: `size` is the comparator's timestamp_size(). A damaged key may be too
// short: it has no key and what timestamp there is.
inline Slice StripTimestamp(const Slice& user_key, size_t size) {
  return {user_key.data(), user_key.size() - std::min(size, user_key.size())};
}
inline Slice TimestampOf(const Slice& user_key, size_t size) {
  const size_t bytes = std::min(size, user_key.size());
  return {user_key.data() + user_key.size() - bytes, bytes};
}

// The oldest one is all zero bytes in every comparator.
inline std::string MinTimestampOf(const Comparator& comparator) {
  return std::string(comparator.timestamp_size(), '\0');
}
inline std::string MaxTimestampOf(const Comparator& comparator) {
  const Slice given = comparator.GetMaxTimestamp();
  return given.size() == comparator.timestamp_size()
             ? given.ToString()
             : std::string(comparator.timestamp_size(), '\xff');
}

// The key of `user_key` with another timestamp.
inline std::string WithTimestamp(const Slice& user_key,
                                 const Slice& timestamp) {
  std::string key = StripTimestamp(user_key, timestamp.size()).ToString();
  key.append(timestamp.data(), timestamp.size());
  return key;
}

// The ends of a range of keys as tables have them: with timestamps, around all
// versions of the keys, which are given without.
class VersionsOfRange {
 public:
  VersionsOfRange(const Comparator& order, const Slice* begin,
                  const Slice* end) {
    if (begin != nullptr) first_ = begin->ToString() + MaxTimestampOf(order);
    if (end != nullptr) last_ = end->ToString() + MinTimestampOf(order);
    if (begin != nullptr) begin_ = first_;
    if (end != nullptr) end_ = last_;
  }
  VersionsOfRange(const VersionsOfRange&) = delete;
  VersionsOfRange& operator=(const VersionsOfRange&) = delete;
  // Null: open.
  const Slice* begin() const { return begin_ ? &*begin_ : nullptr; }
  const Slice* end() const { return end_ ? &*end_ : nullptr; }

 private:
  std::string first_;
  std::string last_;
  std::optional<Slice> begin_;
  std::optional<Slice> end_;
};

// In front of all versions of the key; the key itself without timestamps.
inline std::string BeforeVersions(const Slice& user_key,
                                  const Comparator& comparator) {
  if (comparator.timestamp_size() == 0) return user_key.ToString();
  return WithTimestamp(user_key, MaxTimestampOf(comparator));
}

}  // namespace ROCKSDB_NAMESPACE::engine
