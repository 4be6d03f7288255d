// Internal keys: a user key, a sequence number and what happened to it.
//
// Place. The lowest idea of the table layer: blocks, memtables and every
// iterator above them order entries by internal key.
//
// Bytes. user key ++ fixed64(sequence << 8 | type). Order: user key ascending
// by the column family's comparator, then the 64-bit trailer descending, so
// the newest entry of a user key comes first.
//
// Invariants:
//   (1) A stored internal key has at least kTrailerSize bytes.
//   (2) kTypeForSeek is not smaller than any stored type: a seek to
//       (key, sequence, kTypeForSeek) lands on the newest visible entry.

#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/slice.h"
#include "rocksdb/types.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

// The type byte of an entry. Values are on disk (SST and write batch) and
// never change.
enum class ValueType : uint8_t {
  kDeletion = 0x0,
  kValue = 0x1,
  kMerge = 0x2,
  kLogData = 0x3,               // batch only
  kColumnFamilyDeletion = 0x4,  // batch only
  kColumnFamilyValue = 0x5,     // batch only
  kColumnFamilyMerge = 0x6,     // batch only
  kSingleDeletion = 0x7,
  kColumnFamilySingleDeletion = 0x8,  // batch only
  kBeginPrepare = 0x9,                // batch only
  kEndPrepare = 0xA,                  // batch only
  kCommit = 0xB,                      // batch only
  kRollback = 0xC,                    // batch only
  kNoop = 0xD,                        // batch only
  kColumnFamilyRangeDeletion = 0xE,   // batch only
  kRangeDeletion = 0xF,
  kColumnFamilyBlobIndex = 0x10,  // batch only
  kBlobIndex = 0x11,
  kBeginPersistedPrepare = 0x12,  // batch only
  kBeginUnprepare = 0x13,         // batch only
  kDeletionWithTimestamp = 0x14,
  kCommitWithTimestamp = 0x15,  // batch only
  kWideColumnEntity = 0x16,
  kColumnFamilyWideColumnEntity = 0x17,  // batch only
  kValuePreferredSeqno = 0x18,
  kColumnFamilyValuePreferredSeqno = 0x19,  // batch only
};

inline constexpr ValueType kTypeForSeek = ValueType::kValuePreferredSeqno;
inline constexpr ValueType kTypeForSeekForPrev = ValueType::kDeletion;
inline constexpr SequenceNumber kSequenceMax = (uint64_t{1} << 56) - 1;
inline constexpr size_t kTrailerSize = 8;

// An entity's columns may be in blob files.
inline bool MayPointAtBlobs(ValueType type) {
  return type == ValueType::kBlobIndex || type == ValueType::kWideColumnEntity;
}

inline uint64_t PackSequenceAndType(SequenceNumber sequence, ValueType type) {
  assert(sequence <= kSequenceMax);
  return (sequence << 8) | static_cast<uint8_t>(type);
}

inline Slice ExtractUserKey(const Slice& internal_key) {
  assert(internal_key.size() >= kTrailerSize);  // (1)
  return {internal_key.data(), internal_key.size() - kTrailerSize};
}

inline uint64_t ExtractTrailer(const Slice& internal_key) {
  assert(internal_key.size() >= kTrailerSize);  // (1)
  return DecodeFixed64(internal_key.data() + internal_key.size() -
                       kTrailerSize);
}

inline SequenceNumber ExtractSequence(const Slice& internal_key) {
  return ExtractTrailer(internal_key) >> 8;
}

inline ValueType ExtractType(const Slice& internal_key) {
  return static_cast<ValueType>(ExtractTrailer(internal_key) & 0xff);
}

// The largest key of a file that ends in a range deletion: sorted before every
// entry of its user key, it is an exclusive bound.
inline constexpr uint64_t kRangeSentinelTrailer =
    (kSequenceMax << 8) | static_cast<uint8_t>(ValueType::kRangeDeletion);

inline bool IsRangeSentinel(const Slice& internal_key) {
  return ExtractTrailer(internal_key) == kRangeSentinelTrailer;
}

// True for the types a data block or a memtable may hold today.
bool IsStoredPointType(ValueType type);

struct ParsedInternalKey {
  Slice user_key;
  SequenceNumber sequence = 0;
  ValueType type = ValueType::kDeletion;

  ParsedInternalKey() = default;
  ParsedInternalKey(const Slice& key, SequenceNumber seq, ValueType t)
      : user_key(key), sequence(seq), type(t) {}
  std::string DebugString() const;  // 'key' seq:7, type:1
};

