// Debian's tools (package rocksdb-tools) as judges of our files.
//
// Place. Tests that ask genuine RocksDB; without the tools a test says so
// loudly and is skipped.

#pragma once

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::test {

struct Ran {
  int code = -1;
  std::string output;
};

// `errors`: also what goes to stderr.
inline Ran RunCommand(const std::string& command, bool errors = true) {
  Ran ran;
  FILE* const pipe =
      popen((command + (errors ? " 2>&1" : " 2>/dev/null")).c_str(), "r");
  if (pipe == nullptr) return ran;
  std::array<char, 4096> buffer;
  size_t n = 0;
  while ((n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0) {
    ran.output.append(buffer.data(), n);
  }
  ran.code = pclose(pipe);
  return ran;
}

inline std::string Peer(const std::string& tool) { return "/usr/bin/" + tool; }

inline bool HavePeer() {
  return std::filesystem::exists(Peer("ldb")) &&
         std::filesystem::exists(Peer("sst_dump"));
}

}  // namespace ROCKSDB_NAMESPACE::test

#define RIVERSTONE_SKIP_WITHOUT_PEER()                            \
  if (!::ROCKSDB_NAMESPACE::test::HavePeer()) {                   \
    GTEST_SKIP() << "NO PEER: install rocksdb-tools (looked for " \
                    "/usr/bin/ldb and /usr/bin/sst_dump)";        \
  }
