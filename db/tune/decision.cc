#include "db/tune/decision.h"

namespace ROCKSDB_NAMESPACE::engine {

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
