#include "env/file_reader.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "rocksdb/rate_limiter.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "util/held_locks.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Of Histograms; UINT32_MAX: none.
uint32_t HistogramOf(Env::IOActivity activity) {
  switch (activity) {
    case Env::IOActivity::kFlush:
      return FILE_READ_FLUSH_MICROS;
    case Env::IOActivity::kCompaction:
      return FILE_READ_COMPACTION_MICROS;
    case Env::IOActivity::kDBOpen:
      return FILE_READ_DB_OPEN_MICROS;
    case Env::IOActivity::kGet:
    case Env::IOActivity::kGetEntity:
      return FILE_READ_GET_MICROS;
    case Env::IOActivity::kMultiGet:
    case Env::IOActivity::kMultiGetEntity:
      return FILE_READ_MULTIGET_MICROS;
    case Env::IOActivity::kDBIterator:
      return FILE_READ_DB_ITERATOR_MICROS;
    case Env::IOActivity::kVerifyDBChecksum:
      return FILE_READ_VERIFY_DB_CHECKSUM_MICROS;
    case Env::IOActivity::kVerifyFileChecksums:
      return FILE_READ_VERIFY_FILE_CHECKSUMS_MICROS;
    default:
      return UINT32_MAX;
  }
}

}  // namespace

// RandomAccessFileReader

void RandomAccessFileReader::Report(const IOOptions& options, uint64_t nanos,
                                    uint64_t reads, uint64_t bytes) const {
  assert(timed());
  Statistics& statistics = *observer_.statistics;
  const uint64_t micros = nanos / 1000;
  if (observer_.read_histogram != UINT32_MAX) {
    statistics.recordInHistogram(observer_.read_histogram, micros);
  }
  const Env::IOActivity activity =
      options.io_activity != Env::IOActivity::kUnknown ? options.io_activity
                                                       : activity_;
  if (const uint32_t histogram = HistogramOf(activity);
      histogram != UINT32_MAX) {
    statistics.recordInHistogram(histogram, micros);
  }
  if (observer_.reads_ticker != UINT32_MAX) {
    statistics.recordTick(observer_.reads_ticker, reads);
    statistics.recordTick(observer_.bytes_ticker, bytes);
  }
}

Result<std::unique_ptr<RandomAccessFileReader>> RandomAccessFileReader::Open(
    FileSystem* fs, const std::string& name, const FileOptions& options,
    Observer observer) {
  std::unique_ptr<FSRandomAccessFile> file;
  PerfTimer timer(observer.clock, &IOStatsContext::open_nanos);
  IOStatus status = fs->NewRandomAccessFile(name, options, &file, nullptr);
  if (!status.ok()) return Status(status);
  return std::make_unique<RandomAccessFileReader>(std::move(file), name,
                                                  observer, fs);
}

IOStatus RandomAccessFileReader::Read(const IOOptions& options, uint64_t offset,
                                      size_t n, Slice* result, char* scratch,
                                      AlignedBuffer* aligned) const {
  *result = Slice();
  if (offset + n < offset) {
    return IOStatus::Corruption("Read beyond the end of the address space",
                                name_);
  }
  if (!direct_ || (aligned == nullptr && IsAligned(offset, n, scratch))) {
    if (IOStatus s = ReadOnce(options, offset, n, result, scratch); !s.ok()) {
      return s;
    }
    if (result->size() < n) {
      return ReadRest(options, offset, n, result, scratch);
    }
    return IOStatus::OK();
  }
  AlignedBuffer own;
  AlignedBuffer* const buffer = aligned != nullptr ? aligned : &own;
  IOStatus s = ReadDirect(options, offset, n, buffer, result);
  if (s.ok() && aligned == nullptr && !result->empty()) {
    memcpy(scratch, result->data(), result->size());
    *result = Slice(scratch, result->size());
  }
  return s;
}

bool RandomAccessFileReader::IsAligned(uint64_t offset, size_t n,
                                       const char* scratch) const {
  const uint64_t bits = offset | n | reinterpret_cast<uintptr_t>(scratch);
  return bits % file_->GetRequiredBufferAlignment() == 0;
}

IOStatus RandomAccessFileReader::ReadRest(const IOOptions& options,
                                          uint64_t offset, size_t n,
                                          Slice* result, char* scratch) const {
  // Mapped memory is complete as it is; elsewhere a file system may have
  // stopped early, and only an empty read proves the end of the file.
  while (result->data() == scratch && result->size() < n) {
    const size_t done = result->size();
    if (direct_ && done % file_->GetRequiredBufferAlignment() != 0) break;
    Slice more;
    if (IOStatus s =
            ReadOnce(options, offset + done, n - done, &more, scratch + done);
        !s.ok()) {
      return s;
    }
    if (more.empty()) break;
    if (more.data() != scratch + done) {
      memcpy(scratch + done, more.data(), more.size());
    }
    *result = Slice(scratch, done + more.size());
  }
  return IOStatus::OK();
}

