// Readahead beside its user: the same bytes, whether reads finish late, fail,
// come short or are called off; and no handle is lost.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/prefetch.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "test/support/temp_dir.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// What was started and what became of it.
struct Log {
  int started = 0;
  int polled = 0;
  int aborted = 0;
  int open_handles = 0;
  int plain_reads = 0;
  int fail_every = 0;  // The n-th started read ends with an error.
};

struct StartedRead {
  FSReadRequest request;
  std::function<void(FSReadRequest&, void*)> callback;
  void* argument = nullptr;
  const FSRandomAccessFile* file = nullptr;
  bool fails = false;
};

// Reads only when it is polled.
class LateFile final : public FSRandomAccessFileOwnerWrapper {
 public:
  LateFile(std::unique_ptr<FSRandomAccessFile> file, Log* log)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), log_(log) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override {
    ++log_->plain_reads;
    return FSRandomAccessFileOwnerWrapper::Read(offset, n, options, result,
                                                scratch, dbg);
  }
  IOStatus ReadAsync(FSReadRequest& request, const IOOptions&,
                     std::function<void(FSReadRequest&, void*)> callback,
                     void* argument, void** handle, IOHandleDeleter* deleter,
                     IODebugContext*) override {
    ++log_->started;
    auto* const started = new StartedRead;
    started->request.offset = request.offset;
    started->request.len = request.len;
    started->request.scratch = request.scratch;
    started->callback = std::move(callback);
    started->argument = argument;
    started->file = target();
    started->fails =
        log_->fail_every > 0 && log_->started % log_->fail_every == 0;
    ++log_->open_handles;
    *handle = started;
    *deleter = [log = log_](void* done) {
      delete static_cast<StartedRead*>(done);
      --log->open_handles;
    };
    return IOStatus::OK();
  }

 private:
  Log* const log_;
};

class LateFileSystem final : public FileSystemWrapper {
 public:
  LateFileSystem(const std::shared_ptr<FileSystem>& target, Log* log)
      : FileSystemWrapper(target), log_(log) {}
  const char* Name() const override { return "LateFileSystem"; }

  IOStatus NewRandomAccessFile(const std::string& path,
                               const FileOptions& options,
                               std::unique_ptr<FSRandomAccessFile>* result,
                               IODebugContext* dbg) override {
    std::unique_ptr<FSRandomAccessFile> file;
    IOStatus status =
        FileSystemWrapper::NewRandomAccessFile(path, options, &file, dbg);
    if (status.ok())
      *result = std::make_unique<LateFile>(std::move(file), log_);
    return status;
  }
  IOStatus Poll(std::vector<void*>& handles, size_t) override {
    for (void* handle : handles) {
      ++log_->polled;
      auto* const started = static_cast<StartedRead*>(handle);
      FSReadRequest& request = started->request;
      request.status =
          started->fails
              ? IOStatus::IOError("the disk is tired")
              : started->file->Read(request.offset, request.len, IOOptions(),
                                    &request.result, request.scratch, nullptr);
      started->callback(request, started->argument);
    }
    return IOStatus::OK();
  }
  IOStatus AbortIO(std::vector<void*>& handles) override {
    log_->aborted += static_cast<int>(handles.size());
    return IOStatus::OK();
  }

 private:
  Log* const log_;
};

class ReadAheadTest : public ::testing::Test {
 protected:
  ReadAheadTest() : fs_(FileSystem::Default(), &log_), path_(dir_.File("f")) {
    Random64 random(1);
    for (int i = 0; i < 300000; ++i) {
      bytes_.push_back(static_cast<char>(random.Next()));
    }
    std::unique_ptr<FSWritableFile> file;
    EXPECT_TRUE(fs_.NewWritableFile(path_, FileOptions(), &file, nullptr).ok());
    EXPECT_TRUE(file->Append(bytes_, IOOptions(), nullptr).ok());
    EXPECT_TRUE(file->Close(IOOptions(), nullptr).ok());
  }

