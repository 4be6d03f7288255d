#include "db/wal/log_reader.h"

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <utility>

#include "db/wal/zstd_frame.h"
#include "util/coding.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE::engine::wal {
namespace {

// A batch is limited by its 32-bit lengths; what inflates to more is damage.
constexpr size_t kRecordSizeMax = size_t{4} << 30;

bool IsLegacyData(uint8_t type) {
  return type >= static_cast<uint8_t>(RecordType::kFull) &&
         type <= static_cast<uint8_t>(RecordType::kLast);
}

bool IsRecyclableData(uint8_t type) {
  return type >= static_cast<uint8_t>(RecordType::kRecyclableFull) &&
         type <= static_cast<uint8_t>(RecordType::kRecyclableLast);
}

bool HasLongHeader(uint8_t type) {
  return IsRecyclableData(type) ||
         type == static_cast<uint8_t>(RecordType::kRecyclableTimestampSizes) ||
         type == static_cast<uint8_t>(RecordType::kRecyclablePredecessor);
}

bool IsTimestampSizes(RecordType type) {
  return type == RecordType::kTimestampSizes ||
         type == RecordType::kRecyclableTimestampSizes;
}

bool IsSpecial(RecordType type) {
  return type == RecordType::kSetCompression || IsTimestampSizes(type) ||
         type == RecordType::kPredecessor ||
         type == RecordType::kRecyclablePredecessor;
}

std::string Hex32(uint32_t v) {
  char text[16];
  std::snprintf(text, sizeof(text), "0x%08x", v);
  return text;
}

std::string Bytes(uint64_t n) { return std::to_string(n) + " bytes"; }

bool AllZero(const Slice& s) {
  return std::all_of(s.data(), s.data() + s.size(),
                     [](char c) { return c == 0; });
}

}  // namespace

Status Problem::ToStatus(const std::string& file) const {
  if (kind == Kind::kNone || kind == Kind::kOldRecord) return Status::OK();
  if (kind == Kind::kUnreadable) return io_status;
  return Status::Corruption(file, "at offset " + std::to_string(offset) +
                                      ": expected " + expected + ", found " +
                                      found);
}

Reader::Reader(std::unique_ptr<SequentialFileReader> file, uint64_t log_number,
               bool verify_checksums)
    : file_(std::move(file)),
      log_number_(log_number),
      verify_checksums_(verify_checksums),
      block_(new char[kBlockSize]) {}

Reader::~Reader() = default;

ReadResult Reader::ReadRecord(Slice* record) {
  if (ended_) return ReadResult::kEnd;
  problem_ = Problem();
  for (;;) {
    Fragment fragment;
    Step step = NextFragment(&fragment);
    if (step == Step::kFragment) {
      step = IsSpecial(fragment.type) ? ApplySpecial(fragment)
                                      : Join(fragment, record);
      if (step != Step::kDamaged && !open_) resume_offset_ = BufferOffset();
      if (step == Step::kFragment) return ReadResult::kRecord;
    }
    if (step == Step::kDamaged) {
      open_ = false;
      return ReadResult::kDamaged;
    }
    if (step == Step::kEnd) {
      // A record that was begun and not ended is torn, whatever came next.
      if (open_ && problem_.clean()) {
        Torn(open_offset_, "the rest of a record",
             "its first " + Bytes(joined_.size()));
      }
      ended_ = true;
      return ReadResult::kEnd;
    }
  }
}

Status Reader::ReadOn(std::unique_ptr<SequentialFileReader> file) {
  const uint64_t block_start = resume_offset_ / kBlockSize * kBlockSize;
  RETURN_IF_ERROR(file->Skip(block_start));
  file_ = std::move(file);
  buffer_end_ = block_start;
  at_eof_ = false;
  ended_ = false;
  zeros_from_.reset();
  open_ = false;
  joined_.clear();
  problem_ = Problem();
  (void)ReadBlock();
  if (!problem_.io_status.ok()) return problem_.io_status;
  const uint64_t consumed = resume_offset_ - block_start;
  if (buffer_.size() < consumed) {
    return Status::Corruption(file_name(), "expected a log of at least " +
                                               Bytes(resume_offset_) +
                                               ", found " + Bytes(buffer_end_));
  }
  buffer_.remove_prefix(consumed);
  return Status::OK();
}

