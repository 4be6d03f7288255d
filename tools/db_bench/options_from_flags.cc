#include "tools/db_bench/options_from_flags.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "env/throttled_file_system.h"
#include "rocksdb/advanced_cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/io_scheduler.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/secondary_cache.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/sst_file_manager.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/options_string.h"
#include "rocksdb/utilities/options_util.h"
#include "rocksdb/utilities/sim_cache.h"
#include "rocksdb/write_buffer_manager.h"
#include "tools/db_bench/filters.h"
#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr uint64_t kMB = uint64_t{1000} * 1000;

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

Status BadFlag(const std::string& name, const std::string& value,
               const std::string& expected) {
  return Status::InvalidArgument("--" + name + "=" + value,
                                 "expected " + expected);
}

struct NamedCompression {
  const char* name;
  CompressionType type;
  const char* shown;
};
constexpr NamedCompression kCompressions[] = {
    {"none", kNoCompression, "NoCompression"},
    {"snappy", kSnappyCompression, "Snappy"},
    {"zlib", kZlibCompression, "Zlib"},
    {"bzip2", kBZip2Compression, "BZip2"},
    {"lz4", kLZ4Compression, "LZ4"},
    {"lz4hc", kLZ4HCCompression, "LZ4HC"},
    {"zstd", kZSTD, "ZSTD"},
};

Status ParseCompression(const std::string& flag, const std::string& value,
                        CompressionType* type) {
  const std::string name = Lower(value);
  for (const NamedCompression& c : kCompressions) {
    if (name != c.name) continue;
    *type = c.type;
    return Status::OK();
  }
  return BadFlag(flag, value, "none, snappy, zlib, bzip2, lz4, lz4hc or zstd");
}

void SetThreads(DBOptions* o) {
  o->max_background_jobs = FLAGS_max_background_jobs;
  o->max_background_compactions = FLAGS_max_background_compactions;
  o->max_background_flushes = FLAGS_max_background_flushes;
  o->max_subcompactions = static_cast<uint32_t>(FLAGS_subcompactions);
  o->max_file_opening_threads = FLAGS_file_opening_threads;
  const std::pair<Env::Priority, int> pools[] = {
      {Env::BOTTOM, FLAGS_num_bottom_pri_threads},
      {Env::HIGH, FLAGS_num_high_pri_threads},
      {Env::LOW, FLAGS_num_low_pri_threads}};
  for (const auto& [pool, threads] : pools) {
    if (threads > 0) o->env->SetBackgroundThreads(threads, pool);
  }
}

void SetLogs(DBOptions* o) {
  o->max_total_wal_size = FLAGS_max_total_wal_size;
  o->WAL_ttl_seconds = FLAGS_wal_ttl_seconds;
  o->WAL_size_limit_MB = FLAGS_wal_size_limit_MB;
  o->recycle_log_file_num = static_cast<size_t>(FLAGS_recycle_log_file_num);
  o->wal_bytes_per_sync = FLAGS_wal_bytes_per_sync;
  o->manual_wal_flush = FLAGS_manual_wal_flush;
  o->wal_dir = FLAGS_wal_dir;
  o->track_and_verify_wals_in_manifest =
      FLAGS_track_and_verify_wals_in_manifest;
  o->track_and_verify_wals = FLAGS_track_and_verify_wals;
  o->avoid_flush_during_recovery = FLAGS_avoid_flush_during_recovery;
  o->avoid_flush_during_shutdown = FLAGS_avoid_flush_during_shutdown;
  o->log_readahead_size = static_cast<size_t>(FLAGS_log_readahead_size);
}

void SetFiles(DBOptions* o) {
  o->max_open_files = FLAGS_open_files;
  o->table_cache_numshardbits = FLAGS_table_cache_numshardbits;
  o->bytes_per_sync = FLAGS_bytes_per_sync;
  o->use_fsync = FLAGS_use_fsync;
  o->use_direct_reads = FLAGS_use_direct_reads;
  o->use_direct_io_for_flush_and_compaction =
      FLAGS_use_direct_io_for_flush_and_compaction;
  o->allow_mmap_reads = FLAGS_mmap_read;
  o->allow_mmap_writes = FLAGS_mmap_write;
  o->advise_random_on_open = FLAGS_advise_random_on_open;
  o->compaction_readahead_size =
      static_cast<size_t>(FLAGS_compaction_readahead_size);
  o->writable_file_max_buffer_size =
      static_cast<size_t>(FLAGS_writable_file_max_buffer_size);
  o->delete_obsolete_files_period_micros =
      FLAGS_delete_obsolete_files_period_micros;
  o->paranoid_checks = FLAGS_paranoid_checks;
  o->flush_verify_memtable_count = FLAGS_flush_verify_memtable_count;
  o->compaction_verify_record_count = FLAGS_compaction_verify_record_count;
  o->max_manifest_file_size = FLAGS_max_manifest_file_size;
  if (FLAGS_file_checksum) {
    o->file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  }
}

