// Listeners made of C callbacks.
#include "api/c/callbacks.h"
#include "api/c/convert.h"
#include "api/c/infos.h"

using capi_internal::ViewOf;

struct rocksdb_status_ptr_t {
  capi::Status* rep;
};

namespace {

// One for each event; NULL: it is not asked for.
struct Events {
  on_flush_begin_cb flush_begin;
  on_flush_completed_cb flush_completed;
  on_compaction_begin_cb compaction_begin;
  on_compaction_completed_cb compaction_completed;
  on_subcompaction_begin_cb subcompaction_begin;
  on_subcompaction_completed_cb subcompaction_completed;
  on_external_file_ingested_cb external_file_ingested;
  on_background_error_cb background_error;
  on_stall_conditions_changed_cb stall_conditions_changed;
  on_memtable_sealed_cb memtable_sealed;
};

}  // namespace

struct rocksdb_eventlistener_t final : public capi::EventListener {
  rocksdb_eventlistener_t(void* given, void (*destroys)(void*),
                          const Events& callbacks)
      : state(given), destructor(destroys), events(callbacks) {}
  ~rocksdb_eventlistener_t() override {
    if (destructor != nullptr) destructor(state);
  }
  rocksdb_eventlistener_t(const rocksdb_eventlistener_t&) = delete;
  rocksdb_eventlistener_t& operator=(const rocksdb_eventlistener_t&) = delete;

  void OnFlushBegin(capi::DB* db, const capi::FlushJobInfo& info) override {
    Tell(events.flush_begin, db, ViewOf<rocksdb_flushjobinfo_t>(info));
  }
  void OnFlushCompleted(capi::DB* db, const capi::FlushJobInfo& info) override {
    Tell(events.flush_completed, db, ViewOf<rocksdb_flushjobinfo_t>(info));
  }
  void OnCompactionBegin(capi::DB* db,
                         const capi::CompactionJobInfo& info) override {
    Tell(events.compaction_begin, db,
         ViewOf<rocksdb_compactionjobinfo_t>(info));
  }
  void OnCompactionCompleted(capi::DB* db,
                             const capi::CompactionJobInfo& info) override {
    Tell(events.compaction_completed, db,
         ViewOf<rocksdb_compactionjobinfo_t>(info));
  }
  void OnExternalFileIngested(
      capi::DB* db, const capi::ExternalFileIngestionInfo& info) override {
    Tell(events.external_file_ingested, db,
         ViewOf<rocksdb_externalfileingestioninfo_t>(info));
  }
  void OnSubcompactionBegin(const capi::SubcompactionJobInfo& info) override {
    Tell(events.subcompaction_begin,
         ViewOf<rocksdb_subcompactionjobinfo_t>(info));
  }
  void OnSubcompactionCompleted(
      const capi::SubcompactionJobInfo& info) override {
    Tell(events.subcompaction_completed,
         ViewOf<rocksdb_subcompactionjobinfo_t>(info));
  }
  void OnStallConditionsChanged(const capi::WriteStallInfo& info) override {
    Tell(events.stall_conditions_changed,
         ViewOf<rocksdb_writestallinfo_t>(info));
  }
  void OnMemTableSealed(const capi::MemTableInfo& info) override {
    Tell(events.memtable_sealed, ViewOf<rocksdb_memtableinfo_t>(info));
  }
  void OnBackgroundError(capi::BackgroundErrorReason reason,
                         capi::Status* bg_error) override {
    if (events.background_error == nullptr) return;
    rocksdb_status_ptr_t status{bg_error};
    events.background_error(state, static_cast<uint32_t>(reason), &status);
  }

  template <typename Callback, typename Info>
  void Tell(Callback callback, capi::DB* db, const Info* info) const {
    rocksdb_t handle{db};
    if (callback != nullptr) callback(state, &handle, info);
  }
  template <typename Callback, typename Info>
  void Tell(Callback callback, const Info* info) const {
    if (callback != nullptr) callback(state, info);
  }

  void* const state;
  void (*const destructor)(void*);
  const Events events;
};

extern "C" {

// NOLINTNEXTLINE(readability-function-size): the signature is public.
rocksdb_eventlistener_t* rocksdb_eventlistener_create(
    void* state, void (*destructor)(void*), on_flush_begin_cb on_flush_begin,
    on_flush_completed_cb on_flush_completed,
    on_compaction_begin_cb on_compaction_begin,
    on_compaction_completed_cb on_compaction_completed,
    on_subcompaction_begin_cb on_subcompaction_begin,
    on_subcompaction_completed_cb on_subcompaction_completed,
    on_external_file_ingested_cb on_external_file_ingested,
    on_background_error_cb on_background_error,
    on_stall_conditions_changed_cb on_stall_conditions_changed,
    on_memtable_sealed_cb on_memtable_sealed) {
  return new rocksdb_eventlistener_t(
      state, destructor,
      {on_flush_begin, on_flush_completed, on_compaction_begin,
       on_compaction_completed, on_subcompaction_begin,
       on_subcompaction_completed, on_external_file_ingested,
       on_background_error, on_stall_conditions_changed, on_memtable_sealed});
}
void rocksdb_eventlistener_destroy(rocksdb_eventlistener_t* listener) {
  delete listener;
}
void rocksdb_options_add_eventlistener(rocksdb_options_t* options,
                                       rocksdb_eventlistener_t* listener) {
  options->rep.listeners.emplace_back(listener);
}
void rocksdb_compaction_service_options_override_add_event_listener(
    rocksdb_compaction_service_options_override_t* override_options,
    rocksdb_eventlistener_t* event_listener) {
  if (event_listener == nullptr) return;
  override_options->rep.listeners.emplace_back(event_listener);
}

void rocksdb_reset_status(rocksdb_status_ptr_t* status_ptr) {
  *status_ptr->rep = capi::Status::OK();
}
void rocksdb_status_ptr_get_error(rocksdb_status_ptr_t* status, char** errptr) {
  capi_internal::SaveError(errptr, *status->rep);
}

}  // extern "C"
