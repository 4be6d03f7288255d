// The file system of rocksdb/env_encryption.h.
//
// Place. Opens files of the file system below and wraps them in the classes of
// encrypted_files.cc. Names, directories, locks and links are those below.
//
// Model. A new file gets a prefix of its own before anything else is written.
// An older file is read through the stream that its prefix describes. A file
// that ends inside its prefix never had a synced byte, because a sync covers
// the prefix, too: a crash may leave one. So it is read as an empty file where
// logs and MANIFESTs are read, started again where it is continued, and its
// size is 0. Opened for random access, it is Corruption.
//
// LOG files are encrypted like all others.
//
// Threads. Thread-safe if the provider and the file system below are.

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>
#include <vector>

#include "env/aligned_buffer.h"
#include "env/composite_env.h"
#include "env/info_log.h"
#include "rocksdb/env_encryption.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using engine::AlignedBuffer;

// A file that has no bytes.
class EmptySequentialFile final : public FSSequentialFile {
 public:
  explicit EmptySequentialFile(std::unique_ptr<FSSequentialFile>&& file)
      : file_(std::move(file)) {}

  IOStatus Read(size_t /*n*/, const IOOptions& /*options*/, Slice* result,
                char* scratch, IODebugContext* /*dbg*/) override {
    *result = Slice(scratch, 0);
    return IOStatus::OK();
  }
  IOStatus Skip(uint64_t /*n*/) override { return IOStatus::OK(); }
  bool use_direct_io() const override { return file_->use_direct_io(); }
  size_t GetRequiredBufferAlignment() const override {
    return file_->GetRequiredBufferAlignment();
  }
  IOStatus InvalidateCache(size_t offset, size_t length) override {
    return file_->InvalidateCache(offset, length);
  }
  IOStatus PositionedRead(uint64_t /*offset*/, size_t /*n*/,
                          const IOOptions& /*options*/, Slice* result,
                          char* scratch, IODebugContext* /*dbg*/) override {
    *result = Slice(scratch, 0);
    return IOStatus::OK();
  }

 private:
  const std::unique_ptr<FSSequentialFile> file_;
};

// For reads into ordinary memory.
FileOptions PlainReads(const FileOptions& options) {
  FileOptions plain = options;
  plain.use_direct_reads = false;
  plain.use_mmap_reads = false;
  return plain;
}

class EncryptedFileSystemImpl final : public EncryptedFileSystem {
 public:
  EncryptedFileSystemImpl(const std::shared_ptr<FileSystem>& base,
                          std::shared_ptr<EncryptionProvider> provider)
      : EncryptedFileSystem(base), provider_(std::move(provider)) {}

  const char* Name() const override { return kClassName(); }

  Status AddCipher(const std::string& descriptor, const char* cipher,
                   size_t len, bool for_write) override;

  IOStatus NewSequentialFile(const std::string& f, const FileOptions& file_opts,
                             std::unique_ptr<FSSequentialFile>* r,
                             IODebugContext* dbg) override;
  IOStatus NewRandomAccessFile(const std::string& f,
                               const FileOptions& file_opts,
                               std::unique_ptr<FSRandomAccessFile>* r,
                               IODebugContext* dbg) override;
  IOStatus NewWritableFile(const std::string& f, const FileOptions& file_opts,
                           std::unique_ptr<FSWritableFile>* r,
                           IODebugContext* dbg) override;
  IOStatus ReopenWritableFile(const std::string& f,
                              const FileOptions& file_opts,
                              std::unique_ptr<FSWritableFile>* r,
                              IODebugContext* dbg) override;
  IOStatus ReuseWritableFile(const std::string& f, const std::string& old_fname,
                             const FileOptions& file_opts,
                             std::unique_ptr<FSWritableFile>* r,
                             IODebugContext* dbg) override;
  IOStatus NewRandomRWFile(const std::string& f, const FileOptions& file_opts,
                           std::unique_ptr<FSRandomRWFile>* r,
                           IODebugContext* dbg) override;
  IOStatus NewMemoryMappedFileBuffer(
      const std::string& f,
      std::unique_ptr<MemoryMappedFileBuffer>* r) override;
  IOStatus GetChildrenFileAttributes(const std::string& dir,
                                     const IOOptions& options,
                                     std::vector<FileAttributes>* r,
                                     IODebugContext* dbg) override;
  IOStatus Truncate(const std::string& f, size_t size, const IOOptions& options,
                    IODebugContext* dbg) override;
  IOStatus GetFileSize(const std::string& f, const IOOptions& options,
                       uint64_t* size, IODebugContext* dbg) override;
  IOStatus NewLogger(const std::string& f, const IOOptions& options,
                     std::shared_ptr<Logger>* result,
                     IODebugContext* dbg) override;
  void SupportedOps(int64_t& supported_ops) override;

