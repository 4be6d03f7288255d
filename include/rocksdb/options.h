// Options of databases, column families and single operations.
//
// Place. DBOptions and ColumnFamilyOptions are copied when a database is
// opened; ReadOptions and WriteOptions come with every call. The fields are
// those of RocksDB 11.8 and of all releases before it, with 11.8's defaults;
// the one departure is BlockBasedTableOptions::format_version. "Mutable"
// means that DB::SetDBOptions() or DB::SetOptions() may change it later.
// docs/options.md lists every option with what this library does with it.
//
// Sizes are bytes unless a comment says otherwise.
#pragma once

#include <atomic>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocksdb/advanced_options.h"
#include "rocksdb/comparator.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/customizable.h"
#include "rocksdb/data_structure.h"
#include "rocksdb/env.h"
#include "rocksdb/listener.h"
#include "rocksdb/sst_partitioner.h"
#include "rocksdb/types.h"
#include "rocksdb/universal_compaction.h"
#include "rocksdb/version.h"
#include "rocksdb/write_buffer_manager.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Cache;
class CompactionFilter;
class CompactionFilterFactory;
class CompressionManager;
class ConcurrentTaskLimiter;
class EventListener;
class FileChecksumGenFactory;
class FileSystem;
class Logger;
class MergeOperator;
class IOScheduler;
class RateLimiter;
class Snapshot;
class SstFileManager;
class Statistics;
class TableFactory;
class UserDefinedIndexFactory;
class WalFilter;
struct Options;
struct TableProperties;

using FileTypeSet = SmallEnumSet<FileType, FileType::kCompactionProgressFile>;
using CompactionStyleSet =
    SmallEnumSet<CompactionStyle, CompactionStyle::kCompactionStyleNone>;

// A directory for table files and how much it should hold.
struct DbPath {
  std::string path;
  uint64_t target_size = 0;

  DbPath() = default;
  DbPath(const std::string& p, uint64_t t) : path(p), target_size(t) {}
};

// What a CompactionService says of a job.
enum class CompactionServiceJobStatus : char {
  kSuccess,
  kFailure,
  kAborted,
  kUseLocal,  // The database compacts the files itself.
};

// The job that a CompactionService is asked to take.
struct CompactionServiceJobInfo {
  std::string db_name;
  std::string db_id;
  std::string db_session_id;  // Of this opening of the database.
  uint32_t cf_id = 0;
  std::string cf_name;
  uint64_t job_id = 0;  // Unique within the session.
  // The pool of the thread that waits: LOW, or USER for a manual compaction.
  Env::Priority priority = Env::Priority::LOW;
  CompactionReason compaction_reason = CompactionReason::kUnknown;
  bool is_full_compaction = false;  // All files of the family.
  bool is_manual_compaction = false;
  bool bottommost_level = false;  // Nothing in the range lies below.
  int base_input_level = 0;       // The smallest.
  int output_level = 0;

  CompactionServiceJobInfo() = default;
  CompactionServiceJobInfo(std::string db_name_, std::string db_id_,
                           std::string db_session_id_, uint32_t cf_id_,
                           std::string cf_name_, uint64_t job_id_,
                           Env::Priority priority_,
                           CompactionReason compaction_reason_,
                           bool is_full_compaction_, bool is_manual_compaction_,
                           bool bottommost_level_, int base_input_level_,
                           int output_level_)
      : db_name(std::move(db_name_)),
        db_id(std::move(db_id_)),
        db_session_id(std::move(db_session_id_)),
        cf_id(cf_id_),
        cf_name(std::move(cf_name_)),
        job_id(job_id_),
        priority(priority_),
        compaction_reason(compaction_reason_),
        is_full_compaction(is_full_compaction_),
        is_manual_compaction(is_manual_compaction_),
        bottommost_level(bottommost_level_),
        base_input_level(base_input_level_),
        output_level(output_level_) {}
};

// The answer of CompactionService::Schedule().
struct CompactionServiceScheduleResponse {
  std::string scheduled_job_id;  // The service's own name of the job.
  CompactionServiceJobStatus status;

  CompactionServiceScheduleResponse(std::string scheduled_job_id_,
                                    CompactionServiceJobStatus status_)
      : scheduled_job_id(std::move(scheduled_job_id_)), status(status_) {}
  explicit CompactionServiceScheduleResponse(CompactionServiceJobStatus status_)
      : status(status_) {}
};

// Runs the compactions of one database elsewhere, for example in a process on
// another machine. The program implements it: it carries two strings.
//
//   the database                 the service              a worker
//   Schedule(info, input)  ->    input               ->   DB::OpenAndCompact
//   Wait(id, &result)      <-    result, and files   <-   (same input)
//
// The worker reads the database's files and writes tables into a directory of
// its own. When Wait() has answered kSuccess, the database moves these tables
// into its own directories, checks them and installs them. So the directory
// that the result names must be one that this database can read and rename
// from. What stays in it after that is the service's to delete.
//
// Statuses. kSuccess of Schedule(): Wait() is called next. kUseLocal of either:
// the database compacts the files itself, as without a service. kFailure and
// kAborted: the job fails, and so does a job whose result string or tables are
// not as expected; then nothing of the database has changed. A manual
// compaction returns a retryable IOError. An automatic one is no background
// error: automatic compactions wait for a second and are tried again, writes
// and flushes go on. WaitForCompact() returns the IOError meanwhile.
//
// Threads. Called by the threads of compactions, several at once, without any
// lock of the database. An exception of Schedule() or Wait() counts as
// kFailure, one of OnInstallation() only goes to the LOG. The thread of a job
// keeps its slot among the background jobs while it waits. A job that waits is
// not paused: neither the auto-tuner nor DisableManualCompaction() nor
// AbortAllCompactions() interrupts it, they wait for the answer. If it was
// cancelled meanwhile, its result is not used.
class CompactionService : public Customizable {
 public:
  static const char* Type() { return "CompactionService"; }

