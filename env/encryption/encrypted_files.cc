// The files of rocksdb/env_encryption.h.
//
// Model. A call shifts its offset by the prefix and goes to the file below.
// What is written is encrypted in a copy, because the caller keeps its bytes;
// what was read is decrypted in the caller's memory, because that of the file
// below may be shared.
//
// Invariants:
//   (1) The stream gets the offsets of the file below.
//   (2) An offset so large that the shift would wrap is beyond the end of any
//       file: reads find nothing there, and writes are refused.
//   (3) Memory that the copy or the stream does not get is a Status: writers
//       also flush in destructors, and must know that a write has failed.

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

#include "env/aligned_buffer.h"
#include "rocksdb/env_encryption.h"
#include "util/no_memory.h"
#include "util/perf_context.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using engine::AlignedBuffer;
using engine::OrNoMemory;
using engine::PerfTimer;

// (2)
bool IsBeyondAll(uint64_t offset, uint64_t prefix_length) {
  return offset > std::numeric_limits<uint64_t>::max() - prefix_length;
}

IOStatus RefuseOffset(uint64_t offset) {
  return IOStatus::InvalidArgument("No encrypted file can be written at offset",
                                   std::to_string(offset));
}

uint64_t WithoutPrefix(uint64_t size, uint64_t prefix_length) {
  return size > prefix_length ? size - prefix_length : 0;
}

// The alignment that writes to `file` need.
template <typename File>
size_t CopyAlignment(const File& file) {
  return file.use_direct_io() ? file.GetRequiredBufferAlignment() : 1;
}

// Sets `*copy` to the encrypted form of `data`, which belongs at `offset`. (3)
IOStatus EncryptCopy(BlockAccessCipherStream* stream, uint64_t offset,
                     const Slice& data, size_t alignment, AlignedBuffer* copy) {
  return status_to_io_status(OrNoMemory([&] {
    copy->Reset(alignment, data.size());
    copy->Append(data.data(), data.size());
    const PerfTimer timer(nullptr, &PerfContextBase::encrypt_data_nanos);
    return stream->Encrypt(offset, copy->data(), copy->size());
  }));
}

// Decrypts *result, which was read at `offset`, in `scratch`.
IOStatus DecryptRead(BlockAccessCipherStream* stream, uint64_t offset,
                     Slice* result, char* scratch) {
  if (result->empty()) return IOStatus::OK();
  const size_t n = result->size();
  if (result->data() != scratch) memmove(scratch, result->data(), n);
  *result = Slice(scratch, 0);
  const PerfTimer timer(nullptr, &PerfContextBase::decrypt_data_nanos);
  IOStatus s = status_to_io_status(
      OrNoMemory([&] { return stream->Decrypt(offset, scratch, n); }));
  if (s.ok()) *result = Slice(scratch, n);
  return s;
}

}  // namespace

// EncryptedSequentialFile

IOStatus EncryptedSequentialFile::Read(size_t n, const IOOptions& options,
                                       Slice* result, char* scratch,
                                       IODebugContext* dbg) {
  assert(offset_ >= prefixLength_);
  IOStatus s = file_->Read(n, options, result, scratch, dbg);
  if (!s.ok()) return s;
  assert(result->size() <= n);
  const uint64_t offset = offset_;
  offset_ += result->size();
  return DecryptRead(stream_.get(), offset, result, scratch);
}

IOStatus EncryptedSequentialFile::Skip(uint64_t n) {
  if (IsBeyondAll(n, offset_)) {
    return IOStatus::InvalidArgument("No encrypted file has so many bytes",
                                     std::to_string(n));
  }
  IOStatus s = file_->Skip(n);
  if (s.ok()) offset_ += n;
  return s;
}

bool EncryptedSequentialFile::use_direct_io() const {
  return file_->use_direct_io();
}

size_t EncryptedSequentialFile::GetRequiredBufferAlignment() const {
  return file_->GetRequiredBufferAlignment();
}

IOStatus EncryptedSequentialFile::InvalidateCache(size_t offset,
                                                  size_t length) {
  return file_->InvalidateCache(offset + prefixLength_, length);
}

IOStatus EncryptedSequentialFile::PositionedRead(uint64_t offset, size_t n,
                                                 const IOOptions& options,
                                                 Slice* result, char* scratch,
                                                 IODebugContext* dbg) {
  *result = Slice(scratch, 0);
  if (IsBeyondAll(offset, prefixLength_)) return IOStatus::OK();
  offset += prefixLength_;
  IOStatus s = file_->PositionedRead(offset, n, options, result, scratch, dbg);
  if (!s.ok()) return s;
  assert(result->size() <= n);
  return DecryptRead(stream_.get(), offset, result, scratch);
}

Temperature EncryptedSequentialFile::GetTemperature() const {
  return file_->GetTemperature();
}

// EncryptedRandomAccessFile

