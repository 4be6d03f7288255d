// FlushJob: writes picked immutable memtables of one column family into one
// L0 file.
//
// Place. Run by the scheduler on a background thread; the column family owns
// the memtables, VersionSet the MANIFEST.
//
// Model.
//
//   Pick (mutex) -> Build (no mutex): merge -> drop what no reader can see ->
//   table -> sync file and directory -> InstallBuiltFlushes (mutex)
//
// The merge of the memtables runs through the compaction iterator: overwritten
// entries that no snapshot needs do not reach the disk. When nothing is left
// there is no file, and only the log number moves. Range deletions drop what
// they cover, too, and are all written, as fragments: level 0 cannot know what
// lies below. A deletion is written if a file may hold its key. Large values go
// to blob files where the family wants that, which the same edit names. A
// factory of compaction filters that wants flushes filters what is written.
//
// Purge() comes before Build() where little may survive: the same merge, into a
// memtable. If it works there is no table and no edit, the logs stay, and the
// survivors are merged with the next memtable, and filtered with it.
//
// Invariants:
//   (1) After a failed or cancelled Build no file remains and the memtables
//       wait again once Rollback was called.
//   (2) The edit is installed only after file and directory are on the device.
//   (3) Jobs of one family may finish in any order; they are installed oldest
//       first, so the family's log number never passes unflushed data.
//
// Threads. One at a time; functions marked (mutex) with the DB mutex held.

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/blob/blob_stage.h"
#include "db/compaction/compaction_iterator.h"
#include "db/compaction/table_output.h"
#include "db/format/store_context.h"
#include "db/manifest/version_edit.h"
#include "db/manifest/version_set.h"
#include "db/memtable/memtable_list.h"
#include "db/read/table_cache.h"
#include "env/io_gate.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// For LOG, EVENT_LOG and the stats tables.
struct FlushStats {
  size_t num_memtables = 0;
  uint64_t num_entries = 0;
  uint64_t num_deletes = 0;
  uint64_t num_range_deletes = 0;  // Among the entries.
  uint64_t data_bytes = 0;         // Keys and values in the memtables.
  uint64_t memory_bytes = 0;       // What they occupied.
  uint64_t micros = 0;             // Of Build.
  uint64_t cpu_micros = 0;
  uint64_t kept_bytes = 0;  // Keys and values that were written.
  CompactionIteratorStats entries;
};

class FlushJob {
 public:
  struct Deps {
    const StoreContext* store = nullptr;
    FileOptions file_options;  // OutputFileOptions().
    TableOwner owner;
    VersionSet* version_set = nullptr;
    MemTableList* memtables = nullptr;
    // Told to the factory of compaction filters: kFlush or kRecovery.
    TableFileCreationReason reason = TableFileCreationReason::kFlush;
    // The files at the time of Pick(). Null: all deletions are written.
    VersionPtr version;
    // Opens the result, so that an unreadable file is found before the
    // memtables are dropped, and stays open for readers.
    const TableCache* tables = nullptr;
    const BlobSource* blobs = nullptr;
    // While writers wait for this flush it must not wait for the limiter:
    // IO_USER then.
    Env::IOPriority io_priority = Env::IO_HIGH;
    // Raised to make Build give up; may be null.
    const std::atomic<bool>* cancelled = nullptr;
    TableObserver* observer = nullptr;  // May be null.
  };

  explicit FlushJob(Deps deps)
      : deps_(std::move(deps)),
        io_pass_(deps_.store->io_gate.get(), IoClass::kFlush) {}
  FlushJob(const FlushJob&) = delete;
  FlushJob& operator=(const FlushJob&) = delete;

  // (mutex) Takes the waiting memtables with id <= `id_max`; false when there
  // are none. `snapshots` ascend.
  bool Pick(std::vector<SequenceNumber> snapshots, uint64_t id_max = UINT64_MAX)
      REQUIRES_LOCK(kStateLock);

  // May the picked memtables be kept as one with what survives of them?
  bool MayPurge() const;
  // Copies the survivors to `survivors`. False: they take more than
  // `kept_bytes_max` or fill it, or something is wrong that Build() will tell.
  bool Purge(MemTable* survivors, uint64_t kept_bytes_max);

