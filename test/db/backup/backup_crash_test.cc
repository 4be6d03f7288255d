// Power failures and failing calls while backups are made, deleted and
// restored: what exists is whole, and what was promised is there.

#include "db/format/file_names.h"
#include "test/db/backup/backup_fixture.h"
#include "test/support/crash_fs.h"
#include "test/support/error_fs.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using test::FileRows;

Options SmallOptions(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.compression = kNoCompression;
  options.enable_blob_files = true;
  options.min_blob_size = 10;
  options.avoid_flush_during_shutdown = true;
  return options;
}

std::unique_ptr<BackupEngine> OpenEngine(Env* env) {
  BackupEngine* engine = nullptr;
  const Status status =
      BackupEngine::Open(BackupEngineOptions("/backup"), env, &engine);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return std::unique_ptr<BackupEngine>(engine);
}

const std::string kLarge(30, 'x');
const FileRows kFirst = {{"a", kLarge}, {"b", "2"}};
const FileRows kSecond = {{"a", "3"}, {"b", "2"}, {"c", kLarge}};

// Fills the database for backup 1, then for backup 2.
void WriteFirst(DB* db) {
  ASSERT_TRUE(db->Put(WriteOptions(), "a", kLarge).ok());
  ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "b", "2").ok());
}
void WriteSecond(DB* db) {
  ASSERT_TRUE(db->Put(WriteOptions(), "c", kLarge).ok());
  ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "a", "3").ok());
}

// Every backup that exists is sound and holds its rows.
std::vector<BackupID> CheckBackups(Env* env, const std::string& where) {
  std::vector<BackupID> ids;
  const auto engine = OpenEngine(env);
  if (engine == nullptr) return ids;
  std::vector<BackupID> damaged;
  engine->GetCorruptedBackups(&damaged);
  EXPECT_TRUE(damaged.empty()) << where;
  std::vector<BackupInfo> infos;
  engine->GetBackupInfo(&infos);
  for (const BackupInfo& info : infos) {
    ids.push_back(info.backup_id);
    const Status verified = engine->VerifyBackup(info.backup_id, true);
    EXPECT_TRUE(verified.ok()) << verified.ToString() << where;
    const Status status =
        engine->RestoreDBFromBackup(info.backup_id, "/checked", "/checked");
    EXPECT_TRUE(status.ok()) << status.ToString() << where;
    EXPECT_EQ(test::RowsIn(SmallOptions(env), "/checked")["default"],
              info.backup_id == 1 ? kFirst : kSecond)
        << where;
  }
  return ids;
}

// backup_directory.h (1).
TEST(BackupCrash, ABackupThatIsThereIsWhole) {
  uint64_t whole = 0;
  const uint64_t states = test::ForEachCrashPoint(
      [&](Env* env, test::CrashScript* script) {
        std::unique_ptr<DB> db;
        ASSERT_TRUE(DB::Open(SmallOptions(env), "/db", &db).ok());
        const auto engine = OpenEngine(env);
        WriteFirst(db.get());
        ASSERT_TRUE(engine->CreateNewBackup(db.get()).ok());
        script->Reached(1);
        WriteSecond(db.get());
        ASSERT_TRUE(engine->CreateNewBackup(db.get()).ok());
        script->Reached(2);
        ASSERT_TRUE(engine->DeleteBackup(1).ok());
        script->Reached(3);
      },
      [&](const test::CrashPoint& point, Env* env) {
        if (!env->FileExists("/backup").ok()) {
          EXPECT_EQ(point.reached, 0u) << point.ToString();
          return;
        }
        const std::vector<BackupID> ids = CheckBackups(env, point.ToString());
        const auto has = [&](BackupID id) {
          return std::find(ids.begin(), ids.end(), id) != ids.end();
        };
        if (point.reached == 1) {
          EXPECT_TRUE(has(1)) << point.ToString();
        }
        if (point.reached >= 2) {
          EXPECT_TRUE(has(2)) << point.ToString();
        }
        if (point.reached >= 3) {
          EXPECT_FALSE(has(1)) << point.ToString();
        }
        whole += ids.size();
        // And it goes on from here: leftovers are no obstacle.
        std::unique_ptr<DB> db;
        if (!DB::Open(SmallOptions(env), "/other", &db).ok()) return;
        const auto engine = OpenEngine(env);
        const Status status = engine->CreateNewBackup(db.get());
        EXPECT_TRUE(status.ok()) << status.ToString() << point.ToString();
      });
  EXPECT_GT(states, 100u);
  EXPECT_GT(whole, 50u);
}

