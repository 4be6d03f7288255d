// Options as one line, in the form of Ceph's bluestore_rocksdb_options.
#pragma once

#include <string>

#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Changes `base_options` as `text` says, e.g.
//
//   compression=kNoCompression,max_write_buffer_number=64,
//   compaction_readahead_size=2MB,compaction_threads=32,flusher_threads=8
//
// Pairs end with a comma, a semicolon or a line; what stands in braces is one
// value. Sizes may have the units K, M, G, T, each also with B or iB: all are
// powers of 1024. Names and values are otherwise those of
// GetOptionsFromString(), and two more: `compaction_threads` and
// `flusher_threads`, from 1 to 1024, are how many threads the Env gets for
// compactions (priority LOW) and for flushes (HIGH). They are started only when
// everything else could be read.
//
// Errors: InvalidArgument that names the pair: no '=', an unknown name, a value
// that cannot be read. `*new_options` is then as it was.
Status GetOptionsFromCommaString(const Options& base_options,
                                 const std::string& text, Options* new_options);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
