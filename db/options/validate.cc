#include "db/options/validate.h"

#include <bit>

#include "db/options/objects.h"
#include "db/options/table_factories.h"
#include "rocksdb/compaction_filter.h"
#include "table/cache_usage.h"
#include "util/block_checksum.h"
#include "util/compression/compression.h"
#include "util/options_text/codec.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Two bits of the MANIFEST hold a path's number.
constexpr size_t kPathsMax = 4;

constexpr uint32_t kFormatVersionMin = 2;
constexpr uint32_t kFormatVersionMax = 7;

constexpr uint64_t kBlockSizeEnd = uint64_t{1} << 32;
// Padding to super blocks may take at most a share of 1/4.
constexpr size_t kSuperBlockRatioMin = 4;

// Ignoring these values would lose data, keep it against the program's wish
// or write something else than it asked for.
Status CheckRefused(FieldTable fields, const void* options) {
  for (const OptionField& field : fields) {
    if (!IsRefused(field, options)) continue;
    const bool object = std::string_view(field.refused) == kAnyObject;
    return Status::NotSupported(
        std::string("Options.") + field.name,
        object ? kAnyObject : PrintField(field, TextMode(), options));
  }
  return Status::OK();
}

std::string CompressionName(CompressionType type) {
  std::string name;
  TextCodec<CompressionType>::Print(TextMode(), type, &name);
  return name;
}

Status CheckCompression(CompressionType type) {
  if (type == kDisableCompressionOption) return Status::OK();
  if (type == kZSTDNotFinalCompression || !CompressionTypeSupported(type)) {
    return Status::InvalidArgument(
        "Compression type " +
        std::string(EnumNames<CompressionType>::LogName(type)) +
        " is not linked with the binary.");
  }
  return Status::OK();
}

Status CheckCompressions(const ColumnFamilyOptions& options) {
  if (options.compression == kDisableCompressionOption) {
    return Status::InvalidArgument("compression", "must name a method");
  }
  RETURN_IF_ERROR(CheckCompression(options.compression));
  RETURN_IF_ERROR(CheckCompression(options.bottommost_compression));
  for (const CompressionType type : options.compression_per_level) {
    RETURN_IF_ERROR(CheckCompression(type));
  }
  if (options.blob_compression_type == kDisableCompressionOption) {
    return Status::InvalidArgument("blob_compression_type",
                                   "must name a method");
  }
  RETURN_IF_ERROR(CheckCompression(options.blob_compression_type));
  for (const CompressionOptions* compression :
       {&options.compression_opts, &options.bottommost_compression_opts}) {
    if (compression->zstd_max_train_bytes > 0 &&
        compression->max_dict_bytes == 0) {
      return Status::InvalidArgument(
          "The dictionary size limit (CompressionOptions::max_dict_bytes) "
          "should be nonzero if we're using zstd's dictionary generator.");
    }
  }
  return Status::OK();
}

Status CheckCharges(const BlockBasedTableOptions& table) {
  for (const auto& [role, how] : table.cache_usage_options.options_overrides) {
    using Decision = CacheEntryRoleOptions::Decision;
    if (how.charged == Decision::kFallback) continue;
    const std::string name = GetCacheEntryRoleName(role);
    if (!ChargeIsAnOption(role)) {
      return Status::NotSupported(
          "Enable/Disable CacheEntryRoleOptions::charged for CacheEntryRole " +
          name + " is not supported");
    }
    if (how.charged == Decision::kEnabled && table.no_block_cache) {
      return Status::InvalidArgument(
          "Enable CacheEntryRoleOptions::charged for CacheEntryRole " + name +
          " but block cache is disabled");
    }
  }
  return Status::OK();
}

// The order and the messages are those of RocksDB.
Status CheckBlockSizes(const ColumnFamilyOptions& options,
                       const BlockBasedTableOptions& table) {
  if (table.block_size == 0) {
    return Status::InvalidArgument("block_size must not be 0");
  }
  if (table.block_size >= kBlockSizeEnd) {
    return Status::InvalidArgument(
        "block size exceeds maximum number (4GiB) allowed");
  }
  if (table.block_align && options.compression != kNoCompression) {
    return Status::InvalidArgument(
        "Enable block_align, but compression enabled");
  }
  if (table.block_align && !std::has_single_bit(table.block_size)) {
    return Status::InvalidArgument(
        "Block alignment requested but block size is not a power of 2");
  }
  const size_t super_block = table.super_block_alignment_size;
  if (super_block != 0 && !std::has_single_bit(super_block)) {
    return Status::InvalidArgument(
        "Super Block alignment requested but super block alignment size is "
        "not a power of 2");
  }
  if (super_block >= kBlockSizeEnd) {
    return Status::InvalidArgument(
        "Super block alignment size exceeds maximum number (4GiB) allowed");
  }
  const size_t ratio = table.super_block_alignment_space_overhead_ratio;
  if (ratio != 0 && ratio < kSuperBlockRatioMin) {
    return Status::InvalidArgument(
        "Super block alignment space overhead is too high");
  }
  return Status::OK();
}

