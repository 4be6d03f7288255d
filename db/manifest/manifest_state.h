// ManifestState: what a MANIFEST says, read without comparators or options.
//
// Place. First half of opening: CURRENT -> MANIFEST -> this value. VersionSet
// makes Versions of it; tools print it. Reads only.
//
// Invariants:
//   (1) Reading never writes, and damage is an error that names the file, the
//       offset, what was expected and what was found.
//   (2) Files are only counted as live when their whole edit (or atomic
//       group) is in the file; a torn tail is dropped. Torn is what a power
//       failure leaves of the last, unsynced records: the file ends inside
//       one, or a page of theirs reads as zeros, never written; and no record
//       begins behind it. Any other damage may be a synced edit gone bad, and
//       dropping that would lose its files: an error.
//
// Threads. A value.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "db/manifest/version_edit.h"
#include "rocksdb/file_system.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// One blob file: totals, and the garbage summed over all edits, which is at
// most the totals.
struct BlobFileState {
  BlobFileAddition addition;
  uint64_t garbage_count = 0;
  uint64_t garbage_bytes = 0;
};

struct FamilyState {
  struct LiveFile {
    int level = 0;
    FilePtr file;
  };

  uint32_t id = 0;
  std::string name;
  std::string comparator_name;
  uint64_t log_number = 0;
  std::unordered_map<uint64_t, LiveFile> files;  // By number.
  std::map<int, InternalKey> compact_cursors;
  std::map<uint64_t, BlobFileState> blob_files;
  std::string full_history_ts_low;
  bool persist_timestamps = true;

  int max_level() const;  // -1 without files.
};

class ManifestReplayer;
namespace wal {
class Reader;
}

struct ManifestState {
  uint64_t manifest_number = 0;
  uint64_t manifest_bytes = 0;  // Up to the end of the last good record.
  std::map<uint32_t, FamilyState> families;  // By id; live ones only.
  uint64_t log_number = 0;                   // Highest seen.
  uint64_t next_file_number = 0;
  SequenceNumber last_sequence = 0;
  uint64_t min_log_number_to_keep = 0;
  uint32_t max_column_family = 0;
  std::string db_id;
  std::map<uint64_t, std::optional<uint64_t>> wals;  // Number -> synced size.
  uint64_t edit_count = 0;
  bool torn_tail = false;

  const FamilyState* FindFamily(const std::string& name) const;
};

// A MANIFEST that another process may still write.
class ManifestFollower {
 public:
  ManifestFollower(FileSystem* fs, std::string file_name);
  ~ManifestFollower();
  ManifestFollower(const ManifestFollower&) = delete;
  ManifestFollower& operator=(const ManifestFollower&) = delete;

  // Takes the edits behind those it has; a record that is not whole yet waits
  // for the next call. Errors: of the file; Corruption; NotSupported. After an
  // error the object is of no further use.
  Status ReadOn();

  const ManifestState& state() const { return state_; }

 private:
  FileSystem* const fs_;
  const std::string file_name_;
  ManifestState state_;
  std::unique_ptr<ManifestReplayer> replayer_;
  std::unique_ptr<wal::Reader> reader_;
};

// Follows CURRENT. Errors: NotFound without CURRENT; Corruption.
Result<ManifestState> ReadManifest(FileSystem* fs, const std::string& db);

// Tells whether a process that writes has changed the MANIFEST.
struct ManifestStamp {
  uint64_t number = 0;
  uint64_t bytes = 0;
  bool operator==(const ManifestStamp&) const = default;
};
// Zeros for a file that is missing: it may be on its way.
Result<ManifestStamp> StampManifest(FileSystem* fs, const std::string& db);

// ReadManifest() of a given MANIFEST file. `on_edit` (may be null) sees every
// edit as it is decoded, with its record's bytes.
using EditObserver = std::function<void(const VersionEdit&, const Slice&)>;
Result<ManifestState> ReadManifestFile(FileSystem* fs,
                                       const std::string& file_name,
                                       const EditObserver& on_edit);

}  // namespace ROCKSDB_NAMESPACE::engine
