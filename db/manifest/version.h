// Version: the files of one column family at one moment. Immutable.
//
// Place. Made by version_builder, published by FamilyVersions, held by read
// views, iterators and running compactions. What it holds stays on disk.
//
// Model.   level 0      sorted runs, newest first, may overlap
//          level 1..n   one sorted run each, in key order, disjoint
//
// A level that an edit does not touch is shared with the Version before.
//
// Invariants:
//   (1) LevelFiles::flat[i] describes LevelFiles::files[i].
//   (2) Levels >= 1: largest(i) < smallest(i + 1) as internal keys.
//   (3) Level 0: epoch descending, then sequence numbers descending.
//
// Threads. Any, once made; `being_compacted` of its files is not ours.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/manifest/blob_files.h"
#include "db/manifest/file_metadata.h"
#include "rocksdb/slice.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {

// What a search looks at, in one place. The keys point into the file's object.
struct LevelFile {
  Slice smallest;  // Internal keys.
  Slice largest;
  FileMetaData* file = nullptr;

  Slice smallest_user_key() const { return ExtractUserKey(smallest); }
  Slice largest_user_key() const { return ExtractUserKey(largest); }
};

// One level's files. Immutable, shared between Versions.
struct LevelFiles {
  explicit LevelFiles(std::vector<FilePtr> files);

  const std::vector<FilePtr> files;
  std::vector<LevelFile> flat;
  // First 8 bytes of each largest user key, big-endian: with the bytewise
  // order most of a binary search needs nothing else. Levels >= 1 only.
  std::vector<uint64_t> largest_prefix;
  uint64_t total_bytes = 0;

  size_t size() const { return files.size(); }
  bool empty() const { return files.empty(); }

  // Levels >= 1: index of the first file whose largest key is not before
  // `internal_key`; size() when there is none.
  size_t Find(const InternalKeyComparator& icmp,
              const Slice& internal_key) const;
  // The same by user key: first file whose largest user key is >= it.
  size_t FindUserKey(const InternalKeyComparator& icmp,
                     const Slice& user_key) const;
};

using LevelFilesPtr = std::shared_ptr<const LevelFiles>;

// The first 8 bytes of `user_key` as a big-endian number, zero padded.
uint64_t KeyPrefix(const Slice& user_key);

class Version {
 public:
  // `levels` has at least one entry; null entries are empty levels.
  // `id` grows with every Version of a family. `blobs` null: no blob files.
  Version(const InternalKeyComparator* icmp, std::vector<LevelFilesPtr> levels,
          uint64_t id, BlobFilesPtr blobs = nullptr);
  ~Version();
  Version(const Version&) = delete;
  Version& operator=(const Version&) = delete;

  const InternalKeyComparator& icmp() const { return *icmp_; }
  uint64_t id() const { return id_; }

  int num_levels() const { return static_cast<int>(levels_.size()); }
  // Highest level with files, plus one.
  int num_non_empty_levels() const { return num_non_empty_levels_; }
  const LevelFiles& level(int level) const {
    return *levels_[static_cast<size_t>(level)];
  }
  const LevelFilesPtr& shared_level(int level) const {
    return levels_[static_cast<size_t>(level)];
  }
  const BlobFiles& blobs() const { return *blobs_; }
  const std::vector<FilePtr>& files(int level) const {
    return this->level(level).files;
  }
  int NumFiles(int level) const {
    return static_cast<int>(this->level(level).size());
  }
  uint64_t LevelBytes(int level) const {
    return this->level(level).total_bytes;
  }
  uint64_t TotalBytes() const;
  uint64_t TotalFiles() const;

  // The files of `level` that hold a user key in [*begin, *end]; null ends are
  // open. At level 0 the range grows with every hit until it is closed, so
  // that no older file is left above a newer one.
  std::vector<FilePtr> OverlappingFiles(int level, const Slice* begin,
                                        const Slice* end) const;
  // As above at any level without growing the range.
  std::vector<FilePtr> FilesTouching(int level, const Slice* begin,
                                     const Slice* end) const;
  // Levels >= 1: adds neighbours that share a boundary user key with `inputs`
  // (which are adjacent and in order), until the cut is between user keys.
  void ExpandToCleanCut(int level, std::vector<FilePtr>* inputs) const;
  bool KeyRangeOverlapsLevel(int level, const Slice* begin,
                             const Slice* end) const;
  // Some file below `level` may hold a user key of [begin, end].
  bool RangeOverlapsBelow(int level, const Slice& begin,
                          const Slice& end) const;

  // The file with this number and its level, or null.
  FilePtr FindFile(uint64_t number, int* level) const;

  // Bytes of the newest data, without what deeper files hold of older: sums
  // files from the last level up that do not overlap those already counted.
  uint64_t EstimateLiveDataSize() const;

  std::string DebugString(bool hex) const;

 private:
  void AppendOverlapsL0(const Slice* begin, const Slice* end,
                        std::vector<FilePtr>* out) const;
  void SortedRange(int level, const Slice* begin, const Slice* end,
                   size_t* first, size_t* last) const;

  const InternalKeyComparator* const icmp_;
  std::vector<LevelFilesPtr> levels_;
  const BlobFilesPtr blobs_;  // Not null.
  const uint64_t id_;
  int num_non_empty_levels_ = 0;
};

using VersionPtr = std::shared_ptr<const Version>;

}  // namespace ROCKSDB_NAMESPACE::engine
