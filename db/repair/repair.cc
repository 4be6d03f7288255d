// RepairDB: makes a database of what is left of one.
//
// Place. A client of the parts of db and, for its last step, of DB itself.
//
// Model.
//
//   lock -> read every table and log, and the newest readable MANIFEST
//     -> unreadable tables to lost/, damaged records out of the logs
//     -> a new MANIFEST: families, all tables in level 0 -> CURRENT
//     -> old MANIFESTs to lost/ -> open: logs become tables
//     -> families whose tables have no order of age are merged -> close
//
// Nothing is deleted but what an open deletes. Until CURRENT names the new
// MANIFEST the database is as it was, and a repair that was cut short can be
// run again.
//
// Invariants:
//   (1) An entry that is in a readable part of a table, or in a sound record
//       of a log, is in the repaired database, unless its family is known to
//       have been dropped.
//   (2) Sequences, and so the order of versions, stay.
//   (3) A prepared transaction is committed by a commit that a log has, and
//       otherwise stays prepared: the logs that hold it stay.
//
// Threads. One.

#include <algorithm>
#include <cassert>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "db/db_impl/family_setup.h"
#include "db/format/database_lock.h"
#include "db/format/file_names.h"
#include "db/manifest/version_edit.h"
#include "db/options/validate.h"
#include "db/repair/clean_log.h"
#include "db/repair/found_files.h"
#include "db/wal/log_writer.h"
#include "env/file_writer.h"
#include "env/info_log.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE {

namespace engine {

namespace {

using Descriptors = std::vector<ColumnFamilyDescriptor>;

constexpr uint32_t kDefaultFamilyId = 0;

// Of a family whose name nothing tells.
std::string LostFamilyName(uint32_t id) {
  return id == kDefaultFamilyId ? kDefaultColumnFamilyName
                                : "lost_column_family_" + std::to_string(id);
}

// What becomes of one family.
struct RepairedFamily {
  std::string name;
  ColumnFamilyOptions options;
  std::vector<FilePtr> files;
  SequenceNumber last_sequence = 0;  // Of its tables.
  uint64_t log_number = 0;
};

class Repairer {
 public:
  // `unknown`: null to refuse families that are not among `families`.
  Repairer(const std::string& db, const DBOptions& options,
           Descriptors families, const ColumnFamilyOptions* unknown)
      : given_(std::move(families)), unknown_(unknown) {
    store_.dbname = db;
    store_.options = SanitizeOptions(db, options);
    store_.wal_dir =
        store_.options.wal_dir.empty() ? db : store_.options.wal_dir;
    store_.fs = store_.options.env->GetFileSystem().get();
    store_.clock = store_.options.env->GetSystemClock().get();
    store_.info_log = store_.options.info_log.get();
  }
  Repairer(const Repairer&) = delete;
  Repairer& operator=(const Repairer&) = delete;

  Status Run();

 private:
  Status ReadTables();
  Status ReadLogs();
  const Comparator* ComparatorNamed(const std::string& name) const;
  Status AddFamilies();
  Status AddFamily(uint32_t id, const std::string& name,
                   const std::string& comparator_name);
  Status CheckBlobFiles() const;
  bool TablesAreMissing() const;
  void ChooseLogNumbers();
  void ChooseLogNumber(uint32_t id, RepairedFamily* family) const;
  void ChooseLogsToKeep();
  Status WriteManifest();
  Status WriteEdits(wal::Writer* log) const;
  Status PutTablesAside();
  Status PutManifestsAside();
  Status OpenOnce();

  StoreContext store_;
  const Descriptors given_;
  const ColumnFamilyOptions* const unknown_;

