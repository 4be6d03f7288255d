// FileMetaData: one table file as the MANIFEST knows it, with the little that
// is remembered about it at run time.
//
// Place. Made by flush, compaction, ingestion and MANIFEST replay; shared by
// edits and by every Version that holds the file.
//
// Model. Life of a file: built -> named by an edit -> held by Versions ->
// removed by an edit (MarkRemoved) -> the last Version lets go -> the
// destructor hands path and number to FileHome::obsolete. A file that moves
// between levels keeps its object.
//
// Invariants:
//   (1) The facts do not change once the file is in a Version.
//   (2) The number reaches the obsolete list only when removed, and only then.
//
// Threads. Facts: any thread. Others as noted at each.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "db/manifest/obsolete_files.h"
#include "rocksdb/slice.h"
#include "rocksdb/types.h"
#include "table/internal_key.h"
#include "table/range_del/tombstone_set.h"

namespace ROCKSDB_NAMESPACE {
class Comparator;
struct TableProperties;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class TableReader;

inline constexpr uint64_t kUnknownEpoch = 0;
inline constexpr uint64_t kFirstEpoch = 1;
inline constexpr uint64_t kUnknownTimeSecs = 0;
inline constexpr uint64_t kNoBlobFile = 0;

// What the MANIFEST says of a file.
struct FileFacts {
  uint64_t number = 0;
  uint64_t size = 0;
  uint32_t path_id = 0;
  InternalKey smallest;
  InternalKey largest;
  SequenceNumber smallest_sequence = 0;
  SequenceNumber largest_sequence = 0;
  uint64_t epoch = kUnknownEpoch;

  // Custom fields; the default means "not written".
  uint64_t oldest_ancestor_time_secs = kUnknownTimeSecs;
  uint64_t creation_time_secs = kUnknownTimeSecs;
  uint64_t oldest_blob_file = kNoBlobFile;
  uint64_t range_deletion_bytes = 0;  // Compensation, tag 14.
  uint64_t tail_bytes = 0;            // Behind the data blocks.
  Temperature temperature = Temperature::kUnknown;
  bool marked_for_compaction = false;
  bool timestamps_persisted = true;
  // Bytes of timestamp that the MANIFEST leaves out of the boundaries and we
  // have put there; not written.
  size_t boundary_padding = 0;
  // Puts them there, when the file's keys have none.
  void PadBoundaries(const Comparator& comparator);
  // Two fixed64; all zero when unknown.
  uint64_t unique_id[2] = {0, 0};
  std::string checksum;
  std::string checksum_function;  // "Unknown" without checksum means none.
  std::string min_timestamp;
  std::string max_timestamp;
  std::string open_metadata;  // Opaque to us; kept when found.

  bool has_unique_id() const { return unique_id[0] != 0 || unique_id[1] != 0; }
  // The 16 bytes as TableReadOptions wants them; empty when unknown.
  std::string UniqueIdBytes() const;
  // Widens the boundaries to hold one more entry. Calls come in key order.
  void AddBoundary(const Slice& internal_key, SequenceNumber sequence);
  // The same for a range deletion; its end is an exclusive bound. In any order.
  void AddBoundary(const InternalKeyComparator& icmp,
                   const RangeTombstone& tombstone);
  bool operator==(const FileFacts& other) const;
};

struct FileMetaData : FileFacts {
  FileMetaData() = default;
  explicit FileMetaData(FileFacts facts) : FileFacts(std::move(facts)) {}
  ~FileMetaData();
  FileMetaData(const FileMetaData&) = delete;
  FileMetaData& operator=(const FileMetaData&) = delete;

  // Input of a running compaction. Guarded by the DB mutex.
  bool being_compacted = false;
  // SuggestCompactRange() named it. Likewise.
  bool suggested = false;

  // How many jobs had made blob garbage when a forced collection with a
  // compaction filter wrote this file. Such collections leave it alone until
  // one more job has. Likewise.
  static constexpr uint64_t kNeverCollected = UINT64_MAX;
  uint64_t collected_after = kNeverCollected;

  // Set before the file enters a Version, and never changed. Known of files
  // that this process has written; of others the MANIFEST tells enough for a
  // guess.
  bool holds_old_versions = false;  // Two entries or more of one user key.
  // Whatever could be dropped of the entries up to here is gone: the file was
  // written when nothing lay below and this was the oldest snapshot.
  SequenceNumber settled_sequence = 0;
  void GuessOldVersions() {
    // Some entries were at the bottom already, some were not.
    holds_old_versions = smallest_sequence == 0 && largest_sequence != 0;
  }
  // Rewriting it with nothing below may drop entries, or could if no snapshot
  // needed them.
  bool HoldsUnsettledGarbage() const {
    return largest_sequence > settled_sequence &&
           (holds_old_versions ||
            num_deletions.load(std::memory_order_relaxed) > 0 ||
            num_range_deletions.load(std::memory_order_relaxed) > 0);
  }

  // From the table's properties, once the table has been opened. Any thread;
  // several may store the same values.
  mutable std::atomic<uint64_t> num_entries{0};
  mutable std::atomic<uint64_t> num_deletions{0};
  mutable std::atomic<uint64_t> num_range_deletions{0};
  mutable std::atomic<uint64_t> raw_key_bytes{0};
  mutable std::atomic<uint64_t> raw_value_bytes{0};
  mutable std::atomic<bool> stats_loaded{false};  // Stored last, with release.
  // An estimate of how many reads have asked the file. Any thread.
  mutable std::atomic<uint64_t> reads_sampled{0};
  void RememberStats(const TableProperties& properties) const;
  // False also as long as the table has not been opened.
  bool KnownWithoutRangeDeletions() const {
    return stats_loaded.load(std::memory_order_acquire) &&
           num_range_deletions.load(std::memory_order_relaxed) == 0;
  }

  // The table kept open for as long as this object lives (max_open_files ==
  // -1). Owned; set once by PinReader. Any thread.
  const TableReader* pinned_reader() const {
    return pinned_reader_.load(std::memory_order_acquire);
  }
  // Keeps `reader` and returns it; if another thread was first, drops `reader`
  // and returns theirs.
  const TableReader* PinReader(std::unique_ptr<TableReader> reader) const;

  // Size for compaction scores: deletions count for the bytes they free.
  uint64_t CompensatedSize() const {
    const uint64_t size_bytes =
        compensated_size_.load(std::memory_order_relaxed);
    return size_bytes != 0 ? size_bytes : size + range_deletion_bytes;
  }
  // `average_value_bytes` over the whole Version.
  void SetCompensatedSize(uint64_t average_value_bytes);

  // Set when the file enters its first Version, or before. Under the DB mutex.
  std::shared_ptr<const FileHome> home;
  // The edit that removed the file is in the MANIFEST. Called under the DB
  // mutex, with a reference held.
  void MarkRemoved() { removed_ = true; }
  bool removed() const { return removed_; }

  // The file enters a Version of the family at `family_home`. Under the DB
  // mutex.
  void Settle(const std::shared_ptr<const FileHome>& family_home);

  // Directory and name; REQUIRES home.
  std::string Path() const;

 private:
  mutable std::atomic<TableReader*> pinned_reader_{nullptr};
  std::atomic<uint64_t> compensated_size_{0};
  bool removed_ = false;
  size_t charged_bytes_ = 0;  // To home->charge_to.
};

using FilePtr = std::shared_ptr<FileMetaData>;

}  // namespace ROCKSDB_NAMESPACE::engine
