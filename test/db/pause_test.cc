// Compactions that are paused and resumed: who gets the slot, what becomes of
// a paused job when the database changes around it, and that its outcome is
// the one of a job that was left alone.

#include <algorithm>
#include <atomic>
#include <ctime>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "gtest/gtest.h"
#include "rocksdb/convenience.h"
#include "rocksdb/listener.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "test/db/pause_fixture.h"
#include "test/support/clocked_env.h"
#include "test/support/error_fs.h"
#include "test/support/manual_clock.h"
#include "test/support/temp_dir.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using State = JobProgressInfo::State;

// Level 0 to base as soon as there are two files, in one slot.
void MakeSmall(Options* options) {
  options->compression = kNoCompression;
  options->write_buffer_size = 64 << 20;
  options->target_file_size_base = 256 << 10;
  options->level0_file_num_compaction_trigger = 2;
  options->max_background_jobs = 2;
}

class DbPauseTest : public ::testing::Test {
 protected:
  DbPauseTest() : env_(NewMemEnv(Env::Default())) { MakeSmall(&db_.options()); }
  void Open() { ASSERT_NO_FATAL_FAILURE(db_.Open(env_.get(), "/db")); }

  // Starts a compaction of two files and pauses it in the middle.
  void StartAndPause() {
    db_.AddFile(0, kKeys, 2, 100);
    db_.watch().At(kKeys, [this] { db_.PauseAll(); });
    db_.AddFile(1, kKeys, 2, 100);
    ASSERT_TRUE(db_.AwaitPaused());
  }
  void ExpectAllKeys(int keys = 2 * kKeys) {
    const auto rows = db_.Rows();
    EXPECT_EQ(static_cast<size_t>(keys), rows.size());
    for (int i = 0; i < keys; ++i) {
      const auto it = rows.find(PausableDb::Key(i));
      ASSERT_TRUE(it != rows.end()) << i;
      ASSERT_EQ(PausableDb::Value(i, 100), it->second);
    }
  }
  // Nothing is left behind by a job that did not end well.
  void ExpectNoOrphans() {
    std::vector<LiveFileMetaData> live;
    db_->GetLiveFilesMetaData(&live);
    EXPECT_TRUE(AwaitTableFiles(env_.get(), "/db", live.size()));
  }

  static constexpr int kKeys = 5000;
  std::unique_ptr<Env> env_;
  PausableDb db_;
};

TEST_F(DbPauseTest, APausedJobHoldsNoSlotAndKeepsItsFiles) {
  Open();
  StartAndPause();
  EXPECT_EQ(0, db_.slots_taken());
  const auto jobs = db_.Jobs();
  ASSERT_EQ(1u, jobs.size());
  EXPECT_EQ(State::kPaused, jobs[0].state);
  EXPECT_EQ(JobClass::kRuns, jobs[0].job_class);
  EXPECT_EQ(0, jobs[0].start_level);
  EXPECT_EQ(2, jobs[0].level0_files_gone);
  EXPECT_EQ(1u, jobs[0].pauses);
  EXPECT_FALSE(jobs[0].is_manual);
  EXPECT_GT(jobs[0].input_bytes, 2u * kKeys * 100);
  EXPECT_GT(jobs[0].progress_bytes, jobs[0].input_bytes / 3);
  EXPECT_LT(jobs[0].progress_bytes, jobs[0].input_bytes * 2 / 3);
  EXPECT_GT(jobs[0].written_bytes, 0u);
  EXPECT_NEAR(static_cast<double>(jobs[0].predicted_output_bytes),
              static_cast<double>(jobs[0].input_bytes),
              static_cast<double>(jobs[0].input_bytes) * 0.3);
  // Time stands still for it.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(jobs[0].micros_running, db_.Jobs()[0].micros_running);
  EXPECT_EQ("2", db_.Property("rocksdb.num-files-at-level0"));
  ExpectAllKeys();

  db_.ResumeAll();
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ("0", db_.Property("rocksdb.num-files-at-level0"));
  EXPECT_TRUE(db_.Jobs().empty());
  ExpectAllKeys();
  ExpectNoOrphans();
}

TEST_F(DbPauseTest, FlushesGoOnBesideAPausedJob) {
  Open();
  StartAndPause();
  for (int i = 0; i < 5; ++i) {
    db_.AddFile(2 * kKeys + i * 100, 100, 1, 100);
  }
  EXPECT_EQ("7", db_.Property("rocksdb.num-files-at-level0"));
  EXPECT_EQ(1, db_.paused());
  db_.ResumeAll();
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  ExpectAllKeys(2 * kKeys + 500);
}

