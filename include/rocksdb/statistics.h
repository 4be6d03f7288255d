// Statistics: counters and histograms of everything the engine does.
//
// Place. DBOptions::statistics; null (default) switches all of it off at the
// cost of one branch. Names are RocksDB's; values of the enums are of this
// library (the C API translates numbers of older releases).
//
// Model. A ticker only grows; a histogram keeps count, sum, extremes and
// buckets. Counters are per core and added up when read, so that counting is
// cheap and reading is not.
//
// Threads. Every method may be called from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct ConfigOptions;

enum Tickers : uint32_t {
  // Block cache.
  BLOCK_CACHE_MISS = 0,
  BLOCK_CACHE_HIT,
  BLOCK_CACHE_ADD,
  BLOCK_CACHE_ADD_FAILURES,
  BLOCK_CACHE_INDEX_MISS,
  BLOCK_CACHE_INDEX_HIT,
  BLOCK_CACHE_INDEX_ADD,
  BLOCK_CACHE_INDEX_BYTES_INSERT,
  BLOCK_CACHE_FILTER_MISS,
  BLOCK_CACHE_FILTER_HIT,
  BLOCK_CACHE_FILTER_ADD,
  BLOCK_CACHE_FILTER_BYTES_INSERT,
  BLOCK_CACHE_DATA_MISS,
  BLOCK_CACHE_DATA_HIT,
  BLOCK_CACHE_DATA_ADD,
  BLOCK_CACHE_DATA_BYTES_INSERT,
  BLOCK_CACHE_BYTES_READ,
  BLOCK_CACHE_BYTES_WRITE,
  BLOCK_CACHE_COMPRESSION_DICT_MISS,
  BLOCK_CACHE_COMPRESSION_DICT_HIT,
  BLOCK_CACHE_COMPRESSION_DICT_ADD,
  BLOCK_CACHE_COMPRESSION_DICT_BYTES_INSERT,
  BLOCK_CACHE_ADD_REDUNDANT,
  BLOCK_CACHE_INDEX_ADD_REDUNDANT,
  BLOCK_CACHE_FILTER_ADD_REDUNDANT,
  BLOCK_CACHE_DATA_ADD_REDUNDANT,
  BLOCK_CACHE_COMPRESSION_DICT_ADD_REDUNDANT,

  // Secondary caches.
  SECONDARY_CACHE_HITS,
  SECONDARY_CACHE_FILTER_HITS,
  SECONDARY_CACHE_INDEX_HITS,
  SECONDARY_CACHE_DATA_HITS,
  COMPRESSED_SECONDARY_CACHE_DUMMY_HITS,
  COMPRESSED_SECONDARY_CACHE_HITS,
  COMPRESSED_SECONDARY_CACHE_PROMOTIONS,
  COMPRESSED_SECONDARY_CACHE_PROMOTION_SKIPS,

  // Filters.
  BLOOM_FILTER_USEFUL,
  BLOOM_FILTER_FULL_POSITIVE,
  BLOOM_FILTER_FULL_TRUE_POSITIVE,
  BLOOM_FILTER_PREFIX_CHECKED,
  BLOOM_FILTER_PREFIX_USEFUL,
  BLOOM_FILTER_PREFIX_TRUE_POSITIVE,

  // Other caches.
  PERSISTENT_CACHE_HIT,
  PERSISTENT_CACHE_MISS,
  SIM_BLOCK_CACHE_HIT,
  SIM_BLOCK_CACHE_MISS,

  // Where point lookups ended.
  MEMTABLE_HIT,
  MEMTABLE_MISS,
  GET_HIT_L0,
  GET_HIT_L1,
  GET_HIT_L2_AND_UP,

  // What compaction dropped, and why.
  COMPACTION_KEY_DROP_NEWER_ENTRY,
  COMPACTION_KEY_DROP_OBSOLETE,
  COMPACTION_KEY_DROP_RANGE_DEL,
  COMPACTION_KEY_DROP_USER,
  COMPACTION_RANGE_DEL_DROP_OBSOLETE,
  COMPACTION_OPTIMIZED_DEL_DROP_OBSOLETE,
  COMPACTION_CANCELLED,
  COMPACTION_ABORTED,

