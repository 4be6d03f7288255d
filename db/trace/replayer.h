// NewReplayer: executes a query trace in a database.
//
// Place. Behind DB::NewDefaultReplayer; a client of the public DB.
//
// Model. Every thread of a replay takes the next record, waits until it is due
// and executes it. So at most as many records as there are threads are read
// ahead, and a trace of any size needs no queue:
//
//   reader -> [mutex: next record] -> wait until due -> execute -> callback
//
// A record is due as long after the begin of the replay as it was traced after
// the header, divided by fast_forward.
//
// Threads. See rocksdb/utilities/replayer.h.

#pragma once

#include <memory>
#include <vector>

#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {
class ColumnFamilyHandle;
class DB;
class Replayer;
class TraceReader;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

// See DB::NewDefaultReplayer.
Status NewReplayer(DB* db, const std::vector<ColumnFamilyHandle*>& handles,
                   std::unique_ptr<TraceReader> reader,
                   std::unique_ptr<Replayer>* replayer);

}  // namespace ROCKSDB_NAMESPACE::engine