TEST_F(DbPauseTest, FilesThatAReaderHeldGoBesideAPausedJob) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(db_.options(), "other", &other).ok());
  ASSERT_TRUE(db_->Put(WriteOptions(), other, "a", "1").ok());
  ASSERT_TRUE(db_->Flush(FlushOptions(), other).ok());
  std::vector<LiveFileMetaData> live;
  db_->GetLiveFilesMetaData(&live);
  ASSERT_EQ(1u, live.size());
  const std::string path = live[0].db_path + live[0].name;
  std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions(), other));
  ASSERT_TRUE(db_->DropColumnFamily(other).ok());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
  StartAndPause();
  EXPECT_TRUE(env_->FileExists(path).ok());
  it.reset();
  EXPECT_TRUE(
      PausableDb::Await([&] { return env_->FileExists(path).IsNotFound(); }));
  EXPECT_EQ(1, db_.paused());
}

// The time of compactions is the time they ran.
TEST_F(DbPauseTest, StatisticsDoNotCountPauses) {
  const auto clock =
      std::make_shared<ManualClock>(1000 * 1000, ManualClock::Sleep::kBlock);
  env_ = std::make_unique<ClockedEnv>(
      Env::Default(), std::make_shared<engine::MemFileSystem>(), clock);
  db_.options().statistics = CreateDBStatistics();
  Open();
  db_.AddFile(0, kKeys, 2, 100);
  db_.watch().At(kKeys, [&] {
    clock->Advance(5000);
    db_.PauseAll();
  });
  db_.AddFile(1, kKeys, 2, 100);
  ASSERT_TRUE(db_.AwaitPaused());
  EXPECT_EQ(5000u, db_.Jobs()[0].micros_running);
  clock->Advance(300 * 1000);
  EXPECT_EQ(5000u, db_.Jobs()[0].micros_running);
  db_.ResumeAll();
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  HistogramData times;
  db_.options().statistics->histogramData(COMPACTION_TIME, &times);
  EXPECT_EQ(1u, times.count);
  EXPECT_EQ(5000, times.max);
}

// ------------------------------------------------------------------ the slot

// Counts what begins and ends, by input level.
class Begun final : public EventListener {
 public:
  void OnCompactionBegin(DB*, const CompactionJobInfo& info) override {
    std::lock_guard lock(mu_);
    text_ += "L" + std::to_string(info.base_input_level) + " ";
  }
  void OnCompactionCompleted(DB*, const CompactionJobInfo& info) override {
    std::lock_guard lock(mu_);
    text_ += "/L" + std::to_string(info.base_input_level) + " ";
  }
  std::string text() const {
    std::lock_guard lock(mu_);
    return text_;
  }

 private:
  mutable std::mutex mu_;
  std::string text_;
};

class DbPreemptTest : public DbPauseTest {
 protected:
  DbPreemptTest() {
    Options& options = db_.options();
    options.listeners = {begun_};
    options.level_compaction_dynamic_level_bytes = false;
    options.max_bytes_for_level_base = 64 << 10;
    options.target_file_size_base = 4 << 20;
    // One slot, whatever the pressure.
    options.max_background_compactions = 1;
    options.max_background_flushes = 1;
  }
  // A level 1 far too large, beside a level 2, and its compaction just begun.
  void StartDebt(std::function<void()> at_middle) {
    db_.Allow({INT_MAX, 0, INT_MAX});
    db_.AddFile(0, kKeys, 2, 100);
    db_.AddFile(1, kKeys, 2, 100);
    ASSERT_TRUE(PausableDb::Await(
        [&] { return db_.Property("rocksdb.num-files-at-level1") == "1"; }));
    db_.ResumeAll();
    ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
    db_.Allow({INT_MAX, 0, INT_MAX});
    db_.AddFile(0, kKeys, 2, 100);
    db_.AddFile(1, kKeys, 2, 100);
    ASSERT_TRUE(PausableDb::Await([&] {
      return db_.Property("rocksdb.num-files-at-level1") == "1" &&
             db_.slots_taken() == 0;
    }));
    db_.watch().At(kKeys, std::move(at_middle));
  }

  std::shared_ptr<Begun> begun_ = std::make_shared<Begun>();
};

