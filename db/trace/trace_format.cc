#include "db/trace/trace_format.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>
#include <vector>

#include "db/write_batch/batch_format.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/version.h"
#include "util/coding.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr size_t kTypeOffset = 8;
constexpr size_t kLengthOffset = 9;
static_assert(kLengthOffset + sizeof(uint32_t) == kTraceRecordHeaderSize);

// No trace takes as long: the timestamp is damaged.
constexpr uint64_t kTraceMicrosMax =
    uint64_t{100} * 366 * 24 * 60 * 60 * 1'000'000;

constexpr char kMagic[] = "feedcafedeadbeef";
constexpr char kVersionLabel[] = "Trace Version: ";
constexpr char kVersion[] = "0.2";

// The numbers of the fields.
enum PayloadField : int {
  kWriteBatch = 1,
  kGetFamily = 2,
  kGetKey = 3,
  kSeekFamily = 4,
  kSeekKey = 5,
  kSeekLower = 6,
  kSeekUpper = 7,
  kMultiGetCount = 8,
  kMultiGetFamilies = 9,
  kMultiGetKeys = 10,
};

constexpr uint64_t Bit(PayloadField field) { return uint64_t{1} << field; }

constexpr uint64_t kWriteFields = Bit(kWriteBatch);
constexpr uint64_t kGetFields = Bit(kGetFamily) | Bit(kGetKey);
constexpr uint64_t kSeekFields = Bit(kSeekFamily) | Bit(kSeekKey);
constexpr uint64_t kSeekBounds = Bit(kSeekLower) | Bit(kSeekUpper);
constexpr uint64_t kMultiGetFields =
    Bit(kMultiGetCount) | Bit(kMultiGetFamilies) | Bit(kMultiGetKeys);

void Begin(uint64_t now, TraceType type, std::string* record) {
  record->clear();
  PutFixed64(record, now);
  record->push_back(type);
  PutFixed32(record, 0);  // Finish() knows it.
  assert(record->size() == kTraceRecordHeaderSize);
}

void BeginQuery(uint64_t now, TraceType type, uint64_t fields,
                std::string* record) {
  Begin(now, type, record);
  PutFixed64(record, fields);
}

// A field of 4 GiB or more makes the whole too large, too.
Status Finish(std::string* record) {
  assert(record->size() >= kTraceRecordHeaderSize);
  const size_t size = record->size() - kTraceRecordHeaderSize;
  if (size > std::numeric_limits<uint32_t>::max()) {
    return Status::InvalidArgument(
        "a trace record has at most 4294967295 bytes",
        "this one has " + std::to_string(size));
  }
  EncodeFixed32(record->data() + kLengthOffset, static_cast<uint32_t>(size));
  return {};
}

}  // namespace

Status EncodeTraceHeader(uint64_t now, std::string* record) {
  Begin(now, kTraceBegin, record);
  record->append(kMagic).append("\t");
  record->append(kVersionLabel).append(kVersion).append("\t");
  record->append("RocksDB Version: " +
                 GetRocksVersionAsString(/*with_patch=*/false) + "\t");
  record->append("Format: Timestamp OpType Payload\n");
  return Finish(record);
}

Status EncodeTraceEnd(uint64_t now, std::string* record) {
  Begin(now, kTraceEnd, record);
  return Finish(record);
}

Status EncodeTracedWrite(uint64_t now, const Slice& batch,
                         std::string* record) {
  BeginQuery(now, kTraceWrite, kWriteFields, record);
  PutLengthPrefixedSlice(record, batch);
  return Finish(record);
}

Status EncodeTracedCommit(uint64_t now, const Slice& batch,
                          const Slice& prepared, std::string* record) {
  assert(batch.size() >= kBatchHeaderSize);
  assert(prepared.size() >= kBatchHeaderSize);
  const uint32_t count = DecodeFixed32(batch.data() + kBatchCountOffset) +
                         DecodeFixed32(prepared.data() + kBatchCountOffset);
  Slice records = prepared;
  records.remove_prefix(kBatchHeaderSize);
  BeginQuery(now, kTraceWrite, kWriteFields, record);
  PutVarint32(record, static_cast<uint32_t>(batch.size() + records.size()));
  const size_t begin = record->size();
  record->append(batch.data(), batch.size());
  record->append(records.data(), records.size());
  EncodeFixed32(record->data() + begin + kBatchCountOffset, count);
  return Finish(record);
}

