// SliceRunner: runs the slices of one compaction, in parallel if threads are
// free.
//
// Model. The job's own thread takes slices one after the other. For each
// further slice a helper is scheduled in the low pool, which takes the next
// free slice, or returns if none is left. So a job never waits for a thread,
// only for slices that are already running.
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
