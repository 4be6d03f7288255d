// Options of databases and families: making, reading, presets, lists and
// objects. option_fields.cc has the plain fields.
#include <cstdlib>

#include "api/c/callbacks.h"
#include "api/c/convert.h"
#include "rocksdb/convenience.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/utilities/options_util.h"

using capi::CompressionType;
using capi::Status;
using capi_internal::CopyString;
using capi_internal::FreePointers;
using capi_internal::NewPointers;
using capi_internal::SaveError;

namespace {

std::vector<capi::DbPath> Paths(const rocksdb_dbpath_t** paths, size_t count) {
  std::vector<capi::DbPath> result;
  result.reserve(count);
  for (size_t i = 0; i < count; ++i) result.push_back(paths[i]->rep);
  return result;
}

}  // namespace

extern "C" {

rocksdb_options_t* rocksdb_options_create(void) {
  return new rocksdb_options_t;
}

rocksdb_options_t* rocksdb_options_create_copy(rocksdb_options_t* options) {
  return new rocksdb_options_t(*options);
}

void rocksdb_options_destroy(rocksdb_options_t* options) { delete options; }

void rocksdb_get_options_from_string(const rocksdb_options_t* base_options,
                                     const char* opts_str,
                                     rocksdb_options_t* new_options,
                                     char** errptr) try {
  SaveError(errptr,
            capi::GetOptionsFromString(capi::ConfigOptions(), base_options->rep,
                                       opts_str, &new_options->rep));
}
CAPI_CATCH(void, errptr)

// NOLINTNEXTLINE(readability-function-size): the signature is public.
void rocksdb_load_latest_options(
    const char* db_path, rocksdb_env_t* env, bool ignore_unknown_options,
    rocksdb_cache_t* cache, rocksdb_options_t** db_options,
    size_t* num_column_families, char*** column_family_names,
    rocksdb_options_t*** column_family_options, char** errptr) try {
  capi::ConfigOptions config;
  config.ignore_unknown_options = ignore_unknown_options;
  if (env != nullptr) config.env = env->rep;
  capi::DBOptions read;
  std::vector<capi::ColumnFamilyDescriptor> families;
  std::shared_ptr<capi::Cache>* shared =
      cache != nullptr ? &cache->rep : nullptr;
  const Status status =
      shared != nullptr
          ? capi::LoadLatestOptions(config, db_path, &read, &families, shared)
          : capi::LoadLatestOptions(config, db_path, &read, &families);
  if (SaveError(errptr, status)) {
    *num_column_families = 0;
    *db_options = nullptr;
    *column_family_names = nullptr;
    *column_family_options = nullptr;
    return;
  }
  const size_t count = families.size();
  char** names = NewPointers<char>(count);
  auto** options = NewPointers<rocksdb_options_t>(count);
  for (size_t i = 0; i < count; ++i) {
    names[i] = CopyString(families[i].name);
    options[i] = new rocksdb_options_t{
        capi::Options(capi::DBOptions(), families[i].options)};
  }
  *num_column_families = count;
  *db_options =
      new rocksdb_options_t{capi::Options(read, capi::ColumnFamilyOptions())};
  *column_family_names = names;
  *column_family_options = options;
}
CAPI_CATCH(void, errptr)

void rocksdb_load_latest_options_destroy(
    rocksdb_options_t* db_options, char** list_column_family_names,
    rocksdb_options_t** list_column_family_options, size_t len) {
  delete db_options;
  for (size_t i = 0; i < len; ++i) {
    std::free(list_column_family_names[i]);
    delete list_column_family_options[i];
  }
  FreePointers(list_column_family_names);
  FreePointers(list_column_family_options);
}

void rocksdb_options_increase_parallelism(rocksdb_options_t* options,
                                          int total_threads) {
  options->rep.IncreaseParallelism(total_threads);
}

void rocksdb_options_optimize_for_point_lookup(rocksdb_options_t* options,
                                               uint64_t block_cache_size_mb) {
  options->rep.OptimizeForPointLookup(block_cache_size_mb);
}

void rocksdb_options_optimize_level_style_compaction(
    rocksdb_options_t* options, uint64_t memtable_memory_budget) {
  options->rep.OptimizeLevelStyleCompaction(memtable_memory_budget);
}

void rocksdb_options_optimize_universal_style_compaction(
    rocksdb_options_t* options, uint64_t memtable_memory_budget) {
  options->rep.OptimizeUniversalStyleCompaction(memtable_memory_budget);
}

void rocksdb_options_prepare_for_bulk_load(rocksdb_options_t* options) {
  options->rep.PrepareForBulkLoad();
}

void rocksdb_options_compaction_readahead_size(rocksdb_options_t* options,
                                               size_t value) {
  options->rep.compaction_readahead_size = value;
}

size_t rocksdb_options_get_compaction_readahead_size(
    rocksdb_options_t* options) {
  return options->rep.compaction_readahead_size;
}

void rocksdb_options_set_db_log_dir(rocksdb_options_t* options,
                                    const char* value) {
  options->rep.db_log_dir = value;
}

void rocksdb_options_set_wal_dir(rocksdb_options_t* options,
                                 const char* value) {
  options->rep.wal_dir = value;
}

void rocksdb_options_set_db_paths(rocksdb_options_t* options,
                                  const rocksdb_dbpath_t** path_values,
                                  size_t num_paths) {
  options->rep.db_paths = Paths(path_values, num_paths);
}

void rocksdb_options_set_cf_paths(rocksdb_options_t* options,
                                  const rocksdb_dbpath_t** path_values,
                                  size_t num_paths) {
  options->rep.cf_paths = Paths(path_values, num_paths);
}

rocksdb_dbpath_t* rocksdb_dbpath_create(const char* path,
                                        uint64_t target_size) {
  return new rocksdb_dbpath_t{capi::DbPath(path, target_size)};
}

void rocksdb_dbpath_destroy(rocksdb_dbpath_t* path) { delete path; }

void rocksdb_options_set_compression_per_level(rocksdb_options_t* options,
                                               const int* level_values,
                                               size_t num_levels) {
  std::vector<CompressionType> levels;
  levels.reserve(num_levels);
  for (size_t i = 0; i < num_levels; ++i) {
    levels.push_back(static_cast<CompressionType>(level_values[i]));
  }
  options->rep.compression_per_level = std::move(levels);
}

void rocksdb_options_set_min_level_to_compress(rocksdb_options_t* options,
                                               int level) {
  if (level < 0) return;
  std::vector<CompressionType> levels;
  levels.reserve(static_cast<size_t>(options->rep.num_levels));
  for (int i = 0; i < options->rep.num_levels; ++i) {
    levels.push_back(i < level ? capi::kNoCompression
                               : options->rep.compression);
  }
  options->rep.compression_per_level = std::move(levels);
}

void rocksdb_options_set_compression_options(rocksdb_options_t* options,
                                             int window_bits, int level,
                                             int strategy, int max_dict_bytes) {
  options->rep.compression_opts.window_bits = window_bits;
  options->rep.compression_opts.level = level;
  options->rep.compression_opts.strategy = strategy;
  options->rep.compression_opts.max_dict_bytes =
      static_cast<uint32_t>(max_dict_bytes);
}

void rocksdb_options_set_bottommost_compression_options(
    rocksdb_options_t* options, int window_bits, int level, int strategy,
    int max_dict_bytes, unsigned char enabled) {
  options->rep.bottommost_compression_opts.window_bits = window_bits;
  options->rep.bottommost_compression_opts.level = level;
  options->rep.bottommost_compression_opts.strategy = strategy;
  options->rep.bottommost_compression_opts.max_dict_bytes =
      static_cast<uint32_t>(max_dict_bytes);
  options->rep.bottommost_compression_opts.enabled = enabled != 0;
}

void rocksdb_options_set_bottommost_compression_options_zstd_max_train_bytes(
    rocksdb_options_t* options, int zstd_max_train_bytes,
    unsigned char enabled) {
  options->rep.bottommost_compression_opts.zstd_max_train_bytes =
      static_cast<uint32_t>(zstd_max_train_bytes);
  options->rep.bottommost_compression_opts.enabled = enabled != 0;
}

void rocksdb_options_set_bottommost_compression_options_use_zstd_dict_trainer(
    rocksdb_options_t* options, unsigned char use_zstd_dict_trainer,
    unsigned char enabled) {
  options->rep.bottommost_compression_opts.use_zstd_dict_trainer =
      use_zstd_dict_trainer != 0;
  options->rep.bottommost_compression_opts.enabled = enabled != 0;
}

unsigned char
rocksdb_options_get_bottommost_compression_options_use_zstd_dict_trainer(
    rocksdb_options_t* options) {
  return options->rep.bottommost_compression_opts.use_zstd_dict_trainer ? 1 : 0;
}

void rocksdb_options_set_bottommost_compression_options_max_dict_buffer_bytes(
    rocksdb_options_t* options, uint64_t max_dict_buffer_bytes,
    unsigned char enabled) {
  options->rep.bottommost_compression_opts.max_dict_buffer_bytes =
      max_dict_buffer_bytes;
  options->rep.bottommost_compression_opts.enabled = enabled != 0;
}

void rocksdb_options_set_max_bytes_for_level_multiplier_additional(
    rocksdb_options_t* options, int* level_values, size_t num_levels) {
  options->rep.max_bytes_for_level_multiplier_additional.assign(
      level_values, level_values + num_levels);
}

void rocksdb_options_set_memtable_vector_rep(rocksdb_options_t* options) {
  options->rep.memtable_factory = std::make_shared<capi::VectorRepFactory>();
}

void rocksdb_options_set_hash_skip_list_rep(rocksdb_options_t* options,
                                            size_t bucket_count,
                                            int32_t skiplist_height,
                                            int32_t skiplist_branching_factor) {
  options->rep.memtable_factory.reset(capi::NewHashSkipListRepFactory(
      bucket_count, skiplist_height, skiplist_branching_factor));
}

void rocksdb_options_set_hash_link_list_rep(rocksdb_options_t* options,
                                            size_t bucket_count) {
  options->rep.memtable_factory.reset(
      capi::NewHashLinkListRepFactory(bucket_count));
}

void rocksdb_options_set_uint64add_merge_operator(rocksdb_options_t* options) {
  (void)capi::MergeOperator::CreateFromString(
      capi::ConfigOptions(), "uint64add", &options->rep.merge_operator);
}

void rocksdb_options_set_comparator(rocksdb_options_t* options,
                                    rocksdb_comparator_t* comparator) {
  options->rep.comparator = comparator;
}

void rocksdb_options_set_compaction_filter(rocksdb_options_t* options,
                                           rocksdb_compactionfilter_t* filter) {
  options->rep.compaction_filter = filter;
}

void rocksdb_options_set_env(rocksdb_options_t* options, rocksdb_env_t* env) {
  options->rep.env = env != nullptr ? env->rep : nullptr;
}

void rocksdb_options_set_merge_operator(
    rocksdb_options_t* options, rocksdb_mergeoperator_t* merge_operator) {
  options->rep.merge_operator.reset(merge_operator);
}

void rocksdb_options_set_compaction_filter_factory(
    rocksdb_options_t* options, rocksdb_compactionfilterfactory_t* factory) {
  options->rep.compaction_filter_factory.reset(factory);
}

void rocksdb_options_set_prefix_extractor(
    rocksdb_options_t* options, rocksdb_slicetransform_t* prefix_extractor) {
  options->rep.prefix_extractor =
      prefix_extractor != nullptr ? prefix_extractor->rep : nullptr;
  delete prefix_extractor;
}

void rocksdb_options_set_block_based_table_factory(
    rocksdb_options_t* options,
    rocksdb_block_based_table_options_t* table_options) {
  if (table_options == nullptr) return;
  options->rep.table_factory.reset(
      capi::NewBlockBasedTableFactory(table_options->rep));
}

void rocksdb_options_set_cuckoo_table_factory(
    rocksdb_options_t* options, rocksdb_cuckoo_table_options_t* table_options) {
  if (table_options == nullptr) return;
  options->rep.table_factory.reset(
      capi::NewCuckooTableFactory(table_options->rep));
}

void rocksdb_options_set_plain_table_factory(
    rocksdb_options_t* options, uint32_t user_key_len, int bloom_bits_per_key,
    double hash_table_ratio, size_t index_sparseness, size_t huge_page_tlb_size,
    char encoding_type, unsigned char full_scan_mode,
    unsigned char store_index_in_file) {
  capi::PlainTableOptions plain;
  plain.user_key_len = user_key_len;
  plain.bloom_bits_per_key = bloom_bits_per_key;
  plain.hash_table_ratio = hash_table_ratio;
  plain.index_sparseness = index_sparseness;
  plain.huge_page_tlb_size = huge_page_tlb_size;
  plain.encoding_type = static_cast<capi::EncodingType>(encoding_type);
  plain.full_scan_mode = full_scan_mode != 0;
  plain.store_index_in_file = store_index_in_file != 0;
  options->rep.table_factory.reset(capi::NewPlainTableFactory(plain));
}

// What API levels below 8 call; declared by rocksdb/c.h under another name.
__attribute__((visibility("default"))) void
rocksdb_options_set_plain_table_factory_v7(rocksdb_options_t* options,
                                           uint32_t user_key_len,
                                           int bloom_bits_per_key,
                                           double hash_table_ratio,
                                           size_t index_sparseness) {
  const capi::PlainTableOptions rest;
  rocksdb_options_set_plain_table_factory(
      options, user_key_len, bloom_bits_per_key, hash_table_ratio,
      index_sparseness, rest.huge_page_tlb_size, rest.encoding_type,
      rest.full_scan_mode ? 1 : 0, rest.store_index_in_file ? 1 : 0);
}

void rocksdb_options_set_universal_compaction_options(
    rocksdb_options_t* options,
    rocksdb_universal_compaction_options_t* universal) {
  if (universal == nullptr) return;
  options->rep.compaction_options_universal = universal->rep;
}

void rocksdb_options_set_fifo_compaction_options(
    rocksdb_options_t* options, rocksdb_fifo_compaction_options_t* fifo) {
  if (fifo == nullptr) return;
  options->rep.compaction_options_fifo = fifo->rep;
}

void rocksdb_options_set_ratelimiter(rocksdb_options_t* options,
                                     rocksdb_ratelimiter_t* limiter) {
  options->rep.rate_limiter = limiter != nullptr ? limiter->rep : nullptr;
}

void rocksdb_options_set_sst_file_manager(rocksdb_options_t* options,
                                          rocksdb_sst_file_manager_t* manager) {
  options->rep.sst_file_manager = manager != nullptr ? manager->rep : nullptr;
}

void rocksdb_options_set_row_cache(rocksdb_options_t* options,
                                   rocksdb_cache_t* cache) {
  options->rep.row_cache = cache != nullptr ? cache->rep : nullptr;
}

void rocksdb_options_set_blob_cache(rocksdb_options_t* options,
                                    rocksdb_cache_t* blob_cache) {
  options->rep.blob_cache = blob_cache != nullptr ? blob_cache->rep : nullptr;
}

void rocksdb_options_set_write_buffer_manager(
    rocksdb_options_t* options, rocksdb_write_buffer_manager_t* wbm) {
  options->rep.write_buffer_manager = wbm != nullptr ? wbm->rep : nullptr;
}

void rocksdb_options_set_info_log(rocksdb_options_t* options,
                                  rocksdb_logger_t* logger) {
  options->rep.info_log = logger != nullptr ? logger->rep : nullptr;
}

rocksdb_logger_t* rocksdb_options_get_info_log(rocksdb_options_t* options) {
  return new rocksdb_logger_t{options->rep.info_log};
}

}  // extern "C"
