// Parameters of universal compaction: sorted runs are merged by size.
#pragma once

#include <climits>
#include <cstdint>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// When to stop adding runs to a compaction.
enum CompactionStopStyle {
  // When the next run's size differs too much from the last one's.
  kCompactionStopStyleSimilarSize,
  // When it differs too much from the sum so far.
  kCompactionStopStyleTotalSize
};

class CompactionOptionsUniversal {
 public:
  // Percent by which a run may be larger than what is already picked.
  // Default 1.
  unsigned int size_ratio = 1;

  // Fewest runs merged at once. Default 2.
  unsigned int min_merge_width = 2;

  // Most runs merged at once. Default: no limit.
  unsigned int max_merge_width = UINT_MAX;

  // Percent of extra space over the oldest run that triggers a compaction of
  // everything. Default 200.
  unsigned int max_size_amplification_percent = 200;

  // Most sorted runs a read may have to look at; -1 (default) leaves it to
  // level0_file_num_compaction_trigger, 0 derives it from the data size.
  int max_read_amp = -1;

  // -1 (default): compress every output. Otherwise outputs are compressed
  // only while the compressed share of the data is below this percentage.
  int compression_size_percent = -1;

  // Default kCompactionStopStyleTotalSize.
  CompactionStopStyle stop_style = kCompactionStopStyleTotalSize;

  // Move files that overlap nothing instead of rewriting. Default false.
  bool allow_trivial_move = false;

  // Compact a range of keys at a time when space amplification triggers.
  // Default false.
  bool incremental = false;

  // Keep files of waiting bottom-priority compactions available to others.
  // Default true.
  bool reduce_file_locking = true;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
