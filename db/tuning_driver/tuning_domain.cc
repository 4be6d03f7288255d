#include "db/tuning_driver/tuning_domain.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "env/device_id.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

struct Registry {
  Mutex mu;
  std::map<DeviceId, std::weak_ptr<TuningDomain>> domains GUARDED_BY(mu);
};

Registry& TheRegistry() {
  static Registry* const registry = new Registry;  // Outlives every database.
  return *registry;
}

}  // namespace

std::shared_ptr<TuningDomain> TuningDomain::Of(FileSystem* fs,
                                               const std::string& path) {
  const DeviceId device = DeviceOf(fs, path);
  Registry& registry = TheRegistry();
  MutexLock lock(&registry.mu);
  std::erase_if(registry.domains,
                [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<TuningDomain>& known = registry.domains[device];
  std::shared_ptr<TuningDomain> domain = known.lock();
  if (domain == nullptr) {
    domain = std::make_shared<TuningDomain>();
    known = domain;
  }
  return domain;
}

TuningDomain::Member TuningDomain::Join() {
  MutexLock lock(&mu_);
  told_[++last_] = {};
  assert(told_.rbegin()->first == last_);
  return last_;
}

void TuningDomain::Leave(Member member) {
  MutexLock lock(&mu_);
  [[maybe_unused]] const size_t erased = told_.erase(member);
  assert(erased == 1);  // (1)
}

Neighbours TuningDomain::Exchange(Member member, const DeviceUse& use) {
  MutexLock lock(&mu_);
  assert(told_.contains(member));
  Told& own = told_[member];
  own.use = use;
  own.exchange = ++exchanges_;
  if (++own.ticks == kTicksMissedMax) {
    own.ticks = 0;
    own.earlier = std::exchange(own.recent, exchanges_);
  }
  Neighbours others;
  for (const auto& [who, told] : told_) {
    // (1), (2)
    if (who == member || told.exchange < own.earlier) continue;
    others.Add(told.use);
  }
  return others;
}

}  // namespace ROCKSDB_NAMESPACE::engine
