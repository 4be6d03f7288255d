#include "test/stress/target/over_families.h"

#include <memory>
#include <utility>
#include <vector>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/wide_columns.h"
#include "test/stress/history/answers.h"
#include "test/stress/history/operation.h"
#include "test/stress/target/db_target.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

using TextColumns = std::map<std::string, std::string>;

struct MergedRow {
  std::string groups;
  TextColumns columns;
};
using MergedRows = std::map<std::string, MergedRow>;

TextColumns TextColumnsOf(const WideColumns& wide) {
  TextColumns columns;
  for (const WideColumn& column : wide) {
    columns[column.name().ToString()] = column.value().ToString();
  }
  return columns;
}

std::string GroupOf(const std::string& family, const TextColumns& columns) {
  return family + " " + ShowColumns(columns) + " ";
}

// False: not all of it can be read.
bool AddFamily(const std::string& name, bool prepares, Iterator* it,
               MergedRows* rows) {
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    if (prepares && !it->PrepareValue()) return false;
    const TextColumns columns = TextColumnsOf(it->columns());
    MergedRow& row = (*rows)[it->key().ToString()];
    row.groups += GroupOf(name, columns);
    for (const auto& [column, value] : columns) row.columns[column] = value;
  }
  return it->status().ok();
}

std::string TextOfGroups(const AttributeGroupIterator& it) {
  std::string text;
  for (const IteratorAttributeGroup& group : it.attribute_groups()) {
    text += GroupOf(group.column_family()->GetName(),
                    TextColumnsOf(group.columns()));
  }
  return text;
}

std::string DifferenceAt(const std::string& key, const std::string& shown,
                         const std::string& expected) {
  return " BUT OVER FAMILIES " + Escape(key) + " is " + shown + " and not " +
         expected;
}

std::string CompareGroups(const MergedRows& rows, bool prepares,
                          AttributeGroupIterator* it) {
  auto row = rows.begin();
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    if (prepares && !it->PrepareValue()) return "";
    const std::string key = it->key().ToString();
    const std::string shown = TextOfGroups(*it);
    if (row == rows.end()) return DifferenceAt(key, shown, "there");
    if (key != row->first || shown != row->second.groups) {
      return DifferenceAt(key, shown, Escape(row->first) + row->second.groups);
    }
    ++row;
  }
  if (!it->status().ok() || row == rows.end()) return "";
  return DifferenceAt(row->first, "missing", row->second.groups);
}

// The other way.
std::string CompareCoalesced(const MergedRows& rows, bool prepares,
                             Iterator* it) {
  auto row = rows.rbegin();
  for (it->SeekToLast(); it->Valid(); it->Prev()) {
    if (prepares && !it->PrepareValue()) return "";
    const std::string key = it->key().ToString();
    const std::string shown = ShowRow(it);
    if (row == rows.rend()) return DifferenceAt(key, shown, "there");
    const std::string expected = ShowColumns(row->second.columns);
    if (key != row->first || shown != expected) {
      return DifferenceAt(key, shown, Escape(row->first) + " " + expected);
    }
    ++row;
  }
  if (!it->status().ok() || row == rows.rend()) return "";
  return DifferenceAt(row->first, "missing", ShowColumns(row->second.columns));
}

}  // namespace

std::string DifferenceOverFamilies(
    DB* db, const std::map<std::string, ColumnFamilyHandle*>& families,
    const ReadOptions& reads) {
  ReadOptions options(reads);
  options.total_order_seek = true;
  const bool prepares = options.allow_unprepared_value;
  std::vector<ColumnFamilyHandle*> handles;
  MergedRows rows;
  for (const auto& [name, handle] : families) {
    if (IsReversed(name) || IsFolded(name) || HasTimestamps(name)) continue;
    const std::unique_ptr<Iterator> it(db->NewIterator(options, handle));
    if (!AddFamily(name, prepares, it.get(), &rows)) return "";
    handles.push_back(handle);
  }
  if (handles.empty()) return "";
  std::string difference = CompareGroups(
      rows, prepares, db->NewAttributeGroupIterator(options, handles).get());
  if (!difference.empty()) return difference;
  return CompareCoalesced(rows, prepares,
                          db->NewCoalescingIterator(options, handles).get());
}

}  // namespace ROCKSDB_NAMESPACE::stress
