// TrackedKeys: the keys that a transaction has read for update or written, and
// since when each of them must not have changed.
//
// Place. In TransactionBase: one of the whole transaction, and one of each save
// point, with what was tracked since.
//
// Invariant: a key is here exactly while it has reads or writes.
//
// Threads. One.

#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "rocksdb/types.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

struct TrackedKey {
  SequenceNumber since = kSequenceMax;  // Must not have changed after.
  uint32_t reads = 0;
  uint32_t writes = 0;
  bool exclusive = false;        // As it is locked, where there are locks.
  bool time_is_checked = false;  // No timestamp is above the read time.
};

class TrackedKeys {
 public:
  using Keys = std::unordered_map<std::string, TrackedKey>;
  using Families = std::map<uint32_t, Keys>;

  // A key that is tracked already keeps its older sequence.
  void Track(uint32_t family, const std::string& key, SequenceNumber since,
             bool read_only, bool exclusive) {
    TrackedKey& tracked = families_[family][key];
    tracked.since = std::min(tracked.since, since);
    tracked.exclusive |= exclusive;
    ++(read_only ? tracked.reads : tracked.writes);
  }
  // REQUIRES: the key is tracked.
  void NoteTimeChecked(uint32_t family, const std::string& key) {
    families_[family].at(key).time_is_checked = true;
  }
  // Undoes one read. False: there is none.
  bool UndoRead(uint32_t family, const std::string& key) {
    Keys& keys = families_[family];
    const auto found = keys.find(key);
    if (found == keys.end() || found->second.reads == 0) return false;
    --found->second.reads;
    if (found->second.reads + found->second.writes == 0) keys.erase(found);
    return true;
  }
  // Null: it is not tracked.
  const TrackedKey* Find(uint32_t family, const std::string& key) const {
    const auto keys = families_.find(family);
    if (keys == families_.end()) return nullptr;
    const auto found = keys->second.find(key);
    return found == keys->second.end() ? nullptr : &found->second;
  }
  // Adds what a later save point had.
  void Add(const TrackedKeys& later) {
    for (const auto& [family, keys] : later.families_) {
      for (const auto& [key, added] : keys) {
        TrackedKey& tracked = families_[family][key];
        tracked.since = std::min(tracked.since, added.since);
        tracked.reads += added.reads;
        tracked.writes += added.writes;
      }
    }
  }
  // Takes away what a save point had added; `gone(family, key)` is called for
  // keys that are no longer tracked.
  template <typename Gone>
  void Remove(const TrackedKeys& added, const Gone& gone) {
    for (const auto& [family, keys] : added.families_) {
      Keys& own = families_[family];
      for (const auto& [key, counts] : keys) {
        const auto found = own.find(key);
        assert(found != own.end() && found->second.reads >= counts.reads &&
               found->second.writes >= counts.writes);
        found->second.reads -= counts.reads;
        found->second.writes -= counts.writes;
        if (found->second.reads + found->second.writes > 0) continue;
        own.erase(found);
        gone(family, key);
      }
    }
  }
  void Clear() { families_.clear(); }

  const Families& families() const { return families_; }
  uint64_t size() const {
    uint64_t count = 0;
    for (const auto& [family, keys] : families_) count += keys.size();
    return count;
  }

 private:
  Families families_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
