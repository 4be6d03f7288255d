// FamilyVersions: one column family's part of the MANIFEST state.
//
// Place. Owned by VersionSet; the engine's column family object points at it.
//
// Model. `current` is replaced by LogAndApply only. Next to it is the
// LevelState made from it, renewed whenever the files, the options or the set
// of running compactions changed.
//
// Threads. Everything under the DB mutex, except id, name, icmp and home,
// which never change. Any thread may read published Versions.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/manifest/level_state.h"
#include "db/manifest/manifest_state.h"
#include "db/manifest/version.h"
#include "rocksdb/comparator.h"

namespace ROCKSDB_NAMESPACE::engine {

// How the caller wants a column family opened or created.
struct FamilyConfig {
  std::string name;
  const Comparator* comparator = nullptr;
  LevelOptions level_options;
  bool force_consistency_checks = true;
  // Directories of its table files, by path id.
  std::vector<std::string> dirs;
  // Charged for what is known of its files; null: not charged.
  std::shared_ptr<Cache> charged_cache;
};

class FamilyVersions {
 public:
  FamilyVersions(uint32_t id, const FamilyConfig& config,
                 ObsoleteFiles* obsolete);
  ~FamilyVersions();
  FamilyVersions(const FamilyVersions&) = delete;
  FamilyVersions& operator=(const FamilyVersions&) = delete;

  uint32_t id() const { return id_; }
  const std::string& name() const { return home_->family_name; }
  const InternalKeyComparator& icmp() const { return icmp_; }
  const std::shared_ptr<const FileHome>& home() const { return home_; }

  // What the MANIFEST says: logs with a smaller number hold nothing for this
  // family, and a power failure takes nothing of them.
  uint64_t log_number() const { return log_number_; }
  // The same, but older logs need not be durable yet.
  uint64_t unflushed_from() const {
    return std::max<uint64_t>(log_number_, unflushed_from_);
  }
  bool dropped() const { return dropped_; }
  // For a family without unflushed data: older logs hold nothing for it.
  void SetUnflushedFrom(uint64_t number) { unflushed_from_ = number; }
  // The logs before `durable_below` are durable. Never lowers the number.
  void AdvanceLogNumber(uint64_t durable_below) {
    const uint64_t number = std::min(unflushed_from_, durable_below);
    if (number > log_number_) log_number_ = number;
  }

  const VersionPtr& current() const { return current_; }
  const LevelState& level_state() const { return level_state_; }
  const LevelOptions& level_options() const { return inputs_.options; }

  // Each makes level_state() anew.
  void SetLevelOptions(const LevelOptions& options);
  void RefreshLevelState();  // being_compacted of some file changed.
  // No snapshot is older than this one. False: level_state() is the same.
  bool SetOldestSnapshot(SequenceNumber sequence, uint64_t now_secs);

  // Of the edit of a compaction that is about to be installed: `collects`, it
  // was made for blob garbage alone; `filters`, it may have changed values.
  void FollowGarbage(const VersionEdit& edit, bool collects, bool filters);

  // Every flush and ingestion takes one, in the order of their data;
  // compaction outputs take the smallest of their inputs.
  uint64_t NewEpoch() { return next_epoch_++; }
  uint64_t next_epoch() const { return next_epoch_; }

  // Round-robin cursors, by level.
  const std::map<int, InternalKey>& compact_cursors() const {
    return compact_cursors_;
  }
  const std::string& full_history_ts_low() const {
    return full_history_ts_low_;
  }
  // A table is linked to a blob file that the MANIFEST did not name when it
  // was read. A read of such a blob gets Corruption.
  bool misses_blob_files() const { return misses_blob_files_; }
  // What the family was made with, and is opened with by RocksDB.
  bool persists_timestamps() const { return persist_timestamps_; }

  // Versions that are still referenced, the current one included.
  std::vector<VersionPtr> LiveVersions() const;
  size_t NumLiveVersions() const { return LiveVersions().size(); }

 private:
  friend class VersionSet;

  void Install(VersionPtr version);
  // Feeds the sizes that deletions are credited with.
  void AccountAdded(const std::vector<FilePtr>& added);
  void InferEpochs(std::vector<std::vector<FilePtr>>* levels);
  BlobFilesPtr LoadBlobFiles(const FamilyState& state,
                             const std::vector<LevelFilesPtr>& levels) const;
  // Takes over what a MANIFEST says of the family. Infers missing epochs.
  // Files that the current Version knows keep their objects, so that what is
  // open stays open.
  Status Load(const FamilyState& state);

  const uint32_t id_;
  const InternalKeyComparator icmp_;
  const std::shared_ptr<const FileHome> home_;
  const bool check_order_;

  VersionPtr current_;
  std::vector<std::weak_ptr<const Version>> live_;
  uint64_t next_version_id_ = 1;
  LevelStateInputs inputs_;
  LevelState level_state_;

  // Read without the mutex by the writer of a MANIFEST snapshot: either value
  // of a number that is just rising is right there.
  std::atomic<uint64_t> log_number_{0};
  uint64_t unflushed_from_ = 0;  // Below log_number_: of no interest.
  uint64_t next_epoch_ = kFirstEpoch;
  bool dropped_ = false;
  std::map<int, InternalKey> compact_cursors_;
  std::string full_history_ts_low_;
  bool persist_timestamps_ = true;
  bool misses_blob_files_ = false;

  // Over all files ever added: the average value behind CompensatedSize.
  uint64_t total_entries_ = 0;
  uint64_t total_value_bytes_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
