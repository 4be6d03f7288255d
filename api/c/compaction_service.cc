// Compactions in other processes: services made of C callbacks, and the worker.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>

#include "api/c/callbacks.h"
#include "api/c/convert.h"
#include "api/c/fields.h"
#include "api/c/infos.h"

using capi_internal::SaveError;
using capi_internal::TextOf;
using capi_internal::ViewOf;

struct rocksdb_compactionservice_jobinfo_t {
  capi::CompactionServiceJobInfo rep;
};
struct rocksdb_compactionservice_scheduleresponse_t {
  capi::CompactionServiceScheduleResponse rep;
};

namespace {

using JobStatus = capi::CompactionServiceJobStatus;

bool IsJobStatus(int status) {
  return status >= static_cast<int>(JobStatus::kSuccess) &&
         status <= static_cast<int>(JobStatus::kUseLocal);
}

// What a callback returns that is no status has failed.
JobStatus JobStatusOf(int status) {
  return IsJobStatus(status) ? static_cast<JobStatus>(status)
                             : JobStatus::kFailure;
}

// NULL: a default takes its place.
struct ServiceCallbacks {
  rocksdb_compaction_service_schedule_cb schedule;
  rocksdb_compaction_service_wait_cb wait;
  rocksdb_compaction_service_cancel_awaiting_jobs_cb cancel_awaiting_jobs;
  rocksdb_compaction_service_on_installation_cb on_installation;
};

rocksdb_compactionservice_scheduleresponse_t* NewResponse(const char* id,
                                                          int status,
                                                          char** errptr) {
  if (IsJobStatus(status)) {
    const capi::CompactionServiceScheduleResponse response(
        id, static_cast<JobStatus>(status));
    return new rocksdb_compactionservice_scheduleresponse_t{response};
  }
  SaveError(errptr, capi::Status::InvalidArgument(
                        "status of a compaction service: expected 0 to 3",
                        "found " + std::to_string(status)));
  return nullptr;
}

}  // namespace

struct rocksdb_compactionservice_t final : public capi::CompactionService {
  rocksdb_compactionservice_t(void* state, void (*destructor)(void*),
                              const char* name,
                              const ServiceCallbacks& callbacks)
      : state_(state, destructor, nullptr),
        name_(name),
        callbacks_(callbacks) {}

  const char* Name() const override { return name_.c_str(); }

  capi::CompactionServiceScheduleResponse Schedule(
      const capi::CompactionServiceJobInfo& info,
      const std::string& compaction_service_input) override {
    if (callbacks_.schedule == nullptr) {
      return CompactionService::Schedule(info, compaction_service_input);
    }
    const std::unique_ptr<rocksdb_compactionservice_scheduleresponse_t>
        response(callbacks_.schedule(
            state_.get(), ViewOf<rocksdb_compactionservice_jobinfo_t>(info),
            compaction_service_input.data(), compaction_service_input.size()));
    if (response != nullptr) return response->rep;
    return capi::CompactionServiceScheduleResponse(JobStatus::kFailure);
  }

  JobStatus Wait(const std::string& scheduled_job_id,
                 std::string* result) override {
    if (callbacks_.wait == nullptr) {
      return CompactionService::Wait(scheduled_job_id, result);
    }
    char* bytes = nullptr;
    size_t length = 0;
    const int status = callbacks_.wait(state_.get(), scheduled_job_id.c_str(),
                                       &bytes, &length);
    const std::unique_ptr<char, void (*)(void*)> owned(bytes, &std::free);
    if (bytes != nullptr) result->assign(bytes, length);
    return JobStatusOf(status);
  }

  void CancelAwaitingJobs() override {
    if (callbacks_.cancel_awaiting_jobs == nullptr) return;
    callbacks_.cancel_awaiting_jobs(state_.get());
  }

  void OnInstallation(const std::string& scheduled_job_id,
                      JobStatus status) override {
    if (callbacks_.on_installation == nullptr) return;
    callbacks_.on_installation(state_.get(), scheduled_job_id.c_str(),
                               static_cast<int>(status));
  }

 private:
  const capi_internal::CallbackState state_;
  const std::string name_;
  const ServiceCallbacks callbacks_;
};

