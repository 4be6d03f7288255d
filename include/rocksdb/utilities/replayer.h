// Replayer: executes the records of a query trace in a database.
//
// Place. DB::NewDefaultReplayer() makes one.
//
// Model. Prepare() reads the header of the trace. Then either Next() and
// Execute() one record at a time, or Replay() all that are left.
//
// Threads. Next() and Execute() from any thread; Prepare() and Replay() while
// no other call runs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class TraceRecord;
class TraceRecordResult;

struct ReplayOptions {
  // Threads that execute records. Up to 1 (default): the calling thread, in the
  // order of the trace. With more, records that are due may be executed in any
  // order, writes included.
  uint32_t num_threads;

  // How many times as fast as traced. 1.0 (default): with the delays of the
  // trace; 2.0: with half of them. Must be larger than 0.
  double fast_forward;

  ReplayOptions() : num_threads(1), fast_forward(1.0) {}
  ReplayOptions(uint32_t num_of_threads, double fast_forward_ratio)
      : num_threads(num_of_threads), fast_forward(fast_forward_ratio) {}
};

class Replayer {
 public:
  virtual ~Replayer() = default;

  // Reads the header, also to begin again.
  // Errors: Corruption when this is no trace; NotSupported for a version of the
  // format that is not known; those of the reader.
  virtual Status Prepare() = 0;

  // When the trace was started: microseconds of the traced database's clock.
  // 0 before Prepare().
  virtual uint64_t GetHeaderTimestamp() const = 0;

  // The next record.
  // Errors: Incomplete before Prepare() and after the last record;
  // NotSupported for a record of another kind of trace, after which the next
  // one may be read; Corruption; those of the reader.
  virtual Status Next(std::unique_ptr<TraceRecord>* record) = 0;

  // Executes `record`. What the operation answered is in `*result`, unless
  // `result` is null; NotFound of a Get is no error here.
  // Errors: those of the handler (TraceRecord::NewExecutionHandler());
  // Incomplete before Prepare(); InvalidArgument without a record.
  virtual Status Execute(const std::unique_ptr<TraceRecord>& record,
                         std::unique_ptr<TraceRecordResult>* result) = 0;

  // Executes all records that are left, each at its time. `result_callback`,
  // unless empty, gets the status of each record and what it answered, which
  // is null after an error. It is called by the threads that execute.
  //
  // With one thread the first record that cannot be executed ends the replay.
  // With more, the first record that cannot be read or executed ends it after
  // the records under way. Records of another kind of trace are reported to
  // the callback, and left out.
  // Errors: InvalidArgument unless fast_forward is larger than 0; Incomplete
  // before Prepare() and when all records have been read; those of Next() and
  // Execute(). OK when the trace ends, also without an end record.
  virtual Status Replay(
      const ReplayOptions& options,
      const std::function<void(Status, std::unique_ptr<TraceRecordResult>&&)>&
          result_callback) = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
