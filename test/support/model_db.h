// ModelDb: what a database is supposed to hold.
//
// Place. Model tests do everything twice, to a database and to this, and
// compare. It knows no files, no flushes and no compactions: those must not
// change what is read.
// Model. A sorted map per column family. A snapshot is a copy.
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/iterator.h"
#include "rocksdb/rocksdb_namespace.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::test {

class ModelDb {
 public:
  using Rows = std::map<std::string, std::string>;
  using State = std::map<std::string, Rows>;  // By family.
  enum class Merging { kAppend, kAdd };       // stringappend, uint64add

  void CreateFamily(const std::string& family, Merging merging) {
    state_[family];
    merging_[family] = merging;
  }
  void DropFamily(const std::string& family) { state_.erase(family); }

  void Put(const std::string& family, const std::string& key,
           const std::string& value) {
    state_.at(family)[key] = value;
  }
  void Delete(const std::string& family, const std::string& key) {
    state_.at(family).erase(key);
  }
  // REQUIRES: begin <= end.
  void DeleteRange(const std::string& family, const std::string& begin,
                   const std::string& end) {
    Rows& rows = state_.at(family);
    rows.erase(rows.lower_bound(begin), rows.lower_bound(end));
  }
  void Merge(const std::string& family, const std::string& key,
             const std::string& operand) {
    Rows& rows = state_.at(family);
    const auto it = rows.find(key);
    if (it == rows.end()) {
      rows[key] = operand;
    } else if (merging_.at(family) == Merging::kAppend) {
      it->second += "," + operand;
    } else {
      it->second = Number(engine::DecodeFixed64(it->second.data()) +
                          engine::DecodeFixed64(operand.data()));
    }
  }

  static std::string Number(uint64_t n) {
    std::string bytes;
    engine::PutFixed64(&bytes, n);
    return bytes;
  }

  bool Has(const std::string& family, const std::string& key) const {
    return state_.at(family).contains(key);
  }
  const Rows& rows(const std::string& family) const {
    return state_.at(family);
  }
  const State& state() const { return state_; }

 private:
  State state_;
  std::map<std::string, Merging> merging_;
};

// Everything an iterator shows going forward; its status must be looked at.
inline ModelDb::Rows ReadForward(Iterator* it) {
  ModelDb::Rows rows;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    rows[it->key().ToString()] = it->value().ToString();
  }
  return rows;
}

}  // namespace ROCKSDB_NAMESPACE::test
