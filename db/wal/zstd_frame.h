// Inflating one ZSTD frame whose size nobody announced: a logical record of a
// compressed log.
//
// Place. wal::Reader only; tables use util/compression, where sizes are known.
//
// Threads. One call at a time per output; the context is per thread.
#pragma once

#include <cstddef>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine::wal {

// Replaces `*out` by the content of the frame `in`, of at most `size_max`
// bytes. Errors: Corruption; NotSupported when built without ZSTD.
Status InflateZstdFrame(const Slice& in, size_t size_max, std::string* out);

}  // namespace ROCKSDB_NAMESPACE::engine::wal
