// ObsoleteFiles: table and blob files that no Version names any more.
//
// Place. Filled by the destructors of FileMetaData and BlobFile, in the thread
// that drops the last reference; emptied by db/file_deletion.
//
// Invariant: a file is added at most once, and only after an edit that removed
// it was written to the MANIFEST and the last Version that held it has died.
//
// Threads. Thread-safe; takes no other lock. The listener is called in the
// thread that dropped the reference, which may hold any lock that comes before
// kObsoleteFiles (util/lock_rank.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/types.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

struct ObsoleteFile {
  uint64_t number = 0;
  uint64_t size = 0;
  std::string path;  // Directory and name.
  uint32_t family_id = 0;
  FileType type = kTableFile;
};

class SharedReservation;

class ObsoleteFiles {
 public:
  // Called when the first file of a batch comes, and by NotifyListener(). Set
  // before files are shared.
  void SetListener(std::function<void()> listener) {
    listener_ = std::move(listener);
  }
  // There may be more than was added: a family that was dropped has died.
  void NotifyListener() const {
    if (listener_) listener_();
  }

  void Add(ObsoleteFile file) EXCLUDES_LOCK(mu_) {
    bool first = false;
    {
      MutexLock lock(&mu_);
      first = files_.empty();
      bytes_.fetch_add(file.size, std::memory_order_relaxed);
      files_.push_back(std::move(file));
      count_.store(files_.size(), std::memory_order_release);
    }
    if (first) NotifyListener();
  }

  std::vector<ObsoleteFile> Take() EXCLUDES_LOCK(mu_) {
    MutexLock lock(&mu_);
    bytes_.store(0, std::memory_order_relaxed);
    count_.store(0, std::memory_order_release);
    return std::exchange(files_, {});
  }

  // May be asked at any time without a lock.
  bool empty() const { return size() == 0; }
  size_t size() const { return count_.load(std::memory_order_acquire); }
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  std::function<void()> listener_;
  Mutex mu_{LockRank::kObsoleteFiles};
  std::vector<ObsoleteFile> files_ GUARDED_BY(mu_);
  std::atomic<size_t> count_{0};
  std::atomic<uint64_t> bytes_{0};
};

// Where a column family's table files live, and who is told when one dies.
// Shared by all of its files.
struct FileHome {
  uint32_t family_id = 0;
  std::string family_name;
  std::vector<std::string> dirs;      // By path id; at least one.
  ObsoleteFiles* obsolete = nullptr;  // Null: in tools and read-only databases.
  // Charged for what is known of the files; null: not charged.
  std::shared_ptr<SharedReservation> charge_to;

  // An id beyond the list means the last entry.
  const std::string& Dir(uint32_t path_id) const {
    return path_id < dirs.size() ? dirs[path_id] : dirs.back();
  }
};

}  // namespace ROCKSDB_NAMESPACE::engine
