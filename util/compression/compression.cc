#include "util/compression/compression.h"

#include <algorithm>
#include <utility>

#include "rocksdb/convenience.h"
#include "util/coding.h"
#include "util/compression/codec.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// The libraries count in int; this also bounds what a reader will allocate.
constexpr size_t kSizeMax = (size_t{1} << 31) - 1;

// Null when the codec is not linked.
const Codec* FindCodec(CompressionType type) {
  switch (type) {
#ifdef RIVERSTONE_SNAPPY
    case kSnappyCompression:
      return &kSnappyCodec;
#endif
#ifdef RIVERSTONE_ZLIB
    case kZlibCompression:
      return &kZlibCodec;
#endif
#ifdef RIVERSTONE_BZIP2
    case kBZip2Compression:
      return &kBzip2Codec;
#endif
#ifdef RIVERSTONE_LZ4
    case kLZ4Compression:
      return &kLz4Codec;
    case kLZ4HCCompression:
      return &kLz4hcCodec;
#endif
#ifdef RIVERSTONE_ZSTD
    case kZSTD:
    case kZSTDNotFinalCompression:  // What readers of its time take it for.
      return &kZstdCodec;
#endif
    default:
      return nullptr;
  }
}

struct TypeNames {
  CompressionType type;
  const char* property;
  const char* option;
};

constexpr TypeNames kNames[] = {
    {kNoCompression, "NoCompression", "kNoCompression"},
    {kSnappyCompression, "Snappy", "kSnappyCompression"},
    {kZlibCompression, "Zlib", "kZlibCompression"},
    {kBZip2Compression, "BZip2", "kBZip2Compression"},
    {kLZ4Compression, "LZ4", "kLZ4Compression"},
    {kLZ4HCCompression, "LZ4HC", "kLZ4HCCompression"},
    {kXpressCompression, "Xpress", "kXpressCompression"},
    {kZSTD, "ZSTD", "kZSTD"},
    {kZSTDNotFinalCompression, "ZSTDNotFinal", "kZSTDNotFinalCompression"},
    {kDisableCompressionOption, "DisableOption", "kDisableCompressionOption"},
};

Status NotLinked(CompressionType type) {
  std::string name = CompressionTypeName(type);
  if (name.empty()) name = std::to_string(static_cast<unsigned>(type));
  return Status::NotSupported("compression type not available in this build",
                              name);
}

Status Damaged(CompressionType type, const std::string& what) {
  return Status::Corruption(
      std::string("compressed block (") + CompressionTypeName(type) + ")",
      what);
}

}  // namespace

Status Compress(const CompressRequest& request, const Slice& in,
                std::string* out) {
  out->clear();
  const Codec* const codec = FindCodec(request.type);
  if (codec == nullptr || request.type == kZSTDNotFinalCompression) {
    return NotLinked(request.type);
  }
  if (in.size() > kSizeMax) {
    return Status::InvalidArgument("block too large to compress",
                                   std::to_string(in.size()));
  }
  const uint32_t size = static_cast<uint32_t>(in.size());
  switch (codec->framing) {
    case SizeFraming::kOwn:
      break;
    case SizeFraming::kVarint:
      PutVarint32(out, size);
      break;
    case SizeFraming::kVarintOrFixed:
      if (request.format >= 2) {
        PutVarint32(out, size);
      } else {
        PutFixed64(out, size);
      }
      break;
    case SizeFraming::kVarintOrAbsent:
      if (request.format >= 2) PutVarint32(out, size);
      break;
  }
  if (!codec->compress(request, in, out)) {
    return Status::Aborted("compression failed",
                           CompressionTypeName(request.type));
  }
  return Status::OK();
}

Result<UncompressedSize> ReadUncompressedSize(const UncompressRequest& request,
                                              const Slice& in) {
  const Codec* const codec = FindCodec(request.type);
  if (codec == nullptr) return NotLinked(request.type);
  if (in.size() > kSizeMax) {
    return Damaged(request.type,
                   std::to_string(in.size()) + " bytes are more than expected");
  }

  UncompressedSize result;
  result.known = true;
  bool parsed = true;
  Slice rest = in;
  if (codec->framing == SizeFraming::kOwn) {
    parsed = codec->own_size(in, &result.size);
  } else if (request.format >= 2 || codec->framing == SizeFraming::kVarint) {
    uint32_t size = 0;
    parsed = GetVarint32(&rest, &size);
    result.size = size;
  } else if (codec->framing == SizeFraming::kVarintOrFixed) {
    uint64_t size = 0;
    parsed = GetFixed64(&rest, &size);
    result.size = size;
  } else {
    result.known = false;
  }
  if (!parsed) return Damaged(request.type, "size prefix cut short");
  result.prefix_size = in.size() - rest.size();

  const size_t limit =
      std::min({request.size_max, kSizeMax, codec->expansion_max * in.size()});
  if (result.size > limit) {  // (1)
    return Damaged(request.type, "claims " + std::to_string(result.size) +
                                     " bytes, expected at most " +
                                     std::to_string(limit));
  }
  return result;
}

Status UncompressInto(const UncompressRequest& request, const Slice& in,
                      char* out, size_t size) {
  const Result<UncompressedSize> announced = ReadUncompressedSize(request, in);
  if (!announced.ok()) return announced.status();
  if (!announced->known || announced->size != size) {  // (2)
    return Damaged(request.type,
                   "announces " + std::to_string(announced->size) +
                       " bytes, expected " + std::to_string(size));
  }
  const Slice stream(in.data() + announced->prefix_size,
                     in.size() - announced->prefix_size);
  if (!FindCodec(request.type)->uncompress(request, stream, out, size)) {
    return Damaged(request.type, "stream damaged, expected " +
                                     std::to_string(size) + " bytes from " +
                                     std::to_string(stream.size()));
  }
  return Status::OK();
}

