// env/file_writer, env/file_reader, env/prefetch over the in-memory files.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/file_reader.h"
#include "env/file_writer.h"
#include "env/mem/mem_file_system.h"
#include "env/prefetch.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/statistics.h"
#include "test/support/error_fs.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

using test::ErrorFileSystem;

std::string RandomBytes(size_t n, uint64_t seed) {
  Random64 random(seed);
  std::string bytes(n, '\0');
  for (char& c : bytes) c = static_cast<char>(random.Next());
  return bytes;
}

struct Disk {
  std::shared_ptr<MemFileSystem> mem = std::make_shared<MemFileSystem>();
  std::shared_ptr<ErrorFileSystem> fs = std::make_shared<ErrorFileSystem>(mem);

  std::unique_ptr<WritableFileWriter> Create(const std::string& name,
                                             const FileOptions& options) {
    std::unique_ptr<FSWritableFile> file;
    EXPECT_TRUE(fs->NewWritableFile(name, options, &file, nullptr).ok());
    return std::make_unique<WritableFileWriter>(std::move(file), name, options);
  }
  std::string Content(const std::string& name) {
    std::string content;
    EXPECT_TRUE(ReadFileToString(fs.get(), name, &content).ok());
    return content;
  }
};

FileOptions Options(size_t buffer_bytes, bool direct) {
  FileOptions options;
  options.writable_file_max_buffer_size = buffer_bytes;
  options.use_direct_writes = direct;
  options.use_direct_reads = direct;
  return options;
}

TEST(WritableFileWriter, WritesWhatWasAppendedWhateverTheBuffer) {
  for (const bool direct : {false, true}) {
    for (const size_t buffer : {0, 4096, 10000, 1 << 20}) {
      Disk disk;
      const auto writer = disk.Create("/f", Options(buffer, direct));
      std::string expected;
      Random64 random(buffer + direct);
      for (int i = 0; i < 300; ++i) {
        const std::string piece = RandomBytes(random.Skewed(14), i);
        ASSERT_TRUE(writer->Append(piece).ok());
        expected += piece;
        ASSERT_EQ(writer->GetFileSize(), expected.size());
        if (random.OneIn(10)) {
          ASSERT_TRUE(writer->Flush().ok());
          ASSERT_EQ(writer->GetFlushedSize(), expected.size());
          ASSERT_EQ(disk.Content("/f").substr(0, expected.size()), expected);
        }
        if (random.OneIn(20)) {
          ASSERT_TRUE(writer->Sync(/*use_fsync=*/false).ok());
          ASSERT_EQ(disk.Content("/f"), expected);
        }
      }
      ASSERT_TRUE(writer->Pad(9000).ok());
      expected.append(9000, '\0');
      ASSERT_TRUE(writer->Close().ok());
      EXPECT_EQ(disk.Content("/f"), expected) << buffer << direct;
    }
  }
}

TEST(WritableFileWriter, CountsEachByteOnceAndWhenItIsWritten) {
  for (const bool direct : {false, true}) {
    Disk disk;
    const std::shared_ptr<Statistics> statistics = CreateDBStatistics();
    WritableFileWriter::Observer observer;
    observer.statistics = statistics.get();
    observer.written_ticker = FLUSH_WRITE_BYTES;
    auto writer = WritableFileWriter::Create(
        disk.fs.get(), "/f", Options(/*buffer_bytes=*/4096, direct), observer);
    ASSERT_TRUE(writer.ok());
    Random64 random(7 + direct);
    uint64_t appended = 0;
    for (int i = 0; i < 200; ++i) {
      const std::string piece = RandomBytes(random.Skewed(13), i);
      ASSERT_TRUE((*writer)->Append(piece).ok());
      appended += piece.size();
      if (random.OneIn(5)) {
        ASSERT_TRUE((*writer)->Flush().ok());
        ASSERT_EQ(appended, statistics->getTickerCount(FLUSH_WRITE_BYTES));
      }
      ASSERT_LE(statistics->getTickerCount(FLUSH_WRITE_BYTES), appended);
      ASSERT_GE(statistics->getTickerCount(FLUSH_WRITE_BYTES) + 2 * 4096,
                appended);
    }
    ASSERT_TRUE((*writer)->Close().ok());
    EXPECT_EQ(appended, statistics->getTickerCount(FLUSH_WRITE_BYTES));
  }
}

