#include "db/manifest/manifest_state.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include "db/format/file_names.h"
#include "db/wal/log_reader.h"
#include "env/file_reader.h"
#include "util/coding.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// MANIFESTs are read once and whole: few, large reads.
constexpr size_t kReadaheadBytes = size_t{1} << 20;

template <typename T>
void Raise(T* target, const std::optional<T>& v) {
  if (v.has_value()) *target = std::max(*target, *v);
}

}  // namespace

// Applies edits to a ManifestState.
class ManifestReplayer {
 public:
  explicit ManifestReplayer(ManifestState* state) : state_(state) {
    FamilyState family;
    family.name = "default";
    state_->families.emplace(0, std::move(family));
  }

  // Takes the next edit; edits of a group wait for its last.
  Status Take(VersionEdit edit);
  // The three numbers every MANIFEST must have, and what holds between
  // families.
  Status Finish() const;

 private:
  Status Apply(const VersionEdit& edit);
  Status ApplyGlobals(const VersionEdit& edit);
  void ApplyWals(const VersionEdit& edit);
  static Status CheckNumber(const char* what, uint64_t number);
  Status CheckOwners() const;
  Status AddFamily(const VersionEdit& edit);
  Status ChangeFamily(const VersionEdit& edit, FamilyState* family);
  static Status DeleteFiles(const VersionEdit& edit, FamilyState* family);
  static Status AddFiles(const VersionEdit& edit, FamilyState* family);
  static Status ChangeBlobs(const VersionEdit& edit, FamilyState* family);

  ManifestState* const state_;
  std::vector<VersionEdit> group_;
  uint32_t group_remaining_ = 0;  // Of the last edit in group_.
  bool seen_log_number_ = false;
  bool seen_next_file_number_ = false;
  bool seen_last_sequence_ = false;
};

Status ManifestReplayer::Take(VersionEdit edit) {
  assert(group_.empty() || group_remaining_ > 0);  // (2)
  if (!edit.atomic_group_remaining.has_value()) {
    if (group_.empty()) return Apply(edit);
    return Status::Corruption("atomic group",
                              "expected " + std::to_string(group_remaining_) +
                                  " more edits, found one outside the group");
  }
  const uint32_t remaining = edit.atomic_group_remaining.value_or(0);
  if (!group_.empty() && group_remaining_ != remaining + 1) {
    return Status::Corruption(
        "atomic group", "expected an edit with " +
                            std::to_string(group_remaining_ - 1) +
                            " to follow, found " + std::to_string(remaining));
  }
  group_.push_back(std::move(edit));
  group_remaining_ = remaining;
  if (remaining > 0) return Status::OK();
  for (const VersionEdit& member : group_) RETURN_IF_ERROR(Apply(member));
  group_.clear();
  return Status::OK();
}

Status ManifestReplayer::Finish() const {
  const char* missing = !seen_log_number_         ? "log number"
                        : !seen_next_file_number_ ? "next file number"
                        : !seen_last_sequence_    ? "last sequence"
                                                  : nullptr;
  if (missing == nullptr) return CheckOwners();
  return Status::Corruption(
      std::string("expected a ") + missing,
      "found none in " + std::to_string(state_->edit_count) + " edits");
}

// A family that drops a file deletes it.
Status ManifestReplayer::CheckOwners() const {
  std::unordered_map<uint64_t, const FamilyState*> owners;
  for (const auto& [id, family] : state_->families) {
    for (const auto& [number, live] : family.files) {
      const auto [it, is_first] = owners.try_emplace(number, &family);
      if (is_first) continue;
      return Status::Corruption("table file " + std::to_string(number),
                                "expected in one family, found in " +
                                    it->second->name + " and " + family.name);
    }
  }
  return Status::OK();
}

// The next number must be above every number that is used.
Status ManifestReplayer::CheckNumber(const char* what, uint64_t number) {
  if (number <= kFileNumberMax) return Status::OK();
  return Status::Corruption(what, "expected at most " +
                                      std::to_string(kFileNumberMax) +
                                      ", found " + std::to_string(number));
}