Reader::Step Reader::Damage(Problem::Kind kind, uint64_t offset,
                            std::string expected, std::string found) {
  assert(kind != Problem::Kind::kNone);
  problem_.kind = kind;
  problem_.offset = offset;
  problem_.expected = std::move(expected);
  problem_.found = std::move(found);
  return Step::kDamaged;
}

Reader::Step Reader::Torn(uint64_t offset, std::string expected,
                          std::string found) {
  Damage(Problem::Kind::kTornTail, offset, std::move(expected),
         std::move(found));
  problem_.dropped_bytes = buffer_.size() + (open_ ? joined_.size() : 0);
  DropBlock();
  return Step::kEnd;
}

void Reader::DropBlock() {
  problem_.dropped_bytes += buffer_.size();
  buffer_.clear();
}

Reader::Step Reader::ReadBlock() {
  buffer_.clear();
  if (at_eof_) return Step::kEnd;
  const IOStatus status = file_->Read(kBlockSize, &buffer_, block_.get());
  if (!status.ok()) {
    buffer_.clear();
    at_eof_ = true;
    Damage(Problem::Kind::kUnreadable, buffer_end_, "a block",
           status.ToString());
    problem_.io_status = status;
    return Step::kEnd;
  }
  assert(buffer_.size() <= kBlockSize);
  buffer_end_ += buffer_.size();
  at_eof_ = buffer_.size() < kBlockSize;
  return buffer_.empty() ? Step::kEnd : Step::kNothing;
}

// Takes the next physical record off the buffer, whatever its type.
Reader::Step Reader::NextFragment(Fragment* fragment) {
  if (buffer_.size() < kLegacyHeaderSize) {
    if (at_eof_ && !buffer_.empty()) {
      return Torn(BufferOffset(), "a record header of 7 bytes",
                  Bytes(buffer_.size()));
    }
    // Else the block's trailer of zeros, or nothing.
    return ReadBlock();
  }

  const uint64_t offset = BufferOffset();
  const size_t length = DecodeFixed16(buffer_.data() + 4);
  const uint8_t type = static_cast<uint8_t>(buffer_[6]);
  const bool recyclable = HasLongHeader(type);
  const size_t header_size =
      recyclable ? kRecyclableHeaderSize : kLegacyHeaderSize;
  if (type == 0 && length == 0) return PassZeros(header_size);
  if (const Step step = CheckBytes(header_size, length);
      step != Step::kFragment) {
    return step;
  }
  if (const Step step = CheckFamily(type, recyclable);
      step != Step::kFragment) {
    return step;
  }

  fragment->type = static_cast<RecordType>(type);
  fragment->offset = offset;
  fragment->payload = Slice(buffer_.data() + header_size, length);
  buffer_.remove_prefix(header_size + length);
  const bool known =
      IsLegacyData(type) || IsRecyclableData(type) || IsSpecial(fragment->type);
  if (!known && type < kIgnorableTypeMin) {
    problem_.dropped_bytes = header_size + length;
    return Damage(Problem::Kind::kBadType, offset, "a known record type",
                  "type " + std::to_string(type));
  }
  assert(BufferOffset() <= buffer_end_);  // (1)
  end_of_good_ = BufferOffset();
  return known ? Step::kFragment : Step::kNothing;
}

// A zero header: preallocated space up to the end of the file. If anything
// follows, part of the log was lost, which must not pass as an end.
Reader::Step Reader::PassZeros(size_t header_size) {
  const uint64_t offset = BufferOffset();
  const bool trailer = !at_eof_ && buffer_.size() < kRecyclableHeaderSize;
  const bool all_zero = AllZero(buffer_);
  if (!all_zero) {
    if (at_eof_) {
      return Torn(offset, "a record header of " + Bytes(header_size),
                  "zeros with other bytes behind them");
    }
    Damage(Problem::Kind::kBadType, offset, "a record header",
           "zeros with other bytes behind them");
    DropBlock();
    return Step::kDamaged;
  }
  if (!trailer && !zeros_from_.has_value()) zeros_from_ = offset;
  buffer_.clear();
  return Step::kNothing;
}

