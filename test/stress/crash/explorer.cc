#include "test/stress/crash/explorer.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "rocksdb/env.h"
#include "test/stress/crash/images.h"
#include "test/stress/crash/life.h"
#include "test/stress/seeds/seed_runner.h"
#include "test/support/lone_sync_fs.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

using engine::MemFileSystem;

constexpr const char* kPath = "/db";
constexpr uint64_t kReopened = 1000000;  // Numbers of lives after a close.

// With what is unsynced.
Image CopyOf(const Image& image) {
  engine::CrashOptions all;
  all.stays_unsynced = true;
  Image copy = image;
  copy.disk = image.disk->CrashClone(all);
  return copy;
}

class Explorer {
 public:
  Explorer(uint64_t seed, const CrashLimits& limits, std::string keep_path)
      : seed_(seed), limits_(limits), keep_path_(std::move(keep_path)) {}

  CrashTotals Run() {
    Image nothing;
    nothing.disk = std::make_shared<MemFileSystem>();
    Explore(std::move(nothing), Lineage(), 0, "");
    return std::move(totals_);
  }

 private:
  void Explore(Image image, const Lineage& lineage, int depth,
               const std::string& history);
  // Opens the disk again after a clean close.
  void Reopen(const std::shared_ptr<MemFileSystem>& disk, const Life& before,
              uint64_t number, const std::string& history);
  void Report(const std::string& what, const std::string& history,
              const Image& image);
  bool Enough() const {
    return totals_.states >= limits_.states || !totals_.failures.empty();
  }
  LifeDeps DepsOf(uint64_t life, Env* env) const {
    LifeDeps deps;
    deps.env = env;
    deps.path = kPath;
    deps.setup = DrawSetup(seed_, life, DrawLogging(seed_), "");
    deps.seed = seed_ * 7919 + life;
    deps.tag = std::to_string(seed_) + "-" + std::to_string(life);
    return deps;
  }

  const uint64_t seed_;
  const CrashLimits limits_;
  const std::string keep_path_;
  uint64_t lives_ = 0;
  CrashTotals totals_;
};

// A crash during recovery changes nothing: the next one finds the same. False:
// it may find something else, as if this life had not been.
bool Narrow(const Image& found_in, const Life& life, Image* next) {
  if (!next->promise.opening) return true;
  if (next->promise.loose || next->promise.gaps) {
    // The crash before this life may have taken what a killed process keeps.
    if (!found_in.killed) {
      next->promise.killed = next->promise.power;
      next->promise.events_killed = next->promise.events_power;
    }
    return false;
  }
  if (found_in.is_unsynced && !next->killed) return false;
  next->promise.started = life.at_open().started;
  next->promise.killed = life.at_open().killed;
  if (!found_in.is_unsynced) next->promise.power = life.at_open().killed;
  next->promise.power = std::min(next->promise.power, life.at_open().killed);
  const size_t events = life.at_open().events_killed;
  next->promise.events_killed = events;
  if (!found_in.is_unsynced) next->promise.events_power = events;
  next->promise.events_started = events;
  // What this life found unsynced, a later power cut may still take.
  if (!found_in.is_unsynced) next->promise.flushed = life.at_open().flushed;
  return true;
}

void Explorer::Explore(Image image, const Lineage& lineage, int depth,
                       const std::string& history) {
  ReportProgress();
  const bool root = depth == 0;
  const uint64_t number = lives_++;
  engine::Random64 random(seed_ * 104729 + number);
  const bool crashes = root || (depth < limits_.depth && random.OneIn(6));
  ImageCollector collector(image.disk, random.Next(),
                           root      ? 60
                           : crashes ? 25
                                     : 0,
                           root ? 400 : 24);
  LifeDeps deps = DepsOf(number, /*env=*/nullptr);
  std::shared_ptr<FileSystem> watched = collector.Watched();
  if (deps.setup.lone_syncs) {
    deps.setup.text += "\n  files not synced beside appends";
    watched = std::make_shared<test::LoneSyncFileSystem>(watched);
  }
  const std::unique_ptr<Env> env = NewCompositeEnv(watched);
  deps.env = env.get();
  deps.on_promise = [&collector](const Promise& promise) {
    collector.SetPromise(promise);
  };
  const Image shown = keep_path_.empty() ? Image() : CopyOf(image);
  Life life(std::move(deps), lineage, image.promise);
  totals_.states += root ? 0 : 1;
  const Life::Outcome outcome = life.Open(root ? nullptr : &image);
  totals_.refused += outcome == Life::Outcome::kRefused ? 1 : 0;
  if (outcome == Life::Outcome::kRefused) return;
  const uint64_t steps = root      ? limits_.steps
                         : crashes ? random.Uniform(12)
                                   : 0;
  for (uint64_t i = 0; i < steps; ++i) life.Step();
  if (!root) life.Use();
  if (root || random.OneIn(2)) life.Close();
  collector.AtEnd();
  std::vector<Image> images = collector.Take();
  totals_.images += collector.taken();
  life.Close();
  const std::string told = history + "life " + std::to_string(number) +
                           (root ? "" : ", " + image.ToString()) + ":\n" +
                           life.ToString();
  if (!life.failure().empty()) return Report(life.failure(), told, shown);
  Reopen(image.disk, life, number, told);
  for (Image& next : images) {
    if (Enough()) return;
    const bool after = Narrow(image, life, &next);
    Explore(std::move(next), after ? life.lineage() : lineage, depth + 1, told);
  }
}

void Explorer::Reopen(const std::shared_ptr<MemFileSystem>& disk,
                      const Life& before, uint64_t number,
                      const std::string& history) {
  const std::unique_ptr<Env> env = NewCompositeEnv(disk);
  LifeDeps deps = DepsOf(number + kReopened, env.get());
  Life life(std::move(deps), before.lineage(), before.promise());
  if (life.Open(nullptr) == Life::Outcome::kRefused) return;
  life.Verify();
  life.Close();
  if (life.failure().empty()) return;
  Report("reopened: " + life.failure(), history + life.ToString(), Image());
}

void Explorer::Report(const std::string& what, const std::string& history,
                      const Image& image) {
  totals_.failures.push_back(what + "\n" + history);
  if (keep_path_.empty() || image.disk == nullptr) return;
  image.disk->ForEachFile(
      [this](const std::string& path, const std::string& content) {
        const std::filesystem::path target = keep_path_ + path;
        std::filesystem::create_directories(target.parent_path());
        std::ofstream(target, std::ios::binary) << content;
      });
}

}  // namespace

CrashTotals ExploreCrashes(uint64_t seed, const CrashLimits& limits,
                           const std::string& keep_path) {
  return Explorer(seed, limits, keep_path).Run();
}

}  // namespace ROCKSDB_NAMESPACE::stress
