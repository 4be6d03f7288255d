#include "db/remote_compaction/compaction_result.h"

#include <cassert>
#include <set>
#include <utility>
#include <vector>

#include "db/remote_compaction/sealed_fields.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr const char* kResultMagic = "RVSTCRES";

// In the order of the bytes. `Stats` may be const.
template <typename Stats, typename Visit>
void ForEachCount(Stats* stats, const Visit& visit) {
  visit(&stats->iterator.input_records);
  visit(&stats->iterator.input_key_bytes);
  visit(&stats->iterator.input_value_bytes);
  visit(&stats->iterator.input_deletions);
  visit(&stats->iterator.dropped_hidden);
  visit(&stats->iterator.dropped_obsolete);
  visit(&stats->iterator.dropped_by_filter);
  visit(&stats->iterator.dropped_by_range_deletion);
  visit(&stats->iterator.single_delete_mismatches);
  visit(&stats->output_records);
  visit(&stats->range_deletions_dropped);
  visit(&stats->cpu_micros);
  visit(&stats->blobs_read);
  visit(&stats->blob_bytes_read);
  visit(&stats->blob_files_written);
  visit(&stats->blob_bytes_written);
}

Status Unexpected(const std::string& expected, const std::string& found) {
  return Status::Corruption("compaction result: expected " + expected,
                            "found " + found);
}

using FilesOfLevels = std::set<std::pair<int, uint64_t>>;

std::string TextOf(const FilesOfLevels& files) {
  std::string text;
  for (const auto& [level, number] : files) {
    if (!text.empty()) text += ' ';
    text += std::to_string(number) + "@" + std::to_string(level);
  }
  return text.empty() ? "none" : text;
}

// The edit deletes the input files, all of them, and once.
Status CheckDeletions(const VersionEdit& edit, const RemoteInput& input) {
  FilesOfLevels expected;
  for (const RemoteInput::Level& inputs : input.levels) {
    for (const uint64_t number : inputs.files) {
      expected.emplace(inputs.level, number);
    }
  }
  FilesOfLevels found;
  for (const DeletedFile& file : edit.deleted_files) {
    found.emplace(file.level, file.number);
  }
  if (found == expected && found.size() == edit.deleted_files.size()) {
    return Status::OK();
  }
  return Unexpected("the deletion of " + TextOf(expected),
                    "that of " + TextOf(found));
}

Status CheckAdditions(const VersionEdit& edit, const RemoteInput& input) {
  std::set<uint64_t> tables;
  for (const NewFile& added : edit.new_files) {
    const std::string name = "table " + std::to_string(added.file->number);
    if (added.level != input.output_level) {
      return Unexpected(
          name + " in level " + std::to_string(input.output_level),
          "it in level " + std::to_string(added.level));
    }
    if (!tables.insert(added.file->number).second) {
      return Unexpected(name + " once", "it twice");
    }
  }
  std::set<uint64_t> blobs;
  for (const BlobFileAddition& blob : edit.blob_additions) {
    const bool reserved =
        blob.number >= input.first_blob_number &&
        blob.number - input.first_blob_number < input.blob_numbers;
    if (!reserved || !blobs.insert(blob.number).second) {
      return Unexpected(
          "new blob files with " + std::to_string(input.blob_numbers) +
              " numbers from " + std::to_string(input.first_blob_number),
          std::to_string(blob.number));
    }
  }
  return Status::OK();
}

// The rest of what an edit may say is not a compaction's to say.
Status CheckNothingElse(const VersionEdit& edit) {
  VersionEdit rest = edit;
  rest.column_family = 0;
  rest.deleted_files.clear();
  rest.new_files.clear();
  rest.blob_additions.clear();
  rest.blob_garbage.clear();
  std::string bytes;
  rest.EncodeTo(&bytes);
  if (bytes.empty()) return Status::OK();
  return Unexpected("an edit about files", rest.DebugString(/*hex=*/true));
}

}  // namespace

