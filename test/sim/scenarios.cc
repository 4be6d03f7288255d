#include "test/sim/scenarios.h"

#include <algorithm>
#include <cmath>

#include "test/sim/saturation.h"

namespace ROCKSDB_NAMESPACE::sim {

using bench::LoadShape;

namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kGiB = 1 << 30;
constexpr uint64_t kKeyBytes = 16;
constexpr double kAmplitude = 9.375e6;
constexpr double kMean = 15.625e6;
constexpr double kCrest = kMean + kAmplitude;
constexpr double kSinePhase = 4.71;

double SecondsOr(const ScenarioParams& params, double fallback) {
  return params.seconds > 0 ? params.seconds : fallback;
}

Scenario Base(const ScenarioParams& params, uint64_t cap_mbps, double seconds) {
  Scenario s;
  s.device.write_mbps = params.cap_mbps > 0 ? params.cap_mbps : cap_mbps;
  s.device.read_mbps = 400;
  s.device.burst_seconds = params.burst_seconds;
  s.profile = params.profile;
  s.load_seconds = SecondsOr(params, seconds);
  return s;
}

// A value of this size instead of 8 KiB.
void SetValueBytes(uint64_t bytes, DatabaseSetup* setup) {
  for (TreeOptions& family : setup->database.families) {
    // Large values have a block of their own.
    family.put_bytes = bytes + kKeyBytes + (bytes < 4096 ? 4 : 40);
    // A million keys whatever their size.
    family.keys = 1000 * 1000;
  }
  for (SourceOptions& source : setup->sources) {
    source.puts_per_write = bytes < 4096 ? 4096 / bytes : 1;
    source.write_bytes = (bytes + kKeyBytes) * source.puts_per_write;
  }
}

void Scale(double factor, LoadShape::Settings* shape) {
  shape->sine.a *= factor;
  shape->sine.d *= factor;
  shape->low *= factor;
  shape->high *= factor;
  for (bench::RatePoint& point : shape->recorded) {
    point.bytes_per_second *= factor;
  }
}

SourceOptions Shaped(LoadShape::Kind kind, double low, double high,
                     const ScenarioParams& params) {
  SourceOptions source = ConstantSource(high, params);
  source.shape.kind = kind;
  source.shape.low = low;
  source.shape.high = high;
  return source;
}

// --------------------------------------------------------------------- B1

Scenario Sine45(const ScenarioParams& params) {
  ScenarioParams p = params;
  if (p.cap_mbps == 0) p.cap_mbps = 45;
  return CappedSine(p);
}

Scenario Sine60(const ScenarioParams& params) {
  ScenarioParams p = params;
  if (p.cap_mbps == 0) p.cap_mbps = 60;
  return CappedSine(p);
}

Scenario Sine90(const ScenarioParams& params) {
  ScenarioParams p = params;
  if (p.cap_mbps == 0) p.cap_mbps = 90;
  return CappedSine(p);
}

template <uint64_t kValueBytes>
Scenario SineValues(const ScenarioParams& params) {
  Scenario s = Sine60(params);
  SetValueBytes(kValueBytes, &s.databases[0]);
  return s;
}

// Source 000 as it was: 64 KiB values, 64 MiB memtables, one period of 350 s.
Scenario FullSine(const ScenarioParams& params) {
  Scenario s = Base(params, 1800, 350);
  s.device.read_mbps = 3000;
  s.device.burst_seconds = 0;
  s.cpus = 16;
  DatabaseSetup setup;
  setup.database = SmallDatabase(params);
  ColumnFamilyOptions& family = setup.database.families[0].family;
  family.write_buffer_size = 64 * kMiB;
  family.max_bytes_for_level_base = 256 * kMiB;
  family.target_file_size_base = 64 * kMiB;
  family.soft_pending_compaction_bytes_limit = 64 * kGiB;
  family.hard_pending_compaction_bytes_limit = 128 * kGiB;
  setup.database.db.delayed_write_rate = 8 * kMiB;
  setup.database.limiter_bytes_per_second = 380'000'000;
  setup.sources.push_back(SineSource(s.load_seconds, params));
  setup.sources[0].shape.sine.a *= 8;
  setup.sources[0].shape.sine.d *= 8;
  setup.sources[0].write_mbps = 1500;
  setup.sources[0].step_seconds = 10;
  s.databases.push_back(setup);
  SetValueBytes(64 * 1024, &s.databases[0]);
  return s;
}

// --------------------------------------------------------------------- B2-B7

Scenario Periods(const ScenarioParams& params) {
  Scenario s = Base(params, 60, 360);
  DatabaseSetup setup;
  setup.database = SmallDatabase(params);
  TreeOptions& tree = setup.database.families[0];
  tree.family.level_compaction_dynamic_level_bytes = true;
  tree.keys = 1500 * 1000;
  setup.prefill_bytes = 12 * kGiB;
  setup.sources.push_back(SineSource(s.load_seconds / 3, params));
  s.databases.push_back(setup);
  return s;
}

Scenario Constant(const ScenarioParams& params, double rate) {
  Scenario s = Base(params, 60, 300);
  DatabaseSetup setup;
  setup.database = SmallDatabase(params);
  SourceOptions ramp = Shaped(LoadShape::Kind::kRecorded, 0, rate, params);
  for (int i = 0; i <= 30; ++i) {
    ramp.shape.recorded.push_back({static_cast<double>(i), rate * i / 30});
  }
  setup.sources.push_back(ramp);
  s.databases.push_back(setup);
  return s;
}

// What a 60 MB/s device holds for ever, at the six bytes written per byte
// accepted that this tree comes to.
constexpr double kSustained60 = 9.8e6;
Scenario Steady95(const ScenarioParams& params) {
  return Constant(params, 0.95 * kSustained60);
}
Scenario Steady110(const ScenarioParams& params) {
  Scenario s = Constant(params, 1.1 * kSustained60);
  s.load_seconds = SecondsOr(params, 900);
  s.drain_seconds = 0;
  return s;
}

// From little to more than the device can merge, for ever.
Scenario Step(const ScenarioParams& params) {
  Scenario s = Base(params, 45, 240);
  DatabaseSetup setup;
  setup.database = SmallDatabase(params);
  SourceOptions source = Shaped(LoadShape::Kind::kRecorded, 0, 30e6, params);
  source.shape.recorded = {{0, 5e6}, {30, 30e6}};
  setup.sources.push_back(source);
  s.databases.push_back(setup);
  return s;
}

Scenario Closed(const ScenarioParams& params) {
  Scenario s = Constant(params, kMean);
  s.databases[0].sources = {ConstantSource(kMean, params)};
  s.databases[0].sources[0].closed_loop = true;
  return s;
}

Scenario Burst(const ScenarioParams& params) {
  Scenario s = Base(params, 60, 240);
  DatabaseSetup setup;
  setup.database = SmallDatabase(params);
  setup.sources.push_back(
      Shaped(LoadShape::Kind::kBurst, 2.5e6, kCrest, params));
  setup.sources[0].shape.period_seconds = 60;
  setup.sources[0].shape.high_seconds = 15;
  s.databases.push_back(setup);
  return s;
}

Scenario Square(const ScenarioParams& params) {
  Scenario s = Burst(params);
  s.load_seconds = SecondsOr(params, 120);
  SourceOptions& source = s.databases[0].sources[0];
  source = Shaped(LoadShape::Kind::kSquare, 2.5e6, kCrest, params);
  source.shape.period_seconds = 4;
  return s;
}

Scenario Stairs(const ScenarioParams& params) {
  Scenario s = Burst(params);
  SourceOptions& source = s.databases[0].sources[0];
  source = Shaped(LoadShape::Kind::kSteps, 5e6, kCrest, params);
  source.shape.period_seconds = 120;
  source.shape.steps = 4;
  return s;
}

Scenario Poisson(const ScenarioParams& params) {
  Scenario s = Burst(params);
  SourceOptions& source = s.databases[0].sources[0];
  source = Shaped(LoadShape::Kind::kPoisson, 0, 12.5e6, params);
  source.shape.batch_bytes = 1 << 20;
  return s;
}

// A minute at the crest, then next to nothing: how soon is it repaid?
Scenario RepayAfter(const ScenarioParams& params) {
  Scenario s = Base(params, 60, 180);
  DatabaseSetup setup;
  setup.database = SmallDatabase(params);
  SourceOptions source = Shaped(LoadShape::Kind::kRecorded, 0, kCrest, params);
  source.shape.recorded = {{0, kCrest}, {60, 1e6}};
  setup.sources.push_back(source);
  s.databases.push_back(setup);
  return s;
}

Scenario Reads(const ScenarioParams& params) {
  Scenario s = Sine60(params);
  s.databases[0].database.user_read_mbps = 60;
  return s;
}

Scenario Idle(const ScenarioParams& params) {
  Scenario s = Burst(params);
  s.load_seconds = SecondsOr(params, 400);
  SourceOptions& source = s.databases[0].sources[0];
  source = Shaped(LoadShape::Kind::kRecorded, 0, kMean, params);
  source.shape.recorded = {{0, kMean}, {150, 0}, {250, kMean}};
  return s;
}

// --------------------------------------------------------------------- B8

Scenario Steps(const ScenarioParams& params) {
  Scenario s = Base(params, 60, 180);
  DatabaseSetup setup;
  setup.database = SmallDatabase(params);
  setup.sources.push_back(ConstantSource(8e6, params));
  s.databases.push_back(setup);
  // 400, 150, 400 MB/s: three eighths in between.
  s.device.speed.push_back({60, 120, 0.375});
  return s;
}

Scenario Slow(const ScenarioParams& params) {
  Scenario s = Sine60(params);
  s.device.speed.push_back({40, 45, 0.2});
  s.device.speed.push_back({80, 85, 0.2});
  return s;
}

Scenario Halt(const ScenarioParams& params) {
  Scenario s = Steps(params);
  s.device.speed = {{60, 70, 0}};
  return s;
}

Scenario Spikes(const ScenarioParams& params) {
  Scenario s = Sine60(params);
  for (int i = 10; i < 120; i += 10) {
    const double at = i;
    s.device.latency.push_back({at, at + 1, 0.05});
  }
  return s;
}

Scenario Steal(const ScenarioParams& params) {
  Scenario s = Sine60(params);
  s.cpu = {{30, 50, 0.3}, {70, 90, 0.3}};
  return s;
}

// --------------------------------------------------------------------- B9

Scenario FourDatabases(const ScenarioParams& params) {
  Scenario s = Base(params, 90, 240);
  for (int i = 0; i < 4; ++i) {
    ScenarioParams p = params;
    p.seed += static_cast<uint64_t>(1000 * i);
    DatabaseSetup setup;
    setup.database = SmallDatabase(p);
    SourceOptions source = SineSource(s.load_seconds / 2, p);
    source.shape.sine.a /= 4;
    source.shape.sine.d /= 4;
    source.phase_seconds = s.load_seconds / 2 * i / 4;
    // The last one writes as fast as it may.
    if (i == 3) source.closed_loop = true;
    setup.sources.push_back(source);
    s.databases.push_back(setup);
  }
  return s;
}

Scenario TwoDatabases(const ScenarioParams& params) {
  Scenario s = FourDatabases(params);
  s.databases.erase(s.databases.begin(), s.databases.begin() + 2);
  return s;
}

Scenario Families(const ScenarioParams& params) {
  Scenario s = Base(params, 90, 240);
  DatabaseSetup setup;
  setup.database = SmallDatabase(params);
  const TreeOptions tree = setup.database.families[0];
  for (uint64_t i = 1; i < 8; ++i) {
    setup.database.families.push_back(tree);
    setup.database.families.back().seed += i;
  }
  // Two hot, six cold.
  for (uint64_t i = 0; i < 8; ++i) {
    ScenarioParams p = params;
    p.seed += i;
    SourceOptions source = SineSource(s.load_seconds / 2, p);
    const double share = i < 2 ? 0.35 : 0.05;
    source.shape.sine.a *= share;
    source.shape.sine.d *= share;
    setup.sources.push_back(source);
  }
  s.databases.push_back(setup);
  return s;
}

// --------------------------------------------------------------------- B10

Scenario Churn(const ScenarioParams& params) {
  Scenario s = Sine60(params);
  SourceOptions& source = s.databases[0].sources[0];
  source.deletion_share = 0.3;
  s.databases[0].database.families[0].keys = 100 * 1000;
  s.happenings.push_back(
      {s.load_seconds / 2, [](World* w) { w->database(0)->CompactAll(0); }});
  return s;
}

// As an untouched Options has it, but for the sizes.
Scenario Tiny(const ScenarioParams& params) {
  Scenario s = Sine60(params);
  DatabaseOptions& db = s.databases[0].database;
  db.families[0].family.max_write_buffer_number = 2;
  db.db.max_background_flushes = -1;
  db.db.max_background_compactions = -1;
  db.db.max_background_jobs = 2;
  return s;
}

}  // namespace

