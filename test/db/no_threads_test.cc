// The system refuses threads.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "env/thread_pool.h"
#include "rocksdb/utilities/backup_engine.h"
#include "test/db/files/files_fixture.h"
#include "test/support/clocked_env.h"
#include "test/support/manual_clock.h"
#include "util/start_thread.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using engine::ThreadStartLimit;

class NoThreads : public test::FilesTest {
 protected:
  void SetUp() override { ASSERT_TRUE(engine::StartBackgroundThreads().ok()); }
};

// What must be done in the background is done by the threads there are.
TEST_F(NoThreads, AfterOpeningEverythingStillWorks) {
  options_.disable_auto_compactions = false;
  options_.max_subcompactions = 4;
  options_.max_background_jobs = 8;
  options_.write_buffer_size = 64 << 10;
  options_.target_file_size_base = 32 << 10;
  options_.compression = kSnappyCompression;
  options_.compression_opts.parallel_threads = 4;
  Open();
  const ThreadStartLimit limit(0);
  for (int i = 0; i < 3000; ++i) {
    Put(std::to_string(i * 7919 % 10000), std::string(100, 'v'));
  }
  Flush();
  const Status status =
      db_->CompactRange(CompactRangeOptions(), nullptr, nullptr);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(3000u, Rows().size());

  BackupEngineOptions backups("/backup", env_.get());
  backups.max_background_operations = 8;
  BackupEngine* raw = nullptr;
  ASSERT_TRUE(BackupEngine::Open(env_.get(), backups, &raw).ok());
  const std::unique_ptr<BackupEngine> engine(raw);
  EXPECT_TRUE(engine->CreateNewBackup(db_.get()).ok());
}

// Nothing would run what hangs on time.
TEST_F(NoThreads, OpeningSaysThatThereIsNone) {
  const auto clock = std::make_shared<test::ManualClock>();
  test::ClockedEnv env(env_.get(), fs_, clock);
  options_.env = &env;
  {
    const ThreadStartLimit limit(0);
    const Status status = DB::Open(options_, kName, &db_);
    EXPECT_TRUE(status.IsTryAgain()) << status.ToString();
    EXPECT_EQ(nullptr, db_);
  }
  Open();
  Put("a", "1");
  db_.reset();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
