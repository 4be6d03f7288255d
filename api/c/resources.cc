// Caches, filter policies, rate limiters, write buffer managers, and how much
// memory they and databases use.
#include <unordered_set>

#include "api/c/convert.h"
#include "rocksdb/advanced_cache.h"

using capi::RateLimiter;

struct rocksdb_memory_consumers_t {
  std::unordered_set<capi::DB*> databases;
  std::unordered_set<std::shared_ptr<capi::Cache>> caches;
};

struct rocksdb_memory_usage_t {
  uint64_t mem_table_total = 0;
  uint64_t mem_table_unflushed = 0;
  uint64_t mem_table_readers_total = 0;
  uint64_t cache_total = 0;
};

namespace {

// Over all families; 0 if the property is unknown.
uint64_t Total(capi::DB* db, const std::string& property) {
  uint64_t value = 0;
  return db->GetAggregatedIntProperty(property, &value) ? value : 0;
}

}  // namespace

extern "C" {

rocksdb_cache_t* rocksdb_cache_create_lru(size_t capacity) {
  return new rocksdb_cache_t{capi::NewLRUCache(capacity)};
}

rocksdb_cache_t* rocksdb_cache_create_lru_with_strict_capacity_limit(
    size_t capacity) {
  return new rocksdb_cache_t{capi::NewLRUCache(capacity, -1, true)};
}

rocksdb_cache_t* rocksdb_cache_create_lru_opts(
    const rocksdb_lru_cache_options_t* options) {
  return new rocksdb_cache_t{capi::NewLRUCache(options->rep)};
}

rocksdb_cache_t* rocksdb_cache_create_hyper_clock(
    size_t capacity, size_t estimated_entry_charge) {
  return new rocksdb_cache_t{
      capi::HyperClockCacheOptions(capacity, estimated_entry_charge)
          .MakeSharedCache()};
}

rocksdb_cache_t* rocksdb_cache_create_hyper_clock_opts(
    const rocksdb_hyper_clock_cache_options_t* options) {
  return new rocksdb_cache_t{options->rep.MakeSharedCache()};
}

void rocksdb_cache_destroy(rocksdb_cache_t* cache) { delete cache; }

void rocksdb_cache_disown_data(rocksdb_cache_t* cache) {
  cache->rep->DisownData();
}

void rocksdb_cache_set_capacity(rocksdb_cache_t* cache, size_t capacity) {
  cache->rep->SetCapacity(capacity);
}

size_t rocksdb_cache_get_capacity(const rocksdb_cache_t* cache) {
  return cache->rep->GetCapacity();
}

size_t rocksdb_cache_get_usage(const rocksdb_cache_t* cache) {
  return cache->rep->GetUsage();
}

size_t rocksdb_cache_get_pinned_usage(const rocksdb_cache_t* cache) {
  return cache->rep->GetPinnedUsage();
}

size_t rocksdb_cache_get_table_address_count(const rocksdb_cache_t* cache) {
  return cache->rep->GetTableAddressCount();
}

size_t rocksdb_cache_get_occupancy_count(const rocksdb_cache_t* cache) {
  return cache->rep->GetOccupancyCount();
}

rocksdb_lru_cache_options_t* rocksdb_lru_cache_options_create(void) {
  return new rocksdb_lru_cache_options_t;
}

void rocksdb_lru_cache_options_destroy(rocksdb_lru_cache_options_t* options) {
  delete options;
}

void rocksdb_lru_cache_options_set_capacity(
    rocksdb_lru_cache_options_t* options, size_t capacity) {
  options->rep.capacity = capacity;
}

void rocksdb_lru_cache_options_set_num_shard_bits(
    rocksdb_lru_cache_options_t* options, int num_shard_bits) {
  options->rep.num_shard_bits = num_shard_bits;
}

rocksdb_hyper_clock_cache_options_t* rocksdb_hyper_clock_cache_options_create(
    size_t capacity, size_t estimated_entry_charge) {
  return new rocksdb_hyper_clock_cache_options_t{
      capi::HyperClockCacheOptions(capacity, estimated_entry_charge)};
}

void rocksdb_hyper_clock_cache_options_destroy(
    rocksdb_hyper_clock_cache_options_t* options) {
  delete options;
}

void rocksdb_hyper_clock_cache_options_set_capacity(
    rocksdb_hyper_clock_cache_options_t* options, size_t capacity) {
  options->rep.capacity = capacity;
}

void rocksdb_hyper_clock_cache_options_set_estimated_entry_charge(
    rocksdb_hyper_clock_cache_options_t* options,
    size_t estimated_entry_charge) {
  options->rep.estimated_entry_charge = estimated_entry_charge;
}

void rocksdb_hyper_clock_cache_options_set_num_shard_bits(
    rocksdb_hyper_clock_cache_options_t* options, int num_shard_bits) {
  options->rep.num_shard_bits = num_shard_bits;
}

rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_bloom(double bits_per_key) {
  return new rocksdb_filterpolicy_t{std::shared_ptr<const capi::FilterPolicy>(
      capi::NewBloomFilterPolicy(bits_per_key))};
}

rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_bloom_full(
    double bits_per_key) {
  return rocksdb_filterpolicy_create_bloom(bits_per_key);
}

rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_ribbon(
    double bloom_equivalent_bits_per_key) {
  return rocksdb_filterpolicy_create_ribbon_hybrid(
      bloom_equivalent_bits_per_key, -1);
}

rocksdb_filterpolicy_t* rocksdb_filterpolicy_create_ribbon_hybrid(
    double bloom_equivalent_bits_per_key, int bloom_before_level) {
  return new rocksdb_filterpolicy_t{
      std::shared_ptr<const capi::FilterPolicy>(capi::NewRibbonFilterPolicy(
          bloom_equivalent_bits_per_key, bloom_before_level))};
}

void rocksdb_filterpolicy_destroy(rocksdb_filterpolicy_t* policy) {
  delete policy;
}

rocksdb_ratelimiter_t* rocksdb_ratelimiter_create(int64_t rate_bytes_per_sec,
                                                  int64_t refill_period_us,
                                                  int32_t fairness) {
  return new rocksdb_ratelimiter_t{
      std::shared_ptr<RateLimiter>(capi::NewGenericRateLimiter(
          rate_bytes_per_sec, refill_period_us, fairness))};
}

rocksdb_ratelimiter_t* rocksdb_ratelimiter_create_auto_tuned(
    int64_t rate_bytes_per_sec, int64_t refill_period_us, int32_t fairness) {
  return new rocksdb_ratelimiter_t{
      std::shared_ptr<RateLimiter>(capi::NewGenericRateLimiter(
          rate_bytes_per_sec, refill_period_us, fairness,
          RateLimiter::Mode::kWritesOnly, true))};
}

rocksdb_ratelimiter_t* rocksdb_ratelimiter_create_with_mode(
    int64_t rate_bytes_per_sec, int64_t refill_period_us, int32_t fairness,
    int mode, bool auto_tuned) {
  return new rocksdb_ratelimiter_t{
      std::shared_ptr<RateLimiter>(capi::NewGenericRateLimiter(
          rate_bytes_per_sec, refill_period_us, fairness,
          static_cast<RateLimiter::Mode>(mode), auto_tuned))};
}

void rocksdb_ratelimiter_destroy(rocksdb_ratelimiter_t* limiter) {
  delete limiter;
}

rocksdb_write_buffer_manager_t* rocksdb_write_buffer_manager_create(
    size_t buffer_size, bool allow_stall) {
  return new rocksdb_write_buffer_manager_t{
      std::make_shared<capi::WriteBufferManager>(
          buffer_size, std::shared_ptr<capi::Cache>(), allow_stall)};
}

rocksdb_write_buffer_manager_t* rocksdb_write_buffer_manager_create_with_cache(
    size_t buffer_size, const rocksdb_cache_t* cache, bool allow_stall) {
  return new rocksdb_write_buffer_manager_t{
      std::make_shared<capi::WriteBufferManager>(buffer_size, cache->rep,
                                                 allow_stall)};
}

void rocksdb_write_buffer_manager_destroy(rocksdb_write_buffer_manager_t* wbm) {
  delete wbm;
}

bool rocksdb_write_buffer_manager_enabled(rocksdb_write_buffer_manager_t* wbm) {
  return wbm->rep->enabled();
}

bool rocksdb_write_buffer_manager_cost_to_cache(
    rocksdb_write_buffer_manager_t* wbm) {
  return wbm->rep->cost_to_cache();
}

size_t rocksdb_write_buffer_manager_memory_usage(
    rocksdb_write_buffer_manager_t* wbm) {
  return wbm->rep->memory_usage();
}

size_t rocksdb_write_buffer_manager_mutable_memtable_memory_usage(
    rocksdb_write_buffer_manager_t* wbm) {
  return wbm->rep->mutable_memtable_memory_usage();
}

size_t rocksdb_write_buffer_manager_dummy_entries_in_cache_usage(
    rocksdb_write_buffer_manager_t* wbm) {
  return wbm->rep->dummy_entries_in_cache_usage();
}

size_t rocksdb_write_buffer_manager_buffer_size(
    rocksdb_write_buffer_manager_t* wbm) {
  return wbm->rep->buffer_size();
}

void rocksdb_write_buffer_manager_set_buffer_size(
    rocksdb_write_buffer_manager_t* wbm, size_t new_size) {
  wbm->rep->SetBufferSize(new_size);
}

void rocksdb_write_buffer_manager_set_allow_stall(
    rocksdb_write_buffer_manager_t* wbm, bool new_allow_stall) {
  wbm->rep->SetAllowStall(new_allow_stall);
}

rocksdb_sst_file_manager_t* rocksdb_sst_file_manager_create(
    rocksdb_env_t* env) {
  std::shared_ptr<capi::SstFileManager> manager(
      capi::NewSstFileManager(env->rep));
  return new rocksdb_sst_file_manager_t{std::move(manager)};
}

void rocksdb_sst_file_manager_destroy(rocksdb_sst_file_manager_t* manager) {
  delete manager;
}

void rocksdb_sst_file_manager_set_max_allowed_space_usage(
    rocksdb_sst_file_manager_t* manager, uint64_t max_allowed_space) {
  manager->rep->SetMaxAllowedSpaceUsage(max_allowed_space);
}

void rocksdb_sst_file_manager_set_compaction_buffer_size(
    rocksdb_sst_file_manager_t* manager, uint64_t compaction_buffer_size) {
  manager->rep->SetCompactionBufferSize(compaction_buffer_size);
}

bool rocksdb_sst_file_manager_is_max_allowed_space_reached(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->IsMaxAllowedSpaceReached();
}

bool rocksdb_sst_file_manager_is_max_allowed_space_reached_including_compactions(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->IsMaxAllowedSpaceReachedIncludingCompactions();
}

uint64_t rocksdb_sst_file_manager_get_total_size(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetTotalSize();
}

int64_t rocksdb_sst_file_manager_get_delete_rate_bytes_per_second(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetDeleteRateBytesPerSecond();
}

void rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(
    rocksdb_sst_file_manager_t* manager, int64_t delete_rate) {
  manager->rep->SetDeleteRateBytesPerSecond(delete_rate);
}

double rocksdb_sst_file_manager_get_max_trash_db_ratio(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetMaxTrashDBRatio();
}

void rocksdb_sst_file_manager_set_max_trash_db_ratio(
    rocksdb_sst_file_manager_t* manager, double ratio) {
  manager->rep->SetMaxTrashDBRatio(ratio);
}

uint64_t rocksdb_sst_file_manager_get_total_trash_size(
    rocksdb_sst_file_manager_t* manager) {
  return manager->rep->GetTotalTrashSize();
}

rocksdb_memory_consumers_t* rocksdb_memory_consumers_create(void) {
  return new rocksdb_memory_consumers_t;
}

void rocksdb_memory_consumers_add_db(rocksdb_memory_consumers_t* consumers,
                                     rocksdb_t* db) {
  consumers->databases.insert(db->rep);
}

void rocksdb_memory_consumers_add_cache(rocksdb_memory_consumers_t* consumers,
                                        rocksdb_cache_t* cache) {
  consumers->caches.insert(cache->rep);
}

void rocksdb_memory_consumers_destroy(rocksdb_memory_consumers_t* consumers) {
  delete consumers;
}

rocksdb_memory_usage_t* rocksdb_approximate_memory_usage_create(
    rocksdb_memory_consumers_t* consumers, char** /*errptr*/) {
  auto* usage = new rocksdb_memory_usage_t;
  using Names = capi::DB::Properties;
  for (capi::DB* db : consumers->databases) {
    usage->mem_table_total += Total(db, Names::kSizeAllMemTables);
    usage->mem_table_unflushed += Total(db, Names::kCurSizeAllMemTables);
    usage->mem_table_readers_total +=
        Total(db, Names::kEstimateTableReadersMem);
  }
  for (const auto& cache : consumers->caches) {
    usage->cache_total += cache->GetUsage();
  }
  return usage;
}

void rocksdb_approximate_memory_usage_destroy(rocksdb_memory_usage_t* usage) {
  delete usage;
}

uint64_t rocksdb_approximate_memory_usage_get_mem_table_total(
    rocksdb_memory_usage_t* memory_usage) {
  return memory_usage->mem_table_total;
}

uint64_t rocksdb_approximate_memory_usage_get_mem_table_unflushed(
    rocksdb_memory_usage_t* memory_usage) {
  return memory_usage->mem_table_unflushed;
}

uint64_t rocksdb_approximate_memory_usage_get_mem_table_readers_total(
    rocksdb_memory_usage_t* memory_usage) {
  return memory_usage->mem_table_readers_total;
}

uint64_t rocksdb_approximate_memory_usage_get_cache_total(
    rocksdb_memory_usage_t* memory_usage) {
  return memory_usage->cache_total;
}

}  // extern "C"