// --------------------------------------------------------------------- parts

DatabaseOptions SmallDatabase(const ScenarioParams& params) {
  DatabaseOptions options;
  options.mode = params.mode;
  options.seed = params.seed;
  options.tune = params.tune;
  options.db.max_background_flushes = 4;
  options.db.max_background_compactions = 2;
  options.db.delayed_write_rate = 1 * kMiB;
  TreeOptions tree;
  tree.seed = params.seed;
  tree.max_subcompactions = params.max_subcompactions;
  tree.put_bytes = 8192 + kKeyBytes + 40;
  ColumnFamilyOptions& family = tree.family;
  family.write_buffer_size = 8 * kMiB;
  family.max_write_buffer_number = 6;
  family.max_bytes_for_level_base = 32 * kMiB;
  family.target_file_size_base = 8 * kMiB;
  family.max_compaction_bytes = 25 * family.target_file_size_base;
  family.level_compaction_dynamic_level_bytes = false;
  family.soft_pending_compaction_bytes_limit = 8 * kGiB;
  family.hard_pending_compaction_bytes_limit = 16 * kGiB;
  options.families.push_back(tree);
  return options;
}

SourceOptions SineSource(double seconds, const ScenarioParams& params) {
  SourceOptions source = ConstantSource(kMean, params);
  source.shape.kind = LoadShape::Kind::kSine;
  source.shape.sine = {kAmplitude, 2 * M_PI / seconds, kSinePhase, kMean};
  return source;
}

