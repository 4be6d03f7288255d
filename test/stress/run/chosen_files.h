// Files for CompactFiles, chosen at random: what the crash and the fault
// program compact besides whole ranges.

#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/metadata.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {

// The level of each of the family's tables.
inline std::map<std::string, int> LevelsOfFiles(DB* db,
                                                ColumnFamilyHandle* family) {
  ColumnFamilyMetaData meta;
  db->GetColumnFamilyMetaData(family, &meta);
  std::map<std::string, int> levels;
  for (const LevelMetaData& of : meta.levels) {
    for (const SstFileMetaData& file : of.files) levels[file.name] = of.level;
  }
  return levels;
}

// Some of the family's tables go to a level at which none of them lies deeper.
// OK also where a job has taken one of them meanwhile.
inline Status CompactSomeFiles(DB* db, ColumnFamilyHandle* family,
                               engine::Random64* random) {
  const std::map<std::string, int> before = LevelsOfFiles(db, family);
  std::vector<std::string> names;
  int level = 0;
  for (const auto& [name, of] : before) {
    if (random->OneIn(2)) continue;
    names.push_back(name);
    level = std::max(level, of);
  }
  if (names.empty()) return Status::OK();
  CompactionOptions options;
  options.allow_trivial_move = random->OneIn(2);
  level = std::min(level + static_cast<int>(random->Uniform(3)),
                   db->NumberLevels(family) - 1);
  const Status status =
      db->CompactFiles(options, family, names, level, /*output_path_id=*/0);
  if (status.IsAborted()) return Status::OK();
  if (!status.IsInvalidArgument()) return status;
  const std::map<std::string, int> after = LevelsOfFiles(db, family);
  const bool stayed =
      std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        const auto found = after.find(name);
        return found != after.end() && found->second == before.at(name);
      });
  return stayed ? status : Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::stress
