#include "db/wal/zstd_frame.h"

#ifdef RIVERSTONE_ZSTD
#include <zstd.h>

#include <algorithm>
#include <cassert>
#include <memory>
#endif

namespace ROCKSDB_NAMESPACE::engine::wal {

#ifdef RIVERSTONE_ZSTD

namespace {

struct ContextDeleter {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// A larger output buffer is given back with the next record.
constexpr size_t kOutBytesKept = size_t{4} << 20;

}  // namespace

Status InflateZstdFrame(const Slice& in, size_t size_max, std::string* out) {
  thread_local const std::unique_ptr<ZSTD_DCtx, ContextDeleter> context(
      ZSTD_createDCtx());
  out->clear();
  if (context == nullptr) return Status::MemoryLimit("ZSTD context");
  ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_only);

  ZSTD_inBuffer input{in.data(), in.size(), 0};
  size_t filled = 0;
  size_t hint = 1;  // 0 once the frame is complete.
  while (hint != 0) {
    // Twice the input is a fair first guess; then it doubles.
    const size_t room = std::max(filled, std::max<size_t>(4096, 2 * in.size()));
    out->resize(std::min(filled + room, size_max + 1));
    ZSTD_outBuffer output{out->data(), out->size(), filled};
    hint = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(hint) != 0U) {
      return Status::Corruption("ZSTD", ZSTD_getErrorName(hint));
    }
    filled = output.pos;
    if (filled > size_max) return Status::Corruption("ZSTD frame too large");
    const bool starved = input.pos == input.size && output.pos < output.size;
    if (hint != 0 && starved) {
      return Status::Corruption("ZSTD frame cut short");
    }
  }
  if (input.pos != input.size) {
    return Status::Corruption("bytes behind the ZSTD frame");
  }
  assert(filled <= size_max);
  out->resize(filled);
  return Status::OK();
}

struct ZstdDeflater::Context {
  Context() : zstd(ZSTD_createCCtx()) {}
  ~Context() { ZSTD_freeCCtx(zstd); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  ZSTD_CCtx* const zstd;
};

ZstdDeflater::ZstdDeflater() : context_(std::make_unique<Context>()) {}

ZstdDeflater::~ZstdDeflater() = default;

Status ZstdDeflater::Deflate(std::span<const Slice> parts, Slice* frame) {
  ZSTD_CCtx* const zstd = context_->zstd;
  if (zstd == nullptr) return Status::MemoryLimit("ZSTD context");
  size_t size = 0;
  for (const Slice& part : parts) size += part.size();
  if (out_.size() > kOutBytesKept) std::string().swap(out_);
  out_.resize(std::max(out_.size(), ZSTD_compressBound(size)));

  ZSTD_CCtx_reset(zstd, ZSTD_reset_session_only);
  ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setPledgedSrcSize(zstd, size);
  ZSTD_outBuffer output{out_.data(), out_.size(), 0};
  size_t left = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    ZSTD_inBuffer input{parts[i].data(), parts[i].size(), 0};
    do {
      left = ZSTD_compressStream2(zstd, &output, &input,
                                  last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0U) {
        return Status::Corruption("ZSTD", ZSTD_getErrorName(left));
      }
    } while (input.pos < input.size || (last && left != 0));
  }
  assert(left == 0);  // The frame is complete.
  *frame = Slice(out_.data(), output.pos);
  return Status::OK();
}

#else

struct ZstdDeflater::Context {};

ZstdDeflater::ZstdDeflater() = default;

ZstdDeflater::~ZstdDeflater() = default;

Status ZstdDeflater::Deflate(std::span<const Slice>, Slice*) {
  return Status::NotSupported("built without ZSTD: wal_compression");
}

Status InflateZstdFrame(const Slice&, size_t, std::string*) {
  return Status::NotSupported("built without ZSTD: compressed log");
}

#endif

}  // namespace ROCKSDB_NAMESPACE::engine::wal
