#include "db/file_deletion/file_deletion.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/format/file_names.h"
#include "util/held_locks.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr size_t kOptionsFilesKept = 2;

// Would the scan remove a file of this name, by its kind and number alone?
bool MayGo(const ParsedFileName& parsed, bool is_temporary_options,
           const DeletionWork& work) {
  const uint64_t n = parsed.number;
  switch (parsed.type) {
    case kWalFile:
      return n < work.min_log_number && !work.kept_logs.contains(n);
    case kDescriptorFile:
      return n < work.manifest_number;
    case kTableFile:
      return n < work.min_pending_output && !work.live_tables.contains(n);
    case kBlobFile:
      return n < work.min_pending_output && !work.live_blobs.contains(n);
    case kTempFile:
      return !is_temporary_options && n < work.min_pending_output &&
             n != work.pending_manifest_number;
    default:
      return false;
  }
}

}  // namespace

FileDeletion::FileDeletion(Deps deps, const std::vector<std::string>& dirs)
    : deps_(std::move(deps)) {
  AddDirs(dirs);
  dirs_[deps_.db] |= kDatabaseRole;
  dirs_[deps_.wal_dir] |= kLogsRole;
}

FileDeletion::Protection FileDeletion::ProtectOutputs() {
  // MinPendingOutput() relies on the order.
  assert(protected_.empty() ||
         protected_.back() <= deps_.versions->next_file_number());  // (2)
  protected_.push_back(deps_.versions->next_file_number());
  return std::prev(protected_.end());
}

void FileDeletion::Release(Protection protection) {
  assert(!protected_.empty());
  protected_.erase(protection);
}

uint64_t FileDeletion::MinPendingOutput() const {
  // Numbers are handed out in ascending order, so the list is sorted.
  return protected_.empty() ? deps_.versions->next_file_number()
                            : protected_.front();
}

void FileDeletion::AddDirs(const std::vector<std::string>& dirs) {
  for (const std::string& dir : dirs) dirs_[dir] |= kTablesRole;
}

void FileDeletion::AddObsoleteLog(uint64_t number, uint64_t size_bytes) {
  assert(number != 0);
  queued_.push_back(
      {kWalFile, number, LogFileName(deps_.wal_dir, number), 0, size_bytes});
}

void FileDeletion::AddFile(FileToDelete file) {
  assert(!file.path.empty());
  queued_.push_back(std::move(file));
}

int FileDeletion::Enable(bool force) {
  disabled_ = force ? 0 : std::max(disabled_ - 1, 0);
  return disabled_;
}

void FileDeletion::AddFilesOf(const VersionEdit& edit,
                              const std::string& blob_dir) {
  for (const NewFile& added : edit.new_files) {
    AddFile({kTableFile, added.file->number, added.file->Path(),
             edit.column_family, added.file->size});
  }
  for (const BlobFileAddition& blob : edit.blob_additions) {
    AddFile({kBlobFile, blob.number, BlobFileName(blob_dir, blob.number),
             edit.column_family, blob.blob_bytes});
  }
}

bool FileDeletion::HasQueuedWork() const {
  if (disabled()) return false;
  return !queued_.empty() || !deps_.obsolete->empty() ||
         deps_.versions->HasObsoleteManifests();
}

DeletionWork FileDeletion::Collect(bool scan) {
  DeletionWork work;
  if (disabled()) return work;  // (1)
  for (ObsoleteFile& file : deps_.obsolete->Take()) {
    work.files.push_back({file.type, file.number, std::move(file.path),
                          file.family_id, file.size});
  }
  for (FileToDelete& file : queued_) work.files.push_back(std::move(file));
  queued_.clear();
  for (const uint64_t number : deps_.versions->TakeObsoleteManifests()) {
    work.files.push_back(
        {kDescriptorFile, number, DescriptorFileName(deps_.db, number), 0, 0});
  }
  // A file of a doubtful edit waits until a MANIFEST has settled its fate.
  const std::set<uint64_t>& doubtful = deps_.versions->quarantined_files();
  std::erase_if(work.files, [&](FileToDelete& file) {
    const bool named_by_edits =
        file.type == kTableFile || file.type == kBlobFile;
    // version_set.h (5)
    if (!named_by_edits || !doubtful.contains(file.number)) return false;
    queued_.push_back(std::move(file));
    return true;
  });

  if (scan) {
    work.scan = true;
    work.dirs = dirs_;
    deps_.versions->AddLiveFiles(&work.live_tables);
    work.live_tables.insert(doubtful.begin(), doubtful.end());
    deps_.versions->AddLiveBlobFiles(&work.live_blobs);
    work.live_blobs.insert(doubtful.begin(), doubtful.end());
    work.min_pending_output = MinPendingOutput();
    work.min_log_number = deps_.versions->MinLogNumberToKeep();
    work.manifest_number = deps_.versions->manifest_number();
    work.pending_manifest_number = deps_.versions->pending_manifest_number();
    if (deps_.add_kept_logs) deps_.add_kept_logs(&work.kept_logs);
  }
  if (!work.empty()) running_.fetch_add(1, std::memory_order_acq_rel);
  return work;
}

