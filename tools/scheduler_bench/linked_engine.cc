#include <cstdio>
#include <cstdlib>
#include <vector>

#include "env/composite_env.h"
#include "env/throttled_file_system.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/io_scheduler.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "tools/scheduler_bench/engine.h"

namespace scheduler_bench {

void Fail(const std::string& what) {
  std::fprintf(stderr, "scheduler_bench: %s\n", what.c_str());
  std::exit(1);
}

namespace {

using namespace rocksdb;  // NOLINT: a program.

void CheckStatus(const Status& status) {
  if (!status.ok()) Fail(status.ToString());
}

class LinkedEngine final : public Engine {
 public:
  explicit LinkedEngine(const EngineOptions& options) {
    const Options o = OptionsOf(options);
    std::vector<ColumnFamilyDescriptor> families;
    for (const char* name : kFamilyNames) families.emplace_back(name, o);
    CheckStatus(DB::Open(o, options.path, families, &families_, &db_));
    synced_.sync = true;
    without_log_.disableWAL = true;
  }
  ~LinkedEngine() override {
    for (ColumnFamilyHandle* family : families_) {
      CheckStatus(db_->DestroyColumnFamilyHandle(family));
    }
  }

  void Put(Family family, bool synced, const Slice& key,
           const Slice& value) override {
    CheckStatus(db_->Put(synced ? synced_ : without_log_, families_[family],
                         key, value));
  }
  void Get(const Slice& key) override {
    PinnableSlice value;
    CheckStatus(db_->Get(read_, families_[kQueries], key, &value));
  }
  void Flush(Family family) override {
    CheckStatus(db_->Flush(FlushOptions(), families_[family]));
  }
  void Compact(Family family) override {
    CheckStatus(db_->CompactRange(CompactRangeOptions(), families_[family],
                                  nullptr, nullptr));
  }
  void StartCompactions() override {
    CheckStatus(db_->SetOptions(families_[kBulk],
                                {{"disable_auto_compactions", "false"}}));
  }
  uint64_t RunningCompactions() override {
    uint64_t running = 0;
    db_->GetIntProperty(families_[kBulk],
                        DB::Properties::kNumRunningCompactions, &running);
    return running;
  }
  SyncTimes LogSyncs() override {
    HistogramData data;
    statistics_->histogramData(WAL_FILE_SYNC_MICROS, &data);
    return {data.count, data.average, data.median, data.percentile99};
  }
  uint64_t WrittenBytes() const override {
    return throttled_ == nullptr ? 0 : throttled_->written_bytes();
  }
  uint64_t ReadBytes() const override {
    return throttled_ == nullptr ? 0 : throttled_->read_bytes();
  }

 private:
  Options OptionsOf(const EngineOptions& options) {
    Options o;
    BlockBasedTableOptions table;
    table.block_cache = NewLRUCache(kCacheBytes);
    table.filter_policy.reset(NewBloomFilterPolicy(kBloomBits));
    o.table_factory.reset(NewBlockBasedTableFactory(table));
    o.create_if_missing = o.create_missing_column_families = options.create;
    o.write_buffer_size = kMemtableBytes;
    o.max_bytes_for_level_base = kLevelBaseBytes;
    o.target_file_size_base = kTableBytes;
    o.max_background_jobs = kJobs;
    o.max_subcompactions = kSubcompactions;
    o.max_open_files = -1;
    o.compression = kNoCompression;
    o.use_direct_reads = o.use_direct_io_for_flush_and_compaction = true;
    o.disable_auto_compactions = true;
    o.level0_slowdown_writes_trigger = kNoTrigger;
    o.level0_stop_writes_trigger = kNoTrigger;
    o.soft_pending_compaction_bytes_limit = 0;
    o.hard_pending_compaction_bytes_limit = 0;
    o.statistics = statistics_;
    if (!options.profile.empty()) {
      IOSchedulerOptions scheduler;
      scheduler.profile_path = options.profile;
      o.io_scheduler = NewIOScheduler(scheduler);
    }
    SetEnv(options, &o);
    return o;
  }

  void SetEnv(const EngineOptions& options, Options* o) {
    if (options.device_write_mbps == 0 && options.device_read_mbps == 0) return;
    engine::DeviceModel::Options device;
    device.write_mbps = options.device_write_mbps;
    device.read_mbps = options.device_read_mbps;
    throttled_ = std::make_shared<engine::ThrottledFileSystem>(
        FileSystem::Default(), SystemClock::Default(), device,
        [](const std::string& path) { return path.ends_with(".log"); });
    env_ = NewCompositeEnv(throttled_);
    o->env = env_.get();
  }

  const std::shared_ptr<Statistics> statistics_ = CreateDBStatistics();
  std::shared_ptr<engine::ThrottledFileSystem> throttled_;
  std::shared_ptr<Env> env_;
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> families_;
  ReadOptions read_;
  WriteOptions synced_;
  WriteOptions without_log_;
};

}  // namespace

std::unique_ptr<Engine> OpenLinkedEngine(const EngineOptions& options) {
  return std::make_unique<LinkedEngine>(options);
}

}  // namespace scheduler_bench
