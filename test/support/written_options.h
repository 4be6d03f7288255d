// The options that decide what is on disk, one at a time: databases are written
// with each, and others are asked to read them.
//
// Place. Tests that ask genuine RocksDB (test/db/peer_test.cc,
// test/golden/written_here_test.cc).

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE::test {

struct WrittenOptions {
  const char* name;  // A part of a test's name.
  std::function<void(Options*, BlockBasedTableOptions*)> change;

  // Those of a small database with this change.
  Options Make() const;
};

// A memtable and tables of some KiB, so that little data makes many.
Options SmallOptions();

// What RocksDB 7.8.3 reads, and what only 11 does.
const std::vector<WrittenOptions>& OptionsReadByAll();
const std::vector<WrittenOptions>& OptionsReadBy11();

}  // namespace ROCKSDB_NAMESPACE::test