 private:
  using StreamPtr = std::unique_ptr<BlockAccessCipherStream>;

  IOStatus CheckOpen(const std::string& f, bool mapped) const;
  // Direct I/O behind a prefix needs one of whole blocks.
  template <typename File>
  IOStatus CheckAlignment(const std::string& f, const File& file) const;
  // Empty memory in which `file` can read or write a prefix.
  template <typename File>
  IOStatus MakeRoom(const std::string& f, const File& file,
                    AlignedBuffer* prefix) const;
  // Fills `*prefix`; with less than a whole one only where the file ends.
  IOStatus ReadPrefix(const std::string& f, const FileOptions& file_opts,
                      FSSequentialFile* file, AlignedBuffer* prefix,
                      IODebugContext* dbg) const;
  IOStatus ReadPrefix(const std::string& f, const FileOptions& file_opts,
                      const FSRandomAccessFile& file, AlignedBuffer* prefix,
                      IODebugContext* dbg) const;
  // Fills `*prefix` for a new file.
  template <typename File>
  IOStatus MakePrefix(const std::string& f, const File& file,
                      AlignedBuffer* prefix) const;
  IOStatus MakeStream(const std::string& f, const EnvOptions& options,
                      const AlignedBuffer& prefix, StreamPtr* stream) const;
  // The stream of a file that is there.
  IOStatus StreamOf(const std::string& f, const FileOptions& file_opts,
                    StreamPtr* stream, IODebugContext* dbg) const;
  // Wraps `file`, whose prefix this is.
  template <typename Wrapper, typename File>
  IOStatus Wrap(const std::string& f, const FileOptions& file_opts,
                const AlignedBuffer& prefix, std::unique_ptr<File> file,
                std::unique_ptr<File>* r) const;
  // Writes a prefix into the new file of the file system below, and wraps it.
  template <typename Wrapper, typename File>
  IOStatus Start(const std::string& f, const FileOptions& file_opts,
                 std::unique_ptr<File> file, std::unique_ptr<File>* r,
                 IODebugContext* dbg) const;
  // Of the file below; 0 if there is none.
  IOStatus SizeBelow(const std::string& f, const IOOptions& options,
                     uint64_t* size, IODebugContext* dbg) const;
  // `found` bytes are no whole prefix.
  IOStatus EndsInPrefix(const std::string& f, uint64_t found) const;

  const std::shared_ptr<EncryptionProvider> provider_;
};

// ---- Prefixes and streams

IOStatus EncryptedFileSystemImpl::CheckOpen(const std::string& f,
                                            bool mapped) const {
  if (provider_ == nullptr) {
    return IOStatus::InvalidArgument(
        f, "the encrypted file system has no EncryptionProvider");
  }
  if (mapped) {
    return IOStatus::InvalidArgument(
        f, "an encrypted file cannot be mapped; turn allow_mmap_reads off");
  }
  return IOStatus::OK();
}

template <typename File>
IOStatus EncryptedFileSystemImpl::CheckAlignment(const std::string& f,
                                                 const File& file) const {
  if (!file.use_direct_io()) return IOStatus::OK();
  const size_t length = provider_->GetPrefixLength();
  const size_t alignment = file.GetRequiredBufferAlignment();
  if (length % alignment == 0) return IOStatus::OK();
  return IOStatus::InvalidArgument(
      f, "direct I/O expects an encryption prefix that is a multiple of " +
             std::to_string(alignment) + " bytes, found " +
             std::to_string(length));
}

