#include "test/stress/history/operation.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr std::pair<Kind, const char*> kNames[] = {
    {Kind::kPut, "put"},
    {Kind::kTimedPut, "timedput"},
    {Kind::kEntity, "entity"},
    {Kind::kDelete, "delete"},
    {Kind::kSingleDelete, "singledelete"},
    {Kind::kDeleteRange, "deleterange"},
    {Kind::kMerge, "merge"},
    {Kind::kSavePoint, "savepoint"},
    {Kind::kRollback, "rollback"},
    {Kind::kPopSavePoint, "popsavepoint"},
    {Kind::kBatch, "batch"},
    {Kind::kEntityGroups, "groups"},
    {Kind::kClip, "clip"},
    {Kind::kIngest, "ingest"},
    {Kind::kTransaction, "transaction"},
    {Kind::kDecide, "decide"},
    {Kind::kGet, "get"},
    {Kind::kGetEntity, "getentity"},
    {Kind::kMultiGet, "multiget"},
    {Kind::kMultiGetEntity, "multigetentity"},
    {Kind::kGetMergeOperands, "getoperands"},
    {Kind::kKeyMayExist, "mayexist"},
    {Kind::kSnapshot, "snapshot"},
    {Kind::kReleaseSnapshot, "release"},
    {Kind::kNewIterator, "iterator"},
    {Kind::kIterate, "iterate"},
    {Kind::kCloseIterator, "closeiterator"},
    {Kind::kDump, "dump"},
    {Kind::kFlush, "flush"},
    {Kind::kCompactRange, "compactrange"},
    {Kind::kCompactFiles, "compactfiles"},
    {Kind::kSuggestCompactRange, "suggestcompact"},
    {Kind::kWait, "wait"},
    {Kind::kSetOptions, "setoptions"},
    {Kind::kSetDbOptions, "setdboptions"},
    {Kind::kPauseBackground, "pause"},
    {Kind::kContinueBackground, "continue"},
    {Kind::kDisableManual, "disablemanual"},
    {Kind::kEnableManual, "enablemanual"},
    {Kind::kDisableFileDeletions, "keepfiles"},
    {Kind::kEnableFileDeletions, "deletefiles"},
    {Kind::kLockWal, "lockwal"},
    {Kind::kUnlockWal, "unlockwal"},
    {Kind::kSyncWal, "syncwal"},
    {Kind::kFlushWal, "flushwal"},
    {Kind::kVerifyChecksums, "verify"},
    {Kind::kProperties, "properties"},
    {Kind::kUpdatesSince, "updates"},
    {Kind::kApproximateSizes, "sizes"},
    {Kind::kTraced, "traced"},
    {Kind::kCheckpoint, "checkpoint"},
    {Kind::kBackup, "backup"},
    {Kind::kReadOnly, "readonly"},
    {Kind::kSecondary, "secondary"},
    {Kind::kCreateFamily, "createfamily"},
    {Kind::kImport, "import"},
    {Kind::kDropFamily, "dropfamily"},
    {Kind::kReopen, "reopen"},
    {Kind::kCrash, "crash"},
};

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' ||
         c == '*' || c == '~' || c == '+' || c == ':' || c == '#';
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

void AddField(const char* name, const std::string& value, std::string* text) {
  if (!value.empty()) *text += std::string(" ") + name + "=" + Escape(value);
}

bool SetField(std::string_view word, Operation* operation) {
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view name = word.substr(0, equals);
  const std::string_view text = word.substr(equals + 1);
  if (name == "f") {
    operation->family = Unescape(text);
  } else if (name == "k") {
    operation->key = Unescape(text);
  } else if (name == "e") {
    operation->end = Unescape(text);
  } else if (name == "v") {
    operation->value = Unescape(text);
  } else if (name == "steps") {
    operation->steps = Unescape(text);
  } else if (name == "i") {
    operation->id = static_cast<uint64_t>(NumberOf(text));
  } else if (name == "n") {
    operation->number = static_cast<uint64_t>(NumberOf(text));
  } else if (name.starts_with("o.")) {
    operation->settings.emplace_back(Unescape(name.substr(2)), Unescape(text));
  } else {
    return false;
  }
  return true;
}

// Reads words from *at on, up to the end of one operation.
bool Parse(const std::vector<std::string_view>& words, size_t* at,
           Operation* operation) {
  if (*at >= words.size()) return false;
  const auto* const found = std::find_if(
      std::begin(kNames), std::end(kNames),
      [&](const auto& entry) { return words[*at] == entry.second; });
  if (found == std::end(kNames)) return false;
  *operation = Operation();
  operation->kind = found->first;
  for (++*at; *at < words.size(); ++*at) {
    const std::string_view word = words[*at];
    if (word == ";" || word == "]") return true;
    if (word != "[") {
      if (!SetField(word, operation)) return false;
      continue;
    }
    do {
      ++*at;
      if (*at < words.size() && words[*at] == "]") break;  // Nothing inside.
      if (!Parse(words, at, &operation->inner.emplace_back())) return false;
    } while (*at < words.size() && words[*at] == ";");
    if (*at >= words.size() || words[*at] != "]") return false;
  }
  return true;
}

