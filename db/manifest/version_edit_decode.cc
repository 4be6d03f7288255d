#include <string>
#include <utility>

#include "db/format/file_names.h"
#include "db/manifest/version_edit.h"
#include "db/manifest/version_edit_tags.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// Reads one record. The first thing that does not decode is remembered with
// its place; everything after it is skipped by the callers' early returns.
class Decoder {
 public:
  Decoder(const Slice& record, VersionEdit* edit)
      : record_(record), input_(record), edit_(edit) {}

  Status Run();

 private:
  bool Field(uint32_t tag);
  bool GlobalField(EditTag tag);
  bool FamilyField(EditTag tag);
  bool FileField(EditTag tag);
  bool ExtensionField(EditTag tag);

  bool Number(std::optional<uint64_t>* v, const char* what);
  bool Number32(uint32_t* v, const char* what);
  bool Number64(uint64_t* v, const char* what);
  bool String(std::string* v, const char* what);
  bool Text(std::optional<std::string>* v, const char* what);
  bool Level(int* level);
  bool Key(InternalKey* key, const char* what);

  bool ReadNewFile(EditTag tag);
  bool CustomFields(FileFacts* facts);
  bool CustomField(uint32_t tag, Slice value, FileFacts* facts);
  bool CustomNumber(Slice value, uint64_t* v, const char* what);
  bool BlobAddition();
  bool BlobGarbage();
  bool BlobCustomFields();
  bool WalAdditionBody(Slice* body);
  bool WalDeletionBody(Slice* body);
  bool Body(Slice* body, const char* what);
  bool BodyNumber(Slice* body, std::optional<uint64_t>* v, const char* what);

  // Always false.
  bool Fail(const std::string& what);

  const Slice record_;
  Slice input_;
  VersionEdit* const edit_;
  uint32_t tag_ = 0;
  std::string error_;
};

bool Decoder::Fail(const std::string& what) {
  if (error_.empty()) {
    error_ = "tag " + std::to_string(tag_) + " at byte " +
             std::to_string(record_.size() - input_.size()) + " of " +
             std::to_string(record_.size()) + ": " + what;
  }
  return false;
}

Status Decoder::Run() {
  while (!input_.empty()) {
    tag_ = 0;
    if (!GetVarint32(&input_, &tag_)) {
      Fail("expected a tag");
      break;
    }
    if (!Field(tag_)) break;
  }
  if (error_.empty()) return Status::OK();
  return Status::Corruption("VersionEdit", error_);
}

bool Decoder::Number64(uint64_t* v, const char* what) {
  return GetVarint64(&input_, v) ||
         Fail(std::string("expected ") + what + " (varint64)");
}

bool Decoder::Number32(uint32_t* v, const char* what) {
  return GetVarint32(&input_, v) ||
         Fail(std::string("expected ") + what + " (varint32)");
}

bool Decoder::Number(std::optional<uint64_t>* v, const char* what) {
  uint64_t n = 0;
  if (!Number64(&n, what)) return false;
  *v = n;
  return true;
}

bool Decoder::String(std::string* v, const char* what) {
  Slice s;
  if (!GetLengthPrefixedSlice(&input_, &s)) {
    return Fail(std::string("expected ") + what + " (length and bytes)");
  }
  v->assign(s.data(), s.size());
  return true;
}

bool Decoder::Text(std::optional<std::string>* v, const char* what) {
  std::string s;
  if (!String(&s, what)) return false;
  *v = std::move(s);
  return true;
}

bool Decoder::Level(int* level) {
  uint32_t v = 0;
  if (!Number32(&v, "a level")) return false;
  if (v >= kLevelsMax) {
    return Fail("expected a level below " + std::to_string(kLevelsMax) +
                ", found " + std::to_string(v));
  }
  *level = static_cast<int>(v);
  return true;
}

bool Decoder::Key(InternalKey* key, const char* what) {
  Slice s;
  if (!GetLengthPrefixedSlice(&input_, &s)) {
    return Fail(std::string("expected ") + what + " (length and bytes)");
  }
  if (s.size() < kTrailerSize) {
    return Fail(std::string("expected ") + what + " of at least 8 bytes, " +
                "found " + std::to_string(s.size()));
  }
  // Boundaries are never batch-only types; 0x0f is a range tombstone's.
  const ValueType type = ExtractType(s);
  if (!IsStoredPointType(type) && type != ValueType::kRangeDeletion) {
    return Fail(std::string("expected ") + what + " of a known type, found " +
                "type " + std::to_string(static_cast<int>(type)));
  }
  key->DecodeFrom(s);
  return true;
}

