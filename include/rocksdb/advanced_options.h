// Column family options that few programs need to set.
//
// Place. Base of ColumnFamilyOptions (options.h). "Mutable" below means that
// DB::SetOptions() changes the option of an open database; the table in
// docs/options.md says for each one whether it is honoured or only accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/types.h"
#include "rocksdb/universal_compaction.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class BlobFilePartitionStrategy;
class Slice;
class SliceTransform;
class TableFactory;
class TablePropertiesCollectorFactory;
struct Options;

enum CompactionStyle : char {
  kCompactionStyleLevel = 0x0,
  kCompactionStyleUniversal = 0x1,
  // Files are dropped when they are old or when their total size is too large.
  kCompactionStyleFIFO = 0x2,
  // No automatic compaction; the program calls CompactFiles().
  kCompactionStyleNone = 0x3,
};

// Which file of a level is compacted first.
enum CompactionPri : char {
  // The largest; deletions count extra.
  kByCompensatedSize = 0x0,
  // The file whose newest entry is oldest: for skewed updates.
  kOldestLargestSeqFirst = 0x1,
  // The file whose oldest entry is oldest: for uniform updates.
  kOldestSmallestSeqFirst = 0x2,
  // The smallest overlap with the next level in relation to its size. Default.
  kMinOverlappingRatio = 0x3,
  // Each in turn, by key.
  kRoundRobin = 0x4,
};

// How auto_tuned_compaction decides.
enum class CompactionTuning : uint8_t {
  // Compaction is switched off while flushes drain the rate limiter, and on
  // again when they do not. Needs a rate limiter with auto_tuned. Does not
  // bound the files in level 0 or debt.
  kDrainSwitch = 0,
  // The measured load decides which work runs first, which waits and, only near
  // a limit, how fast clients may write. Needs no rate limiter; if one is set
  // it stays an upper bound. Default.
  kAdaptive = 1,
  // Decides like kAdaptive and logs the decisions, but changes nothing.
  kAdvise = 2,
};

// A file older than `age` seconds gets `temperature`.
struct FileTemperatureAge {
  Temperature temperature = Temperature::kUnknown;
  uint64_t age = 0;
};

struct CompactionOptionsFIFO {
  // Oldest table files are dropped above this many bytes. Default 1 GiB.
  uint64_t max_table_files_size = uint64_t{1} << 30;

  // Join small files of level 0 as well. Default false.
  bool allow_compaction = false;

  // Older form of file_temperature_age_thresholds, for kWarm only. Default 0.
  uint64_t age_for_warm = 0;

  // Ascending by age. Default: empty.
  std::vector<FileTemperatureAge> file_temperature_age_thresholds;

  // Change the temperature by copying bytes instead of compacting, with a
  // buffer of that many bytes. Defaults false, 4096.
  bool allow_trivial_copy_when_change_temperature = false;
  uint64_t trivial_copy_buffer_size = 4096;

  // Limit over table and blob files together; 0 (default): not used.
  uint64_t max_data_files_size = 0;

  // Size joins of level 0 by the ratio of keys to values. Default false.
  bool use_kv_ratio_compaction = false;

  CompactionOptionsFIFO() = default;
  CompactionOptionsFIFO(uint64_t _max_table_files_size, bool _allow_compaction)
      : max_table_files_size(_max_table_files_size),
        allow_compaction(_allow_compaction) {}
};

// The lowest tier of caches in which blocks may be kept.
enum class CacheTier : uint8_t {
  kVolatileTier = 0,
  kVolatileCompressedTier = 0x01,
  kNonVolatileBlockTier = 0x02,
};

// What an inplace_callback did.
enum UpdateStatus {
  UPDATE_FAILED = 0,    // nothing to do
  UPDATED_INPLACE = 1,  // the existing value was changed where it is
  UPDATED = 2,          // *merged_value is the new value
};

enum class PrepopulateBlobCache : uint8_t {
  kDisable = 0x0,
  kFlushOnly = 0x1,
};

// Bits of verify_output_flags.
enum class VerifyOutputFlags : uint32_t {
  kVerifyNone = 0x0,
  kVerifyBlockChecksum = 0x1,
  kVerifyIteration = 0x2,
  kEnableForLocalCompaction = 0x4,
  kEnableForRemoteCompaction = 0x8,
  kVerifyAll = 0xFFFFFFFF,
};

