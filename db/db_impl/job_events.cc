#include "db/db_impl/job_events.h"

#include <cassert>
#include <utility>

#include "db/events/db_events.h"
#include "db/format/file_names.h"
#include "rocksdb/env.h"
#include "util/compression/compression.h"
#include "util/mutex_unlock.h"
#include "util/no_memory.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

LsmShape ShapeOf(const ColumnFamily& family) {
  const std::shared_ptr<const Version> version = family.versions()->current();
  LsmShape shape;
  for (int level = 0; level < version->num_levels(); ++level) {
    shape.push_back(version->NumFiles(level));
  }
  return shape;
}

std::string PathOf(const ColumnFamily& family, const FilePtr& file) {
  return TableFileName(family.home()->Dir(file->path_id), file->number);
}

void AddFile(int level, const FilePtr& file, const std::string& path,
             std::vector<std::string>* paths,
             std::vector<CompactionFileInfo>* infos) {
  paths->push_back(path);
  infos->push_back({level, file->number, file->oldest_blob_file});
}

// What the job counted, in the words of the public struct.
void AddNumbers(const CompactionJobStats& done,
                ROCKSDB_NAMESPACE::CompactionJobStats* stats) {
  stats->cpu_micros = done.cpu_micros;
  stats->num_input_records = done.iterator.input_records;
  stats->num_input_deletion_records = done.iterator.input_deletions;
  stats->num_expired_deletion_records = done.iterator.dropped_obsolete;
  stats->num_records_replaced = done.iterator.dropped_hidden;
  stats->num_single_del_mismatch = done.iterator.single_delete_mismatches;
  stats->total_input_raw_key_bytes = done.iterator.input_key_bytes;
  stats->total_input_raw_value_bytes = done.iterator.input_value_bytes;
  stats->num_output_records = done.output_records;
  stats->num_output_files = done.output_files;
  stats->total_output_bytes = done.output_bytes;
  stats->num_blobs_read = done.blobs_read;
  stats->total_blob_bytes_read = done.blob_bytes_read;
  stats->num_output_files_blob = done.blob_files_written;
  stats->total_output_bytes_blob = done.blob_bytes_written;
}

std::vector<BlobFileAdditionInfo> AdditionsOf(
    const ColumnFamily& family, const std::vector<BlobFileAddition>& files) {
  std::vector<BlobFileAdditionInfo> infos;
  infos.reserve(files.size());
  for (const BlobFileAddition& file : files) {
    infos.emplace_back(BlobFileName(family.home()->Dir(0), file.number),
                       file.number, file.blob_count, file.blob_bytes);
  }
  return infos;
}

void AddProperties(const TableCache& tables, int level,
                   const std::vector<FilePtr>& files,
                   TablePropertiesCollection* properties) {
  for (const FilePtr& file : files) {
    auto table = tables.Find(*file, level);
    if (table.ok()) (*properties)[file->Path()] = (*table)->properties();
  }
}

// Not under the mutex: tables may have to be opened. What cannot be read is
// left out.
void AddProperties(const JobEvents::Compaction& compaction,
                   CompactionJobInfo* info) {
  const TableCache& tables = compaction.family->tables();
  for (const CompactionPlan::Inputs& inputs : compaction.plan->inputs) {
    AddProperties(tables, inputs.level, inputs.files, &info->table_properties);
  }
  if (compaction.job == nullptr || !info->status.ok()) return;
  AddProperties(tables, compaction.plan->output_level,
                compaction.job->outputs(), &info->table_properties);
}

}  // namespace

// A listener may call into the database, which needs the mutex.
template <typename Tell>
void JobEvents::Unlocked(Tell&& tell) {
  db_->mu.AssertHeld();
  const MutexUnlock unlock(&db_->mu);
  tell(db_->events.get());
}

// ------------------------------------------------------------------- flush

