// FileSystem::Default() on a real directory. Every property that does not
// need a disk is also checked for the in-memory files (file_systems_test).

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "env/file_reader.h"
#include "env/file_writer.h"
#include "env/posix/posix_error.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"
#include "test/support/temp_dir.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

TEST(PosixError, SaysWhatWasDoneToWhichFileAndWhy) {
  EXPECT_EQ(PosixError("While open a file for random read", "/d/f", ENOENT)
                .ToString(),
            "IO error: No such file or directory: While open a file for "
            "random read: /d/f: No such file or directory");
  EXPECT_EQ(PosixError("While fsync", "/d/f", EIO).ToString(),
            "IO error: While fsync: /d/f: Input/output error");
  const IOStatus full = PosixError("While pwrite", "/d/f", ENOSPC);
  EXPECT_TRUE(full.IsNoSpace());
  EXPECT_TRUE(full.GetRetryable());
  EXPECT_FALSE(PosixError("While fsync", "/d/f", EIO).GetRetryable());
  EXPECT_TRUE(PosixError("x", "", ENOENT).IsPathNotFound());
  EXPECT_TRUE(PosixError("x", "", ESTALE).IsIOFenced());
}

class PosixFileSystem : public ::testing::Test {
 protected:
  const std::shared_ptr<FileSystem> fs_ = FileSystem::Default();
  const IOOptions io_;
  test::TempDir dir_;
};

TEST_F(PosixFileSystem, DirectFilesRoundTripOrAreRefusedClearly) {
  FileOptions options;
  options.use_direct_writes = true;
  options.use_direct_reads = true;
  const std::string path = dir_.File("direct");
  auto writer = WritableFileWriter::Create(fs_.get(), path, options);
  if (!writer.ok()) {
    // This file system has no direct I/O.
    EXPECT_TRUE(writer.status().IsInvalidArgument());
    EXPECT_NE(writer.status().ToString().find("Direct I/O is not supported"),
              std::string::npos);
    GTEST_SKIP() << writer.status().ToString();
  }
  std::string content(1234567, '\0');
  Random64 random(1);
  for (char& c : content) c = static_cast<char>(random.Next());
  ASSERT_TRUE((*writer)->use_direct_io());
  for (size_t at = 0; at < content.size(); at += 100000) {
    ASSERT_TRUE((*writer)->Append(content.substr(at, 100000)).ok());
    ASSERT_TRUE((*writer)->Flush().ok());
  }
  ASSERT_TRUE((*writer)->Sync(false).ok());
  ASSERT_TRUE((*writer)->Close().ok());
  uint64_t size = 0;
  ASSERT_TRUE(fs_->GetFileSize(path, io_, &size, nullptr).ok());
  EXPECT_EQ(size, content.size());

  auto reader = RandomAccessFileReader::Open(fs_.get(), path, options);
  ASSERT_TRUE(reader.ok());
  for (int i = 0; i < 50; ++i) {
    const size_t offset = random.Uniform(content.size());
    const size_t n = random.Uniform(20000);
    std::string scratch(n, '\0');
    Slice result;
    ASSERT_TRUE((*reader)->Read(io_, offset, n, &result, scratch.data()).ok());
    ASSERT_EQ(result.ToString(), content.substr(offset, n));
  }
}

TEST_F(PosixFileSystem, PreallocatedSpaceIsGivenBackAtClose) {
  const std::string path = dir_.File("preallocated");
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(fs_->NewWritableFile(path, FileOptions(), &file, nullptr).ok());
  file->SetPreallocationBlockSize(1 << 20);
  file->PrepareWrite(0, 10, io_, nullptr);
  ASSERT_TRUE(file->Append("0123456789", io_, nullptr).ok());
  struct stat info {};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_size, 10);
  const bool allocated = info.st_blocks * 512 >= (1 << 20);
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_size, 10);
  EXPECT_LT(info.st_blocks * 512, 1 << 20);
  if (!allocated) GTEST_SKIP() << "no fallocate on this file system";
}

