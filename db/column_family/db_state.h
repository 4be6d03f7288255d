// DbState: what the parts of one open database share.
//
// Place. Made by open, owned by the façade; the flusher, the compactor, the
// memtable switcher and the stall monitor work on it. It has data and no
// behaviour: each part states which members it uses.
//
// Threads. Everything is guarded by `mu` unless its own type says otherwise.

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "db/column_family/family_set.h"
#include "db/error_state/error_state.h"
#include "db/events/db_events.h"
#include "db/file_deletion/file_deletion.h"
#include "db/format/store_context.h"
#include "db/manifest/version_set.h"
#include "db/properties/cache_entry_stats.h"
#include "db/read/snapshot_list.h"
#include "db/tune/decision.h"
#include "db/write/wal_locks.h"
#include "db/write/wal_set.h"
#include "db/write/write_controller.h"
#include "db/write/write_pacer.h"
#include "rocksdb/env.h"
#include "util/busy_time.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// The part of the tuner's decision that the stall monitor needs.
struct TunedWrites {
  bool adaptive = false;
  uint64_t pacing_bytes_per_second = 0;
  WriteLimit limit = WriteLimit::kNothing;
};

struct DbState {
  explicit DbState(StoreContext context)
      : store(std::move(context)),
        controller(store.options.delayed_write_rate),
        errors(store.options.paranoid_checks) {}

  // Constant once the MANIFEST has been read, which may know another id.
  StoreContext store;
  Env* env = nullptr;  // Threads only.

  StateMutex mu;
  CondVar changed;  // A job ended, a stall changed, an error came or went.
  std::atomic<bool> closing{false};

  // What SetDBOptions may change. Replaced, never modified.
  std::shared_ptr<const DBOptions> options;

  ObsoleteFiles obsolete;
  std::unique_ptr<VersionSet> versions;
  std::unique_ptr<FamilySet> families;
  std::unique_ptr<WalSet> wals;
  std::unique_ptr<FileDeletion> deletion;
  std::unique_ptr<FSDirectory> directory;
  std::unique_ptr<DbEvents> events;
  std::shared_ptr<Cache> readers;  // Of all families; null: unlimited.
  // A memtable has reached its size; set by the façade.
  std::function<void()> on_memtable_full;
  SnapshotList snapshots;
  CacheEntryStatsKeeper cache_stats;
  // Ingestions about to show data that every snapshot would see: none is made
  // meanwhile. See `changed`.
  int installs_at_sequence_zero = 0;
  WriteController controller;
  WalLocks wal_locks;  // See `changed`.
  WritePacer pacer;
  ErrorState errors;
  TunedWrites tuning;
  // Writers wait for the write buffer manager, and how often they have begun
  // to. The default family answers for it.
  bool buffer_stalled = false;
  uint64_t buffer_stops = 0;
  // Warnings of the stall watchdog.
  uint64_t stops_without_job = 0;
  // Of all flushes since open, those of dropped families too.
  uint64_t installed_flush_bytes = 0;
  // How long flushes and each class of compactions have been at work.
  std::array<BusyTime, kWorkClasses> busy;

  std::atomic<int> next_job_id{1};
  // Some published data is in memtables only (disableWAL).
  std::atomic<bool> has_unlogged_data{false};
};

}  // namespace ROCKSDB_NAMESPACE::engine
