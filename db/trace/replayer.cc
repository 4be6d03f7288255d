#include "db/trace/replayer.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "db/trace/trace_format.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record.h"
#include "rocksdb/trace_record_result.h"
#include "rocksdb/utilities/replayer.h"
#include "util/mutex.h"
#include "util/no_memory.h"
#include "util/result.h"
#include "util/start_thread.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// More would only wait for each other.
constexpr uint32_t kReplayThreadsMax = 256;
// A thread that waits looks so often whether the replay has ended.
constexpr uint64_t kReplayNapMicros = 100000;

using ResultCallback =
    std::function<void(Status, std::unique_ptr<TraceRecordResult>&&)>;

// One call of Replay().
struct ReplayRun {
  ReplayRun(const ResultCallback& result_callback, double speed_factor,
            uint64_t now)
      : callback(result_callback), speed(speed_factor), start_micros(now) {}

  void Report(const Status& status,
              std::unique_ptr<TraceRecordResult> result) const {
    if (callback) callback(status, std::move(result));
  }
  // The first failure counts.
  void Stop(const Status& status) EXCLUDES_LOCK(mu) {
    assert(!status.ok());
    {
      MutexLock lock(&mu);
      if (failure.ok()) failure = status;
    }
    stopped.store(true, std::memory_order_relaxed);
  }

  const ResultCallback& callback;
  const double speed;
  const uint64_t start_micros;
  std::atomic<bool> stopped{false};
  Mutex mu;
  Status failure GUARDED_BY(mu);
};

class TraceReplayer final : public Replayer {
 public:
  TraceReplayer(std::shared_ptr<SystemClock> clock,
                std::unique_ptr<TraceRecord::Handler> handler,
                std::unique_ptr<TraceReader> reader)
      : clock_(std::move(clock)),
        handler_(std::move(handler)),
        reader_(std::move(reader)) {
    assert(clock_ != nullptr && handler_ != nullptr && reader_ != nullptr);
  }

  Status Prepare() override;
  uint64_t GetHeaderTimestamp() const override {
    return header_micros_.load(std::memory_order_relaxed);
  }
  Status Next(std::unique_ptr<TraceRecord>* record) override;
  Status Execute(const std::unique_ptr<TraceRecord>& record,
                 std::unique_ptr<TraceRecordResult>* result) override;
  Status Replay(
      const ReplayOptions& options,
      const std::function<void(Status, std::unique_ptr<TraceRecordResult>&&)>&
          result_callback) override;

 private:
  Status CheckPrepared() const;
  // See Next(). `*foreign`: there is a whole record, of another kind of trace.
  Status TakeNext(std::unique_ptr<TraceRecord>* record, bool* foreign)
      EXCLUDES_LOCK(mu_);
  // Incomplete: the reader has no more records.
  Status ReadEntry(TraceEntry* entry) REQUIRES_LOCK(mu_);
  uint64_t DueAt(const ReplayRun& run, uint64_t traced_micros) const;
  // False: the replay has ended meanwhile.
  bool AwaitUntil(const ReplayRun& run, uint64_t micros) const;
  // What one thread does.
  void Work(ReplayRun* run);
  // False: nothing is left, or the replay has ended.
  bool ReplayNext(ReplayRun* run);

  const std::shared_ptr<SystemClock> clock_;
  const std::unique_ptr<TraceRecord::Handler> handler_;
  std::atomic<uint64_t> header_micros_{0};
  std::atomic<bool> prepared_{false};

  Mutex mu_{LockRank::kNone};  // The reader may be a program's own code.
  const std::unique_ptr<TraceReader> reader_ GUARDED_BY(mu_);
  uint64_t offset_ GUARDED_BY(mu_) = 0;  // Of the next record in the trace.
  bool ended_ GUARDED_BY(mu_) = false;
  std::string bytes_ GUARDED_BY(mu_);  // Of the record that was read last.
};

Status TraceReplayer::Prepare() {
  MutexLock lock(&mu_);
  prepared_.store(false, std::memory_order_relaxed);
  ended_ = false;
  offset_ = 0;
  RETURN_IF_ERROR(reader_->Reset());
  TraceEntry header;
  const Status status = ReadEntry(&header);
  if (status.IsIncomplete()) {
    return Status::Corruption("expected the header of a trace",
                              "found an empty trace");
  }
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(ParseTraceHeader(header));
  header_micros_.store(header.timestamp, std::memory_order_relaxed);
  prepared_.store(true, std::memory_order_relaxed);
  return Status::OK();
}

Status TraceReplayer::CheckPrepared() const {
  if (prepared_.load(std::memory_order_relaxed)) return Status::OK();
  return Status::Incomplete("the replayer is not prepared", "call Prepare()");
}

Status TraceReplayer::ReadEntry(TraceEntry* entry) {
  RETURN_IF_ERROR(OrNoMemory([reader = reader_.get(), bytes = &bytes_] {
    return reader->Read(bytes);
  }));
  const uint64_t offset = offset_;
  offset_ += bytes_.size();
  return ParseTraceRecord(bytes_, offset, entry);
}

Status TraceReplayer::Next(std::unique_ptr<TraceRecord>* record) {
  if (record == nullptr) {
    return Status::InvalidArgument("Replayer::Next() needs a place");
  }
  record->reset();
  bool foreign = false;
  return TakeNext(record, &foreign);
}

