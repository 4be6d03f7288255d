#ifdef RIVERSTONE_ZLIB

#include <zlib.h>

#include <algorithm>
#include <cstdlib>

#include "util/compression/codec.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Readers inflate raw deflate with a window of 2^14, so that is the most a
// writer may use; 2^9 is the least that zlib writes raw.
constexpr int kWindowBitsMax = 14;
constexpr int kWindowBitsMin = 9;

int RawWindowBits(const CompressionOptions& options) {
  return -std::clamp(std::abs(options.window_bits), kWindowBitsMin,
                     kWindowBitsMax);
}

// A deflater keeps 128 KiB or more, so each thread keeps one, for as long as
// the parameters stay the same.
class Deflater {
 public:
  Deflater() = default;
  ~Deflater() { End(); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // Null when zlib refuses the parameters.
  z_stream* Prepare(const CompressionOptions& options) {
    const int level =
        options.level == CompressionOptions::kDefaultCompressionLevel
            ? Z_DEFAULT_COMPRESSION
            : std::clamp(options.level, Z_DEFAULT_COMPRESSION,
                         Z_BEST_COMPRESSION);
    const int bits = RawWindowBits(options);
    if (ready_ && level == level_ && bits == bits_ &&
        options.strategy == strategy_) {
      return deflateReset(&stream_) == Z_OK ? &stream_ : nullptr;
    }
    End();
    stream_ = z_stream{};
    constexpr int kMemLevel = 8;  // zlib's own default.
    if (deflateInit2(&stream_, level, Z_DEFLATED, bits, kMemLevel,
                     options.strategy) != Z_OK) {
      return nullptr;
    }
    ready_ = true;
    level_ = level;
    bits_ = bits;
    strategy_ = options.strategy;
    return &stream_;
  }

 private:
  void End() {
    if (ready_) deflateEnd(&stream_);
    ready_ = false;
  }

  z_stream stream_{};
  bool ready_ = false;
  int level_ = 0;
  int bits_ = 0;
  int strategy_ = 0;
};

class Inflater {
 public:
  Inflater() { ready_ = inflateInit2(&stream_, -kWindowBitsMax) == Z_OK; }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream* Prepare() {
    return ready_ && inflateReset(&stream_) == Z_OK ? &stream_ : nullptr;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

Bytef* Bytes(const char* data) {
  // zlib's input pointers are not const by default; it does not write there.
  return reinterpret_cast<Bytef*>(const_cast<char*>(data));
}

bool CompressZlib(const CompressRequest& request, const Slice& in,
                  std::string* out) {
  thread_local Deflater deflater;
  z_stream* const stream = deflater.Prepare(*request.options);
  if (stream == nullptr) return false;
  if (request.dict != nullptr && !request.dict->empty()) {
    const Slice dict = request.dict->raw();
    if (deflateSetDictionary(stream, Bytes(dict.data()),
                             static_cast<uInt>(dict.size())) != Z_OK) {
      return false;
    }
  }

  const size_t start = out->size();
  const size_t bound = deflateBound(stream, static_cast<uLong>(in.size()));
  out->resize(start + bound);
  stream->next_in = Bytes(in.data());
  stream->avail_in = static_cast<uInt>(in.size());
  stream->next_out = Bytes(out->data() + start);
  stream->avail_out = static_cast<uInt>(bound);
  if (deflate(stream, Z_FINISH) != Z_STREAM_END) return false;
  out->resize(start + bound - stream->avail_out);
  return true;
}

Codec::Partial UncompressUnknownZlib(const UncompressRequest& request,
                                     const Slice& in, char* out,
                                     size_t capacity, size_t* size) {
  thread_local Inflater inflater;
  z_stream* const stream = inflater.Prepare();
  if (stream == nullptr) return Codec::Partial::kDamaged;
  if (request.dict != nullptr && !request.dict->empty()) {
    const Slice dict = request.dict->raw();
    if (inflateSetDictionary(stream, Bytes(dict.data()),
                             static_cast<uInt>(dict.size())) != Z_OK) {
      return Codec::Partial::kDamaged;
    }
  }
  stream->next_in = Bytes(in.data());
  stream->avail_in = static_cast<uInt>(in.size());
  stream->next_out = Bytes(out);
  stream->avail_out = static_cast<uInt>(capacity);
  const int result = inflate(stream, Z_FINISH);
  if (result == Z_STREAM_END) {
    *size = capacity - stream->avail_out;
    return stream->avail_in == 0 ? Codec::Partial::kDone
                                 : Codec::Partial::kDamaged;
  }
  return result == Z_BUF_ERROR && stream->avail_out == 0
             ? Codec::Partial::kTooSmall
             : Codec::Partial::kDamaged;
}

bool UncompressZlib(const UncompressRequest& request, const Slice& in,
                    char* out, size_t size) {
  size_t written = 0;
  return UncompressUnknownZlib(request, in, out, size, &written) ==
             Codec::Partial::kDone &&
         written == size;
}

}  // namespace

const Codec kZlibCodec = {
    .type = kZlibCompression,
    .framing = SizeFraming::kVarintOrAbsent,
    .uses_dictionary = true,
    .expansion_max = 1032,  // RFC 1951: 258 bytes in two bits.
    .compress = CompressZlib,
    .uncompress = UncompressZlib,
    .uncompress_unknown = UncompressUnknownZlib,
    .own_size = nullptr,
    .new_compress_digest = nullptr,
    .free_compress_digest = nullptr,
    .new_uncompress_digest = nullptr,
    .free_uncompress_digest = nullptr,
    .train = nullptr,
};

}  // namespace ROCKSDB_NAMESPACE::engine

#endif  // RIVERSTONE_ZLIB
