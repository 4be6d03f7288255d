// What the tests of logs, MANIFESTs and recovery share.

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "db/format/file_names.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::test {

inline std::string ReadFile(FileSystem* fs, const std::string& path) {
  uint64_t size = 0;
  EXPECT_TRUE(fs->GetFileSize(path, IOOptions(), &size, nullptr).ok()) << path;
  std::unique_ptr<FSSequentialFile> file;
  EXPECT_TRUE(fs->NewSequentialFile(path, FileOptions(), &file, nullptr).ok());
  std::string bytes(size, '\0');
  Slice got;
  EXPECT_TRUE(file->Read(size, IOOptions(), &got, bytes.data(), nullptr).ok());
  return got.ToString();
}

inline void WriteFile(FileSystem* fs, const std::string& path,
                      const std::string& bytes) {
  const IOStatus status = engine::WriteFileSynced(fs, path, bytes);
  EXPECT_TRUE(status.ok()) << status.ToString();
}

inline bool Exists(FileSystem* fs, const std::string& path) {
  return fs->FileExists(path, IOOptions(), nullptr).ok();
}

}  // namespace ROCKSDB_NAMESPACE::test
