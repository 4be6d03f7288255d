#include "db/manifest/family_versions.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <utility>

#include "db/manifest/version_builder.h"
#include "util/cache/cache_reservation.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

std::shared_ptr<const FileHome> NewHome(uint32_t id, const FamilyConfig& config,
                                        ObsoleteFiles* obsolete) {
  auto home = std::make_shared<FileHome>();
  home->family_id = id;
  home->family_name = config.name;
  home->dirs = config.dirs;
  home->obsolete = obsolete;
  if (config.charged_cache != nullptr) {
    home->charge_to = std::make_shared<SharedReservation>(
        config.charged_cache, CacheEntryRole::kFileMetadata);
  }
  return home;
}

}  // namespace

FamilyVersions::FamilyVersions(uint32_t id, const FamilyConfig& config,
                               ObsoleteFiles* obsolete)
    : id_(id),
      icmp_(config.comparator),
      home_(NewHome(id, config, obsolete)),
      check_order_(config.force_consistency_checks) {
  assert(config.comparator != nullptr);
  inputs_.options = config.level_options;
  const size_t levels =
      static_cast<size_t>(std::max(config.level_options.num_levels, 1));
  Install(std::make_shared<Version>(&icmp_, std::vector<LevelFilesPtr>(levels),
                                    next_version_id_++));
}

FamilyVersions::~FamilyVersions() = default;

void FamilyVersions::Install(VersionPtr version) {
  assert(version != nullptr && &version->icmp() == &icmp_);
  assert(current_ == nullptr || current_->id() < version->id());
  std::erase_if(
      live_, [](const std::weak_ptr<const Version>& v) { return v.expired(); });
  live_.push_back(version);
  current_ = std::move(version);
  RefreshLevelState();
}

std::vector<VersionPtr> FamilyVersions::LiveVersions() const {
  std::vector<VersionPtr> versions;
  for (const std::weak_ptr<const Version>& v : live_) {
    if (VersionPtr version = v.lock()) versions.push_back(std::move(version));
  }
  assert(!versions.empty());  // The current one.
  return versions;
}

void FamilyVersions::SetLevelOptions(const LevelOptions& options) {
  inputs_.options = options;
  RefreshLevelState();
}

bool FamilyVersions::SetOldestSnapshot(SequenceNumber sequence,
                                       uint64_t now_secs) {
  inputs_.oldest_snapshot = sequence;
  inputs_.now_secs = now_secs;
  if (sequence < level_state_.bottommost_mark_threshold &&
      now_secs < level_state_.bottommost_due_secs) {
    return false;
  }
  RefreshLevelState();
  return true;
}

// MarkForBlobs() says what for.
void FamilyVersions::FollowGarbage(const VersionEdit& edit, bool collects,
                                   bool filters) {
  if (!collects && !edit.blob_garbage.empty()) ++inputs_.garbage_jobs;
  if (!collects || !filters) return;
  for (const NewFile& added : edit.new_files) {
    added.file->collected_after = inputs_.garbage_jobs;
  }
}

void FamilyVersions::RefreshLevelState() {
  level_state_ = ComputeLevelState(*current_, inputs_);
  assert(level_state_.num_levels == current_->num_levels());
}

void FamilyVersions::AccountAdded(const std::vector<FilePtr>& added) {
  for (const FilePtr& f : added) {
    if (!f->stats_loaded.load(std::memory_order_acquire)) continue;
    total_entries_ += f->num_entries.load(std::memory_order_relaxed);
    total_value_bytes_ += f->raw_value_bytes.load(std::memory_order_relaxed);
  }
  const uint64_t average =
      total_entries_ == 0 ? 0 : total_value_bytes_ / total_entries_;
  for (const FilePtr& f : added) {
    if (f->stats_loaded.load(std::memory_order_acquire)) {
      f->SetCompensatedSize(average);
    }
  }
}

// Writers before epochs existed ordered level 0 by sequence number alone.
void FamilyVersions::InferEpochs(std::vector<std::vector<FilePtr>>* levels) {
  assert(!levels->empty());
  for (std::vector<FilePtr>& files : *levels) {
    for (const FilePtr& file : files) file->epoch = kUnknownEpoch;
  }
  std::vector<FilePtr>& level0 = levels->front();
  std::sort(
      level0.begin(), level0.end(),
      [](const FilePtr& a, const FilePtr& b) { return NewerInLevel0(*a, *b); });
  // The first epoch stays free for files that are ingested behind all others.
  uint64_t epoch =
      inputs_.options.ingest_behind ? kFirstEpoch + 1 : kFirstEpoch;
  for (size_t level = levels->size() - 1; level >= 1; --level) {
    for (const FilePtr& file : (*levels)[level]) file->epoch = epoch;
    if (!(*levels)[level].empty()) ++epoch;
  }
  assert(epoch >= kFirstEpoch);
  for (auto it = level0.rbegin(); it != level0.rend(); ++it) {
    (*it)->epoch = epoch++;
  }
}

