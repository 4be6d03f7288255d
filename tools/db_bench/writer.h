// Writer: puts batches of random or sequential keys, or changes single ones,
// paced by the generator.
//
// Place. The fills, the changes, and the writer that runs concurrently with
// readers.
#pragma once

#include "tools/db_bench/bench.h"

namespace ROCKSDB_NAMESPACE::bench {

class Writer {
 public:
  Writer(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        thread_(thread),
        options_(bench.write_options()),
        keys_(bench.key_shape()),
        values_(bench.NewValueMaker(*thread)) {}

  // Writes one batch of `entries` keys in the order of `order`, after waiting
  // for the generator. Ends the process when the database refuses. Returns the
  // bytes of keys and values.
  uint64_t WriteBatchOf(uint64_t entries, KeyOrder* order) {
    batch_.Clear();
    const Target& target = bench_.PickTarget(&thread_->random);
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < entries; ++i) {
      const Slice key = keys_.Make(order->Next());
      const Slice value = values_.Make();
      const Status put =
          batch_.Put(target.PickFamily(&thread_->random), key, value);
      if (!put.ok()) Die("put error", put);
      bytes += key.size() + value.size();
    }
    Request(bytes);
    const Status written = target.db->Write(options_, &batch_);
    if (!written.ok()) Die("put error", written);
    thread_->stats.AddBytes(bytes);
    thread_->stats.FinishedOps(target.db.get(), entries, OpType::kWrite, bytes);
    return bytes;
  }

  // What was read before counts as part of the operation, which has this type.
  void Put(const Slice& key, const Slice& value, OpType type) {
    Request(key.size() + value.size());
    DB* const db = bench_.db();
    Finish(db->Put(options_, key, value), "put error", key, value, type);
  }

  // A value as operand.
  void Merge(uint64_t number) {
    const Slice key = keys_.Make(number);
    const Slice value = values_.Make();
    Request(key.size() + value.size());
    Finish(bench_.db()->Merge(options_, key, value), "merge error", key, value,
           OpType::kMerge);
  }

 private:
  void Request(uint64_t bytes) {
    if (bench_.write_generator() == nullptr) return;
    bench_.write_generator()->Request(static_cast<int64_t>(bytes));
    thread_->stats.StartOp();
  }
  void Finish(const Status& written, const char* what, const Slice& key,
              const Slice& value, OpType type) {
    if (!written.ok()) Die(what, written);
    const uint64_t bytes = key.size() + value.size();
    thread_->stats.AddBytes(bytes);
    thread_->stats.FinishedOps(bench_.db(), 1, type, bytes);
  }

  const Bench& bench_;
  ThreadState* const thread_;
  const WriteOptions options_;
  KeyMaker keys_;
  ValueMaker values_;
  WriteBatch batch_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
