#include "db/wal/zstd_frame.h"

#ifdef RIVERSTONE_ZSTD
#include <zstd.h>

#include <algorithm>
#include <memory>
#endif

namespace ROCKSDB_NAMESPACE::engine::wal {

#ifdef RIVERSTONE_ZSTD

namespace {

struct ContextDeleter {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

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
  out->resize(filled);
  return Status::OK();
}

#else

Status InflateZstdFrame(const Slice&, size_t, std::string*) {
  return Status::NotSupported("built without ZSTD: compressed log");
}

#endif

}  // namespace ROCKSDB_NAMESPACE::engine::wal
