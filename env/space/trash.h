// Trash: deletes files at a limited rate, because a disk that frees much space
// at once is busy for a while, and reads and logs wait.
//
// Place. Below SstFileManagerImpl. Knows paths and bytes, no databases.
//
// Model.
//
//   Delete --no limit, or too much trash--> deleted at once
//          --otherwise--> renamed to NAME.trash --> queue --> thread: deletes
//          the first one, or cuts a chunk off it, and sleeps for as long as its
//          bytes may take
//
// Invariants:
//   (1) A file is renamed before Delete() returns: it no longer has a name that
//       a database looks for.
//   (2) trash_bytes() is the sum of what is in the queue.
//   (3) A path is in the queue at most once.
//
// What is in the queue at the end, or cannot be deleted, stays on the disk; the
// next scan of its directory gives it to a Trash again.
//
// Threads. Every function may be called from any thread.

#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// Ends the name of a file that waits for deletion.
constexpr std::string_view kTrashSuffix = ".trash";

class Trash {
 public:
  struct Deps {
    std::shared_ptr<FileSystem> fs;
    std::shared_ptr<SystemClock> clock;
    std::shared_ptr<Logger> info_log;      // May be null.
    std::function<uint64_t()> live_bytes;  // Of all files that are in use.
  };
  struct Limits {
    int64_t bytes_per_second = 0;   // 0 or less: no limit.
    double trash_share_max = 0.25;  // Of live_bytes.
    uint64_t chunk_bytes = 0;       // 0: files are deleted as a whole.
  };

  Trash(Deps deps, const Limits& limits);
  // Waits for the file that is being deleted.
  ~Trash();
  Trash(const Trash&) = delete;
  Trash& operator=(const Trash&) = delete;

  // Deletes the file, or takes its name away and deletes it later. NotFound or
  // PathNotFound, as the file system says: there is no such file.
  IOStatus Delete(const std::string& path) EXCLUDES_LOCK(mu_);
  // Returns once nothing waits. For tests.
  void AwaitEmpty() EXCLUDES_LOCK(mu_);

  int64_t bytes_per_second() const { return bytes_per_second_.load(); }
  void set_bytes_per_second(int64_t rate) EXCLUDES_LOCK(mu_);
  double trash_share_max() const { return trash_share_max_.load(); }
  void set_trash_share_max(double share) { trash_share_max_.store(share); }
  uint64_t trash_bytes() const { return trash_bytes_.load(); }
  void set_statistics(std::shared_ptr<Statistics> statistics)
      EXCLUDES_LOCK(mu_);

 private:
  struct File {
    std::string path;
    uint64_t bytes = 0;
  };

  bool GoesAtOnce() const;
  IOStatus DeleteNow(const std::string& path) EXCLUDES_LOCK(mu_);
  IOStatus Rename(const std::string& path, std::string* trash) const;
  bool IsQueued(const std::string& path) const EXCLUDES_LOCK(mu_);
  // False: there is no thread for it. True: it will be deleted.
  bool Queue(File file) EXCLUDES_LOCK(mu_);
  bool StartThread() REQUIRES_LOCK(mu_);
  void ThreadMain() EXCLUDES_LOCK(mu_);
  // A chunk of the first file, or what is left of it. Returns the bytes that
  // this has freed.
  uint64_t DeleteSome() REQUIRES_LOCK(mu_);
  // Cuts a chunk off a large file. False: it has to go as a whole.
  bool CutOff(const File& file) const;
  bool DeleteLast(const File& file, Statistics* statistics) const;
  void Count(uint32_t ticker) EXCLUDES_LOCK(mu_);

  const Deps deps_;
  const uint64_t chunk_bytes_;
  std::atomic<int64_t> bytes_per_second_;
  std::atomic<double> trash_share_max_;
  std::atomic<uint64_t> trash_bytes_{0};

  mutable Mutex mu_{LockRank::kTrash};
  CondVar changed_;
  std::deque<File> queue_ GUARDED_BY(mu_);
  std::unordered_set<std::string> queued_ GUARDED_BY(mu_);
  bool stopped_ GUARDED_BY(mu_) = false;
  std::shared_ptr<Statistics> statistics_ GUARDED_BY(mu_);
  std::thread thread_ GUARDED_BY(mu_);
};

}  // namespace ROCKSDB_NAMESPACE::engine
