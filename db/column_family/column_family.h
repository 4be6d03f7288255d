// ColumnFamily: one column family of an open database.
//
// Place. Made by open and CreateColumnFamily, held by FamilySet, by handles
// and by running jobs. Joins what lower folders keep apart: the manifest's
// FamilyVersions, the memtables, the open tables, the published view.
//
// Invariants:
//   (1) Once a view is published, `mem` changes only under the DB mutex, by the
//       thread that has the commit pipeline to itself or, in a secondary, by
//       the one that catches up: writers may read it without the mutex, all
//       other threads with it. Detach() comes when no other thread is left.
//   (2) A thread that changes memtables, files or options publishes a view
//       before it releases the mutex. Exceptions: a compaction whose edit
//       another thread has installed publishes when its own thread wakes; a
//       secondary publishes when it has caught up; a dropped family never does.
//
// Threads. As marked.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/blob/blob_source.h"
#include "db/compaction/job_class.h"
#include "db/compaction/plan.h"
#include "db/compaction/table_output.h"
#include "db/file_deletion/file_deletion.h"
#include "db/format/store_context.h"
#include "db/manifest/family_versions.h"
#include "db/memtable/memtable_list.h"
#include "db/memtable/purge_backoff.h"
#include "db/properties/stats_text.h"
#include "db/read/point_lookup.h"
#include "db/read/read_view.h"
#include "db/read/table_cache.h"
#include "db/tune/decision.h"
#include "db/write/write_controller.h"
#include "db/write/write_stall.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "util/compaction_switch.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// What the stall monitor remembers of a family. Guarded by the DB mutex.
struct FamilyStall {
  StallVerdict verdict;
  WriteController::Token token;
  StallCounters counters;
  uint64_t pending_bytes_before = 0;
};

// What flushes and compactions have moved, by output level; a flush counts
// for level 0. Guarded by the DB mutex.
struct FamilyJobStats {
  std::vector<CompactionStats> levels;
  uint64_t flush_bytes = 0;

  CompactionStats& At(int level) {
    const auto index = static_cast<size_t>(level);
    if (levels.size() <= index) levels.resize(index + 1);
    return levels[index];
  }
};

class ColumnFamily {
 public:
  // `versions` is owned by the VersionSet and outlives the family's use.
  ColumnFamily(const StoreContext& store, FamilyVersions* versions,
               const ColumnFamilyOptions& options,
               std::shared_ptr<ReaderCache> readers,
               WriteBufferManager* write_buffer_manager);
  ~ColumnFamily();
  ColumnFamily(const ColumnFamily&) = delete;
  ColumnFamily& operator=(const ColumnFamily&) = delete;

  // --- Never changing; any thread ---
  uint32_t id() const { return id_; }
  const std::string& name() const { return name_; }
  const InternalKeyComparator& icmp() const { return icmp_; }
  const TableCache& tables() const { return tables_; }
  const ViewPublisher& views() const { return views_; }
  const BlobSource& blobs() const { return blobs_; }
  LookupDeps lookup_deps() const {
    return {&icmp_, &tables_, &store_, &blobs_};
  }
  std::shared_ptr<const FileHome> home() const { return home_; }

  bool dropped() const { return dropped_.load(std::memory_order_acquire); }
  // Up to here keys may have come with tables that were ingested, which no
  // memtable shows.
  SequenceNumber ingested_sequence() const {
    return ingested_sequence_.load(std::memory_order_acquire);
  }
  void NoteIngested(SequenceNumber last) REQUIRES_LOCK(kStateLock) {
    ingested_sequence_.store(last, std::memory_order_release);
  }

  // --- Guarded by the DB mutex (mem: invariant 1) ---
  FamilyVersions* versions() const { return versions_; }
  const std::shared_ptr<const ColumnFamilyOptions>& options() const {
    return options_;
  }
  void SetOptions(const ColumnFamilyOptions& options) REQUIRES_LOCK(kStateLock);
  // What compaction obeys now: the own options, or what the Env's switch made
  // of them when the stall conditions were last recalculated.
  const CompactionSwitch::Limits& limits() const { return limits_; }
  void ApplyLimits(const CompactionSwitch::Limits& limits)
      REQUIRES_LOCK(kStateLock);
  CompactionSwitch::Limits OwnLimits() const {
    return {has_other_tables_ || options_->disable_auto_compactions,
            options_->level0_file_num_compaction_trigger};
  }
  // One of the tables is of a kind that cannot be read (IsOtherTableKind):
  // until the database is opened again nothing compacts by itself here.
  void SetHasOtherTables() REQUIRES_LOCK(kStateLock);

