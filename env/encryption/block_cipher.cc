// Streams of rocksdb/env_encryption.h over bytes that begin and end anywhere,
// and the cipher for tests.

#include <algorithm>
#include <cassert>
#include <cstring>

#include "rocksdb/env_encryption.h"
#include "util/options_text/scan.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr const char* kRot13Name = "ROT13";
constexpr size_t kRot13BlockBytes = 32;
constexpr uint64_t kRot13BlockBytesMax = 1 << 20;

// Calls change(block index, block) for each block of data[0..size), which
// belongs at `offset`. Parts of blocks are changed in a copy.
template <typename Change>
Status ChangeBlocks(size_t block_size, uint64_t offset, char* data, size_t size,
                    const Change& change) {
  if (block_size == 0) {
    return Status::InvalidArgument(
        "Expected a cipher with blocks of at least one byte, found 0");
  }
  uint64_t index = offset / block_size;
  auto skip = static_cast<size_t>(offset % block_size);
  std::string part;
  while (size > 0) {
    const size_t n = std::min(size, block_size - skip);
    assert(n > 0);
    if (n == block_size) {
      RETURN_IF_ERROR(change(index, data));
    } else {
      part.assign(block_size, '\0');
      memcpy(part.data() + skip, data, n);
      RETURN_IF_ERROR(change(index, part.data()));
      memcpy(data, part.data() + skip, n);
    }
    data += n;
    size -= n;
    skip = 0;
    ++index;
  }
  return Status::OK();
}

class Rot13Cipher final : public BlockCipher {
 public:
  explicit Rot13Cipher(size_t block_size) : block_size_(block_size) {}

  const char* Name() const override { return kRot13Name; }
  size_t BlockSize() override { return block_size_; }
  Status Encrypt(char* data) override { return Add(13, data); }
  Status Decrypt(char* data) override { return Add(-13, data); }

 private:
  Status Add(int number, char* data) const {
    for (size_t i = 0; i < block_size_; ++i) {
      data[i] = static_cast<char>(data[i] + number);
    }
    return Status::OK();
  }

  const size_t block_size_;
};

}  // namespace

Status BlockAccessCipherStream::Encrypt(uint64_t file_offset, char* data,
                                        size_t data_size) {
  std::string scratch;
  AllocateScratch(scratch);
  return ChangeBlocks(BlockSize(), file_offset, data, data_size,
                      [&](uint64_t index, char* block) {
                        return EncryptBlock(index, block, scratch.data());
                      });
}

Status BlockAccessCipherStream::Decrypt(uint64_t file_offset, char* data,
                                        size_t data_size) {
  std::string scratch;
  AllocateScratch(scratch);
  return ChangeBlocks(BlockSize(), file_offset, data, data_size,
                      [&](uint64_t index, char* block) {
                        return DecryptBlock(index, block, scratch.data());
                      });
}

std::shared_ptr<BlockCipher> BlockCipher::NewROT13Cipher(size_t block_size) {
  return std::make_shared<Rot13Cipher>(block_size);
}

Status BlockCipher::CreateFromString(const ConfigOptions& /*config_options*/,
                                     const std::string& value,
                                     std::shared_ptr<BlockCipher>* result) {
  if (value.empty() || value == "nullptr") {
    result->reset();
    return Status::OK();
  }
  const size_t colon = value.find(':');
  if (value.substr(0, colon) != kRot13Name) {
    return Status::NotFound("No BlockCipher is called", value);
  }
  uint64_t block_bytes = kRot13BlockBytes;
  if (colon != std::string::npos) {
    const std::string digits = value.substr(colon + 1);
    if (!engine::ParseUnsigned(digits, kRot13BlockBytesMax, &block_bytes)
             .ok() ||
        block_bytes == 0) {
      return Status::InvalidArgument("Expected ROT13:N with N from 1 to " +
                                         std::to_string(kRot13BlockBytesMax) +
                                         ", found",
                                     value);
    }
  }
  *result = NewROT13Cipher(static_cast<size_t>(block_bytes));
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
