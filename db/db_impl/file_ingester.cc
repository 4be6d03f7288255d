#include "db/db_impl/file_ingester.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include "db/column_family/check_state.h"
#include "db/db_impl/wal_tracking.h"
#include "db/events/db_events.h"
#include "db/external/external_table.h"
#include "db/external/held_keys.h"
#include "db/external/placement.h"
#include "db/format/file_names.h"
#include "env/file_checksum.h"
#include "env/file_copy.h"
#include "env/io_gate.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "table/table_unique_id.h"
#include "util/mutex_unlock.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

struct IngestedFile {
  ExternalTable table;
  uint64_t number = 0;
  std::string path;      // In the database.
  bool created = false;  // Or tried to.
  FileChecksum checksum;
  int level = 0;
  SequenceNumber sequence = 0;
};

// What one family takes in.
struct Part {
  FamilyPtr family;
  const IngestExternalFileArg* arg = nullptr;
  std::vector<IngestedFile> files;  // In the order given.
  bool overlap_each_other = false;
  VersionEdit edit;
  // Keep the ranges free until the files are installed.
  std::vector<std::unique_ptr<CompactionPlan>> holds;

  const IngestExternalFileOptions& options() const { return arg->options; }
  // Keys have timestamps.
  bool timed() const { return family->icmp().timestamp_size() > 0; }
};

bool MemoryOverlaps(const Part& part) {
  const ViewRef view = part.family->views().Pin();
  const InternalKeyComparator& icmp = part.family->icmp();
  return std::any_of(
      part.files.begin(), part.files.end(), [&](const IngestedFile& file) {
        const auto holds = [&](const MemTablePtr& memtable) {
          return HoldsKeys(*memtable, icmp, file.table.first, file.table.last);
        };
        return holds(view->mem) ||
               std::any_of(view->imm->begin(), view->imm->end(), holds);
      });
}

bool FilesOverlap(const InternalKeyComparator& icmp,
                  const std::vector<IngestedFile>& files) {
  std::vector<const ExternalTable*> sorted;
  sorted.reserve(files.size());
  for (const IngestedFile& file : files) sorted.push_back(&file.table);
  std::sort(sorted.begin(), sorted.end(),
            [&](const ExternalTable* a, const ExternalTable* b) {
              return icmp.CompareUserKey(a->first, b->first) < 0;
            });
  for (size_t i = 1; i < sorted.size(); ++i) {
    // The one before reaches furthest, or there was an overlap already.
    if (icmp.CompareUserKey(sorted[i - 1]->last, sorted[i]->first) >= 0) {
      return true;
    }
  }
  return false;
}

// A version that comes later must have a later timestamp, which nothing says of
// a file's: a lookup would take an old version from above a new one.
Status NotWithTimestamps(const char* what) {
  return Status::InvalidArgument(
      "Column family has user-defined timestamps: the keys of external files, "
      "without their timestamps, must not be those of",
      what);
}

// One call of IngestExternalFiles.
class Ingestion {
 public:
  Ingestion(const FileIngester::Deps* deps,
            const std::vector<FileIngester::Request>& requests)
      : deps_(*deps), db_(*deps->db) {
    for (const FileIngester::Request& request : requests) {
      parts_.emplace_back();
      parts_.back().family = request.family;
      parts_.back().arg = request.arg;
    }
  }

  Status Run();

 private:
  Status Prepare(Part* part);
  Status Take(const Part& part, IngestedFile* file) const;
  Status CheckChecksum(const Part& part, size_t index,
                       IngestedFile* file) const;
  Status AwaitUnlockedWal() const;
  Status PlaceAndInstall();
  Status RunExclusively();
  Status FlushOverlapping() const;
  static Status CheckKeysAreNew(const Part& part);
  Status Place() REQUIRES_LOCK(kStateLock);
  Status PlacePart(Part* part) REQUIRES_LOCK(kStateLock);
  void HoldRange(Part* part, const IngestedFile& file) const
      REQUIRES_LOCK(kStateLock);
  void ReleaseRanges() REQUIRES_LOCK(kStateLock);
  Status Stamp(Part* part) const;
  Status StampFile(IngestedFile* file) const;
  Status Install() REQUIRES_LOCK(kStateLock);
  void Describe(Part* part) const;
  void OnInstalled(ColumnFamily* family) REQUIRES_LOCK(kStateLock);
  void Finish() const;
  void FinishFile(const Part& part, const IngestedFile& file) const;
  void Discard() REQUIRES_LOCK(kStateLock);