extern "C" {

// ---- The service.

rocksdb_compactionservice_scheduleresponse_t*
rocksdb_compactionservice_scheduleresponse_create(const char* scheduled_job_id,
                                                  int status,
                                                  char** errptr) try {
  return NewResponse(scheduled_job_id, status, errptr);
}
CAPI_CATCH(rocksdb_compactionservice_scheduleresponse_t*, errptr)

rocksdb_compactionservice_scheduleresponse_t*
rocksdb_compactionservice_scheduleresponse_create_with_status(
    int status, char** errptr) try {
  return NewResponse("", status, errptr);
}
CAPI_CATCH(rocksdb_compactionservice_scheduleresponse_t*, errptr)

int rocksdb_compactionservice_scheduleresponse_getstatus(
    const rocksdb_compactionservice_scheduleresponse_t* response) {
  return static_cast<int>(response->rep.status);
}
const char* rocksdb_compactionservice_scheduleresponse_get_scheduled_job_id(
    const rocksdb_compactionservice_scheduleresponse_t* response, size_t* len) {
  return TextOf(response->rep.scheduled_job_id, len);
}
void rocksdb_compactionservice_scheduleresponse_t_destroy(
    rocksdb_compactionservice_scheduleresponse_t* response) {
  delete response;
}

// NOLINTBEGIN(bugprone-macro-parentheses): declarations.
#define JOB_TEXT(name, member)                                        \
  const char* rocksdb_compactionservice_jobinfo_t_##name(             \
      const rocksdb_compactionservice_jobinfo_t* info, size_t* len) { \
    return TextOf(info->rep.member, len);                             \
  }
#define JOB_VALUE(name, type, member)                    \
  type rocksdb_compactionservice_jobinfo_t_##name(       \
      const rocksdb_compactionservice_jobinfo_t* info) { \
    return static_cast<type>(info->rep.member);          \
  }
// NOLINTEND(bugprone-macro-parentheses)

// clang-format off
JOB_TEXT(get_db_name, db_name)
JOB_TEXT(get_db_id, db_id)
JOB_TEXT(get_db_session_id, db_session_id)
JOB_TEXT(get_cf_name, cf_name)
JOB_VALUE(get_cf_id, uint32_t, cf_id)
JOB_VALUE(get_job_id, uint64_t, job_id)
JOB_VALUE(get_priority, int, priority)
JOB_VALUE(get_compaction_reason, int, compaction_reason)
JOB_VALUE(get_base_input_level, int, base_input_level)
JOB_VALUE(get_output_level, int, output_level)
JOB_VALUE(is_full_compaction, unsigned char, is_full_compaction)
JOB_VALUE(is_manual_compaction, unsigned char, is_manual_compaction)
JOB_VALUE(is_bottommost_level, unsigned char, bottommost_level)
// clang-format on

#undef JOB_TEXT
#undef JOB_VALUE

// NOLINTNEXTLINE(readability-function-size): the signature is public.
rocksdb_compactionservice_t* rocksdb_compactionservice_create(
    void* state, void (*destructor)(void*),
    rocksdb_compaction_service_schedule_cb schedule, const char* name,
    rocksdb_compaction_service_wait_cb wait,
    rocksdb_compaction_service_cancel_awaiting_jobs_cb cancel_awaiting_jobs,
    rocksdb_compaction_service_on_installation_cb on_installation) {
  return new rocksdb_compactionservice_t(
      state, destructor, name,
      {schedule, wait, cancel_awaiting_jobs, on_installation});
}
void rocksdb_options_set_compaction_service(
    rocksdb_options_t* options, rocksdb_compactionservice_t* service) {
  options->rep.compaction_service.reset(service);
}

// ---- The worker's options.

rocksdb_compaction_service_options_override_t*
rocksdb_compaction_service_options_override_create(void) {
  return new rocksdb_compaction_service_options_override_t;
}
rocksdb_compaction_service_options_override_t*
rocksdb_compaction_service_options_override_create_from_options(
    rocksdb_options_t* option) {
  auto* const made = new rocksdb_compaction_service_options_override_t;
  const capi::Options& from = option->rep;
  made->rep.env = from.env;
  made->rep.file_checksum_gen_factory = from.file_checksum_gen_factory;
  made->rep.comparator = from.comparator;
  made->rep.merge_operator = from.merge_operator;
  made->rep.compaction_filter = from.compaction_filter;
  made->rep.compaction_filter_factory = from.compaction_filter_factory;
  made->rep.prefix_extractor = from.prefix_extractor;
  made->rep.table_factory = from.table_factory;
  made->rep.sst_partitioner_factory = from.sst_partitioner_factory;
  made->rep.listeners = from.listeners;
  made->rep.statistics = from.statistics;
  made->rep.info_log = from.info_log;
  made->rep.table_properties_collector_factories =
      from.table_properties_collector_factories;
  return made;
}
void rocksdb_compaction_service_options_override_destroy(
    rocksdb_compaction_service_options_override_t* override_options) {
  delete override_options;
}

