// OptionChangeMigration: files go to the levels where other options want them.
//
// Place. A client of DB.
//
// Model. A compaction of everything leaves files in one level only, which then
// becomes another level in the MANIFEST. That still has edits for levels which
// the new options may not have, and RocksDB refuses these. So the database is
// opened once with the new options: an open writes a new MANIFEST.
//
// Threads. One.

#include "rocksdb/utilities/option_change_migration.h"

#include <algorithm>
#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Fewer are not leveled: an open takes two.
constexpr int kLevelsMin = 2;

Status CheckLeveled(const char* whose, const Options& options) {
  if (options.compaction_style == kCompactionStyleLevel) return Status::OK();
  return Status::NotSupported(
      std::string("OptionChangeMigration: expected kCompactionStyleLevel in "
                  "the ") +
          whose + " options",
      "found style " +
          std::to_string(static_cast<int>(options.compaction_style)));
}

// With several directories there are no dynamic levels.
bool IsDynamic(const Options& options) {
  const auto& paths =
      options.cf_paths.empty() ? options.db_paths : options.cf_paths;
  return options.level_compaction_dynamic_level_bytes && paths.size() <= 1;
}

// As it is, but for the compactions that are asked for.
Options Still(Options options) {
  options.create_if_missing = false;
  options.error_if_exists = false;
  options.disable_auto_compactions = true;
  return options;
}

Status MoveEverything(const std::string& name, const Options& options,
                      int level) {
  std::unique_ptr<DB> db;
  RETURN_IF_ERROR(DB::Open(options, name, &db));
  CompactRangeOptions all;
  all.change_level = true;
  all.target_level = level;
  RETURN_IF_ERROR(db->CompactRange(all, nullptr, nullptr));
  return db->Close();
}

Status OpenAndClose(const std::string& name, const Options& options) {
  std::unique_ptr<DB> db;
  RETURN_IF_ERROR(DB::Open(options, name, &db));
  return db->Close();
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): as in RocksDB.
Status OptionChangeMigration(std::string dbname, const Options& old_opts,
                             const Options& new_opts) {
  RETURN_IF_ERROR(CheckLeveled("old", old_opts));
  RETURN_IF_ERROR(CheckLeveled("new", new_opts));
  const int new_levels = std::max(new_opts.num_levels, kLevelsMin);
  Options meanwhile = Still(old_opts);
  meanwhile.num_levels = std::max(old_opts.num_levels, new_levels);
  // All levels may be used, and level 0 goes to level 1.
  meanwhile.level_compaction_dynamic_level_bytes = false;
  const int target = IsDynamic(new_opts) ? new_levels - 1 : 1;
  RETURN_IF_ERROR(MoveEverything(dbname, meanwhile, target));
  return OpenAndClose(dbname, Still(new_opts));
}

}  // namespace ROCKSDB_NAMESPACE