Status ManifestReplayer::ApplyGlobals(const VersionEdit& edit) {
  RETURN_IF_ERROR(CheckNumber("log number", edit.log_number.value_or(0)));
  RETURN_IF_ERROR(
      CheckNumber("next file number", edit.next_file_number.value_or(0)));
  RETURN_IF_ERROR(CheckNumber("least log number to keep",
                              edit.min_log_number_to_keep.value_or(0)));
  if (edit.last_sequence.has_value() && *edit.last_sequence > kSequenceMax) {
    return Status::Corruption(
        "last sequence", "expected at most " + std::to_string(kSequenceMax) +
                             ", found " + std::to_string(*edit.last_sequence));
  }
  if (edit.prev_log_number.value_or(0) != 0) {
    return Status::NotSupported("previous log number " +
                                std::to_string(*edit.prev_log_number) +
                                ": a database of the 2011 format");
  }
  seen_log_number_ |= edit.log_number.has_value();
  seen_next_file_number_ |= edit.next_file_number.has_value();
  seen_last_sequence_ |= edit.last_sequence.has_value();
  Raise(&state_->log_number, edit.log_number);
  Raise(&state_->next_file_number, edit.next_file_number);
  Raise(&state_->last_sequence, edit.last_sequence);
  Raise(&state_->min_log_number_to_keep, edit.min_log_number_to_keep);
  Raise(&state_->max_column_family, edit.max_column_family);
  if (edit.db_id.has_value()) state_->db_id = *edit.db_id;
  return Status::OK();
}

void ManifestReplayer::ApplyWals(const VersionEdit& edit) {
  for (const WalAddition& wal : edit.wal_additions) {
    std::optional<uint64_t>& synced = state_->wals[wal.number];
    if (wal.synced_bytes.has_value()) synced = wal.synced_bytes;
  }
  if (edit.wals_deleted_below.has_value()) {
    state_->wals.erase(state_->wals.begin(),
                       state_->wals.lower_bound(*edit.wals_deleted_below));
  }
}

Status ManifestReplayer::AddFamily(const VersionEdit& edit) {
  const uint32_t id = edit.column_family;
  const std::string name = edit.added_family.value_or("");
  FamilyState family;
  family.id = id;
  family.name = name;
  if (state_->FindFamily(family.name) != nullptr ||
      !state_->families.emplace(id, std::move(family)).second) {
    return Status::Corruption("column family '" + name + "', id " +
                              std::to_string(id) + " is added twice");
  }
  state_->max_column_family = std::max(state_->max_column_family, id);
  return Status::OK();
}

Status ManifestReplayer::Apply(const VersionEdit& edit) {
  RETURN_IF_ERROR(ApplyGlobals(edit));
  ApplyWals(edit);
  if (edit.added_family.has_value()) RETURN_IF_ERROR(AddFamily(edit));
  const auto it = state_->families.find(edit.column_family);
  if (it == state_->families.end()) {
    return Status::Corruption("column family",
                              "expected an id that exists, found " +
                                  std::to_string(edit.column_family));
  }
  if (edit.drops_family) {
    if (edit.column_family == 0) {
      return Status::Corruption("the default column family is dropped");
    }
    state_->families.erase(it);
    return Status::OK();
  }
  return ChangeFamily(edit, &it->second);
}

Status ManifestReplayer::ChangeFamily(const VersionEdit& edit,
                                      FamilyState* family) {
  if (edit.comparator_name.has_value()) {
    family->comparator_name = *edit.comparator_name;
  }
  Raise(&family->log_number, edit.log_number);
  if (edit.full_history_ts_low.has_value()) {
    family->full_history_ts_low = *edit.full_history_ts_low;
  }
  if (edit.persist_timestamps.has_value()) {
    family->persist_timestamps = *edit.persist_timestamps;
  }
  for (const CompactCursor& cursor : edit.compact_cursors) {
    family->compact_cursors[cursor.level] = cursor.key;
  }
  RETURN_IF_ERROR(DeleteFiles(edit, family));
  RETURN_IF_ERROR(AddFiles(edit, family));
  return ChangeBlobs(edit, family);
}

Status ManifestReplayer::DeleteFiles(const VersionEdit& edit,
                                     FamilyState* family) {
  for (const DeletedFile& gone : edit.deleted_files) {
    const auto it = family->files.find(gone.number);
    if (it == family->files.end() || it->second.level != gone.level) {
      return Status::Corruption(
          "cannot delete table file " + std::to_string(gone.number),
          "expected it at level " + std::to_string(gone.level) + ", found " +
              (it == family->files.end()
                   ? std::string("no such file")
                   : "it at level " + std::to_string(it->second.level)));
    }
    family->files.erase(it);
  }
  return Status::OK();
}

Status ManifestReplayer::AddFiles(const VersionEdit& edit,
                                  FamilyState* family) {
  for (const NewFile& added : edit.new_files) {
    const uint64_t number = added.file->number;
    RETURN_IF_ERROR(CheckNumber("number of a table file", number));
    RETURN_IF_ERROR(CheckNumber("epoch of a table file", added.file->epoch));
    const auto [it, is_new] = family->files.try_emplace(
        number, FamilyState::LiveFile{added.level, added.file});
    if (!is_new) {
      return Status::Corruption(
          "cannot add table file " + std::to_string(number) + " at level " +
              std::to_string(added.level),
          "it is already at level " + std::to_string(it->second.level));
    }
  }
  return Status::OK();
}