  const FileIngester::Deps& deps_;
  DbState& db_;
  std::vector<Part> parts_;
  SequenceNumber first_sequence_ = 0;  // Of those that may be given out.
  SequenceNumber last_sequence_ = 0;   // Of those that were.
  bool takes_sequence_zero_ = false;
  std::vector<ViewRef> dropped_;  // Let go without the mutex.
};

Status Ingestion::Run() {
  FileDeletion::Protection outputs;
  {
    MutexLock lock(&db_.mu);
    outputs = db_.deletion->ProtectOutputs();
  }
  Status status;
  for (Part& part : parts_) {
    if (status.ok()) status = Prepare(&part);
  }
  if (status.ok()) status = PlaceAndInstall();
  dropped_.clear();
  {
    MutexLock lock(&db_.mu);
    if (!status.ok()) Discard();
    db_.deletion->Release(outputs);
    deps_.schedule();
    deps_.notify_stall_listeners();
    deps_.delete_obsolete();
  }
  if (status.ok()) Finish();
  return status;
}

// LockWAL() freezes what the database holds.
Status Ingestion::AwaitUnlockedWal() const {
  MutexLock lock(&db_.mu);
  while (!db_.wal_locks.empty()) {
    if (db_.closing) return Status::ShutdownInProgress();
    if (db_.wal_locks.HeldByThisThread()) {
      return Status::TryAgain(
          "This thread has stopped writes with LockWAL(); call UnlockWAL() "
          "before ingesting files");
    }
    db_.changed.Wait(&db_.mu);
  }
  return Status::OK();
}

Status Ingestion::PlaceAndInstall() {
  RETURN_IF_ERROR(SyncClosedLogs(&db_));  // Most of it while writers run.
  for (;;) {
    RETURN_IF_ERROR(AwaitUnlockedWal());
    const PerfTimer timer(
        nullptr, &PerfContext::file_ingestion_blocking_live_writes_nanos);
    const CommitPipeline::ExclusiveGuard guard(deps_.pipeline);
    {
      MutexLock lock(&db_.mu);
      if (!db_.wal_locks.empty()) continue;  // Locked before the guard.
    }
    return RunExclusively();
  }
}

// ------------------------------------------------------------------- prepare

Status Ingestion::Prepare(Part* part) {
  ExternalTableCheck check;
  check.store = &db_.store;
  check.icmp = &part->family->icmp();
  check.family_id = part->family->id();
  check.verify_checksums = part->options().verify_checksums_before_ingest;
  check.verify_readahead_bytes =
      part->options().verify_checksums_readahead_size;
  {
    const ViewRef view = part->family->views().Pin();
    auto table = TableOptionsOf(view->options->table_factory.get());
    if (!table.ok()) return table.status();
    check.table = *table;
  }
  for (const std::string& path : part->arg->external_files) {
    auto table = ReadExternalTable(check, path);
    if (!table.ok()) return table.status();
    IngestedFile file;
    file.table = std::move(*table);
    part->files.push_back(std::move(file));
  }
  part->overlap_each_other = FilesOverlap(part->family->icmp(), part->files);
  if (part->overlap_each_other && part->timed()) {
    return Status::NotSupported(
        "Files with overlapping ranges cannot be ingested to column family "
        "with user-defined timestamp enabled.");
  }
  const std::string& dir = part->family->home()->Dir(0);
  for (size_t i = 0; i < part->files.size(); ++i) {
    IngestedFile& file = part->files[i];
    file.number = db_.versions->NewFileNumber();
    file.path = TableFileName(dir, file.number);
    file.created = true;
    RETURN_IF_ERROR(Take(*part, &file));
    RETURN_IF_ERROR(CheckChecksum(*part, i, &file));
  }
  return SyncDirectory(db_.store.fs, dir);
}