// A change of the directory, and which of its calls fails.
struct FailedChange {
  const char* rule;
  std::function<Status(BackupEngine*, DB*)> run;
};

// Makes two backups, runs the change, which fails, and collects garbage in the
// same engine or in another one. Checks that a crash leaves whole backups.
// Returns the number of states checked.
uint64_t CheckGarbageAfter(const FailedChange& change, bool reopen,
                           const test::CrashPlan& plan) {
  uint64_t checked = 0;
  test::ForEachCrashPoint(
      [&](Env* env, test::CrashScript* script) {
        const auto fs =
            std::make_shared<test::ErrorFileSystem>(env->GetFileSystem());
        const std::unique_ptr<Env> failing = NewCompositeEnv(fs);
        std::unique_ptr<DB> db;
        test::Ok(DB::Open(SmallOptions(failing.get()), "/db", &db));
        auto engine = OpenEngine(failing.get());
        WriteFirst(db.get());
        test::Ok(engine->CreateNewBackup(db.get()));
        WriteSecond(db.get());
        test::Ok(engine->CreateNewBackup(db.get()));
        script->Reached(1);
        test::Ok(fs->SetRule(change.rule));
        EXPECT_TRUE(change.run(engine.get(), db.get()).IsIOError());
        fs->ClearRule();
        if (reopen) {
          engine.reset();
          engine = OpenEngine(failing.get());
        }
        test::Ok(engine->GarbageCollect());
      },
      [&](const test::CrashPoint& point, Env* env) {
        if (point.reached == 0) return;
        ++checked;
        CheckBackups(env, point.ToString() + ", " + change.rule);
      },
      plan);
  return checked;
}

// backup_directory.h (1). The failed call may have deleted a description, and
// a crash brings it back unless that was synced.
TEST(BackupCrash, AfterAnErrorNoFileGoesBeforeItsDescription) {
  const auto purge = [](BackupEngine* engine, DB* /*db*/) -> Status {
    return engine->PurgeOldBackups(0);
  };
  const auto create = [](BackupEngine* engine, DB* db) -> Status {
    return engine->CreateNewBackup(db);
  };
  const FailedChange changes[] = {
      // The description of backup 1 is deleted, that of backup 2 is not.
      {"(ErrInjected (And delete (PathMatch \"2\")))", purge},
      {"(ErrInjected (And sync_dir (PathMatch \"meta\")))", purge},
      // Here a crash may keep the rename and lose the deletion.
      {"(ErrInjected (And sync_dir (PathMatch \"meta\")))", create},
  };
  test::CrashPlan plan;
  plan.damages = {
      {"names lost", {.names = engine::CrashOptions::Names::kNone}},
      {"names at random", {.names = engine::CrashOptions::Names::kRandom}}};
  uint64_t checked = 0;
  for (const FailedChange& change : changes) {
    for (const bool reopen : {false, true}) {
      for (plan.seed = 1; plan.seed <= 3; ++plan.seed) {
        checked += CheckGarbageAfter(change, reopen, plan);
      }
    }
  }
  EXPECT_GT(checked, 100u);
}

// The old database, nothing that opens, or the backup.
TEST(BackupCrash, ARestoredDatabaseIsTheBackupOrDoesNotOpen) {
  uint64_t restored = 0;
  const uint64_t states = test::ForEachCrashPoint(
      [&](Env* env, test::CrashScript* script) {
        Options options = SmallOptions(env);
        options.wal_dir = "/logs";
        std::unique_ptr<DB> db;
        ASSERT_TRUE(DB::Open(options, "/db", &db).ok());
        const auto engine = OpenEngine(env);
        WriteFirst(db.get());
        ASSERT_TRUE(engine->CreateNewBackup(db.get()).ok());
        WriteSecond(db.get());
        ASSERT_TRUE(db->SyncWAL().ok());
        db.reset();
        script->Reached(1);
        const Status status = engine->RestoreDBFromBackup(1, "/db", "/logs");
        ASSERT_TRUE(status.ok()) << status.ToString();
        script->Reached(2);
      },
      [&](const test::CrashPoint& point, Env* env) {
        if (point.reached == 0) return;
        Options options = SmallOptions(env);
        options.wal_dir = "/logs";
        options.create_if_missing = false;
        std::unique_ptr<DB> db;
        if (!env->FileExists("/db/CURRENT").ok()) {
          EXPECT_EQ(point.reached, 1u) << point.ToString();
          EXPECT_FALSE(DB::Open(options, "/db", &db).ok());
          return;
        }
        const Status status = DB::Open(options, "/db", &db);
        ASSERT_TRUE(status.ok()) << status.ToString() << point.ToString();
        const FileRows rows = test::RowsOf(db.get(), db->DefaultColumnFamily());
        if (rows == kFirst) {
          ++restored;
        } else {
          EXPECT_EQ(rows, kSecond) << point.ToString();
          EXPECT_EQ(point.reached, 1u) << point.ToString();
        }
      });
  EXPECT_GT(states, 50u);
  EXPECT_GT(restored, 0u);
}

