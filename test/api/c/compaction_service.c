/* A compaction service whose worker runs in the same process: its callbacks,
   what jobs say of themselves, and the worker with all that may be set. */
#include "test/api/c/check.h"

enum { kAnswersMax = 4 };

struct Service {
  char output_directory[4096];
  char db_path[4096];
  rocksdb_compaction_service_options_override_t* overrides;
  char* input;
  size_t input_length;
  int scheduled;
  int waited;
  int cancelled;
  int installed;
  int failed;
  int destroyed;
  int answer; /* Of Schedule. */
};

/* Bytes that are not empty. */
static void HasText(const char* text, size_t length) {
  CHECK(text != NULL && length > 0);
}

static void CheckInfo(const rocksdb_compactionservice_jobinfo_t* info) {
  size_t length = 0;
  const char* text =
      rocksdb_compactionservice_jobinfo_t_get_db_name(info, &length);
  HasText(text, length);
  text = rocksdb_compactionservice_jobinfo_t_get_db_id(info, &length);
  HasText(text, length);
  text = rocksdb_compactionservice_jobinfo_t_get_db_session_id(info, &length);
  HasText(text, length);
  text = rocksdb_compactionservice_jobinfo_t_get_cf_name(info, &length);
  CHECK_BYTES(text, length, "default");
  CHECK(rocksdb_compactionservice_jobinfo_t_get_cf_id(info) == 0);
  CHECK(rocksdb_compactionservice_jobinfo_t_get_job_id(info) > 0);
  CHECK(rocksdb_compactionservice_jobinfo_t_get_priority(info) == 3);
  CHECK(rocksdb_compactionservice_jobinfo_t_get_compaction_reason(info) >= 0);
  CHECK(rocksdb_compactionservice_jobinfo_t_get_base_input_level(info) == 0);
  CHECK(rocksdb_compactionservice_jobinfo_t_get_output_level(info) > 0);
  CHECK(rocksdb_compactionservice_jobinfo_t_is_full_compaction(info) == 1);
  CHECK(rocksdb_compactionservice_jobinfo_t_is_manual_compaction(info) == 1);
  CHECK(rocksdb_compactionservice_jobinfo_t_is_bottommost_level(info) == 1);
}

static rocksdb_compactionservice_scheduleresponse_t* OnSchedule(
    void* state, const rocksdb_compactionservice_jobinfo_t* info,
    const char* input, size_t length) {
  struct Service* service = (struct Service*)state;
  char* err = NULL;
  rocksdb_compactionservice_scheduleresponse_t* response;
  ++service->scheduled;
  if (service->answer != rocksdb_compactionservice_jobstatus_success) {
    response = rocksdb_compactionservice_scheduleresponse_create_with_status(
        service->answer, &err);
    CHECK_OK(err);
    return response;
  }
  CheckInfo(info);
  free(service->input);
  service->input = (char*)malloc(length);
  memcpy(service->input, input, length);
  service->input_length = length;
  response = rocksdb_compactionservice_scheduleresponse_create(
      "a job", service->answer, &err);
  CHECK_OK(err);
  return response;
}

static int OnWait(void* state, const char* id, char** result,
                  size_t* result_length) {
  struct Service* service = (struct Service*)state;
  char* err = NULL;
  ++service->waited;
  CHECK(strcmp(id, "a job") == 0);
  *result = rocksdb_open_and_compact(
      service->db_path, service->output_directory, service->input,
      service->input_length, result_length, service->overrides, &err);
  CHECK_OK(err);
  CHECK(*result != NULL && *result_length > 0);
  return rocksdb_compactionservice_jobstatus_success;
}

static void OnCancel(void* state) { ++((struct Service*)state)->cancelled; }

static void OnInstalled(void* state, const char* id, int status) {
  struct Service* service = (struct Service*)state;
  CHECK(strcmp(id, "a job") == 0);
  if (status == rocksdb_compactionservice_jobstatus_success) {
    ++service->installed;
  } else {
    ++service->failed;
  }
}

static void OnDestroyed(void* state) { ++((struct Service*)state)->destroyed; }

