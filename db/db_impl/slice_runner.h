// SliceRunner: runs the slices of one compaction, in parallel where threads
// are free.
//
// Model. The job's own thread takes slices one after the other; each further
// slice is also offered to the low pool. A helper that gets a thread takes
// the next slice that is not taken; if none is left it returns. So a job never
// waits for a thread, only for slices that are already running.
//
// Threads. Run() without the DB mutex.

#pragma once

#include "db/compaction/compaction_job.h"
#include "db/compaction/pause_token.h"
#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE::engine {

// Runs every slice of a prepared job to its end. Returns kPaused as soon as
// one slice paused (call again to go on), else kDone or kFailed.
JobProgress RunSlices(Env* env, CompactionJob* job, const PauseToken& token);

}  // namespace ROCKSDB_NAMESPACE::engine