  const char* Name() const override = 0;

  // Hands `compaction_service_input` to a worker.
  virtual CompactionServiceScheduleResponse Schedule(
      const CompactionServiceJobInfo& /*info*/,
      const std::string& /*compaction_service_input*/) {
    return CompactionServiceScheduleResponse(
        CompactionServiceJobStatus::kUseLocal);
  }

  // Waits for the job and returns what DB::OpenAndCompact() has put into its
  // `output`. After kFailure, too, if there is such a string: the error says
  // what is in it.
  virtual CompactionServiceJobStatus Wait(
      const std::string& /*scheduled_job_id*/, std::string* /*result*/) {
    return CompactionServiceJobStatus::kUseLocal;
  }

  // The database is closing, or CancelAllBackgroundWork() was called: called
  // once. Every Wait() must return soon, also one that begins later; kAborted
  // is a good answer. Closing waits for that.
  virtual void CancelAwaitingJobs() {}

  // Called once for each job whose Wait() has answered kSuccess: kSuccess when
  // its result is part of the database, else kFailure. The tables are no
  // longer in the worker's directory, or no longer needed there.
  virtual void OnInstallation(const std::string& /*scheduled_job_id*/,
                              CompactionServiceJobStatus /*status*/) {}

  ~CompactionService() override = default;
};

struct ColumnFamilyOptions : public AdvancedColumnFamilyOptions {
  // Defaults of an older release, e.g. (4, 6).
  ColumnFamilyOptions* OldDefaults(int rocksdb_major_version = 4,
                                   int rocksdb_minor_version = 6);
  // Small buffers and files, for databases of less than about 1 GiB. With
  // `cache`, *cache is used as block cache (and created if null).
  ColumnFamilyOptions* OptimizeForSmallDb(
      std::shared_ptr<Cache>* cache = nullptr);
  // For Get() only: hash index inside blocks, Bloom filter, cache of
  // `block_cache_size_mb` MiB, memtable Bloom filter.
  ColumnFamilyOptions* OptimizeForPointLookup(uint64_t block_cache_size_mb);
  // Level or universal compaction with `memtable_memory_budget` bytes of
  // memtables.
  ColumnFamilyOptions* OptimizeLevelStyleCompaction(
      uint64_t memtable_memory_budget = 512 * 1024 * 1024);
  ColumnFamilyOptions* OptimizeUniversalStyleCompaction(
      uint64_t memtable_memory_budget = 512 * 1024 * 1024);

  // The order of keys. Default: unsigned bytes. Must outlive the database.
  const Comparator* comparator = BytewiseComparator();

  // Defines what Merge() does. Default: none, Merge() fails.
  std::shared_ptr<MergeOperator> merge_operator = nullptr;

  // One filter for all compactions (must outlive the database), or a factory
  // of one per compaction. Default: none.
  const CompactionFilter* compaction_filter = nullptr;
  std::shared_ptr<CompactionFilterFactory> compaction_filter_factory = nullptr;

  // Bytes in the active memtable before it is flushed. Default 64 MiB; at
  // least 64 KiB, at most 64 GiB. Mutable.
  size_t write_buffer_size = 64 << 20;

  // Compression of table blocks. Default LZ4 if the library was built with
  // it, else Snappy, else none. Mutable.
  CompressionType compression;

  // Compression of the last level. Default: as the others. Mutable.
  CompressionType bottommost_compression = kDisableCompressionOption;

  // Parameters of the two. Those for the last level apply only if their
  // `enabled` is set. Mutable.
  CompressionOptions bottommost_compression_opts;
  CompressionOptions compression_opts;

  // Methods beyond the built-in ones. Default: none.
  std::shared_ptr<CompressionManager> compression_manager = nullptr;

  // Files in level 0 that start a compaction. Default 4. Mutable.
  int level0_file_num_compaction_trigger = 4;

  // Prefixes for filters and hash indexes. Default: none. Mutable.
  std::shared_ptr<const SliceTransform> prefix_extractor = nullptr;

  // Bytes of level 1; with dynamic level sizes, the maximum for the base level.
  // Default 256 MiB. Mutable.
  uint64_t max_bytes_for_level_base = 256 * 1048576;

  // No automatic compaction; the stall conditions on files and pending bytes
  // are off as well. Default false. Mutable.
  bool disable_auto_compactions = false;

  // The format of tables. Default: block-based with default options.
  std::shared_ptr<TableFactory> table_factory;

  // Directories for this column family's tables. Default: db_paths.
  std::vector<DbPath> cf_paths;

