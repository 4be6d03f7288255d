// IoRing: many reads under way at once, through io_uring.
//
// Place. Below PosixRandomAccessFile::MultiRead and ReadAsync and
// PosixFileSystem::Poll and AbortIO; nothing else uses it.
//
// Model. One ring per thread, made at the thread's first use, with room for
// kDepth reads. Everything is optional. Where the kernel has no io_uring or a
// sandbox refuses it, ForThread() is null and plain reads are used. If the ring
// does not complete a read in full (refused, cancelled, short), the caller
// repeats it as a plain read. So the ring changes only how fast reads are. It
// talks to the kernel directly: the four structures it needs are in the
// kernel's header.
//
//   Start --> under way --Wait/RunAll--> done        result: bytes or -errno
//                 `------Cancel-------> done
//
// One system call submits several reads: RunAll does that, and Wait for the
// reads that Prepare has queued.
//
// A program that defines `extern "C" bool RocksDbIOUringEnable()` and returns
// false from it gets no rings.
//
// Invariants:
//   (1) At most kDepth operations are under way, so completions have room.
//   (2) A Read must not move until it is done.
//
// Threads. Thread-safe. A ring outlives its thread while reads hold it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class IoRing {
 public:
  static constexpr unsigned kDepth = 64;

  struct Read {
    int fd = -1;
    uint32_t bytes = 0;
    uint64_t offset = 0;
    char* buffer = nullptr;
    int result = 0;  // Bytes read, or -errno. Valid when done.
    bool done = false;
  };

  // The calling thread's ring; null where there is none to be had.
  static const std::shared_ptr<IoRing>& ForThread();

  ~IoRing();
  IoRing(const IoRing&) = delete;
  IoRing& operator=(const IoRing&) = delete;

  // Does all of them, as many at once as there is room for.
  void RunAll(Read* reads, size_t count) EXCLUDES_LOCK(mu_);
  // False: no room, or the kernel refused; nothing is under way then.
  bool Start(Read* read) EXCLUDES_LOCK(mu_);
  // The same, but the kernel hears of it no later than at the next call for
  // any read of this ring.
  bool Prepare(Read* read) EXCLUDES_LOCK(mu_);
  // Until all of them are done.
  void Wait(const Read* const* reads, size_t count) EXCLUDES_LOCK(mu_);
  // Returns once the kernel is done with the buffer.
  void Cancel(const Read* read) EXCLUDES_LOCK(mu_);

  // Calls of the kernel so far.
  uint64_t kernel_calls() const EXCLUDES_LOCK(mu_) {
    MutexLock lock(&mu_);
    return kernel_calls_;
  }

 private:
  struct Kernel;  // What is shared with the kernel.

  explicit IoRing(std::unique_ptr<Kernel> kernel);
  static std::shared_ptr<IoRing> Make();

  bool HasRoom() const REQUIRES_LOCK(mu_) { return under_way_ < kDepth; }
  bool MakeRoom() REQUIRES_LOCK(mu_);
  void Push(Read* read) REQUIRES_LOCK(mu_);
  // Hands over what was pushed and waits for `wait` completions. What the
  // kernel does not take is done, with an error.
  void Enter(unsigned wait) REQUIRES_LOCK(mu_);
  void Reap() REQUIRES_LOCK(mu_);
  void GiveUpPushed() REQUIRES_LOCK(mu_);
  static Read* ReadOf(uint64_t user_data);

  mutable Mutex mu_;
  const std::unique_ptr<Kernel> kernel_;
  unsigned under_way_ GUARDED_BY(mu_) = 0;  // Pushed and not reaped.
  uint64_t kernel_calls_ GUARDED_BY(mu_) = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