FlushJobInfo JobEvents::Describe(const ColumnFamily& family,
                                 const FlushJob& job, int job_id,
                                 FlushReason reason) const {
  db_->mu.AssertHeld();
  FlushJobInfo info;
  info.cf_id = family.id();
  info.cf_name = family.name();
  info.file_number = job.file_number();
  info.file_path = TableFileName(family.home()->Dir(0), job.file_number());
  info.thread_id = db_->env->GetThreadID();
  info.job_id = job_id;
  const StallVerdict& verdict =
      const_cast<ColumnFamily&>(family).stall().verdict;
  if (verdict.cause == WriteStallCause::kL0FileCountLimit) {
    info.triggered_writes_slowdown =
        verdict.condition == WriteStallCondition::kDelayed;
    info.triggered_writes_stop =
        verdict.condition == WriteStallCondition::kStopped;
  }
  info.flush_reason = reason;
  if (const FilePtr& file = job.file(); file != nullptr) {
    info.smallest_seqno = file->smallest_sequence;
    info.largest_seqno = file->largest_sequence;
    info.table_properties = job.properties();
    info.oldest_blob_file_number = file->oldest_blob_file;
  }
  info.blob_compression_type = family.options()->blob_compression_type;
  info.blob_file_addition_infos = AdditionsOf(family, job.blob_files());
  return info;
}

void JobEvents::FlushBegin(const ColumnFamily& family, const FlushJob& job,
                           int job_id, FlushReason reason) {
  db_->mu.AssertHeld();
  const FlushJobInfo info = Describe(family, job, job_id, reason);
  const FlushStats& stats = job.stats();
  FlushInput input;
  input.num_memtables = stats.num_memtables;
  input.num_entries = stats.num_entries;
  input.num_deletes = stats.num_deletes;
  input.num_range_deletes = stats.num_range_deletes;
  input.data_bytes = stats.data_bytes;
  input.memory_bytes = stats.memory_bytes;
  Unlocked([&](DbEvents* events) { events->FlushBegin(info, input); });
}

void JobEvents::FlushCompleted(const ColumnFamily& family, const FlushJob& job,
                               int job_id, FlushReason reason) {
  db_->mu.AssertHeld();
  const FlushJobInfo info = Describe(family, job, job_id, reason);
  FlushOutput output;
  output.compression = info.table_properties.compression_name;
  output.shape = ShapeOf(family);
  output.num_dropped_deletes = job.stats().entries.dropped_obsolete;
  output.num_immutable_memtables = family.imm().num_unflushed();
  Unlocked([&](DbEvents* events) { events->FlushCompleted(info, output); });
}

void JobEvents::Purged(const ColumnFamily& family, const FlushJob& job,
                       int job_id, const MemTable& survivors) {
  db_->mu.AssertHeld();
  Mempurge purge;
  purge.job_id = job_id;
  purge.cf_name = family.name();
  purge.num_memtables = job.stats().num_memtables;
  purge.num_entries = job.stats().num_entries;
  purge.kept_entries = survivors.num_entries();
  purge.memory_bytes = job.stats().memory_bytes;
  purge.kept_memory_bytes = survivors.AllocatedBytes();
  Unlocked([&](DbEvents* events) { events->log().LogMempurge(purge); });
}

// -------------------------------------------------------------- compaction

CompactionJobInfo JobEvents::Describe(const Compaction& compaction) const {
  db_->mu.AssertHeld();
  const ColumnFamily& family = *compaction.family;
  const CompactionPlan& plan = *compaction.plan;
  CompactionJobInfo info;
  info.cf_id = family.id();
  info.cf_name = family.name();
  info.thread_id = db_->env->GetThreadID();
  info.job_id = compaction.job_id;
  info.base_input_level = plan.start_level();
  info.output_level = plan.output_level;
  info.compaction_reason = plan.reason;
  for (const CompactionPlan::Inputs& inputs : plan.inputs) {
    for (const FilePtr& file : inputs.files) {
      AddFile(inputs.level, file, PathOf(family, file), &info.input_files,
              &info.input_file_infos);
    }
    if (inputs.level == 0) {
      info.num_l0_files = static_cast<int>(inputs.files.size());
    }
    assert(inputs.level <= plan.output_level || plan.is_trivial_move);
    info.stats.num_input_files += inputs.files.size();
    if (inputs.level == plan.output_level) {
      info.stats.num_input_files_at_output_level += inputs.files.size();
    }
  }
  info.blob_compression_type = family.options()->blob_compression_type;
  info.stats.is_manual_compaction = plan.is_manual;
  info.stats.total_input_bytes = plan.InputBytes();
  info.compression =
      plan.compression
          ? *plan.compression
          : BuildOptionsFor(db_->store, family.owner(), plan.output_level,
                            family.versions()->level_state().base_level,
                            plan.bottommost)
                .compression;
  return info;
}

