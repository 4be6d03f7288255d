#include "db/db_impl/flusher.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/column_family/check_state.h"
#include "db/db_impl/job_events.h"
#include "db/db_impl/wal_tracking.h"
#include "env/space/sst_file_manager.h"
#include "rocksdb/system_clock.h"
#include "util/mutex_unlock.h"
#include "util/no_memory.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

struct Flusher::Job {
  FamilyPtr family;
  uint64_t id = 0;
  FlushReason reason = FlushReason::kOthers;
  bool requested = false;
  bool purged = false;
  uint64_t clear_count = 0;  // ErrorState::clear_count() when it began.
  std::unique_ptr<TableEvents> tables;
  std::unique_ptr<FlushJob> flush;

  CompactionStats Stats() const;
};

CompactionStats Flusher::Job::Stats() const {
  const FilePtr& file = flush->file();
  CompactionStats stats;
  stats.count = 1;
  stats.micros = flush->stats().micros;
  stats.cpu_micros = flush->stats().cpu_micros;
  stats.bytes_written = file != nullptr ? file->size : 0;
  stats.bytes_written_blob = flush->blob_bytes_written();
  return stats;
}

int Flusher::waiting() const {
  deps_.db->mu.AssertHeld();
  int count = 0;
  for (const FamilyPtr& family : deps_.db->families->all()) {
    count += family->imm().IsFlushPending() ? 1 : 0;
  }
  return count;
}

// The family whose oldest memtable has waited longest.
FamilyPtr Flusher::NextFamily() {
  deps_.db->mu.AssertHeld();
  FamilyPtr next;
  for (const FamilyPtr& family : deps_.db->families->all()) {
    if (!family->imm().IsFlushPending()) continue;
    if (next == nullptr ||
        family->imm().first_sequence() < next->imm().first_sequence()) {
      next = family;
    }
  }
  return next;
}

bool Flusher::Done(const ColumnFamily& family, uint64_t id_max) const {
  deps_.db->mu.AssertHeld();
  return family.dropped() || family.imm().empty() ||
         family.imm().oldest_id() > id_max;
}

bool Flusher::RunOne() {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  Job job;
  job.family = NextFamily();
  if (job.family == nullptr) return false;
  assert(job.family->imm().IsFlushPending() && !job.family->dropped());
  job.id = static_cast<uint64_t>(db.next_job_id.fetch_add(1));
  job.tables =
      std::make_unique<TableEvents>(&db, *job.family, static_cast<int>(job.id),
                                    TableFileCreationReason::kFlush);
  FlushJob::Deps deps;
  deps.store = &db.store;
  deps.file_options = OutputFileOptions(*db.options);
  deps.owner = job.family->owner();
  deps.version_set = db.versions.get();
  deps.memtables = &job.family->imm();
  deps.version = job.family->versions()->current();
  deps.tables = &job.family->tables();
  deps.blobs = &job.family->blobs();
  deps.cancelled = &db.closing;
  deps.observer = job.tables.get();
  if (db.controller.IsStopped() || db.controller.NeedsDelay()) {
    deps.io_priority = Env::IO_USER;
  }
  job.flush = std::make_unique<FlushJob>(std::move(deps));
  job.requested = job.family->imm().flush_requested();
  job.clear_count = db.errors.clear_count();
  const FileDeletion::Protection outputs = db.deletion->ProtectOutputs();
  if (!job.flush->Pick(db.snapshots.Sequences())) {
    db.deletion->Release(outputs);
    return false;
  }
  job.reason = job.family->flush_reason;
  ++job.family->running_flushes;
  const Status status = Run(&job);
  assert(job.family->running_flushes > 0);
  --job.family->running_flushes;
  job.family->kept_outputs.push_back(outputs);
  if (job.family->dropped()) DiscardBuilt(job.family.get());
  ReleaseOutputs(&db, job.family.get());
  for (const FamilyPtr& other : db.families->all()) {
    ReleaseOutputs(&db, other.get());
  }
  if (!status.ok()) {
    Failed(status, job.clear_count);
  } else if (!job.purged) {
    Succeeded(&job);
    CheckSpace(job);
  }
  std::vector<MemTablePtr> memtables = job.flush->TakeMemtables();
  job = {};  // Perhaps the last reference to a dropped family.
  {
    const MutexUnlock unlock(&db.mu);
    memtables.clear();
  }
  deps_.delete_obsolete();
  return true;
}

