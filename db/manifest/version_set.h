// VersionSet: the MANIFEST and everything it says, for all column families.
//
// Place. Below recovery, flush, compaction and the write path; above the log
// writer. Owns every FamilyVersions.
//
// Model. Changes queue up; the first in the queue writes for all that wait:
//
//   edits --> build new Versions --> append + sync MANIFEST --> install
//             (no DB mutex from here ............ to here)
//
// The first change after opening, a full MANIFEST and a failed write each
// start a new file: a snapshot of the state, then the change, sync, and only
// then CURRENT is switched.
//
// Invariants:
//   (1) A Version is published only after the edit that made it is durable.
//   (2) A MANIFEST whose write or sync failed is never written again.
//   (3) Numbers of files are handed out once, also across crashes.
//   (4) The MANIFEST names the oldest log that may be needed with every edit
//       that raises it: a log is deleted only after that.
//   (5) After a failed write it is unknown whether the edit is durable: its
//       files are quarantined (not to be deleted) until a MANIFEST succeeds.
//
// Threads. Under the DB mutex, except where a section says otherwise; numbers
// and sequences are atomics and may be used from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "db/manifest/family_versions.h"
#include "db/manifest/manifest_state.h"
#include "db/manifest/version_edit.h"
#include "db/wal/log_holds.h"
#include "db/wal/log_writer.h"
#include "rocksdb/file_system.h"
#include "util/mutex.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct FamilyEdits {
  FamilyVersions* family = nullptr;
  std::vector<VersionEdit*> edits;  // Completed by LogAndApply.
  // Called once the new Version is the family's current one, before the DB
  // mutex is released: what has to change together with it (a flush takes its
  // memtables off the list). May be empty; not called on failure.
  std::function<void()> on_installed;
};

class VersionSet {
 public:
  struct Deps {
    std::string db;
    FileSystem* fs = nullptr;
    FileOptions manifest_file_options;
    uint64_t max_manifest_file_size = 1ull << 30;
    bool write_db_id = true;
    bool use_fsync = false;
    bool track_wals = false;  // Say which logs there have to be.
    ObsoleteFiles* obsolete = nullptr;
    Statistics* statistics = nullptr;
    SystemClock* clock = nullptr;  // Null only without statistics.
    // Called under the mutex for each table and blob file that a Version gets.
    // May be empty. A bad_alloc is caught; some files then go unreported.
    std::function<void(const std::string& path, uint64_t bytes)> on_file_added;
  };

  explicit VersionSet(Deps deps);
  ~VersionSet();
  VersionSet(const VersionSet&) = delete;
  VersionSet& operator=(const VersionSet&) = delete;

  // ---- Opening ----------------------------------------------------------

  // Writes MANIFEST-000001 and CURRENT of a new database. `db_id` may be empty.
  static Status CreateManifest(FileSystem* fs, const std::string& db,
                               const std::string& db_id,
                               const FileOptions& options);

  // What Recover found in addition to the Versions.
  struct Recovered {
    uint64_t manifest_number = 0;
    std::string manifest_db_id;
    bool torn_tail = false;
    // In the MANIFEST, not among the requested; read-only opens only.
    std::vector<std::string> unopened_families;
    // Requested, not in the MANIFEST: to be created, or an error to report.
    std::vector<std::string> missing_families;
    std::map<uint64_t, std::optional<uint64_t>> tracked_wals;
  };

  // Reads CURRENT and the MANIFEST and makes the families' Versions; writes
  // nothing. Errors: NotFound; Corruption; InvalidArgument for an unlisted
  // family (writable), a missing "default", or another comparator.
  Result<Recovered> Recover(const std::vector<FamilyConfig>& families,
                            bool read_only);
  // The same of a state that was read elsewhere.
  Result<Recovered> Adopt(const ManifestState& state,
                          const std::vector<FamilyConfig>& families,
                          bool read_only);
  // Another process has written `state`, which continues what was adopted:
  // every open family gets the Version it names. Families that are gone become
  // dropped ones. Errors: Corruption. REQUIRES: the DB mutex.
  Status Follow(const ManifestState& state) REQUIRES_LOCK(kStateLock);

