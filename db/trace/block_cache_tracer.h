// BlockCacheTracer: gives the accesses of one database to its block cache to a
// writer.
//
// Place. In the StoreContext. Table readers ask active(), which is one relaxed
// load, and call Add() only when it says yes.
//
// Model. Sampling is by block: the hash of its key decides, so that all
// accesses to a block are traced, or none. What is left out takes no lock, and
// a writer of ours that is full makes the tracer inactive.
//
// Invariants:
//   (1) The writer is used under `mu_` only, so End() waits for an access that
//       is being written.
//   (2) After a failed access nothing more is written; End() returns the error.
//   (3) No failure and no exception of the writer reaches a reader.
//
// Threads. Any.

#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "rocksdb/status.h"
#include "table/block_access.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
class BlockCacheTraceWriter;
class SystemClock;
struct BlockCacheTraceOptions;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class OwnBlockTrace;

class BlockCacheTracer final : public BlockAccessTracer {
 public:
  BlockCacheTracer();
  ~BlockCacheTracer() override;

  // Writes the header. See DB::StartBlockCacheTrace. `clock` must live until
  // End().
  Status Start(const BlockCacheTraceOptions& options, SystemClock* clock,
               std::unique_ptr<BlockCacheTraceWriter> writer)
      EXCLUDES_LOCK(mu_);
  // Closes and destroys the writer. Its error if it is of ours; one of a
  // program's own closes in its destructor, if at all.
  Status End() EXCLUDES_LOCK(mu_);

  void Add(const BlockAccess& access) override EXCLUDES_LOCK(mu_);

 private:
  std::atomic<uint64_t> sampling_frequency_{1};

  Mutex mu_{LockRank::kNone};  // The writer is a program's own code.
  std::unique_ptr<BlockCacheTraceWriter> writer_ GUARDED_BY(mu_);  // Or null.
  OwnBlockTrace* own_ GUARDED_BY(mu_) = nullptr;  // `writer_` if it is of ours.
  SystemClock* clock_ GUARDED_BY(mu_) = nullptr;
  Status status_ GUARDED_BY(mu_);  // What has ended the trace.
};

}  // namespace ROCKSDB_NAMESPACE::engine