IOStatus EncryptedRandomAccessFile::Read(uint64_t offset, size_t n,
                                         const IOOptions& options,
                                         Slice* result, char* scratch,
                                         IODebugContext* dbg) const {
  *result = Slice(scratch, 0);
  if (IsBeyondAll(offset, prefixLength_)) return IOStatus::OK();
  offset += prefixLength_;
  IOStatus s = file_->Read(offset, n, options, result, scratch, dbg);
  if (!s.ok()) return s;
  assert(result->size() <= n);
  return DecryptRead(stream_.get(), offset, result, scratch);
}

IOStatus EncryptedRandomAccessFile::MultiRead(FSReadRequest* reqs,
                                              size_t num_reqs,
                                              const IOOptions& options,
                                              IODebugContext* dbg) {
  for (size_t i = 0; i < num_reqs; ++i) {
    if (reqs[i].scratch == nullptr) {
      return IOStatus::NotSupported(
          "An encrypted file needs the memory of its caller for a read");
    }
    if (IsBeyondAll(reqs[i].offset, prefixLength_)) {
      return FSRandomAccessFile::MultiRead(reqs, num_reqs, options, dbg);
    }
  }
  for (size_t i = 0; i < num_reqs; ++i) reqs[i].offset += prefixLength_;
  IOStatus s = file_->MultiRead(reqs, num_reqs, options, dbg);
  for (size_t i = 0; i < num_reqs; ++i) {
    FSReadRequest& req = reqs[i];
    if (s.ok() && req.status.ok()) {
      assert(req.result.size() <= req.len);
      req.status =
          DecryptRead(stream_.get(), req.offset, &req.result, req.scratch);
    }
    req.offset -= prefixLength_;
  }
  return s;
}

IOStatus EncryptedRandomAccessFile::Prefetch(uint64_t offset, size_t n,
                                             const IOOptions& options,
                                             IODebugContext* dbg) {
  if (IsBeyondAll(offset, prefixLength_)) return IOStatus::OK();
  return file_->Prefetch(offset + prefixLength_, n, options, dbg);
}

size_t EncryptedRandomAccessFile::GetUniqueId(char* id, size_t max_size) const {
  return file_->GetUniqueId(id, max_size);
}

void EncryptedRandomAccessFile::Hint(AccessPattern pattern) {
  file_->Hint(pattern);
}

bool EncryptedRandomAccessFile::use_direct_io() const {
  return file_->use_direct_io();
}

size_t EncryptedRandomAccessFile::GetRequiredBufferAlignment() const {
  return file_->GetRequiredBufferAlignment();
}

IOStatus EncryptedRandomAccessFile::InvalidateCache(size_t offset,
                                                    size_t length) {
  return file_->InvalidateCache(offset + prefixLength_, length);
}

Temperature EncryptedRandomAccessFile::GetTemperature() const {
  return file_->GetTemperature();
}

IOStatus EncryptedRandomAccessFile::GetFileSize(uint64_t* result) {
  IOStatus s = file_->GetFileSize(result);
  if (s.ok()) *result = WithoutPrefix(*result, prefixLength_);
  return s;
}

// EncryptedWritableFile

IOStatus EncryptedWritableFile::Append(const Slice& data,
                                       const IOOptions& options,
                                       IODebugContext* dbg) {
  if (data.empty()) return file_->Append(data, options, dbg);
  const uint64_t offset = file_->GetFileSize(options, dbg);  // (1)
  if (offset < prefixLength_) {
    return IOStatus::NotSupported(
        "Encryption needs a file system whose FSWritableFile has GetFileSize");
  }
  AlignedBuffer copy;
  IOStatus s =
      EncryptCopy(stream_.get(), offset, data, CopyAlignment(*file_), &copy);
  if (!s.ok()) return s;
  return file_->Append(Slice(copy.data(), copy.size()), options, dbg);
}

IOStatus EncryptedWritableFile::PositionedAppend(const Slice& data,
                                                 uint64_t offset,
                                                 const IOOptions& options,
                                                 IODebugContext* dbg) {
  if (IsBeyondAll(offset, prefixLength_)) return RefuseOffset(offset);
  offset += prefixLength_;
  if (data.empty()) return file_->PositionedAppend(data, offset, options, dbg);
  AlignedBuffer copy;
  IOStatus s =
      EncryptCopy(stream_.get(), offset, data, CopyAlignment(*file_), &copy);
  if (!s.ok()) return s;
  return file_->PositionedAppend(Slice(copy.data(), copy.size()), offset,
                                 options, dbg);
}

IOStatus EncryptedWritableFile::PositionedAppend(
    const Slice& data, uint64_t offset, const IOOptions& options,
    const DataVerificationInfo& /*verification_info*/, IODebugContext* dbg) {
  return PositionedAppend(data, offset, options, dbg);
}

IOStatus EncryptedWritableFile::Truncate(uint64_t size,
                                         const IOOptions& options,
                                         IODebugContext* dbg) {
  if (IsBeyondAll(size, prefixLength_)) return RefuseOffset(size);
  return file_->Truncate(size + prefixLength_, options, dbg);
}

IOStatus EncryptedWritableFile::Close(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Close(options, dbg);
}

IOStatus EncryptedWritableFile::Flush(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Flush(options, dbg);
}

