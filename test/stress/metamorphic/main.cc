// metamorphic: one history under many option sets, in memory; every answer must
// be the model's, and so must the content when the database is reopened.
//
//   tools/dev metamorphic [--seed N] [--seeds N | --seconds N] ...
//
// Set 0 of each seed has no options drawn. A failing history is run again in
// processes of their own while operations, then options, are taken out.

#include <sys/wait.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/env.h"
#include "rocksdb/system_clock.h"
#include "test/stress/history/history.h"
#include "test/stress/history/model.h"
#include "test/stress/run/flags.h"
#include "test/stress/run/reduce.h"
#include "test/stress/run/runner.h"
#include "test/stress/run/watch.h"
#include "test/stress/target/db_target.h"
#include "test/support/clocked_env.h"
#include "test/support/encrypted.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

// Files in memory, of which a crash leaves only what was synced.
class Disk {
 public:
  explicit Disk(bool encrypted) : encrypted_(encrypted) {
    Use(std::make_shared<engine::MemFileSystem>());
  }
  Env* env() { return envs_.back().get(); }
  Env* Crash() {
    engine::CrashOptions options;
    options.seed = ++crashes_;
    Use(disk_->CrashClone(options));
    return env();
  }

 private:
  void Use(std::shared_ptr<engine::MemFileSystem> disk) {
    disk_ = std::move(disk);
    std::shared_ptr<FileSystem> fs = disk_;
    if (encrypted_) fs = test::Encrypted(std::move(fs));
    envs_.push_back(std::make_unique<test::ClockedEnv>(
        Env::Default(), std::move(fs), SystemClock::Default()));
  }

  const bool encrypted_;
  std::shared_ptr<engine::MemFileSystem> disk_;
  // Databases that were open during a crash still use the older ones.
  std::vector<std::unique_ptr<Env>> envs_;
  uint64_t crashes_ = 0;
};

class Program {
 public:
  explicit Program(const Flags& flags) : flags_(flags), watch_(flags.stall) {}

  int Main() {
    if (flags_.reduce_only) return ReduceOnly();
    if (!flags_.replay.empty()) return Replay();
    const Budget budget(flags_);
    uint64_t seeds = 0;
    for (; budget.Another(seeds); ++seeds) Seed(flags_.seed + seeds);
    std::printf("metamorphic: %" PRIu64 " seeds, %" PRIu64
                " operations, %" PRIu64 " option sets, %" PRIu64
                " failures (%.0f operations/s)\n",
                seeds, operations_, sets_, failures_,
                static_cast<double>(operations_) / budget.Elapsed());
    return failures_ == 0 ? 0 : 1;
  }

 private:
  DrawRequest Draw(uint64_t seed, uint64_t set) const {
    DrawRequest draw;
    draw.seed = set == 0 ? 0 : seed * 1000 + set;
    draw.transactions = true;
    draw.without = flags_.without;
    // Such files cannot be mapped.
    if (IsEncrypted(seed, set)) draw.without.emplace_back("allow_mmap_reads");
    return draw;
  }

  static bool IsEncrypted(uint64_t seed, uint64_t set) {
    return set != 0 && engine::Random64(seed * 1000 + set).OneIn(6);
  }

  History HistoryOf(uint64_t seed) const {
    HistoryRequest request;
    request.seed = seed;
    request.operations = flags_.operations;
    request.crashes = true;
    request.bursts = true;
    request.timestamps = true;
    request.folded = true;
    request.transactions = true;
    return MakeHistory(request);
  }

  std::string Command(uint64_t seed, uint64_t set) const {
    std::string command = "tools/dev metamorphic --seed " +
                          std::to_string(seed) + " --seeds 1 --set " +
                          std::to_string(set) + " --operations " +
                          std::to_string(flags_.operations);
    for (size_t i = 0; i < flags_.without.size(); ++i) {
      command += (i == 0 ? " --without " : ",") + flags_.without[i];
    }
    return command;
  }

  void Seed(uint64_t seed) {
    const Script script = MakeScript(HistoryOf(seed));
    for (uint64_t set = 0; set < flags_.sets; ++set) {
      if (flags_.set >= 0 && set != static_cast<uint64_t>(flags_.set)) continue;
      if (!RunSet(script, seed, set) && flags_.reduce) {
        ReduceAndPrint(script.history, seed, set);
      }
    }
    if (flags_.set >= static_cast<int64_t>(flags_.sets)) {
      RunSet(script, seed, static_cast<uint64_t>(flags_.set));
    }
  }

