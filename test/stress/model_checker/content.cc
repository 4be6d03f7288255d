#include "test/stress/model_checker/content.h"

#include <algorithm>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

// Letters only: commas separate merge operands. Mostly short; now and then
// long enough for a blob file, or for several blocks.
std::string Filler(uint64_t id, uint64_t generation, uint64_t n) {
  uint64_t state = id * 1000003 + generation * 257 + n;
  const uint64_t bits = engine::SplitMix64(&state);
  size_t size = bits % 40;
  if (bits % 97 == 0) {
    size = 3000 + bits % 3000;
  } else if (bits % 11 == 0) {
    size = 100 + bits % 400;
  }
  std::string filler(size, 'a');
  for (size_t i = 0; i < size; i += 3) {
    filler[i] = static_cast<char>('a' + (bits >> (i % 56)) % 26);
  }
  return filler;
}

bool Number(std::string_view* text, char end, uint64_t* number) {
  *number = 0;
  size_t at = 0;
  while (at < text->size() && (*text)[at] >= '0' && (*text)[at] <= '9') {
    *number = *number * 10 + static_cast<uint64_t>((*text)[at++] - '0');
  }
  if (at == 0 || at == text->size() || (*text)[at] != end) return false;
  text->remove_prefix(at + 1);
  return true;
}

std::string Show(const std::optional<std::string>& found) {
  if (!found) return "nothing";
  const bool cut = found->size() > 80;
  return "'" + found->substr(0, 80) + (cut ? "...'" : "'") + " (" +
         std::to_string(found->size()) + " bytes)";
}

}  // namespace

std::string KeyState::ToString() const {
  static constexpr const char* kNames[] = {"none", "put", "entity"};
  return std::string(kNames[static_cast<size_t>(base) % 3]) +
         " of generation " + std::to_string(generation) + " and " +
         std::to_string(merges) + " merges";
}

std::string BaseValue(uint64_t id, uint32_t generation) {
  return "v" + std::to_string(id) + "." + std::to_string(generation) + "." +
         Filler(id, generation, 0);
}

std::string Operand(uint64_t id, uint32_t generation, uint8_t n) {
  return "m" + std::to_string(id) + "." + std::to_string(generation) + "." +
         std::to_string(n) + "." + Filler(id, generation, n);
}

std::string ChangedValue(uint64_t id, uint32_t generation) {
  return "w" + std::to_string(id) + "." + std::to_string(generation) + "." +
         Filler(id, generation, 254);
}

std::string ColumnValue(uint64_t id, uint32_t generation) {
  return "c" + std::to_string(id) + "." + std::to_string(generation) + "." +
         Filler(id, generation, 255);
}

std::optional<std::string> ContentOf(uint64_t id, const KeyState& state) {
  if (!state.exists()) return std::nullopt;
  std::string content;
  if (state.base != KeyState::Base::kNone) {
    content = BaseValue(id, state.generation);
  }
  for (uint8_t n = 1; n <= state.merges; ++n) {
    if (!content.empty()) content += ",";
    content += Operand(id, state.generation, n);
  }
  return content;
}

std::optional<Named> NamedBy(std::string_view value) {
  if (value.empty()) return std::nullopt;
  const auto commas =
      static_cast<size_t>(std::count(value.begin(), value.end(), ','));
  Named named;
  named.changed = value[0] == 'w';
  const bool based = value[0] == 'v' || named.changed;
  std::string_view rest = value.substr(1);
  uint64_t generation = 0;
  if (!Number(&rest, '.', &named.id) || !Number(&rest, '.', &generation)) {
    return std::nullopt;
  }
  named.state.generation = static_cast<uint32_t>(generation);
  named.state.merges = static_cast<uint8_t>(commas + (based ? 0 : 1));
  named.state.base = based ? KeyState::Base::kPut : KeyState::Base::kNone;
  return named;
}

