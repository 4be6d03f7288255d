// approximatesizerandom: the estimated size of ranges between random keys.

#include <utility>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

void ApproximateSizeRandom(const Bench& bench, ThreadState* thread) {
  const WorkloadSettings& s = bench.settings();
  Duration duration(static_cast<uint64_t>(FLAGS_duration), s.reads,
                    bench.clock());
  KeyMaker starts(bench.key_shape());
  KeyMaker limits(bench.key_shape());
  SizeApproximationOptions options;
  DB* const db = bench.db();
  thread->stats.StartOp();
  while (!duration.Done(1)) {
    uint64_t first = thread->random.Uniform(s.num);
    uint64_t last = thread->random.Uniform(s.num);
    if (last < first) std::swap(first, last);
    const Range range(starts.Make(first), limits.Make(last));
    uint64_t size = 0;
    const Status asked = db->GetApproximateSizes(
        options, db->DefaultColumnFamily(), &range, 1, &size);
    if (!asked.ok()) Die("GetApproximateSizes", asked);
    thread->stats.FinishedOps(db, 1, OpType::kOther);
  }
}

}  // namespace ROCKSDB_NAMESPACE::bench