uint64_t Flusher::PurgeLimit(const Job& job) const {
  deps_.db->mu.AssertHeld();
  const DbState& db = *deps_.db;
  const ColumnFamilyOptions& options = *job.family->options();
  const double share = options.experimental_mempurge_threshold;
  if (!(share > 0) || job.requested || !job.flush->MayPurge()) return 0;
  if (job.reason != FlushReason::kWriteBufferFull || db.FlushesTogether() ||
      db.wals->needs_failed() || db.wals->total_bytes() > WalBytesMax(db)) {
    return 0;
  }
  const auto buffer = static_cast<double>(options.write_buffer_size);
  return job.family->purges.Take()
             ? static_cast<uint64_t>(std::min(share, 1.0) * buffer)
             : 0;
}

bool Flusher::Purge(Job* job) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  const uint64_t kept_bytes_max = PurgeLimit(*job);
  if (kept_bytes_max == 0) return false;
  ColumnFamily& family = *job->family;
  const std::vector<MemTablePtr>& picked = job->flush->memtables();
  MemTablePtr survivors;
  const Status made = OrNoMemory([&] {
    survivors = family.NewMemTable(picked.front()->earliest_sequence());
    return Status::OK();
  });
  if (!made.ok()) return false;
  {
    const MutexUnlock unlock(&db.mu);
    job->purged = job->flush->Purge(survivors.get(), kept_bytes_max);
  }
  family.purges.Ended(job->purged);
  if (!job->purged || family.dropped()) return job->purged;
  family.imm().ReplacePicked(picked, survivors);
  ViewRef dropped = family.PublishView();
  deps_.stalls->Recalculate(&family);
  CheckState(db);
  JobEvents(&db).Purged(family, *job->flush, static_cast<int>(job->id),
                        *survivors);
  const MutexUnlock unlock(&db.mu);
  dropped = {};
  return true;
}

Status Flusher::Run(Job* job) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  if (Purge(job)) return Status::OK();
  JobEvents events(&db);
  const int id = static_cast<int>(job->id);
  events.FlushBegin(*job->family, *job->flush, id, job->reason);
  BusyTime& busy = db.busy[Index(WorkClass::kFlush)];
  busy.Enter(db.store.clock->NowMicros());
  Status status;
  {
    const MutexUnlock unlock(&db.mu);
    status = job->flush->Build();
    if (status.ok()) {
      status = SyncClosedLogs(&db);
      if (!status.ok()) job->flush->Abandon();
    }
  }
  busy.Leave(db.store.clock->NowMicros());
  if (!status.ok()) {
    if (!job->family->dropped()) job->flush->Rollback();
    return status;
  }
  Count(*job);
  job->flush->MarkBuilt();
  return Install(job->family.get());
}

void Flusher::DiscardBuilt(ColumnFamily* family) {
  deps_.db->mu.AssertHeld();
  assert(family->dropped());
  for (const auto& edit : family->imm().TakeBuilt()) Discard(*family, *edit);
}

void Flusher::Discard(const ColumnFamily& family, const VersionEdit& edit) {
  deps_.db->mu.AssertHeld();
  deps_.db->deletion->AddFilesOf(edit, family.owner().home->Dir(0));
}

// A table that waits for another flush is in no Version yet.
void Flusher::ReleaseOutputs(DbState* db, ColumnFamily* family) {
  db->mu.AssertHeld();
  if (!family->dropped() && family->imm().HasBuilt()) return;
  for (const auto& kept : family->kept_outputs) db->deletion->Release(kept);
  family->kept_outputs.clear();
}