void SetWritePath(DBOptions* o) {
  o->delayed_write_rate = FLAGS_delayed_write_rate;
  o->enable_pipelined_write = FLAGS_enable_pipelined_write;
  o->unordered_write = FLAGS_unordered_write;
  o->allow_concurrent_memtable_write = FLAGS_allow_concurrent_memtable_write;
  o->enable_write_thread_adaptive_yield =
      FLAGS_enable_write_thread_adaptive_yield;
  o->write_thread_max_yield_usec = FLAGS_write_thread_max_yield_usec;
  o->write_thread_slow_yield_usec = FLAGS_write_thread_slow_yield_usec;
  o->db_write_buffer_size = static_cast<size_t>(FLAGS_db_write_buffer_size);
}

class StderrLog final : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
  }
};

// The timeline and maxsustained read tickers.
Status SetStatistics(DBOptions* o) {
  if (!FLAGS_statistics_string.empty()) {
    RETURN_IF_ERROR(Statistics::CreateFromString(
        ConfigOptions(), FLAGS_statistics_string, &o->statistics));
  }
  if (o->statistics == nullptr &&
      (FLAGS_statistics || !FLAGS_timeline_file.empty() ||
       FLAGS_benchmarks.find("maxsustained") != std::string::npos)) {
    o->statistics = CreateDBStatistics();
  }
  if (o->statistics != nullptr) {
    o->statistics->set_stats_level(static_cast<StatsLevel>(FLAGS_stats_level));
  }
  return Status::OK();
}

void SetReporting(DBOptions* o) {
  o->stats_dump_period_sec =
      static_cast<unsigned int>(FLAGS_stats_dump_period_sec);
  o->stats_persist_period_sec =
      static_cast<unsigned int>(FLAGS_stats_persist_period_sec);
  o->stats_history_buffer_size = FLAGS_stats_history_buffer_size;
  o->dump_malloc_stats = FLAGS_dump_malloc_stats;
  o->allow_data_in_errors = FLAGS_allow_data_in_errors;
  if (FLAGS_use_stderr_info_logger) o->info_log = std::make_shared<StderrLog>();
}

void SetRateLimiter(DBOptions* o) {
  if (!FLAGS_io_profile.empty()) {
    IOSchedulerOptions scheduler;
    scheduler.profile_path = FLAGS_io_profile;
    o->io_scheduler = NewIOScheduler(scheduler);
  }
  if (FLAGS_rate_limiter_bytes_per_sec == 0) return;
  o->rate_limiter.reset(NewGenericRateLimiter(
      static_cast<int64_t>(FLAGS_rate_limiter_bytes_per_sec),
      FLAGS_rate_limiter_refill_period_us, 10,
      FLAGS_rate_limit_bg_reads ? RateLimiter::Mode::kReadsOnly
                                : RateLimiter::Mode::kWritesOnly,
      FLAGS_rate_limiter_auto_tuned, FLAGS_rate_limiter_single_burst_bytes));
}

void SetFileManager(DBOptions* o) {
  if (FLAGS_sst_file_manager_bytes_per_sec == 0) return;
  o->sst_file_manager.reset(NewSstFileManager(
      o->env, nullptr, "", FLAGS_sst_file_manager_bytes_per_sec, true, nullptr,
      /*max_trash_db_ratio=*/1,
      static_cast<uint64_t>(FLAGS_sst_file_manager_bytes_per_truncate)));
}

