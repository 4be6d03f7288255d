// Logs written over older ones, as a database does it: which files are kept,
// what becomes of them, and who else may hold them.

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "db/db_impl/db_impl.h"
#include "db/manifest/manifest_state.h"
#include "db/wal/log_reader.h"
#include "rocksdb/utilities/checkpoint.h"
#include "test/db/files/files_fixture.h"
#include "test/support/error_fs.h"
#include "test/support/hooked_fs.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

class RecycleTest : public FilesTest {
 protected:
  RecycleTest() { options_.recycle_log_file_num = 2; }

  engine::DBImpl* impl() { return dynamic_cast<engine::DBImpl*>(db_.get()); }
  std::set<uint64_t> Kept() {
    std::set<uint64_t> numbers;
    impl()->state()->wals->AddRecyclable(&numbers);
    return numbers;
  }
  // With a second family, "other", that needs the first log.
  ColumnFamilyHandle* OpenWithOther() {
    Open();
    ColumnFamilyHandle* other = nullptr;
    EXPECT_TRUE(db_->CreateColumnFamily(options_, "other", &other).ok());
    EXPECT_TRUE(db_->Put(WriteOptions(), other, "o", "1").ok());
    return other;
  }
  // Opens what has both; its handles are in *handles.
  Status Reopen(std::vector<ColumnFamilyHandle*>* handles) {
    return DB::Open(options_, kName,
                    {{kDefaultColumnFamilyName, options_}, {"other", options_}},
                    handles, &db_);
  }
  void Round(int writes) {
    for (int i = 0; i < writes; ++i) {
      Put("k" + std::to_string(++written_), std::string(100, 'v'));
    }
    Flush();
  }
  void ExpectAll() {
    std::string value;
    for (int i = 1; i <= written_; ++i) {
      EXPECT_TRUE(db_->Get(ReadOptions(), "k" + std::to_string(i), &value).ok())
          << i;
    }
  }

  int written_ = 0;
};

TEST_F(RecycleTest, NewLogsAreWrittenOverOldOnes) {
  Open();
  Round(20);
  EXPECT_EQ(1u, Kept().size());
  const uint64_t kept = *Kept().begin();
  Put("k" + std::to_string(++written_), "v");
  // The flush starts a log, and that takes the file; the next one is kept.
  Flush();
  EXPECT_FALSE(Kept().contains(kept));
  Put("k" + std::to_string(++written_), "v");
  const std::vector<std::string> logs = Files(".log");
  uint64_t size = 0;
  const uint64_t current = impl()->state()->wals->current_number();
  ASSERT_TRUE(
      env_->GetFileSize(std::string(kName) + "/" + engine::LogBaseName(current),
                        &size)
          .ok());
  // Behind the one record lies the rest of twenty.
  EXPECT_GT(size, 2000u);
  ExpectAll();
  Open();
  ExpectAll();
  // What is kept for reuse goes with the database that kept it.
  EXPECT_EQ(1u, Files(".log").size());
}

TEST_F(RecycleTest, AChainMayBeginAfterLogsThatAnIdleFamilyReleased) {
  options_.recycle_log_file_num = 0;
  options_.track_and_verify_wals = true;
  options_.avoid_flush_during_shutdown = true;
  ColumnFamilyHandle* const other = OpenWithOther();
  ASSERT_TRUE(db_->Flush(FlushOptions(), other).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), other, "o", "2").ok());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
  db_.reset();
  std::vector<ColumnFamilyHandle*> handles;
  const Status status = Reopen(&handles);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ((FileRows{{"o", "2"}}), RowsOf(db_.get(), handles[1]));
  for (ColumnFamilyHandle* handle : handles) {
    ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
  }
}

TEST_F(RecycleTest, NoMoreFilesAreKeptThanAskedFor) {
  Open();
  for (int i = 0; i < 6; ++i) {
    Round(3);
    EXPECT_LE(Kept().size(), 2u);
    EXPECT_LE(Files(".log").size(), 3u);
  }
  // The scan for leftovers knows them.
  ASSERT_TRUE(db_->DisableFileDeletions().ok());
  ASSERT_TRUE(db_->EnableFileDeletions().ok());
  EXPECT_FALSE(Kept().empty());
  for (const uint64_t number : Kept()) {
    EXPECT_TRUE(Exists(fs_.get(),
                       std::string(kName) + "/" + engine::LogBaseName(number)));
  }
  Round(1);
  ExpectAll();
}