bool Decoder::Body(Slice* body, const char* what) {
  return GetLengthPrefixedSlice(&input_, body) ||
         Fail(std::string("expected ") + what + " (length and bytes)");
}

bool Decoder::BodyNumber(Slice* body, std::optional<uint64_t>* v,
                         const char* what) {
  uint64_t n = 0;
  if (!GetVarint64(body, &n)) return Fail(std::string("expected ") + what);
  *v = n;
  return true;
}

bool Decoder::Field(uint32_t raw) {
  const EditTag tag = static_cast<EditTag>(raw);
  switch (tag) {
    case EditTag::kLogNumber:
    case EditTag::kPrevLogNumber:
    case EditTag::kNextFileNumber:
    case EditTag::kLastSequence:
    case EditTag::kMinLogNumberToKeep:
    case EditTag::kMaxColumnFamily:
    case EditTag::kDbId:
      return GlobalField(tag);
    case EditTag::kComparator:
    case EditTag::kColumnFamily:
    case EditTag::kColumnFamilyAdd:
    case EditTag::kColumnFamilyDrop:
    case EditTag::kInAtomicGroup:
    case EditTag::kFullHistoryTsLow:
      return FamilyField(tag);
    case EditTag::kCompactCursor:
    case EditTag::kDeletedFile:
    case EditTag::kNewFile:
    case EditTag::kNewFile2:
    case EditTag::kNewFile3:
    case EditTag::kNewFile4:
      return FileField(tag);
    case EditTag::kBlobAddition:
    case EditTag::kOldBlobAddition:
      return BlobAddition();
    case EditTag::kBlobGarbage:
    case EditTag::kOldBlobGarbage:
      return BlobGarbage();
    default:
      return ExtensionField(tag);
  }
}

bool Decoder::GlobalField(EditTag tag) {
  switch (tag) {
    case EditTag::kLogNumber:
      return Number(&edit_->log_number, "a log number");
    case EditTag::kPrevLogNumber:
      return Number(&edit_->prev_log_number, "a log number");
    case EditTag::kNextFileNumber:
      return Number(&edit_->next_file_number, "a file number");
    case EditTag::kLastSequence:
      return Number(&edit_->last_sequence, "a sequence number");
    case EditTag::kMinLogNumberToKeep:
      return Number(&edit_->min_log_number_to_keep, "a log number");
    case EditTag::kDbId:
      return Text(&edit_->db_id, "a database id");
    default: {
      uint32_t id = 0;
      if (!Number32(&id, "a column family id")) return false;
      edit_->max_column_family = id;
      return true;
    }
  }
}

bool Decoder::FamilyField(EditTag tag) {
  switch (tag) {
    case EditTag::kComparator:
      return Text(&edit_->comparator_name, "a comparator name");
    case EditTag::kColumnFamily:
      return Number32(&edit_->column_family, "a column family id");
    case EditTag::kColumnFamilyAdd:
      return Text(&edit_->added_family, "a column family name");
    case EditTag::kColumnFamilyDrop:
      edit_->drops_family = true;
      return true;
    case EditTag::kInAtomicGroup: {
      uint32_t remaining = 0;
      if (!Number32(&remaining, "the rest of an atomic group")) return false;
      edit_->atomic_group_remaining = remaining;
      return true;
    }
    default: {
      std::string timestamp;
      if (!String(&timestamp, "a timestamp")) return false;
      if (timestamp.empty()) return Fail("expected a timestamp, found none");
      edit_->full_history_ts_low = std::move(timestamp);
      return true;
    }
  }
}

bool Decoder::FileField(EditTag tag) {
  if (tag == EditTag::kCompactCursor) {
    CompactCursor cursor;
    if (!Level(&cursor.level) || !Key(&cursor.key, "a compaction cursor")) {
      return false;
    }
    edit_->compact_cursors.push_back(std::move(cursor));
    return true;
  }
  if (tag == EditTag::kDeletedFile) {
    DeletedFile file;
    if (!Level(&file.level) || !Number64(&file.number, "a file number")) {
      return false;
    }
    edit_->deleted_files.push_back(file);
    return true;
  }
  return ReadNewFile(tag);
}

