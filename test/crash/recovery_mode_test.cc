// Openings with different recovery modes after one crash.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/utilities/checkpoint.h"
#include "test/db/store_fixture.h"
#include "test/support/crash_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

void Ok(const Status& status) { ASSERT_TRUE(status.ok()) << status.ToString(); }

struct Session {
  Session(Env* env, WALRecoveryMode mode,
          const std::vector<std::string>& others = {"other"}) {
    Options options;
    options.env = env;
    options.create_if_missing = true;
    options.create_missing_column_families = true;
    options.avoid_flush_during_recovery = true;
    options.avoid_flush_during_shutdown = true;
    options.wal_recovery_mode = mode;
    std::vector<ColumnFamilyDescriptor> families = {
        {kDefaultColumnFamilyName, options}};
    for (const std::string& name : others) families.emplace_back(name, options);
    Ok(DB::Open(options, "/db", families, &handles, &db));
  }
  ~Session() {
    for (ColumnFamilyHandle* const handle : handles) {
      Ok(db->DestroyColumnFamilyHandle(handle));
    }
    if (db != nullptr) Ok(db->Close());
  }
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> db;
};

// A mode that reads past damage leaves no damaged log behind: the tables that
// are written next would be ahead of where point-in-time recovery stops.
TEST(RecoveryMode, MayChangeAfterDamageWasReadPast) {
  for (const auto mode : {WALRecoveryMode::kSkipAnyCorruptedRecords,
                          WALRecoveryMode::kTolerateCorruptedTailRecords}) {
    const auto fs = std::make_shared<engine::MemFileSystem>();
    const std::unique_ptr<Env> env = NewCompositeEnv(fs);
    std::string log;
    {
      const Session first(env.get(), mode);
      Ok(first.db->Put(WriteOptions(), "a", "1"));
      Ok(first.db->Put(WriteOptions(), "b", "2"));
      std::unique_ptr<WalFile> current;
      Ok(first.db->GetCurrentWalFile(&current));
      log = "/db" + current->PathName();
    }
    std::string content = test::ReadFile(fs.get(), log);
    content.resize(content.size() - 1);
    test::WriteFile(fs.get(), log, content);
    {
      const Session second(env.get(), mode);
      Ok(second.db->Put(WriteOptions(), second.handles[1], "c", "3"));
      Ok(second.db->Flush(FlushOptions(), second.handles[1]));
    }
    const Session third(env.get(), WALRecoveryMode::kPointInTimeRecovery);
    ASSERT_NE(nullptr, third.db);
    std::string value;
    Ok(third.db->Get(ReadOptions(), "a", &value));
    EXPECT_EQ("1", value);
    Ok(third.db->Get(ReadOptions(), third.handles[1], "c", &value));
    EXPECT_EQ("3", value);
  }
}

// The killed process left the log and its name unsynced. What is written next,
// into another log, must not survive a power cut that takes the first.
TEST(RecoveryMode, AKeptLogKeepsItsName) {
  const auto fs = std::make_shared<engine::MemFileSystem>();
  Options options;
  options.create_if_missing = true;
  options.avoid_flush_during_recovery = true;
  options.wal_dir = "/wal";
  std::shared_ptr<engine::MemFileSystem> killed;
  engine::CrashOptions all;
  all.stays_unsynced = true;
  std::unique_ptr<DB> db;
  {
    const std::unique_ptr<Env> env = NewCompositeEnv(fs);
    options.env = env.get();
    Ok(DB::Open(options, "/db", &db));
    Ok(db->Put(WriteOptions(), "a", "1"));
    killed = fs->CrashClone(all);
    Ok(db->Close());
    db.reset();
  }
  const std::unique_ptr<Env> env = NewCompositeEnv(killed);
  options.env = env.get();
  Ok(DB::Open(options, "/db", &db));
  const auto left = killed->CrashClone(engine::CrashOptions());
  Ok(db->Close());
  const std::unique_ptr<Env> left_env = NewCompositeEnv(left);
  options.env = left_env.get();
  Ok(DB::Open(options, "/db", &db));
  std::string value;
  Ok(db->Get(ReadOptions(), "a", &value));
  EXPECT_EQ("1", value);
  Ok(db->Close());
}

size_t CountLogs(Env* env) {
  std::vector<std::string> names;
  Ok(env->GetChildren("/db", &names));
  return static_cast<size_t>(std::count_if(
      names.begin(), names.end(),
      [](const std::string& name) { return name.ends_with(".log"); }));
}