IOStatus EncryptedWritableFile::Sync(const IOOptions& options,
                                     IODebugContext* dbg) {
  return file_->Sync(options, dbg);
}

IOStatus EncryptedWritableFile::Fsync(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Fsync(options, dbg);
}

bool EncryptedWritableFile::IsSyncThreadSafe() const {
  return file_->IsSyncThreadSafe();
}

bool EncryptedWritableFile::use_direct_io() const {
  return file_->use_direct_io();
}

size_t EncryptedWritableFile::GetRequiredBufferAlignment() const {
  return file_->GetRequiredBufferAlignment();
}

void EncryptedWritableFile::SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) {
  file_->SetWriteLifeTimeHint(hint);
}

Env::WriteLifeTimeHint EncryptedWritableFile::GetWriteLifeTimeHint() {
  return file_->GetWriteLifeTimeHint();
}

void EncryptedWritableFile::SetIOPriority(Env::IOPriority pri) {
  file_->SetIOPriority(pri);
}

Env::IOPriority EncryptedWritableFile::GetIOPriority() {
  return file_->GetIOPriority();
}

uint64_t EncryptedWritableFile::GetFileSize(const IOOptions& options,
                                            IODebugContext* dbg) {
  return WithoutPrefix(file_->GetFileSize(options, dbg), prefixLength_);
}

void EncryptedWritableFile::SetPreallocationBlockSize(size_t size) {
  file_->SetPreallocationBlockSize(size);
}

void EncryptedWritableFile::GetPreallocationStatus(
    size_t* block_size, size_t* last_allocated_block) {
  file_->GetPreallocationStatus(block_size, last_allocated_block);
}

size_t EncryptedWritableFile::GetUniqueId(char* id, size_t max_size) const {
  return file_->GetUniqueId(id, max_size);
}

IOStatus EncryptedWritableFile::InvalidateCache(size_t offset, size_t length) {
  return file_->InvalidateCache(offset + prefixLength_, length);
}

IOStatus EncryptedWritableFile::RangeSync(uint64_t offset, uint64_t nbytes,
                                          const IOOptions& options,
                                          IODebugContext* dbg) {
  if (IsBeyondAll(offset, prefixLength_)) return RefuseOffset(offset);
  return file_->RangeSync(offset + prefixLength_, nbytes, options, dbg);
}

void EncryptedWritableFile::PrepareWrite(size_t offset, size_t len,
                                         const IOOptions& options,
                                         IODebugContext* dbg) {
  file_->PrepareWrite(offset + prefixLength_, len, options, dbg);
}

IOStatus EncryptedWritableFile::Allocate(uint64_t offset, uint64_t len,
                                         const IOOptions& options,
                                         IODebugContext* dbg) {
  if (IsBeyondAll(offset, prefixLength_)) return RefuseOffset(offset);
  return file_->Allocate(offset + prefixLength_, len, options, dbg);
}

// EncryptedRandomRWFile

bool EncryptedRandomRWFile::use_direct_io() const {
  return file_->use_direct_io();
}

size_t EncryptedRandomRWFile::GetRequiredBufferAlignment() const {
  return file_->GetRequiredBufferAlignment();
}

IOStatus EncryptedRandomRWFile::Write(uint64_t offset, const Slice& data,
                                      const IOOptions& options,
                                      IODebugContext* dbg) {
  if (IsBeyondAll(offset, prefixLength_)) return RefuseOffset(offset);
  offset += prefixLength_;
  if (data.empty()) return file_->Write(offset, data, options, dbg);
  AlignedBuffer copy;
  IOStatus s =
      EncryptCopy(stream_.get(), offset, data, CopyAlignment(*file_), &copy);
  if (!s.ok()) return s;
  return file_->Write(offset, Slice(copy.data(), copy.size()), options, dbg);
}

IOStatus EncryptedRandomRWFile::Read(uint64_t offset, size_t n,
                                     const IOOptions& options, Slice* result,
                                     char* scratch, IODebugContext* dbg) const {
  *result = Slice(scratch, 0);
  if (IsBeyondAll(offset, prefixLength_)) return IOStatus::OK();
  offset += prefixLength_;
  IOStatus s = file_->Read(offset, n, options, result, scratch, dbg);
  if (!s.ok()) return s;
  assert(result->size() <= n);
  return DecryptRead(stream_.get(), offset, result, scratch);
}

IOStatus EncryptedRandomRWFile::Flush(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Flush(options, dbg);
}

IOStatus EncryptedRandomRWFile::Sync(const IOOptions& options,
                                     IODebugContext* dbg) {
  return file_->Sync(options, dbg);
}

IOStatus EncryptedRandomRWFile::Fsync(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Fsync(options, dbg);
}

IOStatus EncryptedRandomRWFile::Close(const IOOptions& options,
                                      IODebugContext* dbg) {
  return file_->Close(options, dbg);
}

Temperature EncryptedRandomRWFile::GetTemperature() const {
  return file_->GetTemperature();
}

}  // namespace ROCKSDB_NAMESPACE
