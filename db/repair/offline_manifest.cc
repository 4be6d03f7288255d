#include "db/repair/offline_manifest.h"

#include <utility>

#include "db/db_impl/family_setup.h"
#include "db/format/file_names.h"
#include "db/options/validate.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE::engine {

Result<std::unique_ptr<OfflineManifest>> OfflineManifest::Open(
    const DBOptions& options, const std::string& db,
    const std::vector<ColumnFamilyDescriptor>& families) {
  Env* const env = options.env == nullptr ? Env::Default() : options.env;
  FileSystem* const fs = env->GetFileSystem().get();
  std::unique_ptr<OfflineManifest> opened(new OfflineManifest(fs, db));
  RETURN_IF_ERROR(opened->lock_.Take(fs, db));
  RETURN_IF_ERROR(
      fs->NewDirectory(db, IOOptions(), &opened->directory_, nullptr));
  StoreContext store;
  store.dbname = db;
  store.options = SanitizeOptions(db, options);
  std::vector<FamilyConfig> configs;
  configs.reserve(families.size());
  for (const ColumnFamilyDescriptor& family : families) {
    configs.push_back(FamilyConfigOf(
        store, family.name, SanitizeOptions(store.options, family.options)));
  }
  VersionSet::Deps deps;
  deps.db = db;
  deps.fs = fs;
  opened->versions_ = std::make_unique<VersionSet>(std::move(deps));
  const auto recovered =
      opened->versions_->Recover(configs, /*read_only=*/false);
  if (!recovered.ok()) return recovered.status();
  opened->versions_->SetDbId(recovered->manifest_db_id);
  // What is written now must not depend on a tail that may be torn.
  opened->versions_->ForceNewManifest();
  return opened;
}

OfflineManifest::~OfflineManifest() {
  if (versions_ != nullptr) versions_->Close().PermitUncheckedError();
}

Status OfflineManifest::Apply(FamilyVersions* family, VersionEdit* edit) {
  MutexLock lock(&mu_);
  RETURN_IF_ERROR(versions_->LogAndApply(family, edit, &mu_, directory_.get()));
  for (const uint64_t number : versions_->TakeObsoleteManifests()) {
    fs_->DeleteFile(DescriptorFileName(db_, number), IOOptions(), nullptr)
        .PermitUncheckedError();
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
