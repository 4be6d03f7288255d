// VersionEdit: one MANIFEST record, a change of the database's shape.
//
// Place. Filled by flush, compaction, recovery and column family changes;
// encoded and applied by VersionSet::LogAndApply; decoded by MANIFEST replay
// and `ldb manifest_dump`.
//
// Bytes. Tagged fields in any order, parsed to the end of the record; written
// in the peers' order. A tag with bit 13 set that we do not know is a length
// prefixed string and is skipped; any other unknown tag is corruption. The
// same holds for custom fields of a file with bit 6 as "must be known".
//
// Invariants:
//   (1) Encode(Decode(x)) == x for every record the peers write.
//   (2) Deletions of an edit apply before its additions, so a file moves
//       between levels by one of each.
//
// Threads. A value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/manifest/blob_files.h"
#include "db/manifest/file_metadata.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

struct DeletedFile {
  int level = 0;
  uint64_t number = 0;
  bool operator==(const DeletedFile&) const = default;
};

struct NewFile {
  int level = 0;
  FilePtr file;
};

struct CompactCursor {
  int level = 0;
  InternalKey key;
};

struct WalAddition {
  uint64_t number = 0;
  std::optional<uint64_t> synced_bytes;
};

// Levels beyond this cannot be meant: peers allow far fewer.
inline constexpr uint32_t kLevelsMax = 256;

struct VersionEdit {
  // Whole database.
  std::optional<std::string> db_id;
  std::optional<uint64_t> prev_log_number;
  std::optional<uint64_t> next_file_number;
  std::optional<uint64_t> last_sequence;
  std::optional<uint64_t> min_log_number_to_keep;
  std::optional<uint32_t> max_column_family;
  std::vector<WalAddition> wal_additions;
  std::optional<uint64_t> wals_deleted_below;
  std::optional<uint64_t> manifest_rewritten_bytes;

  // One column family.
  uint32_t column_family = 0;
  std::optional<std::string> comparator_name;
  std::optional<uint64_t> log_number;
  std::optional<std::string> added_family;  // Its name.
  bool drops_family = false;
  std::optional<std::string> full_history_ts_low;
  std::optional<bool> persist_timestamps;
  std::vector<CompactCursor> compact_cursors;
  std::vector<DeletedFile> deleted_files;
  std::vector<NewFile> new_files;
  std::vector<BlobFileAddition> blob_additions;
  std::vector<BlobFileGarbage> blob_garbage;

  // Edits of the same atomic group that follow this one.
  std::optional<uint32_t> atomic_group_remaining;

  // Where in the MANIFEST the records begin that were synced together with
  // this one, unless it is the first of them. The first field of its record.
  std::optional<uint64_t> batch_offset;

  void AddFile(int level, FilePtr file) {
    new_files.push_back({level, std::move(file)});
  }
  void DeleteFile(int level, uint64_t number) {
    deleted_files.push_back({level, number});
  }
  bool ChangesFiles() const {
    return !deleted_files.empty() || !new_files.empty();
  }

  void EncodeTo(std::string* dst) const;
  // `batch_offset` of a record, of which the begin is enough.
  static std::optional<uint64_t> BatchOffsetOf(const Slice& record);
  // Replaces *this. Errors: Corruption naming tag, place in the record,
  // expected and found.
  Status DecodeFrom(const Slice& record);

  // Several lines, for people. `hex`: keys as hexadecimal digits.
  std::string DebugString(bool hex) const;
  // One line.
  std::string DebugJson(int edit_number, bool hex) const;
};

}  // namespace ROCKSDB_NAMESPACE::engine
