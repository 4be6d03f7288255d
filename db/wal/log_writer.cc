#include "db/wal/log_writer.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "util/coding.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE::engine::wal {
namespace {

// Enough for most write groups; grows when a group needs more.
constexpr size_t kBufferSizeMin = 2 * kBlockSize;
// A larger buffer is given back after the record that needed it.
constexpr size_t kBufferSizeKept = size_t{4} << 20;

// Of everything behind the length field.
uint32_t Checksum(const char* header_type, size_t size) {
  return crc32c::Mask(crc32c::Value(header_type, size));
}

RecordType TypeOf(bool first, bool last, bool recycle) {
  const RecordType type = first
                              ? (last ? RecordType::kFull : RecordType::kFirst)
                          : last ? RecordType::kLast
                                 : RecordType::kMiddle;
  if (!recycle) return type;
  constexpr uint8_t kStep = static_cast<uint8_t>(RecordType::kRecyclableFull) -
                            static_cast<uint8_t>(RecordType::kFull);
  return static_cast<RecordType>(static_cast<uint8_t>(type) + kStep);
}

// Copies the next bytes of a list of slices.
class PartsCopier {
 public:
  explicit PartsCopier(std::span<const Slice> parts) : parts_(parts) {}

  void Copy(char* to, size_t size) {
    while (size > 0) {
      assert(index_ < parts_.size());
      const Slice& part = parts_[index_];
      const size_t n = std::min(size, part.size() - offset_);
      std::memcpy(to, part.data() + offset_, n);
      to += n;
      size -= n;
      offset_ += n;
      if (offset_ == part.size()) {
        ++index_;
        offset_ = 0;
      }
    }
  }

 private:
  std::span<const Slice> parts_;
  size_t index_ = 0;
  size_t offset_ = 0;
};

}  // namespace

Writer::Writer(std::unique_ptr<WritableFileWriter> file, uint64_t log_number,
               bool recycle, bool manual_flush)
    : file_(std::move(file)),
      log_number_(log_number),
      recycle_(recycle),
      manual_flush_(manual_flush),
      header_size_(recycle ? kRecyclableHeaderSize : kLegacyHeaderSize),
      block_offset_(static_cast<size_t>(file_->GetFileSize() % kBlockSize)) {}

Writer::~Writer() = default;

void Writer::ReserveFor(size_t payload_size) {
  // Every block may cost a header, and the first one a trailer of zeros;
  // smaller fragments cost one each.
  const size_t blocks = payload_size / (kBlockSize - header_size_) + 2;
  const size_t pieces = payload_size / fragment_size_max_;
  const size_t needed = payload_size + (blocks + pieces + 1) * header_size_;
  if (needed <= buffer_capacity_.load(std::memory_order_relaxed)) return;
  const size_t capacity = std::max(needed, kBufferSizeMin);
  buffer_.reset(new char[capacity]);
  buffer_capacity_.store(capacity, std::memory_order_relaxed);
}

IOStatus Writer::AddSpecial(RecordType type, const Slice& payload) {
  const size_t header_size = type == RecordType::kRecyclablePredecessor
                                 ? kRecyclableHeaderSize
                                 : kLegacyHeaderSize;
  assert(block_offset_ + header_size + payload.size() <= kBlockSize);
  // At the start of a file there is room in the block.
  ReserveFor(payload.size());
  char* const out = buffer_.get();
  EncodeFixed16(out + 4, static_cast<uint16_t>(payload.size()));
  out[6] = static_cast<char>(type);
  if (header_size == kRecyclableHeaderSize) {
    EncodeFixed32(out + 7, static_cast<uint32_t>(log_number_));
  }
  std::memcpy(out + header_size, payload.data(), payload.size());
  EncodeFixed32(out, Checksum(out + 6, header_size - 6 + payload.size()));
  block_offset_ += header_size + payload.size();
  IOStatus status = AppendFrames(header_size + payload.size());
  special_bytes_ = FileSize();
  return status;
}

IOStatus Writer::StartCompression() {
  assert(deflater_ == nullptr && empty());  // (3)
  std::string payload;
  PutFixed32(&payload, kLogCompressionZstd);
  deflater_ = std::make_unique<ZstdDeflater>();
  fragment_size_max_ = kCompressedPieceSize;
  return AddSpecial(RecordType::kSetCompression, payload);
}