template <typename File>
IOStatus EncryptedFileSystemImpl::MakeRoom(const std::string& f,
                                           const File& file,
                                           AlignedBuffer* prefix) const {
  IOStatus s = CheckAlignment(f, file);
  if (!s.ok()) return s;
  prefix->Reset(file.use_direct_io() ? file.GetRequiredBufferAlignment() : 1,
                provider_->GetPrefixLength());
  return s;
}

// Takes over what was read for a prefix of `length` bytes.
void KeepPrefix(const Slice& got, size_t length, AlignedBuffer* prefix) {
  assert(length <= prefix->capacity());
  const size_t n = std::min(got.size(), length);
  if (n > 0 && got.data() != prefix->data()) {
    memcpy(prefix->data(), got.data(), n);
  }
  prefix->set_size(n);
}

IOStatus EncryptedFileSystemImpl::ReadPrefix(const std::string& f,
                                             const FileOptions& file_opts,
                                             FSSequentialFile* file,
                                             AlignedBuffer* prefix,
                                             IODebugContext* dbg) const {
  const size_t length = provider_->GetPrefixLength();
  IOStatus s = MakeRoom(f, *file, prefix);
  if (!s.ok() || length == 0) return s;
  Slice got;
  if (file->use_direct_io()) {
    s = file->PositionedRead(0, length, file_opts.io_options, &got,
                             prefix->data(), dbg);
    if (s.ok()) s = file->Skip(length);
  } else {
    s = file->Read(length, file_opts.io_options, &got, prefix->data(), dbg);
  }
  if (s.ok()) KeepPrefix(got, length, prefix);
  return s;
}

IOStatus EncryptedFileSystemImpl::ReadPrefix(const std::string& f,
                                             const FileOptions& file_opts,
                                             const FSRandomAccessFile& file,
                                             AlignedBuffer* prefix,
                                             IODebugContext* dbg) const {
  const size_t length = provider_->GetPrefixLength();
  IOStatus s = MakeRoom(f, file, prefix);
  if (!s.ok() || length == 0) return s;
  Slice got;
  s = file.Read(0, length, file_opts.io_options, &got, prefix->data(), dbg);
  if (!s.ok()) return s;
  KeepPrefix(got, length, prefix);
  return prefix->size() < length ? EndsInPrefix(f, prefix->size()) : s;
}

template <typename File>
IOStatus EncryptedFileSystemImpl::MakePrefix(const std::string& f,
                                             const File& file,
                                             AlignedBuffer* prefix) const {
  const size_t length = provider_->GetPrefixLength();
  IOStatus s = MakeRoom(f, file, prefix);
  if (!s.ok() || length == 0) return s;
  prefix->AppendFill('\0', length);
  return status_to_io_status(
      provider_->CreateNewPrefix(f, prefix->data(), length));
}

IOStatus EncryptedFileSystemImpl::MakeStream(const std::string& f,
                                             const EnvOptions& options,
                                             const AlignedBuffer& prefix,
                                             StreamPtr* stream) const {
  assert(prefix.size() == provider_->GetPrefixLength());
  Slice bytes;
  if (prefix.size() > 0) bytes = Slice(prefix.data(), prefix.size());
  IOStatus s = status_to_io_status(
      provider_->CreateCipherStream(f, options, bytes, stream));
  if (s.ok() && *stream == nullptr) {
    return IOStatus::InvalidArgument(
        f, "the EncryptionProvider made no cipher stream");
  }
  return s;
}

IOStatus EncryptedFileSystemImpl::StreamOf(const std::string& f,
                                           const FileOptions& file_opts,
                                           StreamPtr* stream,
                                           IODebugContext* dbg) const {
  const FileOptions plain = PlainReads(file_opts);
  std::unique_ptr<FSSequentialFile> file;
  IOStatus s = target()->NewSequentialFile(f, plain, &file, dbg);
  if (!s.ok()) return s;
  AlignedBuffer prefix;
  s = ReadPrefix(f, plain, file.get(), &prefix, dbg);
  if (!s.ok()) return s;
  if (prefix.size() < provider_->GetPrefixLength()) {
    return EndsInPrefix(f, prefix.size());
  }
  return MakeStream(f, file_opts, prefix, stream);
}

