// readmissing: point lookups of keys that were never written but lie between
// those that were, so only filters can answer without reading.

#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

void ReadMissing(const Bench& bench, ThreadState* thread) {
  // The settings made the keys a byte longer than any in the database.
  ReadRandom(bench, thread);
}

}  // namespace ROCKSDB_NAMESPACE::bench
