#include "test/stress/model_checker/admin_ops.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "rocksdb/comparator.h"
#include "test/stress/model_checker/compare.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

void SleepUpTo(ThreadContext* t, uint64_t millis) {
  std::this_thread::sleep_for(
      std::chrono::microseconds(t->random.Uniform(1000 * millis)));
}

// Another thread may have raised full_history_ts_low further meanwhile.
bool IsLateTsLow(const Status& status) {
  return status.IsInvalidArgument() &&
         status.ToString().find("Cannot decrease full_history_ts_low") !=
             std::string::npos;
}

// What was committed before a flush of tables or of the log.
void RaiseDurable(ThreadContext* t, const Words& before, bool unlogged_too) {
  for (size_t slot = 0; slot < before.size(); ++slot) {
    for (uint32_t k = 0; k < before[slot].size(); ++k) {
      if (!unlogged_too && t->expected().IsUnlogged(k)) continue;
      ExpectedState::RaiseDurable(
          &t->expected().cell(static_cast<int>(slot), k), before[slot][k]);
    }
  }
}

}  // namespace

void Flush(ThreadContext* t) {
  const AllSlotsUse use(t);
  FlushOptions options;
  options.wait = t->Chance(700);
  options.allow_write_stall = t->Chance(500);
  std::vector<ColumnFamilyHandle*> families;
  std::vector<int> slots;
  for (const int slot : use.slots()) {
    if (!slots.empty() && !t->Chance(200)) continue;
    slots.push_back(slot);
    families.push_back(t->handle(slot));
  }
  const Words before = CommittedWords(t, slots);
  // Without waiting for room it may be refused: TryAgain.
  const Status status = t->db()->Flush(options, families);
  if (!t->OkOr(status, "Flush", {Status::kTryAgain})) return;
  if (options.wait) RaiseDurable(t, before, /*unlogged_too=*/true);
}

void CompactRange(ThreadContext* t) {
  const SlotUse use(t);
  CompactRangeOptions options;
  options.exclusive_manual_compaction = t->Chance(300);
  options.change_level = t->Chance(200);
  if (options.change_level) {
    options.target_level = static_cast<int>(t->random.Uniform(8)) - 1;
  }
  options.bottommost_level_compaction =
      static_cast<BottommostLevelCompaction>(t->random.Uniform(4));
  options.allow_write_stall = t->Chance(500);
  options.max_subcompactions = t->random.Next32() % 4;
  options.blob_garbage_collection_policy =
      static_cast<BlobGarbageCollectionPolicy>(t->random.Uniform(3));
  std::string time;
  const Slice newest = EncodeU64Ts(t->expected().time(), &time);
  if (t->IsStamped(use.slot()) && t->Chance(500)) {
    options.full_history_ts_low = &newest;
  }
  std::atomic<bool> canceled{t->Chance(100)};
  if (t->Chance(200)) options.canceled = &canceled;
  const uint32_t a = t->AnyKey();
  const uint32_t b = t->AnyKey();
  const std::string begin = t->expected().KeyOf(std::min(a, b));
  const std::string end = t->expected().KeyOf(std::max(a, b));
  const Slice begin_slice(begin);
  const Slice end_slice(end);
  const Status status = t->db()->CompactRange(
      options, use.handle(), t->Chance(500) ? &begin_slice : nullptr,
      t->Chance(500) ? &end_slice : nullptr);
  if (options.full_history_ts_low != nullptr && IsLateTsLow(status)) return;
  // Incomplete: canceled or disabled.
  if (options.change_level) {
    // The level may be taken, or not exist, or be level 0 for many files.
    t->OkOr(status,
            "CompactRange to level " + std::to_string(options.target_level),
            {Status::kIncomplete, Status::kInvalidArgument,
             Status::kNotSupported, Status::kAborted});
  } else {
    t->OkOr(status, "CompactRange", {Status::kIncomplete});
  }
}

void CompactFiles(ThreadContext* t) {
  const SlotUse use(t);
  ColumnFamilyMetaData all;
  t->db()->GetColumnFamilyMetaData(use.handle(), &all);
  std::vector<std::string> names;
  int deepest = 0;
  for (const LevelMetaData& level : all.levels) {
    if (t->Chance(500)) continue;
    for (const SstFileMetaData& file : level.files) {
      if (t->Chance(500)) continue;
      names.push_back(file.relative_filename);
      deepest = std::max(deepest, level.level);
    }
  }
  if (names.empty()) return;
  CompactionOptions options;
  options.allow_trivial_move = t->Chance(300);
  const int to = std::min(deepest + static_cast<int>(t->random.Uniform(3)), 6);
  // Files may be gone, or be compacted already.
  t->OkOr(t->db()->CompactFiles(options, use.handle(), names, to),
          "CompactFiles",
          {Status::kAborted, Status::kInvalidArgument, Status::kIncomplete,
           Status::kNotSupported});
}

void ForgetHistory(ThreadContext* t) {
  const int slot = t->shared.plan.stamped;
  if (slot < 0) return;
  const SlotUse use(t, slot);
  if (!use.ok()) return;
  std::string low;
  EncodeU64Ts(t->expected().time(), &low);
  const Status status = t->db()->IncreaseFullHistoryTsLow(use.handle(), low);
  if (IsLateTsLow(status) || !t->Ok(status, "IncreaseFullHistoryTsLow")) return;
  std::string found;
  if (!t->Ok(t->db()->GetFullHistoryTsLow(use.handle(), &found),
             "GetFullHistoryTsLow")) {
    return;
  }
  if (BytewiseComparatorWithU64Ts()->CompareTimestamp(found, low) < 0) {
    t->Fail("GetFullHistoryTsLow answers " + Slice(found).ToString(true) +
            " after " + Slice(low).ToString(true));
  }
}

