// The half of DBImpl that is about files as such: their properties and
// checksums, which there are, taking in new ones.

#include <algorithm>
#include <utility>

#include "db/db_impl/db_impl.h"
#include "db/db_impl/family_import.h"
#include "db/db_impl/live_files.h"
#include "db/db_impl/update_iterator.h"
#include "db/recovery/orphan_files.h"
#include "env/file_checksum.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "util/perf_context.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// A family's tables, pinned.
struct PinnedFamily {
  FamilyPtr family;
  ViewRef view;
};

std::vector<PinnedFamily> PinAll(DbState* db) {
  std::vector<FamilyPtr> families;
  {
    MutexLock lock(&db->mu);
    families = db->families->all();
  }
  std::vector<PinnedFamily> pinned;
  pinned.reserve(families.size());
  for (const FamilyPtr& family : families) {
    pinned.push_back({family, family->views().Pin()});
  }
  return pinned;
}

// Calls `visit(file, level)` until one fails.
template <typename Visit>
Status ForEachFile(const Version& version, Visit&& visit) {
  for (int level = 0; level < version.num_non_empty_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      RETURN_IF_ERROR(visit(*file, level));
    }
  }
  return Status::OK();
}

Status AddProperties(const ColumnFamily& family, const FileMetaData& file,
                     int level, TablePropertiesCollection* properties) {
  auto table = family.tables().Find(file, level);
  if (!table.ok()) return table.status();
  (*properties)[file.Path()] = (*table)->properties();
  return Status::OK();
}

}  // namespace

Status DBImpl::GetPropertiesOfAllTables(ColumnFamilyHandle* column_family,
                                        TablePropertiesCollection* props) {
  props->clear();
  const FamilyPtr& family = FamilyOf(column_family);
  const ViewRef view = family->views().Pin();
  return ForEachFile(*view->version, [&](const FileMetaData& file, int level) {
    return AddProperties(*family, file, level, props);
  });
}

Status DBImpl::GetPropertiesOfTablesInRange(ColumnFamilyHandle* column_family,
                                            const Range* range, std::size_t n,
                                            TablePropertiesCollection* props) {
  props->clear();
  const FamilyPtr& family = FamilyOf(column_family);
  const ViewRef view = family->views().Pin();
  const Version& version = *view->version;
  for (size_t i = 0; i < n; ++i) {
    for (int level = 0; level < version.num_non_empty_levels(); ++level) {
      for (const FilePtr& file :
           version.FilesTouching(level, &range[i].start, &range[i].limit)) {
        RETURN_IF_ERROR(AddProperties(*family, *file, level, props));
      }
    }
  }
  return Status::OK();
}

Status DBImpl::GetPropertiesOfTablesByLevel(
    ColumnFamilyHandle* column_family,
    std::vector<std::unique_ptr<TablePropertiesCollection>>* props_by_level) {
  props_by_level->clear();
  const FamilyPtr& family = FamilyOf(column_family);
  const ViewRef view = family->views().Pin();
  for (int level = 0; level < view->version->num_levels(); ++level) {
    props_by_level->push_back(std::make_unique<TablePropertiesCollection>());
  }
  return ForEachFile(*view->version, [&](const FileMetaData& file, int level) {
    return AddProperties(*family, file, level,
                         (*props_by_level)[static_cast<size_t>(level)].get());
  });
}

LogWriters DBImpl::Writers() {
  if (read_only_) return {};
  return {&pipeline_,
          [this] { return AfterLogCall(state_->wals->Flush(Env::IO_TOTAL)); }};
}

Status DBImpl::GetLiveFilesStorageInfo(
    const LiveFilesStorageInfoOptions& opts,
    std::vector<LiveFileStorageInfo>* files) {
  if (!read_only_ && state_->wals->total_bytes() >= opts.wal_size_for_flush) {
    RETURN_IF_ERROR(
        FlushEverything(FlushReason::kGetLiveFiles, opts.atomic_flush));
  }
  return ListLiveFiles(state_.get(), Writers(), opts.include_checksum_info,
                       files);
}