TEST_F(DbPreemptTest, PreemptionLetsRunsPassDebtAndDebtEndsLater) {
  ColumnFamilyHandle* other = nullptr;
  Open();
  ASSERT_TRUE(db_->CreateColumnFamily(db_.options(), "other", &other).ok());
  std::atomic<bool> held{false};
  std::atomic<bool> released{false};
  StartDebt([&] {
    held = true;
    while (!released) std::this_thread::yield();
  });
  db_.Allow({}, /*preempt=*/true);
  ASSERT_TRUE(PausableDb::Await([&] { return held.load(); }));
  const size_t before = begun_->text().size();
  // The second file makes level 0 of the other family due.
  db_.AddFile(0, 1000, 2, 100, other);
  db_.AddFile(1, 1000, 2, 100, other);
  released = true;
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  // Level 0 began and ended before the debt did.
  const std::string after = begun_->text().substr(before);
  EXPECT_TRUE(after.starts_with("L0 /L0 ")) << after;
  EXPECT_NE(std::string::npos, after.find("/L1 ")) << after;
  ExpectAllKeys();
  EXPECT_EQ(2000u, db_.Rows(other).size());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
}

// ------------------------------------------------- changes around a paused job

TEST_F(DbPauseTest, ClosingEndsPausedJobsAndLeavesNothingBehind) {
  Open();
  StartAndPause();
  ASSERT_TRUE(db_->Close().ok());
  db_.Close();
  EXPECT_EQ(2u, TableFiles(env_.get(), "/db").size());
  Open();
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  ExpectAllKeys();
}

TEST_F(DbPauseTest, CancellingWithoutWaitingAndClosingLaterDoesNotHang) {
  Open();
  StartAndPause();
  CancelAllBackgroundWork(db_.get(), /*wait=*/false);
  EXPECT_EQ(1, db_.paused());
  CancelAllBackgroundWork(db_.get(), /*wait=*/true);
  EXPECT_TRUE(db_.Jobs().empty());
  db_.Close();
  EXPECT_EQ(2u, TableFiles(env_.get(), "/db").size());
}

TEST_F(DbPauseTest, CancellingByManyThreadsAtOnceEndsEverythingOnce) {
  for (int round = 0; round < 20; ++round) {
    Open();
    StartAndPause();
    std::latch all_here(4);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        all_here.arrive_and_wait();
        CancelAllBackgroundWork(db_.get(), /*wait=*/true);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(db_.Jobs().empty());
    db_.Close();
    EXPECT_EQ(2u, TableFiles(env_.get(), "/db").size());
    ASSERT_TRUE(DestroyDB("/db", db_.options()).ok());
  }
}

TEST_F(DbPauseTest, DroppingTheFamilyEndsItsPausedJobs) {
  Open();
  ColumnFamilyHandle* other = nullptr;
  ASSERT_TRUE(db_->CreateColumnFamily(db_.options(), "other", &other).ok());
  db_.AddFile(0, kKeys, 2, 100, other);
  db_.watch().At(kKeys, [this] { db_.PauseAll(); });
  db_.AddFile(1, kKeys, 2, 100, other);
  ASSERT_TRUE(db_.AwaitPaused());
  ASSERT_TRUE(db_->DropColumnFamily(other).ok());
  EXPECT_TRUE(db_.Jobs().empty());
  ASSERT_TRUE(db_->DestroyColumnFamilyHandle(other).ok());
  EXPECT_TRUE(AwaitTableFiles(env_.get(), "/db", 0));
  EXPECT_EQ("0", db_.Property("rocksdb.background-errors"));
  db_.ResumeAll();
  db_.AddFile(0, 10, 1, 100);
  EXPECT_EQ(10u, db_.Rows().size());
}

TEST_F(DbPauseTest, PauseBackgroundWorkDoesNotWaitForPausedJobs) {
  Open();
  StartAndPause();
  ASSERT_TRUE(db_->PauseBackgroundWork().ok());
  db_.ResumeAll();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(1, db_.paused());
  ASSERT_TRUE(db_->ContinueBackgroundWork().ok());
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  ExpectAllKeys();
}

