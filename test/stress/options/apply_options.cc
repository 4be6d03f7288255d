#include "test/stress/options/apply_options.h"

#include <limits>
#include <string_view>

#include "db/options/options_table.h"
#include "rocksdb/io_scheduler.h"
#include "rocksdb/listener.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/sst_file_manager.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/write_buffer_manager.h"
#include "test/stress/history/operation.h"
#include "test/stress/options/rewriting_filter.h"
#include "test/stress/options/working_service.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

// Nothing of a history depends on it, but its calls are made.
class SilentListener final : public EventListener {};

// Is asked, and leaves all compactions to the database.
class DecliningService final : public CompactionService {
 public:
  const char* Name() const override { return "DecliningService"; }
};

// Asks for compactions of files with many deletions.
class DeletionCollector final : public TablePropertiesCollector {
 public:
  const char* Name() const override { return "DeletionCollector"; }
  Status AddUserKey(const Slice&, const Slice&, EntryType type, SequenceNumber,
                    uint64_t) override {
    if (type == kEntryDelete) ++deletions_;
    return Status::OK();
  }
  Status Finish(UserCollectedProperties* properties) override {
    (*properties)["stress.deletions"] = std::to_string(deletions_);
    return Status::OK();
  }
  UserCollectedProperties GetReadableProperties() const override { return {}; }
  bool NeedCompact() const override { return deletions_ > 10; }

 private:
  uint64_t deletions_ = 0;
};

class DeletionCollectorFactory final : public TablePropertiesCollectorFactory {
 public:
  const char* Name() const override { return "DeletionCollectorFactory"; }
  TablePropertiesCollector* CreateTablePropertiesCollector(
      TablePropertiesCollectorFactory::Context) override {
    return new DeletionCollector();
  }
};

engine::TextMode Strict() {
  engine::TextMode mode;
  mode.ignore_unsupported = false;
  return mode;
}

std::vector<std::string> Parts(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<DbPath> Paths(const std::string& base, const std::string& suffix,
                          const std::string& count) {
  std::vector<DbPath> paths;
  const int64_t last = NumberOf(count) - 1;
  for (int64_t i = 0; i <= last; ++i) {
    // The first is soon full.
    const uint64_t bytes =
        i < last ? 30000 : std::numeric_limits<uint64_t>::max();
    paths.emplace_back(
        i == 0 && suffix == "_path" ? base : base + suffix + std::to_string(i),
        bytes);
  }
  return paths;
}

std::shared_ptr<IOScheduler> SchedulerOf(const std::string& mbps) {
  IOSchedulerOptions scheduler;
  scheduler.profile =
      "disks:\n  - mountpoint: /\n    read_iops: 20000\n"
      "    write_iops: 20000\n    rate_factor: 0.9\n"
      "    read_bandwidth: " +
      mbps +
      "MB\n"
      "    write_bandwidth: " +
      mbps + "MB\n";
  return NewIOScheduler(scheduler);
}

// Most files of so small a database wait.
std::shared_ptr<SstFileManager> SpaceOf(Env* env, const std::string& rate) {
  std::shared_ptr<SstFileManager> manager(NewSstFileManager(env));
  manager->SetDeleteRateBytesPerSecond(NumberOf(rate));
  manager->SetMaxTrashDBRatio(10);
  return manager;
}

// True: the setting was an object.
bool ApplyObject(const std::string& name, const std::string& value,
                 const std::string& path, Caches* caches, DBOptions* options) {
  if (name == "rate_limiter") {
    options->rate_limiter.reset(NewGenericRateLimiter(NumberOf(value)));
  } else if (name == "io_scheduler") {
    options->io_scheduler = SchedulerOf(value);
  } else if (name == "sst_file_manager") {
    options->sst_file_manager = SpaceOf(options->env, value);
  } else if (name == "write_buffer_manager") {
    const bool stall = value.rfind("stall:", 0) == 0;
    const std::string bytes = stall ? value.substr(6) : value;
    options->write_buffer_manager = std::make_shared<WriteBufferManager>(
        static_cast<size_t>(NumberOf(bytes)), nullptr, stall);
  } else if (name == "row_cache") {
    options->row_cache = caches->Get(value);
  } else if (name == "statistics") {
    options->statistics = CreateDBStatistics();
    options->statistics->set_stats_level(
        value == "all" ? StatsLevel::kAll : StatsLevel::kExceptTimers);
  } else if (name == "listeners") {
    options->listeners = {std::make_shared<SilentListener>()};
  } else if (name == "compaction_service") {
    if (value == "works") {
      options->compaction_service =
          std::make_shared<WorkingService>(options->env, path + "_service");
    } else {
      options->compaction_service = std::make_shared<DecliningService>();
    }
  } else if (name == "db_paths") {
    options->db_paths = Paths(path, "_path", value);
  } else if (name == "wal_dir") {
    options->wal_dir = path + "/" + value;
  } else {
    return false;
  }
  return true;
}

bool* Member(const std::string& name, ReadOptions* o) {
  if (name == "verify_checksums") return &o->verify_checksums;
  if (name == "fill_cache") return &o->fill_cache;
  if (name == "async_io") return &o->async_io;
  if (name == "optimize_multiget_for_io") return &o->optimize_multiget_for_io;
  if (name == "pin_data") return &o->pin_data;
  if (name == "adaptive_readahead") return &o->adaptive_readahead;
  if (name == "background_purge_on_iterator_cleanup") {
    return &o->background_purge_on_iterator_cleanup;
  }
  if (name == "auto_readahead_size") return &o->auto_readahead_size;
  if (name == "allow_unprepared_value") return &o->allow_unprepared_value;
  if (name == "auto_refresh_iterator_with_snapshot") {
    return &o->auto_refresh_iterator_with_snapshot;
  }
  return nullptr;
}

bool* Member(const std::string& name, WriteOptions* o) {
  if (name == "sync") return &o->sync;
  if (name == "disableWAL") return &o->disableWAL;
  if (name == "low_pri") return &o->low_pri;
  if (name == "memtable_insert_hint_per_batch") {
    return &o->memtable_insert_hint_per_batch;
  }
  return nullptr;
}

size_t* Number(const std::string& name, ReadOptions* o) {
  return name == "readahead_size" ? &o->readahead_size : nullptr;
}
size_t* Number(const std::string& name, WriteOptions* o) {
  return name == "protection_bytes_per_key" ? &o->protection_bytes_per_key
                                            : nullptr;
}

template <typename Options>
Status ApplyCall(const Settings& settings, Options* options) {
  for (const auto& [name, value] : settings) {
    if (bool* const flag = Member(name, options)) {
      *flag = value == "true";
    } else if (size_t* const number = Number(name, options)) {
      *number = static_cast<size_t>(NumberOf(value));
    } else {
      return Status::InvalidArgument(name);
    }
  }
  return Status::OK();
}

}  // namespace

