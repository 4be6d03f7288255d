// Images: what crashes leave of a file system in use, taken at many points.
//
// Place. One per life of a database in the crash explorer.
//
// Model. The collector is asked before each call that changes the disk. It
// draws whether to take an image and with which damage. Images are kept until
// the life is over, and then checked one by one. Equal images with equal
// promises are kept once.
//
// Threads. Before() may be called by any thread; the promise changes by one
// thread.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "env/mem/mem_file_system.h"
#include "test/stress/crash/lineage.h"
#include "test/support/hooked_fs.h"
#include "util/mutex.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {

// What must be there after a crash, and what may be.
struct Promise {
  uint64_t killed = 0;   // Writes that survive a killed process.
  uint64_t power = 0;    // Writes that survive a power cut.
  uint64_t started = 0;  // Writes that may be there.
  // Creating and dropping families: what survives a killed process, what a
  // power cut, and what was begun.
  size_t events_killed = 0;
  size_t events_power = 0;
  size_t events_started = 0;
  // Of families that do not log: writes that survive anything.
  std::map<uint32_t, uint64_t> flushed;
  // Checkpoints that are complete, and what each holds.
  std::map<std::string, std::shared_ptr<const FamilyRows>> checkpoints;
  // A recovery that skips damage has begun: there may be holes for ever.
  bool loose = false;
  // The same, of unsynced writes only: logs do not say where others end.
  bool gaps = false;
  // Some crash before has damaged a log that may still be there.
  bool damaged = false;
  // While recovery runs: a crash must not change its result.
  bool opening = false;
};

struct Image {
  std::shared_ptr<engine::MemFileSystem> disk;
  Promise promise;
  uint64_t call = 0;    // Calls that change the disk before the crash.
  std::string next_op;  // The call that did not happen.
  std::string damage;
  bool killed = false;       // Nothing was lost but what the process held.
  bool is_unsynced = false;  // The next crash may still take what this left.
  bool tail_only = false;    // What is missing is missing at the end of files.

  std::string ToString() const;
};

class ImageCollector {
 public:
  // Takes about `percent` of the chances, at most `images_max`.
  ImageCollector(std::shared_ptr<engine::MemFileSystem> disk, uint64_t seed,
                 uint64_t percent, size_t images_max);

  // The same disk, watched.
  std::shared_ptr<FileSystem> Watched();
  void SetPromise(const Promise& promise);
  // Takes a last image.
  void AtEnd();

  std::vector<Image> Take();
  uint64_t taken() const;  // Equal ones counted each time.

 private:
  void Before(const test::FileOp& op);
  void TakeOne(const std::string& next_op) REQUIRES_LOCK(mu_);

  const std::shared_ptr<engine::MemFileSystem> disk_;
  const uint64_t percent_;
  const size_t images_max_;
  mutable engine::Mutex mu_{engine::LockRank::kNone};
  engine::Random64 random_ GUARDED_BY(mu_);
  Promise promise_ GUARDED_BY(mu_);
  uint64_t calls_ GUARDED_BY(mu_) = 0;
  uint64_t taken_ GUARDED_BY(mu_) = 0;
  std::set<uint64_t> seen_ GUARDED_BY(mu_);
  std::vector<Image> images_ GUARDED_BY(mu_);
};

}  // namespace ROCKSDB_NAMESPACE::stress
