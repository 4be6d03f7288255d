// Encryption at rest: files that hold only cipher text.
//
// Place. NewEncryptedEnv and NewEncryptedFS wrap any Env or FileSystem. The
// database above reads and writes plain bytes; the files below hold a prefix,
// which the provider makes for each file, and then the encrypted bytes.
//
// Model.
//   EncryptionProvider       makes the prefix of a new file, and from a prefix
//                            the cipher stream of the file
//   BlockAccessCipherStream  encrypts and decrypts any bytes of one file
//   BlockCipher              encrypts one block; used by the CTR provider
// Offsets of a stream are those of the underlying file: the first byte behind
// the prefix has the offset GetPrefixLength().
//
// What it protects. The CTR provider hides what is in the files. It does not
// notice changed files, and names and sizes of files stay readable. ROT13 is
// no encryption; it is there for tests.
//
// Limits. Encrypted files cannot be mapped: allow_mmap_reads is refused.
//
// Threads. A provider, its ciphers and the stream of a file are used by many
// threads at once. Exceptions must not leave any of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/customizable.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class EncryptionProvider;
struct ConfigOptions;

// The caller owns the Env. `base_env` must live longer.
Env* NewEncryptedEnv(Env* base_env,
                     const std::shared_ptr<EncryptionProvider>& provider);
std::shared_ptr<FileSystem> NewEncryptedFS(
    const std::shared_ptr<FileSystem>& base_fs,
    const std::shared_ptr<EncryptionProvider>& provider);

// Encrypts the bytes of one file in blocks that do not depend on each other.
class BlockAccessCipherStream {
 public:
  virtual ~BlockAccessCipherStream() = default;

  virtual size_t BlockSize() = 0;

  // Encrypts data[0..data_size), which belongs at `file_offset`, in place.
  // Neither end has to be the border of a block: the rest of such a block is
  // shown to EncryptBlock as zeros, and what becomes of it is dropped.
  virtual Status Encrypt(uint64_t file_offset, char* data, size_t data_size);
  // The reverse.
  virtual Status Decrypt(uint64_t file_offset, char* data, size_t data_size);

 protected:
  // Sizes the memory that EncryptBlock and DecryptBlock get as `scratch`.
  virtual void AllocateScratch(std::string& scratch) = 0;
  // Each changes BlockSize() bytes in place.
  virtual Status EncryptBlock(uint64_t block_index, char* data,
                              char* scratch) = 0;
  virtual Status DecryptBlock(uint64_t block_index, char* data,
                              char* scratch) = 0;
};

// Encrypts single blocks with one key.
class BlockCipher : public Customizable {
 public:
  ~BlockCipher() override = default;

  static const char* Type() { return "BlockCipher"; }

  // "ROT13" has blocks of 32 bytes, "ROT13:N" of N bytes. NotFound for other
  // names; "" and "nullptr" set no cipher.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value,
                                 std::shared_ptr<BlockCipher>* result);
  // For tests: adds 13 to each byte.
  static std::shared_ptr<BlockCipher> NewROT13Cipher(size_t block_size);

  virtual size_t BlockSize() = 0;
  // Each changes BlockSize() bytes in place.
  virtual Status Encrypt(char* data) = 0;
  virtual Status Decrypt(char* data) = 0;
};

// Makes the cipher streams of files.
class EncryptionProvider : public Customizable {
 public:
  ~EncryptionProvider() override = default;

  static const char* Type() { return "EncryptionProvider"; }

  // "CTR" still needs a cipher, see AddCipher; "CTR://test" has ROT13. So does
  // "id=CTR;cipher=ROT13:32". NotFound for other names; "" and "nullptr" set
  // no provider.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value,
                                 std::shared_ptr<EncryptionProvider>* result);

  // Counter mode: each block is combined with an encrypted counter. The blocks
  // of `cipher` have 8 to 2048 bytes.
  static std::shared_ptr<EncryptionProvider> NewCTRProvider(
      const std::shared_ptr<BlockCipher>& cipher);

  // Bytes in front of each file; a multiple of the page size for direct I/O.
  // Constant for the life of the provider.
  virtual size_t GetPrefixLength() const = 0;

  // Fills the prefix of the new file `fname`.
  virtual Status CreateNewPrefix(const std::string& fname, char* prefix,
                                 size_t prefix_length) const = 0;

  // Adds a key. `for_write`: new files use it; otherwise it only reads. The CTR
  // provider takes the name of a BlockCipher, ended by a zero byte, as
  // `cipher`, with the size of its blocks as `len` for "ROT13", and only if it
  // has none.
  virtual Status AddCipher(const std::string& descriptor, const char* cipher,
                           size_t len, bool for_write) = 0;

  // Makes the stream of the file `fname` from its prefix, which is what lies on
  // the disk and must be checked.
  virtual Status CreateCipherStream(
      const std::string& fname, const EnvOptions& options, Slice& prefix,
      std::unique_ptr<BlockAccessCipherStream>* result) = 0;

  // Bytes by which the provider knows its own prefixes, or "".
  virtual std::string GetMarker() const { return ""; }
};

// ---- Files. Each owns the file below, whose prefix is there already.

// Starts behind the prefix; so must `f`.
class EncryptedSequentialFile : public FSSequentialFile {
 public:
  EncryptedSequentialFile(std::unique_ptr<FSSequentialFile>&& f,
                          std::unique_ptr<BlockAccessCipherStream>&& s,
                          size_t prefix_length)
      : file_(std::move(f)),
        stream_(std::move(s)),
        offset_(prefix_length),
        prefixLength_(prefix_length) {}

