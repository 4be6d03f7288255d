#include "db/manifest/file_metadata.h"

#include <algorithm>
#include <cassert>

#include "db/format/file_names.h"
#include "rocksdb/table_properties.h"
#include "table/table_reader.h"
#include "table/timestamps.h"
#include "util/cache/cache_reservation.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::engine {

std::string FileFacts::UniqueIdBytes() const {
  std::string bytes;
  if (!has_unique_id()) return bytes;
  PutFixed64(&bytes, unique_id[0]);
  PutFixed64(&bytes, unique_id[1]);
  return bytes;
}

void FileFacts::AddBoundary(const Slice& internal_key,
                            SequenceNumber sequence) {
  assert(internal_key.size() >= kTrailerSize);
  assert(sequence <= kSequenceMax);
  if (!smallest.Valid()) {
    smallest.DecodeFrom(internal_key);
    smallest_sequence = sequence;
    largest_sequence = sequence;
  }
  largest.DecodeFrom(internal_key);
  smallest_sequence = std::min(smallest_sequence, sequence);
  largest_sequence = std::max(largest_sequence, sequence);
}

void FileFacts::AddBoundary(const InternalKeyComparator& icmp,
                            const RangeTombstone& tombstone) {
  assert(icmp.CompareUserKey(tombstone.begin, tombstone.end) <= 0);
  const InternalKey begin(tombstone.begin, tombstone.sequence,
                          ValueType::kRangeDeletion);
  const InternalKey end(tombstone.end, kSequenceMax, ValueType::kRangeDeletion);
  if (!smallest.Valid()) {
    smallest_sequence = largest_sequence = tombstone.sequence;
  }
  if (!smallest.Valid() || icmp.Compare(begin, smallest) < 0) smallest = begin;
  if (!largest.Valid() || icmp.Compare(end, largest) > 0) largest = end;
  smallest_sequence = std::min(smallest_sequence, tombstone.sequence);
  largest_sequence = std::max(largest_sequence, tombstone.sequence);
}

void FileFacts::PadBoundaries(const Comparator& comparator) {
  if (timestamps_persisted || boundary_padding > 0) return;
  boundary_padding = comparator.timestamp_size();
  const auto pad = [](InternalKey* key, const std::string& timestamp) {
    std::string padded = key->user_key().ToString() + timestamp;
    PutFixed64(&padded, ExtractTrailer(key->Encode()));
    key->DecodeFrom(padded);
  };
  pad(&smallest, MinTimestampOf(comparator));
  // An exclusive end lies before all versions of its key.
  pad(&largest, IsRangeSentinel(largest.Encode()) ? MaxTimestampOf(comparator)
                                                  : MinTimestampOf(comparator));
}

bool FileFacts::operator==(const FileFacts& o) const {
  return number == o.number && size == o.size && path_id == o.path_id &&
         smallest.Encode() == o.smallest.Encode() &&
         largest.Encode() == o.largest.Encode() &&
         smallest_sequence == o.smallest_sequence &&
         largest_sequence == o.largest_sequence && epoch == o.epoch &&
         oldest_ancestor_time_secs == o.oldest_ancestor_time_secs &&
         creation_time_secs == o.creation_time_secs &&
         oldest_blob_file == o.oldest_blob_file &&
         range_deletion_bytes == o.range_deletion_bytes &&
         tail_bytes == o.tail_bytes && temperature == o.temperature &&
         marked_for_compaction == o.marked_for_compaction &&
         timestamps_persisted == o.timestamps_persisted &&
         unique_id[0] == o.unique_id[0] && unique_id[1] == o.unique_id[1] &&
         checksum == o.checksum && checksum_function == o.checksum_function &&
         min_timestamp == o.min_timestamp && max_timestamp == o.max_timestamp &&
         open_metadata == o.open_metadata;
}

FileMetaData::~FileMetaData() {
  delete pinned_reader_.load(std::memory_order_relaxed);
  assert(charged_bytes_ == 0 || home != nullptr);
  if (charged_bytes_ > 0) home->charge_to->Give(charged_bytes_);
  if (removed_ && home != nullptr && home->obsolete != nullptr) {
    home->obsolete->Add({number, size, Path(), home->family_id});
  }
}

const TableReader* FileMetaData::PinReader(
    std::unique_ptr<TableReader> reader) const {
  assert(reader != nullptr);
  TableReader* seen = nullptr;
  if (pinned_reader_.compare_exchange_strong(seen, reader.get(),
                                             std::memory_order_acq_rel)) {
    return reader.release();
  }
  return seen;
}

void FileMetaData::RememberStats(const TableProperties& properties) const {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  num_entries.store(properties.num_entries, kRelaxed);
  num_deletions.store(properties.num_deletions, kRelaxed);
  num_range_deletions.store(properties.num_range_deletions, kRelaxed);
  raw_key_bytes.store(properties.raw_key_size, kRelaxed);
  raw_value_bytes.store(properties.raw_value_size, kRelaxed);
  stats_loaded.store(true, std::memory_order_release);
}

void FileMetaData::SetCompensatedSize(uint64_t average_value_bytes) {
  // A deletion frees one value of the average size, written and read; only
  // the deletions that outnumber half the entries are credited, so that a
  // file of ordinary overwrites keeps its true size.
  constexpr uint64_t kDeletionWeight = 2;
  uint64_t bytes = size + range_deletion_bytes;
  const uint64_t entries = num_entries.load(std::memory_order_relaxed);
  const uint64_t deletions = num_deletions.load(std::memory_order_relaxed);
  if (deletions * 2 >= entries) {
    bytes += (deletions * 2 - entries) * average_value_bytes * kDeletionWeight;
  }
  compensated_size_.store(bytes, std::memory_order_relaxed);
}

void FileMetaData::Settle(const std::shared_ptr<const FileHome>& family_home) {
  assert(family_home != nullptr);
  if (home == nullptr) home = family_home;
  if (home->charge_to == nullptr || charged_bytes_ > 0) return;
  charged_bytes_ = sizeof(*this) + smallest.Encode().size() +
                   largest.Encode().size() + checksum.size() +
                   checksum_function.size() + min_timestamp.size() +
                   max_timestamp.size() + open_metadata.size();
  home->charge_to->TakeAnyway(charged_bytes_);
}

std::string FileMetaData::Path() const {
  assert(home != nullptr);
  return TableFileName(home->Dir(path_id), number);
}

}  // namespace ROCKSDB_NAMESPACE::engine
