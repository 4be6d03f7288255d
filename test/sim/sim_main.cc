// sim: runs scenarios in virtual time and prints how each mode did.
//
//   sim --scenario NAME|PREFIX*|all --mode M|all [--table] [--even] [--plot]
//       [--csv] [--verbose] [--jobs]
//       [--cap_mbps N] [--seconds S] [--seed N] [--profile FACTOR]
//       [--param name=value]...
//       [--list]

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "test/sim/report.h"
#include "test/sim/scenarios.h"
#include "test/sim/world.h"

namespace ROCKSDB_NAMESPACE::sim {
namespace {

struct Arguments {
  std::string scenario = "all";
  std::string mode = "all";
  bool plot = false;
  bool csv = false;
  bool verbose = false;
  bool list = false;
  bool jobs = false;
  bool even = false;
  ScenarioParams params;
};

bool SetParam(const std::string& text, engine::TuneParams* params) {
  const size_t eq = text.find('=');
  if (eq == std::string::npos) return false;
  for (const engine::TuneLimit& limit : engine::kTuneLimits) {
    if (text.substr(0, eq) != limit.name) continue;
    params->Set(limit.param, std::strtod(text.c_str() + eq + 1, nullptr));
    return true;
  }
  return false;
}

// Both --name=value and --name value.
bool Parse(int argc, char** argv, Arguments* a) {
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    std::string value;
    const size_t eq = name.find('=');
    const auto take = [&] {
      if (eq != std::string::npos) {
        value = name.substr(eq + 1);
        name.resize(eq);
      } else if (i + 1 < argc) {
        value = argv[++i];
      }
      return value;
    };
    const std::string bare = name.substr(0, eq);
    if (bare == "--scenario") {
      a->scenario = take();
    } else if (bare == "--mode") {
      a->mode = take();
    } else if (bare == "--cap_mbps") {
      a->params.cap_mbps = std::strtoull(take().c_str(), nullptr, 10);
    } else if (bare == "--seconds") {
      a->params.seconds = std::strtod(take().c_str(), nullptr);
    } else if (bare == "--load_factor") {
      a->params.load_factor = std::strtod(take().c_str(), nullptr);
    } else if (bare == "--max_subcompactions") {
      a->params.max_subcompactions =
          static_cast<uint32_t>(std::strtoul(take().c_str(), nullptr, 10));
    } else if (bare == "--burst_seconds") {
      a->params.burst_seconds = std::strtod(take().c_str(), nullptr);
    } else if (bare == "--profile") {
      a->params.profile = std::strtod(take().c_str(), nullptr);
    } else if (bare == "--seed") {
      a->params.seed = std::strtoull(take().c_str(), nullptr, 10);
    } else if (bare == "--param") {
      if (!SetParam(take(), &a->params.tune)) return false;
    } else if (bare == "--table") {
      // Always printed, unless --csv.
    } else if (bare == "--even") {
      a->even = true;
    } else if (bare == "--plot") {
      a->plot = true;
    } else if (bare == "--csv") {
      a->csv = true;
    } else if (bare == "--verbose") {
      a->verbose = true;
    } else if (bare == "--jobs") {
      a->jobs = true;
    } else if (bare == "--list") {
      a->list = true;
    } else {
      return false;
    }
  }
  return a->mode == "all" || ModeOf(a->mode).has_value();
}

void RunOne(const std::string& name, Mode mode, const Arguments& a) {
  ScenarioParams params = a.params;
  params.mode = mode;
  World world(*MakeScenario(name, params), a.verbose);
  for (size_t i = 0; a.jobs && i < world.databases(); ++i) {
    world.database(i)->trace = [](const std::string& text) {
      std::printf("%s\n", text.c_str());
    };
  }
  world.Run();
  for (size_t i = 0; i < world.databases(); ++i) {
    if (a.csv) {
      std::fputs(CsvLines(world.seconds(i)).c_str(), stdout);
      continue;
    }
    for (const Second& s : world.seconds(i)) {
      if (a.verbose) std::printf("%s\n", s.line.c_str());
    }
    if (a.plot) std::fputs(PlotsOf(world.seconds(i)).c_str(), stdout);
    std::string label = name;
    if (world.databases() > 1) label += "/" + std::to_string(i);
    const Score score = world.ScoreOf(i);
    std::fputs(
        (a.even ? EvenLine(label, mode, score) : ScoreLine(label, mode, score))
            .c_str(),
        stdout);
    std::fflush(stdout);
  }
}

// A name, a prefix with a star, or all.
bool Selects(const std::string& wanted, const std::string& name) {
  if (wanted == "all" || wanted == name) return true;
  return wanted.ends_with('*') &&
         name.starts_with(wanted.substr(0, wanted.size() - 1));
}

int Main(int argc, char** argv) {
  Arguments a;
  if (!Parse(argc, argv, &a)) {
    std::fprintf(
        stderr,
        "usage: sim [--list] [--scenario NAME|PREFIX*|all] [--mode "
        "static|off|drain_switch|limiter|adaptive|advise|all]\n"
        "           [--table] [--even] [--plot] [--csv] [--verbose] [--jobs]\n "
        "          [--cap_mbps "
        "N] [--seconds S] [--load_factor X] [--seed N]\n"
        "           [--param name=value]...\n");
    return 2;
  }
  bool found = false;
  if (!a.csv && !a.list) {
    std::fputs((a.even ? EvenHeading() : ScoreHeading()).c_str(), stdout);
  }
  for (const NamedScenario& s : AllScenarios()) {
    if (a.list) std::printf("%-12s %s\n", s.name, s.about);
    if (!Selects(a.scenario, s.name)) continue;
    found = true;
    for (const Mode mode : kModes) {
      if (a.list || (a.mode != "all" && mode != *ModeOf(a.mode))) continue;
      RunOne(s.name, mode, a);
    }
  }
  if (!found) std::fprintf(stderr, "no such scenario; see --list\n");
  return found ? 0 : 2;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::sim

int main(int argc, char** argv) {
  return ROCKSDB_NAMESPACE::sim::Main(argc, argv);
}
