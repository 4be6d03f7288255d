// env/io_gate with threads, and the file writer and reader that go through it.

#include "env/io_gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/file_reader.h"
#include "env/file_writer.h"
#include "env/mem/mem_file_system.h"
#include "env/prefetch.h"
#include "rocksdb/rate_limiter.h"
#include "test/env/units.h"
#include "test/support/error_fs.h"
#include "test/support/manual_clock.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using test::ErrorFileSystem;
using test::FileOp;
using test::HookedFileSystem;
using test::ManualClock;
using test::OpKind;

using test::kMB;

IoBudget Limited(IoClass io_class, uint64_t bytes_per_second) {
  IoBudget budget;
  budget.bytes_per_second[static_cast<size_t>(io_class)] = bytes_per_second;
  return budget;
}

IoBudget FlushFirst() {
  IoBudget budget;
  budget.flush_first = true;
  return budget;
}

// A thread that wants one turn and tells when it has got it.
class Asker {
 public:
  Asker(IoGate* gate, IoClass io_class, uint64_t bytes)
      : pass(gate, io_class), thread_([this, bytes] {
          const IoGate::Turn turn(&pass, IoKind::kWrite, bytes, false);
          through_.store(true);
        }) {}
  ~Asker() { Join(); }

  bool through() const { return through_.load(); }
  void Join() {
    if (thread_.joinable()) thread_.join();
  }

  IoPass pass;

 private:
  std::atomic<bool> through_{false};
  std::thread thread_;
};

void AwaitWaiting(const IoGate& gate, uint32_t count) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (gate.Snapshot().Total(IoKind::kWrite).waiting < count) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "no request waits";
    std::this_thread::yield();
  }
}

// Takes all tokens, so that the next request has to wait.
void Drain(IoGate* gate, IoClass io_class, uint64_t bytes) {
  const IoPass pass(gate, io_class);
  const IoGate::Turn turn(&pass, IoKind::kWrite, bytes, false);
}

TEST(IoGate, LetsEverythingThroughByDefaultAndCounts) {
  ManualClock clock;
  IoGate gate(&clock);
  const IoPass flush(&gate, IoClass::kFlush);
  const IoPass debt(&gate, IoClass::kDebt);
  {
    const IoGate::Turn write(&flush, IoKind::kWrite, 1000, false);
    const IoGate::Turn read(&debt, IoKind::kRead, 300, false);
    clock.Advance(70);
    const IoCounters now = gate.Snapshot();
    EXPECT_EQ(now.At(IoClass::kFlush, IoKind::kWrite).inside, 1u);
    EXPECT_EQ(now.At(IoClass::kFlush, IoKind::kWrite).in_flight_bytes(), 1000u);
    EXPECT_EQ(now.At(IoClass::kFlush, IoKind::kWrite).calls, 0u);
    EXPECT_EQ(now.At(IoClass::kDebt, IoKind::kRead).in_flight_bytes(), 300u);
  }
  {
    const IoGate::SyncCall sync(&flush);
    EXPECT_EQ(gate.Snapshot().Total(IoKind::kWrite).inside, 1u);
    clock.Advance(30);
  }
  const IoLane lane = gate.Snapshot().At(IoClass::kFlush, IoKind::kWrite);
  EXPECT_EQ(lane.calls, 1u);
  EXPECT_EQ(lane.bytes, 1000u);
  EXPECT_EQ(lane.in_flight_bytes(), 0u);
  EXPECT_EQ(lane.device_micros, 70u);
  EXPECT_EQ(lane.sync_micros, 30u);
  EXPECT_EQ(lane.wait_micros, 0u);
  EXPECT_EQ(lane.inside, 0u);
  // Without a pass or a gate nothing happens.
  const IoPass nowhere;
  { const IoGate::Turn turn(&nowhere, IoKind::kWrite, 5, false); }
  { const IoGate::Turn turn(nullptr, IoKind::kWrite, 5, false); }
  EXPECT_EQ(gate.Snapshot().Total(IoKind::kWrite).bytes, 1000u);
}