struct AdvancedColumnFamilyOptions {
  // -- Memtables.

  // Memtables in memory, the active one included; writes stop when all are
  // full. Default 2. Mutable.
  int max_write_buffer_number = 2;

  // Full memtables joined into one flush. Default 1; clamped to
  // max_write_buffer_number - 1 (and at least 1).
  int min_write_buffer_number_to_merge = 1;

  // Flushed memtables are kept, so that transactions can check for conflicts,
  // until the family's other memtables have this many bytes; -1:
  // max_write_buffer_number * write_buffer_size. Default 0: they are freed at
  // once.
  int64_t max_write_buffer_size_to_maintain = 0;

  // Overwrite a value in the active memtable when the new one is not longer.
  // Snapshots then see new values. Default false.
  bool inplace_update_support = false;

  // Number of striped locks for in-place updates. Default 10000. Mutable.
  size_t inplace_update_num_locks = 10000;

  // With inplace_update_support: applies `delta_value` to an existing value.
  UpdateStatus (*inplace_callback)(char* existing_value,
                                   uint32_t* existing_value_size,
                                   Slice delta_value,
                                   std::string* merged_value) = nullptr;

  // When a memtable is full and what survives of its entries (those that are
  // not overwritten, or that a snapshot needs) is at most this share of
  // write_buffer_size, the survivors stay in memory, in a memtable of their own
  // that is merged with the next one. It counts besides
  // max_write_buffer_number. The log stays until a flush, which comes at the
  // latest when the logs pass max_total_wal_size. Larger than 1 is the same
  // as 1. No effect with atomic_flush, inplace_update_support, or range
  // deletions in the memtable. Default 0: never. Mutable.
  double experimental_mempurge_threshold = 0.0;

  // Size of the memtable's prefix Bloom filter as a share of
  // write_buffer_size; at most 0.25. Default 0: none. Mutable.
  double memtable_prefix_bloom_size_ratio = 0.0;

  // Put whole keys into that filter as well. Default false. Mutable.
  bool memtable_whole_key_filtering = false;

  // Huge page size for the filter's memory in bytes. Default 0: no huge pages.
  size_t memtable_huge_page_size = 0;

  // Keys with the same prefix are expected to be inserted in order, next to
  // each other. Default: none.
  std::shared_ptr<const SliceTransform>
      memtable_insert_with_hint_prefix_extractor = nullptr;

  // Number of cache lines to which a Bloom probe of the memtable is confined.
  // Default 0.
  uint32_t bloom_locality = 0;

  // Bytes the memtable takes from the allocator at once. Default 0: an
  // eighth of write_buffer_size, at most 1 MiB. Mutable.
  size_t arena_block_size = 0;

  // If the memtable already holds this many successive operands of a key, merge
  // the next one on insertion. Default 0: never. Mutable.
  size_t max_successive_merges = 0;

  // Do that even if it needs reads from disk. Default false. Mutable.
  bool strict_max_successive_merges = false;

  // Bytes of checksum with each memtable entry: 0 (default), 1, 2, 4, 8.
  uint32_t memtable_protection_bytes_per_key = 0;

  // Check order and checksum while searching memtables. Defaults false.
  bool paranoid_memory_checks = false;
  bool memtable_verify_per_key_checksum_on_seek = false;

  // Flush the active memtable before the next write if one Seek or Next of an
  // iterator has skipped this many of its entries because they were deleted,
  // overwritten or too new. Steps backward do not count. Default 0: never.
  // Mutable; existing iterators keep the old value.
  uint32_t memtable_op_scan_flush_trigger = 0;
  // The same if the steps since a Seek have skipped this many on average and at
  // least memtable_op_scan_flush_trigger in total. Default 0: never; needs the
  // other trigger. Mutable.
  uint32_t memtable_avg_op_scan_flush_trigger = 0;

  // A flush replaces this many adjacent point deletions by one range deletion.
  // Default 0: never. Mutable.
  uint32_t min_tombstones_for_range_conversion = 0;

  // Search a memtable for a batch of keys at once. MultiGet does so whatever it
  // says. Default false.
  bool memtable_batch_lookup_optimization = false;

  // Refuse writes to this column family. Default false.
  bool disallow_memtable_writes = false;