FlushInstall Flusher::InstallOf(ColumnFamily* family, Dropped* dropped) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  FlushInstall install;
  install.memtables = &family->imm();
  install.versions = family->versions();
  install.version_set = db.versions.get();
  install.directory = db.directory.get();
  install.on_installed = [this, family, dropped]() REQUIRES_LOCK(kStateLock) {
    OnInstalled(family, dropped);
  };
  install.on_discarded = [this, family](const VersionEdit& edit) REQUIRES_LOCK(
                             kStateLock) { Discard(*family, edit); };
  return install;
}

// Nothing is in memory only, except in tables that no Version names yet.
bool Flusher::EverythingBuilt() const {
  deps_.db->mu.AssertHeld();
  const auto& families = deps_.db->families->all();
  return std::all_of(families.begin(), families.end(), [](const auto& family) {
    kStateLock.AssertHeld();
    return family->mem()->empty() && family->imm().AllBuilt();
  });
}

// What a failed log held is installed as a whole: recovery ends where the log
// does, and must not find the tables of some families ahead of it.
Result<bool> Flusher::InstallNext(ColumnFamily* family, Dropped* dropped,
                                  bool* together) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  const bool all = db.wals->needs_failed();
  if (all && !EverythingBuilt()) return false;
  if (!all && !db.FlushesTogether()) {
    return InstallBuiltFlushes(InstallOf(family, dropped), &db.mu);
  }
  const std::vector<FamilyPtr> families = db.families->all();
  std::vector<FlushInstall> installs;
  installs.reserve(families.size());
  for (const FamilyPtr& each : families) {
    installs.push_back(InstallOf(each.get(), dropped));
  }
  Result<bool> installed = InstallBuiltCuts(installs, &db.mu);
  if (installed.ok() && *installed) *together = true;
  return installed;
}

Status Flusher::InstallBuilt(ColumnFamily* family, Dropped* dropped,
                             bool* together) {
  deps_.db->mu.AssertHeld();
  Result<bool> installed = true;
  while (installed.ok() && *installed) {
    installed = InstallNext(family, dropped, together);
  }
  return installed.status();
}

// The failure of one family does not keep the others waiting.
Status Flusher::InstallEvery(Dropped* dropped, bool* together) {
  deps_.db->mu.AssertHeld();
  const std::vector<FamilyPtr> families = deps_.db->families->all();
  Status status;
  for (const FamilyPtr& family : families) {
    if (family->dropped()) continue;
    const Status installed = InstallBuilt(family.get(), dropped, together);
    if (status.ok()) status = installed;
  }
  return status;
}

Status Flusher::Install(ColumnFamily* family) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  Dropped dropped;
  bool together = false;
  Status status = family != nullptr ? InstallBuilt(family, &dropped, &together)
                                    : InstallEvery(&dropped, &together);
  // While this thread installed tables of all families, others may have found
  // those families busy, and left their tables to it.
  while (status.ok() && together && !db.FlushesTogether()) {
    together = false;
    status = InstallEvery(&dropped, &together);
  }
  CheckState(db);
  const MutexUnlock unlock(&db.mu);
  dropped = {};
  return status;
}

void Flusher::FamilyDropped(ColumnFamily* family) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  DiscardBuilt(family);
  ReleaseOutputs(&db, family);
  if (!db.FlushesTogether() && !db.wals->needs_failed()) return;
  InstallWaiting(db.families->default_family());
}

void Flusher::InstallWaiting(ColumnFamily* family) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  const uint64_t clear_count = db.errors.clear_count();
  const Status status = OrNoMemory([this, family] {
    kStateLock.AssertHeld();
    return Install(family);
  });
  for (const FamilyPtr& each : db.families->all()) {
    // Perhaps it was not even begun, and no job comes by later.
    if (status.IsMemoryLimit()) each->imm().FlushBuiltAgain();
    ReleaseOutputs(&db, each.get());
  }
  if (!status.ok()) Failed(status, clear_count);
}

