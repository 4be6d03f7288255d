// Construction and presets of the public option structs.

#include "rocksdb/options.h"

#include <algorithm>

#include "db/options/options_table.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr uint64_t kMiB = 1048576;

// Known at compile time: programs construct Options in static initialisers.
constexpr CompressionType DefaultCompression() {
#if defined(RIVERSTONE_LZ4)
  return kLZ4Compression;
#elif defined(RIVERSTONE_SNAPPY)
  return kSnappyCompression;
#else
  return kNoCompression;
#endif
}

bool Before(int major, int minor, int than_major, int than_minor) {
  return major < than_major || (major == than_major && minor < than_minor);
}

std::shared_ptr<TableFactory> DefaultTableFactory() {
  return std::shared_ptr<TableFactory>(NewBlockBasedTableFactory());
}

}  // namespace

const char* const kHostnameForDbHostId = "__hostname__";

AdvancedColumnFamilyOptions::AdvancedColumnFamilyOptions() = default;
AdvancedColumnFamilyOptions::AdvancedColumnFamilyOptions(const Options& options)
    : AdvancedColumnFamilyOptions(
          static_cast<const AdvancedColumnFamilyOptions&>(options)) {}

ColumnFamilyOptions::ColumnFamilyOptions()
    : compression(DefaultCompression()), table_factory(DefaultTableFactory()) {}
ColumnFamilyOptions::ColumnFamilyOptions(const Options& options)
    : ColumnFamilyOptions(static_cast<const ColumnFamilyOptions&>(options)) {}

DBOptions::DBOptions() = default;
DBOptions::DBOptions(const Options& options)
    : DBOptions(static_cast<const DBOptions&>(options)) {}

void DBOptions::Dump(Logger* log) const { engine::DumpOptions(log, *this); }

void ColumnFamilyOptions::Dump(Logger* log) const {
  engine::DumpOptions(log, *this);
}

void Options::Dump(Logger* log) const {
  DBOptions::Dump(log);
  DumpCFOptions(log);
}

void Options::DumpCFOptions(Logger* log) const {
  ColumnFamilyOptions::Dump(log);
}

DBOptions* DBOptions::OldDefaults(int major, int minor) {
  if (Before(major, minor, 4, 7)) {
    max_file_opening_threads = 1;
    table_cache_numshardbits = 4;
  }
  if (Before(major, minor, 5, 2)) {
    delayed_write_rate = 2 * kMiB;
  } else if (Before(major, minor, 5, 6)) {
    delayed_write_rate = 16 * kMiB;
  }
  if (Before(major, minor, 5, 0)) {
    max_open_files = 5000;
    wal_recovery_mode = WALRecoveryMode::kTolerateCorruptedTailRecords;
  }
  return this;
}

ColumnFamilyOptions* ColumnFamilyOptions::OldDefaults(int major, int minor) {
  if (Before(major, minor, 5, 19)) compaction_pri = kByCompensatedSize;
  if (Before(major, minor, 4, 7)) {
    write_buffer_size = 4 * kMiB;
    target_file_size_base = 2 * kMiB;
    max_bytes_for_level_base = 10 * kMiB;
    soft_pending_compaction_bytes_limit = 0;
    hard_pending_compaction_bytes_limit = 0;
  }
  if (Before(major, minor, 5, 0)) {
    level0_stop_writes_trigger = 24;
  } else if (Before(major, minor, 5, 2)) {
    level0_stop_writes_trigger = 30;
  }
  if (Before(major, minor, 8, 4)) level_compaction_dynamic_level_bytes = false;
  return this;
}

Options* Options::OldDefaults(int major, int minor) {
  DBOptions::OldDefaults(major, minor);
  ColumnFamilyOptions::OldDefaults(major, minor);
  return this;
}

DBOptions* DBOptions::IncreaseParallelism(int total_threads) {
  max_background_jobs = total_threads;
  env->SetBackgroundThreads(total_threads, Env::LOW);
  env->SetBackgroundThreads(1, Env::HIGH);
  return this;
}

