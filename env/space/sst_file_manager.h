// SstFileManagerImpl: what the databases that share a SstFileManager tell it.
//
// Place. A database finds it in DBOptions::sst_file_manager. It adds the tables
// and blob files that its MANIFEST names, deletes them through it, reserves
// space before a compaction begins, and asks for the limit after each flush.
//
// Model. Two sums: the bytes of files by path, from AddFile() until Delete() or
// ForgetFilesOf(); and the inputs of running compactions (Reservation), because
// their outputs are not larger as a rule, and both are there for a while.
//
// Invariant: total_bytes is the sum of the files' bytes.
//
// Threads. As SstFileManager's; the DB mutex may be held where nothing is
// deleted.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "env/space/trash.h"
#include "rocksdb/sst_file_manager.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class SstFileManagerImpl final : public SstFileManager {
 public:
  SstFileManagerImpl(Trash::Deps deps, const Trash::Limits& limits);

  // Space that a compaction may need, until it ends.
  class Reservation {
   public:
    Reservation(SstFileManagerImpl* manager, uint64_t bytes);
    ~Reservation();
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;

   private:
    SstFileManagerImpl* const manager_;
    const uint64_t bytes_;
  };

  // `owner` stands for an open database.
  void AddFile(const void* owner, const std::string& path, uint64_t bytes)
      EXCLUDES_LOCK(mu_);
  // The database has been closed.
  void ForgetFilesOf(const void* owner) EXCLUDES_LOCK(mu_);
  // Forgets the file as well.
  IOStatus Delete(const std::string& path) EXCLUDES_LOCK(mu_);
  // False: a compaction that needs so much might exceed the limit.
  bool MayReserve(uint64_t bytes) const EXCLUDES_LOCK(mu_);
  bool has_reservations() const EXCLUDES_LOCK(mu_);

  void SetMaxAllowedSpaceUsage(uint64_t max_allowed_space) override;
  void SetCompactionBufferSize(uint64_t compaction_buffer_size) override;
  bool IsMaxAllowedSpaceReached() override;
  bool IsMaxAllowedSpaceReachedIncludingCompactions() override;
  uint64_t GetTotalSize() override;
  std::unordered_map<std::string, uint64_t> GetTrackedFiles() override;
  int64_t GetDeleteRateBytesPerSecond() override;
  void SetDeleteRateBytesPerSecond(int64_t delete_rate) override;
  double GetMaxTrashDBRatio() override;
  void SetMaxTrashDBRatio(double ratio) override;
  uint64_t GetTotalTrashSize() override;
  void SetStatisticsPtr(const std::shared_ptr<Statistics>& stats) override;

 private:
  struct File {
    const void* owner = nullptr;
    uint64_t bytes = 0;
  };

  void Forget(const std::string& path) EXCLUDES_LOCK(mu_);

  mutable Mutex mu_{LockRank::kSstFileManager};
  std::unordered_map<std::string, File> files_ GUARDED_BY(mu_);
  uint64_t total_bytes_ GUARDED_BY(mu_) = 0;
  uint64_t reserved_bytes_ GUARDED_BY(mu_) = 0;
  uint64_t bytes_max_ GUARDED_BY(mu_) = 0;  // 0: no limit.
  uint64_t buffer_bytes_ GUARDED_BY(mu_) = 0;
  Trash trash_;
};

// After a flush: SpaceLimit where the limit has been reached. `manager` may be
// null.
Status CheckSpaceLimit(SstFileManagerImpl* manager);

}  // namespace ROCKSDB_NAMESPACE::engine