void SetMemtables(ColumnFamilyOptions* o) {
  o->write_buffer_size = static_cast<size_t>(FLAGS_write_buffer_size);
  o->max_write_buffer_number = FLAGS_max_write_buffer_number;
  o->min_write_buffer_number_to_merge = FLAGS_min_write_buffer_number_to_merge;
  o->max_write_buffer_number_to_maintain =
      FLAGS_max_write_buffer_number_to_maintain;
  o->max_write_buffer_size_to_maintain =
      FLAGS_max_write_buffer_size_to_maintain;
  o->arena_block_size = static_cast<size_t>(FLAGS_arena_block_size);
  o->memtable_prefix_bloom_size_ratio = FLAGS_memtable_bloom_size_ratio;
  o->memtable_whole_key_filtering = FLAGS_memtable_whole_key_filtering;
  o->inplace_update_support = FLAGS_inplace_update_support;
  o->inplace_update_num_locks =
      static_cast<size_t>(FLAGS_inplace_update_num_locks);
  o->max_successive_merges = static_cast<size_t>(FLAGS_max_successive_merges);
  o->strict_max_successive_merges = FLAGS_strict_max_successive_merges;
  o->experimental_mempurge_threshold = FLAGS_experimental_mempurge_threshold;
  if (FLAGS_memtable_use_huge_page) {
    constexpr size_t kHugePage = size_t{2} << 20;
    o->memtable_huge_page_size = kHugePage;
  }
  if (FLAGS_memtable_insert_with_hint_prefix_size > 0) {
    o->memtable_insert_with_hint_prefix_extractor.reset(
        NewCappedPrefixTransform(
            static_cast<size_t>(FLAGS_memtable_insert_with_hint_prefix_size)));
  }
}

Status SetChecks(ColumnFamilyOptions* o) {
  o->memtable_protection_bytes_per_key =
      FLAGS_memtable_protection_bytes_per_key;
  o->memtable_verify_per_key_checksum_on_seek =
      FLAGS_memtable_verify_per_key_checksum_on_seek;
  o->paranoid_memory_checks = FLAGS_paranoid_memory_checks;
  o->memtable_batch_lookup_optimization =
      FLAGS_memtable_batch_lookup_optimization;
  o->memtable_op_scan_flush_trigger = FLAGS_memtable_op_scan_flush_trigger;
  o->memtable_max_range_deletions = FLAGS_memtable_max_range_deletions;
  // The option has one byte. Opening refuses other sizes up to its largest.
  if (FLAGS_block_protection_bytes_per_key > 8) {
    return BadFlag("block_protection_bytes_per_key",
                   std::to_string(FLAGS_block_protection_bytes_per_key),
                   "0, 1, 2, 4 or 8");
  }
  o->block_protection_bytes_per_key =
      static_cast<uint8_t>(FLAGS_block_protection_bytes_per_key);
  return Status::OK();
}

// "1,1,2"
Status SetFurtherFactors(ColumnFamilyOptions* o) {
  const std::string& text = FLAGS_max_bytes_for_level_multiplier_additional;
  if (text.empty()) return Status::OK();
  std::vector<int> factors;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    int factor = 0;
    const char* const end = part.data() + part.size();
    const auto [rest, error] = std::from_chars(part.data(), end, factor);
    if (error != std::errc() || rest != end || factor < 1) {
      return BadFlag("max_bytes_for_level_multiplier_additional", text,
                     "numbers of at least 1, separated by commas");
    }
    factors.push_back(factor);
  }
  o->max_bytes_for_level_multiplier_additional = std::move(factors);
  return Status::OK();
}

