#include "db/manifest/version_builder.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

namespace ROCKSDB_NAMESPACE::engine {
namespace {

std::string Name(const FileMetaData& file) {
  return "table file " + std::to_string(file.number);
}

Status OrderError(const char* what, int level, const FileMetaData& first,
                  const FileMetaData& second) {
  return Status::Corruption(
      "level " + std::to_string(level) + ": " + what,
      Name(first) + " [" + first.smallest.DebugString(true) + " .. " +
          first.largest.DebugString(true) + "] and " + Name(second) + " [" +
          second.smallest.DebugString(true) + " .. " +
          second.largest.DebugString(true) + "]");
}

// True when every key of `a` is before every key of `b`.
bool EndsBefore(const InternalKeyComparator& icmp, const FileMetaData& a,
                const FileMetaData& b) {
  const int order =
      icmp.CompareUserKey(a.largest.user_key(), b.smallest.user_key());
  // The end of a range deletion is not in the file.
  return order < 0 || (order == 0 && IsRangeSentinel(a.largest.Encode()));
}

// Two neighbours of level 0: is their order right by their sequences?
Status CheckLevel0Pair(const InternalKeyComparator& icmp,
                       const FileMetaData& newer, const FileMetaData& older) {
  if (newer.epoch != kUnknownEpoch && older.epoch != kUnknownEpoch) {
    if (newer.epoch > older.epoch) return Status::OK();
    const bool disjoint =
        EndsBefore(icmp, newer, older) || EndsBefore(icmp, older, newer);
    if (newer.epoch == older.epoch && disjoint) return Status::OK();
    return OrderError("files of one epoch overlap", 0, newer, older);
  }
  const bool ingested = older.smallest_sequence == older.largest_sequence;
  const bool fine = ingested
                        ? older.smallest_sequence == 0 ||
                              older.smallest_sequence < newer.largest_sequence
                        : newer.smallest_sequence > older.smallest_sequence;
  if (fine) return Status::OK();
  return OrderError("sequence numbers of a newer and an older file", 0, newer,
                    older);
}

}  // namespace

bool NewerInLevel0(const FileMetaData& newer, const FileMetaData& older) {
  if (newer.epoch != older.epoch) return newer.epoch > older.epoch;
  if (newer.largest_sequence != older.largest_sequence) {
    return newer.largest_sequence > older.largest_sequence;
  }
  if (newer.smallest_sequence != older.smallest_sequence) {
    return newer.smallest_sequence > older.smallest_sequence;
  }
  return newer.number > older.number;
}

Status CheckLevelOrder(const InternalKeyComparator& icmp, int level,
                       const LevelFiles& files) {
  for (size_t i = 0; i < files.size(); ++i) {
    const FileMetaData& file = *files.files[i];
    // A file of one key asks the program's comparator nothing, as in RocksDB.
    if (file.smallest.Encode() != file.largest.Encode() &&
        icmp.Compare(file.smallest, file.largest) > 0) {
      return OrderError("smallest key is above the largest", level, file, file);
    }
    if (i == 0) continue;
    const FileMetaData& before = *files.files[i - 1];
    // version.h (2)
    if (level > 0 && icmp.Compare(before.largest, file.smallest) >= 0) {
      return OrderError("files overlap", level, before, file);
    }
    if (level > 0) continue;
    // version.h (3)
    Status status = CheckLevel0Pair(icmp, before, file);
    if (!status.ok()) return status;
  }
  return Status::OK();
}

VersionBuilder::VersionBuilder(const Version* base, int num_levels,
                               bool check_order)
    : base_(base),
      num_levels_(std::max(num_levels, base->num_levels())),
      check_order_(check_order),
      level_changed_(static_cast<size_t>(num_levels_), false) {
  assert(num_levels_ > 0);
  for (const LiveBlobFile& blob : base->blobs().files) {
    blobs_.emplace(blob.number(), blob);
  }
}

const VersionBuilder::LevelIndex& VersionBuilder::IndexOf(int level) {
  LevelIndex& index = indexes_[level];
  if (!index.built) {
    index.built = true;
    if (level < base_->num_levels()) {
      for (const FilePtr& file : base_->files(level)) {
        index.files.emplace(file->number, file);
      }
    }
  }
  return index;
}

FilePtr VersionBuilder::FindInBase(int level, uint64_t number) {
  if (level >= base_->num_levels()) return nullptr;
  const LevelFiles& files = base_->level(level);
  // A few lookups are cheaper by scanning than by building an index.
  if (lookups_[level]++ < kLookupsBeforeIndex) {
    for (const LevelFile& f : files.flat) {
      if (f.file->number == number) {
        return files.files[static_cast<size_t>(&f - files.flat.data())];
      }
    }
    return nullptr;
  }
  const LevelIndex& index = IndexOf(level);
  const auto it = index.files.find(number);
  return it == index.files.end() ? nullptr : it->second;
}

Status VersionBuilder::Delete(const DeletedFile& gone) {
  const auto it = changes_.find(gone.number);
  if (it != changes_.end()) {
    if (it->second.level != gone.level) return NotThere(gone);
    level_changed_[static_cast<size_t>(gone.level)] = true;
    it->second.level = -1;
    return Status::OK();
  }
  if (gone.level >= num_levels_) return NotThere(gone);
  FilePtr file = FindInBase(gone.level, gone.number);
  if (file == nullptr) return NotThere(gone);
  Change change;
  change.level_in_base = gone.level;
  change.base_file = std::move(file);
  level_changed_[static_cast<size_t>(gone.level)] = true;
  changes_.emplace(gone.number, std::move(change));
  return Status::OK();
}

Status VersionBuilder::NotThere(const DeletedFile& gone) const {
  int level = -1;
  const auto it = changes_.find(gone.number);
  if (it != changes_.end()) {
    level = it->second.level;
  } else {
    base_->FindFile(gone.number, &level);
  }
  return Status::Corruption(
      "cannot delete table file " + std::to_string(gone.number),
      "expected it at level " + std::to_string(gone.level) + ", found " +
          (level < 0 ? std::string("no such file")
                     : "it at level " + std::to_string(level)));
}

Status VersionBuilder::Add(const NewFile& added) {
  if (added.level >= num_levels_) {
    return Status::Corruption(Name(*added.file),
                              "expected a level below " +
                                  std::to_string(num_levels_) + ", found " +
                                  std::to_string(added.level));
  }
  // Numbers are never reused, so a number unknown to this builder can only
  // stand in the base by a bug; the check below costs a hash lookup, not a
  // search of the base, except where the edit itself touches the number.
  Change& change = changes_[added.file->number];
  if (change.level >= 0) {
    return Status::Corruption(
        "cannot add " + Name(*added.file) + " at level " +
            std::to_string(added.level),
        "it is already at level " + std::to_string(change.level));
  }
  change.level = added.level;
  // A move keeps the object, and with it the open table.
  const bool moved = change.base_file != nullptr &&
                     (change.base_file == added.file ||
                      static_cast<const FileFacts&>(*change.base_file) ==
                          static_cast<const FileFacts&>(*added.file));
  change.file = moved ? change.base_file : added.file;
  level_changed_[static_cast<size_t>(added.level)] = true;
  return Status::OK();
}

Status VersionBuilder::AddBlobFile(const BlobFileAddition& added) {
  LiveBlobFile blob;
  blob.file = std::make_shared<BlobFile>(added);
  if (!blobs_.emplace(added.number, blob).second) {
    return Status::Corruption(
        "cannot add blob file " + std::to_string(added.number),
        "it is already there");
  }
  added_blobs_.push_back(std::move(blob.file));
  return Status::OK();
}

Status VersionBuilder::AddGarbage(const BlobFileGarbage& garbage) {
  const auto it = blobs_.find(garbage.number);
  if (it == blobs_.end()) {
    return Status::Corruption(
        "garbage in blob file " + std::to_string(garbage.number),
        "no such file");
  }
  LiveBlobFile& blob = it->second;
  const BlobFileAddition& facts = blob.file->facts;
  if (blob.garbage_count + garbage.blob_count > facts.blob_count ||
      blob.garbage_bytes + garbage.blob_bytes > facts.blob_bytes) {
    return Status::Corruption(
        "garbage in blob file " + std::to_string(garbage.number),
        "expected at most " + std::to_string(facts.blob_count) +
            " blobs, found " + std::to_string(blob.garbage_count) + " and " +
            std::to_string(garbage.blob_count) + " more");
  }
  blob.garbage_count += garbage.blob_count;
  blob.garbage_bytes += garbage.blob_bytes;
  return Status::OK();
}

Status VersionBuilder::Apply(const VersionEdit& edit) {
  for (const DeletedFile& gone : edit.deleted_files) {
    RETURN_IF_ERROR(Delete(gone));
  }
  for (const NewFile& added : edit.new_files) {
    RETURN_IF_ERROR(Add(added));
  }
  for (const BlobFileAddition& added : edit.blob_additions) {
    RETURN_IF_ERROR(AddBlobFile(added));
  }
  for (const BlobFileGarbage& garbage : edit.blob_garbage) {
    RETURN_IF_ERROR(AddGarbage(garbage));
  }
  return Status::OK();
}

Result<LevelFilesPtr> VersionBuilder::BuildLevel(int level) const {
  std::vector<FilePtr> added;
  for (const auto& [number, change] : changes_) {
    if (change.level != level) continue;
    assert(change.file != nullptr && change.file->number == number);
    added.push_back(change.file);
  }
  const InternalKeyComparator& icmp = base_->icmp();
  const auto before = [&](const FilePtr& a, const FilePtr& b) {
    if (level == 0) return NewerInLevel0(*a, *b);
    const int order = icmp.Compare(a->smallest, b->smallest);
    return order != 0 ? order < 0 : a->number < b->number;
  };
  std::sort(added.begin(), added.end(), before);

  std::vector<FilePtr> kept;
  if (level < base_->num_levels()) {
    const std::vector<FilePtr>& files = base_->files(level);
    kept.reserve(files.size());
    for (const FilePtr& file : files) {
      const auto it = changes_.find(file->number);
      const bool leaves =
          it != changes_.end() && it->second.level_in_base == level;
      if (!leaves) kept.push_back(file);
    }
  }
  std::vector<FilePtr> merged;
  merged.reserve(kept.size() + added.size());
  std::merge(kept.begin(), kept.end(), added.begin(), added.end(),
             std::back_inserter(merged), before);

  assert(merged.size() == kept.size() + added.size());
  auto files = std::make_shared<LevelFiles>(std::move(merged));
  for (size_t i = 1; i < files->size(); ++i) {
    if (files->flat[i - 1].file->number == files->flat[i].file->number) {
      return Status::Corruption("cannot add " + Name(*files->flat[i].file) +
                                " at level " + std::to_string(level) +
                                ": it is already there");
    }
  }
  // (2)
  if (check_order_) RETURN_IF_ERROR(CheckLevelOrder(icmp, level, *files));
  return LevelFilesPtr(std::move(files));
}

Result<VersionBuilder::Built> VersionBuilder::Build(uint64_t version_id) const {
  std::vector<LevelFilesPtr> levels(static_cast<size_t>(num_levels_));
  for (int level = 0; level < num_levels_; ++level) {
    const size_t i = static_cast<size_t>(level);
    if (!level_changed_[i]) {
      if (level < base_->num_levels()) levels[i] = base_->shared_level(level);
      continue;
    }
    Result<LevelFilesPtr> files = BuildLevel(level);
    if (!files.ok()) return files.status();
    levels[i] = std::move(*files);
  }

  Built built;
  for (const auto& [number, change] : changes_) {
    if (change.level >= 0 && change.file != change.base_file) {
      built.added.push_back(change.file);
    }
    // A number that is added again lives on, even as another object.
    assert((change.level_in_base >= 0) == (change.base_file != nullptr));
    if (change.level_in_base >= 0 && change.level < 0) {
      built.removed.push_back(change.base_file);
    }
  }
  BlobFilesPtr blobs;
  if (!blobs_.empty()) {
    blobs = LiveBlobFiles(blobs_, levels, &built.removed_blobs);
    built.added_blobs = added_blobs_;
  }
  built.version = std::make_shared<Version>(&base_->icmp(), std::move(levels),
                                            version_id, std::move(blobs));
  assert(built.version->num_levels() == num_levels_);
  return built;
}

}  // namespace ROCKSDB_NAMESPACE::engine
