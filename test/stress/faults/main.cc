// tools/dev faults: random histories on a file system that fails.

#include <cstdio>

#include "test/stress/faults/fault_run.h"
#include "test/stress/seeds/seed_runner.h"

namespace {

namespace stress = ROCKSDB_NAMESPACE::stress;

constexpr const char* kUsage = R"(tools/dev faults [flags]
  --seed=N     the first seed (1)
  --seeds=N    how many (1)
  --seconds=N  no new seed after so long
  --jobs=N     processes (one per processor)
  --runs=N     runs per seed, each with another fault (100)
  --run=N      only this one, step by step on standard error
)";

stress::SeedResult RunSeed(uint64_t seed, const stress::SeedFlags& flags) {
  stress::SeedResult result;
  const bool one = flags.others.contains("run");
  const stress::FaultResult clean = stress::RunWithFault(seed, nullptr, false);
  if (!clean.failure.empty()) {
    result.failures.push_back("without a fault: " + clean.failure);
    return result;
  }
  const uint64_t first = flags.Number("run", 0);
  const uint64_t end = one ? first + 1 : flags.Number("runs", 100);
  for (uint64_t n = first; n < end; ++n) {
    stress::ReportProgress("--run=" + std::to_string(n));
    const stress::FaultPlan plan = stress::DrawPlan(seed, n, clean.calls);
    const stress::FaultResult run = stress::RunWithFault(seed, &plan, one);
    result.counts["injected"] += run.injected > 0 ? 1 : 0;
    result.counts["failing calls"] += run.injected;
    if (!run.failure.empty()) stress::ReportFailure(run.failure);
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const stress::SeedFlags flags =
      stress::ParseSeedFlags(argc, argv, {"runs", "run"}, kUsage);
  return stress::RunSeeds(
      flags, "faults", {"injected", "failing calls"},
      [&flags](uint64_t seed) { return RunSeed(seed, flags); });
}
