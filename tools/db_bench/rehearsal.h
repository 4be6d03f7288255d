// Rehearse: would a database with these options open, write, flush and read?
//
// Place. Bench calls it before it destroys the database of --db: options that
// are refused must not cost the data.
//
// Model. A small database in a subdirectory of the real one, because some
// refusals depend on the file system (direct I/O). It is deleted afterwards.
// The subdirectory, db_bench_rehearsal.PID, must not have existed: what exists
// there is kept. Databases in subdirectories of processes that run no longer
// are deleted, too: those processes were killed before they could do it.
#pragma once

#include <string>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::bench {

struct Rehearsal {
  std::string path;  // The real database; need not exist.
  Options options;
  std::vector<std::string> families;  // The default one first.
  // Each is used for one write.
  std::vector<WriteOptions> writes;
  ReadOptions reads;
};

// The first error, or OK.
Status Rehearse(const Rehearsal& rehearsal);

}  // namespace ROCKSDB_NAMESPACE::bench