// backup_restorer.h: a directory with CURRENT has no log of its former life,
// and neither has its archive.
TEST(BackupCrash, ArchivedLogsDoNotComeBackAfterARestore) {
  const std::string archived = "/restored/archive/000001.log";
  const auto make_archive = [&archived](Env* env) {
    test::Ok(env->CreateDir("/restored"));
    test::Ok(env->CreateDir("/restored/archive"));
    FileSystem* const fs = env->GetFileSystem().get();
    test::WriteFile(fs, archived, "old");
    test::Ok(engine::SyncDirectory(fs, "/restored/archive"));
  };
  uint64_t restored = 0;
  test::ForEachCrashPoint(
      [&](Env* env, test::CrashScript* /*script*/) {
        std::unique_ptr<DB> db;
        test::Ok(DB::Open(SmallOptions(env), "/db", &db));
        const auto engine = OpenEngine(env);
        WriteFirst(db.get());
        test::Ok(engine->CreateNewBackup(db.get()));
        make_archive(env);
        test::Ok(engine->RestoreDBFromBackup(1, "/restored", "/restored"));
      },
      [&](const test::CrashPoint& point, Env* env) {
        if (!env->FileExists("/restored/CURRENT").ok()) return;
        ++restored;
        EXPECT_TRUE(env->FileExists(archived).IsNotFound()) << point.ToString();
      });
  EXPECT_GT(restored, 0u);
}

TEST(BackupErrors, AFailedCallChangesNothingThatIsThere) {
  for (const bool reads_too : {false, true}) {
    test::FailurePlan plan;
    plan.reads_too = reads_too;
    const uint64_t runs = test::ForEachFailingCall(
        plan, [&](Env* env, test::ErrorFileSystem* fs, uint64_t call) {
          const std::string where = " call " + std::to_string(call);
          BackupEngine* raw = nullptr;
          std::unique_ptr<DB> db;
          if (!DB::Open(SmallOptions(env), "/db", &db).ok()) return;
          if (!BackupEngine::Open(BackupEngineOptions("/backup"), env, &raw)
                   .ok()) {
            return;
          }
          const std::unique_ptr<BackupEngine> engine(raw);
          bool written = db->Put(WriteOptions(), "a", kLarge).ok() &&
                         db->Flush(FlushOptions()).ok() &&
                         db->Put(WriteOptions(), "b", "2").ok();
          if (!written) return;
          const bool first = engine->CreateNewBackup(db.get()).ok();
          // Without an error in between there is a second chance.
          const bool again = first || engine->CreateNewBackup(db.get()).ok();
          const Status restored =
              engine->RestoreDBFromLatestBackup("/restored", "/restored");
          const bool failed = fs->injected() > 0;
          fs->ClearRule();
          EXPECT_TRUE(again || failed) << where;
          if (first && restored.ok()) {
            EXPECT_EQ(test::RowsIn(SmallOptions(env), "/restored")["default"],
                      kFirst)
                << where;
          }
          // Nothing lies about that counts as a backup and is none.
          const auto fresh = OpenEngine(env);
          std::vector<BackupID> damaged;
          fresh->GetCorruptedBackups(&damaged);
          EXPECT_TRUE(damaged.empty()) << where;
          std::vector<BackupInfo> infos;
          fresh->GetBackupInfo(&infos);
          EXPECT_EQ(infos.empty(), !again) << where;
          for (const BackupInfo& info : infos) {
            EXPECT_TRUE(fresh->VerifyBackup(info.backup_id, true).ok())
                << where;
          }
          const Status last = fresh->CreateNewBackup(db.get());
          EXPECT_TRUE(last.ok()) << last.ToString() << where;
        });
    EXPECT_GT(runs, 60u);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
