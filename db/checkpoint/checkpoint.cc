#include "rocksdb/utilities/checkpoint.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "db/checkpoint/deletions_off.h"
#include "db/format/file_names.h"
#include "env/file_copy.h"
#include "env/io_gate.h"
#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using engine::CopyFileSynced;
using engine::DeletionsOff;
using engine::FileCopyOptions;
using engine::LinkFileSynced;

// A directory that appears under its name only when it is complete.
class StagedDirectory {
 public:
  StagedDirectory(DB* db, std::string wanted)
      : fs_(db->GetFileSystem()),
        options_(db->GetDBOptions()),
        gate_(engine::NewCopyGate(options_)),
        final_(engine::WithoutTrailingSlashes(std::move(wanted))) {}
  ~StagedDirectory() {
    if (made_ && !published_) Remove();
  }
  StagedDirectory(const StagedDirectory&) = delete;
  StagedDirectory& operator=(const StagedDirectory&) = delete;

  const std::string& path() const { return final_; }

  Status Make() {
    if (final_.empty() || final_ == "/") {
      return Status::InvalidArgument("invalid directory name", final_);
    }
    // Make the path absolute: we need its parent directory.
    std::string absolute;
    RETURN_IF_ERROR(
        fs_->GetAbsolutePath(final_, IOOptions(), &absolute, nullptr));
    final_ = std::move(absolute);
    staging_ = final_ + ".tmp";
    if (fs_->FileExists(final_, IOOptions(), nullptr).ok()) {
      return Status::InvalidArgument("Directory exists", final_);
    }
    // Of a process that ended in the middle.
    if (fs_->FileExists(staging_, IOOptions(), nullptr).ok()) Remove();
    RETURN_IF_ERROR(fs_->CreateDir(staging_, IOOptions(), nullptr));
    made_ = true;
    return Status::OK();
  }

  // Links the file, or copies it where that cannot be. Tables and blob files
  // were synced before the MANIFEST named them; logs may not be.
  Status Link(const std::string& from, const std::string& name, uint64_t size,
              bool is_synced) {
    if (links_) {
      const std::string to = InStaging(name);
      const Status status =
          is_synced ? fs_->LinkFile(from, to, IOOptions(), nullptr)
                    : LinkFileSynced(fs_, from, to, options_.use_fsync);
      if (!status.IsNotSupported()) return status;
      links_ = false;
    }
    return Copy(from, name, size);
  }
  Status Copy(const std::string& from, const std::string& name, uint64_t size) {
    FileCopyOptions copy;
    copy.use_fsync = options_.use_fsync;
    copy.rate_limiter = options_.rate_limiter.get();
    copy.io_pass = engine::BackupPass(gate_.get());
    return CopyFileSynced(fs_, from, InStaging(name), size, copy);
  }
  Status Write(const std::string& name, const std::string& contents) {
    return engine::WriteFileSynced(fs_, InStaging(name), contents);
  }

  Status Publish() {
    RETURN_IF_ERROR(engine::SyncDirectory(fs_, staging_));
    RETURN_IF_ERROR(fs_->RenameFile(staging_, final_, IOOptions(), nullptr));
    published_ = true;
    return engine::SyncDirectory(fs_, engine::ParentDirectory(final_));
  }

 private:
  std::string InStaging(const std::string& name) const {
    return staging_ + "/" + name;
  }
  void Remove() {
    std::vector<std::string> names;
    (void)fs_->GetChildren(staging_, IOOptions(), &names, nullptr);
    for (const std::string& name : names) {
      (void)fs_->DeleteFile(InStaging(name), IOOptions(), nullptr);
    }
    (void)fs_->DeleteDir(staging_, IOOptions(), nullptr);
  }

  FileSystem* const fs_;
  const DBOptions options_;
  const std::unique_ptr<engine::IoGate> gate_;
  std::string final_;
  std::string staging_;
  bool made_ = false;
  bool published_ = false;
  bool links_ = true;
};