TEST(IoGate, MakesAClassWaitForItsTokensAndCountsTheTime) {
  ManualClock clock;
  IoGate gate(&clock);
  gate.SetBudget(Limited(IoClass::kDebt, 10 * kMB));
  Drain(&gate, IoClass::kDebt, 1 << 20);
  Asker asker(&gate, IoClass::kDebt, 100 * 1000);  // 10 ms.
  Asker other(&gate, IoClass::kRuns, 100 * 1000);
  other.Join();
  AwaitWaiting(gate, 1);
  for (int i = 0; i < 9; ++i) {
    clock.Advance(1000);
    EXPECT_FALSE(asker.through());
  }
  clock.Advance(1000);
  asker.Join();
  EXPECT_EQ(gate.Snapshot().At(IoClass::kDebt, IoKind::kWrite).wait_micros,
            10 * 1000u);
}

// io_gate.h (2).
TEST(IoGate, LetsAHurriedJobThroughWithinTwoMilliseconds) {
  ManualClock clock;
  IoGate gate(&clock);
  gate.SetBudget(Limited(IoClass::kMaintenance, 1));
  Drain(&gate, IoClass::kMaintenance, 1 << 20);
  Asker asker(&gate, IoClass::kMaintenance, 1 << 20);
  AwaitWaiting(gate, 1);
  EXPECT_FALSE(asker.through());
  asker.pass.hurry.store(true);
  clock.Advance(2000);
  asker.Join();
  EXPECT_LE(gate.Snapshot().Total(IoKind::kWrite).wait_micros, 2000u);
  // It stays in a hurry: no waiting at all.
  const IoGate::Turn turn(&asker.pass, IoKind::kWrite, 1 << 20, false);
}

TEST(IoGate, FollowsAJobIntoItsNewClass) {
  ManualClock clock;
  IoGate gate(&clock);
  gate.SetBudget(Limited(IoClass::kDebt, 1));
  Drain(&gate, IoClass::kDebt, 1 << 20);
  Asker asker(&gate, IoClass::kDebt, 1 << 20);
  AwaitWaiting(gate, 1);
  asker.pass.io_class.store(IoClass::kRuns);
  clock.Advance(2000);
  asker.Join();
  EXPECT_EQ(gate.Snapshot().At(IoClass::kRuns, IoKind::kWrite).calls, 1u);
}

TEST(IoGate, ANewBudgetHoldsForThoseWhoWait) {
  ManualClock clock;
  IoGate gate(&clock);
  gate.SetBudget(Limited(IoClass::kDebt, 1));
  Drain(&gate, IoClass::kDebt, 1 << 20);
  Asker asker(&gate, IoClass::kDebt, 1 << 20);
  AwaitWaiting(gate, 1);
  gate.SetBudget(IoBudget{});
  asker.Join();  // The clock stands still.
  EXPECT_EQ(gate.budget(), IoBudget{});
}

TEST(IoGate, NoRequestWaitsOnceItIsClosing) {
  ManualClock clock;
  IoGate gate(&clock);
  gate.SetBudget(Limited(IoClass::kFlush, 1));
  Drain(&gate, IoClass::kFlush, 1 << 20);
  {
    Asker first(&gate, IoClass::kFlush, 1 << 20);
    Asker second(&gate, IoClass::kFlush, 1 << 20);
    AwaitWaiting(gate, 2);
    gate.StopWaiting();
  }
  gate.SetBudget(Limited(IoClass::kFlush, 1));
  Drain(&gate, IoClass::kFlush, 1 << 20);
  Drain(&gate, IoClass::kFlush, 1 << 20);
  const IoLane lane = gate.Snapshot().Total(IoKind::kWrite);
  EXPECT_EQ(lane.calls, 5u);
  EXPECT_EQ(lane.waiting, 0u);
}