TEST_F(RecycleTest, LogsOfACheckpointAreCopies) {
  ColumnFamilyHandle* const other = OpenWithOther();
  Round(5);  // The log stays alive for the other family.
  Checkpoint* raw = nullptr;
  ASSERT_TRUE(Checkpoint::Create(db_.get(), &raw).ok());
  const std::unique_ptr<Checkpoint> checkpoint(raw);
  ASSERT_TRUE(checkpoint->CreateCheckpoint("/copy", 1 << 20).ok());
  ASSERT_TRUE(db_->Flush(FlushOptions(), other).ok());
  for (int i = 0; i < 5; ++i) Round(9);
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
  std::vector<ColumnFamilyHandle*> handles;
  std::unique_ptr<DB> copy;
  const Status status = DB::OpenForReadOnly(
      options_, "/copy",
      {{kDefaultColumnFamilyName, options_}, {"other", options_}}, &handles,
      &copy);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(5u, RowsOf(copy.get(), handles[0]).size());
  EXPECT_EQ((FileRows{{"o", "1"}}), RowsOf(copy.get(), handles[1]));
  for (ColumnFamilyHandle* handle : handles) {
    EXPECT_TRUE(copy->DestroyColumnFamilyHandle(handle).ok());
  }
}

TEST_F(RecycleTest, WhileDeletionsAreDisabledNothingIsReused) {
  Open();
  ASSERT_TRUE(db_->DisableFileDeletions().ok());
  const size_t before = Files(".log").size();
  for (int i = 0; i < 4; ++i) Round(2);
  EXPECT_EQ(before + 4, Files(".log").size());
  EXPECT_TRUE(Kept().empty());
  ASSERT_TRUE(db_->EnableFileDeletions().ok());
  Round(1);
  ExpectAll();
}

TEST_F(RecycleTest, AFailedRenameCostsNothing) {
  Open();
  Round(5);
  ASSERT_EQ(1u, Kept().size());
  ASSERT_TRUE(
      fs_->SetRule("(ErrInjected (And reuse (PathMatch \"*.log\")))").ok());
  Round(2);
  EXPECT_GT(fs_->injected(), 0u);
  fs_->ClearRule();
  Round(2);
  ExpectAll();
  Open();
  ExpectAll();
}

TEST_F(RecycleTest, ModesThatCannotTellOldRecordsFromDamageDoNotReuse) {
  for (const auto mode : {WALRecoveryMode::kTolerateCorruptedTailRecords,
                          WALRecoveryMode::kAbsoluteConsistency}) {
    options_.wal_recovery_mode = mode;
    Open();
    Round(3);
    Round(3);
    EXPECT_TRUE(Kept().empty());
    ExpectAll();
  }
  options_.wal_recovery_mode = WALRecoveryMode::kSkipAnyCorruptedRecords;
  Open();
  Round(3);
  EXPECT_FALSE(Kept().empty());
  Put("k" + std::to_string(++written_), "v");
  Open();
  ExpectAll();
}

// A sync that began before a log was cut says nothing of the cut.
TEST(RecycleSyncTest, ACutIsSyncedAlsoWhenASyncWasUnderWay) {
  const std::unique_ptr<Env> memory(NewMemEnv(Env::Default()));
  std::mutex mu;
  std::condition_variable changed;
  bool pause = false;
  bool paused = false;
  std::map<std::string, std::vector<OpKind>> ops;  // By log.
  const auto fs = std::make_shared<HookedFileSystem>(
      memory->GetFileSystem(), [&](const FileOp& op) {
        if (!op.path.ends_with(".log")) return IOStatus::OK();
        std::unique_lock<std::mutex> lock(mu);
        if (op.kind == OpKind::kSync || op.kind == OpKind::kTruncate) {
          ops[op.path].push_back(op.kind);
        }
        if (op.kind == OpKind::kSync && pause) {
          paused = true;
          changed.notify_all();
          changed.wait(lock, [&] { return !pause; });
        }
        changed.notify_all();
        return IOStatus::OK();
      });
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  options.recycle_log_file_num = 2;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, "/db", &db).ok());
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(db->Put(WriteOptions(), "k", std::string(5000, 'v')).ok());
    ASSERT_TRUE(db->Flush(FlushOptions()).ok());
  }
  // The current log has 5000 bytes of its former life.
  ASSERT_TRUE(db->Put(WriteOptions(), "k", "v").ok());
  ColumnFamilyHandle* other = nullptr;  // It keeps the log alive.
  ASSERT_TRUE(db->CreateColumnFamily(options, "other", &other).ok());
  ASSERT_TRUE(db->Put(WriteOptions(), other, "o", "v").ok());
  std::unique_ptr<WalFile> current;
  ASSERT_TRUE(db->GetCurrentWalFile(&current).ok());
  const std::string log = "/db/" + engine::LogBaseName(current->LogNumber());
  {
    std::lock_guard<std::mutex> lock(mu);
    pause = true;
  }
  std::thread syncer([&] { EXPECT_TRUE(db->SyncWAL().ok()); });
  {
    std::unique_lock<std::mutex> lock(mu);
    changed.wait(lock, [&] { return paused; });
    ops.clear();
  }
  std::thread flusher([&] {
    EXPECT_TRUE(db->Flush(FlushOptions()).ok());
    EXPECT_TRUE(db->SyncWAL().ok());
  });
  {
    // The flush cuts the log, or waits until the sync has ended.
    std::unique_lock<std::mutex> lock(mu);
    changed.wait_for(lock, std::chrono::milliseconds(50),
                     [&] { return !ops[log].empty(); });
    pause = false;
    changed.notify_all();
  }
  syncer.join();
  flusher.join();
  ASSERT_FALSE(ops[log].empty());
  EXPECT_EQ(OpKind::kTruncate, ops[log].front());
  EXPECT_EQ(OpKind::kSync, ops[log].back());
  ASSERT_TRUE(db->DestroyColumnFamilyHandle(other).ok());
}