  std::unique_ptr<RandomAccessFileReader> Open(bool direct = false) {
    FileOptions options;
    options.use_direct_reads = direct;
    auto reader = RandomAccessFileReader::Open(&fs_, path_, options);
    EXPECT_TRUE(reader.ok());
    return std::move(*reader);
  }
  // Reads in pieces of this size from `offset` to the end.
  void Walk(FilePrefetchBuffer* buffer, size_t piece, uint64_t offset = 0) {
    for (; offset < bytes_.size(); offset += piece) {
      Slice got;
      bool served = false;
      ASSERT_TRUE(
          buffer->TryRead(IOOptions(), offset, piece, &got, &served).ok());
      if (served) {
        ASSERT_EQ(bytes_.substr(offset, piece), got.ToString()) << offset;
      }
    }
  }

  static FilePrefetchBuffer::Policy Policy() {
    return FilePrefetchBuffer::Policy::Auto(4096, 32768, 2);
  }

  const test::TempDir dir_;
  Log log_;
  LateFileSystem fs_;
  const std::string path_;
  std::string bytes_;
};

TEST_F(ReadAheadTest, GivesTheSameBytesWhateverThePieces) {
  for (const bool direct : {false, true}) {
    const std::unique_ptr<RandomAccessFileReader> reader = Open(direct);
    for (const size_t piece : {100, 4096, 4101, 50000}) {
      log_ = {};
      {
        FilePrefetchBuffer buffer(reader.get(), Policy());
        buffer.ReadBeside();
        Walk(&buffer, piece);
      }
      EXPECT_LT(2, log_.started) << piece;
      // Only the first window, and the file's end, are waited for.
      if (piece < 10000) {
        EXPECT_LT(log_.plain_reads, 4) << piece;
      }
      EXPECT_EQ(0, log_.open_handles);
    }
  }
}

TEST_F(ReadAheadTest, ReadsItselfWhatFailedBeside) {
  const std::unique_ptr<RandomAccessFileReader> reader = Open();
  log_.fail_every = 2;
  {
    FilePrefetchBuffer buffer(reader.get(), Policy());
    buffer.ReadBeside();
    Walk(&buffer, 1000);
  }
  EXPECT_LT(2, log_.plain_reads);
  EXPECT_EQ(0, log_.open_handles);
}

TEST_F(ReadAheadTest, CallsOffWhatAJumpMakesUseless) {
  const std::unique_ptr<RandomAccessFileReader> reader = Open();
  Random64 random(7);
  {
    FilePrefetchBuffer buffer(reader.get(), Policy());
    buffer.ReadBeside();
    for (int i = 0; i < 50; ++i) {
      const uint64_t from = random.Uniform(bytes_.size());
      uint64_t offset = from;
      for (int n = 0; n < 12; ++n, offset += 1000) {
        Slice got;
        bool served = false;
        ASSERT_TRUE(
            buffer.TryRead(IOOptions(), offset, 1000, &got, &served).ok());
        if (!served || offset >= bytes_.size()) continue;
        ASSERT_EQ(bytes_.substr(offset, 1000), got.ToString());
      }
    }
  }
  EXPECT_LT(10, log_.aborted);
  EXPECT_EQ(log_.started, log_.polled + log_.aborted);
  EXPECT_EQ(0, log_.open_handles);
}

TEST_F(ReadAheadTest, NeverGoesBeyondItsLimit) {
  const std::unique_ptr<RandomAccessFileReader> reader = Open();
  FilePrefetchBuffer buffer(reader.get(), Policy());
  buffer.ReadBeside();
  buffer.set_limit(20000);
  for (uint64_t offset = 0; offset < 20000; offset += 1000) {
    Slice got;
    bool served = false;
    ASSERT_TRUE(buffer.TryRead(IOOptions(), offset, 1000, &got, &served).ok());
  }
  EXPECT_LE(buffer.bytes_loaded(), 20000u);
}

TEST_F(ReadAheadTest, StartsNoReadOfNoBytes) {
  const std::unique_ptr<RandomAccessFileReader> reader = Open();
  FilePrefetchBuffer buffer(reader.get(),
                            FilePrefetchBuffer::Policy::Auto(0, 0, 2));
  buffer.ReadBeside();
  Walk(&buffer, 1000);
  EXPECT_EQ(0, log_.started);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
