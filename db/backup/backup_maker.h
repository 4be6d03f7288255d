// BackupMaker: the making of one backup.
//
// Place. Used by backup_engine.cc, which sees to it that nothing else changes
// the directory meanwhile. A client of the public DB.
//
// Model. The database lists its files and deletes none of them until all are
// copied. A shared file that an earlier backup has, by its name, is only
// named again. The description comes last (backup_directory.h).
//
// Threads. Copies in several; otherwise one.
#pragma once

#include <string>
#include <vector>

#include "db/backup/backup_directory.h"
#include "env/file_copy.h"
#include "rocksdb/db.h"
#include "rocksdb/utilities/backup_engine.h"

namespace ROCKSDB_NAMESPACE::engine {

class BackupMaker {
 public:
  struct Deps {
    const BackupEngineOptions* options = nullptr;
    BackupDirectory* directory = nullptr;
    // What all copies have in common; `on_progress` is of this backup.
    FileCopyRun run;
    FileSystem* db_fs = nullptr;
    SystemClock* clock = nullptr;
  };

  BackupMaker(const Deps& deps, const CreateBackupOptions& create, DB* db)
      : deps_(deps), create_(create), db_(db) {}

  // Errors: see BackupEngineAppendOnlyBase. On an error all that was copied
  // is garbage.
  Status Make(const std::string& app_metadata, BackupID* id);

 private:
  // A file of the database and what becomes of it.
  struct Planned {
    LiveFileStorageInfo live;
    std::string source;
    BackupFile file;
    bool shared = false;
    bool there = false;  // Nothing to copy.
  };

  Status ListFiles();
  // Paths in the backup; reads what has to be read for them.
  Status NameFiles();
  Status NameByMeaning(Planned* planned);
  Status FindChecksums(const std::vector<Planned*>& of);
  Status FindShared();
  Status FindOne(const BackupFile& known, Planned* planned) const;
  Status AskForExclusions();
  Status Copy();
  FileCopyTask TaskFor(const Planned& planned) const;

  const Deps deps_;
  const CreateBackupOptions& create_;
  DB* const db_;
  BackupID id_ = 0;
  uint64_t sequence_ = 0;
  std::vector<Planned> files_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
