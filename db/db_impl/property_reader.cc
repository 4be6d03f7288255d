#include "db/db_impl/property_reader.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "db/db_impl/io_text.h"
#include "db/db_impl/memory_reader.h"
#include "db/db_impl/property_sources.h"
#include "db/db_impl/tuning_text.h"
#include "db/properties/property_names.h"
#include "rocksdb/cache.h"
#include "rocksdb/db.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/version.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// What an integer property is computed from. Under the DB mutex.
struct Context {
  DbState* db;
  ColumnFamily* family;
  const JobScheduler* scheduler;
};

uint64_t FileSum(const Context& c, uint64_t (*of)(const FileMetaData&)) {
  uint64_t sum = 0;
  const VersionPtr version = c.family->versions()->current();
  for (int level = 0; level < version->num_levels(); ++level) {
    for (const FilePtr& file : version->files(level)) sum += of(*file);
  }
  return sum;
}

// Files of any version that is still held, each once.
uint64_t LiveFileBytes(const Context& c) {
  std::set<uint64_t> seen;
  uint64_t bytes = 0;
  for (const VersionPtr& version : c.family->versions()->LiveVersions()) {
    for (int level = 0; level < version->num_levels(); ++level) {
      for (const FilePtr& file : version->files(level)) {
        if (seen.insert(file->number).second) bytes += file->size;
      }
    }
  }
  return bytes;
}

const BlobFiles& BlobsOf(const Context& c) {
  return c.family->versions()->current()->blobs();
}

// Likewise of blob files.
uint64_t HeldBlobFileBytes(const Context& c) {
  std::set<uint64_t> seen;
  uint64_t bytes = 0;
  for (const VersionPtr& version : c.family->versions()->LiveVersions()) {
    for (const LiveBlobFile& blob : version->blobs().files) {
      if (seen.insert(blob.number()).second) bytes += blob.file->size();
    }
  }
  return bytes;
}

uint64_t BlobCacheNumber(const Context& c, size_t (Cache::*of)() const) {
  const Cache* const cache = c.family->blobs().cache().get();
  return cache != nullptr ? (cache->*of)() : 0;
}

uint64_t EstimateKeys(const Context& c) {
  c.db->mu.AssertHeld();
  const auto entries = [](const FileMetaData& file) {
    return file.num_entries.load(std::memory_order_relaxed);
  };
  const auto deletes = [](const FileMetaData& file) {
    return file.num_deletions.load(std::memory_order_relaxed);
  };
  const ColumnFamily& family = *c.family;
  const uint64_t added = FileSum(c, entries) + family.mem()->num_entries() +
                         family.imm().num_entries();
  // A deletion is an entry itself and takes one away.
  const uint64_t gone = 2 * (FileSum(c, deletes) + family.mem()->num_deletes() +
                             family.imm().num_deletes());
  return added > gone ? added - gone : 0;
}

uint64_t TableReadersBytes(const Context& c) {
  return FileSum(c, [](const FileMetaData& file) {
    const TableReader* table = file.pinned_reader();
    return table != nullptr ? uint64_t{table->ApproximateMemoryUsage()}
                            : uint64_t{0};
  });
}

uint64_t CacheNumber(const Context& c, size_t (Cache::*of)() const) {
  const std::shared_ptr<Cache> cache = BlockCacheOf(*c.family);
  return cache != nullptr ? (cache.get()->*of)() : 0;
}

uint64_t MemBytes(const Context& c) {
  return c.family->mem()->ApproximateMemoryUsage();
}

BlobFileStats BlobFigures(const ColumnFamily& family) {
  const BlobFiles& blobs = family.versions()->current()->blobs();
  BlobFileStats stats;
  stats.files = blobs.files.size();
  stats.file_bytes = blobs.FileBytes();
  stats.total_bytes = blobs.TotalBytes();
  stats.garbage_bytes = blobs.GarbageBytes();
  return stats;
}

const LevelState& StateOf(const Context& c) {
  return c.family->versions()->level_state();
}

// What writers are held to: the tuner's pacing, or the delay of a family, or
// whichever is less.
uint64_t ActualDelayedWriteRate(const Context& c) {
  c.db->mu.AssertHeld();
  const uint64_t delayed = c.db->controller.actual_delayed_write_rate();
  const uint64_t paced = c.db->tuning.pacing_bytes_per_second;
  if (delayed == 0 || paced == 0) return std::max(delayed, paced);
  return std::min(delayed, paced);
}

}  // namespace

