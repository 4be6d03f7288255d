#include "db/db_impl/replay.h"

#include <utility>

#include "db/db_impl/job_events.h"
#include "db/flush/flush_job.h"
#include "db/recovery/wal_timestamps.h"

namespace ROCKSDB_NAMESPACE::engine {

ReplayIntoTables::ReplayIntoTables(DbState* db, int job_id, bool keep_in_memory)
    : db_(db), job_id_(job_id), keep_in_memory_(keep_in_memory) {}

Status ReplayIntoTables::OnBatch(const ReplayedBatch& batch,
                                 SequenceNumber* /*next_sequence*/) {
  log_number_ = batch.log_number;
  ApplyOptions options;
  options.ignore_missing = true;
  std::string rewritten;
  Slice contents = batch.contents;
  if (!batch.timestamp_sizes->empty() || AnyTimestamps()) {
    TimestampSizes sizes;
    sizes.recorded = batch.timestamp_sizes;
    sizes.logs_have_none = timestamps_as_they_are_;
    // What goes nowhere may stay as it is.
    sizes.current = [&](uint32_t id) -> size_t {
      const ColumnFamily* const family = db_->families->Lookup(id);
      if (family != nullptr) return family->icmp().timestamp_size();
      const auto it = batch.timestamp_sizes->find(id);
      return it == batch.timestamp_sizes->end() ? 0 : it->second;
    };
    RETURN_IF_ERROR(
        ReconcileTimestamps(batch.contents, sizes, &rewritten, &contents));
  }
  RETURN_IF_ERROR(ApplyBatch(contents, batch.sequence, this, options));
  return WriteFullTables();
}

bool ReplayIntoTables::AnyTimestamps() const {
  for (const FamilyPtr& family : db_->families->all()) {
    if (family->icmp().timestamp_size() > 0) return true;
  }
  return false;
}

Status ReplayIntoTables::OnLogEnd(uint64_t /*log_number*/) {
  return Status::OK();
}

FamilyResolver::Found ReplayIntoTables::Find(uint32_t family_id) {
  ColumnFamily* family = db_->families->Lookup(family_id);
  if (family == nullptr) return {};
  if (log_number_ < family->versions()->log_number()) {
    return {Found::Verdict::kSkip, nullptr};
  }
  return {Found::Verdict::kWrite, family->mem().get()};
}

void ReplayIntoTables::OnMemTableFull(uint32_t family_id,
                                      MemTable* /*memtable*/) {
  full_.push_back(family_id);
}

Status ReplayIntoTables::WriteFullTables() {
  if (full_.empty() || keep_in_memory_) return Status::OK();
  if (db_->store.options.avoid_flush_during_recovery) return Status::OK();
  for (const uint32_t id : std::exchange(full_, {})) {
    RETURN_IF_ERROR(WriteTable(db_->families->Lookup(id)));
  }
  return Status::OK();
}

Status ReplayIntoTables::WriteTable(ColumnFamily* family) {
  if (family->mem()->empty()) return Status::OK();
  MemTableList alone({/*min_write_buffer_number_to_merge=*/1});
  alone.Add(family->mem());
  FlushJob::Deps deps;
  deps.store = &db_->store;
  deps.owner = family->owner();
  deps.version_set = db_->versions.get();
  deps.memtables = &alone;
  deps.tables = &family->tables();
  deps.blobs = &family->blobs();
  TableEvents events(db_, *family, job_id_, TableFileCreationReason::kRecovery);
  deps.observer = &events;
  FlushJob job(std::move(deps));
  alone.RequestFlush();
  if (!job.Pick({})) return Status::OK();
  RETURN_IF_ERROR(job.Build());
  if (job.file() != nullptr) {
    Outputs& outputs = outputs_[family->id()];
    outputs.tables.push_back(job.file());
    outputs.blobs.insert(outputs.blobs.end(), job.blob_files().begin(),
                         job.blob_files().end());
  }
  family->StartMemTable(family->NewMemTable(db_->versions->last_sequence()));
  return Status::OK();
}

Status ReplayIntoTables::Install(uint64_t log_number) {
  const bool keep =
      db_->store.options.avoid_flush_during_recovery && !force_tables_;
  std::vector<VersionEdit> edits(db_->families->all().size());
  std::vector<FamilyEdits> changes;
  size_t next = 0;
  for (const FamilyPtr& family : db_->families->all()) {
    if (!keep) RETURN_IF_ERROR(WriteTable(family.get()));
    VersionEdit& edit = edits[next++];
    edit.column_family = family->id();
    // What stays in a memtable keeps its log.
    if (family->mem()->empty()) edit.log_number = log_number;
    Outputs& outputs = outputs_[family->id()];
    for (FilePtr& file : outputs.tables) edit.AddFile(0, std::move(file));
    edit.blob_additions = std::move(outputs.blobs);
    FamilyEdits change;
    change.family = family->versions();
    change.edits = {&edit};
    changes.push_back(std::move(change));
  }
  MutexLock lock(&db_->mu);
  return db_->versions->LogAndApply(changes, &db_->mu, db_->directory.get());
}

}  // namespace ROCKSDB_NAMESPACE::engine