// A resumed job fails where a running one would, and a new one does its work.
TEST(DbPauseErrorTest, AnErrorInAResumedJobIsReportedAndLosesNothing) {
  auto fs = std::make_shared<ErrorFileSystem>(
      std::make_shared<engine::MemFileSystem>());
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  PausableDb db;
  MakeSmall(&db.options());
  db.options().max_bgerror_resume_count = 0;
  ASSERT_NO_FATAL_FAILURE(db.Open(env.get(), "/db"));
  for (const char* rule : {"(ErrNoSpace (And append (PathMatch \"*.sst\")))",
                           "(ErrNoSpace (And sync (PathMatch \"*.sst\")))",
                           "(ErrNoSpace (And create (PathMatch \"*.sst\")))",
                           "(ErrNoSpace sync_dir)"}) {
    SCOPED_TRACE(rule);
    db.PauseAll();
    db.AddFile(0, 5000, 2, 100);
    db.AddFile(1, 5000, 2, 100);
    db.watch().At(5000, [&] { db.PauseAll(); });
    db.ResumeAll();
    ASSERT_TRUE(db.AwaitPaused());
    ASSERT_TRUE(fs->SetRule(rule).ok());
    db.ResumeAll();
    const Status waited = db->WaitForCompact(WaitForCompactOptions());
    EXPECT_FALSE(waited.ok());
    EXPECT_TRUE(PausableDb::Await([&] { return db.Jobs().empty(); }));
    EXPECT_GT(fs->injected(), 0u);
    fs->ClearRule();
    const Status resumed = db->Resume();
    ASSERT_TRUE(resumed.ok()) << resumed.ToString();
    ASSERT_TRUE(db->WaitForCompact(WaitForCompactOptions()).ok());
    EXPECT_EQ(10000u, db.Rows().size());
    EXPECT_EQ("0", db.Property("rocksdb.num-files-at-level0"));
    std::vector<LiveFileMetaData> live;
    db->GetLiveFilesMetaData(&live);
    EXPECT_TRUE(AwaitTableFiles(env.get(), "/db", live.size()));
  }
}

