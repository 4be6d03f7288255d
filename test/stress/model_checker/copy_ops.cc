#include "test/stress/model_checker/copy_ops.h"

#include <chrono>
#include <optional>
#include <thread>

#include "rocksdb/convenience.h"
#include "rocksdb/transaction_log.h"
#include "rocksdb/utilities/backup_engine.h"
#include "rocksdb/utilities/checkpoint.h"
#include "test/stress/model_checker/compare.h"

namespace ROCKSDB_NAMESPACE::stress::checker {
namespace {

// Keeps obsolete files.
class KeepFiles {
 public:
  explicit KeepFiles(ThreadContext* t) : t_(t) {
    const Doing doing(&t->activity, "DisableFileDeletions");
    kept_ = t->Ok(t->db()->DisableFileDeletions(), "DisableFileDeletions");
  }
  ~KeepFiles() {
    const Doing doing(&t_->activity, "EnableFileDeletions");
    if (kept_) t_->Ok(t_->db()->EnableFileDeletions(), "EnableFileDeletions");
  }
  KeepFiles(const KeepFiles&) = delete;
  KeepFiles& operator=(const KeepFiles&) = delete;

 private:
  ThreadContext* const t_;
  bool kept_ = false;
};

void RemoveTree(Env* env, const std::string& path) {
  std::vector<std::string> names;
  if (!env->GetChildren(path, &names).ok()) return;
  for (const std::string& name : names) {
    if (name == "." || name == "..") continue;
    const std::string child = path + "/" + name;
    if (!env->DeleteFile(child).ok()) RemoveTree(env, child);
  }
  env->DeleteDir(path).PermitUncheckedError();
}

void CheckFile(ThreadContext* t, const std::string& path, const char* from) {
  const Status status = t->shared.database.env()->FileExists(path);
  t->Ok(status, std::string(from) + " names a file that is not there: " + path);
}

// Otherwise names do not say where files are.
bool AllInOneDirectory(ThreadContext* t) {
  const RunOptions& options = t->shared.database.options();
  bool one = options.db.db_paths.empty() && options.db.wal_dir.empty();
  for (const ColumnFamilyOptions& family : options.families) {
    one = one && family.cf_paths.empty();
  }
  return one;
}

void ListLiveFiles(ThreadContext* t) {
  const Doing doing(&t->activity, "GetLiveFiles");
  std::vector<std::string> names;
  uint64_t manifest_size = 0;
  const Status status =
      t->db()->GetLiveFiles(names, &manifest_size, t->Chance(300));
  if (!t->Ok(status, "GetLiveFiles")) return;
  if (!AllInOneDirectory(t)) return;
  for (const std::string& name : names) {
    CheckFile(t, t->db()->GetName() + name, "GetLiveFiles");
  }
}

void ListLogs(ThreadContext* t) {
  const Doing doing(&t->activity, "GetSortedWalFiles");
  VectorWalPtr logs;
  if (!t->Ok(t->db()->GetSortedWalFiles(logs), "GetSortedWalFiles")) return;
  for (size_t i = 0; i < logs.size(); ++i) {
    if (AllInOneDirectory(t)) {
      CheckFile(t, t->db()->GetName() + logs[i]->PathName(),
                "GetSortedWalFiles");
    }
    if (i > 0 && logs[i - 1]->LogNumber() >= logs[i]->LogNumber()) {
      t->Fail("GetSortedWalFiles is not sorted");
    }
  }
}

void ListStorage(ThreadContext* t) {
  const Doing doing(&t->activity, "GetLiveFilesStorageInfo");
  LiveFilesStorageInfoOptions options;
  options.wal_size_for_flush = t->Chance(500) ? 0 : UINT64_MAX;
  options.atomic_flush = t->Chance(300);
  std::vector<LiveFileStorageInfo> files;
  if (!t->Ok(t->db()->GetLiveFilesStorageInfo(options, &files),
             "GetLiveFilesStorageInfo")) {
    return;
  }
  for (const LiveFileStorageInfo& file : files) {
    if (!file.replacement_contents.empty()) continue;
    CheckFile(t, file.directory + "/" + file.relative_filename,
              "GetLiveFilesStorageInfo");
  }
}

// What was made while keys went from `low` to `high`.
struct Copy {
  const char* what;
  std::string path;
  std::string backup;  // To be restored there; empty: it is there.
  Words low;
  Words high;
};

std::optional<Copy> CopyByCheckpoint(ThreadContext* t, const AllSlotsUse& use) {
  Checkpoint* made = nullptr;
  if (!t->Ok(Checkpoint::Create(t->db(), &made), "Checkpoint::Create")) {
    return std::nullopt;
  }
  const std::unique_ptr<Checkpoint> checkpoint(made);
  Copy copy{
      "a checkpoint", t->shared.database.NewPath("checkpoint"), "", {}, {}};
  copy.low = CommittedWords(t, use.slots());
  const Status status =
      checkpoint->CreateCheckpoint(copy.path, t->Chance(500) ? 0 : UINT64_MAX);
  copy.high = PendingWords(t, use.slots());
  if (t->Ok(status, "CreateCheckpoint")) return copy;
  RemoveTree(t->shared.database.env(), copy.path);
  return std::nullopt;
}

std::unique_ptr<BackupEngine> OpenBackup(ThreadContext* t,
                                         const std::string& path,
                                         bool share_table_files) {
  BackupEngineOptions options(path);
  options.share_table_files = share_table_files;
  BackupEngine* opened = nullptr;
  const Status status =
      BackupEngine::Open(options, t->shared.database.env(), &opened);
  std::unique_ptr<BackupEngine> engine(opened);
  if (!t->Ok(status, "BackupEngine::Open")) engine.reset();
  return engine;
}

std::optional<Copy> CopyByBackup(ThreadContext* t, const AllSlotsUse& use) {
  const std::unique_lock lock(t->shared.backup_mu, std::try_to_lock);
  if (!lock.owns_lock()) return std::nullopt;
  const std::string backup = t->shared.database.NewPath("backup");
  Copy copy{"a restored backup", backup + "-restored", backup, {}, {}};
  const auto engine = OpenBackup(t, backup, t->Chance(500));
  if (engine != nullptr) {
    copy.low = CommittedWords(t, use.slots());
    CreateBackupOptions options;
    options.flush_before_backup = t->Chance(500);
    options.atomic_flush = t->Chance(300);
    const Status status = engine->CreateNewBackup(options, t->db());
    copy.high = PendingWords(t, use.slots());
    // Not of files in several directories.
    if (t->OkOr(status, "CreateNewBackup", {Status::kNotSupported})) {
      return copy;
    }
  }
  RemoveTree(t->shared.database.env(), backup);
  return std::nullopt;
}

bool Restore(ThreadContext* t, const std::string& backup,
             const std::string& to) {
  if (backup.empty()) return true;
  const Doing doing(&t->activity, "RestoreDBFromLatestBackup");
  const auto engine = OpenBackup(t, backup, /*share_table_files=*/true);
  return engine != nullptr && t->Ok(engine->RestoreDBFromLatestBackup(to, to),
                                    "RestoreDBFromLatestBackup");
}

void CompareCopy(ThreadContext* t, const Copy& copy) {
  // Writes without a log leave holes in a copy that is made meanwhile.
  if (t->shared.plan.unlogged || t->shared.plan.unlogged_keys) return;
  const Doing doing(&t->activity, copy.what);
  std::unique_ptr<Database> database;
  const Status status =
      t->shared.database.OpenCopy(copy.path, t->Chance(500), &database);
  if (!t->Ok(status, std::string(copy.what) + ": open")) return;
  CompareAll(t, *database, copy.low, copy.high, copy.what);
  const bool writes_log_late =
      database->options().db.avoid_flush_during_shutdown;
  t->Ok(database->Close(writes_log_late), std::string(copy.what) + ": close");
}

void CompareAndRemove(ThreadContext* t, const std::optional<Copy>& copy) {
  if (!copy) return;
  if (Restore(t, copy->backup, copy->path)) CompareCopy(t, *copy);
  Env* const env = t->shared.database.env();
  RemoveTree(env, copy->path);
  if (!copy->backup.empty()) RemoveTree(env, copy->backup);
}

}  // namespace

void ListFiles(ThreadContext* t) {
  const KeepFiles keep(t);
  switch (t->random.Uniform(3)) {
    case 0:
      return ListLiveFiles(t);
    case 1:
      return ListLogs(t);
    default:
      return ListStorage(t);
  }
}

void ReadLog(ThreadContext* t) {
  const KeepFiles keep(t);
  const Doing doing(&t->activity, "GetUpdatesSince");
  const SequenceNumber latest = t->db()->GetLatestSequenceNumber();
  const uint64_t back = t->random.Skewed(10);
  std::unique_ptr<TransactionLogIterator> it;
  const Status status =
      t->db()->GetUpdatesSince(latest > back ? latest - back : 0, &it);
  if (!t->OkOr(status, "GetUpdatesSince", {Status::kNotFound})) return;
  SequenceNumber next = 0;
  for (int i = 0; i < 50 && it->Valid(); ++i) {
    const BatchResult result = it->GetBatch();
    if (next != 0 && result.sequence != next) {
      t->Fail("GetUpdatesSince goes from " + std::to_string(next) + " to " +
              std::to_string(result.sequence));
    }
    const WriteBatch& batch = *result.writeBatchPtr;
    // What is prepared takes its numbers when the record of its commit is
    // written, which does not hold it.
    const bool has_marks = batch.HasBeginPrepare() || batch.HasCommit();
    next = has_marks ? 0 : result.sequence + batch.Count();
    it->Next();
  }
  // NotFound: numbers were given to files, or to writes without a log.
  t->OkOr(it->status(), "GetUpdatesSince: Next",
          {Status::kNotFound, Status::kTryAgain});
}

void MakeCheckpoint(ThreadContext* t) {
  const AllSlotsUse use(t);
  CompareAndRemove(t, CopyByCheckpoint(t, use));
}

void MakeBackup(ThreadContext* t) {
  const AllSlotsUse use(t);
  CompareAndRemove(t, CopyByBackup(t, use));
}

void LockLog(ThreadContext* t) {
  const AllSlotsUse use(t);
  {
    const Doing doing(&t->activity, "LockWAL");
    if (!t->Ok(t->db()->LockWAL(), "LockWAL")) return;
  }
  // Compared later, as writers wait now.
  std::vector<std::optional<Copy>> copies;
  for (uint64_t i = t->random.Uniform(3); i > 0; --i) {
    switch (t->random.Uniform(6)) {
      case 0: {
        const Doing doing(&t->activity, "CreateCheckpoint after LockWAL");
        copies.push_back(CopyByCheckpoint(t, use));
        break;
      }
      case 1: {
        const Doing doing(&t->activity, "CreateNewBackup after LockWAL");
        copies.push_back(CopyByBackup(t, use));
        break;
      }
      case 2: {
        const Doing doing(&t->activity, "FlushWAL after LockWAL");
        t->Ok(t->db()->FlushWAL(t->Chance(500)), "FlushWAL");
        break;
      }
      case 3: {
        const Doing doing(&t->activity, "CompactRange after LockWAL");
        t->OkOr(t->db()->CompactRange(CompactRangeOptions(), nullptr, nullptr),
                "CompactRange", {Status::kIncomplete});
        break;
      }
      default:
        ListFiles(t);
    }
  }
  if (t->Chance(300)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  {
    const Doing doing(&t->activity, "UnlockWAL");
    t->Ok(t->db()->UnlockWAL(), "UnlockWAL");
  }
  for (const std::optional<Copy>& copy : copies) CompareAndRemove(t, copy);
}

void CompareReadOnly(ThreadContext* t) {
  // It would not see what is in no log file yet.
  if (t->shared.plan.unlogged || t->shared.plan.unlogged_keys ||
      t->shared.database.options().db.manual_wal_flush) {
    return;
  }
  // It opens every file, next to the database that may have them open, too.
  constexpr size_t kFilesMax = 4000;
  std::vector<LiveFileMetaData> files;
  t->db()->GetLiveFilesMetaData(&files);
  if (files.size() > kFilesMax) return;
  const AllSlotsUse use(t);
  std::unique_ptr<Database> reader;
  const Status status =
      t->shared.database.OpenCopy(t->db()->GetName(),
                                  /*read_only=*/true, &reader);
  if (!t->OkOr(status, "OpenForReadOnly", {Status::kTryAgain})) return;
  const Words words = CommittedWords(t, use.slots());
  CompareAll(t, *reader, words, words, "a read-only instance");
  t->Ok(reader->Close(false), "Close of a read-only instance");
}

}  // namespace ROCKSDB_NAMESPACE::stress::checker
