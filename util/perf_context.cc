// The contexts of a thread, and their text form.

#include "util/perf_context.h"

#include <memory>

namespace ROCKSDB_NAMESPACE {

namespace engine {

thread_local constinit PerfTls perf_tls{nullptr, kEnableCount, false};

namespace {

// Frees a thread's contexts when the thread ends.
struct ContextsOwner {
  std::unique_ptr<ThreadContexts> contexts;

  ~ContextsOwner() {
    perf_tls.contexts = nullptr;
    perf_tls.ended = true;
  }
};

thread_local ContextsOwner contexts_owner;

template <typename Struct>
struct Field {
  const char* name;
  uint64_t Struct::*member;
};

#define FIELD(type, name) {#name, &type::name}

constexpr Field<PerfContextBase> kPerfFields[] = {
    FIELD(PerfContextBase, user_key_comparison_count),
    FIELD(PerfContextBase, block_cache_hit_count),
    FIELD(PerfContextBase, block_read_count),
    FIELD(PerfContextBase, block_read_byte),
    FIELD(PerfContextBase, block_read_time),
    FIELD(PerfContextBase, block_cache_index_hit_count),
    FIELD(PerfContextBase, block_cache_standalone_handle_count),
    FIELD(PerfContextBase, block_cache_real_handle_count),
    FIELD(PerfContextBase, index_block_read_count),
    FIELD(PerfContextBase, block_cache_filter_hit_count),
    FIELD(PerfContextBase, filter_block_read_count),
    FIELD(PerfContextBase, compression_dict_block_read_count),
    FIELD(PerfContextBase, block_cache_index_read_byte),
    FIELD(PerfContextBase, block_cache_filter_read_byte),
    FIELD(PerfContextBase, block_cache_compression_dict_read_byte),
    FIELD(PerfContextBase, block_cache_read_byte),
    FIELD(PerfContextBase, secondary_cache_hit_count),
    FIELD(PerfContextBase, compressed_sec_cache_insert_real_count),
    FIELD(PerfContextBase, compressed_sec_cache_insert_dummy_count),
    FIELD(PerfContextBase, compressed_sec_cache_uncompressed_bytes),
    FIELD(PerfContextBase, compressed_sec_cache_compressed_bytes),
    FIELD(PerfContextBase, block_checksum_time),
    FIELD(PerfContextBase, block_decompress_time),
    FIELD(PerfContextBase, get_read_bytes),
    FIELD(PerfContextBase, multiget_read_bytes),
    FIELD(PerfContextBase, iter_read_bytes),
    FIELD(PerfContextBase, blob_cache_hit_count),
    FIELD(PerfContextBase, blob_read_count),
    FIELD(PerfContextBase, blob_read_byte),
    FIELD(PerfContextBase, blob_read_time),
    FIELD(PerfContextBase, blob_checksum_time),
    FIELD(PerfContextBase, blob_decompress_time),
    FIELD(PerfContextBase, internal_key_skipped_count),
    FIELD(PerfContextBase, internal_delete_skipped_count),
    FIELD(PerfContextBase, internal_recent_skipped_count),
    FIELD(PerfContextBase, internal_merge_count),
    FIELD(PerfContextBase, internal_range_del_reseek_count),
    FIELD(PerfContextBase, internal_merge_point_lookup_count),
    FIELD(PerfContextBase, get_snapshot_time),
    FIELD(PerfContextBase, get_from_memtable_time),
    FIELD(PerfContextBase, get_from_memtable_count),
    FIELD(PerfContextBase, get_post_process_time),
    FIELD(PerfContextBase, get_from_output_files_time),
    FIELD(PerfContextBase, seek_on_memtable_time),
    FIELD(PerfContextBase, seek_on_memtable_count),
    FIELD(PerfContextBase, next_on_memtable_count),
    FIELD(PerfContextBase, prev_on_memtable_count),
    FIELD(PerfContextBase, seek_child_seek_time),
    FIELD(PerfContextBase, seek_child_seek_count),
    FIELD(PerfContextBase, seek_min_heap_time),
    FIELD(PerfContextBase, seek_max_heap_time),
    FIELD(PerfContextBase, seek_internal_seek_time),
    FIELD(PerfContextBase, find_next_user_entry_time),
    FIELD(PerfContextBase, write_wal_time),
    FIELD(PerfContextBase, write_memtable_time),
    FIELD(PerfContextBase, write_delay_time),
    FIELD(PerfContextBase, write_scheduling_flushes_compactions_time),
    FIELD(PerfContextBase, write_pre_and_post_process_time),
    FIELD(PerfContextBase, write_thread_wait_nanos),
    FIELD(PerfContextBase, db_mutex_lock_nanos),
    FIELD(PerfContextBase, db_condition_wait_nanos),
    FIELD(PerfContextBase, merge_operator_time_nanos),
    FIELD(PerfContextBase, read_index_block_nanos),
    FIELD(PerfContextBase, read_filter_block_nanos),
    FIELD(PerfContextBase, new_table_block_iter_nanos),
    FIELD(PerfContextBase, new_table_iterator_nanos),
    FIELD(PerfContextBase, block_seek_nanos),
    FIELD(PerfContextBase, find_table_nanos),
    FIELD(PerfContextBase, bloom_memtable_hit_count),
    FIELD(PerfContextBase, bloom_memtable_miss_count),
    FIELD(PerfContextBase, bloom_sst_hit_count),
    FIELD(PerfContextBase, bloom_sst_miss_count),
    FIELD(PerfContextBase, key_lock_wait_time),
    FIELD(PerfContextBase, key_lock_wait_count),
    FIELD(PerfContextBase, env_new_sequential_file_nanos),
    FIELD(PerfContextBase, env_new_random_access_file_nanos),
    FIELD(PerfContextBase, env_new_writable_file_nanos),
    FIELD(PerfContextBase, env_reuse_writable_file_nanos),
    FIELD(PerfContextBase, env_new_random_rw_file_nanos),
    FIELD(PerfContextBase, env_new_directory_nanos),
    FIELD(PerfContextBase, env_file_exists_nanos),
    FIELD(PerfContextBase, env_get_children_nanos),
    FIELD(PerfContextBase, env_get_children_file_attributes_nanos),
    FIELD(PerfContextBase, env_delete_file_nanos),
    FIELD(PerfContextBase, env_create_dir_nanos),
    FIELD(PerfContextBase, env_create_dir_if_missing_nanos),
    FIELD(PerfContextBase, env_delete_dir_nanos),
    FIELD(PerfContextBase, env_get_file_size_nanos),
    FIELD(PerfContextBase, env_get_file_modification_time_nanos),
    FIELD(PerfContextBase, env_rename_file_nanos),
    FIELD(PerfContextBase, env_link_file_nanos),
    FIELD(PerfContextBase, env_lock_file_nanos),
    FIELD(PerfContextBase, env_unlock_file_nanos),
    FIELD(PerfContextBase, env_new_logger_nanos),
    FIELD(PerfContextBase, get_cpu_nanos),
    FIELD(PerfContextBase, iter_next_cpu_nanos),
    FIELD(PerfContextBase, iter_prev_cpu_nanos),
    FIELD(PerfContextBase, iter_seek_cpu_nanos),
    FIELD(PerfContextBase, encrypt_data_nanos),
    FIELD(PerfContextBase, decrypt_data_nanos),
    FIELD(PerfContextBase, number_async_seek),
    FIELD(PerfContextBase, file_ingestion_nanos),
    FIELD(PerfContextBase, file_ingestion_blocking_live_writes_nanos),
    FIELD(PerfContextBase, write_stop_time),
};
static_assert(sizeof(kPerfFields) / sizeof(kPerfFields[0]) ==
                  sizeof(PerfContextBase) / sizeof(uint64_t),
              "a counter is missing from the table");

constexpr Field<PerfContextByLevel> kLevelFields[] = {
    FIELD(PerfContextByLevel, bloom_filter_useful),
    FIELD(PerfContextByLevel, bloom_filter_full_positive),
    FIELD(PerfContextByLevel, bloom_filter_full_true_positive),
    FIELD(PerfContextByLevel, user_key_return_count),
    FIELD(PerfContextByLevel, get_from_table_nanos),
    FIELD(PerfContextByLevel, block_cache_hit_count),
    FIELD(PerfContextByLevel, block_cache_miss_count),
};
static_assert(sizeof(kLevelFields) / sizeof(kLevelFields[0]) ==
                  sizeof(PerfContextByLevel) / sizeof(uint64_t),
              "a counter is missing from the table");

constexpr Field<IOStatsContext> kIoFields[] = {
    FIELD(IOStatsContext, thread_pool_id),
    FIELD(IOStatsContext, bytes_written),
    FIELD(IOStatsContext, bytes_read),
    FIELD(IOStatsContext, open_nanos),
    FIELD(IOStatsContext, allocate_nanos),
    FIELD(IOStatsContext, write_nanos),
    FIELD(IOStatsContext, read_nanos),
    FIELD(IOStatsContext, range_sync_nanos),
    FIELD(IOStatsContext, fsync_nanos),
    FIELD(IOStatsContext, prepare_write_nanos),
    FIELD(IOStatsContext, logger_nanos),
    FIELD(IOStatsContext, cpu_write_nanos),
    FIELD(IOStatsContext, cpu_read_nanos),
};

constexpr Field<FileIOByTemperature> kTemperatureFields[] = {
    FIELD(FileIOByTemperature, hot_file_bytes_read),
    FIELD(FileIOByTemperature, warm_file_bytes_read),
    FIELD(FileIOByTemperature, cool_file_bytes_read),
    FIELD(FileIOByTemperature, cold_file_bytes_read),
    FIELD(FileIOByTemperature, ice_file_bytes_read),
    FIELD(FileIOByTemperature, unknown_non_last_level_bytes_read),
    FIELD(FileIOByTemperature, unknown_last_level_bytes_read),
    FIELD(FileIOByTemperature, hot_file_read_count),
    FIELD(FileIOByTemperature, warm_file_read_count),
    FIELD(FileIOByTemperature, cool_file_read_count),
    FIELD(FileIOByTemperature, cold_file_read_count),
    FIELD(FileIOByTemperature, ice_file_read_count),
    FIELD(FileIOByTemperature, unknown_non_last_level_read_count),
    FIELD(FileIOByTemperature, unknown_last_level_read_count),
};
static_assert(sizeof(kTemperatureFields) / sizeof(kTemperatureFields[0]) ==
                  sizeof(FileIOByTemperature) / sizeof(uint64_t),
              "a counter is missing from the table");

#undef FIELD

template <typename Struct, size_t kCount>
void AppendFields(const Field<Struct> (&fields)[kCount], const Struct& values,
                  bool exclude_zero, std::string* text) {
  for (const Field<Struct>& field : fields) {
    const uint64_t value = values.*field.member;
    if (exclude_zero && value == 0) continue;
    text->append(field.name).append(" = ");
    text->append(std::to_string(value)).append(", ");
  }
}

}  // namespace

ThreadContexts* NewThreadContexts() {
  if (perf_tls.ended) {
    // Destructors of other thread-local objects still count. Nothing would free
    // their counters any more, so each such thread would leak its own; instead
    // they share one object that is never read.
    static ThreadContexts discarded;
    return &discarded;
  }
  contexts_owner.contexts = std::make_unique<ThreadContexts>();
  perf_tls.contexts = contexts_owner.contexts.get();
  return perf_tls.contexts;
}

void PerfAddAtLevelSlow(uint64_t PerfContextByLevel::*counter, uint32_t level,
                        uint64_t count) {
  (*Contexts().perf.level_to_perf_context)[level].*counter += count;
}

void PerfLevelTimer::Start() {
  const ThreadContexts* const contexts = perf_tls.contexts;
  if (contexts == nullptr || !contexts->perf.per_level_perf_context_enabled) {
    return;
  }
  start_nanos_ = SystemClock::Default()->NowNanos();
}

void PerfLevelTimer::Stop() {
  PerfAddAtLevelSlow(field_, static_cast<uint32_t>(level_),
                     SystemClock::Default()->NowNanos() - start_nanos_);
}

}  // namespace engine

void SetPerfLevel(PerfLevel level) {
  // Values out of range are ignored; there is no way to report them.
  if (level > kUninitialized && level < kOutOfBounds) {
    engine::perf_tls.level = level;
  }
}

PerfLevel GetPerfLevel() { return engine::perf_tls.level; }

PerfContext* get_perf_context() { return &engine::Contexts().perf; }

IOStatsContext* get_iostats_context() { return &engine::Contexts().io; }

void PerfContextByLevel::Reset() { *this = PerfContextByLevel(); }

PerfContext::~PerfContext() { delete level_to_perf_context; }

PerfContext::PerfContext(const PerfContext& other) : PerfContext() {
  *this = other;
}

PerfContext& PerfContext::operator=(const PerfContext& other) {
  if (this == &other) return *this;
  static_cast<PerfContextBase&>(*this) =
      static_cast<const PerfContextBase&>(other);
  ClearPerLevelPerfContext();
  if (other.level_to_perf_context != nullptr) {
    level_to_perf_context = new std::map<uint32_t, PerfContextByLevel>(
        *other.level_to_perf_context);
  }
  per_level_perf_context_enabled = other.per_level_perf_context_enabled;
  return *this;
}

PerfContext::PerfContext(PerfContext&& other) noexcept
    : PerfContextBase(static_cast<const PerfContextBase&>(other)),
      level_to_perf_context(other.level_to_perf_context),
      per_level_perf_context_enabled(other.per_level_perf_context_enabled) {
  other.level_to_perf_context = nullptr;
  other.per_level_perf_context_enabled = false;
}

void PerfContext::Reset() {
  static_cast<PerfContextBase&>(*this) = PerfContextBase{};
  if (level_to_perf_context == nullptr) return;
  for (auto& [level, counters] : *level_to_perf_context) counters.Reset();
}

std::string PerfContext::ToString(bool exclude_zero_counters) const {
  std::string text;
  engine::AppendFields<PerfContextBase>(engine::kPerfFields, *this,
                                        exclude_zero_counters, &text);
  if (!per_level_perf_context_enabled || level_to_perf_context == nullptr) {
    return text;
  }
  // Per counter, the levels that have it.
  for (const auto& field : engine::kLevelFields) {
    std::string levels;
    for (const auto& [level, counters] : *level_to_perf_context) {
      const uint64_t value = counters.*field.member;
      if (exclude_zero_counters && value == 0) continue;
      levels += std::to_string(value) + "@level" + std::to_string(level) + ", ";
    }
    if (exclude_zero_counters && levels.empty()) continue;
    text.append(field.name).append(" = ").append(levels);
  }
  return text;
}

void PerfContext::EnablePerLevelPerfContext() {
  if (level_to_perf_context == nullptr) {
    level_to_perf_context = new std::map<uint32_t, PerfContextByLevel>();
  }
  per_level_perf_context_enabled = true;
}

void PerfContext::DisablePerLevelPerfContext() {
  per_level_perf_context_enabled = false;
}

void PerfContext::ClearPerLevelPerfContext() {
  delete level_to_perf_context;
  level_to_perf_context = nullptr;
  per_level_perf_context_enabled = false;
}

void IOStatsContext::Reset() {
  // The pool's number and the switch describe the thread, not its work.
  const uint64_t pool = thread_pool_id;
  const bool disabled = disable_iostats;
  *this = IOStatsContext{};
  thread_pool_id = pool;
  disable_iostats = disabled;
}

std::string IOStatsContext::ToString(bool exclude_zero_counters) const {
  std::string text;
  engine::AppendFields(engine::kIoFields, *this, exclude_zero_counters, &text);
  engine::AppendFields(engine::kTemperatureFields, file_io_stats_by_temperature,
                       exclude_zero_counters, &text);
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
