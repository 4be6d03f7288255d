#include "db/db_impl/replay.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/column_family/check_state.h"
#include "db/column_family/newest_value.h"
#include "db/db_impl/job_events.h"
#include "db/flush/flush_job.h"
#include "db/format/file_names.h"
#include "db/read/point_lookup.h"
#include "db/recovery/wal_timestamps.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/wide_columns.h"
#include "rocksdb/write_buffer_manager.h"
#include "table/entity.h"
#include "util/write_buffer_users.h"

namespace ROCKSDB_NAMESPACE::engine {

ReplayIntoTables::ReplayIntoTables(DbState* db, int job_id, bool keep_in_memory)
    : db_(db),
      job_id_(job_id),
      keep_in_memory_(keep_in_memory),
      batches_(this, db->versions->log_holds()) {}

Status ReplayIntoTables::OnBatch(const ReplayedBatch& batch,
                                 SequenceNumber* next_sequence) {
  std::string rewritten;
  Slice contents;
  RETURN_IF_ERROR(ReconcileTimestamps(
      batch, *db_->families, timestamps_as_they_are_, &rewritten, &contents));
  return batches_.Take(contents, batch.log_number, batch.sequence,
                       next_sequence);
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

Status ReplayIntoTables::ReadNewest(const NewestQuery& query,
                                    NewestValue* newest) {
  ColumnFamily* const family = db_->families->Lookup(query.family);
  assert(family != nullptr);  // Its memtable asks.
  ReadView view;
  view.mem = family->mem();
  view.imm = std::make_shared<const ImmutableMemTables>();
  view.version = family->versions()->current();
  view.options = family->options();
  return ReadNewestValue(*family, view, query, newest);
}

void ReplayIntoTables::OnMemTableFull(uint32_t family_id,
                                      MemTable* /*memtable*/) {
  full_.push_back(family_id);
}

// The write buffer manager may be that of other databases, too, which are open.
void ReplayIntoTables::ObeyBufferManager() {
  const DBOptions& options = db_->store.options;
  const WriteBufferManager* manager = options.write_buffer_manager.get();
  if (!options.enforce_write_buffer_manager_during_recovery) return;
  if (manager == nullptr || !manager->ShouldFlush()) return;
  const ColumnFamily* largest = nullptr;
  kStateLock.AssertHeld();  // No other thread knows the families yet.
  for (const FamilyPtr& family : db_->families->all()) {
    if (family->mem()->empty()) continue;
    if (largest == nullptr ||
        family->mem()->AllocatedBytes() > largest->mem()->AllocatedBytes()) {
      largest = family.get();
    }
  }
  if (largest == nullptr) return;
  const uint64_t worth =
      manager->buffer_size() / WriteBufferUsers::kWorthFlushingShare;
  if (largest->mem()->AllocatedBytes() < worth) return;
  full_.push_back(largest->id());
}

Status ReplayIntoTables::WriteFullTables() {
  if (!keep_in_memory_) ObeyBufferManager();
  if (full_.empty() || keep_in_memory_) return Status::OK();
  // What commits last may have the oldest sequence: all goes to one table.
  if (batches_.numbered_by_batch()) return Status::OK();
  if (db_->store.options.avoid_flush_during_recovery) return Status::OK();
  for (const uint32_t id : std::exchange(full_, {})) {
    ColumnFamily* const family = db_->families->Lookup(id);
    assert(family != nullptr);
    // ReadNewest() would not find what is in tables that have no name yet.
    if (family->options()->inplace_callback != nullptr) continue;
    RETURN_IF_ERROR(WriteTable(family));
  }
  return Status::OK();
}

Status ReplayIntoTables::WriteTable(ColumnFamily* family) {
  kStateLock.AssertHeld();  // No other thread knows the family yet.
  assert(!keep_in_memory_ && family->imm().empty());
  if (family->mem()->empty()) return Status::OK();
  MemTableList alone({/*min_write_buffer_number_to_merge=*/1});
  alone.Add(family->mem());
  FlushJob::Deps deps;
  deps.store = &db_->store;
  deps.file_options = OutputFileOptions(db_->store.options);
  deps.owner = family->owner();
  deps.version_set = db_->versions.get();
  deps.memtables = &alone;
  deps.tables = &family->tables();
  deps.blobs = &family->blobs();
  deps.reason = TableFileCreationReason::kRecovery;
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

void ReplayIntoTables::RestartNumberedByBatch() {
  batches_ = BatchReplay(this, db_->versions->log_holds());
  batches_.NumberByBatch();
  full_.clear();
  // The scan for leftovers removes what was written.
  outputs_.clear();
  kStateLock.AssertHeld();  // No other thread knows the families yet.
  for (const FamilyPtr& family : db_->families->all()) {
    family->StartMemTable(family->NewMemTable(db_->versions->last_sequence()));
  }
}

Status ReplayIntoTables::CheckUndecided() const {
  if (keep_in_memory_ || !batches_.numbered_by_batch() ||
      batches_.undecided().empty()) {
    return Status::OK();
  }
  return Status::NotSupported(
      "the logs hold prepared transactions that were written before their "
      "commit (write-prepared or write-unprepared), one of them is '" +
          batches_.undecided().begin()->first + "'",
      "such a database can be opened read-only; decide its transactions with "
      "RocksDB's TransactionDB to write it");
}

Status ReplayIntoTables::CheckTransactions(const ReplayResult& result) {
  result_ = result;
  kept_from_ = batches_.oldest_undecided_log();
  if (!result.kept_damage.ok()) {
    // What is committed may have been in the damaged part; below that, it is
    // in tables.
    if (batches_.last_missed_log() >= db_->versions->MinLogNumber()) {
      return result.kept_damage;
    }
    if (kept_from_ == 0 || result.kept_damage_log < kept_from_) {
      kept_from_ = result.kept_damage_log;
    }
    Warn(db_->store.info_log,
         "Damage in a log that was flushed; it is kept, as it may hold "
         "prepared transactions: %s",
         result.kept_damage.ToString().c_str());
  }
  for (const auto& [name, transaction] : batches_.undecided()) {
    Info(db_->store.info_log,
         "Transaction '%s' is prepared; log %llu is kept for it", name.c_str(),
         static_cast<unsigned long long>(transaction.oldest_log));
  }
  return CheckUndecided();
}

Status ReplayIntoTables::RemoveBehindStop(const VersionSet::Recovered& manifest,
                                          std::vector<uint64_t>* logs) const {
  if (kept_from_ == 0 || !result_.stopped()) return Status::OK();
  const auto first =
      std::upper_bound(logs->begin(), logs->end(), result_.stopped_log);
  if (first == logs->end()) return Status::OK();
  const std::string& dir = db_->store.wal_dir;
  for (auto log = first; log != logs->end(); ++log) {
    const auto tracked = manifest.tracked_wals.find(*log);
    if (tracked == manifest.tracked_wals.end() || !tracked->second) continue;
    return Status::Corruption(result_.stop_reason.getState(),
                              "recovery stops there, and has to remove " +
                                  LogFileName(dir, *log) +
                                  ", which the MANIFEST tracks");
  }
  // Newest first: what a crash leaves has no gap.
  while (!logs->empty() && logs->back() > result_.stopped_log) {
    RETURN_IF_ERROR(db_->store.fs->DeleteFile(LogFileName(dir, logs->back()),
                                              IOOptions(), nullptr));
    logs->pop_back();
  }
  return SyncDirectory(db_->store.fs, dir);
}

bool ReplayIntoTables::InTables(const HeldRecord& record) const {
  const ColumnFamily* const family = db_->families->Lookup(record.family);
  return family != nullptr &&
         record.log_number < family->versions()->log_number();
}

// No other writer can have written a key while the transaction had it locked.
// So readers see the newest version before the transaction.
Status ReplayIntoTables::HideUndecided() {
  if (!batches_.numbered_by_batch()) return Status::OK();
  for (const auto& [name, transaction] : batches_.undecided()) {
    RETURN_IF_ERROR(Hide(name, transaction));
  }
  return Status::OK();
}

Status ReplayIntoTables::Hide(const std::string& name,
                              const UndecidedTransaction& transaction) {
  std::map<std::pair<uint32_t, std::string>, SequenceNumber> first;
  for (const HeldRecord& record : transaction.records) {
    if (!InTables(record)) continue;
    if (record.type == ValueType::kRangeDeletion) {
      return Status::NotSupported("range deletion of an undecided transaction",
                                  name);
    }
    first.try_emplace({record.family, record.key}, record.sequence);
  }
  for (const auto& [key, sequence] : first) {
    if (sequence == 0) {
      return Status::Corruption("log: transaction " + name,
                                "expected a sequence above 0, found 0");
    }
    RETURN_IF_ERROR(
        Restore(db_->families->Lookup(key.first), key.second, sequence - 1));
  }
  return Status::OK();
}

Status ReplayIntoTables::Restore(ColumnFamily* family, const std::string& key,
                                 SequenceNumber before) {
  if (family->icmp().timestamp_size() > 0) {
    return Status::NotSupported(
        "undecided transaction in a column family with timestamps",
        family->name());
  }
  PinnableWideColumns columns;
  bool exists = false;
  {
    const ScopedView view(family->views());
    const Status found = LookUpEntity(family->lookup_deps(), *view,
                                      ReadOptions(), key, before, &columns);
    if (!found.ok() && !found.IsNotFound()) return found;
    exists = found.ok();
  }
  const SequenceNumber sequence = db_->versions->last_sequence() + 1;
  ValueType type = ValueType::kDeletion;
  std::string value;
  if (exists) {
    type = ValueType::kWideColumnEntity;
    RETURN_IF_ERROR(EncodeEntity(columns.columns(), &value));
  }
  family->mem()->Add(sequence, type, key, value);
  db_->versions->SetLastAllocatedSequence(sequence);
  db_->versions->SetLastSequence(sequence);
  return Status::OK();
}

Status ReplayIntoTables::Install(uint64_t log_number) {
  const bool keep =
      db_->store.options.avoid_flush_during_recovery && !force_tables_;
  std::vector<FamilyPtr> families;
  {
    MutexLock lock(&db_->mu);
    families = db_->families->all();
  }
  std::vector<VersionEdit> edits(families.size());
  std::vector<FamilyEdits> changes;
  size_t next = 0;
  for (const FamilyPtr& family : families) {
    if (!keep) RETURN_IF_ERROR(WriteTable(family.get()));
    VersionEdit& edit = edits[next++];
    edit.column_family = family->id();
    // What stays in a memtable keeps its log, which need not be durable.
    if (family->mem()->empty()) {
      family->versions()->SetUnflushedFrom(log_number);
      if (!keep) edit.log_number = log_number;
    }
    Outputs& outputs = outputs_[family->id()];
    for (FilePtr& file : outputs.tables) edit.AddFile(0, std::move(file));
    edit.blob_additions = std::move(outputs.blobs);
    FamilyEdits change;
    change.family = family->versions();
    change.edits = {&edit};
    changes.push_back(std::move(change));
  }
  assert(next == edits.size());
  MutexLock lock(&db_->mu);
  const Status status =
      db_->versions->LogAndApply(changes, &db_->mu, db_->directory.get());
  CheckState(*db_);
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
