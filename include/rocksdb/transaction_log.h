// The write-ahead log as programs see it: its files and its batches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class WalFile;
using LogFile = WalFile;
using VectorWalPtr = std::vector<std::unique_ptr<WalFile>>;
using VectorLogPtr = VectorWalPtr;

enum WalFileType {
  // Not needed for recovery any more; kept for readers of the log.
  kArchivedLogFile = 0,
  kAliveLogFile = 1
};

class WalFile {
 public:
  WalFile() = default;
  virtual ~WalFile() = default;

  // Relative to the log directory, with a leading slash.
  virtual std::string PathName() const = 0;
  virtual uint64_t LogNumber() const = 0;
  virtual WalFileType Type() const = 0;
  virtual SequenceNumber StartSequence() const = 0;
  virtual uint64_t SizeFileBytes() const = 0;
};

// One batch and the sequence number of its first write.
struct BatchResult {
  SequenceNumber sequence = 0;
  std::unique_ptr<WriteBatch> writeBatchPtr;
};

class TransactionLogIterator {
 public:
  TransactionLogIterator() = default;
  virtual ~TransactionLogIterator() = default;

  virtual bool Valid() = 0;
  virtual void Next() = 0;
  virtual Status status() = 0;
  // REQUIRES: Valid().
  virtual BatchResult GetBatch() = 0;

  struct ReadOptions {
    bool verify_checksums_;
    ReadOptions() : verify_checksums_(true) {}
    explicit ReadOptions(bool verify_checksums)
        : verify_checksums_(verify_checksums) {}
  };
};
using WalIterator = TransactionLogIterator;

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