namespace {

std::unordered_map<uint64_t, FilePtr> FilesByNumber(const Version& version) {
  std::unordered_map<uint64_t, FilePtr> files;
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& file : version.files(level)) {
      files.emplace(file->number, file);
    }
  }
  return files;
}

// May the known object stand for what the MANIFEST says? Not when the MANIFEST
// now tells an epoch that was inferred before.
bool SameTable(const FileMetaData& known, const FileMetaData& said) {
  return known.size == said.size && known.unique_id[0] == said.unique_id[0] &&
         known.unique_id[1] == said.unique_id[1] &&
         (said.epoch == kUnknownEpoch || said.epoch == known.epoch);
}

}  // namespace

BlobFilesPtr FamilyVersions::LoadBlobFiles(
    const FamilyState& state, const std::vector<LevelFilesPtr>& levels) const {
  std::map<uint64_t, LiveBlobFile> all;
  for (const auto& [number, blob] : state.blob_files) {
    LiveBlobFile& live = all[number];
    const LiveBlobFile* const known = current_->blobs().Find(number);
    if (known != nullptr && known->total_bytes() == blob.addition.blob_bytes) {
      live.file = known->file;  // It may be open.
    } else {
      live.file = std::make_shared<BlobFile>(blob.addition);
      live.file->home = home_;
    }
    live.garbage_count = blob.garbage_count;
    live.garbage_bytes = blob.garbage_bytes;
  }
  // Those that are gone may have been deleted long ago.
  return LiveBlobFiles(all, levels, /*dropped=*/nullptr);
}

Status FamilyVersions::Load(const FamilyState& state) {
  const int num_levels = current_->num_levels();
  if (state.max_level() >= num_levels) {
    return Status::InvalidArgument(
        "column family '" + name() + "'",
        "expected num_levels above " + std::to_string(state.max_level()) +
            ", the highest level with files, found " +
            std::to_string(num_levels));
  }
  std::vector<std::vector<FilePtr>> files(static_cast<size_t>(num_levels));
  bool epochs_known = true;
  bool misses_blob_files = false;
  const std::unordered_map<uint64_t, FilePtr> known = FilesByNumber(*current_);
  for (const auto& [number, live] : state.files) {
    const auto found = known.find(number);
    const bool same =
        found != known.end() && SameTable(*found->second, *live.file);
    const FilePtr& file = same ? found->second : live.file;
    if (!same) file->GuessOldVersions();
    file->PadBoundaries(*icmp_.user_comparator());
    file->Settle(home_);
    epochs_known &= file->epoch != kUnknownEpoch;
    misses_blob_files |= file->oldest_blob_file != kNoBlobFile &&
                         !state.blob_files.contains(file->oldest_blob_file);
    files[static_cast<size_t>(live.level)].push_back(file);
  }
  if (!epochs_known) InferEpochs(&files);

  std::vector<LevelFilesPtr> levels;
  next_epoch_ = inputs_.options.ingest_behind ? kFirstEpoch + 1 : kFirstEpoch;
  for (int level = 0; level < num_levels; ++level) {
    std::vector<FilePtr>& list = files[static_cast<size_t>(level)];
    std::sort(list.begin(), list.end(),
              [&](const FilePtr& a, const FilePtr& b) {
                if (level == 0) return NewerInLevel0(*a, *b);
                return icmp_.Compare(a->smallest, b->smallest) < 0;
              });
    for (const FilePtr& file : list) {
      next_epoch_ = std::max(next_epoch_, file->epoch + 1);
    }
    levels.push_back(std::make_shared<LevelFiles>(std::move(list)));
    if (!check_order_) continue;
    const Status status = CheckLevelOrder(icmp_, level, *levels.back());
    if (!status.ok()) {
      return Status::Corruption("column family '" + name() + "'",
                                status.getState());
    }
  }
  log_number_ = state.log_number;
  compact_cursors_ = state.compact_cursors;
  full_history_ts_low_ = state.full_history_ts_low;
  persist_timestamps_ = state.persist_timestamps;
  misses_blob_files_ = misses_blob_files;
  BlobFilesPtr blobs = LoadBlobFiles(state, levels);
  Install(std::make_shared<Version>(&icmp_, std::move(levels),
                                    next_version_id_++, std::move(blobs)));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
