#include "db/trace/query_tracer.h"

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "db/trace/guarded.h"
#include "db/trace/trace_format.h"
#include "rocksdb/db.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/trace_reader_writer.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// A buffer that has grown larger for one record does not stay.
constexpr size_t kKeptRecordBytes = 1 << 20;

uint32_t KindsOf(const TraceOptions& options) {
  uint32_t kinds = 0;
  const auto add = [&](TraceFilterType bit, QueryTracer::Kind kind) {
    if ((options.filter & bit) == 0) kinds |= kind;
  };
  add(kTraceFilterGet, QueryTracer::kGet);
  add(kTraceFilterMultiGet, QueryTracer::kMultiGet);
  add(kTraceFilterIteratorSeek, QueryTracer::kSeek);
  add(kTraceFilterIteratorSeekForPrev, QueryTracer::kSeekForPrev);
  add(kTraceFilterWrite, options.preserve_write_order
                             ? QueryTracer::kOrderedWrite
                             : QueryTracer::kWrite);
  return kinds;
}

}  // namespace

QueryTracer::QueryTracer() = default;

QueryTracer::~QueryTracer() = default;

Status QueryTracer::Start(const TraceOptions& options, SystemClock* clock,
                          std::unique_ptr<TraceWriter> writer) {
  assert(clock != nullptr);
  if (writer == nullptr) {
    return Status::InvalidArgument("StartTrace() needs a TraceWriter");
  }
  MutexLock lock(&mu_);
  if (writer_ != nullptr) {
    return Status::Busy("a query trace has been started", "call EndTrace()");
  }
  assert(kinds_.load(std::memory_order_relaxed) == 0);
  writer_ = std::move(writer);
  clock_ = clock;
  sampling_frequency_ = std::max<uint64_t>(1, options.sampling_frequency);
  size_max_ = options.max_trace_file_size;
  skipped_ = 0;
  status_ = Status::OK();
  Status status = WriteRecord([](uint64_t now, std::string* record) {
    return EncodeTraceHeader(now, record);
  });
  if (!status.ok()) {
    (void)Guarded([writer_now = writer_.get()] { return writer_now->Close(); });
    writer_.reset();
    return status;
  }
  kinds_.store(KindsOf(options), std::memory_order_relaxed);
  return Status::OK();
}

Status QueryTracer::End() {
  MutexLock lock(&mu_);
  if (writer_ == nullptr) {
    return Status::IOError("EndTrace", "there is no query trace");
  }
  kinds_.store(0, std::memory_order_relaxed);
  Status status = status_;
  if (status.ok()) {
    status = WriteRecord([](uint64_t now, std::string* record) {
      return EncodeTraceEnd(now, record);
    });
  }
  const Status closed =
      Guarded([writer = writer_.get()] { return writer->Close(); });
  if (status.ok()) status = closed;
  writer_.reset();
  record_ = std::string();
  return status;
}

// --------------------------------------------------------------------- queries

void QueryTracer::Write(Kind kind, const Slice& batch) {
  assert(kind == kWrite || kind == kOrderedWrite);
  Add(kind, [&batch](uint64_t now, std::string* record) {
    return EncodeTracedWrite(now, batch, record);
  });
}

void QueryTracer::Write(Kind kind, const Slice& batch, const Slice& prepared) {
  assert(kind == kWrite || kind == kOrderedWrite);
  Add(kind, [&batch, &prepared](uint64_t now, std::string* record) {
    return EncodeTracedCommit(now, batch, prepared, record);
  });
}

void QueryTracer::Get(uint32_t family, const Slice& key) {
  Add(kGet, [&](uint64_t now, std::string* record) {
    return EncodeTracedGet(now, family, key, record);
  });
}

void QueryTracer::MultiGet(ColumnFamilyHandle* const* families,
                           ColumnFamilyHandle* family, const Slice* keys,
                           size_t num_keys) {
  assert(families != nullptr || family != nullptr || num_keys == 0);
  Add(kMultiGet, [&](uint64_t now, std::string* record) {
    std::vector<uint32_t> ids(num_keys);
    for (size_t i = 0; i < num_keys; ++i) {
      ids[i] = (families != nullptr ? families[i] : family)->GetID();
    }
    return EncodeTracedMultiGet(now, {ids.data(), keys, num_keys}, record);
  });
}

void QueryTracer::Seek(Kind kind, uint32_t family, const Slice& target,
                       const Bounds& bounds) {
  assert(kind == kSeek || kind == kSeekForPrev);
  TracedSeek seek;
  seek.for_prev = kind == kSeekForPrev;
  seek.family = family;
  seek.key = target;
  if (bounds.lower != nullptr) seek.lower = *bounds.lower;
  if (bounds.upper != nullptr) seek.upper = *bounds.upper;
  Add(kind, [&seek](uint64_t now, std::string* record) {
    return EncodeTracedSeek(now, seek, record);
  });
}

// --------------------------------------------------------------------- records

template <typename Encode>
void QueryTracer::Add(Kind kind, const Encode& encode) {
  MutexLock lock(&mu_);
  // It may have ended, and another may have begun, since the caller looked.
  if (writer_ == nullptr || !Traces(kind) || !Takes()) return;
  Status status = WriteRecord(encode);
  if (status.ok()) return;
  kinds_.store(0, std::memory_order_relaxed);
  status_ = std::move(status);  // (2)
}

bool QueryTracer::Takes() {
  assert(writer_ != nullptr && status_.ok());
  if (++skipped_ < sampling_frequency_) return false;
  skipped_ = 0;
  uint64_t size = 0;
  Status status = Guarded([&size, writer = writer_.get()] {
    size = writer->GetFileSize();
    return Status::OK();
  });
  if (status.ok() && size <= size_max_) return true;
  kinds_.store(0, std::memory_order_relaxed);
  status_ = std::move(status);
  return false;
}

template <typename Encode>
Status QueryTracer::WriteRecord(const Encode& encode) {
  assert(writer_ != nullptr);
  const Status status = Guarded([&, writer = writer_.get(), record = &record_,
                                 now = clock_->NowMicros()] {
    RETURN_IF_ERROR(encode(now, record));
    return writer->Write(*record);
  });
  if (record_.capacity() > kKeptRecordBytes) record_ = std::string();
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