Status CheckBlocks(const ColumnFamilyOptions& options,
                   const BlockBasedTableOptions& table) {
  if (table.format_version < kFormatVersionMin ||
      table.format_version > kFormatVersionMax) {
    return Status::InvalidArgument(
        "Unsupported BlockBasedTable format_version " +
        std::to_string(table.format_version) + ": expected " +
        std::to_string(kFormatVersionMin) + " to " +
        std::to_string(kFormatVersionMax));
  }
  if (static_cast<uint8_t>(table.checksum) > kBlockChecksumMax) {
    return Status::InvalidArgument("unknown checksum type");
  }
  if (static_cast<uint8_t>(table.index_type) >
      BlockBasedTableOptions::kBinarySearchWithFirstKey) {
    return Status::InvalidArgument("unknown index type");
  }
  if (table.no_block_cache && table.cache_index_and_filter_blocks) {
    return Status::InvalidArgument(
        "Enable cache_index_and_filter_blocks, but block cache is disabled");
  }
  if (table.no_block_cache && table.pin_l0_filter_and_index_blocks_in_cache) {
    return Status::InvalidArgument(
        "Enable pin_l0_filter_and_index_blocks_in_cache, but block cache is "
        "disabled");
  }
  RETURN_IF_ERROR(CheckCharges(table));
  RETURN_IF_ERROR(CheckBlockSizes(options, table));
  if (table.index_type == BlockBasedTableOptions::kHashSearch &&
      options.prefix_extractor == nullptr) {
    return Status::InvalidArgument(
        "Hash index is specified for block-based table, but prefix_extractor "
        "is not given");
  }
  return Status::OK();
}

Status CheckObjects(const DBOptions& db_options,
                    const ColumnFamilyOptions& options) {
  if (options.comparator == nullptr) {
    return Status::InvalidArgument("comparator", "is null");
  }
  if (options.table_factory == nullptr || options.memtable_factory == nullptr) {
    return Status::InvalidArgument("table_factory or memtable_factory",
                                   "is null");
  }
  if (db_options.allow_concurrent_memtable_write &&
      !options.memtable_factory->IsInsertConcurrentlySupported()) {
    return Status::InvalidArgument(
        "Memtable doesn't allow concurrent writes "
        "(allow_concurrent_memtable_write)");
  }
  const auto* table = BlockBasedOptionsOf(options.table_factory.get());
  if (table == nullptr) {
    return Status::NotSupported("table format", options.table_factory->Name());
  }
  if (options.compaction_filter != nullptr &&
      !options.compaction_filter->IgnoreSnapshots()) {
    return Status::NotSupported(
        "CompactionFilter::IgnoreSnapshots() = false is not supported");
  }
  RETURN_IF_ERROR(CheckBlocks(options, *table));
  return CheckRefused(BlockBasedTableOptionFields(), table);
}

Status CheckBlobs(const ColumnFamilyOptions& options) {
  if (options.enable_blob_files && options.comparator->timestamp_size() > 0) {
    return Status::NotSupported("blob files with user timestamps");
  }
  if (!options.enable_blob_garbage_collection) return Status::OK();
  const auto is_share = [](double value) { return value >= 0 && value <= 1; };
  if (!is_share(options.blob_garbage_collection_age_cutoff)) {
    return Status::InvalidArgument(
        "The age cutoff for blob garbage collection should be in the range "
        "[0.0, 1.0].");
  }
  if (!is_share(options.blob_garbage_collection_force_threshold)) {
    return Status::InvalidArgument(
        "The garbage ratio threshold for forcing blob garbage collection "
        "should be in the range [0.0, 1.0].");
  }
  return Status::OK();
}

