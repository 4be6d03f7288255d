#include <cstdio>

#include "tools/ldb/backup_flags.h"
#include "tools/ldb/session.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome MakeBackup(const Arguments& arguments) {
  std::unique_ptr<Logger> logger;
  BackupEngineOptions options("");
  Outcome flags = BackupOptionsOf(arguments, &logger, &options);
  if (!flags.ok()) return flags;
  auto session = Session::Open(arguments, OpenMode::kWritable);
  if (!session.ok()) return session.status();
  std::puts("open db OK");
  BackupEngine* opened = nullptr;
  RETURN_IF_ERROR(BackupEngine::Open(options, Env::Default(), &opened));
  const std::unique_ptr<BackupEngine> engine(opened);
  std::puts("open backup engine OK");
  RETURN_IF_ERROR(engine->CreateNewBackup((*session)->db()));
  RETURN_IF_ERROR((*session)->Close());
  std::puts("create new backup OK");
  return {};
}

}  // namespace

const Command kBackup = {"backup", kBackupUsage, kBackupFlags, true,
                         MakeBackup};

}  // namespace ROCKSDB_NAMESPACE::ldb
