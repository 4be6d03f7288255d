#include "test/stress/history/answers.h"

#include <array>
#include <cstdio>

namespace ROCKSDB_NAMESPACE::stress {

bool SameAnswer(std::string_view expected, std::string_view answer) {
  return expected == kAny || answer == kAny || expected == answer;
}

std::string ShowColumns(const std::map<std::string, std::string>& columns) {
  if (columns.size() == 1 && columns.begin()->first.empty()) {
    return Show(columns.begin()->second);
  }
  std::string text = "{";
  for (const auto& [name, value] : columns) {
    text += (text.size() > 1 ? "," : "") + Show(name) + ":" + Show(value);
  }
  return text + "}";
}

void DumpAnswer::Family(const std::string& name) {
  EndFamily();
  family_ = name;
  rows_ = 0;
  hash_ = 0;
  open_ = true;
}

void DumpAnswer::Row(std::string_view key, std::string_view shown) {
  ++rows_;
  hash_ = Fingerprint(key, hash_ + 1);
  hash_ = Fingerprint(shown, hash_ + 1);
}

std::string DumpAnswer::Finish() {
  EndFamily();
  return text_;
}

void DumpAnswer::EndFamily() {
  if (!open_) return;
  open_ = false;
  std::array<char, 64> rest;
  std::snprintf(rest.data(), rest.size(), " %llu rows %016llx",
                static_cast<unsigned long long>(rows_),
                static_cast<unsigned long long>(hash_));
  text_ += (text_.empty() ? "" : " ") + family_ + rest.data();
}

bool Walk::Valid() {
  if (!placed_ || !cursor_->Valid()) return false;
  if (!prefix_mode_) return true;
  if (cursor_->Key().compare(0, prefix_.size(), prefix_) == 0) return true;
  placed_ = false;
  return false;
}

void Walk::Step(char step, const std::string& key) {
  switch (step) {
    case 'f':
      return cursor_->SeekToFirst();
    case 'l':
      return cursor_->SeekToLast();
    case 's':
      return cursor_->Seek(key);
    case 'r':
      return cursor_->SeekForPrev(key);
    case 'n':
      return cursor_->Next();
    case 'p':
      return cursor_->Prev();
    default:
      return cursor_->Refresh();
  }
}

std::string Walk::Iterate(const Operation& operation) {
  std::string answer;
  for (const char step : operation.steps) {
    const bool moves = step == 'n' || step == 'p';
    if (!moves || Valid()) Step(step, operation.key);
    if (!moves) placed_ = step != 'R';
    if (!moves) prefix_ = operation.key.substr(0, kPrefix);
    if (!answer.empty()) answer += ' ';
    if (Valid()) {
      answer += Show(cursor_->Key()) + "=" + cursor_->Shown();
    } else {
      const std::string error = placed_ ? cursor_->Error() : "";
      answer += error.empty() ? "-" : "ERROR " + error;
    }
  }
  return answer;
}

void DumpFamily(const std::string& name, Cursor* cursor, DumpAnswer* answer) {
  answer->Family(name);
  uint64_t forward = 0;
  uint64_t check = 0;
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    const std::string key = cursor->Key();
    const std::string shown = cursor->Shown();
    answer->Row(key, shown);
    check ^= Fingerprint(shown, Fingerprint(key));
    ++forward;
  }
  if (!cursor->Error().empty()) answer->Error(cursor->Error());
  for (cursor->SeekToLast(); cursor->Valid(); cursor->Prev()) {
    check ^= Fingerprint(cursor->Shown(), Fingerprint(cursor->Key()));
    --forward;
  }
  if (!cursor->Error().empty()) answer->Error(cursor->Error());
  if (forward != 0 || check != 0) answer->Error("backwards differs");
}

}  // namespace ROCKSDB_NAMESPACE::stress
