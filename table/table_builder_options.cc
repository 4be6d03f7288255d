#include "table/table_builder_options.h"

#include <algorithm>

#include "table/table_unique_id.h"
#include "util/hash.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Table = BlockBasedTableOptions;

// Not 0, and different in each file, so that a block read from another file
// does not pass. From the file's identity: the same input, the same bytes.
uint32_t BaseContextChecksum(const TableBuildOptions& o) {
  if (o.table.format_version < 6) return 0;
  const std::string id = TableUniqueId(o.db_id, o.db_session_id, o.file_number);
  uint64_t bits = id.empty() ? ThreadRandom().Next() : Hash64(id);
  bits ^= bits >> 32;
  const uint32_t base = static_cast<uint32_t>(bits);
  return base != 0 ? base : 1;
}

}  // namespace

BlockBuilder::Options DataBlockOptions(const TableBuildOptions& o) {
  BlockBuilder::Options options;
  options.restart_interval = std::max(1, o.table.block_restart_interval);
  options.use_delta_encoding = o.table.use_delta_encoding;
  options.separate_values = o.table.separate_key_value_in_data_block;
  const bool hashed = o.table.data_block_index_type ==
                      BlockBasedTableOptions::kDataBlockBinaryAndHash;
  // Equal keys must hash equally.
  if (hashed &&
      !o.icmp->user_comparator()->CanKeysWithDifferentByteContentsBeEqual()) {
    const double ratio = o.table.data_block_hash_table_util_ratio;
    options.hash_ratio = ratio > 0 ? ratio : 0.75;
  }
  return options;
}

Table::IndexType IndexTypeOf(const TableBuildOptions& o) {
  switch (o.table.index_type) {
    case Table::kTwoLevelIndexSearch:
      // Small or short-lived files are read whole sooner or later.
      return o.level >= 0 && o.level < o.table.partition_from_level
                 ? Table::kBinarySearch
                 : Table::kTwoLevelIndexSearch;
    case Table::kHashSearch:
      return o.prefix_extractor != nullptr ? Table::kHashSearch
                                           : Table::kBinarySearch;
    default:
      return o.table.index_type;
  }
}

IndexBuilder::Options IndexOptions(const TableBuildOptions& o) {
  IndexBuilder::Options options;
  const Table::IndexType type = IndexTypeOf(o);
  if (type == Table::kTwoLevelIndexSearch) {
    options.partition_bytes =
        std::max<uint64_t>(1, o.table.metadata_block_size);
    options.partition_deviation_percent = o.table.block_size_deviation;
  }
  options.first_keys = type == Table::kBinarySearchWithFirstKey;
  options.icmp = o.icmp;
  options.shortening = o.table.index_shortening;
  // Readers of a hash index count its entries by restart points.
  options.restart_interval =
      type == Table::kHashSearch ? 1 : o.table.index_block_restart_interval;
  options.may_use_user_keys = o.table.format_version >= 3;
  // With padding, a block's offset does not follow from the one before.
  options.delta_encode_values =
      o.table.format_version >= 4 && !o.table.block_align;
  return options;
}

BlockWriter::Options WriterOptions(const TableBuildOptions& o,
                                   FileChecksumGenerator* file_checksum) {
  BlockWriter::Options options;
  options.compression = o.compression;
  options.compression_opts = o.compression_opts;
  options.checksum_type = static_cast<uint8_t>(o.table.checksum);
  options.format_version = o.table.format_version;
  options.base_context_checksum = BaseContextChecksum(o);
  options.verify_compression = o.table.verify_compression;
  // With block_align every block is aligned by itself.
  if (!o.table.block_align) {
    options.super_block_bytes = o.table.super_block_alignment_size;
    options.super_block_padding_max =
        options.super_block_bytes /
        std::max<size_t>(1, o.table.super_block_alignment_space_overhead_ratio);
  }
  options.statistics = o.statistics;
  options.file_checksum = file_checksum;
  return options;
}

}  // namespace ROCKSDB_NAMESPACE::engine