Status AddFile(const LiveFileStorageInfo& file, StagedDirectory* to) {
  const std::string from = file.directory + "/" + file.relative_filename;
  if (!file.replacement_contents.empty()) {
    return to->Write(file.relative_filename, file.replacement_contents);
  }
  if (file.trim_to_size || file.file_type == kOptionsFile) {
    return to->Copy(from, file.relative_filename, file.size);
  }
  return to->Link(from, file.relative_filename, file.size,
                  /*is_synced=*/file.file_type != kWalFile);
}

class CheckpointImpl final : public Checkpoint {
 public:
  explicit CheckpointImpl(DB* db) : db_(db) {}

  Status CreateCheckpoint(const std::string& checkpoint_dir,
                          uint64_t log_size_for_flush,
                          uint64_t* sequence_number_ptr) override {
    StagedDirectory directory(db_, checkpoint_dir);
    RETURN_IF_ERROR(directory.Make());
    const DeletionsOff deletions_off(db_);
    RETURN_IF_ERROR(deletions_off.status());
    const SequenceNumber sequence = db_->GetLatestSequenceNumber();
    LiveFilesStorageInfoOptions options;
    options.wal_size_for_flush = log_size_for_flush;
    std::vector<LiveFileStorageInfo> files;
    RETURN_IF_ERROR(db_->GetLiveFilesStorageInfo(options, &files));
    for (const LiveFileStorageInfo& file : files) {
      RETURN_IF_ERROR(AddFile(file, &directory));
    }
    RETURN_IF_ERROR(directory.Publish());
    if (sequence_number_ptr != nullptr) *sequence_number_ptr = sequence;
    return Status::OK();
  }

  Status ExportColumnFamily(ColumnFamilyHandle* handle,
                            const std::string& export_dir,
                            ExportImportFilesMetaData** metadata) override {
    if (metadata == nullptr || *metadata != nullptr) {
      return Status::InvalidArgument(
          "expected the address of a null pointer for metadata");
    }
    StagedDirectory directory(db_, export_dir);
    RETURN_IF_ERROR(directory.Make());
    RETURN_IF_ERROR(db_->Flush(FlushOptions(), handle));
    const DeletionsOff deletions_off(db_);
    RETURN_IF_ERROR(deletions_off.status());
    ColumnFamilyMetaData family;
    db_->GetColumnFamilyMetaData(handle, &family);
    if (family.blob_file_count > 0) {
      return Status::NotSupported("export of a column family with blob files",
                                  handle->GetName());
    }
    auto exported = std::make_unique<ExportImportFilesMetaData>();
    exported->db_comparator_name = handle->GetComparator()->Name();
    for (const LevelMetaData& level : family.levels) {
      for (const SstFileMetaData& file : level.files) {
        RETURN_IF_ERROR(
            directory.Link(file.directory + "/" + file.relative_filename,
                           file.relative_filename, file.size,
                           /*is_synced=*/true));
        LiveFileMetaData described;
        static_cast<SstFileMetaData&>(described) = file;
        described.column_family_name = handle->GetName();
        described.level = level.level;
        described.directory = described.db_path = directory.path();
        exported->files.push_back(std::move(described));
      }
    }
    RETURN_IF_ERROR(directory.Publish());
    *metadata = exported.release();
    return Status::OK();
  }

 private:
  DB* const db_;
};

}  // namespace

Status Checkpoint::Create(DB* db, Checkpoint** checkpoint_ptr) {
  *checkpoint_ptr = new CheckpointImpl(db);
  return Status::OK();
}

Status Checkpoint::CreateCheckpoint(const std::string&, uint64_t, uint64_t*) {
  return Status::NotSupported("CreateCheckpoint");
}

Status Checkpoint::ExportColumnFamily(ColumnFamilyHandle*, const std::string&,
                                      ExportImportFilesMetaData**) {
  return Status::NotSupported("ExportColumnFamily");
}

}  // namespace ROCKSDB_NAMESPACE
