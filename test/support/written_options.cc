#include "test/support/written_options.h"

#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"

namespace ROCKSDB_NAMESPACE::test {

using Table = BlockBasedTableOptions;

Options SmallOptions() {
  Options options;
  options.create_if_missing = true;
  options.compression = kNoCompression;
  options.write_buffer_size = 32 << 10;
  options.target_file_size_base = 16 << 10;
  options.max_bytes_for_level_base = 64 << 10;
  options.level0_file_num_compaction_trigger = 3;
  return options;
}

Options WrittenOptions::Make() const {
  Options options = SmallOptions();
  BlockBasedTableOptions table;
  table.block_size = 1024;
  change(&options, &table);
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  return options;
}

const std::vector<WrittenOptions>& OptionsReadByAll() {
  static const std::vector<WrittenOptions> kAll = {
      {"Plain", [](Options*, Table*) {}},
      {"Snappy",
       [](Options* o, Table*) { o->compression = kSnappyCompression; }},
      {"Lz4", [](Options* o, Table*) { o->compression = kLZ4Compression; }},
      {"Lz4Hc", [](Options* o, Table*) { o->compression = kLZ4HCCompression; }},
      {"Zstd", [](Options* o, Table*) { o->compression = kZSTD; }},
      {"Zlib", [](Options* o, Table*) { o->compression = kZlibCompression; }},
      {"Bzip2", [](Options* o, Table*) { o->compression = kBZip2Compression; }},
      {"NoChecksum", [](Options*, Table* t) { t->checksum = kNoChecksum; }},
      {"Crc32c", [](Options*, Table* t) { t->checksum = kCRC32c; }},
      {"XxHash", [](Options*, Table* t) { t->checksum = kxxHash; }},
      {"XxHash64", [](Options*, Table* t) { t->checksum = kxxHash64; }},
      {"Xxh3", [](Options*, Table* t) { t->checksum = kXXH3; }},
      {"Version2Zlib",
       [](Options* o, Table* t) {
         t->format_version = 2;
         o->compression = kZlibCompression;
       }},
      {"Version3", [](Options*, Table* t) { t->format_version = 3; }},
      {"Version4", [](Options*, Table* t) { t->format_version = 4; }},
      {"Bloom",
       [](Options*, Table* t) {
         t->filter_policy.reset(NewBloomFilterPolicy(10));
       }},
      {"Ribbon",
       [](Options*, Table* t) {
         t->filter_policy.reset(NewRibbonFilterPolicy(10, -1));
       }},
      {"Dictionary",
       [](Options* o, Table*) {
         o->compression = kZSTD;
         o->compression_opts.max_dict_bytes = 4000;
         o->compression_opts.zstd_max_train_bytes = 40000;
       }},
      {"Partitioned",
       [](Options* o, Table* t) {
         t->index_type = Table::kTwoLevelIndexSearch;
         t->partition_filters = true;
         t->metadata_block_size = 256;
         t->filter_policy.reset(NewBloomFilterPolicy(10));
         o->compression = kSnappyCompression;
       }},
      {"PartitionedCoupled",
       [](Options* o, Table* t) {
         t->index_type = Table::kTwoLevelIndexSearch;
         t->partition_filters = true;
         t->decouple_partitioned_filters = false;
         t->metadata_block_size = 256;
         t->cache_index_and_filter_blocks = true;
         t->partition_from_level = 1;
         t->filter_policy.reset(NewBloomFilterPolicy(10));
         o->prefix_extractor.reset(NewCappedPrefixTransform(3));
       }},
      {"HashIndex",
       [](Options* o, Table* t) {
         t->index_type = Table::kHashSearch;
         o->prefix_extractor.reset(NewFixedPrefixTransform(2));
       }},
      {"FirstKeyIndex",
       [](Options*, Table* t) {
         t->index_type = Table::kBinarySearchWithFirstKey;
       }},
      {"DataBlockHash",
       [](Options*, Table* t) {
         t->data_block_index_type = Table::kDataBlockBinaryAndHash;
         t->data_block_hash_table_util_ratio = 0.5;
       }},
      {"BlockAlign", [](Options*, Table* t) { t->block_align = true; }},
      {"LegacyBloom",
       [](Options*, Table* t) {
         t->format_version = 4;
         t->filter_policy.reset(NewBloomFilterPolicy(7));
       }},
      {"PrefixBloom",
       [](Options* o, Table* t) {
         t->filter_policy.reset(NewBloomFilterPolicy(10));
         t->whole_key_filtering = false;
         o->prefix_extractor.reset(NewFixedPrefixTransform(7));
         o->memtable_prefix_bloom_size_ratio = 0.1;
       }},
      {"RibbonBelowFlushes",
       [](Options* o, Table* t) {
         t->filter_policy.reset(NewRibbonFilterPolicy(10, 0));
         o->optimize_filters_for_hits = true;
       }},
      {"IndexNotShortened",
       [](Options*, Table* t) {
         t->index_shortening = Table::IndexShorteningMode::kNoShortening;
         t->index_block_restart_interval = 8;
         t->enable_index_compression = false;
       }},
      {"IndexShortenedMore",
       [](Options* o, Table* t) {
         t->index_shortening =
             Table::IndexShorteningMode::kShortenSeparatorsAndSuccessor;
         t->block_restart_interval = 3;
         o->compression = kLZ4Compression;
       }},
      {"DictionaryLz4",
       [](Options* o, Table*) {
         o->compression = kLZ4Compression;
         o->compression_opts.max_dict_bytes = 2000;
       }},
      {"DictionaryZlib",
       [](Options* o, Table*) {
         o->compression = kZlibCompression;
         o->compression_opts.max_dict_bytes = 2000;
         o->compression_opts.parallel_threads = 3;
       }},
      {"CompressionByLevel",
       [](Options* o, Table*) {
         o->compression_per_level = {kNoCompression, kSnappyCompression,
                                     kLZ4Compression};
         o->bottommost_compression = kZSTD;
       }},
      {"ParallelThreads",
       [](Options* o, Table* t) {
         o->compression = kZSTD;
         o->compression_opts.parallel_threads = 4;
         t->index_type = Table::kTwoLevelIndexSearch;
         t->partition_filters = true;
         t->metadata_block_size = 256;
         t->filter_policy.reset(NewBloomFilterPolicy(10));
       }},
      {"RecycledLogs",
       [](Options* o, Table*) {
         o->recycle_log_file_num = 3;
         o->wal_recovery_mode = WALRecoveryMode::kSkipAnyCorruptedRecords;
       }},
      {"CompressedLogs",
       [](Options* o, Table*) {
         o->wal_compression = kZSTD;
         o->recycle_log_file_num = 3;
       }},
      {"StaticLevels",
       [](Options* o, Table*) {
         o->level_compaction_dynamic_level_bytes = false;
       }},
      {"BlobFiles",
       [](Options* o, Table*) {
         o->enable_blob_files = true;
         o->min_blob_size = 30;
         o->blob_file_size = 8 << 10;
       }},
      {"BlobFilesCollected",
       [](Options* o, Table*) {
         o->enable_blob_files = true;
         o->blob_compression_type = kLZ4Compression;
         o->blob_file_size = 8 << 10;
         o->enable_blob_garbage_collection = true;
         o->blob_garbage_collection_age_cutoff = 0.5;
         o->blob_garbage_collection_force_threshold = 0.5;
       }},
      {"Direct",
       [](Options* o, Table*) {
         o->use_direct_reads = true;
         o->use_direct_io_for_flush_and_compaction = true;
       }},
  };
  return kAll;
}

const std::vector<WrittenOptions>& OptionsReadBy11() {
  static const std::vector<WrittenOptions> kNewer = {
      {"Version6", [](Options*, Table* t) { t->format_version = 6; }},
      {"Version6PartitionedLz4",
       [](Options* o, Table* t) {
         t->format_version = 6;
         t->index_type = Table::kTwoLevelIndexSearch;
         t->partition_filters = true;
         t->metadata_block_size = 256;
         t->filter_policy.reset(NewBloomFilterPolicy(10));
         t->checksum = kCRC32c;
         o->compression = kLZ4Compression;
       }},
      {"Version7",
       [](Options* o, Table* t) {
         t->format_version = 7;
         o->compression = kSnappyCompression;
       }},
      {"Version7Dictionary",
       [](Options* o, Table* t) {
         t->format_version = 7;
         o->compression = kZSTD;
         o->compression_opts.max_dict_bytes = 4000;
         o->compression_opts.zstd_max_train_bytes = 40000;
       }},
      {"SeparatedKeysAndValues",
       [](Options*, Table* t) {
         t->format_version = 7;
         t->separate_key_value_in_data_block = true;
       }},
      {"SeparatedKeysAndValuesHashed",
       [](Options* o, Table* t) {
         t->format_version = 7;
         t->separate_key_value_in_data_block = true;
         t->data_block_index_type = Table::kDataBlockBinaryAndHash;
         t->index_type = Table::kBinarySearchWithFirstKey;
         o->compression = kLZ4Compression;
       }},
      {"SuperBlocks",
       [](Options*, Table* t) { t->super_block_alignment_size = 16 << 10; }},
      {"VerifiedLogs",
       [](Options* o, Table*) { o->track_and_verify_wals = true; }},
      {"VerifiedRecycledCompressedLogs",
       [](Options* o, Table*) {
         o->track_and_verify_wals = true;
         o->recycle_log_file_num = 3;
         o->wal_compression = kZSTD;
       }},
  };
  return kNewer;
}

}  // namespace ROCKSDB_NAMESPACE::test
