// TuningMode: which law tunes a family's compactions, if any.
//
// Place. Asked by everyone who treats tuned families apart.

#pragma once

#include <cstdint>

#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::engine {

// In the order of what they take over; the last wins where families differ.
enum class TuningMode : uint8_t { kOff, kDrainSwitch, kAdvise, kAdaptive };

TuningMode TuningModeOf(const ColumnFamilyOptions& options);
// "static", "drain_switch", "advise", "adaptive".
const char* TuningModeName(TuningMode mode);
// Whether the tuner looks at the family, be it only to advise.
inline bool IsWatched(TuningMode mode) {
  return mode == TuningMode::kAdvise || mode == TuningMode::kAdaptive;
}

}  // namespace ROCKSDB_NAMESPACE::engine