TEST(IoGate, FlushesGoFirstInAllDatabasesOfADevice) {
  ManualClock clock;
  const auto shared = std::make_shared<IoGateShared>();
  IoGate mine(&clock, shared);
  IoGate others(&clock, shared);
  mine.SetBudget(FlushFirst());
  others.SetBudget(FlushFirst());
  Drain(&mine, IoClass::kDebt, 1 << 20);  // No flush: no waiting.
  const IoPass pass(&others, IoClass::kFlush);
  auto flush =
      std::make_unique<IoGate::Turn>(&pass, IoKind::kWrite, 1 << 20, false);
  EXPECT_EQ(mine.flushes_writing(), 1);
  Drain(&mine, IoClass::kFlush, 1 << 20);
  Asker here(&mine, IoClass::kDebt, 1000);
  Asker there(&others, IoClass::kMaintenance, 1000);
  AwaitWaiting(mine, 1);
  AwaitWaiting(others, 1);
  flush.reset();
  there.Join();
  clock.Advance(2000);
  here.Join();
}

// Time moves only here, so the bound is exact however slow the machine is.
TEST(IoGate, ThreadsTogetherKeepTheRate) {
  constexpr uint64_t kRate = 40 * kMB;
  constexpr uint64_t kChunk = 50 * 1000;
  constexpr uint64_t kBucket = kRate / 200;  // 5 ms.
  constexpr uint64_t kTotal = 4 * 40 * kChunk;
  ManualClock clock;
  IoGate gate(&clock);
  IoBudget budget = Limited(IoClass::kRuns, kRate);
  budget.chunk_bytes = kChunk;
  gate.SetBudget(budget);
  std::atomic<uint64_t> granted{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const IoPass pass(&gate, IoClass::kRuns);
      for (int j = 0; j < 40; ++j) {
        const IoGate::Turn turn(&pass, IoKind::kWrite, kChunk, false);
        granted += kChunk;
      }
    });
  }
  uint64_t micros = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (granted < kTotal && std::chrono::steady_clock::now() < end) {
    const uint64_t before = granted;
    // A turn that fills the bucket's last bytes may begin a chunk early.
    EXPECT_LE(before, micros * kRate / kMB + kBucket + kChunk)
        << "after " << micros << " us";
    if (gate.Snapshot().Total(IoKind::kWrite).waiting == 0) {
      std::this_thread::yield();
      continue;
    }
    clock.Advance(100);
    micros += 100;
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  // 8 MB less a bucket at 40 MB/s.
  EXPECT_GE(micros, (kTotal - kBucket - kChunk) * kMB / kRate);
  EXPECT_EQ(gate.Snapshot().At(IoClass::kRuns, IoKind::kWrite).bytes, kTotal);
}

// ------------------------------------------------------------- through files

// The sizes of the calls that reach the file system.
struct Calls {
  std::shared_ptr<MemFileSystem> mem = std::make_shared<MemFileSystem>();
  std::vector<uint64_t> appends;
  std::vector<uint64_t> reads;
  std::shared_ptr<HookedFileSystem> fs =
      std::make_shared<HookedFileSystem>(mem, [this](const FileOp& op) {
        if (op.kind == OpKind::kAppend) appends.push_back(op.bytes);
        if (op.kind == OpKind::kRead) reads.push_back(op.bytes);
        return IOStatus::OK();
      });

  std::unique_ptr<WritableFileWriter> Create(const FileOptions& options) const {
    auto writer = WritableFileWriter::Create(fs.get(), "/f", options);
    EXPECT_TRUE(writer.ok());
    return std::move(*writer);
  }
  std::string Content() const {
    std::string content;
    EXPECT_TRUE(ReadFileToString(fs.get(), "/f", &content).ok());
    return content;
  }
};

std::string Pattern(size_t n) {
  std::string bytes(n, '\0');
  for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<char>(i * 7 + i / 251);
  return bytes;
}

