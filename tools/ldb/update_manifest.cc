#include <cstdio>

#include "db/repair/offline_manifest.h"
#include "rocksdb/file_system.h"
#include "tools/ldb/command.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

// What the file system says, as far as it knows temperatures.
engine::Result<Temperature> TemperatureOf(const std::string& path) {
  std::unique_ptr<FSRandomAccessFile> file;
  RETURN_IF_ERROR(FileSystem::Default()->NewRandomAccessFile(
      path, FileOptions(), &file, nullptr));
  return file->GetTemperature();
}

// An edit for the tables of the family whose temperature is another one.
Status AddChanges(const engine::FamilyVersions& family,
                  engine::VersionEdit* edit) {
  const engine::Version& version = *family.current();
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const engine::FilePtr& file : version.files(level)) {
      const auto now = TemperatureOf(file->Path());
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

Outcome UpdateManifest(const Arguments& arguments) {
  if (!arguments.Bool("update_temperatures")) {
    return Outcome::Fail(
        "No action like --update_temperatures specified for update_manifest");
  }
  const auto options = OptionsOf(arguments, OpenMode::kWritable);
  if (!options.ok()) return options.status();
  const auto manifest = engine::OfflineManifest::Open(
      options->db, arguments.Text("db"), options->families);
  if (!manifest.ok()) return manifest.status();
  for (engine::FamilyVersions* family : (*manifest)->families()) {
    engine::VersionEdit edit;
    RETURN_IF_ERROR(AddChanges(*family, &edit));
    if (edit.ChangesFiles()) {
      RETURN_IF_ERROR((*manifest)->Apply(family, &edit));
    }
  }
  std::fputs("Manifest updates successful\n", stderr);
  return Status::OK();
}

const char* const kUpdateManifestFlags[] = {"update_temperatures"};

}  // namespace

const Command kUpdateManifest = {
    "update_manifest",
    "[--update_temperatures]      MUST NOT be used on a live DB.",
    kUpdateManifestFlags, true, UpdateManifest};

}  // namespace ROCKSDB_NAMESPACE::ldb