// False when `internal_key` is too short; the type is not judged here.
inline bool ParseInternalKey(const Slice& internal_key,
                             ParsedInternalKey* result) {
  if (internal_key.size() < kTrailerSize) return false;  // (1)
  const uint64_t trailer = ExtractTrailer(internal_key);
  result->user_key = ExtractUserKey(internal_key);
  result->sequence = trailer >> 8;
  result->type = static_cast<ValueType>(trailer & 0xff);
  return true;
}

inline void AppendInternalKey(std::string* dst, const Slice& user_key,
                              SequenceNumber sequence, ValueType type) {
  dst->append(user_key.data(), user_key.size());
  PutFixed64(dst, PackSequenceAndType(sequence, type));
}

// Owns the bytes of one internal key (file boundaries, cursors).
class InternalKey {
 public:
  InternalKey() = default;
  InternalKey(const Slice& user_key, SequenceNumber sequence, ValueType type) {
    AppendInternalKey(&rep_, user_key, sequence, type);
  }

  void DecodeFrom(const Slice& s) { rep_.assign(s.data(), s.size()); }
  bool Valid() const { return rep_.size() >= kTrailerSize; }
  void Clear() { rep_.clear(); }
  Slice Encode() const { return rep_; }
  Slice user_key() const { return ExtractUserKey(rep_); }
  std::string DebugString(bool hex = true) const;

 private:
  std::string rep_;
};

// Orders internal keys. Final and inline: the bytewise order, by far the most
// common, compares without a virtual call.
class InternalKeyComparator final {
 public:
  explicit InternalKeyComparator(const Comparator* user_comparator)
      : user_comparator_(user_comparator),
        timestamp_size_(user_comparator->timestamp_size()),
        bytewise_(user_comparator == BytewiseComparator()) {}

  const Comparator* user_comparator() const { return user_comparator_; }
  // If not, versions of one key may have user keys of different bytes.
  bool bytewise() const { return bytewise_; }

  int CompareUserKey(const Slice& a, const Slice& b) const {
    return bytewise_ ? a.compare(b) : user_comparator_->Compare(a, b);
  }

  // Of the user timestamps at the end of user keys; mostly 0.
  size_t timestamp_size() const { return timestamp_size_; }
  // User keys without their timestamps: 0 for versions of one key.
  int CompareKeys(const Slice& a, const Slice& b) const {
    return timestamp_size_ == 0
               ? CompareUserKey(a, b)
               : user_comparator_->CompareWithoutTimestamp(a, b);
  }
  // Two versions of one key? Keys of different bytes may be equal.
  bool SameKey(const Slice& a, const Slice& b) const {
    return bytewise_ ? a == b : CompareKeys(a, b) == 0;
  }

  int Compare(const Slice& a, const Slice& b) const {
    const int order = CompareUserKey(ExtractUserKey(a), ExtractUserKey(b));
    if (order != 0) return order;
    const uint64_t ta = ExtractTrailer(a);
    const uint64_t tb = ExtractTrailer(b);
    return ta > tb ? -1 : (ta < tb ? +1 : 0);
  }
  int Compare(const InternalKey& a, const InternalKey& b) const {
    return Compare(a.Encode(), b.Encode());
  }

 private:
  const Comparator* user_comparator_;
  size_t timestamp_size_;
  bool bytewise_;
};

// The key a point lookup searches for: memtables and tables take the internal
// key, users the user key. One buffer serves both.
class LookupKey {
 public:
  LookupKey(const Slice& user_key, SequenceNumber sequence) {
    size_ = user_key.size() + kTrailerSize;
    start_ = size_ <= sizeof(space_) ? space_ : (heap_ = new char[size_]);
    std::memcpy(start_, user_key.data(), user_key.size());
    EncodeFixed64(start_ + user_key.size(),
                  PackSequenceAndType(sequence, kTypeForSeek));
  }
  ~LookupKey() { delete[] heap_; }
  LookupKey(const LookupKey&) = delete;
  LookupKey& operator=(const LookupKey&) = delete;

  Slice internal_key() const { return {start_, size_}; }
  Slice user_key() const { return {start_, size_ - kTrailerSize}; }

 private:
  size_t size_;
  char* start_;
  char* heap_ = nullptr;
  char space_[200];  // Longer keys go to the heap.
};

}  // namespace ROCKSDB_NAMESPACE::engine
