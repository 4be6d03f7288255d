// Replaying the write-ahead logs at open.
//
// Place. One step of opening, between reading the MANIFEST and writing the
// new one. Reads only; what becomes of the batches is the sink's business.
//
// Model. Logs are read in ascending order; every record is one batch. The
// recovery mode decides what damage means:
//
//   absolute consistency     any problem fails the open
//   tolerate corrupted tail  a torn tail of a log is ignored; anything else
//                            fails the open
//   point in time            reading stops at the first problem; a later log
//                            is only taken if its first batch has exactly the
//                            sequence number expected next
//   skip any corrupted       damaged records are left out, the others taken
//
// A recycled log ends where the records of its former life begin. When power
// failed, that may be in the middle of the new ones: point in time treats such
// an end as a stop, which a later log that continues exactly lifts again;
// where the sink does not know the next sequence, any later one continues.
//
// Invariants:
//   (1) Batches reach the sink in the order they were written, none twice.
//   (2) An error names the log, the offset, what was expected and found.
//
// Threads. One.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/manifest/version_set.h"
#include "db/wal/log_reader.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct ReplayedBatch {
  uint64_t log_number = 0;
  uint64_t offset = 0;  // Of the record in the log.
  SequenceNumber sequence = 0;
  uint32_t count = 0;
  Slice contents;  // Header included. Valid during the call.
  // Timestamp sizes the log has recorded so far, by column family.
  const std::map<uint32_t, uint16_t>* timestamp_sizes = nullptr;
};

class ReplaySink {
 public:
  virtual ~ReplaySink() = default;
  // Applies a batch. `*next_sequence` comes in as sequence + count and may be
  // changed (transactions number otherwise). An error ends the replay: in
  // point-in-time mode Corruption stops like damage in the log; every other
  // code fails the open.
  virtual Status OnBatch(const ReplayedBatch& batch,
                         SequenceNumber* next_sequence) = 0;
  // False: what OnBatch has made of `*next_sequence` may be too small.
  virtual bool NextIsExact() const { return true; }
  // The batch is applied: a moment to write what is full. An error fails the
  // open, also Corruption: it says nothing about the log.
  virtual Status OnBatchEnd() { return Status::OK(); }
  // All batches of the log have been given; a good moment to flush.
  virtual Status OnLogEnd(uint64_t log_number) = 0;
};

struct ReplayOptions {
  WALRecoveryMode mode = WALRecoveryMode::kPointInTimeRecovery;
  // Logs below it are kept for the prepared transactions in them, or not at
  // all; everything else they hold is in tables, and damage in them stops
  // nothing.
  uint64_t needed_from = 0;
  // Compare what logs say of their predecessors with what was read. One that
  // is named, needed and not read as it is named is damage.
  bool verify_chain = false;
  FileOptions file_options;
};

struct ReplayResult {
  // Of the write after the last batch; 0: no batch was seen.
  SequenceNumber next_sequence = 0;
  uint64_t batches = 0;
  uint64_t bytes = 0;
  uint64_t skipped = 0;  // Damaged places and torn tails passed over.
  // Some log ended in a way that point-in-time recovery would stop at.
  bool passed_stop = false;
  // Point in time: where reading stopped, if no later log continued exactly
  // there. OK reason: not stopped.
  Status stop_reason;
  uint64_t stopped_log = 0;
  // The first damage in a log below needed_from, and that log. A torn tail is
  // none: it was judged when the log was needed.
  Status kept_damage;
  uint64_t kept_damage_log = 0;

  bool stopped() const { return !stop_reason.ok(); }
};

// After a replay that stopped: no family's tables may hold what the lost part
// of the logs held of the others. Corruption otherwise.
Status CheckFamiliesNotAhead(const VersionSet& versions,
                             const ReplayResult& result);

// Logs that another process may still write: each Run goes on where the last
// one ended.
class LogReplay {
 public:
  LogReplay(FileSystem* fs, std::string wal_dir, const ReplayOptions& options,
            ReplaySink* sink);
  ~LogReplay();
  LogReplay(const LogReplay&) = delete;
  LogReplay& operator=(const LogReplay&) = delete;

  // `logs`: numbers of the logs to read, in ascending order. Once a record of
  // one was taken, those before it are not read again.
  Status Run(const std::vector<uint64_t>& logs);
  void SetNeededFrom(uint64_t number) { options_.needed_from = number; }

  // Over all runs; whether reading is stopped, after the last one.
  const ReplayResult& result() const { return result_; }

 private:
  bool point_in_time() const {
    return options_.mode == WALRecoveryMode::kPointInTimeRecovery;
  }
  bool skips_damage() const {
    return options_.mode == WALRecoveryMode::kSkipAnyCorruptedRecords;
  }
  Status Log(uint64_t number);
  Result<wal::Reader*> OpenLog(uint64_t number);
  // True: what ended this log is damage that fails no replay; it is noted.
  bool PassOver(uint64_t number, wal::Problem::Kind kind, const Status& why);
  // Of the log's first record. False: it does not go on where replay stopped.
  Result<bool> Begin(const wal::Reader& reader, const Slice& record);
  Status Records(wal::Reader* reader);
  // Is what precedes this log what the log says? Asked once per log.
  Status CheckChain(const wal::Reader& reader) const;
  // OK: the batch was used. Corruption: it is damaged.
  Status Batch(const wal::Reader& reader, const Slice& record);
  // The recovery mode's verdict on how a log ended.
  Status Judge(const wal::Reader& reader) const;
  // The same, and notes what was passed over.
  Status End(const wal::Reader& reader);
  bool ContinuesAfterStop(const Slice& record) const;

  FileSystem* const fs_;
  const std::string wal_dir_;
  ReplayOptions options_;
  ReplaySink* const sink_;
  ReplayResult result_;
  std::map<uint64_t, std::unique_ptr<wal::Reader>> readers_;
  Status sink_failed_;  // In OnBatchEnd: no damage of a log.
  bool stopped_at_old_record_ = false;
  uint64_t current_log_ = 0;  // Of the last record that was taken.
  // The log before: its number, end, and the first and the last sequence of
  // its last batch.
  wal::Predecessor before_;
  SequenceNumber before_last_ = 0;
};

// `logs`: numbers of the logs to read, in ascending order.
Result<ReplayResult> ReplayLogs(FileSystem* fs, const std::string& wal_dir,
                                const std::vector<uint64_t>& logs,
                                const ReplayOptions& options, ReplaySink* sink);

}  // namespace ROCKSDB_NAMESPACE::engine