template <typename Tell>
void JobEvents::Unlocked(const Compaction& compaction, bool wanted,
                         CompactionJobInfo* info, Tell&& tell) {
  db_->mu.AssertHeld();
  Unlocked([&](DbEvents* events) {
    if (wanted || events->has_listeners()) {
      (void)OrNoMemory([&] {
        AddProperties(compaction, info);
        return Status::OK();
      });
    }
    tell(events);
  });
}

void JobEvents::CompactionBegin(const Compaction& compaction) {
  db_->mu.AssertHeld();
  CompactionJobInfo info = Describe(compaction);
  if (compaction.plan->is_trivial_move) {
    Unlocked(compaction, false, &info,
             [&](DbEvents* events) { events->TrivialMoveBegin(info); });
    return;
  }
  CompactionInput input;
  input.score = compaction.plan->score;
  input.input_bytes = compaction.plan->InputBytes();
  const std::vector<SequenceNumber> snapshots = db_->snapshots.Sequences();
  if (!snapshots.empty()) input.oldest_snapshot = snapshots.front();
  Unlocked(compaction, false, &info,
           [&](DbEvents* events) { events->CompactionBegin(info, input); });
}

CompactionJobInfo JobEvents::OutcomeOf(const Compaction& compaction,
                                       const Status& status) const {
  db_->mu.AssertHeld();
  const CompactionPlan& plan = *compaction.plan;
  CompactionJobInfo info = Describe(compaction);
  info.status = status;
  info.stats.elapsed_micros = compaction.micros;
  if (compaction.job == nullptr) {
    assert(plan.is_trivial_move || !status.ok());
    // The same files, now at another level.
    info.output_files = info.input_files;
    info.output_file_infos = info.input_file_infos;
    for (CompactionFileInfo& file : info.output_file_infos) {
      file.level = plan.output_level;
    }
    info.stats.num_input_files_trivially_moved =
        plan.inputs.front().files.size();
    return info;
  }
  AddNumbers(compaction.job->stats(), &info.stats);
  for (const FilePtr& file : compaction.job->outputs()) {
    AddFile(plan.output_level, file, PathOf(*compaction.family, file),
            &info.output_files, &info.output_file_infos);
  }
  info.blob_file_addition_infos =
      AdditionsOf(*compaction.family, compaction.job->blob_outputs());
  for (const BlobFileGarbage& garbage : compaction.job->blob_garbage()) {
    info.blob_file_garbage_infos.emplace_back(
        BlobFileName(compaction.family->home()->Dir(0), garbage.number),
        garbage.number, garbage.blob_count, garbage.blob_bytes);
  }
  return info;
}

void JobEvents::CompactionCompleted(const Compaction& compaction,
                                    const Status& status,
                                    CompactionJobInfo* outcome) {
  db_->mu.AssertHeld();
  const CompactionPlan& plan = *compaction.plan;
  CompactionJobInfo info = OutcomeOf(compaction, status);
  const bool wanted = outcome != nullptr;
  if (compaction.job == nullptr) {
    TrivialMove move;
    move.job_id = compaction.job_id;
    move.destination_level = plan.output_level;
    move.num_files = plan.inputs.front().files.size();
    move.total_bytes = plan.InputBytes();
    Unlocked(compaction, wanted, &info, [&](DbEvents* events) {
      events->TrivialMoveCompleted(info, move);
    });
  } else {
    CompactionOutput output;
    output.output_bytes = compaction.job->stats().output_bytes;
    output.num_subcompactions = compaction.job->slices();
    output.compression = CompressionTypeName(info.compression);
    output.shape = ShapeOf(*compaction.family);
    Unlocked(compaction, wanted, &info, [&](DbEvents* events) {
      events->CompactionCompleted(info, output);
    });
  }
  if (outcome != nullptr) *outcome = std::move(info);
}

std::unique_ptr<SliceEvents> JobEvents::ObserverOf(
    const Compaction& compaction) const {
  db_->mu.AssertHeld();
  return std::make_unique<SliceEvents>(db_, *compaction.family,
                                       Describe(compaction));
}