  // Limit on concurrent compactions, possibly shared. Default: none.
  std::shared_ptr<ConcurrentTaskLimiter> compaction_thread_limiter = nullptr;

  // Key boundaries at which output files end. Default: none.
  std::shared_ptr<SstPartitionerFactory> sst_partitioner_factory = nullptr;

  // Flush a memtable after this many range deletions. Default 0: never.
  // Mutable.
  uint32_t memtable_max_range_deletions = 0;

  // How eagerly blocks of obsolete files leave the cache, 0 (default) to
  // 1000000. Mutable.
  uint32_t uncache_aggressiveness = 0;

  // Of an earlier release: ignored.
  uint64_t snap_refresh_nanos = 0;

  ColumnFamilyOptions();
  explicit ColumnFamilyOptions(const Options& options);

  // Writes every option to the log, one a line.
  void Dump(Logger* log) const;
};

// What to do with damage in the write-ahead log at recovery.
enum class WALRecoveryMode : char {
  // An incomplete record at the end is tolerated, other damage is an error.
  kTolerateCorruptedTailRecords = 0x00,
  // Any damage is an error.
  kAbsoluteConsistency = 0x01,
  // Stop at the first damage, which gives the state at some earlier moment.
  // Default.
  kPointInTimeRecovery = 0x02,
  // Skip damaged records and recover all others.
  kSkipAnyCorruptedRecords = 0x03,
};

// The value of db_host_id that means the host's name.
extern const char* const kHostnameForDbHostId;

struct DBOptions {
  DBOptions* OldDefaults(int rocksdb_major_version = 4,
                         int rocksdb_minor_version = 6);
  DBOptions* OptimizeForSmallDb(std::shared_ptr<Cache>* cache = nullptr);
  // max_background_jobs = total_threads, with pools to match.
  DBOptions* IncreaseParallelism(int total_threads = 16);

  // -- Opening.

  // Make the database if it is missing. Default false.
  bool create_if_missing = false;

  // Make column families named at open that do not exist. Default false.
  bool create_missing_column_families = false;

  // Fail if the database exists. Default false.
  bool error_if_exists = false;

  // Fail early on damage and stop writes after errors. Default true.
  bool paranoid_checks = true;

  // Compare the number of entries flushed (compacted) with the expected number.
  // Defaults true.
  bool flush_verify_memtable_count = true;
  bool compaction_verify_record_count = true;

  // Record logs in the MANIFEST, or in each other, and check them at open.
  // Defaults false.
  bool track_and_verify_wals_in_manifest = false;
  bool track_and_verify_wals = false;

  // Check the unique id of every table opened. Default true.
  bool verify_sst_unique_id_in_manifest = true;

  // Files, threads and time. Default: Env::Default().
  Env* env = Env::Default();

  // Recover as many column families as possible when files are missing.
  // Default false.
  bool best_efforts_recovery = false;

  // How to treat damage in the log. Default kPointInTimeRecovery.
  WALRecoveryMode wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;

  // Keep prepared transactions in logs at open. Default false.
  bool allow_2pc = false;

  // Do not flush replayed data if it fits into memtables. Default false.
  bool avoid_flush_during_recovery = false;
  // Let the write buffer manager bound memory during replay. Default true.
  bool enforce_write_buffer_manager_during_recovery = true;

  // Do not flush data without a log at Close(); it is lost. Default false.
  // Mutable.
  bool avoid_flush_during_shutdown = false;

  // Sees, and may change or drop, every record replayed. Default: none.
  WalFilter* wal_filter = nullptr;

  // Open table files after the database, on their threads. Defaults false.
  bool open_files_async = false;
  bool fast_sst_open = false;

  // Threads that open files at open when max_open_files is -1. Default 16.
  int max_file_opening_threads = 16;

  // Do not read table properties at open for compaction's estimates.
  // Default false.
  bool skip_stats_update_on_db_open = false;

  // Write the database id into the MANIFEST / the IDENTITY file. Defaults
  // true.
  bool write_dbid_to_manifest = true;
  bool write_identity_file = true;

  // Written into table properties. Default: the host's name.
  std::string db_host_id = kHostnameForDbHostId;

  // -- Shared resources.

  // Limits the rate of I/O. Default: none.
  std::shared_ptr<RateLimiter> rate_limiter = nullptr;

  // Divides the disk among logs, reads, flushes and compactions, using a
  // profile of what the disk can do (NewIOScheduler; an extension of
  // Riverstone). Databases on one disk may share it. Default: none.
  std::shared_ptr<IOScheduler> io_scheduler = nullptr;

  // Limits the space that files take, and how fast they are deleted. See
  // rocksdb/sst_file_manager.h. Default: none.
  std::shared_ptr<SstFileManager> sst_file_manager = nullptr;

  // Memory of all memtables of the database; 0 (default): no limit.
  size_t db_write_buffer_size = 0;

  // The same limit over several databases. Default: each database has its own.
  std::shared_ptr<WriteBufferManager> write_buffer_manager = nullptr;

  // Cache of rows: the results of point lookups in a table, by key. It is not
  // used for snapshots older than a table's newest entry, nor for tables with
  // range deletions. Default: none.
  std::shared_ptr<Cache> row_cache = nullptr;

