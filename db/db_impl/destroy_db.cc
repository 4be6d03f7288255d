// DestroyDB and ListColumnFamilies: what can be asked of a closed database.

#include <set>

#include "db/db_impl/family_setup.h"
#include "db/format/database_lock.h"
#include "db/format/file_names.h"
#include "db/manifest/version_set.h"
#include "db/options/validate.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

namespace engine {

namespace {

// Deletes the files of `dir` that are a database's, LOCK and LOG included;
// returns the first error, after trying them all.
Status DeleteOurFiles(FileSystem* fs, const std::string& dir,
                      const std::string& info_log_prefix) {
  std::vector<std::string> names;
  if (!fs->GetChildren(dir, IOOptions(), &names, nullptr).ok()) {
    return Status::OK();  // There is no such directory.
  }
  Status first;
  const std::string prefix = dir + "/";
  for (const std::string& name : names) {
    ParsedFileName parsed;
    if (!ParseFileName(name, info_log_prefix, &parsed) ||
        parsed.type == kDBLockFile) {
      continue;
    }
    const Status status = fs->DeleteFile(prefix + name, IOOptions(), nullptr);
    if (first.ok()) first = status;
  }
  return first;
}

}  // namespace

}  // namespace engine

Status DestroyDB(const std::string& name, const Options& options,
                 const std::vector<ColumnFamilyDescriptor>& column_families) {
  using engine::DeleteOurFiles;
  const DBOptions db_options =
      engine::SanitizeOptions(name, DBOptions(options));
  FileSystem* const fs = db_options.env->GetFileSystem().get();
  const IOOptions io;
  if (!fs->FileExists(name, io, nullptr).ok()) return Status::OK();

  engine::DatabaseLock lock;
  RETURN_IF_ERROR(lock.Take(fs, name));
  std::set<std::string> dirs;
  for (const DbPath& path : db_options.db_paths) dirs.insert(path.path);
  for (const DbPath& path : options.cf_paths) dirs.insert(path.path);
  for (const ColumnFamilyDescriptor& family : column_families) {
    for (const DbPath& path : family.options.cf_paths) dirs.insert(path.path);
  }
  if (!db_options.wal_dir.empty()) dirs.insert(db_options.wal_dir);
  if (!db_options.db_log_dir.empty()) dirs.insert(db_options.db_log_dir);
  dirs.erase(name);
  const std::string log_prefix =
      engine::InfoLogPrefix(name, db_options.db_log_dir);
  Status first =
      DeleteOurFiles(fs, engine::ArchivalDirectory(name), log_prefix);
  for (const std::string& dir : dirs) {
    const Status status = DeleteOurFiles(fs, dir, log_prefix);
    if (first.ok()) first = status;
    (void)fs->DeleteDir(dir, io, nullptr);  // Not ours alone: may stay.
  }
  const Status status = DeleteOurFiles(fs, name, log_prefix);
  if (first.ok()) first = status;
  lock.Release();
  (void)fs->DeleteFile(engine::LockFileName(name), io, nullptr);
  (void)fs->DeleteDir(engine::ArchivalDirectory(name), io, nullptr);
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
  if (!names.ok()) return names.status();
  *column_families = std::move(*names);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
