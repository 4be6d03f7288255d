#include "db/db_impl/metadata.h"

#include <algorithm>
#include <utility>

#include "db/format/file_names.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

void Describe(const FileMetaData& file, SstFileMetaData* out) {
  out->SetName("/" + TableBaseName(file.number));
  out->directory = file.home->Dir(file.path_id);
  out->db_path = out->directory;
  out->file_number = file.number;
  out->file_type = kTableFile;
  out->size = file.size;
  out->temperature = file.temperature;
  out->smallest_seqno = file.smallest_sequence;
  out->largest_seqno = file.largest_sequence;
  out->smallestkey = file.smallest.user_key().ToString();
  out->largestkey = file.largest.user_key().ToString();
  out->smallest = file.smallest.Encode().ToString();
  out->largest = file.largest.Encode().ToString();
  out->num_reads_sampled = file.reads_sampled.load(std::memory_order_relaxed);
  out->being_compacted = file.being_compacted;
  out->num_entries = file.num_entries.load(std::memory_order_relaxed);
  out->num_deletions = file.num_deletions.load(std::memory_order_relaxed);
  out->oldest_blob_file_number = file.oldest_blob_file;
  out->oldest_ancester_time = file.oldest_ancestor_time_secs;
  out->file_creation_time = file.creation_time_secs;
  out->epoch_number = file.epoch;
  out->file_checksum = file.checksum;
  out->file_checksum_func_name = file.checksum_function;
}

// Bytes of `file` before `internal_key`, by its index.
uint64_t BytesBefore(const ColumnFamily& family, const FileMetaData& file,
                     int level, const Slice& internal_key) {
  const InternalKeyComparator& icmp = family.icmp();
  if (icmp.Compare(file.largest.Encode(), internal_key) < 0) return file.size;
  if (icmp.Compare(file.smallest.Encode(), internal_key) >= 0) return 0;
  auto table = family.tables().Find(file, level);
  return table.ok() ? (*table)->ApproximateOffsetOf(internal_key) : 0;
}

}  // namespace

void AppendLiveFiles(const ColumnFamily& family,
                     std::vector<LiveFileMetaData>* files) {
  const VersionPtr version = family.versions()->current();
  for (int level = 0; level < version->num_levels(); ++level) {
    for (const FilePtr& file : version->files(level)) {
      LiveFileMetaData description;
      Describe(*file, &description);
      description.column_family_name = family.name();
      description.level = level;
      files->push_back(std::move(description));
    }
  }
}

namespace {

LevelMetaData DescribeFiles(int level, const std::vector<FilePtr>& files) {
  std::vector<SstFileMetaData> infos;
  uint64_t bytes = 0;
  for (const FilePtr& file : files) {
    infos.emplace_back();
    Describe(*file, &infos.back());
    bytes += file->size;
  }
  return {level, bytes, std::move(infos)};
}

ColumnFamilyMetaData DescribeLevels(const ColumnFamily& family,
                                    std::vector<LevelMetaData>&& levels) {
  uint64_t bytes = 0;
  size_t count = 0;
  for (const LevelMetaData& level : levels) {
    bytes += level.size;
    count += level.files.size();
  }
  ColumnFamilyMetaData meta(family.name(), bytes, std::move(levels));
  meta.file_count = count;
  for (const LiveBlobFile& blob : family.versions()->current()->blobs().files) {
    const BlobFile& file = *blob.file;
    meta.blob_files.emplace_back(
        file.number(), "/" + BlobBaseName(file.number()), file.home->Dir(0),
        file.size(), file.facts.blob_count, file.facts.blob_bytes,
        blob.garbage_count, blob.garbage_bytes, file.facts.checksum_value,
        file.facts.checksum_method);
    meta.blob_file_size += file.size();
  }
  meta.blob_file_count = meta.blob_files.size();
  return meta;
}

}  // namespace

ColumnFamilyMetaData DescribeFamily(const ColumnFamily& family) {
  const VersionPtr version = family.versions()->current();
  std::vector<LevelMetaData> levels;
  levels.reserve(static_cast<size_t>(version->num_levels()));
  for (int level = 0; level < version->num_levels(); ++level) {
    levels.push_back(DescribeFiles(level, version->files(level)));
  }
  return DescribeLevels(family, std::move(levels));
}

ColumnFamilyMetaData DescribePart(
    const ColumnFamily& family, const GetColumnFamilyMetaDataOptions& wanted) {
  const VersionPtr version = family.versions()->current();
  const VersionsOfRange range(*family.icmp().user_comparator(),
                              wanted.range.start.AsPtr(),
                              wanted.range.limit.AsPtr());
  std::vector<LevelMetaData> levels;
  for (int level = 0; level < version->num_levels(); ++level) {
    if (wanted.level >= 0 && level != wanted.level) continue;
    const std::vector<FilePtr> files =
        version->FilesTouching(level, range.begin(), range.end());
    if (!files.empty()) levels.push_back(DescribeFiles(level, files));
  }
  return DescribeLevels(family, std::move(levels));
}

MemTableRangeStats MemTableStats(const ReadView& view, const Range& range) {
  const InternalKey start(range.start, kSequenceMax, kTypeForSeek);
  const InternalKey limit(range.limit, kSequenceMax, kTypeForSeek);
  MemTableRangeStats sum =
      view.mem->ApproximateRangeStats(start.Encode(), limit.Encode());
  for (const MemTablePtr& memtable : *view.imm) {
    const MemTableRangeStats stats =
        memtable->ApproximateRangeStats(start.Encode(), limit.Encode());
    sum.entries += stats.entries;
    sum.bytes += stats.bytes;
  }
  return sum;
}

namespace {

uint64_t TableBytes(const ColumnFamily& family, const Version& version,
                    const Range& range) {
  uint64_t bytes = 0;
  const InternalKey start(range.start, kSequenceMax, kTypeForSeek);
  const InternalKey limit(range.limit, kSequenceMax, kTypeForSeek);
  for (int level = 0; level < version.num_non_empty_levels(); ++level) {
    for (const FilePtr& file :
         version.FilesTouching(level, &range.start, &range.limit)) {
      const uint64_t to = BytesBefore(family, *file, level, limit.Encode());
      const uint64_t from = BytesBefore(family, *file, level, start.Encode());
      bytes += to > from ? to - from : 0;
    }
  }
  return bytes;
}

// Of what lies next to so many bytes of tables.
uint64_t BlobBytes(const Version& version, uint64_t table_bytes) {
  const auto all_table_bytes = static_cast<double>(version.TotalBytes());
  if (all_table_bytes == 0) return 0;
  double bytes = 0;
  for (const LiveBlobFile& blob : version.blobs().files) {
    bytes += static_cast<double>(blob.file->size());
  }
  const double share = static_cast<double>(table_bytes) / all_table_bytes;
  return static_cast<uint64_t>(bytes * std::min(share, 1.0));
}

}  // namespace

uint64_t ApproximateBytes(const ColumnFamily& family, const ReadView& view,
                          const Range& range,
                          const SizeApproximationOptions& options) {
  if (family.icmp().CompareUserKey(range.start, range.limit) >= 0) return 0;
  uint64_t bytes = 0;
  if (options.include_memtables) bytes += MemTableStats(view, range).bytes;
  if (!options.include_files && !options.include_blob_files) return bytes;
  const uint64_t tables = TableBytes(family, *view.version, range);
  if (options.include_files) bytes += tables;
  if (options.include_blob_files) bytes += BlobBytes(*view.version, tables);
  return bytes;
}

}  // namespace ROCKSDB_NAMESPACE::engine