// The file gets its name in the database, durably.
Status Ingestion::Take(const Part& part, IngestedFile* file) const {
  const IngestExternalFileOptions& options = part.options();
  const DBOptions& db_options = db_.store.options;
  // What is linked and stays must not get a sequence written into it.
  const bool link = options.link_files && !options.write_global_seqno;
  if (options.move_files || link) {
    const Status status = LinkFileSynced(db_.store.fs, file->table.path,
                                         file->path, db_options.use_fsync);
    const bool copy_instead =
        status.IsNotSupported() && options.failed_move_fall_back_to_copy;
    if (!copy_instead) return status;
  }
  FileCopyOptions copy;
  copy.use_fsync = db_options.use_fsync;
  copy.temperature = part.arg->file_temperature;
  copy.rate_limiter = db_options.rate_limiter.get();
  copy.io_pass = db_.store.io_gate->PassOf(IoClass::kMaintenance);
  return CopyFileSynced(db_.store.fs, file->table.path, file->path,
                        file->table.size, copy);
}

// Without a factory what was given is ignored.
Status Ingestion::CheckChecksum(const Part& part, size_t index,
                                IngestedFile* file) const {
  FileChecksumGenFactory* const factory =
      db_.store.options.file_checksum_gen_factory.get();
  if (factory == nullptr) return Status::OK();
  const bool is_given = !part.arg->files_checksums.empty();
  const bool verify = part.options().verify_file_checksum;
  FileChecksum given;
  if (is_given) {
    given = {part.arg->files_checksums[index],
             part.arg->files_checksum_func_names[index]};
    const auto generator =
        factory->CreateFileChecksumGenerator({file->path, ""});
    if (generator == nullptr || given.function != generator->Name()) {
      return Status::InvalidArgument(
          "Checksum function name does not match with the checksum function "
          "name of this DB",
          given.function);
    }
  }
  if (!verify && !given.value.empty()) {
    file->checksum = given;
    return Status::OK();
  }
  auto found = ChecksumOfFile(db_.store.fs, file->path, file->table.size,
                              factory, given.function, Env::IO_TOTAL);
  if (!found.ok()) return found.status();
  if (is_given && verify && found->value != given.value) {
    return Status::Corruption(file->table.path +
                              ": file checksum mismatch: expected " +
                              Slice(given.value).ToString(true) + ", found " +
                              Slice(found->value).ToString(true));
  }
  file->checksum = std::move(*found);
  return Status::OK();
}

// --------------------------------------------------------------------- place

Status Ingestion::RunExclusively() {
  RETURN_IF_ERROR(FlushOverlapping());
  for (const Part& part : parts_) {
    if (part.timed()) RETURN_IF_ERROR(CheckKeysAreNew(part));
  }
  RETURN_IF_ERROR(SyncClosedLogs(&db_));
  MutexLock lock(&db_.mu);
  Status status = Place();
  if (takes_sequence_zero_) ++db_.installs_at_sequence_zero;
  if (status.ok()) {
    const MutexUnlock unlock(&db_.mu);
    for (Part& part : parts_) {
      if (status.ok()) status = Stamp(&part);
    }
  }
  if (status.ok()) status = Install();
  ReleaseRanges();
  CheckState(db_);
  if (takes_sequence_zero_) --db_.installs_at_sequence_zero;
  db_.changed.SignalAll();
  return status;
}

Status Ingestion::FlushOverlapping() const {
  std::vector<FamilyPtr> families;
  for (const Part& part : parts_) {
    if (!MemoryOverlaps(part)) continue;
    if (part.timed()) return NotWithTimestamps("memtables");
    if (!part.options().allow_blocking_flush) {
      return Status::InvalidArgument("External file requires flush");
    }
    families.push_back(part.family);
  }
  return families.empty() ? Status::OK() : deps_.flush(families);
}

