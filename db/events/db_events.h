// DbEvents: reports what happens in a database to LOG and listeners.
//
// Place. One per open database. The parts that do background work call it at
// the moments named below; it writes the EVENT_LOG line and calls every
// listener.
//
// Invariant: an exception of a listener stays here: it is logged, and the work
// that caused the event goes on.
//
// Threads. Thread-safe. Never called with the DB mutex held, because listeners
// may call into the database; the only exception is the log line alone.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/events/event_log.h"
#include "db/format/store_context.h"
#include "rocksdb/listener.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {
class ColumnFamilyHandle;
class DB;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

using EventListeners = std::vector<std::shared_ptr<EventListener>>;

// A handle may outlive its database, and with it DbEvents.
void TellHandleDeletion(const EventListeners& listeners,
                        ColumnFamilyHandle* handle);

class DbEvents {
 public:
  // `store` outlives this.
  explicit DbEvents(const StoreContext& store);

  // The object listeners see. Before the first background work.
  void set_db(DB* db) { db_ = db; }

  bool has_listeners() const { return !listeners_.empty(); }
  EventLog& log() { return log_; }

  // Flush: before the file is begun; after it is part of the database.
  void FlushBegin(const FlushJobInfo& info, const FlushInput& input);
  void FlushCompleted(const FlushJobInfo& info, const FlushOutput& output);

  // Compaction: before the inputs are read; after the outputs are installed,
  // or it failed (see the status).
  void CompactionBegin(const CompactionJobInfo& info,
                       const CompactionInput& input);
  void CompactionCompleted(const CompactionJobInfo& info,
                           const CompactionOutput& output);
  // Without a log line.
  void TrivialMoveBegin(const CompactionJobInfo& info);
  void TrivialMoveCompleted(const CompactionJobInfo& info,
                            const TrivialMove& move);
  void SubcompactionBegin(const SubcompactionJobInfo& info);
  void SubcompactionCompleted(const SubcompactionJobInfo& info);

  void TableFileCreationStarted(const TableFileCreationBriefInfo& info);
  // Without a log line for a file that failed.
  void TableFileCreated(const TableFileCreationInfo& info, uint64_t file_number,
                        SequenceNumber smallest, SequenceNumber largest);
  void TableFileDeleted(const TableFileDeletionInfo& info,
                        uint64_t file_number);

  void BlobFileCreationStarted(const BlobFileCreationBriefInfo& info);
  // Without a log line for a file that failed.
  void BlobFileCreated(const BlobFileCreationInfo& info, uint64_t file_number);
  void BlobFileDeleted(const BlobFileDeletionInfo& info, uint64_t file_number);

  void MemTableSealed(const MemTableInfo& info);
  // Without a log line: that is written when the change happens.
  void StallConditionsChanged(const WriteStallInfo& info);
  // The line alone; the listeners alone.
  void TunerDecided(const TunerEvent& event) { log_.LogTunerDecision(event); }
  void TuningDecision(const TuningDecisionInfo& info);
  // Without a log line.
  void ExternalFileIngested(const ExternalFileIngestionInfo& info);

  // A listener may change the status, even to OK.
  void BackgroundError(BackgroundErrorReason reason, Status* status);
  // False when a listener vetoed automatic recovery.
  bool ErrorRecoveryBegin(BackgroundErrorReason reason, const Status& status);
  void ErrorRecoveryEnd(const Status& old_error, const Status& new_error);

 private:
  // Calls notify(listener) for each; exceptions end in LOG.
  template <typename Notify>
  void Tell(const char* what, Notify&& notify);

  const EventListeners listeners_;
  Logger* const info_log_;
  EventLog log_;
  DB* db_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE::engine
