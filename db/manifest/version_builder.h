// VersionBuilder: base Version + edits -> next Version.
//
// Place. Used by LogAndApply and by MANIFEST replay, without the DB mutex.
//
// Model. Changes are collected per level and merged into the base when the
// Version is made. Levels without a change are shared with the base, so an
// edit costs in proportion to the levels it touches, not to the database.
//
// Invariants:
//   (1) A file that is deleted and added again with the same facts by the same
//       edits (a move) keeps its object.
//   (2) With checks on, a result that breaks the order of a level is refused
//       with Corruption naming both file numbers.
//   (3) Blob files that nothing can point at any more are left out of the
//       result (db/manifest/blob_files.h).
//
// Threads. One at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "db/manifest/version.h"
#include "db/manifest/version_edit.h"
#include "rocksdb/status.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// True when `newer` stands before `older` in level 0.
bool NewerInLevel0(const FileMetaData& newer, const FileMetaData& older);

// Checks invariants (2) and (3) of Version for one level.
Status CheckLevelOrder(const InternalKeyComparator& icmp, int level,
                       const LevelFiles& files);

class VersionBuilder {
 public:
  // `base` must outlive the builder. A file for a level at or above
  // `num_levels` (and the base's) is Corruption.
  VersionBuilder(const Version* base, int num_levels, bool check_order);

  // Errors: Corruption for deleting a file that is not at its level, adding
  // one that is there, or garbage in a blob file that is not; the builder is
  // then of no further use.
  Status Apply(const VersionEdit& edit);

  // Result of Build.
  struct Built {
    std::shared_ptr<Version> version;
    std::vector<FilePtr> added;              // Not in base.
    std::vector<FilePtr> removed;            // In base, not in the result.
    std::vector<BlobFilePtr> added_blobs;    // Likewise. Their home is not set.
    std::vector<BlobFilePtr> removed_blobs;  // Those that died at once, too.
  };
  Result<Built> Build(uint64_t version_id) const;

 private:
  struct Change {
    int level_in_base = -1;  // -1: not there, as far as the edits tell.
    FilePtr base_file;
    int level = -1;  // -1: gone.
    FilePtr file;
  };
  struct LevelIndex {
    bool built = false;
    std::unordered_map<uint64_t, FilePtr> files;
  };
  static constexpr int kLookupsBeforeIndex = 8;

  Status Delete(const DeletedFile& gone);
  Status Add(const NewFile& added);
  Status NotThere(const DeletedFile& gone) const;
  Status AddBlobFile(const BlobFileAddition& added);
  Status AddGarbage(const BlobFileGarbage& garbage);
  FilePtr FindInBase(int level, uint64_t number);
  const LevelIndex& IndexOf(int level);
  Result<LevelFilesPtr> BuildLevel(int level) const;

  const Version* const base_;
  const int num_levels_;
  const bool check_order_;
  std::unordered_map<uint64_t, Change> changes_;
  std::unordered_map<int, int> lookups_;
  std::unordered_map<int, LevelIndex> indexes_;
  std::vector<bool> level_changed_;
  std::map<uint64_t, LiveBlobFile> blobs_;  // The base's and the edits'.
  std::vector<BlobFilePtr> added_blobs_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
