// Power failures while another process compacts, and while its result is
// installed: the database opens, and holds what it held.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/db.h"
#include "test/db/remote_compaction/service_fixture.h"
#include "test/support/crash_fs.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

constexpr uint64_t kWritten = 1;
constexpr uint64_t kCompacted = 2;

Options CrashOptionsOf(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.compression = kNoCompression;
  options.enable_blob_files = true;
  options.min_blob_size = 10;
  return options;
}

std::string LongValue(char fill) { return std::string(20, fill); }

std::string ExpectedRows() {
  return "a=" + LongValue('n') + " b=" + LongValue('b') +
         " c=" + LongValue('c') + " ";
}

void WriteTwoTables(DB* db) {
  WriteOptions synced;
  synced.sync = true;
  Ok(db->Put(synced, "a", LongValue('o')));
  Ok(db->Put(synced, "b", LongValue('b')));
  Ok(db->Flush(FlushOptions()));
  Ok(db->Put(synced, "a", LongValue('n')));
  Ok(db->Put(synced, "c", LongValue('c')));
  Ok(db->Flush(FlushOptions()));
}

void CompactRemotely(Env* env, CrashScript* script) {
  Options options = CrashOptionsOf(env);
  const auto service = std::make_shared<WorkerService>();
  service->answer = [env](const std::string& input, std::string* result) {
    CompactionServiceOptionsOverride overrides;
    overrides.env = env;
    const Status status =
        DB::OpenAndCompact("/db", "/output", input, result, overrides);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return JobStatus::kSuccess;
  };
  options.compaction_service = service;
  std::unique_ptr<DB> db;
  Ok(DB::Open(options, "/db", &db));
  WriteTwoTables(db.get());
  script->Reached(kWritten);
  Ok(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  EXPECT_EQ(1, service->installed);
  script->Reached(kCompacted);
}

TEST(RemoteCrash, LosesNothing) {
  const uint64_t states = ForEachCrashPoint(
      &CompactRemotely, [](const CrashPoint& point, Env* env) {
        if (point.reached < kWritten) return;
        std::unique_ptr<DB> db;
        const Status status = DB::Open(CrashOptionsOf(env), "/db", &db);
        ASSERT_TRUE(status.ok()) << point.ToString() << status.ToString();
        EXPECT_EQ(ExpectedRows(),
                  TextOfRows(db.get(), db->DefaultColumnFamily()))
            << point.ToString();
        std::string files;
        EXPECT_TRUE(db->GetProperty("rocksdb.num-files-at-level0", &files));
        if (point.reached >= kCompacted) {
          EXPECT_EQ("0", files) << point.ToString();
        }
        // Also when it is compacted here.
        Ok(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
        EXPECT_EQ(ExpectedRows(),
                  TextOfRows(db.get(), db->DefaultColumnFamily()))
            << point.ToString();
      });
  EXPECT_GT(states, 20u);
}

// A writer that dies while a worker is busy leaves nothing that is missed, and
// the worker's files belong to no database.
TEST(RemoteCrash, OfTheWriterAloneLeavesTheWorkersFiles) {
  const auto fs = std::make_shared<engine::MemFileSystem>();
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  std::shared_ptr<engine::MemFileSystem> left;
  {
    Options options = CrashOptionsOf(env.get());
    const auto service = std::make_shared<WorkerService>();
    service->answer = [&](const std::string& input, std::string* result) {
      CompactionServiceOptionsOverride overrides;
      overrides.env = env.get();
      Ok(DB::OpenAndCompact("/db", "/output", input, result, overrides));
      left = fs->CrashClone(engine::CrashOptions());
      return JobStatus::kSuccess;
    };
    options.compaction_service = service;
    std::unique_ptr<DB> db;
    Ok(DB::Open(options, "/db", &db));
    WriteTwoTables(db.get());
    Ok(db->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  }
  ASSERT_NE(nullptr, left);
  const std::unique_ptr<Env> env_after = NewCompositeEnv(left);
  std::unique_ptr<DB> db;
  Ok(DB::Open(CrashOptionsOf(env_after.get()), "/db", &db));
  EXPECT_EQ(ExpectedRows(), TextOfRows(db.get(), db->DefaultColumnFamily()));
  std::string files;
  EXPECT_TRUE(db->GetProperty("rocksdb.num-files-at-level0", &files));
  EXPECT_EQ("2", files);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
