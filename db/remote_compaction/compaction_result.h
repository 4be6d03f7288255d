// RemoteResult: what another process has made of a RemoteInput.
//
// Place. Filled by compaction_worker; carried by the program's
// CompactionService; checked and installed by the compactor.
//
// Model. With a status that is not OK there is nothing but the status.
// Otherwise the edit is what a job of this process would have put into the
// MANIFEST; its new tables have numbers of the worker's own, and lie in
// `output_directory` under them, as do its new blob files.
//
// Bytes. See sealed_fields.h; magic word "RVSTCRES". Fields, in this order:
//
//   text    id and session id of the database, as in the input
//   number  job, as in the input
//   number  status: code, subcode;  text  its message
//   text    output directory
//   text    record of the MANIFEST: a VersionEdit
//   list    flag          of each new table of the edit: does it hold two
//                         entries or more of one user key
//   number  16 counts, see ForEachCount();  flag  a filter skipped entries
//
// Threads. A value.

#pragma once

#include <cstdint>
#include <string>

#include "db/compaction/compaction_job.h"
#include "db/manifest/version_edit.h"
#include "db/remote_compaction/compaction_input.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

struct RemoteResult {
  std::string db_id;
  std::string db_session_id;
  uint64_t job_id = 0;
  Status status;
  std::string output_directory;
  VersionEdit edit;
  CompactionJobStats stats;

  // The answer to `input`, so far without content.
  static RemoteResult To(const RemoteInput& input);

  std::string Encode() const;
  // Replaces *this. Errors: NotSupported for another version; Corruption.
  Status DecodeFrom(const Slice& bytes);

  // OK: it answers `input`, and its edit does what this asks for and nothing
  // else. Looks at no file. REQUIRES: the status is OK.
  Status CheckAnswers(const RemoteInput& input) const;
};

}  // namespace ROCKSDB_NAMESPACE::engine
