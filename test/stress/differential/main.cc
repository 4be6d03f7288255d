// differential: one history through Riverstone and genuine releases of RocksDB.
//
//   tools/dev differential [--seed N] [--seeds N | --seconds N] ...
//
// Odd seeds ask 7.8.3 and 11.8.1, with options that both know; even ones only
// 11.8.1, with newer options, too. Each seed has three sets, of other options:
//
//   0 alone    each library has a database of its own; answers are compared
//   1 relay    each opening of one database is another library's
//   2 visited  our C++ interface, which has all operations; whenever the
//              database is closed, the others read it, rewrite it, read it
//
// The model says what each answer must be, so equal wrong answers are found,
// too. Libraries run in processes of their own (stress_peer). A genuine release
// that ends or hangs is no failure if it does the same where it has the whole
// history to itself; such cases are counted and printed.

#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "test/stress/differential/relays.h"
#include "test/stress/history/history.h"
#include "test/stress/run/flags.h"
#include "test/stress/run/reduce.h"
#include "test/stress/run/runner.h"
#include "test/stress/run/watch.h"
#include "test/support/peer.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

namespace fs = std::filesystem;

enum class Mode : uint64_t { kAlone, kRelay, kVisited };
constexpr uint64_t kModes = 3;

Mode ModeOf(uint64_t set) { return static_cast<Mode>(set % kModes); }
Since SinceOf(uint64_t seed) { return seed % 2 == 1 ? Since::k7 : Since::k11; }

// 7.8.3 does not read logs that name sizes of timestamps.
StampedLogs LogsOf(uint64_t seed) {
  return SinceOf(seed) == Since::k7 ? StampedLogs::kFlushed
                                    : StampedLogs::kHandedOn;
}

class Program {
 public:
  explicit Program(const Flags& flags)
      : flags_(flags),
        watch_(3 * flags.stall),  // Children have the shorter time.
        folder_((flags.folder.empty() ? fs::temp_directory_path()
                                      : fs::path(flags.folder)) /
                ("differential." + std::to_string(getpid()))),
        programs_(fs::path(flags.program).parent_path()),
        peers_(test::PeerLibraries()) {}
  ~Program() { fs::remove_all(folder_); }

  int Main() {
    if (peers_.empty()) {
      std::printf("SKIPPED: no genuine RocksDB is installed\n");
      return 77;
    }
    if (!flags_.replay.empty()) return Replay();
    const Budget budget(flags_);
    uint64_t seeds = 0;
    for (; budget.Another(seeds); ++seeds) Seed(flags_.seed + seeds);
    std::printf("differential: %" PRIu64 " seeds, %" PRIu64
                " operations, %" PRIu64 " histories, %" PRIu64
                " failures, %" PRIu64
                " crashes of genuine releases (%.0f operations/s)\n",
                seeds, operations_, histories_, failures_, peer_crashes_,
                static_cast<double>(operations_) / budget.Elapsed());
    return failures_ == 0 ? 0 : 1;
  }

 private:
  Children ChildrenFor(uint64_t seed, bool ours,
                       const std::string& path) const {
    std::vector<std::string> libraries;
    if (ours) libraries.push_back((programs_ / "librocksdb.so").string());
    for (const test::PeerLibrary& peer : peers_) {
      if (peer.release != "7.8.3" || SinceOf(seed) == Since::k7) {
        libraries.push_back(peer.path);
      }
    }
    Children children;
    for (const std::string& library : libraries) {
      children.push_back(std::make_unique<ChildTarget>(
          ChildTarget::Deps{(programs_ / "stress_peer").string(), library, path,
                            static_cast<int>(flags_.stall)}));
    }
    return children;
  }

  DrawRequest DrawOf(uint64_t seed, uint64_t set) const {
    DrawRequest draw;
    draw.seed = seed * 1000 + set + 1;
    draw.since = SinceOf(seed);
    draw.without = flags_.without;
    draw.transactions = true;
    return draw;
  }

  // Many openings, because they hand the database on.
  History HistoryOf(uint64_t seed, uint64_t set) const {
    HistoryRequest request;
    request.seed = seed * kModes + set;
    request.operations = flags_.operations;
    request.since =
        ModeOf(set) == Mode::kVisited ? Since::kOurs : SinceOf(seed);
    // 7.8.3 knows neither entities in ingested files nor columns in blob files.
    request.entities = SinceOf(seed) != Since::k7;
    request.transactions = true;
    // 7.8.3 has no function for the database of a TransactionDB, which takes
    // neither these writes nor timestamps itself.
    const Settings drawn =
        DrawOptions(DrawOf(seed, set), FirstFamilies()).transactions;
    const bool locking =
        drawn.contains("kind") && drawn.at("kind") == "locking";
    request.unlockable = request.since != Since::k7 || !locking;
    // A flush does not empty a log that holds what is prepared.
    request.timestamps = SinceOf(seed) != Since::k7 || !locking;
    // "Merge does not support user-defined timestamp yet", says its db.h.
    request.stamped_merges = SinceOf(seed) != Since::k7;
    const History made = MakeHistory(request);
    constexpr size_t kOpenings = 6;
    History history;
    for (size_t i = 0; i < made.size(); ++i) {
      if (i % (made.size() / kOpenings + 1) == made.size() / kOpenings) {
        history.emplace_back().kind = Kind::kReopen;
      }
      // Options of our own would be in the database's OPTIONS file only, but
      // a release that reads the values must know them.
      if (made[i].kind != Kind::kSetOptions || ModeOf(set) != Mode::kVisited) {
        history.push_back(made[i]);
      }
    }
    return history;
  }