Reader::Step Reader::CheckBytes(size_t header_size, size_t length) {
  const uint64_t offset = BufferOffset();
  if (header_size + length > buffer_.size()) {  // (1)
    std::string expected = "a record of " + Bytes(header_size + length);
    std::string found =
        Bytes(buffer_.size()) + " left in the " + (at_eof_ ? "file" : "block");
    if (at_eof_) return Torn(offset, std::move(expected), std::move(found));
    Damage(Problem::Kind::kBadLength, offset, std::move(expected),
           std::move(found));
    DropBlock();
    return Step::kDamaged;
  }
  if (verify_checksums_) {
    const uint32_t stored = crc32c::Unmask(DecodeFixed32(buffer_.data()));
    const uint32_t actual =
        crc32c::Value(buffer_.data() + 6, header_size - 6 + length);
    if (stored != actual) {  // (2)
      // The length may be what is wrong, so the rest of the block is lost.
      Damage(Problem::Kind::kBadChecksum, offset, "checksum " + Hex32(stored),
             Hex32(actual));
      DropBlock();
      return Step::kDamaged;
    }
  }
  return CheckZeros(header_size + length);
}

// Nothing may follow preallocated space, but for a record of timestamp sizes.
// It is never cut: where it did not fit, the rest of the block is zeros.
Reader::Step Reader::CheckZeros(size_t record_size) {
  const std::optional<uint64_t> zeros_from =
      std::exchange(zeros_from_, std::nullopt);
  if (!zeros_from.has_value()) return Step::kFragment;
  const uint64_t offset = BufferOffset();
  if (IsTimestampSizes(static_cast<RecordType>(buffer_[6])) &&
      offset % kBlockSize == 0 && offset - *zeros_from < record_size) {
    return Step::kFragment;
  }
  return Damage(
      Problem::Kind::kBadType, *zeros_from, "a record header",
      "zeros, and more records from offset " + std::to_string(offset));
}

// Is this record of the file's present life?
Reader::Step Reader::CheckFamily(uint8_t type, bool recyclable) {
  const uint64_t offset = BufferOffset();
  if (recyclable) {
    const uint32_t number = DecodeFixed32(buffer_.data() + kLegacyHeaderSize);
    if (number != static_cast<uint32_t>(log_number_)) {
      Damage(Problem::Kind::kOldRecord, offset,
             "log number " + std::to_string(log_number_),
             std::to_string(number));
      DropBlock();
      at_eof_ = true;
      return Step::kEnd;
    }
  }
  if (!IsLegacyData(type) && !IsRecyclableData(type)) {
    special_recyclable_ |= recyclable;
    return Step::kFragment;
  }
  if (!recyclable_.has_value()) recyclable_ = recyclable;
  if (*recyclable_ == recyclable) return Step::kFragment;
  if (!recyclable) {
    // Recyclable records come over legacy ones when an old log is reused.
    Damage(Problem::Kind::kOldRecord, offset, "a recyclable record",
           "type " + std::to_string(type));
    DropBlock();
    at_eof_ = true;
    return Step::kEnd;
  }
  Damage(Problem::Kind::kBadType, offset, "a legacy record",
         "type " + std::to_string(type));
  DropBlock();
  return Step::kDamaged;
}

Reader::Step Reader::ApplySpecial(const Fragment& fragment) {
  switch (fragment.type) {
    case RecordType::kSetCompression:
      return SetCompression(fragment);
    case RecordType::kTimestampSizes:
    case RecordType::kRecyclableTimestampSizes:
      return AddTimestampSizes(fragment);
    default:
      return SetPredecessor(fragment);
  }
}

