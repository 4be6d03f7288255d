// ReaderCache: the open tables and blob files of all families, limited in
// number by max_open_files.
//
// Place. One per open database. TableCache and BlobSource look here for the
// readers that no file's object keeps.
//
// Model. A limit is divided among shards, so a low one needs a cache without
// them. At most one of the two caches is in use, and none without a limit:
//
//   -1: none     up to 73: alone_     more: sharded_
//
// What the other one holds is closed as soon as no reader uses it.
//
// Invariants:
//   (1) A cache lives as long as this: handles refer to it.
//   (2) One that is not in use has no capacity.
//
// Threads. Any. Only a change of the limit takes the lock, because it closes
// files; the others may hold the DB mutex.

#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "rocksdb/advanced_cache.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

class ReaderCache {
 public:
  ReaderCache(int max_open_files, int table_cache_numshardbits);

  // Closes what is above the limit and not in use.
  void SetMaxOpenFiles(int max_open_files) EXCLUDES_LOCK(mu_);

  // What is opened now goes there; null without a limit: to the file's object.
  Cache* current() const { return current_.load(std::memory_order_acquire); }

  void Erase(const Slice& key) const;
  void ForEach(const Cache::EntryCallback& fn) const;

 private:
  const int shard_bits_;
  Mutex mu_{LockRank::kTableCache};
  std::shared_ptr<Cache> alone_ GUARDED_BY(mu_);
  std::shared_ptr<Cache> sharded_ GUARDED_BY(mu_);
  std::array<std::atomic<Cache*>, 2> made_{};  // These two; null: not made.
  std::atomic<Cache*> current_{nullptr};
};

}  // namespace ROCKSDB_NAMESPACE::engine
