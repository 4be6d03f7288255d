// Files behind the device model: which calls wait, and how long.

#include "env/throttled_file_system.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "env/mem/mem_file_system.h"
#include "test/env/units.h"
#include "test/support/manual_clock.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

// 10 MB/s for writes and reads; sleeping moves the clock.
class ThrottledFiles : public ::testing::Test {
 protected:
  ThrottledFiles() {
    engine::DeviceModel::Options device;
    device.write_mbps = 10;
    device.read_mbps = 10;
    device.dirty_bytes_max = 2 * kMB;
    device.cached_bytes = 4 * kMB;
    fs_ = std::make_shared<engine::ThrottledFileSystem>(
        std::make_shared<engine::MemFileSystem>(), clock_, device,
        [](const std::string& path) { return path.ends_with(".log"); });
    EXPECT_TRUE(fs_->CreateDirIfMissing("/d", {}, nullptr).ok());
  }

  std::unique_ptr<FSWritableFile> Create(const std::string& name) {
    std::unique_ptr<FSWritableFile> file;
    EXPECT_TRUE(fs_->NewWritableFile(name, {}, &file, nullptr).ok());
    return file;
  }
  void Append(FSWritableFile* file, size_t bytes) {
    EXPECT_TRUE(file->Append(std::string(bytes, 'x'), {}, nullptr).ok());
  }
  void Read(const std::string& name, size_t bytes) {
    std::unique_ptr<FSRandomAccessFile> file;
    ASSERT_TRUE(fs_->NewRandomAccessFile(name, {}, &file, nullptr).ok());
    std::string scratch(bytes, '\0');
    Slice result;
    ASSERT_TRUE(
        file->Read(0, bytes, {}, &result, scratch.data(), nullptr).ok());
    ASSERT_EQ(result.size(), bytes);
  }
  // Milliseconds slept since the last call.
  uint64_t Slept() {
    const uint64_t all = clock_->slept_micros() / 1000;
    return all - std::exchange(slept_before_, all);
  }

  std::shared_ptr<ManualClock> clock_ = std::make_shared<ManualClock>();
  std::shared_ptr<engine::ThrottledFileSystem> fs_;
  uint64_t slept_before_ = 0;
};

TEST_F(ThrottledFiles, AppendsWaitForTheDirtyPoolAndSyncForTheFile) {
  const auto file = Create("/d/1.sst");
  Append(file.get(), 2 * kMB);
  EXPECT_EQ(Slept(), 0u);
  Append(file.get(), kMB);
  EXPECT_EQ(Slept(), 100u);
  EXPECT_TRUE(file->Sync({}, nullptr).ok());
  EXPECT_EQ(Slept(), 200u);
  EXPECT_EQ(fs_->written_bytes(), 3 * kMB);
}

TEST_F(ThrottledFiles, ALogCostsWhenItIsSynced) {
  const auto log = Create("/d/1.log");
  Append(log.get(), 3 * kMB);
  EXPECT_EQ(Slept(), 0u);
  EXPECT_TRUE(log->Fsync({}, nullptr).ok());
  EXPECT_EQ(Slept(), 300u);
}

TEST_F(ThrottledFiles, WhatWasJustWrittenIsReadForFreeUnderItsNewName) {
  Append(Create("/d/1.tmp").get(), kMB);
  EXPECT_TRUE(fs_->RenameFile("/d/1.tmp", "/d/1.sst", {}, nullptr).ok());
  Read("/d/1.sst", kMB);
  EXPECT_EQ(Slept(), 0u);
  Append(Create("/d/2.sst").get(), 4 * kMB);
  (void)Slept();
  Read("/d/1.sst", kMB);
  EXPECT_EQ(Slept(), 100u) << "pushed out of the cache";
}

TEST_F(ThrottledFiles, SmallReadsAddUpToTheSpeed) {
  Append(Create("/d/1.sst").get(), kMB);
  Append(Create("/d/2.sst").get(), 4 * kMB);
  (void)Slept();
  // 2,000 reads of 50 us each: none is long enough to be slept by itself.
  for (int i = 0; i < 2000; ++i) Read("/d/1.sst", 500);
  const uint64_t slept = Slept();
  EXPECT_GE(slept, 95u);
  EXPECT_LE(slept, 100u);
}

TEST_F(ThrottledFiles, ADeletedFileThatIsStillWrittenGoesOnCosting) {
  const auto file = Create("/d/1.sst");
  Append(file.get(), kMB);
  EXPECT_TRUE(fs_->DeleteFile("/d/1.sst", {}, nullptr).ok());
  Append(file.get(), kMB);
  EXPECT_TRUE(file->Sync({}, nullptr).ok());
  EXPECT_EQ(Slept(), 200u);
}

TEST_F(ThrottledFiles, AFailedCallCostsNothing) {
  std::unique_ptr<FSSequentialFile> file;
  EXPECT_FALSE(fs_->NewSequentialFile("/d/none", {}, &file, nullptr).ok());
  EXPECT_EQ(Slept(), 0u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
