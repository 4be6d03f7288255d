// What a genuine RocksDB shows of a database, by the program peer_dump.
//
// Place. Tests below test/golden, which know where the program is.

#pragma once

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "test/support/peer.h"

namespace ROCKSDB_NAMESPACE::test {

// The rows of each family, as peer_dump prints them. Fails the test when that
// has anything to complain of.
inline void ReadWithPeer(
    const PeerLibrary& library, const std::string& db,
    const std::string& arguments,
    std::map<std::string, std::vector<std::string>>* families) {
  const Ran ran = RunCommand(RIVERSTONE_PEER_DUMP " " + library.path + " " +
                             db + " " + arguments);
  ASSERT_EQ(0, ran.code) << ran.output.substr(0, 4000);
  ASSERT_TRUE(ran.output.ends_with("end\n")) << ran.output.substr(0, 4000);
  std::istringstream lines(ran.output);
  std::vector<std::string>* rows = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("cf name=")) {
      std::string name;
      ASSERT_TRUE(Slice(line.substr(8)).DecodeHex(&name)) << line;
      rows = &(*families)[name];
    } else if (line.starts_with("k=") && rows != nullptr) {
      rows->push_back(line);
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE::test
