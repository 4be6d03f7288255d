// TableReaderCaller: on whose behalf a block is looked up. Part of a block
// cache trace.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// The numbers are those of the trace.
enum TableReaderCaller : char {
  kUserGet = 1,
  kUserMultiGet = 2,
  kUserIterator = 3,
  kUserApproximateSize = 4,
  kUserVerifyChecksum = 5,
  kSSTDumpTool = 6,
  kExternalSSTIngestion = 7,
  kRepair = 8,
  kPrefetch = 9,
  kCompaction = 10,
  // With paranoid_file_checks: what a compaction or a flush has written is read
  // again.
  kCompactionRefill = 11,
  kFlush = 12,
  kSSTFileReader = 13,
  kUncategorized = 14,
  kMaxBlockCacheLookupCaller
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
