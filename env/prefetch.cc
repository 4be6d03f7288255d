#include "env/prefetch.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "env/io_gate.h"

namespace ROCKSDB_NAMESPACE::engine {

void FilePrefetchBuffer::NoteRead(uint64_t offset, size_t n) {
  // A read inside the window counts as sequential too: blocks that were in
  // the block cache are skipped without telling us.
  const bool sequential = offset == expected_ || Contains(offset, 1);
  if (!sequential) {
    sequential_ = 0;
    bytes_next_ = policy_.bytes_initial;
  }
  ++sequential_;
  expected_ = offset + n;
}

IOStatus FilePrefetchBuffer::TryRead(const IOOptions& options, uint64_t offset,
                                     size_t n, Slice* result, bool* served) {
  *served = false;
  NoteRead(offset, n);
  if (!Contains(offset, n)) {
    const bool inside_last =
        at_end_ && offset >= start_ && offset <= start_ + size();
    if (!inside_last) {
      if (sequential_ <= policy_.reads_before) return IOStatus::OK();
      const uint64_t limit = std::max(limit_, offset + n) - offset;
      const auto ahead = static_cast<size_t>(
          std::min<uint64_t>(std::max(n, bytes_next_), limit));
      if (IOStatus s = Load(options, offset, ahead); !s.ok()) return s;
      bytes_next_ = std::min(2 * bytes_next_, policy_.bytes_max);
      PrepareNext(options);
    }
  }
  assert(start_ <= offset);
  const auto from = static_cast<size_t>(offset - start_);
  const size_t available = size() > from ? size() - from : 0;
  *result = Slice(window_.data() + from, std::min(n, available));
  *served = true;
  ++reads_served_;
  bytes_served_ += result->size();
  return IOStatus::OK();
}

// What lies behind the window is wanted next.
void FilePrefetchBuffer::PrepareNext(const IOOptions& options) {
  const uint64_t next = start_ + size();
  assert(bytes_next_ <= std::max(policy_.bytes_initial, policy_.bytes_max));
  if (at_end_ || next >= limit_ || bytes_next_ == 0) return;
  const uint64_t n = std::min<uint64_t>(bytes_next_, limit_ - next);
  if (ahead_ == nullptr) {
    file_->Prefetch(next, static_cast<size_t>(n));
    return;
  }
  const size_t alignment =
      file_->use_direct_io() ? file_->file()->GetRequiredBufferAlignment() : 1;
  ahead_->Start(options, io_pass_, next,
                static_cast<size_t>(AlignUp(n, alignment)));
}

// Appends to the window, which ends at `offset` and lacks `n` bytes, what was
// read ahead. Returns the number of bytes appended; after an error 0, and the
// caller reads them itself.
size_t FilePrefetchBuffer::TakeAhead(uint64_t offset, size_t n) {
  if (ahead_ == nullptr || !ahead_->BeginsAt(offset)) return 0;
  Slice got;
  if (!ahead_->Finish(&got).ok() || got.empty()) return 0;
  window_.Grow(size() + std::max(n, got.size()));
  window_.Append(got.data(), got.size());
  bytes_loaded_ += got.size();
  return got.size();
}

IOStatus FilePrefetchBuffer::Load(const IOOptions& options, uint64_t offset,
                                  size_t n) {
  const size_t alignment =
      file_->use_direct_io() ? file_->file()->GetRequiredBufferAlignment() : 1;
  const uint64_t begin = AlignDown(offset, alignment);
  const uint64_t end = AlignUp(offset + n, alignment);
  // What both windows share stays; with direct I/O only whole blocks can.
  uint64_t read_from = begin;
  if (begin >= start_ && begin < start_ + size() && !at_end_) {
    window_.DropFront(static_cast<size_t>(begin - start_));
    window_.set_size(AlignDown(size(), alignment));
    read_from = begin + size();
  } else {
    window_.Clear();
  }
  start_ = begin;
  at_end_ = false;
  if (read_from >= end) return IOStatus::OK();

  const auto length = static_cast<size_t>(end - begin);
  if (window_.alignment() != alignment || window_.capacity() == 0) {
    window_.Reset(alignment, length);
  } else {
    window_.Grow(length);
  }
  assert(window_.capacity() >= length && read_from == begin + size());
  read_from += TakeAhead(read_from, static_cast<size_t>(end - read_from));
  if (read_from >= end) return IOStatus::OK();
  if (AlignDown(read_from, alignment) != read_from) {
    at_end_ = true;  // Only there a read with direct I/O ends in between.
    return IOStatus::OK();
  }
  const auto missing = static_cast<size_t>(end - read_from);
  const size_t kept = size();
  IOStatus s = ReadPieces(options, read_from, missing);
  if (!s.ok()) {
    window_.Clear();
    return s;
  }
  at_end_ = size() - kept < missing;
  bytes_loaded_ += size() - kept;
  return s;
}

// Appends `n` bytes to the window, which has room, in pieces as large as the
// gate lets them be. Stops at the end of the file.
IOStatus FilePrefetchBuffer::ReadPieces(const IOOptions& options,
                                        uint64_t offset, size_t n) {
  // With direct I/O offset, length and address are aligned: nothing is copied.
  const bool direct = file_->use_direct_io();
  while (n > 0) {
    const size_t piece = IoGate::CutToChunk(io_pass_, IoKind::kRead, n,
                                            direct ? window_.alignment() : 0);
    char* const to = window_.data() + size();
    Slice got;
    {
      const IoGate::Turn turn(io_pass_, IoKind::kRead, piece, direct);
      IOStatus s = file_->Read(options, offset, piece, &got, to);
      if (!s.ok()) return s;
    }
    if (!got.empty() && got.data() != to) memcpy(to, got.data(), got.size());
    window_.set_size(size() + got.size());
    if (got.size() < piece) break;
    offset += piece;
    n -= piece;
  }
  return IOStatus::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