  std::string Command(uint64_t seed, uint64_t set) const {
    return "tools/dev differential --seed " + std::to_string(seed) +
           " --seeds 1 --set " + std::to_string(set) + " --operations " +
           std::to_string(flags_.operations);
  }

  void Seed(uint64_t seed) {
    for (uint64_t set = 0; set < flags_.sets; ++set) {
      if (flags_.set >= 0 && set != static_cast<uint64_t>(flags_.set)) continue;
      const Script script = MakeScript(HistoryOf(seed, set));
      watch_.Reproduce(Command(seed, set));
      if (RunSet(script, seed, set)) continue;
      std::printf("reproduce: %s\n", Command(seed, set).c_str());
      std::fflush(stdout);
      if (flags_.reduce) ReduceAndPrint(script.history, seed, set);
    }
  }

  // Prints what failed, unless it is `silent`.
  bool RunSet(const Script& script, uint64_t seed, uint64_t set,
              bool silent = false) {
    const std::string path = (folder_ / "db").string();
    bool same = true;
    switch (ModeOf(set)) {
      case Mode::kAlone: {
        const size_t count = ChildrenFor(seed, true, path).size();
        for (size_t i = 0; i < count; ++i) {
          Renew();
          Children children = ChildrenFor(seed, true, path);
          same = One(script, seed, set, children[i].get(), silent) && same;
        }
        return same;
      }
      case Mode::kRelay: {
        Renew();
        Relay relay(ChildrenFor(seed, true, path), LogsOf(seed));
        return One(script, seed, set, &relay, silent);
      }
      case Mode::kVisited: {
        Renew();
        Visited visited({Env::Default(), path, nullptr},
                        ChildrenFor(seed, false, path), LogsOf(seed));
        return One(script, seed, set, &visited, silent);
      }
    }
    return false;
  }

  void Renew() const {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  bool One(const Script& script, uint64_t seed, uint64_t set, Target* target,
           bool silent) {
    RunRequest request;
    request.script = &script;
    request.draw = DrawOf(seed, set);
    request.target = target;
    request.before = [this](const Operation& operation) {
      watch_.Progress(ToText(operation));
      ++operations_;
    };
    const std::optional<Failure> failure = Run(request);
    ++histories_;
    if (!failure) return true;
    const bool genuine = EndsAlone(request, seed, failure->answer);
    if (silent) return genuine;
    ++(genuine ? peer_crashes_ : failures_);
    const auto* const child = dynamic_cast<const ChildTarget*>(target);
    std::printf("%s: seed %" PRIu64 " set %" PRIu64 " %s: %s\n",
                genuine ? "a genuine release ended" : "FAILURE", seed, set,
                child == nullptr ? "" : child->library().c_str(),
                failure->ToString().c_str());
    return genuine;
  }

  // If the answer says that a genuine release ended or hung: whether it did, or
  // does, so without another library.
  bool EndsAlone(RunRequest request, uint64_t seed, const std::string& answer) {
    const bool alone =
        dynamic_cast<const ChildTarget*>(request.target) != nullptr;
    for (const auto& child :
         ChildrenFor(seed, false, (folder_ / "db").string())) {
      if (!child->Names(answer)) continue;
      if (alone) return true;
      Renew();
      request.target = child.get();
      const std::optional<Failure> again = Run(request);
      return again && child->Names(again->answer);
    }
    return false;
  }

  int Replay() {
    History history;
    if (!ReadHistory(flags_.replay, &history)) return 2;
    const uint64_t set = flags_.set < 0 ? 0 : static_cast<uint64_t>(flags_.set);
    return RunSet(MakeScript(history), flags_.seed, set) ? 0 : 1;
  }

  void ReduceAndPrint(const History& history, uint64_t seed, uint64_t set) {
    constexpr size_t kTries = 150;
    const History shorter = Reduce(history, kTries, [&](const History& rest) {
      return !RunSet(MakeScript(rest), seed, set, /*silent=*/true);
    });
    std::printf("reduced to %zu operations:\n%s", shorter.size(),
                ToText(shorter).c_str());
    RunSet(MakeScript(shorter), seed, set);
    std::fflush(stdout);
  }

  const Flags& flags_;
  Watch watch_;
  const fs::path folder_;
  const fs::path programs_;
  const std::vector<test::PeerLibrary> peers_;
  uint64_t operations_ = 0;
  uint64_t histories_ = 0;
  uint64_t failures_ = 0;
  uint64_t peer_crashes_ = 0;
};

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress

int main(int argc, char** argv) {
  namespace stress = ROCKSDB_NAMESPACE::stress;
  stress::Flags flags;
  flags.operations = 600;
  flags.sets = 3;
  if (!stress::ReadFlags(argc, argv, &flags)) return 2;
  return stress::Program(flags).Main();
}