IOStatus Writer::AddPredecessor(const Predecessor& predecessor) {
  std::string payload;
  PutFixed64(&payload, predecessor.log_number);
  PutFixed64(&payload, predecessor.size_bytes);
  PutFixed64(&payload, predecessor.last_sequence);
  return AddSpecial(
      recycle_ ? RecordType::kRecyclablePredecessor : RecordType::kPredecessor,
      payload);
}

IOStatus Writer::AddRecord(std::span<const Slice> parts) {
  size_t size = 0;
  for (const Slice& part : parts) size += part.size();
  // What is empty stays empty.
  if (deflater_ == nullptr || size == 0) return AddFragments(parts, size);
  Slice frame;
  if (const Status status = deflater_->Deflate(parts, &frame); !status.ok()) {
    return status_to_io_status(Status(status));
  }
  return AddFragments(std::span<const Slice>(&frame, 1), frame.size());
}

IOStatus Writer::AddFragments(std::span<const Slice> parts, size_t left) {
  ReserveFor(left);

  PartsCopier copier(parts);
  char* out = buffer_.get();
  size_t block_offset = block_offset_;
  bool first = true;
  bool last = false;
  do {
    size_t room = kBlockSize - block_offset;
    if (room < header_size_) {
      std::memset(out, 0, room);
      out += room;
      block_offset = 0;
      room = kBlockSize;
    }
    assert(room >= header_size_);
    const size_t size =
        std::min({left, room - header_size_, fragment_size_max_});
    last = size == left;

    assert(size <= UINT16_MAX);
    EncodeFixed16(out + 4, static_cast<uint16_t>(size));
    out[6] = static_cast<char>(TypeOf(first, last, recycle_));
    if (recycle_) EncodeFixed32(out + 7, static_cast<uint32_t>(log_number_));
    copier.Copy(out + header_size_, size);
    EncodeFixed32(out, Checksum(out + 6, header_size_ - 6 + size));

    out += header_size_ + size;
    block_offset += header_size_ + size;
    left -= size;
    first = false;
  } while (!last);

  assert(left == 0 && block_offset <= kBlockSize);
  block_offset_ = block_offset;
  return AppendFrames(static_cast<size_t>(out - buffer_.get()));
}

IOStatus Writer::AddTimestampSizes(const std::map<uint32_t, uint16_t>& sizes) {
  constexpr size_t kPayloadMax = kBlockSize / 2;  // It has to fit one block.
  std::string payload;
  for (const auto& [family, size] : sizes) {
    PutFixed32(&payload, family);
    PutFixed16(&payload, size);
    if (payload.size() < kPayloadMax) continue;
    if (IOStatus status = AddTimestampRecord(payload); !status.ok()) {
      return status;
    }
    payload.clear();
  }
  return payload.empty() ? IOStatus::OK() : AddTimestampRecord(payload);
}

IOStatus Writer::AddTimestampRecord(const std::string& payload) {
  const bool was_empty = empty();
  const size_t frame = header_size_ + payload.size();
  assert(frame <= kBlockSize);  // It is never cut.
  ReserveFor(kBlockSize + frame);
  char* out = buffer_.get();
  if (const size_t room = kBlockSize - block_offset_; room < frame) {
    std::memset(out, 0, room);
    out += room;
    block_offset_ = 0;
  }
  EncodeFixed16(out + 4, static_cast<uint16_t>(payload.size()));
  out[6] = static_cast<char>(recycle_ ? RecordType::kRecyclableTimestampSizes
                                      : RecordType::kTimestampSizes);
  if (recycle_) EncodeFixed32(out + 7, static_cast<uint32_t>(log_number_));
  // Bytes, not text. NOLINTNEXTLINE(bugprone-not-null-terminated-result)
  std::memcpy(out + header_size_, payload.data(), payload.size());
  EncodeFixed32(out, Checksum(out + 6, frame - 6));
  block_offset_ += frame;
  IOStatus status =
      AppendFrames(static_cast<size_t>(out + frame - buffer_.get()));
  if (was_empty) special_bytes_ = FileSize();
  return status;
}

IOStatus Writer::AppendFrames(size_t size) {
  assert(size <= buffer_capacity_.load(std::memory_order_relaxed));
  const Slice frames(buffer_.get(), size);
  // A failure sticks to the file: every later call returns it again.
  IOStatus status =
      manual_flush_ ? file_->Append(frames) : file_->AppendAndFlush(frames);
  if (buffer_capacity_.load(std::memory_order_relaxed) > kBufferSizeKept) {
    buffer_.reset();
    buffer_capacity_.store(0, std::memory_order_relaxed);
  }
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine::wal
