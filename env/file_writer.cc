#include "env/file_writer.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "env/io_gate.h"
#include "rocksdb/rate_limiter.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "util/held_locks.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// Small enough for CURRENT and IDENTITY, and four doublings from 1 MiB.
constexpr size_t kBufferBytesMin = size_t{64} * 1024;

// The newest bytes are not written back early: the kernel would have to write
// the page again that the next Append fills, and a writer that touches a page
// under write-back waits.
constexpr uint64_t kKeepBackBytes = 1 << 20;
constexpr uint64_t kPageBytes = 4096;

// Buffered writes only want whole cache lines.
size_t BufferAlignment(const FSWritableFile& file) {
  return file.use_direct_io() ? file.GetRequiredBufferAlignment() : 64;
}

}  // namespace

WritableFileWriter::WritableFileWriter(std::unique_ptr<FSWritableFile> file,
                                       std::string name,
                                       const FileOptions& options,
                                       Observer observer)
    : file_(std::move(file)),
      name_(std::move(name)),
      observer_(observer),
      rate_limiter_(options.rate_limiter),
      bytes_per_sync_(options.bytes_per_sync),
      strict_bytes_per_sync_(options.strict_bytes_per_sync),
      direct_(file_->use_direct_io()),
      buffer_bytes_max_(options.writable_file_max_buffer_size),
      io_options_(options.io_options),
      buffer_(BufferAlignment(*file_), 0) {
  // Not 0 for a file that was opened to be continued.
  const uint64_t size = file_->GetFileSize(io_options_, nullptr);
  size_ = flushed_ = buffer_offset_ = written_back_ = counted_ = size;
  if (direct_ && size % buffer_.alignment() != 0) {
    (void)Check(IOStatus::NotSupported(
        "Direct I/O cannot continue a file inside a block", name_));
  }
}

WritableFileWriter::~WritableFileWriter() { (void)Close(); }

Result<std::unique_ptr<WritableFileWriter>> WritableFileWriter::Create(
    FileSystem* fs, const std::string& name, const FileOptions& options,
    Observer observer) {
  std::unique_ptr<FSWritableFile> file;
  PerfTimer timer(observer.clock, &IOStatsContext::open_nanos);
  IOStatus status = fs->NewWritableFile(name, options, &file, nullptr);
  if (!status.ok()) return Status(status);
  return std::make_unique<WritableFileWriter>(std::move(file), name, options,
                                              observer);
}

Result<std::unique_ptr<WritableFileWriter>> WritableFileWriter::Reuse(
    FileSystem* fs, const std::string& name, const std::string& old_name,
    const FileOptions& options) {
  assert(!options.use_direct_writes);
  std::unique_ptr<FSWritableFile> file;
  IOStatus status =
      fs->ReuseWritableFile(name, old_name, options, &file, nullptr);
  if (!status.ok()) return Status(status);
  auto writer =
      std::make_unique<WritableFileWriter>(std::move(file), name, options);
  writer->reused_ = true;
  return writer;
}

IOStatus WritableFileWriter::Check(IOStatus status) {
  if (status.ok()) return status;
  MutexLock lock(&error_mu_);
  if (error_.ok()) error_ = std::move(status);
  failed_.store(true, std::memory_order_release);
  return error_;
}

IOStatus WritableFileWriter::Usable() const {
  if (failed()) return status();  // (2)
  if (!closed_) return IOStatus::OK();
  return IOStatus::IOError("The file was closed", name_);
}

IOStatus WritableFileWriter::status() const {
  MutexLock lock(&error_mu_);
  return error_;
}

void WritableFileWriter::GrowBuffer(size_t n) {
  const size_t wanted =
      std::max({kBufferBytesMin, buffer_.size() + n, 2 * buffer_.capacity()});
  // Direct I/O cannot do without room for one block.
  const size_t limit = direct_
                           ? std::max(buffer_bytes_max_, buffer_.alignment())
                           : buffer_bytes_max_;
  buffer_.Grow(std::min(wanted, limit));
  buffer_capacity_.store(buffer_.capacity(), std::memory_order_relaxed);
}

IOStatus WritableFileWriter::AppendSlow(const Slice& data) {
  if (IOStatus s = Usable(); !s.ok()) return s;
  if (direct_) return AppendDirect(data);
  GrowBuffer(data.size());
  if (data.size() > buffer_.room()) {
    if (IOStatus s = WriteBuffer(); !s.ok()) return s;
  }
  size_.store(Size() + data.size(), std::memory_order_release);
  if (data.size() > buffer_.room()) {
    return WriteBuffered(data.data(), data.size());
  }
  buffer_.Append(data.data(), data.size());
  assert(BufferIsTail());  // (1)
  return IOStatus::OK();
}

