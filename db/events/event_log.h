// Event log: one JSON line in LOG for everything the background does.
//
// Place. Called by db/events/db_events; read by people, scripts and the tools
// that plot them.
//
// Bytes. "EVENT_LOG_v1 {...}" with RocksDB's key names, in its order:
// time_micros first, then job and event. Events of our own (stall_begin,
// stall_end, tuner_decision) follow the same shape.
//
// Threads. Thread-safe as far as the logger is.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocksdb/listener.h"
#include "rocksdb/types.h"
#include "util/json_writer.h"

namespace ROCKSDB_NAMESPACE {
class Logger;
class SystemClock;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

// Files per level after the event, level 0 first.
using LsmShape = std::vector<int>;

// What a flush is about to write.
struct FlushInput {
  uint64_t num_memtables = 0;
  uint64_t num_entries = 0;
  uint64_t num_deletes = 0;
  uint64_t num_range_deletes = 0;
  uint64_t data_bytes = 0;
  uint64_t memory_bytes = 0;
};

struct FlushOutput {
  std::string compression;
  LsmShape shape;
  uint64_t num_dropped_deletes = 0;  // They had nothing left to delete.
  uint64_t num_immutable_memtables = 0;
};

// Memtables whose survivors stay in memory.
struct Mempurge {
  int job_id = 0;
  std::string cf_name;
  uint64_t num_memtables = 0;
  uint64_t num_entries = 0;
  uint64_t kept_entries = 0;
  uint64_t memory_bytes = 0;
  uint64_t kept_memory_bytes = 0;
};

// What a compaction is about to merge.
struct CompactionInput {
  double score = 0;
  uint64_t input_bytes = 0;
  // kNoSnapshot: none is held.
  SequenceNumber oldest_snapshot = kNoSnapshot;
  static constexpr SequenceNumber kNoSnapshot = ~SequenceNumber{0};
};

struct CompactionOutput {
  uint64_t output_bytes = 0;
  uint64_t num_subcompactions = 1;
  std::string compression;
  LsmShape shape;
};

struct TrivialMove {
  int job_id = 0;
  int destination_level = 0;
  uint64_t num_files = 0;
  uint64_t total_bytes = 0;
};

// The numbers behind a change of the stall state, as they were judged.
struct StallNumbers {
  std::string cause;  // the name of a WriteStallCause
  int unflushed_memtables = 0;
  int level0_files = 0;
  uint64_t pending_compaction_bytes = 0;
  uint64_t delayed_write_rate = 0;
};

struct TunerEvent {
  std::string tuner;     // "drain_switch", "adaptive" or "advise".
  std::string decision;  // "enable", "flush_first off -> on (...)", ...
  // What held before and holds now; a sentence. Left out when empty.
  std::string before;
  std::string after;
  std::string reason;
  std::string why;
  std::vector<std::pair<std::string, int64_t>> numbers;
};

class EventLog {
 public:
  // Both outlive the log. A null logger makes every call a no-op.
  EventLog(Logger* logger, SystemClock* clock)
      : logger_(logger), clock_(clock) {}

  void LogFlushStarted(const FlushJobInfo& info, const FlushInput& input);
  void LogFlushFinished(const FlushJobInfo& info, const FlushOutput& output);
  void LogMempurge(const Mempurge& purge);
  void LogCompactionStarted(const CompactionJobInfo& info,
                            const CompactionInput& input);
  void LogCompactionFinished(const CompactionJobInfo& info,
                             const CompactionOutput& output);
  void LogTrivialMove(const TrivialMove& move);
  // `file_number` and the sequences are not part of the public info.
  void LogTableFileCreation(const TableFileCreationInfo& info,
                            uint64_t file_number, SequenceNumber smallest,
                            SequenceNumber largest);
  void LogTableFileDeletion(const TableFileDeletionInfo& info,
                            uint64_t file_number);
  void LogBlobFileCreation(const BlobFileCreationInfo& info,
                           uint64_t file_number);
  void LogBlobFileDeletion(const BlobFileDeletionInfo& info,
                           uint64_t file_number);
  void LogRecoveryStarted(int job_id, const std::vector<uint64_t>& wal_files);
  void LogRecoveryFinished(int job_id, const Status& status);
  void LogStallChange(const WriteStallInfo& info, const StallNumbers& numbers);
  // Writes are stopped and no job runs; `state` says why, line by line.
  void LogStopWithoutJob(uint64_t micros,
                         const std::vector<std::string>& state);
  void LogTunerDecision(const TunerEvent& event);

 private:
  // An object that begins with the time.
  JsonWriter Begin() const;
  // ... with the time, a job and the name of the event.
  JsonWriter Begin(int job_id, std::string_view event) const;
  void Write(JsonWriter&& json);

  Logger* const logger_;
  SystemClock* const clock_;
};

// The member "table_properties" of a creation event.
void AddTableProperties(const TableProperties& properties, JsonWriter* json);

}  // namespace ROCKSDB_NAMESPACE::engine