IOStatus RandomAccessFileReader::ReadDirect(const IOOptions& options,
                                            uint64_t offset, size_t n,
                                            AlignedBuffer* aligned,
                                            Slice* result) const {
  const size_t alignment = file_->GetRequiredBufferAlignment();
  const uint64_t start = AlignDown(offset, alignment);
  const uint64_t end = AlignUp(offset + n, alignment);
  const auto length = static_cast<size_t>(end - start);
  assert(start <= offset && offset + n <= end);
  aligned->Reset(alignment, length);
  while (aligned->size() < length) {
    const size_t done = aligned->size();
    Slice got;
    if (IOStatus s = ReadOnce(options, start + done, length - done, &got,
                              aligned->data() + done);
        !s.ok()) {
      return s;
    }
    aligned->set_size(done + got.size());
    // Direct I/O stops inside a block only at the end of the file.
    if (got.empty() || got.size() % alignment != 0) break;
  }
  const auto skip = static_cast<size_t>(offset - start);
  const size_t available = aligned->size() > skip ? aligned->size() - skip : 0;
  *result = Slice(aligned->data() + skip, std::min(n, available));
  return IOStatus::OK();
}

IOStatus RandomAccessFileReader::ReadOnce(const IOOptions& options,
                                          uint64_t offset, size_t n,
                                          Slice* result, char* scratch) const {
  assert(!HoldsLock(LockRank::kState));
  AskRateLimiter(options, n);
  const uint64_t start_nanos = timed() ? observer_.clock->NowNanos() : 0;
  IOStatus s;
  {
    const PerfTimer timer(observer_.clock, &IOStatsContext::read_nanos);
    const PerfCpuTimer cpu(observer_.clock, &IOStatsContext::cpu_read_nanos);
    s = file_->Read(offset, n, options, result, scratch, nullptr);
  }
  if (timed()) {
    Report(options, observer_.clock->NowNanos() - start_nanos, 1,
           result->size());
  }
  IoStatsAdd<&IOStatsContext::bytes_read>(result->size());
  return s;
}

void RandomAccessFileReader::AskRateLimiter(const IOOptions& options,
                                            size_t n) const {
  if (observer_.rate_limiter == nullptr ||
      options.rate_limiter_priority == Env::IO_TOTAL) {
    return;
  }
  for (size_t charged = 0; charged < n;) {
    charged += observer_.rate_limiter->RequestToken(
        n - charged, 0, options.rate_limiter_priority, observer_.statistics,
        RateLimiter::OpType::kRead);
  }
}

void RandomAccessFileReader::MultiRead(const IOOptions& options,
                                       FSReadRequest* requests,
                                       size_t count) const {
  assert(!HoldsLock(LockRank::kState));
  size_t bytes = 0;
  for (size_t i = 0; i < count; ++i) bytes += requests[i].len;
  AskRateLimiter(options, bytes);
  const uint64_t start_nanos = timed() ? observer_.clock->NowNanos() : 0;
  const IOStatus s = file_->MultiRead(requests, count, options, nullptr);
  if (timed()) {
    Report(options, observer_.clock->NowNanos() - start_nanos, count, bytes);
    observer_.statistics->recordInHistogram(MULTIGET_IO_BATCH_SIZE, count);
  }
  for (size_t i = 0; i < count; ++i) {
    if (!s.ok()) requests[i].status = s;
    get_iostats_context()->bytes_read += requests[i].result.size();
  }
}

void RandomAccessFileReader::StartRead(const IOOptions& options,
                                       FSReadRequest* request, void** handle,
                                       IOHandleDeleter* delete_handle) const {
  AskRateLimiter(options, request->len);
  const auto done = [](FSReadRequest& result, void* to) {
    auto* const asked = static_cast<FSReadRequest*>(to);
    if (asked != &result) {  // A file system may hand back a copy.
      asked->result = result.result;
      asked->status = result.status;
      asked->fs_scratch = std::move(result.fs_scratch);
    }
    get_iostats_context()->bytes_read += asked->result.size();
  };
  const IOStatus s = file_->ReadAsync(*request, options, done, request, handle,
                                      delete_handle, nullptr);
  if (!s.ok()) request->status = s;
  if (observer_.statistics != nullptr) {
    observer_.statistics->recordInHistogram(ASYNC_READ_BYTES, request->len);
  }
}

