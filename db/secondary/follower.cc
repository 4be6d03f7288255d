#include "db/secondary/follower.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/column_family/check_state.h"
#include "db/format/file_names.h"
#include "db/recovery/orphan_files.h"
#include "db/recovery/wal_timestamps.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Every round follows a change of the primary, and is short: it reads what
// came since the last one.
constexpr int kRoundsMax = 20;

ReplayOptions FollowOptions(const DBOptions& options) {
  ReplayOptions replay;
  replay.mode = WALRecoveryMode::kPointInTimeRecovery;
  replay.file_options = FileOptions(options);
  return replay;
}

}  // namespace

// ----------------------------------------------------------------- memtables

Status FollowedMemTables::OnBatch(const ReplayedBatch& batch,
                                  SequenceNumber* next_sequence) {
  if (batch.log_number != read_log_) {
    read_log_ = batch.log_number;
    timestamps_as_they_are_ =
        AnyTimestamps(*db_->families) &&
        LogsHaveNoTimestampSizes(db_->store.fs, db_->store.dbname);
  }
  std::string rewritten;
  Slice contents;
  RETURN_IF_ERROR(ReconcileTimestamps(
      batch, *db_->families, timestamps_as_they_are_, &rewritten, &contents));
  Status status =
      batches_.Take(contents, batch.log_number, batch.sequence, next_sequence);
  if (!status.IsAborted() && !batches_.numbered_by_batch()) return status;
  // What its tables hold of undecided transactions changes with every commit.
  return Status::NotSupported(
      "the primary's prepared transactions are written before their commit "
      "(write-prepared or write-unprepared)");
}

FamilyResolver::Found FollowedMemTables::Find(uint32_t family_id) {
  ColumnFamily* const family = db_->families->Lookup(family_id);
  if (family == nullptr) return {};
  if (log_number_ < family->versions()->log_number()) {
    return {Found::Verdict::kSkip, nullptr};
  }
  uint64_t& mem_log = mem_log_[family_id];
  if (mem_log != log_number_) {
    MutexLock lock(&db_->mu);
    if (!family->mem()->empty()) {
      family->SwitchMemTable(
          family->NewMemTable(db_->versions->last_sequence()), log_number_);
    }
    mem_log = log_number_;
  }
  return {Found::Verdict::kWrite, family->mem().get()};
}

void FollowedMemTables::DropFlushed(ColumnFamily* family) {
  const uint64_t log_number = family->versions()->log_number();
  family->imm().RemoveBelow(log_number);
  const bool flushed = mem_log_[family->id()] < log_number;
  if (flushed && !family->mem()->empty()) {
    family->StartMemTable(family->NewMemTable(db_->versions->last_sequence()));
  }
}

// ------------------------------------------------------------------ catch-up

Follower::Follower(DbState* db)
    : db_(db),
      memtables_(db),
      logs_(db->store.fs, db->store.wal_dir, FollowOptions(db->store.options),
            &memtables_) {}

Follower::~Follower() {
  for (const FamilyPtr& family : dropped_) family->Detach();
}

Result<VersionSet::Recovered> Follower::Start(
    const std::vector<FamilyConfig>& families) {
  RETURN_IF_ERROR(ReadManifest());
  return db_->versions->Adopt(manifest_->state(), families,
                              /*read_only=*/true);
}

Status Follower::SwitchManifest(uint64_t number) {
  assert(number != 0);
  auto next = std::make_unique<ManifestFollower>(
      db_->store.fs, DescriptorFileName(db_->store.dbname, number));
  RETURN_IF_ERROR(next->ReadOn());
  manifest_ = std::move(next);
  manifest_number_ = number;
  ++switches_;
  return Status::OK();
}

// Between a look at CURRENT and one at the MANIFEST the primary may have
// replaced both.
Status Follower::ReadManifest() {
  Status status;
  for (int round = 0; round < kRoundsMax; ++round) {
    const Result<uint64_t> number =
        ReadCurrentFile(db_->store.fs, db_->store.dbname);
    if (!number.ok()) return number.status();
    status = manifest_ != nullptr && *number == manifest_number_
                 ? manifest_->ReadOn()
                 : SwitchManifest(*number);
    if (status.ok()) return status;
    manifest_.reset();  // What is wrong may be mended when we come back.
    if (!IsMissing(status)) return status;
  }
  return status;
}

Follower::NeededLogs Follower::LogsNeeded() const {
  NeededLogs needed;
  needed.from = manifest_->state().min_log_number_to_keep;
  for (const auto& [id, family] : manifest_->state().families) {
    needed.by_family[id] = family.log_number;
  }
  return needed;
}

