// Job events: reports flushes and compactions to listeners and EVENT_LOG.
//
// Place. Called by the flusher and the compactor around their jobs. It
// describes the job; db/events delivers the events.
//
// Threads. Functions that say (mutex) are called under the DB mutex and
// release it while listeners run; the observers are called without it, by the
// threads that do the work.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "db/column_family/db_state.h"
#include "db/compaction/compaction_job.h"
#include "db/flush/flush_job.h"
#include "rocksdb/listener.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// The tables and blob files of one job.
class TableEvents final : public TableObserver {
 public:
  // `home`: where the files are made, unless that is the family's.
  TableEvents(const DbState* db, const ColumnFamily& family, int job_id,
              TableFileCreationReason reason,
              std::shared_ptr<const FileHome> home = nullptr)
      : db_(db),
        family_(family),
        job_id_(job_id),
        reason_(reason),
        home_(home != nullptr ? std::move(home) : family.home()) {}

  void TableBegun(uint64_t number, uint32_t path_id) override;
  void TableEnded(uint64_t number, uint32_t path_id, const FinishedTable& table,
                  const Status& status) override;
  void BlobFileBegun(uint64_t number) override;
  void BlobFileEnded(const BlobFileAddition& file,
                     const Status& status) override;

 private:
  template <typename Info>
  void Describe(uint64_t number, uint32_t path_id, Info* info) const;
  BlobFileCreationBriefInfo DescribeBlobFile(uint64_t number) const;

  const DbState* const db_;
  const ColumnFamily& family_;
  const int job_id_;
  const TableFileCreationReason reason_;
  const std::shared_ptr<const FileHome> home_;
};

// The tables and slices of one compaction, whose `info` describes it.
class SliceEvents final : public CompactionObserver {
 public:
  SliceEvents(const DbState* db, const ColumnFamily& family,
              const CompactionJobInfo& info,
              std::shared_ptr<const FileHome> home = nullptr);

  void TableBegun(uint64_t number, uint32_t path_id) override {
    tables_.TableBegun(number, path_id);
  }
  void TableEnded(uint64_t number, uint32_t path_id, const FinishedTable& table,
                  const Status& status) override {
    tables_.TableEnded(number, path_id, table, status);
  }
  void BlobFileBegun(uint64_t number) override {
    tables_.BlobFileBegun(number);
  }
  void BlobFileEnded(const BlobFileAddition& file,
                     const Status& status) override {
    tables_.BlobFileEnded(file, status);
  }
  void SliceBegun(size_t index) override;
  void SliceEnded(size_t index, const CompactionJobStats& stats,
                  const Status& status) override;

 private:
  SubcompactionJobInfo Describe(size_t index) const;

  const DbState* const db_;
  TableEvents tables_;
  SubcompactionJobInfo job_;  // What is the same for all slices.
};

class JobEvents {
 public:
  explicit JobEvents(DbState* db) : db_(db) {}

  // (mutex) Around a flush, after Pick and after its installation. A failed
  // one has no end: OnBackgroundError tells of it.
  void FlushBegin(const ColumnFamily& family, const FlushJob& job, int job_id,
                  FlushReason reason) REQUIRES_LOCK(kStateLock);
  void FlushCompleted(const ColumnFamily& family, const FlushJob& job,
                      int job_id, FlushReason reason) REQUIRES_LOCK(kStateLock);
  // (mutex) The survivors stay in memory, and nothing is flushed.
  void Purged(const ColumnFamily& family, const FlushJob& job, int job_id,
              const MemTable& survivors) REQUIRES_LOCK(kStateLock);

  // One compaction, from pick to outcome.
  struct Compaction {
    const ColumnFamily* family = nullptr;
    const CompactionPlan* plan = nullptr;
    const CompactionJob* job = nullptr;  // Null for a trivial move.
    int job_id = 0;
    uint64_t micros = 0;  // At the end.
  };
  // (mutex)
  void CompactionBegin(const Compaction& compaction) REQUIRES_LOCK(kStateLock);
  // `outcome`, which may be null, becomes what listeners see.
  void CompactionCompleted(const Compaction& compaction, const Status& status,
                           CompactionJobInfo* outcome)
      REQUIRES_LOCK(kStateLock);
  // (mutex, kept) For the job of that compaction.
  std::unique_ptr<SliceEvents> ObserverOf(const Compaction& compaction) const
      REQUIRES_LOCK(kStateLock);

 private:
  template <typename Tell>
  void Unlocked(Tell&& tell) REQUIRES_LOCK(kStateLock);
  // With the properties of the tables, if they are wanted or there are
  // listeners.
  template <typename Tell>
  void Unlocked(const Compaction& compaction, bool wanted,
                CompactionJobInfo* info, Tell&& tell) REQUIRES_LOCK(kStateLock);
  FlushJobInfo Describe(const ColumnFamily& family, const FlushJob& job,
                        int job_id, FlushReason reason) const
      REQUIRES_LOCK(kStateLock);
  CompactionJobInfo Describe(const Compaction& compaction) const
      REQUIRES_LOCK(kStateLock);
  CompactionJobInfo OutcomeOf(const Compaction& compaction,
                              const Status& status) const
      REQUIRES_LOCK(kStateLock);

  DbState* const db_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
