#include "db/manifest/version_edit.h"

#include <utility>

#include "db/manifest/version_edit_tags.h"
#include "table/timestamps.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

void PutTag(std::string* dst, EditTag tag) {
  PutVarint32(dst, static_cast<uint32_t>(tag));
}

void PutTagAndNumber(std::string* dst, EditTag tag,
                     const std::optional<uint64_t>& v) {
  if (!v.has_value()) return;
  PutTag(dst, tag);
  PutVarint64(dst, *v);
}

// As an ignorable tag wants it.
void PutTagAndBody(std::string* dst, EditTag tag,
                   const std::optional<uint64_t>& v) {
  if (!v.has_value()) return;
  std::string body;
  PutVarint64(&body, *v);
  PutTag(dst, tag);
  PutLengthPrefixedSlice(dst, body);
}

void PutTagAndString(std::string* dst, EditTag tag,
                     const std::optional<std::string>& v) {
  if (!v.has_value()) return;
  PutTag(dst, tag);
  PutLengthPrefixedSlice(dst, *v);
}

void PutCustom(std::string* dst, FileTag tag, const Slice& value) {
  PutVarint32(dst, static_cast<uint32_t>(tag));
  PutLengthPrefixedSlice(dst, value);
}

void PutCustomByte(std::string* dst, FileTag tag, uint8_t value) {
  const char byte = static_cast<char>(value);
  PutCustom(dst, tag, Slice(&byte, 1));
}

void PutCustomVarint(std::string* dst, FileTag tag, uint64_t value) {
  char buffer[kVarint64SizeMax];
  const char* end = EncodeVarint64(buffer, value);
  PutCustom(dst, tag, Slice(buffer, static_cast<size_t>(end - buffer)));
}

void PutCustomNumberIf(std::string* dst, FileTag tag, uint64_t value) {
  if (value != 0) PutCustomVarint(dst, tag, value);
}

void PutCustomStringIf(std::string* dst, FileTag tag,
                       const std::string& value) {
  if (!value.empty()) PutCustom(dst, tag, value);
}

void EncodeCustomFields(const FileMetaData& f,
                        const std::optional<uint64_t>& min_log_number,
                        std::string* dst) {
  PutCustomVarint(dst, FileTag::kOldestAncestorTime,
                  f.oldest_ancestor_time_secs);
  PutCustomVarint(dst, FileTag::kFileCreationTime, f.creation_time_secs);
  PutCustomNumberIf(dst, FileTag::kEpochNumber, f.epoch);
  if (!f.checksum_function.empty()) {
    PutCustom(dst, FileTag::kChecksum, f.checksum);
    PutCustom(dst, FileTag::kChecksumFunction, f.checksum_function);
  }
  if (f.path_id != 0) {
    PutCustomByte(dst, FileTag::kPathId, static_cast<uint8_t>(f.path_id));
  }
  if (f.temperature != Temperature::kUnknown) {
    PutCustomByte(dst, FileTag::kTemperature,
                  static_cast<uint8_t>(f.temperature));
  }
  if (f.marked_for_compaction) PutCustomByte(dst, FileTag::kNeedCompaction, 1);
  if (min_log_number.has_value()) {
    char buffer[8];
    EncodeFixed64(buffer, *min_log_number);
    PutCustom(dst, FileTag::kMinLogNumberToKeep, Slice(buffer, 8));
  }
  PutCustomNumberIf(dst, FileTag::kOldestBlobFile, f.oldest_blob_file);
  PutCustomStringIf(dst, FileTag::kUniqueId, f.UniqueIdBytes());
  PutCustomNumberIf(dst, FileTag::kRangeDeletionBytes, f.range_deletion_bytes);
  PutCustomNumberIf(dst, FileTag::kTailBytes, f.tail_bytes);
  if (!f.timestamps_persisted) {
    PutCustomByte(dst, FileTag::kTimestampsPersisted, 0);
  }
  PutCustomStringIf(dst, FileTag::kMinTimestamp, f.min_timestamp);
  PutCustomStringIf(dst, FileTag::kMaxTimestamp, f.max_timestamp);
  PutCustomStringIf(dst, FileTag::kOpenMetadata, f.open_metadata);
  PutVarint32(dst, static_cast<uint32_t>(FileTag::kTerminate));
}

void PutBoundary(const FileMetaData& f, const InternalKey& key,
                 std::string* dst) {
  if (f.boundary_padding == 0) {
    PutLengthPrefixedSlice(dst, key.Encode());
    return;
  }
  std::string bare =
      StripTimestamp(key.user_key(), f.boundary_padding).ToString();
  PutFixed64(&bare, ExtractTrailer(key.Encode()));
  PutLengthPrefixedSlice(dst, bare);
}