SourceOptions ConstantSource(double bytes_per_second,
                             const ScenarioParams& params) {
  SourceOptions source;
  source.shape.kind = LoadShape::Kind::kFixed;
  source.shape.high = bytes_per_second;
  source.shape.seed = params.seed;
  source.seed = params.seed;
  return source;
}

Scenario CappedSine(const ScenarioParams& params) {
  Scenario s = Base(params, 45, 120);
  DatabaseSetup setup;
  setup.database = SmallDatabase(params);
  setup.sources.push_back(SineSource(s.load_seconds, params));
  s.databases.push_back(setup);
  return s;
}

namespace {

std::vector<NamedScenario> MakeAll() {
  std::vector<NamedScenario> all = {
      {"sine45", "B1: one sine period, device 45 MB/s", Sine45},
      {"sine60", "B1: the same at 60 MB/s", Sine60},
      {"sine90", "B1: the same at 90 MB/s", Sine90},
      {"sine_100", "B1: values of 100 bytes, 60 MB/s", SineValues<100>},
      {"sine_512", "B1: values of 512 bytes, 60 MB/s", SineValues<512>},
      {"sine_4k", "B1: values of 4 KiB, 60 MB/s", SineValues<4096>},
      {"sine_256k", "B1: values of 256 KiB, 60 MB/s", SineValues<256 * 1024>},
      {"sine_1m", "B1: values of 1 MiB, 60 MB/s", SineValues<1024 * 1024>},
      {"sine_full", "B1: the source's scale, 350 s, 1800 MB/s", FullSine},
      {"periods", "B2: three periods over 12 GiB, dynamic levels", Periods},
      {"steady95", "B3: 95 % of what 60 MB/s sustain", Steady95},
      {"steady110", "B3: 110 % of it, 900 s", Steady110},
      {"step", "B3: from 5 to 30 MB/s, device 45 MB/s", Step},
      {"closed", "B3: one writer as fast as it may", Closed},
      {"burst", "B4: 15 s of 60 s at the crest", Burst},
      {"square", "B4: a square wave of 4 s", Square},
      {"stairs", "B4: four stairs up to the crest", Stairs},
      {"poisson", "B4: batches at random", Poisson},
      {"repay_after", "B5: a minute at the crest, then 1 MB/s", RepayAfter},
      {"reads", "B6: the sine beside 60 MB/s of reads from files", Reads},
      {"idle", "B7: on 150 s, off 100 s, on", Idle},
      {"capacity", "B8: the device at three eighths for 60 s", Steps},
      {"slow", "B8: the device at 20 % for 5 s, twice", Slow},
      {"halt", "B8: the device stands still for 10 s", Halt},
      {"spikes", "B8: 50 ms more per access every 10 s", Spikes},
      {"steal", "B8: 70 % of the CPU stolen, twice 20 s", Steal},
      {"two_dbs", "B9: a sine beside a database that saturates", TwoDatabases},
      {"four_dbs", "B9: three shifted sines and one that saturates",
       FourDatabases},
      {"families", "B9: two hot and six cold families", Families},
      {"churn", "B10: deletes, CompactRange in the middle", Churn},
      {"tiny", "B10: two memtables, two jobs", Tiny},
  };
  const auto& saturated = SaturationScenarios();
  all.insert(all.end(), saturated.begin(), saturated.end());
  return all;
}

}  // namespace

const std::vector<NamedScenario>& AllScenarios() {
  static const std::vector<NamedScenario> all = MakeAll();
  return all;
}

std::optional<Scenario> MakeScenario(const std::string& name,
                                     const ScenarioParams& params) {
  for (const NamedScenario& s : AllScenarios()) {
    if (name != s.name) continue;
    Scenario made = s.make(params);
    made.name = name;
    for (DatabaseSetup& setup : made.databases) {
      for (SourceOptions& source : setup.sources) {
        Scale(params.load_factor, &source.shape);
      }
    }
    return made;
  }
  return std::nullopt;
}

}  // namespace ROCKSDB_NAMESPACE::sim
