// readrandom: point lookups of keys that may have been written.

#include "tools/db_bench/flags.h"
#include "tools/db_bench/reader.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

void ReadRandom(const Bench& bench, ThreadState* thread) {
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    bench.settings().reads, bench.clock());
  ReadOrder order(bench.settings().num, FLAGS_read_random_exp_range,
                  &thread->random);
  Reader reader(bench, thread);
  thread->stats.StartOp();
  while (!duration.Done(1)) reader.Get(order.Next());
  reader.AddFoundMessage();
}

}  // namespace ROCKSDB_NAMESPACE::bench
