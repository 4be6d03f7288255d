// SetDBOptions: what the database does with the changed values.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstring>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "env/timer.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/options.h"
#include "test/support/clocked_env.h"
#include "test/support/hooked_fs.h"
#include "test/support/manual_clock.h"
#include "test/support/ok.h"
#include "test/support/timer_turn.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// What reaches the files of one ending.
struct FileCalls {
  int appends = 0;
  int range_syncs = 0;
  int opens = 0;        // To read.
  FileOptions created;  // Of the last one that was made.
};

class WatchedFileSystem final : public test::HookedFileSystem {
 public:
  explicit WatchedFileSystem(const std::shared_ptr<FileSystem>& target)
      : HookedFileSystem(target, [this](const test::FileOp& op) {
          const engine::MutexLock lock(&mu_);
          FileCalls& calls = calls_[EndingOf(op.path)];
          if (op.kind == test::OpKind::kAppend) ++calls.appends;
          if (op.kind == test::OpKind::kRangeSync) ++calls.range_syncs;
          if (op.kind == test::OpKind::kOpenRead) ++calls.opens;
          return IOStatus::OK();
        }) {}

  const char* Name() const override { return "WatchedFileSystem"; }
  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<FSWritableFile>* r,
                           IODebugContext* dbg) override {
    {
      const engine::MutexLock lock(&mu_);
      calls_[EndingOf(path)].created = options;
    }
    return HookedFileSystem::NewWritableFile(path, options, r, dbg);
  }

  // Since the last question.
  FileCalls Take(const std::string& ending) {
    const engine::MutexLock lock(&mu_);
    return std::exchange(calls_[ending], {});
  }

 private:
  // ".sst", ".log", "MANIFEST", ...
  static std::string EndingOf(const std::string& path) {
    const std::string name = test::BaseName(path);
    const size_t dot = name.rfind('.');
    return dot != std::string::npos ? name.substr(dot)
                                    : name.substr(0, name.find('-'));
  }

  engine::Mutex mu_;
  std::map<std::string, FileCalls> calls_ GUARDED_BY(mu_);
};

class ChangedDbOptions : public ::testing::Test {
 protected:
  ChangedDbOptions() {
    options_.env = &env_;
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
  }

  void Open() { test::Ok(DB::Open(options_, "/db", &db_)); }
  void Set(const std::string& name, const std::string& value) {
    test::Ok(db_->SetDBOptions({{name, value}}));
  }
  // Four megabytes in blocks of four kilobytes.
  void Fill() {
    for (int i = 0; i < 4096; ++i) {
      test::Ok(db_->Put(WriteOptions(), "key" + std::to_string(10000 + i),
                        std::string(1024, 'v')));
    }
  }
  // The calls for the files with this ending.
  FileCalls Flush(const std::string& ending) {
    Fill();
    fs_->Take(ending);
    test::Ok(db_->Flush(FlushOptions()));
    return fs_->Take(ending);
  }
  FileCalls Compact(const std::string& ending) {
    CompactRangeOptions all;
    all.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    fs_->Take(ending);
    test::Ok(db_->CompactRange(all, nullptr, nullptr));
    return fs_->Take(ending);
  }

  const std::unique_ptr<Env> mem_{NewMemEnv(Env::Default())};
  const std::shared_ptr<WatchedFileSystem> fs_ =
      std::make_shared<WatchedFileSystem>(mem_->GetFileSystem());
  test::ClockedEnv env_{mem_.get(), fs_, mem_->GetSystemClock()};
  Options options_;
  std::unique_ptr<DB> db_;
};

// Counts the dumps of statistics, and can hold one up.
class DumpCounter final : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list /*arguments*/) override {
    if (std::strstr(format, "DUMPING STATS") == nullptr) return;
    ++dumps;
    if (!holds) return;
    begun.set_value();
    release.get_future().wait();
  }
  std::atomic<int> dumps{0};
  bool holds = false;  // The next dump, which is the only one then.
  std::promise<void> begun;
  std::promise<void> release;
};

class ChangedDumpPeriod : public ChangedDbOptions {
 protected:
  ChangedDumpPeriod() {
    options_.env = &clocked_;
    options_.info_log = log_;
  }
  ~ChangedDumpPeriod() override { db_.reset(); }

  // How often the statistics are dumped meanwhile.
  int DumpsIn(int seconds) {
    const int before = log_->dumps;
    for (int i = 0; i < seconds; ++i) {
      test::AdvanceTimer(clock_.get(), engine::TimerOf(&clocked_).get(),
                         1000 * 1000);
    }
    return log_->dumps - before;
  }

  const std::shared_ptr<DumpCounter> log_ = std::make_shared<DumpCounter>();
  const std::shared_ptr<test::ManualClock> clock_ =
      std::make_shared<test::ManualClock>(1000 * 1000,
                                          test::ManualClock::Sleep::kBlock);
  test::ClockedEnv clocked_{mem_.get(), fs_, clock_};
};

