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

std::optional<KeyState> StateOf(uint64_t id, std::string_view value) {
  if (value.empty()) return std::nullopt;
  const auto commas =
      static_cast<size_t>(std::count(value.begin(), value.end(), ','));
  const bool based = value[0] == 'v';
  std::string_view rest = value.substr(1);
  uint64_t found_id = 0;
  uint64_t generation = 0;
  if (!Number(&rest, '.', &found_id) || !Number(&rest, '.', &generation)) {
    return std::nullopt;
  }
  KeyState state;
  state.generation = static_cast<uint32_t>(generation);
  state.merges = static_cast<uint8_t>(commas + (based ? 0 : 1));
  state.base = based ? KeyState::Base::kPut : KeyState::Base::kNone;
  if (found_id != id || ContentOf(id, state) != value) return std::nullopt;
  return state;
}

bool MayBeAbsent(uint64_t low, uint64_t high) {
  const KeyState from = KeyState::Unpack(low);
  const KeyState to = KeyState::Unpack(high);
  if (!from.exists() || !to.exists()) return true;
  // A deletion takes a generation, on top of which merges may have come.
  return to.generation > from.generation + 1 ||
         (to.generation > from.generation && to.base == KeyState::Base::kNone);
}

std::string Judge(uint64_t id, uint64_t low, uint64_t high,
                  const std::optional<std::string>& found) {
  const KeyState from = KeyState::Unpack(low);
  const KeyState to = KeyState::Unpack(high);
  bool good = false;
  if (!found) {
    good = MayBeAbsent(low, high);
  } else if (const std::optional<KeyState> state = StateOf(id, *found)) {
    const uint64_t place = state->Pack() >> 8;
    good = found == ContentOf(id, from) || found == ContentOf(id, to) ||
           (place > low >> 8 && place < high >> 8);
  }
  if (good) return "";
  std::string text = "found " + Show(found) + ", expected " + from.ToString();
  if (low != high) text += " .. " + to.ToString();
  if (low == high) text += ", that is " + Show(ContentOf(id, from));
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