TEST(DbPauseErrorTest, AJobStaysPausedWhileTheDatabaseIsStopped) {
  auto fs = std::make_shared<ErrorFileSystem>(
      std::make_shared<engine::MemFileSystem>());
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  PausableDb db;
  MakeSmall(&db.options());
  db.options().max_bgerror_resume_count = 0;
  ASSERT_NO_FATAL_FAILURE(db.Open(env.get(), "/db"));
  db.AddFile(0, 5000, 2, 100);
  db.watch().At(5000, [&] { db.PauseAll(); });
  db.AddFile(1, 5000, 2, 100);
  ASSERT_TRUE(db.AwaitPaused());
  ASSERT_TRUE(
      fs->SetRule("(ErrNoSpace (And append (PathMatch \"*.sst\")))").ok());
  ASSERT_TRUE(db->Put(WriteOptions(), "key", "value").ok());
  EXPECT_FALSE(db->Flush(FlushOptions()).ok());
  db.ResumeAll();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(1, db.paused());
  fs->ClearRule();
  ASSERT_TRUE(db->Resume().ok());
  ASSERT_TRUE(db->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ(10001u, db.Rows().size());
}

// -----------------------------------------------------------------
// CompactRange

class DbPauseManualTest : public DbPauseTest {
 protected:
  // A CompactRange in a thread of its own, paused in the middle.
  void StartManual(std::atomic<bool>* canceled = nullptr) {
    db_.options().disable_auto_compactions = true;
    Open();
    db_.AddFile(0, kKeys, 2, 100);
    db_.AddFile(1, kKeys, 2, 100);
    db_.watch().At(kKeys, [this] { db_.PauseAll(); });
    thread_ = std::thread([this, canceled] {
      CompactRangeOptions options;
      options.canceled = canceled;
      options.exclusive_manual_compaction = false;
      outcome_ = db_->CompactRange(options, nullptr, nullptr);
    });
    ASSERT_TRUE(db_.AwaitPaused());
    EXPECT_TRUE(db_.Jobs()[0].is_manual);
    EXPECT_EQ(JobClass::kMaintenance, db_.Jobs()[0].job_class);
  }
  Status Outcome() {
    thread_.join();
    return outcome_;
  }

  std::thread thread_;
  Status outcome_;
};

TEST_F(DbPauseManualTest, ItsCallerWaitsUntilItIsResumed) {
  ASSERT_NO_FATAL_FAILURE(StartManual());
  db_.ResumeAll();
  const Status status = Outcome();
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("0", db_.Property("rocksdb.num-files-at-level0"));
  ExpectAllKeys();
  ExpectNoOrphans();
}

TEST_F(DbPauseManualTest, DisablingEndsItWhilePaused) {
  ASSERT_NO_FATAL_FAILURE(StartManual());
  db_->DisableManualCompaction();
  const Status status = Outcome();
  EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
  EXPECT_EQ("2", db_.Property("rocksdb.num-files-at-level0"));
  ExpectAllKeys();
  ExpectNoOrphans();
}

TEST_F(DbPauseManualTest, ItsCanceledFlagEndsItWhilePaused) {
  std::atomic<bool> canceled{false};
  ASSERT_NO_FATAL_FAILURE(StartManual(&canceled));
  canceled = true;
  const Status status = Outcome();
  EXPECT_TRUE(status.IsManualCompactionPaused()) << status.ToString();
  ExpectNoOrphans();
}

TEST_F(DbPauseManualTest, CancellingEverythingEndsItWhilePaused) {
  ASSERT_NO_FATAL_FAILURE(StartManual());
  CancelAllBackgroundWork(db_.get(), /*wait=*/true);
  const Status status = Outcome();
  EXPECT_TRUE(status.IsShutdownInProgress()) << status.ToString();
  ExpectNoOrphans();
}

// It needs the files of the paused job, so that job goes on although its class
// may not run.
TEST_F(DbPauseTest, AnExclusiveManualCompactionLetsPausedJobsEnd) {
  Open();
  StartAndPause();
  db_.Allow({0, 0, INT_MAX});
  CompactRangeOptions options;
  options.exclusive_manual_compaction = true;
  const Status status = db_->CompactRange(options, nullptr, nullptr);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_TRUE(db_.Jobs().empty());
  ExpectAllKeys();
}

// ------------------------------------------------------------------- the bytes

// What the data blocks of all tables hold, in key order. The rest of a file
// names times and sessions.
std::vector<std::string> DataOf(PausableDb* db, Env* env) {
  std::vector<std::string> data;
  const auto version =
      db->impl()->state()->families->default_family()->versions()->current();
  for (int level = 0; level < version->num_levels(); ++level) {
    for (const engine::FilePtr& file : version->files(level)) {
      std::string bytes;
      EXPECT_TRUE(ReadFileToString(env, file->Path(), &bytes).ok());
      EXPECT_GT(file->tail_bytes, 0u);
      bytes.resize(bytes.size() - file->tail_bytes);
      data.push_back("L" + std::to_string(level) + ":" + bytes);
    }
  }
  return data;
}

std::vector<std::string> RunWithPauses(int pause_every, uint32_t slices) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  PausableDb db;
  MakeSmall(&db.options());
  db.options().disable_auto_compactions = true;
  db.options().max_subcompactions = slices;
  db.Open(env.get(), "/db");
  constexpr int kKeys = 4000;
  for (int i = 0; i < 4; ++i) db.AddFile(i, kKeys, 3, 100);
  for (int i = 0; i < kKeys; i += 3) {
    EXPECT_TRUE(db->Delete(WriteOptions(), PausableDb::Key(i)).ok());
  }
  EXPECT_TRUE(db->Flush(FlushOptions()).ok());
  const auto pause = [&] { db.PauseAll(); };
  if (pause_every > 0) db.watch().At(1, pause);
  EXPECT_TRUE(db->EnableAutoCompaction({db->DefaultColumnFamily()}).ok());
  int pauses = 0;
  if (pause_every > 0) {
    EXPECT_TRUE(db.AwaitPaused());
  }
  while (pause_every > 0) {
    if (!PausableDb::Await([&] {
          return (db.paused() > 0 && db.slots_taken() == 0) ||
                 db.Jobs().empty();
        })) {
      ADD_FAILURE() << "neither paused nor ended";
      break;
    }
    if (db.Jobs().empty()) break;
    ++pauses;
    db.watch().At(static_cast<uint64_t>(pause_every), pause);
    db.ResumeAll();
  }
  // Slices go on while another one asks for the pause.
  EXPECT_TRUE(pause_every == 0 || pauses > (slices == 1 ? 10 : 0)) << pauses;
  db.ResumeAll();
  EXPECT_TRUE(db->WaitForCompact(WaitForCompactOptions()).ok());
  return DataOf(&db, env.get());
}