Status CheckPaths(const std::vector<DbPath>& paths, const char* kind) {
  if (paths.size() > kPathsMax) {
    return Status::NotSupported(std::string("More than four ") + kind +
                                " paths are not supported yet.");
  }
  return Status::OK();
}

bool IsProtectionSize(uint32_t bytes) {
  return bytes == 0 || (bytes <= 8 && std::has_single_bit(bytes));
}

Status CheckProtection(const ColumnFamilyOptions& options) {
  if (!IsProtectionSize(options.memtable_protection_bytes_per_key)) {
    return Status::NotSupported(
        "Memtable per key-value checksum protection only supports 0, 1, 2, 4 "
        "or 8 bytes per key.");
  }
  if (!IsProtectionSize(options.block_protection_bytes_per_key)) {
    return Status::NotSupported(
        "Block per key-value checksum protection only supports 0, 1, 2, 4 or "
        "8 bytes per key.");
  }
  return {};
}

}  // namespace

Status ValidateOptions(const DBOptions& options) {
  RETURN_IF_ERROR(CheckPaths(options.db_paths, "DB"));
  if (options.allow_mmap_reads && options.use_direct_reads) {
    return Status::NotSupported(
        "If memory mapped reads (allow_mmap_reads) are enabled then direct "
        "I/O reads (use_direct_reads) must be disabled.");
  }
  if (options.allow_mmap_writes &&
      options.use_direct_io_for_flush_and_compaction) {
    return Status::NotSupported(
        "If memory mapped writes (allow_mmap_writes) are enabled then direct "
        "I/O writes (use_direct_io_for_flush_and_compaction) must be "
        "disabled.");
  }
  if (options.keep_log_file_num == 0) {
    return Status::InvalidArgument("keep_log_file_num must be greater than 0");
  }
  if (options.unordered_write && !options.allow_concurrent_memtable_write) {
    return Status::InvalidArgument(
        "unordered_write is incompatible with "
        "!allow_concurrent_memtable_write");
  }
  if (options.unordered_write && options.enable_pipelined_write) {
    return Status::InvalidArgument(
        "unordered_write is incompatible with enable_pipelined_write");
  }
  if (options.atomic_flush && options.enable_pipelined_write) {
    return Status::InvalidArgument(
        "atomic_flush is incompatible with enable_pipelined_write");
  }
  if (options.two_write_queues && options.enable_pipelined_write) {
    return Status::InvalidArgument(
        "enable_pipelined_write is incompatible with two_write_queues");
  }
  if (options.wal_compression != kNoCompression &&
      options.wal_compression != kZSTD) {
    return Status::InvalidArgument(
        "wal_compression must be kNoCompression or "
        "kZSTD",
        CompressionName(options.wal_compression));
  }
  if (!CompressionTypeSupported(options.wal_compression)) {
    return Status::InvalidArgument(
        "wal_compression: not linked with the binary",
        CompressionName(options.wal_compression));
  }
  return CheckRefused(DbOptionFields(), &options);
}

Status ValidateOptions(const DBOptions& db_options,
                       const ColumnFamilyOptions& options) {
  RETURN_IF_ERROR(CheckCompressions(options));
  RETURN_IF_ERROR(CheckObjects(db_options, options));
  RETURN_IF_ERROR(CheckBlobs(options));
  RETURN_IF_ERROR(CheckPaths(options.cf_paths, "CF"));
  RETURN_IF_ERROR(CheckProtection(options));
  if (options.inplace_update_support &&
      db_options.allow_concurrent_memtable_write) {
    return Status::InvalidArgument(
        "In-place memtable updates (inplace_update_support) is not compatible "
        "with concurrent writes (allow_concurrent_memtable_write)");
  }
  if (options.max_successive_merges > 0 && db_options.unordered_write) {
    return Status::InvalidArgument(
        "max_successive_merges larger than 0 is currently inconsistent with "
        "unordered_write");
  }
  return CheckRefused(CfOptionFields(), &options);
}

Status ValidateOptions(const DBOptions& db_options,
                       const std::vector<ColumnFamilyDescriptor>& families) {
  RETURN_IF_ERROR(ValidateOptions(db_options));
  for (const ColumnFamilyDescriptor& family : families) {
    if (family.name == kDefaultColumnFamilyName &&
        family.options.disallow_memtable_writes) {
      return Status::InvalidArgument(
          "Default column family cannot use disallow_memtable_writes=true");
    }
    RETURN_IF_ERROR(ValidateOptions(db_options, family.options));
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
