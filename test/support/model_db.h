// ModelDb: what a database is supposed to hold.
//
// Place. Model tests do everything twice, to a database and to this, and
// compare. It knows no files, no flushes and no compactions: those must not
// change what is read.
// Model. A sorted map per column family. A snapshot is a copy. The row of an
// entity is text that holds its columns: EntityRow() makes it, ColumnsOf() and
// DefaultColumn() read any row. Rows are in the bytes' order; a family whose
// comparator reverses it says so, and ranges begin and end by that.
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "rocksdb/iterator.h"
#include "rocksdb/rocksdb_namespace.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::test {

class ModelDb {
 public:
  using Rows = std::map<std::string, std::string>;
  using State = std::map<std::string, Rows>;  // By family.
  using Columns = std::map<std::string, std::string>;
  enum class Merging { kAppend, kAdd };  // stringappend, uint64add

  void CreateFamily(const std::string& family, Merging merging,
                    bool reversed = false) {
    state_[family];
    merging_[family] = merging;
    if (reversed) reversed_.insert(family);
  }
  void CopyFamily(const std::string& from, const std::string& to) {
    CreateFamily(to, merging_.at(from), reversed_.contains(from));
    state_[to] = state_.at(from);
  }
  void DropFamily(const std::string& family) {
    state_.erase(family);
    reversed_.erase(family);
  }

  void Put(const std::string& family, const std::string& key,
           const std::string& value) {
    state_.at(family)[key] = value;
  }
  void PutEntity(const std::string& family, const std::string& key,
                 const Columns& columns) {
    state_.at(family)[key] = EntityRow(columns);
  }
  void Delete(const std::string& family, const std::string& key) {
    state_.at(family).erase(key);
  }
  // REQUIRES: begin does not come after end.
  void DeleteRange(const std::string& family, const std::string& begin,
                   const std::string& end) {
    Rows& rows = state_.at(family);
    if (reversed_.contains(family)) {
      rows.erase(rows.upper_bound(end), rows.upper_bound(begin));
    } else {
      rows.erase(rows.lower_bound(begin), rows.lower_bound(end));
    }
  }
  // All but [begin, end) is deleted.
  void Clip(const std::string& family, const std::string& begin,
            const std::string& end) {
    Rows kept = state_.at(family);
    DeleteRange(family, begin, end);
    for (const auto& [key, row] : state_.at(family)) kept.erase(key);
    state_.at(family) = std::move(kept);
  }
  // An entity's default column is merged, the others stay.
  void Merge(const std::string& family, const std::string& key,
             const std::string& operand) {
    Rows& rows = state_.at(family);
    const auto it = rows.find(key);
    if (it == rows.end()) {
      rows[key] = operand;
    } else if (IsEntity(it->second)) {
      Columns columns = ColumnsOf(it->second);
      columns[""] = Merged(family, columns[""], operand);
      it->second = EntityRow(columns);
    } else {
      it->second = Merged(family, it->second, operand);
    }
  }

  static std::string Number(uint64_t n) {
    std::string bytes;
    engine::PutFixed64(&bytes, n);
    return bytes;
  }

  static bool IsEntity(const std::string& row) {
    return row.starts_with(kMark);
  }
  static std::string EntityRow(const Columns& columns) {
    std::string row = kMark;
    for (const auto& [name, value] : columns) {
      engine::PutLengthPrefixedSlice(&row, name);
      engine::PutLengthPrefixedSlice(&row, value);
    }
    return row;
  }
  static Columns ColumnsOf(const std::string& row) {
    if (!IsEntity(row)) return {{"", row}};
    Columns columns;
    Slice rest(row);
    rest.remove_prefix(sizeof(kMark) - 1);
    Slice name;
    Slice value;
    while (engine::GetLengthPrefixedSlice(&rest, &name) &&
           engine::GetLengthPrefixedSlice(&rest, &value)) {
      columns[name.ToString()] = value.ToString();
    }
    return columns;
  }
  // What Get() answers: empty where an entity has no default column.
  static std::string DefaultColumn(const std::string& row) {
    return IsEntity(row) ? ColumnsOf(row)[""] : row;
  }

  bool Has(const std::string& family, const std::string& key) const {
    return state_.at(family).contains(key);
  }
  const Rows& rows(const std::string& family) const {
    return state_.at(family);
  }
  const State& state() const { return state_; }
  bool reversed(const std::string& family) const {
    return reversed_.contains(family);
  }
  Merging merging(const std::string& family) const {
    return merging_.at(family);
  }

 private:
  // No value of a test begins like this.
  static constexpr char kMark[] = "\x01entity\x02";

  std::string Merged(const std::string& family, const std::string& value,
                     const std::string& operand) const {
    if (merging_.at(family) == Merging::kAppend) return value + "," + operand;
    return Number(engine::DecodeFixed64(value.data()) +
                  engine::DecodeFixed64(operand.data()));
  }

  State state_;
  std::map<std::string, Merging> merging_;
  std::set<std::string> reversed_;
};

// "a=1 b=2": what an iterator shows, both ways; a difference becomes part of
// the answer, and so does an error. row(it): the text of where it stands.
template <typename Row>
std::string RowsBothWays(Iterator* it, const Row& row) {
  std::string forward;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    forward += (forward.empty() ? "" : " ") + row(*it);
  }
  std::string backward;
  for (it->SeekToLast(); it->Valid(); it->Prev()) {
    backward = row(*it) + (backward.empty() ? "" : " ") + backward;
  }
  if (!it->status().ok()) return it->status().ToString();
  return forward == backward ? forward : forward + " BACK " + backward;
}

enum class Moving {
  kNext,  // From a row only; so is kPrev.
  kPrev,
  kSeekToFirst,
  kSeekToLast,
  kSeek,
  kSeekForPrev
};

// Moves an iterator and the place in `rows` where it ought to be, to `key` if
// it seeks. The answer says what was done.
inline std::string MoveBoth(Moving moving, const std::string& key,
                            IteratorBase* it, ModelDb::Rows& rows,
                            ModelDb::Rows::iterator* at) {
  const auto before = [&rows](ModelDb::Rows::iterator row) {
    return row == rows.begin() ? rows.end() : std::prev(row);
  };
  const std::string shown = Slice(key).ToString(/*hex=*/true);
  switch (moving) {
    case Moving::kNext:
      it->Next();
      ++*at;
      return "Next";
    case Moving::kPrev:
      it->Prev();
      *at = before(*at);
      return "Prev";
    case Moving::kSeekToFirst:
      it->SeekToFirst();
      *at = rows.begin();
      return "SeekToFirst";
    case Moving::kSeekToLast:
      it->SeekToLast();
      *at = before(rows.end());
      return "SeekToLast";
    case Moving::kSeek:
      it->Seek(key);
      *at = rows.lower_bound(key);
      return "Seek " + shown;
    case Moving::kSeekForPrev:
      it->SeekForPrev(key);
      *at = before(rows.upper_bound(key));
      return "SeekForPrev " + shown;
  }
  return "";
}

// Everything an iterator shows going forward; its status must be looked at.
inline ModelDb::Rows ReadForward(Iterator* it) {
  ModelDb::Rows rows;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    rows[it->key().ToString()] = it->value().ToString();
  }
  return rows;
}

}  // namespace ROCKSDB_NAMESPACE::test
