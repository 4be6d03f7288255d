#include "db/manifest/version_set.h"

#include <algorithm>
#include <cassert>

#include "db/format/file_names.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

template <typename T>
void RaiseAtomic(std::atomic<T>* target, T at_least) {
  T seen = target->load(std::memory_order_relaxed);
  while (seen < at_least && !target->compare_exchange_weak(
                                seen, at_least, std::memory_order_relaxed)) {
  }
  assert(target->load(std::memory_order_relaxed) >= at_least);
}

Status CheckListed(const ManifestState& state,
                   const std::vector<FamilyConfig>& families, bool read_only,
                   std::vector<std::string>* unopened) {
  bool has_default = false;
  for (const FamilyConfig& config : families) {
    has_default |= config.name == "default";
  }
  if (!has_default) {
    return Status::InvalidArgument("Default column family not specified");
  }
  std::string names;
  for (const auto& [id, family] : state.families) {
    const bool listed = std::any_of(
        families.begin(), families.end(),
        [&](const FamilyConfig& config) { return config.name == family.name; });
    if (listed) continue;
    unopened->push_back(family.name);
    names += (names.empty() ? "" : ", ") + family.name;
  }
  if (names.empty() || read_only) return Status::OK();
  return Status::InvalidArgument("Column families not opened: " + names);
}

Status CheckComparator(const FamilyState& state, const FamilyConfig& config) {
  // A new database records its order with its first change; until then there
  // is nothing that could be in another one.
  if (state.comparator_name.empty() && state.files.empty()) return Status::OK();
  const std::string recorded = state.comparator_name.empty()
                                   ? BytewiseComparator()->Name()
                                   : state.comparator_name;
  if (recorded == config.comparator->Name()) return Status::OK();
  // RocksDB's words, which programs look for.
  return Status::InvalidArgument(
      config.comparator->Name(),
      "does not match existing comparator " + recorded);
}

}  // namespace

VersionSet::VersionSet(Deps deps) : deps_(std::move(deps)) {}

VersionSet::~VersionSet() = default;

Status VersionSet::CreateManifest(FileSystem* fs, const std::string& db,
                                  const std::string& db_id,
                                  const FileOptions& options) {
  VersionEdit edit;
  if (!db_id.empty()) edit.db_id = db_id;
  edit.log_number = 0;
  edit.next_file_number = 2;
  edit.last_sequence = 0;
  std::string record;
  edit.EncodeTo(&record);

  const std::string name = DescriptorFileName(db, 1);
  Result<std::unique_ptr<WritableFileWriter>> file =
      WritableFileWriter::Create(fs, name, options);
  if (!file.ok()) return file.status();
  wal::Writer log(std::move(*file), 1, /*recycle=*/false,
                  /*manual_flush=*/true);
  Status status = log.AddRecord(record);
  if (status.ok()) status = log.Sync(/*use_fsync=*/false);
  const Status closed = log.Close();
  if (status.ok()) status = closed;
  // The MANIFEST's name must be there before CURRENT's can be.
  if (status.ok()) status = SyncDirectory(fs, db);
  if (!status.ok()) {
    fs->DeleteFile(name, IOOptions(), nullptr).PermitUncheckedError();
    return status;
  }
  // From here on CURRENT may or may not name the new file, so it stays.
  return SetCurrentFile(fs, db, 1, nullptr);
}

Result<VersionSet::Recovered> VersionSet::Recover(
    const std::vector<FamilyConfig>& families, bool read_only) {
  Result<ManifestState> state = ReadManifest(deps_.fs, deps_.db);
  if (!state.ok()) return state.status();
  return Adopt(*state, families, read_only);
}

Result<VersionSet::Recovered> VersionSet::Adopt(
    const ManifestState& state, const std::vector<FamilyConfig>& families,
    bool read_only) {
  assert(families_.empty() && queue_.empty());
  Recovered recovered;
  recovered.manifest_number = state.manifest_number;
  recovered.manifest_db_id = state.db_id;
  recovered.torn_tail = state.torn_tail;
  if (deps_.track_wals) recovered.tracked_wals = state.wals;
  RETURN_IF_ERROR(
      CheckListed(state, families, read_only, &recovered.unopened_families));
  for (const FamilyConfig& config : families) {
    const FamilyState* found = state.FindFamily(config.name);
    assert(config.comparator != nullptr);
    if (found == nullptr) {
      recovered.missing_families.push_back(config.name);
      continue;
    }
    RETURN_IF_ERROR(CheckComparator(*found, config));
    auto family =
        std::make_unique<FamilyVersions>(found->id, config, deps_.obsolete);
    RETURN_IF_ERROR(LoadFamily(state, *found, family.get()));
    families_.emplace(found->id, std::move(family));
  }
  TakeNumbers(state);
  SetLastAllocatedSequence(state.last_sequence);
  SetLastSequence(state.last_sequence);
  return recovered;
}

Status VersionSet::LoadFamily(const ManifestState& state,
                              const FamilyState& of_family,
                              FamilyVersions* family) const {
  Status status = family->Load(of_family);
  if (!status.IsCorruption()) return status;
  return Status::Corruption(DescriptorFileName(deps_.db, state.manifest_number),
                            status.getState());
}