DBOptions* DBOptions::OptimizeForSmallDb(std::shared_ptr<Cache>* cache) {
  max_file_opening_threads = 1;
  max_open_files = 5000;
  if (cache != nullptr) {
    write_buffer_manager = std::make_shared<WriteBufferManager>(0, *cache);
  }
  return this;
}

ColumnFamilyOptions* ColumnFamilyOptions::OptimizeForSmallDb(
    std::shared_ptr<Cache>* cache) {
  write_buffer_size = 2 * kMiB;
  target_file_size_base = 2 * kMiB;
  max_bytes_for_level_base = 10 * kMiB;
  soft_pending_compaction_bytes_limit = 256 * kMiB;
  hard_pending_compaction_bytes_limit = 1024 * kMiB;

  BlockBasedTableOptions table;
  if (cache != nullptr) {
    table.block_cache = *cache;
    table.cache_index_and_filter_blocks = true;
  }
  table_factory.reset(NewBlockBasedTableFactory(table));
  return this;
}

Options* Options::OptimizeForSmallDb() {
  std::shared_ptr<Cache> cache = NewLRUCache(16 * kMiB);
  ColumnFamilyOptions::OptimizeForSmallDb(&cache);
  DBOptions::OptimizeForSmallDb(&cache);
  return this;
}

ColumnFamilyOptions* ColumnFamilyOptions::OptimizeForPointLookup(
    uint64_t block_cache_size_mb) {
  BlockBasedTableOptions table;
  table.data_block_index_type = BlockBasedTableOptions::kDataBlockBinaryAndHash;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  table.block_cache = NewLRUCache(block_cache_size_mb * kMiB);
  table_factory.reset(NewBlockBasedTableFactory(table));
  memtable_prefix_bloom_size_ratio = 0.02;
  memtable_whole_key_filtering = true;
  return this;
}

ColumnFamilyOptions* ColumnFamilyOptions::OptimizeLevelStyleCompaction(
    uint64_t memtable_memory_budget) {
  write_buffer_size = memtable_memory_budget / 4;
  min_write_buffer_number_to_merge = 2;
  max_write_buffer_number = 6;  // Half of the budget again, while flushing.
  level0_file_num_compaction_trigger = 2;
  target_file_size_base = memtable_memory_budget / 8;
  max_bytes_for_level_base = memtable_memory_budget;
  compaction_style = kCompactionStyleLevel;
  // Young data is rewritten soon: compressing it is not worth it.
  compression_per_level.assign(static_cast<size_t>(num_levels),
                               DefaultCompression());
  for (size_t level = 0; level < 2 && level < compression_per_level.size();
       ++level) {
    compression_per_level[level] = kNoCompression;
  }
  return this;
}

ColumnFamilyOptions* ColumnFamilyOptions::OptimizeUniversalStyleCompaction(
    uint64_t memtable_memory_budget) {
  write_buffer_size = memtable_memory_budget / 4;
  min_write_buffer_number_to_merge = 2;
  max_write_buffer_number = 6;
  compaction_style = kCompactionStyleUniversal;
  compaction_options_universal.compression_size_percent = 80;
  return this;
}

Options* Options::PrepareForBulkLoad() {
  constexpr int kNever = 1 << 30;
  level0_file_num_compaction_trigger = kNever;
  level0_slowdown_writes_trigger = kNever;
  level0_stop_writes_trigger = kNever;
  soft_pending_compaction_bytes_limit = 0;
  hard_pending_compaction_bytes_limit = 0;
  disable_auto_compactions = true;
  // One manual compaction afterwards must be able to take everything.
  max_compaction_bytes = uint64_t{1} << 60;
  num_levels = 2;
  max_write_buffer_number = 6;
  min_write_buffer_number_to_merge = 1;
  max_background_flushes = 4;
  target_file_size_base = 256 * kMiB;
  return this;
}

Options* Options::DisableExtraChecks() {
  force_consistency_checks = false;
  flush_verify_memtable_count = false;
  compaction_verify_record_count = false;
  return this;
}

}  // namespace ROCKSDB_NAMESPACE
