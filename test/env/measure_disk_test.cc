// env/measure_disk: what it finds of disks that are known, and what it refuses.

#include "env/measure_disk.h"

#include <gtest/gtest.h>
#include <sys/vfs.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "env/posix/posix_loaded_disk.h"
#include "test/support/temp_dir.h"
#include "util/start_thread.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// A disk that follows the equation: it serves what costs at most `bound` of it
// per second, and reads take the longer the nearer it is to that.
class ModelDisk final : public LoadedDisk {
 public:
  IoProfile truth;
  double bound = 1.0;
  uint64_t idle_micros = 200;
  // Smaller requests have less bandwidth.
  uint32_t saturation_bytes = 0;
  int fail_at = -1;  // This call and all that follow.

  int calls = 0;
  double seconds = 0;

  ModelDisk() {
    truth.read_bytes_per_second = 500'000'000;
    truth.write_bytes_per_second = 400'000'000;
    truth.read_ops_per_second = 80'000;
    truth.write_ops_per_second = 60'000;
  }

  Result<DiskRate> Fill(double /*most*/,
                        const std::function<void(double)>& tell) override {
    tell(1.0);
    DiskRate rate;
    rate.ops = 1024;
    rate.bytes_per_second = static_cast<double>(truth.write_bytes_per_second);
    rate.ops_per_second = rate.bytes_per_second / 1048576;
    seconds += 1024 / rate.ops_per_second;
    return rate;
  }

  Result<DiskLoadResult> Run(const DiskLoad& load) override {
    if (calls++ == fail_at) return Status::IOError("broken");
    seconds += load.seconds;
    DiskLoadResult result;
    result.seconds = load.seconds;
    const bool open = load.reads.depth == 0 || load.reads.ops_per_second > 0;
    if (load.writes.depth == 0 && !open) {
      result.reads = Most(load.reads, truth.read_ops_per_second,
                          truth.read_bytes_per_second, load.seconds);
    } else if (load.reads.depth == 0) {
      result.writes = Most(load.writes, truth.write_ops_per_second,
                           truth.write_bytes_per_second, load.seconds);
    } else {
      Mixed(load, &result);
    }
    return result;
  }

 private:
  DiskRate Most(const DiskStream& stream, uint64_t ops, uint64_t bytes,
                double duration) const {
    const double share =
        std::min(1.0, static_cast<double>(stream.bytes) /
                          std::max<double>(saturation_bytes, 1));
    const double rate = stream.random
                            ? static_cast<double>(ops)
                            : share * static_cast<double>(bytes) / stream.bytes;
    return Served(stream, rate, duration);
  }
  DiskRate Served(const DiskStream& stream, double rate,
                  double duration) const {
    DiskRate result;
    result.ops = static_cast<uint64_t>(rate * duration) + 1;
    result.ops_per_second = rate;
    result.bytes_per_second = rate * stream.bytes;
    result.p50_micros = idle_micros;
    result.p95_micros = idle_micros;
    return result;
  }
  void Mixed(const DiskLoad& load, DiskLoadResult* result) const {
    const double use = DiskCost(truth, load.reads, load.writes) / bound;
    const double served = std::min(1.0, 1.0 / use);
    result->reads =
        Served(load.reads, served * load.reads.ops_per_second, load.seconds);
    result->writes =
        Served(load.writes, served * load.writes.ops_per_second, load.seconds);
    result->reads.p95_micros =
        use >= 1 ? 500'000
                 : static_cast<uint64_t>(static_cast<double>(idle_micros) *
                                         (1 + use * use));
  }
};