Status SetLevels(ColumnFamilyOptions* o) {
  if (FLAGS_compaction_pri < kByCompensatedSize ||
      FLAGS_compaction_pri > kRoundRobin) {
    return BadFlag("compaction_pri", std::to_string(FLAGS_compaction_pri),
                   "0 to 4");
  }
  if (FLAGS_num_levels < 1) {
    return BadFlag("num_levels", std::to_string(FLAGS_num_levels),
                   "at least 1");
  }
  o->disable_auto_compactions = FLAGS_disable_auto_compactions;
  o->auto_tuned_compaction = FLAGS_auto_tuned_compaction;
  o->compaction_style = static_cast<CompactionStyle>(FLAGS_compaction_style);
  o->compaction_pri = static_cast<CompactionPri>(FLAGS_compaction_pri);
  o->num_levels = FLAGS_num_levels;
  o->level_compaction_dynamic_level_bytes =
      FLAGS_level_compaction_dynamic_level_bytes;
  o->target_file_size_base = static_cast<uint64_t>(FLAGS_target_file_size_base);
  o->target_file_size_multiplier = FLAGS_target_file_size_multiplier;
  o->max_bytes_for_level_base = FLAGS_max_bytes_for_level_base;
  o->max_bytes_for_level_multiplier = FLAGS_max_bytes_for_level_multiplier;
  o->max_compaction_bytes = FLAGS_max_compaction_bytes;
  o->level0_file_num_compaction_trigger =
      FLAGS_level0_file_num_compaction_trigger;
  o->level0_slowdown_writes_trigger = FLAGS_level0_slowdown_writes_trigger;
  o->level0_stop_writes_trigger = FLAGS_level0_stop_writes_trigger;
  o->soft_pending_compaction_bytes_limit =
      FLAGS_soft_pending_compaction_bytes_limit;
  o->hard_pending_compaction_bytes_limit =
      FLAGS_hard_pending_compaction_bytes_limit;
  o->periodic_compaction_seconds = FLAGS_periodic_compaction_seconds;
  o->ttl = FLAGS_ttl_seconds;
  o->optimize_filters_for_hits = FLAGS_optimize_filters_for_hits;
  o->report_bg_io_stats = FLAGS_report_bg_io_stats;
  o->force_consistency_checks = FLAGS_force_consistency_checks;
  o->sample_for_compression = FLAGS_sample_for_compression;
  o->bottommost_file_compaction_delay = FLAGS_bottommost_file_compaction_delay;
  return SetFurtherFactors(o);
}

void SetOtherStyles(ColumnFamilyOptions* o) {
  CompactionOptionsUniversal& u = o->compaction_options_universal;
  auto set = [](int32_t flag, unsigned int* option) {
    if (flag != 0) *option = static_cast<unsigned int>(flag);
  };
  set(FLAGS_universal_size_ratio, &u.size_ratio);
  set(FLAGS_universal_min_merge_width, &u.min_merge_width);
  set(FLAGS_universal_max_merge_width, &u.max_merge_width);
  set(FLAGS_universal_max_size_amplification_percent,
      &u.max_size_amplification_percent);
  u.compression_size_percent = FLAGS_universal_compression_size_percent;
  u.allow_trivial_move = FLAGS_universal_allow_trivial_move;
  if (FLAGS_fifo_compaction_max_table_files_size_mb > 0) {
    o->compaction_options_fifo.max_table_files_size =
        FLAGS_fifo_compaction_max_table_files_size_mb << 20;
  }
  o->compaction_options_fifo.allow_compaction =
      FLAGS_fifo_compaction_allow_compaction;
}

Status SetCompression(ColumnFamilyOptions* o) {
  RETURN_IF_ERROR(ParseCompression("compression_type", FLAGS_compression_type,
                                   &o->compression));
  o->compression_opts.level = FLAGS_compression_level;
  o->compression_opts.max_dict_bytes =
      static_cast<uint32_t>(FLAGS_compression_max_dict_bytes);
  o->compression_opts.zstd_max_train_bytes =
      static_cast<uint32_t>(FLAGS_compression_zstd_max_train_bytes);
  o->compression_opts.max_dict_buffer_bytes =
      FLAGS_compression_max_dict_buffer_bytes;
  o->compression_opts.use_zstd_dict_trainer =
      FLAGS_compression_use_zstd_dict_trainer;
  o->compression_opts.parallel_threads =
      static_cast<uint32_t>(FLAGS_compression_parallel_threads);
  if (FLAGS_min_level_to_compress < 0) return Status::OK();
  for (int level = 0; level < FLAGS_num_levels; ++level) {
    o->compression_per_level.push_back(
        level < FLAGS_min_level_to_compress ? kNoCompression : o->compression);
  }
  return Status::OK();
}

// getmergeoperands merges sorted lists, unless the flags say otherwise.
Status SetMergeOperator(ColumnFamilyOptions* o) {
  const bool lists =
      FLAGS_benchmarks.find("getmergeoperands") != std::string::npos;
  const std::string name =
      FLAGS_merge_operator.empty() && lists ? "sortlist" : FLAGS_merge_operator;
  if (name.empty()) return Status::OK();
  return MergeOperator::CreateFromString(ConfigOptions(), name,
                                         &o->merge_operator);
}

Status SetFilter(ColumnFamilyOptions* o) {
  const bool expires = FLAGS_expire_style == "compaction_filter";
  if (FLAGS_use_keep_filter && expires) {
    return Status::InvalidArgument(
        "--use_keep_filter excludes --expire_style=compaction_filter: there is "
        "one filter");
  }
  if (FLAGS_use_keep_filter) o->compaction_filter = KeepFilter();
  if (expires) o->compaction_filter = ExpiredFilter();
  return Status::OK();
}