Status ManifestReplayer::ChangeBlobs(const VersionEdit& edit,
                                     FamilyState* family) {
  for (const BlobFileAddition& added : edit.blob_additions) {
    RETURN_IF_ERROR(CheckNumber("number of a blob file", added.number));
    if (!family->blob_files.try_emplace(added.number, BlobFileState{added})
             .second) {
      return Status::Corruption("blob file " + std::to_string(added.number) +
                                " is added twice");
    }
  }
  for (const BlobFileGarbage& garbage : edit.blob_garbage) {
    const auto it = family->blob_files.find(garbage.number);
    if (it == family->blob_files.end()) {
      return Status::Corruption("garbage in blob file " +
                                std::to_string(garbage.number) +
                                ", which does not exist");
    }
    BlobFileState& blob = it->second;
    const uint64_t count_left = blob.addition.blob_count - blob.garbage_count;
    const uint64_t bytes_left = blob.addition.blob_bytes - blob.garbage_bytes;
    if (garbage.blob_count > count_left || garbage.blob_bytes > bytes_left) {
      return Status::Corruption(
          "garbage in blob file " + std::to_string(garbage.number),
          "expected at most " + std::to_string(count_left) + " blobs of " +
              std::to_string(bytes_left) + " bytes more, found " +
              std::to_string(garbage.blob_count) + " of " +
              std::to_string(garbage.blob_bytes));
    }
    blob.garbage_count += garbage.blob_count;
    blob.garbage_bytes += garbage.blob_bytes;
  }
  return Status::OK();
}

namespace {

// The message of `status`, without its code.
std::string Message(const Status& status) {
  const char* state = status.getState();
  return state == nullptr ? "" : state;
}

}  // namespace

int FamilyState::max_level() const {
  int max = -1;
  for (const auto& [number, live] : files) max = std::max(max, live.level);
  return max;
}

const FamilyState* ManifestState::FindFamily(const std::string& name) const {
  for (const auto& [id, family] : families) {
    if (family.name == name) return &family;
  }
  return nullptr;
}

namespace {

// Was a sector of the file, from the record at `offset` to its end, never
// written? A record does not begin with zeros, for it begins with its checksum,
// and next to no edit ends with some: not one that adds or deletes a file.
bool HasUnwrittenSector(const std::string& content, uint64_t offset) {
  constexpr uint64_t kSectorBytes = 512;
  for (uint64_t at = offset; at < content.size();) {
    const uint64_t end = std::min<uint64_t>(
        (at / kSectorBytes + 1) * kSectorBytes, content.size());
    if (content.find_first_not_of('\0', at) >= end) return true;
    at = end;
  }
  return false;
}

// Was the record (or what begins with it) synced after all that is before
// `offset`? One that was written together with it was not.
bool IsOfLaterSync(const Slice& record, uint64_t offset) {
  return VersionEdit::BatchOffsetOf(record).value_or(UINT64_MAX) > offset;
}

// Does a record of a later sync begin in the same block behind `offset`? Where
// a length is doubtful the reader gives up the rest of the block, and goes on
// in the next.
bool HasSyncBehind(const std::string& content, uint64_t offset) {
  assert(offset <= content.size());
  const uint64_t block_end = (offset / wal::kBlockSize + 1) * wal::kBlockSize;
  const uint64_t end = std::min<uint64_t>(block_end, content.size());
  for (uint64_t at = offset + 1; at + wal::kLegacyHeaderSize <= end; ++at) {
    const char* const header = content.data() + at;
    const auto type = static_cast<wal::RecordType>(header[6]);
    const size_t length = DecodeFixed16(header + 4);
    if ((type == wal::RecordType::kFull || type == wal::RecordType::kFirst) &&
        length <= end - at - wal::kLegacyHeaderSize &&
        crc32c::Unmask(DecodeFixed32(header)) ==
            crc32c::Value(header + 6, 1 + length) &&
        IsOfLaterSync(Slice(header + wal::kLegacyHeaderSize, length), offset)) {
      return true;
    }
  }
  return false;
}

// Is what ended the log what a power failure leaves of unsynced records?
bool IsTorn(FileSystem* fs, wal::Reader* reader) {
  const wal::Problem problem = reader->problem();
  if (problem.kind == wal::Problem::Kind::kUnreadable) return false;
  Slice record;
  for (auto next = reader->ReadRecord(&record); next != wal::ReadResult::kEnd;
       next = reader->ReadRecord(&record)) {
    if (next == wal::ReadResult::kRecord &&
        IsOfLaterSync(record, problem.offset)) {
      return false;
    }
  }
  std::string content;
  if (!ReadFileToString(fs, reader->file_name(), &content).ok()) return false;
  const bool unwritten = HasUnwrittenSector(content, problem.offset);
  const bool last = !HasSyncBehind(content, problem.offset);
  // A length that reaches beyond the file may have been a smaller one.
  return problem.kind == wal::Problem::Kind::kTornTail ? unwritten || last
                                                       : unwritten && last;
}

// All edits up to the end of the file, or to what is wrong with it.
Status TakeEdits(wal::Reader* reader, ManifestReplayer* replayer,
                 ManifestState* state, const EditObserver& on_edit) {
  Slice record;
  while (reader->ReadRecord(&record) == wal::ReadResult::kRecord) {
    VersionEdit edit;
    Status status = edit.DecodeFrom(record);
    if (status.ok()) {
      ++state->edit_count;
      if (on_edit) on_edit(edit, record);
      status = replayer->Take(std::move(edit));
    }
    if (!status.ok()) {
      const std::string where =
          "at offset " + std::to_string(reader->last_record_offset()) + ": ";
      if (status.IsNotSupported()) {
        return Status::NotSupported(reader->file_name(),
                                    where + Message(status));
      }
      return Status::Corruption(reader->file_name(), where + Message(status));
    }
    assert(state->manifest_bytes <= reader->last_record_end());
    state->manifest_bytes = reader->last_record_end();
  }
  return Status::OK();
}

Result<std::unique_ptr<SequentialFileReader>> OpenManifest(
    FileSystem* fs, const std::string& file_name) {
  return SequentialFileReader::Open(fs, file_name,
                                    fs->OptimizeForManifestRead(FileOptions()),
                                    kReadaheadBytes);
}

}  // namespace