Status EncodeTracedGet(uint64_t now, uint32_t family, const Slice& key,
                       std::string* record) {
  BeginQuery(now, kTraceGet, kGetFields, record);
  PutFixed32(record, family);
  PutLengthPrefixedSlice(record, key);
  return Finish(record);
}

Status EncodeTracedSeek(uint64_t now, const TracedSeek& seek,
                        std::string* record) {
  uint64_t fields = kSeekFields;
  if (!seek.lower.empty()) fields |= Bit(kSeekLower);
  if (!seek.upper.empty()) fields |= Bit(kSeekUpper);
  BeginQuery(now,
             seek.for_prev ? kTraceIteratorSeekForPrev : kTraceIteratorSeek,
             fields, record);
  PutFixed32(record, seek.family);
  PutLengthPrefixedSlice(record, seek.key);
  if (!seek.lower.empty()) PutLengthPrefixedSlice(record, seek.lower);
  if (!seek.upper.empty()) PutLengthPrefixedSlice(record, seek.upper);
  return Finish(record);
}

Status EncodeTracedMultiGet(uint64_t now, const TracedMultiGet& lookups,
                            std::string* record) {
  BeginQuery(now, kTraceMultiGet, kMultiGetFields, record);
  std::string families;
  std::string keys;
  for (size_t i = 0; i < lookups.count; ++i) {
    PutFixed32(&families, lookups.families[i]);
    PutLengthPrefixedSlice(&keys, lookups.keys[i]);
  }
  PutFixed32(record, static_cast<uint32_t>(lookups.count));
  PutLengthPrefixedSlice(record, families);
  PutLengthPrefixedSlice(record, keys);
  return Finish(record);
}

namespace {

bool IsLookupCaller(TableReaderCaller caller) {
  return caller == kUserGet || caller == kUserMultiGet;
}

bool IsBlockType(TraceType type) {
  return type >= kBlockTraceIndexBlock && type <= kBlockTraceRangeDeletionBlock;
}

void PutFlag(std::string* record, bool flag) {
  record->push_back(flag ? '\1' : '\0');
}

}  // namespace

Status EncodeBlockTraceHeader(uint64_t now, std::string* record) {
  Begin(now, kTraceBegin, record);
  PutLengthPrefixedSlice(record, kMagic);
  PutFixed32(record, ROCKSDB_MAJOR);
  PutFixed32(record, ROCKSDB_MINOR);
  return Finish(record);
}

Status EncodeBlockAccess(const BlockCacheTraceRecord& access,
                         const BlockAccessNames& names, std::string* record) {
  assert(IsBlockType(access.block_type));
  Begin(access.access_timestamp, access.block_type, record);
  PutLengthPrefixedSlice(record, names.block_key);
  PutFixed64(record, access.block_size);
  PutFixed64(record, access.cf_id);
  PutLengthPrefixedSlice(record, names.family);
  PutFixed32(record, access.level);
  PutFixed64(record, access.sst_fd_number);
  record->push_back(access.caller);
  PutFlag(record, access.is_cache_hit);
  PutFlag(record, access.no_insert);
  if (IsLookupCaller(access.caller)) {
    PutFixed64(record, access.get_id);
    PutFlag(record, access.get_from_user_specified_snapshot);
    PutLengthPrefixedSlice(record, names.lookup_key);
    if (access.block_type == kBlockTraceDataBlock) {
      PutFixed64(record, access.referenced_data_size);
      PutFixed64(record, access.num_keys_in_block);
      PutFlag(record, access.referenced_key_exist_in_block);
    }
  }
  return Finish(record);
}

// ------------------------------------------------------------------- decoding

namespace {

Status Damaged(const TraceEntry& entry, const std::string& expected,
               const std::string& found) {
  return Status::Corruption(
      "trace record of type " + std::to_string(static_cast<int>(entry.type)) +
          " at byte " + std::to_string(entry.offset) + ": expected " + expected,
      "found " + found);
}

std::string ByteCount(size_t bytes) { return std::to_string(bytes) + " bytes"; }

// The fields of one payload, in their order.
class FieldReader {
 public:
  explicit FieldReader(const TraceEntry& entry)
      : entry_(entry), rest_(entry.payload) {}

