#include "db/external/placement.h"

#include <algorithm>
#include <cassert>

namespace ROCKSDB_NAMESPACE::engine {

namespace {

bool WritesInto(const CompactionPlan& plan, const InternalKeyComparator& icmp,
                const Slice& smallest, const Slice& largest) {
  return icmp.CompareUserKey(plan.smallest_user_key, largest) <= 0 &&
         icmp.CompareUserKey(plan.largest_user_key, smallest) >= 0;
}

}  // namespace

Placement PlaceTable(const Version& version, int base_level,
                     std::span<const CompactionPlan* const> running,
                     const Slice& smallest, const Slice& largest) {
  Placement place;
  const InternalKeyComparator& icmp = version.icmp();
  assert(base_level >= 0 && base_level < version.num_levels());
  for (int level = 0; level < version.num_levels(); ++level) {
    if (level > 0 && level < base_level) continue;
    if (!version.FilesTouching(level, &smallest, &largest).empty()) {
      place.overlaps = true;
      break;
    }
    const bool busy = std::any_of(
        running.begin(), running.end(), [&](const CompactionPlan* plan) {
          return plan->output_level == level &&
                 WritesInto(*plan, icmp, smallest, largest);
        });
    if (level == 0 || !busy) place.level = level;
  }
  return place;
}

}  // namespace ROCKSDB_NAMESPACE::engine