namespace {
thread_local bool deleting_here = false;
}  // namespace

bool FileDeletion::IsDeletingHere() { return deleting_here; }

void FileDeletion::Delete(DeletionWork work) {
  if (work.empty()) return;
  assert(!HoldsLock(LockRank::kState));
  assert(running_.load(std::memory_order_relaxed) > 0);  // (1)
  const bool nested = std::exchange(deleting_here, true);
  if (work.scan) {
    std::set<std::string> queued;
    for (const FileToDelete& file : work.files) queued.insert(file.path);
    std::vector<FileToDelete> found;
    Scan(work, &found);
    for (FileToDelete& file : found) {
      if (!queued.contains(file.path)) work.files.push_back(std::move(file));
    }
  }
  for (const FileToDelete& file : work.files) Remove(file);
  deleting_here = nested;
  [[maybe_unused]] const auto running =
      running_.fetch_sub(1, std::memory_order_acq_rel);
  assert(running > 0);
}

void FileDeletion::Scan(const DeletionWork& work,
                        std::vector<FileToDelete>* out) const {
  for (const auto& [dir, roles] : work.dirs) {
    ScanDirectory(dir, roles, work, out);
  }
  KeepNewest(kOptionsFile, kOptionsFilesKept, out);
  KeepNewest(kInfoLogFile, deps_.keep_log_files, out);
}

void FileDeletion::ScanDirectory(const std::string& dir, unsigned roles,
                                 const DeletionWork& work,
                                 std::vector<FileToDelete>* out) const {
  std::vector<std::string> names;
  const IOStatus status =
      deps_.fs->GetChildren(dir, IOOptions(), &names, nullptr);
  if (!status.ok()) return;  // The next scan finds what is left.
  const std::string parent = dir + "/";
  for (const std::string& name : names) {
    ParsedFileName parsed;
    if (IsTrashName(name)) {
      if ((roles & kDatabaseRole) != 0 ||
          (ParseTrashName(name, &parsed) && HoldsKind(roles, parsed.type))) {
        out->push_back({kTempFile, 0, parent + name, 0, 0});
      }
      continue;
    }
    if (!ParseFileName(name, &parsed) || !HoldsKind(roles, parsed.type)) {
      continue;
    }
    const bool temporary_options = name.starts_with("OPTIONS-");
    if (MayGo(parsed, temporary_options, work)) {
      out->push_back({parsed.type, parsed.number, parent + name, 0, 0});
    }
  }
}

// Files of `type` in their directory beyond the newest `count`.
void FileDeletion::KeepNewest(FileType type, size_t count,
                              std::vector<FileToDelete>* out) const {
  const bool is_log = type == kInfoLogFile;
  const std::string& dir =
      is_log && !deps_.log_dir.empty() ? deps_.log_dir : deps_.db;
  const std::string prefix = InfoLogPrefix(deps_.db, deps_.log_dir);
  std::vector<std::string> names;
  if (!deps_.fs->GetChildren(dir, IOOptions(), &names, nullptr).ok()) return;

  std::vector<FileToDelete> found;
  const std::string parent = dir + "/";
  for (const std::string& name : names) {
    ParsedFileName parsed;
    if (!ParseFileName(name, prefix, &parsed) || parsed.type != type) continue;
    // The LOG being written has no number; it counts and stays.
    const uint64_t number =
        is_log && parsed.number == 0 ? UINT64_MAX : parsed.number;
    found.push_back({type, number, parent + name, 0, 0});
  }
  if (found.size() <= count) return;
  std::sort(found.begin(), found.end(),
            [](const FileToDelete& a, const FileToDelete& b) {
              return a.number > b.number;
            });
  for (size_t i = std::max<size_t>(count, 1); i < found.size(); ++i) {
    out->push_back(std::move(found[i]));
  }
}

Status FileDeletion::DeleteByName(const FileToDelete& file,
                                  const std::string& path) const {
  const bool is_data = file.type == kTableFile || file.type == kBlobFile;
  if (deps_.delete_file && (is_data || IsTrashName(path))) {
    return deps_.delete_file(path);
  }
  return deps_.fs->DeleteFile(path, IOOptions(), nullptr);
}

void FileDeletion::Remove(const FileToDelete& file) {
  const bool has_reader = file.type == kTableFile || file.type == kBlobFile;
  if (has_reader && deps_.evict_reader) deps_.evict_reader(file.number);
  Status status = DeleteByName(file, file.path);
  if (file.type == kTableFile && IsMissing(status)) {
    // The older spelling of a table's name.
    status = DeleteByName(
        file, OldTableFileName(ParentDirectory(file.path), file.number));
  }
  // A concurrent pass, a scan or one of the queue, has deleted it.
  if (IsMissing(status)) status = Status::OK();
  if (deps_.on_deleted) deps_.on_deleted(file, status);
}

}  // namespace ROCKSDB_NAMESPACE::engine
