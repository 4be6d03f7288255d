// What DB does when a subclass does not say otherwise, and the small objects
// every program links against.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/trace/replayer.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/iterator.h"
#include "rocksdb/snapshot.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/utilities/replayer.h"

namespace ROCKSDB_NAMESPACE {

const std::string kDefaultColumnFamilyName = "default";
const std::string kPersistentStatsColumnFamilyName =
    "___rocksdb_stats_history___";

DB::~DB() = default;

FileSystem* DB::GetFileSystem() const {
  return GetEnv()->GetFileSystem().get();
}

// ---- Column families.

Status DB::CreateColumnFamily(const ColumnFamilyOptions&, const std::string&,
                              ColumnFamilyHandle**) {
  return Status::NotSupported("CreateColumnFamily");
}

Status DB::CreateColumnFamilies(
    const ColumnFamilyOptions& options,
    const std::vector<std::string>& column_family_names,
    std::vector<ColumnFamilyHandle*>* handles) {
  std::vector<ColumnFamilyDescriptor> families;
  families.reserve(column_family_names.size());
  for (const std::string& name : column_family_names) {
    families.emplace_back(name, options);
  }
  return CreateColumnFamilies(families, handles);
}

Status DB::CreateColumnFamilies(
    const std::vector<ColumnFamilyDescriptor>& column_families,
    std::vector<ColumnFamilyHandle*>* handles) {
  handles->clear();
  for (const ColumnFamilyDescriptor& family : column_families) {
    ColumnFamilyHandle* handle = nullptr;
    Status status = CreateColumnFamily(family.options, family.name, &handle);
    if (!status.ok()) return status;
    handles->push_back(handle);
  }
  return Status::OK();
}

Status DB::DropColumnFamily(ColumnFamilyHandle*) {
  return Status::NotSupported("DropColumnFamily");
}

Status DB::DropColumnFamilies(
    const std::vector<ColumnFamilyHandle*>& column_families) {
  for (ColumnFamilyHandle* handle : column_families) {
    Status status = DropColumnFamily(handle);
    if (!status.ok()) return status;
  }
  return Status::OK();
}

Status DB::DestroyColumnFamilyHandle(ColumnFamilyHandle* column_family) {
  if (DefaultColumnFamily() == column_family) {
    return Status::InvalidArgument(
        "Cannot destroy the handle returned by DefaultColumnFamily()");
  }
  delete column_family;
  return Status::OK();
}

// ---- Many keys at once.

std::vector<Status> DB::MultiGet(
    const ReadOptions& options,
    const std::vector<ColumnFamilyHandle*>& column_families,
    const std::vector<Slice>& keys, std::vector<std::string>* values,
    std::vector<std::string>* timestamps) {
  const size_t num_keys = keys.size();
  std::vector<Status> statuses(num_keys);
  values->assign(num_keys, std::string());
  if (timestamps != nullptr) timestamps->assign(num_keys, std::string());
  if (column_families.size() != num_keys) {
    statuses.assign(num_keys,
                    Status::InvalidArgument(
                        "MultiGet: expected a column family for each of " +
                            std::to_string(num_keys) + " keys",
                        "found " + std::to_string(column_families.size())));
    return statuses;
  }
  std::vector<ColumnFamilyHandle*> families = column_families;
  std::vector<PinnableSlice> pinned(num_keys);
  MultiGet(options, num_keys, families.data(), keys.data(), pinned.data(),
           timestamps == nullptr ? nullptr : timestamps->data(),
           statuses.data());
  for (size_t i = 0; i < num_keys; ++i) {
    if (statuses[i].ok()) {
      (*values)[i].assign(pinned[i].data(), pinned[i].size());
    }
  }
  return statuses;
}

// NOLINTNEXTLINE(readability-function-size): the interface's parameters.
void DB::MultiGetEntity(const ReadOptions&, size_t num_keys,
                        ColumnFamilyHandle**, const Slice*,
                        PinnableWideColumns*, Status* statuses, bool) {
  for (size_t i = 0; i < num_keys; ++i) {
    statuses[i] = Status::NotSupported("MultiGetEntity");
  }
}

// ---- Traces.

// Through `this`, so that a wrapper sees what is executed.
Status DB::NewDefaultReplayer(const std::vector<ColumnFamilyHandle*>& handles,
                              std::unique_ptr<TraceReader>&& reader,
                              std::unique_ptr<Replayer>* replayer) {
  return engine::NewReplayer(this, handles, std::move(reader), replayer);
}

// ---- Snapshots.

Snapshot::~Snapshot() = default;

ManagedSnapshot::ManagedSnapshot(DB* db)
    : db_(db), snapshot_(db->GetSnapshot()) {}

ManagedSnapshot::ManagedSnapshot(DB* db, const Snapshot* snapshot)
    : db_(db), snapshot_(snapshot) {}

ManagedSnapshot::~ManagedSnapshot() {
  if (snapshot_ != nullptr) db_->ReleaseSnapshot(snapshot_);
}

const Snapshot* ManagedSnapshot::snapshot() { return snapshot_; }

// ---- Iterators without entries.

namespace {

class EmptyIterator final : public Iterator {
 public:
  explicit EmptyIterator(Status status) : status_(std::move(status)) {}

  bool Valid() const override { return false; }
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void Seek(const Slice&) override {}
  void SeekForPrev(const Slice&) override {}
  void Next() override {}
  void Prev() override {}
  Slice key() const override { return {}; }
  Slice value() const override { return {}; }
  Status status() const override { return status_; }

 private:
  const Status status_;
};

}  // namespace

// The interface takes the name by value.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Status Iterator::GetProperty(std::string /*prop_name*/, std::string* prop) {
  if (prop == nullptr) return Status::InvalidArgument("prop is nullptr");
  return Status::InvalidArgument("Unidentified property.");
}

Iterator* NewEmptyIterator() { return new EmptyIterator(Status::OK()); }

Iterator* NewErrorIterator(const Status& status) {
  return new EmptyIterator(status);
}

}  // namespace ROCKSDB_NAMESPACE
