// Files for CompactFiles, chosen at random: what the crash and the fault
// program compact besides whole ranges.

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/metadata.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {

// Some of the family's tables go to a level at which none of them lies deeper.
// OK also where a job has taken one of them meanwhile.
inline Status CompactSomeFiles(DB* db, ColumnFamilyHandle* family,
                               engine::Random64* random) {
  ColumnFamilyMetaData meta;
  db->GetColumnFamilyMetaData(family, &meta);
  std::vector<std::string> names;
  int level = 0;
  for (const LevelMetaData& of : meta.levels) {
    for (const SstFileMetaData& file : of.files) {
      if (random->OneIn(2)) continue;
      names.push_back(file.name);
      level = std::max(level, of.level);
    }
  }
  if (names.empty()) return Status::OK();
  CompactionOptions options;
  options.allow_trivial_move = random->OneIn(2);
  level = std::min(level + static_cast<int>(random->Uniform(3)),
                   db->NumberLevels(family) - 1);
  const Status status =
      db->CompactFiles(options, family, names, level, /*output_path_id=*/0);
  const bool taken =
      status.IsAborted() ||
      status.ToString().find("the column family has no") != std::string::npos ||
      status.ToString().find("below the output level") != std::string::npos;
  return taken ? Status::OK() : status;
}

}  // namespace ROCKSDB_NAMESPACE::stress