// Makes Versions of what was read, if there is anything new.
Status Follower::TakeFiles() {
  const ManifestState& state = manifest_->state();
  if (taken_switches_ == switches_ && taken_edits_ == state.edit_count) {
    return Status::OK();
  }
  {
    MutexLock lock(&db_->mu);
    RETURN_IF_ERROR(db_->versions->Follow(state));
    for (const FamilyPtr& family : std::vector(db_->families->all())) {
      if (!family->versions()->dropped()) continue;
      family->MarkDropped();
      db_->families->Remove(family->id());
      dropped_.push_back(family);
    }
    taken_switches_ = switches_;
    taken_edits_ = state.edit_count;
    taken_sequence_ = state.last_sequence;
  }
  const Status status = OpenTables();
  if (!status.ok()) taken_switches_ = 0;  // To be made again.
  return status;
}

// What cannot be read shows when it is asked for, unless the checks are
// paranoid; what is gone has to be looked for in a newer state.
Status Follower::Usable(const Status& status) const {
  const bool matters = IsMissing(status) || db_->store.options.paranoid_checks;
  return matters ? status : Status::OK();
}

// What is open survives the primary's deletion, unless a SstFileManager cuts
// large files down.
Status Follower::OpenTables() {
  if (db_->store.options.max_open_files != -1) return Status::OK();
  kStateLock.AssertHeld();  // Only the thread that catches up changes them.
  for (const FamilyPtr& family : db_->families->all()) {
    const VersionPtr version = family->versions()->current();
    for (const LiveBlobFile& blob : version->blobs().files) {
      RETURN_IF_ERROR(Usable(family->blobs().KeepOpen(*blob.file)));
    }
    for (int level = 0; level < version->num_levels(); ++level) {
      for (const FilePtr& file : version->files(level)) {
        RETURN_IF_ERROR(Usable(family->tables().Find(*file, level).status()));
      }
    }
  }
  return Status::OK();
}

Status Follower::TakeLogs() {
  const std::string& dir = db_->store.wal_dir;
  Result<DirectoryListing> listing =
      ListDirectories(db_->store.fs, dir, dir, {}, /*missing_is_empty=*/true);
  if (!listing.ok()) return listing.status();
  std::vector<uint64_t> logs =
      LogsToReplay(*listing, db_->versions->MinLogNumberToKeep());
  // A log that has a successor gets nothing more, but only when there is
  // something in the successor.
  while (!logs.empty()) {
    uint64_t size = 0;
    RETURN_IF_ERROR(db_->store.fs->GetFileSize(LogFileName(dir, logs.back()),
                                               IOOptions(), &size, nullptr));
    if (size > 0) break;
    logs.pop_back();
  }
  logs_.SetNeededFrom(db_->versions->MinLogNumber());
  RETURN_IF_ERROR(logs_.Run(logs));
  const ReplayResult& result = logs_.result();
  // As for an open: what is committed may have been in the damaged part; below
  // that, it is in tables.
  if (!result.kept_damage.ok() &&
      memtables_.last_missed_log() >= db_->versions->MinLogNumber()) {
    return result.kept_damage;
  }
  // (2) The last log may just be written; in an earlier one this is damage.
  const bool left = result.stopped() && result.stopped_log != logs.back();
  damage_ = left ? result.stop_reason : Status::OK();
  return Status::OK();
}

void Follower::Publish() {
  std::vector<ViewRef> replaced;  // Let go behind the mutex.
  MutexLock lock(&db_->mu);
  SequenceNumber last =
      std::max(db_->versions->last_sequence(), taken_sequence_);
  const SequenceNumber next = logs_.result().next_sequence;
  if (next > 0) last = std::max(last, next - 1);
  db_->versions->SetLastAllocatedSequence(last);
  db_->versions->SetLastSequence(last);
  for (const FamilyPtr& family : db_->families->all()) {
    memtables_.DropFlushed(family.get());
    family->LimitReads(last);
    replaced.push_back(family->PublishView());
  }
  CheckState(*db_);
}

Status Follower::Round(bool* settled) {
  RETURN_IF_ERROR(ReadManifest());
  const uint64_t edits = manifest_->state().edit_count;
  const uint64_t switches = switches_;
  const NeededLogs needed = LogsNeeded();
  Status status = TakeFiles();
  const bool logs_due = status.ok();
  if (logs_due) status = TakeLogs();
  RETURN_IF_ERROR(ReadManifest());
  *settled = status.ok() && needed == LogsNeeded();
  if (*settled) Publish();  // (3)
  // A log that is not needed may be deleted at any time. Every other error is
  // excused only if the primary has changed something.
  if (logs_due && IsMissing(status)) return Status::OK();
  const bool changed =
      edits != manifest_->state().edit_count || switches != switches_;
  return changed ? Status::OK() : status;
}

Status Follower::CatchUp() {
  MutexLock lock(&catching_up_);
  for (int round = 0; round < kRoundsMax; ++round) {
    bool settled = false;
    RETURN_IF_ERROR(Round(&settled));
    if (settled) return damage_;
  }
  return Status::TryAgain(db_->store.dbname,
                          "the primary changes its files faster than they can "
                          "be read; call TryCatchUpWithPrimary again");
}

}  // namespace ROCKSDB_NAMESPACE::engine