  // ---- Changing ---------------------------------------------------------

  // Makes the edits durable and installs the Versions they give, all or none.
  // REQUIRES: `db_mutex` held; it is released meanwhile. `directory`: of the
  // database, for the switch of CURRENT (may be null). A dropped family's
  // edits are ignored with Status::OK.
  Status LogAndApply(std::span<const FamilyEdits> changes, StateMutex* db_mutex,
                     FSDirectory* directory) REQUIRES_LOCK(kStateLock);
  Status LogAndApply(FamilyVersions* family, VersionEdit* edit,
                     StateMutex* db_mutex, FSDirectory* directory)
      REQUIRES_LOCK(kStateLock) {
    const FamilyEdits change{family, {edit}, {}};
    return LogAndApply({&change, 1}, db_mutex, directory);
  }

  // Both in an edit of its own. REQUIRES: as LogAndApply. A created family
  // starts with `log_number` (the live log).
  Result<FamilyVersions*> CreateFamily(const FamilyConfig& config,
                                       uint64_t log_number,
                                       StateMutex* db_mutex,
                                       FSDirectory* directory)
      REQUIRES_LOCK(kStateLock);
  Status DropFamily(FamilyVersions* family, StateMutex* db_mutex,
                    FSDirectory* directory) REQUIRES_LOCK(kStateLock);
  // Frees a dropped family's object; its Versions live on while held.
  void ForgetFamily(FamilyVersions* family) REQUIRES_LOCK(kStateLock);

  // Closes the MANIFEST. REQUIRES: no LogAndApply in progress.
  Status Close();

  // ---- Families (under the DB mutex) ------------------------------------

  FamilyVersions* family(uint32_t id) const;
  FamilyVersions* family(const std::string& name) const;
  // By id; live ones only.
  std::vector<FamilyVersions*> families() const;
  uint32_t max_column_family() const { return max_column_family_; }

  // ---- Numbers (any thread) ---------------------------------------------

  uint64_t NewFileNumber() { return NewFileNumbers(1); }
  // The first of `count` consecutive ones.
  uint64_t NewFileNumbers(uint64_t count) {
    return next_file_number_.fetch_add(count, std::memory_order_relaxed);
  }
  uint64_t next_file_number() const {
    return next_file_number_.load(std::memory_order_relaxed);
  }
  // No later number is `number` or below.
  void StepOverFileNumber(uint64_t number);

  // Highest sequence handed to a write.
  SequenceNumber last_allocated_sequence() const {
    return last_allocated_.load(std::memory_order_acquire);
  }
  void SetLastAllocatedSequence(SequenceNumber s) {
    last_allocated_.store(s, std::memory_order_release);
  }
  // Highest sequence readers may see.
  SequenceNumber last_sequence() const {
    return last_published_.load(std::memory_order_acquire);
  }
  void SetLastSequence(SequenceNumber s) {
    last_published_.store(s, std::memory_order_release);
  }

  // ---- Facts (under the DB mutex) ---------------------------------------

  // The MANIFEST says that no family needs a log below this number: such logs
  // may be deleted, or are gone.
  uint64_t MinLogNumberToKeep() const;
  // The smallest log number over live families: older logs hold nothing that
  // is not in tables, but prepared transactions perhaps.
  uint64_t MinLogNumber() const;
  // Logs that prepared transactions, or memtables with what they committed,
  // need. They stay until the edit after the last hold.
  const std::shared_ptr<LogHolds>& log_holds() const { return log_holds_; }

  const std::string& db_id() const { return db_id_; }
  // Goes into the next MANIFEST (write_db_id).
  void SetDbId(std::string id) { db_id_ = std::move(id); }

  uint64_t manifest_number() const { return manifest_number_; }
  uint64_t manifest_bytes() const { return manifest_bytes_; }
  // Of the MANIFEST that is being made, with its temporary CURRENT; 0: none.
  uint64_t pending_manifest_number() const { return pending_manifest_number_; }
  // The next change starts a new MANIFEST.
  void ForceNewManifest() { force_new_manifest_ = true; }
  // Of the MANIFESTs that are started from now on.
  void SetManifestFileOptions(const FileOptions& options) {
    deps_.manifest_file_options = options;
  }
  void SetMaxManifestFileSize(uint64_t bytes) {
    deps_.max_manifest_file_size = bytes;
  }

