#include "test/stress/crash/setup.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env.h"
#include "rocksdb/sst_file_manager.h"
#include "rocksdb/write_buffer_manager.h"
#include "test/stress/crash/row_filter.h"
#include "test/stress/options/apply_options.h"
#include "test/stress/options/draw_options.h"
#include "test/stress/options/working_service.h"
#include "test/support/map_rep.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

// What decides about crashes is drawn here: more often, and with smaller
// values, than where every option is as important as the next.
class Overrides {
 public:
  explicit Overrides(uint64_t seed) : random_(seed) {}

  bool OneIn(uint64_t n) { return random_.OneIn(n); }
  // One of the values, or nothing, once in `one_in` times.
  void Maybe(uint64_t one_in, const char* name,
             std::initializer_list<const char*> values) {
    if (random_.OneIn(one_in)) Always(name, values);
  }
  void Always(const char* name, std::initializer_list<const char*> values) {
    const char* const value = values.begin()[random_.Uniform(values.size())];
    text_ += std::string(name) + "=" + value + ";";
  }
  const std::string& text() const { return text_; }

 private:
  engine::Random64 random_;
  std::string text_;
};

// Without it a log that lost its end at the end of a record, before one that
// did not, cannot be told from a whole one: recovery leaves a gap.
bool DrawChained(uint64_t seed) { return !Overrides(seed * 41 + 3).OneIn(4); }

// What is gone after damage that is skipped cannot be told from what a filter
// removed.
bool DrawFiltered(uint64_t seed, bool chained) {
  return chained && Overrides(seed * 67 + 11).OneIn(4);
}

bool DrawStamped(uint64_t seed) { return Overrides(seed * 43 + 5).OneIn(5); }

// What does not go together with timestamps is off.
void Stamp(uint64_t life, Setup* setup) {
  setup->stamped = true;
  setup->time_before = life << 32;
  setup->options.comparator = BytewiseComparatorWithU64Ts();
  setup->options.enable_blob_files = false;
  setup->text = "keys with timestamps; " + setup->text;
}

void OverrideLogs(Logging logging, bool chained, Overrides* draw) {
  if (logging == Logging::kAtomic ||
      (logging == Logging::kAll && draw->OneIn(6))) {
    draw->Always("atomic_flush", {"true"});
    draw->Always("enable_pipelined_write", {"false"});
    draw->Always("unordered_write", {"false"});
  } else {
    draw->Always("atomic_flush", {"false"});
  }
  const bool manual =
      (logging == Logging::kAll || logging == Logging::kSome) && draw->OneIn(4);
  draw->Always("manual_wal_flush", {manual ? "true" : "false"});
  draw->Always("track_and_verify_wals", {chained ? "true" : "false"});
  draw->Maybe(3, "track_and_verify_wals_in_manifest", {"true"});
  // Mostly the default: it promises most.
  if (draw->OneIn(4)) {
    draw->Always("wal_recovery_mode",
                 {"kTolerateCorruptedTailRecords", "kAbsoluteConsistency",
                  "kSkipAnyCorruptedRecords"});
  } else {
    draw->Always("wal_recovery_mode", {"kPointInTimeRecovery"});
  }
  draw->Maybe(2, "recycle_log_file_num", {"1", "2", "4"});
  if (engine::CompressionTypeSupported(kZSTD)) {
    draw->Maybe(4, "wal_compression", {"kZSTD"});
  }
  draw->Maybe(4, "wal_bytes_per_sync", {"1", "512"});
  draw->Maybe(4, "max_total_wal_size", {"1", "4096", "20000"});
  draw->Maybe(6, "WAL_ttl_seconds", {"1", "1000"});
  draw->Maybe(6, "WAL_size_limit_MB", {"1"});
  draw->Maybe(3, "avoid_flush_during_recovery", {"true"});
}

