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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
