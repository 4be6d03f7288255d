// Openings with different recovery modes after one crash.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "test/db/store_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

void Ok(const Status& status) { ASSERT_TRUE(status.ok()) << status.ToString(); }

struct Session {
  Session(Env* env, WALRecoveryMode mode) {
    Options options;
    options.env = env;
    options.create_if_missing = true;
    options.create_missing_column_families = true;
    options.avoid_flush_during_recovery = true;
    options.avoid_flush_during_shutdown = true;
    options.wal_recovery_mode = mode;
    const std::vector<ColumnFamilyDescriptor> families = {
        {kDefaultColumnFamilyName, options}, {"other", options}};
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

// A MANIFEST that is written because of one family must not say that it is
// ahead of the unsynced log of another.
TEST(RecoveryMode, AFamilyWithoutUnflushedDataIsNotAheadOfAnUnsyncedLog) {
  const auto fs = std::make_shared<engine::MemFileSystem>();
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  Options options;
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
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> db;
  Ok(DB::Open(options, "/db", families, &handles, &db));
  Ok(db->Put(WriteOptions(), handles[1], "a", "1"));
  Ok(db->Flush(FlushOptions(), handles[1]));
  // A log that is followed by another one, and a family with nothing in it.
  std::string sealed;
  for (int i = 0; sealed.empty() || sealed == "0"; ++i) {
    Ok(db->Put(WriteOptions(), "k" + std::to_string(i),
               std::string(1000, 'v')));
    ASSERT_TRUE(
        db->GetProperty(DB::Properties::kNumImmutableMemTable, &sealed));
  }
  CompactRangeOptions force;
  force.bottommost_level_compaction = BottommostLevelCompaction::kForce;
  Ok(db->CompactRange(force, handles[1], nullptr, nullptr));
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    engine::CrashOptions crash;
    crash.seed = seed;
    crash.data = engine::CrashOptions::Data::kPrefix;
    crash.names = engine::CrashOptions::Names::kAll;
    const auto left = fs->CrashClone(crash);
    const std::unique_ptr<Env> left_env = NewCompositeEnv(left);
    const Session after(left_env.get(), WALRecoveryMode::kPointInTimeRecovery);
  }
  for (ColumnFamilyHandle* const handle : handles) {
    Ok(db->DestroyColumnFamilyHandle(handle));
  }
  Ok(db->Close());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
