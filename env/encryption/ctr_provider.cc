// The CTR provider: counter mode over any BlockCipher.
//
// Bytes. A file begins with a prefix of 4096 bytes, in blocks of the cipher:
//
//   block 0   begins with the initial counter, fixed64; the rest is random
//   block 1   the IV, random
//   the rest  random, encrypted as if it were at offset 0 of the file
//
// Block i of the file, which is the bytes from i * block size on and so counts
// the prefix, too, is combined by XOR with
//
//   cipher(IV whose first 8 bytes are fixed64(initial counter + i))
//
// Invariants:
//   (1) Blocks have kCounterBytes or more, and two fit into the prefix.
//   (2) Block numbers of data begin behind those of the prefix, so no two bytes
//       of a file share a byte of the key stream.

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>

#include "env/posix/posix_error.h"
#include "rocksdb/convenience.h"
#include "rocksdb/env_encryption.h"
#include "util/coding.h"
#include "util/options_text/scan.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using engine::DecodeFixed64;
using engine::EncodeFixed64;

constexpr const char* kCtrName = "CTR";
constexpr const char* kTestSuffix = "://test";
constexpr const char* kTestCipher = "ROT13";
constexpr size_t kCtrPrefixBytes = 4096;
constexpr size_t kCounterBytes = sizeof(uint64_t);

// What the prefix of a file says.
struct CtrStart {
  uint64_t counter = 0;
  std::string iv;  // one block
};

CtrStart StartOf(const char* prefix, size_t block_size) {
  CtrStart start;
  start.counter = DecodeFixed64(prefix);
  start.iv.assign(prefix + block_size, block_size);
  return start;
}

// What the cipher encrypts for a block of the file.
void FillCounterBlock(const CtrStart& start, uint64_t block_index,
                      char* block) {
  assert(start.iv.size() >= kCounterBytes);  // (1)
  std::copy(start.iv.begin(), start.iv.end(), block);
  EncodeFixed64(block, start.counter + block_index);
}

class CtrStream final : public BlockAccessCipherStream {
 public:
  CtrStream(std::shared_ptr<BlockCipher> cipher, CtrStart start)
      : cipher_(std::move(cipher)), start_(std::move(start)) {}

  size_t BlockSize() override { return start_.iv.size(); }

 protected:
  void AllocateScratch(std::string& scratch) override {
    scratch.assign(start_.iv.size(), '\0');
  }
  Status EncryptBlock(uint64_t block_index, char* data,
                      char* scratch) override {
    FillCounterBlock(start_, block_index, scratch);
    RETURN_IF_ERROR(cipher_->Encrypt(scratch));
    for (size_t i = 0; i < start_.iv.size(); ++i) {
      data[i] = static_cast<char>(data[i] ^ scratch[i]);
    }
    return Status::OK();
  }
  Status DecryptBlock(uint64_t block_index, char* data,
                      char* scratch) override {
    return EncryptBlock(block_index, data, scratch);
  }

 private:
  const std::shared_ptr<BlockCipher> cipher_;
  const CtrStart start_;
};

// Bytes that cannot be foretold.
Status FillRandom(const std::string& fname, char* bytes, size_t n) {
  constexpr size_t kCallBytesMax = 256;  // of getentropy
  while (n > 0) {
    const size_t now = std::min(n, kCallBytesMax);
    if (getentropy(bytes, now) != 0) {
      return engine::PosixError("While getentropy for the prefix of", fname,
                                errno);
    }
    bytes += now;
    n -= now;
  }
  return Status::OK();
}

class CtrProvider final : public EncryptionProvider {
 public:
  explicit CtrProvider(std::shared_ptr<BlockCipher> cipher)
      : cipher_(std::move(cipher)) {}

  const char* Name() const override { return kCtrName; }
  size_t GetPrefixLength() const override { return kCtrPrefixBytes; }

  Status CreateNewPrefix(const std::string& fname, char* prefix,
                         size_t prefix_length) const override {
    RETURN_IF_ERROR(CheckCipher(fname));
    const size_t clear = 2 * cipher_->BlockSize();
    if (prefix_length < clear) {
      return Status::InvalidArgument(
          fname, "expected room for a prefix of at least " +
                     std::to_string(clear) + " bytes, found " +
                     std::to_string(prefix_length));
    }
    RETURN_IF_ERROR(FillRandom(fname, prefix, prefix_length));
    CtrStream stream(cipher_, StartOf(prefix, cipher_->BlockSize()));
    return stream.Encrypt(0, prefix + clear, prefix_length - clear);
  }