  // User operations.
  NUMBER_KEYS_WRITTEN,
  NUMBER_KEYS_READ,
  NUMBER_KEYS_UPDATED,
  BYTES_WRITTEN,
  BYTES_READ,
  NUMBER_DB_SEEK,
  NUMBER_DB_NEXT,
  NUMBER_DB_PREV,
  NUMBER_DB_SEEK_FOUND,
  NUMBER_DB_NEXT_FOUND,
  NUMBER_DB_PREV_FOUND,
  ITER_BYTES_READ,
  NUMBER_ITER_SKIP,
  NUMBER_OF_RESEEKS_IN_ITERATION,
  NO_ITERATOR_CREATED,
  NO_ITERATOR_DELETED,
  NO_FILE_OPENS,
  NO_FILE_ERRORS,

  // Time writers waited; time on the database mutex.
  STALL_MICROS,
  DB_MUTEX_WAIT_MICROS,
  NUMBER_MULTIGET_CALLS,
  NUMBER_MULTIGET_KEYS_READ,
  NUMBER_MULTIGET_BYTES_READ,
  NUMBER_MULTIGET_KEYS_FOUND,
  NUMBER_MERGE_FAILURES,
  GET_UPDATES_SINCE_CALLS,

  // WAL and writes.
  WAL_FILE_SYNCED,
  WAL_FILE_BYTES,
  WRITE_DONE_BY_SELF,
  WRITE_DONE_BY_OTHER,
  WRITE_WITH_WAL,

  // Flush and compaction bytes.
  COMPACT_READ_BYTES,
  COMPACT_WRITE_BYTES,
  FLUSH_WRITE_BYTES,
  COMPACT_READ_BYTES_MARKED,
  COMPACT_READ_BYTES_PERIODIC,
  COMPACT_READ_BYTES_TTL,
  COMPACT_WRITE_BYTES_MARKED,
  COMPACT_WRITE_BYTES_PERIODIC,
  COMPACT_WRITE_BYTES_TTL,
  NUMBER_DIRECT_LOAD_TABLE_PROPERTIES,
  NUMBER_SUPERVERSION_ACQUIRES,
  NUMBER_SUPERVERSION_RELEASES,
  NUMBER_SUPERVERSION_CLEANUPS,

  // Block compression.
  NUMBER_BLOCK_COMPRESSED,
  NUMBER_BLOCK_DECOMPRESSED,
  BYTES_COMPRESSED_FROM,
  BYTES_COMPRESSED_TO,
  BYTES_COMPRESSION_BYPASSED,
  BYTES_COMPRESSION_REJECTED,
  NUMBER_BLOCK_COMPRESSION_BYPASSED,
  NUMBER_BLOCK_COMPRESSION_REJECTED,
  BYTES_DECOMPRESSED_FROM,
  BYTES_DECOMPRESSED_TO,
  MERGE_OPERATION_TOTAL_TIME,
  FILTER_OPERATION_TOTAL_TIME,
  COMPACTION_CPU_TOTAL_TIME,
  ROW_CACHE_HIT,
  ROW_CACHE_MISS,
  READ_AMP_ESTIMATE_USEFUL_BYTES,
  READ_AMP_TOTAL_READ_BYTES,
  NUMBER_RATE_LIMITER_DRAINS,

