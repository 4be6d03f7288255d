#include "db/db_impl/family_setup.h"

#include <utility>

#include "db/column_family/check_state.h"
#include "db/read/table_cache.h"
#include "rocksdb/file_system.h"
#include "table/cache_usage.h"

namespace ROCKSDB_NAMESPACE::engine {

std::vector<std::string> TableDirsOf(const StoreContext& store,
                                     const ColumnFamilyOptions& options) {
  const std::vector<DbPath>& paths =
      options.cf_paths.empty() ? store.options.db_paths : options.cf_paths;
  std::vector<std::string> dirs;
  dirs.reserve(paths.size());
  for (const DbPath& path : paths) dirs.push_back(path.path);
  if (dirs.empty()) dirs.push_back(store.dbname);
  return dirs;
}

Status CreateTableDirs(const StoreContext& store,
                       const ColumnFamilyOptions& options) {
  for (const std::string& dir : TableDirsOf(store, options)) {
    RETURN_IF_ERROR(store.fs->CreateDirIfMissing(dir, IOOptions(), nullptr));
  }
  return Status::OK();
}

FamilyConfig FamilyConfigOf(const StoreContext& store, const std::string& name,
                            const ColumnFamilyOptions& options) {
  FamilyConfig config;
  config.name = name;
  config.comparator = options.comparator;
  config.level_options = LevelOptionsOf(options);
  config.force_consistency_checks = options.force_consistency_checks;
  config.dirs = TableDirsOf(store, options);
  // Checked when the options were.
  if (auto table = TableOptionsOf(options.table_factory.get()); table.ok()) {
    config.charged_cache = CacheToCharge(*table, CacheEntryRole::kFileMetadata);
  }
  return config;
}

FamilyPtr AddFamily(DbState* db, FamilyVersions* versions,
                    const ColumnFamilyOptions& options) {
  ColumnFamilyOptions actual = options;
  actual.persist_user_defined_timestamps = versions->persists_timestamps();
  auto family = std::make_shared<ColumnFamily>(
      db->store, versions, actual, db->readers,
      db->store.options.write_buffer_manager.get());
  family->SetOptions(actual);
  db->families->Add(family);
  return family;
}

Result<FamilyPtr> CreateFamily(DbState* db, const std::string& name,
                               const ColumnFamilyOptions& options) {
  FamilyPtr family;
  {
    MutexLock lock(&db->mu);
    Result<FamilyVersions*> versions = db->versions->CreateFamily(
        FamilyConfigOf(db->store, name, options), db->wals->current_number(),
        &db->mu, db->directory.get());
    if (!versions.ok()) return versions.status();
    family = AddFamily(db, *versions, options);
    family->StartMemTable(family->NewMemTable(db->versions->last_sequence()));
    const ViewRef none = family->PublishView();
    CheckState(*db);
  }
  db->wals->RecordTimestampSize(family->id(), family->icmp().timestamp_size());
  return family;
}

}  // namespace ROCKSDB_NAMESPACE::engine