IOStatus EncryptedFileSystemImpl::EndsInPrefix(const std::string& f,
                                               uint64_t found) const {
  return IOStatus::Corruption(
      f, "expected an encryption prefix of " +
             std::to_string(provider_->GetPrefixLength()) + " bytes, found " +
             std::to_string(found));
}

// ---- Opening

template <typename Wrapper, typename File>
IOStatus EncryptedFileSystemImpl::Wrap(const std::string& f,
                                       const FileOptions& file_opts,
                                       const AlignedBuffer& prefix,
                                       std::unique_ptr<File> file,
                                       std::unique_ptr<File>* r) const {
  StreamPtr stream;
  IOStatus s = MakeStream(f, file_opts, prefix, &stream);
  if (!s.ok()) return s;
  *r = std::make_unique<Wrapper>(std::move(file), std::move(stream),
                                 prefix.size());
  return s;
}

IOStatus WritePrefix(const Slice& prefix, const FileOptions& file_opts,
                     FSWritableFile* file, IODebugContext* dbg) {
  return file->use_direct_io()
             ? file->PositionedAppend(prefix, 0, file_opts.io_options, dbg)
             : file->Append(prefix, file_opts.io_options, dbg);
}

IOStatus WritePrefix(const Slice& prefix, const FileOptions& file_opts,
                     FSRandomRWFile* file, IODebugContext* dbg) {
  return file->Write(0, prefix, file_opts.io_options, dbg);
}

template <typename Wrapper, typename File>
IOStatus EncryptedFileSystemImpl::Start(const std::string& f,
                                        const FileOptions& file_opts,
                                        std::unique_ptr<File> file,
                                        std::unique_ptr<File>* r,
                                        IODebugContext* dbg) const {
  AlignedBuffer prefix;
  IOStatus s = MakePrefix(f, *file, &prefix);
  if (s.ok() && prefix.size() > 0) {
    s = WritePrefix(Slice(prefix.data(), prefix.size()), file_opts, file.get(),
                    dbg);
  }
  if (!s.ok()) return s;
  return Wrap<Wrapper>(f, file_opts, prefix, std::move(file), r);
}

IOStatus EncryptedFileSystemImpl::NewSequentialFile(
    const std::string& f, const FileOptions& file_opts,
    std::unique_ptr<FSSequentialFile>* r, IODebugContext* dbg) {
  r->reset();
  IOStatus s = CheckOpen(f, file_opts.use_mmap_reads);
  if (!s.ok()) return s;
  std::unique_ptr<FSSequentialFile> file;
  s = target()->NewSequentialFile(f, file_opts, &file, dbg);
  if (!s.ok()) return s;
  AlignedBuffer prefix;
  s = ReadPrefix(f, file_opts, file.get(), &prefix, dbg);
  if (!s.ok()) return s;
  if (prefix.size() < provider_->GetPrefixLength()) {
    *r = std::make_unique<EmptySequentialFile>(std::move(file));
    return s;
  }
  return Wrap<EncryptedSequentialFile>(f, file_opts, prefix, std::move(file),
                                       r);
}

IOStatus EncryptedFileSystemImpl::NewRandomAccessFile(
    const std::string& f, const FileOptions& file_opts,
    std::unique_ptr<FSRandomAccessFile>* r, IODebugContext* dbg) {
  r->reset();
  IOStatus s = CheckOpen(f, file_opts.use_mmap_reads);
  if (!s.ok()) return s;
  std::unique_ptr<FSRandomAccessFile> file;
  s = target()->NewRandomAccessFile(f, file_opts, &file, dbg);
  if (!s.ok()) return s;
  AlignedBuffer prefix;
  s = ReadPrefix(f, file_opts, *file, &prefix, dbg);
  if (!s.ok()) return s;
  return Wrap<EncryptedRandomAccessFile>(f, file_opts, prefix, std::move(file),
                                         r);
}

