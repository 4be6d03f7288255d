#include <cstdio>

#include "tools/ldb/backup_flags.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome RestoreBackup(const Arguments& arguments) {
  std::unique_ptr<Logger> logger;
  BackupEngineOptions options("");
  Outcome flags = BackupOptionsOf(arguments, &logger, &options);
  if (!flags.ok()) return flags;
  BackupEngineReadOnly* opened = nullptr;
  RETURN_IF_ERROR(BackupEngineReadOnly::Open(options, Env::Default(), &opened));
  const std::unique_ptr<BackupEngineReadOnly> engine(opened);
  std::puts("open restore engine OK");
  const std::string db = arguments.Text("db");
  RETURN_IF_ERROR(engine->RestoreDBFromLatestBackup(db, db));
  std::puts("restore from backup OK");
  return {};
}

}  // namespace

const Command kRestore = {"restore", kBackupUsage, kBackupFlags, true,
                          RestoreBackup};

}  // namespace ROCKSDB_NAMESPACE::ldb