Status Ingestion::CheckKeysAreNew(const Part& part) {
  assert(part.timed() && !part.overlap_each_other);
  const ViewRef view = part.family->views().Pin();
  for (const IngestedFile& file : part.files) {
    const auto held = HoldsKeys(*view->version, part.family->tables(),
                                file.table.first, file.table.last);
    if (!held.ok()) return held.status();
    if (*held) return NotWithTimestamps("tables");
  }
  return Status::OK();
}

Status Ingestion::Place() {
  deps_.db->mu.AssertHeld();
  first_sequence_ = deps_.pipeline->last_assigned() + 1;
  last_sequence_ = first_sequence_ - 1;
  // A move between distant levels could put older data above the files. Of all
  // families at once: while one is waited for, another may begin.
  while (std::any_of(parts_.begin(), parts_.end(), [](const Part& part) {
    kStateLock.AssertHeld();
    return part.family->MovesBetweenLevels();
  })) {
    db_.changed.Wait(&db_.mu);
  }
  if (db_.closing) return Status::ShutdownInProgress();
  if (db_.errors.stopped()) return db_.errors.error();
  for (Part& part : parts_) RETURN_IF_ERROR(PlacePart(&part));
  return Status::OK();
}

Status Ingestion::PlacePart(Part* part) {
  deps_.db->mu.AssertHeld();
  ColumnFamily& family = *part->family;
  if (family.dropped()) return Status::ColumnFamilyDropped(family.name());
  const IngestExternalFileOptions& options = part->options();
  const VersionPtr version = family.versions()->current();
  const int base_level = family.versions()->level_state().base_level;
  const bool hides = options.snapshot_consistency && !db_.snapshots.empty();
  SequenceNumber sequence = first_sequence_;
  for (IngestedFile& file : part->files) {
    const Placement place = PlaceTable(*version, base_level, family.running(),
                                       file.table.first, file.table.last);
    file.level = part->overlap_each_other ? 0 : place.level;
    assert(0 <= file.level && file.level < version->num_levels());
    assert(file.sequence == 0);  // It is placed once.
    if (options.fail_if_not_bottommost_level &&
        file.level != version->num_levels() - 1) {
      return Status::TryAgain("Files cannot be ingested to the last level");
    }
    if (place.overlaps || part->overlap_each_other || hides) {
      if (!options.allow_global_seqno) {
        return Status::InvalidArgument(
            "Global seqno is required, but disabled");
      }
      // Each its own, even where files are disjoint: without epochs, level 0
      // is ordered by sequences alone. Families count from the same one.
      file.sequence = sequence++;
      last_sequence_ = std::max(last_sequence_, file.sequence);
    } else if (options.snapshot_consistency) {
      takes_sequence_zero_ = true;
    }
    if (!options.write_global_seqno &&
        file.table.stored_sequence != file.sequence &&
        file.table.stored_sequence != 0) {
      return Status::InvalidArgument(
          "External file has a global sequence number of another ingestion",
          file.table.path);
    }
    if (file.level > 0) HoldRange(part, file);
  }
  return Status::OK();
}

// As if a compaction wrote the file.
void Ingestion::HoldRange(Part* part, const IngestedFile& file) const {
  deps_.db->mu.AssertHeld();
  auto plan = std::make_unique<CompactionPlan>();
  plan->reason = CompactionReason::kExternalSstIngestion;
  plan->inputs.push_back({file.level, {}});
  plan->output_level = file.level;
  plan->smallest_user_key = file.table.first;
  plan->largest_user_key = file.table.last;
  [[maybe_unused]] const Status held = part->family->RegisterPlan(plan.get());
  assert(held.ok());  // (2): it has no input files.
  part->holds.push_back(std::move(plan));
}

void Ingestion::ReleaseRanges() {
  deps_.db->mu.AssertHeld();
  for (Part& part : parts_) {
    for (const auto& plan : part.holds) {
      part.family->UnregisterPlan(plan.get());
    }
    part.holds.clear();
  }
}

// --------------------------------------------------------------------- stamp

