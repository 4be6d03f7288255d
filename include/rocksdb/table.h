// Table formats and their options.
//
// Place. ColumnFamilyOptions::table_factory. This library reads and writes the
// block-based format. Factories of other formats can be made and named in
// options, but opening a database with one fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "rocksdb/cache.h"
#include "rocksdb/customizable.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class FilterPolicy;
class FlushBlockPolicyFactory;
class PersistentCache;
class UserDefinedIndexFactory;
struct ConfigOptions;

// Stored in every table's footer: the numbers are part of the format.
enum ChecksumType : char {
  kNoChecksum = 0x0,
  kCRC32c = 0x1,
  kxxHash = 0x2,
  kxxHash64 = 0x3,
  kXXH3 = 0x4,
};

// Which metadata blocks stay in the cache while their table is open.
enum class PinningTier {
  // As the older pin_* options say.
  kFallback,
  kNone,
  // Of files from flush, and of similar size.
  kFlushedAndSimilar,
  kAll,
};

struct MetadataCacheOptions {
  PinningTier top_level_index_pinning = PinningTier::kFallback;
  PinningTier partition_pinning = PinningTier::kFallback;
  PinningTier unpartitioned_pinning = PinningTier::kFallback;
};

struct CacheEntryRoleOptions {
  enum class Decision { kEnabled, kDisabled, kFallback };
  Decision charged = Decision::kFallback;
  bool operator==(const CacheEntryRoleOptions& other) const {
    return charged == other.charged;
  }
};

// Which other memory is charged to the block cache.
struct CacheUsageOptions {
  CacheEntryRoleOptions options;
  std::map<CacheEntryRole, CacheEntryRoleOptions> options_overrides;
};

struct BlockBasedTableOptions {
  static const char* kName() { return "BlockTableOptions"; }

  // -- Caching.

  // Cache for blocks. Default: a cache of 32 MiB that is made with the factory
  // and shared by all its users.
  std::shared_ptr<Cache> block_cache = nullptr;

  // No block cache at all. Default false.
  bool no_block_cache = false;

  // Keep index and filters in the block cache instead of with the table.
  // Default false.
  bool cache_index_and_filter_blocks = false;

  // With high priority. Default true.
  bool cache_index_and_filter_blocks_with_high_priority = true;

  // Keep them pinned for tables of level 0; keep the top level of
  // partitioned ones pinned. Defaults false, true.
  bool pin_l0_filter_and_index_blocks_in_cache = false;
  bool pin_top_level_index_and_filter = true;

  // The same in more detail.
  MetadataCacheOptions metadata_cache_options;

  // Put new blocks into the cache at flush. Default kDisable. Mutable.
  enum class PrepopulateBlockCache : char {
    kDisable,
    kFlushOnly,
    kFlushAndCompaction,
  };
  PrepopulateBlockCache prepopulate_block_cache =
      PrepopulateBlockCache::kDisable;

  CacheUsageOptions cache_usage_options;

  // A cache on a device. Default: none.
  std::shared_ptr<PersistentCache> persistent_cache = nullptr;

  // -- Index.

  // Stored in the table's properties: the numbers are part of the format.
  enum IndexType : char {
    // One block with binary search. Default.
    kBinarySearch = 0x00,
    // With a table of prefixes, for readers that hash them. Needs
    // prefix_extractor.
    kHashSearch = 0x01,
    // Two levels: a small top level points to partitions of
    // metadata_block_size, which are loaded one by one.
    kTwoLevelIndexSearch = 0x02,
    // With the first key of every block: fewer blocks read by short scans.
    kBinarySearchWithFirstKey = 0x03,
  };
  IndexType index_type = kBinarySearch;

  // Keys of an index block between restart points. Default 1. Mutable.
  int index_block_restart_interval = 1;

  // How index blocks are searched. Default kBinary. Mutable.
  enum BlockSearchType : char {
    kBinary = 0x00,
    kInterpolation = 0x01,
    kAuto = 0x02,
  };
  BlockSearchType index_block_search_type = kBinary;

  // Interpolation search is used if the variation of key distances is below
  // this; negative (default): not measured. Mutable.
  double uniform_cv_threshold = -1;

  // How short index keys may be made. Default kShortenSeparators. Mutable.
  enum class IndexShorteningMode : char {
    kNoShortening,
    kShortenSeparators,
    kShortenSeparatorsAndSuccessor,
  };
  IndexShorteningMode index_shortening =
      IndexShorteningMode::kShortenSeparators;

  // Compress index (and other metadata) blocks. Default true. Mutable.
  bool enable_index_compression = true;

  // Target size of index and filter partitions, uncompressed bytes. A
  // partition is ended before it exceeds this. Default 4096. Mutable.
  uint64_t metadata_block_size = 4096;

  // Tables of levels below this number keep one index block and one filter
  // block even with kTwoLevelIndexSearch: level 0 and 1 are small and read so
  // often that their partitions would all be in memory anyway. 2 leaves these
  // two out. Tables written without a level (SstFileWriter) are partitioned.
  // Default 0: every level is partitioned. Mutable. Not in RocksDB.
  int partition_from_level = 0;

  // A custom index. Default: none.
  std::shared_ptr<UserDefinedIndexFactory> user_defined_index_factory = nullptr;
  bool fail_if_no_udi_on_open = false;
  bool use_udi_as_primary_index = false;

  // -- Data blocks.

  // Uncompressed bytes of a data block. Default 4096. Mutable.
  uint64_t block_size = 4 * 1024;

  // A block is closed early when it is less than this many percent short of
  // block_size and the next entry would exceed it. Default 10. Mutable.
  int block_size_deviation = 10;

