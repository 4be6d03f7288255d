// The functions of rocksdb/experimental.h.
//
// Place. Clients of DB, and for the MANIFEST of OfflineManifest.

#include "rocksdb/experimental.h"

#include <memory>

#include "db/repair/offline_manifest.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::experimental {

namespace {

Status CheckTarget(const char* function, const DB* db,
                   const ColumnFamilyHandle* family) {
  if (db != nullptr && family != nullptr) return Status::OK();
  return Status::InvalidArgument(function, db == nullptr
                                               ? "the database is null"
                                               : "the column family is null");
}

// What the file system says, as far as it knows temperatures.
engine::Result<Temperature> TemperatureOf(FileSystem* fs,
                                          const std::string& path) {
  std::unique_ptr<FSRandomAccessFile> file;
  RETURN_IF_ERROR(fs->NewRandomAccessFile(path, FileOptions(), &file, nullptr));
  return file->GetTemperature();
}

// An edit for the tables of the family whose temperature is another one.
Status AddTemperatures(FileSystem* fs, const engine::FamilyVersions& family,
                       engine::VersionEdit* edit) {
  const engine::Version& version = *family.current();
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const engine::FilePtr& file : version.files(level)) {
      const auto now = TemperatureOf(fs, file->Path());
      if (!now.ok()) return now.status();
      if (*now == Temperature::kUnknown || *now == file->temperature) continue;
      engine::FileFacts facts = *file;
      facts.temperature = *now;
      edit->DeleteFile(level, file->number);
      edit->AddFile(level, std::make_shared<engine::FileMetaData>(facts));
    }
  }
  return Status::OK();
}

}  // namespace

Status SuggestCompactRange(DB* db, ColumnFamilyHandle* column_family,
                           const Slice* begin, const Slice* end) {
  RETURN_IF_ERROR(CheckTarget("SuggestCompactRange", db, column_family));
  return db->SuggestCompactRange(column_family, begin, end);
}

Status SuggestCompactRange(DB* db, const Slice* begin, const Slice* end) {
  return SuggestCompactRange(
      db, db == nullptr ? nullptr : db->DefaultColumnFamily(), begin, end);
}

Status PromoteL0(DB* db, ColumnFamilyHandle* column_family, int target_level) {
  RETURN_IF_ERROR(CheckTarget("PromoteL0", db, column_family));
  return db->PromoteL0(column_family, target_level);
}

Status UpdateManifestForFilesState(
    const DBOptions& db_opts, const std::string& db_name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    const UpdateManifestForFilesStateOptions& opts) {
  if (!opts.update_temperatures) return Status::OK();
  Env* const env = db_opts.env == nullptr ? Env::Default() : db_opts.env;
  FileSystem* const fs = env->GetFileSystem().get();
  const auto manifest =
      engine::OfflineManifest::Open(db_opts, db_name, column_families);
  if (!manifest.ok()) return manifest.status();
  for (engine::FamilyVersions* family : (*manifest)->families()) {
    engine::VersionEdit edit;
    RETURN_IF_ERROR(AddTemperatures(fs, *family, &edit));
    if (edit.ChangesFiles()) {
      RETURN_IF_ERROR((*manifest)->Apply(family, &edit));
    }
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::experimental