std::optional<KeyState> StateOf(uint64_t id, std::string_view value) {
  const std::optional<Named> named = NamedBy(value);
  if (!named || named->id != id) return std::nullopt;
  const KeyState& state = named->state;
  const bool good = named->changed
                        ? FateOf(id, state) == Fate::kIsChanged &&
                              ChangedValue(id, state.generation) == value
                        : ContentOf(id, state) == value;
  return good ? std::optional<KeyState>(state) : std::nullopt;
}

FilterKind FilterKindOf(uint64_t id) {
  if (id < kIdsPerSlot) return FilterKind::kNone;  // Of a mirrored key.
  const uint64_t in_slot = id % kIdsPerSlot;
  if (in_slot >= kFilteredIds) return FilterKind::kRemovesOrChanges;
  return in_slot >= kSkippedIds ? FilterKind::kSkips : FilterKind::kNone;
}

Fate FateOf(uint64_t id, const KeyState& state) {
  if (state.base == KeyState::Base::kNone) return Fate::kStays;
  switch (FilterKindOf(id)) {
    case FilterKind::kNone:
      return Fate::kStays;
    case FilterKind::kSkips:
      return state.generation % 3 == 0 ? Fate::kIsSkipped : Fate::kStays;
    case FilterKind::kRemovesOrChanges:
      if (state.generation % 5 == 0) return Fate::kIsRemoved;
      return state.generation % 5 == 1 ? Fate::kIsChanged : Fate::kStays;
  }
  return Fate::kStays;
}

bool TakesMerges(uint64_t id, const KeyState& state) {
  return FilterKindOf(id) != FilterKind::kSkips &&
         FateOf(id, state) == Fate::kStays;
}

bool MayBeAbsent(uint64_t id, uint64_t low, uint64_t high) {
  const KeyState from = KeyState::Unpack(low);
  const KeyState to = KeyState::Unpack(high);
  if (FilterKindOf(id) == FilterKind::kSkips ||
      FateOf(id, from) == Fate::kIsRemoved ||
      FateOf(id, to) == Fate::kIsRemoved) {
    return true;
  }
  if (!from.exists() || !to.exists()) return true;
  // A deletion takes a generation, on top of which merges may have come.
  return to.generation > from.generation + 1 ||
         (to.generation > from.generation && to.base == KeyState::Base::kNone);
}

bool MayBecome(uint64_t id, const std::optional<std::string>& earlier,
               const std::optional<std::string>& later) {
  if (earlier == later || FilterKindOf(id) == FilterKind::kSkips) return true;
  const std::optional<KeyState> before =
      earlier ? StateOf(id, *earlier) : std::nullopt;
  if (!before) return false;
  switch (FateOf(id, *before)) {
    case Fate::kIsRemoved:
      return !later;
    case Fate::kIsChanged:
      return later == ChangedValue(id, before->generation);
    default:
      return false;
  }
}

namespace {

// Does a state have this content, but for what the filter does?
bool IsContentOf(const KeyState& content, const KeyState& state) {
  return state.exists() && content.generation == state.generation &&
         content.merges == state.merges &&
         (content.base == KeyState::Base::kNone) ==
             (state.base == KeyState::Base::kNone);
}

}  // namespace

std::string Judge(uint64_t id, uint64_t low, uint64_t high,
                  const std::optional<std::string>& found) {
  const KeyState from = KeyState::Unpack(low);
  const KeyState to = KeyState::Unpack(high);
  bool good = false;
  if (!found) {
    good = MayBeAbsent(id, low, high);
  } else if (const std::optional<KeyState> state = StateOf(id, *found)) {
    const uint64_t place = state->Pack() >> 8;
    const bool older = FilterKindOf(id) == FilterKind::kSkips;
    good = IsContentOf(*state, from) || IsContentOf(*state, to) ||
           ((older || place > low >> 8) && place < high >> 8);
  }
  if (good) return "";
  std::string text = "found " + Show(found) + ", expected " + from.ToString();
  if (low != high) text += " .. " + to.ToString();
  if (low == high) text += ", that is " + Show(ContentOf(id, from));
  if (FilterKindOf(id) != FilterKind::kNone) text += ", filtered or not";
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
