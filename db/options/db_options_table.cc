// The table of DBOptions.

#include "db/options/objects.h"
#include "rocksdb/rate_limiter.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using Db = DBOptions;

constexpr OptionField kDbFields[] = {
    Field<Db, &Db::create_if_missing>("create_if_missing", kShared),
    Field<Db, &Db::create_missing_column_families>(
        "create_missing_column_families", kShared),
    Field<Db, &Db::error_if_exists>("error_if_exists", kShared),
    Field<Db, &Db::paranoid_checks>("paranoid_checks", kShared),
    Field<Db, &Db::flush_verify_memtable_count>("flush_verify_memtable_count",
                                                kShared),
    Field<Db, &Db::compaction_verify_record_count>(
        "compaction_verify_record_count"),
    Field<Db, &Db::track_and_verify_wals_in_manifest>(
        "track_and_verify_wals_in_manifest", kShared),
    Field<Db, &Db::track_and_verify_wals>("track_and_verify_wals"),
    Field<Db, &Db::verify_sst_unique_id_in_manifest>(
        "verify_sst_unique_id_in_manifest", kShared),
    Field<Db, &Db::env>("env", kNotStored),
    Field<Db, &Db::best_efforts_recovery>("best_efforts_recovery",
                                          kShared | kAccepted),
    Field<Db, &Db::wal_recovery_mode>("wal_recovery_mode", kShared),
    Field<Db, &Db::allow_2pc>("allow_2pc", kShared),
    Field<Db, &Db::avoid_flush_during_recovery>("avoid_flush_during_recovery",
                                                kShared),
    Field<Db, &Db::enforce_write_buffer_manager_during_recovery>(
        "enforce_write_buffer_manager_during_recovery"),
    Field<Db, &Db::avoid_flush_during_shutdown>("avoid_flush_during_shutdown",
                                                kShared | kMutable),
    Field<Db, &Db::wal_filter>("wal_filter", kShared),
    Field<Db, &Db::open_files_async>("open_files_async", kAccepted),
    Field<Db, &Db::fast_sst_open>("fast_sst_open", kAccepted),
    Field<Db, &Db::max_file_opening_threads>("max_file_opening_threads",
                                             kShared | kAccepted),
    Field<Db, &Db::skip_stats_update_on_db_open>("skip_stats_update_on_db_open",
                                                 kShared | kAccepted),
    Field<Db, &Db::write_dbid_to_manifest>("write_dbid_to_manifest", kShared),
    Field<Db, &Db::write_identity_file>("write_identity_file", kAccepted),
    Field<Db, &Db::db_host_id>("db_host_id", kShared),
    Field<Db, &Db::rate_limiter>("rate_limiter", kNotStored),
    Field<Db, &Db::io_scheduler>("io_scheduler", kOurs),
    Field<Db, &Db::sst_file_manager>("sst_file_manager", kNotStored),
    Field<Db, &Db::db_write_buffer_size>("db_write_buffer_size", kShared),
    Field<Db, &Db::write_buffer_manager>("write_buffer_manager", kNotStored),
    Field<Db, &Db::row_cache>("row_cache", kNotStored),
    Field<Db, &Db::lowest_used_cache_tier>("lowest_used_cache_tier", kShared),
    Field<Db, &Db::statistics>("statistics", kNotStored),
    Field<Db, &Db::listeners>("listeners", kNotStored),
    Field<Db, &Db::compaction_service>("compaction_service", kNotStored),
    Field<Db, &Db::file_checksum_gen_factory>("file_checksum_gen_factory",
                                              kShared),
    Field<Db, &Db::checksum_handoff_file_types>("checksum_handoff_file_types",
                                                kNotStored | kAccepted),
    Field<Db, &Db::info_log>("info_log", kNotStored),
    Field<Db, &Db::info_log_level>("info_log_level", kShared),
    Field<Db, &Db::db_log_dir>("db_log_dir", kShared),
    Field<Db, &Db::max_log_file_size>("max_log_file_size", kShared),
    Field<Db, &Db::log_file_time_to_roll>("log_file_time_to_roll", kShared),
    Field<Db, &Db::keep_log_file_num>("keep_log_file_num", kShared),
    Field<Db, &Db::stats_dump_period_sec>("stats_dump_period_sec",
                                          kShared | kMutable),
    Field<Db, &Db::stats_persist_period_sec>("stats_persist_period_sec",
                                             kShared | kMutable),
    Field<Db, &Db::persist_stats_to_disk>("persist_stats_to_disk",
                                          kShared | kAccepted),
    Field<Db, &Db::stats_history_buffer_size>("stats_history_buffer_size",
                                              kShared | kMutable),
    Field<Db, &Db::dump_malloc_stats>("dump_malloc_stats", kShared | kAccepted),
    Field<Db, &Db::enable_thread_tracking>("enable_thread_tracking",
                                           kShared | kAccepted),
    Field<Db, &Db::allow_data_in_errors>("allow_data_in_errors",
                                         kShared | kAccepted),
    Field<Db, &Db::max_open_files>("max_open_files", kShared | kMutable),
    Field<Db, &Db::table_cache_numshardbits>("table_cache_numshardbits",
                                             kShared),
    RefusingWhen("more than four",
                 Field<Db, &Db::db_paths>("db_paths", kNotStored)),
    Field<Db, &Db::wal_dir>("wal_dir", kShared),
    Field<Db, &Db::delete_obsolete_files_period_micros>(
        "delete_obsolete_files_period_micros", kShared | kMutable),
    Field<Db, &Db::max_manifest_file_size>("max_manifest_file_size",
                                           kShared | kMutable),
    Field<Db, &Db::max_manifest_space_amp_pct>("max_manifest_space_amp_pct",
                                               kMutable | kAccepted),
    Field<Db, &Db::manifest_preallocation_size>("manifest_preallocation_size",
                                                kShared | kAccepted),
    Field<Db, &Db::verify_manifest_content_on_close>(
        "verify_manifest_content_on_close", kMutable | kAccepted),
    Field<Db, &Db::reuse_manifest_on_open>("reuse_manifest_on_open", kAccepted),
    Field<Db, &Db::optimize_manifest_for_recovery>(
        "optimize_manifest_for_recovery", kAccepted),
    RefusingWhen("with `use_direct_reads`",
                 Field<Db, &Db::allow_mmap_reads>("allow_mmap_reads", kShared)),
    RefusingWhen("with `use_direct_io_for_flush_and_compaction`",
                 Field<Db, &Db::allow_mmap_writes>("allow_mmap_writes",
                                                   kShared | kAccepted)),
    Field<Db, &Db::use_direct_reads>("use_direct_reads", kShared),
    Field<Db, &Db::use_direct_io_for_flush_and_compaction>(
        "use_direct_io_for_flush_and_compaction", kShared),
    Field<Db, &Db::use_direct_io_for_compaction_reads>(
        "use_direct_io_for_compaction_reads", kAccepted),
    Field<Db, &Db::allow_fallocate>("allow_fallocate", kShared),
    Field<Db, &Db::is_fd_close_on_exec>("is_fd_close_on_exec", kShared),
    Field<Db, &Db::use_fsync>("use_fsync", kShared),
    Field<Db, &Db::advise_random_on_open>("advise_random_on_open", kShared),
    Field<Db, &Db::compaction_readahead_size>("compaction_readahead_size",
                                              kShared | kMutable),
    Field<Db, &Db::writable_file_max_buffer_size>(
        "writable_file_max_buffer_size", kShared | kMutable),
    Field<Db, &Db::bytes_per_sync>("bytes_per_sync", kShared | kMutable),
    Field<Db, &Db::wal_bytes_per_sync>("wal_bytes_per_sync",
                                       kShared | kMutable),
    Field<Db, &Db::strict_bytes_per_sync>("strict_bytes_per_sync",
                                          kShared | kMutable),
    Field<Db, &Db::log_readahead_size>("log_readahead_size",
                                       kShared | kAccepted),
    Field<Db, &Db::read_io_executor_threads>("read_io_executor_threads",
                                             kAccepted),
    Field<Db, &Db::metadata_write_temperature>("metadata_write_temperature",
                                               kAccepted),
    Field<Db, &Db::wal_write_temperature>("wal_write_temperature", kAccepted),
    Field<Db, &Db::calculate_sst_write_lifetime_hint_set>(
        "calculate_sst_write_lifetime_hint_set", kNotStored | kAccepted),
    Field<Db, &Db::max_total_wal_size>("max_total_wal_size",
                                       kShared | kMutable),
    Field<Db, &Db::recycle_log_file_num>("recycle_log_file_num", kShared),
    Field<Db, &Db::WAL_ttl_seconds>("WAL_ttl_seconds", kShared | kAccepted),
    Field<Db, &Db::WAL_size_limit_MB>("WAL_size_limit_MB", kShared | kAccepted),
    Field<Db, &Db::manual_wal_flush>("manual_wal_flush", kShared),
    RefusingWhen("neither none nor ZSTD",
                 Field<Db, &Db::wal_compression>("wal_compression", kShared)),
    Field<Db, &Db::async_wal_precreate>("async_wal_precreate", kAccepted),
    Field<Db, &Db::background_close_inactive_wals>(
        "background_close_inactive_wals", kAccepted),
    Field<Db, &Db::max_background_jobs>("max_background_jobs",
                                        kShared | kMutable),
    Field<Db, &Db::max_background_compactions>("max_background_compactions",
                                               kShared | kMutable),
    Field<Db, &Db::max_background_flushes>("max_background_flushes",
                                           kShared | kMutable),
    Field<Db, &Db::max_subcompactions>("max_subcompactions",
                                       kShared | kMutable),
    Field<Db, &Db::max_compaction_trigger_wakeup_seconds>(
        "max_compaction_trigger_wakeup_seconds", kMutable | kAccepted),
    Field<Db, &Db::daily_offpeak_time_utc>("daily_offpeak_time_utc",
                                           kMutable | kAccepted),
    Field<Db, &Db::delayed_write_rate>("delayed_write_rate",
                                       kShared | kMutable),
    Field<Db, &Db::avoid_unnecessary_blocking_io>(
        "avoid_unnecessary_blocking_io", kShared | kAccepted),
    Field<Db, &Db::max_bgerror_resume_count>("max_bgerror_resume_count",
                                             kShared),
    Field<Db, &Db::bgerror_resume_retry_interval>(
        "bgerror_resume_retry_interval", kShared),
    Field<Db, &Db::enable_pipelined_write>("enable_pipelined_write", kShared),
    Field<Db, &Db::unordered_write>("unordered_write", kShared),
    Field<Db, &Db::allow_concurrent_memtable_write>(
        "allow_concurrent_memtable_write", kShared),
    Field<Db, &Db::enable_write_thread_adaptive_yield>(
        "enable_write_thread_adaptive_yield", kShared),
    Field<Db, &Db::write_thread_max_yield_usec>("write_thread_max_yield_usec",
                                                kShared),
    Field<Db, &Db::write_thread_slow_yield_usec>("write_thread_slow_yield_usec",
                                                 kShared),
    Field<Db, &Db::max_write_batch_group_size_bytes>(
        "max_write_batch_group_size_bytes", kShared),
    Field<Db, &Db::two_write_queues>("two_write_queues", kShared),
    Field<Db, &Db::atomic_flush>("atomic_flush", kShared),
    Field<Db, &Db::allow_ingest_behind>("allow_ingest_behind",
                                        kShared | kAccepted),
    Field<Db, &Db::enforce_single_del_contracts>("enforce_single_del_contracts",
                                                 kShared | kAccepted),
    Field<Db, &Db::use_adaptive_mutex>("use_adaptive_mutex",
                                       kShared | kAccepted),
    Field<Db, &Db::prefix_seek_opt_in_only>("prefix_seek_opt_in_only"),
    Field<Db, &Db::follower_refresh_catchup_period_ms>(
        "follower_refresh_catchup_period_ms", kAccepted),
    Field<Db, &Db::follower_catchup_retry_count>("follower_catchup_retry_count",
                                                 kAccepted),
    Field<Db, &Db::follower_catchup_retry_wait_ms>(
        "follower_catchup_retry_wait_ms", kAccepted),
    Field<Db, &Db::access_hint_on_compaction_start>(
        "access_hint_on_compaction_start", kObsolete),
    Field<Db, &Db::random_access_max_buffer_size>(
        "random_access_max_buffer_size", kObsolete),
    Field<Db, &Db::skip_checking_sst_file_sizes_on_db_open>(
        "skip_checking_sst_file_sizes_on_db_open", kObsolete),
    Field<Db, &Db::fail_if_options_file_error>("fail_if_options_file_error",
                                               kObsolete),
    Field<Db, &Db::new_table_reader_for_compaction_inputs>(
        "new_table_reader_for_compaction_inputs", kObsolete),
    Field<Db, &Db::base_background_compactions>("base_background_compactions",
                                                kObsolete),
    Field<Db, &Db::preserve_deletes>("preserve_deletes", kObsolete),
    Field<Db, &Db::skip_log_error_on_recovery>("skip_log_error_on_recovery",
                                               kObsolete),
    Field<Db, &Db::concurrent_prepare>("concurrent_prepare", kObsolete),
    Field<Db, &Db::disableDataSync>("disableDataSync", kObsolete),
    Field<Db, &Db::allow_os_buffer>("allow_os_buffer", kObsolete),
    Dropped("disable_data_sync"),
    Dropped("seq_per_batch"),
};

}  // namespace

