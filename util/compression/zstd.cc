#ifdef RIVERSTONE_ZSTD

#include <zdict.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

#include "util/compression/codec.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

struct ContextDeleter {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

ZSTD_CCtx* ThreadCompressor() {
  thread_local const std::unique_ptr<ZSTD_CCtx, ContextDeleter> context(
      ZSTD_createCCtx());
  return context.get();
}

ZSTD_DCtx* ThreadDecompressor() {
  thread_local const std::unique_ptr<ZSTD_DCtx, ContextDeleter> context(
      ZSTD_createDCtx());
  return context.get();
}

int Level(const CompressionOptions& options) {
  return options.level == CompressionOptions::kDefaultCompressionLevel
             ? ZSTD_CLEVEL_DEFAULT
             : options.level;
}

bool CompressZstd(const CompressRequest& request, const Slice& in,
                  std::string* out) {
  ZSTD_CCtx* const context = ThreadCompressor();
  if (context == nullptr) return false;
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel,
                         Level(*request.options));
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag,
                         request.options->checksum ? 1 : 0);
  if (request.dict != nullptr && !request.dict->empty()) {
    const auto* digest = static_cast<ZSTD_CDict*>(request.dict->digest());
    if (ZSTD_isError(ZSTD_CCtx_refCDict(context, digest))) return false;
  }

  const size_t start = out->size();
  const size_t bound = ZSTD_compressBound(in.size());
  out->resize(start + bound);
  const size_t size =
      ZSTD_compress2(context, out->data() + start, bound, in.data(), in.size());
  if (ZSTD_isError(size)) return false;
  out->resize(start + size);
  return true;
}

bool UncompressZstd(const UncompressRequest& request, const Slice& in,
                    char* out, size_t size) {
  ZSTD_DCtx* const context = ThreadDecompressor();
  if (context == nullptr) return false;
  size_t written = 0;
  if (request.dict != nullptr && !request.dict->empty()) {
    const auto* digest = static_cast<ZSTD_DDict*>(request.dict->digest());
    written = ZSTD_decompress_usingDDict(context, out, size, in.data(),
                                         in.size(), digest);
  } else {
    written = ZSTD_decompressDCtx(context, out, size, in.data(), in.size());
  }
  return !ZSTD_isError(written) && written == size;
}

void* NewCompressDigest(const Slice& raw, const CompressionOptions& options) {
  return ZSTD_createCDict(raw.data(), raw.size(), Level(options));
}

void FreeCompressDigest(void* digest) {
  ZSTD_freeCDict(static_cast<ZSTD_CDict*>(digest));
}

void* NewUncompressDigest(const Slice& raw) {
  return ZSTD_createDDict(raw.data(), raw.size());
}

void FreeUncompressDigest(void* digest) {
  ZSTD_freeDDict(static_cast<ZSTD_DDict*>(digest));
}

std::string Train(const CompressionOptions& options, const std::string& samples,
                  const std::vector<size_t>& sample_sizes) {
  std::string dict(options.max_dict_bytes, '\0');
  const unsigned count = static_cast<unsigned>(sample_sizes.size());
  size_t size = 0;
  if (options.use_zstd_dict_trainer) {
    size = ZDICT_trainFromBuffer(dict.data(), dict.size(), samples.data(),
                                 sample_sizes.data(), count);
  } else {
    // The samples as they are, with the tables that fit them in front.
    ZDICT_params_t params = {};
    params.compressionLevel = Level(options);
    size = ZDICT_finalizeDictionary(dict.data(), dict.size(), samples.data(),
                                    std::min(samples.size(), dict.size()),
                                    samples.data(), sample_sizes.data(), count,
                                    params);
  }
  // Too few or too uniform samples are no error: the file has no dictionary.
  if (ZDICT_isError(size)) return {};
  dict.resize(size);
  return dict;
}

}  // namespace

const Codec kZstdCodec = {
    .type = kZSTD,
    .framing = SizeFraming::kVarint,
    .uses_dictionary = true,
    .expansion_max = 32768,  // RFC 8878: 128 KiB in four bytes.
    .compress = CompressZstd,
    .uncompress = UncompressZstd,
    .uncompress_unknown = nullptr,
    .own_size = nullptr,
    .new_compress_digest = NewCompressDigest,
    .free_compress_digest = FreeCompressDigest,
    .new_uncompress_digest = NewUncompressDigest,
    .free_uncompress_digest = FreeUncompressDigest,
    .train = Train,
};

}  // namespace ROCKSDB_NAMESPACE::engine

#endif  // RIVERSTONE_ZSTD