void Flusher::EndAtomicFlush() {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  assert(db.atomic_flushes > 0);
  if (--db.atomic_flushes > 0) return;
  // Tables that waited for those of other families wait no longer, and no job
  // of their family may be due.
  InstallWaiting(/*family=*/nullptr);
}

void Flusher::OnInstalled(ColumnFamily* family, Dropped* dropped) {
  deps_.db->mu.AssertHeld();
  assert(!family->dropped());
  dropped->views.push_back(family->PublishView());
  for (MemTablePtr& memtable :
       family->imm().TrimHistory(family->mem()->AllocatedBytes())) {
    dropped->memtables.push_back(std::move(memtable));
  }
  family->compaction_blocked = {};
  deps_.stalls->Recalculate(family);
  ReleaseLogs();
}

void Flusher::ReleaseLogs() {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  WalSet::ReleaseBounds bounds;
  bounds.deletable_below = db.versions->MinLogNumberToKeep();
  // Prepared transactions may keep a log that is otherwise no longer needed.
  bounds.flushed_below = bounds.deletable_below;
  bounds.flushed_below =
      std::max(bounds.flushed_below, db.versions->MinLogNumber());
  assert(bounds.deletable_below <= bounds.flushed_below);  // version_set.h (4)
  // A caller that has disabled deletions may be copying logs.
  for (const WalSet::Live& log : db.wals->ReleaseBelow(
           bounds, /*may_recycle=*/!db.deletion->disabled())) {
    db.deletion->AddObsoleteLog(log.number, log.size_bytes);
  }
}

// Before the flush is installed: a thread that waits for it finds it counted.
// If the installation fails, both runs count: both have written.
void Flusher::Count(const Job& job) {
  deps_.db->mu.AssertHeld();
  assert(job.flush != nullptr);
  const FlushStats& flushed = job.flush->stats();
  const CompactionStats stats = job.Stats();
  job.family->job_stats().At(0) += stats;
  job.family->job_stats().flush_bytes +=
      stats.bytes_written + stats.bytes_written_blob;
  const auto& statistics = deps_.db->store.statistics;
  RecordTick(statistics, MEMTABLE_PAYLOAD_BYTES_AT_FLUSH, flushed.data_bytes);
  if (flushed.data_bytes > flushed.kept_bytes) {
    RecordTick(statistics, MEMTABLE_GARBAGE_BYTES_AT_FLUSH,
               flushed.data_bytes - flushed.kept_bytes);
  }
  RecordTick(statistics, COMPACTION_KEY_DROP_OBSOLETE,
             flushed.entries.dropped_obsolete);
  RecordTimeToHistogram(statistics, FLUSH_TIME, stats.micros);
}

// What closing or a resume flushes has to be written in any case.
void Flusher::CheckSpace(const Job& job) {
  deps_.db->mu.AssertHeld();
  if (job.reason == FlushReason::kShutDown ||
      job.reason == FlushReason::kErrorRecovery) {
    return;
  }
  const Status limit = CheckSpaceLimit(deps_.db->store.space);
  if (!limit.ok()) Failed(limit, job.clear_count);
}

void Flusher::Succeeded(Job* job) {
  deps_.db->mu.AssertHeld();
  DbState& db = *deps_.db;
  const CompactionStats stats = job->Stats();
  db.flushed.data_bytes += job->flush->stats().data_bytes;
  db.flushed.table_bytes += stats.bytes_written;
  db.flushed.blob_bytes += stats.bytes_written_blob;
  JobEvents(&db).FlushCompleted(*job->family, *job->flush,
                                static_cast<int>(job->id), job->reason);
  deps_.notify_stall_listeners();
}

void Flusher::Failed(const Status& status, uint64_t clear_count) {
  deps_.db->mu.AssertHeld();
  if (status.IsShutdownInProgress() || status.IsColumnFamilyDropped()) return;
  deps_.on_error(status, clear_count);
  deps_.db->changed.SignalAll();
}

}  // namespace ROCKSDB_NAMESPACE::engine
