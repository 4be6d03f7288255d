// One ZSTD frame per logical record: how the records of a compressed log are
// deflated and inflated.
//
// Place. wal::Writer and wal::Reader only; tables use util/compression, where
// blocks announce their sizes.
//
// Threads. One call at a time per output; the reader's context is per thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine::wal {

// Replaces `*out` by the content of the frame `in`, of at most `size_max`
// bytes. Errors: Corruption; NotSupported when built without ZSTD.
Status InflateZstdFrame(const Slice& in, size_t size_max, std::string* out);

// Keeps its context and its memory from record to record.
class ZstdDeflater {
 public:
  ZstdDeflater();
  ~ZstdDeflater();
  ZstdDeflater(const ZstdDeflater&) = delete;
  ZstdDeflater& operator=(const ZstdDeflater&) = delete;

  // `*frame`: the concatenation of `parts`, with a checksum of the content;
  // valid until the next call. Errors: MemoryLimit, Corruption (of ZSTD's own
  // state); NotSupported when built without ZSTD.
  Status Deflate(std::span<const Slice> parts, Slice* frame);

 private:
  struct Context;
  const std::unique_ptr<Context> context_;
  std::string out_;
};

}  // namespace ROCKSDB_NAMESPACE::engine::wal