TEST_F(ChangedDumpPeriod, HoldsFromTheChangeOn) {
  options_.stats_dump_period_sec = 0;
  Open();
  EXPECT_EQ(0, DumpsIn(20));
  Set("stats_dump_period_sec", "5");
  EXPECT_EQ(4, DumpsIn(20));
  // Another option: the period goes on.
  EXPECT_EQ(0, DumpsIn(3));
  Set("max_background_jobs", "3");
  EXPECT_EQ(1, DumpsIn(4));
  Set("stats_dump_period_sec", "0");
  EXPECT_EQ(0, DumpsIn(20));
}

// Gives time to what should not happen. If it is too short, the test proves
// less, but does not fail.
void ShowsThatNothingHappens() {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

// Another thread waits for the same dump, because it has changed the period.
TEST_F(ChangedDumpPeriod, NoDumpRunsWhenBackgroundWorkHasEnded) {
  options_.stats_dump_period_sec = 5;
  Open();
  log_->holds = true;
  clock_->Advance(5 * 1000 * 1000);
  log_->begun.get_future().wait();
  std::thread change([this] {
    db_->SetDBOptions({{"stats_dump_period_sec", "0"}}).PermitUncheckedError();
  });
  ShowsThatNothingHappens();
  std::atomic<bool> released{false};
  std::thread release([&] {
    ShowsThatNothingHappens();
    released = true;
    log_->release.set_value();
  });
  CancelAllBackgroundWork(db_.get(), /*wait=*/true);
  EXPECT_TRUE(released);
  change.join();
  release.join();
}

TEST_F(ChangedDbOptions, ClosingFlushesAsTheySayThen) {
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  for (const bool flushes : {true, false}) {
    SCOPED_TRACE(flushes);
    const std::string key = flushes ? "kept" : "lost";
    options_.avoid_flush_during_shutdown = flushes;
    Open();
    Set("avoid_flush_during_shutdown", flushes ? "false" : "true");
    test::Ok(db_->Put(unlogged, key, "value"));
    test::Ok(db_->Close());
    Open();
    std::string value;
    const Status status = db_->Get(ReadOptions(), key, &value);
    EXPECT_EQ(flushes, status.ok()) << status.ToString();
    EXPECT_EQ(!flushes, status.IsNotFound()) << status.ToString();
    db_.reset();
  }
}

TEST_F(ChangedDbOptions, TablesAreWrittenBackAsTheySayNow) {
  Open();
  EXPECT_EQ(0, Flush(".sst").range_syncs);
  EXPECT_EQ(0, Compact(".sst").range_syncs);
  Set("bytes_per_sync", "65536");
  Set("strict_bytes_per_sync", "true");
  const FileCalls flush = Flush(".sst");
  EXPECT_LT(0, flush.range_syncs);
  EXPECT_TRUE(flush.created.strict_bytes_per_sync);
  const FileCalls compaction = Compact(".sst");
  EXPECT_LT(0, compaction.range_syncs);
  EXPECT_TRUE(compaction.created.strict_bytes_per_sync);
  Set("bytes_per_sync", "0");
  EXPECT_EQ(0, Flush(".sst").range_syncs);
  EXPECT_EQ(0, Compact(".sst").range_syncs);
}

TEST_F(ChangedDbOptions, BlobFilesAreWrittenBackAsTheySayNow) {
  options_.enable_blob_files = true;
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1;
  Open();
  EXPECT_EQ(0, Flush(".blob").range_syncs);
  Set("bytes_per_sync", "65536");
  EXPECT_LT(0, Flush(".blob").range_syncs);
  EXPECT_LT(0, Compact(".blob").range_syncs);
}

TEST_F(ChangedDbOptions, TheBuffersOfTablesAreAsTheySayNow) {
  Open();
  EXPECT_GT(100, Flush(".sst").appends);
  EXPECT_GT(100, Compact(".sst").appends);
  Set("writable_file_max_buffer_size", "0");
  EXPECT_LT(500, Flush(".sst").appends);
  EXPECT_LT(500, Compact(".sst").appends);
}

TEST_F(ChangedDbOptions, LogsThatBeginAreWrittenBackAsTheySayNow) {
  Open();
  Fill();
  EXPECT_EQ(0, fs_->Take(".log").range_syncs);
  Set("wal_bytes_per_sync", "65536");
  Fill();
  EXPECT_EQ(0, fs_->Take(".log").range_syncs) << "the log goes on as it began";
  test::Ok(db_->Flush(FlushOptions()));
  Fill();
  EXPECT_LT(0, fs_->Take(".log").range_syncs);
  Set("wal_bytes_per_sync", "0");
  test::Ok(db_->Flush(FlushOptions()));
  fs_->Take(".log");
  Fill();
  EXPECT_EQ(0, fs_->Take(".log").range_syncs);
}

TEST_F(ChangedDbOptions, TheBuffersOfLogsThatBeginAreAsTheySayNow) {
  options_.manual_wal_flush = true;
  Open();
  Fill();
  EXPECT_GT(100, fs_->Take(".log").appends);
  Set("writable_file_max_buffer_size", "8192");
  test::Ok(db_->Flush(FlushOptions()));
  fs_->Take(".log");
  Fill();
  EXPECT_LT(400, fs_->Take(".log").appends);
}

TEST_F(ChangedDbOptions, AManifestThatBeginsIsWrittenAsTheySayNow) {
  options_.max_manifest_file_size = 1;
  Open();
  Set("bytes_per_sync", "65536");
  Set("writable_file_max_buffer_size", "8192");
  fs_->Take("MANIFEST");
  for (int i = 0; i < 20; ++i) {
    test::Ok(db_->Put(WriteOptions(), "key" + std::to_string(i), "value"));
    test::Ok(db_->Flush(FlushOptions()));
  }
  const FileOptions created = fs_->Take("MANIFEST").created;
  EXPECT_EQ(65536u, created.bytes_per_sync);
  EXPECT_EQ(8192u, created.writable_file_max_buffer_size);
}

TEST_F(ChangedDbOptions, SlicesOfCompactionsGetThreads) {
  Open();
  // The pool may have grown before: it is that of all databases.
  const int slices = env_.GetBackgroundThreads(Env::LOW) + 7;
  Set("max_subcompactions", std::to_string(slices));
  EXPECT_LE(slices, env_.GetBackgroundThreads(Env::LOW));
}

class ChangedOpenFiles : public ChangedDbOptions {
 protected:
  static constexpr int kFiles = 100;

  ChangedOpenFiles() {
    options_.disable_auto_compactions = true;
    options_.level0_slowdown_writes_trigger = 1000;
    options_.level0_stop_writes_trigger = 1000;
  }

  // Tables, and with them blob files, of one key each.
  void WriteFiles(int from) {
    for (int i = from; i < from + kFiles; ++i) {
      test::Ok(db_->Put(WriteOptions(), std::to_string(i), "value"));
      test::Ok(db_->Flush(FlushOptions()));
    }
  }
  void ReadFiles(int from) {
    for (int i = from; i < from + kFiles; ++i) {
      std::string value;
      test::Ok(db_->Get(ReadOptions(), std::to_string(i), &value));
    }
  }
  // How many have to be opened, once those that can be open are.
  int Opened(int from, const std::string& ending) {
    ReadFiles(from);
    fs_->Take(ending);
    ReadFiles(from);
    return fs_->Take(ending).opens;
  }
};

TEST_F(ChangedOpenFiles, ALowerLimitClosesTables) {
  options_.max_open_files = 1000;
  Open();
  WriteFiles(0);
  EXPECT_EQ(0, Opened(0, ".sst"));
  Set("max_open_files", "30");
  EXPECT_LE(kFiles - 20, Opened(0, ".sst"));
  Set("max_open_files", "1000");
  EXPECT_EQ(0, Opened(0, ".sst"));
}

TEST_F(ChangedOpenFiles, WithoutALimitTablesStayOpen) {
  options_.max_open_files = 30;
  Open();
  WriteFiles(0);
  EXPECT_LE(kFiles - 20, Opened(0, ".sst"));
  Set("max_open_files", "-1");
  EXPECT_EQ(0, Opened(0, ".sst"));
  // What was opened meanwhile stays open, but no more than that.
  Set("max_open_files", "30");
  EXPECT_EQ(0, Opened(0, ".sst"));
  WriteFiles(kFiles);
  EXPECT_LE(kFiles - 20, Opened(kFiles, ".sst"));
}

TEST_F(ChangedOpenFiles, IteratorsKeepWhatIsClosed) {
  options_.max_open_files = 1000;
  Open();
  WriteFiles(0);
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  it->SeekToFirst();
  for (const char* limit : {"20", "-1", "500", "20"}) {
    Set("max_open_files", limit);
  }
  int keys = 0;
  for (; it->Valid(); it->Next()) ++keys;
  test::Ok(it->status());
  EXPECT_EQ(kFiles, keys);
}

TEST_F(ChangedOpenFiles, BlobFilesAreAmongThem) {
  options_.enable_blob_files = true;
  options_.max_open_files = 1000;
  Open();
  WriteFiles(0);
  EXPECT_EQ(0, Opened(0, ".blob"));
  Set("max_open_files", "30");
  EXPECT_LE(kFiles - 20, Opened(0, ".blob"));
  Set("max_open_files", "-1");
  EXPECT_EQ(0, Opened(0, ".blob"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