  // Lowest cache tier in use: kVolatileTier keeps the database's blocks out of
  // the block cache's secondary cache. Default: all.
  CacheTier lowest_used_cache_tier = CacheTier::kNonVolatileBlockTier;

  // Counters and histograms. Default: none.
  std::shared_ptr<Statistics> statistics = nullptr;

  // Notified of flushes, compactions, files, stalls and errors.
  std::vector<std::shared_ptr<EventListener>> listeners;

  // Is offered every compaction that rewrites files, to run it elsewhere. Not
  // stored in the OPTIONS file. Default: none.
  std::shared_ptr<CompactionService> compaction_service = nullptr;

  // Checksums of whole files. Default: none.
  std::shared_ptr<FileChecksumGenFactory> file_checksum_gen_factory = nullptr;
  FileTypeSet checksum_handoff_file_types;

  // -- The information log.

  // Where it goes. Default: LOG in the database directory.
  std::shared_ptr<Logger> info_log = nullptr;

  // Default INFO_LEVEL.
  InfoLogLevel info_log_level = INFO_LEVEL;

  // Directory of the log; "" (default): the database's.
  std::string db_log_dir = "";

  // Bytes, and seconds, after which a new log is started; 0 (default): never.
  // The options at the beginning of each log are not among the bytes.
  size_t max_log_file_size = 0;
  size_t log_file_time_to_roll = 0;

  // Logs kept. Default 1000.
  size_t keep_log_file_num = 1000;

  // Seconds between dumps of the statistics to the log; 0: never. Default
  // 600. Mutable.
  unsigned int stats_dump_period_sec = 600;

  // Seconds between entries of the statistics history, which
  // DB::GetStatsHistory() shows; 0: none. Default 600. It is kept in memory, up
  // to the given bytes: the oldest entries go first. persist_stats_to_disk is
  // accepted and has no effect. Mutable, except persist_stats_to_disk.
  unsigned int stats_persist_period_sec = 600;
  bool persist_stats_to_disk = false;
  size_t stats_history_buffer_size = 1024 * 1024;

  // Add the allocator's statistics to the dump. Default false.
  bool dump_malloc_stats = false;

  // Keep Env's list of what every thread does. Default false.
  bool enable_thread_tracking = false;

  // Put keys and values into messages. Default false.
  bool allow_data_in_errors = false;

  // -- Files and directories.

  // Table files kept open; -1 (default): all. Mutable: what was opened with -1
  // stays open until its file is gone.
  int max_open_files = -1;

  // log2 of the shards of the table cache. Default 6.
  int table_cache_numshardbits = 6;

  // Directories for tables, filled in order up to their target sizes.
  // Default: the database's.
  std::vector<DbPath> db_paths;

  // Directory of the write-ahead log; "" (default): the database's.
  std::string wal_dir = "";

  // Microseconds between searches for obsolete files. Default 6 hours.
  // Mutable.
  uint64_t delete_obsolete_files_period_micros = 6ULL * 60 * 60 * 1000000;

  // A new MANIFEST is started once the current one has at least the given size
  // and exceeds what is needed by the given percentage. Defaults 1 GiB, 500.
  // Mutable.
  uint64_t max_manifest_file_size = 1024 * 1024 * 1024;
  int max_manifest_space_amp_pct = 500;

  // Bytes reserved when a MANIFEST is made. Default 4 MiB.
  size_t manifest_preallocation_size = 4 * 1024 * 1024;

  // Read the MANIFEST back at Close(); continue the old one at open; order it
  // for fast recovery. Defaults false.
  bool verify_manifest_content_on_close = false;
  bool reuse_manifest_on_open = false;
  bool optimize_manifest_for_recovery = false;

  // Map table files into memory for reading; for writing. Defaults false.
  bool allow_mmap_reads = false;
  bool allow_mmap_writes = false;

  // Bypass the page cache: in reads; in flush and compaction (reads and
  // writes); in reads of compaction only. Defaults false.
  bool use_direct_reads = false;
  bool use_direct_io_for_flush_and_compaction = false;
  bool use_direct_io_for_compaction_reads = false;

  // Reserve disk space for files before writing. Default true.
  bool allow_fallocate = true;

  // Close file descriptors in child processes. Default true.
  bool is_fd_close_on_exec = true;

  // fsync instead of fdatasync. Default false.
  bool use_fsync = false;

  // Tell the system that tables are read randomly. Default true.
  bool advise_random_on_open = true;

  // Bytes read ahead by compaction. Default 2 MiB. Mutable.
  size_t compaction_readahead_size = 2 * 1024 * 1024;

  // Largest write buffer of a file; 0: none of its own. Default 1 MiB.
  // Mutable: for the files of jobs, and the logs, that begin later.
  size_t writable_file_max_buffer_size = 1024 * 1024;

  // Ask the system to write back tables (logs) each time this many bytes were
  // written; 0 (defaults): leave it to the system. With strict_bytes_per_sync,
  // wait for the previous write-back. Mutable: for the files of jobs, and the
  // logs, that begin later.
  uint64_t bytes_per_sync = 0;
  uint64_t wal_bytes_per_sync = 0;
  bool strict_bytes_per_sync = false;