TEST(WritableFileWriter, AppendAndFlushMakesOneWriteAndNoCopy) {
  Disk disk;
  const auto writer = disk.Create("/f", Options(1 << 20, false));
  disk.fs->Record(true);
  ASSERT_TRUE(writer->AppendAndFlush("group one").ok());
  ASSERT_TRUE(writer->Append("buffered ").ok());
  ASSERT_TRUE(writer->AppendAndFlush("and more").ok());
  EXPECT_EQ(disk.fs->TakeRecord(),
            "append f 9\nflush f\nappend f 17\nflush f\n");
  EXPECT_EQ(disk.Content("/f"), "group onebuffered and more");
}

TEST(WritableFileWriter, SyncedBytesSurviveACrashAndAreNotPadded) {
  for (const bool direct : {false, true}) {
    Disk disk;
    const auto writer = disk.Create("/f", Options(4096, direct));
    const std::string synced = RandomBytes(10001, 1);
    ASSERT_TRUE(writer->Append(synced).ok());
    ASSERT_TRUE(writer->Sync(/*use_fsync=*/true).ok());
    ASSERT_TRUE(writer->Append(RandomBytes(5000, 2)).ok());
    CrashOptions crash;
    crash.names = CrashOptions::Names::kAll;
    std::string content;
    ASSERT_TRUE(
        ReadFileToString(disk.mem->CrashClone(crash).get(), "/f", &content)
            .ok());
    EXPECT_EQ(content, synced);
  }
}

TEST(WritableFileWriter, SyncIsSkippedWhenNothingIsNew) {
  Disk disk;
  const auto writer = disk.Create("/f", Options(4096, false));
  disk.fs->Record(true);
  ASSERT_TRUE(writer->Sync(false).ok());  // An empty new file counts as new.
  ASSERT_TRUE(writer->Append("x").ok());
  ASSERT_TRUE(writer->Sync(false).ok());
  ASSERT_TRUE(writer->Sync(false).ok());
  ASSERT_TRUE(writer->SyncWithoutFlush(false).ok());
  EXPECT_EQ(disk.fs->TakeRecord(),
            "flush f\nsync f\nappend f 1\nflush f\nsync f\nflush f\n");
}

TEST(WritableFileWriter, SyncsBesideAWriter) {
  Disk disk;
  const auto writer = disk.Create("/f", Options(4096, false));
  std::thread syncer([&writer] {
    for (int i = 0; i < 200; ++i) {
      const uint64_t flushed = writer->GetFlushedSize();
      EXPECT_TRUE(writer->SyncWithoutFlush(i % 2 == 0).ok());
      EXPECT_GE(writer->GetFileSize(), flushed);
    }
  });
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(writer->Append("0123456789").ok());
    if (i % 3 == 0) {
      ASSERT_TRUE(writer->AppendAndFlush("x").ok());
    }
  }
  syncer.join();
  ASSERT_TRUE(writer->Sync(false).ok());
  CrashOptions crash;
  crash.names = CrashOptions::Names::kAll;
  EXPECT_EQ(disk.mem->CrashClone(crash)->Describe(), "/f 5167\n");
}

TEST(WritableFileWriter, AFailedFileIsNeverTouchedAgain) {
  for (const char* kind : {"append", "flush", "sync"}) {
    Disk disk;
    const auto writer = disk.Create("/f", Options(4096, false));
    ASSERT_TRUE(disk.fs
                    ->SetRule("(ErrInjected (And " + std::string(kind) +
                              " (OnIndex 0)))")
                    .ok());
    IOStatus s = writer->Append(std::string(10000, 'x'));
    if (s.ok()) s = writer->Sync(false);
    ASSERT_TRUE(s.IsIOError()) << kind;
    EXPECT_NE(s.ToString().find("injected"), std::string::npos);

    disk.fs->Record(true);
    EXPECT_EQ(writer->Append("y").ToString(), s.ToString());
    EXPECT_EQ(writer->Flush().ToString(), s.ToString());
    EXPECT_EQ(writer->Sync(false).ToString(), s.ToString());
    EXPECT_EQ(writer->SyncWithoutFlush(false).ToString(), s.ToString());
    EXPECT_EQ(writer->Close().ToString(), s.ToString());
    EXPECT_EQ(disk.fs->TakeRecord(), "close f\n") << kind;
  }
}

TEST(WritableFileWriter, AfterCloseEveryCallIsRefused) {
  Disk disk;
  const auto writer = disk.Create("/f", Options(4096, false));
  ASSERT_TRUE(writer->Append("x").ok());
  ASSERT_TRUE(writer->Close().ok());
  ASSERT_TRUE(writer->Close().ok());
  EXPECT_FALSE(writer->Append("y").ok());
  EXPECT_FALSE(writer->AppendAndFlush("y").ok());
  EXPECT_FALSE(writer->Sync(false).ok());
  EXPECT_EQ(disk.Content("/f"), "x");
}