TEST(IoGate, CutsWritesOnlyWhereTheClassMayHaveToWait) {
  const std::string bytes = Pattern(300 * 1000);
  for (const bool direct : {false, true}) {
    for (const bool gated : {false, true}) {
      Calls calls;
      FileOptions options;
      options.writable_file_max_buffer_size = 1 << 20;
      options.use_direct_writes = direct;
      IoGate gate(SystemClock::Default().get());
      IoBudget budget =
          Limited(gated ? IoClass::kDebt : IoClass::kRuns, 1000 * kMB);
      budget.chunk_bytes = 10 * 1000;
      gate.SetBudget(budget);
      const IoPass pass(&gate, IoClass::kDebt);
      const auto writer = calls.Create(options);
      writer->SetIoPass(&pass);
      ASSERT_TRUE(writer->Append(bytes).ok());
      ASSERT_TRUE(writer->Sync(false).ok());
      ASSERT_TRUE(writer->Close().ok());
      EXPECT_EQ(calls.Content(), bytes);
      const uint64_t largest =
          *std::max_element(calls.appends.begin(), calls.appends.end());
      if (!gated) {
        EXPECT_GE(largest, bytes.size()) << "one call";
      } else if (direct) {
        EXPECT_EQ(largest, 8192u) << "whole blocks below the chunk";
        for (const uint64_t n : calls.appends) EXPECT_EQ(n % 4096, 0u);
      } else {
        EXPECT_EQ(largest, 10 * 1000u);
      }
      const IoLane lane = gate.Snapshot().At(IoClass::kDebt, IoKind::kWrite);
      EXPECT_GE(lane.bytes, bytes.size());
      EXPECT_EQ(lane.calls, calls.appends.size());
      EXPECT_EQ(lane.in_flight_bytes(), 0u);
    }
  }
}

// Grants at most 3000 bytes a time.
class SmallLimiter : public RateLimiter {
 public:
  SmallLimiter() : RateLimiter(Mode::kWritesOnly) {}
  void SetBytesPerSecond(int64_t) override {}
  void Request(int64_t bytes, Env::IOPriority, Statistics*) override {
    granted += bytes;
  }
  int64_t GetSingleBurstBytes() const override { return 3000; }
  int64_t GetTotalBytesThrough(Env::IOPriority) const override { return 0; }
  int64_t GetTotalRequests(Env::IOPriority) const override { return 0; }
  int64_t GetBytesPerSecond() const override { return 1; }

  int64_t granted = 0;
};

TEST(IoGate, TheUsersLimiterHoldsBesideIt) {
  const std::string bytes = Pattern(50 * 1000);
  Calls calls;
  SmallLimiter limiter;
  FileOptions options;
  options.rate_limiter = &limiter;
  options.io_options.rate_limiter_priority = Env::IO_LOW;
  IoGate gate(SystemClock::Default().get());
  IoBudget budget = Limited(IoClass::kDebt, 1000 * kMB);
  budget.chunk_bytes = 10 * 1000;
  gate.SetBudget(budget);
  const IoPass pass(&gate, IoClass::kDebt);
  const auto writer = calls.Create(options);
  writer->SetIoPass(&pass);
  ASSERT_TRUE(writer->Append(bytes).ok());
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_EQ(calls.Content(), bytes);
  EXPECT_EQ(limiter.granted, 50 * 1000);
  EXPECT_EQ(*std::max_element(calls.appends.begin(), calls.appends.end()),
            3000u);
  EXPECT_EQ(gate.Snapshot().At(IoClass::kDebt, IoKind::kWrite).bytes,
            bytes.size());
}