  // Numbers of table files in any Version that is still referenced.
  void AddLiveFiles(std::set<uint64_t>* numbers) const;
  void AddLiveBlobFiles(std::set<uint64_t>* numbers) const;
  // MANIFESTs that were replaced; the caller deletes them.
  std::vector<uint64_t> TakeObsoleteManifests() {
    return std::exchange(obsolete_manifests_, {});
  }
  bool HasObsoleteManifests() const { return !obsolete_manifests_.empty(); }
  // Files of edits whose fate is unknown (invariant 5).
  const std::set<uint64_t>& quarantined_files() const { return quarantined_; }

 private:
  struct Waiter;
  struct FamilyChange;
  struct Batch;

  // Queues `waiter` and returns when its edits are durable or refused.
  Status Enqueue(Waiter* waiter, StateMutex* db_mutex, FSDirectory* directory)
      REQUIRES_LOCK(kStateLock);
  // Commits the first `count` waiters.
  Status CommitFront(size_t count, StateMutex* db_mutex, FSDirectory* directory)
      REQUIRES_LOCK(kStateLock);
  Status CheckFamilyChange(const Waiter& waiter) const;
  Batch MakeBatch(size_t count);
  void CompleteEdits(Waiter* waiter, Batch* batch);
  void CompleteLogs(Batch* batch);
  void CompleteFiles(FamilyVersions* family, VersionEdit* edit);
  static Status BuildVersions(Batch* batch);
  static Status BuildVersion(FamilyChange* change);
  Status SyncManifest(wal::Writer* log) const;
  Status WriteManifest(const Batch& batch, FSDirectory* directory);
  Status StartManifest(const Batch& batch, FSDirectory* directory);
  Status AppendSnapshot(SequenceNumber sequence, wal::Writer* log) const;
  Status AppendFamily(const FamilyVersions& family, SequenceNumber sequence,
                      std::string* record, wal::Writer* log) const;
  static Status AppendEdits(const Batch& batch, wal::Writer* log);
  void Install(Batch* batch) REQUIRES_LOCK(kStateLock);
  void InstallFamily(FamilyChange* change);
  void InstallFamilySet(Waiter* waiter);
  Status LoadFamily(const ManifestState& state, const FamilyState& of_family,
                    FamilyVersions* family) const;
  void TakeNumbers(const ManifestState& state);
  void Quarantine(const Batch& batch);
  bool NeedsNewManifest() const;

  Deps deps_;
  std::map<uint32_t, std::unique_ptr<FamilyVersions>> families_;
  std::vector<std::unique_ptr<FamilyVersions>> dropped_;

  std::atomic<uint64_t> next_file_number_{2};
  std::atomic<SequenceNumber> last_allocated_{0};
  std::atomic<SequenceNumber> last_published_{0};

  uint64_t min_log_number_to_keep_ = 0;  // As recorded; 0: never was.
  const std::shared_ptr<LogHolds> log_holds_ = std::make_shared<LogHolds>();
  uint32_t max_column_family_ = 0;
  std::string db_id_;
  std::map<uint64_t, std::optional<uint64_t>> wals_;  // If tracked.

  std::deque<Waiter*> queue_;  // front() writes.
  // Both used by the writing waiter alone, without the DB mutex.
  std::unique_ptr<wal::Writer> manifest_;
  uint64_t snapshot_bytes_ = 0;  // Of manifest_, before its first edit.

  uint64_t manifest_number_ = 0;  // Named by CURRENT, as far as we know.
  uint64_t manifest_bytes_ = 0;
  uint64_t pending_manifest_number_ = 0;
  bool force_new_manifest_ = false;
  std::vector<uint64_t> obsolete_manifests_;
  std::set<uint64_t> quarantined_;
};

// Names of the column families of `db`, in the order of their ids.
Result<std::vector<std::string>> ListFamilies(FileSystem* fs,
                                              const std::string& db);

}  // namespace ROCKSDB_NAMESPACE::engine
