// Footer: the last 53 bytes of a table file, from which all else is found.
//
// Place. The table builder ends a file with it; the table reader starts here.
//
// Bytes. Format versions 1 to 5:
//
//   0  checksum type (1)
//   1  metaindex handle, index handle, zeros (40)
//   41 format version (fixed32)    45 magic (fixed64)
//
// Format versions 6 and 7:
//
//   0  checksum type (1)           1  3E 00 7A 00
//   5  footer checksum (fixed32)   9  base context checksum (fixed32, not 0)
//   13 metaindex size (fixed32)    17 zeros (24)
//   41 format version (fixed32)    45 magic (fixed64)
//
// In these versions the metaindex block ends where the footer begins, and the
// index is an entry of the metaindex.
//
// Format version 0, only read, has 48 bytes and CRC32C checksums:
//
//   0  metaindex handle, index handle, zeros (40)    40 legacy magic (fixed64)

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "table/format/block_handle.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr uint64_t kBlockBasedMagic = 0x88e241b785f4cff7u;
inline constexpr uint64_t kBlockBasedLegacyMagic = 0xdb4775248b80fb57u;
inline constexpr uint64_t kPlainTableMagic = 0x8242229663bf9564u;
inline constexpr uint64_t kPlainTableLegacyMagic = 0x4f3418eb7a8f13b8u;
inline constexpr uint64_t kCuckooTableMagic = 0x926789d0c5f17873u;

inline constexpr size_t kFooterSize = 53;
inline constexpr size_t kLegacyFooterSize = 48;
inline constexpr uint32_t kFormatVersionReadMax = 7;
inline constexpr uint32_t kFormatVersionWriteMin = 2;
inline constexpr uint32_t kFormatVersionWriteMax = 7;

// True when `status` is DecodeFooter's about a table of a kind that is known
// and not offered: plain and cuckoo tables.
bool IsOtherTableKind(const Status& status);

struct Footer {
  uint32_t format_version = 0;
  uint8_t checksum_type = 0;
  uint32_t base_context_checksum = 0;  // 0 before version 6.
  BlockHandle metaindex;
  BlockHandle index;  // Null from version 6 on.
};

// Reads the footer from the end of a file of `file_size` bytes. `tail` is what
// stands there: at least kFooterSize bytes, or the whole file if shorter.
// Errors: Corruption for a damaged footer or a file that is no table,
// NotSupported for other table kinds and versions; all name `file_name`.
Result<Footer> DecodeFooter(const Slice& tail, uint64_t file_size,
                            const std::string& file_name);

// The footer for the end of a file; `offset` is its own position.
std::string EncodeFooter(const Footer& footer, uint64_t offset);

}  // namespace ROCKSDB_NAMESPACE::engine
