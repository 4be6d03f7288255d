#include "db/remote_compaction/compaction_worker.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>
#include <vector>

#include "db/compaction/slice_runner.h"
#include "db/format/file_names.h"
#include "db/remote_compaction/compaction_result.h"
#include "rocksdb/file_system.h"
#include "util/no_memory.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

Status NotThere(const CompactionWork& work, const std::string& expected,
                const std::string& found) {
  return Status::Aborted(
      "column family " + work.family->name() + ": expected " + expected,
      "found " + found);
}

// The files of one level in the order of the Version, which is the one that a
// plan needs.
Status FindFiles(const CompactionWork& work, const Version& version,
                 const RemoteInput::Level& wanted,
                 CompactionPlan::Inputs* inputs) {
  if (wanted.level >= version.num_levels()) {
    return NotThere(work, "level " + std::to_string(wanted.level),
                    std::to_string(version.num_levels()) + " levels");
  }
  inputs->level = wanted.level;
  std::set<uint64_t> missing(wanted.files.begin(), wanted.files.end());
  for (const FilePtr& file : version.files(wanted.level)) {
    if (missing.erase(file->number) > 0) inputs->files.push_back(file);
  }
  if (missing.empty()) return Status::OK();
  return NotThere(work,
                  "table " + std::to_string(*missing.begin()) + " in level " +
                      std::to_string(wanted.level),
                  "none of that number in the MANIFEST");
}

Result<CompactionPlan> PlanOf(const CompactionWork& work,
                              std::shared_ptr<const Version> version) {
  const RemoteInput& input = *work.input;
  CompactionPlan plan;
  plan.reason = input.reason;
  for (const RemoteInput::Level& level : input.levels) {
    CompactionPlan::Inputs inputs;
    RETURN_IF_ERROR(FindFiles(work, *version, level, &inputs));
    plan.inputs.push_back(std::move(inputs));
  }
  assert(!plan.inputs.front().files.empty());
  if (input.output_level >= version->num_levels()) {
    return NotThere(work, "level " + std::to_string(input.output_level),
                    std::to_string(version->num_levels()) + " levels");
  }
  plan.output_level = input.output_level;
  plan.output_file_size_max = input.output_file_size_max;
  plan.overlap_bytes_max = input.overlap_bytes_max;
  plan.max_subcompactions = input.max_subcompactions;
  plan.compression = input.compression;
  plan.is_manual = input.is_manual;
  plan.bottommost = input.bottommost;
  plan.collect_blobs_below = input.collect_blobs_below;
  plan.smallest_user_key = input.smallest_user_key;
  plan.largest_user_key = input.largest_user_key;
  if (plan.output_level > 0 && plan.output_level + 1 < version->num_levels()) {
    const Slice begin(plan.smallest_user_key);
    const Slice end(plan.largest_user_key);
    plan.grandparents =
        version->FilesTouching(plan.output_level + 1, &begin, &end);
  }
  plan.version = std::move(version);
  return plan;
}

CompactionJobDeps DepsOf(const CompactionWork& work) {
  DbState& db = *work.db;
  const RemoteInput& input = *work.input;
  CompactionJobDeps deps;
  deps.store = &db.store;
  deps.file_options = OutputFileOptions(db.store.options);
  deps.tables = &work.family->tables();
  deps.blobs = &work.family->blobs();
  deps.owner = work.family->owner();
  deps.owner.home = work.home;
  deps.new_file_number = [&db] { return db.versions->NewFileNumber(); };
  deps.new_blob_number = [next = std::make_shared<std::atomic<uint64_t>>(
                              input.first_blob_number)] {
    return next->fetch_add(1);
  };
  deps.snapshots = input.snapshots;
  deps.full_history_ts_low = input.full_history_ts_low;
  deps.trim_after = input.trim_after;
  deps.job_id = static_cast<int>(input.job_id);
  deps.base_level = input.base_level;
  deps.compaction_readahead_bytes = db.store.options.compaction_readahead_size;
  deps.observer = work.observer;
  return deps;
}

// Finish() has given the outputs away.
void DeleteFilesOf(const CompactionWork& work, const CompactionJob& job) {
  FileSystem* const fs = work.db->store.fs;
  for (const FilePtr& file : job.outputs()) {
    (void)fs->DeleteFile(file->Path(), IOOptions(), nullptr);
  }
  for (const BlobFileAddition& file : job.blob_outputs()) {
    (void)fs->DeleteFile(BlobFileName(work.home->Dir(0), file.number),
                         IOOptions(), nullptr);
  }
}

Status CheckBlobNumbers(const CompactionWork& work, const CompactionJob& job) {
  const uint64_t reserved = work.input->blob_numbers;
  const size_t used = job.blob_outputs().size();
  if (used <= reserved) return Status::OK();
  return Status::Aborted(
      "compaction: expected at most " + std::to_string(reserved) +
          " new blob files",
      "found " + std::to_string(used) +
          "; both processes must have the same blob options");
}

std::string ResultOf(const CompactionWork& work, const CompactionJob& job,
                     VersionEdit edit) {
  RemoteResult result = RemoteResult::To(*work.input);
  result.output_directory = work.home->Dir(0);
  result.edit = std::move(edit);
  result.stats = job.stats();
  return result.Encode();
}

}  // namespace

Status RunCompactionWork(const CompactionWork& work, std::string* result) {
  assert(work.family != nullptr && work.home != nullptr);
  DbState& db = *work.db;
  const RemoteInput& input = *work.input;
  // (3)
  db.versions->StepOverFileNumber(input.first_blob_number + input.blob_numbers);
  Result<CompactionPlan> plan =
      PlanOf(work, work.family->versions()->current());
  if (!plan.ok()) return plan.status();
  PauseToken token;
  token.CancelWith(work.canceled);
  CompactionJob job(DepsOf(work), std::move(*plan));
  job.Prepare();
  const JobProgress progress = RunSlices(db.env, &job, token);
  assert(progress != JobProgress::kPaused);
  if (progress != JobProgress::kDone &&
      token.wish() == PauseToken::Wish::kCancel) {
    return Status::Incomplete(Status::SubCode::kManualCompactionPaused);
  }
  VersionEdit edit;
  RETURN_IF_ERROR(OrNoMemory([&] { return job.Finish(&edit); }));
  Status status = CheckBlobNumbers(work, job);
  if (status.ok()) {
    status = OrNoMemory([&] {
      *result = ResultOf(work, job, std::move(edit));
      return Status::OK();
    });
  }
  if (!status.ok()) DeleteFilesOf(work, job);
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
