// QueryTracer: writes the queries of one database to a trace.
//
// Place. In DbState. The commit pipeline, the façade and iterators ask
// Traces(), which is one relaxed load, and call the rest only when it says yes:
// without a trace a query takes no lock and allocates nothing.
//
// Model. `kinds_` says which kinds of queries are traced now; it is empty
// without a trace. A query passes the filter, then sampling, then the limit of
// the size, and becomes one record:
//
//   query -> kinds_ -> [mutex: every n-th -> size -> encode -> writer]
//
// A write is traced where it enters the pipeline, or, to preserve the order, by
// the leader of its group, once the log has the group.
//
// Invariants:
//   (1) The writer is used under `mu_` only, so End() waits for a record that
//       is being written, and a query that has seen an old `kinds_` finds no
//       writer, or that of the next trace.
//   (2) After a failed record nothing more is written; End() returns the error.
//   (3) No failure and no exception of the writer reaches a query.
//
// Threads. Any.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
class ColumnFamilyHandle;
class SystemClock;
class TraceWriter;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class QueryTracer {
 public:
  // Bits of `kinds_`. A trace has one of the first two at most.
  enum Kind : uint32_t {
    kWrite = 1 << 0,
    kOrderedWrite = 1 << 1,
    kGet = 1 << 2,
    kMultiGet = 1 << 3,
    kSeek = 1 << 4,
    kSeekForPrev = 1 << 5,
  };

  QueryTracer();
  ~QueryTracer();
  QueryTracer(const QueryTracer&) = delete;
  QueryTracer& operator=(const QueryTracer&) = delete;

  // Writes the header. See DB::StartTrace. `clock` must live until End().
  Status Start(const TraceOptions& options, SystemClock* clock,
               std::unique_ptr<TraceWriter> writer) EXCLUDES_LOCK(mu_);
  // Writes the end and closes. See DB::EndTrace.
  Status End() EXCLUDES_LOCK(mu_);

  bool Traces(Kind kind) const {
    return (kinds_.load(std::memory_order_relaxed) & kind) != 0;
  }

  // Each adds one record, unless the trace has ended meanwhile.
  void Write(Kind kind, const Slice& batch) EXCLUDES_LOCK(mu_);
  // A commit of two batches, which replays as one.
  void Write(Kind kind, const Slice& batch, const Slice& prepared)
      EXCLUDES_LOCK(mu_);
  void Get(uint32_t family, const Slice& key) EXCLUDES_LOCK(mu_);
  // `families`: one per key; null: all keys are of `family`.
  void MultiGet(ColumnFamilyHandle* const* families, ColumnFamilyHandle* family,
                const Slice* keys, size_t num_keys) EXCLUDES_LOCK(mu_);
  struct Bounds {
    const Slice* lower = nullptr;  // Null: none.
    const Slice* upper = nullptr;
  };
  void Seek(Kind kind, uint32_t family, const Slice& target,
            const Bounds& bounds) EXCLUDES_LOCK(mu_);

 private:
  // `encode(now, &record)`.
  template <typename Encode>
  void Add(Kind kind, const Encode& encode) EXCLUDES_LOCK(mu_);
  // Whether sampling takes this query, and there is room for it.
  bool Takes() REQUIRES_LOCK(mu_);
  template <typename Encode>
  Status WriteRecord(const Encode& encode) REQUIRES_LOCK(mu_);

  std::atomic<uint32_t> kinds_{0};

  Mutex mu_{LockRank::kNone};  // The writer is a program's own code.
  std::unique_ptr<TraceWriter> writer_ GUARDED_BY(mu_);  // Null: no trace.
  SystemClock* clock_ GUARDED_BY(mu_) = nullptr;
  uint64_t sampling_frequency_ GUARDED_BY(mu_) = 1;
  uint64_t size_max_ GUARDED_BY(mu_) = 0;
  uint64_t skipped_ GUARDED_BY(mu_) = 0;  // Since the last one that was taken.
  Status status_ GUARDED_BY(mu_);         // What has ended the trace.
  std::string record_ GUARDED_BY(mu_);    // Keeps its memory.
};

// What an iterator needs to trace its seeks.
struct SeekTrace {
  QueryTracer* tracer = nullptr;  // Null: they are never traced.
  uint32_t family = 0;

  void Seek(QueryTracer::Kind kind, const Slice& target, const Slice* lower,
            const Slice* upper) const {
    if (tracer == nullptr || !tracer->Traces(kind)) [[likely]]
      return;
    tracer->Seek(kind, family, target, {lower, upper});
  }
};

}  // namespace ROCKSDB_NAMESPACE::engine
