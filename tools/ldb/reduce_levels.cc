#include <algorithm>
#include <cstdio>

#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

int LevelsInUse(const Session& session, ColumnFamilyHandle* family) {
  ColumnFamilyMetaData metadata;
  session.db()->GetColumnFamilyMetaData(family, &metadata);
  int levels = 0;
  for (const LevelMetaData& level : metadata.levels) {
    if (!level.files.empty()) levels = level.level + 1;
  }
  return levels;
}

// Everything into one level, the last that will be left.
Status MoveUp(const Session& session, ColumnFamilyHandle* family, int levels) {
  CompactRangeOptions options;
  options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  options.change_level = true;
  options.target_level = levels - 1;
  return session.db()->CompactRange(options, family, nullptr, nullptr);
}

Outcome ReduceLevels(const Arguments& arguments) {
  const auto given = arguments.Number("new_levels", 0);
  if (!given.ok()) return given.status();
  if (*given == 0 || *given > 64) {
    return Outcome::Fail(" Use --new_levels to specify a new level number\n");
  }
  const int levels = static_cast<int>(*given);
  const auto quiet = [](ColumnFamilyOptions* options) {
    options->disable_auto_compactions = true;
  };
  auto session = Session::Open(arguments, OpenMode::kWritable, quiet);
  if (!session.ok()) return session.status();
  int old_levels = 0;
  for (ColumnFamilyHandle* family : (*session)->handles()) {
    old_levels = std::max(old_levels, LevelsInUse(**session, family));
  }
  if (arguments.Bool("print_old_levels")) {
    std::printf("The old number of levels in use is %d\n", old_levels);
  }
  for (ColumnFamilyHandle* family : (*session)->handles()) {
    if (LevelsInUse(**session, family) > levels) {
      RETURN_IF_ERROR(MoveUp(**session, family, levels));
    }
  }
  RETURN_IF_ERROR((*session)->Close());

  // The next OPTIONS file has the new number.
  auto again = Session::Open(
      arguments, OpenMode::kWritable,
      [levels](ColumnFamilyOptions* options) { options->num_levels = levels; });
  if (!again.ok()) return again.status();
  return (*again)->Close();
}

const char* const kReduceLevelsFlags[] = {"new_levels", "print_old_levels"};

}  // namespace

const Command kReduceLevels = {
    "reduce_levels", "--new_levels=<New number of levels> [--print_old_levels]",
    kReduceLevelsFlags, true, ReduceLevels};

}  // namespace ROCKSDB_NAMESPACE::ldb