  // Blobs.
  BLOB_DB_NUM_PUT,
  BLOB_DB_NUM_WRITE,
  BLOB_DB_NUM_GET,
  BLOB_DB_NUM_MULTIGET,
  BLOB_DB_NUM_SEEK,
  BLOB_DB_NUM_NEXT,
  BLOB_DB_NUM_PREV,
  BLOB_DB_NUM_KEYS_WRITTEN,
  BLOB_DB_NUM_KEYS_READ,
  BLOB_DB_BYTES_WRITTEN,
  BLOB_DB_BYTES_READ,
  BLOB_DB_WRITE_INLINED,
  BLOB_DB_WRITE_INLINED_TTL,
  BLOB_DB_WRITE_BLOB,
  BLOB_DB_WRITE_BLOB_TTL,
  BLOB_DB_BLOB_FILE_BYTES_WRITTEN,
  BLOB_DB_BLOB_FILE_BYTES_READ,
  BLOB_DB_BLOB_FILE_SYNCED,
  BLOB_DB_BLOB_INDEX_EXPIRED_COUNT,
  BLOB_DB_BLOB_INDEX_EXPIRED_SIZE,
  BLOB_DB_BLOB_INDEX_EVICTED_COUNT,
  BLOB_DB_BLOB_INDEX_EVICTED_SIZE,
  BLOB_DB_GC_NUM_FILES,
  BLOB_DB_GC_NUM_NEW_FILES,
  BLOB_DB_GC_FAILURES,
  BLOB_DB_GC_NUM_KEYS_RELOCATED,
  BLOB_DB_GC_BYTES_RELOCATED,
  BLOB_DB_FIFO_NUM_FILES_EVICTED,
  BLOB_DB_FIFO_NUM_KEYS_EVICTED,
  BLOB_DB_FIFO_BYTES_EVICTED,
  BLOB_DB_CACHE_MISS,
  BLOB_DB_CACHE_HIT,
  BLOB_DB_CACHE_ADD,
  BLOB_DB_CACHE_ADD_FAILURES,
  BLOB_DB_CACHE_BYTES_READ,
  BLOB_DB_CACHE_BYTES_WRITE,

  // Transactions.
  TXN_PREPARE_MUTEX_OVERHEAD,
  TXN_OLD_COMMIT_MAP_MUTEX_OVERHEAD,
  TXN_DUPLICATE_KEY_OVERHEAD,
  TXN_SNAPSHOT_MUTEX_OVERHEAD,
  TXN_GET_TRY_AGAIN,

  // Files deleted.
  FILES_MARKED_TRASH,
  FILES_DELETED_FROM_TRASH_QUEUE,
  FILES_DELETED_IMMEDIATELY,

  // Background errors and automatic resume.
  ERROR_HANDLER_BG_ERROR_COUNT,
  ERROR_HANDLER_BG_IO_ERROR_COUNT,
  ERROR_HANDLER_BG_RETRYABLE_IO_ERROR_COUNT,
  ERROR_HANDLER_AUTORESUME_COUNT,
  ERROR_HANDLER_AUTORESUME_RETRY_TOTAL_COUNT,
  ERROR_HANDLER_AUTORESUME_SUCCESS_COUNT,
  MEMTABLE_PAYLOAD_BYTES_AT_FLUSH,
  MEMTABLE_GARBAGE_BYTES_AT_FLUSH,
  VERIFY_CHECKSUM_READ_BYTES,
  BACKUP_READ_BYTES,
  BACKUP_WRITE_BYTES,
  REMOTE_COMPACT_READ_BYTES,
  REMOTE_COMPACT_WRITE_BYTES,
  REMOTE_COMPACT_RESUMED_BYTES,

  // Reads by temperature and level.
  HOT_FILE_READ_BYTES,
  WARM_FILE_READ_BYTES,
  COOL_FILE_READ_BYTES,
  COLD_FILE_READ_BYTES,
  ICE_FILE_READ_BYTES,
  HOT_FILE_READ_COUNT,
  WARM_FILE_READ_COUNT,
  COOL_FILE_READ_COUNT,
  COLD_FILE_READ_COUNT,
  ICE_FILE_READ_COUNT,
  LAST_LEVEL_READ_BYTES,
  LAST_LEVEL_READ_COUNT,
  NON_LAST_LEVEL_READ_BYTES,
  NON_LAST_LEVEL_READ_COUNT,

