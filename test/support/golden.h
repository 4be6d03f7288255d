// Where the databases written by genuine RocksDB are.
//
// Place. Tests that read foreign files. The folder is named by
// RIVERSTONE_GOLDEN or stands beside the source tree; without it a test says
// so loudly and is skipped.

#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::test {

inline std::filesystem::path GoldenFolder() {
  const char* const given = std::getenv("RIVERSTONE_GOLDEN");
  return given != nullptr ? std::filesystem::path(given)
                          : std::filesystem::path("../shared/golden");
}

// Every file below the folder for which `wanted` holds, sorted.
template <typename Predicate>
std::vector<std::filesystem::path> GoldenFiles(const Predicate& wanted) {
  namespace fs = std::filesystem;
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(GoldenFolder(), error), end;
       !error && it != end; it.increment(error)) {
    if (it->is_regular_file() && wanted(it->path())) {
      found.push_back(it->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

inline std::string ReadWholeFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace ROCKSDB_NAMESPACE::test

// Leaves the test, loudly, if there are no golden databases.
#define RIVERSTONE_SKIP_WITHOUT(files)                                    \
  if ((files).empty()) {                                                  \
    GTEST_SKIP() << "NO GOLDEN DATABASES: set RIVERSTONE_GOLDEN (looked " \
                 << "in "                                                 \
                 << std::filesystem::absolute(                            \
                        ::ROCKSDB_NAMESPACE::test::GoldenFolder())        \
                 << ")";                                                  \
  }