struct PropertyReader::IntProperty {
  uint64_t (*get)(const Context& context);
};

namespace {

using C = const Context&;

// Nothing to count here: the feature is not in this release.
uint64_t Zero(C /*context*/) { return 0; }

struct IntPropertyRow {
  const char* name;
  uint64_t (*get)(C context);
};
constexpr IntPropertyRow kIntProperties[] = {
    {"rocksdb.num-immutable-mem-table",
     [](C c) REQUIRES_LOCK(kStateLock) {
       return uint64_t{c.family->imm().num_unflushed()};
     }},
    {"rocksdb.num-immutable-mem-table-flushed", &Zero},
    {"rocksdb.mem-table-flush-pending",
     [](C c) REQUIRES_LOCK(kStateLock) {
       return uint64_t{c.family->imm().IsFlushPending()};
     }},
    {"rocksdb.num-running-flushes",
     [](C c) REQUIRES_LOCK(kStateLock) {
       return uint64_t(c.scheduler->flushes_running());
     }},
    {"rocksdb.compaction-pending",
     [](C c) REQUIRES_LOCK(kStateLock) {
       return uint64_t{c.family->AutoCompactionDue()};
     }},
    {"rocksdb.num-running-compactions",
     [](C c) REQUIRES_LOCK(kStateLock) {
       uint64_t running = 0;
       for (const FamilyPtr& f : c.db->families->all()) {
         running += f->running().size();
       }
       return running;
     }},
    {"rocksdb.write-stops-without-job",
     [](C c) REQUIRES_LOCK(kStateLock) { return c.db->stops_without_job; }},
    {"rocksdb.background-errors",
     [](C c) REQUIRES_LOCK(kStateLock) { return c.db->errors.error_count(); }},
    {"rocksdb.cur-size-active-mem-table", &MemBytes},
    {"rocksdb.cur-size-all-mem-tables",
     [](C c) REQUIRES_LOCK(kStateLock) {
       return MemBytes(c) + c.family->imm().memory_bytes();
     }},
    {"rocksdb.size-all-mem-tables",
     [](C c) REQUIRES_LOCK(kStateLock) {
       return MemBytes(c) + c.family->imm().memory_bytes() +
              c.family->imm().pinned_bytes();
     }},
    {"rocksdb.num-entries-active-mem-table",
     [](C c) { return c.family->mem()->num_entries(); }},
    {"rocksdb.num-entries-imm-mem-tables",
     [](C c)
         REQUIRES_LOCK(kStateLock) { return c.family->imm().num_entries(); }},
    {"rocksdb.num-deletes-active-mem-table",
     [](C c) { return c.family->mem()->num_deletes(); }},
    {"rocksdb.num-deletes-imm-mem-tables",
     [](C c)
         REQUIRES_LOCK(kStateLock) { return c.family->imm().num_deletes(); }},
    {"rocksdb.estimate-num-keys", &EstimateKeys},
    {"rocksdb.estimate-table-readers-mem", &TableReadersBytes},
    {"rocksdb.is-file-deletions-enabled",
     [](C c) REQUIRES_LOCK(kStateLock) {
       return uint64_t{!c.db->deletion->disabled()};
     }},
    {"rocksdb.num-snapshots",
     [](C c) REQUIRES_LOCK(kStateLock) { return c.db->snapshots.count(); }},
    {"rocksdb.oldest-snapshot-time",
     [](C c) REQUIRES_LOCK(kStateLock) {
       const SnapshotImpl* oldest = c.db->snapshots.oldest();
       return oldest ? static_cast<uint64_t>(oldest->GetUnixTime())
                     : uint64_t{0};
     }},
    {"rocksdb.oldest-snapshot-sequence",
     [](C c) REQUIRES_LOCK(kStateLock) {
       const SnapshotImpl* oldest = c.db->snapshots.oldest();
       return oldest ? oldest->GetSequenceNumber() : SequenceNumber{0};
     }},
    {"rocksdb.num-live-versions",
     [](C c) { return uint64_t{c.family->versions()->NumLiveVersions()}; }},
    {"rocksdb.current-super-version-number",
     [](C c) { return c.family->view_number(); }},
    {"rocksdb.estimate-live-data-size",
     [](C c) {
       return c.family->versions()->current()->EstimateLiveDataSize() +
              BlobsOf(c).LiveBytes();
     }},
    {"rocksdb.min-log-number-to-keep",
     [](C c) { return c.db->versions->MinLogNumberToKeep(); }},
    {"rocksdb.min-obsolete-sst-number-to-keep",
     [](C c)
         REQUIRES_LOCK(kStateLock) { return c.db->deletion->MinKeptOutput(); }},
    {"rocksdb.total-sst-files-size", &LiveFileBytes},
    {"rocksdb.live-sst-files-size",
     [](C c) { return c.family->versions()->current()->TotalBytes(); }},
    {"rocksdb.obsolete-sst-files-size",
     [](C c) { return c.db->obsolete.bytes(); }},
    {"rocksdb.base-level", [](C c) { return uint64_t(StateOf(c).base_level); }},
    {"rocksdb.estimate-pending-compaction-bytes",
     [](C c) { return StateOf(c).pending_compaction_bytes; }},
    {"rocksdb.num-sorted-runs",
     [](C c) { return uint64_t(StateOf(c).sorted_runs); }},
    {"rocksdb.actual-delayed-write-rate", &ActualDelayedWriteRate},
    {"rocksdb.is-write-stopped",
     [](C c) { return uint64_t{c.db->controller.IsStopped()}; }},
    {"rocksdb.block-cache-capacity",
     [](C c) { return CacheNumber(c, &Cache::GetCapacity); }},
    {"rocksdb.block-cache-usage",
     [](C c) {
       const std::shared_ptr<Cache> cache = BlockCacheOf(*c.family);
       return cache ? uint64_t{cache->GetUsage()} : uint64_t{0};
     }},
    {"rocksdb.block-cache-pinned-usage",
     [](C c) { return CacheNumber(c, &Cache::GetPinnedUsage); }},
    {"rocksdb.num-running-compaction-sorted-runs",
     [](C c) REQUIRES_LOCK(kStateLock) {
       uint64_t runs = 0;
       for (const FamilyPtr& f : c.db->families->all()) {
         for (const CompactionPlan* plan : f->running()) {
           runs += SortedRunsOf(*plan);
         }
       }
       return runs;
     }},
    // Families that ask for a compaction.
    {"rocksdb.num-unscheduled-compactions",
     [](C c) REQUIRES_LOCK(kStateLock) {
       uint64_t waiting = 0;
       for (const FamilyPtr& f : c.db->families->all()) {
         waiting += f->AutoCompactionDue() ? 1 : 0;
       }
       return waiting;
     }},
    {"rocksdb.compaction-abort-count", &Zero},
    {"rocksdb.estimate-oldest-key-time", &Zero},
    {"rocksdb.num-blob-files",
     [](C c) { return uint64_t{BlobsOf(c).files.size()}; }},
    {"rocksdb.total-blob-file-size", &HeldBlobFileBytes},
    {"rocksdb.live-blob-file-size", [](C c) { return BlobsOf(c).FileBytes(); }},
    {"rocksdb.live-blob-file-garbage-size",
     [](C c) { return BlobsOf(c).GarbageBytes(); }},
    {"rocksdb.blob-cache-capacity",
     [](C c) { return BlobCacheNumber(c, &Cache::GetCapacity); }},
    {"rocksdb.blob-cache-usage",
     [](C c) {
       const Cache* cache = c.family->blobs().cache().get();
       return cache ? uint64_t{cache->GetUsage()} : uint64_t{0};
     }},
    {"rocksdb.blob-cache-pinned-usage",
     [](C c) { return BlobCacheNumber(c, &Cache::GetPinnedUsage); }},
};

// -1: not known.
double CompressionRatio(const Version& version, int level) {
  uint64_t raw = 0;
  for (const FilePtr& file : version.files(level)) {
    const TableReader* table = file->pinned_reader();
    if (table == nullptr) continue;
    raw +=
        table->properties()->raw_key_size + table->properties()->raw_value_size;
  }
  const uint64_t bytes = version.LevelBytes(level);
  if (bytes == 0 || raw == 0) return -1;
  return static_cast<double>(raw) / static_cast<double>(bytes);
}

}  // namespace

