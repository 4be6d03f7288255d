#include "test/stress/options/working_service.h"

#include <string_view>
#include <utility>
#include <vector>

#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::stress {

using Status = CompactionServiceJobStatus;

WorkingService::WorkingService(Env* env, std::string folder)
    : env_(env), folder_(std::move(folder)) {}

void WorkingService::Serve(const std::string& family,
                           const ColumnFamilyOptions& options) {
  CompactionServiceOptionsOverride override;
  override.env = env_;
  override.comparator = options.comparator;
  override.merge_operator = options.merge_operator;
  override.compaction_filter = options.compaction_filter;
  override.compaction_filter_factory = options.compaction_filter_factory;
  override.table_properties_collector_factories =
      options.table_properties_collector_factories;
  const std::lock_guard<std::mutex> lock(mu_);
  served_[family] = std::move(override);
}

const CompactionServiceOptionsOverride* WorkingService::Find(
    const std::string& family) const {
  auto found = served_.find(family);
  if (found == served_.end()) found = served_.find(kAnyFamily);
  return found == served_.end() ? nullptr : &found->second;
}

CompactionServiceScheduleResponse WorkingService::Schedule(
    const CompactionServiceJobInfo& info, const std::string& input) {
  const std::lock_guard<std::mutex> lock(mu_);
  if (info.db_session_id != session_) {
    session_ = info.db_session_id;
    canceled_ = false;
  }
  if (++offers_ % 5 == 0 || Find(info.cf_name) == nullptr) {
    return CompactionServiceScheduleResponse(Status::kUseLocal);
  }
  const std::string id = std::to_string(offers_);
  jobs_[id] = {info.db_name, info.cf_name, input};
  return {id, Status::kSuccess};
}

Status WorkingService::Wait(const std::string& id, std::string* result) {
  Job job;
  CompactionServiceOptionsOverride override;
  {
    const std::lock_guard<std::mutex> lock(mu_);
    job = std::move(jobs_.at(id));
    jobs_.erase(id);
    override = *Find(job.family);
  }
  RemoveFolder(id);  // What a crash has left.
  env_->CreateDirIfMissing(folder_).PermitUncheckedError();
  OpenAndCompactOptions options;
  options.canceled = &canceled_;
  const auto status = DB::OpenAndCompact(
      options, job.db_name, folder_ + "/" + id, job.input, result, override);
  if (status.ok()) return Status::kSuccess;
  RemoveFolder(id);
  return canceled_ ? Status::kAborted : Status::kFailure;
}

void WorkingService::OnInstallation(const std::string& id, Status) {
  RemoveFolder(id);
}

void WorkingService::RemoveFolder(const std::string& id) const {
  const std::string path = folder_ + "/" + id;
  std::vector<std::string> names;
  if (!env_->GetChildren(path, &names).ok()) return;
  for (const std::string& name : names) {
    if (name == "." || name == "..") continue;
    env_->DeleteFile(path + "/" + name).PermitUncheckedError();
  }
  env_->DeleteDir(path).PermitUncheckedError();
}

bool IsWorking(const std::shared_ptr<CompactionService>& service) {
  return service != nullptr &&
         std::string_view(service->Name()) == "WorkingService";
}

void ServeFamily(const DBOptions& db, const std::string& family,
                 const ColumnFamilyOptions& options) {
  if (!IsWorking(db.compaction_service)) return;
  static_cast<WorkingService*>(db.compaction_service.get())
      ->Serve(family, options);
}

}  // namespace ROCKSDB_NAMESPACE::stress