void SwitchManualCompaction(ThreadContext* t) {
  t->db()->DisableManualCompaction();
  SleepUpTo(t, 3);
  t->db()->EnableManualCompaction();
}

// Calls nothing meanwhile: other threads write, and may be stopped.
void AbortCompactions(ThreadContext* t) {
  t->db()->AbortAllCompactions();
  {
    const Doing doing(&t->activity, "sleep after AbortAllCompactions");
    SleepUpTo(t, 5);
  }
  const Doing doing(&t->activity, "ResumeAllCompactions");
  t->db()->ResumeAllCompactions();
}

// Calls nothing that waits while it is paused: that would wait forever.
void PauseWork(ThreadContext* t) {
  if (!t->Ok(t->db()->PauseBackgroundWork(), "PauseBackgroundWork")) return;
  {
    const Doing doing(&t->activity, "sleep after PauseBackgroundWork");
    SleepUpTo(t, 5);
  }
  const Doing doing(&t->activity, "ContinueBackgroundWork");
  t->Ok(t->db()->ContinueBackgroundWork(), "ContinueBackgroundWork");
}

namespace {

std::string Show(const OptionChange& change) {
  std::string text;
  for (const auto& [name, value] : change) text += " " + name + "=" + value;
  return text;
}

}  // namespace

void ChangeFamilyOptions(ThreadContext* t) {
  const SlotUse use(t);
  const OptionChange change =
      DrawFamilyChange(t->shared.plan, use.slot(), &t->random);
  if (change.empty()) return;
  const Status status = t->db()->SetOptions(use.handle(), change);
  // It depends on the compression, which may change at the same time.
  if (status.ToString().find("block_align") != std::string::npos) return;
  t->Ok(status, "SetOptions" + Show(change));
}

void ChangeDbOptions(ThreadContext* t) {
  const OptionChange change = DrawDbChange(t->shared.plan, &t->random);
  if (change.empty()) return;
  t->Ok(t->db()->SetDBOptions(change), "SetDBOptions" + Show(change));
}

void FlushLog(ThreadContext* t) {
  const AllSlotsUse use(t);
  const Words before = CommittedWords(t, use.slots());
  // SyncWAL() leaves in memory what was not flushed.
  if (!t->Chance(500)) {
    const Status status = t->db()->SyncWAL();
    if (t->shared.plan.lone_syncs && status.IsNotSupported()) return;
    t->Ok(status, "SyncWAL");
  } else if (t->Ok(t->db()->FlushWAL(t->Chance(500)), "FlushWAL")) {
    RaiseDurable(t, before, /*unlogged_too=*/!t->shared.plan.unlogged_keys);
  }
}

void CreateOrDrop(ThreadContext* t) {
  const int more = t->shape().slots - kMirrorSlots;
  if (more == 0) return;
  const int slot =
      kMirrorSlots +
      static_cast<int>(t->random.Uniform(static_cast<uint64_t>(more)));
  const std::unique_lock lock(t->shared.database.slot_lock(slot),
                              std::try_to_lock);
  if (!lock.owns_lock()) return;
  const SlotState state = t->expected().slot_state(slot);
  if (state == SlotState::kAbsent) {
    t->Ok(t->shared.database.CreateSlot(slot), "CreateColumnFamily");
  } else if (state == SlotState::kPresent && t->Chance(300)) {
    ++t->shared.incarnation[slot];
    t->Ok(t->shared.database.DropSlot(slot), "DropColumnFamily");
  }
}

void Inspect(ThreadContext* t) {
  const SlotUse use(t);
  static constexpr const char* kNames[] = {
      "rocksdb.stats",          "rocksdb.cfstats",
      "rocksdb.dbstats",        "rocksdb.levelstats",
      "rocksdb.sstables",       "rocksdb.write-limit",
      "rocksdb.memory-by-role", "rocksdb.estimate-num-keys",
      "rocksdb.blob-stats",     "rocksdb.block-cache-entry-stats"};
  std::string text;
  t->db()->GetProperty(use.handle(),
                       kNames[t->random.Uniform(std::size(kNames))], &text);
  const std::string begin = t->expected().KeyOf(0);
  const std::string end = t->expected().KeyOf(t->AnyPlain());
  const Range range(begin, end);
  uint64_t size = 0;
  SizeApproximationOptions options;
  options.include_memtables = t->Chance(500);
  options.include_blob_files = t->Chance(300);
  t->Ok(t->db()->GetApproximateSizes(options, use.handle(), &range, 1, &size),
        "GetApproximateSizes");
  if (!t->Chance(100)) return;
  const Doing doing(&t->activity, "VerifyChecksum");
  t->Ok(t->db()->VerifyChecksum(ReadOptions()), "VerifyChecksum");
}

void Resume(ThreadContext* t) {
  if (!t->shared.plan.faults) return;
  // Busy: the database resumes by itself.
  t->OkOr(t->db()->Resume(), "Resume", {Status::kBusy});
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