namespace {

uint64_t HighestFileNumber(const Version& version) {
  uint64_t highest = 0;
  for (int level = 0; level < version.num_levels(); ++level) {
    for (const FilePtr& f : version.files(level)) {
      highest = std::max(highest, f->number);
    }
  }
  const std::vector<LiveBlobFile>& blobs = version.blobs().files;
  return blobs.empty() ? highest : std::max(highest, blobs.back().number());
}

}  // namespace

void VersionSet::TakeNumbers(const ManifestState& state) {
  manifest_number_ = state.manifest_number;
  manifest_bytes_ = state.manifest_bytes;
  max_column_family_ = state.max_column_family;
  min_log_number_to_keep_ = state.min_log_number_to_keep;
  db_id_ = state.db_id;
  // Not tracking any more, the next MANIFEST says nothing of them.
  if (deps_.track_wals) wals_ = state.wals;
  RaiseAtomic(&next_file_number_, state.next_file_number);
  StepOverFileNumber(manifest_number_);
  StepOverFileNumber(state.log_number);
  // A new log must not count as one that is no longer needed.
  StepOverFileNumber(min_log_number_to_keep_);
  // Whatever the MANIFEST says of the next number: none is used twice.
  for (const auto& [id, family] : families_) {
    StepOverFileNumber(HighestFileNumber(*family->current()));
  }
}

Status VersionSet::Follow(const ManifestState& state) {
  for (auto it = families_.begin(); it != families_.end();) {
    const auto found = state.families.find(it->first);
    if (found != state.families.end()) {
      RETURN_IF_ERROR(LoadFamily(state, found->second, it->second.get()));
      ++it;
      continue;
    }
    it->second->dropped_ = true;
    assert(it->second->id() == it->first);
    dropped_.push_back(std::move(it->second));
    it = families_.erase(it);
  }
  TakeNumbers(state);
  return Status::OK();
}

Status VersionSet::Close() {
  if (manifest_ == nullptr) return Status::OK();
  assert(queue_.empty());  // No edit is being written.
  const Status status = manifest_->Close();
  manifest_.reset();
  return status;
}

FamilyVersions* VersionSet::family(uint32_t id) const {
  const auto it = families_.find(id);
  return it == families_.end() ? nullptr : it->second.get();
}

FamilyVersions* VersionSet::family(const std::string& name) const {
  for (const auto& [id, family] : families_) {
    if (family->name() == name) return family.get();
  }
  return nullptr;
}

std::vector<FamilyVersions*> VersionSet::families() const {
  std::vector<FamilyVersions*> all;
  all.reserve(families_.size());
  for (const auto& [id, family] : families_) all.push_back(family.get());
  return all;
}

void VersionSet::ForgetFamily(FamilyVersions* family) {
  assert(family->dropped());
  [[maybe_unused]] const size_t gone = std::erase_if(
      dropped_, [family](const auto& f) { return f.get() == family; });
  assert(gone == 1);
}

void VersionSet::StepOverFileNumber(uint64_t number) {
  assert(number <= kFileNumberMax);
  RaiseAtomic(&next_file_number_, number + 1);
}

uint64_t VersionSet::MinLogNumber() const {
  uint64_t min = UINT64_MAX;
  for (const auto& [id, family] : families_) {
    min = std::min(min, family->log_number());
  }
  return min;
}

uint64_t VersionSet::MinLogNumberToKeep() const {
  return min_log_number_to_keep_ != 0 ? min_log_number_to_keep_
                                      : MinLogNumber();
}

namespace {

void AddFilesOf(const FamilyVersions& family, std::set<uint64_t>* numbers) {
  for (const VersionPtr& version : family.LiveVersions()) {
    for (int level = 0; level < version->num_levels(); ++level) {
      for (const FilePtr& f : version->files(level)) numbers->insert(f->number);
    }
  }
}

}  // namespace

void VersionSet::AddLiveFiles(std::set<uint64_t>* numbers) const {
  for (const auto& [id, family] : families_) AddFilesOf(*family, numbers);
  for (const auto& family : dropped_) AddFilesOf(*family, numbers);
}

void VersionSet::AddLiveBlobFiles(std::set<uint64_t>* numbers) const {
  const auto add = [numbers](const FamilyVersions& family) {
    for (const VersionPtr& version : family.LiveVersions()) {
      for (const LiveBlobFile& blob : version->blobs().files) {
        numbers->insert(blob.number());
      }
    }
  };
  for (const auto& [id, family] : families_) add(*family);
  for (const auto& family : dropped_) add(*family);
}

Result<std::vector<std::string>> ListFamilies(FileSystem* fs,
                                              const std::string& db) {
  Result<ManifestState> state = ReadManifest(fs, db);
  if (!state.ok()) return state.status();
  std::vector<std::string> names;
  for (const auto& [id, family] : state->families) {
    names.push_back(family.name);
  }
  return names;
}

}  // namespace ROCKSDB_NAMESPACE::engine
