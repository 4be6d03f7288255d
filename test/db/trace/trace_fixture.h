// Traces in memory, and their records as text, for the tests of traces.

#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "db/trace/trace_format.h"
#include "rocksdb/trace_reader_writer.h"
#include "rocksdb/trace_record.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE::test {

// What writers of a test have written.
struct MemoryTrace {
  std::vector<std::string> records;
  uint64_t bytes = 0;
  int closed = 0;
  int size_asked = 0;
  bool close_fails = false;
  // The record with this index is refused, or throws.
  size_t fails_at = SIZE_MAX;
  size_t throws_at = SIZE_MAX;

  std::string Whole() const {
    std::string whole;
    for (const std::string& record : records) whole += record;
    return whole;
  }
};

class MemoryTraceWriter final : public TraceWriter {
 public:
  explicit MemoryTraceWriter(std::shared_ptr<MemoryTrace> trace)
      : trace_(std::move(trace)) {}

  Status Write(const Slice& data) override {
    EXPECT_EQ(trace_->closed, 0);
    if (trace_->records.size() == trace_->fails_at) {
      return Status::IOError("refused");
    }
    if (trace_->records.size() == trace_->throws_at) {
      throw std::runtime_error("thrown");
    }
    trace_->records.push_back(data.ToString());
    trace_->bytes += data.size();
    return Status::OK();
  }
  Status Close() override {
    ++trace_->closed;
    return trace_->close_fails ? Status::IOError("not closed") : Status::OK();
  }
  uint64_t GetFileSize() override {
    ++trace_->size_asked;
    return trace_->bytes;
  }

 private:
  const std::shared_ptr<MemoryTrace> trace_;
};

class MemoryTraceReader final : public TraceReader {
 public:
  explicit MemoryTraceReader(std::vector<std::string> records)
      : records_(std::move(records)) {}

  Status Read(std::string* data) override {
    if (next_ == records_.size()) return Status::Incomplete("no more");
    *data = records_[next_++];
    return Status::OK();
  }
  Status Close() override { return Status::OK(); }
  Status Reset() override {
    next_ = 0;
    return Status::OK();
  }

 private:
  const std::vector<std::string> records_;
  size_t next_ = 0;
};

// Both in one call; OK if `record` is that of a query.
inline Status ParseQuery(const Slice& record,
                         std::unique_ptr<TraceRecord>* query) {
  engine::TraceEntry entry;
  const Status status = engine::ParseTraceRecord(record, 0, &entry);
  return status.ok() ? engine::ParseTracedQuery(entry, query) : status;
}

// "write 2", "get 0:k", "seek 1:k [a,c)", "prev 0:k", "multi 0:a 1:b", "begin",
// "end"; the status of what is none of these.
inline std::string RecordText(const Slice& record) {
  engine::TraceEntry entry;
  const Status parsed = engine::ParseTraceRecord(record, 0, &entry);
  if (!parsed.ok()) return parsed.ToString();
  if (entry.type == kTraceBegin) return "begin";
  if (entry.type == kTraceEnd) return "end";
  std::unique_ptr<TraceRecord> query;
  const Status status = engine::ParseTracedQuery(entry, &query);
  if (!status.ok()) return status.ToString();
  if (const auto* w = dynamic_cast<WriteQueryTraceRecord*>(query.get())) {
    const WriteBatch batch(w->GetWriteBatchRep().ToString());
    return "write " + std::to_string(batch.Count());
  }
  const auto named = [](uint32_t family, const Slice& key) {
    return " " + std::to_string(family) + ":" + key.ToString();
  };
  if (const auto* g = dynamic_cast<GetQueryTraceRecord*>(query.get())) {
    return "get" + named(g->GetColumnFamilyID(), g->GetKey());
  }
  if (const auto* m = dynamic_cast<MultiGetQueryTraceRecord*>(query.get())) {
    std::string text = "multi";
    const std::vector<Slice> keys = m->GetKeys();
    for (size_t i = 0; i < keys.size(); ++i) {
      text += named(m->GetColumnFamilyIDs()[i], keys[i]);
    }
    return text;
  }
  const auto* s = dynamic_cast<IteratorSeekQueryTraceRecord*>(query.get());
  if (s == nullptr) return "?";
  std::string text =
      s->GetSeekType() == IteratorSeekQueryTraceRecord::kSeek ? "seek" : "prev";
  text += named(s->GetColumnFamilyID(), s->GetKey());
  if (!s->GetLowerBound().empty() || !s->GetUpperBound().empty()) {
    text += " [" + s->GetLowerBound().ToString() + "," +
            s->GetUpperBound().ToString() + ")";
  }
  return text;
}

inline std::vector<std::string> RecordTexts(
    const std::vector<std::string>& records) {
  std::vector<std::string> texts;
  texts.reserve(records.size());
  for (const std::string& record : records) {
    texts.push_back(RecordText(record));
  }
  return texts;
}

}  // namespace ROCKSDB_NAMESPACE::test