static void Responses(void) {
  char* err = NULL;
  size_t length = 0;
  rocksdb_compactionservice_scheduleresponse_t* response =
      rocksdb_compactionservice_scheduleresponse_create(
          "name", rocksdb_compactionservice_jobstatus_aborted, &err);
  CHECK_OK(err);
  CHECK(rocksdb_compactionservice_scheduleresponse_getstatus(response) ==
        rocksdb_compactionservice_jobstatus_aborted);
  CHECK_BYTES(rocksdb_compactionservice_scheduleresponse_get_scheduled_job_id(
                  response, &length),
              length, "name");
  rocksdb_compactionservice_scheduleresponse_t_destroy(response);
  CHECK(rocksdb_compactionservice_scheduleresponse_create_with_status(
            kAnswersMax, &err) == NULL);
  CHECK_ERROR(err, "Invalid argument: ");
  CHECK(rocksdb_compactionservice_scheduleresponse_create("", -1, &err) ==
        NULL);
  CHECK_ERROR(err, "Invalid argument: ");
}

static unsigned char FilterNothing(void* state, int level, const char* key,
                                   size_t key_length, const char* value,
                                   size_t value_length, char** new_value,
                                   size_t* new_value_length,
                                   unsigned char* value_changed) {
  (void)state;
  (void)level;
  (void)key;
  (void)key_length;
  (void)value;
  (void)value_length;
  (void)new_value;
  (void)new_value_length;
  (void)value_changed;
  return 0;
}

static void Nothing(void* state) { (void)state; }

static const char* FilterName(void* state) {
  (void)state;
  return "FilterNothing";
}

/* NULL changes nothing. */
static void IgnoredSettings(rocksdb_compaction_service_options_override_t* o) {
  rocksdb_compaction_service_options_override_set_env(o, NULL);
  rocksdb_compaction_service_options_override_set_comparator(o, NULL);
  rocksdb_compaction_service_options_override_set_merge_operator(o, NULL);
  rocksdb_compaction_service_options_override_set_compaction_filter(o, NULL);
  rocksdb_compaction_service_options_override_set_compaction_filter_factory(
      o, NULL);
  rocksdb_compaction_service_options_override_set_prefix_extractor(o, NULL);
  rocksdb_compaction_service_options_override_set_block_based_table_factory(
      o, NULL);
  rocksdb_compaction_service_options_override_set_cuckoo_table_factory(o, NULL);
  rocksdb_compaction_service_options_override_add_event_listener(o, NULL);
  rocksdb_compaction_service_options_override_set_statistics(o, NULL);
  rocksdb_compaction_service_options_override_set_info_log(o, NULL);
  rocksdb_compaction_service_options_override_set_option(o, NULL, NULL);
  rocksdb_compaction_service_options_override_set_file_checksum_gen_factory(
      o, NULL);
  rocksdb_compaction_service_options_override_set_sst_partitioner_factory(o,
                                                                          NULL);
  rocksdb_compaction_service_options_override_add_table_properties_collector_factory(
      o, NULL);
}

static void Settings(rocksdb_compaction_service_options_override_t* o,
                     rocksdb_options_t* options,
                     rocksdb_compactionfilter_t* filter) {
  rocksdb_block_based_table_options_t* table =
      rocksdb_block_based_options_create();
  rocksdb_file_checksum_gen_factory_t* checksums =
      rocksdb_file_checksum_gen_crc32c_factory_create();
  rocksdb_sst_partitioner_factory_t* partitioner =
      rocksdb_sst_partitioner_fixed_prefix_factory_create(1);
  IgnoredSettings(o);
  rocksdb_compaction_service_options_override_set_block_based_table_factory(
      o, table);
  rocksdb_compaction_service_options_override_set_compaction_filter(o, filter);
  rocksdb_compaction_service_options_override_set_prefix_extractor(
      o, rocksdb_slicetransform_create_fixed_prefix(1));
  rocksdb_compaction_service_options_override_set_statistics(o, options);
  rocksdb_compaction_service_options_override_set_file_checksum_gen_factory(
      o, checksums);
  rocksdb_compaction_service_options_override_set_sst_partitioner_factory(
      o, partitioner);
  rocksdb_compaction_service_options_override_set_option(
      o, "compaction_readahead_size", "65536");
  rocksdb_compaction_service_options_override_set_option(o, "no such option",
                                                         "1");
  rocksdb_sst_partitioner_factory_destroy(partitioner);
  rocksdb_file_checksum_gen_factory_destroy(checksums);
  rocksdb_block_based_options_destroy(table);
}

