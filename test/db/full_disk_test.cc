// A disk that is full while logs, tables or the MANIFEST are written: writes
// stop as severely as in RocksDB, go on by themselves once there is space, and
// nothing acknowledged is lost.
//
// Place. A quota over the in-memory file system, for each kind of file; and,
// where the test may mount one, a small tmpfs.

#include <gtest/gtest.h>
#ifdef __linux__
#include <sys/mount.h>
#endif

#include <chrono>
#include <climits>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/listener.h"
#include "test/support/clocked_env.h"
#include "test/support/hooked_fs.h"
#include "test/support/manual_clock.h"
#include "test/support/ok.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using Clock = std::chrono::steady_clock;

// How long anything may take, on a busy machine too.
constexpr auto kLimit = std::chrono::seconds(60);

// A disk that is full for some files from Fill() until Free(), whatever is
// deleted meanwhile.
class Quota {
 public:
  IOStatus OnCall(const FileOp& op) {
    const std::lock_guard<std::mutex> lock(mu_);
    if (op.kind != OpKind::kAppend || !Concerns(op.path)) return IOStatus::OK();
    if (op.bytes > rest_) {
      ++refused_;
      return IOStatus::NoSpace("quota", op.path);
    }
    rest_ -= op.bytes;
    return IOStatus::OK();
  }

  // From now on no more than `rest` bytes for files whose name has `part`.
  void Fill(const std::string& part, uint64_t rest) {
    const std::lock_guard<std::mutex> lock(mu_);
    part_ = part;
    rest_ = rest;
  }
  void Free() {
    const std::lock_guard<std::mutex> lock(mu_);
    rest_ = UINT64_MAX;
  }
  uint64_t refused() const {
    const std::lock_guard<std::mutex> lock(mu_);
    return refused_;
  }

 private:
  bool Concerns(const std::string& path) const {
    return BaseName(path).find(part_) != std::string::npos;
  }

  mutable std::mutex mu_;
  uint64_t rest_ = UINT64_MAX;
  uint64_t refused_ = 0;
  std::string part_;
};

class Errors : public EventListener {
 public:
  void OnBackgroundError(BackgroundErrorReason reason,
                         Status* status) override {
    const std::lock_guard<std::mutex> lock(mu_);
    heard_.emplace_back(reason, *status);
  }
  std::vector<std::pair<BackgroundErrorReason, Status>> heard() const {
    const std::lock_guard<std::mutex> lock(mu_);
    return heard_;
  }

 private:
  mutable std::mutex mu_;
  std::vector<std::pair<BackgroundErrorReason, Status>> heard_;
};

// Keys that were acknowledged, and those that were not.
class Writer {
 public:
  explicit Writer(std::unique_ptr<DB>* db) : db_(db) {}

  Status Put() {
    const std::string key = std::to_string(100000 + count_++ * 7919 % 100000);
    const std::string value = key + std::string(900, 'v');
    const Status status = (*db_)->Put(WriteOptions(), key, value);
    if (status.ok()) acknowledged_[key] = value;
    return status;
  }
  void PutMany(int count) {
    for (int i = 0; i < count; ++i) Ok(Put());
  }
  // Writes until one succeeds, or fails. False if none did.
  bool Await(bool success) {
    const auto end = Clock::now() + kLimit;
    while (Put().ok() != success) {
      if (Clock::now() >= end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  }
  void ExpectAllThere() const {
    std::string value;
    for (const auto& [key, expected] : acknowledged_) {
      const Status status = (*db_)->Get(ReadOptions(), key, &value);
      ASSERT_TRUE(status.ok() && value == expected)
          << key << ": " << status.ToString();
    }
    EXPECT_LT(100u, acknowledged_.size());
  }

 private:
  std::unique_ptr<DB>* const db_;
  uint64_t count_ = 0;
  std::map<std::string, std::string> acknowledged_;
};

Options SmallOptions(Env* env, bool tuned,
                     const std::shared_ptr<EventListener>& listener) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  options.target_file_size_base = 64 << 10;
  options.max_bytes_for_level_base = 256 << 10;
  options.compression = kNoCompression;
  options.auto_tuned_compaction = tuned;
  if (listener != nullptr) options.listeners.push_back(listener);
  return options;
}

struct FullFile {
  const char* name;
  const char* part;  // Of its name.
  uint64_t rest;     // Bytes for such files before the disk is full.
  BackgroundErrorReason reason;
  bool stops_writes;
};

class FullDisk : public ::testing::TestWithParam<std::tuple<FullFile, bool>> {
 protected:
  explicit FullDisk(std::shared_ptr<SystemClock> clock = SystemClock::Default())
      : env_(Env::Default(),
             std::make_shared<HookedFileSystem>(
                 std::make_shared<engine::MemFileSystem>(),
                 [this](const FileOp& op) { return quota_.OnCall(op); }),
             std::move(clock)) {
    options_ = SmallOptions(&env_, std::get<1>(GetParam()), errors_);
  }