TEST_F(PosixFileSystem, ALockExcludesThisProcessAndOthersAndSaysSo) {
  const std::string path = dir_.File("LOCK");
  FileLock* lock = nullptr;
  ASSERT_TRUE(fs_->LockFile(path, io_, &lock, nullptr).ok());
  // Also under another spelling, which must not even open the file: closing
  // it would drop the lock.
  for (const std::string& same :
       {path, dir_.path() + "/../" + dir_.name() + "/LOCK"}) {
    FileLock* second = nullptr;
    const IOStatus s = fs_->LockFile(same, io_, &second, nullptr);
    EXPECT_TRUE(s.IsIOError());
    EXPECT_EQ(second, nullptr);
    EXPECT_NE(s.ToString().find("lock hold by current process"),
              std::string::npos);
    EXPECT_NE(s.ToString().find("LOCK"), std::string::npos);
  }
  // Another process, with nothing but system calls after the fork.
  const pid_t child = fork();
  if (child == 0) {
    const int fd = open(path.c_str(), O_RDWR);
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    _exit(fd >= 0 && fcntl(fd, F_SETLK, &range) == 0 ? 1 : 0);
  }
  int outcome = -1;
  ASSERT_EQ(waitpid(child, &outcome, 0), child);
  EXPECT_EQ(outcome, 0) << "another process got the lock";

  ASSERT_TRUE(fs_->UnlockFile(lock, io_, nullptr).ok());
  ASSERT_TRUE(fs_->LockFile(path, io_, &lock, nullptr).ok());
  ASSERT_TRUE(fs_->UnlockFile(lock, io_, nullptr).ok());
}

// The open database goes on writing its files, whatever became of LOCK.
TEST_F(PosixFileSystem, APathStaysLockedWhenItsFileIsDeleted) {
  const std::string path = dir_.File("LOCK");
  FileLock* lock = nullptr;
  ASSERT_TRUE(fs_->LockFile(path, io_, &lock, nullptr).ok());
  ASSERT_EQ(0, ::unlink(path.c_str()));
  for (const bool another : {false, true}) {
    if (another) {
      ASSERT_TRUE(WriteStringToFile(fs_.get(), "", path).ok());
    }
    FileLock* second = nullptr;
    const IOStatus s = fs_->LockFile(path, io_, &second, nullptr);
    EXPECT_NE(s.ToString().find("lock hold by current process"),
              std::string::npos)
        << s.ToString();
    EXPECT_EQ(second, nullptr);
  }
  ASSERT_TRUE(fs_->UnlockFile(lock, io_, nullptr).ok());
  ASSERT_TRUE(fs_->LockFile(path, io_, &lock, nullptr).ok());
  ASSERT_TRUE(fs_->UnlockFile(lock, io_, nullptr).ok());
}

TEST_F(PosixFileSystem, AFileLockedByAnotherProcessIsNamed) {
  const std::string path = dir_.File("LOCK");
  int ready[2];
  int done[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(done), 0);
  const pid_t child = fork();
  if (child == 0) {
    const int fd = open(path.c_str(), O_RDWR | O_CREAT, 0644);
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    fcntl(fd, F_SETLK, &range);
    char c = 'x';
    (void)!write(ready[1], &c, 1);
    (void)!read(done[0], &c, 1);
    _exit(0);
  }
  char c;
  ASSERT_EQ(read(ready[0], &c, 1), 1);
  FileLock* lock = nullptr;
  const IOStatus s = fs_->LockFile(path, io_, &lock, nullptr);
  EXPECT_EQ(s.ToString(), "IO error: While lock file: " + path +
                              ": Resource temporarily unavailable");
  ASSERT_EQ(write(done[1], &c, 1), 1);
  int outcome = -1;
  ASSERT_EQ(waitpid(child, &outcome, 0), child);
  for (const int fd : {ready[0], ready[1], done[0], done[1]}) close(fd);
}

TEST_F(PosixFileSystem, MappedFilesAreReadWithoutCopy) {
  const std::string path = dir_.File("mapped");
  ASSERT_TRUE(WriteStringToFile(fs_.get(), "0123456789", path).ok());
  FileOptions options;
  options.use_mmap_reads = true;
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(fs_->NewRandomAccessFile(path, options, &file, nullptr).ok());
  char scratch[8];
  Slice result;
  ASSERT_TRUE(file->Read(6, 8, io_, &result, scratch, nullptr).ok());
  EXPECT_EQ(result.ToString(), "6789");
  EXPECT_NE(result.data(), scratch);
  EXPECT_FALSE(file->Read(11, 1, io_, &result, scratch, nullptr).ok());
}