  // Writes the file. Errors: I/O errors; Corruption when the file does not
  // hold what the memtables did; ShutdownInProgress when cancelled;
  // NotSupported when a filter does not ignore snapshots.
  Status Build();

  // After a successful Build, if the outputs must not be used: deletes them. No
  // Version names them yet.
  void Abandon();
  // (mutex) After a failed Build or Abandon(): the memtables wait again.
  void Rollback();
  // (mutex) After a successful Build: hands edit and memtables to
  // InstallBuiltFlushes.
  void MarkBuilt();

  const std::vector<MemTablePtr>& memtables() const { return picked_; }
  // To release what may be their last reference without the mutex.
  std::vector<MemTablePtr> TakeMemtables() { return std::move(picked_); }
  uint64_t file_number() const { return file_number_; }
  // Null when nothing survived. Complete after Build.
  const FilePtr& file() const { return table_.file; }
  // Complete after Build.
  const std::vector<BlobFileAddition>& blob_files() const {
    return blob_files_;
  }
  uint64_t blob_bytes_written() const { return blob_bytes_written_; }
  const TableProperties& properties() const { return table_.properties; }
  const FlushStats& stats() const { return stats_; }

 private:
  TableOutputOptions OutputOptions() const;
  bool MayDropDeletions() const;
  CompactionIteratorOptions IteratorOptions() const;
  std::unique_ptr<InternalIterator> MergedInput() const;
  Status CopySurvivors(MemTable* survivors, uint64_t kept_bytes_max);
  Status WriteTable();
  Result<std::unique_ptr<TableOutput>> StartTable();
  std::unique_ptr<const TombstoneSet> RangeDeletions() const;
  std::unique_ptr<BlobStage> NewBlobStage() const;
  Status CopyEntries(CompactionIterator* entries, BlobStage* blobs,
                     std::unique_ptr<TableOutput>* output);
  Status CopyRangeDeletions(const TombstoneSet& tombstones,
                            std::unique_ptr<TableOutput>* output);
  Status VerifyCount() const;
  Status Publishable();
  bool Cancelled() const {
    return deps_.cancelled != nullptr &&
           deps_.cancelled->load(std::memory_order_relaxed);
  }

  const Deps deps_;
  const IoPass io_pass_;
  std::vector<MemTablePtr> picked_;  // Oldest first.
  bool from_oldest_ = false;         // No older memtable was left when picking.
  std::vector<SequenceNumber> snapshots_;
  uint64_t file_number_ = 0;
  bool table_begun_ = false;
  FinishedTable table_;
  std::vector<BlobFileAddition> blob_files_;
  uint64_t blob_bytes_written_ = 0;
  FlushStats stats_;
};

// (mutex) Installs what has been built, oldest first, also on behalf of jobs
// that finished before an older one; releases the mutex meanwhile, so more may
// be built when it returns. `on_installed` runs in the same hold of the mutex
// in which the new Version became current and its memtables left the list:
// publish the view there. False: nothing can be installed now. When that is
// because an older job is still at work, that one will do it.
struct FlushInstall {
  MemTableList* memtables = nullptr;
  FamilyVersions* versions = nullptr;
  VersionSet* version_set = nullptr;
  FSDirectory* directory = nullptr;  // Of the database; may be null.
  std::function<void()> on_installed;
  // The family was dropped meanwhile: no MANIFEST names what the edit adds. May
  // be empty.
  std::function<void(const VersionEdit&)> on_discarded;
};
Result<bool> InstallBuiltFlushes(const FlushInstall& install,
                                 StateMutex* db_mutex)
    REQUIRES_LOCK(kStateLock);
// The same for all families at once: a cut is installed when it is built in
// every one of them, in one atomic group of edits.
// REQUIRES: the same version_set and directory; at least one.
Result<bool> InstallBuiltCuts(const std::vector<FlushInstall>& installs,
                              StateMutex* db_mutex) REQUIRES_LOCK(kStateLock);

}  // namespace ROCKSDB_NAMESPACE::engine
