#include "test/stress/crash/lineage.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr char kEntityPrefix[] = "entity:";

const Rows& NoRows() {
  static const Rows kNone;
  return kNone;
}

void Put(const std::string& text, std::string* to) {
  engine::PutLengthPrefixedSlice(to, text);
}

std::string Take(Slice* from) {
  Slice text;
  if (!engine::GetLengthPrefixedSlice(from, &text)) from->clear();
  return text.ToString();
}

uint64_t TakeNumber(Slice* from) {
  uint64_t number = 0;
  if (!engine::GetFixed64(from, &number)) from->clear();
  return number;
}

std::string Encode(const LoggedWrite& write) {
  std::string text;
  for (const Record& record : write.records) {
    text += static_cast<char>(record.kind);
    engine::PutFixed64(&text, record.family);
    Put(record.key, &text);
    Put(record.value, &text);
  }
  return text;
}

LoggedWrite DecodeWrite(Slice text) {
  LoggedWrite write;
  while (!text.empty()) {
    Record record;
    record.kind = static_cast<Record::Kind>(text[0]);
    text.remove_prefix(1);
    record.family = static_cast<uint32_t>(TakeNumber(&text));
    record.key = Take(&text);
    record.value = Take(&text);
    write.records.push_back(std::move(record));
  }
  return write;
}

std::string Numbers(uint64_t first, uint64_t second) {
  std::string text;
  engine::PutFixed64(&text, first);
  engine::PutFixed64(&text, second);
  return text;
}

}  // namespace

std::string EntityRow(const std::string& value) {
  return kEntityPrefix + value;
}

bool IsEntityRow(const std::string& row) {
  return row.starts_with(kEntityPrefix);
}

std::string ValueOfRow(const std::string& row) {
  return IsEntityRow(row) ? row.substr(std::size(kEntityPrefix) - 1) : row;
}

std::string ColumnOf(const std::string& value) { return "c" + value; }

void Lineage::Preview::Apply(const Record& record) {
  switch (record.kind) {
    case Record::Kind::kPut:
      rows_[record.key] = record.value;
      return;
    case Record::Kind::kEntity:
      rows_[record.key] = EntityRow(record.value);
      return;
    case Record::Kind::kDelete:
    case Record::Kind::kSingleDelete:
      rows_.erase(record.key);
      return;
    case Record::Kind::kDeleteRange:
      rows_.erase(rows_.lower_bound(record.key),
                  rows_.lower_bound(record.value));
      return;
    case Record::Kind::kMerge: {
      std::string& row = rows_[record.key];
      row += (row.empty() ? "" : ",") + record.value;
      return;
    }
  }
}

Lineage::Lineage() { states_[0]; }

void Lineage::Tell(Change change, const std::string& text) const {
  if (recorder_) recorder_(static_cast<char>(change) + text);
}

bool Lineage::Repeat(const std::string& change) {
  if (change.empty()) return false;
  Slice rest(change);
  rest.remove_prefix(1);
  switch (static_cast<Change>(change[0])) {
    case Change::kAppend:
      Append(DecodeWrite(rest));
      return true;
    case Change::kCut: {
      const uint64_t n = TakeNumber(&rest);
      CutTo(n, TakeNumber(&rest));
      return true;
    }
    case Change::kCutFamily: {
      const auto family = static_cast<uint32_t>(TakeNumber(&rest));
      CutFamilyTo(family, TakeNumber(&rest));
      return true;
    }
    case Change::kRestart: {
      const auto family = static_cast<uint32_t>(TakeNumber(&rest));
      Rows rows;
      while (!rest.empty()) {
        const std::string key = Take(&rest);
        rows[key] = Take(&rest);
      }
      Restart(family, rows);
      return true;
    }
    case Change::kCreate:
      Create(rest.ToString());
      return true;
    case Change::kDrop:
      Drop(static_cast<uint32_t>(TakeNumber(&rest)));
      return true;
  }
  return false;
}

void Lineage::Append(const LoggedWrite& write) {
  Tell(Change::kAppend, Encode(write));
  ++writes_;
  std::map<uint32_t, Preview> changed;
  for (const Record& record : write.records) {
    const auto it =
        changed.try_emplace(record.family, rows(record.family)).first;
    it->second.Apply(record);
    const auto row = it->second.get().find(record.key);
    if (row != it->second.get().end()) {
      ever_[record.family][record.key].insert(row->second);
    }
  }
  for (const auto& [family, after] : changed) {
    states_[family].push_back(
        {writes_, std::make_shared<const Rows>(after.get())});
  }
}

void Lineage::CutTo(uint64_t n, size_t events) {
  Tell(Change::kCut, Numbers(n, events));
  writes_ = n;
  events_.resize(events);
  for (auto& [family, states] : states_) {
    while (!states.empty() && states.back().write > n) states.pop_back();
  }
}

void Lineage::CutFamilyTo(uint32_t family, uint64_t n) {
  Tell(Change::kCutFamily, Numbers(family, n));
  std::vector<State>& states = states_[family];
  while (!states.empty() && states.back().write > n) states.pop_back();
}

void Lineage::Restart(uint32_t family, const Rows& rows) {
  std::string text;
  engine::PutFixed64(&text, family);
  for (const auto& [key, row] : rows) {
    Put(key, &text);
    Put(row, &text);
  }
  Tell(Change::kRestart, text);
  states_[family] = {{writes_, std::make_shared<const Rows>(rows)}};
}

const Rows& Lineage::RowsAfter(uint32_t family, uint64_t n) const {
  const auto it = states_.find(family);
  if (it == states_.end()) return NoRows();
  for (size_t i = it->second.size(); i-- > 0;) {
    if (it->second[i].write <= n) return *it->second[i].rows;
  }
  return NoRows();
}

uint64_t Lineage::LastWriteTo(uint32_t family, uint64_t n) const {
  const auto it = states_.find(family);
  if (it == states_.end()) return 0;
  for (size_t i = it->second.size(); i-- > 0;) {
    if (it->second[i].write <= n) return it->second[i].write;
  }
  return 0;
}

bool Lineage::EverHeld(uint32_t family, const std::string& key,
                       const std::string& row) const {
  const auto rows = ever_.find(family);
  if (rows == ever_.end()) return false;
  const auto values = rows->second.find(key);
  return values != rows->second.end() && values->second.contains(row);
}

std::map<uint32_t, std::string> Lineage::Families(size_t events) const {
  std::map<uint32_t, std::string> found = {{0, "default"}};
  for (size_t i = 0; i < events; ++i) {
    if (events_[i].drop) {
      found.erase(events_[i].serial);
    } else {
      found[events_[i].serial] = events_[i].name;
    }
  }
  return found;
}

uint32_t Lineage::Create(const std::string& name) {
  Tell(Change::kCreate, name);
  events_.push_back({++last_serial_, name, false});
  return last_serial_;
}

void Lineage::Drop(uint32_t serial) {
  Tell(Change::kDrop, Numbers(serial, 0));
  events_.push_back({serial, "", true});
}

}  // namespace ROCKSDB_NAMESPACE::stress