Result<ManifestState> ReadManifestFile(FileSystem* fs,
                                       const std::string& file_name,
                                       const EditObserver& on_edit) {
  Result<std::unique_ptr<SequentialFileReader>> file =
      OpenManifest(fs, file_name);
  if (!file.ok()) return file.status();

  ManifestState state;
  ManifestReplayer replayer(&state);
  wal::Reader reader(std::move(*file), /*log_number=*/0);
  RETURN_IF_ERROR(TakeEdits(&reader, &replayer, &state, on_edit));

  const wal::Problem problem = reader.problem();
  state.torn_tail = !problem.clean() && IsTorn(fs, &reader);
  // (1), (2)
  if (!problem.clean() && !state.torn_tail) return problem.ToStatus(file_name);
  if (const Status status = replayer.Finish(); !status.ok()) {
    return Status::Corruption(file_name, Message(status));
  }
  return state;
}

ManifestFollower::ManifestFollower(FileSystem* fs, std::string file_name)
    : fs_(fs),
      file_name_(std::move(file_name)),
      replayer_(std::make_unique<ManifestReplayer>(&state_)) {}

ManifestFollower::~ManifestFollower() = default;

Status ManifestFollower::ReadOn() {
  Result<std::unique_ptr<SequentialFileReader>> file =
      OpenManifest(fs_, file_name_);
  if (!file.ok()) return file.status();
  if (reader_ == nullptr) {
    reader_ = std::make_unique<wal::Reader>(std::move(*file), 0);
  } else {
    RETURN_IF_ERROR(reader_->ReadOn(std::move(*file)));
  }
  RETURN_IF_ERROR(TakeEdits(reader_.get(), replayer_.get(), &state_, nullptr));
  const wal::Problem& problem = reader_->problem();
  if (!problem.clean() && problem.kind != wal::Problem::Kind::kTornTail) {
    return problem.ToStatus(file_name_);
  }
  const Status status = replayer_->Finish();
  if (status.ok()) return Status::OK();
  return Status::Corruption(file_name_, Message(status));
}

Result<ManifestState> ReadManifest(FileSystem* fs, const std::string& db) {
  const Result<uint64_t> number = ReadCurrentFile(fs, db);
  if (!number.ok()) return number.status();
  const std::string name = DescriptorFileName(db, *number);
  Result<ManifestState> state = ReadManifestFile(fs, name, nullptr);
  if (state.ok()) {
    state->manifest_number = *number;
    return state;
  }
  if (IsMissing(state.status())) {
    // Not "no database here": CURRENT promises one.
    return Status::Corruption(
        CurrentFileName(db),
        "expected the MANIFEST it names, " + name + ", found no such file");
  }
  return state;
}

Result<ManifestStamp> StampManifest(FileSystem* fs, const std::string& db) {
  ManifestStamp stamp;
  const Result<uint64_t> number = ReadCurrentFile(fs, db);
  if (number.status().IsNotFound()) return stamp;
  if (!number.ok()) return number.status();
  stamp.number = *number;
  const Status status = fs->GetFileSize(DescriptorFileName(db, *number),
                                        IOOptions(), &stamp.bytes, nullptr);
  if (!status.ok() && !IsMissing(status)) return status;
  return stamp;
}

}  // namespace ROCKSDB_NAMESPACE::engine
