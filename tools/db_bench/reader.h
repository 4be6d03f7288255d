// Reader: point lookups of one thread, counted and paced.
//
// Place. The random reads, alone or concurrently with writers.
#pragma once

#include <cstdio>
#include <memory>

#include "rocksdb/snapshot.h"
#include "tools/db_bench/bench.h"
#include "tools/db_bench/flags.h"

namespace ROCKSDB_NAMESPACE::bench {

// With --explicit_snapshot: a snapshot for an iterator with these options,
// which must not outlive it. Otherwise null.
inline std::unique_ptr<ManagedSnapshot> SnapshotForIterator(
    DB* db, ReadOptions* options) {
  if (!FLAGS_explicit_snapshot) return nullptr;
  auto snapshot = std::make_unique<ManagedSnapshot>(db);
  options->snapshot = snapshot->snapshot();
  return snapshot;
}

class Reader {
 public:
  Reader(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        thread_(thread),
        options_(bench.read_options()),
        keys_(bench.key_shape()) {}

  // Looks `number` up. Ends the process when the database fails.
  void Get(uint64_t number) {
    const Slice key = keys_.Make(number);
    value_.Reset();
    const Target& target = bench_.PickTarget(&thread_->random);
    const Status s = target.db->Get(
        options_, target.PickFamily(&thread_->random), key, &value_);
    if (s.ok()) {
      ++found_;
      thread_->stats.AddBytes(key.size() + value_.size());
    } else if (!s.IsNotFound()) {
      Die("Get returned an error", s);
    }
    ++reads_;
    thread_->stats.FinishedOps(target.db.get(), 1, OpType::kRead);
    if (bench_.read_limiter() != nullptr && reads_ % 256 == 255) {
      bench_.read_limiter()->Request(256, Env::IO_HIGH, nullptr,
                                     RateLimiter::OpType::kRead);
      thread_->stats.StartOp();
    }
  }

  // "(17388 of 20000 found)" to the result line.
  void AddFoundMessage() {
    char message[100];
    std::snprintf(message, sizeof(message), "(%llu of %llu found)",
                  static_cast<unsigned long long>(found_),
                  static_cast<unsigned long long>(reads_));
    thread_->stats.AddMessage(message);
  }

 private:
  const Bench& bench_;
  ThreadState* const thread_;
  const ReadOptions options_;
  KeyMaker keys_;
  PinnableSlice value_;
  uint64_t reads_ = 0;
  uint64_t found_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::bench
