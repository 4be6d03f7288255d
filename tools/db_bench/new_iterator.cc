// newiterator: iterators are made, and given back unused.

#include <memory>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/reader.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

void NewIterators(const Bench& bench, ThreadState* thread) {
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    bench.settings().reads, bench.clock());
  ReadOptions options = bench.read_options();
  thread->stats.StartOp();
  while (!duration.Done(1)) {
    const auto snapshot = SnapshotForIterator(bench.db(), &options);
    std::unique_ptr<Iterator> it(bench.db()->NewIterator(options));
    if (!it->status().ok()) Die("iterator", it->status());
    it.reset();
    thread->stats.FinishedOps(bench.db(), 1, OpType::kOther);
  }
}

}  // namespace ROCKSDB_NAMESPACE::bench