// Neither its buffer nor a cut of its end: it may be a full disk's last file.
TEST(WritableFileWriter, AnAbandonedFileIsClosedWithoutWriting) {
  for (const bool direct : {false, true}) {
    Disk disk;
    const auto writer = disk.Create("/f", Options(1 << 20, direct));
    ASSERT_TRUE(writer->Append("abc").ok());
    disk.fs->Record(true);
    writer->Abandon();
    EXPECT_EQ("close f\n", disk.fs->TakeRecord());
    EXPECT_EQ("", disk.Content("/f"));
    EXPECT_TRUE(writer->Append("d").IsAborted());
  }
}

TEST(WritableFileWriter, WritesBackInStepsAndKeepsTheNewestMebibyte) {
  Disk disk;
  FileOptions options = Options(64 << 10, false);
  options.bytes_per_sync = 256 << 10;
  const auto writer = disk.Create("/f", options);
  disk.fs->Record(true);
  for (int i = 0; i < 32; ++i) {
    ASSERT_TRUE(writer->Append(std::string(64 << 10, 'x')).ok());
  }
  const std::string record = disk.fs->TakeRecord();
  size_t syncs = 0;
  for (size_t at = 0;
       (at = record.find("range_sync f 262144\n", at)) != std::string::npos;
       ++at) {
    ++syncs;
  }
  // 31 of the 32 buffers are written; 1 MiB is kept back; a step is 256 KiB.
  EXPECT_EQ(syncs, 3u);
}

TEST(WritableFileWriter, ContinuesAFileWhereItEnded) {
  Disk disk;
  ASSERT_TRUE(WriteStringToFile(disk.fs.get(), "old", "/f").ok());
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      disk.fs->ReopenWritableFile("/f", FileOptions(), &file, nullptr).ok());
  WritableFileWriter writer(std::move(file), "/f", FileOptions());
  EXPECT_EQ(writer.GetFileSize(), 3u);
  ASSERT_TRUE(writer.Append("new").ok());
  ASSERT_TRUE(writer.Close().ok());
  EXPECT_EQ(disk.Content("/f"), "oldnew");
}

// Grants at most 1000 bytes at a time and writes down what was asked.
class TinyLimiter final : public RateLimiter {
 public:
  explicit TinyLimiter(Mode mode) : RateLimiter(mode) {}
  void SetBytesPerSecond(int64_t) override {}
  using RateLimiter::Request;
  void Request(const int64_t bytes, const Env::IOPriority priority) override {
    granted[priority] += bytes;
    ++requests;
  }
  int64_t GetSingleBurstBytes() const override { return 5000; }
  int64_t GetTotalBytesThrough(const Env::IOPriority) const override {
    return 0;
  }
  int64_t GetTotalRequests(const Env::IOPriority) const override { return 0; }
  int64_t GetBytesPerSecond() const override { return 1; }

  int64_t granted[Env::IO_TOTAL] = {};
  int requests = 0;
};

TEST(WritableFileWriter, AsksTheLimiterForEveryChunkUnderItsPriority) {
  for (const bool direct : {false, true}) {
    Disk disk;
    TinyLimiter limiter(RateLimiter::Mode::kWritesOnly);
    FileOptions options = Options(8192, direct);
    options.rate_limiter = &limiter;
    options.io_options.rate_limiter_priority = Env::IO_LOW;
    const auto writer = disk.Create("/f", options);
    const std::string bytes = RandomBytes(20480, 7);
    ASSERT_TRUE(writer->Append(bytes).ok());
    ASSERT_TRUE(writer->Flush().ok());
    EXPECT_EQ(limiter.granted[Env::IO_LOW], 20480);
    EXPECT_GE(limiter.requests, 5);
    writer->SetIOPriority(Env::IO_HIGH);
    ASSERT_TRUE(writer->Append(bytes).ok());
    ASSERT_TRUE(writer->Close().ok());
    EXPECT_EQ(limiter.granted[Env::IO_HIGH], 20480);
    EXPECT_EQ(disk.Content("/f"), bytes + bytes);
  }
}

// Readers

std::unique_ptr<RandomAccessFileReader> OpenRandom(
    FileSystem* fs, const FileOptions& options,
    RandomAccessFileReader::Observer observer = {}) {
  std::unique_ptr<FSRandomAccessFile> file;
  EXPECT_TRUE(fs->NewRandomAccessFile("/f", options, &file, nullptr).ok());
  return std::make_unique<RandomAccessFileReader>(std::move(file), "/f",
                                                  observer);
}