  // Reads which fields there are: all `required` and none besides `optional`.
  Status Open(uint64_t required, uint64_t optional = 0) {
    assert((required & optional) == 0);
    if (!GetFixed64(&rest_, &fields_)) {
      return Damaged(entry_, "8 bytes of field bits", ByteCount(rest_.size()));
    }
    if ((fields_ & required) != required ||
        (fields_ & ~(required | optional)) != 0) {
      return Damaged(entry_,
                     "field bits " + std::to_string(required) + ", or also " +
                         std::to_string(optional),
                     std::to_string(fields_));
    }
    return {};
  }
  bool Has(PayloadField field) const { return (fields_ & Bit(field)) != 0; }

  Status ReadNumber(const char* what, uint32_t* number) {
    if (GetFixed32(&rest_, number)) return {};
    return Damaged(entry_, std::string("4 bytes of ") + what,
                   ByteCount(rest_.size()));
  }
  Status ReadBytes(const char* what, Slice* bytes) {
    if (GetLengthPrefixedSlice(&rest_, bytes)) return {};
    return Damaged(entry_, std::string(what) + " behind its length",
                   ByteCount(rest_.size()) + " for both");
  }
  Status ReadLong(const char* what, uint64_t* number) {
    if (GetFixed64(&rest_, number)) return {};
    return Damaged(entry_, std::string("8 bytes of ") + what,
                   ByteCount(rest_.size()));
  }
  Status ReadByte(const char* what, char* byte) {
    if (rest_.empty()) {
      return Damaged(entry_, std::string("a byte of ") + what, "the end");
    }
    *byte = rest_[0];
    rest_.remove_prefix(1);
    return {};
  }
  Status ReadFlag(const char* what, bool* flag) {
    char byte = 0;
    RETURN_IF_ERROR(ReadByte(what, &byte));
    *flag = byte == 1;
    if (byte == 0 || byte == 1) return {};
    return Damaged(entry_, std::string("0 or 1 for ") + what,
                   std::to_string(static_cast<int>(byte)));
  }
  Status ReadString(const char* what, std::string* text) {
    Slice bytes;
    RETURN_IF_ERROR(ReadBytes(what, &bytes));
    text->assign(bytes.data(), bytes.size());
    return {};
  }
  // An absent field leaves `*bytes` as it is.
  Status ReadOptional(PayloadField field, const char* what, Slice* bytes) {
    return Has(field) ? ReadBytes(what, bytes) : Status();
  }
  Status Close() const {
    if (rest_.empty()) return {};
    return Damaged(entry_, "the end of the record",
                   ByteCount(rest_.size()) + " more");
  }

