// fillseq, fillbatch, fillrandom, filluniquerandom, fillsync, fill100K,
// overwrite, fillseekseq: put the keys of the database in some order.

#include <algorithm>
#include <memory>

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

// Then seeks to each of them.
void FillSeekSequential(const Bench& bench, ThreadState* thread) {
  FillSequential(bench, thread);
  const std::unique_ptr<Iterator> it(
      bench.db()->NewIterator(bench.read_options()));
  KeyMaker keys(bench.key_shape());
  const uint64_t written =
      std::min(bench.settings().num, bench.settings().writes);
  thread->stats.StartOp();
  for (uint64_t number = 0; number < written; ++number) {
    const Slice key = keys.Make(number);
    it->Seek(key);
    if (!it->Valid() || it->key() != key) {
      Die("fillseekseq", it->status().ok()
                             ? Status::Corruption("a key is not there")
                             : it->status());
    }
    for (int i = 0; i < FLAGS_seek_nexts && it->Valid(); ++i) it->Next();
    thread->stats.AddBytes(it->Valid() ? it->key().size() : 0);
    thread->stats.FinishedOps(bench.db(), 1, OpType::kSeek);
  }
}

void FillRandom(const Bench& bench, ThreadState* thread) {
  Fill(KeyOrder::kRandom, bench, thread);
}

void FillUniqueRandom(const Bench& bench, ThreadState* thread) {
  Fill(KeyOrder::kUniqueRandom, bench, thread);
}

}  // namespace ROCKSDB_NAMESPACE::bench
