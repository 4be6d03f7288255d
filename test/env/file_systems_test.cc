// What every file system must do, checked for the operating system's, the one
// in memory, and for both behind the adapters of an Env.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

struct Subject {
  const char* name;
  // The file system to test; `env` keeps alive what it needs.
  std::function<std::shared_ptr<FileSystem>(std::unique_ptr<Env>* env)> make;
};

// An EnvWrapper has the legacy file system in front of a composite Env: both
// adapters, one after the other.
std::shared_ptr<FileSystem> BehindAdapters(
    const std::shared_ptr<FileSystem>& fs, std::unique_ptr<Env>* env) {
  *env = std::make_unique<EnvWrapper>(NewCompositeEnv(fs));
  return (*env)->GetFileSystem();
}

const Subject kSubjects[] = {
    {"Posix", [](std::unique_ptr<Env>*) { return FileSystem::Default(); }},
    {"Mem",
     [](std::unique_ptr<Env>*) -> std::shared_ptr<FileSystem> {
       return std::make_shared<MemFileSystem>();
     }},
    {"PosixBehindAdapters",
     [](std::unique_ptr<Env>* env) {
       return BehindAdapters(FileSystem::Default(), env);
     }},
    {"MemEnv",
     [](std::unique_ptr<Env>* env) {
       env->reset(NewMemEnv(Env::Default()));
       return (*env)->GetFileSystem();
     }},
};

class FileSystems : public ::testing::TestWithParam<Subject> {
 protected:
  FileSystems() : fs_(GetParam().make(&env_)) {
    // In memory the directory has to be made; on disk it is there already.
    EXPECT_TRUE(fs_->CreateDirIfMissing(temp_.path(), io_, nullptr).ok());
  }

  std::string Path(const std::string& name) const { return temp_.File(name); }
  void Write(const std::string& name, const std::string& content) {
    ASSERT_TRUE(WriteStringToFile(fs_.get(), content, Path(name)).ok());
  }
  std::string Read(const std::string& name) {
    std::string content;
    const IOStatus s = ReadFileToString(fs_.get(), Path(name), &content);
    return s.ok() ? content : s.ToString();
  }
  std::string List() {
    std::vector<std::string> names;
    EXPECT_TRUE(fs_->GetChildren(temp_.path(), io_, &names, nullptr).ok());
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string& name : names) text += name + " ";
    return text;
  }

  test::TempDir temp_;
  std::unique_ptr<Env> env_;
  const std::shared_ptr<FileSystem> fs_;
  const IOOptions io_;
};

INSTANTIATE_TEST_SUITE_P(All, FileSystems, ::testing::ValuesIn(kSubjects),
                         [](const auto& subject) {
                           return subject.param.name;
                         });

TEST_P(FileSystems, AMissingFileIsReportedAsSuch) {
  std::unique_ptr<FSSequentialFile> sequential;
  std::unique_ptr<FSRandomAccessFile> random;
  uint64_t number = 0;
  const FileOptions options;
  const std::string path = Path("none");
  for (const IOStatus& s :
       {fs_->NewSequentialFile(path, options, &sequential, nullptr),
        fs_->NewRandomAccessFile(path, options, &random, nullptr),
        fs_->GetFileSize(path, io_, &number, nullptr),
        fs_->GetFileModificationTime(path, io_, &number, nullptr),
        fs_->DeleteFile(path, io_, nullptr),
        fs_->RenameFile(path, Path("b"), io_, nullptr)}) {
    EXPECT_TRUE(s.IsPathNotFound()) << s.ToString();
    EXPECT_NE(s.ToString().find(path), std::string::npos) << s.ToString();
  }
  EXPECT_TRUE(fs_->FileExists(path, io_, nullptr).IsNotFound());
  std::vector<std::string> names;
  EXPECT_TRUE(fs_->GetChildren(path, io_, &names, nullptr).IsNotFound());
  std::unique_ptr<FSWritableFile> writable;
  EXPECT_TRUE(fs_->NewWritableFile(path + "/f", options, &writable, nullptr)
                  .IsPathNotFound());
}