const std::map<std::string, PropertyReader::IntProperty>&
PropertyReader::IntProperties() {
  static const std::map<std::string, IntProperty> table = [] {
    std::map<std::string, IntProperty> rows;
    for (const IntPropertyRow& row : kIntProperties) {
      rows[row.name] = {row.get};
    }
    return rows;
  }();
  return table;
}

// Only the process that writes knows it.
bool PropertyReader::IsUnknown(const Slice& property) const {
  static const std::set<std::string> of_writer = {
      "rocksdb.actual-delayed-write-rate",
      "rocksdb.cf-write-stall-stats",
      "rocksdb.db-write-stall-stats",
      "rocksdb.is-write-stopped",
      "rocksdb.write-limit",
      "rocksdb.write-stops-without-job"};
  return deps_.read_only && of_writer.contains(property.ToString());
}

bool PropertyReader::Number(const FamilyPtr& family, const Slice& property,
                            uint64_t* value) {
  if (IsUnknown(property)) return false;
  const auto& table = IntProperties();
  const auto it = table.find(property.ToString());
  if (it == table.end()) return false;
  MutexLock lock(&deps_.db->mu);
  *value = it->second.get({deps_.db, family.get(), deps_.scheduler});
  return true;
}

bool PropertyReader::Sum(const Slice& property, uint64_t* value) {
  std::vector<FamilyPtr> families;
  {
    MutexLock lock(&deps_.db->mu);
    families = deps_.db->families->all();
  }
  *value = 0;
  for (const FamilyPtr& family : families) {
    uint64_t one = 0;
    if (!Number(family, property, &one)) return false;
    *value += one;
  }
  return true;
}

