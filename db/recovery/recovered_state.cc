#include "db/recovery/recovered_state.h"

#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

Result<RecoveredState> ReadRecoveredState(
    FileSystem* fs, const RecoveryPlaces& places,
    const std::vector<FamilyConfig>& families, bool read_only,
    VersionSet* versions) {
  RecoveredState state;
  Result<VersionSet::Recovered> manifest =
      versions->Recover(families, read_only);
  if (!manifest.ok()) return manifest.status();
  state.manifest = std::move(*manifest);
  state.next_file_number_in_manifest = versions->next_file_number();

  Result<DirectoryListing> listing = ListDirectories(
      fs, places.db, places.wal_dir, places.dirs, /*missing_is_empty=*/true);
  if (!listing.ok()) return listing.status();
  state.listing = std::move(*listing);
  versions->StepOverFileNumber(state.listing.max_number);

  RETURN_IF_ERROR(CheckLiveFiles(fs, *versions));
  const uint64_t min_log_number = versions->MinLogNumberToKeep();
  RETURN_IF_ERROR(
      CheckTrackedLogs(fs, places.wal_dir, state.manifest, min_log_number));
  state.logs = LogsToReplay(state.listing, min_log_number);

  const Result<std::string> identity = ReadIdentityFile(fs, places.db);
  if (identity.ok()) {
    state.identity = *identity;
  } else if (!identity.status().IsNotFound()) {
    return identity.status();
  }
  return state;
}

}  // namespace ROCKSDB_NAMESPACE::engine
