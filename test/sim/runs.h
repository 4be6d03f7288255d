// Runs scenarios for tests.

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "test/sim/report.h"
#include "test/sim/scenarios.h"
#include "test/sim/world.h"

namespace ROCKSDB_NAMESPACE::sim {

inline ScenarioParams ParamsFor(Mode mode) {
  ScenarioParams params;
  params.mode = mode;
  return params;
}

inline std::unique_ptr<World> RunScenario(const std::string& name, Mode mode,
                                          uint64_t seed = 301) {
  ScenarioParams params = ParamsFor(mode);
  params.seed = seed;
  std::optional<Scenario> scenario = MakeScenario(name, params);
  EXPECT_TRUE(scenario.has_value()) << name;
  auto world = std::make_unique<World>(*scenario);
  world->Run();
  return world;
}

inline std::unique_ptr<World> RunScenario(const Scenario& scenario) {
  auto world = std::make_unique<World>(scenario);
  world->Run();
  return world;
}

// For failure messages.
inline std::string Figures(const std::string& label, Mode mode,
                           const Score& score) {
  return "\n" + ScoreHeading() + ScoreLine(label, mode, score);
}

}  // namespace ROCKSDB_NAMESPACE::sim
