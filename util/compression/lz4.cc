#ifdef RIVERSTONE_LZ4

#include <lz4.h>

#include <memory>

#include "util/compression/codec.h"
#include "util/compression/lz4_common.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

struct StreamDeleter {
  void operator()(LZ4_stream_t* stream) const { LZ4_freeStream(stream); }
};

// 16 KiB of state that every call needs: kept, not made anew.
LZ4_stream_t* ThreadStream() {
  thread_local const std::unique_ptr<LZ4_stream_t, StreamDeleter> stream(
      LZ4_createStream());
  return stream.get();
}

bool CompressLz4(const CompressRequest& request, const Slice& in,
                 std::string* out) {
  const size_t start = out->size();
  const int in_size = static_cast<int>(in.size());
  const int bound = LZ4_compressBound(in_size);
  out->resize(start + static_cast<size_t>(bound));
  // A negative level trades ratio for speed, other levels belong to LZ4HC.
  const int level = request.options->level;
  const int acceleration = level < 0 ? -level : 1;

  LZ4_stream_t* const stream = ThreadStream();
  if (stream == nullptr) return false;
  char* const dst = out->data() + start;
  int size = 0;
  if (request.dict != nullptr && !request.dict->empty()) {
    const Slice dict = request.dict->raw();
    LZ4_resetStream_fast(stream);
    LZ4_loadDict(stream, dict.data(), static_cast<int>(dict.size()));
    size = LZ4_compress_fast_continue(stream, in.data(), dst, in_size, bound,
                                      acceleration);
  } else {
    size = LZ4_compress_fast_extState(stream, in.data(), dst, in_size, bound,
                                      acceleration);
  }
  if (size <= 0) return false;
  out->resize(start + static_cast<size_t>(size));
  return true;
}

}  // namespace

bool UncompressLz4(const UncompressRequest& request, const Slice& in, char* out,
                   size_t size) {
  const int in_size = static_cast<int>(in.size());
  const int out_size = static_cast<int>(size);
  int written = 0;
  if (request.dict != nullptr && !request.dict->empty()) {
    const Slice dict = request.dict->raw();
    written = LZ4_decompress_safe_usingDict(in.data(), out, in_size, out_size,
                                            dict.data(),
                                            static_cast<int>(dict.size()));
  } else {
    written = LZ4_decompress_safe(in.data(), out, in_size, out_size);
  }
  return written == out_size;  // compression.h (2)
}

const Codec kLz4Codec = {
    .type = kLZ4Compression,
    .framing = SizeFraming::kVarintOrFixed,
    .uses_dictionary = true,
    .expansion_max = 256,  // Lengths grow by 255 per byte.
    .compress = CompressLz4,
    .uncompress = UncompressLz4,
    .uncompress_unknown = nullptr,
    .own_size = nullptr,
    .new_compress_digest = nullptr,
    .free_compress_digest = nullptr,
    .new_uncompress_digest = nullptr,
    .free_uncompress_digest = nullptr,
    .train = nullptr,
};

}  // namespace ROCKSDB_NAMESPACE::engine

#endif  // RIVERSTONE_LZ4
