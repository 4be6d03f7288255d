// deleterandom, deleteseq: deletions in batches of --batch_size.

#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

void Delete(KeyOrder::Kind kind, const Bench& bench, ThreadState* thread) {
  const WorkloadSettings& s = bench.settings();
  const auto seconds =
      static_cast<uint64_t>(kind == KeyOrder::kRandom ? FLAGS_duration : 0);
  Duration duration(seconds, s.deletes, bench.clock());
  KeyOrder order(kind, s.num, &thread->random);
  KeyMaker keys(bench.key_shape());
  const WriteOptions options = bench.write_options();
  WriteBatch batch;
  thread->stats.StartOp();
  while (!duration.Done(s.entries_per_batch)) {
    batch.Clear();
    for (uint64_t i = 0; i < s.entries_per_batch; ++i) {
      const Status added = batch.Delete(keys.Make(order.Next()));
      if (!added.ok()) Die("del error", added);
    }
    const Status written = bench.db()->Write(options, &batch);
    if (!written.ok()) Die("del error", written);
    thread->stats.FinishedOps(bench.db(), s.entries_per_batch, OpType::kDelete);
  }
}

}  // namespace

void DeleteRandom(const Bench& bench, ThreadState* thread) {
  Delete(KeyOrder::kRandom, bench, thread);
}

void DeleteSequential(const Bench& bench, ThreadState* thread) {
  Delete(KeyOrder::kSequential, bench, thread);
}

}  // namespace ROCKSDB_NAMESPACE::bench