  const MemTablePtr& mem() const { return mem_; }
  MemTableList& imm() REQUIRES_LOCK(kStateLock) { return imm_; }
  const MemTableList& imm() const REQUIRES_LOCK(kStateLock) { return imm_; }
  MemTablePtr NewMemTable(SequenceNumber creation_sequence) const;
  // The mutable memtable becomes immutable, `fresh` takes its place.
  // `log_number`: of the log that `fresh`'s entries go to.
  void SwitchMemTable(MemTablePtr fresh, uint64_t log_number, uint64_t cut = 0)
      REQUIRES_LOCK(kStateLock);
  // The first memtable, or one in the place of another that nothing needs.
  void StartMemTable(MemTablePtr fresh) REQUIRES_LOCK(kStateLock) {
    mem_ = std::move(fresh);
  }
  // Makes mem, imm, version and options what reads see. Drop the returned
  // reference after the mutex: it may be the last one.
  [[nodiscard]] ViewRef PublishView() REQUIRES_LOCK(kStateLock);
  uint64_t view_number() const { return view_number_; }
  // Views published from now on show nothing newer.
  void LimitReads(SequenceNumber sequence) { sequence_max_ = sequence; }

  TableOwner owner() const;
  const std::vector<const CompactionPlan*>& running() const { return running_; }
  // Files are moving between levels that need not be neighbours. Until the move
  // is installed nothing else may decide where files go: it could put newer
  // data below them.
  bool MovesBetweenLevels() const REQUIRES_LOCK(kStateLock);
  // Marks or unmarks the plan's inputs as busy, and registers it. Corruption,
  // and nothing is registered: an input is busy already.
  Status RegisterPlan(const CompactionPlan* plan) REQUIRES_LOCK(kStateLock);
  void UnregisterPlan(const CompactionPlan* plan) REQUIRES_LOCK(kStateLock);
  // The classes of automatic compactions that are due and not blocked.
  JobClassSet CompactionsDue() const REQUIRES_LOCK(kStateLock);
  bool AutoCompactionDue() const REQUIRES_LOCK(kStateLock) {
    return !CompactionsDue().empty();
  }
  // Snapshots were released, or time has passed. True: ask CompactionsDue().
  bool SetOldestSnapshot(SequenceNumber sequence, uint64_t now_secs)
      REQUIRES_LOCK(kStateLock);

  // What the tuner wants of this family; default: static behaviour.
  const FamilyDecision& shape() const { return shape_; }
  // False: it was much the same, and there is nothing new to be picked.
  bool ApplyShape(const FamilyDecision& shape) REQUIRES_LOCK(kStateLock);
  // Of kPinned...: what the user has set at run time.
  uint32_t pinned GUARDED_BY(kStateLock) = 0;

  FamilyStall& stall() REQUIRES_LOCK(kStateLock) { return stall_; }
  const FamilyStall& stall() const REQUIRES_LOCK(kStateLock) { return stall_; }
  FamilyJobStats& job_stats() REQUIRES_LOCK(kStateLock) { return job_stats_; }
  // What the last "rocksdb.stats" showed: its next interval starts there.
  CfStatsMark stats_mark GUARDED_BY(kStateLock);
  void MarkDropped();
  // The database goes away while handles may stay: drops everything that
  // points into it. Nothing but the destructor may follow.
  void Detach();

  int running_flushes GUARDED_BY(kStateLock) = 0;
  // Of flushes whose tables may wait for an older flush to be installed.
  std::vector<FileDeletion::Protection> kept_outputs GUARDED_BY(kStateLock);
  PurgeBackoff purges GUARDED_BY(kStateLock);
  // Why the newest sealed memtable was sealed.
  FlushReason flush_reason GUARDED_BY(kStateLock) = FlushReason::kOthers;
  // Of these classes the last pick found everything busy: not asked again
  // until files change.
  JobClassSet compaction_blocked GUARDED_BY(kStateLock);
  // Of a compaction that the SstFileManager has refused since the last second.
  uint64_t short_of_bytes GUARDED_BY(kStateLock) = 0;

 private:
  void UpdateLevelOptions();

  const StoreContext& store_;
  const uint32_t id_;
  const std::string name_;
  const InternalKeyComparator icmp_;
  const std::shared_ptr<const FileHome> home_;
  FamilyVersions* const versions_;
  WriteBufferManager* const write_buffer_manager_;
  std::shared_ptr<const ColumnFamilyOptions> options_;
  TableCache tables_;
  const BlobSource blobs_;
  ViewPublisher views_;
  std::atomic<bool> dropped_{false};
  std::atomic<SequenceNumber> ingested_sequence_{0};
  bool detached_ = false;

  MemTablePtr mem_;
  MemTableList imm_;
  uint64_t view_number_ = 0;
  SequenceNumber sequence_max_ = kSequenceMax;
  bool has_other_tables_ = false;
  CompactionSwitch::Limits limits_;
  std::vector<const CompactionPlan*> running_;
  FamilyDecision shape_;
  FamilyStall stall_;
  FamilyJobStats job_stats_;
};

using FamilyPtr = std::shared_ptr<ColumnFamily>;

// A dropped one that is still referred to.
struct DroppedFamily {
  std::weak_ptr<ColumnFamily> family;
  FamilyVersions* versions = nullptr;
};

// The level options of a family, cut out of its options.
LevelOptions LevelOptionsOf(const ColumnFamilyOptions& options);

}  // namespace ROCKSDB_NAMESPACE::engine
