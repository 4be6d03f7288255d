// The part of Compactor that has jobs carried out by a CompactionService.

#include <cassert>
#include <exception>
#include <string>
#include <utility>

#include "db/db_impl/compactor.h"
#include "db/db_impl/compactor_job.h"
#include "db/error_state/error_state.h"
#include "db/remote_compaction/compaction_result.h"
#include "rocksdb/io_status.h"
#include "rocksdb/system_clock.h"
#include "util/mutex_unlock.h"
#include "util/no_memory.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using ServiceStatus = CompactionServiceJobStatus;

// Numbers cost nothing, and no job writes so many files.
constexpr uint64_t kBlobNumbersReserved = 1 << 20;

// What it throws becomes an error, as if it had failed.
template <typename Call>
Status WithoutThrowing(const char* what, const Call& call) {
  try {
    call();
    return Status::OK();
  } catch (const std::exception& e) {
    return Status::Aborted(std::string(what) + " threw", e.what());
  } catch (...) {
    return Status::Aborted(std::string(what) + " threw");
  }
}

bool IsCancelled(const PauseToken& token) {
  return token.wish() == PauseToken::Wish::kCancel;
}

Status CancelledWhileWaiting() {
  return Status::ShutdownInProgress("The compaction was cancelled");
}

CompactionOutcome OutcomeOf(const RemoteResult& result) {
  CompactionOutcome outcome;
  outcome.directory = result.output_directory;
  for (const NewFile& added : result.edit.new_files) {
    outcome.tables.push_back(added.file);
  }
  outcome.blob_files = result.edit.blob_additions;
  outcome.blob_garbage = result.edit.blob_garbage;
  outcome.stats = result.stats;
  return outcome;
}

Status ReadResult(FileSystem* fs, const RemoteInput& input,
                  const std::string& bytes, RemoteResult* result) {
  RETURN_IF_ERROR(result->DecodeFrom(bytes));
  RETURN_IF_ERROR(result->status);
  RETURN_IF_ERROR(result->CheckAnswers(input));
  if (!IsDirectoryOf(fs, input, result->output_directory)) return Status::OK();
  return Status::Corruption(
      "compaction result: expected an output directory that is none of the "
      "database's",
      "found '" + result->output_directory + "'");
}

// `bytes` may say why.
std::string WhyFailed(ServiceStatus answer, const std::string& bytes) {
  assert(answer != ServiceStatus::kSuccess);
  RemoteResult result;
  if (result.DecodeFrom(bytes).ok() && !result.status.ok()) {
    return result.status.ToString();
  }
  return answer == ServiceStatus::kAborted ? "was aborted" : "has failed";
}

std::vector<RemoteInput::Level> InputLevelsOf(const CompactionPlan& plan) {
  std::vector<RemoteInput::Level> levels;
  for (const CompactionPlan::Inputs& inputs : plan.inputs) {
    levels.push_back({inputs.level, {}});
    for (const FilePtr& file : inputs.files) {
      levels.back().files.push_back(file->number);
    }
  }
  return levels;
}

}  // namespace

RemoteInput Compactor::InputOf(const Job& job) {
  DbState& db = *deps_.db;
  db.mu.AssertHeld();
  const ColumnFamily& family = *job.family;
  const CompactionPlan& plan = job.plan;
  RemoteInput input;
  input.db_name = db.store.dbname;
  input.db_id = db.store.db_id;
  input.db_session_id = db.store.db_session_id;
  input.job_id = job.id;
  input.family_id = family.id();
  input.family_name = family.name();
  input.dirs = family.home()->dirs;
  // It has been written up to here, and the plan's version is in it.
  input.manifest_number = db.versions->manifest_number();
  input.manifest_bytes = db.versions->manifest_bytes();
  input.reason = plan.reason;
  input.levels = InputLevelsOf(plan);
  input.output_level = plan.output_level;
  input.base_level = family.versions()->level_state().base_level;
  input.output_file_size_max = plan.output_file_size_max;
  input.overlap_bytes_max = plan.overlap_bytes_max;
  input.max_subcompactions = plan.max_subcompactions;
  input.compression = plan.compression;
  input.bottommost = plan.bottommost;
  input.is_manual = plan.is_manual;
  input.collect_blobs_below = plan.collect_blobs_below;
  input.smallest_user_key = plan.smallest_user_key;
  input.largest_user_key = plan.largest_user_key;
  input.snapshots = db.snapshots.Sequences();
  input.full_history_ts_low = family.versions()->full_history_ts_low();
  if (job.call != nullptr) input.trim_after = job.call->trim_after;
  const ColumnFamilyOptions& options = *family.options();
  if (options.enable_blob_files &&
      plan.output_level >= options.blob_file_starting_level) {
    input.blob_numbers = kBlobNumbersReserved;
    input.first_blob_number = db.versions->NewFileNumbers(kBlobNumbersReserved);
  }
  return input;
}