  // How iterators and seeks used the last level and the rest.
  LAST_LEVEL_SEEK_FILTERED,
  LAST_LEVEL_SEEK_FILTER_MATCH,
  LAST_LEVEL_SEEK_DATA,
  LAST_LEVEL_SEEK_DATA_USEFUL_NO_FILTER,
  LAST_LEVEL_SEEK_DATA_USEFUL_FILTER_MATCH,
  NON_LAST_LEVEL_SEEK_FILTERED,
  NON_LAST_LEVEL_SEEK_FILTER_MATCH,
  NON_LAST_LEVEL_SEEK_DATA,
  NON_LAST_LEVEL_SEEK_DATA_USEFUL_NO_FILTER,
  NON_LAST_LEVEL_SEEK_DATA_USEFUL_FILTER_MATCH,

  // Integrity.
  BLOCK_CHECKSUM_COMPUTE_COUNT,
  BLOCK_CHECKSUM_MISMATCH_COUNT,
  MULTIGET_COROUTINE_COUNT,
  READ_ASYNC_MICROS,
  ASYNC_READ_ERROR_COUNT,
  TABLE_OPEN_PREFETCH_TAIL_MISS,
  TABLE_OPEN_PREFETCH_TAIL_HIT,
  TIMESTAMP_FILTER_TABLE_CHECKED,
  TIMESTAMP_FILTER_TABLE_FILTERED,
  READAHEAD_TRIMMED,
  FIFO_MAX_SIZE_COMPACTIONS,
  FIFO_TTL_COMPACTIONS,
  FIFO_CHANGE_TEMPERATURE_COMPACTIONS,
  PREFETCH_BYTES,
  PREFETCH_BYTES_USEFUL,
  PREFETCH_HITS,
  SST_FOOTER_CORRUPTION_COUNT,
  FILE_READ_CORRUPTION_RETRY_COUNT,
  FILE_READ_CORRUPTION_RETRY_SUCCESS_COUNT,
  NUMBER_WBWI_INGEST,
  SST_USER_DEFINED_INDEX_LOAD_FAIL_COUNT,
  MULTISCAN_PREPARE_CALLS,
  MULTISCAN_PREPARE_ERRORS,
  MULTISCAN_BLOCKS_PREFETCHED,
  MULTISCAN_BLOCKS_FROM_CACHE,
  MULTISCAN_PREFETCH_BYTES,
  MULTISCAN_PREFETCH_BLOCKS_WASTED,
  MULTISCAN_IO_REQUESTS,
  MULTISCAN_IO_COALESCED_NONADJACENT,
  MULTISCAN_SEEK_ERRORS,

  // Names of earlier releases: kept so that programs compile, never counted
  // unless a comment says so.
  BLOCK_CACHE_INDEX_BYTES_EVICT,
  BLOCK_CACHE_FILTER_BYTES_EVICT,
  BLOCK_CACHE_COMPRESSION_DICT_BYTES_EVICT,
  BLOOM_FILTER_MICROS,
  NO_FILE_CLOSES,
  STALL_L0_SLOWDOWN_MICROS,
  STALL_MEMTABLE_COMPACTION_MICROS,
  STALL_L0_NUM_FILES_MICROS,
  RATE_LIMIT_DELAY_MILLIS,
  NO_ITERATORS,
  NUMBER_FILTERED_DELETES,
  BLOCK_CACHE_COMPRESSED_MISS,
  BLOCK_CACHE_COMPRESSED_HIT,
  BLOCK_CACHE_COMPRESSED_ADD,
  BLOCK_CACHE_COMPRESSED_ADD_FAILURES,
  WRITE_TIMEDOUT,
  NUMBER_BLOCK_NOT_COMPRESSED,
  BLOB_DB_GC_NUM_KEYS_OVERWRITTEN,
  BLOB_DB_GC_NUM_KEYS_EXPIRED,
  BLOB_DB_GC_BYTES_OVERWRITTEN,
  BLOB_DB_GC_BYTES_EXPIRED,