// It goes with the flush of the second family, and takes nothing along that a
// power failure could still undo.
TEST(RecoveryMode, AReplayedLogIsDeletedOnceNothingNeedsIt) {
  constexpr auto kMode = WALRecoveryMode::kPointInTimeRecovery;
  test::ForEachCrashPoint(
      [](Env* env, test::CrashScript* script) {
        WriteOptions synced;
        synced.sync = true;
        {
          const Session first(env, kMode);
          Ok(first.db->Put(synced, "a", "1"));
          Ok(first.db->Put(synced, first.handles[1], "b", "2"));
          script->Reached(1);
        }
        const Session second(env, kMode);
        Ok(second.db->Put(synced, "c", "3"));
        script->Reached(2);
        for (ColumnFamilyHandle* const family : second.handles) {
          Ok(second.db->Flush(FlushOptions(), family));
        }
        Ok(second.db->WaitForCompact(WaitForCompactOptions()));
        EXPECT_EQ(1u, CountLogs(env));
      },
      [](const test::CrashPoint& point, Env* env) {
        const Session session(env, kMode);
        ASSERT_NE(nullptr, session.db) << point.ToString();
        const auto has = [&](size_t family, const char* key) {
          std::string value;
          return session.db
              ->Get(ReadOptions(), session.handles[family], key, &value)
              .ok();
        };
        if (point.reached >= 1) {
          EXPECT_TRUE(has(0, "a")) << point.ToString();
          EXPECT_TRUE(has(1, "b")) << point.ToString();
        }
        if (point.reached >= 2) {
          EXPECT_TRUE(has(0, "c")) << point.ToString();
        }
      });
}

// "default" has a sealed memtable whose log is followed by another one and was
// never synced; "other" has a table and an empty memtable.
struct UnsyncedLog {
  UnsyncedLog()
      : fs(std::make_shared<engine::MemFileSystem>()),
        env(NewCompositeEnv(fs)) {
    options.env = env.get();
    options.create_if_missing = true;
    options.create_missing_column_families = true;
    options.max_manifest_file_size = 1;  // Each edit repeats all families.
    Options waits = options;
    waits.write_buffer_size = 64 << 10;
    waits.arena_block_size = 4 << 10;
    waits.max_write_buffer_number = 4;
    waits.min_write_buffer_number_to_merge = 2;  // One sealed is not flushed.
    const std::vector<ColumnFamilyDescriptor> families = {
        {kDefaultColumnFamilyName, waits}, {"other", options}};
    Ok(DB::Open(options, "/db", families, &handles, &db));
    Ok(db->Put(WriteOptions(), handles[1], "a", "1"));
    Ok(db->Flush(FlushOptions(), handles[1]));
    std::string sealed;
    for (int i = 0; sealed.empty() || sealed == "0"; ++i) {
      Ok(db->Put(WriteOptions(), "k" + std::to_string(i),
                 std::string(1000, 'v')));
      EXPECT_TRUE(
          db->GetProperty(DB::Properties::kNumImmutableMemTable, &sealed));
    }
  }
  ~UnsyncedLog() {
    for (ColumnFamilyHandle* const handle : handles) {
      Ok(db->DestroyColumnFamilyHandle(handle));
    }
    Ok(db->Close());
  }

  // After power cuts, as recovery to a point in time.
  void CheckOpens(const std::vector<std::string>& families) const {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(seed);
      engine::CrashOptions crash;
      crash.seed = seed;
      crash.data = engine::CrashOptions::Data::kPrefix;
      crash.names = engine::CrashOptions::Names::kAll;
      const auto left = fs->CrashClone(crash);
      const std::unique_ptr<Env> left_env = NewCompositeEnv(left);
      const Session after(left_env.get(), WALRecoveryMode::kPointInTimeRecovery,
                          families);
    }
  }

  const std::shared_ptr<engine::MemFileSystem> fs;
  const std::unique_ptr<Env> env;
  Options options;
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> db;
};

// A MANIFEST that is written because of one family must not say that it is
// ahead of the unsynced log of another.
TEST(RecoveryMode, AFamilyWithoutUnflushedDataIsNotAheadOfAnUnsyncedLog) {
  const UnsyncedLog state;
  CompactRangeOptions force;
  force.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  Ok(state.db->CompactRange(force, state.handles[1], nullptr, nullptr));
  state.CheckOpens({"other"});
}

// Its tables come without a flush, which would have synced that log.
TEST(RecoveryMode, ANewFamilyWithIngestedFilesIsNotAheadOfAnUnsyncedLog) {
  UnsyncedLog state;
  ColumnFamilyHandle* made = nullptr;
  Ok(state.db->CreateColumnFamily(state.options, "made", &made));
  state.handles.push_back(made);
  SstFileWriter writer(EnvOptions(), state.options);
  Ok(writer.Open("/external"));
  Ok(writer.Put("a", "1"));
  Ok(writer.Finish());
  Ok(state.db->IngestExternalFile(made, {"/external"},
                                  IngestExternalFileOptions()));
  state.CheckOpens({"other", "made"});
}

TEST(RecoveryMode, ANewFamilyWithImportedFilesIsNotAheadOfAnUnsyncedLog) {
  UnsyncedLog state;
  Checkpoint* made_checkpoint = nullptr;
  Ok(Checkpoint::Create(state.db.get(), &made_checkpoint));
  const std::unique_ptr<Checkpoint> checkpoint(made_checkpoint);
  ExportImportFilesMetaData* exported = nullptr;
  Ok(checkpoint->ExportColumnFamily(state.handles[1], "/export", &exported));
  const std::unique_ptr<ExportImportFilesMetaData> files(exported);
  ColumnFamilyHandle* made = nullptr;
  Ok(state.db->CreateColumnFamilyWithImport(
      state.options, "made", ImportColumnFamilyOptions(), *files, &made));
  state.handles.push_back(made);
  state.CheckOpens({"other", "made"});
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
