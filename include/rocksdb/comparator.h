// Comparator: the total order of keys.
//
// Place. ColumnFamilyOptions::comparator, fixed for the life of a column
// family: its name is in the MANIFEST and in every table, and opening with
// another name fails.
//
// Threads. Every method is called from many threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct ConfigOptions;

class CompareInterface {
 public:
  virtual ~CompareInterface() = default;

  // Less than, equal to or greater than 0.
  virtual int Compare(const Slice& a, const Slice& b) const = 0;
};

class Comparator : public Customizable, public CompareInterface {
 public:
  Comparator() = default;
  // `ts_sz`: bytes of a user timestamp at the end of every key.
  Comparator(size_t ts_sz) : timestamp_size_(ts_sz) {}
  Comparator(const Comparator&) = default;
  Comparator& operator=(const Comparator&) = default;
  ~Comparator() override = default;

  // The built-in comparator of that name or id.
  static Status CreateFromString(const ConfigOptions& opts,
                                 const std::string& id,
                                 const Comparator** comp);
  static const char* Type() { return "Comparator"; }

  const char* Name() const override = 0;

  virtual bool Equal(const Slice& a, const Slice& b) const {
    return Compare(a, b) == 0;
  }

  // May shorten *start to a key in [*start, limit): index keys get smaller.
  // Doing nothing is correct.
  virtual void FindShortestSeparator(std::string* start,
                                     const Slice& limit) const = 0;

  // May shorten *key to a key >= *key. Doing nothing is correct.
  virtual void FindShortSuccessor(std::string* key) const = 0;

  // May return true only if `t` is the smallest key above `s` among keys of
  // their common length.
  virtual bool IsSameLengthImmediateSuccessor(const Slice& /*s*/,
                                              const Slice& /*t*/) const {
    return false;
  }

  // False only if keys that compare equal have equal bytes: needed for hash
  // indexes inside data blocks.
  virtual bool CanKeysWithDifferentByteContentsBeEqual() const { return true; }

  // The comparator under a wrapper.
  virtual const Comparator* GetRootComparator() const { return this; }

  // User timestamps. 0: the comparator has none.
  size_t timestamp_size() const { return timestamp_size_; }
  virtual Slice GetMaxTimestamp() const { return Slice(); }
  virtual Slice GetMinTimestamp() const { return Slice(); }
  virtual std::string TimestampToString(const Slice& /*timestamp*/) const {
    return "";
  }
  int CompareWithoutTimestamp(const Slice& a, const Slice& b) const {
    return CompareWithoutTimestamp(a, /*a_has_ts=*/true, b, /*b_has_ts=*/true);
  }
  virtual int CompareTimestamp(const Slice& /*ts1*/,
                               const Slice& /*ts2*/) const {
    return 0;
  }
  virtual int CompareWithoutTimestamp(const Slice& a, bool /*a_has_ts*/,
                                      const Slice& b, bool /*b_has_ts*/) const {
    return Compare(a, b);
  }
  virtual bool EqualWithoutTimestamp(const Slice& a, const Slice& b) const {
    return CompareWithoutTimestamp(a, true, b, true) == 0;
  }

 private:
  size_t timestamp_size_ = 0;
};

// Unsigned bytes, lexicographic: the default.
const Comparator* BytewiseComparator();

// The same order backwards.
const Comparator* ReverseBytewiseComparator();

// Keys that end with a user timestamp of 8 bytes, a little-endian number: the
// key without it in the order of the comparators above, then the newest
// timestamp first.
const Comparator* BytewiseComparatorWithU64Ts();
const Comparator* ReverseBytewiseComparatorWithU64Ts();

// Such timestamps as numbers. DecodeU64Ts: InvalidArgument unless `ts` has 8
// bytes. The bytes of EncodeU64Ts are in *ts_buf; MaxU64Ts and MinU64Ts never
// end.
Status DecodeU64Ts(const Slice& ts, uint64_t* int_ts);
Slice EncodeU64Ts(uint64_t ts, std::string* ts_buf);
Slice MaxU64Ts();
Slice MinU64Ts();

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
