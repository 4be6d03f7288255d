#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "db/format/file_names.h"
#include "db/options/table_factories.h"
#include "db/options/validate.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/write_buffer_manager.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr uint64_t kMiB = 1048576;
constexpr uint64_t kUnsetSeconds = 0xfffffffffffffffe;
constexpr uint64_t kThirtyDaysSeconds = uint64_t{30} * 24 * 60 * 60;
// Below this even small databases are slowed down by the table cache.
constexpr int kOpenFilesMin = 20;
constexpr uint64_t kDelayedWriteRateDefault = 16 * kMiB;
// The allocator's page; also what O_DIRECT wants.
constexpr size_t kPageBytes = 4096;

template <typename T>
T Clamp(T value, T low, T high) {
  return std::min(std::max(value, low), high);
}

void SanitizeMemtables(ColumnFamilyOptions* options) {
  constexpr size_t kWriteBufferMin = 64 << 10;
  constexpr size_t kWriteBufferMax = size_t{64} << 30;
  options->write_buffer_size =
      Clamp(options->write_buffer_size, kWriteBufferMin, kWriteBufferMax);
  if (options->arena_block_size == 0) {
    options->arena_block_size =
        std::min<size_t>(kMiB, options->write_buffer_size / 8);
  }
  options->arena_block_size =
      (options->arena_block_size + kPageBytes - 1) / kPageBytes * kPageBytes;

  options->max_write_buffer_number =
      std::max(options->max_write_buffer_number, 2);
  options->min_write_buffer_number_to_merge =
      Clamp(options->min_write_buffer_number_to_merge, 1,
            options->max_write_buffer_number - 1);
  if (options->max_write_buffer_size_to_maintain < 0) {
    options->max_write_buffer_size_to_maintain =
        options->max_write_buffer_number *
        static_cast<int64_t>(options->write_buffer_size);
  }
  options->memtable_prefix_bloom_size_ratio =
      Clamp(options->memtable_prefix_bloom_size_ratio, 0.0, 0.25);
  assert(options->min_write_buffer_number_to_merge <
         options->max_write_buffer_number);
  assert(options->arena_block_size % kPageBytes == 0);
}

// Makes 0 < trigger <= slowdown <= stop true.
void SanitizeTriggers(Logger* log, ColumnFamilyOptions* options) {
  if (options->level0_file_num_compaction_trigger <= 0) {
    Warn(log, "level0_file_num_compaction_trigger must be positive: using 1");
    options->level0_file_num_compaction_trigger = 1;
  }
  const int slowdown = std::max(options->level0_slowdown_writes_trigger,
                                options->level0_file_num_compaction_trigger);
  const int stop = std::max(options->level0_stop_writes_trigger, slowdown);
  if (slowdown != options->level0_slowdown_writes_trigger ||
      stop != options->level0_stop_writes_trigger) {
    Warn(log,
         "level0_stop_writes_trigger(%d) >= level0_slowdown_writes_trigger(%d)"
         " >= level0_file_num_compaction_trigger(%d) must hold: using %d, %d",
         options->level0_stop_writes_trigger,
         options->level0_slowdown_writes_trigger,
         options->level0_file_num_compaction_trigger, stop, slowdown);
  }
  options->level0_slowdown_writes_trigger = slowdown;
  options->level0_stop_writes_trigger = stop;

  uint64_t& soft = options->soft_pending_compaction_bytes_limit;
  const uint64_t hard = options->hard_pending_compaction_bytes_limit;
  if (soft == 0 || (hard > 0 && soft > hard)) soft = hard;
  assert(0 < options->level0_file_num_compaction_trigger &&
         options->level0_file_num_compaction_trigger <= slowdown &&
         slowdown <= stop);
  assert(hard == 0 || soft <= hard);
}

// A merge of level 0 rewrites what it meets of L1: where one of them is much
// larger, bytes are rewritten more often than the levels below ask for. The
// tuner sees to that itself.
void WarnOfUnevenLevels(Logger* log, const ColumnFamilyOptions& options) {
  constexpr double kApart = 2;
  if (options.compaction_style != kCompactionStyleLevel ||
      options.disable_auto_compactions || options.auto_tuned_compaction ||
      options.max_bytes_for_level_base == 0) {
    return;
  }
  const double level0 = static_cast<double>(options.write_buffer_size) *
                        options.min_write_buffer_number_to_merge *
                        options.level0_file_num_compaction_trigger;
  const auto level1 = static_cast<double>(options.max_bytes_for_level_base);
  if (level0 <= kApart * level1 && level1 <= kApart * level0) return;
  Warn(log,
       "Level 0 holds %.0f MB before it is merged (write_buffer_size x "
       "min_write_buffer_number_to_merge x level0_file_num_compaction_trigger) "
       "and L1 %.0f MB (max_bytes_for_level_base): sizes that are not similar "
       "raise the write amplification",
       level0 / 1e6, level1 / 1e6);
}