  // The memtable's data structure. Default: a skiplist.
  std::shared_ptr<MemTableRepFactory> memtable_factory =
      std::make_shared<SkipListFactory>();

  // -- Levels.

  // Method per level, element 0 for level 0, the last one for deeper levels;
  // with dynamic level sizes element i belongs to base level + i - 1.
  // Default empty: `compression` everywhere. Mutable.
  std::vector<CompressionType> compression_per_level;

  // Number of levels. Default 7.
  int num_levels = 7;

  // Files in level 0 at which writes are delayed, and stopped. Defaults 20
  // and 36; raised to keep trigger <= slowdown <= stop. Mutable.
  int level0_slowdown_writes_trigger = 20;
  int level0_stop_writes_trigger = 36;

  // Bytes of a table file at level 1, and the factor for each level below.
  // Defaults 64 MiB, 1. Mutable.
  uint64_t target_file_size_base = 64 * 1048576;
  int target_file_size_multiplier = 1;

  // Treat the file size as a limit rather than a target. Default false.
  // Mutable.
  bool target_file_size_is_upper_bound = false;

  // Derive level sizes from the last level upwards, so that space stays
  // about 1.1 times the data. Default true.
  bool level_compaction_dynamic_level_bytes = true;

  // Size ratio of adjacent levels. Default 10. Mutable.
  double max_bytes_for_level_multiplier = 10;

  // Extra factors per level (static level sizes only). Default all 1.
  // Mutable.
  std::vector<int> max_bytes_for_level_multiplier_additional =
      std::vector<int>(7, 1);

  // Bytes one compaction may read. Default 0: 25 * target_file_size_base.
  // Mutable.
  uint64_t max_compaction_bytes = 0;

  // Estimated bytes of pending compaction at which writes are delayed, and
  // stopped; 0: never. Defaults 64 GiB, 256 GiB. Mutable.
  uint64_t soft_pending_compaction_bytes_limit = 64 * 1073741824ull;
  uint64_t hard_pending_compaction_bytes_limit = 256 * 1073741824ull;

  // Default kCompactionStyleLevel.
  CompactionStyle compaction_style = kCompactionStyleLevel;

  // Default kMinOverlappingRatio.
  CompactionPri compaction_pri = kMinOverlappingRatio;

  // Parameters of the other styles. Mutable.
  CompactionOptionsUniversal compaction_options_universal;
  CompactionOptionsFIFO compaction_options_fifo;

  // Compaction follows the load instead of static triggers: it gives way when
  // clients need the device. Default false. Mutable. Ours; in OPTIONS files it
  // is a comment, which RocksDB skips.
  bool auto_tuned_compaction = false;

  // The law for auto_tuned_compaction. Default kAdaptive. Mutable. Ours.
  CompactionTuning compaction_tuning = CompactionTuning::kAdaptive;

  // Seconds after which files are compacted down (universal, level) or
  // dropped (FIFO), and after which every file is rewritten at least once.
  // Defaults: unset, which means 30 days where the style supports it, and
  // off for periodic compaction without a filter. 0: off. Mutable.
  uint64_t ttl = 0xfffffffffffffffe;
  uint64_t periodic_compaction_seconds = 0xfffffffffffffffe;

  // When a snapshot is released, files at the bottom that kept old versions or
  // deletions for it are rewritten, once they are older than this many
  // seconds. Default 0. Mutable.
  uint32_t bottommost_file_compaction_delay = 0;

  // Reads per byte at which a file is compacted. Default 0: never. Mutable.
  double read_triggered_compaction_threshold = 0.0;

  // -- Reading.

  // Entries an iterator skips by stepping before it seeks. Default 8.
  // Mutable.
  uint64_t max_sequential_skip_in_iterations = 8;

  // No filters in the last level, for programs whose Get() mostly finds its
  // key. Default false.
  bool optimize_filters_for_hits = false;

  // -- Checks and reports.

  // Collectors of user properties for every table.
  using TablePropertiesCollectorFactories =
      std::vector<std::shared_ptr<TablePropertiesCollectorFactory>>;
  TablePropertiesCollectorFactories table_properties_collector_factories;

  // Read every new file again before it is used. Default false. Mutable.
  bool paranoid_file_checks = false;

  // What to verify of new files; bits of VerifyOutputFlags. Default none.
  // Mutable.
  VerifyOutputFlags verify_output_flags = VerifyOutputFlags::kVerifyNone;

