#include "env/space/trash.h"

#include <cassert>
#include <new>
#include <system_error>
#include <utility>

#include "util/clock_wait.h"
#include "util/mutex_unlock.h"
#include "util/no_memory.h"
#include "util/statistics.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Names tried for a file whose trash name is taken.
constexpr int kNamesMax = 1000;
constexpr double kMicrosPerSecond = 1e6;

}  // namespace

Trash::Trash(Deps deps, const Limits& limits)
    : deps_(std::move(deps)),
      chunk_bytes_(limits.chunk_bytes),
      bytes_per_second_(limits.bytes_per_second),
      trash_share_max_(limits.trash_share_max) {}

Trash::~Trash() {
  std::thread thread;
  {
    MutexLock lock(&mu_);
    stopped_ = true;
    changed_.SignalAll();
    thread = std::move(thread_);
  }
  if (thread.joinable()) thread.join();
}

bool Trash::GoesAtOnce() const {
  if (bytes_per_second_.load() <= 0) return true;
  return static_cast<double>(trash_bytes_.load()) >
         trash_share_max_.load() * static_cast<double>(deps_.live_bytes());
}

IOStatus Trash::DeleteNow(const std::string& path) {
  IOStatus status = deps_.fs->DeleteFile(path, IOOptions(), nullptr);
  if (status.ok()) Count(FILES_DELETED_IMMEDIATELY);
  return status;
}

IOStatus Trash::Delete(const std::string& path) {
  File file;
  if (IsQueued(path)) return IOStatus::OK();
  const IOStatus known =
      deps_.fs->GetFileSize(path, IOOptions(), &file.bytes, nullptr);
  if (!known.ok() || GoesAtOnce()) return DeleteNow(path);
  if (path.ends_with(kTrashSuffix)) {
    file.path = path;
  } else if (!Rename(path, &file.path).ok()) {
    return DeleteNow(path);
  } else {
    Count(FILES_MARKED_TRASH);
  }
  const std::string trash = file.path;
  // What fails now has lost its name all the same: the next scan finds it.
  if (!Queue(std::move(file))) (void)DeleteNow(trash);
  return IOStatus::OK();
}

IOStatus Trash::Rename(const std::string& path, std::string* trash) const {
  for (int i = 0; i < kNamesMax; ++i) {
    *trash = path + (i == 0 ? "" : std::to_string(i));
    *trash += kTrashSuffix;
    // Another file may have had this name, and wait.
    if (deps_.fs->FileExists(*trash, IOOptions(), nullptr).ok()) continue;
    return deps_.fs->RenameFile(path, *trash, IOOptions(), nullptr);
  }
  return IOStatus::Aborted(path, "all names for its trash are taken");
}

bool Trash::IsQueued(const std::string& path) const {
  MutexLock lock(&mu_);
  return queued_.contains(path);
}

bool Trash::Queue(File file) {
  MutexLock lock(&mu_);
  if (!StartThread()) return false;
  const auto [queued, added] = queued_.insert(file.path);
  if (!added) return true;  // (3)
  const uint64_t bytes = file.bytes;
  try {
    queue_.push_back(std::move(file));
  } catch (const std::bad_alloc&) {
    queued_.erase(queued);
    throw;
  }
  trash_bytes_ += bytes;
  changed_.SignalAll();
  return true;
}

bool Trash::StartThread() {
  mu_.AssertHeld();
  if (stopped_) return false;
  if (thread_.joinable()) return true;
  try {
    thread_ = std::thread([this] { ThreadMain(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

void Trash::ThreadMain() {
  MutexLock lock(&mu_);
  while (!stopped_) {
    if (queue_.empty()) {
      changed_.Wait(&mu_);
      continue;
    }
    const int64_t rate = bytes_per_second_.load();
    const auto bytes = static_cast<double>(DeleteSome());
    changed_.SignalAll();
    if (rate <= 0) continue;
    const uint64_t due = deps_.clock->NowMicros() +
                         static_cast<uint64_t>(bytes * kMicrosPerSecond /
                                               static_cast<double>(rate));
    while (!stopped_ && bytes_per_second_.load() == rate &&
           deps_.clock->NowMicros() < due) {
      WaitOnClock(deps_.clock.get(), &changed_, &mu_, due);
    }
  }
}

// Only this thread takes files off the queue, so that the first one stays where
// it is meanwhile.
uint64_t Trash::DeleteSome() {
  mu_.AssertHeld();
  File& file = queue_.front();
  bool is_cut = false;
  bool is_freed = false;  // Else there is nothing to wait for.
  const std::shared_ptr<Statistics> statistics = statistics_;
  {
    const MutexUnlock unlock(&mu_);
    // Without memory it counts as gone, and is left for the next scan.
    (void)OrNoMemory([&] {
      is_cut = CutOff(file);
      is_freed = is_cut || DeleteLast(file, statistics.get());
      return Status::OK();
    });
  }
  const uint64_t bytes = is_cut ? chunk_bytes_ : file.bytes;
  assert(bytes <= file.bytes && bytes <= trash_bytes_.load());  // (2)
  trash_bytes_ -= bytes;
  file.bytes -= bytes;
  if (!is_cut) {
    queued_.erase(file.path);
    queue_.pop_front();
  }
  return is_freed ? bytes : 0;
}

bool Trash::DeleteLast(const File& file, Statistics* statistics) const {
  const IOStatus status = deps_.fs->DeleteFile(file.path, IOOptions(), nullptr);
  if (status.ok()) {
    RecordTick(statistics, FILES_DELETED_FROM_TRASH_QUEUE);
  } else if (!status.IsNotFound() && !status.IsPathNotFound()) {
    Warn(deps_.info_log.get(), "%s is left for the next scan: %s",
         file.path.c_str(), status.ToString().c_str());
  }
  return status.ok();
}

// A file with another name is in use under that name.
bool Trash::CutOff(const File& file) const {
  if (chunk_bytes_ == 0 || file.bytes <= chunk_bytes_) return false;
  FileSystem& fs = *deps_.fs;
  uint64_t links = 0;
  return fs.NumFileLinks(file.path, IOOptions(), &links, nullptr).ok() &&
         links == 1 &&
         fs.Truncate(file.path, file.bytes - chunk_bytes_, IOOptions(), nullptr)
             .ok();
}

void Trash::AwaitEmpty() {
  MutexLock lock(&mu_);
  while (!queue_.empty()) changed_.Wait(&mu_);
}

void Trash::set_bytes_per_second(int64_t rate) {
  MutexLock lock(&mu_);
  bytes_per_second_.store(rate);
  changed_.SignalAll();
}

void Trash::set_statistics(std::shared_ptr<Statistics> statistics) {
  MutexLock lock(&mu_);
  statistics_ = std::move(statistics);
}

void Trash::Count(uint32_t ticker) {
  std::shared_ptr<Statistics> statistics;
  {
    MutexLock lock(&mu_);
    statistics = statistics_;
  }
  RecordTick(statistics.get(), ticker);
}

}  // namespace ROCKSDB_NAMESPACE::engine
