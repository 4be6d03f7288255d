// What one key holds, as one word, and the bytes that follow from it.
//
// Place. The expected state keeps one word per key; writers turn words into
// records and readers turn what they read back into words.
//
// Model. Every put, entity and deletion of a key gets the key's next
// generation; merges are counted on top of it. The bytes are a function of
// (content id, word), so one wrong byte is seen. A later state of a key always
// has the larger word: (generation, merges) only grows.
//
// A compaction filter of the run (run_filter.h) may change what some keys hold
// at any time; the content id says which. Nothing is written into the expected
// state then: a read may find what was written or what the filter makes of it.
// The filter decides by the value alone, so what it has removed or changed
// stays so until the key is written again. It is applied whatever snapshots
// there are, so reads with a snapshot may find less later.
//
// Threads. Pure functions.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE::stress::checker {

struct KeyState {
  enum class Base : uint8_t { kNone, kPut, kEntity };

  uint32_t generation = 0;
  uint8_t merges = 0;
  Base base = Base::kNone;

  bool exists() const { return base != Base::kNone || merges > 0; }
  uint64_t Pack() const {
    return uint64_t{generation} << 16 | uint64_t{merges} << 8 |
           static_cast<uint64_t>(base);
  }
  static KeyState Unpack(uint64_t word) {
    return {.generation = static_cast<uint32_t>(word >> 16),
            .merges = static_cast<uint8_t>(word >> 8),
            .base = static_cast<Base>(word & 0xff)};
  }
  std::string ToString() const;
};

// At most this many operands on one base, so that values stay short.
inline constexpr uint8_t kMergesMax = 40;

// What the filter may do to the values of an id.
enum class FilterKind : uint8_t {
  kNone,
  kRemovesOrChanges,  // Some generations.
  // It skips the versions of the key that a job reads, so that any older one,
  // or none, may be shown.
  kSkips,
};
inline constexpr uint64_t kIdsPerSlot = 1000000;
// Added to the ids of these kinds; more than a slot has keys.
inline constexpr uint64_t kFilteredIds = 500000;
inline constexpr uint64_t kSkippedIds = 250000;
FilterKind FilterKindOf(uint64_t id);

// What the filter makes of a put or an entity.
enum class Fate : uint8_t { kStays, kIsRemoved, kIsChanged, kIsSkipped };
Fate FateOf(uint64_t id, const KeyState& state);
// A filter sees operands and their base one by one or merged, so keys get
// operands only where it leaves both alone.
bool TakesMerges(uint64_t id, const KeyState& state);

// The value that Get shows, which is the default column of an entity; nullopt
// if the key does not exist.
std::optional<std::string> ContentOf(uint64_t id, const KeyState& state);
// The value to put for a state whose base is kPut or kEntity.
std::string BaseValue(uint64_t id, uint32_t generation);
// The n-th operand (from 1) on the base of `generation`.
std::string Operand(uint64_t id, uint32_t generation, uint8_t n);
// What the filter makes of the base value of a generation.
std::string ChangedValue(uint64_t id, uint32_t generation);
// The second column of an entity.
std::string ColumnValue(uint64_t id, uint32_t generation);
inline constexpr const char* kColumnName = "column";

// The state whose content `value` is, as written or as the filter changed it,
// with base kPut for kEntity; nullopt if it is the content of no state of this
// id.
std::optional<KeyState> StateOf(uint64_t id, std::string_view value);

// The id and the state that a value names; its other bytes may be wrong.
struct Named {
  uint64_t id = 0;
  KeyState state;
  bool changed = false;  // By the filter.
};
std::optional<Named> NamedBy(std::string_view value);

// Judges what a read found while the key went from state `low` to state
// `high` (equal if it was not written). Returns "" or what is wrong.
std::string Judge(uint64_t id, uint64_t low, uint64_t high,
                  const std::optional<std::string>& found);
// Could the key have been absent at some moment between?
bool MayBeAbsent(uint64_t id, uint64_t low, uint64_t high);
// May a read find `later`, if one that ended before it found `earlier` and the
// key was not written meanwhile?
bool MayBecome(uint64_t id, const std::optional<std::string>& earlier,
               const std::optional<std::string>& later);

}  // namespace ROCKSDB_NAMESPACE::stress::checker