bool Decoder::ReadNewFile(EditTag tag) {
  NewFile added;
  FileFacts facts;
  bool ok = Level(&added.level) && Number64(&facts.number, "a file number");
  if (ok && tag == EditTag::kNewFile3) ok = Number32(&facts.path_id, "a path");
  ok = ok && Number64(&facts.size, "a file size") &&
       Key(&facts.smallest, "the smallest key") &&
       Key(&facts.largest, "the largest key");
  if (ok && tag != EditTag::kNewFile) {
    ok = Number64(&facts.smallest_sequence, "the smallest sequence") &&
         Number64(&facts.largest_sequence, "the largest sequence");
  }
  if (ok && tag == EditTag::kNewFile4) ok = CustomFields(&facts);
  if (ok && facts.path_id >= kPathsMax) {
    ok = Fail("expected a path id below 4, found " +
              std::to_string(facts.path_id));
  }
  if (!ok) return false;
  added.file = std::make_shared<FileMetaData>(std::move(facts));
  edit_->new_files.push_back(std::move(added));
  return true;
}

bool Decoder::CustomFields(FileFacts* facts) {
  for (;;) {
    uint32_t tag = 0;
    if (!Number32(&tag, "a custom field of a file")) return false;
    if (tag == static_cast<uint32_t>(FileTag::kTerminate)) return true;
    Slice value;
    if (!Body(&value, "the value of a custom field")) return false;
    if (!CustomField(tag, value, facts)) return false;
  }
}

bool Decoder::CustomNumber(Slice value, uint64_t* v, const char* what) {
  if (GetVarint64(&value, v) && value.empty()) return true;
  return Fail(std::string("expected ") + what + " (one varint64)");
}

bool Decoder::CustomField(uint32_t tag, Slice value, FileFacts* f) {
  switch (static_cast<FileTag>(tag)) {
    case FileTag::kNeedCompaction:
      if (value.size() != 1) return Fail("expected one byte in custom field 2");
      f->marked_for_compaction = value[0] == 1;
      return true;
    case FileTag::kMinLogNumberToKeep:
      if (value.size() != 8) return Fail("expected 8 bytes in custom field 3");
      // A copy of tag 10; counts when an old peer wrote only this one.
      if (!edit_->min_log_number_to_keep.has_value()) {
        edit_->min_log_number_to_keep = DecodeFixed64(value.data());
      }
      return true;
    case FileTag::kOldestBlobFile:
      return CustomNumber(value, &f->oldest_blob_file, "a blob file number");
    case FileTag::kOldestAncestorTime:
      return CustomNumber(value, &f->oldest_ancestor_time_secs, "a time");
    case FileTag::kFileCreationTime:
      return CustomNumber(value, &f->creation_time_secs, "a time");
    case FileTag::kChecksum:
      f->checksum = value.ToString();
      return true;
    case FileTag::kChecksumFunction:
      f->checksum_function = value.ToString();
      return true;
    case FileTag::kTemperature:
      if (value.size() != 1) return Fail("expected one byte of temperature");
      f->temperature = static_cast<Temperature>(value[0]);
      return true;
    case FileTag::kMinTimestamp:
      f->min_timestamp = value.ToString();
      return true;
    case FileTag::kMaxTimestamp:
      f->max_timestamp = value.ToString();
      return true;
    case FileTag::kUniqueId:
      if (value.size() != 16) return Fail("expected 16 bytes of unique id");
      f->unique_id[0] = DecodeFixed64(value.data());
      f->unique_id[1] = DecodeFixed64(value.data() + 8);
      return true;
    case FileTag::kEpochNumber:
      return CustomNumber(value, &f->epoch, "an epoch");
    case FileTag::kRangeDeletionBytes:
      return CustomNumber(value, &f->range_deletion_bytes, "a size");
    case FileTag::kTailBytes:
      return CustomNumber(value, &f->tail_bytes, "a size");
    case FileTag::kTimestampsPersisted:
      if (value.size() != 1)
        return Fail("expected one byte in custom field 16");
      f->timestamps_persisted = value[0] != 0;
      return true;
    case FileTag::kOpenMetadata:
      f->open_metadata = value.ToString();
      return true;
    case FileTag::kPathId:
      if (value.size() != 1) return Fail("expected one byte of path id");
      f->path_id = static_cast<uint8_t>(value[0]);
      return true;
    default:
      // What must be understood carries the bit; the rest may be skipped.
      return (tag & kMandatoryFileTag) == 0 ||
             Fail("expected a known custom field, found " +
                  std::to_string(tag));
  }
}

