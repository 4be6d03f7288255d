// fillseq, fillbatch, fillrandom, filluniquerandom, fillsync, overwrite: put
// the keys of the database in some order.

#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"
#include "tools/db_bench/writer.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

void Fill(KeyOrder::Kind kind, const Bench& bench, ThreadState* thread) {
  const WorkloadSettings& s = bench.settings();
  // Only a random order can go on for as long as one likes.
  const auto seconds =
      static_cast<uint64_t>(kind == KeyOrder::kRandom ? FLAGS_duration : 0);
  Duration duration(seconds, s.writes, bench.clock());
  KeyOrder order(kind, s.num, &thread->random);
  Writer writer(bench, thread);
  thread->stats.StartOp();
  while (!duration.Done(s.entries_per_batch)) {
    writer.WriteBatchOf(s.entries_per_batch, &order);
  }
}

}  // namespace

void FillSequential(const Bench& bench, ThreadState* thread) {
  Fill(KeyOrder::kSequential, bench, thread);
}

void FillRandom(const Bench& bench, ThreadState* thread) {
  Fill(KeyOrder::kRandom, bench, thread);
}

void FillUniqueRandom(const Bench& bench, ThreadState* thread) {
  Fill(KeyOrder::kUniqueRandom, bench, thread);
}

}  // namespace ROCKSDB_NAMESPACE::bench