void EncodeNewFile(const NewFile& added,
                   const std::optional<uint64_t>& min_log_number,
                   std::string* dst) {
  const FileMetaData& f = *added.file;
  PutTag(dst, EditTag::kNewFile4);
  PutVarint32(dst, static_cast<uint32_t>(added.level));
  PutVarint64(dst, f.number);
  PutVarint64(dst, f.size);
  PutBoundary(f, f.smallest, dst);
  PutBoundary(f, f.largest, dst);
  PutVarint64(dst, f.smallest_sequence);
  PutVarint64(dst, f.largest_sequence);
  EncodeCustomFields(f, min_log_number, dst);
}

void EncodeBlobFiles(const VersionEdit& edit, std::string* dst) {
  // Blob entries end their (empty) list of custom fields with a zero.
  for (const BlobFileAddition& b : edit.blob_additions) {
    PutTag(dst, EditTag::kBlobAddition);
    PutVarint64(dst, b.number);
    PutVarint64(dst, b.blob_count);
    PutVarint64(dst, b.blob_bytes);
    PutLengthPrefixedSlice(dst, b.checksum_method);
    PutLengthPrefixedSlice(dst, b.checksum_value);
    PutVarint32(dst, 0);
  }
  for (const BlobFileGarbage& b : edit.blob_garbage) {
    PutTag(dst, EditTag::kBlobGarbage);
    PutVarint64(dst, b.number);
    PutVarint64(dst, b.blob_count);
    PutVarint64(dst, b.blob_bytes);
    PutVarint32(dst, 0);
  }
}

void EncodeWals(const VersionEdit& edit, std::string* dst) {
  for (const WalAddition& wal : edit.wal_additions) {
    std::string body;
    PutVarint64(&body, wal.number);
    if (wal.synced_bytes.has_value()) {
      PutVarint32(&body, kWalSyncedSize);
      PutVarint64(&body, *wal.synced_bytes);
    }
    PutVarint32(&body, kWalTerminate);
    PutTag(dst, EditTag::kWalAddition);
    PutLengthPrefixedSlice(dst, body);
  }
  if (edit.wals_deleted_below.has_value()) {
    std::string body;
    PutVarint64(&body, *edit.wals_deleted_below);
    PutTag(dst, EditTag::kWalDeletion);
    PutLengthPrefixedSlice(dst, body);
  }
}

void EncodeFamily(const VersionEdit& edit, std::string* dst) {
  if (edit.column_family != 0) {
    PutTag(dst, EditTag::kColumnFamily);
    PutVarint32(dst, edit.column_family);
  }
  PutTagAndString(dst, EditTag::kColumnFamilyAdd, edit.added_family);
  if (edit.drops_family) PutTag(dst, EditTag::kColumnFamilyDrop);
}

}  // namespace

void VersionEdit::EncodeTo(std::string* dst) const {
  PutTagAndBody(dst, EditTag::kBatchOffset, batch_offset);
  PutTagAndString(dst, EditTag::kDbId, db_id);
  PutTagAndString(dst, EditTag::kComparator, comparator_name);
  PutTagAndNumber(dst, EditTag::kLogNumber, log_number);
  PutTagAndNumber(dst, EditTag::kPrevLogNumber, prev_log_number);
  PutTagAndNumber(dst, EditTag::kNextFileNumber, next_file_number);
  if (max_column_family.has_value()) {
    PutTag(dst, EditTag::kMaxColumnFamily);
    PutVarint32(dst, *max_column_family);
  }
  PutTagAndNumber(dst, EditTag::kMinLogNumberToKeep, min_log_number_to_keep);
  PutTagAndNumber(dst, EditTag::kLastSequence, last_sequence);
  for (const CompactCursor& cursor : compact_cursors) {
    PutTag(dst, EditTag::kCompactCursor);
    PutVarint32(dst, static_cast<uint32_t>(cursor.level));
    PutLengthPrefixedSlice(dst, cursor.key.Encode());
  }
  for (const DeletedFile& file : deleted_files) {
    PutTag(dst, EditTag::kDeletedFile);
    PutVarint32(dst, static_cast<uint32_t>(file.level));
    PutVarint64(dst, file.number);
  }
  // The first new file carries a copy of the minimum log number, for peers
  // that only know it there.
  bool first = true;
  for (const NewFile& file : new_files) {
    EncodeNewFile(file, first ? min_log_number_to_keep : std::nullopt, dst);
    first = false;
  }
  EncodeBlobFiles(*this, dst);
  EncodeWals(*this, dst);
  EncodeFamily(*this, dst);
  if (atomic_group_remaining.has_value()) {
    PutTag(dst, EditTag::kInAtomicGroup);
    PutVarint32(dst, *atomic_group_remaining);
  }
  PutTagAndString(dst, EditTag::kFullHistoryTsLow, full_history_ts_low);
  if (persist_timestamps.has_value()) {
    const char byte = *persist_timestamps ? 1 : 0;
    PutTag(dst, EditTag::kPersistTimestamps);
    PutLengthPrefixedSlice(dst, Slice(&byte, 1));
  }
  PutTagAndBody(dst, EditTag::kRewrittenBytes, manifest_rewritten_bytes);
}

}  // namespace ROCKSDB_NAMESPACE::engine
