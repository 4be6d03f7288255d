#include "test/sim/saturation.h"

namespace ROCKSDB_NAMESPACE::sim {

namespace {

constexpr uint64_t kMebibyte = 1 << 20;
constexpr uint64_t kGibibyte = 1 << 30;

struct Row {
  uint64_t cap_mbps = 45;
  uint64_t memtable_mib = 8;
  int memtables = 6;
  uint64_t value_bytes = 8192;
  int writers = 1;
  double compressed = 1;  // What is left of a put in a table.
};

void SetDefaults(ColumnFamilyOptions* family) {
  family->max_bytes_for_level_base = 256 * kMebibyte;
  family->target_file_size_base = 64 * kMebibyte;
  family->max_compaction_bytes = 25 * family->target_file_size_base;
  family->soft_pending_compaction_bytes_limit = 64 * kGibibyte;
  family->hard_pending_compaction_bytes_limit = 256 * kGibibyte;
}

SourceOptions Writers(const Row& row, const ScenarioParams& params) {
  constexpr uint64_t kKeyBytes = 16;
  SourceOptions source = ConstantSource(1e9, params);
  source.closed_loop = true;
  source.writers = row.writers;
  source.puts_per_write = row.value_bytes < 4096 ? 4096 / row.value_bytes : 1;
  source.write_bytes = (row.value_bytes + kKeyBytes) * source.puts_per_write;
  return source;
}

Scenario Saturated(const Row& row, const ScenarioParams& params) {
  Scenario s;
  s.profile = params.profile;
  s.device.write_mbps = params.cap_mbps > 0 ? params.cap_mbps : row.cap_mbps;
  s.device.burst_seconds = params.burst_seconds;
  s.load_seconds = params.seconds > 0 ? params.seconds : 120;
  s.drain_seconds = 0;
  DatabaseSetup setup;
  setup.database = SmallDatabase(params);
  TreeOptions& tree = setup.database.families[0];
  tree.put_bytes = row.value_bytes + (row.value_bytes < 4096 ? 20 : 56);
  tree.put_bytes = static_cast<uint64_t>(static_cast<double>(tree.put_bytes) *
                                         row.compressed);
  tree.keys = row.value_bytes < 4096 ? 20'000'000 : 1'000'000;
  tree.family.write_buffer_size = row.memtable_mib * kMebibyte;
  tree.family.max_write_buffer_number = row.memtables;
  if (row.memtable_mib == 64) SetDefaults(&tree.family);
  setup.sources.push_back(Writers(row, params));
  s.databases.push_back(setup);
  return s;
}

Scenario SmallMemtables(const ScenarioParams& params) {
  return Saturated({}, params);
}
Scenario Defaults(const ScenarioParams& params) {
  return Saturated({.memtable_mib = 64, .memtables = 2}, params);
}
// Values of which half is left in tables, as with db_bench's own.
Scenario Compressed(const ScenarioParams& params) {
  return Saturated({.memtable_mib = 64, .memtables = 2, .compressed = 0.5},
                   params);
}
Scenario LargeMemtables(const ScenarioParams& params) {
  return Saturated({.memtable_mib = 64}, params);
}
Scenario SlowDisk(const ScenarioParams& params) {
  return Saturated({.cap_mbps = 35}, params);
}
Scenario LowTriggers(const ScenarioParams& params) {
  Scenario s = Saturated({}, params);
  ColumnFamilyOptions& family = s.databases[0].database.families[0].family;
  family.level0_slowdown_writes_trigger = 8;
  family.level0_stop_writes_trigger = 12;
  return s;
}
Scenario TinyValues(const ScenarioParams& params) {
  return Saturated(
      {.cap_mbps = 90, .memtable_mib = 64, .memtables = 2, .value_bytes = 100},
      params);
}
Scenario SmallValues(const ScenarioParams& params) {
  return Saturated(
      {.cap_mbps = 90, .memtable_mib = 64, .memtables = 2, .value_bytes = 1024},
      params);
}
// A device that is never the limit: two threads compact.
Scenario Uncapped(const ScenarioParams& params) {
  Scenario s = Saturated({.cap_mbps = 2000,
                          .memtable_mib = 64,
                          .memtables = 2,
                          .value_bytes = 100},
                         params);
  s.device.read_mbps = 4000;
  s.databases[0].database.compact_mbps = 120;
  s.databases[0].database.flush_mbps = 200;
  s.databases[0].sources[0].write_mbps = 400;
  return s;
}
Scenario LargeValues(const ScenarioParams& params) {
  return Saturated(
      {.memtable_mib = 64, .memtables = 2, .value_bytes = 64 << 10}, params);
}
Scenario SixteenWriters(const ScenarioParams& params) {
  return Saturated({.value_bytes = 1024, .writers = 16}, params);
}
Scenario TwoFamilies(const ScenarioParams& params) {
  Scenario s = Saturated({}, params);
  DatabaseSetup& setup = s.databases[0];
  setup.database.families.push_back(setup.database.families[0]);
  setup.database.families.back().seed += 1;
  setup.sources.push_back(setup.sources[0]);
  setup.sources.back().seed += 1;
  return s;
}
Scenario SharedDevice(const ScenarioParams& params) {
  Scenario s = Saturated({}, params);
  s.databases.push_back(s.databases[0]);
  s.databases[1].database.seed += 1;
  s.databases[1].sources[0].seed += 1;
  return s;
}

// Nearly what writers that never rest get in two minutes, and more than the
// tree bears for ten: the levels below grow.
Scenario OpenLoop(const ScenarioParams& params) {
  Scenario s = Saturated({}, params);
  s.load_seconds = params.seconds > 0 ? params.seconds : 600;
  s.databases[0].sources[0] = ConstantSource(0.95 * 19.3e6, params);
  return s;
}

// The sine; after a pause of 30 s writers write what they missed as fast as
// they can, and meanwhile what the sine asks for: 0.6 in the mean of what they
// can, so that they catch up.
Scenario PausedSine(const ScenarioParams& params) {
  Scenario s = Saturated({}, params);
  s.load_seconds = params.seconds > 0 ? params.seconds : 180;
  SourceOptions& source = s.databases[0].sources[0];
  source = SineSource(s.load_seconds * 2 / 3, params);
  source.shape.sine.a *= 0.75;
  source.shape.sine.d *= 0.75;
  source.pause = {s.load_seconds / 3, s.load_seconds / 6};
  return s;
}

}  // namespace

const std::vector<NamedScenario>& SaturationScenarios() {
  static const std::vector<NamedScenario> all = {
      {"sat_8x6", "S1: memtables of 8 MiB x 6, 45 MB/s", SmallMemtables},
      {"sat_64x2", "S2: 64 MiB x 2, the default", Defaults},
      {"sat_64x6", "S3: 64 MiB x 6", LargeMemtables},
      {"sat_35", "S4: 8 MiB x 6, 35 MB/s", SlowDisk},
      {"sat_8_12", "S5: 8 MiB x 6, L0 triggers 8 and 12", LowTriggers},
      {"sat_100", "S6: 100 B, 90 MB/s", TinyValues},
      {"sat_1k", "S7: 1 KiB, 90 MB/s", SmallValues},
      {"sat_nocap", "S8: 100 B, no cap", Uncapped},
      {"sat_64k", "S9: 64 KiB, 45 MB/s", LargeValues},
      {"sat_16w", "S10: 1 KiB, 16 writers, 45 MB/s", SixteenWriters},
      {"sat_2cf", "S11: two column families, 45 MB/s", TwoFamilies},
      {"sat_2db", "S12: two databases, 45 MB/s", SharedDevice},
      {"sat_compressed", "S14: 64 MiB x 2, tables of half the size",
       Compressed},
      {"catch_up", "S13: the sine, a pause, and what was missed in it",
       PausedSine},
      {"open_95", "S15: as S1, 95 % of its mean for ten minutes", OpenLoop},
  };
  return all;
}

}  // namespace ROCKSDB_NAMESPACE::sim