// ----------------------------------------------------------------------- text

bool PropertyReader::Text(const FamilyPtr& family, const Slice& property,
                          std::string* value) {
  if (IsUnknown(property)) {
    *value = kNotTheWriter;
    return true;
  }
  uint64_t number = 0;
  if (Number(family, property, &number)) {
    *value = std::to_string(number);
    return true;
  }
  return SourcedText(family, property, value) ||
         LockedText(family, property, value);
}

bool PropertyReader::LockedText(const FamilyPtr& family, const Slice& property,
                                std::string* value) {
  const auto [name, argument] = SplitPropertyName(property);
  tuning_ = deps_.tuning->Snapshot();
  MutexLock lock(&deps_.db->mu);
  using Maker = std::string (*)(PropertyReader*, ColumnFamily*);
  static const std::map<std::string, Maker> makers = {
      {"rocksdb.stats",
       [](PropertyReader* r, ColumnFamily* c) { return r->StatsText(c); }},
      {"rocksdb.cfstats",
       [](PropertyReader* r, ColumnFamily* c) { return r->CfText(c); }},
      {"rocksdb.cfstats-no-file-histogram",
       [](PropertyReader* r, ColumnFamily* c) { return r->CfText(c); }},
      {"rocksdb.cf-file-histogram",
       [](PropertyReader*, ColumnFamily* c) {
         return CfFileHistogramText(c->name());
       }},
      {"rocksdb.dbstats",
       [](PropertyReader* r, ColumnFamily*) { return r->DbText(); }},
      {"rocksdb.levelstats",
       [](PropertyReader* r, ColumnFamily* c) {
         return LevelStatsText(r->Levels(c));
       }},
      {"rocksdb.sstables",
       [](PropertyReader* r, ColumnFamily* c) { return r->Tables(*c); }},
      {"rocksdb.write-stall-cause",
       [](PropertyReader* r, ColumnFamily* c) REQUIRES_LOCK(kStateLock) {
         if (r->deps_.read_only) return std::string("unknown");
         return std::string(StallCauseName(c->stall().verdict.cause));
       }},
      {"rocksdb.auto-tune.state",
       [](PropertyReader* r, ColumnFamily* c) {
         return TuningStateText(r->TuneState(c));
       }},
      {"rocksdb.write-limit",
       [](PropertyReader* r, ColumnFamily*) REQUIRES_LOCK(kStateLock) {
         return WriteLimitText(*r->deps_.db, r->tuning_);
       }},
      {"rocksdb.options-statistics",
       [](PropertyReader* r, ColumnFamily*) {
         Statistics* statistics = r->deps_.db->store.statistics;
         return statistics != nullptr ? statistics->ToString() : std::string();
       }},
      {"rocksdb.riverstone-version",
       [](PropertyReader*, ColumnFamily*) {
         return GetRiverstoneBuildInfoAsString();
       }},
      {"rocksdb.blob-stats",
       [](PropertyReader*, ColumnFamily* c) {
         return BlobStatsText(BlobFigures(*c));
       }},
      {"rocksdb.cf-write-stall-stats",
       [](PropertyReader*, ColumnFamily* c) REQUIRES_LOCK(kStateLock) {
         return LinesOf(c->stall().counters.ToMap());
       }},
      {"rocksdb.db-write-stall-stats",
       [](PropertyReader* r, ColumnFamily*) {
         return LinesOf(r->DbStallMap());
       }},
  };
  const auto it = makers.find(property.ToString());
  if (it == makers.end()) return LevelText(family, name, argument, value);
  *value = it->second(this, family.get());
  return true;
}