TEST_F(RecycleTest, ThatTheOldestLogIsGoneIsFoundByItsSuccessor) {
  options_.recycle_log_file_num = 0;
  options_.track_and_verify_wals = true;
  options_.avoid_flush_during_shutdown = true;
  ColumnFamilyHandle* const other = OpenWithOther();
  Round(3);
  Round(3);
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
  db_.reset();
  const std::vector<std::string> logs = Files(".log");
  ASSERT_EQ(3u, logs.size());
  ASSERT_TRUE(env_->DeleteFile(std::string(kName) + "/" + logs.front()).ok());
  std::vector<ColumnFamilyHandle*> handles;
  const Status status = Reopen(&handles);
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
}

// What the MANIFEST says of the logs there have to be.
class TrackedLogsTest : public RecycleTest {
 protected:
  TrackedLogsTest() {
    options_.recycle_log_file_num = 0;
    options_.track_and_verify_wals_in_manifest = true;
    options_.avoid_flush_during_shutdown = true;
  }
  engine::ManifestState Manifest() {
    auto state = engine::ReadManifest(env_->GetFileSystem().get(), kName);
    EXPECT_TRUE(state.ok());
    return state.ok() ? *state : engine::ManifestState();
  }
  Status OpenBoth() {
    std::vector<ColumnFamilyHandle*> handles;
    const Status status = Reopen(&handles);
    for (ColumnFamilyHandle* handle : handles) {
      EXPECT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
    }
    return status;
  }
  // Two closed logs and a current one, all needed by "other".
  void Fill() {
    ColumnFamilyHandle* const other = OpenWithOther();
    Round(3);
    Round(3);
    ASSERT_TRUE(db_->Put(WriteOptions(), "k", "v").ok());
    ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
  }
};

TEST_F(TrackedLogsTest, AClosedLogIsNamedWithItsSizeUntilItIsNotNeeded) {
  Fill();
  const engine::ManifestState before = Manifest();
  EXPECT_EQ(2u, before.wals.size());
  for (const auto& [number, synced] : before.wals) {
    uint64_t size = 0;
    ASSERT_TRUE(
        env_->GetFileSize(
                std::string(kName) + "/" + engine::LogBaseName(number), &size)
            .ok());
    EXPECT_EQ(size, synced.value_or(0));
  }
  // A new MANIFEST repeats them; the logs have been replayed by then.
  ASSERT_TRUE(db_->Close().ok());
  db_.reset();
  ASSERT_TRUE(OpenBoth().ok());
  EXPECT_TRUE(Manifest().wals.empty());
}

TEST_F(TrackedLogsTest, ASyncOrASyncedWriteNamesTheLogsBeforeIt) {
  for (const bool by_write : {true, false}) {
    Open();
    // Without a flush behind it: nothing but the log is needed.
    ASSERT_TRUE(db_->PauseBackgroundWork().ok());
    FlushOptions later;
    later.wait = false;
    Put("a", "1");
    ASSERT_TRUE(db_->Flush(later).ok());
    EXPECT_TRUE(Manifest().wals.empty());
    WriteOptions sync;
    sync.sync = true;
    const Status status = by_write ? db_->Put(sync, "b", "1") : db_->SyncWAL();
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(1u, Manifest().wals.size());
    ASSERT_TRUE(db_->ContinueBackgroundWork().ok());
  }
}

TEST_F(TrackedLogsTest, ALogThatIsGoneOrTooShortIsFound) {
  for (const bool cut : {true, false}) {
    Fill();
    ASSERT_TRUE(db_->Close().ok());
    db_.reset();
    const std::string log = std::string(kName) + "/" +
                            engine::LogBaseName(Manifest().wals.begin()->first);
    std::string bytes;
    ASSERT_TRUE(ReadFileToString(env_.get(), log, &bytes).ok());
    ASSERT_TRUE(env_->DeleteFile(log).ok());
    if (cut) {
      bytes.pop_back();
      ASSERT_TRUE(WriteStringToFile(env_.get(), bytes, log).ok());
    }
    const Status status = OpenBoth();
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
    // Without the option a missing log is not noticed.
    options_.track_and_verify_wals_in_manifest = false;
    const Status unasked = OpenBoth();
    EXPECT_EQ(!cut, unasked.ok()) << unasked.ToString();
    db_.reset();
    options_.track_and_verify_wals_in_manifest = true;
    ASSERT_TRUE(
        DestroyDB(kName, options_,
                  {{kDefaultColumnFamilyName, options_}, {"other", options_}})
            .ok());
    written_ = 0;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
