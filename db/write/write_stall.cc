#include "db/write/write_stall.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <limits>
#include <numeric>

#include "util/quantity_text.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr double kNearStopFactor = 0.6;
constexpr double kNotFallingFactor = 0.8;
constexpr double kFallingFactor = 1 / kNotFallingFactor;
constexpr double kDelayEndsFactor = 1.4;

constexpr StallVerdict Stopped(WriteStallCause cause) {
  return {WriteStallCondition::kStopped, cause};
}
constexpr StallVerdict Delayed(WriteStallCause cause) {
  return {WriteStallCondition::kDelayed, cause};
}

// A limit of 0 bytes means that there is none.
bool Reaches(uint64_t bytes, uint64_t limit) {
  return limit > 0 && bytes >= limit;
}

uint64_t Scaled(uint64_t rate, double factor) {
  assert(factor > 0);
  return static_cast<uint64_t>(static_cast<double>(rate) * factor);
}

std::string Bytes(uint64_t bytes) {
  return BytesText(static_cast<double>(bytes));
}

uint64_t NotNegative(int count) {
  return static_cast<uint64_t>(std::max(count, 0));
}

// From this many L0 files on more compaction threads are wanted: twice the
// trigger, or a quarter of the way to the slowdown if that is less.
int64_t Level0PressureFiles(const StallLimits& limits) {
  const int64_t trigger = limits.level0_compaction_trigger;
  if (trigger < 0) return std::numeric_limits<int64_t>::max();
  // 64 bits, and no assumption that the trigger is below the slowdown: the
  // compaction switch raises it to 2^30.
  const int64_t quarter_way =
      trigger + (int64_t{limits.level0_slowdown_trigger} - trigger) / 4;
  return std::min(2 * trigger, quarter_way);
}

uint64_t PendingPressureBytes(const StallLevels& levels,
                              const StallLimits& limits) {
  const uint64_t quarter = limits.soft_pending_bytes / 4;
  if (levels.bottommost_bytes == 0) return quarter;
  const uint64_t base = std::min(limits.max_bytes_for_level_base, quarter);
  const uint64_t by_size = std::max(levels.bottommost_bytes / 8, 2 * base);
  return std::min(by_size, quarter);
}

}  // namespace

StallVerdict JudgeWriteStall(const StallLevels& levels,
                             const StallLimits& limits) {
  using Cause = WriteStallCause;
  assert(levels.unflushed_memtables >= 0 && levels.level0_files >= 0);
  const bool compacts = !limits.disable_auto_compactions;  // (1)
  const int memtables = levels.unflushed_memtables;

  if (memtables >= limits.max_write_buffer_number) {
    return Stopped(Cause::kMemtableLimit);
  }
  if (compacts && levels.level0_files >= limits.level0_stop_trigger) {
    return Stopped(Cause::kL0FileCountLimit);
  }
  if (compacts &&
      Reaches(levels.pending_compaction_bytes, limits.hard_pending_bytes)) {
    return Stopped(Cause::kPendingCompactionBytes);
  }

  if (levels.buffer_manager_full) {
    return Stopped(Cause::kWriteBufferManagerLimit);
  }

  // With three buffers or fewer the last but one is in use all the time.
  if (limits.max_write_buffer_number > 3 &&
      memtables >= limits.max_write_buffer_number - 1 &&
      memtables - 1 >= limits.min_write_buffer_number_to_merge) {
    return Delayed(Cause::kMemtableLimit);
  }
  if (compacts && limits.level0_slowdown_trigger >= 0 &&
      levels.level0_files >= limits.level0_slowdown_trigger) {
    return Delayed(Cause::kL0FileCountLimit);
  }
  if (compacts &&
      Reaches(levels.pending_compaction_bytes, limits.soft_pending_bytes)) {
    return Delayed(Cause::kPendingCompactionBytes);
  }
  return {};
}

bool NearStop(WriteStallCause cause, const StallLevels& levels,
              const StallLimits& limits) {
  if (cause == WriteStallCause::kL0FileCountLimit) {
    return levels.level0_files >= int64_t{limits.level0_stop_trigger} - 2;
  }
  if (cause == WriteStallCause::kPendingCompactionBytes) {
    const uint64_t soft = limits.soft_pending_bytes;
    const uint64_t hard = limits.hard_pending_bytes;
    if (hard <= soft || levels.pending_compaction_bytes < soft) return false;
    return levels.pending_compaction_bytes - soft > (hard - soft) / 4 * 3;
  }
  return false;
}

