#ifdef RIVERSTONE_LZ4

#include <lz4hc.h>

#include <memory>

#include "util/compression/codec.h"
#include "util/compression/lz4_common.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

struct HcStreamDeleter {
  void operator()(LZ4_streamHC_t* stream) const { LZ4_freeStreamHC(stream); }
};

// 256 KiB of state, so it is made once per thread that really compresses.
LZ4_streamHC_t* ThreadHcStream() {
  thread_local const std::unique_ptr<LZ4_streamHC_t, HcStreamDeleter> stream(
      LZ4_createStreamHC());
  return stream.get();
}

bool CompressLz4hc(const CompressRequest& request, const Slice& in,
                   std::string* out) {
  const size_t start = out->size();
  const int in_size = static_cast<int>(in.size());
  const int bound = LZ4_compressBound(in_size);
  out->resize(start + static_cast<size_t>(bound));
  int level = request.options->level;
  if (level == CompressionOptions::kDefaultCompressionLevel) {
    level = LZ4HC_CLEVEL_DEFAULT;
  }

  LZ4_streamHC_t* const stream = ThreadHcStream();
  if (stream == nullptr) return false;
  LZ4_resetStreamHC_fast(stream, level);
  if (request.dict != nullptr && !request.dict->empty()) {
    const Slice dict = request.dict->raw();
    LZ4_loadDictHC(stream, dict.data(), static_cast<int>(dict.size()));
  }
  const int size = LZ4_compress_HC_continue(
      stream, in.data(), out->data() + start, in_size, bound);
  if (size <= 0) return false;
  out->resize(start + static_cast<size_t>(size));
  return true;
}

}  // namespace

const Codec kLz4hcCodec = {
    .type = kLZ4HCCompression,
    .framing = SizeFraming::kVarintOrFixed,
    .uses_dictionary = true,
    .expansion_max = 256,  // Lengths grow by 255 per byte.
    .compress = CompressLz4hc,
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
