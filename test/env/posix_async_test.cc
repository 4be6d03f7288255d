// Reads that are under way beside each other, with a ring and without.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "env/aligned_buffer.h"
#include "env/async_group.h"
#include "env/file_writer.h"
#include "env/posix/io_ring.h"
#include "rocksdb/file_system.h"
#include "test/support/temp_dir.h"
#include "util/random.h"

namespace {

std::atomic<bool> rings_wanted{true};

}  // namespace

// What programs define; asked once by every thread.
extern "C" bool RocksDbIOUringEnable() { return rings_wanted; }

namespace ROCKSDB_NAMESPACE::engine {
namespace {

constexpr size_t kFileBytes = 300'000;

class PosixAsync : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    Random64 random(7);
    for (size_t i = 0; i < kFileBytes; ++i) {
      content_.push_back(static_cast<char>(random.Next()));
    }
    auto writer =
        WritableFileWriter::Create(fs_.get(), dir_.File("f"), FileOptions());
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->Append(content_).ok());
    ASSERT_TRUE((*writer)->Close().ok());
  }
  void TearDown() override { rings_wanted = true; }

  // On a thread of its own, which has a ring or not.
  template <typename Body>
  void Run(const Body& body) {
    rings_wanted = GetParam();
    std::thread thread([&] {
      const bool has_ring = IoRing::ForThread() != nullptr;
      if (GetParam() && !has_ring) {
        GTEST_SKIP() << "NO IO_URING: this kernel refuses it; plain reads are "
                        "the other half of the test";
      }
      EXPECT_EQ(GetParam(), has_ring);
      body();
    });
    thread.join();
  }

  std::unique_ptr<FSRandomAccessFile> Open(bool direct = false) {
    FileOptions options;
    options.use_direct_reads = direct;
    std::unique_ptr<FSRandomAccessFile> file;
    const IOStatus s =
        fs_->NewRandomAccessFile(dir_.File("f"), options, &file, nullptr);
    EXPECT_TRUE(s.ok() || direct) << s.ToString();
    return file;
  }

  std::string Expected(uint64_t offset, size_t n) const {
    return offset >= content_.size() ? "" : content_.substr(offset, n);
  }

  const std::shared_ptr<FileSystem> fs_ = FileSystem::Default();
  test::TempDir dir_;
  std::string content_;
};

struct Request {
  uint64_t offset;
  std::string scratch;
};