void OverrideSizes(Overrides* draw) {
  draw->Always("max_manifest_file_size", {"1", "500", "2000", "1073741824"});
  draw->Maybe(4, "manifest_preallocation_size", {"1", "4096"});
  draw->Always("write_buffer_size", {"4096", "8192", "16384", "65536"});
  draw->Maybe(2, "level0_file_num_compaction_trigger", {"1", "2", "8"});
  draw->Maybe(4, "target_file_size_base", {"1", "2000", "10000"});
  draw->Maybe(4, "max_bytes_for_level_base", {"1", "5000"});
  draw->Maybe(6, "experimental_mempurge_threshold", {"1.0"});
  draw->Maybe(5, "memtable_protection_bytes_per_key", {"1", "8"});
}

Status Make(const DrawnOptions& drawn, const std::string& overrides,
            const std::string& folder, Options* options) {
  Options base;
  base.create_if_missing = true;
  Caches caches;
  const std::string path = folder + "/db";
  Status status = Apply(drawn.db, path, &caches, &base);
  if (status.ok()) {
    status = Apply(drawn.families.begin()->second, path, &caches, &base);
  }
  if (!status.ok()) return status;
  return GetOptionsFromString(base, overrides + "merge_operator=stringappend;",
                              options);
}

// Memtables that drawn text cannot name: with values that change where they
// are, and of a class of the program's own.
void DrawMemtable(uint64_t seed, uint64_t life, Setup* setup) {
  Overrides draw(seed * 53 + life);
  Options& options = setup->options;
  if (draw.OneIn(6) && !options.unordered_write && !setup->stamped) {
    options.inplace_update_support = true;
    options.allow_concurrent_memtable_write = false;
    setup->text += "\n  values change in place";
  }
  if (!draw.OneIn(8)) return;
  static test::MapRepFaults no_faults;
  options.memtable_factory = std::make_shared<test::MapRepFactory>(&no_faults);
  setup->text += "\n  memtables of the program's own";
}

// Writing the LOG takes half of the time of so short a life.
class NoLog final : public Logger {
 public:
  NoLog() : Logger(InfoLogLevel::FATAL_LEVEL) {}

  using Logger::Logv;
  void Logv(InfoLogLevel, const char*, va_list) override {}
};

}  // namespace

Logging DrawLogging(uint64_t seed) {
  engine::Random64 random(seed * 31 + 7);
  constexpr Logging kKinds[] = {Logging::kAll,    Logging::kAll,
                                Logging::kAll,    Logging::kSome,
                                Logging::kAtomic, Logging::kNone};
  return kKinds[random.Uniform(std::size(kKinds))];
}

Options Setup::OptionsOn(Env* env) const {
  Options on = options;
  on.env = env;
  if (IsWorking(on.compaction_service)) {
    const auto service = std::make_shared<WorkingService>(env, service_folder);
    service->Serve(WorkingService::kAnyFamily, on);
    on.compaction_service = service;
  }
  if (delete_rate == 0) return on;
  on.sst_file_manager.reset(NewSstFileManager(env));
  on.sst_file_manager->SetDeleteRateBytesPerSecond(delete_rate);
  on.sst_file_manager->SetMaxTrashDBRatio(10);
  return on;
}

