#ifdef RIVERSTONE_SNAPPY

#include <snappy.h>

#include "util/compression/codec.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

bool CompressSnappy(const CompressRequest& /*request*/, const Slice& in,
                    std::string* out) {
  const size_t start = out->size();
  out->resize(start + snappy::MaxCompressedLength(in.size()));
  size_t size = 0;
  snappy::RawCompress(in.data(), in.size(), out->data() + start, &size);
  out->resize(start + size);
  return true;
}

bool OwnSize(const Slice& in, size_t* size) {
  return snappy::GetUncompressedLength(in.data(), in.size(), size);
}

bool UncompressSnappy(const UncompressRequest& /*request*/, const Slice& in,
                      char* out, size_t size) {
  size_t announced = 0;
  return OwnSize(in, &announced) && announced == size &&
         snappy::RawUncompress(in.data(), in.size(), out);
}

}  // namespace

const Codec kSnappyCodec = {
    .type = kSnappyCompression,
    .framing = SizeFraming::kOwn,
    .uses_dictionary = false,
    .expansion_max = 22,  // A copy of 64 bytes takes three.
    .compress = CompressSnappy,
    .uncompress = UncompressSnappy,
    .uncompress_unknown = nullptr,
    .own_size = OwnSize,
    .new_compress_digest = nullptr,
    .free_compress_digest = nullptr,
    .new_uncompress_digest = nullptr,
    .free_uncompress_digest = nullptr,
    .train = nullptr,
};

}  // namespace ROCKSDB_NAMESPACE::engine

#endif  // RIVERSTONE_SNAPPY
