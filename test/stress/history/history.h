// History: operations in order, made from a seed, or read from a file.
//
// Model. A history is legal: single deletions only of keys put once, nothing
// that writes while background work is paused or the log is locked, families
// that exist; no snapshot is held when a family is imported, because it brings
// entries as old as its source's. The keys of a transaction that is left open
// are written by nothing else but range deletions, and its families stay, until
// it is decided. Legal() keeps it so when operations are taken out.
//
// Threads. Values.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "test/stress/history/operation.h"
#include "test/stress/options/option_values.h"

namespace ROCKSDB_NAMESPACE::stress {

using History = std::vector<Operation>;

// Iterators that may renew themselves (auto_refresh_iterator_with_snapshot): in
// a history their snapshot outlives them. Others outlive theirs.
inline bool MayRenew(uint64_t iterator) { return iterator % 2 == 0; }

struct HistoryRequest {
  uint64_t seed = 1;
  size_t operations = 1000;
  // The executor: kOurs has calls that the C interface lacks; options are only
  // changed to values that all of them know.
  Since since = Since::kOurs;
  bool crashes = false;        // Also kCrash.
  bool entities = true;        // As far as `since` has them.
  bool timestamps = false;     // Also a family with timestamps.
  bool folded = false;         // Also a family for which cases are the same.
  bool stamped_merges = true;  // Merges in it, as far as `since` has them.
  bool transactions = false;   // Also kTransaction and kDecide.
  // Other writes than those that a TransactionDB of RocksDB locks: deletions of
  // ranges, if not in files, and single ones.
  bool unlockable = true;
  // Also bursts of large values, which fill several memtables before anything
  // flushes them, and more changes of the limits that stop such writers.
  bool bursts = false;
  uint64_t keys = 300;  // How many different ones per family.
};

History MakeHistory(const HistoryRequest& request);

// Without what became illegal because something before it is missing; what
// holds others up (kPauseBackground, kLockWal) ends before they would wait.
History Legal(const History& history);

std::string ToText(const History& history);
// False: a line is no operation. Empty lines and those with # are skipped.
bool FromText(const std::string& text, History* history);
// False: the file is not a history; a message was printed.
bool ReadHistory(const std::string& path, History* history);

}  // namespace ROCKSDB_NAMESPACE::stress
