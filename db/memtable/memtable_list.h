// MemTableList: a column family's immutable memtables on their way to L0.
//
// Place. Owned by the column family; the flush job picks from it, the read
// path takes the snapshot into its ReadView.
//
// Model. Memtables enter at the newest end, are picked oldest first, become
// built when their L0 file is written, and leave oldest first, so that the
// family's log number only ever rises:
//
//     Add -> waiting --Pick--> picked --MarkBuilt--> built --Remove--> gone
//               ^----------------'          (only from the oldest end)
//                    Rollback
//
// A job that finishes before an older one leaves its memtables built; the
// thread that finishes the older one installs both (TakeInstallable).
//
// Where little of what was picked survives, it may stay in memory: one memtable
// with the survivors takes the place of those picked, and waits for the next
// that is full (ReplacePicked).
//
// Invariants:
//   (1) ids ascend from oldest to newest.
//   (2) The memtables of one pick are neighbours, and share one edit.
//   (3) The snapshot is immutable: readers keep what they have.
//   (4) Ids ascend in the history, which holds memtables as they were written:
//       those that survivors have replaced, and not the survivors.
//
// Threads. Guarded by the DB mutex, but for snapshots already taken and
// flush_pending().

#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "db/memtable/memtable.h"

namespace ROCKSDB_NAMESPACE::engine {

struct VersionEdit;  // Kept here on its way to the MANIFEST, never looked at.

using MemTablePtr = std::shared_ptr<MemTable>;

// What a read sees of the immutable memtables. Newest first.
using ImmutableMemTables = std::vector<MemTablePtr>;

struct MemTableListOptions {
  int min_write_buffer_number_to_merge = 1;
  // Flushed memtables stay until all of the family's take more without the
  // oldest (max_write_buffer_size_to_maintain); 0: they go at once.
  size_t maintain_bytes = 0;
};

class MemTableList {
 public:
  explicit MemTableList(const MemTableListOptions& options);

  // `memtable` has become immutable: gives it the next id. `cut`: with which
  // memtables of other families it must be installed (atomic_flush); ascends.
  void Add(MemTablePtr memtable, uint64_t cut = 0);

  const std::shared_ptr<const ImmutableMemTables>& snapshot() const {
    return snapshot_;
  }

  // True when a flush job would find work: enough memtables wait, or any does
  // and a flush was requested. Survivors alone are no reason for a flush.
  bool IsFlushPending() const;
  bool flush_requested() const { return flush_requested_; }
  // Without the mutex; may lag.
  bool flush_pending() const {
    return flush_pending_.load(std::memory_order_acquire);
  }
  // What SetOptions changed.
  void SetOptions(const MemTableListOptions& options);
  // How many memtables a flush waits for; 0: the option.
  void SetMergeMin(int memtables);
  // The next pick takes what waits, however few.
  void RequestFlush();

  // Takes the waiting memtables with id <= `id_max`, oldest first, up to the
  // first one that is picked already. Empty when there are none.
  std::vector<MemTablePtr> PickToFlush(uint64_t id_max = UINT64_MAX);
  // The job of these memtables failed or was called off: they wait again, and
  // a flush is requested.
  void RollbackFlush(const std::vector<MemTablePtr>& picked);

  // The job wrote no file: `survivors` holds what reads need of these. If newer
  // memtables are picked or built, a flush is requested. Nothing changes if the
  // family was dropped meanwhile.
  void ReplacePicked(const std::vector<MemTablePtr>& picked,
                     MemTablePtr survivors);

  // The memtables of one pick are in a file, which `edit` adds.
  void MarkBuilt(const std::vector<MemTablePtr>& picked,
                 const std::shared_ptr<VersionEdit>& edit);