// ------------------------------------------------------------------ tables

template <typename Info>
void TableEvents::Describe(uint64_t number, uint32_t path_id,
                           Info* info) const {
  info->db_name = db_->store.dbname;
  info->cf_name = family_.name();
  info->file_path = TableFileName(home_->Dir(path_id), number);
  info->job_id = job_id_;
  info->reason = reason_;
}

void TableEvents::TableBegun(uint64_t number, uint32_t path_id) {
  if (!db_->events->has_listeners()) return;
  TableFileCreationBriefInfo info;
  Describe(number, path_id, &info);
  db_->events->TableFileCreationStarted(info);
}

void TableEvents::TableEnded(uint64_t number, uint32_t path_id,
                             const FinishedTable& table, const Status& status) {
  TableFileCreationInfo info;
  Describe(number, path_id, &info);
  info.status = status;
  info.file_checksum_func_name = "Unknown";
  SequenceNumber smallest = 0;
  SequenceNumber largest = 0;
  if (status.ok()) {
    info.table_properties = table.properties;
    info.file_size = table.file->size;
    info.file_checksum = table.file->checksum;
    smallest = table.file->smallest_sequence;
    largest = table.file->largest_sequence;
  }
  db_->events->TableFileCreated(info, number, smallest, largest);
}

BlobFileCreationBriefInfo TableEvents::DescribeBlobFile(uint64_t number) const {
  BlobFileCreationReason reason = BlobFileCreationReason::kCompaction;
  if (reason_ == TableFileCreationReason::kFlush) {
    reason = BlobFileCreationReason::kFlush;
  } else if (reason_ == TableFileCreationReason::kRecovery) {
    reason = BlobFileCreationReason::kRecovery;
  }
  return {db_->store.dbname, family_.name(),
          BlobFileName(home_->Dir(0), number), job_id_, reason};
}

void TableEvents::BlobFileBegun(uint64_t number) {
  if (!db_->events->has_listeners()) return;
  db_->events->BlobFileCreationStarted(DescribeBlobFile(number));
}

void TableEvents::BlobFileEnded(const BlobFileAddition& file,
                                const Status& status) {
  const BlobFileCreationBriefInfo brief = DescribeBlobFile(file.number);
  const bool has_checksum = !file.checksum_value.empty();
  const BlobFileCreationInfo info(
      brief.db_name, brief.cf_name, brief.file_path, brief.job_id, brief.reason,
      file.blob_count, file.blob_bytes, status, file.checksum_value,
      has_checksum ? file.checksum_method : kUnknownFileChecksumFuncName);
  db_->events->BlobFileCreated(info, file.number);
}

// ------------------------------------------------------------------ slices

SliceEvents::SliceEvents(const DbState* db, const ColumnFamily& family,
                         const CompactionJobInfo& info,
                         std::shared_ptr<const FileHome> home)
    : db_(db),
      tables_(db, family, info.job_id, TableFileCreationReason::kCompaction,
              std::move(home)) {
  job_.cf_id = info.cf_id;
  job_.cf_name = info.cf_name;
  job_.job_id = info.job_id;
  job_.base_input_level = info.base_input_level;
  job_.output_level = info.output_level;
  job_.compaction_reason = info.compaction_reason;
  job_.compression = info.compression;
  job_.stats.is_manual_compaction = info.stats.is_manual_compaction;
}

SubcompactionJobInfo SliceEvents::Describe(size_t index) const {
  SubcompactionJobInfo info = job_;
  info.thread_id = db_->env->GetThreadID();
  info.subcompaction_job_id = static_cast<int>(index);
  return info;
}

void SliceEvents::SliceBegun(size_t index) {
  if (!db_->events->has_listeners()) return;
  db_->events->SubcompactionBegin(Describe(index));
}

void SliceEvents::SliceEnded(size_t index, const CompactionJobStats& stats,
                             const Status& status) {
  if (!db_->events->has_listeners()) return;
  SubcompactionJobInfo info = Describe(index);
  info.status = status;
  AddNumbers(stats, &info.stats);
  db_->events->SubcompactionCompleted(info);
}

}  // namespace ROCKSDB_NAMESPACE::engine
