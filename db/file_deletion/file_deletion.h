// FileDeletion: decides which files may be deleted, and deletes them.
//
// Place. Next to the manifest; called after flushes and compactions, at opening
// and closing. Deletes without the DB mutex.
//
// Model. Two sources of work:
//   queue   tables and blob files whose last Version died (ObsoleteFiles),
//           those of edits that were not installed, and logs that the write
//           path has given up: cheap, done after every job, and when the handle
//           of a dropped family is destroyed
//   scan    the directories themselves: finds what crashes left behind; done at
//           open, every delete_obsolete_files_period_micros, when deletions are
//           enabled again, and when an OPTIONS file was written. Directories
//           that may be shared with another database lose only the kinds that
//           they are there for (db/format/directory_roles.h)
//
//   kind                 goes when
//   log                  number < min log number to keep
//   MANIFEST             number < the current one
//   table, blob          in no held Version, not quarantined, and below the
//                        oldest pending output
//   .dbtmp (not OPTIONS) below the oldest pending output, and not the CURRENT
//                        that is being switched
//   OPTIONS              all but the newest two
//   LOG.old.*            beyond keep_log_file_num
//   *.trash              always; beside the database's own directory only what
//                        was of a kind that the directory is for
//
// Invariants:
//   (1) While deletions are disabled no pass starts; queued work waits. Once
//       running() is 0, nothing is removed.
//   (2) A number handed out after ProtectOutputs() is not removed by a scan
//       until that protection is released.
//
// Threads. Functions under the DB mutex say so; Delete runs without it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <set>
#include <string>
#include <vector>

#include "db/format/directory_roles.h"
#include "db/manifest/obsolete_files.h"
#include "db/manifest/version_set.h"
#include "rocksdb/file_system.h"
#include "rocksdb/types.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

struct FileToDelete {
  FileType type = kTableFile;
  uint64_t number = 0;
  std::string path;
  uint32_t family_id = 0;  // Tables and blob files from the queue only.
  uint64_t size = 0;       // As far as known.
};

// What one pass will remove: made under the DB mutex, used without it.
struct DeletionWork {
  bool scan = false;
  std::vector<FileToDelete> files;  // From the queue.
  // For the scan.
  DirectoryRoles dirs;
  std::set<uint64_t> live_tables;
  std::set<uint64_t> live_blobs;
  uint64_t min_pending_output = 0;
  uint64_t min_log_number = 0;
  uint64_t manifest_number = 0;
  uint64_t pending_manifest_number = 0;
  std::set<uint64_t> kept_logs;  // For recycling or still being written.

  bool empty() const { return !scan && files.empty(); }
};

class FileDeletion {
 public:
  struct Deps {
    FileSystem* fs = nullptr;
    std::string db;
    std::string wal_dir;
    std::string log_dir;  // db_log_dir; empty: db.
    size_t keep_log_files = 1000;
    VersionSet* versions = nullptr;
    ObsoleteFiles* obsolete = nullptr;
    // Deletes tables, blob files and trash, perhaps later
    // (env/space/sst_file_manager.h). Empty: the file system does. Logs always
    // go at once: a reader of updates may have one open.
    std::function<IOStatus(const std::string& path)> delete_file;
    // Forgets the open reader of a table or blob file before the file goes. May
    // be empty.
    std::function<void(uint64_t number)> evict_reader;
    // Called after each removal, with its status. May be empty.
    std::function<void(const FileToDelete&, const Status&)> on_deleted;
    // Logs to be kept although their number is old (recycling). May be empty.
    std::function<void(std::set<uint64_t>*)> add_kept_logs;
  };

  // `dirs`: where the families have their tables at opening.
  FileDeletion(Deps deps, const std::vector<std::string>& dirs);
  FileDeletion(const FileDeletion&) = delete;
  FileDeletion& operator=(const FileDeletion&) = delete;

  // ---- Under the DB mutex -----------------------------------------------

  using Protection = std::list<uint64_t>::iterator;
  // Files with numbers from the next one on are not deleted until Release().
  Protection ProtectOutputs() REQUIRES_LOCK(kStateLock);
  void Release(Protection protection) REQUIRES_LOCK(kStateLock);
  uint64_t MinPendingOutput() const REQUIRES_LOCK(kStateLock);
  // Obsolete tables from this number on are kept; UINT64_MAX: none is.
  uint64_t MinKeptOutput() const REQUIRES_LOCK(kStateLock) {
    return protected_.empty() ? UINT64_MAX : protected_.front();
  }

  // Where a family that has been created since has its tables. There may be
  // some of an older family that was dropped just before a crash: the next
  // opening did not know where to look for them.
  void AddDirs(const std::vector<std::string>& dirs) REQUIRES_LOCK(kStateLock);

  // A log all families have flushed.
  void AddObsoleteLog(uint64_t number, uint64_t size_bytes)
      REQUIRES_LOCK(kStateLock);
  // A file made by a failed job, in no Version. Waits while the MANIFEST may
  // name it (VersionSet::quarantined_files).
  void AddFile(FileToDelete file) REQUIRES_LOCK(kStateLock);
  // The same for all that `edit`, which was not installed, adds. `blob_dir`:
  // where the family's blob files are.
  void AddFilesOf(const VersionEdit& edit, const std::string& blob_dir)
      REQUIRES_LOCK(kStateLock);

  // Counted. Enable returns the number of disables that remain; `force`
  // resets it to none.
  int Disable() REQUIRES_LOCK(kStateLock) { return ++disabled_; }
  int Enable(bool force) REQUIRES_LOCK(kStateLock);
  bool disabled() const REQUIRES_LOCK(kStateLock) { return disabled_ > 0; }

  // What may go now. Empty while disabled or with nothing to do.
  DeletionWork Collect(bool scan) REQUIRES_LOCK(kStateLock);
  // Collect() would return something cheap.
  bool HasQueuedWork() const REQUIRES_LOCK(kStateLock);

  // ---- Without the DB mutex ---------------------------------------------

  // Removes what `work` names and, for a scan, what it finds. Failures are
  // reported to on_deleted; the next scan tries again.
  void Delete(DeletionWork work);
  // Passes that are running. Close() and DisableFileDeletions() wait until
  // there are none.
  int running() const { return running_.load(std::memory_order_acquire); }
  // This thread is inside a Delete(), of any database.
  static bool IsDeletingHere();

 private:
  void Scan(const DeletionWork& work, std::vector<FileToDelete>* out) const;
  void ScanDirectory(const std::string& dir, unsigned roles,
                     const DeletionWork& work,
                     std::vector<FileToDelete>* out) const;
  void KeepNewest(FileType type, size_t count,
                  std::vector<FileToDelete>* out) const;
  void Remove(const FileToDelete& file);
  Status DeleteByName(const FileToDelete& file, const std::string& path) const;

  const Deps deps_;
  DirectoryRoles dirs_;            // What a scan looks through.
  std::list<uint64_t> protected_;  // Ascending.
  std::vector<FileToDelete> queued_;
  int disabled_ = 0;
  std::atomic<int> running_{0};
};

}  // namespace ROCKSDB_NAMESPACE::engine
