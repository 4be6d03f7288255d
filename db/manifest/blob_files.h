// Blob files as the MANIFEST knows them, and those of one Version.
//
// Place. Made by the version builder and by MANIFEST replay; held by Versions.
//
// Model. A blob file has no level. It is live while entries may point at it:
//
//   table --oldest_blob_file--> blob file     the table is *linked* to it
//
//   goes   with a number below every linked file's: no table points at it
//   goes   when all its blobs are garbage and no table is linked to it
//
// There is no edit that removes one; every reader of a MANIFEST concludes it.
//
// Invariants:
//   (1) A table points at no blob file older than the one it is linked to.
//   (2) Garbage never counts a blob that an entry of a live table points at.
//   (3) Number and path reach the obsolete list once, after the last Version
//       that held the file has died.
//
// Threads. Immutable but for the open reader.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/manifest/obsolete_files.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

class BlobFileReader;
struct LevelFiles;

struct BlobFileAddition {
  uint64_t number = 0;
  uint64_t blob_count = 0;
  uint64_t blob_bytes = 0;
  std::string checksum_method;
  std::string checksum_value;
};

struct BlobFileGarbage {
  uint64_t number = 0;
  uint64_t blob_count = 0;
  uint64_t blob_bytes = 0;
};

// One file, shared by all Versions that hold it.
class BlobFile {
 public:
  explicit BlobFile(BlobFileAddition file_facts)
      : facts(std::move(file_facts)) {}
  ~BlobFile();
  BlobFile(const BlobFile&) = delete;
  BlobFile& operator=(const BlobFile&) = delete;

  const BlobFileAddition facts;
  // Set before the file enters its first Version.
  std::shared_ptr<const FileHome> home;

  uint64_t number() const { return facts.number; }
  uint64_t size() const;  // On disk, with header and footer.
  std::string Path() const;

  // The MANIFEST says that it is gone. Under the DB mutex.
  void MarkRemoved() { removed_ = true; }

  // Kept open for as long as this object lives (max_open_files == -1). If
  // another thread was first, `reader` is dropped and theirs returned.
  const BlobFileReader* pinned_reader() const {
    return pinned_reader_.load(std::memory_order_acquire);
  }
  const BlobFileReader* PinReader(std::unique_ptr<BlobFileReader> reader) const;

 private:
  mutable std::atomic<BlobFileReader*> pinned_reader_{nullptr};
  bool removed_ = false;
};

using BlobFilePtr = std::shared_ptr<BlobFile>;

// A file with what is known of its garbage.
struct LiveBlobFile {
  BlobFilePtr file;
  uint64_t garbage_count = 0;
  uint64_t garbage_bytes = 0;

  uint64_t number() const { return file->number(); }
  uint64_t total_bytes() const { return file->facts.blob_bytes; }
};

// Those of a Version, by number.
struct BlobFiles {
  std::vector<LiveBlobFile> files;

  // Null when it is not among them.
  const LiveBlobFile* Find(uint64_t number) const;
  uint64_t FileBytes() const;  // On disk.
  uint64_t TotalBytes() const;
  uint64_t GarbageBytes() const;
  // FileBytes() without the garbage.
  uint64_t LiveBytes() const;
  // Garbage collection moves blobs out of files below this number: of the
  // oldest `age_cutoff` share. 0: out of none.
  uint64_t CollectBelow(double age_cutoff) const;
};

// Null stands for none.
using BlobFilesPtr = std::shared_ptr<const BlobFiles>;

// The files of `all` that these levels' tables keep alive; the others go to
// `dropped` (may be null).
BlobFilesPtr LiveBlobFiles(
    const std::map<uint64_t, LiveBlobFile>& all,
    const std::vector<std::shared_ptr<const LevelFiles>>& levels,
    std::vector<BlobFilePtr>* dropped);

}  // namespace ROCKSDB_NAMESPACE::engine