// What has to be looked for, without the mutex.
bool PropertyReader::SourcedText(const FamilyPtr& family, const Slice& property,
                                 std::string* value) const {
  if (property == "rocksdb.io-scheduler") {
    *value = IoSchedulerText(*deps_.db->store.io_gate);
    return true;
  }
  TableProperties sum;
  if (SumFor(*family, property, &sum)) {
    *value = sum.ToString();
    return true;
  }
  return MemoryText(deps_.db, family, property, value);
}

bool PropertyReader::SumFor(const ColumnFamily& family, const Slice& property,
                            TableProperties* sum) {
  if (property == "rocksdb.aggregated-table-properties") {
    return SumTableProperties(family, -1, sum);
  }
  const auto [name, argument] = SplitPropertyName(property);
  return name == "rocksdb.aggregated-table-properties-at-level" &&
         !argument.empty() &&
         SumTableProperties(family, std::atoi(argument.ToString().c_str()),
                            sum);
}

PropertyMap PropertyReader::DbStallMap() const {
  return {{"write-buffer-manager-limit-stops",
           std::to_string(DatabaseStats().write_buffer_manager_stops)}};
}

bool PropertyReader::LevelText(const FamilyPtr& family, const Slice& name,
                               const Slice& argument,
                               std::string* value) const {
  if (argument.empty()) return false;
  const int level = std::atoi(argument.ToString().c_str());
  const VersionPtr version = family->versions()->current();
  const bool exists = level >= 0 && level < version->num_levels();
  if (name == "rocksdb.num-files-at-level") {
    *value = std::to_string(exists ? version->NumFiles(level) : 0);
    return exists;
  }
  if (name == "rocksdb.live-sst-files-size-at-temperature") {
    uint64_t bytes = 0;
    for (int i = 0; i < version->num_levels(); ++i) {
      for (const FilePtr& file : version->files(i)) {
        if (static_cast<int>(file->temperature) == level) bytes += file->size;
      }
    }
    *value = std::to_string(bytes);
    return true;
  }
  if (name != "rocksdb.compression-ratio-at-level" || !exists) return false;
  *value = std::to_string(CompressionRatio(*version, level));
  return true;
}

bool PropertyReader::Map(const FamilyPtr& family, const Slice& property,
                         std::map<std::string, std::string>* value) {
  if (IsUnknown(property)) return false;
  TableProperties sum;
  if (SumFor(*family, property, &sum)) {
    *value = MapOf(sum);
    return true;
  }
  if (MemoryMap(deps_.db, family, property, value)) return true;
  tuning_ = deps_.tuning->Snapshot();
  MutexLock lock(&deps_.db->mu);
  if (property == "rocksdb.cfstats") {
    *value = CfStatsMap(FamilyStats(family.get()));
  } else if (property == "rocksdb.dbstats") {
    *value = DbStatsMap(DatabaseStats());
  } else if (property == "rocksdb.cf-write-stall-stats") {
    *value = family->stall().counters.ToMap();
  } else if (property == "rocksdb.db-write-stall-stats") {
    *value = DbStallMap();
  } else if (property == "rocksdb.io-scheduler") {
    *value = IoSchedulerMap(*deps_.db->store.io_gate);
  } else if (property == "rocksdb.auto-tune.state") {
    *value = TuneState(family.get());
  } else {
    return false;
  }
  return true;
}

// ---------------------------------------------------------------------- stats

uint64_t PropertyReader::Uptime() const {
  return deps_.db->store.clock->NowMicros() - deps_.baseline->start_micros;
}

