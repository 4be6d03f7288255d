#include "db/remote_compaction/compaction_input.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <utility>

#include "db/format/file_names.h"
#include "db/manifest/version_edit.h"
#include "db/remote_compaction/sealed_fields.h"
#include "table/internal_key.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr const char* kInputMagic = "RVSTCINP";
constexpr uint64_t kReasonMax =
    static_cast<uint64_t>(CompactionReason::kNumOfReasons) - 1;
constexpr uint64_t kCompressionMax = kDisableCompressionOption;

int ReadLevel(SealedReader* reader, const char* name) {
  return static_cast<int>(reader->Number(name, kLevelsMax - 1));
}

std::vector<uint64_t> ReadNumbers(SealedReader* reader, const char* list,
                                  const char* entry, uint64_t max) {
  std::vector<uint64_t> numbers(reader->Count(list));
  for (uint64_t& number : numbers) number = reader->Number(entry, max);
  return numbers;
}

void WriteLevels(const std::vector<RemoteInput::Level>& levels,
                 SealedWriter* writer) {
  writer->Number(levels.size());
  for (const RemoteInput::Level& inputs : levels) {
    assert(inputs.level >= 0);
    writer->Number(static_cast<uint64_t>(inputs.level));
    writer->Number(inputs.files.size());
    for (const uint64_t number : inputs.files) writer->Number(number);
  }
}

std::vector<RemoteInput::Level> ReadLevels(SealedReader* reader) {
  std::vector<RemoteInput::Level> levels(
      reader->Count("the number of input levels"));
  for (RemoteInput::Level& inputs : levels) {
    inputs.level = ReadLevel(reader, "an input level");
    inputs.files = ReadNumbers(reader, "the number of input files",
                               "the number of an input file", kFileNumberMax);
  }
  return levels;
}

Status CheckMeaning(const RemoteInput& input) {
  const char* wrong = nullptr;
  if (input.levels.empty() || input.levels.front().files.empty()) {
    wrong = "expected files of the first input level, found none";
  } else if (input.dirs.empty()) {
    wrong = "expected a directory of tables, found none";
  } else if (input.output_file_size_max == 0 || input.max_subcompactions == 0) {
    wrong = "expected limits of at least 1, found 0";
  } else if (input.blob_numbers > kFileNumberMax - input.first_blob_number) {
    wrong = "expected numbers of files, found some beyond the last";
  } else if (!std::is_sorted(input.snapshots.begin(), input.snapshots.end())) {
    wrong = "expected ascending snapshots, found others";
  }
  if (wrong == nullptr) return Status::OK();
  return Status::Corruption("compaction input", wrong);
}

std::string AbsoluteDirectory(FileSystem* fs, const std::string& directory) {
  std::string absolute;
  if (!fs->GetAbsolutePath(directory, IOOptions(), &absolute, nullptr).ok()) {
    absolute = directory;
  }
  return WithoutTrailingSlashes(
      std::filesystem::path(absolute).lexically_normal().string());
}

}  // namespace

bool IsSameDirectory(FileSystem* fs, const std::string& a,
                     const std::string& b) {
  return AbsoluteDirectory(fs, a) == AbsoluteDirectory(fs, b);
}

bool IsDirectoryOf(FileSystem* fs, const RemoteInput& input,
                   const std::string& directory) {
  const auto is = [&](const std::string& own) {
    return IsSameDirectory(fs, directory, own);
  };
  return is(input.db_name) ||
         std::any_of(input.dirs.begin(), input.dirs.end(), is);
}

std::string RemoteInput::Encode() const {
  assert(!levels.empty() && !dirs.empty());
  assert(output_level >= 0 && base_level >= 0);
  SealedWriter writer(kInputMagic);
  writer.Text(db_name);
  writer.Text(db_id);
  writer.Text(db_session_id);
  writer.Number(job_id);
  writer.Number(family_id);
  writer.Text(family_name);
  writer.Number(dirs.size());
  for (const std::string& dir : dirs) writer.Text(dir);
  writer.Number(manifest_number);
  writer.Number(manifest_bytes);
  writer.Number(static_cast<uint64_t>(reason));
  WriteLevels(levels, &writer);
  writer.Number(static_cast<uint64_t>(output_level));
  writer.Number(static_cast<uint64_t>(base_level));
  writer.Number(output_file_size_max);
  writer.Number(overlap_bytes_max);
  writer.Number(max_subcompactions);
  writer.Flag(compression.has_value());
  writer.Number(compression.value_or(kNoCompression));
  writer.Flag(bottommost);
  writer.Flag(is_manual);
  writer.Number(collect_blobs_below);
  writer.Text(smallest_user_key);
  writer.Text(largest_user_key);
  writer.Number(snapshots.size());
  for (const SequenceNumber snapshot : snapshots) writer.Number(snapshot);
  writer.Text(full_history_ts_low);
  writer.Text(trim_after);
  writer.Number(first_blob_number);
  writer.Number(blob_numbers);
  return writer.Seal();
}

Status RemoteInput::DecodeFrom(const Slice& bytes) {
  SealedReader reader("compaction input", kInputMagic, bytes);
  RemoteInput read;
  read.db_name = reader.Text("the path of the database");
  read.db_id = reader.Text("the id of the database");
  read.db_session_id = reader.Text("the id of its session");
  read.job_id = reader.Number("the job");
  read.family_id =
      static_cast<uint32_t>(reader.Number("the family's id", UINT32_MAX));
  read.family_name = reader.Text("the family's name");
  read.dirs.resize(reader.Count("the number of directories"));
  for (std::string& dir : read.dirs) dir = reader.Text("a directory");
  read.manifest_number =
      reader.Number("the number of the MANIFEST", kFileNumberMax);
  read.manifest_bytes = reader.Number("the bytes of the MANIFEST");
  read.reason =
      static_cast<CompactionReason>(reader.Number("the reason", kReasonMax));
  read.levels = ReadLevels(&reader);
  read.output_level = ReadLevel(&reader, "the output level");
  read.base_level = ReadLevel(&reader, "the base level");
  read.output_file_size_max = reader.Number("the bytes of an output");
  read.overlap_bytes_max = reader.Number("the bytes of overlap");
  read.max_subcompactions =
      static_cast<uint32_t>(reader.Number("the subcompactions", UINT32_MAX));
  const bool has_compression = reader.Flag("whether a compression is set");
  const auto compression_type = static_cast<CompressionType>(
      reader.Number("the compression", kCompressionMax));
  if (has_compression) read.compression = compression_type;
  read.bottommost = reader.Flag("whether nothing lies below");
  read.is_manual = reader.Flag("whether it is manual");
  read.collect_blobs_below = reader.Number("the blobs to be collected");
  read.smallest_user_key = reader.Text("the smallest key");
  read.largest_user_key = reader.Text("the largest key");
  read.snapshots = ReadNumbers(&reader, "the number of snapshots", "a snapshot",
                               kSequenceMax);
  read.full_history_ts_low = reader.Text("full_history_ts_low");
  read.trim_after = reader.Text("the time to trim after");
  read.first_blob_number = reader.Number("the first blob file", kFileNumberMax);
  read.blob_numbers = reader.Number("the number of blob files", UINT32_MAX);
  RETURN_IF_ERROR(reader.Finish());
  RETURN_IF_ERROR(CheckMeaning(read));
  *this = std::move(read);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
