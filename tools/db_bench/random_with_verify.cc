// randomwithverify: reads, writes and deletions of --numdistinct keys, each of
// which is there three times. A read checks, in a snapshot, that the three have
// the same value.

#include <array>
#include <cstdio>
#include <string>

#include "rocksdb/snapshot.h"
#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr size_t kCopies = 3;

class CopiesOfKeys {
 public:
  CopiesOfKeys(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        thread_(thread),
        reads_(bench.read_options()),
        writes_(bench.write_options()),
        keys_(bench.key_shape()),
        values_(bench.NewValueMaker(*thread)) {}

  void RunOne() {
    SetKeys(thread_->random.Uniform(static_cast<uint64_t>(FLAGS_numdistinct)));
    const uint64_t drawn = thread_->random.Uniform(100);
    const auto reads = static_cast<uint64_t>(FLAGS_readwritepercent);
    const auto deletes = static_cast<uint64_t>(FLAGS_deletepercent);
    if (drawn < reads) {
      Get();
    } else if (drawn < reads + deletes) {
      Delete();
    } else {
      Put();
    }
  }

  void AddMessage() {
    const uint64_t total = gets_ + puts_ + deletes_;
    char message[150];
    std::snprintf(message, sizeof(message),
                  "( get:%llu put:%llu del:%llu total:%llu found:%llu)",
                  static_cast<unsigned long long>(gets_),
                  static_cast<unsigned long long>(puts_),
                  static_cast<unsigned long long>(deletes_),
                  static_cast<unsigned long long>(total),
                  static_cast<unsigned long long>(found_));
    thread_->stats.AddMessage(message);
  }

 private:
  void SetKeys(uint64_t number) {
    const Slice key = keys_.Make(number);
    for (size_t i = 0; i < kCopies; ++i) {
      copies_[i].assign(key.data(), key.size());
      copies_[i].push_back(static_cast<char>('0' + i));
    }
  }

  void Get() {
    DB* const db = bench_.db();
    ManagedSnapshot snapshot(db);
    ReadOptions options = reads_;
    options.snapshot = snapshot.snapshot();
    std::array<std::string, kCopies> values;
    size_t found = 0;
    for (size_t i = 0; i < kCopies; ++i) {
      const Status read = db->Get(options, copies_[i], &values[i]);
      if (!read.ok() && !read.IsNotFound()) Die("Get returned an error", read);
      found += read.ok() ? 1 : 0;
    }
    if ((found != 0 && found != kCopies) || values[0] != values[1] ||
        values[0] != values[2]) {
      Die("randomwithverify",
          Status::Corruption("the copies of a key differ",
                             Slice(copies_[0]).ToString(/*hex=*/true)));
    }
    ++gets_;
    found_ += found == kCopies ? 1 : 0;
    thread_->stats.AddBytes(found * (copies_[0].size() + values[0].size()));
    thread_->stats.FinishedOps(db, 1, OpType::kRead);
  }

  void Put() {
    const Slice value = values_.Make();
    WriteBatch batch;
    for (const std::string& key : copies_) {
      const Status added = batch.Put(key, value);
      if (!added.ok()) Die("put error", added);
    }
    const uint64_t bytes = kCopies * (copies_[0].size() + value.size());
    Write(&batch, OpType::kWrite, bytes);
    ++puts_;
  }

  void Delete() {
    WriteBatch batch;
    for (const std::string& key : copies_) {
      const Status added = batch.Delete(key);
      if (!added.ok()) Die("del error", added);
    }
    Write(&batch, OpType::kDelete, kCopies * copies_[0].size());
    ++deletes_;
  }

  void Write(WriteBatch* batch, OpType type, uint64_t bytes) {
    if (bench_.write_generator() != nullptr) {
      bench_.write_generator()->Request(static_cast<int64_t>(bytes));
      thread_->stats.StartOp();
    }
    const Status written = bench_.db()->Write(writes_, batch);
    if (!written.ok()) Die("write error", written);
    thread_->stats.AddBytes(bytes);
    thread_->stats.FinishedOps(bench_.db(), 1, type, bytes);
  }

  const Bench& bench_;
  ThreadState* const thread_;
  const ReadOptions reads_;
  const WriteOptions writes_;
  KeyMaker keys_;
  ValueMaker values_;
  std::array<std::string, kCopies> copies_;
  uint64_t gets_ = 0;
  uint64_t puts_ = 0;
  uint64_t deletes_ = 0;
  uint64_t found_ = 0;
};

}  // namespace

void RandomWithVerify(const Bench& bench, ThreadState* thread) {
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    bench.settings().reads, bench.clock());
  CopiesOfKeys copies(bench, thread);
  thread->stats.StartOp();
  while (!duration.Done(1)) copies.RunOne();
  copies.AddMessage();
}

}  // namespace ROCKSDB_NAMESPACE::bench
