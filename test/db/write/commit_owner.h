// The owner of a CommitPipeline in memory, and a pipeline that belongs to it.
//
// Place. In the tests of the pipeline.
//
// Threads. Lambdas are set before there are writers.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "db/write/commit_pipeline.h"
#include "db/write_batch/write_batch_internal.h"
#include "gtest/gtest.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/write_batch.h"

namespace ROCKSDB_NAMESPACE::engine {

// The owner as the pipeline sees it: a log of strings and one memtable per
// family. Each step can be replaced by a lambda.
class TestHost : public CommitHost, public FamilyResolver {
 public:
  struct Record {
    SequenceNumber sequence = 0;
    uint32_t count = 0;
    size_t parts = 0;
    bool sync = false;
    std::string contents;
  };

  explicit TestHost(int families = 1) {
    for (int i = 0; i < families; ++i)
      memtables_.push_back(
          std::make_unique<MemTable>(&icmp_, MemTableOptions(), 0));
  }

  Status EnsureRoom(const WriteOptions& options, uint64_t bytes) override {
    ++rooms;
    return ensure_room ? ensure_room(options, bytes) : Status();
  }
  Status AppendToWal(const WalAppend& append) override {
    EXPECT_FALSE(appending_.exchange(true)) << "two appends at once";
    Record record;
    record.parts = append.num_parts;
    record.sync = append.sync;
    for (size_t i = 0; i < append.num_parts; ++i)
      record.contents.append(append.parts[i].data(), append.parts[i].size());
    EXPECT_EQ(record.contents.size(), append.total_bytes);
    record.sequence = DecodeFixed64(record.contents.data());
    record.count = DecodeFixed32(record.contents.data() + kBatchCountOffset);
    EXPECT_EQ(record.sequence, append.first_sequence);
    const Status status = append_to_wal ? append_to_wal(record) : Status();
    if (status.ok()) log.push_back(std::move(record));
    appending_.store(false);
    return status;
  }
  void Publish(SequenceNumber last, bool unlogged) override {
    EXPECT_FALSE(publishing_.exchange(true)) << "two publications at once";
    EXPECT_GE(last, published.load());
    if (publish) publish(last);
    published.store(last);
    if (unlogged) ++unlogged_groups;
    publishing_.store(false);
  }
  void OnCommitError(const Status& status) override {
    errors.push_back(status.ToString());
  }
  Status StallInterrupted() override {
    return interrupt ? interrupt() : Status();
  }

  Found Find(uint32_t id) override {
    if (find) return find(id);
    if (id >= memtables_.size()) return {};
    return {Found::Verdict::kWrite, memtables_[id].get()};
  }
  void OnMemTableFull(uint32_t, MemTable*) override { ++full; }

  // The sequence under which `key` was written, as "value@sequence".
  std::string Newest(const std::string& key, uint32_t family = 0) const {
    PinnableSlice value;
    GetContext context(key, kSequenceMax, &value);
    memtables_[family]->Get(LookupKey(key, kSequenceMax), &context);
    if (context.state() != GetContext::State::kFound) return "none";
    return value.ToString() + "@" + std::to_string(context.found_sequence());
  }
  const MemTable& memtable(size_t i = 0) const { return *memtables_[i]; }

  std::function<Status(const WriteOptions&, uint64_t)> ensure_room;
  std::function<Status(const Record&)> append_to_wal;
  std::function<void(SequenceNumber)> publish;
  std::function<Status()> interrupt;
  std::function<Found(uint32_t)> find;

  std::vector<Record> log;
  std::vector<std::string> errors;
  std::atomic<SequenceNumber> published{0};
  std::atomic<int> rooms{0};
  std::atomic<int> unlogged_groups{0};
  std::atomic<int> full{0};

 private:
  const InternalKeyComparator icmp_{BytewiseComparator()};
  std::vector<std::unique_ptr<MemTable>> memtables_;
  std::atomic<bool> appending_{false};
  std::atomic<bool> publishing_{false};
};

struct Pipeline {
  explicit Pipeline(TestHost* host, CommitPipelineOptions options = {},
                    WriteAdmission* admission = nullptr)
      : pipeline(options, {host, host, admission, nullptr,
                           SystemClock::Default().get()}) {}

  Status Put(const std::string& key, const std::string& value,
             const WriteOptions& options = {}, CommitHooks* hooks = nullptr) {
    WriteBatch batch;
    EXPECT_TRUE(batch.Put(key, value).ok());
    return Write(&batch, options, hooks);
  }
  Status Write(WriteBatch* batch, const WriteOptions& options = {},
               CommitHooks* hooks = nullptr) {
    CommitRequest request;
    request.batch = batch;
    request.options = &options;
    request.hooks = hooks;
    const Status status = pipeline.Commit(&request);
    last_sequence = request.sequence;
    return status;
  }

  CommitPipeline pipeline;
  std::atomic<SequenceNumber> last_sequence{0};
};

// Holds the first leader that comes by, so that what is behind it is known.
class Gate {
 public:
  // In the leader's thread.
  void Hold() {
    if (held_.exchange(true)) return;
    while (!open_.load()) std::this_thread::yield();
  }
  void AwaitHeld() const {
    while (!held_.load()) std::this_thread::yield();
  }
  void Open() { open_.store(true); }

 private:
  std::atomic<bool> held_{false};
  std::atomic<bool> open_{false};
};

}  // namespace ROCKSDB_NAMESPACE::engine
