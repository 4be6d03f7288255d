// TuningSnapshot: what the tuner last decided, for readers in other threads.
//
// Place. Published by the driver after every tick; read by properties, without
// any lock, so that a listener may ask while it is notified of a decision.

#pragma once

#include <cstdint>

#include "db/options/tuning_mode.h"
#include "db/tune/decision.h"
#include "util/seqlock.h"

namespace ROCKSDB_NAMESPACE::engine {

// What changed. The shapes are of the family with most files in level 0.
struct TuningChange {
  TuningDecision before;
  TuningDecision now;
  FamilyDecision shape_before;
  FamilyDecision shape_now;
};

struct TuningSnapshot {
  TuningMode mode = TuningMode::kOff;
  uint64_t decisions = 0;    // That changed something.
  uint64_t told_micros = 0;  // When the last of them did.
  TuningChange told;         // What it changed.
  TuningDecision decision;   // In force now.
  FamilyDecision shape;
  TuningView view;
};

using PublishedTuning = Seqlock<TuningSnapshot>;  // decision.h (1)

}  // namespace ROCKSDB_NAMESPACE::engine
