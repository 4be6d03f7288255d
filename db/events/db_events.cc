#include "db/events/db_events.h"

#include <cassert>
#include <exception>

#include "rocksdb/env.h"
#include "util/held_locks.h"

namespace ROCKSDB_NAMESPACE::engine {

DbEvents::DbEvents(const StoreContext& store)
    : listeners_(store.options.listeners),
      info_log_(store.info_log),
      log_(store.info_log, store.clock) {}

namespace {

template <typename Notify>
void TellAll(const EventListeners& listeners, Logger* log, const char* what,
             Notify&& notify) {
  // Listeners may call the database: tuning_driver.h (4).
  assert(listeners.empty() || !HoldsLock(LockRank::kState));
  for (const std::shared_ptr<EventListener>& listener : listeners) {
    if (listener == nullptr) continue;
    try {
      notify(listener.get());
    } catch (const std::exception& e) {
      Error(log, "EventListener::%s threw: %s", what, e.what());
    } catch (...) {
      Error(log, "EventListener::%s threw", what);
    }
  }
}

}  // namespace

template <typename Notify>
void DbEvents::Tell(const char* what, Notify&& notify) {
  TellAll(listeners_, info_log_, what, std::forward<Notify>(notify));
}

void DbEvents::FlushBegin(const FlushJobInfo& info, const FlushInput& input) {
  Tell("OnFlushBegin", [&](EventListener* l) { l->OnFlushBegin(db_, info); });
  log_.LogFlushStarted(info, input);
}

void DbEvents::FlushCompleted(const FlushJobInfo& info,
                              const FlushOutput& output) {
  log_.LogFlushFinished(info, output);
  Tell("OnFlushCompleted",
       [&](EventListener* l) { l->OnFlushCompleted(db_, info); });
}

void DbEvents::CompactionBegin(const CompactionJobInfo& info,
                               const CompactionInput& input) {
  Tell("OnCompactionBegin",
       [&](EventListener* l) { l->OnCompactionBegin(db_, info); });
  log_.LogCompactionStarted(info, input);
}

void DbEvents::CompactionCompleted(const CompactionJobInfo& info,
                                   const CompactionOutput& output) {
  log_.LogCompactionFinished(info, output);
  Tell("OnCompactionCompleted",
       [&](EventListener* l) { l->OnCompactionCompleted(db_, info); });
}

void DbEvents::TrivialMoveBegin(const CompactionJobInfo& info) {
  Tell("OnCompactionBegin",
       [&](EventListener* l) { l->OnCompactionBegin(db_, info); });
}

void DbEvents::TrivialMoveCompleted(const CompactionJobInfo& info,
                                    const TrivialMove& move) {
  log_.LogTrivialMove(move);
  Tell("OnCompactionCompleted",
       [&](EventListener* l) { l->OnCompactionCompleted(db_, info); });
}

void DbEvents::SubcompactionBegin(const SubcompactionJobInfo& info) {
  Tell("OnSubcompactionBegin",
       [&](EventListener* l) { l->OnSubcompactionBegin(info); });
}

void DbEvents::SubcompactionCompleted(const SubcompactionJobInfo& info) {
  Tell("OnSubcompactionCompleted",
       [&](EventListener* l) { l->OnSubcompactionCompleted(info); });
}

void DbEvents::TableFileCreationStarted(
    const TableFileCreationBriefInfo& info) {
  Tell("OnTableFileCreationStarted",
       [&](EventListener* l) { l->OnTableFileCreationStarted(info); });
}

void DbEvents::TableFileCreated(const TableFileCreationInfo& info,
                                uint64_t file_number, SequenceNumber smallest,
                                SequenceNumber largest) {
  if (info.status.ok()) {
    log_.LogTableFileCreation(info, file_number, smallest, largest);
  }
  Tell("OnTableFileCreated",
       [&](EventListener* l) { l->OnTableFileCreated(info); });
}

void DbEvents::TableFileDeleted(const TableFileDeletionInfo& info,
                                uint64_t file_number) {
  log_.LogTableFileDeletion(info, file_number);
  Tell("OnTableFileDeleted",
       [&](EventListener* l) { l->OnTableFileDeleted(info); });
}

void DbEvents::BlobFileCreationStarted(const BlobFileCreationBriefInfo& info) {
  Tell("OnBlobFileCreationStarted",
       [&](EventListener* l) { l->OnBlobFileCreationStarted(info); });
}

void DbEvents::BlobFileCreated(const BlobFileCreationInfo& info,
                               uint64_t file_number) {
  if (info.status.ok()) log_.LogBlobFileCreation(info, file_number);
  Tell("OnBlobFileCreated",
       [&](EventListener* l) { l->OnBlobFileCreated(info); });
}

void DbEvents::BlobFileDeleted(const BlobFileDeletionInfo& info,
                               uint64_t file_number) {
  log_.LogBlobFileDeletion(info, file_number);
  Tell("OnBlobFileDeleted",
       [&](EventListener* l) { l->OnBlobFileDeleted(info); });
}

void DbEvents::MemTableSealed(const MemTableInfo& info) {
  Tell("OnMemTableSealed",
       [&](EventListener* l) { l->OnMemTableSealed(info); });
}

void DbEvents::StallConditionsChanged(const WriteStallInfo& info) {
  Tell("OnStallConditionsChanged",
       [&](EventListener* l) { l->OnStallConditionsChanged(info); });
}

void DbEvents::ExternalFileIngested(const ExternalFileIngestionInfo& info) {
  Tell("OnExternalFileIngested",
       [&](EventListener* l) { l->OnExternalFileIngested(db_, info); });
}

void DbEvents::TuningDecision(const TuningDecisionInfo& info) {
  Tell("OnTuningDecision",
       [&](EventListener* l) { l->OnTuningDecision(db_, info); });
}

void TellHandleDeletion(const EventListeners& listeners,
                        ColumnFamilyHandle* handle) {
  TellAll(listeners, /*log=*/nullptr, "OnColumnFamilyHandleDeletionStarted",
          [&](EventListener* l) {
            l->OnColumnFamilyHandleDeletionStarted(handle);
          });
}

void DbEvents::BackgroundError(BackgroundErrorReason reason, Status* status) {
  Tell("OnBackgroundError",
       [&](EventListener* l) { l->OnBackgroundError(reason, status); });
}

bool DbEvents::ErrorRecoveryBegin(BackgroundErrorReason reason,
                                  const Status& status) {
  bool automatic = true;
  Tell("OnErrorRecoveryBegin", [&](EventListener* l) {
    l->OnErrorRecoveryBegin(reason, status, &automatic);
  });
  return automatic;
}

void DbEvents::ErrorRecoveryEnd(const Status& old_error,
                                const Status& new_error) {
  const BackgroundErrorRecoveryInfo info{old_error, new_error};
  Tell("OnErrorRecoveryEnd", [&](EventListener* l) {
    if (new_error.ok()) l->OnErrorRecoveryCompleted(old_error);
    l->OnErrorRecoveryEnd(info);
  });
}

}  // namespace ROCKSDB_NAMESPACE::engine
