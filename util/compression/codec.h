// Codec: what the registry knows about one compression library.
//
// Place. Between compression.cc, which does the framing and the bounds, and the
// one file per library, which only translates calls.
//
// Threads. All functions may run on any thread; contexts are thread-local.
#pragma once

#include <cstddef>
#include <string>

#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {

// How a payload announces the size of its original.
enum class SizeFraming : unsigned char {
  kOwn,             // In the stream itself: Snappy.
  kVarint,          // varint32 in both formats: ZSTD.
  kVarintOrFixed,   // varint32; fixed64 in format 1: LZ4.
  kVarintOrAbsent,  // varint32; nothing in format 1: Zlib, BZip2.
};

struct Codec {
  CompressionType type;
  SizeFraming framing;
  bool uses_dictionary;
  // The most bytes that one byte of a stream can stand for: a payload that
  // announces more is damaged, and no memory is taken for it.
  size_t expansion_max;

  // Appends the stream of `in` to *out. False on failure of the library.
  bool (*compress)(const CompressRequest& request, const Slice& in,
                   std::string* out);

  // Inflates exactly `size` bytes to `out`; false if the stream is damaged or
  // holds another number of bytes.
  bool (*uncompress)(const UncompressRequest& request, const Slice& in,
                     char* out, size_t size);

  // For streams of unknown size: inflates at most `capacity` bytes. Null where
  // the framing always knows.
  enum class Partial { kDone, kTooSmall, kDamaged };
  Partial (*uncompress_unknown)(const UncompressRequest& request,
                                const Slice& in, char* out, size_t capacity,
                                size_t* size);

  // For SizeFraming::kOwn: the size in the stream.
  bool (*own_size)(const Slice& in, size_t* size);

  // Digests of dictionaries; null where there is nothing to prepare.
  void* (*new_compress_digest)(const Slice& raw,
                               const CompressionOptions& options);
  void (*free_compress_digest)(void* digest);
  void* (*new_uncompress_digest)(const Slice& raw);
  void (*free_uncompress_digest)(void* digest);

  // Trains a dictionary; empty on failure. Null where there is no trainer.
  std::string (*train)(const CompressionOptions& options,
                       const std::string& samples,
                       const std::vector<size_t>& sample_sizes);
};

// Defined by the codec files that are linked.
extern const Codec kSnappyCodec;
extern const Codec kZlibCodec;
extern const Codec kBzip2Codec;
extern const Codec kLz4Codec;
extern const Codec kLz4hcCodec;
extern const Codec kZstdCodec;

}  // namespace ROCKSDB_NAMESPACE::engine
