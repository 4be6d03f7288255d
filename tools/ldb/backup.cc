// backup and restore. There is no backup engine yet, so both only say so;
// `checkpoint` makes a consistent copy.

#include "tools/ldb/command.h"

namespace ROCKSDB_NAMESPACE::ldb {
namespace {

Outcome NoBackups(const Arguments& arguments) {
  if (!arguments.Has("backup_dir")) {
    return Outcome::Fail("--backup_dir: missing backup directory");
  }
  return Status::NotSupported(
      "backups", "use checkpoint, whose directory is a database by itself");
}

const char* const kFlags[] = {"backup_env_uri", "backup_fs_uri", "backup_dir",
                              "num_threads", "stderr_log_level"};
constexpr char kUsage[] = "--backup_dir=<dir> : not supported";

}  // namespace

const Command kBackup = {"backup", kUsage, kFlags, true, NoBackups};
const Command kRestore = {"restore", kUsage, kFlags, true, NoBackups};

}  // namespace ROCKSDB_NAMESPACE::ldb
