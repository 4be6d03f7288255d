// SliceTransform: maps a key to its prefix.
//
// Place. ColumnFamilyOptions::prefix_extractor: filters and hash indexes are
// built over prefixes. The name is stored in every table; files written with
// another one are read without their prefix filters.
//
// Invariants the engine relies on: for keys in the domain, Transform(key) is
// a prefix of the key, keys with equal prefixes are adjacent in comparator
// order, and Transform(Transform(key)) == Transform(key).
//
// Threads. Every method is called from many threads at once.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct ConfigOptions;

class SliceTransform : public Customizable {
 public:
  ~SliceTransform() override = default;

  const char* Name() const override = 0;
  static const char* Type() { return "SliceTransform"; }

  // From "rocksdb.FixedPrefix.<n>", "fixed:<n>", "rocksdb.CappedPrefix.<n>",
  // "capped:<n>" or "rocksdb.Noop". "" and "nullptr" give null.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::shared_ptr<const SliceTransform>* result);

  // The text CreateFromString() takes back.
  std::string AsString() const;

  // REQUIRES: InDomain(key).
  virtual Slice Transform(const Slice& key) const = 0;
  // Does the key have a prefix at all?
  virtual bool InDomain(const Slice& key) const = 0;

  // Never called; it exists because old programs override it.
  virtual bool InRange(const Slice& /*dst*/) const { return false; }

  // True and *len for a transform whose prefixes all have one length.
  virtual bool FullLengthEnabled(size_t* /*len*/) const { return false; }

  // True if Transform(prefix + anything) == Transform(prefix).
  virtual bool SameResultWhenAppended(const Slice& /*prefix*/) const {
    return false;
  }
};

// The first `prefix_len` bytes; shorter keys are out of the domain.
const SliceTransform* NewFixedPrefixTransform(size_t prefix_len);

// The first `cap_len` bytes, or the whole key if it is shorter.
const SliceTransform* NewCappedPrefixTransform(size_t cap_len);

// The whole key.
const SliceTransform* NewNoopTransform();

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