void rocksdb_compaction_service_options_override_set_env(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_env_t* env) {
  if (env != nullptr) override_options->rep.env = env->rep;
}
void rocksdb_compaction_service_options_override_set_comparator(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_comparator_t* comparator) {
  if (comparator != nullptr) override_options->rep.comparator = comparator;
}
void rocksdb_compaction_service_options_override_set_merge_operator(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_mergeoperator_t* merge_operator) {
  if (merge_operator == nullptr) return;
  override_options->rep.merge_operator.reset(merge_operator);
}
void rocksdb_compaction_service_options_override_set_compaction_filter(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_compactionfilter_t* compaction_filter) {
  if (compaction_filter == nullptr) return;
  override_options->rep.compaction_filter = compaction_filter;
}
void rocksdb_compaction_service_options_override_set_compaction_filter_factory(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_compactionfilterfactory_t* compaction_filter_factory) {
  if (compaction_filter_factory == nullptr) return;
  override_options->rep.compaction_filter_factory.reset(
      compaction_filter_factory);
}
void rocksdb_compaction_service_options_override_set_prefix_extractor(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_slicetransform_t* prefix_extractor) {
  if (prefix_extractor == nullptr) return;
  override_options->rep.prefix_extractor = prefix_extractor->rep;
  delete prefix_extractor;
}
void rocksdb_compaction_service_options_override_set_block_based_table_factory(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_block_based_table_options_t* table_options) {
  if (table_options == nullptr) return;
  override_options->rep.table_factory.reset(
      capi::NewBlockBasedTableFactory(table_options->rep));
}
void rocksdb_compaction_service_options_override_set_cuckoo_table_factory(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_cuckoo_table_options_t* table_options) {
  if (table_options == nullptr) return;
  override_options->rep.table_factory.reset(
      capi::NewCuckooTableFactory(table_options->rep));
}
void rocksdb_compaction_service_options_override_set_statistics(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_options_t* options) {
  if (options == nullptr) return;
  override_options->rep.statistics = options->rep.statistics;
}
void rocksdb_compaction_service_options_override_set_info_log(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_logger_t* logger) {
  if (logger != nullptr) override_options->rep.info_log = logger->rep;
}
void rocksdb_compaction_service_options_override_set_option(
    rocksdb_compaction_service_options_override_t* override_options,
    const char* key, const char* value) {
  if (key == nullptr || value == nullptr) return;
  override_options->rep.options_map[key] = value;
}
void rocksdb_compaction_service_options_override_set_file_checksum_gen_factory(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_file_checksum_gen_factory_t* factory) {
  if (factory == nullptr) return;
  override_options->rep.file_checksum_gen_factory = factory->rep;
}
void rocksdb_compaction_service_options_override_set_sst_partitioner_factory(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_sst_partitioner_factory_t* factory) {
  if (factory == nullptr) return;
  override_options->rep.sst_partitioner_factory = factory->rep;
}
void rocksdb_compaction_service_options_override_add_table_properties_collector_factory(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_table_properties_collector_factory_t* factory) {
  if (factory == nullptr) return;
  override_options->rep.table_properties_collector_factories.push_back(
      factory->rep);
}

// ---- The worker.

// clang-format off
#define FIELD_OPTIONS rocksdb_open_and_compact_options_t
#define FIELD_PREFIX open_and_compact_options

FIELD(allow_resumption, unsigned char, allow_resumption)

#undef FIELD_OPTIONS
#undef FIELD_PREFIX

LIFETIME(open_and_compact_options, rocksdb_open_and_compact_options_t)
// clang-format on

// The opaque byte is an atomic flag.
unsigned char* rocksdb_open_and_compact_canceled_create(void) {
  return reinterpret_cast<unsigned char*>(new std::atomic<bool>(false));
}
void rocksdb_open_and_compact_canceled_destroy(unsigned char* canceled) {
  delete reinterpret_cast<std::atomic<bool>*>(canceled);
}
void rocksdb_open_and_compact_canceled_set(unsigned char* canceled,
                                           unsigned char value) {
  *reinterpret_cast<std::atomic<bool>*>(canceled) = value != 0;
}
void rocksdb_open_and_compact_options_set_canceled(
    rocksdb_open_and_compact_options_t* options, unsigned char* canceled) {
  options->rep.canceled = reinterpret_cast<std::atomic<bool>*>(canceled);
}

char* rocksdb_open_and_compact(
    const char* db_path, const char* output_directory, const char* input,
    size_t input_len, size_t* output_len,
    const rocksdb_compaction_service_options_override_t* override_options,
    char** errptr) {
  const rocksdb_open_and_compact_options_t options{};
  return rocksdb_open_and_compact_with_options(
      &options, db_path, output_directory, input, input_len, output_len,
      override_options, errptr);
}

// NOLINTNEXTLINE(readability-function-size): the signature is public.
char* rocksdb_open_and_compact_with_options(
    const rocksdb_open_and_compact_options_t* options, const char* db_path,
    const char* output_directory, const char* input, size_t input_len,
    size_t* output_len,
    const rocksdb_compaction_service_options_override_t* override_options,
    char** errptr) try {
  *output_len = 0;
  std::string output;
  const capi::Status status = capi::DB::OpenAndCompact(
      options->rep, db_path, output_directory, std::string(input, input_len),
      &output, override_options->rep);
  if (SaveError(errptr, status)) return nullptr;
  *output_len = output.size();
  return capi_internal::CopyBytes(output);
}
CAPI_CATCH(char*, errptr)

}  // extern "C"