  IOStatus Read(size_t n, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* dbg) override;
  IOStatus Skip(uint64_t n) override;
  bool use_direct_io() const override;
  size_t GetRequiredBufferAlignment() const override;
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  IOStatus PositionedRead(uint64_t offset, size_t n, const IOOptions& options,
                          Slice* result, char* scratch,
                          IODebugContext* dbg) override;
  Temperature GetTemperature() const override;

 protected:
  std::unique_ptr<FSSequentialFile> file_;
  std::unique_ptr<BlockAccessCipherStream> stream_;
  uint64_t offset_;  // in file_
  size_t prefixLength_;
};

class EncryptedRandomAccessFile : public FSRandomAccessFile {
 public:
  EncryptedRandomAccessFile(std::unique_ptr<FSRandomAccessFile>&& f,
                            std::unique_ptr<BlockAccessCipherStream>&& s,
                            size_t prefix_length)
      : file_(std::move(f)),
        stream_(std::move(s)),
        prefixLength_(prefix_length) {}

  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override;
  IOStatus MultiRead(FSReadRequest* reqs, size_t num_reqs,
                     const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Prefetch(uint64_t offset, size_t n, const IOOptions& options,
                    IODebugContext* dbg) override;
  size_t GetUniqueId(char* id, size_t max_size) const override;
  void Hint(AccessPattern pattern) override;
  bool use_direct_io() const override;
  size_t GetRequiredBufferAlignment() const override;
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  Temperature GetTemperature() const override;
  IOStatus GetFileSize(uint64_t* result) override;

 protected:
  std::unique_ptr<FSRandomAccessFile> file_;
  std::unique_ptr<BlockAccessCipherStream> stream_;
  size_t prefixLength_;
};

class EncryptedWritableFile : public FSWritableFile {
 public:
  EncryptedWritableFile(std::unique_ptr<FSWritableFile>&& f,
                        std::unique_ptr<BlockAccessCipherStream>&& s,
                        size_t prefix_length)
      : file_(std::move(f)),
        stream_(std::move(s)),
        prefixLength_(prefix_length) {}

  // A DataVerificationInfo is of the plain bytes and goes no further.
  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions& options,
                  IODebugContext* dbg) override;
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            IODebugContext* dbg) override;
  IOStatus PositionedAppend(const Slice& data, uint64_t offset,
                            const IOOptions& options,
                            const DataVerificationInfo& verification_info,
                            IODebugContext* dbg) override;
  IOStatus Truncate(uint64_t size, const IOOptions& options,
                    IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override;
  bool IsSyncThreadSafe() const override;
  bool use_direct_io() const override;
  size_t GetRequiredBufferAlignment() const override;
  void SetWriteLifeTimeHint(Env::WriteLifeTimeHint hint) override;
  Env::WriteLifeTimeHint GetWriteLifeTimeHint() override;
  void SetIOPriority(Env::IOPriority pri) override;
  Env::IOPriority GetIOPriority() override;
  uint64_t GetFileSize(const IOOptions& options, IODebugContext* dbg) override;
  void SetPreallocationBlockSize(size_t size) override;
  void GetPreallocationStatus(size_t* block_size,
                              size_t* last_allocated_block) override;
  size_t GetUniqueId(char* id, size_t max_size) const override;
  IOStatus InvalidateCache(size_t offset, size_t length) override;
  IOStatus RangeSync(uint64_t offset, uint64_t nbytes, const IOOptions& options,
                     IODebugContext* dbg) override;
  void PrepareWrite(size_t offset, size_t len, const IOOptions& options,
                    IODebugContext* dbg) override;
  IOStatus Allocate(uint64_t offset, uint64_t len, const IOOptions& options,
                    IODebugContext* dbg) override;

 protected:
  std::unique_ptr<FSWritableFile> file_;
  std::unique_ptr<BlockAccessCipherStream> stream_;
  size_t prefixLength_;
};

class EncryptedRandomRWFile : public FSRandomRWFile {
 public:
  EncryptedRandomRWFile(std::unique_ptr<FSRandomRWFile>&& f,
                        std::unique_ptr<BlockAccessCipherStream>&& s,
                        size_t prefix_length)
      : file_(std::move(f)),
        stream_(std::move(s)),
        prefixLength_(prefix_length) {}

  bool use_direct_io() const override;
  size_t GetRequiredBufferAlignment() const override;
  IOStatus Write(uint64_t offset, const Slice& data, const IOOptions& options,
                 IODebugContext* dbg) override;
  IOStatus Read(uint64_t offset, size_t n, const IOOptions& options,
                Slice* result, char* scratch,
                IODebugContext* dbg) const override;
  IOStatus Flush(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override;
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override;
  Temperature GetTemperature() const override;

 protected:
  std::unique_ptr<FSRandomRWFile> file_;
  std::unique_ptr<BlockAccessCipherStream> stream_;
  size_t prefixLength_;
};

// What NewEncryptedFS makes: fs->CheckedCast<EncryptedFileSystem>() finds it.
class EncryptedFileSystem : public FileSystemWrapper {
 public:
  explicit EncryptedFileSystem(const std::shared_ptr<FileSystem>& base)
      : FileSystemWrapper(base) {}

  static const char* kClassName() { return "EncryptedFileSystem"; }
  bool IsInstanceOf(const std::string& name) const override {
    return name == kClassName() || FileSystemWrapper::IsInstanceOf(name);
  }

  // EncryptionProvider::AddCipher of its provider.
  virtual Status AddCipher(const std::string& descriptor, const char* cipher,
                           size_t len, bool for_write) = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