Status Ingestion::Stamp(Part* part) const {
  if (!part->options().write_global_seqno) return Status::OK();
  for (IngestedFile& file : part->files) {
    if (file.sequence == file.table.stored_sequence) continue;
    RETURN_IF_ERROR(StampFile(&file));
    if (file.checksum.value.empty()) continue;
    FileChecksumGenFactory* const factory =
        db_.store.options.file_checksum_gen_factory.get();
    auto checksum =
        ChecksumOfFile(db_.store.fs, file.path, file.table.size, factory,
                       file.checksum.function, Env::IO_TOTAL);
    if (!checksum.ok()) return checksum.status();
    file.checksum = std::move(*checksum);
  }
  return Status::OK();
}

Status Ingestion::StampFile(IngestedFile* file) const {
  assert(file->created);
  std::unique_ptr<FSRandomRWFile> bytes;
  RETURN_IF_ERROR(db_.store.fs->NewRandomRWFile(file->path, FileOptions(),
                                                &bytes, nullptr));
  std::string sequence;
  PutFixed64(&sequence, file->sequence);
  RETURN_IF_ERROR(bytes->Write(
      file->table.properties->external_sst_file_global_seqno_offset, sequence,
      IOOptions(), nullptr));
  RETURN_IF_ERROR(db_.store.options.use_fsync
                      ? bytes->Fsync(IOOptions(), nullptr)
                      : bytes->Sync(IOOptions(), nullptr));
  return bytes->Close(IOOptions(), nullptr);
}

// ------------------------------------------------------------------- install

void Ingestion::Describe(Part* part) const {
  int64_t now_secs = 0;
  (void)db_.store.clock->GetCurrentTime(&now_secs);
  assert(part->edit.new_files.empty());
  for (const IngestedFile& file : part->files) {
    assert(file.created);
    const ExternalTable& table = file.table;
    const TableProperties& properties = *table.properties;
    FileFacts facts;
    facts.number = file.number;
    facts.size = table.size;
    facts.smallest = InternalKey(table.smallest.user_key(), file.sequence,
                                 ExtractType(table.smallest.Encode()));
    facts.largest = table.largest;
    if (!IsRangeSentinel(table.largest.Encode())) {
      facts.largest = InternalKey(table.largest.user_key(), file.sequence,
                                  ExtractType(table.largest.Encode()));
    }
    facts.smallest_sequence = facts.largest_sequence = file.sequence;
    facts.oldest_ancestor_time_secs = static_cast<uint64_t>(now_secs);
    facts.creation_time_secs = static_cast<uint64_t>(now_secs);
    facts.temperature = part->arg->file_temperature;
    if (properties.tail_start_offset > 0) {
      facts.tail_bytes = table.size - properties.tail_start_offset;
    }
    (void)InternalUniqueId(properties, facts.unique_id);
    facts.checksum = file.checksum.value;
    facts.checksum_function = file.checksum.function;
    auto meta = std::make_shared<FileMetaData>(std::move(facts));
    meta->RememberStats(properties);
    part->edit.AddFile(file.level, std::move(meta));
  }
}

// REQUIRES: the mutex; released while the MANIFEST is written.
Status Ingestion::Install() {
  deps_.db->mu.AssertHeld();
  assert(!takes_sequence_zero_ || db_.snapshots.empty());  // (3)
  assert(deps_.pipeline->last_assigned() + 1 == first_sequence_);
  std::vector<FamilyEdits> changes;
  for (Part& part : parts_) {
    if (part.files.empty()) continue;
    Describe(&part);
    FamilyEdits change;
    change.family = part.family->versions();
    change.edits = {&part.edit};
    change.on_installed = [this, &part]() REQUIRES_LOCK(kStateLock) {
      OnInstalled(part.family.get());
    };
    changes.push_back(std::move(change));
  }
  // Given out, whatever becomes of the edit: after an error a crash may still
  // find it in the MANIFEST.
  deps_.pipeline->SetLastAssigned(last_sequence_);
  db_.versions->SetLastAllocatedSequence(last_sequence_);
  return db_.versions->LogAndApply(changes, &db_.mu, db_.directory.get());
}