TEST(IoGate, AFailedWriteLeavesNothingInFlight) {
  const std::string bytes = Pattern(100 * 1000);
  for (const bool direct : {false, true}) {
    auto fs =
        std::make_shared<ErrorFileSystem>(std::make_shared<MemFileSystem>());
    ASSERT_TRUE(fs->SetRule("(ErrInjected (And append (OnIndex 2)))").ok());
    IoGate gate(SystemClock::Default().get());
    IoBudget budget = Limited(IoClass::kDebt, 1000 * kMB);
    budget.chunk_bytes = 8192;
    gate.SetBudget(budget);
    const IoPass pass(&gate, IoClass::kDebt);
    FileOptions options;
    options.use_direct_writes = direct;
    auto writer = WritableFileWriter::Create(fs.get(), "/f", options);
    ASSERT_TRUE(writer.ok());
    (*writer)->SetIoPass(&pass);
    ASSERT_TRUE((*writer)->Append(bytes).ok());
    EXPECT_FALSE((*writer)->Sync(false).ok());
    EXPECT_FALSE((*writer)->Close().ok());
    const IoLane lane = gate.Snapshot().At(IoClass::kDebt, IoKind::kWrite);
    EXPECT_EQ(lane.calls, 3u);
    EXPECT_EQ(lane.inside, 0u);
    EXPECT_EQ(lane.in_flight_bytes(), 0u);
  }
}

TEST(IoGate, ChargesReadaheadOnceAndNotBeyondTheEnd) {
  const std::string bytes = Pattern(100 * 1000);
  Calls calls;
  ASSERT_TRUE(WriteStringToFile(calls.fs.get(), bytes, "/f").ok());
  const auto reader =
      RandomAccessFileReader::Open(calls.fs.get(), "/f", FileOptions());
  ASSERT_TRUE(reader.ok());
  IoGate gate(SystemClock::Default().get());
  const IoPass pass(&gate, IoClass::kRuns);
  FilePrefetchBuffer buffer(reader->get(),
                            FilePrefetchBuffer::Policy::Fixed(30000));
  buffer.set_io_pass(&pass);
  buffer.set_limit(bytes.size());
  std::string got;
  while (got.size() < bytes.size()) {
    Slice result;
    bool served = false;
    ASSERT_TRUE(
        buffer.TryRead(IOOptions(), got.size(), 1000, &result, &served).ok());
    ASSERT_TRUE(served);
    got.append(result.data(), result.size());
  }
  EXPECT_EQ(got, bytes);
  const IoLane lane = gate.Snapshot().At(IoClass::kRuns, IoKind::kRead);
  EXPECT_EQ(lane.bytes, bytes.size());
  EXPECT_EQ(lane.calls, 4u);
}

IOSchedulerOptions DiskOf50MB() {
  IOSchedulerOptions options;
  options.profile =
      "disks:\n  - mountpoint: /\n    read_iops: 20000\n"
      "    read_bandwidth: 50MB\n    write_iops: 20000\n"
      "    write_bandwidth: 50MB\n";
  return options;
}

TEST(IoGate, AJobWithoutABudgetIsCutAndWaitsForTheDisk) {
  const auto scheduler = std::make_shared<IoScheduler>(DiskOf50MB());
  ASSERT_TRUE(scheduler->Open(FileSystem::Default().get(), "/", nullptr).ok());
  IoGate gate(SystemClock::Default().get(), nullptr, scheduler);
  gate.SetBudget(Limited(IoClass::kDebt, 1));
  IoPass pass(&gate, IoClass::kDebt);
  pass.exempt = true;
  const size_t chunk = IoGate::CutToChunk(&pass, IoKind::kWrite, 10 * kMB, 1);
  EXPECT_EQ(scheduler->split_bytes(IoKind::kWrite), chunk);
  const auto start = std::chrono::steady_clock::now();
  for (size_t bytes = 0; bytes < 5 * kMB; bytes += chunk) {
    const IoGate::Turn turn(&pass, IoKind::kWrite, chunk, /*direct=*/true);
  }
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - start;
  EXPECT_GE(took.count(), 0.08) << "5 MB at 50 MB/s";
}

