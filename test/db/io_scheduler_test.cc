// DBOptions::io_scheduler: what is counted, what is refused, what is stored.

#include "rocksdb/io_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/statistics.h"
#include "rocksdb/utilities/backup_engine.h"
#include "rocksdb/utilities/checkpoint.h"
#include "rocksdb/utilities/options_util.h"
#include "test/support/hooked_fs.h"
#include "test/support/ok.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr const char* kProfile =
    "disks:\n"
    "  - mountpoint: /\n"
    "    read_iops: 50000\n"
    "    read_bandwidth: 500MB\n"
    "    write_iops: 50000\n"
    "    write_bandwidth: 500MB\n"
    "    rate_factor: 0.9\n";

class IoSchedulerOfDb : public ::testing::Test {
 protected:
  IoSchedulerOfDb() {
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.statistics = CreateDBStatistics();
    scheduler_.profile_path = dir_.File("disk.yaml");
    WriteProfile(kProfile);
  }
  void WriteProfile(const std::string& text) {
    test::Ok(WriteStringToFile(Env::Default(), text, dir_.File("disk.yaml")));
  }
  Status TryOpen() {
    db_.reset();
    options_.io_scheduler = NewIOScheduler(scheduler_);
    return DB::Open(options_, dir_.File("db"), &db_);
  }
  void Fill() {
    const std::string value(1000, 'v');
    WriteOptions synced;
    synced.sync = true;
    for (int i = 0; i < 2000; ++i) {
      test::Ok(db_->Put(i % 500 == 0 ? synced : WriteOptions(),
                        "key" + std::to_string(i), value));
    }
    test::Ok(db_->Flush(FlushOptions()));
  }
  uint64_t Figure(const std::string& name) {
    std::map<std::string, std::string> map;
    EXPECT_TRUE(db_->GetMapProperty("rocksdb.io-scheduler", &map));
    return map.count(name) == 0 ? 0 : std::stoull(map[name]);
  }
  // The one sentence that an open is refused with.
  std::string Refusal() {
    const Status status = TryOpen();
    EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
    return status.ToString();
  }

  test::TempDir dir_;
  Options options_;
  IOSchedulerOptions scheduler_;
  std::unique_ptr<DB> db_;
};

