// randomreplacekeys: each operation deletes a key and puts its successor, which
// sorts next to it. Which one of --numdistinct follows a normal distribution
// with the deviation --stddev.

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

class KeyReplacer {
 public:
  KeyReplacer(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        thread_(thread),
        writes_(bench.write_options()),
        count_(static_cast<uint64_t>(FLAGS_numdistinct)),
        first_version_(bench.clock()->NowMicros()),
        versions_(count_),
        normal_(static_cast<double>(count_) / 2, FLAGS_stddev),
        old_keys_(bench.settings().key_size),
        new_keys_(bench.settings().key_size),
        values_(bench.NewValueMaker(*thread)) {}

  void RunOne() {
    const uint64_t index = Draw();
    // The keys of two threads differ. A version is never put twice, also not by
    // a later run: what SingleDelete deletes was put once.
    const uint64_t key = static_cast<uint64_t>(thread_->tid) * count_ + index;
    const uint64_t version = versions_[index]++;
    batch_.Clear();
    if (version > 0) {
      const Slice old = old_keys_.Make(key, first_version_ + version - 1);
      Check(FLAGS_use_single_deletes ? batch_.SingleDelete(old)
                                     : batch_.Delete(old));
      ++deletes_;
    }
    const Slice fresh = new_keys_.Make(key, first_version_ + version);
    const Slice value = values_.Make();
    Check(batch_.Put(fresh, value));
    ++puts_;
    const uint64_t bytes = fresh.size() + value.size();
    if (bench_.write_generator() != nullptr) {
      bench_.write_generator()->Request(static_cast<int64_t>(bytes));
      thread_->stats.StartOp();
    }
    Check(bench_.db()->Write(writes_, &batch_));
    thread_->stats.AddBytes(bytes);
    thread_->stats.FinishedOps(bench_.db(), 1, OpType::kWrite, bytes);
  }

  void AddMessage() {
    char message[100];
    std::snprintf(message, sizeof(message), "( puts:%llu deletes:%llu)",
                  static_cast<unsigned long long>(puts_),
                  static_cast<unsigned long long>(deletes_));
    thread_->stats.AddMessage(message);
  }

 private:
  uint64_t Draw() {
    const double drawn = normal_(thread_->random);
    return static_cast<uint64_t>(
        std::clamp(drawn, 0.0, static_cast<double>(count_ - 1)));
  }

  static void Check(const Status& status) {
    if (!status.ok()) Die("randomreplacekeys", status);
  }

  const Bench& bench_;
  ThreadState* const thread_;
  const WriteOptions writes_;
  const uint64_t count_;
  const uint64_t first_version_;
  std::vector<uint64_t> versions_;  // How many each key has had.
  std::normal_distribution<double> normal_;
  PairKeyMaker old_keys_;
  PairKeyMaker new_keys_;
  ValueMaker values_;
  WriteBatch batch_;
  uint64_t puts_ = 0;
  uint64_t deletes_ = 0;
};

}  // namespace

void RandomReplaceKeys(const Bench& bench, ThreadState* thread) {
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    bench.settings().writes, bench.clock());
  KeyReplacer replacer(bench, thread);
  thread->stats.StartOp();
  while (!duration.Done(1)) replacer.RunOne();
  replacer.AddMessage();
}

}  // namespace ROCKSDB_NAMESPACE::bench
