// BackupRestorer: the making of a database out of one backup.
//
// Place. Used by backup_engine.cc. Knows files, not databases.
//
// Invariants. CURRENT goes first and comes last, and what happens between is
// on the device before it comes: a directory that was restored half has none,
// and one that has it holds the backup and no log or table of its former
// life. Files that are no part of a database are not touched.
//
// Threads. Copies in several; otherwise one.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "db/backup/backup_directory.h"
#include "env/file_copy.h"
#include "rocksdb/utilities/backup_engine.h"

namespace ROCKSDB_NAMESPACE::engine {

// What backups of other directories hold, by path: the Env through which it is
// read, and its directory there.
using BackupAlternates =
    std::unordered_map<std::string,
                       std::pair<std::shared_ptr<Env>, std::string>>;

// Of alternate_dirs. Asks other engines, which lock: call it without a lock.
BackupAlternates ListAlternates(const RestoreOptions& restore);

class BackupRestorer {
 public:
  struct Deps {
    const BackupDirectory* directory = nullptr;
    FileCopyRun run;  // Of all copies; target_fs is the database's.
    const BackupAlternates* alternates = nullptr;
  };

  BackupRestorer(const Deps& deps, const RestoreOptions& restore,
                 const std::string& db_dir, const std::string& wal_dir);

  // Errors: see BackupEngineReadOnlyBase.
  Status Restore(BackupID id);

 private:
  // A file of the backup and where it goes.
  struct Planned {
    const BackupFile* file = nullptr;
    std::string name;  // In the database.
    FileType type = kTempFile;
    std::string target;
    FileSystem* source_fs = nullptr;
    std::string source;
    bool there = false;  // The database has it.
  };

  Status Plan(const BackupMeta& meta);
  Status FindExcluded(Planned* planned) const;
  // CURRENT's text, which names a file of the backup.
  Status ReadCurrent(const std::string& path);
  Status MakeDirectories();
  Status Rebuild();
  Status FindWhatMayStay();
  bool IsOfItsSession(const Planned& planned) const;
  Status CompareChecksums(const std::vector<Planned*>& of);
  Status PurgeDb() const;
  Status PurgeLogs() const;
  Status MoveArchivedLogs() const;
  Status Copy();
  Status PutCurrent();
  Status Sync(const std::string& directory) const;
  Status SyncArchive() const;

  const Deps deps_;
  const RestoreOptions& restore_;
  FileSystem* const fs_;
  const std::string db_dir_;
  const std::string wal_dir_;
  std::vector<Planned> files_;
  std::string current_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
