// readrandomwriterandom: each thread reads and writes in the proportion of
// --readwritepercent.

#include <cstdio>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/reader.h"
#include "tools/db_bench/workloads.h"
#include "tools/db_bench/writer.h"

namespace ROCKSDB_NAMESPACE::bench {

void ReadRandomWriteRandom(const Bench& bench, ThreadState* thread) {
  const WorkloadSettings& s = bench.settings();
  Duration duration(static_cast<uint64_t>(FLAGS_duration), s.reads,
                    bench.clock());
  KeyOrder order(KeyOrder::kRandom, s.num, &thread->random);
  Reader reader(bench, thread);
  Writer writer(bench, thread);
  uint64_t reads = 0;
  uint64_t writes = 0;
  thread->stats.StartOp();
  while (!duration.Done(1)) {
    // Hundreds of operations keep the proportion exactly.
    if ((reads + writes) % 100 <
        static_cast<uint64_t>(FLAGS_readwritepercent)) {
      reader.Get(order.Next());
      ++reads;
    } else {
      writer.WriteBatchOf(1, &order);
      ++writes;
    }
  }
  char message[100];
  std::snprintf(message, sizeof(message), "( reads:%llu writes:%llu )",
                static_cast<unsigned long long>(reads),
                static_cast<unsigned long long>(writes));
  thread->stats.AddMessage(message);
  reader.AddFoundMessage();
}

}  // namespace ROCKSDB_NAMESPACE::bench
