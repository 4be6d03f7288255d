// The half of DBImpl that is about files as such: their properties and
// checksums.

#include <utility>

#include "db/db_impl/db_impl.h"
#include "env/file_checksum.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"

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

Status DBImpl::VerifyChecksum(const ReadOptions& read_options) {
  for (const PinnedFamily& pinned : PinAll(state_.get())) {
    RETURN_IF_ERROR(ForEachFile(
        *pinned.view->version, [&](const FileMetaData& file, int level) {
          if (state_->closing) return Status::ShutdownInProgress();
          auto table = pinned.family->tables().Find(file, level);
          if (!table.ok()) return table.status();
          return (*table)->VerifyChecksums(read_options);
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
  const auto verify = [&](const FileMetaData& file, int) -> Status {
    if (state_->closing) return Status::ShutdownInProgress();
    if (file.checksum.empty()) return Status::OK();
    const auto found = ChecksumOfFile(state_->store.fs, file.Path(), file.size,
                                      factory, file.checksum_function,
                                      read_options.rate_limiter_priority);
    if (!found.ok()) return found.status();
    if (found->value == file.checksum) return Status::OK();
    return Status::Corruption(file.Path() +
                              ": file checksum mismatch: expected " +
                              Slice(file.checksum).ToString(true) + ", found " +
                              Slice(found->value).ToString(true));
  };
  for (const PinnedFamily& pinned : PinAll(state_.get())) {
    RETURN_IF_ERROR(ForEachFile(*pinned.view->version, verify));
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
