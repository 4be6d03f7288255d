// tools/dev crash: explores what crashes leave of random histories.

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "test/stress/crash/explorer.h"
#include "test/stress/crash/kill_loop.h"
#include "test/stress/seeds/seed_runner.h"

namespace {

constexpr const char* kUsage = R"(tools/dev crash [flags]
  --seed=N     the first seed (1)
  --seeds=N    how many (1)
  --seconds=N  no new seed after so long
  --jobs=N     processes (one per processor)
  --steps=N    operations of the first life of a history (60)
  --states=N   crash states per history (600)
  --depth=N    crashes in a row (3)
  --keep=DIR   copies the disk of a failure there
  --kills=N    instead: kills processes that write to a real disk, N times
  --folder=DIR where (the system's folder for temporary files)
)";

namespace stress = ROCKSDB_NAMESPACE::stress;

// Of each database.
constexpr uint64_t kKillsPerSeed = 10;

int Kill(stress::SeedFlags flags) {
  const uint64_t kills = flags.Number("kills", 0);
  const uint64_t each = std::min(kills, kKillsPerSeed);
  if (flags.seeds == 0) flags.seeds = (kills + each - 1) / each;
  flags.others["kills"] = std::to_string(each);
  std::string folder = flags.Text("folder");
  if (folder.empty()) folder = std::filesystem::temp_directory_path();
  folder += "/riverstone_kills_" + std::to_string(::getpid()) + "_";
  return stress::RunSeeds(
      flags, "crash", {"kills", "kills in recovery"}, [&](uint64_t seed) {
        stress::KillTotals totals =
            stress::RunKills(seed, each, folder + std::to_string(seed));
        stress::SeedResult result;
        result.counts = {{"kills", totals.kills},
                         {"kills in recovery", totals.in_recovery}};
        result.failures = std::move(totals.failures);
        return result;
      });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], stress::kKillChild) == 0) {
    return stress::KillChildMain(argc, argv);
  }
  const stress::SeedFlags flags = stress::ParseSeedFlags(
      argc, argv, {"steps", "states", "depth", "keep", "kills", "folder"},
      kUsage);
  if (flags.Number("kills", 0) > 0) return Kill(flags);
  stress::CrashLimits limits;
  limits.steps = flags.Number("steps", limits.steps);
  limits.states = flags.Number("states", limits.states);
  limits.depth = static_cast<int>(flags.Number("depth", 3));
  return stress::RunSeeds(
      flags, "crash", {"states", "images", "refused"}, [&](uint64_t seed) {
        stress::CrashTotals totals =
            stress::ExploreCrashes(seed, limits, flags.Text("keep"));
        stress::SeedResult result;
        result.counts = {{"states", totals.states},
                         {"images", totals.images},
                         {"refused", totals.refused}};
        result.failures = std::move(totals.failures);
        return result;
      });
}