Status SetMemtableRep(ColumnFamilyOptions* o) {
  if (FLAGS_memtablerep == "skip_list") return Status::OK();
  std::string text = FLAGS_memtablerep;
  if (text == "prefix_hash" || text == "hash_linkedlist") {
    if (FLAGS_hash_bucket_count < 1) {
      return BadFlag("hash_bucket_count",
                     std::to_string(FLAGS_hash_bucket_count), "at least 1");
    }
    text += ":" + std::to_string(FLAGS_hash_bucket_count);
  }
  return MemTableRepFactory::CreateFromString(ConfigOptions(), text,
                                              &o->memtable_factory);
}

Status SetNamed(ColumnFamilyOptions* o) {
  const std::string tuning = Lower(FLAGS_compaction_tuning);
  if (tuning.empty()) {
    // As the library has it.
  } else if (tuning == "drain_switch") {
    o->compaction_tuning = CompactionTuning::kDrainSwitch;
  } else if (tuning == "adaptive") {
    o->compaction_tuning = CompactionTuning::kAdaptive;
  } else if (tuning == "advise") {
    o->compaction_tuning = CompactionTuning::kAdvise;
  } else {
    return BadFlag("compaction_tuning", FLAGS_compaction_tuning,
                   "drain_switch, adaptive or advise");
  }
  RETURN_IF_ERROR(SetMergeOperator(o));
  RETURN_IF_ERROR(SetFilter(o));
  RETURN_IF_ERROR(SetMemtableRep(o));
  if (FLAGS_prefix_size > 0) {
    o->prefix_extractor.reset(
        NewFixedPrefixTransform(static_cast<size_t>(FLAGS_prefix_size)));
  }
  return Status::OK();
}

engine::Result<std::shared_ptr<SecondaryCache>> SecondaryFromFlags() {
  std::shared_ptr<SecondaryCache> result;
  if (!FLAGS_secondary_cache_uri.empty()) {
    RETURN_IF_ERROR(SecondaryCache::CreateFromString(
        ConfigOptions(), FLAGS_secondary_cache_uri, &result));
  } else if (FLAGS_use_compressed_secondary_cache) {
    CompressedSecondaryCacheOptions o;
    o.capacity = static_cast<size_t>(FLAGS_compressed_secondary_cache_size);
    o.num_shard_bits = FLAGS_compressed_secondary_cache_numshardbits;
    o.high_pri_pool_ratio =
        FLAGS_compressed_secondary_cache_high_pri_pool_ratio;
    o.low_pri_pool_ratio = FLAGS_compressed_secondary_cache_low_pri_pool_ratio;
    o.compression_opts.level =
        FLAGS_compressed_secondary_cache_compression_level;
    RETURN_IF_ERROR(
        ParseCompression("compressed_secondary_cache_compression_type",
                         FLAGS_compressed_secondary_cache_compression_type,
                         &o.compression_type));
    result = NewCompressedSecondaryCache(o);
  }
  return result;
}

engine::Result<std::shared_ptr<Cache>> CacheFromFlags() {
  if (!FLAGS_cache_uri.empty()) {
    std::shared_ptr<Cache> cache;
    RETURN_IF_ERROR(
        Cache::CreateFromString(ConfigOptions(), FLAGS_cache_uri, &cache));
    return cache;
  }
  if (FLAGS_cache_size < 0) return std::shared_ptr<Cache>();
  engine::Result<std::shared_ptr<SecondaryCache>> secondary =
      SecondaryFromFlags();
  if (!secondary.ok()) return secondary.status();
  LRUCacheOptions o;
  o.capacity = static_cast<size_t>(FLAGS_cache_size);
  o.num_shard_bits = FLAGS_cache_numshardbits;
  o.secondary_cache = *secondary;
  const bool fixed = FLAGS_cache_type == "fixed_hyper_clock_cache";
  if (fixed || FLAGS_cache_type == "hyper_clock_cache" ||
      FLAGS_cache_type == "auto_hyper_clock_cache") {
    HyperClockCacheOptions clock(
        o.capacity, fixed ? static_cast<size_t>(FLAGS_block_size) : 0,
        o.num_shard_bits);
    clock.secondary_cache = o.secondary_cache;
    return clock.MakeSharedCache();
  }
  if (FLAGS_cache_type != "lru_cache") {
    return BadFlag("cache_type", FLAGS_cache_type,
                   "lru_cache, hyper_clock_cache, fixed_hyper_clock_cache or "
                   "auto_hyper_clock_cache");
  }
  o.high_pri_pool_ratio = FLAGS_cache_high_pri_pool_ratio;
  o.low_pri_pool_ratio = FLAGS_cache_low_pri_pool_ratio;
  return NewLRUCache(o);
}