std::string RandomBytes(std::string_view tag, size_t size) {
  engine::Random64 random(Fingerprint(tag));
  std::string bytes;
  while (bytes.size() < size) bytes += static_cast<char>(random.Next());
  return bytes;
}

}  // namespace

std::string Operation::Setting(std::string_view name) const {
  for (const auto& [known, text] : settings) {
    if (known == name) return text;
  }
  return "";
}

const char* NameOf(Kind kind) {
  for (const auto& [known, name] : kNames) {
    if (known == kind) return name;
  }
  return "?";
}

bool AddsNumbers(const std::string& family) { return family == "sums"; }
bool IsReversed(const std::string& family) { return family == "reversed"; }
bool HasTimestamps(const std::string& family) { return family == "stamped"; }
bool IsFolded(const std::string& family) { return family == "folded"; }

std::string Folded(std::string bytes) {
  for (char& c : bytes) {
    if ('A' <= c && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return bytes;
}

const std::vector<std::string>& FirstFamilies() {
  static const std::vector<std::string> kFamilies = {"default", "reversed",
                                                     "sums"};
  return kFamilies;
}

std::string ToText(const Operation& operation) {
  std::string text = NameOf(operation.kind);
  if (operation.id != 0) text += " i=" + std::to_string(operation.id);
  AddField("f", operation.family, &text);
  AddField("k", operation.key, &text);
  AddField("e", operation.end, &text);
  AddField("v", operation.value, &text);
  if (operation.number != 0) text += " n=" + std::to_string(operation.number);
  AddField("steps", operation.steps, &text);
  for (const auto& [name, value] : operation.settings) {
    text += " o." + Escape(name) + "=" + Escape(value);
  }
  if (operation.inner.empty()) return text;
  std::string separator = " [ ";
  for (const Operation& inner : operation.inner) {
    text += separator + ToText(inner);
    separator = " ; ";
  }
  return text + " ]";
}

bool FromText(std::string_view text, Operation* operation) {
  const std::vector<std::string_view> words = Words(text);
  size_t at = 0;
  return Parse(words, &at, operation) && at == words.size();
}

std::string ExpandValue(std::string_view recipe) {
  if (!recipe.empty() && recipe[0] == '#') {
    auto number = static_cast<uint64_t>(NumberOf(recipe.substr(1)));
    std::string bytes;
    for (int i = 0; i < 8; ++i, number >>= 8) {
      bytes += static_cast<char>(number & 0xff);
    }
    return bytes;
  }
  const size_t mark = recipe.find_first_of("*~");
  if (mark == std::string_view::npos) return std::string(recipe);
  const std::string_view tag = recipe.substr(0, mark);
  const auto size = static_cast<size_t>(NumberOf(recipe.substr(mark + 1)));
  if (recipe[mark] == '~') return RandomBytes(tag, size);
  std::string bytes;
  while (!tag.empty() && bytes.size() < size) bytes += tag;
  bytes.resize(size);
  return bytes;
}

std::string Escape(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    if (IsPlain(c)) {
      text += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      text += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return text;
}

std::string Unescape(std::string_view text) {
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 2 >= text.size()) {
      bytes += text[i];
      continue;
    }
    const std::string hex(text.substr(i + 1, 2));
    bytes += static_cast<char>(std::strtoul(hex.c_str(), nullptr, 16));
    i += 2;
  }
  return bytes;
}

std::string Show(std::string_view bytes) {
  constexpr size_t kShown = 24;
  if (bytes.empty()) return "()";
  if (bytes.size() <= kShown) return Escape(bytes);
  std::array<char, 48> rest;
  std::snprintf(rest.data(), rest.size(), "..%zu/%08x", bytes.size(),
                static_cast<unsigned>(Fingerprint(bytes)));
  return Escape(bytes.substr(0, 10)) + rest.data();
}

uint64_t Fingerprint(std::string_view bytes, uint64_t seed) {
  uint64_t hash = seed;  // FNV-1a
  for (const char c : bytes) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  }
  return hash;
}

int64_t NumberOf(std::string_view text, int64_t fallback) {
  if (text.empty()) return fallback;
  return std::strtoll(std::string(text).c_str(), nullptr, 10);
}

}  // namespace ROCKSDB_NAMESPACE::stress
