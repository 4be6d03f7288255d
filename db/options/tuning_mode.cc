#include "db/options/tuning_mode.h"

namespace ROCKSDB_NAMESPACE::engine {

TuningMode TuningModeOf(const ColumnFamilyOptions& options) {
  if (!options.auto_tuned_compaction) return TuningMode::kOff;
  switch (options.compaction_tuning) {
    case CompactionTuning::kAdaptive:
      return TuningMode::kAdaptive;
    case CompactionTuning::kAdvise:
      return TuningMode::kAdvise;
    case CompactionTuning::kDrainSwitch:
      break;
  }
  return TuningMode::kDrainSwitch;
}

const char* TuningModeName(TuningMode mode) {
  switch (mode) {
    case TuningMode::kAdaptive:
      return "adaptive";
    case TuningMode::kAdvise:
      return "advise";
    case TuningMode::kDrainSwitch:
      return "drain_switch";
    case TuningMode::kOff:
      break;
  }
  return "static";
}

}  // namespace ROCKSDB_NAMESPACE::engine