  bool RunSet(const Script& script, uint64_t seed, uint64_t set) {
    Disk disk(IsEncrypted(seed, set));
    DbTarget target({disk.env(), "/db", [&disk] { return disk.Crash(); }});
    watch_.Reproduce(Command(seed, set) + " --reduce");
    RunRequest request;
    request.script = &script;
    request.draw = Draw(seed, set);
    request.target = &target;
    request.before = [this](const Operation& operation) {
      watch_.Progress(ToText(operation));
      ++operations_;
    };
    if (flags_.verbose) {
      std::printf(
          "seed %" PRIu64 " set %" PRIu64 "%s %s\n", seed, set,
          IsEncrypted(seed, set) ? " encrypted" : "",
          DrawOptions(request.draw, FirstFamilies()).ToString().c_str());
    }
    const std::optional<Failure> failure = Run(request);
    watch_.Progress("closing");
    ++sets_;
    if (!failure) return true;
    ++failures_;
    std::printf(
        "FAILURE: seed %" PRIu64 " set %" PRIu64 ": %s\nreproduce: %s\n", seed,
        set, failure->ToString().c_str(), Command(seed, set).c_str());
    return false;
  }

  int Replay() {
    History history;
    if (!ReadHistory(flags_.replay, &history)) return 2;
    const uint64_t set = flags_.set < 0 ? 0 : static_cast<uint64_t>(flags_.set);
    return RunSet(MakeScript(history), flags_.seed, set) ? 0 : 1;
  }

  int ReduceOnly() {
    const uint64_t set = flags_.set < 0 ? 0 : static_cast<uint64_t>(flags_.set);
    ReduceAndPrint(MakeScript(HistoryOf(flags_.seed)).history, flags_.seed,
                   set);
    return 1;
  }

  // A process that crashes or hangs fails, too.
  bool Fails(const History& history, const std::string& options) const {
    const std::string path =
        (std::filesystem::temp_directory_path() /
         ("metamorphic." + std::to_string(getpid()) + ".txt"))
            .string();
    std::ofstream(path) << ToText(history);
    const std::string command = flags_.program + " --no-reduce --stall 5 " +
                                options + " --replay " + path +
                                " >/dev/null 2>&1";
    const int code = std::system(command.c_str());
    std::filesystem::remove(path);
    return code != 0;
  }

  std::vector<std::string> NamesDrawn(uint64_t seed, uint64_t set) const {
    std::set<std::string> names;
    DrawRequest draw = Draw(seed, set);
    for (; draw.opening < 20; ++draw.opening) {
      const DrawnOptions drawn = DrawOptions(draw, FirstFamilies());
      if (!drawn.transactions.empty()) names.insert("transactions");
      for (const auto& [name, value] : drawn.db) names.insert(name);
      for (const auto& [name, value] : drawn.reads) names.insert(name);
      for (const auto& [name, value] : drawn.writes) names.insert(name);
      for (const auto& [family, settings] : drawn.families) {
        for (const auto& [name, value] : settings.options) names.insert(name);
        for (const auto& [name, value] : settings.table) names.insert(name);
      }
    }
    return {names.begin(), names.end()};
  }

  void ReduceAndPrint(const History& history, uint64_t seed, uint64_t set) {
    constexpr size_t kTries = 300;
    const std::string same =
        "--seed " + std::to_string(seed) + " --set " + std::to_string(set);
    const auto left_out_flag = [](const std::vector<std::string>& names) {
      std::string flag;
      for (const std::string& name : names) {
        flag += (flag.empty() ? " --without " : ",") + name;
      }
      return flag;
    };
    const std::string given = left_out_flag(flags_.without);
    const History shorter = Reduce(history, kTries, [&](const History& rest) {
      watch_.Progress("reducing");
      return Fails(rest, same + given);
    });
    if (!Fails(shorter, same + given)) {
      std::printf("it does not fail every time\n");
    }
    const std::vector<std::string> names =
        ReduceNames(NamesDrawn(seed, set), kTries,
                    [&](const std::vector<std::string>& left_out) {
                      watch_.Progress("reducing options");
                      return Fails(shorter, same + left_out_flag(left_out));
                    });
    std::printf("reduced to %zu operations:\n%soptions that matter:",
                shorter.size(), ToText(shorter).c_str());
    for (const std::string& name : names) std::printf(" %s", name.c_str());
    std::printf("\n");
  }

  const Flags& flags_;
  Watch watch_;
  uint64_t operations_ = 0;
  uint64_t sets_ = 0;
  uint64_t failures_ = 0;
};

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress

int main(int argc, char** argv) {
  namespace stress = ROCKSDB_NAMESPACE::stress;
  stress::Flags flags;
  if (!stress::ReadFlags(argc, argv, &flags)) return 2;
  return stress::Program(flags).Main();
}