// A backup's gate is gone when someone asks.
TEST(IoGate, CopiesAreSeenByEachDatabaseOfTheirScheduler) {
  const auto scheduler = std::make_shared<IoScheduler>(DiskOf50MB());
  ASSERT_TRUE(scheduler->Open(FileSystem::Default().get(), "/", nullptr).ok());
  const IoGate gate(SystemClock::Default().get(), nullptr, scheduler);
  const IoGate alone(SystemClock::Default().get());
  {
    IoGate copying(SystemClock::Default().get(), nullptr, scheduler);
    const IoPass* const pass = BackupPass(&copying);
    const IoGate::Turn turn(pass, IoKind::kRead, 1000, /*direct=*/false);
    { const IoGate::SyncCall sync(pass); }
    const IoCounters counters = gate.Snapshot();
    EXPECT_EQ(1u, counters.At(IoClass::kBackups, IoKind::kRead).inside);
  }
  const IoCounters counters = gate.Snapshot();
  EXPECT_EQ(1000u, counters.At(IoClass::kBackups, IoKind::kRead).bytes);
  EXPECT_EQ(1u, counters.At(IoClass::kBackups, IoKind::kWrite).syncs);
  EXPECT_EQ(0u, counters.Total(IoKind::kRead).bytes) << "none of its own";
  EXPECT_EQ(0u, alone.Snapshot().At(IoClass::kBackups, IoKind::kRead).bytes);
}

// 4 GB/s: what takes 64 KiB in 20 us is the disk, not a cache.
TEST(IoGate, KnowsReadsOfAFastDiskFromThoseOfACache) {
  IOSchedulerOptions options;
  options.profile =
      "disks:\n  - mountpoint: /\n    read_iops: 800000\n"
      "    read_bandwidth: 4GB\n    write_iops: 20000\n"
      "    write_bandwidth: 50MB\n";
  const auto fast = std::make_shared<IoScheduler>(options);
  const auto slow = std::make_shared<IoScheduler>(DiskOf50MB());
  const std::shared_ptr<FileSystem> fs = FileSystem::Default();
  ASSERT_TRUE(fast->Open(fs.get(), "/", nullptr).ok());
  ASSERT_TRUE(slow->Open(fs.get(), "/", nullptr).ok());
  EXPECT_DOUBLE_EQ(fast->cached_nanos_per_byte(), 0.125);
  EXPECT_DOUBLE_EQ(slow->cached_nanos_per_byte(), 1.0);
}

// 500 appends of 4,000 bytes at 50 MB/s are 40 ms.
TEST(IoGate, SmallAppendsToALogArePaidForByOthers) {
  for (const int appends : {0, 500}) {
    const auto clock = std::make_shared<ManualClock>();
    const auto scheduler = std::make_shared<IoScheduler>(DiskOf50MB(), clock);
    ASSERT_TRUE(
        scheduler->Open(FileSystem::Default().get(), "/", nullptr).ok());
    IoGate gate(clock.get(), nullptr, scheduler);
    const IoPass log(&gate, IoClass::kLog);
    for (int i = 0; i < appends; ++i) {
      const IoGate::Turn turn(&log, IoKind::kWrite, 4000, /*direct=*/false);
    }
    EXPECT_EQ(gate.Snapshot().At(IoClass::kLog, IoKind::kWrite).bytes,
              static_cast<uint64_t>(appends) * 4000);
    Asker debt(&gate, IoClass::kDebt, 64 << 10);
    if (appends > 0) {
      AwaitWaiting(gate, 1);
      clock->Advance(20 * 1000);
      const uint64_t waits = clock->waits();
      while (!debt.through() && clock->waits() < waits + 2) {
        std::this_thread::yield();
      }
      EXPECT_FALSE(debt.through()) << "half of it is not paid";
      clock->Advance(1000 * 1000);
    }
    debt.Join();
  }
}

