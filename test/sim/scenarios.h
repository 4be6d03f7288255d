// The scenarios: what is written, onto what device, under which disturbances.
//
// Place. Named for the command line; functions for tests.
//
// Model. Sizes are an eighth of source 000's unless "full" is said: memtables
// of 8 MiB (six of them), 32 MiB in L1, 8 KiB values, a mean of 15.6 MB/s and a
// crest of 25 MB/s; triggers and times are the source's own.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "test/sim/world.h"

namespace ROCKSDB_NAMESPACE::sim {

struct ScenarioParams {
  Mode mode = Mode::kStatic;
  // 0: the scenario's own.
  uint64_t cap_mbps = 0;
  double seconds = 0;
  double load_factor = 1;  // On every rate that is asked for.
  // A control group's limit is what most scenarios write under.
  double burst_seconds = 0.1;
  uint32_t max_subcompactions = 1;
  uint64_t seed = 301;
  double profile = 0;  // See Scenario.
  engine::TuneParams tune;
};

struct NamedScenario {
  const char* name;
  const char* about;
  Scenario (*make)(const ScenarioParams& params);
};

const std::vector<NamedScenario>& AllScenarios();
std::optional<Scenario> MakeScenario(const std::string& name,
                                     const ScenarioParams& params);

// Parts to make others of.
DatabaseOptions SmallDatabase(const ScenarioParams& params);
SourceOptions SineSource(double seconds, const ScenarioParams& params);
SourceOptions ConstantSource(double bytes_per_second,
                             const ScenarioParams& params);
// The sine of the benchmark under a write cap.
Scenario CappedSine(const ScenarioParams& params);

}  // namespace ROCKSDB_NAMESPACE::sim