TEST(RandomAccessFileReader, ReadsAnyRangeAndStopsAtTheEnd) {
  const std::string content = RandomBytes(30000, 3);
  for (const bool direct : {false, true}) {
    Disk disk;
    ASSERT_TRUE(WriteStringToFile(disk.fs.get(), content, "/f").ok());
    const auto reader = OpenRandom(disk.fs.get(), Options(0, direct));
    Random64 random(9);
    for (int i = 0; i < 500; ++i) {
      const size_t offset = random.Uniform(31000);
      const size_t n = random.Uniform(9000);
      std::string scratch(n, '\0');
      AlignedBuffer aligned;
      Slice result;
      ASSERT_TRUE(reader
                      ->Read(IOOptions(), offset, n, &result, scratch.data(),
                             random.OneIn(2) ? &aligned : nullptr)
                      .ok());
      const std::string expected =
          offset < content.size() ? content.substr(offset, n) : "";
      ASSERT_EQ(result.ToString(), expected) << offset << " " << n;
    }
  }
}

// Returns at most 100 bytes per read, as a network file system may.
class StingyFile final : public FSRandomAccessFileOwnerWrapper {
 public:
  using FSRandomAccessFileOwnerWrapper::FSRandomAccessFileOwnerWrapper;
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    return FSRandomAccessFileOwnerWrapper::Read(
        offset, std::min<size_t>(n, 100), options, result, scratch, dbg);
  }
};

TEST(RandomAccessFileReader, AsksAgainAfterAShortRead) {
  Disk disk;
  const std::string content = RandomBytes(1050, 4);
  ASSERT_TRUE(WriteStringToFile(disk.fs.get(), content, "/f").ok());
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      disk.fs->NewRandomAccessFile("/f", FileOptions(), &file, nullptr).ok());
  RandomAccessFileReader reader(std::make_unique<StingyFile>(std::move(file)),
                                "/f");
  std::string scratch(5000, '\0');
  Slice result;
  ASSERT_TRUE(reader.Read(IOOptions(), 10, 5000, &result, scratch.data()).ok());
  EXPECT_EQ(result.ToString(), content.substr(10));
}

TEST(RandomAccessFileReader, ReadsWithAPriorityAreLimited) {
  Disk disk;
  ASSERT_TRUE(
      WriteStringToFile(disk.fs.get(), std::string(12000, 'x'), "/f").ok());
  TinyLimiter limiter(RateLimiter::Mode::kAllIo);
  RandomAccessFileReader::Observer observer;
  observer.rate_limiter = &limiter;
  const auto reader = OpenRandom(disk.fs.get(), Options(0, false), observer);
  std::string scratch(12000, '\0');
  Slice result;
  IOOptions options;
  ASSERT_TRUE(reader->Read(options, 0, 12000, &result, scratch.data()).ok());
  EXPECT_EQ(limiter.requests, 0);
  options.rate_limiter_priority = Env::IO_LOW;
  ASSERT_TRUE(reader->Read(options, 0, 12000, &result, scratch.data()).ok());
  EXPECT_EQ(limiter.granted[Env::IO_LOW], 12000);
  EXPECT_EQ(result.size(), 12000u);
}

TEST(RandomAccessFileReader, ErrorsNameTheFileAndWrappedOffsetsAreRefused) {
  Disk disk;
  const Status missing =
      RandomAccessFileReader::Open(disk.fs.get(), "/none", FileOptions())
          .status();
  EXPECT_TRUE(missing.IsPathNotFound());
  EXPECT_NE(missing.ToString().find("/none"), std::string::npos);
  ASSERT_TRUE(WriteStringToFile(disk.fs.get(), "x", "/f").ok());
  const auto reader = OpenRandom(disk.fs.get(), FileOptions());
  Slice result;
  char scratch[8];
  const IOStatus s =
      reader->Read(IOOptions(), UINT64_MAX - 3, 8, &result, scratch);
  EXPECT_TRUE(s.IsCorruption());
  EXPECT_NE(s.ToString().find("/f"), std::string::npos);
}