  // Bytes read ahead when logs and MANIFEST are replayed; 0 (default): the
  // file system's choice.
  size_t log_readahead_size = 0;

  // Threads for asynchronous reads. Default 1.
  int read_io_executor_threads = 1;

  // Temperatures of metadata files and of logs. Defaults kUnknown.
  Temperature metadata_write_temperature = Temperature::kUnknown;
  Temperature wal_write_temperature = Temperature::kUnknown;

  // For which styles write lifetime hints are given. Default: level.
  CompactionStyleSet calculate_sst_write_lifetime_hint_set{
      CompactionStyle::kCompactionStyleLevel};

  // -- The write-ahead log.

  // Bytes of all logs together at which old memtables are flushed; 0
  // (default): four times all write buffers. With one family it has no effect:
  // its flushes free its logs. Mutable.
  uint64_t max_total_wal_size = 0;

  // Log files kept for reuse. Default 0.
  size_t recycle_log_file_num = 0;

  // Keep old logs for this many seconds, up to this many MiB. Defaults 0:
  // delete.
  uint64_t WAL_ttl_seconds = 0;
  uint64_t WAL_size_limit_MB = 0;

  // Write the log only at FlushWAL(). Default false.
  bool manual_wal_flush = false;

  // Compression of log records; only none (default) and ZSTD.
  CompressionType wal_compression = kNoCompression;

  // Create the next log in advance; close old ones on a background thread.
  // Defaults false.
  bool async_wal_precreate = false;
  bool background_close_inactive_wals = false;

  // -- Background work.

  // Concurrent flushes and compactions. Default 2: one quarter, at least one,
  // may be flushes. Mutable.
  int max_background_jobs = 2;

  // The same, separately; -1 (defaults): from max_background_jobs. Mutable.
  int max_background_compactions = -1;
  int max_background_flushes = -1;

  // Threads one compaction may be split over. Default 1. Mutable.
  uint32_t max_subcompactions = 1;

  // Longest time in seconds between checks of triggers based on time. Default
  // 12 hours. Mutable.
  uint64_t max_compaction_trigger_wakeup_seconds = 12 * 60 * 60;

  // Hours of low load, e.g. "22:30-04:00" (UTC). Default "". Mutable.
  std::string daily_offpeak_time_utc = "";

  // Bytes a second while writes are delayed; 0 (default): the rate limiter's
  // rate, or 16 MiB/s. Mutable.
  uint64_t delayed_write_rate = 0;

  // Never delete files or close logs on a user's thread. Default false.
  bool avoid_unnecessary_blocking_io = false;

  // Automatic resumes after a retryable background error, and microseconds
  // between them. Defaults INT_MAX, 1 s.
  int max_bgerror_resume_count = INT_MAX;
  uint64_t bgerror_resume_retry_interval = 1000000;

  // -- Writing.

  // Log the next group while this one goes to the memtable. This library always
  // does. Default false.
  bool enable_pipelined_write = false;

  // Give up the order of snapshots for throughput. This library never does.
  // Default false.
  bool unordered_write = false;

  // Members of a write group insert their own batches. Default true.
  bool allow_concurrent_memtable_write = true;

  // Waiting writers yield for up to the first number of microseconds before
  // they block; a yield slower than the second number means that the processors
  // are busy. Defaults true, 100, 3.
  bool enable_write_thread_adaptive_yield = true;
  uint64_t write_thread_max_yield_usec = 100;
  uint64_t write_thread_slow_yield_usec = 3;

  // Bytes of a write group. Default 1 MiB.
  uint64_t max_write_batch_group_size_bytes = 1 << 20;

  // Separate queue for writes that skip the memtable. Default false.
  bool two_write_queues = false;

  // Flush all column families together, atomically. Default false.
  bool atomic_flush = false;

  // Reserve the last level for IngestBehind. Default false.
  bool allow_ingest_behind = false;

  // Misuse of SingleDelete() is an error of the compaction. Default true.
  bool enforce_single_del_contracts = true;

  // Spin on the database mutex before sleeping. Default false.
  bool use_adaptive_mutex = false;

  // Iterators without an explicit option ignore the prefix extractor.
  // Default false.
  bool prefix_seek_opt_in_only = false;

  // -- Followers (read-only instances that keep up).
  uint64_t follower_refresh_catchup_period_ms = 10000;
  uint64_t follower_catchup_retry_count = 10;
  uint64_t follower_catchup_retry_wait_ms = 100;

  // -- Options of earlier releases: kept so that programs compile, ignored,
  // and named once in the LOG when set.

  enum AccessHint { NONE, NORMAL, SEQUENTIAL, WILLNEED };
  AccessHint access_hint_on_compaction_start = NORMAL;
  size_t random_access_max_buffer_size = 1024 * 1024;
  bool skip_checking_sst_file_sizes_on_db_open = false;
  bool fail_if_options_file_error = true;
  bool new_table_reader_for_compaction_inputs = false;
  int base_background_compactions = -1;
  bool preserve_deletes = false;
  bool skip_log_error_on_recovery = false;
  // The old name of two_write_queues.
  bool concurrent_prepare = false;
  bool disableDataSync = false;
  bool allow_os_buffer = true;

  DBOptions();
  explicit DBOptions(const Options& options);

