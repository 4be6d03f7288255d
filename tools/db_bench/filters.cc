#include "tools/db_bench/filters.h"

#include <atomic>
#include <string>

#include "tools/db_bench/data.h"
#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

std::atomic<uint64_t>& SeriesTime() {
  static std::atomic<uint64_t> time{0};
  return time;
}

class KeepsAll final : public CompactionFilter {
 public:
  const char* Name() const override { return "db_bench.Keep"; }
};

class DropsExpired final : public CompactionFilter {
 public:
  const char* Name() const override { return "db_bench.Expired"; }
  bool Filter(int /*level*/, const Slice& key, const Slice& /*existing_value*/,
              std::string* /*new_value*/,
              bool* /*value_changed*/) const override {
    return key.size() >= kPairKeyBytes &&
           LoadNumber(key.data() + 8) < OldestSeriesTime();
  }
};

}  // namespace

// Never deleted: when the process ends early, compactions may still use them.
const CompactionFilter* KeepFilter() {
  static const CompactionFilter* const filter = new KeepsAll();
  return filter;
}

const CompactionFilter* ExpiredFilter() {
  static const CompactionFilter* const filter = new DropsExpired();
  return filter;
}

uint64_t NextSeriesTime() {
  return SeriesTime().fetch_add(1, std::memory_order_relaxed);
}

uint64_t OldestSeriesTime() {
  const uint64_t now = SeriesTime().load(std::memory_order_relaxed);
  return now > FLAGS_time_range ? now - FLAGS_time_range : 0;
}

}  // namespace ROCKSDB_NAMESPACE::bench
