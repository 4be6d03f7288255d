// PurgeBackoff: when it is worth trying to keep survivors in memory.
//
// Place. One per column family; asked by the flusher.
//
// Model. Whether little of a memtable survives is known once it was merged. A
// try that fails has cost part of a flush, so after one failure the next flush
// is not tried, after two the next two, then four, eight, and sixteen: where
// nothing is overwritten, one flush in seventeen is merged twice.
//
// Threads. Guarded by the DB mutex.

#pragma once

#include <algorithm>

namespace ROCKSDB_NAMESPACE::engine {

class PurgeBackoff {
 public:
  // A flush is due: may it be tried?
  bool Take() {
    if (skips_left_ == 0) return true;
    --skips_left_;
    return false;
  }
  void Ended(bool worked) {
    skips_ = worked ? 0 : std::clamp(2 * skips_, 1, kSkipsMax);
    skips_left_ = skips_;
  }

 private:
  static constexpr int kSkipsMax = 16;
  int skips_ = 0;
  int skips_left_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
