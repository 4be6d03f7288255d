// The public calls that open a database; Opener does it.

#include <memory>
#include <string>
#include <vector>

#include "db/db_impl/db_impl.h"
#include "db/db_impl/opener.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Families = std::vector<ColumnFamilyDescriptor>;
using Handles = std::vector<ColumnFamilyHandle*>;

const OpenMode kWritable;

// How often a read-only open begins anew because a process that writes has
// pulled files away.
constexpr int kOpenAttemptsMax = 20;

}  // namespace

// NOLINTNEXTLINE(readability-function-size): what the public calls are given.
Status OpenWith(const DBOptions& options, const std::string& name,
                const Families& families, Handles* handles,
                std::unique_ptr<DB>* db, const OpenMode& mode) {
  db->reset();
  if (handles != nullptr) handles->clear();
  for (int attempt = 1;; ++attempt) {
    Opener opener(options, name, families, mode);
    const Status status = opener.Run();
    if (opener.OvertakenByWriter(status)) {
      if (attempt < kOpenAttemptsMax) continue;
      return Status::TryAgain(
          name,
          "a process that writes changes its files faster than they can "
          "be read");
    }
    RETURN_IF_ERROR(status);
    *db = opener.Release(handles);
    return Status::OK();
  }
}

namespace {

// NOLINTNEXTLINE(readability-function-size): what the public calls are given.
Status OpenSecondary(const DBOptions& options, const std::string& name,
                     const std::string& secondary_path,
                     const Families& families, Handles* handles,
                     std::unique_ptr<DB>* db) {
  if (secondary_path.empty()) {
    db->reset();
    return Status::InvalidArgument(
        "OpenAsSecondary: expected a directory for the secondary's own files, "
        "found an empty path");
  }
  return OpenWith(options, name, families, handles, db,
                  {true, false, secondary_path});
}

// As OpenWith, for writing, without what is later than `after`.
// NOLINTNEXTLINE(readability-function-size): what the public calls are given.
Status OpenTrimmed(const DBOptions& options, const std::string& name,
                   const Families& families, Handles* handles,
                   std::unique_ptr<DB>* db, const std::string& after) {
  db->reset();
  if (handles == nullptr) {
    return Status::InvalidArgument("OpenAndTrimHistory: handles is nullptr");
  }
  handles->clear();
  if (options.avoid_flush_during_recovery) {
    return Status::InvalidArgument(
        "OpenAndTrimHistory: avoid_flush_during_recovery must be false");
  }
  for (const ColumnFamilyDescriptor& family : families) {
    if (family.options.comparator == nullptr) continue;  // Not opened.
    const size_t size = family.options.comparator->timestamp_size();
    if (size == 0 || size == after.size()) continue;
    return Status::InvalidArgument(
        "OpenAndTrimHistory: timestamps of column family " + family.name +
        " have " + std::to_string(size) + " bytes, that of the call " +
        std::to_string(after.size()));
  }
  std::unique_ptr<DB> opened;
  RETURN_IF_ERROR(OpenWith(options, name, families, handles, &opened, {}));
  auto* const impl = static_cast<DBImpl*>(opened.get());
  for (ColumnFamilyHandle* handle : *handles) {
    if (handle->GetComparator()->timestamp_size() == 0) continue;
    const Status status = impl->TrimHistory(handle, after);
    if (status.ok()) continue;
    for (ColumnFamilyHandle* each : *handles) {
      opened->DestroyColumnFamilyHandle(each).PermitUncheckedError();
    }
    handles->clear();
    return status;
  }
  *db = std::move(opened);
  return Status::OK();
}

// The older style hands the object over as a raw pointer.
template <typename Open>
Status AsRaw(DB** raw, Open open) {
  *raw = nullptr;
  std::unique_ptr<DB> db;
  Status status = open(&db);
  *raw = db.release();
  return status;
}

Families DefaultOnly(const Options& options) {
  return {{kDefaultColumnFamilyName, ColumnFamilyOptions(options)}};
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

using engine::AsRaw;
using engine::DefaultOnly;
using engine::kWritable;
using engine::OpenSecondary;
using engine::OpenTrimmed;
using engine::OpenWith;

Status DB::Open(const Options& options, const std::string& name,
                std::unique_ptr<DB>* dbptr) {
  return OpenWith(options, name, DefaultOnly(options), nullptr, dbptr,
                  kWritable);
}

Status DB::Open(const DBOptions& db_options, const std::string& name,
                const std::vector<ColumnFamilyDescriptor>& column_families,
                std::vector<ColumnFamilyHandle*>* handles,
                std::unique_ptr<DB>* dbptr) {
  return OpenWith(db_options, name, column_families, handles, dbptr, kWritable);
}

Status DB::Open(const Options& options, const std::string& name, DB** dbptr) {
  return AsRaw(
      dbptr, [&](std::unique_ptr<DB>* db) { return Open(options, name, db); });
}

Status DB::Open(const DBOptions& db_options, const std::string& name,
                const std::vector<ColumnFamilyDescriptor>& column_families,
                std::vector<ColumnFamilyHandle*>* handles, DB** dbptr) {
  return AsRaw(dbptr, [&](std::unique_ptr<DB>* db) {
    return Open(db_options, name, column_families, handles, db);
  });
}

Status DB::OpenAndTrimHistory(
    const DBOptions& db_options, const std::string& dbname,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr,
    std::string trim_ts) {  // NOLINT(performance-unnecessary-value-param)
  return OpenTrimmed(db_options, dbname, column_families, handles, dbptr,
                     trim_ts);
}

Status DB::OpenAndTrimHistory(
    const DBOptions& db_options, const std::string& dbname,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, DB** dbptr,
    std::string trim_ts) {  // NOLINT(performance-unnecessary-value-param)
  return AsRaw(dbptr, [&](std::unique_ptr<DB>* db) {
    return OpenTrimmed(db_options, dbname, column_families, handles, db,
                       trim_ts);
  });
}

Status DB::OpenForReadOnly(const Options& options, const std::string& name,
                           std::unique_ptr<DB>* dbptr,
                           bool /*error_if_wal_file_exists*/) {
  return OpenWith(options, name, DefaultOnly(options), nullptr, dbptr,
                  {true, false, {}});
}

Status DB::OpenForReadOnly(
    const DBOptions& db_options, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr,
    bool error_if_wal_file_exists) {
  return OpenWith(db_options, name, column_families, handles, dbptr,
                  {true, error_if_wal_file_exists, {}});
}

Status DB::OpenAsSecondary(const Options& options, const std::string& name,
                           const std::string& secondary_path,
                           std::unique_ptr<DB>* dbptr) {
  return OpenSecondary(options, name, secondary_path, DefaultOnly(options),
                       nullptr, dbptr);
}

Status DB::OpenAsSecondary(
    const DBOptions& db_options, const std::string& name,
    const std::string& secondary_path,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, std::unique_ptr<DB>* dbptr) {
  return OpenSecondary(db_options, name, secondary_path, column_families,
                       handles, dbptr);
}

Status DB::OpenAsSecondary(const Options& options, const std::string& name,
                           const std::string& secondary_path, DB** dbptr) {
  return AsRaw(dbptr, [&](std::unique_ptr<DB>* db) {
    return OpenAsSecondary(options, name, secondary_path, db);
  });
}

Status DB::OpenAsSecondary(
    const DBOptions& db_options, const std::string& name,
    const std::string& secondary_path,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, DB** dbptr) {
  return AsRaw(dbptr, [&](std::unique_ptr<DB>* db) {
    return OpenAsSecondary(db_options, name, secondary_path, column_families,
                           handles, db);
  });
}

Status DB::OpenForReadOnly(const Options& options, const std::string& name,
                           DB** dbptr, bool error_if_wal_file_exists) {
  return AsRaw(dbptr, [&](std::unique_ptr<DB>* db) {
    return OpenForReadOnly(options, name, db, error_if_wal_file_exists);
  });
}

Status DB::OpenForReadOnly(
    const DBOptions& db_options, const std::string& name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles, DB** dbptr,
    bool error_if_wal_file_exists) {
  return AsRaw(dbptr, [&](std::unique_ptr<DB>* db) {
    return OpenForReadOnly(db_options, name, column_families, handles, db,
                           error_if_wal_file_exists);
  });
}

}  // namespace ROCKSDB_NAMESPACE
