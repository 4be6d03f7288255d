// DbState: what the parts of one open database share.
//
// Place. Made by open, owned by the façade; the flusher, the compactor, the
// memtable switcher and the stall monitor work on it. It has data and no
// behaviour: each part states which members it uses.
//
// Threads. As marked; clang's analysis checks what `mu` guards.

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
#include "db/format/reader_cache.h"
#include "db/format/store_context.h"
#include "db/manifest/version_set.h"
#include "db/properties/cache_entry_stats.h"
#include "db/properties/stats_history.h"
#include "db/read/snapshot_list.h"
#include "db/trace/query_tracer.h"
#include "db/tune/decision.h"
#include "db/wal/log_holds.h"
#include "db/write/wal_locks.h"
#include "db/write/wal_set.h"
#include "db/write/write_controller.h"
#include "db/write/write_pacer.h"
#include "db/write_batch/prepared_section.h"
#include "rocksdb/env.h"
#include "util/busy_time.h"
#include "util/mutex.h"
#include "util/thread_annotations.h"

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
        errors(store.options.paranoid_checks),
        options(std::make_shared<const DBOptions>(store.options)) {}

  // --- Fixed once the MANIFEST has been read, which may know another id ---
  StoreContext store;
  Env* env = nullptr;  // Threads only.

  StateMutex mu;

  // --- Atomic or with a lock of their own ---
  CondVar changed;  // A job ended, a stall changed, an error came or went.
  std::atomic<bool> closing{false};
  std::atomic<int> next_job_id{1};
  // Some published data is in memtables only (disableWAL).
  std::atomic<bool> has_unlogged_data{false};
  ObsoleteFiles obsolete;
  CacheEntryStatsKeeper cache_stats;
  StatsHistory stats_history;
  WriteController controller;
  WritePacer pacer;
  QueryTracer tracer;

  // --- Parts: the pointers are fixed once the database is open, and what they
  // point at says who may use it. Behind `obsolete`, which gets their files ---
  std::unique_ptr<VersionSet> versions;
  std::unique_ptr<FamilySet> families;
  std::unique_ptr<WalSet> wals;
  std::unique_ptr<FileDeletion> deletion;
  std::unique_ptr<FSDirectory> directory;
  std::unique_ptr<DbEvents> events;
  std::shared_ptr<ReaderCache> readers;  // Of all families.
  // A memtable has reached its size; set by the façade.
  std::function<void()> on_memtable_full;

  // --- Guarded by `mu` ---
  ErrorState errors;  // Says itself what any thread may ask without it.
  // What SetDBOptions may change. Replaced, never modified.
  std::shared_ptr<const DBOptions> options GUARDED_BY(kStateLock);
  SnapshotList snapshots GUARDED_BY(kStateLock);
  // Ingestions about to show data that every snapshot would see: none is made
  // meanwhile. See `changed`.
  int installs_at_sequence_zero GUARDED_BY(kStateLock) = 0;
  // Flushes that are to be as with atomic_flush.
  int atomic_flushes GUARDED_BY(kStateLock) = 0;
  bool FlushesTogether() const REQUIRES_LOCK(kStateLock) {
    return store.options.atomic_flush || atomic_flushes > 0;
  }
  WalLocks wal_locks GUARDED_BY(kStateLock);  // See `changed`.
  TunedWrites tuning GUARDED_BY(kStateLock);
  // Writers wait for the write buffer manager, and how often they have begun
  // to. The default family answers for it.
  bool buffer_stalled GUARDED_BY(kStateLock) = false;
  uint64_t buffer_stops GUARDED_BY(kStateLock) = 0;
  // Calls of AbortAllCompactions() that are in force: no compaction starts.
  int compaction_aborts GUARDED_BY(kStateLock) = 0;
  // Warnings of the stall watchdog.
  uint64_t stops_without_job GUARDED_BY(kStateLock) = 0;
  // What the opening found prepared, until a TransactionDB takes it, and the
  // oldest log that it, or damage, may be in.
  UndecidedTransactions undecided GUARDED_BY(kStateLock);
  LogHold undecided_log GUARDED_BY(kStateLock);
  bool undecided_logs_are_damaged GUARDED_BY(kStateLock) = false;
  // Of all flushes since open, those of dropped families too.
  FlushTotals flushed GUARDED_BY(kStateLock);
  // How long flushes and each class of compactions have been at work.
  std::array<BusyTime, kWorkClasses> busy GUARDED_BY(kStateLock);
};

}  // namespace ROCKSDB_NAMESPACE::engine
