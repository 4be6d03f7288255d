#include "table/block/block_writer.h"

#include <cassert>
#include <string>

#include "rocksdb/statistics.h"
#include "table/format/block_trailer.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

void Count(Statistics* statistics, uint32_t ticker, uint64_t n) {
  if (statistics != nullptr) statistics->recordTick(ticker, n);
}

}  // namespace

BlockWriter::BlockWriter(const Options& options, WritableFileWriter* file)
    : options_(options),
      file_(file),
      compression_(CompressionTypeSupported(options.compression)
                       ? options.compression
                       : kNoCompression) {}

void BlockWriter::SetDictionary(const std::string& raw) {
  dict_ = CompressionDict(compression_, options_.compression_opts, raw);
  if (options_.verify_compression) {
    verify_dict_ = UncompressionDict(compression_, raw);
  }
}

bool BlockWriter::Compresses(const Slice& payload, bool is_data,
                             std::string* out) const {
  constexpr size_t kCompressedSizeMax = INT32_MAX;
  if (compression_ == kNoCompression || payload.size() >= kCompressedSizeMax) {
    Count(options_.statistics, NUMBER_BLOCK_COMPRESSION_BYPASSED, 1);
    Count(options_.statistics, BYTES_COMPRESSION_BYPASSED, payload.size());
    return false;
  }
  CompressRequest request;
  request.type = compression_;
  request.options = &options_.compression_opts;
  request.format = CompressFormatForTable(options_.format_version);
  if (is_data && !dict_.empty()) request.dict = &dict_;
  const Status status = Compress(request, payload, out);
  if (!status.ok() || !CompressionPays(options_.compression_opts,
                                       payload.size(), out->size())) {
    Count(options_.statistics, NUMBER_BLOCK_COMPRESSION_REJECTED, 1);
    Count(options_.statistics, BYTES_COMPRESSION_REJECTED, payload.size());
    return false;
  }
  Count(options_.statistics, NUMBER_BLOCK_COMPRESSED, 1);
  Count(options_.statistics, BYTES_COMPRESSED_FROM, payload.size());
  Count(options_.statistics, BYTES_COMPRESSED_TO, out->size());
  return true;
}

Status BlockWriter::VerifyCompressed(const Slice& payload, bool is_data,
                                     const Slice& compressed) const {
  UncompressRequest request;
  request.type = compression_;
  request.format = CompressFormatForTable(options_.format_version);
  if (is_data && !verify_dict_.empty()) request.dict = &verify_dict_;
  const Result<UncompressedBlock> back = Uncompress(request, compressed);
  if (!back.ok()) return back.status();
  if (Slice(back->data.get(), back->size) == payload) return Status::OK();
  return Status::Corruption("decompressed block did not match raw block");
}

void BlockWriter::Prepare(const Slice& payload, bool is_data,
                          PreparedBlock* prepared) const {
  prepared->compressed = Compresses(payload, is_data, &prepared->bytes);
  if (prepared->compressed && options_.verify_compression) {
    prepared->status = VerifyCompressed(payload, is_data, prepared->bytes);
  }
}

void BlockWriter::PrepareData(const Slice& payload,
                              PreparedBlock* prepared) const {
  Prepare(payload, /*is_data=*/true, prepared);
}

BlockHandle BlockWriter::WriteCompressed(const Slice& payload) {
  Prepare(payload, /*is_data=*/false, &prepared_);
  return Write(payload, /*is_data=*/false, prepared_);
}

BlockHandle BlockWriter::WriteData(const Slice& payload) {
  Prepare(payload, /*is_data=*/true, &prepared_);
  return Write(payload, /*is_data=*/true, prepared_);
}

BlockHandle BlockWriter::WriteData(const Slice& payload,
                                   const PreparedBlock& prepared) {
  return Write(payload, /*is_data=*/true, prepared);
}

BlockHandle BlockWriter::Write(const Slice& payload, bool is_data,
                               const PreparedBlock& prepared) {
  const Slice stored = prepared.compressed ? Slice(prepared.bytes) : payload;
  if (is_data && options_.super_block_bytes > 0)
    PadForSuperBlock(stored.size());
  if (!prepared.compressed) return WriteRaw(payload);
  SetError(prepared.status);
  used_types_ |= 1u << compression_;
  return Append(stored, compression_);
}

BlockHandle BlockWriter::WriteRaw(const Slice& payload) {
  return Append(payload, kNoCompression);
}

Status BlockWriter::AppendBytes(const Slice& bytes) {
  if (options_.file_checksum != nullptr) {
    options_.file_checksum->Update(bytes.data(), bytes.size());
  }
  return file_->Append(bytes);
}

BlockHandle BlockWriter::Append(const Slice& payload, CompressionType type) {
  const BlockHandle handle{offset_, payload.size()};
  if (payload.size() > kBlockSizeMax) {  // No reader would take it.
    SetError(Status::InvalidArgument("block is too large",
                                     std::to_string(payload.size()) +
                                         " bytes, at most " +
                                         std::to_string(kBlockSizeMax)));
  }
  if (!status_.ok()) return handle;  // table_builder.h (2)
  assert(offset_ == file_->GetFileSize());
  assert(type == kNoCompression || type == compression_);
  char trailer[kBlockTrailerSize];
  EncodeBlockTrailer(options_.checksum_type, options_.base_context_checksum,
                     offset_, payload, static_cast<char>(type), trailer);
  status_ = AppendBytes(payload);
  if (status_.ok()) status_ = AppendBytes(Slice(trailer, sizeof(trailer)));
  if (status_.ok()) offset_ = handle.end();
  assert(!status_.ok() || offset_ == file_->GetFileSize());
  return handle;
}

void BlockWriter::WriteFooter(const Footer& footer) {
  if (!status_.ok()) return;  // table_builder.h (2)
  const std::string bytes = EncodeFooter(footer, offset_);
  status_ = AppendBytes(bytes);
  if (status_.ok()) offset_ += bytes.size();
}

void BlockWriter::PadForSuperBlock(size_t payload_bytes) {
  const uint64_t size = options_.super_block_bytes;
  const uint64_t stored = payload_bytes + kBlockTrailerSize;
  const uint64_t left = size - offset_ % size;
  if (stored <= left || stored > size) return;
  if (left <= options_.super_block_padding_max) PadTo(size);
}

void BlockWriter::PadTo(uint64_t alignment) {
  if (!status_.ok()) return;
  assert(alignment > 0);
  const uint64_t rest = offset_ % alignment;
  if (rest == 0) return;
  if (options_.file_checksum != nullptr) {
    const std::string zeros(alignment - rest, '\0');
    options_.file_checksum->Update(zeros.data(), zeros.size());
  }
  status_ = file_->Pad(alignment - rest);
  if (status_.ok()) offset_ += alignment - rest;
  assert(!status_.ok() || offset_ % alignment == 0);
}

}  // namespace ROCKSDB_NAMESPACE::engine