std::shared_ptr<Cache> Caches::Get(const std::string& text) {
  std::shared_ptr<Cache>& cache = caches_[text];
  if (cache != nullptr) return cache;
  const std::vector<std::string> parts = Parts(text);
  if (parts.size() < 2) return nullptr;
  std::shared_ptr<SecondaryCache> second;
  if (parts.size() > 2) {
    CompressedSecondaryCacheOptions options;
    options.capacity = static_cast<size_t>(NumberOf(parts[2]));
    options.num_shard_bits = 0;
    second = options.MakeSharedSecondaryCache();
  }
  const auto capacity = static_cast<size_t>(NumberOf(parts[1]));
  if (parts[0] == "clock") {
    HyperClockCacheOptions options(capacity, 0);
    options.num_shard_bits = 0;
    options.secondary_cache = second;
    cache = options.MakeSharedCache();
  } else {
    LRUCacheOptions options;
    options.capacity = capacity;
    options.num_shard_bits = 0;
    options.secondary_cache = second;
    cache = options.MakeSharedCache();
  }
  return cache;
}

Status Apply(const Settings& settings, const std::string& path, Caches* caches,
             DBOptions* options) {
  for (const auto& [name, value] : settings) {
    if (ApplyObject(name, value, path, caches, options)) continue;
    const Status status = engine::SetDbOption(Strict(), name, value, options);
    if (!status.ok()) {
      return Status::InvalidArgument(name + "=" + value, status.ToString());
    }
  }
  return Status::OK();
}

Status Apply(const FamilySettings& settings, const std::string& path,
             Caches* caches, ColumnFamilyOptions* options) {
  for (const auto& [name, value] : settings.options) {
    if (name == "blob_cache") {
      options->blob_cache = caches->Get(value);
      continue;
    }
    if (name == "cf_paths") {
      options->cf_paths = Paths(path, "_family", value);
      continue;
    }
    if (name == "table_properties_collector_factories") {
      options->table_properties_collector_factories = {
          std::make_shared<DeletionCollectorFactory>()};
      continue;
    }
    if (name == "compaction_filter") {
      options->compaction_filter = RewritingFilter();
      continue;
    }
    if (name == "compaction_filter_factory") {
      options->compaction_filter_factory = NewRewritingFilterFactory(value);
      continue;
    }
    const Status status = engine::SetCfOption(Strict(), name, value, options);
    if (!status.ok()) {
      return Status::InvalidArgument(name + "=" + value, status.ToString());
    }
  }
  std::string table;
  for (const auto& [name, value] : settings.table) {
    if (name != "block_cache") table += name + "=" + value + ";";
  }
  const Status status = engine::SetCfOption(
      Strict(), "block_based_table_factory", "{" + table + "}", options);
  if (!status.ok()) return Status::InvalidArgument(table, status.ToString());
  const auto cache = settings.table.find("block_cache");
  if (cache != settings.table.end()) {
    auto with_cache =
        *options->table_factory->GetOptions<BlockBasedTableOptions>();
    with_cache.block_cache = caches->Get(cache->second);
    options->table_factory.reset(NewBlockBasedTableFactory(with_cache));
  }
  return Status::OK();
}

Status Apply(const Settings& settings, ReadOptions* options) {
  return ApplyCall(settings, options);
}

Status Apply(const Settings& settings, WriteOptions* options) {
  return ApplyCall(settings, options);
}

}  // namespace ROCKSDB_NAMESPACE::stress