FieldTable DbOptionFields() { return kDbFields; }

FieldTable StructTable<IOSchedulerOptions>::Fields() {
  using S = IOSchedulerOptions;
  static constexpr OptionField kFields[] = {
      Field<S, &S::profile_path>("profile_path", kOurs),
      Field<S, &S::measure_if_missing>("measure_if_missing", kOurs),
      Field<S, &S::measure_seconds>("measure_seconds", kOurs),
      Field<S, &S::rate_factor>("rate_factor", kOurs),
      Field<S, &S::log_shares>("log_shares", kOurs),
      Field<S, &S::user_read_shares>("user_read_shares", kOurs),
      Field<S, &S::flush_shares>("flush_shares", kOurs),
      Field<S, &S::level0_shares>("level0_shares", kOurs),
      Field<S, &S::compaction_shares>("compaction_shares", kOurs),
      Field<S, &S::maintenance_shares>("maintenance_shares", kOurs),
      Field<S, &S::backup_shares>("backup_shares", kOurs),
  };
  return kFields;
}

Status TextCodec<std::shared_ptr<IOScheduler>>::Parse(
    const TextMode& mode, std::string_view text,
    std::shared_ptr<IOScheduler>* value) {
  if (text.empty() || text == "nullptr") {
    value->reset();
    return Status::OK();
  }
  IOSchedulerOptions options;
  if (text.find('=') == std::string_view::npos) {
    options.profile_path = std::string(text);
  } else {
    RETURN_IF_ERROR(TextCodec<IOSchedulerOptions>::Parse(mode, text, &options));
  }
  *value = NewIOScheduler(options);
  return Status::OK();
}

void TextCodec<std::shared_ptr<IOScheduler>>::Print(
    const TextMode& mode, const std::shared_ptr<IOScheduler>& value,
    std::string* out) {
  // A profile that the program holds has no name to be read by.
  if (value == nullptr || !value->options().profile.empty()) {
    *out += "nullptr";
    return;
  }
  const IOSchedulerOptions options = value->options();
  TextCodec<IOSchedulerOptions>::Print(mode, options, out);
}

}  // namespace ROCKSDB_NAMESPACE::engine
