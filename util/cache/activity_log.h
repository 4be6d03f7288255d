// CacheActivityLog: the lookups and insertions of a cache, as lines of a file.
//
// Place. A simulated cache has one (sim_cache.cc).
//
// Model. Lines are collected in a buffer and written when it is full or when
// the log ends, which it does by Stop(), at the size that it may have, or with
// the first error.
//
//   LOOKUP - <key in hex>
//   ADD - <key in hex> - <charge in bytes>
//
// Invariant: active_ is true exactly while there is a file; it only saves
// callers the mutex while there is none.
//
// Threads. Any.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/mutex.h"
#include "util/no_memory.h"

namespace ROCKSDB_NAMESPACE::engine {

class CacheActivityLog {
 public:
  CacheActivityLog() = default;
  ~CacheActivityLog() { Stop(); }

  CacheActivityLog(const CacheActivityLog&) = delete;
  CacheActivityLog& operator=(const CacheActivityLog&) = delete;

  // Stops an earlier log. `bytes_max` 0: no limit. `env` must outlive the log.
  Status Start(Env* env, const std::string& path, uint64_t bytes_max)
      EXCLUDES_LOCK(mu_);
  void Stop() EXCLUDES_LOCK(mu_);
  // OK, or the error of the last log.
  Status status() const EXCLUDES_LOCK(mu_);

  void NoteLookup(const Slice& key) EXCLUDES_LOCK(mu_) {
    if (!active_.load(std::memory_order_acquire)) return;
    Note([&] { return "LOOKUP - " + key.ToString(/*hex=*/true) + "\n"; });
  }
  void NoteInsertion(const Slice& key, size_t charge) EXCLUDES_LOCK(mu_) {
    if (!active_.load(std::memory_order_acquire)) return;
    Note([&] {
      return "ADD - " + key.ToString(/*hex=*/true) + " - " +
             std::to_string(charge) + "\n";
    });
  }

 private:
  // Without memory the line is missing; the cache goes on.
  template <typename MakeLine>
  void Note(const MakeLine& make_line) EXCLUDES_LOCK(mu_) {
    (void)OrNoMemory([&] {
      AddLine(make_line());
      return Status::OK();
    });
  }
  void AddLine(const std::string& line) EXCLUDES_LOCK(mu_);
  void WriteBuffer() REQUIRES_LOCK(mu_);
  // Closes the file, if there is one.
  void End() REQUIRES_LOCK(mu_);

  std::atomic<bool> active_{false};  // Written under mu_.

  mutable Mutex mu_{LockRank::kNone};  // The Env is a program's own code.
  std::unique_ptr<WritableFile> file_ GUARDED_BY(mu_);  // Null: no log.
  std::string buffer_ GUARDED_BY(mu_);
  uint64_t written_ GUARDED_BY(mu_) = 0;  // Without the buffer.
  uint64_t bytes_max_ GUARDED_BY(mu_) = 0;
  Status status_ GUARDED_BY(mu_);
};

}  // namespace ROCKSDB_NAMESPACE::engine