bool Decoder::BlobCustomFields() {
  for (;;) {
    uint32_t tag = 0;
    if (!Number32(&tag, "a custom field of a blob file")) return false;
    if (tag == 0) return true;
    Slice value;
    if (!Body(&value, "the value of a custom field")) return false;
    if ((tag & kMandatoryFileTag) != 0) {
      return Fail("expected a known custom field, found " +
                  std::to_string(tag));
    }
  }
}

bool Decoder::BlobAddition() {
  BlobFileAddition b;
  if (!Number64(&b.number, "a blob file number") ||
      !Number64(&b.blob_count, "a blob count") ||
      !Number64(&b.blob_bytes, "blob bytes") ||
      !String(&b.checksum_method, "a checksum method") ||
      !String(&b.checksum_value, "a checksum") || !BlobCustomFields()) {
    return false;
  }
  edit_->blob_additions.push_back(std::move(b));
  return true;
}

bool Decoder::BlobGarbage() {
  BlobFileGarbage b;
  if (!Number64(&b.number, "a blob file number") ||
      !Number64(&b.blob_count, "a blob count") ||
      !Number64(&b.blob_bytes, "blob bytes") || !BlobCustomFields()) {
    return false;
  }
  edit_->blob_garbage.push_back(b);
  return true;
}

bool Decoder::WalAdditionBody(Slice* body) {
  WalAddition wal;
  if (!GetVarint64(body, &wal.number)) return Fail("expected a log number");
  for (;;) {
    uint32_t tag = 0;
    if (!GetVarint32(body, &tag)) return Fail("expected a tag of a log");
    if (tag == kWalTerminate) break;
    uint64_t bytes = 0;
    if (tag != kWalSyncedSize || !GetVarint64(body, &bytes)) {
      return Fail("expected the synced size of a log, found tag " +
                  std::to_string(tag));
    }
    wal.synced_bytes = bytes;
  }
  edit_->wal_additions.push_back(wal);
  return true;
}

bool Decoder::WalDeletionBody(Slice* body) {
  uint64_t number = 0;
  if (!GetVarint64(body, &number)) return Fail("expected a log number");
  edit_->wals_deleted_below = number;
  return true;
}

bool Decoder::ExtensionField(EditTag tag) {
  // The two forms without a length in front.
  if (tag == EditTag::kOldWalAddition) return WalAdditionBody(&input_);
  if (tag == EditTag::kOldWalDeletion) return WalDeletionBody(&input_);
  if ((static_cast<uint32_t>(tag) & kIgnorableEditTag) == 0) {
    return Fail("expected a known tag");
  }
  Slice body;
  if (!Body(&body, "the body of an extension")) return false;
  switch (tag) {
    case EditTag::kWalAddition:
      return WalAdditionBody(&body);
    case EditTag::kWalDeletion:
      return WalDeletionBody(&body);
    case EditTag::kPersistTimestamps:
      if (body.size() != 1) return Fail("expected one byte");
      edit_->persist_timestamps = body[0] == 1;
      return true;
    case EditTag::kRewrittenBytes:
      return BodyNumber(&body, &edit_->manifest_rewritten_bytes, "a size");
    case EditTag::kBatchOffset:
      return BodyNumber(&body, &edit_->batch_offset, "an offset");
    default:
      return true;  // Newer than us; made to be skipped.
  }
}

}  // namespace

Status VersionEdit::DecodeFrom(const Slice& record) {
  *this = VersionEdit();
  return Decoder(record, this).Run();
}

std::optional<uint64_t> VersionEdit::BatchOffsetOf(const Slice& record) {
  Slice input = record;
  uint32_t tag = 0;
  Slice body;
  uint64_t offset = 0;
  if (!GetVarint32(&input, &tag) ||
      static_cast<EditTag>(tag) != EditTag::kBatchOffset ||
      !GetLengthPrefixedSlice(&input, &body) || !GetVarint64(&body, &offset)) {
    return std::nullopt;
  }
  return offset;
}

}  // namespace ROCKSDB_NAMESPACE::engine
