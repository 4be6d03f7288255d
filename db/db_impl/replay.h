// ReplayIntoTables: applies the batches that log replay finds.
//
// Place. The sink of db/recovery/wal_replay during an open.
//
// Model. Batches go into memtables; a full memtable is written to a table at
// once. Install() adds all these tables in one edit, after everything has been
// read: an open that fails or crashes leaves only files that no MANIFEST names.
//
// Threads. One.

#pragma once

#include <map>
#include <memory>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/recovery/batch_replay.h"
#include "db/recovery/wal_replay.h"

namespace ROCKSDB_NAMESPACE::engine {

class ReplayIntoTables final : public ReplaySink, public ReplayTarget {
 public:
  // `keep_in_memory`: write no tables (read-only opens).
  ReplayIntoTables(DbState* db, int job_id, bool keep_in_memory);

  // ReplaySink.
  Status OnBatch(const ReplayedBatch& batch,
                 SequenceNumber* next_sequence) override;
  bool NextIsExact() const override { return batches_.next_is_exact(); }
  Status OnBatchEnd() override { return WriteFullTables(); }
  Status OnLogEnd(uint64_t log_number) override;

  // ReplayTarget: families that have flushed this log skip it; dropped ones
  // are skipped, too.
  void AtLog(uint64_t log_number) override { log_number_ = log_number; }
  Found Find(uint32_t family_id) override;
  Status ReadNewest(const NewestQuery& query, NewestValue* newest) override;
  void OnMemTableFull(uint32_t family_id, MemTable* memtable) override;

  // Logs of a release that recorded no timestamp sizes.
  void TakeTimestampsAsTheyAre() {
    timestamps_as_they_are_ = true;
    ForceTables();  // A later open could not know.
  }
  // Begins anew, with logs whose transactions are numbered by batch.
  void RestartNumberedByBatch();
  // Once all logs are read. Corruption: what is committed may have been in a
  // damaged log; NotSupported: a transaction that was written at its prepare
  // is undecided, and this is no read-only open.
  Status CheckTransactions(const ReplayResult& result);
  // After it: logs from here on stay, for prepared transactions that they
  // hold, or may hold where they are damaged; 0: none.
  uint64_t kept_from() const { return kept_from_; }
  bool met_kept_damage() const { return !result_.kept_damage.ok(); }
  UndecidedTransactions TakeUndecided() { return batches_.TakeUndecided(); }
  // Where logs stay, those behind a stop must not: the next replay, for which
  // all of them are flushed, would not stop. Takes what it removes out of
  // `logs`. Corruption: the MANIFEST tracks such a log.
  Status RemoveBehindStop(const VersionSet::Recovered& manifest,
                          std::vector<uint64_t>* logs) const;
  // Read-only, with views published: tables may hold entries of transactions
  // that are undecided. Puts what was there before over them.
  Status HideUndecided();

  // Leave nothing to the old logs, whatever the options say.
  void ForceTables() { force_tables_ = true; }

  // Writes what is left in memtables, and makes all tables part of the
  // database; `log_number` is the new log.
  Status Install(uint64_t log_number);

 private:
  Status CheckUndecided() const;
  Status Hide(const std::string& name, const UndecidedTransaction& transaction);
  bool InTables(const HeldRecord& record) const;
  Status Restore(ColumnFamily* family, const std::string& key,
                 SequenceNumber before);
  Status WriteTable(ColumnFamily* family);
  Status WriteFullTables();
  void ObeyBufferManager();

  DbState* const db_;
  const int job_id_;
  const bool keep_in_memory_;
  bool force_tables_ = false;
  bool timestamps_as_they_are_ = false;
  uint64_t log_number_ = 0;
  uint64_t kept_from_ = 0;
  ReplayResult result_;
  BatchReplay batches_;
  std::vector<uint32_t> full_;
  struct Outputs {
    std::vector<FilePtr> tables;  // In order.
    std::vector<BlobFileAddition> blobs;
  };
  std::map<uint32_t, Outputs> outputs_;  // By family.
};

}  // namespace ROCKSDB_NAMESPACE::engine