 private:
  const TraceEntry& entry_;
  Slice rest_;
  uint64_t fields_ = 0;
};

Status ParseWrite(const TraceEntry& entry,
                  std::unique_ptr<TraceRecord>* record) {
  FieldReader reader(entry);
  Slice batch;
  RETURN_IF_ERROR(reader.Open(kWriteFields));
  RETURN_IF_ERROR(reader.ReadBytes("a batch", &batch));
  RETURN_IF_ERROR(reader.Close());
  *record = std::make_unique<WriteQueryTraceRecord>(batch.ToString(),
                                                    entry.timestamp);
  return {};
}

Status ParseGet(const TraceEntry& entry, std::unique_ptr<TraceRecord>* record) {
  FieldReader reader(entry);
  uint32_t family = 0;
  Slice key;
  RETURN_IF_ERROR(reader.Open(kGetFields));
  RETURN_IF_ERROR(reader.ReadNumber("a family", &family));
  RETURN_IF_ERROR(reader.ReadBytes("a key", &key));
  RETURN_IF_ERROR(reader.Close());
  *record = std::make_unique<GetQueryTraceRecord>(family, key.ToString(),
                                                  entry.timestamp);
  return {};
}

Status ParseSeek(const TraceEntry& entry,
                 std::unique_ptr<TraceRecord>* record) {
  FieldReader reader(entry);
  uint32_t family = 0;
  Slice key;
  Slice lower;
  Slice upper;
  RETURN_IF_ERROR(reader.Open(kSeekFields, kSeekBounds));
  RETURN_IF_ERROR(reader.ReadNumber("a family", &family));
  RETURN_IF_ERROR(reader.ReadBytes("a key", &key));
  RETURN_IF_ERROR(reader.ReadOptional(kSeekLower, "a lower bound", &lower));
  RETURN_IF_ERROR(reader.ReadOptional(kSeekUpper, "an upper bound", &upper));
  RETURN_IF_ERROR(reader.Close());
  const auto seek_type =
      static_cast<IteratorSeekQueryTraceRecord::SeekType>(entry.type);
  *record = std::make_unique<IteratorSeekQueryTraceRecord>(
      seek_type, family, key.ToString(), lower.ToString(), upper.ToString(),
      entry.timestamp);
  return {};
}

Status ParseMultiGet(const TraceEntry& entry,
                     std::unique_ptr<TraceRecord>* record) {
  FieldReader reader(entry);
  uint32_t count = 0;
  Slice family_bytes;
  Slice key_bytes;
  RETURN_IF_ERROR(reader.Open(kMultiGetFields));
  RETURN_IF_ERROR(reader.ReadNumber("a count", &count));
  RETURN_IF_ERROR(reader.ReadBytes("families", &family_bytes));
  RETURN_IF_ERROR(reader.ReadBytes("keys", &key_bytes));
  RETURN_IF_ERROR(reader.Close());
  // Bounds the count by bytes that are there.
  if (family_bytes.size() != uint64_t{count} * sizeof(uint32_t)) {
    return Damaged(entry, std::to_string(count) + " families of 4 bytes",
                   ByteCount(family_bytes.size()));
  }
  std::vector<uint32_t> families(count);
  std::vector<std::string> keys(count);
  for (uint32_t i = 0; i < count; ++i) {
    Slice key;
    if (!GetFixed32(&family_bytes, &families[i]) ||
        !GetLengthPrefixedSlice(&key_bytes, &key)) {
      return Damaged(entry, std::to_string(count) + " keys",
                     std::to_string(i) + " whole keys");
    }
    keys[i] = key.ToString();
  }
  if (!key_bytes.empty()) {
    return Damaged(entry, "the end of the keys",
                   ByteCount(key_bytes.size()) + " more");
  }
  *record = std::make_unique<MultiGetQueryTraceRecord>(std::move(families),
                                                       keys, entry.timestamp);
  return {};
}

}  // namespace

uint32_t TracePayloadSize(const char* record) {
  return DecodeFixed32(record + kLengthOffset);
}

bool IsTraceType(char type) { return type > kTraceNone && type < kTraceMax; }

Status ParseTraceRecord(const Slice& record, uint64_t offset,
                        TraceEntry* entry) {
  entry->offset = offset;
  if (record.size() < kTraceRecordHeaderSize) {
    return Damaged(*entry, ByteCount(kTraceRecordHeaderSize) + " or more",
                   ByteCount(record.size()));
  }
  entry->timestamp = DecodeFixed64(record.data());
  entry->type = static_cast<TraceType>(record[kTypeOffset]);
  entry->payload = record;
  entry->payload.remove_prefix(kTraceRecordHeaderSize);
  const uint32_t size = TracePayloadSize(record.data());
  if (entry->payload.size() != size) {
    return Damaged(*entry, "a payload of " + ByteCount(size),
                   ByteCount(entry->payload.size()));
  }
  return {};
}

Status ParseTraceHeader(const TraceEntry& entry) {
  if (entry.type != kTraceBegin) {
    return Damaged(entry, "the header of a trace", "another type");
  }
  Slice text = entry.payload;
  const Slice magic(kMagic);
  if (!text.starts_with(magic)) {
    return Damaged(entry, std::string("the text ") + kMagic,
                   "'" +
                       Slice(text.data(), std::min(text.size(), magic.size()))
                           .ToString(/*hex=*/true) +
                       "' (hexadecimal)");
  }
  const std::string labelled = std::string("\t") + kVersionLabel;
  text.remove_prefix(magic.size());
  if (!text.starts_with(labelled)) {
    return Damaged(entry, "a version of the trace", ByteCount(text.size()));
  }
  text.remove_prefix(labelled.size());
  const std::string all = text.ToString();
  const std::string version = all.substr(0, all.find('\t'));
  if (version == kVersion) return {};
  return Status::NotSupported(
      std::string("traces of version ") + kVersion + " can be read",
      "this one has version '" + version + "'");
}