  // Ours: decisions of the drain switch to disable compaction (counted).
  COMPACTION_DISABLED_COUNT,
  // Ours: the adaptive tuner (counted). Decisions that changed something;
  AUTOTUNE_DECISIONS,
  // how long writers waited because writes were paced (also in STALL_MICROS);
  AUTOTUNE_PACED_MICROS,
  // compactions that gave their slot away, and went on;
  AUTOTUNE_JOBS_PAUSED,
  AUTOTUNE_JOBS_RESUMED,
  // how long background jobs waited for their turn at the device;
  AUTOTUNE_GATE_WAIT_MICROS,
  // and things that could not be taken as given: LOG says what is assumed.
  AUTOTUNE_ASSUMPTIONS,
  // Ours: bytes of blocks read from table files, by kind. Top levels and
  // partitions count as what they index; a block served by a cache does not.
  DATA_BLOCK_READ_BYTES,
  INDEX_BLOCK_READ_BYTES,
  FILTER_BLOCK_READ_BYTES,
  TICKER_ENUM_MAX
};

// Every ticker with its name, in the order of the enum.
extern const std::vector<std::pair<Tickers, std::string>> TickersNameMap;

// Micros and nanos are times, bytes are bytes, the rest are numbers.
enum Histograms : uint32_t {
  DB_GET = 0,
  DB_WRITE,
  COMPACTION_TIME,
  COMPACTION_CPU_TIME,
  SUBCOMPACTION_SETUP_TIME,
  TABLE_SYNC_MICROS,
  COMPACTION_OUTFILE_SYNC_MICROS,
  WAL_FILE_SYNC_MICROS,
  MANIFEST_FILE_SYNC_MICROS,
  TABLE_OPEN_IO_MICROS,
  DB_MULTIGET,
  READ_BLOCK_COMPACTION_MICROS,
  READ_BLOCK_GET_MICROS,
  WRITE_RAW_BLOCK_MICROS,
  NUM_FILES_IN_SINGLE_COMPACTION,
  DB_SEEK,
  WRITE_STALL,
  SST_READ_MICROS,
  FILE_READ_FLUSH_MICROS,
  FILE_READ_COMPACTION_MICROS,
  FILE_READ_DB_OPEN_MICROS,
  FILE_READ_GET_MICROS,
  FILE_READ_MULTIGET_MICROS,
  FILE_READ_DB_ITERATOR_MICROS,
  FILE_READ_VERIFY_DB_CHECKSUM_MICROS,
  FILE_READ_VERIFY_FILE_CHECKSUMS_MICROS,
  SST_WRITE_MICROS,
  FILE_WRITE_FLUSH_MICROS,
  FILE_WRITE_COMPACTION_MICROS,
  FILE_WRITE_DB_OPEN_MICROS,
  NUM_SUBCOMPACTIONS_SCHEDULED,
  BYTES_PER_READ,
  BYTES_PER_WRITE,
  BYTES_PER_MULTIGET,
  COMPRESSION_TIMES_NANOS,
  DECOMPRESSION_TIMES_NANOS,
  READ_NUM_MERGE_OPERANDS,
  BLOB_DB_KEY_SIZE,
  BLOB_DB_VALUE_SIZE,
  BLOB_DB_WRITE_MICROS,
  BLOB_DB_GET_MICROS,
  BLOB_DB_MULTIGET_MICROS,
  BLOB_DB_SEEK_MICROS,
  BLOB_DB_NEXT_MICROS,
  BLOB_DB_PREV_MICROS,
  BLOB_DB_BLOB_FILE_WRITE_MICROS,
  BLOB_DB_BLOB_FILE_READ_MICROS,
  BLOB_DB_BLOB_FILE_SYNC_MICROS,
  BLOB_DB_COMPRESSION_MICROS,
  BLOB_DB_DECOMPRESSION_MICROS,
  FLUSH_TIME,
  SST_BATCH_SIZE,
  MULTIGET_IO_BATCH_SIZE,
  NUM_INDEX_AND_FILTER_BLOCKS_READ_PER_LEVEL,
  NUM_SST_READ_PER_LEVEL,
  NUM_LEVEL_READ_PER_MULTIGET,
  ERROR_HANDLER_AUTORESUME_RETRY_COUNT,
  ASYNC_READ_BYTES,
  POLL_WAIT_MICROS,
  COMPACTION_PREFETCH_BYTES,
  PREFETCHED_BYTES_DISCARDED,
  ASYNC_PREFETCH_ABORT_MICROS,
  TABLE_OPEN_PREFETCH_TAIL_READ_BYTES,
  NUM_OP_PER_TRANSACTION,
  MULTISCAN_PREPARE_ITERATORS,
  MULTISCAN_PREPARE_MICROS,
  MULTISCAN_BLOCKS_PER_PREPARE,