  // Check the order of files and sequences on every version change. Default
  // true.
  bool force_consistency_checks = true;

  // Measure the file operations of jobs. Default false. Mutable.
  bool report_bg_io_stats = false;

  // Compress one block in this many by other methods to estimate what they
  // would save. Default 0: none. Mutable.
  uint64_t sample_for_compression = 0;

  // Bytes of checksum per key kept with data blocks in memory and compared
  // whenever an entry is read: 0 (default), 1, 2, 4, 8. Detects corrupted
  // memory. Mutable, for files that are opened afterwards.
  uint8_t block_protection_bytes_per_key = 0;

  // -- Temperatures.

  // Temperature of the last level, of files to which no other rule applies, and
  // of files for which the MANIFEST has none. Defaults kUnknown.
  Temperature last_level_temperature = Temperature::kUnknown;
  Temperature default_write_temperature = Temperature::kUnknown;
  Temperature default_temperature = Temperature::kUnknown;

  // Seconds for which new data stays out of the last level, and for which write
  // times are remembered. Defaults 0.
  uint64_t preclude_last_level_data_seconds = 0;
  uint64_t preserve_internal_time_seconds = 0;

  // -- Blobs: large values in files of their own.

  // Default false. Mutable.
  bool enable_blob_files = false;

  // Smallest value in bytes that goes to a blob file. Default 0. Mutable.
  uint64_t min_blob_size = 0;

  // Bytes after which a blob file is closed. Default 256 MiB. Mutable.
  uint64_t blob_file_size = 1ULL << 28;

  // Compression of blobs. Default none. Mutable.
  CompressionType blob_compression_type = kNoCompression;
  CompressionOptions blob_compression_opts;

  // Move live blobs out of old files during compaction. Old files are the
  // oldest `age_cutoff` share; if their share of garbage exceeds
  // `force_threshold`, compactions are forced. Defaults false, 0.25, 1.0.
  // Mutable.
  bool enable_blob_garbage_collection = false;
  double blob_garbage_collection_age_cutoff = 0.25;
  double blob_garbage_collection_force_threshold = 1.0;

  // Readahead on blob files in compactions. Default 0: none. Mutable.
  uint64_t blob_compaction_readahead_size = 0;

  // First level whose files may refer to blobs. Default 0. Mutable.
  int blob_file_starting_level = 0;

  // Cache for blobs; null: none. And whether flush fills it. Mutable.
  std::shared_ptr<Cache> blob_cache = nullptr;
  PrepopulateBlobCache prepopulate_blob_cache = PrepopulateBlobCache::kDisable;

  // Write blobs to their file during Put(), spread over this many files.
  // Defaults false, 1.
  bool enable_blob_direct_write = false;
  uint32_t blob_direct_write_partitions = 1;
  std::shared_ptr<BlobFilePartitionStrategy>
      blob_direct_write_partition_strategy = nullptr;

  // -- The rest.

  // Keep user timestamps in table files. Default true.
  bool persist_user_defined_timestamps = true;

  // Allow files to be ingested behind existing data. Default false.
  bool cf_allow_ingest_behind = false;

  // -- Options of earlier releases: kept so that programs compile, ignored,
  // and named once in the LOG when set.

  int max_write_buffer_number_to_maintain = 0;
  bool level_compaction_dynamic_file_size = true;
  bool ignore_max_compaction_bytes_for_input = true;
  bool check_flush_compaction_key_order = true;
  Temperature bottommost_temperature = Temperature::kUnknown;
  double soft_rate_limit = 0.0;
  double hard_rate_limit = 0.0;
  unsigned int rate_limit_delay_max_milliseconds = 100;
  bool purge_redundant_kvs_while_flush = true;
  int max_mem_compaction_level = 0;
  uint32_t min_partial_merge_operands = 2;
  bool verify_checksums_in_compaction = true;
  bool filter_deletes = false;
  uint32_t memtable_prefix_bloom_bits = 0;
  uint32_t memtable_prefix_bloom_probes = 6;
  int source_compaction_factor = 1;
  int expanded_compaction_factor = 25;
  int max_grandparent_overlap_factor = 10;
  bool memtable_veirfy_per_key_checksum_on_seek = false;

  AdvancedColumnFamilyOptions();
  explicit AdvancedColumnFamilyOptions(const Options& options);
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
