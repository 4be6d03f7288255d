#include "test/support/crash_fs.h"

#include <memory>
#include <set>
#include <utility>

#include "test/support/error_fs.h"
#include "test/support/hooked_fs.h"
#include "util/hash.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::test {

namespace {

using engine::CrashOptions;
using engine::MemFileSystem;

bool IsInfoLog(const std::string& path) {
  return GlobMatches("LOG*", BaseName(path));
}

// Names and contents of all files but LOG, as one number.
uint64_t Fingerprint(MemFileSystem* fs) {
  uint64_t mixed = 0;
  fs->ForEachFile([&](const std::string& path, const std::string& content) {
    if (IsInfoLog(path)) return;
    mixed = engine::Hash64(path.data(), path.size(), mixed);
    mixed = engine::Hash64(content.data(), content.size(), mixed);
  });
  return mixed;
}

class Explorer {
 public:
  Explorer(const CrashPlan& plan, const CrashScript* script)
      : plan_(plan),
        script_(script),
        disk_(std::make_shared<MemFileSystem>()) {}

  std::shared_ptr<MemFileSystem> disk() const { return disk_; }

  void Before(const FileOp& op) {
    if (!op.IsWrite() || IsInfoLog(op.path)) return;
    engine::MutexLock lock(&mu_);
    if (calls_ % plan_.every == 0) CloneAll(op.ToString());
    ++calls_;
  }

  void AtEnd() {
    engine::MutexLock lock(&mu_);
    CloneAll("(end)");
  }

  uint64_t CheckAll(const std::function<void(const CrashPoint&, Env*)>& check) {
    engine::MutexLock lock(&mu_);
    for (auto& [point, clone] : clones_) {
      const std::unique_ptr<Env> env = NewCompositeEnv(clone);
      check(point, env.get());
      clone.reset();  // A check may have grown it.
    }
    return clones_.size();
  }

 private:
  void CloneAll(const std::string& next_op) REQUIRES_LOCK(mu_) {
    CrashPoint point;
    point.call = calls_;
    point.next_op = next_op;
    // Read before cloning: what is promised now must be in the clone.
    point.reached = script_->reached();
    for (const CrashPlan::Damage& damage : plan_.damages) {
      CrashOptions options = damage.options;
      options.seed = plan_.seed * 1000003 + calls_;
      std::shared_ptr<MemFileSystem> clone = disk_->CrashClone(options);
      if (!seen_.insert({Fingerprint(clone.get()), point.reached}).second) {
        continue;
      }
      point.damage = damage.name;
      clones_.emplace_back(point, std::move(clone));
    }
  }

  const CrashPlan& plan_;
  const CrashScript* const script_;
  const std::shared_ptr<MemFileSystem> disk_;
  engine::Mutex mu_{engine::LockRank::kNone};
  uint64_t calls_ GUARDED_BY(mu_) = 0;
  std::set<std::pair<uint64_t, uint64_t>> seen_ GUARDED_BY(mu_);
  std::vector<std::pair<CrashPoint, std::shared_ptr<MemFileSystem>>> clones_
      GUARDED_BY(mu_);
};

}  // namespace

std::string CrashPoint::ToString() const {
  return "crash before call " + std::to_string(call) + " (" + next_op + "), " +
         damage + ", milestone " + std::to_string(reached);
}

std::vector<CrashPlan::Damage> CrashPlan::DefaultDamages() {
  using Data = CrashOptions::Data;
  using Names = CrashOptions::Names;
  return {
      {"killed", {0, Data::kAll, Names::kAll, false}},
      {"synced only", {0, Data::kNone, Names::kNone, false}},
      {"data lost", {0, Data::kNone, Names::kAll, false}},
      {"names lost", {0, Data::kAll, Names::kNone, false}},
      {"torn", {0, Data::kAll, Names::kAll, true}},
      {"prefix", {0, Data::kPrefix, Names::kAll, false}},
      {"blocks", {0, Data::kBlocks, Names::kRandom, false}},
      {"garbage", {0, Data::kGarbage, Names::kRandom, false}},
  };
}

uint64_t ForEachCrashPoint(
    const std::function<void(Env*, CrashScript*)>& script,
    const std::function<void(const CrashPoint&, Env*)>& check,
    const CrashPlan& plan) {
  CrashScript progress;
  Explorer explorer(plan, &progress);
  const auto hooked = std::make_shared<HookedFileSystem>(
      explorer.disk(), [&explorer](const FileOp& op) {
        explorer.Before(op);
        return IOStatus::OK();
      });
  const std::unique_ptr<Env> env = NewCompositeEnv(hooked);
  script(env.get(), &progress);
  explorer.AtEnd();
  return explorer.CheckAll(check);
}

}  // namespace ROCKSDB_NAMESPACE::test
