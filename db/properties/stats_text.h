// Stats text: "rocksdb.stats", "rocksdb.cfstats", "rocksdb.dbstats" and
// "rocksdb.levelstats" from plain numbers.
//
// Place. Pure. The database fills the structs under its mutex; the text is
// made without it. The same text is what stats_dump_period_sec puts into LOG.
//
// Bytes. Words, columns and number formats are RocksDB's, because people grep
// them and cut columns by number: the ` Sum ` and ` Int ` rows,
// `Uptime(secs):`, `Cumulative writes: ... ingest:`, `Cumulative stall: ...
// percent`, `Stalls(count):` (older releases), `Write Stall (count):` (newer
// ones).
//
// Model. Counters only grow. An interval is the difference to the numbers of
// the call before, which the caller keeps.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

// What compactions (and for level 0 flushes) into one level have done.
struct CompactionStats {
  uint64_t count = 0;
  uint64_t micros = 0;
  uint64_t cpu_micros = 0;
  uint64_t bytes_read_upper = 0;   // from the levels above
  uint64_t bytes_read_output = 0;  // from the level written to
  uint64_t bytes_read_blob = 0;
  uint64_t bytes_written = 0;
  uint64_t bytes_written_blob = 0;
  uint64_t bytes_moved = 0;  // trivial moves
  uint64_t records_in = 0;
  uint64_t records_dropped = 0;

  CompactionStats& operator+=(const CompactionStats& other);
  CompactionStats& operator-=(const CompactionStats& other);

  uint64_t bytes_read() const {
    return bytes_read_upper + bytes_read_output + bytes_read_blob;
  }
};

// One level as it is now.
struct LevelStatsRow {
  int level = 0;
  int num_files = 0;
  int num_files_compacting = 0;
  uint64_t bytes = 0;
  double score = 0;
  CompactionStats stats;
};

// The same by the pool that did the work ("Low", "High", "Bottom", "User").
struct PriorityStatsRow {
  std::string name;
  CompactionStats stats;
};

// How often writers were slowed down or stopped, by cause.
struct StallCounts {
  uint64_t level0_slowdown = 0;
  uint64_t level0_slowdown_with_compaction = 0;
  uint64_t level0_numfiles = 0;
  uint64_t level0_numfiles_with_compaction = 0;
  uint64_t stop_for_pending_compaction_bytes = 0;
  uint64_t slowdown_for_pending_compaction_bytes = 0;
  uint64_t memtable_compaction = 0;  // stops
  uint64_t memtable_slowdown = 0;

  uint64_t total() const {
    return level0_slowdown + level0_numfiles +
           stop_for_pending_compaction_bytes +
           slowdown_for_pending_compaction_bytes + memtable_compaction +
           memtable_slowdown;
  }
};

// Files added from outside.
struct IngestStats {
  uint64_t bytes = 0;
  uint64_t files = 0;
  uint64_t level0_files = 0;
  uint64_t keys = 0;
};

// The blob files of the current version.
struct BlobFileStats {
  uint64_t files = 0;
  uint64_t file_bytes = 0;   // on disk
  uint64_t total_bytes = 0;  // of the records
  uint64_t garbage_bytes = 0;

  // Of the records to those that are not garbage; 0 without files.
  double space_amp() const;
};

struct CfStats {
  std::string name;
  uint64_t uptime_micros = 0;
  std::vector<LevelStatsRow> levels;  // ascending
  std::vector<PriorityStatsRow> priorities;
  uint64_t bytes_flushed = 0;
  BlobFileStats blobs;
  IngestStats ingested;
  uint64_t pending_compaction_bytes = 0;
  StallCounts stalls;
  bool stalls_known = true;  // False: this process does not write.
  // The line of newer releases, with line end; may be empty.
  std::string write_stall_line;
  // Lines about the block cache, with line ends; may be empty.
  std::string cache_lines;
};

// What an interval is measured from.
struct CfStatsMark {
  uint64_t uptime_micros = 0;
  uint64_t bytes_flushed = 0;
  IngestStats ingested;
  uint64_t stalls = 0;
  CompactionStats total;

  static CfStatsMark Of(const CfStats& stats);
};

struct DbStats {
  uint64_t uptime_micros = 0;
  uint64_t writes = 0;
  uint64_t keys = 0;
  uint64_t commit_groups = 0;
  uint64_t bytes = 0;  // of the batches
  uint64_t wal_writes = 0;
  uint64_t wal_syncs = 0;
  uint64_t wal_bytes = 0;
  uint64_t stall_micros = 0;
  // Stops because of the write buffer manager.
  uint64_t write_buffer_manager_stops = 0;
  bool stalls_known = true;  // As in CfStats.
};

// Stands where the stall counters would be, in texts and maps.
inline constexpr char kStallsUnknown[] = "unknown: opened for reading only";

// "rocksdb.blob-stats".
std::string BlobStatsText(const BlobFileStats& blobs);
std::string LevelStatsText(const std::vector<LevelStatsRow>& levels);
// Without and with the (empty so far) table of file read latencies.
std::string CfStatsTextNoHistogram(const CfStats& now,
                                   const CfStatsMark& before);
std::string CfFileHistogramText(const std::string& family_name);
std::string DbStatsText(const DbStats& now, const DbStats& before);

// "rocksdb.cfstats" as a map: compaction.L0.NumFiles, compaction.Sum.WriteAmp,
// io_stalls.level0_slowdown, ...
std::map<std::string, std::string> CfStatsMap(const CfStats& now);
// "rocksdb.dbstats" as a map: db.uptime (seconds), db.user_keys_written, ...
std::map<std::string, std::string> DbStatsMap(const DbStats& now);

// 5521, 306K, 12M, 3G; and 3.05 MB, 17.00 GB.
std::string HumanCount(uint64_t count);
std::string HumanBytes(uint64_t bytes);

}  // namespace ROCKSDB_NAMESPACE::engine