void RandomAccessFileReader::Prefetch(uint64_t offset, size_t n) const {
  if (direct_) return;
  file_->Prefetch(offset, n, IOOptions(), nullptr).PermitUncheckedError();
}

// SequentialFileReader

SequentialFileReader::SequentialFileReader(
    std::unique_ptr<FSSequentialFile> file, std::string name,
    size_t readahead_bytes)
    : file_(std::move(file)),
      name_(std::move(name)),
      direct_(file_->use_direct_io()) {
  // Reading a block at a time would be pointless work for direct I/O.
  constexpr size_t kDirectBytesMin = size_t{256} * 1024;
  if (direct_) {
    buffer_.Reset(file_->GetRequiredBufferAlignment(),
                  std::max(readahead_bytes, kDirectBytesMin));
  } else if (readahead_bytes > 0) {
    buffer_.Reset(64, readahead_bytes);
  }
}

Result<std::unique_ptr<SequentialFileReader>> SequentialFileReader::Open(
    FileSystem* fs, const std::string& name, const FileOptions& options,
    size_t readahead_bytes) {
  std::unique_ptr<FSSequentialFile> file;
  PerfTimer timer(nullptr, &IOStatsContext::open_nanos);
  IOStatus status = fs->NewSequentialFile(name, options, &file, nullptr);
  if (!status.ok()) return Status(status);
  return std::make_unique<SequentialFileReader>(std::move(file), name,
                                                readahead_bytes);
}

IOStatus SequentialFileReader::Fill(const IOOptions& options) {
  buffer_.Clear();
  consumed_ = 0;
  if (direct_) return FillDirect(options);
  Slice got;
  IOStatus s =
      file_->Read(buffer_.capacity(), options, &got, buffer_.data(), nullptr);
  if (!s.ok()) return s;
  if (got.data() != buffer_.data() && !got.empty()) {
    memcpy(buffer_.data(), got.data(), got.size());
  }
  buffer_.set_size(got.size());
  return s;
}

IOStatus SequentialFileReader::FillDirect(const IOOptions& options) {
  assert(buffer_.size() == 0 && buffer_.capacity() > 0);
  const uint64_t start = AlignDown(offset_, buffer_.alignment());
  Slice got;
  IOStatus s = file_->PositionedRead(start, buffer_.capacity(), options, &got,
                                     buffer_.data(), nullptr);
  if (!s.ok()) return s;
  buffer_.set_size(got.size());
  // A skip may have led into the middle of a block, or past the end.
  consumed_ = std::min(got.size(), static_cast<size_t>(offset_ - start));
  return s;
}

IOStatus SequentialFileReader::Read(size_t n, Slice* result, char* scratch,
                                    Env::IOPriority priority) {
  IOOptions options;
  options.rate_limiter_priority = priority;
  *result = Slice(scratch, 0);
  size_t done = 0;
  while (done < n) {
    assert(consumed_ <= buffer_.size());
    const size_t buffered = buffer_.size() - consumed_;
    size_t got = 0;
    const PerfTimer timer(nullptr, &IOStatsContext::read_nanos);
    if (buffered > 0) {
      got = std::min(n - done, buffered);
      memcpy(scratch + done, buffer_.data() + consumed_, got);
      consumed_ += got;
    } else if (!direct_ && n - done >= buffer_.capacity()) {
      Slice piece;
      IOStatus s =
          file_->Read(n - done, options, &piece, scratch + done, nullptr);
      if (!s.ok()) return s;
      if (piece.data() != scratch + done && !piece.empty()) {
        memmove(scratch + done, piece.data(), piece.size());
      }
      got = piece.size();
      if (got == 0) break;
    } else {
      if (IOStatus s = Fill(options); !s.ok()) return s;
      if (buffer_.size() == consumed_) break;
    }
    done += got;
    offset_ += got;
  }
  IoStatsAdd<&IOStatsContext::bytes_read>(done);
  *result = Slice(scratch, done);
  return IOStatus::OK();
}

IOStatus SequentialFileReader::Skip(uint64_t n) {
  const auto buffered = static_cast<uint64_t>(buffer_.size() - consumed_);
  const uint64_t here = std::min(n, buffered);
  consumed_ += static_cast<size_t>(here);
  offset_ += n;
  // Direct reads name their offset; nothing has to move.
  if (direct_ || n == here) return IOStatus::OK();
  return file_->Skip(n - here);
}

}  // namespace ROCKSDB_NAMESPACE::engine