TEST_P(FileSystems, ANewWritableFileReplacesTheOldContent) {
  Write("f", "long old content");
  Write("f", "new");
  EXPECT_EQ(Read("f"), "new");
  uint64_t size = 0;
  ASSERT_TRUE(fs_->GetFileSize(Path("f"), io_, &size, nullptr).ok());
  EXPECT_EQ(size, 3u);
}

TEST_P(FileSystems, AReopenedFileContinuesAndAReusedOneIsWrittenOver) {
  Write("f", "0123456789");
  std::unique_ptr<FSWritableFile> file;
  ASSERT_TRUE(
      fs_->ReopenWritableFile(Path("f"), FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(file->Append("ab", io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(Read("f"), "0123456789ab");
  ASSERT_TRUE(fs_->ReuseWritableFile(Path("g"), Path("f"), FileOptions(), &file,
                                     nullptr)
                  .ok());
  ASSERT_TRUE(file->Append("XYZ", io_, nullptr).ok());
  ASSERT_TRUE(file->Sync(io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(Read("g"), "XYZ3456789ab");
  EXPECT_EQ(List(), "g ");
}

TEST_P(FileSystems, RenameReplacesTheTarget) {
  Write("a", "new");
  Write("b", "old");
  ASSERT_TRUE(fs_->RenameFile(Path("a"), Path("b"), io_, nullptr).ok());
  EXPECT_EQ(List(), "b ");
  EXPECT_EQ(Read("b"), "new");
}

TEST_P(FileSystems, HardLinksAreTheSameFileUntilTheLastIsDeleted) {
  Write("a", "content");
  ASSERT_TRUE(fs_->LinkFile(Path("a"), Path("b"), io_, nullptr).ok());
  uint64_t links = 0;
  ASSERT_TRUE(fs_->NumFileLinks(Path("a"), io_, &links, nullptr).ok());
  EXPECT_EQ(links, 2u);
  bool same = false;
  ASSERT_TRUE(
      fs_->AreFilesSame(Path("a"), Path("b"), io_, &same, nullptr).ok());
  EXPECT_TRUE(same);
  EXPECT_FALSE(fs_->LinkFile(Path("a"), Path("b"), io_, nullptr).ok());
  ASSERT_TRUE(fs_->DeleteFile(Path("a"), io_, nullptr).ok());
  EXPECT_EQ(Read("b"), "content");
}

TEST_P(FileSystems, AnOpenFileOutlivesItsName) {
  Write("f", "content");
  std::unique_ptr<FSRandomAccessFile> file;
  ASSERT_TRUE(
      fs_->NewRandomAccessFile(Path("f"), FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(fs_->DeleteFile(Path("f"), io_, nullptr).ok());
  char scratch[16];
  Slice result;
  ASSERT_TRUE(file->Read(3, 16, io_, &result, scratch, nullptr).ok());
  EXPECT_EQ(result.ToString(), "tent");
}

TEST_P(FileSystems, DirectoriesAreMadeListedAndRemoved) {
  const std::string sub = Path("sub");
  ASSERT_TRUE(fs_->CreateDir(sub, io_, nullptr).ok());
  EXPECT_FALSE(fs_->CreateDir(sub, io_, nullptr).ok());
  EXPECT_TRUE(fs_->CreateDirIfMissing(sub, io_, nullptr).ok());
  Write("sub/f", "123");
  Write("plain", "x");
  EXPECT_FALSE(fs_->CreateDirIfMissing(Path("plain"), io_, nullptr).ok());
  EXPECT_EQ(List(), "plain sub ");
  std::vector<FileAttributes> attributes;
  ASSERT_TRUE(
      fs_->GetChildrenFileAttributes(sub, io_, &attributes, nullptr).ok());
  ASSERT_EQ(attributes.size(), 1u);
  EXPECT_EQ(attributes[0].name, "f");
  EXPECT_EQ(attributes[0].size_bytes, 3u);
  bool is_dir = false;
  ASSERT_TRUE(fs_->IsDirectory(sub, io_, &is_dir, nullptr).ok());
  EXPECT_TRUE(is_dir);
  ASSERT_TRUE(fs_->IsDirectory(Path("plain"), io_, &is_dir, nullptr).ok());
  EXPECT_FALSE(is_dir);
  EXPECT_FALSE(fs_->DeleteDir(sub, io_, nullptr).ok());
  ASSERT_TRUE(fs_->RenameFile(sub, Path("moved"), io_, nullptr).ok());
  EXPECT_EQ(Read("moved/f"), "123");
  ASSERT_TRUE(fs_->DeleteFile(Path("moved/f"), io_, nullptr).ok());
  ASSERT_TRUE(fs_->DeleteDir(Path("moved"), io_, nullptr).ok());
  std::unique_ptr<FSDirectory> directory;
  ASSERT_TRUE(fs_->NewDirectory(temp_.path(), io_, &directory, nullptr).ok());
  EXPECT_TRUE(directory->Fsync(io_, nullptr).ok());
  EXPECT_TRUE(directory->Close(io_, nullptr).ok());
  EXPECT_FALSE(directory->Fsync(io_, nullptr).ok());
}

TEST_P(FileSystems, AFileIsLockedOnce) {
  FileLock* lock = nullptr;
  ASSERT_TRUE(fs_->LockFile(Path("LOCK"), io_, &lock, nullptr).ok());
  FileLock* second = nullptr;
  const IOStatus s = fs_->LockFile(Path("LOCK"), io_, &second, nullptr);
  EXPECT_TRUE(s.IsIOError());
  EXPECT_NE(s.ToString().find("lock hold by current process"),
            std::string::npos);
  EXPECT_NE(s.ToString().find(Path("LOCK")), std::string::npos);
  ASSERT_TRUE(fs_->UnlockFile(lock, io_, nullptr).ok());
  ASSERT_TRUE(fs_->LockFile(Path("LOCK"), io_, &lock, nullptr).ok());
  ASSERT_TRUE(fs_->UnlockFile(lock, io_, nullptr).ok());
  EXPECT_EQ(List(), "LOCK ");
}

TEST_P(FileSystems, TruncateChangesTheLength) {
  Write("f", "0123456789");
  ASSERT_TRUE(fs_->Truncate(Path("f"), 4, io_, nullptr).ok());
  EXPECT_EQ(Read("f"), "0123");
  uint64_t size = 0;
  ASSERT_TRUE(fs_->GetFileSize(Path("f"), io_, &size, nullptr).ok());
  EXPECT_EQ(size, 4u);
  EXPECT_FALSE(fs_->Truncate(Path("none"), 4, io_, nullptr).ok());
}

TEST_P(FileSystems, RandomReadWriteFilesKeepWhatIsBetween) {
  Write("f", "0123456789");
  std::unique_ptr<FSRandomRWFile> file;
  ASSERT_TRUE(
      fs_->NewRandomRWFile(Path("f"), FileOptions(), &file, nullptr).ok());
  ASSERT_TRUE(file->Write(2, "ab", io_, nullptr).ok());
  ASSERT_TRUE(file->Write(12, "c", io_, nullptr).ok());
  ASSERT_TRUE(file->Sync(io_, nullptr).ok());
  char scratch[16];
  Slice result;
  ASSERT_TRUE(file->Read(1, 16, io_, &result, scratch, nullptr).ok());
  EXPECT_EQ(result.ToString(), std::string("1ab456789\0\0c", 12));
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
}

TEST_P(FileSystems, AFileCanBeSyncedByName) {
  Write("f", "x");
  for (const bool use_fsync : {false, true}) {
    EXPECT_TRUE(
        fs_->SyncFile(Path("f"), FileOptions(), io_, use_fsync, nullptr).ok());
    EXPECT_EQ(Read("f"), "x");
    const IOStatus s =
        fs_->SyncFile(Path("none"), FileOptions(), io_, use_fsync, nullptr);
    EXPECT_FALSE(s.ok()) << "there is no such file";
    EXPECT_NE(s.ToString().find(Path("none")), std::string::npos)
        << s.ToString();
  }
  EXPECT_EQ(List(), "f ") << "a file that is missing stays so";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