Setup DrawSetup(uint64_t seed, uint64_t life, Logging logging,
                const std::string& folder) {
  DrawRequest request;
  request.seed = seed + 1;
  request.opening = life;
  // Decided here, or of no use in so short a life.
  request.without = {"wal_dir",
                     "allow_2pc",
                     "stats_dump_period_sec",
                     "stats_persist_period_sec",
                     "stats_history_buffer_size",
                     "rate_limiter",
                     "sst_file_manager",  // See delete_rate.
                     "delayed_write_rate",
                     "listeners",
                     "max_bgerror_resume_count",
                     "write_buffer_manager",
                     "log_file_time_to_roll",
                     "max_log_file_size"};
  DrawnOptions drawn = DrawOptions(request, {kDefaultColumnFamilyName});
  Settings& table = drawn.families.begin()->second.table;
  const auto checksum = table.find("checksum");
  if (checksum != table.end() && checksum->second == "kNoChecksum") {
    table.erase(checksum);  // Damage would not show.
  }
  Overrides draw(seed * 1000003 + life);
  const bool chained = logging != Logging::kAll || DrawChained(seed);
  OverrideLogs(logging, chained, &draw);
  OverrideSizes(&draw);
  Setup setup;
  setup.logging = logging;
  setup.text = draw.text() + "\n  " + drawn.ToString();
  const Status status = Make(drawn, draw.text(), folder, &setup.options);
  if (!status.ok()) {
    std::fprintf(stderr, "%s: %s\n", setup.text.c_str(),
                 status.ToString().c_str());
    std::abort();
  }
  setup.options.max_bgerror_resume_count = 0;
  if (Overrides(seed).OneIn(4)) setup.options.wal_dir = folder + "/wal";
  if (!Overrides(seed * 37 + life).OneIn(8)) {
    setup.options.info_log = std::make_shared<NoLog>();
  }
  if (DrawStamped(seed)) Stamp(life, &setup);
  DrawMemtable(seed, life, &setup);
  setup.lone_syncs = Overrides(seed * 59 + life).OneIn(6);
  Overrides memory(seed * 47 + life);
  if (memory.OneIn(4)) {
    // Some memtables of a few kilobytes reach it.
    const size_t bytes = memory.OneIn(2) ? 40000 : 120000;
    const bool stall = memory.OneIn(2);
    setup.options.write_buffer_manager =
        std::make_shared<WriteBufferManager>(bytes, nullptr, stall);
    setup.text += "\n  write_buffer_manager=" + std::to_string(bytes) +
                  (stall ? ", stall" : "");
  }
  if (Overrides(seed * 61 + life).OneIn(4)) {
    setup.delete_rate = 100000;
    setup.text += "\n  files are deleted slowly";
  }
  setup.service_folder = folder + kServiceFolder;
  setup.filtered = DrawFiltered(seed, chained);
  if (setup.filtered) {
    setup.text += "\n  a filter " + DrawRowFilter(seed, life, &setup.options);
  }
  setup.chained = chained;
  setup.manual_wal_flush = setup.options.manual_wal_flush;
  return setup;
}

std::pair<std::string, std::string> DrawSetOption(engine::Random64* random) {
  using Choice = std::pair<const char*, const char*>;
  constexpr Choice kTuner[] = {{"auto_tuned_compaction", "true"},
                               {"auto_tuned_compaction", "false"},
                               {"compaction_tuning", "kAdaptive"},
                               {"compaction_tuning", "kAdvise"},
                               {"write_buffer_size", "4096"}};
  if (random->OneIn(2)) {
    const Choice& choice = kTuner[random->Uniform(std::size(kTuner))];
    return {choice.first, choice.second};
  }
  static const auto kChanges = MutableChanges(Section::kFamily, Since::kOurs);
  return kChanges[random->Uniform(kChanges.size())];
}

namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

// Without those that are of no use in so short a life, or would hide damage.
Changes OtherChanges(Section section) {
  Changes changes = MutableChanges(section, Since::kOurs);
  std::erase_if(changes, [](const auto& change) {
    const std::string& name = change.first;
    return name == "stats_dump_period_sec" ||
           name == "stats_persist_period_sec" ||
           name == "stats_history_buffer_size" ||
           name == "delayed_write_rate" || name == "log_file_time_to_roll" ||
           name == "checksum";
  });
  return changes;
}

}  // namespace

OtherChange DrawOtherChange(engine::Random64* random) {
  static const Changes kDb = OtherChanges(Section::kDb);
  static const Changes kTable = OtherChanges(Section::kTable);
  if (!random->OneIn(3)) {
    const auto& [name, value] = kDb[random->Uniform(kDb.size())];
    return {true, name, value};
  }
  const auto& [name, value] = kTable[random->Uniform(kTable.size())];
  const auto spelled =
      SpellTableChange(name, value, random->Uniform(kTableSpellings));
  return {false, spelled.first, spelled.second};
}

bool IsRefused(const OtherChange& change, const Status& status) {
  return !change.of_db && status.IsInvalidArgument() &&
         status.ToString().find("block_align") != std::string::npos;
}

}  // namespace ROCKSDB_NAMESPACE::stress