std::vector<Request> MakeRequests(Random64* random, size_t count) {
  std::vector<Request> requests(count);
  for (Request& r : requests) {
    r.offset = random->Uniform(kFileBytes + 1000);
    r.scratch.resize(random->Uniform(20'000));
  }
  return requests;
}

FSReadRequest AsRead(Request* request) {
  FSReadRequest read;
  read.offset = request->offset;
  read.len = request->scratch.size();
  read.scratch = request->scratch.data();
  return read;
}

TEST_P(PosixAsync, ManyReadsGiveWhatTheFileHolds) {
  Run([&] {
    Random64 random(11);
    auto file = Open();
    for (const size_t count : {0u, 1u, 2u, 63u, 64u, 65u, 300u}) {
      std::vector<Request> requests = MakeRequests(&random, count);
      std::vector<FSReadRequest> reads;
      for (Request& r : requests) reads.push_back(AsRead(&r));
      ASSERT_TRUE(
          file->MultiRead(reads.data(), count, IOOptions(), nullptr).ok());
      for (const FSReadRequest& read : reads) {
        ASSERT_TRUE(read.status.ok()) << read.status.ToString();
        ASSERT_EQ(read.result.ToString(), Expected(read.offset, read.len));
      }
    }
  });
}

TEST_P(PosixAsync, DirectReadsStopAtTheEndOfTheFile) {
  Run([&] {
    auto file = Open(/*direct=*/true);
    if (file == nullptr) {
      GTEST_SKIP() << "NO DIRECT I/O: the file system of " << dir_.File("f")
                   << " refuses it";
    }
    const size_t page = file->GetRequiredBufferAlignment();
    AlignedBuffer memory(page, 40 * page);
    std::vector<FSReadRequest> reads(10);
    for (size_t i = 0; i < reads.size(); ++i) {
      reads[i].offset = AlignDown(kFileBytes, page) - (8 - i) * page;
      reads[i].len = 4 * page;
      reads[i].scratch = memory.data() + i * 4 * page;
    }
    ASSERT_TRUE(
        file->MultiRead(reads.data(), reads.size(), IOOptions(), nullptr).ok());
    for (const FSReadRequest& read : reads) {
      ASSERT_TRUE(read.status.ok()) << read.status.ToString();
      EXPECT_EQ(read.result.ToString(), Expected(read.offset, read.len));
    }
  });
}

// Starts a read and remembers what becomes of it.
class Started {
 public:
  Started(FSRandomAccessFile* file, Request request)
      : request_(std::move(request)) {
    FSReadRequest read = AsRead(&request_);
    const IOStatus s = file->ReadAsync(
        read, IOOptions(),
        [this](FSReadRequest& done, void* argument) {
          EXPECT_EQ(argument, this);
          ++calls;
          status = done.status;
          result = done.result.ToString();
        },
        this, &handle, &delete_handle_, nullptr);
    EXPECT_TRUE(s.ok());
  }
  ~Started() {
    if (handle != nullptr) delete_handle_(handle);
  }
  uint64_t offset() const { return request_.offset; }
  size_t size() const { return request_.scratch.size(); }

  void* handle = nullptr;
  int calls = 0;
  IOStatus status;
  std::string result;

 private:
  Request request_;
  IOHandleDeleter delete_handle_;
};

TEST_P(PosixAsync, EveryStartedReadIsToldOnceWhenPolled) {
  Run([&] {
    Random64 random(13);
    auto file = Open();
    std::vector<std::unique_ptr<Started>> started;
    std::vector<void*> handles;
    // More than a ring holds: the rest is read at once.
    for (Request& r : MakeRequests(&random, 2 * IoRing::kDepth)) {
      started.push_back(std::make_unique<Started>(file.get(), std::move(r)));
      handles.push_back(started.back()->handle);
    }
    std::vector<void*> last = {handles.back(), handles[5]};
    ASSERT_TRUE(fs_->Poll(last, 2).ok());
    EXPECT_EQ(started[5]->calls, 1);
    ASSERT_TRUE(fs_->Poll(handles, handles.size()).ok());
    ASSERT_TRUE(fs_->Poll(handles, handles.size()).ok());
    for (const auto& s : started) {
      EXPECT_EQ(s->calls, 1);
      EXPECT_TRUE(s->status.ok());
      EXPECT_EQ(s->result, Expected(s->offset(), s->size()));
    }
  });
}

TEST_P(PosixAsync, AGroupOfReadsIsOneCallOfTheKernel) {
  Run([&] {
    Random64 random(17);
    auto file = Open();
    auto other = Open();
    const IoRing* const ring = IoRing::ForThread().get();
    const auto calls = [ring] {
      return ring == nullptr ? 0 : ring->kernel_calls();
    };
    const uint64_t before = calls();
    std::vector<std::unique_ptr<Started>> started;
    std::vector<void*> handles;
    {
      const AsyncGroup group;
      for (Request& r : MakeRequests(&random, 30)) {
        auto* const from = started.size() % 2 == 0 ? file.get() : other.get();
        started.push_back(std::make_unique<Started>(from, std::move(r)));
        handles.push_back(started.back()->handle);
      }
      EXPECT_EQ(calls(), before);
      handles.push_back(handles[3]);  // Asked for twice, told once.
      ASSERT_TRUE(fs_->Poll(handles, handles.size()).ok());
    }
    // A wait may be broken off, and takes what else has completed.
    if (ring != nullptr) {
      EXPECT_GE(calls(), before + 1);
      EXPECT_LE(calls(), before + 3);
    }
    for (const auto& s : started) {
      EXPECT_EQ(s->calls, 1);
      EXPECT_TRUE(s->status.ok()) << s->status.ToString();
      EXPECT_EQ(s->result, Expected(s->offset(), s->size()));
    }
    // Outside of it each is under way when it has been started.
    const uint64_t behind = calls();
    Started alone(file.get(), {17, std::string(50, '\0')});
    if (ring != nullptr) {
      EXPECT_EQ(calls(), behind + 1);
    }
  });
}

TEST_P(PosixAsync, AGroupMayBeLargerThanTheRingAndEndBeforeItIsPolled) {
  Run([&] {
    Random64 random(19);
    auto file = Open();
    std::vector<std::unique_ptr<Started>> started;
    std::vector<void*> handles;
    {
      const AsyncGroup group;
      for (Request& r : MakeRequests(&random, 2 * IoRing::kDepth)) {
        started.push_back(std::make_unique<Started>(file.get(), std::move(r)));
        handles.push_back(started.back()->handle);
      }
    }
    started.pop_back();  // Never told.
    handles.pop_back();
    started.front().reset();
    handles.erase(handles.begin());
    ASSERT_TRUE(fs_->Poll(handles, handles.size()).ok());
    started.erase(started.begin());
    for (const auto& s : started) {
      EXPECT_EQ(s->calls, 1);
      EXPECT_EQ(s->result, Expected(s->offset(), s->size()));
    }
  });
}

TEST_P(PosixAsync, AbortedReadsAreToldSoAndDeletedOnesNothing) {
  Run([&] {
    auto file = Open();
    Started aborted(file.get(), {1000, std::string(100'000, '\0')});
    auto dropped = std::make_unique<Started>(
        file.get(), Request{5000, std::string(200'000, '\0')});
    const bool under_way = aborted.handle != nullptr;
    std::vector<void*> handles = {aborted.handle};
    ASSERT_TRUE(fs_->AbortIO(handles).ok());
    ASSERT_TRUE(fs_->Poll(handles, 1).ok());
    EXPECT_EQ(aborted.calls, 1);
    EXPECT_EQ(aborted.status.IsAborted(), under_way);
    dropped.reset();
    // The ring is as good as before.
    Started next(file.get(), {17, std::string(50, '\0')});
    std::vector<void*> more = {next.handle};
    ASSERT_TRUE(fs_->Poll(more, 1).ok());
    EXPECT_EQ(next.result, Expected(17, 50));
  });
}

TEST_P(PosixAsync, AnotherThreadMayPollWhatAnEndedOneStarted) {
  auto file = Open();
  std::unique_ptr<Started> started;
  Run([&] {
    started = std::make_unique<Started>(file.get(),
                                        Request{777, std::string(9999, '\0')});
  });
  std::vector<void*> handles = {started->handle};
  ASSERT_TRUE(fs_->Poll(handles, 1).ok());
  EXPECT_EQ(started->calls, 1);
  EXPECT_TRUE(started->status.ok()) << started->status.ToString();
  EXPECT_EQ(started->result, Expected(777, 9999));
}

INSTANTIATE_TEST_SUITE_P(RingOrNot, PosixAsync, ::testing::Bool(),
                         [](const auto& param) {
                           return param.param ? "WithRing" : "WithoutRing";
                         });

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
