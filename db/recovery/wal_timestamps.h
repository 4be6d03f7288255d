// User timestamps of logged batches: what a log says of their size, and what
// the family expects today.
//
// Place. Between log replay and memtables.
//
// Model. A log names the timestamp size of each family that has any. Batches
// of a family whose comparator has changed since are rewritten: keys without
// timestamps get the smallest one, unwanted timestamps are cut off. RocksDB
// before 8 wrote no sizes at all; such a log is taken as it is.
//
// Threads. Any.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "db/column_family/family_set.h"
#include "db/recovery/wal_replay.h"
#include "rocksdb/file_system.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

struct TimestampSizes {
  // As the log has recorded them, by family; not there: 0.
  const std::map<uint32_t, uint16_t>* recorded = nullptr;
  // A family without a record has the size it has today.
  bool logs_have_none = false;
  std::function<size_t(uint32_t family)> current;
};

// Points *contents at the batch as the families expect it: `batch` itself, or
// *rewritten. Corruption: a malformed batch, or a key that is too short;
// InvalidArgument: a family had timestamps of another size.
Status ReconcileTimestamps(const Slice& batch, const TimestampSizes& sizes,
                           std::string* rewritten, Slice* contents);

bool AnyTimestamps(const FamilySet& families);

// The same for a batch of a log and the open families: what goes nowhere stays
// as it is. `as_they_are`: the logs have no sizes.
Status ReconcileTimestamps(const ReplayedBatch& batch,
                           const FamilySet& families, bool as_they_are,
                           std::string* rewritten, Slice* contents);

// True when the newest OPTIONS file of `dir` was written by a release whose
// logs have no timestamp sizes.
bool LogsHaveNoTimestampSizes(FileSystem* fs, const std::string& dir);

}  // namespace ROCKSDB_NAMESPACE::engine