TEST(MeasureDiskTest, FindsTheNumbersOfAKnownDisk) {
  for (const double bound : {0.7, 0.85, 1.0}) {
    SCOPED_TRACE(bound);
    ModelDisk disk;
    disk.bound = bound;
    disk.saturation_bytes = 100'000;
    const auto found = MeasureDisk(&disk, MeasureDiskOptions());
    ASSERT_TRUE(found.ok()) << found.status().ToString();
    const IoProfile& profile = found->profile;
    EXPECT_EQ(500'000'000u, profile.read_bytes_per_second);
    EXPECT_EQ(400'000'000u, profile.write_bytes_per_second);
    EXPECT_EQ(80'000u, profile.read_ops_per_second);
    EXPECT_EQ(60'000u, profile.write_ops_per_second);
    EXPECT_EQ(131072u, profile.read_saturation_bytes);
    EXPECT_EQ(131072u, profile.write_saturation_bytes);
    // As fine as the grid is.
    EXPECT_NEAR(bound, profile.k, 0.12);
    EXPECT_LE(profile.k, bound);
    ASSERT_EQ(36u, found->cells.size());
    for (const DiskCell& cell : found->cells) {
      EXPECT_EQ(cell.cost <= profile.k + 0.006, cell.safe) << cell.cost;
    }
    EXPECT_EQ(1000u, found->fast_micros);
  }
}

TEST(MeasureDiskTest, ADiskThatReadsAndWritesIndependentlyIsNotOverloaded) {
  ModelDisk disk;
  disk.bound = 2.5;  // Both at once.
  const auto found = MeasureDisk(&disk, MeasureDiskOptions());
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(1.0, found->profile.k);
}

TEST(MeasureDiskTest, ASlowDisksReadsMayTakeLonger) {
  ModelDisk disk;
  disk.idle_micros = 8000;  // It seeks.
  disk.truth.read_ops_per_second = 120;
  disk.truth.write_ops_per_second = 110;
  const auto found = MeasureDisk(&disk, MeasureDiskOptions());
  ASSERT_TRUE(found.ok());
  EXPECT_LT(20'000u, found->fast_micros);
  EXPECT_TRUE(found->cells.front().safe);
  EXPECT_FALSE(found->cells.back().safe);
}

TEST(MeasureDiskTest, KeepsToItsTimeAndTellsHowFarItIs) {
  for (const double seconds : {5.0, 60.0, 600.0}) {
    SCOPED_TRACE(seconds);
    ModelDisk disk;
    MeasureDiskOptions options;
    options.seconds = seconds;
    double last = 0;
    int calls = 0;
    options.progress = [&](const DiskMeasureProgress& progress) {
      EXPECT_LE(last, progress.done + 1e-9) << progress.step;
      EXPECT_LE(progress.done, 1.0);
      EXPECT_NE('\0', progress.step[0]);
      last = progress.done;
      ++calls;
    };
    ASSERT_TRUE(MeasureDisk(&disk, options).ok());
    EXPECT_NEAR(seconds, disk.seconds, 0.05 * seconds);
    EXPECT_LT(0.9, last);
    EXPECT_LT(40, calls);
  }
}

TEST(MeasureDiskTest, EveryLoadsErrorIsReturned) {
  ModelDisk good;
  ASSERT_TRUE(MeasureDisk(&good, MeasureDiskOptions()).ok());
  for (int i = 0; i < good.calls; ++i) {
    ModelDisk disk;
    disk.fail_at = i;
    const auto found = MeasureDisk(&disk, MeasureDiskOptions());
    ASSERT_FALSE(found.ok()) << i;
    EXPECT_EQ("IO error: broken", found.status().ToString());
  }
}

std::vector<std::string> NamesIn(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    names.push_back(entry.path().filename());
  }
  return names;
}

bool IsInMemory(const std::string& directory) {
  struct statfs kind {};
  return ::statfs(directory.c_str(), &kind) == 0 && kind.f_type == 0x01021994;
}

class PosixLoadedDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    disk_.directory = dir_.path();
    disk_.file_bytes = uint64_t{64} << 20;
    options_.seconds = 1.0;
    auto opened = OpenPosixLoadedDisk(disk_);
    // Also the message says so where the tests' files are in memory.
    if (opened.ok()) return;
    GTEST_SKIP() << "SKIPPED: " << opened.status().ToString();
  }

  // A disk that others keep busy may not serve a single read within a second.
  Result<DiskMeasurement> Measure() {
    constexpr double kSecondsMax = 60;
    for (;; options_.seconds *= 4) {
      Result<DiskMeasurement> found = MeasureDirectory(disk_, options_);
      if (found.ok() || options_.seconds > kSecondsMax) return found;
    }
  }

  test::TempDir dir_;
  PosixLoadedDiskOptions disk_;
  MeasureDiskOptions options_;
};

TEST_F(PosixLoadedDiskTest, MeasuresThisMachineAndLeavesNothing) {
  const auto found = Measure();
  ASSERT_TRUE(found.ok()) << found.status().ToString();
  const IoProfile& profile = found->profile;
  EXPECT_LT(1000u, profile.read_bytes_per_second);
  EXPECT_LT(1000u, profile.write_bytes_per_second);
  EXPECT_LT(1u, profile.read_ops_per_second);
  EXPECT_LT(1u, profile.write_ops_per_second);
  EXPECT_EQ(36u, found->cells.size());
  EXPECT_TRUE(NamesIn(disk_.directory).empty());

  const std::string real = std::filesystem::canonical(disk_.directory);
  EXPECT_EQ(0u, real.find(profile.mountpoint)) << profile.mountpoint;
  const auto again = ParseIoProfile(FormatIoProfile(profile), "io.yaml", real);
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ(profile.mountpoint, again->mountpoint);
}

