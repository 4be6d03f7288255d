#include "rocksdb/statistics.h"
#include "tools/peer_bench/api.h"
#include "tools/scheduler_bench/engine.h"

namespace scheduler_bench {

namespace {

using rocksdb::Slice;

void CheckError(char* error) {
  if (error != nullptr) Fail(error);
}

class LoadedEngine final : public Engine {
 public:
  LoadedEngine(const EngineOptions& options, const std::string& library)
      : api_(peer_bench::LoadApi(library)) {
    SetOptions(options);
    read_ = api_.readoptions_create();
    synced_ = api_.writeoptions_create();
    api_.writeoptions_set_sync(synced_, 1);
    without_log_ = api_.writeoptions_create();
    api_.writeoptions_disable_WAL(without_log_, 1);
    const rocksdb_options_t* const all[] = {options_, options_, options_};
    char* error = nullptr;
    db_ = api_.open_column_families(options_, options.path.c_str(), kFamilies,
                                    kFamilyNames, all, families_, &error);
    CheckError(error);
  }
  ~LoadedEngine() override {
    for (rocksdb_column_family_handle_t* family : families_) {
      api_.column_family_handle_destroy(family);
    }
    api_.close(db_);
    api_.writeoptions_destroy(without_log_);
    api_.writeoptions_destroy(synced_);
    api_.readoptions_destroy(read_);
    api_.options_destroy(options_);
    api_.cache_destroy(cache_);
  }
  LoadedEngine(const LoadedEngine&) = delete;
  LoadedEngine& operator=(const LoadedEngine&) = delete;

  void Put(Family family, bool synced, const Slice& key,
           const Slice& value) override {
    char* error = nullptr;
    api_.put_cf(db_, synced ? synced_ : without_log_, families_[family],
                key.data(), key.size(), value.data(), value.size(), &error);
    CheckError(error);
  }
  void Get(const Slice& key) override {
    char* error = nullptr;
    rocksdb_pinnableslice_t* const value = api_.get_pinned_cf(
        db_, read_, families_[kQueries], key.data(), key.size(), &error);
    CheckError(error);
    if (value == nullptr) Fail("a key is missing: prepare the database anew");
    api_.pinnableslice_destroy(value);
  }
  void Flush(Family family) override {
    char* error = nullptr;
    rocksdb_flushoptions_t* const flush = api_.flushoptions_create();
    api_.flush_cf(db_, flush, families_[family], &error);
    api_.flushoptions_destroy(flush);
    CheckError(error);
  }
  void Compact(Family family) override {
    api_.compact_range_cf(db_, families_[family], nullptr, 0, nullptr, 0);
  }
  void StartCompactions() override {
    const char* const key = "disable_auto_compactions";
    const char* const value = "false";
    char* error = nullptr;
    api_.set_options_cf(db_, families_[kBulk], 1, &key, &value, &error);
    CheckError(error);
  }
  uint64_t RunningCompactions() override {
    uint64_t running = 0;
    (void)api_.property_int_cf(db_, families_[kBulk],
                               "rocksdb.num-running-compactions", &running);
    return running;
  }
  SyncTimes LogSyncs() override {
    rocksdb_statistics_histogram_data_t* const data =
        api_.statistics_histogram_data_create();
    api_.options_statistics_get_histogram_data(
        options_, rocksdb::WAL_FILE_SYNC_MICROS, data);
    const SyncTimes times = {api_.statistics_histogram_data_get_count(data),
                             api_.statistics_histogram_data_get_average(data),
                             api_.statistics_histogram_data_get_median(data),
                             api_.statistics_histogram_data_get_p99(data)};
    api_.statistics_histogram_data_destroy(data);
    return times;
  }

 private:
  void SetOptions(const EngineOptions& options) {
    options_ = api_.options_create();
    rocksdb_block_based_table_options_t* table =
        api_.block_based_options_create();
    cache_ = api_.cache_create_lru(kCacheBytes);
    api_.block_based_options_set_block_cache(table, cache_);
    api_.block_based_options_set_filter_policy(
        table, api_.filterpolicy_create_bloom_full(kBloomBits));
    api_.options_set_block_based_table_factory(options_, table);
    api_.block_based_options_destroy(table);
    const auto create = static_cast<unsigned char>(options.create);
    api_.options_set_create_if_missing(options_, create);
    api_.options_set_create_missing_column_families(options_, create);
    api_.options_set_write_buffer_size(options_, kMemtableBytes);
    api_.options_set_max_bytes_for_level_base(options_, kLevelBaseBytes);
    api_.options_set_target_file_size_base(options_, kTableBytes);
    api_.options_set_max_background_jobs(options_, kJobs);
    api_.options_set_max_subcompactions(options_, kSubcompactions);
    api_.options_set_max_open_files(options_, -1);
    api_.options_set_compression(options_, rocksdb_no_compression);
    api_.options_set_use_direct_reads(options_, 1);
    api_.options_set_use_direct_io_for_flush_and_compaction(options_, 1);
    api_.options_set_disable_auto_compactions(options_, 1);
    api_.options_set_level0_slowdown_writes_trigger(options_, kNoTrigger);
    api_.options_set_level0_stop_writes_trigger(options_, kNoTrigger);
    api_.options_set_soft_pending_compaction_bytes_limit(options_, 0);
    api_.options_set_hard_pending_compaction_bytes_limit(options_, 0);
    api_.options_enable_statistics(options_);
  }

  const peer_bench::Api api_;
  rocksdb_options_t* options_ = nullptr;
  rocksdb_cache_t* cache_ = nullptr;
  rocksdb_readoptions_t* read_ = nullptr;
  rocksdb_writeoptions_t* synced_ = nullptr;
  rocksdb_writeoptions_t* without_log_ = nullptr;
  rocksdb_t* db_ = nullptr;
  rocksdb_column_family_handle_t* families_[kFamilies] = {};
};

}  // namespace

std::unique_ptr<Engine> OpenLoadedEngine(const EngineOptions& options,
                                         const std::string& library) {
  return std::make_unique<LoadedEngine>(options, library);
}

}  // namespace scheduler_bench