namespace {

// Doubles the buffer until the stream fits; only for tables of format 0 and 1.
Result<UncompressedBlock> UncompressUnknownSize(
    const UncompressRequest& request, const Slice& in) {
  const Codec* const codec = FindCodec(request.type);
  const size_t limit = std::min(request.size_max, kSizeMax);
  size_t capacity = std::min(limit, std::max<size_t>(4096, 4 * in.size()));
  for (;;) {
    UncompressedBlock block;
    block.data.reset(new char[std::max<size_t>(capacity, 1)]);
    switch (codec->uncompress_unknown(request, in, block.data.get(), capacity,
                                      &block.size)) {
      case Codec::Partial::kDone:
        return block;
      case Codec::Partial::kDamaged:
        return Damaged(request.type, "stream damaged");
      case Codec::Partial::kTooSmall:
        break;
    }
    if (capacity == limit) {  // (1)
      return Damaged(request.type, "holds more than the expected maximum of " +
                                       std::to_string(limit) + " bytes");
    }
    capacity = capacity > limit / 2 ? limit : 2 * capacity;
  }
}

}  // namespace

Result<UncompressedBlock> Uncompress(const UncompressRequest& request,
                                     const Slice& in) {
  const Result<UncompressedSize> announced = ReadUncompressedSize(request, in);
  if (!announced.ok()) return announced.status();
  if (!announced->known) return UncompressUnknownSize(request, in);

  UncompressedBlock block;
  block.size = announced->size;
  block.data.reset(new char[std::max<size_t>(block.size, 1)]);
  RETURN_IF_ERROR(UncompressInto(request, in, block.data.get(), block.size));
  return block;
}

CompressionDict::CompressionDict(CompressionType type,
                                 const CompressionOptions& options,
                                 std::string raw)
    : raw_(std::move(raw)), codec_(FindCodec(type)) {
  if (codec_ != nullptr && codec_->new_compress_digest != nullptr &&
      !raw_.empty()) {
    digest_ = codec_->new_compress_digest(raw_, options);
  }
}

CompressionDict::~CompressionDict() {
  if (digest_ != nullptr) codec_->free_compress_digest(digest_);
}

CompressionDict::CompressionDict(CompressionDict&& other) noexcept
    : raw_(std::move(other.raw_)),
      codec_(other.codec_),
      digest_(std::exchange(other.digest_, nullptr)) {}

CompressionDict& CompressionDict::operator=(CompressionDict&& other) noexcept {
  std::swap(raw_, other.raw_);
  std::swap(codec_, other.codec_);
  std::swap(digest_, other.digest_);
  return *this;
}

UncompressionDict::UncompressionDict(CompressionType type, std::string raw)
    : raw_(std::move(raw)), codec_(FindCodec(type)) {
  if (codec_ != nullptr && codec_->new_uncompress_digest != nullptr &&
      !raw_.empty()) {
    digest_ = codec_->new_uncompress_digest(raw_);
  }
}

UncompressionDict::~UncompressionDict() {
  if (digest_ != nullptr) codec_->free_uncompress_digest(digest_);
}

UncompressionDict::UncompressionDict(UncompressionDict&& other) noexcept
    : raw_(std::move(other.raw_)),
      codec_(other.codec_),
      digest_(std::exchange(other.digest_, nullptr)) {}

UncompressionDict& UncompressionDict::operator=(
    UncompressionDict&& other) noexcept {
  std::swap(raw_, other.raw_);
  std::swap(codec_, other.codec_);
  std::swap(digest_, other.digest_);
  return *this;
}

std::string MakeDictionary(CompressionType type,
                           const CompressionOptions& options,
                           const std::string& samples,
                           const std::vector<size_t>& sample_sizes) {
  const Codec* const codec = FindCodec(type);
  if (codec == nullptr || !codec->uses_dictionary) return {};
  if (options.zstd_max_train_bytes > 0 && codec->train != nullptr) {
    return codec->train(options, samples, sample_sizes);
  }
  return samples.substr(0, options.max_dict_bytes);
}

bool CompressionTypeSupported(CompressionType type) {
  return type == kNoCompression ||
         (type != kZSTDNotFinalCompression && FindCodec(type) != nullptr);
}

bool CompressionUsesDictionary(CompressionType type) {
  const Codec* const codec = FindCodec(type);
  return codec != nullptr && codec->uses_dictionary;
}

std::vector<CompressionType> SupportedCompressionTypes() {
  std::vector<CompressionType> types;
  for (const TypeNames& names : kNames) {
    if (CompressionTypeSupported(names.type)) types.push_back(names.type);
  }
  return types;
}

const char* CompressionTypeName(CompressionType type) {
  for (const TypeNames& names : kNames) {
    if (names.type == type) return names.property;
  }
  return "";
}

bool ParseCompressionTypeName(const Slice& name, CompressionType* type) {
  for (const TypeNames& names : kNames) {
    if (name == Slice(names.property)) {
      *type = names.type;
      return true;
    }
  }
  return false;
}

const char* CompressionOptionName(CompressionType type) {
  for (const TypeNames& names : kNames) {
    if (names.type == type) return names.option;
  }
  return "";
}

bool ParseCompressionOptionName(const Slice& name, CompressionType* type) {
  for (const TypeNames& names : kNames) {
    if (name == Slice(names.option)) {
      *type = names.type;
      return true;
    }
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

std::vector<CompressionType> GetSupportedCompressions() {
  return engine::SupportedCompressionTypes();
}

}  // namespace ROCKSDB_NAMESPACE