Status TraceReplayer::TakeNext(std::unique_ptr<TraceRecord>* record,
                               bool* foreign) {
  RETURN_IF_ERROR(CheckPrepared());
  MutexLock lock(&mu_);
  if (ended_) return Status::Incomplete("the trace has ended");
  TraceEntry entry;
  const Status status = ReadEntry(&entry);
  ended_ = status.IsIncomplete() || (status.ok() && entry.type == kTraceEnd);
  RETURN_IF_ERROR(status);
  if (ended_) return Status::Incomplete("the trace has ended");
  const Status parsed =
      OrNoMemory([&] { return ParseTracedQuery(entry, record); });
  *foreign = parsed.IsNotSupported();
  RETURN_IF_ERROR(parsed);
  const Status timely = CheckTraceTime(entry, GetHeaderTimestamp());
  if (!timely.ok()) record->reset();
  return timely;
}

Status TraceReplayer::Execute(const std::unique_ptr<TraceRecord>& record,
                              std::unique_ptr<TraceRecordResult>* result) {
  RETURN_IF_ERROR(CheckPrepared());
  if (record == nullptr) {
    return Status::InvalidArgument("Replayer::Execute() needs a record");
  }
  return OrNoMemory([&] { return record->Accept(handler_.get(), result); });
}

// --------------------------------------------------------------------- replay

uint64_t TraceReplayer::DueAt(const ReplayRun& run,
                              uint64_t traced_micros) const {
  const uint64_t header = GetHeaderTimestamp();
  if (traced_micros <= header) return run.start_micros;
  // A very small factor must not overflow.
  constexpr double kDelayMax = 1e18;
  const double delay = std::min(
      static_cast<double>(traced_micros - header) / run.speed, kDelayMax);
  return run.start_micros + static_cast<uint64_t>(delay);
}

bool TraceReplayer::AwaitUntil(const ReplayRun& run, uint64_t micros) const {
  for (;;) {
    if (run.stopped.load(std::memory_order_relaxed)) return false;
    const uint64_t now = clock_->NowMicros();
    if (now >= micros) return true;
    clock_->SleepForMicroseconds(
        static_cast<int>(std::min(micros - now, kReplayNapMicros)));
  }
}

bool TraceReplayer::ReplayNext(ReplayRun* run) {
  if (run->stopped.load(std::memory_order_relaxed)) return false;
  std::unique_ptr<TraceRecord> record;
  bool foreign = false;
  Status status = TakeNext(&record, &foreign);
  if (status.IsIncomplete()) return false;
  if (foreign) {  // Left out.
    run->Report(status, nullptr);
    return true;
  }
  std::unique_ptr<TraceRecordResult> result;
  if (status.ok()) {
    assert(record != nullptr);
    if (!AwaitUntil(*run, DueAt(*run, record->GetTimestamp()))) return false;
    status = Execute(record, &result);
  }
  run->Report(status, std::move(result));
  if (!status.ok()) run->Stop(status);
  return status.ok();
}

// The callback is a program's own code, and no exception may leave a thread.
void TraceReplayer::Work(ReplayRun* run) {
  try {
    while (ReplayNext(run)) {
    }
  } catch (const std::bad_alloc&) {
    run->Stop(Status::MemoryLimit());
  } catch (...) {
    run->Stop(Status::Aborted("an exception has ended the replay"));
  }
}

Status TraceReplayer::Replay(const ReplayOptions& options,
                             const ResultCallback& result_callback) {
  if (!(options.fast_forward > 0.0)) {  // Nor not a number.
    return Status::InvalidArgument(
        "ReplayOptions::fast_forward must be larger than 0",
        std::to_string(options.fast_forward));
  }
  RETURN_IF_ERROR(CheckPrepared());
  {
    MutexLock lock(&mu_);
    if (ended_) return Status::Incomplete("the trace has ended");
  }
  ReplayRun run(result_callback, options.fast_forward, clock_->NowMicros());
  const uint32_t num_threads = std::min(options.num_threads, kReplayThreadsMax);
  std::vector<std::thread> others;
  others.reserve(num_threads);
  for (uint32_t i = 1; i < num_threads; ++i) {
    std::thread thread;
    // With fewer threads it only takes longer.
    if (!StartThread(&thread, [this, &run] { Work(&run); }).ok()) break;
    others.push_back(std::move(thread));
  }
  Work(&run);
  for (std::thread& thread : others) thread.join();
  MutexLock lock(&run.mu);
  return run.failure;
}

}  // namespace

Status NewReplayer(DB* db, const std::vector<ColumnFamilyHandle*>& handles,
                   std::unique_ptr<TraceReader> reader,
                   std::unique_ptr<Replayer>* replayer) {
  assert(db != nullptr);
  replayer->reset();
  if (reader == nullptr) {
    return Status::InvalidArgument("NewDefaultReplayer() needs a TraceReader");
  }
  std::unique_ptr<TraceRecord::Handler> handler(
      TraceRecord::NewExecutionHandler(db, handles));
  *replayer = std::make_unique<TraceReplayer>(
      db->GetEnv()->GetSystemClock(), std::move(handler), std::move(reader));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
