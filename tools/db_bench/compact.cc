// compact: one CompactRange over everything.

#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

void Compact(const Bench& bench, ThreadState* /*thread*/) {
  CompactRangeOptions options;
  options.max_subcompactions = static_cast<uint32_t>(FLAGS_subcompactions);
  for (const Target& target : bench.targets()) {
    for (ColumnFamilyHandle* family : target.families) {
      const Status s =
          target.db->CompactRange(options, family, nullptr, nullptr);
      if (!s.ok()) Die("compact", s);
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE::bench