  // Writes every option to the log, one a line.
  void Dump(Logger* log) const;
};

struct Options : public DBOptions, public ColumnFamilyOptions {
  Options() = default;
  Options(const DBOptions& db_options,
          const ColumnFamilyOptions& column_family_options)
      : DBOptions(db_options), ColumnFamilyOptions(column_family_options) {}

  Options* OldDefaults(int rocksdb_major_version = 4,
                       int rocksdb_minor_version = 6);
  void Dump(Logger* log) const;
  void DumpCFOptions(Logger* log) const;

  // No compaction, no stalls, large buffers: load the data, then call
  // CompactRange().
  Options* PrepareForBulkLoad();
  Options* OptimizeForSmallDb();
  // Less safe and a little faster.
  Options* DisableExtraChecks();
};

// Where a read may look.
enum ReadTier {
  kReadAllTier = 0x0,
  // Memtables and block cache; Incomplete when that does not answer.
  kBlockCacheTier = 0x1,
  // Data that would survive a crash: skips memtables if the WAL is off.
  kPersistedTier = 0x2,
  // Memtables.
  kMemtableTier = 0x3
};

struct ReadOptions {
  // Read as of this snapshot. Default: now.
  const Snapshot* snapshot = nullptr;

  // User timestamp to read at, and the lower end of a range of versions.
  const Slice* timestamp = nullptr;
  const Slice* iter_start_ts = nullptr;

  // Give up when the time since the epoch exceeds this; give up an I/O after
  // this time. Defaults 0: never.
  std::chrono::microseconds deadline = std::chrono::microseconds::zero();
  std::chrono::microseconds io_timeout = std::chrono::microseconds::zero();

  // Where to look. Default: everywhere.
  ReadTier read_tier = kReadAllTier;

  // Charge the reads to the rate limiter with this priority. Default: no.
  Env::IOPriority rate_limiter_priority = Env::IO_TOTAL;

  // MultiGet stops with Aborted if the values exceed this many bytes.
  uint64_t value_size_soft_limit = std::numeric_limits<uint64_t>::max();

  // A point lookup (Get, MultiGet, GetEntity) that merged more operands than
  // this succeeds with the sub-code kMergeOperandThresholdExceeded. Default:
  // never. Iterators do not count.
  std::optional<size_t> merge_operand_count_threshold;

  // Check block checksums. Default true.
  bool verify_checksums = true;

  // Put blocks read into the cache. Default true.
  bool fill_cache = true;

  // Do not apply range deletions. Default false.
  bool ignore_range_deletions = false;

  // Read ahead asynchronously. Default false.
  bool async_io = false;

  // MultiGet: prefer fewer waits over fewer reads. Default true.
  bool optimize_multiget_for_io = true;

  // -- Iterators.

  // Bytes to read ahead; 0 (default): grows with sequential use.
  size_t readahead_size = 0;

  // A seek or step gives up with Incomplete after this many hidden entries; 0
  // (default): never.
  uint64_t max_skippable_internal_keys = 0;

  // Lower bound, inclusive, and upper bound, exclusive. The slices must stay
  // valid and unchanged as long as the iterator exists.
  const Slice* iterate_lower_bound = nullptr;
  const Slice* iterate_upper_bound = nullptr;

  // Also return entries written after the iterator was made. Default false.
  bool tailing = false;

  // Ignored: kept so that programs compile.
  bool managed = false;

  // Ignore prefix filters and hash indexes. Default false.
  bool total_order_seek = false;

  // Use prefix filters where that cannot change the result. Default false.
  bool auto_prefix_mode = false;

  // Stop when the prefix of the seek key is left. Default false.
  bool prefix_same_as_start = false;

  // Keep every key and value valid until the iterator is destroyed. Default
  // false.
  bool pin_data = false;

  // Continue readahead with the state of the previous file. Default false.
  bool adaptive_readahead = false;

  // Delete files on a background thread when the iterator is destroyed. Default
  // false.
  bool background_purge_on_iterator_cleanup = false;

  // Limit readahead to the upper bound, or the prefix. Default true.
  bool auto_readahead_size = true;

  // Values are read when PrepareValue() is called. Default false.
  bool allow_unprepared_value = false;

  // Renew the iterator's resources from time to time, if it has a snapshot.
  // Default false.
  bool auto_refresh_iterator_with_snapshot = false;

  // Skips tables for which it returns false. Default: none.
  std::function<bool(const TableProperties&)> table_filter;

  // -- For tracing and plug-ins.
  Env::IOActivity io_activity = Env::IOActivity::kUnknown;
  const std::string* request_id = nullptr;
  const UserDefinedIndexFactory* table_index_factory = nullptr;

  // Of earlier releases: ignored.
  SequenceNumber iter_start_seqnum = 0;
  int weight = 0;

  ReadOptions() = default;
  ReadOptions(bool cksum, bool cache)
      : verify_checksums(cksum), fill_cache(cache) {}
  explicit ReadOptions(Env::IOActivity activity) : io_activity(activity) {}
};

struct WriteOptions {
  // Wait until the log is on the device. Default false: a crash of the machine
  // may lose the last writes, a crash of the process does not.
  bool sync = false;