TEST_F(PosixFileSystem, UniqueIdsTellFilesApart) {
  std::string ids[2];
  for (int i = 0; i < 2; ++i) {
    const std::string path = dir_.File("f" + std::to_string(i));
    ASSERT_TRUE(WriteStringToFile(fs_.get(), "x", path).ok());
    std::unique_ptr<FSRandomAccessFile> file;
    ASSERT_TRUE(
        fs_->NewRandomAccessFile(path, FileOptions(), &file, nullptr).ok());
    char id[64];
    ids[i] = std::string(id, file->GetUniqueId(id, sizeof(id)));
    // The same file, opened again under another name.
    ASSERT_TRUE(fs_->RenameFile(path, path + "new", io_, nullptr).ok());
    ASSERT_TRUE(
        fs_->NewRandomAccessFile(path + "new", FileOptions(), &file, nullptr)
            .ok());
    EXPECT_EQ(ids[i], std::string(id, file->GetUniqueId(id, sizeof(id))));
  }
  if (ids[0].empty()) GTEST_SKIP() << "no inode generations here";
  EXPECT_NE(ids[0], ids[1]);
}

TEST_F(PosixFileSystem, RangeSyncAndHintsWorkOnARealFile) {
  const std::string path = dir_.File("synced");
  for (const bool strict : {false, true}) {
    FileOptions options;
    options.bytes_per_sync = 64 << 10;
    options.strict_bytes_per_sync = strict;
    auto writer = WritableFileWriter::Create(fs_.get(), path, options);
    ASSERT_TRUE(writer.ok());
    (*writer)->file()->SetWriteLifeTimeHint(Env::WLTH_SHORT);
    std::string written;
    for (int i = 0; i < 40; ++i) {
      const std::string piece(64 << 10, static_cast<char>('a' + i));
      ASSERT_TRUE((*writer)->Append(piece).ok());
      written += piece;
    }
    ASSERT_TRUE((*writer)->Sync(/*use_fsync=*/true).ok());
    ASSERT_TRUE((*writer)->Close().ok());
    std::string content;
    ASSERT_TRUE(ReadFileToString(fs_.get(), path, &content).ok());
    EXPECT_TRUE(content == written) << "bytes were lost on the way";
  }
  auto reader = RandomAccessFileReader::Open(fs_.get(), path, FileOptions());
  ASSERT_TRUE(reader.ok());
  (*reader)->Prefetch(0, 1 << 20);
  (*reader)->file()->Hint(FSRandomAccessFile::kRandom);
  EXPECT_TRUE((*reader)->file()->InvalidateCache(0, 0).ok());
  // Hints change no byte.
  char scratch[8];
  Slice result;
  ASSERT_TRUE((*reader)->Read(io_, 65536 - 4, 8, &result, scratch).ok());
  EXPECT_EQ(result.ToString(), "aaaabbbb");
}

TEST_F(PosixFileSystem, FreeSpaceAndTestDirectoryExist) {
  uint64_t bytes = 0;
  ASSERT_TRUE(fs_->GetFreeSpace(dir_.path(), io_, &bytes, nullptr).ok());
  struct statvfs disk {};
  ASSERT_EQ(statvfs(dir_.path().c_str(), &disk), 0);
  EXPECT_LE(bytes, uint64_t{disk.f_blocks} * disk.f_frsize);
  EXPECT_FALSE(fs_->GetFreeSpace(dir_.File("none"), io_, &bytes, nullptr).ok());
  std::string path;
  ASSERT_TRUE(fs_->GetTestDirectory(io_, &path, nullptr).ok());
  bool is_dir = false;
  ASSERT_TRUE(fs_->IsDirectory(path, io_, &is_dir, nullptr).ok());
  EXPECT_TRUE(is_dir);
  ASSERT_TRUE(fs_->GetAbsolutePath("relative", io_, &path, nullptr).ok());
  char here[4096];
  ASSERT_NE(getcwd(here, sizeof(here)), nullptr);
  EXPECT_EQ(path, std::string(here) + "/relative");
}

TEST(PosixClock, GoesForward) {
  SystemClock* const clock = SystemClock::Default().get();
  const uint64_t nanos = clock->NowNanos();
  const uint64_t micros = clock->NowMicros();
  clock->SleepForMicroseconds(1000);
  EXPECT_GE(clock->NowNanos(), nanos + 1000000);
  EXPECT_GT(clock->NowMicros(), micros);
  int64_t seconds = 0;
  ASSERT_TRUE(clock->GetCurrentTime(&seconds).ok());
  EXPECT_GT(seconds, 1700000000);
  EXPECT_LE(seconds, static_cast<int64_t>(std::time(nullptr)));
  const std::string text = clock->TimeToString(static_cast<uint64_t>(seconds));
  const auto now = static_cast<time_t>(seconds);
  struct tm parts {};
  localtime_r(&now, &parts);
  char expected[32];
  std::strftime(expected, sizeof(expected), "%Y/%m/%d-%H:%M:%S ", &parts);
  EXPECT_EQ(text, expected);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