TEST_F(IoSchedulerOfDb, CountsEveryClass) {
  test::Ok(TryOpen());
  Fill();
  Fill();
  test::Ok(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  test::Ok(TryOpen());
  std::string value;
  test::Ok(db_->Get(ReadOptions(), "key77", &value));
  EXPECT_GT(Figure("reads.bytes"), 0u);
  Fill();
  EXPECT_GE(Figure("log.bytes"), 2000000u);
  EXPECT_GE(Figure("log.ops"), 4u) << "every sync is one";
  EXPECT_GE(Figure("flush.bytes"), 2000000u);
  test::Ok(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  EXPECT_GE(
      Figure("runs.bytes") + Figure("debt.bytes") + Figure("maintenance.bytes"),
      2000000u);
  const Statistics& statistics = *options_.statistics;
  EXPECT_GE(statistics.getTickerCount(IO_SCHEDULER_LOG_BYTES), 6000000u);
  EXPECT_GT(statistics.getTickerCount(IO_SCHEDULER_USER_READ_OPS), 0u);
  EXPECT_GT(statistics.getTickerCount(IO_SCHEDULER_FLUSH_DISK_MICROS), 0u);
  std::string text;
  ASSERT_TRUE(db_->GetProperty("rocksdb.io-scheduler", &text));
  EXPECT_NE(text.find("writes 500.0 MB/s"), std::string::npos) << text;
  EXPECT_NE(text.find("flush "), std::string::npos) << text;
}

TEST_F(IoSchedulerOfDb, CountsReadsOfBlobFiles) {
  options_.enable_blob_files = true;
  test::Ok(TryOpen());
  Fill();
  test::Ok(TryOpen());
  const uint64_t before = Figure("reads.bytes");
  std::string value;
  for (int i = 0; i < 100; ++i) {
    test::Ok(db_->Get(ReadOptions(), "key" + std::to_string(i), &value));
  }
  EXPECT_GE(Figure("reads.bytes") - before, 100000u);
}

TEST_F(IoSchedulerOfDb, CountsWhatIteratorsReadAhead) {
  options_.use_direct_reads = true;
  test::Ok(TryOpen());
  Fill();
  test::Ok(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
  test::Ok(TryOpen());
  ReadOptions scan;
  scan.async_io = true;
  scan.readahead_size = 64 << 10;
  scan.fill_cache = false;
  const uint64_t before = Figure("reads.bytes");
  uint64_t bytes = 0;
  const std::unique_ptr<Iterator> it(db_->NewIterator(scan));
  for (it->SeekToFirst(); it->Valid(); it->Next()) bytes += it->value().size();
  test::Ok(it->status());
  EXPECT_GE(Figure("reads.bytes") - before, bytes);
}

TEST_F(IoSchedulerOfDb, HoldsTheTotalAtK) {
  scheduler_.profile_path.clear();
  scheduler_.profile =
      "disks:\n  - mountpoint: /\n    read_iops: 5000\n"
      "    read_bandwidth: 20MB\n    write_iops: 5000\n"
      "    write_bandwidth: 20MB\n";
  test::Ok(TryOpen());
  const uint64_t start = Env::Default()->NowMicros();
  const std::string value(1000, 'v');
  WriteOptions unlogged;
  unlogged.disableWAL = true;
  for (int i = 0; i < 10000; ++i) {
    test::Ok(db_->Put(unlogged, std::to_string(i), value));
  }
  test::Ok(db_->Flush(FlushOptions()));
  const uint64_t took = Env::Default()->NowMicros() - start;
  EXPECT_GE(took, 450000u) << "10 MB at 20 MB/s";
}

class IoSchedulerOfBatches : public IoSchedulerOfDb {
 protected:
  // A hundred keys; most are too far from each other for one read to hold two.
  IoSchedulerOfBatches() {
    for (int i = 0; i < 100; ++i) {
      names_.push_back("key" + std::to_string(20 * i));
    }
    std::sort(names_.begin(), names_.end());
  }
  void OpenFilled(const std::string& reads_per_second) {
    scheduler_.profile_path.clear();
    scheduler_.profile =
        "disks:\n  - mountpoint: /\n    read_iops: " + reads_per_second +
        "\n    read_bandwidth: 200MB\n    write_iops: 5000\n"
        "    write_bandwidth: 200MB\n";
    options_.use_direct_reads = true;
    test::Ok(TryOpen());
    Fill();
    test::Ok(TryOpen());
  }
  std::vector<Status> Get(const ReadOptions& read) {
    const std::vector<Slice> keys(names_.begin(), names_.end());
    std::vector<PinnableSlice> values(keys.size());
    std::vector<Status> statuses(keys.size());
    db_->MultiGet(read, db_->DefaultColumnFamily(), keys.size(), keys.data(),
                  values.data(), statuses.data(), /*sorted_input=*/true);
    return statuses;
  }

  std::vector<std::string> names_;
};

// A batch of a hundred reads on a disk of 200 per second: not all at once.
TEST_F(IoSchedulerOfBatches, HoldsTheirReadsAtK) {
  OpenFilled("200");
  for (const bool async_io : {false, true}) {
    ReadOptions read;
    read.async_io = async_io;
    read.fill_cache = false;
    const uint64_t before = Figure("reads.ops");
    const uint64_t start = Env::Default()->NowMicros();
    for (const Status& status : Get(read)) test::Ok(status);
    const uint64_t took = Env::Default()->NowMicros() - start;
    EXPECT_GE(took, 250000u) << "a hundred at 200 per second";
    EXPECT_GE(Figure("reads.ops") - before, 10u) << "of a few reads each";
  }
}

// No turn waits longer than 100 ms, so a hundred at 20 per second take 1.5 s.
TEST_F(IoSchedulerOfBatches, KeepTheirDeadlineBetweenTurns) {
  OpenFilled("20");
  ReadOptions read;
  read.fill_cache = false;
  read.deadline =
      std::chrono::microseconds(Env::Default()->NowMicros() + 600'000);
  int late = 0;
  for (const Status& status : Get(read)) {
    late += status.IsTimedOut();
    EXPECT_TRUE(status.ok() || status.IsTimedOut()) << status.ToString();
  }
  EXPECT_LT(0, late);
  EXPECT_GT(100, late);
}

// The next opening has the profile: it would measure for an hour.
TEST_F(IoSchedulerOfDb, MeasuresTheDiskAtItsFirstOpening) {
  scheduler_.profile_path = dir_.File("measured.yaml");
  scheduler_.measure_if_missing = true;
  scheduler_.measure_seconds = 1;
  const Status opened = TryOpen();
  if (opened.ToString().find("cannot measure the disk of") !=
      std::string::npos) {
    GTEST_SKIP() << opened.ToString();
  }
  test::Ok(opened);
  std::string measured;
  test::Ok(
      ReadFileToString(Env::Default(), scheduler_.profile_path, &measured));
  EXPECT_NE(measured.find("write_bandwidth: "), std::string::npos) << measured;
  Fill();

  scheduler_.measure_seconds = 3600;
  test::Ok(TryOpen());
  std::string again;
  test::Ok(ReadFileToString(Env::Default(), scheduler_.profile_path, &again));
  EXPECT_EQ(measured, again);
}

// So a disk that was full, or a profile that was mended, needs no new object.
TEST_F(IoSchedulerOfDb, AnOpeningAfterOneThatFailedTriesAgain) {
  WriteProfile("disks:\n");
  options_.io_scheduler = NewIOScheduler(scheduler_);
  EXPECT_TRUE(DB::Open(options_, dir_.File("db"), &db_).IsInvalidArgument());
  WriteProfile(kProfile);
  test::Ok(DB::Open(options_, dir_.File("db"), &db_));
  Fill();
}

TEST_F(IoSchedulerOfDb, IsSharedByDatabases) {
  options_.io_scheduler = NewIOScheduler(scheduler_);
  std::unique_ptr<DB> other;
  test::Ok(DB::Open(options_, dir_.File("db"), &db_));
  test::Ok(DB::Open(options_, dir_.File("other"), &other));
  Fill();
  db_ = std::move(other);
  Fill();
}

TEST_F(IoSchedulerOfDb, ServesOneDiskOfItsProfile) {
  const std::string disk =
      "    read_iops: 50000\n    read_bandwidth: 500MB\n"
      "    write_iops: 50000\n    write_bandwidth: 500MB\n";
  const std::string other = dir_.File("other");
  WriteProfile("disks:\n  - mountpoints:\n      - /\n      - " +
               dir_.File("second") + "\n" + disk + "  - mountpoint: " + other +
               "\n" + disk);
  test::Ok(TryOpen());
  WriteProfile("what was read from it holds");
  std::unique_ptr<DB> second;
  test::Ok(DB::Open(options_, dir_.File("second"), &second));
  const Status refused = DB::Open(options_, other, &second);
  EXPECT_TRUE(refused.IsInvalidArgument()) << refused.ToString();
  EXPECT_NE(refused.ToString().find("serves the disk at /, but " + other),
            std::string::npos)
      << refused.ToString();
}

// Two databases of one scheduler. The disk hangs, fails or is full when one of
// them appends to its tables, or to its logs.
class IoSchedulerOfTroubledDisk : public IoSchedulerOfDb {
 protected:
  IoSchedulerOfTroubledDisk()
      : env_(NewCompositeEnv(std::make_shared<test::HookedFileSystem>(
            FileSystem::Default(),
            [this](const test::FileOp& op) { return Before(op); }))) {
    options_.env = env_.get();
    options_.max_background_jobs = 8;  // One that hangs leaves others.
    options_.io_scheduler = NewIOScheduler(scheduler_);
    test::Ok(DB::Open(options_, dir_.File("troubled"), &troubled_));
    test::Ok(DB::Open(options_, dir_.File("db"), &db_));
  }
  ~IoSchedulerOfTroubledDisk() override {
    SetAnswer(IOStatus::OK());
    Hang(false);
    troubled_.reset();
    db_.reset();
  }

  // By default appends to tables are what the disk has trouble with.
  void Trouble(test::OpKind op, const std::string& suffix) {
    const std::lock_guard<std::mutex> lock(mu_);
    op_ = op;
    suffix_ = suffix;
  }
  void Hang(bool hangs) {
    const std::lock_guard<std::mutex> lock(mu_);
    hangs_ = hangs;
    changed_.notify_all();
  }
  void AwaitHanging() {
    std::unique_lock<std::mutex> lock(mu_);
    changed_.wait(lock, [this] { return hanging_ > 0; });
  }
  int hanging() {
    const std::lock_guard<std::mutex> lock(mu_);
    return hanging_;
  }
  void SetAnswer(const IOStatus& answer) {
    const std::lock_guard<std::mutex> lock(mu_);
    answer_ = answer;
  }

  // Logs, flushes, compactions and reads of the other database.
  void ExpectOtherWorks() {
    Fill();
    Fill();
    test::Ok(db_->CompactRange(CompactRangeOptions(), nullptr, nullptr));
    std::string value;
    test::Ok(db_->Get(ReadOptions(), "key77", &value));
  }
  void FillTroubled() {
    const std::string value(1000, 't');
    for (int i = 0; i < 1000; ++i) {
      test::Ok(troubled_->Put({}, "key" + std::to_string(i), value));
    }
  }
  void ExpectTheFill() {
    const std::string expected(1000, 't');
    std::string value;
    for (int i = 0; i < 1000; ++i) {
      test::Ok(troubled_->Get({}, "key" + std::to_string(i), &value));
      EXPECT_EQ(expected, value);
    }
  }
  // Writes are resumed without help; until then a flush is refused.
  Status FlushWhenResumed() {
    constexpr int kTries = 600;
    Status flushed;
    for (int i = 0; i < kTries; ++i) {
      flushed = troubled_->Flush(FlushOptions());
      if (flushed.ok()) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return flushed;
  }
  // Nor after another opening.
  void ExpectNothingLost() {
    ExpectTheFill();
    test::Ok(troubled_->Close());
    troubled_.reset();
    test::Ok(DB::Open(options_, dir_.File("troubled"), &troubled_));
    ExpectTheFill();
    for (DB* db : {troubled_.get(), db_.get()}) {
      std::string text;
      ASSERT_TRUE(db->GetProperty("rocksdb.io-scheduler", &text));
      EXPECT_NE(text.find(", 0 requests wait"), std::string::npos) << text;
    }
  }

  std::unique_ptr<DB> troubled_;

 private:
  IOStatus Before(const test::FileOp& op) {
    std::unique_lock<std::mutex> lock(mu_);
    const bool suffers = op.kind == op_ &&
                         op.path.find("troubled") != std::string::npos &&
                         op.path.ends_with(suffix_);
    if (!suffers) return IOStatus::OK();
    ++hanging_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !hangs_; });
    --hanging_;
    return answer_;
  }

  const std::unique_ptr<Env> env_;
  std::mutex mu_;
  std::condition_variable changed_;
  test::OpKind op_ = test::OpKind::kAppend;
  std::string suffix_ = ".sst";
  bool hangs_ = false;
  int hanging_ = 0;
  IOStatus answer_;
};

TEST_F(IoSchedulerOfTroubledDisk, ACallThatHangsDelaysNoOtherCall) {
  FillTroubled();
  Hang(true);
  std::thread flush([&] { test::Ok(troubled_->Flush(FlushOptions())); });
  AwaitHanging();
  ExpectOtherWorks();
  // Commits and reads of the database itself go on, too.
  WriteOptions synced;
  synced.sync = true;
  test::Ok(troubled_->Put(synced, "more", "value"));
  std::string value;
  test::Ok(troubled_->Get({}, "key77", &value));
  EXPECT_EQ(1, hanging()) << "all of it while the call hung";
  Hang(false);
  flush.join();
  ExpectNothingLost();
}

TEST_F(IoSchedulerOfTroubledDisk, ALogThatHangsDelaysNoOtherDatabase) {
  FillTroubled();
  for (const test::OpKind op : {test::OpKind::kAppend, test::OpKind::kSync}) {
    Trouble(op, ".log");
    Hang(true);
    std::thread write([&] {
      WriteOptions synced;
      synced.sync = true;
      test::Ok(troubled_->Put(synced, "more", "value"));
    });
    AwaitHanging();
    ExpectOtherWorks();
    std::string value;
    test::Ok(troubled_->Get({}, "key77", &value));
    EXPECT_EQ(1, hanging()) << "all of it while the call hung";
    Hang(false);
    write.join();
    test::Ok(troubled_->Get({}, "more", &value));
  }
  ExpectNothingLost();
}

TEST_F(IoSchedulerOfTroubledDisk, CallsThatFailLeaveNothingWaiting) {
  FillTroubled();
  IOStatus fails = IOStatus::IOError("the disk fails");
  fails.SetRetryable(true);
  for (const IOStatus& answer : {fails, IOStatus::NoSpace("it is full")}) {
    SetAnswer(answer);
    const Status failed = troubled_->Flush(FlushOptions());
    EXPECT_EQ(answer.code(), failed.code()) << failed.ToString();
    EXPECT_EQ(answer.subcode(), failed.subcode()) << failed.ToString();
    ExpectOtherWorks();
    SetAnswer(IOStatus::OK());
    test::Ok(FlushWhenResumed());
    ExpectNothingLost();
    FillTroubled();
  }
}

TEST_F(IoSchedulerOfDb, CountsBackups) {
  test::Ok(TryOpen());
  Fill();
  BackupEngine* engine = nullptr;
  test::Ok(BackupEngine::Open(
      Env::Default(), BackupEngineOptions(dir_.File("backup")), &engine));
  const std::unique_ptr<BackupEngine> owned(engine);
  test::Ok(owned->CreateNewBackup(db_.get()));
  test::Ok(owned->VerifyBackup(1, /*verify_with_checksum=*/true));
  const Statistics& statistics = *options_.statistics;
  EXPECT_GE(statistics.getTickerCount(IO_SCHEDULER_BACKUP_BYTES), 2000000u);
  std::map<std::string, std::string> shown;
  ASSERT_TRUE(db_->GetMapProperty("rocksdb.io-scheduler", &shown));
  EXPECT_GE(std::stoull(shown["backups.bytes"]), 2000000u);
}

// Tables are linked; the log is copied, and the MANIFEST.
TEST_F(IoSchedulerOfDb, CountsCheckpoints) {
  test::Ok(TryOpen());
  const std::string value(1000, 'v');
  for (int i = 0; i < 1000; ++i) {
    test::Ok(db_->Put(WriteOptions(), "key" + std::to_string(i), value));
  }
  Checkpoint* checkpoint = nullptr;
  test::Ok(Checkpoint::Create(db_.get(), &checkpoint));
  const std::unique_ptr<Checkpoint> owned(checkpoint);
  test::Ok(owned->CreateCheckpoint(dir_.File("checkpoint"),
                                   /*log_size_for_flush=*/uint64_t{1} << 30));
  const Statistics& statistics = *options_.statistics;
  EXPECT_GE(statistics.getTickerCount(IO_SCHEDULER_BACKUP_BYTES), 1000000u);
  EXPECT_LT(statistics.getTickerCount(IO_SCHEDULER_BACKUP_BYTES), 3000000u);
}

TEST_F(IoSchedulerOfDb, IsACommentInOptionsFilesAndComesBack) {
  scheduler_.rate_factor = 0.5;
  test::Ok(TryOpen());
  test::Ok(db_->Close());
  DBOptions loaded;
  std::vector<ColumnFamilyDescriptor> families;
  ConfigOptions config;
  test::Ok(LoadLatestOptions(config, dir_.File("db"), &loaded, &families));
  ASSERT_NE(loaded.io_scheduler, nullptr);
  EXPECT_EQ(loaded.io_scheduler->options().profile_path,
            scheduler_.profile_path);
  EXPECT_EQ(loaded.io_scheduler->options().rate_factor, 0.5);
}

// The text is the program's: what is in the file opens without it.
TEST_F(IoSchedulerOfDb, IsNotInOptionsFilesWithAProfileThatIsText) {
  scheduler_.profile_path.clear();
  scheduler_.profile = kProfile;
  test::Ok(TryOpen());
  test::Ok(db_->Close());
  DBOptions loaded;
  std::vector<ColumnFamilyDescriptor> families;
  test::Ok(
      LoadLatestOptions(ConfigOptions(), dir_.File("db"), &loaded, &families));
  EXPECT_EQ(loaded.io_scheduler, nullptr);
  test::Ok(
      DB::Open(Options(loaded, families[0].options), dir_.File("db"), &db_));
}

TEST_F(IoSchedulerOfDb, RefusesWhatCannotBeWithOneSentence) {
  scheduler_.profile_path = dir_.File("missing.yaml");
  const Status missing = TryOpen();
  EXPECT_FALSE(missing.ok());
  EXPECT_NE(missing.ToString().find("missing.yaml"), std::string::npos)
      << missing.ToString();

  scheduler_.profile_path = dir_.File("disk.yaml");
  WriteProfile("disks:\n  - mountpoint: /\n    read_iops: none\n");
  EXPECT_NE(Refusal().find("disk.yaml"), std::string::npos);
  WriteProfile(kProfile);

  scheduler_.rate_factor = 1.5;
  EXPECT_NE(Refusal().find("rate_factor"), std::string::npos);
  scheduler_.rate_factor = 0;
  scheduler_.flush_shares = 0;
  EXPECT_NE(Refusal().find("shares"), std::string::npos);
  scheduler_.flush_shares = 1;
  scheduler_.profile = kProfile;
  EXPECT_NE(Refusal().find("only one"), std::string::npos);
  scheduler_ = IOSchedulerOptions();
  EXPECT_NE(Refusal().find("profile_path"), std::string::npos);
  scheduler_.measure_if_missing = true;
  scheduler_.measure_seconds = 0;
  EXPECT_NE(Refusal().find("measure_seconds"), std::string::npos);

  class Foreign : public IOScheduler {
    const IOSchedulerOptions& options() const override { return options_; }
    std::string ToString() const override { return ""; }
    IOSchedulerOptions options_;
  };
  options_.io_scheduler = std::make_shared<Foreign>();
  EXPECT_TRUE(DB::Open(options_, dir_.File("db"), &db_).IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
