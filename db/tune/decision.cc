#include "db/tune/decision.h"

#include <cmath>

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// Eight steps for each doubling.
double Coarse(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // 0.5 to 1, or 0.
  return std::ldexp(std::round(mantissa * 16) / 16, exponent);
}

FamilyDecision Coarsely(FamilyDecision shape) {
  shape.level0_files_per_second = Coarse(shape.level0_files_per_second);
  shape.merge_bytes_per_second = Coarse(shape.merge_bytes_per_second);
  shape.tier_room_share = Coarse(shape.tier_room_share);
  shape.tier_beside_bytes_per_file = Coarse(shape.tier_beside_bytes_per_file);
  shape.base_merge_bytes = static_cast<uint64_t>(
      Coarse(static_cast<double>(shape.base_merge_bytes)));
  return shape;
}

}  // namespace

bool PickAlike(const FamilyDecision& a, const FamilyDecision& b) {
  return Coarsely(a) == Coarsely(b);
}

const char* WriteLimitName(WriteLimit limit) {
  switch (limit) {
    case WriteLimit::kNothing:
      return "nothing";
    case WriteLimit::kMemtables:
      return "memtables";
    case WriteLimit::kRuns:
      return "runs";
    case WriteLimit::kDebt:
      return "debt";
  }
  return "nothing";
}

const char* TuneReasonName(TuneReason reason) {
  switch (reason) {
    case TuneReason::kStatic:
      return "static";
    case TuneReason::kFlushFirst:
      return "flush_waits_for_device";
    case TuneReason::kRunsRising:
      return "runs_rising";
    case TuneReason::kRunsHigh:
      return "runs_high";
    case TuneReason::kDebtBound:
      return "debt_bound";
    case TuneReason::kValley:
      return "repay";
    case TuneReason::kMemoryHigh:
      return "memory_high";
    case TuneReason::kNeighbourNeed:
      return "neighbour_need";
  }
  return "static";
}

uint32_t PinnedBy(std::string_view name) {
  if (name == "max_bytes_for_level_base") return kPinnedBaseBytes;
  if (name == "max_subcompactions") return kPinnedSubcompactions;
  return 0;
}

void KeepPinned(uint32_t pinned, FamilyDecision* shape) {
  if ((pinned & kPinnedBaseBytes) != 0) shape->base_target_bytes = 0;
  if ((pinned & kPinnedSubcompactions) != 0) shape->subcompactions = 0;
}

}  // namespace ROCKSDB_NAMESPACE::engine