IOStatus WritableFileWriter::AppendDirect(Slice data) {
  GrowBuffer(data.size());
  while (!data.empty()) {
    if (buffer_.room() == 0) {
      if (IOStatus s = WriteDirect(/*with_tail=*/false); !s.ok()) return s;
    }
    assert(buffer_.room() > 0);
    const size_t n = std::min(data.size(), buffer_.room());
    buffer_.Append(data.data(), n);
    size_.store(Size() + n, std::memory_order_release);
    data.remove_prefix(n);
  }
  return IOStatus::OK();
}

IOStatus WritableFileWriter::AppendAndFlush(const Slice& data) {
  if (IOStatus s = Usable(); !s.ok()) return s;
  if (direct_ || buffer_.size() > 0) {
    if (IOStatus s = Append(data); !s.ok()) return s;
    return Flush();
  }
  size_.store(Size() + data.size(), std::memory_order_release);
  if (IOStatus s = WriteBuffered(data.data(), data.size()); !s.ok()) return s;
  return Check(file_->Flush(io_options_, nullptr));
}

IOStatus WritableFileWriter::Pad(size_t n) {
  constexpr size_t kZeros = 4096;
  static const char zeros[kZeros] = {};
  for (; n > kZeros; n -= kZeros) {
    if (IOStatus s = Append(Slice(zeros, kZeros)); !s.ok()) return s;
  }
  return Append(Slice(zeros, n));
}

IOStatus WritableFileWriter::Flush() {
  if (IOStatus s = Usable(); !s.ok()) return s;
  IOStatus s = direct_ ? WriteDirect(/*with_tail=*/true) : WriteBuffer();
  if (!s.ok()) return s;
  assert(BufferIsTail());  // (1)
  assert(flushed_.load(std::memory_order_relaxed) == Size());
  return Check(file_->Flush(io_options_, nullptr));
}

IOStatus WritableFileWriter::WriteBuffer() {
  if (buffer_.size() == 0) return IOStatus::OK();
  IOStatus s = WriteBuffered(buffer_.data(), buffer_.size());
  buffer_.Clear();
  return s;
}

IOStatus WritableFileWriter::WriteBuffered(const char* data, size_t n) {
  PrepareWrite(n);
  for (Slice rest(data, n); !rest.empty();) {
    const size_t before = rest.size();
    if (IOStatus s = WriteChunk(&rest, buffer_offset_); !s.ok()) return s;
    buffer_offset_ += before - rest.size();
    assert(buffer_offset_ <= Size());
    flushed_.store(buffer_offset_, std::memory_order_release);
  }
  return WriteBackIfDue();
}

IOStatus WritableFileWriter::WriteDirect(bool with_tail) {
  const size_t size = buffer_.size();
  const size_t whole = AlignDown(size, buffer_.alignment());
  const bool tail = with_tail && whole < size;
  if (flushed_.load(std::memory_order_relaxed) == Size() ||
      (whole == 0 && !tail)) {
    return IOStatus::OK();
  }
  if (tail) {
    // The capacity is a multiple of the alignment: there is room.
    buffer_.AppendFill('\0', AlignUp(size, buffer_.alignment()) - size);
  }
  const size_t n = tail ? buffer_.size() : whole;
  PrepareWrite(n);
  uint64_t offset = buffer_offset_;
  for (Slice rest(buffer_.data(), n); !rest.empty();) {
    const size_t before = rest.size();
    if (IOStatus s = WriteChunk(&rest, offset); !s.ok()) return s;
    offset += before - rest.size();
  }
  buffer_.set_size(size);
  buffer_.DropFront(whole);
  buffer_offset_ += whole;
  padded_ = tail;
  assert(BufferIsTail());  // (1)
  flushed_.store(tail ? Size() : buffer_offset_, std::memory_order_release);
  return IOStatus::OK();
}

void WritableFileWriter::PrepareWrite(size_t n) {
  const PerfTimer timer(observer_.clock, &IOStatsContext::prepare_write_nanos);
  file_->PrepareWrite(buffer_offset_, n, io_options_, nullptr);
}

// The gate's chunk first, so that the limiter is asked for no more; the turn
// at the gate itself comes after it, for what it has granted.
size_t WritableFileWriter::Granted(size_t n) {
  const size_t alignment = direct_ ? buffer_.alignment() : 0;
  n = IoGate::CutToChunk(io_pass_, IoKind::kWrite, n, alignment);
  if (rate_limiter_ == nullptr) return n;
  // The file's own priority wins over that of its options.
  Env::IOPriority priority = file_->GetIOPriority();
  if (priority == Env::IO_TOTAL) priority = io_options_.rate_limiter_priority;
  return rate_limiter_->RequestToken(n, alignment, priority,
                                     observer_.statistics,
                                     RateLimiter::OpType::kWrite);
}

