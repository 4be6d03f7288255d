// Opener: opens a database, as a list of steps, each of which may fail, and
// none of which writes before everything on disk has been read.
//
// Place. Made by the calls of open_db.cc, once per attempt; the DBImpl that it
// assembles is all that stays.
//
// Model.
//
//   options -> directories -> LOG -> LOCK -> create if missing
//     -> ReadRecoveredState (reads only) -> replay logs into tables
//     -> new log -> one MANIFEST edit -> OPTIONS -> background work
//
// Invariant: a crash at any point leaves what was there before. Tables written
// by a replay are unnamed until the MANIFEST edit, and the logs are removed
// only after it.
//
// Threads. One: no other knows the database yet.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/db_impl/db_impl.h"
#include "db/db_impl/replay.h"
#include "db/recovery/recovered_state.h"
#include "db/secondary/follower.h"
#include "rocksdb/db.h"

namespace ROCKSDB_NAMESPACE::engine {

struct OpenMode {
  bool read_only = false;
  bool error_if_wal_exists = false;
  // Follows another process; its own files go there. Empty: does not.
  std::string secondary_path = {};
  // With read_only: only the MANIFEST is read. What is in logs is not there,
  // and files are looked at when they are used.
  bool manifest_only = false;
};

class Opener {
 public:
  Opener(const DBOptions& options, std::string name,
         std::vector<ColumnFamilyDescriptor> families, OpenMode mode)
      : given_options_(options),
        name_(std::move(name)),
        families_(std::move(families)),
        mode_(std::move(mode)),
        read_only_(mode_.read_only) {}
  ~Opener();

  Status Run();
  // Read-only: has a process that writes pulled away what Run has read?
  // `status`: of Run.
  bool OvertakenByWriter(const Status& status) const;
  std::unique_ptr<DBImpl> Release(std::vector<ColumnFamilyHandle*>* handles);

 private:
  // The steps, in order.
  Result<bool> Exists() const;
  Status CheckOptions();
  Status MakeDirectories();
  Status StartInfoLog();
  Status Lock();
  Status CreateIfMissing();
  Status OpenGate();
  Status BuildState();
  Status ReadState();
  Status ReadManifestOnly(const std::vector<FamilyConfig>& configs);
  Status MakeIdentity();
  Status SettleIdentity();
  Status AddFamilies();
  Status LoadTables();
  Status OpenBlobFiles(const ColumnFamily& family) const;
  Status LoadTable(ColumnFamily* family, const FileMetaData& file, int level);
  Status ReplayWals();
  void TrackFiles() const;
  Result<ReplayResult> ReadLogs();
  Status SyncKeptLogs();
  Status InstallReplayed();
  Status AddReplayedLogs();
  Status CreateMissingFamilies();
  Status AssembleDb();

  bool follows() const { return !mode_.secondary_path.empty(); }
  std::vector<std::string> AllDirs() const;
  const ColumnFamilyOptions* OptionsOf(const std::string& family) const;

  const DBOptions given_options_;
  const std::string name_;
  std::vector<ColumnFamilyDescriptor> families_;
  const OpenMode mode_;
  const bool read_only_;

  DBOptions options_;
  StoreContext store_;
  FileLock* lock_ = nullptr;
  std::shared_ptr<Logger> info_log_;
  std::unique_ptr<DbState> state_;
  RecoveredState recovered_;
  std::unique_ptr<Follower> follower_;
  // Read-only: the MANIFEST before it was read, and what it said.
  std::optional<ManifestStamp> stamp_;
  std::map<uint32_t, uint64_t> log_numbers_;
  std::unique_ptr<ReplayIntoTables> replay_;
  std::unique_ptr<DBImpl> db_;
};

// The public calls: as many attempts as needed. `handles` may be null.
// NOLINTNEXTLINE(readability-function-size): what the public calls are given.
Status OpenWith(const DBOptions& options, const std::string& name,
                const std::vector<ColumnFamilyDescriptor>& families,
                std::vector<ColumnFamilyHandle*>* handles,
                std::unique_ptr<DB>* db, const OpenMode& mode);

}  // namespace ROCKSDB_NAMESPACE::engine