  DatabaseLock lock_;
  FoundFiles found_;
  std::optional<ManifestState> old_;
  bool old_is_complete_ = false;
  std::vector<FoundTable> tables_;
  std::vector<FoundFiles::Named> lost_;
  std::vector<LogSummary> logs_;
  std::map<uint32_t, RepairedFamily> families_;
  // Logs from here on are read and stay. 0: those the families need.
  uint64_t min_log_number_to_keep_ = 0;
  uint64_t manifest_number_ = 0;
};

Status Repairer::ReadTables() {
  std::vector<std::vector<std::string>> dirs{
      TableDirsOf(store_, ColumnFamilyOptions())};
  for (const ColumnFamilyDescriptor& family : given_) {
    dirs.push_back(TableDirsOf(store_, family.options));
  }
  if (unknown_ != nullptr) dirs.push_back(TableDirsOf(store_, *unknown_));
  auto found = FindFiles(store_, dirs);
  if (!found.ok()) return found.status();
  found_ = std::move(*found);
  auto old = ReadOldManifest(store_, found_);
  if (!old.ok()) return old.status();
  if (*old) {
    old_ = std::move((*old)->state);
    old_is_complete_ = (*old)->is_complete;
  }
  for (const FoundFiles::Named& name : found_.tables) {
    auto table = ReadTable(
        store_, name,
        [this](const std::string& n) { return ComparatorNamed(n); },
        old_ ? &*old_ : nullptr);
    if (table.ok()) {
      tables_.push_back(std::move(*table));
      continue;
    }
    // Only what is wrong with the file itself makes it lost.
    const Status& why = table.status();
    if (!why.IsCorruption() && !why.IsNotSupported()) return why;
    Warn(store_.info_log, "Table #%llu: ignored: %s",
         static_cast<unsigned long long>(name.number), why.ToString().c_str());
    lost_.push_back(name);
  }
  // Of two families of one name the older one was dropped.
  std::sort(tables_.begin(), tables_.end(),
            [](const FoundTable& a, const FoundTable& b) {
              return a.family_id > b.family_id;
            });
  return Status::OK();
}

const Comparator* Repairer::ComparatorNamed(const std::string& name) const {
  if (name.empty()) return BytewiseComparator();
  for (const ColumnFamilyDescriptor& family : given_) {
    if (name == family.options.comparator->Name()) {
      return family.options.comparator;
    }
  }
  if (unknown_ != nullptr && name == unknown_->comparator->Name()) {
    return unknown_->comparator;
  }
  const Comparator* built_in = nullptr;
  return Comparator::CreateFromString(ConfigOptions(), name, &built_in).ok()
             ? built_in
             : nullptr;
}

Status Repairer::ReadLogs() {
  LogTally tally;
  for (const uint64_t number : found_.logs) {
    auto log = CleanLog(store_, number, &tally);
    if (!log.ok()) return log.status();
    if (log->damaged > 0) {
      Warn(store_.info_log, "Log #%llu: %llu damaged records left out",
           static_cast<unsigned long long>(number),
           static_cast<unsigned long long>(log->damaged));
    }
    logs_.push_back(std::move(*log));
  }
  return Status::OK();
}

Status Repairer::AddFamily(uint32_t id, const std::string& name,
                           const std::string& comparator_name) {
  if (families_.contains(id)) return Status::OK();
  RepairedFamily family;
  const bool taken =
      std::any_of(families_.begin(), families_.end(),
                  [&](const auto& other) { return other.second.name == name; });
  family.name = taken ? LostFamilyName(id) : name;
  const auto it = std::find_if(
      given_.begin(), given_.end(),
      [&](const auto& given) { return given.name == family.name; });
  if (it != given_.end()) {
    family.options = it->options;
  } else if (unknown_ != nullptr) {
    family.options = *unknown_;
  } else {
    return Status::InvalidArgument(
        "Column family not among those given to RepairDB", name);
  }
  const std::string given = family.options.comparator->Name();
  if (!comparator_name.empty() && comparator_name != given) {
    // A repair that was told nothing may still know the comparator.
    const Comparator* const known = ComparatorNamed(comparator_name);
    if (it != given_.end() || known == nullptr) {
      return Status::InvalidArgument(
          "comparator of column family " + name + " is " + comparator_name,
          "not " + given);
    }
    family.options.comparator = known;
  }
  families_.emplace(id, std::move(family));
  return Status::OK();
}

Status Repairer::AddFamilies() {
  if (old_) {
    for (const auto& [id, family] : old_->families) {
      RETURN_IF_ERROR(AddFamily(id, family.name, family.comparator_name));
    }
  }
  const auto dropped = [this](uint32_t id) {
    return old_ && old_is_complete_ && id <= old_->max_column_family &&
           !old_->families.contains(id);
  };
  for (const FoundTable& table : tables_) {
    if (dropped(table.family_id)) continue;
    const std::string name = table.family_name.empty()
                                 ? LostFamilyName(table.family_id)
                                 : table.family_name;
    RETURN_IF_ERROR(AddFamily(table.family_id, name, table.comparator_name));
    assert(families_.contains(table.family_id));
    RepairedFamily& family = families_[table.family_id];
    family.files.push_back(table.file);
    family.last_sequence =
        std::max(family.last_sequence, table.file->largest_sequence);
  }
  for (const LogSummary& log : logs_) {
    for (const uint32_t id : log.families) {
      if (dropped(id)) continue;
      RETURN_IF_ERROR(AddFamily(id, LostFamilyName(id), ""));
    }
  }
  return AddFamily(kDefaultFamilyId, kDefaultColumnFamilyName, "");
}

// A blob file can only be put in place by a MANIFEST that knows it.
Status Repairer::CheckBlobFiles() const {
  for (const auto& [id, family] : families_) {
    for (const FilePtr& file : family.files) {
      if (file->oldest_blob_file == kNoBlobFile) continue;
      return Status::NotSupported("repair of a database with blob files",
                                  store_.dbname);
    }
  }
  return Status::OK();
}

// The old MANIFEST names a table that is not there.
bool Repairer::TablesAreMissing() const {
  if (!old_) return false;
  std::set<uint64_t> numbers;
  for (const FoundTable& table : tables_) numbers.insert(table.file->number);
  for (const auto& [id, family] : old_->families) {
    for (const auto& [number, live] : family.files) {
      if (!numbers.contains(number)) return true;
    }
  }
  return false;
}

// A log whose records of a family are all in tables of it need not, and with
// merge operands must not, be replayed for it. When a table is lost nothing is
// certain, and everything is replayed.
void Repairer::ChooseLogNumbers() {
  if (!lost_.empty() || HasLostTables(store_) || TablesAreMissing()) return;
  for (auto& [id, family] : families_) ChooseLogNumber(id, &family);
  ChooseLogsToKeep();
}

// A complete MANIFEST knows; sequences tell as long as they have not become 0
// at the bottom.
void Repairer::ChooseLogNumber(uint32_t id, RepairedFamily* family) const {
  if (old_ && old_is_complete_) {
    const auto known = old_->families.find(id);
    if (known != old_->families.end()) {
      family->log_number = known->second.log_number;
    }
    return;
  }
  for (const LogSummary& log : logs_) {
    const auto last = log.last_sequences.find(id);
    if (last != log.last_sequences.end() &&
        last->second > family->last_sequence) {
      return;
    }
    family->log_number = log.number + 1;
  }
}

// Prepared data exists only in the log, even when tables contain later entries:
// its commit may be in a later log, or may not have been written yet.
void Repairer::ChooseLogsToKeep() {
  uint64_t keep_from = UINT64_MAX;
  if (old_ && old_is_complete_) {
    keep_from = old_->min_log_number_to_keep;
  } else {
    const auto oldest =
        std::find_if(logs_.begin(), logs_.end(),
                     [](const LogSummary& log) { return log.has_sections; });
    if (oldest != logs_.end()) keep_from = oldest->number;
  }
  assert(!families_.empty());
  for (const auto& [id, family] : families_) {
    keep_from = std::min(keep_from, family.log_number);
  }
  min_log_number_to_keep_ = keep_from;
}

Status Repairer::WriteEdits(wal::Writer* log) const {
  const auto add = [log](const VersionEdit& edit) -> Status {
    std::string record;
    edit.EncodeTo(&record);
    return log->AddRecord(record);
  };
  assert(families_.contains(kDefaultFamilyId));
  assert(manifest_number_ > found_.number_max);  // No name is used twice.
  VersionEdit whole;
  whole.next_file_number = manifest_number_ + 1;
  whole.log_number = 0;
  whole.last_sequence = 0;
  whole.max_column_family = families_.rbegin()->first;
  if (old_) {
    whole.last_sequence = old_->last_sequence;
    whole.max_column_family =
        std::max(*whole.max_column_family, old_->max_column_family);
  }
  for (const auto& [id, family] : families_) {
    whole.last_sequence = std::max(*whole.last_sequence, family.last_sequence);
  }
  RETURN_IF_ERROR(add(whole));
  for (const auto& [id, family] : families_) {
    VersionEdit edit;
    edit.column_family = id;
    edit.comparator_name = family.options.comparator->Name();
    if (id != kDefaultFamilyId) edit.added_family = family.name;
    RETURN_IF_ERROR(add(edit));
    VersionEdit content;
    content.column_family = id;
    content.log_number = family.log_number;
    if (id == kDefaultFamilyId && min_log_number_to_keep_ != 0) {
      content.min_log_number_to_keep = min_log_number_to_keep_;
    }
    for (const FilePtr& file : family.files) {
      assert(file->number < manifest_number_);
      assert(file->largest_sequence <= *whole.last_sequence);  // (2)
      content.AddFile(0, file);
    }
    RETURN_IF_ERROR(add(content));
  }
  return Status::OK();
}

Status Repairer::WriteManifest() {
  assert(manifest_number_ == 0);  // Once.
  manifest_number_ = found_.number_max + 1;
  // Half a MANIFEST must not be taken for one by the next repair.
  const std::string temporary = TempFileName(store_.dbname, manifest_number_);
  FileOptions options(store_.options);
  options.use_direct_writes = false;
  auto file = WritableFileWriter::Create(store_.fs, temporary, options);
  if (!file.ok()) return file.status();
  wal::Writer log(std::move(*file), manifest_number_, /*recycle=*/false,
                  /*manual_flush=*/true);
  Status status = WriteEdits(&log);
  if (status.ok()) status = log.Sync(store_.options.use_fsync);
  const Status closed = log.Close();
  if (status.ok()) status = closed;
  if (status.ok()) {
    status = store_.fs->RenameFile(
        temporary, DescriptorFileName(store_.dbname, manifest_number_),
        IOOptions(), nullptr);
  }
  if (status.ok()) status = SyncDirectory(store_.fs, store_.dbname);
  RETURN_IF_ERROR(status);
  std::unique_ptr<FSDirectory> directory;
  RETURN_IF_ERROR(
      store_.fs->NewDirectory(store_.dbname, IOOptions(), &directory, nullptr));
  return SetCurrentFile(store_.fs, store_.dbname, manifest_number_,
                        directory.get());
}

// What the new MANIFEST does not name: an open would delete it.
Status Repairer::PutTablesAside() {
  for (const FoundFiles::Named& table : lost_) {
    RETURN_IF_ERROR(
        MoveToLost(store_.fs, table.dir, TableBaseName(table.number)));
  }
  for (const FoundTable& table : tables_) {
    if (families_.contains(table.family_id)) continue;
    for (const FoundFiles::Named& name : found_.tables) {
      if (name.number != table.file->number) continue;
      RETURN_IF_ERROR(
          MoveToLost(store_.fs, name.dir, TableBaseName(name.number)));
    }
  }
  return Status::OK();
}

Status Repairer::PutManifestsAside() {
  for (const uint64_t number : found_.manifests) {
    RETURN_IF_ERROR(
        MoveToLost(store_.fs, store_.dbname, DescriptorBaseName(number)));
  }
  return Status::OK();
}

Status Repairer::OpenOnce() {
  DBOptions options = store_.options;
  options.create_if_missing = false;
  options.error_if_exists = false;
  options.wal_recovery_mode = WALRecoveryMode::kTolerateCorruptedTailRecords;
  options.avoid_flush_during_recovery = false;
  options.track_and_verify_wals = false;  // Cleaned logs have other sizes.
  Descriptors descriptors;
  for (const auto& [id, family] : families_) {
    descriptors.emplace_back(family.name, family.options);
    descriptors.back().options.disable_auto_compactions = true;
  }
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> db;
  RETURN_IF_ERROR(DB::Open(options, store_.dbname, descriptors, &handles, &db));
  assert(handles.size() == families_.size());
  Status status;
  size_t i = 0;
  for (const auto& [id, family] : families_) {
    ColumnFamilyHandle* const handle = handles[i++];
    if (status.ok() && NeedMerge(family.options.comparator, family.files)) {
      CompactRangeOptions merge;
      merge.bottommost_level_compaction = BottommostLevelCompaction::kForce;
      status = db->CompactRange(merge, handle, nullptr, nullptr);
    }
    const Status destroyed = db->DestroyColumnFamilyHandle(handle);
    if (status.ok()) status = destroyed;
  }
  const Status closed = db->Close();
  return status.ok() ? closed : status;
}

Status Repairer::Run() {
  RETURN_IF_ERROR(lock_.Take(store_.fs, store_.dbname));
  RETURN_IF_ERROR(ReadTables());
  RETURN_IF_ERROR(ReadLogs());
  RETURN_IF_ERROR(AddFamilies());
  RETURN_IF_ERROR(CheckBlobFiles());
  ChooseLogNumbers();
  RETURN_IF_ERROR(PutTablesAside());
  RETURN_IF_ERROR(WriteManifest());
  RETURN_IF_ERROR(PutManifestsAside());
  lock_.Release();
  RETURN_IF_ERROR(OpenOnce());
  uint64_t files = 0;
  uint64_t bytes = 0;
  for (const auto& [id, family] : families_) {
    for (const FilePtr& file : family.files) {
      ++files;
      bytes += file->size;
    }
  }
  Warn(store_.info_log,
       "**** Repaired rocksdb %s; recovered %llu files; %llu bytes. Some data "
       "may have been lost. ****",
       store_.dbname.c_str(), static_cast<unsigned long long>(files),
       static_cast<unsigned long long>(bytes));
  return Status::OK();
}

}  // namespace

}  // namespace engine

Status RepairDB(const std::string& dbname, const DBOptions& db_options,
                const std::vector<ColumnFamilyDescriptor>& column_families) {
  return engine::Repairer(dbname, db_options, column_families, nullptr).Run();
}

Status RepairDB(const std::string& dbname, const DBOptions& db_options,
                const std::vector<ColumnFamilyDescriptor>& column_families,
                const ColumnFamilyOptions& unknown_cf_opts) {
  return engine::Repairer(dbname, db_options, column_families, &unknown_cf_opts)
      .Run();
}

Status RepairDB(const std::string& dbname, const Options& options) {
  const ColumnFamilyOptions family(options);
  return engine::Repairer(dbname, DBOptions(options), {}, &family).Run();
}

}  // namespace ROCKSDB_NAMESPACE