static void FillLevel0(rocksdb_t* db) {
  char* err = NULL;
  int i;
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  for (i = 0; i < 2; ++i) {
    PutText(db, "a", i == 0 ? "old" : "new");
    PutText(db, i == 0 ? "b" : "c", "value");
    rocksdb_flush(db, flush, &err);
    CHECK_OK(err);
  }
  rocksdb_flushoptions_destroy(flush);
}

static void ValueIs(rocksdb_t* db, const char* key, const char* value) {
  char* text = GetText(db, key);
  CHECK(text != NULL && strcmp(text, value) == 0);
  free(text);
}

/* A worker that is told to stop, and one whose input is none. */
static void CancelledWorker(struct Service* service) {
  char* err = NULL;
  size_t length = 1;
  unsigned char* canceled = rocksdb_open_and_compact_canceled_create();
  rocksdb_open_and_compact_options_t* options =
      rocksdb_open_and_compact_options_create();
  CHECK(rocksdb_open_and_compact_options_get_allow_resumption(options) == 0);
  rocksdb_open_and_compact_options_set_allow_resumption(options, 1);
  CHECK(rocksdb_open_and_compact_options_get_allow_resumption(options) == 1);
  rocksdb_open_and_compact_options_set_canceled(options, canceled);
  rocksdb_open_and_compact_canceled_set(canceled, 1);
  CHECK(rocksdb_open_and_compact_with_options(
            options, service->db_path, service->output_directory, "none", 4,
            &length, service->overrides, &err) == NULL);
  CHECK(length == 0);
  CHECK_ERROR(err, "Corruption: compaction input: ");
  /* The input files are gone. */
  rocksdb_open_and_compact_canceled_set(canceled, 0);
  CHECK(rocksdb_open_and_compact_with_options(
            options, service->db_path, service->output_directory,
            service->input, service->input_length, &length, service->overrides,
            &err) == NULL);
  CHECK_ERROR(err, "Operation aborted: ");
  rocksdb_open_and_compact_options_destroy(options);
  rocksdb_open_and_compact_canceled_destroy(canceled);
}

static void Compactions(struct Service* service, rocksdb_options_t* options) {
  char* err = NULL;
  rocksdb_t* db;
  rocksdb_destroy_db(options, service->db_path, &err);
  CHECK_OK(err);
  db = rocksdb_open(options, service->db_path, &err);
  CHECK_OK(err);
  FillLevel0(db);
  service->answer = rocksdb_compactionservice_jobstatus_success;
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  CHECK(service->scheduled > 0 && service->waited > 0);
  CHECK(service->installed == service->waited && service->failed == 0);
  ValueIs(db, "a", "new");
  ValueIs(db, "b", "value");
  ValueIs(db, "c", "value");
  CancelledWorker(service);
  FillLevel0(db);
  service->waited = 0;
  service->answer = rocksdb_compactionservice_jobstatus_use_local;
  rocksdb_compact_range(db, NULL, 0, NULL, 0);
  CHECK(service->waited == 0);
  ValueIs(db, "a", "new");
  rocksdb_close(db);
  CHECK(service->cancelled == 1);
}

void CheckCompactionService(void) {
  struct Service service;
  rocksdb_compactionfilter_t* filter = rocksdb_compactionfilter_create(
      NULL, Nothing, FilterNothing, FilterName);
  rocksdb_options_t* options = rocksdb_options_create();
  Responses();
  memset(&service, 0, sizeof(service));
  strcpy(service.db_path, PathOf("service"));
  strcpy(service.output_directory, PathOf("service_output"));
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_disable_auto_compactions(options, 1);
  service.overrides =
      rocksdb_compaction_service_options_override_create_from_options(options);
  rocksdb_compaction_service_options_override_destroy(service.overrides);
  service.overrides = rocksdb_compaction_service_options_override_create();
  Settings(service.overrides, options, filter);
  rocksdb_options_set_compaction_service(
      options,
      rocksdb_compactionservice_create(&service, OnDestroyed, OnSchedule,
                                       "c_service", OnWait, OnCancel,
                                       OnInstalled));
  Compactions(&service, options);
  CHECK(service.destroyed == 0);
  rocksdb_options_destroy(options);
  CHECK(service.destroyed == 1);
  rocksdb_compaction_service_options_override_destroy(service.overrides);
  rocksdb_compactionfilter_destroy(filter);
  free(service.input);
}
