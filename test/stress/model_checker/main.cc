// stress: threads use one database at random, and all they read is compared
// with a model. See `tools/dev stress --help`.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#include "test/stress/model_checker/driver.h"
#include "test/stress/model_checker/run.h"

#ifdef __SANITIZE_THREAD__
// One thread may lock all keys of a range, more locks than the sanitizer can
// order. The order of the library's locks is checked in `dev`.
// The library hides its symbols, so this one must say that it is exported.
extern "C" __attribute__((visibility("default"))) const char*
__tsan_default_options() {
  return "detect_deadlocks=0";
}
#endif

namespace {

using rocksdb::stress::checker::Choice;
using rocksdb::stress::checker::Flags;

constexpr const char* kHelp = R"(usage: stress [flags]

Threads use one database at random: every kind of record, transactions,
snapshots, iterators, ingestion, checkpoints, changes of options, manual compactions,
pauses, LockWAL, families that come and go, openings with different options.
All that is read is compared with a model. The seed decides everything but
how threads meet.

  --seed N           the first seed (1)
  --seeds N          so many seeds, one after the other (1)
  --seconds S        start no further run after S seconds
  --repeat N         run each seed up to N times, until it fails (1)
  --threads N        threads (4)
  --kill 0|1         kill the process again and again (drawn from the seed)
  --faults 0|1       let calls of the file system fail (drawn)
  --memory 0|1       keep files in memory; not with kills (drawn)
  --lossy 0|1        with kills or faults: keys written without a log,
                     manual_wal_flush, or both (drawn)
  --timestamps 0|1   a family with user timestamps (drawn)
  --neighbour 0|1    another tuned database is written meanwhile; not with
                     kills or faults (drawn)
  --transactions 0|1 a database with locking or optimistic transactions (drawn)
  --filters 0|1      compaction filters remove and change some values (drawn)
  --without A,B      leave out operations: names as in test/stress/
                     model_checker/worker.cc
  --without_options A,B   leave options at their defaults
  --dir PATH         put databases here, and keep those of failures
  --stall_seconds N  no progress of a thread for so long is a failure (10)
  --preset NAME      for the command that is printed to repeat a failure

Exit code: 1 if a run failed. Each failure prints a command that repeats it.
)";

Choice ToChoice(const std::string& text) {
  if (text == "draw") return Choice::kDraw;
  return text == "0" ? Choice::kOff : Choice::kOn;
}

uint64_t ToNumber(const std::string& text) {
  return std::strtoull(text.c_str(), nullptr, 10);
}

// Takes "--name=value" and "--name value".
bool Parse(int argc, char** argv, Flags* flags) {
  const std::map<std::string, std::function<void(const std::string&)>> known = {
      {"seed", [&](const auto& v) { flags->seed = ToNumber(v); }},
      {"seeds", [&](const auto& v) { flags->seeds = ToNumber(v); }},
      {"seconds",
       [&](const auto& v) { flags->seconds = std::atof(v.c_str()); }},
      {"repeat", [&](const auto& v) { flags->repeat = ToNumber(v); }},
      {"threads",
       [&](const auto& v) { flags->threads = std::atoi(v.c_str()); }},
      {"kill", [&](const auto& v) { flags->kill = ToChoice(v); }},
      {"faults", [&](const auto& v) { flags->faults = ToChoice(v); }},
      {"memory", [&](const auto& v) { flags->memory = ToChoice(v); }},
      {"lossy", [&](const auto& v) { flags->lossy = ToChoice(v); }},
      {"timestamps", [&](const auto& v) { flags->timestamps = ToChoice(v); }},
      {"neighbour", [&](const auto& v) { flags->neighbour = ToChoice(v); }},
      {"filters", [&](const auto& v) { flags->filters = ToChoice(v); }},
      {"transactions",
       [&](const auto& v) { flags->transactions = ToChoice(v); }},
      {"dir", [&](const auto& v) { flags->dir = v; }},
      {"stall_seconds",
       [&](const auto& v) { flags->stall_seconds = std::atoi(v.c_str()); }},
      {"without", [&](const auto& v) { flags->without = v; }},
      {"without_options", [&](const auto& v) { flags->without_options = v; }},
      {"preset", [&](const auto& v) { flags->preset = v; }},
      {"child", [&](const auto& v) { flags->child = v == "1"; }},
      {"round", [&](const auto& v) { flags->round = ToNumber(v); }},
      {"endless", [&](const auto& v) { flags->endless = v == "1"; }},
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const size_t equals = word.find('=');
    const std::string name =
        word.compare(0, 2, "--") == 0 ? word.substr(2, equals - 2) : "";
    const auto found = known.find(name);
    if (found == known.end()) {
      std::fprintf(stderr, "unknown argument: %s\n%s", word.c_str(), kHelp);
      return false;
    }
    std::string value;
    if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (++i < argc) {
      value = argv[i];
    } else {
      std::fprintf(stderr, "%s needs a value\n", word.c_str());
      return false;
    }
    found->second(value);
  }
  return flags->threads > 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::printf("%s", kHelp);
    return 0;
  }
  Flags flags;
  if (!Parse(argc, argv, &flags)) return 2;
  if (flags.child)
    return rocksdb::stress::checker::RunProcess(flags, flags.dir);
  return rocksdb::stress::checker::Drive(flags);
}
