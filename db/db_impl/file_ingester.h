// FileIngester: takes external tables into the database.
//
// Place. Behind DB::IngestExternalFiles. db/external/external_table.h reads the
// files, db/external/placement.h decides their levels.
//
// Model. One ingestion, for all its families:
//
//   prepare   nothing held    read and check; link or copy; sync
//   flush     no writers      memtables that hold keys of the files' ranges
//   place     and the mutex   a level and a sequence for each file
//   stamp     no writers      the sequence into the file, where wanted
//   install   and the mutex   one MANIFEST edit, then everything is visible
//
// A file takes sequence 0 where nothing overlaps it and no snapshot is held.
// The other files of a family take consecutive sequences above all others, in
// the order given, so the last one given is the newest. Files that overlap
// each other all go to level 0.
//
// Invariants:
//   (1) No MANIFEST names the files before the edit is durable. After an error
//       they are deleted, and the caller's files are unchanged, except that a
//       file to be moved may already contain its sequence.
//   (2) From placing to installing no job writes into the key range of a file
//       at the file's level, unless that is level 0: the range is registered
//       with the family's running plans.
//   (3) No snapshot is made while a file with sequence 0 is installed.
//
// Threads. Any; one ingestion at a time gets past the commit pipeline.
#pragma once

#include <functional>
#include <vector>

#include "db/column_family/db_state.h"
#include "db/column_family/stall_monitor.h"
#include "db/write/commit_pipeline.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::engine {

class FileIngester {
 public:
  struct Deps {
    DbState* db = nullptr;
    StallMonitor* stalls = nullptr;
    CommitPipeline* pipeline = nullptr;
    // Inside an ExclusiveGuard: puts what the families have in memory into
    // tables.
    std::function<Status(const std::vector<FamilyPtr>&)> flush;
    // Under the mutex; the last two release it.
    std::function<void()> schedule;
    std::function<void()> notify_stall_listeners;
    std::function<void()> delete_obsolete;
  };

  struct Request {
    FamilyPtr family;
    const IngestExternalFileArg* arg = nullptr;
  };

  explicit FileIngester(Deps deps) : deps_(std::move(deps)) {}

  // All files of all families, or none.
  Status Ingest(const std::vector<Request>& requests) const;

 private:
  const Deps deps_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