  // Do not write the log. Default false.
  bool disableWAL = false;

  // Skip writes to column families that were dropped. Default false.
  bool ignore_missing_column_families = false;

  // Return Incomplete instead of waiting in a stall. Default false.
  bool no_slowdown = false;

  // Give way to other writes while compaction is behind. Default false.
  bool low_pri = false;

  // Remember the position of the last insertion within this batch. Default
  // false.
  bool memtable_insert_hint_per_batch = false;

  // IO_USER charges log writes to the rate limiter. Default: not.
  Env::IOPriority rate_limiter_priority = Env::IO_TOTAL;

  // Bytes of checksum per key of the batch: 0 (default) or 8.
  size_t protection_bytes_per_key = 0;

  Env::IOActivity io_activity = Env::IOActivity::kUnknown;

  // Of earlier releases: ignored.
  const Slice* timestamp = nullptr;
  uint64_t timeout_hint_us = 0;

  WriteOptions() = default;
  explicit WriteOptions(
      Env::IOPriority _rate_limiter_priority,
      Env::IOActivity _io_activity = Env::IOActivity::kUnknown)
      : rate_limiter_priority(_rate_limiter_priority),
        io_activity(_io_activity) {}
  explicit WriteOptions(Env::IOActivity _io_activity)
      : io_activity(_io_activity) {}
};

struct FlushOptions {
  // Return when the data is in table files. Default true.
  bool wait = true;

  // Start even if writes may then stall. Default false: wait first.
  bool allow_write_stall = false;

  // Flush the given column families atomically, even without atomic_flush.
  // Default false.
  bool force_atomic_flush = false;

  // Wait for listeners as well. Default true.
  bool listener_wait = true;
};

// The logger a database with these options would use.
Status CreateLoggerFromOptions(const std::string& dbname,
                               const DBOptions& options,
                               std::shared_ptr<Logger>* logger);

// A range of keys; a side without a value is open.
struct RangeOpt {
  OptSlice start;
  OptSlice limit;

  RangeOpt() = default;
  RangeOpt(const OptSlice& s, const OptSlice& l) : start(s), limit(l) {}
};

// FlushWAL().
struct FlushWALOptions {
  // Also make it durable. Default false.
  bool sync = false;

  // Default IO_TOTAL: not counted by the rate limiter.
  Env::IOPriority rate_limiter_priority = Env::IO_TOTAL;
};

// CompactFiles().
struct CompactionOptions {
  // Default: what the column family says for the output level.
  CompressionType compression = kDisableCompressionOption;

  // Size of output files. Default: no limit.
  uint64_t output_file_size_limit = std::numeric_limits<uint64_t>::max();

  // 0 (default): the database's.
  uint32_t max_subcompactions = 0;

  // Set it to true to stop the compaction.
  std::atomic<bool>* canceled = nullptr;

  // Default kUnknown: by level.
  Temperature output_temperature_override = Temperature::kUnknown;

  // Default false.
  bool allow_trivial_move = false;
};

// What CompactRange() does with the last level.
enum class BottommostLevelCompaction {
  kSkip,
  // Compact it if there is a filter. Default.
  kIfHaveCompactionFilter,
  kForce,
  // Only files that existed before this CompactRange().
  kForceOptimized,
};

enum class BlobGarbageCollectionPolicy { kForce, kDisable, kUseDefault };

struct CompactRangeOptions {
  // No other manual compaction at the same time. Default false.
  bool exclusive_manual_compaction = false;

  // Move the result to target_level (-1: the highest level that can hold it).
  // Defaults false, -1.
  bool change_level = false;
  int target_level = -1;

  // Index into db_paths. Default 0.
  uint32_t target_path_id = 0;

  BottommostLevelCompaction bottommost_level_compaction =
      BottommostLevelCompaction::kIfHaveCompactionFilter;

  // Flush at once even if writes may stall. Default false.
  bool allow_write_stall = false;

  // 0 (default): the database's.
  uint32_t max_subcompactions = 0;

  // Drop user timestamps below this.
  const Slice* full_history_ts_low = nullptr;

  // Set it to true to stop the compaction.
  std::atomic<bool>* canceled = nullptr;

  BlobGarbageCollectionPolicy blob_garbage_collection_policy =
      BlobGarbageCollectionPolicy::kUseDefault;
  // -1 (default): the column family's.
  double blob_garbage_collection_age_cutoff = -1;
};

struct IngestExternalFileOptions {
  // Rename instead of copying; or hard-link and keep. Defaults false.
  bool move_files = false;
  bool link_files = false;
  // Copy when renaming or linking fails. Default true.
  bool failed_move_fall_back_to_copy = true;
  // Existing snapshots do not see the data. Default true.
  bool snapshot_consistency = true;
  // Give the file a sequence number when it overlaps. Default true.
  bool allow_global_seqno = true;
  // Flush when it overlaps the memtable. Default true.
  bool allow_blocking_flush = true;
  // Put it below existing data. Default false.
  bool ingest_behind = false;
  // Write the sequence into the file: for readers before 5.16. Default
  // false.
  bool write_global_seqno = false;
  // Check every block before ingesting, with this much readahead. Default
  // false.
  bool verify_checksums_before_ingest = false;
  size_t verify_checksums_readahead_size = 0;
  // Check the whole-file checksum if given. Default true.
  bool verify_file_checksum = true;
  // Fail if it cannot go to the last level. Default false.
  bool fail_if_not_bottommost_level = false;
  // Accept tables of another database. Default false.
  bool allow_db_generated_files = false;
  // Put blocks read into the cache. Default true.
  bool fill_cache = true;
  // Threads that open the files. Default 1.
  int file_opening_threads = 1;
  // Read index and filter of last-level files at once. Default true.
  bool prefetch_lmax_index_and_filter_blocks = true;
};