void SanitizeLevels(const DBOptions& db_options, ColumnFamilyOptions* options) {
  options->num_levels = std::max(options->num_levels, 1);
  if (options->compaction_style == kCompactionStyleLevel) {
    options->num_levels = std::max(options->num_levels, 2);
  }
  if (options->compaction_style == kCompactionStyleFIFO) {
    // Files are never merged downwards and writes never wait for it.
    options->num_levels = 1;
    options->level0_slowdown_writes_trigger = std::numeric_limits<int>::max();
    options->level0_stop_writes_trigger = std::numeric_limits<int>::max();
  }
  if (!(options->max_bytes_for_level_multiplier > 0)) {  // Nor NaN.
    options->max_bytes_for_level_multiplier = 1;
  }
  options->max_bytes_for_level_multiplier_additional.resize(
      static_cast<size_t>(std::max(
          options->num_levels,
          static_cast<int>(
              options->max_bytes_for_level_multiplier_additional.size()))),
      1);
  if (options->cf_paths.empty()) options->cf_paths = db_options.db_paths;
  if (options->level_compaction_dynamic_level_bytes &&
      (options->compaction_style != kCompactionStyleLevel ||
       options->cf_paths.size() > 1)) {
    options->level_compaction_dynamic_level_bytes = false;
  }
  assert(options->num_levels >= 1 &&
         static_cast<size_t>(options->num_levels) <=
             options->max_bytes_for_level_multiplier_additional.size());
  if (options->max_compaction_bytes == 0) {
    constexpr uint64_t kFiles = 25;
    options->max_compaction_bytes =
        kFiles * std::min(options->target_file_size_base, UINT64_MAX / kFiles);
  }
}

void SanitizeAges(ColumnFamilyOptions* options) {
  const bool block_based =
      BlockBasedOptionsOf(options->table_factory.get()) != nullptr;
  if (options->ttl == kUnsetSeconds) {
    options->ttl = block_based ? kThirtyDaysSeconds : 0;
  }
  if (options->periodic_compaction_seconds == kUnsetSeconds) {
    const bool filtered = options->compaction_filter != nullptr ||
                          options->compaction_filter_factory != nullptr;
    options->periodic_compaction_seconds =
        filtered && block_based ? kThirtyDaysSeconds : 0;
  }
}

}  // namespace

DBOptions SanitizeOptions(const std::string& dbname, const DBOptions& options) {
  DBOptions result(options);
  if (result.env == nullptr) result.env = Env::Default();
  if (result.max_open_files != -1) {
    result.max_open_files = std::max(result.max_open_files, kOpenFilesMin);
  }
  if (result.write_buffer_manager == nullptr) {
    result.write_buffer_manager =
        std::make_shared<WriteBufferManager>(result.db_write_buffer_size);
  }
  if (result.delayed_write_rate == 0) {
    const int64_t limit = result.rate_limiter == nullptr
                              ? 0
                              : result.rate_limiter->GetBytesPerSecond();
    result.delayed_write_rate =
        limit > 0 ? static_cast<uint64_t>(limit) : kDelayedWriteRateDefault;
  }
  if (result.WAL_ttl_seconds > 0 || result.WAL_size_limit_MB > 0 ||
      result.wal_recovery_mode ==
          WALRecoveryMode::kTolerateCorruptedTailRecords ||
      result.wal_recovery_mode == WALRecoveryMode::kAbsoluteConsistency) {
    // Old bytes behind the end of a reused log look like damage there; kept
    // logs are not reused.
    result.recycle_log_file_num = 0;
  }
  result.wal_dir = WithoutTrailingSlashes(std::move(result.wal_dir));
  if (result.wal_dir == dbname) result.wal_dir.clear();
  if (result.db_paths.empty()) {
    result.db_paths.emplace_back(dbname, std::numeric_limits<uint64_t>::max());
  }
  if (result.use_direct_reads && result.compaction_readahead_size == 0) {
    result.compaction_readahead_size = 2 * kMiB;
  }
  result.max_subcompactions = std::max(result.max_subcompactions, 1u);
  if (result.concurrent_prepare) result.two_write_queues = true;
  if (result.allow_2pc) result.avoid_flush_during_recovery = false;
  assert(result.delayed_write_rate > 0 && !result.db_paths.empty());
  return result;
}

ColumnFamilyOptions SanitizeOptions(const DBOptions& db_options,
                                    const ColumnFamilyOptions& options) {
  ColumnFamilyOptions result(options);
  Logger* const log = db_options.info_log.get();
  SanitizeMemtables(&result);
  SanitizeTriggers(log, &result);
  SanitizeLevels(db_options, &result);
  SanitizeAges(&result);
  WarnOfUnevenLevels(log, result);
  return result;
}

BackgroundLimits ResolveBackgroundLimits(const DBOptions& options,
                                         bool speed_up) {
  BackgroundLimits limits;
  if (options.max_background_flushes == -1 &&
      options.max_background_compactions == -1) {
    limits.flushes = std::max(1, options.max_background_jobs / 4);
    limits.compactions =
        std::max(1, options.max_background_jobs - limits.flushes);
  } else {
    limits.flushes = std::max(1, options.max_background_flushes);
    limits.compactions = std::max(1, options.max_background_compactions);
  }
  if (!speed_up) limits.compactions = 1;
  return limits;
}

}  // namespace ROCKSDB_NAMESPACE::engine