  Status AddCipher(const std::string& /*descriptor*/, const char* cipher,
                   size_t len, bool /*for_write*/) override {
    if (cipher_ != nullptr) {
      return Status::NotSupported("The CTR provider has a cipher already",
                                  cipher_->Name());
    }
    if (cipher == nullptr) {
      return Status::InvalidArgument(
          "Expected the name of a BlockCipher, found none");
    }
    const std::string name = cipher;
    if (name == kTestCipher) {
      cipher_ = BlockCipher::NewROT13Cipher(len);
      return Status::OK();
    }
    return BlockCipher::CreateFromString(ConfigOptions(), name, &cipher_);
  }

  Status CreateCipherStream(
      const std::string& fname, const EnvOptions& /*options*/, Slice& prefix,
      std::unique_ptr<BlockAccessCipherStream>* result) override {
    RETURN_IF_ERROR(CheckCipher(fname));
    const size_t block_size = cipher_->BlockSize();
    if (prefix.size() < 2 * block_size) {
      return Status::Corruption(
          fname, "expected an encryption prefix of at least " +
                     std::to_string(2 * block_size) + " bytes, found " +
                     std::to_string(prefix.size()));
    }
    *result = std::make_unique<CtrStream>(cipher_,
                                          StartOf(prefix.data(), block_size));
    return Status::OK();
  }

 private:
  // (1)
  Status CheckCipher(const std::string& fname) const {
    if (cipher_ == nullptr) {
      return Status::InvalidArgument(
          fname, "the CTR provider has no cipher; add one with AddCipher");
    }
    const size_t block_size = cipher_->BlockSize();
    if (block_size >= kCounterBytes && block_size <= kCtrPrefixBytes / 2) {
      return Status::OK();
    }
    return Status::InvalidArgument(
        fname, "expected a cipher with blocks of " +
                   std::to_string(kCounterBytes) + " to " +
                   std::to_string(kCtrPrefixBytes / 2) + " bytes, found " +
                   std::to_string(block_size) + " in " + cipher_->Name());
  }

  std::shared_ptr<BlockCipher> cipher_;
};

// "id=CTR;cipher=NAME".
Status FromSettings(const ConfigOptions& options, const std::string& value,
                    std::shared_ptr<EncryptionProvider>* result) {
  auto settings = engine::SplitSettings(value);
  if (!settings.ok()) return settings.status();
  std::string id;
  std::shared_ptr<BlockCipher> cipher;
  for (const auto& [name, text] : *settings) {
    if (name == "id") {
      id = text;
    } else if (name == "cipher") {
      RETURN_IF_ERROR(BlockCipher::CreateFromString(options, text, &cipher));
    } else {
      return Status::InvalidArgument(
          "Expected the settings id and cipher of an EncryptionProvider, found",
          name);
    }
  }
  if (id != kCtrName) {
    return Status::NotFound("No EncryptionProvider is called", id);
  }
  *result = EncryptionProvider::NewCTRProvider(cipher);
  return Status::OK();
}

}  // namespace

std::shared_ptr<EncryptionProvider> EncryptionProvider::NewCTRProvider(
    const std::shared_ptr<BlockCipher>& cipher) {
  return std::make_shared<CtrProvider>(cipher);
}

Status EncryptionProvider::CreateFromString(
    const ConfigOptions& config_options, const std::string& value,
    std::shared_ptr<EncryptionProvider>* result) {
  if (value.empty() || value == "nullptr") {
    result->reset();
    return Status::OK();
  }
  if (value.find('=') != std::string::npos) {
    return FromSettings(config_options, value, result);
  }
  std::shared_ptr<BlockCipher> cipher;
  if (value == std::string(kCtrName) + kTestSuffix) {
    RETURN_IF_ERROR(
        BlockCipher::CreateFromString(config_options, kTestCipher, &cipher));
  } else if (value != kCtrName) {
    return Status::NotFound("No EncryptionProvider is called", value);
  }
  *result = NewCTRProvider(cipher);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