Status DBImpl::GetLiveFiles(std::vector<std::string>& ret,
                            uint64_t* manifest_file_size, bool flush_memtable) {
  ret.clear();
  LiveFilesStorageInfoOptions opts;
  opts.wal_size_for_flush = flush_memtable ? 0 : UINT64_MAX;
  std::vector<LiveFileStorageInfo> files;
  RETURN_IF_ERROR(GetLiveFilesStorageInfo(opts, &files));
  std::string manifest;
  for (const LiveFileStorageInfo& file : files) {
    if (file.file_type == kWalFile) continue;
    if (file.file_type == kDescriptorFile) {
      manifest = "/" + file.relative_filename;
      *manifest_file_size = file.size;
      continue;
    }
    ret.push_back("/" + file.relative_filename);
    // RocksDB's order; old programs count from the end.
    if (file.file_type == kCurrentFile) ret.push_back(manifest);
  }
  return Status::OK();
}

Status DBImpl::GetLiveFilesChecksumInfo(FileChecksumList* checksum_list) {
  if (checksum_list == nullptr) {
    return Status::InvalidArgument("checksum_list is nullptr");
  }
  checksum_list->reset();
  MutexLock lock(&state_->mu);
  for (const FamilyPtr& family : state_->families->all()) {
    RETURN_IF_ERROR(ForEachFile(
        *family->versions()->current(), [&](const FileMetaData& file, int) {
          return checksum_list->InsertOneFileChecksum(
              file.number, file.checksum,
              file.checksum.empty() ? kUnknownFileChecksumFuncName
                                    : file.checksum_function);
        }));
    for (const LiveBlobFile& blob :
         family->versions()->current()->blobs().files) {
      const BlobFileAddition& facts = blob.file->facts;
      RETURN_IF_ERROR(checksum_list->InsertOneFileChecksum(
          facts.number, facts.checksum_value,
          facts.checksum_value.empty() ? kUnknownFileChecksumFuncName
                                       : facts.checksum_method));
    }
  }
  return Status::OK();
}

// 0 when some file's is unknown.
Status DBImpl::GetCreationTimeOfOldestFile(uint64_t* creation_time) {
  *creation_time = UINT64_MAX;
  MutexLock lock(&state_->mu);
  for (const FamilyPtr& family : state_->families->all()) {
    RETURN_IF_ERROR(ForEachFile(
        *family->versions()->current(), [&](const FileMetaData& file, int) {
          *creation_time = std::min(*creation_time, file.creation_time_secs);
          return Status::OK();
        }));
  }
  return Status::OK();
}

Status DBImpl::GetUpdatesSince(
    SequenceNumber seq_number, std::unique_ptr<TransactionLogIterator>* iter,
    const TransactionLogIterator::ReadOptions& read_options) {
  iter->reset();
  RETURN_IF_ERROR(CheckWritable());
  UpdateIterator::Deps deps;
  deps.fs = state_->store.fs;
  deps.wal_dir = state_->store.wal_dir;
  deps.file_options = FileOptions(state_->store.options);
  deps.verify_checksums = read_options.verify_checksums_;
  DbState* const db = state_.get();
  deps.logs = [db]() -> Result<std::vector<uint64_t>> {
    Result<DirectoryListing> listing =
        ListDirectories(db->store.fs, db->store.wal_dir, db->store.wal_dir, {},
                        /*missing_is_empty=*/true);
    if (!listing.ok()) return listing.status();
    return std::move(listing->logs);
  };
  deps.last_published = [db] { return db->versions->last_sequence(); };
  deps.failed = [db](uint64_t log_number, uint64_t offset) {
    return db->wals->HasFailed(log_number, offset);
  };
  auto updates = std::make_unique<UpdateIterator>(std::move(deps));
  RETURN_IF_ERROR(updates->SeekTo(seq_number));
  *iter = std::move(updates);
  return Status::OK();
}

Status DBImpl::GetSortedWalFiles(VectorWalPtr& files) {
  return ListWalFiles(state_.get(), Writers(), &files);
}

Status DBImpl::GetCurrentWalFile(std::unique_ptr<WalFile>* current_wal_file) {
  return CurrentWalFile(*state_, current_wal_file);
}

Status DBImpl::CreateColumnFamilyWithImport(
    const ColumnFamilyOptions& options, const std::string& column_family_name,
    const ImportColumnFamilyOptions& import_options,
    const std::vector<const ExportImportFilesMetaData*>& metadatas,
    ColumnFamilyHandle** handle) {
  ColumnFamilyHandle* made = nullptr;
  *handle = nullptr;
  // The family may be there although its options could not be written.
  Status status = CreateColumnFamily(options, column_family_name, &made);
  if (made == nullptr) return status;
  if (status.ok()) {
    FamilyImport import;
    import.db = state_.get();
    import.stalls = &stalls_;
    import.pipeline = &pipeline_;
    import.family = FamilyOf(made);
    import.move_files = import_options.move_files;
    import.metadatas = metadatas;
    status = ImportTables(import);
  }
  if (!status.ok()) {
    (void)DropColumnFamily(made);
    (void)DestroyColumnFamilyHandle(made);
  } else {
    *handle = made;
  }
  MutexLock lock(&state_->mu);
  ScheduleIfDue();
  NotifyStallListeners();
  DeleteObsolete();
  return status;
}

