// backup, restore: one backup of the database into --backup_dir, and the latest
// one back into --restore_dir.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/utilities/backup_engine.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

std::string OrDefault(const std::string& given, const Bench& bench,
                      const char* suffix) {
  return given.empty() ? bench.db()->GetName() + suffix : given;
}

std::unique_ptr<BackupEngine> OpenEngine(const Bench& bench) {
  BackupEngineOptions options(OrDefault(FLAGS_backup_dir, bench, ".backup"));
  options.backup_rate_limit = FLAGS_backup_rate_limit;
  options.restore_rate_limit = FLAGS_restore_rate_limit;
  BackupEngine* engine = nullptr;
  const Status opened =
      BackupEngine::Open(options, bench.options().env, &engine);
  if (!opened.ok()) Die("backup", opened);
  return std::unique_ptr<BackupEngine>(engine);
}

BackupID LatestOf(const BackupEngine& engine) {
  std::vector<BackupInfo> backups;
  engine.GetBackupInfo(&backups);
  if (backups.empty()) {
    Die("restore", Status::NotFound("there is no backup"));
  }
  return backups.back().backup_id;
}

}  // namespace

void Backup(const Bench& bench, ThreadState* thread) {
  const std::unique_ptr<BackupEngine> engine = OpenEngine(bench);
  thread->stats.StartOp();
  const Status made = engine->CreateNewBackup(bench.db());
  if (!made.ok()) Die("backup", made);
  thread->stats.FinishedOps(bench.db(), 1, OpType::kOther);
  const Status verified =
      engine->VerifyBackup(LatestOf(*engine), /*verify_with_checksum=*/true);
  if (!verified.ok()) Die("backup", verified);
}

void Restore(const Bench& bench, ThreadState* thread) {
  const std::unique_ptr<BackupEngine> engine = OpenEngine(bench);
  const std::string to = OrDefault(FLAGS_restore_dir, bench, ".restored");
  thread->stats.StartOp();
  const Status restored = engine->RestoreDBFromLatestBackup(to, to);
  if (!restored.ok()) Die("restore", restored);
  thread->stats.FinishedOps(bench.db(), 1, OpType::kOther);
}

}  // namespace ROCKSDB_NAMESPACE::bench