TEST_F(PosixLoadedDiskTest, HasNoFileWithANameEvenWhileItMeasures) {
  options_.progress = [&](const DiskMeasureProgress&) {
    EXPECT_TRUE(NamesIn(disk_.directory).empty());
  };
  ASSERT_TRUE(Measure().ok());
}

// So a part that is short for this machine still tells something.
TEST_F(PosixLoadedDiskTest, EachThreadRequestsOnceHoweverLate) {
  const auto opened = OpenPosixLoadedDisk(disk_);
  ASSERT_TRUE(opened.ok()) << opened.status().ToString();
  LoadedDisk& disk = **opened;
  ASSERT_TRUE(disk.Fill(0, [](double) {}).ok());
  DiskLoad load;
  load.reads = {/*depth=*/3, /*bytes=*/4096, /*random=*/true, 0};
  load.writes = {/*depth=*/2, /*bytes=*/1 << 20, /*random=*/true, 0};
  load.seconds = 0;
  const auto back_to_back = disk.Run(load);
  ASSERT_TRUE(back_to_back.ok()) << back_to_back.status().ToString();
  EXPECT_EQ(3u, back_to_back->reads.ops);
  EXPECT_EQ(2u, back_to_back->writes.ops);
  EXPECT_GT(back_to_back->writes.bytes_per_second, 0);

  load.seconds = 1e-6;
  load.reads.ops_per_second = load.writes.ops_per_second = 1;
  const auto paced = disk.Run(load);
  ASSERT_TRUE(paced.ok()) << paced.status().ToString();
  EXPECT_EQ(1u, paced->reads.ops);
  EXPECT_EQ(1u, paced->writes.ops);
}

TEST_F(PosixLoadedDiskTest, EndsWhenTheSystemHasNoMoreThreads) {
  const auto opened = OpenPosixLoadedDisk(disk_);
  ASSERT_TRUE(opened.ok()) << opened.status().ToString();
  ASSERT_TRUE((*opened)->Fill(0, [](double) {}).ok());
  DiskLoad load;
  load.reads = {/*depth=*/3, /*bytes=*/4096, /*random=*/true, 0};
  load.writes = {/*depth=*/3, /*bytes=*/4096, /*random=*/true, 0};
  load.seconds = 600;
  const ThreadStartLimit limit(4);
  const auto result = (*opened)->Run(load);
  EXPECT_TRUE(result.status().IsTryAgain()) << result.status().ToString();
}

TEST_F(PosixLoadedDiskTest, StopsWhenItIsInterrupted) {
  std::atomic<bool> stop{false};
  disk_.interrupted = [&] { return stop.load(); };
  options_.seconds = 600;
  int calls = 0;
  options_.progress = [&](const DiskMeasureProgress&) { stop = ++calls == 5; };
  const auto found = MeasureDirectory(disk_, options_);
  ASSERT_FALSE(found.ok());
  EXPECT_TRUE(found.status().IsAborted()) << found.status().ToString();
  EXPECT_TRUE(NamesIn(disk_.directory).empty());
}

TEST_F(PosixLoadedDiskTest, RefusesADirectoryWithOneSentence) {
  const auto error_of = [&](const std::string& directory) {
    PosixLoadedDiskOptions options = disk_;
    options.directory = directory;
    const auto found = MeasureDirectory(options, options_);
    return found.ok() ? "OK" : found.status().ToString();
  };
  const std::string start = "Invalid argument: cannot measure the disk of ";
  EXPECT_EQ(start + "/none/here: it does not exist", error_of("/none/here"));
  const std::string file = dir_.path() + "/file";
  std::ofstream(file) << "text";
  EXPECT_EQ(start + file + ": it is no directory", error_of(file));
  EXPECT_EQ(start + file + "/db: Not a directory", error_of(file + "/db"));
  EXPECT_EQ(start + "/proc: its file system keeps no files on a disk",
            error_of("/proc"));
  if (IsInMemory("/dev/shm")) {
    EXPECT_EQ(start +
                  "/dev/shm: its files are kept in memory (tmpfs), not on a "
                  "disk",
              error_of("/dev/shm"));
  }
}

TEST_F(PosixLoadedDiskTest, RefusesAFullDisk) {
  disk_.file_bytes = disk_.file_bytes_min = uint64_t{1} << 60;
  const auto found = MeasureDirectory(disk_, options_);
  ASSERT_FALSE(found.ok());
  const std::string error = found.status().ToString();
  EXPECT_TRUE(found.status().IsNoSpace()) << error;
  EXPECT_NE(std::string::npos, error.find("of free space, found ")) << error;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