std::vector<LevelStatsRow> PropertyReader::Levels(ColumnFamily* family) const {
  deps_.db->mu.AssertHeld();
  const VersionPtr version = family->versions()->current();
  const LevelState& state = family->versions()->level_state();
  std::vector<LevelStatsRow> rows;
  for (int level = 0; level < version->num_levels(); ++level) {
    LevelStatsRow row;
    row.level = level;
    row.num_files = version->NumFiles(level);
    for (const FilePtr& file : version->files(level)) {
      row.num_files_compacting += file->being_compacted ? 1 : 0;
    }
    row.bytes = version->LevelBytes(level);
    row.score = state.ScoreOf(level);
    row.stats = family->job_stats().At(level);
    rows.push_back(row);
  }
  return rows;
}

CfStats PropertyReader::FamilyStats(ColumnFamily* family) const {
  deps_.db->mu.AssertHeld();
  CfStats stats;
  stats.name = family->name();
  stats.uptime_micros = Uptime();
  stats.levels = Levels(family);
  PriorityStatsRow high{"High", family->job_stats().At(0)};
  PriorityStatsRow low{"Low", {}};
  for (size_t i = 1; i < family->job_stats().levels.size(); ++i) {
    low.stats += family->job_stats().levels[i];
  }
  stats.priorities = {std::move(low), std::move(high)};
  stats.bytes_flushed = family->job_stats().flush_bytes;
  stats.blobs = BlobFigures(*family);
  stats.pending_compaction_bytes =
      family->versions()->level_state().pending_compaction_bytes;
  const StallCounters& counters = family->stall().counters;
  using Cause = WriteStallCause;
  stats.stalls.level0_slowdown = counters.delays(Cause::kL0FileCountLimit);
  stats.stalls.level0_numfiles = counters.stops(Cause::kL0FileCountLimit);
  stats.stalls.stop_for_pending_compaction_bytes =
      counters.stops(Cause::kPendingCompactionBytes);
  stats.stalls.slowdown_for_pending_compaction_bytes =
      counters.delays(Cause::kPendingCompactionBytes);
  stats.stalls.memtable_compaction = counters.stops(Cause::kMemtableLimit);
  stats.stalls.memtable_slowdown = counters.delays(Cause::kMemtableLimit);
  stats.write_stall_line = counters.ToLine();
  if (deps_.read_only) {
    stats.stalls_known = false;
    stats.write_stall_line =
        std::string("Write Stall (count): ") + kStallsUnknown + "\n";
  }
  return stats;
}

DbStats PropertyReader::DatabaseStats() const {
  deps_.db->mu.AssertHeld();
  const CommitCounters& counters = deps_.pipeline->counters();
  DbStats stats;
  stats.uptime_micros = Uptime();
  stats.writes = counters.writes;
  stats.keys = counters.keys;
  stats.commit_groups = counters.groups;
  stats.bytes = counters.bytes;
  stats.wal_writes = counters.wal_writes;
  stats.wal_syncs = counters.wal_syncs;
  stats.wal_bytes = counters.wal_bytes;
  stats.stall_micros = counters.stall_micros;
  stats.write_buffer_manager_stops = deps_.db->buffer_stops;
  stats.stalls_known = !deps_.read_only;
  return stats;
}

std::string PropertyReader::StatsText(ColumnFamily* family) {
  return CfText(family) + DbText();
}

std::string PropertyReader::CfText(ColumnFamily* family) {
  deps_.db->mu.AssertHeld();
  const CfStats now = FamilyStats(family);
  std::string text = CfStatsTextNoHistogram(now, family->stats_mark);
  family->stats_mark = CfStatsMark::Of(now);
  return text + CfFileHistogramText(family->name());
}

std::string PropertyReader::DbText() {
  const DbStats now = DatabaseStats();
  const std::string text = DbStatsText(now, deps_.baseline->shown);
  deps_.baseline->shown = now;
  return text;
}

std::string PropertyReader::Tables(const ColumnFamily& family) const {
  return family.versions()->current()->DebugString(/*hex=*/true);
}

TuningStateMap PropertyReader::TuneState(ColumnFamily* family) const {
  deps_.db->mu.AssertHeld();
  if (deps_.read_only) return {{"why", kNotTheWriter}};
  return TuningStateOf(*deps_.db, *family, tuning_);
}

}  // namespace ROCKSDB_NAMESPACE::engine
