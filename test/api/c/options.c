/* Options set and read back, resources, statistics, env. */
#include "test/api/c/check.h"

#define SET_AND_GET(options, name, value)                \
  do {                                                   \
    rocksdb_options_set_##name(options, value);          \
    CHECK(rocksdb_options_get_##name(options) == value); \
  } while (0)

static void Fields(void) {
  char* err = NULL;
  rocksdb_options_t* copy;
  rocksdb_options_t* options = rocksdb_options_create();
  SET_AND_GET(options, create_if_missing, 1);
  SET_AND_GET(options, max_open_files, 123);
  SET_AND_GET(options, write_buffer_size, (size_t)1 << 20);
  SET_AND_GET(options, max_bytes_for_level_multiplier, 7.5);
  SET_AND_GET(options, compression, rocksdb_lz4_compression);
  SET_AND_GET(options, disable_auto_compactions, 1);
  SET_AND_GET(options, wal_recovery_mode,
              rocksdb_absolute_consistency_recovery);
  SET_AND_GET(options, compression_options_zstd_max_train_bytes, 99);
  SET_AND_GET(options, soft_pending_compaction_bytes_limit, (size_t)1 << 40);
  SET_AND_GET(options, max_write_buffer_size_to_maintain, (int64_t)-1);
  rocksdb_options_set_allow_mmap_reads(options, 200); /* Any non-zero. */
  CHECK(rocksdb_options_get_allow_mmap_reads(options) == 1);
  copy = rocksdb_options_create_copy(options);
  rocksdb_options_set_max_open_files(options, 5);
  CHECK(rocksdb_options_get_max_open_files(copy) == 123);
  rocksdb_get_options_from_string(
      options, "max_open_files=77;write_buffer_size=2MB", copy, &err);
  CHECK_OK(err);
  CHECK(rocksdb_options_get_max_open_files(copy) == 77);
  CHECK(rocksdb_options_get_write_buffer_size(copy) == (size_t)2 << 20);
  rocksdb_get_options_from_string(options, "no_such_option=1", copy, &err);
  CHECK_ERROR(err, "Invalid argument: ");
  rocksdb_options_increase_parallelism(copy, 4);
  CHECK(rocksdb_options_get_max_background_jobs(copy) == 4);
  rocksdb_options_destroy(copy);
  rocksdb_options_destroy(options);
}

static void SmallFields(void) {
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  rocksdb_compactoptions_t* compact = rocksdb_compactoptions_create();
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_universal_compaction_options_t* universal =
      rocksdb_universal_compaction_options_create();
  rocksdb_fifo_compaction_options_t* fifo =
      rocksdb_fifo_compaction_options_create();
  CHECK(rocksdb_readoptions_get_fill_cache(read) == 1);
  rocksdb_readoptions_set_fill_cache(read, 0);
  CHECK(rocksdb_readoptions_get_fill_cache(read) == 0);
  rocksdb_readoptions_set_deadline(read, 12345);
  CHECK(rocksdb_readoptions_get_deadline(read) == 12345);
  rocksdb_writeoptions_disable_WAL(write, 1);
  CHECK(rocksdb_writeoptions_get_disable_WAL(write) == 1);
  rocksdb_compactoptions_set_bottommost_level_compaction(compact, 2);
  CHECK(rocksdb_compactoptions_get_bottommost_level_compaction(compact) == 2);
  CHECK(rocksdb_flushoptions_get_wait(flush) == 1);
  rocksdb_universal_compaction_options_set_min_merge_width(universal, 3);
  CHECK(rocksdb_universal_compaction_options_get_min_merge_width(universal) ==
        3);
  rocksdb_fifo_compaction_options_set_max_table_files_size(fifo, 1000);
  CHECK(rocksdb_fifo_compaction_options_get_max_table_files_size(fifo) == 1000);
  rocksdb_fifo_compaction_options_destroy(fifo);
  rocksdb_universal_compaction_options_destroy(universal);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_compactoptions_destroy(compact);
  rocksdb_writeoptions_destroy(write);
  rocksdb_readoptions_destroy(read);
}

/* Everything a benchmark sets; the objects go before the database does. */
static rocksdb_options_t* Tuned(rocksdb_cache_t* cache) {
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_block_based_table_options_t* table =
      rocksdb_block_based_options_create();
  rocksdb_ratelimiter_t* limiter =
      rocksdb_ratelimiter_create_with_mode(1 << 30, 100000, 10, 1, false);
  rocksdb_write_buffer_manager_t* manager =
      rocksdb_write_buffer_manager_create_with_cache(64 << 20, cache, false);
  CHECK(rocksdb_write_buffer_manager_enabled(manager));
  CHECK(rocksdb_write_buffer_manager_buffer_size(manager) == 64 << 20);
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_block_based_options_set_block_cache(table, cache);
  rocksdb_block_based_options_set_filter_policy(
      table, rocksdb_filterpolicy_create_bloom_full(10));
  rocksdb_block_based_options_set_cache_index_and_filter_blocks(table, 1);
  rocksdb_block_based_options_set_block_size(table, 1024);
  rocksdb_options_set_block_based_table_factory(options, table);
  rocksdb_options_set_ratelimiter(options, limiter);
  rocksdb_options_set_write_buffer_manager(options, manager);
  rocksdb_options_enable_statistics(options);
  rocksdb_options_set_statistics_level(options, rocksdb_statistics_level_all);
  CHECK(rocksdb_options_get_statistics_level(options) ==
        rocksdb_statistics_level_all);
  rocksdb_write_buffer_manager_destroy(manager);
  rocksdb_ratelimiter_destroy(limiter);
  rocksdb_block_based_options_destroy(table);
  return options;
}

static void StatisticsOf(rocksdb_options_t* options) {
  enum { kDbGet = 0 };
  char* text;
  int ticker;
  uint64_t ticks = 0;
  rocksdb_statistics_histogram_data_t* data =
      rocksdb_statistics_histogram_data_create();
  text = rocksdb_options_statistics_get_string(options);
  CHECK(strstr(text, "rocksdb.bytes.written COUNT : ") != NULL);
  rocksdb_free(text);
  for (ticker = 0; ticker < 100; ++ticker) {
    ticks +=
        rocksdb_options_statistics_get_ticker_count(options, (uint32_t)ticker);
  }
  CHECK(ticks > 0);
  CHECK(rocksdb_options_statistics_get_ticker_count(options, 100000) == 0);
  rocksdb_options_statistics_get_histogram_data(options, kDbGet, data);
  CHECK(rocksdb_statistics_histogram_data_get_count(data) > 0);
  CHECK(rocksdb_statistics_histogram_data_get_max(data) >=
        rocksdb_statistics_histogram_data_get_median(data));
  rocksdb_statistics_histogram_data_destroy(data);
}

static void MemoryOf(rocksdb_t* db, rocksdb_cache_t* cache) {
  char* err = NULL;
  rocksdb_memory_usage_t* usage;
  rocksdb_memory_consumers_t* consumers = rocksdb_memory_consumers_create();
  rocksdb_memory_consumers_add_db(consumers, db);
  rocksdb_memory_consumers_add_cache(consumers, cache);
  usage = rocksdb_approximate_memory_usage_create(consumers, &err);
  CHECK_OK(err);
  CHECK(rocksdb_approximate_memory_usage_get_mem_table_total(usage) > 0);
  CHECK(rocksdb_approximate_memory_usage_get_cache_total(usage) ==
        rocksdb_cache_get_usage(cache));
  rocksdb_approximate_memory_usage_destroy(usage);
  rocksdb_memory_consumers_destroy(consumers);
}

/* One manager; the database that uses it goes before it. */
static void FileManager(void) {
  char* err = NULL;
  rocksdb_env_t* env = rocksdb_create_default_env();
  rocksdb_sst_file_manager_t* manager = rocksdb_sst_file_manager_create(env);
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_t* db;
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_sst_file_manager(options, manager);
  rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(manager, 1 << 20);
  rocksdb_sst_file_manager_set_max_trash_db_ratio(manager, 0.5);
  rocksdb_sst_file_manager_set_compaction_buffer_size(manager, 1000);
  CHECK(rocksdb_sst_file_manager_get_delete_rate_bytes_per_second(manager) ==
        1 << 20);
  CHECK(rocksdb_sst_file_manager_get_max_trash_db_ratio(manager) == 0.5);
  CHECK(rocksdb_sst_file_manager_get_total_trash_size(manager) == 0);
  db = rocksdb_open(options, PathOf("managed"), &err);
  CHECK_OK(err);
  CHECK(rocksdb_sst_file_manager_get_total_size(manager) == 0);
  PutText(db, "key", "value");
  rocksdb_flush(db, flush, &err);
  CHECK_OK(err);
  CHECK(rocksdb_sst_file_manager_get_total_size(manager) > 0);
  CHECK(!rocksdb_sst_file_manager_is_max_allowed_space_reached(manager));
  rocksdb_sst_file_manager_set_max_allowed_space_usage(manager, 1);
  CHECK(rocksdb_sst_file_manager_is_max_allowed_space_reached(manager));
  CHECK(
      rocksdb_sst_file_manager_is_max_allowed_space_reached_including_compactions(
          manager));
  PutText(db, "key", "other");
  rocksdb_flush(db, flush, &err);
  CHECK(err != NULL && strstr(err, "Max allowed space was reached") != NULL);
  rocksdb_free(err);
  rocksdb_close(db);
  CHECK(rocksdb_sst_file_manager_get_total_size(manager) == 0);
  rocksdb_options_set_sst_file_manager(options, NULL);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_options_destroy(options);
  rocksdb_sst_file_manager_destroy(manager);
  rocksdb_env_destroy(env);
}

static void Resources(void) {
  char* err = NULL;
  char key[8];
  int i;
  size_t count = 0;
  char** names = NULL;
  rocksdb_options_t* loaded = NULL;
  rocksdb_options_t** each = NULL;
  const char* set_keys[1] = {"write_buffer_size"};
  const char* set_values[1] = {"4194304"};
  rocksdb_env_t* env = rocksdb_create_default_env();
  rocksdb_lru_cache_options_t* lru = rocksdb_lru_cache_options_create();
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_cache_t* cache;
  rocksdb_options_t* options;
  rocksdb_t* db;
  rocksdb_lru_cache_options_set_capacity(lru, 8 << 20);
  rocksdb_lru_cache_options_set_num_shard_bits(lru, 2);
  cache = rocksdb_cache_create_lru_opts(lru);
  rocksdb_lru_cache_options_destroy(lru);
  CHECK(rocksdb_cache_get_capacity(cache) == 8 << 20);
  options = Tuned(cache);
  rocksdb_destroy_db(options, PathOf("tuned"), &err);
  CHECK_OK(err);
  db = rocksdb_open(options, PathOf("tuned"), &err);
  CHECK_OK(err);
  for (i = 0; i < 1000; ++i) {
    snprintf(key, sizeof(key), "k%03d", i);
    PutText(db, key, "some value of some length");
  }
  rocksdb_flush(db, flush, &err);
  CHECK_OK(err);
  for (i = 0; i < 1000; ++i) {
    snprintf(key, sizeof(key), "k%03d", i);
    free(GetText(db, key));
  }
  CHECK(rocksdb_cache_get_usage(cache) > 10000);
  StatisticsOf(options);
  MemoryOf(db, cache);
  rocksdb_set_options(db, 1, set_keys, set_values, &err);
  CHECK_OK(err);
  rocksdb_close(db);

  rocksdb_load_latest_options(PathOf("tuned"), env, false, NULL, &loaded,
                              &count, &names, &each, &err);
  CHECK_OK(err);
  CHECK(count == 1 && strcmp(names[0], "default") == 0);
  CHECK(rocksdb_options_get_write_buffer_size(each[0]) == 4194304);
  rocksdb_load_latest_options_destroy(loaded, names, each, count);
  rocksdb_load_latest_options(PathOf("nothing here"), env, false, NULL, &loaded,
                              &count, &names, &each, &err);
  CHECK(err != NULL && count == 0);
  rocksdb_free(err);
  err = NULL;
  rocksdb_flushoptions_destroy(flush);
  rocksdb_cache_destroy(cache);
  rocksdb_options_destroy(options);
  rocksdb_env_destroy(env);
}

static void InMemory(void) {
  char* err = NULL;
  char* value;
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_env_t* env = rocksdb_create_mem_env();
  rocksdb_t* db;
  rocksdb_env_set_background_threads(env, 2);
  CHECK(rocksdb_env_get_background_threads(env) >= 2);
  rocksdb_options_set_env(options, env);
  rocksdb_options_set_create_if_missing(options, 1);
  db = rocksdb_open(options, "/nowhere/on/disk", &err);
  CHECK_OK(err);
  PutText(db, "k", "v");
  value = GetText(db, "k");
  CHECK_BYTES(value, strlen(value), "v");
  free(value);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
  rocksdb_env_destroy(env);
}

/* Bytes of the filter of one flushed table; takes the policy. */
static long FlushedFilterBytes(const char* name,
                               rocksdb_filterpolicy_t* policy) {
  static const char kText[] = "filter block size=";
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_block_based_table_options_t* table =
      rocksdb_block_based_options_create();
  char* err = NULL;
  rocksdb_block_based_options_set_filter_policy(table, policy);
  rocksdb_options_set_block_based_table_factory(options, table);
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_t* db = rocksdb_open(options, PathOf(name), &err);
  CHECK_OK(err);
  for (int i = 0; i < 10000; ++i) {
    char key[16];
    snprintf(key, sizeof(key), "%08d", i);
    PutText(db, key, "v");
  }
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_flush(db, flush, &err);
  CHECK_OK(err);
  char* told =
      rocksdb_property_value(db, "rocksdb.aggregated-table-properties");
  CHECK(told != NULL);
  const char* const at = strstr(told, kText);
  CHECK(at != NULL);
  const long bytes = strtol(at + strlen(kText), NULL, 10);
  rocksdb_free(told);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_close(db);
  rocksdb_block_based_options_destroy(table);
  rocksdb_options_destroy(options);
  return bytes;
}

/* Ribbon filters are a quarter smaller, in flushed tables, too. */
static void FlushedRibbon(void) {
  const long bloom =
      FlushedFilterBytes("bloom", rocksdb_filterpolicy_create_bloom_full(10));
  const long ribbon =
      FlushedFilterBytes("ribbon", rocksdb_filterpolicy_create_ribbon(10));
  const long hybrid = FlushedFilterBytes(
      "hybrid", rocksdb_filterpolicy_create_ribbon_hybrid(10, 1));
  CHECK(bloom > 0);
  CHECK(ribbon < bloom * 8 / 10);
  CHECK(hybrid == bloom);
}

/* The other kinds of memtables take no concurrent writes. */
static void MemtablesOf(void (*choose)(rocksdb_options_t*), const char* kind) {
  char* err = NULL;
  char* text;
  size_t count = 0;
  rocksdb_iterator_t* iter;
  rocksdb_readoptions_t* read = rocksdb_readoptions_create();
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_t* db;
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_set_prefix_extractor(
      options, rocksdb_slicetransform_create_fixed_prefix(2));
  choose(options);
  CHECK(rocksdb_open(options, PathOf(kind), &err) == NULL);
  CHECK(strstr(err, "Memtable doesn't allow concurrent writes") != NULL);
  rocksdb_free(err);
  err = NULL;
  rocksdb_options_set_allow_concurrent_memtable_write(options, 0);
  db = rocksdb_open(options, PathOf(kind), &err);
  CHECK_OK(err);
  PutText(db, "bb1", "2");
  PutText(db, "aa1", "1");
  text = GetText(db, "bb1");
  CHECK(text != NULL && strcmp(text, "2") == 0);
  free(text);
  rocksdb_readoptions_set_total_order_seek(read, 1);
  iter = rocksdb_create_iterator(db, read);
  for (rocksdb_iter_seek_to_first(iter); rocksdb_iter_valid(iter);
       rocksdb_iter_next(iter)) {
    ++count;
  }
  CHECK(count == 2);
  rocksdb_iter_destroy(iter);
  rocksdb_readoptions_destroy(read);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
}

static void HashSkipList(rocksdb_options_t* options) {
  rocksdb_options_set_hash_skip_list_rep(options, 100, 4, 4);
}

static void HashLinkList(rocksdb_options_t* options) {
  rocksdb_options_set_hash_link_list_rep(options, 100);
}

static void Memtables(void) {
  MemtablesOf(rocksdb_options_set_memtable_vector_rep, "vector");
  MemtablesOf(HashSkipList, "hash_skip_list");
  MemtablesOf(HashLinkList, "hash_link_list");
}

/* Opening refuses what the options ask for, and says what it is. */
static void RefusedBecauseOf(rocksdb_options_t* options, const char* format) {
  char* err = NULL;
  rocksdb_options_set_create_if_missing(options, 1);
  CHECK(rocksdb_open(options, "c_never_made", &err) == NULL);
  CHECK(err != NULL && strstr(err, format) != NULL);
  CHECK_ERROR(err, "Not implemented");
  rocksdb_options_destroy(options);
}

static void OtherTableFormats(void) {
  rocksdb_options_t* options = rocksdb_options_create();
  rocksdb_cuckoo_table_options_t* cuckoo = rocksdb_cuckoo_options_create();
  rocksdb_cuckoo_options_set_hash_ratio(cuckoo, 0.5);
  CHECK(rocksdb_cuckoo_options_get_hash_table_ratio(cuckoo) == 0.5);
  rocksdb_cuckoo_options_set_max_search_depth(cuckoo, 7);
  CHECK(rocksdb_cuckoo_options_get_max_search_depth(cuckoo) == 7);
  rocksdb_cuckoo_options_set_cuckoo_block_size(cuckoo, 9);
  CHECK(rocksdb_cuckoo_options_get_cuckoo_block_size(cuckoo) == 9);
  rocksdb_cuckoo_options_set_identity_as_first_hash(cuckoo, 1);
  CHECK(rocksdb_cuckoo_options_get_identity_as_first_hash(cuckoo) == 1);
  rocksdb_cuckoo_options_set_use_module_hash(cuckoo, 0);
  CHECK(rocksdb_cuckoo_options_get_use_module_hash(cuckoo) == 0);
  rocksdb_options_set_cuckoo_table_factory(options, NULL); /* As it was. */
  rocksdb_options_set_cuckoo_table_factory(options, cuckoo);
  rocksdb_cuckoo_options_destroy(cuckoo);
  RefusedBecauseOf(options, "CuckooTable");

  options = rocksdb_options_create();
  rocksdb_options_set_plain_table_factory(options, 16, 10, 0.75, 16, 0, 0, 0,
                                          0);
  RefusedBecauseOf(options, "PlainTable");
}

void CheckOptions(void) {
  OtherTableFormats();
  FlushedRibbon();
  Fields();
  SmallFields();
  Resources();
  FileManager();
  InMemory();
  Memtables();
}
