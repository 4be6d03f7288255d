// ReadBlock: reads the block at a handle and returns its uncompressed payload.
//
// Place. The table reader calls it for every block that no cache holds.
//
// Model. An uncompressed block is read straight into the Block that the cache
// will keep; a compressed one is inflated straight into it. The bytes may come
// from a readahead buffer instead of the file.
//
// Errors. Corruption naming file, offset, stored and computed checksum, or what
// is wrong with the compressed data; TimedOut after the deadline; I/O errors
// unchanged.
//
// Threads. Thread-safe, but a prefetch buffer belongs to one thread.

#pragma once

#include "env/file_reader.h"
#include "env/prefetch.h"
#include "rocksdb/status.h"
#include "table/block/block.h"
#include "table/format/block_handle.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {

// The file blocks are read from, and what its footer said.
struct BlockSource {
  const RandomAccessFileReader* file = nullptr;
  uint32_t format_version = 5;
  uint8_t checksum_type = 0;
  uint32_t base_context_checksum = 0;
  // True when most blocks are expected to be compressed.
  bool compressed = false;
  Statistics* statistics = nullptr;
};

// When a read gives up; 0: never.
struct ReadLimits {
  uint64_t deadline_micros = 0;  // Since the epoch.
  uint64_t timeout_micros = 0;   // Of one call to the file system.

  bool any() const { return (deadline_micros | timeout_micros) != 0; }
};

struct BlockReadRequest {
  const IOOptions* io = nullptr;  // Null: the defaults, for `activity`.
  Env::IOActivity activity = Env::IOActivity::kUnknown;
  FilePrefetchBuffer* prefetch = nullptr;
  // For what is not served by `prefetch`; null: not gated.
  const IoPass* io_pass = nullptr;
  ReadLimits limits;
  bool verify_checksum = true;
  // For data blocks of files that have a dictionary.
  const UncompressionDict* dict = nullptr;
};

// Fills *block with the uncompressed payload; does not parse it.
Status ReadBlock(const BlockSource& source, const BlockHandle& handle,
                 const BlockReadRequest& request, Block::Ptr* block);

// The second half of ReadBlock, for who has read the bytes: `bytes` is what
// the file gave for `handle` and its trailer. With `raw`, whose memory the
// bytes may be, an uncompressed block stays where it is.
Status OpenBlock(const BlockSource& source, const BlockHandle& handle,
                 const BlockReadRequest& request, const Slice& bytes,
                 Block::Ptr raw, Block::Ptr* block);

// Turns what is left of the time into a limit for one call.
// Errors: TimedOut when nothing is.
Status ApplyLimits(const BlockSource& source, const ReadLimits& limits,
                   IOOptions* io);

}  // namespace ROCKSDB_NAMESPACE::engine