Status DBImpl::IngestExternalFile(
    ColumnFamilyHandle* column_family,
    const std::vector<std::string>& external_files,
    const IngestExternalFileOptions& options) {
  IngestExternalFileArg arg;
  arg.column_family = column_family;
  arg.external_files = external_files;
  arg.options = options;
  return IngestExternalFiles({arg});
}

Status DBImpl::IngestExternalFiles(
    const std::vector<IngestExternalFileArg>& args) {
  RETURN_IF_ERROR(CheckWritable());
  std::vector<FileIngester::Request> requests;
  requests.reserve(args.size());
  for (const IngestExternalFileArg& arg : args) {
    if (arg.column_family == nullptr) {
      return Status::InvalidArgument("An ingestion names no column family");
    }
    requests.push_back({FamilyOf(arg.column_family), &arg});
  }
  return ingester_.Ingest(requests);
}

namespace {

// Adds what its thread has read from files when it ends.
class VerifiedBytes {
 public:
  explicit VerifiedBytes(Statistics* statistics)
      : statistics_(statistics), before_(Contexts().io.bytes_read) {}
  ~VerifiedBytes() {
    RecordTick(statistics_, VERIFY_CHECKSUM_READ_BYTES,
               Contexts().io.bytes_read - before_);
  }
  VerifiedBytes(const VerifiedBytes&) = delete;
  VerifiedBytes& operator=(const VerifiedBytes&) = delete;

 private:
  Statistics* const statistics_;
  const uint64_t before_;
};

}  // namespace

Status DBImpl::VerifyChecksum(const ReadOptions& read_options) {
  const VerifiedBytes verified(state_->store.statistics);
  ReadOptions options = read_options;
  options.io_activity = Env::IOActivity::kVerifyDBChecksum;
  for (const PinnedFamily& pinned : PinAll(state_.get())) {
    RETURN_IF_ERROR(ForEachFile(
        *pinned.view->version, [&](const FileMetaData& file, int level) {
          if (state_->closing) return Status::ShutdownInProgress();
          auto table = pinned.family->tables().Find(file, level);
          if (!table.ok()) return table.status();
          return (*table)->VerifyChecksums(options);
        }));
  }
  return Status::OK();
}

Status DBImpl::VerifyFileChecksums(const ReadOptions& read_options) {
  FileChecksumGenFactory* const factory =
      state_->store.options.file_checksum_gen_factory.get();
  if (factory == nullptr) {
    return Status::InvalidArgument(
        "Cannot verify file checksum if options.file_checksum_gen_factory is "
        "null");
  }
  const VerifiedBytes verified(state_->store.statistics);
  const auto verify = [&](const std::string& path, uint64_t size,
                          const std::string& checksum,
                          const std::string& function) -> Status {
    if (state_->closing) return Status::ShutdownInProgress();
    if (checksum.empty()) return Status::OK();
    const auto found =
        ChecksumOfFile(state_->store.fs, path, size, factory, function,
                       read_options.rate_limiter_priority);
    if (!found.ok()) return found.status();
    if (found->value == checksum) return Status::OK();
    return Status::Corruption(path + ": file checksum mismatch: expected " +
                              Slice(checksum).ToString(true) + ", found " +
                              Slice(found->value).ToString(true));
  };
  for (const PinnedFamily& pinned : PinAll(state_.get())) {
    const Version& version = *pinned.view->version;
    RETURN_IF_ERROR(ForEachFile(version, [&](const FileMetaData& file, int) {
      return verify(file.Path(), file.size, file.checksum,
                    file.checksum_function);
    }));
    for (const LiveBlobFile& blob : version.blobs().files) {
      const BlobFileAddition& facts = blob.file->facts;
      RETURN_IF_ERROR(verify(blob.file->Path(), blob.file->size(),
                             facts.checksum_value, facts.checksum_method));
    }
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