Status ParseTracedQuery(const TraceEntry& entry,
                        std::unique_ptr<TraceRecord>* record) {
  switch (entry.type) {
    case kTraceWrite:
      return ParseWrite(entry, record);
    case kTraceGet:
      return ParseGet(entry, record);
    case kTraceIteratorSeek:
    case kTraceIteratorSeekForPrev:
      return ParseSeek(entry, record);
    case kTraceMultiGet:
      return ParseMultiGet(entry, record);
    case kTraceBegin:
    case kTraceEnd:
    case kTraceNone:
    case kBlockTraceIndexBlock:
    case kBlockTraceFilterBlock:
    case kBlockTraceDataBlock:
    case kBlockTraceUncompressionDictBlock:
    case kBlockTraceRangeDeletionBlock:
    case kIOTracer:
    case kTraceMax:
      break;
  }
  return Status::NotSupported(
      "trace record at byte " + std::to_string(entry.offset),
      "its type " + std::to_string(static_cast<int>(entry.type)) +
          " is not that of a query");
}

Status CheckTraceTime(const TraceEntry& entry, uint64_t header_micros) {
  if (entry.timestamp <= header_micros ||
      entry.timestamp - header_micros <= kTraceMicrosMax) {
    return {};
  }
  return Damaged(entry,
                 "a time of at most 100 years after the header, " +
                     std::to_string(header_micros),
                 std::to_string(entry.timestamp));
}

namespace {

Status ReadLookup(FieldReader* reader, BlockCacheTraceRecord* access) {
  RETURN_IF_ERROR(reader->ReadLong("a call", &access->get_id));
  RETURN_IF_ERROR(reader->ReadFlag("a snapshot",
                                   &access->get_from_user_specified_snapshot));
  RETURN_IF_ERROR(
      reader->ReadString("an internal key", &access->referenced_key));
  if (access->block_type != kBlockTraceDataBlock) return {};
  RETURN_IF_ERROR(
      reader->ReadLong("an entry's size", &access->referenced_data_size));
  RETURN_IF_ERROR(
      reader->ReadLong("a number of keys", &access->num_keys_in_block));
  return reader->ReadFlag("the key", &access->referenced_key_exist_in_block);
}

}  // namespace

Status ParseBlockTraceHeader(const TraceEntry& entry) {
  if (entry.type != kTraceBegin) {
    return Damaged(entry, "the header of a trace", "another type");
  }
  FieldReader reader(entry);
  Slice magic;
  uint32_t major = 0;
  uint32_t minor = 0;
  RETURN_IF_ERROR(reader.ReadBytes(kMagic, &magic));
  RETURN_IF_ERROR(reader.ReadNumber("a major version", &major));
  RETURN_IF_ERROR(reader.ReadNumber("a minor version", &minor));
  RETURN_IF_ERROR(reader.Close());
  if (magic == Slice(kMagic)) return {};
  return Damaged(entry, std::string("the text ") + kMagic,
                 "'" + magic.ToString(/*hex=*/true) + "' (hexadecimal)");
}

Status ParseBlockAccess(const TraceEntry& entry,
                        BlockCacheTraceRecord* access) {
  if (!IsBlockType(entry.type)) {
    return Status::NotSupported(
        "trace record at byte " + std::to_string(entry.offset),
        "its type " + std::to_string(static_cast<int>(entry.type)) +
            " is not that of a block");
  }
  access->access_timestamp = entry.timestamp;
  access->block_type = entry.type;
  FieldReader reader(entry);
  char caller = 0;
  RETURN_IF_ERROR(reader.ReadString("a block's key", &access->block_key));
  RETURN_IF_ERROR(reader.ReadLong("a block's size", &access->block_size));
  RETURN_IF_ERROR(reader.ReadLong("a family", &access->cf_id));
  RETURN_IF_ERROR(reader.ReadString("a family's name", &access->cf_name));
  RETURN_IF_ERROR(reader.ReadNumber("a level", &access->level));
  RETURN_IF_ERROR(reader.ReadLong("a table", &access->sst_fd_number));
  RETURN_IF_ERROR(reader.ReadByte("a caller", &caller));
  RETURN_IF_ERROR(reader.ReadFlag("a hit", &access->is_cache_hit));
  RETURN_IF_ERROR(reader.ReadFlag("an insertion", &access->no_insert));
  access->caller = static_cast<TableReaderCaller>(caller);
  if (IsLookupCaller(access->caller)) {
    RETURN_IF_ERROR(ReadLookup(&reader, access));
  }
  return reader.Close();
}

}  // namespace ROCKSDB_NAMESPACE::engine
