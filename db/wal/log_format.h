// The framing shared by write-ahead logs and MANIFESTs.
//
// Place. Constants that only log_writer and log_reader use.
//
// Bytes. A file is a sequence of 32 KiB blocks; a physical record never
// crosses from one into the next, so damage stays inside a block:
//
//   legacy      | crc 4 | length 2 | type 1 | payload
//   recyclable  | crc 4 | length 2 | type 1 | log number 4 | payload
//                                   ^ the crc covers from here on
//
// The crc is masked CRC32C. Fewer bytes than a header at the end of a block
// are zeros. The log number (low 32 bits) tells the records of a recycled file
// from what its former life left behind.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine::wal {

enum class RecordType : uint8_t {
  kZero = 0,  // Preallocated space.
  kFull = 1,
  kFirst = 2,
  kMiddle = 3,
  kLast = 4,
  kRecyclableFull = 5,
  kRecyclableFirst = 6,
  kRecyclableMiddle = 7,
  kRecyclableLast = 8,
  kSetCompression = 9,  // Always with the legacy header.
  kTimestampSizes = 10,
  kRecyclableTimestampSizes = 11,
  kPredecessor = 130,
  kRecyclablePredecessor = 131,
};

// Types from here on may be skipped by a reader that does not know them.
inline constexpr uint8_t kIgnorableTypeMin = 128;

inline constexpr size_t kBlockSize = 32768;
inline constexpr size_t kLegacyHeaderSize = 7;
inline constexpr size_t kRecyclableHeaderSize = 11;

// The only compression type a log may name (kZSTD).
inline constexpr uint32_t kLogCompressionZstd = 7;

// Compressed records are cut into pieces of this size: RocksDB 7.8 takes two
// fragments of a record that begin at the same offset of their blocks for one,
// and smaller pieces never do.
inline constexpr size_t kCompressedPieceSize = 16000;

// What type 130/131 says of the log before this one.
struct Predecessor {
  uint64_t log_number = 0;
  uint64_t size_bytes = 0;
  uint64_t last_sequence = 0;  // Of its last batch, as the batch's header says.
};

}  // namespace ROCKSDB_NAMESPACE::engine::wal
