#ifdef RIVERSTONE_BZIP2

#include <bzlib.h>

#include "util/compression/codec.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

bool CompressBzip2(const CompressRequest& /*request*/, const Slice& in,
                   std::string* out) {
  // Blocks of a table are far below the smallest bzip2 block of 100 kB.
  constexpr int kBlockSize100k = 1;
  constexpr int kQuiet = 0;
  constexpr int kWorkFactor = 30;  // The library's own default.
  const size_t start = out->size();
  // The bound its manual promises.
  const size_t bound = in.size() + in.size() / 100 + 600;
  out->resize(start + bound);
  unsigned size = static_cast<unsigned>(bound);
  if (BZ2_bzBuffToBuffCompress(out->data() + start, &size,
                               const_cast<char*>(in.data()),
                               static_cast<unsigned>(in.size()), kBlockSize100k,
                               kQuiet, kWorkFactor) != BZ_OK) {
    return false;
  }
  out->resize(start + size);
  return true;
}

Codec::Partial UncompressUnknownBzip2(const UncompressRequest& /*request*/,
                                      const Slice& in, char* out,
                                      size_t capacity, size_t* size) {
  unsigned written = static_cast<unsigned>(capacity);
  const int result = BZ2_bzBuffToBuffDecompress(
      out, &written, const_cast<char*>(in.data()),
      static_cast<unsigned>(in.size()), /*small=*/0, /*verbosity=*/0);
  if (result == BZ_OUTBUFF_FULL) return Codec::Partial::kTooSmall;
  if (result != BZ_OK) return Codec::Partial::kDamaged;
  *size = written;
  return Codec::Partial::kDone;
}

bool UncompressBzip2(const UncompressRequest& request, const Slice& in,
                     char* out, size_t size) {
  size_t written = 0;
  return UncompressUnknownBzip2(request, in, out, size, &written) ==
             Codec::Partial::kDone &&
         written == size;
}

}  // namespace

const Codec kBzip2Codec = {
    .type = kBZip2Compression,
    .framing = SizeFraming::kVarintOrAbsent,
    .uses_dictionary = false,
    // A block of 900,000 bytes, runs of 259 in 5 each, takes about forty.
    .expansion_max = size_t{1} << 21,
    .compress = CompressBzip2,
    .uncompress = UncompressBzip2,
    .uncompress_unknown = UncompressUnknownBzip2,
    .own_size = nullptr,
    .new_compress_digest = nullptr,
    .free_compress_digest = nullptr,
    .new_uncompress_digest = nullptr,
    .free_uncompress_digest = nullptr,
    .train = nullptr,
};

}  // namespace ROCKSDB_NAMESPACE::engine

#endif  // RIVERSTONE_BZIP2