// On an idle disk: what is appended must not have to be earned before the sync
// that writes it.
TEST(IoGate, ASyncPaysForWhatWasAppendedToItsLog) {
  const auto clock = std::make_shared<ManualClock>();
  const auto scheduler = std::make_shared<IoScheduler>(DiskOf50MB(), clock);
  ASSERT_TRUE(scheduler->Open(FileSystem::Default().get(), "/", nullptr).ok());
  IoGate gate(clock.get(), nullptr, scheduler);
  const IoPass log(&gate, IoClass::kLog);
  for (int round = 0; round < 3; ++round) {
    std::atomic<bool> synced{false};
    std::thread thread([&] {
      { const IoGate::SyncCall first(&log); }
      clock->Advance(1000);  // The bucket is full again.
      for (int i = 0; i < 500; ++i) {
        const IoGate::Turn turn(&log, IoKind::kWrite, 1000, /*direct=*/false);
      }
      { const IoGate::SyncCall sync(&log); }
      synced = true;
    });
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!synced && std::chrono::steady_clock::now() < end) {
      std::this_thread::yield();
    }
    EXPECT_TRUE(synced) << "it waits while no time passes";
    while (!synced) clock->Advance(1000);
    thread.join();
    // 500 KB at 50 MB/s are 10 ms, which others wait for.
    Asker debt(&gate, IoClass::kDebt, 64 << 10);
    AwaitWaiting(gate, 1);
    EXPECT_FALSE(debt.through());
    clock->Advance(1000 * 1000);
    debt.Join();
    clock->Advance(1000 * 1000);
  }
}

TEST(IoGate, SharesADiskBetweenDatabasesAndThreads) {
  const auto scheduler = std::make_shared<IoScheduler>(DiskOf50MB());
  ASSERT_TRUE(scheduler->Open(FileSystem::Default().get(), "/", nullptr).ok());
  constexpr uint64_t kChunk = 64 << 10;
  constexpr auto kTime = std::chrono::milliseconds(400);
  IoGate first(SystemClock::Default().get(), nullptr, scheduler);
  IoGate second(SystemClock::Default().get(), nullptr, scheduler);
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (const IoClass io_class :
       {IoClass::kFlush, IoClass::kDebt, IoClass::kUserReads, IoClass::kLog}) {
    for (IoGate* gate : {&first, &second}) {
      threads.emplace_back([=] {
        const IoPass pass(gate, io_class);
        do {  // Once at least, however late the thread begins.
          const IoKind kind =
              io_class == IoClass::kUserReads ? IoKind::kRead : IoKind::kWrite;
          if (io_class == IoClass::kLog) {
            const IoGate::SyncCall sync(&pass);
          } else {
            const IoGate::Turn turn(&pass, kind, kChunk, /*direct=*/true);
          }
        } while (std::chrono::steady_clock::now() - start < kTime);
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  uint64_t bytes = 0;
  for (const IoGate* gate : {&first, &second}) {
    const IoCounters counters = gate->Snapshot();
    bytes += counters.Total(IoKind::kRead).bytes +
             counters.Total(IoKind::kWrite).bytes;
    for (const IoClass io_class : {IoClass::kFlush, IoClass::kDebt}) {
      EXPECT_GT(counters.At(io_class, IoKind::kWrite).calls, 0u);
    }
    EXPECT_GT(counters.At(IoClass::kLog, IoKind::kWrite).syncs, 0u);
  }
  EXPECT_LE(static_cast<double>(bytes), 1.1 * 50e6 * seconds + 8 * kChunk);
}

TEST(IoGate, StopsWaitingForADiskWhenTheDatabaseCloses) {
  const auto scheduler = std::make_shared<IoScheduler>(DiskOf50MB());
  ASSERT_TRUE(scheduler->Open(FileSystem::Default().get(), "/", nullptr).ok());
  IoGate gate(SystemClock::Default().get(), nullptr, scheduler);
  gate.StopWaiting();
  const IoPass pass(&gate, IoClass::kDebt);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 50000; ++i) {  // 3.3 GB: more than a minute's worth.
    const IoGate::Turn turn(&pass, IoKind::kWrite, 64 << 10, /*direct=*/true);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