CompactionPressure JudgePressure(const StallLevels& levels,
                                 const StallLimits& limits) {
  if (levels.level0_files >= Level0PressureFiles(limits)) {
    return CompactionPressure::kLevel0Files;
  }
  if (limits.soft_pending_bytes == 0 ||
      levels.pending_compaction_bytes >= PendingPressureBytes(levels, limits)) {
    return CompactionPressure::kPendingBytes;
  }
  if (levels.files_marked_for_compaction >= 2) {
    return CompactionPressure::kMarked;
  }
  return CompactionPressure::kNone;
}

uint64_t DelayedWriteRate(const DelayHistory& history, bool near_stop,
                          const StallLevels& levels,
                          const StallLimits& limits) {
  if (limits.disable_auto_compactions) return history.rate_max;  // (1)
  const uint64_t rate = std::min(history.rate_before, history.rate_max);
  // A user who asks for less than the floor gets exactly that.
  if (!history.was_delayed || history.rate_max <= kDelayedWriteRateMin) {
    return rate;
  }
  const uint64_t before = history.pending_bytes_before;
  const uint64_t now = levels.pending_compaction_bytes;
  uint64_t next = rate;
  if (history.was_stopped || near_stop) {
    next = Scaled(rate, kNearStopFactor);
  } else if (before > 0 && before <= now) {
    next = Scaled(rate, kNotFallingFactor);
  } else if (before > now) {
    next = Scaled(rate, kFallingFactor);
  }
  return std::clamp(next, kDelayedWriteRateMin, history.rate_max);  // (2)
}

uint64_t RateAfterDelay(uint64_t rate, uint64_t rate_max) {
  return std::min(Scaled(rate, kDelayEndsFactor), rate_max);
}

std::string StallSentence(const std::string& column_family,
                          const StallVerdict& verdict,
                          const StallLevels& levels, const StallLimits& limits,
                          uint64_t rate) {
  if (verdict.condition == WriteStallCondition::kNormal) return "";
  const bool stopped = verdict.condition == WriteStallCondition::kStopped;
  std::string text = "[" + column_family + "] ";
  text += stopped ? "Stopping writes because " : "Stalling writes because ";
  switch (verdict.cause) {
    case WriteStallCause::kMemtableLimit:
      text += "we have " + std::to_string(levels.unflushed_memtables) +
              " immutable memtables (waiting for flush), "
              "max_write_buffer_number is set to " +
              std::to_string(limits.max_write_buffer_number);
      break;
    case WriteStallCause::kL0FileCountLimit:
      text +=
          "we have " + std::to_string(levels.level0_files) + " level-0 files";
      break;
    case WriteStallCause::kWriteBufferManagerLimit:
      text += "memtables of all databases take " +
              std::to_string(levels.buffer_manager_bytes) +
              " bytes, the limit of the write buffer manager is " +
              std::to_string(levels.buffer_manager_limit);
      break;
    default:
      text += "of estimated pending compaction bytes " +
              std::to_string(levels.pending_compaction_bytes);
  }
  if (!stopped) text += " rate " + std::to_string(rate);
  return text;
}

std::string WriteLimitSentence(const std::string& column_family,
                               const StallVerdict& verdict,
                               const StallLevels& levels,
                               const StallLimits& limits, uint64_t rate) {
  if (verdict.condition == WriteStallCondition::kNormal) return "";
  const bool stopped = verdict.condition == WriteStallCondition::kStopped;
  const std::string where = " of [" + column_family + "]";
  const std::string bound = stopped ? ", the limit is " : ", the mark is ";
  std::string text = stopped ? "Writes are stopped by "
                             : "Writes are delayed to " +
                                   RateText(static_cast<double>(rate)) + " by ";
  switch (verdict.cause) {
    case WriteStallCause::kMemtableLimit:
      return text + "memory: " +
             CountText(NotNegative(levels.unflushed_memtables), "memtable") +
             where + " to be flushed, the limit is " +
             std::to_string(limits.max_write_buffer_number) +
             " (max_write_buffer_number).";
    case WriteStallCause::kL0FileCountLimit:
      return text + "sorted runs: " +
             CountText(NotNegative(levels.level0_files), "file") + " in L0" +
             where + bound +
             (stopped ? std::to_string(limits.level0_stop_trigger) +
                            " (level0_stop_writes_trigger)."
                      : std::to_string(limits.level0_slowdown_trigger) +
                            " (level0_slowdown_writes_trigger).");
    case WriteStallCause::kWriteBufferManagerLimit:
      return text +
             "memory: memtables of all databases that share the write "
             "buffer manager take " +
             Bytes(levels.buffer_manager_bytes) + bound +
             Bytes(levels.buffer_manager_limit) + " (write_buffer_manager).";
    default:
      return text + "debt: " + Bytes(levels.pending_compaction_bytes) + where +
             " to be compacted" + bound +
             (stopped ? Bytes(limits.hard_pending_bytes) +
                            " (hard_pending_compaction_bytes_limit)."
                      : Bytes(limits.soft_pending_bytes) +
                            " (soft_pending_compaction_bytes_limit).");
  }
}

