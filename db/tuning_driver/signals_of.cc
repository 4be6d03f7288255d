#include "db/tuning_driver/signals_of.h"

#include <climits>

namespace ROCKSDB_NAMESPACE::engine {

FamilySignals SignalsOf(const ColumnFamily& family) {
  const ColumnFamilyOptions& options = *family.options();
  const LevelState& levels = family.versions()->level_state();
  FamilySignals signals;
  signals.id = family.id();
  signals.auto_compactions = !family.OwnLimits().disable_auto_compactions;
  signals.write_buffer_bytes = options.write_buffer_size;
  signals.max_write_buffers = options.max_write_buffer_number;
  signals.min_write_buffers_to_merge = options.min_write_buffer_number_to_merge;
  signals.unflushed_bytes =
      family.mem()->ApproximateMemoryUsage() + family.imm().memory_bytes();
  if (!levels.num_files.empty()) signals.level0_files = levels.num_files[0];
  if (!levels.level_bytes.empty()) signals.level0_bytes = levels.level_bytes[0];
  signals.sorted_runs = levels.sorted_runs;
  const auto base = static_cast<size_t>(levels.base_level);
  if (base > 0 && base < levels.level_bytes.size()) {
    signals.base_bytes = levels.level_bytes[base];
    signals.base_target_bytes = levels.target_bytes[base];
  }
  signals.level0_trigger = options.level0_file_num_compaction_trigger;
  signals.level0_slowdown = options.level0_slowdown_writes_trigger;
  signals.level0_stop = options.level0_stop_writes_trigger;
  signals.debt_bytes = levels.pending_compaction_bytes;
  signals.foreseen_debt_bytes = levels.foreseen_compaction_bytes;
  signals.soft_debt_bytes = options.soft_pending_compaction_bytes_limit;
  signals.hard_debt_bytes = options.hard_pending_compaction_bytes_limit;
  if (!signals.auto_compactions) {
    // Without compactions only memory can hold writers up.
    signals.level0_slowdown = INT_MAX;
    signals.level0_stop = INT_MAX;
    signals.soft_debt_bytes = 0;
    signals.hard_debt_bytes = 0;
  }
  return signals;
}

IoClass IoClassOf(WorkClass work) {
  switch (work) {
    case WorkClass::kFlush:
      return IoClass::kFlush;
    case WorkClass::kRuns:
      return IoClass::kRuns;
    case WorkClass::kDebt:
      return IoClass::kDebt;
    case WorkClass::kMaintenance:
      return IoClass::kMaintenance;
  }
  return IoClass::kMaintenance;
}

void ReadGate(const IoGate& gate, std::array<WorkTotals, kWorkClasses>* work) {
  const IoCounters counters = gate.Snapshot();
  for (size_t i = 0; i < kWorkClasses; ++i) {
    const IoLane& lane =
        counters.At(IoClassOf(static_cast<WorkClass>(i)), IoKind::kWrite);
    (*work)[i].bytes_written = lane.bytes;
    (*work)[i].device_micros = lane.device_micros + lane.sync_micros;
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