void SetCharges(BlockBasedTableOptions* t) {
  using Decision = CacheEntryRoleOptions::Decision;
  const std::pair<CacheEntryRole, bool> flags[] = {
      {CacheEntryRole::kCompressionDictionaryBuildingBuffer,
       FLAGS_charge_compression_dictionary_building_buffer},
      {CacheEntryRole::kFilterConstruction, FLAGS_charge_filter_construction},
      {CacheEntryRole::kBlockBasedTableReader, FLAGS_charge_table_reader},
      {CacheEntryRole::kFileMetadata, FLAGS_charge_file_metadata},
      {CacheEntryRole::kBlobCache, FLAGS_charge_blob_cache},
  };
  for (const auto& [role, charged] : flags) {
    t->cache_usage_options.options_overrides[role].charged =
        charged && !t->no_block_cache ? Decision::kEnabled
                                      : Decision::kDisabled;
  }
}

Status SetIndex(BlockBasedTableOptions* t) {
  using Table = BlockBasedTableOptions;
  if (FLAGS_index_shortening_mode < 0 || FLAGS_index_shortening_mode > 2) {
    return BadFlag("index_shortening_mode",
                   std::to_string(FLAGS_index_shortening_mode), "0 to 2");
  }
  t->index_shortening =
      static_cast<Table::IndexShorteningMode>(FLAGS_index_shortening_mode);
  if (FLAGS_use_hash_search) t->index_type = Table::kHashSearch;
  if (FLAGS_index_with_first_key) {
    t->index_type = Table::kBinarySearchWithFirstKey;
  }
  if (FLAGS_partition_index || FLAGS_partition_index_and_filters) {
    t->index_type = Table::kTwoLevelIndexSearch;
  }
  t->partition_filters = FLAGS_partition_index_and_filters;
  t->metadata_block_size = static_cast<uint64_t>(FLAGS_metadata_block_size);
  if (FLAGS_index_per_partition > 0) {
    // An entry has a key with its sequence, lengths, a handle and its offset.
    constexpr int64_t kAroundKeyBytes = 24;
    t->metadata_block_size = static_cast<uint64_t>(
        FLAGS_index_per_partition * (FLAGS_key_size + kAroundKeyBytes));
  }
  t->partition_from_level = FLAGS_partition_from_level;
  t->decouple_partitioned_filters = FLAGS_decouple_partitioned_filters;
  t->index_block_restart_interval = FLAGS_index_block_restart_interval;
  t->enable_index_compression = FLAGS_enable_index_compression;
  return Status::OK();
}

void SetBlocks(BlockBasedTableOptions* t) {
  t->block_size = static_cast<uint64_t>(FLAGS_block_size);
  t->block_restart_interval = FLAGS_block_restart_interval;
  if (FLAGS_use_data_block_hash_index) {
    t->data_block_index_type = BlockBasedTableOptions::kDataBlockBinaryAndHash;
  }
  t->data_block_hash_table_util_ratio = FLAGS_data_block_hash_table_util_ratio;
  t->block_align = FLAGS_block_align;
  t->super_block_alignment_size =
      static_cast<size_t>(FLAGS_super_block_alignment_size);
  t->super_block_alignment_space_overhead_ratio =
      static_cast<size_t>(FLAGS_super_block_alignment_space_overhead_ratio);
  t->separate_key_value_in_data_block = FLAGS_separate_key_value_in_data_block;
  t->verify_compression = FLAGS_verify_compression;
  t->initial_auto_readahead_size =
      static_cast<size_t>(FLAGS_initial_auto_readahead_size);
  t->max_auto_readahead_size =
      static_cast<size_t>(FLAGS_max_auto_readahead_size);
  t->num_file_reads_for_auto_readahead =
      FLAGS_num_file_reads_for_auto_readahead;
}

