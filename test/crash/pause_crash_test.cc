// Crashes around paused compactions: before a pause, while a job is paused
// and writes and flushes go on, after it was resumed, and after a close that
// ended it.

#include <gtest/gtest.h>

#include <string>

#include "rocksdb/table.h"
#include "rocksdb/write_batch.h"
#include "test/db/pause_fixture.h"
#include "test/support/crash_fs.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

constexpr int kBatchKeys = 10;

void Open(PausableDb* db, Env* env) {
  Options& options = db->options();
  options.write_buffer_size = 64 << 10;
  options.compression = kNoCompression;
  options.level0_file_num_compaction_trigger = 2;
  options.target_file_size_base = 1 << 10;  // An output every few keys.
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  ASSERT_NO_FATAL_FAILURE(db->Open(env, "/db"));
}

// Writes have keys all over the range, so that their files overlap.
std::string KeyOf(int write, int n) {
  return PausableDb::Key(n * 1000 + write);
}

void Write(PausableDb* db, int i, bool sync) {
  WriteBatch batch;
  for (int n = 0; n < kBatchKeys; ++n) {
    Ok(batch.Put(KeyOf(i, n), PausableDb::Value(i, 100)));
  }
  WriteOptions options;
  options.sync = sync;
  Ok((*db)->Write(options, &batch));
}

void PauseScript(Env* env, CrashScript* progress) {
  PausableDb db;
  Open(&db, env);
  Write(&db, 0, true);
  Write(&db, 1, true);
  progress->Reached(2);
  Ok(db->Flush(FlushOptions()));
  Write(&db, 2, false);
  db.watch().At(15, [&] { db.PauseAll(); });
  Ok(db->Flush(FlushOptions()));
  progress->Reached(3);
  ASSERT_TRUE(db.AwaitPaused());
  // Beside the paused job, which has finished outputs and an open one.
  Write(&db, 3, true);
  progress->Reached(4);
  Ok(db->Flush(FlushOptions()));
  db.watch().At(10, [&] { db.PauseAll(); });
  db.ResumeAll();
  ASSERT_TRUE(db.AwaitPaused());
  Write(&db, 4, true);
  progress->Reached(5);
  db.ResumeAll();
  Ok(db->WaitForCompact(WaitForCompactOptions()));
  Write(&db, 5, false);
  Ok(db->Flush(FlushOptions()));
  progress->Reached(6);
  db.watch().At(5, [&] { db.PauseAll(); });
  Write(&db, 6, true);
  Ok(db->Flush(FlushOptions()));
  progress->Reached(7);
  ASSERT_TRUE(db.AwaitPaused());
  Ok(db->Close());
  db.Close();

  Open(&db, env);
  Write(&db, 7, true);
  progress->Reached(8);
  Ok(db->WaitForCompact(WaitForCompactOptions()));
}

void CheckPauses(const CrashPoint& point, Env* env) {
  if (::testing::Test::HasFailure()) return;
  SCOPED_TRACE(point.ToString());
  PausableDb db;
  Open(&db, env);
  if (db.get() == nullptr) return;
  const auto holds = [&](int writes) {
    const auto rows = db.Rows();
    ASSERT_EQ(static_cast<size_t>(writes * kBatchKeys), rows.size());
    for (int k = 0; k < writes * kBatchKeys; ++k) {
      const auto it = rows.find(KeyOf(k / kBatchKeys, k % kBatchKeys));
      ASSERT_TRUE(it != rows.end()) << k;
      ASSERT_EQ(PausableDb::Value(k / kBatchKeys, 100), it->second);
    }
  };
  const int writes = static_cast<int>(db.Rows().size()) / kBatchKeys;
  EXPECT_GE(writes, static_cast<int>(point.reached));
  holds(writes);
  Write(&db, writes, true);
  Ok(db->Flush(FlushOptions()));
  Ok(db->WaitForCompact(WaitForCompactOptions()));
  holds(writes + 1);
}

TEST(Crash, AroundPausedCompactionsLosesNothing) {
  CrashPlan plan;
  plan.every = 5;
  const uint64_t states = ForEachCrashPoint(PauseScript, CheckPauses, plan);
  std::printf("%llu different states\n",
              static_cast<unsigned long long>(states));
  EXPECT_GT(states, 100u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
