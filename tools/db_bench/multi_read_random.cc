// multireadrandom: MultiGet of --batch_size keys, random or --multiread_stride
// apart.

#include <cstdio>
#include <string>
#include <vector>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

class MultiReader {
 public:
  MultiReader(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        thread_(thread),
        options_(bench.read_options()),
        order_(bench.settings().num, FLAGS_read_random_exp_range,
               &thread->random),
        batch_(static_cast<size_t>(bench.settings().entries_per_batch)),
        makers_(batch_, KeyMaker(bench.key_shape())),
        keys_(batch_),
        values_(batch_),
        statuses_(batch_) {}

  void Read() {
    PickKeys();
    if (FLAGS_multiread_batched) {
      for (PinnableSlice& value : values_) value.Reset();
      bench_.db()->MultiGet(options_, bench_.db()->DefaultColumnFamily(),
                            batch_, keys_.data(), values_.data(),
                            statuses_.data());
      for (size_t i = 0; i < batch_; ++i) Count(statuses_[i], i, values_[i]);
    } else {
      std::vector<std::string> values;
      const std::vector<Status> all =
          bench_.db()->MultiGet(options_, keys_, &values);
      for (size_t i = 0; i < batch_; ++i) Count(all[i], i, values[i]);
    }
    reads_ += batch_;
    thread_->stats.FinishedOps(bench_.db(), batch_, OpType::kRead);
  }

  void AddFoundMessage() {
    char message[100];
    std::snprintf(message, sizeof(message), "(%llu of %llu found)",
                  static_cast<unsigned long long>(found_),
                  static_cast<unsigned long long>(reads_));
    thread_->stats.AddMessage(message);
  }

 private:
  void PickKeys() {
    const uint64_t num = bench_.settings().num;
    const auto stride = static_cast<uint64_t>(FLAGS_multiread_stride);
    uint64_t number = order_.Next();
    for (size_t i = 0; i < batch_; ++i) {
      keys_[i] = makers_[i].Make(number % num);
      number = stride > 0 ? number + stride : order_.Next();
    }
  }

  void Count(const Status& status, size_t i, const Slice& value) {
    if (status.ok()) {
      ++found_;
      thread_->stats.AddBytes(keys_[i].size() + value.size());
    } else if (!status.IsNotFound()) {
      Die("MultiGet returned an error", status);
    }
  }

  const Bench& bench_;
  ThreadState* const thread_;
  const ReadOptions options_;
  ReadOrder order_;
  const size_t batch_;
  std::vector<KeyMaker> makers_;
  std::vector<Slice> keys_;
  std::vector<PinnableSlice> values_;
  std::vector<Status> statuses_;
  uint64_t reads_ = 0;
  uint64_t found_ = 0;
};

}  // namespace

void MultiReadRandom(const Bench& bench, ThreadState* thread) {
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    bench.settings().reads, bench.clock());
  MultiReader reader(bench, thread);
  thread->stats.StartOp();
  while (!duration.Done(bench.settings().entries_per_batch)) reader.Read();
  reader.AddFoundMessage();
}

}  // namespace ROCKSDB_NAMESPACE::bench
