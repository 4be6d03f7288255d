#include "db/properties/stats_history.h"

#include <cassert>
#include <utility>
#include <vector>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using TickerCounts = StatsHistory::Counts;

struct ShownSlice {
  uint64_t seconds = 0;
  std::shared_ptr<const TickerCounts> counts;
};

class SliceIterator final : public StatsHistoryIterator {
 public:
  explicit SliceIterator(std::vector<ShownSlice> slices)
      : slices_(std::move(slices)) {}

  bool Valid() const override { return at_ < slices_.size(); }
  void Next() override {
    assert(Valid());
    ++at_;
  }
  uint64_t GetStatsTime() const override {
    assert(Valid());
    return slices_[at_].seconds;
  }
  const TickerCounts& GetStatsMap() const override {
    assert(Valid());
    return *slices_[at_].counts;
  }
  Status status() const override { return Status::OK(); }

 private:
  const std::vector<ShownSlice> slices_;
  size_t at_ = 0;
};

// A ticker that was set back meanwhile counts from zero.
TickerCounts GrowthOf(const TickerCounts& before, const TickerCounts& now) {
  TickerCounts growth;
  for (const auto& [name, count] : now) {
    const auto earlier = before.find(name);
    const bool grew = earlier != before.end() && earlier->second <= count;
    growth[name] = grew ? count - earlier->second : count;
  }
  return growth;
}

// With the nodes of the map, which have three links and a colour.
size_t MemoryOf(const TickerCounts& counts) {
  constexpr size_t kNode = sizeof(TickerCounts::value_type) + 4 * sizeof(void*);
  size_t bytes = sizeof(TickerCounts);
  for (const auto& [name, count] : counts) bytes += kNode + name.capacity();
  return bytes;
}

}  // namespace

void StatsHistory::Record(Counts now, uint64_t seconds, size_t bytes_max) {
  MutexLock lock(&mu_);
  if (begun_) Add(seconds, GrowthOf(last_, now));
  begun_ = true;
  last_ = std::move(now);
  while (bytes_ > bytes_max) {  // (1)
    assert(!slices_.empty());
    bytes_ -= slices_.begin()->second.bytes;
    slices_.erase(slices_.begin());
  }
}

void StatsHistory::Add(uint64_t seconds, Counts growth) {
  const auto same_second = slices_.find(seconds);
  if (same_second != slices_.end()) {
    const Counts& counted = *same_second->second.counts;
    for (const auto& [name, count] : counted) growth[name] += count;
  }
  const size_t bytes = MemoryOf(growth);
  auto counts = std::make_shared<const Counts>(std::move(growth));  // (2)
  Kept& kept = slices_[seconds];
  bytes_ = bytes_ - kept.bytes + bytes;
  kept = {std::move(counts), bytes};
}

std::unique_ptr<StatsHistoryIterator> StatsHistory::NewIterator(
    uint64_t start_seconds, uint64_t end_seconds) const {
  std::vector<ShownSlice> shown;
  {
    MutexLock lock(&mu_);
    for (auto it = slices_.lower_bound(start_seconds);
         it != slices_.end() && it->first < end_seconds; ++it) {
      shown.push_back({it->first, it->second.counts});
    }
  }
  return std::make_unique<SliceIterator>(std::move(shown));
}

}  // namespace ROCKSDB_NAMESPACE::engine