std::optional<Status> Compactor::RunRemotely(Job* job) {
  DbState& db = *deps_.db;
  db.mu.AssertHeld();
  assert(job->compaction != nullptr && !job->plan.is_trivial_move);
  assert(job->state == Job::State::kRunning);
  if (db.store.options.compaction_service == nullptr || cancelled_ ||
      IsCancelled(job->token)) {
    return std::nullopt;
  }
  const CompactionPlan& plan = job->plan;
  const RemoteInput input = InputOf(*job);
  const CompactionServiceJobInfo info(
      input.db_name, input.db_id, input.db_session_id, input.family_id,
      input.family_name, input.job_id, plan.is_manual ? Env::USER : Env::LOW,
      plan.reason, plan.TakesAllFiles(), plan.is_manual, plan.bottommost,
      plan.start_level(), plan.output_level);
  job->state = Job::State::kFinishing;
  BusyTime& busy = db.busy[Index(WorkClassOf(plan.job_class()))];
  busy.Enter(job->resumed_micros);
  std::optional<Status> outcome;
  {
    const MutexUnlock unlock(&db.mu);
    outcome = AskService(info, input, job);
  }
  const uint64_t now = db.store.clock->NowMicros();
  busy.Leave(now);
  if (outcome) return outcome;
  job->micros += job->SinceResumed(now);
  job->resumed_micros = now;
  job->state = Job::State::kRunning;
  deps_.schedule();
  return std::nullopt;
}

std::optional<Status> Compactor::AskService(
    const CompactionServiceJobInfo& info, const RemoteInput& input,
    Job* job) const {
  assert(!job->service_id);
  std::string bytes;
  ServiceStatus answer = ServiceStatus::kFailure;
  Status status = OrNoMemory([&]() -> Status {
    bytes = input.Encode();
    const Result<ServiceStatus> called = CallService(info, &bytes, job);
    if (IsCancelled(job->token)) return CancelledWhileWaiting();
    if (!called.ok()) return ServiceFailed(job, called.status().ToString());
    answer = *called;
    if (answer == ServiceStatus::kUseLocal) return Status::OK();
    return answer == ServiceStatus::kSuccess
               ? TakeResult(input, bytes, job)
               : ServiceFailed(job, WhyFailed(answer, bytes));
  });
  if (status.ok() && answer == ServiceStatus::kUseLocal) return std::nullopt;
  return status;
}

// A job that the service has taken is waited for, also if it was cancelled
// meanwhile: the service must learn what becomes of its result.
Result<CompactionServiceJobStatus> Compactor::CallService(
    const CompactionServiceJobInfo& info, std::string* bytes, Job* job) const {
  const StoreContext& store = deps_.db->store;
  CompactionService* const service = store.options.compaction_service.get();
  assert(service != nullptr);
  CompactionServiceScheduleResponse response(ServiceStatus::kFailure);
  RETURN_IF_ERROR(WithoutThrowing(
      "Schedule()", [&] { response = service->Schedule(info, *bytes); }));
  bytes->clear();
  if (response.status != ServiceStatus::kSuccess) return response.status;
  Info(store.info_log, "[%s] [JOB %d] Waits for %s to compact %s, score %.2f",
       info.cf_name.c_str(), static_cast<int>(job->id), service->Name(),
       job->plan.Summary().c_str(), job->plan.score);
  ServiceStatus answer = ServiceStatus::kFailure;
  RETURN_IF_ERROR(WithoutThrowing("Wait()", [&] {
    answer = service->Wait(response.scheduled_job_id, bytes);
  }));
  if (answer == ServiceStatus::kSuccess) {
    job->service_id = std::move(response.scheduled_job_id);
  }
  return answer;
}

// Of the errors, only those of this process are not the service's.
Status Compactor::TakeResult(const RemoteInput& input, const std::string& bytes,
                             Job* job) const {
  RemoteResult result;
  const Status read = ReadResult(deps_.db->store.fs, input, bytes, &result);
  if (!read.ok()) return ServiceFailed(job, read.ToString());
  const Status taken = job->compaction->Adopt(OutcomeOf(result), job->token);
  const bool ours = taken.ok() || taken.IsShutdownInProgress() ||
                    taken.IsMemoryLimit() || IsOutOfSpace(taken);
  return ours ? taken : ServiceFailed(job, taken.ToString());
}

// It is no damage of the database, and may go well when it is tried again.
Status Compactor::ServiceFailed(Job* job, const std::string& why) const {
  job->service_failed = true;
  const CompactionService& service =
      *deps_.db->store.options.compaction_service;
  IOStatus failed = IOStatus::IOError(
      std::string("compaction service ") + service.Name() + ", job " +
          std::to_string(job->id) + " of column family " + job->family->name(),
      why);
  failed.SetRetryable(true);
  return failed;
}

void Compactor::NotifyService(const Job& job, bool installed) const {
  if (!job.service_id) return;
  const StoreContext& store = deps_.db->store;
  try {
    store.options.compaction_service->OnInstallation(
        *job.service_id,
        installed ? ServiceStatus::kSuccess : ServiceStatus::kFailure);
  } catch (const std::exception& e) {
    Error(store.info_log, "CompactionService::OnInstallation threw: %s",
          e.what());
  } catch (...) {
    Error(store.info_log, "CompactionService::OnInstallation threw");
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
