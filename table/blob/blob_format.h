// Blob files, byte by byte: header, records, footer, and the index by which a
// table's entry refers to a record.
//
// Place. Below the reader and the writer of blob files; pure.
//
// Bytes. Little-endian; every CRC is a masked CRC32C.
//
//   header   magic 4 | version 4 | family 4 | flags 1 | compression 1 |
//            expiration range 16
//   record   key size 8 | value size 8 | expiration 8 | CRC of these 4 |
//            CRC of key ++ value 4 | key | value
//   footer   magic 4 | record count 8 | expiration range 16 | CRC 4
//   index    1 | varint64 file | varint64 offset | varint64 size |
//            compression 1
//
// A record's value is stored as its file's compression made it, and an index
// points at that value, not at the record's beginning.
//
// Invariant. Whatever a Decode function accepts lies within its input.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr size_t kBlobHeaderSize = 30;
inline constexpr size_t kBlobFooterSize = 32;
inline constexpr size_t kBlobRecordHeaderSize = 32;

struct BlobFileHeader {
  uint32_t family_id = 0;
  CompressionType compression = kNoCompression;

  void EncodeTo(std::string* dst) const;
  // Corruption says what was expected and found; NotSupported for files with
  // expiration times, which only the old stand-alone store wrote.
  Status DecodeFrom(const Slice& bytes);
};

struct BlobFileFooter {
  uint64_t blob_count = 0;

  void EncodeTo(std::string* dst) const;
  Status DecodeFrom(const Slice& bytes);
};

struct BlobRecordHeader {
  uint64_t key_size = 0;
  uint64_t value_size = 0;  // As stored.
  uint32_t blob_crc = 0;    // Masked.

  // Of a record with these parts.
  static BlobRecordHeader Of(const Slice& key, const Slice& stored_value);
  void EncodeTo(std::string* dst) const;
  // Checks the header's own CRC, not the sizes.
  Status DecodeFrom(const Slice& bytes);
};

// The bytes a record takes, which is also how it counts in the MANIFEST.
inline uint64_t BlobRecordBytes(uint64_t key_size, uint64_t stored_size) {
  return kBlobRecordHeaderSize + key_size + stored_size;
}

// A file number that stands for the table the entry is in.
inline constexpr uint64_t kBlobInSameTable = 0;

struct BlobIndex {
  uint64_t file_number = 0;
  uint64_t offset = 0;  // Of the value in its file.
  uint64_t size = 0;    // Of the value as stored.
  CompressionType compression = kNoCompression;

  void EncodeTo(std::string* dst) const;
  // NotSupported for the forms with an expiration time.
  Status DecodeFrom(const Slice& bytes);
  std::string DebugString() const;
};

}  // namespace ROCKSDB_NAMESPACE::engine
