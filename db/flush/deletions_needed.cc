#include "db/flush/deletions_needed.h"

#include <cassert>

#include "table/table_reader.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

// A table that cannot be opened may hold anything.
bool DeletionsNeeded::FileMayHold(int level, size_t index,
                                  const Slice& user_key) {
  if (tables_ == nullptr) return true;
  const auto at = static_cast<size_t>(level);
  assert(at < readers_.size() && index < readers_[at].size());
  std::optional<TableCache::Handle>& reader = readers_[at][index];
  if (!reader.has_value()) {
    const FileMetaData& file = *version_->level(level).flat[index].file;
    Result<TableCache::Handle> found =
        tables_->Find(file, level, Env::IOActivity::kFlush);
    if (!found.ok()) return true;
    reader.emplace(std::move(*found));
  }
  return !(*reader)->KeyCannotMatch(user_key);
}

bool DeletionsNeeded::operator()(const Slice& user_key) {
  const InternalKeyComparator& icmp = version_->icmp();
  const auto holds = [&](const LevelFile& file) {
    return icmp.CompareUserKey(user_key, file.smallest_user_key()) >= 0 &&
           icmp.CompareUserKey(user_key, file.largest_user_key()) <= 0;
  };
  const std::vector<LevelFile>& runs = version_->level(0).flat;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (holds(runs[i]) && FileMayHold(/*level=*/0, i, user_key)) return true;
  }
  for (int level = 1; level < version_->num_non_empty_levels(); ++level) {
    const std::vector<LevelFile>& files = version_->level(level).flat;
    size_t& at = cursors_[static_cast<size_t>(level)];
    while (at < files.size() &&
           icmp.CompareUserKey(user_key, files[at].largest_user_key()) > 0) {
      ++at;
    }
    // A file may end, with a range deletion, where the next one begins.
    for (size_t i = at; i < files.size() && holds(files[i]); ++i) {
      if (FileMayHold(level, i, user_key)) return true;
    }
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE::engine
