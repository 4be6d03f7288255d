#include "db/properties/property_names.h"

#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE {

using P = DB::Properties;

const std::string P::kNumFilesAtLevelPrefix = "rocksdb.num-files-at-level";
const std::string P::kCompressionRatioAtLevelPrefix =
    "rocksdb.compression-ratio-at-level";
const std::string P::kStats = "rocksdb.stats";
const std::string P::kSSTables = "rocksdb.sstables";
const std::string P::kCFStats = "rocksdb.cfstats";
const std::string P::kCFStatsNoFileHistogram =
    "rocksdb.cfstats-no-file-histogram";
const std::string P::kCFFileHistogram = "rocksdb.cf-file-histogram";
const std::string P::kCFWriteStallStats = "rocksdb.cf-write-stall-stats";
const std::string P::kDBWriteStallStats = "rocksdb.db-write-stall-stats";
const std::string P::kDBStats = "rocksdb.dbstats";
const std::string P::kLevelStats = "rocksdb.levelstats";
const std::string P::kBlockCacheEntryStats = "rocksdb.block-cache-entry-stats";
const std::string P::kFastBlockCacheEntryStats =
    "rocksdb.fast-block-cache-entry-stats";
const std::string P::kNumImmutableMemTable = "rocksdb.num-immutable-mem-table";
const std::string P::kNumImmutableMemTableFlushed =
    "rocksdb.num-immutable-mem-table-flushed";
const std::string P::kMemTableFlushPending = "rocksdb.mem-table-flush-pending";
const std::string P::kNumRunningFlushes = "rocksdb.num-running-flushes";
const std::string P::kCompactionPending = "rocksdb.compaction-pending";
const std::string P::kNumRunningCompactions = "rocksdb.num-running-compactions";
const std::string P::kNumRunningCompactionSortedRuns =
    "rocksdb.num-running-compaction-sorted-runs";
const std::string P::kNumUnscheduledCompactions =
    "rocksdb.num-unscheduled-compactions";
const std::string P::kCompactionAbortCount = "rocksdb.compaction-abort-count";
const std::string P::kBackgroundErrors = "rocksdb.background-errors";
const std::string P::kCurSizeActiveMemTable =
    "rocksdb.cur-size-active-mem-table";
const std::string P::kCurSizeAllMemTables = "rocksdb.cur-size-all-mem-tables";
const std::string P::kSizeAllMemTables = "rocksdb.size-all-mem-tables";
const std::string P::kNumEntriesActiveMemTable =
    "rocksdb.num-entries-active-mem-table";
const std::string P::kNumEntriesImmMemTables =
    "rocksdb.num-entries-imm-mem-tables";
const std::string P::kNumDeletesActiveMemTable =
    "rocksdb.num-deletes-active-mem-table";
const std::string P::kNumDeletesImmMemTables =
    "rocksdb.num-deletes-imm-mem-tables";
const std::string P::kEstimateNumKeys = "rocksdb.estimate-num-keys";
const std::string P::kEstimateTableReadersMem =
    "rocksdb.estimate-table-readers-mem";
const std::string P::kIsFileDeletionsEnabled =
    "rocksdb.is-file-deletions-enabled";
const std::string P::kNumSnapshots = "rocksdb.num-snapshots";
const std::string P::kOldestSnapshotTime = "rocksdb.oldest-snapshot-time";
const std::string P::kOldestSnapshotSequence =
    "rocksdb.oldest-snapshot-sequence";
const std::string P::kNumLiveVersions = "rocksdb.num-live-versions";
const std::string P::kCurrentSuperVersionNumber =
    "rocksdb.current-super-version-number";
const std::string P::kEstimateLiveDataSize = "rocksdb.estimate-live-data-size";
const std::string P::kMinLogNumberToKeep = "rocksdb.min-log-number-to-keep";
const std::string P::kMinObsoleteSstNumberToKeep =
    "rocksdb.min-obsolete-sst-number-to-keep";
const std::string P::kTotalSstFilesSize = "rocksdb.total-sst-files-size";
const std::string P::kLiveSstFilesSize = "rocksdb.live-sst-files-size";
const std::string P::kObsoleteSstFilesSize = "rocksdb.obsolete-sst-files-size";
const std::string P::kLiveSstFilesSizeAtTemperature =
    "rocksdb.live-sst-files-size-at-temperature";
const std::string P::kBaseLevel = "rocksdb.base-level";
const std::string P::kEstimatePendingCompactionBytes =
    "rocksdb.estimate-pending-compaction-bytes";
const std::string P::kAggregatedTableProperties =
    "rocksdb.aggregated-table-properties";
const std::string P::kAggregatedTablePropertiesAtLevel =
    "rocksdb.aggregated-table-properties-at-level";
const std::string P::kActualDelayedWriteRate =
    "rocksdb.actual-delayed-write-rate";
const std::string P::kIsWriteStopped = "rocksdb.is-write-stopped";
const std::string P::kEstimateOldestKeyTime =
    "rocksdb.estimate-oldest-key-time";
const std::string P::kBlockCacheCapacity = "rocksdb.block-cache-capacity";
const std::string P::kBlockCacheUsage = "rocksdb.block-cache-usage";
const std::string P::kBlockCachePinnedUsage =
    "rocksdb.block-cache-pinned-usage";
const std::string P::kOptionsStatistics = "rocksdb.options-statistics";
const std::string P::kNumBlobFiles = "rocksdb.num-blob-files";
const std::string P::kBlobStats = "rocksdb.blob-stats";
const std::string P::kTotalBlobFileSize = "rocksdb.total-blob-file-size";
const std::string P::kLiveBlobFileSize = "rocksdb.live-blob-file-size";
const std::string P::kLiveBlobFileGarbageSize =
    "rocksdb.live-blob-file-garbage-size";
const std::string P::kBlobCacheCapacity = "rocksdb.blob-cache-capacity";
const std::string P::kBlobCacheUsage = "rocksdb.blob-cache-usage";
const std::string P::kBlobCachePinnedUsage = "rocksdb.blob-cache-pinned-usage";
const std::string P::kMemoryByRole = "rocksdb.memory-by-role";

namespace engine {

std::pair<Slice, Slice> SplitPropertyName(const Slice& property) {
  size_t size = property.size();
  while (size > 0 && property[size - 1] >= '0' && property[size - 1] <= '9') {
    --size;
  }
  return {Slice(property.data(), size),
          Slice(property.data() + size, property.size() - size)};
}

}  // namespace engine

}  // namespace ROCKSDB_NAMESPACE
