// The rules R1 to R7 of env/device_model, one by one.

#include "env/device_model.h"

#include <gtest/gtest.h>

#include "test/env/units.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

using engine::DeviceModel;

constexpr uint64_t kSecond = 1000 * 1000 * 1000;

// 10 MB/s: a megabyte takes a tenth of a second.
DeviceModel::Options Slow() {
  DeviceModel::Options options;
  options.write_mbps = 10;
  options.read_mbps = 100;
  options.dirty_bytes_max = 2 * kMB;
  options.cached_bytes = 4 * kMB;
  return options;
}

TEST(DeviceModel, R1AppendsReturnAtOnceUntilTheDirtyPoolIsFull) {
  DeviceModel device(Slow());
  const auto file = device.AddFile({});
  EXPECT_EQ(device.Append(file, 2 * kMB, 0), 0u);
  EXPECT_EQ(device.QueuedBytes(0), 2 * kMB);
  EXPECT_EQ(device.Append(file, kMB, 0), kSecond / 10)
      << "one megabyte has to drain first";
  EXPECT_EQ(device.Append(file, kMB, kSecond), kSecond)
      << "all has drained meanwhile";
}

TEST(DeviceModel, R2AnIdleDeviceEarnsNothing) {
  DeviceModel device(Slow());
  const auto file = device.AddFile({});
  device.Append(file, kMB, 10 * kSecond);
  EXPECT_EQ(device.Sync(file, 10 * kSecond), 10 * kSecond + kSecond / 10);
}

TEST(DeviceModel, R3SyncWaitsForTheFilesOwnBytesInArrivalOrder) {
  DeviceModel device(Slow());
  const auto first = device.AddFile({});
  const auto second = device.AddFile({});
  device.Append(first, kMB, 0);
  device.Append(second, kMB, 0);
  EXPECT_EQ(device.Sync(first, 0), kSecond / 10) << "the second came later";
  EXPECT_EQ(device.Sync(second, 0), kSecond / 5) << "the first came before";
  EXPECT_EQ(device.Sync(first, kSecond), kSecond) << "nothing is left";
  EXPECT_EQ(device.Sync(device.AddFile({}), 0), 0u) << "an empty file";
}

TEST(DeviceModel, R4ADirectAppendWaitsForItselfAndWhatIsQueued) {
  DeviceModel device(Slow());
  const auto buffered = device.AddFile({});
  const auto direct = device.AddFile({.is_wal = false, .direct = true});
  EXPECT_EQ(device.Append(direct, kMB, 0), kSecond / 10);
  device.Append(buffered, kMB, kSecond);
  EXPECT_EQ(device.Append(direct, kMB, kSecond), kSecond + kSecond / 5);
}

TEST(DeviceModel, R5ALogIsChargedWhenItIsSynced) {
  DeviceModel device(Slow());
  const auto wal = device.AddFile({.is_wal = true});
  EXPECT_EQ(device.Append(wal, 100 * kMB, 0), 0u);
  EXPECT_EQ(device.written_bytes(), 0u);
  EXPECT_EQ(device.Sync(wal, 0), 10 * kSecond);
  EXPECT_EQ(device.written_bytes(), 100 * kMB);
  EXPECT_EQ(device.Sync(wal, 0), 10 * kSecond) << "charged once";
  device.Append(wal, kMB, 20 * kSecond);
  EXPECT_EQ(device.Sync(wal, 20 * kSecond), 20 * kSecond + kSecond / 10);
}

TEST(DeviceModel, R5ALogIsAFileLikeAnyOtherIfAskedFor) {
  DeviceModel::Options options = Slow();
  options.charge_wal = true;
  DeviceModel device(options);
  const auto wal = device.AddFile({.is_wal = true});
  EXPECT_EQ(device.Append(wal, 3 * kMB, 0), kSecond / 10);
  EXPECT_EQ(device.written_bytes(), 3 * kMB);
}

TEST(DeviceModel, R6ReadsTakeTurnsAndWhatWasJustWrittenIsFree) {
  DeviceModel device(Slow());
  const auto file = device.AddFile({});
  device.Append(file, 4 * kMB, 0);
  EXPECT_EQ(device.Read(file, 0, 4 * kMB, false, 0), 0u);
  EXPECT_EQ(device.Read(file, 0, kMB, true, 0), kSecond / 100)
      << "a direct read goes to the device";
  EXPECT_EQ(device.ReadCold(kMB, 0), kSecond / 50) << "after the one before";

  // Another file pushes the first half out of the cache.
  const auto other = device.AddFile({});
  device.Append(other, 2 * kMB, 0);
  EXPECT_EQ(device.Read(file, 2 * kMB, 2 * kMB, false, kSecond), kSecond);
  EXPECT_EQ(device.Read(file, 0, 2 * kMB, false, kSecond),
            kSecond + kSecond / 50);
  EXPECT_EQ(device.Read(file, kMB, 2 * kMB, false, 2 * kSecond),
            2 * kSecond + kSecond / 100)
      << "half of it is cached";
  EXPECT_EQ(device.Read(other, 0, 2 * kMB, false, 3 * kSecond), 3 * kSecond);
}

TEST(DeviceModel, R6InterleavedFilesAreCachedByTheirOwnOffsets) {
  DeviceModel device(Slow());
  const auto a = device.AddFile({});
  const auto b = device.AddFile({});
  for (int i = 0; i < 8; ++i) {
    device.Append(a, kMB / 2, 0);
    device.Append(b, kMB / 2, 0);
  }
  // 8 MB went through a cache of 4: of each file the second half is left.
  const uint64_t now = 100 * kSecond;
  EXPECT_EQ(device.Read(a, 2 * kMB, 2 * kMB, false, now), now);
  EXPECT_EQ(device.Read(b, 2 * kMB, 2 * kMB, false, now), now);
  EXPECT_EQ(device.Read(a, 0, 4 * kMB, false, now), now + kSecond / 50);
}

TEST(DeviceModel, R6DirectlyWrittenBytesAreNotCached) {
  DeviceModel device(Slow());
  const auto file = device.AddFile({.is_wal = false, .direct = true});
  device.Append(file, kMB, 0);
  EXPECT_EQ(device.Read(file, 0, kMB, false, kSecond), kSecond + kSecond / 100);
}

TEST(DeviceModel, R7SpeedZeroIsUnlimited) {
  DeviceModel device({});
  const auto file = device.AddFile({});
  EXPECT_EQ(device.Append(file, 1000 * 1000 * kMB, 5), 5u);
  EXPECT_EQ(device.Sync(file, 5), 5u);
  EXPECT_EQ(device.ReadCold(1000 * kMB, 5), 5u);
  EXPECT_EQ(device.QueuedBytes(5), 0u);
}

TEST(DeviceModel, ARemovedFileLeavesItsBytesInTheQueue) {
  DeviceModel device(Slow());
  const auto gone = device.AddFile({});
  const auto file = device.AddFile({});
  device.Append(gone, kMB, 0);
  device.RemoveFile(gone);
  device.Append(file, kMB, 0);
  EXPECT_EQ(device.Sync(file, 0), kSecond / 5);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
