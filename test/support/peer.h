// Genuine RocksDB as judge of our files: Debian's tools and library (packages
// rocksdb-tools and librocksdb7.8) and the 11.8.1 that `tools/dev peer`
// fetches; and the checker of the formats.
//
// Place. Tests that ask them; without them a test says so loudly and is
// skipped.

#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

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

// A library that peer_dump (test/golden/peer) can load.
struct PeerLibrary {
  std::string release;
  std::string path;
};

// RIVERSTONE_PEER_LIBRARY names another place for the 11.8.1.
inline std::vector<PeerLibrary> KnownPeerLibraries() {
  const char* const given = std::getenv("RIVERSTONE_PEER_LIBRARY");
  return {{"7.8.3", "/usr/lib/x86_64-linux-gnu/librocksdb.so.7.8"},
          {"11.8.1",
           given != nullptr ? given : "build/peer/librocksdbjni-linux64.so"}};
}

// Those that are here. What is missing is said on stdout.
inline std::vector<PeerLibrary> PeerLibraries() {
  std::vector<PeerLibrary> found;
  for (const PeerLibrary& library : KnownPeerLibraries()) {
    if (std::filesystem::exists(library.path)) {
      found.push_back(library);
    } else {
      std::printf("NO PEER %s: looked for %s\n", library.release.c_str(),
                  library.path.c_str());
    }
  }
  return found;
}

// The checker of the formats with its interpreter, or empty where it cannot
// run, which is said on stdout.
inline std::string FormatChecker() {
  const char* const given = std::getenv("RIVERSTONE_VERIFY");
  const std::string script =
      given != nullptr ? given : "../shared/formats/verify.py";
  if (std::filesystem::exists(script)) {
    for (const char* python : {"python3", "/usr/bin/python3"}) {
      const std::string modules = " -c 'import xxhash, lz4, snappy, zstandard'";
      if (RunCommand(python + modules).code == 0) {
        return python + (" " + script);
      }
    }
  }
  std::printf(
      "NO CHECKER: set RIVERSTONE_VERIFY (looked for %s), or install the "
      "Python modules xxhash, lz4, python-snappy and zstandard\n",
      script.c_str());
  return "";
}

}  // namespace ROCKSDB_NAMESPACE::test

#define RIVERSTONE_SKIP_WITHOUT_PEER()                            \
  if (!::ROCKSDB_NAMESPACE::test::HavePeer()) {                   \
    GTEST_SKIP() << "NO PEER: install rocksdb-tools (looked for " \
                    "/usr/bin/ldb and /usr/bin/sst_dump)";        \
  }