Status ChargeMemtables(const std::shared_ptr<Cache>& cache, DBOptions* o) {
  if (!FLAGS_cost_write_buffer_to_cache) return Status::OK();
  if (cache == nullptr) {
    return Status::InvalidArgument(
        "--cost_write_buffer_to_cache needs a block cache; --cache_size is "
        "below 0");
  }
  o->write_buffer_manager = std::make_shared<WriteBufferManager>(
      static_cast<size_t>(FLAGS_db_write_buffer_size), cache);
  return Status::OK();
}

// --simcache_size around the block cache.
engine::Result<std::shared_ptr<Cache>> WithSimulation() {
  engine::Result<std::shared_ptr<Cache>> cache = CacheFromFlags();
  if (!cache.ok() || FLAGS_simcache_size < 0) return cache;
  if (*cache == nullptr) {
    return Status::InvalidArgument(
        "--simcache_size needs a block cache; --cache_size is below 0");
  }
  std::shared_ptr<Cache> simulated =
      NewSimCache(*cache, static_cast<size_t>(FLAGS_simcache_size),
                  FLAGS_cache_numshardbits);
  if (simulated == nullptr) {
    return Status::InvalidArgument(
        "--cache_numshardbits is too large for --simcache_size");
  }
  return simulated;
}

Status SetTable(Options* o) {
  BlockBasedTableOptions t;
  RETURN_IF_ERROR(SetIndex(&t));
  engine::Result<std::shared_ptr<Cache>> cache = WithSimulation();
  RETURN_IF_ERROR(cache.status());
  t.block_cache = *cache;
  t.no_block_cache = t.block_cache == nullptr;
  SetCharges(&t);
  if (FLAGS_prepopulate_block_cache == 1) {
    t.prepopulate_block_cache =
        BlockBasedTableOptions::PrepopulateBlockCache::kFlushOnly;
  }
  t.cache_index_and_filter_blocks = FLAGS_cache_index_and_filter_blocks;
  t.cache_index_and_filter_blocks_with_high_priority =
      FLAGS_cache_high_pri_pool_ratio > 1e-6;
  t.pin_l0_filter_and_index_blocks_in_cache =
      FLAGS_pin_l0_filter_and_index_blocks_in_cache;
  t.pin_top_level_index_and_filter = FLAGS_pin_top_level_index_and_filter;
  SetBlocks(&t);
  t.checksum = static_cast<ChecksumType>(FLAGS_checksum_type);
  t.format_version = static_cast<uint32_t>(FLAGS_format_version);
  t.read_amp_bytes_per_bit =
      static_cast<uint32_t>(FLAGS_read_amp_bytes_per_bit);
  t.whole_key_filtering = FLAGS_whole_key_filtering;
  t.optimize_filters_for_memory = FLAGS_optimize_filters_for_memory;
  if (FLAGS_bloom_bits >= 0) {
    t.filter_policy.reset(FLAGS_use_ribbon_filter
                              ? NewRibbonFilterPolicy(FLAGS_bloom_bits)
                              : NewBloomFilterPolicy(FLAGS_bloom_bits));
  }
  o->table_factory.reset(NewBlockBasedTableFactory(t));
  if (FLAGS_use_blob_cache) {
    o->blob_cache =
        FLAGS_use_shared_block_and_blob_cache
            ? t.block_cache
            : NewLRUCache(FLAGS_blob_cache_size, FLAGS_blob_cache_numshardbits);
  }
  return ChargeMemtables(t.block_cache, o);
}

Status SetBlobs(ColumnFamilyOptions* o) {
  o->enable_blob_files = FLAGS_enable_blob_files;
  o->min_blob_size = FLAGS_min_blob_size;
  o->blob_file_size = FLAGS_blob_file_size;
  o->enable_blob_garbage_collection = FLAGS_enable_blob_garbage_collection;
  o->blob_garbage_collection_age_cutoff =
      FLAGS_blob_garbage_collection_age_cutoff;
  o->blob_garbage_collection_force_threshold =
      FLAGS_blob_garbage_collection_force_threshold;
  o->blob_compaction_readahead_size = FLAGS_blob_compaction_readahead_size;
  o->blob_file_starting_level = FLAGS_blob_file_starting_level;
  o->prepopulate_blob_cache = FLAGS_prepopulate_blob_cache != 0
                                  ? PrepopulateBlobCache::kFlushOnly
                                  : PrepopulateBlobCache::kDisable;
  return ParseCompression("blob_compression_type", FLAGS_blob_compression_type,
                          &o->blob_compression_type);
}

