// Batches as transactions leave them in logs, byte by byte.

#pragma once

#include <string>

#include "rocksdb/types.h"
#include "table/internal_key.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE::test {

// The bytes of a batch.
class Batch {
 public:
  explicit Batch(SequenceNumber sequence) {
    engine::PutFixed64(&head_, sequence);
  }
  Batch& Put(const std::string& key, const std::string& value) {
    Mark(engine::ValueType::kValue, key);
    engine::PutLengthPrefixedSlice(&body_, value);
    ++count_;
    return *this;
  }
  Batch& Delete(const std::string& key) {
    ++count_;
    return Mark(engine::ValueType::kDeletion, key);
  }
  Batch& Begin(engine::ValueType type = engine::ValueType::kBeginPrepare) {
    body_.push_back(static_cast<char>(type));
    return *this;
  }
  Batch& Noop() { return Begin(engine::ValueType::kNoop); }
  Batch& End(const std::string& name) {
    return Mark(engine::ValueType::kEndPrepare, name);
  }
  Batch& Commit(const std::string& name) {
    return Mark(engine::ValueType::kCommit, name);
  }
  Batch& CommitAt(const std::string& timestamp, const std::string& name) {
    Mark(engine::ValueType::kCommitWithTimestamp, timestamp);
    engine::PutLengthPrefixedSlice(&body_, name);
    return *this;
  }
  Batch& DeleteRange(const std::string& begin, const std::string& end) {
    Mark(engine::ValueType::kRangeDeletion, begin);
    engine::PutLengthPrefixedSlice(&body_, end);
    ++count_;
    return *this;
  }
  Batch& Rollback(const std::string& name) {
    return Mark(engine::ValueType::kRollback, name);
  }
  std::string Text() const {
    std::string text = head_;
    engine::PutFixed32(&text, count_);
    return text + body_;
  }

 private:
  Batch& Mark(engine::ValueType type, const std::string& text) {
    Begin(type);
    engine::PutLengthPrefixedSlice(&body_, text);
    return *this;
  }
  std::string head_;
  std::string body_;
  uint32_t count_ = 0;
};

constexpr engine::ValueType kPersisted =
    engine::ValueType::kBeginPersistedPrepare;
constexpr engine::ValueType kUnprepare = engine::ValueType::kBeginUnprepare;

}  // namespace ROCKSDB_NAMESPACE::test