  struct Installable {
    // In the order in which they have to be installed: oldest first.
    std::vector<std::shared_ptr<VersionEdit>> edits;
    std::vector<MemTablePtr> memtables;
    // The family needs no log below this one once they are installed.
    uint64_t log_number = 0;
  };
  // The built memtables at the oldest end. They stay listed until Remove, and
  // no other caller gets them meanwhile. Empty when the oldest is not built or
  // an installation is under way. Only those of cuts up to `cut_max`.
  Installable TakeInstallable(uint64_t cut_max = UINT64_MAX);
  // For several families that are installed together: the newest cut up to
  // `at_most` up to which everything is built and no table is divided.
  uint64_t InstallableCut(uint64_t at_most) const;
  // After the MANIFEST write: success drops them from the list, failure makes
  // them wait again.
  void FinishInstall(const Installable& installed, bool success);
  // What is built waits again, and its tables are given up; takes no memory.
  // What is being installed stays.
  void FlushBuiltAgain();

  // The family was dropped, and nothing installs what is built: takes it out
  // and returns its edits. What is being installed stays.
  std::vector<std::shared_ptr<VersionEdit>> TakeBuilt();

  // Tables are written that no Version names yet.
  bool HasBuilt() const;
  // All of it is, and no installation is under way.
  bool AllBuilt() const;

  // Not yet installed: waiting, picked or built.
  size_t num_unflushed() const { return entries_.size(); }
  // The same without survivors: what max_write_buffer_number bounds.
  size_t num_sealed() const;
  // Waiting only.
  size_t num_not_started() const { return num_not_started_; }
  // L0 files that all of this makes, if what waits is picked at once.
  int files_to_come() const;
  bool empty() const { return entries_.empty(); }
  uint64_t newest_id() const { return next_id_ - 1; }
  uint64_t oldest_id() const;
  size_t memory_bytes() const;
  // Of memtables that are flushed and that readers still hold.
  size_t pinned_bytes() const;
  uint64_t num_entries() const;
  uint64_t num_deletes() const;
  uint64_t data_size() const;
  // The oldest entry in any of them; 0 when there is none.
  SequenceNumber first_sequence() const;

  // Flushed, oldest first, and kept: what was written lately, for those who
  // look for conflicts (db/column_family/change_check.h). Not among what reads
  // see.
  const std::deque<MemTablePtr>& history() const { return history_; }
  // Takes out of it what is over the limit, to be dropped without the mutex.
  // `active_bytes`: of the family's mutable memtable.
  std::vector<MemTablePtr> TrimHistory(size_t active_bytes);

  // Drops the oldest, as long as their entries come from logs below
  // `log_number`: another process has written them to files.
  void RemoveBelow(uint64_t log_number);

  // Drops everything (the family was dropped).
  void Clear();
  // The family is gone: no log is needed for it.
  void ReleaseHeldLogs() {
    for (Entry& entry : entries_) entry.memtable->TakeHeldLog().Release();
  }

 private:
  enum class Stage : uint8_t { kWaiting, kPicked, kBuilt, kInstalling };
  struct Entry {
    MemTablePtr memtable;
    Stage stage = Stage::kWaiting;
    bool survivors = false;  // Of memtables that were full.
    uint64_t pick = 0;       // Of which; meaningless while it waits.
    uint64_t cut = 0;
    std::shared_ptr<VersionEdit> edit;
  };

  Entry* Find(const MemTable* memtable);
  void FlushAgain(Stage stage);
  void Keep(const MemTablePtr& memtable);
  // Dev builds: invariants 1 and 2, and that counts say what the list holds.
  void CheckInvariants() const;
  void Changed();

  MemTableListOptions options_;
  int tuned_merge_min_ = 0;     // 0: the option.
  std::vector<Entry> entries_;  // Oldest first.
  std::deque<MemTablePtr> history_;
  std::vector<std::weak_ptr<const MemTable>> added_;  // Those alive, and a few.
  std::shared_ptr<const ImmutableMemTables> snapshot_;
  uint64_t next_id_ = 1;
  uint64_t picks_ = 0;
  size_t num_not_started_ = 0;
  bool flush_requested_ = false;
  bool installing_ = false;
  std::atomic<bool> flush_pending_{false};
};

}  // namespace ROCKSDB_NAMESPACE::engine