TEST(DbPauseBytesTest, PausingChangesNothingInTheOutcome) {
  const auto whole = RunWithPauses(0, 1);
  EXPECT_GT(whole.size(), 2u);
  EXPECT_EQ(whole, RunWithPauses(701, 1));
  const auto sliced = RunWithPauses(0, 3);
  EXPECT_GE(sliced.size(), 3u);
  EXPECT_EQ(sliced, RunWithPauses(701, 3));
}

// --------------------------------------------------------------------- latency

// Pauses a big compaction again and again: milliseconds of CPU spent from the
// wish until the slot is free, ascending. Prints the time that passed, which
// on a machine with other things to do is mostly theirs.
std::vector<double> PauseCpuMillis(Env* env, const std::string& path) {
  PausableDb db;
  MakeSmall(&db.options());
  db.options().target_file_size_base = 8 << 20;
  db.options().disable_auto_compactions = true;
  db.Open(env, path);
  for (int i = 0; i < 4; ++i) db.AddFile(i, 20000, 4, 400);
  db.watch().At(100, [&] { db.PauseAll(); });
  EXPECT_TRUE(db->EnableAutoCompaction({db->DefaultColumnFamily()}).ok());
  EXPECT_TRUE(db.AwaitPaused());
  std::vector<double> millis;
  std::vector<double> cpu_millis;
  // The job stands at an entry until it has been asked to pause: it does not
  // end before a thread that is late can ask.
  std::atomic<bool> stands{false};
  std::atomic<bool> asked{false};
  while (millis.size() < 20) {
    stands = false;
    asked = false;
    db.watch().At(500, [&] {
      stands = true;
      while (!asked) std::this_thread::yield();
    });
    db.ResumeAll();
    EXPECT_TRUE(
        PausableDb::Await([&] { return stands.load() || db.Jobs().empty(); }));
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu_start = std::clock();
    db.PauseAll();
    const uint64_t seen_before = db.watch().seen();
    asked = true;
    EXPECT_TRUE(PausableDb::Await([&] { return db.slots_taken() == 0; }));
    const std::clock_t cpu = std::clock() - cpu_start;
    const std::chrono::duration<double, std::milli> took =
        std::chrono::steady_clock::now() - start;
    if (db.paused() == 0) break;  // It has ended.
    // The entry at hand, and no other.
    EXPECT_LE(db.watch().seen(), seen_before + 1);
    millis.push_back(took.count());
    cpu_millis.push_back(static_cast<double>(cpu) * 1e3 / CLOCKS_PER_SEC);
  }
  db.ResumeAll();
  EXPECT_TRUE(db->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ(80000u, db.Rows().size());
  std::sort(millis.begin(), millis.end());
  if (!millis.empty()) {
    std::printf("%zu pauses, median %.3f ms, worst %.3f ms\n", millis.size(),
                millis[millis.size() / 2], millis.back());
  }
  std::sort(cpu_millis.begin(), cpu_millis.end());
  return cpu_millis;
}

void ExpectFast(const std::vector<double>& cpu_millis) {
  ASSERT_GT(cpu_millis.size(), 3u);
  EXPECT_LT(cpu_millis[cpu_millis.size() / 2], 10);
}

TEST(DbPauseLatencyTest, TheSlotIsFreeWithinTenMilliseconds) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  ExpectFast(PauseCpuMillis(env.get(), "/db"));
  TempDir dir;
  ExpectFast(PauseCpuMillis(Env::Default(), dir.File("db")));
}

// Entries that are dropped are places to pause, too. The one that is shown
// comes first.
TEST_F(DbPauseTest, AJobThatShowsNothingMoreCanBePaused) {
  Open();
  db_.PauseAll();
  const Snapshot* const snapshot = db_->GetSnapshot();  // They are flushed.
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(db_->Put(WriteOptions(), "a", "first").ok());
    for (int i = 0; i < 20000; ++i) {
      ASSERT_TRUE(db_->Delete(WriteOptions(), PausableDb::Key(i)).ok());
    }
    ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
  }
  db_->ReleaseSnapshot(snapshot);
  db_.watch().At(1, [this] { db_.PauseAll(); });
  db_.ResumeAll();
  ASSERT_TRUE(db_.AwaitPaused());
  EXPECT_LT(db_.Jobs()[0].progress_bytes, db_.Jobs()[0].input_bytes / 10);
  db_.ResumeAll();
  ASSERT_TRUE(db_->WaitForCompact(WaitForCompactOptions()).ok());
  EXPECT_EQ(1u, db_.Rows().size());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
