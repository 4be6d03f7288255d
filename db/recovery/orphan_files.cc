#include "db/recovery/orphan_files.h"

#include <algorithm>
#include <set>

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// A file whose writer crashed before the footer is not in the MANIFEST. A file
// that no table is linked to may have been deleted already, with garbage that
// was not counted. If a table refers to it nevertheless, reading reports it.
Status CheckBlobFile(FileSystem* fs, const BlobFile& file, bool is_linked) {
  const std::string path = file.Path();
  uint64_t size = 0;
  const Status status = fs->GetFileSize(path, IOOptions(), &size, nullptr);
  if (status.ok() && size == file.size()) return Status::OK();
  if (!is_linked && IsMissing(fs->FileExists(path, IOOptions(), nullptr))) {
    return Status::OK();
  }
  return Status::Corruption(
      path, "expected a blob file of " + std::to_string(file.size()) +
                " bytes, found " +
                (status.ok() ? std::to_string(size) : status.ToString()));
}

Status CheckTable(FileSystem* fs, const FileMetaData& file) {
  const std::string path = file.Path();
  uint64_t size = 0;
  Status status = fs->GetFileSize(path, IOOptions(), &size, nullptr);
  if (IsMissing(status)) {
    const std::string older =
        OldTableFileName(file.home->Dir(file.path_id), file.number);
    status = fs->GetFileSize(older, IOOptions(), &size, nullptr);
  }
  if (!status.ok()) {
    return Status::Corruption(path, "expected a table of " +
                                        std::to_string(file.size) +
                                        " bytes, found " + status.ToString());
  }
  if (size == file.size) return Status::OK();
  return Status::Corruption(path, "expected a table of " +
                                      std::to_string(file.size) +
                                      " bytes, found " + std::to_string(size));
}

}  // namespace

Result<DirectoryListing> ListDirectories(FileSystem* fs, const std::string& db,
                                         const std::string& wal_dir,
                                         const std::vector<std::string>& dirs,
                                         bool missing_is_empty) {
  DirectoryListing listing;
  std::set<std::string> all(dirs.begin(), dirs.end());
  all.insert(db);
  all.insert(wal_dir);
  for (const std::string& dir : all) {
    std::vector<std::string> names;
    const Status status = fs->GetChildren(dir, IOOptions(), &names, nullptr);
    if (missing_is_empty && IsMissing(status)) continue;
    RETURN_IF_ERROR(status);
    for (const std::string& name : names) {
      FoundFile found{dir, name, {}};
      if (!ParseFileName(name, &found.parsed)) continue;
      // LOG.old.<time> does not draw from the counter of file numbers.
      if (found.parsed.type != kInfoLogFile) {
        listing.max_number = std::max(listing.max_number, found.parsed.number);
      }
      if (found.parsed.type == kWalFile && dir == wal_dir) {
        listing.logs.push_back(found.parsed.number);
      }
      listing.files.push_back(std::move(found));
    }
  }
  std::sort(listing.logs.begin(), listing.logs.end());
  return listing;
}

Status CheckLiveFiles(FileSystem* fs, const VersionSet& versions) {
  std::vector<FilePtr> files;
  for (const FamilyVersions* family : versions.families()) {
    const Version& version = *family->current();
    std::set<uint64_t> linked;
    for (int level = 0; level < version.num_levels(); ++level) {
      const std::vector<FilePtr>& of_level = version.files(level);
      files.insert(files.end(), of_level.begin(), of_level.end());
      for (const FilePtr& file : of_level) {
        linked.insert(file->oldest_blob_file);
      }
    }
    for (const LiveBlobFile& blob : version.blobs().files) {
      RETURN_IF_ERROR(
          CheckBlobFile(fs, *blob.file, linked.contains(blob.number())));
    }
  }
  for (const FilePtr& file : files) RETURN_IF_ERROR(CheckTable(fs, *file));
  return Status::OK();
}

Status CheckTrackedLogs(FileSystem* fs, const std::string& wal_dir,
                        const VersionSet::Recovered& recovered,
                        uint64_t min_log_number) {
  for (const auto& [number, synced] : recovered.tracked_wals) {
    if (number < min_log_number || !synced.has_value()) continue;
    const std::string path = LogFileName(wal_dir, number);
    uint64_t size = 0;
    const Status status = fs->GetFileSize(path, IOOptions(), &size, nullptr);
    if (status.ok() && size >= *synced) continue;
    return Status::Corruption(
        path, "expected a log of at least " + std::to_string(*synced) +
                  " bytes, found " +
                  (status.ok() ? std::to_string(size) : status.ToString()));
  }
  return Status::OK();
}

std::vector<uint64_t> LogsToReplay(const DirectoryListing& listing,
                                   uint64_t min_log_number) {
  const auto first = std::lower_bound(listing.logs.begin(), listing.logs.end(),
                                      min_log_number);
  return {first, listing.logs.end()};
}

}  // namespace ROCKSDB_NAMESPACE::engine