IOStatus EncryptedFileSystemImpl::NewWritableFile(
    const std::string& f, const FileOptions& file_opts,
    std::unique_ptr<FSWritableFile>* r, IODebugContext* dbg) {
  r->reset();
  IOStatus s = CheckOpen(f, /*mapped=*/false);
  if (!s.ok()) return s;
  std::unique_ptr<FSWritableFile> file;
  s = target()->NewWritableFile(f, file_opts, &file, dbg);
  if (!s.ok()) return s;
  s = Start<EncryptedWritableFile>(f, file_opts, std::move(file), r, dbg);
  // The caller has no file; it must not find one later.
  if (!s.ok()) {
    target()->DeleteFile(f, file_opts.io_options, dbg).PermitUncheckedError();
  }
  return s;
}

IOStatus EncryptedFileSystemImpl::ReopenWritableFile(
    const std::string& f, const FileOptions& file_opts,
    std::unique_ptr<FSWritableFile>* r, IODebugContext* dbg) {
  r->reset();
  IOStatus s = CheckOpen(f, /*mapped=*/false);
  if (!s.ok()) return s;
  uint64_t size = 0;
  s = SizeBelow(f, file_opts.io_options, &size, dbg);
  if (!s.ok()) return s;
  if (size == 0 || size < provider_->GetPrefixLength()) {
    return NewWritableFile(f, file_opts, r, dbg);
  }
  StreamPtr stream;
  s = StreamOf(f, file_opts, &stream, dbg);
  if (!s.ok()) return s;
  std::unique_ptr<FSWritableFile> file;
  s = target()->ReopenWritableFile(f, file_opts, &file, dbg);
  if (s.ok()) s = CheckAlignment(f, *file);
  if (!s.ok()) return s;
  *r = std::make_unique<EncryptedWritableFile>(
      std::move(file), std::move(stream), provider_->GetPrefixLength());
  return s;
}

// The old bytes are not kept: under the new prefix they would read as damage.
IOStatus EncryptedFileSystemImpl::ReuseWritableFile(
    const std::string& f, const std::string& old_fname,
    const FileOptions& file_opts, std::unique_ptr<FSWritableFile>* r,
    IODebugContext* dbg) {
  r->reset();
  IOStatus s = CheckOpen(f, /*mapped=*/false);
  if (s.ok()) s = target()->RenameFile(old_fname, f, file_opts.io_options, dbg);
  if (!s.ok()) return s;
  return NewWritableFile(f, file_opts, r, dbg);
}

IOStatus EncryptedFileSystemImpl::NewRandomRWFile(
    const std::string& f, const FileOptions& file_opts,
    std::unique_ptr<FSRandomRWFile>* r, IODebugContext* dbg) {
  r->reset();
  IOStatus s = CheckOpen(f, file_opts.use_mmap_reads);
  if (!s.ok()) return s;
  uint64_t size = 0;
  s = SizeBelow(f, file_opts.io_options, &size, dbg);
  if (!s.ok()) return s;
  StreamPtr stream;
  if (size > 0) {
    s = StreamOf(f, file_opts, &stream, dbg);
    if (!s.ok()) return s;
  }
  std::unique_ptr<FSRandomRWFile> file;
  s = target()->NewRandomRWFile(f, file_opts, &file, dbg);
  if (!s.ok()) return s;
  if (size == 0) {
    return Start<EncryptedRandomRWFile>(f, file_opts, std::move(file), r, dbg);
  }
  s = CheckAlignment(f, *file);
  if (!s.ok()) return s;
  *r = std::make_unique<EncryptedRandomRWFile>(
      std::move(file), std::move(stream), provider_->GetPrefixLength());
  return s;
}

IOStatus EncryptedFileSystemImpl::NewMemoryMappedFileBuffer(
    const std::string& f, std::unique_ptr<MemoryMappedFileBuffer>* /*r*/) {
  return IOStatus::NotSupported("An encrypted file cannot be mapped", f);
}