  // Keys between restart points. Default 16. Mutable.
  int block_restart_interval = 16;

  // A hash table inside every data block, for Get(). Default: none. Mutable.
  enum DataBlockIndexType : char {
    kDataBlockBinarySearch = 0,
    kDataBlockBinaryAndHash = 1,
  };
  DataBlockIndexType data_block_index_type = kDataBlockBinarySearch;

  // Entries per bucket of that table. Default 0.75. Mutable.
  double data_block_hash_table_util_ratio = 0.75;

  // Store keys as differences. Default true. Mutable.
  bool use_delta_encoding = true;

  // Pad blocks so that none crosses a page of 4096 bytes (or block_size, if
  // larger). Without compression only. Default false. Mutable.
  bool block_align = false;

  // Pad so that no block crosses this boundary, as long as that costs at
  // most a share of 1/ratio. Defaults 0 (off), 128. Mutable.
  size_t super_block_alignment_size = 0;
  size_t super_block_alignment_space_overhead_ratio = 128;

  // Keys and values in separate parts of a block. Default false. Mutable.
  bool separate_key_value_in_data_block = false;

  // Where a block ends: see flush_block_policy.h. Default: by size; with a
  // policy of the program's own block_size has no effect.
  std::shared_ptr<FlushBlockPolicyFactory> flush_block_policy_factory;

  // -- Filters.

  // Default: none.
  std::shared_ptr<const FilterPolicy> filter_policy = nullptr;

  // Put whole keys into the filter, not only prefixes. Default true.
  bool whole_key_filtering = true;

  // Filters in partitions of metadata_block_size. Ignored without
  // kTwoLevelIndexSearch. Default false.
  bool partition_filters = false;

  // Cut filter partitions by their size alone, which makes them equally large;
  // otherwise only where an index partition begins, as RocksDB before 8 does.
  // Every release reads both. Default true. Mutable.
  bool decouple_partitioned_filters = true;

  // Choose filter sizes for which the allocator wastes little memory. Default
  // true. Mutable.
  bool optimize_filters_for_memory = true;

  // Check every filter once it is made. Default false. Mutable.
  bool detect_filter_construct_corruption = false;

  // -- Integrity and format.

  // Checksum of every block. Default kXXH3. Mutable.
  ChecksumType checksum = kXXH3;

  // Decompress every compressed block and compare. Default false. Mutable.
  bool verify_compression = false;

  // Measure which bytes of a block are actually used, with one bit per this
  // many bytes; 0 (default): off.
  uint32_t read_amp_bytes_per_bit = 0;

  // The format written, 2 to 7; newer ones need newer readers. Default 5,
  // which every RocksDB since 6.6 reads (RocksDB 11 itself writes 7).
  // Mutable.
  uint32_t format_version = 5;

  // -- Readahead of iterators.

  // Readahead starts after the third number of adjacent reads of a file and
  // doubles from the first to the second number of bytes. Defaults 8 KiB, 256
  // KiB, 2. Mutable.
  size_t initial_auto_readahead_size = 8 * 1024;
  size_t max_auto_readahead_size = 256 * 1024;
  uint64_t num_file_reads_for_auto_readahead = 2;

  // -- Options of earlier releases: kept so that programs compile, ignored,
  // and named once in the LOG when set.

  std::shared_ptr<Cache> block_cache_compressed = nullptr;
  bool hash_index_allow_collision = true;
  bool skip_table_builder_flush = false;
  bool reserve_table_builder_memory = false;
};

// Names of properties every block-based table has.
struct BlockBasedTablePropertyNames {
  static const std::string kIndexType;
  static const std::string kWholeKeyFiltering;
  static const std::string kPrefixFiltering;
};

class TableFactory : public Customizable {
 public:
  ~TableFactory() override = default;

  static const char* Type() { return "TableFactory"; }
  static const char* kBlockCacheOpts() { return "BlockCache"; }
  static const char* kBlockBasedTableName() { return "BlockBasedTable"; }
  static const char* kPlainTableName() { return "PlainTable"; }
  static const char* kCuckooTableName() { return "CuckooTable"; }

  // A name, or "{id=BlockBasedTable;option=value;...}".
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::shared_ptr<TableFactory>* factory);

  // "BlockBasedTable", ... ; the options through GetOptions<T>().
  const char* Name() const override = 0;
};

TableFactory* NewBlockBasedTableFactory(
    const BlockBasedTableOptions& table_options = BlockBasedTableOptions());

enum EncodingType : char {
  kPlain,
  kPrefix,
};

const uint32_t kPlainTableVariableLength = 0;

// Keys in memory order, for tables mapped into memory. Refused at open.
struct PlainTableOptions {
  static const char* kName() { return "PlainTableOptions"; }
  uint32_t user_key_len = kPlainTableVariableLength;
  int bloom_bits_per_key = 10;
  double hash_table_ratio = 0.75;
  size_t index_sparseness = 16;
  size_t huge_page_tlb_size = 0;
  EncodingType encoding_type = kPlain;
  bool full_scan_mode = false;
  bool store_index_in_file = false;
};

TableFactory* NewPlainTableFactory(
    const PlainTableOptions& options = PlainTableOptions());

// A cuckoo hash table, for Get() only. Refused at open.
struct CuckooTableOptions {
  static const char* kName() { return "CuckooTableOptions"; }
  double hash_table_ratio = 0.9;
  uint32_t max_search_depth = 100;
  uint32_t cuckoo_block_size = 5;
  bool identity_as_first_hash = false;
  bool use_module_hash = true;
};

TableFactory* NewCuckooTableFactory(
    const CuckooTableOptions& table_options = CuckooTableOptions());

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