bool IsLog(const std::string& path) {
  const std::string suffix = ".log";
  return path.size() > suffix.size() &&
         path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
}

std::shared_ptr<FileSystem> SimulatedFileSystem() {
  engine::DeviceModel::Options device;
  device.write_mbps = FLAGS_device_write_mbps;
  device.read_mbps = FLAGS_device_read_mbps;
  device.dirty_bytes_max = FLAGS_device_dirty_mb * kMB;
  device.charge_wal = FLAGS_device_charge_wal;
  return std::make_shared<engine::ThrottledFileSystem>(
      FileSystem::Default(), SystemClock::Default(), device, IsLog);
}

// Null: the default one.
std::shared_ptr<Env> EnvFromFlags(
    const std::shared_ptr<FileOperations>& operations) {
  std::shared_ptr<FileSystem> files = FileSystem::Default();
  const bool simulated =
      FLAGS_device_write_mbps > 0 || FLAGS_device_read_mbps > 0;
  if (simulated) files = SimulatedFileSystem();
  if (operations != nullptr) {
    files = std::make_shared<CountedFileSystem>(files, operations);
  }
  if (!simulated && operations == nullptr) return nullptr;
  return NewCompositeEnv(files);
}

Status SetAll(Options* o) {
  SetThreads(o);
  SetLogs(o);
  SetFiles(o);
  SetWritePath(o);
  SetReporting(o);
  SetRateLimiter(o);
  SetFileManager(o);
  SetMemtables(o);
  RETURN_IF_ERROR(SetChecks(o));
  RETURN_IF_ERROR(SetLevels(o));
  SetOtherStyles(o);
  RETURN_IF_ERROR(ParseCompression("wal_compression", FLAGS_wal_compression,
                                   &o->wal_compression));
  RETURN_IF_ERROR(SetCompression(o));
  RETURN_IF_ERROR(SetBlobs(o));
  RETURN_IF_ERROR(SetNamed(o));
  return SetTable(o);
}

// Of an OPTIONS file: all but the environment, caches, the directory of the
// logs, which may be that of the file's database, and what a file cannot hold.
Status TakeOptionsFile(Options* o) {
  Env* const env = o->env;
  engine::Result<std::shared_ptr<Cache>> made = CacheFromFlags();
  RETURN_IF_ERROR(made.status());
  std::shared_ptr<Cache> cache = *made;
  DBOptions of_db;
  std::vector<ColumnFamilyDescriptor> families;
  RETURN_IF_ERROR(LoadOptionsFromFile(
      FLAGS_options_file, env, &of_db, &families,
      /*ignore_unknown_options=*/false, cache == nullptr ? nullptr : &cache));
  const auto family = std::find_if(families.begin(), families.end(),
                                   [](const ColumnFamilyDescriptor& f) {
                                     return f.name == kDefaultColumnFamilyName;
                                   });
  if (family == families.end()) {
    return Status::InvalidArgument(FLAGS_options_file,
                                   "has no default column family");
  }
  *o = Options(of_db, family->options);
  o->env = env;
  o->wal_dir = FLAGS_wal_dir;
  o->error_if_exists = false;
  RETURN_IF_ERROR(SetMergeOperator(o));
  return SetFilter(o);
}

}  // namespace

std::string CompressionName(CompressionType type) {
  for (const NamedCompression& c : kCompressions) {
    if (c.type == type) return c.shown;
  }
  return "Unknown";
}

engine::Result<BenchOptions> OptionsFromFlags() {
  BenchOptions result;
  Options& o = result.options;
  if (FLAGS_report_file_operations) {
    result.file_operations = std::make_shared<FileOperations>();
  }
  result.env = EnvFromFlags(result.file_operations);
  if (result.env != nullptr) o.env = result.env.get();
  RETURN_IF_ERROR(FLAGS_options_file.empty() ? SetAll(&o)
                                             : TakeOptionsFile(&o));
  o.create_if_missing = !FLAGS_use_existing_db;
  o.create_missing_column_families = true;
  RETURN_IF_ERROR(SetStatistics(&o));
  if (FLAGS_row_cache_size > 0) {
    o.row_cache = NewLRUCache(static_cast<size_t>(FLAGS_row_cache_size));
  }
  RETURN_IF_ERROR(GetOptionsFromCommaString(o, FLAGS_options_string, &o));
  return result;
}

}  // namespace ROCKSDB_NAMESPACE::bench