Reader::Step Reader::SetCompression(const Fragment& fragment) {
  if (any_record_) {
    return Damage(Problem::Kind::kBadContent, fragment.offset,
                  "a compression record only at the start of the log",
                  "one behind other records");
  }
  any_record_ = true;
  Slice payload = fragment.payload;
  uint32_t type = 0;
  if (!GetFixed32(&payload, &type) || !payload.empty() ||
      type != kLogCompressionZstd) {
    return Damage(Problem::Kind::kBadContent, fragment.offset,
                  "compression type 7 (ZSTD)",
                  "0x" + fragment.payload.ToString(/*hex=*/true));
  }
  compressed_ = true;
  return Step::kNothing;
}

Reader::Step Reader::AddTimestampSizes(const Fragment& fragment) {
  any_record_ = true;
  Slice payload = fragment.payload;
  while (!payload.empty()) {
    uint32_t family = 0;
    uint16_t size = 0;
    const bool whole = GetFixed32(&payload, &family) &&
                       GetFixed16(&payload, &size) && size != 0;
    if (!whole || !timestamp_sizes_.emplace(family, size).second) {
      return Damage(Problem::Kind::kBadContent, fragment.offset,
                    "a timestamp size above 0, once per column family",
                    "0x" + fragment.payload.ToString(/*hex=*/true));
    }
  }
  return Step::kNothing;
}

Reader::Step Reader::SetPredecessor(const Fragment& fragment) {
  any_record_ = true;
  Slice payload = fragment.payload;
  Predecessor p;
  if (!GetFixed64(&payload, &p.log_number) ||
      !GetFixed64(&payload, &p.size_bytes) ||
      !GetFixed64(&payload, &p.last_sequence)) {
    return Damage(Problem::Kind::kBadContent, fragment.offset,
                  "24 bytes about the preceding log",
                  Bytes(fragment.payload.size()));
  }
  predecessor_ = p;
  return Step::kNothing;
}

Reader::Step Reader::Join(const Fragment& fragment, Slice* record) {
  any_record_ = true;
  uint8_t type = static_cast<uint8_t>(fragment.type);
  if (IsRecyclableData(type)) type -= 4;
  const RecordType kind = static_cast<RecordType>(type);
  const bool begins = kind == RecordType::kFull || kind == RecordType::kFirst;
  const bool ends = kind == RecordType::kFull || kind == RecordType::kLast;

  if (begins && open_ && !joined_.empty()) {
    // The new record is good: it is given back for the next call.
    buffer_ = Slice(
        fragment.payload.data() - (recyclable() ? 11 : 7),
        buffer_.size() + fragment.payload.size() + (recyclable() ? 11 : 7));
    problem_.dropped_bytes = joined_.size();
    return Damage(
        Problem::Kind::kOutOfOrder, open_offset_, "the rest of a record",
        "the start of another at offset " + std::to_string(fragment.offset));
  }
  if (!begins && !open_) {
    problem_.dropped_bytes = fragment.payload.size();
    return Damage(Problem::Kind::kOutOfOrder, fragment.offset,
                  "the start of a record", "the middle of one");
  }
  if (begins) {
    open_offset_ = fragment.offset;
    joined_.clear();
  }
  open_ = !ends;
  if (!(begins && ends)) {
    joined_.append(fragment.payload.data(), fragment.payload.size());
  }
  if (!ends) return Step::kNothing;
  last_record_offset_ = open_offset_;
  last_record_end_ = BufferOffset();
  return Finish(begins ? fragment.payload : Slice(joined_), record);
}

Reader::Step Reader::Finish(const Slice& payload, Slice* record) {
  assert(!open_ && last_record_offset_ <= last_record_end_);
  if (!compressed_ || payload.empty()) {
    *record = payload;
    return Step::kFragment;
  }
  const Status status = InflateZstdFrame(payload, kRecordSizeMax, &inflated_);
  if (!status.ok()) {
    problem_.dropped_bytes = payload.size();
    return Damage(Problem::Kind::kBadContent, last_record_offset_,
                  "one ZSTD frame", status.ToString());
  }
  *record = inflated_;
  return Step::kFragment;
}

}  // namespace ROCKSDB_NAMESPACE::engine::wal
