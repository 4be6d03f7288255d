// TempDir: a directory on disk that is gone when the test ends.
//
// Place. Tests that need the operating system's files. It is made below
// $TEST_TMPDIR, else $TMPDIR, else the system's place for such things.

#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::test {

class TempDir {
 public:
  TempDir() {
    const char* wanted = getenv("TEST_TMPDIR");
    const std::filesystem::path base =
        wanted != nullptr ? std::filesystem::path(wanted)
                          : std::filesystem::temp_directory_path();
    std::string pattern = (base / "riverstone-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TempDir() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  // Without the directories above.
  std::string name() const { return path_.substr(path_.rfind('/') + 1); }
  std::string File(const std::string& file) const { return path_ + "/" + file; }

 private:
  std::string path_;
};

}  // namespace ROCKSDB_NAMESPACE::test
