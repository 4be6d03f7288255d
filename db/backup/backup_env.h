// The files of one backup as a directory that can be opened as a database.
//
// Place. BackupInfo::env_for_open.
//
// Model. The database's directory is the backup's private folder. Shared files
// appear there under the names they had. Nothing can be changed.
//
// Threads. Any number.
#pragma once

#include <memory>
#include <string>

#include "db/backup/backup_meta.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::engine {

// `root`: the backup directory; `name`: the database's.
std::shared_ptr<Env> NewBackupEnv(const std::shared_ptr<FileSystem>& fs,
                                  const std::string& root,
                                  const std::string& name,
                                  const BackupMeta& meta);

}  // namespace ROCKSDB_NAMESPACE::engine