  void Open() { Ok(DB::Open(options_, "/db", &db_)); }
  int Level0Files() {
    std::string text;
    EXPECT_TRUE(db_->GetProperty("rocksdb.num-files-at-level0", &text));
    return std::stoi(text);
  }
  // Works on until the error that the file's lack of space amounts to.
  void WorkUntilHeard(const FullFile& file) {
    const auto end = Clock::now() + kLimit;
    while (errors_->heard().empty() && Clock::now() < end) {
      if (file.reason == BackgroundErrorReason::kCompaction) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      } else {
        (void)writer_.Put();
      }
    }
    ASSERT_FALSE(errors_->heard().empty());
  }

  Quota quota_;
  ClockedEnv env_;
  std::shared_ptr<Errors> errors_ = std::make_shared<Errors>();
  Options options_;
  std::unique_ptr<DB> db_;
  Writer writer_{&db_};
};

TEST_P(FullDisk, StopsWritesThatGoOnByThemselvesAndLosesNothing) {
  const auto& [file, tuned] = GetParam();
  const bool compaction = file.reason == BackgroundErrorReason::kCompaction;
  // Only the kind of job that the row is about may meet the full disk first.
  options_.disable_auto_compactions = true;
  options_.level0_slowdown_writes_trigger = 1000;
  options_.level0_stop_writes_trigger = 1000;
  Open();
  writer_.PutMany(500);
  if (compaction) Ok(db_->Flush(FlushOptions()));
  quota_.Fill(file.part, file.rest);
  if (compaction) Ok(db_->EnableAutoCompaction({db_->DefaultColumnFamily()}));
  WorkUntilHeard(file);

  const auto [reason, error] = errors_->heard().front();
  EXPECT_EQ(file.reason, reason) << error.ToString();
  EXPECT_EQ(Status::kNoSpace, error.subcode()) << error.ToString();
  EXPECT_EQ(file.stops_writes ? Status::kHardError : Status::kSoftError,
            error.severity());
  // Listeners are told before writes stop.
  EXPECT_TRUE(!file.stops_writes || writer_.Await(/*success=*/false));
  EXPECT_EQ(!file.stops_writes, writer_.Put().ok());
  EXPECT_LT(0u, quota_.refused());

  quota_.Free();
  EXPECT_TRUE(writer_.Await(/*success=*/true));
  Ok(db_->EnableAutoCompaction({db_->DefaultColumnFamily()}));
  const auto end = Clock::now() + kLimit;
  while (Level0Files() >= options_.level0_file_num_compaction_trigger) {
    ASSERT_LT(Clock::now(), end);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  writer_.PutMany(200);
  writer_.ExpectAllThere();
  db_.reset();
  Open();
  writer_.ExpectAllThere();
}

constexpr FullFile kFullFiles[] = {
    {"Log", ".log", 20000, BackgroundErrorReason::kWriteCallback, true},
    {"Flush", ".sst", 20000, BackgroundErrorReason::kFlush, true},
    {"Compaction", ".sst", 100, BackgroundErrorReason::kCompaction, false},
    // Of the flush that it would record.
    {"Manifest", "MANIFEST", 0, BackgroundErrorReason::kFlush, true},
};

std::string NameOf(
    const ::testing::TestParamInfo<std::tuple<FullFile, bool>>& tested) {
  return std::string(std::get<0>(tested.param).name) +
         (std::get<1>(tested.param) ? "Tuned" : "");
}

INSTANTIATE_TEST_SUITE_P(Files, FullDisk,
                         ::testing::Combine(::testing::ValuesIn(kFullFiles),
                                            ::testing::Bool()),
                         NameOf);

// The same on a clock that stands still unless the test moves it.
class FullDiskInTime : public FullDisk {
 protected:
  FullDiskInTime() : FullDiskInTime(std::make_shared<ManualClock>()) {}

  // Seconds of the clock until a write succeeds. In each of them threads have
  // time to do what has become due.
  int SecondsUntilWritesGoOn() {
    for (int second = 1; second <= 10; ++second) {
      clock_->Advance(1000 * 1000);
      const auto end = Clock::now() + std::chrono::seconds(2);
      while (Clock::now() < end) {
        if (writer_.Put().ok()) return second;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    return INT_MAX;
  }

  const std::shared_ptr<ManualClock> clock_;

 private:
  explicit FullDiskInTime(const std::shared_ptr<ManualClock>& clock)
      : FullDisk(clock), clock_(clock) {}
};

TEST_P(FullDiskInTime, WritesGoOnWithinFiveSeconds) {
  options_.disable_auto_compactions = true;
  options_.level0_slowdown_writes_trigger = 1000;
  options_.level0_stop_writes_trigger = 1000;
  Open();
  writer_.PutMany(500);
  const FullFile& file = std::get<0>(GetParam());
  quota_.Fill(file.part, file.rest);
  WorkUntilHeard(file);
  EXPECT_TRUE(writer_.Await(/*success=*/false));
  // The disk stays full for a while, so the first attempts to resume fail.
  for (int second = 0; second < 5; ++second) {
    clock_->Advance(1000 * 1000);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(writer_.Put().ok());
  }
  quota_.Free();
  EXPECT_LE(SecondsUntilWritesGoOn(), 5);
  writer_.ExpectAllThere();
}

constexpr FullFile kFilesThatStopWrites[] = {kFullFiles[0], kFullFiles[1],
                                             kFullFiles[3]};

INSTANTIATE_TEST_SUITE_P(
    Files, FullDiskInTime,
    ::testing::Combine(::testing::ValuesIn(kFilesThatStopWrites),
                       ::testing::Values(false)),
    NameOf);

#ifdef __linux__
// A tmpfs of some megabytes, with a file in it that can be taken away.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& path) : path_(path) {
    std::filesystem::create_directory(path_);
    mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=8m") == 0;
    if (!mounted_) return;
    std::ofstream(Ballast()) << std::string(4 << 20, 'b');
  }
  ~SmallDisk() {
    if (mounted_) (void)::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  void Free() const { std::filesystem::remove(Ballast()); }

 private:
  std::string Ballast() const { return path_ + "/ballast"; }

  const std::string path_;
  bool mounted_ = false;
};

class SmallTmpfs : public ::testing::TestWithParam<bool> {};

TEST_P(SmallTmpfs, ThatIsFullStopsWritesUntilThereIsSpaceAndLosesNothing) {
  TempDir dir;
  const SmallDisk disk(dir.path() + "/disk");
  if (!disk.mounted()) {
    GTEST_SKIP() << "NO TMPFS: the test may not mount one (it needs root)";
  }
  Options options = SmallOptions(Env::Default(), GetParam(), nullptr);
  std::unique_ptr<DB> db;
  const std::string path = dir.path() + "/disk/db";
  Ok(DB::Open(options, path, &db));
  Writer writer(&db);
  Status status;
  for (int i = 0; i < 100000 && status.ok(); ++i) status = writer.Put();
  EXPECT_EQ(Status::kNoSpace, status.subcode()) << status.ToString();
  writer.ExpectAllThere();
  disk.Free();
  EXPECT_TRUE(writer.Await(/*success=*/true));
  writer.ExpectAllThere();
  db.reset();
  Ok(DB::Open(options, path, &db));
  writer.ExpectAllThere();
}

INSTANTIATE_TEST_SUITE_P(Tuned, SmallTmpfs, ::testing::Bool());
#endif

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
