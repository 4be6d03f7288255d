// Compression methods and their parameters.
#pragma once

#include <cstdint>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// Stored in every block's trailer: the numbers are part of the format.
enum CompressionType : unsigned char {
  kNoCompression = 0x00,
  kSnappyCompression = 0x01,
  kZlibCompression = 0x02,
  kBZip2Compression = 0x03,
  kLZ4Compression = 0x04,
  kLZ4HCCompression = 0x05,
  kXpressCompression = 0x06,  // Windows only: never available here
  kZSTD = 0x07,
  kLastBuiltinCompression = kZSTD,

  // Pre-1.0 zstd. Refused when writing.
  kZSTDNotFinalCompression = 0x40,

  // Reserved by RocksDB for methods that programs bring along.
  kFirstCustomCompression = 0x80,
  kLastCustomCompression = 0xFE,

  // Only as an option: "use what the other option says".
  kDisableCompressionOption = 0xff,
};

struct CompressionOptions {
  // "The method's own default level": zstd 3, zlib 6, lz4 accelerated, ...
  static constexpr int kDefaultCompressionLevel = 32767;

  // zlib only: the window exponent; negative means raw deflate. Default -14.
  int window_bits = -14;

  // The method's level. Default: kDefaultCompressionLevel. For lz4 a
  // negative level is an acceleration.
  int level = kDefaultCompressionLevel;

  // zlib only: its strategy number. Default 0.
  int strategy = 0;

  // Largest dictionary in bytes that is sampled per file and used for its
  // blocks. Default 0: no dictionary.
  uint32_t max_dict_bytes = 0;

  // Bytes of samples given to zstd's dictionary trainer; 0 (default) uses
  // the samples themselves as dictionary.
  uint32_t zstd_max_train_bytes = 0;

  // Threads that compress one file's blocks. Default 1.
  uint32_t parallel_threads = 1;

  // Only meaningful in bottommost_compression_opts: use them at all.
  // Default false.
  bool enabled = false;

  // Bytes buffered while sampling for a dictionary. Default 0: a file's
  // worth.
  uint64_t max_dict_buffer_bytes = 0;

  // Train the dictionary (true, default) or only finalize the samples.
  bool use_zstd_dict_trainer = true;

  // A block is stored compressed only if it shrinks to at most this many
  // bytes per KiB. Default 896 (7/8). 0 never compresses.
  int max_compressed_bytes_per_kb = 1024 * 7 / 8;

  // zstd only: write its own frame checksum. Default false.
  bool checksum = false;

  CompressionOptions() = default;
  // The shape of RocksDB 7: positional.
  CompressionOptions(int wbits, int _lev, int _strategy,
                     uint32_t _max_dict_bytes, uint32_t _zstd_max_train_bytes,
                     uint32_t _parallel_threads, bool _enabled,
                     uint64_t _max_dict_buffer_bytes,
                     bool _use_zstd_dict_trainer)
      : window_bits(wbits),
        level(_lev),
        strategy(_strategy),
        max_dict_bytes(_max_dict_bytes),
        zstd_max_train_bytes(_zstd_max_train_bytes),
        parallel_threads(_parallel_threads),
        enabled(_enabled),
        max_dict_buffer_bytes(_max_dict_buffer_bytes),
        use_zstd_dict_trainer(_use_zstd_dict_trainer) {}

  // Sets max_compressed_bytes_per_kb from a ratio, e.g. 1.15.
  void SetMinRatio(double min_ratio) {
    max_compressed_bytes_per_kb = static_cast<int>(1024.0 / min_ratio + 0.5);
  }
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