// Readers take the view first and the sequence behind it, so the sequence has
// to be there when the view is.
void Ingestion::OnInstalled(ColumnFamily* family) {
  deps_.db->mu.AssertHeld();
  assert(!family->dropped());
  if (db_.versions->last_sequence() < last_sequence_) {
    db_.versions->SetLastSequence(last_sequence_);
  }
  family->compaction_blocked = {};
  family->NoteIngested(last_sequence_);
  dropped_.push_back(family->PublishView());
  deps_.stalls->Recalculate(family);
}

// -------------------------------------------------------------------- finish

// Without the mutex.
void Ingestion::Finish() const {
  for (const Part& part : parts_) {
    for (const IngestedFile& file : part.files) FinishFile(part, file);
  }
}

void Ingestion::FinishFile(const Part& part, const IngestedFile& file) const {
  Info(db_.store.info_log, "[%s] Ingested %s as %s into L%d, global_seqno %llu",
       part.family->name().c_str(), file.table.path.c_str(), file.path.c_str(),
       file.level, static_cast<unsigned long long>(file.sequence));
  if (part.options().move_files) {
    const Status status =
        db_.store.fs->DeleteFile(file.table.path, IOOptions(), nullptr);
    if (!status.ok()) {
      Warn(db_.store.info_log, "Cannot delete ingested %s: %s",
           file.table.path.c_str(), status.ToString().c_str());
    }
  }
  if (!db_.events->has_listeners()) return;
  ExternalFileIngestionInfo info;
  info.cf_name = part.family->name();
  info.external_file_path = file.table.path;
  info.internal_file_path = file.path;
  info.global_seqno = file.sequence;
  info.table_properties = *file.table.properties;
  db_.events->ExternalFileIngested(info);
}

// REQUIRES: the mutex. A file of an edit whose fate is unknown is kept until
// the next MANIFEST.
void Ingestion::Discard() {
  deps_.db->mu.AssertHeld();
  for (const Part& part : parts_) {
    for (const IngestedFile& file : part.files) {
      if (!file.created) continue;
      db_.deletion->AddFile({kTableFile, file.number, file.path,
                             part.family->id(), file.table.size});
    }
  }
}

Status CheckArg(const IngestExternalFileArg& arg, bool uses_checksums) {
  const IngestExternalFileOptions& options = arg.options;
  if (arg.external_files.empty()) {
    return Status::InvalidArgument("The list of external files is empty");
  }
  if (options.move_files && options.link_files) {
    return Status::InvalidArgument(
        "move_files and link_files cannot both be true");
  }
  if (options.ingest_behind) {
    return Status::NotSupported("IngestExternalFileOptions::ingest_behind");
  }
  if (options.allow_db_generated_files) {
    return Status::NotSupported(
        "IngestExternalFileOptions::allow_db_generated_files");
  }
  if (!uses_checksums) return Status::OK();
  const size_t checksums = arg.files_checksums.size();
  if (checksums != arg.files_checksum_func_names.size() ||
      (checksums != 0 && checksums != arg.external_files.size())) {
    return Status::InvalidArgument(
        "Expected a checksum and its function's name for each of " +
            std::to_string(arg.external_files.size()) + " files",
        "found " + std::to_string(checksums) + " and " +
            std::to_string(arg.files_checksum_func_names.size()));
  }
  return Status::OK();
}

}  // namespace

Status FileIngester::Ingest(const std::vector<Request>& requests) const {
  const PerfTimer timer(nullptr, &PerfContext::file_ingestion_nanos);
  if (requests.empty()) {
    return Status::InvalidArgument("ingestion arg list is empty");
  }
  const bool uses_checksums =
      deps_.db->store.options.file_checksum_gen_factory != nullptr;
  for (size_t i = 0; i < requests.size(); ++i) {
    RETURN_IF_ERROR(CheckArg(*requests[i].arg, uses_checksums));
    for (size_t j = 0; j < i; ++j) {
      if (requests[j].family == requests[i].family) {
        return Status::InvalidArgument(
            "ingestion args have duplicate column families");
      }
    }
  }
  return Ingestion(&deps_, requests).Run();
}

}  // namespace ROCKSDB_NAMESPACE::engine
