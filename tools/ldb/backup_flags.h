// Flags that backup and restore have in common.
//
// Place. tools/ldb/backup.cc and restore.cc.
#pragma once

#include <memory>

#include "rocksdb/utilities/backup_engine.h"
#include "tools/ldb/command.h"

namespace ROCKSDB_NAMESPACE::ldb {

inline constexpr const char* kBackupFlags[] = {
    "backup_env_uri", "backup_fs_uri", "backup_dir", "num_threads",
    "stderr_log_level"};
inline constexpr char kBackupUsage[] =
    "--backup_dir=<dir> [--num_threads=<int>] "
    "[--stderr_log_level=<int (InfoLogLevel)>]";

// What the flags ask for; `logger` keeps what the options point at.
Outcome BackupOptionsOf(const Arguments& arguments,
                        std::unique_ptr<Logger>* logger,
                        BackupEngineOptions* options);

}  // namespace ROCKSDB_NAMESPACE::ldb
