// Compression: blocks in, framed payloads out, and back.
//
// Place. table/ compresses and inflates blocks with it; wal/ and blobs later.
// The codecs are one file each behind codec.h; which of them are linked is a
// build choice that GetSupportedCompressions reports.
//
// Bytes. A payload starts with the size of the original, which lets a reader
// allocate once and refuse absurd sizes before it inflates anything:
//
//   codec     format 2 (tables >= 2)        format 1 (older tables)
//   Snappy    its own length prefix         the same
//   Zlib      varint32 size, raw deflate    raw deflate only
//   BZip2     varint32 size, bzip2 stream   bzip2 stream only
//   LZ4(HC)   varint32 size, LZ4 block      fixed64 size, LZ4 block
//   ZSTD      varint32 size, ZSTD frame     the same
//
// Invariants:
//   (1) No inflate writes beyond the size the payload announced, and no more
//       than size_max bytes, whatever the bytes say.
//   (2) The size inflated equals the size announced, or it is Corruption.
//
// Threads. Thread-safe. Codec contexts are kept per thread and reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct Codec;

// A dictionary ready to compress with: digested once, used for every data
// block of a file. An empty one means "none".
class CompressionDict {
 public:
  CompressionDict() = default;
  CompressionDict(CompressionType type, const CompressionOptions& options,
                  std::string raw);
  ~CompressionDict();
  CompressionDict(CompressionDict&& other) noexcept;
  CompressionDict& operator=(CompressionDict&& other) noexcept;

  const Slice raw() const { return Slice(raw_); }
  bool empty() const { return raw_.empty(); }
  // What the codec made of it, or null.
  void* digest() const { return digest_; }

 private:
  std::string raw_;
  const Codec* codec_ = nullptr;
  void* digest_ = nullptr;
};

// The same for inflating.
class UncompressionDict {
 public:
  UncompressionDict() = default;
  UncompressionDict(CompressionType type, std::string raw);
  ~UncompressionDict();
  UncompressionDict(UncompressionDict&& other) noexcept;
  UncompressionDict& operator=(UncompressionDict&& other) noexcept;

  const Slice raw() const { return Slice(raw_); }
  bool empty() const { return raw_.empty(); }
  void* digest() const { return digest_; }
  size_t ApproximateMemoryUsage() const { return 2 * raw_.size(); }

 private:
  std::string raw_;
  const Codec* codec_ = nullptr;
  void* digest_ = nullptr;
};

// Makes a dictionary of at most options.max_dict_bytes from concatenated
// samples: trained where the codec can and the options ask for it, the samples
// themselves otherwise.
std::string MakeDictionary(CompressionType type,
                           const CompressionOptions& options,
                           const std::string& samples,
                           const std::vector<size_t>& sample_sizes);

struct CompressRequest {
  CompressionType type = kNoCompression;
  const CompressionOptions* options = nullptr;  // Required.
  uint32_t format = 2;                          // 1 or 2, see Bytes above.
  const CompressionDict* dict = nullptr;
};

// Replaces *out by the payload. NotSupported when the type is not linked,
// InvalidArgument when `in` is too large (2^31 bytes), Corruption never.
Status Compress(const CompressRequest& request, const Slice& in,
                std::string* out);

struct UncompressRequest {
  CompressionType type = kNoCompression;
  uint32_t format = 2;
  const UncompressionDict* dict = nullptr;
  // The largest size to accept; payloads that claim more are Corruption.
  size_t size_max = size_t{1} << 31;
};

// The size that the payload announces, or 0 with `known` false where the
// framing has none (zlib and bzip2 in format 1).
struct UncompressedSize {
  bool known = false;
  size_t size = 0;
  size_t prefix_size = 0;  // Bytes before the codec's own stream.
};
Result<UncompressedSize> ReadUncompressedSize(const UncompressRequest& request,
                                              const Slice& in);

// Inflates into out[0, size), `size` being what ReadUncompressedSize found.
Status UncompressInto(const UncompressRequest& request, const Slice& in,
                      char* out, size_t size);

struct UncompressedBlock {
  std::unique_ptr<char[]> data;
  size_t size = 0;
};
// Inflates into fresh memory; works for every framing.
Result<UncompressedBlock> Uncompress(const UncompressRequest& request,
                                     const Slice& in);

// True when compression pays: the size is at most options'
// max_compressed_bytes_per_kb of the original.
inline bool CompressionPays(const CompressionOptions& options, size_t raw_size,
                            size_t compressed_size) {
  return compressed_size <=
         (static_cast<uint64_t>(raw_size) *
          static_cast<uint64_t>(options.max_compressed_bytes_per_kb)) >>
         10;
}

// The framing that tables of `format_version` use.
inline uint32_t CompressFormatForTable(uint32_t format_version) {
  return format_version >= 2 ? 2 : 1;
}

// kNoCompression counts as supported.
bool CompressionTypeSupported(CompressionType type);
// True when a dictionary changes what the codec does.
bool CompressionUsesDictionary(CompressionType type);
std::vector<CompressionType> SupportedCompressionTypes();

// The name in table properties: "NoCompression", "Snappy", ... ; "" if unknown.
const char* CompressionTypeName(CompressionType type);
// The inverse; false and *type untouched for an unknown name.
bool ParseCompressionTypeName(const Slice& name, CompressionType* type);
// The name in option texts: "kNoCompression", ... ; "" if unknown.
const char* CompressionOptionName(CompressionType type);
bool ParseCompressionOptionName(const Slice& name, CompressionType* type);

}  // namespace ROCKSDB_NAMESPACE::engine
