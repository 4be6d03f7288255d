#include "env/space/sst_file_manager.h"

#include <cassert>
#include <utility>

#include "rocksdb/env.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

Trash::Deps WithLiveBytes(Trash::Deps deps, SstFileManager* manager) {
  deps.live_bytes = [manager] { return manager->GetTotalSize(); };
  return deps;
}

}  // namespace

SstFileManagerImpl::SstFileManagerImpl(Trash::Deps deps,
                                       const Trash::Limits& limits)
    : trash_(WithLiveBytes(std::move(deps), this), limits) {}

void SstFileManagerImpl::AddFile(const void* owner, const std::string& path,
                                 uint64_t bytes) {
  MutexLock lock(&mu_);
  const auto [file, added] = files_.try_emplace(path);
  total_bytes_ += bytes - file->second.bytes;  // It may have been there.
  file->second = {owner, bytes};
}

void SstFileManagerImpl::Forget(const std::string& path) {
  MutexLock lock(&mu_);
  const auto file = files_.find(path);
  if (file == files_.end()) return;
  assert(total_bytes_ >= file->second.bytes);
  total_bytes_ -= file->second.bytes;
  files_.erase(file);
}

void SstFileManagerImpl::ForgetFilesOf(const void* owner) {
  MutexLock lock(&mu_);
  std::erase_if(files_, [&](const auto& entry) {
    mu_.AssertHeld();
    const bool gone = entry.second.owner == owner;
    if (gone) total_bytes_ -= entry.second.bytes;
    return gone;
  });
  assert(!files_.empty() || total_bytes_ == 0);
}

IOStatus SstFileManagerImpl::Delete(const std::string& path) {
  const IOStatus status = trash_.Delete(path);
  // What could not be deleted takes space, and is deleted again later.
  if (status.ok() || status.IsNotFound() || status.IsPathNotFound()) {
    Forget(path);
  }
  return status;
}

bool SstFileManagerImpl::MayReserve(uint64_t bytes) const {
  MutexLock lock(&mu_);
  if (bytes_max_ == 0) return true;
  const uint64_t taken = total_bytes_ + reserved_bytes_;
  if (taken > bytes_max_) return false;
  const uint64_t free = bytes_max_ - taken;
  return buffer_bytes_ <= free && bytes <= free - buffer_bytes_;
}

bool SstFileManagerImpl::has_reservations() const {
  MutexLock lock(&mu_);
  return reserved_bytes_ > 0;
}

SstFileManagerImpl::Reservation::Reservation(SstFileManagerImpl* manager,
                                             uint64_t bytes)
    : manager_(manager), bytes_(bytes) {
  MutexLock lock(&manager_->mu_);
  manager_->reserved_bytes_ += bytes_;
}

SstFileManagerImpl::Reservation::~Reservation() {
  MutexLock lock(&manager_->mu_);
  assert(manager_->reserved_bytes_ >= bytes_);
  manager_->reserved_bytes_ -= bytes_;
}

void SstFileManagerImpl::SetMaxAllowedSpaceUsage(uint64_t max_allowed_space) {
  MutexLock lock(&mu_);
  bytes_max_ = max_allowed_space;
}

void SstFileManagerImpl::SetCompactionBufferSize(
    uint64_t compaction_buffer_size) {
  MutexLock lock(&mu_);
  buffer_bytes_ = compaction_buffer_size;
}

bool SstFileManagerImpl::IsMaxAllowedSpaceReached() {
  MutexLock lock(&mu_);
  return bytes_max_ > 0 && total_bytes_ >= bytes_max_;
}

bool SstFileManagerImpl::IsMaxAllowedSpaceReachedIncludingCompactions() {
  MutexLock lock(&mu_);
  return bytes_max_ > 0 && total_bytes_ + reserved_bytes_ >= bytes_max_;
}

uint64_t SstFileManagerImpl::GetTotalSize() {
  MutexLock lock(&mu_);
  return total_bytes_;
}

std::unordered_map<std::string, uint64_t>
SstFileManagerImpl::GetTrackedFiles() {
  MutexLock lock(&mu_);
  std::unordered_map<std::string, uint64_t> sizes;
  for (const auto& [path, file] : files_) sizes.emplace(path, file.bytes);
  return sizes;
}

int64_t SstFileManagerImpl::GetDeleteRateBytesPerSecond() {
  return trash_.bytes_per_second();
}

void SstFileManagerImpl::SetDeleteRateBytesPerSecond(int64_t delete_rate) {
  trash_.set_bytes_per_second(delete_rate);
}

double SstFileManagerImpl::GetMaxTrashDBRatio() {
  return trash_.trash_share_max();
}

void SstFileManagerImpl::SetMaxTrashDBRatio(double ratio) {
  trash_.set_trash_share_max(ratio);
}

uint64_t SstFileManagerImpl::GetTotalTrashSize() {
  return trash_.trash_bytes();
}

void SstFileManagerImpl::SetStatisticsPtr(
    const std::shared_ptr<Statistics>& stats) {
  trash_.set_statistics(stats);
}

Status CheckSpaceLimit(SstFileManagerImpl* manager) {
  const bool reached =
      manager != nullptr && manager->IsMaxAllowedSpaceReached();
  return reached ? Status::SpaceLimit("Max allowed space was reached")
                 : Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

// NOLINTNEXTLINE(readability-function-size): the signature is public.
SstFileManager* NewSstFileManager(Env* env, std::shared_ptr<FileSystem> fs,
                                  std::shared_ptr<Logger> info_log,
                                  const std::string& /*trash_dir*/,
                                  int64_t rate_bytes_per_sec,
                                  bool /*delete_existing_trash*/,
                                  Status* status, double max_trash_db_ratio,
                                  uint64_t bytes_max_delete_chunk) {
  if (status != nullptr) *status = Status::OK();
  engine::Trash::Deps deps;
  deps.fs = std::move(fs);
  deps.clock = env->GetSystemClock();
  deps.info_log = std::move(info_log);
  engine::Trash::Limits limits;
  limits.bytes_per_second = rate_bytes_per_sec;
  limits.trash_share_max = max_trash_db_ratio;
  limits.chunk_bytes = bytes_max_delete_chunk;
  return new engine::SstFileManagerImpl(std::move(deps), limits);
}

// The signature is public.
// NOLINTBEGIN(readability-function-size,performance-unnecessary-value-param)
SstFileManager* NewSstFileManager(Env* env, std::shared_ptr<Logger> info_log,
                                  std::string /*trash_dir*/,
                                  int64_t rate_bytes_per_sec,
                                  bool delete_existing_trash, Status* status,
                                  double max_trash_db_ratio,
                                  uint64_t bytes_max_delete_chunk) {
  return NewSstFileManager(env, env->GetFileSystem(), std::move(info_log), "",
                           rate_bytes_per_sec, delete_existing_trash, status,
                           max_trash_db_ratio, bytes_max_delete_chunk);
}
// NOLINTEND(readability-function-size,performance-unnecessary-value-param)

}  // namespace ROCKSDB_NAMESPACE
