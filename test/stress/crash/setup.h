// Setup: the options of one life of a database under test, from a seed.
//
// Place. The crash explorer and the kill loop.
//
// Model. What is promised after a crash (Logging) is one choice for all lives
// of a history. Everything else is drawn anew at each opening.
//
// Threads. Values.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {

enum class Logging : uint8_t {
  kAll,     // Every write goes to the log.
  kSome,    // But for those to families whose name begins with "u".
  kAtomic,  // None does; atomic flushes keep the families together.
  kNone     // None does: each family stands for itself.
};

// Where a WorkingService has its tables, in the folder of the databases.
inline constexpr const char* kServiceFolder = "/service";

struct Setup {
  Options options;  // Of the database and of every family; no env.
  Logging logging = Logging::kAll;
  bool manual_wal_flush = false;
  // Each log says where the one before it ends; the same in all lives.
  bool chained = true;
  // Keys have timestamps; the same in all lives. Those of this life are above.
  bool stamped = false;
  uint64_t time_before = 0;
  // A wish: no file can be synced while it is appended to. The program that
  // fulfils it wraps its file system (LoneSyncFileSystem).
  bool lone_syncs = false;
  // Bytes that a SstFileManager deletes per second; 0: there is none.
  int64_t delete_rate = 0;
  // Of the tables of a WorkingService.
  std::string service_folder;
  // Families may have a RowFilter; the same in all lives.
  bool filtered = false;
  std::string text;  // What differs from the defaults, for people.

  WALRecoveryMode recovery() const { return options.wal_recovery_mode; }
  // `options` with this env, and with what needs one.
  Options OptionsOn(Env* env) const;
};

// `seed` is the history's, `life` counts its openings. The other folders of the
// database lie in `folder`.
Logging DrawLogging(uint64_t seed);
Setup DrawSetup(uint64_t seed, uint64_t life, Logging logging,
                const std::string& folder);

// One call of SetOptions().
std::pair<std::string, std::string> DrawSetOption(engine::Random64* random);
// One call of SetDBOptions(), or of SetOptions() for a table.
struct OtherChange {
  bool of_db = false;
  std::string name;
  std::string value;
};
OtherChange DrawOtherChange(engine::Random64* random);
// A table's options may not go together: not an error of the database.
bool IsRefused(const OtherChange& change, const Status& status);

}  // namespace ROCKSDB_NAMESPACE::stress
