// Compactor::Job: one compaction between pick and outcome. Private to
// Compactor's sources.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "db/db_impl/compactor.h"
#include "db/db_impl/job_events.h"
#include "env/io_gate.h"
#include "env/space/sst_file_manager.h"

namespace ROCKSDB_NAMESPACE::engine {

struct Compactor::Job {
  enum class State : uint8_t { kRunning, kFinishing, kPaused };

  FamilyPtr family;
  CompactionPlan plan;
  uint64_t input_bytes = 0;   // Of the plan; looked at in each tick.
  int level0_files_gone = 0;  // Likewise.
  uint64_t id = 0;
  State state = State::kRunning;
  uint64_t aborts = 0;          // Calls of AbortAll() before it began.
  bool installed = false;       // Its result is in the current version.
  Status refusal;               // Why the plan could not be registered.
  uint64_t resumed_micros = 0;  // When it got its thread.
  uint64_t micros = 0;          // With a thread, up to the last pause.
  uint32_t pauses = 0;
  uint64_t paused_micros = 0;  // In all, of a manual job.
  FileDeletion::Protection outputs;
  PauseToken token;
  const ManualCall* call = nullptr;  // Null for an automatic job.
  IoPass pass;
  std::optional<SstFileManagerImpl::Reservation> space;
  std::unique_ptr<SliceEvents> events;
  std::unique_ptr<CompactionJob> compaction;  // Null for a trivial move.
  // The CompactionService's name of it, once it has given a result.
  std::optional<std::string> service_id;
  bool service_failed = false;  // Its failure is the service's.

  JobEvents::Compaction Described() const {
    return {family.get(), &plan, compaction.get(), static_cast<int>(id),
            micros};
  }
  // Since it got its thread; 0 where the clock was set back.
  uint64_t SinceResumed(uint64_t now) const {
    return now > resumed_micros ? now - resumed_micros : 0;
  }
  bool pausing() const {
    return state == State::kRunning && token.wish() == PauseToken::Wish::kPause;
  }
  bool pausable() const {
    return state == State::kRunning && token.wish() == PauseToken::Wish::kRun &&
           !paused_enough();
  }
  bool paused_enough() const {
    return paused_micros > kManualPauseMicros + micros;
  }
  JobLeft Left() const {
    const uint64_t done = compaction ? compaction->progress_bytes() : 0;
    return {&plan, input_bytes - done};
  }
};

}  // namespace ROCKSDB_NAMESPACE::engine