std::string PressureSentence(const std::string& column_family,
                             CompactionPressure pressure,
                             const StallLevels& levels) {
  const std::string head =
      "[" + column_family + "] Increasing compaction threads because ";
  switch (pressure) {
    case CompactionPressure::kLevel0Files:
      return head + "we have " + std::to_string(levels.level0_files) +
             " level-0 files";
    case CompactionPressure::kPendingBytes:
      return head + "of estimated pending compaction bytes " +
             std::to_string(levels.pending_compaction_bytes);
    case CompactionPressure::kMarked:
      return head + "we have " +
             std::to_string(levels.files_marked_for_compaction) +
             " files marked for compaction";
    case CompactionPressure::kNone:
      break;
  }
  return "";
}

const char* StallCauseName(WriteStallCause cause) {
  switch (cause) {
    case WriteStallCause::kMemtableLimit:
      return "memtable-limit";
    case WriteStallCause::kL0FileCountLimit:
      return "l0-file-count-limit";
    case WriteStallCause::kPendingCompactionBytes:
      return "pending-compaction-bytes";
    case WriteStallCause::kWriteBufferManagerLimit:
      return "write-buffer-manager-limit";
    default:
      return "none";
  }
}

const char* StallConditionName(WriteStallCondition condition) {
  switch (condition) {
    case WriteStallCondition::kDelayed:
      return "delayed";
    case WriteStallCondition::kStopped:
      return "stopped";
    case WriteStallCondition::kNormal:
      break;
  }
  return "normal";
}

void StallCounters::Count(const StallVerdict& verdict,
                          bool level0_compaction_running) {
  if (verdict.condition == WriteStallCondition::kNormal) return;
  if (Index(verdict.cause) >= kCauses) return;
  const bool stopped = verdict.condition == WriteStallCondition::kStopped;
  ++(stopped ? stops_ : delays_)[Index(verdict.cause)];
  if (verdict.cause == WriteStallCause::kL0FileCountLimit &&
      level0_compaction_running) {
    ++(stopped ? level0_stops_with_compaction_
               : level0_delays_with_compaction_);
  }
}

uint64_t StallCounters::total_delays() const {
  return std::accumulate(delays_.begin(), delays_.end(), uint64_t{0});
}

uint64_t StallCounters::total_stops() const {
  return std::accumulate(stops_.begin(), stops_.end(), uint64_t{0});
}

std::map<std::string, std::string> StallCounters::ToMap() const {
  std::map<std::string, std::string> entries;
  for (size_t i = 0; i < kCauses; ++i) {
    const std::string name = StallCauseName(static_cast<WriteStallCause>(i));
    entries[name + "-delays"] = std::to_string(delays_[i]);
    entries[name + "-stops"] = std::to_string(stops_[i]);
  }
  entries["cf-l0-file-count-limit-delays-with-ongoing-compaction"] =
      std::to_string(level0_delays_with_compaction_);
  entries["cf-l0-file-count-limit-stops-with-ongoing-compaction"] =
      std::to_string(level0_stops_with_compaction_);
  entries["total-delays"] = std::to_string(total_delays());
  entries["total-stops"] = std::to_string(total_stops());
  return entries;
}

std::string StallCounters::ToLine() const {
  std::string line = "Write Stall (count): ";
  const char* separator = "";
  for (const auto& [name, count] : ToMap()) {
    line += separator;
    line += name;
    line += ": ";
    line += count;
    separator = ", ";
  }
  return line + "\n";
}

}  // namespace ROCKSDB_NAMESPACE::engine
