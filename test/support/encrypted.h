// Encrypted: a file system whose files are encrypted, for programs that check
// that nothing else depends on it.
#pragma once

#include <memory>
#include <utility>

#include "rocksdb/env_encryption.h"
#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::test {

inline std::shared_ptr<FileSystem> Encrypted(std::shared_ptr<FileSystem> base) {
  return NewEncryptedFS(std::move(base), EncryptionProvider::NewCTRProvider(
                                             BlockCipher::NewROT13Cipher(32)));
}

}  // namespace ROCKSDB_NAMESPACE::test