RemoteResult RemoteResult::To(const RemoteInput& input) {
  RemoteResult result;
  result.db_id = input.db_id;
  result.db_session_id = input.db_session_id;
  result.job_id = input.job_id;
  return result;
}

std::string RemoteResult::Encode() const {
  SealedWriter writer(kResultMagic);
  writer.Text(db_id);
  writer.Text(db_session_id);
  writer.Number(job_id);
  writer.Number(status.code());
  writer.Number(status.subcode());
  writer.Text(status.getState() != nullptr ? Slice(status.getState())
                                           : Slice());
  writer.Text(output_directory);
  std::string record;
  edit.EncodeTo(&record);
  writer.Text(record);
  writer.Number(edit.new_files.size());
  for (const NewFile& added : edit.new_files) {
    assert(added.file != nullptr);
    writer.Flag(added.file->holds_old_versions);
  }
  ForEachCount(&stats, [&](const uint64_t* count) { writer.Number(*count); });
  writer.Flag(stats.iterator.skipped_input);
  return writer.Seal();
}

Status RemoteResult::DecodeFrom(const Slice& bytes) {
  SealedReader reader("compaction result", kResultMagic, bytes);
  RemoteResult read;
  read.db_id = reader.Text("the id of the database");
  read.db_session_id = reader.Text("the id of its session");
  read.job_id = reader.Number("the job");
  const auto code = static_cast<Status::Code>(
      reader.Number("the code of the status", Status::kMaxCode - 1));
  const auto subcode = static_cast<Status::SubCode>(
      reader.Number("the subcode of the status", Status::kMaxSubCode - 1));
  const std::string message = reader.Text("the message of the status");
  read.output_directory = reader.Text("the output directory");
  const std::string record = reader.Text("the edit");
  std::vector<bool> holds_old_versions(reader.Count("the number of tables"));
  for (size_t i = 0; i < holds_old_versions.size(); ++i) {
    holds_old_versions[i] = reader.Flag("whether a table holds old versions");
  }
  ForEachCount(&read.stats,
               [&](uint64_t* count) { *count = reader.Number("a count"); });
  read.stats.iterator.skipped_input =
      reader.Flag("whether entries were skipped");
  RETURN_IF_ERROR(reader.Finish());
  if (code != Status::kOk) {
    read.status = Status(code, subcode, Status::kNoError, message);
  }
  RETURN_IF_ERROR(read.edit.DecodeFrom(record));
  if (holds_old_versions.size() != read.edit.new_files.size()) {
    return Unexpected(
        std::to_string(read.edit.new_files.size()) + " tables, as in its edit",
        std::to_string(holds_old_versions.size()));
  }
  for (size_t i = 0; i < holds_old_versions.size(); ++i) {
    read.edit.new_files[i].file->holds_old_versions = holds_old_versions[i];
  }
  *this = std::move(read);
  return Status::OK();
}

Status RemoteResult::CheckAnswers(const RemoteInput& input) const {
  assert(status.ok());
  const bool same_job = db_id == input.db_id &&
                        db_session_id == input.db_session_id &&
                        job_id == input.job_id;
  if (!same_job) {
    return Unexpected("the answer to job " + std::to_string(input.job_id) +
                          " of session " + input.db_session_id,
                      "that to job " + std::to_string(job_id) + " of session " +
                          db_session_id);
  }
  if (edit.column_family != input.family_id) {
    return Unexpected("column family " + std::to_string(input.family_id),
                      std::to_string(edit.column_family));
  }
  RETURN_IF_ERROR(CheckNothingElse(edit));
  RETURN_IF_ERROR(CheckDeletions(edit, input));
  RETURN_IF_ERROR(CheckAdditions(edit, input));
  if (stats.output_records <= stats.iterator.input_records) return Status::OK();
  return Unexpected("at most as many entries as it has read, " +
                        std::to_string(stats.iterator.input_records),
                    std::to_string(stats.output_records));
}

}  // namespace ROCKSDB_NAMESPACE::engine
