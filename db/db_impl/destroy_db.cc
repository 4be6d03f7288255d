// DestroyDB and ListColumnFamilies: what can be asked of a closed database.

#include "db/db_impl/family_setup.h"
#include "db/format/database_lock.h"
#include "db/format/directory_roles.h"
#include "db/format/file_names.h"
#include "db/manifest/version_set.h"
#include "db/options/validate.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

namespace engine {

namespace {

// Deletes the files of `dir` that are a database's in a directory of these
// roles, but LOCK; returns the first error, after trying them all.
Status DeleteOurFiles(FileSystem* fs, const std::string& dir, unsigned roles,
                      const std::string& info_log_prefix) {
  std::vector<std::string> names;
  if (!fs->GetChildren(dir, IOOptions(), &names, nullptr).ok()) {
    return Status::OK();  // There is no such directory.
  }
  Status first;
  const std::string prefix = dir + "/";
  for (const std::string& name : names) {
    ParsedFileName parsed;
    const bool known = ParseFileName(name, info_log_prefix, &parsed) ||
                       ParseTrashName(name, &parsed);
    if (!known || parsed.type == kDBLockFile ||
        !HoldsKind(roles, parsed.type)) {
      continue;
    }
    const Status status = fs->DeleteFile(prefix + name, IOOptions(), nullptr);
    if (first.ok()) first = status;
  }
  return first;
}

// All but the database's own.
DirectoryRoles OtherDirectories(
    const std::string& name, const DBOptions& db_options,
    const ColumnFamilyOptions& default_family,
    const std::vector<ColumnFamilyDescriptor>& families) {
  DirectoryRoles dirs;
  const auto add = [&dirs](const std::string& dir, DirectoryRole role) {
    dirs[WithoutTrailingSlashes(dir)] |= role;
  };
  const auto add_paths = [&add](const std::vector<DbPath>& paths) {
    for (const DbPath& path : paths) add(path.path, kTablesRole);
  };
  add_paths(db_options.db_paths);
  add_paths(default_family.cf_paths);
  for (const ColumnFamilyDescriptor& family : families) {
    add_paths(family.options.cf_paths);
  }
  const std::string wal_dir =
      db_options.wal_dir.empty() ? name : db_options.wal_dir;
  add(wal_dir, kLogsRole);
  add(ArchivalDirectory(wal_dir), kLogsRole);
  add(ArchivalDirectory(name), kLogsRole);
  if (!db_options.db_log_dir.empty()) add(db_options.db_log_dir, kInfoLogRole);
  dirs.erase(WithoutTrailingSlashes(name));
  return dirs;
}

}  // namespace

}  // namespace engine

Status DestroyDB(const std::string& name, const Options& options,
                 const std::vector<ColumnFamilyDescriptor>& column_families) {
  const DBOptions db_options =
      engine::SanitizeOptions(name, DBOptions(options));
  FileSystem* const fs = db_options.env->GetFileSystem().get();
  const IOOptions io;
  if (!fs->FileExists(name, io, nullptr).ok()) return Status::OK();

  engine::DatabaseLock lock;
  RETURN_IF_ERROR(lock.Take(fs, name));
  const std::string log_prefix =
      engine::InfoLogPrefixOf(fs, name, db_options.db_log_dir);
  const engine::DirectoryRoles dirs =
      engine::OtherDirectories(name, db_options, options, column_families);
  Status first;
  // Backwards: what is in another one comes before that.
  for (auto it = dirs.rbegin(); it != dirs.rend(); ++it) {
    const auto& [dir, roles] = *it;
    const Status status = engine::DeleteOurFiles(fs, dir, roles, log_prefix);
    if (first.ok()) first = status;
    // Not ours alone: it stays unless it is empty. That of LOG always stays, as
    // in RocksDB.
    if (roles != engine::kInfoLogRole) (void)fs->DeleteDir(dir, io, nullptr);
  }
  const Status status =
      engine::DeleteOurFiles(fs, name, engine::kDatabaseRole, log_prefix);
  if (first.ok()) first = status;
  // In this order: a database that takes the lock in between would have none.
  (void)fs->DeleteFile(engine::LockFileName(name), io, nullptr);
  lock.Release();
  (void)fs->DeleteDir(name, io, nullptr);
  return first;
}

Status DB::ListColumnFamilies(const DBOptions& db_options,
                              const std::string& name,
                              std::vector<std::string>* column_families) {
  column_families->clear();
  FileSystem* const fs = db_options.env->GetFileSystem().get();
  engine::Result<std::vector<std::string>> names =
      engine::ListFamilies(fs, name);
  if (names.status().IsNotFound()) {  // As an open says it.
    return Status::PathNotFound(engine::CurrentFileName(name));
  }
  if (!names.ok()) return names.status();
  *column_families = std::move(*names);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