IOStatus WritableFileWriter::WriteChunk(Slice* data, uint64_t offset) {
  assert(!closed_);  // (2)
  assert(!HoldsLock(LockRank::kState));
  const size_t n = Granted(data->size());
  const IoGate::Turn turn(io_pass_, IoKind::kWrite, n, direct_);
  const bool timed =
      observer_.statistics != nullptr && observer_.clock != nullptr;
  const uint64_t start_nanos = timed ? observer_.clock->NowNanos() : 0;

  const Slice chunk(data->data(), n);
  IOStatus s;
  {
    const PerfTimer timer(observer_.clock, &IOStatsContext::write_nanos);
    const PerfCpuTimer cpu(observer_.clock, &IOStatsContext::cpu_write_nanos);
    s = direct_ ? file_->PositionedAppend(chunk, offset, io_options_, nullptr)
                : file_->Append(chunk, io_options_, nullptr);
  }

  if (timed) {
    observer_.statistics->recordInHistogram(
        observer_.write_histogram,
        (observer_.clock->NowNanos() - start_nanos) / 1000);
  }
  IoStatsAdd<&IOStatsContext::bytes_written>(n);
  data->remove_prefix(n);
  if (s.ok()) CountWritten(offset + n);
  return Check(std::move(s));
}

void WritableFileWriter::CountWritten(uint64_t end) {
  if (observer_.statistics == nullptr ||
      observer_.written_ticker == UINT32_MAX) {
    return;
  }
  // A direct write ends in padding, and its tail is written again.
  end = std::min(end, Size());
  if (end <= counted_) return;
  observer_.statistics->recordTick(observer_.written_ticker, end - counted_);
  counted_ = end;
}

IOStatus WritableFileWriter::WriteBackIfDue() {
  if (bytes_per_sync_ == 0 || buffer_offset_ <= kKeepBackBytes) {
    return IOStatus::OK();
  }
  const uint64_t end = AlignDown(buffer_offset_ - kKeepBackBytes, kPageBytes);
  if (end < written_back_ + bytes_per_sync_) return IOStatus::OK();
  assert(end <= flushed_.load(std::memory_order_relaxed));
  const IoGate::SyncCall call(io_pass_);
  const PerfTimer timer(observer_.clock, &IOStatsContext::range_sync_nanos);
  IOStatus s = file_->RangeSync(written_back_, end - written_back_, io_options_,
                                nullptr);
  written_back_ = end;
  return Check(std::move(s));
}

IOStatus WritableFileWriter::CutPadding() {
  if (!padded_) return IOStatus::OK();
  padded_ = false;
  return Check(file_->Truncate(Size(), io_options_, nullptr));
}

IOStatus WritableFileWriter::CutRest(bool* cut) {
  *cut = reused_;
  if (IOStatus s = Flush(); !s.ok()) return s;
  if (!reused_) return IOStatus::OK();
  reused_ = false;
  IOStatus s = Check(file_->Truncate(Size(), io_options_, nullptr));
  synced_.store(0, std::memory_order_release);
  return s;
}

IOStatus WritableFileWriter::SyncFile(bool use_fsync) {
  // Another thread may append meanwhile: only what was flushed before counts.
  const uint64_t covered = flushed_.load(std::memory_order_acquire);
  assert(covered <= GetFileSize());
  if (covered > 0 && synced_.load(std::memory_order_acquire) >= covered) {
    return IOStatus::OK();
  }
  assert(!HoldsLock(LockRank::kState));
  const IoGate::SyncCall call(io_pass_);
  PerfTimer timer(observer_.clock, &IOStatsContext::fsync_nanos);
  IOStatus s = Check(use_fsync ? file_->Fsync(io_options_, nullptr)
                               : file_->Sync(io_options_, nullptr));
  timer.Stop();
  if (!s.ok()) return s;
  uint64_t synced = synced_.load(std::memory_order_relaxed);
  while (synced < covered && !synced_.compare_exchange_weak(
                                 synced, covered, std::memory_order_release)) {
  }
  return s;
}

IOStatus WritableFileWriter::Sync(bool use_fsync) {
  if (IOStatus s = Flush(); !s.ok()) return s;
  // Before the sync, so that a crash does not find a file that is too long.
  if (IOStatus s = CutPadding(); !s.ok()) return s;
  return SyncFile(use_fsync);
}

IOStatus WritableFileWriter::SyncWithoutFlush(bool use_fsync) {
  if (failed()) return status();  // (2)
  if (!IsSyncThreadSafe()) {
    return IOStatus::NotSupported("This file cannot be synced during an append",
                                  name_);
  }
  return SyncFile(use_fsync);
}

IOStatus WritableFileWriter::Close() {
  if (closed_) return status();
  bool cut = false;
  IOStatus s = CutRest(&cut);
  if (s.ok()) s = CutPadding();
  closed_ = true;
  buffer_ = AlignedBuffer();  // No room: an Append after this is refused.
  // Whatever happened: a file that failed must not keep its descriptor.
  IOStatus closed = Check(file_->Close(io_options_, nullptr));
  return s.ok() ? closed : s;
}

void WritableFileWriter::Abandon() {
  if (closed_) return;
  (void)Check(IOStatus::Aborted("The file was abandoned", name_));
  (void)Close();
}

}  // namespace ROCKSDB_NAMESPACE::engine