  // Names of earlier releases, never recorded.
  STALL_L0_SLOWDOWN_COUNT,
  STALL_MEMTABLE_COMPACTION_COUNT,
  STALL_L0_NUM_FILES_COUNT,
  HARD_RATE_LIMIT_DELAY_COUNT,
  SOFT_RATE_LIMIT_DELAY_COUNT,
  BYTES_COMPRESSED,
  BYTES_DECOMPRESSED,
  BLOB_DB_GC_MICROS,
  NUM_DATA_BLOCKS_READ_PER_LEVEL,

  // Ours: the rate that writers are held to, ten times a second while paced,
  AUTOTUNE_PACING_BYTES_PER_SECOND,
  // and how long the tuner took to decide (a timer).
  AUTOTUNE_TICK_MICROS,
  HISTOGRAM_ENUM_MAX
};

// Every histogram with its name, in the order of the enum.
extern const std::vector<std::pair<Histograms, std::string>> HistogramsNameMap;

struct HistogramData {
  double median = 0.0;
  double percentile95 = 0.0;
  double percentile99 = 0.0;
  double average = 0.0;
  double standard_deviation = 0.0;
  double max = 0.0;
  uint64_t count = 0;
  uint64_t sum = 0;
  double min = 0.0;
};

// How much is recorded; each level adds to the one before.
enum StatsLevel : uint8_t {
  kDisableAll,
  kExceptTickers = kDisableAll,
  // Tickers only.
  kExceptHistogramOrTimers,
  // And histograms that need no clock.
  kExceptTimers,
  // And timers, except of compression and of mutex waits. Default.
  kExceptDetailedTimers,
  // And compression.
  kExceptTimeForMutex,
  kAll,
};

class Statistics : public Customizable {
 public:
  ~Statistics() override = default;
  static const char* Type() { return "Statistics"; }
  static Status CreateFromString(const ConfigOptions& opts,
                                 const std::string& value,
                                 std::shared_ptr<Statistics>* result);
  const char* Name() const override { return ""; }

  virtual uint64_t getTickerCount(uint32_t tickerType) const = 0;
  virtual void histogramData(uint32_t type,
                             HistogramData* const data) const = 0;
  virtual std::string getHistogramString(uint32_t /*type*/) const { return ""; }
  virtual void recordTick(uint32_t tickerType, uint64_t count = 1) = 0;
  virtual void setTickerCount(uint32_t tickerType, uint64_t count) = 0;
  virtual uint64_t getAndResetTickerCount(uint32_t tickerType) = 0;

  // Records only if the level includes timers.
  virtual void reportTimeToHistogram(uint32_t histogramType, uint64_t time) {
    if (get_stats_level() <= StatsLevel::kExceptTimers) return;
    recordInHistogram(histogramType, time);
  }
  // The older name, which programs that subclass may override instead.
  virtual void measureTime(uint32_t /*histogramType*/, uint64_t /*time*/) {}
  virtual void recordInHistogram(uint32_t histogramType, uint64_t value) {
    measureTime(histogramType, value);
  }

  // All to zero.
  virtual Status Reset() { return Status::NotSupported("Not implemented"); }

  // Every ticker and histogram, one a line.
  virtual std::string ToString() const { return "ToString(): not implemented"; }
  virtual bool getTickerMap(std::map<std::string, uint64_t>*) const {
    return false;
  }
  virtual bool HistEnabledForType(uint32_t type) const {
    return type < HISTOGRAM_ENUM_MAX;
  }

  void set_stats_level(StatsLevel sl) {
    stats_level_.store(sl, std::memory_order_relaxed);
  }
  StatsLevel get_stats_level() const {
    return stats_level_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<StatsLevel> stats_level_{kExceptDetailedTimers};
};

std::shared_ptr<Statistics> CreateDBStatistics();

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