TEST(SequentialFileReader, ReadsAndSkipsWithAnyReadahead) {
  const std::string content = RandomBytes(300000, 5);
  for (const bool direct : {false, true}) {
    for (const size_t readahead : {0, 1000, 65536}) {
      Disk disk;
      ASSERT_TRUE(WriteStringToFile(disk.fs.get(), content, "/f").ok());
      std::unique_ptr<FSSequentialFile> file;
      ASSERT_TRUE(
          disk.fs->NewSequentialFile("/f", Options(0, direct), &file, nullptr)
              .ok());
      SequentialFileReader reader(std::move(file), "/f", readahead);
      Random64 random(readahead);
      size_t at = 0;
      while (at < content.size()) {
        const size_t n = 1 + random.Skewed(14);
        if (random.OneIn(4)) {
          ASSERT_TRUE(reader.Skip(n).ok());
        } else {
          std::string scratch(n, '\0');
          Slice result;
          ASSERT_TRUE(reader.Read(n, &result, scratch.data()).ok());
          ASSERT_EQ(result.ToString(), content.substr(at, n));
        }
        at += n;
      }
      char c;
      Slice result;
      ASSERT_TRUE(reader.Read(1, &result, &c).ok());
      EXPECT_TRUE(result.empty());
    }
  }
}

// Prefetch

TEST(FilePrefetchBuffer, StartsAfterTwoReadsInARowAndDoubles) {
  Disk disk;
  const std::string content = RandomBytes(1 << 20, 6);
  ASSERT_TRUE(WriteStringToFile(disk.fs.get(), content, "/f").ok());
  const auto reader = OpenRandom(disk.fs.get(), FileOptions());
  FilePrefetchBuffer buffer(reader.get(),
                            FilePrefetchBuffer::Policy::Auto(8192, 65536, 2));
  disk.fs->Record(true, /*with_reads=*/true);
  std::string served_text;
  for (uint64_t offset = 4096; offset < (196 << 10); offset += 4096) {
    Slice result;
    bool served = false;
    ASSERT_TRUE(
        buffer.TryRead(IOOptions(), offset, 4096, &result, &served).ok());
    if (offset < 5 * 4096) served_text += served ? "1" : "0";
    if (served) {
      ASSERT_EQ(result.ToString(), content.substr(offset, 4096));
    }
  }
  EXPECT_EQ(served_text, "0011");
  EXPECT_EQ(disk.fs->TakeRecord(),
            "read f 8192\nread f 16384\nread f 32768\nread f 65536\n"
            "read f 65536\n");
}

TEST(FilePrefetchBuffer, AJumpStartsOver) {
  Disk disk;
  ASSERT_TRUE(
      WriteStringToFile(disk.fs.get(), std::string(1 << 20, 'x'), "/f").ok());
  const auto reader = OpenRandom(disk.fs.get(), FileOptions());
  FilePrefetchBuffer buffer(reader.get(),
                            FilePrefetchBuffer::Policy::Auto(8192, 65536, 2));
  Slice result;
  bool served = false;
  for (uint64_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(
        buffer.TryRead(IOOptions(), i * 4096, 4096, &result, &served).ok());
  }
  EXPECT_TRUE(served);
  ASSERT_TRUE(buffer.TryRead(IOOptions(), 500000, 4096, &result, &served).ok());
  EXPECT_FALSE(served);
}

TEST(FilePrefetchBuffer, FixedWindowsServeAWholeFileAndItsEnd) {
  const std::string content = RandomBytes(100000, 8);
  for (const bool direct : {false, true}) {
    Disk disk;
    ASSERT_TRUE(WriteStringToFile(disk.fs.get(), content, "/f").ok());
    const auto reader = OpenRandom(disk.fs.get(), Options(0, direct));
    FilePrefetchBuffer buffer(reader.get(),
                              FilePrefetchBuffer::Policy::Fixed(20000));
    std::string got;
    Random64 random(1);
    while (got.size() < content.size() + 10) {
      const size_t n = 1 + random.Uniform(9000);
      Slice result;
      bool served = false;
      ASSERT_TRUE(
          buffer.TryRead(IOOptions(), got.size(), n, &result, &served).ok());
      ASSERT_TRUE(served);
      got.append(result.data(), result.size());
      if (result.size() < n) break;
    }
    EXPECT_EQ(got, content);
    EXPECT_LE(buffer.bytes_loaded(), content.size() + 5 * 4096);
  }
}

TEST(FilePrefetchBuffer, NeverReadsBeyondTheLimit) {
  Disk disk;
  ASSERT_TRUE(
      WriteStringToFile(disk.fs.get(), std::string(100000, 'x'), "/f").ok());
  const auto reader = OpenRandom(disk.fs.get(), FileOptions());
  FilePrefetchBuffer buffer(reader.get(),
                            FilePrefetchBuffer::Policy::Fixed(50000));
  buffer.set_limit(30000);
  Slice result;
  bool served = false;
  ASSERT_TRUE(buffer.TryRead(IOOptions(), 20000, 100, &result, &served).ok());
  EXPECT_TRUE(served);
  EXPECT_EQ(buffer.bytes_loaded(), 10000u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