// Bits of TraceOptions::filter: what is left out of a query trace.
enum TraceFilterType : uint64_t {
  kTraceFilterNone = 0x0,
  kTraceFilterGet = 0x1 << 0,
  kTraceFilterWrite = 0x1 << 1,
  kTraceFilterIteratorSeek = 0x1 << 2,
  kTraceFilterIteratorSeekForPrev = 0x1 << 3,
  kTraceFilterMultiGet = 0x1 << 4,
};

// StartTrace() and the other calls that start a trace.
struct TraceOptions {
  // Nothing is written any more once the trace is larger, in bytes. It may
  // exceed this by one record, and by its end record. Default 64 GiB.
  uint64_t max_trace_file_size = uint64_t{64} * 1024 * 1024 * 1024;
  // One of this many operations that pass the filter is traced. 0 and 1
  // (default): all are.
  uint64_t sampling_frequency = 1;
  // Bits of TraceFilterType. Default: everything is traced.
  uint64_t filter = kTraceFilterNone;
  // Trace writes in the order in which they take effect, and only those that
  // do. Default false: a write is traced before it begins to wait for others,
  // so that two writes of different threads may have changed places, and one
  // that fails is traced, too.
  bool preserve_write_order = false;
};

struct ImportColumnFamilyOptions {
  // Rename instead of copying. Default false.
  bool move_files = false;
};

struct SizeApproximationOptions {
  // What to include; InvalidArgument: nothing. Defaults false, true.
  bool include_memtables = false;
  bool include_files = true;
  // The share of all blob files that the range has of all tables: more or less
  // than there is, where values differ in size. Default false.
  bool include_blob_files = false;
  // Stop when the error is at most this share; negative (default): as exact as
  // the index allows.
  double files_size_error_margin = -1.0;
};

// DB::WaitForCompact().
struct WaitForCompactOptions {
  // Return Aborted when background work is paused. Default false: wait.
  bool abort_on_pause = false;
  // Flush first. Default false.
  bool flush = false;
  // Wait for files to be deleted as well. Default false.
  bool wait_for_purge = false;
  // Close the database after waiting. Default false.
  bool close_db = false;
  // Give up with TimedOut; 0 (default): never.
  std::chrono::microseconds timeout = std::chrono::microseconds::zero();
};

struct LiveFilesStorageInfoOptions {
  bool include_checksum_info = false;
  // Flush if the logs hold more; 0: always, max: never.
  uint64_t wal_size_for_flush = 0;
  // That flush is one of all families at one moment, and its tables become part
  // of the database together, as with DBOptions::atomic_flush. Default false.
  bool atomic_flush = false;
};

// DB::OpenAndCompact(): what the OPTIONS file of the database cannot say,
// because it is an object of the program. Null, or an empty list, stands for
// what the OPTIONS file names, if the library can make it.
struct CompactionServiceOptionsOverride {
  Env* env = Env::Default();
  std::shared_ptr<FileChecksumGenFactory> file_checksum_gen_factory = nullptr;

  // Of the family that is compacted. The comparator is used where the MANIFEST
  // has its name, else the one that the OPTIONS file names.
  const Comparator* comparator = BytewiseComparator();
  std::shared_ptr<MergeOperator> merge_operator = nullptr;
  const CompactionFilter* compaction_filter = nullptr;
  std::shared_ptr<CompactionFilterFactory> compaction_filter_factory = nullptr;
  std::shared_ptr<const SliceTransform> prefix_extractor = nullptr;
  std::shared_ptr<TableFactory> table_factory;
  std::shared_ptr<SstPartitionerFactory> sst_partitioner_factory = nullptr;

  // Notified of the worker's tables, blob files and subcompactions. Beginning
  // and end of the compaction are reported by the database that asked for it.
  std::vector<std::shared_ptr<EventListener>> listeners;

  // What the worker counts. The database that asked counts nothing of it.
  std::shared_ptr<Statistics> statistics = nullptr;

  // Default: none.
  std::shared_ptr<Logger> info_log = nullptr;

  std::vector<std::shared_ptr<TablePropertiesCollectorFactory>>
      table_properties_collector_factories;

  // Any other option, by name, applied last. Unknown names are ignored.
  std::unordered_map<std::string, std::string> options_map;

  // The database is a DBWithTTL: drop entries that are older than so many
  // seconds.
  std::optional<int32_t> ttl = std::nullopt;
};

// DB::OpenAndCompact().
struct OpenAndCompactOptions {
  // Becoming true, it stops the compaction. Default: none.
  std::atomic<bool>* canceled = nullptr;
  // Accepted without effect: a worker always begins anew. Default false.
  bool allow_resumption = false;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