IOStatus EncryptedFileSystemImpl::NewLogger(const std::string& f,
                                            const IOOptions& /*options*/,
                                            std::shared_ptr<Logger>* result,
                                            IODebugContext* /*dbg*/) {
  return status_to_io_status(
      engine::NewFileLogger(this, SystemClock::Default().get(), f, result));
}

// ---- Sizes

IOStatus EncryptedFileSystemImpl::SizeBelow(const std::string& f,
                                            const IOOptions& options,
                                            uint64_t* size,
                                            IODebugContext* dbg) const {
  *size = 0;
  IOStatus s = target()->FileExists(f, options, dbg);
  if (s.IsNotFound()) return IOStatus::OK();
  if (!s.ok()) return s;
  return target()->GetFileSize(f, options, size, dbg);
}

IOStatus EncryptedFileSystemImpl::GetFileSize(const std::string& f,
                                              const IOOptions& options,
                                              uint64_t* size,
                                              IODebugContext* dbg) {
  IOStatus s = CheckOpen(f, /*mapped=*/false);
  if (s.ok()) s = target()->GetFileSize(f, options, size, dbg);
  if (s.ok()) *size -= std::min<uint64_t>(*size, provider_->GetPrefixLength());
  return s;
}

IOStatus EncryptedFileSystemImpl::GetChildrenFileAttributes(
    const std::string& dir, const IOOptions& options,
    std::vector<FileAttributes>* r, IODebugContext* dbg) {
  IOStatus s = CheckOpen(dir, /*mapped=*/false);
  if (s.ok()) s = target()->GetChildrenFileAttributes(dir, options, r, dbg);
  if (!s.ok()) return s;
  for (FileAttributes& file : *r) {
    file.size_bytes -=
        std::min<uint64_t>(file.size_bytes, provider_->GetPrefixLength());
  }
  return s;
}

IOStatus EncryptedFileSystemImpl::Truncate(const std::string& f, size_t size,
                                           const IOOptions& options,
                                           IODebugContext* dbg) {
  IOStatus s = CheckOpen(f, /*mapped=*/false);
  uint64_t below = 0;
  if (s.ok()) s = target()->GetFileSize(f, options, &below, dbg);
  if (!s.ok()) return s;
  const size_t length = provider_->GetPrefixLength();
  // Zeros in the place of a prefix would be taken for one.
  if (below < length) return EndsInPrefix(f, below);
  if (size + length < size) {
    return IOStatus::InvalidArgument(
        f, "no encrypted file can have " + std::to_string(size) + " bytes");
  }
  return target()->Truncate(f, size + length, options, dbg);
}

// ---- The rest

Status EncryptedFileSystemImpl::AddCipher(const std::string& descriptor,
                                          const char* cipher, size_t len,
                                          bool for_write) {
  if (provider_ == nullptr) {
    return Status::InvalidArgument(
        "The encrypted file system has no EncryptionProvider");
  }
  return provider_->AddCipher(descriptor, cipher, len, for_write);
}

// Reads end in memory of the caller, and when the call returns.
void EncryptedFileSystemImpl::SupportedOps(int64_t& supported_ops) {
  target()->SupportedOps(supported_ops);
  supported_ops &= ~(int64_t{1} << FSSupportedOps::kAsyncIO);
  supported_ops &= ~(int64_t{1} << FSSupportedOps::kFSBuffer);
}

}  // namespace

std::shared_ptr<FileSystem> NewEncryptedFS(
    const std::shared_ptr<FileSystem>& base_fs,
    const std::shared_ptr<EncryptionProvider>& provider) {
  return std::make_shared<EncryptedFileSystemImpl>(base_fs, provider);
}

Env* NewEncryptedEnv(Env* base_env,
                     const std::shared_ptr<EncryptionProvider>& provider) {
  return new engine::CompositeEnvWrapper(
      base_env, NewEncryptedFS(base_env->GetFileSystem(), provider),
      base_env->GetSystemClock(), "EncryptedEnv");
}

}  // namespace ROCKSDB_NAMESPACE
