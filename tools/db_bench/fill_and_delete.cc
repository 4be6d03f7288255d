// fillanddeleteuniquerandom: puts unique keys in random order, of which some
// are deleted soon.
//
// Model. --disposable_entries_batch_size entries, then
// --persistent_entries_batch_size others, and so on. The disposable ones are
// deleted, one by one, when their batch is --disposable_entries_delete_delay
// old and the others behind it are written.

#include <algorithm>
#include <cstdio>
#include <deque>
#include <utility>
#include <vector>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"
#include "tools/db_bench/writer.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

class DisposableFill {
 public:
  DisposableFill(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        thread_(thread),
        options_(bench.write_options()),
        left_(bench.settings().writes),
        order_(KeyOrder::kUniqueRandom, bench.settings().num, &thread->random),
        keys_(bench.key_shape()),
        values_(bench.NewValueMaker(*thread)),
        writer_(bench, thread) {}

  void Run() {
    while (left_ > 0) {
      Batch batch;
      Write(FLAGS_disposable_entries_batch_size,
            FLAGS_disposable_entries_value_size, &batch.numbers);
      batch.due_micros =
          bench_.clock()->NowMicros() + FLAGS_disposable_entries_delete_delay;
      Write(FLAGS_persistent_entries_batch_size,
            FLAGS_persistent_entries_value_size, nullptr);
      batches_.push_back(std::move(batch));
      while (!batches_.empty() &&
             bench_.clock()->NowMicros() >= batches_.front().due_micros) {
        DeleteFirst();
      }
    }
    for (; !batches_.empty(); DeleteFirst()) {
      WaitUntil(batches_.front().due_micros);
    }
    char message[100];
    std::snprintf(message, sizeof(message), "( puts:%llu deletes:%llu)",
                  static_cast<unsigned long long>(puts_),
                  static_cast<unsigned long long>(deletes_));
    thread_->stats.AddMessage(message);
  }

 private:
  struct Batch {
    std::vector<uint64_t> numbers;
    uint64_t due_micros = 0;
  };

  void Write(uint64_t entries, int32_t value_size,
             std::vector<uint64_t>* numbers) {
    for (; entries > 0 && left_ > 0; --entries, --left_) {
      const uint64_t number = order_.Next();
      writer_.Put(keys_.Make(number),
                  values_.Make(static_cast<size_t>(value_size)),
                  OpType::kWrite);
      if (numbers != nullptr) numbers->push_back(number);
      ++puts_;
    }
  }

  void DeleteFirst() {
    for (const uint64_t number : batches_.front().numbers) {
      const Status deleted = bench_.db()->Delete(options_, keys_.Make(number));
      if (!deleted.ok()) Die("del error", deleted);
      thread_->stats.FinishedOps(bench_.db(), 1, OpType::kDelete);
      ++deletes_;
    }
    batches_.pop_front();
  }

  void WaitUntil(uint64_t micros) {
    constexpr uint64_t kLongest = uint64_t{1000} * 1000;
    for (uint64_t now = bench_.clock()->NowMicros(); now < micros;
         now = bench_.clock()->NowMicros()) {
      bench_.clock()->SleepForMicroseconds(
          static_cast<int>(std::min(micros - now, kLongest)));
    }
    thread_->stats.StartOp();
  }

  const Bench& bench_;
  ThreadState* const thread_;
  const WriteOptions options_;
  uint64_t left_;
  KeyOrder order_;
  KeyMaker keys_;
  ValueMaker values_;
  Writer writer_;
  std::deque<Batch> batches_;  // Oldest first.
  uint64_t puts_ = 0;
  uint64_t deletes_ = 0;
};

}  // namespace

void FillAndDelete(const Bench& bench, ThreadState* thread) {
  if (FLAGS_disposable_entries_batch_size == 0) {
    FillUniqueRandom(bench, thread);
    return;
  }
  DisposableFill(bench, thread).Run();
}

}  // namespace ROCKSDB_NAMESPACE::bench
